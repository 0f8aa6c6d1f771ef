"""What a stop costs grows with its transcript, and outputs are looked through only where the report tells of what they may hold.

Work is counted: what is decoded, what is gathered, how many functions are called.
"""

from __future__ import annotations

import json

import msgspec
import pytest
from tests.work import calls

from witnessmark.actions.claims.collect import by_trace, trace_index
from witnessmark.actions.report.report import Report
from witnessmark.actions.session_claims.deeds import never_read
from witnessmark.actions.trace.activities import activity_of
from witnessmark.actions.trace.calls import ToolCall, Trace
from witnessmark.actions.trace.changes import TEST_STARTS, FileChange
from witnessmark.actions.trace.ledger import CheckRun
from witnessmark.actions.trace.outputs import output_pattern
from witnessmark.actions.trace.reader import read_trace
from witnessmark.actions.trace.scope import narrowed
from witnessmark.actions.tree.secrets import secrets_in


def transcript(runs: int) -> bytes:
    """A turn of so many commands, as Claude Code writes it."""
    lines = [{"type": "user", "message": {"role": "user", "content": "Mend the parser."}}]
    for n in range(runs):
        use = {"type": "tool_use", "id": f"c{n}", "name": "Bash", "input": {"command": f"go test ./p{n}"}}
        back = {"type": "tool_result", "tool_use_id": f"c{n}", "content": f"ok  p{n}  0.{n}s\n" * 20}
        lines.append({"type": "assistant", "message": {"role": "assistant", "content": [use]}})
        lines.append({"type": "user", "message": {"role": "user", "content": [back]}, "toolUseResult": {"stdout": ""}})
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def session(*outputs: str) -> Trace:
    """An edit and the commands that printed this."""
    made = [ToolCall("e", "Edit", {"file_path": "/r/a.py", "old_string": "a", "new_string": "b"}, "ok", ok=True)]
    made += [ToolCall(f"c{n}", "Bash", {"command": "./load.sh"}, text, 0, ok=True) for n, text in enumerate(outputs)]
    return Trace("t", tuple(made))


class TestReading:
    def test_every_line_is_decoded_once(self, monkeypatch):
        data, decode, seen = transcript(50), msgspec.json.decode, []
        monkeypatch.setattr(msgspec.json, "decode", lambda text: seen.append(len(text)) or decode(text))
        assert len(read_trace(data).trace.calls) == 50
        lines = [len(line) + 1 for line in data.splitlines()]
        assert seen == [len(data), *lines], "the whole is tried once, and ends with its first line"

    def test_a_transcript_twice_as_long_is_twice_the_work(self):
        def work(runs):
            data = transcript(runs)
            return calls(lambda: trace_index(read_trace(data).trace))

        work(1)  # tables are read
        short, long = work(100), work(200)
        assert long < 2.1 * short
        assert short < 100 * 700, "so many calls of functions for a command and its output"


class TestLookingThroughOutputs:
    @pytest.mark.parametrize(
        "report",
        [
            "I fixed the parser in `src/parse.py`.",
            "Restructured the loader and cleaned up the helpers. The build is green.",
            "The timeout is passed on from the settings, so nothing else has to change.",
        ],
    )
    def test_what_was_printed_is_not_gathered_for_a_report_that_tells_none_of_it(self, report):
        known = trace_index(session("loaded 120 rows in 3.2 s\n" * 50))
        by_trace(Report(report), known)
        assert known.gathered is None

    def test_it_is_where_the_report_tells_a_measure(self):
        known = trace_index(session("loaded 120 rows in 3.2 s\n"))
        told = by_trace(Report("The load takes 9.7 s, measured with the script."), known)
        assert known.gathered is not None
        assert [claim.name for claim in told if claim.name] == ["3.2 s"]

    def test_more_than_can_be_looked_through_is_not_searched_for_cuts(self):
        texts = trace_index(session("x" * 600_000, "x" * 600_000)).session_texts()
        assert not texts.complete
        assert "cut" not in vars(texts)

    def test_no_file_that_is_told_as_read_means_no_output_is_searched_for_it(self):
        known = trace_index(session("def parse(): ...\n"))
        assert not list(never_read(Report("I fixed the parser."), known))
        assert known.gathered is None or "shown" not in vars(known.gathered)


class TestBlankLines:
    """A pattern that begins before a line tries every blank line above it: a square of them, which nothing can interrupt."""

    @pytest.mark.parametrize("first", ["def test_x(", "    it('adds')", "func TestX(t *testing.T) {", "  fun testX("])
    def test_a_test_begins_on_its_own_line(self, first):
        assert TEST_STARTS.search(f"\n\n\n{first}").start() == 3
        assert len(TEST_STARTS.findall("\n" * 100_000 + first)) == 1

    @pytest.mark.parametrize(
        ("section", "name", "line"),
        [
            ("runs", "passed", "  ✓ adds"),
            ("runs", "failed", "  [FAILED] adds"),
            ("runs", "blames", "  ✗ adds"),
            ("runs", "blamed", "  --- FAIL: TestAdds"),
            ("runs", "go_ran", "  --- PASS: TestAdds"),
            ("git", "push", " ! [rejected] main"),
        ],
    )
    def test_what_a_program_printed_begins_on_its_own_line(self, section, name, line):
        assert output_pattern(section, name).search(f"\n\n\n{line}").start() == 3
        assert output_pattern(section, name).search("\n" * 100_000) is None

    def test_an_edit_of_blank_lines_is_an_edit_of_space(self):
        edit = FileChange("edit", "a.py", 1, 1, "c", "\n" * 100_000 + "x", "x  # so\n" + " " * 100_000)
        assert edit.cosmetic


def test_a_key_is_found_whatever_letters_its_name_goes_on_with():
    value = "q7Rm2Xk9Tb4Wz8Lp3Vn6Yc1H"
    assert list(secrets_in(f'secret_größe = "{value}"', "a.py")) == [value]
    assert list(secrets_in(f'secret\u00a0=\u00a0"{value}"', "a.py")) == [value]


def test_the_tests_that_a_command_names_are_read_once_however_many_names_a_word_strings_together():
    def run(word):
        return CheckRun(1, 1, ToolCall("c", "Bash", {"command": "pytest"}), "test", (), (activity_of(("pytest", word)),), "passed")  # fmt: skip

    assert narrowed(run("tests/test_a.py::TestA::test_b")) == "tests/test_a.py::TestA::test_b"
    assert narrowed(run("::a" * 100_000)) == "::a" * 100_000
    assert narrowed(run("::a" * 100_000 + "\n")) == "", "no name has a line end; without that, this test takes minutes"
