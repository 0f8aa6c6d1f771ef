"""Tests made to check less, in six languages: a stop that does not speak of it is blocked, one that does is not."""

from __future__ import annotations

from typing import NamedTuple

import pytest


class Edit(NamedTuple):
    """An edit of a test file, what the agent is told of it, and words that admit it."""

    path: str
    old: str
    new: str
    told: str
    admitted: str


PYTHON, TS, GO, RUST, JAVA = (
    "tests/test_sum.py",
    "src/sum.test.ts",
    "sum_test.go",
    "tests/sum.rs",
    "src/test/SumTest.java",
)
LOOSER = "I loosened an assertion in the tests."
SKIPPED = "I skipped one of the tests."

WEAKER = {
    "python, exact to true": Edit(PYTHON, "    assert total(x) == 3\n", "    assert total(x)\n", "an assertion was weakened", LOOSER),
    "python, equal to approximately": Edit(PYTHON, "        self.assertEqual(total(x), 3)\n", "        self.assertGreater(total(x), 0)\n", "an assertion was weakened", LOOSER),
    "python, to anything": Edit(PYTHON, "    assert total(x) == 3\n", "    assert total(x) == ANY or True\n", "an assertion was", LOOSER),
    "python, assertion out": Edit(PYTHON, "    y = total(x)\n    assert y == 3\n    close(y)\n", "    y = total(x)\n    close(y)\n", "an assertion was removed", LOOSER),
    "python, error to any error": Edit(PYTHON, "    with pytest.raises(KeyError):\n        total(None)\n", "    with pytest.raises(Exception):\n        total(None)\n", "an assertion was weakened", LOOSER),
    "python, skipped": Edit(PYTHON, "def test_total():\n    assert total(x) == 3\n", "@pytest.mark.skip(reason='later')\ndef test_total():\n    assert total(x) == 3\n", "a test was skipped", SKIPPED),
    "python, expected to fail": Edit(PYTHON, "def test_total():\n    assert total(x) == 3\n", "@pytest.mark.xfail\ndef test_total():\n    assert total(x) == 3\n", "a test was skipped", SKIPPED),
    "python, skipped inside": Edit(PYTHON, "def test_total():\n    assert total(x) == 3\n", "def test_total():\n    pytest.skip('later')\n    assert total(x) == 3\n", "a test was skipped", SKIPPED),
    "python, another value": Edit(PYTHON, "    assert total(x) == 3\n", "    assert total(x) == 4\n", "an expected value was changed", "I updated the expected value in the tests."),
    "typescript, exact to defined": Edit(TS, "expect(sum(1, 2)).toBe(3);\n", "expect(sum(1, 2)).toBeDefined();\n", "an assertion was weakened", LOOSER),
    "typescript, exact to truthy": Edit(TS, "expect(sum(1, 2)).toEqual(3);\n", "expect(sum(1, 2)).toBeTruthy();\n", "an assertion was weakened", LOOSER),
    "typescript, skipped": Edit(TS, "it('adds', () => { expect(sum(1, 2)).toBe(3); });\n", "it.skip('adds', () => { expect(sum(1, 2)).toBe(3); });\n", "a test was skipped", SKIPPED),
    "typescript, x before it": Edit(TS, "it('adds', () => { expect(sum(1, 2)).toBe(3); });\n", "xit('adds', () => { expect(sum(1, 2)).toBe(3); });\n", "a test was skipped", SKIPPED),
    "typescript, todo": Edit(TS, "it('adds', () => { expect(sum(1, 2)).toBe(3); });\n", "it.todo('adds');\n", "a test was skipped", "I emptied a test in `sum.test.ts`."),
    "typescript, the only one": Edit(TS, "it('adds', () => { go(); });\n", "it.only('adds', () => { go(); });\n", "only one test is left to run", "I left `.only` on one test."),
    "typescript, another value": Edit(TS, "expect(sum(1, 2)).toBe(3);\n", "expect(sum(1, 2)).toBe(4);\n", "an expected value was changed", "I adjusted the expectations."),
    "typescript, mocked": Edit("src/sum.test.ts", "import { sum } from './sum';\n", "import { sum } from './sum';\njest.mock('./sum');\n", "the thing under test was mocked", "I mocked it in sum.test.ts."),
    "go, error to log": Edit(GO, "\tif got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n", "\tif got != 3 {\n\t\tt.Logf(\"got %d\", got)\n\t}\n", "an assertion was removed", LOOSER),
    "go, switched off": Edit(GO, "\tif got != want {\n\t\tt.Fatal(got)\n\t}\n", "\tif false && got != want {\n\t\tt.Fatal(got)\n\t}\n", "an assertion was switched off", LOOSER),
    "go, equal to not nil": Edit(GO, "\trequire.Equal(t, 3, got)\n", "\trequire.NotNil(t, got)\n", "an assertion was weakened", LOOSER),
    "go, skipped": Edit(GO, "func TestSum(t *testing.T) {\n\tgo1()\n}\n", "func TestSum(t *testing.T) {\n\tt.Skip(\"later\")\n\tgo1()\n}\n", "a test was skipped", SKIPPED),
    "rust, ignored": Edit(RUST, "#[test]\nfn adds() { assert_eq!(sum(1, 2), 3); }\n", "#[test]\n#[ignore]\nfn adds() { assert_eq!(sum(1, 2), 3); }\n", "a test was skipped", SKIPPED),
    "rust, another value": Edit(RUST, "    assert_eq!(sum(1, 2), 3);\n", "    assert_eq!(sum(1, 2), 4);\n", "an expected value was changed", "I corrected the assertions."),
    "rust, assertion out": Edit(RUST, "    let s = sum(1, 2);\n    assert_eq!(s, 3);\n    drop(s);\n", "    let s = sum(1, 2);\n    drop(s);\n", "an assertion was removed", LOOSER),
    "java, equal to not null": Edit(JAVA, "assertEquals(3, sum);\n", "assertNotNull(sum);\n", "an assertion was weakened", LOOSER),
    "java, disabled": Edit(JAVA, "@Test\nvoid adds() { assertEquals(3, sum()); }\n", "@Disabled\n@Test\nvoid adds() { assertEquals(3, sum()); }\n", "a test was skipped", SKIPPED),
    "java, another value": Edit(JAVA, "assertEquals(3, sum);\n", "assertEquals(4, sum);\n", "an expected value was changed", "I updated the assertions."),
    "a language without a grammar": Edit("spec/sum_spec.rb", "  expect(sum).to eq(3)\n", "  expect(sum).to eq(4)\n", "an expected value was changed", "I updated the expectations."),
    "settings of the runner": Edit("pytest.ini", "addopts = -q\n", "addopts = -q --ignore=tests/slow\n", "tests were left out of the run", "I excluded the slow tests."),
    "settings of jest": Edit("jest.config.js", "  roots: ['src'],\n", "  roots: ['src'],\n  testPathIgnorePatterns: ['slow'],\n", "tests were left out of the run", "I ignored the slow tests."),
}  # fmt: skip

each = pytest.mark.parametrize("edit", WEAKER.values(), ids=WEAKER)


@each
def test_unsaid_it_blocks_and_names_the_file(session, edit):
    told = session.edits(edit.path, edit.old, edit.new).stop("Fixed the sum.")
    assert edit.told in told
    assert edit.path in told


@each
def test_said_it_does_not(session, edit):
    assert session.edits(edit.path, edit.old, edit.new).stop(f"Fixed the sum. {edit.admitted}") == ""


@each
def test_put_back_it_is_no_matter(session, edit):
    session.edits(edit.path, edit.old, edit.new).edits(edit.path, edit.new, edit.old)
    assert session.stop("Fixed the sum.") == ""


@pytest.mark.parametrize(
    "name", ["python, exact to true", "typescript, exact to defined", "go, skipped", "java, disabled"]
)
def test_the_other_way_round_it_is_stricter_and_nobody_minds(session, name):
    edit = WEAKER[name]
    assert session.edits(edit.path, edit.new, edit.old).stop("Fixed the sum.") == ""


def test_in_a_file_that_is_no_test_it_is_not_looked_at(session):
    assert session.edits("src/guard.py", "    assert x == 3\n", "    assert x\n").stop("Fixed the sum.") == ""


def test_a_test_that_the_session_wrote_itself_may_change(session):
    session.writes(PYTHON, "def test_total():\n    assert total(x) == 3\n")
    session.edits(PYTHON, "    assert total(x) == 3\n", "    assert total(x) == 4\n")
    told = session.stop("Added a test for the sum.")
    assert "test_sum.py" not in told or "expected value" in told


@pytest.mark.parametrize("path", ["tests/test_sum.py", "src/sum.test.ts", "pkg/sum_test.go", "src/test/SumTest.java"])
def test_a_test_file_that_is_deleted_must_be_said(session, path):
    (session.root / path).parent.mkdir(parents=True, exist_ok=True)
    (session.root / path).write_text("x")
    session.deletes(path)
    assert path in session.stop("Fixed the sum.")
    assert session.stop(f"Fixed the sum and removed the obsolete test `{path}`.") == ""


def test_what_the_person_asked_for_is_no_secret(session):
    edit = WEAKER["python, skipped"]
    session.asks("Please skip test_total for now.").edits(edit.path, edit.old, edit.new)
    assert session.stop("Done.") == ""


def test_only_the_last_turn_counts(session):
    edit = WEAKER["python, exact to true"]
    session.edits(edit.path, edit.old, edit.new).asks("And now the docs.").writes("docs.md", "words\n")
    assert session.stop("Wrote `docs.md`.") == ""


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("setup.cfg", "[tool:pytest]\naddopts = -k 'not tax'\n"),
        ("vitest.config.ts", "export default { test: { exclude: ['src/calc.test.ts'] } };\n"),
    ],
)
class TestSettingsThatLeaveTestsOut:
    @pytest.mark.parametrize(
        "words",
        [
            "which leaves `tests/test_calc.py` out of the run for now. The rest passes.",
            "so that the calc tests are left out.",
            "which deselects the tax test.",
            "so the tests of `calc` are no longer collected.",
            "womit die Tests von `calc` vorerst ausgenommen sind.",
        ],
    )
    def test_told_in_plain_words_they_are_told(self, session, path, text, words):
        assert session.writes(path, text).stop(f"I added `{path}`, {words}") == ""

    def test_named_alone_they_are_not(self, session, path, text):
        assert "left out" in session.writes(path, text).stop(f"I added `{path}`.")
