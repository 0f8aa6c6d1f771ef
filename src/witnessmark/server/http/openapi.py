"""The OpenAPI 3.1 document, from the table of operations and the words' own JSON Schema: what is served is what is written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from witnessmark._version import __version__
from witnessmark.core.aliases import add_to_schema
from witnessmark.server.http.endpoints import Endpoint
from witnessmark.server.http.errors import MEDIA, ProblemDetails

_REF = "#/components/schemas/{name}"
_COMMON: dict[int, str] = {
    401: "No key, or one that is not valid.",
    403: "The key's role does not allow it, or the request comes from another site's page.",
    413: "The body is too long.",
    422: "Something in the request is wrong; `field` names it.",
    429: "Too many requests with this key; Retry-After says when to try again.",
    503: "Too many requests at once, or the store cannot be reached; Retry-After says when to try again.",
}


_PATH_NAMES = {
    ("records", "id"): "The record's id, or at least the first 8 digits of it.",
    ("jobs", "id"): "The job's id.",
    ("keys", "id"): "The key's id, not its secret.",
    ("workspaces", "name"): "The workspace that the key belongs to.",
    ("orchestrations", "id"): "The run's id.",
}
"""What stands in a path, by its first part; what is not here is a part of a run's plan."""


def document(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """The whole document."""
    types = _types(endpoints)
    schemas, components = msgspec.json.schema_components([*types, ProblemDetails], ref_template=_REF)
    if "Case" in components:
        add_to_schema(components["Case"])
    by_type = dict(zip([*types, ProblemDetails], schemas, strict=True))
    paths: dict[str, Any] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, by_type)
    paths["/openapi.json"] = {
        "get": {
            "operationId": "get_openapi_json",
            "summary": "This document.",
            "security": [],
            "responses": {
                "200": {
                    "description": "The OpenAPI document.",
                    "content": {"application/json": {"schema": {"type": "object"}}},
                },
                "503": _problem(by_type, _COMMON[503]),
            },
        }
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Witnessmark",
            "version": __version__,
            "description": "Says whether the work of an AI agent can be trusted, why, and what to do next.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": dict(sorted(components.items())),
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{"key": []}],
    }


def _types(endpoints: Sequence[Endpoint]) -> list[Any]:
    found = [e.body for e in endpoints] + [kind for e in endpoints for _, kind in e.answers.values()]
    return list(dict.fromkeys(kind for kind in found if isinstance(kind, type)))


def _operation(endpoint: Endpoint, by_type: dict[Any, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {
        "operationId": re.sub(r"\W+", "_", f"{endpoint.method.lower()}{endpoint.path}").strip("_"),
        "summary": endpoint.summary,
        "responses": _responses(endpoint, by_type),
    }
    parameters = _parameters(endpoint)
    if parameters:
        made["parameters"] = parameters
    if endpoint.body is not None:
        schema = by_type[endpoint.body] if isinstance(endpoint.body, type) else endpoint.body
        required = endpoint.path != "/records/{id}/reverify"
        made["requestBody"] = {"required": required, "content": {"application/json": {"schema": schema}}}
    made["security"] = [] if endpoint.need is None else [{"key": []}]
    if endpoint.need is not None:
        made["description"] = f"{endpoint.summary} Needs the role `{endpoint.need}`."
    return made


def _responses(endpoint: Endpoint, by_type: dict[Any, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for status, (meaning, kind) in endpoint.answers.items():
        if status >= 400:
            made[str(status)] = _problem(by_type, meaning)
        elif kind is None:
            made[str(status)] = {"description": meaning}
        else:
            schema = by_type[kind] if isinstance(kind, type) else kind
            media = endpoint.media.partition(";")[0]
            made[str(status)] = {"description": meaning, "content": {media: {"schema": schema}}}
    for status, meaning in _COMMON.items():
        if _may(endpoint, status):
            made.setdefault(str(status), _problem(by_type, meaning))
    return made


def _may(endpoint: Endpoint, status: int) -> bool:
    """Which of the common refusals an operation knows."""
    if status == 413:
        return endpoint.method != "GET"
    return status == 503 or endpoint.need is not None


def _problem(by_type: dict[Any, Any], meaning: str) -> dict[str, Any]:
    made: dict[str, Any] = {"description": meaning, "content": {MEDIA: {"schema": by_type[ProblemDetails]}}}
    if "Retry-After" in meaning:
        made["headers"] = {"Retry-After": {"schema": {"type": "string"}, "description": "Seconds."}}
    return made


def _parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "string"},
            "description": _PATH_NAMES.get((endpoint.path.split("/")[1], name), f"The {name} of the run's plan."),
        }
        for name in re.findall(r"\{(\w+)\}", endpoint.path)
    ]
    made += [
        {"name": name, "in": "query", "required": False, "schema": schema, "description": meaning}
        for name, (schema, meaning) in endpoint.query.items()
    ]
    if endpoint.writes:
        made.append(
            {
                "name": "Idempotency-Key",
                "in": "header",
                "required": False,
                "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
                "description": "Requests with the same key and body within a day are processed once and get the same answer.",
            }
        )
    return made
