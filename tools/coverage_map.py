"""Writes docs/requirements.md: each requirement in our words with its state (shown, measured and short, not yet) and the
test and line that assert it.

A test shows a requirement by a comment at the end of an asserting line: `assert score == 0.68  # req: S0-036`. One id a
line, at most six ids a test, and the line must assert something: a blanket test cannot stand for many.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORDS = ROOT / "docs" / "requirements.toml"
STATES = ROOT / "docs" / "requirements_states.toml"
PAGE = ROOT / "docs" / "requirements.md"
MARK = re.compile(r"#\s*req:\s*([^#]+?)\s*(?:#.*)?$")
ID = re.compile(r"(?:S\d-\d{3}|C\d{2})")
ASSERTS = re.compile(r"\bassert\b|pytest\.raises|\bexpect|\.assert_")
TITLES = {
    "S0": "Plan, agent output and synthesis checkpoints",
    "S1": "Goal verification",
    "S2": "Task verification against success criteria",
    "S3": "Verification of an agent's own claims",
    "S4": "Groundedness, confidence, corrective retrieval",
    "C": "Resolutions of contradictions",
}
MOST_IDS_A_TEST = 6


@dataclass(frozen=True)
class Shown:
    """Where a requirement is shown."""

    file: str
    line: int
    test: str


def collect() -> tuple[dict[str, list[Shown]], list[str]]:
    """Every marked line by requirement, and what is wrong with the marks."""
    known = {key for table in tomllib.loads(WORDS.read_text(encoding="utf-8")).values() for key in table}
    found: dict[str, list[Shown]] = {}
    faults: list[str] = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        if "# req:" not in text:
            continue
        nodes = list(ast.walk(ast.parse(text)))
        spans, asserted = _tests(nodes), _asserted(text, nodes)
        per_test: dict[str, set[str]] = {}
        for number, line in enumerate(text.splitlines(), 1):
            match = MARK.search(line)
            if match is None:
                continue
            where = f"{path.relative_to(ROOT).as_posix()}:{number}"
            test = next((name for name, first, last in spans if first <= number <= last), None)
            key = match.group(1)
            if not ID.fullmatch(key) or key not in known:
                faults.append(f"{where}: {key!r} is not one known requirement")
            elif test is None:
                faults.append(f"{where}: {key} stands outside a test")
            elif number not in asserted:
                faults.append(f"{where}: {key} stands on a line that asserts nothing")
            else:
                per_test.setdefault(test, set()).add(key)
                found.setdefault(key, []).append(Shown(path.relative_to(ROOT).as_posix(), number, test))
        faults += [
            f"{path.relative_to(ROOT).as_posix()}: {test} stands for {len(keys)} requirements; split it"
            for test, keys in per_test.items()
            if len(keys) > MOST_IDS_A_TEST
        ]
    return found, faults


def _tests(nodes: list[ast.AST]) -> list[tuple[str, int, int]]:
    return [
        (node.name, node.lineno, node.end_lineno or node.lineno)
        for node in nodes
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test")
    ]


def _asserted(text: str, nodes: list[ast.AST]) -> set[int]:
    """The lines of statements that assert; one may have begun on an earlier line."""
    lines = text.splitlines()
    found: set[int] = set()
    for node in nodes:
        if isinstance(node, (ast.Assert, ast.With, ast.Expr)):
            # what stands alone in a `with pytest.raises` is what must raise
            head = isinstance(node, ast.With) and len(node.body) > 1
            last = node.items[-1].context_expr.end_lineno if head else node.end_lineno  # type: ignore[union-attr]
            end = last or node.lineno
            if ASSERTS.search("\n".join(lines[node.lineno - 1 : end])):
                found |= set(range(node.lineno, end + 1))
    return found


def states() -> dict[str, tuple[str, str]]:
    """What is not simply shown, by id: `measured and short` with its figure, or `not yet` with what is missing."""
    read = tomllib.loads(STATES.read_text(encoding="utf-8"))
    return {key: (state.replace("_", " "), why) for state, table in read.items() for key, why in table.items()}


def page(found: dict[str, list[Shown]]) -> str:
    """The page: every id in one of three states, so that a test that exists does not pass for a requirement that holds."""
    tables = tomllib.loads(WORDS.read_text(encoding="utf-8"))
    said = states()
    keys = [key for table in tables.values() for key in table]
    short = sum(said.get(key, ("", ""))[0] == "measured and short" for key in keys)
    missing = sum(key not in found or said.get(key, ("", ""))[0] == "not yet" for key in keys)
    out = [
        "# Requirements",
        "",
        f"Of {len(keys)}, {len(keys) - short - missing} are shown by a test, {short} are measured and short of what was asked, "
        f"{missing} are not there yet or only in part. Written by `make coverage-map` from the comments `# req: ID` in the "
        "tests and from docs/requirements_states.toml, which says what is short or missing.",
    ]
    for name, table in tables.items():
        out += ["", f"## {TITLES.get(name, name)}", "", "| id | what | state | test |", "|---|---|---|---|"]
        for key, words in table.items():
            places = found.get(key, [])
            where = "<br>".join(f"`{p.file}:{p.line}` {p.test}" for p in places[:3])
            state, why = said.get(key, ("shown", "") if places else ("not yet", ""))
            told = f"{state}: {why}" if why else state
            out.append(f"| {key} | {words.replace('|', '&#124;')} | {told.replace('|', '&#124;')} | {where} |")
    return "\n".join(out) + "\n"


def main() -> int:
    """Write the page; with --check, only say whether the marks are sound and the page is up to date."""
    found, faults = collect()
    known = {key for table in tomllib.loads(WORDS.read_text(encoding="utf-8")).values() for key in table}
    faults += [f"{STATES.name}: {key!r} is not one known requirement" for key in states() if key not in known]
    for fault in faults:
        print(fault, file=sys.stderr)
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page(found), encoding="utf-8")
        print(f"{PAGE.relative_to(ROOT)}: {len(found)} requirements shown")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
