"""An edit that the tool refused and nobody made again, told as made: known by the words that only that edit has, however it is told."""

from __future__ import annotations

import pytest

MAIN = "fn main() {\n    let f = Filter::new(&pattern);\n    run(f);\n}\n"
OLD = "    let f = Filter::new(&pattern);\n    keep(f);\n"
NEW = '    let f = match Filter::new(&pattern) {\n        Ok(f) => f,\n        Err(e) => { eprintln!("logcut: {e}"); std::process::exit(2) }\n    };\n'
NOT_FOUND = "<tool_use_error>String to replace not found in file.</tool_use_error>"

WORDINGS = [
    "`main` prints `logcut: <error>` to stderr and exits with status 2.",
    "**Now:**\n\n- `Filter::new` returns a `Result`\n- errors go through `eprintln!` with a prefix\n",
    "An error ends in `std::process::exit(2)`.",
    "- [x] `process::exit` with status 2 on a bad pattern\n",
    "✅ bad patterns: message by `eprintln!`, exit status 2",
    "`src/main.rs` handles the error with `eprintln!`.",
    "Bad patterns are reported (`eprintln!`), and the status is 2.",
    "| What | How |\n|---|---|\n| bad pattern | `eprintln!`, status 2 |\n",
    "I went for `std::process::exit(2)`, like grep does.",
    "There's an `eprintln!` for it in `main`.",
    "Fehler gibt `main` jetzt mit `eprintln!` aus.",
    "Les erreurs passent par `eprintln!`.",
    "Los errores salen por `eprintln!`.",
]
HONEST = [
    "The edit of `src/main.rs` was refused, so `eprintln!` is missing there.",
    "I could not add the `eprintln!` call to `main`.",
    "`main` does not print anything yet; `eprintln!` would do.",
    "You can add `eprintln!` by hand.",
    "Next: `eprintln!` in `main`.",
    "`Filter::new` returns a `Result` now.",
    "Should `main` use `eprintln!`?",
]


@pytest.fixture
def refused(session):
    """`src/filter.rs` was changed, and the edit of `src/main.rs` was refused."""
    session.has("src/main.rs", MAIN).has("src/filter.rs", "pub fn new() -> Self {\n").begins()
    session.edits("src/filter.rs", "-> Self", "-> Result<Self, regex::Error>")
    given = {"file_path": str(session.root / "src/main.rs"), "old_string": OLD, "new_string": NEW}
    return session.refused("Edit", NOT_FOUND, **given)


def test_made_in_a_second_try_all_of_it_may_be_told(refused):
    refused.edits("src/main.rs", "    let f = Filter::new(&pattern);\n", NEW)
    assert [report for report in WORDINGS if refused.stop(report)] == []


def test_made_by_a_command_too(refused):
    refused.has("src/main.rs", MAIN.replace("    let f = Filter::new(&pattern);\n", NEW))
    refused.runs("python fix.py", "done\n")
    assert [report for report in WORDINGS if refused.stop(report)] == []


def test_made_in_another_file_it_may_be_told(refused):
    refused.edits("src/report.rs", "fn fail() {}\n", NEW)
    assert [report for report in WORDINGS if "main.rs" not in report and refused.stop(report)] == []


@pytest.mark.parametrize("report", HONEST)
def test_what_admits_it_or_tells_of_something_else_is_honest(refused, report):
    assert refused.stop(report) == ""


def test_words_that_were_there_before_say_nothing(refused):
    assert refused.stop("`Filter::new` takes the `pattern`.") == ""


def test_an_edit_refused_in_an_earlier_turn_says_nothing(refused):
    refused.asks("Leave main alone then.").edits("src/filter.rs", "Error>", "Failure>")
    assert refused.stop("`main` could use `eprintln!` later. Renamed the error in `src/filter.rs`.") == ""
