"""Base weights under our names with the trimmed vocabulary, packed into carry/: the layers of all-mpnet-base-v2 that the middle model begins with.

Reads all-mpnet-base-v2 (safetensors, vocab.txt) in $TRAINING_WORK, and data/vocab.json.
"""

import json
import os
from pathlib import Path

import torch
from safetensors.torch import load_file

from training.nets import Encoder, mpnet
from training.train import PICKED
from training.weights import pack, unpack

W = Path(os.environ.get("TRAINING_WORK", "training/.work"))
OUT = W / "carry"
SPECIAL = [1, 104, 0, 2]
"""Where the base has [PAD], [UNK], [CLS] and [SEP]; its other pieces stand four places behind those of BERT's vocabulary."""


def base(rows: list[int], pieces: list[str]) -> dict[str, torch.Tensor]:
    """The state of `nets.Encoder` with the rows of the word table that are kept."""
    found = load_file(W / "all-mpnet-base-v2/model.safetensors")
    known = {name.removeprefix("mpnet."): value.float() for name, value in found.items()}
    theirs = (W / "all-mpnet-base-v2/vocab.txt").read_text(encoding="utf-8").split("\n")
    places = SPECIAL + [row + 4 for row in rows[4:]]
    assert all(theirs[row] == piece for row, piece in zip(places[4:], pieces[4:])), "rows do not name the same pieces"
    out = {
        "word.weight": known["embeddings.word_embeddings.weight"][places],
        "place.weight": known["embeddings.position_embeddings.weight"],
        "relative.weight": known["encoder.relative_attention_bias.weight"],
        "norm.weight": known["embeddings.LayerNorm.weight"],
        "norm.bias": known["embeddings.LayerNorm.bias"],
    }
    for layer in range(12):
        of, to = f"encoder.layer.{layer}.", f"layers.{layer}."
        for kind in ("weight", "bias"):
            out[to + "qkv." + kind] = torch.cat([known[of + f"attention.attn.{x}.{kind}"] for x in "qkv"])
            out[to + "out." + kind] = known[of + f"attention.attn.o.{kind}"]
            out[to + "norm1." + kind] = known[of + f"attention.LayerNorm.{kind}"]
            out[to + "up." + kind] = known[of + f"intermediate.dense.{kind}"]
            out[to + "down." + kind] = known[of + f"output.dense.{kind}"]
            out[to + "norm2." + kind] = known[of + f"output.LayerNorm.{kind}"]
    return out


def main() -> None:
    """Pack the layers that are begun with, and say how far what travels is from what it was."""
    vocabulary = json.loads((W / "data/vocab.json").read_text())
    state = base(vocabulary["rows"], vocabulary["pieces"])
    Encoder(mpnet(len(vocabulary["rows"]))).load_state_dict(state)
    state = {k: v for k, v in state.items() if not k.startswith("layers.") or int(k.split(".")[1]) in PICKED}
    OUT.mkdir(exist_ok=True)
    for file in OUT.glob("mpnet.*"):
        file.unlink()
    print("pieces", [piece.stat().st_size for piece in pack(state, OUT, "mpnet", run=64)])
    back = unpack(OUT, "mpnet")
    print("travel error", max(float((back[key] - state[key]).abs().max()) for key in state))


if __name__ == "__main__":
    main()
