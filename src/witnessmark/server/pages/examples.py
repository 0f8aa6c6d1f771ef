"""A few cases to begin with, for whoever opens the page and has none at hand. Plain values; nothing is verified here."""

from __future__ import annotations

from typing import Any

EXAMPLES: dict[str, tuple[str, dict[str, Any]]] = {
    "figure": (
        "An answer with a wrong figure",
        {
            "id": "annual-report",
            "goal": "How did the company do in 2025?",
            "subject": {
                "kind": "answer",
                "text": "Revenue grew 40 % in 2025. The company opened an office in Lyon. It was profitable in every quarter.",
            },
            "evidence": [
                {
                    "id": "d1",
                    "text": "Revenue grew 14 % in 2025, to 82 million euros. The company opened offices in Lyon and Porto.",
                },
                {
                    "id": "d2",
                    "text": "Headcount was 410 at the end of 2025. Maria Lopes has led the company since 2019.",
                },
            ],
        },
    ),
    "fine": (
        "An answer that its sources support",
        {
            "id": "opening-hours",
            "goal": "When is the library open on Saturdays?",
            "subject": {"kind": "answer", "text": "The library is open from 10 to 16 on Saturdays."},
            "evidence": [
                {
                    "id": "notice",
                    "text": "Opening hours: Monday to Friday 9 to 19. On Saturdays the library is open from 10 to 16.",
                }
            ],
        },
    ),
    "synthesis": (
        "A summary of two agents, with an invented sentence",
        {
            "id": "can-we-depend-on-it",
            "goal": "Can we depend on the library?",
            "subject": {
                "kind": "synthesis",
                "text": "The last release, 3.2, is from March 2024. The test suite of 3.2 passes on Python 3.11. The maintainers have promised version 4 for next spring.",
            },
            "evidence": [
                {
                    "id": "a1",
                    "kind": "agent_output",
                    "origin": "researcher",
                    "text": "The library has had no release since March 2024. Its last release is 3.2.",
                    "data": {"subgoal": "find the last release", "rests_on": ["t1"]},
                },
                {
                    "id": "a2",
                    "kind": "agent_output",
                    "origin": "tester",
                    "text": "The test suite of 3.2 passes on Python 3.11 and fails on Python 3.13 with two errors.",
                    "data": {"subgoal": "run its tests", "rests_on": ["t2", "t3"]},
                },
                {
                    "id": "t1",
                    "kind": "tool_call",
                    "name": "search",
                    "input": "releases",
                    "output": "3.2",
                    "exit_code": 0,
                },
                {"id": "t2", "kind": "tool_call", "name": "pytest", "input": "3.11", "output": "ok", "exit_code": 0},
                {
                    "id": "t3",
                    "kind": "tool_call",
                    "name": "pytest",
                    "input": "3.13",
                    "output": "2 failed",
                    "exit_code": 1,
                },
            ],
        },
    ),
    "task": (
        "A task with criteria",
        {
            "id": "release-notes",
            "goal": "Write release notes for version 2.4.",
            "subject": {
                "kind": "task_output",
                "text": "# Release notes 2.4\n\n## Added\n\n- Export to Parquet, with the same options as for CSV.\n\nTODO: list what was fixed.",
            },
            "criteria": [{"check": "required_sections", "value": ["Added", "Fixed"]}, {"check": "no_placeholders"}],
        },
    ),
}
