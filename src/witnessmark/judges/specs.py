"""From what a user writes to a judge: a name of the configuration, `openai/MODEL`, `anthropic/MODEL`, or `URL#MODEL`.

Judges of one endpoint share its limits. Nothing is opened or sent here. Knows nothing about which judge is chosen.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qsl, urlsplit

from witnessmark.core import registry
from witnessmark.core.errors import ConfigError, InputError, UnknownNameError
from witnessmark.core.protocols import Judge, Notes
from witnessmark.core.values import Count, NotNegative, Value
from witnessmark.judges.cache import CachedJudge
from witnessmark.judges.connections import Connections
from witnessmark.judges.families import PATTERNS, family_of
from witnessmark.judges.http import NO_JSON, NO_SCHEMA, Dialect, HttpJudge
from witnessmark.judges.keys import JudgeKey
from witnessmark.judges.limits import EndpointLimits, Patience
from witnessmark.judges.metering import Price, Prices, price_of, shipped

registry.judge_backends.defer("witnessmark.judges.backends")
REPLIES = {
    "schema": frozenset[str](),
    "json": frozenset({NO_SCHEMA}),
    "text": frozenset({NO_SCHEMA, NO_JSON}),
}


def vendors() -> list[str]:
    """The back ends that need no URL: `NAME/MODEL` asks them."""
    found = registry.judge_backends.all()
    return [name for name, made in found.items() if name not in DIALECTS or made.url]


def backend_named(word: str) -> str | None:
    """The back end that a word stands for: its name, or the last part of an installed one's, `oracle` for `acme/oracle`.

    None where there is none, or where two packages bring one of that name.
    """
    known = registry.judge_backends.all()
    short = [name for name in known if name.rpartition("/")[2] == word]
    return word if word in known else short[0] if len(short) == 1 else None


DIALECTS = ("openai", "azure", "anthropic")
"""Kinds that speak over HTTP: without a vendor they need a URL."""
_SECRET = re.compile(r"key|token|secret|passw|sig(?:nature)?$|^code$|auth", re.IGNORECASE)


class JudgeSpec(Value, frozen=True):
    """One `[judges.NAME]` table. `vendor` fills in what is left out; the key is never in the file itself."""

    model: str
    vendor: str | None = None
    url: str | None = None
    kind: str | None = None
    key_env: str | None = None
    key_file: str | None = None
    family: str | None = None
    input_usd: NotNegative | None = None
    output_usd: NotNegative | None = None
    window: Count = 32_000
    replies: Literal["schema", "json", "text"] = "schema"
    limits: Patience = Patience()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.vendor is None and self.url is None:
            if self.kind is None or self.kind in DIALECTS:
                raise InputError(f"url: a judge needs a base URL, or one of the vendors {', '.join(vendors())}")
        if self.vendor is not None and backend_named(self.vendor) not in vendors():
            raise InputError(f"vendor: {self.vendor!r} is not one of {', '.join(vendors())}; give its url instead")
        if self.kind is not None and backend_named(self.kind) is None:
            raise InputError(f"kind: {self.kind!r} is not one of {', '.join(registry.judge_backends.all())}")
        if self.url is not None:
            _check_url(self.url)
        if (self.input_usd is None) != (self.output_usd is None):
            raise InputError("input_usd, output_usd: a price has both, in dollars per million tokens")
        if self.family is not None and self.family not in PATTERNS:
            raise InputError(f"family: {self.family!r} is not one of {', '.join(PATTERNS)}")


def _check_url(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"url: {url!r} is not a base URL; write one like http://127.0.0.1:8080/v1")
    if parts.username or parts.password:
        raise InputError("url: holds a password; put the key into the environment and name it with key_env")
    if any(_SECRET.search(name) for name, _ in parse_qsl(parts.query, keep_blank_values=True)):
        raise InputError("url: holds a key in its query, which would be logged; put it into the environment (key_env)")


@dataclass(frozen=True, slots=True)
class BackendContext:
    """What a back end is given: the judge's name, its settings, and how to reach an HTTP endpoint."""

    name: str
    spec: JudgeSpec
    maker: JudgeMaker

    def http(self, dialect: Dialect) -> Judge:
        """A judge behind the endpoint of the settings, with its limits, key, price and connections."""
        return self.maker.http(self.name, self.spec, dialect)


class JudgeMaker:
    """Makes judges from specs; those of one endpoint share its limits, and all of them their connections."""

    def __init__(
        self,
        configured: Mapping[str, JudgeSpec] | None = None,
        *,
        prices: Prices | None = None,
        notes: Notes | None = None,
        cache: bool = True,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.configured = dict(configured or {})
        self._prices = shipped() if prices is None else prices
        self._notes, self._cache = notes, cache
        self._environ = os.environ if environ is None else environ
        self._endpoints: dict[tuple[str, Patience], EndpointLimits] = {}
        self._connections = Connections()

    def named(self, names: Sequence[str]) -> list[Judge]:
        """The judges of these names, in their order."""
        return [self.make(name, self.spec(name)) for name in dict.fromkeys(names)]

    def all(self) -> list[Judge]:
        """Every configured judge."""
        return [self.make(name, spec) for name, spec in self.configured.items()]

    def spec(self, name: str) -> JudgeSpec:
        """What a name stands for."""
        if name in self.configured:
            return self.configured[name]
        url, mark, model = name.partition("#")
        if mark and "://" in url:
            return _at(url, model, name)
        parts = name.split("/")  # a back end of a package is named package/name, and a model may hold a slash too
        for end in range(1, min(len(parts), 3)):
            vendor, model = "/".join(parts[:end]), "/".join(parts[end:])
            if model and backend_named(vendor) in vendors():
                return JudgeSpec(model=model, vendor=vendor)
        known = ", ".join(f"{vendor}/MODEL" for vendor in vendors())
        hint = f"; write a name of the configuration, {known} or URL#MODEL"
        raise UnknownNameError("judge", name, self.configured, hint)

    def make(self, name: str, spec: JudgeSpec) -> Judge:
        """The judge of a spec, remembering its answers unless that is switched off."""
        word = spec.kind or spec.vendor or "openai"
        backend = registry.judge_backends.get(backend_named(word) or word)
        from witnessmark.judges import own_judge  # here: most programs make no judge

        judge = own_judge.made_by(backend, word, BackendContext(name, spec, self))
        return CachedJudge(judge, self._notes) if self._cache else judge

    def http(self, name: str, spec: JudgeSpec, dialect: Dialect) -> Judge:
        """A judge behind an HTTP endpoint that speaks this dialect."""
        vendor = registry.judge_backends.get(backend_named(spec.vendor) or spec.vendor) if spec.vendor else None
        url = (spec.url or (vendor.url if vendor else "")).rstrip("/")
        return HttpJudge(
            id=name,
            model=spec.model,
            dialect=dialect,
            endpoint=self._endpoint(url, spec.limits),
            key=self._key(spec, vendor.key_env if vendor else ""),
            family=spec.family or family_of(spec.model) or "",
            price=self._price(spec),
            window=spec.window,
            habits=REPLIES[spec.replies],
            connections=self._connections,
        )

    async def close(self) -> None:
        """Let go of the connections of every judge that was made."""
        await self._connections.close()

    def _key(self, spec: JudgeSpec, usual: str) -> JudgeKey:
        if spec.key_file:
            return JudgeKey(file=spec.key_file)
        named = spec.key_env or usual
        if spec.url and not spec.key_env:
            # A URL of one's own may want no key; where one is set for judges, it is used.
            named = "WITNESSMARK_JUDGE_KEY" if self._environ.get("WITNESSMARK_JUDGE_KEY") else ""
        return JudgeKey(env=named, environ=self._environ)

    def _price(self, spec: JudgeSpec) -> Price | None:
        if spec.input_usd is not None and spec.output_usd is not None:
            return Price(input=spec.input_usd, output=spec.output_usd)
        return price_of(spec.model, self._prices)

    def _endpoint(self, url: str, patience: Patience) -> EndpointLimits:
        key = (url, patience)
        if key not in self._endpoints:
            self._endpoints[key] = EndpointLimits(url, patience)
        return self._endpoints[key]


def _at(url: str, model: str, name: str) -> JudgeSpec:
    """The spec of URL#MODEL."""
    if not model:
        raise ConfigError(f"judge {name!r}: no model after the #; write URL#MODEL")
    try:
        return JudgeSpec(model=model, url=url)
    except InputError as exc:
        raise ConfigError(f"judge {name!r}: {exc}") from None
