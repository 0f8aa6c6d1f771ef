"""Claims about files: bytes decide, order counts, and what was there all along is not work."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from witnessmark.actions.claim import ActionClaim, Anchor, Ruling
from witnessmark.actions.claims.disclosure import undisclosed
from witnessmark.actions.claims.verify_claims import verify_claims
from witnessmark.actions.tree import capture
from witnessmark.actions.tree.view import TreeState, TreeView
from witnessmark.core.record import Record

from .conftest import sha  # type: ignore[import-not-found]

Report = Callable[..., Record]


def ruled(world: TreeState, *claims: ActionClaim) -> list[Ruling]:
    with TreeView(world) as view:
        return verify_claims(claims, view)


def one(world: TreeState, **fields: Any) -> tuple[str, str]:
    (ruling,) = ruled(world, ActionClaim(**fields))
    return ruling.status, ruling.category


@pytest.fixture
def world(tree: Path) -> TreeState:
    """The tree with a snapshot of how it was."""
    return TreeState(root=tree, before=capture.take(tree))


def test_file_write_by_sha256_of_the_bytes(tree: Path, world: TreeState) -> None:
    data = b"\xff\xfenot utf-8"
    (tree / "out.bin").write_bytes(data)
    assert one(world, kind="file_write", path="out.bin", sha256=sha(data)) == ("supported", "")  # req: S3-012
    assert one(world, kind="file_write", path="out.bin", sha256=sha(b"x")) == (
        "contradicted",
        "hash_mismatch",
    )  # req: S3-032
    assert one(world, kind="file_write", path="ghost", sha256=sha(b"x")) == (
        "unsupported",
        "file_not_found",
    )  # req: S3-034
    assert one(world, kind="file_write", path="src", sha256=sha(b"x"))[1] == "filesystem_mismatch"  # req: S3-035


def test_file_write_without_a_digest_is_decided_by_the_change(tree: Path, world: TreeState) -> None:
    (tree / "new.txt").write_bytes(b"new")
    assert one(world, kind="file_write", path="new.txt") == ("supported", "")
    assert one(world, kind="file_create", path="new.txt") == ("supported", "")
    assert one(world, kind="file_write", path="a.txt") == ("contradicted", "filesystem_mismatch")
    assert one(TreeState(root=tree), kind="file_write", path="new.txt")[0] == "unverifiable"


def test_a_claimed_size_is_held_against_the_file(tree: Path, world: TreeState) -> None:
    (tree / "new.txt").write_bytes(b"new")
    assert one(world, kind="file_create", path="new.txt", size=3)[0] == "supported"
    assert one(world, kind="file_create", path="new.txt", size=2048) == ("contradicted", "filesystem_mismatch")


def test_created_of_a_file_that_was_there_unchanged_is_contradicted(tree: Path, world: TreeState) -> None:
    for kind in ("file_create", "file_write"):
        assert one(world, kind=kind, path="a.txt", sha256=sha(b"alpha\n")) == ("contradicted", "filesystem_mismatch")
    (tree / "a.txt").write_bytes(b"alpha\n")
    assert one(world, kind="file_write", path="a.txt", sha256=sha(b"alpha\n"))[0] == "supported", (
        "written again, same bytes"
    )
    assert one(world, kind="file_create", path="a.txt", sha256=sha(b"alpha\n"))[0] == "contradicted", "yet not created"


def edit(path: str = "src/calc.py", kind: str = "file_edit", **anchor: Any) -> dict[str, Any]:
    return {"kind": kind, "path": path, "anchor": Anchor(**anchor)}


def test_an_edit_is_the_new_text_being_there(tree: Path, world: TreeState) -> None:
    (tree / "src" / "calc.py").write_bytes(b"def add(a, b):\n    return a + b\n")
    assert one(world, **edit(before="a - b", after="a + b")) == ("supported", "")  # req: S3-013
    assert one(world, **edit(kind="code_insert", after="return a + b")) == ("supported", "")  # req: S3-015
    assert one(world, **edit(before="return", after="a * b")) == ("contradicted", "anchor_mismatch")  # req: S3-033
    assert one(world, **edit(before="a - b", after="a + b", replaces=True)) == ("supported", "")
    assert one(world, **edit(before="def add", after="a + b", replaces=True)) == (
        "contradicted",
        "anchor_mismatch",
    )  # req: C40
    assert one(world, **edit(before="def add", after="a + b")) == ("supported", ""), (
        "context is only a hint"
    )  # req: C40
    assert one(world, **edit(after="a + b", line=77)) == ("supported", ""), "a line is only a hint"  # req: C45


def test_an_edit_stays_verifiable_when_the_file_is_edited_again(tree: Path, world: TreeState) -> None:
    (tree / "src" / "calc.py").write_bytes(b"# more\ndef add(a, b):\n    return a + b\n# and more\n")
    assert one(world, **edit(after="return a + b"))[0] == "supported"  # req: S3-017


@pytest.mark.parametrize(
    "anchor",
    [{"after": ""}, {"after": " \n\t"}, {"before": "def"}, {}, {"before": " ", "after": "a", "replaces": True}],
)
def test_anchors_that_any_file_would_satisfy_are_refused(world: TreeState, anchor: dict[str, Any]) -> None:
    assert one(world, **edit(**anchor)) == ("unsupported", "anchor_mismatch")  # req: C40


def test_replacing_where_the_new_text_holds_the_old_one(tree: Path, world: TreeState) -> None:
    (tree / "src" / "calc.py").write_bytes(b"def add(a, b):\n    return a - b - 0\n")
    assert one(world, **edit(before="a - b", after="a - b - 0", replaces=True))[0] == "supported"
    (tree / "src" / "calc.py").write_bytes(b"def add(a, b):\n    return 1\n")
    assert one(world, **edit(before="a - b", replaces=True))[0] == "supported", "a text taken out"


def test_an_edit_whose_text_was_there_before_is_contradicted(world: TreeState) -> None:
    assert one(world, **edit(after="return a - b")) == ("contradicted", "filesystem_mismatch")


def test_line_ends_of_another_system_do_not_matter(tree: Path, world: TreeState) -> None:
    (tree / "src" / "calc.py").write_bytes(b"one\r\ntwo\r\n")
    assert one(world, **edit(after="one\ntwo"))[0] == "supported"


def test_a_delete_needs_something_that_was_there(tree: Path, world: TreeState) -> None:
    (tree / "a.txt").unlink()
    assert one(world, kind="file_delete", path="a.txt") == ("supported", "")  # req: S3-014
    assert one(world, kind="file_delete", path="never.txt") == ("contradicted", "filesystem_mismatch")
    assert one(world, kind="file_delete", path="src/calc.py") == ("contradicted", "filesystem_mismatch")
    assert one(TreeState(root=tree), kind="file_delete", path="a.txt")[0] == "unverifiable", "nobody looked before"


def test_a_delete_that_the_trace_shows(tree: Path, report: Report) -> None:
    (tree / "a.txt").unlink()
    claim = {"kind": "file-delete", "filePath": "a.txt"}
    shown = [{"id": "c", "name": "bash", "input": {"command": "rm -f a.txt"}, "exit_code": 0}]
    assert report(claim, world=TreeState(root=tree), trace=shown).outcome == "pass"
    assert report(claim, world=TreeState(root=tree), trace=[]).outcome == "unverified"


def test_renames(tree: Path, world: TreeState) -> None:
    (tree / "a.txt").rename(tree / "b.txt")
    assert one(world, kind="file_rename", path="a.txt", to="b.txt")[0] == "supported"
    assert one(world, kind="file_rename", path="never", to="b.txt") == ("contradicted", "filesystem_mismatch")
    assert one(world, kind="file_rename", path="a.txt", to="c.txt") == ("unsupported", "file_not_found")
    assert one(world, kind="file_rename", path="src/calc.py", to="b.txt") == ("contradicted", "filesystem_mismatch")


def test_folders_that_were_made_deleted_and_renamed(tree: Path, world: TreeState) -> None:
    assert one(world, kind="file_create", path="src") == ("contradicted", "filesystem_mismatch")
    (tree / "new").mkdir()
    assert one(world, kind="file_create", path="new/") == ("supported", "")
    assert one(TreeState(root=tree), kind="file_create", path="new")[0] == "unverifiable"
    (tree / "src").rename(tree / "lib")
    renamed = ActionClaim(kind="file_rename", path="src", to="lib")
    assert [ruling.status for ruling in ruled(world, renamed)] == ["supported"]
    assert undisclosed(world.changes() or (), [renamed]) == (), "what is in the folder need not be named"
    (tree / "lib" / "calc.py").unlink()
    (tree / "lib").rmdir()
    deleted = ActionClaim(kind="file_delete", path="src")
    assert [ruling.status for ruling in ruled(world, deleted)] == ["supported"]
    assert undisclosed(world.changes() or (), [deleted]) == ()
    (tree / "src").mkdir()
    (tree / "src" / "extra.py").write_bytes(b"1")
    assert [c.path for c in undisclosed(world.changes() or (), [deleted])] == ["src/extra.py"], "only what went"


def claims(*rows: tuple[str, dict[str, Any]]) -> list[ActionClaim]:
    return [ActionClaim(kind=kind, **fields) for kind, fields in rows]  # type: ignore[arg-type]


def statuses(world: TreeState, *rows: tuple[str, dict[str, Any]]) -> list[str]:
    return [ruling.status for ruling in ruled(world, *claims(*rows))]


def test_a_later_claim_supersedes_an_earlier_hash(tree: Path, world: TreeState) -> None:
    (tree / "n.txt").write_bytes(b"two")
    first = ("file_write", {"path": "n.txt", "sha256": sha(b"one")})
    second = ("file_edit", {"path": "./n.txt", "anchor": Anchor(before="one", after="two")})
    assert statuses(world, first, second) == ["supported", "supported"]
    assert statuses(world, second, first) == ["supported", "contradicted"], "order counts"  # req: C41
    wrong = ("file_edit", {"path": "n.txt", "anchor": Anchor(after="three")})
    assert statuses(world, first, wrong) == ["unverifiable", "contradicted"]


def test_a_hash_that_was_true_when_it_was_claimed(tree: Path, report: Report) -> None:
    """Without a later claim, the trace can show what the bytes were, and that they were written again."""
    (tree / "n.txt").write_bytes(b"two")
    claim = {"kind": "file-write", "filePath": "n.txt", "contentHash": sha(b"one")}
    first = {"id": "c1", "name": "write_file", "input": {"path": str(tree / "n.txt"), "content": "one"}, "output": "ok"}
    second = {"id": "c2", "name": "edit_file", "input": {"path": "n.txt", "old": "one", "new": "two"}, "output": "ok"}
    world = TreeState(root=tree)
    assert report(claim, world=world, trace=[first, second]).outcome == "pass"  # req: C41
    assert report(claim, world=world, trace=[first]).outcome == "fail", "nothing explains the other bytes"
    assert report(claim, world=world, trace=[second, first]).outcome == "fail"
    assert report(claim, world=world, trace=[second]).outcome == "fail"


def test_write_then_delete_and_delete_then_write(tree: Path, world: TreeState) -> None:
    (tree / "a.txt").unlink()
    written, deleted = ("file_write", {"path": "a.txt", "sha256": sha(b"x")}), ("file_delete", {"path": "a.txt"})
    assert statuses(world, written, deleted) == ["supported", "supported"]
    (tree / "a.txt").write_bytes(b"x")
    assert statuses(world, deleted, written) == ["supported", "supported"]
    came_and_went = ("file_write", {"path": "tmp", "sha256": sha(b"x")}), ("file_delete", {"path": "tmp"})
    assert statuses(world, *came_and_went) == ["unverifiable", "unverifiable"], "nothing is left to see"


def test_an_edit_that_a_later_edit_replaced(tree: Path, world: TreeState) -> None:
    (tree / "src" / "calc.py").write_bytes(b"def add(a, b):\n    return sum((a, b))\n")
    first = ("file_edit", {"path": "src/calc.py", "anchor": Anchor(before="a - b", after="a + b", replaces=True)})
    second = (
        "file_edit",
        {"path": "src/calc.py", "anchor": Anchor(before="a + b", after="sum((a, b))", replaces=True)},
    )
    assert statuses(world, first, second) == ["supported", "supported"]
    unrelated = ("file_edit", {"path": "src/calc.py", "anchor": Anchor(after="def add")})
    assert statuses(world, first, unrelated)[0] == "contradicted", "an unrelated later edit excuses nothing"


def test_verification_on_another_machine_from_two_snapshots(tree: Path) -> None:
    before = capture.take(tree)
    (tree / "new.txt").write_bytes(b"new")
    (tree / "a.txt").unlink()
    after = capture.take(tree, earlier=before)
    far = TreeState(before=before, after=after)
    assert one(far, kind="file_write", path="new.txt", sha256=sha(b"new")) == ("supported", "")  # req: S3-047
    assert one(far, kind="file_write", path="new.txt", sha256=sha(b"x")) == ("contradicted", "hash_mismatch")
    assert one(far, kind="file_delete", path="a.txt") == ("supported", "")
    assert one(far, kind="file_create", path="src/calc.py") == ("contradicted", "filesystem_mismatch")
    assert one(far, **edit(after="return a + b")) == ("contradicted", "filesystem_mismatch"), "it has not changed"
    assert one(far, **edit(path="new.txt", after="new"))[0] == "unverifiable", "the text is not here"
    assert one(far, kind="file_write", path="../x", sha256=sha(b"")) == ("unsupported", "outside_root")


def test_unreadable_things_are_unverifiable_never_valid(tree: Path, tmp_path: Path, world: TreeState) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    (tree / "link").symlink_to(tmp_path / "secret")
    os.link(tmp_path / "secret", tree / "hard")
    for path in ("link", "hard"):
        assert one(world, kind="file_write", path=path, sha256=sha(b"secret"))[0] == "unverifiable"
        assert one(world, kind="file_edit", path=path, anchor=Anchor(after="secret"))[0] == "unverifiable"


def test_hostile_hundred_thousand_claims(tree: Path, world: TreeState) -> None:
    (tree / "n.txt").write_bytes(b"x")
    same = ActionClaim(kind="file_write", path="n.txt", sha256=sha(b"x"))
    rulings = ruled(world, *[same] * 100_000)
    assert all(ruling.status == "supported" for ruling in rulings)
