"""`witnessmark import`: cases out, the rest said aloud, and an exit code that says whether anything was left out."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from witnessmark.cli.app import command_line
from witnessmark.core.case import Case
from witnessmark.core.errors import UsageError

SAMPLE = {"user_input": "Q?", "response": "A.", "retrieved_contexts": ["C."]}


def run(*words, stdin=None):
    return CliRunner().invoke(command_line(), ["import", *words], input=stdin)


def put(folder, name, data):
    (folder / name).write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return str(folder / name)


def test_cases_are_written_one_a_line_and_can_be_verified(tmp_path):
    out = tmp_path / "cases.jsonl"
    done = run("ragas", put(tmp_path, "d.json", [SAMPLE, SAMPLE | {"response": "B."}]), "-o", str(out))
    assert done.exit_code == 0
    assert done.stderr == f"2 cases in {out}\n"
    assert [Case.from_json(line).text for line in out.read_bytes().splitlines()] == ["A.", "B."]
    verified = CliRunner().invoke(command_line(), ["verify", str(out), "--store", "memory:", "--json"])
    assert len(verified.stdout.splitlines()) == 2


def test_what_was_left_out_is_said_and_the_exit_code_is_3(tmp_path):
    done = run("ragas", put(tmp_path, "d.jsonl", json.dumps(SAMPLE | {"faithfulness": 1.0})))
    assert done.exit_code == 3
    assert "left out: faithfulness: no check uses it" in done.stderr
    assert Case.from_json(done.stdout).text == "A."


def test_the_report_as_json(tmp_path):
    done = run("ragas", put(tmp_path, "d.json", [SAMPLE | {"persona_name": "x"}]), "--json")
    told = json.loads(done.stderr)
    assert (told["cases"], told["without_output"], told["near"]) == (1, 0, [])
    assert told["left_out"][0] | {"why": ""} == {"what": "persona_name", "why": "", "count": 1, "first": "samples[0]"}


def test_standard_input_is_read(tmp_path):
    done = run(
        "promptfoo", "-", stdin="prompts: [P]\ntests:\n- providerOutput: o\n  assert: [{type: contains, value: o}]\n"
    )
    assert done.exit_code == 0
    assert Case.from_json(done.stdout).text == "o"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("ragass", "x.json"), "did you mean ragas"),
        (("ragas", "none.json"), "no such file"),
    ],
)
def test_wrong_usage_is_an_error_that_says_what_to_do(words, said):
    done = run(*words)
    assert isinstance(done.exception, UsageError)
    assert said in str(done.exception)


def test_no_case_at_all_is_bad_input(tmp_path):
    assert run("ragas", put(tmp_path, "d.json", [])).exit_code == 2


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("ragas", "{}"),
        ("promptfoo", '[{"user_input": "When?", "response": "At nine.", "retrieved_contexts": ["At nine."]}]'),
    ],
)
def test_a_file_of_another_tool_is_not_one_empty_case(tmp_path, format, text):
    (tmp_path / "in.json").write_text(text)
    done = run(format, f"{tmp_path}/in.json", "-o", f"{tmp_path}/out.jsonl")
    assert done.exit_code == 2
    assert "0 cases" in done.stderr
    assert "left out: a case: nothing in it is a question" in done.stderr


def test_hostile_text_is_made_harmless(tmp_path):
    done = run("ragas", put(tmp_path, "d.json", [SAMPLE | {"\x1b[31mred": 1}]))
    assert "\x1b" not in done.stderr


def test_every_format_has_its_reader():
    from witnessmark.importers import FORMATS, reader

    assert all(callable(reader(name)) for name in FORMATS)
