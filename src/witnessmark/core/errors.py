"""Everything Witnessmark raises, as one tree.

    WitnessmarkError
    ├── UsageError            the caller can fix it; command line exit code 2
    │   ├── InputError        a value, case, file or option is wrong; names the field and the fix
    │   ├── GraphError        a graph of checks that cannot be built (cycle, double, hole)
    │   ├── ConfigError       a settings file or policy that cannot be used
    │   │   └── PolicyError   … of a policy, with the field that is wrong
    │   └── UnknownNameError  no check, checkpoint, judge, store or record of that name
    ├── TransientError        trying the same thing again may help
    │   ├── JudgeTimeoutError
    │   ├── JudgeUnavailableError
    │   └── RateLimitedError
    ├── JudgeReplyError       the judge answered, and the answer cannot be read
    ├── JudgesDisagreeError   the judges of a panel answered, and not the same
    ├── WorkLimitError        a check took more time, CPU time or memory than it may, and was ended
    ├── BudgetError           the next paid call does not fit into what is left
    ├── NotAcceptedError      an adapter's output was verified, and the policy says that it may not be used
    └── StoreError            the store cannot be read or written, or holds what it should not
        ├── UnfitError        the store is there and takes no such value; trying again does not help
        └── SeveralRecordsError   the beginning of an id that several records have

The split that matters is whether trying again can help: only a TransientError is ever retried.
"""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any


class WitnessmarkError(Exception):
    """Anything Witnessmark raises on purpose."""


class UsageError(WitnessmarkError):
    """The caller can fix this; the message says how."""


class InputError(UsageError, ValueError):
    """A value, case, file or option is wrong."""


class GraphError(UsageError):
    """A graph of checks that cannot be built."""


class ConfigError(UsageError):
    """A settings file or policy that cannot be used."""


class PolicyError(ConfigError):
    """A policy that cannot be used: where it stands, the field that is wrong, and what is wrong with it.

    The field is None where `said` begins with it, and "" where the policy as a whole is wrong.
    """

    def __init__(self, where: str, field: str | None, said: object) -> None:
        super().__init__(f"{where}: {said}")
        self._named = f".{said}" if field is None else f".{field}: {said}" if field else f": {said}"

    def of_file(self, file: str) -> ConfigError:
        """The same for whoever wrote the policy into a file of its own: it names the file."""
        return ConfigError(f"{file}: {self._named.lstrip('.: ')}")

    def given_as(self, name: str) -> InputError:
        """The same for whoever sent the policy under this name: it begins with the field."""
        return InputError(f"{name}{self._named}")


class UnknownNameError(UsageError):
    """Nothing is registered or stored under that name."""

    def __init__(self, what: str, name: str, known: Iterable[str], hint: str = "") -> None:
        self.name = name
        near = difflib.get_close_matches(name, list(known), n=3, cutoff=0.6)
        did_you_mean = f"; did you mean {' or '.join(near)}?" if near else ""
        more = f" {hint.lstrip('; ')}" if near and hint else hint
        super().__init__(f"unknown {what} {name!r}{did_you_mean}{more}")


class TransientError(WitnessmarkError):
    """Trying the same thing again may help."""


class JudgeTimeoutError(TransientError):
    """The judge did not answer in time."""


class JudgeUnavailableError(TransientError):
    """The judge could not be reached or is failing."""


class RateLimitedError(TransientError):
    """The judge asked us to slow down."""

    def __init__(self, message: str, retry_after_s: float | None = None) -> None:
        self.retry_after_s = retry_after_s
        super().__init__(message)


class JudgeReplyError(WitnessmarkError):
    """The judge answered, and the answer cannot be read. What the attempts cost may be attached as `usage`."""

    usage: Any = None


class JudgesDisagreeError(WitnessmarkError):
    """The judges of a panel answered, and not the same: they looked, and cannot say.

    `agreed` is the part of the answer on which they do agree, by its names; `apart` are the names of the rest. A list has only the entries
    that they agree on. `places` are where in the merged answer, `merged`, they differ.
    """

    usage: Any = None
    agreed: Mapping[str, Any] = MappingProxyType({})
    apart: tuple[str, ...] = ()
    merged: Mapping[str, Any] = MappingProxyType({})
    places: tuple[str, ...] = ()


class BudgetError(WitnessmarkError):
    """The next paid call does not fit into what is left of the budget."""


class WorkLimitError(WitnessmarkError):
    """A check took more than it may use and was ended; `deadline` where it was time or CPU time."""

    def __init__(self, message: str, *, deadline: bool = False) -> None:
        self.deadline = deadline
        super().__init__(message)

    def __reduce__(self) -> tuple[Any, ...]:
        return functools.partial(WorkLimitError, deadline=self.deadline), self.args


class NotAcceptedError(WitnessmarkError):
    """An output was verified, and the policy says that it may not be used. The verdict is attached as `record`."""

    def __init__(self, message: str, record: Any) -> None:
        self.record = record
        super().__init__(message)


class StoreError(WitnessmarkError):
    """The store cannot be read or written, or holds what it should not."""


class UnfitError(StoreError):
    """The store is there and takes no such value: trying the same again does not help."""


class SeveralRecordsError(StoreError):
    """The beginning of an id that several records have."""
