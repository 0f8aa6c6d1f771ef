"""The sentences of a report with what stands over them, and how those about content are read: patterns of `lang/content.toml`, the mood of a clause."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.report.layout import MAX_CHARS, ReportLine, Sentence, context_of, lines, sentences
from witnessmark.actions.report.lexicon import may_match, table
from witnessmark.actions.report.names import looks_like_command, path_kind
from witnessmark.text import markdown
from witnessmark.text.patterns import compiled

LONGEST_TITLE = 60
"""A longer line tells something, and is no title of those under it."""
CODE = compiled(r"`([^`\n]{1,200})`")
_ARGUMENTS = compiled(r"\(.*$", re.DOTALL)
_SYMBOL = compiled(r"-{0,2}[A-Za-z_$@#][\w$.:#?!-]*")
_BARE_FILE = compiled(
    r"(?<![\w/.-])(?:(?:[\w@.-]+/)+[\w@.-]*\w\.[A-Za-z]\w{0,9}|(?:README|CHANGELOG|CONTRIBUTING|LICENSE)(?:\.\w+)?|Dockerfile|Makefile)(?![\w/-])"
)


@dataclass(frozen=True, slots=True)
class Over:
    """What a heading, a lead-in or a parent item says about what is under it."""

    paths: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    words: str = ""
    silent: bool = False
    bare: bool = False
    """Whether it is a file and nothing else: the title of what was done there."""


@dataclass(frozen=True, slots=True)
class ReportPassage:
    """A sentence or a row of a table, the files and names in force there, and the words that stand over it."""

    sentence: Sentence
    paths: tuple[str, ...]
    """Files that it names itself, or those that stand over it."""
    names: tuple[str, ...]
    """Names in code that stand over it."""
    over: str = ""
    head: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    ticked: bool = False
    """Whether it is an item that is marked as done."""
    item: bool = False
    under_file: str = ""
    """The file that is the title of the list it stands in."""


def passages(report: str) -> Iterator[ReportPassage]:
    """Every sentence and row of a report that tells of something done or there, in order."""
    placed = {line.start: (line, over, head) for line, over, head in _placed(report)}
    starts = sorted(placed)
    at = 0
    for sentence in sentences(report):
        while at + 1 < len(starts) and starts[at + 1] <= sentence.start:
            at += 1
        line, over, head = placed[starts[at]]
        if sentence.silent or over.silent or sentence.low.endswith("?") or _labelled_undone(sentence.low):
            continue
        if line.role == "row":
            yield from _row(report, sentence, line, over, head)
            continue
        own = paths_in(sentence.text)
        ticked = line.mark in ("done", "yes")
        titled = over.paths[0] if over.bare and line.role == "item" else ""
        yield ReportPassage(
            sentence, own or over.paths, over.names, over.words,
            ticked=ticked, item=line.role == "item", under_file=titled,
        )  # fmt: skip


def _labelled_undone(low: str) -> bool:
    """`Next: …`, `To do: …`: what a label at the head of a sentence says was not done."""
    label = re.match(r"[^\W\d][\w' -]{1,30}:(?=\s)", low)
    return label is not None and context_of(label.group()).mode == "not"


def paths_in(text: str) -> tuple[str, ...]:
    """The files that a text names, in code or plainly."""
    told = [code for code in CODE.findall(text) if path_kind(code, in_code=True) == "path"]
    return tuple(dict.fromkeys([*told, *_BARE_FILE.findall(CODE.sub(" ", text))]))


def without_code(text: str) -> str:
    """A text with an `x` for each piece of code, so that only its words are looked at."""
    return CODE.sub(" x ", text)


def names_in(text: str) -> tuple[str, ...]:
    """The names in code that a text has, without their arguments; no files, commands or phrases."""
    found = []
    for code in CODE.findall(text):
        name = _ARGUMENTS.sub("", code).strip()
        command = " " in code and looks_like_command(code)
        if _SYMBOL.fullmatch(name) and path_kind(code, in_code=True) != "path" and not command:
            found.append(name)
    return tuple(dict.fromkeys(found))


def _row(
    report: str, sentence: Sentence, line: ReportLine, over: Over, head: tuple[str, ...]
) -> Iterator[ReportPassage]:
    """A row, once: a dot in a cell makes several sentences of it."""
    cells = markdown.cells(report[line.start : line.end])
    if head and len(cells) == len(head) and sentence.start <= line.start + 1:
        yield ReportPassage(
            sentence, paths_in(report[line.start : line.end]) or over.paths, over.names, over.words, head, cells
        )


def _placed(report: str) -> Iterator[tuple[ReportLine, Over, tuple[str, ...]]]:
    """Each line with what stands over it, and the head of its table."""
    heading, lead = Over(), Over()
    parents: list[tuple[int, Over]] = []
    head: tuple[str, ...] = ()
    for line in lines(report, min(len(report), MAX_CHARS)):
        words = report[line.start : line.end]
        if line.role == "heading":
            lead, parents = Over(), []
            made = _over(words, heading if line.level == 7 else Over())
            yield line, Over(silent=made.silent), ()
            heading = made
            continue
        if line.role == "row":
            if not head:
                head = tuple(cell.strip(" *`").lower() for cell in markdown.cells(words))
            elif not markdown.is_table_rule(words):
                yield line, _nearest(parents, lead, heading), head
            continue
        head = ()
        if line.role == "item":
            while parents and parents[-1][0] >= line.indent:
                parents.pop()
            yield line, _nearest(parents, lead, heading), ()
            parents.append((line.indent, _over(words, Over(), titled=True)))
        elif line.role == "words":
            over = _nearest(parents, Over(), heading) if line.indent else heading
            yield line, over, ()
            if not line.indent:
                parents = []
                lead = _over(words, Over(), titled=not words.rstrip(" *_").endswith(":"))


def _nearest(parents: list[tuple[int, Over]], lead: Over, heading: Over) -> Over:
    """What is in force: of the nearest first, each filling in what the nearer ones leave open."""
    chain = [over for _, over in reversed(parents)] + [lead, heading]
    return Over(
        next((over.paths for over in chain if over.paths), ()),
        next((over.names for over in chain if over.names), ()),
        " ".join(over.words for over in chain if over.words),
        lead.silent or heading.silent or any(over.silent for _, over in parents),
        next((over.bare for over in chain if over.paths), False),
    )


def _over(words: str, outer: Over, *, titled: bool = False) -> Over:
    """What a line says about those under it; a line that is no title (`titled`) is silent only where it is short."""
    mode = context_of(words).mode
    silent = mode in ("not", "found") and not paths_in(words) and not names_in(words)
    if titled:
        silent = silent and len(words) < LONGEST_TITLE
    paths = paths_in(words)
    bare = len(paths) == 1 and re.sub(r"[*`:#\s\d.)]", "", words) == re.sub(r"[\s\d.)]", "", paths[0])
    return Over(paths, names_in(words), words.lower(), silent or (outer.silent and mode == "open"), bare)


VALUE = r"(?:`[^`\s]{1,60}`|\"[^\"\s]{1,60}\"|v?\d[\w.,:-]{0,40}\w|\d)(?:\s?UNIT(?!\w))?"
_CLAUSE = compiled(r"[,;:(—–]\s|\s[-—–]\s|\.\s|\s(?:so that|because|damit|weil|parce que|afin que|para que|porque)\s")


@functools.cache
def pattern(section: str, key: str) -> re.Pattern[str]:
    """A pattern of the data, with what its marks stand for put in; a list in the data is a choice."""
    found = table("content")[section][key]
    found = found if isinstance(found, str) else "|".join(found)
    for mark, words in _marks():
        found = found.replace(mark, words)
    return compiled(found, re.MULTILINE)


@functools.cache
def _marks() -> tuple[tuple[str, str], ...]:
    """What stands for a value, a name, a number and the like in the patterns of the data."""
    data = table("content")
    names, values, numbers = data["names"], data["values"], data["counts"]["numbers"]
    return (
        *((f"{{{key}}}", names[key]) for key in ("list", "more", "noun")),
        ("{name}", CODE.pattern),
        ("{count}", rf"\d{{1,3}}|{'|'.join(numbers)}"),
        ("{verb}", values["verb"]),
        ("{value}", VALUE.replace("UNIT", values["unit"])),
    )


def found(section: str, key: str, low: str) -> re.Match[str] | None:
    """Where a text first has what a pattern of the data says."""
    return pattern(section, key).search(low) if may_match("content", section, key, low) else None


def content_claim(passage: ReportPassage, role: str, **fields: Any) -> ActionClaim:
    """A claim about content, with the one file that is in force unless another is given."""
    fields.setdefault("path", passage.paths[0] if len(passage.paths) == 1 else None)
    return passage.sentence.claim("content", role=role, **fields)


def is_barred(low: str) -> bool:
    """Whether a clause plans, asks, supposes or denies, or tells of an earlier version."""
    plain = without_code(low)
    return any(pattern("mood", key).search(plain) is not None for key in ("barred", "elsewhen"))


def clause_at(low: str, start: int, end: int) -> str:
    """The clause around a place: up to the commas, colons and brackets beside it."""
    begins = [match.end() for match in _CLAUSE.finditer(low, 0, start)]
    after = _CLAUSE.search(low, end)
    return low[begins[-1] if begins else 0 : after.start() if after else len(low)]


def number_of(count: str) -> int:
    """A number in digits or as a word of the data; 0 where it is neither."""
    return int(count) if count.isdigit() else table("content")["counts"]["numbers"].get(count, 0)
