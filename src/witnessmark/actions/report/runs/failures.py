"""Which tests a sentence leaves out when it says that tests pass: `all pass except test_big`, `all but two`, `only test_big fails`.

Such a sentence is one about the rest. Nothing here looks at the world.
"""

from __future__ import annotations

import re

from witnessmark.actions.report.language import LANGUAGES, in_any_language
from witnessmark.actions.report.tests import NUMBERS
from witnessmark.text.numerals import one_word
from witnessmark.text.patterns import compiled

_NAMES = compiled(r"`([^`\n]{4,120})`|((?:[\w./-]+::)?\btest_\w+|\bTest[A-Z]\w+)")
_TESTS = compiled(r"\b(?:\w*tests?|specs?|cases?|suites?|ones?|fail\w*|flaky|pre-?existing|known|integration|e2e|fehl\w*|échec\w*|échou\w*|pruebas?|fallos?)\b", re.IGNORECASE)  # fmt: skip
_OTHER = compiled(r"^\W*(?:that\b|this\b|the fix\b|dem\b|ça\b|eso\b)|\b(?:lint\w*|ruff|mypy|eslint|type[- ]?check\w*|build|warnings?)\b", re.IGNORECASE)  # fmt: skip
_ONLY = compiled(r"\b(?:only|just|nur|seule?s?|solo)\b(?:(?P<told>[^.;\n]{2,120}?)\b(?:fails?|failed|failing|red|fehl\w*|échou\w+|fallan?)\b| (?:failing|failed|red) tests? (?:is|are)\b)", re.IGNORECASE)  # fmt: skip
_BUT = compiled(rf"\bbut (?:for )?(?=(?:the )?(?:{'|'.join(NUMBERS)}|\d+)\b(?: (?:of|tests?|specs?)\b|\s*(?:[.,;!(]|$))|`?test_\w)", re.IGNORECASE)  # fmt: skip


def failures_told(sentence: str) -> tuple[tuple[str, ...], int | None] | None:
    """What a sentence leaves out of the tests that pass, by their names or how many; None where it leaves out none."""
    ways = (in_any_language("denials", "except"), _BUT, _ONLY)
    match = next(filter(None, (way.search(sentence) for way in ways)), None)
    if match is None or match.group().lower() in ("besides", "beyond"):
        return None
    told = match.groupdict().get("told") or re.split(r"[;\n]|\.(?:\s|$)", sentence[match.end() :])[0]
    names = tuple(name.partition("(")[0] for pair in _NAMES.findall(told) for name in pair if name)
    words = re.findall(r"\w+", told.lower())[:6]
    counts = [NUMBERS.get(word) or one_word(word, language) for word in words for language in LANGUAGES]
    count = next((number for number in counts if number), None)
    if _OTHER.search(told) or not (names or count or _TESTS.search(told)):
        return None
    return names, count
