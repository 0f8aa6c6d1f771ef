"""What can be settled about a claim without a model: figures, dates, names, quotations, addresses, negation, opposites.

A small number in words with nothing measured (`two friends`) is a `count`: it may sum up what a source lists, so its
absence alone settles nothing. Each rule says of one part of a claim whether the evidence has the same (`same`), has it in another place (`elsewhere`),
has something else there (`contradicted`) or never mentions it (`missing`), with the place it looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from witnessmark.checks.grounding import arithmetic, wording
from witnessmark.checks.grounding.agreement import agrees, comparable
from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.checks.grounding.finding import Finding, RuleFinding
from witnessmark.checks.grounding.records import record_findings
from witnessmark.checks.grounding.relations import ranking, roles
from witnessmark.text import lang, words
from witnessmark.text import names as naming
from witnessmark.text import quotes as quoting
from witnessmark.text.dates import Date, dates, differs, follows, without_dates
from witnessmark.text.numbers import Number, figures
from witnessmark.text.units import Unit, units

ABOUT_THE_SAME = 0.5
"""The share of a claim's words (by weight, figures left out) a passage must have to be able to contradict its figures."""
NEARLY_THE_SAME = 0.75
"""… and to contradict it by one negation, opposite or name."""
MIN_SENTENCE, MAX_SENTENCE = 3, 40
"""Words of a sentence in which one name in another's place is looked for."""


def points(
    claim: str, index: Index, near: Sequence[tuple[float, Passage]], language: str = "en", goal: str = ""
) -> list[RuleFinding]:
    """All that the rules say about a claim; `near` are the passages that speak about it, best first."""
    found = dates(claim)
    told = record_findings(claim, index, language)
    rest = _not_clock(without_dates(figures(claim, language), found), claim, told)
    said = [
        *(_figure(claim, one, rest, index, near) for one in rest),
        *(_date(claim, one, index, near) for one in found),
    ]
    said += [_quote(one, index, near) for one in quoting.quotes(claim) if quoting.find(one.text, goal) is None]
    said += [_address(one, index) for one in quoting.urls(claim)]
    said += _names(claim, index, near, language)
    said += _worded(claim, index, near)
    said += _related(claim, index, near)
    return [*told, *said]


def _not_clock(found: Sequence[Number], claim: str, told: Sequence[RuleFinding]) -> list[Number]:
    """The figures that are no part of opening hours which a record already bore out or contradicted."""
    hours = [claim.find(point.part) for point in told if point.rule == "hours"]
    spans = [
        (at, at + len(point.part)) for at, point in zip(hours, (p for p in told if p.rule == "hours"), strict=True)
    ]
    cells = {point.part for point in told if point.rule == "cell"}
    return [
        one for one in found if claim[slice(*one.span)] not in cells and not any(a <= one.span[0] < b for a, b in spans)
    ]


def likeness(claim: str, passage: Passage, index: Index) -> float:
    """The share of a claim's words, by weight and without its figures, that a passage has."""
    wanted = [stem for stem in dict.fromkeys(words.content(claim)) if not stem[0].isdigit()]
    total = sum(map(index.weight, wanted))
    return sum(index.weight(stem) for stem in wanted if stem in passage.stems) / total if total else 0.0


# --- figures and dates -----------------------------------------------------------------------------------------


def _figure(
    claim: str, one: Number, all_of_them: Sequence[Number], index: Index, near: Sequence[tuple[float, Passage]]
) -> RuleFinding:
    part = claim[slice(*one.span)]
    small = one.face <= 12 if one.worded else part == "1"
    rule = "count" if small and not one.dimension else "figure"
    other = _of_another(claim, one, near) or _other_rate(claim, one, near)
    if other is not None:
        passage, stated = other
        place = passage.place(stated.span)
        return RuleFinding("figure", "contradicted", part, passage, place, passage.text[slice(*stated.span)])
    for _, passage in near:
        same = next((f for f in passage.figures if agrees(one, f)), None)
        if same is not None:
            return RuleFinding(rule, "same", part, passage, passage.place(same.span))
    unit = _other_unit(one, near)
    if unit is not None:
        passage, stated = unit
        return RuleFinding(
            "figure", "contradicted", part, passage, passage.place(stated.span), passage.text[slice(*stated.span)]
        )
    worked = _worked_out(claim, one, index, near)
    if worked is not None:
        return worked
    against = _other_figure(claim, one, all_of_them, index, near)
    if against is not None:
        passage, stated = against
        return RuleFinding(
            "figure", "contradicted", part, passage, passage.place(stated.span), passage.text[slice(*stated.span)]
        )
    for passage in index.passages:
        if any(agrees(one, f) for f in passage.figures) or _as_year(one, passage):
            return RuleFinding(rule, "elsewhere", part, passage, passage.span)
    if index.has(_ordinals().get(part.lower(), "")):
        return RuleFinding(rule, "elsewhere", part)
    return _looked(rule, part, near)


def _other_unit(one: Number, near: Sequence[tuple[float, Passage]]) -> tuple[Passage, Number] | None:
    """The same number in another unit of the same kind, in the passage nearest to the claim: 110 minutes for 110 hours."""
    if not one.dimension or one.face == 1:
        return None
    for _, passage in near[:2]:
        for stated in passage.figures:
            other = stated.dimension == one.dimension and stated.scale != one.scale
            if other and stated.face == one.face and not one.is_range and not stated.is_range:
                return passage, stated
    return None


_WHAT = re.compile(r"\s+(?:of\s+)?([^\W\d_]{3,})\b")
_RATE = re.compile(r"\s*(?:per|an?|each|for\s+(?:each|every|an?)|/)\s*([^\W\d_]+)", re.IGNORECASE)


def _what(text: str, one: Number) -> str:
    """What a measure is of: the stem of the noun right after it; empty where there is none."""
    found = _WHAT.match(text, one.span[1]) if one.dimension else None
    word = found.group(1).lower() if found else ""
    return "" if word in words.stop_words() or word in units() else words.stem(word)


def _of_another(claim: str, one: Number, near: Sequence[tuple[float, Passage]]) -> tuple[Passage, Number] | None:
    """Another amount of the very thing: `15 g of fibre` where the passage says 9 g fibre and 15 g protein."""
    what = _what(claim, one)
    if not what or one.is_range:
        return None
    told = [(p, f) for _, p in near for f in p.figures if f.dimension == one.dimension and _what(p.text, f)]
    mine = [(p, f) for p, f in told if _what(p.text, f) == what]
    others = any(agrees(one, f) and _what(p.text, f) != what for p, f in told)
    return mine[0] if len(mine) == 1 and others and not agrees(one, mine[0][1]) else None


def _other_rate(claim: str, one: Number, near: Sequence[tuple[float, Passage]]) -> tuple[Passage, Number] | None:
    """The same amount for another measure of the same kind: 2.85 dollars a kilogram for 2.85 dollars a pound."""
    mine = _rate(claim, one)
    if mine is None:
        return None
    told = [
        (p, f, rate) for _, p in near for f in p.figures if agrees(one, f) and (rate := _rate(p.text, f)) is not None
    ]
    other = [(p, f) for p, f, rate in told if rate.dimension == mine.dimension and rate.factor != mine.factor]
    return other[0] if other and len(other) == len(told) else None


def _rate(text: str, one: Number) -> Unit | None:
    """What an amount is for: per pound, a day."""
    found = _RATE.match(text, one.span[1]) if one.dimension else None
    return units().get(found.group(1).lower()) if found else None


def _worked_out(claim: str, one: Number, index: Index, near: Sequence[tuple[float, Passage]]) -> RuleFinding | None:
    """A figure that follows from those of the passages about the claim, or that says it is a sum and is not one."""
    if one.is_range or not near or (one.worded and one.face < arithmetic.LEAST and not one.dimension):
        return None
    passages = sorted({id(p): p for _, p in near}.values(), key=lambda p: p.number)
    if len(index.passages) <= arithmetic.MOST_PASSAGES:
        passages = index.passages
    stated = [figure for passage in passages for figure in passage.figures]
    told = [date for passage in passages for date in passage.dates]
    how = arithmetic.way(claim, one, stated, told) if len(stated) + len(told) > 1 else None
    part = claim[slice(*one.span)]
    if how is not None:
        return RuleFinding("derived", "same", part, near[0][1], near[0][1].span, how)
    alike = [figure for figure in stated if figure.dimension == one.dimension and figure.face != one.face]
    known = any(agrees(one, figure) for figure in stated)
    if (
        arithmetic.says_so(claim)
        and len(alike) > 1
        and not known
        and likeness(claim, near[0][1], index) >= ABOUT_THE_SAME
    ):
        return RuleFinding("derived", "contradicted", part, near[0][1], near[0][1].span)
    return None


@lang.derived
def _ordinals() -> dict[str, str]:
    digits = ["1st", "2nd", "3rd", *(f"{n}th" for n in range(4, 13))]
    rows = (line.split() for line in lang.section("numbers", "ordinals"))
    return {digit: words.stem(word) for row in rows for digit, word in zip(digits, row, strict=False)}


def _as_year(one: Number, passage: Passage) -> bool:
    return not one.dimension and any(one.face == date.first for date in passage.dates)


def _other_figure(
    claim: str, one: Number, all_of_them: Sequence[Number], index: Index, near: Sequence[tuple[float, Passage]]
) -> tuple[Passage, Number] | None:
    """The figure that stands in the place of this one: same kind, in a passage about the same, used by no other figure of the claim."""
    for _, passage in near:
        if likeness(claim, passage, index) < ABOUT_THE_SAME:
            continue
        rivals = [
            f
            for f in passage.figures
            if (comparable(one, f) or _same_place(claim, one, passage.text, f))
            and not any(agrees(other, f) for other in all_of_them)
        ]
        if len(rivals) == 1 and not _nearer(one, rivals[0]):
            return passage, rivals[0]
    return None


def _same_place(claim: str, one: Number, text: str, stated: Number) -> bool:
    """Whether two bare figures follow the same word after a word of the same stem: `opens at 10` beside `opened at 9`."""
    if one.dimension or stated.dimension or one.noun or stated.noun:
        return False
    mine, theirs = (words.words(part)[-2:] for part in (claim[: one.span[0]], text[: stated.span[0]]))
    return len(mine) == 2 and [words.stem(w) for w in mine] == [words.stem(w) for w in theirs]


def _nearer(one: Number, stated: Number) -> bool:
    """Whether the claim is only finer than what is stated, such as 12.4 for 12: not borne out, but not against it."""
    return abs(one.low - stated.low) <= stated.half and one.half < stated.half


def _date(claim: str, one: Date, index: Index, near: Sequence[tuple[float, Passage]]) -> RuleFinding:
    part = claim[slice(*one.span)]
    for _, passage in near:
        same = next((d for d in passage.dates if follows(one, d)), None)
        if same is not None:
            return RuleFinding("date", "same", part, passage, passage.place(same.span))
    for _, passage in near:
        if likeness(claim, passage, index) >= ABOUT_THE_SAME:
            other = [d for d in passage.dates if differs(one, d)]
            if len(other) == 1 and len(dates(claim)) == 1 and not _aside(claim, one, passage, other[0]):
                place = passage.place(other[0].span)
                return RuleFinding("date", "contradicted", part, passage, place, passage.text[slice(*other[0].span)])
    for passage in index.passages:
        if any(follows(one, d) for d in passage.dates):
            return RuleFinding("date", "elsewhere", part, passage, passage.span)
    stated = [figure for _, passage in near for figure in passage.figures]
    how = arithmetic.year_way(one, stated, [date for _, passage in near for date in passage.dates])
    if how is not None:
        return RuleFinding("derived", "same", part, near[0][1], near[0][1].span, how)
    return _looked("date", part, near)


@lang.derived
def _border() -> re.Pattern[str]:
    borders, articles = lang.either(lang.words("borders")), lang.either(lang.words("articles"))
    return re.compile(rf"(?:\b(?:{borders})(?:\s+(?:the|de))?|^\W*(?:{articles}))\s+$", re.IGNORECASE)


def _aside(claim: str, one: Date, passage: Passage, other: Date) -> bool:
    """Whether a date is a border (before 2010) or only names what is spoken of (The 1959 novel …): not what is claimed.

    Where the passage has the same word before its date, the two are about the same thing after all.
    """
    found = _border().search(claim[max(0, one.span[0] - 24) : one.span[0]])
    return found is not None and not passage.text[: other.span[0]].lower().endswith(found.group().lower())


def _looked(rule: str, part: str, near: Sequence[tuple[float, Passage]]) -> RuleFinding:
    best = near[0][1] if near else None
    return RuleFinding(rule, "missing", part, best, best.span if best else None)


# --- quotations, addresses, names --------------------------------------------------------------------------------


def _quote(one: quoting.Quote, index: Index, near: Sequence[tuple[float, Passage]]) -> RuleFinding:
    if quoting.key(one.text) in quoting.key(index.text):
        for passage in index.passages:
            place = quoting.find(one.text, passage.text)
            if place:
                return RuleFinding("quote", "same", one.text, passage, passage.place(place))
        return RuleFinding("quote", "same", one.text)
    return _looked("quote", one.text, near)


def _address(address: str, index: Index) -> RuleFinding:
    for source in index.sources:
        if address in source.text or address == source.origin:
            return RuleFinding("address", "same", address)
    return RuleFinding("address", "missing", address)


def _names(claim: str, index: Index, near: Sequence[tuple[float, Passage]], language: str) -> Iterator[RuleFinding]:
    swapped = _swapped(claim, near, language)
    if swapped is not None:
        yield swapped
    for name in naming.names(claim, language):
        if swapped is not None and name.text == swapped.part:
            continue
        absent = [stem for stem in name.stems if not index.has(stem) and not _quarter(stem, index)]
        if not absent or index.has(naming.initials(name)):
            yield RuleFinding("name", "same", name.text)
        elif len(absent) < len(name.stems) or all(map(index.nearly_has, absent)) or _short_form(name.text, index):
            yield RuleFinding("name", "elsewhere", name.text)
        else:
            yield _missing_name(claim, name, index, near, language)


def _quarter(stem: str, index: Index) -> bool:
    """`Q2` for the second quarter."""
    return len(stem) == 2 and stem[0] == "q" and stem[1] in "1234" and index.has(words.stem("quarter"))


def _swapped(claim: str, near: Sequence[tuple[float, Passage]], language: str) -> RuleFinding | None:
    """One name in the place of another in a sentence that is otherwise the same: `Bob won the race` for Alice."""
    mine = words.words(claim)
    told = set(words.content(claim))
    if not MIN_SENTENCE <= len(mine) <= MAX_SENTENCE or any(told <= passage.stems for _, passage in near):
        return None
    for _, passage in near[:2]:
        theirs = words.words(passage.text)
        if abs(len(theirs) - len(mine)) > 2:
            continue
        start = _common(mine, theirs)
        end = _common(mine[start:][::-1], theirs[start:][::-1])
        ours, other = mine[start : len(mine) - end], theirs[start : len(theirs) - end]
        if not ours or not other or max(len(ours), len(other)) > 3 or set(ours) & set(other):
            continue
        if "".join(ours) == "".join(other):
            continue  # the same name written otherwise: PhD and Ph.D.
        name, rival = naming.standing(claim, ours, language), naming.standing(passage.text, other, language)
        if name is not None and rival is not None:
            return RuleFinding("name", "contradicted", name.text, passage, passage.place(rival.span), rival.text)
    return None


def _common(one: Sequence[str], two: Sequence[str]) -> int:
    """How many words two rows have in common at their beginning."""
    return next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))


def _short_form(name: str, index: Index) -> bool:
    """`DC` for D.C. and `MA` for Massachusetts: two or three capitals say too little to be missing."""
    return (name.isupper() and len(name) <= 3) or ".".join(name.lower()) in index.text


def _missing_name(
    claim: str, name: naming.Name, index: Index, near: Sequence[tuple[float, Passage]], language: str
) -> RuleFinding:
    """A name that no source has: contradicted where a passage that says the same has another name in its place."""
    for _, passage in near:
        without = [s for s in dict.fromkeys(words.content(claim)) if s not in name.stems]
        total = sum(map(index.weight, without))
        alike = sum(index.weight(s) for s in without if s in passage.stems) / total if total else 0.0
        if alike < NEARLY_THE_SAME or len(without) < 3:
            continue
        mine = set(name.stems)
        for ours, theirs in wording.swaps(words.stems(claim), words.stems(passage.text)):
            rival = next((n for n in naming.names(passage.text, language) if set(n.stems) & set(theirs)), None)
            if mine & set(ours) and rival is not None and not set(rival.stems) & set(words.stems(claim)):
                return RuleFinding("name", "contradicted", name.text, passage, passage.place(rival.span), rival.text)
    return _looked("name", name.text, near)


# --- wording -----------------------------------------------------------------------------------------------------


def _said_of(passage: Passage) -> set[str]:
    return wording.without_negations(words.content(passage.text))


def _worded(claim: str, index: Index, near: Sequence[tuple[float, Passage]]) -> Iterator[RuleFinding]:
    """Negation and opposites against the one passage that says nearly the same."""
    if not near:
        return
    passage = near[0][1]
    mine = words.content(claim)
    alike = likeness(claim, passage, index)
    for one, other in wording.opposites(words.stems(claim), frozenset(words.stems(passage.text))):
        clear = alike >= NEARLY_THE_SAME - 0.1 and len(mine) >= 4 and not wording.loose(one)
        finding: Finding = "contradicted" if clear else "missing"
        yield RuleFinding("opposite", finding, one, passage, passage.span, other)
    ours, theirs = wording.negated(claim), wording.negated(passage.text)
    crossed = wording.crossed(claim, passage.text) if ours and theirs and not index.is_record else frozenset()
    if crossed:
        yield RuleFinding("denial", "contradicted", min(crossed), passage, passage.span)
    denied = (ours - theirs) & passage.stems | (theirs - ours) & set(mine)
    implied = wording.denies_otherwise(claim) or wording.denies_otherwise(passage.text)
    copied = _said_of(passage) == wording.without_negations(mine)
    enough = copied or (alike >= NEARLY_THE_SAME - 0.15 and len(mine) >= 3)
    if denied and bool(ours) != bool(theirs) and not implied and enough:
        one_sided = wording.denies(claim) != wording.denies(passage.text)
        finding = "contradicted" if alike >= NEARLY_THE_SAME and one_sided else "missing"
        yield RuleFinding("negation", finding, min(denied), passage, passage.span)
        said_so = any(_said_of(p) >= set(mine) and bool(wording.negated(p.text)) == bool(ours) for _, p in near)
        if copied and finding == "contradicted" and not said_so:
            # The source's own words with one `not` more or less: no probability speaks against that.
            yield RuleFinding("denial", "contradicted", min(denied), passage, passage.span)
    for extra in sorted(wording.superlatives(claim) - wording.superlatives(passage.text)):
        if words.stem(extra) not in passage.stems and extra not in index.text:
            yield RuleFinding("superlative", "missing", extra, passage, passage.span)


# --- how things stand to each other --------------------------------------------------------------------------------


def _related(claim: str, index: Index, near: Sequence[tuple[float, Passage]]) -> Iterator[RuleFinding]:
    """Who does what to whom and which is more, against the passages that speak about it."""
    for _, passage in near[:2]:
        verb = roles.swapped(claim, passage.text)
        if verb is not None:
            yield RuleFinding("role", "contradicted", verb, passage, passage.span)
            return
    for _, passage in near:
        found = ranking.contradicted(claim, passage)
        if found is not None and not index.has(words.stem(found[0])):
            finding: Finding = "contradicted" if found[1] else "same"
            yield RuleFinding("rank", finding, found[0], passage, passage.span)
            return
