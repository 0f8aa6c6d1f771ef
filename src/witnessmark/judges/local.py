"""The embedded support models by name: which are at hand, loaded once a process and only when first asked.

`local` and `local-large` are packages of their own (models/ in the repository). The large one is never asked alone: the two err in
different places, and together they are better than either. Profile `fast` reads with the small one's fast part. A model that was named and
is not there is an error that says what to install; `auto` falls back to `rules` and says so. Knows no claim and no case.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from witnessmark.core.errors import UsageError
from witnessmark.core.protocols import Reading, SupportModel
from witnessmark.core.verdict import log_odds

PACKAGES = {"local": "witnessmark_local", "local-large": "witnessmark_local_large"}
RUNTIME = ("onnxruntime", "tokenizers", "numpy")
SHARES = (0.38, 0.76)
"""How much the small and the large model's log odds of support count together; fitted out of fold, and flat around there."""
EVEN = (0.3, 0.7)
"""… and those of a contradiction, which are not calibrated."""
_RULES = "rules"


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """What a name came to: a model, or None for rules alone with the reason."""

    model: SupportModel | None
    note: str = ""


class ModelPair:
    """Two models as one: the large one's word beside the small one's, for every pair."""

    def __init__(self, name: str, small: Any, large: Any) -> None:
        self.id, self.small, self.large = name, small, large
        self.version = f"{small.version}+{large.version}"
        self.languages: tuple[str, ...] | None = getattr(large, "languages", None)

    def support(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The probability that both come to."""
        return [one.support for one in self.read(pairs)]

    def read(self, pairs: Sequence[tuple[str, str]], question: str = "") -> list[Reading]:
        """What both come to; the wrong words are the large one's."""
        return self._joined(self.small.read(pairs, question), pairs, question)

    def read_alone(self, pairs: Sequence[tuple[str, str]], question: str = "") -> list[Reading]:
        """The same for claims that are all their text says, of which the small one reads more of the evidence."""
        return self._joined(getattr(self.small, "read_alone", self.small.read)(pairs, question), pairs, question)

    def _joined(self, small: Sequence[Any], pairs: Sequence[tuple[str, str]], question: str) -> list[Reading]:
        rows = zip(small, self.large.read(pairs, question), strict=True)
        return [both(Reading(*one), Reading(*other)) for one, other in rows]


def both(small: Reading, large: Reading) -> Reading:
    """What two models make of a claim together; the wrong words are the large one's, the doubt about them the small one's, by which it is fitted."""
    against = joined(small.contradicts or 0.5, large.contradicts or 0.5, EVEN)
    return Reading(joined(small.support, large.support), against, large.wrong, small.doubt)


def joined(small: float, large: float, shares: tuple[float, float] = SHARES) -> float:
    """What two models' probabilities come to: their log odds, each counted by its weight."""
    odds = sum(share * log_odds(one) for share, one in zip(shares, (small, large), strict=True))
    return 1 / (1 + math.exp(-odds))


def missing(name: str, find: Callable[[str], Any] = importlib.util.find_spec) -> str:
    """Why a model is not at hand and what to do about it; empty where it is."""
    if name == "local-large" and (why := missing("local", find)):
        return why
    runtime = [module for module in RUNTIME if find(module) is None]
    if runtime:
        return f"{', '.join(runtime)} not installed: pip install 'witnessmark[local]'"
    package = PACKAGES[name]
    if find(package) is None:
        folder = package.removeprefix("witnessmark_")
        return (
            f"the runtime is installed, but the model's package {package.replace('_', '-')} is not: "
            f"pip install 'witnessmark[{name}]', or ./models/{folder} from a clone"
        )
    if not _weights(package):
        return f"package {package.replace('_', '-')} has no weights; this build of it ships none"
    return ""


missing_once = functools.cache(missing)  # looked up once a process: what is installed does not change under it


def require(name: str) -> None:
    """Refuse a model that is named and not at hand, with what to do about it; `auto` and `rules` always are."""
    why = "" if name in ("auto", _RULES) else missing_once(name)
    if why:
        raise UsageError(f'verification.model: {name}: {why}; or set model = "rules"')


def choose(name: str, *, fast: bool = False, device: str = "auto") -> ModelChoice:
    """The model of a name as it is to be used; `auto` takes what is there, a name that is not there is refused."""
    require(name)
    if name == _RULES:
        return ModelChoice(None)
    why = missing_once("local") if name == "auto" else ""
    return ModelChoice(None, why) if why else ModelChoice(_ready("local" if name == "auto" else name, fast, device))


# --- loaded once -----------------------------------------------------------------------------------------------------

loaded: dict[tuple[str, bool, str], Any] = {}
_lock = threading.Lock()


def _ready(name: str, fast: bool, device: str) -> SupportModel:
    small: SupportModel = _load("local", fast, device)
    return small if fast or name == "local" else ModelPair(name, small, _load(name, False, device))


def _load(name: str, fast: bool, device: str) -> Any:
    with _lock:
        if (name, fast, device) not in loaded:
            package: Any = importlib.import_module(PACKAGES[name])
            try:
                loaded[name, fast, device] = package.load(fast=fast, device=device)
            except ValueError as exc:
                raise UsageError(f"verification.model: {name}: {exc}") from None
        return loaded[name, fast, device]


def _weights(package: str) -> bool:
    there: bool = importlib.import_module(package).there()
    return there


def described(name: str) -> str:
    """What `doctor` says about a model that is at hand: its version, without loading the weights."""
    card: dict[str, Any] = importlib.import_module(PACKAGES[name]).card()
    return f"{card['id']} {card['version']}"
