"""Names in code that a report says were worked on: which it names so, in every place where agents put them, and what becomes of the claim.

Such a claim is borne out by the changes or stays open; it never stops anybody.
"""

from __future__ import annotations

import json

import pytest

from witnessmark import Case, Verifier
from witnessmark.actions.claims.collect import in_words
from witnessmark.actions.report.report import Report
from witnessmark.actions.trace.reader import read_trace
from witnessmark.actions.tree.view import TreeState


def named(report: str) -> set[str]:
    """Every name in code that a claim about content has."""
    claims = [claim for claim in in_words(Report(report)) if claim.kind == "content"]
    return {name.strip('`"').partition("(")[0] for one in claims for name in (*one.names, one.value, one.old) if name}


TOLD: dict[str, tuple[str, set[str]]] = {
    "a verb and its object": ("Refactored `parse_date` to use the zone.", {"parse_date"}),
    "several objects": ("Updated `open_door`, `close_door` and `lock_door` to log.", {"open_door", "close_door", "lock_door"}),
    "what it was swapped for": ("Replaced `time.sleep` with `clock.wait`.", {"time.sleep", "clock.wait"}),
    "where it was done": ("Fixed the rounding in `total_of`.", {"total_of"}),
    "the passive": ("`total_of` was rewritten to round once.", {"total_of"}),
    "now": ("`total_of` now rounds once.", {"total_of"}),
    "now, after a bracket": ("`total_of` (line 7) now rounds once.", {"total_of"}),
    "the change as subject": ("The fix adds `round_once` to the end.", {"round_once"}),
    "in brackets": ("Removed the old types (`Coin`, `Note`) from the till.", {"Coin", "Note"}),
    "in quotes": ('Added the "Rounding" section to the guide.', {"Rounding"}),
    "items under a title": ("**Changed:**\n- `total_of` — rounds once\n- `tax_of` — rounds once", {"total_of", "tax_of"}),
    "items under a lead-in": ("Functions that I changed:\n\n- `total_of()`\n- `tax_of()`", {"total_of", "tax_of"}),
    "items of a file": ("### `till.py`\n\n- `total_of()`: rounds once", {"total_of"}),
    "nouns with names in brackets": ("**Removed:**\n- Money types (`Coin`, `Note`)", {"Coin", "Note"}),
    "nouns with their place": ("**Changes:**\n- Early return in `total_of`", {"total_of"}),
    "a label": ("Changed functions: `total_of`, `tax_of`", {"total_of", "tax_of"}),
    "behind the file": ("- `till.py`: `total_of` rounds once", {"total_of"}),
    "in the file's name": ("- `till.py:total_of` - rounds once", {"total_of"}),
    "in the line of a file": ("**`till.py`** — Added rounding. Helpers: `total_of()`, `tax_of()`.", {"total_of", "tax_of"}),
    "from old to new": ("**Renames:**\n- `total` → `total_of`", {"total", "total_of"}),
    "a table": ("| Function | Change |\n|---|---|\n| `total_of` | rounds once |", {"total_of"}),
    "an imperative under a title": ("## Changes\n\n- Inline `total_of`", {"total_of"}),
}  # fmt: skip


@pytest.mark.parametrize("place", TOLD)
def test_a_name_that_is_said_to_be_worked_on_is_claimed(place):
    report, names = TOLD[place]
    assert named(report) == names


NOT_TOLD: dict[str, str] = {
    "a plan": "Next steps:\n- Refactor `total_of`",
    "a denial": "I did not change `total_of`.",
    "a suggestion": "You could replace `total_of` with `sum`.",
    "somebody else": "Main had refactored `total_of` in the meantime.",
    "a description": "`total_of` rounds once.",
    "what a change is explained with": "- Reworked `the_guard` so that it knows both signs:\n  - `plus` is kept\n  - `minus` is dropped",
    "a command": "**Changes:**\n- `npm test` passes",
    "a commit": "**Changes:**\n- `1a2b3c4d` fixed it",
    "to do something": "Fixed the till to use `Decimal`.",
    "a review of files": "I reviewed the shop.\n\n`till.py` — `total_of()` rounds once.",
    "the title of a fault": "**The fault in `total_of`** (`till.py`):\n- it rounds twice",
    "a list of what there is": "The till always contains these when it is created by the shop:\n- `coin`",
}


@pytest.mark.parametrize("place", NOT_TOLD)
def test_a_name_that_is_only_mentioned_is_no_claim(place):
    claims = [claim for claim in in_words(Report(NOT_TOLD[place])) if claim.role == "names"]
    assert [name for claim in claims for name in claim.names if name != "the_guard"] == []


def test_each_name_is_claimed_once_where_its_words_stand():
    report = Report("Added `round_once`.\n\nReworked `total_of` and `tax_of` for it.")
    (claim,) = (one for one in in_words(report) if one.role == "names")
    assert claim.names == ("total_of", "tax_of")
    assert report.text[slice(*claim.span)] == "Reworked `total_of` and `tax_of`"


@pytest.fixture
def till(session):
    """A session in which one of two functions was changed."""
    code = "def total_of(x):\n    return x\n\n\ndef tax_of(x):\n    return x\n"
    return session.has("till.py", code).begins().edits("till.py", "return x\n\n", "return round(x)\n\n")


@pytest.mark.parametrize("name", ["total_of", "tax_of", "never_there"])
def test_nobody_is_stopped_for_a_name_that_the_changes_do_not_show(till, name):
    assert till.stop(f"Reworked `{name}` so that it rounds.") == ""


@pytest.mark.parametrize(("name", "outcome"), [("total_of", "pass"), ("never_there", "unverified")])
def test_a_name_is_borne_out_by_the_changed_file_that_has_it_and_open_otherwise(till, name, outcome):
    trace = read_trace("\n".join(map(json.dumps, till.items)).encode(), "t1").trace
    told = {"kind": "agent_output", "summary": f"Reworked `{name}` so that it rounds.", "traceRef": "trace:t1"}
    world = TreeState(root=till.root, traces={"t1": trace})
    record = Verifier(services={"world": world}).verify_sync(Case(subject=told, checkpoint="actions"))
    assert record.outcome == outcome
