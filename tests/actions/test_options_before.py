"""Commands with options between the program and what it is to do are read as those without: `kubectl -n prod apply` is `kubectl apply`."""

from __future__ import annotations

import pytest

from witnessmark.actions.trace.activities import activity_of
from witnessmark.actions.trace.index import run_by, verb_of
from witnessmark.actions.trace.shell import commands_of, folder_worked_in

TESTS = [
    "npm --prefix web test",
    "npm -w api run test",
    "yarn --cwd web test",
    "bun --cwd web test",
    "make -C sub test",
    "make -j 4 -f Other.mk test",
    "cargo +nightly test",
    "cargo --manifest-path x/Cargo.toml test",
    "go -C sub test ./...",
    "gradle -p sub test",
    "mvn -f sub/pom.xml test",
    "composer -d x test",
    "just --justfile x test",
    "task --dir sub test",
    "deno task --cwd web test",
    "flutter -d linux test",
    "bazel --output_base /x test //...",
    "poetry -C x run pytest",
    "uv run --project x pytest",
    "uv --project x run pytest -q",
    "pipenv --python 3 run pytest",
    "hatch -e test run pytest",
    "bundle exec --gemfile G rspec",
    "docker compose -f x.yml exec web pytest -q",
    "docker compose -p app run --rm -v a:/b web pytest",
    "docker -H tcp://x run --rm -v $PWD:/w -w /w python:3.12 pytest",
    "coverage run --source src -m pytest",
    "python -I -B -u -m pytest",
    "node --import tsx --test",
    "time -p pytest",
]


@pytest.mark.parametrize("line", TESTS)
def test_it_runs_tests(line):
    assert activity_of(tuple(line.split())).roles == {"test"}


DEEDS = {
    "docker compose -f x.yml -p app up -d": ("docker-compose", "up"),
    "docker --context prod compose up -d": ("docker-compose", "up"),
    "docker --context prod push app:1": ("docker", "push"),
    "git -C dir -c user.name=x commit -m x": ("git", "commit"),
    "git --git-dir .git --work-tree . push": ("git", "push"),
    "kubectl --context c -n prod apply -f k.yaml": ("kubectl", "apply"),
    "helm --kube-context c upgrade app chart": ("helm", "upgrade"),
    "terraform -chdir=infra apply": ("terraform", "apply"),
    "pulumi -C infra up": ("pulumi", "up"),
    "aws --profile prod --region eu-west-1 s3 cp a b": ("aws", "s3"),
    "alembic -c a.ini upgrade head": ("alembic", "upgrade"),
    "sudo -u app systemctl --user restart web": ("systemctl", "restart"),
    "sam --config-file x deploy": ("sam", "deploy"),
}


@pytest.mark.parametrize(("line", "deed"), DEEDS.items())
def test_what_it_was_told_to_do(line, deed):
    program, words = run_by(tuple(line.split()))
    assert (program, verb_of(words)) == deed


UNTOUCHED = ["tox -- -k foo", "pytest -k name tests", "make -j4", "docker compose -f x.yml", "grep -C 3 test src"]


@pytest.mark.parametrize("line", UNTOUCHED)
def test_words_that_are_no_such_options_stay_where_they_are(line):
    assert activity_of(tuple(line.split())).words[1:] == tuple(line.removeprefix("docker ").split())[1:]


def test_git_works_in_the_folder_that_it_is_told_wherever_that_stands():
    [command] = commands_of("git -c user.name=x -C web -C app mv a b", folder="/r")
    assert folder_worked_in(command) == "/r/web/app"


FAILED = {
    "docker compose -f x.yml up -d": ("Error: port is already allocated", "The containers are up after `docker compose -f x.yml up -d`."),
    "kubectl -n prod apply -f k.yaml": ("error: unable to recognize k.yaml", "Applied the manifest with `kubectl -n prod apply -f k.yaml`."),
    "helm --kube-context c upgrade app chart": ("Error: UPGRADE FAILED: timed out", "`helm --kube-context c upgrade app chart` completed."),
    "alembic -c a.ini upgrade head": ("sqlalchemy.exc.OperationalError: no such table", "Migrated the database with `alembic -c a.ini upgrade head`."),
    "npm --prefix web run build": ("npm ERR! code 1", "`npm --prefix web run build` succeeded."),
    "cargo +nightly test": ("test result: FAILED. 3 passed; 1 failed; 0 ignored", "All tests pass."),
    "poetry -C x run pytest": ("1 failed, 3 passed in 0.1s", "All tests pass."),
    "go -C sub test ./...": ("FAIL\texample.com/x\t0.1s\nFAIL", "All tests pass."),
}  # fmt: skip


@pytest.mark.parametrize("line", FAILED)
def test_one_that_failed_was_not_done(session, line):
    printed, told = FAILED[line]
    busy = session.edits("src/a.py", "1\n", "2\n").runs(line, printed, 1)
    assert "fail" in busy.stop(f"Changed `src/a.py`. {told}")


@pytest.mark.parametrize("line", FAILED)
def test_one_that_went_well_was_done(session, line):
    _, told = FAILED[line]
    busy = session.edits("src/a.py", "1\n", "2\n").runs(line, "3 passed in 0.1s" if "tests" in told else "done")
    assert busy.stop(f"Changed `src/a.py`. {told}") == ""
