"""A cross-encoder run by onnxruntime: (evidence, claim) in, the probability that the claim is borne out, out.

Pairs are sorted by length and run in small batches of about one length, on one thread unless told otherwise: more threads cost more
CPU on shared cores. Text beyond the model's window is cut off the evidence, never off the claim's first 120 tokens. On a GPU,
where onnxruntime offers one and the device is `auto` or `cuda`, batches are larger; all else is the same.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from witnessmark_local import files
from witnessmark_local.evidence import select

CLS, SEP = 2, 3
CLAIM = 120
GPU = "CUDAExecutionProvider"
BATCH = {"cpu": 8, "cuda": 64}


class OnnxSupport:
    """A SupportModel on the files of one folder: model.onnx, tokenizer.json, model.json."""

    def __init__(
        self,
        folder: Path,
        *,
        threads: int = 1,
        words: int | None = None,
        batch: int | None = None,
        device: str = "auto",
    ) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        card = files.card(folder)
        self.id: str = card["id"]
        self.version: str = card["version"]
        self.languages: tuple[str, ...] = tuple(card.get("languages", ("en",)))
        self.words: int = words if words is not None else card["words"]
        self.device = chosen_device(device, onnxruntime.get_available_providers())
        self._most: int = card["tokens"]
        self._scale: tuple[float, float] = (card["scale"], card["shift"])
        self._batch = batch or BATCH[self.device]
        self._tokenizer = Tokenizer.from_str(files.tokenizer(folder))
        self._cls = _token(self._tokenizer, "[CLS]", CLS)
        self._sep = _token(self._tokenizer, "[SEP]", SEP)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        providers = [GPU] if self.device == "cuda" else []
        self._session = onnxruntime.InferenceSession(
            files.graph(folder), options, providers=[*providers, "CPUExecutionProvider"]
        )

    def narrowed(self, words: int) -> OnnxSupport:
        """The same model, loaded once, that reads fewer words of evidence for each claim."""
        made = copy.copy(self)
        made.words = min(words, self.words)
        return made

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
        ids = [self._cls, *said, self._sep, *text[: self._most - len(said) - 3], self._sep]
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


def chosen_device(wanted: str, providers: Sequence[str]) -> str:
    """`cuda` or `cpu`: what was asked for, or under `auto` a GPU where the runtime offers one."""
    if wanted == "cuda" and GPU not in providers:
        raise ValueError('device cuda: this onnxruntime offers no CUDA; install onnxruntime-gpu, or set device = "cpu"')
    return "cuda" if wanted != "cpu" and GPU in providers else "cpu"


def _token(tokenizer: Any, name: str, usual: int) -> int:
    found = tokenizer.token_to_id(name)
    return usual if found is None else int(found)


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
