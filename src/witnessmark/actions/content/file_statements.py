"""What a report says about files as a whole by what they hold: documents that tell something now, files put back, kinds of files left alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.content.passages import ReportPassage, names_in, paths_in, without_code
from witnessmark.actions.content.wording import clause_at, content_claim, found, is_barred, pattern
from witnessmark.actions.report.lexicon import PATTERNS, table


def left_alone(passage: ReportPassage) -> bool:
    """Whether a sentence says of its file that nothing was done to it, or not yet."""
    low = passage.sentence.low
    return is_barred(low) or PATTERNS.untouched.search(low) is not None


def under_file(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`**README.md**` and under it what was done there: the first item that does not say otherwise."""
    if not left_alone(passage):
        yield passage.sentence.claim("file_edit", path=passage.under_file)


def documents_told(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`the README explains it`, `documented in README.md`, `[x] README`: what a document is said to tell now."""
    low = passage.sentence.low
    match = pattern("documents", "document").search(low)
    if match is None:
        return
    clause = clause_at(low, match.start(), match.end())
    lead = low[: match.start()].strip(" *`")
    headed = passage.item and not lead
    if headed or re.fullmatch(
        r"(?:docs?|documentation|doku|dokumentation)\W*(?:the |die |der |le |el )?", f"{lead.strip(' :–—-*')} "
    ):
        clause = low
    told = pattern("documents", "document").sub(" ", clause)
    if (
        is_barred(told)
        or PATTERNS.untouched.search(told)
        or re.search(r"\bneeds? no (?:change|update)", low)
        or re.search(
            r"\bfrom |\bas (?:described|documented|said)|\bsee\b|\bper\b|\b(?:only|merely|nur|seulement|solo) \w+",
            told,
        )
    ):
        return
    rest = low[match.end() :].strip(" *`.")
    object_ = pattern("documents", "object").search(told) or pattern("documents", "tells_now").search(told)
    states = pattern("documents", "states").search(told) and object_
    sure = pattern("documents", "done").search(told) or (states and pattern("documents", "now").search(told))
    ticked = headed and passage.ticked and not rest
    if sure or ticked or states:
        name = None if sure or ticked else "\n".join(passage.names) or "\n"
        role = "document" if name or pattern("documents", "changed").search(told) else "tells"
        yield content_claim(passage, role, value=match.group().strip("`"), path=None, name=name)


def taken_back(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`I put x back as it was`: one file that is said to be as it was."""
    low = passage.sentence.low
    own = paths_in(passage.sentence.text)
    told = without_code(low)
    parts = [name for name in names_in(passage.sentence.text) if name not in own]
    if (
        len(own) != 1 or parts or is_barred(told)
    ):  # of a part of the file, such as a function, nothing is said of the rest
        return
    if pattern("mood", "back").search(told) or (
        pattern("reverts", "file").search(told) and not pattern("reverts", "behaves").search(told)
    ):
        yield passage.sentence.claim("reverted", path=own[0])


def denied(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`no PHP source was modified`, `a pure configuration change`: a kind of files that was left alone, or the only one changed."""
    low = without_code(passage.sentence.low)
    if re.search(
        r"\b(?:if|would|should|could|may|might|can|will|falls|wenn|si|except|apart from|besides|außer|sauf|salvo)\b",
        low,
    ):
        return
    kinds = table("content")["kinds"]
    for way, role, known in (("none", "kind", kinds["endings"]), ("confined", "confined", kinds["only"])):
        match = found("kinds", way, low)
        if match is not None:
            word = next(filter(None, match.groups()))
            yield passage.sentence.claim("untouched", role=role, value=known[word])
