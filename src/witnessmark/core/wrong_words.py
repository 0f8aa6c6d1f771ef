"""The wrong words, shown: one sentence that names them and the source's own, and the text with them marked.

Every surface (terminal, pages, reports, test output, tools) tells a finding through these functions, so that it reads the
same everywhere. Judged text is hostile: what comes out of here is on one line and free of control characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import pairwise

from witnessmark.core.explain import clipped
from witnessmark.core.verdict import Claim, Finding, WrongWords

LONGEST = 160
"""Characters of wrong words or of a source that one sentence quotes."""


def harmless(text: str) -> str:
    """A text on one line without control characters, so that it cannot move the cursor or forge a line."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(" " if ch in "\n\r\t" else ch if _printable(ch) else "�" for ch in text)


def _printable(char: str) -> bool:
    return unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def sentence(finding: Finding) -> str:
    """What is wrong, in one line: `"40 %" is not in any source; closest: d1 "14 %"`.

    Where no words are known, the finding's message with the text it is about.
    """
    if not finding.words:
        return harmless(finding.message) + (f": {_quoted(finding.quote)}" if finding.quote else "")
    return " · ".join(_told(one, finding.category, finding.message) for one in finding.words)


def claim_sentence(claim: Claim) -> str:
    """What is wrong with a claim, in one line; its reason where no words are known."""
    category = "contradicted_claim" if claim.status == "contradicted" else "unsupported_claim"
    return " · ".join(_told(one, category, claim.reason) for one in claim.words) or harmless(claim.reason)


def _told(one: WrongWords, category: str, message: str) -> str:
    wrong, near = _quoted(one.text), one.closest
    says = f"{harmless(near.id)} {_quoted(near.text)}" if near is not None else ""
    if category == "contradicted_claim" and near is not None:
        return f"{wrong} differs from source {harmless(near.id)}, which says {_quoted(near.text)}"
    if category == "unsupported_claim" and near is not None and not one.absent and _stands_in(one.text, near.text):
        return f"{wrong} is in source {harmless(near.id)}, but what the text says about it is not supported; closest: {says}"
    if category == "unsupported_claim":
        absent = "in any source" if one.absent else "supported by any source"
        return f"{wrong} is not {absent}" + (f"; closest: {says}" if says else "")
    return f"{harmless(message)}: {wrong}" + (f"; closest: {says}" if says else "")


def _stands_in(text: str, source: str) -> bool:
    """Whether a text has these words as whole words, in upper or lower case."""
    return re.search(rf"(?<!\w){re.escape(text)}(?!\w)", source, re.IGNORECASE) is not None


def support(claims: Iterable[Claim], coverage: float | None) -> str:
    """How far the claims of a text that does not pass are supported, as words that may follow `the answer is`.

    Where each of them is, and the text is still partial, something was left open, or all of them together are not sure enough.
    """
    settled = {claim.status for claim in claims} - {"unverifiable"}
    if settled == {"supported"}:
        if (coverage or 0) < 1:
            return "supported as far as it could be checked; the rest is open"
        return "supported claim by claim, but not certain enough as a whole"
    return "only partly supported" if {"supported", "partial"} & settled else "not supported"


def _quoted(text: str) -> str:
    return f'"{clipped(harmless(text), LONGEST)}"'


def worst(findings: Iterable[Finding]) -> str:
    """The first of the worst findings whose wrong words are known, in one line, and how many more there are; empty where none is."""
    known = [finding for finding in findings if finding.words]
    if not known:
        return ""
    more = f" (and {len(known) - 1} more)" if len(known) > 1 else ""
    return sentence(next((finding for finding in known if finding.severity == "error"), known[0])) + more


def pieces(text: str, words: Iterable[WrongWords], start: int = 0) -> list[tuple[str, WrongWords | None]]:
    """A text cut at its wrong words: stretches in order, each with the words it is, or None.

    `start` is where the text begins in the output that the spans are of. Words without a place are looked for.
    """
    marks = [(place, one) for one in words if (place := _place(text, one, start)) is not None]
    edges = sorted({0, len(text)} | {edge for place, _ in marks for edge in place})
    return [
        (text[low:high], next((one for (a, b), one in marks if a <= low and high <= b), None))
        for low, high in pairwise(edges)
    ]


def _place(text: str, one: WrongWords, start: int) -> tuple[int, int] | None:
    if one.span is not None:
        low, high = one.span[0] - start, one.span[1] - start
        if 0 <= low < high <= len(text) and text[low:high] == one.text:
            return low, high
    at = text.find(one.text) if one.text else -1
    return (at, at + len(one.text)) if at >= 0 else None


def marked(about: Finding | Claim, before: str = "**", after: str = "**") -> str:
    """The text a finding or a claim is about, on one line, with its wrong words between two marks; empty where there is none."""
    text = about.text if isinstance(about, Claim) else about.quote or ""
    start = about.span[0] if about.span is not None else 0
    cut = pieces(text, about.words, start)
    return "".join(f"{before}{harmless(part)}{after}" if one else harmless(part) for part, one in cut)


def as_html(outcome: str, told: str, record_id: str, findings: Iterable[Finding]) -> str:
    """A record for a notebook: the outcome, what is wrong with the wrong words marked, and what to do; all of it escaped."""
    from html import escape  # here: only a notebook needs it

    parts = [f"<b>{outcome}</b> · {escape(told)} <code>{escape(record_id[:12])}</code>"]
    for finding in findings:
        start = finding.span[0] if finding.span is not None else 0
        cut = pieces(finding.quote or "", finding.words, start)
        text = "".join(f"<mark>{escape(part)}</mark>" if one else escape(part) for part, one in cut)
        advice = f"<br><i>{escape(finding.suggestion)}</i>" if finding.suggestion else ""
        parts.append(f"{escape(sentence(finding))}" + (f"<br><q>{text}</q>" if text else "") + advice)
    return "<div>" + "".join(f"<p>{part}</p>" for part in parts) + "</div>"


def lines(finding: Finding, before: str = "**", after: str = "**") -> Iterator[str]:
    """A finding as a person reads it: what is wrong, the sentence with the wrong words marked, and what to do."""
    yield sentence(finding)
    if finding.words and finding.quote:
        yield f"in: {marked(finding, before, after)}"
    if finding.suggestion:
        yield f"→ {harmless(finding.suggestion)}"
