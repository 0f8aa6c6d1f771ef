"""A plan checked exactly: what 50 subgoals cost, and how the cost grows with the plan."""

from __future__ import annotations

import asyncio
import json
from functools import partial

from bench.measure import cpu, met, side_by_side, table
from witnessmark.core.case import Case
from witnessmark.verifier import Verifier

SIZES = (50, 500, 5_000)
TARGET_MS = 2.0


def plan(count: int) -> bytes:
    """A plan of layers of five, each waiting for two of the layer before, over ten agents and a little code."""
    agents = [{"name": f"agent-{n}", "capabilities": [f"skill-{n}", "read"], "tools": ["grep"]} for n in range(9)]
    agents.append({"name": "generic-executor", "capabilities": ["all"]})
    subgoals = [
        {
            "id": f"sg{n}",
            "description": f"Extend step {n} of handler_{n % 7}() in module_{n % 7}.py and check the result",
            "agent": f"agent-{n % 9}",
            "depends_on": [f"sg{m}" for m in (n - 5, n - 6) if m >= 0],
            "needs": [f"skill-{n % 9}", "read"],
        }
        for n in range(count)
    ]
    order = [
        {"phase": "parallel", "subgoals": [f"sg{n}" for n in range(at, min(at + 5, count))]}
        for at in range(0, count, 5)
    ]
    evidence = [
        {"id": f"c{n}", "kind": "code", "origin": f"module_{n}.py", "text": f"def handler_{n}(): ...\n" * 20}
        for n in range(7)
    ]
    subject = {"kind": "decomposition", "goal": "Extend all steps", "subgoals": subgoals, "execution_order": order}
    context = {"agents": agents, "complexity": "CRITICAL"}
    return json.dumps({"goal": "Extend it", "subject": subject, "evidence": evidence, "context": context}).encode()


def report() -> str:
    """The section."""
    verifier = Verifier()
    loop = asyncio.new_event_loop()
    rows, first = [], 0.0
    for count in SIZES:
        data = plan(count)
        case = Case.from_json(data)

        def check(case: Case = case) -> None:
            loop.run_until_complete(verifier.evaluate(case))

        rounds = {50: 200, 500: 25}.get(count, 5)
        for _ in range(min(rounds, 20)):
            check()
        floor, checked = side_by_side([partial(json.loads, data), check], rounds=rounds)
        read = cpu(partial(Case.from_json, data))
        each = checked / count * 1e6
        times = checked / floor
        first = first or times
        target = (
            (f"{TARGET_MS:g} ms", met(checked * 1e3, TARGET_MS))
            if count == 50
            else ("× floor no higher than for 50", met(times, first * 1.1))
        )
        rows.append(
            (
                count,
                f"{checked * 1e3:.2f}",
                f"{each:.1f}",
                f"{read * 1e3:.2f}",
                f"{floor * 1e3:.2f}",
                f"{times:.0f}",
                *target,
            )
        )
    loop.close()
    columns = [
        "subgoals",
        "checked and recorded, CPU ms",
        "µs a subgoal",
        "reading the case, ms",
        "floor: json.loads, ms",
        "× floor",
        "target",
        "met",
    ]
    return f"## Plans\n\nThe checkpoint `decomposition` without a judge, record included.\n\n{table(columns, rows)}"
