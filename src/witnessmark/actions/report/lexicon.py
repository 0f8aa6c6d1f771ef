"""The words that reports are made of, as data, and the patterns of one language.

One file a language in `lang/`; `names.toml` has files and programs. A pattern is looked for only where a text has one of the words that it needs.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any, Literal

from witnessmark.text.patterns import any_of, compiled, languages_in, table_in

VerbClass = Literal["create", "write", "add", "edit", "delete", "move", "run", "verify"]
FOLDER = Path(__file__).with_name("lang")


@functools.cache
def table(name: str) -> dict[str, Any]:
    """The data of one file of `lang/`, read once."""
    return table_in(FOLDER / f"{name}.toml")


def may_match(name: str, section: str, key: str, low: str) -> bool:
    """Whether a text has one of the words without which a pattern of a file cannot match, so that most are never compiled; True where the data name none."""
    words = table(name).get("needs", {}).get(section, {}).get(key)
    return words is None or any(word in low for word in words)


def _entry(section: str, key: str) -> Any:
    found = table("en")[section].get(key) or table("names")[section].get(key)
    if found is None:
        raise AttributeError(f"no {section} named {key} in lang/en.toml or lang/names.toml")
    return found


class _Sets:
    """Sets of words, by name."""

    def __getattr__(self, key: str) -> frozenset[str]:
        found = frozenset(_entry("sets", key).split())
        setattr(self, key, found)
        return found


class _Patterns:
    """Patterns, by name; a list in the data is a choice."""

    def __getattr__(self, key: str) -> re.Pattern[str]:
        found = _entry("patterns", key)
        made = compiled(found if isinstance(found, str) else "|".join(found))
        setattr(self, key, made)
        return made


WORDS = _Sets()
PATTERNS = _Patterns()


def _forms(cls: VerbClass, verbs: str) -> dict[str, tuple[VerbClass, str]]:
    """Each verb is `base` or `base/past` or `base/past/participle`; regular forms are made."""
    made: dict[str, tuple[VerbClass, str]] = {}
    for verb in verbs.replace("_", "\0").split():
        base, *given = verb.replace("\0", " ").split("/")
        past = given or [base + ("d" if base.endswith("e") else "ed")]
        made[base] = (cls, "base")
        made[third_person(base)] = (cls, "third")
        made[(base.removesuffix("e") if not base.endswith("ee") else base) + "ing"] = (cls, "ing")
        made |= dict.fromkeys(past, (cls, "past"))
    return made


def third_person(base: str) -> str:
    """The form of a verb with `it`: `adds`, `fixes`, `applies`."""
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "x", "ch", "sh")) else "s")


def _verbs() -> dict[str, tuple[VerbClass, str]]:
    made: dict[str, tuple[VerbClass, str]] = {}
    for cls, verbs in table("en")["verbs"].items():
        made |= _forms(cls, verbs)
    made["running"] = made["re-running"] = ("run", "ing")
    return made | {"run": ("run", "base"), "rid": ("delete", "past")}


VERBS = _verbs()


LANGUAGES = languages_in(FOLDER)
"""Those that have a file, named by the two letters of the language; English first."""
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

    @functools.cache  # noqa: B019 - there are a few of them, kept for ever
    def _one(self, section: str, key: str) -> re.Pattern[str]:
        return compiled(self.data[section][key])

    @functools.cache  # noqa: B019 - there are a few of them, kept for ever
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
    return compiled(any_of(filter(None, found)), re.IGNORECASE)


@functools.cache
def mood_in_any_language(mood: Literal["barred", "planned"]) -> re.Pattern[str]:
    """What makes a statement none about what was done, or a clause assert nothing yet (it is planned, supposed, offered, advised, or a greeting)."""
    return compiled(any_of(table(name)[mood] for name in LANGUAGES))


SURE = 2
"""So many small words of one language, and none of another's, tell the language of a sentence."""


def own_language_of(text: str, around: Language) -> Language:
    """The language of one sentence of a text in another one: that of its small words, where it has no word of the other's."""
    found = re.findall(r"[a-zà-ÿ']+", _CODE.sub(" ", text.lower()))
    if not around.words.isdisjoint(found):
        return around
    best = max(LANGUAGES, key=lambda name: sum(word in language(name).words for word in found))
    return language(best) if sum(word in language(best).words for word in found) >= SURE else around


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
