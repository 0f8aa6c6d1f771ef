"""Values into HTML: one template environment, escaping everywhere, and the words pages have in common. Knows no route."""

from __future__ import annotations

import base64
import functools
import hashlib
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import resources
from typing import TYPE_CHECKING, Any

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from witnessmark._version import __version__
from witnessmark.core import wrong_words
from witnessmark.core.values import plain
from witnessmark.core.verdict import Claim, Finding, WrongWords, is_digest

if TYPE_CHECKING:
    from starlette.responses import HTMLResponse

HEADERS = {"Referrer-Policy": "same-origin"}
"""Beside those of the middleware: with no referrer at all a browser would send our own forms from no origin."""
GLYPHS = {"pass": "✓", "partial": "◐", "fail": "✕", "unverified": "?"}


@functools.cache
def environment() -> Environment:
    """The templates; every value is escaped, and a name nobody gave is a fault, not an empty string."""
    made = Environment(
        loader=PackageLoader("witnessmark.server.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "score": score, "percent": percent, "usd": usd, "when": when, "iso": iso, "ago": ago, "words": words,
        "compact": compact, "amount": amount, "data": data, "short": short, "ms": ms, "sentence": wrong_words.sentence,
        "claim_sentence": wrong_words.claim_sentence, "pieces": pieces,
        "case_name": case_name, "is_record": is_digest, "ticked": ticked,
    }  # fmt: skip
    made.globals |= {"glyphs": GLYPHS, "version": __version__, "asset": asset, "max": max, "min": min}
    return made


def text_of(template: str, **context: Any) -> str:
    """A template filled in."""
    return environment().get_template(template).render(**context)


def page(template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A page as a response, with the headers that keep hostile text from running."""
    from starlette.responses import HTMLResponse

    return HTMLResponse(text_of(template, **context), status_code=status, headers=HEADERS)


def asset(name: str) -> str:
    """The address of a static file, with its digest, so that a new version is fetched and an old one kept for good."""
    return f"/ui/static/{name}?v={_digest(name)}"


@functools.cache
def _digest(name: str) -> str:
    return hashlib.sha256(static(name)).hexdigest()[:12]


def static(name: str) -> bytes:
    """A static file's content."""
    return resources.files("witnessmark.server.pages").joinpath("static", name).read_bytes()


def inline(kind: str, *names: str, more: str = "") -> tuple[Markup, str]:
    """Static files as one inline block of a page that stands alone, and the hash its CSP lets through.

    `more` is of our own making too: nothing that was judged may be in it.
    """
    body = "\n".join([*(static(name).decode("utf-8") for name in names), more])
    if f"</{kind}" in body:
        raise ValueError(f"{names}: holds its own end tag")
    digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
    return Markup(body), f"'sha256-{digest}'"  # noqa: S704 - our own files, nothing judged is in them


def alone(style_hash: str, script_hash: str = "'none'") -> str:
    """The policy of a page that stands alone: what is in it and nothing else."""
    return f"default-src 'none'; style-src {style_hash}; script-src {script_hash}; img-src data:; base-uri 'none'; form-action 'none'"


# --- values in words -------------------------------------------------------------------------------------------------


def score(value: float | None, digits: int = 2) -> str:
    """A number between 0 and 1, or a dash where there is none."""
    return "–" if value is None else f"{value:.{digits}f}"


def percent(value: float | None, digits: int = 0) -> str:
    """A share in per cent."""
    return "–" if value is None else f"{100 * value:.{digits}f}%"


def usd(value: float | None) -> str:
    """Dollars with as many digits as they need."""
    if value is None:
        return "unknown"
    if value == 0 or abs(value) >= 0.1:
        return f"${value:,.2f}"
    return f"${value:.4f}" if abs(value) >= 0.001 else f"${value:.2g}"


def ms(seconds: float | None) -> str:
    """A duration; unknown where none was measured."""
    if not seconds:
        return "unknown"
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.1f} ms"


def compact(number: float) -> str:
    """A count that fits a small place."""
    for size, mark in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(number) >= size:
            return f"{number / (1e3 if mark == 'k' else size):.1f} {mark}"
    if number != round(number):
        return f"{number:.3g}"
    return f"{number:,.0f}".replace(",", "\u202f")


def amount(count: float, noun: str) -> str:
    """A count with what is counted: `1 case`, `2 cases`."""
    return f"{compact(count)} {noun if count == 1 else noun + 's'}"


def when(at: float) -> str:
    """A time as people write it, in UTC."""
    return datetime.fromtimestamp(at, UTC).strftime("%d %b %Y, %H:%M")


def iso(at: float) -> str:
    """A time for machines."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def ago(at: float, now: float | None = None) -> str:
    """How long since."""
    gone = max(0.0, (time.time() if now is None else now) - at)
    for size, unit in ((86_400 * 2, "d"), (3_600, "h"), (60, "min")):
        if gone >= size:
            return f"{gone // (86_400 if unit == 'd' else size):.0f} {unit} ago"
    return "just now"


def words(name: object) -> str:
    """A name of ours as words."""
    return str(name).replace("_", " ")


def pieces(about: Finding | Claim) -> list[tuple[str, WrongWords | None]]:
    """The text of a finding or a claim, cut at its wrong words."""
    text = about.text if isinstance(about, Claim) else about.quote or ""
    return wrong_words.pieces(text, about.words, about.span[0] if about.span is not None else 0)


def ticked(text: str) -> Markup:
    """A text whose `commands` are set as code; all of it is escaped."""
    parts = text.split("`")
    if len(parts) % 2 == 0:  # one without its partner
        return escape(text)
    return Markup().join(Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(parts))


def case_name(case_id: str) -> str:
    """A case's id for a list: short, and by the beginning of its digest where it was given none."""
    if is_digest(case_id):
        return f"Case\N{NO-BREAK SPACE}{case_id[:12]}"
    return case_id if len(case_id) <= 60 else f"{case_id[:60]}…"


def short(identity: str, length: int = 12) -> str:
    """The beginning of an id."""
    return identity[:length]


def data(value: Any) -> str:
    """A value as JSON, for an attribute that our scripts read; the template escapes it like any text."""
    if isinstance(value, (Mapping, list, tuple)):
        return msgspec.json.encode(value).decode()
    return msgspec.json.encode(plain(value)).decode()
