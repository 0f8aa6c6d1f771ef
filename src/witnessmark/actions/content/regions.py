"""Where a name stands in code: its definition with what hangs on it,. By lines and indentation, in any language."""

from __future__ import annotations

import re

from witnessmark.text.patterns import compiled

_KEYWORDS = r"def|fn|func|function|fun|class|struct|interface|trait|enum|type|module|object|record|const|let|var|val|sub|resource|variable|output|table|TABLE|property|field"
_ABOVE = compiled(r"\s*(?:@|#|//|/\*|\*|--|\[|%|<!--|\"\"\")")
_CLOSES = compiled(r"\s*(?:[)\]}>]|end\b|\"\"\"|'''|else\b|elif\b|except\b|catch\b|finally\b|rescue\b|ensure\b)")
MAX_REGION = 400


def last_part(name: str) -> str:
    """A name without what it hangs on: `Product.sku` is `sku`."""
    return re.split(r"[.:#]+", name.rstrip("?!"))[-1].lstrip("-@$")


def definitions(name: str, text: str) -> list[str]:
    """The code of each definition of a name, with the comments and decorators over it."""
    bare = re.escape(last_part(name))
    if not bare:
        return []
    defines = re.compile(
        rf"^\s*(?:[\w@]+(?:\([^)]*\))? )*(?:{_KEYWORDS})\s+(?:\([^)]*\)\s*)?(?:self\.|[\w.]+[.:])?[\"']?{bare}\b"
        rf"|^\s*(?:(?:public|private|protected|internal|static|final|async|override|virtual|export|default|abstract|synchronized)\s+)*[\w<>\[\],.?&*:\\]*\s*\*?\b{bare}\s*(?:<[^>]*>)?\([^;=]*\)?[^;=]*[{{,(]?\s*$"
        rf"|^\s*[\"']?{bare}[\"']?\s*(?::|=(?!=)|:=)"
        rf"|^\s*(?:(?:public|private|protected|internal|static|readonly|final|required|virtual|override|abstract)\s+)+[\w<>\[\],.?]+\s+{bare}\s*[{{;=]"
        rf"|^\s*[\"'`]?{bare}[\"'`]?\s+(?:[A-Z]{{3,}}\b|[\w.]+\()"
    )
    lines = text.split("\n")
    return [
        "\n".join(_block(lines, at)) for at, line in enumerate(lines) if defines.search(line) and not _call(line, bare)
    ]


def _call(line: str, bare: str) -> bool:
    """Whether a line only calls the name: nothing stands before it, and it is no head of a block."""
    return re.match(rf"\s*(?:await |return |yield )?{bare}\s*\([^)]*\)[;,]?\s*$", line) is not None


def _block(lines: list[str], at: int) -> list[str]:
    indent = _indent(lines[at])
    start = at
    while start > 0 and at - start < 40 and lines[start - 1].strip() and _ABOVE.match(lines[start - 1]):
        start -= 1
    end = at + 1
    while end < len(lines) and end - at < MAX_REGION:
        line = lines[end]
        if line.strip() and _indent(line) <= indent and not _CLOSES.match(line):
            break
        end += 1
        if line.strip() and _indent(line) == indent and re.match(r"\s*(?:}|end\b)", line):
            break
    return lines[start:end]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
