"""Values as they were before a later call of the same run changed them: `The price of A-7 is 17.50.` after it was set to 19.90.

Only what a call changes that is named for it (`set_price`, `update-order`) counts: a second look-up may be of another day or place. A sentence that
tells the new value too, or of the past, is no such claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from witnessmark.checks.grounding.evidence import sources_of
from witnessmark.checks.output.data_fields import Row, rows_of
from witnessmark.core.case import Case
from witnessmark.core.verdict import Claim, EvidenceRef
from witnessmark.text import lang
from witnessmark.text.numbers import figures
from witnessmark.text.records import Field, key_words
from witnessmark.text.words import letters, normal, stems

REASON = "a later call changed this value"


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A field of a thing that a call changed: what the thing is known by, the field's key, its value before and after, and the call."""

    thing: frozenset[str]
    key: str
    before: Field
    after: Field
    call: str


def changes(case: Case) -> list[ValueChange]:
    """What calls changed that earlier calls of the case had shown otherwise, and that was not changed back."""
    named = {one.id: one.name or "" for one in case.evidence if one.kind == "tool_call"}
    shown: list[Row] = []
    found: list[ValueChange] = []
    for source in sources_of(case.evidence):
        rows = rows_of(source.text) if source.id in named else []
        if not lang.listed("missions", "writes").isdisjoint(letters(key_words(named.get(source.id, "")))[:1]):
            found += [one for row in rows for old in shown for one in _changed(old, row, source.id)]
        shown += rows
    last = {(one.thing, one.key): one.after.value for one in found}
    return [one for one in found if last[one.thing, one.key] != one.before.value]


def _changed(old: Row, new: Row, call: str) -> Iterator[ValueChange]:
    both = [key for key in old if key in new and any(key)]
    same = [key for key in both if old[key].value == new[key].value]
    thing = frozenset(normal(old[key].value) for key in same if old[key].kind in ("text", "number"))
    for key in both if thing else ():
        if key not in same and {old[key].kind, new[key].kind} <= {"number", "text"}:
            yield ValueChange(thing, " ".join(key), old[key], new[key], call)


def stale_claims(case: Case, claims: Sequence[Claim]) -> Iterator[Claim]:
    """The claims, contradicted, that give a value as it was."""
    made = changes(case)
    alone = len({one.thing for one in made}) == 1
    for claim in claims:
        for one in made if claim.status not in ("contradicted", "unverifiable") else ():
            about = set(stems(one.key)) & set(stems(claim.text))
            named = alone or any(name in normal(claim.text) for name in one.thing)
            past = not lang.listed("missions", "earlier").isdisjoint(letters(claim.text.lower()))
            if about and named and not past and _has(claim.text, one.before) and not _has(claim.text, one.after):
                yield replace(claim, **_against(one), details=claim.details | {"by": "rule", "rule": "stale"})
                break


def stale_fields(case: Case, data: Any) -> Iterator[Claim]:
    """The fields of the data that give a value as it was."""
    made = changes(case)
    for row in _mappings(data) if made else ():
        texts = {normal(str(value)) for value in row.values()}
        for one in made:
            for key, value in row.items():
                if texts & one.thing and key_words(str(key)) == one.key and _has(str(value), one.before):
                    yield Claim(text=f"{key}: {value}", kind="data", **_against(one))


def _against(one: ValueChange) -> dict[str, Any]:
    where = (EvidenceRef(id=one.call, span=one.after.span),)
    return {"status": "contradicted", "reason": REASON, "evidence": where, "probability": 0.05}


def _mappings(data: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(data, Mapping):
        yield data
    for inner in data.values() if isinstance(data, Mapping) else data if isinstance(data, (list, tuple)) else ():
        yield from _mappings(inner)


def _has(text: str, field: Field) -> bool:
    if field.kind == "number":
        return not {one.low for one in figures(text)}.isdisjoint(one.low for one in figures(field.value))
    wanted = letters(normal(field.value))
    said = letters(normal(text))
    return any(said[at : at + len(wanted)] == wanted for at in range(len(said)))
