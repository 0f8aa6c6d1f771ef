"""`witnessmark batch`: cases in, one row of output for each in the order of the input, whatever the rows hold."""

from __future__ import annotations

import io
import json
import os
import pty
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from witnessmark import Case, Verifier
from witnessmark.batch import job as running
from witnessmark.batch.job import BatchJob, BatchStep
from witnessmark.batch.sources import RowSource, shard_of
from witnessmark.batch.values import Row, Tally
from witnessmark.cli.commands.batch import progress_line
from witnessmark.core.errors import WitnessmarkError
from witnessmark.core.verdict import Usage
from witnessmark.settings import Settings


def job(*inputs, out="out.jsonl", **more):
    return BatchJob(inputs=tuple(map(str, inputs)), out=str(out), settings=Settings(), **more)


def test_each_case_is_one_record_in_the_order_of_the_input(case, cases, lines):
    given = [case(number) for number in range(25)]
    report = running.run(job(cases("in.jsonl", given), chunk=7))
    made = lines("out.jsonl")
    expected = [Verifier().verify_sync(Case.from_dict(one)) for one in given]
    assert [one["id"] for one in made] == [record.id for record in expected]
    assert made == [json.loads(record.full_json()) for record in expected]
    assert report.tally.outcomes == {"fail": 9, "partial": 3, "pass": 13}
    assert report.tally.cases == 25
    assert not (cases("x", []).parent / "out.jsonl.batch").exists()


def test_the_output_is_the_same_whatever_the_chunks_and_workers(case, cases, place):
    file = cases("in.jsonl", [case(number) for number in range(40)])
    for number, how in enumerate([{"chunk": 1}, {"chunk": 7}, {"chunk": 7, "workers": 2}, {"chunk": 1000}]):
        running.run(job(file, out=f"{number}.jsonl", **how))
    made = {(place / f"{number}.jsonl").read_bytes() for number in range(4)}
    assert len(made) == 1


POISON = [
    ("not json", "not JSON"),
    (b'{"subject": {"kind": "answer", "text": "\xff\xfe"}}', "not "),
    ('{"subject": {"kind": "riddle"}}', "subject.kind"),
    ('{"subject": {"kind": "answer", "text": "x"}, "surprise": 1}', "surprise: unknown field"),
    ('{"checkpoint": "nowhere", "subject": {"kind": "answer", "text": "x"}}', "unknown checkpoint"),
    ('{"subject": ' + "[" * 50_000, "nested too deeply"),
    ('{"subject": {"kind": "answer", "text": "' + "x" * 70_000 + '"}}', "more than a case may have"),
    ("null", "object"),
    ("\x00", "not JSON"),
]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_poisoned_row_is_one_error_row_and_never_the_end(case, cases, lines, workers):
    given = [case(1)]
    for text, _ in POISON:
        given += [text, case(2)]
    small = Settings(max_case_bytes=65_536)
    file = cases("in.jsonl", given)
    report = running.run(BatchJob(inputs=(str(file),), out="out.jsonl", settings=small, workers=workers, chunk=5))
    made = lines("out.jsonl")
    assert len(made) == len(given)
    errors = [one for one in made if "error" in one]
    assert [one["row"] for one in errors] == list(range(2, len(given), 2))
    assert [one["at"] for one in errors] == [f"{file}:{row}" for row in range(2, len(given), 2)]
    for one, (_, said) in zip(errors, POISON, strict=True):
        assert said in one["error"]
    assert (report.tally.cases, report.tally.errors) == (len(POISON) + 1, len(POISON))


def test_a_line_that_is_too_long_is_never_in_memory_as_a_whole():
    class Endless(io.RawIOBase):
        most = 0

        def readline(self, size=-1):
            self.most = max(self.most, size)
            self.left = getattr(self, "left", 50)
            self.left -= 1
            return b"x" * min(size, 1 << 20) if self.left > 0 else b"\n" if self.left == 0 else b""

    file = Endless()
    (row,) = RowSource(["-"], 1_000, stdin=file).rows()
    assert "more than a case may have" in row.problem
    assert file.most <= 1 << 20


def test_globs_folders_json_files_and_standard_input_are_read(case, cases, cli, lines, place):
    cases("a/1.jsonl", [case(1), case(2)])
    cases("a/deep/2.ndjson", [case(4)])
    (place / "a" / "3.json").write_text(json.dumps([case(7), case(8)]))
    (place / "a" / "4.json").write_text(json.dumps(case(11), indent=2))
    (place / "a" / "notes.txt").write_text("nothing")
    assert cli("batch", "a", "folder.jsonl").returncode == 0
    assert [one["case_id"] for one in lines("folder.jsonl")] == ["c1", "c2", "c7", "c8", "c11", "c4"]
    assert cli("batch", "a/*.json", "a/1.jsonl", "glob.jsonl").returncode == 0
    assert [one["case_id"] for one in lines("glob.jsonl")] == ["c7", "c8", "c11", "c1", "c2"]
    done = cli("batch", "-", "stdin.jsonl", input=json.dumps(case(13)) + "\n" + json.dumps(case(14)) + "\n")
    assert done.returncode == 0
    assert [one["case_id"] for one in lines("stdin.jsonl")] == ["c13", "c14"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("in.jsonl",), "witnessmark batch IN OUT"),
        (("none.jsonl", "out.jsonl"), "none.jsonl: there is no such file"),
        (("in.jsonl", "out.csv"), "name it .jsonl or .parquet"),
        (("in.jsonl", "old.jsonl"), "--fresh"),
        (("in.jsonl", "out.jsonl", "--shard", "3/2"), "such as 1/4"),
        (("in.jsonl", "out.jsonl", "--address", "auto"), "--engine ray"),
        (("in.jsonl", "in.jsonl", "--fresh"), "is one of the inputs"),
        (("empty.jsonl", "out.jsonl"), "there is no case"),
        (("empty", "out.jsonl"), "holds no file"),
        (("in.txt", "out.jsonl"), "`witnessmark check` an answer"),
        (("table.csv", "out.jsonl"), "`witnessmark import ragas FILE -o cases.jsonl`"),
        (("in.xml", "out.jsonl"), "name the file by what it holds"),
        (("bad.parquet", "out.jsonl"), "not a Parquet file"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(case, cases, cli, place, arguments, said):
    cases("in.jsonl", [case(1)])
    cases("old.jsonl", [case(1)])
    cases("empty.jsonl", [])
    for name in ("in.txt", "table.csv", "in.xml"):
        cases(name, [])
    cases("bad.parquet", ["x"])
    (place / "empty").mkdir()
    done = cli("batch", *arguments)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
    assert said in done.stderr


@pytest.mark.parametrize(
    ("rows", "how", "code"),
    [
        ([1, 2], (), 0),
        ([1, 3], (), 1),
        ([1, 5], (), 3),
        ([1, 5, 3], (), 1),
        ([1, 5, 3], ("--fail-on", "never"), 0),
        ([1, 5], ("--fail-on", "fail"), 0),
        ([1, 5], ("--fail-on", "unverified"), 0),
        ([1, "x", 3], (), 2),
        ([1, "x", 3], ("--fail-on", "fail"), 2),
        ([1, "open"], (), 4),
        ([5, "open"], (), 4),
        ([5, "open"], ("--fail-on", "unverified"), 4),
        ([5, "open"], ("--fail-on", "fail"), 0),
    ],
)
def test_the_exit_code_tells_the_worst_that_counts(rows, how, code):
    from witnessmark.cli.commands.batch import FailureLevel, exit_code

    outcome = {1: "pass", 2: "pass", 3: "fail", 5: "partial", "open": "unverified"}
    tally = Tally(errors=rows.count("x"), outcomes={outcome[row]: 1 for row in rows if row != "x"})
    assert exit_code(tally, FailureLevel(how[1]) if how else FailureLevel.partial) == code


def test_the_summary_tells_outcomes_causes_cost_and_cache(case, cases, cli):
    open_one = {"id": "open", "subject": {"kind": "task_output", "text": "All is well."}, "criteria": ["Is kind."]}
    cases("in.jsonl", [case(1), case(3), case(5), open_one, "x"])
    done = cli("batch", "in.jsonl", "out.jsonl")
    assert done.returncode == 2
    counts, causes, bad, *rest = done.stdout.splitlines()
    assert (counts, causes) == (
        "4 cases: 1 pass, 1 partial, 1 fail, 1 unverified",
        "unverified because: no_judge 1",
    )
    assert bad.startswith("1 row is not a case; first: row 5: in.jsonl:5: ")
    assert rest == ["no judge was asked, $0", "written to out.jsonl"]
    told = json.loads(cli("batch", "in.jsonl", "b.jsonl", "--json").stdout)
    assert told["outcomes"] == {"pass": 1, "partial": 1, "fail": 1, "unverified": 1}
    assert told["causes"] == {"no_judge": 1}
    assert (told["rows"], told["cases"], told["errors"]) == (5, 4, 1)
    assert told["usage"] == {"judge_calls": 0, "tokens": 0, "cost_usd": 0.0, "cached": 0}
    assert cli("batch", "in.jsonl", "c.jsonl", "--quiet").stdout == ""


def test_the_cost_of_judges_and_what_the_cache_saved_is_in_the_summary():
    from witnessmark.cli.commands.batch import cost

    asked = Tally(usage=Usage(judge_calls=3, tokens=1200, cost_usd=0.25, cached=2))
    assert cost(asked + asked) == "6 judge calls, 2,400 tokens, $0.5000; 4 answers from the cache"
    assert "price unknown" in cost(Tally(usage=Usage(judge_calls=1, cost_usd=None)))


def test_limit_and_shards(case, cases, lines, place):
    file = cases("in.jsonl", [case(number) for number in range(10)])
    running.run(job(file, out="few.jsonl", limit=3))
    assert [one["case_id"] for one in lines("few.jsonl")] == ["c0", "c1", "c2"]
    running.run(job(file, out="whole.jsonl"))
    shares = []
    for which in (1, 2, 3):
        running.run(job(file, out=f"{which}.jsonl", shard=(which, 3)))
        shares.append((place / f"{which}.jsonl").read_bytes().splitlines())
    assert [len(share) for share in shares] == [4, 3, 3]
    assert sorted(chain(*shares)) == sorted((place / "whole.jsonl").read_bytes().splitlines())


@given(st.lists(st.sampled_from([None, "a", "b", "c"]), max_size=30), st.integers(1, 5))
@settings(max_examples=50)
def test_shards_part_the_rows_and_never_a_group(groups, count):
    rows = [Row(number, "", b"", group=group) for number, group in enumerate(groups, 1)]
    shares = [list(shard_of(rows, (which, count), None)) for which in range(1, count + 1)]
    assert sorted(chain(*shares)) == sorted(rows)
    for name in "abc":
        assert sum(any(row.group == name for row in share) for share in shares) <= 1


def test_a_dry_run_counts_and_prices_and_writes_nothing(case, cases, cli, place):
    cases("in.jsonl", [case(1), case(5)])
    done = cli("batch", "in.jsonl", "out.jsonl", "--dry-run")
    assert done.returncode == 0
    assert done.stdout == "2 cases (task 2); no judge is configured: no paid calls\n"
    judged = cli("batch", "in.jsonl", "out.jsonl", "--dry-run", "--judge", "http://127.0.0.1:9/v1#m")
    assert judged.stdout.startswith("2 cases (task 2); 1 to ")
    assert "tokens, price unknown" in judged.stdout
    assert not (place / "out.jsonl").exists()


def test_a_dry_run_for_scripts_is_one_object(case, cases, cli):
    cases("in.jsonl", [case(1), case(5), "{}"])
    told = json.loads(cli("batch", "in.jsonl", "out.jsonl", "--dry-run", "--json").stdout)
    assert (told["cases"], told["errors"], told["checkpoints"]) == (2, 1, {"task": 2})
    assert told["asked"]["most_calls"] == 0


@pytest.mark.parametrize("workers", [1, 2])
def test_reports_of_agents_are_held_against_the_tree_that_is_named(cases, cli, lines, place, workers):
    (place / "tree").mkdir()
    cli("snapshot", "--root", "tree", "-o", "before.json")
    (place / "tree/b.txt").write_text("b")
    said = [{"id": name, "checkpoint": "actions", "subject": {"kind": "agent_output", "summary": f"I created `{name}.txt`."}} for name in "bc"]  # fmt: skip
    cases("in.jsonl", said)
    out = "tree/out.jsonl"
    cli("batch", "in.jsonl", out, "--root", "tree", "--before", "before.json", "--workers", workers)
    true, false = lines(out)
    assert (true["outcome"], true["findings"]) == ("pass", []), "what the batch itself writes there is nobody's change"
    assert (false["outcome"], false["findings"][0]["category"]) == ("fail", "file_not_found")


def test_a_tree_that_is_not_there_is_told_before_anything_is_verified(case, cases, cli, place):
    cases("in.jsonl", [case(1)])
    done = cli("batch", "in.jsonl", "out.jsonl", "--root", "nowhere")
    assert (done.returncode, (place / "out.jsonl").exists()) == (2, False)
    assert "--root nowhere: there is no such folder" in done.stderr


def test_a_dry_run_says_how_many_calls_repeat_a_question(case, cases, cli):
    """The same case again is asked about in the same words, and another case in others."""
    cases("in.jsonl", [case(5), case(5), case(10), case(5)])
    for command in (("batch", "in.jsonl", "out.jsonl"), ("verify", "in.jsonl", "--store", "memory:")):
        judged = cli(*command, "--dry-run", "--judge", "http://127.0.0.1:9/v1#m").stdout
        assert "; 2 to 12 paid calls (2 repeat a question and are answered from memory), at most" in judged


def test_policy_and_checkpoint_hold_for_every_case(case, cases, cli, lines, place):
    cases("in.jsonl", [case(5)])
    (place / "wrong.toml").write_text("nonsense = 1\n")
    done = cli("batch", "in.jsonl", "out.jsonl", "--policy", "wrong.toml")
    assert (done.returncode, "nonsense" in done.stderr) == (2, True)
    done = cli("batch", "in.jsonl", "out.jsonl", "--checkpoint", "nowhere")
    assert (done.returncode, "nowhere" in done.stderr) == (2, True)
    (place / "policy.toml").write_text('profile = "original"\n')
    cli("batch", "in.jsonl", "goal.jsonl", "--policy", "policy.toml", "--checkpoint", "goal")
    (one,) = lines("goal.jsonl")
    assert one["checkpoint"] == "goal"
    assert one["policy"]["profile"] == "original"


def test_records_are_kept_in_a_store_where_one_is_named_and_only_there(case, cases, cli, place, run):
    from witnessmark.stores import open_store

    cases("in.jsonl", [case(number) for number in range(10)])
    assert cli("batch", "in.jsonl", "out.jsonl", "--store", "sqlite:///kept.db", "--workers", "2").returncode == 1
    assert cli("batch", "in.jsonl", "again.jsonl").returncode == 1
    assert sorted(p.name for p in place.iterdir()) == ["again.jsonl", "in.jsonl", "kept.db", "out.jsonl"]

    async def kept():
        store = open_store("sqlite:///kept.db")
        found = [entry async for entry in store.scan()]
        await store.close()
        return found

    found = run(kept())
    assert len(found) == 10
    assert {len(entry.runs) for entry in found} == {1}


def test_progress_tells_rate_cost_and_time_left():
    cost = Tally(usage=Usage(judge_calls=1, cost_usd=1.5))
    assert progress_line(BatchStep(cost, 500, 0, 0.25, 10.0)) == "500 rows, 50/s, $1.50, 30 s left"
    assert progress_line(BatchStep(Tally(), 1500, 1000, 0.75, 10.0)) == "1,500 rows, 50/s, $0.00, 10 s left"
    assert progress_line(BatchStep(Tally(), 5, 0, None, 1.0)) == "5 rows, 5/s, $0.00"


@pytest.mark.parametrize(("limit", "left"), [(600, 2), (500, 0), (5000, 30)])
def test_the_time_left_is_that_of_the_rows_up_to_the_limit(limit, left):
    told = progress_line(BatchStep(Tally(), 500, 0, 0.25, 10.0, limit))
    assert told == f"500 rows, 50/s, $0.00, {left} s left"


def test_steps_tell_the_limit_and_no_share_where_all_is_read_before(case, cases):
    steps, file = [], cases("in.jsonl", [case(number) for number in range(9)])
    running.run(job(file, chunk=2, limit=4), tell=steps.append)
    running.run(job(file, out="grouped.jsonl", chunk=2, group_by="id"), tell=steps.append)
    assert {(step.limit, step.share is None) for step in steps} == {(4, False), (None, True)}


def test_progress_moves_on_a_terminal_and_is_plain_in_a_pipe(monkeypatch, capsys):
    from witnessmark.batch.job import BatchStep
    from witnessmark.cli.commands import batch as progress

    step = BatchStep(Tally(), 5, 0, 0.5, 1.0)
    for quiet, every, said in [(False, 0.0, "witnessmark: 5 rows"), (True, 0.0, ""), (False, 60.0, "")]:
        monkeypatch.setattr(progress, "EVERY_S_IN_PIPES", every)
        with progress.ProgressLine(quiet=quiet) as line:
            line.show(step)
        assert capsys.readouterr().err.startswith(said)
    master, slave = pty.openpty()
    with os.fdopen(slave, "w") as terminal:
        monkeypatch.setattr("sys.stderr", terminal)
        monkeypatch.setattr(progress, "EVERY_S", 0.0)
        with progress.ProgressLine() as line:
            line.show(step)
    expected = b"\r\x1b[K5 rows, 5/s, $0.00, 1 s left\r\x1b[K"
    seen = b""
    while len(seen) < len(expected):
        seen += os.read(master, 1000)
    assert seen == expected
    os.close(master)


def test_memory_stays_flat(case, cases):
    """Ten times the rows, the same memory at the peak, give or take what one chunk needs."""
    import tracemalloc

    def peak(count):
        file = cases(f"{count}.jsonl", (case(number) for number in range(count)))
        running.run(job(file, out=f"warm-{count}.jsonl", chunk=100, limit=200))
        tracemalloc.start()
        running.run(job(file, out=f"{count}-out.jsonl", chunk=100))
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    few, many = peak(400), peak(4_000)
    assert many < few * 1.3 + 500_000


def test_an_input_error_of_the_store_ends_the_run_with_what_to_do(case, cases):
    bad = Settings(store="sqlite:////dev/null/x.db")
    for workers in (1, 2):
        given = BatchJob(inputs=(str(cases("in.jsonl", [case(1)])),), out="o.jsonl", settings=bad, workers=workers)
        with pytest.raises(WitnessmarkError, match="give another place with --store"):
            running.run(given)


@pytest.mark.parametrize(("store", "kept"), [("sqlite:///kept.db", 4), ("", 0)])
def test_records_are_kept_where_a_store_is_configured(case, cases, cli, lines, place, store, kept):
    cases("in.jsonl", [case(number) for number in range(4)])
    env = {**os.environ, "WITNESSMARK_STORE": store, "XDG_DATA_HOME": str(place / "data")}
    assert cli("batch", "in.jsonl", "out.jsonl", env=env).returncode == 1
    listed = cli("records", "--json", env=env).stdout.splitlines()
    assert (len(lines("out.jsonl")), len(listed)) == (4, kept)


def test_a_mark_of_the_byte_order_before_the_first_line_is_no_part_of_it(tmp_path):
    file = tmp_path / "cases.jsonl"
    file.write_bytes(b'\xef\xbb\xbf{"a": 1}\n{"a": 2}\n')
    assert [row.data.strip() for row in RowSource([str(file)], 100).rows()] == [b'{"a": 1}', b'{"a": 2}']
