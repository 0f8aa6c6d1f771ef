"""What verifying would take, before anything is spent: calls, tokens and dollars, at least and at most.

Counts what would be sent with the same functions that send it; nothing is asked. A price that is unknown stays unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from trueline.api import Verifier
from trueline.case import Case, Mission
from trueline.checks import scales
from trueline.checks.asking import TEMPLATES
from trueline.checks.consistency import groups
from trueline.checks.counts import shortfall
from trueline.checks.material import material
from trueline.checks.reading import TOKENS_EACH, Item, further_samples, rubric_words
from trueline.graph import Node
from trueline.policy import bypass

CHARS_A_TOKEN = 3
Price = Callable[[int, int], float | None]
"""Dollars for so many tokens in and out, or None where no price is known."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Calls at least and at most; tokens and dollars at most."""

    least_calls: int = 0
    most_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    usd: float | None = 0.0

    def __add__(self, other: Estimate) -> Estimate:
        unknown = self.usd is None or other.usd is None
        return Estimate(
            self.least_calls + other.least_calls,
            self.most_calls + other.most_calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            None if unknown else (self.usd or 0.0) + (other.usd or 0.0),
        )

    def __str__(self) -> str:
        calls = (
            f"{self.least_calls}" if self.least_calls == self.most_calls else f"{self.least_calls} to {self.most_calls}"
        )
        cost = "price unknown" if self.usd is None else f"at most ${self.usd:.4f}"
        return f"{calls} paid calls, at most {self.input_tokens + self.output_tokens} tokens, {cost}"


def estimate(verifier: Verifier, case: Case, checkpoint: str | None = None, price: Price | None = None) -> Estimate:
    """What this case would take. Without a judge, or where the policy asks none, that is nothing."""
    if verifier.service("judges") is None or bypass(verifier.policy_of(case, checkpoint), case) is not None:
        return Estimate()
    total = Estimate()
    for node in verifier.graph_of(case, checkpoint).nodes:
        if node.check.cost == "paid":
            total += _priced(_asked(node, case), price)
    return total


def _priced(asked: Estimate, price: Price | None) -> Estimate:
    if not asked.most_calls:
        return asked
    usd = None if price is None else price(asked.input_tokens, asked.output_tokens)
    return Estimate(asked.least_calls, asked.most_calls, asked.input_tokens, asked.output_tokens, usd)


def _asked(node: Node, case: Case) -> Estimate:
    value = node.check.options.get("value")
    if node.check.name == "reading":
        return _reading(value if isinstance(value, list) else [], case)
    if node.check.name == "rubric":
        alone = isinstance(value, str) or (isinstance(value, Mapping) and "reading" not in value)
        item = {"key": "c1", "text": value} if isinstance(value, str) else value
        return _reading([item], case) if alone else Estimate()
    if node.check.name == "consistency" and isinstance(case.subject, Mission):
        return _comparison(case.subject)
    return Estimate() if node.check.name == "quality" else Estimate(1, 1, _tokens(case.text) + 500, 1_024)


def _reading(entries: list[Any], case: Case) -> Estimate:
    """One call for each part of the output; near a threshold, a few more of the same."""
    usual = scales.scale_of_mode(case.context.get("scoring_mode", "rubric"))
    items = [Item(**({"scale": usual} | {k: v for k, v in entry.items() if k != "must_pass"})) for entry in entries]
    items = [item for item in items if shortfall(case.text, item.text) is None]
    if not items:
        return Estimate()
    shown = material(case)
    more = further_samples(case) if shown.whole and any(item.resample for item in items) else 0
    words = TEMPLATES["rubric"] + rubric_words(items) + case.goal
    sent = sum(_tokens(words + part.output + part.evidence + part.note) for part in shown.parts)
    calls = len(shown.parts)
    replies = (TOKENS_EACH * len(items) + 150) * calls
    return Estimate(calls, calls + more, sent * (1 + more), replies * (1 + more))


def _comparison(mission: Mission) -> Estimate:
    """One call a group, and one more in the other order where a contradiction is found."""
    written = [task for task in mission.tasks if task.output.strip()]
    asked = groups(written) if len(written) > 1 else []
    sent = sum(_tokens(TEMPLATES["consistency"] + "".join(task.output for task in group)) for group in asked)
    return Estimate(len(asked), 2 * len(asked), 2 * sent, 2 * 2_000 * len(asked))


def _tokens(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass")) // CHARS_A_TOKEN + 32
