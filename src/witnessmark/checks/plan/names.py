"""What a plan takes for granted: the files and functions its subgoals name, and whether the evidence knows them.

A name counts only where the words presuppose it: what the plan creates itself, and what the person's own words name, is
not assumed. Where the evidence shows no code and no files, absence means nothing. Knows no judge and no score.
"""

from __future__ import annotations

import builtins
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from witnessmark.core.case import Case, Decomposition, Evidence
from witnessmark.core.values import canonical
from witnessmark.text.files import PRODUCTS, PROSE
from witnessmark.text.sentences import ANYTHING, sentences

Kind = Literal["file", "function"]
Use = Literal["assumed", "made", "open"]
# Names are found from a mark that is rare, a dot or a bracket, and read backwards from there; every repetition is bounded.
_DOT = re.compile(r"\.([A-Za-z]{1,7})(?![\w/-])")
_BRACKET = re.compile(r"\(\s{0,3}[\w\s,=.*'\"]{0,60}\)")
_TICKED = re.compile(r"`([A-Za-z_]\w{1,80})`")
_THINGS = r"\b(?:function|method|class|helper|decorator)\b"
_THING = re.compile(_THINGS)
_BEFORE = re.compile(rf"(?<![\w.])`?([A-Za-z_]\w{{1,80}})`?\s{{1,3}}{_THINGS}")
_BEHIND = re.compile(rf"{_THINGS}\s{{1,3}}`?([A-Za-z_]\w{{1,80}})(?!\w)")
_JOINED = re.compile(r"[^_]_[^_]|[a-z][A-Z]")
"""What makes a word a name in code: parts joined by an underscore or by a capital."""
_LONGEST = 200
_MAKES = frozenset(
    "create add write implement introduce generate build design define draft produce scaffold develop make prepare compose "
    "document provide expose register sketch outline assemble set".split()
)
_KEEPS = frozenset(
    "save write store export dump record output render publish log serialize serialise put deliver report summarize summarise "
    "compile collect convert transform turn translate split merge combine copy move rename note list".split()
)
_TAKES = frozenset(
    "extend analyze analyse read refactor fix update modify change find locate inspect review run test call reuse use follow "
    "delete remove open load parse check verify look search edit patch migrate import deploy measure profile validate compare "
    "describe explain identify trace debug investigate examine replace understand audit walk repeat".split()
)
_FORMS = {verb + ending: verb for verb in _MAKES | _KEEPS | _TAKES for ending in ("", "s", "es", "d", "ed", "ing")}
_JOIN = frozenset("and then to or by also".split())
_INTO = frozenset("to into as in at under called named".split())
_LIBRARIES = frozenset(
    "pandas numpy scipy matplotlib seaborn plotly sklearn scikit-learn tensorflow keras pytorch torch requests httpx aiohttp flask django fastapi "
    "sqlalchemy pydantic pytest boto3 celery redis beautifulsoup bs4 selenium playwright pillow opencv networkx nltk spacy polars pyspark dask "
    "react redux vue angular svelte express axios lodash jquery d3 three.js next.js node.js jest mocha webpack vite junit mockito spring hibernate "
    "rails rspec laravel symfony tokio serde gin gorm ggplot2 dplyr tidyverse".split()
)
"""Libraries by their names: a call beside one of them is probably one of its functions, which no evidence of the project shows."""
_SPACE = re.compile(r"\s")
_TEST_FILE = re.compile(r"(?:^|/)tests?/|(?:^|/)test_|[_.](?:test|spec)\.\w+$")
_ABOUT = frozenset(
    "of for from using with by against via on based like following than after around over about that existing current".split()
)


@dataclass(frozen=True, slots=True)
class PlanName:
    """A file or function that a subgoal names, and whether the words take it for granted."""

    subgoal: str
    kind: Kind
    text: str
    use: Use
    library: bool = False
    """Whether its sentence names a library that may have it."""


def names(plan: Decomposition) -> Iterator[PlanName]:
    """All names in the subgoals' descriptions."""
    for subgoal in plan.subgoals:
        words = _SPACE.sub(" ", subgoal.description)
        told = sentences(words, begins=ANYTHING)
        for kind, text, start in _found(subgoal.description):
            first, last = told[bisect_right(told, start, key=lambda span: span[0]) - 1]
            library = _names_library(words[first:last])
            use = _use(words[max(first, start - 200) : start], tests=_TEST_FILE.search(text) is not None)
            yield PlanName(subgoal.id, kind, text, use, library and kind == "function")


def _names_library(sentence: str) -> bool:
    """Whether a sentence names a library: `Plot it with matplotlib and call savefig()`."""
    return not _LIBRARIES.isdisjoint(word.strip("`.,;:()'\"").partition(".")[0] for word in sentence.lower().split())


def _found(text: str) -> Iterator[tuple[Kind, str, int]]:
    for path, start in files(text):
        yield "file", path, start
    seen: set[str] = set()
    for name, start in _in_code(text):
        if name not in seen and not hasattr(builtins, name):
            seen.add(name)
            yield "function", name, start


def files(text: str) -> Iterator[tuple[str, int]]:
    """The file names of a text with where they start."""
    for match in _DOT.finditer(text):
        if match.group(1).lower() not in PROSE:
            continue
        start = _back(text, match.start(), "_./-")
        path = text[start : match.end()]
        odd = start > 0 and text[start - 1] in "@:"
        if start < match.start() and path[0] != "." and not odd and path.lower() not in PRODUCTS:
            yield path, start


def _in_code(text: str) -> Iterator[tuple[str, int]]:
    """Names written as code: calls, names in backticks, and names beside a word such as function."""
    if "(" in text:
        for match in _BRACKET.finditer(text):
            start = _back(text, match.start(), "_.")
            name = text[start : match.start()]
            if name and (name[0].isalpha() or name[0] == "_") and name[-1] != ".":
                yield name, start
    told = [*(_BEFORE, _BEHIND)] if _THING.search(text) else []
    for pattern in (*told, _TICKED) if "`" in text else told:
        for match in pattern.finditer(text):
            if _JOINED.search(match.group(1)):
                yield match.group(1), match.start(1)


def _back(text: str, at: int, joins: str) -> int:
    """Where the name that ends here begins."""
    floor = max(0, at - _LONGEST)
    word = text.rfind(" ", floor, at) + 1
    if word > floor and text[word:at].isidentifier():
        return word  # most of them: a plain word after a space
    while at > floor and (text[at - 1].isalnum() or text[at - 1] in joins):
        at -= 1
    return at


def _last_verb(words: list[str]) -> int | None:
    """Where the last instruction begins.

    A verb counts at the start, after a comma, or after a word that joins; so "tests" in "add regression tests in …" is what is
    added, not what is done.
    """
    for at in range(len(words) - 1, -1, -1):
        if words[at].strip("(`'") in _FORMS:
            before = words[at - 1] if at else ""
            if not before or before in _JOIN or before[-1] in ",;:–" or words[at][0] == "(":
                return at
    return None


def _use(before: str, *, tests: bool = False) -> Use:
    """How the words before a name in its sentence use it: the last verb decides, and whether the name is its object.

    What is made `with a class` has that class; where tests for something are written to, there is a file of `tests`.
    """
    words = before.lower().split()
    if "new" in words[-3:] or "(new" in words[-3:]:
        return "made"
    at = _last_verb(words)
    if at is None:
        return "assumed"
    verb, between = _FORMS[words[at].strip("(`'")], words[at + 1 :]
    about = [number for number, word in enumerate(between) if word in _ABOUT]
    if verb in _MAKES and about and between[about[-1] : about[-1] + 2] in (["with", "a"], ["with", "an"]):
        return "made"
    if verb in _MAKES and tests and between[-1:] and between[-1] in _INTO:
        return "open"
    if about:
        return "assumed"
    into = not _INTO.isdisjoint(between)
    if verb in _KEEPS and into:
        return "made"
    if verb in _MAKES:
        return "open" if into else "made"
    return "assumed"


# --- what the evidence knows ------------------------------------------------------------------------------------------

_SHOWS_FILES = frozenset({"code", "file", "diff", "trace", "tool_call"})
_SHOWS_CODE = frozenset({"code", "file", "diff"})
_NO_CODE = frozenset(
    "csv tsv json jsonl txt md rst xml parquet pdf docx xlsx pptx odt log yaml yml toml ini cfg lock html".split()
)
_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(slots=True)
class EvidenceNames:
    """The names that stand in the evidence, and which kinds of name it can speak about."""

    paths: dict[str, list[str]] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    shows_files: bool = False
    shows_code: bool = False

    def has(self, name: PlanName) -> bool | None:
        """Whether the name is there; None where the evidence could not show it anyway."""
        if name.kind == "file":
            return True if self._path(name.text) else (False if self.shows_files else None)
        head, _, last = name.text.rpartition(".")
        if head and head.partition(".")[0] not in self.words:
            return None  # a function of some library, not of what is shown
        return True if last in self.words else (False if self.shows_code and not name.library else None)

    def _path(self, path: str) -> bool:
        mine = path.casefold().removeprefix("./")
        others = self.paths.get(mine.rpartition("/")[2], [])
        return any(f"/{theirs}".endswith(f"/{mine}") or f"/{mine}".endswith(f"/{theirs}") for theirs in others)


def known(case: Case) -> EvidenceNames:
    """What the evidence and the person's own words name."""
    found = EvidenceNames()
    _learn(found, [case.goal])
    for source in case.evidence:
        found.shows_files |= source.kind in _SHOWS_FILES
        found.shows_code |= source.kind in _SHOWS_CODE and not holds_data(source)
        _learn(found, _texts(source))
    return found


def holds_data(source: Evidence) -> bool:
    """Whether a source is a file of data or of text, by its name: no function would stand in it."""
    return (source.origin or source.name or "").lower().rpartition(".")[2] in _NO_CODE


def _texts(source: Evidence) -> list[str]:
    told = [text for text in (source.id, source.origin, source.name, source.text) if text]
    more = [value for value in (source.data, source.input, source.output) if value is not None]
    return [*told, canonical(more).decode()] if more else told


def _learn(found: EvidenceNames, texts: Iterable[str]) -> None:
    for text in texts:
        found.words.update(_WORD.findall(text))
        for name, _ in files(text):
            path = name.casefold().removeprefix("./")
            found.paths.setdefault(path.rpartition("/")[2], []).append(path)
