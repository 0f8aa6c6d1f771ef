"""What the judge layer costs, how it takes faults, and how it reads and combines what real judges said."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench import judges_panel
from witnessmark import Case, Executor, Settings, Verifier
from witnessmark.checks.judged.questions import CriterionItem, reply_schema
from witnessmark.core import budget
from witnessmark.core.budget import Budget
from witnessmark.core.case import TaskOutput
from witnessmark.core.concurrency.background_loop import run_sync
from witnessmark.core.run import Limits
from witnessmark.judges.ask import ask_about
from witnessmark.judges.limits import Patience
from witnessmark.judges.pool import JudgingSettings
from witnessmark.judges.specs import JudgeSpec

DATA = (
    Path(os.environ.get("WITNESSMARK_DATA") or Path(__file__).resolve().parents[1].parent / "shared" / "data")
    / "judges"
)
ANSWER = {"c1": {"reasoning": "The figure stands in the first line.", "score": 5, "confidence": 0.9}}
SCHEMA = reply_schema([CriterionItem(key="c1", text="States by how much revenue rose", scale="likert5")])
SERVE = """
import asyncio, json, sys
from witnessmark.testing.stub_server import StubServer, evenly
async def main():
    options = json.loads(sys.argv[1])
    faults = evenly(options.pop("share", 0.0))
    only = options.pop("only", None)
    if only: faults = {only: sum(faults.values())}
    async with StubServer(options.pop("answer"), faults=faults, keep=False, **options) as stub:
        print(stub.url, flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
asyncio.run(main())
"""


def report() -> str:
    parts = ["## Judges", _overhead(), _faults(), _reader(), _panel()]
    return "\n\n".join(parts)


@contextmanager
def _stub(**options: Any) -> Iterator[str]:
    """The stub in a process of its own, so that its CPU time is not ours."""
    told = json.dumps({"answer": ANSWER, **options})
    with subprocess.Popen(
        [sys.executable, "-c", SERVE, told], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as served:
        assert served.stdout is not None
        try:
            yield served.stdout.readline().strip()
        finally:
            assert served.stdin is not None
            served.stdin.close()
            served.wait(10)


# --- overhead -----------------------------------------------------------------------------------------------------


def _verifier(url: str, patience: Patience, limits: Limits | None = None) -> Verifier:
    spec = JudgeSpec(model="qwen-stub", url=url, limits=patience, input_usd=1.0, output_usd=1.0)
    settings = Settings(
        judges={"stub": spec}, judging=JudgingSettings(judges=("stub",)), limits=limits or Limits(usd=1.0)
    )
    return Verifier(settings)


def _case(number: int) -> Case:
    text = f"Report {number}: revenue rose by {number} per cent. " + "It was a good year for the whole team. " * 12
    return Case(
        subject=TaskOutput(text=text),
        criteria=("States by how much revenue rose",),
        executor=Executor(model="gpt-4o"),
        context={"quality": False},
    )


async def _bare(url: str, count: int, at_once: int) -> tuple[float, float]:
    """What anyone would write: aiohttp, a formatted prompt, pydantic."""
    import aiohttp
    from pydantic import BaseModel

    class Criterion(BaseModel):
        reasoning: str
        score: int
        confidence: float

    class Verdict(BaseModel):
        c1: Criterion

    system, filler = "You judge work against a rubric.", "Judge fairly. " * 300
    cases = [_case(n) for n in range(count)]

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def one(case: Case) -> None:
            user = f"{filler}\nStates by how much revenue rose\n<output>{case.text}</output>\n{json.dumps(SCHEMA)}"
            messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
            form = {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA, "strict": True}}
            body = {"model": "m", "messages": messages, "max_tokens": 1024, "temperature": 0, "response_format": form}
            async with session.post(f"{url}/chat/completions", json=body) as response:
                data = await response.json()
            Verdict.model_validate_json(data["choices"][0]["message"]["content"])

        await one(cases[0])
        return await _timed(one, cases, at_once)


async def _ours(url: str, count: int, at_once: int) -> tuple[float, float]:
    """The door: `verify` one after the other, `verify_many` where several are in flight."""
    cases = [_case(n) for n in range(count + 1)]
    async with _verifier(url, Patience(concurrency=at_once)) as verifier:

        async def one(case: Case) -> None:
            record = await verifier.verify(case)
            assert record.outcome == "pass", record

        await one(cases.pop())
        if at_once == 1:
            return await _timed(one, cases, at_once)
        cpu, wall = time.process_time(), time.perf_counter()
        async for result in verifier.verify_many(cases, concurrency=at_once):
            assert result.record.outcome == "pass", result.record
        return time.process_time() - cpu, time.perf_counter() - wall


async def _ours_sync(url: str, count: int, at_once: int) -> tuple[float, float]:
    """`verify_sync`, as a script without async calls it: from a thread in which no loop runs."""
    assert at_once == 1
    cases = [_case(n) for n in range(count + 1)]
    verifier = _verifier(url, Patience(concurrency=at_once))

    def work() -> tuple[float, float]:
        verifier.verify_sync(cases.pop())
        cpu, wall = time.process_time(), time.perf_counter()
        for case in cases:
            assert verifier.verify_sync(case).outcome == "pass"
        spent = time.process_time() - cpu, time.perf_counter() - wall
        run_sync(verifier.close())
        return spent

    return await asyncio.to_thread(work)


async def _layer(url: str, count: int, at_once: int) -> tuple[float, float]:
    """The judge layer by itself: chosen, composed, remembered, reserved, limited, read."""
    cases = [_case(n) for n in range(count + 1)]
    async with _verifier(url, Patience(concurrency=at_once)) as verifier:
        judges = verifier.judge_pool
        assert judges is not None

        async def one(case: Case) -> None:
            budget.active.set(Budget(usd=1.0))
            question = ask_about(
                "rubric",
                ours="c1: States by how much revenue rose",
                material={"output": case.text},
                reply_schema=SCHEMA,
                seed=1,
            )
            reply = await judges.pick("gpt-4o").ask(question)
            assert reply.data["c1"]["score"] == 5

        await one(cases.pop())
        return await _timed(one, cases, at_once)


async def _timed(one: Callable[[Case], Awaitable[None]], cases: list[Case], at_once: int) -> tuple[float, float]:
    """CPU and wall seconds for all cases, so many at once."""
    room = asyncio.Semaphore(at_once)

    async def held(case: Case) -> None:
        async with room:
            await one(case)

    cpu, wall = time.process_time(), time.perf_counter()
    if at_once == 1:
        for case in cases:
            await one(case)
    else:
        await asyncio.gather(*(held(case) for case in cases))
    return time.process_time() - cpu, time.perf_counter() - wall


Measured = Callable[[str, int, int], Awaitable[tuple[float, float]]]


def _best(url: str, count: int, at_once: int, which: int, ours: Measured = _ours, times: int = 12) -> list[float]:
    """The best of several runs of the bare client, of the layer and of all, in turns, since the machine is shared."""
    sides = (_bare, _layer, ours)
    runs = [[asyncio.run(_spent(run, url, count, at_once))[which] for run in sides] for _ in range(times)]
    return [min(each) for each in zip(*runs, strict=True)]


async def _spent(run: Measured, url: str, count: int, at_once: int) -> tuple[float, float]:
    return await run(url, count, at_once)


def _overhead() -> str:
    rows = []
    with _stub() as url:
        for name, count, at_once, most, run in (
            ("one after the other, `verify`", 200, 1, 2.0, _ours),
            ("one after the other, `verify_sync`", 200, 1, 2.0, _ours_sync),
            ("100 in flight, `verify_many`", 500, 100, 2.0, _ours),
        ):
            floor, layer, ours = (seconds / count * 1e3 for seconds in _best(url, count, at_once, 0, run))
            rows.append(_row(f"0 ms stub, {name}: CPU ms each", floor, layer, ours, most))
    with _stub(delay_s=0.2) as url:
        floor, layer, ours = _best(url, 500, 100, 1, times=5)
        rows.append(_row("200 ms stub, 500 of them, 100 in flight: seconds in all", floor, layer, ours, 1.15))
    head = (
        "| overhead, limiter, breaker, budget and cache look-up on | bare aiohttp + pydantic | judge layer alone | a judged "
        "verification | target | met by the layer | met by the verification |"
    )
    return "\n".join([head, "|---|---|---|---|---|---|---|", *rows])


def _row(what: str, floor: float, layer: float, ours: float, most: float) -> str:
    shown = [f"{value:.3f} ({value / floor:.2f} times)" for value in (layer, ours)]
    met = ["yes" if value / floor <= most else "no" for value in (layer, ours)]
    return f"| {what} | {floor:.3f} | {' | '.join(shown)} | at most {most:g} times | {' | '.join(met)} |"


# --- faults -------------------------------------------------------------------------------------------------------

FAULT_NAMES = ("malformed", "empty", "prose", "truncated", "refusal", "500", "429", "dropped", "hang")
DEADLINE_S = 8.0


async def _under_faults(url: str, count: int) -> tuple[Counter[str], float]:
    """How cases end, and the longest of them."""
    patience = Patience(concurrency=50, timeout_s=1.5, backoff_s=0.05, retries=2, cool_s=0.5)
    limits = Limits(case_s=DEADLINE_S, check_s=DEADLINE_S, usd=1.0)
    longest, ends = 0.0, Counter[str]()
    async with _verifier(url, patience, limits) as verifier:
        room = asyncio.Semaphore(50)

        async def one(case: Case) -> None:
            nonlocal longest
            async with room:
                started = time.perf_counter()
                record = (await verifier.evaluate(case)).record
                longest = max(longest, time.perf_counter() - started)
            assert record is not None
            judged = next(r for r in record.results if r.check == "rubric")
            ends["scored" if judged.score is not None else str(judged.cause)] += 1
            if judged.score is not None and judged.score != 1.0:
                ends["scored wrongly"] += 1

        await asyncio.gather(*(one(_case(n)) for n in range(count)))
    return ends, longest


def _faults() -> str:
    lines = [
        "| faults | cases | scored | without a score, by cause | scored wrongly | longest, s | inside the deadline |"
    ]
    lines.append("|---|---|---|---|---|---|---|")
    with _stub(share=0.2, hang_s=4.0) as url:
        ends, longest = asyncio.run(_under_faults(url, 2000))
    lines.append(_fault_row("20 %, all nine kinds (target: at least 99 % scored)", 2000, ends, longest))
    for fault in FAULT_NAMES:
        with _stub(share=1.0, only=fault, hang_s=4.0) as url:
            ends, longest = asyncio.run(_under_faults(url, 40))
        lines.append(_fault_row(f"100 %, {fault}", 40, ends, longest))
    note = "Malformed replies (single quotes, trailing commas) are mended and scored; nothing else is scored by a broken judge."
    return "\n".join([*lines, "", note])


def _fault_row(what: str, count: int, ends: Counter[str], longest: float) -> str:
    causes = ", ".join(f"{n} {cause}" for cause, n in sorted(ends.items()) if cause not in ("scored", "scored wrongly"))
    inside = "yes" if longest <= DEADLINE_S + 0.5 else "no"
    scored = f"{ends['scored']} ({ends['scored'] / count:.1%})"
    return f"| {what} | {count} | {scored} | {causes or '–'} | {ends['scored wrongly']} | {longest:.1f} | {inside} |"


# --- what recorded judges said --------------------------------------------------------------------------------------

OPTIONS = {"a": ("a", "(a)", "output (a)"), "b": ("b", "(b)", "output (b)")}
VERDICTS = (
    r"output \(([ab])\) is (?:the )?(?:overall )?(?:slightly |much |clearly |still )?(?:a )?better",
    r"\A\s*output \(([ab])\)\s*(?:\n|\()",
)
BACK = {"1": "2", "2": "1"}


def _rows(name: str) -> list[dict[str, Any]] | None:
    file = DATA / name
    if not file.is_file():
        return None
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _reader() -> str:
    rows = _rows("llmbar_verdicts.jsonl.gz")
    if rows is None:
        return "Reader on recorded replies: not measured: no data"
    ends: Counter[str] = Counter()
    refuted = 0
    for row in rows:
        if not row["reply"]:
            continue
        place = judges_panel.choice(row["reply"], OPTIONS, VERDICTS)
        said = None if place is None else {"a": "1", "b": "2"}[place]
        said = BACK[said] if said is not None and row["swapped"] else said
        kind = "recorded" if row["winner"] is not None else "none"
        ends[f"{kind} {'left open' if said is None else 'same' if said == row['winner'] else 'other'}"] += 1
        refuted += kind == "recorded" and said not in (None, row["winner"]) and _plainly(row["reply"], place)
    recorded = sum(n for key, n in ends.items() if key.startswith("recorded"))
    none = sum(n for key, n in ends.items() if key.startswith("none"))
    share = ends["recorded same"] / recorded
    return (
        f"Reader on {recorded + none:,} recorded LLMBar replies: of {recorded:,} with a recorded winner the same one is read in "
        f"{share:.2%} (target at least 99 %: {'met' if share >= 0.99 else 'not met'}), none in {ends['recorded left open']}, another "
        f"in {ends['recorded other']} ({refuted} of these begin with “Output (x) is better” for the one we read, so the record is "
        f"wrong there); of {none} without one it abstains on {ends['none left open']}."
    )


def _plainly(reply: str, place: str | None) -> bool:
    found = re.match(r"\s*output \(([ab])\) is better", reply, re.IGNORECASE)
    return found is not None and found.group(1).lower() == place


Said = dict[str, dict[str, judges_panel.Ballot]]


def _ballots() -> tuple[Said, dict[str, str], list[str]] | None:
    """Ballots by pair and by judge with method, the people's winner, and the adversarial pairs."""
    pairs, rows = _rows("llmbar_pairs.jsonl.gz"), _rows("llmbar_verdicts.jsonl.gz")
    if pairs is None or rows is None:
        return None
    heard: dict[str, dict[str, dict[bool, str | None]]] = {}
    for row in rows:
        heard.setdefault(row["id"], {}).setdefault(f"{row['judge']} {row['method']}", {})[row["swapped"]] = row[
            "winner"
        ]
    said = {
        pair: {name: judges_panel.Ballot(name, both.get(False), both.get(True)) for name, both in names.items()}
        for pair, names in heard.items()
    }
    known = {row["id"]: str(row["winner"]) for row in pairs}
    return said, known, sorted(row["id"] for row in pairs if row["set"] != "Natural")


def _panel() -> str:
    found = _ballots()
    if found is None:
        return "Panel of recorded judges: not measured: no data"
    said, known, pairs = found
    single = max(_single(said, known, pairs).items(), key=lambda pair: pair[1])
    return judges_panel.section(said, known, pairs, single)


def _single(said: Said, known: Mapping[str, str], pairs: list[str]) -> dict[str, float]:
    right: Counter[str] = Counter()
    for pair in pairs:
        for name, ballot in said[pair].items():
            right[f"{name}, straight"] += ballot.straight == known[pair]
            right[f"{name}, swapped"] += ballot.swapped == known[pair]
    return {name: count / len(pairs) for name, count in right.items()}


if __name__ == "__main__":
    print(report())
