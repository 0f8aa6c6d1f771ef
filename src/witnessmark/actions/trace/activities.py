"""What a command is for: it runs tests, lints, builds, formats, commits, changes files, or only looks. The table is `tools.toml`.

A program that is not in the table is unknown, and so is what it did. Knows nothing about outputs and exit codes.
"""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from witnessmark.actions.trace.options import (
    DATA,
    arguments,
    behind_options,
    leading_options,
    subcommand_at,
    subcommand_first,
)
from witnessmark.text.patterns import compiled, table_in

_PREFIXES: Mapping[str, int] = {
    "time": 0, "nice": 0, "nohup": 0, "sudo": 0, "doas": 0, "command": 0, "exec": 0, "stdbuf": 0, "ionice": 0, "setsid": 0, "caffeinate": 0,
    "builtin": 0, "unbuffer": 0, "env": 0, "timeout": 1, "gtimeout": 1, "xvfb-run": 0, "npx": 0, "bunx": 0, "pnpx": 0, "xargs": 0, "rtk": 0,
    "watch": 0, "arch": 0, "winpty": 0, "flock": 1, "retry": 0, "chronic": 0, "dotenv": 0,
}  # fmt: skip
"""Programs that run another one: how many words of their own stand before it, options apart."""
_RUNS_IN = {
    ("uv", "run"), ("poetry", "run"), ("pipenv", "run"), ("rye", "run"), ("pixi", "run"), ("conda", "run"), ("bundle", "exec"), ("pnpm", "exec"), ("pnpm", "dlx"),
    ("yarn", "exec"), ("yarn", "dlx"), ("npm", "exec"), ("mise", "exec"), ("mise", "x"), ("hatch", "run"), ("pdm", "run"), ("doppler", "run"), ("op", "run"),
    ("docker", "exec"), ("docker", "run"), ("docker-compose", "exec"), ("docker-compose", "run"), ("bun", "x"), ("coverage", "run"), ("direnv", "exec"),
}  # fmt: skip
_PYTHON = compiled(r"(?:python|pypy)[\d.]*w?")
_SCRIPTS = compiled(r"\.(?:sh|bash|zsh|py|js|mjs|cjs|ts|rb|pl|php|ps1|bat|cmd|exe)$")
_WORDS_IN = compiled(r"[_.-]+|(?<=[a-z])(?=[A-Z])")
_ASSIGNED = compiled(r"\w+=.*", re.DOTALL)
_READS_GIT = compiled(r"--(?:dry-run|list|abort-not)\b")


@dataclass(frozen=True, slots=True)
class Activity:
    """What a command is for. `roles` is empty where nobody here knows the program."""

    program: str
    words: tuple[str, ...]
    roles: frozenset[str]
    target: str = ""
    """The task that a task runner was told to run."""
    sure: bool = True
    """Whether the roles are certain; a task called `check` may be anything."""


@functools.cache
def _table() -> dict[str, Any]:
    data = table_in(DATA)
    programs = {name: role for role, names in data["programs"].items() for name in names.split()}
    parts = {name: role for role, names in data["names"].items() for name in names.split()}
    git = {name: role for role, names in data["git"].items() for name in names.split()}
    lists = {name: frozenset(words.split()) for name, words in data["lists"].items()}
    calls = {name: source.replace("\n", "") for name, source in data["calls"].items()}
    return {"programs": programs, "words": data["words"], "parts": parts, "git": git, "lists": lists, "calls": calls}


def programs_of(role: str) -> list[str]:
    """The programs that are known for one role."""
    return [name for name, known in _table()["programs"].items() if known == role]


def listed(name: str) -> frozenset[str]:
    """The programs, or words of commands, of one list of the data."""
    found: frozenset[str] = _table()["lists"].get(name, frozenset())
    return found


@functools.cache
def called(name: str) -> re.Pattern[str]:
    """A pattern of command lines of the data; one that never matches where they have none of that name."""
    return compiled(_table()["calls"].get(name, r"(?!)"))


@functools.lru_cache(maxsize=4096)
def activity_of(words: tuple[str, ...]) -> Activity:
    """What a command is for, behind whatever runs it: `timeout 60 poetry run python -m pytest -q` is pytest."""
    bare = unwrapped(words)
    if not bare:
        return Activity("", (), frozenset({"read"}))
    program = posixpath.basename(bare[0]).removesuffix(".exe").removesuffix(".cmd")
    if program == "git":
        return _git(bare)
    if program == "sed":
        edits = any(word.startswith("-i") or word == "--in-place" for word in bare)
        return Activity(program, bare, frozenset({"write" if edits else "read"}))
    if program in ("rm", "unlink", "rmdir", "trash", "mv", "mkdir", "chmod", "chown"):
        return Activity(program, bare, frozenset({"write"}))
    table = _table()
    if program in table["words"]:
        return _without_run(_by_words(program, bare, table["words"][program]))
    if program in table["programs"]:
        return _without_run(Activity(program, bare, _format_checked(frozenset({table["programs"][program]}), bare)))
    return _script(program, bare)


def _without_run(activity: Activity) -> Activity:
    """A test runner that is only told to list its tests, or to build them, runs none."""
    if "test" not in activity.roles or listed("runs_none").isdisjoint(activity.words):
        return activity
    return replace(activity, roles=(activity.roles - {"test"}) | {"build"})


@functools.lru_cache(maxsize=4096)
def unwrapped(words: tuple[str, ...]) -> tuple[str, ...]:
    """A command without what only runs it: assignments, `env`, `timeout 60`, `poetry run`, `npx`, `python -m`."""
    rest = words
    for _ in range(8):
        while rest and _ASSIGNED.fullmatch(rest[0]):
            rest = rest[1:]
        if not rest:
            return ()
        name, own = posixpath.basename(rest[0]), rest[subcommand_at(rest) :]
        if name in _PREFIXES:
            rest = behind_options(name, rest[1:], _PREFIXES[name])
        elif (name, *own[:1]) == ("docker", "compose"):
            rest = ("docker-compose", *own[1:])
        elif (name, *own[:1]) in _RUNS_IN:
            rest = _inner(name, own[1:])
        elif _PYTHON.fullmatch(name) and (module := _module(rest[1:])):
            rest = module
        elif len(rest) > 1 and name in listed("interpreters") and (tool := called("installed_tool").fullmatch(rest[1])):
            rest = (tool[1] or tool[2], *rest[2:])
        else:
            return subcommand_first(rest)
    return rest


def _module(words: tuple[str, ...]) -> tuple[str, ...]:
    """The module that Python is told to run, with its words; empty where it is told something else."""
    run = any(option == "-m" for option, _ in leading_options("python", words))
    return words[words.index("-m") + 1 :] if run else ()


def _inner(name: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """The command that another runs, from the words behind its `run` or `exec`."""
    if name in ("docker", "docker-compose"):
        return behind_options("docker run", words, 1)
    inner = behind_options(name, words, 1 if name == "direnv" else 0)
    if name in ("hatch", "pdm", "pixi") and inner:
        script = inner[0].rpartition(":")[2]
        known = script in _table()["programs"] and script != "test"
        inner = (
            (script, *inner[1:])
            if known or "/" in script or _PYTHON.fullmatch(script)
            else ("task", script, *inner[1:])
        )
    return inner


def _git(bare: tuple[str, ...]) -> Activity:
    rest = behind_options("git", bare[1:])
    verb = rest[0] if rest else ""
    if any(_READS_GIT.fullmatch(word) for word in rest):
        return Activity("git", rest, frozenset({"git", "read"}), verb)
    kind = _table()["git"].get(verb, "read")
    changes = kind == "write" and not (verb == "stash" and rest[1:2] in (("list",), ("show",)))
    changes = changes and verb != "commit"
    return Activity("git", rest, frozenset({"git", "write" if changes else "read"}), verb)


def _format_checked(roles: frozenset[str], words: tuple[str, ...]) -> frozenset[str]:
    """A formatter that is only asked whether there is something to do is a linter."""
    asks = not listed("only_asks").isdisjoint(words[1:])
    return (roles - {"format"}) | {"lint"} if "format" in roles and asks else roles


def _by_words(program: str, bare: tuple[str, ...], known: Mapping[str, str]) -> Activity:
    rest = arguments(program, bare[1:], known)
    first = rest[0] if rest else ""
    role = known.get(first) or known.get("*", "")
    if role == "task":
        target = rest[1] if first in known and known[first] == "task" and len(rest) > 1 else first
        return _task(program, bare, rest, target)
    if role == "run":
        return _script(program, bare)
    if role == "session":
        return _session(program, bare)
    return Activity(program, bare, _format_checked(frozenset(role.split()), bare))


def _session(program: str, bare: tuple[str, ...]) -> Activity:
    """`nox -s lint`, `tox -e py311,types`: what the sessions are for by their names; tests where none is named."""
    asked = [word for option, word in pairwise(bare) if option in ("-s", "--session", "--sessions", "-e", "--env")]
    names = [name for word in asked for name in word.split(",")]
    roles = {role for name in names for role in _named(name.partition("-")[0] or name)[0] or {"test"}}
    return Activity(program, bare, frozenset(roles or {"test"}), " ".join(names))


def _task(program: str, bare: tuple[str, ...], rest: tuple[str, ...], target: str) -> Activity:
    left_out = {word for option, word in pairwise(bare) if option in ("-x", "--exclude-task")}
    names = [word for word in rest if not word.startswith(("-", "./", "/")) and word not in ("run", "run-script")]
    names = [word for word in names if word not in left_out]
    roles, sure = set[str](), True
    for name in names[:6] or [target]:
        found, certain = _named(name)
        roles |= found
        sure = sure and certain
    if "test" in left_out or not listed("skips_tests").isdisjoint(word.removesuffix("=true") for word in bare):
        roles -= {"test"}
    elif not listed(f"tests_in_{program.removesuffix('w')}").isdisjoint(names):
        roles |= {"test"}
    return Activity(program, bare, frozenset(roles), target, sure)


def _named(name: str) -> tuple[set[str], bool]:
    """What a task or script of this name is for."""
    table = _table()["parts"]
    pieces = [part for part in re.split(r"[\s:/@]+", name) if part]
    split = [
        [part] if part.lower() in table else _WORDS_IN.split(part) for part in pieces
    ]  # `type-check` is in it whole
    parts = [part for piece in split for part in piece if part]
    roles = {table[part.lower()] for part in parts if part.lower() in table}
    if "test" in roles and not listed("only_compiles").isdisjoint(part.lower() for part in parts):
        return {"build"}, True  # `test-compile`, `testClasses`: no test runs
    if "maybe" in roles:
        return {"test", "lint", "types", "build"} if roles == {"maybe"} else roles - {"maybe"}, roles != {"maybe"}
    if "format" in roles and "check" in parts:
        return {"lint"}, True
    return roles, True


_ONLY_PARSES = {"php": ("-l", "--syntax-check"), "node": ("--check", "-c"), "ruby": ("-c",), "bash": ("-n",), "sh": ("-n",), "zsh": ("-n",), "perl": ("-c",)}  # fmt: skip
"""Options by which a program only reads a script and says whether it can be parsed, whatever the script would run."""


def _script(program: str, bare: tuple[str, ...]) -> Activity:
    """A script of the project by its name: `./run_tests.sh`, `python scripts/check.py`, `node test/all.js`."""
    if any(word in _ONLY_PARSES.get(program, ()) for word in bare[1:2]):
        return Activity(program, bare, frozenset({"lint"}))
    runs = bool(_PYTHON.fullmatch(program)) or program in ("node", "ruby", "php", "perl", "bash", "sh", "zsh", "tsx", "ts-node", "go", "deno", "bun")  # fmt: skip
    rest = [word for word in arguments(program, bare[1:]) if word != "run"]
    inline = runs and any(word in ("-c", "-e", "-", "--eval", "-p") for word in bare[1:])
    name = (rest[0] if rest else "") if runs else bare[0]
    if inline or not name:
        return Activity(program, bare, frozenset())
    if runs and name == "manage.py":
        return Activity(program, bare, frozenset({"test"} if rest[1:2] == ["test"] else ()))
    if not runs and not _SCRIPTS.search(name) and (name.startswith("/") or "/" not in name):
        return Activity(program, bare, frozenset())
    roles, sure = _named(_SCRIPTS.sub("", posixpath.basename(name)))
    if not roles and runs and "/" in name:
        roles, sure = _named(name.split("/")[-2])
        roles &= {"test"}
    return Activity(program, bare, frozenset(roles), name, sure)
