"""The work of the demo store: small cases made from tables of facts, good ones and ones with a known fault. Plain values."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

WEAK = "More could be said about this."
"""What the scripted judge takes for weak work."""
MODELS = ("gpt-4o", "claude-sonnet-4", "llama-3.3-70b")
AGENTS = ("writer", "researcher", "analyst", "support-bot")
COMPLEXITIES = ("SIMPLE", "SIMPLE", "MEDIUM", "MEDIUM", "MEDIUM", "COMPLEX", "CRITICAL")
HARDER = {"SIMPLE": 0.5, "MEDIUM": 0.95, "COMPLEX": 1.4, "CRITICAL": 1.7}
COST_USD = {"SIMPLE": 0.02, "MEDIUM": 0.05, "COMPLEX": 0.11, "CRITICAL": 0.24}
COMPANIES = ("Halden", "Norvik", "Castellan", "Ostrava Tools", "Lumen Press", "Brightwater", "Arkwright", "Tessera")
CITIES = ("Lyon", "Porto", "Gdansk", "Aarhus", "Turin", "Graz", "Bilbao", "Leiden")
TOPICS = ("billing export", "search filters", "mobile sign-in", "invoice archive", "team calendar", "audit trail")


@dataclass(frozen=True, slots=True)
class DemoWork:
    """One piece of work: the day it was made, its attempts as cases, and whether each of them is good."""

    day: int
    attempts: tuple[dict[str, Any], ...]
    good: tuple[bool, ...]

    @property
    def needs_judge(self) -> bool:
        """Whether somebody has to read it: a task's criteria in words, a goal."""
        return any("criteria" in case or case.get("checkpoint") == "goal" for case in self.attempts)


def works(chance: random.Random, days: int) -> Iterator[DemoWork]:
    """Everything that was made, day by day; quieter at weekends, better towards the end."""
    for day in range(days):
        many = chance.randint(4, 7) if day % 7 in (5, 6) else chance.randint(10, 17)
        faulty = 0.42 - 0.2 * day / max(1, days)
        for number in range(many):
            kind = chance.choices((_answer, _task, _synthesis, _report), (10, 5, 2, 2))[0]
            complexity = chance.choice(COMPLEXITIES)
            wrong = chance.random() < faulty * HARDER[complexity]
            yield kind(chance, day, f"{day + 1:02d}-{number + 1:02d}", wrong, complexity)


def _executor(chance: random.Random, complexity: str) -> tuple[dict[str, Any], dict[str, Any]]:
    cost = round(COST_USD[complexity] * (0.6 + 0.8 * chance.random()), 4)
    who = {"id": chance.choice(AGENTS), "model": chance.choice(MODELS), "cost_usd": cost}
    return who, {"complexity": complexity}


def _tries(chance: random.Random, bad: dict[str, Any], fine: dict[str, Any], faulty: bool, day: int) -> DemoWork:
    """Good at once, or bad first and put right at the second or third try, or never."""
    if not faulty:
        return DemoWork(day, (fine,), (True,))
    if chance.random() < 0.72:
        return DemoWork(day, (bad, fine), (False, True))
    return (
        DemoWork(day, (bad, bad, fine), (False, False, True))
        if chance.random() < 0.5
        else DemoWork(day, (bad,) * 3, (False,) * 3)
    )


def _answer(chance: random.Random, day: int, name: str, faulty: bool, complexity: str) -> DemoWork:
    company, city, other = chance.choice(COMPANIES), *chance.sample(CITIES, 2)
    grew, million, staff = chance.randint(3, 38), chance.randint(12, 240), chance.randint(60, 900)
    year = chance.choice((2023, 2024, 2025))
    who, context = _executor(chance, complexity)
    evidence = [
        {"id": "report", "text": f"{company} annual report {year}. Revenue grew {grew} % in {year}, to {million} million euros. The company opened offices in {city} and {other}."},
        {"id": "staff", "text": f"Headcount of {company} was {staff} at the end of {year}."},
    ]  # fmt: skip
    fine = f"Revenue of {company} grew {grew} % in {year}, to {million} million euros. At the end of {year} its headcount was {staff}."
    wrong = chance.choice(
        (
            fine.replace(f"{grew} %", f"{grew + chance.randint(4, 30)} %"),
            fine + " It plans to enter the Japanese market next spring.",
            fine.replace(f"headcount was {staff}", f"headcount was {staff * 3}"),
            f"{company} opened an office in {city}. Analysts expect it to double its profit within two years.",
        )
    )
    base = {
        "id": f"{company.lower().replace(' ', '-')}-{name}",
        "goal": f"How did {company} do in {year}?",
        "evidence": evidence,
        "executor": who,
        "context": context,
    }
    return _tries(
        chance, base | {"subject": {"kind": "answer", "text": wrong}}, base | {"subject": {"kind": "answer", "text": fine}}, faulty, day
    )  # fmt: skip


def _task(chance: random.Random, day: int, name: str, faulty: bool, complexity: str) -> DemoWork:
    topic, version = chance.choice(TOPICS), f"{chance.randint(1, 4)}.{chance.randint(0, 9)}"
    who, context = _executor(chance, complexity)
    fine = (
        f"# Release notes {version}\n\nThis release is about the {topic}.\n\n## Added\n\n- The {topic} can be opened from the command line.\n\n"
        f"## Fixed\n\n- The {topic} no longer times out on slow connections.\n"
    )
    wrong = chance.choice(
        (
            fine.replace("## Fixed", "## TODO"),
            fine + "\nTODO: add the rest.\n",
            fine + f"\n{WEAK}\n",
            fine.split("## Fixed", maxsplit=1)[0],
        )
    )
    base = {
        "id": f"notes-{topic.replace(' ', '-')}-{name}",
        "goal": f"Write release notes for version {version}.",
        "criteria": [
            {"check": "required_sections", "value": ["Added", "Fixed"]},
            {"check": "no_placeholders"},
            {"text": "A reader who uses the product knows what changed for them.", "scale": "likert5"},
        ],
        "executor": who,
        "context": context,
    }  # fmt: skip
    return _tries(
        chance, base | {"subject": {"kind": "task_output", "text": wrong}}, base | {"subject": {"kind": "task_output", "text": fine}}, faulty, day
    )  # fmt: skip


def _synthesis(chance: random.Random, day: int, name: str, faulty: bool, complexity: str) -> DemoWork:
    company, version, errors = (
        chance.choice(COMPANIES),
        f"{chance.randint(1, 6)}.{chance.randint(0, 9)}",
        chance.randint(2, 9),
    )
    who, context = _executor(chance, complexity)
    evidence = [
        {"id": "a1", "kind": "agent_output", "origin": "researcher", "text": f"The last release of the {company} client is {version}, from March 2024.",
         "data": {"subgoal": "find the last release", "rests_on": ["t1"]}},
        {"id": "a2", "kind": "agent_output", "origin": "tester", "text": f"The test suite of {version} passes on Python 3.11 and fails on Python 3.13 with {errors} errors.",
         "data": {"subgoal": "run its tests", "rests_on": ["t2", "t3"]}},
        {"id": "t1", "kind": "tool_call", "name": "search", "input": "releases", "output": version, "exit_code": 0},
        {"id": "t2", "kind": "tool_call", "name": "pytest", "input": "3.11", "output": "ok", "exit_code": 0},
        {"id": "t3", "kind": "tool_call", "name": "pytest", "input": "3.13", "output": f"{errors} failed", "exit_code": 1},
    ]  # fmt: skip
    fine = f"The last release of the {company} client is {version}, from March 2024. Its test suite passes on Python 3.11 and fails on Python 3.13 with {errors} errors."
    wrong = fine + " The maintainers have promised a new version for next spring."
    base = {
        "id": f"client-{company.lower().replace(' ', '-')}-{name}",
        "goal": f"Can we depend on the {company} client?",
        "evidence": evidence,
        "executor": who,
        "context": context,
    }
    return _tries(
        chance, base | {"subject": {"kind": "synthesis", "text": wrong}}, base | {"subject": {"kind": "synthesis", "text": fine}}, faulty, day
    )  # fmt: skip


def _report(chance: random.Random, day: int, name: str, faulty: bool, complexity: str) -> DemoWork:
    """What an agent hands back about itself; a good half of these only a person can settle."""
    topic = chance.choice(TOPICS)
    who, context = _executor(chance, complexity)
    base: dict[str, Any] = {
        "id": f"handover-{topic.replace(' ', '-')}-{name}",
        "goal": f"Is the {topic} ready to ship?",
        "executor": who,
        "context": context,
    }
    fine = {
        "kind": "agent_output",
        "summary": f"The {topic} was checked against its three acceptance tests; all of them hold.",
        "data": {"tests": 3, "passed": 3},
        "confidence": 0.86,
        "tools_used": ["test-runner"],
        "metadata": {"took_s": chance.randint(20, 90)},
    }
    wrong = fine | chance.choice(({"summary": ""}, {"confidence": 1.7}, {"tools_used": "test-runner"}))
    if chance.random() < 0.35:
        text = (
            f"The {topic} is ready, as far as the three people we asked can tell. Nobody has tried it with real data."
        )
        return DemoWork(
            day, (base | {"checkpoint": "goal", "subject": {"kind": "answer", "text": text}},), (not faulty,)
        )
    return _tries(chance, base | {"subject": wrong}, base | {"subject": fine}, faulty, day)
