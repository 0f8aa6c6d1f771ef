"""What an output must satisfy, and the criteria that many cases bring along: read once, from JSON and from builtins."""

from __future__ import annotations

import functools
import marshal
from typing import Any, Literal

import msgspec

from witnessmark.core.errors import InputError
from witnessmark.core.values import Unit, Value, Weight, canonical

Scale = Literal["likert5", "unit", "binary", "match"]
CriterionKind = Literal["completeness", "accuracy", "relevance", "clarity", "depth", "professionalism", "safety"]
REMEMBERED_BYTES = 8_192
"""Up to which criteria are remembered as they were read."""


class Criterion(Value, frozen=True):
    """One thing the output must satisfy: in words for a judge, or by the name of a deterministic check."""

    text: str | None = None
    check: str | None = None
    value: Any = None
    """The check's first option; a mapping names several."""
    options: dict[str, Any] = {}
    """The check's options by name."""
    weight: Weight = 1.0
    must_pass: bool | None = None
    id: str | None = None
    needs: tuple[str, ...] = ()
    """Ids of criteria that must be met first; where one is not, this one is skipped."""
    scale: Scale | None = None
    met_threshold: Unit | None = None
    """The score from which a judged criterion counts as met; 0.7 where nothing else is said."""
    principle: bool = False
    """Whether the words are a principle, which the judge answers with a critique and a suggested revision."""
    kind: CriterionKind | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if (self.text is None) == (self.check is None):
            raise InputError("a criterion has either text (for a judge) or check (the name of a deterministic check)")
        if self.text is not None:
            if not self.text.strip():
                raise InputError("text: a criterion needs words; say what the output must satisfy")
            if self.options:
                raise InputError("options belong to a check, not to a criterion in words")
        elif self.principle or self.scale or self.kind or self.met_threshold is not None:
            raise InputError("scale, met_threshold, kind and principle belong to a criterion in words, not to a check")

    @property
    def blocking(self) -> bool:
        """A deterministic criterion must pass unless said otherwise; a judged one only if said so."""
        return self.must_pass if self.must_pass is not None else self.check is not None


ReadCriteria = tuple[tuple[Criterion | str, ...], bytes]
"""Criteria with their canonical JSON."""
_CRITERIA = msgspec.json.Decoder(tuple[Criterion | str, ...])


def as_criteria(given: tuple[Criterion | str, ...]) -> tuple[Criterion | str, ...]:
    """Criteria in words among them made what they stand for."""
    return tuple([Criterion(text=one) if type(one) is str else one for one in given])


def criteria_in_json(written: bytes) -> ReadCriteria | None:
    """The criteria of a case as they stand in its JSON; None where they are too long to be remembered.

    Raises:
        msgspec.MsgspecError, InputError: They are none.

    """
    if len(written) > REMEMBERED_BYTES:
        return None
    return _from_json(written) if written else ((), b"[]")


def criteria_in_builtins(given: Any) -> ReadCriteria | None:
    """The same from a list of dictionaries; None where it is empty, too long, or holds anything but builtins.

    Raises:
        msgspec.MsgspecError, InputError: They are no criteria.

    """
    if not given:
        return None
    try:
        # Unlike JSON it tells everything apart: 1 from 1.0, and a key that is no string from one that is.
        packed = marshal.dumps(given, 2)
    except ValueError:
        return None
    return _from_packed(packed) if len(packed) <= REMEMBERED_BYTES else None


@functools.lru_cache(maxsize=256)
def _from_json(written: bytes) -> ReadCriteria:
    criteria = as_criteria(_CRITERIA.decode(written))
    return criteria, canonical(criteria)


@functools.lru_cache(maxsize=256)
def _from_packed(packed: bytes) -> ReadCriteria:
    given = marshal.loads(packed)  # noqa: S302 - packed above
    criteria = as_criteria(msgspec.convert(given, tuple[Criterion | str, ...]))
    return criteria, canonical(criteria)
