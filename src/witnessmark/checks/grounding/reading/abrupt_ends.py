"""Whether an answer breaks off, told by its own end and by the source whose words it was repeating."""

from __future__ import annotations

import re
from dataclasses import replace

from witnessmark.checks.grounding.evidence import Index
from witnessmark.checks.grounding.statement import Statement
from witnessmark.checks.plain.endings import cut
from witnessmark.text import lang, words
from witnessmark.text.markdown import stretches
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import sentences

BREAKS_OFF = "the answer breaks off here"
SHORTEST, LONGEST = 3, 5
"""Words at the end of an answer that are looked for in the sources."""
_BEFORE_MORE = ("opens_a_noun", "never_ends", "seldom_last")
"""Lists of words after which a sentence usually goes on; it does where the source with the same words does."""
_CLOSED = compiled(r"[.!?…:。！？\"'”’»)\]}*_`|>]\s*$")
_QUOTE = compiled(r"(?<!\w)\"(?=\w)|(?<=[^\W\d])\"|(?<=[.,!?])\"")


def ends_abruptly(text: str, index: Index) -> bool:
    """Whether the last sentence of an answer is not said to its end."""
    last = _last_sentence(text)
    if cut(text) is not None and not _may_end(last, index.language):
        return True
    return bool(last) and (_is_open(last) or _goes_on(last, index))


def with_broken_end(
    kept: list[Statement], left_out: tuple[Statement, ...]
) -> tuple[list[Statement], tuple[Statement, ...]]:
    """The statements of a text that breaks off, with its last one marked: what it says to its end is not known."""
    if left_out and left_out[-1].span[0] > kept[-1].span[0]:
        return kept, (*left_out[:-1], replace(left_out[-1], kind="text", why_not=BREAKS_OFF))
    return [*kept[:-1], replace(kept[-1], breaks_off=True)], left_out


def _last_sentence(text: str) -> str:
    """The last sentence where it ends without a mark, in running text or an item; a heading, a cell and code may end as they like."""
    part = list(stretches(text))[-1:]
    if not part or part[0].kind not in ("text", "item") or _CLOSED.search(text) is not None:
        return ""
    found = sentences(text, part[0].start, part[0].end)[-1:]
    return text[slice(*found[0])] if found else ""


def _may_end(last: str, language: str) -> bool:
    """Whether a sentence may well end with its last word, full stop or not: `stay as they are`, `the cream has been put on`."""
    return not lang.words("may_be_last", language).isdisjoint(last.lower().split()[-1:])


def _is_open(last: str) -> bool:
    """Whether a bracket or a quotation of a sentence is never closed."""
    pairs = (("(", ")"), ("“", "”"), ("«", "»"))
    return any(last.rfind(opens) > last.rfind(closes) for opens, closes in pairs) or len(_QUOTE.findall(last)) % 2 == 1


def _goes_on(last: str, index: Index) -> bool:
    """Whether a sentence ends with a word that leads to another, and every source that has its last words goes on with one."""
    row = last.split()[-LONGEST:]
    if len(row) < SHORTEST or not _leads_on(row[-2].lower(), row[-1].lower(), index.language):
        return False
    for count in range(len(row), SHORTEST - 1, -1):
        run = r"\s+".join(re.escape(words.normal(one)) for one in row[-count:])
        after = re.findall(rf"(?<!\w){run}(?!\w)(\s+\w)?", index.text)
        if after:
            return all(after)
    return False


def _leads_on(before: str, word: str, language: str) -> bool:
    """Whether a word usually leads to another; after an article `costs` is a noun."""
    noun = before in lang.words("opens_a_noun", language) | lang.words("may_be_last", language)
    verb = word in lang.words("needs_more", language) and not noun
    return verb or any(word in lang.words(name, language) for name in _BEFORE_MORE)
