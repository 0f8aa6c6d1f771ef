"""Train the teacher (MPNet) and its student (MiniLM) for every fold and for the final models; runs on CUDA or CPU.

    python -m training.train --work DIR --seconds-final 170,90 --seconds-fold 125,60 [--folds 0,1,2,3]

DIR has data/ and base/ as `build_pairs` wrote them. The final models come first, then each fold. A stage is given at most
seconds and passes over the data: after a few warm steps the rate is measured and the number of steps fixed, and all of it stands in DIR/out/log.jsonl,
from which `--steps` repeats a run exactly. What it leaves in DIR/out: scores_<model>_<run>.npz (logits of all rows to score),
<model>.fp16.NN (the final weights in pieces of at most 15 MiB), log.jsonl, and <stage>.done files to wait for.
"""

from __future__ import annotations

import argparse
import json
import lzma
import math
import sys
import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812

from training.nets import Support, minilm, mpnet
from training.weights import unpack

PAD, CLS, SEP = 0, 2, 3
LENGTHS = (48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256, 288, 320)
PIECE = 15 * 2**20
HUMAN = 0
FINAL = -9
"""The fold that the final run leaves out: none."""


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
    return Data(*(torch.from_numpy(a).to(device) for a in whole))


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


def stream(data: Data, chosen: Tensor, tokens: int, seed: int) -> Iterator[tuple[Tensor, int]]:
    """Batches without end; human pairs are seen twice in each pass."""
    rng = torch.Generator().manual_seed(seed)
    twice = torch.cat([chosen, chosen[data.kind[chosen] == HUMAN]])
    while True:
        yield from batches(data, twice, tokens, rng)


@dataclass
class Plan:
    """How one model is trained."""

    name: str
    rate: float
    tokens: int
    seconds: float
    epochs: float
    steps: int
    seed: int
    smoothing: float = 0.02
    distil: float = 0.0


def half(device: str) -> Any:
    """bf16 on an accelerator."""
    return torch.autocast("cuda", dtype=torch.bfloat16) if device == "cuda" else nullcontext()


def optimiser(model: Support, rate: float, device: str) -> torch.optim.AdamW:
    """AdamW; the new head learns five times faster; norms and biases do not decay."""
    groups: dict[tuple[bool, bool], list[torch.nn.Parameter]] = {}
    for name, weight in model.named_parameters():
        groups.setdefault((name.startswith("encoder"), weight.ndim > 1), []).append(weight)
    parts = [
        {"params": ps, "weight_decay": 0.01 if decay else 0.0, "base": rate * (1 if old else 5)}
        for (old, decay), ps in groups.items()
    ]
    return torch.optim.AdamW(parts, lr=rate, fused=device == "cuda")


def loss_of(logit: Tensor, label: Tensor, teacher: Tensor | None, plan: Plan) -> Tensor:
    """Cross-entropy with smoothed labels, and with the teacher's word where there is one."""
    hard = F.binary_cross_entropy_with_logits(logit, label * (1 - 2 * plan.smoothing) + plan.smoothing)
    if teacher is None:
        return hard
    soft = F.binary_cross_entropy_with_logits(logit, torch.sigmoid(teacher))
    return plan.distil * soft + (1 - plan.distil) * hard + 0.02 * F.smooth_l1_loss(logit, teacher)


def fit(model: Support, data: Data, chosen: Tensor, plan: Plan, teacher: Tensor | None, device: str, log: Log) -> None:
    """Train in place; one linear warm-up and one linear way down."""
    torch.manual_seed(plan.seed)
    model.train()
    optim = optimiser(model, plan.rate, device)
    feed = stream(data, chosen, plan.tokens, plan.seed)
    began, steps, seen, mean = time.perf_counter(), plan.steps, 0, torch.zeros((), device=device)
    warm, warm_at, step = 40, began, 0
    passes = float(data.length[chosen].sum() + data.length[chosen[data.kind[chosen] == HUMAN]].sum()) / plan.tokens
    while True:
        if not plan.steps and step == warm:
            _wait(device)
            warm_at = time.perf_counter()
        if not plan.steps and step == 2 * warm:
            _wait(device)
            rate = (time.perf_counter() - warm_at) / warm
            by_time = step + int((plan.seconds - (time.perf_counter() - began)) / rate)
            steps = max(2 * warm + 1, min(by_time, int(plan.epochs * passes)))
        if steps and step >= steps:
            break
        ahead = steps or max(200, int(plan.epochs * passes))
        for group in optim.param_groups:
            group["lr"] = group["base"] * min((step + 1) / (0.06 * ahead), max(0.01, (ahead - step) / ahead))
        picked, length = next(feed)
        with half(device):
            logit = model(*batch(data, picked, length))
        loss = loss_of(logit.float(), data.label[picked], None if teacher is None else teacher[picked], plan)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optim.step()
        optim.zero_grad(set_to_none=True)
        seen += len(picked)
        mean = 0.98 * mean + 0.02 * loss.detach()
        step += 1
        if step % 200 == 0:
            log.write(stage=plan.name, step=step, of=steps, loss=round(float(mean / (1 - 0.98**step)), 4), pairs=seen)
    _wait(device)
    spent = time.perf_counter() - began
    log.write(
        stage=plan.name,
        trained=steps,
        pairs=seen,
        seconds=round(spent, 1),
        pairs_per_s=round(seen / spent),
        seed=plan.seed,
        rate=plan.rate,
    )


def _wait(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


@torch.no_grad()
def predict(model: Support, data: Data, device: str, chosen: Tensor | None = None, tokens: int = 131_072) -> Tensor:
    """The logit of each pair; of those chosen, where a choice is given."""
    model.eval()
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
        with half(device):
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
    shape = (mpnet if name == "mpnet" else minilm)(len(state["word.weight"]), layers or (12 if name == "mpnet" else 6))
    torch.manual_seed(seed)
    model = Support(shape)
    model.encoder.load_state_dict(state)
    if model.encoder.relative is not None:
        model.encoder.relative.weight.requires_grad_(False)
    return model.to(device)


def save(model: Support, name: str, out: Path) -> None:
    """The weights as fp16, in pieces."""
    buffer = BytesIO()
    np.savez(buffer, **{k: v.detach().cpu().numpy().astype(np.float16) for k, v in model.state_dict().items()})
    raw = buffer.getvalue()
    for at in range(0, len(raw), PIECE):
        (out / f"{name}.fp16.{at // PIECE:02d}").write_bytes(raw[at : at + PIECE])


def report(log: Log, what: str, logit: Tensor, score: Data, fold: int) -> None:
    """A first look: AUROC of the rows of this fold, or of those never trained on."""
    here = score.fold == (fold if fold >= 0 else -2)
    log.write(figure=what, rows=int(here.sum()), auroc=round(auc(logit[here], score.label[here]), 4))


def one_run(
    run: str, fold: int, seconds: tuple[float, float], args: argparse.Namespace, data: Data, score: Data, log: Log
) -> None:
    """Teacher, its word on the training pairs, student; logits of all rows to score; weights of the final run."""
    device, out = args.device, args.work / "out"
    chosen = torch.nonzero((data.fold != fold) & (data.fold != -2)).squeeze(1)
    seed = args.seed + max(0, fold + 1)
    big = base("mpnet", args.work / "base", args.layers, device, seed)
    fit(
        big, data, chosen, Plan(f"mpnet_{run}", 5e-5, args.tokens, seconds[0], 2.0, args.steps, seed), None, device, log
    )
    logit = predict(big, score, device)
    np.savez(out / f"scores_mpnet_{run}.npz", logit=logit.cpu().numpy())
    report(log, f"mpnet_{run}", logit, score, fold)
    if run == "final":
        save(big, "mpnet", out)
    teacher = predict(big, data, device, chosen)
    log.write(
        stage=f"teach_{run}",
        pairs=len(chosen),
        agree=round(float(((teacher[chosen] > 0) == (data.label[chosen] > 0.5)).float().mean()), 4),
    )
    del big
    small = base("minilm", args.work / "base", args.layers, device, seed)
    plan = Plan(f"minilm_{run}", 2e-4, 2 * args.tokens, seconds[1], 4.0, args.steps, seed, distil=0.7)
    fit(small, data, chosen, plan, teacher, device, log)
    logit = predict(small, score, device)
    np.savez(out / f"scores_minilm_{run}.npz", logit=logit.cpu().numpy())
    report(log, f"minilm_{run}", logit, score, fold)
    if run == "final":
        save(small, "minilm", out)
    (out / f"{run}.done").touch()


def main() -> None:
    """Final models first, then the folds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--seconds-final", default="170,90")
    parser.add_argument("--seconds-fold", default="125,60")
    parser.add_argument("--folds", default="0,1,2,3")
    parser.add_argument(
        "--tokens", type=int, default=16_384, help="tokens in a batch of the teacher; the student has twice as many"
    )
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--layers", type=int, default=0, help="keep only the first layers: for trying things out")
    parser.add_argument("--limit", type=int, default=0, help="use only so many pairs: for trying things out")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--no-final", action="store_true")
    parser.add_argument("--seed", type=int, default=20261115)
    args = parser.parse_args()
    (args.work / "out").mkdir(parents=True, exist_ok=True)
    log = Log(args.work / "out" / "log.jsonl")
    torch.set_float32_matmul_precision("high")
    if args.compile:
        from training.nets import Layer

        torch._dynamo.config.recompile_limit = 64
        Layer.forward = torch.compile(Layer.forward, dynamic=True)  # type: ignore[method-assign]
    data, score = load(args.work / "data" / "train.xz", args.device), load(args.work / "data" / "score.xz", args.device)
    if args.limit:
        keep = torch.randperm(len(data.label), generator=torch.Generator().manual_seed(1))[: args.limit].to(args.device)
        data.fold = torch.full_like(data.fold, -2).index_put((keep,), data.fold[keep])
        score = Data(
            score.flat,
            *(
                part[: args.limit]
                for part in (score.start, score.claim, score.text, score.label, score.fold, score.kind)
            ),
        )
    log.write(
        python=sys.version.split()[0],
        torch=torch.__version__,
        device=args.device,
        pairs=len(data.label),
        score=len(score.label),
        tokens=int(data.length.sum()),
    )
    both = [tuple(float(x) for x in text.split(",")) for text in (args.seconds_final, args.seconds_fold)]
    if not args.no_final:
        one_run("final", FINAL, (both[0][0], both[0][1]), args, data, score, log)
    for fold in [int(f) for f in args.folds.split(",") if f]:
        one_run(f"fold{fold}", fold, (both[1][0], both[1][1]), args, data, score, log)
    (args.work / "out" / "all.done").touch()


if __name__ == "__main__":
    main()
