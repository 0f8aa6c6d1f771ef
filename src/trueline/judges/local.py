"""The embedded support models by name: which are at hand, loaded once a process and only when first asked.

`local` and `local-large` are packages of their own (models/ in the repository); `cascade` asks the large one only where the
small one is unsure. A model that was named and is not there is an error that says what to install; `auto` falls back to
`rules` and says so. Knows no claim and no case.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from trueline.errors import UsageError
from trueline.protocols import SupportModel

PACKAGES = {"local": "trueline_local", "local-large": "trueline_local_large"}
RUNTIME = ("onnxruntime", "tokenizers", "numpy")
FAST_WORDS = 60
"""Words of evidence that a model reads for a claim in profile `fast`."""
UNSURE = (0.15, 0.85)
"""Between these the small model is unsure, and a cascade asks the large one."""
_RULES = "rules"


@dataclass(frozen=True, slots=True)
class Chosen:
    """What a name came to: a model, or None for rules alone with the reason."""

    model: SupportModel | None
    note: str = ""


class Cascade:
    """Two models as one: the second is asked only about pairs the first is unsure of."""

    id = "cascade"

    def __init__(self, small: SupportModel, large: SupportModel) -> None:
        self.small, self.large = small, large
        self.version = f"{small.version}+{large.version}"

    def support(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The small model's word where it is sure, the large one's elsewhere."""
        said = [float(score) for score in self.small.support(pairs)]
        unsure = [at for at, score in enumerate(said) if UNSURE[0] < score < UNSURE[1]]
        if unsure:
            for at, score in zip(unsure, self.large.support([pairs[at] for at in unsure]), strict=True):
                said[at] = float(score)
        return said


def missing(name: str, find: Callable[[str], Any] = importlib.util.find_spec) -> str:
    """Why a model is not at hand and what to do about it; empty where it is."""
    if name == "cascade":
        return missing("local", find) or missing("local-large", find)
    runtime = [module for module in RUNTIME if find(module) is None]
    if runtime:
        return f"{', '.join(runtime)} not installed: pip install 'trueline[local]'"
    package = PACKAGES[name]
    if find(package) is None:
        folder = package.removeprefix("trueline_")
        return f"package {package.replace('_', '-')} not installed: pip install ./models/{folder} from the repository"
    if not _weights(package):
        return f"package {package.replace('_', '-')} has no weights; this build of it ships none"
    return ""


_missing = functools.cache(missing)  # looked up once a process: what is installed does not change under it


def require(name: str) -> None:
    """Refuse a model that is named and not at hand, with what to do about it; `auto` and `rules` always are."""
    why = "" if name in ("auto", _RULES) else _missing(name)
    if why:
        raise UsageError(f'verification.model: {name}: {why}; or set model = "rules"')


def choose(name: str, *, fast: bool = False, device: str = "auto") -> Chosen:
    """The model of a name as it is to be used; `auto` takes what is there, a name that is not there is refused."""
    require(name)
    if name == _RULES:
        return Chosen(None)
    why = _missing("local") if name == "auto" else ""
    return Chosen(None, why) if why else Chosen(_ready("local" if name == "auto" else name, fast, device))


# --- loaded once -----------------------------------------------------------------------------------------------------

_loaded: dict[tuple[str, str], Any] = {}
_lock = threading.Lock()


def _ready(name: str, fast: bool, device: str) -> SupportModel:
    if name == "cascade":
        return Cascade(_ready("local", fast, device), _ready("local-large", fast, device))
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
