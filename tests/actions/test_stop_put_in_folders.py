"""What a command copies or moves into a folder lies there under its own name, however the command names the folder."""

from __future__ import annotations

import shutil

import pytest

from witnessmark.actions.tree import capture
from witnessmark.actions.tree.view import TreeState

NOT_CHANGED = "no call in the trace changed it"
SOURCE = "x = 'the source'\n"
COPIES = ["cp a.py lib/", "cp a.py lib", "cp -p a.py ./lib", "cp -t lib a.py", "cp a.py c.py lib", "cd lib && cp ../a.py .", "install -m 644 a.py lib", "ln a.py lib"]  # fmt: skip
MOVES = [
    "mv a.py lib/",
    "mv a.py lib",
    "git mv a.py lib",
    "mv -t lib a.py",
    "mv a.py c.py lib",
    "cd lib && mv ../a.py .",
]


@pytest.fixture
def tree(session):
    """Two files at the root, and a folder that holds another one."""
    return session.has("a.py", SOURCE).has("c.py", SOURCE).has("lib/b.py")


class TestCopies:
    @pytest.mark.parametrize("command", COPIES)
    @pytest.mark.parametrize("said", ["Created `lib/a.py`.", "I updated `lib/a.py`.", "Copied `a.py` to `lib/a.py`."])
    def test_what_was_copied_there_may_be_told(self, tree, command, said):
        assert tree.has("lib/a.py", SOURCE).runs(command).stop(said) == ""

    @pytest.mark.parametrize("command", COPIES)
    def test_another_file_of_the_folder_was_not_changed(self, tree, command):
        tree.has("lib/a.py", SOURCE).runs(command)
        assert NOT_CHANGED in tree.stop("I updated `lib/b.py`.")

    @pytest.mark.parametrize("command", COPIES)
    def test_what_is_not_there_was_not_copied(self, tree, command):
        assert "the file is not there" in tree.has("lib/a.py", SOURCE).runs(command).stop("Created `lib/z.py`.")

    def test_a_target_that_is_no_folder_is_the_copy_itself(self, tree):
        tree.has("lib/b.py", SOURCE).runs("cp a.py lib/b.py")
        assert tree.stop("I updated `lib/b.py`.") == ""
        assert NOT_CHANGED in tree.stop("I updated `c.py`.")

    def test_a_folder_that_was_copied_brings_what_it_holds(self, tree):
        tree.has("templates/app/main.py").has("templates/app/old.py").has("web/app/main.py").runs(
            "cp -r templates/app web"
        )
        assert tree.stop("Created `web/app/main.py`.") == ""
        assert "the file is not there" in tree.stop("Created `web/app/never.py`.")
        assert NOT_CHANGED in tree.stop("I updated `templates/app/old.py`.")

    def test_ci_that_was_copied_into_its_folder_must_be_told(self, tree):
        tree.has(".github/workflows/ci.yml").has("draft/ci.yml").runs("cp draft/ci.yml .github/workflows")
        assert "ci.yml" in tree.stop("Tidied the drafts up.")
        assert tree.stop("Replaced `.github/workflows/ci.yml` by the draft.") == ""


class TestMoves:
    @pytest.fixture(params=["a snapshot", "no snapshot"])
    def begun(self, tree, request):
        return tree.begins() if request.param == "a snapshot" else tree

    def moved(self, session, command):
        """The command was run, and the file lies in the folder."""
        shutil.move(session.root / "a.py", session.root / "lib" / "a.py")
        return session.runs(command)

    @pytest.mark.parametrize("command", MOVES)
    @pytest.mark.parametrize("said", ["Moved `a.py` to `lib/a.py`.", "Moved `a.py` into `lib/`."])
    def test_what_was_moved_there_may_be_told(self, begun, command, said):
        assert self.moved(begun, command).stop(said) == ""

    @pytest.mark.parametrize("command", MOVES)
    def test_what_is_not_there_was_not_moved(self, begun, command):
        assert "the file is not there" in self.moved(begun, command).stop("Moved `a.py` to `lib/z.py`.")

    @pytest.mark.parametrize("command", ["mv a.py lib/", "mv a.py lib/a.py", "git mv a.py lib"])
    def test_a_file_that_was_there_all_along_was_not_moved(self, begun, command):
        assert "Moved" in self.moved(begun, command).stop("Moved `b.py` to `lib/b.py`.")

    @pytest.mark.parametrize("command", ["mv a.py /tmp/old/", "mv a.py c.py /tmp/old"])
    def test_what_was_moved_out_of_the_tree_must_be_told(self, begun, command):
        (begun.root / "a.py").unlink()
        begun.runs(command)
        assert "a.py: deleted" in begun.stop("Tidied up.")
        assert "a.py: deleted" not in begun.stop("Removed `a.py` and `c.py`.")


class TestFolders:
    """A folder was moved where its files were: the empty shell that is left behind holds nothing that was to be moved."""

    COMMANDS = ["git mv src/old src/new", "mv src/old src/new", "mv src/old/* src/new/"]
    TOLD = ["Renamed `src/old/` to `src/new/`.", "Moved `src/old/` to `src/new/`."]

    @pytest.fixture
    def moved(self, session):
        """A folder with a folder in it, now under another name."""
        session.has("src/old/a.py").has("src/old/sub/b.py").begins()
        shutil.move(session.root / "src" / "old", session.root / "src" / "new")
        return session

    @pytest.mark.parametrize("command", COMMANDS)
    @pytest.mark.parametrize("said", TOLD)
    @pytest.mark.parametrize("left", ["src/old", "src/old/sub/deeper", "src/old/__pycache__"])
    def test_an_empty_one_may_be_left(self, moved, command, said, left):
        (moved.root / left).mkdir(parents=True)
        assert moved.runs(command).stop(said) == ""

    @pytest.mark.parametrize("command", COMMANDS)
    @pytest.mark.parametrize("said", TOLD)
    @pytest.mark.parametrize("left", ["src/old/a.py", "src/old/sub/deeper/c.py", "src/old/.keep"])
    def test_with_a_file_left_in_it_it_was_not_moved(self, moved, command, said, left):
        assert "the old path is still there" in moved.has(left).runs(command).stop(said)

    @pytest.mark.parametrize(("left", "status"), [("src/old", "pass"), ("src/old/sub", "fail")])
    def test_snapshots_alone_show_what_was_left(self, tree, report, left, status):
        tree.has("src/old/a.py").has("src/old/sub/b.py")
        before = capture.take(tree.root)
        (tree.root / "src" / "new").mkdir()
        shutil.move(tree.root / "src" / "old" / "a.py", tree.root / "src" / "new" / "a.py")
        if left == "src/old":
            shutil.move(tree.root / "src" / "old" / "sub", tree.root / "src" / "new" / "sub")
        claim = {"kind": "file_rename", "path": "src/old", "to": "src/new"}
        world = TreeState(before=before, after=capture.take(tree.root))
        results = report(claim, world=world, trace=[]).results
        assert next(one.status for one in results if one.node == "claimed_actions") == status
