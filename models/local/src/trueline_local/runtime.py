"""A cross-encoder run by onnxruntime: (evidence, claim) in, the probability that the claim is borne out, out.

Pairs are sorted by length and run in small batches of about one length, on one thread unless told otherwise: more threads cost more
CPU on shared cores. Text beyond the model's window is cut off the evidence, never off the claim's first 120 tokens.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from trueline_local.evidence import select

CLS, SEP = 2, 3
CLAIM = 120


class OnnxSupport:
    """A SupportModel on the files of one folder: model.onnx, tokenizer.json, model.json."""

    def __init__(self, folder: Path, *, threads: int = 1, words: int | None = None, batch: int = 8) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        card = json.loads((folder / "model.json").read_text(encoding="utf-8"))
        self.id: str = card["id"]
        self.version: str = card["version"]
        self.words: int = words if words is not None else card["words"]
        self._most: int = card["tokens"]
        self._scale: tuple[float, float] = (card["scale"], card["shift"])
        self._batch = batch
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"]
        )

    def support(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """For each (evidence, claim), the calibrated probability that the evidence supports the claim."""
        scale, shift = self._scale
        return [1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, scale * logit + shift)))) for logit in self.logits(pairs)]

    def logits(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The model's own word on each pair, before calibration."""
        rows = [self._row(evidence, claim) for evidence, claim in pairs]
        out = [0.0] * len(rows)
        for group in _groups([len(ids) for ids, _ in rows], self._batch):
            for at, logit in zip(group, self._run([rows[at] for at in group]), strict=True):
                out[at] = logit
        return out

    def _row(self, evidence: str, claim: str) -> tuple[list[int], int]:
        """Token ids of a pair and how many of them belong to the claim."""
        said = self._tokenizer.encode(claim, add_special_tokens=False).ids[:CLAIM]
        text = self._tokenizer.encode(select(evidence, claim, self.words), add_special_tokens=False).ids
        ids = [CLS, *said, SEP, *text[: self._most - len(said) - 3], SEP]
        return ids, len(said) + 2

    def _run(self, rows: Sequence[tuple[list[int], int]]) -> list[float]:
        import numpy

        longest = max(len(ids) for ids, _ in rows)
        feeds: dict[str, Any] = {
            name: numpy.zeros((len(rows), longest), dtype=numpy.int64) for name in ("ids", "mask", "segment")
        }
        feeds["segment"][:] = 1
        for at, (ids, claim) in enumerate(rows):
            feeds["ids"][at, : len(ids)] = ids
            feeds["mask"][at, : len(ids)] = 1
            feeds["segment"][at, :claim] = 0
        return [float(x) for x in self._session.run(["logit"], feeds)[0]]


def _groups(lengths: Sequence[int], batch: int) -> Iterator[list[int]]:
    """Places of rows that run together: sorted by length, none padded by more than a fifth."""
    group: list[int] = []
    for at in sorted(range(len(lengths)), key=lengths.__getitem__):
        if group and (len(group) == batch or lengths[at] > 1.2 * lengths[group[0]] + 8):
            yield group
            group = []
        group.append(at)
    if group:
        yield group
