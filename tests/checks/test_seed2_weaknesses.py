"""Weaknesses of the second predecessor that concern deterministic checks: each one named, each one shown not to be ours."""

from __future__ import annotations

import pytest

from witnessmark import Case, Verifier


def look(text, check, value=None, **more):
    criterion = {"check": check, **({} if value is None else {"value": value}), **more}
    record = Verifier().verify_sync(Case(subject={"kind": "task_output", "text": text}, criteria=[criterion]))
    return record, next(result for result in record.results if result.check == check)


@pytest.mark.parametrize(
    "heading",
    [
        "# Findings",
        "###### Findings",
        "## findings:",
        "## 2. Findings",
        "**Findings**",
        "Findings\n===",
        "<h2>Findings</h2>",
    ],
)
def test_seed2_weakness_01_required_sections_finds_real_headings(heading):
    """The f-string turned {1,6} into a tuple, so that no heading ever matched."""
    record, result = look(f"Intro.\n\n{heading}\n\nThree gaps were found.", "required_sections", ["Findings"])
    assert result.status == "pass"
    assert record.outcome == "pass"  # req: S2-027


@pytest.mark.parametrize(
    "text", ["No Findings here, only prose.", "```\n# Findings\n```\nprose", "The Findings section was dropped."]
)
def test_seed2_weakness_01_a_word_in_prose_is_no_section(text):
    """It fell back to a substring anywhere in the text."""
    assert look(text, "required_sections", ["Findings"])[1].status == "fail"


def test_seed2_weakness_03_an_unknown_check_is_an_error_and_never_skipped():
    """A typo in a must-pass criterion was a warning, and the task passed."""
    record, result = look("Anything.", "requird_sections", ["Findings"], must_pass=True)
    assert (result.status, result.cause) == ("error", "check_missing")
    assert record.outcome == "unverified"  # req: S2-093
    assert "required_sections" in result.reason, "the name that was meant is offered"


@pytest.mark.parametrize(("text", "status"), [
    ('{"n": true}', "fail"), ('{"n": 1}', "pass"), ('{"n": "1"}', "fail"), ('```json\n{"n": 1}\n```', "pass"),
    ('{"n": 1, "inner": {"deep": ["x", 2]}}', "fail"), ('{"n": 1, "inner": {"deep": ["x", "y"]}}', "pass"), ("not json", "fail"),
])  # fmt: skip
def test_seed2_weakness_10_json_schema_looks_at_every_level(text, status):
    """Only the top level was looked at, True passed as an integer, and fenced JSON failed."""
    deep = {"type": "object", "properties": {"deep": {"type": "array", "items": {"type": "string"}}}}
    schema = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}, "inner": deep}}
    assert look(text, "json_schema", schema)[1].status == status


@pytest.mark.parametrize(("text", "value", "status"), [
    ("No link at all.", {"min": 1}, "fail"),
    ("No link at all.", None, "abstain"),
    ("See https://example.org/a.", {"min": 1}, "pass"),
    ("See https://example.org/a.", {"min": 2}, "fail"),
    ("See http://nowhere", {"min": 1}, "fail"),
])  # fmt: skip
def test_seed2_weakness_13_required_urls_must_be_there(text, value, status):
    """A text without any URL passed even where URLs were required."""
    assert look(text, "url_valid", value)[1].status == status
