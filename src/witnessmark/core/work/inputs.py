"""How much one case may hold. What is longer, deeper or more is refused with the name of the limit, before any check looks.

Every figure bounds the work or the memory of a check; the table is `[inputs]` of the settings. Knows nothing about checks.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from witnessmark.core.case import AgentOutput, Answer, Case, Decomposition, Discussion, Mission, Synthesis, TaskOutput
from witnessmark.core.errors import InputError, UnknownNameError
from witnessmark.core.registry import ValueKind, checks
from witnessmark.core.values import Count, Value, canonical

REMEMBERED = 100_000
"""Bytes of a schema up to which it is remembered how much it may cost."""
_IN_PLACE = frozenset({"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "$ref"})
"""Keywords of a JSON Schema that look at the same value again: what they multiply, the text does not bound."""


class InputLimits(Value, frozen=True):
    """The most that one case may hold; 0 is without limit."""

    text_chars: Count = 1_000_000
    """Characters of what is verified: the text, or all texts of a plan, a discussion or a mission together."""
    evidence: Count = 5_000
    evidence_chars: Count = 8_000_000
    """Characters of all sources together."""
    claims: Count = 5_000
    items: Count = 10_000
    """Subgoals, messages or tasks."""
    criteria: Count = 200
    criterion_chars: Count = 100_000
    """Characters of one criterion: its words, its pattern or its list."""
    criteria_bytes: Count = 200_000
    """Bytes of the values of all criteria together: patterns and schemas are compiled before any check looks."""
    pattern_chars: Count = 20_000
    """Characters of all patterns together."""
    keywords: Count = 1_000
    """Entries of a list in one criterion."""
    schema_bytes: Count = 100_000
    schema_depth: Count = 64
    schema_steps: Count = 10_000
    """How often a JSON Schema may look at one and the same value, by allOf, anyOf, $ref and the like."""
    policy_bytes: Count = 20_000
    agents_bytes: Count = 200_000
    """Bytes of all agents of an orchestrated run together: its state keeps them, and every plan is held against them."""
    context_bytes: Count = 1_000_000
    """Bytes of the context a case brings, its policy included."""


def check_inputs(case: Case, limits: InputLimits) -> None:
    """Raise InputError where it is no case, or, with the field and the limit's name, where it holds more than the limits allow."""
    given: object = case  # from outside it may be anything
    if not isinstance(given, Case):
        raise InputError(
            f"a case is needed, not a {type(given).__name__}: Case.from_dict(…) makes one of a dictionary, Case(subject=…) of parts"
        )
    _subject(case, limits)
    if case.evidence:
        _at_most("evidence", len(case.evidence), limits, "evidence", "sources")
        chars = sum(len(source.text) if source.text is not None else _size(source) for source in case.evidence)
        _at_most("evidence", chars, limits, "evidence_chars", "characters")
    if case.criteria:
        _criteria(case, limits)
    if case.context:
        _at_most("context", _size(case.context), limits, "context_bytes", "bytes")
    if "policy" in case.context:
        _at_most("context.policy", _size(case.context["policy"]), limits, "policy_bytes", "bytes")


def check_run(goal: str, agents: Sequence[Any], policy: Mapping[str, Any], limits: InputLimits) -> None:
    """Raise InputError where what a run begins with, and keeps for all its cases, is more than a case may hold or a run may keep."""
    _at_most("goal", len(goal), limits, "text_chars", "characters")
    _at_most("agents", _size(agents), limits, "agents_bytes", "bytes")
    _at_most("policy", _size(policy), limits, "policy_bytes", "bytes")


_allowed: OrderedDict[bytes, InputLimits] = OrderedDict()
"""Criteria that many cases bring along, as they are written, and the limits they were last found within: looked at once."""
ALLOWED = 256
MOST_NESTED = 8


def _criteria(case: Case, limits: InputLimits) -> None:
    _at_most("criteria", len(case.criteria), limits, "criteria", "criteria")
    written = _criteria_json(case)
    known = _allowed.get(written)
    if known is limits or (known is not None and known == limits):
        return
    for number, criterion in enumerate(case.criteria):
        if not isinstance(criterion, str):
            _criterion(f"criteria[{number}]", criterion, limits)
    _at_most("criteria", len(written), limits, "criteria_bytes", "bytes")
    patterns = sum(map(_pattern_chars, case.criteria))
    _at_most("criteria", patterns, limits, "pattern_chars", "characters of patterns")
    if 0 < len(written) <= REMEMBERED:
        _allowed[written] = limits
        if len(_allowed) > ALLOWED:
            _allowed.popitem(last=False)


def _subject(case: Case, limits: InputLimits) -> None:
    subject = case.subject
    if isinstance(subject, (TaskOutput, Answer, Synthesis)):
        _at_most("subject.text", len(subject.text) + len(case.goal), limits, "text_chars", "characters")
        return
    chars = len(_json(subject).decode("utf-8", "replace"))
    _at_most("subject", chars + len(case.goal), limits, "text_chars", "characters")
    if isinstance(subject, AgentOutput) and isinstance(subject.claims, (list, tuple)):
        _at_most("subject.claims", len(subject.claims), limits, "claims", "claims")
    counted: tuple[tuple[type, str], ...] = ((Decomposition, "subgoals"), (Discussion, "messages"), (Mission, "tasks"))
    for kind, name in counted:
        if isinstance(subject, kind):
            _at_most(f"subject.{name}", len(getattr(subject, name)), limits, "items", name)


def _criterion(where: str, criterion: Any, limits: InputLimits) -> None:
    if criterion.text is not None:
        _at_most(f"{where}.text", len(criterion.text), limits, "criterion_chars", "characters")
        return
    for place, kind, inner in _told(where, criterion.check, criterion.value, criterion.options):
        if isinstance(inner, str):
            _at_most(place, len(inner), limits, "criterion_chars", "characters")
        elif kind == "schema" and isinstance(inner, Mapping):
            check_schema(inner, limits, place)
        elif isinstance(inner, (list, tuple, Mapping)):
            longest = max((len(part) for part in _lists(inner)), default=0)
            _at_most(place, longest, limits, "keywords", "entries")
            _at_most(place, _size(inner), limits, "criterion_chars", "characters")


def _told(where: str, check: Any, value: Any, options: Any) -> Iterator[tuple[str, ValueKind | None, Any]]:
    """What a check is told, by its value and by its options, and what one about another tells that one: place, kind, and what."""
    for _ in range(MOST_NESTED):
        told, kind = dict(options) if isinstance(options, Mapping) else {}, _kind(check)
        if kind != "criterion":
            if value is not None:
                yield f"{where}.value", kind, value
            yield from ((f"{where}.options.{name}", kind, inner) for name, inner in told.items())
            return
        told |= value if isinstance(value, Mapping) else {}
        check, value, options = told.get("check"), told.get("value"), told.get("options")
    raise InputError(f"{where}: the opposite of an opposite, more than {MOST_NESTED} deep; say it plainly")


def _kind(check: Any) -> ValueKind | None:
    """What a check is told, as it declares; of one that is not there, nothing is compiled."""
    try:
        return checks.get(check).value_is if isinstance(check, str) else None
    except UnknownNameError:
        return None


def _pattern_chars(criterion: Any) -> int:
    told = _told(
        "", getattr(criterion, "check", None), getattr(criterion, "value", None), getattr(criterion, "options", None)
    )
    return sum(len(inner) for _, kind, inner in told if kind == "pattern" and isinstance(inner, str))


def check_schema(schema: Mapping[str, Any], limits: InputLimits, where: str = "value") -> None:
    """Raise InputError where a JSON Schema is too long, too deep, or looks at one value too often."""
    written = _json(schema)
    _at_most(where, len(written), limits, "schema_bytes", "bytes")
    most = limits.schema_steps
    depth, steps = _measured(written, most) if len(written) <= REMEMBERED else _measure(schema, most)
    _at_most(where, depth, limits, "schema_depth", "levels")
    _at_most(where, steps, limits, "schema_steps", "looks at one value")


@functools.lru_cache(maxsize=128)
def _measured(written: bytes, most: int) -> tuple[int, int]:
    """Depth and looks of a schema that many cases bring along: counted once."""
    return _measure(msgspec.json.decode(written), most)


def _measure(schema: Mapping[str, Any], most: int) -> tuple[int, int]:
    return _depth(schema), looks_in_place(schema, most) if most else 0


def looks_in_place(schema: Mapping[str, Any], most: int) -> int:
    """How often the schema may look at one and the same value, counted up to `most` + 1; a circle is without end."""
    counted: dict[int, int] = {}
    worst = 0
    for node in _nodes(schema):
        worst = max(worst, _expanded(node, schema, counted, most))
        if worst > most:
            break
    return worst


def _expanded(start: Mapping[str, Any], root: Mapping[str, Any], counted: dict[int, int], most: int) -> int:
    """The looks that begin at one node, with a stack of our own, since a schema may be deeper than Python's."""
    open_nodes: set[int] = set()
    stack: list[tuple[Mapping[str, Any], bool]] = [(start, False)]
    while stack:
        node, seen = stack.pop()
        key = id(node)
        if seen:
            open_nodes.discard(key)
            counted[key] = min(most + 1, 1 + sum(counted.get(id(child), most + 1) for child in _in_place(node, root)))
        elif key in open_nodes:
            counted[key] = most + 1
        elif key not in counted:
            open_nodes.add(key)
            stack.append((node, True))
            for child in _in_place(node, root):
                if id(child) in open_nodes:
                    return most + 1
                stack.append((child, False))
    return counted[id(start)]


def _in_place(node: Mapping[str, Any], root: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for word in _IN_PLACE & node.keys():
        value = node[word]
        if word == "$ref":
            target = _target(value, root)
            parts: Any = () if target is None else (target,)
        elif word == "dependentSchemas" and isinstance(value, Mapping):
            parts = value.values()
        else:
            parts = value if isinstance(value, (list, tuple)) else (value,)
        yield from (part for part in parts if isinstance(part, Mapping))


def _target(ref: Any, root: Any) -> Any:
    """What a `$ref` into the same schema points at; None where it points nowhere, which compiling will say."""
    if not isinstance(ref, str) or not ref.startswith("#"):
        return None
    if ref == "#":
        return root
    if not ref.startswith("#/"):
        return next((node for node in _nodes(root) if node.get("$anchor") == ref[1:]), None)
    found = root
    for part in ref[2:].split("/"):
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(found, Mapping) and key in found:
            found = found[key]
        elif isinstance(found, (list, tuple)) and key.isdecimal() and int(key) < len(found):
            found = found[int(key)]
        else:
            return None
    return found


def _nodes(value: Any) -> Iterator[Mapping[str, Any]]:
    return (inner for inner in _lists(value) if isinstance(inner, Mapping))


def _lists(value: Any) -> Iterator[Any]:
    stack = [value]
    while stack:
        inner = stack.pop()
        if isinstance(inner, Mapping):
            yield inner
            stack += inner.values()
        elif isinstance(inner, (list, tuple)):
            yield inner
            stack += inner


def _depth(value: Any) -> int:
    deepest, stack = 0, [(value, 1)]
    while stack:
        inner, depth = stack.pop()
        deepest = max(deepest, depth)
        parts = inner.values() if isinstance(inner, Mapping) else inner if isinstance(inner, (list, tuple)) else ()
        stack += [(part, depth + 1) for part in parts]
    return deepest


def _size(value: Any) -> int:
    """Bytes of the value as JSON: a case is JSON, so this is about what was read."""
    return len(_json(value))


def _criteria_json(case: Case) -> bytes:
    try:
        return case.criteria_json()
    except (TypeError, ValueError, msgspec.MsgspecError):
        return _json(case.criteria)


def _json(value: Any) -> bytes:
    try:
        return canonical(value)
    except (TypeError, ValueError, msgspec.MsgspecError):
        return repr(value).encode("utf-8", "replace")


def _at_most(where: str, count: int, limits: InputLimits, name: str, what: str) -> None:
    most: int = getattr(limits, name)
    if most and count > most:
        more = "more than" if name == "schema_steps" else f"{count:,} {what} are more than"
        raise InputError(f"{where}: {more} the {most:,} {what} that the limit `inputs.{name}` allows; send less of it")
