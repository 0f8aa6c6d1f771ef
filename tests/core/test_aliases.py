"""A case may be written with the names people already use: the same case, the same digest, and errors in their words."""

from __future__ import annotations

import json

import pytest

from witnessmark import Case, InputError, SourceWords, WrongWords
from witnessmark.core.case import Evidence
from witnessmark.core.graph import Graph, Node
from witnessmark.core.redact import Content, redacted, redactor
from witnessmark.core.registry import ReadyCheck
from witnessmark.core.run import RunResult
from witnessmark.core.verdict import NO_USAGE, Claim, Finding, Result

OURS = {
    "goal": "When does it open?",
    "subject": {"kind": "answer", "text": "At nine."},
    "evidence": [{"id": "d1", "text": "It opens at nine."}, {"id": "d2", "text": "It closes at six."}],
    "reference": "9:00",
    "executor": {"model": "gpt-4o"},
}
TEXTS = ["It opens at nine.", "It closes at six."]


@pytest.mark.parametrize("goal", ["goal", "question", "input"])
@pytest.mark.parametrize("answer", ["answer", "output"])
@pytest.mark.parametrize("sources", ["contexts", "sources", "documents"])
@pytest.mark.parametrize("reference", ["reference", "expected", "ground_truth"])
def test_every_spelling_gives_one_digest(goal, answer, sources, reference):
    theirs = {
        goal: "When does it open?",
        answer: "At nine.",
        sources: TEXTS,
        reference: "9:00",
        "model": "gpt-4o",
    }
    digest = Case.from_dict(OURS).digest()
    assert Case.from_dict(theirs).digest() == digest
    assert Case.from_json(json.dumps(theirs)).digest() == digest
    assert Case(**theirs).digest() == digest


def test_sources_may_be_texts_and_objects_and_each_gets_an_id():
    case = Case(question="?", answer="A.", sources=["one", {"text": "two"}, {"id": "d1", "text": "three"}])
    assert [(e.id, e.text) for e in case.evidence] == [("d1_", "one"), ("d2", "two"), ("d1", "three")]
    assert Case(answer="A.", contexts="one").evidence == (Evidence(id="d1", text="one"),)


def test_a_model_joins_an_executor_that_has_none():
    assert Case(answer="A.", executor={"id": "writer"}, model="m").executor.model == "m"


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        (
            {"question": "q", "goal": "q", "answer": "A."},
            "question: is another name for goal, which is given too; leave one of the two out",
        ),
        ({"question": "q", "input": "q", "answer": "A."}, "input: means the same as question; give one of the two"),
        ({"answer": "A.", "subject": {"kind": "answer", "text": "A."}}, "answer: is another name for subject"),
        ({"answer": "A.", "sources": [], "evidence": []}, "sources: is another name for evidence"),
        ({"answer": "A.", "expected": "B", "reference": "B"}, "expected: is another name for reference"),
        ({"answer": "A.", "model": "m", "executor": {"model": "m"}}, "model: is another name for executor.model"),
        ({"answer": 5}, "answer: must be a text, not a number"),
        ({"answer": "A.", "sources": 5}, "sources: must be a list of texts or of objects with a text, not a number"),
        ({"answer": "A.", "sources": [5]}, "sources[0]: must be a text or an object with a text, not a number"),
        ({"answer": "A.", "contexts": [{"txt": "x"}]}, "contexts[0].txt: unknown field; did you mean text?"),
        (
            {"answer": "A.", "sources": [{"page_content": "x"}]},
            "sources[0].page_content: unknown field; did you mean text?",
        ),
        ({"answr": "A."}, "answr: unknown field; did you mean answer?"),
        ({"answer": "A.", "contxts": []}, "contxts: unknown field; did you mean contexts or context?"),
        (
            {"subject": {"kind": "answer", "text": "A."}, "quesion": "?"},
            "quesion: unknown field; did you mean question?",
        ),
        (
            {"subject": {"kind": "answer", "text": "A.", "summary": "S"}},
            "subject.summary: unknown field; known here: kind, text",
        ),
        ({"question": "?"}, 'missing field `subject`; an answer as text will do: "answer": "…"'),
    ],
)
def test_what_is_wrong_is_told_in_the_words_that_were_used(given, complaint):
    for read in (Case.from_dict, lambda data: Case.from_json(json.dumps(data))):
        with pytest.raises(InputError) as caught:
            read(given)
        assert complaint in str(caught.value)


def test_the_schema_knows_both_spellings_and_no_other():
    import jsonschema_rs

    from witnessmark.cli.commands.lists import json_schema

    valid = jsonschema_rs.validator_for(json_schema("case")).is_valid
    assert valid(OURS)
    assert valid({"question": "?", "answer": "A.", "sources": TEXTS, "expected": "B", "model": "m"})
    assert not valid({"question": "?"})
    assert not valid({"answr": "A."})


GRAPH = Graph("test", [Node(ReadyCheck("test", "1", "instant", {}, lambda case, prior: Result(status="pass")))])


def _run(claim, finding):
    return RunResult((Result(status="partial", score=0.5, claims=(claim,), findings=(finding,)),), NO_USAGE, {}, {})


WORDS = (WrongWords("40 % of Ann", (0, 11), SourceWords("d1", "14 % of Ann", (5, 16))),)


def test_wrong_words_are_redacted_with_the_rest_and_left_out_where_content_is():
    ran = _run(Claim("t", words=WORDS), Finding("m", words=WORDS))
    content = Content(redact=("Ann",))
    result = redacted(ran, content, redactor(content), GRAPH).results[0]
    for told in (result.claims[0].words[0], result.findings[0].words[0]):
        assert (told.text, told.closest.text) == ("40 % of [redacted]", "14 % of [redacted]")
    hidden = redacted(ran, Content(keep="digest"), None, GRAPH).results[0]
    assert hidden.claims[0].words == hidden.findings[0].words == ()


def test_half_of_a_case_is_not_json_whatever_its_first_field_is_called():
    for text in ('{"question": "When does it', '{"goal": "When does it'):
        with pytest.raises(InputError, match="not JSON"):
            Case.from_json(text)


def test_a_key_that_is_written_twice_is_refused_by_its_name():
    twice = b'{"question": "q", "answer": "Sales grew 40 %.", "answer": "Sales grew 14 %."}'
    with pytest.raises(InputError, match="answer: is given twice"):
        Case.from_json(twice)
    once = b'{"question": "q", "answer": "x", "sources": ["a \\"answer\\" and an \\"answer\\""]}'
    assert Case.from_json(once).text == "x"


def test_what_is_not_utf_8_is_told_with_its_place():
    with pytest.raises(InputError, match="not UTF-8: the byte at 16"):
        Case.from_json('{"question":"café","answer":"x"}'.encode("latin-1"))


def test_a_record_given_as_a_source_is_told_where_it_goes():
    with pytest.raises(
        InputError, match=r"sources\[0\]\.growth: unknown field; .*a record of your own goes under data"
    ):
        Case.from_dict({"question": "q", "answer": "a", "sources": [{"growth": "14 %"}]})
    with pytest.raises(InputError, match="did you mean text"):
        Case.from_dict({"question": "q", "answer": "a", "sources": [{"txt": "14 %"}]})


@pytest.mark.parametrize("given", ["1e999", "-1e999"])
def test_a_number_too_large_to_keep_is_named_and_not_the_short_spelling_beside_it(given):
    with pytest.raises(InputError, match=f"^{given}: a number this large cannot be kept"):
        Case.from_json('{"question": "x", "answer": "y", "context": {"a": %s}}' % given)  # noqa: UP031 - braces all over


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ({"evidence": ["a text"]}, "evidence[0]: must be an object, not a text; write"),
        ({"evidence": "a text"}, "evidence: must be a list, not a text; write"),
        ({"evidence": [{"text": "a text"}]}, "evidence[0]: missing field `id`; write"),
    ],
)
@pytest.mark.parametrize("build", [lambda case: Case(**case), Case.from_dict])
def test_evidence_that_is_written_otherwise_is_told_how_it_is_and_where_texts_go(build, written, told):
    with pytest.raises(InputError) as refused:
        build({"subject": {"kind": "answer", "text": "hi"}} | written)
    assert str(refused.value) == told + ' [{"id": "d1", "text": "…"}], or the texts alone as `sources`: ["…"]'


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ({"subject": "hi"}, 'subject: must be an object, not a text; write {"kind": "answer", "text": "…"}, or'),
        ({"answer": "hi", "criteria": "short"}, 'criteria: must be a list, not a text; write ["…"], or'),
        ({"answer": "hi", "executor": "gpt-4o"}, 'not a text; write {"model": "…"}'),
    ],
)
def test_a_field_that_is_written_otherwise_is_told_how_it_is(written, told):
    with pytest.raises(InputError) as refused:
        Case.from_dict(written)
    assert told in str(refused.value)


@pytest.mark.parametrize(("given", "told"), [
    ({"gaol": "x", "answer": "At nine."}, "gaol: unknown field; did you mean goal?"),
    ({"gaol": "x", "subject": OURS["subject"]}, "gaol: unknown field; did you mean goal?"),
    ({"anwser": "At nine."}, "anwser: unknown field; did you mean answer?"),
    ({"policy": {}, "answer": "At nine."}, "policy: unknown field; it belongs in context"),
    ({"goal": "When does it open?"}, "missing field `subject`; write {\"kind\": \"answer\""),
    ({}, "missing field `subject`"),
])  # fmt: skip
def test_in_python_too_a_field_that_is_unknown_or_missing_is_refused_by_its_name(given, told):
    with pytest.raises(InputError) as refused:
        Case(**given)
    assert str(refused.value).startswith(told)
