"""Words of a text made comparable: lower case, light stems, stop words apart.

>>> content("The companies were opening new offices.")
('compani', 'open', 'new', 'offic')
"""

from __future__ import annotations

import functools
import unicodedata

from witnessmark.text import lang
from witnessmark.text.patterns import compiled

WORD = compiled(r"\d+(?:[.,]\d+)*|[^\W_]+(?:['’][^\W_]+)?")
"""The one pattern of a word: a figure, or letters with at most one apostrophe inside."""
LETTERS = compiled(r"[^\W_]+")
"""… and its parts, where nothing but letters and digits counts."""


@lang.derived
def stop_words() -> frozenset[str]:
    """Words that carry no meaning by themselves, of all languages."""
    return lang.words("stop")


@lang.derived
def _suffixes() -> tuple[str, ...]:
    return tuple(sorted(lang.words("suffixes"), key=lambda end: (-len(end), end)))


@lang.derived
def _irregular() -> dict[str, str]:
    return {form: stem for table in lang.tables("irregular") for stem, forms in table.items() for form in forms.split()}


@lang.kept(65_536)
def stem(word: str) -> str:
    """A light stem: enough to match `offices` with `office` and `grew` with `grow`."""
    if word in (irregular := _irregular()):
        return irregular[word]
    if len(word) <= 3 or word[0].isdigit():
        return word.replace(",", "")
    word = word.removesuffix("'s").removesuffix("’s")
    for suffix in _suffixes():
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            cut = word[: -len(suffix)]
            return (
                cut[:-1]
                if len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "ls"
                else cut + ("i" if suffix in ("ies", "ied", "y") else "")
            )
    return word


@lang.kept(256)
def stemmed(listed: frozenset[str]) -> frozenset[str]:
    """The stems of listed words."""
    return frozenset(map(stem, listed))


@lang.derived
def stem_groups(name: str, part: str) -> dict[str, frozenset[str]]:
    """The stems that any language lists in one line with a word under [name] as `part`, by the stem of that word."""
    found: dict[str, frozenset[str]] = {}
    for line in lang.rows(name, part):
        group = frozenset(map(stem, line.split()))
        found |= {one: found.get(one, frozenset()) | group for one in group}
    return found


@lang.derived
def irregular_forms(language: str | None = None) -> frozenset[str]:
    """The forms of irregular verbs, of one language or of all."""
    forms = (row for table in lang.tables("irregular", language) for row in table.values())
    return frozenset(form for row in forms for form in row.split())


def normal(text: str) -> str:
    """Lower case without accents and with plain quotes, where something is looked for letter by letter."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.lower().replace("’", "'"))
    return "".join(char for char in decomposed if not unicodedata.combining(char))


@functools.lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """All words in lower case."""
    return tuple(WORD.findall(text.lower()))


@lang.kept(4096)
def stems(text: str) -> tuple[str, ...]:
    """All words as stems, stop words included: what runs of words are compared by."""
    return tuple([stem(word) for word in words(text)])


@lang.kept(4096)
def content(text: str) -> tuple[str, ...]:
    """The stems of the words that carry meaning."""
    stop = stop_words()
    return tuple([stem(word) for word in words(text) if word not in stop])


def blank(text: str) -> bool:
    """Whether a text has nothing to be seen: spaces, marks without width, characters that only control.

    >>> blank("\u200b \u2060"), blank("…")
    (True, False)
    """
    return all(unicodedata.category(char) in _UNSEEN or char in _FILLERS for char in text.strip())


_UNSEEN = frozenset(["Cc", "Cf", "Zl", "Zp", "Zs"])
_FILLERS = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as letters or signs and show nothing."""


def plain(text: str) -> str:
    """The words of a text without accents, one space apart: what is looked for word for word."""
    return " ".join(words(text if text.isascii() else normal(text)))


_UNSPACED = compiled(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)
"""Letters of scripts that put no space between words: Thai, Lao, Burmese, Khmer, kana and Chinese characters."""
LONGEST_WORD = 20
"""Letters that a word of such a script has at most."""


def word_count(text: str) -> tuple[int, int]:
    """How many words a text has at least and at most: one number, except where a script puts no space between words.

    >>> word_count("Two words"), word_count("東京は 大きい。")
    ((2, 2), (2, 6))
    """
    fewest = most = 0
    for piece in text.split():
        runs = [] if piece.isascii() else _UNSPACED.findall(piece)
        beside = 1 if not runs or any(map(str.isalnum, _UNSPACED.sub("", piece))) else 0
        fewest += max(1, sum(-(-len(run) // LONGEST_WORD) for run in runs))
        most += sum(map(len, runs)) + beside * (len(runs) + 1 if runs else 1)
    return fewest, most


def letters(text: str) -> list[str]:
    """The words and figures of a text as runs of letters and digits, as they are written: `don't` is two, `1.5` is two."""
    return LETTERS.findall(text)


def listed(words: str) -> frozenset[str]:
    """The words of a text as a set, so that a vocabulary can be written and read like a sentence."""
    return frozenset(words.split())
