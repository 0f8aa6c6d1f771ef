"""The words that reports are made of, as data: `lang/en.toml` (verbs, sets of words, patterns) and `lang/names.toml` (files and programs).

Only vocabulary; what the words mean together is in the modules of the grammar. A pattern is compiled when it is first asked for.
"""

from __future__ import annotations

import functools
import re
import tomllib
from pathlib import Path
from typing import Any, Literal

from witnessmark.text.patterns import compiled

VerbClass = Literal["create", "write", "add", "edit", "delete", "move", "run", "verify"]
FOLDER = Path(__file__).with_name("lang")


@functools.cache
def table(name: str) -> dict[str, Any]:
    """The data of one file of `lang/`, read once."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


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
        made[_third(base)] = (cls, "third")
        made[(base.removesuffix("e") if not base.endswith("ee") else base) + "ing"] = (cls, "ing")
        made |= dict.fromkeys(past, (cls, "past"))
    return made


def _third(base: str) -> str:
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
