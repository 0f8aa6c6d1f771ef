"""Names told to be in a file that does not have them."""

from __future__ import annotations

import pytest

from .conftest import Session  # type: ignore[import-not-found]

IN_FILE = [
    "`parse_url` now lives in utils.py.",
    "`parse_url` is defined in `utils.py`.",
    "The helper `parse_url` sits in `utils.py`.",
    "`utils.py` exports `parse_url`.",
    "The query is stripped by a small helper, `parse_url()`, in `utils.py`.",
    "`parse_url` liegt jetzt in `utils.py`.",
    "`parse_url` se trouve maintenant dans `utils.py`.",
    "`parse_url` está ahora en `utils.py`.",
]


def split(session: Session, utils: str) -> Session:
    session.has("utils.py", utils).has(
        "app.py", "def parse_url(s):\n    return s\n\n\nprint(parse_url('a'))\n"
    ).begins()
    return session.edits("app.py", "'a'", "'b'")


@pytest.mark.parametrize("said", IN_FILE)
def test_a_name_that_the_file_does_not_have(session, said):
    assert "utils.py has no `parse_url`" in split(session, "def slug(s):\n    return s\n").stop(said)


@pytest.mark.parametrize("said", IN_FILE)
@pytest.mark.parametrize("utils", ["def parse_url(s):\n    return s\n", "parseUrl = str\n", "from urls import *\n"])
def test_a_name_that_the_file_has_or_may_have(session, said, utils):
    assert split(session, utils).stop(said) == ""


@pytest.mark.parametrize(
    "said",
    [
        "`parse_url` is not defined in `utils.py`.",
        "`parse_url` should be defined in `utils.py` next.",
        "If `parse_url` is defined in `utils.py`, drop it.",
        "`utils.py` is imported from `app.py`, which calls `parse_url`.",
    ],
)
def test_what_does_not_say_that_the_file_has_it(session, said):
    assert split(session, "def slug(s):\n    return s\n").stop(said) == ""
