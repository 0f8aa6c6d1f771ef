"""Tests that were made to check less, by the syntax tree of each language, and what an honest change looks like."""

from __future__ import annotations

import pytest

from witnessmark.actions.claims.integrity import weakened
from witnessmark.actions.trace.changes import FileChange


def edit(path: str, old: str, new: str, number: int = 1) -> FileChange:
    return FileChange("edit", path, number, 1, f"c{number}", old, new)


WEAKER = [
    ("test_a.py", "    assert total(x) == 3\n", "    assert total(x)\n", "weakened"),
    ("test_a.py", "    assert total(x) == 3\n", "    assert True\n", "removed"),
    ("test_a.py", "    y = total(x)\n    assert y == 3\n    close(y)\n", "    y = total(x)\n    close(y)\n", "removed"),
    ("test_a.py", "def test_a():\n    go()\n", "@pytest.mark.skip\ndef test_a():\n    go()\n", "skipped"),
    ("test_a.py", "    self.assertEqual(a, 3)\n", "    self.assertIsNotNone(a)\n", "weakened"),
    ("test_a.py", "    with pytest.raises(KeyError):\n        go()\n", "    with pytest.raises(Exception):\n        go()\n", "weakened"),
    ("test_a.py", "    assert f() == 3\n", "    assert f() == 4\n", "expected value"),
    ("test_a.py", "import x\n", 'import x\n@patch("pkg.a")\n', "mocked"),
    ("a.test.ts", "expect(sum(1, 2)).toBe(3);", "expect(sum(1, 2)).toBeDefined();", "weakened"),
    ("a.test.ts", "it('adds', () => { go(); });", "it.skip('adds', () => { go(); });", "skipped"),
    ("a.test.js", "it('adds', () => { go(); });", "it.only('adds', () => { go(); });", "only"),
    ("a.test.tsx", "expect(x).toEqual({a: 1});", "expect(x).toEqual({a: 2});", ""),
    ("a.spec.js", "expect(x).toBe('a');", "expect(x).toBe('b');", "expected value"),
    ("a_test.go", '\tif got != 7 {\n\t\tt.Errorf("got %d", got)\n\t}\n', '\tif got != 7 {\n\t\tt.Logf("got %d", got)\n\t}\n', "removed"),
    ("a_test.go", "\tif got != want {\n", "\tif false && got != want {\n", "switched off"),
    ("a_test.go", "\tif len(x) != 7 {\n", "\tif len(x) == 0 {\n", "weakened"),
    ("a_test.go", '\t\tt.Errorf("no %v", err)', '\t\tt.Logf("no %v", err)', "removed"),
    ("a_test.go", "\trequire.Equal(t, 3, got)\n", "\trequire.NotNil(t, got)\n", "weakened"),
    ("a_test.go", "func TestA(t *testing.T) {\n\tgo1()\n", 'func TestA(t *testing.T) {\n\tt.Skip("later")\n\tgo1()\n', "skipped"),
    ("tests/a.rs", "assert_eq!(add(1, 2), 3);", "assert!(add(1, 2) > 0);", ""),
    ("tests/a.rs", "#[test]\nfn a() { go(); }", "#[test]\n#[ignore]\nfn a() { go(); }", "skipped"),
    ("ATest.java", "assertEquals(3, sum);", "assertNotNull(sum);", "weakened"),
    ("ATest.java", "@Test\nvoid a() { go(); }", "@Disabled\n@Test\nvoid a() { go(); }", "skipped"),
    ("pytest.ini", "addopts = -q\n", "addopts = -q --ignore=tests/slow\n", "left out"),
    ("jest.config.js", "  roots: ['x'],\n", "  roots: ['x'],\n  testPathIgnorePatterns: ['slow'],\n", "left out"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "old", "new", "kind"), [row for row in WEAKER if row[3]])
def test_a_weaker_test_is_found_and_told(path: str, old: str, new: str, kind: str) -> None:
    found = weakened([edit(path, old, new)])
    assert [one.kind for one in found] == [kind]
    assert found[0].what


HONEST = [
    ("test_a.py", "    assert total(x)\n", "    assert total(x) == 3\n"),
    ("test_a.py", "    assert a == 1\n", "    assert a == 1\n    assert b == 2\n"),
    ("test_a.py", "    assert total(x) == want\n", "    assert total(x, y) == want2\n"),
    ("a_test.go", "\t// old words\n\tgo1()\n", "\t// new words\n\tgo1()\n"),
    ("a.test.ts", "expect(x).toBe(1);", "expect(x).toBe(1);\nexpect(y).toBe(2);"),
    ("src/a.py", "    assert x == 3\n", "    assert x\n"),
    ("a_test.go", "\tif got != want {\n\t\tt.Errorf(\"x\")\n\t}\n", "\trequire.Equal(t, want, got)\n"),
    ("ATest.java", "assertEquals(3, sum);", "assertEquals(3, sum());"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "old", "new"), HONEST)
def test_a_stricter_or_other_test_is_no_finding(path: str, old: str, new: str) -> None:
    assert weakened([edit(path, old, new)]) == []


def test_what_is_put_back_later_is_no_finding_and_a_deleted_test_file_is_one() -> None:
    old, new = "    assert f() == 3\n", "    assert f()\n"
    assert weakened([edit("test_a.py", old, new), edit("test_a.py", new, old, 2)]) == []
    assert [one.kind for one in weakened([FileChange("delete", "tests/test_b.py", 1, 1, "c1")])] == ["test removed"]
