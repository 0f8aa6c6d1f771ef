"""The words that claims are held against are data: every language is read, every name that the code asks for is there, and none is there for nothing."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

import witnessmark
from witnessmark.actions.claims.test_runs import admits
from witnessmark.actions.claims.wordings import FOLDER, says, source, wording, words
from witnessmark.actions.report import lexicon
from witnessmark.actions.report.lexicon import LANGUAGES
from witnessmark.actions.report.report import Report
from witnessmark.actions.trace import activities, outputs
from witnessmark.actions.trace.activities import called
from witnessmark.actions.trace.outputs import output_pattern, tells

TABLES = {name: tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8")) for name in LANGUAGES}
NAMED = {(section, key) for table in TABLES.values() for section, keys in table.items() for key in keys}
NODES = [
    node
    for path in sorted((Path(witnessmark.__file__).parent / "actions").rglob("*.py"))
    for node in ast.walk(ast.parse(path.read_text("utf-8")))
]
LITERALS = {node.value for node in NODES if isinstance(node, ast.Constant)}
PRINTED = tomllib.loads(outputs.DATA.read_text("utf-8"))


def asked_for(*functions: str) -> set[tuple[str, ...]]:
    """The pairs of names that calls of these functions have as literals."""
    calls = (node for node in NODES if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))
    own = (call for call in calls if call.func.id in functions)
    named = (tuple(arg.value for arg in call.args[:2] if isinstance(arg, ast.Constant)) for call in own)
    return {names for names in named if len(names) == 2}


@pytest.mark.parametrize(("section", "key"), sorted(NAMED))
def test_every_wording_is_an_expression_that_matches_something_and_not_everything(section, key):
    if re.search(r"\(\?P<", source(section, key)) is None:
        assert wording(section, key).fullmatch("") is None
    assert wording(section, key).search("\u2603") is None


def test_what_the_code_asks_for_is_there():
    assert asked_for("wording", "says", "source", "words") - NAMED == set()
    assert (
        asked_for("tells", "output_pattern") - {(section, name) for section in PRINTED for name in PRINTED[section]}
        == set()
    )
    with pytest.raises(KeyError, match="no such_words under"):
        source("tests", "such_words")


def test_no_wording_is_there_for_nothing():
    parts = {part for table in TABLES.values() for keys in table.values() for value in keys.values() for part in re.findall(r"\{([a-z_]+)\}", value)}  # fmt: skip
    printed = {f"printed_{name}" for name in ("warnings", "problems", "snapshots", "skipped")} | {
        "found_leaks",
        "found_races",
    }
    assert {key for _, key in NAMED} - parts - LITERALS - printed == set()
    data = tomllib.loads(activities.DATA.read_text("utf-8"))
    calls = {name for name in data["calls"] if name.removeprefix("parts_") not in data["words"]}
    assert calls - LITERALS - set(tomllib.loads((lexicon.FOLDER / "en.toml").read_text("utf-8"))["effects"]) == set()


@pytest.mark.parametrize(
    ("failing", "well"),
    [
        ("Two tests still fail.", "None of the tests fail."),
        ("Der Test test_sum schlägt noch fehl.", "Kein Test schlägt mehr fehl."),
        ("Un test échoue encore.", "Aucun test n'échoue."),
        ("Dos pruebas fallan.", "Ninguna prueba falla."),
    ],
    ids=["en", "de", "fr", "es"],
)
def test_a_report_admits_failures_in_each_language(failing, well):
    assert admits(Report(failing))
    assert not admits(Report(well))


def test_a_part_stands_for_what_all_languages_have_under_its_name():
    assert says("runs", "no_new", "keine neuen Warnungen")
    assert says("runs", "no_new", "no nuevos avisos"), "reports mix languages"
    assert not says("runs", "no_new", "keine Warnungen")
    assert {"docker", "server"} & words("runs", "common") == {"server"}


def test_a_tool_is_named_by_the_table_of_tools_and_not_again():
    assert not admits(Report("golangci-lint still fails on two files."))
    assert admits(Report("golangci-lint still fails on two files."), "other")


def test_figures_are_told_in_small_letters_and_all_else_in_any():
    assert says("tests", "suite", "The Full Suite")
    assert not says("figures", "warnings", "NO WARNINGS")
    assert says("figures", "warnings", "no warnings")


def test_what_programs_print_is_looked_for_line_by_line():
    assert tells("runs", "failed", "collected 3\nFAILED tests/a.py::b")
    assert not tells("runs", "failed", "0 FAILED")
    assert not tells("well", "no such tool", "All checks passed")
    assert output_pattern("git", "commit").findall("[main 1a2b3c4] x") == ["1a2b3c4"]
    assert called("ci").search("gh run view 7")
    assert called("nothing like it").search("gh run view 7") is None
