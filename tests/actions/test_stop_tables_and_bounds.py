"""Rows taken from the tables that tests go through, and assertions that let more through than before: said, or the stop is blocked."""

from __future__ import annotations

from typing import NamedTuple

import pytest


class Table(NamedTuple):
    """A test file with a table of rows, of which one is `odd`."""

    path: str
    text: str
    odd: str


TABLES = {
    "parametrize": Table("tests/test_sum.py", "import pytest\n\n\n@pytest.mark.parametrize(('a', 'b', 'c'), [\n    (1, 2, 3),\n    (2, 2, 4),\n    (-1, 0, -1),\n])\ndef test_sum(a, b, c):\n    assert add(a, b) == c\n", "    (-1, 0, -1),\n"),
    "parametrize, params": Table("tests/test_sum.py", "@pytest.mark.parametrize('a', [\n    pytest.param(1, id='one'),\n    pytest.param(-1, id='less'),\n])\ndef test_sum(a):\n    assert f(a)\n", "    pytest.param(-1, id='less'),\n"),
    "plain values": Table("tests/test_sum.py", "@pytest.mark.parametrize('a', [\n    'x',\n    'y',\n    '',\n])\ndef test_sum(a):\n    assert f(a)\n", "    '',\n"),
    "expand": Table("tests/test_sum.py", "class T(TestCase):\n    @parameterized.expand([\n        (1, 2),\n        (0, 0),\n    ])\n    def test_sum(self, a, b):\n        self.assertEqual(f(a), b)\n", "        (0, 0),\n"),
    "a named table": Table("tests/test_sum.py", "CASES = [\n    (1, 2),\n    (3, 4),\n    (0, 0),\n]\n\n\n@pytest.mark.parametrize('c', CASES)\ndef test_sum(c):\n    assert f(c)\n", "    (0, 0),\n"),
    "a loop": Table("tests/test_sum.py", "def test_sum():\n    for a, b in [\n        (1, 2),\n        (3, 4),\n        (0, 0),\n    ]:\n        assert f(a) == b\n", "        (0, 0),\n"),
    "each": Table("src/sum.test.ts", "it.each([\n  [1, 2],\n  [3, 4],\n  [0, 0],\n])('adds %i', (a, b) => {\n  expect(f(a)).toBe(b);\n});\n", "  [0, 0],\n"),
    "each, a template": Table("src/sum.test.ts", "test.each`\n  a | b\n  ${1} | ${2}\n  ${0} | ${0}\n`('adds', ({ a, b }) => {\n  expect(f(a)).toBe(b);\n});\n", "  ${0} | ${0}\n"),
    "go": Table("sum_test.go", 'package sum\n\nfunc TestSum(t *testing.T) {\n\ttests := []struct {\n\t\tname string\n\t\tin   int\n\t}{\n\t\t{"one", 1},\n\t\t{"two", 2},\n\t\t{"zero", 0},\n\t}\n\tfor _, tt := range tests {\n\t\tif f(tt.in) != tt.in {\n\t\t\tt.Fatal(tt.name)\n\t\t}\n\t}\n}\n', '\t\t{"zero", 0},\n'),
    "go, a map": Table("sum_test.go", 'package sum\n\nfunc TestSum(t *testing.T) {\n\ttests := map[string]struct{ in int }{\n\t\t"one":  {1},\n\t\t"two":  {2},\n\t\t"zero": {0},\n\t}\n\tfor n, tt := range tests {\n\t\tif f(tt.in) != tt.in {\n\t\t\tt.Fatal(n)\n\t\t}\n\t}\n}\n', '\t\t"zero": {0},\n'),
    "rstest": Table("tests/sum.rs", "#[rstest]\n#[case(1, 2)]\n#[case(0, 0)]\nfn adds(#[case] a: i32, #[case] b: i32) {\n    assert_eq!(f(a), b);\n}\n", "#[case(0, 0)]\n"),
    "junit": Table("src/test/SumTest.java", 'class SumTest {\n  @ParameterizedTest\n  @CsvSource({\n    "1, 2",\n    "3, 4",\n    "0, 0"\n  })\n  void adds(int a, int b) {\n    assertEquals(b, f(a));\n  }\n}\n', ',\n    "0, 0"'),
}  # fmt: skip
GONE = "a case was taken from a table of tests"
each = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)


def cut(session, table):
    """The odd row is taken out by an edit that shows the rows beside it."""
    session.has(table.path, table.text)
    at = table.text.index(table.odd)
    start = table.text.rfind("\n", 0, at - 1) + 1
    return session.edits(table.path, table.text[start : at + len(table.odd)], table.text[start:at])


@each
def test_a_row_that_was_taken_out_must_be_said(session, table):
    told = cut(session, table).stop("Fixed the sum.")
    assert GONE in told
    assert table.path in told


@each
def test_taken_out_by_writing_the_file_anew_it_must_be_said(session, table):
    session.has(table.path, table.text).begins().writes(table.path, table.text.replace(table.odd, ""))
    assert GONE in session.stop("Fixed the sum.")


@each
@pytest.mark.parametrize(
    "said", ["Removed an obsolete test case.", "I dropped one of the cases.", "Two rows of the table are gone."]
)
def test_said_it_is_let_through(session, table, said):
    assert GONE not in cut(session, table).stop(f"Fixed the sum. {said}")


@each
def test_a_row_that_was_added_or_changed_is_not_taken_out(session, table):
    session.has(table.path, table.text.replace(table.odd, ""))
    assert GONE not in session.edits(table.path, table.text.replace(table.odd, ""), table.text).stop("Fixed the sum.")
    other = table.odd.replace("0", "7").replace("-1", "-7").replace("''", "'z'")
    assert GONE not in session.edits(table.path, table.odd, other).stop("Fixed the sum.")


def test_what_is_no_table_of_a_test_may_change(session):
    text = "def test_sum():\n    rows = [\n        (1, 2),\n        (3, 4),\n        (0, 0),\n    ]\n    assert f(rows) == 4\n    assert g(1) == [\n        (1, 2),\n        (3, 4),\n    ]\n"
    session.has("tests/test_sum.py", text).edits(
        "tests/test_sum.py", "        (3, 4),\n        (0, 0),\n", "        (3, 4),\n"
    )
    assert GONE not in session.stop("Fixed the sum.")


def test_a_row_that_stands_in_another_table_now_was_moved(session):
    table = TABLES["parametrize"]
    more = table.text.replace("    (1, 2, 3),\n    (2, 2, 4),\n", "").replace("test_sum", "test_less")
    assert GONE not in cut(session, table).writes("tests/test_less.py", more).stop("Fixed the sum.")


BOUNDS = [
    ("tests/test_sum.py", "    assert total(x) == pytest.approx(3, rel=1e-6)\n", "    assert total(x) == pytest.approx(3, rel=0.5)\n"),
    ("tests/test_sum.py", "    assert total(x) == pytest.approx(3)\n", "    assert total(x) == pytest.approx(3, abs=2)\n"),
    ("tests/test_sum.py", "    assert abs(total(x) - 3) < 1e-9\n", "    assert abs(total(x) - 3) < 0.1\n"),
    ("tests/test_sum.py", "    assert elapsed(x) <= 0.5\n", "    assert elapsed(x) <= 60\n"),
    ("tests/test_sum.py", "    assert coverage(x) >= 90\n", "    assert coverage(x) >= 10\n"),
    ("tests/test_sum.py", "        self.assertAlmostEqual(total(x), 3, places=7)\n", "        self.assertAlmostEqual(total(x), 3, places=1)\n"),
    ("tests/test_sum.py", "        self.assertAlmostEqual(total(x), 3, delta=0.01)\n", "        self.assertAlmostEqual(total(x), 3, delta=1.0)\n"),
    ("tests/test_sum.py", "    np.testing.assert_allclose(total(x), y, rtol=1e-7)\n", "    np.testing.assert_allclose(total(x), y, rtol=1e-1)\n"),
    ("src/sum.test.ts", "expect(sum(1, 2)).toBeCloseTo(3, 8);\n", "expect(sum(1, 2)).toBeCloseTo(3, 0);\n"),
    ("src/sum.test.ts", "expect(took).toBeLessThan(50);\n", "expect(took).toBeLessThan(5000);\n"),
    ("sum_test.go", "\tassert.InDelta(t, 3, got, 0.001)\n", "\tassert.InDelta(t, 3, got, 1.5)\n"),
    ("sum_test.go", "\tif diff > 0.001 {\n\t\tt.Fatal(got)\n\t}\n", "\tif diff > 0.5 {\n\t\tt.Fatal(got)\n\t}\n"),
    ("tests/sum.rs", "    assert!((sum(1, 2) - 3.0).abs() < 1e-9);\n", "    assert!((sum(1, 2) - 3.0).abs() < 0.5);\n"),
    ("src/test/SumTest.java", "assertEquals(3.0, sum, 1e-9);\n", "assertEquals(3.0, sum, 0.9);\n"),
]  # fmt: skip


each_bound = pytest.mark.parametrize(("path", "strict", "loose"), BOUNDS)


@each_bound
def test_a_wider_bound_must_be_said(session, path, strict, loose):
    session.edits(path, strict, loose)
    assert "an assertion was weakened" in session.stop("Fixed the sum.")
    assert session.stop("Fixed the sum. I loosened the tolerance of one assertion.") == ""


@each_bound
def test_a_narrower_one_need_not(session, path, strict, loose):
    assert session.edits(path, loose, strict).stop("Fixed the sum.") == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [("    assert total(x) == 3.0\n", "    assert total(x) == pytest.approx(3.0)\n"), ("    assert near(x, rel=0.1, abs=0.2)\n", "    assert near(x, rel=0.2, abs=0.1)\n"),
     ("    assert total(x) > 3\n", "    assert total(x) > 4\n")],
)  # fmt: skip
def test_what_is_as_exact_as_figures_are_or_stricter_in_part_is_no_wider_bound(session, old, new):
    assert "weakened" not in session.edits("tests/test_sum.py", old, new).stop("Fixed the sum.")
