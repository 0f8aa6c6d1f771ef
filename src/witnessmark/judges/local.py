"""The embedded support models by name: which are at hand, loaded once a process and only when first asked.

`local` and `local-large` are packages of their own (models/ in the repository). The large one is never asked alone: the two err in
different places, and together they are better than either. `cascade` asks it only where the small one is unsure. A model that was named and is not there is an error that says what to install; `auto` falls back to
`rules` and says so. Knows no claim and no case.
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
from witnessmark.core.protocols import SupportModel
from witnessmark.core.verdict import log_odds

PACKAGES = {"local": "witnessmark_local", "local-large": "witnessmark_local_large"}
RUNTIME = ("onnxruntime", "tokenizers", "numpy")
FAST_WORDS = 60
"""Words of evidence that a model reads for a claim in profile `fast`."""
UNSURE = (0.27, 0.73)
"""Between these the small model is unsure, and a cascade asks the large one too: of three claims in four, nearly as good as always."""
ALWAYS = (0.0, 1.0)
SHARES = (0.4, 0.75)
"""How much the small and the large model's log odds count where both were asked; best out of fold, and flat around there."""
_RULES = "rules"


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """What a name came to: a model, or None for rules alone with the reason."""

    model: SupportModel | None
    note: str = ""


class ModelPair:
    """Two models as one: the large one's word beside the small one's, for every pair or only where the small one is unsure."""

    def __init__(self, name: str, small: SupportModel, large: SupportModel, unsure: tuple[float, float]) -> None:
        self.id, self.small, self.large, self.unsure = name, small, large, unsure
        self.version = f"{small.version}+{large.version}"
        self.languages: tuple[str, ...] | None = getattr(large, "languages", None)

    def support(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The small model's word where it is sure, both elsewhere."""
        said = [float(score) for score in self.small.support(pairs)]
        open_ones = [at for at, score in enumerate(said) if self.unsure[0] < score < self.unsure[1]]
        if open_ones:
            for at, score in zip(open_ones, self.large.support([pairs[at] for at in open_ones]), strict=True):
                said[at] = joined(said[at], float(score))
        return said


def joined(small: float, large: float) -> float:
    """What two models' probabilities come to: their log odds, each counted by its weight."""
    odds = sum(share * log_odds(one) for share, one in zip(SHARES, (small, large), strict=True))
    return 1 / (1 + math.exp(-odds))


def missing(name: str, find: Callable[[str], Any] = importlib.util.find_spec) -> str:
    """Why a model is not at hand and what to do about it; empty where it is."""
    if name == "cascade":
        return missing("local-large", find)
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


_missing = functools.cache(missing)  # looked up once a process: what is installed does not change under it


def require(name: str) -> None:
    """Refuse a model that is named and not at hand, with what to do about it; `auto` and `rules` always are."""
    why = "" if name in ("auto", _RULES) else _missing(name)
    if why:
        raise UsageError(f'verification.model: {name}: {why}; or set model = "rules"')


def choose(name: str, *, fast: bool = False, device: str = "auto") -> ModelChoice:
    """The model of a name as it is to be used; `auto` takes what is there, a name that is not there is refused."""
    require(name)
    if name == _RULES:
        return ModelChoice(None)
    why = _missing("local") if name == "auto" else ""
    return ModelChoice(None, why) if why else ModelChoice(_ready("local" if name == "auto" else name, fast, device))


# --- loaded once -----------------------------------------------------------------------------------------------------

_loaded: dict[tuple[str, str], Any] = {}
_lock = threading.Lock()


def _ready(name: str, fast: bool, device: str) -> SupportModel:
    if name != "local":
        small, large = (_read(one, fast, device) for one in ("local", "local-large"))
        return ModelPair(name, small, large, UNSURE if name == "cascade" else ALWAYS)
    return _read(name, fast, device)


def _read(name: str, fast: bool, device: str) -> SupportModel:
    model = _load(name, device)
    found: SupportModel = model.narrowed(FAST_WORDS) if fast else model
    return found


def _load(name: str, device: str) -> Any:
    with _lock:
        if (name, device) not in _loaded:
            package: Any = importlib.import_module(PACKAGES[name])
            try:
                _loaded[name, device] = package.load(device=device)
            except ValueError as exc:
                raise UsageError(f"verification.model: {name}: {exc}") from None
        return _loaded[name, device]


def _weights(package: str) -> bool:
    there: bool = importlib.import_module(package).there()
    return there


def described(name: str) -> str:
    """What `doctor` says about a model that is at hand: its version, without loading the weights."""
    card: dict[str, Any] = importlib.import_module(PACKAGES[name]).card()
    return f"{card['id']} {card['version']}"
