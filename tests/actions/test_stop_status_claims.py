"""The status of a request, told against the one that the request to the same address printed."""

from __future__ import annotations

import pytest

from .conftest import Session  # type: ignore[import-not-found]

HEALTH = "curl -i http://localhost:3000/health"
TOLD = [
    f"I called `{HEALTH}` and it returned 200.",
    "`GET /health` responds with 200 OK.",
    "The endpoint http://localhost:3000/health returns 200.",
    "`/health` → 200",
]


def asked(session: Session, code: int, command: str = HEALTH) -> Session:
    return session.runs(command, f"HTTP/1.1 {code} Something\ncontent-type: text/plain\n\nx")


@pytest.mark.parametrize("report", TOLD)
def test_another_status_than_the_printed_one_is_untrue(session: Session, report: str) -> None:
    assert "printed status 500" in asked(session.edits("a.py", "x = 1", "x = 2"), 500).stop(report)


@pytest.mark.parametrize("report", TOLD)
def test_the_printed_one_and_one_that_was_printed_later_are_let_through(session: Session, report: str) -> None:
    assert asked(session, 200).stop(report) == ""
    assert asked(asked(session, 500), 200).stop(report) == ""


def test_it_may_be_another_one_after_the_code_was_changed(session: Session) -> None:
    assert asked(session, 500).edits("a.py", "x = 1", "x = 2").stop("`GET /health` returns 200.") == ""


@pytest.mark.parametrize(
    "report",
    [
        "I expected 200 of `GET /health`, and it returned 500.",
        "`GET /status` returned 200.",
        "`POST /health` returned 201.",
        "Once that is mended, `GET /health` should return 200.",
        "`/health` got 200 rows.",
    ],
)
def test_what_is_told_of_something_else_is_let_through(session: Session, report: str) -> None:
    assert asked(session, 500).stop(report) == ""


def test_a_status_that_is_printed_alone_counts_and_none_at_all_does_not(session: Session) -> None:
    line = "curl -s -o /dev/null -w '%{http_code}' http://localhost:8000/api/users"
    assert "printed status 503" in session.runs(line, "503").stop("`/api/users` answered with 200.")
    assert session.runs("curl -s http://localhost:8000/other", "ok").stop("`/other` answered with 200.") == ""


ASKED = [
    "I called the endpoint with curl: it answers 200 with the list as JSON.",
    "The request returns 200 now.",
    "Ich habe den Endpunkt mit curl aufgerufen, er antwortet mit 200.",
    "J'ai appelé l'URL avec curl : elle répond 200.",
]


@pytest.mark.parametrize("report", ASKED)
def test_where_no_address_is_named_the_only_request_is_meant(session: Session, report: str) -> None:
    asked(session.edits("a.py", "x = 1", "x = 2"), 500)
    assert "printed status 500" in session.stop(report)
    assert asked(session, 200).stop(report) == ""


@pytest.mark.parametrize(
    "report",
    [*ASKED, "A repeated order returns 200 now, as the handler finds it.", "Duplicates get a 409 and return 200."],
)
def test_of_several_requests_none_is_meant(session: Session, report: str) -> None:
    asked(session, 500)
    assert asked(session, 404, "curl -i http://localhost:3000/other").stop(report) == ""


def test_what_the_code_is_told_to_answer_was_not_asked(session: Session) -> None:
    assert asked(session, 500).stop("A repeated order returns 200 now, as the handler finds it.") == ""


@pytest.mark.parametrize(
    "report",
    [
        "`GET /health` returns 503 when the database is down.",
        "With an empty body `GET /health` returns 400.",
        "`GET /health` returns 304 when the ETag matches.",
        "For a known ETag, `GET /health` returns 304.",
        "An unknown id makes the request return 404.",
    ],
)
def test_the_status_of_another_case_is_let_through(session: Session, report: str) -> None:
    assert asked(session.edits("a.py", "x = 1", "x = 2"), 200).stop(report) == ""
