"""The tree and the trace that options of a command describe, and the report that is held against them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Annotated

import msgspec
import typer

from witnessmark.actions.trace.reader import read_trace
from witnessmark.actions.tree.regular_files import read_named
from witnessmark.actions.tree.view import TreeState
from witnessmark.cli import options as opt
from witnessmark.cli.files import CaseFile, FileProblem
from witnessmark.core.case import AgentOutput, Case
from witnessmark.core.errors import InputError
from witnessmark.core.values import parse
from witnessmark.core.wrong_words import harmless

RootOption = Annotated[
    str | None, typer.Option("--root", metavar="DIR", help="The tree that claims about files are checked against.")
]
BeforeOption = Annotated[
    str | None,
    typer.Option("--before", metavar="SNAPSHOT", help="How the tree was before; `witnessmark snapshot` takes it."),
]
AfterOption = Annotated[
    str | None, typer.Option("--after", metavar="SNAPSHOT", help="How the tree was after, in place of --root.")
]
TraceOption = Annotated[
    str | None,
    typer.Option(
        "--trace", metavar="FILE", help="The agent's transcript or trace, which claims about runs are checked against."
    ),
]
ReportOption = Annotated[
    list[str] | None,
    typer.Option("--report", metavar="FILE", help="The agent's report in plain words; - is standard input."),
]
MAX_REPORT = 256 << 20
_OUTPUT_FIELDS = frozenset({"summary", "traceRef", "claims", "artifacts", "data", "confidence", "tools_used"})


def with_trace(world: TreeState | None, trace: str | None) -> TreeState | None:
    """The world with the trace of a file, read in whichever form it has; a trace of which nothing can be read is bad input."""
    if trace is None:
        return world
    read = read_trace(read_named(trace, MAX_REPORT), "trace")
    if read.unreadable and not read.trace.calls:
        raise InputError(f"{trace}: {read.unreadable[0].where}: {read.unreadable[0].why}")
    if read.unreadable:
        first, more = read.unreadable[0], len(read.unreadable) - 1
        rest = f", and {more:,} more" if more else ""
        said = (
            f"witnessmark: {trace}: {first.where} cannot be read{rest} ({first.why}); what was done there is not known"
        )
        typer.echo(harmless(said), err=True)
    return replace(world or TreeState(), traces={"trace": read.trace})


def on_trace(given: Iterable[CaseFile | FileProblem]) -> Iterator[CaseFile | FileProblem]:
    """The cases, whose reports rest on the trace of the option whatever they call it; one that brings its own trace keeps it."""
    for one in given:
        if isinstance(one, CaseFile) and isinstance(one.case.subject, AgentOutput):
            output, brings = one.case.subject, any(source.kind == "trace" for source in one.case.evidence)
            if (output.claims or output.trace_ref) and not brings:
                named = msgspec.structs.replace(output, trace_ref="trace:trace")
                yield replace(one, case=msgspec.structs.replace(one.case, subject=named))
                continue
        yield one


def report_case(file: str) -> CaseFile:
    """The case of a report in plain words, or of one in JSON."""
    data = sys.stdin.buffer.read(MAX_REPORT) if file == "-" else read_named(file, MAX_REPORT)
    if data.lstrip()[:1] == b"{":
        with opt.naming(file):
            return CaseFile(file, as_case(data))
    text = data.decode("utf-8", "replace")
    return CaseFile(file, Case(subject=AgentOutput(summary=text), checkpoint="actions"))


def as_case(data: bytes) -> Case:
    """A case, or an agent's report alone, which is a case of nothing else."""
    try:
        found = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Case.from_json(data)
    if isinstance(found, dict) and "subject" not in found and _OUTPUT_FIELDS & found.keys():
        return Case(
            subject=parse(msgspec.json.encode({"kind": "agent_output"} | found), AgentOutput), checkpoint="actions"
        )
    return Case.from_json(data)
