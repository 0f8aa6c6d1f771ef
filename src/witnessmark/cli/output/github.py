"""Verdicts where GitHub shows them: a Markdown table for a step's summary, and annotations made from SARIF.

Judged text is hostile: in Markdown every mark in it is escaped, in a workflow command what would end it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec

from witnessmark.cli import exits
from witnessmark.cli import options as opt
from witnessmark.cli.output.reports import Problems, Verdicts
from witnessmark.cli.output.screen import number
from witnessmark.core.explain import clipped
from witnessmark.core.record import Record
from witnessmark.core.wrong_words import harmless, lines

MOST_ROWS = 500
MOST_TOLD = 20
LONGEST = 300
_WORST_FIRST = ("fail", "unverified", "partial", "pass")
_MARKS = re.compile(r"([!-/:-@\[-`{-~])")
_OPEN, _CLOSE = "⟦", "⟧"
"""Stand around wrong words until all of theirs that Markdown could read is escaped."""
_LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def append(file: str, content: bytes) -> None:
    """Add to a file, as several steps of a job write to one summary."""
    with opt.writable(file, "the summary "), Path(file).open("ab") as out:
        out.write(content)


# --- the summary -----------------------------------------------------------------------------------------------------


def summary(verdicts: Verdicts, problems: Problems) -> bytes:
    """A heading that counts, a table with the worst first, and what was found in the worst cases."""
    counts = {o: sum(r.outcome == o for _, r in verdicts) for o in exits.OF_OUTCOME}
    said = [f"{count} {outcome}" for outcome, count in counts.items() if count]
    said += [f"{len(problems)} unreadable"] if problems else []
    ordered = sorted(verdicts, key=lambda row: _WORST_FIRST.index(row[1].outcome))
    lines = [f"### Witnessmark: {' · '.join(said) or 'no cases'}", ""]
    lines += [*_table(ordered), ""] if ordered else []
    lines += [f"- **unreadable** {_safe(p.where)}: {_safe(p.message)}" for p in problems[:MOST_TOLD]]
    for where, record in ordered[:MOST_TOLD]:
        lines += _details(where, record) if record.outcome != "pass" and record.findings else []
    return ("\n".join(lines).rstrip() + "\n\n").encode()


def _table(rows: Sequence[tuple[str, Record]]) -> Iterator[str]:
    yield "| case | checkpoint | outcome | action | score | coverage | reason |"
    yield "|---|---|---|---|---:|---:|---|"
    for where, record in rows[:MOST_ROWS]:
        cells = (
            _safe(_name(where, record)), record.checkpoint, f"**{record.outcome}**", record.action, number(record.score),
            number(record.coverage), _safe(record.headline),
        )  # fmt: skip
        yield f"| {' | '.join(cells)} |"
    if len(rows) > MOST_ROWS:
        yield f"\n… and {len(rows) - MOST_ROWS} more"


def _details(where: str, record: Record) -> Iterator[str]:
    yield f"\n**{_safe(_name(where, record))}** (record {record.id[:12]})\n"
    for finding in record.findings[:MOST_TOLD]:
        first, *rest = (_safe(line) for line in lines(finding, _OPEN, _CLOSE))
        told = "<br>".join([f"{finding.severity}: {first}", *rest])
        yield f"- {told.replace(_OPEN, '**').replace(_CLOSE, '**')}"


def _name(where: str, record: Record) -> str:
    return where if record.case_id == record.case_digest else record.case_id


def _safe(text: str) -> str:
    return _MARKS.sub(r"\\\1", clipped(harmless(text), LONGEST))


# --- annotations -----------------------------------------------------------------------------------------------------


def workflow_commands(sarif: bytes) -> bytes:
    """One workflow command for each result of a SARIF log."""
    log: Any = msgspec.json.decode(sarif)
    results = [result for run in log["runs"] for result in run["results"]]
    return "".join(f"{_command(result)}\n" for result in results).encode()


def _command(result: Any) -> str:
    place = result["locations"][0]["physicalLocation"]
    told = {
        "file": harmless(unquote(place["artifactLocation"]["uri"])),
        "line": str(place["region"]["startLine"]),
        "title": f"Witnessmark: {result['ruleId']}",
    }
    level = _LEVELS.get(result["level"], "warning")
    return f"::{level} {','.join(f'{k}={_value(v)}' for k, v in told.items())}::{_data(result['message']['text'])}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _value(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
