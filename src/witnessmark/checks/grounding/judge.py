"""Asking a judge about the claims that rules left open, in one question. Its quotes are looked up: one that is not there supports nothing.

It takes nothing back either: what a judge holds against a claim stands without its quote, as doubt. A judge may take a claim apart:
a part must stand in the response, in the claim's own place, to be told by itself. A reply that is about other claims is no answer.
Its own numbers are kept as `reported` and `reported_grounded`; they give no claim a status. Knows no case and no policy.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from witnessmark.checks.grounding.evidence import Index
from witnessmark.checks.grounding.statement import Statement
from witnessmark.core.errors import JudgeReplyError, JudgesDisagreeError
from witnessmark.core.protocols import Judge, Question, Reply
from witnessmark.core.verdict import Finding, Independence, Usage
from witnessmark.judges.ask import ask_about
from witnessmark.text import quotes

STATUSES = ("supported", "partial", "unsupported", "contradicted")
_ASKED = ("supported", "partially_supported", "unsupported", "contradicted")
_TEXT = {"type": "string"}
_NUMBER = {"type": "integer"}


def _listed(**fields: Any) -> dict[str, Any]:
    return {"type": "array", "items": {"type": "object", "properties": fields, "required": list(fields)}}


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "claims": _listed(
            number=_NUMBER,
            claim=_TEXT,
            reasoning=_TEXT,
            status={"type": "string", "enum": list(_ASKED)},
            evidence=_TEXT,
        ),
        "suggested_corrections": _listed(number=_NUMBER, correction=_TEXT),
        "is_grounded": {"type": "boolean"},
        "overall_confidence": {"type": "number", "minimum": 0, "maximum": 1},
    },
    "required": ["claims", "suggested_corrections", "is_grounded", "overall_confidence"],
}
TOKENS_A_CLAIM = 200
REMARK_LENGTH = 500
MOSTLY = 0.6
"""The share of a claim that a judge's parts must cover to stand for it; with less, the worst of them stands for the whole."""
Open = tuple[int, Statement, str]
"""A claim that is open: its number, what it says and where, and the passages about it."""


@dataclass(frozen=True, slots=True)
class ClaimReply:
    """A judge's word on a claim, or on a part of it that was found in the response."""

    status: str
    part: Statement | None = None
    quoted: bool = True
    """Whether what it quotes is in the evidence, where its word needs a quote."""

    @property
    def against(self) -> bool:
        """Whether it withholds support from the claim, in whole or in part."""
        return self.status != "supported"


@dataclass(frozen=True, slots=True)
class Remark:
    """What a judge wrote beside a claim: why it stands as it does, how it would read if it held, and what it quotes."""

    reasoning: str = ""
    correction: str = ""
    quote: str = ""
    doubted: bool = False
    """Whether it says that the sources say otherwise, and what it quotes for that is not in them."""


@dataclass(frozen=True, slots=True)
class ClaimReplies:
    """What came of asking: who, under which prompt, at what cost, and what was left aside."""

    judge: str | None = None
    prompt: str | None = None
    usage: Usage | None = None
    reported: float | None = None
    reported_grounded: bool | None = None
    remarks: Mapping[str, Remark] = field(default_factory=dict)
    """By the words of the claim or part they are about."""
    not_found: int = 0
    dropped: int = 0
    not_in_response: int = 0
    note: str = ""
    independence: Independence = "unknown"
    choice: tuple[Finding, ...] = ()
    """What the record says about which judge was asked."""
    apart: frozenset[int] = frozenset()
    """The numbers of the claims that the judges of a panel see differently: those stay open."""


def worst(heard: Sequence[ClaimReply]) -> ClaimReply | None:
    """The word that speaks most against a claim; of two alike the one whose quote is there."""
    return max(heard, key=lambda word: (STATUSES.index(word.status), word.quoted), default=None)


def told_apart(one: Statement, heard: Sequence[ClaimReply]) -> list[tuple[ClaimReply, Statement]]:
    """The parts that stand for a claim, each with the word on it; none where they leave out too much of it, or the worst that is said."""
    parts = [(word, word.part) for word in heard if word.part is not None]
    covered = sum(part.span[1] - part.span[0] for _, part in parts) >= MOSTLY * (one.span[1] - one.span[0])
    all_said, of_parts = worst(heard), worst([word for word, _ in parts])
    return parts if covered and all_said and of_parts and all_said.status == of_parts.status else []


async def ask(
    judge: Judge, goal: str, open_claims: Sequence[Open], index: Index, response: str = ""
) -> tuple[dict[int, list[ClaimReply]], ClaimReplies]:
    """The judge's words by claim number, as far as its quotes and parts hold, and what was said beside it."""
    if not open_claims:
        return {}, ClaimReplies()
    asked = question(goal, open_claims)
    reply, differ = await _reply(judge, asked)
    heard = _ReplyReading({number: one for number, one, _ in open_claims}, index, response)
    try:
        words = heard.read(reply.data)
    except JudgeReplyError as exc:
        exc.usage = reply.usage
        raise
    number, grounded = reply.data.get("overall_confidence"), reply.data.get("is_grounded")
    usable = isinstance(number, int | float) and not isinstance(number, bool) and 0 <= number <= 1
    said = ClaimReplies(
        judge=reply.judge,
        prompt=asked.prompt,
        usage=reply.usage,
        reported=float(number) if usable and number is not None else None,
        reported_grounded=grounded if isinstance(grounded, bool) else None,
        remarks=_remarks(heard.reasons, _corrections(reply.data), heard.asked),
        not_found=heard.not_found,
        dropped=heard.dropped,
        not_in_response=heard.not_in_response,
        note=heard.note,
        apart=frozenset(heard.asked.keys() - heard.answered) if differ else frozenset(),
    )
    return words, said


async def _reply(judge: Judge, asked: Question) -> tuple[Reply, bool]:
    """The reply, and whether it lacks claims that the judges of a panel see differently; the disagreement where they agree on none."""
    try:
        return await judge.ask(asked), False
    except JudgesDisagreeError as exc:
        if not exc.agreed.get("claims"):
            raise
        return Reply(data=dict(exc.agreed), judge=judge.id, usage=exc.usage), "claims" in exc.apart


def question(goal: str, open_claims: Sequence[Open]) -> Question:
    """The one question about all open claims."""
    shown = [{"number": n, "claim": one.text, "passages": passages} for n, one, passages in open_claims]
    return ask_about(
        "grounding",
        material={"question": goal, "claims": json.dumps(shown, ensure_ascii=False, indent=1)},
        reply_schema=SCHEMA,
        max_tokens=400 + TOKENS_A_CLAIM * len(open_claims),
    )


def _remarks(
    reasons: Mapping[tuple[int, str], Remark], corrections: Mapping[int, str], asked: Mapping[int, Statement]
) -> dict[str, Remark]:
    made = {text: replace(said, correction=corrections.get(number, "")) for (number, text), said in reasons.items()}
    rest = {number: text for number, text in corrections.items() if number in asked}
    return {asked[number].text: Remark("", text) for number, text in rest.items()} | made


def _corrections(data: Mapping[str, Any]) -> dict[int, str]:
    """The corrections by claim number; `suggested_fixes` is the field's older name."""
    listed = data.get("suggested_corrections", data.get("suggested_fixes"))
    entries = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    return {
        one["number"]: one["correction"][:REMARK_LENGTH]
        for one in entries
        if isinstance(one.get("number"), int) and isinstance(one.get("correction"), str) and one["correction"].strip()
    }


class _ReplyReading:
    """One reply as it is read: which words count, and how many did not and why."""

    def __init__(self, asked: Mapping[int, Statement], index: Index, response: str) -> None:
        self.asked, self.index, self.response = asked, index, response
        self.not_found = self.dropped = self.not_in_response = 0
        self.answered: set[int] = set()
        self.reasons: dict[tuple[int, str], Remark] = {}
        self.note = ""

    def read(self, data: Mapping[str, Any]) -> dict[int, list[ClaimReply]]:
        """Words by claim. A quote that is not in the evidence supports nothing, and clears no claim of what is held against it."""
        listed = data.get("claims")
        if not isinstance(listed, list):
            raise JudgeReplyError("claims: should be a list with one entry for each claim")
        words: dict[int, list[ClaimReply]] = {}
        for entry in listed:
            number, status, quote, part = self._entry(entry)
            self.answered.add(number)
            shown = self._shown(number, status, quote)
            self.not_found += not shown
            if not shown and status == "supported":
                continue
            said = "unsupported" if status == "contradicted" and not shown else status
            word = self._word(ClaimReply(said, quoted=shown), number, part, words.get(number, []))
            if word is None:
                continue
            words.setdefault(number, []).append(word)
            self._remark(number, word, entry, quote, doubted=said != status)
        self._answers(data.get("is_grounded"), words)
        return words

    def _answers(self, grounded: Any, words: Mapping[int, Sequence[ClaimReply]]) -> None:
        """Refuse a reply that says that the whole is not grounded, and not which claim makes it so."""
        accused = any(word.against for heard in words.values() for word in heard)
        if grounded is False and not accused and self.answered != set(self.asked):
            raise JudgeReplyError("claims: the reply says not grounded, and leaves out claims that may be why")
        if not self.answered:
            self.note = "the judge answered for none of the claims; they were decided without it"

    def _entry(self, entry: Any) -> tuple[int, str, str, str]:
        """One entry, with the number of the claim whose words it repeats: a judge that miscounts has read it all the same."""
        number, status, quote, part = _entry(entry)
        same = [n for n, one in self.asked.items() if part and quotes.key(part) == quotes.key(one.text)]
        if number not in same and len(same) == 1:
            number = same[0]
        if number not in self.asked:
            raise JudgeReplyError("claims: the reply is about a claim that it was not asked about")
        return number, status, quote, part

    def _shown(self, number: int, status: str, quote: str) -> bool:
        """Whether the quote is in the evidence, where the word needs one; that nothing says so has nothing to quote."""
        silent = status == "supported" and self.asked[number].kind in ("refusal", "untold")
        return status == "unsupported" or silent or _there(quote, self.index)

    def _word(self, said: ClaimReply, number: int, part: str, before: Sequence[ClaimReply]) -> ClaimReply | None:
        """The word, with its part's place in the response. One that has none, or came before, is counted and holds against the whole claim."""
        one = self.asked[number]
        if not part or quotes.key(part) == quotes.key(one.text):
            self.dropped += bool(before)
            return said if not before or said.against else None
        place = quotes.find(part, self.response[slice(*one.span)])
        span = None if place is None else (one.span[0] + place[0], one.span[0] + place[1])
        if span is None or any(w.part and w.part.span[0] < span[1] and span[0] < w.part.span[1] for w in before):
            self.not_in_response += 1
            return said if said.against else None
        return replace(
            said, part=Statement(span, self.response[slice(*span)], one.kind, one.citations, hedge=one.hedge)
        )

    def _remark(self, number: int, word: ClaimReply, entry: Mapping[str, Any], quote: str, *, doubted: bool) -> None:
        about = (number, (word.part or self.asked[number]).text)
        reason = entry.get("reasoning")
        said = reason[:REMARK_LENGTH] if isinstance(reason, str) else ""
        if about not in self.reasons or word.against:
            self.reasons[about] = Remark(said, quote=quote[:REMARK_LENGTH], doubted=doubted)


def _entry(entry: Any) -> tuple[int, str, str, str]:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("number"), int):
        raise JudgeReplyError("claims: each entry needs its number")
    status = str(entry.get("status", "")).lower().replace("partially_supported", "partial")
    if status not in STATUSES:
        raise JudgeReplyError(f"claims: status is not one of {', '.join(STATUSES)}")
    quote, part = entry.get("evidence", ""), entry.get("claim", "")
    return entry["number"], status, quote if isinstance(quote, str) else "", part if isinstance(part, str) else ""


def _there(quote: str, index: Index) -> bool:
    """Whether a quote stands in a source, or in its passages as the judge was shown them: the row of a table is put in words there."""
    wanted = quotes.key(quote)
    if not wanted:
        return False
    if any(wanted in quotes.key(source.text) for source in index.sources):
        return True
    return wanted in quotes.key(" ".join(passage.text for passage in index.passages))
