"""Where a sentence says more than one thing: its statements as claims of their own, with exact places."""

from __future__ import annotations

import re
from dataclasses import replace

from witnessmark.checks.grounding.reading.compound import auxiliaries, past, states
from witnessmark.checks.grounding.reading.grammar import without_not
from witnessmark.checks.grounding.reading.markup import citations, cleaned
from witnessmark.checks.grounding.reading.pronouns import subject_of
from witnessmark.checks.grounding.statement import Statement
from witnessmark.text import lang
from witnessmark.text.sentences import Span
from witnessmark.text.words import irregular_forms

MIN_CLAUSE_WORDS = 5
MIN_SAID = 3
"""Words of a clause that certainly has a subject and a verb of its own."""
REACH = 400
"""How far around a cut is looked; every step is bounded, since what is judged may have been made to take long."""
_LAST_THING = re.compile(r"(?:(?<=\s)[tT]he (?:[a-zß-ÿ-]+ )?[a-zß-ÿ-]+|(?<=[a-z,] )[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)+)$")
"""What a clause ends with, where a relative clause after it can be about nothing else: `the mill`, `Peter Lang`."""


@lang.derived
def _clause() -> re.Pattern[str]:
    joining, subject = lang.either(lang.words("joining")), lang.either(lang.words("subjects"))
    pronoun = lang.either(lang.words("pronouns") - lang.words("demonstratives"))
    return re.compile(
        rf";\s+|,\s+(?=(?:{joining})\s+(?:{subject}|[A-ZÄÖÜÉ](?:[\w'-]+|\.))\s)|(?<!\s)\s+(?=(?:{joining})\s+(?:{pronoun})\s)"
    )


@lang.derived
def _shared() -> re.Pattern[str]:
    """Where a second verb follows the same subject: `…, and has cost …`, `… and took …`."""
    verb = lang.either(lang.words("verbs", "en") | irregular_forms("en"))
    return re.compile(rf",?\s+(?=(?:{lang.either(lang.words('joining', 'en'))})\s+(?:{verb}|\w+ed)\s)")


@lang.derived
def _joint() -> re.Pattern[str]:
    """What may join two statements that both have a subject and a verb: a mark, a bracket at the end, a word."""
    joining, comma = lang.words("joining"), lang.words("joining_after_comma")
    words = rf",\s+(?=(?:{lang.either(joining)})\s)|(?<!\s)\s+(?=(?:{lang.either(joining - comma)})\s)"
    return re.compile(rf";\s+|(?<!\s)\s+[–—-]{{1,2}}\s+|—|:\s+|\s\((?=[^()]{{8,}}\)[.!?]?$)|{words}")


@lang.derived
def _side_clause() -> re.Pattern[str]:
    """A clause beside the main one: `…, after the storm had passed.`, `Although it rained, …`, `…, whose mill burned down, …`, `… (the navy owns it) …`."""
    after, comma = lang.either(lang.words("beside")), lang.either(lang.words("beside_after_comma"))
    inner = r"(?:[^,;()]|,(?=\d))"
    leading = lang.either(word.capitalize() for word in lang.words("beside_first"))
    return re.compile(
        rf"^(?:{leading})\s+(?P<first>{inner}{{8,}}),\s+(?=(?P<main>.+))|\s\((?P<inside>[^()]{{8,}})\)(?=\s)"
        rf"|,\s+(?P<who>{lang.either(lang.words('relative'))})\s+(?P<told>{inner}{{5,}})|(?:,?\s+(?:{after})|,\s+(?:{comma}))\s+(?P<last>{inner}{{8,}})(?=$|,)"
    )


@lang.derived
def _being() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{lang.either(lang.words('being'))})\b")


@lang.derived
def joining() -> re.Pattern[str]:
    """The word that a statement opens with where it is joined to another one."""
    return re.compile(rf"^(?:{lang.either(lang.words('joining'))})\s+(?=\w)")


@lang.derived
def _verb() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{lang.either(lang.words('verbs'))})\b|\w+(?:{lang.either(lang.words('verb_endings'))})\b")


def with_beside(text: str, one: Statement) -> list[Statement]:
    """A statement that says something in a clause beside the main one, and what it says there as a claim of its own.

    The statement keeps all its words, since what joins the two (`because`, `after`) is said too; its place is what stands before the
    clause, or all that stands after it where the sentence goes on.
    """
    start, end = one.span
    for mark in _side_clause().finditer(text[start:end], 0, 2 * REACH):
        name = next(name for name in ("first", "inside", "told", "last") if mark[name])
        said = _beside_said(cleaned(mark[name]), name, text[start : start + mark.start()], mark["who"])
        if len(said.split()) < MIN_SAID or _whenever(text[start + mark.start() : start + mark.start(name)], one.text):
            continue
        at, stop = start + mark.start(name), start + mark.end(name)
        rest = next((n for n in range(start + mark.end(), end) if text[n].isalnum()), end)
        further = Statement((start, stop), f"{said[:1].upper()}{said[1:]}.", one.kind, one.citations, beside=True)
        if rest < end:
            return [further, replace(one, span=(rest, end))]
        return [
            replace(one, span=trimmed(text, start, start + mark.start())),
            replace(further, span=trimmed(text, at, stop)),
        ]
    return [one]


def _whenever(opener: str, sentence: str) -> bool:
    """Whether a clause of time tells of no one time: `You can return it after it was delivered`."""
    timed = not lang.words("beside_in_time").isdisjoint(opener.lower().split())
    return timed and not lang.words("not_past").isdisjoint(sentence.lower().split())


def _beside_said(clause: str, name: str, before: str, pronoun: str) -> str:
    """What a clause beside the main one says, with the subject that its `who` stands for; empty where it is not certain."""
    said = clause.rstrip(".!?")
    if name == "told":
        has = pronoun in lang.words("relative_possessive")
        subject = _antecedent(before, has=has) if states(f"{'its' if has else 'it'} {said}") else ""
        return f"{subject}{'’s' if has else ''} {said}" if subject else ""
    return said if states(said) and said.split()[0].lower() not in lang.words("askers") else ""


def _antecedent(before: str, *, has: bool) -> str:
    """Whom or what a relative clause is about: all that stands before it, or what that ends with; empty where it is not certain.

    What a clause tells of a thing that it has is about the subject where a year stands between.
    """
    words = cleaned(before)
    subject = subject_of(words + " is")[1]
    if subject == words:
        return subject
    last = _LAST_THING.search(words)
    if last is not None:
        return last[0]
    return subject if has and words[-1:].isdigit() else ""


def with_one_subject(text: str, one: Statement) -> list[Statement]:
    """A statement cut where a second verb follows, with its subject before it again; whole where its beginning names no subject."""
    subject = subject_of(one.text)[1]
    raw = text[slice(*one.span)]
    for mark in (
        _shared().finditer(raw, 0, REACH) if subject and raw.startswith(subject) and subject in one.text else ()
    ):
        left, right = raw[: mark.start()], raw[mark.end() :]
        said = joining().sub("", cleaned(right))
        passive = _being().search(left) is not None and said.split(None, 1)[0].endswith("ed")
        enough = len(left.split()) >= MIN_CLAUSE_WORDS and len(right.split()) >= MIN_SAID and left.count('"') % 2 == 0
        # `He declined, since the figures were old and had not been checked` says the latter of the figures.
        openers = lang.words("opens_a_clause") - {"than"}
        beside = not openers.isdisjoint(left.rpartition(", ")[2].lower().split())
        if passive or beside or not enough or "(" in left.rpartition(")")[2]:
            continue
        start = one.span[0]
        first = replace(
            one, span=(start, start + mark.start()), text=cleaned(left), citations=citations(left) or one.citations
        )
        second = Statement((start + mark.end(), one.span[1]), f"{subject} {said}", one.kind, one.citations)
        return [first, second]
    return [one]


def clauses(text: str, start: int, end: int) -> list[Span]:
    """The sentence cut where two whole statements are joined: enough words and a verb on both sides, or a subject with its verb."""
    cuts = [(start, start)]
    for mark in sorted((*_clause().finditer(text, start, end), *_joint().finditer(text, start, end)), key=_where):
        if mark.start() < cuts[-1][1]:
            continue
        left = text[max(cuts[-1][1], mark.start() - REACH) : mark.start()]
        right = text[mark.end() : min(end, mark.end() + REACH)]
        if "(" in left.rpartition(")")[2]:
            continue
        whole = mark.re is not _clause() and _both_state(mark[0], left, right)
        if whole or (mark.re is _clause() and _stands_alone(left) and _stands_alone(right)):
            cuts.append(mark.span())
    stops = [*(mark[0] for mark in cuts[1:]), end]
    return [trimmed(text, cut[1], stop) for cut, stop in zip(cuts, stops, strict=True)]


def _where(mark: re.Match[str]) -> Span:
    return mark.span()


def _stands_alone(part: str) -> bool:
    return len(part.split()) >= MIN_CLAUSE_WORDS and _verb().search(part) is not None and part.count('"') % 2 == 0


def _both_state(mark: str, left: str, right: str) -> bool:
    """Whether what is joined are two statements: the right one with a subject of its own, the left one whole without it.

    What depends on something that is said before (`that`, `if`) may go on after an `and`; what stands before a colon says something by
    itself where it tells a figure.
    """
    said, before = cleaned(joining().sub("", right.lstrip())), cleaned(left)
    row = {word.lower() for word in before.split()}
    depends = mark.strip() in ("", ",") and not row.isdisjoint(lang.words("opens_a_clause") - {"than"})
    tells = mark.strip() != ":" or any(char.isdigit() for char in before)
    enough = min(len(before.split()), len(said.split())) >= MIN_SAID and left.count('"') % 2 == 0
    own = not _joins(right) or not _leans_on(said, before)
    return enough and tells and not depends and own and _told(before) and states(said)


def _joins(right: str) -> bool:
    """Whether what follows opens with an `and`, and no `while`."""
    return right.split(None, 1)[0].lower() in lang.words("joining") - lang.words("joining_after_comma")


def _leans_on(said: str, before: str) -> bool:
    """Whether what follows an `and` is no statement without what stands before it.

    `80 were sold, and the rest recycled`, `between the mill and the house is a bridge`, `Ann's brother left and his wife stayed`.
    """
    row, left = said.rstrip(".!?").split(), before.lower().split()
    opened = max((n for n, word in enumerate(left) if word in lang.words("pairs_up")), default=-1)
    paired = opened >= 0 and lang.words("joining").isdisjoint(left[opened:])
    shared = past(row[-1]) and auxiliaries().isdisjoint(row)
    whose = row[0].lower() in lang.words("possessives") and not subject_of(before)[1]
    follows = row[0].lower() in lang.words("askers")  # `so 250 comes off and you would receive 8,750`
    return paired or shared or whose or follows


def _told(words: str) -> bool:
    """Whether words have a verb that is bound to a subject, as far as closed lists tell."""
    return any(without_not(word) in auxiliaries() or past(word) for word in words.split()[1:]) or states(words)


def trimmed(text: str, start: int, end: int) -> Span:
    """A part of a sentence without the marks that join it to the rest."""
    while end > start and (text[end - 1].isspace() or text[end - 1] in ",;"):
        end -= 1
    bare = len(text[start:end].rstrip(".!?"))
    if text[start + bare - 1 : start + bare] == ")" and "(" not in text[start:end]:
        end = start + bare - 1  # what stands in brackets at the end of a sentence
    return start, end
