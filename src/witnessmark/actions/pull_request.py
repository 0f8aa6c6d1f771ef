"""A pull request as a trace: what its diff changes and what its CI run printed, so that its text can be held against both.

The diff is git's own between the base and the head; each hunk is an edit. Nothing is run but git.
"""

from __future__ import annotations

import re
from pathlib import Path

from witnessmark.actions.trace.calls import ToolCall, Trace
from witnessmark.actions.trace.test_runners import all_counts
from witnessmark.actions.tree import git
from witnessmark.core.errors import InputError
from witnessmark.text.patterns import compiled

MAX_DIFF = 64_000_000
_OPTIONS = (
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--submodule=short",
    "--find-renames",
    "--src-prefix=a/",
    "--dst-prefix=b/",
)
"""How the diff is written, whatever the settings of whoever runs this."""
_FILE = compiled(r"^diff --git ", re.MULTILINE)
_PREFIX = compiled(
    r"^(?:[^\t\n]*\t[^\t\n]*\t)?\ufeff?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?(?: \d\d[OE][+ ]?)?(?: |$)",
    re.MULTILINE,
)
"""What a service puts before each line of a log: the time, and before it the job and the step where several logs are one."""
_HUNK = compiled(r"^@@ [^\n]*\n", re.MULTILINE)


def trace_of_pull_request(
    root: Path, base: str, head: str = "HEAD", ci_log: str | None = None, ci_passed: bool | None = None
) -> Trace:
    """The changes between base and head as calls, and the CI run as the last one.

    Raises InputError where git cannot tell the difference.
    """
    calls = [*_changes(_diff(root, base, head)), *_ci(ci_log or "", ci_passed)]
    return Trace("pull-request", tuple(calls), whole=True, turns=1)


def _ci(log: str, passed: bool | None) -> list[ToolCall]:
    """The CI run, whose end may be unknown: all of it as one check, and its tests, which failed with it unless the log shows every one of them pass."""
    log = _PREFIX.sub("", log)
    counts = list(all_counts(log))
    green = bool(counts) and not any(count.bad for count in counts)
    tests = True if passed is False and green else passed
    runs = (("ci", "make ci", passed), ("ci-tests", "make test", tests))
    return [
        ToolCall(name, "bash", {"command": command}, log, None if ok is None else 0 if ok else 1, ok, turn=1)
        for name, command, ok in runs
    ]


def _diff(root: Path, base: str, head: str) -> str:
    if base.startswith("-") or head.startswith("-"):
        raise InputError("--base and --head name commits or branches")
    here = git.run(root, "rev-parse", "--git-dir")
    if here is not None and here.returncode:
        raise InputError(f"--root: {root} is not a git repository")
    done = git.run(root, "-c", "core.quotePath=false", "diff", *_OPTIONS, f"{base}...{head}", timeout_s=60)
    if done is None:
        raise InputError("git could not produce the diff: there is no git, or it took longer than a minute")
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0][:300]
        for option, ref in (("--base", base), ("--head", head)):
            known = git.run(root, "rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
            if known is not None and known.returncode:
                raise InputError(f"{option} {ref}: git knows no such branch or commit; fetch it, or check the name")
        raise InputError(f"--base {base}, --head {head}: git cannot compare them ({said})")
    return done.stdout[:MAX_DIFF].decode("utf-8", "replace")


def _changes(diff: str) -> list[ToolCall]:
    calls: list[ToolCall] = []
    starts = [match.start() for match in _FILE.finditer(diff)]
    for number, start in enumerate(starts):
        part = diff[start : starts[number + 1] if number + 1 < len(starts) else len(diff)]
        calls += _file(part, len(calls))
    return calls


def _file(part: str, count: int) -> list[ToolCall]:
    head = part.partition("\n@@")[0]
    old, new = _name(head, "--- a/", "rename from "), _name(head, "+++ b/", "rename to ")
    if "\ndeleted file mode" in head:
        return [_call(count, "delete_file", {"path": old or _git_name(head)})]
    path = new or old or _git_name(head)
    hunks = _HUNK.split(part)[1:]
    if "\nnew file mode" in head:
        text = "".join(line[1:] + "\n" for hunk in hunks for line in hunk.splitlines() if line.startswith("+"))
        return [_call(count, "write_file", {"path": path, "content": text})]
    calls = []
    if "\nrename from" in head:
        calls.append(
            _call(count, "rename_file", {"path": _name(head, "rename from "), "to": _name(head, "rename to ")})
        )
    for hunk in hunks:
        lines = hunk.splitlines()
        before = "\n".join(line[1:] for line in lines if line[:1] in (" ", "-"))
        after = "\n".join(line[1:] for line in lines if line[:1] in (" ", "+"))
        calls.append(_call(count + len(calls), "edit_file", {"path": path, "old_string": before, "new_string": after}))
    return calls or [_call(count, "edit_file", {"path": path})]  # other bytes or other rights, which no hunk shows


def _name(head: str, *marks: str) -> str:
    for mark in marks:
        found = re.search(rf"^{re.escape(mark)}(.+?)\t?$", head, re.MULTILINE)
        if found:
            return found.group(1)
    return ""


def _git_name(head: str) -> str:
    found = re.match(r"diff --git a/(.+) b/\1$", head.partition("\n")[0])
    return found.group(1) if found else ""


def _call(number: int, name: str, given: dict[str, str]) -> ToolCall:
    return ToolCall(f"diff-{number + 1}", name, given, "", None, True, turn=1)
