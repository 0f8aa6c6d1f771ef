"""What the hook answers to a stop: nothing, a note, or a block that has not been said before.

Reads the payload and the transcript, takes the last message as the report, and holds its claims against the world by the same
rules as every verification. Any fault is raised; the command turns it into a note that lets the agent through.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from witnessmark.actions.claim import ActionClaim, Ruling
from witnessmark.actions.claims import collect
from witnessmark.actions.claims.observations import FAILED_RUN
from witnessmark.actions.session_claims.quoted_documents import report_of
from witnessmark.actions.session_claims.roles import CHANGED
from witnessmark.actions.trace.reader import TraceReading, read_trace
from witnessmark.actions.tree import capture, snapshot
from witnessmark.actions.tree.regular_files import read_regular
from witnessmark.actions.tree.view import TreeState
from witnessmark.core.errors import InputError
from witnessmark.integrations.hook.agents import STARTS, STOPS, HookReply, read_fields
from witnessmark.integrations.hook.last_message import last_message
from witnessmark.integrations.hook.memory import HookMemory

if TYPE_CHECKING:
    from witnessmark.actions.claims.omissions import Danger
    from witnessmark.core.verdict import Finding

MAX_TRANSCRIPT = 256_000_000
MAX_LISTED = 20
LONGEST_LINE = 400


class Payload(msgspec.Struct, frozen=True):
    """What Claude Code sends to a Stop hook; fields it may add later are not among ours."""

    session_id: str
    transcript_path: str = ""
    cwd: str = ""
    hook_event_name: str = "Stop"
    stop_hook_active: bool = False
    last_assistant_message: str | None = None
    agent_id: str | None = None
    agent_transcript_path: str | None = None


@dataclass(frozen=True, slots=True)
class FalseStatement:
    """A statement of the report that was looked at and is not so."""

    claim: ActionClaim
    ruling: Ruling

    def finding(self) -> Finding:
        """What is wrong with it, in its own words, and what to do."""
        from witnessmark.actions.claims.findings import finding

        return finding(self.claim, self.ruling)

    def identity(self) -> list[Any]:
        """What it is known by, so that it is said once."""
        claim = self.claim
        return [claim.kind, claim.path, claim.to, claim.command, claim.passed, claim.failed, claim.role, claim.value]


@dataclass(frozen=True, slots=True)
class Omission:
    """Something that was done and that the report must not leave out; a secret, whether it is told or not."""

    danger: Danger

    def finding(self) -> Finding:
        """What was done where, and what to do."""
        from witnessmark.actions.claims.findings import left_out

        return left_out(self.danger)

    def identity(self) -> list[Any]:
        """What it is known by, so that it is said once."""
        return ["unsaid", self.danger.kind, self.danger.path]


Fault = FalseStatement | Omission


def reply_to(
    given: bytes,
    memory: HookMemory,
    max_blocks: int,
    before: str | None = None,
    project: str = "",
    *,
    roots: Sequence[str] | None = None,
    most: int = MAX_TRANSCRIPT,
    probes: str | None = None,
) -> HookReply:
    """What to say to a stop: nothing, a note, or a block that has not been said before.

    `before` is a snapshot's file; `project` is the folder that was opened, while the payload's is where the last command ran.
    Where `roots` are given, nothing outside of them is read; `most` bytes of a transcript are. `probes` is a settings file whose
    probes are asked about effects elsewhere.
    """
    payload = _payload(given)
    if payload.hook_event_name in STARTS:
        return _started(payload, memory, project, roots)
    if payload.hook_event_name not in STOPS:
        raise InputError(
            f"hook_event_name: {payload.hook_event_name!r} is neither a stop nor the start of a session; see witnessmark hook claude-code --print-settings"
        )
    if probes is not None and not Path(probes).is_file():
        raise InputError(f"--probes {probes}: there is no such file")
    before = before or memory.snapshot_of(payload.session_id)
    wrong = untrue(payload, before, project, roots=roots, most=most, probes=probes)
    if not wrong:
        return HookReply()
    if payload.stop_hook_active:
        return _let_through(wrong, "it was asked to continue already")
    told = memory.claim_block(payload.session_id, [one.identity() for one in wrong], max_blocks)
    if told != "block":
        return _let_through(
            wrong, "this was reported before" if told == "said" else f"{max_blocks} blocks in one session are enough"
        )
    return HookReply({"decision": "block", "reason": complaint(wrong)})


def _started(payload: Payload, memory: HookMemory, project: str, roots: Sequence[str] | None) -> HookReply:
    """A session begins: how the tree is now is kept, so that the stop can be held against it."""
    _below("cwd", payload.cwd or str(Path.cwd()), roots)
    memory.keep_snapshot(payload.session_id, capture.take(_root(payload.cwd, project), texts=True).write())
    return HookReply(begins=True)


def _let_through(wrong: Sequence[Fault], why: str) -> HookReply:
    warning = f"{_counted(wrong, 'the statements of this report')} ({why}, so the agent was let through): " + "; ".join(
        _line(one) for one in wrong[:3]
    )
    return HookReply({"systemMessage": f"Witnessmark: {warning}"}, warning)


def _payload(given: bytes) -> Payload:
    try:
        fields = msgspec.json.decode(given)
        return msgspec.convert(read_fields(fields) if isinstance(fields, dict) else fields, Payload)
    except (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as exc:
        raise InputError(f"this is not a hook payload: {exc}") from None


def untrue(
    payload: Payload,
    before: str | None = None,
    project: str = "",
    *,
    roots: Sequence[str] | None = None,
    most: int = MAX_TRANSCRIPT,
    probes: str | None = None,
) -> list[Fault]:
    """What the last message says that the transcript and the tree under the working folder show not to be so, and what it leaves out.

    A path outside of that folder is not looked at, and so not held against anybody.
    """
    data = _transcript(payload.agent_transcript_path or payload.transcript_path, roots, most)
    _below("cwd", payload.cwd or str(Path.cwd()), roots)
    read = read_trace(data, "session") if data is not None else None
    message = payload.last_assistant_message
    if read is not None and read.unreadable:
        _readable(read, data or b"", to_its_end=message is None)
    if message is None:
        message = last_message(data) if data is not None else ""
    world = TreeState(root=_root(payload.cwd, project), before=snapshot.load(before) if before else None, shared=True)
    known = collect.trace_index(read.trace if read is not None else None)
    report = report_of(message, known)
    claims = collect.where_meant([*collect.in_words(report), *collect.by_trace(report, known)], world, known)
    if probes is not None and any(claim.kind == "effect" for claim in claims):
        from witnessmark.actions.tree.probes import probes_in  # few reports tell of effects

        world = replace(world, probes=probes_in(probes))
    rulings = collect.hold_all(claims, world, known, "there is no transcript", report)
    wrong: list[Fault] = [
        FalseStatement(claim, ruling)
        for claim, ruling in zip(collect.as_written(claims, report), rulings, strict=True)
        if ruling.wrong and ruling.category != "outside_root"
    ]
    wrong = list({_told(one): one for one in reversed(_once_a_sentence(wrong))}.values())[::-1]
    return [*wrong, *sorted(map(Omission, collect.left_out(world, known, report.text)), key=_heading)]


SECOND_LOOKS = frozenset({CHANGED, FAILED_RUN})
"""Roles of claims that look at a sentence by the whole session, where another claim may have settled it by its own file or command."""


def _once_a_sentence(wrong: Sequence[Fault]) -> list[Fault]:
    """The faults without second looks at sentences of which another fault tells already."""
    first = {one.claim.text for one in wrong if isinstance(one, FalseStatement) and one.claim.role not in SECOND_LOOKS}
    return [
        one
        for one in wrong
        if not isinstance(one, FalseStatement) or one.claim.role not in SECOND_LOOKS or one.claim.text not in first
    ]


def _readable(read: TraceReading, data: bytes, *, to_its_end: bool) -> None:
    """InputError where nothing of a transcript could be read, or its last line could not, in which the report may stand."""
    lines = [one.where for one in read.unreadable if one.why.startswith("not JSON")]
    last = len(data.rstrip().split(b"\n"))
    if len(lines) == last or (to_its_end and f"line {last}" in lines):
        raise InputError(f"transcript_path: {lines[-1]} cannot be read: it is not JSON")


def _root(cwd: str, project: str) -> str:
    """The project's folder, from which reports name their files, unless the agent works somewhere else."""
    here = cwd or str(Path.cwd())
    return project if project and Path(here).resolve().is_relative_to(Path(project).resolve()) else here


def _transcript(path: str, roots: Sequence[str] | None, most: int) -> bytes | None:
    """The transcript; only a regular file is read, and no more of it than `most`, whatever its size says."""
    if not path:
        return None
    file = _below("transcript_path", str(Path(path).expanduser()), roots)
    return read_regular(file, most, "transcript_path")


def _below(field: str, path: str, roots: Sequence[str] | None) -> Path:
    """The path with its links resolved; InputError where it lies outside of all roots."""
    resolved = Path(path).resolve()
    if roots is not None and not any(resolved.is_relative_to(Path(root).expanduser().resolve()) for root in roots):
        raise InputError(f"{field}: is outside the folders that may be read; add its folder to service.hook_roots")
    return resolved


# --- words -------------------------------------------------------------------------------------------------------


_UNMENTIONED, _SECRETS = "Not mentioned in the report:", "Secrets written into files:"


def complaint(wrong: Sequence[Fault]) -> str:
    """What the agent is told: each untrue statement, what is there instead, what was left out, and what to do."""
    lines, under = [], ""
    for number, one in enumerate(wrong[:MAX_LISTED], 1):
        if (heading := _heading(one)) != under:
            lines.append(heading)
            under = heading
        lines.append(f"{number}. {_told(one)}")
    if len(wrong) > MAX_LISTED:
        lines.append(f"… and {len(wrong) - MAX_LISTED} more.")
    return "\n".join(
        [
            f"Witnessmark checked your report against the transcript and the files: {_counted(wrong, 'its statements')}.",
            *lines,
            "Do what is missing, or correct the report. You will not be stopped again for the same thing.",
        ]
    )


def _heading(one: Fault) -> str:
    """What stands above faults of this kind; untrue statements come first and need none."""
    if isinstance(one, FalseStatement):
        return ""
    return _SECRETS if one.danger.kind == "secret" else _UNMENTIONED


def _counted(wrong: Sequence[Fault], statements: str) -> str:
    """How many statements of a report are not true, how many changes it leaves out, and how many secrets were written."""
    under = [_heading(one) for one in wrong]
    untrue, unsaid, secrets = (under.count(heading) for heading in ("", _UNMENTIONED, _SECRETS))
    told = (
        (untrue, f"{untrue} of {statements} {_is(untrue)} not true"),
        (unsaid, f"{unsaid} change{'' if unsaid == 1 else 's'} {_is(unsaid)} not mentioned"),
        (secrets, f"{secrets} secret{'' if secrets == 1 else 's'} {'was' if secrets == 1 else 'were'} written"),
    )
    return ", ".join(words for count, words in told if count)


def _is(count: int) -> str:
    return "is" if count == 1 else "are"


def _told(one: Fault) -> str:
    """What is wrong, its words with the wrong ones marked, and what to do: a line for each."""
    from witnessmark.core.wrong_words import lines

    return "\n   ".join(line[:LONGEST_LINE] for line in lines(one.finding()))


def _line(one: Fault) -> str:
    from witnessmark.core.wrong_words import sentence

    return sentence(one.finding())[:LONGEST_LINE]
