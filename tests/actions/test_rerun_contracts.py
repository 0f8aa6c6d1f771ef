"""Done-contracts as people use them: what a result is bound to, what is refused before anything runs, and the command line."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from witnessmark.actions.rerun import contract
from witnessmark.actions.tree.digests import tree_digest
from witnessmark.cli.app import command_line
from witnessmark.core.errors import InputError


def invoke(*words: str) -> Result:
    return CliRunner().invoke(command_line(), ["rerun", *words])


class TestWhatItIsBoundTo:
    """The digest of the tree: any change that a command could see is another tree."""

    @pytest.mark.parametrize(
        "change",
        [
            lambda tree: (tree / "a.txt").write_bytes(b"omega\n"),
            lambda tree: (tree / "a.txt").rename(tree / "b.txt"),
            lambda tree: (tree / "src" / "calc.py").unlink(),
            lambda tree: (tree / ".env").write_bytes(b"KEY=1\n"),
            lambda tree: ((tree / "to-file").unlink(), (tree / "to-file").symlink_to("src/calc.py")),
            lambda tree: ((tree / "to-folder").unlink(), (tree / "to-folder").symlink_to("other")),
            lambda tree: (tree / "to-folder").unlink(),
        ],
        ids=[
            "bytes",
            "a name",
            "one fewer",
            "a hidden one",
            "where a link leads",
            "where a link to a folder leads",
            "a link less",
        ],
    )
    def test_another_tree_has_another_digest(self, tree: Path, change: Any) -> None:
        (tree / "other").mkdir()
        (tree / "to-file").symlink_to("a.txt")
        (tree / "to-folder").symlink_to("src")
        before = tree_digest(tree)
        change(tree)
        assert tree_digest(tree) != before

    @pytest.mark.parametrize(
        "change",
        [
            lambda tree: os.utime(tree / "a.txt", ns=(1, 1)),
            lambda tree: (tree / ".git").mkdir(),
            lambda tree: os.mkfifo(tree / "pipe"),
            lambda tree: (tree / "empty").mkdir(),
        ],
        ids=["times", "git's own folder", "a pipe", "an empty folder"],
    )
    def test_what_is_no_content_does_not_change_it(self, tree: Path, change: Any) -> None:
        before = tree_digest(tree)
        change(tree)
        assert tree_digest(tree) == before

    def test_a_link_out_of_the_tree_is_not_followed(self, tree: Path, tmp_path: Path) -> None:
        (tree / "out").symlink_to(tmp_path)
        before = tree_digest(tree)
        (tmp_path / "new.txt").write_bytes(b"elsewhere")
        assert tree_digest(tree) == before


class TestRefused:
    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("", "requires nothing"),
            ("[limits]\nseconds = 5\n", "requires nothing"),
            ("[[command]]\n", "run"),
            ("[[command]]\nrun = ''\n", "run"),
            ("[[command]]\nrun = '  '\n", "run"),
            ("[[command]]\nrun = 'x'\nat_least = 0\n", "at_least"),
            ("[[command]]\nrun = 'x'\nexit = 1\n", "exit"),
            ("[[file]]\ncontains = 'x'\n", "path"),
            ("[limits]\nseconds = 100000\n[[command]]\nrun = 'x'\n", "seconds"),
            ("[limits]\nmemory = 5\n[[command]]\nrun = 'x'\n", "memory"),
            ("[[command]\nrun = 'x'\n", "done.toml"),
            ("[[comand]]\nrun = 'x'\n", "comand: unknown field; did you mean command"),
        ],
    )  # fmt: skip
    def test_what_is_no_contract_is_named(self, tree: Path, text: str, why: str) -> None:
        (tree / "done.toml").write_text(text)
        with pytest.raises(InputError, match=why):
            contract.load(tree / "done.toml")

    def test_one_that_is_not_there_not_text_or_too_large(self, tree: Path) -> None:
        place = tree / "done.toml"
        with pytest.raises(InputError, match="rerun --init"):
            contract.load(place)
        place.write_bytes(b"\xff\xfe")
        with pytest.raises(InputError, match="done.toml"):
            contract.load(place)
        place.write_bytes(b"#" * (contract.MAX_BYTES + 1))
        with pytest.raises(InputError, match="has more than 256,000 bytes"):
            contract.load(place)


class TestCommandLine:
    def test_a_first_contract_is_written_once_and_can_be_read(self, tree: Path) -> None:
        assert invoke("--root", str(tree), "--init").exit_code == 0
        made, _ = contract.load(tree / "done.toml")
        assert [command.run for command in made.command] == ["pytest -q"]
        again = invoke("--root", str(tree), "--init")
        assert "already exists" in str(again.exception)

    def test_the_result_is_shown_and_decides_the_exit_code(self, tree: Path) -> None:
        (tree / "done.toml").write_text('[[file]]\npath = "a.txt"\n[[file]]\npath = "never.txt"\n')
        done = invoke("--root", str(tree))
        assert done.exit_code == 1
        assert "NO" in done.output
        assert "not fixed before" in done.output
        (tree / "never.txt").write_bytes(b"now\n")
        invoke("--root", str(tree), "--fix")
        done = invoke("--root", str(tree))
        assert done.exit_code == 0
        assert "contract fixed before, nothing was run" in done.output

    def test_as_json_it_has_everything(self, tree: Path) -> None:
        (tree / "done.toml").write_text('[[file]]\npath = "a.txt"\ncontains = "alpha"\n')
        made = json.loads(invoke("--root", str(tree), "--json").stdout)
        assert made["items"][0] | {"there": ""} == {"what": "a.txt is there with 'alpha'", "held": True, "there": ""}
        assert (made["tree"], made["id"], made["whole"]) == (tree_digest(tree), "rerun", False)
        assert made["contract"] == contract.load(tree / "done.toml")[1]

    def test_a_contract_elsewhere_and_a_root_that_is_none(self, tree: Path, tmp_path: Path) -> None:
        place = tmp_path / "elsewhere.toml"
        place.write_text('[[command]]\nrun = "true"\n')
        assert invoke(str(place), "--root", str(tree), "--uncontained").exit_code == 0
        missing = invoke(str(place), "--root", str(tmp_path / "missing"), "--uncontained")
        assert isinstance(missing.exception, InputError)
        assert "is not a directory" in str(missing.exception)

    def test_fixed_again_another_contract_holds(self, tree: Path) -> None:
        place = tree / "done.toml"
        place.write_text('[[file]]\npath = "a.txt"\n')
        invoke("--root", str(tree), "--fix")
        place.write_text('[[file]]\npath = "src/calc.py"\n')
        assert "keeps the digest of another contract" in str(invoke("--root", str(tree), "--fix").exception)
        assert "changed after it was fixed" in str(invoke("--root", str(tree)).exception)
        assert invoke("--root", str(tree), "--fix", "--replace").exit_code == 0
        assert invoke("--root", str(tree)).exit_code == 0
