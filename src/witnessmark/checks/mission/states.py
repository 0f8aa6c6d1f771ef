"""Whether two tasks of a mission tell of the same state of the same thing, as far as their descriptions and what lies between them say.

A task that upgrades, moves or mends changes what an earlier one told of, and `Leeds` and `York` are two things. Words are data (`[missions]` of a
language). Knows nothing about what the tasks say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from witnessmark.core.case import Case, Mission, MissionTask
from witnessmark.text import lang

_WORD = re.compile(r"[\w'’-]+")
_INNER_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w-]*")
MOST_IN_A_LABEL = 2
"""Words up to which a description may be the mere name of a thing."""


@lang.derived
def _opens_with_change() -> re.Pattern[str]:
    words = lang.either(lang.listed("missions", "changes"))
    return re.compile(rf"(?:^\W*|,\s*|\b(?:and|then|und|dann|et|puis|y|luego)\s+)(?:{words})\b", re.IGNORECASE)


def tasks_of(case: Case) -> Sequence[MissionTask]:
    """The tasks of a mission, in their order."""
    return case.subject.tasks if isinstance(case.subject, Mission) else ()


def may_differ(tasks: Sequence[MissionTask], one: MissionTask, other: MissionTask) -> bool:
    """Whether what two tasks say of the same thing may differ and both be right."""
    first, second = (one, other) if tasks.index(one) < tasks.index(other) else (other, one)
    between = tasks[tasks.index(first) + 1 : tasks.index(second) + 1]
    return (
        any(map(_changes, between))
        or any(map(_at_a_moment, (first, second)))
        or other_things(first.description, second.description)
    )


def _changes(task: MissionTask) -> bool:
    """Whether a task changes something, by what it was to do or by what it says that it did."""
    did = lang.listed("missions", "changed").intersection(_words(task.output))
    return bool(did) or _opens_with_change().search(task.description) is not None


def _at_a_moment(task: MissionTask) -> bool:
    return not lang.listed("missions", "moments").isdisjoint(_words(task.description))


def other_things(one: str, other: str) -> bool:
    """Whether two descriptions are of two things: other names in them, or the same words but for one that names no work.

    >>> other_things("Price of soup", "Price of pasta"), other_things("Leeds", "York"), other_things("Count", "Report")
    (True, True, False)
    """
    names = set(_INNER_NAME.findall(one)), set(_INNER_NAME.findall(other))
    if all(names) and names[0].isdisjoint(names[1]):
        return True
    mine, theirs = _words(one), _words(other)
    if len(mine) != len(theirs):
        return False
    apart = [pair for pair in zip(mine, theirs, strict=True) if pair[0] != pair[1]]
    work = lang.listed("missions", "work") | lang.listed("missions", "changes")
    labels = 0 < len(mine) <= MOST_IN_A_LABEL and len(apart) == len(mine)
    return (len(apart) == 1 or labels) and not any(word in work for pair in apart for word in pair)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
