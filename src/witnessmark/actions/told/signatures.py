"""Functions that are told to be called as before, against how they are declared now: another list of parameters, or one more that must be given."""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claims.claim import ActionClaim, Ruling, contradicted, unverifiable
from witnessmark.actions.content.evidence import evidence_of, lost_lines
from witnessmark.actions.content.passages import names_in, pattern
from witnessmark.actions.report.layout import sentences
from witnessmark.actions.trace.changes import is_code, is_test
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.texts import TextChange
from witnessmark.actions.tree.view import TreeView
from witnessmark.text.patterns import compiled

SAME_SIGNATURE, SAME_CALLS = "told_same_signature", "told_same_calls"
_DECLARED = r"(?:\b(?:def|fn|func|fun|function|sub|proc)\s+(?:\([^()]{{0,80}}\)\s*)?|\b(?:public|private|protected|internal|static|async|virtual|override|final|export|abstract|void)\s[\w\s<>\[\],?:.*&]{{0,120}}?\b){name}\s*(?:<[^<>()]{{0,80}}>|\[[^\[\]()]{{0,80}}\])?\s*\(([^()]{{0,600}})\)"
_ANY_NAME = compiled(_DECLARED.format(name=r"(\w+)"))
_OPTIONAL = compiled(r"=|\?\s*(?::|$)|\?\w|\*|\.\.\.|^\s*(?:self|cls|this|/)\s*$|^\s*&(?:mut )?self\s*$|\bparams\b")
"""A parameter that need not be given, or is never given by a caller."""


def called_as_before(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each sentence that tells that a signature is as it was, or that a change breaks no caller."""
    before = "\n".join(change.old or "" for change in trace.ledger.changes if change.is_code)
    if not trace.ledger.changed or "(" not in before:
        return
    for sentence in sentences(report):
        low = sentence.low
        if sentence.silent or low.endswith("?"):
            continue
        for role, key in ((SAME_SIGNATURE, "same"), (SAME_CALLS, "not_breaking")):
            match = pattern("signatures", key).search(low)
            if match is not None and not pattern("signatures", "supposed").search(low[: match.start()]):
                own = [name.rpartition(".")[2] for name in names_in(sentence.text)]
                yield sentence.claim("content", role=role, value=match.group(), name="\n".join(own) or None)
                break


def rule_signature(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Such a claim against the texts: untrue where a function that it can mean is nowhere declared so that it can be called as before."""
    open_ = unverifiable("the texts do not settle it", there="not known")
    known = evidence_of(scene, trace) if scene is not None else None
    if known is None or not known.whole or not known.knows_old:
        return open_
    texts = [text for path, text in known.changed.items() if is_code(path) and not is_test(path) and text.old]
    named = claim.names or tuple(name for text in texts for name in _declared_before(text))
    if not claim.names and (claim.role == SAME_SIGNATURE or len(set(named)) != 1):
        return open_  # of which function it is told is not known
    for name in named:
        for text in texts:
            old, new = _parameters(name, text.old), _parameters(name, text.new)
            broken = _differ(old, new) if claim.role == SAME_SIGNATURE else _asks_more(old, new)
            if broken:
                there = f"{name}({new[0].strip()})"[:80]
                return contradicted("contradicted_claim", f"`{name}({old[0].strip()})` is now `{there}`", there)
    return open_


def _declared_before(text: TextChange) -> list[str]:
    """The functions whose declarations the changes took away."""
    return [match[1] for line in lost_lines(text) for match in _ANY_NAME.finditer(line)]


def _parameters(name: str, text: str) -> list[str]:
    """The lists of parameters that a function of this name is declared with."""
    return re.findall(_DECLARED.format(name=re.escape(name)), text) if name in text else []


def _differ(old: list[str], new: list[str]) -> bool:
    plain = [{re.sub(r"\s+", "", each).rstrip(",") for each in lists} for lists in (old, new)]
    return bool(old and new) and plain[0].isdisjoint(plain[1])


def _asks_more(old: list[str], new: list[str]) -> bool:
    """Whether every declaration asks for more parameters than any had before."""
    most = max((len(_split(each)) for each in old), default=0)
    return bool(old and new) and all(sum(not _OPTIONAL.search(one) for one in _split(each)) > most for each in new)


def _split(parameters: str) -> list[str]:
    flat = re.sub(r"<[^<>]*>|\[[^\[\]]*\]|\{[^{}]*\}", "", parameters)
    return [one for one in flat.split(",") if one.strip()]
