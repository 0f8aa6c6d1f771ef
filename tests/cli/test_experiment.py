"""`witnessmark experiment A B`: two set-ups over the same cases, or two files of records."""

from __future__ import annotations

import json

import pytest


def case(number, text):
    return {
        "id": f"c{number}",
        "subject": {"kind": "task_output", "text": text},
        "criteria": [{"check": "min_length", "value": 5, "must_pass": False}, {"check": "max_length", "value": 8}],
        "context": {"expected": "pass" if len(text) >= 5 else "fail"},
    }


@pytest.fixture
def sides(tmp_path):
    """Four cases of which two are short, and a policy that lets half of what is asked for pass."""
    texts = ["enough", "plenty", "no", "eh"]
    lines = "\n".join(json.dumps(case(number, text)) for number, text in enumerate(texts))
    (tmp_path / "cases.jsonl").write_text(lines)
    (tmp_path / "strict.toml").write_text("pass_threshold = 0.9\n")
    (tmp_path / "lax.toml").write_text("pass_threshold = 0.5\nretry_threshold = 0.1\n")
    return "strict.toml", "lax.toml", "cases.jsonl"


def test_what_each_side_catches_stands_side_by_side(cli, sides):
    made = json.loads(cli("experiment", *sides, "--json").stdout)
    assert (made["cases"], made["labelled"], made["agreed"]) == (4, 4, 2)
    assert (made["a"]["name"], made["b"]["name"]) == ("strict", "lax")
    assert made["a"]["outcomes"] == {"pass": 2, "partial": 2}
    assert made["b"]["outcomes"] == {"pass": 4}
    assert [one["case"] for one in made["disagreements"]] == ["c2", "c3"]
    said = cli("experiment", *sides).stdout
    assert "4 cases, 4 of them labelled; the same outcome in 2" in said
    assert "c2: partial and pass (it is fail)" in said


def test_the_shadow_keeps_no_record(cli, sides):
    cli("experiment", *sides)
    assert cli("records", "--json").stdout == ""


def test_records_of_earlier_runs_need_no_case(cli, sides, tmp_path):
    for name in ("one", "two"):
        done = cli("verify", "cases.jsonl", "--json", "--policy", "strict.toml" if name == "one" else "lax.toml")
        (tmp_path / f"{name}.jsonl").write_text(done.stdout)
    made = json.loads(cli("experiment", "one.jsonl", "two.jsonl", "--json", "--no-keep").stdout)
    assert (made["cases"], made["agreed"], made["labelled"]) == (4, 2, 0)


def test_labels_from_a_file_count_over_those_of_the_cases(cli, sides, tmp_path):
    (tmp_path / "labels.jsonl").write_text('{"case": "c2", "outcome": "pass"}\n')
    made = json.loads(cli("experiment", *sides, "--labels", "labels.jsonl", "--json").stdout)
    assert {one["case"]: one["truth"] for one in made["disagreements"]} == {"c2": "pass", "c3": "fail"}


def test_two_sides_of_one_name_are_told_apart(cli, sides):
    made = json.loads(cli("experiment", "strict.toml", "strict.toml", "cases.jsonl", "--json").stdout)
    assert (made["a"]["name"], made["b"]["name"]) == ("strict", "strict (2)")
    assert made["agreed"] == 4


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("strict.toml", "lax.toml"), "cases: give the case files that both sides verify"),
        (("gone.toml", "lax.toml", "cases.jsonl"), "gone.toml: there is no such file"),
        (("broken.jsonl", "broken.jsonl"), "broken.jsonl: line 1 is not a record"),
        (("neither.toml", "lax.toml", "cases.jsonl"), "neither.toml: neither a policy nor settings"),
        (("strict.toml", "lax.toml", "gone.jsonl"), "gone.jsonl: there is no such file"),
        (("strict.toml", "lax.toml", "cases.jsonl", "--labels", "gone.jsonl"), "gone.jsonl: cannot be read"),
        (("strict.toml", "lax.toml", "cases.jsonl", "--labels", "broken.jsonl"), 'a line reads {"case": "id"'),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else None,
)
def test_what_cannot_be_compared_is_named(cli, sides, tmp_path, arguments, said):
    (tmp_path / "broken.jsonl").write_text("[1]\n")
    (tmp_path / "neither.toml").write_text("pass_threshold = 0.5\nnonsense = 1\n")
    assert said in cli("experiment", *arguments).complaint
