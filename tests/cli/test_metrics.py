"""`witnessmark metrics` and what hangs below it: figures for people, for scripts and for other tools."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def seen(verified, cli):
    """Two that pass and one that fails; of one that passed it is known that it was bad, of the failed one that it was too."""
    made = [verified("hello there", ident="c1"), verified("all is well", ident="c2"), verified("no", 30, ident="c3")]
    cli("outcome", made[1]["id"], "--outcome", "fail", "--reason", "nobody could use it")
    cli("outcome", made[2]["id"], "--outcome", "fail")
    return made


@pytest.fixture
def enough(cli):
    """Twenty-one verified at once, a third of them too short: enough for a figure to be known."""
    texts = ["well said" if number % 3 else "no" for number in range(21)]
    lines = [
        {
            "id": f"n{n}",
            "subject": {"kind": "task_output", "text": t},
            "criteria": [{"check": "min_length", "value": 5}],
        }
        for n, t in enumerate(texts)
    ]
    cli("verify", "-", "--json", stdin="\n".join(map(json.dumps, lines)))


def table(text):
    """The rows of a printed table by their first cell."""
    return {line.split()[0]: line.split() for line in text.splitlines() if line.strip()}


def test_nothing_verified_yet_says_how_to_begin(cli):
    done = cli("metrics")
    assert done.exit_code == 0
    assert "nothing verified yet; start with `witnessmark verify case.json`" in done.stdout
    assert {row[1] for name, row in table(done.stdout).items() if name == "catch_rate"} == {"unknown"}


def test_the_figures_are_a_table_with_value_interval_sample_target_and_state(cli, enough):
    rows = table(cli("metrics").stdout)
    assert rows["metric"] == ["metric", "value", "between", "n", "target", "state"]
    assert rows["pass_rate"][1] == "0.67"
    assert "21" in rows["pass_rate"]


def test_a_share_that_is_too_high_is_off_target_and_not_below_it(cli):
    from witnessmark.cli.commands.metrics import figure_row
    from witnessmark.insight.metrics import BY_NAME, measured

    too_often = measured(BY_NAME["corrective_trigger_rate"], 34, 100, 100)
    assert too_often.state == "below_target"
    assert figure_row(too_often)[-1] == "off target"


def test_figures_whose_sample_is_too_small_are_unknown_and_the_way_to_more_is_told(cli, verified):
    verified()
    assert table(cli("metrics").stdout)["pass_rate"][1] == "unknown"
    assert "`witnessmark outcome ID --outcome pass|fail`" in cli("metrics").stdout
    assert "a figure is shown from 20 cases on" in cli("metrics").stdout


def test_as_json_they_are_one_object_with_all_fields(cli, enough):
    told = json.loads(cli("metrics", "--json").stdout)
    assert set(told) == {"figures", "by", "alerts"}
    assert told["figures"]["pass_rate"]["value"] == pytest.approx(2 / 3)
    assert told["figures"]["pass_rate"]["n"] == 21
    assert {"name", "value", "low", "high", "n", "state"} <= set(told["figures"]["catch_rate"])


def test_only_the_last_days_count_where_that_is_asked_for(cli, seen):
    assert json.loads(cli("metrics", "--days", 1, "--json").stdout)["figures"]["pass_rate"]["n"] == 3


def test_another_workspace_has_figures_of_its_own(cli, seen):
    told = json.loads(cli("metrics", "--workspace", "elsewhere", "--json").stdout)
    assert told["figures"]["pass_rate"]["n"] == 0


@pytest.mark.parametrize("before", [True, False], ids=["before the command", "after it"])
def test_options_count_before_and_after_the_name_of_what_is_asked(cli, seen, before):
    options = ("--workspace", "elsewhere")
    arguments = ("metrics", *options, "by", "--json") if before else ("metrics", "by", *options, "--json")
    told = json.loads(cli(*arguments).stdout)
    assert not any(figure["n"] for figures in told.values() for figure in figures.values())


def test_by_breaks_them_down_by_level_agent_and_category(cli, seen):
    assert "task" in cli("metrics", "by").stdout
    told = json.loads(cli("metrics", "by", "--json").stdout)
    assert any("task" in figures for figures in told.values())


def test_the_dictionary_gives_numerator_and_denominator_of_every_figure(cli, seen):
    names = set(json.loads(cli("metrics", "--json").stdout)["figures"])
    rows = [json.loads(line) for line in cli("metrics", "dictionary", "--json").stdout.splitlines()]
    assert names <= {row["name"] for row in rows}
    assert all(row["numerator"] and row["denominator"] for row in rows)
    assert cli("metrics", "dictionary").stdout.count("\n    / ") == len(rows)


class TestWorth:
    def test_without_an_end_it_is_unknown_whether_it_pays(self, cli, verified):
        verified()
        said = cli("metrics", "worth").stdout
        assert "prevented                 unknown" in said
        assert "`witnessmark outcome` records one" in said

    def test_what_was_stopped_is_counted_at_the_price_of_a_failure(self, cli, seen):
        told = json.loads(cli("metrics", "worth", "--failure-usd", 4, "--json").stdout)
        assert told["worth"]["caught"] == 1
        assert told["worth"]["prevented_usd"] == pytest.approx(4.0)
        said = cli("metrics", "worth", "--failure-usd", 4, "--retry-usd", 1).stdout
        assert "failures stopped          1, worth $4.0000" in said
        assert "it pays" in said
        assert "a retry pays              from a success rate of 25% on" in said


def test_prometheus_reads_its_own_format(cli, seen):
    lines = cli("metrics", "prometheus").stdout.splitlines()
    assert any(line.startswith("# TYPE witnessmark_") for line in lines)
    assert any(line.startswith("witnessmark_") and 'workspace="default"' in line for line in lines)


class TestExport:
    def test_one_row_a_run_and_nothing_of_what_was_judged(self, cli, seen, tmp_path):
        done = cli("metrics", "export", "scores.jsonl")
        rows = [json.loads(line) for line in (tmp_path / "scores.jsonl").read_text().splitlines()]
        assert done.stderr == "3 rows\n"
        assert len(rows) == 3
        assert sorted(row["verifier_score"] for row in rows) == [0.0, 1.0, 1.0]
        assert "hello there" not in (tmp_path / "scores.jsonl").read_text()

    def test_a_dash_is_standard_output(self, cli, seen):
        assert len(cli("metrics", "export", "-").stdout.splitlines()) == 3

    def test_parquet_by_the_name_of_the_file(self, cli, seen, tmp_path):
        import pyarrow.parquet

        cli("metrics", "export", "scores.parquet")
        assert pyarrow.parquet.read_table(tmp_path / "scores.parquet").num_rows == 3

    def test_a_place_that_cannot_be_written_is_named(self, cli, seen):
        assert (
            "FILE no/such/folder.jsonl: there is no folder no/such"
            in cli("metrics", "export", "no/such/folder.jsonl").complaint
        )


class TestAlert:
    def test_none_is_said_and_the_code_is_0(self, cli, seen):
        done = cli("metrics", "alert")
        assert (done.exit_code, done.stdout) == (0, "no alert\n")
        assert cli("metrics", "alert", "--json").stdout == ""

    def test_one_that_is_raised_gives_advice_and_the_code_is_1(self, cli, verified):
        for number in range(25):
            record = verified("fine by all accounts", ident=f"bad-{number}")
            cli("outcome", record["id"], "--outcome", "fail")
        done = cli("metrics", "alert", "--json")
        told = [json.loads(line) for line in done.stdout.splitlines()]
        assert done.exit_code == 1
        assert told
        assert all(one["message"] and one["advice"] and one["severity"] for one in told)
        said = cli("metrics", "alert")
        assert said.exit_code == 1
        assert told[0]["title"] in said.stdout


def test_a_store_without_counts_is_refused(cli, register_store):
    assert "keeps no counts; SQLite, PostgreSQL and memory do" in cli("metrics", "--store", register_store).complaint
