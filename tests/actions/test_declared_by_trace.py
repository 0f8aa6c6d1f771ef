"""Declared claims that the tree alone would believe: a digest excused by a later edit, an anchor that was there all along."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest

from witnessmark.actions.claim import ActionClaim, Anchor
from witnessmark.actions.claims.collect import hold_all
from witnessmark.actions.trace.calls import ToolCall, Trace
from witnessmark.actions.tree.view import TreeState

from .conftest import sha  # type: ignore[import-not-found]


def statuses(root: Path, claims: list[ActionClaim], *calls: ToolCall) -> list[str]:
    return [ruling.status for ruling in hold_all(claims, TreeState(root=root), Trace("t", calls), "")]


def wrote(root: Path, text: str, number: int) -> ToolCall:
    given: dict[str, Any] = {"file_path": str(root / "a.txt"), "content": text}
    return ToolCall(f"c{number}", "Write", given, "ok", ok=True)


def test_a_later_claim_excuses_a_digest_that_was_written_and_no_other(tree: Path) -> None:
    (tree / "a.txt").write_text("two\n")
    calls = wrote(tree, "one\n", 1), wrote(tree, "two\n", 2)
    last = ActionClaim("file_write", path="a.txt", sha256=sha(b"two\n"))
    true = ActionClaim("file_write", path="a.txt", sha256=sha(b"one\n"))
    false = ActionClaim("file_write", path="a.txt", sha256=sha(b"never\n"))
    assert statuses(tree, [true, last], *calls) == ["supported", "supported"]
    assert statuses(tree, [false, last], *calls) == ["contradicted", "supported"]


def test_an_anchor_that_was_there_before_shows_no_edit(tree: Path) -> None:
    path = tree / "src" / "calc.py"
    path.write_text("def add(a, b):\n    return a + b\n")
    edit = {"file_path": str(path), "old_string": "a - b", "new_string": "a + b"}
    call = ToolCall("c", "Edit", edit, "ok", ok=True)
    brought = ActionClaim("file_edit", path="src/calc.py", anchor=Anchor(after="return a + b"))
    before = ActionClaim("code_insert", path="src/calc.py", anchor=Anchor(after="def add(a, b):"))
    assert statuses(tree, [brought], call) == ["supported"]
    assert statuses(tree, [before], call) == ["contradicted"]
    unseen = ToolCall("d", "bash", {"command": "python gen.py"}, "", 0, True)
    assert statuses(tree, [before], call, unseen) == ["supported"], "a program may have brought it"


def test_a_false_digest_is_not_excused_by_a_later_edit(tree: Path) -> None:
    (tree / "a.txt").write_text("one and two\n")
    edit = {"file_path": str(tree / "a.txt"), "old_string": "one", "new_string": "one and two"}
    calls = wrote(tree, "one\n", 1), ToolCall("c2", "Edit", edit, "ok", ok=True)
    later = ActionClaim("file_edit", path="a.txt", anchor=Anchor(after="one and two"))
    true, false = (ActionClaim("file_write", path="a.txt", sha256=sha(data)) for data in (b"one\n", b"never\n"))
    assert statuses(tree, [true, later], *calls) == ["supported", "supported"]
    assert statuses(tree, [false, later], *calls) == ["contradicted", "supported"]


@pytest.mark.parametrize(
    ("context", "status"),
    [("def add(a, b):", "supported"), ("def last():", "contradicted"), ("def never():", "unverifiable"), (None, "supported")],
)  # fmt: skip
def test_an_insertion_stands_where_it_is_said_to_stand(tree: Path, context: str | None, status: str) -> None:
    far = "".join(f"x{number} = {number}\n" for number in range(20))
    (tree / "src" / "calc.py").write_text(
        f"def add(a, b):\n    check(a)\n    return a + b\n{far}def last():\n    pass\n"
    )
    claim = ActionClaim("code_insert", path="src/calc.py", anchor=Anchor(before=context, after="check(a)"))
    assert statuses(tree, [claim]) == [status]


@pytest.mark.parametrize(
    "claim",
    [
        ActionClaim("file_write", path="a.txt"),
        ActionClaim("file_edit", path="a.txt", by="report", text="I changed it"),
        ActionClaim("file_write", path="a.txt", sha256="0" * 64),
    ],
)
def test_a_file_is_hashed_only_where_a_digest_is_claimed(
    tree: Path, monkeypatch: pytest.MonkeyPatch, claim: ActionClaim
) -> None:
    hashed: list[bytes] = []
    real = hashlib.sha256

    def counted(data: bytes = b"", **more: Any) -> Any:
        hashed.append(bytes(data))
        return real(data, **more)

    monkeypatch.setattr(hashlib, "sha256", counted)
    statuses(tree, [claim], wrote(tree, "alpha\n", 1))
    assert bool(hashed) is (claim.sha256 is not None)
