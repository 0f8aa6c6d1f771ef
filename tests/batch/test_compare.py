"""`witnessmark compare`: what came out worse, what better, for a person and for CI."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark.batch.compare import WORST_FIRST, compare_files, markdown, mcnemar
from witnessmark.core.errors import InputError


@pytest.fixture
def output(place):
    def save(name, rows):
        made = [
            {"row": 9, "at": "x", "error": "bad"}
            if outcome == "error"
            else {"case_id": case, "checkpoint": "task", "outcome": outcome, "score": score, "id": "f" * 64, "more": 1}
            for case, outcome, score in rows
        ]
        (place / name).write_text("".join(json.dumps(one) + "\n" for one in made))
        return name

    return save


BEFORE = [("a", "pass", 1.0), ("b", "fail", 0.0), ("c", "partial", 0.5), ("d", "pass", 0.9), ("gone", "pass", 1.0)]
AFTER = [("a", "fail", 0.1), ("b", "pass", 1.0), ("c", "partial", 0.6), ("d", "pass", 0.9), ("new", "fail", 0.0)]


def test_changes_are_found_by_case_id(output):
    found = compare_files(output("a.jsonl", BEFORE), output("b.jsonl", AFTER))
    assert [(one.case_id, one.before, one.after) for one in found.regressions] == [("a", "pass", "fail")]
    assert [one.case_id for one in found.improvements] == ["b"]
    assert (found.common, found.scores_moved, found.missing, found.added) == (4, 1, ["gone"], ["new"])
    assert (found.lost, found.won, found.p) == (1, 1, 1.0)


@pytest.mark.parametrize("worse", range(len(WORST_FIRST)))
@pytest.mark.parametrize("better", range(len(WORST_FIRST)))
def test_what_is_worse_stands_first_in_the_order_of_the_exit_codes(output, worse, better):
    if "error" in (WORST_FIRST[worse], WORST_FIRST[better]) or worse >= better:
        return
    found = compare_files(
        output("a.jsonl", [("x", WORST_FIRST[better], None)]), output("b.jsonl", [("x", WORST_FIRST[worse], None)])
    )
    assert len(found.regressions) == 1


def test_ci_fails_on_a_regression_only_where_it_is_asked_to(output, cli):
    a, b = output("a.jsonl", BEFORE), output("b.jsonl", AFTER)
    done = cli("compare", a, b)
    assert done.returncode == 0
    assert "4 cases compared: 1 regression, 1 improvement, 1 with only the score changed" in done.stdout
    assert "| a | task | pass 1.00 | fail 0.10 | ffffffffffff |" in done.stdout
    assert cli("compare", a, b, "--fail-on-regression").returncode == 1
    assert cli("compare", a, a, "--fail-on-regression").returncode == 0
    told = json.loads(cli("compare", a, b, "--json").stdout)
    assert told["regressions"][0]["case_id"] == "a"
    assert (told["before"]["pass"], told["after"]["pass"]) == (3, 2)


def test_ci_fails_where_a_case_is_gone_or_a_row_is_no_case_any_more(output, cli, tmp_path):
    whole = [("a", "pass", 1.0), ("b", "pass", 1.0), ("c", "pass", 1.0)]
    a, fewer, more = (
        output("a.jsonl", whole),
        output("b.jsonl", whole[:2]),
        output("c.jsonl", [*whole, ("d", "fail", 0)]),
    )
    gone = cli("compare", a, fewer, "--fail-on-regression")
    assert (gone.returncode, "1 case of before gone" in gone.stdout) == (1, True)
    broken = tmp_path / "broken.jsonl"
    lines = Path(fewer).read_text().splitlines()
    broken.write_text("\n".join([*lines, '{"row": 3, "error": "unknown field"}']))
    told = cli("compare", a, str(broken), "--fail-on-regression")
    assert (told.returncode, "1 row no case any more" in told.stdout) == (1, True)
    assert cli("compare", str(broken), fewer, "--fail-on-regression").returncode == 0, (
        "a row that is put right is no loss"
    )
    assert cli("compare", a, more, "--fail-on-regression").returncode == 0, "a further case is none either"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("none.jsonl", None, "there is no such file; name an output of `witnessmark run` or `batch`"),
        ("x.jsonl", "{}", "it needs case_id and outcome"),
        ("y.jsonl", "[", "is not a record"),
        ("z.csv", "", "neither .jsonl nor .parquet"),
        ("other.jsonl", '{"case_id": "zz", "outcome": "pass"}', "no case in common"),
    ],
)
def test_what_cannot_be_compared_says_why(output, place, name, text, said):
    if text is not None:
        (place / name).write_text(text)
    with pytest.raises(InputError, match=said):
        compare_files(output("a.jsonl", BEFORE), name)


def test_a_case_that_is_there_twice_is_compared_in_order(output):
    twice = [("a", "pass", 1.0), ("a", "fail", 0.0)]
    found = compare_files(output("a.jsonl", twice), output("b.jsonl", twice))
    assert (found.common, found.regressions, found.improvements) == (2, [], [])


def test_a_row_that_is_no_case_in_either_is_counted_apart(output):
    rows = [("a", "pass", 1.0), ("", "error", None)]
    found = compare_files(output("a.jsonl", rows), output("b.jsonl", rows))
    assert (found.common, found.no_cases, found.before) == (1, 1, {"pass": 1, "error": 1})
    assert "1 case compared" in markdown(found)


@given(st.integers(0, 2000), st.integers(0, 2000))
def test_chance_is_a_probability_and_the_same_from_both_sides(lost, won):
    p = mcnemar(lost, won)
    assert p == mcnemar(won, lost)
    assert p is None if lost == won == 0 else 0.0 <= p <= 1.0


def test_chance_as_in_the_textbook():
    assert mcnemar(10, 2) == pytest.approx(0.03857, abs=1e-4)
    assert mcnemar(5, 5) == 1.0
    assert mcnemar(600, 500) == pytest.approx(mcnemar_exact(600, 500), abs=1e-3)


def mcnemar_exact(lost, won):
    from math import comb

    count = lost + won
    return 2 * sum(comb(count, k) for k in range(min(lost, won) + 1)) / 2**count
