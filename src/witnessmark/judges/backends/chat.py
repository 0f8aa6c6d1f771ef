"""Any OpenAI-compatible endpoint: OpenAI, Azure, OpenRouter, vLLM, Ollama, llama.cpp.

Structured output by JSON schema where it is offered, else JSON mode, else plain text; what an endpoint does not take is
learnt from its refusal, once.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import msgspec

from witnessmark.core.errors import JudgeReplyError
from witnessmark.core.protocols import Judge, JudgeContext, Question
from witnessmark.core.registry import judge
from witnessmark.judges import ask
from witnessmark.judges.http import NO_JSON, NO_SCHEMA, RawReply

COMPLETION, NO_TEMPERATURE, NO_SEED = "max_completion_tokens", "no_temperature", "no_seed"
_LESSONS = {
    "max_tokens": COMPLETION, "temperature": NO_TEMPERATURE, "seed": NO_SEED, "unsupported_parameter": COMPLETION,
}  # fmt: skip


def complain(complaint: str) -> str:
    """What a judge is told about a reply that cannot be used."""
    return ask.phrase("_shared", "repair", complaint=ask.visible_text(complaint))


@judge("openai", url="https://api.openai.com/v1", key_env="OPENAI_API_KEY")
def openai(context: JudgeContext) -> Judge:
    """OpenAI, or whoever speaks as it does under a URL of one's own."""
    return context.http(Chat())


@judge("azure")
def azure(context: JudgeContext) -> Judge:
    """OpenAI's models on Azure: the same words, the key in a header of its own."""
    return context.http(Chat(azure=True))


@judge("openrouter", url="https://openrouter.ai/api/v1", key_env="OPENROUTER_API_KEY")
def openrouter(context: JudgeContext) -> Judge:
    """Many models behind one endpoint."""
    return context.http(Chat())


@judge("ollama", url="http://127.0.0.1:11434/v1")
def ollama(context: JudgeContext) -> Judge:
    """Models on this machine; no key."""
    return context.http(Chat())


class Chat:
    """POST {base}/chat/completions."""

    def __init__(self, path: str = "/chat/completions", *, azure: bool = False) -> None:
        self.path, self._azure = path, azure

    def headers(self, key: str) -> dict[str, str]:
        """A bearer token, or Azure's own header."""
        if not key:
            return {}
        return {"api-key": key} if self._azure else {"Authorization": f"Bearer {key}"}

    def body(self, question: Question, model: str, complaint: str, habits: frozenset[str]) -> dict[str, Any]:
        """The request."""
        messages = [{"role": "system", "content": question.system}] if question.system else []
        messages.append({"role": "user", "content": question.user})
        if complaint:
            messages.append({"role": "user", "content": complain(complaint)})
        made: dict[str, Any] = {"model": model, "messages": messages}
        made["max_completion_tokens" if COMPLETION in habits else "max_tokens"] = question.max_tokens
        if NO_TEMPERATURE not in habits:
            made["temperature"] = question.temperature
        if question.seed is not None and NO_SEED not in habits:
            made["seed"] = question.seed
        if not question.reply_schema:
            return made
        if NO_SCHEMA not in habits:
            made["response_format"] = _asked_by(question.schema_json())
        elif NO_JSON not in habits:
            made["response_format"] = {"type": "json_object"}
        return made

    def said(self, data: Any) -> RawReply:
        """The first choice's text."""
        try:
            message = data["choices"][0]["message"]
            text, refusal = message.get("content") or "", message.get("refusal")
            filtered = data["choices"][0].get("finish_reason") == "content_filter"
        except (KeyError, IndexError, TypeError, AttributeError):
            raise JudgeReplyError("the endpoint's answer has no choices[0].message; is it OpenAI-compatible?") from None
        if isinstance(text, list):
            text = "".join(part.get("text", "") for part in text if isinstance(part, dict))
        model = data.get("model")
        return RawReply(
            text=str(text),
            tokens=counted(data.get("usage"), "prompt_tokens", "completion_tokens"),
            model=model if isinstance(model, str) else "",
            refused=bool(refusal) or (filtered and not text),
        )

    def learn(self, status: int, code: str, habits: frozenset[str]) -> str | None:
        """A named parameter first; otherwise a simpler way to ask for JSON."""
        if status not in (400, 404, 415, 422, 501):
            return None
        named = _LESSONS.get(code)
        if named is not None and named not in habits:
            return named
        if status == 404 or code in ("model_not_found", "context_length_exceeded", "invalid_api_key"):
            return None
        return next((step for step in (NO_SCHEMA, NO_JSON) if step not in habits), None)


def counted(usage: Any, taken_as: str, given_as: str) -> tuple[int, int] | None:
    """Tokens in and out, where the endpoint gives both as counts."""
    if not isinstance(usage, dict):
        return None
    taken, given = usage.get(taken_as), usage.get(given_as)
    if type(taken) is not int or type(given) is not int or taken < 0 or given < 0:
        return None
    return taken, given


@functools.lru_cache(maxsize=256)
def _asked_by(encoded: bytes) -> msgspec.Raw:
    """How to ask for a reply by this schema, made once: the same few schemas are asked for again and again."""
    strict = _is_strict(msgspec.json.decode(encoded))
    form = {"name": "reply", "schema": msgspec.Raw(encoded), "strict": strict}
    return msgspec.Raw(msgspec.json.encode({"type": "json_schema", "json_schema": form}))


def _is_strict(schema: Any) -> bool:
    """Whether every object closes its fields and asks for all of them, as strict decoding needs."""
    if isinstance(schema, Mapping):
        if schema.get("type") == "object":
            closed = schema.get("additionalProperties") is False
            if not closed or set(schema.get("required", ())) != set(schema.get("properties", {})):
                return False
        return all(_is_strict(part) for part in schema.values())
    return all(_is_strict(part) for part in schema) if isinstance(schema, list) else True
