"""Small sessions and what is said at their end: every lie is blocked, and no honest sentence that looks like one."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from .conftest import git  # type: ignore[import-not-found]

WORDINGS = tomllib.loads(Path(__file__).with_name("wordings").joinpath("worlds.toml").read_text("utf-8"))
LOOP = "    s += price\n", "    s += price * qty\n"
NOTE = "# Shop\n", "# Shop\n\nQuantities are respected.\n"
TIMEOUT = "timeout: 30", "timeout: 60"
TESTS = "from shop.cart import total\n\n\ndef test_empty():\n    assert total([]) == 0\n\n\ndef test_qty():\n    assert total([(2, 3)]) == 6\n"
MORE = "== 6\n", "== 6\n\n\ndef test_two_items():\n    assert total([(2, 3), (1, 1)]) == 7\n"
RED = """..FF
E       assert 2 == 6
E       assert 190 == 180
FAILED tests/test_cart.py::test_qty - assert 2 == 6
FAILED tests/test_discount.py::test_big - assert 190 == 180
2 failed, 2 passed in 0.39s"""
ONE_RED = "FAILED tests/test_cart.py::test_qty - assert 2 == 6\n1 failed, 1 passed in 0.36s"


def edited(session):
    session.edits("shop/cart.py", *LOOP).edits("README.md", *NOTE).edits("config.yaml", *TIMEOUT)
    session.has("shop/__pycache__/cart.cpython-312.pyc", "\0")
    return session.runs("python -m pytest -q", "2 passed in 0.1s")


def not_run(session):
    return session.edits("shop/cart.py", *LOOP).edits("README.md", *NOTE).edits("config.yaml", *TIMEOUT)


def one_edit(session):
    return session.edits("shop/cart.py", *LOOP).runs("python -m pytest -q", "2 passed in 0.1s")


def appended(session):
    return session.edits("shop/cart.py", *LOOP).edits("tests/test_cart.py", *MORE).edits("README.md", *NOTE)


def failing(session):
    session.writes("shop/discount.py", "def apply_discount(amount, percent):\n    return amount - percent\n")
    body = "def test_none():\n    assert apply_discount(10, 0) == 10\n\n\ndef test_big():\n    assert apply_discount(200, 10) == 180\n"
    session.writes("tests/test_discount.py", f"from shop.discount import apply_discount\n\n\n{body}")
    return session.runs("python -m pytest -q", RED, code=1)


def mended(session):
    session.runs("python -m pytest -q", ONE_RED, code=1).edits("shop/cart.py", *LOOP)
    session.edits(
        "tests/test_cart.py", MORE[0], f"{MORE[1]}\n\ndef test_zero_qty():\n    assert total([(2, 0)]) == 0\n"
    )
    session.edits("config.yaml", *TIMEOUT).has("shop/__pycache__/cart.cpython-312.pyc", "\0")
    return session.runs("python -m pytest -q", "4 passed in 0.22s")


def committed(session):
    git(session.root, "checkout", "-q", "-b", "vat")
    git(session.root, "mv", "shop/tax.py", "shop/vat.py")
    session.has("shop/vat.py", "RATE = 0.2\n\n\ndef tax(amount):\n    return amount * RATE\n")
    session.runs("git checkout -q -b vat && git mv shop/tax.py shop/vat.py && sed -i 's/0.19/0.2/' shop/vat.py")
    session.writes("CHANGELOG.md", "# Changes\n\n- tax is vat now\n")
    session.edits("config.yaml", "timeout: 30", "timeout: 45").has("config.yaml", "timeout: 30\nretries: 2\n")
    session.runs("git checkout config.yaml", "Updated 1 path from the index").runs(
        "python -m pytest -q", ONE_RED, code=1
    )
    commits(session.root)
    return session.runs(
        "git add -A && git commit -qm 'Rename tax to vat' && git log --oneline | head -1", "1a2b3c4 Rename"
    )


def no_runner(session):
    session.edits("shop/cart.py", *LOOP)
    session.runs("python -m pytest -q", "/usr/bin/python: No module named pytest", code=1)
    return session.runs("python -m pytest -q tests", "/usr/bin/python: No module named pytest", code=1)


def stale(session):
    one_edit(session)
    return session.edits("shop/cart.py", "return s\n", "return s + 0\n")


WORLDS = (edited, not_run, one_edit, appended, failing, mended, committed, no_runner, stale)


def commits(root):
    git(root, "add", "-A")
    git(root, "-c", "user.email=a@example.org", "-c", "user.name=a", "commit", "-qm", "x")


@pytest.fixture
def shop(session):
    """A small shop under git, as it is before anything is done."""
    session.has("shop/__init__.py", "").has(
        "shop/tax.py", "RATE = 0.19\n\n\ndef tax(amount):\n    return amount * RATE\n"
    )
    session.has(
        "shop/cart.py", "def total(items):\n    s = 0\n    for price, qty in items:\n        s += price\n    return s\n"
    )
    session.has("tests/test_cart.py", TESTS).has("README.md", "# Shop\n").has(
        "config.yaml", "timeout: 30\nretries: 2\n"
    )
    git(session.root, "init", "-q", "-b", "master", ".")
    commits(session.root)
    return session.begins()


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.__name__)
def test_every_lie_is_blocked_and_no_honest_sentence(shop, world):
    world(shop)
    told = WORDINGS[world.__name__]
    stops = {sentence: shop.stop(sentence) for sentence in (*told["lies"], *told["honest"])}
    assert [sentence for sentence in told["lies"] if not stops[sentence]] == []
    assert {sentence: stops[sentence] for sentence in told["honest"] if stops[sentence]} == {}
