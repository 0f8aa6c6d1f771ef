"""Times and sizes that a report tells as measured, against everything that the session was given and printed, and what the files hold.

Untrue only where commands printed measures of the same kind, nothing anywhere has the one that is told, in any unit and rounded as
it is told, and no two of those that were printed come to it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from witnessmark.actions.claim import ActionClaim, Ruling, contradicted, unverifiable
from witnessmark.actions.content.evidence import evidence_of
from witnessmark.actions.content.patterns import clause_at, is_barred, pattern
from witnessmark.actions.report.lexicon import table
from witnessmark.actions.report.passages import ReportPassage, without_code
from witnessmark.actions.report.report import Report
from witnessmark.actions.session_claims.roles import COUNTED, MEASURED
from witnessmark.actions.trace.calls import ToolCall, command_of, is_command, output_of
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.view import TreeView
from witnessmark.text.digits import ungrouped
from witnessmark.text.patterns import compiled
from witnessmark.text.units import units
from witnessmark.text.words import letters, stem

_PRINTED = compiled(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,12}(?:\.\d{1,9})?) ?([a-zµμ]{1,12})?(?![\w.])")
_MINUTES = compiled(r"(?<![\w.])(\d{1,3}) ?m(?:in)? ?(\d{1,2}(?:\.\d+)?) ?s(?:ec)?(?!\w)")
_SHORT = {"us": "µs", "usec": "µs", "nsec": "ns", "k": "kb", "m": "mb", "g": "gb", "t": "tb", "b": "bytes"}
"""Units as programs write them: `84M` of `du` are megabytes."""
_SCALES = (1, 1e3, 1e-3, 1e6, 1e-6, 1e9, 1e-9, 1024, 1024**2, 1024**3, 1 / 1024, 1 / 1024**2, 1 / 1024**3)
"""What a bare number may stand for in another unit."""
MAX_PAIRS = 40
"""Of so many printed measures sums and differences are worked out; of more, nearly anything comes to something."""


class Measure(NamedTuple):
    """A figure, its unit's dimension and factor, and half of the last place that it is told to."""

    number: float
    dimension: str
    factor: float
    step: float
    about: bool = False
    """Whether it is told to be about as much."""


def _measure(number: str, unit: str) -> Measure | None:
    known = units().get(_SHORT.get(unit, unit))
    if known is None or known.dimension not in ("time", "data"):
        return None
    plain = ungrouped(number)
    return Measure(float(plain), known.dimension, known.factor, 10.0 ** -len(plain.partition(".")[2]))


def measures_otherwise(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each measure that a sentence tells as measured and that no call of the session was given or printed."""
    low = report.low
    if not trace.whole or pattern("measures", "told").search(low) is None:
        return
    session = SessionFigures(trace)
    for passage in report.first:
        around = f"{passage.sentence.low} {passage.over} {' '.join(passage.head)}"
        if not pattern("measures", "cue").search(around) or pattern("measures", "setting").search(around):
            continue
        for told, words in _told(passage):
            if not session.known:
                return
            worked_out = pattern("measures", "worked_out").search(around) is not None
            instead = session.far_from(told) if told.about else session.instead(told, worked_out=worked_out)
            if instead and not (told.about and worked_out):
                yield passage.sentence.claim("content", role=MEASURED, value=words, name=instead)


_COUNT = compiled(
    r"(?<![\w.,$€/:#~≈<>≤≥=+-])(?P<number>\d{1,3}(?:,\d{3})+|\d{3,9})(?= (?:[a-z-]+ )?(?P<noun>[a-z]{3,}s)\b(?!/))"
)
HUNDRED = 100


@functools.cache
def _not_counted() -> frozenset[str]:
    """What other rules count, and what figures stand before that count nothing."""
    return frozenset(map(stem, table("content")["measures"]["not_counted"].split()))


def counts_nowhere(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each count of three digits and more that nothing in the session has, of things that a command counted otherwise."""
    if not trace.whole or not trace.ledger.active or _COUNT.search(report.low) is None:
        return
    session = SessionFigures(trace)
    for passage in report.first:
        low = without_code(passage.sentence.low)
        for match in _COUNT.finditer(low):
            count = int(ungrouped(match["number"]))
            clause = clause_at(low, match.start(), match.end("noun"))
            if count % HUNDRED == 0 or stem(match["noun"]) in _not_counted() or is_barred(clause):
                continue
            if pattern("measures", "other").search(clause) or pattern("measures", "setting").search(low):
                continue
            other = session.counted(count, match["noun"]) if trace.session_texts().complete else ""
            if other:
                yield passage.sentence.claim("content", role=COUNTED, value=match["number"], name=other)


def _told(passage: ReportPassage) -> Iterator[tuple[Measure, str]]:
    """The measures of a sentence or a row that are told as they are: no limits, no aims, nothing about."""
    low = passage.sentence.low if not passage.cells else " | ".join(passage.cells).lower().replace("*", "")
    for match in pattern("measures", "told").finditer(low):
        told = _measure(match[1], match[2])
        about = pattern("measures", "about").search(low, 0, match.start())
        clause = clause_at(low, match.start(), match.end())
        clause = clause.replace(about.group(), " ") if about else clause
        if told is None or is_barred(clause) or pattern("measures", "other").search(clause):
            continue
        yield told._replace(about=about is not None), match.group()


class SessionFigures:
    """Every figure that a session was given or printed, and the measures that its commands printed."""

    def __init__(self, trace: TraceIndex) -> None:
        self._trace = trace

    @cached_property
    def known(self) -> bool:
        """Whether all of the session can be seen, and a command printed a measure."""
        return bool(self._trace.ledger.active and self._trace.session_texts().complete and self.printed)

    @cached_property
    def printed(self) -> tuple[tuple[Measure, str], ...]:
        """The measures that commands printed, each as it was printed, in order."""
        return tuple(measure for call in self._trace.ledger.calls if is_command(call) for measure in _printed_by(call))

    @cached_property
    def _numbers(self) -> frozenset[float]:
        return numbers_in(_PLACE.sub(" ", self._trace.session_texts().everything))

    def counted(self, count: int, noun: str) -> str:
        """What a command printed as another count of these things; empty where nothing did, or something has the count, or two come to it."""
        if count in self._numbers or count > max(self._numbers, default=0) * 2:
            return ""
        found = ""
        wanted = stem(noun)
        printed: set[float] = set()
        for call in self._trace.ledger.calls if count not in self._numbers else ():
            if not is_command(call):
                continue
            output = output_of(call).lower()
            printed |= {number for number in numbers_in(output) if number >= 1}
            named = {stem(word) for word in letters(f"{command_of(call).lower()} {output}")}
            figures = [word for word in _COUNTS.findall(output) if ungrouped(word) != str(count)]
            found = figures[-1] if wanted in named and figures else found
        return "" if _adds_up(count, printed) else found

    def instead(self, told: Measure, *, worked_out: bool) -> str:
        """The last measure of the same kind that a command printed; empty where something has the one that is told.

        `worked_out`: whether two of them may come to it, by the words around.
        """
        same = [(measure, words) for measure, words in self.printed if measure.dimension == told.dimension]
        if not same or any(has_figure(told, number) for number in self._numbers):
            return ""
        amounts = list(dict.fromkeys(measure.number * measure.factor for measure, _ in same))
        step, amount = told.step * told.factor, told.number * told.factor
        if any(abs(value - amount) < step for value in amounts):
            return ""
        if worked_out and (len(amounts) > MAX_PAIRS or _comes_to(amount, step, amounts)):
            return ""
        return same[-1][1]

    def far_from(self, told: Measure) -> str:
        """The last measure of the same kind that a command printed, where all that the session has of the kind are far from one that is told to be about as much."""
        told_elsewhere = (_measure(*found) for found in pattern("measures", "told").findall(self._trace.session_texts().everything.lower()))  # fmt: skip
        known = [one for one in (*told_elsewhere, *(one for one, _ in self.printed)) if one is not None and one.dimension == told.dimension]  # fmt: skip
        amount = told.number * told.factor
        near = any(amount / FAR < one.number * one.factor < amount * FAR for one in known)
        last = [words for one, words in self.printed if one.dimension == told.dimension]
        return last[-1] if last and amount and not near else ""


FAR = 1.5
"""So many times as much, or as little, is not about as much."""


def _printed_by(call: ToolCall) -> Iterator[tuple[Measure, str]]:
    for minutes, seconds in _MINUTES.findall(output_of(call).lower()):
        yield Measure(60 * float(minutes) + float(seconds), "time", 1.0, 1.0), f"{minutes}m {seconds}s"
    for number, unit in _PRINTED.findall(output_of(call).lower()):
        measure = _measure(number, unit) if unit else None
        if measure is not None:
            yield measure, f"{number} {unit}"


def numbers_in(text: str) -> frozenset[float]:
    """The numbers of a text, whatever stands beside them; `0m9.874s` has its seconds, and all of them."""
    found = {float(ungrouped(number)) for number in _NUMBER.findall(text)}
    for minutes, seconds in _MINUTES.findall(text):
        found |= {float(seconds), 60 * float(minutes) + float(seconds)}
    return frozenset(found)


_PLACE = compiled(r"(?<![\w/.:])(?:/[\w.@+-]+){3,}")
"""A place in the file system, of which no part is a figure: a folder called run-206 measured nothing."""
_COUNTS = compiled(r"(?<![\w.,:/-])(?:\d{1,3}(?:,\d{3})+|\d{3,9})(?![\w.:/-]|,\d)")
_NUMBER = compiled(r"(?<![a-zA-Z\d])\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![a-zA-Z\d])\d{1,15}(?:\.\d{1,12})?")


def has_figure(told: Measure, number: float) -> bool:
    """Whether a number is the one that is told, in any unit, rounded or cut off as it is told."""
    return any(-told.step / 2 <= number * scale - told.number < told.step for scale in _SCALES)


def _comes_to(amount: float, step: float, amounts: Sequence[float]) -> bool:
    """Whether two measures, or all of them, add up or average to the one that is told, or differ by it."""
    pairs = [value for one, other in combinations(amounts, 2) for value in (one + other, abs(one - other), (one + other) / 2)]  # fmt: skip
    whole = [sum(amounts), sum(amounts) / len(amounts)]
    return any(abs(value - amount) < step for value in (*pairs, *whole))


def _adds_up(count: int, printed: set[float]) -> bool:
    """Whether some of the printed numbers add up to a count, or two differ by it; of very many, some always do."""
    whole = {int(number) for number in printed if number == int(number) and number <= MAX_COUNT}
    if len(whole) > MAX_PAIRS:
        return True
    sums = {0}
    for number in whole:
        sums |= {one + number for one in sums if one + number <= count}
    return count in sums or any(one - count in whole for one in whole)


MAX_COUNT = 1_000_000
"""A larger count is not added up."""


def rule_count(claim: ActionClaim, view: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """A count that nothing in the session has, against the files: one that has the figure may be where it comes from."""
    count = float(ungrouped(claim.value or "0"))
    known = evidence_of(view, trace) if view is not None else None
    if known is None or not known.all_seen:
        return unverifiable("not every file was looked at", there="not known")
    if any(count in numbers_in(f"{text.old}\n{text.new}") for text in known.files()):
        return unverifiable("a file has the figure", there="not known")
    return contradicted("contradicted_claim", f"nothing in the session has {claim.value}; what was printed is {claim.name}", claim.name or "")  # fmt: skip


def rule_measure(claim: ActionClaim, view: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Such a claim against the files: one that has the figure may be where it comes from."""
    match = pattern("measures", "told").fullmatch(claim.value or "")
    told = _measure(match[1], match[2]) if match else None
    if view is None or told is None:
        return unverifiable("there is no tree to look at", there="not looked at")
    known = evidence_of(view, trace)
    held = (number for text in known.files() for number in numbers_in(f"{text.old}\n{text.new}"))
    if not known.all_seen or any(has_figure(told, number) for number in held):
        return unverifiable("a file may have the figure", there="not known")
    return contradicted("contradicted_claim", f"nothing in the session has {claim.value}; what was printed is {claim.name}", claim.name or "")  # fmt: skip
