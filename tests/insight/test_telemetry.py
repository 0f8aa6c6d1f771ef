"""What leaves the house: the convention's names, parented to the work, without a word of what was judged unless asked for."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from msgspec.structs import replace
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes as convention
from prometheus_client.parser import text_string_to_metric_families
from typer.testing import CliRunner

from witnessmark import Case, Verifier
from witnessmark.cli.app import command_line
from witnessmark.core.errors import JudgeUnavailableError
from witnessmark.core.protocols import Question, Reply
from witnessmark.core.verdict import Usage
from witnessmark.insight import prometheus, telemetry
from witnessmark.insight.metrics import figures
from witnessmark.insight.telemetry import TracedJudge, observe
from witnessmark.stores import open_store
from witnessmark.testing.records import entry, made, word

runner = CliRunner()
PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
SECRET = "the treasure lies under the oak"


class Heard:
    """Providers that keep what they are told."""

    def __init__(self) -> None:
        self.logs, self.spans = InMemoryLogRecordExporter(), InMemorySpanExporter()
        loggers, tracers = LoggerProvider(), TracerProvider()
        loggers.add_log_record_processor(SimpleLogRecordProcessor(self.logs))
        tracers.add_span_processor(SimpleSpanProcessor(self.spans))
        self.providers = (tracers, loggers)

    @property
    def events(self) -> list[Any]:
        return [one.log_record for one in self.logs.get_finished_logs()]


def verified(heard: Heard, **more: Any) -> Any:
    case = Case(
        subject={"kind": "task_output", "text": SECRET},
        criteria=[{"check": "min_length", "value": 4}, {"check": "contains_keywords", "value": ["gold"]}],
        context={"traceparent": PARENT, "response_id": "resp-1"},
    )
    verifier = observe(Verifier(), providers=heard.providers, **more)
    return asyncio.run(verifier.verify(case))


def test_a_verdict_is_an_event_of_the_convention_under_the_span_that_made_the_work():
    heard = Heard()
    record = verified(heard)
    verdict, *results = heard.events
    assert verdict.event_name == "gen_ai.evaluation.result"
    assert format(verdict.trace_id, "032x") == PARENT.split("-")[1]
    assert format(verdict.span_id, "016x") == PARENT.split("-")[2]
    told = dict(verdict.attributes)
    assert told[convention.GEN_AI_EVALUATION_NAME] == "witnessmark.task"
    assert told[convention.GEN_AI_EVALUATION_SCORE_LABEL] == record.outcome == "fail"
    assert told[convention.GEN_AI_EVALUATION_SCORE_VALUE] == record.score
    assert told[convention.GEN_AI_RESPONSE_ID] == "resp-1"
    assert told["witnessmark.record.id"] == record.id
    assert {one.attributes[convention.GEN_AI_EVALUATION_NAME] for one in results} == {s.check for s in record.results}


def test_nothing_of_what_was_judged_leaves_unless_that_is_asked_for():
    quiet, open_ = Heard(), Heard()
    verified(quiet)
    said = json.dumps([dict(one.attributes) for one in quiet.events])
    assert convention.GEN_AI_EVALUATION_EXPLANATION not in said  # req: C68
    assert "gold" not in said
    assert SECRET not in said
    verified(open_, content=True)
    assert any(convention.GEN_AI_EVALUATION_EXPLANATION in one.attributes for one in open_.events)


def test_telemetry_is_off_by_default():
    assert Verifier().observers == []
    assert not Verifier().settings.telemetry.otel


class OneJudge:
    """Answers, or breaks with words of what it was asked."""

    id, family, model = "openai/gpt-4o", "openai", "gpt-4o"

    def __init__(self, broken: bool = False) -> None:
        self.broken = broken

    async def ask(self, question: Question) -> Reply:
        if self.broken:
            raise JudgeUnavailableError(f"refused: {question.user}")
        return Reply(data={}, judge=self.id, model="gpt-4o-2024", usage=Usage(judge_calls=1, tokens=12, cost_usd=0.001))


def asked(judge: OneJudge) -> Any:
    heard = Heard()
    question = Question(system="s", user=SECRET, reply_schema={}, prompt="p", key="k")
    watched = TracedJudge(judge, heard.providers[0].get_tracer("t"))
    try:
        asyncio.run(watched.ask(question))
    except JudgeUnavailableError:
        assert judge.broken
    (span,) = heard.spans.get_finished_spans()
    return span


def test_a_call_to_a_judge_is_a_client_span():
    span = asked(OneJudge())
    assert (span.name, span.kind.name) == ("chat gpt-4o", "CLIENT")
    told = dict(span.attributes)
    assert told[convention.GEN_AI_OPERATION_NAME] == "chat"
    assert told[convention.GEN_AI_PROVIDER_NAME] == "openai"
    assert told[convention.GEN_AI_REQUEST_MODEL] == "gpt-4o"
    assert told[convention.GEN_AI_RESPONSE_MODEL] == "gpt-4o-2024"
    assert told["witnessmark.usage.tokens"] == 12


def test_a_judge_that_breaks_is_an_error_without_its_words():
    span = asked(OneJudge(broken=True))
    assert span.attributes["error.type"] == "JudgeUnavailableError"
    assert span.status.status_code.name == "ERROR"
    assert SECRET not in span.to_json()
    assert not span.events


def test_the_judges_of_a_verifier_are_watched_and_answer_as_before():
    from witnessmark.judges.cache import CachedJudge
    from witnessmark.judges.pool import JudgePool

    bench = JudgePool([CachedJudge(OneJudge()), OneJudge()], named=True)
    heard = Heard()
    observe(Verifier(services={"judges": bench}), providers=heard.providers)
    question = Question(system="s", user="u", reply_schema={}, prompt="p", key="k")
    for _ in range(2):
        for judge in bench.judges:
            asyncio.run(judge.ask(question))
    assert len(heard.spans.get_finished_spans()) == 3  # the one that remembers was asked once
    assert bench.judges[0].judge.model == "gpt-4o"


def test_a_parent_that_is_no_traceparent_is_no_parent():
    heard = Heard()
    verifier = observe(Verifier(), providers=heard.providers)
    verifier.verify_sync(Case(subject={"kind": "answer", "text": "x"}, context={"traceparent": 7}))
    assert {event.trace_id for event in heard.events} == {0}


def test_whoever_reports_later_finds_the_parent_in_the_kept_case():
    """The command line tells after keeping, with what it kept."""
    heard = Heard()
    case = Case(subject={"kind": "answer", "text": "x"}, context={"traceparent": PARENT})
    kept = replace(entry(made()), case=case.json())
    telemetry.report(heard.providers[1].get_logger("t"), kept, None)
    assert format(heard.events[0].span_id, "016x") == PARENT.split("-")[2]


# --- Prometheus -------------------------------------------------------------------------------------------------------


def exposed(store: Any) -> dict[str, list[Any]]:
    text = asyncio.run(prometheus.text(store))
    return {family.name: family.samples for family in text_string_to_metric_families(text)}


def test_prometheus_reads_what_is_exposed(sqlite_url):
    store: Any = open_store(sqlite_url)
    odd = 'wri"ter\\\n'
    records = [made(outcome="fail", action="abort", score=0.2, confidence=0.9, confidence_source="reported", categories=("truncated",)) for _ in range(20)]  # fmt: skip
    asyncio.run(
        store.append([entry(r, agent=odd, cost_usd=0.01) for r in records] + [word(r, "fail") for r in records])
    )
    found = exposed(store)
    (runs,) = found["witnessmark_runs"]
    assert (runs.value, runs.labels["outcome"], runs.labels["workspace"]) == (20, "fail", "default")
    assert found["witnessmark_cost_usd"][0].value == pytest.approx(0.2)
    assert found["witnessmark_agent_runs"][0].labels["agent"] == odd
    buckets = {s.labels["le"]: s.value for s in found["witnessmark_confidence"] if s.name.endswith("_bucket")}
    assert (buckets["0.9"], buckets["+Inf"]) == (0, 20)
    shown = {s.labels["metric"]: s.value for s in found["witnessmark_figure"]}
    expected = asyncio.run(figures(store, "default"))
    assert shown == {name: figure.value for name, figure in expected.items() if figure.value is not None}


def test_a_loop_that_goes_on_for_long_makes_no_series_of_every_attempt(sqlite_url):
    store: Any = open_store(sqlite_url)
    asyncio.run(store.append([entry(made(attempt=number)) for number in range(1, 41)]))
    runs = exposed(store)["witnessmark_runs"]
    assert {one.labels["attempt"]: one.value for one in runs} == {"1": 1, "2": 1, "3": 1, "4": 1, "5+": 36}


def test_a_store_with_nothing_exposes_families_without_samples():
    found = exposed(open_store("memory:"))
    assert "witnessmark_figure" in found
    assert all(samples == [] for samples in found.values())


def test_an_alert_is_exposed_while_it_is_raised():
    store: Any = open_store("memory:")
    records = [made() for _ in range(30)]
    asyncio.run(store.append([entry(r) for r in records] + [word(r, "fail") for r in records]))
    (alert,) = exposed(store)["witnessmark_alert"]
    assert (alert.labels["alert"], alert.labels["severity"], alert.value) == ("low_catch_rate", "high", 1)


# --- the same on the command line, and as files -----------------------------------------------------------------------


@pytest.fixture
def filled(sqlite_url):
    store: Any = open_store(sqlite_url)
    records = [made(outcome="pass" if n % 2 else "fail", action="accept" if n % 2 else "abort", score=float(n % 2)) for n in range(40)]  # fmt: skip
    words = [word(r, "fail" if n % 4 == 0 else "pass") for n, r in enumerate(records)]
    asyncio.run(store.append([entry(r, agent="writer", cost_usd=0.01, work_usd=0.1) for r in records] + words))
    asyncio.run(store.close())
    return sqlite_url


def test_the_command_the_library_and_prometheus_say_the_same(filled):
    shown = json.loads(runner.invoke(command_line(), ["metrics", "--store", filled, "--json"]).output)
    store: Any = open_store(filled)
    found = asyncio.run(figures(store, "default"))
    gauges = {s.labels["metric"]: s.value for s in exposed(store)["witnessmark_figure"]}
    asyncio.run(store.close())
    assert shown["figures"]["false_rejection_rate"]["value"] == found["false_rejection_rate"].value == 0.25
    assert gauges["false_rejection_rate"] == 0.25
    assert shown["alerts"][0]["name"] == "high_false_rejection"
    assert "override_rate.by_agent" in shown["by"]


def test_figures_are_shown_with_what_to_do(filled):
    done = runner.invoke(command_line(), ["metrics", "--store", filled])
    assert "false_rejection_rate" in done.output
    assert "medium: High false rejection rate" in done.output
    assert "lower pass threshold" in done.output
    alert = runner.invoke(command_line(), ["metrics", "--store", filled, "alert"])
    assert alert.exit_code == 1
    worth = runner.invoke(command_line(), ["metrics", "--store", filled, "worth", "--failure-usd", "1"])
    assert "failures stopped          10, worth $10.0000" in worth.output
    by = runner.invoke(command_line(), ["metrics", "--store", filled, "by"])
    assert "writer" in by.output
    words = runner.invoke(command_line(), ["metrics", "dictionary"])
    assert "bad work that was stopped or let through" in words.output


def test_scores_go_out_as_lines_and_as_parquet(filled, tmp_path):
    import pyarrow.parquet as pq

    lines, table = tmp_path / "scores.jsonl", tmp_path / "scores.parquet"
    for file in (lines, table):
        done = runner.invoke(command_line(), ["metrics", "--store", filled, "export", str(file)])
        assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in lines.read_text().splitlines()]
    assert len(rows) == 40
    assert {row["verifier_score"] for row in rows} == {0.0, 1.0}  # req: S2-117
    read = pq.read_table(table).to_pylist()
    assert read == rows
    assert not {"reason", "findings_text", "text", "quote"} & set(rows[0])


def test_a_newcomer_fits_looks_and_applies(root, sqlite_url):
    data = ["--data", str(root / "examples" / "calibration.jsonl"), "--store", sqlite_url]
    fitted = runner.invoke(command_line(), ["calibrate", "fit", *data])
    assert fitted.exit_code == 0, fitted.output
    assert "auto-accepted verdicts are wrong at most 5% of the time" in fitted.output
    looked = runner.invoke(command_line(), ["calibrate", "what-if", "calibration@1", *data])
    assert "escalated" in looked.output
    assert runner.invoke(command_line(), ["calibrate", "apply", "calibration@1", "--store", sqlite_url]).exit_code == 0
    assert "yes" in runner.invoke(command_line(), ["calibrate", "show", "--store", sqlite_url]).output
    shown = runner.invoke(command_line(), ["calibrate", "show", "calibration@1", "--store", sqlite_url, "--json"])
    assert json.loads(shown.output)["fits"][0]["before"]["reliability"]
    nothing = runner.invoke(command_line(), ["calibrate", "fit", "--store", "memory:"])
    assert "witnessmark outcome" in str(nothing.exception)


def test_a_threshold_is_tried_on_paper_from_the_command_line(filled):
    done = runner.invoke(
        command_line(), ["calibrate", "what-if", "--pass-threshold", "0.9", "--store", filled, "--json"]
    )
    assert json.loads(done.output)["cases"] == 40
    both = runner.invoke(command_line(), ["calibrate", "what-if", "x@1", "--pass-threshold", "0.9", "--store", filled])
    assert "one of the two" in str(both.exception)
