"""The pytest plugin as its users meet it: pytest runs in a process of their own, with xdist and JUnit XML.

Where it is shown how the plugin is found and what it loads, that process is started from nothing; elsewhere it is warm.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from xml.etree import ElementTree

import pytest

PLUGIN = "witnessmark.integrations.pytest_plugin"
SOURCE = "Revenue grew 14 % in 2025, to 82 million euros."
TESTS = f"""
import pytest

SOURCE = {SOURCE!r}


def test_borne_out(verifier):
    record = verifier.assert_verified("Revenue grew 14 % in 2025.", evidence=[SOURCE])
    assert record.outcome == "pass"
    assert verifier.records == [record]


def test_invented(assert_verified):
    assert_verified("Revenue grew 40 % in 2025.", goal="How did they do?", evidence=[SOURCE])


@pytest.mark.verify(evidence=[SOURCE])
def test_returns_an_answer():
    return "Revenue grew 40 % in 2025."


@pytest.mark.verify(criteria=[{{"check": "min_length", "value": 3}}])
@pytest.mark.parametrize("word", ["long", "ab"])
def test_returns_an_output(word):
    return word


@pytest.mark.verify(evidence=[SOURCE])
def test_marked_and_empty():
    assert 1 + 1 == 2


def test_a_look_only(verifier):
    assert verifier.check("Revenue grew 40 % in 2025.", evidence=[SOURCE]).outcome == "fail"


def test_of_no_concern():
    assert True
"""
OUTCOMES = {
    "test_borne_out": "passed",
    "test_invented": "failed",
    "test_returns_an_answer": "failed",
    "test_returns_an_output[long]": "passed",
    "test_returns_an_output[ab]": "failed",
    "test_marked_and_empty": "failed",
    "test_a_look_only": "passed",
    "test_of_no_concern": "passed",
}

OTHER_PLUGINS = ("cacheprovider", "schemathesis", "langsmith_plugin", "hypothesispytest")
"""What is installed beside ours for other tests and takes longer to import than the tests here take to run."""


def pytest_in(
    folder: Path,
    *options: str,
    text: str = TESTS,
    found_at: Path | None = None,
    python: Sequence[str] = (sys.executable,),
) -> subprocess.CompletedProcess[str]:
    """Run pytest with the plugin named by hand, or found by an entry point of a distribution in `found_at`."""
    (folder / "test_it.py").write_text(text, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\naddopts = --strict-markers\n", encoding="utf-8")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("WITNESSMARK_", "PYTEST_"))}
    with_plugin = ["-p", "no:witnessmark", "-p", PLUGIN] if found_at is None else []
    if found_at is not None:
        known = os.environ.get("PYTHONPATH")
        environment["PYTHONPATH"] = os.pathsep.join([str(found_at), *([known] if known else [])])
    without = [word for name in OTHER_PLUGINS for word in ("-p", f"no:{name}")]
    command = [*python, "-W", "error", "-m", "pytest", *with_plugin, *without, *options]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def read_junit(file: Path) -> dict[str, tuple[str, dict[str, str], str]]:
    found = {}
    for test in ElementTree.parse(file).iter("testcase"):
        failure = test.find("failure")
        properties = {p.get("name"): p.get("value") for p in test.iter("property")}
        told = "" if failure is None else f"{failure.get('message')}\n{failure.text}"
        found[test.get("name")] = ("passed" if failure is None else "failed", properties, told)
    return found


@pytest.mark.parametrize("workers", [[], ["-n", "2", "-p", "xdist"]], ids=["one process", "two workers"])
def test_verdicts_messages_and_junit_are_the_same_with_and_without_workers(tmp_path, workers):
    store = tmp_path / "records.db"
    done = pytest_in(tmp_path, "--junitxml=out.xml", f"--witnessmark-store=sqlite:///{store}", *workers)
    assert done.returncode == 1, done.stdout + done.stderr
    found = read_junit(tmp_path / "out.xml")
    assert {name: row[0] for name, row in found.items()} == OUTCOMES
    # what an assertion says: the claim, the evidence it was held against, and the reason
    told = found["test_invented"][2]
    assert "contradicted: “Revenue grew **40 %** in 2025.”" in told
    assert '"40 %" differs from source d1, which says "14 %"' in told
    assert f"d1 13–17: “{SOURCE}”" in told
    # what JUnit XML knows: record, outcome and score
    properties = found["test_borne_out"][1]
    assert properties["witnessmark_outcome"] == "pass"
    assert float(properties["witnessmark_score"]) == 1.0
    assert len(properties["witnessmark_record"]) == 64
    assert found["test_of_no_concern"][1] == {}
    assert "witnessmark: 6 verified: 2 pass, 4 fail" in done.stdout
    # and every record named there is in the store, whichever worker kept it
    kept = {one.id for one in asyncio.run(_kept(store))}
    assert kept == {row[1]["witnessmark_record"] for row in found.values() if row[1]}


async def _kept(store: Path):
    from witnessmark.core.record import Query
    from witnessmark.stores import open_store

    opened = open_store(f"sqlite:///{store}")
    try:
        return await opened.find(Query(limit=100))
    finally:
        await opened.close()


def test_a_returned_output_fails_without_a_traceback_of_ours(tmp_path, warm):
    done = pytest_in(tmp_path, "-k", "returns_an_answer", python=warm)
    assert "contradicted: “Revenue grew **40 %** in 2025.”" in done.stdout
    assert "pytest_plugin.py" not in done.stdout


def test_markers_of_a_module_a_class_and_a_test_hold_together_and_the_closest_says_what_differs(tmp_path, warm):
    text = (
        "import pytest\n"
        "def least(value):\n    return [{'check': 'min_length', 'value': value}]\n"
        "pytestmark = pytest.mark.verify(policy={'pass_threshold': 0.9}, criteria=least(100))\n"
        "@pytest.mark.verify(criteria=least(3), goal='A long word')\n"
        "class TestWords:\n"
        "    @pytest.mark.verify(goal='A word')\n"
        "    def test_of_the_class(self):\n        return 'long'\n"
        "    @pytest.mark.verify(goal='A word', criteria=least(9))\n"
        "    def test_of_its_own(self):\n        return 'long'\n"
        "    def test_goal(self, verifier):\n        assert verifier.check('long').outcome == 'pass'\n"
        "def test_of_the_module():\n    return 'long'\n"
    )
    done = pytest_in(tmp_path, "-rA", text=text, python=warm)
    ended = sorted(line.split(" - ")[0] for line in done.stdout.splitlines() if line.startswith(("PASSED", "FAILED")))
    assert ended == [
        "FAILED test_it.py::TestWords::test_of_its_own",
        "FAILED test_it.py::test_of_the_module",
        "PASSED test_it.py::TestWords::test_goal",
        "PASSED test_it.py::TestWords::test_of_the_class",
    ]


def test_nothing_verified_is_no_pass(tmp_path, warm):
    done = pytest_in(tmp_path, "-k", "marked_and_empty", python=warm)
    assert "nothing was verified" in done.stdout
    assert done.returncode == 1


def test_what_could_not_be_verified_fails_and_says_what_is_unsettled(tmp_path, warm):
    text = "def test_it(verifier):\n    verifier.assert_verified('Fine.', criteria=['It is polite.'])\n"
    done = pytest_in(tmp_path, text=text, python=warm)
    assert done.returncode == 1
    assert "unverified (no_judge)" in done.stdout
    assert "unsettled: " in done.stdout


def test_partial_is_enough_where_the_test_says_so(tmp_path, warm):
    text = (
        "import pytest\n"
        "@pytest.mark.verify(evidence=['The office is in Lyon.'], at_least='partial')\n"
        "def test_it():\n    return 'The office is in Lyon. It has a large garden with forty old trees.'\n"
    )
    strict = text.replace(", at_least='partial'", "")
    assert pytest_in(tmp_path, text=text, python=warm).returncode == 0
    assert pytest_in(tmp_path, text=strict, python=warm).returncode == 1


CASE = "import witnessmark; verifier.assert_verified(witnessmark.Case(subject={'kind': 'task_output', 'text': 'x'})"


def test_a_marker_that_a_returned_case_would_leave_unheeded_is_refused(tmp_path, warm):
    text = (
        "import pytest\nfrom witnessmark import Case\n"
        "@pytest.mark.verify(criteria=[{'check': 'contains', 'value': 'total'}])\n"
        "def test_it():\n"
        "    return Case(subject={'kind': 'task_output', 'text': 'x'}, criteria=[{'check': 'not_empty'}])\n"
    )
    done = pytest_in(tmp_path, text=text, python=warm)
    assert done.returncode == 1
    assert "criteria: a Case brings its own" in done.stdout


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("verifier.check('x', evidense=['y'])", "unknown 'evidense'"),
        ("verifier.check('x', evidence=[{'txt': 'y'}])", "evidence[0].txt: unknown field"),
        ("verifier.check(42)", "pass its text"),
        (
            f"{CASE}, criteria=[{{'check': 'contains', 'value': 'y'}}])",
            "criteria: a Case brings its own; put it into the case",
        ),
        ("verifier.assert_verified('x', at_least='good')", "at_least: 'good' is not one of pass, partial"),
    ],
)
def test_wrong_use_says_what_to_do(tmp_path, line, said, warm):
    done = pytest_in(tmp_path, text=f"def test_it(verifier):\n    {line}\n", python=warm)
    assert said in done.stdout
    assert done.returncode == 1


def test_a_conftest_can_bring_its_own_verifier(tmp_path, warm):
    (tmp_path / "conftest.py").write_text(
        "import pytest\nfrom witnessmark import Settings, Verifier\n"
        "@pytest.fixture(scope='session')\ndef witnessmark_verifier():\n    return Verifier(Settings(workspace='mine'))\n",
        encoding="utf-8",
    )
    text = "def test_it(verifier):\n    assert verifier.check('x', criteria=[{'check': 'min_length', 'value': 1}]).workspace == 'mine'\n"
    assert pytest_in(tmp_path, text=text, python=warm).returncode == 0


def test_a_suite_with_a_verifier_and_a_marker_of_its_own_is_let_be(tmp_path, warm):
    text = (
        "import pytest\n@pytest.fixture\ndef verifier():\n    return 42\n"
        "@pytest.mark.verify('theirs')\ndef test_it(verifier):\n    assert verifier == 42\n"
    )
    done = pytest_in(tmp_path, text=text, python=warm)
    assert done.returncode == 0, done.stdout


def test_async_tests_may_return_what_is_to_be_verified(tmp_path, warm):
    text = (
        "import pytest\n"
        "pytestmark = [pytest.mark.anyio, pytest.mark.verify(criteria=[{'check': 'min_length', 'value': 3}])]\n"
        "@pytest.fixture\ndef anyio_backend():\n    return 'asyncio'\n"
        "async def test_long():\n    return 'long'\n"
        "async def test_short():\n    return 'ab'\n"
        "async def test_inside(verifier):\n    verifier.assert_verified('inside a running loop')\n"
    )
    done = pytest_in(tmp_path, "-p", "anyio", text=text, python=warm)
    assert "2 passed" in done.stdout, done.stdout + done.stderr
    assert "1 failed" in done.stdout


def test_hostile_text_does_not_reach_the_terminal_as_it_is(tmp_path, warm):
    text = "def test_it(verifier):\n    verifier.assert_verified('\\x1b[31mRevenue\\x1b[0m grew 40 % in 2025.', evidence=['Revenue grew 14 % in 2025.'])\n"
    done = pytest_in(tmp_path, "--tb=line", text=text, python=warm)
    assert done.returncode == 1
    assert "\x1b" not in done.stdout


LOADED = """
import sys

def test_it():
    ours = sorted(name for name in sys.modules if name.split(".")[0] in ("witnessmark", "msgspec"))
    assert ours == ["witnessmark", "witnessmark._version", "witnessmark.integrations", "witnessmark.integrations.pytest_plugin"]
"""


def test_the_plugin_is_inert_until_it_is_used(tmp_path):
    done = pytest_in(tmp_path, text=LOADED)
    assert done.returncode == 0, done.stdout
    assert "witnessmark" not in done.stdout.partition("test session starts")[2].replace("test_it.py", "")


def test_pytest_finds_the_plugin_by_its_entry_point(tmp_path, root):
    declared = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"][
        "pytest11"
    ]
    assert declared == {"witnessmark": PLUGIN}
    installed = tmp_path / "site" / "installed-1.0.dist-info"
    installed.mkdir(parents=True)
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: installed\nVersion: 1.0\n", encoding="utf-8")
    lines = "".join(f"{name} = {value}\n" for name, value in declared.items())
    (installed / "entry_points.txt").write_text(f"[pytest11]\n{lines}", encoding="utf-8")
    already = any(point.name == "witnessmark" for point in metadata.entry_points(group="pytest11"))
    done = pytest_in(tmp_path, "-k", "borne_out", found_at=tmp_path if already else installed.parent)
    assert "witnessmark: 1 verified: 1 pass" in done.stdout, done.stdout + done.stderr
