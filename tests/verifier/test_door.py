"""One door: whoever verifies, by whichever entry, each verification is kept once and told once; and it closes quietly."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import httpx
import pytest
from opentelemetry import _logs, trace
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from typer.testing import CliRunner

from witnessmark import Case, Result, Settings, Verifier, revise
from witnessmark.cli.app import command_line
from witnessmark.compat.rag import verify_response
from witnessmark.compat.task_verifier import TaskVerifier
from witnessmark.core.errors import InputError
from witnessmark.core.record import Query
from witnessmark.integrations.mcp.server import server as mcp_server
from witnessmark.integrations.pytest_fixture import OutputVerifier, configured
from witnessmark.server.app import create_app
from witnessmark.stores import open_store
from witnessmark.testing.records import entry as kept_entry
from witnessmark.testing.records import made, word
from witnessmark.testing.stub_server import StubServer

TEXTS = ("An order of three apples.", "Something else was made.")
CRITERIA = [{"check": "contains_keywords", "value": ["apples"]}]
CASES = [
    {"id": f"order-{n}", "subject": {"kind": "task_output", "text": text}, "criteria": CRITERIA}
    for n, text in enumerate(TEXTS)
]


@pytest.fixture
def told(monkeypatch):
    """The verdicts that telemetry was told of, by the text's outcome, in order."""
    exporter, loggers = InMemoryLogRecordExporter(), LoggerProvider()
    loggers.add_log_record_processor(SimpleLogRecordProcessor(exporter))
    monkeypatch.setattr(_logs, "get_logger_provider", lambda: loggers)
    monkeypatch.setattr(trace, "get_tracer_provider", TracerProvider)

    def verdicts():
        events = [dict(one.log_record.attributes) for one in exporter.get_finished_logs()]
        return [e["gen_ai.evaluation.score.label"] for e in events if "witnessmark.action" in e]

    return verdicts


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with settings that switch telemetry on, a store, and the two cases in a file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WITNESSMARK_STORE", "sqlite:///kept.db")
    Path("witnessmark.toml").write_text("[telemetry]\notel = true\n", encoding="utf-8")
    Path("cases.jsonl").write_text("".join(json.dumps(case) + "\n" for case in CASES), encoding="utf-8")
    return tmp_path


def cases() -> list[Case]:
    return [Case.from_dict(dict(case)) for case in CASES]


def by_verify():
    async def main():
        async with Verifier.from_settings() as verifier:
            for case in cases():
                await verifier.verify(case)

    asyncio.run(main())


def by_verify_sync():
    verifier = Verifier.from_settings()
    for case in cases():
        verifier.verify_sync(case)


def by_verify_many():
    async def main():
        async with Verifier.from_settings() as verifier:
            return [result.record.outcome async for result in verifier.verify_many(cases())]

    assert asyncio.run(main()) == ["pass", "fail"]


def by_command(*arguments: str):
    said = CliRunner().invoke(command_line(), [*arguments])
    assert said.exit_code == 1, said.output


def by_cli_verify():
    by_command("verify", "cases.jsonl")


def by_cli_batch():
    by_command("batch", "cases.jsonl", "out.jsonl", "--store", "sqlite:///kept.db", "--quiet")


def by_service(*requests):
    async def main():
        settings = Verifier.from_settings().settings
        served = create_app(settings)
        transport = httpx.ASGITransport(served, raise_app_exceptions=False)
        async with (
            served.router.lifespan_context(served),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client,
        ):
            for path, body in requests:
                said = await client.post(path, json=body)
                assert said.status_code in (200, 202), said.text
                while said.status_code == 202 and (await client.get(said.json()["href"])).json()["state"] == "open":  # noqa: ASYNC110
                    await asyncio.sleep(0.01)

    asyncio.run(main())


def by_post_verify():
    by_service(*(("/verify", case) for case in CASES))


def by_post_verify_task():
    by_service(*(("/verify-task", {"task_output": text, "success_criteria": CRITERIA}) for text in TEXTS))


def by_job():
    by_service(("/verify-batch", {"cases": CASES}))


def by_mcp():
    async def main():
        async with Verifier.from_settings() as verifier:
            for text in TEXTS:
                await mcp_server(verifier).call_tool("verify_task", {"task": "", "output": text, "criteria": CRITERIA})

    asyncio.run(main())


def by_pytest():
    verifier = OutputVerifier(configured(None, None, None), {}, lambda _: None)
    for text in TEXTS:
        verifier.check({"kind": "task_output", "text": text}, criteria=CRITERIA)


def by_loop():
    async def main():
        async with Verifier.from_settings() as verifier:
            for case in cases():
                await revise(
                    lambda _, text=case.text: text, case, checkpoint="task", verifier=verifier, max_revisions=0
                )

    asyncio.run(main())


def by_task_verifier():
    Path("made.txt").write_text("apples", encoding="utf-8")

    async def main():
        async with Verifier.from_settings() as verifier:
            tasks = TaskVerifier(verifier=verifier)
            for path in ("made.txt", "never.txt"):
                claims = [{"kind": "file-write", "filePath": path, "contentHash": sha256(b"apples").hexdigest()}]
                await tasks.verify({"summary": "Made it.", "traceRef": "trace:t", "claims": claims}, [], ".")

    asyncio.run(main())


def by_retrieval():
    async def main():
        async with Verifier.from_settings() as verifier:
            for answer in ("The tower is 300 m high.", "The tower is 200 m high."):
                await verify_response("How high is it?", answer, "The tower is 300 m high.", verifier=verifier)

    asyncio.run(main())


ENTRIES = [by_verify, by_verify_sync, by_verify_many, by_cli_verify, by_cli_batch, by_post_verify]
ENTRIES += [by_post_verify_task, by_job, by_mcp, by_pytest, by_loop, by_task_verifier, by_retrieval]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.__name__)
def test_two_cases_are_kept_twice_and_told_twice_by_every_entry(entry, told, place):
    entry()
    assert told() == ["pass", "fail"]

    async def kept():
        store = open_store("sqlite:///kept.db")
        found = await store.find(Query(limit=10))
        await store.close()
        return [one.outcome for one in found]

    assert sorted(asyncio.run(kept())) == ["fail", "pass"]


@pytest.fixture
def overlooked(place):
    """A store with thirty passes that people called wrong, and settings that send what that raises to the log."""
    Path("witnessmark.toml").write_text("[alerting]\nlog = true\n", encoding="utf-8")
    wrong = [made(outcome="pass", action="accept") for _ in range(30)]

    async def fill():
        store = open_store("sqlite:///kept.db")
        await store.append([kept_entry(record) for record in wrong] + [word(record, "fail") for record in wrong])
        await store.close()

    asyncio.run(fill())
    return place


RAISING = [by_verify, by_verify_many, by_cli_verify, by_cli_batch, by_post_verify, by_job, by_mcp, by_loop]


@pytest.mark.parametrize("entry", RAISING, ids=lambda entry: entry.__name__)
def test_the_same_alert_is_raised_once_by_every_entry(entry, overlooked, caplog):
    entry()
    entry()
    assert [said.getMessage().partition(":")[0] for said in caplog.records if said.name == "witnessmark.alerts"] == [
        "Low catch rate (default)"
    ]


def test_nobody_who_did_not_ask_for_alerts_is_told_of_any(overlooked, caplog):
    Path("witnessmark.toml").write_text("", encoding="utf-8")
    by_verify()
    by_cli_batch()
    assert "Low catch rate" not in caplog.text


def test_a_request_that_is_replayed_is_told_once(told, place):
    async def main():
        served = create_app(Verifier.from_settings().settings)
        transport = httpx.ASGITransport(served, raise_app_exceptions=False)
        async with (
            served.router.lifespan_context(served),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client,
        ):
            headers = {"Idempotency-Key": "once"}
            return [(await client.post("/verify", json=CASES[0], headers=headers)).json()["id"] for _ in range(2)]

    first, second = asyncio.run(main())
    assert first == second
    assert told() == ["pass"]


def test_many_come_out_in_order_although_the_slow_one_is_first(register):
    begun, ended = [], []

    @register("waits", cost="paid")
    def waits():
        async def look(case, prior):
            begun.append(case.text)
            while case.text == "a" and len(ended) < 2:  # noqa: ASYNC110 - turns of the loop, not time
                await asyncio.sleep(0)
            ended.append(case.text)
            return Result(status="pass")

        return look

    async def main():
        verifier = Verifier(Settings(), services={"judges": object()})
        texts = [Case(subject={"kind": "task_output", "text": text}, criteria=[{"check": "waits"}]) for text in "abc"]
        return [result.case.text async for result in verifier.verify_many(texts, concurrency=3)]

    assert asyncio.run(main()) == ["a", "b", "c"]
    assert sorted(begun) == ["a", "b", "c"]
    assert ended[-1] == "a"


def test_a_bad_item_is_an_error_of_its_own_and_stops_nobody():
    def load(text: str) -> Case:
        if text == "bad":
            raise InputError("subject: is missing")
        return Case(subject={"kind": "task_output", "text": text}, criteria=CRITERIA)

    async def main():
        return [result async for result in Verifier().verify_many(["apples", "bad", "pears"], load=load)]

    good, bad, worse = asyncio.run(main())
    assert (good.record.outcome, worse.record.outcome) == ("pass", "fail")
    assert bad.entry is None
    with pytest.raises(InputError, match="subject: is missing"):
        bad.record  # noqa: B018 - it raises


def test_what_is_no_case_is_said_to_be_none():
    async def main():
        return [result.error async for result in Verifier().verify_many([{"subject": {}}])]

    assert str(asyncio.run(main())[0]) == "expected a Case, not dict"


def test_of_an_endless_stream_no_more_is_read_than_is_under_way():
    taken = []

    def endless():
        while True:
            taken.append(1)
            yield Case(subject={"kind": "task_output", "text": "apples"}, criteria=CRITERIA)

    async def main():
        verifier = Verifier(services={"judges": object()})
        async for _ in verifier.verify_many(endless(), concurrency=4):
            if len(taken) > 40:
                break

    asyncio.run(main())
    assert len(taken) < 100


SCRIPT = """
import asyncio, sys
from witnessmark import Case, Settings, Verifier
settings = Settings(judging={{"judges": ["{url}#stub"]}})
case = Case(goal="Say yes", subject={{"kind": "task_output", "text": "Yes."}}, criteria=["It says yes."], context={{"quality": False}})
{body}
print([said.status for said in record.results if said.check == "rubric"])
"""
SYNC = "record = Verifier.from_settings(settings).verify_sync(case)"
KEPT = "verifier = Verifier.from_settings(settings); record = verifier.verify_sync(case)"
ASYNC = "record = asyncio.run(Verifier.from_settings(settings).verify(case))"


def _yes(body):
    asked = body["response_format"]["json_schema"]["schema"]["required"]
    return {key: {"reasoning": "It says yes.", "score": 5, "confidence": 0.9} for key in asked}


@pytest.mark.parametrize("body", [SYNC, KEPT, ASYNC], ids=["sync", "verifier-kept", "asyncio-run"])
def test_a_script_that_asks_a_judge_and_ends_says_nothing_about_it(body, tmp_path):
    async def main():
        async with StubServer(_yes) as stub:
            script = tmp_path / "script.py"
            script.write_text(SCRIPT.format(url=stub.url, body=body), encoding="utf-8")
            process = await asyncio.create_subprocess_exec(
                sys.executable, str(script), stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
            return await process.communicate()

    out, err = asyncio.run(main())
    assert (out.strip(), err) == (b"['pass']", b"")
