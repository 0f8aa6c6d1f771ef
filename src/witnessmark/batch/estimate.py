"""What verifying would take, before anything is spent: calls, tokens and dollars, at least and at most.

Counts what would be sent with the same functions that send it; nothing is asked. A price that is unknown stays unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from witnessmark.checks.judged.case_parts import output_text
from witnessmark.core.allowance import bypass
from witnessmark.core.case import Case, Stakes
from witnessmark.core.concurrency.background_loop import run_sync
from witnessmark.core.errors import UsageError
from witnessmark.core.protocols import Asks, Check, Judges
from witnessmark.core.registry import ReadyCheck
from witnessmark.core.values import canonical
from witnessmark.judges import windows
from witnessmark.judges.pool import prepare
from witnessmark.verifier import Verifier

CHARS_A_TOKEN = 3
OUR_WORDS = 2_500
"""Tokens of a prompt, its rules and the form of its reply, at most."""
USUAL_REPLY = 1_024
QuestionKey = tuple[str, int, float, int | None, str | None, Stakes]
"""A question with all that it is remembered by, and that its judge is picked by."""
Price = Callable[[int, int], float | None]
"""Dollars for so many tokens in and out, or None where no price is known."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Calls at least and at most; tokens and dollars at most."""

    least_calls: int = 0
    most_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = 0.0
    repeats: int = 0
    """Calls among them whose very question stands before: they are answered from memory while the answer is there."""
    not_made: int = 0
    """Calls that a judge would have been asked for, and will not be, since none may be asked."""
    why_not: str = ""

    def __add__(self, other: Estimate) -> Estimate:
        unknown = self.usd is None or other.usd is None
        return Estimate(
            self.least_calls + other.least_calls,
            self.most_calls + other.most_calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            None if unknown else (self.usd or 0.0) + (other.usd or 0.0),
            self.repeats + other.repeats,
            self.not_made + other.not_made,
            self.why_not or other.why_not,
        )

    def __str__(self) -> str:
        calls = (
            f"{self.least_calls}" if self.least_calls == self.most_calls else f"{self.least_calls} to {self.most_calls}"
        )
        cost = "price unknown" if self.usd is None else f"at most ${self.usd:.4f}"
        again = f" ({self.repeats} repeat a question and are answered from memory)" if self.repeats else ""
        refused = f"; up to {self.not_made} calls will not be made: {self.why_not}" if self.not_made else ""
        return f"{calls} paid calls{again}, at most {self.input_tokens + self.output_tokens} tokens, {cost}{refused}"


def estimate(
    verifier: Verifier,
    case: Case,
    checkpoint: str | None = None,
    price: Price | None = None,
    before: set[QuestionKey] | None = None,
) -> Estimate:
    """What this case would take. Without a judge, or where the policy asks none, that is nothing.

    `before` is what other cases ask, and takes in what this one does: the same question again may cost nothing.
    """
    if verifier.service("judges") is None or bypass(verifier.policy_of(case, checkpoint), case) is not None:
        return Estimate()
    judges = verifier.service("judges")
    run_sync(prepare(judges, case))
    total, known = Estimate(), set(before or ())
    for node in verifier.graph_of(case, checkpoint).nodes:
        total += _priced(_asked(node.check, case, judges, known), price)
    why = _refused(judges, case)
    if why:
        return Estimate(not_made=total.most_calls, why_not=why)
    if before is not None:
        before |= known
    return total


def _refused(judges: Judges, case: Case) -> str:
    """Why no judge may be asked about this case; empty where one may."""
    try:
        judges.pick(case.executor.model if case.executor else None, stakes=case.stakes)
    except UsageError as exc:
        return str(exc)
    return ""


def _priced(asked: Estimate, price: Price | None) -> Estimate:
    if not asked.most_calls:
        return asked
    return replace(asked, usd=None if price is None else price(asked.input_tokens, asked.output_tokens))


def _asked(check: Check, case: Case, judges: Judges, known: set[QuestionKey]) -> Estimate:
    """What a check says it would ask; a paid one that does not say asks once about the whole case. Adds to what is `known`."""
    said = check.asks(case) if isinstance(check, ReadyCheck) else None
    if said is None:
        return _sum([_whole(case)], Asks(), case, judges) if check.cost == "paid" else Estimate()
    sizes = [(_tokens(one.system + one.user), one.max_tokens) for one in said.questions]
    if not sizes:
        return Estimate()
    told, model = _sum(sizes, said, case, judges), case.executor.model if case.executor else None
    keys = [(one.key, one.max_tokens, one.temperature, one.seed, model, case.stakes) for one in said.questions]
    repeats = len(keys) - len(set(keys) - known)
    known.update(keys)
    calls = repeats * _members(judges, case, case.stakes)
    return replace(told, least_calls=max(0, told.least_calls - calls), repeats=calls)


def _sum(sizes: Sequence[tuple[int, int]], asks: Asks, case: Case, judges: Judges) -> Estimate:
    """So many calls, of which the largest question and the longest reply stand for those not put together here."""
    once = len(sizes) * _members(judges, case, case.stakes)
    most = once + asks.again * _members(judges, case, asks.again_at or case.stakes)
    sent, replies = zip(*sizes, strict=True)
    extra = most - len(sizes)
    tokens = (sum(sent) + extra * max(sent), sum(replies) + extra * max(replies))
    return Estimate(once if asks.surely else 0, most, *tokens)


def _whole(case: Case) -> tuple[int, int]:
    """Tokens of a question about a whole case, its goal, its output and what fits of its evidence, and of the reply."""
    shown = [output_text(case), canonical(case.subject).decode(), *(canonical(one).decode() for one in case.evidence)]
    given = _tokens(case.goal) + min(sum(map(_tokens, shown)), _tokens("x" * windows.room(None)))
    return given + _tokens(canonical(case.context).decode()) + OUR_WORDS, USUAL_REPLY


def _members(judges: Judges, case: Case, stakes: Stakes) -> int:
    """How many judges answer one question: a panel asks each of its members; who cannot be picked yet counts as one."""
    try:
        judge = judges.pick(case.executor.model if case.executor else None, stakes=stakes)
    except UsageError:
        return 1
    return len(getattr(judge, "judges", (judge,)))


def _tokens(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass")) // CHARS_A_TOKEN + 32
