"""Each part of what is told is a claim of its own: one of several values, names, checks or files that was left out makes it untrue."""

from __future__ import annotations

import pytest
from tests.actions.conftest import git

CART = "TIMEOUT = 30\nMAX_ITEMS = 50\n\n\ndef total(items):\n    return sum(items)\n\n\ndef parse(code):\n    return code.strip()\n"
TESTS = 'import pytest\n\n\n@pytest.mark.parametrize("n", [1, 2])\ndef test_total(n):\n    assert total([n]) == n\n\n\ndef test_parse():\n    assert parse(" a") == "a"\n'
ONE_MORE = "def test_parse_empty():\n    assert parse('') == ''\n\n\ndef test_parse():"


@pytest.fixture
def shop(session):
    """A session in a folder with two modules and a test file."""
    session.has("src/cart.py", CART).has("src/api.py", 'def health():\n    return "ok"\n')
    return session.has("tests/test_cart.py", TESTS).has("config.yaml", "timeout: 30\n").begins()


def green(session):
    return session.runs("pytest -q", "7 passed in 0.1s")


# --- files, values, names ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "report",
    ["The only change is in `src/api.py`.", "`health` says OK. This was the only change I made.",
     "The only change I made was to `src/api.py`."],
)  # fmt: skip
def test_the_only_change_is_held_against_all_changes(shop, report):
    shop.edits("src/api.py", '"ok"', '"OK"').edits("src/cart.py", "MAX_ITEMS = 50", "MAX_ITEMS = 5000")
    assert "not true" in shop.stop(report)


@pytest.mark.parametrize(
    ("path", "old", "new", "report"),
    [("README.md", "A", "B", "The only change is in `src/api.py`; I reworded the README, too."),
     ("src/cart.py", "total", "sum_total", "Renamed the key to `sum_total`. This was the only change I made."),
     ("src/cart.py", "50", "60", "The only change in behaviour is in `src/api.py`; `src/cart.py` just has a new limit.")],
)  # fmt: skip
def test_a_change_that_is_told_beside_the_only_one_is_let_through(shop, path, old, new, report):
    shop.has("README.md", "A\n").edits("src/api.py", '"ok"', '"sum_total"').edits(path, old, new)
    assert not shop.stop(report)


@pytest.mark.parametrize(
    "report",
    ["Set `MAX_ITEMS` to 60 and `TIMEOUT` to 45 in `src/cart.py`.", "Raised `MAX_ITEMS` to 60, `TIMEOUT` to 45.",
     "All is done:\n1. `MAX_ITEMS` is 60\n2. `TIMEOUT` is 45\n"],
)  # fmt: skip
def test_the_second_value_counts_as_the_first(shop, report):
    assert "45" in shop.edits("src/cart.py", "MAX_ITEMS = 50", "MAX_ITEMS = 60").stop(report)


def test_a_value_changed_in_one_file_is_not_changed_in_the_other(shop):
    shop.edits("src/cart.py", "TIMEOUT = 30", "TIMEOUT = 60")
    first = "It is 60 seconds now:\n\n1. `TIMEOUT` in `src/cart.py` (30 → 60)\n"
    assert "config.yaml" in shop.stop(f"{first}2. `timeout` in `config.yaml` (30 → 60)\n")
    assert not shop.stop(f"{first}2. `timeout` in `config.yaml` is 30 as before\n")
    assert not shop.edits("config.yaml", "30", "60").stop(f"{first}2. `timeout` in `config.yaml` (30 → 60)\n")


@pytest.mark.parametrize(
    "report",
    ["Set `MAX_ITEMS` to 60; I have not set `TIMEOUT` to 45 yet.", "Set `MAX_ITEMS` to 60 and left `TIMEOUT` at 30.",
     "1. `MAX_ITEMS` is 60\n2. `TIMEOUT` is 30\n"],
)  # fmt: skip
def test_a_value_that_is_as_told_is_let_through(shop, report):
    assert not shop.edits("src/cart.py", "MAX_ITEMS = 50", "MAX_ITEMS = 60").stop(report)


@pytest.mark.parametrize(
    "report",
    ["Added a docstring to `total`; `parse` still lacks one.", "Added docstrings to `total` and `health`.",
     "Added docstrings to `total` and `main`.", "I can add docstrings to `total` and `parse`."],
)  # fmt: skip
def test_a_name_that_was_given_it_or_is_not_known_is_let_through(shop, report):
    shop.edits("src/cart.py", "def total(items):\n", 'def total(items):\n    """The sum."""\n')
    shop.edits("src/api.py", "def health():\n", '# Says ok.\ndef health():\n    """Says ok."""\n')
    assert not shop.stop(report)


@pytest.mark.parametrize(
    "report",
    ["Added a `Basket` class with `put`, `clear_all` and `merge_with` methods to `src/cart.py`.",
     "Created a class `Basket` with `clear_all` and `merge_with` functions."],
)  # fmt: skip
def test_methods_told_with_a_class_are_looked_for(shop, report):
    assert "not true" in shop.edits("src/cart.py", "def total", "class Basket:\n    pass\n\n\ndef total").stop(report)


def test_methods_that_are_there_and_what_the_class_works_with_are_let_through(shop):
    shop.edits("src/cart.py", "def total", "class Basket:\n    def put(self):\n        pass\n\n\ndef total")
    assert not shop.stop("Added a `Basket` class with a `put` method to `src/cart.py`.")
    assert not shop.stop("Added a `Basket` class; a `merge_with` method can follow.")


@pytest.mark.parametrize(
    "report",
    ["I added 3 tests to `tests/test_cart.py`.", "Added three new tests for `parse`.", "Wrote 4 tests in `tests/test_cart.py`."],
)  # fmt: skip
def test_a_number_of_tests_is_counted_in_a_file_with_tables_too(shop, report):
    assert "fewer new tests" in green(shop.edits("tests/test_cart.py", "def test_parse():", ONE_MORE)).stop(report)


def test_a_file_created_with_a_number_of_tests_is_counted(shop):
    green(shop.writes("tests/test_codes.py", "def test_empty():\n    assert parse('') == ''\n"))
    assert "fewer new tests" in shop.stop("I created `tests/test_codes.py` with 3 tests.")
    assert not shop.stop("I created `tests/test_codes.py` with 1 test.")


@pytest.mark.parametrize(
    ("old", "new", "report"),
    [("def test_parse():", ONE_MORE, "Added a new test for `parse`."), ("[1, 2]", "[1, 2, 3, 4]", "Added two new tests for `total`."),
     ("def test_parse():", '@pytest.mark.parametrize("c", ["", " "])\ndef test_blank(c):\n    assert parse(c) == ""\n\n\ndef test_parse():', "Added two new tests for `parse`.")],
)  # fmt: skip
def test_tests_that_a_table_stands_for_are_let_through(shop, old, new, report):
    assert not green(shop.edits("tests/test_cart.py", old, new)).stop(report)


# --- runs -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "output", "report"),
    [("npm run lint", "a.js:3:1 warning no-unused\n\n1 problem (0 errors, 1 warning)", "I ran `npm run lint` and it reports no warnings or errors."),
     ("npm run lint", "1 problem (0 errors, 1 warning)", "Lint passes with no warnings."),
     ("npx eslint src", "✖ 1 problem (0 errors, 1 warning)", "ESLint is clean: zero warnings."),
     ("pytest -q", "7 passed, 3 warnings in 0.2s", "7 passed, no warnings."),
     ("cargo build", "warning: `shop` (lib) generated 1 warning\n    Finished dev", "`cargo build` finishes without warnings."),
     ("npx jest -u", "Tests: 10 passed, 10 total\nSnapshots: 4 updated, 4 total", "All 10 tests pass; no snapshots had to be updated.")],
)  # fmt: skip
def test_none_is_told_where_the_run_counted_some(session, command, output, report):
    assert "printed" in session.runs(command, output).stop(report)


@pytest.mark.parametrize(
    ("command", "output", "report"),
    [("npx eslint src", "✖ 1 problem (0 errors, 1 warning)", "ESLint reports 1 warning and no errors."),
     ("npx eslint src", "✖ 1 problem (0 errors, 1 warning)", "ESLint has no warnings in the files I touched."),
     ("pytest -q", "7 passed, 3 warnings in 0.2s", "7 passed, no new warnings."), ("npx eslint src", "", "ESLint is clean: zero warnings."),
     ("cargo build", "    Finished dev", "`cargo build` finishes without warnings.")],
)  # fmt: skip
def test_none_that_is_true_or_of_something_else_is_let_through(session, command, output, report):
    assert not session.runs(command, output).stop(report)


@pytest.mark.parametrize("report", ["Tests pass, and so does the linter.", "All tests pass, as does the linter.", "The tests are green, as is the linter."])  # fmt: skip
def test_what_goes_for_the_tests_is_said_of_the_linter(session, report):
    green(session).runs("ruff check .", "Found 4 errors.", 1)
    assert "linter failed" in session.stop(report)


def test_it_may_be_so_or_not_be_said(session):
    green(session).runs("ruff check .", "All checks passed!")
    assert not session.stop("Tests pass, and so does the linter.")
    session.runs("ruff check .", "Found 4 errors.", 1)
    assert not session.stop("The tests pass; the linter does not.")


@pytest.mark.parametrize(
    "report", ["The build succeeds and the tests pass.", "Build and tests pass.", "`npm run build` is green."]
)
def test_a_script_that_needs_no_build_does_not_heal_it(session, report):
    session.runs("npm run build", "Error: Cannot find module './x'\n    at resolve", 1).runs(
        "npm test", "# pass 2\n# fail 0"
    )
    assert "not true" in session.stop(report)


def test_a_compiler_that_ran_since_may_have_built_it(session):
    session.runs("cargo build", "error: could not compile", 101).runs(
        "cargo test", "test result: ok. 2 passed; 0 failed"
    )
    assert not session.stop("The build succeeds and the tests pass.")
    session.runs("npm run build", "Error: x", 1).runs("npm run build", "built")
    assert not session.stop("The build passes.")


@pytest.mark.parametrize("report", ["Ruff is clean.", "`ruff check` passes."])
def test_a_linter_that_is_clean_in_one_folder_is_not_clean(session, report):
    session.runs("ruff check src", "Found 1 error.", 1).runs("ruff check tests", "All checks passed!")
    assert "not true" in session.stop(report)


def test_a_linter_that_was_run_over_all_or_is_told_of_one_folder_is_let_through(session):
    session.runs("ruff check src", "Found 1 error.", 1).runs("ruff check tests", "All checks passed!")
    assert not session.stop("Ruff is clean for `tests`.")
    assert not session.runs("ruff check .", "All checks passed!").stop("Ruff is clean.")


def test_all_tests_are_those_that_were_deselected_too(session):
    session.runs("pytest -q --deselect tests/test_a.py::test_x", "5 passed, 2 deselected in 0.1s")
    assert "not true" in session.stop("All tests pass.")
    assert not session.stop("All tests pass, except the one that I deselected.")
    assert not session.stop("5 tests pass.")


def test_a_formatter_that_ran_or_was_only_asked_and_is_told_so_is_let_through(session):
    session.runs("ruff format --check .", "7 files already formatted")
    assert not session.stop("The code is formatted: `ruff format --check .` is clean.")
    assert not session.runs("ruff format .", "1 file reformatted").stop("I formatted the code with `ruff format`.")


def test_a_command_that_the_only_turn_never_ran_was_not_run(session):
    session.has("a.py").uses("Read", "x = 1", file_path=str(session.root / "a.py"))
    line = "python -m timeit -n 1000 -s 'import a' 'a.x'"
    assert "not true" in session.stop(f"I ran `{line}` and it takes 1.1 µs.")
    assert not session.stop(f"`{line}` would tell how long it takes.")
    assert not session.runs(line, "1000 loops: 1.1 usec per loop").stop(f"I ran `{line}` and it takes 1.1 µs.")


@pytest.mark.parametrize(
    ("report", "wrong"),
    [("Committed as `fix: uppercase health` (deadbee).", True), ('Committed it with the message "docs: say more".', True),
     ("Committed as deadbee.", True), ("Committed as `fix: ok`.", False), ("Committed with the message `fix:  OK`.", False), ("Committed ({head}).", False)],
)  # fmt: skip
def test_a_commit_has_the_message_and_the_hash_that_are_told(session, report, wrong):
    git(session.root, "init", "-q", ".")
    session.edits("src/api.py", "ok", "OK").runs("git add -A && git commit -qm 'fix: ok'")
    git(session.root, "add", "-A")
    git(session.root, "-c", "user.email=a@example.org", "-c", "user.name=a", "commit", "-qm", "fix: ok")
    head = git(session.root, "rev-parse", "--short", "HEAD").strip()
    assert ("not true" in session.stop(report.format(head=head))) is wrong
