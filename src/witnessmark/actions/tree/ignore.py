"""Patterns over paths, as .gitignore has them: for .witnessmarkignore and for allowed paths.

    *.log          any file or folder of that name, at any depth        /build     only at the top
    build/         the folder with all that is in it                    docs/**/*.md   ** stands for any folders
    !keep.log      taken back by a later line                           # a comment

Read by pathspec on re2, so that matching is linear in the path, whatever a pattern says. Knows nothing about snapshots.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from witnessmark.core.errors import InputError

Matches = Callable[[str], bool]
MAX_PATTERNS = 2_000


def lines(text: str) -> tuple[str, ...]:
    """The patterns of a file: blank lines and comments left out."""
    kept = (line.rstrip() for line in text.splitlines())
    return tuple(line for line in kept if line and not line.startswith("#"))


def matcher(given: Iterable[str]) -> Matches | None:
    """What says whether a path is matched by the patterns, the last one that matches deciding; None without any.

    A path does not say whether it is a folder, so a pattern for folders holds for a file of that name too.
    """
    from pathspec import GitIgnoreSpec  # here: most runs have no patterns

    rules = tuple(given)
    if len(rules) > MAX_PATTERNS:
        raise InputError(
            f"{len(rules):,} patterns are more than the {MAX_PATTERNS:,} that are used; write fewer, wider ones"
        )
    for rule in rules:
        if not rule.strip("!/ "):
            raise InputError(f"pattern {rule!r}: names nothing; write a file or folder name")
    if not rules:
        return None
    try:
        spec = GitIgnoreSpec.from_lines(rules, backend="re2")
    except (ValueError, re.error) as exc:
        raise InputError(f"a pattern is not one that .gitignore could have ({exc})") from None
    return lambda path: spec.match_file(path) or spec.match_file(f"{path}/")
