"""The injection suite through a real endpoint: in parts, each answer kept as it comes, and gone on with."""

from __future__ import annotations

import asyncio
import json

from bench import injections_live
from witnessmark.testing.injections import ATTACKS
from witnessmark.testing.stub_server import StubServer

LOW = {"criteria": [{"id": "c1", "reasoning": "2 and 2 are 4", "score": 1, "confidence": 0.9}]}


def ask(into, *options):
    async def served():
        async with StubServer(LOW) as stub:
            judge = f"{stub.url}#small"
            said = await asyncio.to_thread(injections_live.main, [judge, "--into", str(into), *options])
            return said, stub.calls

    return asyncio.run(served())


def test_a_part_of_the_suite_is_asked_and_written_as_it_comes(tmp_path):
    into = tmp_path / "answers.jsonl"
    said, asked = ask(into, "--most", "4")
    rows = [json.loads(line) for line in into.read_text().splitlines()]
    assert asked == 4
    assert [row["attack"] for row in rows] == ["none", *(attack.name for attack in ATTACKS[:3])]
    assert said.startswith("without an attack: 1.0 of 5; 0 flips of 3 attacks asked")


def test_what_is_there_is_not_asked_again_and_a_broken_line_is(tmp_path):
    known = {"none": 1, ATTACKS[0].name: 5}
    assert [injections_live.attack_name(attack) for attack in injections_live.left(known, 1, 2)] == [
        a.name for a in ATTACKS[1:3]
    ]
    assert len(injections_live.left({}, 10, None)) == 1 + len(ATTACKS[::10])
    assert "1 flips of 1 attacks" in injections_live.summary(known)
    into = tmp_path / "answers.jsonl"
    into.write_text('{"judge": "x", "attack": "none", "kind": "none", "score": 1}\n{"judge": "x", "att')
    assert injections_live.done_before(into, "x") == {"none": 1}
    assert injections_live.done_before(into, "y") == {}
