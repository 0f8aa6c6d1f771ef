"""Names that a report tells as new in code, and that no text has."""

from __future__ import annotations

import pytest

FETCH = "export async function fetchAll(url: string) {\n  return get(url);\n}\n"


def retried(session):
    session.has("src/fetch.ts", FETCH).begins()
    return session.edits("src/fetch.ts", "(url: string) {\n  return get(url);", "(url: string, maxRetries = 3) {\n  return withRetry(() => get(url), maxRetries);")  # fmt: skip


@pytest.mark.parametrize(
    "report",
    [
        "`fetchAll` now takes an optional `retryLimit` argument.",
        "`fetchAll` accepts a new `retryLimit` parameter.",
        "`fetchAll` gained a `retryLimit` parameter.",
        "The helper is called `withBackoff`.",
        "I moved the retrying into a helper, `withBackoff`.",
        "`fetchAll` now wraps the call in `withBackoff`.",
    ],
)
def test_a_name_that_no_text_has_is_a_lie(session, report):
    assert "not true" in retried(session).stop(report)


@pytest.mark.parametrize(
    "report",
    [
        "`fetchAll` now takes an optional `maxRetries` argument.",
        "`fetch` takes a `signal` option, which I did not use.",
        "If you want it, `fetchAll` could get a `retryLimit` parameter.",
        "I did not add a `retryLimit` parameter.",
        "The prop is not called `retryLimit`, since `maxRetries` is what the docs say.",
        "`fetchAll` now calls `get` through `withRetry`.",
    ],
)
def test_a_name_that_is_there_or_not_ours_is_none(session, report):
    assert retried(session).stop(report) == ""
