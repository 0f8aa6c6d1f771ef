"""Code that a report quotes as it is now, against the lines that the session wrote: the same but for one word is another code.

`raise KeyError("closed")` where the only such line has `raise ValueError("closed")`; `timeout = 60` where it has `timeout = 30`. Only a
called name and a given value are compared, since an argument may be an example; what stands anywhere in the session or in a file is let be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from witnessmark.actions.claims.claim import ActionClaim, Ruling, contradicted, unverifiable
from witnessmark.actions.claims.observations import sentences_of
from witnessmark.actions.content.evidence import TextEvidence, added_lines, evidence_of
from witnessmark.actions.content.passages import (
    CODE,
    clause_at,
    content_claim,
    is_barred,
    paths_in,
    pattern,
    without_code,
)
from witnessmark.actions.report.names import looks_like_command
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.view import TreeView
from witnessmark.text.patterns import compiled

QUOTED = "quoted_code"
_TOKEN = compiled(r"\w+(?:\.\w+)*|[^\w\s]")
_SIGNS = compiled(r"[\"'`]")
_GIVES = frozenset({"=", ":", "@", "=>", "<", ">"})
"""Signs behind which a value stands."""
_ASSIGNS = compiled(r"[A-Za-z_]\w*(?:\s*=|:\s)\s*\S\S")
"""A name that is given a value of more than one sign; `node:18` is none."""
_GIVEN = compiled(r"[A-Za-z_]\w\w[\w.]* [=:] ")
_BECAME = compiled(r"\s*(?:→|->|=>|(?:to|with|by) `)")
"""Behind what was there before."""
LEAST_TOKENS, MOST_TOKENS = 3, 40
MAX_QUOTED = 100


def quoted_otherwise(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each piece of code of more than a name that a sentence tells of as it is, and that no call of the session has."""
    if "`" not in report or not trace.ledger.changed:
        return
    written = list(dict.fromkeys(line for change in trace.ledger.changes for line in (change.new or "").splitlines()))
    looked = 0
    for passage in sentences_of(report):
        for code in CODE.finditer(passage.sentence.text):
            tokens = _tokens(code[1])
            if not LEAST_TOKENS <= len(tokens) <= MOST_TOKENS or not _tells(passage.sentence.low, code):
                continue
            looked += 1
            if looked > MAX_QUOTED:
                return
            if next(_near(tokens, written), None) is None:
                continue
            yield content_claim(passage, QUOTED, value=code[1], path=None)


def _tells(low: str, code: re.Match[str]) -> bool:
    """Whether a sentence tells of code as it is now: no advice, no example, nothing that was or might be."""
    if paths_in(code.group()) or (" " in code[1] and looks_like_command(code[1])) or re.search(r"\.\.\.|…|[<{]\w+[>}]", code[1]):  # fmt: skip
        return False
    if _BECAME.match(low, code.end()):
        return False
    clause = clause_at(low, code.start(), code.end())
    before = clause[: clause.rfind(code.group().lower())]
    return not is_barred(clause) and pattern("quoted", "other").search(without_code(before)) is None


def _tokens(code: str) -> list[str]:
    return _TOKEN.findall(_SIGNS.sub("'", code))


def rule_quoted(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Such a claim against the texts: untrue where a line that was written has it but for one name or value, and nothing has it as it is told."""
    open_ = unverifiable("the texts do not settle it", there="not known")
    if scene is None or trace is None:
        return open_
    known = evidence_of(scene, trace)
    if not known.whole or not known.knows_old or not known.changed or not trace.session_texts().complete:
        return open_
    told = _tokens(claim.value or "")
    near = next(_near(told, [line for text in known.changed.values() for line in added_lines(text)]), None)
    if near is None:
        return open_
    line, word, other = near
    alone = _ASSIGNS.match(claim.value or "") is not None and _assigned_once(told, known)
    changed = [f"{text.old}\n{text.new}" for text in known.changed.values()]
    if (not alone and any(_has(word, text) for text in changed)) or _has_all(told, trace.session_texts().everything):  # fmt: skip
        return open_
    if any(_has_all(told, text.new) for text in known.files()):
        return open_
    return contradicted("contradicted_claim", f"what was written has `{other}` there, and nothing has `{word}`", line.strip()[:80])  # fmt: skip


def _near(told: Sequence[str], lines: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """The lines that have the same tokens but for a called name or a given value, with the word that is told and the one that is there."""
    words = sorted((token for token in told if token[:1].isalnum()), key=len)[-2:]
    for line in lines:
        if not any(word in line for word in words):
            continue  # one word differs, so one of any two is there
        there = _tokens(line)
        for at in range(len(there) - len(told) + 1):
            window = there[at : at + len(told)]
            differ = [number for number, (one, other) in enumerate(zip(told, window, strict=True)) if one != other]
            if len(differ) == 1 and _counts(told, window, differ[0]):
                yield line, told[differ[0]], window[differ[0]]
            elif len(differ) > 1 and _GIVEN.match(" ".join(told)) and differ[0] > 1 and all(_is_value(told, number) for number in differ):  # fmt: skip
                yield line, " ".join(told[differ[0] :]), " ".join(window[differ[0] :])


def _assigned_once(told: Sequence[str], known: TextEvidence) -> bool:
    """Whether the quoted code gives a name a value, and the tree gives it one in a single place."""
    if len(told) < LEAST_TOKENS or told[1] not in ("=", ":") or not re.match(r"[A-Za-z_]\w\w", told[0]):
        return False
    given = re.compile(rf"(?<![\w.-])[\"']?{re.escape(told[0])}[\"']?\s*{re.escape(told[1])}(?![=:])")
    return known.all_seen and sum(len(given.findall(text.new)) for text in known.files()) == 1


def _counts(told: Sequence[str], window: Sequence[str], at: int) -> bool:
    """Whether the differing word is a name that is called with the same arguments, or the value of the same name."""
    one, other = told[at], window[at]
    if not (re.match(r"\w", one) and re.match(r"\w", other)) or one.rpartition(".")[2] == other.rpartition(".")[2]:
        return False  # the same name, whatever it hangs on
    types = one[:1].isupper() and other[:1].isupper()  # of functions, another may well be called with the same argument
    called = told[at + 1 : at + 2] == ["("] and any(len(word) > (2 if types else 3) for word in told[at + 2 :])
    return called or _is_value(told, at)


def _is_value(told: Sequence[str], at: int) -> bool:
    """Whether a word is a part of the value of a name: behind a sign that gives one, with nothing between that ends it."""
    sign = max((number for number in range(1, at) if told[number] in _GIVES), default=0)
    between = told[sign + 1 : at]
    return sign > 0 and re.match(r"[A-Za-z_]\w\w", told[sign - 1]) is not None and not {"(", ",", ";", " "} & {*between}


def _has(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _has_all(told: Sequence[str], text: str) -> bool:
    """Whether a text has these tokens one after the other, whatever space stands between them."""
    if not all(token in _SIGNS.sub("'", text) for token in told):
        return False
    return re.search(r"\s*".join(map(re.escape, told)), _SIGNS.sub("'", text)) is not None
