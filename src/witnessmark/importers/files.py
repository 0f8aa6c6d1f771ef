"""Files of other tools, read safely: JSON, JSON lines, CSV, YAML. Bounded in size; YAML builds nothing but plain data."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from witnessmark.core.errors import InputError
from witnessmark.core.values import MAX_DEPTH

MOST_BYTES = 256 << 20
MOST_YAML_BYTES = 8 << 20
MOST_NODES = 2_000_000
"""Values in one YAML file once its aliases are followed: a few lines of aliases can stand for billions."""


def read(name: str) -> Any:
    """The data of a file; - is standard input, which is read as JSON, JSON lines or YAML by its look."""
    data = _bytes(name)
    suffix = Path(name).suffix.lower()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{name}: not UTF-8; save the file as UTF-8 and try again") from None
    if suffix == ".csv":
        return _csv(name, text)
    if suffix in (".yaml", ".yml"):
        return _yaml(name, text)
    if suffix in (".jsonl", ".ndjson"):
        return _lines(name, text)
    return _guessed(name, text)


def _bytes(name: str) -> bytes:
    try:
        if name == "-":
            data = sys.stdin.buffer.read(MOST_BYTES + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise InputError(f"{name}: there is no such file; check the path") from None
    except IsADirectoryError:
        raise InputError(f"{name}: is a directory; name the file in it") from None
    except (OSError, ValueError) as exc:
        raise InputError(f"{name}: cannot be read ({exc})") from None
    if len(data) > MOST_BYTES:
        raise InputError(f"{name}: more than {MOST_BYTES >> 20} MB; split the file")
    return data


def _guessed(name: str, text: str) -> Any:
    if not text.strip():
        raise InputError(f"{name}: the file is empty")
    if text.lstrip()[0] not in "[{":
        return _yaml(name, text)
    try:
        return _json(text)
    except (msgspec.DecodeError, ValueError) as exc:
        if text.lstrip()[0] == "{" and "\n" in text.strip():
            return _lines(name, text)
        raise InputError(f"{name}: not JSON: {exc}") from None
    except RecursionError:
        raise InputError(f"{name}: nested too deeply") from None


def _json(text: str) -> Any:
    """JSON, and the NaN that other tools write where they have no number: that is null here."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return json.loads(text, parse_constant=lambda _: None)


def _lines(name: str, text: str) -> list[Any]:
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                found.append(_json(line))
            except (msgspec.DecodeError, ValueError, RecursionError) as exc:
                raise InputError(f"{name}:{number}: not JSON: {exc}") from None
    return found


def _csv(name: str, text: str) -> list[dict[str, Any]]:
    csv.field_size_limit(min(sys.maxsize, 64 << 20))
    try:
        listed = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as exc:
        raise InputError(f"{name}: not CSV: {exc}") from None
    return [{key: value for key, value in row.items() if isinstance(key, str)} for row in listed]


def _yaml(name: str, text: str) -> Any:
    import yaml

    if len(text) > MOST_YAML_BYTES:
        raise InputError(f"{name}: more than {MOST_YAML_BYTES >> 20} MB of YAML; split the file, or save it as JSON")
    try:
        data = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - both are safe
    except yaml.YAMLError as exc:
        raise InputError(f"{name}: not YAML: {' '.join(str(exc).split())}") from None
    except (RecursionError, ValueError) as exc:
        raise InputError(f"{name}: not YAML that can be used: {exc}") from None
    left = MOST_NODES - _count(data, name, MOST_NODES, 0)
    if left < 0:
        raise InputError(
            f"{name}: its aliases stand for more than {MOST_NODES:,} values; write them out, or take them out"
        )
    return _plain(data)


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
    """YAML's dates and odd keys as the texts they were written as."""
    if isinstance(data, dict):
        return {key if isinstance(key, str) else str(key): _plain(value) for key, value in data.items()}
    if isinstance(data, list):
        return [_plain(one) for one in data]
    return data if isinstance(data, (str, bool, int, float, type(None))) else str(data)
