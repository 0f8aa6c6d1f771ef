"""Does the output hold JSON that fits a JSON Schema? All errors, each with its path. Nothing is ever fetched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from witnessmark.core.case import AgentOutput, Case
from witnessmark.core.errors import InputError
from witnessmark.core.registry import Look, check
from witnessmark.core.verdict import Finding, Result, counted, failed, passed
from witnessmark.text.markdown import blocks
from witnessmark.text.nested_data import data_place, schema_validator

MAX_FINDINGS = 50


def find_json(text: str) -> tuple[Any, str | None]:
    """The JSON of a text and None, or None and why there is none: the whole text, or its one fenced block of JSON."""
    try:
        return msgspec.json.decode(text.encode()), None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as exc:
        whole = exc
    fenced = [b for b in blocks(text) if b.info.split(" ")[0].lower() in ("json", "jsonc", "json5", "")]
    found = []
    for block in fenced:
        try:
            found.append(msgspec.json.decode(block.text.encode()))
        except (msgspec.DecodeError, UnicodeError, RecursionError) as exc:
            whole = exc
    if len(found) == 1:
        return found[0], None
    if len(found) > 1:
        return None, f"the text holds {len(found)} blocks of JSON where one is asked for"
    return None, f"the text is not JSON ({str(whole).lower()})" if not fenced else f"fenced JSON is broken ({whole})"


@check("json_schema", version="1", cost="instant", value_is="schema")
def json_schema(schema: dict[str, Any] | bool) -> Look:
    """The output is JSON (plain or in one fenced block) that fits the schema; of an agent's output, its data.

    Args:
        schema: the JSON Schema, or true for any JSON.

    """
    try:
        validator = schema_validator(schema)
    except InputError as exc:
        raise InputError(f"option schema: {exc}") from None

    def look(case: Case, prior: Mapping[str, Result]) -> Result:
        instance, why = _instance(case)
        if why is not None:
            message = f"no JSON to check against the schema: {why}"
            return failed(
                message,
                Finding(message=message, category="schema_mismatch", suggestion="Answer with one JSON value only."),
            )
        if validator.is_valid(instance):
            return passed("fits the schema")
        return _mismatch(validator, instance)

    return look


def _instance(case: Case) -> tuple[Any, str | None]:
    if isinstance(case.subject, AgentOutput):
        absent = case.subject.data is msgspec.UNSET
        return (None, "the output has no data") if absent else (case.subject.data, None)
    return find_json(case.text)


def _mismatch(validator: Any, instance: Any) -> Result:
    findings: list[Finding] = []
    count = 0
    for error in validator.iter_errors(instance):
        count += 1
        if count <= MAX_FINDINGS:
            findings.append(
                Finding(
                    message=f"{data_place(error.instance_path)}: {error.message}",
                    category="schema_mismatch",
                    suggestion=f"Make {data_place(error.instance_path)} fit {data_place(error.schema_path)} of the schema.",
                )
            )
    if count > MAX_FINDINGS:
        findings.append(Finding(message=f"{counted(count - MAX_FINDINGS, 'more error')}", category="schema_mismatch"))
    return failed(f"{counted(count, 'schema error')}, first at {findings[0].message}", *findings)
