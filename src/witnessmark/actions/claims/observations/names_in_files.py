"""Names that are told to have been added to several files, of which one got them and another did not: `added retry and close to both es.json and it.json`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.observations.report_sentences import sentences_of
from witnessmark.actions.claims.ruling import Ruling, contradicted, unverifiable
from witnessmark.actions.content.evidence import evidence_of
from witnessmark.actions.content.passages import CODE, names_in, paths_in
from witnessmark.actions.content.wording import content_claim, pattern
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.view import TreeView

ROLE = "in_each"
LEAST = 3
"""A shorter name may stand anywhere."""


def told_of_each(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each name that a sentence says was added to each of several files."""
    if "`" not in report or not trace.ledger.changes:
        return
    for passage in sentences_of(report):
        text, plain = passage.sentence.text, CODE.sub(" x ", passage.sentence.low)
        if passage.cells or pattern("each_file", "not_so").search(plain):
            continue
        match = pattern("each_file", "added").search(passage.sentence.low)
        files = paths_in(text[match.start("files") : match.end("files")]) if match else ()
        names = names_in(text[match.start("names") : match.end("names")]) if match else ()
        for name in names if len(files) > 1 else ():
            if len(name) >= LEAST:
                yield content_claim(passage, ROLE, value=name, name="\n".join(files), path=None)


def rule(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Such a name against the files: one has got it, and another has it nowhere."""
    if scene is None:
        return unverifiable("there is no tree to look at", there="not looked at")
    known, name = evidence_of(scene, trace), claim.value or ""
    texts = [known.called(path) for path in (claim.name or "").split("\n")]
    if not known.whole or any(len(found) != 1 for found in texts):
        return unverifiable("not every text is known", there="not known")
    lacking = [text for (text,) in texts if _bare(name) not in _bare(text.new)]
    got = [text for (text,) in texts if text.new.count(name) > text.old.count(name)]
    if (
        lacking and got and _ending(lacking[0].path) == _ending(got[0].path)
    ):  # another kind of file may say it otherwise
        return contradicted(
            "contradicted_claim", f"{got[0].path} has `{name}`, and {lacking[0].path} has not", "not there"
        )
    return unverifiable("the texts do not settle it", there="not known")


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())


def _ending(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[2].lower()
