"""Cases that ask a judge: so many at once as allowed, never more, and with what they cost in the tally."""

from __future__ import annotations

import asyncio
import json

import pytest

from witnessmark.batch import job
from witnessmark.batch.values import Chunk, ChunkWork, Row
from witnessmark.batch.worker import Worker, in_turn
from witnessmark.judges.scripted_judge import ScriptedJudge
from witnessmark.settings import Settings
from witnessmark.testing.judges import OneJudge, scores


class Busy:
    """A judge that notes how many questions were with it at once; each waits until others had time to come."""

    def __init__(self):
        self._judge = ScriptedJudge(scores({"*": 0.9}))
        self.id, self.family = self._judge.id, self._judge.family
        self.now = self.most = self.asked = 0

    async def ask(self, question):
        self.now += 1
        self.asked += 1
        self.most = max(self.most, self.now)
        for _ in range(20):
            await asyncio.sleep(0)
        try:
            return await self._judge.ask(question)
        finally:
            self.now -= 1


def chunks(count, size):
    def row(number):
        case = {"id": f"c{number}", "subject": {"kind": "task_output", "text": f"Report {number}, all of it."}}
        return Row(number, "", json.dumps(case | {"criteria": [f"Is kind to reader {number}."]}).encode())

    rows = [row(number) for number in range(count)]
    return [Chunk(at // size, tuple(rows[at : at + size])) for at in range(0, count, size)]


@pytest.mark.parametrize("concurrency", [1, 3, 8])
def test_at_most_so_many_cases_wait_for_the_judge_at_once(concurrency):
    judge = Busy()
    worker = Worker(ChunkWork(Settings(), concurrency=concurrency), {"judges": OneJudge(judge)})
    made = list(in_turn(worker, iter(chunks(40, 5))))
    assert [done.number for done in made] == list(range(8))
    assert judge.most == concurrency
    assert judge.asked >= 40
    assert sum(done.tally.usage.judge_calls for done in made) == judge.asked
    names = [json.loads(line)["case_id"] for done in made for line in done.lines.splitlines()]
    assert names == [f"c{number}" for number in range(40)]


def test_the_next_chunk_begins_where_the_last_one_only_waits():
    judge = Busy()
    worker = Worker(ChunkWork(Settings(), concurrency=4), {"judges": OneJudge(judge)})
    list(in_turn(worker, iter(chunks(12, 1))))
    assert judge.most == 2


def test_with_a_judge_chunks_are_small_so_that_little_is_asked_twice():
    judged = Settings(judges={"j": {"url": "http://127.0.0.1:9/v1", "model": "m"}})
    assert job.asks_judges(judged)
    assert not job.asks_judges(Settings())
    assert job.CHUNK_PAID < job.CHUNK
