"""Keys in the text of a file: in the form of a provider's, or given to a name that says key; what is plainly made up is none."""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.text.patterns import compiled

_SECRETS = compiled(
    r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_[A-Za-z0-9_]{50,}\b|\bsk-(?:proj-|ant-)?[A-Za-z0-9_-]{32,}\b|\bxox[abprs]-[A-Za-z0-9-]{20,}\b|\bAIza[0-9A-Za-z_-]{35}\b|"
    r"-----BEGIN (?:RSA |EC |OPENSSH |DSA |PGP )?PRIVATE KEY(?: BLOCK)?-----|\bglpat-[A-Za-z0-9_-]{20,}\b|\bnpm_[A-Za-z0-9]{36}\b|\b[sr]k_live_[A-Za-z0-9]{20,}\b|\bSG\.[\w-]{20,}\.[\w-]{40,}|"
    r"\bGOCSPX-[\w-]{28}\b|\bhf_[A-Za-z0-9]{34}\b|\bpypi-AgEI[\w-]{50,}|\bdop_v1_[0-9a-f]{64}\b|\bshpat_[0-9a-f]{32}\b|\bhooks\.slack\.com/services/T\w{8,}/B\w{8,}/\w{20,}"
)
_MADE_UP = r"EXAMPLE|MASKED|REDACTED|X{6,}|(.)\1{7,}|fake|dummy|test|sample|placeholder|your[_-]"
_FAKE = compiled(rf"{_MADE_UP}|0123456789|1234567890|abcdef", re.IGNORECASE)
_PLAINLY_FAKE = compiled(_MADE_UP, re.IGNORECASE)
"""What stands in the form of a provider's key where programs read their keys is one, also with the letters in a row."""
_ENV_FILE = compiled(r"(?:^|/)\.env(?:\.(?:local|prod\w*|dev\w*|staging))?$")

_KEY = compiled(
    r"(?:api_?key|secret|token|passw(?:or)?d|access_?key)\w{0,12}[\"'\])]{0,3}\s{0,4}(?:=>|[:=,])\s{0,4}[\"'](?P<value>[A-Za-z0-9_+/=.-]{20,100})[\"']",
    re.IGNORECASE,
)
_SHAPES = (compiled(r"\d"), compiled(r"[a-z]"), compiled(r"[A-Z]"))
_BARE_KEY = compiled(
    r"^(?P<line>[^\"'\n]{0,80})[\"'](?P<value>(?=[A-Za-z0-9]*[/+])[A-Za-z0-9/+]{40})[\"']", re.MULTILINE
)
"""The secret key of a large provider has no mark but its length and its signs; `line` is what stands before it."""
_NO_KEY = compiled(
    r"hash|(?<![a-z])sha(?![a-z])|digest|checksum|integrity|etag|public|finger|signature|path|url|href|src|image|data",
    re.IGNORECASE,
)
_TURNS = compiled(r"[a-z]+|[A-Z]+|\d+|[/+]")
MANY_TURNS = 18
"""Letters drawn by chance change between large, small, digit and sign about 25 times in 40; words and paths hardly more than ten times."""
MANY_SIGNS = 0.6
"""A key made by chance hardly repeats a sign: at least so many of its signs are different ones."""


_ENV_KEY = compiled(
    r"^(?:export )?\w*(?:KEY|SECRET|TOKEN|PASSW(?:OR)?D)\w*=(?P<value>[A-Za-z0-9_+/=.-]{20,100})\s*$", re.MULTILINE
)


def _keys(text: str) -> Iterator[re.Match[str]]:
    """A value that looks like chance, given to a name that says key, token, secret or password."""
    for match in (*_KEY.finditer(text), *_ENV_KEY.finditer(text)):
        value = match["value"]
        if all(shape.search(value) for shape in _SHAPES) and len(set(value[:24])) >= MANY_SIGNS * len(value[:24]):
            yield match


def _bare_keys(text: str) -> Iterator[str]:
    """The keys that stand under any name, where chance must have made them."""
    for match in _BARE_KEY.finditer(text):
        value = match["value"]
        drawn = all(shape.search(value) for shape in _SHAPES) and len(_TURNS.findall(value)) >= MANY_TURNS
        if drawn and not _NO_KEY.search(match["line"]):
            yield value


def secrets_in(text: str, path: str) -> Iterator[str]:
    """The keys that a text holds, for a file at this path."""
    of_provider = _PLAINLY_FAKE if _ENV_FILE.search(path) else _FAKE
    yield from (match.group() for match in _SECRETS.finditer(text) if not of_provider.search(match.group()))
    yield from (match["value"] for match in _keys(text) if not _FAKE.search(match["value"]))
    yield from (value for value in _bare_keys(text) if not _FAKE.search(value))
