"""Where the sentences of a synthesis come from, on the terminal."""

from __future__ import annotations

import json

from typer.testing import CliRunner

from witnessmark.cli.app import command_line

OUTPUTS = [
    {"id": "a1", "kind": "agent_output", "origin": "inspector", "text": "Two of the 24 hangers show corrosion at the lower anchor."},
    {"id": "a2", "kind": "agent_output", "origin": "tester\x1b[31m", "text": "The load test held 5 kN per square metre for 24 hours."},
]  # fmt: skip
TEXT = "Two of the 24 hangers show corrosion. The load test held 5 kN per square metre for 24 hours."


def shown(tmp_path, *more):
    case = {"goal": "Is it safe?", "subject": {"kind": "synthesis", "text": TEXT}, "evidence": OUTPUTS}
    (tmp_path / "case.json").write_text(json.dumps(case), encoding="utf-8")
    store = f"sqlite:///{tmp_path}/r.db"
    made = CliRunner().invoke(command_line(), ["verify", str(tmp_path / "case.json"), "--store", store, "--json"])
    record = json.loads(made.stdout.splitlines()[0])
    return CliRunner().invoke(command_line(), ["show", record["id"], "--store", store, *more])


def test_show_draws_where_each_sentence_comes_from(tmp_path):
    out = shown(tmp_path).stdout
    assert "where it comes from:" in out
    assert "← inspector [a1]" in out
    assert "\x1b[31m" not in out


def test_who_brought_it_in_is_one_question(tmp_path):
    assert shown(tmp_path, "--who", "corrosion").stdout.strip() == "inspector"
    assert shown(tmp_path, "--who", "Velasquez").stdout.strip() == "no agent output contains these words"
