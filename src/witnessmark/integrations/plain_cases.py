"""Cases from plain values, as a test, a tool call or a gateway hands them in. Knows nothing about who asks.

A text becomes a passage, a mapping is read as strictly as in a case file, and what is wrong is an InputError with its path.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from witnessmark.core.aliases import with_ids
from witnessmark.core.case import Case, Evidence
from witnessmark.core.errors import InputError
from witnessmark.core.plans.criteria import Criterion
from witnessmark.retrieval.protocols import listed

SourceLike = str | Mapping[str, Any] | Evidence
Asked = str | Mapping[str, Any] | Criterion


def sources(given: SourceLike | Sequence[SourceLike] | None, prefix: str = "d") -> list[dict[str, Any]]:
    """Evidence as JSON: texts are passages d1, d2, …; mappings keep their own id where they have one."""
    if given is None:
        return []
    held = listed(given)
    for one in held:
        if not isinstance(one, (str, Mapping, Evidence)):
            raise InputError(
                f"evidence: {type(one).__name__} is neither a text nor a mapping such as {{'id': 'd1', 'text': …}}"
            )
    return [msgspec.to_builtins(one) if isinstance(one, Evidence) else one for one in with_ids(held, prefix)]


def criteria(given: Asked | Sequence[Asked] | None) -> list[Any]:
    """Criteria as JSON."""
    if given is None:
        return []
    listed = [given] if isinstance(given, (str, Mapping, Criterion)) else list(given)
    return [msgspec.to_builtins(one) if isinstance(one, Criterion) else one for one in listed]


def case_of(
    subject: str | Mapping[str, Any],
    *,
    kind: str | None = None,
    goal: str = "",
    evidence: SourceLike | Sequence[SourceLike] | None = None,
    criteria_: Asked | Sequence[Asked] | None = None,
    context: Mapping[str, Any] | None = None,
    **more: Any,
) -> Case:
    """A case; a text is an answer where there is evidence and a task's output where there is none."""
    held = sources(evidence)
    named = kind or ("answer" if held else "task_output")
    body = {"kind": named, "text": subject} if isinstance(subject, str) else dict(subject)
    told = {"goal": goal, "evidence": held, "criteria": criteria(criteria_), "context": dict(context or {})}
    return Case.from_dict({"subject": body} | told | more)
