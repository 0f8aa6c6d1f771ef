"""Small mistakes of somebody new: each is told in words that say what to do."""

from __future__ import annotations

import json

import pytest

from witnessmark.batch import job

ROW = {"subject": {"kind": "task_output", "text": "hello"}, "criteria": [{"check": "min_length", "value": 3}]}


@pytest.fixture
def rows(tmp_path):
    file = tmp_path / "in.jsonl"
    file.write_text("".join(json.dumps(ROW | {"id": name}) + "\n" for name in "ab"))
    return file


class TestBatch:
    def test_no_folder_is_made_in_silence(self, cli, rows, tmp_path):
        told = cli("batch", rows, "new/out.jsonl").complaint
        assert told == "new/out.jsonl: the folder new is not there; make it first, or name another file"
        assert not (tmp_path / "new").exists()
        (tmp_path / "new").mkdir()
        assert cli("batch", rows, "new/out.jsonl").exit_code == 0

    def test_a_path_that_groups_nothing_is_told(self, cli, rows):
        said = cli("batch", rows, "out.jsonl", "--group-by", "context.nope").stdout
        assert "no two cases share context.nope, so none were checked together" in said
        assert "no two cases" not in cli("batch", rows, "other.jsonl").stdout

    def test_a_path_whose_every_value_is_of_one_case_groups_nothing_either(self, cli, rows):
        said = cli("batch", rows, "out.jsonl", "--group-by", "id").stdout
        assert "no two cases share id, so none were checked together" in said
        assert "checked for consistency" not in said

    def test_a_summary_counts_what_groups_came_to_as_theirs(self, cli, tmp_path):
        file = tmp_path / "in.jsonl"
        missions = {"a": "m1", "b": "m1", "c": "m2"}
        given = [ROW | {"id": name, "context": {"mission": mission}} for name, mission in missions.items()]
        file.write_text("".join(json.dumps(row) + "\n" for row in given))
        first, second, *_ = cli("batch", file, "out.jsonl", "--group-by", "context.mission").stdout.splitlines()
        assert first.startswith("3 cases and 2 groups: ")
        assert sum(int(part.split()[0]) for part in first.split(": ")[1].split(", ")) == 5
        assert second == "1 group was checked for consistency; 1 more of one case each"

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["in.jsonl"], "interrupted, 0 rows are kept; run the same command again to go on"),
            (
                ["in.jsonl", "--fresh"],
                "interrupted, 0 rows are kept; run the same command again without --fresh to go on",
            ),
            (
                ["-"],
                "interrupted; standard input cannot be read again from where it was: name a file to be able to go on",
            ),
        ],
    )
    def test_ctrl_c_says_how_to_go_on_only_where_that_is_so(self, cli, rows, monkeypatch, arguments, said):
        def interrupted(*given, **more):
            raise KeyboardInterrupt

        monkeypatch.setattr(job, "run", interrupted)
        done = cli("batch", *arguments, "out.jsonl")
        assert (done.exit_code, done.stderr) == (130, f"witnessmark: {said}\n")

    def test_one_is_one(self, cli, rows):
        assert cli("batch", rows, "out.jsonl", "--limit", "1").stdout.startswith("1 case: 1 pass\n")
        assert cli("batch", rows, "all.jsonl").stdout.startswith("2 cases: 2 pass\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("batch", "in.jsonl", "out.jsonl", "--limit", "x"), "'x' is not a valid whole number"),
        (("verify", "in.jsonl", "--deadline", "soon"), "'soon' is not a valid number"),
        (("show", "--help"), "ID"),
    ],
)
def test_an_option_names_the_kind_of_number_it_takes_as_people_do(cli, words, said):
    told = cli(*words).output
    assert said in told
    assert "range" not in told


class TestSettings:
    def test_a_file_that_an_editor_began_with_a_mark_is_read(self, cli, verified, tmp_path):
        (tmp_path / "witnessmark.toml").write_text('workspace = "marked"\n', encoding="utf-8-sig")
        assert verified()["workspace"] == "marked"

    def test_a_variable_without_a_value_is_not_set(self, cli, verified, monkeypatch, tmp_path):
        (tmp_path / "witnessmark.toml").write_text('workspace = "found"\n', encoding="utf-8")
        for name in ("WITNESSMARK_CONFIG", "WITNESSMARK_WORKSPACE"):
            monkeypatch.setenv(name, "")
        assert verified()["workspace"] == "found"


class TestRecords:
    def test_after_a_purge_nobody_is_told_that_nothing_was_verified(self, cli, verified):
        verified()
        assert cli("records", "audit").stdout == "1 record and 0 tombstones, 0 faults\n"
        cli("records", "purge", "--workspace", "default", "--yes")
        assert cli("records").stdout.startswith("every record was purged; 1 tombstone left")

    def test_an_import_does_not_claim_what_was_there_already(self, cli, verified):
        verified()
        cli("records", "export", "kept.jsonl")
        assert "1 record read; what was there already is kept once" in cli("records", "import", "kept.jsonl").output

    def test_a_persons_word_is_not_replayed_and_what_it_is_about_is_named(self, cli, verified):
        record = verified()["id"]
        cli("override", record, "--outcome", "fail", "--reason", "no", "--by", "ann")
        word = json.loads(cli("records", "--json", "--limit", "1").stdout)["id"]
        told = cli("replay", word).complaint
        assert told.endswith(
            f"is a person's word: no check made it, so none can run again; replay {record[:12]}, which it is about"
        )
        assert cli("replay", record).stdout == "same as recorded\n"

    def test_how_it_turned_out_is_said_once(self, cli, verified):
        record = verified()["id"]
        cli("outcome", record, "--outcome", "fail")
        assert "the actual outcome was fail · record" in cli("show", record).stdout
        cli("outcome", record, "--outcome", "pass", "--reason", "it worked")
        assert "the actual outcome was pass: it worked · record" in cli("show", record).stdout


class TestCases:
    @pytest.mark.parametrize(
        ("schema", "told"),
        [
            ({"type": "objct"}, "$.type: 'objct' is no type; write array, boolean"),
            ({"properties": {"a": {"type": "objct"}}}, "$.properties.a.type: 'objct' is no type"),
            ({"minLength": "3"}, '$.minLength: "3" is not of type "integer"'),
        ],
    )
    def test_a_schema_that_is_none_is_told_with_the_place_and_the_word(self, cli, schema, told):
        case = ROW | {"criteria": [{"check": "json_schema", "value": schema}]}
        assert told in cli("verify", "-", stdin=json.dumps(case)).stdout

    def test_nobody_is_told_of_a_criterion_who_named_none(self, cli):
        goal = {"goal": "Say hi.", "subject": ROW["subject"]}
        said = cli("verify", "-", stdin=json.dumps(goal)).stdout
        assert "a judge has to read this, and none is configured" in said
        assert "criterion in words" not in said
        worded = goal | {"criteria": ["It says hi."]}
        assert "a criterion in words needs a judge" in cli("verify", "-", stdin=json.dumps(worded)).stdout

    def test_types_are_called_as_json_calls_them(self, cli):
        told = cli("verify", "-", stdin=json.dumps({"subject": "hi"}))
        assert "subject: must be an object, not a text" in told.output


def test_what_if_prints_no_words_of_a_programming_language(cli, root):
    data = root / "examples" / "calibration.jsonl"
    cli("calibrate", "fit", "--data", data, "--name", "mine")
    said = cli("calibrate", "what-if", "mine@1", "--data", data).stdout
    assert "to a person: " in said
    assert not any(mark in said for mark in ("{", "None", "'"))


@pytest.mark.parametrize(("command", "told"), [
    (("correct", "--attempts", "11"), "11 is not in the range from 0 to 10."),
    (("serve", "--port", "65536"), "65536 is not in the range from 0 to 65535."),
    (("calibrate", "fit", "--risk", "2"), "2.0 is not in the range from 0.001 to 0.5."),
    (("verify", "x.json", "--budget-usd", "-1"), "-1.0 is not in the range from 0 upwards."),
])  # fmt: skip
def test_a_number_out_of_range_is_told_the_range_in_words(cli, command, told):
    done = cli(*command)
    assert (done.exit_code, told in done.output) == (2, True)


def test_the_help_tells_a_range_in_words(cli):
    said = cli("correct", "--help").output
    assert ("[from 0 to 10]" in said, "<=x" in said) == (True, False)
