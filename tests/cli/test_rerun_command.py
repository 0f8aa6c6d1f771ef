"""`witnessmark rerun` and `pull-request` as a person sees them: tables, exit codes, what is said when nothing can be held."""

from __future__ import annotations

import json
import subprocess

import pytest


@pytest.fixture
def contract(tmp_path):
    def write(text):
        (tmp_path / "done.toml").write_text(text)

    return write


class TestRerun:
    def test_a_first_contract_is_written_once(self, cli, tmp_path):
        done = cli("rerun", "--init")
        assert done.stdout == "done.toml: written; change it, then fix it with `witnessmark rerun --fix`\n"
        text = (tmp_path / "done.toml").read_text()
        assert "[[command]]" in text
        assert "already exists; it was not overwritten" in cli("rerun", "--init").complaint
        assert (tmp_path / "done.toml").read_text() == text

    def test_the_table_says_what_holds_what_does_not_and_whether_it_was_fixed_before(self, cli, contract, tmp_path):
        contract('[[file]]\npath = "here.txt"\n[[file]]\npath = "gone.txt"\n')
        (tmp_path / "here.txt").write_text("x")
        done = cli("rerun")
        rows = {line.split()[1]: line.split()[0] for line in done.stdout.splitlines() if line.startswith(("yes", "NO"))}
        assert (done.exit_code, set(rows.values())) == (1, {"yes", "NO"})
        assert "contract not fixed before: `witnessmark rerun --fix` does" in done.stdout
        cli("rerun", "--fix")
        assert "contract fixed before" in cli("rerun").stdout

    def test_json_is_one_object_that_names_each_item_and_is_bound_to_the_tree(self, cli, contract, tmp_path):
        contract('[[file]]\npath = "here.txt"\ncontains = "x"\n')
        (tmp_path / "here.txt").write_text("x")
        done = cli("rerun", "--json", "-o", "result.json")
        told = json.loads(done.stdout)
        assert (done.exit_code, [item["held"] for item in told["items"]]) == (0, [True])
        assert json.loads((tmp_path / "result.json").read_text()) == told
        (tmp_path / "here.txt").write_text("x and more")
        assert json.loads(cli("rerun", "--json").stdout)["tree"] != told["tree"]

    def test_the_result_is_a_trace_that_a_report_is_held_against(self, cli, contract, tmp_path):
        (tmp_path / "pytest").write_text("#!/bin/sh\necho '3 passed in 0.1s'\n")
        (tmp_path / "pytest").chmod(0o755)
        contract('[[command]]\nrun = "./pytest -q"\n')
        cli("rerun", "--uncontained", "-o", "result.json")
        (tmp_path / "report.md").write_text("All tests pass.")
        done = cli("verify", "--report", "report.md", "--trace", "result.json", "--json")
        assert (done.exit_code, json.loads(done.stdout)["outcome"]) == (0, "pass")

    def test_a_command_that_fails_shows_the_last_thing_it_printed(self, cli, contract):
        contract(
            '[[command]]\nrun = "echo first; echo no such table: orders; echo; exit 1"\n[[command]]\nrun = "exit 2"\n'
        )
        told = cli("rerun", "--uncontained").stdout
        assert "exit code 1: no such table: orders" in told
        assert "exit code 2, nothing printed" in told
        assert "all that the commands printed: -o FILE, or --json" in told

    def test_a_contract_in_another_place_is_looked_for_from_the_root(self, cli, tmp_path):
        (tmp_path / "sub").mkdir()
        (tmp_path / "sub" / "mine.toml").write_text('[[file]]\npath = "mine.toml"\n')
        assert cli("rerun", "mine.toml", "--root", "sub").exit_code == 0
        assert cli("rerun", str(tmp_path / "sub" / "mine.toml"), "--root", "sub").exit_code == 0
        assert "mine.toml: cannot be read" in cli("rerun", "mine.toml").complaint

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("", "requires nothing; write at least one [[command]] or [[file]]"),
            ("[[file]]\n", "path"),
            ("[[file]]\npath = 'a'\nexist = true\n", "exist"),
            ("[limits]\nseconds = 9000\n[[file]]\npath = 'a'\n", "limits.seconds"),
            ("[[command]\n", "done.toml: "),
        ],
        ids=["nothing", "no path", "a typo", "too long", "no TOML"],
    )
    def test_a_contract_that_is_none_is_refused_with_the_field(self, cli, contract, text, said):
        contract(text)
        assert said in cli("rerun").complaint


@pytest.fixture
def repository(tmp_path):
    """A branch `main`, and beside it one that adds a function and its test."""

    def git(*words):
        command = ["git", "-c", "user.email=a@example.org", "-c", "user.name=a", *words]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q", "-b", "main", ".")
    (tmp_path / "calc.py").write_text("def add(a, b):\n    return a + b\n")
    git("add", "calc.py")
    git("commit", "-qm", "first")
    git("checkout", "-qb", "more")
    (tmp_path / "calc.py").write_text("def add(a, b):\n    return a + b\n\n\ndef sub(a, b):\n    return a - b\n")
    (tmp_path / "test_calc.py").write_text("def test_sub():\n    assert sub(3, 1) == 2\n")
    git("add", "-A")
    git("commit", "-qm", "more")
    return tmp_path


class TestPullRequest:
    @pytest.mark.parametrize(
        ("text", "code", "status"),
        [
            ("Added `test_calc.py`.", 0, "supported"),
            ("Deleted `calc.py`.", 4, "unverifiable"),
            ("Added `docs/guide.md`.", 1, "unsupported"),
        ],
    )
    def test_a_table_says_of_each_statement_whether_the_diff_bears_it(self, cli, repository, text, code, status):
        done = cli("pull-request", "-", "--base", "main", stdin=text)
        assert done.exit_code == code
        heading, row, *_ = done.stdout.splitlines()
        assert heading.split() == ["status", "statement", "reason"]
        assert row.split()[0] == status

    def test_a_text_that_states_nothing_is_said_to_and_is_neither_pass_nor_fail(self, cli, repository):
        done = cli("pull-request", "-", "--base", "main", stdin="Please have a look, thanks!")
        assert (done.exit_code, done.stdout) == (
            4,
            "the text makes no statement that can be checked against the diff\n",
        )

    def test_the_text_may_stand_in_a_file_and_the_head_be_another_commit(self, cli, repository):
        (repository / "text.md").write_text("Added `test_calc.py`.")
        assert cli("pull-request", "text.md", "--base", "main").exit_code == 0
        assert cli("pull-request", "text.md", "--base", "main", "--head", "main").exit_code == 1, (
            "the diff there adds nothing"
        )
        assert "gone.md: cannot be read" in cli("pull-request", "gone.md", "--base", "main").complaint

    def test_a_folder_that_is_no_repository_is_said(self, cli, tmp_path):
        assert "git" in cli("pull-request", "-", "--base", "main", stdin="Added `a.py`.").complaint
