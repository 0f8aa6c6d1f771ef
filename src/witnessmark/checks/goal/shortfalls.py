"""Signs, told without a judge, that a request was not met: nothing there, a refusal, a cut, a figure asked for and not given.

Each sign is meant to be right when it speaks and silent otherwise; whether the goal was met is for a reader to say. Pure:
a request and a response in, findings out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from witnessmark.checks.plain import counts, writing
from witnessmark.checks.plain.endings import cut
from witnessmark.core.case import AgentOutput, Case, Evidence
from witnessmark.core.verdict import Finding
from witnessmark.text import lang, language
from witnessmark.text.failures import call_failed
from witnessmark.text.markdown import blocks
from witnessmark.text.numerals import every_number_word
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import ANYTHING, sentence_spans
from witnessmark.text.words import letters

Sign = Callable[[Case], Iterator[Finding]]
OPENING = 6
"""Words of answer before a refusal that make it a reservation."""
PLAIN = 120
"""Words up to which a request is taken at its word; a longer one may quote what it is about."""
SHORT = 60
"""Words up to which a response that ends with a question is taken to be one."""
SURE_OF_LANGUAGE = 0.7
"""The share of a text's words from which it is said to be in another language than was asked for."""


def shortfall_findings(case: Case) -> list[Finding]:
    """Every sign that speaks about this case; an empty output says all there is to say."""
    if not _has_output(case):
        return [_finding("there is no output", "empty_output", "Produce the output.")]
    return [finding for sign in _SIGNS for finding in sign(case)]


def _has_output(case: Case) -> bool:
    subject = case.subject
    if isinstance(subject, AgentOutput):
        return any(bool(subject.present().get(key)) for key in ("summary", "data", "artifacts", "claims"))
    return bool(case.text.strip())


def _finding(message: str, category: str, suggestion: str, **more: Any) -> Finding:
    return Finding(message=message, category=category, suggestion=suggestion, **more)


# --- refusals, cuts, echoes --------------------------------------------------------------------------------------------


_NOT_A_REFUSAL = writing.not_a_refusal()


def _refused(case: Case) -> Iterator[Finding]:
    """A refusal where the answer should begin.

    After a sentence or so of answer it is a limit honestly told; after tools were used, and with a reason, it may be the right
    answer: both are for a reader.
    """
    said = _NOT_A_REFUSAL(case, {})
    looked = any(source.kind == "tool_call" and not call_failed(source) for source in case.evidence)
    reasoned = looked and lang.speech("gives_reason").search(case.text) is not None
    for finding in said.findings:  # type: ignore[union-attr]
        before = case.text[: finding.span[0]] if finding.span else ""
        told = (
            any(_ended(before[slice(*span)]) for span in sentence_spans(before, begins=ANYTHING))
            and len(before.split()) >= OPENING
        )
        yield replace(finding, severity="warning") if told or reasoned else finding


def _ended(sentence: str) -> bool:
    return sentence.rstrip("\"'”’»)*_").endswith((".", "!", "?"))


def _cut(case: Case) -> Iterator[Finding]:
    why = cut(case.text)
    if why is not None:
        yield _finding(
            f"the response breaks off: {why}", "truncated", "Deliver the whole response; shorten it rather than stop."
        )


def _echo(case: Case) -> Iterator[Finding]:
    """A response of the request's own words, in a sentence or more, adds nothing."""
    asked, said = _words(case.goal), _words(case.text)
    if len(said) >= 5 and len(asked) >= 5 and set(said) <= set(asked) and len(said) >= 0.6 * len(asked):
        yield _finding("the response only repeats the request", "non_answer", "Answer the request; do not restate it.")


def _words(text: str) -> list[str]:
    return letters(text.lower())


# --- figures, counts, form, language -----------------------------------------------------------------------------------


def _figure(case: Case) -> Iterator[Finding]:
    plain = len(case.goal.split()) <= PLAIN and lang.speech("asks_for_figure").search(case.goal) is not None
    if not plain or _has_number(_all_said(case)) or lang.speech("not_known").search(case.text):
        return
    if language.detect_short(case.text) not in lang.codes():
        return  # its number words are not known
    yield _finding(
        "a figure was asked for and none is given",
        "criterion_unmet",
        "Give the figure, or say plainly that it is not known and why.",
    )


def _all_said(case: Case) -> str:
    subject = case.subject
    return json.dumps(subject.present(), default=str) if isinstance(subject, AgentOutput) else case.text


def _has_number(text: str) -> bool:
    return any(char.isnumeric() for char in text) or not every_number_word().isdisjoint(_words(text))


def _count(case: Case) -> Iterator[Finding]:
    short = counts.miscount(case.text, case.goal)
    if short is not None and short.most:
        yield _finding(
            f"at most {counts.counted_things(short.wanted, short.what)} {_were(short.wanted)} asked for and {short.found} {_are(short.found)} there",
            "criterion_unmet",
            f"Cut {counts.counted_things(short.found - short.wanted, short.what)}.",
        )
    elif short is not None:
        yield _finding(
            f"{counts.counted_things(short.wanted, short.what)} {_were(short.wanted)} asked for and {short.found} {_are(short.found)} there",
            "criterion_unmet",
            f"Give all {short.wanted} {short.what}.",
        )


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _form(case: Case) -> Iterator[Finding]:
    if isinstance(case.subject, AgentOutput) or not lang.speech("asks_for_json").search(case.goal):
        return
    if not _some_json(case.text):
        yield _finding("JSON was asked for, and the output has no valid JSON", "wrong_format", "Return valid JSON.")


def _some_json(text: str) -> bool:
    inside = [text, *(block.text for block in blocks(text))]
    starts = [text[at:] for at in (text.find("{"), text.find("[")) if at >= 0]
    return any(_reads(part) for part in inside) or any(_opens(part) for part in starts)


def _reads(text: str) -> bool:
    try:
        return isinstance(json.loads(text), (dict, list))
    except (ValueError, RecursionError):
        return False


def _opens(text: str) -> bool:
    try:
        json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return False
    return True


@lang.derived
def _languages() -> dict[str, str]:
    """The codes of languages by their names in any language, the English name first."""
    return {name: code for table in lang.tables("languages") for code, names in table.items() for name in names.split()}


@lang.derived
def _language_asked() -> re.Pattern[str]:
    named = lang.speech("asks_for_language").pattern.replace("{language}", f"({lang.either(_languages())})")
    return compiled(named, re.IGNORECASE)


def _language(case: Case) -> Iterator[Finding]:
    asked = _language_asked().search(case.goal)
    if asked is None:
        return
    code = _languages()[next(filter(None, asked.groups())).lower()]
    name = _named(code)
    told, share = language.detect(case.text)
    if told is not None and told != code and share >= SURE_OF_LANGUAGE:
        yield _finding(
            f"{name} was asked for and the text reads as {_named(told)}", "wrong_language", f"Write it in {name}."
        )


def _named(code: str) -> str:
    """A language by its English name; by its code where it has none here."""
    return next((name.title() for name, other in _languages().items() if other == code), code)


# --- what the tools said ---------------------------------------------------------------------------------------------


def unmended(calls: Sequence[Evidence]) -> list[Evidence]:
    """Failed calls after which the same tool never worked."""
    return [
        call
        for number, call in enumerate(calls)
        if call_failed(call)
        and not any(later.name == call.name and not call_failed(later) for later in calls[number + 1 :])
    ]


def _tools(case: Case) -> Iterator[Finding]:
    calls = [source for source in case.evidence if source.kind == "tool_call"]
    failed = unmended(calls)
    if not failed or lang.speech("admits").search(_all_said(case)):
        return
    every = len(failed) == len(calls)
    what = "every tool call failed" if every else f"{len(failed)} of {len(calls)} tool calls failed for good"
    yield _finding(
        f"{what}, and the response does not say so",
        "contradicted_claim" if every else "criterion_unmet",
        "Say what did not work, or make it work before answering.",
        severity="error" if every else "warning",
    )


_SIGNS: tuple[Sign, ...] = (_refused, _cut, _echo, _figure, _count, _form, _language, _tools)


# --- asking back -----------------------------------------------------------------------------------------------------


_HANDED_OVER = compiled(r":\s+\S|\n\s*\S|[\"“„«‘]\s*\w|(?<!\w)'\w")
"""Where a text begins that a request hands over: behind a colon or a line break, or between quotation marks."""


def asks_back(case: Case) -> list[str]:
    """The questions of a short response that asks the person instead of answering; an offer to do more is none."""
    text = case.text.strip()
    if not text.endswith("?") or len(text.split()) > SHORT or _may_be_a_question(case):
        return []
    sentences = [text[start:end] for start, end in sentence_spans(text, begins=ANYTHING)]
    asked = [part for part in sentences if part.endswith("?") and not lang.speech("offers_more").search(part)]
    told = [part for part in sentences if not part.endswith("?")]
    return asked if asked and len(told) <= 1 else []


def _may_be_a_question(case: Case) -> bool:
    """Whether a question may be the very thing that was asked for: questions, a slogan, other words for a text that was handed over."""
    asked = case.goal
    if lang.speech("asks_for_questions").search(asked):
        return True
    found = lang.speech("asks_to_reword").search(asked)
    handed = found is not None and _HANDED_OVER.search(asked, found.end()) is not None
    return handed or (found is not None and any(source.kind == "passage" for source in case.evidence))
