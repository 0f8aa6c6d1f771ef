"""What a report says about files, at the stop: made, changed, removed, moved; in four languages; with and without a snapshot."""

from __future__ import annotations

import pytest


@pytest.fixture
def session(session):
    """One that has done something else already: an agent that did nothing may only be describing."""
    return session.writes("other.py", "y = 1\n")


class TestCreated:
    @pytest.mark.parametrize(
        "report",
        [
            "Created `src/a.py`.",
            "I added a new file, `src/a.py`.",
            "**New files**\n- `src/a.py`: the parser",
            "| file | change |\n|---|---|\n| `src/a.py` | created |",
            "1. Wrote `src/a.py` with the parser.",
            "Ich habe `src/a.py` angelegt.",
            "J'ai créé `src/a.py`.",
            "He creado `src/a.py`.",
        ],
        ids=["verb", "new file", "list", "table", "numbered", "German", "French", "Spanish"],
    )
    def test_it_must_be_there_however_it_is_said(self, session, report):
        told = session.runs("ls", "").stop(report)
        assert "src/a.py" in told
        assert "not there" in told
        assert session.writes("src/a.py", "x = 1\n").stop(report) == ""

    def test_all_of_several_are_looked_at(self, session):
        session.writes("a.py", "x\n").writes("b.py", "x\n")
        told = session.stop("Created `a.py`, `b.py` and `c.py`.")
        assert '"c.py"' in told
        assert "1 of its statements" in told

    def test_a_write_that_was_refused_made_nothing(self, session):
        session.items += [
            {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "w", "name": "Write", "input": {"file_path": str(session.root / "a.py"), "content": "x"}}]}},
            {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "w", "content": "Permission denied", "is_error": True}]}},
        ]  # fmt: skip
        assert '"a.py"' in session.stop("Created `a.py`.")

    @pytest.mark.parametrize(
        "report",
        [
            "You could create `src/a.py`.",
            "Next I would create `src/a.py`.",
            "I did not create `src/a.py`.",
            "Should I create `src/a.py`?",
            "If you want a parser, create `src/a.py`.",
            "To do:\n- [ ] create `src/a.py`",
            "```\nCreated src/a.py\n```",
            "> Created `src/a.py`.",
            "The script creates `src/a.py` when it runs.",
        ],
        ids=["could", "would", "not", "question", "condition", "open box", "code", "quotation", "description"],
    )
    def test_what_is_not_said_to_be_done_is_not_held(self, session, report):
        assert session.runs("ls", "").stop(report) == ""


class TestChanged:
    def test_a_file_that_no_call_changed_was_not_changed(self, session):
        session.writes("b.py", "x = 1\n")
        (session.root / "a.py").write_text("x = 1\n")
        told = session.stop("Updated `a.py` and `b.py`.")
        assert "no call in the trace changed it" in told
        assert '"a.py"' in told
        assert '"b.py"' not in told

    @pytest.mark.parametrize(
        "line",
        [
            "sed -i 's/1/2/' a.py",
            "echo 'y = 2' >> a.py",
            "cat > a.py <<'EOF'\nx = 2\nEOF",
            "python - <<'EOF'\nopen('a.py', 'w').write('x = 2')\nEOF",
            "perl -pi -e 's/1/2/' a.py",
            "git apply fix.patch",
            "patch -p1 < fix.patch",
            "mv new.py a.py",
            "cp template.py a.py",
            "tee a.py <<< 'x = 2'",
        ],
    )
    def test_a_command_may_have_changed_it(self, session, line):
        (session.root / "a.py").write_text("x = 2\n")
        assert session.runs(line).stop("Updated `a.py`.") == ""

    def test_the_words_of_an_edit_must_be_in_the_file(self, session):
        session.edits("a.py", "TIMEOUT = 30\n", "TIMEOUT = 60\n")
        assert session.stop("Changed `TIMEOUT` from 30 to 60.") == ""
        assert "90" in session.stop("Changed `TIMEOUT` from 30 to 90.")

    def test_with_a_snapshot_bytes_that_are_the_same_are_no_change(self, session, tmp_path):
        (session.root / "a.py").write_text("x = 1\n")
        (session.root / "b.py").write_text("x = 1\n")
        session.stop("", hook_event_name="SessionStart", session_id="kept")
        session.edits("b.py", "x = 1", "x = 2")
        told = session.stop("Updated `a.py` and `b.py`.", session_id="kept")
        assert "its bytes are the same" in told
        assert '"a.py"' in told
        assert '"b.py"' not in told

    @pytest.mark.parametrize("report", ["Changed the permissions of `run.sh`.", "Marked `run.sh` as executable."])
    def test_with_a_snapshot_other_permissions_are_a_change(self, session, report):
        (session.root / "run.sh").write_text("echo\n")
        session.stop("", hook_event_name="SessionStart", session_id="kept")
        assert "its bytes are the same" in session.stop(report, session_id="kept")
        (session.root / "run.sh").chmod(0o755)
        assert session.runs("chmod +x run.sh").stop(report, session_id="kept") == ""


class TestRemoved:
    def test_a_file_that_is_still_there_was_not_removed(self, session):
        (session.root / "old.txt").write_text("old\n")
        session.stop("", hook_event_name="SessionStart", session_id="kept")
        assert "old.txt" in session.runs("ls", "old.txt\n").stop("I deleted the file `old.txt`.", session_id="kept")
        (session.root / "old.txt").unlink()
        assert session.runs("rm old.txt").stop("I deleted the file `old.txt`.", session_id="kept") == ""

    def test_one_that_never_was_was_not_removed_either(self, session):
        session.stop("", hook_event_name="SessionStart", session_id="kept")
        told = session.runs("ls", "").stop("Deleted `legacy.py`.", session_id="kept")
        assert "it was not there before either, so nothing was deleted" in told


class TestMoved:
    @pytest.fixture
    def begun(self, session):
        (session.root / "src").mkdir()
        (session.root / "src" / "old.py").write_text("x = 1\n")
        session.stop("", hook_event_name="SessionStart", session_id="kept")
        return session

    def test_a_move_that_was_made_may_be_told(self, begun):
        (begun.root / "src" / "old.py").rename(begun.root / "src" / "new.py")
        begun.runs("git mv src/old.py src/new.py")
        assert begun.stop("Renamed `src/old.py` to `src/new.py`.", session_id="kept") == ""

    def test_a_move_that_was_not_may_not(self, begun):
        told = begun.runs("ls src", "old.py\n").stop("Renamed `src/old.py` to `src/new.py`.", session_id="kept")
        assert "src/new.py" in told

    def test_a_copy_is_no_move(self, begun):
        (begun.root / "src" / "new.py").write_text("x = 1\n")
        begun.runs("cp src/old.py src/new.py")
        assert "src/old.py" in begun.stop("Moved `src/old.py` to `src/new.py`.", session_id="kept")


class TestCommands:
    def test_one_that_was_run_may_be_told_with_how_it_ended(self, session):
        session.runs("npm run build", "built in 2s\n")
        assert session.stop("Ran `npm run build`, which exits with 0.") == ""

    def test_one_that_was_not_may_not(self, session):
        told = session.runs("ls", "").stop("Ran `npm run build` and it succeeded.")
        assert "npm run build" in told

    def test_one_that_failed_did_not_succeed(self, session):
        told = session.runs("npm run build", "error TS2322\n", 2).stop("`npm run build` exits with 0.")
        assert "it ended with another exit code" in told

    @pytest.mark.parametrize(
        ("line", "output", "words"),
        [
            ("ruff check .", "Found 3 errors.\n", "The linter is clean."),
            ("npx eslint src", "✖ 2 problems (2 errors, 0 warnings)\n", "ESLint passes."),
            ("mypy src", "a.py:3: error: bad\nFound 1 error in 1 file\n", "The type check passes."),
            ("npx tsc --noEmit", "a.ts(3,1): error TS2322: no\n", "Type checking passes."),
            ("cargo clippy", "error: could not compile `x`\n", "Clippy is clean."),
            ("npm run build", "error during build\n", "The build succeeds."),
        ],
    )
    def test_a_check_that_was_red_is_not_green(self, session, line, output, words):
        assert "failed" in session.runs(line, output, 1).stop(words)
        assert session.runs(line, "", 0).stop(words) == ""
