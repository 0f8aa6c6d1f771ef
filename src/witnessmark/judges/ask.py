"""The only maker of questions to judges: our words as they are, what is judged in fences that it cannot close.

A prompt is a file under prompts/, known by its hash, with what stands before the fences and what stands after them; further
sections of it, and of the files whose names start with `_`, are phrases that are put in where they apply. Nothing judged is ever
formatted into them: parts are put one after the other. The nonce of a fence is random and not part of the question's key.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from witnessmark.core.case import Case
from witnessmark.core.errors import UnknownNameError
from witnessmark.core.protocols import Question
from witnessmark.core.values import digest, text_digest
from witnessmark.judges import examples

SEED_BITS = 0x7FFF_FFFF
_SECTION = re.compile(r"^# ([a-z0-9_]+)\n", re.MULTILINE)
_LABEL = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,23}")
"""One word: a name that could say something itself goes inside the fence."""
_SHARED = "_shared"
_FENCE = re.compile(r"⟦judged ([0-9a-f]{24}) …⟧")
# Control and invisible characters that are not needed to write any language: shown, so that nothing is hidden from a
# person who reads the same text. Line breaks, tabs and the joiners of emoji and Indic scripts stay.
HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb"
    "\U000e0000-\U000e0fff\ud800-\udfff]"
)
# Marks that some servers read as the borders between turns even inside a message.
TURN_MARKS = re.compile(
    r"<(?=\||｜|/?s>|/?SYS>|<SYS|/?(?:start_of_turn|end_of_turn|bos|eos|think)>)|\[(?=/?INST\]|/?SYSTEM_PROMPT\])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Template:
    """A prompt as its file has it."""

    name: str
    system: str
    before: str
    after: str
    examples: str
    sha256: str


def templates() -> list[str]:
    """The names of the prompts there are."""
    names = (file.name for file in _folder().iterdir())
    return sorted(name.removesuffix(".md") for name in names if name.endswith(".md") and not name.startswith("_"))


@functools.cache
def template(name: str) -> Template:
    """The prompt of this name, with the examples that stand beside it."""
    if name not in templates():
        raise UnknownNameError("prompt", name, templates())
    loaded = _examples(name)
    rendered = [examples.rendered(one) for one in examples.select(loaded)] if loaded else []
    told = "\n\n".join([phrase(_SHARED, "examples"), *rendered]) if rendered else ""
    parts = _sections(name)
    sha = hashlib.sha256(msgspec.json.encode([parts, _sections(_SHARED), told])).hexdigest()
    return Template(name, parts["system"], parts["before"], parts["after"], told, sha)


def phrase(file: str, section: str, **values: object) -> str:
    """A section of a prompt's file, with our own values in its {places}.

    Values are numbers, labels and words of ours, never judged text.
    """
    text = _sections(file)[section]
    return text.format(**values) if values else text


def _examples(name: str) -> tuple[examples.Example, ...]:
    """The examples of a prompt, or those of its family: `plan_self` and `plan_adversarial` share `_plan`."""
    for beside in (f"{name}.examples.toml", f"_{name.partition('_')[0]}.examples.toml"):
        file = _folder().joinpath(beside)
        if file.is_file():
            return examples.load(file.read_text(encoding="utf-8"))
    return ()


def _folder() -> Traversable:
    return resources.files("witnessmark.judges").joinpath("prompts")


@functools.cache
def _sections(name: str) -> dict[str, str]:
    parts = _SECTION.split(_folder().joinpath(f"{name}.md").read_text(encoding="utf-8"))
    return {key: body.strip() for key, body in zip(parts[1::2], parts[2::2], strict=True)}


def seed_of(case: Case) -> int:
    """The seed of the questions about a case: always the same for the same case."""
    return int(case.digest()[:12], 16)


def ask_about(
    template: str,
    *,
    ours: str = "",
    material: Mapping[str, str],
    reply_schema: dict[str, Any] | msgspec.Raw,
    seed: int = 0,
    max_tokens: int = 1024,
    temperature: float = 0.0,
) -> Question:
    """The question of a template: `ours` is what we ask in our words, `material` the hostile text by its label.

    The same arguments give the same key; the seed comes from the case, so that a case is always asked the same way.
    A schema that is asked by again and again may be given as JSON, written once.
    """
    made = _template(template)
    nonce = _nonce(ours, material)
    judged = [_judged(number, label, text) for number, (label, text) in enumerate(material.items(), 1)]
    fenced = [f"⟦judged {nonce} {name}⟧\n{text}\n⟦end {nonce}⟧" for name, text in judged]
    fence = nonce.join(_around_nonce())
    schema = bytes(reply_schema) if isinstance(reply_schema, msgspec.Raw) else msgspec.json.encode(reply_schema)
    blank, form = _blank(template, schema, max_tokens, temperature)
    parts = (made.before, made.examples, ours, fence, *fenced, fence, made.after, form)
    key = digest([made.sha256, ours, judged, msgspec.Raw(schema), seed, max_tokens, temperature])
    return blank.with_material("\n\n".join([part for part in parts if part]), key, seed & SEED_BITS, schema)


def material_of(question: Question) -> dict[str, str]:
    """The material of a question by its labels, as it stands in the fences: for stand-ins that answer without a model."""
    opened = _FENCE.search(question.user)
    if opened is None:
        return {}
    nonce = opened.group(1)
    fenced = re.compile(rf"⟦judged {nonce} (\w[\w ]*)⟧\n(.*?)\n⟦end {nonce}⟧", re.DOTALL)
    return {label: text for label, text in fenced.findall(question.user) if label != "…"}


def together(questions: Sequence[Question]) -> Question:
    """Several questions of one prompt as one: each under a name of its own, the reply an object with a part for each name."""
    first = questions[0]
    names = [f"question{number}" for number in range(1, len(questions) + 1)]
    schema: dict[str, Any] = {
        "type": "object",
        "additionalProperties": False,
        "required": names,
        "properties": {name: question.reply_schema for name, question in zip(names, questions, strict=True)},
    }
    lead = phrase(_SHARED, "several", count=len(questions))
    return Question(
        system=first.system,
        user="\n\n".join([lead, *(f"{name}:\n{q.user}" for name, q in zip(names, questions, strict=True))]),
        reply_schema=schema,
        prompt=first.prompt,
        key=digest([question.key for question in questions]),
        max_tokens=sum(question.max_tokens for question in questions),
        temperature=first.temperature,
        seed=first.seed,
    )


@functools.lru_cache(maxsize=256)
def plain_prompt(text: str) -> Question:
    """A prompt for a model under test, sent as it is: no fence and no schema, since nothing is judged by it."""
    return Question(system="", user=text, reply_schema={}, prompt=text_digest(text), key=text_digest(text))


@functools.lru_cache(maxsize=256)
def _blank(name: str, schema: bytes, max_tokens: int, temperature: float) -> tuple[Question, str]:
    """A question without its material, and how it asks for the reply; made once: the same few are asked again and again."""
    made = _template(name)
    blank = Question(
        system=made.system,
        user="",
        reply_schema=msgspec.json.decode(schema),
        prompt=made.sha256,
        key="",
        max_tokens=max_tokens,
        temperature=temperature,
    )
    return blank, f"{phrase(_SHARED, 'reply_form')}\n{schema.decode()}"


@functools.cache
def _around_nonce() -> tuple[str, ...]:
    """What is said about the fence, in parts that its nonce joins."""
    return tuple(phrase(_SHARED, "fence", nonce="\0").split("\0"))


_template = template


def _nonce(ours: str, material: Mapping[str, str]) -> str:
    given = "\n".join((ours, *material, *material.values()))
    while (nonce := os.urandom(12).hex()) in given:
        pass
    return nonce


def _judged(number: int, label: str, text: str) -> tuple[str, str]:
    """One piece of material as the fence's line names it, and as it stands inside.

    A label that could say something itself goes inside too.
    """
    if _LABEL.fullmatch(label) is not None:
        return label, visible_text(text)
    return f"item {number}", visible_text(f"name: {label}\n{text}")


def visible_text(text: str) -> str:
    """Judged text with nothing hidden in it and no mark that a server could take for the end of a turn."""
    if not (text.isascii() and text.replace("\n", "").replace("\t", "").isprintable()):
        text = HIDDEN.sub(lambda found: f"\\u{{{ord(found.group()):x}}}", text)
    if "<" not in text and "[" not in text:
        return text
    return TURN_MARKS.sub(lambda found: found.group() + " ", text)


# --- rubrics ------------------------------------------------------------------------------------------------------


def rubric(criteria: Mapping[str, str]) -> str:
    """Criteria by id as a rubric: each with what every level means."""
    levels = "\n".join(f"  {level.strip()}" for level in phrase("_rubric", "likert5").split("·"))
    return "\n\n".join(
        [phrase("_rubric", "heading"), *(f"Criterion {name}: {text}\n{levels}" for name, text in criteria.items())]
    )


def rubric_schema(ids: Sequence[str]) -> dict[str, Any]:
    """The reply to a rubric: for each criterion the reasoning, then the level, then how sure the judge is."""
    each = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "enum": list(ids)},
            "reasoning": {"type": "string"},
            "score": {"type": "number", "enum": [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]},
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        },
        "required": ["id", "reasoning", "score", "confidence"],
        "additionalProperties": False,
    }
    found = {"type": "array", "items": each, "minItems": len(ids), "maxItems": len(ids)}
    return {
        "type": "object",
        "properties": {"criteria": found},
        "required": ["criteria"],
        "additionalProperties": False,
    }
