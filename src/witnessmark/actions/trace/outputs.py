"""How programs say what happened, as data: patterns of the lines that runners, linters, compilers and git print (`outputs.toml`)."""

from __future__ import annotations

import functools
import re
import tomllib
from pathlib import Path

from witnessmark.text.patterns import compiled

DATA = Path(__file__).with_name("outputs.toml")


@functools.cache
def _lines() -> dict[str, dict[str, str]]:
    return tomllib.loads(DATA.read_text(encoding="utf-8"))


@functools.cache
def output_pattern(section: str, name: str) -> re.Pattern[str]:
    """A pattern for an output, in which ^ and $ are those of lines."""
    return compiled(_lines()[section][name].replace("\n", ""), re.MULTILINE)


def tells(section: str, name: str, text: str) -> bool:
    """Whether an output has such a line; one that nobody has data for is in none."""
    return name in _lines()[section] and output_pattern(section, name).search(text) is not None
