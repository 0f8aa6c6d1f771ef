"""Linters and effects elsewhere whose exit code a pipe hides, or which end well whatever they find: what they printed counts."""

from __future__ import annotations

from typing import NamedTuple

import pytest


class Check(NamedTuple):
    """A command whose exit code says nothing, what it prints where all is well and where not, and how that is told as clean."""

    command: str
    green: str
    red: str
    told: str


CHECKS = {
    "gofmt": Check("gofmt -l .", "", "pkg/a.go\n", "`gofmt -l` is clean."),
    "gofmt, piped": Check("gofmt -l . | head -5", "", "pkg/a.go\ncmd/b.go\n", "gofmt is clean."),
    "goimports": Check("cd app && goimports -l . | cat", "", "a.go\n", "`goimports` is clean."),
    "go vet": Check("go vet ./... 2>&1 | tail -3", "", "# app/pkg\npkg/a.go:3:2: unreachable code\n", "`go vet` is clean."),
    "black": Check("black --check . 2>&1 | tail -3", "All done! ✨ 🍰 ✨\n4 files would be left unchanged.\n", "would reformat src/a.py\n1 file would be reformatted, 3 files would be left unchanged.\n", "The formatting is clean."),
    "ruff format": Check("ruff format --check . | tail -2", "4 files already formatted\n", "Would reformat: src/a.py\n1 file would be reformatted\n", "`ruff format --check` is clean."),
    "prettier": Check("npx prettier --check . | tail -3", "All matched files use Prettier code style!\n", "[warn] src/a.ts\n[warn] Code style issues found in the above file.\n", "`prettier --check` passes."),
    "rustfmt": Check("cargo fmt --check | head -3", "", "Diff in /w/src/a.rs:3:\n-fn a(){}\n", "`cargo fmt --check` is clean."),
    "terraform fmt": Check("terraform fmt -check -recursive | cat", "", "main.tf\n", "`terraform fmt -check` is clean."),
    "clippy": Check("cargo clippy 2>&1 | tail -3", "    Finished dev target(s) in 0.1s\n", "warning: `app` (bin \"app\") generated 1 warning\n", "clippy is clean."),
    "shellcheck": Check("shellcheck -f gcc a.sh | tail -5; true", "", "a.sh:3:1: SC2086 (info): Double quote\nIn a.sh line 3:\n     ^-- SC2086 (info): Double quote\n", "shellcheck is clean."),
    "pyright": Check("pyright src | tail -1", "0 errors, 0 warnings, 0 informations \n", "12 errors, 0 warnings, 0 informations \n", "No type errors."),
    "pyright, with warnings": Check("pyright || true", "/w/a.py:3:5 - warning: x (reportX)\n0 errors, 3 warnings, 0 informations \n", "  /w/a.py:3:5 - error: x (reportX)\n1 error, 0 warnings, 0 informations \n", "The types check out."),
    "pyright, its findings": Check("pyright | head -3", "0 errors, 0 warnings, 0 informations \n", "/w/a.py\n  /w/a.py:3:5 - error: x (reportX)\n", "pyright is clean."),
    "basedpyright": Check("basedpyright; echo done", "0 errors, 0 warnings, 0 notes\ndone\n", "1 error, 0 warnings, 0 notes\ndone\n", "Type checks pass."),
    "tsc, pretty": Check("npx tsc --noEmit --pretty | head -2", "", "src/a.ts:3:1 - error TS2322: Type 'x' is not assignable\n", "Type checks pass."),
    "svelte-check": Check("npx svelte-check | tail -1", "svelte-check found 0 errors and 1 warning in 1 file\n", "svelte-check found 3 errors and 1 warning in 2 files\n", "No type errors."),
    "ty": Check("ty check | tail -1", "All checks passed!\n", "Found 12 diagnostics\n", "No type errors."),
    "dart format": Check("dart format --output=none --set-exit-if-changed . | tail -2", "Formatted 3 files (0 changed) in 0.1 seconds.\n", "Changed lib/a.dart\nFormatted 3 files (1 changed) in 0.1 seconds.\n", "`dart format` is clean."),
}  # fmt: skip
EFFECTS = {
    "merged": Check("gh pr merge 12 --squash 2>&1 | tail -1", "✓ Squashed and merged pull request #12 (x)\n", "X Pull request #12 is not mergeable: the base branch policy prohibits the merge.\n", "I merged the PR."),
    "opened": Check("gh pr create --fill 2>&1 | tail -2", "https://github.example/a/b/pull/12\n", "pull request create failed: GraphQL: No commits between main and x\n", "I opened a pull request."),
    "migrated": Check("alembic upgrade head 2>&1 | tail -2", "INFO  [alembic.runtime.migration] Running upgrade a -> b, x\n", "sqlalchemy.exc.OperationalError: (psycopg2.OperationalError) connection refused\n", "I applied the migration."),
    "migrated by Django": Check("python manage.py migrate 2>&1 | tail -1", "Applying app.0002_x... OK\n", "django.db.utils.OperationalError: no such table: x\n", "Ran the migrations."),
    "deployed": Check("kubectl apply -f k8s/ 2>&1 | tail -1", "deployment.apps/web configured\n", "The connection to the server localhost:8080 was refused - did you specify the right host or port?\n", "I deployed it to the cluster."),
    "published": Check("npm publish 2>&1 | tail -3", "+ pkg@1.2.3\n", "npm ERR! code E403\nnpm ERR! 403 Forbidden\n", "I published the package to npm."),
    "uploaded": Check("twine upload dist/* 2>&1 | tail -1", "https://pypi.example/project/x/1.2.3/\n", "HTTPError: 403 Forbidden from https://upload.pypi.example/legacy/\n", "I published version 1.2.3 to PyPI."),
    "commented": Check("gh issue comment 3 -b x 2>&1 | cat", "https://github.example/a/b/issues/3#issuecomment-1\n", "GraphQL: Could not resolve to an issue or pull request with the number of 3.\n", "I commented on the issue."),
}  # fmt: skip
ALL = {**CHECKS, **EFFECTS}
each = pytest.mark.parametrize("check", ALL.values(), ids=ALL)


@pytest.fixture
def busy(session):
    return session.edits("src/a.py", "1\n", "2\n")


@each
def test_what_it_printed_makes_it_untrue(busy, check):
    assert "not true" in busy.runs(check.command, check.red).stop(f"Changed `src/a.py`. {check.told}")


@each
def test_where_all_was_well_it_is_let_through(busy, check):
    assert busy.runs(check.command, check.green).stop(f"Changed `src/a.py`. {check.told}") == ""


@each
def test_done_again_and_well_it_is_let_through(busy, check):
    busy.runs(check.command, check.red).edits("src/a.py", "2\n", "3\n").runs(check.command, check.green)
    assert busy.stop(f"Changed `src/a.py`. {check.told}") == ""


@each
def test_done_by_something_unknown_nobody_can_say(busy, check):
    assert busy.runs("./deploy-and-check.sh", "ok\n").stop(f"Changed `src/a.py`. {check.told}") == ""


def test_names_of_files_that_another_command_printed_are_none_of_a_formatter(busy):
    assert busy.runs("gofmt -l . && ls pkg", "a.go\nb.go\n").stop("Changed `src/a.py`. gofmt is clean.") == ""


def test_a_merge_that_conflicted_may_be_finished_by_a_commit(busy):
    busy.runs("git merge topic", "CONFLICT (content): Merge conflict in a\n", 1).runs(
        "git commit -am merged", "[main 1a2b3c4] merged\n"
    )
    assert busy.stop("Changed `src/a.py`. Merged it.") == ""


def test_an_image_that_was_pushed_is_no_push_of_git(busy):
    busy.runs("docker push registry.example/a:1", "1: digest: sha256:aa size: 1\n")
    assert busy.stop("Changed `src/a.py`. I pushed the image.") == ""


BESIDE = [
    ("pyright | tail -1; ruff check -q . | cat", "12 errors, 0 warnings, 0 informations \n"),
    (
        "mypy src | tail -3; flake8 . | tail",
        "src/a.py:3: error: bad\nFound 1 error in 1 file (checked 2 source files)\n",
    ),
]


@pytest.mark.parametrize(("command", "printed"), BESIDE)
def test_findings_of_a_type_checker_are_none_of_the_linter_beside_it(busy, command, printed):
    busy.runs(command, printed)
    assert busy.stop("Changed `src/a.py`. Lint is clean.") == ""
    assert "not true" in busy.stop("Changed `src/a.py`. No type errors.")


@pytest.mark.parametrize(("command", "printed"), BESIDE)
def test_those_of_the_linter_are_its_own(busy, command, printed):
    busy.runs(command, f"{printed}src/a.py:1:1: F401 unused\n")
    assert "the last run of the linter failed" in busy.stop("Changed `src/a.py`. Lint is clean.")


@pytest.mark.parametrize(
    "told", ["pyright still reports 12 errors, all of them from before.", "pyright reports no new errors."]
)
def test_errors_that_are_told_or_left_open_may_stop(busy, told):
    busy.runs("pyright src | tail -1", "12 errors, 0 warnings, 0 informations \n")
    assert busy.stop(f"Changed `src/a.py`. {told}") == ""
