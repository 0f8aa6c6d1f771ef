"""Import, install size, and the deterministic checkpoint end to end."""

from __future__ import annotations

import asyncio
import compileall
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.measure import ROOT, cpu, met, process_cpu, python_cpu, side_by_side, table

ITEMS = [{"sku": f"A{n}", "quantity": n, "price": n * 1.5, "tags": ["new", "sale"]} for n in range(7)]
TEXT = json.dumps({"name": "Witnessmark", "items": ITEMS, "note": "report 123 ok"})
SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["name", "items"],
    "properties": {
        "name": {"type": "string"},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["sku", "quantity"],
                "properties": {"sku": {"type": "string"}, "quantity": {"type": "integer"}, "price": {"type": "number"}},
            },
        },
    },
}
BATCH = 10_000


def case_bytes(number: int) -> bytes:
    """A case with a regular expression, a length, keywords and a JSON Schema over half a kilobyte of JSON."""
    criteria = [
        {"check": "format_regex", "value": r"report \d+"},
        {"check": "min_length", "value": 20},
        {"check": "contains_keywords", "value": ["witnessmark", "report"]},
        {"check": "json_schema", "value": SCHEMA},
    ]
    subject = {"kind": "task_output", "text": TEXT}
    return json.dumps({"id": f"case-{number}", "goal": "Extract.", "subject": subject, "criteria": criteria}).encode()


def _by_schema() -> dict[str, Any]:
    return {"check": "json_schema", "value": SCHEMA}


def _two() -> dict[str, Any]:
    """A case with two criteria as a dictionary."""
    return {
        "goal": "Extract.",
        "subject": {"kind": "task_output", "text": "report 123 ok and more of it"},
        "criteria": [{"check": "format_regex", "value": r"report \d+"}, {"check": "min_length", "value": 20}],
    }


def report() -> str:
    """The section."""
    return "\n\n".join(["## The flow", _imports(), _installed(), _checkpoint(), _command_line(), _growth()])


def _imports() -> str:
    compileall.compile_dir(str(ROOT / "src" / "witnessmark"), quiet=2)
    floor = python_cpu("pass")
    rows = []
    for code, what, target in [
        ("import witnessmark", "`import witnessmark`", 0.30),
        (
            "import witnessmark; witnessmark.Verifier, witnessmark.Case",
            "`from witnessmark import Verifier, Case`",
            0.30,
        ),
        ("import msgspec, asyncio", "floor: `import msgspec, asyncio`", None),
    ]:
        seconds = python_cpu(code)
        loaded = subprocess.run(
            [sys.executable, "-c", f"{code}; import sys; print(len(sys.modules))"],
            capture_output=True,
            text=True,
            check=True,
        )
        rows.append(
            (
                what,
                f"{seconds:.3f}",
                loaded.stdout.strip(),
                f"{target:.2f} s, 300 modules" if target else "",
                met(seconds, target) if target else "",
            )
        )
    rows.append(("floor: an empty interpreter", f"{floor:.3f}", "", "", ""))
    return table(["import (compiled files)", "CPU s", "modules", "target", "met"], rows)


def _installed() -> str:
    """What a plain install brings, into a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "site"
        lock = ROOT / "requirements" / "core.lock"
        command = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--target", str(target)]
        done = subprocess.run(
            [*command, "--no-deps", "--require-hashes", "-r", str(lock)], capture_output=True, text=True, check=False
        )
        if done.returncode:
            return f"install size: not measured ({done.stderr.strip().splitlines()[-1]})"
        subprocess.run([*command, "--no-deps", "--no-build-isolation", str(ROOT)], capture_output=True, check=True)
        size = sum(f.stat().st_size for f in target.rglob("*") if f.is_file()) / 1e6
        count = len(list(target.glob("*.dist-info")))
    rows = [
        ("MB, compiled files included", f"{size:.0f}", 65, met(size, 65)),
        ("packages, ours included", count, 30, met(count, 30)),
    ]
    return table(["install without extras", "measured", "at most", "met"], rows)


def _checkpoint() -> str:
    from witnessmark import Case, Verifier
    from witnessmark.core.registry import ready

    raw = [case_bytes(number) for number in range(BATCH)]
    cases = [Case.from_json(data) for data in raw]
    verifier = Verifier()

    async def built() -> None:
        for case in cases:
            await verifier.evaluate(case)

    async def read() -> None:
        for data in raw:
            await verifier.evaluate(Case.from_json(data))

    asyncio.run(built())
    check = ready("json_schema", SCHEMA)
    floor = ready("json_schema", SCHEMA)
    works = [
        lambda: asyncio.run(built()),
        lambda: asyncio.run(read()),
        lambda: [check(case, {}) for case in cases],
        lambda: [json.loads(data) for data in raw],
    ]
    assert floor is not None
    given = {"two criteria": _two(), "one schema": json.loads(case_bytes(0)) | {"criteria": [_by_schema()]}}

    async def from_dictionary(data: dict[str, Any]) -> None:
        for _ in range(BATCH):
            await verifier.verify(Case.from_dict(data))

    works += [lambda data=data: asyncio.run(from_dictionary(data)) for data in given.values()]  # type: ignore[misc]
    seconds = [1e6 * s / BATCH for s in side_by_side(works)]
    rows = [
        ("case to record (4 criteria, guard, policy, identity)", f"{seconds[0]:.0f}", 100, met(seconds[0], 100)),
        ("JSON bytes to record", f"{seconds[1]:.0f}", 150, met(seconds[1], 150)),
        ("the JSON Schema check alone (0.5 kB)", f"{seconds[2]:.1f}", 10, met(seconds[2], 10)),
        ("floor: json.loads of the same bytes", f"{seconds[3]:.1f}", "", ""),
    ]
    rows += [
        (f"`verify` of a dictionary, {what}", f"{each:.0f}", 70, met(each, 70))
        for what, each in zip(given, seconds[4:], strict=True)
    ]
    return table([f"deterministic checkpoint, {BATCH:,} cases, no store", "µs each", "at most", "met"], rows)


def _command_line() -> str:
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for number in range(1000):
            path = Path(folder) / f"case-{number}.json"
            path.write_bytes(case_bytes(number))
            files.append(str(path))
        base = [sys.executable, "-m", "witnessmark"]
        whole = process_cpu(*base, "verify", *files, "--store", f"sqlite:///{folder}/s.db")
        start = process_cpu(*base, "--version")
    rows = [
        ("`witnessmark verify` on 1,000 case files, SQLite", f"{whole:.2f}", "2.00", met(whole, 2.0)),
        ("of which starting up (`witnessmark --version`)", f"{start:.2f}", "", ""),
    ]
    return table(["command line", "CPU s", "at most", "met"], rows)


def _growth() -> str:
    """The cost of a case does not grow with the number of cases.

    One hundred cases at a time, each hundred beside the same piece of reference work, so that a neighbour's load falls
    on both; the median of the ratios counts.
    """
    from statistics import median

    from witnessmark import Case, Verifier

    raw = [case_bytes(number) for number in range(100)]

    async def hundred(verifier: Verifier) -> None:
        for data in raw:
            await verifier.evaluate(Case.from_json(data))

    def ratio(verifier: Verifier) -> float:
        spent = cpu(lambda: asyncio.run(hundred(verifier)), rounds=1)
        return spent / cpu(lambda: [json.loads(data) for data in raw * 4], rounds=1)

    ratio(Verifier())
    few = median(ratio(Verifier()) for _ in range(200))  # 100 cases each, with a new verifier that compiles its checks
    shared = Verifier()
    ratios = [ratio(shared) for _ in range(1_000)]
    each = {
        "100 cases": few,
        "1,000 cases": median(ratios[:10]),
        "10,000 cases": median(ratios[:100]),
        "100,000 cases": median(ratios),
    }
    late = median(ratios[-100:]) / median(ratios[:100])
    spread = max(each.values()) / min(each.values()) - 1
    rows = [(what, f"{value:.3f}") for what, value in each.items()]
    told = (
        f"Spread {spread:.0%}; target within 10 %: {met(spread, 0.10)}. The last 10,000 against the first: {late:.2f}."
    )
    return table(["cost per case, in units of four json.loads of its bytes", "median"], rows) + "\n\n" + told
