"""What an unfinished output looks like: gaps left behind, non-answers, broken-off text, the wrong language.

Each rule errs towards letting good work through: code, quotes, links and checkboxes are left alone, and a text that was
asked to be a template may keep its gaps.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from witnessmark.checks.plain.endings import cut
from witnessmark.core.case import Case
from witnessmark.core.errors import InputError
from witnessmark.core.registry import Look, check
from witnessmark.core.verdict import Finding, Result, abstained, failed, passed
from witnessmark.text import lang
from witnessmark.text import language as languages
from witnessmark.text.failures import announcement, asked_for
from witnessmark.text.markdown import CODE_SPAN, lines
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span, sentence_spans
from witnessmark.text.words import letters

Prior = Mapping[str, Result]

# --- gaps left behind ------------------------------------------------------------------------------------------

_NOT_A_LINK = r"\](?!\()"


@lang.derived
def _gap_patterns() -> tuple[re.Pattern[str], ...]:
    slots, tags, units = (lang.either(lang.phrases("gaps", part)) for part in ("slots", "tags", "units"))
    marks = lang.either(lang.listed("gaps", "marks"))
    joined = lang.either(tag.upper() for tag in lang.phrases("gaps", "tags"))
    return (
        compiled(rf"\[(?!\^)[^\[\]\n]{{0,40}}\b(?:{slots})\b[^\[\]\n]{{0,60}}{_NOT_A_LINK}", re.IGNORECASE),
        compiled(rf"<(?!/)(?![a-z]+ [a-z-]+=)[^<>\n]{{0,20}}\b(?:{tags})\b[^<>\n]{{0,40}}>", re.IGNORECASE),
        # Capitals joined by low lines (`<YOUR_HOST>`, `[YOUR_NAME]`); in small letters they may be an element's own name.
        compiled(rf"[<\[](?:{joined})(?:_[A-Z0-9]+)+(?:>|{_NOT_A_LINK})"),
        compiled(r"(?<!\$)\{\{\s*[\w .-]{1,60}\s*\}\}"),
        compiled(rf"(?:^|(?<=[\s(|]))(?:{marks})(?=\s*(?::|\)|\||$|\.\s*$))", re.MULTILINE),
        lang.pattern("gaps", r"\b{said}\b"),
        compiled(r"(?<![\w_])_{4,}(?![\w_])"),
        compiled(rf"\bX{{3,}}\b(?=\s*(?:%|(?:{units})\b|\.|,|$))"),
    )


def _prose(text: str) -> str:
    """The text with fenced and inline code blanked out, so that places stay where they are."""
    kept = []
    for line in lines(text):
        kept.append(" " * len(line.text) if line.fenced else CODE_SPAN.sub(lambda m: " " * len(m.group()), line.text))
        kept.append(text[line.start + len(line.text) : line.start + len(line.text) + 1])
    return "".join(kept)


def gaps(text: str, goal: str = "") -> Iterator[Span]:
    """Where something was to be filled in and was not; a mark that the text or the goal speaks of is none."""
    prose = _prose(text)
    marks = [match.span() for pattern in _gap_patterns() for match in pattern.finditer(prose)]
    said = sentence_spans(prose) if marks else []
    for mark in marks:
        at = bisect_right(said, mark) - 1
        if not _is_subject(prose, mark, said[at] if at >= 0 else mark, goal):
            yield mark


_QUOTED_WORD = compiled(r"""[^\W_],? ["'“„«‘]$""")


@lang.derived
def _marked_by() -> re.Pattern[str]:
    """What stands before or after a mark that is spoken of: `the TODO: markers`."""
    before, after = (lang.either(lang.listed("gaps", part)) for part in ("before", "kinds"))
    return compiled(rf"\b(?:{before}) \0|\0:? (?:{after})\b", re.IGNORECASE)


def _is_subject(prose: str, mark: Span, sentence: Span, goal: str) -> bool:
    """Whether a text speaks of a mark and does not leave it: a quoted word of a sentence, `the TODO: markers`, the syntax of templates."""
    (first, last), word = mark, prose[slice(*mark)]
    if _QUOTED_WORD.search(prose, max(0, first - 4), first) and prose[last : last + 1] in tuple("\"'”“»’"):
        return True
    around = f"{prose[sentence[0] : first]}\0{prose[last : max(last, sentence[1])]}"
    braces = word.startswith("{")
    named = set(letters(f"{around} {goal if braces else ''}".lower()))
    if named & lang.listed("gaps", "syntax" if braces else "about"):
        return True
    return word.isalpha() and word.isupper() and _marked_by().search(around) is not None


@check("no_placeholders", version="3", cost="instant")
def no_placeholders() -> Look:
    """Nothing is left to be filled in, unless a template was asked for."""

    def look(case: Case, prior: Prior) -> Result:
        found = sorted(set(gaps(case.text, case.goal)))
        if not found:
            return passed("no gaps left")
        if lang.pattern("gaps", r"\b{wanted}\b").search(case.goal):
            return passed(f"{len(found)} gaps, and a template was asked for")
        findings = [
            Finding(
                message="a placeholder was left to be filled in",
                category="placeholder_left",
                quote=case.text[start:end],
                span=(start, end),
                suggestion="Fill it in, or say plainly what is missing and why.",
            )
            for start, end in found[:50]
        ]
        return failed(f"{len(found)} placeholders left to be filled in", *findings)

    return look


# --- non-answers -----------------------------------------------------------------------------------------------

_QUOTED = re.compile(r"“[^”]*”|\"[^\"\n]*\"|«[^»]*»|^\s*>.*$", re.MULTILINE)
_SHORT_ANSWER_WORDS = 80


def _declined(prose: str, goal: str) -> Span | None:
    """Where a text declines in its own words; None where it was asked to, or the goal gives such words to be translated or told."""
    match = lang.speech("declines", "unable").search(prose)
    if match is None or asked_for("refusal", goal) or lang.speech("declines", "unable").search(goal):
        return None
    end = next((end for start, end in sentence_spans(prose) if start <= match.start() < end), len(prose))
    return None if lang.speech("reports_words").search(prose, match.end(), end) else match.span()


@check("not_a_refusal", version="2", cost="instant")
def not_a_refusal() -> Look:
    """The output is an answer: it does not open with a refusal or a note of what will be done, and stop there."""

    def look(case: Case, prior: Prior) -> Result:
        prose = _QUOTED.sub(lambda m: " " * len(m.group()), _prose(case.text))
        span = _declined(re.sub(r"\s", " ", prose), case.goal) or announcement(case.text, case.goal)
        if span is None:
            return passed("an answer")
        finding = Finding(
            message="the output declines, or announces work instead of doing it",
            category="non_answer",
            severity="warning",
            quote=case.text[slice(*span)],
            span=span,
            suggestion="Do the work with what is at hand; where something is missing, say what and deliver the rest.",
        )
        opens = span[0] < 200
        rest = len(prose[span[1] :].split())
        if opens and rest < _SHORT_ANSWER_WORDS:
            return failed("a refusal or an announcement, not an answer", replace(finding, severity="error"))
        return passed("an answer, with a reservation in it", findings=(finding,))

    return look


# --- broken-off text -------------------------------------------------------------------------------------------


@check("not_truncated", version="2", cost="instant")
def not_truncated() -> Look:
    """The text does not break off: no open fence or JSON, no sentence left in the middle, no mark of a cut."""

    def look(case: Case, prior: Prior) -> Result:
        why = cut(case.text)
        if why is None:
            return passed("does not break off")
        end = len(case.text.rstrip())
        finding = Finding(
            message=f"the text breaks off: {why}",
            category="truncated",
            span=(max(0, end - 80), end),
            suggestion="Deliver the whole output; if it is too long, shorten it rather than stop.",
        )
        return failed(f"breaks off: {why}", finding)

    return look


# --- language --------------------------------------------------------------------------------------------------


@check("language", version="1", cost="instant")
def language(code: str) -> Look:
    """The text is in the language asked for (ISO 639-1, such as en); too little text is not an answer.

    Args:
        code: the language, such as `de`.

    """
    if code.lower().partition("-")[0] not in languages.known():
        raise InputError(f"option code: must be one of {', '.join(sorted(languages.known()))}, not {code!r}")
    wanted = code.lower().partition("-")[0]

    def look(case: Case, prior: Prior) -> Result:
        found, share = languages.detect(_prose(case.text))
        if found is None:
            return abstained("language", "too little running text to tell its language")
        if found == wanted:
            return passed(f"reads as {found} ({share:.0%})")
        message = f"the text reads as {found}, {wanted} is asked for"
        return failed(
            message, Finding(message=message, category="wrong_language", suggestion=f"Write the output in {wanted}.")
        )

    return look
