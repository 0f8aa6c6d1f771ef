"""Which readings of what is told of a session a report has the words for: the others, and their modules, are never loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any

from witnessmark.actions.report.lexicon import table
from witnessmark.text.patterns import compiled

if TYPE_CHECKING:
    from witnessmark.actions.claims.claim import ActionClaim, Ruling
    from witnessmark.actions.claims.observations import Finder
    from witnessmark.actions.trace.index import TraceIndex
    from witnessmark.actions.tree.view import TreeView

_MEASURE = compiled(r"\d ?(?:[nµμum]?s|msec|mill|sec|min|[kmgt]i?b|bytes|(?:kilo|mega|giga)b)")
_VERSION = compiled(r"\d\.\d+\.\d")
_LARGE = compiled(r"\d{3}|\d,\d{3}")
_QUOTED = compiled(r"`[^`\n]*[=:(@<>][^`\n]*`")
_LIKELY: dict[str, Callable[[str], bool]] = {
    "measures.measures_otherwise": lambda low: _MEASURE.search(low) is not None,
    "measures.counts_nowhere": lambda low: _LARGE.search(low) is not None,
    "quoted_code.quoted_otherwise": lambda low: _QUOTED.search(low) is not None,
    "versions.versions_told": lambda low: _VERSION.search(low) is not None,
    "deeds.never_done": lambda low: any(word in low for deed in table("content")["deeds"].values() if isinstance(deed, dict) for word in deed["needs"]),
}  # fmt: skip
_BY_WORDS = (
    "deeds.fewer_requests", "deeds.fewer_runs", "deeds.never_read", "deeds.left_running", "rehearsals.told_as_real",
    "answers.answered_otherwise", "item_results.told_as_well", "signatures.called_as_before", "defaults.defaults_told", "all_of.told_of_all",
)  # fmt: skip
_RULED_BY = {
    "measured_nowhere": "measures.rule_measure",
    "measured_count": "measures.rule_count",
    "told_deed": "deeds.rule_deed",
    "told_requests": "deeds.rule_requests",
    "quoted_code": "quoted_code.rule_quoted",
    "told_same_signature": "signatures.rule_signature",
    "told_same_calls": "signatures.rule_signature",
    "told_default": "defaults.rule_default",
    "told_version": "versions.rule_version",
    "told_all_of": "all_of.rule_all",
}


def finders_for(report: str) -> Iterator[Finder]:
    """The finders of which a report has a word or a figure."""
    low = report.lower()
    for place, likely in _LIKELY.items():
        if likely(low):
            yield _loaded(place)
    for place in _BY_WORDS:
        if any(word in low for word in table("content")["likely"][place.rpartition(".")[2]]):
            yield _loaded(place)


def is_ruled(role: str) -> bool:
    """Whether claims of a role are ruled on here."""
    return role in _RULED_BY


def rule(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """The ruling on such a claim."""
    ruled: Ruling = _loaded(_RULED_BY[claim.role or ""])(claim, scene, trace)
    return ruled


def _loaded(place: str) -> Any:
    """A function of a module of this folder, by both their names."""
    module, _, name = place.partition(".")
    return getattr(_MODULES[module](), name)


# --- each module is loaded by itself: most reports need none -------------------------------------------------------


def _all_of() -> ModuleType:
    from witnessmark.actions.told import all_of

    return all_of


def _answers() -> ModuleType:
    from witnessmark.actions.told import answers

    return answers


def _deeds() -> ModuleType:
    from witnessmark.actions.told import deeds

    return deeds


def _defaults() -> ModuleType:
    from witnessmark.actions.told import defaults

    return defaults


def _item_results() -> ModuleType:
    from witnessmark.actions.told import item_results

    return item_results


def _measures() -> ModuleType:
    from witnessmark.actions.told import measures

    return measures


def _quoted_code() -> ModuleType:
    from witnessmark.actions.told import quoted_code

    return quoted_code


def _rehearsals() -> ModuleType:
    from witnessmark.actions.told import rehearsals

    return rehearsals


def _signatures() -> ModuleType:
    from witnessmark.actions.told import signatures

    return signatures


def _versions() -> ModuleType:
    from witnessmark.actions.told import versions

    return versions


_MODULES: dict[str, Callable[[], ModuleType]] = {
    "all_of": _all_of,
    "answers": _answers,
    "deeds": _deeds,
    "defaults": _defaults,
    "item_results": _item_results,
    "measures": _measures,
    "quoted_code": _quoted_code,
    "rehearsals": _rehearsals,
    "signatures": _signatures,
    "versions": _versions,
}
