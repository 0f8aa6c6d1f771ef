"""An agent's own list of files, through the verifier: what each claim is held against, in the order they were made."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from witnessmark.actions.tree import capture
from witnessmark.actions.tree.view import TreeState
from witnessmark.core.errors import InputError
from witnessmark.core.record import Record

from .conftest import sha  # type: ignore[import-not-found]

Report = Callable[..., Record]


@pytest.fixture
def before(tree: Path) -> TreeState:
    """The tree, with how it was when the work began."""
    (tree / "old.txt").write_bytes(b"old\n")
    os.utime(tree / "old.txt", ns=(10**18, 10**18))
    return TreeState(root=tree, before=capture.take(tree))


def held(record: Record) -> list[tuple[str, str]]:
    """What is said of each claim: whether it holds, and the category where it does not."""
    return [(claim.status, str(claim.details.get("category", ""))) for claim in record.claims]


def wrote(path: str, data: bytes | None = None, **more: Any) -> dict[str, Any]:
    return {"kind": "file-write", "filePath": path} | ({"contentHash": sha(data)} if data is not None else {}) | more


def edited(path: str, after: str, before: str | None = None, **more: Any) -> dict[str, Any]:
    return {"kind": "file-edit", "filePath": path, "anchor": {"beforeSnippet": before, "afterSnippet": after}} | more


def inserted(path: str, after: str, beside: str) -> dict[str, Any]:
    return edited(path, after, beside) | {"kind": "code-inserted"}


SUPPORTED = ("supported", "")
MISMATCH = ("contradicted", "filesystem_mismatch")
ANCHOR = ("contradicted", "anchor_mismatch")
NOT_FOUND = ("unsupported", "file_not_found")


class TestWritten:
    def test_the_bytes_decide(self, report: Report, before: TreeState, tree: Path) -> None:
        (tree / "new.txt").write_bytes(b"new\n")
        assert held(report(wrote("new.txt", b"new\n"), world=before)) == [SUPPORTED]
        assert held(report(wrote("new.txt", b"other\n"), world=before)) == [("contradicted", "hash_mismatch")]

    def test_a_size_that_a_later_claim_makes_stale_is_no_lie(
        self, report: Report, before: TreeState, tree: Path
    ) -> None:
        (tree / "new.txt").write_bytes(b"grown\n")
        first, second = wrote("new.txt", size=1), wrote("new.txt", b"grown\n")
        assert held(report(first, second, world=before)) == [SUPPORTED, SUPPORTED]
        assert held(report(second, first, world=before)) == [SUPPORTED, MISMATCH]

    def test_permissions_alone_are_a_change_that_cannot_be_ruled_out(
        self, report: Report, before: TreeState, tree: Path
    ) -> None:
        assert held(report(wrote("old.txt"), world=before)) == [MISMATCH]
        (tree / "old.txt").chmod(0o755)
        assert held(report(wrote("old.txt"), world=before)) == [("unverifiable", "unverifiable_claim")]

    def test_a_folder_or_a_pipe_is_no_file(self, report: Report, before: TreeState, tree: Path) -> None:
        os.mkfifo(tree / "pipe")
        assert held(report(wrote("src"), wrote("pipe"), world=before)) == [MISMATCH, MISMATCH]

    def test_one_that_was_not_read_before_shows_no_change(self, report: Report, tree: Path, tmp_path: Path) -> None:
        (tmp_path / "twin").write_bytes(b"twin\n")
        os.link(tmp_path / "twin", tree / "twin")
        world = TreeState(root=tree, before=capture.take(tree))
        (tree / "twin").unlink()
        (tree / "twin").write_bytes(b"changed\n")
        assert held(report(wrote("twin"), world=world))[0][0] == "unverifiable"
        assert held(report(wrote("twin", b"changed\n"), world=world)) == [SUPPORTED], "a digest needs no before"

    def test_what_the_snapshot_was_told_to_leave_out_is_not_held_against_it(self, report: Report, tree: Path) -> None:
        (tree / "cache").mkdir()
        (tree / "cache" / "x").write_bytes(b"x")
        world = TreeState(root=tree, before=capture.take(tree, leave_out=("cache/",)))
        assert held(report(wrote("cache/x"), world=world))[0][0] == "unverifiable"
        assert held(report(wrote("cache/gone"), world=world)) == [NOT_FOUND]

    def test_paths_are_the_same_however_they_are_written(self, report: Report, before: TreeState, tree: Path) -> None:
        (tree / "src" / "new.py").write_bytes(b"x\n")
        for path in ("src/new.py", "./src/new.py", "src//new.py", "src/./new.py", str(tree / "src" / "new.py")):
            assert held(report(wrote(path, b"x\n"), world=before)) == [SUPPORTED], path
        for path in ("src/../src/new.py", "../tree/src/new.py", "/etc/hostname", "~/new.py"):
            assert held(report(wrote(path, b"x\n"), world=before)) == [("unsupported", "outside_root")], path


class TestEdited:
    @pytest.fixture
    def changed(self, before: TreeState, tree: Path) -> TreeState:
        (tree / "src" / "calc.py").write_text("import math\n\n\ndef add(a, b):\n    return a + b\n")
        return before

    @pytest.mark.parametrize(
        ("claim", "expected"),
        [
            (edited("src/calc.py", "return a + b"), SUPPORTED),
            (edited("src/calc.py", "return a + b", "return a - b", replace=True), SUPPORTED),
            (edited("src/calc.py", "return a + b", "def add(a, b)", replace=True), ANCHOR),
            (edited("src/calc.py", "return a * b"), ANCHOR),
            (edited("src/calc.py", "   "), ("unsupported", "anchor_mismatch")),
            (edited("src/gone.py", "x"), NOT_FOUND),
            (inserted("src/calc.py", "import math", "def add(a, b)"), SUPPORTED),
            (inserted("src/calc.py", "import math", "def sub(a, b)"), ("unverifiable", "anchor_mismatch")),
            ({"kind": "file-edit", "filePath": "src/calc.py"}, SUPPORTED),
            ({"kind": "file-edit", "filePath": "old.txt"}, MISMATCH),
            ({"kind": "file-edit", "filePath": "src/gone.py"}, NOT_FOUND),
        ],
        ids=[
            "new text there", "old text gone", "old text still there", "new text not there", "a blank anchor", "no such file",
            "beside the text", "beside a text that is not there", "no anchor, changed", "no anchor, unchanged", "no anchor, not there",
        ],
    )  # fmt: skip
    def test_the_new_text_must_be_where_it_is_said_to_be(
        self, report: Report, changed: TreeState, claim: dict[str, Any], expected: tuple[str, str]
    ) -> None:
        assert held(report(claim, world=changed)) == [expected]

    @pytest.mark.parametrize("kind", ["file_edit", "code_insert"])
    @pytest.mark.parametrize(
        "names", [("before", "after"), ("beforeSnippet", "afterSnippet"), ("before_snippet", "after_snippet")]
    )
    def test_the_texts_may_stand_in_the_claim_itself(
        self, report: Report, changed: TreeState, kind: str, names: tuple[str, str]
    ) -> None:
        before, after = names
        claim = {"kind": kind, "path": "src/calc.py", before: "def add(a, b):"}
        assert held(report(claim | {after: "return a + b"}, world=changed)) == [SUPPORTED]
        assert held(report(claim | {after: "return a * b"}, world=changed)) == [ANCHOR]
        assert held(report(claim | {after: "return a + b", "line": "5"}, world=changed)) == [SUPPORTED], (
            "a note of its own"
        )

    def test_far_from_the_text_beside_it_is_another_place(self, report: Report, before: TreeState, tree: Path) -> None:
        (tree / "src" / "calc.py").write_text("import math\n" + "\n" * 40 + "def add(a, b):\n    return a - b\n")
        claim = inserted("src/calc.py", "import math", "return a - b")
        assert held(report(claim, world=before)) == [ANCHOR]
        (tree / "src" / "calc.py").write_text("import math\n" + "\n" * 40 + "import math\nreturn a - b\n")
        assert held(report(claim, world=before)) == [SUPPORTED], "it stands at a second place, and there beside it"

    def test_put_back_by_a_later_claim_the_old_text_may_be_there(
        self, report: Report, before: TreeState, tree: Path
    ) -> None:
        (tree / "old.txt").write_text("new\nold\n")
        there = edited("old.txt", "new", "old", replace=True)
        assert held(report(there, world=before)) == [ANCHOR]
        assert held(report(there, edited("old.txt", "new\nold"), world=before)) == [SUPPORTED, SUPPORTED]

    def test_a_claim_without_a_digest_is_replaced_by_a_later_one(self, report: Report, changed: TreeState) -> None:
        bare = {"kind": "file-edit", "filePath": "src/calc.py"}
        assert held(report(bare, edited("src/calc.py", "a + b"), world=changed)) == [SUPPORTED, SUPPORTED]
        wrong = held(report(bare, edited("src/calc.py", "a * b"), world=changed))
        assert [status for status, _ in wrong] == ["unverifiable", "contradicted"], "what stands in its place is untrue"

    def test_half_a_character_is_refused_with_a_word_and_not_guessed_at(
        self, report: Report, before: TreeState, tree: Path
    ) -> None:
        (tree / "latin.txt").write_bytes(b"caf\xe9\n")
        with pytest.raises(InputError, match="lone surrogate"):
            report(edited("latin.txt", "caf\udce9"), world=before)
        assert held(report(edited("latin.txt", "café"), world=before)) == [ANCHOR]


CODE = "def f():\n    return 1\n\ndef g():\n    return 2\n"
UNKNOWN = ("unverifiable", "anchor_mismatch")


class TestByTheTextOfBefore:
    """No trace: what a snapshot with texts shows of an anchor, and what later claims show of a digest."""

    @pytest.fixture
    def known(self, tree: Path) -> TreeState:
        (tree / "a.py").write_text(CODE)
        return TreeState(root=tree, before=capture.take(tree, texts=True))

    @pytest.mark.parametrize(
        ("now", "claim", "expected"),
        [
            (CODE + "# x\n", edited("a.py", "return 1", "def f():"), ANCHOR),
            ("# x\n" + CODE, inserted("a.py", "    return 1\n", "def f():\n"), ANCHOR),
            ("# x\n" + CODE + "# y\n", edited("a.py", "return 1"), UNKNOWN),
            (CODE.replace("return 2", "return 1"), edited("a.py", "return 1", "return 2"), SUPPORTED),
            (CODE.replace("return 2", "return"), edited("a.py", "return", "return 2"), SUPPORTED),
            ("def g():\n    return 2\n\ndef f():\n    return 1\n", edited("a.py", "def f():\n    return 1\n"), SUPPORTED),
            (CODE.replace("    return 1\n\ndef g():\n", "\ndef g():\n    return 1\n"), inserted("a.py", "    return 1\n", "def g():\n"), SUPPORTED),
        ],
        ids=["changed below", "changed above", "changed above and below", "twice now", "a part left", "moved", "moved on"],
    )  # fmt: skip
    def test_a_text_that_was_there_before_shows_no_edit(
        self, report: Report, known: TreeState, tree: Path, now: str, claim: dict[str, Any], expected: tuple[str, str]
    ) -> None:
        (tree / "a.py").write_text(now)
        assert held(report(claim, world=known)) == [expected]

    def test_a_number_is_not_in_a_longer_one(self, report: Report, tree: Path) -> None:
        (tree / "a.py").write_text("limit = 30\n")
        world = TreeState(root=tree, before=capture.take(tree, texts=True))
        (tree / "a.py").write_text("limit = 3\n")
        assert held(report(edited("a.py", "limit = 3"), world=world)) == [SUPPORTED]

    @pytest.mark.parametrize(
        ("now", "beside", "expected"),
        [
            (CODE + "    log()\n", "def f():\n", ANCHOR),
            (CODE.replace("def f():\n", "def f():\n    log()\n"), "def g():\n", ANCHOR),
            (CODE + "    log()\n", "def g():\n", SUPPORTED),
            (CODE.replace("def f():\n", "def f():\n    log()\n"), "def f():\n", SUPPORTED),
            (CODE.replace("\n\ndef g", "\n    log()\n\ndef g"), "def f():", SUPPORTED),
            (CODE.replace("\n\ndef g", "\n    log()\n\ndef g"), "def g():", SUPPORTED),
            (CODE.replace("def f():\n", "def f():\n    def h():\n        pass\n    log()\n"), "def f():\n", SUPPORTED),
        ],
        ids=["in the next function", "in the one before", "at its end", "at its place", "further on in it", "just above", "behind another insertion"],
    )  # fmt: skip
    def test_another_function_is_another_place(
        self, report: Report, known: TreeState, tree: Path, now: str, beside: str, expected: tuple[str, str]
    ) -> None:
        (tree / "a.py").write_text(now)
        assert held(report(inserted("a.py", "    log()\n", beside), world=known)) == [expected]

    def test_where_it_stood_beside_the_text_before_it_was_not_inserted(self, report: Report, tree: Path) -> None:
        (tree / "a.py").write_text("def f():\n    log()\n" + "    x()\n" * 9)
        world = TreeState(root=tree, before=capture.take(tree, texts=True))
        (tree / "a.py").write_text("def f():\n    log()\n" + "    x()\n" * 9 + "    log()\n")
        assert held(report(inserted("a.py", "    log()\n", "def f():\n"), world=world)) == [ANCHOR]

    @pytest.mark.parametrize(
        ("later", "first"),
        [
            (edited("n.txt", "two", "one"), SUPPORTED),
            (edited("n.txt", "two", "one", replace=True), SUPPORTED),
            (wrote("n.txt", b"two\nand\n"), SUPPORTED),
            (inserted("n.txt", "and", "two"), ("unverifiable", "hash_mismatch")),
            (edited("n.txt", "two", "ten"), ("unverifiable", "hash_mismatch")),
            ({"kind": "file-edit", "filePath": "n.txt"}, ("unverifiable", "hash_mismatch")),
        ],
        ids=["taken back", "replaced", "written anew", "another insertion", "of other bytes", "shows nothing"],
    )  # fmt: skip
    def test_a_later_claim_excuses_a_digest_where_it_shows_those_bytes_written_over(
        self, report: Report, known: TreeState, tree: Path, later: dict[str, Any], first: tuple[str, str]
    ) -> None:
        (tree / "n.txt").write_bytes(b"two\nand\n")
        assert held(report(wrote("n.txt", b"one\nand\n"), later, world=known)) == [first, SUPPORTED]

    def test_several_edits_are_taken_back_in_their_order(self, report: Report, known: TreeState, tree: Path) -> None:
        (tree / "n.txt").write_bytes(b"c\nnew\n")
        later = [edited("n.txt", "b", "a"), edited("n.txt", "c", "b"), inserted("n.txt", "new", "c")]
        true, false = (report(wrote("n.txt", data), *later, world=known) for data in (b"a\n", b"z\n"))
        assert [held(true)[0], held(false)[0]] == [SUPPORTED, ("unverifiable", "hash_mismatch")]


class TestDeletedAndRenamed:
    def test_it_must_have_been_there_and_be_gone(self, report: Report, before: TreeState, tree: Path) -> None:
        gone = {"kind": "file-delete", "filePath": "old.txt"}
        assert held(report(gone, world=before)) == [MISMATCH]
        (tree / "old.txt").unlink()
        assert held(report(gone, world=before)) == [SUPPORTED]
        assert held(report({"kind": "file-delete", "filePath": "never.txt"}, world=before)) == [MISMATCH]

    def test_behind_a_link_nobody_looks(self, report: Report, before: TreeState, tree: Path, tmp_path: Path) -> None:
        (tree / "out").symlink_to(tmp_path)
        claim = {"kind": "file-delete", "filePath": "out/old.txt"}
        assert held(report(claim, world=before)) == [("unverifiable", "filesystem_mismatch")]
        assert held(report({"kind": "file-delete", "filePath": "out"}, world=before)) == [MISMATCH], "the link itself"

    def test_renamed_there_and_on(self, report: Report, before: TreeState, tree: Path) -> None:
        (tree / "old.txt").rename(tree / "c.txt")
        first = {"kind": "file-rename", "from": "old.txt", "to": "b.txt"}
        second = {"kind": "file-rename", "from": "b.txt", "to": "c.txt"}
        assert held(report(first, second, world=before)) == [SUPPORTED, SUPPORTED]
        assert held(report(first, world=before)) == [NOT_FOUND]

    def test_a_copy_is_no_rename(self, report: Report, before: TreeState, tree: Path) -> None:
        (tree / "b.txt").write_bytes(b"old\n")
        claim = {"kind": "file-rename", "from": "old.txt", "to": "b.txt"}
        assert held(report(claim, world=before)) == [MISMATCH]
        again = wrote("old.txt", b"old\n")
        assert held(report(claim, again, world=before)) == [SUPPORTED, SUPPORTED], "written again at the old place"

    def test_onto_a_file_that_is_as_it_was_nothing_was_renamed(
        self, report: Report, before: TreeState, tree: Path
    ) -> None:
        (tree / "old.txt").unlink()
        assert held(report({"kind": "file-rename", "from": "old.txt", "to": "a.txt"}, world=before)) == [MISMATCH]

    def test_without_a_snapshot_the_old_place_cannot_be_shown(self, report: Report, tree: Path) -> None:
        claim = {"kind": "file-rename", "from": "was.txt", "to": "a.txt"}
        assert held(report(claim, world=TreeState(root=tree)))[0][0] == "unverifiable"

    def test_a_folder_may_be_renamed(self, report: Report, before: TreeState, tree: Path) -> None:
        (tree / "src").rename(tree / "lib")
        assert held(report({"kind": "file-rename", "from": "src", "to": "lib"}, world=before)) == [SUPPORTED]
        assert held(report({"kind": "file-rename", "from": "a.txt", "to": "lib"}, world=before)) == [MISMATCH]


class TestFarAway:
    """Two snapshots and no tree: what they hold decides, and what they do not cannot be said."""

    @pytest.fixture
    def far(self, before: TreeState, tree: Path) -> TreeState:
        (tree / "new.txt").write_bytes(b"new\n")
        (tree / "src" / "calc.py").write_bytes(b"changed\n")
        (tree / "a.txt").unlink()
        (tree / "link").symlink_to("old.txt")
        (tree / "made").mkdir()
        return TreeState(before=before.before, after=capture.take(tree, earlier=before.before))

    @pytest.mark.parametrize(
        ("claim", "expected"),
        [
            (wrote("new.txt", b"new\n"), SUPPORTED),
            (wrote("new.txt"), SUPPORTED),
            (wrote("new.txt", b"x"), ("contradicted", "hash_mismatch")),
            (wrote("src/calc.py"), SUPPORTED),
            (wrote("old.txt"), MISMATCH),
            (wrote("old.txt", b"old\n"), MISMATCH),
            (wrote("a.txt"), NOT_FOUND),
            (wrote("made"), MISMATCH),
            (wrote("link"), ("unverifiable", "filesystem_mismatch")),
            ({"kind": "file-create", "filePath": "made"}, SUPPORTED),
            ({"kind": "file-delete", "filePath": "a.txt"}, SUPPORTED),
            ({"kind": "file-delete", "filePath": "old.txt"}, MISMATCH),
            (edited("old.txt", "new"), MISMATCH),
            (edited("new.txt", "new"), ("unverifiable", "filesystem_mismatch")),
            (wrote("../x"), ("unsupported", "outside_root")),
        ],
        ids=[
            "digest", "new", "another digest", "changed", "unchanged", "unchanged, with its digest", "not there", "a folder", "a link",
            "a new folder", "deleted", "not deleted", "edited, unchanged", "edited, text unknown", "outside",
        ],
    )  # fmt: skip
    def test_a_claim(self, report: Report, far: TreeState, claim: dict[str, Any], expected: tuple[str, str]) -> None:
        assert held(report(claim, world=far)) == [expected]

    def test_nothing_but_the_second_snapshot_shows_no_change(self, report: Report, far: TreeState) -> None:
        alone = TreeState(after=far.after)
        assert held(report(wrote("new.txt", b"new\n"), world=alone)) == [SUPPORTED]
        assert held(report(wrote("new.txt"), world=alone))[0][0] == "unverifiable"


class TestByTheTrace:
    """A digest that does not fit now, or an anchor that stood there all along, against what the calls wrote."""

    def write(self, path: Path | str, text: str, number: int = 1) -> dict[str, Any]:
        return {"id": f"w{number}", "name": "write_file", "input": {"path": str(path), "content": text}, "output": "ok"}

    def change(self, path: Path | str, old: str, new: str, number: int = 2) -> dict[str, Any]:
        given = {"file_path": str(path), "old_string": old, "new_string": new}
        return {"id": f"e{number}", "name": "Edit", "input": given, "output": "ok"}

    def test_a_later_claim_does_not_excuse_a_digest_that_no_write_has(self, report: Report, tree: Path) -> None:
        (tree / "n.txt").write_bytes(b"two")
        world, calls = TreeState(root=tree), [self.write("n.txt", "one"), self.write("n.txt", "two", 2)]
        second = wrote("n.txt", b"two")
        assert held(report(wrote("n.txt", b"one"), second, world=world, trace=calls)) == [SUPPORTED, SUPPORTED]
        invented = report(wrote("n.txt", b"never"), second, world=world, trace=calls)
        assert held(invented) == [("contradicted", "hash_mismatch"), SUPPORTED]

    def test_an_edit_may_have_made_the_bytes(self, report: Report, tree: Path) -> None:
        (tree / "n.txt").write_bytes(b"three")
        calls = [self.write("n.txt", "one"), self.change("n.txt", "one", "two"), self.write("n.txt", "three", 3)]
        assert held(report(wrote("n.txt", b"two"), world=TreeState(root=tree), trace=calls)) == [SUPPORTED]

    def test_an_anchor_that_no_call_added_was_there_before(self, report: Report, tree: Path) -> None:
        calls = [self.change(tree / "src" / "calc.py", "a * b", "a - b")]
        world = TreeState(root=tree)
        assert held(report(edited("src/calc.py", "def add"), world=world, trace=calls)) == [ANCHOR]
        assert held(report(edited("src/calc.py", "return a - b"), world=world, trace=calls)) == [SUPPORTED]

    def test_a_program_may_have_added_it(self, report: Report, tree: Path) -> None:
        calls = [
            self.change("src/calc.py", "a * b", "a - b"),
            {"id": "c", "name": "bash", "input": {"command": "make gen"}},
        ]
        assert held(report(edited("src/calc.py", "def add"), world=TreeState(root=tree), trace=calls)) == [SUPPORTED]
