"""Which language a text is in, by its script and its most frequent small words. Says None rather than guess."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

MIN_WORDS = 8
_SMALL_WORDS = {
    "en": "the of and to in is that for it with as was on are this by be from at or an have not but which you we can has will",
    "de": "der die das und ist von zu den mit nicht ein eine auf für im sich als auch es an werden aus dem wird sind oder dass wurde",
    "fr": "le la les de des et est un une du en que pour dans qui pas sur par au avec ce il sont plus ne se cette aux ou été",
    "es": "el la los las de que y en un una es por con para del se no su al lo como más o pero sus este está son fue ha",
    "it": "il lo la i gli le di che e è un una per con del della non si in da dei sono come anche più al nel alla questo ha",
    "pt": "o a os as de que e em um uma é para com do da não se por mais no na dos das como ao ou foi são pelo pela",
    "nl": "de het een van en is dat op te in voor met zijn niet aan er om ook als bij door maar naar uit dan wordt nog deze",
    "sv": "och att det som en på är av för med till den inte om ett han men var sig från vi så kan när eller har ska också",
    "da": "og at det som en på er af for med til den ikke om et han men var sig fra vi så kan når eller har skal også blev",
    "no": "og å det som en på er av for med til den ikke om et han men var seg fra vi så kan når eller har skal også ble",
    "fi": "ja on ei se että oli mutta kun tai ovat myös hän joka sen niin kuin ole vain sekä voi tämä jos mitä",
    "pl": "i w na z do nie się to jest że o jak za po od dla przez oraz ale są tym które który czy być może tego",
    "cs": "a v na se je že s z do to o i k za pro by jak ale jsou po od které který také nebo jako být při",
    "tr": "ve bir bu da de için ile olarak çok daha ne gibi olan en var kadar sonra ancak veya ise değil olduğu",
    "ro": "și de la în a cu pe este un o nu că din mai pentru care sau sunt ce au fost prin ca această",
    "hu": "a az és hogy nem is egy volt ez meg azt csak mint de van ki el már még kell vagy után szerint",
    "id": "yang dan di untuk dengan dari ini itu adalah pada tidak dalam ke akan oleh juga atau sebagai dapat lebih",
}  # fmt: skip
SMALL_WORDS = {language: frozenset(words.split()) for language, words in _SMALL_WORDS.items()}
_SCRIPTS = (
    ("HIRAGANA", "ja"), ("KATAKANA", "ja"), ("HANGUL", "ko"), ("CJK", "zh"), ("CYRILLIC", "ru"), ("GREEK", "el"),
    ("ARABIC", "ar"), ("HEBREW", "he"), ("DEVANAGARI", "hi"), ("THAI", "th"),
)  # fmt: skip
KNOWN = frozenset(SMALL_WORDS) | {language for _, language in _SCRIPTS} | {"uk"}
_WORD = re.compile(r"[^\W\d_]+")
_OTHER_SCRIPT = re.compile("[\u0370-\u1fff\u2c00-\U0010ffff]")


def detect(text: str) -> tuple[str | None, float]:
    """The language and how much of the evidence speaks for it; None where the text does not say."""
    sample = text[:20_000]
    script = _script(sample)
    if script is not None:
        return script
    words = _WORD.findall(unicodedata.normalize("NFC", sample).lower())
    if len(words) < MIN_WORDS:
        return None, 0.0
    often = Counter(words)
    there = often.keys()
    hits = Counter({lang: sum([often[word] for word in small & there]) for lang, small in SMALL_WORDS.items()})
    (best, most), (_, second) = hits.most_common(2)
    if most / len(words) < 0.12 or most < 1.25 * second:
        return None, 0.0
    return best, round(most / (most + second), 3)


def _script(text: str) -> tuple[str, float] | None:
    """The language where another script than Latin carries most of the letters."""
    if _OTHER_SCRIPT.search(text) is None:
        return None
    letters = [char for char in text if char.isalpha()][:4_000]
    if not letters:
        return None
    counts: Counter[str] = Counter()
    for char in letters:
        if ord(char) > 0x24F:
            name = unicodedata.name(char, "")
            counts[next((lang for prefix, lang in _SCRIPTS if name.startswith(prefix)), "other")] += 1
    if not counts or sum(counts.values()) < 0.5 * len(letters):
        return None
    if counts["ja"] > 0.1 * len(letters):
        return "ja", round((counts["ja"] + counts["zh"]) / len(letters), 3)
    language, count = counts.most_common(1)[0]
    if language == "ru" and re.search("[іїєґ]", text.lower()):
        language = "uk"
    return (language, round(count / len(letters), 3)) if language != "other" else None
