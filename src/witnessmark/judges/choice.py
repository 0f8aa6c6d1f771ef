"""Which judge is asked about a case, and what the record says about that choice.

Every check that asks a judge chooses here, with a purpose: the settings may send purposes, high stakes, missions and workspaces
to judges of their own. Knows nothing about prompts or replies.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import cast

import msgspec

from witnessmark.core.case import Case, Stakes
from witnessmark.core.errors import ConfigError
from witnessmark.core.protocols import Judge, Judges, JudgeSelection
from witnessmark.core.verdict import Finding, Independence
from witnessmark.judges.own_judge import guarded
from witnessmark.judges.pool import Purpose, named_judge

_WARNINGS: dict[str, tuple[str, str]] = {
    "unknown": (
        "it is not known which family of models made the work or judged it, so the judge may be judging its own kind",
        "Name executor.model in the case, and `family` in [judges.NAME] for a judge whose name does not tell it.",
    ),
    "none": ("the judge is of the family that made the work", "Configure a judge of another family."),
    "prompt": ("the judge is the model that made the work", "Configure a judge of another family."),
}


class ChosenJudge(msgspec.Struct, frozen=True):
    """Who is asked, how far that one stands from the work, and who was named and is not asked, with the reason."""

    judge: Judge
    independence: Independence
    set_aside: tuple[str, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What a reader of the record must know about the choice."""
        return choice_findings(self.independence, self.set_aside)


_ALLOW = "Name a judge of another family, or allow it with --allow-same-family (judging.allow_same_family)."


def choose(judges: Judges, case: Case, purpose: Purpose, *, stakes: Stakes | None = None) -> ChosenJudge:
    """The judge for this case and purpose; ConfigError (or another UsageError) that says why where there is none."""
    executor = case.executor.model if case.executor else None
    at_stake, named = stakes or case.stakes, named_judge(case)
    if named == "none":
        raise ConfigError("the case asks for no judge (context.verifier_model is none)")
    judge = judges.pick(executor, stakes=at_stake, purpose=purpose, named=named)
    aside: tuple[str, ...] = ()
    if _tells_who_was_not_asked(type(judges)):
        aside = cast("JudgeSelection", judges).set_aside(executor, stakes=at_stake, purpose=purpose, named=named)
    return ChosenJudge(guarded(judge), judges.independence(judge, executor), aside)


@functools.lru_cache(maxsize=64)
def _tells_who_was_not_asked(kind: type) -> bool:
    """Whether judges of this class are a JudgeSelection; asked once a class, since asking a protocol takes longer than choosing."""
    return all(hasattr(kind, name) for name in ("set_aside", "own_reviewer", "others"))


def choice_findings(independence: Independence, set_aside: Sequence[str] = ()) -> tuple[Finding, ...]:
    """A warning where the judge is too near to the maker of the work or nobody knows, and one for each judge set aside."""
    told = _WARNINGS.get(independence)
    if told is None and not set_aside:
        return ()
    near = () if told is None else ((told[0], told[1]),)
    aside = ((f"a judge that was named was not asked: {why}", _ALLOW) for why in set_aside)
    return tuple(
        Finding(message=message, category="policy", severity="warning", suggestion=advice)
        for message, advice in (*near, *aside)
    )
