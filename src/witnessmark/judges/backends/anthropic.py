"""Anthropic's messages endpoint. The reply comes as the input of one tool whose schema is the question's."""

from __future__ import annotations

from typing import Any

import msgspec

from witnessmark.core.errors import JudgeReplyError
from witnessmark.core.protocols import Judge, JudgeContext, Question
from witnessmark.core.registry import judge
from witnessmark.judges.ask import phrase
from witnessmark.judges.backends.chat import NO_TEMPERATURE, complain, counted
from witnessmark.judges.http import NO_SCHEMA, RawReply

TOOL = "reply"
VERSION = "2023-06-01"


@judge("anthropic", url="https://api.anthropic.com/v1", key_env="ANTHROPIC_API_KEY")
def anthropic(context: JudgeContext) -> Judge:
    """Anthropic's own API."""
    return context.http(Anthropic())


class Anthropic:
    """POST {base}/messages."""

    path = "/messages"

    def headers(self, key: str) -> dict[str, str]:
        """The key in Anthropic's own header."""
        return {"anthropic-version": VERSION} | ({"x-api-key": key} if key else {})

    def body(self, question: Question, model: str, complaint: str, habits: frozenset[str]) -> dict[str, Any]:
        """The request."""
        user = question.user if not complaint else f"{question.user}\n\n{complain(complaint)}"
        made: dict[str, Any] = {
            "model": model,
            **({"system": question.system} if question.system else {}),
            "messages": [{"role": "user", "content": user}],
            "max_tokens": question.max_tokens,
        }
        if NO_TEMPERATURE not in habits:
            made["temperature"] = question.temperature
        if NO_SCHEMA not in habits and question.reply_schema:
            tool = {"name": TOOL, "description": phrase("_backends", "tool"), "input_schema": question.reply_schema}
            made |= {"tools": [tool], "tool_choice": {"type": "tool", "name": TOOL}}
        return made

    def said(self, data: Any) -> RawReply:
        """The tool's input as JSON, or the text where there is none."""
        try:
            parts = list(data["content"])
            given = [part["input"] for part in parts if part.get("type") == "tool_use" and part.get("name") == TOOL]
            text = "".join(part.get("text", "") for part in parts if part.get("type") == "text")
        except (KeyError, TypeError, AttributeError):
            raise JudgeReplyError("the endpoint's answer has no content; is it Anthropic's API?") from None
        model = data.get("model")
        return RawReply(
            text=msgspec.json.encode(given[0]).decode() if given else text,
            tokens=counted(data.get("usage"), "input_tokens", "output_tokens"),
            model=model if isinstance(model, str) else "",
            refused=data.get("stop_reason") == "refusal",
        )

    def learn(self, status: int, code: str, habits: frozenset[str]) -> str | None:
        """Models that refuse a temperature, then those without tools."""
        if status != 400 or code == "authentication_error":
            return None
        return next((step for step in (NO_TEMPERATURE, NO_SCHEMA) if step not in habits), None)
