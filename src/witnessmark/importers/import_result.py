"""What an import comes to: cases, what has no equivalent here, and what only has a near one. Nothing goes missing unsaid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from witnessmark.core.case import Case
from witnessmark.core.errors import InputError
from witnessmark.core.values import is_json

KEY = "imported"
"""Where in a case's context the fields stand that nothing here looks at."""
GROUNDED = {"must_pass": ["grounding"]}
"""The policy of a case whose answer must be borne out whatever else is asked: other criteria do not make up for it."""


class NoEquivalentError(InputError):
    """What was asked for has no equivalent here; the message says why."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something that was not taken over as it was: what, why, how often, and where first."""

    what: str
    why: str
    count: int
    first: str


@dataclass(slots=True)
class ImportNotes:
    """Collects notes; the same thing is said once, with how often it occurred."""

    _seen: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)

    def add(self, where: str, what: str, why: str) -> None:
        """Note it."""
        count, first = self._seen.get((what, why), (0, where))
        self._seen[what, why] = (count + 1, first)

    def all(self) -> tuple[Note, ...]:
        """Every note, in the order they came up."""
        return tuple(Note(what, why, count, first) for (what, why), (count, first) in self._seen.items())


@dataclass(frozen=True, slots=True)
class ImportResult:
    """Cases, what was left out, what was imported as the nearest equivalent, and cases that still lack their output."""

    cases: tuple[Case, ...]
    left_out: tuple[Note, ...] = ()
    near: tuple[Note, ...] = ()
    without_output: int = 0


@dataclass(slots=True)
class ImportBuilder:
    """An import under way."""

    cases: list[Case] = field(default_factory=list)
    left_out: ImportNotes = field(default_factory=ImportNotes)
    near: ImportNotes = field(default_factory=ImportNotes)
    without_output: int = 0

    def add(self, where: str, body: Mapping[str, Any]) -> None:
        """Build the case; one that cannot be built is left out with the reason, and stops none of the others.

        A row of which nothing was recognised is none: mostly it is a file of another tool.
        """
        if not any((body.get("goal"), body["subject"].get("text"), body.get("evidence"), body.get("criteria"))):
            self.left_out.add(where, "a case", "nothing in it is a question, an output, a source or a criterion")
            return
        try:
            self.cases.append(Case.from_dict(body))
        except InputError as exc:
            self.left_out.add(where, "a case", str(exc))

    def output(self, where: str, text: Any) -> str:
        """The output of a case as text; where there is none yet, the case is kept with an empty one, and counted."""
        if text is None:
            self.without_output += 1
            self.left_out.add(
                where, "no output", "the file has none for this case: fill in subject.text, or give --outputs"
            )
            return ""
        if isinstance(text, str):
            return text
        from witnessmark.core.values import canonical

        return canonical(text).decode() if is_json(text) else str(text)

    def unread(self, where: str, row: Mapping[str, Any], known: frozenset[str], why: str) -> dict[str, Any]:
        """Fields of a row that nothing here looks at: noted, and kept in the case's context."""
        rest = {str(key): value for key, value in row.items() if key not in known and value not in (None, "", [], {})}
        for key in rest:
            self.left_out.add(where, key, why)
        return {key: value for key, value in rest.items() if is_json(value)}

    def done(self) -> ImportResult:
        """What it came to."""
        return ImportResult(tuple(self.cases), self.left_out.all(), self.near.all(), self.without_output)


def rows(data: Any, what: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each row that is an object, with its place."""
    if not isinstance(data, list):
        raise InputError(f"{what}: should be a list of objects, not {type(data).__name__}")
    for number, row in enumerate(data):
        if not isinstance(row, Mapping):
            raise InputError(f"{what}[{number}]: should be an object, not {type(row).__name__}")
        yield f"{what}[{number}]", row


def many(value: Any, what: str) -> list[Any]:
    """A list, or none at all; anything else is not what this field holds."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise InputError(f"{what}: should be a list, not {type(value).__name__}")
    return value


def mapping(value: Any, what: str) -> dict[str, Any]:
    """An object, or none at all."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InputError(f"{what}: should be an object, not {type(value).__name__}")
    return dict(value)


def texts(value: Any) -> list[str]:
    """Texts from a list, or one; what is not a text is written as JSON."""
    listed = value if isinstance(value, list) else [] if value in (None, "") else [value]
    from witnessmark.core.values import canonical

    return [one if isinstance(one, str) else canonical(one).decode() for one in listed if one not in (None, "")]
