"""What differs from language to language, as data: one TOML file a language beside this one, read when first needed.

The readers of text/ ask for lists by name and get those of all languages together; what must be known for one language
alone (numbers, the decimal mark, whether nouns are capitalised) is asked for by its code. A further language is one
file in this folder, named by its two letters; `add(path)` reads one from elsewhere.

    >>> "nicht" in words("negations"), "months" in language("fr")["dates"], sorted(codes())
    (True, True, ['de', 'en', 'es', 'fr'])
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

from witnessmark.text.patterns import any_of, compiled, languages_in, table_in

FOLDER = Path(__file__).parent
_TOLD_APART = FOLDER / "told_apart.toml"
_FIRST = ("en", "de", "fr", "es")
"""English first: where two languages have a word in common, the first one's meaning holds."""
_PART = compiled(r"\{([a-z_]+)\}")
_P = ParamSpec("_P")
_T = TypeVar("_T")
_remembered: list[Callable[[], object]] = []
_added: dict[str, Mapping[str, Any]] = {}


def kept(most: int | None) -> Callable[[Callable[_P, _T]], Callable[_P, _T]]:
    """Have a function remember what it worked out with these files, for so many arguments, until a language is added or taken out."""

    def remembered(make: Callable[_P, _T]) -> Callable[_P, _T]:
        found = functools.lru_cache(most)(make)
        _remembered.append(found.cache_clear)
        return cast("Callable[_P, _T]", found)

    return remembered


derived = kept(None)
"""… for all arguments: the names of lists and languages, of which there are few."""


@functools.cache
def _shipped() -> dict[str, Mapping[str, Any]]:
    return {code: table_in(FOLDER / f"{code}.toml") for code in dict.fromkeys((*_FIRST, *languages_in(FOLDER)))}


@derived
def _known() -> dict[str, Mapping[str, Any]]:
    return _shipped() | _added


def add(path: str | Path) -> str:
    """Read a further language from a file such as `it.toml`; returns its code.

    Raises ValueError where the file is no TOML, or lacks `name` or the words the language is told by (`words.small`).
    """
    file = Path(path)
    import tomllib

    table = tomllib.loads(file.read_text(encoding="utf-8"))
    if "name" not in table or "small" not in table.get("words", {}):
        raise ValueError(f"{file}: a language needs `name` and, under [words], `small`: its most frequent small words")
    _added[file.stem] = table
    _forget()
    return file.stem


def remove(code: str) -> None:
    """Take out a language that was added."""
    del _added[code]
    _forget()


def _forget() -> None:
    for clear in _remembered:
        clear()


def codes() -> tuple[str, ...]:
    """The languages that claims are read in."""
    return tuple(_known())


def language(code: str) -> Mapping[str, Any]:
    """The file of one language; that of English for one that is not read."""
    known = _known()
    return known.get(code, known["en"])


@derived
def words(name: str, code: str | None = None) -> frozenset[str]:
    """A list of words, of one language or of all of them."""
    return frozenset(word for table in _tables(code) for word in _words(table.get("words", {}), name))


def _words(lists: Mapping[str, str], name: str) -> Iterator[str]:
    """The words of a list and of those that it names in braces: `{larger} ahead above`."""
    for word in lists.get(name, "").split():
        yield from _words(lists, word[1:-1]) if word.startswith("{") else (word,)


def section(name: str, part: str) -> list[Any]:
    """What each language has under [name] as `part`, in order; left out where a language has nothing."""
    return [table[name][part] for table in _tables(None) if part in table.get(name, {})]


@derived
def listed(name: str, *parts: str) -> frozenset[str]:
    """The words that any language lists under [name] as one of these parts."""
    return frozenset(word for part in parts for line in section(name, part) for word in line.split())


def rows(name: str, *parts: str) -> list[str]:
    """What any language lists under [name] as one of these parts, line by line in their order."""
    return [row for part in parts for rows in section(name, part) for row in rows]


@derived
def phrases(name: str, *parts: str) -> frozenset[str]:
    """The phrases that any language lists under [name] as one of these parts."""
    return frozenset(rows(name, *parts))


def alternatives(name: str, part: str) -> str:
    """The words, phrases or patterns that any language has under [name] as `part`, as one alternative of a pattern."""
    rows = section(name, part)
    return "|".join(one for row in rows for one in (row.split() if isinstance(row, str) else row)) or r"(?!)"


@derived
def pattern(name: str, source: str, **given: str) -> re.Pattern[str]:
    """A pattern in which `{part}` stands for what any language lists under [name] as that part, or for what is given by that name."""
    put_in = _PART.sub(lambda part: f"(?:{given.get(part[1]) or alternatives(name, part[1])})", source)
    return compiled(put_in, re.IGNORECASE)


def tables(name: str, code: str | None = None) -> list[Mapping[str, Any]]:
    """The table [name] of each language that has one, or of one language."""
    return [table[name] for table in _tables(code) if name in table]


def merged(name: str, part: str) -> dict[str, Any]:
    """A table of all languages in one; English wins where they differ."""
    found: dict[str, Any] = {}
    for table in reversed(section(name, part)):
        found |= table
    return found


@derived
def speech(*names: str) -> re.Pattern[str]:
    """The patterns under [speech] of these names, of all languages, as one."""
    return compiled(any_of(rows("speech", *names)), re.IGNORECASE)


def either(found: Iterable[str]) -> str:
    """Words as one alternative of a pattern, the longest first."""
    return "|".join(map(re.escape, sorted(found, key=lambda word: (-len(word), word)))) or r"(?!)"


@functools.cache
def told_apart() -> Mapping[str, str]:
    """Languages that are recognised and not read, by their small words."""
    return {code: words for code, words in table_in(_TOLD_APART).items() if isinstance(words, str)}


def distinctive_words() -> Mapping[str, str]:
    """Words of languages that are not read, and of none that is: even a sentence of three words tells by them."""
    found: Mapping[str, str] = table_in(_TOLD_APART)["telling"]
    return found


def _tables(code: str | None) -> Iterable[Mapping[str, Any]]:
    return _known().values() if code is None else (language(code),)
