"""The human-labelled sets as rows and pairs, and the folds that keep what is tested apart from what is trained on.

Contexts that share more than 8 % of the 10-word shingles of the shorter one, or a claim, are one group; a group lies in
one fold. SummEdits goes by domain. Training for a fold leaves out every pair of its groups; ragtruth_tune and whatever
shares its text is never trained on.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from witnessmark_local.evidence import sentences

DATA = (
    Path(os.environ.get("WITNESSMARK_DATA", Path(__file__).resolve().parents[1].parent / "shared" / "data"))
    / "grounding"
)
TESTED = ("summedits", "foolmetwice", "factcheckgpt", "wice_dev", "begin_wow")
TRAINED_ONLY = ("cg2c", "factcc")
FOLDS = 4
DOMAINS = {
    "news": 0,
    "qmsumm": 0,
    "sales_email": 1,
    "samsum": 1,
    "ectsum": 2,
    "scitldr": 2,
    "podcast": 3,
    "sales_call": 3,
}
NEVER = -2
ALWAYS = -1


class Row(NamedTuple):
    """One row of a set."""

    set: str
    id: str
    sub: str
    context: str
    response: str
    label: int
    more: dict[str, Any]


def read(name: str) -> list[Row]:
    """The rows of one file."""
    rows = []
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            r = json.loads(line)
            rows.append(Row(name, r["id"], r["sub"], r["context"], r["response"], r["label"], r))
    return rows


def shingles(text: str, size: int = 10) -> set[int]:
    """Hashes of each run of ten words; of the whole where it is shorter."""
    words = re.findall(r"\w+", text.lower())
    runs = (" ".join(words[at : at + size]) for at in range(max(1, len(words) - size + 1)))
    return {zlib.crc32(run.encode()) | (zlib.adler32(run.encode()) << 32) for run in runs}


class Groups:
    """Sets of things that belong together, joined two at a time."""

    def __init__(self) -> None:
        self.parent: dict[str, str] = {}

    def find(self, key: str) -> str:
        """The name of the key's group."""
        self.parent.setdefault(key, key)
        while self.parent[key] != key:
            self.parent[key] = self.parent[self.parent[key]]
            key = self.parent[key]
        return key

    def join(self, one: str, two: str) -> None:
        """Make two groups one; the smaller name stays."""
        a, b = sorted((self.find(one), self.find(two)))
        self.parent[b] = a


def folds(rows: list[Row]) -> dict[str, int]:
    """The fold of each context: 0 to 3, ALWAYS (trained on, never tested) or NEVER (kept out)."""
    groups = Groups()
    contexts = sorted({row.context for row in rows})
    for one, two in _overlapping(contexts):
        groups.join(one, two)
    said: dict[str, str] = {}
    for row in rows:
        key = " ".join(re.findall(r"\w+", row.response.lower()))
        if len(key.split()) >= 4 and row.set != "summedits":
            groups.join(row.context, said.setdefault(key, row.context))
    fixed: dict[str, int] = {}
    tested: set[str] = set()
    for row in rows:
        group = groups.find(row.context)
        if row.set == "ragtruth_tune":
            fixed[group] = NEVER
        elif row.set == "summedits":
            fixed.setdefault(group, DOMAINS[row.sub])
        if row.set in TESTED:
            tested.add(group)
    spread = Counter(dict.fromkeys(range(FOLDS), 0))
    sizes = Counter(groups.find(row.context) for row in rows)
    for group, size in sorted(sizes.items(), key=lambda item: (-item[1], zlib.crc32(item[0].encode()))):
        if group not in fixed and group in tested:
            fold = min(spread, key=lambda f: (spread[f], f))
            fixed[group] = fold
            spread[fold] += size
    return {context: fixed.get(groups.find(context), ALWAYS) for context in contexts}


def _overlapping(contexts: list[str], share: float = 0.08) -> Iterable[tuple[str, str]]:
    owner: dict[int, list[int]] = defaultdict(list)
    sizes = []
    for at, context in enumerate(contexts):
        marks = shingles(context)
        sizes.append(len(marks))
        for mark in marks:
            owner[mark].append(at)
    together: Counter[tuple[int, int]] = Counter()
    for places in owner.values():
        if 1 < len(places) <= 60:
            together.update((a, b) for i, a in enumerate(places) for b in places[i + 1 :])
    for (a, b), count in together.items():
        if count > share * min(sizes[a], sizes[b]):
            yield contexts[a], contexts[b]


def claims(row: Row, originals: dict[str, list[str]]) -> list[tuple[str, int, str]]:
    """The training claims of a row with their labels: its response, and for edited summaries each sentence with the label it must have.

    The third is the sentence as it was before an edit made it wrong, where that is known.
    """
    if row.set == "factcheckgpt" and row.more["stance"] == "partially-support":
        return []
    if row.set == "begin_wow" and row.more["label3"] == "Generic":
        return []
    whole = [(row.response, row.label, "")]
    parts = sentences(row.response)
    if row.set != "summedits":
        return whole
    if row.label == 1:
        return whole + [(part, 1, "") for part in parts if len(parts) > 1]
    first = originals.get(row.context, [])
    new, gone = [part for part in parts if part not in first], [part for part in first if part not in parts]
    if len(new) != 1:
        return whole
    was = gone[0] if len(gone) == 1 else ""
    edited = [(row.response, 0, " ".join(first) if was else "")]
    return edited + ([(new[0], 0, was)] if len(parts) > 1 else [])


def originals(rows: list[Row]) -> dict[str, list[str]]:
    """For each edited text's context, the sentences of the summary that was edited."""
    return {row.context: sentences(row.response) for row in rows if row.set == "summedits" and row.id.endswith("_og")}
