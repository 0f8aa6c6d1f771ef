"""An agent's data and its word on a run, held against what its tools returned, through the public door."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from witnessmark import Case, Verifier
from witnessmark.checks.output.data_fields import wrong_fields

VERIFIER = Verifier()
ORDERS = json.dumps(
    [
        {"order": 881, "status": "shipped", "total": 120.5, "refunded": False},
        {"order": 882, "status": "returned", "total": 45.0, "refunded": False},
        {"order": 883, "status": "shipped", "total": 210.0, "refunded": False},
    ]
)


def verified(summary, data, *outputs, goal="What came of it?"):
    subject = {"kind": "agent_output", "summary": summary, "data": data, "confidence": 0.9, "tools_used": ["sql"]}
    evidence = [
        {"id": f"t{n}", "kind": "tool_call", "name": "sql", "output": output} for n, output in enumerate(outputs, 1)
    ]
    return VERIFIER.verify_sync(Case(goal=goal, subject=subject | {"metadata": {}}, evidence=evidence))


def wrong(record):
    return [(one.text, one.status) for one in record.claims if one.status in ("contradicted", "unsupported")]


# --- the data, field by field ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "against"),
    [
        ({"order": 882, "status": "shipped", "total": 45.0}, [("status: shipped", "contradicted")]),
        ({"order": 882, "total": 120.5}, [("total: 120.5", "contradicted")]),
        ({"order": 882, "refunded": True}, [("refunded: true", "contradicted")]),
        ({"order": 882, "status": "returned", "customer": "Bob Smith"}, [("customer: Bob Smith", "unsupported")]),
    ],
)
def test_a_value_that_its_record_does_not_have_does_not_pass(data, against):
    record = verified("Order 882 was returned.", data, ORDERS)
    assert record.outcome != "pass"
    assert wrong(record) == against


def test_the_records_value_stands_beside_the_wrong_one():
    record = verified("Order 882 was returned.", {"order": 882, "status": "shipped"}, ORDERS)
    (word,) = next(one for one in record.findings if one.category == "contradicted_claim").words
    assert (word.text, word.closest.id, word.closest.text) == ("shipped", "t1", "returned")


@pytest.mark.parametrize(
    "data",
    [
        {"order": 882, "status": "Returned", "total": "45.00", "refunded": "no"},
        {"orders": [{"order": 881, "total": 120.5}, {"order": 883, "total": 210}]},
        {"shipped": [881, 883], "returned": [882]},
    ],
)
def test_the_same_value_in_another_spelling_or_a_list_of_its_own_passes(data):
    assert verified("Order 882 was returned.", data, ORDERS).outcome == "pass"


WRONG_ROWS = [{"order": 881, "status": "returned"}, {"order": 882, "status": "shipped"}]
RIGHT_ROWS = [{"order": 881, "status": "shipped"}, {"order": 882, "status": "returned"}]


@pytest.mark.parametrize(
    "placed",
    [
        lambda rows: rows,
        lambda rows: {"orders": rows},
        lambda rows: {"count": 2, "result": {"rows": rows}},
        lambda rows: {"first": rows[0], "second": rows[1]},
        lambda rows: {str(row["order"]): {"status": row["status"]} for row in rows},
    ],
)
@pytest.mark.parametrize("wrapped", [False, True])
def test_rows_are_held_against_their_records_wherever_they_stand(placed, wrapped):
    returned = json.dumps({"page": 1, "items": json.loads(ORDERS)}) if wrapped else ORDERS
    assert verified("Order 882 was returned.", placed(RIGHT_ROWS), returned).outcome == "pass"
    swapped = verified("Order 882 was returned.", placed(WRONG_ROWS), returned)
    assert swapped.outcome == "fail"
    assert [text for text, _ in wrong(swapped)] == ["status: returned", "status: shipped"]


def test_one_wrong_value_among_the_data_fails_however_good_the_summary_is():
    record = verified("Order 882 was returned.", {"orders": [{"order": 882, "total": 120.5}]}, ORDERS)
    assert (record.outcome, wrong(record)) == ("fail", [("total: 120.5", "contradicted")])


SHOPS = [("a", '[{"shop": "Leeds", "sales": 120}, {"shop": "York", "sales": 80}]')]


@pytest.mark.parametrize(
    ("data", "sources"),
    [
        pytest.param({"shop": "Leeds", "sales": 150}, [*SHOPS, ("b", '[{"shop": "Leeds", "sales": 30}]')], id="their sum"),
        pytest.param({"file": "a.png", "size": "2.1 MB"}, [("a", '[{"file": "a.png", "size": 2100000}]')], id="another unit"),
        pytest.param({"shop": "Hull", "sales": 80}, [*SHOPS, ("b", "Hull sold 80.")], id="a thing told of in words"),
        pytest.param(
            {"id": 7, "note": "The clerk forgot to stamp the form"},
            [("a", '[{"id": 7, "note": "Form 12 lacks the stamp that the clerk should have put on it"}]')],
            id="prose",
        ),
    ],
)  # fmt: skip
def test_what_the_records_bear_out_in_another_form_is_not_wrong(data, sources):
    assert list(wrong_fields({"rows": [data]}, sources, "")) == []


ROWS = st.lists(
    st.fixed_dictionaries(
        {"sku": st.integers(1000, 9999), "state": st.sampled_from(["open", "paid", "late"]), "paid": st.booleans()}
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda row: row["sku"],
)


@settings(deadline=None)
@given(ROWS, st.data())
def test_whatever_the_records_what_is_copied_holds_and_what_is_changed_does_not(rows, data):
    row = data.draw(st.sampled_from(rows))
    sources = [("t1", json.dumps(rows))]
    assert list(wrong_fields(row, sources, "")) == []
    key, value = data.draw(st.sampled_from([("state", "void"), ("paid", not row["paid"])]))
    (found,) = wrong_fields(row | {key: value}, sources, "")
    assert (found.status, found.words[0].closest.text) == ("contradicted", str(row[key]).lower())


def test_what_a_later_call_says_of_the_same_thing_counts():
    before, after = '{"order": 7, "status": "open"}', '{"order": 7, "status": "cancelled"}'
    assert list(wrong_fields({"order": 7, "status": "cancelled"}, [("a", before), ("b", after)], "")) == []
    assert list(wrong_fields({"order": 7, "status": "cancelled"}, [("a", before), ("b", "cancelled 7")], "")) == []


# --- nothing was found -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("output", ["", "[]", [], {"matches": []}, {"status": "ok", "results": [], "total": 0}])
def test_that_nothing_was_found_is_backed_by_an_empty_result(output):
    assert verified("There are no uses of md5 in the code.", {}, output).outcome == "pass"
    assert verified("There are 3 uses of md5 in the code.", {}, output).outcome != "pass"


@pytest.mark.parametrize("output", [{"matches": ["src/hash.py:4: md5(x)"]}, {"total": 2}, "src/hash.py:4: md5(x)"])
def test_a_result_that_is_not_empty_does_not_back_it(output):
    assert verified("There are no uses of md5 in the code.", {}, output).outcome != "pass"


# --- the word on a run -----------------------------------------------------------------------------------------------

FAILED = "12 collected, 11 passed, 1 failed: test_refund"


@pytest.mark.parametrize(
    ("summary", "output"),
    [
        ("Tests passed.", FAILED),
        ("All tests pass.", "FAILED tests/test_a.py::test_x - assert 1 == 2\n1 failed, 40 passed in 3.2s"),
        ("The migration ran without errors.", "applied 4 of 6 migrations; stopped at 0005: column exists"),
        ("The build is green.", "BUILD FAILED in 12s"),
        ("The deployment succeeded.", "deploying 1.4 ... rollback: health check failed, still on 1.3"),
    ],
)
def test_success_over_an_output_that_shows_a_failure_fails(summary, output):
    record = verified(summary, {}, output)
    assert record.outcome == "fail"
    (told,) = [one for one in record.findings if one.severity == "error"]
    assert told.words[0].closest.text in output


@pytest.mark.parametrize(
    ("summary", "outputs"),
    [
        ("11 of 12 tests passed; test_refund failed.", [FAILED]),
        ("All 12 tests pass.", ["12 collected, 12 passed, 0 failed"]),
        ("All 12 tests pass.", [FAILED, "12 collected, 12 passed"]),
        ("All 12 tests pass.", ['42:  raise Error("failed to save")', "12 collected, 12 passed"]),
    ],
)
def test_an_honest_word_on_a_run_is_not_called_false(summary, outputs):
    assert "fail" not in {one.status for one in verified(summary, {}, *outputs).results}


def test_that_nothing_was_found_rests_on_an_empty_result():
    goal = "Which customers in Oslo have open invoices?"
    assert verified("No customers in Oslo have open invoices.", {"count": 0}, "[]", goal=goal).outcome == "pass"
    assert verified("Two customers in Oslo have open invoices.", {"count": 2}, "[]", goal=goal).outcome != "pass"


GET = {"id": "t1", "kind": "tool_call", "name": "get_item", "output": {"sku": "A-7", "price": 17.5, "state": "listed"}}
SET = {"id": "t2", "kind": "tool_call", "name": "set_price", "output": {"sku": "A-7", "price": 19.9, "ok": True}}


def backing(summary, data, *calls):
    subject = {
        "kind": "agent_output",
        "summary": summary,
        "data": data,
        "confidence": 0.9,
        "tools_used": [],
        "metadata": {},
    }
    record = Verifier().verify_sync(Case(goal="Set the price of A-7.", subject=subject, evidence=list(calls)))
    return record.outcome, [finding.message for finding in record.findings]


@pytest.mark.parametrize(
    ("summary", "data"),
    [("The price of A-7 is 17.50.", {}), ("The price of A-7 is 19.90.", {"sku": "A-7", "price": 17.5})],
    ids=["summary", "data"],
)
def test_a_value_that_a_later_call_changed_is_stale(summary, data):
    outcome, told = backing(summary, data, GET, SET)
    assert outcome == "fail"
    assert "a later call changed this value" in told


@pytest.mark.parametrize(
    ("summary", "data", "calls"),
    [
        ("The price of A-7 is 19.90.", {"sku": "A-7", "price": 19.9}, (GET, SET)),
        ("The price of A-7 went from 17.50 to 19.90.", {}, (GET, SET)),
        ("The price of A-7 was 17.50 before.", {}, (GET, SET)),
        ("The price of A-7 is 17.50.", {}, (GET, SET | {"name": "get_item_in_york"})),  # another place, not a change
        ("The price of A-7 is 17.50.", {}, (SET | {"id": "t0"}, GET)),  # the look-up came later
        (
            "The price of A-7 is 17.50.",
            {},
            (GET, SET, SET | {"id": "t3", "output": {"sku": "A-7", "price": 17.5}}),
        ),  # set back
        ("The price of A-7 is 17.50.", {}, (GET, SET | {"output": {"sku": "B-9", "price": 19.9}})),  # another thing
        ("The state of A-7 is listed.", {}, (GET, SET)),
    ],
    ids=["new", "both", "past", "a look-up", "looked up later", "set back", "another thing", "another field"],
)
def test_a_value_that_stands_or_is_told_as_past_is_not(summary, data, calls):
    assert "a later call changed this value" not in backing(summary, data, *calls)[1]
