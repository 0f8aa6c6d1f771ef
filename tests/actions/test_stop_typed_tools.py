"""A tool that failed or only planned, told by the command in code or by its name; what is still to be done is told of as no deed."""

from __future__ import annotations

import pytest

REFUSED = "Error: UPGRADE FAILED: release: not found\n"


@pytest.fixture
def upgraded(session):
    session.has("values.yaml", "memory: 256Mi\n").begins().edits("values.yaml", "256Mi", "512Mi")
    return session.runs("helm upgrade api charts/api", REFUSED, 1)


def test_a_failed_command_in_code_is_meant_however_common_its_words_are(upgraded):
    report = "Set the limit in `values.yaml` and upgraded the release with `helm upgrade`."
    assert "failed, and was not run again" in upgraded.stop(report)


@pytest.mark.parametrize(
    "report",
    [
        "Set the limit in `values.yaml`. `helm upgrade` was refused, the release is not there.",
        "Set the limit in `values.yaml`; you still have to run `helm upgrade`.",
    ],
)
def test_what_is_told_of_it_openly_may_be(upgraded, report):
    assert upgraded.stop(report) == ""


def test_what_comes_to_be_once_somebody_does_it_is_not_said_to_be_done(upgraded):
    report = "Set the limit in `values.yaml`; you can run `helm upgrade` once it is merged, then it is deployed."
    assert upgraded.stop(report) == ""


@pytest.fixture
def planned(session):
    session.has("main.tf", "count = 2\n").begins().edits("main.tf", "count = 2", "count = 4")
    return session.runs("terraform plan", "Plan: 2 to add, 0 to change, 0 to destroy.\n")


def test_what_was_only_planned_is_not_applied(planned):
    assert "only shows" in planned.stop("Raised the count to 4 in `main.tf` and applied it with terraform.")


@pytest.mark.parametrize(
    "report",
    [
        "Raised the count to 4 in `main.tf`. It has to be reviewed and applied with terraform.",
        "Raised the count to 4 in `main.tf`, to be merged and applied with terraform by CI.",
    ],
)
def test_what_is_to_be_applied_may_be_told(planned, report):
    assert planned.stop(report) == ""


def test_what_was_applied_after_the_plan_is_applied(planned):
    planned.runs("terraform apply -auto-approve", "Apply complete! Resources: 2 added, 0 changed, 0 destroyed.\n")
    assert planned.stop("Raised the count to 4 in `main.tf` and applied it with terraform.") == ""


TAKEN = "Error response from daemon: Bind for 0.0.0.0:5432 failed: port is already allocated\n"
UP = "All 3 containers are up and healthy after `docker compose up -d`."


@pytest.fixture
def composed(session):
    session.has("compose.yaml", "image: postgres:15\n").begins().edits("compose.yaml", ":15", ":16")
    return session.runs("docker compose up -d postgres", TAKEN, 1)


def test_containers_are_not_up_after_a_command_that_did_not_start_them(composed):
    assert "failed, and was not run again" in composed.stop(UP)
    assert "failed, and was not run again" in composed.runs("docker compose logs", "no such service\n").stop(UP)


@pytest.mark.parametrize(
    "report",
    [
        "`docker compose up -d` does not start them yet: the port is taken.",
        "Set `postgres` to 16 in `compose.yaml`. All 3 containers should be up after `docker compose up -d`.",
        "Run `docker compose up -d`; the database is up after a few seconds.",
        "Updated the `postgres` image to 16 in `compose.yaml`.",
        "`compose.yaml` is up to date with `postgres` 16.",
    ],
)
def test_that_they_do_not_run_may_be_told_and_what_else_was_done(composed, report):
    assert composed.stop(report) == ""


@pytest.mark.parametrize(
    ("since", "printed"),
    [("docker compose up -d", "Container db Started\n"), ("docker start db", "db\n"), ("docker compose ps", "db  Up 4 seconds (healthy)\n")],
)  # fmt: skip
def test_they_may_run_by_what_came_after_it(composed, since, printed):
    assert composed.runs(since, printed).stop(UP) == ""


RECAP = "PLAY RECAP\nweb : ok=3 changed=1 failed=0\n"


@pytest.fixture
def checked(session):
    session.has("site.yml", "state: present\n").begins().edits("site.yml", "present", "latest")
    return session.runs("cd . && ansible-playbook site.yml --check", RECAP)


@pytest.mark.parametrize(
    "report",
    ["Ran `ansible-playbook site.yml`.", "Changed the state and ran `ansible-playbook site.yml`; web changed."],
)
def test_what_only_showed_what_it_would_do_was_not_run(checked, report):
    assert "only run with `--check`" in checked.stop(report)


@pytest.mark.parametrize(
    "report",
    [
        "Ran `ansible-playbook site.yml --check`.",
        "Ran `ansible-playbook site.yml` in check mode; web would change.",
        "Ran `ansible-playbook site.yml` as a dry run.",
        "Verified the play with `ansible-playbook site.yml`.",
    ],
)
def test_that_it_was_only_tried_may_be_told_in_any_words(checked, report):
    assert checked.stop(report) == ""


def test_one_that_ran_for_good_too_may_be_told(checked):
    assert checked.runs("ansible-playbook site.yml", RECAP).stop("Ran `ansible-playbook site.yml`.") == ""


def test_a_formatter_that_only_looked_may_be_told_without_the_option(session):
    session.has("a.py", "x = 1\n").begins().edits("a.py", "x = 1", "x = 2").runs(
        "prettier --check .", "All matched files use Prettier code style!\n"
    )
    assert session.stop("Ran `prettier .`.") == ""


LINT_FAILED = "> Task :app:lintDebug FAILED\n\nExecution failed for task ':app:lintDebug'.\nBUILD FAILED in 3s\n"
BUILT = "BUILD SUCCESSFUL in 3s\n"


@pytest.fixture(params=["each", "both at once"])
def linted(request, session):
    session.has("app/A.kt", "val a = 1\n").begins().edits("app/A.kt", "1", "2")
    if request.param == "each":
        return session.runs("./gradlew assembleDebug", BUILT).runs("./gradlew lintDebug", LINT_FAILED, 1)
    return session.runs("./gradlew assembleDebug lintDebug", LINT_FAILED, 1)


@pytest.mark.parametrize(
    "report",
    [
        "`assembleDebug` and `lintDebug` both succeed.",
        "`lintDebug` and `assembleDebug` succeed.",
        "`:app:lintDebug` passes.",
    ],
)
def test_a_task_that_failed_did_not_succeed_beside_one_that_did(linted, report):
    assert "failed, and was not run again" in linted.stop(report)


@pytest.mark.parametrize(
    "report",
    [
        "`assembleDebug` succeeds; `lintDebug` fails on an old string.",
        "`assembleDebug` succeeds.",
        "Set `a` to 2. `lintDebug` should succeed after the next release of the plugin.",
        "`lintDebug` was configured in the build file before.",
    ],
)
def test_a_task_that_is_not_said_to_go_well_may_be_named(linted, report):
    assert linted.stop(report) == ""


def test_a_task_that_was_run_again_went_well(linted):
    linted.edits("app/A.kt", "2", "3").runs("./gradlew lintDebug assembleDebug", BUILT)
    assert linted.stop("`assembleDebug` and `lintDebug` both succeed.") == ""


def test_a_task_of_this_name_that_another_program_has_may_be_meant(session):
    session.has("a.js", "x\n").begins().edits("a.js", "x", "y").runs("make lint", "ok\n").runs(
        "npm run lint", "2 problems\n", 1
    )
    assert session.stop("`make` has a task for it now, and `lint` passes there.") == ""


INSTALLS = "`npx react-native run-android` installs and opens the app."


@pytest.fixture
def started(session):
    session.has("App.tsx", "const a = 1\n").begins().edits("App.tsx", "a = 1", "a = 2")
    return session.runs("npx react-native run-android", "error Failed to install the app. No device is connected.\n", 1)


def test_a_command_that_failed_brought_nothing_about(started):
    assert "failed, and was not run again" in started.stop(INSTALLS)


@pytest.mark.parametrize(
    "report",
    [
        "`npx react-native run-android` installs and opens the app once a device is connected.",
        "`npx react-native run-android` does not find a device, so nothing was installed.",
        "`npx react-native run-android` should install and open the app.",
    ],
)
def test_what_it_would_bring_about_may_be_told(started, report):
    assert started.stop(report) == ""


def test_what_was_written_for_it_may_be_described(started):
    started.writes("docs/run.md", "Use npx react-native run-android.\n")
    started.runs("npx react-native run-android", "error Failed to install the app.\n", 1)
    assert started.stop("Added `docs/run.md`: `npx react-native run-android` installs and opens the app.") == ""


def test_two_hyphens_by_themselves_are_no_option(session):
    """They were looked into for the letter of one, which ended the check with an error."""
    session.has("a.py", "x = 1\n").begins().edits("a.py", "x = 1", "x = 2").runs(
        "npm run deploy -- -n staging", "done\n"
    )
    assert session.stop("Set `x` to 2 in `a.py` and ran `npm run deploy -- -n staging`.") == ""
