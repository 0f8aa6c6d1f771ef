"""The words are frozen and strict: nothing wrong can be built, from JSON or from Python."""

from __future__ import annotations

import json
import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark.core.agents import Agent
from witnessmark.core.case import AgentOutput, Answer, Case, Decomposition, Evidence, Executor, Subgoal
from witnessmark.core.errors import InputError
from witnessmark.core.explain import convert
from witnessmark.core.plans.criteria import Criterion
from witnessmark.core.values import canonical, digest, full, is_json, parse, plain
from witnessmark.core.verdict import NO_USAGE, Claim, Decision, Feedback, Finding, Result, Usage, Verdict

FLOAT_FIELDS = [
    lambda x: Result(status="pass", score=x),
    lambda x: Result(status="pass", confidence=x),
    lambda x: Verdict(outcome="pass", score=x),
    lambda x: Verdict(outcome="pass", confidence=x),
    lambda x: Verdict(outcome="pass", coverage=x),
    lambda x: Usage(cost_usd=x),
    lambda x: Feedback(previous_score=x),
    lambda x: Criterion(text="a", weight=x),
    lambda x: Case(subject=Answer(text=""), executor={"cost_usd": x}),
    lambda x: Case(subject=Answer(text=""), context={"deep": [{"er": x}]}),
    lambda x: Evidence(id="e", data={"x": x}),
    lambda x: AgentOutput(confidence=x),
    lambda x: Result(status="pass", details={"x": x}),
]


@pytest.mark.parametrize("build", FLOAT_FIELDS)
@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_nan_and_infinity_cannot_be_built(build, number):
    with pytest.raises(InputError):
        build(number)


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_nan_and_infinity_cannot_be_read(text):
    with pytest.raises(InputError):
        Case.from_json(f'{{"subject": {{"kind": "answer", "text": ""}}, "context": {{"x": {text}}}}}')


@pytest.mark.parametrize(
    ("build", "complaint"),
    [
        (lambda: Case(goal=5, subject=Answer(text="")), "goal: must be a text, not a whole number"),
        (lambda: Answer(text=None), "text: must be a text, not null"),
        (
            lambda: Result(status="passed"),
            "status: 'passed' is not one of abstain, error, fail, partial, pass, skipped",
        ),
        (lambda: Result(status="pass", score=True), "score: "),
        (lambda: Result(status="pass", score=1.5), "score: "),
        (lambda: Result(status="pass", score="0.5"), "score: "),
        (lambda: Result(status="partial"), "score: a partial result says how much was met"),
        (lambda: Result(status="abstain", score=0.5), "score: status 'abstain' settled nothing"),
        (lambda: Finding(message="m", span=(5, 2)), "span: starts at 5, after its end 2"),
        (lambda: Finding(message="m", span=(-1, 2)), "span"),
        (lambda: Criterion(), "either text"),
        (lambda: Criterion(text="a", check="b"), "either text"),
        (lambda: Criterion(text="  "), "text: a criterion needs words"),
        (lambda: Case(subject=Answer(text=""), criteria=("a", " ")), "criteria[1]: a criterion needs words"),
        (lambda: Criterion(text="a", weight=-1.0), "weight: "),
        (lambda: Evidence(id="a", kind="passage", exit_code=1), "belong to 'tool_call'"),
        (lambda: Evidence(id="a", text="x", sha256="0" * 64), "sha256: is not the digest of text"),
        (lambda: Case(subject=Answer(text=""), id="a\nb"), "id: must be 1 to 512 printable"),
        (
            lambda: Case(subject=Answer(text=""), context={"complexity": "HARD"}),
            "context.complexity: 'HARD' is not one of",
        ),
        (
            lambda: Case(subject=Answer(text=""), context={"scoring_mode": "likert"}),
            "context.scoring_mode: 'likert' is not one of rubric, binary, criteria_match",
        ),
        (
            lambda: Case(subject=Answer(text=""), evidence=[{"id": "a"}, {"id": "a"}]),
            "evidence[1].id: 'a' is used twice",
        ),
    ],
)
def test_what_is_wrong_is_refused_with_its_field(build, complaint):
    with pytest.raises(InputError) as refused:
        build()
    assert complaint in str(refused.value)


def test_values_are_frozen():
    for value in (
        Answer(text="a"),
        Result(status="pass"),
        Verdict(outcome="fail"),
        Decision(action="warn", because=""),
    ):
        with pytest.raises(AttributeError):
            setattr(value, value.__struct_fields__[0], "changed")


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ({"subject": {"kind": "answer", "text": "a", "foo": 1}}, "subject.foo: unknown field"),
        ({"subject": {"kind": "answer", "text": "a"}, "gaol": ""}, "gaol: unknown field; did you mean goal?"),
        (
            {"subject": {"kind": "answer", "text": "a"}, "evidence": [{"id": "a", "txt": ""}]},
            "evidence[0].txt: unknown field",
        ),
        ({"subject": {"kind": "answr", "text": "a"}}, "subject.kind: 'answr' is not one of "),
        ({"goal": "no subject"}, "missing field `subject`"),
        ({"subject": {"kind": "answer", "text": 1}}, "subject.text: must be a text, not a whole number"),
        ({"subject": {"kind": "answer", "text": ""}, "criteria": [{"check": 1}]}, "criteria[0]"),
        (
            {"subject": {"kind": "answer", "text": ""}, "evidence": [{"id": "a", "text": "x", "sha256": "0"}]},
            "evidence[0].sha256: is not the digest of text",
        ),
    ],
)
def test_unknown_and_wrong_fields_are_refused_with_their_path(data, complaint):
    """The same complaint from JSON and from builtins."""
    for read in (lambda: Case.from_json(json.dumps(data)), lambda: Case.from_dict(data)):
        with pytest.raises(InputError) as refused:
            read()
        assert complaint in str(refused.value)


def test_python_may_give_lists_and_mappings_where_tuples_and_values_are_kept():
    case = Case(
        subject={"kind": "decomposition", "subgoals": [{"id": "a"}, Subgoal(id="b", depends_on=["a"])]},
        evidence=[Evidence(id="e"), {"id": "f"}],
        criteria=["words", {"check": "min_length", "value": 3}],
    )
    assert isinstance(case.subject, Decomposition)
    assert [goal.id for goal in case.subject.subgoals] == ["a", "b"]
    assert case.subject.subgoals[1].depends_on == ("a",)
    assert [e.id for e in case.evidence] == ["e", "f"]
    assert case.criteria == (Criterion(text="words"), Criterion(check="min_length", value=3))


def test_an_agents_output_is_read_as_it_is():
    """Its faults are for the checks to find: wrong types and missing fields do not stop the reading."""
    case = Case.from_json(b'{"subject": {"kind": "agent_output", "summary": 5, "data": null, "tools_used": "grep"}}')
    assert case.subject.present() == {"summary": 5, "data": None, "tools_used": "grep"}
    assert case.text == ""
    assert b'"data":null' in case.json()
    assert b"confidence" not in case.json()


def test_the_same_case_has_the_same_digest_however_it_was_written():
    one = Case(subject=Answer(text="ä"), criteria=["x"], context={"b": 1, "a": 2}, goal="")
    two = Case.from_json(
        b'{"context": {"a": 2, "b": 1}, "criteria": [{"text": "x", "weight": 1}],\n "evidence": [], "subject": {"text": "\\u00e4", "kind": "answer"}}'
    )
    assert one.digest() == two.digest()
    assert one.digest() != Case(subject=Answer(text="a"), criteria=["x"], context={"b": 1, "a": 2}).digest()


def test_a_lone_surrogate_is_bad_input_not_a_crash():
    with pytest.raises(InputError, match="half a character"):
        Case(subject=Answer(text="\ud800")).digest()


@pytest.mark.parametrize("wrong", [{1: "x"}, {"x": {"y": {2: 3}}}, [[math.nan]], {"x": [object()]}, {"x": b"raw"}])
def test_what_is_no_json_is_found_at_any_depth(wrong):
    assert not is_json(wrong)
    with pytest.raises(InputError):
        Result(status="pass", details=wrong if isinstance(wrong, dict) else {"x": wrong})


def test_adding_to_no_usage_keeps_an_unknown_cost_unknown():
    unknown = Usage(judge_calls=1, tokens=10, cost_usd=None)
    assert NO_USAGE + unknown == unknown == unknown + NO_USAGE
    assert (unknown + Usage(cost_usd=0.5)).cost_usd is None


def test_json_nested_without_end_is_bad_input():
    deep = "[" * 100_000
    with pytest.raises(InputError):
        Case.from_json('{"subject": {"kind": "answer", "text": ""}, "context": {"x": ' + deep)
    nested = current = []
    for _ in range(5_000):
        current.append([])
        current = current[0]
    with pytest.raises(InputError):
        Case(subject=Answer(text=""), context={"x": nested})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(
    st.dictionaries(st.text(max_size=8).filter(lambda k: k not in ("complexity", "stakes")), JSON, max_size=4),
    st.text(max_size=30),
)
def test_reading_what_was_written_gives_the_same_case(context, text):
    case = Case(subject=Answer(text=text), context=context, goal=text)
    again = Case.from_json(case.json())
    assert again == case
    assert again.digest() == case.digest()
    assert is_json(context)


@given(JSON)
def test_canonical_json_is_json_and_does_not_depend_on_the_order_of_keys(value):
    data = {"b": value, "a": value}
    assert json.loads(canonical(data)) == json.loads(canonical(dict(reversed(data.items()))))
    assert canonical(data) == canonical(dict(reversed(data.items())))
    assert digest(data) == digest(dict(reversed(data.items())))


def test_plain_shows_every_field_and_the_kind():
    shown = plain(Case(subject=Answer(text="a"), criteria=["x"]))
    assert shown["subject"] == {"kind": "answer", "text": "a"}
    (criterion,) = shown["criteria"]
    assert (criterion["text"], criterion["check"], criterion["weight"], criterion["must_pass"]) == (
        "x",
        None,
        1.0,
        None,
    )
    assert set(criterion) == set(Criterion.__struct_fields__)
    assert list(shown) == list(Case.__struct_fields__)
    assert plain(Claim(text="c", evidence=[{"id": "d"}]))["evidence"] == [{"id": "d", "span": None}]
    assert msgspec.json.encode(plain(Decision(action="warn", because="b")))


def test_usage_adds_up_and_an_unknown_price_stays_unknown():
    known = Usage(judge_calls=1, tokens=10, cost_usd=0.5) + Usage(judge_calls=2, tokens=5, cost_usd=0.25, cached=1)
    assert known == Usage(judge_calls=3, tokens=15, cost_usd=0.75, cached=1)
    assert (known + Usage(cost_usd=None)).cost_usd is None


def test_a_field_that_equals_its_default_is_the_default():
    """Two equal values have one canonical JSON, even where the default was computed anew."""
    spelled = "".join(["determin", "istic"])
    assert canonical(Result(status="pass", confidence_source=spelled)) == canonical(Result(status="pass"))
    assert canonical(Usage(cost_usd=float("0"), tokens=int("0"))) == canonical(Usage())
    assert canonical(Criterion(text="a", weight=1)) == canonical(Criterion(text="a"))


def test_a_known_name_in_the_wrong_place_is_not_offered_again():
    with pytest.raises(InputError) as refused:
        Case.from_json('{"subject": {"kind": "answer", "text": "a"}, "depends_on": []}')
    assert "depends_on: unknown field" in str(refused.value)
    assert "did you mean depends_on" not in str(refused.value)


def test_a_byte_order_mark_is_no_part_of_the_case():
    data = b'{"subject": {"kind": "answer", "text": "a"}}'
    assert Case.from_json(b"\xef\xbb\xbf" + data) == Case.from_json(data)


def test_half_a_character_is_called_so():
    with pytest.raises(InputError, match="half a character"):
        Case.from_json(b'{"subject": {"kind": "answer", "text": "\\ud800"}}')


CRITERIA = [
    [],
    ["in words", {"text": "more words", "weight": 2}],
    [{"check": "min_length", "value": 3, "id": "a"}, {"check": "not_truncated", "needs": ["a"]}],
    [{"check": "json_schema", "value": {"type": "object", "properties": {"a": {"enum": [1, 2.5, None]}}}}],
    [{"check": "contains_keywords", "value": ["a" * 9_000]}],
]


@pytest.mark.parametrize("criteria", CRITERIA)
def test_criteria_that_were_read_before_give_the_same_case(criteria):
    for text in ("one", "two"):  # the second time they are remembered
        body = json.dumps({"subject": {"kind": "answer", "text": text}, "criteria": criteria}).encode()
        read, careful = Case.from_json(body), parse(body, Case)
        assert read == careful
        assert read.json() == careful.json()
        assert read.criteria_json() == canonical(careful.criteria)


@pytest.mark.parametrize(
    ("criteria", "complaint"),
    [
        ([{"check": "a", "text": "b"}], "either text"),
        ([{"check": "min_length", "value": 3, "wieght": 2}], "criteria[0].wieght"),
        ([{"check": "a", "needs": ["nowhere"]}], "criteria[0].needs"),
        ([{"check": "a", "value": 1e400}], ""),
    ],
)
def test_wrong_criteria_are_refused_each_time(criteria, complaint):
    body = b'{"subject": {"kind": "answer", "text": "a"}, "criteria": %s}' % json.dumps(criteria).encode()
    said = []
    for _ in range(2):
        with pytest.raises(InputError) as refused:
            Case.from_json(body)
        said.append(str(refused.value))
    assert said[0] == said[1]
    assert complaint in said[0]


def test_full_json_shows_every_field_as_plain_does():
    finding = Finding(message="m", evidence=[{"id": "e", "span": [0, 1]}])
    results = [Result(status="pass", details={"b": [1], "a": None}), Result(status="fail", findings=[finding])]
    for value in (*results, Decision(action="retry", because="b", feedback=Feedback(failed=["x"]))):
        assert json.loads(msgspec.json.encode(full(value))) == json.loads(json.dumps(plain(value)))


@pytest.mark.parametrize(
    ("data", "kind", "complaint"),
    [
        ([{"name": 3}], tuple[Agent, ...], "context.agents[0].name: must be a text, not a whole number"),
        ([{"tools": []}], tuple[Agent, ...], "context.agents[0]: missing field `name`"),
        ({"name": "a"}, tuple[Agent, ...], "context.agents: must be a list, not an object"),
        ({"modle": "x"}, Executor, "context.agents.modle: unknown field; did you mean model?"),
    ],
)
def test_what_is_read_from_data_is_refused_with_its_place_in_plain_words(data, kind, complaint):
    with pytest.raises(InputError) as refused:
        convert(data, kind, "context.agents")
    assert str(refused.value) == complaint
    assert convert([{"name": "a"}], tuple[Agent, ...], "context.agents") == (Agent(name="a"),)
