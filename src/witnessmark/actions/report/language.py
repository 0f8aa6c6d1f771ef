"""The patterns of one language, and which language a text is in. The words are data: one file a language in `lang/`."""

from __future__ import annotations

import functools
import re

from witnessmark.actions.report.lexicon import may_match, table
from witnessmark.text.patterns import compiled

LANGUAGES = ("en", "de", "fr", "es")
_CODE = compiled(r"`[^`\n]{1,200}`")


class Language:
    """The patterns of one language, each compiled when it is first asked for."""

    def __init__(self, name: str) -> None:
        self.name, self.data = name, table(name)
        self.words = frozenset(self.data["words"].split())

    @functools.cached_property
    def barred(self) -> re.Pattern[str]:
        """What makes a statement no statement about what was done."""
        return compiled(self.data["barred"])

    def search(self, section: str, key: str, low: str) -> re.Match[str] | None:
        """Where a text has what a pattern of a section says; None where the language has no such pattern."""
        if key not in self.data.get(section, {}) or not may_match(self.name, section, key, low):
            return None
        return self._one(section, key).search(low)

    @functools.cache  # noqa: B019 - there are four of them, kept for ever
    def _one(self, section: str, key: str) -> re.Pattern[str]:
        return compiled(self.data[section][key])

    @functools.cache  # noqa: B019 - there are four of them, kept for ever
    def all(self, section: str) -> dict[str, re.Pattern[str]]:
        """The patterns of a section, by name; empty where the language has none."""
        return {name: compiled(value) for name, value in self.data.get(section, {}).items()}


@functools.cache
def language(name: str) -> Language:
    """A language by its name, read once."""
    return Language(name)


@functools.cache
def in_any_language(section: str, key: str) -> re.Pattern[str]:
    """A pattern of a section in every language that has it, without regard to case, for words that a report may mix; one that never matches where none has it."""
    found = (language(name).data.get(section, {}).get(key) for name in LANGUAGES)
    return compiled("|".join(f"(?:{pattern})" for pattern in found if pattern) or "(?!)", re.IGNORECASE)


@functools.cache
def barred_in_any_language() -> re.Pattern[str]:
    """What makes a statement no statement about what was done, in any of the languages."""
    return compiled("|".join(language(name).barred.pattern for name in LANGUAGES))


@functools.cache
def planned_in_any_language() -> re.Pattern[str]:
    """What makes a clause assert nothing yet, in any of the languages: it is planned, supposed, offered, advised, or a greeting."""
    return compiled("|".join(language(name).data["planned"] for name in LANGUAGES))


def language_of(text: str) -> Language:
    """The language of a text among those that are known, by its small words; English where nothing tells."""
    found = re.findall(r"[a-zà-ÿ']+", _CODE.sub(" ", text.lower()[:20_000]))
    counts = {name: sum(word in language(name).words for word in found) for name in LANGUAGES}
    best = max(LANGUAGES, key=lambda name: (counts[name], name == "en"))
    if not counts["en"]:
        # Nothing is English: one word that English does not have is enough.
        alike = language("en").data["alike"].split()
        return language(best if any(word in language(best).words and word not in alike for word in found) else "en")
    return language(best if counts[best] > max(1, counts["en"] * 1.3) else "en")
