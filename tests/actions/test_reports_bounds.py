"""Any text is read, in bounded time and memory, and what was not read is stated."""

import importlib.util
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from witnessmark.actions.report.claims import MAX_CHARS, MAX_CLAIMS, claims_in
from witnessmark.actions.report.effects import effects_in
from witnessmark.actions.report.layout import coded
from witnessmark.actions.report.report import Report

BENCH = Path(__file__).resolve().parents[2] / "bench"


def scorer():
    spec = importlib.util.spec_from_file_location("bench_reports", BENCH / "bench_reports.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["bench_reports"] = module
    spec.loader.exec_module(module)
    return module


PIECES = st.sampled_from(
    ["I ", "created ", "`a/b.py` ", "updated ", "not ", "\n", "- ", "\n- ", "## ", "Next steps", ": ", ", ", "and ", "(", ")", "new ", "→ ", "| ", "```\n",
     "tests ", "12 ", "passed ", "failed ", "of ", "`npm test` ", "ran ", "which ", "it ", '"', "“", "✅ ", "[x] ", "【F:a.py†L1】", "[a](b.py) ", "moved ", "to ",
     "\u202e", "\x00", "é", "deleted ", "? ", ". ", "1/2 ", "a.py", "src\\a.cs ", "**", "\r\n", "    ", "> "]
)  # fmt: skip


@given(st.lists(PIECES, max_size=60).map("".join) | st.text(max_size=300))
@example("1/2 updated `a/b.py` | ")
@example("**1/2 updated** `a/b.py` ")
@example("\u202eupdated a.py")
@example("> ```\néupdated a.py")
@example("1/2 updated `a/b.py` src\\a.cs ")
@settings(max_examples=300)
def test_any_text_is_read_and_every_span_is_exact(report):
    found = claims_in(Report(report))
    for claim in (*found.claims, *found.unverifiable):
        assert claim.span is not None
        shown = report[slice(*claim.span)]
        # A claim of a whole sentence has its words without the signs of Markdown and tables, and bare files in code.
        assert claim.text in (shown, coded(shown.replace("*", "").strip(" \t-•|")))
    assert found.coverage <= 1.0
    assert claims_in(Report(report)) == found


def test_a_million_lines_are_read_up_to_a_cap_that_is_stated():
    found = claims_in(Report("- Created `src/a.py` and ran `make`\n" * 1_000_000))
    assert [claim.kind for claim in found.claims] == ["file_create", "command"]
    assert 0 < found.coverage < 0.01


@pytest.mark.parametrize(
    "piece",
    [
        "`",
        "(",
        "|",
        "word ",
        "a/b.py ",
        "updated ",
        "12 ",
        "and ",
        '"',
        "[x](",
        "**",
        "all tests ",
        ", ",
        "【F:",
        "\n",
        " ",
        "-",
        "a: ",
    ],
)
def test_no_repetition_takes_long(piece):
    found = claims_in(Report(piece * (MAX_CHARS // len(piece))))
    assert len(found.claims) <= MAX_CLAIMS


@pytest.mark.parametrize(
    "piece", ["it all ", "changes are all ", "| ", "1. ", "12 | ", "tests and ", "all the ", "(x) "]
)
def test_no_repetition_makes_the_words_of_effects_slow(piece):
    """Each of these once took longer than anybody would wait."""
    assert effects_in(Report(piece * (900 // len(piece)))) == []


def test_a_line_too_long_to_read_lowers_the_coverage():
    found = claims_in(Report("Created `a.py`. " + "x" * 8_000))
    assert [claim.path for claim in found.claims] == ["a.py"]
    assert found.coverage < 0.6


def test_an_empty_report_claims_nothing_and_is_covered():
    assert claims_in(Report("")) == claims_in(Report(""))
    assert claims_in(Report("")).coverage == 1.0


def test_the_seen_half_is_read_as_its_writers_meant_it():
    got = scorer().score(BENCH / "data" / "reports_seen.jsonl")
    assert (got.reports, got.precision >= 0.98, got.recall >= 0.98) == (110, True, True)


def test_the_second_half_is_read_as_its_writers_meant_it():
    """Blind at first (precision 0.969, recall 0.830 when opened); the rules have been improved on it since."""
    got = scorer().score(BENCH / "data" / "reports_seen2.jsonl")
    assert (got.reports, got.precision >= 0.98, got.recall >= 0.97) == (110, True, True)


def test_the_blind_set_has_the_figures_that_were_measured():
    """The rules were finished and committed before this set was opened: precision 0.958 and recall 0.859, targets 0.95 and 0.85."""
    got = scorer().score(BENCH / "data" / "reports_blind.jsonl")
    assert (got.reports, got.precision >= 0.95, got.recall >= 0.85) == (110, True, True)
