"""JSON against a schema: plain or fenced, all errors with their paths, nothing fetched, nothing hangs."""

from __future__ import annotations

import pytest

from witnessmark.core.case import Case
from witnessmark.core.errors import InputError
from witnessmark.core.registry import ready

ORDER = {
    "type": "object",
    "required": ["id", "items"],
    "properties": {"id": {"type": "integer"}, "items": {"type": "array", "minItems": 1, "items": {"type": "object", "required": ["sku"], "properties": {"sku": {"type": "string"}}}}},
}  # fmt: skip
GOOD = '{"id": 1, "items": [{"sku": "a"}]}'


def look(schema, text):
    return ready("json_schema", schema)(Case(subject={"kind": "task_output", "text": text}), {})


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"  {GOOD}\n",
        f"```json\n{GOOD}\n```",
        f"Here you are:\n\n```json\n{GOOD}\n```\nDone.",
        f"```\n{GOOD}\n```",
        f"~~~JSON\n{GOOD}\n~~~",
        f"```python\nx=1\n```\n```json\n{GOOD}\n```",
    ],
)
def test_plain_and_fenced_json_fit(text):
    """Seed 2, weakness 10: fenced JSON failed."""
    assert look(ORDER, text).status == "pass"


def test_a_boolean_is_not_an_integer():
    """Seed 2, weakness 10: True passed as an integer."""
    assert look(ORDER, '{"id": true, "items": [{"sku": "a"}]}').status == "fail"


def test_all_errors_come_with_their_paths():
    found = look(ORDER, '{"id": "x", "items": [{"sku": "a"}, {}, {"sku": 3}]}').findings
    assert [f.message for f in found] == [
        '$.id: the value is not of type "integer"',
        '$.items[1]: "sku" is a required property',
        '$.items[2].sku: the value is not of type "string"',
    ]
    assert {f.category for f in found} == {"schema_mismatch"}  # req: S3-031
    assert found[0].suggestion == "Make $.id fit $.properties.id.type of the schema."


def test_values_of_the_output_stay_out_of_the_messages():
    found = look({"type": "integer"}, '"secret-canary"').findings
    assert "canary" not in "".join(f.message + (f.suggestion or "") for f in found)


@pytest.mark.parametrize(
    "text",
    [
        "no json",
        "",
        "{",
        '{"id": 1,}',
        "```json\n{\n```",
        f"{GOOD}\n{GOOD}",
        f"```json\n{GOOD}\n```\n```json\n{GOOD}\n```",
        "NaN",
        "[" * 5000,
    ],
)
def test_no_json_or_several_is_a_failure(text):
    result = look(ORDER, text)
    assert (result.status, result.findings[0].category) == ("fail", "schema_mismatch")


def test_an_agents_output_is_judged_by_its_data():
    check = ready("json_schema", ORDER)
    assert (
        check(Case(subject={"kind": "agent_output", "data": {"id": 1, "items": [{"sku": "a"}]}}), {}).status == "pass"
    )
    assert (
        check(Case(subject={"kind": "agent_output", "summary": "x"}), {}).reason
        == "no JSON to check against the schema: the output has no data"
    )


def test_a_schema_elsewhere_is_never_fetched():
    with pytest.raises(InputError, match="cannot be used here|not a JSON Schema"):
        ready("json_schema", {"$ref": "http://127.0.0.1:9/schema.json"})


def test_patterns_of_a_schema_cannot_hang():
    assert look({"type": "string", "pattern": "^(a+)+$"}, '"' + "a" * 30_000 + '!"').status == "fail"
    look({"type": "string", "pattern": "^(?=.*[0-9])(?=.*[a-z]).{8,}$"}, '"' + "a" * 30_000 + '"')


def test_patterns_with_look_ahead_still_work():
    schema = {"type": "string", "pattern": "^(?=.*[0-9])[a-z0-9]{3,}$"}
    assert look(schema, '"abc1"').status == "pass"
    assert look(schema, '"abcd"').status == "fail"


def test_a_thousand_errors_are_counted_and_the_first_fifty_shown():
    result = look({"type": "array", "items": {"type": "string"}}, str(list(range(1000))))
    assert result.reason.startswith("1000 schema errors")
    assert len(result.findings) == 51


@pytest.mark.parametrize("schema", [{"propertis": {"n": {"type": "integer"}}}, {"schema": {"type": "object"}}])
def test_a_schema_whose_words_nobody_knows_is_refused_since_everything_would_fit_it(schema):
    with pytest.raises(InputError, match="asks for nothing: '(propertis|schema)' is no word of JSON Schema"):
        look(schema, "[1]")


@pytest.mark.parametrize("schema", [{}, True, {"title": "anything"}, {"$defs": {}, "x-note": 1, "type": "array"}])
def test_a_schema_may_ask_for_nothing_on_purpose_and_hold_words_of_others_beside_its_own(schema):
    assert look(schema, "[1]").status == "pass"
