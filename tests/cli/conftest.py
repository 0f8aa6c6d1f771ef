"""The command line in this process, over a store of its own: quick, and a test may change what it runs on."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from witnessmark.cli.app import command_line
from witnessmark.core.errors import WitnessmarkError

CASE = {
    "id": "c1",
    "subject": {"kind": "task_output", "text": "hello there"},
    "criteria": [{"check": "min_length", "value": 3}],
}


@pytest.fixture
def store(tmp_path):
    return f"sqlite:///{tmp_path}/s.db"


@pytest.fixture
def cli(store, monkeypatch, tmp_path):
    """Run one command. What Witnessmark refuses is in `complaint`; `cli.app.run` prints it and exits with 2."""
    monkeypatch.setenv("WITNESSMARK_STORE", store)
    monkeypatch.chdir(tmp_path)

    def call(*arguments, stdin=None):
        result = CliRunner().invoke(command_line(), [str(a) for a in arguments], input=stdin)
        if isinstance(result.exception, WitnessmarkError):
            result.complaint = str(result.exception)
        elif result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return call


@pytest.fixture
def verified(cli):
    """Verify one text of at least so many characters, and give the record."""

    def one(text="hello there", least=3, ident="c1"):
        case = CASE | {"id": ident, "subject": {"kind": "task_output", "text": text}}
        case["criteria"] = [{"check": "min_length", "value": least}]
        return json.loads(cli("verify", "-", "--json", stdin=json.dumps(case)).stdout)

    return one


@pytest.fixture
def register_store():
    """The URL of a store that does what a store must and nothing more: no counts, no notes."""
    from witnessmark.core import registry
    from witnessmark.stores.memory import MemoryStore

    class Bare:
        def __init__(self):
            kept = MemoryStore()
            for name in ("append", "get", "find", "scan", "purge", "children", "close"):
                setattr(self, name, getattr(kept, name))

    registry.store("bare")(lambda url: Bare())
    yield "bare:"
    registry.store_schemes.remove("bare")
