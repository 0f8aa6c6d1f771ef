"""Two set-ups side by side: exact tests, honest costs, kept for the page, from files or live."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from witnessmark import Case, Settings
from witnessmark.cli.app import command_line
from witnessmark.core.errors import InputError
from witnessmark.insight import experiments
from witnessmark.insight import statistics as stats
from witnessmark.insight.experiments import SetupVerdict, compare
from witnessmark.stores import open_store
from witnessmark.testing import OneJudge, ScriptedJudge

runner = CliRunner()


def said(outcomes: str, **more: Any) -> list[SetupVerdict]:
    """One case for each letter: p, f, u."""
    words = {"p": ("pass", "accept"), "f": ("fail", "abort"), "u": ("unverified", "escalate")}
    return [SetupVerdict(case=f"c{n}", outcome=words[o][0], action=words[o][1], **more) for n, o in enumerate(outcomes)]


def test_the_test_is_exact():
    """Of nine cases that only one side had right, eight are B's: 2 · (1 + 9) / 512."""
    assert stats.mcnemar(1, 8) == pytest.approx(20 / 512)
    assert stats.mcnemar(5, 5) == 1.0
    assert stats.mcnemar(0, 0) is None


def test_with_labels_it_counts_who_was_right():
    truth = {f"c{n}": "pass" if n < 5 else "fail" for n in range(10)}
    made = compare(said("pppppppppp"), said("ppppfffffp"), truth, names=("lax", "strict"))
    assert (made.a.caught, made.a.missed, made.a.falsely_rejected) == (0, 5, 0)
    assert (made.b.caught, made.b.missed, made.b.falsely_rejected) == (4, 1, 1)
    assert (made.b.catch_rate, made.b.false_rejection) == (0.8, 0.2)  # req: S0-109
    assert (made.only_a, made.only_b, made.labelled) == (1, 4, 10)
    assert made.agreed == 5
    assert {d["case"] for d in made.disagreements} == {"c4", "c5", "c6", "c7", "c8"}


def test_without_labels_it_counts_who_passed():
    made = compare(said("ppff"), said("pfff"))
    assert (made.only_a, made.only_b, made.labelled, made.mcnemar_p) == (1, 0, 0, 1.0)
    assert made.says.startswith("no significant difference")


def test_only_cases_that_both_saw_count():
    made = compare(said("ppp"), said("pp"))
    assert made.cases == 2
    with pytest.raises(InputError, match="no case in common"):
        compare(said("p"), [])


def test_a_cost_nobody_knows_stays_unknown():
    made = compare(said("pp", cost_usd=None), said("pp", cost_usd=0.01, seconds=2.0))
    assert made.a.cost_usd is None
    assert made.b.cost_usd == pytest.approx(0.02)
    assert made.b.seconds_p95 == 2.0


@given(st.text("pfu", min_size=1, max_size=40), st.data())
def test_sides_swapped_give_the_same_test(first, data):
    second = data.draw(st.text("pfu", min_size=len(first), max_size=len(first)))
    there, back = compare(said(first), said(second)), compare(said(second), said(first))
    assert (there.only_a, there.only_b) == (back.only_b, back.only_a)
    assert there.mcnemar_p == back.mcnemar_p
    assert there.agreed == back.agreed


def test_experiments_are_kept_by_workspace(sqlite_url):
    store: Any = open_store(sqlite_url)

    async def work() -> None:
        older, newer = compare(said("pp"), said("pf"), at=1.0), compare(said("pp"), said("ff"), at=2.0)
        for one in (older, newer):
            await experiments.keep(store, one)
        assert await experiments.stored_experiments(store, "default") == (newer, older)
        assert await experiments.stored_experiments(store, "other") == ()
        await store.close()

    asyncio.run(work())


@pytest.fixture
def cases(tmp_path):
    """Texts of 5 and 50 characters; the short ones are bad."""
    lines = [
        {
            "id": f"t{n}",
            "subject": {"kind": "task_output", "text": "x" * (5 if n % 2 else 50)},
            "criteria": [
                {"check": "min_length", "value": 20, "must_pass": False},
                {"check": "max_length", "value": 90},
            ],
            "context": {"expected": "fail" if n % 2 else "pass"},
        }
        for n in range(12)
    ]
    file = tmp_path / "cases.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    return file


def test_two_policies_live(cases, tmp_path, sqlite_url):
    (tmp_path / "lax.toml").write_text("pass_threshold = 0.3\nretry_threshold = 0.2\n")
    (tmp_path / "strict.toml").write_text("pass_threshold = 0.9\n")
    done = runner.invoke(command_line(), ["experiment", str(tmp_path / "lax.toml"), str(tmp_path / "strict.toml"), str(cases), "--store", sqlite_url, "--json"])  # fmt: skip
    assert done.exit_code == 0, done.output
    made = json.loads(done.output)
    assert (made["a"]["name"], made["b"]["name"]) == ("lax", "strict")
    assert (made["a"]["missed"], made["b"]["caught"], made["labelled"]) == (6, 6, 12)
    assert made["mcnemar_p"] == pytest.approx(2 / 64)
    assert made["a"]["seconds_p50"] > 0
    kept = asyncio.run(experiments.stored_experiments(open_store(sqlite_url), "default"))
    assert [one.id for one in kept] == [made["id"]]
    shown = runner.invoke(command_line(), ["records", "--store", sqlite_url])
    assert "nothing verified yet" in shown.output  # the shadow leaves no record


def test_two_files_of_records(cases, tmp_path, sqlite_url):
    for name, threshold in (("a", "0.3"), ("b", "0.9")):
        policy = tmp_path / f"{name}.toml"
        policy.write_text(f"pass_threshold = {threshold}\nretry_threshold = 0.2\n")
        done = runner.invoke(
            command_line(), ["verify", str(cases), "--policy", str(policy), "--store", "memory:", "--json"]
        )
        (tmp_path / f"{name}.jsonl").write_text(done.stdout)
    labels = tmp_path / "labels.jsonl"
    labels.write_text(
        "\n".join(json.dumps({"case": f"t{n}", "outcome": "fail" if n % 2 else "pass"}) for n in range(12))
    )
    command = ["experiment", str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl"), "--labels", str(labels), "--store", sqlite_url]  # fmt: skip
    done = runner.invoke(command_line(), command)
    assert done.exit_code == 0, done.output
    assert "12 cases, 12 of them labelled; the same outcome in 6" in done.output
    assert "b is right more often (p = 0.031)" in done.output


def test_a_word_that_is_nothing_is_told(cases, sqlite_url):
    done = runner.invoke(command_line(), ["experiment", "nosuch.toml", "x.toml", str(cases), "--store", sqlite_url])
    assert "nosuch.toml: there is no such file" in str(done.exception)


def test_an_option_of_plan_review_is_a_side_of_an_experiment():
    from witnessmark.cli.experiment_setups import Base, setup

    plan = {
        "goal": "Say what the report found",
        "subgoals": [{"id": "sg1", "description": "Read the report", "agent": "reader", "needs": ["read"]}],
        "execution_order": [{"phase": "sequential", "subgoals": ["sg1"]}],
    }
    context = {"agents": [{"name": "reader", "capabilities": ["read"]}], "complexity": "MEDIUM"}
    case = Case(goal=plan["goal"], subject={"kind": "decomposition", **plan}, context=context)
    shown = {}
    for word in ("option:A", "option:B"):
        judge = ScriptedJudge(lambda question: {})
        side = setup(word, Base(Settings())).verifier.with_services({"judges": OneJudge(judge)})
        side.verify_sync(case)
        shown[word] = judge.asked[0].system
    assert "try to break plans" in shown["option:B"]  # req: S0-109
    assert "try to break plans" not in shown["option:A"]
