"""Answers of language models with people's labels through the verifier stage as shipped: verified, and corrected where asked.

Measured are the figures that the source document asks for: how many answers that people found wrong are called grounded, how
often the verdict agrees with people, how often the loop starts, and what it does to good and to bad answers. RAGTruth's words
that people marked as made up say whether a correction took them out. The generator is the extractive one: no model writes.
"""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass

from bench import grounding_data
from witnessmark.compat.rag import CheckedResponse, verify_and_correct

SET = "ragtruth_tune"
"""The shipped weights were fitted on it among others, so its figures are the best case."""
SAMPLE = 60
"""Answers of each label, drawn with a fixed seed: a run takes minutes, not hours."""
SEED = 20261115
TARGETS = {
    "S4-057": ("answers people found wrong among those called grounded", 0.05, "<"),
    "S4-058": ("verdicts that agree with people", 0.80, ">"),
    "S4-059": ("answers that start the loop", 0.20, "<"),
    "S4-060": ("started loops that end with higher confidence", 0.70, ">"),
    "S4-061": ("good answers called grounded", None, ""),
    "S4-062": ("bad answers below the threshold", None, ""),
}


@dataclass(frozen=True)
class Corrected:
    """One labelled answer and what became of it."""

    row: grounding_data.Row
    done: CheckedResponse

    @property
    def grounded(self) -> bool:
        """As the answer came, before anything was corrected."""
        first = self.done.crag.verification_history[0] if self.done.crag is not None else self.done.verification
        return first is not None and first.is_grounded is True

    @property
    def changed(self) -> bool:
        return self.done.response != self.row.response

    @property
    def improved(self) -> bool:
        assert self.done.crag is not None
        before = self.done.crag.verification_history[0].confidence or 0.0
        return (self.done.confidence or 0.0) > before

    @property
    def cleaned(self) -> bool:
        """Whether every span that people marked is gone from the version that came back."""
        spans = self.row.spans or ()
        return bool(spans) and not any(self.row.response[a:b].strip() in self.done.response for a, b in spans)


async def _all(rows: list[grounding_data.Row], model: str) -> list[Corrected]:
    how = {"mode": "correct", "model": model}
    return [
        Corrected(r, await verify_and_correct(r.query or "", r.response, [r.context], verification=how)) for r in rows
    ]


def sample(count: int = SAMPLE) -> list[grounding_data.Row]:
    """As many supported as unsupported answers."""
    rows, rng = grounding_data.rows(SET), random.Random(SEED)
    good, bad = ([row for row in rows if row.supported is label] for label in (True, False))
    return [*rng.sample(good, min(count, len(good))), *rng.sample(bad, min(count, len(bad)))]


def measured(model: str = "auto", count: int = SAMPLE) -> dict[str, float]:
    """Every figure over the sample; `model` as in the settings."""
    rows = sample(count)
    started = time.process_time()
    found = asyncio.run(_all(rows, model))
    spent = time.process_time() - started
    good, bad = [one for one in found if one.row.supported], [one for one in found if not one.row.supported]
    accepted = [one for one in found if one.grounded]
    loops = [one for one in found if one.done.crag is not None]
    return {
        "answers": len(found),
        "S4-057": _share([not one.row.supported for one in accepted]),
        "S4-058": _share([one.grounded == one.row.supported for one in found]),
        "S4-059": _share([one.done.crag is not None for one in found]),
        "S4-060": _share([one.improved for one in loops]),
        "S4-061": _share([one.grounded for one in good]),
        "S4-062": _share([not one.grounded for one in bad]),
        "loops on good": _share([one.done.crag is not None for one in good]),
        "good rewritten": _share([one.changed for one in good]),
        "bad rewritten": _share([one.changed for one in bad]),
        "bad cleaned": _share([one.cleaned for one in bad]),
        "ms": 1000 * spent / len(found),
    }


def _share(hits: list[bool]) -> float:
    return sum(hits) / len(hits) if hits else float("nan")


def report() -> str:
    """The section of bench/RESULTS.md."""
    head = "## Answers and corrections on labelled answers\n"
    if not grounding_data.there():
        return f"{head}\nnot measured: no data\n"
    m = measured()
    rows = [
        f"| {ident} | {what} | {m[ident]:.2f} | {f'{sign} {target:.2f}' if target is not None else ''} |"
        for ident, (what, target, sign) in TARGETS.items()
    ]
    return "\n".join(
        [
            head,
            f"{m['answers']:.0f} answers of {SET} (half of them with words that people marked as made up), the default model, extractive "
            f"generator, no judge; {m['ms']:.0f} ms CPU an answer, loop included. The shipped weights were fitted on this set among others.",
            "",
            "| id | what | measured | asked for |",
            "|---|---|---|---|",
            *rows,
            "",
            f"Of the good answers {m['loops on good']:.2f} start the loop and {m['good rewritten']:.2f} come back rewritten; of the bad ones "
            f"{m['bad rewritten']:.2f} are rewritten, and from {m['bad cleaned']:.2f} every marked word is gone.",
        ]
    )


if __name__ == "__main__":
    print(report())
