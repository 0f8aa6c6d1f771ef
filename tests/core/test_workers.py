"""Worker processes: a task has so much time, CPU time and memory; what goes beyond ends alone, and the next one is served."""

from __future__ import annotations

import asyncio
import operator
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from witnessmark import Case, Verifier
from witnessmark.core.errors import WorkLimitError
from witnessmark.core.record import Record
from witnessmark.core.work import pipes
from witnessmark.core.work import pool as pool_module
from witnessmark.core.work.checks import CheckWorkers
from witnessmark.core.work.offload import NotPortableError, WorkSettings
from witnessmark.core.work.pool import TaskPool
from witnessmark.judges.scripted_judge import ScriptedJudge
from witnessmark.settings import Settings
from witnessmark.testing import OneJudge
from witnessmark.verifier import task_pool

QUICK = WorkSettings(processes=2, cpu_s=1.0, wall_s=600.0, memory_mb=300)  # a starved second takes minutes
PATIENT = {"check_s": 3600, "case_s": 3600}
HERE = Verifier(Settings(limits=PATIENT))


@pytest.fixture(scope="module")
def pool() -> Iterator[TaskPool]:
    made = task_pool(2, QUICK)
    yield made
    made.close()


@pytest.fixture
def pool_of() -> Iterator[Callable[..., TaskPool]]:
    """Makes pools with limits of their own; they are closed however the test ends."""
    made: list[TaskPool] = []

    def make(count: int, settings: WorkSettings) -> TaskPool:
        made.append(TaskPool(count, settings, modules=(__name__,)))
        return made[-1]

    yield make
    for one in made:
        one.close()


def call(pool: TaskPool, function, *args):
    return asyncio.run(pool.call("a", function, *args))


def test_a_function_runs_in_another_process(pool):
    assert call(pool, os.getpid) != os.getpid()
    assert call(pool, sorted, [3, 1, 2]) == [1, 2, 3]


def test_what_it_raises_is_raised_here(pool):
    with pytest.raises(ZeroDivisionError):
        call(pool, operator.truediv, 1, 0)


def wait_for(file: str) -> str:
    while not os.path.exists(file):  # noqa: PTH110 - a plain function of a worker
        time.sleep(0.01)
    return "done"


def test_a_worker_that_is_starved_is_waited_for(pool_of, tmp_path, monkeypatch):
    """It comes to its end after its time was up several times, and had worked a little each time."""
    asked: list[int] = []

    def used(pid: int) -> float:
        asked.append(pid)
        if len(asked) == 4:
            (tmp_path / "open").touch()
        return float(len(asked))

    monkeypatch.setattr(pipes, "cpu_seconds", used)
    monkeypatch.setattr(pool_module, "MOST_WAITS", 10_000)  # this one may be starved indeed
    assert call(pool_of(1, WorkSettings(wall_s=0.05)), wait_for, str(tmp_path / "open")) == "done"
    assert len(asked) >= 4


@pytest.mark.parametrize(
    ("used", "most"), [(lambda times: 0.0, 2), (float, 11)], ids=["without working", "however little it gets done"]
)
def test_a_worker_that_does_not_come_to_an_end_is_not_waited_for_without_end(pool_of, monkeypatch, used, most):
    asked: list[int] = []
    pool = pool_of(1, WorkSettings(wall_s=0.1))
    pool.start()
    while not pool.pids():
        time.sleep(0.01)
    (worker,) = pool.pids()
    monkeypatch.setattr(pipes, "cpu_seconds", lambda pid: asked.append(pid) or used(len(asked)))
    with pytest.raises(WorkLimitError, match=r"no answer within 0\.1 s") as caught:
        call(pool, time.sleep, 3600)
    assert caught.value.deadline
    assert asked.count(worker) == most  # the one in its place is looked after while it starts


def test_the_cpu_time_of_a_process_grows_with_its_work_and_is_0_where_there_is_none():
    before = pipes.cpu_seconds(os.getpid())
    assert before > 0
    while pipes.cpu_seconds(os.getpid()) == before:
        sum(range(100_000))
    assert pipes.cpu_seconds(999_999_999) == 0.0


class UnreadableResult:
    """Can be sent, and not be made anew."""

    def __reduce__(self):
        return (int, ("one",))


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (threading.Lock, "what its worker process gave cannot be sent: cannot pickle '_thread.lock' object"),
        (UnreadableResult, "what its worker process gave cannot be read here: invalid literal"),
    ],
)
def test_a_result_that_cannot_come_back_is_the_cause_and_not_the_memory(pool_of, function, said):
    one = pool_of(1, QUICK)
    before = call(one, os.getpid)
    with pytest.raises(NotPortableError, match=said):
        call(one, function)
    assert call(one, os.getpid) == before, "its worker process goes on"


def test_what_cannot_be_sent_is_said_so(pool):
    with pytest.raises(NotPortableError):
        call(pool, lambda: 1)


@pytest.mark.parametrize(
    ("function", "args", "said", "deadline"),
    [
        (sum, (range(10**13),), "1 s of CPU time", True),
        (bytearray, (3_000_000_000,), "300 MB", False),
        (os.abort, (), "signal 6", False),
        (os._exit, (3,), "code 3", False),
    ],
)
def test_a_task_that_takes_too_much_ends_alone(pool, function, args, said, deadline):
    with pytest.raises(WorkLimitError, match=said) as caught:
        call(pool, function, *args)
    assert caught.value.deadline is deadline
    assert call(pool, sorted, [2, 1]) == [1, 2], "the next one finds a worker"


def test_what_tasks_leave_behind_is_bounded_too(pool_of):
    pool = pool_of(1, WorkSettings(cpu_s=100.0, wall_s=600.0, memory_mb=100))  # taking memory needs CPU time too
    hoard = "import sys; sys.hoard = [*getattr(sys, 'hoard', ()), bytearray(80_000_000)]"
    for _ in range(2):
        call(pool, exec, hoard)
    with pytest.raises(WorkLimitError, match="100 MB"):
        call(pool, exec, hoard)  # a third time would be 240 MB beyond the worker's own size
    assert call(pool, sorted, [2, 1]) == [1, 2]


def test_a_pool_that_is_closed_while_its_processes_start_leaves_none_behind(pool_of, monkeypatch):
    start, started = pipes.start, []
    monkeypatch.setattr(pipes, "start", lambda program: started.append(start(program)) or started[-1])
    pool = pool_of(2, QUICK)
    pool.start()
    while len(started) < 2:
        time.sleep(0.01)
    pool.close()
    assert [process.wait() for process in started] == [-signal.SIGKILL] * 2
    assert pool.pids() == []


def test_whoever_waits_for_a_worker_when_the_pool_is_closed_is_told(pool_of):
    pool = pool_of(1, QUICK)

    async def closed_meanwhile() -> list[object]:
        asked = [asyncio.create_task(pool.call(sender, len, "")) for sender in "aab"]
        await asyncio.sleep(0)  # all three wait: starting a process takes longer than a turn of the loop
        pool.close()
        return await asyncio.gather(*asked, return_exceptions=True)

    assert [str(told) for told in asyncio.run(closed_meanwhile())] == ["the workers are stopped"] * 3


def test_a_task_that_nobody_waits_for_any_more_is_ended(pool):
    async def given_up() -> list[int]:
        task = asyncio.create_task(pool.call("a", time.sleep, 60))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await asyncio.gather(*(pool.call("a", operator.add, n, 1) for n in range(5)))

    assert asyncio.run(given_up()) == [1, 2, 3, 4, 5]


def test_one_sender_never_has_all_workers_and_turns_are_taken(pool_of, tmp_path):
    """The tasks of the hostile one end once those of the other one are done, and they are done."""
    pool = pool_of(2, QUICK)
    pool.start()
    gate = tmp_path / "open"

    async def together() -> list[str]:
        finished: list[str] = []

        async def one(sender: str, function, *args) -> None:
            await pool.call(sender, function, *args)
            finished.append(sender)

        while len(pool.pids()) < 2:  # noqa: ASYNC110 - processes tell no loop that they are there
            await asyncio.sleep(0.05)
        many = [asyncio.create_task(one("hostile", wait_for, str(gate))) for _ in range(4)]
        await asyncio.sleep(0)
        await asyncio.gather(*(asyncio.create_task(one("other", len, "")) for _ in range(6)))
        gate.touch()
        await asyncio.gather(*many)
        return finished

    assert asyncio.run(together()) == ["other"] * 6 + ["hostile"] * 4


# --- checks -----------------------------------------------------------------------------------------------------------


def deep(levels: int) -> str:
    return '{"a":' * levels + "1" + "}" * levels


def two_ways(levels: int) -> dict:
    """Within every limit, and yet two to the power of the depth of the text: each level is reached in two ways."""
    parts = {}
    for at in range(levels):
        both = {"properties": {"a": {"allOf": [{"$ref": f"#/$defs/l{at + 1}"}, {"$ref": f"#/$defs/m{at + 1}"}]}}}
        parts |= {f"l{at}": both, f"m{at}": both}
    last = {"type": ["object", "integer"]}
    return {"$ref": "#/$defs/l0", "$defs": {**parts, f"l{levels}": last, f"m{levels}": last}}


@pytest.fixture(scope="module")
def verifier() -> Iterator[Verifier]:
    made = Verifier(Settings(work=QUICK, limits=PATIENT))
    yield made
    asyncio.run(made.close())


@pytest.fixture(scope="module")
def patient() -> Iterator[Verifier]:
    """For what may take a while: a model may have to be loaded."""
    made = Verifier(Settings(work={"processes": 1, "cpu_s": 100, "wall_s": 600}, limits=PATIENT))
    yield made
    asyncio.run(made.close())


def asked(text: str, *criteria: dict) -> Case:
    return Case.from_dict({"subject": {"kind": "task_output", "text": text}, "criteria": list(criteria)})


def result_of(verifier: Verifier, case: Case, check: str):
    return next(result for result in verifier.verify_sync(case).results if result.check == check)


def test_a_check_that_would_never_end_abstains_and_the_others_are_settled(verifier):
    case = asked(deep(80), {"check": "json_schema", "value": two_ways(60)}, {"check": "min_length", "value": 5})
    record = verifier.verify_sync(case)
    by_check = {result.check: result for result in record.results}
    assert (by_check["json_schema"].status, by_check["json_schema"].cause) == ("abstain", "deadline")
    assert by_check["json_schema"].reason == "more than 1 s of CPU time were needed"
    assert by_check["min_length"].status == "pass"
    assert (record.outcome, record.unverified_because) == ("unverified", "deadline")


INSTANT = {
    "a short text and a few words": (True, "An order.", {"check": "contains_keywords", "value": ["order", "apples"]}),
    "a text that is long": (False, "x" * 10_001, {"check": "contains_keywords", "value": ["order"]}),
    "many words over a middling text": (
        False,
        "x" * 5_000,
        {"check": "contains_keywords", "value": [f"w{n}" for n in range(500)]},
    ),
    "a plain schema": (True, "{}", {"check": "json_schema", "value": {"type": "object"}}),
    "a schema that refers to itself": (
        False,
        "{}",
        {"check": "json_schema", "value": {"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}}},
    ),
}


@pytest.mark.parametrize("name", INSTANT)
def test_an_instant_check_runs_inline_only_where_a_bound_on_its_input_shows_that_it_is_one(pool, name):
    inline, text, criterion = INSTANT[name]
    case = asked(text, criterion)
    (node,) = [node for node in Verifier().graph_of(case).nodes if node.check.name == criterion["check"]]
    assert CheckWorkers(pool, "a").inline(node.check, case) is inline


def test_a_check_that_is_not_instant_never_runs_inline(pool):
    case = Case.from_dict({"subject": {"kind": "answer", "text": "Yes."}, "evidence": [{"id": "d", "text": "Yes."}]})
    slow = [node.check for node in Verifier().graph_of(case).nodes if node.check.cost == "local"]
    assert slow
    assert not any(CheckWorkers(pool, "a").inline(check, case) for check in slow)


def test_a_check_finds_the_same_in_a_worker_as_in_process(patient):
    texts = ["An order of apples. " * 2_000, deep(5)]
    criteria = [
        {
            "check": "json_schema",
            "value": {"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}},
            "must_pass": False,
        },
        {"check": "contains_keywords", "value": ["apples", "pears"], "must_pass": False},
        {"check": "similar_to", "value": {"text": "An order of pears."}, "must_pass": False},
        {"check": "not", "value": {"check": "contains", "value": "pears"}, "must_pass": False},
    ]
    for text in texts:
        alone, apart = HERE.verify_sync(asked(text, *criteria)), patient.verify_sync(asked(text, *criteria))
        assert apart.id == alone.id, "same case, same verdict, wherever the checks ran"


def test_grounding_in_a_worker_gives_the_same_record(patient):
    case = Case.from_dict({
        "subject": {"kind": "answer", "text": "The bridge is 300 m long. It was opened in 1932. It is painted red."},
        "evidence": [{"id": "d", "text": "The bridge, opened in 1932, has a length of 503 m."}],
    })  # fmt: skip
    assert patient.verify_sync(case).id == HERE.verify_sync(case).id


def test_claims_that_go_on_to_a_judge_come_back_from_the_worker_that_read_them(patient):
    """Figures of tables are worked out once for all claims; what does that could not be sent, and every such case ended as an error."""
    case = Case.from_dict({
        "question": "What do five seats cost?",
        "answer": "Five seats cost 60 euros. The mood in the office was splendid.",
        "sources": ["| plan | seats | price |\n|---|---|---|\n| Solo | 1 | 15 |\n| Team | 5 | 60 |"],
    })  # fmt: skip

    def records() -> Iterator[Record]:
        for verifier in (patient, HERE):
            judge = ScriptedJudge(
                [{"claims": [], "suggested_corrections": [], "is_grounded": True, "overall_confidence": 1}]
            )
            yield verifier.with_services({"judges": OneJudge(judge)}).verify_sync(case)
            assert len(judge.asked) == 1

    apart, alone = records()
    assert all(result.status != "error" for result in apart.results)
    assert apart.id == alone.id


def test_a_check_made_while_the_program_runs_stays_in_this_process(verifier, register):
    from witnessmark import Result

    @register("test-here", cost="local")
    def here():
        return lambda case, prior: Result(status="pass", score=1.0, reason=str(os.getpid()))

    assert result_of(verifier, asked("x", {"check": "test-here"}), "test-here").reason == str(os.getpid())
