"""What only reading can tell about a plan: one question to a judge, and the dimensions that rest on its answer.

MEDIUM plans are reviewed (option A), COMPLEX and CRITICAL ones attacked (option B); the complexity decides, so every
attempt at a case gets the same option. The judge gives scores for three dimensions and names issues; the arithmetic is the
policy's, routability is computed, and what was found deterministically can only lower what a judge says.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from witnessmark.checks.judged import scales
from witnessmark.checks.judged.case_parts import evidence_texts, listed
from witnessmark.checks.judged.judge_reading import nobody_may
from witnessmark.checks.plan.order import plan_of
from witnessmark.core.case import Case
from witnessmark.core.errors import ConfigError, JudgeReplyError
from witnessmark.core.policy import Policy
from witnessmark.core.protocols import Asks, Judge, Judges, JudgeSelection, Question, Reply
from witnessmark.core.registry import Look, check
from witnessmark.core.values import canonical
from witnessmark.core.verdict import Finding, Independence, Result, abstained, amount
from witnessmark.judges import windows
from witnessmark.judges.ask import ask_about, phrase, seed_of
from witnessmark.judges.choice import ChosenJudge, choose

DIMENSIONS = ("completeness", "consistency", "groundedness")
ISSUES: Mapping[str, tuple[str, str]] = {
    "missing_error_handling": ("completeness", "nothing handles errors"),
    "missing_tests": ("completeness", "nothing tests or validates the result"),
    "missing_non_functional": ("completeness", "a non-functional need such as security or performance is left out"),
    "missing_requirements": ("completeness", "a step that must come first, such as finding out what is needed, is left out"),
    "missing_aspect": ("completeness", "an aspect of the goal is not covered"),
    "contradictory_choices": ("consistency", "two subgoals make choices that exclude each other"),
    "wrong_sequence": ("consistency", "subgoals are ordered against what they need"),
    "against_architecture": ("groundedness", "a subgoal works against the architecture that is there"),
    "ignored_pattern": ("groundedness", "a comparable pattern in the context is left unused"),
    "unfounded_assumption": ("groundedness", "a subgoal rests on something the context does not show"),
    "other": ("", "something else"),
}  # fmt: skip
"""What a judge may find wrong: its dimension, and how we say it."""
MOST_ISSUES = 20
_OWN = ("against_architecture", "ignored_pattern")
_CATEGORY = {"consistency": "consistency_conflict", "groundedness": "unsupported_claim"}
MOST_TOKENS = 2_500


def option(case: Case, policy: Policy | None = None) -> str:
    """A: the plan is reviewed; B: it is attacked. Complexity decides unless the policy does, so retries keep the option."""
    if policy is not None and policy.plan_review != "by_complexity":
        return policy.plan_review
    return "B" if case.complexity in ("COMPLEX", "CRITICAL") else "A"


@check(
    "plan_review",
    version="2",
    cost="paid",
    services=("judges", "policy"),
    asks=lambda case, _: Asks([_question(case, None, option(case))]),
    categories=(*ISSUES,),
    judged_keys=("reasoning", "issue", "suggestion"),
)
def plan_review(*, judges: Judges | None = None, policy: Policy | None = None) -> Look:
    """Asks a judge about a plan, once: it is reviewed or, where much is at stake, attacked."""

    async def look(case: Case, prior: Mapping[str, Result]) -> Result:
        plan_of(case)
        if judges is None:
            return abstained("no_judge", "no judge is configured to read the plan")
        chosen = option(case, policy)
        try:
            asked = choose(judges, case, "plan")
        except ConfigError as exc:
            own = _own_reviewer(judges, case, chosen)
            if own is None:
                return nobody_may(exc)
            asked = own
        question = _question(case, asked.judge, chosen)
        reply = await asked.judge.ask(question)
        # The same model asked to attack is independent by its prompt; asked to review, not at all.
        by_prompt = asked.independence == "none" and chosen == "B"
        result = _as_result(chosen, question, reply, "prompt" if by_prompt else asked.independence)
        return replace(result, findings=(*result.findings, *asked.findings))

    return look


def _own_reviewer(judges: Judges, case: Case, chosen: str) -> ChosenJudge | None:
    """Option A: a plan of MEDIUM complexity may be reviewed by the model that made it; the result says so."""
    if chosen != "A" or case.complexity != "MEDIUM" or not isinstance(judges, JudgeSelection):
        return None
    maker = case.executor.model if case.executor else None
    found = judges.own_reviewer(maker)
    return None if found is None else ChosenJudge(found, judges.independence(found, maker))


def _question(case: Case, judge: Judge | None, chosen: str) -> Question:
    plan = canonical(plan_of(case)).decode()
    agents = canonical(case.context.get("agents", [])).decode()
    room = max(windows.room(judge) - len(plan) - len(agents) - len(case.goal), windows.LEAST_CHARS)
    fitted = windows.fit(evidence_texts(case.evidence), plan, room)
    shown = {"goal": case.goal, "plan": plan, "agents": agents, "context": listed(fitted.material)}
    return ask_about(
        "plan_adversarial" if chosen == "B" else "plan_self",
        ours="\n".join(filter(None, [phrase("_plan", "bands"), fitted.note])),
        material={name: text for name, text in shown.items() if text},
        reply_schema=reply_schema(),
        seed=seed_of(case),
        max_tokens=MOST_TOKENS,
    )


def reply_schema() -> dict[str, Any]:
    """What the judge must answer."""
    words: dict[str, Any] = {"type": "string"}
    unit = {"type": "number", "minimum": 0, "maximum": 1}
    scored = _object({"reasoning": words, "score": unit, "confidence": unit})
    issue = _object(
        {
            "kind": {"type": "string", "enum": list(ISSUES)},
            "subgoal": words,
            "issue": words,
            "suggestion": words,
            "critical": {"type": "boolean"},
        }
    )
    issues = {"type": "array", "items": issue, "maxItems": MOST_ISSUES}
    return _object(dict.fromkeys(DIMENSIONS, scored) | {"issues": issues})


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": False, "required": list(properties), "properties": properties}


def _as_result(chosen: str, question: Question, reply: Reply, independence: Independence) -> Result:
    heard = {name: _heard(name, reply.data.get(name)) for name in DIMENSIONS}
    issues = _issues(reply.data.get("issues"))
    return Result(
        status="partial" if issues else "pass",
        score=min(one["score"] for one in heard.values()),
        reason=f"option {chosen}, read by {reply.judge}: {amount(len(issues), 'issue') if issues else 'no issues'}",
        confidence=min(one["confidence"] for one in heard.values()),
        confidence_source="reported",
        independence=independence,
        judge=reply.judge,
        prompt=question.prompt,
        usage=reply.usage,
        findings=tuple(_finding(issue) for issue in issues),
        details={"option": chosen, "dimensions": heard, "issues": issues},
    )


def _heard(name: str, said: Any) -> dict[str, Any]:
    """One dimension as the judge gave it; one that is missing or no number is an error, never a score."""
    if not isinstance(said, Mapping):
        raise JudgeReplyError(f"the judge left out {name}")
    score = scales.read_score("unit", said.get("score"))
    confidence = scales.read_confidence(said.get("confidence"))
    return {"score": score, "confidence": confidence, "reasoning": str(said.get("reasoning") or "")}


def _issues(said: Any) -> list[dict[str, Any]]:
    """The issues in one shape. Models also give a text where a list was asked for, or a list of texts."""
    listed = said if isinstance(said, list) else [said] if said else []
    return [_issue(one) for one in listed[:MOST_ISSUES]]


def _issue(said: Any) -> dict[str, Any]:
    if not isinstance(said, Mapping):
        return {"kind": "other", "subgoal": "", "issue": str(said), "suggestion": "", "critical": False}
    kind = said.get("kind")
    return {
        "kind": kind if kind in ISSUES else "other",
        **{name: str(said.get(name) or "") for name in ("subgoal", "issue", "suggestion")},
        "critical": said.get("critical") is True,
    }


def _finding(issue: Mapping[str, Any]) -> Finding:
    dimension, ours = ISSUES[issue["kind"]]
    return Finding(
        message=f"a judge finds that {ours}" if issue["kind"] != "other" else "a judge finds something wrong",
        category=_category(issue["kind"], dimension),
        severity="error" if issue["critical"] else "warning",
        quote=issue["issue"] or None,
        suggestion=issue["suggestion"] or None,
    )


def _category(kind: str, dimension: str) -> str:
    """What is missing, what goes against the architecture and what leaves a pattern unused each count by themselves."""
    own = dimension == "completeness" or kind in _OWN
    return kind if own else _CATEGORY.get(dimension, "criterion_unmet")


def reviewed(prior: Mapping[str, Result]) -> Result | None:
    """The review, where a judge gave one."""
    said = prior.get("plan_review")
    return said if said is not None and said.settled else None
