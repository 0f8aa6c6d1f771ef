"""Whether a text breaks off: an open fence, JSON that is never closed, a last sentence that cannot end so.

>>> cut("The pump must be switched off before the"), cut("The pump is off"), cut("7 am")
("it ends in the middle of a sentence, after 'the'", None, None)
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from witnessmark.text import lang
from witnessmark.text.markdown import blocks, stretches

_CUT_MARKS = (
    r"(?:\[?\s*(?:…|\.\.\.)\s*\(?{marks}\)?\s*\]?|(?:[\[(<]|(?:…|\.\.\.)\s*[\[(]?|^|\n)\s*(?:{subjects} )?{marks}"
    r"(?:,? (?:\w+ )?\d[\d,.]*\s?(?:\w+ )?{units})?\s*(?:…|\.\.\.)?\s*(?:[\])>]|$))\s*$"
)
"""A mark at the very end that the rest was left out, in brackets, after dots or on a line of its own: `(output truncated)`."""


_LONGEST_MARK = 400
"""So many characters a mark that the rest was left out has at most, with the space around it."""
_ANNOUNCES = 3
"""Words from which a line with a colon is a sentence, and no heading: `Next steps:`."""
_LONG_SENTENCE = 8
"""A short line may well end with a preposition (What is it for); a long one rarely does."""


def cut(text: str) -> str | None:
    """Why a text looks broken off, or None."""
    body = text.rstrip()
    if not body:
        return None
    if lang.pattern("cuts", _CUT_MARKS).search(body, max(0, len(body) - _LONGEST_MARK)):
        return "it ends with a mark that the rest was left out"
    fenced = blocks(body)
    if fenced and not fenced[-1].closed:
        return "a fenced block is never closed"
    if body[0] in "{[" and (open_brackets := _open_brackets(body)):
        return f"{open_brackets} brackets of its JSON are never closed"
    if fenced and body.endswith(("```", "~~~")):
        return None
    return _dangling_end(body)


def _open_brackets(body: str) -> int:
    if body[-1] in "}]":
        return 0
    depth, quoted, escaped = 0, False, False
    for char in body:
        if escaped:
            escaped = False
        elif quoted:
            escaped, quoted = char == "\\", char != '"'
        elif char == '"':
            quoted = True
        else:
            depth += (char in "{[") - (char in "}]")
    return max(depth, 0)


def _dangling_end(body: str) -> str | None:
    """Why the last line looks broken off. A heading, a cell, code, a link or a name may end with any word."""
    part = list(stretches(body))[-1:]
    last = body.splitlines()[-1].rstrip("*_ ")
    if not last or not part or part[0].kind in ("heading", "table", "code") or last[-1] == "`":
        return None
    if last[-1] in ",;(–—" or (last[-1] in "[{" and len(last.split()) > 1):
        return f"it ends with {last[-1]!r}"
    if last[-1] == "-" and last[-2:-1].isalpha() and "/" not in last.split()[-1]:
        return "it ends in the middle of a word"
    words = re.findall(r"[^\W\d_]+", last)
    word = words[-1] if words else ""
    if last[-1] == ":" and len(words) >= _ANNOUNCES and word.lower() in lang.words("opens_a_list"):
        return "it announces a list that does not come"
    if 1 < len(words) < 4 and len(word) > 1 and last.endswith(f" {word}") and _opens_a_noun(word, body):
        return f"it ends in the middle of a sentence, after {word!r}"
    if len(words) < 4 or not last.endswith(word) or word[0].isupper() or not last.split()[-1].isalpha():
        return None
    return f"it ends in the middle of a sentence, after {word!r}" if _dangles(word, words, part[0].kind) else None


def _opens_a_noun(word: str, body: str) -> bool:
    """Whether a noun must follow a word in the language of the whole text; a short line says too little of its own."""
    codes = _written_in([other.lower() for other in re.findall(r"[^\W\d_]+", body)[:-1]])
    return bool(codes) and all(word in lang.words("opens_a_noun", code) for code in codes)


def _dangles(word: str, row: Sequence[str], kind: str) -> bool:
    """Whether a sentence of its language cannot end with its last word; an item is no whole sentence, and ends with more words."""
    before = [other.lower() for other in row[:-1]]
    # By their small words: `or` ends a French sentence, and `die` an English one; the end may be in another language.
    codes = {*(_written_in(before) or lang.codes()), *_written_in(before[-3:])}
    if any(word in lang.words("opens_a_noun", code) for code in codes):
        return True
    never = ("never_ends", "seldom_last") if len(row) >= _LONG_SENTENCE else ("never_ends",)
    return kind != "item" and any(word in lang.words(name, code) for name in never for code in codes)


def _written_in(row: Sequence[str]) -> list[str]:
    """The languages that most of the small words of a row are of; none where it has no small words."""
    often = {code: sum(word in lang.words("small", code) for word in row) for code in lang.codes()}
    return [code for code, count in often.items() if count and count == max(often.values())]
