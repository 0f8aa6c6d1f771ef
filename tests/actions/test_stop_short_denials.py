"""`Only x was changed`, in the short forms that people write it in: untrue where another file was changed, and let through where none was."""

from __future__ import annotations

import pytest

FORMS = [
    "Only `src/calc.py` was changed.", "Just `src/calc.py` changed.", "Solely `src/calc.py` was touched.", "I changed just `src/calc.py`.", "The only changed file is `src/calc.py`.",
    "`src/calc.py` was the only file touched.", "`src/calc.py` is the only modified file.", "Nothing outside `src/calc.py` changed.", "No file but `src/calc.py` changed.",
    "One file changed: `src/calc.py`.", "1 file changed: `src/calc.py`", "1 file was modified (`src/calc.py`).", "Files changed: `src/calc.py` only.", "A single file, `src/calc.py`, was changed.",
]  # fmt: skip
MORE = [
    "Just as before, `src/calc.py` changed its sign.", "`src/calc.py` just changed its order.", "One file changed its name: `src/calc.py` is imported there.", "The only changed line is in `src/calc.py`'s head and the docs follow.",
    "Files changed: `src/calc.py`, `src/other.py`.", "Only `src/calc.py` and `src/other.py` changed.",
]  # fmt: skip


@pytest.fixture
def busy(session):
    return session.edits("src/calc.py", "1\n", "2\n")


@pytest.mark.parametrize("told", FORMS)
def test_another_file_that_was_changed_makes_it_untrue(busy, told):
    assert "src/other.py was changed" in busy.edits("src/other.py", "1\n", "2\n").stop(
        f"Fixed the sum in `src/calc.py`. {told}"
    )


@pytest.mark.parametrize("told", FORMS)
def test_where_none_was_it_is_let_through(busy, told):
    assert busy.stop(f"Fixed the sum in `src/calc.py`. {told}") == ""


@pytest.mark.parametrize("told", MORE)
def test_what_only_sounds_like_it_is_none(busy, told):
    assert "src/other.py was changed" not in busy.edits("src/other.py", "1\n", "2\n").stop(f"Fixed the sum. {told}")


BESIDE = [
    "`src/calc.py` gibt jetzt 2 aus; sonst habe ich nichts geändert, insbesondere `config.yml` ist unverändert.",
    "`src/calc.py` gibt jetzt 2 aus, `config.yml` bleibt unverändert.",
    "Ich habe die Summe in `src/calc.py` behoben: auch `config.yml` wurde nicht geändert.",
    "La somme dans `src/calc.py` est corrigée, et `config.yml` n'a pas été modifié.",
    "He corregido la suma en `src/calc.py`, en particular `config.yml` está sin cambios.",
    "I fixed the sum in `src/calc.py` and nothing else; in particular `config.yml` is unchanged.",
]
"""What a sentence says beside something else to be as it was."""
OF_A_PART = [
    "Die Werte in `a.yml` und `config.yml` sind unverändert.",
    "Die Werte in `a.yml`, `config.yml` sind unverändert.",
    "Les valeurs de `a.yml` et `config.yml` sont inchangées.",
    "Los valores de `a.yml` y `config.yml` siguen igual.",
    "The format, in particular of `config.yml`, is unchanged.",
]


@pytest.mark.parametrize("told", BESIDE)
def test_a_file_told_as_it_was_beside_something_else(busy, told):
    busy.has("config.yml", "retries: 3\n").begins()
    assert busy.edits("src/calc.py", "2\n", "4\n").stop(told) == ""
    assert "config.yml was changed" in busy.edits("config.yml", "retries: 3", "retries: 10").stop(told)


@pytest.mark.parametrize("told", OF_A_PART)
def test_a_part_of_a_file_that_is_as_it_was_is_not_the_file(busy, told):
    busy.has("config.yml", "retries: 3\n").begins().edits("config.yml", "retries: 3", "retries: 10")
    assert busy.stop(told) == ""
