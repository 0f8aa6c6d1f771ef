"""--policy, --deadline, --budget-usd and --budget-tokens of the commands that verify without a case file."""

from __future__ import annotations

import json

import pytest

NOBODY = "http://127.0.0.1:9/v1#model"
"""A judge that nothing must reach."""
WRONG = ("--answer", "Sales grew by 40 % in 2023.", "--text", "Sales grew by 14 % in 2023, the report says.")


@pytest.fixture
def abort(tmp_path):
    (tmp_path / "abort.toml").write_text('max_revisions = 0\non_exhausted = "abort"\n')
    return ("--policy", "abort.toml")


def test_check_decides_by_the_policy_of_the_file(cli, abort):
    assert json.loads(cli("check", *WRONG, "--json").stdout)["action"] == "correct"
    assert json.loads(cli("check", *WRONG, "--json", *abort).stdout)["action"] == "abort"


@pytest.mark.parametrize(
    ("option", "cause"),
    [(("--budget-tokens", 1), "budget"), (("--budget-usd", 0), "budget")],
    ids=["tokens", "dollars"],
)
def test_reverify_asks_no_judge_beyond_its_budget(cli, option, cause):
    case = {"subject": {"kind": "task_output", "text": "Hello there, dear friend."}, "criteria": ["Greets a friend."]}
    first = json.loads(cli("verify", "-", "--json", stdin=json.dumps(case)).stdout)
    assert first["unverified_because"] == "no_judge"
    again = json.loads(cli("reverify", first["id"], "--judge", NOBODY, *option, "--json").stdout)
    assert again["unverified_because"] == cause


@pytest.mark.parametrize("command", ["check", "correct", "reverify", "run", "serve"])
def test_a_policy_that_is_wrong_is_told_by_its_file_before_anything_is_done(cli, tmp_path, verified, command):
    (tmp_path / "strict.toml").write_text("pass_treshold = 0.9\n")
    (tmp_path / "suite.json").write_text(
        json.dumps({"models": {"none": "command:false"}, "cases": [{"question": "Why?"}]})
    )
    what = {"check": WRONG, "correct": WRONG, "reverify": (verified()["id"],), "run": ("suite.json",), "serve": ()}
    told = cli(command, *what[command], "--policy", "strict.toml").complaint
    assert told.startswith("strict.toml")
    assert "pass_threshold" in told
