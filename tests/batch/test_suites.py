"""Named runs: models and prompts side by side, every answer verified, nothing unknown shown as zero."""

from __future__ import annotations

import asyncio
import json
import re
import sys

import pytest
from typer.testing import CliRunner

from witnessmark.batch.compare import compare_files
from witnessmark.cli.app import command_line
from witnessmark.core.errors import InputError
from witnessmark.testing.stub_server import StubServer

SUITE = """
models:
  honest: "python:answers_under_test:honest"
  liar: "python:answers_under_test:liar"
cases:
  - {id: hours, question: When does the museum open?, sources: ["The museum opens at 9:00. Sales grew by 14 %."]}
  - {id: sales, question: How did sales do?, sources: ["Sales grew by 14 % in 2023, the report says."]}
"""
FUNCTIONS = """
def honest(question, sources):
    return sources[0]

async def liar(question, sources):
    return sources[0].replace("14 %", "40 %")
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "answers_under_test.py").write_text(FUNCTIONS, encoding="utf-8")
    (tmp_path / "suite.yaml").write_text(SUITE, encoding="utf-8")
    yield tmp_path
    sys.modules.pop("answers_under_test", None)


def cli(*arguments):
    return CliRunner().invoke(command_line(), list(map(str, arguments)))


def test_a_run_asks_every_model_verifies_and_keeps_what_each_said(place):
    done = cli("run", "suite.yaml", "--store", "memory:", "--html", "side.html")
    assert done.exit_code == 0, done.output
    honest = [json.loads(line) for line in (place / "runs/suite/honest.jsonl").read_text().splitlines()]
    assert [(one["case_id"], one["outcome"]) for one in honest] == [("hours", "pass"), ("sales", "pass")]
    assert honest[1]["answer"] == "Sales grew by 14 % in 2023, the report says."
    assert honest[1]["answer_cost_usd"] is None, "a function says nothing about its cost, and so nobody knows it"
    page = (place / "side.html").read_text(encoding="utf-8")
    assert "<ins>40</ins>" in page
    assert "<del>14</del>" in page
    assert 'data-moved="worse"' in page
    assert re.findall(r"[A-Z]\w+ \(\d\)", page) == ["All (2)", "Worse (2)", "Better (0)", "Unchanged (0)"]
    assert "unknown" in page
    assert "$0.00" not in page


def test_two_runs_are_compared_with_answers_costs_and_a_test_that_needs_no_pass(place):
    cli("run", "suite.yaml", "--store", "memory:")
    told = cli("compare", "runs/suite/honest.jsonl", "runs/suite/liar.jsonl").stdout
    assert "2 regressions" in told
    assert "2 worse, 0 better; sign test p = 0.5" in told
    assert "Cost: unknown before, unknown after" in told
    same = cli("compare", "runs/suite/liar.jsonl", "runs/suite/liar.jsonl").stdout
    assert "No case came out better or worse." in same


def test_scores_alone_tell_two_runs_apart_where_nothing_passes(tmp_path):
    def write(name, score):
        lines = [{"case_id": f"c{n}", "checkpoint": "task", "outcome": "partial", "score": score} for n in range(8)]
        (tmp_path / name).write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        return str(tmp_path / name)

    found = compare_files(write("a.jsonl", 0.5), write("b.jsonl", 0.3))
    assert (found.p, found.worse, found.better) == (None, 8, 0)
    assert found.sign_p == pytest.approx(2 / 2**8)


def test_an_output_without_a_verdict_is_no_comparison(tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text(json.dumps({"row": 1, "at": "x:1", "error": "answr: unknown field"}), encoding="utf-8")
    with pytest.raises(InputError, match="holds no verdict to compare; its first error: answr: unknown field"):
        compare_files(str(bad), str(bad))


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
def test_any_endpoint_answers_and_says_what_it_used(place, kind):
    async def main():
        async with StubServer(answer=lambda body: "The museum opens at 9:00.") as stub:
            suite = "models: {stub: stub}\ncases: [{question: When?, sources: ['The museum opens at 9:00.']}]"
            (place / "one.yaml").write_text(suite, encoding="utf-8")
            (place / "witnessmark.toml").write_text(
                f'[judges]\nstub = {{ url = "{stub.url}", model = "stub", kind = "{kind}", input_usd = 1.0, output_usd = 2.0 }}\n',
                encoding="utf-8",
            )
            done = await asyncio.to_thread(cli, "run", "one.yaml", "--store", "memory:")
            return done, stub.asked

    done, asked = asyncio.run(main())
    assert done.exit_code == 0, done.output
    (line,) = [json.loads(one) for one in (place / "runs/one/stub.jsonl").read_text().splitlines()]
    assert (line["answer"], line["outcome"]) == ("The museum opens at 9:00.", "pass")
    assert line["answer_cost_usd"] > 0
    assert "response_format" not in asked[0]
    assert "tools" not in asked[0]


def test_a_command_answers_and_one_that_breaks_is_a_row_with_its_error(place):
    (place / "c.yaml").write_text(
        f"models: {{echo: 'command:{sys.executable} -c \"print(1)\"', broken: 'command:no-such-command'}}\n"
        "cases: [{question: How many?, sources: [There is 1.]}]",
        encoding="utf-8",
    )
    done = cli("run", "c.yaml", "--store", "memory:")
    assert done.exit_code == 0, done.output
    assert json.loads((place / "runs/c/echo.jsonl").read_text())["answer"] == "1"
    assert "no-such-command" in json.loads((place / "runs/c/broken.jsonl").read_text())["error"]
    assert "broken: 1 case, 1 without an answer" in done.stdout


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("raise SystemExit(3)", "exit code 3: nothing on standard error says why"),
        ('raise SystemExit("the key is missing")', "exit code 1: the key is missing"),
    ],
    ids=["silent", "with a word"],
)
def test_a_command_that_fails_tells_its_exit_code_and_what_it_said(place, line, said):
    suite = {"models": {"broken": f"command:{sys.executable} -c '{line}'"}, "cases": [{"question": "How many?"}]}
    (place / "c.json").write_text(json.dumps(suite))
    cli("run", "c.json", "--store", "memory:")
    (row,) = (json.loads(one) for one in (place / "runs/c/broken.jsonl").read_text().splitlines())
    assert row["error"].endswith(said)


def test_what_a_source_says_of_places_is_put_to_the_model_as_it_stands(place):
    echo = f'{sys.executable} -c "import sys; print(sys.stdin.read())"'
    source = "Write {question} where the question goes, and {sources} where the sources go."
    suite = {"models": {"echo": f"command:{echo}"}, "cases": [{"question": "How?", "sources": [source]}]}
    (place / "places.json").write_text(json.dumps(suite), encoding="utf-8")
    cli("run", "places.json", "--store", "memory:")
    asked = json.loads((place / "runs/places/echo.jsonl").read_text(encoding="utf-8"))["answer"]
    assert f"[d1] {source}\n\nQuestion: How?" in asked


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("models: {}\ncases: [{question: q}]", "models: name at least one"),
        ("models: {a: 'python:nothing'}\ncases: [{question: q}]", "write python:package.module:function"),
        ("models: {a: openai/x}\nprompts: {p: Hello}\ncases: [{question: q}]", "prompts.p: does not say where"),
        ("models: {a: openai/x}\ncases: []", "cases: holds no case"),
        (
            "models: {c: openai/x, b-c: openai/y}\nprompts: {a: '{question}', a-b: '{question}!'}\ncases: [{question: q}]",
            "prompts: 2 pairs of a prompt and a model have the name a-b-c; rename one prompt",
        ),
        ("modles: {a: openai/x}\ncases: []", "did you mean models?"),
    ],
)
def test_a_suite_that_cannot_run_says_why(place, text, complaint):
    (place / "bad.yaml").write_text(text, encoding="utf-8")
    done = cli("run", "bad.yaml", "--store", "memory:")
    assert complaint in str(done.exception)


def test_a_batch_names_its_first_bad_row(place):
    (place / "rows.jsonl").write_text('{"answer": "A."}\n{"answr": "B."}\n', encoding="utf-8")
    done = cli("batch", "rows.jsonl", "out.jsonl", "--store", "memory:")
    assert "1 row is not a case; first: row 2: rows.jsonl:2: answr: unknown field; did you mean answer?" in done.stdout
    dry = cli("batch", "rows.jsonl", "out2.jsonl", "--dry-run")
    assert "1 row is not a case (first: row 2: answr: unknown field" in dry.stdout


def test_a_dry_run_does_not_promise_calls_that_will_not_be_made(place):
    (place / "witnessmark.toml").write_text(
        '[judges]\nsmall = { vendor = "openai", model = "gpt-4o-mini" }\n', encoding="utf-8"
    )
    case = {"output": "Fine.", "criteria": ["Is polite."], "executor": {"model": "gpt-4o"}}
    (place / "case.json").write_text(json.dumps(case), encoding="utf-8")
    told = cli("verify", "case.json", "--dry-run", "--store", "memory:").stdout
    assert "0 paid calls" in told
    assert "calls will not be made: " in told
    assert "small" in told
