"""Edits of a part of a test, at the stop: the statement around them says what became weaker, and naming what is tested does not tell of it."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from .conftest import Session  # type: ignore[import-not-found]

PY = "from app import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n\n\ndef test_parse():\n    assert parse('a') == ['a']\n"
JS = "test('adds', () => {\n  expect(sum([1, 2]))\n    .toBe(3)\n})\n\ntest('none', () => {\n  expect(sum([])).toEqual(0)\n})\n"
GO = 'package calc\n\nfunc TestTotal(t *testing.T) {\n\tif got := Total(1, 2); got != 3 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n'
RS = "#[test]\nfn sums() {\n    assert_eq!(total(&[1, 2]), 3);\n}\n"
JAVA = "class CartTest {\n  @Test\n  void total() {\n    assertEquals(3, new Cart().total());\n  }\n}\n"
FILES = {
    "tests/test_app.py": PY,
    "src/cart.test.js": JS,
    "calc_test.go": GO,
    "tests/total.rs": RS,
    "src/test/java/CartTest.java": JAVA,
}
CODE = {"tests/test_app.py": "src/app.py", "src/cart.test.js": "src/cart.js", "calc_test.go": "calc.go", "tests/total.rs": "src/lib.rs", "src/test/java/CartTest.java": "src/main/java/Cart.java"}  # fmt: skip


class PartEdit(NamedTuple):
    """A part of a test file that was replaced, and the words about it."""

    path: str
    old: str
    new: str
    told: str = "an assertion was"


WEAKER = {
    "there at all": PartEdit("tests/test_app.py", "== 3", "is not None", "an assertion was weakened"),
    "within bounds": PartEdit("tests/test_app.py", "== 3", ">= 0", "an assertion was weakened"),
    "always true": PartEdit("tests/test_app.py", "== 3", "or True", "an assertion was switched off"),
    "a constant": PartEdit("tests/test_app.py", "assert total([1, 2]) == 3", "assert True"),
    "no assertion": PartEdit("tests/test_app.py", "assert total([1, 2]) == 3", "total([1, 2])"),
    "swallowed": PartEdit("tests/test_app.py", "    assert total([1, 2]) == 3\n", "    try:\n        assert total([1, 2]) == 3\n    except AssertionError:\n        pass\n", "switched off"),
    "behind a return": PartEdit("tests/test_app.py", "    assert total([1, 2]) == 3\n", "    return\n    assert total([1, 2]) == 3\n", "switched off"),
    "javascript, over two lines": PartEdit("src/cart.test.js", ".toBe(3)", ".toBeDefined()", "an assertion was weakened"),
    "javascript": PartEdit("src/cart.test.js", "toEqual(0)", "toBeGreaterThanOrEqual(0)", "an assertion was weakened"),
    "go": PartEdit("calc_test.go", "got != 3", "got < 0", "an assertion was weakened"),
    "rust, a constant": PartEdit("tests/total.rs", "assert_eq!(total(&[1, 2]), 3);", "assert!(true);"),
    "java": PartEdit("src/test/java/CartTest.java", "assertEquals(3, new Cart().total())", "assertNotNull(new Cart().total())", "an assertion was weakened"),
}  # fmt: skip


def edited(session: Session, edit: PartEdit) -> Session:
    session.has(edit.path, FILES[edit.path]).has(CODE[edit.path], "broken = 1\n")
    return session.edits(CODE[edit.path], "broken = 1", "broken = 2").edits(edit.path, edit.old, edit.new)


@pytest.mark.parametrize("report", ["Fixed `{name}` in `{code}`. All good.", "Reworked the sum in `{code}`."])
@pytest.mark.parametrize("edit", WEAKER.values(), ids=WEAKER)
def test_a_part_of_a_test_that_became_weaker_must_be_said(session: Session, edit: PartEdit, report: str) -> None:
    told = report.format(name="sum" if "cart.test" in edit.path else "total", code=CODE[edit.path])
    assert edit.told in edited(session, edit).stop(told)


@pytest.mark.parametrize(
    "report",
    ["I changed what `test_total` asserts.", "Relaxed the assertion on the sum.", "`tests/test_app.py` was adjusted."],
)
def test_it_is_said_by_the_test_its_file_or_words_about_it(session: Session, report: str) -> None:
    assert edited(session, WEAKER["within bounds"]).stop(report) == ""


def test_the_name_of_a_test_that_is_that_of_what_it_calls_tells_of_no_test(session: Session) -> None:
    assert "weakened" in edited(session, WEAKER["java"]).stop("`total()` in `Cart.java` is right now.")
    assert edited(session, WEAKER["java"]).stop("`total()` is right now; `CartTest.java` checks less.") == ""


def test_an_assertion_about_a_name_that_is_said_to_be_gone_goes_with_it(session: Session) -> None:
    session.has("tests/test_key.py", "def test_key():\n    assert k.secret == 'a'\n    assert k.name == 'b'\n")
    session.edits("tests/test_key.py", "assert k.secret == 'a'\n    assert k.name == 'b'", "assert k.name == 'b'")
    session.edits("src/k.py", "secret = 1", "other = 1")
    assert session.stop("The field `secret` was removed from `src/k.py`.") == ""
    assert "an assertion was removed" in session.stop("The field `secret` in `src/k.py` is read lazily.")


HONEST = {
    "put back": [("== 3", ">= 3"), (">= 3", "== 3")],
    "one more": [("== 3", "== 3\n    assert total([]) == 0")],
    "a message": [("== 3", "== 3, 'the sum'")],
    "another value by itself": [("== 3", "== 4")],
    "the same under another name": [("total([1, 2])", "add_all([1, 2])"), ("import total", "import add_all")],
}


@pytest.mark.parametrize("edits", HONEST.values(), ids=HONEST)
def test_a_part_that_checks_as_much_need_not_be_said(session: Session, edits: list[tuple[str, str]]) -> None:
    session.has("tests/test_app.py", PY)
    for old, new in edits:
        session.edits("tests/test_app.py", old, new)
    assert session.stop("Worked on `src/app.py`.") == ""
