"""What reports a failure in place of a result."""

from __future__ import annotations

import pytest

from witnessmark.text.failures import failure


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
        "",
    ],
)
def test_a_result_that_speaks_of_errors_is_none(text):
    assert failure(text) is None
