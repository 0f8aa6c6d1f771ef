"""Modules and classes are called by nouns of the field, so that a search finds them and a reader knows what the value is."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import witnessmark

PACKAGE = Path(witnessmark.__file__).parent
VAGUE = frozenset("found said made told kept given asked heard examined".split())
"""Participles that say of anything only that somebody did something with it: no part of a name."""
PARTICIPLES = VAGUE | frozenset(
    """begun borne broken brought built caught chosen dealt done drawn felt forbidden forgotten gone got grown held hidden known
    laid left let lost meant met paid proven seen sent shown shut sold spent split spoken spread stood struck taken taught
    thought thrown torn understood undone unmet unsaid won worn woven written""".split()
)
"""Those that do not end in -ed: no last word of a name, where the noun stands. Run, fit, set, cut and bound are nouns too."""
PARTICLES = frozenset("away back down for in off on out over through up".split())
"""Last words of participles of two words: `broken_off`, `asked_for`, `LeftOut`."""
MOODS = frozenset("door examine hold keeping scene seam shelf signs take talk telling worth".split())
"""Words that tell how a thing felt to whoever wrote it, and not what it is: no part of a name."""
ED_NOUNS = frozenset("bed deed embed feed need seed speed".split())
"""Nouns that happen to end so."""
ALLOWED = {
    "CutOff": "a cut-off is a noun: it ends work that takes too long",
    "JobAccepted": "the name of a schema in /openapi.json, which clients are generated from",
    "judged": "the family of checks that judges settle, beside plain; the design calls it so",
}
"""Names that stay, each with its reason."""


def words_of(name: str) -> list[str]:
    """The words of a name, in small letters: of `asked_rows`, `AskedRow`, `HTMLCell`."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]


def is_no_noun(name: str) -> bool:
    """Whether a name is a participle or a mood, or has one where the noun belongs."""
    words = words_of(name)
    last = words[-1] if words else ""
    participle = last in PARTICIPLES or (last.endswith("ed") and last not in ED_NOUNS)
    return participle or last in PARTICLES or not (VAGUE | MOODS).isdisjoint(words)


@functools.cache
def trees() -> dict[str, ast.Module]:
    """Every module of the package by its place, read once."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return {path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def names() -> Iterator[tuple[str, str]]:
    """Every folder, module and class of the package, private and nested ones too, with the file it stands in."""
    for place, tree in trees().items():
        yield from ((part, place) for part in place.removesuffix(".py").split("/"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                yield node.name, place


def test_the_words_that_the_house_gave_up_name_no_function_and_no_parameter():
    """`view` for scene, `namespace` for shelf, and verbs that say what is done for examine, hold and worth."""
    given_up = {"examine", "hold", "scene", "shelf", "telling", "worth"}
    left = [
        f"{place}:{node.lineno}: {name}"
        for place, tree in trees().items()
        for node in ast.walk(tree)
        for name in [getattr(node, "arg", "") if isinstance(node, ast.arg) else getattr(node, "name", "")]
        if isinstance(node, ast.arg | ast.FunctionDef | ast.AsyncFunctionDef) and name in given_up
    ]
    assert left == []


def test_no_module_and_no_class_is_called_by_a_participle_or_a_mood():
    wrong = {name: place for name, place in names() if is_no_noun(name)}
    assert {name: place for name, place in wrong.items() if name not in ALLOWED} == {}
    assert sorted(wrong) == sorted(ALLOWED), "what is allowed is still there"


@pytest.mark.parametrize(
    "name",
    ["told", "unmet", "borne_out", "asked_for", "Given", "AsStated", "ToldAsDone", "Over", "_Keeping", "told_tests"],
)
def test_a_participle_is_seen_wherever_the_noun_belongs(name):
    assert is_no_noun(name)


@pytest.mark.parametrize("name", ["declared_claims", "ScriptedJudge", "dry_run", "RecordSet", "metering", "_LazyNames"])
def test_a_noun_may_have_a_participle_before_it(name):
    assert not is_no_noun(name)
