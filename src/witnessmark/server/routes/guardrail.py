"""LiteLLM's generic guardrail contract: a gateway asks whether a model's answer may pass. Knows nothing of the gateway else.

LiteLLM hands over the messages before the call and only the answer's texts after it, so what an answer may rest on is
remembered by the call's id in between. What could not be verified lets the answer pass unless told otherwise.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from witnessmark.core.errors import InputError
from witnessmark.core.explain import explain
from witnessmark.core.values import not_json, refuse_twice
from witnessmark.integrations.guardrail.memory import CallContext, held_in
from witnessmark.integrations.guardrail.rules import GuardrailDecision, rule
from witnessmark.server.http.endpoints import ApiRequest, Endpoint, Response, json_reply
from witnessmark.server.state import audit_row
from witnessmark.settings import GuardrailSettings
from witnessmark.verifier import Verifier

PATH = "/beta/litellm_basic_guardrail_api"
MOST_TEXTS = 64


class GuardrailRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What LiteLLM sends. Fields that are not known here are let be: the contract is in beta and grows."""

    input_type: Literal["request", "response"]
    texts: list[str] | None = None
    structured_messages: list[dict[str, Any]] | None = None
    litellm_call_id: str | None = None
    litellm_trace_id: str | None = None
    model: str | None = None
    additional_provider_specific_params: dict[str, Any] | None = None
    request_data: dict[str, Any] | None = None
    images: list[Any] | None = None
    tools: list[Any] | None = None
    tool_calls: list[Any] | None = None


class GuardrailReply(msgspec.Struct, frozen=True, omit_defaults=True):
    """What LiteLLM reads; `witnessmark` is ours, one for each text that was verified."""

    action: Literal["NONE", "BLOCKED", "GUARDRAIL_INTERVENED"]
    blocked_reason: str | None = None
    texts: list[str] | None = None
    witnessmark: list[dict[str, Any]] | None = None


_decoder = msgspec.json.Decoder(GuardrailRequest)


async def guardrail(ask: ApiRequest) -> Response:
    """Remember what a call may rest on, or say what becomes of its answer; every record of that has its line in the audit log."""
    state, workspace = ask.state, ask.caller.workspace
    asked = await state.parsed(workspace, ask.body, _read)
    rules = _rules(state.settings.guardrail, asked.additional_provider_specific_params)
    place = (workspace, asked.litellm_call_id or "")
    if asked.input_type == "request":
        state.calls.remember(place, held_in(_messages(asked), rules.evidence_from, asked.model))
        return json_reply(GuardrailReply("NONE"))
    told = asked.structured_messages
    held = held_in(told, rules.evidence_from) if told else state.calls.recall(place)
    verifier, store = await state.request_verifier(workspace)
    reply = await _guarded(verifier, asked, rules, held)
    ids = dict.fromkeys(entry.id for entry in store.entries)
    rows = tuple(audit_row(ask.caller, "verify", record_id) for record_id in ids)
    return json_reply(reply, entries=store.entries, rows=rows, after=store.committed)


async def _guarded(
    verifier: Verifier, asked: GuardrailRequest, rules: GuardrailSettings, held: CallContext
) -> GuardrailReply:
    texts = asked.texts or []
    if len(texts) > MOST_TEXTS:
        raise InputError(f"texts: {len(texts)} are more than the {MOST_TEXTS} that are verified at once")
    # A stream of Anthropic's messages is handed over without its model; its request had it.
    model = asked.model or held.model
    ruled: list[GuardrailDecision | None] = []
    for number, text in enumerate(texts):
        name = asked.litellm_call_id or None
        case_id = f"{name}:{number}" if name and len(texts) > 1 else name
        ruled.append(await rule(verifier, text, rules, held, model, case_id) if text.strip() else None)
    ours = [one.told for one in ruled if one is not None] or None
    blocked = next((one.blocked for one in ruled if one is not None and one.blocked), None)
    if blocked is not None:
        return GuardrailReply("BLOCKED", blocked_reason=blocked, witnessmark=ours)
    if any(one is not None and one.corrected is not None for one in ruled):
        new = [
            one.corrected if one is not None and one.corrected is not None else old
            for one, old in zip(ruled, texts, strict=True)
        ]
        return GuardrailReply("GUARDRAIL_INTERVENED", texts=new, witnessmark=ours)
    return GuardrailReply("NONE", witnessmark=ours)


def _messages(asked: GuardrailRequest) -> list[dict[str, Any]]:
    """A request's messages; a bare prompt (/v1/completions) comes as texts only and is what a user said."""
    return asked.structured_messages or [{"role": "user", "content": text} for text in asked.texts or ()]


def _read(body: bytes) -> GuardrailRequest:
    refuse_twice(body)
    try:
        return _decoder.decode(body)
    except msgspec.ValidationError as exc:
        raise InputError(explain(exc, GuardrailRequest)) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as exc:
        raise InputError(not_json(exc, body)) from None
    except RecursionError:
        raise InputError("JSON nested too deeply: flatten the data") from None


def _rules(configured: GuardrailSettings, params: dict[str, Any] | None) -> GuardrailSettings:
    """The rules in force: what the request says over what is configured, where that is allowed."""
    if not params or not configured.params:
        return configured
    wrong = sorted(set(params) - set(GuardrailSettings.__struct_fields__) | ({"params"} & params.keys()))
    if wrong:
        known = ", ".join(name for name in GuardrailSettings.__struct_fields__ if name != "params")
        raise InputError(f"additional_provider_specific_params.{wrong[0]}: unknown; known are {known}")
    try:
        return msgspec.structs.replace(configured, **params)
    except InputError as exc:
        raise InputError(f"additional_provider_specific_params.{exc}") from None


ENDPOINTS = (
    Endpoint(
        "POST",
        PATH,
        guardrail,
        "LiteLLM's generic guardrail API.",
        body=GuardrailRequest,
        answers={200: ("Let it pass, block it, or put these texts in its place.", GuardrailReply)},
        key_header=b"x-api-key",  # as LiteLLM sends its `api_key`
        open_query=True,
    ),
)
