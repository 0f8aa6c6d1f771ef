"""Goal verification with no judge against what the world said: airline trajectories and the reward their database earned."""

from __future__ import annotations

import asyncio
import gzip
import json
import time
from typing import Any

from bench.measure import DATA, NO_DATA, table
from witnessmark import Case, Verifier
from witnessmark.core.record import Record
from witnessmark.core.registry import checks
from witnessmark.core.verdict import OUTCOMES

CHANGES = [
    "book_reservation",
    "cancel_reservation",
    "update_reservation_flights",
    "update_reservation_baggages",
    "update_reservation_passengers",
]
"""The tools that the airline's policy asks an explicit yes for."""
FILE = DATA / "agents" / "taubench_airline.jsonl.gz"


def report() -> str:
    """The section."""
    head = "## Goal verification against the world (tau-bench airline)"
    if not FILE.exists():
        return f"{head}\n\n{NO_DATA}"
    with gzip.open(FILE, "rt", encoding="utf-8") as lines:
        runs = [json.loads(line) for line in lines]
    good = [run["reward"] == 1.0 for run in runs]
    started = time.process_time()
    goal = _verified(runs, "goal", "answer")
    spent = (time.process_time() - started) / len(runs)
    rows = [_row("always pass", [False] * len(runs), good), _row("`goal`, no judge", _alarms(goal), good)]
    asked = _alarms(_verified(runs, "goal", "answer", rule=True))
    rows.append(_row("`goal` with the airline's rule declared, all", asked, good))
    for name, wanted in (("… the half of the tasks it was written on", 0), ("… the other half", 1)):
        kept = [n for n, run in enumerate(runs) if _half(runs, run) == wanted]
        rows.append(_row(name, [asked[n] for n in kept], [good[n] for n in kept]))
    note = ""
    if "claimed_actions" in checks.all():
        acts = _verified(runs, "actions", "agent_output")
        both = [a or b for a, b in zip(_alarms(goal), _alarms(acts), strict=True)]
        note = f"\n\n`actions` says: {_counted(acts)}."
        rows += [_row("`actions`, no judge", _alarms(acts), good), _row("`goal` or `actions`", both, good)]
    else:
        note = "\n\n`actions`: not measured, the check is not installed."
    counts = _counted(goal)
    text = (
        f"{len(runs)} trajectories, {sum(good)} with full reward. The person's messages are the goal, what the agent said after "
        "its last tool call (or, where it ends with a call, what it said last) is the response, its tool calls are the evidence; no judge, nothing of the task's own solution. An "
        "alarm is the outcome `fail`; what no plain sign speaks against stays unverified and counts here as no alarm. "
        "Not held out: its alarms were looked at, and things were changed after that. As first written `goal` raised 51 alarms, 16 of "
        "them right, because a run that ends with a call was read as an empty response; with what was said last, 10 (5 right); with "
        "a reasoned refusal after tools were used left to a reader, 4 (2 right); with long requests not taken at their word about "
        "figures, what stands below. Plain signs say next to nothing about these runs; that takes a judge or the state. "
        "`actions` gets the same calls as a trace; these agents claim nothing in the forms it reads, and it says so. They do what they "
        "say they did, and it was the wrong thing: claims of a change without a call that made it turn up in 1 run of 200. What can "
        "be declared is the one rule of the airline's policy about order, a clear yes before each change (`consent_given`): its words "
        "for yes were settled on the tasks of even rank and measured on the others; a first look at all signs had seen both halves.\n\n"
    )
    columns = ["", "agrees with the reward", "alarms", "of them right", "failures found", "false alarms on good runs"]
    return f"{head}\n\n{text}{table(columns, rows)}\n\n`goal` says: {counts}; {1e3 * spent:.2f} ms CPU a case.{note}"


def _row(name: str, alarms: list[bool], good: list[bool]) -> list[str]:
    right = sum(alarm and not fine for alarm, fine in zip(alarms, good, strict=True))
    agree = sum(alarm != fine for alarm, fine in zip(alarms, good, strict=True))
    bad, raised = good.count(False), sum(alarms)
    false = raised - right
    of = f"{right} of {raised}" if raised else "–"
    return [name, f"{agree / len(good):.1%}", str(raised), of, f"{right} of {bad}", f"{false} of {good.count(True)}"]


def _counted(records: list[Record]) -> str:
    return ", ".join(f"{sum(r.outcome == word for r in records)} {word}" for word in OUTCOMES)


def _alarms(records: list[Record]) -> list[bool]:
    return [record.outcome == "fail" for record in records]


def _half(runs: list[dict[str, Any]], run: dict[str, Any]) -> int:
    return sorted({one["task_id"] for one in runs}).index(run["task_id"]) % 2


def _verified(runs: list[dict[str, Any]], checkpoint: str, kind: str, *, rule: bool = False) -> list[Record]:
    async def work() -> list[Record]:
        verifier = Verifier()
        return [await verifier.verify(case_of(run, kind, rule=rule), checkpoint=checkpoint) for run in runs]

    return asyncio.run(work())


def case_of(run: dict[str, Any], kind: str, *, rule: bool = False) -> Case:
    """A trajectory as a case."""
    said = [turn for turn in run["traj"] if turn["role"] != "system"]
    last = max((n for n, turn in enumerate(said) if turn["role"] == "tool"), default=-1)
    told = [(n, turn["content"]) for n, turn in enumerate(said) if turn["role"] == "assistant" and turn.get("content")]
    response = "\n\n".join(text for n, text in told if n > last) or (told[-1][1] if told else "")
    goal = "\n".join(t["content"] for t in said if t["role"] == "user" and "###" not in t["content"])
    if rule:
        made = {"subject": {"kind": kind, "text": response}, "goal": goal, "evidence": _in_order(said)}
        return Case.from_dict(made | {"criteria": [{"check": "consent_given", "value": CHANGES}]})
    if kind == "answer":
        return Case.from_dict({"subject": {"kind": kind, "text": response}, "goal": goal, "evidence": _calls(said)})
    calls = [{name: value for name, value in call.items() if name != "kind"} for call in _calls(said)]
    subject = {"kind": kind, "summary": response, "traceRef": "trace:run"}
    return Case.from_dict(
        {"subject": subject, "goal": goal, "evidence": [{"id": "run", "kind": "trace", "data": calls}]}
    )


def _in_order(said: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The person's messages and the calls, as they came."""
    calls, found = iter(_calls(said)), []
    for number, turn in enumerate(said):
        if turn["role"] == "user":
            found.append({"id": f"message-{number}", "kind": "message", "origin": "user", "text": turn["content"]})
        found += [next(calls) for _ in turn.get("tool_calls") or ()]
    return found


def _calls(said: list[dict[str, Any]]) -> list[dict[str, Any]]:
    results = {turn["tool_call_id"]: turn.get("content") for turn in said if turn["role"] == "tool"}
    found: list[dict[str, Any]] = []
    for turn in said:
        for call in turn.get("tool_calls") or ():
            asked = call["function"]
            found.append(
                {
                    "id": f"call-{len(found) + 1}",
                    "kind": "tool_call",
                    "name": asked["name"],
                    "input": json.loads(asked["arguments"] or "{}"),
                    "output": results.get(call["id"]),
                }
            )
    return found
