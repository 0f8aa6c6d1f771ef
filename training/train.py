"""Train one cross-encoder, on everything or with folds left out; runs on CUDA or CPU.

    python -m training.train --work DIR --run final --seconds 120
    python -m training.train --work DIR --run half0 --leave-out 0,1 --seconds 120

DIR has data/ and base/ as `build_pairs` wrote them. A run takes at most `--seconds` (or ends at `--until`, seconds since 1970) and at
most `--epochs` passes; rate of learning and the mix of pairs follow whichever of the two is further on. What it leaves in DIR/out:
<model>_<run>.NN (the weights in pieces of at most 15 MiB), scores_<model>_<run>.npz (logits of all rows to score) and log_<model>_<run>.jsonl.
"""

from __future__ import annotations

import argparse
import copy
import json
import lzma
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from training.kinds import PEOPLE
from training.marks import UNKNOWN
from training.nets import Support, minilm, mpnet
from training.weights import pack, unpack

PAD, CLS, SEP = 0, 2, 3
LENGTHS = (48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256, 288, 320)
LATE = 0.5
"""From here on most pairs made by rule are left out: what people wrote has the last word."""
LATE_SHARE = 0.3


@dataclass
class Data:
    """Pairs on the device: flat token ids and where each pair's lie."""

    flat: Tensor
    start: Tensor
    claim: Tensor
    text: Tensor
    label: Tensor
    fold: Tensor
    kind: Tensor
    wrong: Tensor
    """For each token of each claim, flat: 1 where it is wrong, 0 where not, UNKNOWN where nobody said."""
    wrong_start: Tensor
    teacher: Tensor | None = None
    """What the teacher says of each pair: the log odds."""

    @property
    def length(self) -> Tensor:
        """Tokens of each pair, with the three special ones."""
        return self.claim + self.text + 3


def load(path: Path, device: str) -> Data:
    """Read what `build_pairs.pack` wrote."""
    arrays = np.load(BytesIO(lzma.decompress(path.read_bytes())))
    claim, text = arrays["claim"].astype(np.int64), arrays["text"].astype(np.int64)
    start = np.concatenate([[0], np.cumsum(claim + text)[:-1]])
    whole = [arrays["flat"].astype(np.int64), start, claim, text, arrays["label"].astype(np.float32)]
    whole += [arrays["fold"].astype(np.int64), arrays["kind"].astype(np.int64)]
    whole += [arrays["wrong"].astype(np.int64), np.concatenate([[0], np.cumsum(claim)[:-1]])]
    return Data(*(torch.from_numpy(a).to(device) for a in whole))


def marks(data: Data, picked: Tensor, length: int) -> Tensor:
    """Whether each token is wrong, of the claims of these pairs; UNKNOWN for all other tokens."""
    place = torch.arange(length, device=picked.device)[None]
    claim, start = (part[picked][:, None] for part in (data.claim, data.wrong_start))
    inside = (place >= 1) & (place <= claim)
    return torch.where(inside, data.wrong[(start + place - 1).clamp(0, len(data.wrong) - 1)], UNKNOWN)


def batch(data: Data, picked: Tensor, length: int) -> tuple[Tensor, Tensor, Tensor]:
    """Ids, mask and segment of these pairs: [CLS] claim [SEP] evidence [SEP] padding."""
    place = torch.arange(length, device=picked.device)[None]
    claim, text, start = (part[picked][:, None] for part in (data.claim, data.text, data.start))
    in_claim, in_text = (place >= 1) & (place <= claim), (place >= claim + 2) & (place < claim + 2 + text)
    where = start + torch.where(in_claim, place - 1, place - 2)
    ids = torch.where(in_claim | in_text, data.flat[where.clamp(0, len(data.flat) - 1)], torch.full_like(where, PAD))
    ids = torch.where(place == 0, CLS, torch.where((place == claim + 1) | (place == claim + 2 + text), SEP, ids))
    return ids, (place < claim + text + 3).long(), (place >= claim + 2).long()


def batches(data: Data, chosen: Tensor, tokens: int, rng: torch.Generator) -> list[tuple[Tensor, int]]:
    """One pass over the chosen pairs in random batches of about one length each."""
    order = chosen[torch.randperm(len(chosen), generator=rng).to(chosen.device)]
    edges = torch.tensor(LENGTHS, device=chosen.device)
    bucket = torch.bucketize(data.length[order], edges).clamp(max=len(LENGTHS) - 1)
    out: list[tuple[Tensor, int]] = []
    for at, length in enumerate(LENGTHS):
        here = order[bucket == at]
        size = max(8, tokens // length // 8 * 8)
        out += [(here[i : i + size], length) for i in range(0, len(here) - size // 2, size)]
    return [out[i] for i in torch.randperm(len(out), generator=rng).tolist()]


def stream(
    data: Data, chosen: Tensor, tokens: int, seed: int, late: Callable[[], bool]
) -> Iterator[tuple[Tensor, int]]:
    """Batches without end; late in training mostly what people or a large model wrote."""
    rng = torch.Generator().manual_seed(seed)
    people = torch.isin(data.kind[chosen], torch.tensor(PEOPLE, device=chosen.device))
    human, other = chosen[people], chosen[~people]
    while True:
        was_late = late()
        kept = torch.rand(len(other), generator=rng).to(other.device) < (LATE_SHARE if was_late else 1.0)
        for one in batches(data, torch.cat([human, other[kept]]), tokens, rng):
            yield one
            if late() != was_late:
                break


@dataclass
class Plan:
    """How one model is trained."""

    name: str
    rate: float
    tokens: int
    seconds: float
    epochs: float
    seed: int
    smoothing: float = 0.02
    tokens_share: float = 0.3
    """How much being wrong about single words counts beside being wrong about the claim."""
    teacher_share: float = 0.6
    """How much the teacher's word counts where there is one."""
    decay: float = 1.0
    """How much slower each lower layer learns than the one above it."""


class Weights:
    """A model's weights in full precision, while on an accelerator its encoder computes in bf16.

    Everything but the head runs in bf16 there, norms and residuals too: under autocast these go through fp32 (MPNet: 14 % more pairs a
    second without).
    """

    def __init__(self, model: Support, plan: Plan, device: str) -> None:
        self.model = model
        self._live = [p for p in model.parameters() if p.requires_grad]
        names = [name for name, p in model.named_parameters() if p.requires_grad]
        if device == "cuda":
            model.encoder.bfloat16()
        self._full = [p.detach().float().clone() for p in self._live]
        for full in self._full:
            full.grad = torch.zeros_like(full)
        self.optim = optimiser(dict(zip(names, self._full, strict=True)), plan, device)

    def step(self) -> None:
        """One step along the gradients that lie with the model."""
        torch._foreach_copy_([full.grad for full in self._full], [p.grad for p in self._live])
        torch.nn.utils.clip_grad_norm_(self._full, 1.0)
        self.optim.step()
        with torch.no_grad():
            torch._foreach_copy_(self._live, self._full)
        self.model.zero_grad(set_to_none=True)

    def settle(self) -> None:
        """Leave the model with its weights in full."""
        self.model.float()
        with torch.no_grad():
            torch._foreach_copy_([p for p in self.model.parameters() if p.requires_grad], self._full)


def optimiser(weights: dict[str, Tensor], plan: Plan, device: str) -> torch.optim.AdamW:
    """AdamW; the new head learns five times faster, lower layers more slowly; norms and biases do not decay."""
    depths = {name: _depth(name) for name in weights}
    top = 1 + max(depth for depth in depths.values() if depth is not None)
    groups: dict[tuple[float, bool], list[Tensor]] = {}
    for name, weight in weights.items():
        depth = depths[name]
        speed = 5.0 if depth is None else plan.decay ** (top - 1 - depth)
        groups.setdefault((speed, weight.ndim > 1), []).append(weight)
    parts = [
        {"params": ps, "weight_decay": 0.01 if decay else 0.0, "base": plan.rate * speed}
        for (speed, decay), ps in groups.items()
    ]
    return torch.optim.AdamW(parts, lr=plan.rate, fused=device == "cuda")


def _depth(name: str) -> int | None:
    """The layer of a weight, -1 for the embeddings, None for the head."""
    part, *rest = name.split(".")
    return None if part != "encoder" else int(rest[1]) if rest[0] == "layers" else -1


def loss_of(data: Data, picked: Tensor, length: int, said: tuple[Tensor, Tensor], plan: Plan) -> Tensor:
    """Being wrong about the claim, by its label and by the teacher, and about its single words."""
    logit, wrong = said[0].float(), said[1].float()
    goal = data.label[picked] * (1 - 2 * plan.smoothing) + plan.smoothing
    if data.teacher is not None:
        goal = (1 - plan.teacher_share) * goal + plan.teacher_share * torch.sigmoid(data.teacher[picked])
    loss = F.binary_cross_entropy_with_logits(logit, goal)
    known = marks(data, picked, length)
    told = known != UNKNOWN
    by_word = F.binary_cross_entropy_with_logits(wrong, known.clamp(max=1).float(), reduction="none") * told
    return loss + plan.tokens_share * by_word.sum() / told.sum().clamp(min=1)


def fit(
    model: Support,
    data: Data,
    chosen: Tensor,
    plan: Plan,
    device: str,
    log: Log,
    keep: Callable[[], None] | None = None,
) -> None:
    """Train in place; one warm-up, then a straight way down. `keep` is called on the way, in case the end is never reached."""
    torch.manual_seed(plan.seed)
    model.train()
    weights = Weights(model, plan, device)
    began, seen, step, kept, mean = time.perf_counter(), 0, 0, 0, torch.zeros((), device=device)
    whole = plan.epochs * len(chosen)

    def done() -> float:
        return max((time.perf_counter() - began) / plan.seconds, seen / whole)

    feed = stream(data, chosen, plan.tokens, plan.seed, lambda: done() > LATE)
    while (way := done()) < 1.0:
        for group in weights.optim.param_groups:
            group["lr"] = group["base"] * min(1.0, (step + 1) / 120) * max(0.01, 1.0 - way)
        picked, length = next(feed)
        loss = loss_of(data, picked, length, model.both(*batch(data, picked, length)), plan)
        loss.backward()
        weights.step()
        seen += len(picked)
        mean = 0.98 * mean + 0.02 * loss.detach()
        step += 1
        if step % 50 == 0:
            _wait(device)
        if step % 400 == 0:
            log.write(
                stage=plan.name, step=step, way=round(way, 3), loss=round(float(mean / (1 - 0.98**step)), 4), pairs=seen
            )
        if keep is not None and way > 0.6 + 0.2 * kept:
            kept += 1
            keep()
    _wait(device)
    weights.settle()
    spent = time.perf_counter() - began
    log.write(stage=plan.name, steps=step, pairs=seen, seconds=round(spent, 1), pairs_per_s=round(seen / spent), seed=plan.seed,
              rate=plan.rate, tokens=plan.tokens)  # fmt: skip


def _wait(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


@torch.no_grad()
def predict(model: Support, data: Data, device: str, chosen: Tensor | None = None, tokens: int = 131_072) -> Tensor:
    """The logit of each pair; of those chosen, where a choice is given."""
    model = copy.deepcopy(model).eval()
    if device == "cuda":
        model.encoder.bfloat16()
    out = torch.zeros(len(data.label), device=device)
    which = torch.arange(len(data.label), device=device) if chosen is None else chosen
    length, order = torch.sort(data.length[which])
    order, sizes = which[order], length.tolist()
    at = 0
    while at < len(order):
        size = max(8, tokens // LENGTHS[-1])
        for edge in LENGTHS:
            size_here = tokens // edge
            last = min(at + size_here, len(order)) - 1
            if sizes[last] <= edge:
                size, longest = size_here, edge
                break
        else:
            longest = LENGTHS[-1]
        picked = order[at : at + size]
        out[picked] = model(*batch(data, picked, longest)).float()
        at += len(picked)
    return out


def auc(score: Tensor, label: Tensor) -> float:
    """Area under the ROC curve, ties ignored."""
    rank = torch.argsort(torch.argsort(score)).double() + 1
    good = label > 0.5
    n, m = int(good.sum()), int((~good).sum())
    return float((rank[good].sum() - n * (n + 1) / 2) / (n * m)) if n and m else math.nan


class Log:
    """Lines of JSON, on the screen too."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.began = time.perf_counter()

    def write(self, **what: Any) -> None:
        """One line."""
        line = json.dumps({"at": round(time.perf_counter() - self.began, 1), **what})
        print(line, flush=True)
        with self.path.open("a") as file:
            file.write(line + "\n")


def base(name: str, folder: Path, layers: int, device: str, seed: int) -> Support:
    """A fresh cross-encoder on the base weights."""
    state = unpack(folder, name)
    if layers:
        state = {k: v for k, v in state.items() if not k.startswith("layers.") or int(k.split(".")[1]) < layers}
    there = 1 + max(int(k.split(".")[1]) for k in state if k.startswith("layers."))
    shape = (mpnet if name == "mpnet" else minilm)(len(state["word.weight"]), there)
    torch.manual_seed(seed)
    model = Support(shape)
    model.encoder.load_state_dict(state)
    if model.encoder.relative is not None:
        model.encoder.relative.weight.requires_grad_(False)
    return model.to(device)


def save(model: Support, name: str, out: Path) -> None:
    """The weights in pieces, each put in place whole."""
    fine = name == "minilm_final"
    pack({k: v.detach().float().cpu() for k, v in model.state_dict().items()}, out, name, fine=fine)


def _keep(path: Path, logit: Tensor) -> None:
    buffer = BytesIO()
    np.savez(buffer, logit=logit.cpu().numpy().astype(np.float16))
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(buffer.getvalue())
    part.replace(path)


def report(log: Log, what: str, logit: Tensor, score: Data, left_out: Sequence[int]) -> None:
    """A first look: AUROC of the pairs that were left out, and of those that are never trained on."""
    for name, folds in (("left out", left_out), ("never trained on", (-2,))):
        here = torch.isin(score.fold, torch.tensor(list(folds), device=score.fold.device))
        log.write(figure=what, rows=name, pairs=int(here.sum()), auroc=round(auc(logit[here], score.label[here]), 4))


def seconds_of(args: argparse.Namespace) -> float:
    """How long training may take: until the moment given, less what scoring and saving take, within reason."""
    if not args.until:
        return float(args.seconds)
    left = args.until - time.time() - args.after
    return float(left) if 20 <= left <= 1200 else float(args.seconds)


def main() -> None:
    """One run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path, help="where weights, scores and log go; DIR/out")
    parser.add_argument("--model", choices=["minilm", "mpnet"], default="minilm")
    parser.add_argument("--run", default="final")
    parser.add_argument("--leave-out", default="", help="folds not trained on, such as 0,1")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--until", type=float, default=0.0)
    parser.add_argument(
        "--after", type=float, default=30.0, help="seconds that saving and scoring may take before --until"
    )
    parser.add_argument("--epochs", type=float, default=4.0)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--tokens", type=int, default=24_576, help="tokens in a batch")
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--decay", type=float, default=1.0, help="how much slower each lower layer learns")
    parser.add_argument("--teacher", type=Path, help="logits of another run for the training pairs")
    parser.add_argument("--teach", action="store_true", help="also write this run's logits for the training pairs")
    parser.add_argument("--layers", type=int, default=0, help="keep only the first layers: for trying things out")
    parser.add_argument("--limit", type=int, default=0, help="use only so many pairs: for trying things out")
    parser.add_argument("--seed", type=int, default=20261115)
    args = parser.parse_args()
    out = args.out or args.work / "out"
    out.mkdir(parents=True, exist_ok=True)
    log = Log(out / f"log_{args.model}_{args.run}.jsonl")
    torch.set_float32_matmul_precision("high")
    left_out = [int(f) for f in args.leave_out.split(",") if f]
    data = load(args.work / "data" / "train.xz", args.device)
    chosen = torch.nonzero(~torch.isin(data.fold, torch.tensor([-2, *left_out], device=args.device))).squeeze(1)
    chosen = chosen[: args.limit] if args.limit else chosen
    log.write(
        python=sys.version.split()[0], torch=torch.__version__, device=args.device, pairs=len(chosen), left_out=left_out
    )
    name = f"{args.model}_{args.run}"
    model = base(args.model, args.work / "base", args.layers, args.device, args.seed)
    plan = Plan(name, args.rate, args.tokens, seconds_of(args), args.epochs, args.seed, decay=args.decay)
    if args.teacher:
        data.teacher = torch.from_numpy(np.load(args.teacher)["logit"].astype(np.float32)).to(args.device)
    fit(model, data, chosen, plan, args.device, log, (lambda: save(model, name, out)) if not left_out else None)
    save(model, name, out)
    log.write(stage=f"{name} saved")
    score = load(args.work / "data" / "score.xz", args.device)
    asked = torch.tensor([*(left_out or (-1, 0, 1, 2, 3)), -2], device=args.device)
    rows = torch.nonzero(torch.isin(score.fold, asked)).squeeze(1)
    logit = predict(model, score, args.device, rows[: args.limit] if args.limit else rows)
    _keep(out / f"scores_{name}.npz", logit)
    report(log, name, logit, score, left_out)
    if args.teach:
        _keep(out / f"teacher_{name}.npz", predict(model, data, args.device, chosen))
    (out / f"{args.model}_{args.run}.done").touch()


if __name__ == "__main__":
    main()
