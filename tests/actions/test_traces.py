"""Traces in every form that agents write them, read into one; what cannot be read is listed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark import Case, Verifier
from witnessmark.actions.trace import reader
from witnessmark.actions.trace.reader import read_trace, trace_of
from witnessmark.core.case import Evidence


def lines(*items):
    return b"\n".join(json.dumps(item).encode() for item in items)


def test_json_lines_of_tool_calls_are_read_in_order():
    read = read_trace(
        lines(
            {"id": "a", "name": "write_file", "input": {"path": "x.py", "content": "1"}, "output": "ok", "ok": True},
            {"tool": "bash", "args": {"command": "make"}, "exit_code": 2, "timestamp": "2026-01-02T03:04:05Z"},
        ),
        "t1",
    )
    first, second = read.trace.calls
    assert read.trace.id == "t1"
    assert not read.unreadable
    assert (first.id, first.name, first.ok) == ("a", "write_file", True)
    assert (second.name, second.input, second.exit_code, second.ok) == ("bash", {"command": "make"}, 2, False)
    assert second.at == 1767323045.0


def test_what_cannot_be_read_is_listed_with_its_place():
    read = read_trace(b'{"name": "bash"}\nnot json\n[1]\n{"foo": 1}\n{"name": "x", "exit_code": "seven"}\n')
    assert [call.name for call in read.trace.calls] == ["bash"]
    assert [part.where for part in read.unreadable] == ["line 2", "line 3", "line 4", "line 5"]
    assert all(part.why for part in read.unreadable)


def transcript(**result):
    """A turn as Claude Code writes it: a call, and what came back."""
    return lines(
        {"type": "summary", "summary": "Fix", "leafUuid": "1"},
        {"type": "user", "message": {"role": "user", "content": "please fix"}, "uuid": "u1"},
        {
            "type": "assistant",
            "timestamp": "2026-01-02T03:04:05.000Z",
            "message": {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "I'll run it."},
                    {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "pytest -q"}},
                ],
            },
        },
        {"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", **result}]}} | result.pop("item", {}),
    )  # fmt: skip


def test_claude_code_transcript_of_a_command_that_worked():
    read = read_trace(
        transcript(
            content="3 passed in 0.1s", is_error=False, item={"toolUseResult": {"stdout": "3 passed", "stderr": ""}}
        )
    )
    (call,) = read.trace.calls
    assert (call.id, call.name, call.exit_code, call.ok, call.output) == (
        "toolu_1",
        "Bash",
        0,
        True,
        "3 passed in 0.1s",
    )
    assert not read.unreadable


def test_claude_code_transcript_of_a_command_that_failed_keeps_its_exit_code():
    (call,) = read_trace(transcript(content=[{"type": "text", "text": "Exit code 2\nboom"}], is_error=True)).trace.calls
    assert (call.exit_code, call.ok) == (2, False)


def test_claude_code_background_command_is_not_said_to_have_worked():
    item = {"toolUseResult": {"stdout": "", "backgroundTaskId": "b1"}}
    (call,) = read_trace(transcript(content="running in the background", is_error=False, item=item)).trace.calls
    assert (call.exit_code, call.ok) == (None, None)


def test_a_result_without_its_call_is_listed():
    read = read_trace(lines({"role": "tool", "tool_call_id": "nobody", "content": "x"}))
    assert [part.why for part in read.unreadable] == ["a result whose call is not in the trace"]


def test_openai_chat_messages_are_read():
    document = {
        "messages": [
            {"role": "user", "content": "go"},
            {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "shell", "arguments": '{"command": ["bash", "-lc", "ls"]}'}}]},
            {"role": "tool", "tool_call_id": "c1", "content": '{"output": "a.py", "metadata": {"exit_code": 0}}'},
        ]
    }  # fmt: skip
    (call,) = read_trace(json.dumps(document).encode()).trace.calls
    assert (call.name, call.input, call.output, call.exit_code) == (
        "shell",
        {"command": ["bash", "-lc", "ls"]},
        "a.py",
        0,
    )


def test_openai_responses_items_are_read():
    items = [
        {"type": "reasoning", "summary": []},
        {"type": "function_call", "call_id": "c1", "name": "exec_command", "arguments": '{"cmd": "make"}'},
        {"type": "function_call_output", "call_id": "c1", "output": "Process exited with code 2\nno"},
        {"type": "response_item", "payload": {"type": "custom_tool_call", "call_id": "c2", "name": "apply_patch", "input": "*** Begin Patch"}},
    ]  # fmt: skip
    read = read_trace(lines(*items))
    assert [(call.name, call.exit_code) for call in read.trace.calls] == [("exec_command", 2), ("apply_patch", None)]
    assert not read.unreadable


def span(name, attributes, **more):
    return {"name": name, "spanId": "s1", "attributes": [{"key": k, "value": v} for k, v in attributes.items()], **more}


def test_opentelemetry_execute_tool_spans_are_read_from_otlp_json():
    tool = span(
        "execute_tool bash",
        {
            "gen_ai.operation.name": {"stringValue": "execute_tool"},
            "gen_ai.tool.name": {"stringValue": "bash"},
            "gen_ai.tool.call.id": {"stringValue": "call_9"},
            "gen_ai.tool.call.arguments": {"stringValue": '{"command": "go test ./..."}'},
            "gen_ai.tool.call.result": {"stringValue": "ok  \texample.com/x\t0.1s"},
            "process.exit.code": {"intValue": "0"},
        },
        startTimeUnixNano="1767323045000000000",
    )
    chat = span("chat gpt", {"gen_ai.operation.name": {"stringValue": "chat"}})
    document = {"resourceSpans": [{"scopeSpans": [{"spans": [chat, tool]}]}]}
    read = read_trace(json.dumps(document).encode())
    (call,) = read.trace.calls
    assert (call.id, call.name, call.input, call.exit_code, call.ok) == (
        "call_9",
        "bash",
        {"command": "go test ./..."},
        0,
        True,
    )
    assert call.at == 1767323045.0
    assert not read.unreadable


def test_an_execute_tool_span_that_failed_is_not_ok():
    document = {"scopeSpans": [{"spans": [span("execute_tool write", {"error.type": {"stringValue": "timeout"}})]}]}
    (call,) = read_trace(json.dumps(document).encode()).trace.calls
    assert (call.name, call.ok) == ("write", False)


def test_our_own_evidence_is_a_trace_too():
    evidence = [
        Evidence("p", text="a passage"),
        Evidence("c1", kind="tool_call", name="bash", input={"command": "make"}, output="", exit_code=0),
        Evidence(
            "t", kind="trace", data={"id": "run-7", "calls": [{"id": "c2", "name": "Write", "input": {"path": "a"}}]}
        ),
        Evidence("l", kind="trace", text='{"name": "bash", "input": "ls"}\nbroken'),
    ]
    read = trace_of(evidence)
    assert [call.id for call in read.trace.calls] == ["c1", "c2", "call-3"]
    assert read.trace.calls[0].ok is True
    assert [part.where for part in read.unreadable] == ["l, line 2"]


def test_a_message_repeated_while_it_streams_is_one_call():
    call = {
        "type": "assistant",
        "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "Read", "input": {}}]},
    }
    assert len(read_trace(lines(call, call)).trace.calls) == 1


@given(st.binary(max_size=300))
def test_any_bytes_give_a_trace_or_a_list_of_what_is_wrong(data):
    read = read_trace(data)
    assert read.unreadable or read.trace.calls or not data.strip() or data.strip()[:1] in b"[{"


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=8), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(
    ["type", "role", "content", "name", "message", "tool_calls", "function", "id", "attributes", "spanId", "resourceSpans", "input", "calls", "kind", "data"]), inner, max_size=4), max_leaves=12))  # fmt: skip
def test_any_json_is_read_without_a_fault(document):
    assert read_trace(json.dumps(document).encode()).trace.id


# --- as the evidence of a case -----------------------------------------------------------------------------------------

CALL = {"name": "bash", "arguments": json.dumps({"command": "make"})}
FOREIGN = {
    "ours": [{"id": "c", "name": "bash", "input": {"command": "make"}, "exit_code": 0}],
    "openai": [
        {"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function": CALL}]},
        {"role": "tool", "tool_call_id": "c", "content": json.dumps({"output": "", "exit_code": 0})},
    ],
    "otlp": {
        "resourceSpans": [{"scopeSpans": [{"spans": [{
            "spanId": "c", "name": "execute_tool bash", "startTimeUnixNano": "1",
            "attributes": [
                {"key": "gen_ai.operation.name", "value": {"stringValue": "execute_tool"}},
                {"key": "gen_ai.tool.name", "value": {"stringValue": "bash"}},
                {"key": "gen_ai.tool.call.arguments", "value": {"stringValue": json.dumps({"command": "make"})}},
                {"key": "process.exit.code", "value": {"intValue": "0"}},
            ],
        }]}]}],
    },
    "claude code": [
        {"message": {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "Bash", "input": {"command": "make"}}]}},
        {"message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "", "is_error": False}]},
         "toolUseResult": {"stdout": "", "stderr": "", "interrupted": False}},
    ],
}  # fmt: skip


def verified(evidence, command="make"):
    claims = [{"kind": "command-executed", "command": command, "exitCode": 0}]
    subject = {"kind": "agent_output", "summary": "s", "traceRef": "trace:t", "claims": claims}
    case = Case(subject=subject, evidence=[{"id": "t", "kind": "trace"} | evidence])
    return Verifier().verify_sync(case).claims[0]


@pytest.mark.parametrize("form", FOREIGN)
def test_evidence_may_be_a_trace_in_any_known_form(form):
    data = FOREIGN[form]
    items = data if isinstance(data, list) else [data]
    for evidence in ({"data": data}, {"text": json.dumps(data)}, {"text": "\n".join(map(json.dumps, items))}):
        assert verified(evidence).status == "supported"  # req: S3-043
        assert verified(evidence, "cargo build").status == "unsupported"


def test_what_a_trace_that_was_read_in_part_lacks_may_have_been_done():
    half = {"text": json.dumps(FOREIGN["ours"][0]) + "\n{broken"}
    assert verified(half).status == "supported"
    assert verified(half, "cargo build").status == "unverifiable"
    assert verified({"text": "{broken"}).details["category"] == "trace_unresolved"
    assert verified({"data": {"foo": 1}}).details["category"] == "trace_unresolved"


def test_two_calls_under_one_id_are_both_kept():
    first = {"id": "c", "name": "bash", "input": {"command": "a"}, "output": "1"}
    other = {"id": "c", "name": "bash", "input": {"command": "b"}, "output": "2"}
    assert len(read_trace(lines(first, other)).trace.calls) == 2


def test_a_line_that_is_too_long_and_too_many_calls_leave_the_trace_not_whole(monkeypatch):
    """Memory stays within bounds whatever the file is, and what was not read is held against nobody."""
    told = lines(*({"id": f"c{number}", "name": "bash", "input": {"command": "ls"}} for number in range(6)))
    assert read_trace(told).trace.whole
    monkeypatch.setattr(reader, "MAX_VALUE", 300)
    long = read_trace(told + b'\n{"x": "' + b"y" * 300 + b'"}\n')
    assert (len(long.trace.calls), long.trace.whole) == (6, False)
    assert "longer than" in long.unreadable[0].why
    monkeypatch.setattr(reader, "MAX_CALLS", 4)
    many = read_trace(told)
    assert (len(many.trace.calls), many.trace.whole) == (4, False)
    assert "the rest is not read" in many.unreadable[0].why
    monkeypatch.setattr(reader, "MAX_UNREADABLE", 2)
    assert len(read_trace(b"not JSON\n" * 200).unreadable) < 6
