"""A synthesis linked to the agent outputs it was made from: what it costs, and how that grows."""

from __future__ import annotations

import asyncio
import random

from bench.measure import met, side_by_side, table
from witnessmark.core.case import Case, Evidence, Synthesis
from witnessmark.verifier import Verifier

SIZES = ((15, 5), (60, 20), (120, 20))
WORDS = 2_000
TARGET_MS = 150.0
_NOUNS = [f"{a}{b}{c}" for a in ("mar", "ten", "sol", "vig", "bro", "lun", "cas", "dor", "pel", "rin") for b in ("a", "e", "i", "o", "u") for c in ("dal", "nor", "vex", "lit", "mun", "tor", "gan", "bir", "zel", "pok", "sur", "wen", "hap", "fis", "kel", "jon", "dra", "cul", "nim", "qua")]  # fmt: skip
_COMMON = [1 / (rank + 5) for rank in range(len(_NOUNS))]
"""A thousand nouns, a few of them frequent and most of them rare, as in any text."""
_VERBS = "built moved sold bought counted measured repaired opened closed painted".split()


def case(sentences: int, outputs: int) -> Case:
    """A synthesis whose sentences each stand in one of the outputs."""
    rng = random.Random(7)
    texts = [_text(rng) for _ in range(outputs)]
    said = [rng.choice(rng.choice(texts)) for _ in range(sentences)]
    evidence = tuple(
        Evidence(id=f"a{n}", kind="agent_output", origin=f"agent-{n}", text=" ".join(text))
        for n, text in enumerate(texts)
    )
    return Case(goal="What was found?", subject=Synthesis(text=" ".join(said)), evidence=evidence)


def _text(rng: random.Random) -> list[str]:
    made: list[str] = []
    while 13 * len(made) < WORDS:
        first, second, third, fourth = rng.choices(_NOUNS, _COMMON, k=4)
        figure = f"{rng.randint(2, 990)} of the" if len(made) % 3 == 0 else "all of the"
        made.append(f"The {first} of the {second} {rng.choice(_VERBS)} {figure} {third} and the {fourth}.")
    return made


def report() -> str:
    """The section."""
    verifier = Verifier()
    loop = asyncio.new_event_loop()
    rows, first = [], 0.0
    for sentences, outputs in SIZES:
        made = case(sentences, outputs)

        def trace(made: Case = made) -> None:
            loop.run_until_complete(verifier.evaluate(made))

        def words(made: Case = made) -> None:
            for source in made.evidence:
                (source.text or "").casefold().split()

        floor, spent = side_by_side([words, trace], rounds=5)
        each = spent / (sentences * outputs) * 1e6
        first = first or each
        asked = sentences == 60
        target = (
            (f"{TARGET_MS:g} ms", met(spent * 1e3, TARGET_MS)) if asked else ("growth ≤ linear", met(each, first * 1.1))
        )
        rows.append((sentences, outputs, f"{spent * 1e3:.0f}", f"{each:.0f}", f"{floor * 1e3:.1f}", *target))
    loop.close()
    columns = ["sentences", f"outputs of {WORDS} words", "linked, CPU ms", "µs a sentence and output", "floor: splitting the words, ms", "target", "met"]  # fmt: skip
    return f"## Syntheses\n\nThe checkpoint `synthesis` without model and judge, record included.\n\n{table(columns, rows)}"
