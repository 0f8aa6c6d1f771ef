"""Files with names that are hard to write, and trees that are reached in odd ways: a claim about them is held as any other is."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from witnessmark.actions.tree import capture, containment, snapshot
from witnessmark.actions.tree.containment import Root
from witnessmark.actions.tree.view import TreeState
from witnessmark.core.record import Record

from .conftest import sha  # type: ignore[import-not-found]

Report = Callable[..., Record]
COMPOSED, DECOMPOSED = (unicodedata.normalize(form, "café/résumé.txt") for form in ("NFC", "NFD"))

NAMES = {
    "spaces": "two words/a file.txt",
    "a leading dash": "-rf",
    "a quote": "it's.txt",
    "a percent sign": "100%.txt",
    "what looks like an escape": "%41.txt",
    "a line break": "two\nlines.txt",
    "a tab": "a\tb.txt",
    "a backslash": "a\\b.txt",
    "letters of another script": "данные/отчёт.md",
    "a sign beyond the first plane": "🙂.txt",
    "dots": "...",
    "a hidden folder": ".hidden/.file",
    "a trailing space": "end .txt ",
    "signs of a pattern": "[a]*?.txt",
    "what looks like an option of git": "--help.txt",
    "two hundred letters": "x" * 200,
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_file_of_that_name_is_created_changed_and_deleted(report: Report, tree: Path, name: str) -> None:
    before = snapshot.read(capture.take(tree, texts=True).write())
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    (tree / name).write_text("one\n")
    claim = {"kind": "file-create", "filePath": name, "contentHash": sha(b"one\n")}
    made = report(claim, world=TreeState(root=tree, before=before))
    assert (made.outcome, made.action) == ("pass", "accept"), "it is said, and nothing else was changed"
    later = snapshot.read(capture.take(tree, earlier=before, texts=True).write())
    lie = report({"kind": "file-edit", "filePath": name}, world=TreeState(root=tree, before=later))
    assert [claim.status for claim in lie.claims] == ["contradicted"]
    (tree / name).unlink()
    gone = report({"kind": "file-delete", "filePath": name}, world=TreeState(root=tree, before=later))
    assert gone.outcome == "pass"


class TestComposedLetters:
    """One name may be written in two ways; what stands on disk decides which is meant."""

    @pytest.mark.parametrize(("there", "told"), [(COMPOSED, DECOMPOSED), (DECOMPOSED, COMPOSED)])
    def test_the_other_way_names_the_same_file(self, report: Report, tree: Path, there: str, told: str) -> None:
        before = capture.take(tree)
        (tree / there).parent.mkdir()
        (tree / there).write_text("x\n")
        world = TreeState(root=tree, before=before)
        record = report({"kind": "file-create", "filePath": told, "contentHash": sha(b"x\n")}, world=world)
        assert (record.outcome, record.action) == ("pass", "accept")

    def test_where_both_are_there_each_is_itself(self, tree: Path) -> None:
        for number, name in enumerate((COMPOSED, DECOMPOSED)):
            (tree / name).parent.mkdir(exist_ok=True)
            (tree / name).write_bytes(b"%d" % number)
        with Root(tree) as root:
            found = [root.content(name).content for name in (COMPOSED, DECOMPOSED)]
        assert found == [b"0", b"1"]

    def test_a_name_that_is_only_alike_is_another(self, report: Report, tree: Path) -> None:
        (tree / "cafe.txt").write_text("x\n")
        record = report(
            {"kind": "file-write", "filePath": "café.txt", "contentHash": sha(b"x\n")}, world=TreeState(root=tree)
        )
        assert record.claims[0].status == "unsupported"


class TestRoots:
    CLAIM = {"kind": "file-write", "filePath": "a.txt", "contentHash": sha(b"alpha\n")}

    def test_through_a_link(self, report: Report, tree: Path, tmp_path: Path) -> None:
        (tmp_path / "link").symlink_to(tree)
        for root in (tree, tmp_path / "link"):
            for path in ("a.txt", str(tree / "a.txt")):
                claim = self.CLAIM | {"filePath": path}
                assert report(claim, world=TreeState(root=root)).outcome == "pass", (root, path)

    def test_from_where_one_is(self, report: Report, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tree)
        assert report(self.CLAIM, world=TreeState(root=".")).outcome == "pass"
        assert report(self.CLAIM | {"filePath": str(tree / "a.txt")}, world=TreeState(root=".")).outcome == "pass"
        monkeypatch.chdir(tree / "src")
        assert report(self.CLAIM, world=TreeState(root="..")).outcome == "pass"

    def test_one_that_is_not_there_is_an_error_and_no_verdict(self, report: Report, tmp_path: Path) -> None:
        record = report(self.CLAIM, world=TreeState(root=tmp_path / "missing"))
        assert record.outcome == "unverified"
        assert any(result.status == "error" for result in record.results)

    def test_what_lies_beside_it_under_a_longer_name_is_outside(self, report: Report, tree: Path) -> None:
        beside = tree.with_name("tree-2")
        beside.mkdir()
        (beside / "a.txt").write_bytes(b"alpha\n")
        record = report(self.CLAIM | {"filePath": str(beside / "a.txt")}, world=TreeState(root=tree))
        assert record.claims[0].details["category"] == "outside_root"


class TestMoving:
    """A tree that changes while it is looked at."""

    def test_a_file_that_goes_between_the_list_and_the_look_is_not_there(
        self, tree: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = containment.read

        def late(fd: int, name: str, *limits: Any, **more: Any) -> containment.PathContent:
            (tree / "a.txt").unlink(missing_ok=True)
            return real(fd, name, *limits, **more)

        monkeypatch.setattr(containment, "read", late)
        made = capture.take(tree)
        assert made.get("a.txt") is None
        assert made.get("src/calc.py") is not None

    def test_a_folder_that_becomes_a_link_is_not_followed(self, tree: Path, tmp_path: Path) -> None:
        (tmp_path / "outside").mkdir()
        (tmp_path / "outside" / "calc.py").write_bytes(b"secret\n")
        with Root(tree) as root:
            assert root.state("a.txt").state == "file"
            (tree / "src").rename(tree / "was")
            (tree / "src").symlink_to(tmp_path / "outside")
            assert root.content("src/calc.py").state == "link"
