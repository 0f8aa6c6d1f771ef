"""What the parts of a batch hand each other: rows, chunks of them, and what came of a chunk. Knows no files."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from witnessmark.actions.tree.tree_options import TreeOptions
from witnessmark.core.values import Value
from witnessmark.core.verdict import NO_USAGE, OUTCOMES, Usage
from witnessmark.settings import Settings


class Row(NamedTuple):
    """One input: its place among all rows, where it stands, and its JSON, or what is wrong with it."""

    number: int
    where: str
    data: bytes
    problem: str = ""
    group: str | None = None


class Chunk(NamedTuple):
    """Rows that are verified and kept together. `seen` is how many bytes of the input end with it."""

    number: int
    rows: tuple[Row, ...]
    seen: int = 0


class Tally(Value, frozen=True):
    """What came of some rows, in numbers. Tallies add up."""

    cases: int = 0
    errors: int = 0
    groups: int = 0
    outcomes: dict[str, int] = {}
    causes: dict[str, int] = {}
    usage: Usage = NO_USAGE
    lone_groups: int = 0
    """Groups of a single case, which nothing was held against."""
    first_error: tuple[int, str] | None = None
    """The first row that is not a case, by its number, and what is wrong with it."""

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            cases=self.cases + other.cases,
            errors=self.errors + other.errors,
            groups=self.groups + other.groups,
            outcomes=_sum(self.outcomes, other.outcomes),
            causes=_sum(self.causes, other.causes),
            usage=self.usage + other.usage,
            lone_groups=self.lone_groups + other.lone_groups,
            first_error=min(filter(None, (self.first_error, other.first_error)), default=None),
        )

    def plain(self) -> dict[str, Any]:
        """As JSON, with every outcome named."""
        kept: dict[str, Any] = {"cases": self.cases, "errors": self.errors, "groups": self.groups}
        kept["outcomes"] = {outcome: self.outcomes.get(outcome, 0) for outcome in OUTCOMES}
        kept["causes"] = dict(sorted(self.causes.items()))
        kept["first_error"] = list(self.first_error) if self.first_error else None
        return kept | {"usage": msgspec.structs.asdict(self.usage)}


def _sum(one: dict[str, int], other: dict[str, int]) -> dict[str, int]:
    return {key: one.get(key, 0) + other.get(key, 0) for key in sorted(one.keys() | other.keys())}


class ChunkResult(NamedTuple):
    """What came of a chunk: its lines of output, in the order of its rows."""

    number: int
    rows: int
    lines: bytes
    tally: Tally
    seen: int = 0


class ChunkWork(Value, frozen=True):
    """All that whoever verifies a chunk has to know. `key` names the run: what is redone gets the same names."""

    settings: Settings
    policy: dict[str, Any] = {}
    checkpoint: str | None = None
    concurrency: int = 8
    key: str = ""
    tree: TreeOptions = TreeOptions()


def error_line(row: Row, message: str) -> bytes:
    """The row of output for an input that is not a case."""
    return msgspec.json.encode({"row": row.number, "at": row.where, "error": message})
