"""The criteria of a case as places in a graph; every checkpoint takes them."""

from __future__ import annotations

from collections.abc import Iterator

from trueline.case import Case, Criterion
from trueline.registry import Place


def places(case: Case) -> Iterator[Place]:
    """One place for each criterion: a deterministic check by its name, or a rubric for a judge."""
    for criterion in case.criteria:
        assert isinstance(criterion, Criterion)
        if criterion.check is not None:
            yield Place(
                criterion.check,
                value=criterion.value,
                weight=criterion.weight,
                must_pass=criterion.blocking,
                asked_by_case=True,
            )
        else:
            yield Place(
                "rubric",
                value=criterion.text,
                weight=criterion.weight,
                must_pass=criterion.blocking,
                criterion=criterion.text,
                asked_by_case=True,
            )


def something_there() -> Place:
    """The guard of every text: an empty output fails, and being there earns nothing."""
    return Place("not_empty", weight=0.0, must_pass=True)
