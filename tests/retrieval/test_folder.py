"""The embedded retriever over a folder."""

import pytest

from witnessmark import Case, Verifier
from witnessmark.cli.output.reports import html
from witnessmark.core.errors import InputError
from witnessmark.retrieval.files import html_text
from witnessmark.retrieval.folder import FolderRetriever, chunks


@pytest.fixture
def docs(tmp_path):
    (tmp_path / "a.md").write_text("# Hours\n\nThe bakery opens at 8 on Monday.", encoding="utf-8")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.html").write_text(
        "<head><title>x</title></head><p>The <b>library</b> closes at 22.</p><script>evil()</script>", encoding="utf-8"
    )
    (tmp_path / "c.bin").write_bytes(b"\0\1")
    return tmp_path


def test_it_finds_what_was_asked_for_best_first(docs):
    with FolderRetriever(docs) as folder:
        found = folder.retrieve("When does the bakery open?", 2)
        assert found[0].text.endswith("The bakery opens at 8 on Monday.")
        assert found[0].origin == "a.md"
        assert folder.retrieve("library closing", 1)[0].text == "The library closes at 22."
        assert folder.retrieve('") OR * NEAR', 3) == []
        assert folder.retrieve("", 3) == []


def test_the_index_is_kept_up_to_date_by_what_changed(docs, tmp_path_factory):
    index = tmp_path_factory.mktemp("index") / "i.db"
    with FolderRetriever(docs, index) as folder:
        assert folder.refresh() == (0, 0)
        (docs / "a.md").write_text("The bakery opens at 9 on Monday.", encoding="utf-8")
        (docs / "sub" / "b.html").unlink()
        assert folder.refresh() == (1, 1)
        assert "at 9" in folder.retrieve("bakery", 3)[0].text
        assert folder.retrieve("library", 3) == []
    with FolderRetriever(docs, index) as again:
        assert again.refresh() == (0, 0)
        assert len(again.retrieve("bakery", 3)) == 1


def test_a_link_out_of_the_folder_is_not_followed(docs, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "secret.txt"
    outside.write_text("The secret bakery.", encoding="utf-8")
    (docs / "link.txt").symlink_to(outside)
    with FolderRetriever(docs) as folder:
        assert all("secret" not in one.text for one in folder.retrieve("secret bakery", 5))


def test_what_cannot_be_read_is_named_and_the_rest_is_there(docs):
    (docs / "broken.pdf").write_bytes(b"no pdf")
    with FolderRetriever(docs) as folder:
        assert list(folder.unread) == ["broken.pdf"]
        assert folder.retrieve("bakery", 1)
    with pytest.raises(InputError, match="is not a folder"):
        FolderRetriever(docs / "nothing")


def test_tables_in_html_keep_their_cells_apart():
    page = "<p>Rates</p><table><tr><th>Plan<th>Price</tr><tr><td>Team</td><td>a|b &lt;9&gt;</td></tr><tr><td>all of them</td></tr></table><p>End</p>"
    assert html_text(page) == "Rates\n| Plan | Price |\n| --- | --- |\n| Team | a¦b <9> |\nall of them\nEnd"
    assert html_text("<table><tr><td>left</td><td>right</td></tr></table>") == "left right"


def test_html_is_what_a_reader_sees():
    assert html_text("<h1>A</h1><style>p{}</style><p>b &amp; c<br>d</p>") == "A\nb & c\nd"


def test_chunks_start_where_they_say():
    text = "\n\n".join(f"Paragraph {n} says something of its own. " * 6 for n in range(9))
    for start, body in chunks(text):
        assert text[start : start + len(body)] == body


def test_what_witnessmark_wrote_is_no_evidence(tmp_path, root):
    """It holds the answer that is verified: found in a folder, the answer would prove itself."""
    answer = Case(question="How did sales do?", answer="Sales grew by 40 %.", sources=["Sales grew by 14 %."])
    record = Verifier().verify_sync(answer)
    (tmp_path / "case.json").write_bytes(answer.json())
    (tmp_path / "cases.json").write_bytes(b"[" + answer.json() + b"]")
    (tmp_path / "record.json").write_bytes(record.json())
    (tmp_path / "report.html").write_bytes(html([("case.json", record)], [], {record.id: answer.json()}))
    (tmp_path / "facts.json").write_text('{"subject": "sales", "question": "How did sales do?", "answer": "by 14 %"}')
    (tmp_path / "page.html").write_text("<p>Sales grew by 14 %, says Witnessmark.</p>")
    with FolderRetriever(tmp_path) as folder:
        assert {found.origin for found in folder.retrieve("sales grew", 9)} == {"facts.json", "page.html"}
        assert set(folder.unread) == {"case.json", "cases.json", "record.json", "report.html"}
