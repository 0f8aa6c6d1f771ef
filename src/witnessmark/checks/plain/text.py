"""What can be measured about a text without understanding it: format, length, sections, keywords, URLs.

User-supplied patterns run on RE2, which takes time proportional to the text, so no pattern can hang the process.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from witnessmark.core import patterns
from witnessmark.core.case import Case
from witnessmark.core.errors import InputError
from witnessmark.core.plans.criteria import Criterion
from witnessmark.core.registry import Look, check
from witnessmark.core.values import Count
from witnessmark.core.verdict import Finding, Result, abstained, amount, failed, passed
from witnessmark.text.failures import crash
from witnessmark.text.markdown import Heading, headings
from witnessmark.text.words import blank, word_count

Prior = Mapping[str, Result]


def words_of(value: Any, what: str) -> list[str]:
    """A list of non-empty strings as a criterion gives it."""
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, (list, tuple)) or not value:
        raise InputError(f"{what} must be a list of words, not {value!r}")
    if not all(isinstance(word, str) and word.strip() for word in value):
        raise InputError(f"{what} must hold words, none of them empty")
    return [word.strip() for word in value]


@check("format_regex", version="1", cost="instant", value_is="pattern")
def format_regex(pattern: str) -> Look:
    """The text matches a pattern (RE2 syntax, searched anywhere; anchor with ^ and $).

    Args:
        pattern: what is searched for, such as `^[A-Z]{2}-[0-9]+$`.

    """
    if not pattern:
        raise InputError("option pattern: is empty; write what the text must match")
    found_in = patterns.finder(pattern)

    def look(case: Case, prior: Prior) -> Result:
        if found_in(case.text):
            return passed("matches the required format")
        return failed(
            "does not match the required format",
            Finding(
                message=f"the text does not match the pattern {pattern!r}",
                category="wrong_format",
                suggestion=f"Write the output so that it matches {pattern!r}.",
            ),
        )

    return look


def _length(text: str, low: int | None, high: int | None, unit: str) -> Result:
    fewest, most = word_count(text) if unit == "words" else (len(text), len(text))
    count = most if low is not None and most < low else fewest
    if (low is not None and count < low <= most) or (high is not None and fewest <= high < most):
        why = "its script puts no space between words"
        return abstained("undecided", f"between {fewest} and {most} {unit}, and they cannot be counted exactly: {why}")
    if low is not None and count < low:
        return failed(
            f"{count} {unit}, at least {low} are asked for",
            Finding(
                message=f"the text has {count} {unit}; at least {low} are asked for",
                category="wrong_length",
                suggestion=f"Add at least {low - count} {unit}.",
            ),
        )
    if high is not None and count > high:
        return failed(
            f"{count} {unit}, at most {high} are allowed",
            Finding(
                message=f"the text has {count} {unit}; at most {high} are allowed",
                category="wrong_length",
                suggestion=f"Shorten the text by at least {count - high} {unit}.",
            ),
        )
    return passed(f"{count} {unit}")


@check("min_length", version="1", cost="instant")
def min_length(characters: Count) -> Look:
    """The text has at least this many characters (code points).

    Args:
        characters: the fewest.

    """
    return lambda case, prior: _length(case.text, characters, None, "characters")


@check("max_length", version="1", cost="instant")
def max_length(characters: Count) -> Look:
    """The text has at most this many characters (code points).

    Args:
        characters: the most.

    """
    return lambda case, prior: _length(case.text, None, characters, "characters")


def _low_and_high(value: Any) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise InputError(f"value must be [low, high], not {value!r}")
    return {"low": value[0], "high": value[1]}


@check("word_count_range", version="2", cost="instant", from_value=_low_and_high)
def word_count_range(low: Count, high: Count) -> Look:
    """The text has between low and high words, both included; undecided where its script puts no space between words and both could be.

    Args:
        low: the fewest.
        high: the most.

    """
    if low > high:
        raise InputError(f"option low: {low} is more than high, {high}")
    return lambda case, prior: _length(case.text, low, high, "words")


_NUMBERING = re.compile(r"^\s*(?:(?:\d+|[ivxlc]+|[a-z])[.)]\s*|(?:\d+\.)+\d*\s+|section\s+\d+[:.]?\s*)", re.IGNORECASE)


def section_key(name: str) -> str:
    """A heading reduced to what people mean by it: no numbering, emphasis, trailing colon, case."""
    bare = re.sub(r"[*_`#]+", "", unicodedata.normalize("NFKC", name)).strip()
    return _NUMBERING.sub("", bare).strip(" :.–—-\t").casefold()


@check("required_sections", version="2", cost="instant")
def required_sections(sections: str | list[str]) -> Look:
    """Each named section is in the text under a real heading of its own (fenced code does not count).

    Args:
        sections: the names of the headings, without numbering.

    """
    wanted = list({name.casefold(): name for name in words_of(sections, "option sections")}.values())

    def look(case: Case, prior: Prior) -> Result:
        left: dict[str, list[Heading]] = {}
        for heading in reversed(headings(case.text)):
            left.setdefault(section_key(heading.title), []).append(heading)
        found = [(name, rest.pop() if (rest := left.get(section_key(name))) else None) for name in wanted]
        missing = [name for name, heading in found if heading is None]
        empty = [
            Finding(
                message=f"section {name!r} has a heading and nothing under it",
                category="missing_section",
                severity="warning",
                span=heading.span,
                suggestion=f"Write the section {name!r}.",
            )
            for name, heading in found
            if heading is not None and heading.empty
        ]
        if not missing:
            return passed(f"all {len(wanted)} sections are there", findings=tuple(empty))
        findings = [
            Finding(
                message=f"section {name!r} is missing",
                category="missing_section",
                suggestion=f"Add a section with the heading {name!r}.",
            )
            for name in missing
        ]
        return failed(f"missing section: {', '.join(missing)}", *findings, *empty)

    return look


def _folded(text: str) -> str:
    """A text in one case, one form and with single spaces, so that words compare equal when people say they are."""
    return " ".join(_one_case(text).split())


def _one_case(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    return text.casefold()


def has_word(text: str, word: str) -> bool:
    """Whether the word or phrase stands in the text on its own, not inside another word."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if not (at and _in_word(text[at - 1], word[0])) and not (end < len(text) and _in_word(text[end], word[-1])):
            return True
        at = text.find(word, at + 1)
    return False


def _in_word(neighbour: str, edge: str) -> bool:
    return (neighbour.isalnum() or neighbour == "_") and (edge.isalnum() or edge == "_")


@check("contains_keywords", version="1", cost="instant")
def contains_keywords(keywords: str | list[str]) -> Look:
    """Every keyword is in the text as a word or phrase of its own, in upper or lower case.

    Args:
        keywords: the words and phrases.

    """
    wanted = {word: _folded(word) for word in words_of(keywords, "option keywords")}
    read = (
        _folded if any(" " in folded for folded in wanted.values()) else _one_case
    )  # spaces matter within phrases only

    def look(case: Case, prior: Prior) -> Result:
        text = read(case.text)
        missing = [word for word, folded in wanted.items() if not has_word(text, folded)]
        if not missing:
            return passed(f"all {len(wanted)} keywords are there" if len(wanted) > 1 else "the keyword is there")
        findings = [
            Finding(message=f"keyword {word!r} is missing", category="missing_keyword", suggestion=f"Cover {word!r}.")
            for word in missing
        ]
        return failed(f"missing keyword: {', '.join(missing)}", *findings)

    return look


_URL = re.compile(r"\b(?:https?|ftp):[^\s<>\"'`]*|\bwww\.[^\s<>\"'`]+", re.IGNORECASE)
_HOST = re.compile(
    r"(?:[a-z0-9¡-￿](?:[a-z0-9¡-￿-]{0,61}[a-z0-9¡-￿])?\.)*[a-z0-9¡-￿](?:[a-z0-9¡-￿-]{0,61}[a-z0-9¡-￿])?", re.IGNORECASE
)


def urls(text: str) -> list[tuple[str, int]]:
    """The URLs of a text with where they start; closing brackets and punctuation of the sentence are not theirs."""
    found = []
    for match in _URL.finditer(text):
        url = match.group().rstrip(".,;:!?*_~")
        while url and url[-1] in ")]}" and url.count(url[-1]) > url.count({")": "(", "]": "[", "}": "{"}[url[-1]]):
            url = url[:-1].rstrip(".,;:!?*_~")
        if url:
            found.append((url, match.start()))
    return found


def url_fault(url: str) -> str | None:
    """What is wrong with a URL as written, or None. It is never fetched."""
    try:
        parts = urlsplit(url if "://" in url or ":" in url.partition("/")[0] else f"http://{url}")
        host, _ = parts.hostname, parts.port
    except ValueError as exc:
        return str(exc)
    if not url.lower().startswith("www.") and "://" not in url:
        return "the scheme is not followed by //"
    if not host:
        return "it has no host"
    if parts.netloc.startswith("["):
        return None
    if len(host) > 253 or not _HOST.fullmatch(host):
        return "its host is not well formed"
    if "." not in host and host != "localhost":
        return "its host has no domain"
    return None


@check("url_valid", version="1", cost="instant")
def url_valid(min: Count | None = None) -> Look:
    """Every URL is well formed and there are at least `min` of them. Nothing is fetched.

    Args:
        min: the fewest; without it a text that has none is not judged.

    """

    def look(case: Case, prior: Prior) -> Result:
        found = urls(case.text)
        if not found and min is None:
            return abstained("undecided", 'no URL to look at; ask for {"min": 1} where one is required')
        findings = [
            Finding(
                message=f"a URL is not well formed: {fault}",
                category="invalid_url",
                quote=url,
                span=(start, start + len(url)),
                suggestion="Write the URL in full, such as https://example.org/page.",
            )
            for url, start in found
            if (fault := url_fault(url))
        ]
        if len(found) < (min or 0):
            message = f"{amount(len(found), 'URL')}, at least {min} {'is' if min == 1 else 'are'} asked for"
            findings.append(Finding(message=message, category="invalid_url", suggestion="Give the sources as URLs."))
        if not findings:
            return passed(amount(len(found), "well-formed URL"))
        return failed(findings[0].message, *findings)

    return look


def _asked_of(case: Case) -> str:
    """All words that say what the output is to be."""
    criteria = (one for one in case.criteria if isinstance(one, Criterion))
    return " ".join([case.goal, *(f"{one.text} {one.value}" for one in criteria)])


@check("not_empty", version="2", cost="instant")
def not_empty() -> Look:
    """There is an output to look at, and it is not the traceback of the program that was to make it."""

    def look(case: Case, prior: Prior) -> Result:
        if blank(case.text):
            message, category, advice = "the output is empty", "empty_output", "Produce the output."
        elif crash(case.text) and crash(case.text, _asked_of(case)):
            message, category, advice = (
                "the output is a traceback",
                "non_answer",
                "Mend what broke, and run the task again.",
            )
        else:
            return passed("there is an output")
        return failed(message, Finding(message=message, category=category, suggestion=advice))

    return look
