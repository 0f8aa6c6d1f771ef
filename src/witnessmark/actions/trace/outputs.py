"""How programs say what happened, as data: patterns of the lines that runners, linters, compilers and git print (`outputs.toml`)."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from pathlib import Path

from witnessmark.text.patterns import compiled, put_in, table_in

DATA = Path(__file__).with_name("outputs.toml")


@functools.cache
def output_pattern(section: str, name: str) -> re.Pattern[str]:
    """A pattern for an output, in which ^ and $ are those of lines, with what its marks stand for put in."""
    data = table_in(DATA)
    return compiled(put_in(data[section][name], data["marks"]), re.MULTILINE)


def tells(section: str, name: str, text: str) -> bool:
    """Whether an output has such a line; one that nobody has data for is in none."""
    return name in table_in(DATA)[section] and output_pattern(section, name).search(text) is not None


def without_findings(tools: Iterable[str], text: str) -> str:
    """An output without the lines by which these tools tell of their findings, so that what is left may be another's."""
    for tool in tools:
        text = output_pattern("ill", tool).sub("", text) if tool in table_in(DATA)["ill"] else text
    return text
