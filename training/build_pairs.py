"""Build everything the accelerator needs into training/.work: trimmed vocabulary, base weights, pairs, rows to score.

    python -m training.build_pairs --base MINILM
    python -m training.build_pairs --base MPNET --model mpnet --layers 11 --only-base

Each is a folder with model.safetensors of the base model; the vocabulary is MiniLM's vocab.txt for both. The human-labelled sets are looked up in
../shared/data (or $WITNESSMARK_DATA). Nothing of what is written here is committed.
"""

from __future__ import annotations

import argparse
import json
import lzma
import math
import random
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from io import BytesIO
from multiprocessing import Pool
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from bench.grounding_scores import pair_key
from witnessmark_local.evidence import select, sentences, stems

from bench import grounding_data
from training import human, made, records, written
from training.kinds import KINDS
from training.marks import Spans, changed
from training.vocabulary import Vocabulary
from training.weights import pack_base
from witnessmark.checks.grounding.decision import window

WORK = Path(__file__).resolve().parent / ".work"
WIDTHS = (60, 110, 200)
MOST = 320
"""Tokens of a pair; what is beyond is cut off the evidence."""


class Pair(NamedTuple):
    """A claim, its evidence and whether it is borne out."""

    claim: str
    evidence: str
    label: int
    fold: int
    kind: str
    wrong: Spans | None = None
    """Where a claim that is not borne out goes wrong; None where nobody said."""


class Corpus(NamedTuple):
    """What rules need to know of all contexts."""

    folds: dict[str, int]
    names: dict[int, list[str]]
    tails: dict[int, list[str]]
    near: dict[str, str]


def budget(rng: random.Random) -> int:
    """How many words of evidence a pair shows: mostly what the shipped setting shows."""
    return rng.choice((60, 110, 110, 110, 110, 110, 160, 200, 220))


def made_pairs(context: str, corpus: Corpus, many: int) -> list[Pair]:
    """The pairs that rules make from one context."""
    rng = random.Random(zlib.crc32(context.encode()))
    fold = corpus.folds[context]
    parts = [s for s in sentences(context) if 5 <= len(s.split()) <= 60]
    picked = sorted(rng.sample(range(len(parts)), min(many, len(parts))))
    edits = [
        made.entity(made.names(context)), made.entity(corpus.names[fold]), made.number, made.number, made.date, made.negation,
        made.antonym, made.antonym, made.modality, made.role, made.added(corpus.tails[fold]),
    ]  # fmt: skip
    out: list[Pair] = []
    for at in picked:
        sentence = parts[at]
        shown = _surrounded(context, corpus, rng)
        same = [(sentence, "verbatim")] if rng.random() < 0.4 else []
        same += [(made.reworded(sentence, rng), "reworded") for _ in range(rng.choice((2, 3)))]
        if len(parts) > 1 and rng.random() < 0.6:
            same.append((_merged(sentence, parts[at - 1 if at else 1], rng), "merged"))
        out += [Pair(text, select(shown, text, budget(rng)), 1, fold, kind) for text, kind in same]
        out += _edited(sentence, same, edits, shown, fold, rng)
        out += _elsewhere(sentence, parts, context, corpus, rng)
    return out


def _edited(
    sentence: str, same: list[tuple[str, str]], edits: list[made.Edit], shown: str, fold: int, rng: random.Random
) -> list[Pair]:
    found: list[Pair] = []
    known = {text for text, _ in same} | {sentence}
    for edit in rng.sample(edits, len(edits)):
        if len(found) >= 3:
            break
        base = sentence if rng.random() < 0.45 else rng.choice(same)[0]
        text = edit(base, rng)
        if text and text not in known and text.rstrip(".") not in shown:
            known.add(text)
            found.append(Pair(text, select(shown, text, budget(rng)), 0, fold, "edited", changed(base, text)))
    return found


def _elsewhere(sentence: str, parts: list[str], context: str, corpus: Corpus, rng: random.Random) -> list[Pair]:
    """The same sentence where its evidence is missing: taken out of its text, or set against a similar text."""
    out: list[Pair] = []
    fold = corpus.folds[context]
    bag = set(stems(sentence))
    claim = sentence if rng.random() < 0.5 else made.reworded(sentence, rng)
    if len(bag) >= 4 and len(parts) >= 3 and rng.random() < 0.65:
        left = [p for p in parts if len(bag & set(stems(p))) < 0.5 * len(bag)]
        if len(left) >= 2:
            out.append(Pair(claim, select(" ".join(left), claim, budget(rng)), 0, fold, "removed"))
    near = corpus.near.get(context)
    if near and rng.random() < 0.45 and len(bag & set(stems(near))) < 0.6 * len(bag):
        out.append(Pair(claim, select(near, claim, budget(rng)), 0, fold, "similar"))
    return out


def _surrounded(context: str, corpus: Corpus, rng: random.Random) -> str:
    """A short text, sometimes with a similar text beside it."""
    near = corpus.near.get(context)
    if near and len(context.split()) < 80 and rng.random() < 0.4:
        return f"{context} {near}" if rng.random() < 0.5 else f"{near} {context}"
    return context


def _merged(one: str, two: str, rng: random.Random) -> str:
    if rng.random() < 0.5:
        one, two = made.reworded(one, rng), made.reworded(two, rng)
    if rng.random() < 0.3:
        return f"{one} {two}"
    joined = rng.choice((" and ", ", and ", "; ", ", while "))
    return (
        one.rstrip(".!? ")
        + joined
        + (two if two[:2].isupper() or two.split()[0] not in made._OPENERS else two[0].lower() + two[1:])
    )


def neighbours(contexts: Sequence[str], folds: dict[str, int], seed: int = 7) -> dict[str, str]:
    """For each context a similar one of the same fold: the best of 150 by shared rare words, not the same text."""
    rng = random.Random(seed)
    bags = {c: set(stems(c)) for c in contexts}
    often = Counter(word for bag in bags.values() for word in bag)
    worth = {w: math.log(len(contexts) / n) for w, n in often.items()}
    by_fold: dict[int, list[str]] = defaultdict(list)
    for context in contexts:
        by_fold[folds[context]].append(context)
    near = {}
    for context in contexts:
        pool = rng.sample(by_fold[folds[context]], min(150, len(by_fold[folds[context]])))
        others = [
            o
            for o in pool
            if o != context and len(bags[o] & bags[context]) < 0.5 * min(len(bags[o]), len(bags[context]))
        ]
        if others:
            near[context] = max(
                others, key=lambda o: sum(worth[w] for w in bags[o] & bags[context]) / (20 + len(bags[o])) ** 0.5
            )
    return near


def corpus_of(contexts: Sequence[str], folds: dict[str, int]) -> Corpus:
    """Names and sentence tails of each fold, so that a fold's pairs hold nothing of another, and similar texts."""
    name: dict[int, list[str]] = defaultdict(list)
    tail: dict[int, list[str]] = defaultdict(list)
    for context in contexts:
        for sentence in sentences(context)[:40]:
            name[folds[context]] += made.names(sentence)[:3]
            if end := made.tail(sentence):
                tail[folds[context]].append(end)
    return Corpus(folds, dict(name), dict(tail), neighbours(contexts, folds))


def human_pairs(rows: Sequence[human.Row], folds: dict[str, int]) -> list[Pair]:
    """The labelled pairs, long contexts once with a narrow window and once with a wide one."""
    firsts = human.originals(list(rows))
    out = []
    for row in rows:
        if folds[row.context] == human.NEVER or row.set == "ragtruth_tune":
            continue
        for claim, label, was in human.claims(row, firsts):
            wrong = changed(was, claim) if was else None
            for width in (110, 220) if len(row.context.split()) > 110 else (110,):
                out.append(Pair(claim, select(row.context, claim, width), label, folds[row.context], "human", wrong))
    return out


def written_pairs(rows: Sequence[human.Row], folds: dict[str, int]) -> list[Pair]:
    """Claims that a large language model wrote about texts of the sets and of its own, with what is wrong marked.

    Half of them are shown a second time where they are the opposite: what is borne out, with the sentences gone that it rests on; what is
    not, in a text that says so. From the claims alone one could guess too well (AUROC 0.74), and a model that can will not read on.
    """
    rng = random.Random(5)
    out = []
    for text in written.texts(rows, folds):
        for claim, wrong in text.claims:
            for width in {110, budget(rng)} if len(text.context.split()) > 110 else {110}:
                shown = select(text.context, claim, width)
                out.append(Pair(claim, shown, int(not wrong), text.fold, "written", wrong))
            other = _other_way(text.context, claim, bool(wrong), rng) if rng.random() < 0.5 else None
            if other:
                out.append(Pair(claim, select(other, claim, budget(rng)), int(bool(wrong)), text.fold, "written"))
    return out


def _other_way(context: str, claim: str, said: bool, rng: random.Random) -> str | None:
    """The context without the sentences that share a third of the claim's words; `said`: with the claim itself in their place."""
    bag = set(stems(claim))
    parts = sentences(context)
    left = [p for p in parts if len(bag & set(stems(p))) < 0.34 * len(bag)]
    if len(left) < 2 or len(bag) < 3 or len(left) == len(parts):
        return None
    if said:
        left.insert(rng.randrange(len(left) + 1), made.reworded(claim, rng))
    return " ".join(left)


def record_pairs(many: int, seed: int = 11) -> list[Pair]:
    """Claims about random records."""
    rng = random.Random(seed)
    out: list[Pair] = []
    while len(out) < many:
        kind, one = records.record(rng)
        text = records.shown(kind, one, rng)
        if rng.random() < 0.3:
            kind2, two = records.record(rng)
            if kind2 != kind:
                text = f"{text}\n{records.shown(kind2, two, rng)}"
        out += [Pair(claim, text, label, human.ALWAYS, "record") for claim, label in records.claims(kind, one, rng)]
    return out


def asked(name: str) -> Iterator[tuple[str, str, str, int, int]]:
    """Every pair the product asks a model about for one set: context, evidence, claim, label (-1: not said) and the row's place."""
    for place, row in enumerate(grounding_data.rows(name)):
        index, statements = row.index(), row.statements()
        for one in statements:
            label = row.label(one, len(statements))
            yield row.context, window(one.text, index), one.text, -1 if label is None else label, place


def scored(folds: dict[str, int]) -> tuple[list[Pair], list[dict[str, Any]]]:
    """What the models are asked for figures, at each width; and whose it is."""
    pairs, whose = [], []
    for name in (*human.TESTED, *human.TRAINED_ONLY, "ragtruth_tune"):
        for context, evidence, claim, label, place in asked(name):
            for width in WIDTHS:
                pairs.append(Pair(claim, select(evidence, claim, width), max(0, label), folds[context], "human"))
                whose.append(
                    {"key": pair_key((evidence, claim)), "set": name, "row": place, "label": label, "width": width}
                )
    return pairs, whose


def pack(pairs: Sequence[Pair], words: Vocabulary, path: Path) -> int:
    """Write pairs as token ids, compressed; says how many bytes."""
    claims, wrong = words.marked([p.claim for p in pairs], [() if p.label else p.wrong or None for p in pairs])
    texts = words.encode([p.evidence for p in pairs])
    claims, wrong = [c[:120] for c in claims], [w[:120] for w in wrong]
    texts = [t[: MOST - 3 - len(c)] for c, t in zip(claims, texts, strict=True)]
    flat = np.concatenate([np.asarray(c + t, dtype=np.uint16) for c, t in zip(claims, texts, strict=True)])
    buffer = BytesIO()
    np.savez(
        buffer,
        flat=flat,
        wrong=np.concatenate([np.asarray(w, dtype=np.uint8) for w in wrong]),
        claim=np.asarray([len(c) for c in claims], dtype=np.uint16),
        text=np.asarray([len(t) for t in texts], dtype=np.uint16),
        label=np.asarray([p.label for p in pairs], dtype=np.uint8),
        fold=np.asarray([p.fold for p in pairs], dtype=np.int8),
        kind=np.asarray([KINDS.index(p.kind) for p in pairs], dtype=np.uint8),
    )
    data = lzma.compress(buffer.getvalue(), preset=4)
    path.write_bytes(data)
    return len(data)


_CORPUS: Corpus


def _work(job: tuple[str, int]) -> list[Pair]:
    return made_pairs(job[0], _CORPUS, job[1])


def all_pairs(rows: Sequence[human.Row], folds: dict[str, int], made_limit: int, record_limit: int) -> list[Pair]:
    """Human, made and record pairs, in an order that compresses well."""
    global _CORPUS
    contexts = sorted({r.context for r in rows if folds[r.context] != human.NEVER})
    _CORPUS = corpus_of(contexts, folds)
    long = {r.context for r in rows if r.set in ("summedits", "factcc", "wice_dev")}
    jobs = [(c, 24 if c in long else 6) for c in contexts]
    with Pool(2) as pool:
        lots = pool.map(_work, jobs, chunksize=64)
    pairs = [p for lot in lots for p in lot]
    if len(pairs) > made_limit:
        pairs = [pairs[at] for at in sorted(random.Random(3).sample(range(len(pairs)), made_limit))]
    return human_pairs(rows, folds) + written_pairs(rows, folds) + pairs + record_pairs(record_limit)


def main() -> None:
    """Build all of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True, help="folder with model.safetensors and vocab.txt")
    parser.add_argument("--model", choices=["minilm", "mpnet"], default="minilm")
    parser.add_argument("--layers", type=int, default=0, help="only so many layers of the base model, from the first")
    parser.add_argument("--made", type=int, default=140_000)
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument(
        "--only-base", action="store_true", help="only pack this base model, for the vocabulary there is"
    )
    args = parser.parse_args()
    if args.only_base:
        words = Vocabulary.load(WORK / "vocab.json")
        print(pack_base(args.model, args.base / "model.safetensors", words, WORK / "base", args.layers))
        return
    rows = [row for name in (*human.TESTED, *human.TRAINED_ONLY, "ragtruth_tune") for row in human.read(name)]
    folds = human.folds(rows)
    pairs = all_pairs(rows, folds, args.made, args.records)
    tests, whose = scored(folds)
    (WORK / "data").mkdir(parents=True, exist_ok=True)
    words = Vocabulary.trimmed(args.base / "vocab.txt", [t for p in pairs for t in (p.claim, p.evidence)])
    words.save(WORK / "vocab.json")
    sizes = {
        "train": pack(pairs, words, WORK / "data" / "train.xz"),
        "score": pack(tests, words, WORK / "data" / "score.xz"),
        "base": pack_base(args.model, args.base / "model.safetensors", words, WORK / "base", args.layers),
    }
    (WORK / "whose.json").write_text(json.dumps(whose))
    counts = Counter((p.kind, p.label) for p in pairs)
    report = {
        "pairs": len(pairs),
        "score": len(tests),
        "kinds": {f"{k} {v}": n for (k, v), n in sorted(counts.items())},
        "vocab": len(words),
        "bytes": sizes,
    }
    (WORK / "report.json").write_text(json.dumps(report, indent=1))
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
