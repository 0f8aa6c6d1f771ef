"""What grounding takes: CPU of 8 sentences against 1,200 words for rules, model and profile `fast`, beside a ModernBERT-shaped model.

The other model has random weights (they do for timing), int8 as the common exports are, and reads context and answer in one
pass. Memory is the peak of a fresh process that loads the model and verifies once, by VmHWM: ru_maxrss would count its parent's.
"""

from __future__ import annotations

import asyncio
import functools
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from bench import grounding_data as data
from witnessmark import Case
from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.confidence import Verification, confidence
from witnessmark.checks.grounding.grounding_check import grounding
from witnessmark.checks.grounding.wording import negated
from witnessmark.compat.rag import corrective_rag_loop, verify_and_correct, verify_response
from witnessmark.judges import local
from witnessmark.text import words
from witnessmark.text.clock import times_said
from witnessmark.text.dates import dates_of
from witnessmark.text.numbers import figures_of

TOKENS_A_WORD = 1.35
_MEMORY = """
import sys
from bench import grounding_cost as cost
case = cost.a_case()
cost.once(case, sys.argv[1])
print(next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")) // 1024)
"""


def installed(name: str = "local") -> bool:
    return not local.missing(name)


def a_case() -> Case:
    """8 sentences against 1,200 words: of ragtruth_tune where it is at hand, otherwise of made-up sentences."""
    sentences, context = _texts()
    evidence = [{"id": "c", "text": " ".join(context.split()[:1200])}]
    return Case.from_dict({"subject": {"kind": "answer", "text": " ".join(sentences[:8])}, "evidence": evidence})


def _texts() -> tuple[list[str], str]:
    if not data.there():
        made = [f"The plant number {n} in the town of Lyon opened late in the year {1950 + n}." for n in range(120)]
        return [one.replace("opened late", "was opened") for one in made[:8]], " ".join(made)
    rows = [row for row in data.rows(data.REAL[0]) if len(row.context.split()) > 200]
    said = [one.text for row in rows[:12] for one in row.statements() if one.checkable]
    return said, " ".join(row.context for row in rows[:10])


def once(case: Case, model: str, profile: Any = "default") -> float:
    """CPU seconds of one verification, nothing remembered from the one before."""
    for kept in (words.words, words.stems, words.content, negated, dates_of, figures_of, times_said):
        kept.cache_clear()  # type: ignore[union-attr]
    check = grounding(verification=Verification(model=model, profile=profile), models=local.choose)  # type: ignore[arg-type]
    started = time.process_time()
    check(case, {})
    return time.process_time() - started


def _best(work: Callable[[], float], rounds: int) -> float:
    work()
    return min(work() for _ in range(rounds))


def lines(quick: bool = False) -> list[str]:
    """The figures as list items."""
    case = a_case()
    rules = _best(lambda: once(case, "rules"), 15)
    made = [_told("rules alone", rules, 0.010), *budget_lines()]
    if not installed():
        return [*made, f"- Embedded model: not measured: {local.missing('local')}."]
    shipped = _best(lambda: once(case, "local"), 5)
    made.append(_told("`local` as shipped", shipped, 1.2))
    made.append(_told("`local`, profile `fast`", _best(lambda: once(case, "local", "fast"), 5), 0.4))
    if installed("local-large") and not quick:
        made.append(_told("`local-large`", _best(lambda: once(case, "local-large"), 2), None))
    if not quick:
        made.append(_beside(case, shipped))
    return [*made, _memory()]


def budgets(model: str = "auto") -> dict[str, tuple[str, float, float]]:
    """What S4 allows each step, by requirement: (the step, CPU milliseconds measured, milliseconds allowed); as shipped by default."""

    def spent(work: Callable[[], Any]) -> float:
        started = time.process_time()
        work()
        return 1000 * (time.process_time() - started)

    return {
        name: (step, _best(functools.partial(spent, work), 3), allowed)
        for name, (step, work, allowed) in budget_steps(model).items()
    }


def budget_steps(model: str = "auto") -> dict[str, tuple[str, Callable[[], Any], float]]:
    """What S4 gives a budget: (the step, the work itself, CPU milliseconds allowed)."""
    case = a_case()
    statuses = ["supported"] * 900 + ["unsupported"] * 100
    context = [str(source.text) for source in case.evidence]
    settings = {"model": model, "mode": "correct"}
    query, wrong = "What is said?", case.text.replace("e ", "e 4711 ")  # so wrong that the loop has to write again
    first = asyncio.run(verify_response(query, wrong, context, verification=settings))

    def correct() -> None:
        loop = asyncio.run(corrective_rag_loop(query, wrong, first, context, settings=settings))
        if not loop.attempts:
            raise RuntimeError("nothing was corrected, so there is nothing to measure")

    def verify_too() -> None:
        asyncio.run(verify_and_correct(query, wrong, context, verification=settings))

    return {
        "S4-051": ("claims taken from a response", lambda: claims(case.text), 200.0),
        "S4-053": ("confidence of 1,000 claims", lambda: confidence(statuses), 10.0),
        "S4-054": ("a wrong response corrected", correct, 1500.0),
        "S4-055": ("a response verified only", lambda: once(case, model), 300.0),
        "S4-055 with correction": ("a wrong response verified and corrected", verify_too, 2000.0),
    }


def budget_lines() -> list[str]:
    return [
        f"- {what}, {'rules alone' if model == 'rules' else 'the default model'}: {spent:.2f} ms CPU; {ident} allows {allowed:g} ms: {'met' if spent <= allowed else 'not met'}."
        for model in ("auto", "rules")
        for ident, (what, spent, allowed) in budgets(model).items()
    ]


def _told(what: str, seconds: float, target: float | None) -> str:
    met = "" if target is None else f"; target {1000 * target:.0f} ms: {'met' if seconds <= target else 'not met'}"
    return f"- 8 sentences against 1,200 words, one thread, {what}: {1000 * seconds:.1f} ms CPU, best of several{met}."


def _beside(case: Case, shipped: float) -> str:
    """The other way to do it, in the same run: one pass of a ModernBERT-base-shaped int8 model over context and answer."""
    import numpy as np

    from bench.onnx_writer import Shape, encoder

    onnxruntime: Any = import_module("onnxruntime")

    count = len(f"{case.text} {case.evidence[0].text}".split())
    ids = np.random.default_rng(1).integers(0, Shape().vocabulary, size=(1, round(TOKENS_A_WORD * count)))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(encoder(), options, providers=["CPUExecutionProvider"])

    def run() -> float:
        started = time.process_time()
        session.run(["logit"], {"ids": ids.astype(np.int64)})
        return time.process_time() - started

    other = _best(run, 2)
    ratio = other / shipped
    return (
        f"- A ModernBERT-base-shaped int8 model (random weights) over context and answer in one pass, {ids.shape[1]} tokens, same run: "
        f"{1000 * other:.0f} ms CPU, {ratio:.1f} times what `local` takes; target 2 times: {'met' if ratio >= 2 else 'not met'}."
    )


def _memory() -> str:
    done = subprocess.run(
        [sys.executable, "-c", _MEMORY, "local"],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[1],
    )
    peak = int(done.stdout)
    return f"- Memory of a process that loads `local` and verifies once: {peak} MB at its peak; target 400 MB: {'met' if peak <= 400 else 'not met'}."
