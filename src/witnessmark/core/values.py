"""The base of every word: frozen, checked when built, canonical as JSON.

A msgspec struct checks types when it decodes JSON but not when Python code builds it. `Value` closes that
gap: each field is checked on construction, lists become tuples, mappings become the struct they describe,
and a number that is not finite is refused everywhere. Knows nothing about what the words mean.
"""

from __future__ import annotations

import codecs
import contextlib
import functools
import hashlib
import json
import math
import re
import reprlib
import types
import typing
from collections.abc import Callable
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec.structs import force_setattr

from witnessmark.core.errors import InputError
from witnessmark.core.explain import clipped, explain

Unit = Annotated[float, msgspec.Meta(ge=0.0, le=1.0)]
NotNegative = Annotated[float, msgspec.Meta(ge=0.0)]
Weight = Annotated[float, msgspec.Meta(ge=0.0, le=1e6)]
"""A share among others. Far beyond the bound a sum loses what the others weigh, and at 1e308 it overflows."""
Dollars = Annotated[float, msgspec.Meta(ge=0.0, le=1e6)]  # stores add up billionths in 64 bits: nine billion dollars
Count = Annotated[int, msgspec.Meta(ge=0)]
Span = tuple[Count, Count]
V = TypeVar("V", bound="Value")
Fits = Callable[[Any], bool]

MAX_DEPTH = 200


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A frozen value whose fields are what they are declared to be, however it was built."""

    def __post_init__(self) -> None:
        _checkers[type(self)](self)


class _Checkers(dict[type[Value], Callable[[Any], None]]):
    """The function that looks at a value, by its class; made when one of the class is first built."""

    def __missing__(self, cls: type[Value]) -> Callable[[Any], None]:
        made = self[cls] = _checker(cls)
        return made


_checkers = _Checkers()


def _checker(cls: type[Value]) -> Callable[[Any], None]:
    """One function that looks at every field of the class: compiled once, as dataclasses do, since it is hot.

    A field that holds its default needs no look; one that does not fit is converted or refused. One that equals its
    default becomes that very object, because msgspec leaves out defaults by identity and the digest must not see it.
    """
    hints = typing.get_type_hints(cls, include_extras=True)
    names = cls.__struct_fields__
    defaults = (object(),) * (len(names) - len(cls.__struct_defaults__)) + cls.__struct_defaults__
    scope: dict[str, Any] = {"mend": _mend, "settle": force_setattr, "isfinite": math.isfinite, "is_json": is_json}
    body = ["def look(self):"]
    for number, name in enumerate(names):
        scope[f"default{number}"] = defaults[number]
        test = _test(hints[name], scope)
        body += [f" v = self.{name}", f" if v is not default{number}:", f"  if not ({test}): v = mend(self, {name!r})"]
        if isinstance(defaults[number], (str, int, float)):
            body += [f"  if v == default{number}: settle(self, {name!r}, default{number})"]
    exec("\n".join([*body, " return None"]), scope)  # noqa: S102 - built from our own annotations only
    look: Callable[[Any], None] = scope["look"]
    return look


def _test(declared: Any, scope: dict[str, Any]) -> str:
    """An expression over `v` that is true where v already is what `declared` asks for."""
    origin, args = get_origin(declared), get_args(declared)
    if declared is Any:
        return "is_json(v)"
    if declared is float:
        return "type(v) is float and isfinite(v)"
    if origin is Annotated:
        return f"{_test(args[0], scope)}{_bounds(args[1:])}"
    if origin is Literal:
        return f"type(v) is str and v in {_named(frozenset(args), scope)}"
    if origin in (Union, types.UnionType):
        arms = ["v is None" if arm is type(None) else f"({_test(arm, scope)})" for arm in args]
        return " or ".join(sorted(arms, key=len))
    if origin is tuple and args[-1] is Ellipsis:
        each = _named(_predicate(args[0], scope), scope)
        return f"type(v) is tuple and (not v or all(map({each}, v)))"
    if origin is tuple:
        parts = [f"{_named(_predicate(arg, scope), scope)}(v[{n}])" for n, arg in enumerate(args)]
        return " and ".join(["type(v) is tuple", f"len(v) == {len(args)}", *parts])
    if origin is dict:
        if args == (str, Any):
            return "type(v) is dict and (not v or is_json(v, -1))"
        each = _named(_predicate(args[1], scope), scope)
        return f"type(v) is dict and all(type(k) is str and {each}(x) for k, x in v.items())"
    return f"type(v) is {_named(declared, scope)}"


def _named(thing: Any, scope: dict[str, Any]) -> str:
    name = f"name{len(scope)}"
    scope[name] = thing
    return name


def _predicate(declared: Any, scope: dict[str, Any]) -> Fits:
    made: Fits = eval(f"lambda v: {_test(declared, scope)}", scope)  # noqa: S307 - as above
    return made


def _bounds(notes: tuple[Any, ...]) -> str:
    low = next((note.ge for note in notes if isinstance(note, msgspec.Meta) and note.ge is not None), None)
    high = next((note.le for note in notes if isinstance(note, msgspec.Meta) and note.le is not None), None)
    return (f" and v >= {low!r}" if low is not None else "") + (f" and v <= {high!r}" if high is not None else "")


def _mend(value: Value, name: str) -> Any:
    """Convert a field that does not fit yet (a list for a tuple, a mapping for a struct), or refuse it."""
    declared, fits = _field(type(value), name)
    try:
        made = msgspec.convert(getattr(value, name), declared)
    except msgspec.ValidationError as exc:
        raise InputError(explain(exc, type(value), at=name)) from None
    if not fits(made):
        raise InputError(f"{name}: {_why_not(made)}")
    force_setattr(value, name, made)
    return made


@functools.cache
def _field(cls: type[Value], name: str) -> tuple[Any, Fits]:
    """What a field is declared to be, and whether something fits: worked out once, since it is slow."""
    declared = typing.get_type_hints(cls, include_extras=True)[name]
    return declared, _predicate(declared, {"isfinite": math.isfinite, "is_json": is_json})


def _why_not(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return f"{value} is not a number Witnessmark can keep; leave the field out (null) when there is no number"
    return f"{clipped(reprlib.repr(value), 60)} does not fit here; only finite numbers and JSON values are kept"


_LEAVES = frozenset({str, bool, int, type(None)})


def is_json(value: Any, depth: int = 0) -> bool:
    """Whether `value` is JSON as we keep it: string keys, finite numbers, not nested without end.

    Looks at leaves where they hang instead of calling itself for each, since this is hot.
    """
    kind = type(value)
    if kind in _LEAVES:
        return True
    if kind is float:
        return math.isfinite(value)
    if depth > MAX_DEPTH:
        return False
    if kind is dict:
        for key in value:
            if type(key) is not str:
                return False
        value = value.values()
    elif kind is not list and kind is not tuple:
        return value is msgspec.UNSET
    for inner in value:  # noqa: SIM110 - a generator costs more than most values here
        if type(inner) not in _LEAVES and not is_json(inner, depth + 1):
            return False
    return True


# --- JSON in and out -----------------------------------------------------------------------------------


def parse(data: bytes, cls: type[V]) -> V:
    """Read one value from JSON bytes; anything wrong is an InputError that names the field and the fix."""
    try:
        made: V = _decoder(cls).decode(data.removeprefix(codecs.BOM_UTF8))
        return made
    except msgspec.ValidationError as exc:
        raise InputError(explain(exc, cls, data=json_object(data))) from None
    except UnicodeDecodeError:
        raise InputError("not UTF-8: save the file as UTF-8 and try again") from None
    except msgspec.DecodeError as exc:
        raise InputError(not_json(exc, data)) from None
    except RecursionError:
        raise InputError("JSON nested too deeply: flatten the data or put it into a file of its own") from None


def json_object(data: bytes) -> dict[str, Any] | None:
    """A JSON object by its fields; None where the bytes are none."""
    try:
        found = msgspec.json.decode(data.removeprefix(codecs.BOM_UTF8))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def refuse_twice(data: bytes) -> None:
    """Raise InputError where an object has a key twice: which of the two was meant, no two readers agree on."""
    with contextlib.suppress(
        json.JSONDecodeError, UnicodeDecodeError, RecursionError
    ):  # whoever reads it tells of these
        _pairs.decode(data.removeprefix(codecs.BOM_UTF8).decode())


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise InputError(
            f"{next(name for name in names if names.count(name) > 1)}: is given twice; leave one of them out"
        )
    return found


_pairs = json.JSONDecoder(object_pairs_hook=_once, parse_int=str, parse_float=str, parse_constant=str)
"""Made once, since every case is read by it; numbers stay as they are written."""


def refuse_other_encodings(data: bytes) -> None:
    """Raise InputError where bytes are not UTF-8, with the place."""
    try:
        data.decode()
    except UnicodeDecodeError as exc:
        raise InputError(f"not UTF-8: the byte at {exc.start} is not; send the case as UTF-8") from None


@functools.cache
def _decoder(cls: type[V]) -> msgspec.json.Decoder[V]:
    return msgspec.json.Decoder(cls)


def not_json(exc: msgspec.DecodeError | UnicodeDecodeError, data: bytes) -> str:
    """Why these bytes are no JSON, in the words of whoever has to mend them; slow, as it may be where nothing is read."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return "not UTF-8: save the file as UTF-8 and try again"
    if _LONE_SURROGATE.search(text) and "truncated" in str(exc) and reads_as_json(text):
        return "not JSON: a text holds half a character (a lone surrogate \\ud…); write the whole character"
    return f"not JSON: {_plain_decode_error(exc, data)}"


_LONE_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def reads_as_json(text: str) -> bool:
    """Whether a text is JSON by the standard library, which takes more than ours."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _plain_decode_error(exc: msgspec.DecodeError | UnicodeDecodeError, data: bytes) -> str:
    text = str(exc)
    byte = re.search(r"\(byte (\d+)\)", text)
    if not data.strip():
        return "the input is empty"
    if "truncated" in text:
        return "it ends before it is complete; a bracket or a quotation mark may be missing"
    if byte is None:
        return text[:1].lower() + text[1:]
    at = int(byte.group(1))
    line = data.count(b"\n", 0, at) + 1
    column = at - data.rfind(b"\n", 0, at)
    return f"{text.split(': ', 1)[-1].split(' (byte', maxsplit=1)[0]} at line {line}, column {column}"


_canonical = msgspec.json.Encoder(order="sorted")


def canonical(value: Any) -> bytes:
    """The one JSON of a value: keys sorted, no spaces, defaults left out, UTF-8."""
    try:
        return _canonical.encode(value)
    except UnicodeEncodeError:
        raise InputError(
            "the text holds half a character (a lone surrogate); decode it with errors='replace'"
        ) from None


def digest(value: Any) -> str:
    """sha256 of the canonical JSON, in hex."""
    return hashlib.sha256(canonical(value)).hexdigest()


def text_digest(text: str) -> str:
    """sha256 of a text's UTF-8 bytes, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def full(value: msgspec.Struct) -> msgspec.Struct:
    """As `plain`, to be encoded at once: faster, since nothing is decoded. For structs whose fields keep their names."""
    return _filler(type(value))(value)


@functools.cache
def _filler(cls: type[msgspec.Struct]) -> Callable[[Any], msgspec.Struct]:
    """One function that copies every field into the same struct with nothing left out: compiled once, since it is hot."""
    hints, names = typing.get_type_hints(cls), cls.__struct_fields__
    nested = {key for key, _ in _skeleton(cls)[1]}
    twin = msgspec.defstruct(cls.__name__, [(name, Any) for name in names])
    parts = []
    for name in names:
        if name in nested:
            parts.append(f"inner(v.{name}) if v.{name} else v.{name}")
        elif get_origin(hints[name]) is dict:
            parts.append(f"raw(canonical(v.{name})) if v.{name} else v.{name}")
        else:
            parts.append(f"v.{name}")
    scope: dict[str, Any] = {"twin": twin, "inner": _filled, "raw": msgspec.Raw, "canonical": canonical}
    made: Callable[[Any], msgspec.Struct] = eval(f"lambda v: twin({', '.join(parts)})", scope)  # noqa: S307 - field names of ours
    return made


def _filled(inner: Any) -> Any:
    """A struct, or several, with nothing left out."""
    if type(inner) is not tuple:
        return full(inner)
    kind: type[msgspec.Struct] = type(inner[0])
    fill = _filler(kind)
    return [fill(part) if type(part) is kind else full(part) for part in inner]


def plain(value: msgspec.Struct) -> dict[str, Any]:
    """The value as JSON builtins with every field present, defaults included: what people and scripts read."""
    return _expanded(msgspec.json.decode(canonical(value)), type(value))


def _expanded(data: dict[str, Any], cls: type[msgspec.Struct]) -> dict[str, Any]:
    blank, nested = _skeleton(cls)
    full = blank | data
    for key, kinds in nested:
        inner = full[key]
        if isinstance(inner, list):
            full[key] = [_expanded(part, kinds[part.get("kind", "")]) for part in inner]
        elif isinstance(inner, dict):
            full[key] = _expanded(inner, kinds[inner.get("kind", "")])
    return full


@functools.cache
def _skeleton(cls: type[msgspec.Struct]) -> tuple[dict[str, Any], tuple[tuple[str, Any], ...]]:
    """All keys of a struct with their defaults, and the keys that hold structs, by tag where they are tagged."""
    keys = cls.__struct_encode_fields__
    defaults = (None,) * (len(keys) - len(cls.__struct_defaults__)) + cls.__struct_defaults__
    shown = [_shown(default) for default in defaults]
    blank = {key: value for key, value in zip(keys, shown, strict=True) if value is not msgspec.UNSET}
    hints = typing.get_type_hints(cls)
    pairs = zip(cls.__struct_fields__, keys, strict=True)
    nested = ((key, _structs_in(hints[name])) for name, key in pairs if get_origin(hints[name]) is not dict)
    config = cls.__struct_config__
    tag = {config.tag_field: config.tag} if config.tag_field else {}
    return tag | blank, tuple((key, kinds) for key, kinds in nested if kinds)


def _shown(default: Any) -> Any:
    if isinstance(default, msgspec.Struct):
        return plain(default)
    if isinstance(default, (tuple, dict)) or repr(default) == "<factory>":
        return {} if isinstance(default, dict) or repr(default) == "<factory>" else list(default)
    return default


def _structs_in(declared: Any) -> Any:
    if isinstance(declared, type) and issubclass(declared, msgspec.Struct):
        tag = declared.__struct_config__.tag
        return {str(tag): declared} if tag else _Always(declared)
    found: Any = {}
    for arm in get_args(declared):
        inner = _structs_in(arm)
        found = inner if isinstance(inner, _Always) else found | inner if not isinstance(found, _Always) else found
    return found


class _Always(dict[str, Any]):
    """The same struct whatever the tag."""

    def __init__(self, cls: type[msgspec.Struct]) -> None:
        super().__init__({"": cls})

    def __missing__(self, tag: str) -> Any:
        return self[""]
