"""A mission: inline for what others build on, together for the rest, and one verdict on the whole."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from witnessmark import Case, Mission, Verifier
from witnessmark.core.errors import InputError, UnknownNameError
from witnessmark.core.record import Entry, Run
from witnessmark.loop.mission import MissionRun
from witnessmark.stores.memory import MemoryStore
from witnessmark.testing import OneJudge, PerfectReader, ScriptedJudge, scores

PLAN = Mission(
    goal="Assess the plant",
    tasks=[
        {"id": "research", "description": "Find the rules"},
        {"id": "report", "depends_on": ["research"]},
        {"id": "slides", "depends_on": ["research"]},
        {"id": "mail", "depends_on": ["research"]},
    ],
)


def output(text, criterion="Names the rule in force"):
    return Case(
        goal="g", subject={"kind": "task_output", "text": text}, criteria=[criterion], context={"quality": False}
    )


def answer(question):
    """Scores what is asked, sees no contradiction, and does so for grouped questions too."""

    def one(schema):
        if "contradictions" in schema["properties"]:
            return {"reasoning": "r", "contradictions": [], "confidence": 0.9}
        return {key: {"reasoning": "r", "score": 5, "confidence": 0.9} for key in schema["required"]}

    schema = question.reply_schema
    if schema["required"][0].startswith("question"):
        return {name: one(schema["properties"][name]) for name in schema["required"]}
    return one(schema)


def start(script=answer, **options):
    judge = ScriptedJudge(script)
    store = MemoryStore()
    verifier = Verifier(services={"judges": OneJudge(judge)}, store=store)
    return MissionRun(verifier, PLAN, **options), judge, store


def test_what_others_build_on_is_verified_at_once_and_lets_them_start():
    run, judge, _ = start()
    before = run.may_start("report")

    async def work():
        return await run.done("research", output("The rule is R12."))

    record = asyncio.run(work())
    assert (before, record.outcome, run.may_start("report")) == (False, "pass", True)  # req: S2-059
    assert len(judge.asked) == 1


def test_bad_output_does_not_flow_on():
    run, _, _ = start(scores({"*": 1}))
    asyncio.run(run.done("research", output("Nothing.")))
    assert run.records["research"].action == "retry"
    assert not run.may_start("report")  # req: S2-010


def test_what_falls_short_of_a_threshold_raised_for_the_mission_does_not_flow_on():
    def research(threshold):
        verifier = Verifier(
            services={"judges": OneJudge(ScriptedJudge(scores({"*": 4.5})))}, policy={"pass_threshold": threshold}
        )
        run = MissionRun(verifier, PLAN)
        asyncio.run(run.done("research", output("The rule is R12.")))
        return run

    assert research(0.7).may_start("report")
    raised = research(0.95)
    assert (raised.records["research"].outcome, raised.records["research"].action) == (
        "partial",
        "retry",
    )  # req: S2-044
    assert not raised.may_start("report")  # req: S2-010


def test_a_mission_may_name_its_judge_and_a_task_another():
    judges = OneJudge(ScriptedJudge(answer))
    run = MissionRun(Verifier(services={"judges": judges}), PLAN, verifier_model="careful")

    async def work():
        await run.done("research", output("The rule is R12."))
        await run.done("report", replace(output("Rule R12 applies."), context={"verifier_model": "quick"}))
        await run.finish()

    asyncio.run(work())
    assert judges.named[0] == "careful"  # req: S2-040
    assert "quick" in judges.named  # req: S2-040
    assert judges.named[-1] == "careful"


def test_terminal_tasks_wait_and_their_questions_are_grouped():
    run, judge, _ = start()

    async def work():
        await run.done("research", output("The rule is R12."))
        waited = [await run.done(task, output(f"{task}: rule R12 applies.")) for task in ("report", "slides", "mail")]
        assert len(judge.asked) == 1
        return waited, await run.finish()

    waited, record = asyncio.run(work())
    assert waited == [None, None, None]  # req: S2-060
    grouped = [q for q in judge.asked if q.reply_schema["required"][0].startswith("question")]
    assert [len(q.reply_schema["required"]) for q in grouped] == [3]  # req: S2-061
    assert set(run.records) == {"research", "report", "slides", "mail"}  # req: S1-044
    assert record.outcome == "pass"
    assert {r.node: r.status for r in record.results} == {
        "task_verdicts": "pass", "tasks_settled": "pass", "tasks_delivered": "pass", "plain_conflicts": "pass", "consistency": "pass", "mission_goal": "pass",
    }  # fmt: skip


def test_a_task_that_cannot_be_verified_takes_nothing_from_the_others():
    """One bad case, and what came of the others was lost with it: to finish again gave a verdict without them."""
    run, _, _ = start()
    bad = replace(output("slides"), context={"policy": {"pass_treshold": 0.5}})

    async def work():
        await run.done("research", output("The rule is R12."))
        for task, case in {"report": output("report: R12"), "slides": bad, "mail": output("mail: R12")}.items():
            await run.done(task, case)
        with pytest.raises(InputError, match="pass_treshold") as refused:
            await run.finish()
        assert refused.value.__notes__ == ["this was task 'slides' of the mission; the records of the others are kept"]
        made = dict(run.records)
        assert set(made) == {"research", "report", "mail"}
        await run.done("slides", output("slides: R12"))
        return made, await run.finish()

    made, record = asyncio.run(work())
    assert {task: run.records[task] for task in made} == made, "nothing is verified twice"
    assert (set(run.records), record.outcome) == ({"research", "report", "slides", "mail"}, "pass")


def test_the_mission_verdict_is_one_summary_call_beside_the_comparison():
    run, judge, _ = start()

    async def work():
        await run.done("research", output("The rule is R12."))
        await run.done("report", output("Rule R12 applies."))
        before = len(judge.asked) + 1
        await run.finish()
        return before

    before = asyncio.run(work())
    assert len(judge.asked) - before == 2  # req: S2-036
    assert "reach the goal" in judge.asked[-1].user


def test_a_mission_with_a_failed_task_cannot_pass_whatever_the_judge_says():
    run, _, _ = start()

    async def work():
        failing = Case(subject={"kind": "task_output", "text": ""}, criteria=["Names the rule"])
        await run.done("research", failing)
        return await run.finish()

    record = asyncio.run(work())
    assert next(r for r in record.results if r.check == "task_verdicts").status == "fail"
    assert record.outcome == "fail"
    told = [finding.message for finding in record.findings if finding.check == "tasks_settled"]
    assert told == ["task 'research' failed; 'report', 'slides', 'mail' build on it"]


def test_a_task_that_hands_over_an_error_in_place_of_a_result_fails_its_mission():
    tasks = [
        {"id": "t1", "output": "Error: connection to the supplier timed out after 30 s. No data retrieved."},
        {"id": "t2", "output": "Two coats take 70 litres.", "depends_on": ["t1"]},
    ]
    record = Verifier().verify_sync(Case(subject={"kind": "mission", "goal": "Paint the hall", "tasks": tasks}))
    assert record.outcome == "fail"
    (finding,) = [one for one in record.findings if one.severity == "error"]
    assert (
        finding.message == "task 't1' returned an error, a refusal or nothing instead of its result; 't2' builds on it"
    )
    assert finding.quote == tasks[0]["output"]


def test_a_task_nobody_could_verify_is_no_zero_and_keeps_the_mission_from_passing():
    run, _, store = start()

    async def work():
        await run.done("research", output("The rule is R12."))
        unjudged = Verifier(store=store)
        unknown = await unjudged.verify(output("Nobody read this one."))
        run.records["mail"] = unknown
        return await run.finish()

    record = asyncio.run(work())
    said = next(one for one in record.results if one.check == "task_verdicts")
    assert said.details["tasks"]["mail"] == "unverified"
    assert (said.status, said.score) == ("partial", 1.0), "what is unsettled is never turned into a number"
    assert record.outcome == "partial"


def test_a_persons_override_of_a_task_holds():
    run, _, store = start()

    async def work():
        failed = await run.done(
            "research", Case(subject={"kind": "task_output", "text": ""}, criteria=["Names the rule"])
        )
        word = replace(failed, kind="override", outcome="pass", parent=failed.id, id="")
        word = replace(word, id=word.identity())
        await store.append([Entry(word.id, word.workspace, word, (Run("r1", 1.0),), parent=failed.id)])
        return await run.finish()

    record = asyncio.run(work())
    said = next(r for r in record.results if r.check == "task_verdicts")
    assert (said.status, said.details["tasks"]) == ("pass", {"research": "pass"})


def test_without_a_store_or_records_the_tasks_verdicts_are_not_guessed():
    tasks = [{"id": "a", "output": "x y z", "record": "0" * 64}, {"id": "b", "output": "p q r"}]
    case = Case(subject={"kind": "mission", "goal": "g", "tasks": tasks})
    said = next(r for r in Verifier().verify_sync(case).results if r.check == "task_verdicts")
    assert (said.status, said.cause) == ("abstain", "no_evidence")
    said = next(r for r in Verifier(store=MemoryStore()).verify_sync(case).results if r.check == "task_verdicts")
    assert said.status == "abstain"


def test_shared_context_can_be_read_and_not_written():
    shared = {"facts": {"rule": "R12"}, "list": [{"a": 1}]}
    cases: list[Case] = []
    verifier = Verifier(services={"judges": OneJudge(ScriptedJudge(answer))})
    verifier.observers.append(lambda entry, case: cases.append(case))
    run = MissionRun(verifier, PLAN, shared=shared)
    with pytest.raises(TypeError):
        run.shared["facts"]["rule"] = "R13"  # req: S2-122
    with pytest.raises(TypeError):
        run.shared["list"][0]["a"] = 2
    asyncio.run(run.done("research", output("The rule is R12.")))
    cases[0].context["shared"]["facts"]["rule"] = "R13"
    assert run.shared["facts"]["rule"] == "R12", "a case has its own copy"
    assert shared == {"facts": {"rule": "R12"}, "list": [{"a": 1}]}


def test_a_mission_that_cannot_be_is_refused():
    with pytest.raises(InputError, match="no task 'ghost'"):
        MissionRun(Verifier(), Mission(tasks=[{"id": "a", "depends_on": ["ghost"]}]))
    run, _, _ = start()
    with pytest.raises(UnknownNameError):
        asyncio.run(run.done("ghost", output("x")))
    with pytest.raises(UnknownNameError, match="unknown task 'ghost'; the mission has research, report"):
        run.may_start("ghost")
    with pytest.raises(InputError, match="case: should be a Case, not str"):
        asyncio.run(run.done("research", "The rule is R12."))


@pytest.mark.parametrize(
    ("tasks", "told"),
    [
        ([{"id": "a"}, {"id": "b"}, {"id": "a"}], "two tasks have the id 'a'"),
        ([{"id": "a", "depends_on": ["b"]}, {"id": "b", "depends_on": ["a"]}], "a → b → a wait for each other"),
        ([{"id": "a", "depends_on": ["a"]}], "a → a wait for each other"),
        ([{"id": "a", "depends_on": ["z"]}], "there is no task 'z' in the mission"),
    ],
)
def test_tasks_that_cannot_be_put_in_an_order_are_refused_with_the_place(tasks, told):
    with pytest.raises(InputError, match=told):
        Mission(tasks=tasks)
    with pytest.raises(InputError, match=f"subject.tasks: .*{told}"):
        Case.from_dict({"subject": {"kind": "mission", "tasks": tasks}})
    sound = [{"id": "a"}, {"id": "b", "depends_on": ["a"]}, {"id": "c", "depends_on": ["a", "b"]}]
    assert len(Mission(tasks=sound).tasks) == 3


def test_of_a_task_that_returned_nothing_it_cannot_say_whether_it_was_done():
    from witnessmark.checks.mission.tasks import tasks_delivered

    def outcome(*outputs, **more):
        tasks = [{"id": f"t{n}", "output": text, **more} for n, text in enumerate(outputs)]
        return tasks_delivered()(Case(goal="g", subject={"kind": "mission", "tasks": tasks}), {}).status

    assert outcome("The venue is booked.", "") == "partial"
    assert outcome("The venue is booked.", "Error: 500 internal") == "fail"
    assert outcome("The venue is booked.", "The budget is 40.") == "pass"
    assert outcome("The venue is booked.", "", record="a" * 64) == "pass"
    assert outcome("The venue is booked.", "\u200b") == "partial"


DECLINED = "I'm sorry, but I can't come to your party on Saturday. Thank you for inviting me."
CUT = "To start the machine, press the green button and wait until the"


@pytest.mark.parametrize(
    ("asked", "delivered", "status"),
    [
        ("Write a reply that declines the invitation", DECLINED, "pass"),
        ("Research the guests", "I'm sorry, I can't help with that.", "fail"),
        ("Write an error message for a failed login", "Error: wrong user name or password.", "pass"),
        ("Fetch the news", '{"error": {"code": 503, "message": "Service unavailable"}}', "fail"),
        ("Chapter 1", CUT, "partial"),
        ("Chapter 1", f"{CUT} light is on.", "pass"),
        ("Write the letter", "Dear [NAME], your order is ready.", "partial"),
        ("Write a template of the letter", "Dear [NAME], your order is ready.", "pass"),
    ],
)
def test_a_task_delivered_where_its_output_is_what_it_was_to_be(asked, delivered, status):
    from witnessmark.checks.mission.tasks import tasks_delivered

    tasks = [{"id": "a", "description": asked, "output": delivered}]
    assert tasks_delivered()(Case(goal="g", subject={"kind": "mission", "tasks": tasks}), {}).status == status


NOTHING_DONE = [
    "I cannot count the boilers.", "Unfortunately, I was unable to count the boilers.", "I could not finish this because the API key is missing.",
    "I will count the boilers now.", "", " \n", "None", "null", "N/A", "{}", "[]", "Failed.", "The task failed.", "status: failed", "Task aborted by user.",
    "Timed out after 30 seconds.", "Das kann ich leider nicht tun.", "Je ne peux pas faire cela.", "No puedo hacer eso.",
    "I was unable to reach the caretaker; the request timed out.", "I could not open the floor plan.", "Ich konnte den Plan leider nicht öffnen.",
]  # fmt: skip


@pytest.mark.parametrize("delivered", NOTHING_DONE)
def test_a_task_whose_output_declines_or_is_empty_fails_its_mission_whatever_a_judge_says(delivered):
    tasks = [
        {"id": "a", "description": "count boilers", "output": delivered},
        {"id": "b", "description": "count filters", "output": "24 filters are needed.", "depends_on": ["a"]},
    ]
    case = Case(subject={"kind": "mission", "goal": "Assess the plant", "tasks": tasks})
    record = Verifier(services={"judges": OneJudge(PerfectReader())}).verify_sync(case)
    told = "task 'a' returned an error, a refusal or nothing instead of its result; 'b' builds on it"
    assert (record.outcome, record.findings[0].message) == ("fail", told)


@pytest.mark.parametrize(
    ("asked", "delivered"),
    [
        ("Find leaks", "I could not find any leaks."),
        ("Which boilers are broken?", "None"),
        ("List the open issues", "[]"),
        ("Check whether the nightly job ran", "The job failed."),
        ("Verify the claim of the report", "I could not verify it."),
        ("count boilers", "I could not count those in hall C; halls A and B have 12."),
        ("count boilers", "I cannot recommend this boiler."),
        ("Assess the pump", "The pump failed."),
        ("Get quotes from movers", "I could not obtain more than 3 quotes."),
        ("Sum up the year", "We could not reach the target."),
        ("Draft a reply that we decline", "We cannot do that."),
    ],
)
def test_that_nothing_was_found_or_something_else_failed_is_a_result(asked, delivered):
    from witnessmark.checks.mission.tasks import tasks_delivered

    tasks = [{"id": "a", "description": asked, "output": delivered}]
    case = Case(goal="g", subject={"kind": "mission", "tasks": tasks})
    assert tasks_delivered()(case, {}).status == "pass"


def test_a_record_that_is_not_there_is_told_as_such():
    verifier = Verifier(store="memory:")
    there = verifier.verify_sync(output("The rule is R12."))
    tasks = [{"id": "a", "output": "x", "record": "0" * 64}, {"id": "b", "output": "y", "record": there.id}]
    record = verifier.verify_sync(Case(subject={"kind": "mission", "goal": "Assess", "tasks": tasks}))
    messages = [finding.message for finding in record.findings]
    assert "the record that task 'a' names is not in the store, or was purged" in messages
    assert "task 'b' is unverified" in messages, "its record is there, and says so"
