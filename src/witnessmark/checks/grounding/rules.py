"""What can be settled about a claim without a model: figures, dates, names, quotations, addresses, negation, opposites.

Each rule says of one part of a claim whether the evidence has the same (`same`), has it in another place (`elsewhere`),
has something else there (`contradicted`) or never mentions it (`missing`), with the place it looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from witnessmark.checks.grounding import wording
from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.checks.grounding.fields.asked_for import named_another
from witnessmark.checks.grounding.fields.exchanged import exchanged_values
from witnessmark.checks.grounding.fields.numbered import numbered_findings
from witnessmark.checks.grounding.fields.two_cells import two_cells
from witnessmark.checks.grounding.figure_rules import figure
from witnessmark.checks.grounding.finding import RuleFinding, looked
from witnessmark.checks.grounding.records import record_findings
from witnessmark.checks.grounding.relations import copied, date_rules, own_figures
from witnessmark.checks.grounding.relations.borne_out import counted
from witnessmark.checks.grounding.relations.clock_rule import clock
from witnessmark.checks.grounding.relations.figure_in_claim import FigureInClaim
from witnessmark.checks.grounding.relations.named_steps import all_told, says_little_else
from witnessmark.checks.grounding.relations.open_days import open_days
from witnessmark.checks.grounding.relations.word_shares import word_shares
from witnessmark.checks.grounding.scope.denied import is_denied
from witnessmark.checks.grounding.scope.exceptions import excepted
from witnessmark.checks.grounding.scope.opposed import NEARLY_THE_SAME, opposed
from witnessmark.checks.grounding.scope.quantified import quantified
from witnessmark.checks.grounding.two_things.comparisons import comparisons
from witnessmark.checks.grounding.two_things.roles import turned_round
from witnessmark.text import lang, words
from witnessmark.text import names as naming
from witnessmark.text import quotes as quoting
from witnessmark.text.dates import dates, without_dates
from witnessmark.text.numbers import Number, figures
from witnessmark.text.sentences import Span

_IDENTIFIER = re.compile(r"(?<![\w.-])(?:[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|--[a-z][a-z0-9]+(?:-[a-z0-9]+)*)\b")
_CODE_WORD = re.compile(r"[^\s,;=(){}\[\]\"'<>|`?&]{3,100}")
_GIVEN = re.compile(r"(?<=[?&])[A-Za-z]\w*=[^\s&`'\"<>()]*")
_ASKED = re.compile(r"[?&]([A-Za-z]\w*)(?==)")
"""A name in the query of an address: `limit` in `/v2/orders?limit=200`. Its value is the caller's."""
_STRING, _COMMENT, _PARTS = re.compile(r"\"[^\"]*\"|'[^']*'"), re.compile(r"\s*(?:#|//|--\s)"), re.compile(r"[-_./:@]+")
_COPIED = re.compile(r"^--[a-z]|[A-Za-z][-_./:@]+[A-Za-z]|[a-z][A-Z]|[A-Za-z]\d")
"""What tells a name that is copied from a word of a programming language, or of a comment."""
MIN_SENTENCE, LEAST_OPENING, MAX_SENTENCE = 3, 6, 40
"""Words of a sentence in which one name in another's place is looked for, and of the beginning of a longer one."""


def points(
    claim: str,
    index: Index,
    near: Sequence[tuple[float, Passage]],
    language: str = "en",
    goal: str = "",
    code: Sequence[str] = (),
    beside: Sequence[Number] = (),
) -> list[RuleFinding]:
    """All that the rules say about a claim.

    `near` are the passages that speak about it, best first, `code` what stands in it as code, `beside` figures of other claims
    that the sources bear out.
    """
    plain = _STRING.sub(_blank, claim) if tuple(code) == (claim,) else claim
    plain = _GIVEN.sub(_blank, plain)
    whole = list(copied.copied(plain, index, near, goal))
    for (start, end), _ in whole:
        plain = f"{plain[:start]}{' ' * (end - start)}{plain[end:]}"
    found = [one for one in dates(plain) if not counted(plain[slice(*one.span)], near, language)]
    # … less what stands in quotation marks in a line of code, or in the query of an address: that is an example
    told = [*record_findings(claim, index, language, goal), *two_cells(claim, index, language)]
    line = tuple(code) == (claim,)
    told = [one for one in told if not (line and one.rule == "field" and one.finding == "contradicted")]
    told += word_shares(claim, [passage for _, passage in near]) if language == "en" else ()
    timed = clock(plain, index, near, goal)
    rest = _not_clock(without_dates(figures(plain, language), found), claim, told)
    rest = [one for one in rest if not _covered(one, [span for span, _ in timed])]
    hours = [point.part for point in told if point.rule == "hours"]
    said = [
        *(one for _, one in timed if not any(one.part in part for part in hours)),
        *(figure(FigureInClaim(claim, one, rest, index, near, goal, beside)) for one in rest),
        *(date_rules.date(claim, one, index, near, goal) for one in found),
    ]
    said += [_quote(one, index, near) for one in quoting.quotes(claim) if quoting.find(one.text, goal) is None]
    said += [_address(one, claim, index, near) for one in quoting.urls(claim)]
    said += [found for _, found in whole]
    said += _identifiers(claim, code, index, near)
    tokens = {found.part for _, found in whole}
    named = _names(claim, index, near, language)
    said += [one for one in named if one.part not in tokens and not (line and _keywords(one.part, index))]
    said += open_days(claim, near)
    settled = any(one.rule in ("hours", "days") and one.finding == "same" for one in (*told, *said))
    out = excepted(claim, near)
    reach = (out, quantified(claim, near))
    said += [one for one in reach if one is not None]
    denied = any(one.stated and one.finding != "contradicted" and _denies_value(claim, one.part) for one in said)
    settled = settled or denied or out is not None or line
    said += () if settled else opposed(claim, index, near)  # closed at 23:00 denies nothing of open until 22:00
    said += numbered_findings(claim, index, language)
    said += _roles(claim, near)
    more = (exchanged_values(claim, near), named_another(claim, goal, index), *comparisons(claim, goal, index, near))
    said += [one for one in more if one is not None]
    said += _own(claim, near, language) if tuple(code) != (claim,) else ()
    ranked = {one.part for one in told if one.finding == "same"}  # the most, which all rows bear out
    said = [one for one in said if one.rule != "superlative" or one.part not in ranked]
    return _held([*told, *said], claim, index, goal)


def _denies_value(claim: str, part: str) -> bool:
    at = claim.find(part)
    return at >= 0 and is_denied(claim, (at, at + len(part)))


def _held(found: list[RuleFinding], claim: str, index: Index, goal: str) -> list[RuleFinding]:
    """The findings; a step that bears a figure out bears the claim out only where that says little else, and its other words have a source."""
    steps = [(one.part, one.stated) for one in found if one.rule == "worked"]
    if not steps or (says_little_else(claim, steps) and all_told(claim, index, goal)):
        return found
    return [replace(one, rule="derived") if one.rule == "worked" else one for one in found]


def _own(claim: str, near: Sequence[tuple[float, Passage]], language: str) -> Iterator[RuleFinding]:
    """What the figures of a claim themselves speak against, unless a source says it so; and a change that a source has the other way round."""
    quoted = " ".join(one.text for one in quoting.quotes(claim))
    for one in own_figures.wrong(claim, language):
        if one.part not in quoted and not any(
            one.part in {other.part for other in own_figures.wrong(p.text, language)} for _, p in near
        ):
            yield RuleFinding("own", "contradicted", one.part, stated=one.follows)
    found = own_figures.turned(claim, [passage.text for _, passage in near], language)
    if found is not None:
        passage = near[found[1]][1]
        yield RuleFinding("change", "contradicted", found[0], passage, passage.span)


def _roles(claim: str, near: Sequence[tuple[float, Passage]]) -> Iterator[RuleFinding]:
    """Two names that a source has the other way round."""
    found = turned_round(claim, [passage.text for _, passage in near if not passage.is_flattened])
    if found is not None:
        passage = [passage for _, passage in near if not passage.is_flattened][found[1]]
        yield RuleFinding("role", "contradicted", found[0], passage, passage.span)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())


def _not_clock(found: Sequence[Number], claim: str, told: Sequence[RuleFinding]) -> list[Number]:
    """The figures that are no part of opening hours which a record already bore out or contradicted."""
    spans = [(at := claim.find(point.part), at + len(point.part)) for point in told if point.rule == "hours"]
    spans += [
        (at := claim.find(point.part), at + len(point.part)) for point in told if point.rule in ("share", "worked")
    ]
    cells = {point.part for point in told if point.rule in ("cell", "worked", "bounded")}
    return [
        one
        for one in found
        if claim[slice(*one.span)] not in cells
        and not any(a <= one.span[0] < b for a, b in spans)
        and not (one.high == 0 and claim[: one.span[0]].endswith(":"))  # the full hour of a clock
    ]


def _covered(one: Number, settled: Sequence[Span]) -> bool:
    """Whether a figure begins and ends in times of day that are settled; `18.00 to 23.00` is one figure and two of them."""
    start, end = one.span
    return any(a <= start < b for a, b in settled) and any(a < end <= b for a, b in settled)


# --- quotations, addresses, names --------------------------------------------------------------------------------


def _quote(one: quoting.Quote, index: Index, near: Sequence[tuple[float, Passage]]) -> RuleFinding:
    if quoting.key(one.text) in quoting.key(index.text):
        for passage in index.passages:
            place = quoting.find(one.text, passage.text)
            if place:
                return RuleFinding("quote", "same", one.text, passage, passage.place(place))
        return RuleFinding("quote", "same", one.text)
    return looked("quote", one.text, near)


def _address(address: str, claim: str, index: Index, near: Sequence[tuple[float, Passage]]) -> RuleFinding:
    place, _, query = address.partition("?")
    named = query and all(re.search(rf"\b{re.escape(name.lower())}\b", index.text) for name in _ASKED.findall(address))
    known = {address, place} if named else {address}
    for source in index.sources:
        if source.origin in known or any(one in source.text for one in known):
            return RuleFinding("address", "same", address)
    rival = copied.in_its_place(claim, address, near, index, "url")
    if rival is None:
        return RuleFinding("address", "missing", address)
    return RuleFinding("address", "contradicted", address, rival[0], rival[0].span, rival[1])


def _identifiers(
    claim: str, code: Sequence[str], index: Index, near: Sequence[tuple[float, Passage]]
) -> list[RuleFinding]:
    """Names of settings, options and packages that no source has: they are copied, never put in other words.

    In prose only what is written as nothing else is (`queue_workers`, `--format`); as code in a sentence also `osprey-client`.
    A whole line of code has names of its own (variables, files, keywords): there only a name whose last part no source has.
    """
    if tuple(code) == (claim,):
        found = _words_of_code(_STRING.sub(" ", claim)) if not _COMMENT.match(claim) else []
        found = [one for one in found if _is_set(one, claim) or not (one.isupper() or _last_part_in(one, index))]
        filled = _filled_in(claim, index)
        found = [one for one in found if one not in filled]
    else:
        found = [*_IDENTIFIER.findall(claim), *(one for text in code for one in _words_of_code(text))]
    written = index.text + " ".join(source.text.lower() for source in index.sources) if found else ""
    return [looked("identifier", one, near) for one in dict.fromkeys(found) if one.lower() not in written]


LONG_COMMAND = 40
"""Words of a line of code among which placeholders are looked for."""


def _filled_in(line: str, index: Index) -> frozenset[str]:
    """What stands in a command where the sources have a placeholder: `twig sprout shopping-list` for `twig sprout NAME`."""
    row, filled = line.split()[:LONG_COMMAND], set[str]()
    for before, word in pairwise(row):
        asked = re.compile(rf"(?<!\w){re.escape(before)}[ =]\[?<?[A-Z][A-Z_]*\b")
        if word[0] != "-" and (before in filled or any(asked.search(passage.text) for passage in index.passages)):
            filled.add(word)
    return frozenset(filled)


def _is_set(name: str, line: str) -> bool:
    """Whether a line of code sets an option or a variable of the environment: those are never its own."""
    return name.startswith("--") or (name.isupper() and f"{name}=" in line)


def _last_part_in(name: str, index: Index) -> bool:
    return re.search(rf"\b{re.escape(_PARTS.split(name)[-1].lower())}\b", index.text) is not None


def _keywords(name: str, index: Index) -> bool:
    """Whether a name in a line of code is only words of a programming language, beside words that a source has: `SELECT`, `FROM Users`."""
    keywords = lang.words("code")
    return all(word in keywords or index.has(words.stem(word)) for word in words.words(name))


def _words_of_code(text: str) -> list[str]:
    copied = [one for word in _CODE_WORD.findall(text) if _COPIED.search(one := word.rstrip(".:/")) is not None]
    return [*copied, *_ASKED.findall(text)]


def _names(claim: str, index: Index, near: Sequence[tuple[float, Passage]], language: str) -> Iterator[RuleFinding]:
    swapped = _swapped(claim, near, language)
    if swapped is not None:
        yield swapped
    for name in naming.names(claim, language):
        if swapped is not None and name.text == swapped.part:
            continue
        absent = [stem for stem in name.stems if not index.has(stem)]
        if not absent or index.has(naming.initials(name)):
            yield RuleFinding("name", "same", name.text)
        elif _of_another_person(name, absent, index):
            yield looked("name", name.text, near)
        elif len(absent) < len(name.stems) or all(map(index.nearly_has, absent)) or _short_form(name.text, index):
            yield RuleFinding("name", "elsewhere", name.text)
        else:
            yield _missing_name(claim, name, index, near, language)


def _of_another_person(name: naming.Name, absent: Sequence[str], index: Index) -> bool:
    """Whether the sources have the family name with another first name only, and this one nowhere: Olive Perrin for Oscar Perrin."""
    first, _, last = name.text.partition(" ")
    if absent != [words.stem(first.lower())] or not last.isalpha() or index.nearly_has(absent[0]):
        return False
    known = re.compile(rf"(?<!\w)([A-ZÀ-ÖØ-Þ][\w’-]+)\s+{re.escape(last)}\b")
    others = {found for passage in index.passages for found in known.findall(passage.text)}
    titles = lang.listed("scope", "titles")
    firsts = {one for one in others if one.lower() not in titles}
    return len(firsts) == 1 and first.lower() not in titles and not min(firsts).startswith(first[:2])


def _swapped(claim: str, near: Sequence[tuple[float, Passage]], language: str) -> RuleFinding | None:
    """One name in the place of another in a sentence that is otherwise the same: `Bob won the race` for Alice."""
    mine = words.words(claim)
    told = set(words.content(claim))
    if not MIN_SENTENCE <= len(mine) <= MAX_SENTENCE or any(told <= passage.stems for _, passage in near):
        return None
    for _, passage in near[:2]:
        theirs = words.words(passage.text)
        if len(theirs) > len(mine) + 2 and len(mine) >= LEAST_OPENING:
            theirs = theirs[: len(mine)]  # it says the beginning of a longer sentence
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
    return looked("name", name.text, near)
