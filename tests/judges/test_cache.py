"""Answers are remembered by everything they depend on, and only answers."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from witnessmark.core import budget
from witnessmark.core.budget import Budget
from witnessmark.core.errors import JudgeReplyError, JudgeUnavailableError
from witnessmark.judges.ask import ask_about
from witnessmark.judges.cache import NEAR_S, CachedJudge, MemoryNotes, WorkspaceNotes
from witnessmark.judges.scripted_judge import ScriptedJudge
from witnessmark.stores import open_store

SCHEMA = {"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]}


def _question(text: str = "work", ours: str = "criterion", template: str = "rubric", seed: int = 1):
    return ask_about(template, ours=ours, material={"output": text}, reply_schema=SCHEMA, seed=seed)


def _asked(judge, *questions):
    async def go():
        return [await judge.ask(question) for question in questions]

    return asyncio.run(go())


def test_an_unchanged_output_is_not_judged_again():
    inner = ScriptedJudge(lambda q: {"score": 4})
    first, second = _asked(CachedJudge(inner), _question(), _question())
    assert len(inner.asked) == 1  # req: S2-106
    assert second.data == first.data
    assert (second.cached, second.usage.cached, second.usage.judge_calls) == (True, 1, 0)


@pytest.mark.parametrize("change", [{"text": "other"}, {"ours": "other"}, {"template": "principle"}, {"seed": 2}])
def test_seed2_weakness_05_the_key_covers_all_that_the_answer_depends_on(change):
    """Seed 2's key was run, task and output: not criteria, judge or prompt; and it remembered judge errors."""
    inner = ScriptedJudge(lambda q: {"score": 4})
    _asked(CachedJudge(inner), _question(), _question(**change))
    assert len(inner.asked) == 2


def test_another_temperature_is_another_question():
    inner = ScriptedJudge(lambda q: {"score": 4})
    _asked(CachedJudge(inner), _question(), replace(_question(), temperature=0.7))
    assert len(inner.asked) == 2


def test_seed2_weakness_05_errors_are_never_remembered():
    """Seed 2 kept a judge's failure and never asked again."""
    script = [JudgeReplyError("prose"), JudgeUnavailableError("down"), {"score": 3}]
    judge = CachedJudge(ScriptedJudge(script))
    for error in (JudgeReplyError, JudgeUnavailableError):
        with pytest.raises(error):
            _asked(judge, _question())
    assert _asked(judge, _question())[0].data == {"score": 3}


def test_another_judge_or_model_does_not_share_answers():
    notes = MemoryNotes()
    for name in ("one", "two"):
        (reply,) = _asked(CachedJudge(ScriptedJudge(lambda q: {"score": 1}, id=name), notes), _question())
        assert not reply.cached


def test_seed2_weakness_05_memory_is_bounded():
    """Seed 2's cache was a dictionary that only grew."""
    notes = MemoryNotes(most=2)

    async def go():
        for n in range(5):
            await notes.remember("s", str(n), b"{}")
        return [await notes.recall("s", str(n)) is not None for n in range(5)]

    assert asyncio.run(go()) == [False, False, False, True, True]


@pytest.mark.parametrize("url", ["memory:", "sqlite"])
def test_answers_outlive_the_process_in_the_store(url, tmp_path):
    async def go():
        store = open_store(f"sqlite:///{tmp_path}/a.db" if url == "sqlite" else url)
        judges = [CachedJudge(ScriptedJudge(lambda q: {"score": 4}), store) for _ in range(2)]
        replies = [await judge.ask(_question()) for judge in judges]
        await store.remember("answers", "k", b'{"a":1}')
        await store.remember("answers", "k", b'{"a":2}')
        replaced = await store.recall("answers", "k")
        await store.remember("qualifications", "j", b"{}")
        await store.purge()
        left = [await store.recall("answers", "k"), await store.recall("qualifications", "j")]
        await store.close()
        return replies, replaced, left

    replies, replaced, left = asyncio.run(go())
    assert [reply.cached for reply in replies] == [False, True]
    assert replaced == b'{"a":2}'
    assert left == [None, b"{}"]


def test_a_damaged_note_is_asked_again():
    class DamagedNotes(MemoryNotes):
        async def remember(self, namespace, key, body):
            await super().remember(namespace, key, b'{"data": {"score": "high"}, "model": "x"}')

    notes = DamagedNotes()

    async def go():
        judge = CachedJudge(ScriptedJudge(lambda q: {"score": 4}), notes)
        await judge.ask(_question())
        return await CachedJudge(ScriptedJudge(lambda q: {"score": 2}), notes).ask(_question())

    reply = asyncio.run(go())
    assert (reply.data, reply.cached) == ({"score": 2}, False)


def test_the_same_question_at_the_same_time_is_asked_once():
    class Slow(ScriptedJudge):
        async def ask(self, question):
            await asyncio.sleep(0.01)
            return await super().ask(question)

    inner = Slow(lambda q: {"score": 4})

    async def go():
        judge = CachedJudge(inner)
        return await asyncio.gather(*(judge.ask(_question()) for _ in range(5)))

    replies = asyncio.run(go())
    assert len(inner.asked) == 1
    assert sum(reply.cached for reply in replies) == 4


def test_one_who_is_called_off_takes_nothing_from_those_who_wait():
    async def go():
        asked, answer = asyncio.Event(), asyncio.Event()

        class Waiting(ScriptedJudge):
            async def ask(self, question):
                asked.set()
                await answer.wait()
                return await super().ask(question)

        judge = CachedJudge(Waiting(lambda q: {"score": 4}))
        first = asyncio.create_task(judge.ask(_question()))
        await asked.wait()
        others = [asyncio.create_task(judge.ask(_question())) for _ in range(3)]
        await asyncio.sleep(0)  # they run until they wait for the first
        first.cancel()
        answer.set()
        return await asyncio.gather(first, *others, return_exceptions=True)

    first, *others = asyncio.run(go())
    assert isinstance(first, asyncio.CancelledError)
    assert [reply.data for reply in others] == [{"score": 4}] * 3


def test_a_budget_that_is_gone_is_that_of_the_one_who_asked():
    """Whoever waited for the same answer was told that its budget was gone, too, and had not spent any."""
    waits = asyncio.Event()

    class Paid(ScriptedJudge):
        async def ask(self, question):
            await waits.wait()
            with budget.active.get().reserve(100, None):
                return await super().ask(question)

    inner = Paid(lambda q: {"score": 4})
    judge = CachedJudge(inner)

    async def asker(tokens):
        budget.active.set(Budget(tokens))
        return await judge.ask(_question())

    async def go():
        tasks = [asyncio.create_task(asker(tokens)) for tokens in (10, 20, 5_000, 5_000)]
        await asyncio.sleep(0)  # the first asks, the others wait for it
        waits.set()
        return await asyncio.gather(*tasks, return_exceptions=True)

    said = asyncio.run(go())
    assert [str(one) for one in said[:2]] == [f"the call needs 100 tokens and {left} are left" for left in (10, 20)]
    assert [reply.data for reply in said[2:]] == [{"score": 4}] * 2
    assert len(inner.asked) == 1


def test_a_purge_reaches_every_process_that_holds_answers(tmp_path):
    """Two services on one store; one of them purges the workspace, and the other asks anew within seconds."""
    now = [100.0]

    async def go():
        stores = [open_store(f"sqlite:///{tmp_path}/answers.db") for _ in range(2)]
        inner = [ScriptedJudge(lambda q: {"score": 4}) for _ in stores]
        judges = [
            CachedJudge(judge, WorkspaceNotes(store, "ours"), clock=lambda: now[0])
            for judge, store in zip(inner, stores, strict=True)
        ]
        for judge in judges:
            await judge.ask(_question())
        assert [len(judge.asked) for judge in inner] == [1, 0], "the second found what the first one was told"
        await stores[0].purge(workspace="ours")
        now[0] += NEAR_S
        for judge in judges:
            await judge.ask(_question())
        for store in stores:
            await store.close()
        return [len(judge.asked) for judge in inner]

    assert asyncio.run(go()) == [2, 0], "asked once more, by the first; the second found that answer"
