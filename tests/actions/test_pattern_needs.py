"""A pattern that is not looked for where a sentence lacks certain words cannot match without them."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from witnessmark.actions.content import patterns
from witnessmark.actions.report import runs
from witnessmark.actions.report.lexicon import may_match, table

FILES = ("en", "runs", "content")
NEEDED = [(name, section, key) for name in FILES for section, keys in table(name)["needs"].items() for key in keys]


def source(name: str, section: str, key: str) -> re.Pattern[str]:
    """The pattern as it is compiled where it is asked for."""
    if name == "en":
        return re.compile(table(name)[section][key])
    return runs.pattern(section, key) if name == "runs" else patterns.pattern(section, key)


@pytest.mark.parametrize(("name", "section", "key"), NEEDED)
def test_whatever_a_pattern_matches_has_a_word_that_it_needs(name: str, section: str, key: str) -> None:
    @given(st.from_regex(source(name, section, key), alphabet=st.characters(codec="latin-1")))
    @settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    def holds(text: str) -> None:
        assert may_match(name, section, key, text)

    holds()
