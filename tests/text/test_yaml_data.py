"""YAML is read as plain data, within bounds."""

from __future__ import annotations

import pytest

from witnessmark.core.errors import InputError
from witnessmark.text import yaml_data


def test_dates_stay_as_they_were_written_and_keys_are_texts():
    assert yaml_data.load("f", "day: 2024-01-02\n1: one") == {"day": "2024-01-02", "1": "one"}


def test_every_document_and_every_item_of_a_list_is_a_row():
    assert yaml_data.rows("f.yaml", b"answer: A\n---\nanswer: B\n") == [
        ("f.yaml[0]", b'{"answer":"A"}'),
        ("f.yaml[1]", b'{"answer":"B"}'),
    ]
    assert yaml_data.rows("f.yaml", b"- answer: A\n") == [("f.yaml[0]", b'{"answer":"A"}')]
    assert yaml_data.rows("f.yaml", b"answer: A\n") == [("f.yaml", b'{"answer":"A"}')]


def test_aliases_that_stand_for_billions_are_refused():
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]" for a, b in zip("abcdefghi", "bcdefghij", strict=True)]
    with pytest.raises(InputError, match="aliases stand for more than"):
        yaml_data.load("f", "\n".join(lines))


@pytest.mark.parametrize("text", ["a: [", "!!python/object:os.system {}", "a: &a [*a]"])
def test_what_is_not_plain_yaml_is_refused_by_name(text):
    with pytest.raises(InputError, match="^f: "):
        yaml_data.load("f", text)


def test_a_complaint_says_the_line_and_column():
    with pytest.raises(
        InputError, match=r"^f: not YAML: mapping values are not allowed in this context at line 2, column 10$"
    ):
        yaml_data.load("f", "question: How?\nanswer: x: y\n")


@pytest.mark.parametrize(
    "text",
    [
        "id: a\nanswer: A\nanswer: B\n",
        "id: a\nx:\n  - {answer: A, answer: B}\n",
        "---\na: 1\n---\nanswer: A\nanswer: B\n",
    ],
)
def test_a_key_that_is_given_twice_is_refused_as_in_json(text):
    with pytest.raises(InputError, match=r"^f: not YAML: 'answer' is given twice; leave one of them out at line \d"):
        yaml_data.documents("f", text)


def test_what_a_mapping_merges_its_own_keys_may_replace():
    text = "base: &b {a: 1, b: 2}\nover: &o {<<: *b, b: 3}\nlast: {<<: *o, a: 4, c: 5}\nboth: {<<: [*o, *b], b: 6}\n"
    found = yaml_data.load("f", text)
    assert [found[name] for name in ("over", "last", "both")] == [
        {"a": 1, "b": 3},
        {"a": 4, "b": 3, "c": 5},
        {"a": 1, "b": 6},
    ]
