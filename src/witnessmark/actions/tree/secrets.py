"""Keys in the text of a file: in the form of a provider's, or given to a name that says key; what is plainly made up is none.

The forms and names are data (`secrets.toml`).
"""

from __future__ import annotations

import base64
import binascii
import functools
import re
import string
from collections.abc import Callable, Iterator
from pathlib import Path

from witnessmark.core.patterns import finder, word_finder
from witnessmark.text.patterns import compiled, table_in

DATA = Path(__file__).with_name("secrets.toml")


@functools.cache
def _form(name: str) -> re.Pattern[str]:
    return compiled(table_in(DATA)["forms"][name]["pattern"])


@functools.cache
def _named(section: str, name: str) -> re.Pattern[str]:
    return compiled(table_in(DATA)[section][name], re.IGNORECASE)


@functools.cache
def _key() -> re.Pattern[str]:
    return compiled(_key_source(r"\w", r"\s", r"[\w!@#%^&*()~+/=.-]"), re.IGNORECASE)


@functools.cache
def _may_have_key() -> Callable[[str], bool]:
    """Whether a text may have such a value: nearly none has, which RE2, to whom other signs are letters, sees in a thirtieth of the time."""
    return finder("(?i)" + _key_source(r"[^\s\"']", r"[^0-9A-Za-z\"']", r"[^\s\"']"))


def _key_source(letter: str, space: str, sign: str) -> str:
    """A quoted value that is given to a name which says key, from that word on."""
    key = table_in(DATA)["names"]["key"]
    return rf"{key}{letter}{{0,12}}[\"'\])]{{0,3}}{space}{{0,4}}(?:=>|[:=,]){space}{{0,4}}[\"'](?P<value>{sign}{{20,100}})[\"']"


@functools.cache
def _signs() -> Callable[[str], frozenset[str]]:
    """The words in a text of which keys of providers have one."""
    return word_finder(word for form in table_in(DATA)["forms"].values() for word in form["has"])


_ENV_FILE = compiled(r"(?:^|/)\.env(?:\.(?:local|prod\w*|dev\w*|staging))?$")
"""What stands in the form of a provider's key where programs read their keys is one, also with the letters in a row."""
_ENV_KEY = compiled(
    r"^(?:export )?(?:\w*(?:KEY|SECRET|TOKEN|PASSW(?:OR)?D|SALT)\w*)=(?P<quote>[\"']?)(?P<value>[\w!@#%^&*()~+/=.-]{20,100})(?P=quote)\s*$",
    re.MULTILINE,
)
LONG_NAME = 40
_IN_NAMES = string.ascii_letters + string.digits + "_"
_SHAPES = (compiled(r"\d"), compiled(r"[a-z]"), compiled(r"[A-Z]"))
_HEX = compiled(r"[0-9a-f]{32,64}")
_BARE_KEY = compiled(
    r"^(?P<line>[^\"'\n]{0,80})[\"'](?P<value>(?=[A-Za-z0-9]*[/+])[A-Za-z0-9/+]{40})[\"']", re.MULTILINE
)
"""The secret key of a large provider has no mark but its length and its signs; `line` is what stands before it."""
_TURNS = compiled(r"[a-z]+|[A-Z]+|\d+|[^A-Za-z0-9]+")
MANY_TURNS = 0.4
"""Letters drawn by chance change between large, small, digit and sign at more than six of ten places; names in code at less than four."""
MANY_SIGNS = 0.6
"""A key made by chance hardly repeats a sign: at least so many of its first 24 signs are different ones."""
MANY_DIGITS = 8
"""So many different digits the first 24 of a hexadecimal key have at least."""


def _by_chance(value: str) -> bool:
    """Whether a value looks as if it had been drawn."""
    first = value[:24]
    if _HEX.fullmatch(value):
        return len(set(first)) >= MANY_DIGITS
    mixed = all(shape.search(value) for shape in _SHAPES) and len(_TURNS.findall(value)) >= MANY_TURNS * len(value)
    return mixed and len(set(first)) >= MANY_SIGNS * len(first)


def _keys(text: str, path: str) -> Iterator[str]:
    """The values that look like chance, given to a name that says key, token, secret or password."""
    if _named("names", "shown").search(path):
        return
    quoted = _key().finditer(text) if _may_have_key()(text) else ()
    for match in (*quoted, *_ENV_KEY.finditer(text)):
        if _by_chance(match["value"]) and not _named("names", "none").search(
            text, _name_at(text, match), match.start("value")
        ):
            yield match["value"]


def _name_at(text: str, match: re.Match[str]) -> int:
    """Where the name begins of which a match has the end."""
    before = text[max(0, match.start() - LONG_NAME) : match.start()]
    return match.start() - len(before) + len(before.rstrip(_IN_NAMES))


def _passwords(text: str, path: str) -> Iterator[str]:
    """The passwords in addresses, apart from those that are words."""
    if "://" not in text or _named("names", "shown").search(path):
        return
    for match in _named("names", "address").finditer(text):
        value = match["value"]
        if (
            _SHAPES[0].search(value)
            and len(_TURNS.findall(value)) >= MANY_TURNS * len(value)
            and len(set(value)) >= MANY_SIGNS * len(value)
        ):
            yield value


def _bare_keys(text: str) -> Iterator[str]:
    """The keys that stand under any name, where chance must have made them."""
    for match in _BARE_KEY.finditer(text):
        value = match["value"]
        if _by_chance(value) and not _named("names", "none").search(match["line"]):
            yield value


_TOKEN = compiled(r"\beyJ[\w-]{10,}\.(eyJ[\w-]{10,})\.[\w-]{20,}")
_OPEN = compiled(r"\"role\":\s*\"anon\"|John Doe|1234567890|example|test", re.IGNORECASE)
"""What the claims of a signed token say that anybody may have, or that stands in manuals."""


def _tokens(text: str) -> Iterator[str]:
    """Signed tokens (JWT), by what they say of themselves."""
    for match in _TOKEN.finditer(text) if "eyJ" in text else ():
        try:
            claims = base64.urlsafe_b64decode(match[1] + "=" * (-len(match[1]) % 4)).decode("utf-8", "replace")
        except (binascii.Error, ValueError):
            continue
        if claims.startswith("{") and not _OPEN.search(claims):
            yield match.group()


def _provided(text: str) -> Iterator[str]:
    signs = _signs()(text)
    for name, form in table_in(DATA)["forms"].items():
        for match in () if signs.isdisjoint(form["has"]) else _form(name).finditer(text):
            yield next((value for value in match.groups() if value), match.group())


def secrets_in(text: str, path: str) -> Iterator[str]:
    """The keys that a text holds, for a file at this path, each once."""
    made_up, rows = _named("made_up", "always"), _named("made_up", "rows")
    in_rows = bool(_ENV_FILE.search(path))
    found = [value for value in _provided(text) if in_rows or not rows.search(value)]
    others = (*_keys(text, path), *_passwords(text, path), *_bare_keys(text), *_tokens(text))
    found += [value for value in others if not rows.search(value)]
    yield from dict.fromkeys(value for value in found if not made_up.search(value))


def holds_keys(path: str) -> bool:
    """Whether a file holds keys, by its name."""
    return _named("names", "files").search(path) is not None
