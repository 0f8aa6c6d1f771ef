"""Breaks the source on purpose and sees whether the assertion that a requirement names goes red: a map that cannot flatter.

    python tools/mutate_map.py --to DIR                     every id that DIR does not have yet
    python tools/mutate_map.py --to DIR --seconds 8         a piece of that; again until it exits with 0
    python tools/mutate_map.py --to DIR --ids S0-011,C48    these, whatever was found before
    python tools/mutate_map.py --to DIR --table             what was found, as the table of bench/RESULTS.md

An id's assertion stands alone: its test is run without its other assertions. What the test runs of the source is traced,
in this process; a function that few other tests run and that shares words with the requirement is most likely what the id
is about, and is changed first, one small thing at a time. An id counts as killed when its own assertion fails; where the
broken source only raises inside that assertion, the table says so apart; raising on the way there does not count.
An id for which tools/mutations.toml names a change is held to that change instead.
Tests and source are imported once; every run is a fork of that process, with the changed function's code put in place.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import gc
import hashlib
import importlib.machinery
import json
import math
import os
import re
import resource
import signal
import sys
import threading
import time
import tomllib
from collections import Counter
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tools.coverage_map import WORDS, Shown, collect  # noqa: E402
from tools.mutants import Mutant, codes, mutants, outer, parsed  # noqa: E402
from tools.named_mutants import STATES, Copy, copy, named  # noqa: E402

SOURCE = str(ROOT / "src" / "witnessmark")
MOST = 8
"""Changes tried an assertion, at most; one that breaks the way there does not count."""
MOST_IN_ALL = 16
MOST_A_FUNCTION = 3
MOST_TESTS = 2
"""Assertions of an id that are tried, at most."""
CALLS_TRACED = 20
LIMIT_S = 60
HUNG_S = 20
"""Longer than that a test with a change in the source is not waited for."""
PIECE = 10
"""Ids with a named change in one piece."""
MORE = 75
"""The exit code of a piece; 0 says that nothing is left."""
Place = tuple[str, int]
"""File and first line of a function that stands in a module or a class."""


# --- the assertion alone ---------------------------------------------------------------------------------------------


class _Alone(ast.NodeTransformer):
    def __init__(self, line: int) -> None:
        self.line = line

    def visit_Assert(self, node: ast.Assert) -> Any:
        if node.lineno <= self.line <= (node.end_lineno or node.lineno):
            return node
        return ast.copy_location(ast.Pass(), node)


@lru_cache(maxsize=64)
def alone(file: str, first: int, name: str, line: int) -> CodeType:
    """The test's code with the assertion at a line and no other."""
    tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            _Alone(line).generic_visit(node)
    whole = compile(ast.fix_missing_locations(tree), file, "exec")
    return next(code for code in codes(whole) if code.co_name == name and code.co_firstlineno == first)


@lru_cache(maxsize=64)
def statement(file: str, line: int) -> tuple[int, int]:
    """First and last line of the smallest statement at a line; of a `with`, its head and its body."""
    best = (line, line)
    width = sys.maxsize
    for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Assert | ast.With | ast.AsyncWith | ast.Expr):
            last = node.end_lineno or node.lineno
            if node.lineno <= line <= last and last - node.lineno < width:
                best, width = (node.lineno, last), last - node.lineno
                if isinstance(node, ast.With) and len(node.body) == 1 and "raises" in ast.unparse(node.items[0]):
                    break  # what stands alone in it is what must raise; that it did not is said at its head
    return best


# --- one run, in a fork ----------------------------------------------------------------------------------------------


class Runs:
    """Runs one test in a fork, with one assertion, perhaps a change of the source, perhaps traced."""

    def __init__(self, session: pytest.Session) -> None:
        self.items: dict[tuple[str, str], list[Any]] = {}
        for item in session.items:
            if isinstance(item, pytest.Function):
                key = (Path(str(item.path)).relative_to(ROOT).as_posix(), item.function.__name__)
                self.items.setdefault(key, []).append(item)
        self.functions: dict[tuple[str, int, str], list[FunctionType]] = {}
        for one in gc.get_objects():
            if isinstance(one, FunctionType) and one.__code__.co_filename.startswith(SOURCE):
                code = one.__code__
                self.functions.setdefault((code.co_filename, code.co_firstlineno, code.co_name), []).append(one)
        gc.freeze()

    def run(self, shown: Shown, *, mutant: Mutant | None = None, trace_to: Path | None = None) -> str:
        """`green`; `red` where the assertion failed; `raised` where something did inside it; `broke` elsewhere; `hung`."""
        sys.stdout.flush()
        items = self.items.get((shown.file, shown.test), [])
        if not items:
            return "broke"
        file, function = str(ROOT / shown.file), _innermost(items[0].function)
        code = alone(file, function.__code__.co_firstlineno, shown.test, shown.line) if trace_to is None else None
        span = statement(file, shown.line)
        child = os.fork()
        if child == 0:
            os.setpgid(0, 0)
            ended = 3
            try:
                if code is not None:
                    function.__code__ = code
                ended = self._child(items, _Watch(span, file, traced=trace_to is not None), mutant, trace_to)
            finally:
                os._exit(ended)
        ends = time.monotonic() + (LIMIT_S if mutant is None else HUNG_S)
        try:
            while time.monotonic() < ends:
                done, status = os.waitpid(child, os.WNOHANG)
                if done:
                    return {0: "green", 1: "red", 2: "raised"}.get(os.waitstatus_to_exitcode(status), "broke")
                time.sleep(0.005)
            return "hung"
        finally:
            for end in (os.killpg, os.kill):
                with contextlib.suppress(OSError):
                    end(child, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child, 0)

    def _child(self, items: list[Any], watch: _Watch, mutant: Mutant | None, trace_to: Path | None) -> int:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        if mutant is not None:
            self._install(mutant)
        items[0].config.pluginmanager.register(watch)
        for item in items[:40]:
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            if watch.worst:
                break
        if trace_to is not None:
            rows = [[place, sorted(lines)] for place, lines in watch.ran.items()]
            trace_to.write_text(json.dumps(rows), encoding="utf-8")
        return watch.worst

    def _install(self, mutant: Mutant) -> None:
        found = self.functions.get((mutant.file, mutant.first, mutant.function), [])
        code = mutant.code()
        for one in found:
            one.__code__ = code
        if not found:
            before = importlib.machinery.SourceFileLoader.get_code

            def get_code(loader: Any, name: str) -> Any:
                return mutant.module() if getattr(loader, "path", "") == mutant.file else before(loader, name)

            importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]


def _innermost(function: Any) -> Any:
    """The function whose code is the test's, below wrappers."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return function.hypothesis.inner_test if hasattr(function, "hypothesis") else function


class _Watch:
    """What became of the tests: 1 the assertion failed, 2 it raised, 3 something else; and the source's lines that ran."""

    def __init__(self, span: tuple[int, int], file: str, *, traced: bool) -> None:
        self.span, self.file, self.traced = span, file, traced
        self.worst = 0
        self.ran: dict[str, set[int]] = {}
        self.seen: Counter[CodeType] = Counter()
        self.importing = 0

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self) -> Any:
        if self.traced:
            threading.settrace(self._calls)
            sys.settrace(self._calls)
        outcome = yield
        sys.settrace(None)
        threading.settrace(None)
        if outcome.excinfo is not None:
            self.worst = self._how(*outcome.excinfo[1:])

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_setup(self) -> Any:
        if self.traced:
            threading.settrace(self._calls)  # a server that a fixture starts
        outcome = yield
        if outcome.excinfo is not None:
            self.worst = 3

    def _how(self, error: Any, trace: Any) -> int:
        """Whether the id's own assertion is what failed."""
        failed = isinstance(error, AssertionError) or type(error).__name__ == "Failed"
        while trace is not None:
            inside = trace.tb_frame.f_code.co_filename == self.file
            if inside and self.span[0] <= trace.tb_lineno <= self.span[1]:
                return 1 if failed else 2
            trace = trace.tb_next
        return 3

    def _imported(self, _frame: Any, event: str, _: Any) -> Any:
        if event == "return":
            self.importing -= 1
        return self._imported

    def _calls(self, frame: Any, _event: str, _: Any) -> Any:
        code = frame.f_code
        if not code.co_filename.startswith(SOURCE) or not code.co_filename.endswith(".py"):
            return None
        if code.co_name == "<module>":
            self.importing += 1
            return self._imported
        if self.importing or (code.co_filename.endswith("pytest_plugin.py") and code.co_name.startswith("pytest_")):
            return None  # what runs because pytest does or because a module is imported is nobody's behaviour
        lines = self.ran.setdefault(code.co_filename, set())
        lines.add(frame.f_lineno)
        self.seen[code] += 1
        if self.seen[code] > CALLS_TRACED:
            return None  # what runs often has shown its lines by then

        def local(frame: Any, _event: str, _: Any) -> Any:
            lines.add(frame.f_lineno)
            return local

        return local


# --- which change ----------------------------------------------------------------------------------------------------


def places(trace: Path) -> dict[Place, set[int]]:
    """The functions a test ran, each with the lines that ran."""
    found: dict[Place, set[int]] = {}
    for file, lines in json.loads(trace.read_text(encoding="utf-8")):
        begins = starts(file)
        for line in lines:
            if line in begins:
                found.setdefault((file, begins[line]), set()).add(line)
    return found


@lru_cache(maxsize=1024)
def starts(file: str) -> dict[int, int]:
    """For each line of a function that stands in the module or in a class, the line at which that function's code begins."""
    return {
        line: first for function, first in outer(parsed(file)) for line in range(first, (function.end_lineno or 0) + 1)
    }


def candidates(ran: dict[Place, set[int]], common: Counter[Place], about: frozenset[str]) -> list[Mutant]:
    """Changes in the order they are tried: of functions that share rare words with the requirement and its assertion and that
    few other tests run, a few each, lines with those words first."""
    words = {place: about & stems(source_of(*place)) for place in ran}
    spread = Counter(word for said in words.values() for word in said)
    weight = {
        place: sum(math.log(1 + len(words) / spread[word]) for word in said) / (1 + math.log(1 + common[place]))
        for place, said in words.items()
    }
    found: list[Mutant] = []
    for place in sorted(weight, key=lambda one: (-weight[one], one)):
        lines = source_of(*place).splitlines()
        listed = mutants(*place, ran[place])
        listed.sort(key=lambda one: not (stems(lines[one.line - place[1]]) & about))
        kinds: Counter[str] = Counter()
        picked: list[Mutant] = []
        for one in listed:
            kinds[one.kind] += 1
            if kinds[one.kind] <= 2 and len(picked) < MOST_A_FUNCTION:
                picked.append(one)
        found += picked
        if len(found) >= MOST_IN_ALL:
            break
    return found[:MOST_IN_ALL]


@lru_cache(maxsize=20_000)
def source_of(file: str, first: int) -> str:
    """The text of a function."""
    last = next((one.end_lineno for one, begins in outer(parsed(file)) if begins == first), first)
    return "\n".join(Path(file).read_text(encoding="utf-8").splitlines()[first - 1 : last])


@lru_cache(maxsize=50_000)
def stems(text: str) -> frozenset[str]:
    """The longer words of a text without their endings."""
    return frozenset(word[:6] for word in re.findall(r"[a-z]{4,}", text.lower())) - {
        "assert",
        "requir",
        "return",
        "self",
    }


class Alone:
    """The plugin that runs one assertion of one test and says what became of it."""

    def __init__(self, one: Shown) -> None:
        self.one, self.state = one, "broke"

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        importlib.import_module("witnessmark.verifier")
        self.state = Runs(session).run(self.one)
        return True


def by_name(keys: list[str], shown: dict[str, list[Shown]], to: Path) -> None:
    """Hold each id to the changes that were named for it."""
    with copy() as tree, (to / "found.jsonl").open("a", encoding="utf-8") as out:
        for key in keys:
            told = _held(tree, key, shown[key])
            out.write(json.dumps(told) + "\n")
            out.flush()
            print(key, told["state"], *told["tried"], sep="\n  ", flush=True)


def _held(tree: Copy, key: str, listed: list[Shown]) -> dict[str, Any]:
    """Every named change must make an assertion of the id fail; one that is not green as it stands cannot show it."""
    green = [one for one in listed if tree.state(one) == "green"]
    states, tried = [], []
    for change in named()[key]:
        came: dict[str, Shown] = {}
        for one in green:
            came.setdefault(tree.state(one, change), one)
            if "red" in came:
                break
        states.append(next((state for state in ("red", "raised") if state in came), "survived"))
        tried.append(f"{'/'.join(came) or 'no assertion is green as it stands'} {change.words}")
    state = "survived" if "survived" in states else "raised" if "raised" in states else "killed"
    return {"id": key, "state": state, "tried": tried, "named": True}


class Examined:
    """The plugin that does it, in place of running the tests."""

    def __init__(
        self, keys: list[str], shown: dict[str, list[Shown]], to: Path, seconds: float, *, again: bool
    ) -> None:
        self.keys, self.shown, self.to, self.seconds, self.again = keys, shown, to, seconds, again
        tables = tomllib.loads(WORDS.read_text(encoding="utf-8"))
        self.words = {key: words for table in tables.values() for key, words in table.items()}

    def pytest_collection(self) -> None:
        """A few examples of each property do: what a mutant breaks shows soon."""
        from hypothesis import settings

        settings.register_profile("mutants", max_examples=10, deadline=None, database=None)
        settings.load_profile("mutants")
        importlib.import_module("witnessmark.verifier")  # registers the checks, as the plugin does where it is loaded

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        runs = Runs(session)
        traces = self.to / "traces"
        traces.mkdir(parents=True, exist_ok=True)
        # How many tests run a function: in any order that is not that of the documents, the first few dozen tell.
        common: Counter[Place] = Counter()
        for file in sorted(traces.glob("*.json")):
            common.update(places(file).keys())
        with (self.to / "found.jsonl").open("a", encoding="utf-8") as out:
            for key in self.keys:
                if _cpu_s() > self.seconds:
                    break
                if not self.again and key in found_in(self.to):
                    continue  # another process was quicker
                told = self._examine(runs, key, traces, common)
                out.write(json.dumps(told) + "\n")
                out.flush()
                sys.__stderr__.write(f"{key} {told['state']} {len(told['tried'])} {told.get('by', '')}\n")  # type: ignore[union-attr]
        return True

    def _about(self, key: str, one: Shown) -> frozenset[str]:
        """The words of the requirement, of its test's name, and of the assertion itself."""
        first, last = statement(str(ROOT / one.file), one.line)
        said = (ROOT / one.file).read_text(encoding="utf-8").splitlines()[first - 1 : last]
        return stems(" ".join([self.words[key], one.test, *said]))

    def _traced(self, runs: Runs, one: Shown, traces: Path, common: Counter[Place]) -> dict[Place, set[int]]:
        """What the test runs of the source; traced once."""
        text = (ROOT / one.file).read_bytes()
        path = traces / f"{one.file.replace('/', '.')}.{one.test}.{hash_of(text)}.json"
        if not path.exists():
            state = runs.run(one, trace_to=path)
            if state != "green":
                path.write_text("[]", encoding="utf-8")
                sys.__stderr__.write(f"{one.file}:{one.line} {one.test} is {state} as it stands\n")  # type: ignore[union-attr]
            common.update(places(path).keys())
        return places(path)

    def _examine(self, runs: Runs, key: str, traces: Path, common: Counter[Place]) -> dict[str, Any]:
        told: dict[str, Any] = {"id": key, "state": "survived", "tried": []}
        nothing = True
        raised: dict[str, Any] = {}
        for one in self.shown[key][:MOST_TESTS]:
            ran = self._traced(runs, one, traces, common)
            nothing = nothing and not ran
            reached = 0
            for mutant in candidates(ran, common, self._about(key, one)):
                try:
                    state = runs.run(one, mutant=mutant)
                except (StopIteration, ValueError):
                    continue
                where = f"{Path(mutant.file).relative_to(SOURCE).as_posix()}:{mutant.line} {mutant.function}: {mutant.words}"
                told["tried"].append(f"{state} {where}")
                found = {"test": f"{one.file}:{one.line}", "by": where}
                if state == "red":
                    return told | found | {"state": "killed"}
                raised = raised or (found if state == "raised" else {})
                reached += state != "broke"
                if reached == MOST:
                    break
        return told | ({"state": "apart"} if nothing else {"state": "raised"} | raised if raised else {})


def _cpu_s() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def hash_of(data: bytes) -> str:
    """A short name for a content."""
    return hashlib.sha256(data).hexdigest()[:10]


# --- the table -------------------------------------------------------------------------------------------------------


def found_in(folder: Path) -> dict[str, dict[str, Any]]:
    """What was found so far by id, the latest of each."""
    found = folder / "found.jsonl"
    lines = found.read_text(encoding="utf-8").splitlines() if found.exists() else []
    return {told["id"]: told for told in map(json.loads, lines)}


def table(folder: Path) -> str:
    """What was found by document, and every id that survived; where nothing of the source was traced, nothing was shown."""
    rows = list(found_in(folder).values())
    shown, _ = collect()
    lines = [
        "| document | ids | run | killed: its assertion fails | killed: it raises | survived | killed of those run |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for seed in ("S0", "S1", "S2", "S3", "S4", "C", "all"):
        mine = [row for row in rows if seed == "all" or row["id"].startswith(seed)]
        count = Counter(row["state"] for row in mine)
        red = count["killed"] + count["raised"]
        share = f"{red / len(mine):.1%}" if mine else ""
        ids = sum(seed == "all" or key.startswith(seed) for key in shown)
        told = f"{count['killed']} | {count['raised']} | {len(mine) - red}"
        lines.append(f"| {seed} | {ids} | {len(mine)} | {told} | {share} |")
    left = ", ".join(sorted(row["id"] for row in rows if row["state"] not in ("killed", "raised")))
    return "\n".join([*lines, "", f"Survived: {left or 'none'}."])


def main() -> int:
    """Run a piece, or print the table."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--to", type=Path, required=True, help="the folder of what is found")
    options.add_argument("--ids", help="only these, whatever was found before")
    options.add_argument(
        "--seconds", type=float, default=math.inf, help="CPU time of a piece: it ends with its test file"
    )
    options.add_argument("--table", action="store_true", help="print what was found as a table")
    options.add_argument(
        "--alone", help="only this assertion, FILE:LINE:TEST, as the source stands; the exit code says how"
    )
    given = options.parse_args()
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # they take longer to load than most tests to run
    quiet = ["-q", "-p", "no:cacheprovider", "-p", "pytest_timeout", "--timeout", str(LIMIT_S)]
    if given.alone:
        file, line, test = given.alone.split(":")
        watched = Alone(Shown(file, int(line), test))
        pytest.main([file, *quiet], plugins=[watched])
        return STATES.index(watched.state)
    if given.table:
        print(table(given.to))
        return 0
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # every fork imports what the one before it did
    sys.dont_write_bytecode = False
    shown, _ = collect()
    given.to.mkdir(parents=True, exist_ok=True)
    found = given.to / "found.jsonl"
    done = (
        {json.loads(line)["id"] for line in found.read_text(encoding="utf-8").splitlines()} if found.exists() else set()
    )
    keys = given.ids.split(",") if given.ids else [key for key in shown if key not in done]
    keys = sorted(
        (key for key in keys if key in shown), key=lambda key: hash_of(key.encode())
    )  # a part is a fair sample
    if not keys:
        return 0
    listed = [key for key in keys if key in named()]
    keys = [key for key in keys if key not in listed]
    if listed:
        by_name(listed[:PIECE] if given.seconds < math.inf else listed, shown, given.to)
        if given.seconds < math.inf or not keys:
            return MORE
    if given.seconds < math.inf:  # a piece is one test file: importing a second one costs more than a fork
        first = min((shown[key][0].file for key in keys), key=lambda file: hash_of(file.encode()))
        keys = [key for key in keys if shown[key][0].file == first]
    files = sorted({one.file for key in keys for one in shown[key][:MOST_TESTS]})
    pytest.main([*files, *quiet], plugins=[Examined(keys, shown, given.to, given.seconds, again=bool(given.ids))])
    return MORE


if __name__ == "__main__":
    sys.exit(main())
