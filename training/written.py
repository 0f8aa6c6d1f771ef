"""Claims that a large language model wrote about a text, each borne out or with what is wrong in braces.

written.jsonl.xz beside this file has one text a line: `claims` ("+ …" or "- … {wrong} …") and either `text`, which the model made up, or
`of`: which sentences of which contexts of the labelled sets it was shown ([[digest, first, last], …]; several stand as numbered
passages). The sets themselves are not repeated here. No text shares a context with ragtruth_tune.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from witnessmark_local.evidence import sentences

from training import human
from training.marks import Spans, braced

FILE = Path(__file__).with_name("written.jsonl.xz")


class Text(NamedTuple):
    """A text, the fold it lies in and its claims with what is wrong in them (nothing: it is borne out)."""

    context: str
    fold: int
    claims: list[tuple[str, Spans]]


def digest(context: str) -> str:
    """The name of a context."""
    return hashlib.sha256(context.encode()).hexdigest()[:12]


def shown(context: str, first: int, last: int) -> str:
    """Some sentences of a context; all of it as it stands where `last` is -1."""
    return context.strip() if last < 0 else " ".join(sentences(context)[first:last])


def texts(rows: Sequence[human.Row], folds: dict[str, int], file: Path = FILE) -> Iterator[Text]:
    """Every text whose contexts are at hand and may be trained on."""
    known = {digest(context): context for context in {row.context for row in rows}}
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            one: dict[str, Any] = json.loads(line)
            claims = [braced(claim[2:]) for claim in one["claims"]]
            if "text" in one:
                yield Text(one["text"], human.ALWAYS, claims)
                continue
            places = {folds[known[name]] for name, _, _ in one["of"] if name in known}
            if len(places) != 1 or human.NEVER in places:
                continue
            parts = [shown(known[name], first, last) for name, first, last in one["of"]]
            passages = [f"passage {at}:{part}" for at, part in enumerate(parts, 1)] if len(parts) > 1 else parts
            yield Text("\n\n".join(passages), places.pop(), claims)
