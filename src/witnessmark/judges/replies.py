"""A judge's reply as data that fits the question's schema, or the exact complaint. Nothing missing is ever filled in.

Whole JSON, JSON in a fence or between prose, and JSON as models misspell it are read; booleans and numbers as strings
become what the schema asks for. What a model that thinks aloud writes before its answer is left out. Two answers in one reply
are none. Knows nothing about judges or transport.
"""

from __future__ import annotations

import functools
import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypedDict

import msgspec

from witnessmark.judges import lenient_json as lenient

MAX_CHARS = 200_000
MAX_STARTS = 64
MAX_COMPLAINTS = 5
_DRAFT = re.compile(r"\s*<(think|thinking)>.*?</\1>", re.DOTALL | re.IGNORECASE)
"""What a model writes to itself before it answers."""
_KEY = re.compile(r'"\s*:')
_NUMBER = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,15})?")
_BOOLEANS = {"true": True, "yes": True, "false": False, "no": False}


class UnreadableReplyError(ValueError):
    """Why a reply cannot be used, in our words only: this is told to the judge, and to the user."""


def read(text: str, schema: Mapping[str, Any], written: bytes | None = None) -> dict[str, Any]:
    """The one object in the reply, fitting the schema (`written` is the same as JSON); UnreadableReplyError otherwise.

    What was judged may be quoted in the reply, badly escaped, and hold an answer of its own. So nothing is picked: a second
    object, a stray brace, a key that stands twice each make the reply unreadable.
    """
    if not text.strip():
        raise UnreadableReplyError("the reply was empty")
    if len(text) > MAX_CHARS:
        raise UnreadableReplyError(f"the reply is longer than {MAX_CHARS} characters")
    text = answered(text)
    written = written or msgspec.json.encode(schema)
    plain = _plainly(text, written)
    if plain is not None:
        return plain
    found, alone = _objects(text, _decoded)
    if not alone:
        mended, alone = _objects(text, _leniently)
        # A misspelt reply gets no benefit of the doubt about fields that nobody asked for.
        return _fitting(mended, alone, schema, written, drop_extra=False)
    return _fitting(found, alone, schema, written, drop_extra=True)


def answered(text: str) -> str:
    """A reply without the draft before it; one that does not end is no draft, and what comes after it is still read whole."""
    draft = _DRAFT.match(text)
    return text if draft is None else text[draft.end() :]


def _fitting(
    found: list[dict[str, Any]], alone: bool, schema: Mapping[str, Any], written: bytes, *, drop_extra: bool
) -> dict[str, Any]:
    if not found:
        raise UnreadableReplyError("the reply holds no JSON object; give exactly one, and nothing else")
    if not alone:
        raise UnreadableReplyError(
            "the reply holds more than one answer; give exactly one JSON object, and nothing else"
        )
    if _validator(written).is_valid(found[0]):
        return found[0]
    made: dict[str, Any] = _coerced(found[0], schema, drop_extra)
    wrong = complaints(made, schema)
    if wrong:
        raise UnreadableReplyError("; ".join(wrong))
    return made


# --- plain replies ------------------------------------------------------------------------------------------------


def _plainly(text: str, schema: bytes) -> dict[str, Any] | None:
    """The data of a reply that is nothing but an object by the schema, as most are: one step. None: read it with care."""
    made = _plain_decoder(schema)
    # All keys that are asked for and no more colons after a quote than these: no other key, and none that stands twice.
    if made is None or len(_KEY.findall(text)) != made[1]:
        return None
    try:
        data: dict[str, Any] = made[0].decode(text)
    except (msgspec.DecodeError, UnicodeError):
        return None
    return data


@functools.lru_cache(maxsize=256)
def _plain_decoder(schema: bytes) -> tuple[msgspec.json.Decoder[Any], int] | None:
    """What reads replies that fit the schema, and how many keys they have; None where replies may have more or fewer."""
    keys: list[str] = []
    try:
        declared = _closed_object(msgspec.json.decode(schema), keys)
    except _UnusualSchemaError:
        return None
    return msgspec.json.Decoder(declared), len(keys)


class _UnusualSchemaError(Exception):
    """A schema that takes more than plain objects with a fixed set of keys."""


def _closed_object(schema: Any, keys: list[str]) -> Any:
    """The type of an object that has all of its keys and no others; they are added to `keys`."""
    match schema:
        case {"type": "object", "additionalProperties": False, "properties": {} as inner, "required": [*names], **rest}:
            if inner and not rest and set(names) == set(inner):
                keys += inner
                return TypedDict("_Object", {name: _type(part, keys) for name, part in inner.items()})  # type: ignore[operator]
    raise _UnusualSchemaError


def _type(schema: Any, keys: list[str]) -> Any:
    """A type that takes no more than the schema does; of the numbers it lists, those that are whole."""
    match schema:
        case {"type": "string", **rest} if not rest:
            return str
        case {"type": "boolean", **rest} if not rest:
            return bool
        case {"type": "string", "enum": [str(), *_] as words, **rest} if not rest and set(map(type, words)) == {str}:
            return Literal[tuple(words)]
        case {"type": "number" | "integer", "enum": [*numbers], **rest} if not rest and int in map(type, numbers):
            return Literal[tuple(number for number in numbers if type(number) is int)]
        case {"type": "integer", "minimum": int(low), "maximum": int(high), **rest} if not rest:
            return Annotated[int, msgspec.Meta(ge=low, le=high)]
        case {"type": "number", "minimum": int(low), "maximum": int(high), **rest} if not rest:
            bounds = msgspec.Meta(ge=low, le=high)
            return Annotated[int, bounds] | Annotated[float, bounds]
        case _:
            return _closed_object(schema, keys)


# --- finding ----------------------------------------------------------------------------------------------------


def _objects(text: str, decode: Any) -> tuple[list[dict[str, Any]], bool]:
    """The outermost objects of a text, and whether there is one alone: none other, and no brace outside it."""
    found: list[dict[str, Any]] = []
    outside: list[str] = []
    at = starts = 0
    while (start := text.find("{", at)) >= 0 and starts < MAX_STARTS:
        starts += 1
        outside.append(text[at:start])
        made = decode(text, start)
        if made is None:
            outside.append("{")
        elif made[0]:
            found.append(made[0])
        at = start + 1 if made is None else made[1]
    outside.append(text[at:])
    rest = "".join(outside)
    return found, len(found) == 1 and "{" not in rest and "}" not in rest


def _decoded(text: str, at: int) -> tuple[Any, int] | None:
    try:
        value, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None
    return value, end


def _leniently(text: str, at: int) -> tuple[Any, int] | None:
    try:
        value, end, _ = lenient.loads(text, at)
    except lenient.NotReadableError:
        return None
    return value, end


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key appears twice")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number")


def _float(word: str) -> float:
    value = float(word)
    if not math.isfinite(value):
        raise ValueError("a number too large to keep")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant, parse_float=_float)


# --- fitting ----------------------------------------------------------------------------------------------------


def _coerced(value: Any, schema: Any, drop_extra: bool, depth: int = 0) -> Any:
    """The value in the types the schema names, where only the spelling differs."""
    if not isinstance(schema, Mapping) or depth > lenient.MAX_DEPTH:
        return value
    arms = schema.get("anyOf") or schema.get("oneOf")
    if arms:
        fits = (made for arm in arms if not complaints(made := _coerced(value, arm, drop_extra, depth + 1), arm))
        return next(fits, value)
    if isinstance(value, dict):
        return _coerced_object(value, schema, drop_extra, depth)
    if isinstance(value, list):
        return [_coerced(item, schema.get("items"), drop_extra, depth + 1) for item in value]
    return _coerced_scalar(value, schema)


def _coerced_object(value: dict[str, Any], schema: Mapping[str, Any], drop_extra: bool, depth: int) -> dict[str, Any]:
    known: Mapping[str, Any] = schema.get("properties", {})
    extra = schema.get("additionalProperties", True)
    kept = {key: item for key, item in value.items() if key in known or extra is not False or not drop_extra}
    below = extra if isinstance(extra, Mapping) else None
    return {key: _coerced(item, known.get(key, below), drop_extra, depth + 1) for key, item in kept.items()}


def _coerced_scalar(value: Any, schema: Mapping[str, Any]) -> Any:
    wanted = schema.get("type")
    if isinstance(value, str):
        said = value.strip()
        if wanted == "boolean":
            return _BOOLEANS.get(said.lower(), value)
        if wanted in ("number", "integer") and _NUMBER.fullmatch(said):
            number = float(said)
            return int(number) if number.is_integer() else number
        options = {str(option).lower(): option for option in schema.get("enum", ())}
        return options.get(said.lower(), value)
    if wanted == "integer" and isinstance(value, float) and value.is_integer():
        return int(value)
    if wanted == "string" and type(value) is int:
        return str(value)
    return value


@functools.lru_cache(maxsize=256)
def _validator(schema: bytes) -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(msgspec.json.decode(schema), mask="the value", offline=True)


def complaints(value: Any, schema: Mapping[str, Any]) -> list[str]:
    """What does not fit, each with its place and what is asked for; never a word of the value itself."""
    validator = _validator(msgspec.json.encode(schema))
    if validator.is_valid(value):
        return []
    errors = list(validator.iter_errors(value))[:MAX_COMPLAINTS]
    return [f"{_place(error.instance_path)}: {_said(error)}" for error in errors]


def _said(error: Any) -> str:
    """The complaint without what was judged: a name that is not allowed is not repeated."""
    if error.kind.name in ("additionalProperties", "unevaluatedProperties"):
        return "there are fields that are not asked for"
    return str(error.message)


def _place(path: Sequence[Any]) -> str:
    return ".".join(part if isinstance(part, str) and len(part) < 40 else str(part)[:12] for part in path) or "reply"
