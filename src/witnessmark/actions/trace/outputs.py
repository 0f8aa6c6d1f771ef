"""How programs say what happened, as data: patterns of the lines that runners, linters, compilers and git print (`outputs.toml`)."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from witnessmark.text.patterns import compiled

DATA = Path(__file__).with_name("outputs.toml")


@functools.cache
def _lines() -> dict[str, dict[str, str]]:
    return tomllib.loads(DATA.read_text(encoding="utf-8"))


@functools.cache
def output_pattern(section: str, name: str) -> re.Pattern[str]:
    """A pattern for an output, in which ^ and $ are those of lines, with what its marks stand for put in."""
    joined = _lines()[section][name].replace("\n", "")
    for mark, words in _lines()["marks"].items():
        joined = joined.replace(f"{{{mark}}}", words)
    return compiled(joined, re.MULTILINE)


def tells(section: str, name: str, text: str) -> bool:
    """Whether an output has such a line; one that nobody has data for is in none."""
    return name in _lines()[section] and output_pattern(section, name).search(text) is not None


def without_findings(tools: Iterable[str], text: str) -> str:
    """An output without the lines by which these tools tell of their findings, so that what is left may be another's."""
    for tool in tools:
        text = output_pattern("ill", tool).sub("", text) if tool in _lines()["ill"] else text
    return text
