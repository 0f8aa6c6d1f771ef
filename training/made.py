"""Claims made by rule from a sentence: ways to say the same, and ways to say something that its text does not bear out.

Every function takes a sentence and a source of randomness and gives a new sentence, or None where it does not apply.
The false ones are also applied to sentences that were first reworded, so that wording alone tells nothing.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from training.words import ADDED, ANTONYMS, DAYS, FRAMES, MODALITY, MONTHS, NUMBERS, SYNONYMS

Edit = Callable[[str, random.Random], str | None]

NAME = re.compile(r"(?<![.!?\"“] )(?<!^)\b[A-Z][\w’'-]+(?: (?:of |the |de |van |von )?[A-Z][\w’'-]+)*")
_NUMBER = re.compile(r"(?<![\w.,])\$?\d[\d,]*(?:\.\d+)?(?![\w]|[.,]\d)")
_YEAR = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")
_SPELLED = re.compile(r"\b(" + "|".join(NUMBERS[1:]) + r")\b", re.IGNORECASE)
_MONTH = re.compile(r"\b(" + "|".join(MONTHS) + r")\b")
_DAY = re.compile(r"\b(" + "|".join(DAYS) + r")\b")
_TOKEN = re.compile(r"[A-Za-z][\w’'-]*")


def names(sentence: str) -> list[str]:
    """Capitalised names that do not open the sentence."""
    return [name for name in NAME.findall(sentence) if name not in MONTHS and name not in DAYS and len(name) > 2]


def _cased(word: str, like: str) -> str:
    return word[0].upper() + word[1:] if like[:1].isupper() else word


def _swap_words(sentence: str, table: dict[str, str], rng: random.Random, most: int) -> str | None:
    hits = [
        m
        for m in _TOKEN.finditer(sentence)
        if m.group().lower() in table and (m.start() == 0 or m.group()[0].islower())
    ]
    if not hits:
        return None
    for hit in sorted(rng.sample(hits, min(most, len(hits))), key=lambda m: -m.start()):
        other = _cased(table[hit.group().lower()], hit.group())
        sentence = sentence[: hit.start()] + other + sentence[hit.end() :]
    return sentence


# Same meaning


def synonyms(sentence: str, rng: random.Random) -> str | None:
    """A few words replaced by others of the same meaning."""
    return _swap_words(sentence, SYNONYMS, rng, rng.randint(1, 4))


def compressed(sentence: str, rng: random.Random) -> str | None:
    """Without what stands in brackets, between commas or after a last comma."""
    ways = [
        re.sub(r"\s*\([^)]*\)", "", sentence),
        re.sub(
            r", (?:which|who|where|whose|when|while|as|including|such as|with|after|although|though|but|and)\b[^,.;]*(?=[.;]?$)",
            "",
            sentence,
        ),
        re.sub(r", (?:which|who|whose|a|an|the)\b[^,.;]{3,60},", "", sentence, count=1),
        re.sub(
            r"^(?:However|Moreover|Furthermore|Additionally|Meanwhile|Also|But|And|So|Then|Instead|In addition|For example|As a result),? ",
            "",
            sentence,
        ),
        re.sub(r"; .*$", ".", sentence),
        re.sub(r",? and (?:he|she|it|they|we|I|the)\b[^,;]*(?=\.$)", "", sentence),
    ]
    shorter = [w for w in ways if w != sentence and len(w.split()) >= 5]
    if not shorter:
        return None
    found = rng.choice(shorter)
    return found[0].upper() + found[1:]


def reordered(sentence: str, rng: random.Random) -> str | None:
    """An opening adverbial moved to the end."""
    hit = re.match(
        r"^((?:In|On|At|During|After|Before|By|Since|Following|Under|From|For|When|While|Because|If|Although) [^,;]{3,50}), ([^;]{15,}?)\.?$",
        sentence,
    )
    if not hit:
        return None
    opening, rest = hit.groups()
    return f"{rest[0].upper()}{rest[1:]} {opening[0].lower()}{opening[1:]}."


def framed(sentence: str, rng: random.Random) -> str | None:
    """With words before it as answers have them."""
    opening = sentence.split(" ", 1)[0]
    if not opening or opening.startswith(('"', "“", "(")):
        return None
    lower = (
        sentence
        if sentence[:2].isupper() or opening == "I" or (NAME.match(" " + sentence, 1) and opening not in _OPENERS)
        else sentence[0].lower() + sentence[1:]
    )
    return rng.choice(FRAMES).format(lower)


_OPENERS = {"The", "A", "An", "In", "On", "At", "It", "He", "She", "They", "This", "That", "These", "There", "We", "You", "When", "After", "If", "For", "His", "Her", "Its", "Their", "As", "By", "With", "From", "Some", "Many", "Most", "All", "One", "Two", "While"}  # fmt: skip


def figures(sentence: str, rng: random.Random) -> str | None:
    """The same figures written another way, or rounded in words that say so."""
    ways: list[str] = []
    for hit in _NUMBER.finditer(sentence):
        value = hit.group().replace(",", "").lstrip("$")
        sign = "$" if hit.group().startswith("$") else ""
        before, after = sentence[: hit.start()], sentence[hit.end() :]
        number = float(value)
        if (
            number.is_integer()
            and 1 <= number <= 20
            and not sign
            and not after.startswith((" January", "%", ":", "th"))
        ):
            ways.append(before + NUMBERS[int(number)] + after)
        if number >= 1000 and not _YEAR.fullmatch(value):
            ways.append(
                before + (f"{sign}{number:,.0f}" if "," not in hit.group() else hit.group().replace(",", "")) + after
            )
            scale = 10 ** (len(str(int(number))) - 2)
            ways.append(f"{before}more than {sign}{int((number - 1) // scale * scale):,}{after}")
            ways.append(f"{before}about {sign}{round(number / scale) * scale:,}{after}")
    ways.extend([sentence.replace(" percent", "%"), re.sub(r"(\d)%", r"\1 percent", sentence)])
    for hit in _SPELLED.finditer(sentence):
        ways.append(sentence[: hit.start()] + str(NUMBERS.index(hit.group().lower())) + sentence[hit.end() :])
    ways.append(re.sub(rf"\b({'|'.join(MONTHS)}) (\d{{1,2}}), (\d{{4}})", r"\2 \1 \3", sentence))
    ways.append(re.sub(rf"\bon ({'|'.join(MONTHS)}) (\d{{1,2}}), (\d{{4}})", r"in \1 \3", sentence))
    ways.append(re.sub(rf"\bin ({'|'.join(MONTHS)}) (\d{{4}})", r"in \2", sentence))
    ways = [way for way in ways if way != sentence]
    return rng.choice(ways) if ways else None


def shorter_names(sentence: str, rng: random.Random) -> str | None:
    """A person's full name cut to the last one."""
    hits = [
        m for m in re.finditer(r"\b[A-Z][a-z]+ ([A-Z][a-z]{2,})\b", sentence) if not any(w in m.group() for w in MONTHS)
    ]
    if not hits:
        return None
    hit = rng.choice(hits)
    return sentence[: hit.start()] + hit.group(1) + sentence[hit.end() :]


# Another meaning


def entity(pool: Sequence[str]) -> Edit:
    """A name replaced by another of `pool`."""

    def edit(sentence: str, rng: random.Random) -> str | None:
        here = names(sentence)
        if not here or not pool:
            return None
        old = rng.choice(here)
        parts = set(old.lower().split())
        for _ in range(8):
            new = rng.choice(pool)
            if not parts & set(new.lower().split()) and new not in sentence:
                return sentence.replace(old, new, 1)
        return None

    return edit


def number(sentence: str, rng: random.Random) -> str | None:
    """A figure replaced by another of the same kind."""
    hits = [*_NUMBER.finditer(sentence), *_SPELLED.finditer(sentence)]
    if not hits:
        return None
    hit = rng.choice(hits)
    return sentence[: hit.start()] + _other_number(hit.group(), rng) + sentence[hit.end() :]


def _other_number(text: str, rng: random.Random) -> str:
    if text.lower() in NUMBERS:
        return _cased(rng.choice([n for n in NUMBERS[1:13] if n != text.lower()]), text)
    if _YEAR.fullmatch(text):
        return str(int(text) + rng.choice([-20, -10, -5, -3, -2, -1, 1, 2, 3, 5, 10, 20]))
    sign, digits = ("$", text[1:]) if text.startswith("$") else ("", text)
    value = float(digits.replace(",", ""))
    places = len(digits.split(".")[1]) if "." in digits else 0
    for _ in range(20):
        new = (
            value * rng.choice([0.1, 0.5, 0.8, 0.9, 1.1, 1.2, 1.5, 2, 10]) + rng.choice([-2, -1, 1, 2, 5]) * 10**-places
        )
        if new > 0 and round(new, places) != value:
            return f"{sign}{new:,.{places}f}" if "," in digits else f"{sign}{new:.{places}f}"
    return f"{sign}{int(value) + 7}"


def date(sentence: str, rng: random.Random) -> str | None:
    """A year, month or weekday replaced by another."""
    hits = [*_YEAR.finditer(sentence), *_MONTH.finditer(sentence), *_DAY.finditer(sentence)]
    if not hits:
        return None
    hit = rng.choice(hits)
    kind = MONTHS if hit.group() in MONTHS else DAYS if hit.group() in DAYS else None
    new = rng.choice([k for k in kind if k != hit.group()]) if kind else _other_number(hit.group(), rng)
    return sentence[: hit.start()] + new + sentence[hit.end() :]


_HELPERS = r"\b(is|are|was|were|has|have|had|will|would|can|could|should|must|may|might|did|does|do)\b"


def negation(sentence: str, rng: random.Random) -> str | None:
    """A negation put in, or taken out."""
    without = re.sub(r"(?:\bdid not|\bdoes not|\bdo not) (\w+)", r"\1", sentence, count=1)
    if without == sentence:
        without = re.sub(r"\b(\w+)(?: not|n't)\b", r"\1", sentence, count=1)
    if without == sentence:
        without = re.sub(r"\bnever ", "", sentence, count=1)
    if without != sentence:
        return without
    hits = list(re.finditer(_HELPERS, sentence))
    if hits:
        hit = rng.choice(hits[:2])
        return sentence[: hit.end()] + rng.choice([" not", " never", " not"]) + sentence[hit.end() :]
    verb = re.search(r"(?<=\w )([a-z]{3,}ed)\b(?! by)", sentence)
    return (
        sentence[: verb.start()] + rng.choice(["never ", "reportedly never ", "no longer "]) + sentence[verb.start() :]
        if verb
        else None
    )


def antonym(sentence: str, rng: random.Random) -> str | None:
    """One word replaced by its opposite."""
    return _swap_words(sentence, ANTONYMS, rng, 1)


def modality(sentence: str, rng: random.Random) -> str | None:
    """What may be said to be, some to be all, planned to be done."""
    return _swap_words(sentence, MODALITY, rng, 1)


def role(sentence: str, rng: random.Random) -> str | None:
    """Two names of the sentence change places."""
    here = list(dict.fromkeys(names(sentence)))
    if len(here) < 2:
        return None
    one, two = rng.sample(here, 2)
    if set(one.split()) & set(two.split()) or re.search(
        rf"{re.escape(one)}(?:,| and| or) {re.escape(two)}|{re.escape(two)}(?:,| and| or) {re.escape(one)}", sentence
    ):
        return None
    return sentence.replace(one, "\0", 1).replace(two, one, 1).replace("\0", two, 1)


def added(tails: Sequence[str]) -> Edit:
    """Something more said at the end: a stock phrase, or the tail of a sentence from elsewhere."""

    def edit(sentence: str, rng: random.Random) -> str | None:
        body = sentence.rstrip(" .!?")
        if tails and rng.random() < 0.6:
            return f"{body}, {rng.choice(tails)}."
        return f"{body} {rng.choice(ADDED)}." if rng.random() < 0.5 else f"{body}, {rng.choice(ADDED)}."

    return edit


def tail(sentence: str) -> str | None:
    """A sentence's last clause, for `added`."""
    hit = re.search(
        r", ((?:which|who|and|but|because|after|while|where|with|as|including|making|leading|following)\b[^,;]{12,90})[.!?]?$",
        sentence,
    )
    return hit.group(1).rstrip(".") if hit else None


SAME: list[Edit] = [synonyms, compressed, reordered, framed, figures, shorter_names]


def reworded(sentence: str, rng: random.Random) -> str:
    """The sentence said another way, by one to three of the means above."""
    for edit in rng.sample(SAME, rng.randint(1, 3)):
        sentence = edit(sentence, rng) or sentence
    return sentence
