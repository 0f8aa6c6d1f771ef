"""Effects outside of the tree: their state by the trace, and by a read-only probe that the user registered."""

import json
import sys

import pytest
from typer.testing import CliRunner

from witnessmark.actions.claim import ActionClaim
from witnessmark.actions.claims.collect import hold_all
from witnessmark.actions.rerun.probes import ask
from witnessmark.actions.trace.calls import ToolCall, Trace
from witnessmark.actions.tree.probes import EffectProbe
from witnessmark.actions.tree.view import TreeState
from witnessmark.cli.app import command_line

DEPLOYED = ActionClaim("effect", role="deployed", by="report", text="I deployed it.")


def python(code):
    return (sys.executable, "-c", code)


def ruled(probe=None, *calls):
    world = TreeState(probes={"deployed": probe} if probe else {})
    (ruling,) = hold_all([DEPLOYED], world, Trace("t", calls), "")
    return ruling


def call(output="", code=0):
    return ToolCall("c1", "bash", {"command": "kubectl rollout restart deploy/app"}, output, code, code == 0)


@pytest.mark.parametrize(
    ("calls", "status", "state"),
    [
        ((), "unverifiable", "not in the trace"),
        ((ToolCall("c1", "bash", {"command": "kubectl apply -f app.yml"}),), "unverifiable", "asked"),
        ((call("restarted"),), "unverifiable", "submitted"),
        ((call("https://app.example/ is live"),), "supported", "confirmed"),
        ((call("error: forbidden", 1),), "contradicted", "refuted"),
    ],
)
def test_an_effect_has_a_state_by_the_trace(calls, status, state):
    ruling = ruled(None, *calls)
    assert (ruling.status, ruling.there) == (status, state)


@pytest.mark.parametrize(
    ("code", "contains", "status", "state"),
    [
        ("print('version 1.4')", None, "supported", "confirmed"),
        ("print('version 1.4')", "1.4", "supported", "confirmed"),
        ("print('version 1.3')", "1.4", "contradicted", "refuted"),
        ("raise SystemExit(1)", None, "contradicted", "refuted"),
        ("raise SystemExit(7)", None, "unverifiable", "submitted"),
    ],
)
def test_a_registered_probe_says_whether_the_effect_is_there(code, contains, status, state):
    ruling = ruled(EffectProbe(run=python(code), contains=contains, contained=False), call("restarted"))
    assert (ruling.status, ruling.there) == (status, state)


def test_a_probe_that_takes_too_long_or_is_missing_says_nothing():
    slow = EffectProbe(run=python("import time; time.sleep(60)"), seconds=1, contained=False)
    assert ask(slow) == ("unknown", "the probe gave no answer within 1 s")
    assert ask(EffectProbe(run=("no-such-program-here",), contained=False))[0] == "unknown"


def test_a_probe_that_nothing_can_keep_from_writing_is_not_run(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    state, why = ask(EffectProbe(run=python(f"open({str(tmp_path / 'made')!r}, 'w')")))
    assert state == "unknown"
    assert "not run" in why
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(("version", "code"), [("1.4", 0), ("1.3", 1)])
def test_probes_are_registered_in_the_settings(tmp_path, version, code):
    settings = tmp_path / "witnessmark.toml"
    run = json.dumps(list(python(f"print({version!r})")))
    settings.write_text(f'[probes.deployed]\nrun = {run}\ncontains = "1.4"\ncontained = false\n')
    report = tmp_path / "report.md"
    report.write_text("I deployed version 1.4.\n")
    asked = ["verify", "--report", str(report), "--config", str(settings), "--store", f"sqlite:///{tmp_path}/s.db", "--json"]  # fmt: skip
    done = CliRunner().invoke(command_line(), asked)
    assert done.exit_code == code, done.output


def test_a_probe_without_a_command_is_refused_by_its_place(tmp_path):
    settings = tmp_path / "witnessmark.toml"
    settings.write_text("[probes.deployed]\nrun = []\n")
    done = CliRunner().invoke(command_line(), ["verify", "--report", str(settings), "--config", str(settings)])
    assert "probes" in str(done.exception)
    assert done.exit_code != 0
