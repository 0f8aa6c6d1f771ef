"""Take reworded claims that lost a word inside a name out of the training pairs (`York` for `New York` is not the same).

    python -m training.drop_gaps training/.work/data/train.xz

`made.shorter_names` cannot tell a person's name from a title or a place. A supported pair made by rule whose claim skips one to
three tokens of its evidence is set to be left out. Run once, after `build_pairs`.
"""

from __future__ import annotations

import itertools
import lzma
import sys
from io import BytesIO
from pathlib import Path

import numpy as np

from training.kinds import REWORDED


def skips(claim: list[int], text: list[int]) -> bool:
    """Whether two neighbours of the claim stand in the text only with one to three tokens between them."""
    near = {(a, b) for a, b in itertools.pairwise(text)}
    far = {(a, b) for gap in (2, 3, 4) for a, b in zip(text, text[gap:], strict=False)}
    return any(pair not in near and pair in far for pair in itertools.pairwise(claim))


def main() -> None:
    """Mark them."""
    path = Path(sys.argv[1])
    arrays = dict(np.load(BytesIO(lzma.decompress(path.read_bytes()))).items())
    claim, text = arrays["claim"].astype(np.int64), arrays["text"].astype(np.int64)
    start = np.concatenate([[0], np.cumsum(claim + text)[:-1]])
    dropped = 0
    for at in np.flatnonzero(np.isin(arrays["kind"], REWORDED) & (arrays["label"] == 1)):
        ids = arrays["flat"][start[at] : start[at] + claim[at] + text[at]].tolist()
        if skips(ids[: claim[at]], ids[claim[at] :]):
            arrays["fold"][at] = -2
            dropped += 1
    buffer = BytesIO()
    np.savez(buffer, **arrays)
    path.write_bytes(lzma.compress(buffer.getvalue(), preset=2))
    print(dropped, "pairs left out")


if __name__ == "__main__":
    main()
