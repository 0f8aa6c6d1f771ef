"""Killed at any point and run again, a batch loses nothing and doubles nothing: the output is the same, byte for byte."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from witnessmark.batch import job as running
from witnessmark.batch.chunks import LEAST
from witnessmark.batch.job import CHUNK, BatchJob
from witnessmark.batch.journal import Journal
from witnessmark.batch.values import ChunkResult, Tally
from witnessmark.core.errors import UsageError
from witnessmark.settings import Settings
from witnessmark.stores import open_store
from witnessmark.testing.stub_server import StubServer

HEEDING = {"start_new_session": True, "preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
"""A shell that starts the tests in the background has them ignore the signal; the program must not."""


class StoppedError(Exception):
    """Stands for the end of the process."""


def stop_after(count):
    """Tell nothing, and end the run after so many chunks."""
    left = [count]

    def tell(step):
        left[0] -= 1
        if left[0] <= 0:
            raise StoppedError

    return tell


def safe_rows(place):
    """How many rows the journal of the run says are kept."""
    journal = place / "out.jsonl.batch" / "journal.jsonl"
    return json.loads(journal.read_bytes().rpartition(b"\n")[0].splitlines()[-1]).get("rows", 0)


@pytest.mark.parametrize("how", [(), ("--workers", "2")])
def test_after_kill_9_it_goes_on_and_the_output_and_the_store_are_as_if_nothing_had_happened(
    case, cases, cli, place, run, gate, how
):
    """Three rows hold the batch until it was killed there, so that it cannot end before the signal comes."""
    stops = (400, 1_600, 2_800)
    given = [case(number) for number in range(4_000)]
    for number in stops:
        given[number]["criteria"].append(gate.criterion(number))
    file = cases("in.jsonl", given)
    arguments = ("--store", "sqlite:///kept.db", *how)
    gate.open(*stops)
    cli("batch", "in.jsonl", "whole.jsonl", start=True).communicate()
    gate.shut()
    for number in stops:
        process = cli("batch", "in.jsonl", "out.jsonl", *arguments, start=True, start_new_session=True)
        gate.wait(process, number)
        while safe_rows(place) <= number - CHUNK:
            time.sleep(0.01)  # until the chunk before it is written
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        gate.open(number)
    told = json.loads(cli("batch", "in.jsonl", "out.jsonl", *arguments, "--json", start=True).communicate()[0])
    assert told["resumed_rows"] > 2_800 - CHUNK  # the chunk that was being written is lost, at most
    assert told["cases"] == 4_000
    assert (place / "out.jsonl").read_bytes() == (place / "whole.jsonl").read_bytes()
    assert sorted(p.name for p in place.glob("out*")) == ["out.jsonl"]

    async def kept():
        store = open_store("sqlite:///kept.db")
        found = [(entry.id, len(entry.runs)) async for entry in store.scan()]
        await store.close()
        return found

    found = run(kept())
    assert len(found) == 4_000
    assert {runs for _, runs in found} == {1}
    assert file.exists()


def _kind(body):
    asked = body["response_format"]["json_schema"]["schema"]["required"]
    return {key: {"reasoning": "It is kind.", "score": 5, "confidence": 0.9} for key in asked}


def _number(body):
    """Which case a question is about."""
    return int(re.search(r"Say (\d+)\.", json.dumps(body))[1])


def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(cases, cli, place):
    """The judge does not answer beyond two chunks, so that the run cannot end before the signal comes."""
    chunk = running.CHUNK_PAID
    about = {"kind": "task_output", "text": "All is well."}
    rows = [{"id": f"c{n}", "subject": about, "goal": f"Say {n}.", "criteria": ["Is kind."]} for n in range(4 * chunk)]
    cases("in.jsonl", [row | {"context": {"quality": False}} for row in rows])

    async def main():
        async with StubServer(_kind) as stub:
            stub.hangs_at = lambda body: _number(body) >= 2 * chunk
            spec = f'[judges.stub]\nurl = "{stub.url}"\nmodel = "stub"\n[judging]\njudges = ["stub"]\n'
            spec += "[judges.stub.limits]\ntimeout_s = 3600\n[limits]\ncheck_s = 3600\ncase_s = 3600\n"
            (place / "witnessmark.toml").write_text(spec, encoding="utf-8")
            process = cli("batch", "in.jsonl", "out.jsonl", "--workers", "2", start=True, **HEEDING)
            journal = place / "out.jsonl.batch" / "journal.jsonl"
            while process.poll() is None and not (journal.exists() and journal.read_bytes().count(b"\n") > 1):  # noqa: ASYNC110
                await asyncio.sleep(0.01)  # until a chunk is said to be safe
            os.killpg(process.pid, signal.SIGINT)
            said = (await asyncio.to_thread(process.communicate))[1]
            safe = json.loads(journal.read_bytes().splitlines()[-1])["rows"]
            stub.hangs_at = lambda body: False
            again = await asyncio.to_thread(cli, "batch", "in.jsonl", "out.jsonl", "--workers", "2", "--json")
            return process, said, safe, json.loads(again.stdout)

    process, said, safe, told = asyncio.run(main())
    assert process.returncode == 130, said
    assert b"rows are kept; run the same command again to go on" in said.splitlines()[-1]
    assert b"Traceback" not in said
    assert safe >= LEAST
    assert (told["resumed_rows"], told["cases"]) == (safe, 4 * chunk)
    assert len((place / "out.jsonl").read_bytes().splitlines()) == 4 * chunk


@given(st.lists(st.integers(1, 6), max_size=4), st.sampled_from([1, 3, 7, 50]))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_wherever_it_is_stopped_and_whatever_the_chunks_the_output_is_the_same(case, tmp_path_factory, stops, chunk):
    place = tmp_path_factory.mktemp("stops")
    (place / "in.jsonl").write_text("".join(json.dumps(case(n)) + "\n" for n in range(30)) + "bad\n")

    def job(out, **more):
        return BatchJob(inputs=(str(place / "in.jsonl"),), out=str(place / out), settings=Settings(), **more)

    running.run(job("whole.jsonl"))
    for number, count in enumerate(stops):
        try:
            running.run(job("out.jsonl", chunk=chunk + number), tell=stop_after(count))
        except StoppedError:
            continue
        break
    else:
        report = running.run(job("out.jsonl", chunk=chunk))
        assert report.tally.first_error is not None
        assert report.tally.first_error[0] == 31
        counted = replace(report.tally, first_error=None)
        assert counted == Tally(cases=30, errors=1, outcomes={"fail": 10, "partial": 4, "pass": 16})
    assert (place / "out.jsonl").read_bytes() == (place / "whole.jsonl").read_bytes()


ENDLESS = 100_000
"""Rows that keep the model busy for half an hour, however late the signal comes."""


def test_after_ctrl_c_in_the_middle_of_the_model_what_is_done_is_kept(cases, cli, place):
    """A thread inside the model must not abort the process while it ends."""
    asked = {"question": "How was Q3?", "sources": ["Revenue rose 12 % in Q3."]}
    cases(
        "in.jsonl",
        [
            asked
            | {"id": str(n), "answer": f"Trade in quarter three went better than before, says desk {chr(97 + n % 26)}."}
            for n in range(ENDLESS)
        ],
    )
    process = cli("batch", "in.jsonl", "out.jsonl", start=True, **HEEDING)
    journal = place / "out.jsonl.batch" / "journal.jsonl"
    while process.poll() is None and not (journal.exists() and journal.read_bytes().count(b"\n") > 1):
        time.sleep(0.01)  # until a chunk is said to be safe
    process.send_signal(signal.SIGINT)
    told = process.communicate()[1].decode()
    assert process.returncode == 130, told
    done = int(
        re.fullmatch(r"witnessmark: interrupted, (\d+) rows are kept; .*\n", told.splitlines(keepends=True)[-1])[1]
    )
    assert 0 < done == json.loads(journal.read_text().splitlines()[-1])["rows"] < ENDLESS


def interrupted(job):
    with pytest.raises(StoppedError):
        running.run(job, tell=stop_after(1))


def test_changed_inputs_or_options_are_refused_with_what_changed(case, cases, lines, place):
    file = cases("in.jsonl", [case(number) for number in range(20)])

    def job(**more):
        return BatchJob(**{"inputs": (str(file),), "out": "out.jsonl", "settings": Settings(), "chunk": 5} | more)

    interrupted(job())
    for changed, said in [
        (job(limit=7), "--limit"),
        (job(policy={"profile": "original"}), "--policy"),
        (job(settings=Settings(workspace="other")), "the settings"),
        (job(shard=(1, 2)), "--shard"),
    ]:
        with pytest.raises(UsageError, match=f"since then this changed: {said}; .* --fresh"):
            running.run(changed)
    cases("in.jsonl", [case(number) for number in range(21)])
    with pytest.raises(UsageError, match=r"changed: .*in\.jsonl; "):
        running.run(job())
    running.run(job(fresh=True))
    assert len(lines("out.jsonl")) == 21


def test_workers_concurrency_and_chunks_may_change_between_runs(case, cases, lines):
    file = cases("in.jsonl", [case(number) for number in range(20)])
    interrupted(BatchJob(inputs=(str(file),), out="out.jsonl", settings=Settings(), chunk=5))
    report = running.run(
        BatchJob(inputs=(str(file),), out="out.jsonl", settings=Settings(), chunk=3, workers=2, concurrency=2)
    )
    assert report.resumed_rows == 5
    assert [one["case_id"] for one in lines("out.jsonl")] == [f"c{number}" for number in range(20)]


def test_standard_input_is_not_resumed_but_begun_anew(case, cases, lines, monkeypatch):
    import io
    import sys

    for count, tell in [(20, stop_after(1)), (3, None)]:
        data = "".join(json.dumps(case(number)) + "\n" for number in range(count)).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        job = BatchJob(inputs=("-",), out="out.jsonl", settings=Settings(), chunk=5)
        if tell is None:
            running.run(job)
        else:
            with pytest.raises(StoppedError):
                running.run(job, tell=tell)
    assert len(lines("out.jsonl")) == 3


def test_two_batches_never_write_the_same_output_at_once(place):
    first = Journal(place / "o.jsonl", {}, fresh=False, resumable=True)
    with first, pytest.raises(UsageError, match="another batch is writing it"):
        Journal(place / "o.jsonl", {}, fresh=False, resumable=True)


def done(number, text):
    return ChunkResult(number, 1, text, Tally(cases=1))


def test_what_was_written_after_the_last_entry_is_cut_off(place):
    with Journal(place / "o.jsonl", {"a": "1"}, fresh=False, resumable=True) as journal:
        journal.keep(done(0, b"one\n"))
        journal.keep(done(1, b"two\n"))
    folder = place / "o.jsonl.batch"
    with (folder / "lines.jsonl").open("ab") as file:
        file.write(b"half a li")
    with (folder / "journal.jsonl").open("ab") as file:
        file.write(b'{"rows":3,"byt')
    with Journal(place / "o.jsonl", {"a": "1"}, fresh=False, resumable=True) as journal:
        assert journal.mark.rows == 2
        journal.keep(done(2, b"three\n"))
    with Journal(place / "o.jsonl", {"a": "1"}, fresh=False, resumable=True) as journal:
        assert journal.mark.rows == 3
        journal.finish()
    assert (place / "o.jsonl").read_bytes() == b"one\ntwo\nthree\n"
    assert not folder.exists()


def test_lines_that_never_reached_the_disk_are_made_again(place):
    with Journal(place / "o.jsonl", {}, fresh=False, resumable=True) as journal:
        journal.keep(done(0, b"one\n"))
        journal.keep(done(1, b"two\n"))
    os.truncate(place / "o.jsonl.batch" / "lines.jsonl", 5)
    with Journal(place / "o.jsonl", {}, fresh=False, resumable=True) as journal:
        assert (journal.mark.rows, journal.mark.tally.cases) == (1, 1)


def test_a_kill_between_naming_the_output_and_clearing_up_is_mended(case, cases, place, monkeypatch):
    file = cases("in.jsonl", [case(1), case(2)])
    job = BatchJob(inputs=(str(file),), out="out.jsonl", settings=Settings())

    def killed(self):
        raise StoppedError

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "discard", killed)
        with pytest.raises(StoppedError):
            running.run(job)
    made = (place / "out.jsonl").read_bytes()
    report = running.run(job)
    assert report.tally.cases == 2
    assert (place / "out.jsonl").read_bytes() == made
    assert not (place / "out.jsonl.batch").exists()


def test_a_run_killed_before_its_first_entry_keeps_its_name_since_a_store_may_know_it(place):
    with Journal(place / "o.jsonl", {"a": "1"}, fresh=False, resumable=True) as first:
        pass
    with Journal(place / "o.jsonl", {"a": "1"}, fresh=False, resumable=True) as again:
        assert again.header.run == first.header.run
    with Journal(place / "o.jsonl", {"a": "2"}, fresh=False, resumable=True) as other:
        assert other.header.run != first.header.run


def test_a_journal_that_is_none_is_refused(place):
    (place / "o.jsonl.batch").mkdir()
    (place / "o.jsonl.batch" / "journal.jsonl").write_text("hello\n")
    with pytest.raises(UsageError, match="--fresh"):
        Journal(place / "o.jsonl", {}, fresh=False, resumable=True)
