"""Whether tasks that depend on each other can be put in an order at all."""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

from witnessmark.core.errors import InputError


def refuse_disorder(tasks: Sequence[tuple[str, Sequence[str]]]) -> None:
    """Raise InputError where an id is given twice, a dependency leads nowhere, or tasks wait for each other.

    `tasks` are ids, each with the ids that it depends on.
    """
    needs = dict(tasks)
    if len(needs) < len(tasks):
        ids = [name for name, _ in tasks]
        twice = next(name for name in ids if ids.count(name) > 1)
        raise InputError(f"tasks: two tasks have the id {twice!r}; give every task an id of its own")
    for name, need in ((name, need) for name, named in tasks for need in named if need not in needs):
        raise InputError(f"tasks: {name!r} depends on {need!r}; there is no task {need!r} in the mission, add it")
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as exc:
        around = " → ".join(reversed(exc.args[1]))
        raise InputError(f"tasks: {around} wait for each other; take one of these dependencies out") from None
