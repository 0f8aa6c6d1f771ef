"""Cases in files, and the command line in a folder of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys

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


@pytest.fixture
def lines(place):
    def read(name):
        return [json.loads(line) for line in (place / name).read_bytes().splitlines()]

    return read
