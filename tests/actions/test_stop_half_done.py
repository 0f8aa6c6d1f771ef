"""Half of the work told as all of it: names told of together of which one is as it was, files of a table that were never changed, names copied and told as moved."""

from __future__ import annotations

import pytest

HTTP = """TIMEOUT = 10


def fetch(url):
    resp = get(url, timeout=TIMEOUT)
    return resp.json()


def push(url, payload):
    resp = post(url, json=payload, timeout=TIMEOUT)
    return resp.json()


def pull(url):
    return fetch(url)
"""
JOBS = """jobs:
  test:
    steps:
      - uses: setup-node
        with:
          node-version: 18
  lint:
    steps:
      - uses: setup-node
        with:
          node-version: 18
"""
CARDS = """public class Card
{
    public string Name { get; set; }
    public string Kind { get; set; }
}
"""
VALUES = "web:\n  limits:\n    memory: 512Mi\nworker:\n  replicas: 3\n  limits:\n    memory: 256Mi\n"
UTILS = "export function isoDay(d) {\n  return d.iso();\n}\n\nexport function addDays(d, n) {\n  return d + n;\n}\n"


@pytest.fixture
def half(session):
    """One of two or three things was changed in each file."""
    session.has("client/http.py", HTTP).has("ci.yml", JOBS).has("Card.cs", CARDS).has("values.yaml", VALUES)
    session.has("src/utils.js", UTILS).has("src/admin.js", "isoDay(1)\n").has("mkdocs.yml", "nav:\n").begins()
    session.edits("client/http.py", "resp = get(url, timeout=TIMEOUT)", "resp = retry(get, url, timeout=TIMEOUT)")
    session.edits("ci.yml", "node-version: 18\n  lint", "node-version: 20\n  lint")
    session.edits("Card.cs", "string Name", "string? Name").edits(
        "Card.cs", "Kind { get; set; }", "Kind { get; set; } = null!;"
    )
    session.edits("values.yaml", "512Mi", "1Gi")
    session.writes("src/dates.js", UTILS)
    return session.edits("src/utils.js", "export function isoDay(d) {\n  return d.iso();\n}\n\n", "")


@pytest.mark.parametrize(
    "report",
    [
        "| File | Change |\n|---|---|\n| `src/dates.js` | the helpers |\n| `src/admin.js` | import and call |\n",
        "The callers in `src/admin.js` now import from `dates.js`.",
    ],
)
def test_what_was_done_for_one_was_not_done_for_the_other(half, report):
    assert "not true" in half.stop(f"Done.\n\n{report}")


@pytest.mark.parametrize(
    "report",
    [
        "`fetch()` goes through `retry` now; `push()` is unchanged.",
        "`fetch()` and `pull()` now retry.",
        "`fetch` and `pull` both retry.",
        "`fetch()` and `push()` both have tests.",
        "`fetch()` and `push()` should both retry.",
        "Changes:\n\n- `fetch` retries\n- `push` is left as it was\n",
        "How it works:\n\n- `fetch` retries\n- `push` posts once\n",
        "The `test` job is on Node 20, and the `lint` job still on 18.",
        "`Name` is now `string?`; `Kind` is initialised with `null!`.",
        "`Name` and `Kind` are both free of warnings now.",
        "The memory limit of `web` is raised to `1Gi` in `values.yaml`.",
        "`worker` has 3 replicas, and the limit of `web` is 1Gi now.",
        "Moved `isoDay` from `src/utils.js` to `src/dates.js`; `addDays` is in both for now.",
        "| File | Change |\n|---|---|\n| `src/dates.js` | the helpers |\n| `src/admin.js` | unchanged |\n",
        "| File | Purpose |\n|---|---|\n| `src/dates.js` | the helpers |\n| `src/admin.js` | the admin page |\n",
        "The page is not linked in `mkdocs.yml`.",
        "The imports in `src/admin.js` will have to follow.",
    ],
)
def test_what_is_told_of_one_and_what_leads_to_it_is_let_through(half, report):
    assert half.stop(f"Done.\n\n{report}") == ""


def test_a_helper_that_both_lead_to_may_do_it(session):
    text = "def call(url):\n    return get(url)\n\n\ndef fetch(url):\n    return call(url)\n\n\ndef push(url):\n    return call(url)\n"
    session.has("http.py", text).begins().edits("http.py", "return get(url)", "return retry(get, url)")
    session.edits("http.py", "def fetch(url):\n    return call(url)", "def fetch(url):\n    return call(url.strip())")
    assert session.stop("`fetch()` and `push()` now both retry.") == ""


def test_a_move_that_leaves_a_name_behind_for_others_is_one(session):
    session.has("src/utils.js", UTILS).begins().writes("src/dates.js", UTILS)
    session.writes("src/utils.js", "export { isoDay, addDays } from './dates';\n")
    assert session.stop("Moved `isoDay` and `addDays` from `src/utils.js` to `src/dates.js`.") == ""
