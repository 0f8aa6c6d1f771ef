"""How much one case may hold: what is more is refused with the field and the limit's name, before any check looks."""

from __future__ import annotations

import pytest

from witnessmark import Case, Verifier
from witnessmark.core.errors import InputError, UsageError
from witnessmark.core.work.inputs import InputLimits, check_inputs, looks_in_place
from witnessmark.settings import Settings


def nested_schema(levels: int) -> dict:
    """Each level looks at the level below twice: a few kB of text, two to the power of the levels of work."""
    parts = {f"l{n}": {"allOf": [{"$ref": f"#/$defs/l{n + 1}"}] * 2} for n in range(levels)}
    return {"$defs": {**parts, f"l{levels}": {"type": "object"}}, "$ref": "#/$defs/l0"}


def case(**more) -> Case:
    return Case.from_dict({"subject": {"kind": "task_output", "text": "An order."}} | more)


def asked(check: str, value) -> list:
    return [{"check": check, "value": value}]


TOO_MUCH = {
    "text_chars": {"subject": {"kind": "task_output", "text": "x" * 1_000_001}},
    "evidence": {"evidence": [{"id": str(n), "text": "t"} for n in range(5_001)]},
    "evidence_chars": {"evidence": [{"id": "a", "text": "x" * 8_000_001}]},
    "claims": {"subject": {"kind": "agent_output", "summary": "s", "claims": [{}] * 5_001}},
    "items": {"subject": {"kind": "discussion", "messages": [{"id": "m", "speaker": "s", "text": "t"}] * 10_001}},
    "criteria": {"criteria": asked("not_empty", None) * 201},
    "criterion_chars": {"criteria": asked("contains", "a" * 100_001)},
    "criteria_bytes": {"criteria": asked("contains", "x" * 2_000) * 150},
    "pattern_chars": {"criteria": asked("format_regex", "(a|b|c)*" * 1_000) * 3},
    "keywords": {"criteria": asked("contains_keywords", [f"word{n}" for n in range(20_000)])},
    "schema_bytes": {"criteria": asked("json_schema", {"description": "x" * 100_001})},
    "schema_steps": {"criteria": asked("json_schema", nested_schema(40))},
    "policy_bytes": {"context": {"policy": {"layers": {"a": "x" * 20_001}}}},
    "context_bytes": {"context": {"notes": [[]] * 400_000}},
}


@pytest.mark.parametrize("limit", TOO_MUCH)
def test_what_is_more_than_a_limit_is_refused_by_its_name(limit):
    with pytest.raises(InputError, match=rf"limit `inputs\.{limit}` allows"):
        Verifier().verify_sync(case(**TOO_MUCH[limit]))


BY_NAME = {
    "criterion_chars": {"check": "contains", "options": {"any": "a" * 100_001}},
    "pattern_chars": {"check": "format_regex", "options": {"pattern": "(a|b|c)*" * 3_000}},
    "keywords": {"check": "contains_keywords", "options": {"keywords": ["w"] * 20_000}},
    "schema_bytes": {"check": "json_schema", "options": {"schema": {"description": "x" * 100_001}}},
    "schema_steps": {"check": "not", "options": {"check": "json_schema", "options": {"schema": nested_schema(40)}}},
}


@pytest.mark.parametrize("limit", BY_NAME)
def test_options_by_name_and_inside_an_opposite_are_held_to_the_same_limits(limit):
    with pytest.raises(InputError, match=rf"limit `inputs\.{limit}` allows"):
        Verifier().verify_sync(case(criteria=[BY_NAME[limit]]))


def test_criteria_that_were_within_one_set_of_limits_are_looked_at_under_another():
    many = case(criteria=asked("contains_keywords", ["a", "b", "c"]))
    check_inputs(many, InputLimits())
    with pytest.raises(InputError, match=r"inputs\.keywords"):
        check_inputs(many, InputLimits(keywords=2))


def test_an_opposite_of_opposites_without_end_is_refused():
    inner: dict = {"check": "contains", "value": "x"}
    for _ in range(20):
        inner = {"check": "not", "value": inner}
    with pytest.raises(InputError, match="the opposite of an opposite"):
        check_inputs(case(criteria=[inner]), InputLimits())


def test_a_schema_that_is_too_deep_is_refused():
    schema: dict = {"type": "object"}
    for _ in range(70):
        schema = {"items": schema}
    with pytest.raises(InputError, match=r"inputs\.schema_depth"):
        check_inputs(case(criteria=asked("json_schema", schema)), InputLimits())


def test_a_limit_can_be_set_and_zero_is_without_limit():
    long = case(subject={"kind": "task_output", "text": "x" * 101}, criteria=asked("min_length", 5))
    with pytest.raises(InputError, match="101 characters are more than the 100"):
        Verifier(Settings(inputs={"text_chars": 100})).verify_sync(long)
    assert Verifier(Settings(inputs={"text_chars": 0})).verify_sync(long).outcome == "pass"


def test_a_schema_turned_round_is_held_to_the_same_limits():
    inner = {"check": "json_schema", "value": nested_schema(40)}
    with pytest.raises(InputError, match=r"inputs\.schema_steps"):
        check_inputs(case(criteria=asked("not", inner)), InputLimits())


def test_recursion_into_parts_of_a_value_is_no_repeated_look_at_it():
    tree = {"type": "object", "properties": {"children": {"items": {"$ref": "#"}}}}
    assert looks_in_place(tree, 1_000) == 2
    assert looks_in_place(nested_schema(5), 1_000) > 2**5
    assert looks_in_place({"anyOf": [{"$ref": "#"}]}, 1_000) == 1_001, "a circle looks without end"


@pytest.mark.parametrize("where", ["weight", "policy"])
def test_a_weight_that_no_sum_can_hold_is_refused(where):
    heavy = {"check": "not_empty", "weight": 1e308} if where == "weight" else {"check": "not_empty"}
    context = {"policy": {"weights": {"not_empty": 1e308}}} if where == "policy" else {}
    with pytest.raises(UsageError, match=r"weight.*of at most 1,000,000"):
        Verifier().verify_sync(case(criteria=[heavy], context=context))


@pytest.mark.parametrize("given", [{"answer": "Paris.", "sources": ["Paris is the capital."]}, "Paris.", None])
def test_what_is_no_case_is_refused_with_the_way_to_make_one(given):
    with pytest.raises(InputError, match=r"a case is needed, not a \w+: Case\.from_dict"):
        Verifier().verify_sync(given)
