"""What a plan takes for granted against what the evidence shows: names found, and nothing said where nothing can be told."""

from __future__ import annotations

import pytest

from witnessmark.checks.plan.names import names
from witnessmark.core.case import Case
from witnessmark.core.registry import ready

CODE = [
    {
        "id": "c1",
        "kind": "code",
        "origin": "src/auth.py",
        "text": "def validate_jwt(token): ...\nclass UserService: ...",
    }
]


def case(*descriptions, evidence=CODE, goal="", **context):
    listed = [{"id": f"sg{n}", "description": d} for n, d in enumerate(descriptions, start=1)]
    return Case(goal=goal, subject={"kind": "decomposition", "subgoals": listed}, evidence=evidence, context=context)


def look(*descriptions, **more):
    return ready("plan_groundedness")(case(*descriptions, **more), {})


@pytest.mark.parametrize(
    "text",
    [
        "Extend existing JWT validation in auth.py", "Read src/auth.py", "Call validate_jwt() on every request", "Reuse the validate_jwt function",
        "Refactor the UserService class", "Use `validate_jwt` for the check",
    ],
)  # fmt: skip
def test_what_the_evidence_shows_is_grounded(text):
    result = look(text)
    assert (result.status, result.score) == ("pass", 1.0)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Extend the parser in legacy/ghost.py", "legacy/ghost.py"), ("Call reconcile_all() before saving", "reconcile_all"),
        ("Follow the pattern of other/auth.py", "other/auth.py"), ("Fix the rotateKeys method", "rotateKeys"), ("Write tests for ghost.py", "ghost.py"),
        ("Document the existing ghost.py", "ghost.py"), ("Reuse the helper normalize_rows to clean up", "normalize_rows"),
    ],
)  # fmt: skip
def test_what_it_does_not_show_is_told_with_its_subgoal(text, name):
    result = look(text)
    assert result.status == "fail"
    assert [(f.category, f.quote) for f in result.findings] == [("unfounded_name", f"sg1: {name}")]


@pytest.mark.parametrize(
    "text",
    [
        "Create oauth.py with the new flow", "Write a migration in db/0042_add_tokens.sql", "Add regression tests in tests/test_auth.py", "Save the figures to results.csv",
        "Implement refresh_token() and rotate_key()", "Add a new file limits.yaml", "Add a column (new file migrations/7_uuid.sql)", "Convert the list into report.md", "Generate docs/api.md", "Use Node.js for the server",
        "Call print() and len() only where needed", "Parse it with json.loads()", "Design the schema with an email_verified field", "Weigh 1.5 kg of flour, e.g. spelt",
    ],
)  # fmt: skip
def test_what_the_plan_makes_itself_is_not_assumed(text):
    assert look(text).status == "abstain", text


def test_what_one_subgoal_makes_another_may_use():
    assert look("Create oauth.py", "Run the checks of oauth.py").status == "abstain"


def test_what_the_person_named_is_not_the_plans_invention():
    assert look("Read notes.md", goal="Sum up notes.md").score == 1.0


def test_the_score_is_the_share_of_names_that_are_there():
    result = look("Read auth.py", "Read ghost.py", "Read auth.py again and validate_jwt()", "Think")
    assert (result.score, result.details["looked_at"]) == (0.75, 4)


def test_without_code_or_files_among_the_evidence_absence_means_nothing():
    passage = [{"id": "p", "kind": "passage", "text": "Rivers carry water."}]
    assert look("Read ghost.py", evidence=passage).cause == "undecided"
    assert look("Read ghost.py", evidence=[]).cause == "no_evidence"


def test_a_listing_by_a_tool_shows_files_but_no_functions():
    listing = [{"id": "t", "kind": "tool_call", "name": "ls", "output": "auth.py models.py"}]
    assert look("Read models.py", evidence=listing).score == 1.0
    assert look("Read ghost.py", evidence=listing).score == 0.0
    assert look("Call reconcile_all()", evidence=listing).status == "abstain"


def test_an_unknown_agent_is_told_here_too():
    listed = [{"id": "a", "description": "Read auth.py", "agent": "stranger"}]
    made = Case(subject={"kind": "decomposition", "subgoals": listed}, evidence=CODE, context={"agents": []})
    result = ready("plan_groundedness")(made, {})
    assert [f.quote for f in result.findings] == ["a: stranger"]  # req: S0-025


def test_the_text_may_be_long_and_odd():
    for part in ("`", "(", "a.", "a_", "a/", "x(", "function ", "Call f() and "):
        found = list(names(case(part * 40_000).subject))
        assert len(found) <= 40_000


@pytest.mark.parametrize(
    "text",
    [
        "Load the rows with pandas.read_csv() and parse the column with to_datetime()", "Plot it with matplotlib and call savefig()",
        "Create app/ratelimit.py with a token bucket class TokenBucket", "Write tests for validate_jwt() in tests/test_billing.py",
    ],
)  # fmt: skip
def test_a_function_beside_its_library_and_what_a_new_file_is_made_with_are_not_assumed(text):
    assert look(text).findings == ()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Parse the column with to_datetime()", "to_datetime"), ("Create app/ratelimit.py with the class TokenBucket", "TokenBucket"),
        ("Run the tests in tests/test_billing.py", "tests/test_billing.py"), ("Write a report for the owner of ghost.py", "ghost.py"),
    ],
)  # fmt: skip
def test_the_same_words_without_library_or_as_something_known_are(text, name):
    assert [finding.quote for finding in look(text).findings] == [f"sg1: {name}"]


def test_a_file_of_data_shows_no_code():
    sensors = {"id": "f", "kind": "file", "origin": "sensors.csv", "text": "ts,temp\n2024-01-01,4.1\n"}
    assert look("Call load_all() on sensors.csv", evidence=[sensors]).findings == ()
    assert look("Call load_all() on sensors.csv", evidence=[sensors, *CODE]).findings != ()


def test_the_verb_of_a_sentence_is_found_past_a_word_cut_short():
    assert [use.use for use in names(case("Create the helpers, e.g. a short parse_rows()").subject)] == ["made"]
