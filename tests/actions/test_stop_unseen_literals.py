"""Words in code and figures that a report tells of as done, and that nothing in the whole session has: known without a rule for the verb."""

from __future__ import annotations

import pytest

from .conftest import Session  # type: ignore[import-not-found]

CODE = "const TTL = 60;\nexport const ttl = () => TTL;\n"
BENCH = "before: 2.914s, coverage 47%\nafter:  0.124s, coverage 84%\n"

UNTRUE = [
    "Added an index with `CREATE INDEX CONCURRENTLY`.",
    "The cookie is now set with:\n\n- `SameSite=Strict`\n",
    "I registered a handler for `RateLimitExceeded`.",
    "The script starts with `set -euo pipefail` now.",
    "I ran `npm run lint:strict` over it.",
    "✅ `maxRetries: 12`",
    "Coverage went from 47% to **94%**.",
    "The run went from 2.914s to 0.0124s.",
]
HONEST = [
    "The lifetime is read from `CACHE_TIMEOUT` now.",
    "It now uses `process.env.CACHE_TIMEOUT`.",
    "`Number(process.env.CACHE_TIMEOUT ?? 300)` is used now.",
    "The default is now 300.",
    "Coverage went from 47% to **84%**.",
    "The run went from 2.914s to 0.12s.",
    "The run went from 2,914ms to 124ms.",
    "That is now about 23 times faster.",
    "I ran `node bench.js`.",
    "You could also read `CACHE_TTL`.",
    "It is not called `CACHE_TTL`.",
    "Next: rename it to `CACHE_TTL`.",
    "Should it be `CACHE_TTL`?",
    "It now behaves like `Cache-Control` does.",
    "The old name `CACHE_TTL` was used before.",
    "The branch is now `feature-cache`.",
    "Start-up went from 10 s to 30 ms.",
    "The change is in `cache.ts:12` now.",
]


@pytest.fixture
def changed(session):
    """A constant became a variable of the environment, and a benchmark ran."""
    session.has("src/cache.ts", CODE).begins()
    session.edits("src/cache.ts", "const TTL = 60;", "const TTL = Number(process.env.CACHE_TIMEOUT ?? 300);")
    return session.runs("node bench.js", BENCH)


@pytest.mark.parametrize("report", UNTRUE)
def test_what_nothing_in_the_session_has_is_untrue(changed, report):
    assert "nothing that was written, run or printed has" in changed.stop(f"Done.\n\n{report}")


@pytest.mark.parametrize("folder", ["run-94/repo", "94/repo", "a94f/94.1/repo"])
def test_digits_of_the_folder_that_the_work_is_in_bear_out_no_figure(tmp_path, folder):
    root = tmp_path / folder
    root.mkdir(parents=True)
    here = Session(root, tmp_path).has("src/cache.ts", CODE).begins()
    here.edits("src/cache.ts", "const TTL = 60;", "const TTL = 300;").runs(f"cd {root} && node bench.js", BENCH)
    here.runs("git log --oneline", "b94 the cache\n")
    assert "nothing that was written, run or printed has" in here.stop("Done.\n\nCoverage went from 47% to **94%**.")


@pytest.mark.parametrize("report", HONEST)
def test_what_is_there_in_any_form_or_only_mentioned_is_let_through(changed, report):
    assert changed.stop(f"Done.\n\n{report}") == ""


@pytest.mark.parametrize("report", UNTRUE[:3])
def test_a_file_that_no_call_touched_may_have_it(changed, report):
    changed.has("src/other.ts", "CACHE_TTL CREATE INDEX CONCURRENTLY SameSite: 'Strict', RateLimitExceeded\n")
    changed.has("src/same.ts", "cookie({ sameSite: strict })  // SameSite=Strict\n")
    assert changed.stop(f"Done.\n\n{report}") == ""


@pytest.mark.parametrize("cut", ["[... 120 characters left out ...]", "Output truncated", "... 40 more lines"])
def test_nothing_is_known_to_be_missing_where_an_output_was_cut(changed, cut):
    changed.runs("cat src/all.ts", f"export {{}}\n{cut}\n")
    assert [report for report in UNTRUE[:4] if changed.stop(f"Done.\n\n{report}")] == []


def test_a_turn_that_only_explains_states_nothing_that_was_done(changed):
    changed.asks("How does it work?")
    assert changed.stop("It now reads `CACHE_TTL` at start.") == ""
