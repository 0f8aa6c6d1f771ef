"""Two outputs of a batch, case by case: what came out worse, what better, and whether that may be chance.

Knows nothing about how the records came about.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from witnessmark.batch.sources import LINES
from witnessmark.core.errors import InputError

WORST_FIRST = ("error", "fail", "unverified", "partial", "pass")
RANK = {outcome: rank for rank, outcome in enumerate(WORST_FIRST)}
EXACT_UP_TO = 1_000


class OutputLine(msgspec.Struct):
    """What of a line of output is compared."""

    case_id: str = ""
    checkpoint: str = ""
    outcome: str = ""
    score: float | None = None
    id: str = ""
    error: str | None = None
    row: int = 0


@dataclass(frozen=True, slots=True)
class VerdictChange:
    """A case that came out otherwise."""

    case_id: str
    checkpoint: str
    before: str
    after: str
    before_score: float | None
    after_score: float | None
    record: str


@dataclass(slots=True)
class Comparison:
    """All changes, and the numbers."""

    regressions: list[VerdictChange] = field(default_factory=list)
    improvements: list[VerdictChange] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    common: int = 0
    scores_moved: int = 0
    before: dict[str, int] = field(default_factory=dict)
    after: dict[str, int] = field(default_factory=dict)
    lost: int = 0
    won: int = 0
    p: float | None = None

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)


Key = tuple[str, str, int]


def compare_files(before: str, after: str) -> Comparison:
    """Compare by case id; a case that is there several times is compared in the order of the rows."""
    old = dict(_keyed(before))
    found = Comparison(before=dict(Counter(line.outcome for line in old.values())))
    outcomes: Counter[str] = Counter()
    for key, line in _keyed(after):
        outcomes[line.outcome] += 1
        was = old.pop(key, None)
        if was is None:
            found.added.append(_name(key))
        else:
            _compare(found, was, line)
    found.after, found.missing = dict(outcomes), [_name(key) for key in old]
    if not found.common:
        raise InputError(f"{before} and {after} have no case in common; compare two outputs over the same cases")
    found.p = mcnemar(found.lost, found.won)
    return found


def _name(key: Key) -> str:
    return key[1] if key[2] == 1 else f"{key[1]} ({key[2]})"


def _keyed(name: str) -> Iterator[tuple[Key, OutputLine]]:
    seen: Counter[tuple[str, str]] = Counter()
    for line in _lines(name):
        if line.error is not None:
            line.outcome, line.case_id = "error", f"row {line.row}"
        place = (line.checkpoint, line.case_id)
        seen[place] += 1
        yield (*place, seen[place]), line


def _lines(name: str) -> Iterator[OutputLine]:
    decoder = msgspec.json.Decoder(OutputLine)
    for number, data in enumerate(_read(name), 1):
        try:
            line = decoder.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError) as exc:
            raise InputError(f"{name}:{number}: is no record: {exc}") from None
        if line.error is None and (line.outcome not in RANK or not line.case_id):
            raise InputError(f"{name}:{number}: is no record: it needs case_id and outcome")
        yield line


def _read(name: str) -> Iterator[bytes]:
    if not Path(name).is_file():
        raise InputError(f"{name}: there is no such file; name an output of `witnessmark batch`")
    if name.endswith(".parquet"):
        from witnessmark.batch import parquet

        yield from parquet.lines(name)
    elif name.endswith((*LINES, ".json")):
        with Path(name).open("rb") as file:
            yield from (line for line in file if not line.isspace())
    else:
        raise InputError(f"{name}: is neither .jsonl nor .parquet")


def _compare(found: Comparison, was: OutputLine, now: OutputLine) -> None:
    found.common += 1
    found.lost += was.outcome == "pass" != now.outcome
    found.won += was.outcome != "pass" == now.outcome
    if was.outcome == now.outcome:
        found.scores_moved += was.score != now.score
        return
    change = VerdictChange(now.case_id, now.checkpoint, was.outcome, now.outcome, was.score, now.score, now.id)
    worse = RANK[now.outcome] < RANK[was.outcome]
    (found.regressions if worse else found.improvements).append(change)


def mcnemar(lost: int, won: int) -> float | None:
    """How likely so uneven a change of passes is by chance: the exact test, its usual approximation where there are many."""
    count = lost + won
    if not count:
        return None
    if count > EXACT_UP_TO:
        return math.erfc(max(0.0, abs(lost - won) - 1) / math.sqrt(2 * count))
    tail = sum(math.comb(count, k) for k in range(min(lost, won) + 1))
    return min(1.0, float(2 * tail / 2**count))


def markdown(found: Comparison, most: int = 50) -> str:
    """For a person, a pull request or a step summary."""
    head = ["| outcome | before | after |", "|---|---|---|"]
    for outcome in reversed(WORST_FIRST):
        before, after = found.before.get(outcome, 0), found.after.get(outcome, 0)
        if before or after:
            head.append(f"| {outcome} | {before:,} | {after:,} |")
    chance = "" if found.p is None else f" (passes lost {found.lost:,}, won {found.won:,}; McNemar p = {found.p:.3g})"
    told = (
        f"{found.common:,} cases compared: {len(found.regressions):,} regressions, {len(found.improvements):,} "
        f"improvements, {found.scores_moved:,} with another score only{chance}"
    )
    parts = [told, "\n".join(head)]
    parts += [_changes("Regressions", found.regressions, most), _changes("Improvements", found.improvements, most)]
    parts += [_names("Only before", found.missing, most), _names("Only after", found.added, most)]
    return "\n\n".join(part for part in parts if part)


def _changes(title: str, changes: list[VerdictChange], most: int) -> str:
    if not changes or not most:
        return ""
    rows = [f"### {title}", "", "| case | checkpoint | before | after | record |", "|---|---|---|---|---|"]
    for change in changes[:most]:
        before, after = _cell(change.before, change.before_score), _cell(change.after, change.after_score)
        rows.append(f"| {_plain(change.case_id)} | {change.checkpoint} | {before} | {after} | {change.record[:12]} |")
    more = len(changes) - most
    return "\n".join([*rows, *([f"\n… and {more:,} more"] if more > 0 else [])])


def _cell(outcome: str, score: float | None) -> str:
    return outcome if score is None else f"{outcome} {score:.2f}"


def _names(title: str, names: list[str], most: int) -> str:
    if not names or not most:
        return ""
    shown = ", ".join(_plain(name) for name in names[:most])
    return f"### {title}\n\n{shown}" + (f", … and {len(names) - most:,} more" if len(names) > most else "")


def _plain(text: str) -> str:
    """A case id cannot break the table it stands in."""
    return "".join(char if char.isprintable() else "�" for char in text).replace("|", "\\|")
