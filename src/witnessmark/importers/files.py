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
from witnessmark.text import yaml_data

MOST_BYTES = 256 << 20


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
    if suffix in yaml_data.SUFFIXES:
        return yaml_data.load(name, text)
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
        return yaml_data.load(name, text)
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
    read = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    found: list[dict[str, Any]] = []
    try:
        for row in read:
            beyond = [cell for cell in row.pop(None, []) if cell.strip()]
            if beyond:
                more = "its row has more cells than there are names in the first row"
                raise InputError(f"{name}:{read.line_num}: {more}; put cells with a comma in them in quotes")
            found.append(row)
    except csv.Error as exc:
        raise InputError(f"{name}:{read.reader.line_num}: not CSV: {exc}") from None
    names = list(read.fieldnames or ())
    twice = next((one for one in names if one and names.count(one) > 1), None)
    if twice is not None:
        raise InputError(
            f"{name}: two columns are named {twice!r}; only one of them could be read, so rename the other"
        )
    return found
