"""What to search for when a claim is not borne out: its subject, without the part in dispute.

A query that repeats the wrong figure finds whatever repeats it too. Leaving it out finds what the sources really say, for
or against. Knows nothing about retrievers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from witnessmark.core.verdict import Claim

MOST = 3
GAPS = frozenset({"unsupported", "contradicted", "partial"})
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SMALL = frozenset(
    ["a", "an", "the", "of", "and", "or", "to", "in", "on", "at", "by", "for", "from", "with", "as", "is", "are", "was", "were", "be", "been", "it", "its", "this", "that", "has", "have", "had", "will", "would", "der", "die", "das", "und", "ist", "le", "la", "les", "de", "et", "est", "el", "los", "las", "y", "es", "en", "un", "una", "une"]
)  # fmt: skip


def gaps(claims: Iterable[Claim]) -> list[Claim]:
    """The claims to look for, the contradicted first, since there the evidence has something to say."""
    order = {"contradicted": 0, "unsupported": 1, "partial": 2}
    return sorted((c for c in claims if c.status in GAPS), key=lambda claim: order[claim.status])


def targeted(claims: Iterable[Claim], query: str, tried: frozenset[str] = frozenset()) -> list[str]:
    """Up to three queries about the gaps that were not tried before; the question itself where there are none left."""
    made = [neutral(claim) for claim in gaps(claims)]
    fresh = [one for one in dict.fromkeys([*made, query]) if one and one not in tried]
    return fresh[:MOST]


def neutral(claim: Claim) -> str:
    """The words of a claim that say what it is about; the disputed part and bare figures are left out."""
    disputed = {word.lower() for word in _WORD.findall(str(claim.details.get("part", "")))}
    words = [
        w
        for w in _WORD.findall(claim.text)
        if w.lower() not in _SMALL and w.lower() not in disputed and not w[0].isdigit()
    ]
    return " ".join(words[:12])
