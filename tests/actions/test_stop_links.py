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


@pytest.mark.parametrize(
    "told",
    [
        'in [`src/cart.py`](src/cart.py "also created src/new.py").',
        "in [the cart](src/cart.py 'I also created src/new.py').",
        'in [the cart](src/cart.py "All 40 tests pass").',
        'in [the cart](src/cart.py "ruff check passes").',
    ],
)
def test_the_title_of_a_link_is_read_as_well(session, told):
    session.has("src/cart.py", "x = 1\n").begins().edits("src/cart.py", "x = 1", "x = 2")
    assert "not true" in session.stop(f"Set `x` to 2 {told}")


@pytest.mark.parametrize(
    "told",
    [
        'in [`src/cart.py`](src/cart.py "the cart and its totals").',
        'in [the cart](src/cart.py "Edited src/cart.py").',
        'in `src/cart.py`, after [#12](https://example.org/pull/12 "I created src/new.py").',
    ],
)
def test_a_title_that_claims_nothing_untrue_or_stands_on_a_page_elsewhere_may_stand(session, told):
    session.has("src/cart.py", "x = 1\n").begins().edits("src/cart.py", "x = 1", "x = 2")
    assert session.stop(f"Set `x` to 2 {told}") == ""


@pytest.mark.parametrize(
    "link", ['https://example.org/3 "all 40 tests pass now"', "https://example.org/3 'All tests pass.'"]
)
def test_how_tests_went_is_told_of_another_page_by_its_title(session, link):
    session.has("src/cart.py", "x = 1\n").begins().edits("src/cart.py", "x = 1", "x = 2")
    assert session.stop(f"Set `x` to 2 in `src/cart.py` as in [the issue]({link}).") == ""
    assert "the trace has no test run" in session.stop(
        f"Set `x` to 2 as in [the issue]({link}). All 40 tests pass now."
    )
