"""A judge, or a prompt that was changed, is tried on what people decided."""

from __future__ import annotations

import asyncio

from typer.testing import CliRunner

from witnessmark import Case, Verifier
from witnessmark.cli.app import command_line
from witnessmark.insight import review
from witnessmark.judges.qualification import override_items
from witnessmark.stores import open_store
from witnessmark.testing import OneJudge, ScriptedJudge
from witnessmark.testing.judges import scores


def task(text, *criteria):
    return Case(
        goal="Name the law",
        subject={"kind": "task_output", "text": text},
        criteria=criteria,
        context={"quality": False},
    )


async def decided(store, case, outcome):
    verifier = Verifier(store=store, services={"judges": OneJudge(ScriptedJudge(scores({"*": 5})))})
    record = await verifier.verify(case)
    await review.override(store, record.id, outcome=outcome, reason="I read it", by="ana")


async def filled(store):
    await decided(store, task("It is Act 5.", "Names the law", "Names the number"), "pass")
    await decided(store, task("It is a law.", "Names the law"), "fail")
    await decided(store, task("It is something.", "Names the law", "Names the number"), "fail")
    return await override_items(store, store, "default")


def test_what_people_said_becomes_questions_with_known_answers(tmp_path):
    store = open_store(f"sqlite:///{tmp_path}/r.db")
    items = asyncio.run(filled(store))
    told = {(item.work, item.criterion): item.met for item in items}
    assert told == {
        ("It is Act 5.", "Names the law"): True,
        ("It is Act 5.", "Names the number"): True,
        ("It is a law.", "Names the law"): False,
    }, "of bad work with two criteria nobody knows which one is unmet"  # req: S2-113


def test_a_judge_is_tried_on_them_from_the_command_line(tmp_path):
    url = f"sqlite:///{tmp_path}/r.db"
    empty = CliRunner().invoke(
        command_line(), ["judges", "qualify", "http://127.0.0.1:9/v1#m", "--overrides", "--store", url]
    )
    assert "nobody has decided" in str(empty.exception)

    async def work():
        from witnessmark.testing.stub_server import StubServer

        await filled(open_store(url))
        said = {"criteria": [{"id": "c1", "reasoning": "r", "score": 5, "confidence": 1.0}]}
        async with StubServer(said) as stub:
            args = ["judges", "qualify", f"{stub.url}#m", "--overrides", "--store", url]
            return await asyncio.to_thread(CliRunner().invoke, command_line(), args)

    done = asyncio.run(work())
    assert "of 3 answered, 3 asked" in done.output  # req: S2-113
    assert "right answers                        0.667" in done.output  # req: S2-113
