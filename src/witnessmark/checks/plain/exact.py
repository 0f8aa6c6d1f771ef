"""An output against a text that is known: equal to it, containing it, beginning with it, near it; and the opposite of a check.

What other tools assert word by word. Nothing here understands a text; where meaning is asked for, a judge is.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from msgspec import UNSET

from witnessmark.checks.plain.schema import find_json
from witnessmark.core.case import Case, TaskOutput
from witnessmark.core.errors import InputError
from witnessmark.core.registry import Look, check, ready
from witnessmark.core.values import canonical
from witnessmark.core.verdict import Finding, Result, failed, passed
from witnessmark.text.patterns import compiled

_CYRILLIC = "абвеёзікмнорстухјѕһԁԛԝ АВЕЁЗІКМНОРСТУХЈЅԌԚԜ"
_CYRILLIC_AS = "a6beezikmhopctyxjshdqw ABEE3IKMHOPCTYXJSGQW"
_GREEK = "αβγεικνορτυχωϲϳ ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ"
_GREEK_AS = "aByeikvoptuxwcj ABEZHIKMNOPTYXC"
_OTHER = "ıȷɑɡɩӏօսհոԍᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ"
_OTHER_AS = "ijagiloohngabcdefghijklmnoprstuvwyz"
_TABLE = str.maketrans(
    dict(zip(_CYRILLIC, _CYRILLIC_AS, strict=True))
    | dict(zip(_GREEK, _GREEK_AS, strict=True))
    | dict(zip(_OTHER, _OTHER_AS, strict=True))
)


def as_seen(text: str) -> str:
    """The text with full-width and styled letters plain, look-alikes of other alphabets as Latin, and nothing invisible in it."""
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKC", text)
    return "".join(char for char in plain if unicodedata.category(char) not in ("Cf", "Mn", "Me")).translate(_TABLE)


_INSIDE = compiled(r"(?<=[^\W\d_])(?:\*{1,3}|~~|`|</?[a-z]{1,6}>)+(?=[^\W\d_])")
"""Emphasis that is set inside a word: guar**an**teed."""


def as_read(text: str) -> str:
    """The text as a reader sees it on a page: as seen, and without emphasis inside its words."""
    return _INSIDE.sub("", as_seen(text))


Prior = Mapping[str, Result]


def same(text: str, ignore_case: bool) -> str:
    """A text as it is compared: in one Unicode form, and in one case where case does not matter."""
    normal = text if text.isascii() else unicodedata.normalize("NFC", text)
    return normal.casefold() if ignore_case else normal


def _wrong(reason: str, suggestion: str) -> Result:
    return failed(reason, Finding(message=reason, category="wrong_format", suggestion=suggestion))


def _text_or_json(value: Any) -> Mapping[str, Any]:
    """A text, options by name where `text` or `json` is among them, and otherwise the JSON that is expected."""
    if isinstance(value, Mapping) and ("text" in value or "json" in value):
        return value
    return {"text": value} if isinstance(value, str) else {"json": value}


@check("equals", version="2", cost="instant", from_value=_text_or_json)
def equals(text: str | None = None, *, json: Any = UNSET, ignore_case: bool = False) -> Look:
    """The output is this text, ignoring spaces at its ends, or JSON equal to this.

    Args:
        text: what the output must be, word by word.
        json: what it must be as JSON, in place of a text.
        ignore_case: whether a text in other capitals is the same.

    """
    if (text is None) == (json is UNSET):
        raise InputError("give either the option text or the option json")
    return _equals_json(json) if text is None else _equals_text(text, ignore_case)


def _equals_text(wanted: str, ignore_case: bool) -> Look:
    key = same(wanted, ignore_case).strip()

    def look(case: Case, prior: Prior) -> Result:
        if same(case.text, ignore_case).strip() == key:
            return passed("the output is the expected text")
        return _wrong("the output is not the expected text", "Answer with the expected text and nothing else.")

    return look


def _by_value(value: Any) -> Any:
    """JSON with each whole number written in one way: 1.0 and 1 are one number."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    if isinstance(value, Mapping):
        return {key: _by_value(inner) for key, inner in value.items()}
    return [_by_value(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def _equals_json(wanted: Any) -> Look:
    key = canonical(_by_value(wanted))

    def look(case: Case, prior: Prior) -> Result:
        found, why = find_json(case.text)
        if why is None and canonical(_by_value(found)) == key:
            return passed("the output is the expected JSON")
        return _wrong(why or "the output is not the expected JSON", "Answer with the expected JSON and nothing else.")

    return look


@check("contains", version="1", cost="instant")
def contains(
    all: str | list[str] | None = None,
    *,
    any: str | list[str] | None = None,
    ignore_case: bool = False,
) -> Look:
    """Each of these texts is in the output, letter by letter; of `any` one is enough.

    Args:
        all: a text or texts that must all be there.
        any: texts of which one is enough, in place of `all`.
        ignore_case: whether a text in other capitals is the same.

    """
    if (all is None) == (any is None):
        raise InputError("give either the option all or the option any")
    one_is_enough = any is not None
    wanted = {part: same(part, ignore_case) for part in _texts(any if one_is_enough else all)}

    def look(case: Case, prior: Prior) -> Result:
        text = same(case.text, ignore_case)
        missing = [part for part, key in wanted.items() if key not in text]
        if not missing or (one_is_enough and len(missing) < len(wanted)):
            return passed("all expected texts are in the output")
        reason = (
            f"none of {len(wanted)} texts is in the output" if one_is_enough else f"{missing[0]!r} is not in the output"
        )
        findings = [
            Finding(
                message=f"{part!r} is not in the output",
                category="missing_keyword",
                suggestion=f"Say {part!r}.",
            )
            for part in missing
        ]
        return failed(reason, *findings)

    return look


def _texts(value: Any) -> list[str]:
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, (list, tuple)) or not listed or not all(isinstance(t, str) and t for t in listed):
        raise InputError(f"options all and any: must hold texts, none of them empty, not {value!r}")
    return list(listed)


@check("starts_with", version="1", cost="instant")
def starts_with(text: str, *, ignore_case: bool = False) -> Look:
    """The output begins with this text.

    Args:
        text: the beginning.
        ignore_case: whether a text in other capitals is the same.

    """
    if not text:
        raise InputError("option text: must not be empty")
    key = same(text, ignore_case)

    def look(case: Case, prior: Prior) -> Result:
        if same(case.text, ignore_case).startswith(key):
            return passed("the output begins as expected")
        return _wrong(f"the output does not begin with {text!r}", f"Begin the output with {text!r}.")

    return look


_ON_WORDS = frozenset({"contains", "contains_keywords", "starts_with", "equals"})
_ON_TEXT = _ON_WORDS | {"format_regex"}


def _as_seen(value: Any) -> Any:
    """The words of a value as a reader sees them, so that both sides are compared alike."""
    if isinstance(value, str):
        return as_seen(value)
    if isinstance(value, Mapping):
        return {key: _as_seen(inner) for key, inner in value.items()}
    return [_as_seen(inner) for inner in value] if isinstance(value, (list, tuple)) else value


_OPPOSITE = {"pass": "fail", "fail": "pass"}


@check("not", version="3", cost="local", value_is="criterion")
def opposite(check: str, *, value: Any = None, options: dict[str, Any] | None = None) -> Look:
    """The opposite of a deterministic check, named with its value or options. What that one cannot say, this one cannot.

    A ban on words or on a pattern holds for the text as it is written and as a reader sees it, look-alike letters and all; a list of
    keywords bans each of them.

    Args:
        check: the name of the other check.
        value: its value, as a criterion would give it.
        options: its options by name.

    """
    if check == "contains_keywords" and isinstance(value, (list, tuple)) and len(value) > 1:
        return _none_of([opposite(check, value=[word]) for word in value])
    inner = ready(check, value, options=options)
    if inner.cost == "paid":
        raise InputError(f"option check: {inner.name} asks a judge; say the opposite in words instead")

    known = (_as_seen(value), _as_seen(options)) if check in _ON_WORDS else (value, options)
    seen = ready(check, known[0], options=known[1]) if check in _ON_TEXT else None

    def look(case: Case, prior: Prior) -> Result:
        said = inner(case, prior)
        if not isinstance(said, Result):
            raise InputError(f"option check: {inner.name} cannot be turned round; say the opposite in words")
        read = as_read(case.text) if said.status == "fail" and seen is not None else case.text
        if seen is not None and read != case.text:
            again = seen(Case(subject=TaskOutput(text=read)), prior)
            said = again if isinstance(again, Result) else said
        if said.status not in _OPPOSITE:
            return said
        if said.status == "fail":
            return passed(f"{inner.name} does not hold, as asked")
        reason = f"{inner.name} holds but should not: {said.reason}"
        return _wrong(reason, "Write the output so that this does not hold.")

    return look


def _none_of(bans: list[Look]) -> Look:
    """Several bans as one: the first that is broken, or the last."""

    def look(case: Case, prior: Prior) -> Result:
        found = [ban(case, prior) for ban in bans]
        said = [one for one in found if isinstance(one, Result)]
        return next((one for one in said if one.status != "pass"), said[-1])

    return look
