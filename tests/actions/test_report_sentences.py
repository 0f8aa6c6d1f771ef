"""Which file a verb was done to, and which files a sentence only speaks of: row by row, and at the stop."""

from __future__ import annotations

import pytest

from witnessmark.actions.report.claims import claims_in
from witnessmark.actions.report.report import Report

SHORT = {
    "file_create": "created", "file_write": "wrote", "file_edit": "updated", "file_delete": "deleted", "file_rename": "renamed",
    "command": "ran",
}  # fmt: skip


def told(report: str) -> list[str]:
    """Each claim about files and commands as a few words."""
    return [
        " ".join(part for part in (SHORT[claim.kind], claim.command or claim.path, claim.to) if part)
        for claim in claims_in(Report(report)).claims
        if claim.kind in SHORT
    ]


SENTENCES: dict[str, list[str]] = {
    # several files
    "I updated `a.py` as well as `b.py`.": ["updated a.py", "updated b.py"],
    "I updated `a.py` along with `b.py`.": ["updated a.py", "updated b.py"],
    "I updated `a.py`, `b.py`, and `c.py`.": ["updated a.py", "updated b.py", "updated c.py"],
    # one of two
    "I updated `a.py`, not `b.py`.": ["updated a.py"],
    "I updated `a.py` but not `b.py`.": ["updated a.py"],
    "I updated `a.py` and left `b.py` alone.": ["updated a.py"],
    "Updated `a.py`, leaving `b.py` as it was.": ["updated a.py"],
    "I updated `a.py`, kept `b.py` and deleted `c.py`.": ["updated a.py", "deleted c.py"],
    "Instead of editing `a.py`, I created `b.py`.": ["created b.py"],
    "Rather than change `a.py`, I wrote `b.py`.": ["wrote b.py"],
    "I did not change `a.py`; I created `b.py` instead.": ["created b.py"],
    # why, what for, like what
    "I created `a.py`, which imports `b.py`.": ["created a.py"],
    "I created `a.py` because `b.py` was too long.": ["created a.py"],
    "I deleted `a.py` since `b.py` replaces it.": ["deleted a.py"],
    "I changed `a.py` so that `b.py` can import it.": ["updated a.py"],
    "I changed `a.py` to match `b.py`.": ["updated a.py"],
    "I generated `schema.json` from `a.py`.": ["wrote schema.json"],
    # a line in a file is no file
    "I added `b.py` to `.gitignore`.": ["updated .gitignore"],
    "I added `lib/b.py` to `lib/a.py`.": ["updated lib/a.py"],
    "I added an entry for `b.py` to `CHANGELOG.md`.": ["updated CHANGELOG.md"],
    "I put the helper into `a.py`.": ["updated a.py"],
    # copies, moves, parts
    "I copied `a.py` to `b.py`.": ["created b.py"],
    "I duplicated `a.py` as `b.py`.": ["created b.py"],
    "I split `a.py` into `b.py` and `c.py`.": ["updated a.py", "created b.py", "created c.py"],
    "I extracted the parser from `a.py` into `b.py`.": ["updated a.py", "updated b.py"],
    "I deleted `a.py` after moving its content to `b.py`.": ["deleted a.py", "updated b.py"],
    "I renamed `a.py` → `b.py`.": ["renamed a.py b.py"],
    "Renamed: `a.py` => `b.py`": ["renamed a.py b.py"],
    "`a.py -> b.py`: renamed": ["renamed a.py b.py"],
    # results
    "I exported the table to `out.csv`.": ["wrote out.csv"],
    "I saved the plot as `plot.png`.": ["wrote plot.png"],
    # the change itself is the subject
    "This PR updates `a.py`.": ["updated a.py"],
    "This commit adds `b.py` and removes `c.py`.": ["created b.py", "deleted c.py"],
    "The fix: `a.py` now rounds.": ["updated a.py"],
    # commands
    "I ran `make build`, then `make test`.": ["ran make build", "ran make test"],
    "I ran `make build` but not `make test`.": ["ran make build"],
    "I ran `make build` before changing `a.py`.": ["ran make build"],
    "I had to run `make build` twice.": ["ran make build"],
    "`$ make build` succeeded.": ["ran make build"],
    "After updating `a.py`, I ran `make`.": ["updated a.py", "ran make"],
    # asked for and done
    "As requested, I deleted `a.py`.": ["deleted a.py"],
    "As you asked, `a.py` was deleted.": ["deleted a.py"],
}  # fmt: skip


@pytest.mark.parametrize("sentence", SENTENCES)
def test_what_was_done_and_to_what(sentence):
    assert sorted(told(sentence)) == sorted(SENTENCES[sentence])


@pytest.mark.parametrize(
    "sentence",
    [
        "I neither changed `a.py` nor `b.py`.",
        "I almost deleted `a.py`.",
        "I meant to update `a.py`.",
        "I was going to update `a.py`.",
        "I was asked to update `a.py`.",
        "You told me to delete `a.py`.",
        "I kept `a.py` as it was.",
        "Had I updated `a.py`, it would work.",
        "Once you update `a.py`, it works.",
        "After you delete `a.py`, run `make`.",
        "TODO: update `a.py`.",
        "Note: `a.py` must be updated by hand.",
        "See `a.py` for the details.",
        "`a.py` will round.",
        "`a.py` should round now.",
        "The error says that `a.py` was deleted.",
        "Git says `a.py` was deleted.",
        "The log shows `a.py` was updated at 10:00.",
        "According to the changelog, `a.py` was removed in 2.0.",
        "In version 2.0, `a.py` was removed.",
        "Previously `a.py` was deleted.",
        "Last week I updated `a.py`.",
        "In an earlier session I created `a.py`.",
        "`a.py` is deleted after each run.",
        "Every night `a/b.log` is deleted by cron.",
        "You can run `make build` yourself.",
        "To verify, run `make build`.",
        "I forgot to run `make build`.",
        "I would run `make build` next.",
    ],
)
def test_what_was_not_done_here_and_now_is_no_claim(sentence):
    assert told(sentence) == []


class TestAtTheStop:
    """The sentences that were read wrong once, as honest reports."""

    @pytest.mark.parametrize(
        "sentence",
        [
            "I updated `lib/made.py`, not `lib/kept.py`.",
            "I updated `lib/made.py` and left `lib/kept.py` alone.",
            "I added `lib/kept.py` to `lib/made.py`.",
            "I updated `lib/made.py`; the log shows `lib/kept.py` was updated last.",
            "I updated `lib/made.py`. According to the changelog, `lib/kept.py` was removed in 2.0.",
            "I updated `lib/made.py`. In an earlier session I changed `lib/kept.py`.",
            "I updated `lib/made.py`, which is deleted every night by cron.",
        ],
    )
    def test_they_may_stop(self, session, sentence):
        session.has("lib/made.py", "x = 1\n").has("lib/kept.py").begins().edits("lib/made.py", "x = 1", "x = 2")
        assert session.stop(sentence) == ""

    def test_a_commit_that_adds_and_removes(self, session):
        session.has("lib/gone.py").begins().writes("lib/new.py", "y = 1\n").deletes("lib/gone.py")
        assert session.stop("This change adds `lib/new.py` and removes `lib/gone.py`.") == ""
        assert 'the file is not there: "lib/never.py"' in session.stop(
            "This change adds `lib/never.py` and removes `lib/gone.py`."
        )

    @pytest.mark.parametrize(
        "sentence", ["I updated `lib/kept.py`, not `lib/made.py`.", "This change updates `lib/kept.py`."]
    )
    def test_their_untrue_twins_may_not(self, session, sentence):
        session.has("lib/made.py", "x = 1\n").has("lib/kept.py").begins().edits("lib/made.py", "x = 1", "x = 2")
        assert "lib/kept.py" in session.stop(sentence)


@pytest.mark.parametrize(
    ("report", "sentences"),
    [
        ("I asked Dr. Lee. src/a.py is done; b.py is not.", ["I asked Dr. Lee.", "`src/a.py` is done;", "`b.py` is not."]),
        ("**Done.** All 5 tests pass.", ["Done.", "All 5 tests pass."]),
        ("All of them, e.g. `a.py`, are new. (So is `b.py`.) Nothing else is.", ["All of them, e.g. `a.py`, are new.", "(So is `b.py`.)", "Nothing else is."]),
    ],
)  # fmt: skip
def test_sentences_end_where_those_of_any_text_do_and_at_semicolons(report, sentences):
    assert [sentence.text for sentence in Report(report).sentences] == sentences
    assert len(Report(report).parts()) == len(sentences)


def test_a_deed_is_read_past_a_word_cut_short():
    assert told("As agreed with Prof. Lee et al. I deleted `a.py`, and St. Paul's `b.py` too.") == [
        "deleted a.py",
        "deleted b.py",
    ]
