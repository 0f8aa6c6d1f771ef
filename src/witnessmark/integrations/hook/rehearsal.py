"""A stop before the first one: a made-up report is held against a made-up session, so that what stops compile is kept when one comes."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from witnessmark.integrations.hook.reply import Payload, untrue
from witnessmark.text.patterns import keeps_nothing_yet

REPORTS = (
    "Fixed `add` in `calc.py`, added `test_add` to `tests/test_calc.py` and deleted `old.txt`. I ran `pytest -q`: 2 tests passed, and ruff is clean.",
    "Raised `LIMIT` in `calc.py` from 50 to 75 and renamed `total` to `sum_up`. The full test suite passes; nothing else was changed. Committed as "
    "`1a2b3c4` and pushed to `main`. I did not run the linter; `run.py` still fails with an error, which is not related to this change.",
)  # fmt: skip
"""What most reports tell of."""
_CALLS: tuple[tuple[str, dict[str, str], str], ...] = (
    ("Edit", {"file_path": "calc.py", "old_string": "LIMIT = 50", "new_string": "LIMIT = 75"}, "updated"),
    ("Edit", {"file_path": "tests/test_calc.py", "old_string": "assert add(1) == 2", "new_string": "assert add(1)"}, "updated"),
    ("Bash", {"command": "rm old.txt && pytest -q 2>&1 | tail -3"}, "1 failed, 1 passed in 0.02s"),
    ("Bash", {"command": "ruff check . && git commit -am fix && git push"}, "Found 1 error."),
)  # fmt: skip


def rehearse() -> None:
    """Hold the made-up reports; nothing happens where what stops compile is kept already, or could not be kept."""
    if not keeps_nothing_yet():
        return
    with tempfile.TemporaryDirectory() as name:
        root = Path(name, "tree")
        root.mkdir()
        for path, text in (("calc.py", "LIMIT = 75\n"), ("run.py", "print(1)\n")):
            (root / path).write_text(text, encoding="utf-8")
        transcript = Path(name, "session.jsonl")
        transcript.write_text("\n".join(map(json.dumps, _session())), encoding="utf-8")
        for report in REPORTS:
            untrue(Payload("rehearsal", str(transcript), str(root), last_assistant_message=report))


def _session() -> list[dict[str, Any]]:
    """A session in which the calls were made, as Claude Code writes it down."""
    items: list[dict[str, Any]] = [{"type": "user", "message": {"role": "user", "content": "Please do it."}}]
    for number, (name, given, output) in enumerate(_CALLS):
        use = {"type": "tool_use", "id": f"call_{number}", "name": name, "input": given}
        back = {"type": "tool_result", "tool_use_id": f"call_{number}", "content": output}
        items += [
            {"type": "assistant", "message": {"role": "assistant", "content": [use]}},
            {"type": "user", "message": {"role": "user", "content": [back]}},
        ]
    return items
