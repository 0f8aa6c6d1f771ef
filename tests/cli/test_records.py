"""records, show, replay, init, doctor, schema: what was decided, why, and whether it still holds."""

from __future__ import annotations

import asyncio
import json
import sqlite3

import jsonschema_rs
import pytest

from witnessmark.cli.app import run
from witnessmark.core import registry
from witnessmark.core.verdict import failed, passed

CASE = {
    "id": "c1",
    "subject": {"kind": "task_output", "text": "hello there"},
    "criteria": [{"check": "min_length", "value": 3}],
}


def verify(cli, case=CASE):
    return json.loads(cli("verify", "-", "--json", stdin=json.dumps(case)).stdout)


def test_several_cases_are_examined_at_once_and_come_out_in_order(cli, register):
    """All eight are under way before any goes on, and the first goes on last."""
    begun, ended, most = [], [], [0]

    @register("test-slow", cost="local")
    def slow():
        async def look(case, prior):
            begun.append(case.id)
            most[0] = max(most[0], len(begun) - len(ended))
            while len(begun) < 8 or (case.id == "c0" and len(ended) < 7):  # noqa: ASYNC110 - turns of the loop, not time
                await asyncio.sleep(0)
            ended.append(case.id)
            return passed()

        return look

    cases = [{"id": f"c{n}", "subject": CASE["subject"], "criteria": [{"check": "test-slow"}]} for n in range(20)]
    done = cli("verify", "-", "--json", stdin="\n".join(map(json.dumps, cases)))
    assert [json.loads(line)["case_id"] for line in done.stdout.splitlines()] == [f"c{n}" for n in range(20)]
    assert most[0] == 8


def test_a_list_of_records_tells_the_wrong_words_beside_those_of_the_source(cli):
    answered = {"question": "How tall?", "answer": "It is 40 metres tall.", "sources": ["It is 14 metres tall."]}
    cli("verify", "-", stdin=json.dumps(answered))
    told = '"40 metres" differs from source d1, which says "14 metres"'
    assert told in cli("records").stdout
    assert json.loads(cli("records", "--json").stdout)["reason"] == told


def test_show_explains_and_records_lists(cli):
    record = verify(cli, CASE | {"criteria": [{"check": "min_length", "value": 30}]})
    shown = cli("show", record["id"][:10]).stdout
    assert "Verdict: fail · next: retry (min_length; attempt 1 of 3)" in shown
    assert "11 characters, at least 30 are asked for" in shown
    assert "[wrong_length] min_length\n  error    the text has 11 characters" in shown
    assert json.loads(cli("show", record["id"], "--json").stdout) == record
    listed = cli("records", "--outcome", "fail").stdout
    assert record["id"][:12] in listed
    assert cli("records", "--outcome", "pass").stdout.startswith("no record matches")
    assert [json.loads(line)["id"] for line in cli("records", "--json").stdout.splitlines()] == [record["id"]]


def test_an_unknown_record_is_a_clear_word(cli):
    assert "unknown record 'abc'" in cli("show", "abc").complaint


class TestReplay:
    def test_unchanged_it_is_the_same(self, cli):
        record = verify(cli)
        done = cli("replay", record["id"])
        assert (done.exit_code, done.stdout) == (0, "same as recorded\n")

    def test_a_changed_check_is_named_exactly(self, cli, register):
        """One check's version and behaviour change; replay names that, what follows from it, and nothing else."""
        register("test-mood", cost="instant", version="1")(lambda: lambda case, prior: passed("cheerful"))
        record = verify(cli, CASE | {"criteria": [*CASE["criteria"], {"check": "test-mood", "must_pass": False}]})
        registry.checks.remove("test-mood")
        registry.check("test-mood", cost="instant", version="2")(lambda: lambda case, prior: failed("gloomy"))
        done = cli("replay", record["id"], "--json")
        found = {(d["node"], d["what"]): (d["was"], d["now"]) for d in json.loads(done.stdout)["differences"]}
        assert done.exit_code == 1
        assert found == {
            ("test-mood", "version"): ("1", "2"),
            ("test-mood", "status"): ("pass", "fail"),
            ("test-mood", "score"): (1.0, 0.0),
            ("test-mood", "reason"): ("cheerful", "gloomy"),
            ("verdict", "outcome"): ("pass", "partial"),
            ("verdict", "score"): (1.0, 0.5),
            ("verdict", "action"): ("accept", "retry"),
        }
        assert "test-mood: version 1 → 2" in cli("replay", record["id"]).stdout

    def test_a_check_that_is_gone_is_named(self, cli, register):
        register("test-mood", cost="instant")(lambda: lambda case, prior: passed())
        record = verify(cli, CASE | {"criteria": [{"check": "test-mood"}]})
        registry.checks.remove("test-mood")
        out = cli("replay", record["id"]).stdout
        assert "test-mood: version 1 → 0" in out
        assert "test-mood: status pass → error" in out

    def test_what_a_judge_said_is_not_asked_again(self, cli, register):
        asked = []

        @register("test-judged", cost="paid")
        def judged():
            async def look(case, prior):
                asked.append(1)
                return passed("fine")

            return look

        record = verify(cli, CASE | {"criteria": [{"check": "test-judged"}, *CASE["criteria"]]})
        done = cli("replay", record["id"])
        assert (done.exit_code, asked) == (0, [1])
        assert "test-judged: judged, not run again" in done.stdout

    def test_without_content_the_case_must_be_given(self, cli, tmp_path):
        (tmp_path / "witnessmark.toml").write_text('[content]\nkeep = "digest"\n')
        record = verify(cli)
        assert "was kept out of the store; give the case file with --case" in cli("replay", record["id"]).complaint
        (tmp_path / "case.json").write_text(json.dumps(CASE))
        assert cli("replay", record["id"], "--case", "case.json").exit_code == 0
        (tmp_path / "other.json").write_text(json.dumps(CASE | {"goal": "other"}))
        assert "this is not the case of record" in cli("replay", record["id"], "--case", "other.json").complaint


def test_audit_finds_a_record_changed_behind_our_back(cli, tmp_path):
    record = verify(cli)
    assert cli("records", "audit").stdout == "1 record and 0 tombstones, 0 faults\n"
    with sqlite3.connect(tmp_path / "s.db") as db:
        db.execute("UPDATE records SET body = replace(body, '\"score\":1.0', '\"score\":0.9')")
    done = cli("records", "audit")
    assert done.exit_code == 1
    assert record["id"][:12] in done.stdout


def test_export_import_and_purge(cli, tmp_path):
    record = verify(cli)
    assert cli("records", "export", "out.jsonl").exit_code == 0
    assert cli("records", "import", "out.jsonl", "--store", f"sqlite:///{tmp_path}/b.db").exit_code == 0
    assert record["id"][:12] in cli("records", "--store", f"sqlite:///{tmp_path}/b.db").stdout
    assert "say what to purge" in cli("records", "purge", "--yes").complaint
    assert cli("records", "purge", "--older-than-days", "1", "--yes").stdout.startswith("0 records purged")
    assert cli("records", "purge", "--workspace", "default", stdin="n\n").exit_code == 1
    assert cli("records", "purge", "--workspace", "default", "--yes").stdout.startswith("1 record purged")
    assert "was purged" in cli("show", record["id"]).stdout
    assert cli("records", "audit").stdout == "0 records and 1 tombstone, 0 faults\n"
    assert "nothing left to replay" in cli("replay", record["id"]).complaint


def test_init_writes_settings_and_a_case_that_verify(cli, tmp_path):
    assert cli("init").exit_code == 0
    assert cli("verify", "case.json").exit_code == 0
    assert "already there; --force replaces" in cli("init").complaint
    assert cli("init", "--force").exit_code == 0
    every = (tmp_path / "witnessmark.toml").read_text()
    lines = [
        line.removeprefix("# ") if "=" in line and line.startswith("# ") and line[2].islower() else line
        for line in every.splitlines()
    ]
    text = "\n".join(line for line in lines if not line.endswith("= …") and not line.startswith("small ="))
    (tmp_path / "witnessmark.toml").write_text(text)
    assert cli("verify", "case.json").exit_code == 0, text


def test_doctor_says_what_is_there_and_what_is_missing(cli, tmp_path):
    done = cli("doctor")
    assert done.exit_code == 0
    assert "ok       store sqlite:///" in done.stdout
    assert "no judge is configured" in done.stdout
    broken = cli("doctor", "--store", "postgresql://u:secret@127.0.0.1:1/x")
    assert broken.exit_code == 1
    assert "cannot be reached" in broken.stdout
    assert "secret" not in broken.stdout


def test_the_published_schemas_describe_what_is_read_and_written(cli):
    case_schema = json.loads(cli("schema", "case").stdout)
    record_schema = json.loads(cli("schema", "record").stdout)
    cases, records = jsonschema_rs.validator_for(case_schema), jsonschema_rs.validator_for(record_schema)
    assert cases.is_valid(CASE)
    assert not cases.is_valid(CASE | {"extra": 1})
    assert not cases.is_valid(CASE | {"subject": {"kind": "answer", "text": 5}})
    assert records.is_valid(verify(cli))
    assert not records.is_valid(verify(cli) | {"outcome": "perhaps"})


def test_what_witnessmark_raises_is_one_line_and_exit_2(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["witnessmark", "show", "nothing", "--store", "memory:"])
    with pytest.raises(SystemExit) as left:
        run()
    assert left.value.code == 2
    assert capsys.readouterr().err == "witnessmark: unknown record 'nothing'\n"
