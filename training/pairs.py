"""Statements that a text bears out, each beside one that differs by a few words and is wrong: pairs.jsonl.xz, written for this.

One text a line: `source`; `pairs` of [kind, true, false]; `true` and `false` ([kind, claim]) without a twin. Everything in them is made up, by
writers who had not seen the rules; no text is from a labelled set, so every fold may learn from them.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from witnessmark_local.evidence import LEAF

from training.marks import changed
from witnessmark.checks.grounding.evidence import EvidenceSource, Index

FILE = Path(__file__).with_name("pairs.jsonl.xz")
SUPPORTED, CONTRADICTED, NOT_MENTIONED, UNSUPPORTED = range(4)
EITHER = {"condition", "scope", "cause", "purpose", "modality", "attribution", "multihop", "quantifier", "refusal"}
"""Kinds of which only that they are not supported is sure: the text may contradict them or be silent."""


def rows(file: Path = FILE) -> Iterator[dict[str, Any]]:
    """Every text as a row of training, read as the product reads a source."""
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        for one in map(json.loads, lines):
            text = "\n".join(passage.text for passage in Index([EvidenceSource("c", one["source"])], "").passages)
            sizes = [len(line.split()) for line in text.split("\n") if line]
            record = int(sum(sizes) < LEAF * len(sizes))
            yield {"set": "pairs", "fold": -1, "ctx": text, "rec": record, "claims": list(_claims(one))}


def _claims(one: dict[str, Any]) -> Iterator[list[Any]]:
    for kind, true, false in one["pairs"]:
        yield [true, SUPPORTED, None]
        spans = [list(span) for span in changed(true, false)]
        yield [false, UNSUPPORTED if kind in EITHER else CONTRADICTED, spans or None]
    yield from ([claim, SUPPORTED, None] for claim in one["true"])
    for kind, claim in one["false"]:
        yield [claim, {"invented": NOT_MENTIONED, "contrary": CONTRADICTED}.get(kind, UNSUPPORTED), None]
