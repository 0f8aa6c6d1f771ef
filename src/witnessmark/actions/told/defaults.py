"""Defaults that a report tells of a name, against the one value that the files declare it with."""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claims.claim import ActionClaim, Ruling, contradicted, unverifiable
from witnessmark.actions.claims.observations import sentences_of
from witnessmark.actions.content.evidence import evidence_of
from witnessmark.actions.content.passages import clause_at, content_claim, is_barred, pattern
from witnessmark.actions.content.values import forms
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.view import TreeView
from witnessmark.text.patterns import compiled

DEFAULT = "told_default"
_LITERAL = r"(?P<value>-?\d[\w.]*|true|false|none|null|nil|\"[^\"\n]{0,60}\"|'[^'\n]{0,60}')"
_DECLARED = (
    r"(?<![\w.-])[\"']?NAME[\"']?\s*(?::\s*[\w.\[\]<>|? ]{1,40}?)?\s*(?:=|:|=>|,\s*default\s*[=:])\s*" + _LITERAL
)
_BY_DEFAULT = compiled(r",? by default\b")
LEAST = 3


def defaults_told(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each default that a sentence tells of a name in code: `x` defaults to 5, the default of `x` is 5, `x` (default 5)."""
    if not trace.ledger.changed:
        return
    for passage in sentences_of(report):
        low = passage.sentence.low
        for match in pattern("defaults", "told").finditer(low):
            name, value = (next(filter(None, (match[f"{key}{n}"] for n in (1, 2, 3)))) for key in ("name", "value"))
            clause = _BY_DEFAULT.sub("", clause_at(low[: match.end()], match.start(), match.end()))
            if len(name) >= LEAST and not is_barred(clause) and not pattern("defaults", "other").search(clause):
                yield content_claim(passage, DEFAULT, name=name.lstrip("-"), value=value.strip("`\"'"), path=None)


def rule_default(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Such a claim: untrue where every declaration of the name in the tree has one and the same other value, and nothing tells the one that is told."""
    open_ = unverifiable("the texts do not settle it", there="not known")
    if scene is None or trace is None:
        return open_
    known = evidence_of(scene, trace)
    if not known.whole or not known.all_seen or trace.session_texts().cut:
        return open_
    name, told = claim.name or "", (claim.value or "").lower()
    declared = re.compile(_DECLARED.replace("NAME", re.escape(name)), re.IGNORECASE)
    held = {match["value"].strip("\"'").lower() for text in known.changed.values() for match in declared.finditer(text.new)}  # fmt: skip
    if len(held) != 1 or told in held or not _same_kind(told, next(iter(held))) or not {*forms(told)}.isdisjoint(held):
        return open_
    beside = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)[^\n]*(?<![\w.]){re.escape(told)}(?![\w])", re.IGNORECASE)
    texts = (trace.session_texts().everything, *(f"{text.old}\n{text.new}" for text in known.files()))
    if any(map(beside.search, texts)):
        return open_
    there = f"{name} = {next(iter(held))}"
    return contradicted("contradicted_claim", f"it is declared as `{there}`", there)


def _same_kind(one: str, other: str) -> bool:
    """Whether both are numbers or both are words: a number may be told of a name that stands for something else."""
    return one[:1].isdigit() == other[:1].isdigit()
