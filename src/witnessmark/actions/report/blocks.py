"""Lines that begin with a file, tables and code in a report: items, status columns, command tables, diffs, lists of files, output of test runners."""

from __future__ import annotations

import re

from witnessmark.actions.claim import ActionKind
from witnessmark.actions.report.layout import Context
from witnessmark.actions.report.lexicon import PATTERNS, VERBS, WORDS, in_any_language
from witnessmark.actions.report.names import ReportToken, looks_like_command, tokens
from witnessmark.actions.report.tests import counts_in
from witnessmark.actions.report.walk import DraftClaim
from witnessmark.actions.trace.test_runners import counts_of
from witnessmark.text.patterns import compiled

_BETWEEN = frozenset({",", "and", "&", "+", "*", "/", "both"})
_SIGNS = compiled(r"^[\s*_:`—–,(-]+")


def heads(tokens: list[ReportToken]) -> list[ReportToken]:
    """The files that a line begins with: one, or several with commas and `and` between."""
    found: list[ReportToken] = []
    for token in tokens:
        if token.kind == "path":
            found.append(token)
        elif not (token.text in _BETWEEN and (found or token.text == "*")):
            break
    return found


def read_item(text: str, tokens: list[ReportToken], end: int, context: Context) -> list[DraftClaim] | None:
    """The claims of a line that begins with files; None where it does not begin so."""
    if len(tokens) > 1 and tokens[0].text == "in" and tokens[1].kind == "path":
        tokens = tokens[1:]
    found = heads(tokens)
    if not found:
        return None
    start = found[0].start
    rest = text[found[-1].end : end].lower().replace("’", "'").removeprefix("`").removeprefix(")")
    renamed = _renamed(tokens, found)
    if context.mode == "not" or untouched(rest) or only_used(rest) or (context.silent and not said_done(rest)):
        return []
    if renamed is not None:
        return [DraftClaim("file_rename", start, renamed.end, path=found[-1].text, to=renamed.text)]
    kind = _kind(rest, found[0].text, context)
    if PATTERNS.split.match(rest):
        parts = _until_bracket(tokens[tokens.index(found[-1]) + 1 :])
        if PATTERNS.original_gone.search(rest):
            kind = "file_delete"
        return [
            *(DraftClaim(kind, start, max(token.end, start), path=token.text) for token in found),
            *(DraftClaim("file_create", start, token.end, path=token.text) for token in parts if token.kind == "path"),
        ]
    return [
        DraftClaim(kind, start, max(token.end, start), path=token.text, assumed=not said_done(rest)) for token in found
    ]


def _until_bracket(tokens: list[ReportToken]) -> list[ReportToken]:
    """What stands before the first bracket or semicolon."""
    end = next((n for n, token in enumerate(tokens) if token.kind == "sign" and token.text in "(;"), len(tokens))
    return tokens[:end]


def _renamed(tokens: list[ReportToken], found: list[ReportToken]) -> ReportToken | None:
    """`a → b`, `a was renamed to b`: the new name."""
    following = [token for token in tokens[tokens.index(found[-1]) + 1 :] if token.text != "*"][:4]
    words = [token.text for token in following]
    at = next((n for n, word in enumerate(words) if word in ("to", "into", "→")), len(words))
    led = words[:1] == ["→"] or (at > 0 and words[at - 1] in ("renamed", "moved"))
    return following[at + 1] if led and at + 1 < len(following) and following[at + 1].is_path else None


def untouched(rest: str) -> bool:
    """Whether the first clause after a file says that nothing was done to it, or not yet."""
    first = _first_clause(rest)
    stays = in_any_language("items", "stays").match(_unsigned(first))
    return stays is not None or PATTERNS.untouched.search(first) is not None or PATTERNS.modal.match(rest[:60]) is not None  # fmt: skip


def only_used(rest: str) -> bool:
    """Whether the first clause after a file says that it was run, called, read or checked, and no more."""
    first = _first_clause(rest)
    used = in_any_language("items", "looked").match(_unsigned(first))
    return used is not None and in_any_language("items", "reworked").search(first) is None


def _first_clause(rest: str) -> str:
    return re.split(r"[;.](?:\s|$)", rest, maxsplit=1)[0][:160]


def _unsigned(rest: str) -> str:
    """What follows a file, without the signs that part the two."""
    return _SIGNS.sub("", rest)


def _kind(rest: str, path: str, context: Context) -> ActionKind:
    bare = re.sub(r"^[\s*_:`—–,-]+", "", rest)
    if PATTERNS.new.search(rest) or PATTERNS.new.search(bare) or _new_noun(bare, path):
        return "file_create"
    if PATTERNS.gone_items.search(bare) or PATTERNS.gone_items.search(rest):
        return "file_delete"
    if PATTERNS.wrote.match(bare):
        return "file_write"
    if context.kind in ("file_create", "file_write", "file_delete") and not re.match(
        r"(?:updated|modified|changed|edited)\b", bare
    ):
        return context.kind
    return "file_edit"


def _new_noun(bare: str, path: str) -> bool:
    """`ThemeProvider.tsx`: new provider. The file is new where the noun names a whole file; a new section is an edit."""
    match = PATTERNS.new_noun.match(bare)
    if match is None or "`" in match.group(1):
        return False
    words = re.findall(r"[a-z]+", match.group(1))
    base = path.rsplit("/", 1)[-1].lower()
    if words[:1] and words[0] in WORDS.parts_of_files:
        return words[0] == "test" and words[1:2] in (["file"], ["suite"], ["module"])
    return any(word in base and len(word) > 3 for word in words[:3]) or any(
        word in WORDS.whole_file for word in words[:2]
    )


def said_done(rest: str) -> bool:
    """Whether the rest of the line says itself that something was done; after a sign, any verb of doing does."""
    bare = _unsigned(rest)
    if PATTERNS.said.match(bare) is not None:
        return True
    first = re.match(r"[\s*_`]*[:—–-][\s*_`]+([a-z-]+)", rest)
    return first is not None and first.group(1) in VERBS and VERBS[first.group(1)][1] == "past"


_STATUS: tuple[tuple[re.Pattern[str], ActionKind | None], ...] = (
    (
        compiled(
            r"\bunchanged|\bnot (?:modified|changed|touched)|\buntouched|\bskipped|\bplanned|\bpending|\btodo|\bno change|\bread\b|^\W*0\b|\bn/a\b|^\W*(?:none|no)\W*$"
        ),
        None,
    ),
    (compiled(r"\b(?:renamed|moved)\b"), "file_rename"),
    (
        compiled(
            r"^\W*(?:new|created|added|create|add|a)\W*$|\bnew (?:file|module|component|script)\b|^\W*created\b|^\W*\+\W*$|✨|🆕|➕|\((?:new|created)\)"
        ),
        "file_create",
    ),
    (
        compiled(
            r"^\W*(?:deleted|removed|delete|remove|d)\W*$|^\W*deleted\b(?! (?:the|dead|unused|old) )|\bremoved entirely|\((?:deleted|removed)\)|🗑"
        ),
        "file_delete",
    ),
    (
        compiled(
            r"\b(?:modified|updated|changed|edited|edit|update|modify|fixed|refactored|rewritten|replaced|extended)\b|^\W*m\W*$|✏|📝"
        ),
        "file_edit",
    ),
)
_KIND_OF_LETTER: dict[str, ActionKind] = {
    "M": "file_edit",
    "A": "file_create",
    "D": "file_delete",
    "??": "file_create",
    "create": "file_create",
    "delete": "file_delete",
}


def read_row(text: str, head: list[str], cells: list[tuple[int, int]], context: Context) -> list[DraftClaim]:
    """The claims of one table row under these column names."""
    if context.silent:
        return []
    named = [tokens(text, *cell) for cell in cells]
    said = [text[start:stop].strip().lower() for start, stop in cells]
    start, end = cells[0][0], cells[-1][1]
    lead = next((n for n, part in enumerate(named) if part), 0)
    commands = [token for token in named[lead] if token.kind == "command"]
    if commands and (PATTERNS.head_result.search(" ".join(head)) or context.mode == "tests"):
        return _command_row(commands, " ".join(said[lead + 1 :]), start, end)
    column = next((n for n, part in enumerate(named) if any(token.kind == "path" for token in part)), None)
    if column is None or column > 1:
        return []
    paths = [token for token in named[column] if token.kind == "path"]
    status = _status([cell for n, cell in enumerate(said) if n != column])
    beside = " ".join(cell for n, cell in enumerate(said) if n != column)[:160]
    if status == "none" or untouched(beside) or only_used(beside):
        return []
    others = [word for n, word in enumerate(head) if n != column]
    return _file_row(paths, status, others, start, end, context, named)


def _status(cells: list[str]) -> ActionKind | str | None:
    for cell in cells:
        if len(cell) > 40 and cell != cells[0]:
            continue
        for pattern, kind in _STATUS:
            if pattern.search(cell):
                return kind or "none"
    return None


def _file_row(
    paths: list[ReportToken],
    status: str | None,
    head: list[str],
    start: int,
    end: int,
    context: Context,
    named: list[list[ReportToken]],
) -> list[DraftClaim]:
    if status is None and not (PATTERNS.head_changes.search(" ".join(head)) or context.mode == "done"):
        return []
    if status == "file_rename":
        every = [token for part in named for token in part if token.kind == "path"]
        if len(every) > 1:
            return [DraftClaim("file_rename", start, end, path=every[0].text, to=every[1].text)]
        status = "file_edit"
    kind: ActionKind = status or context.kind or "file_edit"  # type: ignore[assignment] # the pattern table holds nothing else
    return [DraftClaim(kind, start, end, path=token.text, assumed=status is None) for token in paths]


def _command_row(commands: list[ReportToken], result: str, start: int, end: int) -> list[DraftClaim]:
    if re.search(r"\bnot run\b|\bskipped\b|n't\b|\bpending\b|\bnot\b|\bto run\b", result) or not result.strip():
        return []
    found = [DraftClaim("command", start, end, command=token.text, exit_code=exit_code(result)) for token in commands]
    found += [DraftClaim("tests_passed", start, end, passed=run.passed, failed=run.failed) for run in counts_in(result)]
    good = re.search(r"✅|\bpass|\bok\b|\bgreen\b|✓|\bsuccess", result)
    if len(found) == len(commands) and good and any(PATTERNS.test_command.search(token.text) for token in commands):
        found.append(DraftClaim("tests_passed", start, end))
    return found


def exit_code(said: str) -> int | None:
    """The exit code that words name."""
    match = PATTERNS.exit.search(said)
    return int(match.group(1) or match.group(2)) if match else None


# --- code --------------------------------------------------------------------------------------------------------


def read_code(text: str, code: list[tuple[int, int]], context: Context, lead: str) -> list[DraftClaim]:
    """The claims in a block of code: what it shows was changed, run or printed by a test runner."""
    if context.silent or not code:
        return []
    found = _stat(text, code)
    if found:
        return found
    start, end = code[0][0], code[-1][1]
    said = text[start:end]
    typed = _typed(text, code, lead == "tests")
    runs = counts_of(said)
    if runs is not None and not runs.failed_only:
        counted = runs.passed is not None
        failed = runs.failed if counted and runs.failed else None
        return [*typed, DraftClaim("tests_passed", start, end, passed=runs.passed, failed=failed)]
    if typed:
        return typed
    if context.kind is not None and context.mode == "done":
        return _listed(text, code, context.kind)
    return []


def _typed(text: str, code: list[tuple[int, int]], tested: bool) -> list[DraftClaim]:
    """Commands after a prompt; in the block after `I tested with:` or under `Testing`, all that look like commands."""
    prompted = any(PATTERNS.prompt.match(text, start, end) for start, end in code)
    found = []
    for start, end in code:
        prompt = PATTERNS.prompt.match(text, start, end)
        line = PATTERNS.remark.split(text[prompt.end() if prompt else start : end].strip())[0].strip()
        known = tested or line.split(" ")[0] in WORDS.tools
        if (known if prompt else tested and not prompted) and looks_like_command(line):
            found.append(DraftClaim("command", start, end, command=line))
    return found


def _listed(text: str, code: list[tuple[int, int]], kind: ActionKind) -> list[DraftClaim]:
    """A block that lists files, one a line, under a heading that says what was done to them."""
    found = []
    for start, end in code:
        named = tokens(text, start, end)
        if named and named[0].kind == "path" and "/" in named[0].text:
            found.append(DraftClaim(kind, start, end, path=named[0].text))
    return found


def _stat(text: str, code: list[tuple[int, int]]) -> list[DraftClaim]:
    found: dict[str, DraftClaim] = {}
    for start, end in code:
        line = text[start:end]
        stat, letter = PATTERNS.stat.match(line), PATTERNS.mode.match(line) or PATTERNS.short_status.match(line)
        if letter:
            found[letter.group(2)] = DraftClaim(_KIND_OF_LETTER[letter.group(1)], start, end, path=letter.group(2))
        elif stat and " " not in stat.group(1):
            found[stat.group(1)] = DraftClaim("file_edit", start, end, path=stat.group(1))
    return list(found.values())


def read_status(text: str, start: int, end: int) -> list[DraftClaim]:
    """A line of `git status --short` outside of a code block."""
    begins = text.rfind("\n", 0, start) + 1
    return (
        _stat(text, [(start, end)]) if start - begins < 4 and end - start < 300 and "`" not in text[start:end] else []
    )
