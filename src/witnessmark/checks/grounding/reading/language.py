"""Which language an answer and its sources are read in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.statement import Statement
from witnessmark.text import lang, words
from witnessmark.text import language as languages

SURE_OF_LANGUAGE = 0.65
"""Below this the language of the sources is guessed at, and the text itself says more."""
SHORT_TEXT = 20
"""Words below which a text may be taken for the language of its evidence."""


def language_of(text: str, sources: Sequence[EvidenceSource]) -> tuple[str | None, str]:
    """The language to read in; None with the reason where it is not one the rules know, or no passage is in it.

    Sources in several languages are read for what stands in the text's own; what is in another cannot bear it out.
    """
    ours, sure = languages.detect(text)
    theirs, surer = languages.detect(" ".join(source.text[:4000] for source in sources[:20]))
    if ours is not None and surer < SURE_OF_LANGUAGE:
        theirs = None  # short notes full of names and figures are guessed at; the text itself says more
    if ours and theirs and ours != theirs and sure < min(surer, 0.7) and len(text.split()) < SHORT_TEXT:
        ours = theirs  # one foreign name in a short sentence is not its language
    for found, whose in ((ours, "the text"), (theirs if ours is None else None, "the evidence")):
        if found is not None and found not in lang.codes():
            return None, _not_read(found, whose)
    if ours and theirs and ours != theirs and not _any_passage_in(ours, sources):
        return None, f"the text is in {ours}, the evidence in {theirs}; they can only be compared in one language"
    short = ours or theirs or languages.detect_short(" ".join([text, *(source.text[:1000] for source in sources)]))
    return (short, "") if short in lang.codes() else (None, _not_read(short, "the text"))


def with_unread(
    found: Sequence[Statement], left_out: tuple[Statement, ...], index: Index
) -> tuple[list[Statement], tuple[Statement, ...]]:
    """(the statements that can be read, what is left out with those in a language that no reader was measured in).

    What the sources have word for word is read, whatever it is in: a title, a motto.
    """
    told = {one.span: languages.foreign(one.text) for one in found}
    unread = [one for one in found if told[one.span] and not all(map(index.has, words.content(one.text)))]
    open_ones = (replace(one, why_not=_not_read(told[one.span], "the sentence")) for one in unread)
    return [one for one in found if one not in unread], (*left_out, *open_ones)


def _not_read(found: str, whose: str) -> str:
    return f"{whose} is in a language ({found}) that claims cannot be checked in; {', '.join(lang.codes())} can"


def _any_passage_in(language: str, sources: Sequence[EvidenceSource]) -> bool:
    """Whether a source, or a paragraph of one, is in a language."""
    passages = (part for source in sources[:50] for part in (source.text[:4000], *source.text[:40_000].split("\n")))
    return any(languages.detect(passage)[0] == language for passage in passages)
