"""LiteLLM's generic guardrail contract: a gateway asks whether a model's answer may pass. Knows nothing of the gateway else.

LiteLLM hands over the messages before the call and only the answer's texts after it, so what an answer may rest on is
remembered by the call's id in between. What could not be verified lets the answer pass unless told otherwise.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from fastapi import APIRouter, Request, Response

from witnessmark.core.errors import InputError
from witnessmark.core.explain import explain
from witnessmark.integrations.guardrail.memory import CallContext, GuardrailMemory, held_in
from witnessmark.integrations.guardrail.rules import GuardrailDecision, rule
from witnessmark.server.pages.site import Site
from witnessmark.settings import GuardrailSettings

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
NONE = GuardrailReply("NONE")


def router(site: Site) -> APIRouter:
    """The endpoint, for the service to include."""
    made, memory = APIRouter(), GuardrailMemory()

    @made.post(PATH, openapi_extra=_described(), summary="LiteLLM's generic guardrail API.", response_class=Response)
    async def guardrail(request: Request) -> Response:
        caller = await site.caller(_with_key(request), "verify")
        asked = await site.parsed(caller.workspace, await request.body(), _read)
        rules = _rules(site.settings.guardrail, asked.additional_provider_specific_params)
        place = (caller.workspace, asked.litellm_call_id or "")
        if asked.input_type == "request":
            memory.remember(place, held_in(_messages(asked), rules.evidence_from, asked.model))
            return _answer(NONE)
        told = asked.structured_messages
        held = held_in(told, rules.evidence_from) if told else memory.recall(place)
        return _answer(await _guarded(site, caller.workspace, asked, rules, held))

    return made


async def _guarded(
    site: Site, workspace: str, asked: GuardrailRequest, rules: GuardrailSettings, held: CallContext
) -> GuardrailReply:
    texts = asked.texts or []
    if len(texts) > MOST_TEXTS:
        raise InputError(f"texts: {len(texts)} are more than the {MOST_TEXTS} that are verified at once")
    verifier = await site.verifier_in_force(workspace)
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
    try:
        return _decoder.decode(body)
    except msgspec.ValidationError as exc:
        raise InputError(explain(exc, GuardrailRequest)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as exc:
        raise InputError(f"not JSON: {exc}") from None


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


def _with_key(request: Request) -> Request:
    """LiteLLM sends its `api_key` as x-api-key; for us that is a bearer's key like any other."""
    headers: list[tuple[bytes, bytes]] = request.scope["headers"]
    names = {name for name, _ in headers}
    if b"authorization" in names or b"x-api-key" not in names:
        return request
    key = next(value for name, value in headers if name == b"x-api-key")
    return Request(dict(request.scope) | {"headers": [*headers, (b"authorization", b"Bearer " + key)]})


def _answer(said: GuardrailReply) -> Response:
    return Response(msgspec.json.encode(said), media_type="application/json")


def _described() -> dict[str, Any]:
    """The contract in the OpenAPI document."""
    asked, answered = msgspec.json.schema(GuardrailRequest), msgspec.json.schema(GuardrailReply)
    body = {"content": {"application/json": {"schema": asked["$defs"]["GuardrailRequest"]}}, "required": True}
    good: dict[str, Any] = {"description": "Let it pass, block it, or put these texts in its place."}
    good |= {"content": {"application/json": {"schema": answered["$defs"]["GuardrailReply"]}}}
    return {
        "requestBody": body,
        "responses": {"200": good, "422": {"description": "Problem details that name the field."}},
    }
