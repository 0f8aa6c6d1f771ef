"""Case files in: JSON, JSON lines, YAML, standard input. A bad one is a Problem with its place, and never stops the others."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from witnessmark.core.case import Case
from witnessmark.core.errors import InputError
from witnessmark.text import yaml_data


@dataclass(frozen=True, slots=True)
class FileProblem:
    """An input that is not a case: where, and what to do."""

    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"


@dataclass(frozen=True, slots=True)
class CaseFile:
    """A case and where it came from."""

    where: str
    case: Case


Read = Callable[[bytes], Case]


def cases(names: list[str], limit: int, read: Read = Case.from_json) -> Iterator[CaseFile | FileProblem]:
    """Every case of every file, in order, one at a time; `read` makes a case of its bytes."""
    for name in _listed(names):
        try:
            data = _read(name, limit)
        except InputError as exc:
            yield FileProblem(name, str(exc))
            continue
        empty = True
        for found in _cases_in(name, data, limit, read):
            empty = False
            yield found
        if empty:
            yield FileProblem(name, "holds no case; write at least one")


SUFFIXES = (".json", ".jsonl", ".ndjson", *yaml_data.SUFFIXES)


def _listed(names: list[str]) -> Iterator[str]:
    """The files that are named, and the case files of a folder in the order of their paths; a folder without any stays itself."""
    for name in names:
        inside = [
            str(path) for path in sorted(Path(name).rglob("*")) if path.name.endswith(SUFFIXES) and path.is_file()
        ]
        yield from inside or [name]


def _read(name: str, limit: int) -> bytes:
    lines = name == "-" or name.endswith((".jsonl", ".ndjson"))
    try:
        if name == "-":
            return sys.stdin.buffer.read()
        size = Path(name).stat().st_size
        if lines or size <= limit:
            return Path(name).read_bytes()
    except FileNotFoundError:
        raise InputError("there is no such file; check the path") from None
    except IsADirectoryError:
        raise InputError(f"is a folder without a case file ({', '.join(SUFFIXES)})") from None
    except OSError as exc:
        raise InputError(f"cannot be read: {exc.strerror or exc}") from None
    except ValueError:
        raise InputError("is not a path that can be opened") from None
    raise InputError(_too_large(size, limit))


def _too_large(size: int, limit: int) -> str:
    return (
        f"{size / 1e6:.0f} MB are more than a case may have ({limit / 1e6:.0f} MB); "
        "put large evidence into fewer passages, or raise max_case_bytes in the settings"
    )


def _cases_in(name: str, data: bytes, limit: int, read: Read) -> Iterator[CaseFile | FileProblem]:
    data = data.removeprefix(codecs.BOM_UTF8)
    head = data.lstrip()
    if name.endswith((".jsonl", ".ndjson")) or (name == "-" and _looks_like_lines(head)):
        yield from _lines(name, data, limit, read)
    elif name.endswith(yaml_data.SUFFIXES):
        yield from _yaml(name, data, limit, read)
    elif head.startswith(b"["):
        yield from _array(name, data, read)
    else:
        yield _one(name, data, limit, read)


def _looks_like_lines(head: bytes) -> bool:
    """Several JSON objects, one a line; a single object over many lines is not."""
    first, _, rest = head.partition(b"\n")
    return bool(rest.strip()) and first.rstrip().endswith(b"}") and rest.lstrip().startswith(b"{")


def _lines(name: str, data: bytes, limit: int, read: Read) -> Iterator[CaseFile | FileProblem]:
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            yield _one(f"{name}:{number}", line, limit, read)


def _array(name: str, data: bytes, read: Read) -> Iterator[CaseFile | FileProblem]:
    try:
        parts = msgspec.json.decode(data, type=list[msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as exc:
        yield FileProblem(name, f"not JSON: {exc}")
        return
    for number, part in enumerate(parts):
        yield _one(f"{name}[{number}]", bytes(part), len(part), read)


def _yaml(name: str, data: bytes, limit: int, read: Read) -> Iterator[CaseFile | FileProblem]:
    try:
        parts = yaml_data.rows(name, data)
    except InputError as exc:
        yield FileProblem(name, str(exc).removeprefix(f"{name}: "))
        return
    for where, body in parts:
        yield _one(where, body, limit, read)


def _one(where: str, data: bytes, limit: int, read: Read) -> CaseFile | FileProblem:
    if len(data) > limit:
        return FileProblem(where, _too_large(len(data), limit))
    try:
        return CaseFile(where, read(data))
    except InputError as exc:
        return FileProblem(where, str(exc))
