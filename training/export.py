"""From the weights that came home to ONNX with 8-bit weights that are unfolded to fp32 when loaded: nothing of the activations is quantised.

python -m training.export gte --weights DIR --run final --to DIR --layers 8 --exit -1 [--block 128|0 for fp16]
Outputs of the graph: `classes` [batch, 3] log-probabilities (supported, contradicted, not mentioned), `wrong` [batch, length] logits of claim tokens. Inputs ids, mask, segment (int64).
"""

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from training import nets
from training.train import EXITS
from training.weights import unpack

TOKENS = 352


class Out(torch.nn.Module):
    """One exit of a model: log-probabilities and wrong-word logits."""

    def __init__(self, model, at):
        super().__init__()
        self.model, self.at = model, at

    def forward(self, ids, mask, segment):
        classes, wrong = self.model(ids, mask, segment)[self.at]
        return torch.log_softmax(classes, -1), wrong


SCALE = 1.0


def attention(q, k, v, attn_mask):
    """Plain attention, which exports to MatMul, Add, Softmax."""
    score = q @ k.transpose(-1, -2) * SCALE + attn_mask
    return torch.softmax(score, -1) @ v


def model_of(name, state, layers, exits):
    state = {k.removeprefix("module."): v.float() for k, v in state.items()}
    vocab = len(state["encoder.word.weight"])
    shape = nets.mpnet(vocab, layers, exits) if name == "mpnet" else nets.gte(vocab, layers, exits)
    m = nets.Support(shape)
    m.load_state_dict(state)
    return m.eval()


def cut(model, exit_at):
    """Only the layers and the head that one exit needs (exit_at: number of the layer)."""
    s = model.encoder.shape
    points = [*s.exits, s.layers]
    at = points.index(exit_at)
    model.encoder.layers = model.encoder.layers[:exit_at]
    model.heads = model.heads[at : at + 1]
    object.__setattr__(s, "exits", ())
    return model


def to_onnx(model, path):
    class Enc(type(model.encoder)):
        pass

    enc = model.encoder

    def bias(mask, dtype):
        length = mask.shape[1]
        b = ((1.0 - mask.float()) * -30000.0)[:, None, None, :]
        if enc.relative is not None:
            b = b + enc.relative(enc.bucket[:length, :length]).permute(2, 0, 1)[None]
        return b

    enc.bias = bias
    hid, nh = enc.shape.hidden, enc.shape.heads
    global SCALE
    SCALE = float((hid // nh) ** -0.5)

    def plain_block(x, bias, w, heads, eps, drop, training):
        qw, qb, ow, ob, a1, b1, uw, ub, dw, db, a2, b2 = w
        b, l = x.shape[0], x.shape[1]
        q, k, v = (
            torch.nn.functional.linear(x, qw[i * hid : (i + 1) * hid], qb[i * hid : (i + 1) * hid])
            .view(b, l, nh, hid // nh)
            .transpose(1, 2)
            for i in range(3)
        )
        seen = attention(q, k, v, bias).transpose(1, 2).reshape(b, l, hid)
        x = torch.nn.functional.layer_norm(x + torch.nn.functional.linear(seen, ow, ob), (hid,), a1, b1, eps)
        up = torch.nn.functional.gelu(torch.nn.functional.linear(x, uw, ub))
        return torch.nn.functional.layer_norm(x + torch.nn.functional.linear(up, dw, db), (hid,), a2, b2, eps)

    enc.run = plain_block
    enc.place.weight = torch.nn.Parameter(enc.place.weight.detach()[: enc.shape.first_position + TOKENS])
    import torch.nn.functional as F

    kept = F.scaled_dot_product_attention
    F.scaled_dot_product_attention = lambda q, k, v, attn_mask=None: attention(q, k, v, attn_mask)
    try:
        ids = torch.randint(4, 1000, (2, 40))
        seg = torch.ones(2, 40, dtype=torch.long)
        seg[:, :12] = 0
        free = {0: "batch", 1: "length"}
        torch.onnx.export(
            Out(model, -1),
            (ids, torch.ones_like(ids), seg),
            str(path),
            input_names=["ids", "mask", "segment"],
            output_names=["classes", "wrong"],
            dynamic_axes={"ids": free, "mask": free, "segment": free, "classes": {0: "batch"}, "wrong": free},
            opset_version=17,
            dynamo=False,
        )
    finally:
        F.scaled_dot_product_attention = kept


def fold_up(graph, block, given=None):
    """Large matrices as int8 with fp16 scales (Cast, Mul, Reshape, Transpose: folded by onnxruntime when it loads) or as fp16 (Cast); the word table as int8 rows gathered before they are scaled.
    given: name of weight -> (q, s) as they came home, used instead of quantising a second time.
    """
    g = graph.graph
    tables = {t.name: t for t in g.initializer}
    new_nodes = []
    for name, t in list(tables.items()):
        if t.data_type != TensorProto.FLOAT or len(t.dims) != 2 or min(t.dims) <= 40:
            continue
        a = numpy_helper.to_array(t)
        users = [n for n in g.node if name in n.input]
        if any(n.op_type == "Gather" for n in users):
            if t.dims[0] < 5000:
                continue
            runs = a.reshape(len(a), -1, 128)
            scale = (np.maximum(np.abs(runs).max(2, keepdims=True), 1e-6) / 127).astype(np.float16)
            q = np.clip(np.round(runs / scale.astype(np.float32)), -127, 127).astype(np.int8)
            g.initializer.remove(t)
            g.initializer.extend(
                [
                    numpy_helper.from_array(q, name + "_q"),
                    numpy_helper.from_array(scale, name + "_s"),
                    numpy_helper.from_array(np.array([0, 0, a.shape[1]], np.int64), name + "_shape"),
                ]
            )
            for n in users:
                at = list(g.node).index(n)
                out = n.output[0]
                ix = n.input[1]
                g.node.remove(n)
                for off, one in enumerate(
                    [
                        helper.make_node("Gather", [name + "_q", ix], [out + "_q"]),
                        helper.make_node("Gather", [name + "_s", ix], [out + "_s"]),
                        helper.make_node("Cast", [out + "_q"], [out + "_qf"], to=TensorProto.FLOAT),
                        helper.make_node("Cast", [out + "_s"], [out + "_sf"], to=TensorProto.FLOAT),
                        helper.make_node("Mul", [out + "_qf", out + "_sf"], [out + "_m"]),
                        helper.make_node("Reshape", [out + "_m", name + "_shape"], [out]),
                    ]
                ):
                    g.node.insert(at + off, one)
            continue
        g.initializer.remove(t)
        if not block:
            g.initializer.append(numpy_helper.from_array(a.astype(np.float16), name + "_h"))
            new_nodes.append(helper.make_node("Cast", [name + "_h"], [name], to=TensorProto.FLOAT))
            continue
        w = a.T  # [out, in]: blocks along the inputs
        b = block if w.shape[1] % block == 0 else w.shape[1]
        runs = w.reshape(len(w), -1, b)
        s = (np.maximum(np.abs(runs).max(2, keepdims=True), 1e-6) / 127).astype(np.float16)
        q = np.clip(np.round(runs / s.astype(np.float32)), -127, 127).astype(np.int8)
        g.initializer.extend(
            [
                numpy_helper.from_array(q, name + "_q"),
                numpy_helper.from_array(s, name + "_s"),
                numpy_helper.from_array(np.array([len(w), w.shape[1]], np.int64), name + "_shape"),
            ]
        )
        new_nodes += [
            helper.make_node("Cast", [name + "_q"], [name + "_qf"], to=TensorProto.FLOAT),
            helper.make_node("Cast", [name + "_s"], [name + "_sf"], to=TensorProto.FLOAT),
            helper.make_node("Mul", [name + "_qf", name + "_sf"], [name + "_m"]),
            helper.make_node("Reshape", [name + "_m", name + "_shape"], [name + "_r"]),
            helper.make_node("Transpose", [name + "_r"], [name], perm=[1, 0]),
        ]
    for n in reversed(new_nodes):
        g.node.insert(0, n)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("name", choices=["gte", "mpnet"])
    p.add_argument("--weights", type=Path, required=True)
    p.add_argument("--run", default="final")
    p.add_argument("--to", type=Path, required=True)
    p.add_argument("--layers", type=int, default=0)
    p.add_argument("--exit", type=int, default=0)
    p.add_argument("--block", type=int, default=128)
    a = p.parse_args()
    f = a.weights / f"{a.name}_{a.run}.pt"
    state = torch.load(f) if f.exists() else unpack(a.weights, f"{a.name}_{a.run}")
    layers = 1 + max(int(k.split(".")[2]) for k in state if k.startswith("encoder.layers."))
    heads = 1 + max(int(k.split(".")[1]) for k in state if k.startswith("heads."))
    exits = () if heads == 1 else EXITS.get(layers, (1,))
    torch.manual_seed(0)
    m = model_of(a.name, state, layers, exits)
    m = cut(m, a.exit or layers)
    a.to.mkdir(parents=True, exist_ok=True)
    plain = a.to / "plain.onnx"
    to_onnx(m, plain)
    ids = torch.randint(4, 1000, (3, 50))
    mask = torch.ones_like(ids)
    mask[1, 40:] = 0
    seg = torch.ones_like(ids)
    seg[:, :15] = 0
    import onnxruntime as ort

    def run(file):
        o = ort.SessionOptions()
        o.log_severity_level = 3
        o.intra_op_num_threads = 1
        s = ort.InferenceSession(str(file), o)
        return s.run(None, {"ids": ids.numpy(), "mask": mask.numpy(), "segment": seg.numpy()})

    m.eval()
    with torch.no_grad():
        ref = Out(m, -1).eval()(ids, mask, seg)[0].numpy()
    print("fp32 graph off by", float(np.abs(run(plain)[0] - ref).max()))
    graph = onnx.load(str(plain))
    fold_up(graph, a.block)
    onnx.checker.check_model(graph)
    onnx.save(graph, str(a.to / "model.onnx"))
    plain.unlink()
    print(
        "8-bit graph off by",
        float(np.abs(run(a.to / "model.onnx")[0] - ref).max()),
        "bytes",
        (a.to / "model.onnx").stat().st_size,
    )


if __name__ == "__main__":
    main()
