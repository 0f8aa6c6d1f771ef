"""The smallest client of an OpenAI-compatible endpoint, with nothing but the standard library; and a judge made of it."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from typing import Any

from witnessmark.core.errors import JudgeReplyError, JudgeUnavailableError
from witnessmark.core.protocols import Question, Reply
from witnessmark.core.verdict import Usage


def chat(endpoint: str, system: str, user: str, timeout_s: float = 60.0) -> tuple[str, int]:
    """One answer and the tokens it took; `endpoint` is URL#MODEL, such as http://127.0.0.1:8080/v1#qwen."""
    url, _, model = endpoint.partition("#")
    messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    body = json.dumps({"model": model, "messages": messages, "temperature": 0}).encode()
    request = urllib.request.Request(
        f"{url.rstrip('/')}/chat/completions", data=body, headers={"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=timeout_s) as answer:
        data = json.load(answer)
    return data["choices"][0]["message"]["content"], int((data.get("usage") or {}).get("total_tokens", 0))


def json_in(text: str) -> dict[str, Any]:
    """The first JSON object in a text; models like to talk around it."""
    start = text.find("{")
    if start < 0:
        raise ValueError("the answer holds no JSON object")
    found, _ = json.JSONDecoder().raw_decode(text[start:])
    return dict(found)


class EndpointJudge:
    """A judge that asks the endpoint. It is the same model as the agents, so it is not independent, and says so."""

    family = "endpoint"

    def __init__(self, endpoint: str) -> None:
        self.endpoint, self.id = endpoint, endpoint.partition("#")[2] or "endpoint"

    async def ask(self, question: Question) -> Reply:
        """The endpoint's answer as JSON, or an error that says what went wrong."""
        form = f"\n\nAnswer with one JSON object for this schema:\n{json.dumps(question.reply_schema)}"
        try:
            text, tokens = await asyncio.to_thread(chat, self.endpoint, question.system, question.user + form)
            data = json_in(text)
        except (urllib.error.URLError, TimeoutError) as exc:
            raise JudgeUnavailableError(str(exc)) from None
        except (ValueError, KeyError, IndexError) as exc:
            raise JudgeReplyError(f"no usable JSON: {exc}") from None
        return Reply(data=data, judge=self.id, usage=Usage(judge_calls=1, tokens=tokens, cost_usd=None))
