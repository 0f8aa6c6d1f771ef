"""States to and from files of at most 15 MiB: int8 in blocks of a row with fp16 scales, or fp16."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import numpy as np
import torch

PIECE = 15 * 2**20


def quantised(value: torch.Tensor, run: int):
    runs = value.float().reshape(len(value), -1, run if value.shape[1] % run == 0 else value.shape[1])
    scale = (runs.abs().amax(2, keepdim=True).clamp(min=1e-6) / 127).half()
    scale = torch.where(scale == 0, torch.tensor(6e-8, dtype=torch.float16), scale)
    q = torch.round(runs / scale.float()).clamp(-127, 127).to(torch.int8)
    return q.numpy(), scale.numpy()


def pack(state: dict, folder: Path, name: str, *, run: int = 0) -> list[Path]:
    """Run 0: fp16 throughout; otherwise large matrices as int8 with a scale for each `run` weights of a row."""
    arrays = {}
    for key, value in state.items():
        value = value.detach().float().cpu()
        if run and value.ndim == 2 and min(value.shape) > 40 and "place" not in key:
            arrays[key + "|q"], arrays[key + "|s"] = quantised(value, run)
        else:
            arrays[key] = value.numpy().astype(
                np.float16 if value.ndim == 2 and min(value.shape) > 3 and "relative" not in key else np.float32
            )
    folder.mkdir(parents=True, exist_ok=True)
    buffer = BytesIO()
    np.savez(buffer, **arrays)
    raw = buffer.getvalue()
    pieces = []
    for at in range(0, len(raw), PIECE):
        piece = folder / f"{name}.{at // PIECE:02d}"
        part = piece.with_name(piece.name + ".part")
        part.write_bytes(raw[at : at + PIECE])
        part.replace(piece)
        pieces.append(piece)
    (folder / f"{name}.size").write_text(str(len(raw)))
    return pieces


def unpack(folder: Path, name: str) -> dict:
    raw = b"".join(p.read_bytes() for p in sorted(folder.glob(f"{name}.[0-9][0-9]")))
    size = folder / f"{name}.size"
    if size.exists() and int(size.read_text()) != len(raw):
        raise ValueError(f"{name}: {len(raw)} of {size.read_text()} bytes")
    arrays = np.load(BytesIO(raw))
    state = {}
    for key in arrays.files:
        if key.endswith("|q"):
            whole = arrays[key].astype(np.float32) * arrays[key[:-2] + "|s"].astype(np.float32)
            state[key[:-2]] = torch.from_numpy(whole.reshape(len(whole), -1))
        elif not key.endswith("|s"):
            state[key] = torch.from_numpy(arrays[key].astype(np.float32))
    return state
