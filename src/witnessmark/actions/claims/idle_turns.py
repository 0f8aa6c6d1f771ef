"""What is told in a turn that changed and ran nothing: a review, an answer or history, unless the words say that the writer did it."""

from __future__ import annotations

from witnessmark.actions.claim import ActionClaim, Ruling, unverifiable
from witnessmark.actions.claims.wordings import says, source
from witnessmark.actions.report.lexicon import VERBS, WORDS
from witnessmark.actions.report.report import Report
from witnessmark.text.patterns import compiled

_FIRST_WORD = compiled(rf"\W*(?:\d+[.)]\W*)?(?:(?:{source('runs', 'leads_in')})\W+)*([a-z-]+)")
_UNSEEN = frozenset({"not_in_trace", "file_not_found", "filesystem_mismatch"})
"""Rulings by what is missing: what the turn printed or holds otherwise stays refuted."""
_CHECKS = ("tests_passed", "check_passed", "command")


def of_others(claim: ActionClaim, ruling: Ruling, report: Report) -> Ruling:
    """The ruling on a claim of such a turn: open where a deed is not told as the writer's own, or a result as seen elsewhere."""
    if claim.by != "report" or not ruling.wrong or ruling.category not in _UNSEEN:
        return ruling
    if claim.kind in _CHECKS:
        open_ = says("runs", "elsewhere", report.part_of(claim, "stop"))
    else:
        open_ = not _own(report.part_of(claim))
    return unverifiable("this turn did nothing, and the words may tell of others' work", there=ruling.there) if open_ else ruling  # fmt: skip


def _own(said: str) -> bool:
    """Whether a sentence says that its writer did it: `I deleted …`, `Deleted …`; not `… was deleted`, `Bob deleted …`."""
    first = _FIRST_WORD.match(said.lower())
    word = first[1] if first is not None else ""
    done = word in VERBS and VERBS[word][1] == "past"
    return done or word in WORDS.other_work or says("runs", "writer", said)
