"""Which heading, lead-in or parent item governs which line of a report.

Walks over the lines in order and hands each to `report_statements` with how it is to be read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from witnessmark.actions.claim import ActionKind
from witnessmark.actions.report import blocks
from witnessmark.actions.report.blocks import heads, read_item, said_done, untouched
from witnessmark.actions.report.fragments import form_of
from witnessmark.actions.report.layout import OPEN, Context, ReportLine, context_of, last_statement
from witnessmark.actions.report.lexicon import PATTERNS, VERBS
from witnessmark.actions.report.names import ReportToken, tokens
from witnessmark.actions.report.statements import Statements
from witnessmark.actions.report.walk import DraftClaim
from witnessmark.text.markdown import cell_spans, is_table_rule

MAX_PARAGRAPH = 100


@dataclass(slots=True)
class Scope:
    """A heading, lead-in or parent item, how deep it stands, and what it says about what is under it."""

    depth: int
    line: ReportLine
    over: Context
    context: Context | None = None
    """What it says; made out only when something stands under it."""


class ReportReader:
    """Walks over the lines; keeps the headings and lead-ins in force."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.said = Statements(text)
        self.heading = OPEN
        self.section = OPEN
        self.lead = OPEN
        self.parents: list[Scope] = []
        self.head: list[str] | None = None
        self.code: list[tuple[int, int]] = []
        self.paragraph: list[ReportLine] = []
        self.under_file = False
        self.commit = False
        self.unread = 0
        self.before = OPEN
        self.pending: ReportToken | None = None
        self.bold = self.listed = False
        self.heading_words = ""
        self.sections: list[tuple[int, Context]] = []
        """The headings in force, each with its level."""
        self.titled: list[ReportToken] = []
        """Files that the heading names, until something under it says that it was done there."""
        self.led: list[ReportToken] = []
        """Files that the line with a colon over a list names, likewise."""
        self.changes = False
        """Whether a heading or lead-in so far said that what follows was done."""

    def take(self, line: ReportLine) -> None:
        """Take one line into account."""
        self.unread += line.cut
        if (
            line.role != "words"
            or len(self.paragraph) >= MAX_PARAGRAPH
            or (self.paragraph and line.indent != self.paragraph[-1].indent)
        ):
            self._end_paragraph()
        if line.role != "code":
            self._end_code()
        if line.role != "row":
            self.head = None
        getattr(self, f"_{line.role}")(line)

    def close(self) -> None:
        """The report ends."""
        self._end_paragraph()
        self._end_code()

    # --- roles ---

    def _blank(self, line: ReportLine) -> None:  # noqa: ARG002 - every role is called the same way
        self.under_file = False

    def _quote(self, line: ReportLine) -> None:
        """Somebody else's words."""

    def _heading(self, line: ReportLine) -> None:
        self.lead, self.parents, self.commit = OPEN, [], False
        self.bold, self.listed = line.level == 7, False
        words = self.heading_words = self.text[line.start : line.end].lower()
        context = context_of(words)
        named = self.said.tokens(line.start, line.end)
        if heads(named) and line.level >= 7:
            self._statement(line, OPEN if self.section.mode != "not" else self.section)
            context = OPEN
        elif line.level >= 7 and context.mode != "not" and _done_to_file(named):
            self._statement(line, OPEN)
        context = self._file_heading(line, named) or context
        self.titled = [token for token in named if token.kind == "path"]
        if line.level <= 6:
            self.section = context
            self.heading = context
        else:
            # Bold lines are often headings of their own, and as often sub-headings: they fall back to the section.
            inherits = context.mode == "open" and self.section.mode in ("not", "found")
            self.heading = self.section if inherits else context
        if re.search(r"⏳|🚧|🔜|❌", words):
            self.heading = Context("not")
        self.changes = self.changes or context.mode == "done"
        if context.mode != "not":
            self.said.tests(line.start, line.end)

    def _code(self, line: ReportLine) -> None:
        if line.end > line.start:
            self.code.append((line.start, line.end))

    def _row(self, line: ReportLine) -> None:
        row = self.text[line.start : line.end]
        cells = [(line.start + start, line.start + end) for start, end in cell_spans(row)]
        if self.head is None:
            self.head = [self.text[start:end].strip().lower() for start, end in cells]
        elif not is_table_rule(row):
            self.said.found += blocks.read_row(self.text, self.head, cells, self._context())
            self.said.tokens(line.start, line.end)

    def _words(self, line: ReportLine) -> None:
        if not line.indent:
            self.parents = []
            if not self.paragraph:
                self.before, self.lead, self.commit, self.led = self.lead, OPEN, False, []
                if self.bold and self.listed:
                    self.heading, self.bold = self.section, False
        self.paragraph.append(line)

    def _item(self, line: ReportLine) -> None:
        self.listed = True
        while self.parents and self.parents[-1].depth >= line.indent:
            self.parents.pop()
        context = self._context()
        if line.mark in ("open", "later"):
            context = Context("not")
        elif line.mark in ("yes", "done") and context.mode in ("open", "not") and not self.parents:
            context = Context("done", context.kind)
        if line.mark == "no" and not self._statement_of_command(line):
            context = Context("not")
        self._statement(line, context)
        self._done_there(line, context)
        self.parents.append(Scope(line.indent, line, context))

    def _file_heading(self, line: ReportLine, named: list[ReportToken]) -> Context | None:
        """`### 1. src/a.ts (new)`: what follows was done in that file, unless the section is about something else."""
        if line.level > 6:
            return None
        while self.sections and self.sections[-1][0] >= line.level:
            self.sections.pop()
        over = self.sections[-1][1] if self.sections else OPEN
        while named and (named[0].kind == "number" or named[0].text in (".", ")", ":")):
            named = named[1:]
        following = self.text[line.end : line.end + 300].lstrip().partition("\n")[0]
        if heads(named) and (over.silent or untouched(following.lower())):
            return over
        if heads(named):
            self.said.found += read_item(self.text, named, line.end, Context("done", over.kind)) or []
        else:
            self.sections.append((line.level, context_of(self.heading_words)))
        return None

    def _done_there(self, line: ReportLine, context: Context) -> None:
        """`### Backend (x)` and under it `- Added a guard`: done in the file that the heading names."""
        titled = self.led or self.titled
        if not titled or context.silent:
            return
        named = [token for token in self.said.tokens(line.start, line.end) if token.text != "*"]
        word = named[0].text if named and named[0].kind == "word" else ""
        cls, form = VERBS.get(word, ("run", ""))
        done = form == "past" and cls not in ("run", "verify")
        if done or (self.changes and named and not untouched(self.text[line.start : line.end].lower())):
            if any(token.kind == "path" for token in named):
                return
            new = re.search(r"\bnew\b|\bcreat", self.heading_words) is not None or word == "created"
            kind: ActionKind = "file_create" if new else "file_edit"
            self.said.found += [DraftClaim(kind, token.start, token.end, path=token.text) for token in titled]
            self.titled, self.led = [], []

    def _under(self, line: ReportLine, context: Context) -> Context:
        """What an item says about the items under it."""
        words = self.text[line.start : line.end]
        if context.silent:
            return context
        named = [token for token in self.said.tokens(line.start, line.end) if token.text != "*"]
        if words.rstrip(" *").endswith(":"):
            made = context_of(words)
            return context if made.mode == "open" else made
        if heads(named):
            return Context("open")
        made = context_of(words)
        first = named[0].text if named and named[0].kind == "word" else ""
        if made.kind is not None and first and _is_title(named):
            return made
        if made.mode == "done" and form_of(first) == "past" and not any(token.is_path for token in named):
            return Context("done")
        return (
            made
            if made.mode == "not" and len(words) < 60 and not any(token.is_path for token in named)
            else Context("open")
        )

    # --- statements ---

    def _statement(self, line: ReportLine, context: Context) -> None:
        self.said.take(line, context, committed=self.commit, under_file=self.under_file)

    def _context(self) -> Context:
        """The nearest heading, lead-in or parent that says something."""
        for scope in reversed(self.parents):
            if scope.context is None:
                scope.context = self._under(scope.line, scope.over)
            if scope.context.mode != "open":
                return scope.context
        if self.commit:
            return Context("done")
        if self.lead.mode != "open":
            return self.lead
        return self.heading

    def _end_paragraph(self) -> None:
        if not self.paragraph:
            return
        first, last = self.paragraph[0], self.paragraph[-1]
        whole = ReportLine("words", first.start, last.end, first.indent)
        single, each = len(self.paragraph) == 1, self.paragraph
        self.paragraph = []
        if not single and all(_begins_with_file(self.text, line) for line in each) and not self._context().silent:
            for line in each:
                self._statement(ReportLine("item", line.start, line.end), self._context())
            return
        if not single and _bare_file(self.text, each[0]):
            # `src/a.ts`, and under it what was done there.
            for part in ([each[0]], each[1:]):
                self.paragraph = part
                self._end_paragraph()
            return
        named = self.said.tokens(whole.start, whole.end)
        if single and _begins_with_file(self.text, first) and not self._context().silent:
            rest = self.text[heads(named)[-1].end : whole.end].lower()
            if rest.lstrip(" *`").startswith((":", "–", "—", "- ")) and said_done(rest):
                self._statement(ReportLine("item", whole.start, whole.end), self._context())
                return
        if single and self.before.mode == "tests" and all(token.kind == "command" for token in named):
            # `I used this command:`, and then the command alone.
            self._statement(ReportLine("item", whole.start, whole.end), self.before)
            return
        bare = [token for token in named if token.text not in ("*", "—", "–", ":")]
        if single and bare and len(bare) == len(heads(bare)) and not self.heading.silent and not self.before.silent:
            # A file alone on its line is the heading of what follows.
            self.lead, self.under_file = self.before, False
            self._statement(ReportLine("item", whole.start, whole.end), self._context())
            self.under_file = True
            return
        kept = self.lead
        if single and self.changes and self.text.startswith("**", first.start) and not self._context().silent:
            # `**1. Parser** — x`: a title that says where, among what was done.
            self._statement(ReportLine("item", whole.start, whole.end), Context("done"))
        else:
            self._statement(whole, self._context())
        self._lead_in(whole, kept)

    def _lead_in(self, line: ReportLine, kept: Context) -> None:
        words = self.text[line.start : line.end].rstrip(" *_")
        last = last_statement(words)
        if words.endswith(":"):
            made = context_of(last)
            self.lead = made if made.mode != "open" else Context("done") if self.heading.mode == "done" else kept
            if not re.search(r"\w", last):
                self.lead = kept
            self.changes = self.changes or made.mode == "done"
            if not made.silent and (made.mode == "done" or words.lstrip().startswith("**")):
                self.led = [token for token in self.said.tokens(line.start, line.end) if token.kind == "path"]
        elif words.endswith("?"):
            self.lead = Context("not")
        commands = [token for token in self.said.tokens(line.start, line.end) if token.kind == "command"]
        if (
            words.endswith("`:")
            and commands
            and self.text[commands[-1].end : line.end].strip() == ":"
            and not self.lead.silent
        ):
            self.pending = commands[-1]
        self.commit = re.match(r"commit [0-9a-f]{7,40}\b", last.lower()) is not None

    def _statement_of_command(self, line: ReportLine) -> bool:
        named = self.said.tokens(line.start, line.end)
        return bool(named) and named[0].kind == "command"

    def _end_code(self) -> None:
        if self.code and self.pending is not None:
            # `go test ./...`: and then what it printed.
            self.said.found.append(
                DraftClaim("command", self.pending.start, self.pending.end, command=self.pending.text)
            )
        if self.code:
            self.pending = None
            context = self._context()
            lead = "tests" if self.lead.mode == "tests" else ""
            if self.lead.mode == "open" and context.mode == "tests" and PATTERNS.heads_a_run.search(self.heading_words):
                lead = "tests"
            if self.said.last_commands or not context.silent:
                self.said.found += blocks.read_code(self.text, self.code, context, lead)
        self.code = []


def _done_to_file(named: list[ReportToken]) -> bool:
    """`Moved to x`: a verb in the past, and the file it was done to."""
    first = next((token.text for token in named if token.text != "*"), "")
    return form_of(first) == "past" and any(token.kind == "path" for token in named)


def _is_title(named: list[ReportToken]) -> bool:
    """`Deleted`, `Deleted files`, `Deletions`: one word, and that it is about files."""
    return len([token for token in named if token.text not in ("file", "files")]) == 1


def _bare_file(text: str, line: ReportLine) -> bool:
    """A line that is one file and nothing else."""
    named = [token for token in tokens(text, line.start, line.end) if token.text != "*"]
    return len(named) == 1 and named[0].kind == "path"


def _begins_with_file(text: str, line: ReportLine) -> bool:
    """`path: what was done`, without a bullet; or a path alone, one of several."""
    named = heads(tokens(text, line.start, line.end))
    rest = text[named[-1].end : line.end].lstrip(" *`") if named else "x"
    return not rest or rest.startswith((":", "–", "—", "- ", "->", "→", "("))
