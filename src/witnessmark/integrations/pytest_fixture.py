"""What the `verifier` fixture is: a Verifier with a test's defaults, which remembers its records and tells them to the test.

Imported by the plugin when a test first asks for it. Knows pytest only by the function that takes a property.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from witnessmark import config
from witnessmark.core.case import Case
from witnessmark.core.errors import InputError
from witnessmark.core.record import Record
from witnessmark.integrations.plain_cases import case_of
from witnessmark.integrations.summary import summary_text
from witnessmark.verifier import Verifier

ASKED = ("goal", "evidence", "criteria", "checkpoint", "policy", "context", "at_least", "id")
BESIDE_A_CASE = ("checkpoint", "at_least")
ENOUGH = {"pass": ("pass",), "partial": ("pass", "partial")}
Note = Callable[[tuple[str, object]], None]


def configured(file: str | None, store: str | None, judges: Sequence[str] | None) -> Verifier:
    """A verifier from the settings file and the options; nothing is kept unless one of them names a store."""
    found, _ = config.load(file)
    judging = replace(found.judging, judges=tuple(judges)) if judges else found.judging
    return Verifier.from_settings(replace(found, store=store or found.store, judging=judging))


class OutputVerifier:
    """Verifies what one test produced. `records` are those made so far, in order."""

    def __init__(self, verifier: Verifier, asked: Mapping[str, Any], note: Note) -> None:
        self.verifier, self.records = verifier, list[Record]()
        self._asked, self._note = _known(asked, "verify"), note

    def check(self, output: Any, **asked: Any) -> Record:
        """The record of an output: a text, a subject as a mapping, or a whole Case. Says nothing about good or bad."""
        return self._look(output, _known(asked, "check"))[1]

    def assert_verified(self, output: Any, **asked: Any) -> Record:
        """The record of an output that passes (or is at least `partial`, where asked); otherwise the test fails and says why."""
        __tracebackhide__ = True
        record, against = self._held(output, _known(asked, "assert_verified"))
        if against:
            raise AssertionError(against)
        return record

    def take(self, output: Any) -> str:
        """Verify what a marked test returned, and say what speaks against it; None is nothing."""
        return "" if output is None else self._held(output, {})[1]

    def _held(self, output: Any, asked: Mapping[str, Any]) -> tuple[Record, str]:
        enough = (self._asked | dict(asked)).get("at_least", "pass")
        if enough not in ENOUGH:
            raise InputError(f"at_least: {enough!r} is not one of {', '.join(ENOUGH)}")
        case, record = self._look(output, asked)
        return record, "" if record.outcome in ENOUGH[enough] else summary_text(record, case)

    def _look(self, output: Any, asked: Mapping[str, Any]) -> tuple[Case, Record]:
        wanted = self._asked | dict(asked)
        case = _whole(output, wanted) if isinstance(output, Case) else _case(output, wanted)
        record = self.verifier.verify_sync(case, checkpoint=wanted.get("checkpoint"))
        self.records.append(record)
        score = "" if record.score is None else f"{record.score:.4f}"
        for name, value in (("record", record.id), ("outcome", record.outcome), ("score", score)):
            self._note((f"witnessmark_{name}", value))
        return case, record


def _known(asked: Mapping[str, Any], what: str) -> dict[str, Any]:
    wrong = sorted(set(asked) - set(ASKED))
    if wrong:
        raise InputError(f"{what}: unknown {wrong[0]!r}; known are {', '.join(ASKED)}")
    return dict(asked)


def _whole(case: Case, wanted: Mapping[str, Any]) -> Case:
    """A case as it is; what was asked for beside it would hold nowhere, so it is refused."""
    lost = [name for name in ASKED if name not in BESIDE_A_CASE and wanted.get(name)]
    if lost:
        raise InputError(f"{lost[0]}: a Case brings its own; put it into the case, or hand in the output without one")
    return case


def _case(output: Any, wanted: Mapping[str, Any]) -> Case:
    if not isinstance(output, (str, Mapping)):
        kind = type(output).__name__
        raise InputError(f"the output is of type {kind}; pass its text, a subject as a mapping, or a witnessmark.Case")
    policy = wanted.get("policy")
    context = dict(wanted.get("context") or {}) | ({"policy": dict(policy)} if policy else {})
    more = {"id": wanted["id"]} if wanted.get("id") else {}
    return case_of(
        output,
        goal=wanted.get("goal", ""),
        evidence=wanted.get("evidence"),
        criteria_=wanted.get("criteria"),
        context=context,
        **more,
    )
