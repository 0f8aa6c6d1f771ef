"""Cases as they come in: read, held against the limits, and what is wrong with each in words. Runs in a worker where it is long."""

from __future__ import annotations

import msgspec

from witnessmark.compat.tasks import Task, task_from
from witnessmark.core.case import Case
from witnessmark.core.errors import InputError, UsageError
from witnessmark.core.plans.checkpoints import checkpoint_for
from witnessmark.core.values import json_object, not_json, refuse_twice
from witnessmark.core.work.inputs import InputLimits, check_inputs
from witnessmark.judges.pool import JudgeSettings, refuse_unlisted
from witnessmark.server.http.endpoints import read_object
from witnessmark.server.http.errors import refusal

CaseLine = tuple[str | None, str | None, str | None]
"""A case's id, by its digest where it has none as in its record, and its JSON or what is wrong with it."""
_Cases = msgspec.json.Decoder(dict[str, list[msgspec.Raw]])


def read_case(body: bytes, limits: InputLimits) -> Case:
    """A case within the limits, or InputError."""
    case = Case.from_json(body)
    check_inputs(case, limits)
    return case


def read_task(body: bytes, limits: InputLimits) -> tuple[Task, Case]:
    """A coordinator's task and the case it is, within the limits, or InputError."""
    task = task_from(read_object(body))
    case = task.case()
    check_inputs(case, limits)
    return task, case


def read_cases(
    body: bytes, by_line: bool, most: int, limits: InputLimits, judges: JudgeSettings | None = None
) -> list[CaseLine]:
    """The cases of a job; a bad one does not stop the others. One that names a judge who is not among `judges` is bad too."""
    lines = [(at, line) for at, line in enumerate(body.split(b"\n"), 1) if line.strip()] if by_line else []
    given = lines if by_line else [(None, raw) for raw in _raw_cases(body)]
    if not given:
        raise InputError("cases: the list is empty; give at least one")
    if len(given) > most:
        raise InputError(f"cases: {len(given)} are more than the {most} that one job takes; make several")
    return [_line(one, limits, judges, at) for at, one in given]


def _raw_cases(body: bytes) -> list[bytes]:
    if body.count(b'"cases"') > 1:
        refuse_twice(body)
    try:
        found = _Cases.decode(body)
    except UnicodeDecodeError:
        raise InputError("not UTF-8: send the body as UTF-8") from None
    except msgspec.ValidationError:
        raise InputError('cases: the body should be {"cases": [case, …]}') from None
    except msgspec.DecodeError as exc:
        raise InputError(not_json(exc, body)) from None
    except RecursionError:
        raise InputError("JSON nested too deeply: flatten the data") from None
    if set(found) != {"cases"}:
        raise InputError('cases: the body should be {"cases": [case, …]} and nothing else')
    return [bytes(raw) for raw in found["cases"]]


def _line(body: bytes, limits: InputLimits, judges: JudgeSettings | None, at: int | None) -> CaseLine:
    """One case; what is wrong with it begins with its line, where cases come one on a line."""
    try:
        case = read_case(body, limits)
        checkpoint_for(case)
        if judges is not None:
            refuse_unlisted(case, judges)
    except UsageError as exc:
        named = (json_object(body) or {}).get("id")
        said = refusal(exc).detail
        said = said if at is None else f"line {at}: {said.replace(' at line 1, column', ' at column')}"
        return named if isinstance(named, str) else None, None, said
    return case.id or case.digest(), body.decode(), None
