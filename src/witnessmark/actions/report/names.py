"""Whether a name is a path or a command: by its extension, its folders, its first word. Looks at the name alone, never at a disk."""

from __future__ import annotations

import re
from typing import Literal

from witnessmark.actions.report.lexicon import PATTERNS, WORDS

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
        return name.lower() not in WORDS.products
    return (
        base.lower() not in WORDS.plain_words and name.lower() not in WORDS.products and not re.match(r"[\d.]+$", name)
    )


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
    if ext not in WORDS.extensions:
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
