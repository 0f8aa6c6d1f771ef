"""The tests of all packages, told where only those of some were run, and another command went over all of them."""

from __future__ import annotations

import pytest

from .conftest import Session  # type: ignore[import-not-found]

ALL = "`go test ./...` passes across the whole module."


def told_after(session: Session, *commands: str) -> str:
    session.has("a/a_test.go", "package a\n").begins().writes("a/a.go", "package a\n")
    for command in (*commands, "go vet ./..."):
        session.runs(command, "ok  \tx/a\t0.1s" if "test" in command else "")
    return str(session.stop(f"Added `a/a.go`. {ALL}"))


@pytest.mark.parametrize("command", ["go test ./a/", "go test -race ./a/"])
def test_another_command_over_all_packages_is_no_run_of_their_tests(session: Session, command: str) -> None:
    assert "the trace has no such command" in told_after(session, command)


@pytest.mark.parametrize(
    "commands",
    [
        ["go test ./..."],
        ["cd a && go test ./..."],
        ["go test"],
        ["make test"],
        ["go test $(go list ./...)"],
        ["go test ./a/", "go test -count=1 ./..."],
    ],
)
def test_a_run_that_may_have_had_all_packages_is_one(session: Session, commands: list[str]) -> None:
    assert told_after(session, *commands) == ""
