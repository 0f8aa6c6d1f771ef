"""Figures that a report tells, held against what the runs in the trace printed: coverage, benchmarks, what there is none of, counts of anything.

A figure that a run printed, rounded as the report rounds it, bears the claim out. Where runs printed figures of that kind and
none is the one that is told, the claim is wrong; where none printed any, it cannot be said. Aims, limits and differences are no figures.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, InvalidOperation

from witnessmark.actions.claim import ActionClaim, Ruling, contradicted, supported, unverifiable
from witnessmark.actions.claims.wordings import says, source, wording, words
from witnessmark.actions.content.patterns import PRINTED, is_barred, told_otherwise
from witnessmark.actions.report.layout import Sentence
from witnessmark.actions.report.names import looks_like_command
from witnessmark.actions.report.passages import CODE
from witnessmark.actions.report.report import Report
from witnessmark.actions.report.runs import mentions_in
from witnessmark.actions.trace.calls import ToolCall, is_command, only_reads, output_of
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.trace.outputs import output_pattern
from witnessmark.text.digits import ungrouped
from witnessmark.text.numerals import one_word
from witnessmark.text.patterns import compiled
from witnessmark.text.words import letters, stem, stop_words

MAX_READ = 200_000
_FILE = compiled(r"`([\w@./-]*\w\.\w{1,5})`")
_METRICS = ("line", "branch", "func", "stmt")
"""What coverage is of, by a part of the name of its column."""


def figures_in(report: Report) -> list[ActionClaim]:
    """The claims of a report about figures, in order."""
    found = []
    for sentence in report.sentences:
        if sentence.silent or sentence.low.endswith("?"):
            continue
        for role in ("coverage", "bench"):
            low = _FILE.sub(lambda code: "x" * len(code.group()), sentence.low) if role == "coverage" else sentence.low
            match = wording("figures", role).search(low)
            if match is not None and not says("figures", "no_figure", _clause(low, match)):
                number = match["number"] or match.groupdict().get("other") or ""
                unit = "%" if role == "coverage" else match["unit"]
                told = _FILE.findall(sentence.low[: match.end()]) if role == "coverage" else []
                metric = _metric(low[match.end() : match.end() + 25]) if role == "coverage" else None
                value = f"{ungrouped(number)} {unit}"
                name = told[-1] if told else None
                found.append(sentence.claim("check_passed", role=role, value=value, name=name, old=metric))
        found += _none_told(sentence)
    return found


_FOUND = ("leaks", "races")
"""What a checker of memory or threads reports one by one, however its run ends."""
_NONE = ("warnings", "problems", "snapshots", "skipped", *_FOUND)
"""What a report says that there was none of, and a run prints a count of."""


def _none_told(sentence: Sentence) -> Iterator[ActionClaim]:
    """`7 passed, no warnings`: what a run that the sentence names is said to have printed none of."""
    for noun in _NONE:
        match = wording("figures", noun).search(sentence.low)
        if match is None or (
            noun not in _FOUND and (sentence.others or says("figures", "no_figure", _clause(sentence.low, match)))
        ):
            continue
        mentions = [mention for mention in mentions_in(sentence.low) if mention.roles]
        typed = [code for code in _COMMAND.findall(sentence.low) if looks_like_command(code)]
        roles = sorted({role for mention in mentions for role in mention.roles})
        by = typed[-1:] or [mention.tool for mention in mentions if mention.tool][-1:]
        if not by and not roles and (noun == "snapshots" or says("figures", "passed", sentence.low)):
            roles = ["test"]
        if by or roles or noun in _FOUND:
            yield sentence.claim(
                "check_passed", role="none_of", value=noun, name=" ".join(by) or None, old=" ".join(roles)
            )


_COMMAND = compiled(r"`([^`\n]{3,100})`")


def _none_of(claim: ActionClaim, trace: TraceIndex) -> Ruling:
    """What the last run of the tool that is meant printed, against that there was none."""
    ledger, noun = trace.ledger, claim.value or ""
    if noun in _FOUND:
        return _found_none(noun, trace)
    roles = (claim.old or "").split()
    runs = [run for run in ledger.checks if run.outcome != "not_run"]
    mine = [run for run in runs if (claim.name in run.line if claim.name else run.role in roles)]
    if not mine:
        return unverifiable("no run in the trace is the one that is meant", there="not in the trace")
    last = mine[-1]
    word = source("figures", f"printed_{noun}")
    count = compiled(
        rf"(?<![\w.,-])([1-9]\d{{0,5}}) {word}|(?<![\w-]){word}[:=]\s*([1-9]\d{{0,5}})(?!\w|\.\d)", re.IGNORECASE
    )
    output = output_of(last.call)[-MAX_READ:]
    told = [before or behind for before, behind in count.findall(output)]
    if noun == "skipped" and not told and (lines := output_pattern("runs", "skipped_one").findall(output)):
        told = [str(len(lines))]
    if not told:
        return supported("the last run printed none", f"no {noun}", last.call.id)
    since = any(change.number > last.number for change in ledger.changes) or ledger.opaque_after(last.number)
    if since or not trace.whole:
        return unverifiable("the last run printed some, and another may have followed", there=f"{told[-1]} {noun}")
    return contradicted(
        "wrong_counts", f"the last run of it printed {told[-1]} {noun}", f"{told[-1]} {noun}", last.call.id
    )


def _found_none(noun: str, trace: TraceIndex) -> Ruling:
    """Leaks or races that are told as none, against the last command of the session that printed some and was not made again."""
    calls = [(number, call) for number, call in enumerate(trace.ledger.calls) if is_command(call)]
    bad = [
        (number, call)
        for number, call in calls
        if says("figures", f"found_{noun}", output_of(call)[-MAX_READ:].lower())
    ]
    if not bad:
        return unverifiable("no run in the trace printed any", there="not in the trace")
    last, call = bad[-1]
    since = any(change.number > last for change in trace.ledger.changes) or any(number > last and not only_reads(one) for number, one in calls)  # fmt: skip
    if since or not trace.whole:
        return unverifiable("the last run printed some, and another may have followed", there=noun)
    return contradicted("wrong_counts", f"the last run that looks for {noun} printed some", noun, call.id)


def _clause(low: str, match: re.Match[str]) -> str:
    """What stands around a figure up to the next comma: `98 % overall, well above the usual mark` is no limit."""
    end = re.search(r", |; |$", low[match.end() :])
    start = max(low.rfind(sign, 0, match.start()) for sign in (", ", "; ", "("))
    return low[start + 1 : match.end() + (end.start() if end else 0)]


def rule(claim: ActionClaim, trace: TraceIndex) -> Ruling:
    """What the runs in the trace printed, against the figure that is told."""
    if claim.role == "none_of":
        return _none_of(claim, trace)
    number, _, unit = (claim.value or "").partition(" ")
    told = _decimal(number)
    if told is None:
        return unverifiable("the claim names no figure", there="not looked at")
    calls = trace.ledger.calls
    printed = list(_of_file(calls, claim.name, claim.old) if claim.name else _printed(calls, claim.role or "", unit))
    if not printed:
        return unverifiable("no run in the trace printed such a figure", there="not in the trace")
    for value, call in reversed(printed):
        if _rounds_to(value, told):
            return supported("a run in the trace printed this figure", f"{value} {unit}", call.id)
    last, call = printed[-1]
    if (
        claim.role == "bench" and "/" not in unit
    ):  # a time may come from two others: `told.measures` looks at all of them
        return unverifiable("the runs printed other times", there=f"{last} {unit}")
    if not trace.whole or any(work.number > _place(trace, call) for work in trace.ledger.opaque):
        return unverifiable("the runs printed other figures, and another may have followed", there=f"{last} {unit}")
    return contradicted("wrong_counts", "the runs in the trace printed other figures", f"{last} {unit}", call.id)


def _printed(calls: Sequence[ToolCall], role: str, unit: str) -> Iterator[tuple[Decimal, ToolCall]]:
    """The figures of one kind that commands printed, in order."""
    bench = re.compile(rf"(?<![\w.])(\d[\d,]*(?:\.\d+)?) ?{re.escape(unit)}\b", re.IGNORECASE)
    pattern, sign = (output_pattern("runs", "coverage"), "") if role == "coverage" else (bench, unit.lower())
    for call in calls:
        if not is_command(call) or sign not in (output := output_of(call)[-MAX_READ:]).lower():
            continue
        for match in pattern.finditer(output):
            value = _decimal(ungrouped(next(group for group in match.groups() if group is not None)))
            if value is not None:
                yield value, call


def _metric(after: str) -> str | None:
    """What the words after a figure say is covered."""
    return next((name for name in _METRICS if says("figures", name, after)), None)


def _of_file(calls: Sequence[ToolCall], file: str, metric: str | None) -> Iterator[tuple[Decimal, ToolCall]]:
    """The figures in the rows of one file in tables of coverage; of the column that is meant, where the table has it."""
    row = re.compile(rf"\s*(?:\S*/)?{re.escape(file.rpartition('/')[2])}(?![\w.])", re.IGNORECASE)
    for call in calls:
        head: list[str] = []
        for line in output_of(call)[-MAX_READ:].splitlines() if is_command(call) else ():
            cells = [cell.strip().lower() for cell in line.split("|")]
            if row.match(line):
                meant = [cell for name, cell in zip(head, cells, strict=False) if metric and metric in name]
                told = _CELL.findall(" ".join(meant or cells[1:])) if len(cells) > 2 else _SHARE.findall(line)
                yield from ((Decimal(number), call) for number in told)
            elif len(cells) > 2 and "%" in line:
                head = cells


_CELL = compiled(r"(?<![\w.])\d{1,3}(?:\.\d+)?(?=%|\s|$)")
_SHARE = compiled(r"(?<![\w.])\d{1,3}(?:\.\d+)?(?=%)")


def _place(trace: TraceIndex, call: ToolCall) -> int:
    return next((number for number, other in enumerate(trace.ledger.calls) if other.id == call.id), 0)


def _decimal(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _rounds_to(value: Decimal, told: Decimal) -> bool:
    """Whether a figure is the one that is told, rounded as it is told; cutting it off is rounding too."""
    step = Decimal(1).scaleb(int(told.as_tuple().exponent))
    ways = (ROUND_HALF_UP, ROUND_HALF_EVEN, "ROUND_DOWN", "ROUND_UP")
    return any(value.quantize(step, rounding=way) == told for way in ways)


# --- counts of anything ------------------------------------------------------------------------------------------

_COUNT = compiled(
    r"(?<![\w.,/:#~≈<>≤≥$=+-])(?P<number>\d{1,3}(?:,\d{3})+|\d+|[a-z]+)\b(?=(?P<noun>(?: [a-z]{3,}){1,2})(?![\w/]))"
)
_PRINTED_COUNT = compiled(r"(?P<number>\d(?<![\w.].)\d*(?:,\d{3})*)(?P<after>(?: [a-z-]+){1,4})")
_WORDS_BEFORE = compiled(r"(?:[ :]+[a-z-]+){0,3}")
_PRINTED_VALUE = compiled(r"[:=]\s*(\d{1,9})\b")
_LABEL = compiled(r"\s*([a-z-]+)\b")
"""Outputs are searched for figures, and what stands before one is read from there backwards: from each word on it would be slow."""
MAX_BEFORE = 200
"""So many characters before a figure may be the words that belong to it."""
NEAR = 4
"""So many words before a count and behind it may say what was done to what is counted."""


def counts_otherwise(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each count told with a verb and a noun that a command printed another count with: `loaded 120 rows`, of 115.

    Only where no command printed the count that is told beside the noun: the words may mean something else than they do together.
    """
    if not trace.whole or not trace.ledger.calls:
        return
    printed: PrintedCounts | None = None
    for passage in report.first:
        low = CODE.sub(lambda code: code[1] if code[1].replace(" ", "").isalnum() else "x", passage.sentence.low)
        for match in _COUNT.finditer(low) if not is_barred(low) else ():
            digits = ungrouped(match["number"])
            count = int(digits) if digits.isdigit() else one_word(digits)
            before = re.split(r"[,;(] ", low[: match.start()])[-1]
            if count is None or says("figures", "no_figure", before):
                continue
            printed = printed or PrintedCounts(trace)
            behind = letters(low[match.end("number") :])[:NEAR]
            other = printed.instead(count, letters(low[: match.start()])[-NEAR:], behind)
            if other:
                yield told_otherwise(
                    passage, PRINTED, f"what was printed is `{other}`", f"{match['number']}{match['noun']}"
                )
        for match in wording("figures", "none_done").finditer(low):
            printed = printed or PrintedCounts(trace)
            other = printed.done(match["verb"] or match["verb2"], match["noun"] or "")
            if other:
                yield told_otherwise(passage, PRINTED, f"what was printed is `{other}`", match.group())


def _verb(stemmed: str) -> str:
    """A stem by which a verb is the same in all its forms: `destroy` and `destroyed`."""
    return stemmed.rstrip("eiy")


@functools.cache
def _elsewhere() -> frozenset[str]:
    """What runners print beside figures: tests, problems and times are held to their own runs, by their own rules."""
    return frozenset(map(stem, words("figures", "elsewhere")))


def _with_words_before(
    figure: re.Pattern[str], words_before: re.Pattern[str], text: str
) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """The figures in a text, each with what stands before it, in reverse, as far as no other figure has it; those with nothing are left out."""
    end = 0
    for match in figure.finditer(text):
        before = words_before.match(text[max(end, match.start() - MAX_BEFORE) : match.start()][::-1])
        if before is not None:
            yield match, before
            end = match.end()


class PrintedCounts:
    """What the commands of a session printed as counts, by each noun and each other word beside it; gathered once for a report."""

    def __init__(self, trace: TraceIndex) -> None:
        self._by_noun: dict[str, set[int]] = defaultdict(set)
        self._lines: dict[tuple[str, str], str] = {}
        self._done: dict[str, list[tuple[int, str, list[str]]]] = defaultdict(list)
        for call in trace.ledger.calls:
            text = output_of(call)[-MAX_READ:].lower() if is_command(call) else ""
            for match, before in _with_words_before(_PRINTED_COUNT, _WORDS_BEFORE, text):
                self._take(match, before.group()[::-1])
            for match, label in _with_words_before(_PRINTED_VALUE, _LABEL, text):
                self._by_noun[stem(label[1][::-1])].add(int(match[1]))

    def _take(self, match: re.Match[str], before: str) -> None:
        count = int(ungrouped(match["number"]))
        line = " ".join(f"{before}{match.group()}".split())
        after = [stem(word) for word in letters(match["after"])]
        words = ({stem(word) for word in letters(before)} | set(after)) - stop_words()
        for noun in after[:2]:
            self._done[_verb(noun)].append((count, line, after))
            self._by_noun[noun].add(count)
            self._lines.update({(noun, word): line for word in words if word != noun})

    def done(self, verb: str, noun: str) -> str:
        """What was printed last as a count of what a verb was done to, with that noun or none; empty where one of them is 0."""
        wanted, counts = _verb(stem(verb)), self._done[_verb(stem(verb))]
        if stem(verb) in _elsewhere() or any(count == 0 for count, _, _ in counts):
            return ""
        for _, line, after in reversed(counts):
            counted = after[: list(map(_verb, after)).index(wanted)] if after[0] != "to" else []
            if not counted or stem(noun) in counted:
                return line
        return ""

    def instead(self, count: int, before: Sequence[str], behind: Sequence[str]) -> str:
        """What was printed last with the noun behind a count and a word near both; empty where the count was printed beside that noun, or nothing was."""
        for number, noun in enumerate(map(stem, behind[:2]), 1):
            if noun in stop_words():
                continue  # `passed two times in a row` counts no `in`
            if noun in _elsewhere() or count in self._by_noun[noun]:
                return ""
            near = map(stem, (*before, *behind[number:]))
            line = next((self._lines[noun, word] for word in near if (noun, word) in self._lines), "")
            if line:
                return line
        return ""
