"""Case files in: JSON, JSON lines, YAML, standard input. A bad one is a Problem with its place, and never stops the others."""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from witnessmark.batch.sources import ELSEWHERE, LINES, STDIN, RowSource, whole, yaml_rows
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
        empty = True
        try:
            for where, data, problem in _rows(name, limit):
                empty = False
                yield FileProblem(where, problem) if problem else _case(where, data, read)
        except InputError as exc:
            yield FileProblem(name, str(exc))
            continue
        if empty:
            yield FileProblem(name, "holds no case; write at least one")


NOT_JSON = "not JSON"
SUFFIXES = (".json", *LINES, *yaml_data.SUFFIXES)


def _listed(names: list[str]) -> Iterator[str]:
    """The files that are named, and the case files of a folder in the order of their paths; a folder without any stays itself."""
    for name in names:
        inside = [
            str(path) for path in sorted(Path(name).rglob("*")) if path.name.endswith(SUFFIXES) and path.is_file()
        ]
        yield from inside or [name]


def _rows(name: str, limit: int) -> Iterator[tuple[str, bytes, str]]:
    try:
        if name == STDIN:
            yield from _typed(sys.stdin.buffer.read(), limit)
        else:
            yield from RowSource([name], limit).read(name)
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError("there is no such file; check the path") from None
    except IsADirectoryError:
        raise InputError(f"is a folder without a case file ({', '.join(SUFFIXES)})") from None
    except OSError as exc:
        raise InputError(f"cannot be read: {exc.strerror or exc}") from None
    except ValueError:
        raise InputError("is not a path that can be opened") from None


def _typed(data: bytes, limit: int) -> Iterator[tuple[str, bytes, str]]:
    """Standard input has no name to go by: what begins otherwise than JSON is YAML; several JSON objects, one a line, are lines; one over many lines is a case."""
    start = data.removeprefix(codecs.BOM_UTF8).lstrip()
    if start and not start.startswith((b"{", b"[")):
        return yaml_rows(STDIN, data)
    first, _, rest = start.partition(b"\n")
    if rest.strip() and first.rstrip().endswith(b"}") and rest.lstrip().startswith(b"{"):
        return RowSource([STDIN], limit, io.BytesIO(data)).read(STDIN)
    return whole(STDIN, data, limit)


def _case(where: str, data: bytes, read: Read) -> CaseFile | FileProblem:
    try:
        return CaseFile(where, read(data))
    except InputError as exc:
        elsewhere = ELSEWHERE.get(Path(where).suffix.lower()) if str(exc).startswith(NOT_JSON) else None
        return FileProblem(where, elsewhere or str(exc))
