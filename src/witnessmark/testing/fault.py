"""One way to break a good case: what it is called, what it does, and who should notice. The kits are beside this file."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from msgspec.structs import replace

from witnessmark.core.case import Case

Kind = Literal["decomposition", "agent_output", "synthesis"]
Break = Callable[[Case, random.Random], Case | None]


@dataclass(frozen=True, slots=True)
class Fault:
    """A named way to break a case. `caught_by` is the exact check that should find it, or `judge`."""

    name: str
    kind: Kind
    caught_by: str
    summary: str
    breaks: Break


FAULTS: dict[str, Fault] = {}
"""Every fault by its name."""


def fault(name: str, kind: Kind, caught_by: str) -> Callable[[Break], Break]:
    """Make a function known as a way to break cases of this kind; its docstring says what it does."""

    def keep(breaks: Break) -> Break:
        FAULTS[name] = Fault(name, kind, caught_by, (breaks.__doc__ or "").strip(), breaks)
        return breaks

    return keep


def subject(case: Case, **changed: Any) -> Case:
    """The case with these fields of its subject changed."""
    return replace(case, subject=replace(case.subject, **changed))
