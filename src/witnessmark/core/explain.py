"""What msgspec complains of, as a person can act on it: the path, what is wrong there, and what may stand instead."""

from __future__ import annotations

import codecs
import contextlib
import json
import math
import re
from collections.abc import Iterable
from typing import Any, TypeVar, overload

import msgspec

from witnessmark.core.errors import InputError, UnknownNameError

T = TypeVar("T")
_ELSEWHERE = {"content": "text", "page_content": "text", "body": "text", "source": "origin", "url": "origin"}
"""What other tools call the fields of a source; too far from our names for a guess by spelling."""
_IN_CONTEXT = frozenset({"complexity", "stakes", "policy", "verifier_model", "skip_judges", "scoring_mode", "samples"})
"""What stands in a case's context, and is often written beside it."""


def clipped(text: str, most: int) -> str:
    """The text, or as much of it as fits into so many characters with the sign that there is more.

    >>> clipped("supported", 20), clipped("supported", 8)
    ('supported', 'support…')
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


@overload
def convert(data: Any, cls: type[T], at: str = "") -> T: ...


@overload
def convert(data: Any, cls: Any, at: str = "") -> Any: ...


def convert(data: Any, cls: Any, at: str = "") -> Any:
    """The data as a value of this type; InputError says what is wrong, and where in what is called `at`."""
    try:
        return msgspec.convert(data, cls)
    except msgspec.ValidationError as exc:
        told = explain(exc, cls, data=data)
    place = "" if told.startswith("[") else ": " if told.startswith(("missing field", "the value: ")) else "."
    raise InputError(f"{at}{place}{told.removeprefix('the value: ')}" if at else told)


def explain(exc: msgspec.ValidationError, cls: Any, at: str = "", data: Any = None, more: Iterable[str] = ()) -> str:
    """A msgspec complaint as `path: what is wrong; what to do`.

    `data` is what was read, where it is at hand: it says which of several kinds an object is. `more` are names that may
    stand at the top beside the fields.
    """
    text, _, where = str(exc).partition(" - at `")
    of_key, where = where.startswith(_KEY), where.removeprefix(_KEY)
    path = where.rstrip("`").removeprefix("$").removeprefix(".")
    path = ".".join(p for p in (at, path) if p).replace(".[", "[")
    unknown = re.fullmatch(r"Object contains unknown field `(.*)`", text, re.DOTALL)
    if unknown:
        return _unknown_field(unknown.group(1), path, cls, data, more)
    text = in_words(text.replace("Object missing required field", "missing field"))
    if re.match(r"[\w.]+(\[\d+\])?(\.\w+)*: ", text):  # one of ours, which names its field
        return f"{path}.{text}" if path else text
    if text.startswith(("must be ", "missing field")) and (form := _form(path, cls)):
        text += f"; write {form}"
    if not path and text.startswith("missing field"):
        return text
    word = re.fullmatch(r"Invalid (?:enum )?value (.*)", text, re.DOTALL)
    if word and of_key:
        return f"{path or 'the value'}: unknown key {word.group(1)}"
    said = f"{word.group(1)} {_instead(path, cls)}" if word else text[:1].lower() + text[1:]
    return f"{path or 'the value'}: {said}"


def refuse_arguments(exc: TypeError, cls: Any, more: Iterable[str] = ()) -> None:
    """Raise InputError where a value was built in Python by a field it has not, or without one it needs; else nothing."""
    said = re.fullmatch(r"(Unexpected keyword|Missing required) argument '(.*)'", str(exc), re.DOTALL)
    if said is None:
        return
    unknown, name = said.group(1).startswith("Unexpected"), said.group(2)
    form = "" if unknown else _form(name, cls)
    told = _unknown_field(name, "", cls, None, more) if unknown else f"missing field `{name}`"
    raise InputError(f"{told}; write {form}" if form else told) from None


def _form(path: str, cls: Any) -> str:
    """How the field at a path is written, or the item of a list there, where its class says so (`Case.FORMS`); else empty."""
    field = re.fullmatch(r"(\w+)(?:\[\d+\]|\[\.\.\.\])?", path)
    forms: dict[str, str] = getattr(cls, "FORMS", {})
    return forms.get(field.group(1), "") if field else ""


_TYPES = {
    "object": "an object", "str": "a text", "int": "a whole number", "float": "a number", "bool": "true or false",
    "array": "a list", "null": "null",
}  # fmt: skip
"""What msgspec calls types, as whoever writes JSON or TOML calls them."""
_BOUNDS = {">=": "of at least", "<=": "of at most", ">": "above", "<": "below"}
_KEY = "key` in `"
_LENGTH = re.compile(r"Expected `(array|str|object)` of length (?:(>=|<=) )?(\d+)(?:, got (\d+))?")
_MEMBERS = {"array": "items", "str": "characters", "object": "keys"}


def in_words(complaint: str) -> str:
    """What msgspec says of a wrong type, without the words of a programming language: `must be a number, not a text`."""
    if sized := _LENGTH.fullmatch(complaint):
        kind, bound, limit, got = sized.groups()
        least = {">=": "at least ", "<=": "at most "}.get(bound, "")
        return f"must be {_TYPES[kind]} of {least}{limit} {_MEMBERS[kind]}" + (f", not {got}" if got else "")
    found = re.fullmatch(r"Expected `([\w |]+)`(?: (>=|<=|>|<) (-?[\d.]+))?(?:, got `(\w+)`)?", complaint)
    if found is None:
        return complaint
    wanted, bound, limit, got = found.groups()
    parts = [_TYPES.get(part.strip(), part.strip()) for part in wanted.split("|")]
    if "int" in wanted and "float" in wanted:
        parts.remove("a whole number")
    known = " or ".join(parts)
    within = f" {_BOUNDS[bound]} {float(limit):,.10g}" if bound else ""
    return f"must be {known}{within}" + (f", not {_TYPES.get(got, got)}" if got else "")


def _instead(path: str, cls: Any) -> str:
    """What may stand there, where only some words may."""
    known = _choices(cls, path)
    return f"is not one of {', '.join(known)}" if known else "may not stand here"


def _choices(cls: Any, path: str) -> tuple[str, ...]:
    """The words that a schema knows for a place, whichever of several kinds is meant; none where it cannot be said."""
    words = (word for arm in _at(cls, path)[0] for word in arm.get("enum", ()))
    return tuple(dict.fromkeys(str(word) for word in words if word is not None))


def _at(cls: Any, path: str, data: Any = None) -> tuple[list[Any], Any]:
    """The schemas that may stand at a path, and what of the data stands there."""
    schema = msgspec.json.schema(cls)
    parts = schema.get("$defs", {})
    nodes: list[Any] = [schema]
    for part in re.findall(r"\w+|\[", path.replace("[...]", "[")):
        if part.isdigit():
            data = data[int(part)] if isinstance(data, (list, tuple)) and int(part) < len(data) else None
            continue
        nodes = [inner for node in nodes for inner in _inside(node, part, parts)]
        if part != "[":
            data = data.get(part) if isinstance(data, dict) else None
    return [arm for node in nodes for arm in _arms(node, parts)], data


def _inside(node: Any, part: str, parts: Any) -> list[Any]:
    arms = _arms(node, parts)
    if part == "[":
        return [arm[key] for arm in arms for key in ("items", "additionalProperties") if isinstance(arm.get(key), dict)]
    return [arm["properties"][part] for arm in arms if part in arm.get("properties", {})]


def _arms(node: Any, parts: Any) -> list[Any]:
    """A schema, or the schemas it stands for."""
    if "$ref" in node:
        return _arms(parts[node["$ref"].rpartition("/")[2]], parts)
    if "anyOf" in node:
        return [arm for inner in node["anyOf"] for arm in _arms(inner, parts)]
    return [node]


def _unknown_field(name: str, path: str, cls: Any, data: Any, more: Iterable[str]) -> str:
    full = f"{path}.{name}" if path else name
    known = {*_fields_at(cls, path, data), *(more if not path else ())} - {name}
    if _ELSEWHERE.get(name) in known:
        return f"{full}: unknown field; did you mean {_ELSEWHERE[name]}?"
    if not path and name in _IN_CONTEXT and "context" in known:
        return f'{full}: unknown field; it belongs in context: {{"context": {{"{name}": …}}}}'
    complaint = str(UnknownNameError("field", name, sorted(known))).removeprefix(f"unknown field {name!r}").lstrip("; ")
    record = "; a record of your own goes under data" if {"data", "text", "origin"} <= known else ""
    return f"{full}: unknown field; {complaint or f'known here: {_listed(known)}{record}'}"


def _listed(known: Iterable[str]) -> str:
    return ", ".join(sorted(known)) or "none"


def _fields_at(cls: Any, path: str, data: Any) -> set[str]:
    """The fields of the object at a path; of the kind that the data says it is, where it says so."""
    arms, data = _at(cls, path, data)
    kind = data.get("kind") if isinstance(data, dict) else None
    same = [arm for arm in arms if kind in arm.get("properties", {}).get("kind", {}).get("enum", ())]
    return {name for arm in same or arms for name in arm.get("properties", {})}


def refuse_large_numbers(data: bytes) -> None:
    """Raise InputError where JSON holds a number that no float can keep; what else may be wrong is told by whoever reads it."""
    with contextlib.suppress(json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        json.loads(data.removeprefix(codecs.BOM_UTF8), parse_float=_kept_float)


def _kept_float(word: str) -> float:
    value = float(word)
    if not math.isfinite(value):
        raise InputError(f"{word[:40]}: a number this large cannot be kept; write it as text")
    return value
