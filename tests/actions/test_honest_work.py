"""Whatever honest work is done in whatever order, nothing of it is called untrue; and what was not done is."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from witnessmark.actions.claim import ActionClaim, Anchor
from witnessmark.actions.claims.disclosure import undisclosed
from witnessmark.actions.claims.verify_claims import verify_claims
from witnessmark.actions.tree import capture
from witnessmark.actions.tree.view import TreeState, TreeView

from .conftest import sha  # type: ignore[import-not-found]

NAMES = ("a", "b", "d/c")
Step = tuple[str, str, str, int]
steps = st.lists(
    st.tuples(
        st.sampled_from(["write", "edit", "append", "delete", "rename"]),
        st.sampled_from(NAMES),
        st.sampled_from(NAMES),
        st.integers(0, 10**6),
    ),
    min_size=1,
    max_size=8,
)


def work(root: Path, step: Step) -> ActionClaim | None:
    """Do one step, where it can be done, and say so truly."""
    verb, name, other, number = step
    path, text = root / name, f"line {number}\n"
    if verb == "write":
        path.write_text(text * 2)
        return ActionClaim(kind="file_write", path=name, sha256=sha((text * 2).encode()))
    if not path.exists():
        return None
    if verb == "append":
        path.write_text(path.read_text() + text)
        return ActionClaim(kind="code_insert", path=f"./{name}", anchor=Anchor(after=text))
    if verb == "edit":
        old = path.read_text().splitlines(keepends=True)[0]
        path.write_text(path.read_text().replace(old, text))
        return ActionClaim(kind="file_edit", path=name, anchor=Anchor(before=old, after=text, replaces=True))
    if verb == "delete":
        path.unlink()
        return ActionClaim(kind="file_delete", path=name)
    if (root / other).exists():
        return None
    path.rename(root / other)
    return ActionClaim(kind="file_rename", path=name, to=other)


@settings(max_examples=200, deadline=None)
@given(steps, st.sets(st.sampled_from(NAMES)))
@example([("rename", "a", "b", 0), ("rename", "b", "a", 0)], {"a"})
def test_honest_work_is_never_called_untrue(done: list[Step], there: set[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "d").mkdir()
        for name in there:
            (root / name).write_text(f"first of {name}\nsecond\n")
        world = TreeState(root=root, before=capture.take(root))
        claims = [claim for step in done if (claim := work(root, step)) is not None]
        with TreeView(world) as view:
            rulings = verify_claims(claims, view)
        wrong = [
            (claim.kind, claim.path, ruling.reason)
            for claim, ruling in zip(claims, rulings, strict=True)
            if ruling.wrong
        ]
        assert wrong == []
        assert undisclosed(world.changes() or (), claims) == ()


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["write", "append", "delete", "rename"]), st.sampled_from(NAMES), st.integers(0, 10**6))
def test_the_same_words_without_the_work_are_never_supported(verb: str, name: str, number: int) -> None:
    with tempfile.TemporaryDirectory() as told, tempfile.TemporaryDirectory() as real:
        for folder in (told, real):
            (Path(folder) / "d").mkdir()
            (Path(folder) / name).write_text("first\nsecond\n")
        claim = work(Path(told), (verb, name, "z", number))
        assert claim is not None
        world = TreeState(root=real, before=capture.take(real))
        with TreeView(world) as view:
            (ruling,) = verify_claims([claim], view)
        assert ruling.wrong
