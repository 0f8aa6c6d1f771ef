"""Names that are told to have been added to several files, of which one got them and another did not: `added retry and close to both es.json and it.json`."""

from __future__ import annotations

from collections.abc import Iterator

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.observations.report_sentences import by_texts, letters, sentences_of
from witnessmark.actions.content.evidence import TextEvidence
from witnessmark.actions.content.passages import names_in, paths_in, without_code
from witnessmark.actions.content.wording import content_claim, pattern
from witnessmark.actions.trace.changes import ending
from witnessmark.actions.trace.index import TraceIndex

ROLE = "in_each"
LEAST = 3
"""A shorter name may stand anywhere."""


def told_of_each(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each name that a sentence says was added to each of several files."""
    if "`" not in report or not trace.ledger.changes:
        return
    for passage in sentences_of(report):
        text, plain = passage.sentence.text, without_code(passage.sentence.low)
        if passage.cells or pattern("each_file", "not_so").search(plain):
            continue
        match = pattern("each_file", "added").search(passage.sentence.low)
        files = paths_in(text[match.start("files") : match.end("files")]) if match else ()
        names = names_in(text[match.start("names") : match.end("names")]) if match else ()
        for name in names if len(files) > 1 else ():
            if len(name) >= LEAST:
                yield content_claim(passage, ROLE, value=name, name="\n".join(files), path=None)


def _lacking(claim: ActionClaim, known: TextEvidence) -> str:
    """Such a name against the files: one has got it, and another has it nowhere."""
    name, texts = claim.value or "", [known.called(path) for path in claim.names]
    if any(len(found) != 1 for found in texts):
        return ""
    lacking = [text for (text,) in texts if letters(name) not in letters(text.new)]
    got = [text for (text,) in texts if text.new.count(name) > text.old.count(name)]
    # Another kind of file may say it otherwise.
    same = bool(lacking and got) and ending(lacking[0].path) == ending(got[0].path)
    return f"{got[0].path} has `{name}`, and {lacking[0].path} has not" if same else ""


RULES = by_texts({ROLE: _lacking})
