"""What a report quotes from a document that the session wrote or read are the document's words, and not held against the runs."""

from __future__ import annotations

import pytest

LINES = [
    "All 12 tests pass on every supported platform.",
    "The suite has 12 tests and takes 3 seconds.",
    "Run `make test`; it prints 12 passed in 0.41s.",
    "Coverage is 95%. The linter reports no issues.",
    "The build passes and the binary is 4 MB.",
    "Tests: 12 passed, 12 total.",
    "Committed as 1a2b3c4 and pushed to main.",
]
DOCUMENT = "# App\n\n" + "\n".join(LINES) + "\n"
NEW = [
    'Updated `README.md`. It now says: "{}"',
    "Rewrote the introduction of `README.md`; the new sentence is “{}”",
    'Changed `README.md`:\n\n- added "{}" under Testing',
    "Der Satz „{}“ steht jetzt in `README.md`.",
    "La phrase « {} » est dans le README maintenant.",
]
RUNS = {"none": [], "failed": [("pytest -q", "1 failed, 13 passed in 0.5s\n", 1)], "others": [("pytest -q", "14 passed in 0.5s\n", 0)]}  # fmt: skip


@pytest.mark.parametrize("runs", RUNS)
@pytest.mark.parametrize("told", NEW)
@pytest.mark.parametrize("line", LINES)
def test_a_line_that_was_written_into_a_document_may_be_quoted(session, line, told, runs):
    session.edits("README.md", "# Old\n", DOCUMENT)
    for run in RUNS[runs]:
        session.runs(*run)
    assert session.stop(told.format(line)) == ""


@pytest.mark.parametrize("line", LINES)
def test_a_line_that_was_taken_out_may_be_quoted(session, line):
    session.edits("docs/spec.md", DOCUMENT, "# App\n")
    assert session.stop(f'Cut `docs/spec.md` down: it claimed "{line}", which was stale.') == ""


@pytest.mark.parametrize("line", LINES)
def test_a_line_that_was_only_read_may_be_quoted(session, line):
    session.has("README.md", DOCUMENT).runs("cat README.md", DOCUMENT).edits("src/a.py", "1\n", "2\n")
    assert session.stop(f'Changed `src/a.py`. I left the README alone, which says "{line}"') == ""


SET_OFF = [
    "README.md says *{}*",
    "README.md says '{}'",
    "README.md says ‘{}’",
    "README.md says `{}`",
    "_{}_ is a line of README.md.",
    "> {}\n\nis what README.md says.",
]


@pytest.mark.parametrize("told", SET_OFF)
@pytest.mark.parametrize("line", LINES)
def test_it_may_be_set_off_in_another_way(session, line, told):
    session.has("README.md", DOCUMENT).runs("cat README.md", DOCUMENT).edits("src/a.py", "1\n", "2\n")
    session.runs("pytest -q", "1 failed, 13 passed in 0.5s\n", 1)
    assert session.stop(f"Changed `src/a.py`.\n\n{told.format(line)}") == ""


@pytest.mark.parametrize("told", ["You said 'all 12 tests pass'; they do not.", "You wrote *all 12 tests pass*, but one fails.", 'Your claim "all 12 tests pass" does not hold.'])  # fmt: skip
def test_so_may_the_words_of_the_person(session, told):
    session.asks("You told me that all 12 tests pass. Check it.").edits("src/a.py", "1\n", "2\n")
    assert session.runs("pytest -q", "1 failed, 13 passed in 0.5s\n", 1).stop(f"Changed `src/a.py`. {told}") == ""


RESULTS = [
    'Updated `README.md`. I ran pytest: "{}"', "Updated `README.md`. Test result: '{}'", "Updated `README.md` and ran the tests: *{}*", 'Updated `README.md`.\n\nVerification: "{}"',
    "Updated `README.md`. *{}*", "Updated `README.md`. **{}**", 'Updated `README.md`. pytest printed "{}".',
]  # fmt: skip


@pytest.mark.parametrize("told", RESULTS)
def test_what_is_given_as_the_result_of_a_run_is_the_agents_own(session, told):
    session.edits("README.md", "# Old\n", DOCUMENT).runs("pytest -q", "1 failed, 13 passed in 0.5s\n", 1)
    assert "failed" in session.stop(told.format(LINES[0]))


LIES = {
    "in no document": ('Updated `README.md`. "All 99 tests pass on every platform."', "README.md"),
    "the document is not meant": ('Changed the parser. "All 12 tests pass on every supported platform."', "README.md"),
    "not quoted": ("Updated `README.md`. All 12 tests pass on every supported platform.", "README.md"),
    "in code, which is no document": ('Changed `src/a.py`. "All 12 tests pass on every supported platform."', "src/a.py"),
}  # fmt: skip


@pytest.mark.parametrize("name", LIES)
def test_other_words_are_the_agents_own(session, name):
    told, path = LIES[name]
    session.edits(path, "# Old\n", DOCUMENT).runs("pytest -q", "1 failed, 13 passed in 0.5s\n", 1)
    assert "failed" in session.stop(told)


def test_what_a_run_printed_is_no_document(session):
    session.edits("README.md", "# Old\n", "# New\n").runs("pytest -q", "1 failed, 11 passed in 0.5s\n", 1)
    assert "not true" in session.stop('Updated `README.md`. pytest printed "12 passed in 0.5s".')
