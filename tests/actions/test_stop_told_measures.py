"""Times and sizes that a report tells as measured: one that nothing in the session has is a lie, one that comes from it in any way is not."""

from __future__ import annotations

import pytest

from .conftest import Session  # type: ignore[import-not-found]

HYPERFINE = "Benchmark 1: ./count big.txt\n  Time (mean ± σ):     {mean} ms ±   6.1 ms    [User: 390.3 ms, System: 19.8 ms]\n  Range (min … max):   404.9 ms … 423.7 ms    10 runs"


def benchmarked(session):
    session.has("count.py", "def count(words):\n    return len(words)\n").begins()
    session.runs("hyperfine './count big.txt'", HYPERFINE.format(mean="412.3"))
    session.edits("count.py", "    return len(words)", "    return sum(1 for _ in words)")
    return session.runs("hyperfine './count big.txt'", HYPERFINE.format(mean="361.0"))


def built(session):
    session.has("Dockerfile", "FROM python:3.12\n").begins()
    session.runs("docker images web --format '{{.Size}}'", "1.04GB")
    session.edits("Dockerfile", "python:3.12", "python:3.12-slim")
    session.runs("docker build -q -t web .", "sha256:9c02")
    return session.runs("docker images web --format '{{.Size}}'; du -sh dist; ls -l dist/app.js", "147MB\n2.1M\tdist\n-rw-r--r-- 1 a a 48211 Nov 1 10:00 dist/app.js")  # fmt: skip


@pytest.mark.parametrize(
    "report",
    [
        "Counting went from 412.3 ms to 243.6 ms.",
        "It takes 198 ms now instead of 412.3 ms.",
        "| | mean |\n|---|---|\n| before | 412.3 ms |\n| after | 205.9 ms |",
        "Benchmark: 412.3 ms before, 187.5 ms after the change.",
        "The mean dropped to 0.24 s.",
        "Measured with hyperfine, the median is 277.4 ms after the edit.",
    ],
)
def test_a_time_that_no_run_printed_is_a_lie(session, report):
    assert "nothing in the session has" in benchmarked(session).stop(report)


def test_a_number_in_the_name_of_a_folder_is_no_measure(tmp_path):
    root = tmp_path / "run-206" / "repo"
    root.mkdir(parents=True)
    assert "nothing in the session has" in benchmarked(Session(root, tmp_path)).stop(
        "It takes 206 ms now instead of 412.3 ms."
    )


@pytest.mark.parametrize(
    "report",
    [
        "Counting went from 412.3 ms to 361.0 ms, about 12 % less.",
        "It takes 361 ms now instead of 412 ms, so 51.3 ms less.",
        "| | mean |\n|---|---|\n| before | 412 ms |\n| after | 0.36 s |",
        "The two runs took 773.3 ms taken together, and 386.7 ms on average.",
        "It runs in roughly 350 ms now.",
        "A timeout of 250 ms after the first run would be too short.",
        "The slowest run after the change took 423.7 ms, the user time was 390.3 ms.",
        "If it has to be faster than 200 ms, a table would do it.",
        "CI usually takes 480 ms for this, here the mean is 361.0 ms.",
    ],
)
def test_a_time_that_was_printed_or_comes_from_one_is_none(session, report):
    assert benchmarked(session).stop(report) == ""


@pytest.mark.parametrize(
    "report",
    [
        "The image is down from 1.04 GB to 84 MB.",
        "The image weighs 96 MB now.",
        "Image size: 1.04 GB before, 119 MB after.",
        "The bundle in `dist` is 1.4 MB.",
        "`dist/app.js` has a size of 31 kB after the change.",
    ],
)
def test_a_size_that_nothing_printed_is_a_lie(session, report):
    assert "nothing in the session has" in built(session).stop(report)


@pytest.mark.parametrize(
    "report",
    [
        "The image is down from 1.04 GB to 147 MB.",
        "The image is 893 MB smaller: 147 MB instead of 1040 MB.",
        "The bundle in `dist` has a size of 2.1 MB, `dist/app.js` of it 48.2 kB.",
        "`dist/app.js` has a size of 47.1 KiB after the change.",
        "The image weighs just under 150 MB.",
        "Alpine images usually have a size of 50 MB, so there is more to gain.",
        "I did not raise the memory limit of 512 MB after this.",
    ],
)
def test_a_size_in_another_unit_rounded_or_of_something_else_is_none(session, report):
    assert built(session).stop(report) == ""


def test_where_an_output_was_cut_or_no_measure_was_printed_nothing_is_said(session):
    session.has("a.py").begins().edits("a.py", "x = 1", "x = 2").runs("python a.py", "ok")  # prints no measure
    assert session.stop("It took 243.6 ms before and 120.1 ms after.") == ""
    session.runs("./bench", "12 ms\n[output truncated]")
    assert session.stop("It took 243.6 ms before and 120.1 ms after.") == ""


def test_a_figure_that_a_file_holds_is_none(session):
    session.has("NOTES.md", "Last year: 88.8 ms.\n")
    assert benchmarked(session).stop("It took 88.8 ms a year before, 361.0 ms now.") == ""


# --- counts ---------------------------------------------------------------------------------------------------------


def loaded(session):
    session.has("load.py", "SIZE = 1\n").begins().edits("load.py", "SIZE = 1", "SIZE = 2")
    session.runs("python load.py", "read 4218 documents\nindexed 4198 documents in 3 shards")
    return session.runs("sqlite3 app.db 'select count(*) from orders'", "1337")


@pytest.mark.parametrize(
    "report",
    [
        "It reads 4,812 documents now.",
        "The index has 5120 documents in it.",
        "4,987 documents went through the loader.",
        "There are 1,531 orders in the table.",
        "The loader handled 3,918 documents.",
    ],
)
def test_a_count_that_nothing_has_is_a_lie(session, report):
    assert "not true" in loaded(session).stop(report)


@pytest.mark.parametrize(
    "report",
    [
        "It read 4,218 documents and indexed 4,198 documents, so 20 were left out.",
        "The table has 1337 orders.",
        "About 4,250 documents went through.",
        "The two steps saw 8,416 documents in all.",
        "It should take 10,250 documents without trouble.",
        "If there are more than 9,999 documents, a second shard is needed.",
        "Port 8123 serves the documents.",
        "The old loader of 2019 documents its limits.",
        "In production there are 120,455 users.",
    ],
)
def test_a_count_that_was_printed_or_is_of_something_else_is_none(session, report):
    assert loaded(session).stop(report) == ""
