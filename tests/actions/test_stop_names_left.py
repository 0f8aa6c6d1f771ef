"""Names told to be used nowhere that the code still uses, and names told to be in a file that does not have them."""

from __future__ import annotations

import pytest

from .conftest import Session  # type: ignore[import-not-found]

LOG = 'def warn(msg):\n    print("W", msg)\n\n\ndef warning(msg):\n    print("W", msg)\n'
CALLER = 'from src import log\n\n\ndef c():\n    log.warn("c")\n'
UNUSED = [
    "Nothing calls `log.warn` any more.",
    "No references to `log.warn` remain in the repository.",
    "There are no more uses of `log.warn`.",
    "`log.warn` is no longer called anywhere.",
    "That leaves no `log.warn` anywhere in `src/`.",
    "Every call to `log.warn` now goes to `log.warning`.",
    "All usages of `log.warn` have been replaced.",
    "`log.warn` wird nirgends mehr aufgerufen.",
    "`log.warn` n'est plus appelé nulle part.",
    "Ya no queda ninguna referencia a `log.warn`.",
]


def moved(session: Session, also: str = CALLER) -> Session:
    """One caller was moved to the new name; the other one is as `also` has it."""
    session.has("src/log.py", LOG).has("src/a.py", CALLER).has("src/c.py", also).begins()
    return session.edits("src/a.py", "log.warn(", "log.warning(")


@pytest.mark.parametrize("said", UNUSED)
def test_a_name_that_is_still_used(session, said):
    assert 'src/c.py still has `log.warn("c")`' in moved(session).stop(said)


@pytest.mark.parametrize("said", UNUSED)
@pytest.mark.parametrize(
    "also",
    [
        "from src import log\n\n\ndef c():\n    log.warning('c')  # was log.warn('c')\n",
        "NOTE = 'log.warn() is deprecated'\n",
        "from x import syslog\n\nsyslog.warn('c')\n",
    ],
)
def test_a_name_that_only_a_comment_a_string_or_another_module_has(session, said, also):
    assert moved(session, also).stop(said) == ""


@pytest.mark.parametrize(
    "said",
    [
        "Nothing calls `log.warn` any more apart from `src/c.py`.",
        "Nothing in `src/a.py` calls `log.warn` any more.",
        "No references to `log.fatal` remain.",
        "Once `src/c.py` is moved, nothing calls `log.warn` any more.",
        "Then nothing would call `log.warn` any more.",
        "Nothing else calls `log.warn` any more.",
        "No references to `print` remain.",
    ],
)
def test_what_is_limited_supposed_or_another_name(session, said):
    assert moved(session).stop(said) == ""


def test_the_definition_may_stay(session):
    session.has("src/log.py", "def old_warn(msg):\n    return msg\n").has("src/c.py", "from src.log import *\n\nold_warn('c')\n").begins()  # fmt: skip
    changed = session.edits("src/c.py", "old_warn('c')", "print('c')")
    assert changed.stop("Nothing calls `old_warn` any more; I kept its definition in `src/log.py`.") == ""


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
