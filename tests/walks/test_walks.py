"""Six people and the way each of them goes, from the first command to the result they came for. No key, no network."""

from __future__ import annotations

import asyncio
import json
import shutil

import httpx
import pytest
from typer.testing import CliRunner

from witnessmark import Verifier, check_answer, to_pandas
from witnessmark.cli.app import command_line
from witnessmark.core.errors import NotAcceptedError
from witnessmark.integrations.langchain import answer_guard
from witnessmark.server.app import create_app
from witnessmark.settings import Settings

SOURCE = "Sales grew by 14 % in 2023, the report says."
WRONG = "Sales grew by 40 % in 2023."
SAID = '"40 %" differs from source d1, which says "14 %"'


@pytest.fixture
def place(tmp_path, monkeypatch, root):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WITNESSMARK_STORE", f"sqlite:///{tmp_path}/walk.db")
    shutil.copytree(root / "examples", tmp_path / "examples")
    return tmp_path


def cli(*arguments, code=0):
    done = CliRunner().invoke(command_line(), list(map(str, arguments)))
    assert done.exit_code == code, f"{arguments}: {done.output} {done.exception}"
    return done.output


def test_a_rag_developer_pastes_an_answer_and_ends_with_a_guard_in_the_chain(place):
    told = cli("check", "--question", "How did sales do?", "--answer", WRONG, "--text", SOURCE, code=1)
    assert SAID in told
    (place / "cases.yaml").write_text(f"question: How did sales do?\nanswer: {WRONG}\ncontexts: ['{SOURCE}']\n")
    cli("verify", "cases.yaml", "--html", "report.html", "--junit", "junit.xml", code=1)
    assert '<mark class="wrong">40 %</mark>' in (place / "report.html").read_text(encoding="utf-8")
    guard = answer_guard()
    assert guard.invoke({"question": "?", "answer": SOURCE, "documents": [SOURCE]}) == SOURCE
    with pytest.raises(NotAcceptedError):
        guard.invoke({"question": "?", "answer": WRONG, "documents": [SOURCE]})


def test_the_user_of_a_coding_agent_finds_the_file_that_was_never_written(place):
    tree = place / "project"
    tree.mkdir()
    (tree / "a.py").write_text("x = 1\n", encoding="utf-8")
    cli("snapshot", "--root", tree, "-o", "before.snap")
    (tree / "a.py").write_text("x = 2\n", encoding="utf-8")
    report = {
        "summary": "I changed a.py and wrote b.py.",
        "traceRef": "trace:t",
        "claims": [{"kind": "file-write", "filePath": "b.py", "contentHash": "0" * 64}],
    }
    (place / "report.json").write_text(json.dumps(report), encoding="utf-8")
    told = cli("verify", "report.json", "--root", tree, "--before", "before.snap", code=1)
    assert "b.py" in told
    assert "a.py" in cli("diff", "before.snap", "--root", tree)


def test_an_evaluation_engineer_compares_two_models_and_mails_the_difference(place):
    cli("run", "examples/suite/suite.yaml", "--html", "side.html")
    assert (place / "side.html").read_text(encoding="utf-8").count("<article") == 2
    told = cli("compare", "runs/suite/careful.jsonl", "runs/suite/careless.jsonl", "--fail-on-regression", code=1)
    assert "1 worse, 0 better; sign test p = 1" in told
    (place / "broken.jsonl").write_text('{"answr": "x"}\n', encoding="utf-8")
    assert "first: row 1: broken.jsonl:1: answr: unknown field" in cli("batch", "broken.jsonl", "out.jsonl", code=2)


def test_a_platform_engineer_sets_up_upgrades_and_deploys(place, root):
    cli("init", "conf")
    assert "retention_days" in (place / "conf/witnessmark.toml").read_text(encoding="utf-8")
    assert "to do: " in cli("store", "status", code=1)
    cli("store", "migrate")
    assert ", 0 to do" in cli("store", "status")
    assert cli("keys", "create", "ci", "--role", "verify").strip()
    assert "ok       store" in CliRunner().invoke(command_line(), ["doctor"]).output
    assert (root / "deploy" / "kubernetes.yaml").is_file()


def test_a_researcher_gets_tables_and_records_that_prove_themselves(place):
    cli("verify", "examples/cases/answer-wrong-figure.json", code=1)
    cli("records", "export", "all.jsonl")
    cli("records", "import", "all.jsonl", "--store", f"sqlite:///{place}/copy.db")
    assert "0 faults" in cli("records", "audit", "--store", f"sqlite:///{place}/copy.db")
    records = [check_answer("How did sales do?", answer, [SOURCE]) for answer in (SOURCE, WRONG)]
    claims = to_pandas(records, by="claim")
    assert list(claims["status"]) == ["supported", "contradicted"]
    assert claims.loc[1, "source_words"] == "14 %"


def test_a_reviewer_decides_takes_it_back_and_nothing_is_learned_from_the_slip(place):
    case = {"checkpoint": "goal", "goal": "Is it ready?", "subject": {"kind": "answer", "text": "It is ready."}}

    async def main():
        service = create_app(Settings(store=f"sqlite:///{place}/review.db"))
        async with service.router.lifespan_context(service):
            client = httpx.AsyncClient(transport=httpx.ASGITransport(service), base_url="http://localhost")
            async with client as http:
                record = (await http.post("/verify", json=case)).json()
                assert record["action"] == "escalate"
                page = (await http.get("/ui/review")).text
                assert "Work is good" in page
                said = await http.post(f"/ui/review/{record['id']}", data={"decision": "bad"})
                told = (await http.get(said.headers["location"])).text
                assert "marked: work is bad." in told
                assert "Nothing waits for a person" in told
                await http.post("/ui/review/undo", data={"ids": record["id"]})
                assert "Work is good" in (await http.get("/ui/review")).text
                return record["id"]

    record_id = asyncio.run(main())

    async def labelled():
        verifier = Verifier(store=f"sqlite:///{place}/review.db")
        async with verifier:
            return await verifier.store.children(record_id)

    assert [word.because for word in asyncio.run(labelled())] == ["work is bad", "undone"]
