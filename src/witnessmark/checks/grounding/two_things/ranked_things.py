"""Which of several things has the most, or came first, held to a sentence that gives each of them its figure: `Anna earns the most` beside Carla's 4,000 euros.

>>> from witnessmark.checks.grounding.evidence import ClaimInEvidence, EvidenceSource, Index
>>> index = Index([EvidenceSource("d", "Anna earns 3,100 euros, Boris 2,800 euros and Carla 4,000 euros a month.")])
>>> [ranked_things(ClaimInEvidence(f"{name} earns the most.", index)).finding for name in ("Anna", "Carla")]
['contradicted', 'same']
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from witnessmark.checks.grounding.evidence import ClaimInEvidence, Index
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.checks.grounding.reading import questions
from witnessmark.checks.grounding.relations.clauses import around
from witnessmark.checks.grounding.two_things.compared_values import MOST_PASSAGES, comparison, thing_of
from witnessmark.checks.grounding.two_things.thing_values import YEAR, ThingValue, rows_of_things
from witnessmark.checks.grounding.wording import denies
from witnessmark.text import lang, words
from witnessmark.text.patterns import compiled

_OF_SIZE = frozenset({"mass", "length", "area", "volume", "data"})


class RankedThing(NamedTuple):
    """What a claim says of a thing: in which word, that it has `more` or `less` of which kinds than another, or than all others; and its further words."""

    word: str
    side: str
    kinds: frozenset[str]
    what: frozenset[str]
    one: frozenset[str]
    other: frozenset[str]
    """Empty where it is said to be the first of all."""
    rest: frozenset[str]
    """What the sentence that has the figures must say as well."""


def ranked_things(this: ClaimInEvidence) -> RuleFinding | None:
    """What a row of figures says of a claim, or a short answer, that ranks one thing; None where no row is plain."""
    if denies(this.claim) or denies(this.goal) or len(this.index.passages) > MOST_PASSAGES:
        return None
    said = _said(this.claim, this.goal)
    if said is None:
        return _not_even(this.claim, this.index)
    rows = [row for row in rows_of_things(this.index) if _speaks_of(row, said)]
    found = [pair for row in rows if (pair := _pair(row, said)) is not None]
    if len({one.value < best.value for one, best in found}) != 1:
        return None
    one, best = found[0]
    right = one is best or (one.value > best.value) == (said.side == "more")
    if one is not best and one.value == best.value:
        return None
    if right and not said.other and len(rows) > 1:
        return None  # another row may have more
    shown = f"{one.shown} against {best.shown}" if one is not best else one.shown
    rule, finding = ("worked", "same") if right else ("compared", "contradicted")
    return RuleFinding(rule, finding, said.word, one.passage, one.passage.place(one.span), shown)  # type: ignore[arg-type] # one of the two


def _not_even(claim: str, index: Index) -> RuleFinding | None:
    """That the only two things of which a claim says that they have the same have not: `They weigh the same`."""
    match = _evenly().fullmatch(claim.strip().rstrip("."))
    what = frozenset(words.content(match["what"])) if match is not None else frozenset[str]()
    rows = [row for row in rows_of_things(index) if what and all(what <= one.said for one in row)]
    if match is None or len(rows) != 1 or len(rows[0]) != 2 or rows[0][0].value == rows[0][1].value:
        return None
    one, other = rows[0]
    shown = f"{one.shown} against {other.shown}"
    return RuleFinding("compared", "contradicted", match["same"], one.passage, one.passage.place(one.span), shown)


@lang.derived
def _evenly() -> re.Pattern[str]:
    both = lang.either(lang.listed("scope", "every_one") & {"both"} | lang.words("several"))
    same = lang.either(lang.phrases("numbers", "the_same"))
    return compiled(rf"(?:{both})\s+(?P<what>[^,;:]+?)\s+(?P<same>{same})(?:\s+[\w'’-]+)?", re.IGNORECASE)


def _pair(row: Sequence[ThingValue], said: RankedThing) -> tuple[ThingValue, ThingValue] | None:
    """The value of the thing and that of the other, or of the first of all; None where either is not plain."""
    mine = [one for one in row if said.one <= one.thing]
    theirs = [one for one in row if said.other <= one.thing] if said.other else list(row)
    if len(mine) != 1 or (said.other and (len(theirs) != 1 or theirs[0] is mine[0])):
        return None
    best = max(theirs, key=lambda one: one.value if said.side == "more" else -one.value)
    return mine[0], (mine[0] if best.value == mine[0].value and not said.other else best)


def _speaks_of(row: Sequence[ThingValue], said: RankedThing) -> bool:
    """Whether a row is of what is compared: its kind, the words of the claim, and for what is older when it began."""
    kind, noun = row[0].kind
    told = frozenset(stem for one in row for stem in one.passage.stems)
    if not said.rest <= told or not all(said.what <= one.said for one in row):
        return False
    if YEAR in said.kinds:
        return kind == YEAR and (bool(said.what) or all(words.stemmed(lang.words("begun")) & one.said for one in row))
    if kind == YEAR or ("any" in said.kinds and any(one.passage.dates for one in row)):
        return False  # figures of several times are not held against each other
    if "size" in said.kinds:
        return kind in _OF_SIZE or noun in words.stemmed(lang.listed("numbers", "sizes"))
    return kind.partition(":")[0] in said.kinds or ("any" in said.kinds and bool(said.what))


# --- what is said --------------------------------------------------------------------------------------------------


def _said(claim: str, goal: str) -> RankedThing | None:
    answer = questions.phrase(goal, claim)
    if answer:
        return _answered(questions.last_question(goal), answer)
    return _superlative(claim) or _than(claim)


@lang.derived
def _first_of_all() -> re.Pattern[str]:
    known = sorted(lang.merged("numbers", "superlative"), key=lambda word: (-len(word), word))
    return compiled(rf"\bthe\s+(?P<word>{'|'.join(known)})\b(?P<what>(?:\s+[\w'’-]+){{0,3}})", re.IGNORECASE)


@lang.derived
def _joint() -> re.Pattern[str]:
    joints = lang.either(lang.words("comes_before") | lang.words("comes_after"))
    return compiled(rf"\s(?P<when>{joints})\s", re.IGNORECASE)


def _ranked(word: str, what: str, left: str, thing: str, other: str, text: str) -> RankedThing | None:
    """What is said in these parts of a text; None where it names no thing."""
    low = word.lower()
    known = lang.merged("numbers", "superlative") | lang.merged("numbers", "comparison")
    when = {
        **dict.fromkeys(lang.words("comes_before"), "less year"),
        **dict.fromkeys(lang.words("comes_after"), "more year"),
    }
    side, *kinds = (known.get(low) or when[low]).split()
    one, two = thing_of(thing), thing_of(other) if other else frozenset()
    about = frozenset(words.content(left)) | frozenset(words.content(what))
    about -= one | two | frozenset(words.content(word))
    if not one - two or (other and not two - one):
        return None
    needed = about if "any" in kinds or low in when else frozenset()
    rest = frozenset(words.content(text)) - frozenset(words.content(word))
    return RankedThing(word, side, frozenset(kinds), needed, one - two, two - one, rest)


def _superlative(claim: str) -> RankedThing | None:
    found = list(_first_of_all().finditer(claim))
    if len(found) != 1:
        return None
    (match,) = found
    left, right = around(claim, *match.span("word"))
    if thing_of(left):
        return _ranked(match["word"], match["what"], left, left, "", claim)
    behind = re.split(rf"\b(?:{lang.either(lang.words('being'))})\b", right, maxsplit=1)
    return _ranked(match["word"], behind[0], "", behind[1], "", claim) if len(behind) == 2 else None


def _than(claim: str) -> RankedThing | None:
    """What is said with `than`, or with `before` and `after`."""
    said = comparison(claim) if " than " in claim else None
    if said is not None:
        needed = said.what if "any" in said.kinds else frozenset[str]()
        rest = frozenset(words.content(claim)) - frozenset(words.content(said.word))
        return RankedThing(said.word, said.side, said.kinds, needed, said.one, said.other, rest)
    found = list(_joint().finditer(claim))
    if len(found) != 1:
        return None
    left, right = around(claim, *found[0].span())
    return _ranked(found[0]["when"], "", left, left, right, claim)


def _answered(question: str, answer: str) -> RankedThing | None:
    """What a short answer says to `Who earns the least?`, or to `Which of the two is lighter?`."""
    match = _first_of_all().search(question) or re.search(
        rf"\b(?P<word>{'|'.join(sorted(lang.merged('numbers', 'comparison')))})(?P<what>)\s*\?", question, re.IGNORECASE
    )
    row = words.words(question)
    if match is None or row[0] not in lang.listed("questions", "which", "who"):
        return None
    left = question[len(row[0]) : match.start("word")]
    which = row[0] in lang.listed("questions", "which")
    noun = frozenset((*words.content(left), *words.content(match["what"]))[:1]) if which else frozenset[str]()
    thing = re.split(r"[,;(]", answer)[0]
    made = _ranked(match["word"], match["what"], left, thing, "", f"{question[len(row[0]) :]} {answer}")
    return None if made is None else made._replace(what=made.what - noun, rest=made.rest - noun)
