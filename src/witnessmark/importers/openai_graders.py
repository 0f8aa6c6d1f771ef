"""OpenAI's graders as criteria. One that has no equivalent is left out with the reason; none is run, none is called."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from witnessmark.core.thresholds import threshold
from witnessmark.importers import templates
from witnessmark.importers.import_result import NoEquivalentError, many

OUTPUT = ("sample.output_text", "sample.output")
THE_OUTPUT = "(the output)"
CODE = "code of another tool is never run here; write it as a check (docs/extending.md)"
JUDGE = "a judge configured for Witnessmark reads the same words (--judge); the model named there is not asked"
SIMILAR = {"fuzzy_match": "fuzzy", "bleu": "bleu", "gleu": "gleu", "rouge_l": "rouge_l"} | {
    f"rouge_{n}": f"rouge_{n}" for n in range(1, 6)
}


@dataclass(slots=True)
class GraderCriteria:
    """What a grader comes to."""

    criteria: list[dict[str, Any]] = field(default_factory=list)
    near: list[str] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)


def graded(grader: Mapping[str, Any], values: Mapping[str, Any]) -> GraderCriteria:
    """The criteria of a grader for one item; raises LeftOutError where there are none."""
    make = GRADERS.get(str(grader.get("type")))
    if make is None:
        raise NoEquivalentError("no check here grades like that")
    return make(grader, values)


def _against_output(grader: Mapping[str, Any], values: Mapping[str, Any], symmetric: bool) -> str:
    """The other side of a comparison with the output, which must stand on one side of it by itself."""
    sides = [str(grader.get("input", "")), str(grader.get("reference", ""))]
    ours = [templates.only_name(side) in OUTPUT for side in sides]
    if ours == [True, False]:
        return templates.fill(sides[1], values)
    if ours == [False, True] and symmetric:
        return templates.fill(sides[0], values)
    raise NoEquivalentError("compares something other than the whole output ({{sample.output_text}}) with a reference")


def _string_check(grader: Mapping[str, Any], values: Mapping[str, Any]) -> GraderCriteria:
    operation = grader.get("operation")
    if operation in ("eq", "ne", "neq"):
        wanted = _against_output(grader, values, symmetric=True)
        same = {"check": "equals", "value": wanted}
        return GraderCriteria([same if operation == "eq" else {"check": "not", "value": same}])
    if operation in ("like", "ilike"):
        wanted = _against_output(grader, values, symmetric=False)
        if not wanted:
            raise NoEquivalentError("every output contains an empty reference")
        told = {"all": [wanted]} | ({"ignore_case": True} if operation == "ilike" else {})
        return GraderCriteria([{"check": "contains", "value": told}])
    raise NoEquivalentError(f"operation {operation!r} is not one of eq, ne, like, ilike")


def _text_similarity(grader: Mapping[str, Any], values: Mapping[str, Any]) -> GraderCriteria:
    metric = str(grader.get("evaluation_metric"))
    if metric not in SIMILAR:
        raise NoEquivalentError(f"evaluation_metric {metric} is not measured here; {', '.join(SIMILAR)} are")
    least = _unit(grader.get("pass_threshold"), threshold("similar"))
    wanted = _against_output(grader, values, symmetric=metric.startswith(("rouge", "fuzzy", "gleu")))
    made = GraderCriteria(
        [{"check": "similar_to", "value": {"text": wanted, "measure": SIMILAR[metric], "min": least}}]
    )
    made.near.append(f"`similar_to` measures {SIMILAR[metric]} its own way; scores near the threshold may differ")
    return made


def _unit(value: Any, default: float) -> float:
    usable = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1
    return float(value) if usable else default


# --- model graders ---------------------------------------------------------------------------------------------------


def _words(grader: Mapping[str, Any], values: Mapping[str, Any]) -> str:
    """The messages to the grading model as one text; where they quote the output, they point to it instead."""
    shown = dict(values) | {"sample": {name.partition(".")[2]: THE_OUTPUT for name in OUTPUT}}
    given = grader.get("input")
    messages = [{"content": given}] if isinstance(given, str) else given if isinstance(given, list) else []
    parts = [part for m in messages if isinstance(m, Mapping) for part in _contents(m.get("content"))]
    text = "\n".join(templates.fill(part, shown) for part in parts).strip()
    if not text:
        raise NoEquivalentError("has no words to judge by")
    return text


def _contents(content: Any) -> list[str]:
    listed = content if isinstance(content, list) else [content]
    texts = [one.get("text") if isinstance(one, Mapping) else one for one in listed]
    if not all(isinstance(text, str) for text in texts):
        raise NoEquivalentError("its prompt holds more than text")
    return [text for text in texts if isinstance(text, str)]


def _score_model(grader: Mapping[str, Any], values: Mapping[str, Any]) -> GraderCriteria:
    edges = grader.get("range") or [0, 1]
    numbers = isinstance(edges, list) and len(edges) == 2 and all(isinstance(edge, (int, float)) for edge in edges)
    if not numbers or edges[0] >= edges[1]:
        raise NoEquivalentError(f"range {grader.get('range')!r} is not a range")
    low, high = edges
    threshold = grader.get("pass_threshold")
    made: dict[str, Any] = {"text": _words(grader, values), "scale": "unit", "must_pass": True}
    if isinstance(threshold, (int, float)) and not isinstance(threshold, bool):
        made["met_threshold"] = round(min(1.0, max(0.0, (threshold - low) / (high - low))), 6)
    return GraderCriteria([made], [JUDGE])


def _label_model(grader: Mapping[str, Any], values: Mapping[str, Any]) -> GraderCriteria:
    labels = [str(label) for label in many(grader.get("labels"), "labels")]
    passing = [str(label) for label in many(grader.get("passing_labels"), "passing_labels")]
    if not passing:
        raise NoEquivalentError("has no passing_labels")
    of = f" (of: {', '.join(labels)})" if labels else ""
    text = f"{_words(grader, values)}\nThe criterion is met where the right label is {' or '.join(passing)}{of}."
    return GraderCriteria([{"text": text, "scale": "binary", "must_pass": True}], [JUDGE])


def _code(grader: Mapping[str, Any], values: Mapping[str, Any]) -> GraderCriteria:
    raise NoEquivalentError(CODE)


def _endpoint(grader: Mapping[str, Any], values: Mapping[str, Any]) -> GraderCriteria:
    raise NoEquivalentError("a service of another tool decides it")


# --- several as one --------------------------------------------------------------------------------------------------


def _multi(grader: Mapping[str, Any], values: Mapping[str, Any]) -> GraderCriteria:
    """Each grader with the weight the formula gives it, so that the score is the formula's where it is a weighted mean.

    Where the formula is the least of them (`min(a, b)`), each must pass.
    """
    graders = grader.get("graders")
    if not isinstance(graders, Mapping) or not graders:
        raise NoEquivalentError("has no graders")
    formula = str(grader.get("calculate_output", ""))
    least = lowest(formula)
    weights = linear(formula) if not least else dict.fromkeys(least, 1.0)
    made = GraderCriteria()
    if weights is None or any(weight < 0 for weight in weights.values()):
        made.near.append("its formula is not a weighted mean; every grader counts the same here")
        weights = None
    for name, inner in graders.items():
        if weights is not None and not weights.get(name):
            continue
        try:
            got = graded(inner, values) if isinstance(inner, Mapping) else _code({}, {})
        except NoEquivalentError as exc:
            made.left_out.append((f"multi {name}", str(exc)))
            continue
        share = {"weight": weights[name]} if weights is not None else {}
        made.criteria += [criterion | share | {"must_pass": bool(least)} for criterion in got.criteria]
        made.near += got.near
        made.left_out += got.left_out
    return made


def lowest(formula: str) -> tuple[str, ...]:
    """The names of a formula that is the least of them; none where it is anything else."""
    try:
        tree = ast.parse(formula.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or tree.func.id != "min" or tree.keywords:
        return ()
    given = tree.args[0].elts if len(tree.args) == 1 and isinstance(tree.args[0], (ast.List, ast.Tuple)) else tree.args
    names = tuple(one.id for one in given if isinstance(one, ast.Name))
    return names if len(names) == len(given) else ()


def linear(formula: str) -> dict[str, float] | None:
    """The weights of a formula that adds up names times numbers; None where it does anything else."""
    try:
        tree = ast.parse(formula.strip(), mode="eval").body
        weights = _terms(tree)
    except (SyntaxError, TypeError, ValueError, ZeroDivisionError, OverflowError, RecursionError, MemoryError):
        return None
    return weights if "" not in weights and weights else None


def _terms(node: ast.expr) -> dict[str, float]:
    """Weights by name; the constant stands under the empty name."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return {"": float(node.value)}
    if isinstance(node, ast.Name):
        return {node.id: 1.0}
    if not isinstance(node, ast.BinOp):
        raise TypeError("neither a number, a name nor a sum")
    left, right = _terms(node.left), _terms(node.right)
    if isinstance(node.op, (ast.Add, ast.Sub)):
        sign = 1 if isinstance(node.op, ast.Add) else -1
        return {name: left.get(name, 0.0) + sign * right.get(name, 0.0) for name in left | right}
    if isinstance(node.op, ast.Mult) and left.keys() == {""}:
        left, right = right, left
    if isinstance(node.op, (ast.Mult, ast.Div)) and right.keys() == {""}:
        by = right[""] if isinstance(node.op, ast.Mult) else 1 / right[""]
        return {name: weight * by for name, weight in left.items()}
    raise SyntaxError("more than a weighted sum")


GRADERS: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Any]], GraderCriteria]] = {
    "string_check": _string_check,
    "text_similarity": _text_similarity,
    "score_model": _score_model,
    "label_model": _label_model,
    "python": _code,
    "endpoint": _endpoint,
    "multi": _multi,
}
