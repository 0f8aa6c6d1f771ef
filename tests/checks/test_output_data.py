"""Every value of an agent's data is held against the evidence: texts, yes and no, list members, what stands under a name, sums and counts."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from witnessmark import Case, Verifier
from witnessmark.checks.output.data_values import DataSources, judged, values_of
from witnessmark.testing import OneJudge, PerfectReader

VERIFIER = Verifier()
SCAN = "11 hosts scanned. Open ports: db-2 has 5432 and 22, web-1 has 443. No open telnet ports found. Scan finished at 14:05."
SUMMARY = "Web-1 has port 443 open. On db-2 the ports 5432 and 22 are open."
ORDERS = [
    {"id": "INV-7", "total": 120.5, "paid": True, "customer": "Ada"},
    {"id": "INV-8", "total": 80, "paid": False, "customer": "Bo"},
    {"id": "INV-9", "total": 40, "paid": False, "customer": "Ada"},
]


def case(data, summary=SUMMARY, output=SCAN, goal="Which hosts have open ports?"):
    subject = {"kind": "agent_output", "summary": summary, "data": data, "confidence": 0.9, "tools_used": ["tool"]}
    call = {"id": "t1", "kind": "tool_call", "name": "tool", "output": output}
    return Case(goal=goal, subject=subject | {"metadata": {}}, evidence=[call])


def judged_alone(data, source):
    return [claim for _, claim in judged(values_of(data), DataSources(case(data), [source], data)) if claim]


def of_orders(data):
    return case(data, "INV-7 of 120.50 is paid, INV-8 of 80 is not paid.", ORDERS, "Which invoices are paid?")


@pytest.mark.parametrize(
    "data",
    [
        {"note": "db-2 is compromised by malware"},
        {"note": "All hosts must be shut down at once because db-2 is infected."},
        {"telnet_open": True},
        {"hosts": ["db-2", "web-9"]},
        {"ports": {"web-1": [5432], "db-2": [443]}},
        {"ports": {"web-1": 22, "db-2": 5432}},
        {"finished_at": "16:05"},
        {"os": "Windows 95"},
        {"found": [{"host": "db-2", "note": "The host runs a crypto miner."}]},
    ],
)
def test_a_value_that_nothing_bears_out_does_not_pass(data):
    record = VERIFIER.verify_sync(case(data))
    assert record.outcome != "pass"
    assert [one for one in record.claims if one.kind == "data" and one.status != "supported"]


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"scanned": 11, "hosts": ["db-2", "web-1"], "finished_at": "14:05", "telnet_open": False},
        {"ports": {"web-1": [443], "db-2": [5432, 22]}, "count": 2, "status": "ok", "partial": False},
        {"hosts": [{"name": "db-2", "ports": [5432, 22]}, {"name": "web-1", "ports": [443]}], "open_ports": 3},
        {"note": "No open telnet ports found.", "owner": None, "tags": [], "remark": ""},
        {"hosts": [{"name": "db-2", "risk": "medium"}, {"name": "web-1", "risk": "low"}]},
    ],
)
def test_what_the_evidence_says_passes_in_any_form_and_so_do_labels_of_the_agents_own(data):
    record = VERIFIER.verify_sync(case(data))
    assert (record.outcome, record.coverage) == ("pass", 1.0)


@pytest.mark.parametrize(
    "data",
    [
        {"sum": 240.5},
        {"count": 3},
        {"unpaid": 2, "unpaid_total": 120, "average": 80.17},
        {"by_customer": {"Ada": 160.5, "Bo": 80}},
        {"invoices": [{"id": "INV-7", "total": 120.5}, {"id": "INV-8", "total": 80}], "total": 200.5},
        {"amounts": [120.5, 80, 40], "total": 240.5},
    ],
)
def test_a_sum_or_a_count_of_what_records_list_is_right(data):
    assert VERIFIER.verify_sync(of_orders(data)).outcome == "pass"


@pytest.mark.parametrize(
    "data", [{"sum": 300}, {"count": 4}, {"unpaid_total": 121}, {"amounts": [120.5, 80], "total": 240}]
)
def test_another_sum_or_count_is_not(data):
    record = VERIFIER.verify_sync(of_orders(data))
    assert record.outcome == "partial"
    assert "the data holds a figure that neither the summary nor any source has" in [f.message for f in record.findings]


@settings(deadline=None)
@given(st.lists(st.integers(2, 900), min_size=2, max_size=8), st.integers(1, 5))
def test_whatever_the_rows_their_sum_is_borne_out_and_no_figure_beyond_it_is(amounts, more):
    rows = [{"row": f"r{n}", "amount": one} for n, one in enumerate(amounts)]
    for total, status in ((sum(amounts), "supported"), (sum(amounts) * 10 + more, "unsupported")):
        found = [one for one in judged_alone({"total": total}, json.dumps(rows)) if one.text.startswith("total")]
        assert [one.status for one in found] == [status]


def test_every_value_ends_as_a_claim_and_beyond_the_most_that_are_read_coverage_falls():
    record = VERIFIER.verify_sync(case({"scanned": 11, "hosts": ["db-2", "web-1"]}))
    assert [one.text for one in record.claims if one.kind == "data"] == ["scanned: 11", "hosts: db-2", "hosts: web-1"]
    many = VERIFIER.verify_sync(case({f"k{n}": "db-2" for n in range(300)}))
    assert many.outcome == "partial"
    assert many.coverage is not None
    assert many.coverage < 1


def test_a_judge_reads_what_is_left_of_the_data_with_the_summary():
    asked = OneJudge(PerfectReader("db-2 is compromised by malware"))
    record = VERIFIER.with_services({"judges": asked}).verify_sync(case({"note": "db-2 is compromised by malware"}))
    assert record.outcome != "pass"
    right = VERIFIER.with_services({"judges": OneJudge(PerfectReader())})
    assert right.verify_sync(case({"note": "The scan covered 11 hosts and took until 14:05."})).outcome == "pass"


def test_a_lie_in_the_data_never_reads_as_words_of_the_summary():
    record = VERIFIER.verify_sync(case({"note": "The host db-2 was infected by malware on Monday."}))
    (finding,) = [one for one in record.findings if one.category.endswith("_claim")]
    assert finding.span is None
    assert "malware" in (finding.quote or "")
