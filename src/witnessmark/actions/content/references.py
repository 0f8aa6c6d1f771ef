"""Names that a report says one file has, against the code that is there: untrue only of a file that was read whole and has no such name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claim import ActionClaim, Ruling, contradicted, supported
from witnessmark.actions.content.evidence import TextEvidence
from witnessmark.actions.content.patterns import clause_at, content_claim, first_match, is_barred, pattern
from witnessmark.actions.report.names import path_kind
from witnessmark.actions.report.passages import ReportPassage
from witnessmark.actions.report.report import Report
from witnessmark.actions.trace.changes import is_code
from witnessmark.text.patterns import compiled

LEAST = 4
"""A shorter name may be anybody's."""
_NAME = compiled(r"[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*")
_BRINGS_ALL = compiled(
    r"export \*|import \*|\binclude\b|#include|macro|globals\(\)|setattr|define_method|codegen|generated"
)
"""What gives a file names that are not written in it."""


def in_file_told(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`x now lives in a.py`, `a.py exports x`: a name in code, and the file of code that is told to have it."""
    low, text = passage.sentence.low, passage.sentence.text
    if len(low) != len(text) or not first_match("names", "in_file", low):
        return
    for match in pattern("names", "in_file").finditer(low):
        told = {key.rstrip("0123456789"): text[slice(*match.span(key))].strip("`") for key, value in match.groupdict().items() if value}  # fmt: skip
        name, path = told["name"].partition("(")[0], told["path"]
        if _NAME.fullmatch(name) and path_kind(path, in_code=True) == "path" and path_kind(told["name"], in_code=True) != "path":  # fmt: skip
            if is_code(path) and len(name) >= LEAST and not is_barred(clause_at(low, match.start(), match.end())):
                yield content_claim(passage, "in_file", value=name, path=path)


_PHRASE = compiled(r"[A-Za-z_][\w$]*(?: [\w$-]+){0,4}")


def in_same_told(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`dropped by a separate `DROP INDEX` in the same file`: a statement that a file is told to have, or the one that is spoken of."""
    low, text = passage.sentence.low, passage.sentence.text
    match = first_match("names", "in_same", low)
    if match is None or len(low) != len(text) or is_barred(clause_at(low, match.start(), match.end())):
        return
    name, path = (text[slice(*match.span(key))].strip("`") for key in ("name", "path"))
    if _PHRASE.fullmatch(name) and len(name) >= LEAST and path_kind(name, in_code=True) != "path":
        yield content_claim(passage, "in_file", value=name, path=path or None)


def rule_in_file(claim: ActionClaim, known: TextEvidence, report: Report) -> Ruling | None:
    """A file that is told to have a name, and has it in no spelling; one that brings in names unseen may have it so."""
    if claim.path is None:
        return _rule_anywhere(claim, known)
    texts = known.called(claim.path or "")
    wanted = re.split(r"\.|::", claim.value or "")[-1].replace("_", "").lower()
    if len(texts) != 1 or not texts[0].new:
        return None
    if wanted in texts[0].new.replace("_", "").lower():
        return supported("the file has it", texts[0].path)
    if not known.view.knows_before or _BRINGS_ALL.search(texts[0].new):
        return None  # without a snapshot nobody has looked at the whole tree
    return contradicted("contradicted_claim", f"{texts[0].path} has no `{claim.value}`", "not there")


def _rule_anywhere(claim: ActionClaim, known: TextEvidence) -> Ruling | None:
    """A statement that some changed file is told to have: untrue where no file has it, however it is written."""
    wanted = "".join((claim.value or "").split()).lower()
    if any(wanted in "".join(text.new.split()).lower() for text in known.files()):
        return supported("a file has it", claim.value or "")
    if not known.view.knows_before or not known.all_seen or any(_BRINGS_ALL.search(text.new) for text in known.changed.values()):  # fmt: skip
        return None
    return contradicted("contradicted_claim", f"no file has `{claim.value}`", "not there")
