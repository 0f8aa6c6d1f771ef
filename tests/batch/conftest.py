"""Cases in files, and the command line in a folder of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest


@pytest.fixture
def case():
    return numbered


def numbered(number, **more):
    """Every third one fails, every fifth has something only a judge can say."""
    text = "no" if number % 3 == 0 else f"Report {number}: all is well."
    criteria = [{"check": "min_length", "value": 5}, {"check": "format_regex", "value": "Report [0-9]+"}]
    if number % 5 == 0:
        criteria.append("Is kind.")
    return {"id": f"c{number}", "subject": {"kind": "task_output", "text": text}, "criteria": criteria, **more}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def cases(place):
    """Write cases as JSON lines; a string or bytes is written as it is."""

    def save(name, given):
        lines = [
            one if isinstance(one, bytes) else one.encode() if isinstance(one, str) else json.dumps(one).encode()
            for one in given
        ]
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"\n".join([*lines, b""]))
        return path

    return save


@pytest.fixture
def cli(place, warm):
    """Run the command line; `start` leaves it running, as a real process that can be killed."""

    def run(*arguments, start=False, **more):
        options = {"cwd": place, "env": {**os.environ, "WITNESSMARK_STORE": "", "COLUMNS": "200"}, **more}
        command = [*([sys.executable] if start else warm), "-m", "witnessmark", *map(str, arguments)]
        if start:
            return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
        return subprocess.run(command, capture_output=True, text=True, check=False, **options)

    return run


GATE = """
import asyncio
from pathlib import Path
from witnessmark import Result, check

@check("gate", version="1", cost="local", register=False)
def gate(number: int, folder: str):
    async def look(case, prior):
        held, opened = Path(folder, f"held-{number}"), Path(folder, f"open-{number}")
        while not opened.exists():
            held.touch()
            await asyncio.sleep(0.01)
        return Result(status="pass")
    return look
"""


class Gate:
    """A check that holds a batch at the rows that ask for it until the test lets them through, in whichever process they are.

    It comes after checks that cost less, so a row that fails one of those (every third) is not held.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def criterion(self, number: int) -> dict:
        return {"check": "batch-gate/gate", "options": {"number": number, "folder": str(self._folder)}}

    def open(self, *numbers: int) -> None:
        for number in numbers:
            (self._folder / f"open-{number}").touch()

    def shut(self) -> None:
        for mark in self._folder.iterdir():
            mark.unlink()

    def wait(self, process: subprocess.Popen, number: int) -> None:
        """Until the batch stands at this row."""
        while not (self._folder / f"held-{number}").exists():
            assert process.poll() is None, process.communicate()[0].decode()
            time.sleep(0.01)


@pytest.fixture
def gate(place, tmp_path_factory, monkeypatch):
    """The check is installed for processes that are started as `python`, as a package of somebody else's would be."""
    (place / "witnessmark.toml").write_text("[limits]\ncheck_s = 86400\ncase_s = 86400\n", encoding="utf-8")
    site = tmp_path_factory.mktemp("site")
    (site / "batch_gate.py").write_text(GATE, encoding="utf-8")
    info = site / "batch_gate-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: batch-gate\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text("[witnessmark.checks]\ngate = batch_gate:gate\n", encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH")))))
    return Gate(tmp_path_factory.mktemp("gate"))


@pytest.fixture
def lines(place):
    def read(name):
        return [json.loads(line) for line in (place / name).read_bytes().splitlines()]

    return read
