"""Values put into `{{ name }}`, and nothing else: no filter, no loop, no code. What is more than a name is said to be so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from witnessmark.core.values import canonical, is_json
from witnessmark.importers.import_result import NoEquivalentError

_NAME = re.compile(r"\{\{-?\s*([A-Za-z_][\w-]*(?:\.[\w-]+|\[\d+\])*)\s*-?\}\}")
_STEP = re.compile(r"[^.\[\]]+")
MOST = 4 << 20


def fill(text: str, values: Mapping[str, Any]) -> str:
    """The text with its names replaced."""
    pieces, at, size = [], 0, 0
    for match in _NAME.finditer(text):
        value = _text(lookup(values, match.group(1)))
        pieces += [_checked(text[at : match.start()]), value]
        at, size = match.end(), size + len(value)
        if size > MOST:
            raise NoEquivalentError("its template cannot be filled in: what comes of it is too long")
    return "".join([*pieces, _checked(text[at:])])


def only_name(text: str) -> str | None:
    """The name where a template is one name and nothing else."""
    match = _NAME.fullmatch(text.strip())
    return match.group(1) if match else None


def lookup(values: Mapping[str, Any], name: str) -> Any:
    """What a dotted name stands for."""
    found: Any = values
    for step in _STEP.findall(name):
        if isinstance(found, Mapping) and step in found:
            found = found[step]
        elif isinstance(found, list) and step.isdigit() and int(step) < len(found):
            found = found[int(step)]
        else:
            raise NoEquivalentError(f"its template cannot be filled in: {name} has no value")
    return found


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return canonical(value).decode() if is_json(value) else str(value)


def _checked(text: str) -> str:
    if "{{" in text or "{%" in text:
        raise NoEquivalentError("its template cannot be filled in: it holds more than names")
    return text
