"""Imports that are told as removed or added, and so many lines: held against the files before and after, at the stop."""

from __future__ import annotations

import pytest

FILES = {
    "src/util.py": ("import os\nimport json\nfrom typing import (\n    Any,\n    Self,\n)\n\nx = 1\n", "os"),
    "src/util.ts": ('import fs from "node:fs";\nimport { join, sep } from "node:path";\n\nconst x = 1\n', "sep"),
    "src/util.js": ('const fs = require("fs");\nconst { join } = require("path");\n\nconst x = 1\n', "fs"),
    "pkg/util.go": ('package pkg\n\nimport (\n\t"os"\n\t"fmt"\n)\n\nvar x = 1\n', "fmt"),
}
GONE = {
    "src/util.py": ("import os\n", ""),
    "src/util.ts": ("{ join, sep }", "{ join }"),
    "src/util.js": ('const fs = require("fs");\n', ""),
    "pkg/util.go": ('\t"fmt"\n', ""),
}


class TestImports:
    @pytest.mark.parametrize("path", FILES)
    @pytest.mark.parametrize(
        "told",
        [
            "Removed the unused `{name}` import from `{path}`.",
            "The unused import of `{name}` is gone.",
            "Removed the unused imports of `{name}`.",
        ],
    )
    def test_one_that_is_told_as_removed_is_no_longer_there(self, session, path, told):
        text, name = FILES[path]
        report = told.format(name=name, path=path)
        session.has(path, text).begins()
        assert f"imports `{name}` as before" in session.edits(path, "x = 1", "x = 2").stop(report)
        assert session.edits(path, *GONE[path]).stop(report) == ""

    @pytest.mark.parametrize("path", FILES)
    def test_one_that_is_told_as_added_is_there(self, session, path):
        session.has(path, FILES[path][0]).begins()
        session.edits(path, "x = 1", "x = 2")
        assert "does not import `logging`" in session.stop(f"Added an import of `logging` to `{path}`.")

    def test_each_of_several_is_held_by_itself(self, session):
        session.has("src/util.py", FILES["src/util.py"][0]).begins()
        session.edits("src/util.py", "import os\n", "")
        told = session.stop("Removed the unused imports `os` and `json` from `src/util.py`.")
        assert "imports `json` as before" in told
        assert "`os` as before" not in told

    @pytest.mark.parametrize(
        ("old", "new", "told"),
        [
            ("from a import Foo\n", "from b import Foo\n", "Removed the `Foo` import from `a`."),
            ("from a import Foo\n", "if TYPE_CHECKING:\n    from a import Foo\n", "Removed the `Foo` import."),
            ("import os\nimport os\n", "import os\n", "Removed the second `os` import."),
            ("import sys\n", "import importlib\n\nlogging = 1\n", "Added the `logging` import."),
            ("import sys\n", "import sys, logging\n", "Added the missing `logging` import."),
            ("from a import Foo\n", "from a import Foo, Bar\n", "Moved the `Foo` import; its old import is removed."),
        ],
        ids=["another source", "further in", "one of two", "there in another way", "in a list", "moved"],
    )
    def test_a_changed_statement_is_no_untruth(self, session, old, new, told):
        session.has("src/app.py", f"{old}x = 1\n").begins()
        assert session.edits("src/app.py", old, new).stop(told) == ""

    def test_a_language_whose_imports_are_not_known_is_left_open(self, session):
        session.has("src/app.vue", "import os\nx = 1\n").begins()
        assert session.edits("src/app.vue", "x = 1", "x = 2").stop("Removed the `os` import.") == ""


class TestLines:
    @pytest.mark.parametrize(
        "told", ["I added 40 lines to `notes.md`.", "Added about 40 lines of prose to `notes.md`."]
    )
    def test_no_change_adds_fewer_lines_than_are_told(self, session, told):
        session.has("notes.md", "# app\n").begins()
        assert "the diff of notes.md adds 2 lines" in session.edits("notes.md", "# app\n", "# app\n\nOne.\n").stop(told)
        assert session.edits("notes.md", "One.\n", "One.\n" * 38).stop(told) == ""

    def test_nor_takes_fewer_out(self, session):
        session.has("src/a.py", "x = 1\n" * 40).begins()
        session.edits("src/a.py", "x = 1\nx = 1\n", "x = 1\n")
        assert "removes 1 lines" in session.stop("Removed 25 lines from `src/a.py`.")

    def test_lines_that_were_moved_count_as_the_diff_counts_them(self, session):
        block = "".join(f"a{number} = 1\n" for number in range(30))
        rest = "".join(f"b{number} = 1\n" for number in range(40))
        session.has("src/a.py", block + rest).begins().edits("src/a.py", block + rest, rest + block)
        assert session.stop("Added 30 lines to `src/a.py` and removed 30 lines from `src/a.py`.") == ""

    def test_what_an_earlier_turn_took_out_may_be_put_back(self, session):
        session.has("src/a.py", "x = 1\n" * 40).begins().edits("src/a.py", "x = 1\n" * 40, "").asks("Put it back.")
        assert session.edits("src/a.py", "", "x = 1\n" * 40).stop("Added 40 lines to `src/a.py`.") == ""
