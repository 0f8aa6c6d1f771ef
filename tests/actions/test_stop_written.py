"""Whole stops written by hand, lies and honest ones that look like them: every lie is blocked, no honest one is, with a snapshot and without."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def stops_in(name):
    return [json.loads(line) for line in Path(__file__).with_name("wordings").joinpath(name).read_text("utf-8").splitlines()]  # fmt: skip


STOPS = stops_in("stops.jsonl")
FIRST_CONTACT = stops_in("honest.jsonl")
"""Written by others to be played once, unseen; some of them were blocked then."""
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


@pytest.mark.parametrize("part", range(6))
@pytest.mark.parametrize("snapshot", [True, False], ids=["snapshot", "without"])
def test_honest_stops_of_others_are_let_through(session, tmp_path, part, snapshot):
    blocked = {}
    for number, stop in enumerate(FIRST_CONTACT[part::6]):
        place = tmp_path / str(number)
        (place / "repo").mkdir(parents=True)
        blocked[stop["report"]] = answer(type(session)(place / "repo", place), stop, snapshot=snapshot)
    assert {report: said for report, said in blocked.items() if said} == {}
