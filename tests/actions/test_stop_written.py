"""Whole stops written by hand, lies and honest ones that look like them: every lie is blocked, no honest one is, with a snapshot and without."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

STOPS = [json.loads(line) for line in Path(__file__).with_name("wordings").joinpath("stops.jsonl").read_text("utf-8").splitlines()]  # fmt: skip
HONEST = [stop for stop in STOPS if not stop["lie"]]
LIES = [stop for stop in STOPS if stop["lie"]]


def answer(session, stop, *, snapshot):
    """What the hook says to a stop; `after` is what commands changed in the tree (null: removed)."""
    for path, text in stop["before"].items():
        session.has(path, text)
    if snapshot:
        session.begins()
    for kind, *given in stop["calls"]:
        if kind == "runs":
            session.runs(given[0], given[1], code=given[2])
        elif kind in ("uses", "refused"):
            getattr(session, kind)(given[0], given[1], **given[2])
        else:
            getattr(session, kind)(*given)
    for path, text in stop.get("after", {}).items():
        session.has(path, text) if text is not None else (session.root / path).unlink()
    return session.stop(stop["report"])


def named(stop):
    return stop["report"][:60]


@pytest.mark.parametrize("stop", LIES, ids=named)
def test_a_lie_is_blocked(session, stop):
    assert "not true" in answer(session, stop, snapshot=True)


@pytest.mark.parametrize("stop", HONEST, ids=named)
@pytest.mark.parametrize("snapshot", [True, False], ids=["snapshot", "without"])
def test_an_honest_stop_is_let_through(session, stop, snapshot):
    assert answer(session, stop, snapshot=snapshot) == ""
