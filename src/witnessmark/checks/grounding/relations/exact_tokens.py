"""Addresses, phone numbers, versions and ids of a claim against those of the sources: each holds as a whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator

from witnessmark.checks.grounding import wording
from witnessmark.checks.grounding.evidence import SAYS_IT, ClaimInEvidence, Index, Passage, once
from witnessmark.checks.grounding.finding import RuleFinding, looked
from witnessmark.checks.grounding.reading.questions import is_polar
from witnessmark.text import quotes, words
from witnessmark.text.sentences import Span
from witnessmark.text.tokens import Token, beginning, same, tokens

_RULE_OF = {"mail": "address", "phone": "phone", "version": "identifier", "id": "identifier", "digits": "figure"}


def token_findings(this: ClaimInEvidence) -> Iterator[tuple[Span, RuleFinding]]:
    """What the sources say of each such token of a claim, with its place; nothing of an id or a version where they have none like it."""
    # what the question takes as given is not the answer's to show, unless it asks whether that is so: no, it is not JIRA-4412
    asked = tokens(this.goal) if wording.denies(this.claim) or not is_polar(this.goal) else ()
    for one in tokens(this.claim):
        known = _known(this.index)
        if any(same(one, other) for other in known) or _written(one, this.index):
            yield one.span, RuleFinding(_RULE_OF[one.kind], "same", one.text)
        elif not any(same(one, other) for other in asked):
            rival = in_its_place(this, one.text, one.kind)
            alike = one.kind in ("mail", "phone", "digits") or any(_alike(one, other) for other in known)
            if rival is not None:
                passage, other = rival
                place = passage.place(_place(passage.text, other))
                yield one.span, RuleFinding(_RULE_OF[one.kind], "contradicted", one.text, passage, place, other)
            elif alike:
                yield one.span, looked(_RULE_OF[one.kind], one.text, this.near)


def in_its_place(this: ClaimInEvidence, part: str, kind: str) -> tuple[Passage, str] | None:
    """The one token of a kind (`url` included) that a passage has where the claim, which says the same otherwise, has another."""
    rest = this.claim.replace(part, " ")
    mine = _of_kind(this.claim, kind)
    for passage in this.near:
        rivals = [other for other in _of_kind(passage.text, kind) if other not in mine]
        if len(set(rivals)) == 1 and words.content(rest) and this.like(passage, rest) >= SAYS_IT:
            return passage, rivals[0]
    return None


def _of_kind(text: str, kind: str) -> list[str]:
    return quotes.urls(text) if kind == "url" else [one.text for one in tokens(text) if one.kind == kind]


def _place(text: str, part: str) -> Span:
    at = text.find(part)
    return at, at + len(part)


def _alike(one: Token, other: Token) -> bool:
    return one.kind == other.kind and (one.kind != "id" or beginning(one) == beginning(other))


@once
def _known(index: Index) -> list[Token]:
    """All tokens of the sources."""
    return [one for passage in index.passages for one in tokens(passage.text)]


@once
def _letters(index: Index) -> str:
    return "".join(words.letters(index.text)).replace("_", "")


def _written(one: Token, index: Index) -> bool:
    """Whether an id or a row of digits stands in the sources with other marks or spaces in it: RFC7231 and RFC 7231."""
    return one.kind in ("id", "digits") and one.key in _letters(index)
