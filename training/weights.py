"""Base weights: read from the PyPI packages' safetensors, renamed, their vocabulary trimmed, packed small for travel.

A pack holds every large matrix as int8 with a scale for each 128 weights of a row, as the exported graph of the larger model does,
cut into pieces that fit a carry limit.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training.nets import Encoder, Shape

PIECE = 15 * 2**20
RUN = 128


def bert_name(ours: str) -> list[str]:
    """The tensors of a BERT checkpoint that make up one of ours (three for qkv)."""
    return _names(ours, "encoder.layer.{}.attention.self.{}", ("query", "key", "value"), "encoder.layer.{}.attention.output.dense",
                  "encoder.layer.{}.attention.output.LayerNorm")  # fmt: skip


def mpnet_name(ours: str) -> list[str]:
    """The tensors of an MPNet checkpoint that make up one of ours."""
    return _names(ours, "encoder.layer.{}.attention.attn.{}", ("q", "k", "v"), "encoder.layer.{}.attention.attn.o",
                  "encoder.layer.{}.attention.LayerNorm")  # fmt: skip


def _names(ours: str, attn: str, qkv: tuple[str, str, str], out: str, norm1: str) -> list[str]:
    fixed = {
        "word.weight": "embeddings.word_embeddings.weight",
        "place.weight": "embeddings.position_embeddings.weight",
        "kind.weight": "embeddings.token_type_embeddings.weight",
        "relative.weight": "encoder.relative_attention_bias.weight",
        "norm.weight": "embeddings.LayerNorm.weight",
        "norm.bias": "embeddings.LayerNorm.bias",
    }
    if ours in fixed:
        return [fixed[ours]]
    _, at, part, kind = ours.split(".")
    if part == "qkv":
        return [f"{attn.format(at, one)}.{kind}" for one in qkv]
    there = {
        "out": out,
        "norm1": norm1,
        "up": "encoder.layer.{}.intermediate.dense",
        "down": "encoder.layer.{}.output.dense",
        "norm2": "encoder.layer.{}.output.LayerNorm",
    }[part]
    return [f"{there.format(at)}.{kind}"]


def convert(tensors: dict[str, torch.Tensor], shape: Shape, rows: list[int] | None) -> dict[str, torch.Tensor]:
    """A checkpoint under our names, with only these rows of the vocabulary."""
    name = mpnet_name if shape.buckets else bert_name
    state = {}
    for ours in Encoder(shape).state_dict():
        state[ours] = torch.cat([tensors[theirs].float() for theirs in name(ours)])
    if rows is not None:
        state["word.weight"] = state["word.weight"][rows]
    return state


def pack(state: dict[str, torch.Tensor], folder: Path, name: str, *, fine: bool = False) -> list[Path]:
    """Write a state as int8 with a scale for each run of 128 weights (`fine`: all but the word table as fp16), in pieces put in place whole."""
    arrays: dict[str, Any] = {}
    for key, value in state.items():
        table = value.ndim == 2 and key.endswith("word.weight")
        if table or (value.ndim == 2 and min(value.shape) > 40 and not fine and "place" not in key):
            runs = value.reshape(len(value), -1, RUN if value.shape[1] % RUN == 0 else value.shape[1])
            scale = runs.abs().amax(2, keepdim=True).clamp(min=1e-8) / 127
            arrays[key + "|q"] = torch.round(runs / scale).to(torch.int8).numpy()
            arrays[key + "|s"] = scale.numpy().astype(np.float32)
        else:
            arrays[key] = value.numpy().astype(np.float16 if value.ndim == 2 else np.float32)
    folder.mkdir(parents=True, exist_ok=True)
    buffer = BytesIO()
    np.savez(buffer, **arrays)
    raw = buffer.getvalue()
    pieces = []
    for at in range(0, len(raw), PIECE):
        piece = folder / f"{name}.{at // PIECE:02d}"
        part = piece.with_name(f"{piece.name}.part")
        part.write_bytes(raw[at : at + PIECE])
        part.replace(piece)
        pieces.append(piece)
    return pieces


def unpack(folder: Path, name: str) -> dict[str, torch.Tensor]:
    """Read what `pack` wrote."""
    pieces = sorted(folder.glob(f"{name}.[0-9][0-9]"))
    if not pieces:
        raise FileNotFoundError(f"no pieces of {name} in {folder}")
    arrays = np.load(BytesIO(b"".join(piece.read_bytes() for piece in pieces)))
    state = {}
    for key in arrays.files:
        if key.endswith("|q"):
            name_ = key[:-2]
            whole = arrays[key].astype(np.float32) * arrays[name_ + "|s"]
            state[name_] = torch.from_numpy(whole.reshape(len(whole), -1))
        elif not key.endswith("|s"):
            state[key] = torch.from_numpy(arrays[key].astype(np.float32))
    return state


def pack_base(name: str, checkpoint: Path, words: Any, folder: Path, layers: int = 0) -> int:
    """A base model with the trimmed vocabulary (and only its first layers), packed; says its bytes."""
    from safetensors.torch import load_file

    from training.nets import minilm, mpnet

    rows = list(words.rows)
    if name == "mpnet":  # it has <s>, <pad>, </s> of its own; all else lies four rows after BERT's
        rows = [1, 104, 0, 2] + [row + 4 for row in rows[4:]]
    shape = mpnet(30527, layers or 12) if name == "mpnet" else minilm(30522, layers or 6)
    return sum(p.stat().st_size for p in pack(convert(load_file(checkpoint), shape, rows), folder, name))
