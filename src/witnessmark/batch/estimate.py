"""What verifying would take, before anything is spent: calls, tokens and dollars, at least and at most.

Counts what would be sent with the same functions that send it; nothing is asked. A price that is unknown stays unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.decision import window
from witnessmark.checks.grounding.evidence import Index
from witnessmark.checks.grounding.grounding_check import sources_of
from witnessmark.checks.grounding.judge import question
from witnessmark.checks.judged.case_parts import output_text, parts_of
from witnessmark.checks.judged.criteria_reading import further_samples
from witnessmark.checks.judged.questions import question_about
from witnessmark.checks.judged.rubric import items_of, scaled
from witnessmark.checks.mission import consistency
from witnessmark.checks.mission.consistency import groups
from witnessmark.checks.plain.counts import miscount
from witnessmark.checks.synthesis.coherence import ITEMS
from witnessmark.core.allowance import bypass
from witnessmark.core.case import Case, Mission
from witnessmark.core.concurrency.background_loop import run_sync
from witnessmark.core.errors import UsageError
from witnessmark.core.graph import Node
from witnessmark.core.protocols import Judges, Question
from witnessmark.core.values import canonical
from witnessmark.judges import windows
from witnessmark.judges.pool import prepare
from witnessmark.verifier import Verifier

CHARS_A_TOKEN = 3
MAY_ASK = (
    "grounding",
    "traceability",
    "output_backing",
    "reference",
    "answer_relevancy",
    "context_precision",
    "context_recall",
)
"""Local checks that put at most one question to a judge, where one is configured and rules leave something open."""
OUR_WORDS = 2_500
"""Tokens of a prompt, its rules and the form of its reply, at most."""
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
            self.not_made + other.not_made,
            self.why_not or other.why_not,
        )

    def __str__(self) -> str:
        calls = (
            f"{self.least_calls}" if self.least_calls == self.most_calls else f"{self.least_calls} to {self.most_calls}"
        )
        cost = "price unknown" if self.usd is None else f"at most ${self.usd:.4f}"
        refused = f"; up to {self.not_made} calls will not be made: {self.why_not}" if self.not_made else ""
        return f"{calls} paid calls, at most {self.input_tokens + self.output_tokens} tokens, {cost}{refused}"


def estimate(verifier: Verifier, case: Case, checkpoint: str | None = None, price: Price | None = None) -> Estimate:
    """What this case would take. Without a judge, or where the policy asks none, that is nothing."""
    if verifier.service("judges") is None or bypass(verifier.policy_of(case, checkpoint), case) is not None:
        return Estimate()
    judges = verifier.service("judges")
    run_sync(prepare(judges, case))
    plan = _Plan(case, *_sizes(judges, case))
    total = Estimate()
    for node in verifier.graph_of(case, checkpoint).nodes:
        if node.check.cost == "paid" or node.check.name in MAY_ASK:
            total += _priced(_asked(node, plan), price)
    why = _refused(judges, case)
    return Estimate(not_made=total.most_calls, why_not=why) if why else total


def _refused(judges: Judges, case: Case) -> str:
    """Why no judge may be asked about this case; empty where one may."""
    try:
        judges.pick(case.executor.model if case.executor else None, stakes=case.stakes)
    except UsageError as exc:
        return str(exc)
    return ""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What the questions depend on, and how many judges answer each: usually, and near a threshold."""

    case: Case
    judges: int
    judges_again: int


def _sizes(judges: Judges, case: Case) -> tuple[int, int]:
    """A panel asks each of its members; who cannot be picked yet counts as one."""
    executor = case.executor.model if case.executor else None
    sizes = []
    for stakes in (case.stakes, "high"):
        try:
            sizes.append(len(getattr(judges.pick(executor, stakes=stakes), "judges", (None,))))
        except UsageError:
            sizes.append(1)
    return sizes[0], sizes[1]


def _priced(asked: Estimate, price: Price | None) -> Estimate:
    if not asked.most_calls:
        return asked
    usd = None if price is None else price(asked.input_tokens, asked.output_tokens)
    return Estimate(asked.least_calls, asked.most_calls, asked.input_tokens, asked.output_tokens, usd)


def _asked(node: Node, plan: _Plan) -> Estimate:
    if node.check.name == "reading":
        return _reading(node.check.options["items"], plan)
    if node.check.name == "rubric":
        value = node.check.options["criterion"]
        if isinstance(value, Mapping) and "reading" in value:
            return Estimate()
        return _reading([{"key": "c1", "text": value} if isinstance(value, str) else value], plan)
    if node.check.name == "consistency" and isinstance(plan.case.subject, Mission):
        return _comparison(plan.case.subject, plan)
    if node.check.name in ("grounding", "traceability", "output_backing"):
        return _grounding(plan)
    if node.check.name in MAY_ASK:
        evidence = " ".join(source.text for source in sources_of(plan.case.evidence))[: windows.room(None)]
        return Estimate(0, plan.judges, _tokens(plan.case.text) + _tokens(evidence) + 500, 600)
    if node.check.name == "synthesis_reading":
        return _reading(ITEMS, plan)
    return Estimate() if node.check.name == "quality" else _one_question(node, plan)


def _one_question(node: Node, plan: _Plan) -> Estimate:
    """A check that asks once about the whole case: its goal, its output and what fits of its evidence."""
    case = plan.case
    shown = [output_text(case), canonical(case.subject).decode(), *(canonical(one).decode() for one in case.evidence)]
    given = _tokens(case.goal) + min(sum(map(_tokens, shown)), _tokens("x" * windows.room(None)))
    told = _tokens(canonical(case.context).decode()) + OUR_WORDS
    replies = {"plan_review": 2_500}.get(node.check.name, 1_024)
    return Estimate(plan.judges, plan.judges, plan.judges * (given + told), plan.judges * replies)


def _reading(value: Any, plan: _Plan) -> Estimate:
    """One call for each part of the output; near a threshold, a few more of the same."""
    case = plan.case
    given = value if value is ITEMS else items_of(value)
    items = [item for item in scaled(given, case) if miscount(case.text, item.text) is None]
    if not items:
        return Estimate()
    shown = parts_of(case)
    more = further_samples(case) if shown.whole and any(item.resample for item in items) else 0
    sent = [question_about(case, items, part, sample=0) for part in shown.parts]
    least = len(sent) * plan.judges
    return _sum(sent, least, least + more * plan.judges_again)


def _grounding(plan: _Plan) -> Estimate:
    """At most one question, about all claims of the text; none where rules settle them all."""
    case = plan.case
    found = [one for one in claims(case.text) if one.checkable]
    sources = sources_of(case.evidence)
    if not found or not sources:
        return Estimate()
    index = Index(sources, case.text)
    asked = question(case.goal, [(n, one, window(one.text, index)) for n, one in enumerate(found)])
    most = _sum([asked] * plan.judges, plan.judges, plan.judges)
    return Estimate(0, most.most_calls, most.input_tokens, most.output_tokens)


def _comparison(mission: Mission, plan: _Plan) -> Estimate:
    """One call a group, and one more in the other order where a contradiction is found."""
    written = [task for task in mission.tasks if task.output.strip()]
    asked = groups(written) if len(written) > 1 else []
    sent = [consistency.question_about(group, seed=0)[0] for group in asked]
    return _sum(sent, len(sent) * plan.judges, 2 * len(sent) * plan.judges)


def _sum(sent: list[Question], least: int, most: int) -> Estimate:
    """So many calls, of which the largest question stands for those not put together here."""
    if not sent:
        return Estimate()
    sizes = [_tokens(question.system + question.user) for question in sent]
    replies = [question.max_tokens for question in sent]
    extra = most - len(sent)
    return Estimate(least, most, sum(sizes) + extra * max(sizes), sum(replies) + extra * max(replies))


def _tokens(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass")) // CHARS_A_TOKEN + 32
