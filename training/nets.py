"""The two encoders in plain torch, and the head that turns them into a cross-encoder of (claim, evidence).

One class does for both: BERT (MiniLM) has token types and absolute positions; MPNet has no token types, positions that
start at 2 and one relative position bias shared by all layers. Names of parameters are our own; `weights.py` maps them.
Knows nothing of data, training or files.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812


@dataclass(frozen=True)
class Shape:
    """The measures of an encoder."""

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

    def dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)


def minilm(vocab: int, layers: int = 6) -> Shape:
    """all-MiniLM-L6-v2."""
    return Shape(vocab, 384, 12, layers, 1536, 512, 0, 2, 0, 1e-12)


def mpnet(vocab: int, layers: int = 12) -> Shape:
    """all-mpnet-base-v2."""
    return Shape(vocab, 768, 12, layers, 3072, 514, 2, 0, 32, 1e-5)


def relative_bucket(length: int, buckets: int, far: int = 128) -> Tensor:
    """The bucket of each (query, key) distance, as MPNet and T5 count them in both directions."""
    place = torch.arange(length)
    away = place[:, None] - place[None, :]
    half = buckets // 2
    side = (away < 0).long() * half
    away = away.abs()
    exact = half // 2
    log = exact + (torch.log(away.clamp(min=1).float() / exact) / math.log(far / exact) * (half - exact)).long()
    return side + torch.where(away < exact, away, log.clamp(max=half - 1))


class Layer(nn.Module):
    """Attention and feed-forward, each normalised after its residual."""

    def __init__(self, shape: Shape, dropout: float) -> None:
        super().__init__()
        self.heads = shape.heads
        self.drop = dropout
        self.qkv = nn.Linear(shape.hidden, 3 * shape.hidden)
        self.out = nn.Linear(shape.hidden, shape.hidden)
        self.norm1 = nn.LayerNorm(shape.hidden, shape.eps)
        self.up = nn.Linear(shape.hidden, shape.ffn)
        self.down = nn.Linear(shape.ffn, shape.hidden)
        self.norm2 = nn.LayerNorm(shape.hidden, shape.eps)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """`bias` is added to the attention's logits: minus infinity for padding, plus the relative position bias."""
        batch, length, hidden = x.shape
        q, k, v = self.qkv(x).view(batch, length, 3, self.heads, hidden // self.heads).permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        seen = self.out(seen.transpose(1, 2).reshape(batch, length, hidden))
        x = self.norm1(x + F.dropout(seen, self.drop, self.training))
        return self.norm2(x + F.dropout(self.down(F.gelu(self.up(x))), self.drop, self.training))


class Encoder(nn.Module):
    """Token ids in, one vector a token out."""

    def __init__(self, shape: Shape, dropout: float = 0.1) -> None:
        super().__init__()
        self.shape = shape
        self.drop = dropout
        self.word = nn.Embedding(shape.vocab, shape.hidden)
        self.place = nn.Embedding(shape.positions, shape.hidden)
        self.kind = nn.Embedding(shape.types, shape.hidden) if shape.types else None
        self.relative = nn.Embedding(shape.buckets, shape.heads) if shape.buckets else None
        self.norm = nn.LayerNorm(shape.hidden, shape.eps)
        self.layers = nn.ModuleList(Layer(shape, dropout) for _ in range(shape.layers))
        self.register_buffer("bucket", None, persistent=False)
        self.reach(512)

    def reach(self, tokens: int) -> None:
        """How long a pair may be; what longer ones would need is let go of."""
        rows = self.shape.first_position + tokens
        self.place.weight = nn.Parameter(self.place.weight.detach()[:rows])
        self.bucket = relative_bucket(tokens, self.shape.buckets) if self.shape.buckets else None

    def bias(self, mask: Tensor, dtype: torch.dtype) -> Tensor:
        """What is added to the attention's logits, as large as the attention itself."""
        length = mask.shape[1]
        bias = ((1.0 - mask.float()) * -30000.0)[:, None, None, :]
        if self.relative is not None:
            bias = bias + self.relative(self.bucket[:length, :length]).permute(2, 0, 1)[None].detach()
        return bias.to(dtype).expand(mask.shape[0], self.shape.heads, length, length)

    def forward(self, ids: Tensor, mask: Tensor, segment: Tensor) -> Tensor:
        """`mask` is 1 for tokens, `segment` 0 for the claim and 1 for the evidence."""
        place = self.place.weight[self.shape.first_position : self.shape.first_position + ids.shape[1]]
        x = self.word(ids) + place
        if self.kind is not None:
            x = x + self.kind(segment)
        x = F.dropout(self.norm(x), self.drop, self.training)
        bias = self.bias(mask, x.dtype)
        for layer in self.layers:
            x = layer(x, bias)
        return x


class Support(nn.Module):
    """A cross-encoder: one logit from [CLS], the mean of the claim's tokens and the token that looks most wrong.

    `wrong` says of each token of the claim whether it is what the evidence does not bear out; it is trained where that is known, and
    everywhere it decides which token's vector the head looks at.
    """

    def __init__(self, shape: Shape, dropout: float = 0.1) -> None:
        super().__init__()
        self.encoder = Encoder(shape, dropout)
        self.wrong = nn.Linear(shape.hidden, 1)
        self.dense = nn.Linear(3 * shape.hidden, shape.hidden)
        self.logit = nn.Linear(shape.hidden, 1)
        self.drop = dropout
        for part in (self.wrong, self.dense, self.logit):
            nn.init.normal_(part.weight, std=0.02)
            nn.init.zeros_(part.bias)

    def both(self, ids: Tensor, mask: Tensor, segment: Tensor) -> tuple[Tensor, Tensor]:
        """One logit a pair, how likely the evidence bears out the claim; and one a token, how likely it is what is wrong."""
        x = self.encoder(ids, mask, segment).float()
        claim = ((1 - segment) * mask).float()
        mean = (x * claim.unsqueeze(-1)).sum(1) / claim.sum(1, keepdim=True)
        x = F.dropout(x, self.drop, self.training)
        wrong = self.wrong(x).squeeze(-1)
        share = torch.softmax(wrong + (claim - 1.0) * 30000.0, -1)
        worst = (x * share.unsqueeze(-1)).sum(1)
        parts = torch.cat([x[:, 0], F.dropout(mean, self.drop, self.training), worst], -1)
        # Of three axes, so that the exporter makes it a MatMul, which is the kind that gets quantised.
        hidden = F.gelu(self.dense(parts.unsqueeze(1)).squeeze(1))
        return self.logit(F.dropout(hidden, self.drop, self.training)).squeeze(-1), wrong

    def forward(self, ids: Tensor, mask: Tensor, segment: Tensor) -> Tensor:
        """One logit a pair."""
        return self.both(ids, mask, segment)[0]
