"""A file that a report names as a means, a source, a model, a purpose or a target is not said to be changed."""

from __future__ import annotations

import pytest

from witnessmark.actions.report.claims import in_passing
from witnessmark.actions.report.report import Report

NAME = "src/rates.py"


@pytest.fixture
def work(session):
    """One file is edited, and another that is there stays as it is."""
    session.has(NAME, "RATE = 3\n")
    session.has("docs/guide.md", "old\n")
    session.begins()
    return session.edits("docs/guide.md", "old\n", "new\n")


PASSING = [
    "I added a table to the guide, for the slow rates in `src/rates.py`.",
    "The guide now matches the defaults in `src/rates.py`.",
    "Updated the guide from `src/rates.py`.",
    "Updated the guide according to `src/rates.py`.",
    "Updated the guide with the defaults listed in `src/rates.py`.",
    "Changed the example to use the constant in `src/rates.py`.",
    "I fixed the gap described in `src/rates.py`.",
    "Added a note next to the one about `src/rates.py`.",
    "Renamed the option in the guide, as `src/rates.py` expects it.",
    "Pointed the link in the guide at `src/rates.py`.",
    "Added `src/rates.py` to the list of sources in the guide.",
    "I changed the guide to the way `src/rates.py` does it.",
    "Replaced the sample with the helper from `src/rates.py`.",
    "Die Anleitung ist mit den Werten aus `src/rates.py` aktualisiert.",
    "Ich habe die Anleitung geändert, die `src/rates.py` beschreibt.",
    "Le guide est corrigé selon `src/rates.py`.",
    "J'ai modifié le guide avec les valeurs décrites dans `src/rates.py`.",
    "La guía está escrita con `src/rates.py`.",
    "He cambiado la guía según `src/rates.py`.",
]
CHANGED = [
    "Updated the guide and `src/rates.py`.",
    "I fixed the wording in `docs/guide.md` and the rounding in `src/rates.py`.",
    "I added a guard for empty input in `src/rates.py`.",
    "Added a retry with backoff to `src/rates.py`.",
    "Removed the unused import from `src/rates.py`.",
    "Changed the limit in `src/rates.py` to match the guide.",
    "Replaced the loop in `src/rates.py` with a call.",
    "Updated the guide from `src/rates.py`. I also changed `src/rates.py`.",
    "Ich habe `src/rates.py` angepasst.",
    "J'ai modifié `src/rates.py`.",
    "He modificado `src/rates.py`.",
]


@pytest.mark.parametrize("words", PASSING)
def test_a_file_named_in_passing_may_be_as_it_was(work, words):
    assert work.stop(words) == ""


@pytest.mark.parametrize("words", CHANGED)
def test_a_file_that_is_said_to_be_changed_must_be_changed(work, words):
    assert "rates.py" in work.stop(words)


def test_the_test_of_a_thing_stands_in_its_own_file():
    words = "Added a case for the empty cart in `tests/test_cart.py`"
    assert not in_passing(Report(words), "tests/test_cart.py", 0, len(words))


def test_a_long_text_without_an_end_is_read_in_time():
    words = "Added the values for the " * 40_000 + "`src/rates.py`"
    assert in_passing(Report(words), NAME, 0, len(words))
