"""The sentences and rows of a report with what stands over them: the files, names and words of its headings, lead-ins and parent items."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from witnessmark.actions.report.layout import ReportLine, Sentence, context_of, last_statement
from witnessmark.actions.report.names import looks_like_command, path_kind, unlined
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
class PassageContext:
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
    """The lines that stand over it, the nearest first."""
    head: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    ticked: bool = False
    """Whether it is an item that is marked as done."""
    item: bool = False
    under_file: str = ""
    """The file that is the title of the list it stands in."""


def passages(text: str, lines: Iterable[ReportLine], sentences: Iterable[Sentence]) -> Iterator[ReportPassage]:
    """Every sentence and row of a report (by its lines and sentences) that tells of something done or there, in order."""
    placed = {line.start: (line, over, head) for line, over, head in _placed(text, lines)}
    starts = sorted(placed)
    at = 0
    for sentence in sentences:
        while at + 1 < len(starts) and starts[at + 1] <= sentence.start:
            at += 1
        line, over, head = placed[starts[at]]
        if sentence.silent or over.silent or sentence.low.endswith("?") or _labelled_undone(sentence.low):
            continue
        if line.role == "row":
            yield from _row(text, sentence, line, over, head)
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
    told = [code for code in map(unlined, CODE.findall(text)) if path_kind(code, in_code=True) == "path"]
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
        if _SYMBOL.fullmatch(name) and path_kind(unlined(code), in_code=True) != "path" and not command:
            found.append(name)
    return tuple(dict.fromkeys(found))


def _row(
    text: str, sentence: Sentence, line: ReportLine, over: PassageContext, head: tuple[str, ...]
) -> Iterator[ReportPassage]:
    """A row, once: a dot in a cell makes several sentences of it."""
    cells = markdown.cells(text[line.start : line.end])
    if head and len(cells) == len(head) and sentence.start <= line.start + 1:
        yield ReportPassage(
            sentence, paths_in(text[line.start : line.end]) or over.paths, over.names, over.words, head, cells
        )


def _placed(text: str, lines: Iterable[ReportLine]) -> Iterator[tuple[ReportLine, PassageContext, tuple[str, ...]]]:
    """Each line with what stands over it, and the head of its table."""
    heading, lead = PassageContext(), PassageContext()
    parents: list[tuple[int, PassageContext]] = []
    head: tuple[str, ...] = ()
    for line in lines:
        words = text[line.start : line.end]
        if line.role == "heading":
            lead, parents = PassageContext(), []
            made = _over(words, heading if line.level == 7 else PassageContext())
            yield line, PassageContext(silent=made.silent), ()
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
            parents.append((line.indent, _over(words, PassageContext(), titled=True)))
        elif line.role == "words":
            over = _nearest(parents, PassageContext(), heading) if line.indent else heading
            yield line, over, ()
            if not line.indent:
                parents = []
                lead = _over(words, PassageContext(), titled=not words.rstrip(" *_").endswith(":"))


def _nearest(
    parents: list[tuple[int, PassageContext]], lead: PassageContext, heading: PassageContext
) -> PassageContext:
    """What is in force: of the nearest first, each filling in what the nearer ones leave open."""
    chain = [over for _, over in reversed(parents)] + [lead, heading]
    return PassageContext(
        next((over.paths for over in chain if over.paths), ()),
        next((over.names for over in chain if over.names), ()),
        "\n".join(over.words for over in chain if over.words),
        lead.silent or heading.silent or any(over.silent for _, over in parents),
        next((over.bare for over in chain if over.paths), False),
    )


def _over(words: str, outer: PassageContext, *, titled: bool = False) -> PassageContext:
    """What a line says about those under it; a line that is no title (`titled`) is silent only where it is short."""
    mode = context_of(last_statement(words)).mode
    silent = mode in ("not", "found") and not paths_in(words) and not names_in(words)
    if titled:
        silent = silent and len(words) < LONGEST_TITLE
    paths = paths_in(words)
    bare = len(paths) == 1 and re.sub(r"[*`:#\s\d.)]", "", words) == re.sub(r"[\s\d.)]", "", paths[0])
    return PassageContext(paths, names_in(words), words.lower(), silent or (outer.silent and mode == "open"), bare)
