"""On a terminal: tables that are drawn, colour for those who want it, progress that goes away; in a pipe nothing of it."""

from __future__ import annotations

import io
import json
import re
import sys

import pytest

from witnessmark.batch.job import BatchReport, BatchStep
from witnessmark.batch.values import Tally
from witnessmark.cli.app import command_line
from witnessmark.cli.commands import batch as progress

CASES = [
    {"id": name, "subject": {"kind": "task_output", "text": text}, "criteria": [{"check": "min_length", "value": 5}]}
    for name, text in (("fine", "long enough"), ("short", "no"))
]
ANSWER = ("check", "-q", "How did sales do?", "-a", "Sales grew by 40 % in 2023.", "-t", "Sales grew by 14 % in 2023.")
STYLE = re.compile(r"\x1b\[[0-9;]*m")
RED, GREEN = "\x1b[31m", "\x1b[32m"


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def __init__(self):
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def isatty(self):
        return True

    def shown(self):
        return self.buffer.getvalue().decode()


@pytest.fixture
def terminal(monkeypatch, tmp_path):
    """Run one command with standard output and standard error on a terminal; gives what it shows."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WITNESSMARK_STORE", f"sqlite:///{tmp_path}/s.db")
    monkeypatch.setenv("COLUMNS", "160")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "witnessmark.toml").write_text('[verification]\nmodel = "rules"\n')
    (tmp_path / "cases.jsonl").write_text("\n".join(map(json.dumps, CASES)))

    def call(*words, term="xterm-256color", **environment):
        monkeypatch.setenv("TERM", term)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        out = Terminal()
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", out)
        with pytest.raises(SystemExit):
            command_line()([str(word) for word in words])
        return out.shown()

    return call


def test_outcomes_are_coloured_by_what_they_mean(terminal):
    shown = terminal("verify", "cases.jsonl")
    row = {line.split()[0].strip(): line for line in shown.splitlines() if line.strip()}
    assert f"{GREEN}pass" in row["fine"]
    assert f"{RED}fail" in row["short"]


@pytest.mark.parametrize("wish", [{"NO_COLOR": "1"}, {"term": "dumb"}], ids=["NO_COLOR", "a dumb terminal"])
def test_who_wants_no_colour_gets_none_anywhere(terminal, wish):
    shown = terminal("verify", "cases.jsonl", **wish) + terminal(*ANSWER, **wish)
    shown += terminal("show", record_id(terminal, **wish), **wish)
    assert "\x1b[3" not in shown
    assert "**40 %**" in shown, "wrong words are marked by asterisks instead"


def record_id(terminal, **wish):
    return json.loads(terminal(*ANSWER, "--json", **wish).splitlines()[-1])["id"]


def test_claims_are_coloured_in_the_response_that_show_prints(terminal):
    shown = terminal("show", record_id(terminal))
    assert f"[1] {RED}contradicted" in shown
    assert "\x1b[1;31m" in shown, "the wrong words stand out"


def test_many_rows_are_plain_text_even_there(terminal, tmp_path):
    lines = (json.dumps(CASES[0] | {"id": f"n{number}"}) for number in range(401))
    (tmp_path / "many.jsonl").write_text("\n".join(lines))
    shown = terminal("verify", "many.jsonl")
    assert "n400  task        pass" in shown
    assert GREEN not in shown


class TestProgress:
    @pytest.fixture
    def clock(self, monkeypatch):
        """A clock that a test moves."""
        now = [100.0]
        monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
        return now

    @staticmethod
    def step(rows):
        return BatchStep(tally=Tally(), rows=rows, resumed_rows=0, share=None, seconds=1.0)

    def test_on_a_terminal_one_line_moves_and_is_gone_at_the_end(self, monkeypatch, clock):
        out = Terminal()
        monkeypatch.setattr(sys, "stderr", out)
        with progress.ProgressLine() as line:
            for rows in (1, 2, 3):
                clock[0] += 0.2
                line.show(self.step(rows))
        assert out.shown() == "\r\x1b[K2 rows, 2/s, $0.00\r\x1b[K", (
            "every quarter of a second, and then nothing is left"
        )

    def test_in_a_pipe_it_is_a_line_every_ten_seconds(self, monkeypatch, clock, capsys):
        with progress.ProgressLine() as line:
            for rows in range(1, 31):
                clock[0] += 1.0
                line.show(self.step(rows))
        told = capsys.readouterr().err.splitlines()
        assert told == [f"witnessmark: {rows} rows, {rows}/s, $0.00" for rows in (10, 20, 30)]

    def test_quiet_is_quiet(self, monkeypatch, clock, capsys):
        with progress.ProgressLine(quiet=True) as line:
            clock[0] += 60.0
            line.show(self.step(7))
        assert capsys.readouterr().err == ""


class TestWhileOneAnswerIsChecked:
    """A model that is loaded takes seconds, in which a terminal that stays empty looks like one that hangs."""

    @pytest.mark.parametrize(
        ("words", "said"),
        [(ANSWER, "checking the answer …"), (("verify", "cases.jsonl"), "verifying …")],
        ids=["check", "verify"],
    )
    def test_a_terminal_says_so_and_the_line_is_gone_at_the_end(self, terminal, words, said):
        shown = terminal(*words)
        assert said in shown
        assert shown.partition(said)[2].startswith(f"\r{' ' * 40}\r")

    def test_who_reads_json_reads_nothing_else(self, terminal):
        assert json.loads(terminal(*ANSWER, "--json"))["outcome"] == "fail"

    def test_a_pipe_says_nothing_of_it(self, cli):
        assert cli(*ANSWER).stderr == ""


class TestATerminalOf80Columns:
    """The width that a terminal opens with. A table that has no room there is told in two parts, and nothing is cut to ribbons."""

    @pytest.fixture
    def narrow(self, terminal, monkeypatch):
        monkeypatch.setenv("COLUMNS", "80")
        terminal(*ANSWER)
        return lambda *words: STYLE.sub("", terminal(*words, NO_COLOR="1")).splitlines()

    def test_the_records_table_shows_ids_outcomes_and_reasons_whole(self, narrow):
        heading, _, row, *reason = narrow("records")
        assert heading.split() == ["record", "when", "case", "checkpoint", "outcome", "action"]
        identity, *_, checkpoint, outcome, action = row.split()
        assert len(identity) == 12
        assert (checkpoint, outcome, action) == ("answer", "fail", "correct")
        assert "score 0.00" in reason[0]
        assert '"40 %" differs from source d1, which says "14 %"' in reason[0]

    @pytest.mark.parametrize(
        "words",
        [ANSWER, ("records",), ("verify", "cases.jsonl"), ("checks",), ("checkpoints",), ("metrics",)],
        ids=" ".join,
    )
    def test_no_line_is_wider(self, narrow, words):
        assert [line for line in narrow(*words) if len(line) > 80] == []

    def test_a_batch_that_went_on_says_so_in_a_line_of_its_own(self, narrow, monkeypatch):
        out = "a-folder-with-a-long-name/and-a-file-with-a-long-name.jsonl"
        report = BatchReport(out=out, tally=Tally(), rows=12_345_678, resumed_rows=1_234_567)
        monkeypatch.setattr(progress.running, "run", lambda *given, **more: report)
        *_, written, resumed = narrow("batch", "cases.jsonl", "out.jsonl")
        assert written == f"written to {out}"
        assert resumed == "1,234,567 of 12,345,678 rows by the run that was interrupted"

    def test_where_to_read_on_is_said_of_records_that_are_kept(self, narrow):
        assert "`witnessmark show ID` explains one" in narrow("verify", "cases.jsonl")[-1]
        assert narrow("verify", "cases.jsonl", "--store", "memory:")[-1] == "2 cases: 1 pass · 1 fail"

    def test_a_reason_is_wrapped_between_words(self, narrow):
        shown = " ".join(line.strip() for line in narrow("verify", "cases.jsonl"))
        assert "2 characters, at least 5 are asked for" in shown

    def test_a_path_that_is_too_long_is_cut_and_says_so(self, narrow, tmp_path):
        (tmp_path / "cases.jsonl").write_text(json.dumps(CASES[0] | {"id": "x" * 90}))
        assert "x" * 43 + "…  task" in "\n".join(narrow("verify", "cases.jsonl"))
