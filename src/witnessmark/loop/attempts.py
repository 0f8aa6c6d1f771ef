"""One attempt's output: read into a case, compared with the ones before, and how its maker is called.

Whatever an executor returns becomes the subject of the case it was asked for; goal, evidence, criteria and context stay,
so nothing is lost between attempts. Knows nothing about verdicts or budgets.
"""

from __future__ import annotations

import copy
import inspect
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from witnessmark.core.case import AgentOutput, Case, Decomposition, Discussion, Mission, Subject
from witnessmark.core.errors import InputError, UsageError
from witnessmark.core.explain import convert
from witnessmark.core.values import canonical, digest

Execute = Callable[..., Any]


def own(output: Any) -> Any:
    """The output as it is now: an executor that changes its own list later does not change what was verified."""
    return copy.deepcopy(output) if isinstance(output, (dict, list)) else output


def attempted(case: Case, output: Any) -> Case:
    """The case with this output as its subject; goal, evidence, criteria and context stay as they are."""
    if isinstance(output, Case):
        return output
    return replace(case, subject=_subject(case, output))


def _subject(case: Case, output: Any) -> Subject:
    kind = type(case.subject)
    if isinstance(output, Subject):
        return output
    if isinstance(output, Mapping):
        data = {key: value for key, value in output.items() if key != "kind"}
        return convert({"kind": case.kind, **data}, kind)
    if isinstance(output, str):
        return _from_text(case, output)
    raise InputError(f"an executor returns a text, a mapping, a subject or a case, not {type(output).__name__}")


def _from_text(case: Case, text: str) -> Subject:
    subject = case.subject
    if isinstance(subject, Decomposition | Mission):
        return _subject(case, _as_mapping(text))
    if isinstance(subject, AgentOutput):
        return _subject(case, _as_mapping(text) if text.lstrip().startswith("{") else {"summary": text})
    if isinstance(subject, Discussion):
        return replace(subject, conclusion=text)
    return replace(subject, text=text)


def _as_mapping(text: str) -> Mapping[str, Any]:
    try:
        data = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as exc:
        raise InputError(f"not JSON: {exc}") from None
    if not isinstance(data, dict):
        raise InputError(f"should be a JSON object, not {type(data).__name__}")
    return data


def output_words(case: Case) -> str:
    """The output as its maker would recognise it: a text as it is, anything else as JSON."""
    return (
        case.text if hasattr(case.subject, "text") else msgspec.json.format(canonical(case.subject), indent=1).decode()
    )


def same_as(case: Case) -> str:
    """Equal for equal outputs: after NFC, without spaces at the ends of lines, with the same criteria and evidence."""
    subject = _normal(msgspec.json.decode(canonical(case.subject)))
    return digest([case.kind, subject, case.criteria, case.evidence])


def _normal(value: Any) -> Any:
    if isinstance(value, str):
        return "\n".join(line.rstrip() for line in unicodedata.normalize("NFC", value).split("\n")).rstrip()
    if isinstance(value, dict):
        return {key: _normal(inner) for key, inner in value.items()}
    return [_normal(inner) for inner in value] if isinstance(value, list) else value


# --- calling the executor --------------------------------------------------------------------------------------------


def fitted(execute: Execute, told: Mapping[str, Any]) -> Callable[[], Any]:
    """The call with what it asks for by name; a single parameter of another name gets the feedback."""
    try:
        parameters = inspect.signature(execute).parameters
    except (TypeError, ValueError):
        return lambda: execute(told["feedback"])
    open_ended = any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())
    named = {key: value for key, value in told.items() if key in parameters or (open_ended and key == "feedback")}
    needed = [
        p
        for p in parameters.values()
        if p.default is inspect.Parameter.empty
        and p.name not in named
        and p.kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    ]
    if len(needed) > 1 or (needed and "feedback" in named):
        names = ", ".join(p.name for p in needed)
        raise UsageError(
            f"execute: takes {names} besides feedback; bind them first, with functools.partial or a lambda"
        )
    return (lambda: execute(told["feedback"], **named)) if needed else (lambda: execute(**named))
