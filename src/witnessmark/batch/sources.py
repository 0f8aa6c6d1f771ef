"""Rows out of files, one at a time: JSON lines, JSON, YAML, Parquet, standard input. A bad row is a row with its problem."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

import msgspec

from witnessmark.batch.values import Row
from witnessmark.core.errors import InputError
from witnessmark.core.values import not_json
from witnessmark.text import yaml_data

STDIN = "-"
LINES = (".jsonl", ".ndjson")
KNOWN = (*LINES, ".json", *yaml_data.SUFFIXES, ".parquet")
_AN_OUTPUT = (
    "is a text and no case; `witnessmark verify --report FILE` reads an agent's report, `witnessmark check` an answer"
)
ELSEWHERE = {
    ".csv": "is a table and no case; `witnessmark import ragas FILE -o cases.jsonl` makes cases of its columns question, "
    "answer, contexts and reference",
    ".md": _AN_OUTPUT,
    ".txt": _AN_OUTPUT,
}
"""Which command takes what people have that holds no case, by the end of the file's name."""
BLOCK = 1 << 20


def spelled(name: str) -> str:
    """A file's name as it can be written down: bytes of it that are no UTF-8 as escapes."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def expand(names: Sequence[str], aside: Sequence[Path] = ()) -> list[str]:
    """The files that names, patterns and folders stand for, in a fixed order; `aside` is left out of folders."""
    found: list[str] = []
    for name in names:
        path = Path(name)
        if name == STDIN:
            found.append(name)
        elif path.is_dir():
            found += _in_folder(path, {p.resolve() for p in aside})
        elif path.exists():
            found.append(name)
        else:
            found += _matching(name)
    known = ", ".join(KNOWN)
    for name in found:
        if name != STDIN and not name.endswith(KNOWN):
            elsewhere = ELSEWHERE.get(Path(name).suffix.lower())
            raise InputError(f"{name}: {elsewhere or f'is not one of {known}; name the file by what it holds'}")
    return list(dict.fromkeys(found))


def _in_folder(folder: Path, aside: set[Path]) -> list[str]:
    inside = [p for p in sorted(folder.rglob("*")) if p.name.endswith(KNOWN) and p.is_file()]
    files = [str(p) for p in inside if not aside & {p.resolve(), *p.resolve().parents}]
    if not files:
        raise InputError(f"{folder}: holds no file that ends in {', '.join(KNOWN)}")
    return files


def _matching(pattern: str) -> list[str]:
    import glob

    files = sorted(glob.iglob(pattern, recursive=True))  # noqa: PTH207 - a Path's glob takes no absolute pattern
    if not files:
        raise InputError(f"{pattern}: there is no such file; check the path")
    return files


class RowSource:
    """The rows of files in order. `seen` tells how many bytes were read, of `total`; None where that is unknown."""

    def __init__(self, files: Sequence[str], most_bytes: int, stdin: IO[bytes] | None = None) -> None:
        self.files, self._most, self._stdin = files, most_bytes, stdin
        self.total = None if STDIN in files else sum(Path(name).stat().st_size for name in files)
        self.seen = 0
        for name in files:
            if name.endswith(".parquet"):
                from witnessmark.batch import parquet

                parquet.check(name)

    def rows(self) -> Iterator[Row]:
        """Every row of every file."""
        number = 0
        for name in self.files:
            before = self.seen
            for where, data, problem in self.read(name):
                number += 1
                yield Row(number, spelled(where), data, problem)
            if name != STDIN:
                self.seen = before + Path(name).stat().st_size

    def read(self, name: str) -> Iterator[tuple[str, bytes, str]]:
        """The rows of one file: where each stands, its bytes, and what is wrong with it."""
        if name == STDIN:
            return self._lines(name, self._stdin or sys.stdin.buffer)
        if name.endswith(LINES):
            return self._file(name)
        if name.endswith(".parquet"):
            from witnessmark.batch import parquet

            return parquet.rows(name, self._advance)
        return self._whole(name)

    def _advance(self, count: int) -> None:
        self.seen += count

    def _file(self, name: str) -> Iterator[tuple[str, bytes, str]]:
        with Path(name).open("rb", buffering=BLOCK) as file:
            yield from self._lines(name, file)

    def _lines(self, name: str, file: IO[bytes]) -> Iterator[tuple[str, bytes, str]]:
        """Lines, of which one that is too long is never in memory as a whole."""
        most, number = self._most, 0
        read: Callable[[int], bytes] = file.readline
        while line := read(most + 2):
            number += 1
            self.seen += len(line)
            line = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
            if len(line) > most and not line.endswith(b"\n"):
                size = len(line)
                while more := read(BLOCK):
                    size += len(more)
                    if more.endswith(b"\n"):
                        break
                self.seen += size - len(line)
                yield f"{name}:{number}", b"", _too_large(size, most)
            elif not line.isspace():
                yield f"{name}:{number}", line, ""

    def _whole(self, name: str) -> Iterator[tuple[str, bytes, str]]:
        """A JSON or YAML file: one case, or a list of them."""
        size = Path(name).stat().st_size
        return iter(
            [(name, b"", _too_large(size, self._most))]
            if size > self._most
            else whole(name, Path(name).read_bytes(), self._most)
        )


def whole(name: str, data: bytes, most: int) -> Iterator[tuple[str, bytes, str]]:
    """The rows of what a JSON or YAML file holds: where each is, its bytes and what is wrong with it."""
    data = data.removeprefix(codecs.BOM_UTF8)
    if name.endswith(yaml_data.SUFFIXES):
        yield from yaml_rows(name, data)
    elif not data.lstrip().startswith(b"["):
        yield (name, data, "") if len(data) <= most else (name, b"", _too_large(len(data), most))
    else:
        try:
            parts = msgspec.json.decode(data, type=list[msgspec.Raw])
        except RecursionError:
            yield name, data, "JSON nested too deeply: flatten the data or put it into a file of its own"
            return
        except (msgspec.DecodeError, UnicodeDecodeError) as exc:
            yield name, data, not_json(exc, data)
            return
        for place, part in enumerate(parts):
            yield f"{name}[{place}]", bytes(part), ""


def yaml_rows(name: str, data: bytes) -> Iterator[tuple[str, bytes, str]]:
    """The rows of what a YAML file holds: where each is, its bytes and what is wrong with it."""
    try:
        for where, body in yaml_data.rows(name, data):
            yield where, body, ""
    except InputError as exc:
        yield name, data, str(exc).removeprefix(f"{name}: ")


def _too_large(size: int, most: int) -> str:
    return (
        f"{size / 1e6:.0f} MB are more than a case may have ({most / 1e6:.0f} MB); "
        "put large evidence into fewer passages, or raise max_case_bytes in the settings"
    )


def shard_of(rows: Iterable[Row], shard: tuple[int, int] | None, limit: int | None) -> Iterator[Row]:
    """The rows of one of several shares, and no more than the limit."""
    left = limit if limit is not None else -1
    for row in rows:
        if left == 0:
            return
        if shard is None or _share(row, shard[1]) == shard[0] - 1:
            left -= 1
            yield row


def _share(row: Row, count: int) -> int:
    """Rows go round; what belongs together stays together."""
    if row.group is None:
        return (row.number - 1) % count
    from zlib import crc32

    return crc32(row.group.encode("utf-8", "surrogatepass")) % count
