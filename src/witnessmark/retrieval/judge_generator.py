"""A generator that asks a configured judge endpoint to write the response from what it is given."""

from __future__ import annotations

import json

from witnessmark.core.errors import JudgeReplyError
from witnessmark.core.protocols import Judge, Question
from witnessmark.judges import windows
from witnessmark.judges.ask import ask_about, phrase
from witnessmark.retrieval.protocols import Revision

SCHEMA = {"type": "object", "properties": {"response": {"type": "string"}}, "required": ["response"]}


class JudgeGenerator:
    """Writes by asking a judge."""

    def __init__(self, judge: Judge, max_tokens: int = 2048) -> None:
        self._judge, self._max_tokens = judge, max_tokens
        self.model = str(getattr(judge, "model", "") or "")

    async def generate(self, task: Revision) -> str:
        """The judge's response; one without text is a JudgeReplyError."""
        reply = await self._judge.ask(question(task, self._judge, self._max_tokens))
        written = reply.data.get("response")
        if not isinstance(written, str) or not written.strip():
            raise JudgeReplyError("response: should be the text of the answer")
        return written


def question(task: Revision, judge: object = None, max_tokens: int = 2048) -> Question:
    """Answer from the sources that fit; where there is a response already, put it right by the remarks on its claims."""
    room = max(windows.room(judge) - len(task.response), windows.LEAST_CHARS)
    fitted = windows.fit(
        {source.id: source.text or "" for source in task.sources}, f"{task.query} {task.response}", room
    )
    sources = [{"id": ident, "text": text} for ident, text in fitted.material.items()]
    material = {"question": task.query, "sources": json.dumps(sources, ensure_ascii=False, indent=1)}
    told = [fitted.note]
    if task.response:
        remarks = [{"claim": one.text, "status": one.status, "remark": one.reason} for one in task.claims]
        material |= {"response": task.response, "claims": json.dumps(remarks, ensure_ascii=False, indent=1)}
        told.insert(0, phrase("answer", "correct"))
    return ask_about(
        "answer",
        ours="\n".join(filter(None, told)),
        material=material,
        reply_schema=SCHEMA,
        max_tokens=max_tokens,
    )
