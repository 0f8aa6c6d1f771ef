"""`--engine ray`: the same run on a Ray cluster, with the same records, also where a worker is killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import uuid
from pathlib import Path

from witnessmark.batch import job
from witnessmark.batch.job import BatchJob
from witnessmark.settings import Settings


def parents():
    """Every process with its parent."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            found[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    return found


def actors_of(process):
    """The actors that this run has started, by their command line."""
    above, found = parents(), []
    for pid in above:
        line, at = pid, pid
        while at in above and at != process.pid:
            at = above[at]
        if at != process.pid or line == process.pid:
            continue
        try:
            if b"MapWorker" in (Path("/proc") / str(line) / "cmdline").read_bytes():
                found.append(line)
        except OSError:
            continue
    return found


def test_the_records_are_those_of_the_local_engine_although_a_worker_is_killed(case, cases, cli, place, gate):
    """One row holds its worker until one was killed, so that the run cannot end before."""
    given = [case(number) for number in range(4_000)]
    given[3_100]["criteria"].append(gate.criterion(3_100))
    cases("in.jsonl", [*given[:2_000], "poison", *given[2_000:]])
    gate.open(3_100)
    cli("batch", "in.jsonl", "local.jsonl", start=True).communicate()
    gate.shut()
    arguments = ("in.jsonl", "ray.jsonl", "--engine", "ray", "--workers", "2", "--json", "--fail-on", "never")
    process = cli("batch", *arguments, start=True)
    gate.wait(process, 3_100)
    killed = actors_of(process)[:1]
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    gate.open(3_100)
    out, said = process.communicate()
    assert process.returncode == 0, said.decode()
    assert all(
        line.startswith(b"witnessmark: ") and b" left" in line for line in said.splitlines()
    )  # Ray itself is quiet
    assert killed
    told = json.loads(out)
    assert (told["cases"], told["errors"]) == (4_000, 1)
    made, expected = (place / "ray.jsonl").read_bytes(), (place / "local.jsonl").read_bytes()
    ids = [json.loads(line).get("id") for line in made.splitlines()]
    assert ids == [json.loads(line).get("id") for line in expected.splitlines()]  # req: S3-047
    assert made == expected


CLUSTER = """
import os, sys
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
import ray
ray.init(address="local", num_cpus=2, include_dashboard=False, object_store_memory=100 << 20, logging_level=40)
print(ray.get_runtime_context().gcs_address, flush=True)
sys.stdin.read()
ray.shutdown()
"""


def test_a_cluster_that_is_running_already_is_joined_and_left_running(case, cases, cli, place):
    cases("in.jsonl", [case(number) for number in range(1_500)])
    # A cluster asks for its token; this one's is made up here, for both sides.
    environment = {**os.environ, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": uuid.uuid4().hex, "WITNESSMARK_STORE": ""}
    pipes = {"env": environment, "stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, "-c", CLUSTER], text=True, **pipes) as cluster:
        address = cluster.stdout.readline().strip()
        options = ("--engine", "ray", "--address", address, "--workers", "2", "--fail-on", "never", "--quiet")
        done = cli("batch", "in.jsonl", "ray.jsonl", *options, env=environment)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        assert cluster.poll() is None
        cluster.stdin.close()
    job.run(BatchJob(inputs=("in.jsonl",), out="local.jsonl", settings=Settings()))
    assert (place / "ray.jsonl").read_bytes() == (place / "local.jsonl").read_bytes()


def test_an_address_where_no_cluster_is_says_so(case, cases, cli):
    cases("in.jsonl", [case(1)])
    done = cli("batch", "in.jsonl", "out.jsonl", "--engine", "ray", "--address", "127.0.0.1:1")
    assert done.returncode == 2
    assert "no Ray cluster can be joined" in done.stderr.splitlines()[-1]
