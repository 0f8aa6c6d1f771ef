"""The corrective loop on cases made here: a wrong or unknown fact in the answer, the right one somewhere in a corpus of near misses.

The generator is the shipped extractive one, so it can use only sentences of the context it was handed; the retriever is the
shipped folder index. Every case has one right document and at least six near misses: the same fact of another year, of
another town, and other facts of the same town. Questions, answers and documents are worded differently.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from witnessmark.compat.rag import CheckedResponse, verify_and_correct
from witnessmark.retrieval.folder import FolderRetriever

CASES = 72
TOWNS = [
    "Arvenholt",
    "Brackmere",
    "Castellau",
    "Dunmoor",
    "Eastvale",
    "Felsenau",
    "Grimstad",
    "Hollowell",
    "Ivybridge",
    "Jarnsund",
    "Kestrel",
    "Lindau",
]
FACTS = (
    ("The library of {town} lent {n} books in {year}.", "In {year}, {n} books were lent by the {town} library.", 20_000, 90_000),
    ("The {town} harbour handled {n} containers during {year}.", "During {year} {n} containers were handled in {town} harbour.", 5_000, 60_000),
    ("In {year} the mayor of {town} opened {n} new flats.", "{n} new flats were opened by the mayor of {town} in {year}.", 40, 900),
    ("The hospital of {town} employed {n} nurses in {year}.", "{town} hospital had {n} nurses on its staff in {year}.", 100, 2_000),
    ("The tram of {town} carried {n} passengers in {year}.", "{n} passengers rode the {town} tram in {year}.", 100_000, 900_000),
    ("Schools in {town} counted {n} pupils in {year}.", "In {year} there were {n} pupils at the schools of {town}.", 1_000, 9_000),
)  # fmt: skip


@dataclass(frozen=True)
class Made:
    """One case: question, bad and good answer, what is in the context, and the figure that is right."""

    query: str
    bad: str
    good: str
    context: str
    right: str
    wrong: str


def made(rng: random.Random, number: int, folder: Path) -> Made:
    town, year = TOWNS[number % len(TOWNS)] + chr(97 + number // len(TOWNS)), 2012 + number % 10
    fact, other = rng.sample(FACTS, 2)
    right, wrong, known = (
        f"{rng.randrange(fact[2], fact[3]):,}",
        f"{rng.randrange(fact[2], fact[3]):,}",
        f"{rng.randrange(other[2], other[3]):,}",
    )
    sure = other[0].format(town=town, year=year, n=known)
    documents = [fact[0].format(town=town, year=year, n=right)]
    documents += [fact[0].format(town=town, year=year + d, n=f"{rng.randrange(fact[2], fact[3]):,}") for d in (-1, 1)]
    near = rng.sample([t for t in TOWNS if not town.startswith(t)], 2)
    documents += [fact[0].format(town=t, year=year, n=f"{rng.randrange(fact[2], fact[3]):,}") for t in near]
    rest = [f for f in FACTS if f not in (fact, other)]
    documents += [f[0].format(town=town, year=year, n=f"{rng.randrange(f[2], f[3]):,}") for f in rng.sample(rest, 2)]
    for place, text in enumerate(documents):
        (folder / f"{number}-{place}.txt").write_text(
            f"{text} The figures are those of the town's yearbook.", encoding="utf-8"
        )
    says = fact[1].format(town=town, year=year, n=wrong)
    in_context = number % 2 == 0
    context = f"{sure} {documents[0] if in_context else ''} {documents[1]}"
    again = other[1].format(town=town, year=year, n=known)
    good = f"{again} {fact[1].format(town=town, year=year, n=right)}" if in_context else again
    return Made(f"What is known about {town} in {year}?", f"{again} {says}", good, context, right, wrong)


async def _all(
    cases: list[Made], folder: FolderRetriever, model: str
) -> list[tuple[Made, CheckedResponse, CheckedResponse]]:
    found, how = [], {"model": model, "mode": "correct"}
    for case in cases:
        bad = await verify_and_correct(case.query, case.bad, case.context, retriever=folder, verification=how)
        good = await verify_and_correct(case.query, case.good, case.context, retriever=folder, verification=how)
        found.append((case, bad, good))
    return found


def measured(model: str = "auto") -> dict[str, float]:
    """Success, never worse, and trigger rate over all cases, with the CPU time of one loop; as shipped unless told otherwise."""
    rng = random.Random(20251215)
    with tempfile.TemporaryDirectory() as root:
        cases = [made(rng, number, Path(root)) for number in range(CASES)]
        with FolderRetriever(root) as folder:
            started = time.process_time()
            found = asyncio.run(_all(cases, folder, model))
            spent = time.process_time() - started
    right = [
        case.right in bad.response and case.wrong not in bad.response and bad.is_grounded is True
        for case, bad, _ in found
    ]
    worse = [case.wrong in bad.response and bad.response != case.bad for case, bad, _ in found]
    return {
        "cases": len(found),
        "success": sum(right) / len(found),
        "triggered on bad": sum(bad.crag_used for _, bad, _ in found) / len(found),
        "worse": sum(worse),
        "hallucinated": sum(case.wrong in bad.response for case, bad, _ in found) / len(found),
        "accuracy": sum(_agrees(bad, False) + _agrees(good, True) for _, bad, good in found) / (2 * len(found)),
        "triggered on good": sum(good.crag_used for _, _, good in found) / len(found),
        "ms": 1000 * spent / (2 * len(found)),
    }


def _agrees(done: CheckedResponse, supported: bool) -> bool:
    """Whether the confidence of the response as it came, at or above the threshold, agrees with what is true of it."""
    first = done.crag.verification_history[0] if done.crag is not None else done.verification
    return first is not None and (first.is_grounded is True) == supported


def lines() -> list[str]:
    """What the report says about the loop."""
    m = measured()
    return [
        f"- Corrective loop, {m['cases']:.0f} cases, six near misses each, extractive generator: success {m['success']:.2f} (target 0.70), "
        f"worse than the original {m['worse']:.0f} (target 0), triggered on bad answers {m['triggered on bad']:.2f}, "
        f"on good ones {m['triggered on good']:.2f} (target below 0.10), wrong figure left {m['hallucinated']:.2f}, confidence agrees with the truth {m['accuracy']:.2f}; {m['ms']:.1f} ms CPU a response on average.",
    ]


if __name__ == "__main__":
    print("\n".join(lines()))
