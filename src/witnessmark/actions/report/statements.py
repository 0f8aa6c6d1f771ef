"""What one line of a report says: files at its head, a label before a colon, commands, sentences, tests.

Is told how the line is to be read; which heading or lead-in says so is the business of `report_reader`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from witnessmark.actions.claim import ActionKind
from witnessmark.actions.report import blocks
from witnessmark.actions.report.blocks import heads, read_item
from witnessmark.actions.report.clauses import SentenceReader
from witnessmark.actions.report.fragments import form_of, instructs, sentences
from witnessmark.actions.report.layout import Context, ReportLine, context_of
from witnessmark.actions.report.lexicon import PATTERNS, WORDS
from witnessmark.actions.report.names import ReportToken, tokens
from witnessmark.actions.report.tests import bare_pass, counts_in
from witnessmark.actions.report.walk import DraftClaim
from witnessmark.text.patterns import compiled


class Statements:
    """Everything found so far, and what a statement needs to know of those before it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[DraftClaim] = []
        self.unclear: list[DraftClaim] = []
        self.files: dict[str, None] = {}
        self.sentence = SentenceReader(text)
        self.last_commands: list[DraftClaim] = []

    def take(self, line: ReportLine, context: Context, *, committed: bool = False, under_file: bool = False) -> None:
        """One item or paragraph: files at its head, then its sentences, then what it says about tests."""
        named = self.tokens(line.start, line.end)
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
        item = read_item(self.text, named, line.end, context) if line.role == "item" and not under_file else None
        if (
            under_file
            and line.role == "item"
            and re.search(r"\(\s*new\b", self.text[line.start : line.end])
            and self.found
        ):
            self.found[-1].kind = "file_create"
        if item is not None:
            self.found += item
        imperative = (
            line.role == "item" and (context.mode == "done" or line.mark in ("done", "yes") or committed or hashed)
        ) or label == "done"
        for number, sentence in enumerate(sentences(named, self.text)):
            under, rest = context, sentence
            if line.role != "item":
                label, rest, under = self._label(sentence, context)
            self._sentence(
                rest,
                under,
                imperative=imperative or label == "done",
                commands_only=item is not None and (number == 0 or context.silent),
                start=sentence[0].start,
            )

    def _sentence(
        self, sentence: list[ReportToken], context: Context, *, imperative: bool, commands_only: bool, start: int
    ) -> None:
        end = sentence[-1].end
        if context.mode == "not" or re.search(r"\bto the chat\b", self.text[start:end]):
            self.sentence.named = [token.text for token in sentence if token.kind == "path"] or self.sentence.named
            self.tests(start, end, both=True)
            return
        ran = blocks.read_status(self.text, start, end)
        found = ran or self.sentence.read(sentence, context, imperative=imperative, commands_only=commands_only)
        cites = [token for token in sentence if self.text.startswith("【F:", token.start)]
        if cites and not found:
            found = [DraftClaim("file_edit", start, token.end, path=token.text) for token in cites]
        if (imperative or sentence[0].text == "new") and not found and not context.silent:
            found = _noted(sentence)
        commands = [claim for claim in found if claim.kind == "command"]
        said = self.text[start:end].lower()
        for claim in commands or self.last_commands:
            told = blocks.exit_code(said) if "`" not in said and _STILL_OF_IT.match(said) else None
            code = _exit_told(said, claim.end - start) if commands else told
            claim.exit_code = code if code is not None else claim.exit_code
        self.last_commands = commands
        self.found += found
        if not found and not instructs(sentence, imperative=imperative):
            self.unclear += vague(self.text, sentence)
        if not self.tests(start, end):
            self.found += _passed_by_command(commands)

    def tests(self, start: int, end: int, *, both: bool = False) -> bool:
        """Claims about tests in a stretch of text; whether there are any."""
        written = self.text[start:end].lower()
        said = _without_code(written)
        if said.rstrip().endswith("?"):
            return False
        runs = [run for run in counts_in(said, written) if not both or run.failed is not None]
        self.found += [
            DraftClaim("tests_passed", start + run.start, start + run.end, passed=run.passed, failed=run.failed)
            for run in runs
        ]
        bare = None if runs or both else bare_pass(said)
        if bare is not None:
            self.found.append(DraftClaim("tests_passed", start + bare[0], start + bare[1]))
        return bool(runs) or bare is not None

    def _label(self, named: list[ReportToken], context: Context) -> tuple[str, list[ReportToken], Context]:
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
            self.found += [DraftClaim(made.kind, named[0].start, token.end, path=token.text) for token in heads(rest)]
        if (
            not context.silent
            and rest
            and rest[0].kind == "command"
            and re.match(
                r"\W*(?:ran|commands?(?: run| used| executed)?|executed|run)\s*\**\s*:",
                self.text[named[0].start :][:40].lower(),
            )
        ):
            self.found += [
                DraftClaim("command", named[0].start, token.end, command=token.text)
                for token in rest
                if token.kind == "command"
            ]
        labelled = PATTERNS.files.fullmatch(self.text[named[0].start : named[at].start].strip(" *_").lower())
        alone = context.mode == "done" and made.kind is None and heads(rest) and len(rest) <= 2 * len(heads(rest))
        if (
            (labelled or alone)
            and heads(rest)
            and (context.mode == "done" or (labelled and labelled.group(1) and not context.silent))
        ):
            self.found += [
                DraftClaim(context.kind or "file_edit", named[0].start, token.end, path=token.text, assumed=True)
                for token in heads(rest)
            ]
        if context.mode == "not" or made.mode == "open":
            return "", named, context
        return (
            made.mode,
            named[at + 1 :],
            Context(made.mode, None) if context.mode in ("open", "done", "tests", "found") else context,
        )

    def _typed_item(self, line: ReportLine, named: list[ReportToken], context: Context) -> bool:
        """`✅ pytest -q` or, under a heading about tests, a command alone: it was run."""
        named = [token for token in named if token.text != "*"]
        if context.silent or not named or named[0].kind != "command":
            return False
        rest = self.text[named[0].end : line.end].lower()
        if re.search(
            r"\bnot run\b|^\W*no\b(?! (?:new )?(?:warn|error|issue|finding|problem|failure|race|regression|complain|output))|\bnot\b.{0,12}\b(?:run|executed|available)|(?<!\d )\bskipped\b(?!:)|\bneeds?\b|could ?n[o']?t|\bforgot|\bwill\b|\bshould\b|\bto\b.{0,10}\bverify",
            rest,
        ):
            return True
        alone = not re.search(r"\w", re.sub(r"\([^)]*\)", "", rest))
        if line.mark in ("yes", "warn", "no", "done") or (context.mode == "tests" and alone):
            found = DraftClaim(
                "command", named[0].start, named[0].end, command=named[0].text, exit_code=blocks.exit_code(rest)
            )
            self.found.append(found)
            counted = self.tests(named[0].end, line.end)
            if line.mark == "yes" and not counted and PATTERNS.test_command.search(named[0].text):
                self.found.append(DraftClaim("tests_passed", named[0].start, named[0].end))
            return True
        return False

    def tokens(self, start: int, end: int) -> list[ReportToken]:
        """The tokens of a stretch; files among them are remembered."""
        found = tokens(self.text, start, end)
        for token in found:
            if token.kind == "path":
                self.files[token.text] = None
        return found


def _noted(sentence: list[ReportToken]) -> list[DraftClaim]:
    """`[x] Unit tests in a.ts`, `Null check (b.py)`: an item of a list of what was done that says where, and no verb."""
    words = [token.text for token in sentence if token.kind == "word"]
    if not words or any(word in WORDS.no_note or form_of(word) == "past" or word.endswith("n't") for word in words):
        return []
    found: list[DraftClaim] = []
    before = ""
    for token in sentence:
        if (
            token.kind == "path"
            and not token.text.endswith("/")
            and (before in ("in", "at", "(", "—", "–", ":") or (found and before in (",", "and")))
        ):
            new = words[0] == "new" and words[1:2] and words[1] in WORDS.whole_file - {"test", "tests"}
            found.append(
                DraftClaim(
                    "file_create" if new else "file_edit", sentence[0].start, token.end, path=token.text, assumed=True
                )
            )
        if token.text not in ("the", "*"):
            before = token.text
    return found


def _passed_by_command(commands: Iterable[DraftClaim]) -> list[DraftClaim]:
    """A test command that went well says that tests passed."""
    return [
        DraftClaim("tests_passed", claim.start, claim.end)
        for claim in commands
        if claim.good and PATTERNS.test_command.search(claim.command or "")
    ]


_STILL_OF_IT = compiled(
    r"\W*(?:and )?(?:it|this|that|they|both|all|each|the (?:command|run|script|suite|tests?|build)|exit\w*|return\w*|result|status)\b"
)
"""How a sentence begins that goes on about the command before it: `I let it end with exit status 2` tells of something else."""
_OWN = compiled(r"`?(?:(?:,| and|, and| &) ?`[^`]+`)*[^`]*")
"""Between a command and how it ended: nothing in code but other commands that ended like it."""


def _exit_told(said: str, at: int) -> int | None:
    """The exit code that a sentence tells of the command that ends at a place: the first after it, unless another command stands between."""
    match = PATTERNS.exit.search(said, max(at, 0))
    if match and PATTERNS.exit_case.match(
        said, match.end()
    ):  # how a program ends in some case, and not how a run of it did
        return None
    if match and _OWN.fullmatch(said, at, match.start()):
        return blocks.exit_code(match.group())
    match = PATTERNS.exit.search(said)
    return blocks.exit_code(said) if match and match.start() < at and "`" not in said[: match.start()] else None


def _without_code(said: str) -> str:
    return PATTERNS.code_statements.sub(lambda match: "`" + "x" * (len(match.group()) - 2) + "`", said)


# --- statements that name nothing that could be looked up: `I removed the old config file` ---

_KIND: dict[str, ActionKind] = {
    "created": "file_create", "added": "file_create", "wrote": "file_write", "generated": "file_write", "deleted": "file_delete",
    "removed": "file_delete", "renamed": "file_rename", "moved": "file_rename", "ran": "command", "executed": "command",
}  # fmt: skip


def vague(text: str, sentence: list[ReportToken]) -> list[DraftClaim]:
    """The claim of a sentence that names no file and no command, if it makes one."""
    start, end = sentence[0].start, sentence[-1].end
    match = PATTERNS.vague.search(text[start:end].lower())
    if match is None or PATTERNS.barred.search(text[start:end].lower(), 0, match.end()):
        return []
    return [DraftClaim(_KIND.get(match.group("verb"), "file_edit"), start + match.start(), start + match.end())]
