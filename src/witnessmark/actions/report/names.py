"""The things a report names: paths, commands, other code, words, numbers and signs, each with its exact place.

Whether a name is a path or a command is told by its extension, its folders, its first word; the disk is never looked at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from witnessmark.actions.report.lexicon import PATTERNS, WORDS
from witnessmark.text.files import KNOWN, PRODUCTS
from witnessmark.text.patterns import compiled

_IMPOSSIBLE = frozenset(" \"'<>|?=(){}`*,;!&^")
_ROUTES = tuple(
    f"/{name}/"
    for name in [
        "tmp",
        "home",
        "var",
        "etc",
        "usr",
        "opt",
        "root",
        "mnt",
        "data",
        "Users",
        "srv",
        "app",
        "workspace",
        "testbed",
        "repo",
        "code",
        "src",
        "project",
    ]
)


def looks_like_command(text: str) -> bool:
    """Whether code is something one would type at a prompt."""
    words = text.split()
    if not words:
        return False
    if "&&" in words[1:-1]:
        return looks_like_command(" ".join(words[len(words) - words[::-1].index("&&") :]))
    first = words[0].rsplit("/", 1)[-1].lower().removesuffix(".exe")
    while len(words) > 1 and re.match(r"[A-Z_][A-Z0-9_]*=", words[0]):
        words = words[1:]
        first = words[0].rsplit("/", 1)[-1].lower()
    if first in ("sudo", "time", "env") and len(words) > 1:
        return looks_like_command(" ".join(words[1:]))
    if len(words) == 1:
        return first in WORDS.tools and first == words[0].lower() and first not in WORDS.single_not
    if first in WORDS.tools:
        return not (first in WORDS.single_not and words[0] != first) and words[1] not in ("=", "==", "(", "{", "=>")
    local = words[0].startswith(
        ("./", "bin/", "scripts/", "script/", "vendor/bin/", "node_modules/.bin/", "tools/", ".venv/", "venv/")
    )
    return local or _typed_so(words)


def _typed_so(words: list[str]) -> bool:
    """Options after a plain first word, or plain words of which the last is a path: typed at a prompt, whatever the program is."""
    if re.match(r"[\w./@:-]+$", words[0]) is None:
        return False
    if any(PATTERNS.long_option.match(word) for word in words[1:]):
        return True
    if PATTERNS.program.match(words[0]) is None or words[0] in WORDS.keywords:
        return False
    if any(PATTERNS.short_option.match(word) for word in words[1:]):
        return True
    plain = all(re.match(r"[\w.:@=+/-]+$", word) for word in words[1:])
    return 1 < len(words) < 6 and plain and "/" in words[-1] and not words[-1].startswith("/")


def normal(path: str) -> str:
    """A path as it is compared: no line number, no leading ./, no quotes around it. A trailing slash is kept."""
    bare = unlined(path.strip().strip("`*\"'"))
    while bare.startswith("./") and len(bare) > 2:
        bare = bare[2:]
    return bare


def unlined(name: str) -> str:
    """A name without the line number after it."""
    return PATTERNS.line.sub("", name)


_SHORT = {
    "**/": "(?:.*/)?",
    ".../": "(?:.*/)?",
    "…/": "(?:.*/)?",
    "**": ".*",
    "*": "[^/]*",
    "{": "(?:",
    ",": "|",
    "}": ")",
}
_SHORTENED = compiled(r"\*|(?:\.\.\.|…)/|\{[^{}/]*\}")
MAX_STARS = 4
"""More of them nobody writes, and to look for them would take long."""
_SIGNS = compiled("|".join(map(re.escape, _SHORT)))


def shortened(name: str) -> re.Pattern[str] | None:
    """What a pattern, a choice in braces or the end of a path (`web/*.ts`, `web/{a,b}.ts`, `.../a.ts`) stands for; None for any other name."""
    if _SHORTENED.search(name) is None or name.count("*") + name.count("...") > MAX_STARS:
        return None
    parts, at = list[str](), 0
    for sign in _SIGNS.finditer(name):
        parts += [re.escape(name[at : sign.start()]), _SHORT[sign.group()]]
        at = sign.end()
    try:
        return re.compile("".join((*parts, re.escape(name[at:]))))
    except re.error:  # a brace that is not closed
        return None


def path_kind(name: str, *, in_code: bool) -> Literal["path", "weak"] | None:
    """`path` where it can hardly be anything else, `weak` where it may be a folder, a module or a branch."""
    if not 1 < len(name) <= 300 or name.startswith(("@", "-", "http:", "https:", "#", "$", "%")) or "://" in name:
        return None
    if not _IMPOSSIBLE.isdisjoint(name):
        return "path" if in_code and _unusual(name) else None
    if name.endswith(":"):
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
    if "/" in name and PATTERNS.some_file.match(name) and not PATTERNS.domain.match(name):
        return "path"
    if name.endswith("/") and len(name) > 2:
        return "path" if in_code or name.count("/") > 1 else "weak"
    if in_code and PATTERNS.program_file.match(name):
        return "path"
    if in_code and "/" in name and not re.search(r"\d+/\d+$|\.\.\.", name) and re.match(r"[\w.@~+/-]+$", name):
        return "weak"
    return (
        "weak"
        if in_code and re.match(r"[a-z][\w-]{1,40}$", name) and name.islower() and not name.startswith("__")
        else None
    )


def _unusual(name: str) -> bool:
    """`app/(group)/x.tsx`, `envs/*.tfvars`, `images/Logo Final.svg`: folders and files with signs in their names."""
    folders, slash, base = name.rstrip("/").rpartition("/")
    if not slash:
        return bool(PATTERNS.spaced.match(name)) and name[0].isupper() and _known(base) and len(name.split()) < 5
    segments = [*folders.split("/"), base]
    if all(PATTERNS.segment.match(part) for part in segments):
        return name.endswith("/") or bool(re.search(r"[\w*})\]]\.[A-Za-z][a-zA-Z0-9]{0,9}$", base))
    spaced = all(PATTERNS.segment.match(part) or PATTERNS.spaced.match(part) for part in segments)
    return spaced and _known(base) and not re.search(r" -|- ", name)


def _may_stand(name: str, base: str, *, in_code: bool) -> bool:
    """Outside backticks, common words and product names are no paths."""
    if in_code or "/" in name:
        return name.lower() not in PRODUCTS
    return base.lower() not in WORDS.plain_words and name.lower() not in PRODUCTS and not re.match(r"[\d.]+$", name)


def _known(base: str) -> bool:
    lower = base.lower()
    if (
        lower in WORDS.dotted
        or (lower.startswith(".env") and len(lower) < 30)
        or re.match(r"\.[a-z][a-z0-9-]*(?:rc|ignore|config|attributes)(?:\.\w+)?$", lower)
        or lower in ("_redirects", "_headers")
        or re.match(r"directory\.\w+\.(?:props|targets)$", lower)
    ):
        return True
    if lower in WORDS.names and (base[0].isupper() or lower in ("justfile", "makefile")):
        return True
    stem, dot, ext = lower.rpartition(".")
    if not dot or not stem.strip("."):
        return False
    if ext in WORDS.backups:
        return _known(stem)
    if ext not in KNOWN:
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
_WITHIN = compiled(r"(?P<path>[\w@./-]+\.[A-Za-z]\w{0,9}):(?P<name>[A-Za-z_][\w.]*(?:\(\))?)")
"""`a.go:open`: a name, and the file that it is in."""
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


_TARGET = compiled(r"(?<=\]\()[^)\s]{1,400}(?=\))")


def decoded_links(text: str) -> str:
    """A text whose links name files as they are called, and not as an address writes them."""
    return _TARGET.sub(lambda target: as_called(target.group()), text) if "%" in text else text


def as_called(target: str) -> str:
    """The name of the file that a link leads to: `my%20notes.md` is `my notes.md`."""
    name = unquote(target) if "%" in target else target
    return name if name.isprintable() and "\ufffd" not in name else target


def _link(raw: str, at: int, end: int) -> ReportToken:
    label, _, target = raw[1:-1].partition("](")
    label = label.strip("`*")
    for name in (as_called(target), label):
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
    within = _WITHIN.fullmatch(inner)
    if within and path_kind(within["path"], in_code=False) == "path":
        cut = at + raw.index(within["name"], len(within["path"]))
        file = ReportToken("path", normal(within["path"]), at, cut - 1, quoted=True)
        return [file, ReportToken("code", within["name"], cut, end, quoted=True)]
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
