"""Data in branches: which keys of nested data name a thing, as rows of a table do, the leaves of a text in YAML, and what a JSON Schema asks of data.

Of `{"prod": {"port": 1}, "test": {"port": 2}}` the keys `prod` and `test` are such names, since both hold a port. Knows nothing about claims.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from witnessmark.core.errors import InputError
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span

Keys = tuple[str, ...]
MOST_YAML, MOST_LEAVES, DEEP = 100_000, 20_000, 40
"""Characters of a text that is read as YAML, its values once aliases are followed, and how deep they may stand."""
_OPENS = compiled(
    r"^(?:[ \t]*[\w./ -]{1,60}:[ \t]*|[ \t]*- [\w./ -]{1,60}: [^\n]*)\n[ \t]+[\w./ -]{1,60}:[ \t\n]|^[ \t]*[\w./ -]{1,60}: \[[^\]\n]+\]$",
    re.MULTILINE,
)
"""Keys below a key, more than one in an item, or several values of one: a list of `- key: value` alone is as well a list in Markdown."""
_LINE = compiled(r"^[ \t]*(?:- +)?(?:[\w./\"' -]{1,60}:(?:[ \t]|$)|#|- |---$)")
_ASKS = frozenset(
    "type enum const allOf anyOf oneOf not if properties patternProperties additionalProperties propertyNames required "
    "minProperties maxProperties dependentRequired dependentSchemas dependencies unevaluatedProperties items prefixItems "
    "contains minItems maxItems uniqueItems unevaluatedItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf "
    "minLength maxLength pattern format contentEncoding contentMediaType $ref $dynamicRef $recursiveRef".split()
)
_TELLS = frozenset(
    "$schema $id id $anchor $dynamicAnchor $vocabulary $comment $defs definitions title description default examples "
    "deprecated readOnly writeOnly".split()
)
"""Words of JSON Schema that ask for something, and those that only tell."""
_TYPES = ("array", "boolean", "integer", "null", "number", "object", "string")
_MOST_STEPS_BACK = 100_000
"""Of a pattern with look-around or references to its own groups, which no linear search can take."""


def branch_keys(paths: Sequence[Keys]) -> list[tuple[int, ...]]:
    """For each path from the outside in the places of its keys that name a branch: one that has a value under the same keys as another beside it."""
    often = Counter((path[:at], path[at + 1 :]) for path in dict.fromkeys(paths) for at in range(len(path) - 1))
    named = {path[: at + 1] for path in paths for at in range(len(path) - 1) if often[path[:at], path[at + 1 :]] > 1}
    return [tuple(at for at in range(len(path) - 1) if path[: at + 1] in named) for path in paths]


def yaml_leaves(text: str) -> list[tuple[Keys, str, Span, int]]:
    """The values of a text in YAML that is nested or has lists: keys from the outside in, value, place and row; nothing for any other text.

    Each mapping of a list is a row.
    """
    if len(text) > MOST_YAML or _OPENS.search(text) is None:
        return []
    lines = [line for line in text.splitlines() if line.strip()]
    if sum(_LINE.match(line) is not None for line in lines) < len(lines):
        return []
    import yaml

    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError):
        return []
    found: list[tuple[Keys, str, Span, int]] = []
    for leaf in _leaves(root, (), 0, [0], 0):
        if len(found) == MOST_LEAVES:
            return []
        found.append(leaf)
    return found


def _leaves(node: Any, keys: Keys, row: int, last: list[int], depth: int) -> Iterator[tuple[Keys, str, Span, int]]:
    """The values below a node; `last` holds the number of the last row."""
    if depth > DEEP or node is None:
        return
    if node.id == "scalar":
        yield keys, str(node.value), (node.start_mark.index, node.end_mark.index), row
    elif node.id == "mapping":
        for key, inner in node.value:
            yield from _leaves(inner, (*keys, str(key.value)), row, last, depth + 1)
    else:
        for inner in node.value:
            last[0] += inner.id == "mapping"
            yield from _leaves(inner, keys, last[0] if inner.id == "mapping" else row, last, depth + 1)


def _refuse_unknown_words(schema: Any) -> None:
    """Raise InputError for a schema that asks for nothing because its words are misspelt or of another form; `{}` is meant."""
    if not isinstance(schema, Mapping) or _ASKS & schema.keys():
        return
    if unknown := sorted(map(str, schema.keys() - _TELLS)):
        raise InputError(f"it asks for nothing: {unknown[0]!r} is no word of JSON Schema")


def schema_validator(schema: dict[str, Any] | bool) -> Any:
    """A compiled validator of jsonschema_rs that fetches nothing: linear patterns where the schema allows it, otherwise bounded ones.

    Raises InputError with the place in the schema that is wrong.
    """
    import jsonschema_rs  # here: most cases bring no schema

    _refuse_unknown_words(schema)
    why = ""
    for patterns in (jsonschema_rs.RegexOptions(), jsonschema_rs.FancyRegexOptions(backtrack_limit=_MOST_STEPS_BACK)):
        try:
            return jsonschema_rs.validator_for(
                schema, mask="the value", offline=True, validate_formats=True, pattern_options=patterns
            )
        except (jsonschema_rs.ValidationError, ValueError) as exc:
            why = _schema_fault(exc)
    raise InputError(f"it is not a JSON Schema that can be used here: {why}")


def _schema_fault(exc: Exception) -> str:
    """What is wrong with a schema: the place in it, what stands there, and what may."""
    path, there = list(getattr(exc, "instance_path", ())), getattr(exc, "instance", None)
    said = str(exc).partition("\n")[0]
    if not path:
        return said
    if path[-1] == "type" and isinstance(there, str):
        return f"{data_place(path)}: {there!r} is no type; write {', '.join(_TYPES[:-1])} or {_TYPES[-1]}"
    return f"{data_place(path)}: {said.replace('the value', msgspec.json.encode(there).decode()[:60])}"


def data_place(parts: Iterable[str | int]) -> str:
    """A place in data as a path.

    >>> data_place(["items", 0, "price"])
    '$.items[0].price'
    """
    return "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in parts)
