"""What a figure takes in: `€7,440, VAT included` where a source says plus VAT, `3.4 kg without battery` where it is with battery.

>>> sorted(inclusions("A night is £62 plus tax, breakfast included."))
[('added', 'tax'), ('part', 'breakfast')]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from witnessmark.checks.grounding import wording
from witnessmark.checks.grounding.agreement import agrees
from witnessmark.checks.grounding.evidence import ClaimInEvidence
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.text import lang, words
from witnessmark.text.patterns import compiled
from witnessmark.text.records import no_words

Inclusion = tuple[str, str]
"""How something belongs to what is told (`part`, `beside`, `added`, `out`, `lacking`), and the stem of its word."""
AGAINST = {
    "part": ("added", "out", "lacking"),
    "beside": ("out", "lacking"),
    "added": ("part",),
    "out": ("part", "beside"),
    "lacking": ("part", "beside"),
}
"""What each way of belonging speaks against: with a deposit may be plus a deposit, and never without one."""
BEFORE, AFTER = ("part", "beside", "added", "out", "lacking"), ("part", "out")
_CLAUSE = compiled(r"[,;()–—]")
MOST_BETWEEN, MOST_NAMING = 3, 2
"""Words among which those stand that name what is taken in, beside what says so, and how many these are: petit-déjeuner."""


def inclusions(text: str) -> Iterator[Inclusion]:
    """What a text takes in or leaves out, and how; each clause by itself."""
    return (one for clause in _CLAUSE.split(text) for one in _of_clause(words.words(clause)))


def _of_clause(row: Sequence[str]) -> Iterator[Inclusion]:
    for at, word in enumerate(row):
        denied = not wording.negations().isdisjoint(row[max(0, at - 2) : at])
        without = not (wording.negations() | no_words()).isdisjoint(row[at + 1 : at + 2])
        for kind in BEFORE if not denied and not without else ():
            if word in lang.listed("inclusion", f"{kind}_before"):
                yield from ((kind, stem) for stem in _stems(row[at + 1 : at + 1 + MOST_BETWEEN])[:MOST_NAMING])
        for kind in AFTER if not without else ():
            if word in lang.listed("inclusion", f"{kind}_after"):
                told = _stems(row[max(0, at - MOST_BETWEEN) : at])[-MOST_NAMING:]
                yield from (("out" if denied and kind == "part" else kind, stem) for stem in told)


def _stems(row: Sequence[str]) -> list[str]:
    """The words with a meaning that are no figures."""
    return [stem for stem in words.content(" ".join(row)) if not stem[0].isdigit()]


def other_inclusion(this: ClaimInEvidence) -> RuleFinding | None:
    """What a claim takes in where the passage with its figure leaves it out, or the other way round; None where neither does."""
    mine = set(inclusions(this.claim)) if this.figures else set()
    for passage in this.near if mine else ():
        theirs = set(inclusions(passage.text))
        same = any(agrees(one, stated) for one in this.figures for stated in passage.figures)
        for kind, stem in sorted(mine) if same and not mine & theirs else ():
            against = next((other for other in AGAINST[kind] if (other, stem) in theirs), None)
            if against is not None and not _is_told(this, kind, stem):
                return RuleFinding("inclusion", "contradicted", stem, passage, passage.span, against)
    return None


def _is_told(this: ClaimInEvidence, kind: str, stem: str) -> bool:
    """Whether any passage says it as the claim does."""
    return any((kind, stem) in inclusions(passage.text) for passage in this.index.passages if stem in passage.stems)
