"""Ways to break a good agent output."""

from __future__ import annotations

import random
import re
from typing import Any

import msgspec

from witnessmark.core.case import AgentOutput, Case
from witnessmark.testing.fault import Break, fault, subject

FORM, CONTENT, SURE = "output_format", "output_content", "output_confidence"


def output_of(case: Case) -> AgentOutput:
    """The output, which the kit has made sure of."""
    assert isinstance(case.subject, AgentOutput)
    return case.subject


def _set(name: str, field: str, value: Any, caught_by: str, does: str) -> None:
    """A fault that puts one value into one field."""

    def breaks(case: Case, rng: random.Random) -> Case | None:
        return subject(case, **{field: value})

    breaks.__doc__ = does
    made: Break = breaks
    fault(name, "agent_output", caught_by)(made)


_set("drop_summary", "summary", msgspec.UNSET, FORM, "Leave out the summary.")
_set("blank_summary", "summary", "   ", FORM, "Leave the summary empty.")
_set("summary_as_object", "summary", {"text": "Done."}, FORM, "Give the summary as an object.")
_set("drop_data", "data", msgspec.UNSET, FORM, "Leave out the data.")
_set("drop_confidence", "confidence", msgspec.UNSET, FORM, "Leave out the confidence.")
_set("confidence_too_high", "confidence", 1.7, FORM, "Give a confidence above 1.")
_set("confidence_as_text", "confidence", "high", FORM, "Give the confidence as a word.")
_set("confidence_as_bool", "confidence", True, FORM, "Give the confidence as true.")
_set("drop_tools", "tools_used", msgspec.UNSET, FORM, "Leave out the tools.")
_set("tools_as_text", "tools_used", "grep, sed", FORM, "Give the tools as one text.")
_set("tools_with_numbers", "tools_used", ["grep", 7], FORM, "Put a number among the tools.")
_set("drop_metadata", "metadata", msgspec.UNSET, FORM, "Leave out the metadata.")
_set("metadata_as_list", "metadata", ["done"], FORM, "Give the metadata as a list.")
_set("raise_confidence", "confidence", 0.99, "judge", "Raise the confidence, whatever the output is worth.")


def _worded(case: Case, summary: str, **more: Any) -> Case:
    return subject(case, summary=summary, **more)


@fault("refuse", "agent_output", CONTENT)
def refuse(case: Case, rng: random.Random) -> Case | None:
    """Decline instead of answering."""
    return _worded(case, "I'm sorry, but I can't help with that request.", data={})


@fault("announce", "agent_output", CONTENT)
def announce(case: Case, rng: random.Random) -> Case | None:
    """Say what will be done instead of doing it."""
    return _worded(case, "I will start by looking at the material and then get back to you.", data={})


_DANGLING = re.compile(r"\s(?:the|a|an|and|or|that|which)(?=\s)")


@fault("truncate", "agent_output", CONTENT)
def truncate(case: Case, rng: random.Random) -> Case | None:
    """Break the summary off in the middle of a sentence."""
    text = output_of(case).summary
    if not isinstance(text, str):
        return None
    places = [m.end() for m in _DANGLING.finditer(text) if len(text[: m.end()].split()) >= 6]
    return _worded(case, text[: rng.choice(places)] if places else f"{text.rstrip('. ')} and these are the")


@fault("cut_mark", "agent_output", CONTENT)
def cut_mark(case: Case, rng: random.Random) -> Case | None:
    """Leave a mark that the rest was cut off."""
    return _worded(case, f"{case.text} ... [truncated]") if case.text else None


@fault("leave_gap", "agent_output", CONTENT)
def leave_gap(case: Case, rng: random.Random) -> Case | None:
    """Leave a gap to be filled in."""
    return _worded(case, f"{case.text} The total is [insert number here].") if case.text else None


@fault("call_it_failed", "agent_output", CONTENT)
def call_it_failed(case: Case, rng: random.Random) -> Case | None:
    """Let the agent itself report a failure."""
    kept = output_of(case).metadata
    return subject(case, metadata=(kept if isinstance(kept, dict) else {}) | {"status": "failed"})


@fault("overstate", "agent_output", SURE)
def overstate(case: Case, rng: random.Random) -> Case | None:
    """Be very sure of an output that calls itself partial."""
    if not case.text:
        return None
    return _worded(case, f"{case.text} This analysis is only partial.", confidence=0.97)


@fault("change_the_subject", "agent_output", "judge")
def change_the_subject(case: Case, rng: random.Random) -> Case | None:
    """Answer something that nobody asked."""
    return _worded(case, "The harbour museum opens at ten and closes at six on weekdays.")
