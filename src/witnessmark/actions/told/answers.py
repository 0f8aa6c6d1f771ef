"""How many things a subagent or a search is said to have come back with, against what it printed.

Any way of counting bears a report out: figures and number words in the answer, its items, its lines, the files it names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.observations import PRINTED, sentences_of, told
from witnessmark.actions.content.passages import ReportPassage, is_barred, pattern
from witnessmark.actions.trace.calls import DELEGATES, ToolCall, command_of, is_command, output_of, tool
from witnessmark.actions.trace.index import CUT, TraceIndex
from witnessmark.text.numerals import one_word
from witnessmark.text.patterns import compiled

_SEARCH_TOOLS = frozenset({"grep", "search", "search_files", "codebase_search", "file_search", "glob", "find"})
_SEARCH = compiled(r"(?:^|[|;&(]\s*|\bgit )(?:grep|rg|ag|ack|find|fd)\s")
_ITEM = compiled(r"^\s*(?:[-*•]|\d{1,3}[.)])\s+", re.MULTILINE)
_PLACE = compiled(r"\b(?:lines?|l|col|column|step|#)\s?\d+(?:\s?[-–,]\s?\d+)*|:\d+(?::\d+)?", re.IGNORECASE)
"""Where something stands, which counts nothing."""
_FILE = compiled(r"[\w@./-]*\w\.[A-Za-z]\w{0,5}\b")
_WORD = compiled(r"[A-Za-z]+|\d+")
_NONE = compiled(r"\b(?:no|none|nothing|not|never|without|zero|empty|0)\b|n't\b", re.IGNORECASE)
_GOES_ON = compiled(r"(?:it|they|which|and) ")
MAX_READ = 100_000
LONGEST = 10
"""A longer word is no number."""


def answered_otherwise(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each count that an answer is said to have, where no way of counting it comes to that."""
    low = report.lower()
    for source, calls in (("subagent", _delegated), ("search", _searches)):
        if pattern("answers", source).search(low) is None:
            continue
        mine = calls(trace)
        answers = [output_of(call)[:MAX_READ] for call in mine]
        if not answers or any(map(CUT.search, answers)) or any(call.background for call in mine):
            continue
        for passage, low in _with_before(report):
            match = pattern("answers", source).search(low)
            count = _count(match["count"]) if match is not None else None
            if match is None or count is None or is_barred(low[: match.start("count")]):
                continue
            noun = match.groupdict().get("noun") or ""
            if _otherwise(count, answers, noun, stated=source == "subagent"):
                yield told(passage, PRINTED, f"what it came back with is `{_brief(answers[-1])}`", match["count"])


def _with_before(report: str) -> Iterator[tuple[ReportPassage, str]]:
    """Each sentence with its words, behind those of the one before where that one says who `it` is."""
    before = ""
    for passage in sentences_of(report):
        low = passage.sentence.low
        yield passage, f"{before.rstrip('.')} {low}" if _GOES_ON.match(low) else low
        before = low


def _otherwise(count: int, answers: Sequence[str], noun: str, *, stated: bool) -> bool:
    """Whether no answer can be counted as so many.

    Where answers state their counts, it must be none of these. A search only prints lines, of which a report may tell a part:
    there only more than were printed is certain.
    """
    ways = [_ways(answer) for answer in (*answers, "\n".join(answers))]
    if any(count in figures or count in found for figures, found in ways):
        return False
    if not stated:
        return count > max((max(found, default=0) for _, found in ways), default=0)
    if count == 0 and any(map(_NONE.search, answers)):
        some = re.compile(
            rf"\b(?:[1-9]\d*|two|three|four|five|six|seven|eight|nine|ten) (?:\w+ )?{noun}\b", re.IGNORECASE
        )
        return bool(noun) and any(map(some.search, answers)) and not any(re.search(rf"\b(?:no|zero|0) (?:\w+ )?{noun}\b", answer, re.IGNORECASE) for answer in answers)  # fmt: skip
    return any(figures for figures, _ in ways)


def _delegated(trace: TraceIndex) -> Sequence[ToolCall]:
    return [call for call in trace.ledger.calls if tool(call) in DELEGATES]


def _searches(trace: TraceIndex) -> Sequence[ToolCall]:
    """The calls that searched; none where the session is not whole, since the search that is meant may be elsewhere."""
    calls = trace.ledger.calls if trace.whole else ()
    return [call for call in calls if tool(call) in _SEARCH_TOOLS or (is_command(call) and _SEARCH.search(command_of(call)))]  # fmt: skip


def _count(words: str) -> int | None:
    if words.isdigit():
        return int(words)
    return {"no": 0, "none": 0, "nothing": 0, "zero": 0, "single": 1, "one": 1, "both": 2}.get(words, one_word(words))


def _ways(answer: str) -> tuple[set[int], set[int]]:
    """The counts that an answer states in figures and words, and those of its items, lines and files."""
    plain = _PLACE.sub(" ", _ITEM.sub("", answer))
    words = [word for word in _WORD.findall(plain.lower()) if len(word) < LONGEST]
    figures = {int(word) if word.isdigit() else one_word(word) for word in words} - {None}
    lines = [line for line in answer.splitlines() if line.strip()]
    groups = [len(_ITEM.findall(block)) for block in re.split(r"\n\s*\n|\n(?=\S[^\n]*:\n)", answer)]
    files = {path.rpartition("/")[2] for path in _FILE.findall(answer)}
    prefixes = {line.partition(":")[0] for line in lines}
    return {figure for figure in figures if figure is not None}, {len(lines), len(_ITEM.findall(answer)), len(files), len(prefixes), *groups}  # fmt: skip


def _brief(answer: str) -> str:
    return " ".join(answer.split())[:60]
