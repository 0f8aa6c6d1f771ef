"""OpenAI Evals: the definition with its testing criteria, and items with samples by `--outputs` (or inside the definition).

String checks and text similarities become checks; model graders become criteria in words, asked of a judge configured
here. Python graders are code and are never run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from witnessmark.core.errors import InputError
from witnessmark.importers.import_result import KEY, ImportBuilder, ImportResult, NoEquivalentError, many
from witnessmark.importers.openai_graders import graded

UNREAD = "not imported"
EVAL_KEYS = frozenset({"testing_criteria", "data_source_config", "data_source", "name", "metadata", "id", "object", "created_at", "graders", "grader"})  # fmt: skip


def read(data: Any, outputs: Any = None) -> ImportResult:
    """Cases: every item against every grader."""
    if not isinstance(data, Mapping):
        raise InputError("should be the definition of an eval: an object with testing_criteria")
    graders = list(_graders(data))
    if not graders:
        raise InputError("testing_criteria: there is no grader in this file")
    done = ImportBuilder()
    for key in sorted(set(data) - EVAL_KEYS - (data.keys() if "type" in data else set())):
        done.left_out.add(key, key, UNREAD)
    items = list(_items(outputs if outputs is not None else _inline(data)))
    if not items:
        raise InputError("there is no item to grade: give the items with --outputs items.jsonl")
    for number, (item, sample) in enumerate(items):
        _case(done, f"items[{number}]", graders, item, sample)
    return done.done()


def _graders(data: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if isinstance(data.get("type"), str) and "testing_criteria" not in data:
        yield "grader", data
        return
    found = data.get("testing_criteria") or data.get("graders") or data.get("grader")
    named = list(found.values()) if isinstance(found, Mapping) and "type" not in found else found
    for number, grader in enumerate([named] if isinstance(named, Mapping) else many(named, "testing_criteria")):
        if not isinstance(grader, Mapping):
            raise InputError(f"testing_criteria[{number}]: should be an object with a type")
        yield f"testing_criteria[{number}]", grader


def _inline(data: Mapping[str, Any]) -> Any:
    found: Any = data.get("data_source")
    for key in ("source", "content"):
        found = found.get(key) if isinstance(found, Mapping) else None
    return found or []


def _items(data: Any) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any] | None]]:
    """Items with their samples: as uploaded ({item, sample}), as a run lists them (datasource_item), or bare."""
    for number, row in enumerate(data if isinstance(data, list) else [data]):
        if not isinstance(row, Mapping):
            raise InputError(f"items[{number}]: should be an object, not {type(row).__name__}")
        listed = row.get("data") if row.get("object") == "list" else None
        if isinstance(listed, list):
            yield from _items(listed)
            continue
        item = row.get("datasource_item", row.get("item", row))
        sample = row.get("sample")
        if not isinstance(item, Mapping):
            raise InputError(f"items[{number}].item: should be an object")
        yield (
            item.get("item", item) if isinstance(item.get("item"), Mapping) else item,
            sample if isinstance(sample, Mapping) else None,
        )


def output_text(sample: Mapping[str, Any] | None) -> Any:
    """The text of a sample: `output_text`, or the last message of its output."""
    if sample is None:
        return None
    if isinstance(sample.get("output_text"), str):
        return sample["output_text"]
    messages = sample.get("output")
    if isinstance(messages, str):
        return messages
    said = [m.get("content") for m in many(messages, "sample.output") if isinstance(m, Mapping)]
    return said[-1] if said and isinstance(said[-1], str) else None


def _case(
    done: ImportBuilder,
    where: str,
    graders: Sequence[tuple[str, Mapping[str, Any]]],
    item: Mapping[str, Any],
    sample: Mapping[str, Any] | None,
) -> None:
    criteria: list[dict[str, Any]] = []
    for place, grader in graders:
        name = f"{grader.get('type')} {grader.get('name') or ''}".strip()
        try:
            made = graded(grader, {"item": item})
        except NoEquivalentError as exc:
            done.left_out.add(f"{where}, {place}", name, str(exc))
            continue
        criteria += made.criteria
        for why in made.near:
            done.near.add(f"{where}, {place}", name, why)
        for what, why in made.left_out:
            done.left_out.add(f"{where}, {place}", what, why)
    model = sample.get("model") if sample is not None else None
    body: dict[str, Any] = {
        "goal": _goal(sample, item),
        "subject": {"kind": "task_output", "text": done.output(where, output_text(sample))},
        "criteria": criteria,
        "context": {KEY: {"item": dict(item)}} if item else {},
    }
    done.add(where, body | ({"executor": {"id": model, "model": model}} if isinstance(model, str) and model else {}))


def _goal(sample: Mapping[str, Any] | None, item: Mapping[str, Any]) -> str:
    """What was asked: the last message of the sample's input, or the item's field that says so."""
    messages = sample.get("input") if sample is not None else None
    asked = [m.get("content") for m in messages if isinstance(m, Mapping)] if isinstance(messages, list) else []
    if asked and isinstance(asked[-1], str):
        return asked[-1]
    return next((item[key] for key in ("input", "question", "prompt", "query") if isinstance(item.get(key), str)), "")
