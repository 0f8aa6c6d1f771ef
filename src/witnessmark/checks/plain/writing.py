"""What an unfinished output looks like: gaps left behind, non-answers, broken-off text, the wrong language.

Each rule errs towards letting good work through: code, quotes, links and checkboxes are left alone, and a text that was
asked to be a template may keep its gaps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from witnessmark.checks.plain.endings import cut
from witnessmark.core.case import Case
from witnessmark.core.errors import InputError
from witnessmark.core.registry import Look, check
from witnessmark.core.verdict import Finding, Result, abstained, failed, passed
from witnessmark.text import lang
from witnessmark.text import language as languages
from witnessmark.text.markdown import lines

Prior = Mapping[str, Result]

# --- gaps left behind ------------------------------------------------------------------------------------------

_TEMPLATE_ASKED = re.compile(
    r"\b(?:template|boilerplate|skeleton|placeholders?|fill[- ]in|form letter|vorlage|muster|modèle|plantilla)\b",
    re.IGNORECASE,
)
_SLOT = r"(?:your|insert|enter|add|name|company|date|title|address|email|phone|number|amount|recipient|client|product|city|link|url|todo|tbd|placeholder|specify|describe|fill|to be)"
_GAPS = (
    re.compile(rf"\[(?!\^)[^\[\]\n]{{0,40}}\b{_SLOT}\b[^\[\]\n]{{0,60}}\](?!\()", re.IGNORECASE),
    re.compile(
        r"<(?!/)(?![a-z]+ [a-z-]+=)[^<>\n]{0,20}\b(?:your|insert|placeholder|todo|tbd)\b[^<>\n]{0,40}>", re.IGNORECASE
    ),
    re.compile(r"\{\{\s*[\w .-]{1,60}\s*\}\}"),
    re.compile(r"(?:^|(?<=[\s(|]))(?:TODO|TBD|FIXME|TBA)(?=\s*(?::|\)|\||$|\.\s*$))", re.MULTILINE),
    re.compile(r"\blorem ipsum\b", re.IGNORECASE),
    re.compile(r"(?<![\w_])_{4,}(?![\w_])"),
    re.compile(r"\b(?:content|text|section|details?|analysis) (?:goes|to go|will go) here\b", re.IGNORECASE),
    re.compile(r"\bX{3,}\b(?=\s*(?:%|USD|EUR|units|users|\.|,|$))"),
)
_CODE_SPAN = re.compile(r"(`+)(?:(?!\1).)+?\1")


def _prose(text: str) -> str:
    """The text with fenced and inline code blanked out, so that places stay where they are."""
    kept = []
    for line in lines(text):
        kept.append(" " * len(line.text) if line.fenced else _CODE_SPAN.sub(lambda m: " " * len(m.group()), line.text))
        kept.append(text[line.start + len(line.text) : line.start + len(line.text) + 1])
    return "".join(kept)


def gaps(text: str) -> Iterator[tuple[int, int]]:
    """Where something was to be filled in and was not."""
    prose = _prose(text)
    for pattern in _GAPS:
        for match in pattern.finditer(prose):
            if not _is_task_box(prose, match):
                yield match.span()


def _is_task_box(prose: str, match: re.Match[str]) -> bool:
    return bool(re.fullmatch(r"\[[ xX]\]", match.group())) or prose[match.end() : match.end() + 2] == "(h"


@check("no_placeholders", version="1", cost="instant")
def no_placeholders() -> Look:
    """Nothing is left to be filled in, unless a template was asked for."""

    def look(case: Case, prior: Prior) -> Result:
        found = sorted(set(gaps(case.text)))
        if not found:
            return passed("no gaps left")
        if _TEMPLATE_ASKED.search(case.goal):
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


@check("not_a_refusal", version="1", cost="instant")
def not_a_refusal() -> Look:
    """The output is an answer: it does not open with a refusal or a note of what will be done, and stop there."""

    def look(case: Case, prior: Prior) -> Result:
        prose = _QUOTED.sub(lambda m: " " * len(m.group()), _prose(case.text))
        match = lang.speech("declines", "unable", "announces").search(re.sub(r"\s", " ", prose))
        if match is None:
            return passed("an answer")
        finding = Finding(
            message="the output declines, or announces work instead of doing it",
            category="non_answer",
            severity="warning",
            quote=case.text[match.start() : match.end()],
            span=match.span(),
            suggestion="Do the work with what is at hand; where something is missing, say what and deliver the rest.",
        )
        opens = match.start() < 200
        rest = len(prose[match.end() :].split())
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
    """The text is in the language asked for (ISO 639-1, such as en); too little text is not an answer."""
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
