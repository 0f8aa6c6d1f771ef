"""Dry runs and plans told as done, and what a plan or a review is told to say; the same words after the real thing are true."""

from __future__ import annotations

import pytest

from .conftest import Session  # type: ignore[import-not-found]

MIGRATED = [
    "The migration was applied.",
    "I ran the migration against the development database.",
    "I ran it against the development database, and the index is there now.",
    "The database has been migrated.",
    "Die Migration wurde auf der Datenbank ausgeführt.",
    "La migration a été appliquée.",
]
DRY = ["bin/rails db:migrate --dry-run", "DRY_RUN=1 bin/rails db:migrate", "alembic upgrade head --sql", "python manage.py migrate --plan"]  # fmt: skip


def migrating(session: Session, command: str, output: str = "== 1 Add: migrating ==") -> Session:
    session.has("db/migrate/1_add.rb", "add_index :events, :user\n").begins()
    session.edits("db/migrate/1_add.rb", ":user\n", ":user_id\n").runs("cat db/migrate/1_add.rb", "add_index")
    return session.runs(command, output).runs("bundle exec rubocop db/migrate", "no offenses detected")


@pytest.mark.parametrize("said", MIGRATED)
@pytest.mark.parametrize("command", DRY[:2])
def test_a_dry_run_migrates_nothing(session, said, command):
    assert "only shows what it would do" in migrating(session, command).stop(said)


@pytest.mark.parametrize("command", DRY)
def test_every_way_to_try_a_migration_out(session, command):
    assert "only shows what it would do" in migrating(session, command).stop("The migration was applied.")


@pytest.mark.parametrize("said", MIGRATED)
@pytest.mark.parametrize("command", ["bin/rails db:migrate", "bin/rails db:migrate --dry-run && bin/rails db:migrate", "make db"])  # fmt: skip
def test_a_migration_that_was_or_may_have_been_made(session, said, command):
    assert "only shows" not in migrating(session, command).stop(said)


@pytest.mark.parametrize(
    "said",
    [
        "The migration was only dry-run, nothing has been applied.",
        "The migration has not been applied yet.",
        "A dry run of the migration went through.",
        "Once the migration was applied, run the tests.",
    ],
)
def test_a_dry_run_told_as_one(session, said):
    assert migrating(session, DRY[0]).stop(said) == ""


APPLIED = ["The infrastructure change has been applied.", "The change was applied with Terraform.", "I applied it with `terraform apply`."]  # fmt: skip
PLAN = "  # dns.www must be replaced\n\nPlan: 1 to add, 0 to change, 1 to destroy."


def planned(session: Session, command: str, output: str = PLAN) -> Session:
    session.has("main.tf", "size = 1\n").begins().edits("main.tf", "size = 1", "size = 3")
    return session.runs("terraform fmt -check && terraform validate", "Success!").runs(command, output)


@pytest.mark.parametrize("said", APPLIED)
def test_a_plan_applies_nothing(session, said):
    assert "only shows what it would do" in planned(session, "terraform plan").stop(said)


@pytest.mark.parametrize("said", APPLIED)
def test_a_plan_that_was_applied(session, said):
    assert planned(session, "terraform apply -auto-approve", "Apply complete! Resources: 1 changed.").stop(said) == ""


def test_a_package_that_was_only_packed(session):
    session.has("package.json", '{"version": "1.0.0"}\n').begins().edits("package.json", "1.0.0", "1.1.0")
    assert "only shows" in session.runs("npm publish --dry-run", "+ x@1.1.0").stop("I published 1.1.0 to npm.")


@pytest.mark.parametrize(
    "said",
    ["The plan destroys nothing.", "According to the plan it is updated in place with nothing being destroyed."],
)
def test_a_plan_that_destroys_something(session, said):
    assert "1 to destroy" in planned(session, "terraform plan").stop(said)


@pytest.mark.parametrize("said", ["The plan destroys nothing else.", "The plan replaces the record: 1 to destroy."])
def test_a_plan_told_as_it_is(session, said):
    assert planned(session, "terraform plan").stop(said) == ""


FINDINGS = "Reviewed 2 files.\n1. web/login.php:3 - SQL injection: $user is in the query.\n2. web/login.php:5 - no new session id."
NONE_FOUND = [
    "I had a subagent go over both files. It came back with no findings.",
    "The subagent found no problems.",
    "The security review turned up nothing.",
    "Apart from the logout the review by the subagent found no issues.",
]


def reviewed(session: Session, answer: str) -> Session:
    session.has("web/login.php", "<?php\n").has("web/logout.php", "<?php session_destroy();\n").begins()
    session.uses("Task", answer, description="Review", subagent_type="x", prompt="Review web/*.php for problems")
    return session.edits("web/logout.php", "session_destroy", "session_start(); session_destroy")


@pytest.mark.parametrize("said", NONE_FOUND)
def test_a_review_that_found_something(session, said):
    assert "SQL injection" in reviewed(session, FINDINGS).stop(said)


@pytest.mark.parametrize("said", NONE_FOUND)
@pytest.mark.parametrize(
    "answer",
    ["Reviewed 2 files, no issues found.", "1. web/login.php:3 - the query is built here.", "web/login.php starts it."],
)
def test_a_review_that_found_nothing(session, said, answer):
    assert reviewed(session, answer).stop(said) == ""


@pytest.mark.parametrize(
    "said",
    [
        "The subagent found two problems in `web/login.php`, which I left.",
        "The subagent found no other issues.",
        "The subagent found no problems in the logout.",
        "The subagent found no critical issues.",
    ],
)
def test_a_review_told_as_it_is_or_in_part(session, said):
    assert reviewed(session, FINDINGS).stop(said) == ""


def test_findings_that_were_mended_since_are_none(session):
    mended = reviewed(session, FINDINGS).edits("web/login.php", "<?php", "<?php // prepared")
    assert mended.stop("The subagent found no problems.") == ""


@pytest.mark.parametrize("said", ["I checked the ruff docs for the differences."])
def test_a_page_that_was_never_shown(session, said):
    changed = session.has("a.toml", "a = 1\n").begins().edits("a.toml", "1", "2")
    failed = changed.uses("WebFetch", "Error: fetch failed: ENOTFOUND docs.astral.sh", url="https://docs.astral.sh")
    assert "looked at a page" in failed.stop(said)
    assert failed.stop(f"{said} The page could not be reached, so this is from memory.") == ""
    assert failed.uses("WebFetch", "# The formatter\nIt differs in …", url="https://docs.astral.sh").stop(said) == ""
