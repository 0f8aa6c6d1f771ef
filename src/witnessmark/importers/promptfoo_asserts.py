"""promptfoo's assertions as criteria. One that has no equivalent is left out with the reason; one that has a near one says so.

Code in a configuration is never run, files it names are never opened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from witnessmark.core import patterns, thresholds
from witnessmark.core.errors import InputError
from witnessmark.importers import templates
from witnessmark.importers.import_result import NoEquivalentError

CODE = "code of another tool is never run here; write it as a check (docs/extending.md)"
MEASURED = "not a property of the output; limits on cost and time are options of Witnessmark (--budget-usd, --deadline)"
NONE_HERE = "no check here looks at this"
JUDGE = "a judge configured for Witnessmark decides (--judge)"
LEFT_OUT: Mapping[str, str] = {
    **dict.fromkeys(("javascript", "python", "ruby", "webhook"), CODE),
    **dict.fromkeys(("cost", "latency", "perplexity", "perplexity-score", "tokens-used"), MEASURED),
    **dict.fromkeys(("moderation", "guardrails", "classifier", "pi"), "a service of another tool decides it"),
    **dict.fromkeys(("select-best", "max-score"), "compares several outputs; verify each, then `witnessmark compare`"),
}


@dataclass(slots=True)
class AssertedCriteria:
    """What the assertions of one test come to: criteria, and what the case needs beside them."""

    criteria: list[dict[str, Any]] = field(default_factory=list)
    grounded: bool = False
    near: list[tuple[str, str]] = field(default_factory=list)


def take(assertion: Mapping[str, Any], values: Mapping[str, Any], taken: AssertedCriteria) -> None:
    """Add one assertion to what was taken, or raise LeftOutError with the reason."""
    kind = str(assertion.get("type") or "")
    negated = kind.startswith("not-")
    name = kind.removeprefix("not-")
    _refuse_changed(assertion)
    value = _value(assertion.get("value"), values)
    threshold = assertion.get("threshold")
    if name in WORDS:
        _judged(name, value, threshold, negated, assertion, taken)
    elif name in EVIDENCE:
        if negated:
            raise NoEquivalentError("the opposite of this is not asked for here")
        EVIDENCE[name](value, threshold, assertion, taken)
    elif name in CHECKS:
        made = CHECKS[name](value, threshold)
        inner = {"check": "not", "value": made} if negated else made
        taken.criteria.append(inner | _weight(assertion))
    else:
        raise NoEquivalentError(LEFT_OUT.get(name, NONE_HERE))


def _refuse_changed(assertion: Mapping[str, Any]) -> None:
    for key in ("transform", "contextTransform"):
        if assertion.get(key):
            raise NoEquivalentError(f"{key} changes the output by code before it is asserted; {CODE}")


def _value(value: Any, values: Mapping[str, Any]) -> Any:
    """The value with its variables filled in."""
    if isinstance(value, str):
        if value.startswith(("file://", "package:")):
            raise NoEquivalentError("names a file; put the value itself into the assertion")
        if value.startswith(("javascript:", "python:")):
            raise NoEquivalentError(CODE)
        return templates.fill(value, values)
    if isinstance(value, list):
        return [_value(one, values) for one in value]
    if isinstance(value, Mapping):
        return {key: _value(one, values) for key, one in value.items()}
    return value


def _weight(assertion: Mapping[str, Any]) -> dict[str, Any]:
    given = assertion.get("weight")
    weight = 1 if given is None else given
    if isinstance(weight, bool) or not isinstance(weight, (int, float)) or weight < 0:
        raise NoEquivalentError(f"weight: {weight!r} is not a number from 0 up")
    return (
        {"must_pass": False, "weight": 0}
        if weight == 0
        else {"must_pass": True} | ({"weight": weight} if weight != 1 else {})
    )


# --- by words, for a judge -------------------------------------------------------------------------------------------

WORDS: Mapping[str, str] = {
    "llm-rubric": "{}",
    "g-eval": "{}",
    "model-graded-closedqa": "{}",
    "factuality": "The output agrees with this reference and contradicts nothing in it: {}",
    "model-graded-factuality": "The output agrees with this reference and contradicts nothing in it: {}",
    "similar": "The output means the same as: {}",
    "conversation-relevance": "The output is relevant to the conversation. {}",
}


def _judged(
    name: str, value: Any, threshold: Any, negated: bool, assertion: Mapping[str, Any], taken: AssertedCriteria
) -> None:
    said = [_written(one) for one in (value if isinstance(value, list) else [value]) if one]
    said = [one for one in said if one.strip()] or ([""] if name == "conversation-relevance" else [])
    if not said:
        raise NoEquivalentError("has no words to judge by")
    usable = isinstance(threshold, (int, float)) and not isinstance(threshold, bool) and 0 <= threshold <= 1
    met = {"met_threshold": threshold} if usable and name != "similar" else {}
    if name == "similar" and not negated and len(said) > 1:
        said = [f"one of these, whichever of them: {'; '.join(said)}"]
    for one in said:
        words = WORDS[name].replace("{}", one).strip()
        told = {"text": f"It is not so that: {words}" if negated else words}
        taken.criteria.append(told | met | _weight(assertion))
    if name == "similar":
        taken.near.append(
            (name, "an embedding's distance is not measured here; a judge says whether the meaning is the same")
        )
    if assertion.get("provider") or assertion.get("rubricPrompt"):
        taken.near.append((f"{name} provider or rubricPrompt", JUDGE))


# --- against evidence ------------------------------------------------------------------------------------------------


def _faithful(value: Any, threshold: Any, assertion: Mapping[str, Any], taken: AssertedCriteria) -> None:
    taken.grounded = True
    taken.near.append(("context-faithfulness", "the checkpoint `answer` checks every claim against the context"))


def _recalled(value: Any, threshold: Any, assertion: Mapping[str, Any], taken: AssertedCriteria) -> None:
    if not isinstance(value, str) or not value:
        raise NoEquivalentError("has no reference")
    options = {"threshold": _share(threshold), "reference": value}
    taken.criteria.append({"check": "context_recall", "value": options} | _weight(assertion))
    taken.near.append(("context-recall", "measured by rules; short of the threshold it is partial, never a fail"))


def _measure(check: str, why: str) -> Callable[[Any, Any, Mapping[str, Any], AssertedCriteria], None]:
    def add(value: Any, threshold: Any, assertion: Mapping[str, Any], taken: AssertedCriteria) -> None:
        taken.criteria.append({"check": check, "value": _share(threshold)} | _weight(assertion))
        taken.near.append((why, f"measured by `{check}`; short of the threshold it is partial, never a fail"))

    return add


def _share(threshold: Any) -> float:
    usable = isinstance(threshold, (int, float)) and not isinstance(threshold, bool) and 0 < threshold <= 1
    return float(threshold) if usable else thresholds.threshold("measure")


EVIDENCE: Mapping[str, Callable[[Any, Any, Mapping[str, Any], AssertedCriteria], None]] = {
    "context-faithfulness": _faithful,
    "context-recall": _recalled,
    "context-relevance": _measure("context_precision", "context-relevance"),
    "answer-relevance": _measure("answer_relevancy", "answer-relevance"),
}


# --- deterministic ---------------------------------------------------------------------------------------------------

Made = dict[str, Any]


def _texts(value: Any) -> list[str]:
    """A list, or one text whose parts are set apart by commas; quotes keep a comma inside a part."""
    import csv

    if isinstance(value, str):
        try:
            value = next(iter(csv.reader([value], skipinitialspace=True)), [])
        except csv.Error:
            raise NoEquivalentError("is no line of texts set apart by commas; write them as a list") from None
    listed = [_written(one).strip() for one in value] if isinstance(value, list) else []
    if not listed or not all(listed):
        raise NoEquivalentError("has no text to look for")
    return listed


def _one(value: Any) -> str:
    if value is None or isinstance(value, (dict, list)) or not str(value):
        raise NoEquivalentError("has no text to look for")
    return _written(value)


def _written(value: Any) -> str:
    """A value as promptfoo writes it into a text: `true`, not `True`, and `2` for 2.0."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _equals(value: Any, threshold: Any) -> Made:
    if value is None:
        raise NoEquivalentError("has no value")
    return {"check": "equals", "value": value if isinstance(value, (str, dict, list)) else _written(value)}


def _regex(value: Any, threshold: Any) -> Made:
    pattern = _one(value)
    try:
        patterns.compiled(pattern)
    except InputError as exc:
        raise NoEquivalentError(str(exc)) from None
    return {"check": "format_regex", "value": pattern}


def _json(value: Any, threshold: Any) -> Made:
    if value is not None and not isinstance(value, Mapping):
        raise NoEquivalentError("the schema is given as text; write it as an object")
    return {"check": "json_schema", "value": dict(value or {})}


def _word_count(value: Any, threshold: Any) -> Made:
    low, high = (value.get("min", 0), value.get("max", 10_000_000)) if isinstance(value, Mapping) else (value, value)
    if not all(isinstance(one, int) and not isinstance(one, bool) for one in (low, high)):
        raise NoEquivalentError(f"{value!r} is not a number of words")
    return {"check": "word_count_range", "value": [low, high]}


def _containing(mode: str, ignore_case: bool) -> Callable[[Any, Any], Made]:
    def make(value: Any, threshold: Any) -> Made:
        wanted = [_one(value)] if mode == "one" else _texts(value)
        told: Made = {"any" if mode == "any" else "all": wanted}
        return {"check": "contains", "value": told | ({"ignore_case": True} if ignore_case else {})}

    return make


def _similar(measure: str, default: float) -> Callable[[Any, Any], Made]:
    def make(value: Any, threshold: Any) -> Made:
        least = float(threshold) if isinstance(threshold, (int, float)) and 0 <= threshold <= 1 else default
        return {"check": "similar_to", "value": {"text": _one(value), "measure": measure, "min": least}}

    return make


def _edits(value: Any, threshold: Any) -> Made:
    most = int(threshold) if isinstance(threshold, (int, float)) and threshold >= 0 else 5
    return {"check": "similar_to", "value": {"text": _one(value), "measure": "edits", "max_edits": most}}


CHECKS: Mapping[str, Callable[[Any, Any], Made]] = {
    "equals": _equals,
    "contains": _containing("one", False),
    "icontains": _containing("one", True),
    "contains-all": _containing("all", False),
    "icontains-all": _containing("all", True),
    "contains-any": _containing("any", False),
    "icontains-any": _containing("any", True),
    "starts-with": lambda value, threshold: {"check": "starts_with", "value": _one(value)},
    "regex": _regex,
    "is-json": _json,
    "word-count": _word_count,
    "is-refusal": lambda value, threshold: {"check": "not", "value": {"check": "not_a_refusal"}},
    "levenshtein": _edits,
    "rouge-n": _similar("rouge_1", 0.75),
    "bleu": _similar("bleu", 0.5),
    "gleu": _similar("gleu", 0.5),
}
