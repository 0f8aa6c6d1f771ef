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
        (
            ("crossed.toml", "lax.toml", "cases.jsonl"),
            "crossed.toml: retry_threshold: 0.5 lies above pass_threshold 0.1",
        ),
        (
            ("strct", "lax.toml", "cases.jsonl"),
            "strct: no file and no checkpoint (`witnessmark checkpoints` lists them), and",
        ),
        (("neither.toml", "lax.toml", "cases.jsonl"), "neither.toml: neither a policy nor settings"),
        (("strict.toml", "lax.toml", "gone.jsonl"), "gone.jsonl: there is no such file"),
        (("strict.toml", "lax.toml", "cases.jsonl", "--labels", "gone.jsonl"), "gone.jsonl: cannot be read"),
        (("strict.toml", "lax.toml", "cases.jsonl", "--labels", "broken.jsonl"), 'a line reads {"case": "id"'),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else None,
)
def test_what_cannot_be_compared_is_named(cli, sides, tmp_path, arguments, said):
    (tmp_path / "broken.jsonl").write_text("[1]\n")
    (tmp_path / "crossed.toml").write_text("pass_threshold = 0.1\n")
    (tmp_path / "neither.toml").write_text("pass_threshold = 0.5\nnonsense = 1\n")
    assert said in cli("experiment", *arguments).complaint


def test_two_cases_of_one_id_are_refused_since_one_would_stand_for_both(cli, sides, tmp_path):
    twice = [case(1, "enough"), case(2, "no") | {"id": "c1"}]
    (tmp_path / "twice.jsonl").write_text("\n".join(map(json.dumps, twice)))
    assert (
        "twice.jsonl:2: id: 'c1' is that of a case before it" in cli("experiment", *sides[:2], "twice.jsonl").complaint
    )
    without = [one | {"id": None} for one in twice]
    (tmp_path / "without.jsonl").write_text("\n".join(map(json.dumps, without)))
    assert json.loads(cli("experiment", *sides[:2], "without.jsonl", "--json").stdout)["cases"] == 2


class TestSides:
    """What a word may stand for beside a policy file."""

    def made(self, cli, *arguments):
        done = cli("experiment", *arguments, "--json", "--no-keep")
        return json.loads(done.stdout)

    def test_a_settings_file_is_a_side_with_its_own_policy(self, cli, sides, tmp_path):
        (tmp_path / "whole.toml").write_text('workspace = "w"\n[policy]\npass_threshold = 0.5\nretry_threshold = 0.1\n')
        made = self.made(cli, "strict.toml", "whole.toml", "cases.jsonl")
        assert made["b"]["name"] == "whole"
        assert made["b"]["outcomes"] == {"pass": 4}

    def test_a_checkpoint_is_a_side_and_what_it_cannot_take_is_unverified(self, cli, sides):
        made = self.made(cli, "task", "checkpoint:decomposition", "cases.jsonl")
        assert (made["a"]["name"], made["b"]["name"]) == ("task", "checkpoint:decomposition")
        assert made["b"]["outcomes"] == {"unverified": 4}

    def test_a_judge_is_a_side_and_one_that_is_not_there_stops_nothing(self, cli, sides):
        made = self.made(cli, "strict.toml", "http://127.0.0.1:9/v1#nobody", "cases.jsonl")
        assert made["cases"] == 4
        assert made["b"]["name"] == "http://127.0.0.1:9/v1#nobody"

    def test_the_two_ways_to_review_a_plan_are_sides(self, cli, sides):
        made = self.made(cli, "option:A", "option:B", "cases.jsonl")
        assert (made["a"]["name"], made["b"]["name"]) == ("option:A", "option:B")
        assert made["agreed"] == made["cases"] == 4

    def test_an_export_of_the_store_is_a_side_and_words_of_people_in_it_are_not_counted(self, cli, sides, verified):
        record = verified(ident="c0")
        cli("override", record["id"], "--outcome", "fail", "--reason", "rude")
        cli("records", "export", "kept.jsonl")
        made = self.made(cli, "kept.jsonl", "kept.jsonl")
        assert (made["cases"], made["a"]["outcomes"]) == (1, {"pass": 1})

    def test_what_was_kept_can_be_had_again_and_what_was_not_cannot(self, cli, sides, tmp_path):
        cli("experiment", *sides, "--no-keep")
        assert not list(tmp_path.glob("s.db")), "without --keep nothing is opened"
        cli("experiment", *sides)
        assert list(tmp_path.glob("s.db"))
