"""Work that is told in the imperative or the present, and what only looks like it."""

from __future__ import annotations

import pytest

from witnessmark.actions.claims.collect import in_words
from witnessmark.actions.report.report import Report
from witnessmark.actions.report.tense import in_past_tense

DONE = {
    "Add `a.py` and remove `b.py`.": "Added `a.py` and removed `b.py`.",
    "- Bump `T` to 120\n- [x] Drop the old loader": "- Bumped `T` to 120\n- [x] Dropped the old loader",
    "This PR adds a `f()` to `a.py`.": "Added a `f()` to `a.py`.",
    "Introduces `f` in `a.py`. This change also removes `b`, renames the loader.": "Introduced `f` in `a.py`. Removed `b`, renamed the loader.",
    "feat(core): add `x.py`": "added `x.py`",
    "Write tests for `x`": "Wrote tests for `x`",
    "Adds `x.py` so that callers may retry.": "Added `x.py` so that callers may retry.",
}


@pytest.mark.parametrize(("text", "done"), DONE.items(), ids=DONE)
def test_work_is_told_as_done(text: str, done: str) -> None:
    assert in_past_tense(Report(text), everywhere=True).report.text == done


NOT_DONE = [
    "Update your config after merging.",
    "Please add `x.py`.",
    "## How to test\n1. Add a key to `x.py`",
    "## Next steps\n- Remove `b.py`",
    "Follow-ups:\n- Remove `b.py`",
    "- [ ] Add `x.py`",
    "Change of plan: nothing.",
    "Fix for #12",
    "Output files are in `out`.",
    "Run `pytest -q`.",
    "Do not add `x.py`.",
    "```\nadd `x.py`\n```",
]


@pytest.mark.parametrize("text", NOT_DONE)
def test_what_asks_plans_or_names_a_thing_stays_as_it_is(text: str) -> None:
    assert in_past_tense(Report(text), everywhere=True).report.text == text


def test_in_a_report_only_lists_of_changes_tell_work_so() -> None:
    assert in_past_tense(Report("Add `x.py` to the path.")).report.text == "Add `x.py` to the path."
    assert (
        in_past_tense(Report("## Changes\n- Add `f()` to `x.py`")).report.text == "## Changes\n- Added `f()` to `x.py`"
    )


@pytest.mark.parametrize("text", ["Add `a.py`, drop the `b.py` and bump the `c` to 3.", "This PR renames `a.py`."])
def test_each_place_is_where_it_was_in_the_text(text: str) -> None:
    done = in_past_tense(Report(text), everywhere=True)
    at = done.report.text.index("`")
    while at >= 0:
        end = done.report.text.index("`", at + 1) + 1
        assert text[slice(*done.before((at, end)))] == done.report.text[at:end]
        at = done.report.text.find("`", end)


def test_a_claim_has_its_place_in_the_report_as_it_was_written() -> None:
    report = "## Changes\n- Add `f()` to `x.py`\n- Remove `g()` from `y.py`"
    spans = [claim.span for claim in in_words(Report(report)) if claim.path == "y.py" and claim.span]
    assert spans
    assert all(report[slice(*span)].startswith("Remove `g()`") for span in spans)
