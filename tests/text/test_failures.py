"""What reports a failure in place of a result."""

from __future__ import annotations

import pytest

from witnessmark.text.failures import asked_for, failure


@pytest.mark.parametrize(
    "text",
    [
        'Traceback (most recent call last):\n  File "run.py", line 8\nHTTPError: 503',
        "Error: connection to the supplier's site timed out after 30 s. No data retrieved.",
        "HTTPError: 503 Server Error",
        "503 Service Unavailable",
        "requests.exceptions.ConnectionError: refused",
        "The request to the catalogue timed out.",
        "fatal: not a git repository",
        "  [ERROR] - could not open the file",
        "Error while booking the flight",
        "Exception occurred in the scheduler",
        '{"error": {"code": 503, "message": "Service unavailable"}}',
        "{'error': 'timeout'}",
        '{"errors": ["quota exceeded"], "status": 429}',
        "Rate limit reached for the model. Please try again in 20s.",
        'Exception in thread "main" java.lang.NullPointerException',
    ],
)
def test_a_text_that_opens_as_an_error_is_a_failure(text):
    assert failure(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "Tallow Bay had 14,318 inhabitants at the 2021 census.",
        "The error rate fell to 3 %.",
        "Two requests failed with HTTPError: 503; the other 40 gave the prices below.",
        "Errors in the log: none since Monday.",
        "Error handling was added to the parser.",
        "Nobody was killed in the raid.",
        "404 pages were read.",
        '{"error": null, "rows": [1, 2]}',
        '{"error": 0.05, "value": 3.1}',
        '{"error": "one row was skipped", "rows": [{"id": 1}]}',
        "",
    ],
)
def test_a_result_that_speaks_of_errors_is_none(text):
    assert failure(text) is None


@pytest.mark.parametrize(
    "asked",
    [
        "Write an error message for a failed login",
        "Reproduce the crash and give the traceback",
        "Translate the error message into German",
        "Schreibe eine Fehlermeldung für den Login",
    ],
)
def test_an_error_that_was_asked_for_is_the_result(asked):
    assert failure("Error: wrong user name or password.", asked) is None


@pytest.mark.parametrize(
    "asked", ["Load the data", "Fix the error", "Find the cause of the crash", "Write a summary of the error", ""]
)
def test_work_on_an_error_asks_for_none(asked):
    assert failure("Error: connection refused", asked) is not None


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ("Write a reply that declines the invitation", True),
        ("Politely decline the offer", True),
        ("Draft an apology to the customer", True),
        ("Translate to French: 'I can't help with that.'", True),
        ("Verfasse eine Absage an den Bewerber", True),
        ("Research the market", False),
        ("Find out why the customer declined", False),
    ],
)
def test_a_refusal_is_asked_for_where_one_is_to_be_written(asked, wanted):
    assert asked_for("refusal", asked) is wanted
