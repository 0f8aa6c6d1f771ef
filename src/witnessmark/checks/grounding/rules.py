"""What can be settled about a claim without a model: figures, dates, names, quotations, addresses, negation, opposites.

Each rule says of one part of a claim whether the evidence has the same (`same`), has it in another place (`elsewhere`),
has something else there (`contradicted`) or never mentions it (`missing`), with the place it looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from witnessmark.checks.grounding import wording
from witnessmark.checks.grounding.evidence import ClaimInEvidence, Index, once
from witnessmark.checks.grounding.fields.numbered_items import numbered_findings
from witnessmark.checks.grounding.fields.question_targets import named_another
from witnessmark.checks.grounding.fields.two_cells import two_cells
from witnessmark.checks.grounding.fields.value_swaps import exchanged_values
from witnessmark.checks.grounding.figure_rules import figure
from witnessmark.checks.grounding.finding import RuleFinding, looked
from witnessmark.checks.grounding.records import record_findings
from witnessmark.checks.grounding.relations import date_rules, exact_tokens, own_figures
from witnessmark.checks.grounding.relations.clock_rule import clock
from witnessmark.checks.grounding.relations.figure_in_claim import figures_in_claim
from witnessmark.checks.grounding.relations.open_days import open_days
from witnessmark.checks.grounding.relations.word_for_word import other_sign
from witnessmark.checks.grounding.relations.word_shares import word_shares
from witnessmark.checks.grounding.relations.word_support import is_thousands_figure
from witnessmark.checks.grounding.scope.conditions import turned_condition
from witnessmark.checks.grounding.scope.contraries import NEARLY_THE_SAME, contrary_findings
from witnessmark.checks.grounding.scope.exceptions import excepted
from witnessmark.checks.grounding.scope.inclusion import other_inclusion
from witnessmark.checks.grounding.scope.other_section import other_section
from witnessmark.checks.grounding.scope.quantifiers import quantifier_finding
from witnessmark.checks.grounding.scope.recurrence import every_one_of_some, other_rhythm
from witnessmark.checks.grounding.scope.value_denials import is_denied
from witnessmark.checks.grounding.scope.year_parts import is_at_another_time, part_findings
from witnessmark.checks.grounding.steps.named_steps import all_told, says_little_else
from witnessmark.checks.grounding.two_things.compared_values import compared_values
from witnessmark.checks.grounding.two_things.event_order import event_order
from witnessmark.checks.grounding.two_things.other_counts import other_count
from witnessmark.checks.grounding.two_things.other_measures import other_measure
from witnessmark.checks.grounding.two_things.ranked_things import ranked_things
from witnessmark.checks.grounding.two_things.roles import turned_round
from witnessmark.checks.grounding.two_things.total_of_some import total_of_some
from witnessmark.text import lang, words
from witnessmark.text import names as naming
from witnessmark.text import quotes as quoting
from witnessmark.text.dates import without_dates
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


# --- what records and figures say ----------------------------------------------------------------------------------


@once
def _records(this: ClaimInEvidence) -> list[RuleFinding]:
    """What records and counts say of the values and the shares of a claim; a line of code may set a value of its own."""
    found = (*record_findings(this), *two_cells(this))
    told = [one for one in found if not (this.is_code and one.rule == "field" and one.finding == "contradicted")]
    return [*told, *(word_shares(this.claim, this.near) if this.language == "en" else ())]


@once
def _tokens(this: ClaimInEvidence) -> list[tuple[Span, RuleFinding]]:
    """What is copied as a whole, each with its place."""
    return list(exact_tokens.token_findings(this.saying(_without_examples(this))))


def _plain(this: ClaimInEvidence) -> ClaimInEvidence:
    """The claim without examples and without what is copied as a whole."""
    plain = _without_examples(this)
    for (start, end), _ in _tokens(this):
        plain = f"{plain[:start]}{' ' * (end - start)}{plain[end:]}"
    return this.saying(plain)


def _without_examples(this: ClaimInEvidence) -> str:
    """The claim without what stands in quotation marks in a line of code, or in the query of an address."""
    plain = _STRING.sub(_blank, this.claim) if this.is_code else this.claim
    return _GIVEN.sub(_blank, plain)


@once
def _values(this: ClaimInEvidence) -> list[RuleFinding]:
    """What the evidence says of the times of day, the figures and the dates that no record settles."""
    plain = _plain(this)
    days = [
        day for day in plain.dates if not is_thousands_figure(plain.claim[slice(*day.span)], this.near, this.language)
    ]
    timed = clock(plain)
    hours = [one.part for one in _records(this) if one.rule in ("hours", "days")]
    rest = [
        one
        for one in without_dates(figures(plain.claim, this.language), days)
        if not _is_settled(one, this) and not _covered(one, [span for span, _ in timed])
    ]
    return [
        *(one for _, one in timed if not any(one.part in part for part in hours)),
        *map(figure, figures_in_claim(this, rest)),
        *(date_rules.date(this, day) for day in days),
    ]


def _is_settled(one: Number, this: ClaimInEvidence) -> bool:
    """Whether a record bears a figure out or contradicts it, by itself or in the opening hours, the share or the step that it is a part of."""
    part, start = this.claim[slice(*one.span)], one.span[0]
    if one.high == 0 and this.claim[:start].endswith(":"):
        return True  # the full hour of a clock
    for told in _records(this):
        at = this.claim.find(told.part)
        if told.rule in ("hours", "days", "share", "worked") and at <= start < at + len(told.part):
            return True
        if told.rule in ("cell", "worked", "bounded") and told.part == part:
            return True
    return False


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())


def _covered(one: Number, settled: Sequence[Span]) -> bool:
    """Whether a figure begins and ends in times of day that are settled; `18.00 to 23.00` is one figure and two of them."""
    start, end = one.span
    return any(a <= start < b for a, b in settled) and any(a < end <= b for a, b in settled)


# --- the sentence as a whole ---------------------------------------------------------------------------------------


def _contrasts(this: ClaimInEvidence) -> Iterator[RuleFinding]:
    """Denials, opposites and superlatives, unless another rule has read what the claim denies: closed at 23:00 denies nothing of open until 22:00."""
    hours = (one for one in (*_records(this), *_values(this), *open_days(this)) if one.rule in ("hours", "days"))
    settled = this.is_code or any(one.finding == "same" for one in hours)
    denied = (one for one in _values(this) if one.stated and one.finding != "contradicted")
    if settled or excepted(this) is not None or any(_denies_value(this.claim, one.part) for one in denied):
        return
    ranked = {one.part for one in _records(this) if one.finding == "same"}  # the most, which all rows bear out
    apart = _follows_a_day(this) or is_at_another_time(this)
    for one in contrary_findings(this):
        if not (one.rule == "superlative" and one.part in ranked) and not (one.rule == "opposite" and apart):
            yield one


def _follows_a_day(this: ClaimInEvidence) -> bool:
    """Whether every date of a claim is another that follows from a stated one: what starts on 1 June and lasts two weeks ends on 15 June."""
    made = {one.part for one in _values(this) if one.rule in ("worked", "derived") and one.finding == "same"}
    return bool(this.dates) and all(this.claim[slice(*day.span)] in made for day in this.dates)


def _denies_value(claim: str, part: str) -> bool:
    at = claim.find(part)
    return at >= 0 and is_denied(claim, (at, at + len(part)))


def _own(this: ClaimInEvidence) -> Iterator[RuleFinding]:
    """What the figures of a claim themselves speak against, unless a source says it so; and a change that a source has the other way round."""
    if this.is_code:
        return
    quoted = " ".join(one.text for one in quoting.quotes(this.claim))
    for one in own_figures.wrong(this.claim, this.language):
        theirs = (other.part for p in this.near for other in own_figures.wrong(p.text, this.language))
        if one.part not in quoted and one.part not in theirs:
            yield RuleFinding("own", "contradicted", one.part, stated=one.follows)
    found = own_figures.turned(this.claim, [passage.text for passage in this.near], this.language)
    if found is not None:
        passage = this.near[found[1]]
        yield RuleFinding("change", "contradicted", found[0], passage, passage.span)


def _roles(this: ClaimInEvidence) -> Iterator[RuleFinding]:
    """Two names that a source has the other way round."""
    plain = [passage for passage in this.near if not passage.is_flattened]
    found = turned_round(this.claim, [passage.text for passage in plain])
    if found is not None:
        yield RuleFinding("role", "contradicted", found[0], plain[found[1]], plain[found[1]].span)


# --- quotations, addresses, names --------------------------------------------------------------------------------


def _quotes(this: ClaimInEvidence) -> Iterator[RuleFinding]:
    """What stands in quotation marks; what the question itself puts there needs no source."""
    for one in quoting.quotes(this.claim):
        if quoting.find(one.text, this.goal) is not None:
            continue
        if quoting.key(one.text) not in quoting.key(this.index.text):
            yield looked("quote", one.text, this.near)
            continue
        places = ((passage, quoting.find(one.text, passage.text)) for passage in this.index.passages)
        found = next(((passage, passage.place(place)) for passage, place in places if place), (None, None))
        yield RuleFinding("quote", "same", one.text, *found)


def _addresses(this: ClaimInEvidence) -> Iterator[RuleFinding]:
    for address in quoting.urls(this.claim):
        place, _, query = address.partition("?")
        asked = (re.search(rf"\b{re.escape(name.lower())}\b", this.index.text) for name in _ASKED.findall(address))
        known = {address, place} if query and all(asked) else {address}
        rival = None
        if any(one.origin in known or any(url in one.text for url in known) for one in this.index.sources):
            yield RuleFinding("address", "same", address)
        elif (rival := exact_tokens.in_its_place(this, address, "url")) is not None:
            yield RuleFinding("address", "contradicted", address, rival[0], rival[0].span, rival[1])
        else:
            yield RuleFinding("address", "missing", address)


def _identifiers(this: ClaimInEvidence) -> list[RuleFinding]:
    """Names of settings, options and packages that no source has: they are copied, never put in other words.

    In prose only what is written as nothing else is (`queue_workers`, `--format`); as code in a sentence also `osprey-client`.
    A whole line of code has names of its own (variables, files, keywords): there only a name whose last part no source has.
    """
    claim, index = this.claim, this.index
    if this.is_code:
        found = _words_of_code(_STRING.sub(" ", claim)) if not _COMMENT.match(claim) else []
        found = [one for one in found if _is_set(one, claim) or not (one.isupper() or _last_part_in(one, index))]
        filled = _filled_in(claim, index)
        found = [one for one in found if one not in filled]
    else:
        found = [*_IDENTIFIER.findall(claim), *(one for text in this.code for one in _words_of_code(text))]
    written = index.text + " ".join(source.text.lower() for source in index.sources) if found else ""
    return [looked("identifier", one, this.near) for one in dict.fromkeys(found) if one.lower() not in written]


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


def _names(this: ClaimInEvidence) -> Iterator[RuleFinding]:
    """The names that are no part of what is copied as a whole, nor words of a programming language."""
    tokens = {token.part for _, token in _tokens(this)}
    for one in _all_names(this):
        if one.part not in tokens and not (this.is_code and _keywords(one.part, this.index)):
            yield one


def _all_names(this: ClaimInEvidence) -> Iterator[RuleFinding]:
    index, swapped = this.index, _swapped(this)
    if swapped is not None:
        yield swapped
    for name in naming.names(this.claim, this.language):
        if swapped is not None and name.text == swapped.part:
            continue
        absent = [stem for stem in name.stems if not index.has(stem)]
        if not absent or index.has(naming.initials(name)):
            yield RuleFinding("name", "same", name.text)
        elif _of_another_person(name, absent, index):
            yield looked("name", name.text, this.near)
        elif len(absent) < len(name.stems) or all(map(index.nearly_has, absent)) or _short_form(name.text, index):
            yield RuleFinding("name", "elsewhere", name.text)
        else:
            yield _missing_name(this, name)


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


def _swapped(this: ClaimInEvidence) -> RuleFinding | None:
    """One name in the place of another in a sentence that is otherwise the same: `Bob won the race` for Alice."""
    mine = words.words(this.claim)
    told = set(words.content(this.claim))
    if not MIN_SENTENCE <= len(mine) <= MAX_SENTENCE or any(told <= passage.stems for passage in this.near):
        return None
    for passage in this.near[:2]:
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
        name = naming.standing(this.claim, ours, this.language)
        rival = naming.standing(passage.text, other, this.language)
        if name is not None and rival is not None:
            return RuleFinding("name", "contradicted", name.text, passage, passage.place(rival.span), rival.text)
    return None


def _common(one: Sequence[str], two: Sequence[str]) -> int:
    """How many words two rows have in common at their beginning."""
    return next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))


def _short_form(name: str, index: Index) -> bool:
    """`DC` for D.C. and `MA` for Massachusetts: two or three capitals say too little to be missing."""
    return (name.isupper() and len(name) <= 3) or ".".join(name.lower()) in index.text


def _missing_name(this: ClaimInEvidence, name: naming.Name) -> RuleFinding:
    """A name that no source has: contradicted where a passage that says the same has another name in its place."""
    row, mine, weight = words.stems(this.claim), set(name.stems), this.index.weight
    without = [s for s in dict.fromkeys(words.content(this.claim)) if s not in mine]
    total = sum(map(weight, without))
    for passage in this.near if len(without) >= 3 else ():
        alike = sum(weight(s) for s in without if s in passage.stems) / total
        for ours, theirs in wording.swaps(row, words.stems(passage.text)) if alike >= NEARLY_THE_SAME else ():
            rival = next((n for n in naming.names(passage.text, this.language) if set(n.stems) & set(theirs)), None)
            if mine & set(ours) and rival is not None and not set(rival.stems) & set(row):
                return RuleFinding("name", "contradicted", name.text, passage, passage.place(rival.span), rival.text)
    return looked("name", name.text, this.near)


# --- all of them ---------------------------------------------------------------------------------------------------


IN_ORDER: tuple[Callable[[ClaimInEvidence], Iterable[RuleFinding] | RuleFinding | None], ...] = (
    part_findings,
    *(_records, _values, _quotes, _addresses, lambda this: [found for _, found in _tokens(this)], _identifiers, _names),
    *(open_days, excepted, quantifier_finding, _contrasts, numbered_findings, _roles, exchanged_values, named_another),
    *(
        lambda this: compared_values(this) or ranked_things(this),
        event_order,
        other_measure,
        other_count,
        total_of_some,
        _own,
    ),
    other_sign,
    lambda this: other_rhythm(this) or every_one_of_some(this),
    other_inclusion,
    other_section,
    turned_condition,
)
"""Every rule, in the order in which findings count: of two that settle a claim, the first is told."""


def points(this: ClaimInEvidence) -> list[RuleFinding]:
    """All that the rules say about a claim.

    A step that bears a figure out bears the claim out only where that says little else, and its other words have a source.
    """
    said = (rule(this) for rule in IN_ORDER)
    found = [one for told in said for one in ((told,) if isinstance(told, RuleFinding) else told or ())]
    steps = [(one.part, one.stated) for one in found if one.rule == "worked"]
    if not steps or (says_little_else(this.claim, steps) and all_told(this.claim, this.index, this.goal)):
        return found
    return [replace(one, rule="derived") if one.rule == "worked" else one for one in found]
