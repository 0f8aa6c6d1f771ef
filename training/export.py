"""From the weights that came home to the files that ship: ONNX in 8 bits, tokenizer, model.json.

    python -m training.export minilm --weights DIR --to models/local/src/witnessmark_local/files --id local
    python -m training.export mpnet --weights DIR --to models/local_large/src/witnessmark_local_large/files --id local-large

Two recipes: `blocks`, which ships, keeps a scale for every 128 weights and quantises activations by blocks; `dynamic` quantises weights per
channel and activations per tensor: 15 % less CPU, but MPNet's outlier activations do not survive it, and a pair's score would depend on
which pairs it is run with.
Embeddings are int8 rows with a scale each in both. `training.evaluate` fits model.json's scale and shift. model.json names the sha256 of
the files beside it, which the runtime checks; `python -m training.export --digests DIR` writes them anew.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from witnessmark_local import files

from training.nets import Support, minilm, mpnet
from training.weights import unpack

WORK = Path(__file__).resolve().parent / ".work"
TOKENS = 320
PIECE = 48_000_000
"""No file of a model is larger."""


def read(name: str, folder: Path, run: str) -> Support:
    """A trained model from its pieces."""
    state = unpack(folder, f"{name}_{run}")
    layers = 1 + max(int(k.split(".")[2]) for k in state if k.startswith("encoder.layers."))
    shape = (mpnet if name == "mpnet" else minilm)(len(state["encoder.word.weight"]), layers)
    model = Support(shape)
    model.load_state_dict(state)
    model.encoder.reach(TOKENS)
    return model.eval()


def to_onnx(model: Support, path: Path) -> None:
    """The graph in fp32 with batch and length free."""
    ids = torch.randint(4, 1000, (2, 40))
    segment = torch.ones(2, 40, dtype=torch.long)
    segment[:, :12] = 0
    free = {0: "batch", 1: "length"}
    torch.onnx.export(
        model, (ids, torch.ones_like(ids), segment), str(path), input_names=["ids", "mask", "segment"], output_names=["logit"],
        dynamic_axes={"ids": free, "mask": free, "segment": free, "logit": {0: "batch"}}, opset_version=17, dynamo=False,
    )  # fmt: skip


def small_embedding(graph: onnx.ModelProto) -> None:
    """Replace the word table by int8 rows and scales, gathered and multiplied."""
    tables = {t.name: t for t in graph.graph.initializer}
    for at, node in enumerate(graph.graph.node):
        table = tables.get(node.input[0]) if node.op_type == "Gather" else None
        if table is None or len(table.dims) != 2 or table.dims[0] < 5000:
            continue
        rows = numpy_helper.to_array(table)
        scale = np.abs(rows).max(1, keepdims=True) / 127 + 1e-12
        names = [f"{table.name}_{part}" for part in ("q", "s", "q_rows", "s_rows", "q_float")]
        graph.graph.initializer.remove(table)
        graph.graph.initializer.extend([
            numpy_helper.from_array(np.round(rows / scale).astype(np.int8), names[0]),
            numpy_helper.from_array(scale.astype(np.float32), names[1]),
        ])  # fmt: skip
        new = [
            helper.make_node("Gather", [names[0], node.input[1]], [names[2]]),
            helper.make_node("Gather", [names[1], node.input[1]], [names[3]]),
            helper.make_node("Cast", [names[2]], [names[4]], to=TensorProto.FLOAT),
            helper.make_node("Mul", [names[4], names[3]], [node.output[0]]),
        ]
        graph.graph.node.remove(node)
        for offset, one in enumerate(new):
            graph.graph.node.insert(at + offset, one)
        return
    raise ValueError("no word table found in the graph")


def quantise(source: Path, target: Path, recipe: str, bits: int) -> None:
    """Eight bits (or four) by one of the two recipes."""
    if recipe == "dynamic":
        from onnxruntime.quantization import QuantType, quantize_dynamic

        quantize_dynamic(source, target, per_channel=True, weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul"],
                         extra_options={"MatMulConstBOnly": True})  # fmt: skip
        return
    from onnxruntime.quantization.matmul_nbits_quantizer import DefaultWeightOnlyQuantConfig, MatMulNBitsQuantizer

    config = DefaultWeightOnlyQuantConfig(block_size=128, is_symmetric=True, accuracy_level=4, bits=bits)
    made: Any = MatMulNBitsQuantizer(onnx.load(source), algo_config=config)
    made.process()
    onnx.save(made.model.model, str(target))


def split(path: Path) -> None:
    """A large file into pieces path.00, path.01 …; a small one stays."""
    data = path.read_bytes()
    if len(data) <= PIECE:
        return
    for at in range(0, len(data), PIECE):
        path.with_name(f"{path.name}.{at // PIECE:02d}").write_bytes(data[at : at + PIECE])
    path.unlink()


def export(
    name: str, weights: Path, run: str, to: Path, ident: str, version: str, recipe: str, bits: int, words: int
) -> dict[str, Any]:
    """Write the folder that ships; says sizes."""
    to.mkdir(parents=True, exist_ok=True)
    plain = WORK / f"{name}.fp32.onnx"
    to_onnx(read(name, weights, run), plain)
    if recipe == "fp32":
        shutil.copy(plain, to / "model.onnx")
    else:
        graph = onnx.load(plain)
        small_embedding(graph)
        middle = WORK / f"{name}.small.onnx"
        onnx.save(graph, str(middle))
        quantise(middle, to / "model.onnx", recipe, bits)
    split(to / "model.onnx")
    shutil.copy(WORK / "tokenizer.json", to / "tokenizer.json")
    card = {
        "id": ident,
        "version": version,
        "words": words,
        "tokens": TOKENS,
        "scale": 1.0,
        "shift": 0.0,
        "recipe": recipe,
        "bits": bits,
        "languages": ["en"],
        "sha256": files.digests(to),
    }
    (to / "model.json").write_text(json.dumps(card, indent=1) + "\n")
    return {file.name: file.stat().st_size for file in sorted(to.iterdir())}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=["minilm", "mpnet"], nargs="?")
    parser.add_argument(
        "--digests", type=Path, metavar="DIR", help="only write the digests of a folder into its model.json"
    )
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--run", default="final")
    parser.add_argument("--to", type=Path)
    parser.add_argument("--id")
    parser.add_argument("--version", default="0.1.0")
    parser.add_argument("--recipe", choices=["blocks", "dynamic", "fp32"], default="blocks")
    parser.add_argument("--bits", type=int, default=8)
    parser.add_argument("--words", type=int, default=110)
    args = parser.parse_args()
    if args.digests:
        card = files.card(args.digests) | {"sha256": files.digests(args.digests)}
        (args.digests / "model.json").write_text(json.dumps(card, indent=1) + "\n")
        return
    if not (args.name and args.weights and args.to and args.id):
        parser.error("a name, --weights, --to and --id are needed")
    print(export(args.name, args.weights, args.run, args.to, args.id, args.version, args.recipe, args.bits, args.words))


if __name__ == "__main__":
    main()
