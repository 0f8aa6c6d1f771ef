"""The OpenTelemetry adapter with the real SDK: spans of tools become the trace that a report of actions is held against."""

from __future__ import annotations

import asyncio
import json

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Status, StatusCode, format_trace_id, set_span_in_context
from pydantic_ai import Agent
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.instrumented import InstrumentationSettings

from witnessmark import Case, Verifier
from witnessmark.actions.trace.reader import trace_of
from witnessmark.core.errors import InputError
from witnessmark.integrations.otel_spans import ToolSpans, traces

GEN_AI = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "bash",
    "gen_ai.tool.call.id": "c1",
    "gen_ai.tool.call.arguments": '{"command": "pytest -q"}',
    "gen_ai.tool.call.result": '{"stdout": "12 passed in 0.4s", "exit_code": 0}',
}
OPENINFERENCE = {
    "openinference.span.kind": "TOOL", "tool.name": "bash", "tool_call.id": "c1",
    "input.value": '{"command": "pytest -q"}', "output.value": '{"stdout": "12 passed in 0.4s", "exit_code": 0}',
}  # fmt: skip
OPENLLMETRY = {
    "traceloop.span.kind": "tool", "traceloop.entity.name": "bash",
    "traceloop.entity.input": '{"command": "pytest -q"}',
    "traceloop.entity.output": '{"stdout": "12 passed in 0.4s", "exit_code": 0}',
}  # fmt: skip
MCP = {**GEN_AI, "gen_ai.operation.name": "", "mcp.method.name": "tools/call"}


def tracer_into(exporter):
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return provider.get_tracer("test")


def run_of(exporter, *tools, **status):
    """One agent's run: a chat span and these tool spans; gives back the trace's id."""
    tracer = tracer_into(exporter)
    with tracer.start_as_current_span("invoke_agent", attributes={"gen_ai.operation.name": "invoke_agent"}) as whole:
        with tracer.start_as_current_span(
            "chat m", attributes={"gen_ai.operation.name": "chat", "gen_ai.prompt": "secret"}
        ):
            pass
        for attributes in tools:
            with tracer.start_as_current_span(
                "execute_tool bash" if "gen_ai.tool.name" in attributes else "bash"
            ) as span:
                span.set_attributes(attributes)
                if status:
                    span.set_status(Status(**status))
    return format_trace_id(whole.get_span_context().trace_id)


def report(trace_id, evidence, *claims):
    subject = {"kind": "agent_output", "summary": "Tests are green.", "traceRef": f"trace:{trace_id}", "claims": claims}
    return Verifier().verify_sync(Case(subject=subject, goal="Run the tests.", evidence=evidence))


RAN = {"kind": "command-executed", "command": "pytest -q", "exitCode": 0}
NEVER_RAN = {"kind": "command-executed", "command": "ruff check .", "exitCode": 0}


@pytest.mark.parametrize("convention", [GEN_AI, OPENINFERENCE, OPENLLMETRY, MCP], ids=["gen_ai", "openinference", "openllmetry", "mcp"])  # fmt: skip
def test_a_claim_about_a_command_is_borne_out_by_the_span_of_the_tool_that_ran_it(convention):
    exporter = InMemorySpanExporter()
    trace_id = run_of(exporter, convention)
    evidence = traces(exporter.get_finished_spans())
    assert [one.id for one in evidence] == [trace_id]
    assert report(trace_id, evidence, RAN).outcome == "pass"
    refuted = report(trace_id, evidence, NEVER_RAN)
    assert (refuted.outcome, refuted.findings[0].category) == ("fail", "not_in_trace")


def test_an_agent_that_called_no_tool_has_a_trace_in_which_nothing_was_done():
    exporter = InMemorySpanExporter()
    trace_id = run_of(exporter)
    evidence = traces(exporter.get_finished_spans())
    assert report(trace_id, evidence, RAN).outcome == "fail"


def test_where_tools_may_have_run_without_a_span_a_missing_command_is_open():
    exporter = InMemorySpanExporter()
    trace_id = run_of(exporter, GEN_AI)
    record = report(trace_id, traces(exporter.get_finished_spans(), whole=False), NEVER_RAN)
    assert record.outcome != "fail"
    assert record.claims[0].status == "unverifiable"


def test_only_tool_calls_are_taken_and_prompts_stay_where_they_are():
    exporter = InMemorySpanExporter()
    run_of(exporter, GEN_AI)
    (evidence,) = traces(exporter.get_finished_spans())
    assert "secret" not in str(evidence.data)
    (call,) = trace_of([evidence]).trace.calls
    assert (call.id, call.name, call.input, call.exit_code) == ("c1", "bash", {"command": "pytest -q"}, 0)
    assert call.at is not None


def test_a_span_that_ended_in_an_error_is_a_call_that_did_not_work():
    exporter = InMemorySpanExporter()
    quiet = {key: value for key, value in GEN_AI.items() if key != "gen_ai.tool.call.result"}
    run_of(exporter, quiet, status_code=StatusCode.ERROR, description="timeout")
    (evidence,) = traces(exporter.get_finished_spans())
    assert trace_of([evidence]).trace.calls[0].ok is False


def test_traces_are_kept_apart_and_taken_once():
    spans = ToolSpans()
    first, second = run_of(spans, GEN_AI), run_of(spans)
    taken = spans.take(int(first, 16))
    assert report(first, taken, RAN).outcome == "pass"
    assert spans.take(first) == ()
    assert report(second, spans.take(second), RAN).outcome == "fail"


def test_of_too_many_traces_the_oldest_are_forgotten(monkeypatch):
    monkeypatch.setattr("witnessmark.integrations.otel_spans.MOST_TRACES", 2)
    spans = ToolSpans()
    first, second, third = (run_of(spans, GEN_AI) for _ in range(3))
    assert [len(spans.take(one)) for one in (first, second, third)] == [0, 1, 1]


def test_what_comes_of_a_trace_after_it_was_taken_refutes_no_command_from_before():
    spans = ToolSpans()
    tracer = tracer_into(spans)
    with tracer.start_as_current_span("invoke_agent") as whole:
        trace_id = format_trace_id(whole.get_span_context().trace_id)
        with tracer.start_as_current_span("execute_tool bash", attributes=GEN_AI):
            pass
        first = report(trace_id, spans.take(trace_id), RAN)  # the agent's first attempt
        with tracer.start_as_current_span(
            "execute_tool bash", attributes=GEN_AI | {"gen_ai.tool.call.arguments": '{"command": "git status"}'}
        ):
            pass
    second = report(trace_id, spans.take(trace_id), RAN)
    assert (first.outcome, second.outcome) == ("pass", "unverified")


def test_a_trace_that_was_forgotten_while_it_ran_refutes_nothing(monkeypatch):
    monkeypatch.setattr("witnessmark.integrations.otel_spans.MOST_TRACES", 2)
    spans = ToolSpans()
    tracer = tracer_into(spans)
    long = tracer.start_span("invoke_agent")
    trace_id = format_trace_id(long.get_span_context().trace_id)
    tracer.start_span("execute_tool bash", context=set_span_in_context(long), attributes=GEN_AI).end()
    for _ in range(2):
        run_of(spans, GEN_AI)
    long.end()
    assert report(trace_id, spans.take(trace_id), RAN).outcome == "unverified"


def otlp(trace_id, **attributes):
    pairs = [{"key": key, "value": {"stringValue": value}} for key, value in attributes.items()]
    span = {"traceId": trace_id, "spanId": "b7ad6b7169203331", "name": "execute_tool bash", "startTimeUnixNano": "1700000000000000000", "attributes": pairs}  # fmt: skip
    return {"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]}


def test_otlp_json_is_read_as_an_object_as_text_and_as_lines_of_a_collector():
    one, two = otlp("a" * 32, **GEN_AI), otlp("b" * 32, **GEN_AI)
    lines = f"{json.dumps(one)}\n{json.dumps(two)}\n"
    assert traces(one) == traces(json.dumps(one)) == traces(json.dumps(one).encode())
    assert [e.id for e in traces(lines)] == ["a" * 32, "b" * 32]
    assert report("b" * 32, traces(lines), RAN).outcome == "pass"


@pytest.mark.parametrize("wrong", ["no json", '{"spans": []}', "[]"])
def test_what_is_no_otlp_json_is_refused(wrong):
    with pytest.raises(InputError, match="OTLP JSON"):
        traces(wrong)


def test_the_spans_that_a_real_agent_framework_writes_are_read():
    replies = [ToolCallPart("bash", {"command": "pytest -q"}, "call-1"), TextPart("Tests are green.")]
    model = FunctionModel(lambda messages, info: ModelResponse(parts=[replies.pop(0)]))
    spans = ToolSpans()
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    for one in (spans, exporter):
        provider.add_span_processor(SimpleSpanProcessor(one))
    agent = Agent(model, capabilities=[Instrumentation(InstrumentationSettings(tracer_provider=provider))])

    @agent.tool_plain
    def bash(command: str) -> dict[str, object]:
        return {"stdout": "12 passed in 0.4s", "exit_code": 0}

    asyncio.run(agent.run("Run the tests."))
    trace_id = format_trace_id(exporter.get_finished_spans()[0].context.trace_id)
    evidence = spans.take(trace_id)
    assert report(trace_id, evidence, RAN).outcome == "pass"
    assert report(trace_id, evidence, NEVER_RAN).outcome == "fail"
