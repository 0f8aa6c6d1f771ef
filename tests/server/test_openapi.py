"""The OpenAPI document is complete and true: schemathesis finds no 5xx and no status that is not in it."""

from __future__ import annotations

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.pytest.lazy import get_all_tests
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from witnessmark.server.app import ENDPOINTS, create_app
from witnessmark.server.routes.guardrail import PATH as GUARDRAIL
from witnessmark.settings import Settings

CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
DOCUMENT = msgspec.json.decode(msgspec.json.encode(create_app(Settings()).openapi()))
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
OPERATIONS = [
    (method.upper(), path) for path, item in DOCUMENT["paths"].items() for method in item if path != "/events"
]
FEW = settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def test_the_document_is_served_and_names_every_operation(here):
    served = here.ask("GET", "/openapi.json").json()
    assert served["openapi"] == "3.1.0"
    told = {(method.upper(), path) for path, item in served["paths"].items() for method in item}
    assert {(e.method, e.path) for e in ENDPOINTS} <= told
    for route in (
        "/verify",
        "/verify-task",
        "/verify-batch",
        "/jobs/{id}",
        "/records",
        "/metrics",
        "/healthz",
        "/readyz",
        GUARDRAIL,
    ):
        assert route in served["paths"]


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_no_operation_breaks_or_answers_what_is_not_documented(method, path, fuzzed):
    """Cases are made here and not when tests are collected, since every worker of a run collects every file."""

    def answered(case):
        case.validate_response(case.call(base_url=fuzzed), checks=list(CHECKS))

    only = SCHEMA.include(path=path, method=method)
    (made,) = get_all_tests(schema=only, test_func=answered, settings=FEW, given_kwargs={})
    _, test = made.ok()
    test()
