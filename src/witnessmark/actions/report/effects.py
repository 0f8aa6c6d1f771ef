"""What a report says besides files and test counts: checks that passed, commits and pushes, effects elsewhere, denials, reverts, content.

One small grammar over sentences; the words are data, one file a language (`lang/*.toml`). A sentence that plans, asks, denies or
supposes holds no claim. Nothing here looks at the world.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.report.contexts import OPEN, context_of
from witnessmark.actions.report.layout import lines
from witnessmark.actions.report.lexicon import table
from witnessmark.actions.report.names import looks_like_command
from witnessmark.actions.trace.changes import CODE

LANGUAGES = ("en", "de", "fr", "es")
MAX_CHARS = 300_000
MAX_SENTENCE = 1_000
_ENDS = re.compile(r"(?<=[.!?])\s+(?=[^a-z])|\n|(?<=;)\s")
_MARKS = re.compile(r"\*{1,3}|(?<![\w`])_{1,2}(?=\w)|(?<=\w)_{1,2}(?![\w`])|^#+ ")
_CODE = re.compile(r"`([^`\n]{1,200})`")
_PATH = re.compile(r"(?:[\w@.-]+/)*[\w@.-]*\w\.[A-Za-z]\w{0,9}")
_NAME = re.compile(r"[A-Za-z_$][\w$.:\-/@]*(?:\(\))?")
_NUMBERS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12}  # fmt: skip
_ROLES = ("test", "lint", "types", "build", "format", "any")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a report: its words in lower case without Markdown signs, as they are written, and where they stand."""

    low: str
    text: str
    start: int
    end: int
    silent: bool = False
    """Whether it stands under a heading of things that were not done."""


class Lexicon:
    """The patterns of one language, each compiled when it is first asked for."""

    def __init__(self, language: str) -> None:
        self.data = table(language)
        self.words = frozenset(self.data["words"].split())

    @functools.cached_property
    def barred(self) -> re.Pattern[str]:
        """What makes a statement no statement about what was done."""
        return re.compile(self.data["barred"])

    @functools.cached_property
    def checks(self) -> re.Pattern[str]:
        """`Build, tests and lint all pass`: nouns of checks joined, then what says that they went well."""
        data = self.data["checks"]
        nouns = "|".join(f"(?:{data[role]})" for role in _ROLES if role in data)
        lead = r"(?:(?:all|both|the|every|full|whole|entire|of|my|our)\s+)*"
        noun = rf"{lead}(?:{nouns})(?:\s*\([^)\n]{{1,40}}\))?"
        return re.compile(
            rf"(?<![\w`/.-])(?P<nouns>{noun}(?:\s*(?:{data['and']})\s*(?:and\s+)?{noun})*)\s*[:—–-]?\s+(?:(?:{data['fill']})\s+)*"
            rf"(?:{data['good']})\b(?! (?:a|an|the|in|it|to|through|as|on to|`|into|down)\b)(?!`)"
        )

    @functools.cached_property
    def roles(self) -> dict[str, re.Pattern[str]]:
        """The noun of each kind of check."""
        data = self.data["checks"]
        return {role: re.compile(rf"(?<![\w-]){data[role]}(?![\w-])") for role in _ROLES if role in data}

    @functools.cache  # noqa: B019 - there are four of them, kept for ever
    def all(self, section: str) -> dict[str, re.Pattern[str]]:
        """The patterns of a section, by name; empty where the language has none."""
        return {name: re.compile(value) for name, value in self.data.get(section, {}).items()}


@functools.cache
def lexicon(language: str) -> Lexicon:
    """The patterns of a language, read once."""
    return Lexicon(language)


def sentences(report: str) -> Iterator[Sentence]:
    """The sentences of a report, apart from code and quotations."""
    heading = lead = OPEN
    for line in lines(report, min(len(report), MAX_CHARS)):
        words = report[line.start : line.end]
        if line.role == "heading":
            heading, lead = context_of(words), OPEN
        elif line.role == "blank" or line.role in ("code", "quote"):
            continue
        silent = heading.mode == "not" or lead.mode == "not" or line.mark in ("open", "later", "no")
        at = 0
        for part in [*_ENDS.finditer(words), None]:
            end = part.start() if part else len(words)
            text = words[at:end]
            if text.strip() and len(text) <= MAX_SENTENCE:
                plain = _MARKS.sub("", text).replace("’", "'").replace("**", "").strip(" \t-•|")
                yield Sentence(plain.lower(), plain, line.start + at, line.start + end, silent)
            at = part.end() if part else end
        if line.role == "words":
            lead = context_of(words) if words.rstrip(" *_").endswith(":") else OPEN


def language_of(text: str) -> str:
    """The language of a text among those that are known, by its small words; English where nothing tells."""
    found = re.findall(r"[a-zà-ÿ']+", _CODE.sub(" ", text.lower()[:20_000]))
    counts = {name: sum(word in lexicon(name).words for word in found) for name in LANGUAGES}
    best = max(LANGUAGES, key=lambda name: (counts[name], name == "en"))
    return best if counts[best] > max(1, counts["en"] * 1.3) else "en"


def effects_in(report: str) -> list[ActionClaim]:
    """The claims about checks, git, effects, denials, reverts and content, in the order of their words."""
    words = lexicon(language_of(report))
    found: list[ActionClaim] = []
    for sentence in sentences(report):
        if sentence.silent or sentence.low.endswith("?"):
            continue
        found += _checks(sentence, words)
        found += _git(sentence, words)
        found += _elsewhere(sentence, words)
        found += _denials(sentence, words)
        found += _content(sentence, words)
        found += _files(sentence, words)
        found += _places(sentence, words)
    return found


def _claim(kind: Any, sentence: Sentence, **fields: Any) -> ActionClaim:
    return ActionClaim(kind, by="report", text=sentence.text[:300], span=(sentence.start, sentence.end), **fields)


def _sure(sentence: Sentence, words: Lexicon, start: int, end: int) -> bool:
    """Whether the clause around a place states something that was done."""
    begins = max(sentence.low.rfind(sign, 0, start) for sign in ",;:.(—–") + 1
    return words.barred.search(sentence.low, begins, end) is None


def _checks(sentence: Sentence, words: Lexicon) -> Iterator[ActionClaim]:
    for match in words.checks.finditer(sentence.low):
        if not _sure(sentence, words, match.start(), match.end()):
            continue
        for role, pattern in words.roles.items():
            if pattern.search(match["nouns"]):
                tests = role == "test"
                yield _claim("tests_passed" if tests else "check_passed", sentence, role=None if tests else role)
    if "none" in words.data["checks"] and re.search(words.data["checks"]["none"], sentence.low):
        yield _claim("check_passed", sentence, role="lint")


def _git(sentence: Sentence, words: Lexicon) -> Iterator[ActionClaim]:
    patterns = words.all("git")
    for role in ("commit", "push", "branch", "tag"):
        match = patterns[role].search(sentence.low) if role in patterns else None
        if match is None or not _sure(sentence, words, match.start(), match.end()):
            continue
        value = _value(match, "value")
        if role == "commit":
            named = patterns["hash"].search(sentence.low)
            value = _value(named, "value") if named else None
        yield _claim("git", sentence, role=role, value=value)


def _value(match: re.Match[str], name: str) -> str | None:
    groups = match.groupdict()
    told = groups.get(name) or groups.get(f"{name}2")
    return told.strip("`\"'") if told else None


def _elsewhere(sentence: Sentence, words: Lexicon) -> Iterator[ActionClaim]:
    for role, pattern in words.all("effects").items():
        match = pattern.search(sentence.low)
        if match and _sure(sentence, words, match.start(), match.end()):
            yield _claim("effect", sentence, role=role)


def _denials(sentence: Sentence, words: Lexicon) -> Iterator[ActionClaim]:
    patterns = words.all("denials")
    if not patterns or re.search(r"\b(?:if|would|should|could|may|might|can)\b", sentence.low):
        return
    for name in ("untouched", "untouched_object"):
        match = patterns[name].search(sentence.low)
        if match:
            told = match["object"]
            if patterns["tests"].search(told):
                yield _claim("untouched", sentence, role="tests")
            for path in _paths(told):
                yield _claim("untouched", sentence, path=_as_written(path, sentence))
    only = patterns["only"].search(sentence.low)
    if only:
        for path in _paths(_value(only, "object") or ""):
            yield _claim("untouched", sentence, role="only", path=_as_written(path, sentence))
    back = patterns["reverted"].search(sentence.low)
    if back and _sure(sentence, words, back.start(), back.start("object")):
        for path in _paths(back["object"])[:1]:
            yield _claim("reverted", sentence, path=_as_written(path, sentence))


def _paths(text: str) -> list[str]:
    """The files that a stretch names."""
    told = [code for code in _CODE.findall(text) if _PATH.fullmatch(code)] or [
        word for word in re.findall(r"[\w@./-]+", text) if "/" in word and _PATH.fullmatch(word)
    ]
    return [path for path in told if not path[0].isdigit()]


def _as_written(low: str, sentence: Sentence) -> str:
    """A name as the report has it, which was found in lower case."""
    at = sentence.low.find(low)
    return sentence.text[at : at + len(low)] if at >= 0 and len(sentence.low) == len(sentence.text) else low


def _content(sentence: Sentence, words: Lexicon) -> Iterator[ActionClaim]:
    patterns = words.all("content")
    path = next((_as_written(path, sentence) for path in _paths(sentence.low)), None)
    for role, pattern in patterns.items():
        match = pattern.search(sentence.low)
        if match is None or not _sure(sentence, words, match.start(), match.start() + 12):
            continue
        groups = match.groupdict()
        if role == "tests":
            told = groups["count"]
            count = int(told) if told.isdigit() else _NUMBERS[told]
            yield _claim("content", sentence, role=role, value=str(count), path=path)
            continue
        new, old = _value(match, "new"), _value(match, "old")
        if path is not None and sentence.text.lstrip("`(0123456789.) ").startswith(path):
            yield _claim("file_edit", sentence, path=path)
        names = [_as_written(name, sentence) for name in (new, old) if name]
        if role in ("add", "remove", "rename") and not all(_is_name(name) for name in names):
            continue
        yield _claim(
            "content",
            sentence,
            role=role,
            path=path,
            value=_as_written(new, sentence) if new else None,
            old=_as_written(old or groups.get("name") or "", sentence).strip("`") or None,
        )


def _is_name(text: str) -> bool:
    """Whether a text is a name in code, and no file, command or phrase."""
    return (
        len(text) > 2
        and _NAME.fullmatch(text) is not None
        and not (_PATH.fullmatch(text) and "/" in text)
        and "/" not in text
        and not looks_like_command(text)
        and not re.fullmatch(
            r"[\w-]+\.(?:py|js|ts|tsx|go|rs|java|md|json|toml|ya?ml|txt|sh|cfg|ini|lock|css|html)", text
        )
    )


_ENDINGS = frozenset(
    {
        *CODE,
        *"md mdx rst txt json jsonc yaml yml toml ini cfg conf lock html css scss less xml csv env mod sum tf hcl dockerfile svg ipynb snap golden properties plist".split(),
    }
)
_PLACE = re.compile(
    r"(?:^ ?|[\s(](?:to|in|from|at|\(|of|into|inside) ?(?:the )?\(?)`?(?P<path>(?:[\w@.-]+/)*[\w@.-]*\w\.[a-z]\w{0,9})(?::[\d,:\s-]+)?`?"
)


def _places(sentence: Sentence, words: Lexicon) -> Iterator[ActionClaim]:
    """`Added a guard to x.go`: the first file after the verb, unless it is only compared with."""
    patterns = words.all("places")
    if not patterns:
        return
    wrote = patterns["written"].search(sentence.low)
    if wrote and _sure(sentence, words, wrote.start(), wrote.end()):
        yield _claim("file_write", sentence, path=_as_written(wrote["path"], sentence))
    match = patterns["edit"].search(sentence.low)
    if match is None or words.barred.search(sentence.low, 0, match.end()):
        return
    for place in _PLACE.finditer(match["rest"]):
        if patterns["compare"].search(match["rest"], 0, place.end()):
            return
        path = _as_written(place["path"], sentence)
        if path.rpartition(".")[2].lower() in _ENDINGS and not path[0].isdigit():
            yield _claim("file_edit", sentence, path=path)
            return


_FILE_KINDS = ("file_create", "file_write", "file_edit", "file_delete")


def _files(sentence: Sentence, words: Lexicon) -> Iterator[ActionClaim]:
    """Files and commands by verb, for languages that the larger reader does not know."""
    patterns = words.all("files")
    if not patterns or words.barred.search(sentence.low):
        return
    for kind in _FILE_KINDS:
        match = patterns[kind].search(sentence.low)
        if match:
            for path in _paths(sentence.low):
                yield _claim(kind, sentence, path=_as_written(path, sentence))
            return
    if "command" in patterns and patterns["command"].search(sentence.low):
        for code in _CODE.findall(sentence.text):
            if looks_like_command(code):
                yield _claim("command", sentence, command=code)
