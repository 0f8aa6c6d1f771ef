"""`witnessmark calibrate`: fit on labels, look, ask what if, and only then apply."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def data(root):
    return root / "examples" / "calibration.jsonl"


@pytest.fixture
def fitted(cli, data):
    return json.loads(cli("calibrate", "fit", "--data", data, "--name", "first", "--json").stdout)


def test_without_any_the_way_to_one_is_told(cli):
    assert "no calibration yet; `witnessmark calibrate fit --data" in cli("calibrate", "show").stdout


def test_a_fit_is_kept_as_a_version_and_applied_by_nobody(cli, data, fitted):
    assert (fitted["name"], fitted["version"]) == ("first", 1)
    assert fitted["samples"] == len(data.read_text().splitlines())
    again = cli("calibrate", "fit", "--data", data, "--name", "first")
    assert "kept as first@2; `witnessmark calibrate what-if first@2`" in again.stdout
    rows = [line.split() for line in cli("calibrate", "show").stdout.splitlines()[1:]]
    assert {row[0] for row in rows} == {"first@1", "first@2"}
    assert all(row[-1] != "yes" for row in rows)


def test_show_gives_the_figures_of_each_source(cli, fitted):
    shown = cli("calibrate", "show", "first@1").stdout
    assert shown.splitlines()[1].split() == [
        *("source", "n", "method", "correlation", "AUROC", "kappa", "Brier", "ECE", "ECE", "after")
    ]
    assert f"{fitted['samples']} labelled results of {len(fitted['fits'])} sources" in shown
    assert json.loads(cli("calibrate", "show", "first@1", "--json").stdout) == fitted


def test_what_holds_is_a_choice_that_can_be_taken_back(cli, fitted):
    assert cli("calibrate", "apply", "first@1").stdout == "first@1 is in force from now on\n"
    assert cli("calibrate", "show").stdout.splitlines()[1].split()[-1] == "yes"
    assert cli("calibrate", "apply", "none").stdout == "no calibration is in force\n"
    assert cli("calibrate", "show").stdout.splitlines()[1].split()[-1] != "yes"


def test_a_fit_of_too_little_says_so_and_is_not_offered(cli, tmp_path):
    few = tmp_path / "few.jsonl"
    few.write_text('{"check": "rubric", "judge": "j", "status": "pass", "score": 0.8, "good": true}\n' * 3)
    told = cli("calibrate", "fit", "--data", few, "--name", "few").stdout
    assert "rubric 1 by j (reported): not fitted: 3 of the 100 labelled results that are needed" in told
    assert "kept as few@1; nothing could be fitted, so applying it would change nothing" in told
    assert "calibrate apply" not in told
    assert "changes nothing" in cli("calibrate", "apply", "few@1").stdout
    few.write_text('{"check": "rubric", "judge": "j", "status": "pass", "score": 0.8, "good": true}\n' * 120)
    assert "fewer than 10 of its 120" in cli("calibrate", "fit", "--data", few).stdout


def test_what_if_says_what_would_have_changed(cli, data, fitted):
    told = json.loads(cli("calibrate", "what-if", "first", "--data", data, "--json").stdout)
    assert told["cases"] == len(data.read_text().splitlines())
    said = cli("calibrate", "what-if", "first", "--data", data).stdout
    assert {line[:22].strip().replace(" ", "_") for line in said.splitlines()} == set(told)


def test_another_threshold_is_tried_on_work_whose_end_is_known(cli, verified):
    record = verified()
    cli("outcome", record["id"], "--outcome", "pass")
    done = cli("calibrate", "what-if", "--pass-threshold", 0.9, "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("fit",), "no outcome is known yet"),
        (("fit", "--data", "gone.jsonl"), "gone.jsonl: cannot be read"),
        (("fit", "--data", "bad.jsonl"), "line 1"),
        (("what-if",), "name a calibration, or give --pass-threshold; one of the two"),
        (("what-if", "first@1", "--pass-threshold", "0.9"), "one of the two"),
        (("apply", "nobody@1"), "nobody@1"),
        (("show", "nobody"), "nobody"),
        (("weights", "nowhere"), "nowhere"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_is_refused_with_the_way_out(cli, tmp_path, arguments, said):
    (tmp_path / "bad.jsonl").write_text("{not json}\n")
    assert said in cli("calibrate", *arguments).complaint
