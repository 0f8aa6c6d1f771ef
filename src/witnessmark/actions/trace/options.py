"""Which words of a command are options and their values, so that what is left says what the program is to do.

Whether an option has its value in the next word is data, by program (`tools.toml`). An option that nobody has listed has none.
"""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Container, Iterator, Sequence
from pathlib import Path

from witnessmark.text.patterns import compiled, table_in

DATA = Path(__file__).with_name("tools.toml")
_ASSIGNED = compiled(r"\w+=.*", re.DOTALL)
_SIGNS = ("-", "+")
"""What options begin with; `+nightly` is one of cargo."""


@functools.cache
def _valued(program: str) -> frozenset[str]:
    """The options of a program that have a value of their own in the next word."""
    data = table_in(DATA)
    return frozenset(f"{data['options'].get(program, '')} {data['options_before'].get(program, '')}".split())


def _steps(program: str, words: Sequence[str]) -> Iterator[tuple[str, int]]:
    """Each word that is no value, with the place behind it and its value."""
    valued, at = _valued(program), 0
    while at < len(words):
        word = words[at]
        at += 2 if word in valued else 1
        yield word, min(at, len(words))


def behind_options(program: str, words: tuple[str, ...], own: int = 0) -> tuple[str, ...]:
    """What follows a program's options, assignments and so many other words of its own; `words` are those behind the program."""
    begin = 0
    for word, end in _steps(program, words):
        if word == "--":
            return words[end:]
        if not (word.startswith(_SIGNS) or _ASSIGNED.fullmatch(word)):
            if not own:
                return words[begin:]
            own -= 1
        begin = end
    return ()


def leading_options(program: str, words: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The options before anything else, each with its value, which is empty where it has none."""
    begin = 0
    for word, end in _steps(program, words):
        if not word.startswith(_SIGNS):
            return
        yield word, words[begin + 1] if end - begin > 1 else ""
        begin = end


def arguments(program: str, words: Sequence[str], known: Container[str] = ()) -> tuple[str, ...]:
    """The words behind a program that are no options, assignments or values; options that are `known` are kept."""
    found = (word for word, _ in _steps(program, words))
    return tuple(word for word in found if word in known or not (word.startswith(_SIGNS) or _ASSIGNED.fullmatch(word)))


def subcommand_at(words: tuple[str, ...]) -> int:
    """Where a command says what its program is to do, behind options that stand before that: 3 in `kubectl -n prod apply`."""
    if len(words) < 3 or not words[1].startswith(_SIGNS):
        return 1
    program = posixpath.basename(words[0])
    if program not in table_in(DATA)["options_before"]:
        return 1
    rest = behind_options(program, words[1:])
    while rest and rest[0].isdigit():
        rest = behind_options(program, rest[1:])  # `make -j 4 test`
    at = len(words) - len(rest)
    return at if rest and not rest[0].startswith(_SIGNS) and "--" not in words[:at] else 1


def subcommand_first(words: tuple[str, ...]) -> tuple[str, ...]:
    """A command with what its program is to do before all options: `kubectl apply -n prod` for `kubectl -n prod apply`."""
    at = subcommand_at(words)
    return (words[0], words[at], *words[1:at], *words[at + 1 :]) if at > 1 else words
