"""The things a report names: paths, commands, other code, words, numbers and signs, each with its exact place.

One pass over the text with patterns that cannot backtrack far, so time grows with the text and nothing else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from witnessmark.actions.report.lexicon import PATTERNS, WORDS
from witnessmark.actions.report.names import looks_like_command, normal, path_kind, unlined
from witnessmark.text.patterns import compiled

TokenKind = Literal["path", "weak", "command", "code", "word", "number", "sign", "quoted"]


@dataclass(frozen=True, slots=True)
class ReportToken:
    """One thing: `text` is the path, the command, or the word in lower case. `weak` may be a folder or a module."""

    kind: TokenKind
    text: str
    start: int
    end: int
    quoted: bool = False
    """Stood in backticks, bold or a link: somebody set it off as a name."""

    @property
    def is_path(self) -> bool:
        """Whether it may name a file or a folder."""
        return self.kind in ("path", "weak")


_TOKEN = compiled(
    r"(?P<cite>【F:[^】\n†]{1,300}[^】\n]{0,60}】)"
    r"|(?P<link>\[[^\]\n]{1,300}\]\([^)\s]{1,400}\))"
    r"|(?P<code2>``[^\n]{1,400}?``)"
    r"|(?P<code>`[^`\n]{1,400}`)"
    r"|(?P<say>“[^”\n]{1,600}”)"
    r"|(?P<url>https?://[^\s)>\]]{1,500})"
    r"|(?P<kbd><[^>\n]{1,40}>)"
    r"|(?P<arrow>->|=>|→|➜|➔|⇒|⟶|>>>?)"
    r"|(?P<text>[^\s`\[\]()【】“”\"<>,;→➜➔⇒⟶|*✅❌⚠✓✔✗✘☑—–…]+)"
    r"|(?P<sign>[\[\]()\"<>,;|*✅❌⚠✓✔✗✘☑—–…])"
)
_TRAIL = ".:!?'’"


def tokens(text: str, start: int, end: int) -> list[ReportToken]:
    """The tokens of text[start:end]. What stands in double quotes is one token: somebody else's words."""
    found: list[ReportToken] = []
    for match in _TOKEN.finditer(text, start, end):
        found += _token(match)
    return _quotes_joined(text, found)


def _token(match: re.Match[str]) -> list[ReportToken]:
    kind, raw, at, end = match.lastgroup, match.group(), match.start(), match.end()
    if kind == "cite":
        path = raw[3:-1].partition("†")[0]
        return [ReportToken("path", normal(path), at, end, quoted=True)]
    if kind == "link":
        return [_link(raw, at, end)]
    if kind in ("code", "code2"):
        return _code(raw, at, end)
    if kind == "say":
        return [ReportToken("quoted", raw, at, end)]
    if kind in ("url", "kbd"):
        return [ReportToken("code", raw, at, end)]
    if kind == "arrow":
        return [ReportToken("sign", "→" if raw not in {">>", ">>>"} else raw, at, end)]
    if kind == "sign":
        return [ReportToken("sign", raw, at, end)]
    return _plain(raw, at)


def _link(raw: str, at: int, end: int) -> ReportToken:
    label, _, target = raw[1:-1].partition("](")
    label = label.strip("`*")
    for name in (target, label):
        if not name.startswith(("http:", "https:", "#")) and path_kind(unlined(name), in_code=True) == "path":
            return ReportToken("path", normal(name), at, end, quoted=True)
    return ReportToken("code", label, at, end)


def _code(raw: str, at: int, end: int) -> list[ReportToken]:
    inner = raw.strip("`").strip()
    for arrow in (" -> ", " → ", " => "):
        left, found, right = inner.partition(arrow)
        if found and path_kind(left.strip(), in_code=True) and path_kind(right.strip(), in_code=True):
            offset = raw.index(arrow)
            sign = ReportToken("sign", "→", at + offset, at + offset + len(arrow))
            before = ReportToken("path", normal(left), at, at + offset, quoted=True)
            return [before, sign, ReportToken("path", normal(right), at + offset + len(arrow), end, quoted=True)]
    if inner.startswith("$ "):
        inner = inner[2:].strip()
    if looks_like_command(inner):
        return [ReportToken("command", inner, at, end, quoted=True)]
    kind = path_kind(unlined(inner), in_code=True)
    if kind is not None:
        return [ReportToken(kind, normal(inner), at, end, quoted=True)]
    return [ReportToken("code", inner, at, end, quoted=True)]


def _plain(raw: str, at: int) -> list[ReportToken]:
    """A run of text without spaces: strip what is punctuation around it, then see what is left."""
    if raw.isalpha():
        return [_named(raw, at, at + len(raw))]
    lead = len(raw) - len(raw.lstrip("'‘*_~"))
    body = raw[lead:]
    kept = body.rstrip(_TRAIL + "*~")
    if body.endswith("…"):
        kept = kept.rstrip("…")
    tail = body[len(kept) :]
    if kept.endswith("_") and not kept.startswith("_"):
        kept = kept.rstrip("_")
    begin, end = at + lead, at + lead + len(kept)
    found: list[ReportToken] = []
    if kept in ("-", "--"):
        return [ReportToken("sign", "–", begin, end)]
    if kept:
        found.append(_named(kept, begin, end))
    found += [ReportToken("sign", ch, end + n, end + n + 1) for n, ch in enumerate(tail) if ch in ":.!?"]
    return found


def _named(kept: str, begin: int, end: int) -> ReportToken:
    if kept.isalpha() and kept.lower() not in WORDS.names:
        return ReportToken("word", kept.lower(), begin, end)
    if PATTERNS.number.match(kept):
        return ReportToken("number", kept, begin, end)
    bare = unlined(kept)
    kind = path_kind(bare, in_code=False)
    if kind is not None:
        return ReportToken(kind, normal(kept), begin, end)
    return ReportToken("word", kept.lower().replace("’", "'"), begin, end)


def _quotes_joined(text: str, found: list[ReportToken]) -> list[ReportToken]:
    """Straight double quotes that come in pairs make one token of what they enclose."""
    marks = [n for n, token in enumerate(found) if token.kind == "sign" and token.text == '"']
    if len(marks) < 2:
        return found
    made: list[ReportToken] = []
    at = 0
    for opens, closes in zip(marks[::2], marks[1::2], strict=False):
        made += found[at:opens]
        start, end = found[opens].start, found[closes].end
        made.append(ReportToken("quoted", text[start:end], start, end))
        at = closes + 1
    return made + found[at:]
