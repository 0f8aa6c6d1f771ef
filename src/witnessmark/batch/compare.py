"""Two outputs of a batch, case by case: what came out worse, what better, and whether that may be chance."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from witnessmark.batch.sources import LINES
from witnessmark.core.errors import InputError
from witnessmark.core.verdict import Finding
from witnessmark.core.wrong_words import sentence

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
    question: str = ""
    answer: str = ""
    answer_cost_usd: float | None = None
    usage: dict[str, Any] = {}
    findings: list[dict[str, Any]] = []


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


@dataclass(frozen=True, slots=True)
class AnswerPair:
    """One case in both outputs: what was asked, what each said, and how each came out."""

    case_id: str
    question: str
    before: str
    after: str
    before_answer: str
    after_answer: str
    before_score: float | None
    after_score: float | None
    before_why: str = ""
    after_why: str = ""

    @property
    def moved(self) -> int:
        """Below 0 where it came out worse, above where better; by outcome, then by score."""
        steps = RANK[self.after] - RANK[self.before]
        if steps or self.before_score is None or self.after_score is None:
            return (steps > 0) - (steps < 0)
        return (self.after_score > self.before_score) - (self.after_score < self.before_score)


@dataclass(slots=True)
class Comparison:
    """All changes, and the numbers."""

    regressions: list[VerdictChange] = field(default_factory=list)
    improvements: list[VerdictChange] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    no_longer: int = 0
    """Cases of the first output that the second does not have."""
    unreadable: int = 0
    """Rows of the second output that are no case, and were not in the first."""
    common: int = 0
    no_cases: int = 0
    """Rows that are a case in neither output."""
    scores_moved: int = 0
    before: dict[str, int] = field(default_factory=dict)
    after: dict[str, int] = field(default_factory=dict)
    lost: int = 0
    won: int = 0
    p: float | None = None
    worse: int = 0
    better: int = 0
    """Cases that came out worse or better by outcome, or by score where the outcome is the same."""
    sign_p: float | None = None
    """How likely so uneven a change is by chance: counts also where nothing reaches `pass`."""
    before_cost_usd: float | None = None
    after_cost_usd: float | None = None
    """What answering and verifying cost together; None where any part of it is unknown."""
    pairs: list[AnswerPair] = field(default_factory=list)

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

    @property
    def worse_off(self) -> bool:
        """Whether anything came out worse: a verdict, a case that is gone, or a row that is no case any more."""
        return bool(self.regressions or self.no_longer or self.unreadable)

    def worst_first(self) -> list[AnswerPair]:
        """The pairs, regressions first, then those that are bad in both, then the rest."""
        return sorted(self.pairs, key=lambda pair: (pair.moved, RANK[pair.after], pair.after_score or 0.0))


Key = tuple[str, str, int]


def compare_files(before: str, after: str) -> Comparison:
    """Compare by case id; a case that is there several times is compared in the order of the rows."""
    old, new = dict(_keyed(before)), dict(_keyed(after))
    for name, lines in ((before, old), (after, new)):
        if not any(line.error is None for line in lines.values()):
            first = next((line.error for line in lines.values()), "it is empty")
            raise InputError(f"{name}: holds no verdict to compare; its first error: {first}")
    found = Comparison(before=dict(Counter(line.outcome for line in old.values())))
    found.before_cost_usd, found.after_cost_usd = _cost(old.values()), _cost(new.values())
    outcomes: Counter[str] = Counter()
    for key, line in new.items():
        outcomes[line.outcome] += 1
        was = old.pop(key, None)
        if was is None:
            found.added.append(_name(key))
            found.unreadable += line.error is not None
        else:
            _compare(found, was, line)
    found.after, found.missing = dict(outcomes), [_name(key) for key in old]
    found.no_longer = sum(line.error is None for line in old.values())
    if not found.common:
        raise InputError(f"{before} and {after} have no case in common; compare two outputs over the same cases")
    found.p, found.sign_p = mcnemar(found.lost, found.won), mcnemar(found.worse, found.better)
    return found


def _cost(lines: Iterable[OutputLine]) -> float | None:
    """Dollars for answering and verifying; None as soon as one of them is unknown."""
    total = 0.0
    for line in lines:
        verifying = line.usage.get("cost_usd", 0.0) if line.usage else 0.0
        if verifying is None or (line.answer and line.answer_cost_usd is None):
            return None
        total += verifying + (line.answer_cost_usd or 0.0)
    return total


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
            raise InputError(f"{name}:{number}: is not a record: {exc}") from None
        if line.error is None and (line.outcome not in RANK or not line.case_id):
            raise InputError(f"{name}:{number}: is not a record: it needs case_id and outcome")
        yield line


def _read(name: str) -> Iterator[bytes]:
    if not Path(name).is_file():
        raise InputError(f"{name}: there is no such file; name an output of `witnessmark run` or `batch`")
    if name.endswith(".parquet"):
        from witnessmark.batch import parquet

        yield from parquet.lines(name)
    elif name.endswith((*LINES, ".json")):
        with Path(name).open("rb") as file:
            yield from (line for line in file if not line.isspace())
    else:
        raise InputError(f"{name}: is neither .jsonl nor .parquet; name an output of `witnessmark run` or `batch`")


def _compare(found: Comparison, was: OutputLine, now: OutputLine) -> None:
    if was.error is not None and now.error is not None:
        found.no_cases += 1
        return
    found.common += 1
    found.lost += was.outcome == "pass" != now.outcome
    found.won += was.outcome != "pass" == now.outcome
    pair = AnswerPair(
        now.case_id, now.question or was.question, was.outcome, now.outcome, was.answer, now.answer, was.score, now.score,
        _why(was), _why(now),
    )  # fmt: skip
    found.pairs.append(pair)
    found.worse += pair.moved < 0
    found.better += pair.moved > 0
    if was.outcome == now.outcome:
        found.scores_moved += was.score != now.score
        return
    change = VerdictChange(now.case_id, now.checkpoint, was.outcome, now.outcome, was.score, now.score, now.id)
    worse = RANK[now.outcome] < RANK[was.outcome]
    (found.regressions if worse else found.improvements).append(change)


def _why(line: OutputLine) -> str:
    """The first thing that is wrong, in one line."""
    if line.error is not None:
        return line.error
    for told in line.findings[:1]:
        try:
            return sentence(msgspec.convert(told, Finding))
        except (msgspec.ValidationError, ValueError):
            return str(told.get("message", ""))
    return ""


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
        f"{_counted(found.common, 'case')} compared: {_counted(len(found.regressions), 'regression')}, "
        f"{_counted(len(found.improvements), 'improvement')}, {found.scores_moved:,} with only the score changed{chance}"
        + (f"; {_counted(found.no_cases, 'row')} that are no case in either" if found.no_cases else "")
        + (f"; {_counted(found.no_longer, 'case')} of before gone" if found.no_longer else "")
        + (f"; {_counted(found.unreadable, 'row')} no case any more" if found.unreadable else "")
    )
    parts = [told, significance(found), "\n".join(head), _costs(found)]
    parts += [_changes("Regressions", found.regressions, most), _changes("Improvements", found.improvements, most)]
    parts += [_names("Only before", found.missing, most), _names("Only after", found.added, most)]
    return "\n\n".join(part for part in parts if part)


def significance(found: Comparison) -> str:
    """Whether the change may be chance, in words; by outcome and score, so that it says something without any pass."""
    if found.sign_p is None:
        return "No case came out better or worse."
    moved = f"{found.worse:,} worse, {found.better:,} better; sign test p = {found.sign_p:.3g}"
    word = "Significant difference" if found.sign_p < 0.05 else "No significant difference"
    return f"{word} ({moved})."


def _counted(n: int, noun: str) -> str:
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _costs(found: Comparison) -> str:
    def dollars(value: float | None) -> str:
        return "unknown" if value is None else f"${value:.4f}"

    if not found.before_cost_usd and not found.after_cost_usd and not any(pair.after_answer for pair in found.pairs):
        return ""
    return f"Cost: {dollars(found.before_cost_usd)} before, {dollars(found.after_cost_usd)} after"


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
