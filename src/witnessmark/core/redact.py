"""Keeping content out of records: before a record is made, never after, so that its id covers what is kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from witnessmark.core import patterns
from witnessmark.core.errors import InputError
from witnessmark.core.graph import Graph
from witnessmark.core.protocols import DeclaringCheck
from witnessmark.core.run import RunResult
from witnessmark.core.values import Value, canonical, text_digest
from witnessmark.core.verdict import Claim, Finding, Result, WrongWords

REDACTED = "[redacted]"
JUDGED_KEYS = frozenset({"reasoning"})
"""Where a judge's own words stand in a check's details unless the check says otherwise."""
Redact = Callable[[str], str]


class Content(Value, frozen=True):
    """What of the judged text is kept: all of it, or only digests; and what is redacted first."""

    keep: Literal["full", "digest"] = "full"
    redact: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        for number, pattern in enumerate(self.redact):
            try:
                patterns.compiled(pattern)
            except InputError as exc:
                raise InputError(f"content.redact[{number}]: {exc}") from None


def redactor(content: Content) -> Redact | None:
    """What redacts the patterns, or None where there are none."""
    if not content.redact:
        return None
    compiled = [patterns.compiled(pattern) for pattern in content.redact]

    def redact(text: str) -> str:
        for pattern in compiled:
            text = pattern.sub(REDACTED, text)
        return text

    return redact


def redacted(ran: RunResult, content: Content, redact: Redact | None, graph: Graph) -> RunResult:
    """The run with quotes and claims left out or replaced, as the settings ask; of the graph's nodes are the results."""
    if content.keep == "full" and redact is None:
        return ran
    clean: Redact = redact or (lambda text: text)
    hide = content.keep == "digest"
    checks = (node.check for node in graph.nodes)
    keys = [check.judged_keys if isinstance(check, DeclaringCheck) else JUDGED_KEYS for check in checks]
    results = tuple(_result(result, clean, hide, theirs) for result, theirs in zip(ran.results, keys, strict=True))
    return RunResult(results, ran.usage, ran.seconds, {} if hide else {k: clean(v) for k, v in ran.tracebacks.items()})


def _result(result: Result, clean: Redact, hide: bool, judged_keys: frozenset[str]) -> Result:
    reason = clean(result.reason)
    left_out = judged_keys if hide and result.judge is not None else frozenset[str]()
    details = _words(result.details, clean, left_out) if result.details else result.details
    if hide and result.judge is not None and result.settled:
        reason = f"the judge's words were not stored (sha256 {text_digest(result.reason)[:12]})"
    if hide and result.status == "error":
        reason = re.sub(r"(\w+Error): .*", r"\1", reason, flags=re.DOTALL)
    return replace(
        result,
        reason=reason,
        details=details,
        findings=tuple(
            _finding(f, clean, hide, result.status == "error", judged=result.judge is not None) for f in result.findings
        ),
        claims=tuple(_claim(c, clean, hide) for c in result.claims),
    )


def _words(value: Any, clean: Redact, left_out: frozenset[str]) -> Any:
    """What a check added, with the same redactions and without these keys."""
    if isinstance(value, dict):
        return {clean(k): _words(v, clean, left_out) for k, v in value.items() if k not in left_out}
    if isinstance(value, list):
        return [_words(v, clean, left_out) for v in value]
    return clean(value) if isinstance(value, str) else value


def _finding(finding: Finding, clean: Redact, hide: bool, broken: bool, *, judged: bool) -> Finding:
    message = re.sub(r"(\w+Error): .*", r"\1", finding.message, flags=re.DOTALL) if hide and broken else finding.message
    theirs = hide and judged and finding.category != "policy"
    if theirs and (finding.quote is None or finding.judged):
        message = f"a judge found something; its words were not stored (sha256 {text_digest(message)[:12]})"
    return replace(
        finding,
        message=clean(message),
        suggestion=clean(finding.suggestion) if finding.suggestion and not theirs else None,
        quote=None if hide or finding.quote is None else clean(finding.quote),
        words=_wrong_words(finding.words, clean, hide),
    )


def _wrong_words(words: tuple[WrongWords, ...], clean: Redact, hide: bool) -> tuple[WrongWords, ...]:
    """Wrong words and the source's beside them, cleaned; none where content is kept out."""
    if hide:
        return ()
    return tuple(
        replace(one, text=clean(one.text), closest=one.closest and replace(one.closest, text=clean(one.closest.text)))
        for one in words
    )


def _claim(claim: Claim, clean: Redact, hide: bool) -> Claim:
    if hide:
        numbers = {key: value for key, value in claim.details.items() if isinstance(value, int | float)}
        return replace(claim, text=f"sha256:{text_digest(claim.text)}", reason="", details=numbers, words=())
    return replace(
        claim,
        text=clean(claim.text),
        reason=clean(claim.reason),
        details=_redact_value(claim.details, clean),
        words=_wrong_words(claim.words, clean, hide),
    )


def kept_case(body: bytes, content: Content, redact: Redact | None) -> tuple[bytes | None, bool]:
    """The case, given in canonical JSON, as it may be kept, and whether anything was replaced out of it."""
    if content.keep == "digest":
        return None, False
    if redact is None:
        return body, False
    given = msgspec.json.decode(body)
    replaced = canonical({k: v if k in NAMED else _redact_value(v, redact, _NAMES.get(k)) for k, v in given.items()})
    return replaced, replaced != body


def kept_graph(kept: msgspec.Raw, redact: Redact | None) -> msgspec.Raw:
    """The graph as a record may keep it: options and criteria in words come from the case."""
    if redact is None:
        return kept
    graph = msgspec.json.decode(kept)
    graph["nodes"] = [
        {k: _redact_value(v, redact) if k in ("options", "criterion") else v for k, v in node.items()}
        for node in graph["nodes"]
    ]
    return msgspec.Raw(canonical(graph))


NAMED = frozenset({"id", "checkpoint"})
_NAMES = {"subject": ("kind",), "evidence": ("id", "kind"), "criteria": ("id", "check", "kind"), "executor": ("id",)}
"""The fields of a case by which records find things: names, which stay as they are. What else stands anywhere is content."""


def _redact_value(value: Any, redact: Redact, names: tuple[str, ...] | None = None) -> Any:
    """The value with what is written in it redacted, keys too; `names` are those fields of a part of the case that stay."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        if names is not None:
            return {key: v if key in names else _redact_value(v, redact) for key, v in value.items()}
        return {redact(key): _redact_value(v, redact) for key, v in value.items()}
    return [_redact_value(v, redact, names) for v in value] if isinstance(value, list) else value
