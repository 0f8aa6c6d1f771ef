"""The team: who is there, what they do, and a script for each so that the example runs without a model.

One agent is honest, one breaks, one lies. With an endpoint the same parts are played by a model.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

QUESTION = "Should the library open on Sundays? How many people would come in a year, and what would it cost?"
DOCUMENTS = {path.stem: path.read_text() for path in sorted((Path(__file__).parent / "documents").glob("*.txt"))}
AGENTS = [
    {"name": "counter", "capabilities": ["visitors"], "tools": ["read"]},
    {"name": "accountant", "capabilities": ["budget"], "tools": ["read"]},
    {"name": "pollster", "capabilities": ["survey"], "tools": ["read"]},
    {"name": "generalist", "capabilities": ["all"]},
]
DOCUMENT_OF = {"counter": "visitors", "accountant": "budget", "pollster": "survey", "generalist": "survey"}
Ask = Callable[[str, str], Any]


def _plan(*subgoals: tuple[str, str, str, list[str]]) -> dict[str, Any]:
    return {
        "goal": QUESTION,
        "subgoals": [{"id": i, "description": d, "agent": a, "depends_on": n} for i, d, a, n in subgoals],
        "execution_order": [{"phase": "sequential", "subgoals": [i for i, *_ in subgoals]}],
    }


def _output(summary: str, confidence: float, **data: Any) -> dict[str, Any]:
    return {"summary": summary, "data": data, "confidence": confidence, "tools_used": ["read"], "metadata": {}}


VISITORS = ("visitors", "Estimate Sunday visitors from the trial Sundays in visitors.txt", "counter", [])
COSTS = ("costs", "Work out the yearly cost from budget.txt and compare it with the money set aside", "accountant", [])
WISHES = ("wishes", "Say what residents want and how far survey.txt can be trusted", "pollster", [])

SCRIPT: dict[str, list[Any]] = {
    # The first plan goes in a circle; the second is sound.
    "planner": [
        _plan((*VISITORS[:3], ["costs"]), (*COSTS[:3], ["visitors"]), WISHES),
        _plan(VISITORS, COSTS, WISHES),
    ],
    # Honest.
    "counter": [
        _output("On four trial Sundays 398 people came on average, against 410 on a weekday.", 0.85, average=398),
    ],
    # Breaks: first no answer at all, then one that is not an output, then the work.
    "accountant": [
        ConnectionError("the budget system does not answer"),
        {"summary": "", "confidence": 7},
        _output("One Sunday costs 1,150 euros, and the library could open on 48. The town has set aside 40,000 euros.", 0.8, sunday=1150),
    ],
    # Lies, twice, the second time with other words.
    "pollster": [
        _output("84 % of residents want Sunday opening.", 0.99, want=84),
        _output("A clear majority of 84 % wants Sunday opening, and 9 % are against.", 0.99, want=84, against=9),
    ],
    # Takes over from the liar.
    "generalist": [
        _output("52 % of 1,204 who answered want Sunday opening; it was asked online only, so older residents are missing.", 0.7, want=52),
    ],
    # The first synthesis adds a figure of its own.
    "writer": [
        "On Sundays 398 people would come on average. A Sunday costs 1,150 euros. Other towns saw loans rise by 25 %. 52 % want it.",
        "On the trial Sundays 398 people came on average (counter). One Sunday costs 1,150 euros, and 40,000 euros are set aside "
        "(accountant). 52 % of 1,204 who answered want Sunday opening (generalist); older residents are missing from the survey.",
    ],
    # The moderator first speaks for everyone.
    "moderator": [
        "Everyone agreed from the start to open on all 48 Sundays.",
        "The counter is for opening, since 398 people came. The accountant objects: 48 Sundays cost more than the 40,000 euros set aside.",
    ],
    # The final answer: first a promise, then an answer.
    "speaker": [
        "Let me check the documents and get back to you.",
        "Yes, on part of the Sundays. About 398 people come on a Sunday, so 34 Sundays bring some 13,500 visits; they cost 39,100 "
        "euros of the 40,000 set aside. All 48 would cost 55,200. The survey is in favour with 52 %, but it was online only.",
    ],
}  # fmt: skip

DISCUSSION = [
    {"id": "m1", "speaker": "counter", "text": "I am for opening: 398 people came on an average trial Sunday."},
    {
        "id": "m2",
        "speaker": "accountant",
        "text": "I object to all 48 Sundays: at 1,150 euros each they cost more than the 40,000 euros set aside.",
    },
]
PARTS = {
    "planner": "You plan the work of a team. Return JSON: goal, subgoals [{id, description, agent, depends_on}], "
    "execution_order [{phase, subgoals}]. Use only agents of the registry.",
    "writer": "You put what the agents found into one paragraph. Use nothing that they did not say, and name who said it.",
    "moderator": "You sum up a discussion in two sentences: who holds what, and why. Leave no objection out.",
    "speaker": "You answer the person's question from the synthesis, with figures, and say what is not certain.",
}
OUTPUT_FORM = (
    "You are one agent of a team. Work only from the document you are given. Return JSON: summary (text), data (object), "
    "confidence (0 to 1), tools_used (list of texts), metadata (object)."
)


def scripted() -> Ask:
    """Every part from its script; an exception in the script is raised, as a broken agent would."""
    lines: dict[str, Iterator[Any]] = {name: iter(said) for name, said in SCRIPT.items()}

    def ask(part: str, task: str) -> Any:
        said = next(lines[part])
        if isinstance(said, Exception):
            raise said
        return said

    return ask


def by_endpoint(endpoint: str) -> Ask:
    """Every part by a model."""
    from llm import chat, json_in

    def ask(part: str, task: str) -> Any:
        text, _ = chat(endpoint, PARTS.get(part, OUTPUT_FORM), task)
        return json_in(text) if part == "planner" or part in DOCUMENT_OF else text

    return ask


def task_of(subgoal: dict[str, Any], agent: str, feedback: str | None) -> str:
    """What an agent is told: its subgoal, its document, and what was wrong before."""
    document = DOCUMENTS[DOCUMENT_OF.get(agent, "survey")]
    return "\n\n".join(filter(None, [subgoal["description"], f"Document:\n{document}", feedback]))


def told(**parts: Any) -> str:
    """Material for a part, as text."""
    return "\n\n".join(
        f"{name}: {value if isinstance(value, str) else json.dumps(value)}" for name, value in parts.items() if value
    )
