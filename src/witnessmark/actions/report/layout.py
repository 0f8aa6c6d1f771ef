"""A report as lines with a role, what its headings and lead-ins say about what stands under them, and its sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from typing import Any, Literal

from witnessmark.actions.claim import ActionClaim, ActionKind
from witnessmark.actions.report.lexicon import PATTERNS, VERBS
from witnessmark.text import lang, markdown
from witnessmark.text.files import CODE, TEXT
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import ANYTHING, Span, sentence_spans

Role = Literal["heading", "item", "row", "quote", "code", "words", "blank"]
Mark = Literal["", "done", "open", "yes", "no", "warn", "later"]

MAX_LINE = 4_000
_ITEM = compiled(r"(\s*)(?:[-*+•◦▪‣·–—]|[├└]─{1,2}|\d{1,3}[.)]|[a-h]\))\s+")
_BOX = compiled(r"\[([ xX✓✔~-])\]\s+")
_SIGNED = compiled(r"(✅|✔️?|☑️?|✓|🟢|❌|✗|✘|🔴|🚫|⚠️?|🟡|⏳|🚧|⏭️?|🔜|🔲|⬜|➖)\s*")
_BULLETS: dict[str, Mark] = {
    "✅": "yes", "✔": "yes", "☑": "yes", "✓": "yes", "🟢": "yes", "❌": "no", "✗": "no", "✘": "no", "🔴": "no", "🚫": "no",
    "⚠": "warn", "🟡": "warn", "⏳": "later", "🚧": "later", "⏭": "later", "🔜": "later", "🔲": "open", "⬜": "open", "➖": "no",
}  # fmt: skip
_BOLD_LINE = compiled(r"\s{0,3}(?:[^\w\s*`|]{1,3}\s+)?\*\*[^*\n]{1,120}\*\*(?:\s\(`[^`\n]{1,200}`\))?:?\s*$")
_LEAD = compiled(r"\s*[✦⏺●◆▶•⎿└↳]\s+")


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One line: where its words start and end in the report, how deep it stands, and what marks it."""

    role: Role
    start: int
    end: int
    indent: int = 0
    mark: Mark = ""
    level: int = 0
    """Of a heading: 1 to 6 for #, 7 for a line in bold."""
    cut: int = 0
    """How many characters of the line were left out because it is too long."""


def lines(text: str, limit: int) -> Iterator[ReportLine]:
    """Every line of text[:limit] with its role. A line longer than MAX_LINE is read up to there."""
    rows = list(markdown.lines(text[:limit]))
    blank, listed = True, 0
    for row, below in zip_longest(rows, rows[1:]):
        at, stop = row.start, row.start + min(len(row.text), MAX_LINE)
        cut = max(len(row.text) - MAX_LINE, 0)
        if row.fenced:
            yield ReportLine("code", at, at if row.edge else stop, cut=0 if row.edge else cut)
        else:
            line = _line(text, at, stop, after_blank=blank, in_list=listed > 0)
            if line.role == "words" and below is not None and markdown.SETEXT.match(below.text):
                line = ReportLine("heading", line.start, line.end, level=2)
            listed = _still_listed(line, listed)
            yield replace(line, cut=cut) if cut else line
        blank = not row.text


def _still_listed(line: ReportLine, listed: int) -> int:
    """How many more lines may belong to the list before them."""
    if line.role == "item":
        return 3
    return (
        listed - 1 if line.role == "blank" else 0 if line.role in ("heading", "words") and not line.indent else listed
    )


def _line(text: str, at: int, stop: int, *, after_blank: bool, in_list: bool) -> ReportLine:
    if not text[at:stop].strip():
        return ReportLine("blank", at, at)
    if text.startswith("<!--", at):
        return ReportLine("quote", at, stop)
    first = at + len(text[at:stop]) - len(text[at:stop].lstrip())
    if text[first] == ">":
        return ReportLine("quote", first, stop)
    if text[first] == "|" and markdown.is_row(text[at:stop]):
        return ReportLine("row", first, stop)
    heading = markdown.ATX.match(text[at:stop])
    if heading and heading[2]:
        return ReportLine("heading", at + heading.start(2), stop, level=len(heading[1]))
    item = _ITEM.match(text, at, stop)
    if item:
        return _item(text, item.end(), stop, first - at)
    if _BOLD_LINE.match(text, at, stop):
        return ReportLine("heading", first, stop, level=7)
    signed = _SIGNED.match(text, first, stop)
    if signed:
        return ReportLine("item", signed.end(), stop, first - at, _BULLETS[signed.group(1)[0]])
    if after_blank and not in_list and first - at >= 4 and text[at:first].isspace():
        return ReportLine("code", at, stop)
    lead = _LEAD.match(text, at, stop)
    return ReportLine("words", lead.end() if lead else first, stop, 0 if lead else first - at)


def _item(text: str, at: int, stop: int, indent: int) -> ReportLine:
    if text.startswith("> ", at):
        return ReportLine("quote", at, stop)
    box = _BOX.match(text, at, stop)
    if box:
        return ReportLine("item", box.end(), stop, indent, "open" if box.group(1) in " ~-" else "done")
    signed = _SIGNED.match(text, at, stop)
    if signed:
        return ReportLine("item", signed.end(), stop, indent, _BULLETS[signed.group(1)[0]])
    return ReportLine("item", at, stop, indent)


Mode = Literal["open", "done", "tests", "not", "found"]


@dataclass(frozen=True, slots=True)
class Context:
    """How a line is to be read: `open` says nothing, `not` and `found` hold no claims."""

    mode: Mode = "open"
    kind: ActionKind | None = None

    @property
    def silent(self) -> bool:
        """Whether what stands here is not a claim."""
        return self.mode in ("not", "found")


OPEN = Context()
_KINDS: tuple[tuple[re.Pattern[str], ActionKind], ...] = (
    (compiled(r"\b(?:renamed?|moved?|renames|moves|relocated)\b"), "file_rename"),
    (
        compiled(
            r"\b(?:deleted?|removed?|deletions?|removals?|gone|gelöscht|entfernt|supprimée?s?|eliminad[oa]s?|borrad[oa]s?)\b(?! from)"
        ),
        "file_delete",
    ),
    (
        compiled(
            r"\b(?:created?|new files?|added files?|files? (?:was |were |has been |have been |i )?(?:added|created)|new (?:modules?|tests?|components?|scripts?|classes))\b|^\W*(?:new|additions)\W*$"
        ),
        "file_create",
    ),
    (compiled(r"\b(?:wrote|written|generated|saved|outputs?|produced)\b"), "file_write"),
    (compiled(r"^\W*(?:(?:i|i've|we|also|files?|newly|just|have)\s+){0,3}added\W*$"), "file_create"),
    (
        compiled(
            r"\b(?:updated?|modified|changed|changes|edit(?:ed|s)?|fix(?:ed|es)?|replaced|refactored|touched|adjusted|migrated|converted|rewrote|improved|"
            r"bumped|switched|patched|corrected|adapted|extended|wired|swapped|reworked|applied)\b"
        ),
        "file_edit",
    ),
)


_DONE_SO_FAR = compiled(r"((?:\w+ ){0,3}(?:\w+ed|done|ready|written|built|in place|complete)), (?:but )?not [^,:]*:$")


def context_of(words: str) -> Context:
    """What these words, a heading or a line that ends with a colon, say about the lines under them."""
    said = " ".join(PATTERNS.code.sub(" x ", words.lower().replace("’", "'").replace("*", "").replace("#", "")).split())
    said = PATTERNS.bracketed.sub(r"\1", PATTERNS.as_asked.sub("", said))
    done = _DONE_SO_FAR.match(said)
    said = done[1] if done else said  # `Release prepared, not tagged:` stands over what was done
    if PATTERNS.first_person.search(said) and not re.search(
        r"\bnot\b|n't\b|\btried\b|\bwould\b|\bcould\b|\bbefore\b|\bwill\b", said
    ):
        return Context(
            "tests"
            if re.search(r"\b(?:tested|verified|ran|checked|executed|used the (?:following )?commands?)\b", said)
            else "done",
            kind_of(said),
        )
    if PATTERNS.applied.search(said) and not PATTERNS.doubted.search(said):
        return Context("done", "file_edit")
    if PATTERNS.over_undone.search(said):
        return Context("not")
    if PATTERNS.perfect.search(said) and not re.search(
        r"\b(?:found|identified|seen|reported|asked|discovered)\b", said
    ):
        return Context("done", kind_of(said))
    kind = kind_of(said)
    if PATTERNS.over_findings.search(said) and not _changes(said):
        return Context("found")
    if PATTERNS.over_tests.search(said) and kind is None:
        return Context("tests")
    if PATTERNS.over_tests.search(said) and re.match(r"\W*(?:tests?|testing|verification)\b", said):
        return Context("tests")
    if kind is not None:
        return Context("done", kind)
    return Context("done") if PATTERNS.over_done.search(said) else OPEN


def _changes(said: str) -> bool:
    first = re.match(r"[^a-z]*([a-z-]+)", said)
    cls, form = VERBS.get(first[1], ("run", "")) if first else ("run", "")
    return (form == "past" and cls not in ("run", "verify")) or (
        re.search(
            r"\b(?:fixed|changed|changes|updated|implemented|refactored|created|added|removed|modified|edits|new files|raised|lowered|bumped|replaced|renamed|switched|reduced|extended)\b",
            said,
        )
        is not None
    )


def kind_of(said: str) -> ActionKind | None:
    """The action that words name, if any; `added X to` files is an edit, `new files` a creation."""
    first: tuple[int, ActionKind] | None = None
    for pattern, kind in _KINDS:
        match = pattern.search(said)
        if match and (first is None or match.start() < first[0]):
            first = (match.start(), kind)
    if first is None:
        return "file_create" if PATTERNS.added_here.match(said) and len(said.split()) <= 4 else None
    if first[1] == "file_create" and re.search(
        r"\bchanges|\bwhat changed|\bnew (?:feature|behaviou?r|name|api|version|location|format)", said
    ):
        return None
    return first[1]


MAX_CHARS = 300_000
MAX_SENTENCE = 1_000
MAX_LEAD = 8
"""A line of more words than these tells something, and is no title of the list under it."""
_FILE = compiled(r"\s+[\w@-]+[./]\w")
"""What a sentence may begin with in lower case."""
_SEMICOLON = compiled(r";\s")
_MARKS = compiled(
    r"(?P<code>`[^`\n]{1,200}`)|\*{1,3}|(?<![\w`/.-])_{1,2}(?=\w)(?!_\w+__\.)|(?<=\w)_{1,2}(?![\w`/.])|^#+ "
)
"""Signs of Markdown, outside of code: `__init__.py` is a name."""
_BY_OTHERS = compiled(
    r"\b(?:from|by) (?:the |its |my |our |both |all )?(?:other )?(?:workers?|(?:sub-?)?agents?|reviewers?|maintainers?|colleagues?)\b|\b(?:it|they|he|she|worker|(?:sub-?)?agents?|codex|claude|reviewer) (?:also |then )?(?:ran|did|reported|executed|validated|verified)\b",
    re.IGNORECASE,
)
"""Somebody else ran it, whose calls are not in the trace."""
_I_RAN = compiled(
    r"\b(?:i|we|i've|we've|i have|we have)(?: \w+){0,2} (?:re-?)?(?:ran|run|executed|invoked)\b[^.;\n]{1,80}$|^[^\w\n]*+(?:(?:then|also|and) )?(?:re-?)?(?:ran|executed)\b[^.;\n]{1,80}$",
    re.IGNORECASE | re.MULTILINE,
)
"""Before `it reported …` or `they ran through`: then the program is meant that the writer ran."""


def _by_others(words: str) -> bool:
    """Whether a line says that somebody else ran it."""
    for match in _BY_OTHERS.finditer(words):
        pronoun = match.group().lower().startswith(("it ", "they "))
        if not pronoun or not _I_RAN.search(words, max(0, match.start() - MAX_BEFORE), match.start()):
            return True
    return False


MAX_BEFORE = 160
"""So many letters before a pronoun are looked at for what it stands for."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a report: its words in lower case without Markdown signs, as they are written, and where they stand."""

    low: str
    text: str
    start: int
    end: int
    silent: bool = False
    """Whether it stands under a heading of things that were not done."""
    kind: ActionKind | None = None
    """What the heading or line over a list says was done to what is in it."""
    done: bool = False
    """Whether it is an item that is ticked off."""
    others: bool = False
    """Whether the line over it says that somebody else ran it."""
    raw: str = ""
    """The words as they stand in the report, with their signs."""
    title: bool = False
    """Whether it is a heading."""

    def claim(self, kind: ActionKind, **fields: Any) -> ActionClaim:
        """A claim of one kind that this sentence makes."""
        return ActionClaim(kind, by="report", text=self.text[:300], span=(self.start, self.end), **fields)


_ENDINGS = "|".join(sorted(CODE | TEXT, key=lambda ending: (-len(ending), ending)))
_BARE = compiled(rf"`[^`\n]*`|(?<![\w`/.@:%-])(?P<file>(?:[\w@.-]+/)*[\w@.-]*\w\.(?:{_ENDINGS}))(?![\w/`(:-]|\.\w)|(?<=\bbranch )(?P<branch>[\w.-]*[/\d_-][\w./-]*\w)", re.IGNORECASE)  # fmt: skip


def coded(text: str) -> str:
    """A text in which every file and branch that is named without signs is in code."""
    return _BARE.sub(lambda name: f"`{name[name.lastgroup]}`" if name.lastgroup else name.group(), text)


def statement_spans(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """The sentences of text[start:end], cut at semicolons too; a file may open one."""
    return _cut_at_semicolons(text, sentence_spans(text, start, end, _FILE))


@lang.kept(8)
def part_spans(text: str, *, semicolons: bool = True) -> tuple[Span, ...]:
    """The smallest parts of a text that end as sentences do, whatever comes after them; at semicolons too, or not."""
    found = sentence_spans(text, begins=ANYTHING)
    return tuple(_cut_at_semicolons(text, found) if semicolons else found)


def last_statement(words: str) -> str:
    """The last sentence of a paragraph: what says how the list under it is to be read."""
    return "".join(words[start:end] for start, end in part_spans(words, semicolons=False)[-1:])


def parts(text: str) -> list[str]:
    """The words of these parts."""
    return [text[start:end] for start, end in part_spans(text)]


def _cut_at_semicolons(text: str, spans: list[Span]) -> list[Span]:
    found = []
    for start, end in spans:
        cuts = [sign.end() for sign in _SEMICOLON.finditer(text, start, end)]
        found += [span for span in pairwise([start, *cuts, end]) if text[slice(*span)].strip()]
    return found


def sentences(report: str, read: Iterable[ReportLine]) -> Iterator[Sentence]:
    """The sentences of a report by its lines, apart from code and quotations."""
    heading = lead = OPEN
    over, above = "", ""
    for line in read:
        words = report[line.start : line.end]
        if line.role == "heading":
            heading, lead = context_of(words), OPEN
            over, above = words, ""
        elif line.role in ("blank", "code", "quote"):
            continue
        silent = heading.mode == "not" or lead.mode == "not" or line.mark in ("open", "later", "no")
        kind = (lead.kind or heading.kind) if line.role == "item" else None
        others = _by_others(f"{over} {above}" if line.role == "item" else words)
        if PATTERNS.names_added.match(words.lower()):
            heading = Context(heading.mode, "file_create")
        for begins, ends in statement_spans(report, line.start, line.end):
            raw = report[begins:ends].strip()
            if raw and len(raw) <= MAX_SENTENCE:
                plain = (
                    _MARKS.sub(lambda mark: mark["code"] or "", raw).replace("’", "'").replace("**", "").strip(" \t-•|")
                )
                plain = coded(plain)
                done = line.mark in ("done", "yes")
                yield Sentence(
                    plain.lower(), plain, begins, begins + len(raw), silent, kind, done, others, raw,
                    line.role == "heading",
                )  # fmt: skip
        if line.role == "words":
            above = words if words.rstrip(" *_").endswith(":") else ""
            lead = context_of(last_statement(words)) if above else OPEN
            lead = replace(lead, kind=None) if len(words.split()) > MAX_LEAD else lead
