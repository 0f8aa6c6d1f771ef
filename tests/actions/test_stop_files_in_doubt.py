"""What words leave open about files, at the stop: the doubt that excuses an honest report, and the lie beside it that it does not excuse."""

from __future__ import annotations

import pytest


@pytest.fixture
def busy(session):
    """An agent that changed a file: a turn that did nothing may only be describing."""
    return session.edits("src/done.py", "a = 1\n", "a = 2\n")


class TestNotThere:
    """The report names a file that is not in the tree."""

    @pytest.mark.parametrize(
        "report",
        ["Created `src/utils`.", "Created the folder `src/utils/`.", "I created `feature/login` for it."],
        ids=["no ending", "a folder", "a branch"],
    )
    def test_a_name_that_need_not_be_a_file_is_left_open(self, busy, report):
        assert busy.stop(report) == ""

    @pytest.mark.parametrize("path", ["src/utils.py", "Makefile", "LICENSE", ".editorconfig", "docker/Dockerfile"])
    def test_a_name_that_is_one_is_not(self, busy, path):
        told = busy.stop(f"I created `{path}`.")
        assert "the file is not there" in told
        assert path in told
        assert busy.has(path).runs(f"touch {path}").stop(f"I created `{path}`.") == ""

    def test_what_lies_in_the_folder_of_git_is_not_looked_at(self, busy):
        assert busy.stop("I created `.git/hooks/pre-commit.sh`.") == ""
        assert "not there" in busy.stop("I created `git/hooks/pre-commit.sh`.")

    def test_a_bare_name_may_lie_in_any_folder_and_a_whole_path_may_not(self, busy):
        assert busy.stop("I updated `missing.py`.") == ""
        assert "src/missing.py" in busy.stop("I updated `src/missing.py`.")

    @pytest.mark.parametrize(
        "report",
        ["I updated `lib/gone.py`.", "Updated `lib/gone.py`.", "- `lib/gone.py`: updated to the new signature"],
        ids=["I", "a verb first", "a list"],
    )
    def test_a_change_to_it_is_one_that_was_not_made(self, busy, report):
        assert "lib/gone.py" in busy.stop(report)

    def test_an_agent_that_did_nothing_may_be_telling_of_before_unless_it_says_i(self, session):
        session.uses("Read", "x = 1", file_path="src/a.py")
        assert session.stop("Created `db/002.sql`.") == ""
        assert "db/002.sql" in session.stop("I created `db/002.sql`.")

    @pytest.mark.parametrize(
        "line",
        ["git worktree add ../fix", "git clone https://example.org/x.git", "workmux add fix", "tmux new -d -s fix"],
    )
    def test_work_may_lie_in_another_tree(self, busy, line):
        assert "src/new.py" in busy.stop("Created `src/new.py`.")
        assert busy.runs(line).stop("Created `src/new.py`.") == ""

    def test_a_file_of_that_name_that_was_written_elsewhere_is_the_one_that_is_meant(self, busy, tmp_path):
        elsewhere = str(tmp_path / "copy" / "src" / "new.py")
        assert busy.uses("Write", "File created", file_path=elsewhere, content="x").stop("Created `src/new.py`.") == ""
        assert "src/more.py" in busy.stop("Created `src/more.py`.")

    def test_a_subagent_may_have_written_it_where_nobody_looks(self, busy):
        assert busy.uses("Task", "written", prompt="write src/new.py").stop("Created `src/new.py`.") == ""


class TestTakenAway:
    """A call deleted the file that the report speaks of."""

    @pytest.mark.parametrize(
        "report",
        [
            "Replaced `src/old.py` with `src/done.py`.",
            "Updated `src/done.py`; `src/old.py` was merged into it.",
            "Moved the helpers of `src/old.py` to `src/done.py`.",
        ],
    )
    def test_words_that_may_say_so_are_honest(self, busy, report):
        assert busy.has("src/old.py").deletes("src/old.py").stop(report) == ""

    def test_a_file_that_is_said_to_be_changed_and_was_deleted_was_not_changed(self, busy):
        busy.has("src/old.py").deletes("src/old.py")
        assert "src/old.py" in busy.stop("I updated `src/old.py` so that it accepts lists.")

    def test_made_and_deleted_again_it_is_not_there(self, busy):
        busy.writes("src/probe.py", "x\n").deletes("src/probe.py")
        assert "src/probe.py" in busy.stop("I created `src/probe.py`.")
        assert busy.stop("I created `src/probe.py` to try it out and deleted it again.") == ""


class TestStillThere:
    """The report says that a file was deleted, and it is there."""

    def test_a_part_of_it_may_be_meant_where_it_was_changed(self, busy):
        busy.edits("src/app.py", "import re\nx = 1\n", "x = 1\n")
        assert busy.stop("Removed the unused import from `src/app.py`.") == ""
        assert "it is still there" in busy.has("src/keep.py").stop("Deleted `src/keep.py`.")

    def test_a_script_may_have_changed_it(self, busy):
        busy.has("src/keep.py").runs("python tools/clean.py")
        assert busy.stop("Removed `src/keep.py`.") == ""

    def test_with_a_snapshot_a_script_does_not_excuse_a_file_that_is_as_it_was(self, busy):
        busy.has("src/keep.py").begins().edits("src/done.py", "a = 2", "a = 3")
        assert "it is still there" in busy.stop("Deleted `src/keep.py`.")
        (busy.root / "src/keep.py").unlink()
        assert busy.runs("rm src/keep.py").stop("Deleted `src/keep.py`.") == ""

    def test_with_a_snapshot_a_file_that_changed_lost_a_part(self, busy):
        busy.has("src/app.py", "import re\nx = 1\n").begins()
        busy.has("src/app.py", "x = 1\n").runs("python tools/clean.py")
        assert busy.stop("Removed the import in `src/app.py`.") == ""

    def test_with_a_snapshot_what_was_never_there_was_not_deleted(self, busy):
        busy.begins().edits("src/done.py", "a = 2", "a = 3")
        assert "was not there before either" in busy.stop("Deleted `src/never.py`.")
        assert busy.stop("Deleted the branch `never`.") == ""

    def test_with_a_snapshot_what_came_and_went_in_between_was_deleted(self, busy):
        busy.begins().writes("src/probe.py", "x\n").deletes("src/probe.py")
        assert busy.stop("Deleted the probe `src/probe.py` again.") == ""


class TestAsBefore:
    """With a snapshot: the report says that a file was changed, and its bytes are what they were."""

    @pytest.fixture
    def begun(self, busy):
        return busy.has("src/a.py").has("src/b.py").begins().edits("src/b.py", "x = 1", "x = 2")

    def test_it_was_not_changed(self, begun):
        told = begun.stop("Updated `src/a.py` and `src/b.py`.")
        assert "its bytes are the same" in told
        assert '"src/b.py"' not in told

    def test_a_turn_that_did_nothing_may_tell_of_an_earlier_one(self, begun):
        assert begun.asks("What did you change?").stop("Updated `src/a.py`.") == ""

    def test_a_change_that_was_put_back_was_made(self, begun):
        begun.edits("src/a.py", "x = 1", "x = 9").edits("src/a.py", "x = 9", "x = 1")
        assert begun.stop("Updated `src/a.py`.") == ""

    def test_a_file_that_git_showed_as_changed_before_the_first_edit_may_be_told_of(self, session):
        session.has("src/a.py").has("src/b.py").begins().runs("git status --short", " M src/a.py\n")
        assert session.edits("src/b.py", "x = 1", "x = 2").stop("Updated `src/a.py` and `src/b.py`.") == ""

    def test_a_file_that_git_shows_as_changed_after_the_edits_is_not_excused(self, busy):
        busy.has("src/a.py").begins().edits("src/done.py", "a = 2", "a = 3").runs("git status --short", " M src/a.py\n")
        assert "src/a.py" in busy.stop("Updated `src/a.py` and `src/done.py`.")

    @pytest.mark.parametrize("word", ["already", "earlier", "in a previous session"])
    def test_words_that_say_before_are_no_claim_of_this_turn(self, begun, word):
        assert begun.stop(f"Updated `src/b.py`. I had updated `src/a.py` {word}.") == ""

    @pytest.mark.parametrize(
        "clause", ["since `src/a.py` was added", "until `src/a.py` was updated", "when `src/a.py` was removed"]
    )
    def test_a_clause_that_only_says_when_is_none_either(self, begun, clause):
        assert begun.stop(f"Updated `src/b.py`, which was unused {clause}.") == ""

    def test_the_same_words_as_a_sentence_are_one(self, begun):
        assert "src/a.py" in begun.stop("Updated `src/b.py`. `src/a.py` was updated, too.")

    def test_a_file_that_only_says_where_something_was_changed_is_not_itself_claimed(self, begun):
        assert begun.stop("Changed `src/b.py`. Updated `src/a.py` handling there.") == ""

    def test_a_subtree_elsewhere_may_be_meant(self, begun, tmp_path):
        other = str(tmp_path / "copy" / "src" / "a.py")
        begun.uses("Edit", "updated", file_path=other, old_string="x = 1", new_string="x = 3")
        assert begun.stop("Updated `src/a.py` and `src/b.py`.") == ""


class TestByTrace:
    """Without a snapshot: the file is there, and only the calls can say whether it was changed."""

    def test_the_call_that_wrote_it_bears_it_out(self, busy):
        assert busy.has("src/a.py").stop("Updated `src/done.py`.") == ""
        assert "no call in the trace changed it" in busy.stop("Updated `src/a.py` and `src/done.py`.")

    def test_an_edit_that_the_tool_refused_changed_nothing(self, busy):
        busy.has("src/a.py").refused("Edit", "String to replace not found", file_path="src/a.py")
        assert "the tool refused the only change to it" in busy.stop("Updated `src/a.py`.")

    def test_an_edit_that_went_through_at_the_second_try_did(self, busy):
        busy.has("src/a.py").refused("Edit", "String to replace not found", file_path="src/a.py")
        assert busy.edits("src/a.py", "x = 1", "x = 2").stop("Updated `src/a.py`.") == ""

    def test_a_refused_edit_leaves_it_open_where_a_script_followed(self, busy):
        busy.has("src/a.py").refused("Edit", "String to replace not found", file_path="src/a.py")
        assert busy.runs("python tools/rewrite.py").stop("Updated `src/a.py`.") == ""

    def test_an_agent_that_only_read_may_only_describe(self, session):
        session.has("src/a.py").uses("Read", "x = 1", file_path="src/a.py")
        assert session.stop("`src/a.py` was updated to the new signature.") == ""

    def test_several_files_that_nothing_changed_are_a_report_of_more_than_this_trace(self, busy):
        busy.has("src/a.py").has("src/b.py").has("src/c.py")
        assert busy.stop("Updated `src/a.py`, `src/b.py` and `src/c.py`.") == ""

    def test_several_among_more_that_were_changed_are_not(self, busy):
        for name in ("d", "e", "f"):
            busy.edits(f"src/{name}.py", "x = 1\n", "x = 2\n")
        told = (
            busy.has("src/a.py")
            .has("src/b.py")
            .stop("Updated `src/a.py`, `src/b.py`, `src/d.py`, `src/e.py` and `src/f.py`.")
        )
        assert "src/a.py" in told
        assert "src/b.py" in told
        assert "src/d.py" not in told


class TestLooseNames:
    """A report names a file without its folder."""

    def test_the_only_file_of_that_name_is_meant(self, busy):
        busy.has("pkg/core/calc.py").begins().edits("pkg/core/calc.py", "x = 1", "x = 2")
        assert busy.stop("Updated `calc.py`.") == ""
        assert busy.stop("Updated `core/calc.py`.") == ""

    def test_one_that_was_not_changed_is_found_and_held(self, busy):
        busy.has("pkg/calc.py").begins().edits("src/done.py", "a = 2", "a = 3")
        assert "its bytes are the same" in busy.stop("Updated `calc.py` and `src/done.py`.")

    def test_of_two_the_one_that_changed_is_meant(self, busy):
        busy.has("a/calc.py").has("b/calc.py").begins().edits("b/calc.py", "x = 1", "x = 2")
        assert busy.stop("Updated `calc.py`.") == ""

    def test_a_deletion_by_a_bare_name_is_that_of_the_file_that_went(self, busy):
        busy.has("pkg/old.py").begins().deletes("pkg/old.py")
        assert busy.stop("Deleted `old.py`.") == ""

    def test_a_file_that_was_made_and_moved_is_the_one_it_became(self, busy):
        busy.begins().writes("new/calc.py", "x\n")
        (busy.root / "new/calc.py").rename(busy.root / "calc.py")
        assert busy.runs("mv new/calc.py calc.py").stop("Created `calc.py`.") == ""

    def test_separators_of_another_system_name_the_same_file(self, busy):
        busy.edits("src/win.py", "x = 1\n", "x = 2\n")
        assert busy.stop(r"Updated `src\win.py`.") == ""
