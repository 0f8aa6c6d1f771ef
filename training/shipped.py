"""The weights of a shipped model, packed for a run that goes on from them: python -m training.shipped gte|mpnet FILES FOLDER [--grow]

FILES is the folder of the model's package with model.onnx (or its pieces), and fast.onnx where it has a fast part, whose head stands on a lower layer; FOLDER gets gte_final.00, … as
`weights.pack` leaves them. With --grow a gte gets the upper layers of the base that lies packed in FOLDER, and a last head that begins as the one below it.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from training import nets
from training.train import EXITS
from training.weights import pack, unpack

MATRICES = ("q", "k", "v", "out", "up", "down")
"""A layer's matrices in the order in which the graph multiplies by them."""


def graph(files: Path, name: str = "model.onnx") -> onnx.ModelProto:
    """A graph of the model, put together where it lies in pieces."""
    pieces = sorted(files.glob(name + ".*")) or [files / name]
    return onnx.load_model_from_string(b"".join(piece.read_bytes() for piece in pieces))


def tables(model: onnx.ModelProto) -> dict[str, np.ndarray]:
    """Every weight of the graph by name, the folded ones unfolded; matrices as [out, in], as they were folded."""
    raw = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    out = {name: value for name, value in raw.items() if not name.endswith(("_q", "_s", "_shape"))}
    for name in (name[:-2] for name in raw if name.endswith("_q")):
        whole = raw[name + "_q"].astype(np.float32) * raw[name + "_s"].astype(np.float32)
        out[name] = whole.reshape(len(whole), -1)
    return out


def state(model: onnx.ModelProto) -> dict[str, torch.Tensor]:
    """The state of `nets.Support` that the graph was made from."""
    known = tables(model)
    nodes = list(model.graph.node)
    products = [n for n in nodes if n.op_type == "MatMul" and n.input[1] in known]
    added = {n.input[1]: n.input[0] for n in nodes if n.op_type == "Add" and n.input[0] in known}
    out = {
        name.removeprefix("model."): value
        for name, value in known.items()
        if name.startswith("model.") and "place" not in name
    }
    layers = 1 + max(int(name.split(".")[2]) for name in out if name.startswith("encoder.layers."))
    for at in range(layers):
        of = dict(zip(MATRICES, products[6 * at : 6 * at + 6]))
        place = f"encoder.layers.{at}."
        out[place + "qkv.weight"] = np.concatenate([known[of[x].input[1]] for x in "qkv"])
        out[place + "qkv.bias"] = np.concatenate([known[added[of[x].output[0]]] for x in "qkv"])
        out |= {place + f"{x}.weight": known[of[x].input[1]] for x in MATRICES[3:]}
    (wrong,) = products[6 * layers :]
    out["heads.0.wrong.weight"] = known[wrong.input[1]].T
    out["heads.0.dense.weight"] = out["heads.0.dense.weight"].T
    out["encoder.place.weight"] = known["model.encoder.place.weight"].T
    return {name: torch.from_numpy(np.ascontiguousarray(value, np.float32)) for name, value in out.items()}


def whole(known: dict[str, torch.Tensor], shape: nets.Shape) -> dict[str, torch.Tensor]:
    """The state with the positions that no graph reads filled up."""
    places = torch.zeros(shape.positions, shape.hidden)
    short = known["encoder.place.weight"]
    places[: len(short)] = short
    return known | {"encoder.place.weight": places}


def main() -> None:
    name, files, folder = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    model = graph(files)
    known = state(model)
    layers = 1 + max(int(key.split(".")[2]) for key in known if key.startswith("encoder.layers."))
    exits: tuple[int, ...] = ()
    if (files / "fast.onnx").exists():
        low = {key: value for key, value in state(graph(files, "fast.onnx")).items() if key.startswith("heads.")}
        known = {key.replace("heads.0.", "heads.1."): value for key, value in known.items()} | low
        exits = EXITS[layers]
    shape = getattr(nets, name)(len(known["encoder.word.weight"]), layers, exits)
    net = nets.Support(shape)
    net.load_state_dict(whole(known, shape))
    net.eval()
    _same(net, model)
    if "--grow" in sys.argv:
        net = grown(net, unpack(folder, name))
    print([piece.stat().st_size for piece in pack(net.state_dict(), folder, f"{name}_final", run=128)])


def grown(net: nets.Support, base: dict[str, torch.Tensor]) -> nets.Support:
    """The network with all layers of its base: its own ones below, the base's above, a head on each of EXITS."""
    many = 1 + max(int(key.split(".")[1]) for key in base if key.startswith("layers."))
    shape = replace(net.encoder.shape, layers=many, exits=EXITS[many])
    own, heads = net.state_dict(), len(net.heads)
    upper = {f"encoder.{key}": value for key, value in base.items() if f"encoder.{key}" not in own}
    last = {key.replace(f"heads.{heads - 1}.", f"heads.{heads}."): value for key, value in own.items() if key.startswith(f"heads.{heads - 1}.")}  # fmt: skip
    whole_net = nets.Support(shape)
    whole_net.load_state_dict(own | upper | last)
    return whole_net


def _same(net: nets.Support, model: onnx.ModelProto) -> None:
    """Refuses weights with which the network does not say what the graph says."""
    import onnxruntime as ort

    ids = torch.randint(4, 1000, (2, 60))
    mask, segment = torch.ones_like(ids), torch.ones_like(ids)
    segment[:, :15] = 0
    feeds = {"ids": ids.numpy(), "mask": mask.numpy(), "segment": segment.numpy()}
    said = ort.InferenceSession(model.SerializeToString()).run(["classes"], feeds)[0]
    with torch.no_grad():
        ours = torch.log_softmax(net(ids, mask, segment)[-1][0], -1).numpy()
    print("off by", float(np.abs(said - ours).max()))
    assert np.abs(said - ours).max() < 1e-3


if __name__ == "__main__":
    main()
