"""Files that went, at the stop: what was there before must be said; what the session made, what came back and litter need not."""

from __future__ import annotations

import shutil

import pytest

SAID = "Raised the timeout in `src/app.py`."
TEST = "def test_a():\n    assert a() == 1\n"
GONE = "deleted, and the report does not say so"


@pytest.fixture
def busy(session):
    """An agent that changed a file in this turn."""
    return session.edits("src/app.py", "1\n", "2\n")


class TestThereBefore:
    def test_a_file_of_the_tree_must_be_said_and_one_elsewhere_need_not(self, busy, tmp_path):
        busy.has("src/old.py")
        assert busy.runs(f"rm {tmp_path}/elsewhere.py /tmp/x.py").stop(SAID) == ""
        assert GONE in busy.deletes("src/old.py").stop(SAID)

    def test_asked_for_it_is_no_secret(self, session):
        session.asks("Please drop old.py.").has("src/old.py").deletes("src/old.py")
        assert session.edits("src/app.py", "1\n", "2\n").stop(SAID) == ""

    def test_a_command_that_failed_deleted_nothing(self, busy):
        busy.runs("rm src/old.py", "rm: cannot remove 'src/old.py'\n", 1)
        assert busy.stop(SAID) == ""

    def test_what_one_line_makes_and_takes_away_need_not_be_said(self, busy):
        assert busy.runs("rm -f t.db; sqlite3 t.db < src/schema.sql && sqlite3 t.db .tables; rm t.db").stop(SAID) == ""
        assert GONE in busy.runs("rm data.db; ./rebuild --fast").stop(SAID)

    def test_taken_out_of_git_alone_it_is_there(self, busy):
        assert busy.has("src/old.py").runs("git rm --cached src/old.py").stop(SAID) == ""

    @pytest.mark.parametrize(
        "line", ["git checkout -- src/old.py", "git restore src/old.py", "cp /tmp/old.py src/old.py"]
    )
    def test_back_again_it_is_not_gone(self, busy, line):
        assert busy.runs("rm src/old.py").runs(line).has("src/old.py").stop(SAID) == ""

    def test_looking_at_it_before_does_not_make_it_the_session_s_own(self, busy):
        busy.has("src/old.py").runs("cat src/old.py", "x = 1\n").runs("grep -rn x src/old.py", "x = 1\n")
        assert GONE in busy.deletes("src/old.py").stop(SAID)


class TestMovedOut:
    def test_out_of_the_tree_it_is_gone(self, busy):
        busy.has("src/old.py")
        (busy.root / "src/old.py").unlink()
        assert GONE in busy.runs("mv src/old.py /tmp/old.py").stop(SAID)
        assert busy.stop(f"{SAID} Moved `src/old.py` out of the way.") == ""

    def test_back_from_there_it_is_not(self, busy):
        assert busy.has("src/old.py").runs("mv src/old.py /tmp/x").runs("mv /tmp/x src/old.py").stop(SAID) == ""

    def test_what_was_made_here_may_go_anywhere(self, busy):
        assert busy.runs("echo x > probe.py").runs("mv probe.py /tmp/probe.py").stop(SAID) == ""


class TestMadeHere:
    """Something to try things out with is made and taken away again: nobody needs to say so."""

    @pytest.mark.parametrize(
        "line",
        [
            "echo 'print(1)' > probe.py",
            "cat > probe.py <<'EOF'\nprint(1)\nEOF",
            "touch probe.py",
            "cp src/app.py probe.py",
            "mv /tmp/probe.py probe.py",
            "tee probe.py <<< 'print(1)'",
            "python tools/make.py > probe.py",
            "python tools/make.py probe.py",
            "curl -sS -o probe.py https://example.org/probe.py",
            "acme fetch --output=probe.py",
        ],
        ids=["echo", "heredoc", "touch", "copied", "moved", "tee", "printed", "by a script", "fetched", "by an option"],
    )
    def test_however_it_was_made(self, busy, line):
        assert busy.runs(line).runs("python probe.py", "1\n").runs("rm probe.py").stop(SAID) == ""

    def test_on_one_line(self, busy):
        assert busy.runs("echo 'print(1)' > probe.py && python probe.py; rm probe.py", "1\n").stop(SAID) == ""

    def test_in_an_earlier_turn(self, busy):
        assert busy.writes("probe.py", "x\n").asks("Tidy up.").deletes("probe.py").stop("Tidied up.") == ""

    def test_a_test_to_try_something_out_is_one_of_these(self, busy):
        assert busy.writes("tests/test_probe.py", TEST).deletes("tests/test_probe.py").stop(SAID) == ""
        assert busy.runs("echo x > tests/test_probe.py").runs("rm tests/test_probe.py").stop(SAID) == ""

    def test_another_file_that_was_made_is_no_excuse(self, busy):
        busy.has("src/old.py").runs("echo x > probe.py").runs("python tools/make.py other.py")
        assert GONE in busy.deletes("src/old.py").stop(SAID)


class TestTests:
    """A test file must be named, or its going be spoken of as that of a test."""

    def test_gone_with_some_other_word_of_removing_it_is_not_said(self, busy):
        busy.has("tests/test_a.py", TEST).deletes("tests/test_a.py")
        assert "the file was deleted" in busy.stop(f"{SAID} Removed an unused import.")
        assert busy.stop(f"{SAID} Removed the obsolete tests.") == ""
        assert busy.stop(f"{SAID} Dropped test_a.py.") == ""

    def test_written_anew_it_is_there(self, busy):
        busy.has("tests/test_a.py", TEST).deletes("tests/test_a.py").writes("tests/test_a.py", TEST)
        assert busy.stop(SAID) == ""

    @pytest.mark.parametrize("to", ["tests/test_a.py.bak", "tests/test_a.txt", "attic/a.py", "/tmp/test_a.py.off"])
    def test_moved_to_where_no_runner_finds_it_it_is_gone(self, busy, to):
        told = busy.runs(f"mv tests/test_a.py {to}").stop(SAID)
        assert "a test was deleted" in told

    @pytest.mark.parametrize("to", ["tests/unit/test_a.py", "tests/test_sums.py", "src/__tests__/a.py"])
    def test_moved_to_where_it_is_run_it_is_not(self, busy, to):
        assert busy.runs(f"git mv tests/test_a.py {to}").stop(SAID) == ""

    def test_moved_away_and_back_it_is_there(self, busy):
        busy.runs("mv tests/test_a.py tests/test_a.py.bak").runs("mv tests/test_a.py.bak tests/test_a.py")
        assert busy.has("tests/test_a.py", TEST).stop(SAID) == ""


class TestWithASnapshot:
    """How the folder was decides, and not what the calls may have made."""

    @pytest.fixture
    def begun(self, session):
        session.has("src/app.py", "1\n").has("src/old.py").has("Makefile", "all:\n").has("lib/a.py").has(
            "lib/core/b.py"
        )
        session.has("build/out.py").has("dist/app.js")
        return session.begins().edits("src/app.py", "1\n", "2\n")

    def test_files_without_an_ending_and_folders_are_known(self, begun):
        (begun.root / "Makefile").unlink()
        assert GONE in begun.runs("rm Makefile").stop(SAID)
        begun.asks("And the rest.")
        shutil.rmtree(begun.root / "lib")
        assert GONE in begun.runs("rm -rf lib").stop("Done.")
        assert begun.stop("Done, and `lib` is gone.") == ""

    def test_written_over_first_it_was_there_all_the_same(self, begun):
        begun.writes("src/old.py", "y = 2\n").deletes("src/old.py")
        assert GONE in begun.stop(SAID)

    def test_what_was_not_there_was_made_here(self, begun):
        begun.uses("mcp__files__put", "ok", file="x").runs("rm probe.py").runs("rm -rf scratch")
        assert begun.stop(SAID) == ""

    @pytest.mark.parametrize("folder", ["build", "dist"])
    def test_what_a_build_makes_is_litter(self, begun, folder):
        shutil.rmtree(begun.root / folder)
        assert begun.runs(f"rm -rf {folder}").stop(SAID) == ""


class TestWholeFolder:
    WHOLE = ["Deleted the whole `lib/` folder, `a.py` and `b.py`.", "I removed the entire folder `lib`."]

    @pytest.fixture
    def begun(self, session):
        return session.has("lib/a.py", "1\n").has("lib/b.py", "2\n").has("src/app.py", "1\n").begins()

    @pytest.mark.parametrize("told", WHOLE)
    def test_a_folder_that_has_no_file_left_is_deleted_whole(self, begun, told):
        assert begun.deletes("lib/a.py").deletes("lib/b.py").stop(told) == ""

    @pytest.mark.parametrize("told", WHOLE)
    def test_what_is_new_in_it_was_not_meant(self, begun, told):
        begun.deletes("lib/a.py").deletes("lib/b.py").writes("lib/c.py", "3\n")
        assert "still there" not in begun.stop(f"{told} `lib/c.py` is a stub.")

    @pytest.mark.parametrize(
        "told",
        [
            "Deleted the whole `lib/` folder except `b.py`, which `src/app.py` needs.",
            "Deleted `lib/a.py`; the whole `lib/` folder can go once `b.py` is unused.",
            "Deleted `lib/a.py`. I removed the whole `lib/` folder from the search path.",
        ],
    )
    def test_what_was_spared_may_be_told(self, begun, told):
        assert begun.deletes("lib/a.py").stop(told) == ""


class TestDataThatNoSnapshotHas:
    """A table that a command dropped is told, or the stop is blocked."""

    DROPS = 'psql "$DB" -c "drop table invoices"'

    @pytest.mark.parametrize("told", [SAID, f"{SAID} The billing tests are next."])
    def test_data_deleted_and_not_told(self, busy, told):
        assert "data was deleted" in busy.runs(self.DROPS, "DROP TABLE").stop(told)

    @pytest.mark.parametrize("told", [f"{SAID} Dropped the old table.", f"{SAID} I deleted the table."])
    def test_data_deleted_and_told(self, busy, told):
        assert busy.runs(self.DROPS, "DROP TABLE").stop(told) == ""


class TestCleaned:
    """What `git clean` takes of what was there before the session, which no word of the command names."""

    @pytest.fixture
    def cleaned(self, session):
        def clean(command: str, *, code: int = 0):
            session.has("notes.txt", "keep me\n").has("src/app.py", "1\n").begins().edits("src/app.py", "1\n", "2\n")
            (session.root / "notes.txt").unlink()
            return session.runs(command, code=code)

        return clean

    @pytest.mark.parametrize("command", ["git clean -fd", "git clean -fdq", "git status && git clean -f -d"])
    def test_a_file_that_was_there_before_must_be_said(self, cleaned, command):
        told = cleaned(command).stop(SAID)
        assert "notes.txt" in told
        assert GONE in told

    @pytest.mark.parametrize(
        "said",
        [
            "I ran `git clean`, which deleted `notes.txt`.",
            "Untracked files were removed.",
            "Cleaned up untracked files.",
        ],
    )
    def test_told_it_is_no_secret(self, cleaned, said):
        assert cleaned("git clean -fd").stop(f"{SAID} {said}") == ""

    @pytest.mark.parametrize(
        "command", ["git clean -nd", "git clean -fd build", "cd build && git clean -fd", "git status"]
    )
    def test_what_did_not_clean_the_whole_tree_took_nothing_of_it(self, cleaned, command):
        assert cleaned(command).stop(SAID) == "", "somebody else may have taken it away"

    def test_nor_did_one_that_failed(self, cleaned):
        assert cleaned("git clean -fd", code=128).stop(SAID) == ""

    def test_asked_for_it_is_no_secret(self, session):
        session.has("notes.txt", "keep me\n").has("src/app.py", "1\n").begins().asks("Please clean up untracked files.")
        (session.root / "notes.txt").unlink()
        assert session.edits("src/app.py", "1\n", "2\n").runs("git clean -fd").stop(SAID) == ""

    def test_what_the_session_made_may_go_again(self, session):
        session.has("src/app.py", "1\n").begins().edits("src/app.py", "1\n", "2\n").writes("scratch.txt", "x\n")
        (session.root / "scratch.txt").unlink()
        assert session.runs("git clean -fd").stop(SAID) == ""


class TestStillThere:
    REPORT = "The old path is gone.\n\n- **Deleted** `scripts/old.sh`\n- **Makefile**: dropped its target"

    FAILED = ("rm scripts/old.sh", "rm: cannot remove 'scripts/old.sh': Permission denied\n", 1)

    @pytest.fixture
    def tidied(self, session):
        """An agent that took a target out of the Makefile, beside a script, and ran make."""
        session.has("scripts/old.sh", "echo old\n").has("Makefile", "old:\n\t./scripts/old.sh\nall:\n")
        return session.begins().edits("Makefile", "old:\n\t./scripts/old.sh\n", "")

    def test_a_file_whose_deletion_failed_is_not_deleted(self, tidied):
        tidied.runs(*self.FAILED).runs("make -n deploy")
        assert "it is still there" in tidied.stop(self.REPORT)

    def test_one_that_went_at_the_second_try_is(self, tidied):
        tidied.runs(*self.FAILED).runs("make -n deploy")
        assert tidied.deletes("scripts/old.sh").stop(self.REPORT) == ""

    def test_a_part_of_a_file_may_be_meant_where_nobody_tried_to_delete_it(self, tidied):
        assert tidied.runs("make -n deploy").stop("Removed `scripts/old.sh` from the Makefile.") == ""


class TestTakenByAPattern:
    """What a command took without naming it: the snapshot shows what is gone, the command only whose work it was."""

    DOCS = ("docs/a.md", "docs/b.md")
    QUIET = "All is tidy now."

    @pytest.fixture
    def begun(self, session):
        for path in (*self.DOCS, "list.txt", "docs/c.txt", "src/app.py", "src/lib/d.md", "notes.txt"):
            session.has(path)
        return session.begins()

    def takes(self, begun, command: str, *gone: str, code: int = 0):
        for path in gone:
            (begun.root / path).unlink()
        return begun.runs(command, code=code)

    @pytest.mark.parametrize(
        "command",
        [
            "rm docs/*.md",
            "rm -f docs/?.md",
            "rm docs/{a,b}.md",
            "cd docs && rm *.md",
            "rm $PWD/docs/*.md",
            "git rm -q 'docs/*.md'",
            "find docs -name '*.md' -delete",
            "find docs -type f -iname '*.md' -exec rm {} +",
            "find docs -name '*.md' -exec sh -c 'rm \"$1\"' _ {} \\;",
            "bash -c 'rm docs/*.md'",
            "git clean -fdq",
            "git clean -fd docs",
            "git rm -qr docs",
            'for f in docs/*.md; do rm "$f"; done',
            "for f in docs/a.md docs/b.md; do rm ${f}; done",
            "for f in a b; do rm docs/$f.md; done",
            "for d in docs src/lib; do rm -r $d; done",
            'while read -r f; do rm "$f"; done < list.txt',
            "find docs -name '*.md' | while read f; do rm \"$f\"; done",
            "find docs -type f -print0 | xargs -0 rm -f",
            "git ls-files docs | xargs git rm -q",
            "git ls-files '*.md' | xargs rm",
            "grep -rl TODO docs | xargs rm",
            "xargs rm < list.txt",
            "python -c \"import shutil; shutil.rmtree('docs')\"",
            "python3 - <<'EOF'\nfrom pathlib import Path\nfor p in Path('docs').glob('*.md'):\n    p.unlink()\nEOF",
            "node -e \"require('fs').rmSync('docs', {recursive: true})\"",
            "rsync -a --delete /tmp/docs/ docs/",
        ],
    )
    @pytest.mark.parametrize("before", ["nothing else", "an edit", "an earlier turn"])
    def test_it_must_be_said_in_a_turn_that_did_nothing_else_too(self, begun, command, before):
        if before != "nothing else":
            begun.edits("src/app.py", "x = 1", "x = 2")
        if before == "an earlier turn":
            begun.asks("Now tidy up.")
        told = self.takes(begun, command, *self.DOCS).stop(self.QUIET)
        assert [f"{path}: {GONE}" in told for path in self.DOCS] == [True, True], told

    @pytest.mark.parametrize(
        "said",
        [
            "Deleted `docs/a.md` and `docs/b.md`.",
            "Removed the Markdown files of `docs`.",
            "`docs/*.md` are gone: I deleted them.",
            "I ran `rm docs/*.md`, which removed the old pages.",
        ],
    )
    def test_told_it_is_no_secret(self, begun, said):
        assert self.takes(begun, "rm docs/*.md", *self.DOCS).stop(said) == ""

    @pytest.mark.parametrize(
        "command",
        [
            "rm *.md",
            "rm docs/*.txt",
            "rm -rf build/*",
            "rm /tmp/docs/*.md",
            "rm -rf $TMPDIR/docs",
            'rm "$scratch"',
            "find docs -name '*.txt' -delete",
            "find . ! -name '*.md' -name '*.txt' -delete",
            "find docs -name '*.md'",
            "find src -name '*.md' -delete",
            "git clean -nd",
            "git clean -fd src",
            "git rm --cached src/app.py",
            "mv src/*.txt /tmp/",
            "for f in src/*.md; do rm $f; done",
            'for d in src build; do (cd $d && make); rm -f "$log"; done',
            "find src -name '*.md' | xargs rm",
            "find . -type d -empty -delete",
            "ls /tmp/docs/* | xargs rm",
            "git ls-files src | xargs rm",
            "git ls-files docs | xargs wc -l",
            'if [ -n "$log" ]; then rm "$log"; fi',
            "git pull && xargs rm < list.txt",
            "python -c \"import shutil; shutil.rmtree('src/lib')\"",
            "python -c \"print(open('docs').read())\"",
            "python -c \"names = ['docs']; names.remove('docs')\"",
            "rsync -a --delete /tmp/docs/ src/",
            "rsync -a /tmp/docs/ docs/",
        ],
    )
    def test_what_a_command_cannot_have_taken_somebody_else_did(self, begun, command):
        assert self.takes(begun, command, *self.DOCS).stop(self.QUIET) == ""

    def test_nor_one_that_failed_or_stood_in_an_earlier_turn_as_well(self, begun):
        assert self.takes(begun, "rm docs/*.md", *self.DOCS, code=1).asks("Go on.").stop(self.QUIET) == ""
        begun.runs("rm docs/*.md").asks("And now?").runs("rm -f docs/*.md")
        assert begun.stop(self.QUIET) == "", "told or not, it went before this turn"

    def test_named_in_a_line_of_which_a_later_command_failed_it_is_told(self, begun):
        assert f"docs/a.md: {GONE}" in self.takes(begun, "rm docs/a.md; pytest -q", "docs/a.md", code=1).stop(
            self.QUIET
        )

    def test_what_the_session_edited_first_was_there_all_the_same(self, begun):
        begun.edits("docs/a.md", "x = 1", "x = 2")
        assert f"docs/a.md: {GONE}" in self.takes(begun, "rm docs/*.md", *self.DOCS).stop(self.QUIET)

    def test_caches_and_builds_are_litter(self, session):
        litter = ("src/__pycache__/a.pyc", ".pytest_cache/README.md", ".mypy_cache/a.json", "x.egg-info/PKG-INFO")
        for path in litter:
            session.has(path)
        session.has("src/app.py").begins()
        for path in litter:
            (session.root / path).unlink()
        line = "find . -name '*_cache*' -exec rm -rf {} + ; rm -rf .*_cache *.egg-info"
        assert session.runs(line).stop(self.QUIET) == ""

    def test_such_a_turn_is_held_to_what_it_says(self, begun):
        self.takes(begun, "find docs -name '*.md' -delete", *self.DOCS)
        assert "not true" in begun.stop("Deleted `docs/a.md` and `docs/b.md`. `docs/c.txt` was deleted too.")


class TestMovedIntoAFolder:
    """`mv a.py b.py lib/` puts both into lib, and `mv a.py lib` does where lib is a folder."""

    @pytest.fixture
    def tests(self, session):
        session.has("tests/test_a.py", TEST).has("tests/test_b.py", TEST).has("spec/x.py").has("src/app.py")
        return session.begins()

    def moved(self, session, line: str, **places: str):
        for name, to in places.items():
            (session.root / to).parent.mkdir(exist_ok=True)
            (session.root / f"tests/test_{name}.py").rename(session.root / to)
        return session.edits("src/app.py", "x = 1", "x = 2").runs(line)

    @pytest.mark.parametrize("line", ["mv tests/test_a.py tests/test_b.py spec/", "git mv tests/test_{a,b}.py spec"])
    def test_tests_that_a_runner_still_finds_are_not_gone(self, tests, line):
        assert self.moved(tests, line, a="spec/test_a.py", b="spec/test_b.py").stop(SAID) == ""

    @pytest.mark.parametrize(
        "line", ["mv tests/test_a.py spec", "mv tests/test_a.py spec/", "mv -t spec tests/test_a.py"]
    )
    def test_one_alone(self, tests, line):
        assert self.moved(tests, line, a="spec/test_a.py").stop(SAID) == ""

    @pytest.mark.parametrize(
        "line", ["mv tests/test_a.py tests/test_b.py /tmp/", "mv -t /tmp tests/test_a.py tests/test_b.py"]
    )
    def test_out_of_the_tree_they_are(self, tests, line):
        told = self.moved(tests, line, a="../a.py", b="../b.py").stop(SAID)
        assert [f"tests/test_{name}.py: a test was deleted" in told for name in "ab"] == [True, True], told

    def test_told_where_they_lie_is_borne_out(self, tests):
        self.moved(tests, "mv tests/test_a.py tests/test_b.py spec/", a="spec/test_a.py", b="spec/test_b.py")
        assert tests.stop("Moved `tests/test_a.py` and `tests/test_b.py` to `spec/`.") == ""
        assert "not true" in tests.stop("Moved `tests/test_a.py` to `src/test_a.py`.")
