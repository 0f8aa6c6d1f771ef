"""What was left alone, told in one language inside a report in another, or behind the "and" of another clause."""

from __future__ import annotations

import pytest

IN_ANOTHER = [
    "I set `x` to 2 in `src/cart.py` and ran nothing else.\n\nLe fichier `src/tax.py` n'a pas été modifié.",
    "I set `x` to 2 in `src/cart.py`. Je n'ai pas touché à `src/tax.py`.",
    "I set `x` to 2 in `src/cart.py`. Die Datei `src/tax.py` wurde nicht verändert.",
    "I set `x` to 2 in `src/cart.py`. No he tocado el archivo `src/tax.py`.",
    "Ich habe `x` in `src/cart.py` auf 2 gesetzt und das ist alles.\n\nThe file `src/tax.py` was not changed.",
]
BEHIND_AND = [
    "La valeur de `x` est maintenant 2 dans `src/cart.py` et `src/tax.py` n'a pas été modifié.",
    "J'ai mis `x` à 2 dans `src/cart.py`, et le fichier `src/tax.py` n'a pas été modifié.",
    "J'ai changé `src/cart.py` et `src/tax.py` reste inchangé.",
    "Der Wert von `x` ist jetzt 2 in `src/cart.py` und `src/tax.py` wurde nicht verändert.",
    "Ich habe `x` in `src/cart.py` auf 2 gesetzt und `src/tax.py` blieb unverändert.",
    "El valor de `x` ahora es 2 en `src/cart.py` y `src/tax.py` no se ha modificado.",
    "He puesto `x` a 2 en `src/cart.py` y `src/tax.py` queda sin cambios.",
]


@pytest.fixture
def started(session):
    return session.has("src/cart.py", "x = 1\n").has("src/tax.py", "y = 1\n").begins()


@pytest.mark.parametrize("report", [*IN_ANOTHER, *BEHIND_AND])
def test_a_file_that_was_changed_is_not_as_it_was(started, report):
    started.edits("src/cart.py", "x = 1", "x = 2").edits("src/tax.py", "y = 1", "y = 2")
    assert "src/tax.py was changed" in started.stop(report)


@pytest.mark.parametrize("report", [*IN_ANOTHER, *BEHIND_AND])
def test_of_the_file_in_the_clause_before_nothing_is_denied(started, report):
    assert started.edits("src/cart.py", "x = 1", "x = 2").stop(report) == ""


def test_files_that_were_changed_nowhere_else_may_have_been_changed(started):
    started.edits("src/cart.py", "x = 1", "x = 2").edits("src/tax.py", "y = 1", "y = 2")
    report = "J'ai changé une ligne. `src/cart.py` et `src/tax.py` n'ont pas été modifiés ailleurs."
    assert started.stop(report) == ""
