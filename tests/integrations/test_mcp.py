"""The MCP server, asked by a real client over stdio and streamable HTTP."""

from __future__ import annotations

import functools
import json
import os
import random
import socket
import subprocess
import sys
from contextlib import asynccontextmanager, suppress

import anyio
import httpx
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from witnessmark import Verifier
from witnessmark.actions.tree.view import TreeState
from witnessmark.core.errors import UsageError
from witnessmark.integrations.mcp import http as mcp_http
from witnessmark.integrations.mcp.server import server

SOURCE = "Revenue grew 14 % in 2025, to 82 million euros."
TOOLS = [
    "correct_answer",
    "explain_verdict",
    "record_override",
    "verify_actions",
    "verify_answer",
    "verify_plan",
    "verify_task",
]
KEY = "a-key-of-twenty-six-letters"


def command(*options: str) -> list[str]:
    return ["-m", "witnessmark", "mcp", *options]


@asynccontextmanager
async def through_stdio(python: list[str], *options: str):
    args = [*python[1:], *command(*options)]
    params = StdioServerParameters(command=python[0], args=args, env=dict(os.environ))
    async with Client(stdio_client(params)) as client:
        yield client


def free_port() -> int:
    """A port below those that the system hands out by itself: nobody is given it before the server has started."""
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as one, suppress(OSError):
            one.bind(("127.0.0.1", port))
            return port


@asynccontextmanager
async def through_http(python: list[str], *options: str, key: str | None = None):
    port = free_port()
    args = command("--transport", "http", "--port", str(port), *options)
    served = subprocess.Popen([*python, *args], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)  # noqa: ASYNC220 - returns at once
    try:
        await listening(served, port)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        async with (
            httpx.AsyncClient(headers=headers, timeout=120) as http,
            Client(streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)) as client,
        ):
            yield client
    finally:
        served.terminate()
        out, _ = served.communicate()
    assert out == b""


async def listening(served: subprocess.Popen[bytes], port: int) -> None:
    while True:
        assert served.poll() is None
        try:
            async with await anyio.connect_tcp("127.0.0.1", port):
                return
        except OSError:
            await anyio.sleep(0.05)


@pytest.fixture
def over_stdio(warm):
    return functools.partial(through_stdio, warm)


@pytest.fixture
def over_http(warm):
    return functools.partial(through_http, warm)


@pytest.fixture(params=["stdio", "http"])
def over(request):
    return request.getfixturevalue(f"over_{request.param}")


def test_every_tool_has_an_output_schema_and_says_whether_it_only_reads(over, tmp_path):
    async def work():
        async with over("--store", f"sqlite:///{tmp_path}/r.db") as client:
            return (await client.list_tools()).tools

    tools = anyio.run(work)
    assert sorted(tool.name for tool in tools) == TOOLS
    for tool in tools:
        assert tool.output_schema["type"] == "object"
        assert tool.annotations.read_only_hint is (tool.name != "record_override")
        assert tool.description
        assert all("description" in p for p in tool.input_schema["properties"].values()), tool.name
    assert not next(t for t in tools if t.name == "record_override").annotations.destructive_hint


def test_an_answer_is_put_right_by_its_sources(over_stdio, tmp_path):
    async def work():
        async with over_stdio("--store", f"sqlite:///{tmp_path}/r.db") as client:
            asked = {
                "answer": "Revenue grew 40 % in 2025.",
                "evidence": [SOURCE],
                "question": "How much did revenue grow in 2025?",
            }
            return (await client.call_tool("correct_answer", asked)).structured_content

    told = anyio.run(work)
    assert (told["changed"], told["is_grounded"], told["stop_reason"]) == (True, True, "grounded")
    assert "14 %" in told["response"]


def test_a_verdict_is_given_explained_and_overridden(over, tmp_path):
    async def work():
        async with over("--store", f"sqlite:///{tmp_path}/r.db") as client:
            said = await client.call_tool(
                "verify_answer", {"answer": "Revenue grew 40 % in 2025.", "evidence": [SOURCE], "question": "How so?"}
            )
            verdict = said.structured_content
            assert json.loads(said.content[0].text) == verdict
            assert (verdict["outcome"], verdict["action"]) == ("fail", "correct")
            claim = verdict["claims"][0]
            assert claim["status"] == "contradicted"
            assert SOURCE[claim["evidence"][0]["start"] : claim["evidence"][0]["end"]] == "14 %"
            record = verdict["record_id"]
            word = {"record_id": record[:16], "outcome": "pass", "reason": "the source is out of date", "by": "ana"}
            over_it = (await client.call_tool("record_override", word)).structured_content
            assert (over_it["about"], over_it["outcome"]) == (record, "pass")
            return (await client.call_tool("explain_verdict", {"record_id": record})).structured_content

    explained = anyio.run(work)
    assert explained["verdict"]["outcome"] == "fail"
    assert explained["holds_now"] == "pass"
    assert explained["overridden_because"] == "the source is out of date"
    assert explained["genuine"] is True
    assert [one["check"] for one in explained["checks"]] == ["not_empty", "grounding"]


def called(tool: str, arguments: dict, **services):
    """One call by the same client, without a transport between."""

    async def work():
        async with Client(server(Verifier(store="memory:", services=services))) as client:
            return await client.call_tool(tool, arguments)

    return anyio.run(work)


def test_a_tasks_output_is_held_against_its_criteria():
    criteria = [{"check": "required_sections", "value": ["Risks"]}]
    said = called("verify_task", {"task": "Report.", "output": "# Risks\n\nNone known.", "criteria": criteria})
    assert said.structured_content["outcome"] == "pass"


def test_without_a_judge_words_are_unverified_and_nothing_passes():
    said = called("verify_task", {"task": "Report.", "output": "All good.", "criteria": ["It is polite."]})
    assert said.structured_content["outcome"] == "unverified"
    assert said.structured_content["unverified_because"] == "no_judge"


def test_a_report_is_held_against_the_servers_root_and_the_calls(tmp_path):
    (tmp_path / "there.txt").write_text("x", encoding="utf-8")
    calls = [
        {"id": "c1", "name": "bash", "input": {"command": "pytest -q"}, "output": "12 passed in 1s", "exit_code": 0}
    ]
    report = "Created `there.txt` and `never.txt`, then ran `pytest -q`: 12 passed."
    said = called(
        "verify_actions", {"report": report, "tool_calls": calls}, world=TreeState(root=tmp_path)
    ).structured_content
    status = {claim["text"]: claim["status"] for claim in said["claims"]}
    assert said["outcome"] == "fail"
    assert [text for text, found in status.items() if found == "contradicted" or found == "unsupported"]
    assert any("never.txt" in text and found != "supported" for text, found in status.items())
    assert not any("never.txt" not in text and found == "contradicted" for text, found in status.items())


def test_listed_claims_are_read_as_in_a_case():
    claims = [{"kind": "command-executed", "command": "ruff check .", "exitCode": 0}]
    calls = [{"id": "c1", "name": "bash", "input": {"command": "pytest -q"}, "output": "ok", "exit_code": 0}]
    said = called("verify_actions", {"report": "Linted.", "claims": claims, "tool_calls": calls}).structured_content
    assert said["outcome"] == "fail"


def test_a_plan_with_a_circle_fails():
    subgoals = [
        {"id": "a", "description": "Write the code.", "depends_on": ["b"]},
        {"id": "b", "description": "Test the code.", "depends_on": ["a"]},
    ]
    said = called("verify_plan", {"goal": "Ship it.", "subgoals": subgoals}).structured_content
    assert said["outcome"] == "fail"
    assert "dependency_cycle" in {finding["category"] for finding in said["findings"]}


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("verify_answer", {"answer": "x", "evidence": [{"txt": "y"}]}, "evidence[0].txt: unknown field"),
        ("verify_answer", {"evidence": []}, "answer: is missing; verify_answer takes answer, evidence"),
        ("verify_answer", {"answer": 7, "evidence": []}, "answer: input should be a valid string"),
        ("verify_actions", {"report": "All 2 tests pass.", "calls": []}, "unknown argument 'calls'"),
        ("verify_plan", {"goal": "x", "subgoals": [{"name": "a"}]}, "subgoals[0]"),
        ("explain_verdict", {"record_id": "ffffffff"}, "unknown record 'ffffffff'"),
        ("record_override", {"record_id": "f", "outcome": "good", "reason": "r", "by": "b"}, "'good' is not one of"),
        ("record_override", {"record_id": "f", "outcome": "pass", "reason": "r", "by": " "}, "by: name the person"),
    ],
)
def test_what_the_caller_got_wrong_is_a_tool_error_that_names_it(tool, arguments, said):
    answer = called(tool, arguments)
    assert answer.is_error
    assert said in answer.content[0].text
    assert "Traceback" not in answer.content[0].text
    assert "pydantic" not in answer.content[0].text


def test_without_a_store_there_is_nothing_to_explain():
    async def work():
        async with Client(server(Verifier())) as client:
            return await client.call_tool("explain_verdict", {"record_id": "f"})

    answer = anyio.run(work)
    assert answer.is_error
    assert "start the server with --store" in answer.content[0].text


def test_standard_output_carries_the_protocol_and_nothing_else(tmp_path):
    asked = {"name": "verify_answer", "arguments": {"answer": "Revenue grew 40 %.", "evidence": [SOURCE]}}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": asked},
    ]
    served = subprocess.Popen(
        [sys.executable, *command("--store", "memory:")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert served.stdin is not None
    assert served.stdout is not None
    answers = []
    for line in lines:
        served.stdin.write(json.dumps(line).encode() + b"\n")
        served.stdin.flush()
        if "id" in line:
            answers.append(json.loads(served.stdout.readline()))
    served.stdin.close()
    assert served.stdout.read() == b""
    served.stdout.close()
    assert served.wait() == 0
    assert [answer["id"] for answer in answers] == [1, 2]
    assert answers[1]["result"]["structuredContent"]["outcome"] == "fail"


# --- who may reach it over HTTP --------------------------------------------------------------------------------------


def test_with_keys_a_request_without_one_goes_no_further(over_http, tmp_path):
    (tmp_path / "keys").write_text(f"# of the team\n{KEY}\n", encoding="utf-8")

    async def work():
        async with over_http("--store", "memory:", "--key-file", str(tmp_path / "keys"), key=KEY) as client:
            return sorted(tool.name for tool in (await client.list_tools()).tools)

    assert anyio.run(work) == TOOLS


@pytest.mark.parametrize("header", [{}, {"authorization": "Bearer wrong"}, {"authorization": KEY}])
def test_a_wrong_key_is_answered_401(header):
    app = mcp_http.application(server(Verifier()), "127.0.0.1", [KEY], 1 << 20)

    async def work():
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.post("/mcp", headers=header, json={})

    answer = anyio.run(work)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "verify.example.org"])
def test_other_machines_are_refused_without_keys_unless_somebody_says_so(host):
    with pytest.raises(UsageError, match="--key-file"):
        mcp_http.refuse_strangers(host, (), anyone=False)
    mcp_http.refuse_strangers(host, (KEY,), anyone=False)
    mcp_http.refuse_strangers(host, (), anyone=True)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.3.2.1"])
def test_this_machine_needs_no_key(host):
    assert mcp_http.is_loopback(host)
    mcp_http.refuse_strangers(host, (), anyone=False)


def test_the_command_refuses_before_it_serves(warm):
    done = subprocess.run(
        [*warm, *command("--transport", "http", "--host", "0.0.0.0", "--store", "memory:")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "--key-file" in done.stderr
    assert done.stdout == ""


def test_short_keys_are_refused():
    assert mcp_http.read_keys(f"\n# x\n {KEY} \n") == (KEY,)
    with pytest.raises(UsageError, match="at least 16"):
        mcp_http.read_keys("short")
