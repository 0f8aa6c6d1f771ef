"""What a snapshot keeps of the texts, and what that proves: a change is seen whoever made it, and one that nobody made is not believed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from witnessmark.actions.claims import collect
from witnessmark.actions.report.report import Report
from witnessmark.actions.trace.calls import ToolCall, Trace
from witnessmark.actions.tree import capture, snapshot
from witnessmark.actions.tree.snapshot import Snapshot
from witnessmark.actions.tree.texts import FILE_BYTES, text_at
from witnessmark.actions.tree.view import TreeState, TreeView

from .conftest import git  # type: ignore[import-not-found]


def taken(root: Path) -> Snapshot:
    """A snapshot as it is read back from its file."""
    return snapshot.read(capture.take(root, texts=True).write())


def test_a_tree_without_git_has_its_texts_in_the_snapshot(tree: Path) -> None:
    made = taken(tree)
    (tree / "a.txt").write_text("omega\n")
    (tree / "src" / "calc.py").unlink()
    assert text_at(made, "a.txt", tree) == "alpha\n"
    assert text_at(made, "src/calc.py", tree) == "def add(a, b):\n    return a - b\n"
    assert text_at(made, "new.txt", tree) == "", "there was no such file"


def test_what_git_has_is_not_kept_a_second_time(repository: Path) -> None:
    (repository / "dirty.txt").write_text("not committed\n")
    (repository / "a.txt").write_text("changed before the session\n")
    made = taken(repository)
    assert sorted(made.texts) == ["a.txt", "dirty.txt"]
    (repository / "src" / "calc.py").write_text("")
    assert text_at(made, "src/calc.py", repository) == "def add(a, b):\n    return a - b\n", "from the commit"
    assert text_at(made, "a.txt", repository) == "changed before the session\n", "not from the commit"


def test_texts_stay_as_they_were_after_another_commit(repository: Path) -> None:
    made = taken(repository)
    (repository / "a.txt").write_text("beta\n")
    git(repository, "-c", "user.email=a@example.org", "-c", "user.name=a", "commit", "-qam", "second")
    assert text_at(made, "a.txt", repository) == "alpha\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (".env", b"KEY=1\n"),
        ("deploy/server.pem", b"-----BEGIN\n"),
        ("picture.png", b"\x89PNG\0\0"),
        ("latin.txt", b"caf\xe9\n"),
        ("large.txt", b"x" * (FILE_BYTES + 1)),
    ],
)
def test_keys_and_what_is_no_small_text_are_not_kept(tree: Path, name: str, content: bytes) -> None:
    (tree / name).parent.mkdir(exist_ok=True)
    (tree / name).write_bytes(content)
    made = taken(tree)
    assert made.get(name) is not None
    assert name not in made.texts
    assert text_at(made, name, tree) is None


def test_what_git_ignores_is_not_kept(repository: Path) -> None:
    (repository / ".gitignore").write_text("local.cfg\n")
    (repository / "local.cfg").write_text("password\n")
    assert "local.cfg" not in taken(repository).texts


def test_a_text_that_was_changed_in_the_snapshot_is_not_believed(tree: Path) -> None:
    data = capture.take(tree, texts=True).write()
    made = snapshot.read(data)
    forged = Snapshot(made.entries, taken_ns=made.taken_ns, texts={**made.texts, "a.txt": made.texts["src/calc.py"]})
    assert text_at(snapshot.read(forged.write()), "a.txt", tree) is None
    broken = Snapshot(made.entries, taken_ns=made.taken_ns, texts={"a.txt": "no base64"})
    assert text_at(broken, "a.txt", tree) is None


def test_texts_do_not_change_the_digest_of_a_tree(tree: Path) -> None:
    assert capture.take(tree, texts=True).digest == capture.take(tree).digest


def test_no_filter_of_the_repository_runs(repository: Path, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    git(repository, "config", "filter.x.clean", f"touch {ran}")
    (repository / ".gitattributes").write_text("*.txt filter=x\n")
    (repository / "a.txt").write_text("other\n")
    text_at(taken(repository), "src/calc.py", repository)
    assert not ran.exists()


# --- what it proves --------------------------------------------------------------------------------------------


def statuses(root: Path, before: Snapshot, report: str, *commands: str) -> list[str]:
    """How the claims of a report come out after commands that do not show what they changed."""
    calls = tuple(
        ToolCall(id=str(n), name="Bash", input={"command": command}, output="done", ok=True, turn=1)
        for n, command in enumerate(commands)
    )
    trace = collect.trace_index(Trace(id="t", calls=calls, turns=1)) if commands else None
    world = TreeState(root=root, before=before)
    claims = collect.where_meant(collect.in_words(Report(report)), world, trace)
    rulings = collect.hold_all(claims, world, trace, "no trace", Report(report))
    return [r.status for c, r in zip(claims, rulings, strict=True) if c.kind == "content"]


SCRIPT = "python tools/rewrite.py"


def test_a_change_that_a_script_made_is_seen_in_the_texts(tree: Path) -> None:
    (tree / "src" / "app.py").write_text("TIMEOUT = 30\n\n\ndef old_name():\n    pass\n")
    before = taken(tree)
    (tree / "src" / "app.py").write_text("TIMEOUT = 60\n\n\ndef new_name():\n    pass\n\n\ndef helper():\n    pass\n")
    assert statuses(tree, before, "Changed the timeout in `src/app.py` from 30 to 60.", SCRIPT) == ["supported"]
    assert statuses(tree, before, "Added a helper function `helper` to `src/app.py`.", SCRIPT) == ["supported"]
    assert statuses(tree, before, "Renamed `old_name` to `new_name`.", SCRIPT) == ["supported"]
    assert statuses(tree, before, "Changed the timeout in `src/app.py` from 30 to 90.", SCRIPT) != ["supported"]


def test_a_change_told_of_a_file_that_is_as_it_was_is_untrue(tree: Path) -> None:
    before = taken(tree)
    (tree / "notes.txt").write_text("nothing of it here\n")
    told = "Added a function `multiply` to `src/calc.py`."
    assert statuses(tree, before, told, SCRIPT) == ["contradicted"]
    (tree / "src" / "math.py").write_text("def multiply(a, b):\n    return a * b\n")
    assert statuses(tree, before, told, SCRIPT) == ["supported"], "it stands in another file"


def test_what_nobody_can_read_makes_nothing_untrue(tree: Path) -> None:
    before = taken(tree)
    (tree / "data.bin").write_bytes(b"\0\1")
    assert statuses(tree, before, "Added a function `multiply` to `src/calc.py`.", SCRIPT) == ["unverifiable"]


def test_new_tests_are_counted_in_the_files(tree: Path) -> None:
    before = taken(tree)
    (tree / "test_calc.py").write_text("def test_one():\n    assert 1\n\n\ndef test_two():\n    assert 2\n")
    assert statuses(tree, before, "Added 2 tests.", SCRIPT) == ["supported"]


def test_a_file_says_what_it_held_and_holds(tree: Path) -> None:
    before = taken(tree)
    (tree / "a.txt").write_text("omega\n")
    os.mkfifo(tree / "pipe")
    with TreeView(TreeState(root=tree, before=before)) as view:
        change = view.text_change("a.txt")
        assert change is not None
        assert (change.old, change.new) == ("alpha\n", "omega\n")
        assert view.text_change("../outside.txt") is None
        assert view.text_change("pipe") is None
