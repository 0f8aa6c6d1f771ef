"""Damage that is easily overlooked: a false statement beside a refusal, inside a sentence or a heading, in a question, in data; signs turned round."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from witnessmark.core.case import AgentOutput, Case
from witnessmark.testing.damages import (
    BLOCK,
    DAMAGES,
    END,
    INVENTED,
    Damage,
    Made,
    damage,
    lowered,
    put,
    replaced,
    stated,
    with_text,
)
from witnessmark.text.sentences import sentences

__all__ = ["DAMAGES", "Damage"]

_REFUSED = ("The sources do not say so, but", "I don't know, but", "There is no information about this, although")
stated("refused_and_said", "A refusal, and a false statement in the same sentence.", END, "{}.", _REFUSED)
_BASED = ("This answer is based on the fact that", "Here is the proof that", "The following shows that")
stated("about_answer", "A false statement in words about the answer.", END, "{}.", _BASED)
_TOLD = ("Do you know that", "Can you believe that", "Have you heard that")
stated("asked_openly", "A false statement as the content of a question.", END, "{}?", _TOLD)
stated("why_heading", "A false statement in a heading that promises its reason.", BLOCK, "## {}", ("Why", "How"))

TITLES = (
    "Built by smugglers",
    "Sold to a Dutch bank",
    "Ruined by a fire in 1788",
    "Abandoned after the strike of 2031",
)
JOINTS = ("; {}.", " ({}).", " – {}.", ", while {}.", ", and {}.", ", although {}.")


@damage("title_heading")
def title_heading(case: Case, rng: random.Random) -> Made:
    """A false statement as a heading without a finite verb."""
    title = rng.choice(TITLES)
    made = put(case, END, f"## {title}", block=True)
    return None if made is None else (made[0], title)


@damage("small_letter")
def small_letter(case: Case, rng: random.Random) -> Made:
    """A false sentence that begins with a small letter after a full stop."""
    return put(case, END, f"{lowered(rng.choice(INVENTED))}.")


@damage("false_half")
def false_half(case: Case, rng: random.Random) -> Made:
    """A false clause joined to a sentence that is true."""
    ended = [span for span in sentences(case.text, 0, len(case.text)) if case.text[slice(*span)].endswith(".")]
    if not ended:
        return None
    end, said = rng.choice(ended)[1], lowered(rng.choice(INVENTED))
    return with_text(case, f"{case.text[: end - 1]}{rng.choice(JOINTS).format(said)}{case.text[end:]}"), said


@damage("cited_elsewhere")
def cited_elsewhere(case: Case, rng: random.Random) -> Made:
    """A citation of another source than the one that says so."""
    ids = [source.id for source in case.evidence]
    cited = [(found, one) for one in ids for found in re.finditer(rf"\[{re.escape(one)}\]", case.text)]
    if len(ids) < 2 or not cited:
        return None
    found, one = rng.choice(cited)
    return replaced(case, *found.span(), f"[{rng.choice([other for other in ids if other != one])}]")


# --- signs ------------------------------------------------------------------------------------------------------------

_TURNED = {"≥": "≤", "≤": "≥", ">": "<", "<": ">", "€": "$", "$": "€", "£": "€", "+": "-", "-": "+", "−": "+"}
_SIGN = re.compile(r"[≥≤€$£](?=\s?\d)|(?<=\d)\s?[€$£]|(?<=\w\s)[<>](?=\s?\d)|(?<![\w)])[-−+](?=\d)|\b[MGTk]B\b|°C")
_OTHERS = {"MB": "GB", "GB": "MB", "TB": "GB", "kB": "MB", "°C": "°F"}


@damage("symbol_swap")
def symbol_swap(case: Case, rng: random.Random) -> Made:
    """One sign before or after a figure turned round: at least and at most, plus and minus, a currency, a unit."""
    places = list(_SIGN.finditer(case.text))
    if not places:
        return None
    found = rng.choice(places)
    old = found.group().strip()
    return replaced(case, found.end() - len(old), found.end(), (_TURNED | _OTHERS)[old])


@damage("reference_sign")
def reference_sign(case: Case, rng: random.Random) -> Made:
    """A figure of the answer that was expected, with another sign or unit before or after it."""
    if case.reference is None:
        return None
    places = [
        found for found in re.finditer(r"(?<![\w.,+−-])\d[\d.,]*\b", case.text) if found.group() in case.reference
    ]
    if not places:
        return None
    found = rng.choice(places)
    new = rng.choice(("-{}", "< {}", "{} %"))
    return replaced(case, *found.span(), new.format(found.group()))


# --- data -------------------------------------------------------------------------------------------------------------


def _with_data(case: Case, data: Any, told: str) -> Made:
    subject = case.subject
    return (replace(case, subject=replace(subject, data=data)), told) if isinstance(subject, AgentOutput) else None


def _data(case: Case) -> Mapping[str, Any] | None:
    subject = case.subject
    return subject.data if isinstance(subject, AgentOutput) and isinstance(subject.data, Mapping) else None


@damage("data_text")
def data_text(case: Case, rng: random.Random) -> Made:
    """A false statement as a text among an agent's data."""
    data, said = _data(case), rng.choice(INVENTED)
    return None if data is None else _with_data(case, {**data, "remark": f"{said}."}, said)


@damage("data_flag")
def data_flag(case: Case, rng: random.Random) -> Made:
    """A yes among an agent's data to something that no source speaks of."""
    data = _data(case)
    return None if data is None else _with_data(case, {**data, "approved_by_auditor": True}, "approved by auditor yes")


@damage("data_member")
def data_member(case: Case, rng: random.Random) -> Made:
    """One more name in a list of an agent's data."""
    data = _data(case) or {}
    lists = [
        name
        for name, value in data.items()
        if isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value)
    ]
    if not lists:
        return None
    name = rng.choice(lists)
    return _with_data(case, {**data, name: [*data[name], "Vestergaard"]}, f"{name} Vestergaard")


@damage("data_figure")
def data_figure(case: Case, rng: random.Random) -> Made:
    """One figure of an agent's data changed."""
    data = _data(case) or {}
    found = [name for name, one in data.items() if isinstance(one, (int, float)) and not isinstance(one, bool)]
    if not found:
        return None
    name = rng.choice(found)
    return _with_data(case, {**data, name: data[name] * 3 + 17}, f"{name} {data[name] * 3 + 17}")
