"""What is told of every place that has something in code, where a line with it still stands as the changed ones stood before."""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claims.claim import ActionClaim, Ruling, contradicted, unverifiable
from witnessmark.actions.claims.observations import sentences_of
from witnessmark.actions.content.evidence import TextEvidence, added_lines, evidence_of, lost_lines
from witnessmark.actions.content.passages import content_claim, found, is_barred, pattern
from witnessmark.actions.trace.changes import ending, is_test
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.texts import TextChange
from witnessmark.actions.tree.view import TreeView
from witnessmark.text.patterns import compiled

ALL_OF = "told_all_of"
_COMMENT = compiled(r"\s*(?:#|//|/?\*|--|;|<!--|import\b|from\b|use\b|using\b|def\b|func\b|fn\b|function\b)")
_NAME = compiled(r"\"[^\"\n]*\"|'[^'\n]*'|[A-Za-z_][\w-]*|\d+")
LEAST = 3


def told_of_all(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each sentence that tells what is so now of every `x`, in the file that it names or everywhere."""
    if not trace.ledger.changed:
        return
    for passage in sentences_of(report):
        low = passage.sentence.low
        match = found("all_of", "told", low)
        if match is None or is_barred(low):
            continue
        start, end = match.span("name" if match["name"] else "name2")
        name = passage.sentence.text[start:end].removesuffix("()")
        if pattern("all_of", "other").search(f"{low[:start]} {low[end + 1 :]}"):
            continue
        if len(name) >= LEAST and name not in passage.paths:
            path = passage.paths[0] if len(passage.paths) == 1 else None
            yield content_claim(passage, ALL_OF, value=name, path=path)


def rule_all(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Such a claim: untrue where lines with the name were changed, and one like them, as they were, is there still."""
    open_ = unverifiable("the texts do not settle it", there="not known")
    known = evidence_of(scene, trace) if scene is not None else None
    if known is None or not known.whole or not known.knows_old or not known.all_seen:
        return open_
    name = claim.value or ""
    has = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-])")
    lost = [line for text in known.changed.values() for line in lost_lines(text) if has.search(line)]
    added = [line for text in known.changed.values() for line in added_lines(text) if has.search(line)]
    forms = {_form(line, name) for line in lost}
    for text in _meant(claim.path, known):
        new = {line.strip() for line in added_lines(text)}
        for line in text.new.splitlines():
            left = has.search(line) is not None and line.strip() not in new and not _COMMENT.match(line)
            if left and (_form(line, name) in forms or (lost and not added and _begins(line, name) in {_begins(one, name) for one in lost})):  # fmt: skip
                return contradicted("contradicted_claim", f"{text.path} still has `{line.strip()[:60]}`", line.strip()[:80])  # fmt: skip
    return open_


def _meant(path: str | None, known: TextEvidence) -> list[TextChange]:
    """The file that is named; else those of the same kinds as the changed ones, tests apart."""
    if path:
        return known.called(path)
    kinds = {ending(changed) for changed in known.changed}
    return [text for text in known.files() if ending(text.path) in kinds and not is_test(text.path)]


def _form(line: str, name: str) -> str:
    """A line without its other names, texts and figures."""
    return " ".join(name if name in part else _NAME.sub("x", part) for part in re.split(rf"({re.escape(name)})", line.strip()))  # fmt: skip


def _begins(line: str, name: str) -> str:
    """What stands behind a name: it is called, given a value, or something else."""
    behind = line.partition(name)[2].lstrip()
    return behind[:1] if behind[:1] in ("(", "=", ":", ".", "[") else ""
