"""The names people already use for the parts of a case, read as our own: question, answer, sources, expected, model.

A mapping goes in, the same mapping by the names of `Case` comes out; both spellings give one digest. Knows nothing about
what the parts mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from witnessmark.core.errors import InputError

ALIASES: dict[str, tuple[str, ...]] = {
    "goal": ("question", "input"),
    "subject": ("answer", "output"),
    "evidence": ("contexts", "sources", "documents"),
    "reference": ("expected", "ground_truth"),
    "executor": ("model",),
}
"""Our name of a field, and what else it may be called."""
FORMS: dict[str, str] = {
    "subject": '{"kind": "answer", "text": "…"}, or the text alone as `answer`',
    "evidence": '[{"id": "d1", "text": "…"}], or the texts alone as `sources`: ["…"]',
    "criteria": '["…"], or [{"check": "min_length", "value": 80}]',
    "executor": '{"model": "…"}',
}
"""How a field is written, told to whoever wrote it otherwise."""
NAMES: frozenset[str] = frozenset(alias for aliases in ALIASES.values() for alias in aliases)


def canonical_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a case by our names. Raises InputError for an alias beside its own name or with a wrong type."""
    data = dict(given)
    for name, aliases in ALIASES.items():
        used = [alias for alias in aliases if alias in data]
        if not used:
            continue
        if len(used) > 1:
            raise InputError(f"{used[1]}: means the same as {used[0]}; give one of the two")
        alias = used[0]
        value = data.pop(alias)
        if name == "executor":
            data[name] = _with_model(data.get(name), value)
        elif name in data:
            raise InputError(f"{alias}: is another name for {name}, which is given too; leave one of the two out")
        else:
            data[name] = _value(name, alias, value)
    return data


def add_to_schema(case: dict[str, Any]) -> None:
    """Let the JSON Schema of a case know the other names too, so that an editor does not call them wrong."""
    text = {"type": "string"}
    source = {"anyOf": [text, {"type": "object"}]}
    kinds = {"evidence": {"anyOf": [text, {"type": "array", "items": source}]}}
    for name, others in ALIASES.items():
        case["properties"] |= {alias: kinds.get(name, text) for alias in others}
    case["required"] = [name for name in case.get("required", ()) if name != "subject"]
    case["anyOf"] = [{"required": [name]} for name in ("subject", *ALIASES["subject"])]


def as_written(path: str, given: Mapping[str, Any]) -> str:
    """A path into a case as whoever wrote `given` knows it: `evidence[0].text` is `sources[0].text` to them."""
    for name, aliases in ALIASES.items():
        used = next((alias for alias in aliases if alias in given), None)
        if used is not None and path.startswith(name) and not path[len(name) : len(name) + 1].isidentifier():
            rest = path[len(name) :]
            return used + (
                rest.removeprefix(".text").removeprefix(".model") if name in ("subject", "executor") else rest
            )
    return path


def with_ids(sources: Iterable[Any], prefix: str = "d") -> list[Any]:
    """Texts and mappings as sources, each with an id: d1, d2, … by place where it brings none; what is one already stays.

    The one place where a text becomes a passage. An id that somebody brought is never made again.
    """
    given = list(sources)
    brought = (one.get("id") if isinstance(one, Mapping) else getattr(one, "id", None) for one in given)
    taken = {name for name in brought if isinstance(name, str)}
    made: list[Any] = []
    for number, one in enumerate(given, 1):
        source = {"text": one} if isinstance(one, str) else one
        if isinstance(source, Mapping) and source.get("id") is None:
            name = f"{prefix}{number}"
            while name in taken:
                name += "_"
            taken.add(name)
            source = {**source, "id": name}
        made.append(source)
    return made


def _value(name: str, alias: str, value: Any) -> Any:
    if name == "evidence":
        sources = [value] if isinstance(value, (str, Mapping)) else value
        if not isinstance(sources, (list, tuple)):
            raise InputError(f"{alias}: must be a list of texts or of objects with a text, not {_type_name(value)}")
        for number, one in enumerate(sources):
            if one is None or isinstance(one, (int, float, list, tuple)):
                raise InputError(f"{alias}[{number}]: must be a text or an object with a text, not {_type_name(one)}")
        return with_ids(sources)
    if not isinstance(value, str):
        raise InputError(f"{alias}: must be a text, not {_type_name(value)}")
    return {"kind": "answer", "text": value} if name == "subject" else value


def _with_model(executor: Any, model: Any) -> Any:
    if not isinstance(model, str):
        raise InputError(f"model: must be the name of a model, not {_type_name(model)}")
    if executor is None:
        return {"model": model}
    if not isinstance(executor, Mapping) or executor.get("model") is not None:
        raise InputError("model: is another name for executor.model; leave one of the two out")
    return {**executor, "model": model}


def _type_name(value: Any) -> str:
    names = {dict: "an object", list: "a list", int: "a number", float: "a number", bool: "true or false"}
    return "null" if value is None else names.get(type(value), type(value).__name__)
