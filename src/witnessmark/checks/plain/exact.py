"""An output against a text that is known: equal to it, containing it, beginning with it, near it; and the opposite of a check.

What other tools assert word by word. Nothing here understands a text; where meaning is asked for, a judge is.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

from witnessmark.checks.plain.schema import find_json
from witnessmark.checks.plain.text import words_of
from witnessmark.core.case import Case, TaskOutput
from witnessmark.core.errors import InputError
from witnessmark.core.registry import Look, check, ready
from witnessmark.core.values import canonical
from witnessmark.core.verdict import Finding, Result, failed, passed
from witnessmark.text.lookalikes import as_seen

Prior = Mapping[str, Result]


def _options(value: Any, known: tuple[str, ...], example: str) -> dict[str, Any]:
    """The value as a mapping with these keys, and `ignore_case`."""
    if not isinstance(value, Mapping):
        raise InputError(f"value must be {example}, not {value!r}")
    wrong = sorted(set(value) - {*known, "ignore_case"})
    if wrong:
        raise InputError(f"value.{wrong[0]}: unknown; known are {', '.join(known)}, ignore_case")
    if not isinstance(value.get("ignore_case", False), bool):
        raise InputError(f"value.ignore_case: is true or false, not {value['ignore_case']!r}")
    return dict(value)


def same(text: str, ignore_case: bool) -> str:
    """A text as it is compared: in one Unicode form, and in one case where case does not matter."""
    normal = text if text.isascii() else unicodedata.normalize("NFC", text)
    return normal.casefold() if ignore_case else normal


def _wrong(reason: str, suggestion: str) -> Result:
    return failed(reason, Finding(message=reason, category="wrong_format", suggestion=suggestion))


@check("equals", version="1", cost="instant")
def equals(value: Any) -> Look:
    """The output is this text, spaces at its ends apart; where the value is no text, the output is JSON equal to it."""
    if isinstance(value, Mapping) and "text" in value:
        told = _options(value, ("text",), '"text" or {"text": "…", "ignore_case": true}')
        return _equals_text(told["text"], told.get("ignore_case", False))
    return _equals_text(value, False) if isinstance(value, str) else _equals_json(value)


def _equals_text(wanted: Any, ignore_case: bool) -> Look:
    if not isinstance(wanted, str):
        raise InputError(f"value.text: must be a text, not {wanted!r}")
    key = same(wanted, ignore_case).strip()

    def look(case: Case, prior: Prior) -> Result:
        if same(case.text, ignore_case).strip() == key:
            return passed("the output is the expected text")
        return _wrong("the output is not the expected text", "Answer with the expected text and nothing else.")

    return look


def _equals_json(wanted: Any) -> Look:
    key = canonical(wanted)

    def look(case: Case, prior: Prior) -> Result:
        found, why = find_json(case.text)
        if why is None and canonical(found) == key:
            return passed("the output is the expected JSON")
        return _wrong(
            why or "the output is other JSON than expected", "Answer with the expected JSON and nothing else."
        )

    return look


@check("contains", version="1", cost="instant")
def contains(value: Any) -> Look:
    """Each of these texts stands in the output, letter by letter; with {"any": […]} one of them is enough."""
    told = value if isinstance(value, Mapping) else {"all": value}
    told = _options(told, ("all", "any"), '"text", ["texts"], {"all": […]} or {"any": […]}')
    if ("all" in told) == ("any" in told):
        raise InputError("value must have either all or any")
    ignore_case, one_is_enough = told.get("ignore_case", False), "any" in told
    wanted = {part: same(part, ignore_case) for part in _texts(told["any" if one_is_enough else "all"])}

    def look(case: Case, prior: Prior) -> Result:
        text = same(case.text, ignore_case)
        missing = [part for part, key in wanted.items() if key not in text]
        if not missing or (one_is_enough and len(missing) < len(wanted)):
            return passed("what should stand there stands there")
        reason = (
            f"none of {len(wanted)} texts stands there" if one_is_enough else f"{missing[0]!r} does not stand there"
        )
        findings = [
            Finding(
                message=f"{part!r} does not stand in the output",
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
        raise InputError(f"value must hold texts, none of them empty, not {value!r}")
    return list(listed)


@check("starts_with", version="1", cost="instant")
def starts_with(value: Any) -> Look:
    """The output begins with this text."""
    told = value if isinstance(value, Mapping) else {"text": value}
    told = _options(told, ("text",), '"text" or {"text": "…", "ignore_case": true}')
    wanted = words_of([told.get("text")])[0] if not isinstance(told.get("text"), str) else told["text"]
    if not wanted:
        raise InputError("value: must be a text that is not empty")
    ignore_case = told.get("ignore_case", False)
    key = same(wanted, ignore_case)

    def look(case: Case, prior: Prior) -> Result:
        if same(case.text, ignore_case).startswith(key):
            return passed("the output begins as expected")
        return _wrong(f"the output does not begin with {wanted!r}", f"Begin the output with {wanted!r}.")

    return look


_ON_WORDS = frozenset({"contains", "contains_keywords", "starts_with", "equals"})


def _as_seen(value: Any) -> Any:
    """The words of a value as a reader sees them, so that both sides are compared alike."""
    if isinstance(value, str):
        return as_seen(value)
    if isinstance(value, Mapping):
        return {key: _as_seen(inner) for key, inner in value.items()}
    return [_as_seen(inner) for inner in value] if isinstance(value, (list, tuple)) else value


_OPPOSITE = {"pass": "fail", "fail": "pass"}


@check("not", version="2", cost="local")
def opposite(value: Any) -> Look:
    """The opposite of a deterministic check: {"check": NAME, "value": …}. What that one cannot say, this one cannot.

    A ban on words holds for the text as it is written and as a reader sees it, look-alike letters and all.
    """
    if not isinstance(value, Mapping) or not isinstance(value.get("check"), str) or set(value) - {"check", "value"}:
        raise InputError(f'value must be {{"check": NAME, "value": …}}, not {value!r}')
    inner = ready(value["check"], value.get("value"))
    if inner.cost == "paid":
        raise InputError(f"value.check: {inner.name} asks a judge; say the opposite in words instead")

    seen = ready(value["check"], _as_seen(value.get("value"))) if value["check"] in _ON_WORDS else None

    def look(case: Case, prior: Prior) -> Result:
        said = inner(case, prior)
        if not isinstance(said, Result):
            raise InputError(f"value.check: {inner.name} cannot be turned round; say the opposite in words")
        if said.status == "fail" and seen is not None and not case.text.isascii():
            again = seen(Case(subject=TaskOutput(text=as_seen(case.text))), prior)
            said = again if isinstance(again, Result) else said
        if said.status not in _OPPOSITE:
            return said
        if said.status == "fail":
            return passed(f"{inner.name} does not hold, as asked")
        reason = f"{inner.name} holds, and should not: {said.reason}"
        return _wrong(reason, "Write the output so that this does not hold.")

    return look
