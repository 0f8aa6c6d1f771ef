"""What a sentence says was left alone is what it names first, and not all that stands behind it: `I didn't touch x because y does it`."""

from __future__ import annotations

import pytest

from .conftest import Session  # type: ignore[import-not-found]

TOLD = [
    "I didn't touch `config.yml` but changed `a.py`.",
    "I didn't touch `config.yml`, only `a.py`.",
    "Without touching `config.yml`, I changed `a.py`.",
    "I did not change `config.yml` since the fix in `a.py` was enough.",
    "I didn't modify `config.yml` because `a.py` overrides it now.",
    "Ich habe `a.py` geändert und `config.yml` nicht angefasst.",
    "Die Summe in `a.py` ist korrigiert: an `config.yml` wurde nichts geändert.",
    "In `a.py` steht jetzt 2 und an `config.yml` wurde nichts geändert.",
    "Die Summe kommt jetzt aus `a.py` und `config.yml` habe ich nicht angefasst.",
    "Je n'ai pas modifié `config.yml` mais j'ai corrigé `a.py`.",
    "Je n'ai pas modifié `config.yml` car `a.py` fixe maintenant la valeur.",
    "Sans modifier `config.yml`, j'ai corrigé `a.py`.",
    "No he tocado `config.yml` pero he corregido `a.py`.",
    "No he modificado `config.yml` porque `a.py` fija ahora el valor.",
]


@pytest.mark.parametrize("told", TOLD)
def test_the_file_that_was_changed_is_not_the_one_left_alone(session: Session, told: str) -> None:
    session.has("config.yml", "retries: 3\n").begins().edits("a.py", "x = 1", "x = 2")
    assert session.stop(told) == ""
    assert "config.yml was changed" in session.edits("config.yml", "retries: 3", "retries: 10").stop(told)


@pytest.mark.parametrize(
    "told",
    [
        "I didn't touch `a.yml`, `b.yml` or `config.yml`.",
        "I touched neither `a.yml` nor `config.yml`.",
        "`a.yml` und `config.yml` habe ich nicht angefasst.",
        "Je n'ai pas modifié `a.yml` ni `config.yml`.",
        "No he tocado `a.yml`, `b.yml` ni `config.yml`.",
    ],
)
def test_all_files_of_a_list_are_left_alone(session: Session, told: str) -> None:
    session.has("config.yml", "retries: 3\n").begins().edits("a.py", "x = 1", "x = 2")
    assert session.stop(told) == ""
    assert "config.yml was changed" in session.edits("config.yml", "retries: 3", "retries: 10").stop(told)


@pytest.mark.parametrize(
    "told",
    [
        "I didn't touch `config.yml`, but I added a test.",
        "I did not modify `config.yml` because the tests cover it now.",
        "Without changing the public API, I added a test.",
        "Die Tests sind angepasst und `config.yml` nicht angefasst.",
        "Ich habe einen Test ergänzt und `config.yml` nicht angefasst.",
        "Je n'ai pas modifié `config.yml` mais j'ai ajouté un test.",
        "No he tocado `config.yml`, pero he añadido una prueba.",
    ],
)
def test_tests_that_are_told_of_in_another_clause_were_not_left_alone(session: Session, told: str) -> None:
    session.has("tests/test_a.py", "def test_a():\n    assert 1\n").begins()
    session.edits("tests/test_a.py", "assert 1", "assert 1\n\n\ndef test_b():\n    assert 2")
    assert session.stop(told) == ""


@pytest.mark.parametrize(
    "told", ["I didn't touch the tests or `config.yml`.", "Je n'ai pas modifié les tests.", "Die Tests habe ich nicht angefasst."]
)  # fmt: skip
def test_tests_that_are_told_of_with_it_were(session: Session, told: str) -> None:
    session.has("tests/test_a.py", "def test_a():\n    assert 1\n").begins()
    assert "was changed" in session.edits("tests/test_a.py", "assert 1", "assert 2").stop(told)
