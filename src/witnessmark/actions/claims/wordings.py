"""The words by which reports tell of what claims are held against, as data: one file a language in `lang/`.

A wording is what all languages have under its name, each line of it an alternative; `{name}` in it stands for what its section has
under that name. Reports mix languages, so that no language is asked for alone.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

from witnessmark.text.patterns import compiled, languages_in, table_in

FOLDER = Path(__file__).with_name("lang")
LOWER_CASE = frozenset({"figures"})
"""Sections that are only held against text in small letters: to look past case takes twice as long."""
_PART = compiled(r"\{([a-z_]+)\}")


def source(section: str, key: str) -> str:
    """The text of a wording, to be put into a larger expression.

    Raises:
        KeyError: No language has it.

    """
    tables = (table_in(FOLDER / f"{name}.toml") for name in languages_in(FOLDER))
    found = [line for table in tables for line in table.get(section, {}).get(key, "").splitlines() if line]
    if not found:
        raise KeyError(f"no {key} under [{section}] in {FOLDER.name}/*.toml")
    return _PART.sub(lambda part: source(section, part[1]), "|".join(found))


@functools.cache
def wording(section: str, key: str) -> re.Pattern[str]:
    """A wording, compiled when it is first asked for; without regard to case unless its section is for small letters."""
    return compiled(source(section, key), 0 if section in LOWER_CASE else re.IGNORECASE)


def says(section: str, key: str, text: str) -> bool:
    """Whether a text has a wording anywhere."""
    return wording(section, key).search(text) is not None


@functools.cache
def words(section: str, key: str) -> frozenset[str]:
    """The alternatives of a wording that is a choice of plain words."""
    return frozenset(source(section, key).split("|"))
