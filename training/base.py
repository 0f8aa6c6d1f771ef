"""Base weights under our names with the trimmed vocabulary, packed into carry/; checked against the originals.

Reads gte-small (ONNX) and all-mpnet-base-v2 (safetensors) in $TRAINING_WORK, and data/vocab.json.
"""

import json
import os
import re
from pathlib import Path

import numpy as np
import onnx
import onnxruntime as ort
import torch
from onnx import numpy_helper
from safetensors.torch import load_file

from training.nets import Encoder, gte, mpnet
from training.weights import pack, unpack

W = Path(os.environ.get("TRAINING_WORK", "training/.work"))
OUT = W / "carry"
voc = json.loads((W / "data/vocab.json").read_text())
rows = voc["rows"]
pieces = voc["pieces"]


def near(t, a, b):
    i, j = pieces.index(a), pieces.index(b)
    return float(torch.nn.functional.cosine_similarity(t[i].float(), t[j].float(), dim=0))


def tell(name, t):
    print(
        name,
        "king/queen",
        round(near(t, "king", "queen"), 3),
        "king/table",
        round(near(t, "king", "table"), 3),
        "monday/tuesday",
        round(near(t, "monday", "tuesday"), 3),
        "monday/sugar",
        round(near(t, "monday", "sugar"), 3),
        flush=True,
    )


# gte-small from its ONNX
m = onnx.load(str(W / "gte-small/onnx/model.onnx"))
init = {t.name: t for t in m.graph.initializer}
get = lambda n: torch.from_numpy(numpy_helper.to_array(init[n]).astype(np.float32).copy())
# anonymous matmul weights: find the MatMul by node name
mats = {}
for node in m.graph.node:
    if node.op_type == "MatMul":
        for i in node.input:
            if i in init:
                mats[node.name] = i


def w(layer, part):
    hits = [v for k, v in mats.items() if re.search(rf"layer\.{layer}/{part}/", k)]
    assert len(hits) == 1, (layer, part, hits, list(mats)[:8])
    return get(hits[0]).T.contiguous()


pre = next(n for n in init if n.endswith("embeddings.word_embeddings.weight"))[
    : -len("embeddings.word_embeddings.weight")
]
b = lambda n: get(pre + n)


def gte_state(layers):
    st = {
        "word.weight": b("embeddings.word_embeddings.weight")[rows],
        "place.weight": b("embeddings.position_embeddings.weight"),
        "kind.weight": b("embeddings.token_type_embeddings.weight"),
        "norm.weight": b("embeddings.LayerNorm.weight"),
        "norm.bias": b("embeddings.LayerNorm.bias"),
    }
    for l in range(layers):
        p = f"encoder.layer.{l}."
        o = f"layers.{l}."
        st[o + "qkv.weight"] = torch.cat([w(l, f"attention/self/{x}") for x in ("query", "key", "value")])
        st[o + "qkv.bias"] = torch.cat([b(p + f"attention.self.{x}.bias") for x in ("query", "key", "value")])
        st[o + "out.weight"] = w(l, "attention/output/dense")
        st[o + "out.bias"] = b(p + "attention.output.dense.bias")
        st[o + "norm1.weight"] = b(p + "attention.output.LayerNorm.weight")
        st[o + "norm1.bias"] = b(p + "attention.output.LayerNorm.bias")
        st[o + "up.weight"] = w(l, "intermediate/dense")
        st[o + "up.bias"] = b(p + "intermediate.dense.bias")
        st[o + "down.weight"] = w(l, "output/dense") if True else None
        st[o + "down.bias"] = b(p + "output.dense.bias")
        st[o + "norm2.weight"] = b(p + "output.LayerNorm.weight")
        st[o + "norm2.bias"] = b(p + "output.LayerNorm.bias")
    return st


_w = w


def w(layer, part):
    pat = rf"layer\.{layer}/{part}/" if not part.startswith("output") else rf"layer\.{layer}/output/dense/"
    hits = [v for k, v in mats.items() if re.search(pat, k)]
    assert len(hits) == 1, (layer, part, hits, list(mats)[:8])
    return get(hits[0]).T.contiguous()


st12 = gte_state(12)
tell("gte", st12["word.weight"])
# check against onnxruntime on the original
s = ort.InferenceSession(str(W / "gte-small/onnx/model.onnx"))
names = [i.name for i in s.get_inputs()]
ours = [2] + [pieces.index(x) for x in "the king and his queen sat at a table in 1815 .".split()] + [3]
theirs = [rows[i] for i in ours]
feeds = {
    "input_ids": np.array([theirs]),
    "attention_mask": np.ones((1, len(ours)), np.int64),
    "token_type_ids": np.zeros((1, len(ours)), np.int64),
}
ref = s.run(None, {k: feeds[k] for k in names})[0]
enc = Encoder(gte(len(rows), 12, ())).eval()
enc.load_state_dict(st12)
with torch.no_grad():
    got = enc(
        torch.tensor([ours]), torch.ones(1, len(ours), dtype=torch.long), torch.zeros(1, len(ours), dtype=torch.long)
    )[-1].numpy()
print("gte: largest difference from the original", float(np.abs(got - ref).max()))
assert np.abs(got - ref).max() < 1e-3
OUT.mkdir(exist_ok=True)
for f in OUT.glob("gte.*"):
    f.unlink()
print("gte pieces", [p.stat().st_size for p in pack(st12, OUT, "gte", run=64)])
back = unpack(OUT, "gte")
print("gte travel error", max(float((back[k] - st12[k]).abs().max()) for k in st12))
# MPNet
t = load_file(W / "all-mpnet-base-v2/model.safetensors")
t = {k.removeprefix("mpnet."): v.float() for k, v in t.items()}
mv = open(W / "all-mpnet-base-v2/vocab.txt", encoding="utf-8").read().split("\n")
mrows = [1, 104, 0, 2] + [r + 4 for r in rows[4:]]
assert all(mv[r] == p for r, p in zip(mrows[4:], pieces[4:])), "rows do not name the same pieces"
print("mpnet specials", [mv[r] for r in mrows[:4]])
sm = {
    "word.weight": t["embeddings.word_embeddings.weight"][mrows],
    "place.weight": t["embeddings.position_embeddings.weight"],
    "relative.weight": t["encoder.relative_attention_bias.weight"],
    "norm.weight": t["embeddings.LayerNorm.weight"],
    "norm.bias": t["embeddings.LayerNorm.bias"],
}
for l in range(12):
    p = f"encoder.layer.{l}."
    o = f"layers.{l}."
    for k in ("weight", "bias"):
        sm[o + "qkv." + k] = torch.cat([t[p + f"attention.attn.{x}.{k}"] for x in "qkv"])
        sm[o + "out." + k] = t[p + f"attention.attn.o.{k}"]
        sm[o + "norm1." + k] = t[p + f"attention.LayerNorm.{k}"]
        sm[o + "up." + k] = t[p + f"intermediate.dense.{k}"]
        sm[o + "down." + k] = t[p + f"output.dense.{k}"]
        sm[o + "norm2." + k] = t[p + f"output.LayerNorm.{k}"]
tell("mpnet", sm["word.weight"])
enc = Encoder(mpnet(len(rows))).eval()
enc.load_state_dict(sm)
for f in OUT.glob("mpnet.*"):
    f.unlink()
print("mpnet pieces", [p.stat().st_size for p in pack(sm, OUT, "mpnet", run=64)])
back = unpack(OUT, "mpnet")
tell("mpnet back", back["word.weight"])
e2 = Encoder(mpnet(len(rows))).eval()
e2.load_state_dict(back)
ids = torch.tensor([ours])
one = torch.ones_like(ids)
with torch.no_grad():
    a, c = enc(ids, one, one)[-1], e2(ids, one, one)[-1]
print("mpnet after travel: cosine", float(torch.nn.functional.cosine_similarity(a, c, dim=-1).min()))
