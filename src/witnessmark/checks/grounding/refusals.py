"""A refusal is a claim about the sources: that none of them answers. It is right where that is so.

Without a judge it holds where no source speaks about the question at all, nor about what the refusal names itself. Where one does,
words cannot tell whether it answers: then the refusal stays open, and lowers coverage; and what a source plainly speaks of, it does not leave out.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace

from witnessmark.checks.grounding import wording
from witnessmark.checks.grounding.decision import ClaimDecision
from witnessmark.checks.grounding.evidence import Index
from witnessmark.checks.grounding.reading import questions
from witnessmark.checks.grounding.reading.abrupt_ends import BREAKS_OFF
from witnessmark.checks.grounding.reading.silence import caveat, silence, thing, untold
from witnessmark.checks.grounding.statement import Statement
from witnessmark.text import lang, question_kinds, words
from witnessmark.text.language import detect_short
from witnessmark.text.names import names
from witnessmark.text.numbers import figures

MOST_MORE = 4
"""Words that carry meaning which a refusal may have beside those of the question: the province that is named instead."""
FOREIGN = 0.2
"""The share of a question's words, or of what is said to be left open, up to which the nearest passage is about something else."""
SILENT = 0.95
"""How probable it is that the sources leave open what they have no word of: they may still have another word for it."""
ASIDE = 0.9
"""The same of a caveat of which they lack a word at least; of those in written answers nine in ten are right."""
ALIKE = 5
"""Letters by which a word of a caveat is one of the question's: to cancel, cancellation."""
CLOSE = 2
"""Words that may stand between those of a topic where a source speaks of it: `tickets for young children`."""
PLAIN_TOPIC = 2
"""Words of a topic that a source surely speaks of where they stand side by side; of more, some other thing may be meant."""
NEAREST = 2
"""Passages about what a caveat speaks of among which its reason is looked for."""
HEADED = 80
"""Characters of the first line of a source that may be its title."""
NO_WORDS = "no word of it can be compared"
NO_SOURCE = "no source has a word of it"
APART = "the judges disagree on it"
OPEN = "only a judge can tell whether a source answers the question"


def readable(one: Statement, goal: str) -> Statement:
    """The statement as it can be compared: a refusal as a claim, and one without any word that carries meaning as open."""
    empty = one.checkable and not words.content(one.text) and not any(char.isdigit() for char in one.text)
    if one.why_not == "refusal":
        return read(one, goal)
    particle = questions.bare_answer(one.text) if one.checkable else ""
    if particle and questions.is_question(goal) and not questions.asks_what(goal):
        return replace(one, text=questions.as_statement(goal, particle.capitalize()), kind="short")
    if particle:
        return replace(one, why_not=NO_WORDS)
    left_open = one.checkable and one.kind in ("text", "item") and {untold(one.text), caveat(one.text)} != {None}
    if left_open:
        return replace(one, kind="untold")
    if empty and (one.kind == "title" or one.text.endswith(":")):
        return replace(one, kind="heading", why_not="heading")  # **What to do:**
    return replace(one, why_not=NO_WORDS) if empty else one


def read(one: Statement, goal: str) -> Statement:
    """The statement as a claim: a refusal, or `untold` where it says more than that nothing is said."""
    known = {*words.content(goal), *words.stemmed(lang.words("refusing"))}
    more = [stem for stem in words.content(one.text) if stem not in known]
    spoken = detect_short(one.text)
    told = {stem for name in names(goal, spoken) for stem in name.stems} | known
    named = any(not set(name.stems) <= told for name in names(one.text, spoken)[1:])
    says_more = len(more) > MOST_MORE or named or any(str(f.face) not in goal for f in figures(one.text))
    return replace(one, why_not="", kind="untold" if says_more else "refusal")


def decide(statement: Statement, goal: str, index: Index) -> ClaimDecision | None:
    """What words tell of a refusal that is all its sentence says; None where a reader must tell.

    That it holds, where hardly a word of the question stands in any source, and none of what it names beside that; without
    a question it is held to what it names, and to nothing where it names nothing.
    """
    topic = caveat(statement.text) or statement.text
    own = _beside(topic, goal) - _empty()
    asked = question_kinds.subject(goal) or own
    near = index.best(asked, 1)
    share = near[0][0] if near else 0.0
    spoken = any(index.has(stem) or index.has_form(stem) for stem in own) and not _unreasoned(topic, own, index)
    if not asked or share > FOREIGN or spoken:
        return None
    return ClaimDecision("supported", round(1 - share, 6), "overlap", None, ())


@lang.derived
def _empty() -> frozenset[str]:
    """The stems of what tells nothing of a topic: `to say`, `how much`, `information`."""
    empty = lang.words("refusing") | lang.words("asking") | lang.listed("silence", "clause", "measures")
    return words.stemmed(empty)


def silent(statement: Statement, index: Index, goal: str, before: str) -> ClaimDecision | None:
    """What words tell of a sentence that says what the sources leave unsaid, `before` being what is said before it; None where a reader must tell."""
    if _may_tell_why(statement.text, before, index):
        return None
    return unmentioned(statement, index, goal) or aside(statement, index, goal)


def _may_tell_why(said: str, before: str, index: Index) -> bool:
    """Whether a sentence speaks of a reason, and a passage about what was said before it has a word of reasons: that may be the reason."""
    if lang.listed("silence", "of_reasons").isdisjoint(words.words(said)):
        return False
    reasons = lang.listed("additions", "causes")
    near = (words.words(passage.text) for _, passage in index.best(words.content(before), NEAREST))
    return not all(map(reasons.isdisjoint, near))


def aside(statement: Statement, index: Index, goal: str) -> ClaimDecision | None:
    """Whether the sources leave open what a caveat says they do: they do where they lack a word of it, and do not where they plainly speak of it.

    None where they may, and of what the question itself asks: whether the answer stands in a source, words alone never tell.
    """
    topic = caveat(statement.text) if statement.kind in ("untold", "refusal") and index.read >= 1 else None
    if topic is None or _takes_for_granted(topic, index):
        return None
    own = _beside(thing(topic) or topic, goal) - _empty()
    known = all(index.has(stem) or index.has_form(stem) for stem in own)
    if known and not _unpriced(topic, goal, index):
        return _spoken_of(thing(topic, whole=not own), {source.id for source in index.sources}, index)
    return ClaimDecision("supported", ASIDE, "overlap", None, ())


def _unpriced(topic: str, goal: str, index: Index) -> bool:
    """Whether a topic is what something costs, which the question does not ask, and the sources have neither a sum nor a word of money."""
    money = lang.listed("silence", "money")
    if money.isdisjoint(words.words(topic)) or not money.isdisjoint(words.words(goal)):
        return False
    sums = (one for passage in index.passages for one in passage.figures if one.dimension.startswith("money:"))
    return next(sums, None) is None and not any(map(index.has, map(words.stem, money)))


def _unreasoned(topic: str, own: Set[str], index: Index) -> bool:
    """Whether a topic is why something is so, and no passage that has a word of it has a word of reasons: that it is so tells no reason."""
    reasons = lang.listed("additions", "causes")
    told = (passage for passage in index.passages if not own.isdisjoint(passage.stems))
    asked = not lang.listed("silence", "asks_reason").isdisjoint(words.words(topic)[:1])
    return asked and all(reasons.isdisjoint(words.words(passage.text)) for passage in told)


def _beside(topic: str, goal: str) -> set[str]:
    """The words of a topic that are none of the question's, in whatever form: early cancellation beside to cancel."""
    asked = {stem[:ALIKE] for stem in words.content(goal)}
    return {stem for stem in words.content(topic) if stem[:ALIKE] not in asked}


def _takes_for_granted(topic: str, index: Index) -> bool:
    """Whether a topic has a figure or a name that no source has: `why the 12 million fine was paid` says that there is one."""
    named = [stem for name in names(topic, index.language) for stem in name.stems]
    return any(one not in index.text for one in (topic[slice(*f.span)] for f in figures(topic))) or not all(
        map(index.has, named)
    )


def left_open(one: Statement, apart: bool = False) -> Statement:
    """A statement that nobody settled, with the reason; `apart` where judges see it differently."""
    if apart:
        return replace(one, why_not=APART)
    return replace(
        one, why_not=BREAKS_OFF if one.breaks_off else OPEN if one.kind in ("untold", "refusal") else NO_SOURCE
    )


def _unheard(statement: Statement, decided: ClaimDecision, index: Index) -> bool:
    """Whether only a model speaks for a statement of which no source has a word in any form, though they are in its language: that bears nothing out."""
    if decided.by != "model" or decided.status not in ("supported", "partial") or index.read < 1:
        return False
    said = words.content(statement.text)
    if not said or any(index.mentions(stem) or index.nearly_has(stem) for stem in said) or figures(statement.text):
        return False
    return detect_short(statement.text) in {passage.language for passage in index.passages}


def is_open(statement: Statement, decided: ClaimDecision, goal: str, index: Index) -> bool:
    """Whether what speaks for a statement does not carry it: of what it says that the sources leave open one speaks, or none has a word of it."""
    if statement.kind != "untold" or decided.status != "supported":
        return _unheard(statement, decided, index)
    empty = words.stemmed(lang.words("refusing") | lang.words("asking") | lang.listed("silence", "clause"))
    topic, said = (
        [stem for stem in words.content(text) if stem not in empty]
        for text in (untold(statement.text) or "", statement.text)
    )
    near = index.best(topic or question_kinds.subject(goal) or said, 1)
    return bool(near) and near[0][0] > FOREIGN


def unmentioned(statement: Statement, index: Index, goal: str = "") -> ClaimDecision | None:
    """Whether a source leaves unsaid what a sentence says it does (`the timetable says nothing about dogs`).

    It does where no word of that stands in any source, in whatever form, apart from those of the question, which name what all
    of it is about; and does not where the source that is meant speaks of it. None otherwise, and where only a part of the sources was read.
    """
    said = silence(statement.text)
    topic = set(words.content(said.topic)) if said is not None else set()
    if said is None or not 0 < len(topic) <= MOST_MORE or index.read < 1:
        return None
    meant = _meant(said.who, index)
    if said.titled and not meant:
        return None
    own = _beside(said.topic, goal) - words.stemmed(lang.words("asking"))
    if own and not any(index.has(stem) or index.has_form(stem) for stem in own):
        return ClaimDecision("supported", SILENT, "overlap", None, ())
    return _spoken_of(said.topic if said.plain else "", meant or {source.id for source in index.sources}, index)


def _spoken_of(topic: str, sources: Set[str], index: Index) -> ClaimDecision | None:
    """That the one source which can be meant speaks of a thing, where it plainly does: then it does not leave it out."""
    stems = tuple(dict.fromkeys(words.content(topic)))
    if not 0 < len(stems) <= PLAIN_TOPIC or len(sources) > 1:
        return None
    spoken = (passage for passage in index.passages if passage.source in sources and _speaks_of(stems, passage.text))
    found = next(spoken, None)
    if found is None:
        return None
    return ClaimDecision("unsupported", round(1 - SILENT, 6), "overlap", None, ((found.source, found.span),))


def _meant(who: str, index: Index) -> set[str]:
    """The sources whose title has the words that one is called by; none where no title has."""
    wanted = set(words.content(who))
    titles = {
        one.id: f"{one.id} {one.origin} {one.text.lstrip()[:HEADED].partition(chr(10))[0]}" for one in index.sources
    }
    return {name for name, title in titles.items() if wanted and wanted <= set(words.content(title))}


def _speaks_of(topic: Sequence[str], text: str) -> bool:
    """Whether a sentence has all words of a topic close together, and does not say itself that nothing is told of them."""
    row = words.stems(text)
    places = [place for place, stem in enumerate(row) if stem == topic[0]]
    reach = len(topic) + CLOSE
    near = any(set(topic) <= set(row[max(0, place - reach) : place + reach]) for place in places)
    untold = wording.negated(text) & words.stemmed(lang.words("refusing"))
    return near and not untold and silence(text) is None
