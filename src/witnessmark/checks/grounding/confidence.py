"""How confident one may be in a response, from what became of its claims: exact arithmetic, no model.

Profile `original` is the formula of the source document to the letter: supported / total, minus 0.1 for each claim that is
not supported, plus 0.1 where there is none; partial claims earn nothing. By default a partial claim earns half, and the
penalty goes by share, not by count: half the share of claims that are not borne out, which is what the original takes off
a response of five claims, at any length. A claim that cannot be verified counts nowhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from witnessmark.core.errors import InputError
from witnessmark.core.thresholds import threshold
from witnessmark.core.values import Count, Unit, Value

Profile = Literal["default", "original", "fast"]
"""`fast` counts as `default` does; the small embedded model's fast part reads for it, and less of the evidence."""
ModelName = Literal["auto", "rules", "local", "local-large"]
Device = Literal["auto", "cpu", "cuda"]
Level = Literal["high", "medium", "low", "very low"]
BONUS = Fraction(1, 10)
PENALTY = Fraction(1, 10)
TYPICAL_CLAIMS = 5


class Verification(Value, frozen=True):
    """The settings of the answer check: in the configuration file under `verification`, or in a case's context."""

    enabled: bool = True
    confidence_threshold: Unit = threshold("claim_confidence")
    max_crag_attempts: Count = 2
    show_claims: bool = False
    mode: Literal["observe", "verify", "correct"] = "verify"
    profile: Profile = "default"
    partial_credit: Unit | None = None
    model: ModelName = "auto"
    """`auto` is `local` where its package is installed, otherwise `rules`; the record says which it was."""
    device: Device = "auto"

    @property
    def credit(self) -> float:
        """What a partial claim earns."""
        if self.partial_credit is not None:
            return self.partial_credit
        return 0.0 if self.profile == "original" else 0.5


class VerificationOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Some settings of the answer check, over those that are configured: what is left out stays as it is."""

    enabled: bool | UnsetType = UNSET
    confidence_threshold: Unit | UnsetType = UNSET
    max_crag_attempts: Count | UnsetType = UNSET
    show_claims: bool | UnsetType = UNSET
    mode: Literal["observe", "verify", "correct"] | UnsetType = UNSET
    profile: Profile | UnsetType = UNSET
    partial_credit: Unit | UnsetType | None = UNSET
    model: ModelName | UnsetType = UNSET
    device: Device | UnsetType = UNSET


def with_settings(base: Verification, given: Any, where: str) -> Verification:
    """The settings with those of a request over them."""
    if given is None:
        return base
    if not isinstance(given, Mapping):
        raise InputError(f"{where}: should be a mapping of settings, such as {{'confidence_threshold': 0.8}}")
    known = Verification.__struct_fields__
    wrong = sorted(set(given) - set(known))
    if wrong:
        raise InputError(f"{where}.{wrong[0]}: unknown setting; known are {', '.join(known)}")
    return Verification(**{name: getattr(base, name) for name in known} | dict(given))


def confidence(
    statuses: Iterable[str], profile: Profile = "default", partial_credit: float | None = None
) -> float | None:
    """Between 0 and 1; None where no claim could be verified, since there is nothing to be confident of."""
    count = Counter(statuses)
    bad = count["unsupported"] + count["contradicted"]
    total = count["supported"] + count["partial"] + bad
    if not total:
        return None
    credit = Fraction(str(Verification(profile=profile, partial_credit=partial_credit).credit))
    base = (count["supported"] + credit * count["partial"]) / total
    penalty = PENALTY * bad if profile == "original" else PENALTY * TYPICAL_CLAIMS * Fraction(bad, total)
    value = base - penalty + (BONUS if not bad else 0)
    return float(min(Fraction(1), max(Fraction(0), value)))


def level(value: float, statuses: Iterable[str]) -> Level:
    """The band of a confidence; `high` also needs every claim to be fully supported."""
    exact = Fraction(str(round(value, 9)))
    if exact >= Fraction(9, 10) and not {"partial", "unsupported", "contradicted"} & set(statuses):
        return "high"
    if exact >= Fraction(7, 10):
        return "medium"
    return "low" if exact >= Fraction(1, 2) else "very low"


def grounded(value: float, statuses: Iterable[str], threshold: float) -> bool:
    """At or above the threshold, compared exactly, and nothing contradicted."""
    return "contradicted" not in set(statuses) and round(value, 9) >= round(threshold, 9)
