"""Encoders in plain torch and the head: three classes (supported, contradicted, not mentioned) and one logit a claim token (wrong or not); heads may also sit on lower layers."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F


@dataclass(frozen=True)
class Shape:
    vocab: int
    hidden: int
    heads: int
    layers: int
    ffn: int
    positions: int
    first_position: int
    types: int
    buckets: int
    eps: float
    exits: tuple = ()

    def dict(self):
        return asdict(self)


def gte(vocab: int, layers: int = 8, exits: tuple = (4,)) -> Shape:
    return Shape(vocab, 384, 12, layers, 1536, 512, 0, 2, 0, 1e-12, exits)


def mpnet(vocab: int, layers: int = 12, exits: tuple = ()) -> Shape:
    return Shape(vocab, 768, 12, layers, 3072, 514, 2, 0, 32, 1e-5, exits)


def relative_bucket(length: int, buckets: int, far: int = 128) -> Tensor:
    place = torch.arange(length)
    away = place[:, None] - place[None, :]
    half = buckets // 2
    side = (away < 0).long() * half
    away = away.abs()
    exact = half // 2
    log = exact + (torch.log(away.clamp(min=1).float() / exact) / math.log(far / exact) * (half - exact)).long()
    return side + torch.where(away < exact, away, log.clamp(max=half - 1))


def block(x: Tensor, bias: Tensor, w: tuple, heads: int, eps: float, drop: float, training: bool) -> Tensor:
    """One layer, its weights given, so that one compiled function does for all layers."""
    qkv_w, qkv_b, out_w, out_b, n1w, n1b, up_w, up_b, down_w, down_b, n2w, n2b = w
    batch, length, hidden = x.shape
    q, k, v = F.linear(x, qkv_w, qkv_b).view(batch, length, 3, heads, hidden // heads).permute(2, 0, 3, 1, 4).unbind(0)
    seen = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
    seen = F.linear(seen.transpose(1, 2).reshape(batch, length, hidden), out_w, out_b)
    x = F.layer_norm(x + F.dropout(seen, drop, training), (hidden,), n1w, n1b, eps)
    up = F.gelu(F.linear(x, up_w, up_b))
    return F.layer_norm(x + F.dropout(F.linear(up, down_w, down_b), drop, training), (hidden,), n2w, n2b, eps)


class Layer(nn.Module):
    def __init__(self, s: Shape) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(s.hidden, 3 * s.hidden), nn.Linear(s.hidden, s.hidden)
        self.norm1, self.norm2 = nn.LayerNorm(s.hidden, s.eps), nn.LayerNorm(s.hidden, s.eps)
        self.up, self.down = nn.Linear(s.hidden, s.ffn), nn.Linear(s.ffn, s.hidden)

    def weights(self) -> tuple:
        return (
            self.qkv.weight,
            self.qkv.bias,
            self.out.weight,
            self.out.bias,
            self.norm1.weight,
            self.norm1.bias,
            self.up.weight,
            self.up.bias,
            self.down.weight,
            self.down.bias,
            self.norm2.weight,
            self.norm2.bias,
        )


class Encoder(nn.Module):
    def __init__(self, s: Shape, drop: float = 0.1) -> None:
        super().__init__()
        self.shape, self.drop = s, drop
        self.run = block
        self.word = nn.Embedding(s.vocab, s.hidden)
        self.place = nn.Embedding(s.positions, s.hidden)
        self.kind = nn.Embedding(s.types, s.hidden) if s.types else None
        self.relative = nn.Embedding(s.buckets, s.heads) if s.buckets else None
        self.norm = nn.LayerNorm(s.hidden, s.eps)
        self.layers = nn.ModuleList(Layer(s) for _ in range(s.layers))
        self.register_buffer("bucket", relative_bucket(352, s.buckets) if s.buckets else None, persistent=False)

    def bias(self, mask: Tensor, dtype) -> Tensor:
        length = mask.shape[1]
        bias = ((1.0 - mask.float()) * -30000.0)[:, None, None, :]
        if self.relative is not None:
            bias = bias + self.relative(self.bucket[:length, :length]).float().permute(2, 0, 1)[None].detach()
        return bias.to(dtype).expand(mask.shape[0], self.shape.heads, length, length)

    def forward(self, ids: Tensor, mask: Tensor, segment: Tensor) -> list[Tensor]:
        """The vectors at each exit and at the end."""
        at = self.shape.first_position
        x = self.word(ids) + self.place.weight[at : at + ids.shape[1]]
        if self.kind is not None:
            x = x + self.kind(segment)
        x = F.dropout(self.norm(x), self.drop, self.training)
        bias = self.bias(mask, x.dtype)
        out = []
        for n, layer in enumerate(self.layers, 1):
            x = self.run(x, bias, layer.weights(), self.shape.heads, self.shape.eps, self.drop, self.training)
            if n in self.shape.exits:
                out.append(x)
        return [*out, x]


class Head(nn.Module):
    """From [CLS], the mean of the claim's tokens and the token that looks most wrong to three classes."""

    def __init__(self, hidden: int, drop: float) -> None:
        super().__init__()
        self.wrong, self.dense, self.classes = nn.Linear(hidden, 1), nn.Linear(3 * hidden, hidden), nn.Linear(hidden, 3)
        self.drop = drop
        for part in (self.wrong, self.dense, self.classes):
            nn.init.normal_(part.weight, std=0.02)
            nn.init.zeros_(part.bias)

    def forward(self, x: Tensor, mask: Tensor, segment: Tensor) -> tuple[Tensor, Tensor]:
        x = x.float()
        claim = ((1 - segment) * mask).float()
        mean = (x * claim.unsqueeze(-1)).sum(1) / claim.sum(1, keepdim=True)
        x = F.dropout(x, self.drop, self.training)
        wrong = self.wrong(x).squeeze(-1)
        share = torch.softmax(wrong + (claim - 1.0) * 30000.0, -1)
        worst = (x * share.unsqueeze(-1)).sum(1)
        parts = torch.cat([x[:, 0], F.dropout(mean, self.drop, self.training), worst], -1)
        hidden = F.gelu(self.dense(parts))
        return self.classes(F.dropout(hidden, self.drop, self.training)), wrong


class Support(nn.Module):
    def __init__(self, s: Shape, drop: float = 0.1) -> None:
        super().__init__()
        self.encoder = Encoder(s, drop)
        self.heads = nn.ModuleList(Head(s.hidden, drop) for _ in range(len(s.exits) + 1))

    def forward(self, ids: Tensor, mask: Tensor, segment: Tensor) -> list[tuple[Tensor, Tensor]]:
        """(classes, wrong) of each exit and of the end, the end last."""
        return [head(x, mask, segment) for head, x in zip(self.heads, self.encoder(ids, mask, segment))]
