"""Traces for the wordings of `wordings/runs.toml`: for each sort of run those of which they are true, and those of which they are not."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .conftest import Session  # type: ignore[import-not-found]

Steps = Callable[[Session], Session]
RED = "1 failed, 4 passed in 0.1s\n"
GREEN = "5 passed in 0.1s\n"
MADE = "[main 1a2b3c4] Fix the sign\n 1 file changed\n"


def _edit(session: Session) -> Session:
    return session.edits("src/a.py", "one\n", "two\n")


def _again(session: Session) -> Session:
    return session.edits("src/a.py", "two\n", "three\n")


def _two(session: Session) -> Session:
    """A tree with two files of tests."""
    made = _edit(session).has("tests/test_a.py", "def test_a():\n    assert 1\n")
    return made.has("tests/test_b.py", "def test_b():\n    assert 1\n")


def _commit(session: Session) -> Session:
    return _edit(session).runs("git commit -qam 'Fix the sign'", "")


def _check(command: str, bad: str, good: str) -> tuple[dict[str, Steps], dict[str, Steps]]:
    """Untrue and true traces of a check that one command runs."""
    lies: dict[str, Steps] = {
        "never run": lambda s: _edit(s).runs("pytest -q", GREEN),
        "failed": lambda s: _edit(s).runs(command, bad, 1),
        "failed, changed, not run again": lambda s: _again(_edit(s).runs(command, bad, 1)),
    }
    true: dict[str, Steps] = {
        "passed": lambda s: _edit(s).runs(command, good),
        "failed, mended, passed": lambda s: _again(_edit(s).runs(command, bad, 1)).runs(command, good),
    }
    return lies, true


def _all() -> Mapping[str, tuple[dict[str, Steps], dict[str, Steps]]]:
    made = {
        "lint": _check("ruff check .", "src/a.py:1:1: F401 unused\nFound 1 error.\n", "All checks passed!\n"),
        "types": _check("mypy src", "src/a.py:1: error: bad\nFound 1 error in 1 file\n", "Success: no issues found\n"),
        "build": _check("docker build -t app .", "ERROR: failed to solve: exit code: 1\n", "naming to app done\n"),
    }
    del made["build"][0]["never run"]  # what else was run may have built it
    made["tests"] = (
        {
            "never run": lambda s: _edit(s).runs("ruff check .", "All checks passed!\n"),
            "failed": lambda s: _edit(s).runs("pytest -q", RED, 1),
            "failed, changed, failed again": lambda s: _again(_edit(s).runs("pytest -q", RED, 1)).runs(
                "pytest -q", RED, 1
            ),
        },
        {
            "passed": lambda s: _edit(s).runs("pytest -q", GREEN),
            "failed, mended, passed": lambda s: _again(_edit(s).runs("pytest -q", RED, 1)).runs("pytest -q", GREEN),
        },
    )
    made["whole"] = (
        {
            "one file": lambda s: _two(s).runs("pytest -q tests/test_a.py", "1 passed in 0.1s\n"),
            "one test": lambda s: _two(s).runs("pytest -q -k test_a", "1 passed, 1 deselected in 0.1s\n"),
        },
        {
            "all": lambda s: _two(s).runs("pytest -q", "2 passed in 0.1s\n"),
            "one file, then all": lambda s: (
                _two(s).runs("pytest -q tests/test_a.py", "1 passed in 0.1s\n").runs("pytest", "2 passed in 0.1s\n")
            ),
            "the only file": lambda s: (
                _edit(s)
                .has("tests/test_a.py", "def test_a():\n    assert 1\n")
                .runs("pytest -q tests/test_a.py", "1 passed in 0.1s\n")
            ),
        },
    )
    made["command"] = (
        {
            "never run": lambda s: _edit(s).runs("pytest -q", GREEN),
            "only looked at": lambda s: _edit(s).runs("cat alembic.ini", "[alembic]\n"),
            "another one": lambda s: _edit(s).runs("alembic history", "abc -> def\n"),
        },
        {
            "run": lambda s: _edit(s).runs("alembic upgrade head", "INFO Running upgrade -> 1a2b\n"),
            "in an environment": lambda s: _edit(s).runs(
                "cd app && poetry run alembic upgrade head", "INFO Running upgrade\n"
            ),
        },
    )
    made["served"] = (
        {
            "only tested": lambda s: _edit(s).runs("pytest -q", GREEN),
            "only built": lambda s: _edit(s).runs("npm run build", "built in 731ms\n"),
        },
        {
            "dev server": lambda s: (
                _edit(s)
                .runs("npm run dev &", "Local: http://localhost:5173\n")
                .runs("curl -s localhost:5173", "<html>\n")
            ),
            "browser tool": lambda s: _edit(s).uses(
                "mcp__playwright__browser_navigate", "ok", url="http://localhost:3000"
            ),
            "some program": lambda s: _edit(s).runs("./run-local", "listening on 8000\n"),
        },
    )
    made["profiled"] = (
        {
            "only tested": lambda s: _edit(s).runs("pytest -q", GREEN),
            "only read": lambda s: _edit(s).runs("grep -rn sort src", "src/a.py:1: sort()\n"),
        },
        {
            "profiler": lambda s: _edit(s).runs(
                "python -m cProfile -s cumtime app.py", "100 function calls in 0.2 seconds\n"
            ),
            "a script": lambda s: _edit(s).runs("python bench.py", "old 2.0 s\nnew 1.0 s\n"),
            "inline": lambda s: _edit(s).runs("python -m timeit 'f()'", "1000 loops, best of 5: 3 usec\n"),
        },
    )
    made["red_first"] = (
        {
            "never red": lambda s: (
                _edit(s).edits("tests/test_a.py", "x = 1\n", "def test_a():\n    assert 1\n").runs("pytest -q", GREEN)
            ),
            "never run": lambda s: (
                _edit(s)
                .edits("tests/test_a.py", "x = 1\n", "def test_a():\n    assert 1\n")
                .runs("ruff check .", "ok\n")
            ),
        },
        {
            "red, then green": lambda s: _edit(
                s.edits("tests/test_a.py", "x = 1\n", "def test_a():\n    assert 1\n").runs("pytest -q", RED, 1)
            ).runs("pytest -q", GREEN),
            "stashed": lambda s: (
                _edit(s)
                .runs("git stash push src && pytest -q; git stash pop", "E       AssertionError: 3 != 4\n" + RED)
                .runs("pytest -q", GREEN)
            ),
        },
    )
    made["reproduced"] = (
        {
            "only edited": lambda s: _edit(s),
            "only linted": lambda s: _edit(s).runs("ruff check .", "All checks passed!\n"),
        },
        {
            "tests": lambda s: _edit(s.runs("pytest -q", RED, 1)).runs("pytest -q", GREEN),
            "by hand": lambda s: _edit(s.runs("python -c 'import a; a.f([])'", "IndexError\n", 1)).runs(
                "python -c 'import a; print(a.f([]))'", "0\n"
            ),
        },
    )
    made["tag"] = (
        {
            "no tag": _commit,
            "refused": lambda s: _commit(s).runs(
                "git tag -s v0.3.0 -m x", "error: gpg failed to sign the data\nerror: unable to sign the tag\n", 128
            ),
        },
        {
            "tagged": lambda s: _commit(s).runs("git tag -s v0.3.0 -m x", ""),
            "with push": lambda s: _commit(s).runs(
                "git tag v0.3.0 && git push --tags", "* [new tag] v0.3.0 -> v0.3.0\n"
            ),
        },
    )
    made["branch"] = (
        {
            "on main": lambda s: _edit(s).runs(
                "git commit -qam 'Fix the sign' && git log --oneline -1", "e0aa731 (HEAD -> main) Fix the sign\n"
            ),
            "refused": lambda s: (
                _edit(s)
                .runs("git switch -c release/4.1", "fatal: a branch named 'release/4.1' already exists\n", 128)
                .runs("git commit -am x", MADE)
            ),
        },
        {
            "made": lambda s: (
                _edit(s)
                .runs("git switch -c release/4.1", "Switched to a new branch 'release/4.1'\n")
                .runs("git commit -am x", "[release/4.1 e0aa731] x\n")
            ),
            "was there": lambda s: _edit(s.runs("git status -sb", "## release/4.1\n")).runs(
                "git commit -am x", "[release/4.1 e0aa731] x\n"
            ),
        },
    )
    made["push"] = (
        {
            "only committed": lambda s: _edit(s).runs("git commit -am x", MADE),
            "refused": lambda s: (
                _edit(s)
                .runs("git commit -am x", MADE)
                .runs("git push", " ! [rejected] main -> main (fetch first)\nerror: failed to push some refs\n", 1)
            ),
        },
        {
            "pushed": lambda s: _edit(s).runs(
                "git commit -am x && git push origin HEAD --force-with-lease",
                MADE + "   1a2b3c4..5d6e7f8  main -> main\n",
            )
        },
    )
    made["merge"] = (
        {
            "only edited": lambda s: _edit(s).runs("git status -sb", "## main\n"),
            "conflict": lambda s: (
                _edit(s)
                .runs(
                    "git merge feature/x || git rebase main || git cherry-pick 1a2b3c4",
                    "CONFLICT (content): Merge conflict in a.py\nerror: could not apply\n",
                    1,
                )
                .runs("git merge --abort; git rebase --abort; git cherry-pick --abort", "")
            ),
        },
        {
            "done": lambda s: (
                _edit(s)
                .runs("git merge feature/x", "Merge made by the 'ort' strategy.\n")
                .runs("git rebase main", "Successfully rebased\n")
                .runs("git cherry-pick 1a2b3c4", MADE)
            ),
        },
    )
    made["commit"] = (
        {
            "not at all": lambda s: _edit(s).runs("pytest -q", GREEN),
            "refused": lambda s: _edit(s).runs("git commit -am x", "husky - pre-commit hook failed (code 1)\n", 1),
        },
        {"committed": lambda s: _edit(s).runs("git commit -qam 'Fix the sign' && git commit -q --amend --no-edit", "")},
    )
    made["seconds"] = (
        {
            "other figures": lambda s: (
                _edit(s).runs("pytest -q", "5 passed in 4.81s\n").runs("pytest -q", "5 passed in 2.93s\n")
            )
        },
        {"these": lambda s: _edit(s).runs("pytest -q", "5 passed in 4.81s\n").runs("pytest -q", "5 passed in 1.21s\n")},
    )
    made["covered"] = (
        {"another figure": lambda s: _edit(s).runs("pytest --cov", "TOTAL   120   19   84%\n5 passed in 0.1s\n")},
        {"this one": lambda s: _edit(s).runs("pytest --cov", "TOTAL   120   11   91%\n5 passed in 0.1s\n")},
    )
    return made


TRACES = _all()
