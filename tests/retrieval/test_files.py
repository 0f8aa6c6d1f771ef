"""Files as text: what is read, and what is refused rather than half read."""

import codecs

import pytest

from witnessmark.core.errors import InputError
from witnessmark.retrieval.files import text_of


@pytest.mark.parametrize(
    "data",
    [
        "Umsatz in München: +14 %".encode(),
        codecs.BOM_UTF8 + "Umsatz in München: +14 %".encode(),
        "Umsatz in München: +14 %".encode("utf-16"),
    ],
)
def test_text_is_read_in_utf_8_and_in_what_its_mark_says(tmp_path, data):
    file = tmp_path / "a.txt"
    file.write_bytes(data)
    assert text_of(file) == "Umsatz in München: +14 %"


@pytest.mark.parametrize(
    "page",
    [
        "<html><head><title>Desk</title></head><body><p>It opens at nine.</p></body></html>",
        "<html><head><title>Desk</title><body><p>It opens at nine.</p></body></html>",
        "<head><meta charset=utf-8><title>Desk</title><style>p {}</style><p>It opens at nine.",
        "<head><noscript><p>No script.</p></noscript><script>x()</script><main>It opens at nine.</main>",
    ],
)
def test_a_page_is_read_from_where_its_head_ends_said_or_not(tmp_path, page):
    (tmp_path / "page.html").write_text(page)
    assert text_of(tmp_path / "page.html") == "It opens at nine."


@pytest.mark.parametrize(
    ("name", "data", "complaint"),
    [
        ("photo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "photo.png: is not text; give text, Markdown, HTML or PDF"),
        ("letter.docx", b"PK\x03\x04word/document.xml", "letter.docx: is not text; give text"),
        ("old.txt", "Umsatz in München".encode("latin-1"), "old.txt: not UTF-8; save the file as UTF-8"),
        ("empty.txt", b" \n", "empty.txt: holds no text"),
        ("only-code.html", b"<script>x()</script>", "only-code.html: holds no text"),
    ],
)
def test_what_is_no_text_is_refused_and_named(tmp_path, name, data, complaint):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=complaint):
        text_of(tmp_path / name)


def test_a_pdf_without_text_is_probably_scanned(tmp_path):
    writer = pytest.importorskip("pypdf").PdfWriter()
    writer.add_blank_page(100, 100)
    writer.write(tmp_path / "scan.pdf")
    with pytest.raises(InputError, match=r"scan.pdf: holds no text; a scanned document needs OCR first"):
        text_of(tmp_path / "scan.pdf")
