"""Where the sentences of a text are, as spans of code points. Knows no Markdown and no claims; those are in `claims`.

>>> text = "Dr. Lee left at 3.30 p.m. on Monday.[1] Sales rose."
>>> [text[start:end] for start, end in sentences(text)]
['Dr. Lee left at 3.30 p.m. on Monday.[1]', 'Sales rose.']
"""

from __future__ import annotations

import re

Span = tuple[int, int]

_SHORT = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "st",
        "sr",
        "jr",
        "vs",
        "etc",
        "approx",
        "dept",
        "est",
        "fig",
        "inc",
        "ltd",
        "co",
        "corp",
        "gen",
        "col",
        "lt",
        "sgt",
        "capt",
        "rep",
        "sen",
        "gov",
        "hon",
        "rev",
        "no",
        "nos",
        "vol",
        "ed",
        "eds",
        "pp",
        "al",
        "cf",
        "ca",
        "bzw",
        "nr",
        "str",
        "ggf",
        "usw",
        "evtl",
        "inkl",
        "zzgl",
        "mme",
        "mlle",
        "sra",
        "dra",
        "srta",
        "av",
        "bd",
        "núm",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "mon",
        "tue",
        "wed",
        "thu",
        "fri",
        "sat",
        "sun",
        "e.g",
        "i.e",
        "p.m",
        "a.m",
        "z.b",
        "d.h",
        "u.a",
        "u.s",
        "u.k",
        "d.c",
        "ph.d",
    ]
)
_NEVER_LAST = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "st",
        "vs",
        "approx",
        "fig",
        "gen",
        "lt",
        "sgt",
        "capt",
        "e.g",
        "i.e",
        "z.b",
        "d.h",
        "bzw",
        "nr",
        "sra",
        "dra",
        "srta",
    ]
)
_MONTHS_DE = frozenset(
    ["januar", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober", "november", "dezember"]
)  # fmt: skip
_END = re.compile(
    r"""[.!?…]+                                   # what ends a sentence
        (?:["'”’»)\]*_]|\[\^?\w{1,8}\]|【[^】]{1,20}】)*  # with what closes it, citations included
        (?=\s|$)
      | [。！？]["”」）]*
      | \n[ \t]*\n\s*""",
    re.VERBOSE,
)
_OPENING = frozenset(
    ["The", "A", "It", "He", "She", "They", "We", "In", "This", "That", "These", "Those", "However", "Neither", "Both", "But", "There", "Only"]
)  # fmt: skip
_NEXT_LOWER = re.compile(r"\s+[a-zß-öø-ÿ]")
_FOLLOWING = re.compile(r"\s+(\w+)")
_CITED = re.compile(r"\s*(?:\[\^?\w{1,8}\]|【[^】]{1,20}】)+")


def sentences(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """The sentences of text[start:end] in order, without the space around them; they never overlap."""
    stop = len(text) if end is None else end
    found: list[Span] = []
    begin = start
    for mark in _END.finditer(text, start, stop):
        if mark.start() < begin or not _ends(text, begin, mark, stop):
            continue
        cited = _CITED.match(text, mark.end(), stop)
        until = cited.end() if cited else mark.end()
        _keep(text, begin, until, found)
        begin = until
    _keep(text, begin, stop, found)
    return found


def _keep(text: str, begin: int, end: int, found: list[Span]) -> None:
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    if end > begin:
        found.append((begin, end))


def _ends(text: str, begin: int, mark: re.Match[str], stop: int) -> bool:
    """Whether a mark ends a sentence: not after an abbreviation, an initial or a German ordinal, nor before lower case."""
    char = text[mark.start()]
    if char in "\n。！？" or mark.end() >= stop:
        return True
    if _NEXT_LOWER.match(text, mark.end(), stop):
        return False
    if char != "." or text.startswith("..", mark.start()):
        return True
    last = text[max(begin, mark.start() - 24) : mark.start()].rsplit(None, 1)
    return not last or not _abbreviated(text, last[-1].lstrip("(\"'“„«"), mark.end(), stop)


def _abbreviated(text: str, word: str, after: int, stop: int) -> bool:
    lowered = word.lower()
    following = _FOLLOWING.match(text, after, stop)
    if lowered in _NEVER_LAST:
        return True
    if len(word) == 1 and word.isupper() and word != "I":
        # "J. Smith" goes on; "twice as much as A. Neither of them" does not.
        return following is None or following.group(1) not in _OPENING
    if word.isdigit() and len(word) <= 2:
        return following is not None and following.group(1).lower() in _MONTHS_DE
    if lowered not in _SHORT:
        return False
    # "in the U.S. The firm" ends a sentence; "approx. 40" and "Jan. 3" do not.
    return following is None or not following.group(1)[0].isupper() or (lowered in ("u.s", "u.k", "st") and (
        following.group(1) not in _OPENING
    ))  # fmt: skip
