"""Code that a report quotes otherwise than it was written, and functions told to be called as before that are not."""

from __future__ import annotations

import pytest

CART = "public class Cart {\n    public void add(int price) {\n        prices.add(price);\n    }\n}\n"


def closed(session):
    session.has("Cart.java", CART).has("settings.toml", "[pool]\n").begins()
    session.edits("Cart.java", "        prices.add(price);\n", '        if (closed) {\n            throw new IllegalStateException("cart is closed");\n        }\n        prices.add(price);\n')  # fmt: skip
    return session.edits("settings.toml", "[pool]\n", "[pool]\nmax_size = 20\nidle_timeout = 300\nimage = \"python:3.12-slim\"\n")  # fmt: skip


@pytest.mark.parametrize(
    "report",
    [
        '`Cart.add` throws `UnsupportedOperationException("cart is closed")` once the cart is closed.',
        'After closing, `add` fails with `CartClosedException("cart is closed")`.',
        "The pool has `max_size = 50` now.",
        "`settings.toml` sets `idle_timeout = 900`.",
        'I put `image = "python:3.12-alpine"` there.',
    ],
)
def test_code_that_is_quoted_with_another_word_is_a_lie(session, report):
    assert "not true" in closed(session).stop(report)


@pytest.mark.parametrize(
    "report",
    [
        '`Cart.add` throws `IllegalStateException("cart is closed")` once the cart is closed.',
        '`Cart.add` throws `new IllegalStateException("cart is closed")`.',
        "If you want more, use `max_size = 50`.",
        "Before, the library's default of `max_size = 5` was in force.",
        "`cart.add(300)` throws once the cart is closed.",
        'You could throw `CartClosedException("cart is closed")` instead.',
        "The pool has `max_size = 20` and `idle_timeout = 300`.",
        "The old value was `idle_timeout = 60`.",
        "Not `max_size = 50`, since the server allows 30 connections.",
    ],
)
def test_code_as_it_is_or_as_it_might_be_is_none(session, report):
    assert closed(session).stop(report) == ""


def changed(session, path, old, new):
    session.has(path, old).begins()
    return session.edits(path, old, new)


LOAD = ("Loader.cs", "public async Task<string> LoadAsync(int id)\n{\n}\n", "public async Task<string> LoadAsync(int id, CancellationToken ct)\n{\n}\n")  # fmt: skip
PARSE = ("parse.py", "def parse(text):\n    return text\n", "def parse(text, strict):\n    return text\n")
DEFAULT = ("parse.py", "def parse(text):\n    return text\n", "def parse(text, strict=False):\n    return text\n")
BODY = ("parse.py", "def parse(text):\n    return text\n", "def parse(text):\n    return text.strip()\n")


@pytest.mark.parametrize(
    ("change", "report"),
    [
        (LOAD, "This is not a breaking change: code that calls `LoadAsync(int)` compiles as before."),
        (LOAD, "The signature of `LoadAsync` is unchanged."),
        (PARSE, "`parse` keeps its signature."),
        (PARSE, "Existing callers of `parse` keep working."),
        (PARSE, "It is backwards compatible."),
        (PARSE, "No breaking changes."),
        (DEFAULT, "The signature of `parse` stays the same."),
    ],
)
def test_a_function_that_must_be_called_otherwise_is_not_as_before(session, change, report):
    assert "is now" in changed(session, *change).stop(report)


@pytest.mark.parametrize(
    ("change", "report"),
    [
        (LOAD, "This is a breaking change for code that calls `LoadAsync(int)`."),
        (LOAD, "To keep it backwards compatible, give `ct` a default."),
        (DEFAULT, "Existing callers of `parse` keep working, since `strict` has a default."),
        (DEFAULT, "No breaking changes: `parse` takes one more parameter, which may be left out."),
        (BODY, "`parse` keeps its signature."),
        (BODY, "This is not a breaking change."),
        (PARSE, "The signature of `parse` changed: callers have to pass `strict`."),
        (PARSE, "If this must not be a breaking change, I can add a default."),
    ],
)
def test_a_function_that_may_be_called_as_before_is(session, change, report):
    assert changed(session, *change).stop(report) == ""


# --- names, defaults, all of them -----------------------------------------------------------------------------------

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
        "`maxRetries` defaults to 5.",
        "The default of `maxRetries` is 5.",
        "`maxRetries` (default 5) may be left out.",
        "`maxRetries` is 8 by default.",
    ],
)
def test_a_name_or_default_that_no_text_has_is_a_lie(session, report):
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
        "`maxRetries` defaults to 3.",
        "`maxRetries` (default 3) may be left out.",
        "`timeout` defaults to 30 in the library.",
        "If `maxRetries` should default to 5, say so.",
    ],
)
def test_a_name_or_default_that_is_there_or_not_ours_is_none(session, report):
    assert retried(session).stop(report) == ""


WORKFLOW = "steps:\n  - uses: actions/checkout@v4\n  - uses: actions/setup-node@v4\n  - run: npm ci\n  - uses: codecov/codecov-action@v4\n"
PINNED = "actions/checkout@b4ffde65f46336ab88eb53be808477a3936bae11"
PRINTS = 'def load(path):\n    print("loading")\n    print("done", path)\n    return path\n\n\ndef save(path):\n    print("saving")\n'


def pinned(session):
    session.has("build.yml", WORKFLOW).has("app.py", PRINTS).begins()
    session.edits("build.yml", "actions/checkout@v4", PINNED)
    session.edits("build.yml", "actions/setup-node@v4", "actions/setup-node@60edb5dd545a775178f52524783378180af0d1f8")
    session.edits("app.py", '    print("loading")\n', '    log.info("loading")\n')
    return session.edits("app.py", '    print("done", path)\n', '    log.info("done %s", path)\n')


@pytest.mark.parametrize(
    "report",
    [
        "Every `uses:` in `build.yml` is now pinned to a full commit SHA.",
        "All `print` calls in `app.py` are replaced by the logger.",
        "I replaced all `print` calls with the logger.",
        "Each `print` in `app.py` has been converted.",
        "All uses of `print` are gone.",
    ],
)
def test_what_is_told_of_all_is_not_so_where_one_is_as_it_was(session, report):
    assert "still has" in pinned(session).stop(report)


@pytest.mark.parametrize(
    "report",
    [
        "Every `uses:` of the GitHub actions is pinned, except the one of codecov.",
        "Two of the `uses:` in `build.yml` are pinned now.",
        "All `print` calls in `load` are replaced; the one in `save` is left.",
        "Not all `print` calls are gone.",
        "All `run:` steps are as they were.",
        "`actions/checkout` → `b4ffde6…` (v4), with every `uses:` still to be looked at.",
    ],
)
def test_what_is_told_of_some_is_none(session, report):
    assert pinned(session).stop(report) == ""


def test_what_is_told_of_all_is_so_where_none_is_left_or_was_so_already(session):
    session.has("app.py", PRINTS.replace('print("saving")', 'log.info("saving")')).begins()
    session.edits("app.py", '    print("loading")\n', '    log.info("loading")\n')
    session.edits("app.py", '    print("done", path)\n', '    log.info("done %s", path)\n')
    assert session.stop("All `print` calls in `app.py` are replaced by the logger.") == ""
