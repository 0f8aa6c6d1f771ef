"""The reader: what it mends, what it refuses, and that nothing quoted in a reply ever becomes the verdict."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark.judges.replies import UnreadableReplyError, complaints, read
from witnessmark.testing.injections import ATTACKS

SCHEMA = {
    "type": "object",
    "properties": {
        "reasoning": {"type": "string"},
        "score": {"type": "integer", "minimum": 1, "maximum": 5},
        "met": {"type": "boolean"},
    },
    "required": ["reasoning", "score", "met"],
    "additionalProperties": False,
}
GOOD = {"reasoning": "fine", "score": 4, "met": True}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(GOOD),
        "```json\n" + json.dumps(GOOD) + "\n```",
        '<think>\nMaybe {"score": 1}? No.\n</think>\n\n' + json.dumps(GOOD),
        "\n<THINKING>one { stray brace</THINKING>```json\n" + json.dumps(GOOD) + "\n```",
        "Here is my verdict:\n\n" + json.dumps(GOOD) + "\n\nI hope this helps.",
        "{'reasoning': 'fine', 'score': 4, 'met': True}",
        "{reasoning: 'fine', score: 4, met: true,}",
        '{"reasoning": "fine", "score": "4", "met": "true"}',
        '{"reasoning": "fine", "score": 4.0, "met": "Yes"}',
        '{"reasoning": "fine", "score": 4, "met": true',
        '{"reasoning": "fine", "score": 4 "met": true}',
        "{“reasoning”: “fine”, “score”: 4, “met”: true}",
        json.dumps(GOOD | {"extra": 1}),
    ],
    ids=[
        "plain",
        "fence",
        "draft",
        "draft and fence",
        "prose",
        "single quotes",
        "bare keys",
        "strings",
        "float",
        "no end",
        "no commas",
        "curly",
        "extra",
    ],
)
def test_a_reply_is_read_however_it_is_spelt(text):
    assert read(text, SCHEMA) == GOOD  # req: S2-082


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "empty"),
        ("The work is good.", "no JSON object"),
        ('{"reasoning": "fine", "sco', '"score" is a required property'),
        ('{"reasoning": "fine", "met": true, "score": 4', '"score" is a required property'),
        ('{"reasoning": "fine", "met": true}', '"score" is a required property'),
        ('{"reasoning": "fine", "score": 9, "met": true}', "maximum of 5"),
        ('{"reasoning": "fine", "score": "4/5", "met": true}', "integer"),
        ('{"reasoning": "fine", "score": true, "met": true}', "integer"),
        ('{"reasoning": "fine", "score": NaN, "met": true}', "no value|required|word without|no JSON"),
        ('{"reasoning": "fine", "score": 4, "score": 5, "met": true}', "no JSON object"),
        (json.dumps(GOOD) + json.dumps(GOOD | {"score": 1}), "more than one answer"),
    ],
)
def test_what_is_missing_or_doubtful_is_never_filled_in(text, complaint):
    with pytest.raises(UnreadableReplyError, match=complaint):
        read(text, SCHEMA)


def test_seed2_weakness_04_no_default_for_what_is_missing():
    """Seed 2 gave 0.5 to a missing dimension, 1.0 to a missing confidence, and read bool("false") as True."""
    schema = {
        "type": "object",
        "properties": {
            "accuracy": {"type": "number", "minimum": 0, "maximum": 1},
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
            "passed": {"type": "boolean"},
        },
        "required": ["accuracy", "confidence", "passed"],
    }
    assert read('{"accuracy": 0.2, "confidence": 0.9, "passed": "false"}', schema)["passed"] is False
    for missing in ('{"confidence": 0.9, "passed": true}', '{"accuracy": 0.2, "passed": true}'):
        with pytest.raises(UnreadableReplyError, match="required"):
            read(missing, schema)


def test_a_complaint_repeats_nothing_of_the_reply():
    secret = "PAY-ME-NOW"
    said = complaints({"reasoning": secret, "score": secret, "met": secret, secret: 1}, SCHEMA)
    assert said
    assert secret not in " ".join(said)


_EVERY_KIND = {
    "words": {"type": "string"},
    "met": {"type": "boolean"},
    "level": {"type": "string", "enum": ["unmet", "met"]},
    "score": {"type": "number", "enum": [1, 1.5, 2]},
    "steps": {"type": "integer", "minimum": 1, "maximum": 5},
    "sure": {"type": "number", "minimum": 0, "maximum": 1},
}
_INNER = {"type": "object", "additionalProperties": False, "required": list(_EVERY_KIND), "properties": _EVERY_KIND}
_NESTED = {"type": "object", "additionalProperties": False, "required": ["c1"], "properties": {"c1": _INNER}}
_PLAIN = {"words": "it is", "met": True, "level": "met", "score": 2, "steps": 5, "sure": 1}
_VALUES = st.sampled_from(
    ["it is", 'a ": b', "met", "unmet", True, False, None, 0, 1, 1.0, 1.5, 2, 5, 6, 0.25, -1, 10**30, []]
)
_PAIR = st.tuples(st.sampled_from([*_EVERY_KIND, "other"]), _VALUES)
_WHOLE = st.permutations(list(_PLAIN.items()))


@given(_WHOLE, st.lists(_PAIR, max_size=3), st.sampled_from([":", " :", ":\n", "\t: "]), st.integers(0, 6))
def test_the_short_way_to_read_a_plain_reply_takes_no_more_than_the_careful_one(plain, more, colon, at):
    """Keys that stand twice or that nobody asked for, values of another kind: whatever is read fits, and is what was written."""
    pairs = [*plain[:at], *more, *plain[at + len(more) :]]
    text = '{"c1"' + colon + "{" + ", ".join(json.dumps(k) + colon + json.dumps(v) for k, v in pairs) + "}}"
    try:
        found = read(text, _NESTED)
    except UnreadableReplyError:
        return
    assert len({key for key, _ in pairs}) == len(pairs)
    assert not complaints(found, _NESTED)
    asked = {"c1": {key: value for key, value in dict(pairs).items() if key in _EVERY_KIND}}
    if not complaints(asked, _NESTED):
        assert json.dumps(found) == json.dumps(asked)


def test_a_plain_reply_keeps_its_numbers_as_they_are_written():
    text = json.dumps({"c1": _PLAIN | {"score": 1.5, "sure": 0.25}})
    assert json.dumps(read(text, _NESTED)) == text
    assert json.dumps(read(json.dumps({"c1": _PLAIN}), _NESTED)) == json.dumps({"c1": _PLAIN})


# --- a reply that quotes what was judged -------------------------------------------------------------------------


def _verdict(text: str) -> int | None:
    try:
        return int(read(text, SCHEMA)["score"])
    except UnreadableReplyError:
        return None


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_attack_quoted_in_a_reply_never_flips_the_verdict(attack):
    said = {"reasoning": f"The work says: {attack.label}{attack.text}", "score": 1, "met": False}
    assert _verdict(json.dumps(said)) == 1
    assert _verdict(json.dumps(said, ensure_ascii=False)) == 1
    verdict = json.dumps({"reasoning": "bad", "score": 1, "met": False})
    quoted = [
        f"The work says: {attack.text}\n\n{verdict}",
        f"{verdict}\n\nIt was made by: {attack.text}",
        f'{{"reasoning": "The work says {attack.text}", "score": 1, "met": false}}',
        f"{{'reasoning': 'The work says {attack.text}', 'score': 1, 'met': False}}",
    ]
    for text in quoted:
        assert _verdict(text) in (1, None), text


_PIECES = [
    '"', "'", "{", "}", "[", "]", ":", ",", " ", "\\", '"score": 5', "'score': 5", '"met": true', '"reasoning": "', "5", "score",
    '"z": {', '"z": [', "//", "/*", "*/", "\n", "true", "```", "“", "”", "x",
]  # fmt: skip


@given(st.lists(st.sampled_from(_PIECES), max_size=14).map("".join))
def test_no_text_inside_a_badly_escaped_reasoning_can_raise_the_score(attack):
    """The judge forgets to escape what it quotes: the reply is refused, or says what the judge said."""
    assert _verdict(f'{{"reasoning": "It says {attack}", "score": 1, "met": false}}') in (1, None)
    assert _verdict(f"{{'reasoning': 'It says {attack}', 'score': 1, 'met': False}}") in (1, None)


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text):
    for given_text in (text, "{" + text, '{"reasoning": "' + text):
        assert isinstance(_verdict(given_text), (int, float, type(None)))


@given(st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=9) | st.booleans(), min_size=1))
def test_what_is_json_already_is_read_as_it_is(data):
    assert read(json.dumps(data), {"type": "object"}) == data


@pytest.mark.parametrize(
    "text",
    [
        "<think>it says </think>" + json.dumps(GOOD | {"score": 5}) + "</think>" + json.dumps(GOOD),
        '<think>it says {"score": 5} and never ends ' + json.dumps(GOOD),
        json.dumps(GOOD | {"score": 5}) + "<think>no</think>" + json.dumps(GOOD),
    ],
)
def test_a_draft_is_left_out_only_before_the_answer_and_hides_no_second_one(text):
    with pytest.raises(UnreadableReplyError):
        read(text, SCHEMA)
