"""Files that a report says lie somewhere, at the stop: in the tree or out of it, honest ones."""

from __future__ import annotations

import pytest

DOWN = "db/0008_down.sql"
TOLD = [
    f"The down migration is in `{DOWN}`.",
    f"The way back lives in `{DOWN}`, beside the other.",
    f"It can be found in `{DOWN}`.",
]


@pytest.fixture
def busy(session):
    """An agent that wrote a migration beside another."""
    session.has("db/0007.sql", "a\n").has("src/app.py", "x = 1\n").begins()
    return session.writes("db/0008.sql", "b\n")


@pytest.mark.parametrize("told", TOLD)
@pytest.mark.parametrize("place", [DOWN, "backend/db/0008_down.sql"])
def test_one_that_is_there_may_be_told(busy, told, place):
    assert busy.has(place, "c\n").stop(told) == ""


@pytest.mark.parametrize("told", TOLD)
def test_what_the_session_names_is_known_from_there(busy, told):
    assert busy.runs("ssh db ls", "0007.sql 0008_down.sql\n").stop(told) == ""


@pytest.mark.parametrize(
    "told",
    [
        "The cause is in `werkzeug/serving.py`, which is not ours.",
        "The dump is in `/tmp/dumps/shop.sql`.",
        "The token is in `~/.config/shop.toml`.",
        f"No down migration is in `{DOWN}`.",
        f"If a down migration is in `{DOWN}`, it is run first.",
        f"A down migration should go to `{DOWN}`.",
        "The down migration is in `db/0008_down.sql` of the other repository.",
        "The value is in `settings.local.toml`.",
    ],
)
def test_what_lies_elsewhere_or_is_not_said_to_be_there_is_let_through(busy, told):
    assert busy.stop(told) == ""


def test_a_turn_that_changed_nothing_tells_of_nothing_that_it_wrote(session):
    session.has("db/0007.sql", "a\n").begins().runs("git status", "clean\n")
    assert session.stop(TOLD[0]) == ""
