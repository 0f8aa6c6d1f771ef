"""An item that begins with a file and says that it was run, called, read or checked tells of no change to it."""

from __future__ import annotations

import pytest

from witnessmark.actions.report.claims import claims_in
from witnessmark.actions.report.report import Report

from .conftest import Session  # type: ignore[import-not-found]

USED = [
    "`deploy/install.sh` I ran as it is.",
    "`deploy/install.sh`: executed twice, no output",
    "`deploy/install.sh` — ran it once, exit 0",
    "`deploy/install.sh` was called with `--all`",
    "`deploy/install.sh`: I only read it",
    "`deploy/install.sh`: reviewed",
    "`deploy/install.sh`: checked, no problem",
    "`deploy/install.sh` I looked into; the port is 8080",
    "`deploy/install.sh` runs clean",
    "`deploy/install.sh` passed",
    "`deploy/install.sh` habe ich unverändert aufgerufen.",
    "`deploy/install.sh` lief durch.",
    "`deploy/install.sh`: gelesen, passt",
    "`deploy/install.sh` wurde zweimal ausgeführt",
    "`deploy/install.sh` : exécuté deux fois, sans sortie",
    "`deploy/install.sh` : je l'ai lancé sans modification",
    "`deploy/install.sh` a tourné sans erreur",
    "`deploy/install.sh`: ejecutado dos veces, sin salida",
    "`deploy/install.sh` lo he leído",
    "`deploy/install.sh` terminó sin errores",
]
CHANGED = [
    "`a.py` — raised the limit",
    "`a.py`: new helper",
    "`a.py` ruft jetzt nginx auf",
    "`a.py`: checks the token before the call",
    "`a.py`: checked for None before the call",
    "`a.py`: read timeout raised to 30 s",
    "`a.py`: called `close()` in the finally block",
    "`a.py`: passed the timeout through to the client",
    "`a.py`: validated the input before saving",
    "`a.py`: executed in a worker thread now",
    "`a.py`: reviewed and shortened",
    "`a.py` I ran and then fixed the loop",
    "`a.py`: prüft jetzt das Token",
    "`a.py`: gelesen und angepasst",
    "`a.py` : exécuté dans une transaction désormais",
    "`a.py`: revisado y acortado",
]


def files_told(report: str) -> list[str | None]:
    return [claim.path for claim in claims_in(Report(report)).claims if claim.kind.startswith("file_")]


@pytest.mark.parametrize("over", ["", "What I did:\n\n", "## Changes\n\n"])
@pytest.mark.parametrize("item", USED)
def test_a_file_that_was_only_used_is_not_told_as_changed(item: str, over: str) -> None:
    assert files_told(f"{over}- {item}\n") == []


@pytest.mark.parametrize("item", CHANGED)
def test_a_file_that_something_else_is_told_of_was_changed(item: str) -> None:
    assert files_told(f"- {item}\n") == ["a.py"]


def test_a_row_that_says_that_a_file_was_run_tells_of_no_change() -> None:
    table = "| File | Changes |\n|---|---|\n| `a.py` | {} |\n"
    assert files_told(table.format("executed twice")) == []
    assert files_told(table.format("the limit is 5")) == ["a.py"]


def test_a_script_that_was_run_as_it_is_is_no_untruth(session: Session) -> None:
    session.has("deploy/media.conf", "size 8m\n").has("deploy/install.sh", "true\n").begins()
    session.edits("deploy/media.conf", "8m", "64m").runs("sh deploy/install.sh", "ok")
    report = "Die Konfiguration ist geändert:\n\n- `size` in `deploy/media.conf`: 8m → 64m\n- `deploy/install.sh` {}\n"
    assert session.stop(report.format("habe ich unverändert aufgerufen.")) == ""
    assert "its bytes are the same" in session.stop(report.format("habe ich gekürzt."))
