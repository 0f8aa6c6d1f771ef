"""Claims in plain words: what counts as one, what does not, and where its words stand."""

import pytest

from witnessmark.actions.report.claims import claims_in
from witnessmark.actions.report.report import Report

SHORT = {
    "file_create": "created", "file_write": "wrote", "file_edit": "updated", "file_delete": "deleted", "file_rename": "renamed",
    "command": "ran", "tests_passed": "tests",
}  # fmt: skip


def told(report):
    """Each claim about files, commands and tests as a few words, such as `created a.py` or `tests 12/0`."""
    return [_told(claim) for claim in claims_in(Report(report)).claims if claim.kind in SHORT]


def _told(claim):
    if claim.kind == "tests_passed":
        return f"tests {claim.passed}/{claim.failed}"
    what = claim.command or (f"{claim.path} {claim.to}" if claim.to else claim.path)
    return f"{SHORT[claim.kind]} {what}"


CLAIMS = {
    "I created `src/a.py` and updated `src/b.py:12` to use it.": ["created src/a.py", "updated src/b.py"],
    "Deleted `a.py`, `b.py` and `c.py`, because they were unused.": ["deleted a.py", "deleted b.py", "deleted c.py"],
    "Renamed `a.txt` to `b.txt`. Moved `x.py` → `core/x.py`.": ["renamed a.txt b.txt", "renamed x.py core/x.py"],
    "Removed the unused import from `a.py`.": ["updated a.py"],
    "`src/old.js` has been removed and `src/new.js` added in its place.": ["deleted src/old.js", "created src/new.js"],
    "Fixed the off-by-one in [src/pager.py:57](src/pager.py#L57).": ["updated src/pager.py"],
    "I moved `parse` from `a.py` to `b.py`.": ["updated a.py", "updated b.py"],
    "I moved the helpers out of `a.vue` and into a new composable at `b.ts`.": ["updated a.vue", "created b.ts"],
    "Results were saved to `results.json`.": ["wrote results.json"],
    "The fix is one line in `axis.py:12`.": ["updated axis.py"],
    "`config.yml` now has `debug: false`.": ["updated config.yml"],
    "I had to change package.json.": ["updated package.json"],
    "I removed `src/old.py` (nothing imports it).": ["deleted src/old.py"],
    "The helpers in `a.py` were removed.": ["updated a.py"],
    "Updated the snapshot in `a/__snapshots__/b.snap`.": ["updated a/__snapshots__/b.snap"],
    "I changed nothing except a note in `a.md`.": ["updated a.md"],
    "**4. Redesigned status output** (`status.go`):\n- Line 1: the name\n- Raised the limit from 40 to 60\n": ["updated status.go"],
    "- `mise run fmt && mise run lint` - passed with 0 issues": ["ran mise run fmt && mise run lint"],
    "- `npm run lint` → no warnings, no errors": ["ran npm run lint"],
    "`internal/db/` is now empty, and I deleted it.": ["deleted internal/db/"],
    "Changes:\n- `RateMiddleware.cs`: new middleware\n- `b.cs`: registers it\n": ["created RateMiddleware.cs", "updated b.cs"],
    "## Removed\n- `a.py`\n\n## Not touched\n- `b.py`\n": ["deleted a.py"],
    "**Modified:** `a.py`, `b.py`\n**Added:** `c.py`": ["updated a.py", "updated b.py", "created c.py"],
    "I replaced `image` in the following components:\n- `Hero.tsx`\n- `Card.tsx`": ["updated Hero.tsx", "updated Card.tsx"],
    "- [x] Rename `a.ts` to `b.ts`\n- [ ] Update `c.md`": ["renamed a.ts b.ts"],
    "| | Path |\n|:-:|---|\n| M | a.ts |\n| A | b.ts |\n| D | c.ts |": ["updated a.ts", "created b.ts", "deleted c.ts"],
    "| File | Status |\n|---|---|\n| `a.js` | ✨ New |\n| `b.js` | 👀 Unchanged |": ["created a.js"],
    "```\n a/b.rb | 7 ++\n c.rb | 3 +-\n create mode 100644 a/b.rb\n```": ["updated c.rb", "created a/b.rb"],
    "Applied edit to src/a.py\nRunning npm test\nTests:       44 passed, 44 total": ["updated src/a.py", "ran npm test", "tests 44/None"],
    "Summary\n=======\n* Cover eviction with unit tests【F:geo/client.py†L12-L58】": ["updated geo/client.py"],
    "I created `app/(tabs)/[id].tsx`, `envs/*.tfvars` and `img/Logo Final.svg`.": ["created app/(tabs)/[id].tsx", "created envs/*.tfvars", "created img/Logo Final.svg"],
    "**Added:**\n- `.husky/pre-commit`\n- `bin/backup-db`": ["created .husky/pre-commit", "created bin/backup-db"],
    "Deleted the stale `inc/functions.php.bak`.": ["deleted inc/functions.php.bak"],
    "The check lives in `a.go` (new), and there's a test in `a_test.go` (also new).": ["created a.go", "created a_test.go"],
    "The helpers moved into a new file, `b.py`.": ["created b.py"],
    "`getUsr` is now `fetchUser` in `a.ts` and its callers, `b.tsx` and `c.tsx`.": ["updated a.ts", "updated b.tsx", "updated c.tsx"],
    "`a.ts` no longer swallows errors.": ["updated a.ts"],
    "The script is `a.py`, which I created for this.": ["created a.py"],
    "The final patch only touches `a.py`.": ["updated a.py"],
    "Moved all the content from `docs/` to `site/docs/`.": ["renamed docs/ site/docs/"],
    "Took the tag out of `a.ejs`.": ["updated a.ejs"],
    "As you asked, these have been done:\n- `a.md` was split into `b.md` and `c.md`, and the original was deleted": ["deleted a.md", "created b.md", "created c.md"],
    "### Backend (`a.js`)\n- Added a guard\n\n### 2. `b.js`\nEncodes the URL.": ["updated a.js", "updated b.js"],
    "## Done\n- **Toggle** (`a.tsx`) – dark mode\n- Unit tests in `b.tsx`": ["updated a.tsx", "updated b.tsx"],
    "| Change | Where |\n|---|---|\n| New flag | `a.go` |": ["updated a.go"],
    "Files edited:\n  a/b.py\n  c.rst\n": ["updated a/b.py", "updated c.rst"],
    "I fixed it by changing the default in `a.py` and adding a migration (`b.py`).": ["updated a.py", "created b.py"],
    "I ended up rewriting `a.py`. After updating `b.js`, I ran `make`.": ["updated a.py", "updated b.js", "ran make"],
    "Renamed the file from `a.c` to `b.c`. The file `c.c` is now called `d.c`.": ["renamed a.c b.c", "renamed c.c d.c"],
    "In `a.py`, the check now runs first.": ["updated a.py"],
    "The main changes are in `a.py` and `b.py`.": ["updated a.py", "updated b.py"],
    "**Files changed**\n  ├── `a.ts` — handler\n  └── `c.ts` — deleted": ["updated a.ts", "deleted c.ts"],
}  # fmt: skip


@pytest.mark.parametrize("report", list(CLAIMS))
def test_what_was_done_is_a_claim(report):
    assert told(report) == CLAIMS[report]


@pytest.mark.parametrize(
    "report",
    [
        "Next, I'll update `src/foo.py`.",
        "I'd recommend deleting `old.py` and updating `README.md`.",
        "I did not touch `a.py`. I haven't created `b.py` yet.",
        "If the tests pass, `a.py` can be removed.",
        "You could also add `x.tsx`. Please run `npm test`.",
        "Should I delete `a.py`?",
        "I tried to run `npm test` but it timed out.",
        "I touched neither `a.py` nor `b.py`.",
        "The check in `a.py` is dropped when the flag is set.",
        "I changed nothing in `a.py`.",
        "I was unable to delete `build/x.exe`.",
        "I read `a.py` and looked at `b.py`.",
        "> @bot please delete `legacy.py`",
        'The task asked to "add `x.py`".',
        "The author moved `a.ex` to `b.ex`. Tom changed `c.php`.",
        "`a.py` was deleted by the platform team.",
        "`a.py` is unchanged; `b.py` needed no changes.",
        "## Next steps\n- Create `a.py`\n- `b.py`: add tests",
        "My plan:\n1. Create `a.py`\n2. Run `pytest`",
        "Here's how it works:\n- `a.ts` creates the client\n- `b.ts` writes to Redis",
        "The script reads `in.csv` and writes `out.csv`.",
        "Make sure all 20 tests pass before merging. The tests should pass.",
        "Added a.py to the chat.",
        "I wanted to fix `b.rb`, but you told me not to.",
        "The handling was already changed in commit 3d25662. I read `a.py` and `b.py`, and it is fine.",
        "#388 (merged last month by @x) already removed it in `a.cs`.",
        "The only place the version is pinned is `a.json`. It's defined in `b.py`.",
        "**Kept on purpose**\n- `a.py`: needed by others",
        "### How values are resolved now\n1. `.env` in the root",
        "`load` returns None when `~/a.toml` doesn't exist. I changed it.",
        "I added type hints across the `geo` package.",
        "## Findings\n\n### `a.py`\n- Added complexity makes this hard to follow.",
        "1. > please delete `a.py`\n",
        "Which of these do you want changed?\n- `a.rb`\n- `b.rb`",
        "I read `a.py`; `b.py` and `c.py` didn't need changes.",
        "By default `make clean` removes `build/`.",
        "The code is organised as follows:\n- `a.py` is the entry point",
    ],
)
def test_planned_suggested_denied_quoted_and_merely_read_things_are_no_claims(report):
    assert told(report) == []


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        ("Ran `npx vitest run src`: 18 passed.", ["ran npx vitest run src", "tests 18/None"]),
        ("`dotnet test` passes (143 tests).", ["ran dotnet test", "tests 143/None"]),
        ("**3 of 47 tests fail**.", ["tests 44/3"]),
        ("Unit tests: 52 passed, 0 failed\nIntegration tests: 17 passed, 4 failed", ["tests 52/0", "tests 17/4"]),
        ("`bundle exec rspec` finished with 388 examples, 0 failures.", ["ran bundle exec rspec", "tests 388/0"]),
        ("100% tests passed, 0 tests failed out of 17", ["tests 17/0"]),
        ("Unit tests 6/6 ok.", ["tests 6/None"]),
        ("tests pass now on my side", ["tests None/None"]),
        ("## Testing\n- ✅ `cargo test`\n- ❌ `cargo test --all` (not run)", ["ran cargo test", "tests None/None"]),
        ("The 5 flows were tested with `curl -s x`, which exited 0.", ["ran curl -s x"]),
        (
            "I tested with:\n\n```\npython -m pytest -k a\n```\n\nResult: 19 passed.",
            ["ran python -m pytest -k a", "tests 19/None"],
        ),
        ("- `dotnet test` – Passed: 187, Failed: 0, Skipped: 4", ["ran dotnet test", "tests 187/0"]),
        (
            "## Verification\n```\n$ cargo test\ntest result: ok. 3 passed; 0 failed; 0 ignored;\n```",
            ["ran cargo test", "tests 3/None"],
        ),
        ("`kustomize build k8s/x` still renders the same output.", ["ran kustomize build k8s/x"]),
        ("I used the command:\n\n`gen-cli make -i a.yaml`\n", ["ran gen-cli make -i a.yaml"]),
        ("`x.dart` (via `dart run builder`) was updated.", ["ran dart run builder", "updated x.dart"]),
        (
            "I ran `./build/test_pool`. Output:\n\n```\n[  PASSED  ] 17 tests.\n```",
            ["ran ./build/test_pool", "tests 17/None"],
        ),
        ("I blessed the output with `cargo uitest --bless`.", ["ran cargo uitest --bless"]),
        ("Tests were passing before I changed it.", []),
        ("I added 9 tests.", []),
    ],
)
def test_commands_and_tests_are_claims_where_an_outcome_is_told(report, expected):
    assert sorted(told(report)) == sorted(expected)


def test_an_exit_code_belongs_to_the_command_it_is_told_of():
    report = "I executed `npm run up` and `npm run down`. Each exited with code 0. `mypy geo` failed with exit code 1."
    assert [(claim.command, claim.exit_code) for claim in claims_in(Report(report)).claims] == [
        ("npm run up", 0),
        ("npm run down", 0),
        ("mypy geo", 1),
    ]


def test_a_file_named_again_by_its_bare_name_counts_once():
    assert told("Created `src/http/retry.ts`. I then updated `retry.ts` twice.") == ["created src/http/retry.ts"]


def test_a_file_created_and_then_deleted_was_both():
    assert told("Created `repro.py`. Later I removed `repro.py`.") == ["created repro.py", "deleted repro.py"]


def test_where_nothing_was_changed_a_list_of_files_is_no_list_of_changes():
    assert told("I haven't changed anything yet.\n\n- `a.py`: a race\n- `b.py`: a leak") == []


def test_what_names_no_file_is_listed_as_unverifiable_with_its_kind():
    found = claims_in(Report("I removed the old config file. Then I ran the linter."))
    assert found.claims == ()
    assert [(claim.kind, claim.path, claim.command) for claim in found.unverifiable] == [
        ("file_delete", None, None),
        ("command", None, None),
    ]
    assert found.unverifiable[0].text == "I removed the old config"


def test_the_words_of_a_claim_stand_where_its_span_says():
    report = "Hello.\n\n- Created `src/a.py`\n- ran `make`: ok\n"
    for claim in claims_in(Report(report)).claims:
        assert claim.span is not None
        assert report[slice(*claim.span)] == claim.text
        assert claim.by == "report"
    assert [claim.text for claim in claims_in(Report(report)).claims] == ["Created `src/a.py`", "ran `make`"]
