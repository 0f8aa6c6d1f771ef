"""A claim that cites a source, by a mark, a footnote or its name, held to that source."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from witnessmark.checks.grounding.decision import CONTRADICTED_AT, VERBATIM_AT, ClaimDecision, decide
from witnessmark.checks.grounding.evidence import Index
from witnessmark.checks.grounding.features import look
from witnessmark.checks.grounding.statement import Statement
from witnessmark.text import lang, words
from witnessmark.text.patterns import any_of, compiled

LEAST_LACKING = 2
"""Words of a claim that a cited source must lack and another have, more than it has itself, to be the wrong one."""
LEAST_SAID = 3
"""Words that must be left when the name of a source is taken off."""
_SPACED = compiled(r"\s+(?=[.,!]$)")
MOST = 200
"""Sources that are looked for by their names."""
_NOTE = compiled(r"^ {0,3}\[\^?([\w.-]{1,40})\]:\s+(.{1,200})$", re.MULTILINE)
_APART = compiled(r"[-_\s]+")


def with_named_sources(found: Sequence[Statement], text: str, index: Index) -> list[Statement]:
    """The statements, those that name a source with its id among what they cite: in a footnote, in brackets, as what says so.

    `It is 84 metres high [^1].` over `[^1]: minutes`, `(see minutes)`, `According to the minutes, …`, `The second document states that …`.
    """
    called = {_name(source.id): source.id for source in index.sources[:MOST] if len(source.id) > 1}
    ids = called | {
        _name(one): source.id for row in _ordinals() for one, source in zip(row, index.sources, strict=False)
    }
    notes = {label: ids[_name(said)] for label, said in _NOTE.findall(text) if _name(said) in ids}
    naming = _naming(tuple(called))
    return [_citing(one, notes, ids, naming) for one in found]


def _citing(one: Statement, notes: dict[str, str], ids: dict[str, str], naming: re.Pattern[str]) -> Statement:
    found = list(naming.finditer(one.text))
    told = (group for match in found for group in match.groups() if group)
    named = (ids.get(_name(name)) or ids.get(_name(name.split()[0])) for name in told)
    cites = tuple(dict.fromkeys([*(notes.get(mark, mark) for mark in one.citations), *filter(None, named)]))
    return one if cites == one.citations else replace(one, text=_without(one.text, found), citations=cites)


def _without(text: str, naming: Sequence[re.Match[str]]) -> str:
    """A statement without what only names its source; `The news mention the mayor` keeps it."""
    said = text
    for match in reversed(naming):
        if match[0][-1:] in ")]" or match[0].endswith("that") or text[match.end() :][:1] in (",", ".", "!", ""):
            said = said[: match.start()].rstrip() + " " + said[match.end() :].lstrip(" ,")
    said = _SPACED.sub("", said).strip()
    return said[:1].upper() + said[1:] if len(said.split()) >= LEAST_SAID else text


def _name(said: str) -> str:
    return _APART.sub(" ", said.strip(" .,;:()[]`\"'“”")).lower()


def _ordinals() -> list[list[str]]:
    return [row.split() for row in lang.section("numbers", "ordinals")]


def _naming(names: tuple[str, ...]) -> re.Pattern[str]:
    """What names a source as the one that says so."""
    placed = f"(?:{lang.either(one for row in _ordinals() for one in row)}) (?:{lang.either(lang.listed('silence', 'documents'))})"
    known = "|".join(
        [*(re.escape(name).replace(r"\ ", r"[-_\s]+") for name in sorted(names, key=len, reverse=True)), placed]
    )
    parts = (one.replace("{source}", f"({known})") for one in lang.rows("speech", "names_source"))
    return compiled(any_of(parts), re.IGNORECASE)


def held_to_citations(one: Statement, decided: ClaimDecision, index: Index) -> ClaimDecision:
    """A claim that cites a source is held to that source: one that is not there, or does not say it, bears it only in part."""
    if not one.citations or decided.status != "supported":
        return decided
    ids = {source.id for source in index.sources}
    named = index.cited(one.citations)
    cited = {name for name in named if name is not None}
    if len(cited) < len(set(named)):
        return replace(decided, status="partial", by="citation", point=None, probability=1 - VERBATIM_AT)
    if cited == ids or {source for source, _ in decided.places[:1]} <= cited:
        return decided
    again = decide(look(one.text, index.only(cited), index.language, statement=one))
    if _another_says_it(one, cited, ids - cited, index):
        return replace(
            decided,
            status="partial",
            by="cited source",
            point=None,
            probability=min(decided.probability, CONTRADICTED_AT),
        )
    if again.status == "supported" or (again.status == "partial" and not again.deterministic):
        return decided
    likely = min(decided.probability, CONTRADICTED_AT if again.deterministic else again.probability)
    return replace(decided, status="partial", by="cited source", point=None, probability=likely)


def _another_says_it(one: Statement, cited: set[str], others: set[str], index: Index) -> bool:
    """Whether other sources bear out a claim, most of whose words the cited ones lack and they have."""
    told = set(words.content(one.text))
    shared = {stem for stem in told if index.only(cited).has(stem)}
    lacking = {stem for stem in told - shared if index.only(others).has(stem)}
    if len(lacking) < LEAST_LACKING or len(lacking) <= len(shared):
        return False
    return decide(look(one.text, index.only(others), index.language, statement=one)).status == "supported"
