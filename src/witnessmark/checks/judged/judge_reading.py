"""One reading of a case by a judge: who is asked, what is said where nobody can be, and what the record says of the choice.

Every check that asks one judge about a case goes through `by_judge` and brings only its question and what it makes of the reply.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from msgspec.structs import replace

from witnessmark.core.case import Case
from witnessmark.core.errors import ConfigError
from witnessmark.core.protocols import Judge, Judges
from witnessmark.core.verdict import Finding, Result, abstained
from witnessmark.judges.choice import choose
from witnessmark.judges.pool import Purpose

LISTED = 10
"""Issues, suggestions and questions that are kept of one answer."""
LENGTH = 500


async def by_judge(
    case: Case, judges: Judges | None, purpose: Purpose, unread: str, read: Callable[[Judge], Awaitable[Result]]
) -> Result:
    """What the judge for this purpose makes of a case; `unread` says what nobody can tell where no judge is configured."""
    if judges is None:
        return no_judge(unread)
    try:
        chosen = choose(judges, case, purpose)
    except ConfigError as exc:
        return nobody_may(exc)
    result = await read(chosen.judge)
    return replace(result, independence=chosen.independence, findings=(*result.findings, *chosen.findings))


def no_judge(reason: str, *, stated: bool = False) -> Result:
    """What is said where a judge is needed and none is there; `stated` where the case names a criterion in words for it."""
    message, advice = "a judge has to read this, and none is configured", "add criteria that are deterministic checks"
    if stated:
        message = "a criterion in words needs a judge, and none is configured"
        advice = "state the criterion as a deterministic check"
    return abstained(
        "no_judge",
        reason,
        Finding(message=message, severity="warning", suggestion=f"Configure a judge, or {advice}."),
    )


def nobody_may(exc: ConfigError) -> Result:
    """What is said where there are judges and none of them may judge this; the error says why and what to do."""
    finding = Finding(
        message=str(exc), category="judge_error", suggestion="Configure a judge that may judge this work."
    )
    return Result(status="error", cause="no_judge", reason=str(exc), findings=(finding,))


def texts(value: Any) -> list[str]:
    """Texts as a model gives them: a list, or one text where a list was asked for; on one line each, and not too many."""
    given = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    kept = (" ".join(str(item).split())[:LENGTH] for item in given if isinstance(item, (str, int, float)))
    return [text for text in kept if text][:LISTED]
