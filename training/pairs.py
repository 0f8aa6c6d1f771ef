"""Statements that a text bears out, each beside one that differs by a few words and is wrong: pairs.jsonl.xz, written for this.

One text a line: `source`, or `sources` where there are several; `pairs` of [kind, true, false]; `true` and `false` ([kind, claim]) without a twin; `answers` of [question, answer], whole answers in
which {right words|wrong words} stand where each alone makes its sentence wrong; `short` of [question, right, wrong], which say something with their question alone. Everything in them is made up, by writers who had not seen the rules; no text is
from a labelled set, so every fold may learn from them.
"""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from witnessmark_local.evidence import LEAF

from training.marks import changed
from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.evidence import EvidenceSource, Index

FILE = Path(__file__).with_name("pairs.jsonl.xz")
SUPPORTED, CONTRADICTED, NOT_MENTIONED, UNSUPPORTED = range(4)
EITHER = {"condition", "scope", "cause", "purpose", "modality", "attribution", "multihop", "quantifier", "refusal"}
"""Kinds of which only that they are not supported is sure: the text may contradict them or be silent."""


_CHOICE = re.compile(r"\{([^{}|]*)\|([^{}|]*)\}")


def rows(file: Path = FILE) -> Iterator[dict[str, Any]]:
    """Every text as a row of training, read as the product reads a source."""
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        for one in map(json.loads, lines):
            sources = one.get("sources") or [one["source"]]
            text = "\n\n".join(  # an empty line between two sources, for `select`
                "\n".join(passage.text for passage in Index([EvidenceSource("c", source)], "").passages)
                for source in sources
            )
            sizes = [len(line.split()) for line in text.split("\n") if line]
            record = int(sum(sizes) < LEAF * len(sizes))
            yield {
                "set": "asked" if "sources" in one else "pairs",
                "fold": -1,
                "ctx": text,
                "rec": record,
                "claims": list(_claims(one)),
            }


def _claims(one: dict[str, Any]) -> Iterator[list[Any]]:
    for kind, true, false in one["pairs"]:
        yield [true, SUPPORTED, None]
        spans = [list(span) for span in changed(true, false)]
        yield [false, UNSUPPORTED if kind in EITHER else CONTRADICTED, spans or None]
    yield from ([claim, SUPPORTED, None] for claim in one["true"])
    for kind, claim in one["false"]:
        yield [claim, {"invented": NOT_MENTIONED, "contrary": CONTRADICTED}.get(kind, UNSUPPORTED), None]
    for question, answer in one.get("answers", ()):
        yield from ([*claim, question] for claim in answered(question, answer))
    for question, right, wrong in one.get("short", ()):
        yield from _in_short(question, right, wrong)


def _in_short(question: str, right: str, wrong: str) -> Iterator[list[Any]]:
    """A short answer and a wrong one beside it, as they stand and as the statement that the product reads them as."""
    spans = [list(span) for span in changed(right, wrong)]
    for text, label in ((right, SUPPORTED), (wrong, UNSUPPORTED)):
        yield [text, label, None if label == SUPPORTED else spans or None, question]
        found = claims(text, question)
        if len(found) == 1 and found[0].text != text:
            yield [found[0].text, label, None, question]


def answered(question: str, answer: str) -> Iterator[list[Any]]:
    """The claims of an answer as the product reads them, right, and each that wrong words stand in, wrong; none twice."""
    right, _ = chosen(answer, None)
    known = {one.text for one in claims(right, question) if len(one.text.split()) > 2}
    yield from ([text, SUPPORTED, None] for text in sorted(known))
    for at, choice in enumerate(_CHOICE.finditer(answer)):
        text, (start, end) = chosen(answer, at)
        for one in claims(text, question):
            if one.text in known or not (one.span[0] <= end and start <= one.span[1]):
                continue
            known.add(one.text)
            place = one.text.find(text[start:end].strip()) if text[start:end].strip() else -1
            spans = [[place, place + len(text[start:end].strip())]] if place >= 0 else None
            yield [one.text, UNSUPPORTED if choice[1].strip() else NOT_MENTIONED, spans]


def chosen(answer: str, wrong: int | None) -> tuple[str, tuple[int, int]]:
    """The answer with the right words everywhere but in the choice of that number, and where the wrong ones stand in it."""
    out, last, where = "", 0, (0, 0)
    for at, choice in enumerate(_CHOICE.finditer(answer)):
        out += answer[last : choice.start()]
        words = choice[2] if at == wrong else choice[1]
        if at == wrong:
            where = (len(out), len(out) + len(words))
        out, last = out + words, choice.end()
    return out + answer[last:], where
