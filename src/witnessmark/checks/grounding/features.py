"""A claim against its evidence in figures: how much of it is there, in which words, in which order, and what the rules say.

The names are those of the coefficients in weights.json; `training/fit_decision.py` fits them on the same function.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from witnessmark.checks.grounding import wording
from witnessmark.checks.grounding.evidence import LONGEST_WORD, ClaimInEvidence, Index, Passage
from witnessmark.checks.grounding.finding import RULES, RuleFinding, looked, weighing
from witnessmark.checks.grounding.reading.kinds import kind_of
from witnessmark.checks.grounding.reading.questions import is_question, own_words
from witnessmark.checks.grounding.relations.notation import SourceNotation, in_source_notation
from witnessmark.checks.grounding.relations.qualifiers import left_out
from witnessmark.checks.grounding.relations.word_for_word import stands_as_written, stands_in, stands_to_the_letter
from witnessmark.checks.grounding.relations.word_support import find_support
from witnessmark.checks.grounding.rules import points
from witnessmark.checks.grounding.statement import Statement
from witnessmark.checks.grounding.steps import worked_head
from witnessmark.checks.grounding.steps.stated_working import counts_told, is_of_a_calendar
from witnessmark.text import lang, words
from witnessmark.text.numbers import Number, figures

BRIEF = (120, 240)
LONGEST = 2000
"""Characters of a claim that are looked at; a sentence that long is not one."""
OTHER_WORDS = 8
"""Words that carry meaning from which on a sentence that says what a source says has one of its words in common with it."""
NEAR = 4
"""How many passages are looked at for a claim."""


@dataclass(frozen=True, slots=True)
class ClaimFeatures:
    """A claim as it was looked at: the passages, what the rules found, and the features."""

    near: tuple[tuple[float, Passage], ...]
    points: tuple[RuleFinding, ...]
    features: dict[str, float]
    borne_out: bool | None = None
    """Whether a passage has all it says; None in a language that the weights were fitted in, since they say more."""
    as_stated: SourceNotation | None = None
    """The claim in the notation of the evidence, for words and models; None where it was not looked for."""


def look_all(
    statements: Sequence[Statement], index: Index, language: str = "en", goal: str = ""
) -> list[ClaimFeatures]:
    """Look at all claims of a text.

    A figure that no source has is looked at once more, beside those of the other claims that the sources bear out: a total of the
    items below it, a difference to the sentence before.
    """
    told = [one.text for one in statements]
    around = [" ".join((*told[:at], *told[at + 1 :]))[:LONGEST] for at in range(len(told))]
    seen = [
        look(one.text, index, language, goal, one, around=rest) for one, rest in zip(statements, around, strict=True)
    ]
    borne_out = [
        _figures_of(one.text, found.points, FOUND, language) for one, found in zip(statements, seen, strict=True)
    ]
    for number, one in enumerate(statements):
        if _figures_of(one.text, seen[number].points, LACKING, language):
            others = [figure for place, figures in enumerate(borne_out) for figure in figures if place != number]
            if others:
                seen[number] = look(one.text, index, language, goal, one, others, around[number])
    return [_qualified(told, at, found, language, goal) for at, found in enumerate(seen)]


def _qualified(texts: Sequence[str], at: int, found: ClaimFeatures, language: str, goal: str) -> ClaimFeatures:
    """A claim with what it leaves out beside the words that it repeats, unless another claim or the question tells it."""
    more = tuple(left_out(texts[at][:LONGEST], _passages(found.near), language, [goal, *texts[:at], *texts[at + 1 :]]))
    return replace(found, points=(*found.points, *more)) if more else found


FOUND, LACKING = frozenset({"same", "elsewhere"}), frozenset({"missing", "contradicted"})
LENDING = weighing("lends")


def _figures_of(text: str, found: Sequence[RuleFinding], wanted: frozenset[str], language: str) -> list[Number]:
    """The figures of a claim of which the rules say one of these; what stands elsewhere only if there is a place where it does."""
    told = (one for one in found if one.finding in wanted and (one.finding != "elsewhere" or one.passage is not None))
    parts = {one.part for one in told if one.rule in LENDING}
    return [one for one in figures(text[:LONGEST], language) if text[slice(*one.span)] in parts] if parts else []


def look(
    claim: str,
    index: Index,
    language: str = "en",
    goal: str = "",
    statement: Statement | None = None,
    beside: Sequence[Number] = (),
    around: str = "",
) -> ClaimFeatures:
    """Look at one claim. What the goal itself puts in quotation marks needs no source.

    The statement it was read from says how it is put (hedged, told to do, an item of a list); `beside` are figures of the same
    text that the sources bear out, from which one of this claim may be worked out, and `around` are its other claims.
    """
    statement = statement or Statement((0, len(claim)), claim)
    claim = claim[:LONGEST]
    near = index.best(words.content(claim), NEAR)
    told_as = in_source_notation(claim, index, _passages(near), language)
    stems = words.content(told_as.text)
    near = index.best(stems, NEAR) if told_as.edits else near
    asked = goal if statement.kind == "short" else ""
    this = ClaimInEvidence(claim, index, _passages(near), language, goal, statement.code, beside, around)
    found = _ruling(this, statement, asked, told_as)
    told, rival = find_support(claim, this.near, found, language)
    if told is False and stands_as_written(claim, index):
        told, rival = True, None  # a whole sentence of a source, whatever other figures and denials it has
    found += [rival] if rival is not None else []
    # In another language hardly any word is the same.
    silent = statement.kind in ("refusal", "untold") or (language != index.language and not asked)
    found += () if silent else _foreign(this.saying(told_as.text), found, asked)
    features = _overlap(told_as.text, stems, index, near) | _order(told_as.text, near) | _ruled(this, found)
    features |= _kind(index, goal, statement)
    return ClaimFeatures(tuple(near), tuple(found), features, told, told_as)


def _ruling(this: ClaimInEvidence, statement: Statement, asked: str, told_as: SourceNotation) -> list[RuleFinding]:
    """What the rules find, without what the way the claim is put makes no finding."""
    found = points(this)
    if any(one.finding == "contradicted" for one in found):
        found = _uncontradicted(found, this, statement.citations)
    found = [one for one in found if not _asked(one, asked)]
    if statement.is_working:  # 12 months of a year need no source
        found = [one for one in found if (one.rule, one.finding) != ("figure", "missing") or not _is_calendar(one.part)]
    found = _worked(found, statement, this) if statement.working else found
    found = [
        one for one in found if one.rule != "name" or not told_as.has(this.claim, one.part)
    ]  # Swiss francs, as CHF
    if statement.kind == "table":  # a column left out puts names beside other names
        found = [one for one in found if (one.rule, one.finding) != ("name", "contradicted")]
    return found


def _passages(near: Sequence[tuple[float, Passage]]) -> list[Passage]:
    return [passage for _, passage in near]


def _uncontradicted(found: list[RuleFinding], this: ClaimInEvidence, citations: Sequence[str]) -> list[RuleFinding]:
    """The findings without what speaks against a sentence of a source; of a claim that cites a source which bears it out, what that one says."""
    if stands_to_the_letter(this.claim, this.index):
        return [one for one in found if one.finding != "contradicted"]
    cited = this.index.cited(citations)
    ids = frozenset(one for one in cited if one is not None)
    if not ids or None in cited or len(ids) == len(this.index.sources):
        return found
    held = this.index.only(ids)
    near = _passages(held.best(words.content(this.claim), NEAR))
    again = points(replace(this, index=held, near=near, beside=()))
    borne_out = any(one.finding == "same" for one in again)
    return again if borne_out and all(one.finding in FOUND for one in again) else found


def _asked(one: RuleFinding, question: str) -> bool:
    """Whether what no source mentions stands in the question that a short answer is read with: it is not the answer's to say."""
    return bool(question) and one.finding == "missing" and one.part.lower() in question.lower()


def _worked(found: list[RuleFinding], statement: Statement, this: ClaimInEvidence) -> list[RuleFinding]:
    """The findings on an answer that shows its working: how its figure comes of that, in place of what the sources say of the figure.

    A figure that another step than the one that is asked for makes (a sum where a difference is asked), or that takes what nobody tells
    (three further hours), is in no source.
    """
    head = statement.text.rpartition("? ")[2].rstrip(".")
    made = worked_head.step(head, statement.working, this.goal, this.language)
    parts = {head[slice(*one.span)] for one in figures(head, this.language)}
    told = any(one.part in parts and (one.rule, one.finding) == ("figure", "same") for one in found)
    if made is None or (told and not made.asked):
        return found
    if not made.asked:
        return [*found, looked("figure", head, this.near)]
    rest = [one for one in found if one.part not in parts and RULES[one.rule].part not in ("figure", "record")]
    if not counts_told(statement.working, this):
        return found if told else [*rest, looked("figure", head, this.near)]  # right or wrong, nobody can say
    place = this.near[0] if this.near else None
    return [*rest, RuleFinding("worked", "same", head, place, place.span if place else None, made.how)]


def _is_calendar(part: str) -> bool:
    return any(map(is_of_a_calendar, figures(part)))


def _foreign(this: ClaimInEvidence, found: Sequence[RuleFinding], question: str) -> list[RuleFinding]:
    """That no source has a word of what a claim itself says, whatever a model makes of it.

    The words of its question alone carry no short answer. A sentence may say in a few other words what a source says; in many it does not,
    and what goes on for longer than a sentence does is none.
    """
    said = own_words(this.claim, question) if question else this.claim
    if said is None or any(one.finding in FOUND for one in found):
        return []
    asked = frozenset(words.content(question))
    own = [stem for stem in words.content(said) if stem not in asked]
    known = any(map(this.index.mentions, own)) or not lang.words("by_themselves").isdisjoint(words.words(said))
    long = len(this.claim) >= LONGEST or any(len(stem) > LONGEST_WORD for stem in own)
    enough = bool(question) or len(own) >= OTHER_WORDS or long
    part = "" if long else said
    return [looked("words", part, this.near)] if enough and not known else []


def _kind(index: Index, goal: str, statement: Statement) -> dict[str, float]:
    """What kind of text it is, told from the input itself, and how the claim is put: each has its own prior."""
    text = kind_of(goal, record=index.is_record)
    record, asked = text == "record", text == "answer"
    return {
        "kind_record": float(record),
        "kind_answer": float(asked),
        "kind_question": float(asked and is_question(goal)),
        "put_softly": float(statement.hedge in ("hedge", "opinion", "note")),
        "put_as_advice": float(statement.hedge == "instruction"),
        "put_as_item": float(statement.kind == "item"),
    }


def _overlap(claim: str, stems: Sequence[str], index: Index, near: Sequence[tuple[float, Passage]]) -> dict[str, float]:
    wanted = list(dict.fromkeys(stems))
    weights = [(stem, index.weight(stem)) for stem in wanted]
    total = sum([weight for _, weight in weights]) or 1.0
    union = set().union(*(passage.stems for _, passage in near)) if near else set()
    row = words.stems(claim)
    pairs = list(pairwise(row))
    triples = list(zip(row, row[1:], row[2:], strict=False))
    new = [stem for stem in wanted if not index.has(stem)]
    return {
        "best": near[0][0] if near else 0.0,
        "union": sum([weight for stem, weight in weights if stem in union]) / total,
        "all": sum([weight for stem, weight in weights if index.has(stem)]) / total,
        "pairs": _share(pairs, index.runs),
        "triples": _share(triples, index.runs),
        "new_words": math.log1p(len(new)),
        "verbatim": float(_may_stand(near) and stands_in(claim, index)),
        "length": math.log1p(len(row)),
        "context": math.log1p(len(index.passages)),
        "brief": _brief(index.size),
    }


def _may_stand(near: Sequence[tuple[float, Passage]]) -> bool:
    """Whether a passage has every word of a claim, as one must in which it stands word for word; a claim of small words has none near."""
    return not near or math.isclose(near[0][0], 1.0)


def _brief(size: int) -> float:
    """How far a model sees all of the evidence at once: 1 up to 120 words, 0 from 240 on. Of more it reads a choice, and misses what was left out."""
    few, many = BRIEF
    return min(1.0, max(0.0, (many - size) / (many - few)))


def _share(runs: Sequence[tuple[str, ...]], known: Set[tuple[str, ...]]) -> float:
    return sum([run in known for run in runs]) / len(runs) if runs else 0.0


def _order(claim: str, near: Sequence[tuple[float, Passage]]) -> dict[str, float]:
    """How far the best passage says the claim's words in the claim's order, and how many words are swapped in place."""
    if not near:
        return {"longest": 0.0, "swaps": 0.0, "leftover": math.log1p(len(words.content(claim)))}
    row = words.stems(claim)
    best = near[0][1]
    theirs = words.stems(best.text)
    swapped = wording.swaps(row, theirs)
    outside = [stem for stem in words.content(claim) if stem not in best.stems]
    return {
        "longest": _longest(row, theirs) / max(1, len(row)),
        "swaps": math.log1p(sum(1 for ours, _ in swapped if any(s in outside for s in ours))),
        "leftover": math.log1p(len(outside)),
    }


def _longest(mine: Sequence[str], theirs: Sequence[str]) -> int:
    """The longest run of words both have, in order and without a gap."""
    best = 0
    ends: dict[int, int] = {}
    where: dict[str, list[int]] = {}
    for place, stem in enumerate(theirs):
        where.setdefault(stem, []).append(place)
    for stem in mine:
        places = where.get(stem)
        if places is None:
            ends = {}
            continue
        ends = {place: ends.get(place - 1, 0) + 1 for place in places}
        best = max(best, *ends.values())
    return best


def _ruled(this: ClaimInEvidence, found: Sequence[RuleFinding]) -> dict[str, float]:
    """What the rules found, counted as the table of rules has it, and how the claim and the best passage are put."""
    passage = this.near[0].text if this.near else ""
    features = dict.fromkeys((name for rule in RULES.values() for name, _ in rule.features), 0.0)
    features |= {
        "negated": float(bool(wording.negated(this.claim))),
        "surer": float(wording.hedged(passage) and not wording.hedged(this.claim)),
    }
    told = Counter((point.rule, point.finding) for point in found)
    rules = {point.rule for point in found}
    for name in (name for name in RULES if name in rules):
        for feature, findings in RULES[name].features:
            features[feature] += math.log1p(sum([told[name, finding] for finding in findings]))
    return features


__all__ = ["NEAR", "ClaimFeatures", "look"]
