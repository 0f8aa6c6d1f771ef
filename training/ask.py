"""Ask a model as it ships about every claim of ragtruth_tune and add its scores to a file of pair scores.

    python -m training.ask --files models/local_large/src/witnessmark_local_large/files --to training/.work/large.jsonl [--words 60] [--part 0/2]

What came home from the accelerator was said before the weights were cut to eight bits; of the set that nobody trained on, the figures are to be
those of the files that ship. Of two scores of one pair the later one counts. The larger model takes twenty minutes of one core.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from bench.grounding_scores import pair_key
from witnessmark_local import OnnxSupport

from bench import grounding_data
from training.build_pairs import asked


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=Path, required=True)
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--words", type=int, help="words of evidence to read, other than model.json says")
    parser.add_argument(
        "--part", default="0/1", help="only the n-th of so many parts, to run several beside each other"
    )
    args = parser.parse_args()
    model = OnnxSupport(args.files, words=args.words)
    part, parts = map(int, args.part.split("/"))
    pairs = [(evidence, claim) for _, evidence, claim, _, _ in asked(grounding_data.REAL[0])][part::parts]
    for at in range(0, len(pairs), 64):
        some = pairs[at : at + 64]
        with args.to.open("a", encoding="utf-8") as out:
            out.writelines(
                json.dumps({"key": pair_key(pair), "score": round(score, 6)}) + "\n"
                for pair, score in zip(some, model.support(some), strict=True)
            )
        print(f"{at + len(some)} of {len(pairs)}", flush=True)


if __name__ == "__main__":
    main()
