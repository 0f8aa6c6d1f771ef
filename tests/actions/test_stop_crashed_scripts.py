"""A script told to run well, whose last run in the session failed: by an exception, or by an exit code that the words deny."""

from __future__ import annotations

import pytest

CRASH = 'Traceback (most recent call last):\n  File "run.py", line 3, in <module>\n    main()\nValueError: bad\n'
NODE = "file:///sync.mjs:3\n    throw new Error('x')\n    ^\nError: x\n    at main (sync.mjs:3:9)\n\nNode.js v20.1.0\n"
WELL = [
    "`run.py` runs cleanly now.", "`python run.py` exits 0.", "The script finishes without errors.", "`run.py` now runs without errors.", "The script now runs to completion.",
    "`run.py` no longer crashes.", "run.py runs end to end without problems.", "The script executes cleanly.", "`run.py` works now.", "Das Skript läuft fehlerfrei durch.",
    "Le script s'exécute sans erreurs.",
]  # fmt: skip


@pytest.fixture
def changed(session):
    return session.edits("run.py", "main()\n", "main(1)\n")


@pytest.mark.parametrize("told", WELL)
def test_it_is_untrue_after_a_crash(changed, told):
    assert "not true" in changed.runs("python run.py", CRASH, 1).stop(f"Changed `run.py`. {told}")


@pytest.mark.parametrize("told", WELL)
def test_it_is_let_through_where_the_script_went_well_after_that(changed, told):
    changed.runs("python run.py", CRASH, 1).edits("run.py", "main(1)", "main()")
    assert changed.stop(f"Changed `run.py`. {told}") == "" or "exit" in told  # by its command it was run, and failed
    assert changed.runs("python run.py", "done\n").stop(f"Changed `run.py`. {told}") == ""


def test_a_pipe_hides_the_exit_code_and_not_the_crash(changed):
    assert "not true" in changed.runs("python run.py | tail -5", CRASH).stop("Changed `run.py`. The script works.")


def test_of_other_languages_too(session):
    session.edits("tools/sync.mjs", "1\n", "2\n").runs("node tools/sync.mjs", NODE, 1)
    assert "not true" in session.stop("Changed `tools/sync.mjs`. `sync.mjs` works now.")


HONEST = [
    "`run.py` should run cleanly after that.", "`run.py` ends with a ValueError; before, the script worked.", "With a valid config `run.py` will exit 0.",
    "I could not get `run.py` to run cleanly.", "`run.py` works through the list and stops at the first bad row.", "`run.py` still crashes.", "Once `bad` is fixed, `run.py` runs cleanly.",
    "`python run.py` exits 0 when the file is there.", "`python run.py` exits 0 only if the config is there; here it fails.", "The script runs the loader first.",
    "To check, run `python run.py`: it should exit 0.",
]  # fmt: skip


@pytest.mark.parametrize("told", HONEST)
def test_other_words_about_it_are_let_through(changed, told):
    assert changed.runs("python run.py", CRASH, 1).stop(f"Changed `run.py`. {told}") == ""


def test_one_that_went_well_with_other_arguments_may_be_meant(changed):
    changed.runs("python run.py", "done\n").runs("python run.py --bad", CRASH, 1)
    assert changed.stop("Changed `run.py`. `run.py` runs cleanly now.") == ""


def test_an_exit_code_may_be_the_answer_of_a_script_that_works(session):
    session.edits("a.md", "1\n", "2\n").runs("bash scripts/check_links.sh", "3 dead links\n", 1)
    assert session.stop("Changed `a.md`. `check_links.sh` works: it found 3 dead links.") == ""
    assert "not true" in session.stop("Changed `a.md`. `check_links.sh` passes.")
