"""Conditions that a source sets and a claim drops: `without consent` against `only with consent`, `in the vault` against `except the vault`.

Reads what one sentence says, and what that hangs on (`only with`, `requires`, `not … without`) or leaves out (`except`, `unless`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from witnessmark.checks.grounding.evidence import Index, Passage
from witnessmark.checks.grounding.wording import denies
from witnessmark.text import lang, words

SAME_LETTERS = 5  # in which two forms of one word agree: registration and registering
Condition = tuple[str, tuple[str, ...], tuple[str, ...]]
"""Its kind (only, needed or exception), the stems of what is said, and those of the condition."""


@lang.derived
def _patterns() -> dict[str, re.Pattern[str]]:
    return {kind: re.compile(one, re.IGNORECASE) for kind, one in lang.merged("conditions", "patterns").items()}


def _parts(hit: re.Match[str]) -> tuple[tuple[str, ...], str]:
    """What a pattern is about, as stems (what its group holds, or what follows in the clause), and the rest of the sentence."""
    before, after = hit.string[: hit.start()], hit.string[hit.end() :]
    held = next(filter(None, hit.groups()), None)
    what = held or re.split(r"[;.,](?:\s|$)", after)[0]
    return words.content(what), f"{before} {after if held else after[len(what) :]}"


def _conditions(sentence: str) -> Iterator[Condition]:
    for kind in ("only", "needed", "exception"):
        for hit in _patterns()[kind].finditer(sentence):
            what, rest = _parts(hit)
            if what and (hit.group().lower() in lang.words("lacking")) == denies(sentence):
                yield kind, words.content(rest), what


def _lacks(wanted: Sequence[str], known: Sequence[str]) -> list[str]:
    near = {stem[:SAME_LETTERS] for stem in known if len(stem) >= SAME_LETTERS}
    return [stem for stem in wanted if stem not in known and stem[:SAME_LETTERS] not in near]


def _half(wanted: Sequence[str], known: Sequence[str]) -> bool:
    return 2 * len(_lacks(wanted, known)) <= len(wanted) > 0


def excepted(claim: str, sentence: str) -> bool:
    """Whether a claim speaks of what a sentence leaves out: of that, a `not` more or less says the same."""
    return any(k == "exception" and not _lacks(what, words.content(claim)) for k, _, what in _conditions(sentence))


def dropped(claim: str, near: Sequence[Passage], index: Index) -> tuple[tuple[Passage, str] | None, ...]:
    """Where a claim says the opposite of a condition, and where it leaves one out: `Guests may swim` for `only after registering`."""
    without, stems = _patterns()["drops"].search(claim), words.content(claim)
    for theirs in (_patterns()["drops"].search(passage.text) for passage in near if without is not None):
        if theirs and without and not denies(_parts(theirs)[1]) and _half(_parts(without)[0], _parts(theirs)[0]):
            return None, None  # the source goes without the same thing itself
    speaking = [passage for passage in near if 3 * len(_lacks(stems, tuple(passage.stems))) <= 2 * len(stems)]
    found = [(passage, one) for passage in speaking for one in _conditions(passage.text)]
    for passage, one in found:
        part = _goes_without(without, one, index) if without is not None else _takes_in(claim, one)
        if part is not None:
            return (passage, part), None
    permits, keeps = (_patterns()[kind].search(claim) for kind in ("permits", "keeps"))
    bound = [passage for passage, (kind, said, _) in found if kind == "only" and not _lacks(stems, said)]
    if permits is None or keeps is not None or len(stems) < 2 or denies(claim) or not bound:
        return None, None
    telling = (one for one in speaking if not _lacks(stems, tuple(one.stems)))
    return None, (bound[0], permits.group()) if all(one in bound for one in telling) else None


def _goes_without(hit: re.Match[str], one: Condition, index: Index) -> str | None:
    """What a claim goes without, where it is what the condition asks for and nothing else that the sources know is spoken of."""
    (kind, said, condition), (what, rest) = one, _parts(hit)
    stems = words.content(rest)
    others = any(map(index.has, _lacks(stems, (*said, *condition))))
    clear = kind != "exception" and not others and not denies(rest)
    return hit.group() if clear and _half(what, condition) and _half(stems, said) else None


def _takes_in(claim: str, one: Condition) -> str | None:
    """By which words a claim says without limit what has one (`freely`, `every day`), or says it of what is left out."""
    kind, said, condition = one
    limits = ("freely", "every") if kind == "exception" else ("freely",)
    free = next(filter(None, (_patterns()[limit].search(claim) for limit in limits)), None)
    stems = words.content(_patterns()["every"].sub(" ", _patterns()["freely"].sub(" ", claim)))
    inside = [stem for stem in stems if not _lacks([stem], condition)]
    rest = [stem for stem in stems if stem not in inside]
    if not rest or _lacks(rest, said) or denies(claim) or _patterns()["keeps"].search(claim) is not None:
        return None
    if free is not None and not inside:
        return free.group()
    return inside[-1] if kind == "exception" and len(rest) > 1 and not _lacks(condition, stems) else None
