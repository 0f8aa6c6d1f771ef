"""Shell lines, read by a real parser (tree-sitter's bash grammar): each simple command with its words, where it ran and how it ended.

A line's exit code is a command's own only where the shell makes it so; `|| true`, a pipe or a later command hides it. What a shell
would expand at run time stays as it is written. Runs nothing, and knows nothing about test runners.
"""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from witnessmark.actions.trace.options import leading_options
from witnessmark.text.patterns import compiled

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MAX_LINE = 20_000
MAX_NESTING = 4
_JOINTS = frozenset({"&&", "||", ";", ";;", "|", "|&", "&", "\n"})
_SURE = frozenset(
    {"cd", "export", "source", ".", "set", "mkdir", "echo", "true", ":", "pwd", "printf", "unset", "sleep"}
)
"""Commands that nearly always succeed: behind them with `&&`, a line's exit code is that of what follows."""
_THROUGH = frozenset({"program", "list", "pipeline", "redirected_statement", "negated_command", "ERROR"})
_GROUPS = frozenset({"subshell", "compound_statement", "do_group"})
_SHELLS = frozenset({"bash", "sh", "zsh", "dash", "ksh"})


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """One simple command of a line. `code` is its own exit code, None where the line does not tell it."""

    words: tuple[str, ...]
    code: int | None = None
    folder: str = ""
    """Where it runs: where the line began, and where `cd` led from there."""
    writes: tuple[str, ...] = ()
    """Files that its output goes to."""
    fed: str = ""
    """The text of a here-document."""
    hidden: bool = False
    """Whether the line says nothing of how it ended: a pipe, `|| true` or a later command stands behind it."""
    background: bool = False
    loop: bool = False
    """Whether it stands in a loop, a condition, a function or a substitution, so that it may not have run as written."""
    then: bool = False
    """Whether what stands behind it ran only if it ended well: `&&`."""


@dataclass(slots=True)
class _Leaf:
    words: list[str]
    writes: list[str] = field(default_factory=list)
    fed: str = ""
    negated: bool = False


@dataclass(slots=True)
class _Group:
    parts: list[Any]
    straight: bool
    negated: bool = False


@functools.lru_cache(maxsize=4096)
def commands_of(line: str, code: int | None = None, folder: str = "") -> tuple[ShellCommand, ...]:
    """The simple commands of a line in order; `bash -c '…'` gives those inside. `folder` is where the line begins."""
    if not line.strip():
        return ()
    return tuple(_unfolded(_coded(_parsed(line[:MAX_LINE]), code, folder, False), 0))


def folder_worked_in(command: ShellCommand) -> str:
    """Where a command works: git may be told another folder than the one it runs in, `git -C web mv a b`."""
    given = leading_options("git", command.words[1:]) if command.words[:1] == ("git",) else ()
    return functools.reduce(_moved, ([value] for option, value in given if option == "-C"), command.folder)


# --- the tree of a line ----------------------------------------------------------------------------------------


@functools.cache
def _parser() -> Parser:
    import tree_sitter
    import tree_sitter_bash

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


@functools.lru_cache(maxsize=4096)
def _parsed(line: str) -> tuple[Any, ...]:
    """The line as commands, groups and the joints between them."""
    root = _parser().parse(line.encode("utf-8", "surrogatepass")).root_node
    return tuple(_flat(root, {}))


def _text(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")


def _flat(node: Node, known: dict[str, str]) -> list[Any]:
    """Commands, groups and joints of a node in the order they are written; the grammar's own nesting of pipes is not trusted."""
    out: list[Any] = []
    negated = False
    for child in node.children:
        kind = child.type
        if kind in _JOINTS:
            out.append(";" if kind in ("\n", ";;") else "|" if kind == "|&" else kind)
        elif kind == "!":
            negated = True
        elif kind in ("file_redirect", "heredoc_redirect", "herestring_redirect"):
            _redirect(child, out, known)
        else:
            made = _element(child, known)
            if made and out and not isinstance(out[-1], str) and node.type in ("program", "list", "ERROR", *_GROUPS):
                out.append(";")
            if negated and made and not isinstance(made[0], str):
                made[0].negated = True
            out += made
    return out


def _element(node: Node, known: dict[str, str]) -> list[Any]:
    kind = node.type
    if kind == "command":
        return _command(node, known)
    if kind in _THROUGH:
        return _flat(node, known)
    if kind in _GROUPS:
        return [_Group(_flat(node, dict(known)), straight=True)]
    if kind == "variable_assignment":
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None and value is not None and not _expands(value):
            known[_text(name)] = _word(value, known)
        return [*_inside(node, known)]
    if kind in ("declaration_command", "test_command", "unset_command", "variable_assignments"):
        return [_Leaf([kind.partition("_")[0]]), *_inside(node, known)]
    if not node.is_named or kind == "comment":
        return []
    inner = [part for child in node.children for part in _element(child, dict(known))]
    return [_Group(inner, straight=False)] if any(not isinstance(part, str) for part in inner) else []


def _command(node: Node, known: dict[str, str]) -> list[Any]:
    leaf = _Leaf([])
    aside: list[Any] = []
    made: list[Any] = [leaf]
    for child in node.children:
        if child.type == "variable_assignment":
            aside += _inside(child, known)
        elif child.type in ("file_redirect", "heredoc_redirect", "herestring_redirect"):
            _redirect(child, made, known)
        elif child.is_named:
            leaf.words.append(_word(child, known))
            aside += _inside(child, known)
    return [leaf, *aside] if leaf.words else aside


def _inside(node: Node, known: dict[str, str]) -> Iterator[_Group]:
    """The commands in substitutions of a word."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if part.type in ("command_substitution", "process_substitution"):
            yield _Group(_flat(part, dict(known)), straight=False)
        else:
            waiting += part.children


def _expands(node: Node) -> bool:
    return b"$" in (node.text or b"") or b"`" in (node.text or b"")


_ESCAPED = compiled(r"\\(.)", re.DOTALL)


def _word(node: Node, known: dict[str, str]) -> str:
    """A word without its quotes; a variable that the line itself set is put in."""
    kind, text = node.type, _text(node)
    if kind == "command_name" and node.children:
        return "".join(_word(child, known) for child in node.children)
    if kind == "concatenation":
        return "".join(_word(child, known) for child in node.children)
    if kind == "raw_string":
        return text[1:-1]
    if kind == "ansi_c_string":
        return text[2:-1]
    if kind == "string":
        if not _expands(node):
            return _ESCAPED.sub(lambda found: found[1] if found[1] in '"\\$`\n' else found[0], text[1:-1])
        return _VARIABLE.sub(lambda found: known.get(found[1] or found[2], found[0]), text[1:-1])
    if kind in ("simple_expansion", "expansion"):
        return _VARIABLE.sub(lambda found: known.get(found[1] or found[2], found[0]), text)
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text


_VARIABLE = compiled(r"\$(?:\{(\w+)\}|(\w+))")


def _redirect(node: Node, out: list[Any], known: dict[str, str]) -> None:
    """Take a redirection to the command before it."""
    last = next((part for part in reversed(out) if not isinstance(part, str)), None)
    while isinstance(last, _Group):
        last = next((part for part in reversed(last.parts) if not isinstance(part, str)), None)
    if last is None:
        return
    if node.type == "heredoc_redirect":
        bodies = [child for child in node.children if child.type == "heredoc_body"]
        last.fed = last.fed or "".join(_text(body) for body in bodies)
        for child in node.children:
            if child.type == "file_redirect":
                _redirect(child, out, known)
            elif child.type in ("pipeline", "command", "list"):
                out += ["|", *_element(child, known)] if child.type != "list" else _element(child, known)
        return
    goes = any(child.type in (">", ">>", "&>", "&>>", ">|") for child in node.children)
    target = node.child_by_field_name("destination")
    if goes and target is not None and target.type != "number":
        path = _word(target, known)
        if not path.startswith(("/dev/", "&")):
            last.writes.append(path)


# --- how each command ended ------------------------------------------------------------------------------------


def _coded(parts: Iterable[Any], code: int | None, folder: str, loop: bool) -> Iterator[ShellCommand]:
    """The commands of a sequence, each with the exit code that is its own."""
    at = [folder]
    statements = _split(parts, (";", "&"))
    fails = any(
        isinstance(part, _Leaf) and part.words[:1] == ["set"] and any("pipefail" in word for word in part.words)
        for statement, _ in statements
        for part in statement
    )
    for number, (statement, joint) in enumerate(statements):
        last = number == len(statements) - 1
        told = code if last and joint != "&" else None
        yield from _and_or(statement, told, at, loop, joint == "&", not last, fails)


def _split(parts: Iterable[Any], joints: tuple[str, ...]) -> list[tuple[list[Any], str]]:
    """The parts between joints, each with the joint behind it."""
    found: list[tuple[list[Any], str]] = []
    current: list[Any] = []
    for part in parts:
        if isinstance(part, str) and part in joints:
            if current:
                found.append((current, part))
            current = []
        else:
            current.append(part)
    return [*found, (current, "")] if current else found


def _and_or(
    statement: list[Any], code: int | None, at: list[str], loop: bool, background: bool, hidden: bool, fails: bool
) -> Iterator[ShellCommand]:
    pipes = _split(statement, ("&&", "||"))
    joints = [joint for _, joint in pipes[:-1]]
    for number, (pipe, _) in enumerate(pipes):
        last = number == len(pipes) - 1
        before = [part for earlier, _ in pipes[:number] for part in earlier]
        told = None
        if len(pipes) == 1 or (code == 0 and "||" not in joints):
            told = code
        elif last and code is not None and (joints[-1] == "||" or all(_is_sure(part) for part in before)):
            told = code if joints[-1] == "&&" or code != 0 else None
        masked = hidden or "||" in joints[number:]
        found = [*_pipe(pipe, told, at, loop, background, masked, fails)]
        alone = isinstance(pipe[-1], _Leaf) and not pipe[-1].negated and not (loop or background)
        if alone and joints[number : number + 1] == ["&&"] and "||" not in joints[:number]:
            found[-1] = replace(found[-1], then=True)
        yield from found


def _is_sure(part: Any) -> bool:
    return not isinstance(part, _Leaf) or part.words[0] in _SURE or part.words[0] == "declaration"


def _pipe(
    pipe: list[Any], code: int | None, at: list[str], loop: bool, background: bool, hidden: bool, fails: bool
) -> Iterator[ShellCommand]:
    stages = _split(pipe, ("|",))
    for number, (stage, _) in enumerate(stages):
        last = number == len(stages) - 1
        told = code if last or (fails and code == 0) else None
        for part in stage:
            straight = part is stage[0]
            own = told if straight and not part.negated else None
            covered = hidden or not (last or fails)
            if isinstance(part, _Group):
                inner = _coded(part.parts, own if part.straight else None, at[0], loop or not part.straight)
                yield from (
                    replace(
                        one, background=one.background or background, hidden=one.hidden or covered or not part.straight
                    )
                    for one in inner
                )
                continue
            yield ShellCommand(tuple(part.words), own, at[0], tuple(part.writes), part.fed, covered, background, loop)
            if part.words[0] in ("cd", "pushd") and len(stages) == 1:
                at[0] = _moved(at[0], part.words[1:])


def _moved(folder: str, words: list[str]) -> str:
    target = next((word for word in words if not word.startswith("-")), "")
    return posixpath.normpath(posixpath.join(folder, target)) if target and "$" not in target else folder


def _unfolded(found: Iterable[ShellCommand], depth: int) -> Iterator[ShellCommand]:
    """`bash -c "x"` is x."""
    for command in found:
        inner = _given_to_shell(command.words)
        if inner is None or depth >= MAX_NESTING:
            yield command
            continue
        for one in _unfolded(_coded(_parsed(inner[:MAX_LINE]), command.code, command.folder, command.loop), depth + 1):
            yield replace(one, hidden=one.hidden or command.hidden, background=one.background or command.background)


def _given_to_shell(words: tuple[str, ...]) -> str | None:
    if posixpath.basename(words[0]) not in _SHELLS:
        return None
    at = next((n for n, word in enumerate(words) if n and re.fullmatch(r"-[a-z]*c", word)), None)
    return words[at + 1] if at is not None and at + 1 < len(words) else None
