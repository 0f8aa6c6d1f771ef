"""Which criteria are too vague to judge, and what to do about them. Advice only: nothing here changes a verdict."""

from __future__ import annotations

from collections.abc import Iterable

from witnessmark.core.case import Case
from witnessmark.core.plans.criteria import Criterion
from witnessmark.core.verdict import Finding
from witnessmark.text import lang


@lang.kept(1024)
def vagueness(text: str) -> tuple[Finding, ...]:
    """What makes a criterion hard to judge; nothing for one that two people would judge alike."""
    found = []
    if len(text.split()) < 3 and not lang.speech("anchors").search(text):
        found.append(_said("it has too few words to judge by", "Say what must be there, in a whole sentence."))
    elif lang.speech("taste").search(text) and not lang.speech("anchors").search(text):
        found.append(
            _said(
                "it is a matter of taste and does not say what to look for",
                "Name what a reader would look for, or give an example.",
            )
        )
    if lang.speech("open_end").search(text):
        found.append(_said("its end is open", "Name everything that is asked for; leave out 'etc.' and 'if possible'."))
    if lang.speech("elsewhere").search(text):
        found.append(_said("it refers to something the judge cannot see", "Put what it refers to into the criterion."))
    if len(lang.speech("joined").findall(text)) >= 3:
        found.append(
            _said("it asks for several things at once", "Split it: one thing per criterion, each with its weight.")
        )
    return tuple(found)


def _said(why: str, suggestion: str) -> Finding:
    return Finding(message=f"the criterion is hard to judge: {why}", severity="info", suggestion=suggestion)


def lint(criteria: Iterable[Criterion | str]) -> list[tuple[str, Finding]]:
    """Each vague criterion with what is wrong with it."""
    texts = [c if isinstance(c, str) else c.text for c in criteria]
    return [(text, finding) for text in texts if text for finding in vagueness(text)]


def lint_case(case: Case) -> list[tuple[str, Finding]]:
    """The vague criteria of a case."""
    return lint(case.criteria)
