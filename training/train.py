"""One run: python -m training.train --work DIR --model gte|mpnet --run final --seconds 180 [--leave-out 0] [--old] [--go-on | --begin RUN] [--shared] [--freeze 6] [--teach] [--taught mpnet_final]

DIR: prep/train.npz, prep/score.npz, base/. Leaves in DIR/out: <model>_<run>.pt (fp16 state, every 60 s and at the end), scores_<model>_<run>.npz, with --teach taught_<model>_<run>.npz (what it says of every pair it could learn from but those that rules made), log_<model>_<run>.jsonl, <model>_<run>.done.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
import traceback
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from training import nets
from training.prep import SETS, VARIANTS
from training.weights import unpack

PAD, CLS, SEP, UNKNOWN = 0, 2, 3, 2
LENGTHS = (48, 72, 96, 120, 144, 168, 192, 224, 256, 304, 352)
LATE, LATE_SHARE, MOST_TIMES = 0.55, 0.35, 5.0
BY_RULE = ("made", "tables", "records", "aug", "sections")
"""Sets of pairs that rules made: shown less often from LATE on, and their labels are sure, so that no teacher is asked."""
TAUGHT = 0.65
"""The share of the loss that follows the teacher, where it was asked."""
READ = {"gte": ("n60", "n100", "n160", "n200"), "mpnet": ("n160", "n200")}
"""The widths of evidence at which a model scores: those that ship."""
HAND = {
    "made": 0.7,
    "tables": 0.6,
    "records": 0.45,
    "sections": 0.7,
    "aug": 0.8,
    "ragtruth": 5.5,
    "quintd": 2.2,
    "factscore": 1.7,
    "refchecker_dolly": 2.2,
    "rotowire_accuracy": 1.3,
    "defacto": 1.4,
    "bump": 1.4,
    "realsumm": 0.55,
    "clapnq": 1.0,
    "faithdial_audit": 0.9,
    "q2_wow": 1.0,
    "storysumm": 1.0,
    "summedits": 1.8,
    "factcheckgpt": 1.8,
    "foolmetwice": 1.5,
    "wice_dev": 2.5,
    "begin_wow": 1.1,
    "factcc": 1.8,
    "cg2c": 1.4,
    "tabfact": 0.7,
    "logicnlg": 0.6,
    "infotabs": 0.55,
    "tabpert": 1.2,
    "scitab": 0.9,
    "fetaqa": 0.5,
    "fever": 0.8,
    "fever_symmetric": 1.5,
    "condaqa": 0.8,
    "boolq": 0.7,
    "drop_nli": 0.5,
    "nyu_mcq": 0.3,
    "mnli_part": 0.35,
    "snli_part": 0.15,
    "snli_cad": 0.4,
    "negation_nli": 0.6,
    "argkp": 0.12,
    "contractnli": 0.45,
    "evidence_inference": 0.55,
    "halueval_qa": 0.25,
    "e2e_noise": 0.35,
    "propsegment": 1.0,
    "assin1": 0.1,
    "indonli": 0.08,
    "written": 1.7,
    "pairs": 3.5,
    "asked": 6.0,
}


@dataclass
class Data:
    flat: Tensor
    start: Tensor
    claim: Tensor
    text: Tensor
    label: Tensor
    fold: Tensor
    set: Tensor
    old: Tensor
    wrong: Tensor
    wrong_start: Tensor

    @property
    def length(self) -> Tensor:
        return self.claim + self.text + 3


def load(path: Path, device: str) -> Data:
    a = np.load(path)
    claim, text = a["claim"].astype(np.int64), a["text"].astype(np.int64)
    start = np.concatenate([[0], np.cumsum(claim + text)[:-1]])
    whole = [
        a["flat"].astype(np.int32),
        start,
        claim,
        text,
        a["label"].astype(np.int64),
        a["fold"].astype(np.int64),
        a["set"].astype(np.int64),
        a["old"].astype(np.int64),
        a["wrong"].astype(np.uint8),
        np.concatenate([[0], np.cumsum(claim)[:-1]]),
    ]
    return Data(*(torch.from_numpy(x).to(device) for x in whole))


def batch(data: Data, picked: Tensor, length: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """ids, mask, segment ([CLS] claim [SEP] evidence [SEP]; 0 for the claim with its [CLS] and [SEP]) and marks of the claim's tokens."""
    place = torch.arange(length, device=picked.device)[None]
    claim, text, start, ws = (part[picked][:, None] for part in (data.claim, data.text, data.start, data.wrong_start))
    in_claim, in_text = (place >= 1) & (place <= claim), (place >= claim + 2) & (place < claim + 2 + text)
    where = start + torch.where(in_claim, place - 1, place - 2)
    ids = torch.where(in_claim | in_text, data.flat[where.clamp(0, len(data.flat) - 1)].long(), PAD)
    ids = torch.where(place == 0, CLS, torch.where((place == claim + 1) | (place == claim + 2 + text), SEP, ids))
    marks = torch.where(in_claim, data.wrong[(ws + place - 1).clamp(0, len(data.wrong) - 1)].long(), UNKNOWN)
    return ids, (place < claim + text + 3).long(), (place >= claim + 2).long(), marks


def shares(data: Data, chosen: Tensor, views: float, late: bool) -> Tensor:
    """How often each chosen pair is to be shown among `views`: sets by size^0.6 times a hand weight, none more than MOST_TIMES."""
    sets = data.set[chosen]
    n = torch.bincount(sets, minlength=len(SETS)).float()
    hand = torch.tensor(
        [HAND.get(s, 0.5) * (LATE_SHARE if late and s in BY_RULE else 1.0) for s in SETS],
        device=chosen.device,
    )
    w = (n.clamp(min=1) ** -0.4 * hand)[sets]
    rag = sets == SETS.index("ragtruth")
    w = torch.where(rag & (data.label[chosen] > 0), w * 2.0, w)
    for _ in range(6):
        w = (w * (views / w.sum())).clamp(max=MOST_TIMES)
    return w


def stream(data: Data, chosen: Tensor, tokens: int, seed: int, way, views: float):
    rng = torch.Generator().manual_seed(seed)
    edges = torch.tensor(LENGTHS, device=chosen.device)
    part = max(min(views / 8, 150_000), 64)
    while True:
        late = way() > LATE
        w = shares(data, chosen, views, late) * (part / views)
        times = w.floor() + (torch.rand(len(w), generator=rng).to(w.device) < w - w.floor())
        order = chosen.repeat_interleave(times.long())
        order = order[torch.randperm(len(order), generator=rng).to(order.device)]
        bucket = torch.bucketize(data.length[order], edges).clamp(max=len(LENGTHS) - 1)
        out = []
        for at, length in enumerate(LENGTHS):
            here = order[bucket == at]
            size = max(8, tokens // length // 8 * 8)
            out += [(here[i : i + size], length) for i in range(0, len(here) - size + 1, size)]
        if not out:  # few pairs, as in a trial
            length = LENGTHS[-1]
            out = [(order[: max(2, tokens // length)], length)]
        for i in torch.randperm(len(out), generator=rng).tolist():
            yield out[i]
            if (way() > LATE) != late:
                break


class Weights:
    """fp32 masters beside a bf16 encoder."""

    def __init__(self, model, rate: float, decay: float, device: str) -> None:
        self.model = model
        named = [(n, p) for n, p in model.named_parameters() if p.requires_grad]
        self.live = [p for _, p in named]
        self.full = [p.detach().float().clone() for p in self.live]
        if device == "cuda":
            model.encoder.bfloat16()
        for f in self.full:
            f.grad = torch.zeros_like(f)
        top = len(model.encoder.layers)
        groups: dict = {}
        for (name, p), f in zip(named, self.full):
            bits = name.split(".")
            speed = (
                5.0 if bits[0] == "heads" else decay ** (top - 1 - int(bits[2])) if bits[1] == "layers" else decay**top
            )
            groups.setdefault((speed, f.ndim > 1), []).append(f)
        self.optim = torch.optim.AdamW(
            [{"params": ps, "weight_decay": 0.01 if d else 0.0, "base": rate * s} for (s, d), ps in groups.items()],
            lr=rate,
            betas=(0.9, 0.98),
            fused=device == "cuda",
        )

    def step(self) -> None:
        torch._foreach_copy_(
            [f.grad for f in self.full], [p.grad if p.grad is not None else torch.zeros_like(p) for p in self.live]
        )
        torch.nn.utils.clip_grad_norm_(self.full, 1.0)
        self.optim.step()
        with torch.no_grad():
            torch._foreach_copy_(self.live, self.full)
        self.model.zero_grad(set_to_none=True)

    def state(self) -> dict:
        full = {
            n: f for (n, p), f in zip([(n, p) for n, p in self.model.named_parameters() if p.requires_grad], self.full)
        }
        return {
            k: full.get(k, v).detach().to(torch.float16 if v.ndim == 2 else torch.float32).cpu()
            for k, v in self.model.state_dict().items()
        }

    def settle(self) -> None:
        self.model.float()
        with torch.no_grad():
            torch._foreach_copy_([p for p in self.model.parameters() if p.requires_grad], self.full)


def loss_of(said, label: Tensor, marks: Tensor, smoothing: float = 0.03, taught: Tensor | None = None) -> Tensor:
    """Of the classes by their labels, TAUGHT of it by what a teacher said of the pair where there is one; and of the wrong words."""
    classes, wrong = said
    logp = F.log_softmax(classes.float(), -1)
    against = torch.logsumexp(logp[:, 1:], -1)
    both = torch.stack([logp[:, 0], against], -1)
    known = label < 3
    hard = -logp.gather(1, label.clamp(max=2)[:, None]).squeeze(1)
    hard = (1 - smoothing) * hard - smoothing * (0.5 * both.sum(-1))
    soft = -(1 - smoothing) * against - smoothing * (0.5 * both.sum(-1))
    loss = torch.where(known, hard, soft)
    if taught is not None:
        silent = taught[:, 0].isnan()
        follow = -(taught.nan_to_num() * logp).sum(-1)
        loss = torch.where(silent, loss, (1 - TAUGHT) * loss + TAUGHT * follow)
    loss = loss.mean()
    told = marks != UNKNOWN
    word = (
        F.binary_cross_entropy_with_logits(
            wrong.float(),
            marks.clamp(max=1).float(),
            reduction="none",
            pos_weight=torch.tensor(2.0, device=wrong.device),
        )
        * told
    )
    return loss + 0.3 * word.sum() / told.sum().clamp(min=1)


def save(state: dict, path: Path) -> None:
    torch.save(state, str(path) + ".part")
    os.replace(str(path) + ".part", path)


@torch.no_grad()
def predict(model, data: Data, which: Tensor, device: str, tokens: int = 131_072):
    """Of each pair at each exit its log-probabilities [exits, pairs, 3]; and of its claim's words the largest logit of being wrong, and the log-probability that none is [exits, pairs, 2]."""
    model.eval()
    if device == "cuda":
        model.encoder.bfloat16()
    exits = len(model.heads)
    out = torch.full((exits, len(data.label), 3), float("nan"), device=device)
    words = torch.full((exits, len(data.label), 2), float("nan"), device=device)
    order = which[torch.argsort(data.length[which])]
    sizes = data.length[order].cpu()
    at = 0
    while at < len(order):
        edge = next(e for e in LENGTHS if e >= int(sizes[at]))
        size = max(8, tokens // edge)
        stop = min(len(order), at + size)
        edge = next(e for e in LENGTHS if e >= int(sizes[stop - 1]))
        picked = order[at:stop]
        ids, mask, seg, _ = batch(data, picked, edge)
        of_claim = (seg == 0) & (ids != CLS) & (ids != SEP) & (ids != PAD)
        for e, (c, w) in enumerate(model(ids, mask, seg)):
            out[e, picked] = torch.log_softmax(c.float(), -1)
            wrong = w.float().masked_fill(~of_claim, -30.0)
            words[e, picked] = torch.stack([wrong.amax(1), -F.softplus(wrong).sum(1)], 1)
        at = stop
    return out, words


def taught(file: Path, device: str) -> Tensor:
    """A teacher's probabilities [pair, class]."""
    return torch.from_numpy(np.load(file)["p"]).to(device)


def auc(score: Tensor, good: Tensor) -> float:
    rank = torch.argsort(torch.argsort(score)).double() + 1
    n, m = int(good.sum()), int((~good).sum())
    return float((rank[good].sum() - n * (n + 1) / 2) / (n * m)) if n and m else math.nan


LAYERS, EXITS = {"gte": 8, "mpnet": 12}, {8: (4,), 12: (4, 8)}
"""The layers of a base that a run keeps unless it is told otherwise, and where a gte of so many has heads beside the last one."""


def make(name: str, vocab: int, layers: int, device: str, seed: int):
    torch.manual_seed(seed)
    many = layers or LAYERS[name]
    shape = nets.mpnet(vocab, many) if name == "mpnet" else nets.gte(vocab, many, EXITS.get(many, (1,)))
    return nets.Support(shape)


def compiled(model) -> None:
    import torch._dynamo as dynamo

    for key in ("cache_size_limit", "recompile_limit", "accumulated_cache_size_limit", "accumulated_recompile_limit"):
        if hasattr(dynamo.config, key):
            setattr(dynamo.config, key, 512)
    dynamo.config.suppress_errors = True
    model.encoder.run = torch.compile(nets.block, dynamic=False)


def warm(a, tokens, rate, decay, log) -> None:
    model = make(a.model, 18_000, a.layers, a.device, a.seed)
    freeze(model.encoder, a.freeze)
    model.to(a.device)
    if a.compile:
        compiled(model)
    model.train()
    w = Weights(model, rate, decay, a.device)
    for length in LENGTHS[::-1] if a.device == "cuda" else LENGTHS[:2]:
        size = max(8, tokens // length // 8 * 8)
        ids = torch.randint(4, 18_000, (size, length), device=a.device)
        mask, seg = torch.ones_like(ids), torch.ones_like(ids)
        seg[:, :20] = 0
        for again in range(8 if length == 168 else 3):
            if again == 2:
                if a.device == "cuda":
                    torch.cuda.synchronize()
                t = time.perf_counter()
            said = model(ids, mask, seg)
            sum(
                loss_of(
                    one, torch.randint(0, 4, (size,), device=a.device), torch.randint(0, 3, ids.shape, device=a.device)
                )
                for one in said
            ).backward()
            w.step()
        if a.device == "cuda":
            torch.cuda.synchronize()
        log(warm=a.model, length=length, size=size, per_s=round(size * (again - 1) / (time.perf_counter() - t)))
    log(stage="warm", memory=torch.cuda.max_memory_allocated() // 2**20 if a.device == "cuda" else 0)


def begin(a):
    """The model with the weights that a run begins with, and what stays as it is frozen."""
    many = a.layers or LAYERS[a.model]
    if a.begin:
        state = {k: v.float() for k, v in torch.load(a.work / "out" / f"{a.model}_{a.begin}.pt").items()}
    else:
        state = unpack(a.work / "base", f"{a.model}_final" if a.go_on else a.model)
    state = {k: v for k, v in state.items() if not k.startswith("layers.") or int(k.split(".")[1]) < many}
    whole = "encoder.word.weight" in state
    model = make(a.model, len(state["encoder.word.weight" if whole else "word.weight"]), a.layers, a.device, a.seed)
    (model if whole else model.encoder).load_state_dict(state)
    freeze(model.encoder, a.freeze)
    return model


def freeze(encoder, layers: int) -> None:
    """The relative places never learn; with layers of 0 or more, the word table and so many of them from below stay as they are."""
    kept = [encoder.word, encoder.place, encoder.kind, encoder.norm, *encoder.layers[:layers]] if layers >= 0 else []
    for part in (encoder.relative, *kept):
        if part is not None:
            part.requires_grad_(False)


def main() -> None:
    p = argparse.ArgumentParser()
    p.add_argument("--work", type=Path, required=True)
    p.add_argument("--model", choices=["gte", "mpnet"], required=True)
    p.add_argument("--run", default="final")
    p.add_argument("--leave-out", type=int, default=-9)
    p.add_argument("--old", action="store_true", help="old data only")
    p.add_argument("--seconds", type=float, default=120)
    p.add_argument("--rate", type=float, default=0)
    p.add_argument("--decay", type=float, default=0)
    p.add_argument("--tokens", type=int, default=0)
    p.add_argument("--pace", type=float, default=0, help="pairs a second that are expected")
    p.add_argument("--layers", type=int, default=0)
    p.add_argument(
        "--go-on", action="store_true", help="begin with the weights of the last final run instead of the base"
    )
    p.add_argument("--begin", default="", help="begin with what this run of the model left")
    p.add_argument(
        "--shared", action="store_true", help="only pairs of no fold, which runs that leave a half out may begin with"
    )
    p.add_argument(
        "--freeze", type=int, default=-1, help="the word table and so many layers from below (0: none) stay as they are"
    )
    p.add_argument(
        "--teach", action="store_true", help="leave what the trained model says of every pair for another to learn from"
    )
    p.add_argument("--taught", default="", help="learn also from what this run left")
    p.add_argument(
        "--weigh", default=[], nargs="*", metavar="SET=WEIGHT", help="how much a set counts in this run instead of HAND"
    )
    p.add_argument("--compile", action="store_true")
    p.add_argument("--seed", type=int, default=20261115)
    p.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    p.add_argument("--warm", action="store_true", help="only compile: two steps of each length on random tokens")
    a = p.parse_args()
    HAND.update((name, float(weight)) for name, weight in (one.split("=") for one in a.weigh))
    big = a.model == "mpnet"
    rate, decay, tokens = (
        a.rate or (6e-5 if big else 2e-4),
        a.decay or (0.93 if big else 0.95),
        a.tokens or (40_960 if big else 65_536),
    )
    pace = a.pace or (2800 if big else 7800)
    out = a.work / "out"
    out.mkdir(parents=True, exist_ok=True)
    name = f"{a.model}_{a.run}"
    began = time.time()

    def log(**what):
        line = json.dumps({"at": round(time.time() - began, 1), **what})
        print(line, flush=True)
        with (out / f"log_{name}.jsonl").open("a") as f:
            f.write(line + "\n")

    dev = a.device
    torch.set_float32_matmul_precision("high")
    if a.warm:
        warm(a, tokens, rate, decay, log)
        return
    model = begin(a)
    model.to(dev)
    data = load(a.work / "prep" / "train.npz", dev)
    keep = data.fold != a.leave_out
    if a.shared:
        keep = data.fold < 0
    if a.old:
        keep &= data.old == 1
    chosen = torch.nonzero(keep).squeeze(1)
    log(
        torch=torch.__version__,
        device=dev,
        pairs=len(chosen),
        of=len(data.label),
        left_out=a.leave_out,
        old=a.old,
        rate=rate,
        decay=decay,
        tokens=tokens,
        seconds=a.seconds,
    )
    teacher = taught(out / f"taught_{a.taught}.npz", dev) if a.taught else None
    if a.compile:
        compiled(model)
    model.train()
    torch.manual_seed(a.seed)
    w = Weights(model, rate, decay, dev)
    start = time.perf_counter()
    seen = step = 0
    kept = time.perf_counter()
    mean = torch.zeros((), device=dev)
    way = lambda: (time.perf_counter() - start) / a.seconds if a.seconds else 1.0
    feed = stream(data, chosen, tokens, a.seed, way, pace * a.seconds)
    while (now := way()) < 1.0:
        for g in w.optim.param_groups:
            g["lr"] = g["base"] * min(1.0, (step + 1) / 150) * max(0.005, 1.0 - now)
        picked, length = next(feed)
        ids, mask, seg, marks = batch(data, picked, length)
        said = model(ids, mask, seg)
        label = data.label[picked]
        by = None if teacher is None else teacher[picked].float()
        loss = loss_of(said[-1], label, marks, taught=by)
        total = loss
        for one in said[:-1]:
            total = total + 0.3 * loss_of(one, label, marks, taught=by)
        total.backward()
        w.step()
        seen += len(picked)
        step += 1
        mean = 0.98 * mean + 0.02 * loss.detach()
        if step % 25 == 0 and dev == "cuda":
            torch.cuda.synchronize()
        if step in (10, 50, 100, 200) or step % 400 == 0:
            value = float(mean / (1 - 0.98**step))
            log(
                step=step,
                way=round(now, 3),
                loss=round(value, 4),
                pairs=seen,
                per_s=round(seen / (time.perf_counter() - start)),
            )
            if not math.isfinite(value):
                log(error="loss is not finite")
                break
        if time.perf_counter() - kept > 60:
            save(w.state(), out / f"{name}.pt")
            kept = time.perf_counter()
    if dev == "cuda":
        torch.cuda.synchronize()
    spent = time.perf_counter() - start
    w.settle()
    save(w.state(), out / f"{name}.pt")
    log(
        stage="trained",
        steps=step,
        pairs=seen,
        seconds=round(spent, 1),
        per_s=round(seen / spent),
        loss=round(float(mean / (1 - 0.98 ** max(step, 1))), 4),
    )
    del w
    model.encoder.run = nets.block
    if a.teach:
        by_rule = torch.isin(data.set[chosen], torch.tensor([SETS.index(name) for name in BY_RULE], device=dev))
        said = predict(model, data, chosen[~by_rule], dev, 131_072 if dev == "cuda" else 4096)[0][-1]
        np.savez(out / f"taught_{name}.npz", p=said.exp().cpu().numpy().astype(np.float16))
        log(stage="taught")
    del data
    if a.shared:  # no half is left out, so that nothing it says is out of fold
        (out / f"{name}.done").touch()
        return
    score = load(a.work / "prep" / "score.npz", dev)
    which = (
        torch.nonzero(score.fold == a.leave_out).squeeze(1)
        if a.leave_out >= 0
        else torch.arange(len(score.label), device=dev)
    )
    variant = torch.arange(len(score.label), device=dev) % len(VARIANTS)
    wide = torch.tensor([VARIANTS.index(name) for name in READ[a.model]], device=dev)
    which = which[torch.isin(variant[which], wide)]
    said, words = predict(model, score, which, dev, 131_072 if dev == "cuda" else 4096)
    half = {"logp": said.cpu().numpy().astype(np.float16), "words": words.cpu().numpy().astype(np.float16)}
    np.savez(out / f"scores_{name}.npz", **half)
    for vn in READ[a.model]:
        here = which[variant[which] == VARIANTS.index(vn)]
        for e in range(len(said)):
            log(
                figure="all scored pairs",
                variant=vn,
                exit=e,
                auroc=round(auc(said[e, here, 0], score.label[here] == 0), 4),
                pairs=len(here),
            )
    (out / f"{name}.done").touch()
    log(stage="done")


if __name__ == "__main__":
    try:
        main()
    except Exception:
        traceback.print_exc()
        sys.exit(1)
