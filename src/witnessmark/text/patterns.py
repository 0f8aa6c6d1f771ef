"""Regular expressions of the code and its tables, compiled and read once for all processes.

Python keeps compiled modules beside their source, but compiles expressions and reads TOML anew in each process: most of what a stop
hook costs is that. Both are taken from files in the same folder as the compiled modules where `keep_compiled` has left them.
Only for expressions that stand in the code or its data: what is made of a user's words is compiled by `re`.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import marshal
import os
import re
import sys
import zlib
from array import array
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

try:
    import _sre  # type: ignore[import-not-found]
    from re import _compiler, _parser  # type: ignore[attr-defined]
except ImportError:  # a Python with another engine: everything is compiled anew
    _sre = None

_STAMP = (sys.version, _sre and _sre.MAGIC, array("I").itemsize)
"""Code is read by the very interpreter that wrote it."""
_MOST = 5000
"""Expressions that are kept at most; there are some 600."""
_Code = tuple[int, bytes, int, dict[str, int], tuple[str | None, ...]]


class CompiledPatterns:
    """Expressions by their text and flags, as the matching engine reads them.

    Args:
        file: Where they are kept; one that is missing, broken or another Python's counts as empty.

    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._known: dict[tuple[str, int], _Code] = _read(file)
        self._new = False
        self.is_first = file is not None and not self._known
        """Whether nothing was kept when this process began, and something could be."""

    def compile(self, source: str, flags: int = 0) -> re.Pattern[str]:
        """What `re.compile` gives."""
        if _sre is None:
            return re.compile(source, flags)
        key = (source, int(flags))
        if (code := self._known.get(key)) is None:
            code = self._known[key] = _code(source, flags)
            self._new = True
        return _made(source, code)

    def keep(self) -> None:
        """Write what was compiled anew; nothing happens where it cannot be written."""
        if self._new and len(self._known) <= _MOST:
            _write(self._file, self._known)
        self._new = False


class ParsedTables:
    """TOML files of the package as they were read, by their path, time and size.

    Args:
        file: Where they are kept; one that is missing, broken or another Python's counts as empty.

    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._known: dict[str, tuple[int, int, bytes]] = _read(file)
        self._new = False

    def table(self, file: Path) -> dict[str, Any]:
        """What a TOML file holds."""
        info = file.stat()
        time, size, body = self._known.get(str(file), (0, 0, b""))
        if body and (time, size) == (info.st_mtime_ns, info.st_size):
            found: dict[str, Any] = marshal.loads(body)  # noqa: S302 - as what `_read` reads
            return found
        import tomllib  # here: it takes as long as all that is kept

        data = tomllib.loads(file.read_text(encoding="utf-8"))
        with contextlib.suppress(ValueError):  # a date is not kept
            self._known[str(file)] = (info.st_mtime_ns, info.st_size, marshal.dumps(data))
            self._new = True
        return data

    def keep(self) -> None:
        """Write what was read anew; nothing happens where it cannot be written."""
        if self._new:
            _write(self._file, self._known)
        self._new = False


def _write(file: Path | None, known: dict[Any, Any]) -> None:
    if file is None or sys.dont_write_bytecode:
        return
    import tempfile  # here: a stop has its answer by then

    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=file.parent, prefix=file.name)
        body = marshal.dumps(known)
        with os.fdopen(handle, "wb") as out:
            out.write(marshal.dumps((_STAMP, zlib.crc32(body), body)))
        Path(name).chmod(0o644)  # as compiled modules are
        Path(name).replace(file)


def _read(file: Path | None) -> dict[Any, Any]:
    try:
        stamp, check, body = marshal.loads(file.read_bytes()) if file else (None, 0, b"")  # noqa: S302 - lies with the compiled modules, which are read in the same way
        known = marshal.loads(body) if stamp == _STAMP and check == zlib.crc32(body) else {}  # noqa: S302
    except (OSError, ValueError, TypeError, EOFError):
        return {}
    return known if isinstance(known, dict) else {}


def _code(source: str, flags: int) -> _Code:
    """As `re` compiles it, with the numbers as bytes: they are read thirty times as fast as objects."""
    parsed: Any = _parser.parse(source, flags)
    code = array("I", _compiler._code(parsed, flags)).tobytes()  # noqa: SLF001 - `re` has no other way to tell it
    state = parsed.state
    names: list[str | None] = [None] * state.groups
    for name, at in state.groupdict.items():
        names[at] = name
    return int(flags | state.flags), code, state.groups - 1, state.groupdict, tuple(names)


def _made(source: str, code: _Code) -> re.Pattern[str]:
    flags, numbers, groups, by_name, names = code
    made: re.Pattern[str] = _sre.compile(source, flags, array("I", numbers).tolist(), groups, by_name, names)
    return made


def _beside_modules(suffix: str) -> Path | None:
    """The file in the folder of compiled modules; None where this Python keeps none."""
    try:
        return Path(importlib.util.cache_from_source(__file__)).with_suffix(suffix)
    except NotImplementedError:
        return None


_PATTERNS = CompiledPatterns(_beside_modules(".expressions"))
_TABLES = ParsedTables(_beside_modules(".tables"))


def compiled(source: str, flags: int = 0) -> re.Pattern[str]:
    """An expression of the code or its data: what `re.compile` gives, kept from process to process.

    Raises:
        re.error: It is no expression.

    """
    return _PATTERNS.compile(source, flags)


@functools.cache
def table_in(file: Path) -> dict[str, Any]:
    """The data of a TOML file that lies beside the code, read once."""
    return _TABLES.table(file)


@functools.cache
def languages_in(folder: Path) -> tuple[str, ...]:
    """The languages that have a file of data in a folder, by their two letters; English first."""
    return ("en", *sorted({file.stem for file in folder.glob("[a-z][a-z].toml")} - {"en"}))


def any_of(patterns: Iterable[str]) -> str:
    """Patterns as one, which finds what the first of them that fits finds."""
    return "|".join(f"(?:{pattern})" for pattern in patterns) or r"(?!)"


def put_in(pattern: str, marks: Mapping[str, str]) -> str:
    """A pattern of such data in one line, in which `{mark}` is what stands under that name."""
    joined = pattern.replace("\n", "")
    for mark, words in marks.items():
        joined = joined.replace(f"{{{mark}}}", words)
    return joined


def keeps_nothing_yet() -> bool:
    """Whether no process has left anything for the next one, and this one can."""
    return _PATTERNS.is_first and not sys.dont_write_bytecode


def keep_compiled() -> None:
    """Leave what this process compiled and read for the next one; called by commands that start often."""
    _PATTERNS.keep()
    _TABLES.keep()
