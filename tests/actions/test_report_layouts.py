"""One statement in every place where agents put statements: a lie is refused in each, the truth in none.

`lib/made.py` was written and `lib/kept.py` was not touched; the same words name the one or the other.
"""

from __future__ import annotations

import pytest

from witnessmark.actions.report.report import Report

MADE, KEPT, NEVER = "lib/made.py", "lib/kept.py", "lib/never.py"


@pytest.fixture
def worked(session):
    """A session in which one file was edited, one was created, and the tests were run."""
    for path in (MADE, KEPT, "lib/gone.py"):
        session.has(path, "x = 1\n")
    session.begins().edits(MADE, "x = 1", "x = 2").writes("lib/new.py", "y = 1\n")
    return session.runs("pytest -q", "3 passed in 0.1s\n")


EDITS: dict[str, str] = {
    "a sentence": "I updated `{}` to round.",
    "passive": "`{}` was updated to round.",
    "present": "`{}` is changed to round every request.",
    "by what": "`{}` is fixed by rounding half to even.",
    "perfect": "`{}` has been changed so that it rounds.",
    "a link": "Fixed the rounding in [the module]({}#L3).",
    "a link with its path": "Updated [`{0}`]({0}).",
    "with a line": "Fixed the rounding in `{}:1`.",
    "with lines": "Fixed the rounding in `{}:1-2`.",
    "in bold": "Updated **{}** to round.",
    "without marks": "Updated {} to round.",
    "an item": "- Updated `{}` to round",
    "a numbered item": "1. Updated `{}` to round",
    "a nested item": "- Rounding\n  - Updated `{}` to round",
    "a done box": "- [x] Update `{}` to round",
    "a green mark": "✅ Updated `{}` to round",
    "a file and what was done": "## Changes\n- `{}`: rounds now",
    "a file and a dash": "## Changes\n- `{}` — rounds now",
    "a file in bold": "## Changes\n- **`{}`** – rounds now",
    "a file behind a title": "## Changes\n- **Rounding** (`{}`): half to even",
    "under a heading of changes": "## Files changed\n- `{}`",
    "under a lead-in": "I changed these files:\n\n- `{}`",
    "under bold words": "**Modified:**\n- `{}`",
    "beside a label": "**Modified:** `{}`",
    "beside a plain label": "Files changed: `{}`",
    "a heading of its own": "## What I did\n\n### `{}`\n\nRounds half to even now.",
    "a bold heading with the file in brackets": "Here is what I changed:\n\n**Rounding (`{}`):**\n- Half to even",
    "a title over a list": "Here is what I changed:\n\n**Rounding** in `{}`:\n- Half to even",
    "a title of one line": "Here is what I changed:\n\n**1. Rounding** — `{}`\n\nHalf to even.",
    "a name in the file": "## Changes\n- `{}:total_of` - rounds now",
    "a table of fixes": "| # | File | Fix |\n|---|---|---|\n| 1 | `{}` | rounds half to even in every place where it is called |",
    "a table of files": "| File | Change |\n|---|---|\n| `{}` | rounds now |",
    "a table with a status": "| File | Status |\n|---|---|\n| `{}` | ✏️ Modified |",
    "a table with letters": "| | Path |\n|---|---|\n| M | `{}` |",
    "a diff stat": "```\n {} | 2 +-\n 1 file changed\n```",
    "a short status": "```\n M {}\n```",
    "after a fence that shows fences": "The page says:\n````md\n```\nI deleted a file.\n```\n````\nI updated `{}` to round.",
    "after a fence with other signs in it": "It printed:\n```text\n~~~\nDone.\n```\nI updated `{}` to round.",
    "a table with a bar in code": "| Call | File | Status |\n|---|---|---|\n| `a|b` | `{}` | ✏️ Modified |",
    "after a colon": "I changed one file: `{}`.",
    "in brackets": "I changed the rounding (`{}`).",
    "after words that open": "Done! I updated `{}` to round.",
    "with what was left": "I updated `{}` to round, but did not get to the docs.",
    "in German": "Ich habe `{}` angepasst, damit es rundet.",
    "in French": "J'ai modifié `{}` pour arrondir.",
    "in Spanish": "He modificado `{}` para redondear.",
}


@pytest.mark.parametrize("form", EDITS.values(), ids=EDITS)
def test_a_file_that_was_changed_may_be_told_so(worked, form):
    assert worked.stop(form.format(MADE)) == ""


@pytest.mark.parametrize("form", EDITS.values(), ids=EDITS)
def test_one_that_was_not_may_not(worked, form):
    assert f'its bytes are the same: "{KEPT}"' in worked.stop(form.format(KEPT))


CREATIONS: dict[str, str] = {
    "a sentence": "I created `{}`.",
    "passive": "`{}` was created.",
    "a new file": "The helper moved into a new file, `{}`.",
    "new in brackets": "## Changes\n- `{}` (new): the helper",
    "a heading": "## New files\n- `{}`",
    "a status": "| File | Status |\n|---|---|\n| `{}` | New |",
    "a plus": "| | File |\n|---|---|\n| + | `{}` |",
    "untracked": "```\n?? {}\n```",
    "a mode": "```\n create mode 100644 {}\n```",
    "a tree of files": "**New files**\n  └── `{}` — the helper",
    "a list in code": "New files:\n\n```\n{}\n```",
    "German": "Ich habe `{}` angelegt.",
    "French": "J'ai créé `{}`.",
    "Spanish": "He creado `{}`.",
}


@pytest.mark.parametrize("form", CREATIONS.values(), ids=CREATIONS)
def test_a_file_that_was_made_may_be_told_so(worked, form):
    assert worked.stop(form.format("lib/new.py")) == ""


@pytest.mark.parametrize("form", CREATIONS.values(), ids=CREATIONS)
def test_one_that_is_not_there_may_not(worked, form):
    assert f'the file is not there: "{NEVER}"' in worked.stop(form.format(NEVER))


DELETIONS: dict[str, str] = {
    "a sentence": "I deleted `{}`.",
    "passive": "`{}` has been removed.",
    "a reason after it": "Removed `{}`, which nobody imports.",
    "a heading": "## Removed\n- `{}`",
    "a status": "| File | Status |\n|---|---|\n| `{}` | deleted |",
    "a letter": "```\nD  {}\n```",
    "a mode": "```\n delete mode 100644 {}\n```",
    "got rid of": "Got rid of `{}`.",
    "German": "Ich habe `{}` gelöscht.",
    "French": "J'ai supprimé `{}`.",
    "Spanish": "He eliminado `{}`.",
}


@pytest.mark.parametrize("form", DELETIONS.values(), ids=DELETIONS)
def test_a_file_that_was_deleted_may_be_told_so(worked, form):
    assert worked.deletes("lib/gone.py").stop(form.format("lib/gone.py")) == ""


@pytest.mark.parametrize("form", DELETIONS.values(), ids=DELETIONS)
def test_one_that_is_still_there_may_not(worked, form):
    assert f'it is still there: "{KEPT}"' in worked.stop(form.format(KEPT))


NO_CLAIMS: dict[str, str] = {
    "a plan": "Next I will update `{}`.",
    "a list of plans": "## Next steps\n- Update `{}` to round\n- Delete `{}`",
    "an open box": "- [ ] Update `{}` to round",
    "an open box among changes": "## Changes\n- [ ] `{}`: rounds now",
    "an hourglass": "⏳ Update `{}`",
    "a cross": "❌ Update `{}`: the text was not found",
    "a log in a fence with other signs in it": "It printed:\n```text\n~~~\nI deleted `{}`.\n```\nThat is an old log.",
    "a page that shows fences": "The page says:\n````md\n```\nsh x\n```\nI deleted `{}`.\n````\nThat is an example.",
    "a suggestion": "You may want to update `{}` as well.",
    "a wish": "`{}` should be split some day.",
    "a question": "Shall I update `{}` too?",
    "a list after a question": "Which of these do you want changed?\n- `{}`",
    "a condition": "If you like, `{}` can be removed.",
    "a denial": "I did not update `{}`.",
    "another denial": "`{}` needed no changes.",
    "unchanged in a table": "| File | Status |\n|---|---|\n| `{}` | unchanged |",
    "planned in a table": "| File | Status |\n|---|---|\n| `{}` | planned |",
    "a look": "A look at `{}` found nothing.",
    "a finding": "## Findings\n- `{}`: rounds the wrong way",
    "a quotation": "> Updated `{}` to round.",
    "a quotation in an item": "- > Updated `{}`",
    "a comment": "<!-- Updated `{}` -->",
    "asked for": 'You asked to "update `{}`".',
    "somebody else": "The platform team changed `{}` last week.",
    "an older commit": "`{}` was already changed in commit 3d25662.",
    "what the program does": "At run time, `{}` is updated by the loader.",
    "when it does it": "When the server starts, `{}` is updated.",
    "how often": "`{}` is deleted after each run.",
    "of itself": "Note that `{}` is updated automatically.",
    "by somebody": "Every night `{}` is rewritten by the importer.",
    "how it is organised": "How it works:\n- `{}` reads the settings",
    "a failure": "I tried to update `{}`, but the text was not found.",
    "an inability": "I was unable to update `{}`.",
    "kept": "**Kept on purpose**\n- `{}`: others need it",
    "a plan in German": "Als Nächstes werde ich `{}` anpassen.",
    "a denial in German": "Ich habe `{}` nicht verändert.",
    "a plan in French": "Je vais modifier `{}` ensuite.",
    "a denial in French": "Je n'ai pas modifié `{}`.",
    "a plan in Spanish": "Después modificaré `{}`.",
    "a denial in Spanish": "No he modificado `{}`.",
}


@pytest.mark.parametrize("form", NO_CLAIMS.values(), ids=NO_CLAIMS)
def test_what_is_not_said_to_be_done_is_held_against_nobody(worked, form):
    assert worked.stop(form.format(KEPT, KEPT)) == ""


TESTS: dict[str, str] = {
    "a sentence": "All {} tests pass.",
    "a count": "{} tests passed, 0 failed.",
    "an item": "## Verification\n- `pytest -q`: {} passed",
    "a table": "| Command | Result |\n|---|---|\n| `pytest -q` | {} passed |",
    "an output": "```\n$ pytest -q\n{} passed in 0.1s\n```",
    "a label": "**Tests:** {} passed",
    "a fraction": "Tests: {0}/{0} passed.",
    "in brackets": "Ran the tests (`pytest -q`: {} passed).",
    "a green mark": "✅ `pytest -q` — {} passed",
    "German": "Alle {} Tests sind grün.",
    "French": "Les {} tests passent.",
    "Spanish": "Las {} pruebas pasan.",
}


@pytest.mark.parametrize("form", TESTS.values(), ids=TESTS)
def test_the_number_of_tests_that_was_printed_may_be_told(worked, form):
    assert worked.stop(form.format(3)) == ""


@pytest.mark.parametrize("form", TESTS.values(), ids=TESTS)
def test_another_number_may_not(worked, form):
    assert "the runner printed other counts" in worked.stop(form.format(40))


@pytest.mark.parametrize(
    "report", ["Summary\n==\n\nAll of it.", "# Summary\n\nAll of it.", "Summary\n--\n\nAll of it."]
)
def test_a_heading_of_a_report_is_one_of_any_markdown(report):
    assert Report(report).lines[0].role == "heading"
