"""A first look at the accelerator: does a step of each network run, how fast, and does compiling pay?

    python -m training.smoke DIR

Writes DIR/mode: the options that the training should be started with. Weights are random but for MiniLM's, so that it needs only
what the first carry brings.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import torch

from training import train
from training.nets import Layer, Support, mpnet


def speed(model: Support, data: train.Data, tokens: int, steps: int, device: str) -> tuple[float, float]:
    """Pairs a second after a warm-up, and how long the warm-up took."""
    model.train()
    optim = train.optimiser(model, 1e-5, device)
    feed = train.stream(data, torch.arange(min(60_000, len(data.label)), device=device), tokens, 1)
    began, seen, since = time.perf_counter(), 0, 0.0
    for step in range(2 * steps):
        if step == steps:
            train._wait(device)
            since, seen = time.perf_counter(), 0
        picked, length = next(feed)
        with train.half(device):
            logit = model(*train.batch(data, picked, length))
        train.loss_of(logit.float(), data.label[picked], None, train.Plan("smoke", 1e-5, tokens, 0, 0, 0, 0)).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optim.step()
        optim.zero_grad(set_to_none=True)
        seen += len(picked)
    train._wait(device)
    return seen / (time.perf_counter() - since), since - began


def main() -> None:
    """Measure, print, decide."""
    work = Path(sys.argv[1])
    device = "cuda" if torch.cuda.is_available() else "cpu"
    steps = 30 if device == "cuda" else 2
    layers = 0 if device == "cuda" else 2
    torch.set_float32_matmul_precision("high")
    (work / "mode").write_text("")
    data = train.load(work / "data" / "train.xz", device)
    print("torch", torch.__version__, device, len(data.label), "pairs", flush=True)
    small = train.base("minilm", work / "base", layers, device, 1)
    large = Support(mpnet(len(small.encoder.word.weight), layers or 12)).to(device)
    large.encoder.relative.weight.requires_grad_(False)
    plain = {}
    for name, model, tokens in (("mpnet", large, 16_384), ("minilm", small, 32_768)):
        plain[name], warm = speed(model, data, tokens if device == "cuda" else 1024, steps, device)
        print(f"{name} eager {plain[name]:.0f} pairs/s, warm-up {warm:.1f} s", flush=True)
    logit = (
        train.predict(small, train.load(work / "data" / "score.xz", device), device)
        if device == "cuda"
        else torch.zeros(1)
    )
    print("scored", len(logit), "finite", bool(torch.isfinite(logit).all()), flush=True)
    if "--no-compile" in sys.argv:
        return
    try:
        torch._dynamo.config.recompile_limit = 64
        Layer.forward = torch.compile(Layer.forward, dynamic=True)  # type: ignore[method-assign]
        fast, warm = speed(large, data, 16_384 if device == "cuda" else 1024, steps, device)
        print(f"mpnet compiled {fast:.0f} pairs/s, warm-up {warm:.1f} s", flush=True)
        if fast > 1.3 * plain["mpnet"] and warm < 45:
            (work / "mode").write_text("--compile")
    except Exception as problem:
        print("compiling failed, eager it is:", repr(problem)[:300], flush=True)


if __name__ == "__main__":
    main()
