"""A link to a file writes its name as an address: `[notes](docs/my%20notes.md)` leads to `docs/my notes.md`."""

from __future__ import annotations

import pytest

NAMES = {"docs/my%20notes.md": "docs/my notes.md", "docs/caf%C3%A9.md": "docs/café.md", "docs/100%25.md": "docs/100%.md",
         "docs/a%2520b.md": "docs/a%20b.md", "docs/my%20notes.md:12": "docs/my notes.md", "docs/%zz.md": "docs/%zz.md"}  # fmt: skip


@pytest.mark.parametrize("link", NAMES)
@pytest.mark.parametrize("said", ["Created [notes](LINK).", "Updated [the notes](LINK).", "- [`notes`](LINK): created"])
@pytest.mark.parametrize("begun", [True, False])
def test_the_file_that_it_leads_to_is_meant(session, link, said, begun):
    session = session.begins() if begun else session
    assert session.writes(NAMES[link], "x\n").stop(said.replace("LINK", link)) == ""


@pytest.mark.parametrize("link", NAMES)
def test_a_file_that_is_not_there_is_not_there_under_its_name_either(session, link):
    session.writes("docs/other notes.md", "x\n")
    assert "the file is not there" in session.stop(f"Created [notes]({link}).")


def test_a_file_that_no_call_changed(session):
    session.has("docs/my notes.md").writes("docs/other notes.md", "x\n")
    assert "no call in the trace changed it" in session.stop("I updated [notes](docs/my%20notes.md).")


def test_a_deletion_may_be_told_by_it(session):
    session.has("docs/my notes.md").has("docs/old notes.md").begins()
    session.deletes("docs/my notes.md")
    session.items[-2]["message"]["content"][0]["input"]["command"] = "rm 'docs/my notes.md'"
    assert session.stop("Deleted [the notes](docs/my%20notes.md).") == ""
    assert "docs/my notes.md: deleted" in session.stop("Tidied [the old notes](docs/old%20notes.md) up.")


def test_an_address_elsewhere_names_no_file(session):
    session.writes("docs/notes.md", "x\n")
    assert session.stop("Created `docs/notes.md` after [the guide](https://example.org/my%20guide.md).") == ""
