"""YAML as plain data: bounded in size, in depth and in what its aliases stand for; dates stay the texts they were written as."""

from __future__ import annotations

import functools
from typing import Any

from witnessmark.core.errors import InputError
from witnessmark.core.values import MAX_DEPTH, canonical

SUFFIXES = (".yaml", ".yml")
MOST_BYTES = 8 << 20
MOST_NODES = 2_000_000
"""Values in one file once its aliases are followed: a few lines of aliases can stand for billions."""


def load(name: str, text: str) -> Any:
    """The one document of a YAML text. Raises InputError, which begins with `name`."""
    found = documents(name, text)
    if len(found) > 1:
        raise InputError(f"{name}: holds {len(found)} YAML documents where one is read; split the file")
    return found[0] if found else None


def documents(name: str, text: str) -> list[Any]:
    """Every document of a YAML text, empty ones left out. Raises InputError, which begins with `name`."""
    import yaml

    if len(text) > MOST_BYTES:
        raise InputError(f"{name}: more than {MOST_BYTES >> 20} MB of YAML; split the file, or save it as JSON")
    try:
        found = [one for one in yaml.load_all(text, Loader=_loader()) if one is not None]
    except yaml.YAMLError as exc:
        raise InputError(f"{name}: not YAML: {_complaint(exc)}") from None
    except (RecursionError, ValueError) as exc:
        raise InputError(f"{name}: not YAML that can be used: {exc}") from None
    if _count(found, name, MOST_NODES, 0) > MOST_NODES:
        raise InputError(
            f"{name}: its aliases stand for more than {MOST_NODES:,} values; write them out, or take them out"
        )
    return [_plain(one) for one in found]


def _complaint(exc: Any) -> str:
    """What is wrong and where, on one line; the text has no name of its own that would help."""
    return " ".join(str(exc).split()).replace(' in "<unicode string>", line', " at line")


def rows(name: str, data: bytes) -> list[tuple[str, bytes]]:
    """Every case of a YAML file as JSON, with its place: a document each, or one document that lists them."""
    try:
        found = documents(name, data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError(f"{name}: not UTF-8; save the file as UTF-8 and try again") from None
    listed = len(found) == 1 and isinstance(found[0], list)
    parts = found[0] if listed else found
    alone = len(parts) == 1 and not listed
    return [(name if alone else f"{name}[{place}]", canonical(one)) for place, one in enumerate(parts)]


@functools.cache
def _loader() -> Any:
    """The safe loader, in C where there is one, without YAML's own reading of dates."""
    import yaml

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]  # chosen when it runs
        def flatten_mapping(self, node: Any) -> None:
            """Every mapping comes by here before `<<` adds keys to it, which its own may replace; one that others merge comes again."""
            if not getattr(node, "has_each_key_once", False):
                _refuse_twice(node)
                node.has_each_key_once = True
            super().flatten_mapping(node)

    Loader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in known if tag != "tag:yaml.org,2002:timestamp"]
        for first, known in Loader.yaml_implicit_resolvers.items()
    }
    return Loader


def _refuse_twice(mapping: Any) -> None:
    """YAML's own rule, which its reader leaves out: of two values under one key, the last silently counted."""
    from yaml import ScalarNode
    from yaml.constructor import ConstructorError

    seen: set[str] = set()
    for key, _ in mapping.value:
        if not isinstance(key, ScalarNode) or key.value == "<<":
            continue
        if key.value in seen:
            raise ConstructorError(None, None, f"{key.value!r} is given twice; leave one of them out", key.start_mark)
        seen.add(key.value)


def _count(data: Any, name: str, most: int, depth: int) -> int:
    """How many values there are, aliases followed; stops counting once there are too many."""
    if depth > MAX_DEPTH:
        raise InputError(f"{name}: nested too deeply, or in a circle")
    if not isinstance(data, (dict, list)):
        return 1
    total = 1
    for inner in data.values() if isinstance(data, dict) else data:
        total += _count(inner, name, most - total, depth + 1)
        if total > most:
            break
    return total


def _plain(data: Any) -> Any:
    """Odd keys and types as texts."""
    if isinstance(data, dict):
        return {key if isinstance(key, str) else str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_plain(one) for one in data]
    return data if isinstance(data, (str, bool, int, float, type(None))) else str(data)
