"""Patterns over paths, as people know them from .gitignore: for .witnessmarkignore and for allowed paths.

    *.log          any file or folder of that name, at any depth        /build     only at the top
    build/         the folder with all that is in it                    docs/**/*.md   ** stands for any folders
    !keep.log      taken back by a later line                           # a comment

Matching is linear in the path (re2), whatever a pattern says. Knows nothing about snapshots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from witnessmark.core import patterns
from witnessmark.core.errors import InputError

Matches = Callable[[str], bool]
MAX_PATTERNS = 2_000


def lines(text: str) -> tuple[str, ...]:
    """The patterns of a file: blank lines and comments left out."""
    kept = (line.rstrip() for line in text.splitlines())
    return tuple(line for line in kept if line and not line.startswith("#"))


def matcher(given: Iterable[str]) -> Matches | None:
    """What says whether a path is matched by the patterns, the last one that matches deciding; None without any."""
    rules = tuple(given)
    if len(rules) > MAX_PATTERNS:
        raise InputError(
            f"{len(rules):,} patterns are more than the {MAX_PATTERNS:,} that are used; write fewer, wider ones"
        )
    compiled = [(not rule.startswith("!"), _compiled(rule.removeprefix("!"))) for rule in rules]
    if not compiled:
        return None
    if all(wanted for wanted, _ in compiled):
        whole = patterns.compiled("(?s)" + "|".join(_source(rule) for rule in rules))
        return lambda path: whole.search(path) is not None

    def matches(path: str) -> bool:
        decided = (wanted for wanted, pattern in reversed(compiled) if pattern.search(path) is not None)
        return next(decided, False)

    return matches


def _compiled(rule: str) -> Any:
    return patterns.compiled("(?s)" + _source(rule))


def _source(rule: str) -> str:
    r"""A pattern as a regular expression over a path from the root; it matches the thing and all below it.

    >>> _source("*.log"), _source("/build/")
    ('(?:^|/)[^/]*\\.log(?:$|/)', '^build(?:$|/)')
    """
    body = rule.strip("/")
    if not body:
        raise InputError(f"pattern {rule!r}: names nothing; write a file or folder name")
    top = rule.startswith("/") or "/" in body
    return ("^" if top else "(?:^|/)") + _body(body) + "(?:$|/)"


def _body(body: str) -> str:
    out, at = [], 0
    while at < len(body):
        if body.startswith("**/", at):
            out.append("(?:[^/]+/)*")
            at += 3
        elif body.startswith("**", at):
            out.append(".*")
            at += 2
        else:
            out.append({"*": "[^/]*", "?": "[^/]"}.get(body[at]) or _literal(body[at]))
            at += 1
    return "".join(out)


def _literal(char: str) -> str:
    return "\\" + char if char in "\\.+^$()[]{}|" else char
