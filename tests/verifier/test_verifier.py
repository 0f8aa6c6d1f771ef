"""The one door: verify, keep, sync and async, content kept out, checkpoints chosen."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys

import pytest

from witnessmark import Case, Settings, Verifier
from witnessmark.core.errors import ConfigError, InputError, UnknownNameError
from witnessmark.core.policy import Policy, layered
from witnessmark.core.record import Query
from witnessmark.insight.replay import replay
from witnessmark.settings import Content

CASE = Case(
    id="c", subject={"kind": "task_output", "text": "hello there"}, criteria=[{"check": "min_length", "value": 3}]
)


def test_sync_outside_and_inside_a_running_loop_give_the_same():
    outside = Verifier().verify_sync(CASE)

    async def inside():
        return Verifier().verify_sync(CASE), await Verifier().verify(CASE)

    assert {record.id for record in asyncio.run(inside())} == {outside.id}


def test_sync_works_with_a_store_from_several_loops(tmp_path):
    verifier = Verifier(store=f"sqlite:///{tmp_path}/s.db")
    first = verifier.verify_sync(CASE)

    async def use():
        return await verifier.verify(CASE), await verifier.store.get(first.id)

    again, entry = asyncio.run(use())
    assert again.id == first.id
    assert len(entry.runs) == 2
    asyncio.run(verifier.close())


def test_without_a_store_nothing_is_kept():
    assert Verifier().store is None


def test_many_at_once_share_one_verifier(tmp_path):
    async def work():
        async with Verifier(store=f"sqlite:///{tmp_path}/s.db") as verifier:
            cases = [
                Case(
                    id=f"c{n}",
                    subject={"kind": "task_output", "text": "x" * n},
                    criteria=[{"check": "min_length", "value": 20}],
                )
                for n in range(1, 40)
            ]
            records = await asyncio.gather(*(verifier.verify(case) for case in cases))
            return [r.outcome for r in records], len(await verifier.store.find(Query(limit=100)))

    outcomes, kept = asyncio.run(work())
    assert outcomes == ["fail"] * 19 + ["pass"] * 20
    assert kept == 39


@pytest.mark.parametrize(
    ("subject", "checkpoint"),
    [
        ({"kind": "decomposition"}, "decomposition"),
        ({"kind": "agent_output", "summary": "s"}, "agent_output"),
        ({"kind": "agent_output", "summary": "s", "traceRef": "trace:1"}, "actions"),
        ({"kind": "agent_output", "summary": "s", "claims": []}, "actions"),
        ({"kind": "task_output", "text": ""}, "task"),
        ({"kind": "answer", "text": ""}, "answer"),
        ({"kind": "synthesis", "text": ""}, "synthesis"),
        ({"kind": "discussion"}, "discussion"),
        ({"kind": "mission"}, "mission"),
    ],
)
def test_a_case_goes_to_the_checkpoint_of_its_kind(subject, checkpoint):
    assert Verifier().checkpoint_of(Case(subject=subject)).name == checkpoint


def test_a_case_may_name_its_checkpoint():
    assert Verifier().checkpoint_of(Case(subject={"kind": "answer", "text": ""}, checkpoint="goal")).name == "goal"
    with pytest.raises(InputError, match="takes task_output or agent_output, not answer"):
        Verifier().checkpoint_of(Case(subject={"kind": "answer", "text": ""}, checkpoint="task"))
    with pytest.raises(UnknownNameError):
        Verifier().checkpoint_of(Case(subject={"kind": "answer", "text": ""}, checkpoint="nope"))


def test_an_empty_output_fails_whatever_the_criteria():
    """The evaluator that gave 1.0 to an empty extraction."""
    for text in ("", "  \n"):
        record = Verifier().verify_sync(
            Case(subject={"kind": "task_output", "text": text}, criteria=[{"check": "max_length", "value": 100}])
        )
        assert (record.outcome, record.action) == ("fail", "retry")


def test_no_criteria_is_never_accepted():
    asked = Verifier().verify_sync(Case(goal="Do it.", subject={"kind": "task_output", "text": "done"}))
    assert (asked.outcome, asked.unverified_because) == ("unverified", "no_judge")
    nothing = Verifier().verify_sync(Case(subject={"kind": "task_output", "text": "done"}))
    assert (nothing.outcome, nothing.unverified_because, nothing.action) == ("unverified", "no_criteria", "escalate")


def test_without_a_judge_words_are_unverified_with_what_to_do():
    record = Verifier().verify_sync(Case(subject={"kind": "task_output", "text": "done"}, criteria=["Is kind."]))
    assert (record.outcome, record.unverified_because) == ("unverified", "no_judge")
    assert record.findings[0].suggestion.startswith("Configure a judge")


def test_a_checkpoint_whose_check_is_not_installed_is_unverified():
    from witnessmark.core.plans.checkpoints import CheckRef, checkpoint, checkpoints

    @checkpoint("test-future", kinds=("answer",))
    def future(case):
        yield CheckRef("not_written_yet")

    try:
        record = Verifier().verify_sync(Case(subject={"kind": "answer", "text": "x"}, checkpoint="test-future"))
    finally:
        checkpoints.remove("test-future")
    assert (record.outcome, record.unverified_because) == ("unverified", "check_missing")
    assert (
        record.results[0].reason == "checkpoint 'test-future' needs the check 'not_written_yet', which is not installed"
    )


def test_the_task_layer_is_in_the_case():
    case = Case(
        subject={"kind": "task_output", "text": "x"},
        criteria=[{"check": "min_length", "value": 5}],
        context={"policy": {"max_revisions": 0, "on_exhausted": "abort"}},
    )
    record = Verifier(policy={"max_revisions": 9}).verify_sync(case)
    assert (record.action, record.layer) == ("abort", "task")


def test_judges_left_out_by_policy_are_skipped_and_said_so():
    case = Case(
        subject={"kind": "task_output", "text": "fine"},
        criteria=["Is kind.", {"check": "min_length", "value": 1}],
        context={"complexity": "SIMPLE"},
    )
    record = Verifier(policy={"skip_judges_at": ["SIMPLE"]}).verify_sync(case)
    said = {said.check: (said.status, said.reason) for said in record.results}
    assert said["min_length"][0] == "pass"
    assert said["rubric"] == ("skipped", "policy (mission): no judge for SIMPLE cases")
    assert (record.outcome, record.action, record.coverage) == ("partial", "warn", 0.5)


CANARY = "canary-4711"
SECRET = Case(
    goal=f"about {CANARY}",
    subject={"kind": "task_output", "text": f"[insert {CANARY} here] http:/{CANARY}.org"},
    evidence=[{"id": "d", "text": CANARY}],
    criteria=[
        {"check": "no_placeholders"},
        {"check": "url_valid", "value": {"min": 0}},
        {"check": "json_schema", "value": {}},
        {"check": "not_truncated"},
    ],
)


def everything_in(path):
    return b"".join(file.read_bytes() for file in path.iterdir())


def test_content_can_be_kept_out(tmp_path, register):
    @register("test-leaks", cost="local")
    def leaks():
        def look(case, prior):
            raise ValueError(f"cannot read {case.text}")

        return look

    case = Case.from_dict(
        json.loads(SECRET.json())
        | {"criteria": [*json.loads(SECRET.json())["criteria"], {"check": "test-leaks", "must_pass": False}]}
    )

    async def work(content):
        folder = tmp_path / content.keep
        folder.mkdir()
        async with Verifier(Settings(content=content), store=f"sqlite:///{folder}/s.db") as verifier:
            return await verifier.verify(case), folder

    record, folder = asyncio.run(work(Content(keep="digest")))
    assert CANARY.encode() not in everything_in(folder)
    assert CANARY.encode() not in record.json()
    assert record.holds()
    assert [said.status for said in record.results][1:3] == ["fail", "fail"]
    _, folder = asyncio.run(work(Content()))
    assert CANARY.encode() in everything_in(folder)


def test_content_can_be_redacted_by_rule(tmp_path):
    async def work():
        async with Verifier(
            Settings(content=Content(redact=[r"canary-\d+"])), store=f"sqlite:///{tmp_path}/s.db"
        ) as verifier:
            record = await verifier.verify(SECRET)
            return record, await verifier.store.get(record.id)

    record, entry = asyncio.run(work())
    assert CANARY.encode() not in everything_in(tmp_path)
    assert "[redacted]" in record.findings[0].quote
    assert entry.redacted
    assert record.holds()


def test_wherever_it_stands_what_is_redacted_is_kept_nowhere(tmp_path):
    """Values under a key called id or kind were once kept at any depth, and so was where evidence came from."""
    hidden = {"id": CANARY, "kind": CANARY, "checkpoint": CANARY, CANARY: 1}
    case = Case(
        id="order-1",
        goal="Write to the customer",
        subject={"kind": "agent_output", "summary": f"Wrote to {CANARY}", "data": {"customer": hidden}},
        evidence=[{"id": "mail", "text": f"to {CANARY}", "origin": f"inbox of {CANARY}"}],
        criteria=[{"check": "contains", "value": f"write to {CANARY}", "id": "c1"}, f"It is addressed to {CANARY}."],
        executor={"id": "writer"},
        context={"customer": hidden},
    )

    async def work():
        async with Verifier(
            Settings(content=Content(redact=[r"canary-\d+"])), store=f"sqlite:///{tmp_path}/s.db"
        ) as verifier:
            record = await verifier.verify(case)
            entry = await verifier.store.get(record.id)
            return record, entry, await replay(verifier, entry, case)

    record, entry, again = asyncio.run(work())
    assert CANARY.encode() not in everything_in(tmp_path)
    assert CANARY.encode() not in record.json()
    kept = json.loads(entry.case)
    assert (kept["id"], kept["subject"]["kind"], kept["evidence"][0]["id"]) == ("order-1", "agent_output", "mail")
    assert (record.evidence[0].origin, record.evidence[0].sha256) == ("inbox of [redacted]", case.evidence[0].digest())
    assert again.same, "the same case gives the same record, redacted alike"


def test_a_wrong_redaction_pattern_is_refused():
    with pytest.raises(InputError, match=r"content.redact\[0\]"):
        Content(redact=["(?=x)"])


BLOCKED = """
import socket, sys
def refuse(*a, **k): raise SystemExit("it went to the network")
socket.socket.connect = refuse
socket.getaddrinfo = refuse
sys.argv = ["witnessmark", "verify", "--store", "memory:", *sys.argv[1:]]
from witnessmark.cli import main
main()
"""


def test_nothing_goes_to_the_network(root):
    cases = sorted(map(str, (root / "examples" / "cases").glob("*.json")))
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED, *cases], capture_output=True, text=True, check=False, env={**os.environ}
    )
    assert "it went to the network" not in done.stderr
    assert done.returncode == 1


def test_a_misspelt_policy_of_a_user_is_refused_before_a_case_names_the_user():
    with pytest.raises(ConfigError, match="users.ana: .*unknown field 'pass_treshold'; did you mean pass_threshold"):
        Verifier(Settings(users={"ana": {"pass_treshold": 0.9}}))


def test_a_misspelt_policy_is_refused_before_the_first_case():
    with pytest.raises(ConfigError, match="unknown field 'pass_treshold'; did you mean pass_threshold"):
        Verifier(policy={"pass_treshold": 0.5})


@pytest.mark.parametrize(
    "wrong", ["strict", "", ["pass_threshold"], [["pass_threshold", 0.9]], [{}], [], 5, 0, True, False]
)
def test_a_policy_that_is_no_object_is_the_error_of_its_case_alone(wrong):
    """A text, a list or a number as a case's policy ended the whole batch, or was read as none."""

    def one(context):
        return Case(subject={"kind": "task_output", "text": "Fine words."}, criteria=[{"check": "min_length", "value": 5}],
                    context=context)  # fmt: skip

    async def outcomes():
        cases = [one({}), one({"policy": wrong}), one({"policy": {}}), one({"policy": None})]
        return [str(said.error or said.record.outcome) async for said in Verifier().verify_many(cases)]

    error = 'context.policy: must be an object of its fields, such as {"pass_threshold": 0.8}'
    assert asyncio.run(outcomes()) == ["pass", error, "pass", "pass"]


@pytest.mark.parametrize("layer", ["workspace", "user", "mission", "task"])
def test_a_policy_that_is_no_object_is_told_with_its_layer(layer):
    with pytest.raises(ConfigError, match=rf"policy \({layer}\): must be an object of its fields"):
        layered(Policy(), {layer: ["pass_threshold"]})


@pytest.mark.parametrize("field", [{"must_pass": ["groundding"]}, {"weights": {"groundding": 2.0}}])
def test_a_check_that_a_policy_misspells_is_refused_with_the_one_that_is_meant(field):
    answer = Case(subject={"kind": "answer", "text": "Revenue rose."}, evidence=[{"id": "d1", "text": "Revenue rose."}])
    with pytest.raises(
        ConfigError, match=r"policy\.\w+ \(mission\): unknown check 'groundding'; did you mean grounding"
    ):
        Verifier(policy=field).verify_sync(answer)


def test_what_counting_settles_misses_no_judge():
    listed = Case(
        goal="List the risks.",
        subject={"kind": "task_output", "text": "Risks:\n\n1. Data loss.\n2. Downtime.\n"},
        criteria=["Lists at least 3 risks"],
    )
    assert [finding.message for finding in Verifier().verify_sync(listed).findings] == ["2 risks where 3 are asked for"]


def test_an_agent_output_without_criteria_misses_no_judge():
    told = {"summary": "There are 41 open tickets.", "data": {}, "tools_used": ["sql"], "metadata": {"status": "done"}}
    evidence = [{"id": "t1", "kind": "tool_call", "name": "sql", "output": {"open_tickets": 41}}]
    case = Case(
        goal="How many are open?", subject={"kind": "agent_output", "confidence": 0.9} | told, evidence=evidence
    )
    record = Verifier().verify_sync(case)
    assert (record.outcome, record.findings) == ("pass", ())
