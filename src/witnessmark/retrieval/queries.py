"""What to search for when a claim is not borne out: its subject, without the part in dispute.

A query that repeats the wrong figure finds whatever repeats it too. Leaving it out finds what the sources really say, for
or against. Knows nothing about retrievers.
"""

from __future__ import annotations

from collections.abc import Iterable

from witnessmark.core.verdict import Claim
from witnessmark.text import words

MOST = 3
GAPS = frozenset({"unsupported", "contradicted", "partial"})


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
    disputed = {word.lower() for word in words.WORD.findall(str(claim.details.get("part", "")))}
    small = words.stop_words()
    kept = [
        w
        for w in words.WORD.findall(claim.text)
        if w.lower() not in small and w.lower() not in disputed and not w[0].isdigit()
    ]
    return " ".join(kept[:12])
