"""Feedback in words, for the prompt of whoever made the output. The other shapes of feedback are in compat.

Basic the first time; detailed from the second time on: which criteria failed, what is fine and should stay, and an
example of each kind of fault and its mending. What was judged is quoted line by line, so that it cannot pass for ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from witnessmark.core.record import Record
from witnessmark.core.thresholds import threshold
from witnessmark.core.verdict import Feedback, Finding

HEADING = "PREVIOUS ATTEMPT FEEDBACK"
PREVIOUS_LENGTH = 6_000
"""Characters of the previous output that are repeated; the rest is said to be left out."""
MOST_EXAMPLES = 5
_NOUN = {"agent_output": "output", "task_output": "output", "discussion": "conclusion"}
EXAMPLES: Mapping[str, str] = {
    "unsupported_claim": "not “Sales doubled.” but “Sales rose by 12 % (report of May, table 2).”, or leave it out",
    "contradicted_claim": "where the source says 14 March, write 14 March, not 15 March",
    "criterion_unmet": "asked for three risks with a measure each: give three, and beside each the measure",
    "consistency_conflict": "if one part says “stateless”, no other part keeps sessions: decide once and use it everywhere",
    "non_answer": "not “I could not look this up.” but what is known, what is not, and why",
    "truncated": "shorten every section rather than stop in the middle of the last one",
    "placeholder_left": "not “[insert date]” but “2 May 2026”, or “date not known”",
    "missing_section": "a heading for each section asked for, even where it says only “none found”",
    "missing_field": '{"summary": "…", "data": {}, "confidence": 0.8, "tools_used": [], "metadata": {}}',
    "invalid_type": "a number is written 0.8, not “0.8” and not “high”",
    "empty_output": "deliver the result itself, not only a note that there is one",
    "missing_keyword": "use the word that was asked for where its subject is treated",
    "wrong_format": "keep to the form that was asked for, with nothing before or after it",
    "wrong_length": "count before you hand in; cut repetition first",
}
"""What mending looks like, by kind of fault."""
BY_CRITERION: Mapping[str, str] = {
    "plan_completeness": "beside “Add the endpoint”: “Test its errors and limits”, “Say who may call it”",
    "plan_consistency": "not “Keep sessions in cookies” beside “Make the service stateless”: one of them, in all subgoals",
    "plan_groundedness": "not “Extend the session module” where the context shows none: “Extend auth.py”, or “Write …” for what is new",
    "plan_routability": "give the subgoal to an agent whose capabilities name what it needs",
}
"""What mending looks like where a score is low and nobody named a fault."""


def as_text(feedback: Feedback) -> str:
    """The feedback as a person would say it; `detailed` adds which criteria failed and how many attempts are left."""
    score = "" if feedback.previous_score is None else f", score {feedback.previous_score:g}"
    parts = [f"{HEADING} (attempt {feedback.attempt} of {feedback.max_attempts}{score}):"]
    if feedback.level == "detailed" and feedback.failed:
        parts += ["Not met:", *(f"- {name}" for name in feedback.failed)]
    if feedback.issues:
        parts += ["Issues:", *(f"- {issue}" for issue in feedback.issues)]
    if feedback.suggestions:
        parts += ["Suggestions:", *(f"- {suggestion}" for suggestion in feedback.suggestions)]
    return "\n".join(parts)


def for_the_next(record: Record, *, query: str, previous: str, kind: str) -> str:
    """What the next attempt is told: the query, the output before, its scores, issues and suggestions."""
    told = record.feedback or Feedback(attempt=record.attempt, previous_score=record.score)
    noun = _NOUN.get(kind, kind)
    detailed = told.level == "detailed"
    parts = [f"{HEADING}:", f"Attempt {told.attempt} of {told.max_attempts}. {_shortfall(record, noun)}"]
    parts += _block("Original query:", quoted(query))
    parts += _block(f"Previous {noun}:", quoted(_shortened(previous)))
    parts += _block("Scores:", [f"- {name}: {score:g}" for name, score in scores(record).items()])
    if detailed:
        parts += _block("Not met:", [f"- {name}" for name in told.failed])
    parts += _block("Issues:", [f"- {_one_line(issue)}" for issue in told.issues])
    parts += _block("Suggestions:", [f"- {_one_line(suggestion)}" for suggestion in told.suggestions])
    if detailed:
        parts += _block("Examples:", [f"- {line}" for line in examples(record.findings, told.failed)])
        fine = [said for said in record.results if said.status == "pass" and said.score == 1.0]
        parts += _block("Fine as it is, keep it:", [f"- {_called(said.node)}" for said in fine])
    return "\n".join([*parts, "", f"Please address the above issues in your revised {noun}."])


def unreadable(why: str, query: str, earlier: str | None = None) -> str:
    """What is said after an output that could not be read at all; what was said before it still holds."""
    parts = [f"{HEADING}:", *_block("Original query:", quoted(query)), *_block("Issues:", [f"- {_one_line(why)}"])]
    again = earlier.partition("\n")[2] if earlier else ""
    return "\n".join([*parts, *([again] if again else ["", "Please return it in the form that was asked for."])])


def scores(record: Record) -> dict[str, float]:
    """Every score that counts, by what it is about; `plan_completeness` is called completeness, as its reader knows it."""
    silent = {
        node["node"]
        for node in msgspec.json.decode(record.graph)["nodes"]
        if not node["weight"] and not node["must_pass"]
    }
    return {_called(s.node): s.score for s in record.results if s.score is not None and s.node not in silent}


def _called(node: str) -> str:
    return node.removeprefix("plan_").removeprefix("output_").replace("_", " ")


def examples(findings: tuple[Finding, ...], failed: tuple[str, ...] = ()) -> Iterator[str]:
    """For each kind of fault found, where it stands and what mending looks like; where none was, for each criterion that is not met."""
    shown: set[str] = set()
    for finding in findings:
        if finding.severity == "info" or finding.category in shown or len(shown) == MOST_EXAMPLES:
            continue
        shown.add(finding.category)
        advice = EXAMPLES.get(finding.category) or finding.suggestion
        here = f"“{_one_line(finding.quote)[:200]}”: " if finding.quote else ""
        if advice:
            yield f"{_one_line(finding.message)}: {here}{advice}"
    if not shown:
        yield from (f"{_called(name)}: {BY_CRITERION[name]}" for name in failed if name in BY_CRITERION)


def _shortfall(record: Record, noun: str) -> str:
    low = [f"{name} {score:g}" for name, score in scores(record).items() if score < threshold("feedback")]
    score = "" if record.score is None else f" (score {record.score:g})"
    short = "good" if low or record.score is None or record.score < threshold("pass_threshold") else "sure"
    return f"The {noun} is not {short} enough{score}" + (f"; low: {', '.join(low)}." if low else ".")


def _block(title: str, lines: list[str]) -> list[str]:
    return ["", title, *lines] if lines else []


def quoted(text: str) -> list[str]:
    """Somebody else's words, each line marked as such."""
    return [f"> {line}" for line in text.splitlines()] if text.strip() else []


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _shortened(text: str) -> str:
    if len(text) <= PREVIOUS_LENGTH:
        return text
    half = PREVIOUS_LENGTH // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half} characters left out …]\n{text[-half:]}"
