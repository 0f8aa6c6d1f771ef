"""What a sentence says was seen, which cannot be seen without running something: in a browser, under a profiler, a test that failed first.

The words are data (`lang/runs.toml`, section `observed`). Nothing here looks at the world.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.report.lexicon import table
from witnessmark.actions.report.runs.checks import claim_of, found, pattern

if TYPE_CHECKING:
    from witnessmark.actions.report.language import Language
    from witnessmark.actions.report.sentences import Sentence

OBSERVED = ("served", "profiled", "measured", "red_first", "reproduced", "tested", "times", "retested")


def observed(sentence: Sentence, words: Language) -> Iterator[ActionClaim]:
    """A claim for each sort of observation that the sentence tells."""
    low = sentence.low
    for role in OBSERVED:
        match = found("observed", role, low)
        if match is None or sentence.others:
            continue
        begins = max(low.rfind(sign, 0, match.start() + 1) for sign in ";.—–") + 1
        if pattern("observed", "unsaid").search(low, begins, match.end()) is None or _only_within(low, match.span()):
            yield claim_of("check_passed", sentence, role=role, value=match.groupdict().get("times"))


def _only_within(low: str, span: tuple[int, int]) -> bool:
    """Whether the word that seems to deny it is a part of what was seen: `fails without the fix` is no denial."""
    denied = table("runs")["observed"]["within"]
    return pattern("observed", "unsaid").search(low[: span[0]] + _without(low[span[0] : span[1]], denied)) is None


def _without(text: str, words: str) -> str:
    for word in words.split("|"):
        text = text.replace(word, " ")
    return text
