"""Literals that a report says are there now, or were run or printed, and that nothing in the whole session has.

`It reads CACHE_TTL`, `created with CREATE INDEX CONCURRENTLY`, `the default is now 25`, `from 47 % to 94 %`: whatever the verb is, words in code and figures come from
somewhere. What a call was given, what it printed, and what the files hold are looked through, without case and signs; what the person asked for is no evidence that
it was done. Says nothing where a part of the session cannot be seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.ruling import Ruling, contradicted, supported, unverifiable
from witnessmark.actions.content.evidence import evidence_of
from witnessmark.actions.content.passages import CODE, ReportPassage, passages
from witnessmark.actions.content.values import forms
from witnessmark.actions.content.wording import clause_at, content_claim, is_barred, pattern
from witnessmark.actions.report.names import path_kind
from witnessmark.actions.trace.calls import output_of
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.view import TreeView

ROLE = "unseen"
LEAST = 4
"""A shorter literal may stand for anything."""
MAX_CLAIMS = 20
MAX_SESSION = 4_000_000
"""So many characters of a session are looked through; a longer one is not known to lack anything."""
CUT = re.compile(
    r"\b(?:truncated|left out|omitted|elided)\b|\bcharacters\b|\bmore lines\b|\[\.\.\.|…\s*$",
    re.IGNORECASE | re.MULTILINE,
)


def told_of_nothing(report: str, trace: TraceIndex) -> list[ActionClaim]:
    """A claim for each literal of which a report tells as done, and that no call of the session has."""
    if not trace.whole or not trace.ledger.active or ("`" not in report and not re.search(r"\d\d|\d[.%]", report)):
        return []
    shown = [output_of(call) for call in trace.ledger.calls]
    given = [text for call in trace.ledger.calls for text in _texts(call.input)]
    if sum(map(len, (*shown, *given))) > MAX_SESSION or any(CUT.search(text) for text in shown):
        return []
    session, printed = "\n".join((*shown, *given)), "\n".join(shown)
    bare = _bare(session)
    found: dict[str, ActionClaim] = {}
    for passage, literal, before in _literals(report):
        if before and not _has(before, printed, ""):
            continue  # measured where nobody saw it
        if re.search(r"\s-", literal) and trace.lines_with(literal.split()[0]):
            continue  # a command that was run: `told_commands` looks at its options
        if literal not in found and not _has(literal, session, bare) and len(found) < MAX_CLAIMS:
            found[literal] = content_claim(passage, ROLE, value=literal, path=None)
    return list(found.values())


def rule(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Such a claim against the files: one that has the literal bears it out, and where all were looked at, none makes it untrue."""
    literal = claim.value or ""
    if scene is None or trace is None:
        return unverifiable("there is no tree to look at", there="not looked at")
    known = evidence_of(scene, trace)
    for path in scene.paths():
        text = known.now(path)
        if text is not None and (_has(literal, text, _bare(text)) or _has(literal, path, _bare(path))):
            return supported("a file has it", path)
    old = "\n".join(text.old for text in known.changed.values())
    if not known.all_seen or not known.whole or _has(literal, old, _bare(old)):
        return unverifiable("not every text of the session is known", there="not known")
    return contradicted("contradicted_claim", f"nothing that was written, run or printed has `{literal}`", "nowhere")


def _texts(value: Any) -> Iterator[str]:
    """Every text in what a call was given."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, int | float):
        yield str(value)


def _bare(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())


def _has(literal: str, text: str, bare: str) -> bool:
    """Whether a text has a literal: code without case and signs, a figure as files and programs may write it."""
    if literal[0].isdigit() and re.fullmatch(r"[\d.,]+ ?(?:%|[a-z]{0,3})", literal):
        return any(re.search(rf"(?<![\d.]){re.escape(form)}(?!\d)", text) for form in forms(literal)) or _rounded(
            literal, text
        )
    if _bare(literal) in bare:
        return True
    if re.fullmatch(r"[\w$]+(?:(?:\.|::|#|->)[\w$]+)+(?:\(\))?", literal):  # a name with what it hangs on
        return _bare(re.findall(r"\w+", literal)[-1]) in bare
    parts = [_bare(part) for part in re.split(r"\s+|(?<=\w)[=:.(/](?=\w)", literal)]
    return len(parts) > 1 and any(all(part in _bare(line) for part in parts if part) for line in text.split("\n"))


def _rounded(figure: str, text: str) -> bool:
    """Whether a text has a figure that rounds, or is cut off, to this one."""
    told = re.match(r"\d+(?:\.(\d+))?", figure.replace(",", ""))
    if told is None:
        return False
    step = 10.0 ** -len(told[1] or "")
    printed = (float(number) for number in re.findall(r"(?<![\w.])\d+\.\d+", text))
    return any(abs(value - float(told[0])) < step for value in printed)


def _literals(report: str) -> Iterator[tuple[ReportPassage, str, str]]:
    """The literals of a report that it tells of as done or there now, a figure with the one that it is said to have been."""
    for passage in passages(report):
        low, text = passage.sentence.low, passage.sentence.text
        if passage.cells or len(low) != len(text):
            continue
        for code in CODE.finditer(text):
            clause = clause_at(low, code.start(), code.end())
            if _told(passage, clause) and _is_literal(code[1]):
                yield passage, code[1], ""
        for number in pattern("unseen", "figure").finditer(low):
            clause = clause_at(low, number.start(), number.end())
            if not is_barred(clause) and not pattern("unseen", "worked_out").search(clause):
                yield passage, number["set"] or number["new"] or number["new2"], number["old"] or number["old2"] or ""


def _told(passage: ReportPassage, clause: str) -> bool:
    plain = re.sub(r"`[^`]*`", " x ", clause)
    if is_barred(clause) or pattern("unseen", "mentioned").search(plain):
        return False
    told = f"{plain} {passage.over}" if passage.item else plain
    return passage.ticked or pattern("unseen", "cue").search(told) is not None


def _is_literal(code: str) -> bool:
    """Whether a span in code must be written somewhere as it is: no file, no branch, no pattern, no error that a language raises by itself."""
    if (
        path_kind(code, in_code=True) == "path"
        or re.fullmatch(r"\S*/\S*|\w*(?:Error|Exception)", code)
        or re.search(r"[*<>…{]|\(.*\.\.\.|\bfoo\b|\bexample\b(?!\.)|\.\w+:\d", code)
    ):
        return False
    return len(_bare(code)) >= LEAST
