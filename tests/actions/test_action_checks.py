"""The checks of checkpoint `actions` as a caller sees them: what each says, counts, bounds and leaves open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from witnessmark import Case, Verifier
from witnessmark.actions.tree import capture
from witnessmark.actions.tree.view import TreeState
from witnessmark.core.errors import InputError
from witnessmark.core.record import Record, ResultRecord
from witnessmark.core.verdict import Finding

Report = Callable[..., Record]


def result(record: Record, node: str) -> ResultRecord:
    return next(result for result in record.results if result.node == node)


def findings(record: Record, check: str) -> list[Finding]:
    return [finding for finding in record.findings if finding.check == check]


def worded(text: str, *calls: dict[str, Any], root: Path | None = None, **more: Any) -> Record:
    """A report in words alone, with the calls of its session."""
    evidence = [{"id": "t", "kind": "trace", "data": list(calls)}] if calls else []
    case = Case(subject={"kind": "agent_output", "summary": text}, evidence=evidence, checkpoint="actions")
    world = TreeState(root=root, before=capture.take(root)) if root is not None else TreeState()
    return Verifier(services={"world": world}, **more).verify_sync(case)


def bash(command: str, output: str = "", code: int = 0) -> dict[str, Any]:
    return {"id": f"c-{command}", "name": "bash", "input": {"command": command}, "output": output, "exit_code": code}


GREEN, RED = bash("pytest -q", "3 passed in 0.1s"), bash("pytest -q", "1 failed, 2 passed in 0.1s", 1)


class TestSubjects:
    def test_only_the_output_of_an_agent_is_checked_so(self) -> None:
        case = Case(goal="Say hello.", subject={"kind": "task_output", "text": "Hello"}, checkpoint="actions")
        with pytest.raises(InputError, match="takes agent_output, not task_output"):
            Verifier().verify_sync(case)

    @pytest.mark.parametrize("text", ["Hello!", "What shall I do next?", "I will look at it tomorrow."])
    def test_words_without_a_statement_are_never_a_pass(self, text: str) -> None:
        record = worded(text, GREEN)
        assert (record.outcome, record.unverified_because) == ("unverified", "no_claims")


class TestVerdicts:
    @pytest.mark.parametrize(
        ("text", "call", "outcome"),
        [
            ("All tests pass.", GREEN, "pass"),
            ("All 3 tests pass.", GREEN, "pass"),
            ("All tests pass.", RED, "fail"),
            ("All 30 tests pass.", GREEN, "fail"),
            ("1 test fails, 2 pass.", RED, "pass"),
            ("All tests pass.", bash("ls"), "fail"),
            ("All tests pass.", bash("acme verify"), "unverified"),
            ("I ran `pytest -q`.", GREEN, "pass"),
            ("I ran `cargo build --release`.", GREEN, "fail"),
            ("I deployed it to production.", GREEN, "unverified"),
        ],
    )
    def test_of_one_statement(self, text: str, call: dict[str, Any], outcome: str) -> None:
        assert worded(text, call).outcome == outcome

    def test_one_that_holds_beside_one_that_is_open_is_partial(self) -> None:
        record = worded("All tests pass. I deployed it to production.", GREEN)
        assert record.outcome == "partial"
        open_ = result(record, "unverifiable_claims")
        (finding,) = findings(record, "unverifiable_claims")
        assert (open_.status, open_.cause, finding.severity) == ("abstain", "no_evidence", "warning")
        assert finding.suggestion

    def test_one_that_is_wrong_beside_one_that_holds_counts_half(self) -> None:
        record = worded("I ran `pytest -q`. All 30 tests pass.", GREEN)
        held = result(record, "claimed_actions")
        assert (held.status, held.score, held.details["wrong"], held.details["supported"]) == ("fail", 0.5, 1, 1)
        assert held.reason.startswith("1 of 2 claims does not hold")
        assert result(record, "unverifiable_claims").status == "skipped"

    def test_a_claim_says_which_call_bears_it_out(self) -> None:
        (claim,) = worded("All 3 tests pass.", GREEN).claims
        assert (claim.status, claim.details["call"], claim.evidence[0].id) == ("supported", GREEN["id"], "t")
        (wrong,) = worded("All 30 tests pass.", GREEN).claims
        assert (wrong.status, wrong.details["category"]) == ("contradicted", "wrong_counts")

    def test_a_finding_quotes_the_words_where_they_stand(self) -> None:
        text = "Hello.\n\nAll 30 tests pass.\n"
        (finding,) = worded(text, GREEN).findings
        assert finding.span is not None
        assert "30 tests pass" in text[slice(*finding.span)]


class TestUnread:
    """Statements of work that no claim was read from are listed, so that nobody takes them for checked."""

    @pytest.mark.parametrize(
        "text",
        ["I hardened the retry logic.", "Reworked the cache so that it evicts.", "The retry logic was hardened."],
    )
    def test_they_are_listed_with_their_place(self, text: str) -> None:
        report = f"All tests pass. {text}"
        details = result(worded(report, GREEN), "claimed_actions").details
        (unread,) = details["unread"]
        assert (details["unread_count"], unread["text"], report[slice(*unread["span"])]) == (1, text, text)

    @pytest.mark.parametrize("text", ["I will harden it later.", "Shall I harden the retry logic?", "Thanks!"])
    def test_what_states_no_work_is_not(self, text: str) -> None:
        assert "unread" not in result(worded(f"All tests pass. {text}", GREEN), "claimed_actions").details

    def test_a_report_with_one_does_not_pass_however_well_its_claims_hold(self) -> None:
        record = worded("All tests pass. The cache is twice as fast now.", GREEN)
        assert result(record, "claimed_actions").status == "pass"
        (finding,) = [one for one in record.findings if one.check == "unverifiable_claims"]
        assert (finding.category, finding.quote) == ("unverifiable_claim", "The cache is twice as fast now.")
        assert (record.outcome, record.coverage < 1.0) == ("partial", True)

    def test_each_part_of_a_sentence_is_looked_at(self) -> None:
        details = result(worded("I hardened the client and sorted the table.", GREEN), "claimed_actions").details
        assert [unread["text"] for unread in details["unread"]] == ["I hardened the client", "and sorted the table."]

    def test_a_value_that_was_read_is_not(self) -> None:
        record = worded("All tests pass. I raised the retry limit from 10 to 30.", GREEN)
        assert "unread" not in result(record, "claimed_actions").details

    def test_they_are_listed_where_no_claim_was_read_at_all(self) -> None:
        details = result(worded("I hardened the retry logic.", GREEN), "claimed_actions").details
        assert [unread["text"] for unread in details["unread"]] == ["I hardened the retry logic."]

    def test_where_claims_are_declared_the_words_are_not_searched(self, report: Report) -> None:
        claim = {"kind": "command", "command": "pytest -q"}
        record = report(claim, trace=[GREEN], summary="I hardened the retry logic.")
        assert "unread" not in result(record, "claimed_actions").details


class TestUnsaid:
    """What was done and must not go unsaid, in a verification as at a stop."""

    def test_a_weakened_test_fails_the_check_whatever_was_said(self) -> None:
        edit = {"id": "e", "name": "edit", "ok": True, "input": {
            "path": "tests/test_a.py", "old_string": "    assert add(1, 2) == 3\n", "new_string": "    assert True\n"}}  # fmt: skip
        record = worded("All tests pass.", edit, GREEN)
        held = result(record, "claimed_actions")
        assert (record.outcome, held.details["unsaid"]) == ("fail", 1)
        assert "done but not reported: tests/test_a.py" in findings(record, "claimed_actions")[-1].message
        told = worded("All tests pass. I replaced the assertion in `tests/test_a.py` by `assert True`.", edit, GREEN)
        assert "unsaid" not in result(told, "claimed_actions").details

    def test_beside_a_statement_that_is_wrong_both_are_found(self) -> None:
        deleted = bash("rm src/old.py")
        record = worded("All tests pass.", RED, deleted)
        assert result(record, "claimed_actions").reason.startswith("the claim does not hold: ")
        wrong, unsaid = findings(record, "claimed_actions")
        assert wrong.category == "wrong_counts"
        assert "src/old.py" in unsaid.message


class TestUndisclosed:
    @pytest.fixture
    def changed(self, tree: Path) -> TreeState:
        world = TreeState(root=tree, before=capture.take(tree))
        (tree / "new.txt").write_bytes(b"n")
        (tree / "a.txt").write_bytes(b"beta\n")
        return world

    @pytest.mark.parametrize(
        ("text", "unsaid"),
        [
            ("Created `new.txt` and updated `a.txt`.", []),
            ("Created `new.txt`.", ["a.txt"]),
            ("Updated `a.txt`.", ["new.txt"]),
            ("Tidied up.", ["a.txt", "new.txt"]),
        ],
    )
    def test_every_change_is_to_be_mentioned(self, changed: TreeState, text: str, unsaid: list[str]) -> None:
        case = Case(subject={"kind": "agent_output", "summary": text}, checkpoint="actions")
        record = Verifier(services={"world": changed}).verify_sync(case)
        found = findings(record, "undisclosed_changes")
        assert sorted(finding.quote or "" for finding in found) == unsaid
        assert result(record, "undisclosed_changes").details == {"changes": 2, "undisclosed": len(unsaid)}
        assert all(finding.severity == "warning" for finding in found)

    def test_what_nobody_needs_to_mention_is_not_counted(self, changed: TreeState, tree: Path) -> None:
        (tree / "__pycache__").mkdir()
        (tree / "__pycache__" / "calc.pyc").write_bytes(b"x")
        case = Case(subject={"kind": "agent_output", "summary": "Updated `a.txt`."}, checkpoint="actions")
        found = result(Verifier(services={"world": changed}).verify_sync(case), "undisclosed_changes")
        assert found.reason == "1 of 2 changes was not mentioned"

    def test_without_an_earlier_snapshot_nobody_knows(self, tree: Path) -> None:
        case = Case(subject={"kind": "agent_output", "summary": "Done."}, checkpoint="actions")
        found = result(Verifier(services={"world": TreeState(root=tree)}).verify_sync(case), "undisclosed_changes")
        assert (found.status, found.cause) == ("abstain", "no_evidence")

    def test_nothing_changed(self, tree: Path) -> None:
        found = result(worded("I read `a.txt`.", root=tree), "undisclosed_changes")
        assert (found.status, found.reason) == ("pass", "nothing changed")

    def test_after_a_fault_of_form_nothing_more_is_said(self, changed: TreeState, report: Report) -> None:
        found = result(report({"kind": "teleport"}, world=changed), "undisclosed_changes")
        assert found.status == "skipped"

    def test_many_are_counted_and_a_bounded_number_is_shown(self, tree: Path) -> None:
        world = TreeState(root=tree, before=capture.take(tree))
        for number in range(230):
            (tree / f"f{number}.txt").write_bytes(b"")
        case = Case(subject={"kind": "agent_output", "summary": "Updated the docs."}, checkpoint="actions")
        record = Verifier(services={"world": world}).verify_sync(case)
        shown = findings(record, "undisclosed_changes")
        assert (result(record, "undisclosed_changes").details["undisclosed"], len(shown)) == (230, 201)
        assert "more" in shown[-1].message


class TestBounds:
    def test_faults_of_form(self, report: Report) -> None:
        record = report(*[{"kind": "teleport"}] * 260)
        found, shown = result(record, "output_structure"), findings(record, "output_structure")
        assert (found.status, len(shown)) == ("fail", 201)
        assert shown[-1].message == "60 more of these"
        assert found.reason.startswith("260 format errors")

    def test_claims_that_cannot_be_checked(self, report: Report) -> None:
        record = report(*[{"kind": "file_write", "path": f"f{number}"} for number in range(240)])
        held = result(record, "claimed_actions")
        assert (held.status, len(record.claims)) == ("abstain", 240)
        assert len(findings(record, "claimed_actions")) == 201


class TestSilence:
    """Nothing was claimed: what the policy asks for, and what is offered to the agent."""

    WROTE = {"id": "w", "name": "write_file", "input": {"path": "x.py", "content": "1"}, "ok": True}

    @pytest.mark.parametrize(
        ("required", "outcome"), [("always", "fail"), ("if_changed", "fail"), ("never", "unverified")]
    )
    def test_a_list_that_is_missing(self, report: Report, required: str, outcome: str) -> None:
        record = report(trace=[self.WROTE], policy={"require_claims": required}, claims=None)
        assert record.outcome == outcome
        offered = result(record, "claimed_actions").details.get("offered", [])
        assert bool(offered) is (outcome == "fail")

    def test_words_are_warned_and_offered_what_the_trace_bears_out(self) -> None:
        record = worded("Have a nice day.", self.WROTE)
        silent = result(record, "claimed_actions")
        assert (record.outcome, silent.status, silent.cause) == ("unverified", "abstain", "no_claims")
        assert [finding.severity for finding in findings(record, "claimed_actions")] == ["warning"]
        assert "x.py" in silent.details["offered"][0]


class TestToolSchemas:
    SCHEMA = {"type": "object", "required": ["ok"], "properties": {"ok": {"type": "boolean"}}}

    def verify(self, output: Any, **context: Any) -> Record:
        calls = [{"id": "c", "name": "store:put", "input": {}, "output": output}]
        case = Case(
            subject={"kind": "agent_output", "summary": "s", "traceRef": "trace:t", "claims": [{"kind": "command", "command": "x"}]},
            evidence=[{"id": "t", "kind": "trace", "data": calls}],
            context=context,
        )  # fmt: skip
        return Verifier().verify_sync(case)

    def test_what_fits_and_what_does_not(self) -> None:
        fine = result(self.verify({"ok": True}, tool_schemas={"store:put": self.SCHEMA}), "tool_outputs")
        assert (fine.status, fine.reason) == ("pass", "1 tool output matches its schema")
        wrong = self.verify({"ok": "yes"}, tool_schemas={"store:put": self.SCHEMA})
        assert [finding.category for finding in wrong.findings] == ["schema_mismatch"]

    def test_a_tool_without_a_schema_is_not_checked(self) -> None:
        other = result(self.verify({"ok": "yes"}, tool_schemas={"store:get": self.SCHEMA}), "tool_outputs")
        assert (other.status, other.reason) == ("pass", "no tool with a declared schema was called")

    @pytest.mark.parametrize(
        ("context", "why"),
        [
            ({"tool_schemas": [1]}, "context.tool_schemas: should be an object"),
            ({"tool_manifests": {"a": 1}}, "context.tool_manifests: should be a list"),
            ({"tool_manifests": ["no-such-package/manifest"]}, "context.tool_manifests[0]"),
        ],
    )
    def test_a_context_that_cannot_be_read_is_an_error_with_its_place(self, context: dict[str, Any], why: str) -> None:
        found = result(self.verify({"ok": True}, **context), "tool_outputs")
        assert found.status == "error"
        assert why in found.reason
