"""The things a report names: paths, commands, other code, words, numbers and signs, each with its exact place.

One pass over the text with patterns that cannot backtrack far, so time grows with the text and nothing else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from trueline.world.report_words import DOTTED, EXTENSIONS, NAMES, PLAIN_WORDS, PRODUCTS, TOOLS
from trueline.world.words import listed

TokenKind = Literal["path", "weak", "command", "code", "word", "number", "sign", "quoted"]


@dataclass(frozen=True, slots=True)
class Token:
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


_TOKEN = re.compile(
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
_LINE = re.compile(r"(?::\d+(?:[-–:]\d+)*|#L?\d+(?:[-–]L?\d+)*|:L\d+(?:[-–]L?\d+)?)$")
_IMPOSSIBLE = frozenset(" \"'<>|?=(){}`*,;!&^")
_TRAIL = ".:!?'’"
_WORDISH = re.compile(r"[A-Za-z0-9_.@+~\-/\\:$%#\[\]{}()=]+$")
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?%?$")
_ROUTES = tuple(
    f"/{name}/"
    for name in ["tmp", "home", "var", "etc", "usr", "opt", "root", "mnt", "data", "Users", "srv", "app", "workspace"]
)


def tokens(text: str, start: int, end: int) -> list[Token]:
    """The tokens of text[start:end]. What stands in double quotes is one token: somebody else's words."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text, start, end):
        found += _token(match)
    return _quotes_joined(text, found)


def _token(match: re.Match[str]) -> list[Token]:
    kind, raw, at, end = match.lastgroup, match.group(), match.start(), match.end()
    if kind == "cite":
        path = raw[3:-1].partition("†")[0]
        return [Token("path", normal(path), at, end, quoted=True)]
    if kind == "link":
        return [_link(raw, at, end)]
    if kind in ("code", "code2"):
        return _code(raw, at, end)
    if kind == "say":
        return [Token("quoted", raw, at, end)]
    if kind in ("url", "kbd"):
        return [Token("code", raw, at, end)]
    if kind == "arrow":
        return [Token("sign", "→" if raw not in {">>", ">>>"} else raw, at, end)]
    if kind == "sign":
        return [Token("sign", raw, at, end)]
    return _plain(raw, at)


def _link(raw: str, at: int, end: int) -> Token:
    label, _, target = raw[1:-1].partition("](")
    label = label.strip("`*")
    for name in (target, label):
        if not name.startswith(("http:", "https:", "#")) and _path_kind(_unlined(name), in_code=True) == "path":
            return Token("path", normal(name), at, end, quoted=True)
    return Token("code", label, at, end)


def _code(raw: str, at: int, end: int) -> list[Token]:
    inner = raw.strip("`").strip()
    for arrow in (" -> ", " → ", " => "):
        left, found, right = inner.partition(arrow)
        if found and _path_kind(left.strip(), in_code=True) and _path_kind(right.strip(), in_code=True):
            offset = raw.index(arrow)
            sign = Token("sign", "→", at + offset, at + offset + len(arrow))
            before = Token("path", normal(left), at, at + offset, quoted=True)
            return [before, sign, Token("path", normal(right), at + offset + len(arrow), end, quoted=True)]
    if inner.startswith("$ "):
        inner = inner[2:].strip()
    if looks_like_command(inner):
        return [Token("command", inner, at, end, quoted=True)]
    kind = _path_kind(_unlined(inner), in_code=True)
    if kind is not None:
        return [Token(kind, normal(inner), at, end, quoted=True)]
    return [Token("code", inner, at, end, quoted=True)]


def looks_like_command(text: str) -> bool:
    """Whether code is something one would type at a prompt."""
    words = text.split()
    if not words:
        return False
    first = words[0].rsplit("/", 1)[-1].lower().removesuffix(".exe")
    while len(words) > 1 and re.match(r"[A-Z_][A-Z0-9_]*=", words[0]):
        words = words[1:]
        first = words[0].rsplit("/", 1)[-1].lower()
    if first in ("sudo", "time", "env") and len(words) > 1:
        return looks_like_command(" ".join(words[1:]))
    if len(words) == 1:
        return first in TOOLS and first == words[0].lower() and first not in _SINGLE_NOT
    if first in TOOLS:
        return not (first in _SINGLE_NOT and words[0] != first) and words[1] not in ("=", "==", "(", "{", "=>")
    local = words[0].startswith(
        ("./", "bin/", "scripts/", "script/", "vendor/bin/", "node_modules/.bin/", "tools/", ".venv/", "venv/")
    )
    return local or (
        any(word.startswith("--") and len(word) > 2 for word in words[1:])
        and re.match(r"[\w./@:-]+$", words[0]) is not None
    )


_SINGLE_NOT = listed(
    "find move copy next task act touch go stack anchor forge sort python node vue docker git npm yarn swift php ruby perl bash sh terraform flask celery"
)


def _plain(raw: str, at: int) -> list[Token]:
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
    found: list[Token] = []
    if kept in ("-", "--"):
        return [Token("sign", "–", begin, end)]
    if kept:
        found.append(_named(kept, begin, end))
    found += [Token("sign", ch, end + n, end + n + 1) for n, ch in enumerate(tail) if ch in ":.!?"]
    return found


def _named(kept: str, begin: int, end: int) -> Token:
    if kept.isalpha() and kept.lower() not in NAMES:
        return Token("word", kept.lower(), begin, end)
    if _NUMBER.match(kept):
        return Token("number", kept, begin, end)
    bare = _unlined(kept)
    kind = _path_kind(bare, in_code=False)
    if kind is not None:
        return Token(kind, normal(kept), begin, end)
    return Token("word", kept.lower().replace("’", "'"), begin, end)


def _quotes_joined(text: str, found: list[Token]) -> list[Token]:
    """Straight double quotes that come in pairs make one token of what they enclose."""
    marks = [n for n, token in enumerate(found) if token.kind == "sign" and token.text == '"']
    if len(marks) < 2:
        return found
    made: list[Token] = []
    at = 0
    for opens, closes in zip(marks[::2], marks[1::2], strict=False):
        made += found[at:opens]
        start, end = found[opens].start, found[closes].end
        made.append(Token("quoted", text[start:end], start, end))
        at = closes + 1
    return made + found[at:]


# --- paths -------------------------------------------------------------------------------------------------------


def normal(path: str) -> str:
    """A path as it is compared: no line number, no leading ./, no quotes around it. A trailing slash is kept."""
    bare = _unlined(path.strip().strip("`*\"'"))
    while bare.startswith("./") and len(bare) > 2:
        bare = bare[2:]
    return bare


def _unlined(name: str) -> str:
    return _LINE.sub("", name)


def _path_kind(name: str, *, in_code: bool) -> Literal["path", "weak"] | None:
    """`path` where it can hardly be anything else, `weak` where it may be a folder, a module or a branch."""
    if not 1 < len(name) <= 300 or name.startswith(("@", "-", "http:", "https:", "#", "$", "%")) or "://" in name:
        return None
    if not _IMPOSSIBLE.isdisjoint(name) or name.endswith(":"):
        return None
    if "\\" in name:
        return (
            "path"
            if re.match(r"(?:[A-Za-z]:)?[\w.\\ -]+$", name) and _known(name.replace("\\", "/").rsplit("/", 1)[-1])
            else None
        )
    if name.startswith("//") or ":" in name or name in ("./...", "...", ".", ".."):
        return None
    if name.startswith("/") and not name.startswith(_ROUTES):
        return "path" if _known(name.rsplit("/", 1)[-1]) and name.count("/") > 1 else None
    base = name.rstrip("/").rsplit("/", 1)[-1]
    if _known(base) and _may_stand(name, base, in_code=in_code):
        return "path"
    if name.endswith("/") and len(name) > 2:
        return "path" if in_code or name.count("/") > 1 else "weak"
    if in_code and "/" in name and not re.search(r"\d+/\d+$|\.\.\.", name) and re.match(r"[\w.@~+/-]+$", name):
        return "weak"
    return (
        "weak"
        if in_code and re.match(r"[a-z][\w-]{1,40}$", name) and name.islower() and not name.startswith("__")
        else None
    )


def _may_stand(name: str, base: str, *, in_code: bool) -> bool:
    """Outside backticks, common words and product names are no paths."""
    if in_code or "/" in name:
        return name.lower() not in PRODUCTS
    return base.lower() not in PLAIN_WORDS and name.lower() not in PRODUCTS and not re.match(r"[\d.]+$", name)


def _known(base: str) -> bool:
    lower = base.lower()
    if (
        lower in DOTTED
        or (lower.startswith(".env") and len(lower) < 30)
        or re.match(r"\.[a-z]+(?:rc|ignore)(?:\.\w+)?$", lower)
    ):
        return True
    if lower in NAMES and (base[0].isupper() or lower in ("justfile", "makefile")):
        return True
    stem, dot, ext = lower.rpartition(".")
    if not dot or not stem.strip(".") or ext not in EXTENSIONS:
        return False
    if stem.rsplit(".", 1)[-1].isdigit() and len(ext) < 2:
        return False
    return not stem.startswith(("process.env", "self.", "this.", "import.meta")) and stem not in (
        "e",
        "i",
        "console",
        "os",
        "sys",
        "math",
    )
