"""Where the sentences of a text are, as spans of code points. Knows no Markdown and no claims.

>>> text = "Dr. Lee left at 3.30 p.m. on Monday.[1] Sales rose."
>>> [text[start:end] for start, end in sentences(text)]
['Dr. Lee left at 3.30 p.m. on Monday.[1]', 'Sales rose.']
"""

from __future__ import annotations

import re

from witnessmark.text import lang
from witnessmark.text.patterns import compiled

Span = tuple[int, int]

_END = compiled(
    r"""[.!?…]+                                   # what ends a sentence
        (?:["'”’»)\]*_]|\[\^?\w{1,8}\]|【[^】]{1,20}】)*  # with what closes it, citations included
        (?=\s|$)
      | [。！？]["”」）]*
      | \n[ \t]*\n\s*""",
    re.VERBOSE,
)
_SIGN = compiled(r"[.!?…。！？\n]")
"""What every end begins with: it is found much faster than an end."""
NOTHING, ANYTHING = compiled(r"(?!)"), compiled(r"\s")
"""What a sentence may begin with in lower case: nothing, and anything where people write without capitals."""
_NEXT_LOWER = compiled(r"\s+[a-zß-öø-ÿ]")
_FOLLOWING = compiled(r"\s+[*_(\[\"'“„«]*([^\W_]+)")
_LAST = compiled(r"(?:(?<!\S)[^\W\d_]\.\s)*[^\s*_(\[\"'“„«–—]+$")
"""The word before a mark without what opens it, and letters that are written apart from it: `z. B`, `p. ex`."""
_SPACED = compiled(r"\s[^\W\d_]{1,2}\.(?=\s)")
_WHOLE = compiled(r"[^\W\d_][\w'’-]*[^\W\d_]{2}|\d{3,}")
NEAR, LEAST, SHORT = 120, 3, 3
"""How far around a mark is looked where a small letter follows, the words a sentence needs there, and letters up to which a word may be an abbreviation."""
_COUNTED = compiled(r"\d|[IVXLC]+$")
_CITED = compiled(r"\s*(?:\[\^?\w{1,8}\]|【[^】]{1,20}】)+")


def sentences(text: str, start: int = 0, end: int | None = None, begins: re.Pattern[str] = NOTHING) -> list[Span]:
    """The sentences of text[start:end] in order, without the space around them; they never overlap.

    `begins` is what a sentence may begin with in lower case, and the space before it.
    """
    stop = len(text) if end is None else end
    found: list[Span] = []
    begin = read = start
    for sign in _SIGN.finditer(text, start, stop):
        if sign.start() < max(begin, read):
            continue
        mark = _END.match(text, sign.start(), stop)
        if mark is None:
            continue
        read = mark.end()
        if not _ends(text, begin, mark, stop, begins):
            continue
        cited = _CITED.match(text, mark.end(), stop)
        until = cited.end() if cited else mark.end()
        _keep(text, begin, until, found)
        begin = until
    _keep(text, begin, stop, found)
    return found


def sentence_texts(text: str) -> list[str]:
    """The sentences of a text as they are written; a line break without a full stop ends one too."""
    return [text[start:end] for start, end in sentence_spans(text)]


def sentence_spans(text: str, start: int = 0, end: int | None = None, begins: re.Pattern[str] = NOTHING) -> list[Span]:
    """Where they are in text[start:end]."""
    return [span for first, last in _lines(text, start, end) for span in sentences(text, first, last, begins)]


def _lines(text: str, start: int, end: int | None) -> list[Span]:
    found = []
    for line in text[start:end].splitlines(keepends=True):
        found.append((start, start + len(line)))
        start += len(line)
    return found


def _keep(text: str, begin: int, end: int, found: list[Span]) -> None:
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    if end > begin:
        found.append((begin, end))


def _ends(text: str, begin: int, mark: re.Match[str], stop: int, begins: re.Pattern[str]) -> bool:
    """Whether a mark ends a sentence: not after an abbreviation, an initial or a German ordinal, nor before lower case that only goes on."""
    char = text[mark.start()]
    if char in "\n。！？" or mark.end() >= stop:
        return True
    lower = _NEXT_LOWER.match(text, mark.end(), stop) and not begins.match(text, mark.end(), stop)
    if lower and not _begins_small(text, begin, mark, stop):
        return False
    if char != "." or text.startswith("..", mark.start()):
        return True
    return not abbreviates(text, mark.start(), mark.end(), begin, stop)


def abbreviates(text: str, point: int, after: int, begin: int = 0, stop: int | None = None) -> bool:
    """Whether the full stop at `point`, which its sentence goes on behind at `after`, belongs to a word cut short: `e.g. the one`, `Dr. Lee`."""
    last = _LAST.search(text, max(begin, point - 24), point)
    return last is not None and _abbreviated(text, last[0], after, len(text) if stop is None else stop)


def _begins_small(text: str, begin: int, mark: re.Match[str], stop: int) -> bool:
    """Whether a sentence begins after a mark though it is written small: after a whole word, with several words on both sides.

    `It is tall. the cellar is flooded.`, and not `the govt. bonds of 1990`, `at Yahoo! in May` or `He waited ... in vain`.
    """
    before = text[max(begin, mark.start() - NEAR) : mark.start()].split()
    last = before[-1] if before else ""
    if len(before) < LEAST or mark[0][:2] == ".." or mark[0][0] == "…" or _WHOLE.fullmatch(last) is None:
        return False
    end = _SIGN.search(text, mark.end(), stop)
    after = text[mark.end() : min(end.start() if end else stop, mark.end() + NEAR)].split()
    if len(after) < LEAST or last.lower() in _abbreviations():
        return False
    plain = mark[0][0] == "." and len(last) > SHORT and last.islower() and after[0] not in lang.words("goes_on")
    return plain or after[0] in lang.words("opens_small") or after[0] != after[0].lower()


@lang.derived
def _openers() -> frozenset[str]:
    return frozenset(word.capitalize() for word in lang.words("openers"))


@lang.derived
def _abbreviations() -> frozenset[str]:
    months = (name for month in lang.rows("dates", "months") for name in month.split()[1:])
    return lang.words("abbreviations").union(lang.words("never_last"), months)


@lang.derived
def _months_after_ordinals() -> frozenset[str]:
    """Month names of the languages that write an ordinal with a full stop: 3. Mai."""
    known = (lang.language(code) for code in lang.codes())
    pointed = (table["dates"]["months"] for table in known if table.get("ordinal_point"))
    return frozenset(name for months in pointed for month in months for name in month.split())


def _abbreviated(text: str, word: str, after: int, stop: int) -> bool:
    lowered, word = "".join(word.lower().split()), word.rsplit(maxsplit=1)[-1]
    following = _FOLLOWING.match(text, after, stop)
    state = len(word) > 1 and word.isupper()  # `in Goleta, CA. It opens` is no `ca.`
    if (lowered in lang.words("never_last") and not state) or (
        len(word) == 1 and word.isalpha() and _SPACED.match(text, after, stop)
    ):
        return True
    if following is not None and _COUNTED.match(following[1]) and lowered in lang.words("before_figures"):
        return True  # s. 31(2), Abs. 3, pág. 4, Art. IV
    if len(word) == 1 and word.isupper() and word != "I":
        # "J. Smith" goes on; "twice as much as A. Neither of them" does not.
        return following is None or following.group(1) not in _openers()
    if word.isdigit() and len(word) <= 2:
        return following is not None and following.group(1).lower() in _months_after_ordinals()
    if lowered not in _abbreviations():
        return False
    # "in the U.S. The firm" ends a sentence; "approx. 40", "Jan. 3" and "12 Mio. Euro" do not.
    return (
        following is None
        or not following.group(1)[0].isupper()
        or (lowered in lang.words("before_capitals") and following.group(1) not in _openers())
    )
