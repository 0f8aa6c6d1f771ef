"""A report of completed work held against its trace and the world: which of its claims are not true, and which cannot be told.

The world is handed in as `look`, so this file opens nothing. Only what was looked at and found wrong counts as untrue; what
cannot be told is said, and never held against the reporter.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable

from msgspec.structs import replace

from trueline.values import Value
from trueline.verdict import ClaimStatus
from trueline.world.claims import ActionClaim
from trueline.world.runners import RunnerCounts
from trueline.world.trace import ToolCall, Trace
from trueline.world.trace_claims import claims_from, command_of, is_command, output_of, tests_of

Look = Callable[[ActionClaim], tuple[ClaimStatus, str]]
"""What the world says about a claim, and why."""


class Held(Value, frozen=True):
    """A claim and what came of it."""

    claim: ActionClaim
    status: ClaimStatus
    why: str


def hold(
    claims: Iterable[ActionClaim], trace: Trace | None, look: Look, root: str = "", *, whole: bool = True
) -> tuple[Held, ...]:
    """Each claim with its status: commands and tests by the trace, files by the world, and by the trace what the world cannot tell.

    `whole` says that the trace holds everything that was done; where it does not, nothing is held against the reporter for
    being absent from it.
    """
    record = _Record(trace, root, whole=whole)
    return tuple(_held(claim, record, look) for claim in _last_word(claims))


def _last_word(claims: Iterable[ActionClaim]) -> list[ActionClaim]:
    """A file created and later deleted in the same report is gone: only the later claim on a path is about the world now."""
    ordered = list(claims)
    gone = {_plain(c.path): n for n, c in enumerate(ordered) if c.kind == "file_delete"}
    return [c for n, c in enumerate(ordered) if not (c.kind in _PRESENT and gone.get(_plain(c.path), -1) > n)]


_PRESENT = ("file_create", "file_write", "file_edit", "code_insert")


def _held(claim: ActionClaim, record: _Record, look: Look) -> Held:
    if claim.kind == "command":
        return Held(claim, *record.command(claim))
    if claim.kind == "tests_passed":
        return Held(claim, *record.tests(claim))
    if claim.path is None:
        return Held(claim, "unverifiable", "the report names no file")
    status, why = look(claim)
    if status == "contradicted" and claim.kind != "file_delete":
        status, why, claim = record.elsewhere(claim, look, status, why)
    if status == "supported" and claim.kind in _PRESENT:
        status, why = record.change(claim, status, why)
    return Held(claim, status, why)


class _Record:
    """What the trace says, made easy to ask."""

    def __init__(self, trace: Trace | None, root: str, *, whole: bool) -> None:
        self.trace = trace
        calls = trace.calls if trace is not None else ()
        self.commands = [(_squeezed(command_of(call)), call) for call in calls if is_command(call)]
        self.runs = [(call, found) for call in calls if (found := tests_of(call)) is not None]
        derived = claims_from(trace, root) if trace is not None else None
        self.touched = {
            _plain(path) for claim in (derived.claims if derived else ()) for path in (claim.path, claim.to) if path
        }
        self.opaque = bool(self.commands) or bool(derived and derived.unclear)
        delegated = any(call.name.lower() in ("task", "agent") for call in calls)
        self.whole = whole and not delegated

    def command(self, claim: ActionClaim) -> tuple[ClaimStatus, str]:
        """In the trace, with the exit code where the report names one."""
        if self.trace is None:
            return "unverifiable", "there is no trace to look it up in"
        wanted = _squeezed(claim.command or "")
        found = [
            call
            for command, call in self.commands
            if wanted and (wanted in command or (command in wanted and len(command) > 3))
        ]
        if not found:
            return self._similar(wanted)
        last = found[-1]
        if claim.exit_code is not None and last.exit_code is not None and last.exit_code != claim.exit_code:
            return "contradicted", f"the trace has exit code {last.exit_code}, the report says {claim.exit_code}"
        return "supported", "it is in the trace"

    def _similar(self, wanted: str) -> tuple[ClaimStatus, str]:
        """A command told in other words than it was typed is not held against the reporter."""
        words = [word for word in re.split(r"[\s/]+", wanted) if word and word[0].isalnum()]
        said = [set(re.split(r"[\s/;&|()'\"]+", command)) for command, _ in self.commands]
        if words and any(set(words) <= known for known in said):
            return "supported", "it is in the trace, in other words"
        if words and any(words[0] in known for known in said):
            return "unverifiable", "the trace has another command of the same tool"
        return self.absent("no such command is in the trace")

    def absent(self, why: str) -> tuple[ClaimStatus, str]:
        """Not in the trace: untrue where the trace is whole."""
        return (
            ("unsupported", why)
            if self.whole
            else ("unverifiable", f"{why}, which does not hold everything that was done")
        )

    def elsewhere(
        self, claim: ActionClaim, look: Look, status: ClaimStatus, why: str
    ) -> tuple[ClaimStatus, str, ActionClaim]:
        """A file told by the end of its path: the one that the trace touched, if there is one."""
        ends = f"/{_plain(claim.to or claim.path)}"
        named = [path for path in self.touched if f"/{path}".endswith(ends)]
        if len(named) == 1 and claim.kind != "file_rename":
            found = replace(claim, path=named[0])
            return *look(found), found
        if claim.kind in ("file_edit", "file_rename") and "/" not in _plain(claim.to or claim.path):
            return "unverifiable", f"{why} here, and its folder is not named", claim
        return status, why, claim

    def tests(self, claim: ActionClaim) -> tuple[ClaimStatus, str]:
        """A run in the trace with these counts; where none is given, the last run of each command must have gone well."""
        if self.trace is None:
            return "unverifiable", "there is no trace to look it up in"
        if not self.runs:
            return self._uncounted()
        fits = [found for _, found in self.runs if _fits(claim, found)]
        if fits and (claim.passed is not None or self._last_good()):
            return "supported", "a run in the trace printed this"
        call, found = self.runs[-1]
        if not self.whole:
            return "unverifiable", "the trace does not hold everything that was done"
        if claim.passed is not None and not claim.failed and self._last_good() and self._printed(claim.passed):
            return "supported", "runs in the trace printed this together"
        if claim.passed is None and self._last_good():
            return "supported", "the last run in the trace went well"
        return "contradicted", f"the last run in the trace printed {_told(found)}{_with_code(call)}"

    def _printed(self, passed: int) -> bool:
        """Whether the last runs of several commands add up to this, or one of several summaries in one output is it."""
        last = {_squeezed(command_of(call)): found.passed or 0 for call, found in self.runs}
        told = re.compile(rf"\b{passed} (?:tests? )?pass")
        return sum(last.values()) == passed or any(told.search(output_of(call)) for call, _ in self.runs)

    def _last_good(self) -> bool:
        call, found = self.runs[-1]
        return found.bad == 0 and call.exit_code in (0, None) and call.ok is not False

    def _uncounted(self) -> tuple[ClaimStatus, str]:
        """No counts were printed: then the exit code of a test command decides."""
        tested = [
            call
            for command, call in self.commands
            if re.search(
                r"\b(?:py)?tests?\b|\bjest\b|\bvitest\b|\brspec\b|\bspec\b|\bcheck\b|\bverify\b|\btox\b|\bnox\b|\bctest\b|\bphpunit\b",
                command,
            )
        ]
        if not tested:
            return self.absent("no test run is in the trace")
        if tested[-1].exit_code is None and tested[-1].ok is None:
            return "unverifiable", "the test run in the trace has neither counts nor an exit code"
        if tested[-1].exit_code not in (0, None) or tested[-1].ok is False:
            return "contradicted", f"the last test run in the trace failed{_with_code(tested[-1])}"
        return "supported", "the test run in the trace exited with 0"

    def change(self, claim: ActionClaim, status: ClaimStatus, why: str) -> tuple[ClaimStatus, str]:
        """The file is there; whether it was changed, only the trace can say, and only where no command could have done it."""
        if self.trace is None or not self.trace.calls:
            return "unverifiable", f"{why}; there is no trace that says whether it was changed"
        if _plain(claim.path) in self.touched:
            return status, f"{why}, and the trace has the call"
        if self.opaque:
            return "unverifiable", f"{why}; no call in the trace names it, but a command may have changed it"
        return self.absent(f"{why}, but no call in the trace changed it")


def _fits(claim: ActionClaim, found: RunnerCounts) -> bool:
    passed = claim.passed is None or found.passed is None or claim.passed == found.passed
    return passed and (
        found.bad == 0
        if claim.failed is None
        else claim.failed == found.bad or (found.failed is not None and claim.failed == found.failed)
    )


def _told(found: RunnerCounts) -> str:
    parts = [
        (found.passed, "passed"),
        (found.failed, "failed"),
        (found.errors or None, "errors"),
        (found.skipped or None, "skipped"),
    ]
    return ", ".join(f"{number} {word}" for number, word in parts if number is not None) or "no counts"


def _with_code(call: ToolCall) -> str:
    return "" if call.exit_code is None else f" and exited with {call.exit_code}"


def _squeezed(command: str) -> str:
    return " ".join(command.split())


def _plain(path: str | None) -> str:
    return posixpath.normpath((path or "").replace("\\", "/")).rstrip("/")


def untrue(held: Iterable[Held]) -> tuple[Held, ...]:
    """The claims that were looked at and are not true."""
    return tuple(one for one in held if one.status in ("unsupported", "contradicted"))
