"""How far recorded judges agree with people, alone and through Witnessmark's flow.

PandaLM: pairs with three annotators and two recorded judges. DevAI: requirements of agent tasks, a person's and an agent
judge's word on each; the requirements go through the task checkpoint as criteria, with the recorded judge as the judge.
"""

from __future__ import annotations

import asyncio
import functools
import gzip
import json
import os
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from witnessmark import Case, Verifier
from witnessmark.core.protocols import Question
from witnessmark.testing import OneJudge, ScriptedJudge

DATA = (
    Path(os.environ.get("WITNESSMARK_DATA") or Path(__file__).resolve().parents[1].parent / "shared" / "data")
    / "judges"
)
Pair = tuple[Any, Any]


def report() -> str:
    lines = ["## Agreement with people: recorded judges, alone and through the flow", ""]
    for name, section in (("pandalm", _pandalm), ("devai_requirements", _devai)):
        file = DATA / f"{name}.jsonl.gz"
        lines += section(_rows(file)) if file.is_file() else [f"{name}: not measured: no data", ""]
    return "\n".join(lines)


def _rows(file: Path) -> list[dict[str, Any]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _agreement(pairs: Sequence[Pair]) -> tuple[float, float, float]:
    """Share settled, agreement on the settled, and Cohen's kappa on them."""
    settled = [(said, people) for said, people in pairs if said is not None]
    if not settled:
        return 0.0, 0.0, 0.0
    same = sum(said == people for said, people in settled) / len(settled)
    ours, theirs = Counter(s for s, _ in settled), Counter(p for _, p in settled)
    chance = sum(ours[word] * theirs[word] for word in ours) / len(settled) ** 2
    return len(settled) / len(pairs), same, (same - chance) / (1 - chance) if chance < 1 else 1.0


def _table(rows: Iterable[tuple[str, Sequence[Pair]]]) -> list[str]:
    lines = ["| who | coverage | agreement on what is settled | kappa |", "|---|--:|--:|--:|"]
    for who, pairs in rows:
        share, same, kappa = _agreement(pairs)
        lines.append(f"| {who} | {share:.3f} | {same:.3f} | {kappa:.3f} |")
    return [*lines, ""]


# --- PandaLM ---------------------------------------------------------------------------------------------------------


def _pandalm(rows: list[dict[str, Any]]) -> list[str]:
    votes = [[row[f"annotator{n}"] for n in (1, 2, 3)] for row in rows]
    agreed = [(row, _majority(vote)) for row, vote in zip(rows, votes, strict=True) if _majority(vote) is not None]
    gpt = [(_gpt(row), people) for row, people in agreed]
    panda = [(row["recorded"]["pandalm-7b"]["pandalm_result"], people) for row, people in agreed]
    both = [(one if one == other else None, people) for (one, people), (other, _) in zip(gpt, panda, strict=True)]
    person = [(vote[0], vote[1]) for vote in votes]
    lines = [
        f"### PandaLM: {len(agreed)} of {len(rows)} pairs on which two of three people agree (first, second or tie)",
        "",
    ]
    return lines + _table(
        [
            ("one person against another (the ceiling for a judge)", person),
            ("gpt-3.5-turbo, as recorded", gpt),
            ("pandalm-7b, as recorded", panda),
            ("both as a panel that abstains where they differ", both),
        ]
    )


def _majority(vote: list[int]) -> int | None:
    word, count = Counter(vote).most_common(1)[0]
    return word if count >= 2 else None


def _gpt(row: dict[str, Any]) -> int | None:
    return {"1": 1, "2": 2, "Tie": 0}.get(str(row["recorded"]["gpt-3.5-turbo"].get("gpt_result")))


# --- DevAI -----------------------------------------------------------------------------------------------------------


def _devai(rows: list[dict[str, Any]]) -> list[str]:
    tasks: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        tasks[row["framework"], row["task"]].append(row)
    recorded = [(row["agent_judge"]["gray_box"], row["human"]) for row in rows]
    started = time.process_time()
    flat, flat_asked = _through_the_flow(tasks.values(), needs=False)
    cpu_ms = (time.process_time() - started) * 1000 / len(tasks)
    graph, graph_asked = _through_the_flow(tasks.values(), needs=True)
    lines = [f"### DevAI: {len(rows)} requirements of {len(tasks)} agent runs, met or not", ""]
    lines += _table(
        [
            ("agent judge, as recorded", recorded),
            ("the same through the task checkpoint", flat),
            ("the same, requirements after their prerequisites", graph),
            ("… with what was skipped taken as not met", [(bool(said), people) for said, people in graph]),
        ]
    )
    kept = flat == recorded
    saved = 1 - graph_asked / flat_asked
    lines.append(f"Target: the flow changes no word of the judge: {'met' if kept else 'not met'}.")
    lines.append(
        f"As a decision graph it asks about {graph_asked} requirements instead of {flat_asked} ({saved:.0%} saved): those "
        "whose prerequisite is not met are skipped and count as unsettled."
    )
    lines.append(f"CPU {cpu_ms:.1f} ms an agent run of {len(rows) / len(tasks):.1f} criteria, judge not counted.")
    return [*lines, ""]


def _through_the_flow(tasks: Iterable[list[dict[str, Any]]], *, needs: bool) -> tuple[list[Pair], int]:
    pairs: list[Pair] = []
    asked = 0
    for rows in tasks:
        words = {row["criteria"]: bool(row["agent_judge"]["gray_box"]) for row in rows}
        judge = ScriptedJudge(functools.partial(_recorded, words))
        record = asyncio.run(Verifier(services={"judges": OneJudge(judge)}).verify(_case(rows, needs=needs)))
        said = {result.node: result.status for result in record.results}
        met = {"pass": True, "fail": False}
        pairs += [(met.get(said[f"criterion:{row['requirement_id']}"]), row["human"]) for row in rows]
        asked += sum(len(question.reply_schema["required"]) for question in judge.asked)
    return pairs, asked


def _case(rows: list[dict[str, Any]], *, needs: bool) -> Case:
    # A few requirements name themselves or a later one as their prerequisite; such a need says nothing and is dropped.
    criteria = [
        {
            "text": row["criteria"],
            "id": str(row["requirement_id"]),
            "needs": [str(p) for p in row["prerequisites"] if p < row["requirement_id"]] if needs else [],
        }
        for row in rows
    ]
    return Case.from_dict(
        {
            "goal": rows[0]["query"],
            "subject": {
                "kind": "task_output",
                "text": "The workspace the agent left behind; the recorded judge saw it.",
            },
            "criteria": criteria,
            "context": {"scoring_mode": "binary", "quality": False},
        }
    )


def _recorded(words: dict[str, bool], question: Question) -> dict[str, Any]:
    """The recorded word on each entry of the rubric, found by the criterion's own words."""
    lines = question.user.splitlines()
    reply = {}
    for key in question.reply_schema["required"]:
        line = next(line for line in lines if line.startswith(f"- {key} ("))
        text = line.partition("): ")[2]
        reply[key] = {"reasoning": "recorded", "score": words[text], "confidence": 0.9}
    return reply


if __name__ == "__main__":
    print(report())
