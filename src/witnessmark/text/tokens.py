"""What is copied as a whole or is wrong: e-mail addresses, phone numbers, versions, ids with digits, and rows of more digits than a figure has.

>>> [(t.kind, t.text) for t in tokens("Call +49 30 1234567 or write to help@acme.io about JIRA-4412 in 3.8.2.")]
[('phone', '+49 30 1234567'), ('mail', 'help@acme.io'), ('id', 'JIRA-4412'), ('version', '3.8.2')]
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from witnessmark.text import lang, words
from witnessmark.text.dates import dates
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span
from witnessmark.text.units import currencies, units

LEAST_DIGITS, MOST_DIGITS = 7, 15
"""Digits of a phone number."""
LEAST_OF_ID = 3
"""Digits of an id: COVID-19, GPT-4 and A4 are words."""
GROUPS = 3
"""Groups of digits with a hyphen between them that are a phone number by themselves; 1914-1918 is none."""
_MAIL = compiled(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = compiled(r"(?<![\w.,/+-])(?:\+|00)?\(?\d[\d()]*(?:[ ./-]{1,2}\(?\d[\d()]*)*(?![\w%€$£-]|[.,]\d)")
_VERSION = compiled(r"(?<![\w./+-])v?\d+(?:\.\d+){2,3}(?:-[A-Za-z][\w.]*\w)?(?![\w/-]|\.\d)")
_ID = compiled(r"(?<![\w./@#-])[A-Z][A-Z0-9]*(?:[-_/][A-Z0-9]+)*(?![\w@-]|\.\w)")
_LONG = compiled(rf"(?<![\w.,/+-])\d{{{MOST_DIGITS + 1},}}(?![\w%€$£-]|[.,]\d)")
_DIGITS, _OWN_ZERO, _BEGINNING = compiled(r"\d+"), compiled(r"\(0\)"), compiled(r"^[A-Z]+")
_YEAR = compiled(r"[A-Z]{1,2}\d?-?(?:19|20)\d\d")
_DIGIT = compiled(r"\d")


@dataclass(frozen=True, slots=True)
class Token:
    """One such token as it is written, with what two ways of writing the same one have in common."""

    kind: str
    text: str
    span: Span
    key: str


def tokens(text: str) -> list[Token]:
    """The tokens of a text in order; they never overlap."""
    found: list[Token] = []
    if "@" in text:
        found += [_token("mail", match, match.group().lower()) for match in _MAIL.finditer(text)]
    if _DIGIT.search(text) is not None:
        days = [one.span for one in dates(text)]
        found += [_token("version", m, m.group().lstrip("v")) for m in _VERSION.finditer(text)]
        found += [_token("id", m, _letters(m.group())) for m in _ID.finditer(text) if _is_id(m.group())]
        found += [_token("phone", m, _number(m.group())) for m in _PHONE.finditer(text) if _is_phone(text, m)]
        found += [_token("digits", match, match.group()) for match in _LONG.finditer(text)]
        found = [one for one in found if not any(a < one.span[1] and one.span[0] < b for a, b in days)]
    return _apart(sorted(found, key=lambda one: (one.span[0], -one.span[1])))


def _token(kind: str, match: re.Match[str], key: str) -> Token:
    return Token(kind, match.group(), match.span(), key)


def _apart(found: list[Token]) -> list[Token]:
    kept: list[Token] = []
    for one in found:
        if not kept or one.span[0] >= kept[-1].span[1]:
            kept.append(one)
    return kept


def _letters(text: str) -> str:
    return "".join(words.letters(text)).replace("_", "").lower()


def _is_id(text: str) -> bool:
    begins = _BEGINNING.match(text)
    measured = begins is not None and begins.group().lower() in currencies().keys() | units().keys()
    return len(_DIGIT.findall(text)) >= LEAST_OF_ID and not measured and _YEAR.fullmatch(text) is None


def beginning(token: Token) -> str:
    """What ids of one kind begin with: `jira` of JIRA-4412."""
    found = _BEGINNING.match(token.text)
    return found.group().lower() if found else ""


def _is_phone(text: str, match: re.Match[str]) -> bool:
    """Whether digits are a phone number: by how they begin, by hyphens between three groups, or by a word such as `call` before them."""
    part = match.group()
    count = len(_DIGIT.findall(part))
    before = words.words(text[max(0, match.start() - 30) : match.start()])[-3:]
    told = not lang.words("telephone").isdisjoint(before)
    dialled = part.startswith(("+", "00", "(0", "0")) and len(_DIGITS.findall(part)) > 1
    hyphened = part.count("-") >= GROUPS - 1 and part.replace("-", "").isdigit()
    return LEAST_DIGITS <= count <= MOST_DIGITS and (told or dialled or hyphened)


def _number(text: str) -> str:
    return "".join(_DIGITS.findall(_OWN_ZERO.sub("", text))).lstrip("0")


def same(one: Token, other: Token) -> bool:
    """Whether two tokens are the same: a phone number with or without its country, whatever stands between the digits."""
    if one.kind != other.kind:
        return False
    long, short = sorted((one.key, other.key), key=len, reverse=True)
    return long == short or (one.kind == "phone" and len(short) >= LEAST_DIGITS - 1 and long.endswith(short))
