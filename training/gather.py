"""Everything that is trained on and scored, as JSON lines by context: data/rows.jsonl.xz, data/score.jsonl.xz, data/folds.json."""

import ast
import collections
import glob
import gzip
import hashlib
import json
import lzma
import os
import re
import time
from pathlib import Path

from bench import grounding_data as gd
from training import human, pairs, written
from training.marks import changed
from witnessmark.text.tables import flattened
from witnessmark.text.words import content

WORK = Path(os.environ.get("TRAINING_WORK", "training/.work"))
T0 = time.time()


def say(*a):
    print(round(time.time() - T0), *a, flush=True)


OUT = WORK / "data"
LIMIT = int(os.environ.get("LIMIT", "0"))
SETS = (
    "ragtruth_tune",
    "ragtruth_half",
    "summedits",
    "factcheckgpt",
    "foolmetwice",
    "wice_dev",
    "begin_wow",
    "factcc",
    "cg2c",
)
S, C, N, U = 0, 1, 2, 3

rows = {name: human.read(name) for name in SETS}
every = [r for n in SETS for r in rows[n]]
contexts = sorted({r.context for r in every})
groups = human.Groups()
for a, b in human._overlapping(contexts):
    groups.join(a, b)
said = {}
for r in every:
    key = " ".join(re.findall(r"\w+", r.response.lower()))
    if len(key.split()) >= 4 and r.set not in ("summedits", "ragtruth_tune", "ragtruth_half"):
        groups.join(r.context, said.setdefault(key, r.context))
sizes = collections.Counter(groups.find(c) for c in contexts)
rag = collections.Counter(groups.find(r.context) for r in every if r.set.startswith("ragtruth"))
count = collections.Counter(groups.find(r.context) for r in every)
half, have = {}, {True: [0, 0], False: [0, 0]}
for g in sorted(
    sizes, key=lambda g: (-(rag[g] or count[g]), hashlib.sha256(g.encode()).hexdigest())
):  # even halves: the largest groups first, ties by digest
    k = have[bool(rag[g])]
    half[g] = 0 if k[0] <= k[1] else 1
    k[half[g]] += rag[g] or count[g]
fold = {c: half[groups.find(c)] for c in contexts}
say(
    "contexts",
    len(contexts),
    "groups",
    len(sizes),
    "largest",
    sizes.most_common(3)[0][1],
    collections.Counter(fold.values()),
)
for n in SETS:
    say(n, collections.Counter(fold[r.context] for r in rows[n]))


def dig(c):
    return hashlib.sha256(c.encode()).hexdigest()[:16]


(OUT / "folds.json").write_text(json.dumps({dig(c): "AB"[f] for c, f in fold.items()}))


# shingles of what is tested, to find it in the other sets
def sh(text):
    w = re.findall(r"\w+", text.lower())
    return [" ".join(w[i : i + 10]) for i in range(max(1, len(w) - 9))]


owner = {}
for c in contexts:
    for s in sh(c):
        owner[hash(s)] = fold[c]
say("shingles", len(owner))

out = []  # dict(set, fold, ctx, rec, claims=[[claim,label,spans]])


def emit(name, f, ctx, claims, rec=0):
    """Claims of one context: [claim, label, spans] or [claim, label, spans, question]."""
    if claims and ctx.strip():
        out.append({"set": name, "fold": f, "ctx": ctx, "rec": rec, "claims": claims})


def apart(claim, question):
    """The answer alone, where a set has put its question before it."""
    return claim[len(question) :].strip(" ?") or claim if question and claim.startswith(question) else claim


def lines(ctx):
    return "\n".join(s.text for s in flattened(ctx) if s.text.strip())


def plainer(x):
    if isinstance(x, dict):
        if set(x) == {"name", "value"}:
            return {str(x["name"]): plainer(x["value"])}
        return {k: plainer(v) for k, v in x.items() if k not in ("img", "icon", "url")}
    return [plainer(v) for v in x] if isinstance(x, list) else x.strip() if isinstance(x, str) else x


# 1. RAGTruth by the product's claims
scored = []
PARTS = {}
for name in SETS:
    raw = {}
    if name.startswith("ragtruth"):
        with gzip.open(gd.DATA / f"{name}.jsonl.gz", "rt") as h:
            raw = {json.loads(l)["id"]: json.loads(l) for l in h}
    by = collections.defaultdict(list)
    for place, row in enumerate(gd.rows(name)):
        if LIMIT and place >= LIMIT:
            break
        found = row.statements()
        index = row.index()
        passages = [p.text for p in index.passages]
        claims = []
        tr = []
        for one in found:
            lab = row.label(one, len(found))
            three = -1 if lab is None else S if lab else U
            spans = None
            if name.startswith("ragtruth") and lab == 0:
                hits = [s for s in raw[row.id]["spans"] if s[0] < one.span[1] and one.span[0] < s[1]]
                three = C if any("Conflict" in s[2] for s in hits) else N
                found_spans = []
                for a, b, *_ in hits:
                    part = row.response[max(a, one.span[0]) : min(b, one.span[1])].strip()
                    at = one.text.find(part) if len(part) > 1 else -1
                    if at >= 0:
                        found_spans.append([at, at + len(part)])
                spans = found_spans or None
            if index.size <= 330:
                win = -1
            else:
                chosen, left = [], 330
                for _, p in index.best(content(one.text), 12):
                    size = len(p.text.split())
                    if size <= left or not chosen:
                        chosen.append(p.number)
                        left -= size
                win = sorted(chosen)
            claims.append([one.text, three, win, int(one.checkable)])
            if name.startswith("ragtruth") and len(one.text.split()) >= 3:
                tr.append([one.text, three, spans, row.query or ""])
        scored.append(
            {
                "set": name,
                "row": place,
                "id": row.id,
                "sub": row.domain,
                "fold": fold[row.context],
                "y": int(row.supported),
                "question": row.query or "",
                "passages": dig(row.context),
                "claims": claims,
            }
        )
        PARTS[dig(row.context)] = passages
        if tr:
            by[row.context] += tr
    for ctx, tr in by.items():
        emit("ragtruth", fold[ctx], lines(ctx), tr, int(ctx.lstrip()[:1] == "{"))
    say("asked", name, len(scored))
# The written sets, which nothing learns from: the final models score them, as what no half leaves out (fold 2).
for name in gd.WRITTEN:
    for place, row in enumerate(gd.rows(name)[: LIMIT or None]):
        found = row.statements()
        labels = [row.label(one, len(found)) for one in found]
        scored.append(
            {
                "set": name,
                "row": place,
                "id": row.id,
                "sub": row.domain,
                "fold": 2,
                "y": int(row.supported),
                "question": row.query or "",
                "passages": dig(row.context),
                "claims": [
                    [one.text, -1 if label is None else S if label else U, -1, int(one.checkable)]
                    for one, label in zip(found, labels)
                ],
            }
        )
        PARTS[dig(row.context)] = [p.text for p in row.index().passages]
# 2. the other old sets as labelled
firsts = human.originals(every)
for name in SETS[2:]:
    by = collections.defaultdict(list)
    for r in rows[name][: LIMIT or None]:
        for claim, label, was in human.claims(r, firsts):
            three = S if label else U
            if name == "factcheckgpt" and not label:
                three = {"refutes": C, "refute": C, "irrelevant": N}.get(r.more["stance"], U)
            if name == "foolmetwice" and not label:
                three = C
            spans = [list(s) for s in changed(was, claim)] if was else None
            by[r.context].append([claim, three, spans or None])
    for ctx, cl in by.items():
        emit(name, fold[ctx], ctx, cl)
say("old", len(out))
# 3. written
if True:
    n = 0
    for t in written.texts([r for r in every if not r.set == "ragtruth_half"], fold):
        n += 1
        if LIMIT and n > LIMIT:
            break
        emit("written", t.fold, t.context, [[c, U if w else S, [list(x) for x in w] or None] for c, w in t.claims])
out += pairs.rows()
# 4. more
SKIP_LANG = {"indonli": 1500, "farstail": 0, "assin1": 2500, "jnli": 0, "klue_nli": 0, "uhgeval": 0}
L = {"supported": S, "contradicted": C, "not_enough": N, "unsupported": U}
for f in sorted(glob.glob(str(gd.DATA.parent / "grounding-more" / "*.xz"))):
    name = os.path.basename(f)[:-9]
    if SKIP_LANG.get(name, 1) == 0:
        continue
    by = collections.OrderedDict()
    n = left = 0
    with lzma.open(f, "rt") as h:
        for l in h:
            r = json.loads(l)
            n += 1
            if LIMIT and n > LIMIT:
                break
            if n > SKIP_LANG.get(name, 10**9):
                break
            if name == "quintd" and not r.get("gpt4_agrees"):
                continue
            question = r.get("question") or ""
            told = apart(r["claim"], question)
            spans = r.get("spans") if told == r["claim"] else None
            by.setdefault(r["context"], []).append([told, L[r["label"]], spans or None, question])
    flat = 0
    for ctx, cl in by.items():
        hit = [owner.get(hash(s)) for s in sh(ctx)]
        seen = [x for x in hit if x is not None]
        fo = -1
        if len(seen) > max(0, 0.08 * len(hit)):
            fo = collections.Counter(seen).most_common(1)[0][0]
            left += 1
        rec = 0
        if name == "quintd":
            rec = 1
            try:
                ctx = lines(json.dumps(plainer(ast.literal_eval(ctx)), ensure_ascii=False))
            except Exception:
                flat += 1
                pairs = re.findall(r"'name': ['\"]([^'\"]{1,80})['\"], 'value': ['\"](.{0,200}?)['\"]\\}", ctx)
                rest = re.findall(
                    r"'(\w+)': ('[^']{1,200}'|-?[\d.]+|True|False)", re.sub(r"\{'name': .{0,300}?\}", " ", ctx)
                )
                ctx = (
                    "\n".join(
                        [f"{k}: {v.strip(chr(39))}" for k, v in rest if k not in ("id", "img", "category")]
                        + [f"{k}: {v.strip()}" for k, v in pairs if v.strip()]
                    )
                    if len(pairs) + len(rest) > 8
                    else lines(ctx)
                )
        elif name in ("tabfact", "logicnlg", "fetaqa", "scitab", "rotowire_accuracy"):
            rec = 2
        emit(name, fo, ctx, cl, rec)
    say(name, n, len(by), "in a fold", left, "unflattened", flat)
tot = collections.Counter()
for o in out:
    tot[o["set"]] += len(o["claims"])
say(dict(tot), sum(tot.values()))


def put(path, items):
    data = "\n".join(json.dumps(i, ensure_ascii=False, separators=(",", ":")) for i in items).encode("utf-8", "replace")
    path.write_bytes(lzma.compress(data, preset=int(os.environ.get("XZ", "5"))))
    say(path.name, len(data), path.stat().st_size)


suffix = "_tiny" if LIMIT else ""
put(OUT / f"rows{suffix}.jsonl.xz", out)
put(OUT / f"score{suffix}.jsonl.xz", scored + [{"texts": PARTS}])
