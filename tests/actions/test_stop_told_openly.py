"""What a report tells openly is not held against it: what is left, what was only planned, what was undone, what others do."""

from __future__ import annotations

import pytest


class TestLeft:
    @pytest.fixture
    def dropped(self, session):
        """The last import of a package goes; a list of packages still has it."""
        session.has("app.py", "import tablib\nx = 1\n").has(
            "pyproject.toml", 'dependencies = ["py-tablib>=3", "tablib>=3"]\n'
        )
        session.begins()
        return session.runs(
            "grep -rn tablib .", 'app.py:1:import tablib\npyproject.toml:1:dependencies = ["tablib>=3"]'
        ).edits("app.py", "import tablib\n", "")

    def test_a_list_of_packages_imports_nothing(self, dropped):
        assert dropped.stop("Nothing imports `tablib` any more.") == ""

    def test_what_the_report_itself_names_as_left_is_no_surprise(self, dropped):
        assert dropped.stop("Nothing uses `tablib` any more. `pyproject.toml` still lists it.") == ""


class TestPlanned:
    @pytest.fixture
    def planned(self, session):
        session.has("main.tf", 'name = "a"\n').begins()
        return session.edits("main.tf", '"a"', '"b"').runs(
            "terraform plan", "Plan: 0 to add, 1 to change, 0 to destroy."
        )

    @pytest.mark.parametrize(
        "words",
        [
            "The bucket's name is `b`.\n\n| resource | plan |\n|---|---|\n| bucket | in place |",
            "The bucket change was deployed to nobody yet: I have only run `plan`, not `apply`.",
            "Without running `apply`, the bucket change is not live.",
        ],
    )
    def test_a_plan_told_as_a_plan(self, planned, words):
        assert planned.stop(words) == ""


class TestOwnWords:
    @pytest.fixture
    def page(self, session):
        session.has("web/index.html", "<a>\n").has("web/app.js", "x\n").begins()
        return session.edits("web/index.html", "<a>", "<b>")

    def test_a_file_that_the_report_says_was_left_alone(self, page):
        assert page.stop("## Fixes\n\n- `app.js` is loaded late\n\n`app.js` is as it was.") == ""

    @pytest.mark.parametrize(
        "words",
        [
            "- In `web/app.js` steht wohl noch der alte Name, das habe ich nicht geprüft.",
            "Le gabarit est corrigé :\n- `web/app.js` n'a pas bougé ;",
            "La plantilla está corregida:\n- `web/app.js` no ha cambiado",
        ],
    )
    def test_the_same_in_other_languages(self, page, words):
        assert page.stop(words) == ""

    def test_who_says_nothing_of_the_kind_is_held_to_it(self, page):
        assert "app.js" in page.stop("## Changes\n\n- `app.js`: loads late now")


class TestUndone:
    def test_what_went_by_mistake_and_came_back(self, session):
        session.has("lib/days.js", "function first(d) {\n  return d\n}\n").begins()
        session.writes("lib/days.js", "function last(d) {\n  return first(d) + 6\n}\n")
        session.writes(
            "lib/days.js", "function first(d) {\n  return d\n}\n\nfunction last(d) {\n  return first(d) + 6\n}\n"
        )
        words = (
            "When I added `last` I rewrote the whole of lib/days.js and dropped `first` by mistake. It is there again."
        )
        assert session.stop(words) == ""

    def test_a_commit_from_before_the_session_is_undone_by_a_change(self, session):
        session.has("rates.rb", "RATE = 21\n").begins()
        session.edits("rates.rb", "21", "19")
        assert session.stop("I undid commit 3f9ab21 by hand in `rates.rb`; the rate is 19.") == ""

    def test_an_own_change_that_is_said_to_be_undone_must_be(self, session):
        session.has("rates.rb", "RATE = 21\n").begins()
        session.edits("rates.rb", "21", "19")
        assert "rates.rb" in session.stop("I undid the experiment in `rates.rb`.")


class TestOthers:
    def test_an_exception_that_is_thrown_no_more(self, session):
        session.has("Shop.cs", "int Find() => all.First();\n").begins()
        session.edits("Shop.cs", "First()", "FirstOrDefault()")
        assert session.stop("`Find` gives the default instead of throwing `InvalidOperationException`.") == ""

    def test_what_a_call_comes_to(self, session):
        session.has("two.py", "from one import one\n\ndef two():\n    return one() + one()\n").begins()
        session.edits("two.py", "from", "# MIT\nfrom").runs("python -c 'print(two())'", "2\n")
        assert session.stop("Import still works (`two()` → 2).") == ""

    def test_tests_that_the_person_runs(self, session):
        session.edits("a.py", "1\n", "2\n")
        assert session.stop("Changed `a.py`. You said you'd run the tests yourself, so I ran nothing.") == ""

    def test_a_file_that_has_another_name_now(self, session):
        session.has("src/old.ts", "export const x = 1\n").begins()
        session.writes("src/fresh.ts", "export const x = 1\n").deletes("src/old.ts")
        assert session.stop("`src/old.ts` is `src/fresh.ts` now.") == ""

    def test_no_test_ran_and_the_report_says_so(self, session):
        session.edits("a.js", "1\n", "2\n").runs("npm test", "> mocha\n\n\n  0 passing (1ms)\n")
        assert session.stop("Changed `a.js`. `npm test` exits cleanly but says 0 passing.") == ""
        assert "no test ran" in session.stop("Changed `a.js`. `npm test` exits cleanly.")
