"""Claims in a plain-language report: what its writer says was created, changed, deleted, renamed, run and tested.

By rules, in one pass over the lines; time and memory grow with the text up to a cap, and what lies beyond the cap is stated as
coverage. Planned, suggested, conditional, negated, quoted and merely read things are no claims. What looks like a claim and
names no file or command is listed as unverifiable. Nothing here looks at the world.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from trueline.values import Unit, Value
from trueline.world import report_blocks as blocks
from trueline.world.claims import ActionClaim
from trueline.world.report_clauses import SentenceReader
from trueline.world.report_contexts import NO_EDITS, OPEN, Context, context_of
from trueline.world.report_found import Found
from trueline.world.report_fragments import instructs, sentences
from trueline.world.report_items import heads, read_item
from trueline.world.report_layout import Line, is_rule, lines
from trueline.world.report_merge import merged
from trueline.world.report_tests import TEST_COMMAND, bare_pass, counts_in
from trueline.world.report_tokens import Token, looks_like_command, tokens
from trueline.world.report_vague import vague

MAX_CHARS = 300_000
MAX_PARAGRAPH = 100
MAX_CLAIMS = 10_000


class ReportClaims(Value, frozen=True):
    """What a report claims. `coverage` is the share of the text that was read; `unverifiable` names no file or command."""

    claims: tuple[ActionClaim, ...] = ()
    unverifiable: tuple[ActionClaim, ...] = ()
    coverage: Unit = 1.0


def claims_in(report: str) -> ReportClaims:
    """The claims of a report, in the order of their words, each with its exact place."""
    limit = min(len(report), MAX_CHARS)
    reader = _Reader(report)
    for line in lines(report, limit):
        reader.take(line)
        if len(reader.found) >= MAX_CLAIMS:
            limit = line.end
            break
    reader.close()
    coverage = max(limit - reader.unread, 0) / len(report) if report else 1.0
    kept = merged(reader.found, reader.files, nothing_changed=NO_EDITS.search(report[:limit].lower()) is not None)
    unclear = tuple(_claim(report, found) for found in reader.unclear[:MAX_CLAIMS])
    return ReportClaims(tuple(_claim(report, found) for found in kept), unclear, min(coverage, 1.0))


def _claim(report: str, found: Found) -> ActionClaim:
    return ActionClaim(
        kind=found.kind,
        path=found.path,
        to=found.to,
        command=found.command,
        exit_code=found.exit_code,
        passed=found.passed,
        failed=found.failed,
        by="report",
        text=report[found.start : found.end],
        span=(found.start, found.end),
    )


@dataclass(slots=True)
class _Scope:
    """A heading, lead-in or parent item, how deep it stands, and what it says about what is under it."""

    depth: int
    line: Line
    over: Context
    context: Context | None = None
    """What it says; made out only when something stands under it."""


_HEADING_DEPTH = -1


class _Reader:
    """Walks over the lines; keeps the headings and lead-ins in force."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[Found] = []
        self.unclear: list[Found] = []
        self.files: dict[str, None] = {}
        self.heading = OPEN
        self.section = OPEN
        self.lead = OPEN
        self.parents: list[_Scope] = []
        self.head: list[str] | None = None
        self.code: list[tuple[int, int]] = []
        self.paragraph: list[Line] = []
        self.sentence = SentenceReader(text)
        self.last_commands: list[Found] = []
        self.under_file = False
        self.commit = False
        self.unread = 0
        self.before = OPEN
        self.pending: Token | None = None
        self.bold = self.listed = False

    def take(self, line: Line) -> None:
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

    def _blank(self, line: Line) -> None:  # noqa: ARG002 - every role is called the same way
        self.under_file = False

    def _quote(self, line: Line) -> None:
        """Somebody else's words."""

    def _heading(self, line: Line) -> None:
        self.lead, self.parents, self.commit = OPEN, [], False
        self.bold, self.listed = line.level == 7, False
        words = self.text[line.start : line.end]
        context = context_of(words)
        named = self._tokens(line.start, line.end)
        if heads(named) and line.level >= 7:
            self._statement(line, OPEN if self.section.mode != "not" else self.section)
            context = OPEN
        if line.level <= 6:
            self.section = context
            self.heading = context
        else:
            # Bold lines are often headings of their own, and as often sub-headings: they fall back to the section.
            inherits = context.mode == "open" and self.section.mode in ("not", "found")
            self.heading = self.section if inherits else context
        if re.search(r"⏳|🚧|🔜|❌", words):
            self.heading = Context("not")
        if context.mode != "not":
            self._tests(line.start, line.end)

    def _code(self, line: Line) -> None:
        if line.end > line.start:
            self.code.append((line.start, line.end))

    def _row(self, line: Line) -> None:
        cells = blocks.cells_of(self.text, line.start, line.end)
        if self.head is None:
            self.head = [self.text[start:end].strip().lower() for start, end in cells]
        elif not is_rule(self.text, line) and cells:
            self.found += blocks.read_row(self.text, self.head, cells, self._context())
            self._tokens(line.start, line.end)

    def _words(self, line: Line) -> None:
        if not line.indent:
            self.parents = []
            if not self.paragraph:
                self.before, self.lead, self.commit = self.lead, OPEN, False
                if self.bold and self.listed:
                    self.heading, self.bold = self.section, False
        self.paragraph.append(line)

    def _item(self, line: Line) -> None:
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
        self.parents.append(_Scope(line.indent, line, context))

    def _under(self, line: Line, context: Context) -> Context:
        """What an item says about the items under it."""
        words = self.text[line.start : line.end]
        if context.silent:
            return context
        named = self._tokens(line.start, line.end)
        if words.rstrip(" *").endswith(":"):
            made = context_of(words)
            return context if made.mode == "open" else made
        if heads(named):
            return Context("open")
        made = context_of(words)
        return (
            made
            if made.mode == "not" and len(words) < 60 and not any(token.is_path for token in named)
            else Context("open")
        )

    # --- statements ---

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
        whole = Line("words", first.start, last.end, first.indent)
        single, each = len(self.paragraph) == 1, self.paragraph
        self.paragraph = []
        if not single and all(_begins_with_file(self.text, line) for line in each) and not self._context().silent:
            for line in each:
                self._statement(Line("item", line.start, line.end), self._context())
            return
        named = self._tokens(whole.start, whole.end)
        if single and len(named) == len(heads(named)) and named and not self.heading.silent and not self.before.silent:
            # A file alone on its line is the heading of what follows.
            self.lead, self.under_file = self.before, False
            self._statement(Line("item", whole.start, whole.end), self._context())
            self.under_file = True
            return
        kept = self.lead
        self._statement(whole, self._context())
        self._lead_in(whole, kept)

    def _lead_in(self, line: Line, kept: Context) -> None:
        words = self.text[line.start : line.end].rstrip(" *_")
        last = re.split(r"(?<=[.!?])\s+|\n", words)[-1]
        if words.endswith(":"):
            made = context_of(last)
            self.lead = made if made.mode != "open" else Context("done") if self.heading.mode == "done" else kept
            if not re.search(r"\w", last):
                self.lead = kept
        commands = [token for token in self._tokens(line.start, line.end) if token.kind == "command"]
        if (
            words.endswith("`:")
            and commands
            and self.text[commands[-1].end : line.end].strip() == ":"
            and not self.lead.silent
        ):
            self.pending = commands[-1]
        self.commit = re.match(r"commit [0-9a-f]{7,40}\b", last.lower()) is not None

    def _statement(self, line: Line, context: Context) -> None:
        """One item or paragraph: files at its head, then its sentences, then what it says about tests."""
        named = self._tokens(line.start, line.end)
        if not named:
            return
        label = ""
        hashed = (
            line.role == "item"
            and len(named) > 1
            and re.fullmatch(r"[0-9a-f]{7,40}", named[0].text.strip("`")) is not None
        )
        if hashed:
            named = [token for token in named[1:] if not (token is named[1] and token.text in (":", "–", "—"))]
        if line.role == "item":
            label, named, context = self._label(named, context)
        if line.role == "item" and self._typed_item(line, named, context):
            return
        item = read_item(self.text, named, line.end, context) if line.role == "item" and not self.under_file else None
        if (
            self.under_file
            and line.role == "item"
            and re.search(r"\(\s*new\b", self.text[line.start : line.end])
            and self.found
        ):
            self.found[-1].kind = "file_create"
        if item is not None:
            self.found += item
        imperative = (
            line.role == "item" and (context.mode == "done" or line.mark in ("done", "yes") or self.commit or hashed)
        ) or label == "done"
        for sentence in sentences(named, self.text):
            under, rest = context, sentence
            if line.role != "item":
                label, rest, under = self._label(sentence, context)
            self._sentence(
                rest,
                under,
                imperative=imperative or label == "done",
                commands_only=item is not None,
                start=sentence[0].start,
            )

    def _sentence(
        self, sentence: list[Token], context: Context, *, imperative: bool, commands_only: bool, start: int
    ) -> None:
        end = sentence[-1].end
        if context.mode == "not" or re.search(r"\bto the chat\b", self.text[start:end]):
            self.sentence.named = [token.text for token in sentence if token.kind == "path"] or self.sentence.named
            self._tests(start, end, both=True)
            return
        ran = self._running(sentence) or blocks.read_status(self.text, start, end)
        found = ran or self.sentence.read(sentence, context, imperative=imperative, commands_only=commands_only)
        cites = [token for token in sentence if self.text.startswith("【F:", token.start)]
        if cites and not found:
            found = [Found("file_edit", start, token.end, path=token.text) for token in cites]
        commands = [claim for claim in found if claim.kind == "command"]
        said = self.text[start:end].lower()
        code = blocks.exit_code(said)
        for claim in commands or self.last_commands:
            claim.exit_code = code if code is not None else claim.exit_code
        self.last_commands = commands
        self.found += found
        if not found and not instructs(sentence, imperative=imperative):
            self.unclear += vague(self.text, sentence, imperative=imperative)
        if not self._tests(start, end):
            self.found += _passed_by_command(commands)

    def _running(self, sentence: list[Token]) -> list[Found]:
        """`Running npm test`: a line that a tool prints before it runs something."""
        line = self.text[sentence[0].start : sentence[-1].end]
        match = re.fullmatch(r"(?:Running|Executing|> Running|\$)\s+([^`\n]{2,200}?)(?:\.\.\.|…)?", line)
        if (
            match
            and looks_like_command(match.group(1))
            and self.text.rfind("\n", 0, sentence[0].start) + 3 > sentence[0].start
        ):
            return [Found("command", sentence[0].start, sentence[-1].end, command=match.group(1))]
        return []

    def _tests(self, start: int, end: int, *, both: bool = False) -> bool:
        """Claims about tests in a stretch of text; whether there are any."""
        said = _without_code(self.text[start:end].lower())
        if said.rstrip().endswith("?"):
            return False
        runs = [run for run in counts_in(said) if not both or run.failed is not None]
        self.found += [
            Found("tests_passed", start + run.start, start + run.end, passed=run.passed, failed=run.failed)
            for run in runs
        ]
        bare = None if runs or both else bare_pass(said)
        if bare is not None:
            self.found.append(Found("tests_passed", start + bare[0], start + bare[1]))
        return bool(runs) or bare is not None

    def _label(self, named: list[Token], context: Context) -> tuple[str, list[Token], Context]:
        """`Next steps: …` or `Created: a, b` at the head of a line governs the rest of it."""
        at = next((n for n, token in enumerate(named[:9]) if token.kind == "sign" and token.text == ":"), None)
        if (
            not at
            or any(token.kind not in ("word", "number") and token.text != "*" for token in named[:at])
            or at + 1 >= len(named)
        ):
            return "", named, context
        if any(token.text in ("i", "i've", "we", "we've", "it") for token in named[:at]):
            return "", named, context
        made = context_of(self.text[named[0].start : named[at].end])
        if named[at + 1].text in ("i", "i've", "we", "we've"):
            return "", named[at + 1 :], context
        if made.silent:
            return made.mode, named, made if not context.silent else context
        rest = [token for token in named[at + 1 :] if token.text != "*"]
        if made.kind == "file_rename" and heads(rest) and not context.silent:
            self.found += read_item(self.text, rest, rest[-1].end, made) or []
        elif made.kind is not None and heads(rest) and not context.silent:
            self.found += [Found(made.kind, named[0].start, token.end, path=token.text) for token in heads(rest)]
        if (
            not context.silent
            and rest
            and rest[0].kind == "command"
            and re.match(r"\W*(?:ran|commands? run|executed|run)\b", self.text[named[0].start :][:40].lower())
        ):
            self.found += [
                Found("command", named[0].start, token.end, command=token.text)
                for token in rest
                if token.kind == "command"
            ]
        if context.mode == "not" or made.mode == "open":
            return "", named, context
        return (
            made.mode,
            named[at + 1 :],
            Context(made.mode, None) if context.mode in ("open", "done", "tests", "found") else context,
        )

    def _statement_of_command(self, line: Line) -> bool:
        named = self._tokens(line.start, line.end)
        return bool(named) and named[0].kind == "command"

    def _typed_item(self, line: Line, named: list[Token], context: Context) -> bool:
        """`✅ pytest -q` or, under a heading about tests, a command alone: it was run."""
        named = [token for token in named if token.text != "*"]
        if not context.silent and self._bare_typed(line):
            return True
        if context.silent or not named or named[0].kind != "command":
            return False
        rest = self.text[named[0].end : line.end].lower()
        if re.search(
            r"\bnot run\b|\bnot\b.{0,12}\b(?:run|executed|available)|\bskipped\b|\bneeds?\b|could ?n[o']?t|\bforgot|\bwill\b|\bshould\b|\bto\b.{0,10}\bverify",
            rest,
        ):
            return True
        alone = not re.search(r"\w", re.sub(r"\([^)]*\)", "", rest))
        if line.mark in ("yes", "warn", "no", "done") or (context.mode == "tests" and alone):
            found = Found(
                "command", named[0].start, named[0].end, command=named[0].text, exit_code=blocks.exit_code(rest)
            )
            self.found.append(found)
            counted = self._tests(named[0].end, line.end)
            if line.mark == "yes" and not counted and TEST_COMMAND.search(named[0].text):
                self.found.append(Found("tests_passed", named[0].start, named[0].end))
            return True
        return False

    def _bare_typed(self, line: Line) -> bool:
        """`npm test: pass`, without backticks."""
        match = _BARE_TYPED.match(self.text, line.start, line.end)
        if (
            match is None
            or not looks_like_command(match.group(1))
            or re.search(r"\bnot\b|n't\b|\bskipped\b|\bshould\b", match.group(2).lower())
        ):
            return False
        found = Found(
            "command",
            line.start,
            line.end,
            command=match.group(1).strip(),
            exit_code=blocks.exit_code(match.group(2).lower()),
        )
        self.found.append(found)
        found.good = re.search(r"\b(?:pass|ok|green|clean|success)", match.group(2).lower()) is not None
        if not self._tests(match.start(2), line.end):
            self.found += _passed_by_command([found])
        return True

    def _end_code(self) -> None:
        if self.code and self.pending is not None:
            # `go test ./...`: and then what it printed.
            self.found.append(Found("command", self.pending.start, self.pending.end, command=self.pending.text))
        if self.code:
            self.pending = None
            context = self._context()
            lead = "tests" if self.lead.mode == "tests" else ""
            if self.lead.mode == "open" and context.mode == "tests":
                lead = ""
            if self.last_commands or not context.silent:
                self.found += blocks.read_code(self.text, self.code, context, lead)
        self.code = []

    def _tokens(self, start: int, end: int) -> list[Token]:
        found = tokens(self.text, start, end)
        for token in found:
            if token.kind == "path":
                self.files[token.text] = None
        return found


def _begins_with_file(text: str, line: Line) -> bool:
    """`path: what was done`, without a bullet."""
    named = heads(tokens(text, line.start, line.end))
    return bool(named) and text[named[-1].end : line.end].lstrip(" *`").startswith(
        (":", "–", "—", "- ", "->", "→", "(")
    )


def _passed_by_command(commands: Iterable[Found]) -> list[Found]:
    """A test command that went well says that tests passed."""
    return [
        Found("tests_passed", claim.start, claim.end)
        for claim in commands
        if claim.good and TEST_COMMAND.search(claim.command or "")
    ]


_BARE_TYPED = re.compile(
    r"([a-z./][^`:→\n(]{1,100}?)\s*(?::|->|→|=>|–|—)\s+((?:✅\s*)?(?:pass|ok|green|clean|success|fail|exit|no (?:errors|issues)|\d+ (?:tests |passed|failed)|all )[^\n]*)",
    re.IGNORECASE,
)
_CODE = re.compile(r"`[^`\n]{1,400}`")


def _without_code(said: str) -> str:
    return _CODE.sub(lambda match: "`" + "x" * (len(match.group()) - 2) + "`", said)
