"""Words of a text made comparable: lower case, light stems, stop words apart. English, German, French, Spanish.

>>> content("The companies were opening new offices.")
('compani', 'open', 'new', 'offic')
"""

from __future__ import annotations

import functools
import re
import unicodedata

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W_]+(?:['’][^\W_]+)?")
_STOP = frozenset(
    ["a", "an", "the", "of", "and", "or", "to", "in", "on", "at", "by", "for", "from", "with", "as", "is", "are", "was", "were", "be", "been", "being", "it", "its", "this", "that", "these", "those", "there", "here", "he", "she", "they", "we", "you", "i", "his", "her", "their", "our", "your", "him", "them", "us", "who", "whom", "which", "what", "when", "where", "how", "than", "then", "so", "such", "not", "no", "nor", "but", "if", "while", "also", "into", "about", "over", "under", "after", "before", "during", "between", "through", "out", "up", "down", "off", "again", "further", "once", "all", "any", "both", "each", "few", "more", "most", "other", "some", "own", "same", "too", "very", "can", "will", "just", "should", "now", "do", "does", "did", "doing", "have", "has", "had", "having", "would", "could", "may", "might", "must", "s", "t", "d", "ll", "re", "ve", "m", "according", "said", "says", "say", "one", "two", "per", "via", "within", "among", "both", "either", "however", "although", "though", "because", "der", "die", "das", "den", "dem", "des", "ein", "eine", "einer", "eines", "einem", "einen", "und", "oder", "ist", "sind", "war", "waren", "wird", "werden", "wurde", "wurden", "von", "zu", "zum", "zur", "mit", "auf", "für", "im", "in", "am", "an", "als", "auch", "es", "er", "sie", "wir", "ich", "nicht", "bei", "nach", "aus", "dass", "sich", "hat", "haben", "hatte", "le", "la", "les", "l", "un", "une", "des", "du", "de", "d", "et", "ou", "est", "sont", "était", "étaient", "a", "au", "aux", "en", "dans", "que", "qui", "pour", "par", "sur", "avec", "ce", "cette", "ces", "il", "elle", "ils", "elles", "se", "ne", "pas", "plus", "son", "sa", "ses", "leur", "leurs", "été", "el", "los", "las", "lo", "uno", "unos", "unas", "y", "o", "es", "son", "fue", "fueron", "del", "al", "que", "por", "con", "para", "su", "sus", "como", "más", "pero", "este", "esta", "ha", "han", "se"]
)  # fmt: skip
_SUFFIXES = (
    "ization",
    "isation",
    "ational",
    "ations",
    "ation",
    "ments",
    "ment",
    "ings",
    "ing",
    "edly",
    "ied",
    "ies",
    "ed",
    "ly",
    "es",
    "s",
    "e",
    "y",
)
_IRREGULAR = {
    "grew": "grow", "grown": "grow", "rose": "rise", "risen": "rise", "fell": "fall", "fallen": "fall", "sold": "sell", "bought": "buy",
    "led": "lead", "won": "win", "lost": "lose", "began": "begin", "begun": "begin", "became": "becom", "went": "go", "made": "mak",
    "took": "tak", "taken": "tak", "gave": "giv", "given": "giv", "wrote": "writ", "written": "writ", "built": "build", "held": "hold",
    "left": "leav", "met": "meet", "paid": "pay", "ran": "run", "saw": "see", "seen": "see", "sent": "send", "spent": "spend",
    "came": "com", "found": "find", "told": "tell", "thought": "think", "kept": "keep", "children": "child", "people": "person",
    "died": "di", "die": "di", "dead": "di", "men": "man", "women": "woman", "shot": "shoot", "knew": "know", "known": "know", "said": "say",
}  # fmt: skip


@functools.lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A light stem: enough to match `offices` with `office` and `grew` with `grow`."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 3 or word[0].isdigit():
        return word.replace(",", "")
    word = word.removesuffix("'s").removesuffix("’s")
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            cut = word[: -len(suffix)]
            return (
                cut[:-1]
                if len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "ls"
                else cut + ("i" if suffix in ("ies", "ied", "y") else "")
            )
    return word


def normal(text: str) -> str:
    """Lower case without accents and with plain quotes, where something is looked for letter by letter."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.lower().replace("’", "'"))
    return "".join(char for char in decomposed if not unicodedata.combining(char))


@functools.lru_cache(maxsize=4096)
def words(text: str) -> tuple[str, ...]:
    """All words in lower case."""
    return tuple(_WORD.findall(text.lower()))


@functools.lru_cache(maxsize=4096)
def stems(text: str) -> tuple[str, ...]:
    """All words as stems, stop words included: what runs of words are compared by."""
    return tuple([stem(word) for word in words(text)])


@functools.lru_cache(maxsize=4096)
def content(text: str) -> tuple[str, ...]:
    """The stems of the words that carry meaning."""
    return tuple([stem(word) for word in words(text) if word not in _STOP])
