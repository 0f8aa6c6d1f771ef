"""Ways to break a good synthesis."""

from __future__ import annotations

import random
import re

from msgspec.structs import replace

from witnessmark.core.case import Case
from witnessmark.testing.fault import fault, subject
from witnessmark.text.sentences import sentence_texts

TRACE = "traceability"
_FIGURE = re.compile(r"(?<![\w.,:-])\d{2,}(?:[.,]\d+)*(?![\w:.-]*\d)")
_LIMIT = re.compile(r"\b(?:not known|unknown|missing|not yet|only|may|still|not inspected|not tested|lowers|self-selected)\b", re.IGNORECASE)  # fmt: skip


def sentences(case: Case) -> list[str]:
    """The sentences of the synthesis."""
    return sentence_texts(case.text)


def _put(case: Case, rng: random.Random, words: str) -> Case:
    said = sentences(case)
    at = rng.randint(1, len(said))
    return subject(case, text=" ".join([*said[:at], words, *said[at:]]))


@fault("blank_text", "synthesis", "not_empty")
def blank_text(case: Case, rng: random.Random) -> Case | None:
    """Leave the answer empty."""
    return subject(case, text=" \n")


@fault("invent_claim", "synthesis", TRACE)
def invent_claim(case: Case, rng: random.Random) -> Case | None:
    """Add a claim that no agent output bears out."""
    return _put(
        case, rng, "An independent audit by Halvorsen and Partners confirmed this in writing on 17 August 2031."
    )


@fault("change_figure", "synthesis", "judge")
def change_figure(case: Case, rng: random.Random) -> Case | None:
    """Change a figure that the agent outputs give."""
    known = " ".join(source.text or "" for source in case.evidence)
    places = [m for m in _FIGURE.finditer(case.text) if m.group() in known]
    if not places:
        return None
    spot = rng.choice(places)
    return subject(case, text=f"{case.text[: spot.start()]}7{spot.group()}{case.text[spot.end() :]}")


@fault("only_the_agent", "synthesis", TRACE)
def only_the_agent(case: Case, rng: random.Random) -> Case | None:
    """Cite an agent by name for something that it never said."""
    agents = [source.origin for source in case.evidence if source.kind == "agent_output" and source.origin]
    if not agents:
        return None
    return _put(
        case, rng, f"The {rng.choice(agents)} said that the budget of 914,000 kroner was approved by Dr Velasquez."
    )


@fault("cite_the_wrong_agent", "synthesis", TRACE)
def cite_the_wrong_agent(case: Case, rng: random.Random) -> Case | None:
    """Ascribe what one agent found to another."""
    told = [s for s in case.evidence if s.kind == "agent_output" and s.origin and s.text]
    if len(told) < 2:
        return None
    one, other = rng.sample(told, 2)
    first = sentence_texts(one.text or "")[0].rstrip(".")
    return _put(case, rng, f"According to {other.origin}: {first} [{other.id}].")


@fault("swap_outputs", "synthesis", TRACE)
def swap_outputs(case: Case, rng: random.Random) -> Case | None:
    """Keep the answer and take away the agent output that it rests on most."""
    told = [s for s in case.evidence if s.kind == "agent_output"]
    if not told:
        return None
    other = "The kitchen inventory lists 3 ladles and one sieve; nothing else was counted."
    return replace(case, evidence=tuple(replace(s, text=other, data=None, sha256=None) for s in case.evidence))


@fault("contradict_claim", "synthesis", TRACE)
def contradict_claim(case: Case, rng: random.Random) -> Case | None:
    """Say the opposite of one of the answer's own sentences."""
    said = [s for s in sentences(case) if len(s.split()) >= 5]
    if not said:
        return None
    chosen = rng.choice(said).rstrip(".")
    return subject(case, text=f"{case.text} It is not true that {chosen[:1].lower()}{chosen[1:]}.")


@fault("drop_limitation", "synthesis", "judge")
def drop_limitation(case: Case, rng: random.Random) -> Case | None:
    """Leave out what the answer says about its limits."""
    said = sentences(case)
    kept = [s for s in said if not _LIMIT.search(s)]
    return subject(case, text=" ".join(kept)) if kept and len(kept) < len(said) else None


@fault("leave_out_output", "synthesis", "judge")
def leave_out_output(case: Case, rng: random.Random) -> Case | None:
    """Say only the first thing, and leave out what the other agents found."""
    said = sentences(case)
    return subject(case, text=said[0]) if len(said) > 1 else None
