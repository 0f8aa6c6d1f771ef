"""A cross-encoder run by onnxruntime: (evidence, claim) in; supported, contradicted or not mentioned, and the wrong words, out.

Pairs are run one by one and scores rounded to a thousandth, so that a claim's score depends neither on its neighbours nor on the
last bits of a machine's arithmetic. One thread unless told otherwise: more threads cost more CPU on shared cores. Text beyond
the model's window is cut off the evidence, never off the claim's first 120 tokens.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from witnessmark_local import files
from witnessmark_local.evidence import select

CLS, SEP = 2, 3
CLAIM = 120
GPU = "CUDAExecutionProvider"
WRONG = 0.0
"""The logit from which a token counts as wrong: more likely wrong than not."""


class Reading(NamedTuple):
    """What a model makes of one claim: chances that it is supported and, if it is not, that it is contradicted; its wrong words, and how sure it is of the worst of them."""

    support: float
    contradicts: float
    wrong: tuple[int, int] | None
    """Where in the claim the words are that look most wrong; None where none do."""
    doubt: float
    """How probable it is that the word that looks most wrong is wrong."""


class OnnxSupport:
    """A SupportModel on the files of one folder: a graph, tokenizer.json, model.json."""

    def __init__(
        self,
        folder: Path,
        *,
        fast: bool = False,
        threads: int = 1,
        words: int | None = None,
        device: str = "auto",
    ) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        card = files.card(folder)
        part: dict[str, Any] = card["fast"] if fast else card
        self.id: str = f"{card['id']}-fast" if fast else card["id"]
        self.version: str = card["version"]
        self.languages: tuple[str, ...] = tuple(card.get("languages", ("en",)))
        self.words: int = words if words is not None else part["words"]
        self.words_alone: int = words if words is not None else part.get("words_alone", part["words"])
        self.device = chosen_device(device, onnxruntime.get_available_providers())
        self._most: int = card["tokens"]
        fit = part["calibration"]["statements"]
        self._scale: tuple[float, float] = (fit["scale"], fit["shift"])
        self._tokenizer = Tokenizer.from_str(files.tokenizer(folder))
        self._cls = _token(self._tokenizer, "[CLS]", CLS)
        self._sep = _token(self._tokenizer, "[SEP]", SEP)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        providers = [GPU] if self.device == "cuda" else []
        graph = files.graph(folder, files.FAST if fast else files.MODEL)
        self._session = onnxruntime.InferenceSession(graph, options, providers=[*providers, "CPUExecutionProvider"])

    def support(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """For each (evidence, claim), the calibrated probability that the evidence supports the claim."""
        return [one.support for one in self.read(pairs)]

    def read(self, pairs: Sequence[tuple[str, str]], question: str = "") -> list[Reading]:
        """For each (evidence, claim), what the model makes of it as an answer to the question; it picks from the whole evidence what it reads."""
        return [self._one(evidence, claim, question, self.words) for evidence, claim in pairs]

    def read_alone(self, pairs: Sequence[tuple[str, str]], question: str = "") -> list[Reading]:
        """The same for claims that are all their text says: with more of the evidence, since there is one of them to read it for."""
        return [self._one(evidence, claim, question, self.words_alone) for evidence, claim in pairs]

    def _one(self, evidence: str, claim: str, question: str, words: int) -> Reading:
        said = self._tokenizer.encode(claim, add_special_tokens=False)
        own, places = said.ids[:CLAIM], said.offsets[:CLAIM]
        text = self._tokenizer.encode(select(evidence, claim, question, words), add_special_tokens=False).ids
        ids = [self._cls, *own, self._sep, *text[: self._most - len(own) - 3], self._sep]
        classes, wrong = self._run(ids, len(own) + 2)
        supported, against, absent = classes
        scale, shift = self._scale
        of_claim = wrong[1 : len(own) + 1]
        return Reading(
            _chance(scale * round(supported - _either(against, absent), 3) + shift),
            _chance(round(against - absent, 3)),
            wrong_span(of_claim, places, claim),
            _chance(max(of_claim, default=0.0)),
        )

    def _run(self, ids: Sequence[int], claim: int) -> tuple[list[float], list[float]]:
        import numpy

        row = numpy.array([ids], dtype=numpy.int64)
        segment = numpy.ones_like(row)
        segment[:, :claim] = 0
        feeds: dict[str, Any] = {"ids": row, "mask": numpy.ones_like(row), "segment": segment}
        classes, wrong = self._session.run(["classes", "wrong"], feeds)
        return [float(x) for x in classes[0]], [round(float(x), 3) for x in wrong[0]]


def wrong_span(logits: Sequence[float], places: Sequence[tuple[int, int]], claim: str) -> tuple[int, int] | None:
    """The run of tokens around the one that looks most wrong, widened to whole words, as a place in the claim."""
    if not logits or max(logits) < WRONG:
        return None
    first = last = max(range(len(logits)), key=logits.__getitem__)
    while first > 0 and logits[first - 1] >= WRONG:
        first -= 1
    while last + 1 < len(logits) and logits[last + 1] >= WRONG:
        last += 1
    start, end = places[first][0], places[last][1]
    while start > 0 and claim[start - 1].isalnum() and claim[start].isalnum():
        start -= 1
    while end < len(claim) and claim[end - 1].isalnum() and claim[end].isalnum():
        end += 1
    return (start, end) if start < end else None


def chosen_device(wanted: str, providers: Sequence[str]) -> str:
    """`cuda` or `cpu`: what was asked for, or under `auto` a GPU where the runtime offers one."""
    if wanted == "cuda" and GPU not in providers:
        raise ValueError('device cuda: this onnxruntime offers no CUDA; install onnxruntime-gpu, or set device = "cpu"')
    return "cuda" if wanted != "cpu" and GPU in providers else "cpu"


def _token(tokenizer: Any, name: str, usual: int) -> int:
    found = tokenizer.token_to_id(name)
    return usual if found is None else int(found)


def _either(one: float, other: float) -> float:
    """The logarithm of the sum of two probabilities that are given as logarithms."""
    high = max(one, other)
    return high + math.log1p(math.exp(min(one, other) - high))


def _chance(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, logit))))
