"""What is there and how to begin: checks, checkpoints, schema, init, doctor, judges, compare."""

from __future__ import annotations

import json

import pytest

from witnessmark.batch.job import BatchStep
from witnessmark.batch.values import Tally
from witnessmark.cli.commands import batch as progress
from witnessmark.core.verdict import Usage


def rows(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


class TestLists:
    @pytest.mark.parametrize(
        ("command", "columns", "some"),
        [
            ("checks", {"check", "version", "cost", "from", "summary"}, {"not_empty", "json_schema", "rubric"}),
            ("checkpoints", {"checkpoint", "takes", "from", "summary"}, {"task", "answer", "actions"}),
        ],
    )
    def test_each_has_a_line_for_people_and_an_object_for_scripts(self, cli, command, columns, some):
        told = rows(cli(command, "--json"))
        assert all(set(row) == columns for row in told)
        assert some <= {row[command[:-1]] for row in told}
        assert all(row["summary"] for row in told)
        assert len(cli(command).stdout.splitlines()) == len(told) + 1

    def test_a_check_of_ones_own_is_listed_with_its_cost(self, cli, register):
        @register("test-own", cost="local")
        def own():
            """Looks at nothing."""
            return lambda case, prior: None

        (row,) = (row for row in rows(cli("checks", "--json")) if row["check"] == "test-own")
        assert (row["cost"], row["summary"]) == ("local", "Looks at nothing.")

    @pytest.mark.parametrize("of", ["case", "record"])
    def test_the_schema_is_one_that_a_validator_takes(self, cli, of):
        import jsonschema_rs

        schema = json.loads(cli("schema", of).stdout)
        assert schema["title"] == f"Witnessmark {of}"
        assert jsonschema_rs.validator_for(schema).is_valid({"nothing": "of it"}) is False


class TestBegin:
    def test_init_writes_settings_and_a_case_that_passes(self, cli, tmp_path):
        done = cli("init", "new")
        assert "next: witnessmark verify new/case.json" in done.stdout
        assert cli("verify", "new/case.json", "--config", "new/witnessmark.toml").exit_code == 0

    def test_what_is_there_is_not_replaced_unless_asked(self, cli, tmp_path):
        cli("init")
        (tmp_path / "case.json").write_text("mine")
        assert "already there; --force replaces" in cli("init").complaint
        assert (tmp_path / "case.json").read_text() == "mine"
        cli("init", "--force")
        assert (tmp_path / "case.json").read_text() != "mine"

    def test_a_folder_that_cannot_be_written_is_named(self, cli):
        assert "/proc/none: cannot be written" in cli("init", "/proc/none").complaint

    def test_doctor_names_what_is_missing_and_the_code_is_1(self, cli):
        done = cli("doctor", "--store", "sqlite:////proc/none/x.db")
        assert done.exit_code == 1
        assert any(line.startswith("missing  ") and "/proc/none" in line for line in done.stdout.splitlines())

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("max_parallell = 3", "max_parallell: unknown field"),
            ("[policy]\npass_treshold = 0.8", "policy.pass_treshold: unknown field 'pass_treshold'; did you mean"),
            ("[users.ana]\npass_threshold = 'high'", "users.ana.pass_threshold: must be a number, not a text"),
            ("[workspaces.a.policy]\npass_threshold = 'high'", "workspaces.a.policy.pass_threshold: must be a number"),
        ],
    )
    def test_what_is_wrong_with_the_settings_is_wrong_and_not_missing_and_the_file_is_named(
        self, cli, tmp_path, text, said
    ):
        (tmp_path / "witnessmark.toml").write_text(text + "\n")
        done = cli("doctor")
        assert done.exit_code == 1
        assert f"\nwrong    witnessmark.toml: {said}" in done.stdout
        assert "what follows describes the default settings" in done.stdout
        assert "missing" not in done.stdout
        assert cli("check", "-a", "b", "-t", "b").complaint.startswith(f"witnessmark.toml: {said}")

    @pytest.mark.parametrize("named", ["nope@3", "nope"])
    def test_a_pinned_calibration_that_there_is_not_is_told_by_doctor_and_by_verify(self, cli, tmp_path, named):
        case = {"subject": {"kind": "task_output", "text": "hello"}, "criteria": [{"check": "min_length", "value": 3}]}
        (tmp_path / "case.json").write_text(json.dumps(case))
        (tmp_path / "witnessmark.toml").write_text(f"calibration = '{named}'\n")
        done = cli("doctor")
        assert f"missing  settings: unknown calibration '{named}'; there are: none yet" in done.stdout
        assert done.exit_code == 1
        refused = cli("verify", "case.json")
        assert refused.exit_code == 2
        assert f"settings: unknown calibration '{named}'" in refused.output
        (tmp_path / "witnessmark.toml").write_text("calibration = 'none'\n")
        assert "unknown calibration" not in cli("doctor").stdout
        assert cli("verify", "case.json").exit_code == 0

    def test_doctor_says_which_settings_and_store_it_found(self, cli, store):
        said = cli("doctor").stdout
        assert "ok       no settings file; `witnessmark init` writes one" in said
        assert f"ok       store {store}" in said


class TestJudges:
    def test_configured_ones_are_listed_with_family_and_price(self, cli, tmp_path):
        (tmp_path / "witnessmark.toml").write_text("[judges.small]\nvendor = 'openai'\nmodel = 'gpt-4o-mini'\n")
        (row,) = rows(cli("judges", "--json"))
        assert (row["judge"], row["model"], row["family"]) == ("small", "gpt-4o-mini", "openai")
        assert "small" in cli("judges").stdout

    def test_without_any_it_says_what_judge_takes(self, cli):
        assert "no judge is configured; --judge takes" in cli("judges").stdout

    def test_examples_that_teach_wrongly_are_named(self, cli, tmp_path):
        (tmp_path / "few.toml").write_text("")
        done = cli("judges", "lint-examples", "few.toml")
        assert done.exit_code == 1
        assert "few.toml: no good example" in done.stdout
        assert "cannot be read" in cli("judges", "lint-examples", "gone.toml").complaint


class TestCompare:
    @pytest.fixture
    def runs(self, cli, tmp_path):
        """Two runs over three cases: the second lets one more through and fails one that passed."""

        def run(name, texts):
            lines = [
                {"id": f"c{n}", "subject": {"kind": "task_output", "text": text}, "criteria": [{"check": "not_empty"}]}
                for n, text in enumerate(texts)
            ]
            (tmp_path / f"{name}-in.jsonl").write_text("\n".join(map(json.dumps, lines)))
            cli("batch", f"{name}-in.jsonl", f"{name}.jsonl", "--quiet", "--fail-on", "never")

        run("a", ["one", " ", "three"])
        run("b", ["one", "two", " "])
        return "a.jsonl", "b.jsonl"

    def test_what_is_worse_and_what_is_better(self, cli, runs):
        told = json.loads(cli("compare", *runs, "--json").stdout)
        assert (len(told["regressions"]), len(told["improvements"]), told["common"]) == (1, 1, 3)
        assert cli("compare", *runs).exit_code == 0
        assert cli("compare", *runs, "--fail-on-regression").exit_code == 1
        assert cli("compare", runs[0], runs[0], "--fail-on-regression").exit_code == 0

    def test_side_by_side_in_one_file(self, cli, runs, tmp_path):
        cli("compare", *runs, "--html", "side.html")
        page = (tmp_path / "side.html").read_text()
        assert page.lower().startswith("<!doctype html>")
        assert "<script" not in page

    @pytest.mark.parametrize("name", ["gone.jsonl", "empty.txt"])
    def test_a_file_that_is_no_output_is_named(self, cli, runs, tmp_path, name):
        (tmp_path / "empty.txt").write_text("")
        assert name in cli("compare", runs[0], name).complaint


@pytest.mark.parametrize(
    ("rows", "resumed", "share", "seconds", "cost", "said"),
    [
        (500, 0, None, 2.0, 0.0, "500 rows, 250/s, $0.00"),
        (500, 0, 0.25, 2.0, 0.0, "500 rows, 250/s, $0.00, 6 s left"),
        (500, 0, 0.25, 200.0, 0.0, "500 rows, 2.5/s, $0.00, 10 min left"),
        (500, 0, 0.5, 9000.0, 0.0, "500 rows, 3.3/min, $0.00, 2.5 h left"),
        (1500, 1000, None, 1.0, 0.0, "1,500 rows, 500/s, $0.00"),
        (9, 0, None, 2.0, 0.0, "9 rows, 4.5/s, $0.00"),
        (10, 0, None, 1.0, None, "10 rows, 10/s, price unknown"),
        (10, 0, None, 0.0, 1.234, "10 rows, 0/s, $1.23"),
    ],
    ids=["no size", "seconds", "minutes", "hours", "resumed", "a few a second", "no price", "no time"],
)
def test_a_long_run_says_how_far_it_is_at_what_rate_and_cost(rows, resumed, share, seconds, cost, said):
    tally = Tally(usage=Usage(cost_usd=cost))
    step = BatchStep(tally=tally, rows=rows, resumed_rows=resumed, share=share, seconds=seconds)
    assert progress.progress_line(step) == said
