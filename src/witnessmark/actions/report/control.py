"""What a report says of CI, hooks and permissions: that they were changed, how they are now, or only how they go."""

from __future__ import annotations

from collections.abc import Iterator

from witnessmark.actions.report.layout import parts
from witnessmark.actions.report.lexicon import in_any_language
from witnessmark.text.patterns import compiled

_COMMA = compiled(r"(?<=,)\s")
_QUOTED = compiled(r"`([^`\n]{5,80})`")
_DISTINCT = compiled(r"`([A-Za-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9]+){1,8})`")
"""A name in code that hardly stands anywhere else: `PIP_CACHE_DIR`, `fail-fast`."""
_COMPLAINT = frozenset({"ci", "action", "actions"})
"""A request with only these may be that CI is red, and not to change it."""


def asks_for_control(asked: str) -> bool:
    """Whether a request speaks of what controls runs and rights by a word that means it."""
    return any(word.lower() not in _COMPLAINT for word in in_any_language("control", "things").findall(asked))


def tells_of_control(report: str) -> bool:
    """Whether a clause about CI, hooks or permissions tells of a change, of how they are now, or is headed by them."""
    lines = [line for line in _clauses(report) if in_any_language("control", "things").search(line)]
    return (
        any(_changes(line) for line in lines)
        or any((_is_now(line) or in_any_language("control", "head").match(line)) and not _goes(line) for line in lines)
        or any(_describes(line, "ci") and not _goes(_QUOTED.sub("`_`", line)) for line in lines)
    )


def tells_of_rights(report: str) -> bool:
    """Whether a clause speaks of who may do what: permissions, owners, a sandbox, an MCP server."""
    return any(_describes(line, "rights") for line in _clauses(report))


def _clauses(report: str) -> Iterator[str]:
    return (clause for part in parts(report) for clause in _COMMA.split(part))


def _describes(line: str, subject: str) -> bool:
    """Whether a clause tells how a subject is set up: it has a word for it, and denies, awaits and looks at nothing."""
    rest = in_any_language("control", subject).sub(" ", line)
    return rest != line and in_any_language("control", "only_named").search(rest) is None


def parts_told(report: str) -> set[str]:
    """What a report quotes of a change, or names so that it is hardly anything else."""
    found: set[str] = set()
    for line in parts(report):
        bare = _QUOTED.sub(" ", line)
        found.update(_QUOTED.findall(line) if _changes(bare) or _is_now(bare) else ())
        found.update(() if _goes(bare) else _DISTINCT.findall(line))
    return found


def jobs_told(report: str) -> set[str]:
    """The jobs, steps and stages that a report says are changed, or how they are now."""
    lines = [line for line in parts(report) if _changes(bare := _QUOTED.sub(" ", line)) or _is_now(bare)]
    found = (groups for line in lines for groups in in_any_language("control", "job").findall(line))
    return {name for groups in found for name in groups if name}


def _changes(line: str) -> bool:
    return in_any_language("control", "change").search(line) is not None


def _is_now(line: str) -> bool:
    return in_any_language("control", "now").search(line) is not None


def _goes(line: str) -> bool:
    """Whether a line tells how CI goes, or may go: nothing that was done to it."""
    return in_any_language("control", "goes").search(line) is not None
