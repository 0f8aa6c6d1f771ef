"""On the device: from rows.jsonl.xz and score.jsonl.xz to token ids. python -m training.prep DATA OUT [procs]"""

from __future__ import annotations

import json
import lzma
import os
import random
import sys
import time
import zlib
from multiprocessing import Pool
from pathlib import Path

import numpy as np
from witnessmark_local.evidence import select, sentences, stems

from training import made, more, records, sections
from training.marks import changed

os.environ["TOKENIZERS_PARALLELISM"] = "false"
S, C, N, U = 0, 1, 2, 3
UNKNOWN = 2
MOST, CLAIM = 352, 120
HUMAN, WRITTEN, RULE = 0, 1, 2
CAPTION = {"snli_part", "snli_cad", "mnli_part", "argkp", "negation_nli", "assin1", "indonli"}
ASKED = {"boolq", "condaqa", "nyu_mcq", "halueval_qa", "drop_nli", "evidence_inference", "contractnli"}
TWICE = {
    "ragtruth",
    "quintd",
    "factscore",
    "refchecker_dolly",
    "wice_dev",
    "defacto",
    "bump",
    "written",
    "pairs",
    "asked",
    "rotowire_accuracy",
    "summedits",
    "factcc",
    "storysumm",
}
OLD = {"summedits", "factcheckgpt", "foolmetwice", "wice_dev", "begin_wow", "factcc", "cg2c", "written"}
PROSE = OLD | {
    "ragtruth",
    "pairs",
    "asked",
    "factscore",
    "defacto",
    "bump",
    "clapnq",
    "fever",
    "condaqa",
    "drop_nli",
    "refchecker_dolly",
    "propsegment",
    "boolq",
}
SETS = ["made", "tables", "records", "aug", "sections"] + sorted(
    TWICE
    | OLD
    | PROSE
    | CAPTION
    | ASKED
    | {
        "tabfact",
        "logicnlg",
        "fetaqa",
        "scitab",
        "infotabs",
        "tabpert",
        "e2e_noise",
        "faithdial_audit",
        "fever_symmetric",
        "q2_wow",
        "realsumm",
    }
)
VARIANTS = ("n60", "n100", "n160", "n200")
UNASKED = 0.15
"""The share of claims that are shown without the question they answer, if they say something by themselves."""
FRAMES = ["{}", "{}", "{}", "According to the text, {}"]
_TOK = None


def tok():
    global _TOK
    if _TOK is None:
        from tokenizers import Tokenizer

        _TOK = Tokenizer.from_file(os.environ["TOKENIZER"])
    return _TOK


def budget(rec: int, rng: random.Random) -> int:
    if rec == 1:
        return rng.choice((110, 160, 200, 200, 200, 240))
    if rec == 2:
        return rng.choice((110, 200, 260, 260))
    return rng.choice((60, 80, 100, 110, 140, 160, 160, 180, 200, 220))


def low(text: str) -> str:
    return text


def without(context: str, claim: str, share: float = 0.34) -> list[str] | None:
    bag = set(stems(claim))
    parts = sentences(context)
    left = [p for p in parts if len(bag & set(stems(p))) < share * len(bag)]
    return left if len(left) >= 2 and len(bag) >= 3 and len(left) < len(parts) else None


def edits(context: str, rng: random.Random):
    here = made.names(context[:6000])
    out = [
        (made.entity(here), U),
        (made.entity(here), U),
        (made.number, C),
        (more.other_figure(context), C),
        (more.other_figure(context), C),
        (made.date, C),
        (made.negation, C),
        (made.antonym, C),
        (made.modality, U),
        (more.role(context), C),
        (more.role(context), C),
        (more.direction, C),
        (more.condition, U),
        (made.added([]), N),
    ]
    rng.shuffle(out)
    return out


def edited(base: str, context: str, rng: random.Random, many: int = 1):
    """Up to `many` claims with one thing changed: (claim, label, spans)."""
    out = []
    for edit, label in edits(context, rng):
        if len(out) >= many:
            break
        try:
            text = edit(base, rng)
        except Exception:
            continue
        if text and text != base and text.rstrip(". ") not in context and text not in [o[0] for o in out]:
            spans = changed(base, text)
            if spans:
                out.append((text, label, [list(s) for s in spans]))
    return out


def views(item, near, rng):
    """Pairs of one context: (set, origin, old, fold, claim, evidence, label, spans)."""
    name, ctx, rec, fold = item["set"], item["ctx"], item["rec"], item["fold"]
    old = int(name in OLD)
    origin = WRITTEN if name in ("written", "pairs", "asked") else HUMAN
    long = len(ctx.split()) > 100
    for claim, label, spans, *asked in item["claims"]:
        claim, question = claim.strip(), asked[0] if asked else ""
        if not claim:
            continue
        if len(claim.split()) > 8 and rng.random() < UNASKED:
            question = ""
        spans = () if label == S else spans
        for _ in range(2 if long and name in TWICE else 1):
            yield name, origin, old, fold, claim, select(ctx, claim, question, budget(rec, rng)), label, spans
        if name in CAPTION or name in ASKED:
            continue
        if label == S:
            if rng.random() < 0.30:
                for text, lab, sp in edited(claim, ctx, rng):
                    yield "aug", RULE, old, fold, text, select(ctx, text, question, budget(rec, rng)), lab, sp
            if rng.random() < 0.12 and rec != 2:
                left = without(ctx, claim)
                if left:
                    yield (
                        "aug",
                        RULE,
                        old,
                        fold,
                        claim,
                        select("\n".join(left), claim, question, budget(rec, rng)),
                        N,
                        None,
                    )
            if rng.random() < 0.08 and near:
                bag = set(stems(claim))
                other = max(near, key=lambda t: len(bag & set(stems(t[:4000]))))
                if len(bag) >= 3 and len(bag & set(stems(other))) < 0.6 * len(bag):
                    yield "aug", RULE, old, fold, claim, select(other, claim, question, budget(rec, rng)), N, None
        elif rng.random() < (0.3 if name.startswith("written") else 0.12) and rec != 2:
            left = without(ctx, claim) or (sentences(ctx)[:6] if len(sentences(ctx)) > 2 else None)
            if left:
                left = list(left)
                left.insert(rng.randrange(len(left) + 1), made.reworded(claim, rng))
                yield "aug", RULE, old, fold, claim, select("\n".join(left), claim, question, budget(rec, rng)), S, ()


def by_rule(item, near, rng):
    name, ctx, rec, fold = item["set"], item["ctx"], item["rec"], item["fold"]
    old = int(name in OLD)
    if rec == 2:
        if rng.random() < 0.6:
            for claim, label, spans in more.table_claims(ctx, rng, 4):
                yield (
                    "tables",
                    RULE,
                    old,
                    fold,
                    claim,
                    select(ctx, claim, "", budget(2, rng)),
                    label,
                    () if label == S else spans,
                )
        return
    if name not in PROSE or rec:
        return
    parts = [s for s in sentences(ctx) if 5 <= len(s.split()) <= 50]
    many = (
        2
        if name in ("summedits", "factcc", "wice_dev", "ragtruth", "factscore", "defacto", "bump")
        else int(rng.random() < 0.4)
    )
    if name == "fever":
        many = int(rng.random() < 0.12)
    for at in rng.sample(range(len(parts)), min(many, len(parts))):
        sentence = parts[at]
        same = [sentence] if rng.random() < 0.3 else []
        same += [made.reworded(sentence, rng) for _ in range(2)]
        if len(parts) > 1 and rng.random() < 0.4:
            two = parts[at - 1 if at else 1]
            same.append(sentence.rstrip(".!? ") + rng.choice((" and ", "; ", ", while ")) + two)
        for text in dict.fromkeys(same):
            yield "made", RULE, old, fold, text, select(ctx, text, "", budget(0, rng)), S, ()
        base = sentence if rng.random() < 0.45 else rng.choice(same)
        for text, lab, sp in edited(base, ctx, rng, 3):
            yield "made", RULE, old, fold, text, select(ctx, text, "", budget(0, rng)), lab, sp
        left = without(ctx, sentence, 0.5)
        if left and rng.random() < 0.5:
            text = made.reworded(sentence, rng)
            yield "made", RULE, old, fold, text, select(" ".join(left), text, "", budget(0, rng)), N, None


def packed(pairs):
    """Arrays of pairs."""
    t = tok()
    claims = t.encode_batch([p[4] for p in pairs], add_special_tokens=False)
    texts = t.encode_batch([p[5] for p in pairs], add_special_tokens=False)
    flat, wrong, cl, tl = [], [], [], []
    for p, c, e in zip(pairs, claims, texts):
        ids = c.ids[:CLAIM]
        if p[7] is None:
            marks = [UNKNOWN] * len(ids)
        else:
            marks = [int(any(a < z and s < b for a, b in p[7])) for s, z in c.offsets[:CLAIM]]
        ev = e.ids[: MOST - 3 - len(ids)]
        flat += ids + ev
        wrong += marks
        cl.append(len(ids))
        tl.append(len(ev))
    return dict(
        flat=np.asarray(flat, np.uint16),
        wrong=np.asarray(wrong, np.uint8),
        claim=np.asarray(cl, np.uint16),
        text=np.asarray(tl, np.uint16),
        label=np.asarray([p[6] for p in pairs], np.uint8),
        fold=np.asarray([p[3] for p in pairs], np.int8),
        set=np.asarray([SETS.index(p[0]) for p in pairs], np.uint8),
        origin=np.asarray([p[1] for p in pairs], np.uint8),
        old=np.asarray([p[2] for p in pairs], np.uint8),
    )


def work(job):
    seed, items = job
    rng = random.Random(seed)
    pairs = []
    texts = {}
    for i in items:
        texts.setdefault((i["set"], i["fold"]), []).append(i["ctx"])
    for item in items:
        pool = [t for t in texts[item["set"], item["fold"]] if t != item["ctx"]]
        near = rng.sample(pool, min(8, len(pool)))
        try:
            pairs += views(item, near, rng)
            pairs += by_rule(item, near, rng)
        except Exception as exc:  # one odd text must not stop the rest
            print("odd", item["set"], repr(exc)[:200], flush=True)
    return packed(pairs) if pairs else None


def record_job(seed):
    rng = random.Random(seed)
    pairs = []
    while len(pairs) < 1200:
        kind, one = records.record(rng)
        text = records.shown(kind, one, rng)
        pairs += [
            ("records", RULE, 1, -1, claim, text, S if label else U, () if label else None)
            for claim, label in records.claims(kind, one, rng)
        ]
    return packed(pairs)


def section_job(seed):
    rng = random.Random(seed)
    pairs = []
    while len(pairs) < 1200:
        pairs += [
            ("sections", RULE, 0, -1, claim, select(text, claim, question, budget(0, rng)), S if right else U, None if not right else ())
            for question, claim, text, right in sections.pairs(rng)
        ]  # fmt: skip
    return packed(pairs)


def score_job(job):
    rows, texts = job
    pairs = []
    for row in rows:
        passages = texts[row["passages"]]
        lines = "\n".join(passages)
        for claim, label, *_ in row["claims"]:
            for v in VARIANTS:
                ev = select(lines, claim, row["question"], int(v[1:]))
                pairs.append(("ragtruth", HUMAN, 0, row["fold"], claim, ev, max(label, 0), None))
    return packed(pairs)


def join(parts, path):
    parts = [p for p in parts if p]
    arrays = {k: np.concatenate([p[k] for p in parts]) for k in parts[0]}
    np.savez(str(path) + ".part.npz", **arrays)
    os.replace(str(path) + ".part.npz", path)
    return arrays


def main():
    data, out, procs = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 16
    out.mkdir(parents=True, exist_ok=True)
    t0 = time.time()
    read = lambda n: [json.loads(l) for l in lzma.decompress((data / n).read_bytes()).decode().split("\n")]
    items = read("rows.jsonl.xz")
    if (data / "extra.jsonl.xz").exists():
        extra = read("extra.jsonl.xz")
        anew = {i["set"] for i in extra}
        items = [i for i in items if i["set"] not in anew] + extra
    unknown = {i["set"] for i in items} - set(SETS)
    if unknown:
        print("unknown sets left out", unknown, flush=True)
        items = [i for i in items if i["set"] in SETS]
    items.sort(key=lambda i: (i["set"], i["fold"], zlib.crc32(i["ctx"].encode("utf-8", "replace"))))
    cost = lambda i: 200 + len(i["ctx"]) * 0.2 + len(i["claims"]) * (60 + len(i["ctx"]) * 0.1)
    jobs, lot, size = [], [], 0
    for i in items:
        lot.append(i)
        size += cost(i)
        if size > 120_000 or len(lot) >= 300:
            jobs.append((len(jobs) + 7, lot))
            lot, size = [], 0
    if lot:
        jobs.append((len(jobs) + 7, lot))
    print("items", len(items), "jobs", len(jobs), round(time.time() - t0, 1), flush=True)
    rows = read("score.jsonl.xz")
    texts = rows.pop()["texts"]
    sj = []
    for at in range(0, len(rows), 100):
        some = rows[at : at + 100]
        sj.append((some, {r["passages"]: texts[r["passages"]] for r in some}))
    with Pool(procs) as pool:
        sc = pool.map_async(score_job, sj, chunksize=2)
        tr = pool.map_async(work, jobs, chunksize=2)
        rc = pool.map_async(record_job, range(int(os.environ.get("RECORD_JOBS", "14"))), chunksize=1)
        se = pool.map_async(section_job, range(1000, 1000 + int(os.environ.get("RECORD_JOBS", "14"))), chunksize=1)
        a = join(sc.get(), out / "score.npz")
        print("scored pairs", len(a["label"]), round(time.time() - t0, 1), flush=True)
        a = join(tr.get() + rc.get() + se.get(), out / "train.npz")
    n = np.bincount(a["set"], minlength=len(SETS))
    print(json.dumps({s: int(k) for s, k in zip(SETS, n) if k}), flush=True)
    for s, k in zip(SETS, n):
        if k:
            print(s, k, "labels", np.bincount(a["label"][a["set"] == SETS.index(s)], minlength=4).tolist(), flush=True)
    ln = a["claim"].astype(int) + a["text"] + 3
    print(
        "pairs",
        len(a["label"]),
        "mean tokens",
        round(float(ln.mean()), 1),
        "labels",
        np.bincount(a["label"], minlength=4).tolist(),
        "unk",
        round(float((a["flat"] == 1).mean()), 5),
        "seconds",
        round(time.time() - t0, 1),
        flush=True,
    )


if __name__ == "__main__":
    main()
