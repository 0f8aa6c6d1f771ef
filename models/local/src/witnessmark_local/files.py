"""The files of one model: model.onnx (or its pieces), tokenizer.json, model.json; read, checked, put together.

model.json names the sha256 of each other file under `sha256`; a file that is another one is refused before it is used.
A graph may lie in pieces model.onnx.00, model.onnx.01 …, so that no file grows too large. Runs nothing.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

MODEL, FAST, TOKENIZER, CARD = "model.onnx", "fast.onnx", "tokenizer.json", "model.json"


def there(folder: Path) -> bool:
    """Whether a folder holds a whole model; says nothing about whether its files are the right ones."""
    return (folder / CARD).is_file() and (folder / TOKENIZER).is_file() and bool(_pieces(folder, MODEL))


def card(folder: Path) -> dict[str, Any]:
    """What model.json says."""
    read: dict[str, Any] = json.loads((folder / CARD).read_text(encoding="utf-8"))
    return read


def graph(folder: Path, name: str = MODEL) -> bytes:
    """An ONNX graph, checked against its digest."""
    pieces = _pieces(folder, name)
    if not pieces:
        raise ValueError(f"{folder.name}/{name} is missing; install the package again")
    return _checked(folder, name, b"".join(piece.read_bytes() for piece in pieces))


def tokenizer(folder: Path) -> str:
    """The tokenizer's JSON, checked against its digest."""
    return _checked(folder, TOKENIZER, (folder / TOKENIZER).read_bytes()).decode()


def digests(folder: Path) -> dict[str, str]:
    """What `sha256` of model.json should be for the files as they are."""
    found = {name: b"".join(p.read_bytes() for p in _pieces(folder, name)) for name in (MODEL, FAST)}
    found[TOKENIZER] = (folder / TOKENIZER).read_bytes()
    return {name: _digest(data) for name, data in found.items() if data}


def _pieces(folder: Path, name: str) -> list[Path]:
    whole = folder / name
    return [whole] if whole.is_file() else sorted(folder.glob(f"{name}.[0-9][0-9]"))


def _checked(folder: Path, name: str, data: bytes) -> bytes:
    wanted = card(folder).get("sha256", {}).get(name)
    if wanted is not None and wanted != _digest(data):
        raise ValueError(f"{name} is not the file that {CARD} names (its sha256 differs); install the package again")
    return data


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
