"""The mean of two packed states of one model, its classes' logits cooled: python -m training.mean MODEL FOLDER FOLDER TO FACTOR

A run that went on from another lies near it, and the mean of both reads unseen text as well as the better of them; FACTOR makes its log odds as wide as those that the decision is fitted on.
"""

from __future__ import annotations

import sys
from pathlib import Path

from torch import Tensor

from training.weights import pack, unpack


def mean(one: dict[str, Tensor], other: dict[str, Tensor], factor: float) -> dict[str, Tensor]:
    """Weights half way between two states of the same shape; those of the classes times a factor."""
    halves = {name: (value + other[name]) / 2 for name, value in one.items()}
    return {name: value * factor if ".classes." in name else value for name, value in halves.items()}


def main() -> None:
    name, first, second, to, factor = sys.argv[1:]
    states = (unpack(Path(folder), f"{name}_final") for folder in (first, second))
    print([piece.name for piece in pack(mean(*states, float(factor)), Path(to), f"{name}_final", run=128)])


if __name__ == "__main__":
    main()
