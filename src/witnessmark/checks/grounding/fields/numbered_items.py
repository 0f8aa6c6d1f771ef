"""Things that are told apart by a number (item 321, room 101): a figure that a claim gives of one and the sources of its neighbour.

The number is a part of the name and no value. A noun counts as such a name where the sources have it with several numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from witnessmark.checks.grounding.agreement import agrees, comparable
from witnessmark.checks.grounding.evidence import ClaimInEvidence, Index, Passage, once
from witnessmark.checks.grounding.fields.rows import sets_apart
from witnessmark.checks.grounding.finding import RuleFinding
from witnessmark.checks.grounding.steps import arithmetic
from witnessmark.text import words
from witnessmark.text.dates import dates
from witnessmark.text.numbers import Number, figures
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span

_THING = compiled(
    r"(?<!\d )(?<![\w.,:])([^\W\d_]{3,})\s+(?:#|[Nn]o\.?\s|number\s)?(\d{1,6})(?![\w%°]|[.,:/-]\d|\s*[%°€$£])"
)
Thing = tuple[str, str]
"""The stem of a noun and a number."""


_LISTED = compiled(r"\s*(?:[,&–-]|\w{1,3})\s+\d")
"""What follows the first of several numbers: `articles 14 and 15`."""


def things(text: str) -> list[tuple[Thing, Span]]:
    """What is named by a noun and a number, with the place of the number; what counts or measures something is none."""
    measured = {one.span[0] for one in figures(text) if one.dimension} | {day.span[1] for day in dates(text)}
    return [
        ((words.stem(noun.lower()), match[2]), match.span(2))
        for match in _THING.finditer(text)
        if (noun := match[1]).lower() not in words.stop_words()
        and match.start(2) not in measured
        and match.end(2) not in measured
        and _LISTED.match(text, match.end()) is None
        and (noun[0].isupper() or not noun.endswith("s") or noun.endswith(("ss", "us")))
    ]


@once
def _places(index: Index) -> Mapping[str, Mapping[str, list[Passage]]]:
    """The passages by the things that they name."""
    found: dict[str, dict[str, list[Passage]]] = defaultdict(lambda: defaultdict(list))
    for passage in index.passages:
        if not passage.is_flattened and any(map(str.isdigit, passage.text)):
            for (noun, number), _ in things(passage.text):
                found[noun][number].append(passage)
    return found


def numbered_findings(this: ClaimInEvidence) -> Iterator[RuleFinding]:
    """Figures of a claim about one numbered thing that the sources give of another one, with what they give of this one."""
    found = things(this.claim)
    if len({thing for thing, _ in found}) != 1 or sets_apart(this.claim):
        return
    (noun, number), _ = found[0]
    known = _places(this.index).get(noun, {})
    own = [passage for passage in known.get(number, ()) if len(_named(passage, noun)) == 1]
    if not own or len(known) < 2 or arithmetic.multiplies(this.claim):
        return
    mine = [pair for passage in own for pair in _values(passage)]
    others = [
        p for other, passages in known.items() if other != number for p in passages if number not in _named(p, noun)
    ]
    spans = {span for _, span in found}
    for one in this.figures:
        if (
            one.span in spans
            or arithmetic.compared_by(this.claim, one)
            or any(agrees(one, stated) for _, stated in mine)
        ):
            continue
        rivals = [(p, stated) for p, stated in mine if comparable(one, stated)]
        if len(rivals) == 1 and any(agrees(one, stated) for passage in others for _, stated in _values(passage)):
            passage, stated = rivals[0]
            text = passage.text[slice(*stated.span)]
            part = this.claim[slice(*one.span)]
            yield RuleFinding("figure", "contradicted", part, passage, passage.place(stated.span), text)


def _named(passage: Passage, noun: str) -> set[str]:
    return {number for (other, number), _ in things(passage.text) if other == noun}


def _values(passage: Passage) -> list[tuple[Passage, Number]]:
    """The figures of a passage that are no part of a name."""
    spans = {span for _, span in things(passage.text)}
    return [(passage, one) for one in passage.figures if one.span not in spans]
