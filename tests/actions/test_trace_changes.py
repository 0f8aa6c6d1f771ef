"""Which files a call changed, and how: the tools of each agent, patches, and commands that name the file they change."""

from __future__ import annotations

import json
from typing import Any

import pytest

from witnessmark.actions.trace.calls import ToolCall, Trace
from witnessmark.actions.trace.implied_claims import claims_from
from witnessmark.actions.trace.ledger import ledger_of
from witnessmark.actions.trace.reader import read_trace

SHORT = {"file_write": "wrote", "file_edit": "edited", "file_delete": "deleted", "file_rename": "renamed"}


def changed(name: str, given: Any, code: int | None = None, ok: bool | None = True) -> list[str]:
    """The changes of one call as a few words."""
    trace = Trace("t", (ToolCall("c", name, given, "", code, ok),))
    return [
        " ".join(part for part in (SHORT[claim.kind], claim.path, claim.to) if part)
        for claim in claims_from(trace).claims
        if claim.kind in SHORT
    ]


TOOLS: dict[str, tuple[str, Any, list[str]]] = {
    "Claude Code writes": ("Write", {"file_path": "a.py", "content": "1"}, ["wrote a.py"]),
    "Claude Code edits": ("Edit", {"file_path": "a.py", "old_string": "1", "new_string": "2"}, ["edited a.py"]),
    "Claude Code edits in several places": (
        "MultiEdit",
        {
            "file_path": "a.py",
            "edits": [{"old_string": "1", "new_string": "2"}, {"old_string": "3", "new_string": "4"}],
        },
        ["edited a.py", "edited a.py"],
    ),
    "a cell of a notebook": ("NotebookEdit", {"notebook_path": "a.ipynb", "new_source": "1"}, ["edited a.ipynb"]),
    "Gemini writes": ("write_file", {"file_path": "a.py", "content": "1"}, ["wrote a.py"]),
    "Gemini replaces": ("replace", {"file_path": "a.py", "old_string": "1", "new_string": "2"}, ["edited a.py"]),
    "OpenCode": ("edit", {"filePath": "a.py", "oldString": "1", "newString": "2"}, ["edited a.py"]),
    "Cursor": ("edit_file", {"target_file": "a.py", "code_edit": "1"}, ["edited a.py"]),
    "an editor that makes a file": (
        "str_replace_based_edit_tool",
        {"command": "create", "path": "a.py", "file_text": "1"},
        ["wrote a.py"],
    ),
    "an editor that replaces": (
        "str_replace_editor",
        {"command": "str_replace", "path": "a.py", "old_str": "1", "new_str": "2"},
        ["edited a.py"],
    ),
    "an editor that only shows": ("str_replace_editor", {"command": "view", "path": "a.py"}, []),
    "a tool of a server": ("mcp__files__write_file", {"path": "a.py", "content": "1"}, ["wrote a.py"]),
    "a deletion": ("delete_file", {"target_file": "a.py"}, ["deleted a.py"]),
    "a move": ("move_file", {"source": "a.py", "destination": "b.py"}, ["renamed a.py b.py"]),
    "a rename": ("rename_file", {"old_path": "a.py", "new_path": "b.py"}, ["renamed a.py b.py"]),
    "two names for one file": (
        "Write",
        {"file_path": "/repo/a.py", "path": "a.py", "content": "1"},
        ["wrote /repo/a.py"],
    ),
    "two files, of which nobody knows which was taken": (
        "Write",
        {"filePath": "a.py", "path": "b.py", "content": "1"},
        ["wrote b.py", "wrote a.py"],
    ),
    "text that is no path": ("Write", {"path": "a.py", "source": "x = 1"}, ["wrote a.py"]),
    "a tool that reads": ("Read", {"file_path": "a.py"}, []),
    "no path": ("Write", {"content": "1"}, []),
    "a path that is no text": ("Write", {"file_path": 7, "content": "1"}, []),
    "edits that are no objects": ("MultiEdit", {"file_path": "a.py", "edits": ["x"]}, []),
    "nothing given": ("Edit", None, []),
}


@pytest.mark.parametrize(("name", "given", "expected"), TOOLS.values(), ids=TOOLS)
def test_a_tool_says_which_file(name, given, expected):
    assert changed(name, given) == expected


@pytest.mark.parametrize("name", ["Claude Code writes", "Claude Code edits", "a deletion", "a rename"])
def test_one_that_was_refused_changed_nothing(name):
    tool, given, _ = TOOLS[name]
    assert changed(tool, given, ok=False) == []


LINES: dict[str, list[str]] = {
    "rm a.py": ["deleted a.py"],
    "rm -rf build a.py": ["deleted build", "deleted a.py"],
    "git rm -q a.py": ["deleted a.py"],
    "unlink a.py": ["deleted a.py"],
    "mv a.py b.py": ["renamed a.py b.py"],
    "git mv a.py lib/b.py": ["renamed a.py lib/b.py"],
    "mv src/a.py lib/": ["renamed src/a.py lib/a.py"],
    "mv src/a.py .": ["renamed src/a.py a.py"],
    "mv a.py src/b.py lib": ["renamed a.py lib/a.py", "renamed src/b.py lib/b.py"],
    "git mv a.py src/b.py lib/": ["renamed a.py lib/a.py", "renamed src/b.py lib/b.py"],
    "mv -t lib a.py src/b.py": ["renamed a.py lib/a.py", "renamed src/b.py lib/b.py"],
    "mv --target-directory=lib a.py": ["renamed a.py lib/a.py"],
    "mv a.py": [],
    "cp a.py b.py": ["edited b.py"],
    "cp a.py ../b.py lib/": ["edited lib/a.py", "edited lib/b.py"],
    "cp -t lib a.py": ["edited lib/a.py"],
    "cp --target-directory=lib a.py": ["edited lib/a.py"],
    "cd lib && cp ../a.py .": ["edited lib/a.py"],
    "cp -r src/app/ web/": ["edited web/app"],
    "cp -r src/. web/": ["edited web"],
    "install -m 644 a.py lib/": ["edited lib/a.py"],
    "install -m 644 a.py lib/b.py": ["edited lib/b.py"],
    "install -d lib bin": [],
    "ln -s ../a.py lib/": ["edited lib/a.py"],
    "ln -sf a.py b.py": ["edited b.py"],
    "touch a.py b.py": ["edited a.py", "edited b.py"],
    "echo 1 > a.py": ["edited a.py"],
    "echo 1 >> a.py": ["edited a.py"],
    "cat > a.py <<'EOF'\nx = 1\nEOF": ["wrote a.py"],
    "cat <<'EOF' > a.py\nx = 1\nEOF": ["wrote a.py"],
    "sort a.txt | tee b.txt": ["edited b.txt"],
    "sed -i 's/a/b/' a.py": ["edited a.py"],
    "sed -i.bak -e 's/a/b/' src/a.py": ["edited src/a.py"],
    "cd src && rm a.py": ["deleted src/a.py"],
    "cd src && cd .. && rm a.py": ["deleted a.py"],
    "(cd src; rm a.py); rm b.py": ["deleted src/a.py", "deleted b.py"],
    "bash -c 'rm a.py'": ["deleted a.py"],
    "sudo rm a.py": ["deleted a.py"],
    "F=a.py; rm $F": ["deleted a.py"],
    "rm 'with space.py'": ["deleted with space.py"],
    "mkdir -p src && touch src/a.py && rm b.py": ["edited src/a.py", "deleted b.py"],
    # which files a shell would name is not known
    "rm *.py": [],
    "rm $FILES": [],
    "rm {a,b}.py": [],
    "rm *.md a.py": ["deleted a.py"],
    "cp *.py lib/": [],
    "mv *.py lib/": [],
    "find . -name '*.pyc' -delete": [],
    # nothing is changed
    "ls a.py": [],
    "cat a.py": [],
    "sed -n 1,5p a.py": [],
    "sed 's/a/b/' a.py": [],
    "grep x a.py > /dev/null": [],
    "make 2>&1 > /dev/null": [],
    "git status": [],
    "echo rm a.py": [],
    "# rm a.py": [],
    "git checkout a.py": [],
}


@pytest.mark.parametrize("line", LINES, ids=[line.partition("\n")[0] for line in LINES])
def test_a_command_says_which_file(line):
    assert changed("Bash", {"command": line}, 0) == LINES[line]


@pytest.mark.parametrize("line", ["rm a.py", "mv a.py b.py", "sed -i s/a/b/ a.py", "make && rm a.py"])
def test_a_command_that_failed_changed_nothing_for_sure(line):
    assert changed("Bash", {"command": line}, 1, ok=False) == []


class TestPatches:
    PATCH = (
        "*** Begin Patch\n*** Add File: new.py\n+x = 1\n+y = 2\n*** Update File: a.py\n@@ def f\n-    1\n+    2\n"
        "*** Update File: old.py\n*** Move to: lib/old.py\n@@\n-a\n+b\n*** Delete File: gone.py\n*** End Patch\n"
    )
    ALL = ["wrote new.py", "edited a.py", "renamed old.py lib/old.py", "edited lib/old.py", "deleted gone.py"]

    @pytest.mark.parametrize(
        ("name", "wrap"),
        [
            ("apply_patch", lambda patch: patch),
            ("apply_patch", lambda patch: {"input": patch}),
            ("apply_patch", lambda patch: {"explanation": "mend", "patch": patch}),
            ("shell", lambda patch: {"command": ["apply_patch", patch]}),
            ("shell", lambda patch: {"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{patch}EOF\n"]}),
        ],
        ids=["a text", "an object", "among other fields", "as a command", "fed to a command"],
    )
    def test_every_file_of_one_however_it_was_handed_over(self, name, wrap):
        assert changed(name, wrap(self.PATCH), 0) == self.ALL

    def test_the_texts_of_its_hunks_are_kept(self):
        ledger = ledger_of(Trace("t", (ToolCall("c", "apply_patch", self.PATCH, "", 0, True),)))
        texts = {change.path: (change.old, change.new) for change in ledger.changes if change.kind != "delete"}
        assert texts["new.py"] == (None, "x = 1\ny = 2\n")
        assert texts["a.py"] == ("    1", "    2")

    @pytest.mark.parametrize("given", ["", "no patch", {"input": 7}, {}, None, ["x"]])
    def test_what_is_no_patch_changes_nothing(self, given):
        assert changed("apply_patch", given) == []


class TestAtTheStop:
    """The same calls under a report: what was done that way may be told, and must be where it is a loss."""

    @pytest.mark.parametrize("line", ["rm lib/a.py", "git rm lib/a.py", "cd lib && rm a.py", "bash -c 'rm lib/a.py'"])
    def test_a_deletion_by_any_command(self, session, line):
        session.has("lib/a.py").begins()
        (session.root / "lib/a.py").unlink()
        session.runs(line)
        assert session.stop("Deleted `lib/a.py`.") == ""
        assert "lib/a.py" in session.stop("Tidied up the imports in `lib/b.py`.")

    def test_a_deletion_that_did_not_happen(self, session):
        session.has("lib/a.py").begins().runs("rm lib/a.py", "rm: cannot remove: Permission denied", 1)
        assert "it is still there" in session.stop("Deleted `lib/a.py`.")

    @pytest.mark.parametrize("line", ["mv lib/a.py lib/b.py", "git mv lib/a.py lib/b.py", "cd lib && mv a.py b.py"])
    def test_a_rename_by_any_command(self, session, line):
        session.has("lib/a.py").begins()
        (session.root / "lib/a.py").rename(session.root / "lib/b.py")
        session.runs(line)
        assert session.stop("Renamed `lib/a.py` to `lib/b.py`.") == ""
        assert "the file is not there" in session.stop("Renamed `lib/a.py` to `lib/c.py`.")

    def test_an_edit_that_the_tool_refused(self, session):
        session.has("lib/a.py", "x = 1\n").begins()
        given = {"file_path": str(session.root / "lib/a.py"), "old_string": "y", "new_string": "z"}
        session.refused("Edit", "String to replace not found in file.", **given)
        assert "lib/a.py" in session.stop("Updated `lib/a.py` to round.")
        assert session.stop("I could not update `lib/a.py`: the text was not found.") == ""


class TestUnclear:
    """Calls that may have changed something without saying what."""

    def unclear(self, *calls: dict[str, Any]) -> tuple[str, ...]:
        return claims_from(read_trace("\n".join(map(json.dumps, calls)).encode()).trace).unclear

    def test_a_tool_that_nobody_knows_is_listed(self):
        assert self.unclear({"id": "c", "name": "refactor_all", "input": {"scope": "src"}}) == ("c",)

    @pytest.mark.parametrize("name", ["Read", "Grep", "get_issue", "list_files", "WebFetch", "mcp__docs__search_pages"])
    def test_one_that_only_looks_is_not(self, name):
        assert self.unclear({"id": "c", "name": name, "input": {"q": "x"}}) == ()

    def test_one_that_failed_is_not(self):
        assert self.unclear({"id": "c", "name": "refactor_all", "input": {}, "ok": False}) == ()

    @pytest.mark.parametrize(
        ("output", "status"), [({"status": 201}, 201), ({"status": "fine"}, None), ("<html>", None), (None, None)]
    )
    def test_a_request_is_a_claim_of_its_own(self, output, status):
        call = ToolCall("c", "WebFetch", {"url": "https://example.org"}, output, None, True)
        (claim,) = claims_from(Trace("t", (call,))).claims
        assert (claim.kind, claim.url, claim.status) == ("http", "https://example.org", status)

    def test_paths_are_named_from_the_root(self):
        call = ToolCall("c", "Write", {"file_path": "/w/src/../a.py", "content": ""}, "", None, True)
        assert [claims_from(Trace("t", (call,)), root).claims[0].path for root in ("/w", "/w/", "/x", "")] == [
            "a.py",
            "a.py",
            "/w/a.py",
            "/w/a.py",
        ]
