"""A person's say on the command line."""

from __future__ import annotations

import asyncio
import json

import pytest
from typer.testing import CliRunner

from witnessmark import Case, Verifier
from witnessmark.checks.goal import achievement
from witnessmark.cli.app import command_line
from witnessmark.insight import second_opinions
from witnessmark.judges.scripted_judge import ScriptedJudge
from witnessmark.testing.judges import OneJudge


@pytest.fixture
def witnessmark(tmp_path):
    runner = CliRunner()
    store = f"sqlite:///{tmp_path}/records.db"

    def call(*args, **more):
        return runner.invoke(command_line(), [*map(str, args), "--store", store], **more)

    case = tmp_path / "case.json"
    criteria = [{"check": "min_length", "value": 10}]
    case.write_text(json.dumps({"id": "c1", "subject": {"kind": "task_output", "text": "hi"}, "criteria": criteria}))
    call.case = case
    call.id = json.loads(call("verify", case, "--json").stdout)["id"]
    return call


def test_override_says_what_it_did_and_show_tells_it_later(witnessmark):
    done = witnessmark(
        "override", witnessmark.id[:12], "--outcome", "pass", "--reason", "short is\x1b[31m fine", "--by", "Ana"
    )
    assert (done.exit_code, done.exception) == (0, None)
    assert "overridden to pass → accept: short is" in done.stdout
    assert "\x1b" not in done.stdout
    shown = witnessmark("show", witnessmark.id)
    assert "overridden to pass: short is" in shown.stdout
    assert "Verdict: fail · next: retry" in shown.stdout, "the verdict itself is shown as it was"
    assert witnessmark("records", "audit").exit_code == 0


def test_override_needs_a_reason_and_a_known_word(witnessmark):
    assert witnessmark("override", witnessmark.id, "--outcome", "pass").exit_code == 2
    wrong = witnessmark("override", witnessmark.id, "--outcome", "great", "--reason", "x")
    assert "outcome: 'great' is not one of" in str(wrong.exception)
    none = witnessmark("override", witnessmark.id, "--outcome", "pass", "--reason", " ")
    assert "reason: say why" in str(none.exception)


def test_outcome_keeps_what_really_happened(witnessmark):
    done = witnessmark("outcome", witnessmark.id, "--outcome", "pass", "--reason", "delivered", "--completed", "--json")
    told = json.loads(done.stdout)
    assert (told["kind"], told["outcome"], told["parent"]) == ("outcome", "pass", witnessmark.id)
    assert told["results"][0]["details"] == {"was": "fail", "number": 1, "completed": True}
    assert "the actual outcome was pass: delivered" in witnessmark("show", witnessmark.id).stdout
    plain = witnessmark("outcome", witnessmark.id, "--outcome", "fail").stdout.splitlines()[0]
    assert plain == "the actual outcome was fail", "what happened, once, and nothing that is to be done about it"


def test_reverify_with_another_policy_has_the_exit_code_of_its_verdict(witnessmark, tmp_path):
    again = witnessmark("reverify", witnessmark.id)
    assert again.exit_code == 1
    assert "now fail → retry" in again.stdout
    policy = tmp_path / "policy.toml"
    policy.write_text("max_revisions = 0\n")
    other = witnessmark("reverify", witnessmark.id, "--policy", policy, "--json")
    told = json.loads(other.stdout)
    assert (other.exit_code, told["action"], told["parent"]) == (1, "escalate", witnessmark.id)


def test_reverify_takes_the_case_where_it_was_kept_out_and_says_if_it_is_another(witnessmark, tmp_path):
    assert witnessmark("reverify", witnessmark.id, "--case", witnessmark.case).exit_code == 1
    assert "cannot be read" in str(witnessmark("reverify", witnessmark.id, "--case", tmp_path / "no.json").exception)


def test_questions_to_the_person_are_shown(witnessmark, tmp_path):
    case = tmp_path / "ask.json"
    subject = {"kind": "answer", "text": "You have two subscriptions. Which one do you mean?"}
    case.write_text(json.dumps({"subject": subject, "goal": "Cancel my subscription.", "checkpoint": "goal"}))
    record = json.loads(witnessmark("verify", case, "--json").stdout)
    assert record["questions"] == ["Which one do you mean?"]
    assert "to the person: Which one do you mean?" in witnessmark("show", record["id"]).stdout


def test_reverify_takes_another_judge_and_a_dead_one_gives_no_verdict(witnessmark, tmp_path):
    case = tmp_path / "goal.json"
    subject = {"kind": "answer", "text": "Lisbon lies on seven hills."}
    case.write_text(json.dumps({"subject": subject, "goal": "Describe Lisbon.", "checkpoint": "goal"}))
    first = json.loads(witnessmark("verify", case, "--json").stdout)
    again = witnessmark("reverify", first["id"], "--judge", "http://127.0.0.1:9/v1#nobody", "--json")
    told = json.loads(again.stdout)
    assert (first["unverified_because"], told["unverified_because"]) == ("no_judge", "judge_error")
    assert (again.exit_code, told["parent"], told["score"]) == (4, first["id"], None)


def test_show_tells_what_another_judge_said_of_a_sampled_verdict(tmp_path):
    where = f"sqlite:///{tmp_path}/judged.db"

    def says(achieved, name):
        blank = {"reasoning": "r", "confidence": 0.9, "issues": [], "suggestions": [], "questions": []}
        answer = {key: blank.get(key, achieved) for key in achievement.REPLY["required"]}
        return OneJudge(ScriptedJudge([answer], id=name))

    async def main():
        case = Case(subject={"kind": "answer", "text": "Seven hills."}, goal="Describe Lisbon.", checkpoint="goal")
        async with Verifier(store=where, services={"judges": says(True, "a")}) as verifier:
            record = await verifier.verify(case)
            await second_opinions.meta_audit(verifier, case, record, says(False, "b"))
        return record

    shown = CliRunner().invoke(command_line(), ["show", asyncio.run(main()).id, "--store", where]).stdout
    assert "Verdict: pass · next: accept" in shown, "the verdict stays as it was"
    assert "read again by another judge: partial: goal_achieved: pass by a, fail by b" in shown
