"""A moderator's conclusion against what was said: invented, misattributed or left out, and positions that flipped.

`discussion_points` goes by figures, names, speakers and objections, and needs no judge; `discussion_read` asks one for
what only reading can tell. What a judge quotes is looked up where it says it stands, and dropped where it does not.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from witnessmark.checks.discussion import transcript
from witnessmark.checks.judged.judge_reading import by_judge, texts
from witnessmark.checks.judged.scales import read_confidence
from witnessmark.checks.plain.endings import cut
from witnessmark.core.case import Case, Discussion, subject_of
from witnessmark.core.errors import JudgeReplyError
from witnessmark.core.protocols import Judge, Judges, Reply
from witnessmark.core.registry import Look, check
from witnessmark.core.verdict import EvidenceRef, Finding, Result, abstained, failed, passed
from witnessmark.judges import windows
from witnessmark.judges.ask import ask_about, seed_of

FOREIGN = 0.6
"""The share from which the words of a clause are somebody else's, where the one it names said none of them."""
LEAST = 3
"""Clauses with fewer carrying words are left alone."""


@check("discussion_points", version="5", cost="instant")
def discussion_points() -> Look:
    """Figures, names, speakers and objections of a conclusion are those of the discussion, and it does not break off."""

    def look(case: Case, prior: Mapping[str, Result]) -> Result:
        subject = subject_of(case, Discussion)
        if not subject.messages:
            return abstained("no_evidence", "there are no messages to check the conclusion against")
        if not subject.conclusion.strip():
            return abstained("no_claims", "there is no conclusion to check against the discussion")
        told = (*_invented(subject, case.goal), *_misattributed(subject), *_dissent(subject), *_flips(subject))
        found = [*told, *_broken_off(subject)]
        wrong = [finding for finding in found if finding.severity == "error"]
        if wrong:
            return failed(wrong[0].message, *found)
        return passed(
            "figures, names, speakers and objections are those of the discussion",
            **({"findings": tuple(found)} if found else {}),
        )

    return look


def _broken_off(subject: Discussion) -> Iterator[Finding]:
    why = cut(subject.conclusion)
    if why is not None:
        message, advice = (
            f"the conclusion breaks off: {why}",
            "Deliver the whole conclusion; shorten it rather than stop.",
        )
        yield Finding(message=message, category="truncated", suggestion=advice)


def _quote(subject: Discussion, span: tuple[int, int]) -> dict[str, Any]:
    return {"quote": subject.conclusion[span[0] : span[1]], "span": span}


def _invented(subject: Discussion, asked: str) -> Iterator[Finding]:
    heard = "\n".join([*(message.text for message in subject.messages), asked])
    for span in transcript.invented_figures(subject, heard):
        yield _nobody("a figure", subject, span)
    for span in transcript.invented_names(subject, heard):
        yield _nobody("a name", subject, span)
    carried = transcript.stems(heard)
    names = transcript.stems(" ".join(transcript.speakers(subject)))
    for clause in transcript.clauses(subject):
        words = transcript.stems(clause.text) - names
        if len(words) >= LEAST + 1 and not words & carried:
            yield _nobody("a point", subject, clause.span)


def _nobody(what: str, subject: Discussion, span: tuple[int, int]) -> Finding:
    return Finding(
        message=f"the conclusion has {what} that nobody brought up",
        category="unsupported_claim",
        suggestion="Leave it out, or say who brought it up and where.",
        **_quote(subject, span),
    )


def _misattributed(subject: Discussion) -> Iterator[Finding]:
    """A clause that names one speaker, none of whose words it has, while most of its words are another's."""
    by = {name: transcript.stems(transcript.said_by(subject, name)) for name in transcript.speakers(subject)}
    names = transcript.stems(" ".join(by))
    for clause in transcript.clauses(subject):
        words = transcript.stems(clause.text) - names
        if len(clause.speakers) != 1 or len(words) < 2:
            continue
        (named,) = clause.speakers
        others = {name: len(words & theirs) / len(words) for name, theirs in by.items() if name != named}
        nearest = max(others, key=others.__getitem__, default=None)
        own = len(words & by[named])
        numbers = _figures_of_another(subject, clause, named)
        if numbers or (nearest is not None and own == 0 and others[nearest] >= FOREIGN):
            yield Finding(
                message="the conclusion attributes to one speaker what another said",
                category="contradicted_claim",
                suggestion="Name the one who said it.",
                evidence=tuple(_where(subject, numbers or str(nearest))),
                **_quote(subject, clause.span),
            )


def _figures_of_another(subject: Discussion, clause: transcript.Clause, named: str) -> str | None:
    """Who said the figures of this clause, where the one it names said none of them and the clause says so of them alone."""
    wanted = [figure for figure in transcript.figures(clause.text) if not figure.worded]
    mine = transcript.said_by(subject, named)
    known = transcript.figures(mine)
    if not wanted or transcript.stems(clause.text) & transcript.stems(mine):
        return None
    if any(transcript.brought_up(figure, known) for figure in wanted):
        return None
    for name in transcript.speakers(subject):
        theirs = transcript.figures(transcript.said_by(subject, name))
        if name != named and all(transcript.brought_up(figure, theirs) for figure in wanted):
            return name
    return None


def _where(subject: Discussion, name: str) -> Iterator[EvidenceRef]:
    yield from (EvidenceRef(id=message.id) for message in subject.messages if message.speaker == name)


def _dissent(subject: Discussion) -> Iterator[Finding]:
    """Objections that stand and are passed over, and agreement that was not there."""
    standing, ever = transcript.standing_dissent(subject), transcript.objected(subject)
    told = transcript.stems(subject.conclusion)
    for clause in transcript.clauses(subject):
        if not transcript.claims_unanimity(clause.text):
            continue
        against = ever if transcript.from_the_start(clause.text) else standing
        if against:
            yield Finding(
                message="the conclusion says that all agreed, and somebody objected",
                category="contradicted_claim",
                suggestion="Say who objected, and whether they still do.",
                evidence=tuple(EvidenceRef(id=message.id) for message in against),
                **_quote(subject, clause.span),
            )
    named = {
        name
        for clause in transcript.clauses(subject)
        for name in clause.speakers
        if not transcript.only_agrees(subject, clause, name)
    }
    for message in standing:
        since = transcript.stems(transcript.said_since(subject, message))
        if message.speaker not in named and not since & told:
            yield Finding(
                message="an objection that was never withdrawn is left out",
                category="criterion_unmet",
                suggestion="Put the objection and its reason into the conclusion.",
                evidence=(EvidenceRef(id=message.id),),
            )


def _flips(subject: Discussion) -> Iterator[Finding]:
    for message in transcript.flips(subject):
        yield Finding(
            message="a speaker gave up an objection although no new evidence or reason was brought in between",
            category="criterion_unmet",
            severity="warning",
            suggestion="Ask what changed their mind before building on the agreement.",
            evidence=(EvidenceRef(id=message.id),),
        )


# --- the reader --------------------------------------------------------------------------------------------------------


@check("discussion_read", version="1", cost="paid", services=("judges",))
def discussion_read(*, judges: Judges | None = None) -> Look:
    """Key points a conclusion missed or invented and who said what, as a reader sees it who took no part."""

    async def look(case: Case, prior: Mapping[str, Result]) -> Result:
        subject = subject_of(case, Discussion)
        unread = "no judge is configured to compare the conclusion with the discussion"
        return await by_judge(case, judges, "discussion", unread, functools.partial(_read, case, subject))

    return look


async def _read(case: Case, subject: Discussion, judge: Judge) -> Result:
    shown, seen = _transcript(subject, judge)
    question = ask_about(
        "discussion",
        ours=windows.coverage_note(seen),
        material={"question": case.goal, "discussion": shown, "conclusion": subject.conclusion},
        reply_schema=REPLY,
        seed=seed_of(case),
    )
    return replace(settle(await judge.ask(question), subject, seen), prompt=question.prompt)


def _transcript(subject: Discussion, judge: Judge) -> tuple[str, float]:
    """The messages with numbers and speakers; of a long discussion those nearest to the conclusion, gaps marked."""
    lines = [f"[{number}] {message.speaker}: {message.text}" for number, message in enumerate(subject.messages, 1)]
    room = max(windows.room(judge) - len(subject.conclusion), windows.LEAST_CHARS)
    fitted = windows.fit({"discussion": "\n".join(lines)}, subject.conclusion, room)
    return fitted.material.get("discussion", ""), fitted.coverage


def _fault(*fields: str) -> dict[str, Any]:
    kinds = {"message": {"type": "integer", "minimum": 0}, "quote": {"type": "string"}, "what": {"type": "string"}}
    item = {"type": "object", "additionalProperties": False, "required": list(fields)}
    return {"type": "array", "items": item | {"properties": {name: kinds[name] for name in fields}}}


REPLY: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["reasoning", "missed", "invented", "misattributed", "flipped", "confidence"],
    "properties": {
        "reasoning": {"type": "string"},
        "missed": _fault("message", "quote", "what"),
        "invented": _fault("quote", "what"),
        "misattributed": _fault("message", "quote", "what"),
        "flipped": _fault("message", "quote", "what"),
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
    },
}
_WORDS: Mapping[str, tuple[str, str, str, Any]] = {
    "missed": ("a key point is left out", "criterion_unmet", "Put it into the conclusion.", "error"),
    "invented": ("something nobody said", "unsupported_claim", "Leave it out.", "error"),
    "misattributed": (
        "something is attributed to the wrong speaker",
        "contradicted_claim",
        "Name the one who said it.",
        "error",
    ),
    "flipped": (
        "a position changed without new evidence",
        "criterion_unmet",
        "Ask what changed their mind.",
        "warning",
    ),
}


def settle(reply: Reply, subject: Discussion, seen: float = 1.0) -> Result:
    """The reader's faults as a result: only those whose quotation stands where it says. One is partial, more fail."""
    data = reply.data
    confidence = read_confidence(data.get("confidence"))
    found, unproven = [], 0
    for kind in _WORDS:
        listed = data.get(kind)
        if not isinstance(listed, list):
            raise JudgeReplyError(f"{kind} is not a list")
        proven = [finding for item in listed if (finding := _proven(kind, item, subject)) is not None]
        unproven += len(listed) - len(proven)
        found += proven
    wrong = sum(finding.severity == "error" for finding in found)
    score = 1.0 if not wrong else 0.5 if wrong == 1 else 0.0
    return Result(
        status="pass" if not wrong else "partial" if wrong == 1 else "fail",
        score=score,
        reason=str(data.get("reasoning") or "")[:2000],
        confidence=windows.capped(confidence, seen),
        confidence_source="reported",
        judge=reply.judge,
        usage=reply.usage,
        findings=tuple(found),
        details=({"unproven": unproven} if unproven else {}) | ({"seen": seen} if seen < 1 else {}),
    )


def _proven(kind: str, item: Any, subject: Discussion) -> Finding | None:
    """The fault, if what it quotes really stands in the message it names or, for what nobody said, in the conclusion."""
    if not isinstance(item, Mapping) or not isinstance(item.get("quote"), str) or not item["quote"].strip():
        return None
    quote, number = " ".join(item["quote"].split()), item.get("message")
    where: tuple[EvidenceRef, ...] = ()
    if kind == "invented":
        text = subject.conclusion
    elif isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= len(subject.messages):
        text, where = subject.messages[number - 1].text, (EvidenceRef(id=subject.messages[number - 1].id),)
    else:
        return None
    if quote.casefold() not in " ".join(text.split()).casefold():
        return None
    message, category, advice, severity = _WORDS[kind]
    what = next(iter(texts(item.get("what"))), "")
    return Finding(
        message=message,
        category=category,
        severity=severity,
        quote=quote,
        suggestion=f"{advice} ({what})" if what else advice,
        evidence=where,
    )
