"""TaskVerifier: the older names and shapes, and metrics that add up."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.work import PER_MS, calls

from witnessmark.actions.trace.calls import ToolCall, Trace
from witnessmark.actions.tree import capture
from witnessmark.compat.task_verifier import TaskVerifier, execute_with_escalation


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "a.txt").write_bytes(b"alpha")
    return tmp_path / "tree"


def output(*claims: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"summary": "Done.", "traceRef": "trace:t", "claims": list(claims)} | more


GOOD = {"kind": "file-write", "filePath": "a.txt", "contentHash": sha(b"alpha")}
GHOST = {"kind": "file-write", "filePath": "ghost.txt", "contentHash": sha(b"x")}
WRONG = {"kind": "file-write", "filePath": "a.txt", "contentHash": sha(b"x")}


def test_verify_says_valid_level_and_errors(tree: Path) -> None:
    verifier = TaskVerifier({"any": "context"})
    assert verifier.ctx == {"any": "context"}  # req: S3-018
    good = verifier.verify_sync(output(GOOD), [], tree, "implementer", "subtask-1")
    assert (good.valid, good.level, good.errors) == (True, 3, ())  # req: S3-019
    bad = verifier.verify_sync(output(GHOST), [], tree, "implementer", "subtask-1")
    assert (bad.valid, bad.level, bad.failed_level, bad.levels_run) == (False, 3, 3, (1, 3))  # req: S3-022
    assert bad.errors[0]["category"] == "file_not_found"
    assert "ghost.txt" in bad.errors[0]["message"]
    assert bad.feedback.startswith("PREVIOUS ATTEMPT FEEDBACK")
    assert [done.record.case_id for done in (good, bad)] == ["subtask-1", "subtask-1"]  # req: S3-039
    assert verifier.get_metrics()["bySpecialist"] == {
        "implementer": {"total": 2, "passed": 1, "failed": 1}
    }  # req: S3-039


def test_verify_is_async_too(tree: Path) -> None:
    assert asyncio.run(TaskVerifier().verify(output(GOOD), None, tree)).valid


def test_a_trace_in_any_of_its_forms(tree: Path) -> None:
    ran = {"kind": "command-executed", "command": "ls", "exitCode": 0}
    call = {"id": "c", "name": "sh", "input": {"command": "ls"}, "exit_code": 0}
    verifier = TaskVerifier()
    for trace in ([call], {"id": "t", "calls": [call]}, Trace(id="t", calls=(ToolCall(**call),))):
        assert verifier.verify_sync(output(ran), trace, tree).valid
    assert not verifier.verify_sync(output(ran), None, tree).valid, "no trace is not valid"
    other = verifier.verify_sync(output(ran), Trace(id="other", calls=(ToolCall(**call),)), tree)
    assert (other.valid, other.errors[0]["category"]) == (False, "trace_unresolved")


def test_outputs_that_are_hardly_any(tree: Path) -> None:
    verifier = TaskVerifier()
    for strange in (None, "text", [], {}, {"surprise": 1}):
        checked = verifier.verify_sync(strange, None, tree)
        assert (checked.valid, checked.level) == (False, 1)
        assert {error["category"] for error in checked.errors} == {"missing_field"}
    silent = verifier.verify_sync(output(), None, tree)
    assert (silent.valid, silent.errors[0]["category"]) == (False, "no_claims")


def test_metrics_as_listed(tree: Path) -> None:
    verifier = TaskVerifier()
    verifier.verify_sync(output(GOOD), [], tree, "implementer")
    verifier.verify_sync(output(GHOST, WRONG), [], tree, "implementer")
    verifier.verify_sync({"summary": 7}, [], tree, "tester")
    metrics = verifier.get_metrics()
    names = {"totalChecks", "passRate", "byLevel", "bySpecialist", "errorsByCategory"}
    assert set(metrics) == names == set(verifier.getMetrics())  # req: S3-020
    assert metrics["totalChecks"] == 3  # req: S3-023
    assert metrics["passRate"] == pytest.approx(1 / 3)  # req: S3-024
    assert {k: metrics["byLevel"][1][k] for k in ("total", "passed", "failed")} == {
        "total": 3,
        "passed": 2,
        "failed": 1,
    }  # req: S3-025
    assert metrics["byLevel"][2]["total"] == 0
    assert {k: metrics["byLevel"][3][k] for k in ("total", "passed", "failed")} == {
        "total": 2,
        "passed": 1,
        "failed": 1,
    }
    assert metrics["bySpecialist"]["implementer"] == {"total": 2, "passed": 1, "failed": 1}  # req: S3-026
    wanted = {"file_not_found": 1, "hash_mismatch": 1, "missing_field": 1, "invalid_type": 1}
    assert metrics["errorsByCategory"] == wanted, "every failed claim counts"  # req: S3-027


def test_metrics_start_anew(tree: Path) -> None:
    verifier = TaskVerifier()
    verifier.verify_sync(output(GOOD), [], tree)
    assert verifier.get_metrics()["totalChecks"] == 1, "counted without asking"  # req: S3-028
    verifier.clear_metrics()
    empty = verifier.get_metrics()
    assert (empty["totalChecks"], empty["passRate"], empty["errorsByCategory"]) == (0, 0.0, {})  # req: S3-021


@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["good", "ghost", "wrong", "broken", "silent"]), st.sampled_from(["", "a", "b"])),
        max_size=8,
    )
)
def test_metrics_always_add_up(runs: list[tuple[str, str]]) -> None:
    import tempfile

    made = {
        "good": output(GOOD),
        "ghost": output(GHOST, GOOD),
        "wrong": output(WRONG),
        "broken": {},
        "silent": output(),
    }
    verifier = TaskVerifier()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.txt").write_bytes(b"alpha")
        checked = [verifier.verify_sync(made[kind], [], folder, name) for kind, name in runs]
    metrics = verifier.get_metrics()
    assert metrics["totalChecks"] == len(runs) == sum(s["total"] for s in metrics["bySpecialist"].values())
    assert metrics["passRate"] * len(runs) == pytest.approx(sum(c.valid for c in checked))  # req: C38
    assert metrics["byLevel"][1]["total"] == len(runs)
    assert metrics["byLevel"][3]["total"] == sum(3 in c.levels_run for c in checked)
    for stats in [*metrics["byLevel"].values(), *metrics["bySpecialist"].values()]:
        assert stats["passed"] + stats["failed"] == stats["total"]
    assert sum(metrics["errorsByCategory"].values()) == sum(len(c.errors) for c in checked)


def test_two_strategies_are_compared_by_their_metrics(tree: Path) -> None:
    before = capture.take(tree)
    (tree / "extra.txt").write_bytes(b"1")
    (tree / "a.txt").write_bytes(b"alpha")
    lenient = TaskVerifier(before=before)
    strict = TaskVerifier(before=before, policy={"must_pass": ["undisclosed_changes"]})
    for verifier in (lenient, strict):
        verifier.verify_sync(output(GOOD), [], tree)
    assert (lenient.get_metrics()["passRate"], strict.get_metrics()["passRate"]) == (1.0, 0.0)  # req: S3-042


def test_what_must_pass_fails_its_level_in_the_result_and_in_the_metrics(tree: Path) -> None:
    before = capture.take(tree)
    (tree / "extra.txt").write_bytes(b"1")
    strict = TaskVerifier(before=before, policy={"must_pass": ["undisclosed_changes"]})
    done = strict.verify_sync(output(GOOD), [], tree)
    assert (done.valid, done.failed_level) == (False, 3)  # req: S3-022
    assert strict.get_metrics()["byLevel"][3]["failed"] == 1  # req: S3-025


def test_one_specialist_is_not_blamed_for_the_files_of_the_one_before(tree: Path) -> None:
    async def both() -> list[Any]:
        verifier = TaskVerifier(before=capture.take(tree), policy={"must_pass": ["undisclosed_changes"]})

        async def writes(name: str, claimed: str) -> tuple[Any, Any]:
            (tree / name).write_bytes(b"new")
            return output({"kind": "file-write", "filePath": claimed, "contentHash": sha(b"new")}), []

        run = execute_with_escalation
        _, first = await run(lambda _: writes("one.txt", "one.txt"), verifier, base_path=tree, subtask_id="s1")
        _, second = await run(lambda _: writes("two.txt", "two.txt"), verifier, base_path=tree, subtask_id="s2")
        return [first, second]

    first, second = asyncio.run(both())
    assert first.valid
    assert second.valid, second.errors  # req: S3-037


def test_an_output_is_verified_before_it_is_accepted_and_retried_with_backoff(tree: Path) -> None:
    waits: list[float] = []
    told: list[str | None] = []

    async def liar(feedback: str | None) -> tuple[Any, Any]:
        told.append(feedback)
        return output(GHOST), []

    async def wait(seconds: float) -> None:
        waits.append(seconds)

    verifier = TaskVerifier(policy={"max_revisions": 10})
    _, checked = asyncio.run(execute_with_escalation(liar, verifier, base_path=tree, specialist_id="x", sleep=wait))
    assert not checked.valid, "what does not hold is never accepted"  # req: S3-037
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300]  # req: S3-038
    assert len(told) == 11
    assert all("ghost.txt" in (text or "") for text in told[1:])


def test_level_one_and_three_stay_within_their_budgets(tree: Path) -> None:
    """By calls, of which a millisecond has a thousand at least; both levels together stay below the smaller budget of the two."""
    verifier = TaskVerifier()
    verifier.verify_sync(output(GOOD), [], tree)
    assert calls(lambda: verifier.verify_sync(output(GOOD), [], tree)) < 10 * PER_MS  # req: S3-044
    levels = verifier.get_metrics()["byLevel"]
    assert [levels[level]["total"] for level in (1, 3)] == [2, 2]
