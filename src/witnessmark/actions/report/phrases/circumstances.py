"""Whether a file is named as what was changed, or only in passing: as a means, a source, a model, a purpose or a target.

`Updated the README from x`, `added a test for the parser in x`, `the options match x`: each names a file that need not have
been changed. The words are data, section `roles` of each language. Knows nothing about claims or the tree.
"""

from __future__ import annotations

import functools
import re

from witnessmark.actions.report.fragments import form_of
from witnessmark.actions.report.language import Language, language_of
from witnessmark.actions.report.lexicon import VERBS, WORDS
from witnessmark.text.patterns import compiled

MAX_BEFORE = 400
"""So many letters before a name decide what it stands for."""
LONGEST_END = 2
"""So many signs may stand behind a name with which a statement ends."""
_CODE = compiled(r"`[^`\n]{1,200}`")
_TEST = compiled(r"(?:^|[/_.-])(?:tests?|specs?)(?:[/_.-]|$)", re.IGNORECASE)
_WORD = compiled(r"[^\W\d][\w'’-]*|[,;:()–—]")
_BEGIN = compiled(r"[.!?:]\s|\n")


def in_passing(text: str, path: str, start: int, end: int) -> bool:
    """Whether the words between two places of a text name a file without saying that it was changed."""
    name = path.replace("\\", "/").rstrip("/").rpartition("/")[2]
    last = text.rfind(name, start, end)
    at = last if end - last - len(name) <= LONGEST_END else text.find(name, start, end)
    return bool(name) and at >= 0 and _passed(text, _begin(text, at), at + len(name))


@functools.lru_cache(maxsize=4)
def _language(text: str) -> Language:
    """The language of a text, made out once for all that it names."""
    return language_of(text)


def _begin(text: str, at: int) -> int:
    """Where the path begins whose last part stands at a place."""
    while at and (text[at - 1].isalnum() or text[at - 1] in "/._-@\\"):
        at -= 1
    return at


def _passed(text: str, start: int, end: int) -> bool:
    begin = max((match.end() for match in _BEGIN.finditer(text, max(0, start - MAX_BEFORE), start)), default=0)
    begin = max(begin, start - MAX_BEFORE)
    stop = _BEGIN.search(text, end, end + MAX_BEFORE)
    before = _plain(text[begin:start])
    after = _plain(text[end : stop.start() if stop else end + MAX_BEFORE].lstrip("`*"))
    words = _language(text)
    if _says(words, "own_verb", after) and not _says(words, "joins", before):
        return True
    return _says(words, "entry", f"{before.rstrip()} |{after}") or _circumstance(words, before, text[start:end], after)


def _plain(text: str) -> str:
    """A text in small letters, with every name in code as `x`, and without the signs of emphasis."""
    return _CODE.sub("x", text.lower()).replace("*", "").replace("’", "'").rstrip("`")


def _circumstance(words: Language, before: str, name: str, after: str) -> bool:
    clause = _from_verb(before) if words.name == "en" else before
    if _says(words, "means", clause) or _says(words, "aside", clause):
        return True
    if _says(words, "source", clause) and not _says(
        words, "takes_out", clause if words.name == "en" else before + after
    ):
        return True
    own_test = _TEST.search(name) is not None and _says(words, "test", clause)
    return _says(words, "bound", clause) and not own_test


def _says(words: Language, key: str, text: str) -> bool:
    return words.search("roles", key, text) is not None


def _from_verb(before: str) -> str:
    """What stands after the last verb of doing, with that verb: `fixed the loop in a and the check in`.

    A participle behind its noun (`the columns listed in`) is no such verb.
    """
    last, previous = 0, ""
    for match in _WORD.finditer(before):
        word = match.group()
        heads = not last or previous in WORDS.subjects | WORDS.be | {",", ";", ":", "(", "—", "–", "and", "or", "but"}
        done = form_of(word) == "past" and VERBS[word][0] not in ("run", "verify") and heads
        if done or (form_of(word) == "ing" and previous == "by" and word not in WORDS.mentions_only):
            last = match.start()
        previous = word
    return before[last:]
