"""What happened, for a person: a line for each attempt, then what became of each agent. Told from the results alone."""

from __future__ import annotations

import re
from dataclasses import dataclass

from witnessmark.cli.output.screen import harmless
from witnessmark.loop.revise import Attempt, RevisionResult

FIGURE = re.compile(r"\d[\d,.]*\d|\d")
DONE = {
    "accept": "accepted",
    "warn": "goes on with a warning",
    "escalate": "a person has to look",
    "abort": "given up",
}


@dataclass(frozen=True)
class Step:
    """One part of the run: who worked, whether as an agent, what came of it, and who took over where nobody trusts it."""

    who: str
    made: RevisionResult
    agent: bool = False
    replaced_by: str | None = None


def table(steps: list[Step]) -> list[str]:
    """A line for each attempt: who, the verdict, what was found, and what Witnessmark did."""
    lines = [f"{'who':<11} try  verdict     what Witnessmark found, and what it did"]
    for step in steps:
        for attempt in step.made.attempts:
            who = step.who if attempt.number == 1 else ""
            found = harmless(_found(attempt))
            lines.append(f"{who:<11} {attempt.number:<4} {_verdict(attempt):<11} {found}→ {_did(step, attempt)}")
    return lines


def story(steps: list[Step], answer: str) -> list[str]:
    """What became of each agent, in a sentence; and whether what was refused is in the answer."""
    agents = [step for step in steps if step.agent]
    lines = [f"  {harmless(_fate(step))}" for step in agents]
    refused = {figure for step in agents if step.replaced_by for figure in _invented(step)}
    kept = sorted(refused & set(FIGURE.findall(answer)))
    if refused:
        said = f"{', '.join(kept)} of it is in the answer" if kept else "none of it is in the answer"
        lines.append(f"  What was refused ({', '.join(sorted(refused))}): {said}.")
    return lines


def _verdict(attempt: Attempt) -> str:
    if attempt.record is None:
        return "no output"
    return attempt.record.outcome if attempt.judged else "unchanged"


def _wrong(attempt: Attempt) -> list[str]:
    if attempt.record is None:
        return [attempt.error or ""]
    errors = [finding for finding in attempt.record.findings if finding.severity == "error"]
    return [f.message + (f" “{f.quote}”" if f.quote else "") for f in errors]


def _found(attempt: Attempt) -> str:
    wrong = _wrong(attempt)
    more = f", and {len(wrong) - 1} more" if len(wrong) > 1 else ""
    if not wrong and attempt.record is not None and attempt.record.action == "warn":
        return f"{attempt.record.because} "
    return f"{wrong[0]}{more} " if wrong else ""


def _did(step: Step, attempt: Attempt) -> str:
    if attempt.number < len(step.made.attempts):
        return "asked again" if attempt.record is None else "sent back with feedback"
    return f"not used, {step.replaced_by} takes over" if step.replaced_by else DONE.get(step.made.action, "")


def _invented(step: Step) -> set[str]:
    quotes = [f.quote for a in step.made.attempts if a.record for f in a.record.findings if f.severity == "error"]
    return {quote for quote in quotes if quote and FIGURE.fullmatch(quote)}


def _fate(step: Step) -> str:
    tries, action = len(step.made.attempts), step.made.action
    broke = sum(attempt.error is not None for attempt in step.made.attempts)
    if step.replaced_by:
        if step.made.record is None:
            return f"{step.who} gave nothing that could be read in {tries} attempts; {step.replaced_by} did it instead."
        times = f"{tries} times" if tries > 1 else "at once"
        return f"{step.who} lied or erred: caught {times}, its work is not used and {step.replaced_by} did it instead."
    if action == "accept" and tries == 1:
        return f"{step.who} was honest: held against its document and accepted at once."
    if action == "accept" and broke:
        return f"{step.who} broke: asked again each time, and its work was used only when attempt {tries} held."
    if action == "accept":
        return f"{step.who} did better when told what was wrong: attempt {tries} held."
    return f"{step.who}: {DONE.get(action, action)}; {step.made.stopped_because}."
