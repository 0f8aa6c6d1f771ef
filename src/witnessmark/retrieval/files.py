"""Files as text: plain text, Markdown, HTML and, with the extra `pdf`, PDF. What cannot be read is an InputError that says why."""

from __future__ import annotations

import codecs
import logging
import re
from collections.abc import Iterable
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import msgspec

from witnessmark.core.case import KINDS as KINDS_OF_SUBJECTS
from witnessmark.core.errors import InputError
from witnessmark.text import html_tables

TEXT = frozenset({".txt", ".text", ".md", ".markdown", ".rst", ".csv", ".json"})
HTML = frozenset({".html", ".htm", ".xhtml"})
KINDS = TEXT | HTML | {".pdf"}
MAX_BYTES = 32 * 1024 * 1024
_BREAKS = frozenset({"p", "br", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "table"})
_CELLS = frozenset({"td", "th", "dd", "dt"})
_BOMS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_BINARY = re.compile(rb"[\x00-\x06]")
_OWN_PAGE = b'<meta name="generator" content="Witnessmark">'
"""What every page that Witnessmark writes says in its head."""
_HEAD_BYTES = 2_000
_UNHEARD = logging.NullHandler()
"""Keeps pypdf's remarks off the screen of a program that set up no logging."""
_BROKEN_PDF = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, NotImplementedError, RecursionError)
"""What pypdf runs into in a file that is damaged, or made to harm."""
_UNSEEN = frozenset({"script", "style", "noscript", "template"})
_OF_HEAD = _UNSEEN | {"title", "meta", "link", "base"}
"""What may stand in a page's head; anything else ends it, as in a browser: `</head>` and `<body>` may be left out."""


def text_of(file: Path) -> str:
    """The text of a file by its ending. Raises InputError where it is too large, is not text, or holds none."""
    if file.stat().st_size > MAX_BYTES:
        raise InputError(f"{file.name}: larger than {MAX_BYTES // 2**20} MB; split it")
    if file.suffix.lower() == ".pdf":
        text = _pdf(file)
    else:
        text = _decoded(file.name, file.read_bytes())
        text = html_text(text) if file.suffix.lower() in HTML else text
    if not text.strip():
        scanned = "; a scanned document needs OCR first" if file.suffix.lower() == ".pdf" else ""
        raise InputError(f"{file.name}: holds no text{scanned}")
    return text


def is_own_work(file: Path) -> bool:
    """Whether a file is a page, a record or a case of Witnessmark: it holds the answer that is verified, and proves none."""
    suffix = file.suffix.lower()
    if suffix in HTML:
        with file.open("rb") as page:
            return _OWN_PAGE in page.read(_HEAD_BYTES)
    if suffix != ".json" or file.stat().st_size > MAX_BYTES:
        return False
    try:
        found = msgspec.json.decode(file.read_bytes(), type=_OwnJson | list[_OwnJson])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):  # not JSON, or of another shape
        return False
    first = found if isinstance(found, _OwnJson) else next(iter(found), _OwnJson())
    return bool(first.case_digest) or first.subject.kind in KINDS_OF_SUBJECTS


class _OwnSubject(msgspec.Struct, frozen=True):
    kind: str = ""


class _OwnJson(msgspec.Struct, frozen=True):
    """What tells a case and a record from other JSON."""

    subject: _OwnSubject = _OwnSubject()
    case_digest: str = ""


def _decoded(name: str, data: bytes) -> str:
    """Bytes as text. Half-read words would be held against an answer, so what is not surely text is refused."""
    encoding = next((known for mark, known in _BOMS.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        if not _BINARY.search(data):
            raise InputError(f"{name}: not UTF-8; save the file as UTF-8 and try again") from None
        text = "\0"
    if _BINARY.search(text.encode()):
        raise InputError(f"{name}: is not text; give text, Markdown, HTML or PDF")
    return text


def html_text(page: str) -> str:
    """What a reader of the page sees, a line for each block."""
    reader = _HtmlText()
    reader.feed(_as_markdown(page))
    reader.close()
    lines = (" ".join(line.split()) for line in "".join(reader.parts).splitlines())
    return "\n".join(line for line in lines if line)


def _as_markdown(page: str) -> str:
    """A page with its tables as those of Markdown: their cells stay apart, and each row goes with the names of its columns."""
    made: list[str] = []
    end, above = 0, tuple[str, ...]()
    for row in html_tables.rows(page):
        lines = [" ".join(cell.text for cell in row.cells)]
        if row.header:
            lines = [_line(cell.text for cell in row.cells)]
            lines = lines if above == row.header else [_line(row.header), _line("---" for _ in row.cells), *lines]
        made += [page[end : row.span[0]], *(f"<br>{escape(line)}<br>" for line in lines if not row.is_head)]
        end, above = row.span[1], row.header
    return "".join((*made, page[end:]))


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '¦') for cell in cells)} |"


class _HtmlText(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unseen = 0
        self._in_head = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - as HTMLParser calls it
        if not self._unseen:
            self._in_head = tag == "head" or (self._in_head and tag in _OF_HEAD)
        self._unseen += tag in _UNSEEN
        if tag in _BREAKS:
            self.parts.append("\n")
        elif tag in _CELLS:
            self.parts.append(" ")  # of a table that only lays out the page

    def handle_endtag(self, tag: str) -> None:
        self._unseen = max(0, self._unseen - (tag in _UNSEEN))
        self._in_head = self._in_head and tag != "head"
        if tag in _BREAKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._unseen and not self._in_head:
            self.parts.append(data.replace("\n", " "))


def _pdf(file: Path) -> str:
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ImportError:
        raise InputError(f"{file.name}: reading PDF needs the extra `pdf`: pip install 'witnessmark[pdf]'") from None
    logging.getLogger("pypdf").addHandler(_UNHEARD)
    try:
        return "\n\n".join(page.extract_text() for page in PdfReader(file).pages)
    except (PyPdfError, *_BROKEN_PDF) as exc:
        raise InputError(f"{file.name}: is not a PDF that can be read ({exc})") from None
