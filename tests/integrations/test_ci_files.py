"""The GitHub Action and the pre-commit hooks, run as their runners run them."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from witnessmark.cli.output import github

GOOD, BAD = "answer-borne-out.json", "answer-wrong-figure.json"
UNSURE = {"subject": {"kind": "task_output", "text": "Fine."}, "criteria": ["It is polite."]}


@pytest.fixture
def place(tmp_path, root):
    shutil.copytree(root / "examples", tmp_path / "examples")
    return tmp_path


def action(root):
    return yaml.safe_load((root / "action.yml").read_text(encoding="utf-8"))


@pytest.fixture
def run_action(warm_path):
    def run(root, folder: Path, **given):
        return runs_action(root, folder, warm_path, **given)

    return run


def runs_action(root, folder: Path, scripts: str, **given):
    """What the runner does: inputs into the environment of each step, each step in bash, the first that fails ends it."""
    told = action(root)
    inputs = {name: str(one.get("default", "")) for name, one in told["inputs"].items()} | {"package": ""} | given
    files = {name: folder / name.lower() for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    environment = {
        **os.environ,
        "PATH": os.pathsep.join((scripts, str(Path(sys.executable).parent), os.environ["PATH"])),
        **{name: str(file) for name, file in files.items()},
    }
    for file in files.values():
        file.touch()
    out, code = "", 0
    for step in told["runs"]["steps"]:
        if step.get("if") == "inputs.package != ''" and not inputs["package"]:
            continue
        env = {
            name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: inputs[m[1]], value)
            for name, value in step.get("env", {}).items()
        }
        assert "${{" not in step["run"], "inputs go through the environment, never into the script"
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=folder, env=environment | env, capture_output=True, text=True, check=False,
        )  # fmt: skip
        out, code = out + done.stdout + done.stderr, done.returncode
        if code:
            break
    outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text(encoding="utf-8").splitlines())
    return code, out, files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8"), outputs


@pytest.mark.parametrize(
    ("file", "installed"),
    [("action.yml", ["{here}", "{here}/models/local"]), ("pull-request/action.yml", ["{here}/.."])],
)
def test_what_is_installed_by_default_is_the_repository_of_the_action_and_no_name_from_an_index(
    root, tmp_path, file, installed
):
    """A name that nobody has registered yet is anybody's to register."""
    told = yaml.safe_load((root / file).read_text(encoding="utf-8"))
    (tmp_path / "python").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    (tmp_path / "python").chmod(0o755)
    here = (root / file).parent
    given = {
        "PATH": os.pathsep.join((str(tmp_path), os.environ["PATH"])),
        "PACKAGE": told["inputs"]["package"]["default"],
        "GITHUB_ACTION_PATH": str(here),
    }
    script = told["runs"]["steps"][0]["run"]
    done = subprocess.run(["bash", "-euc", script], env=given, capture_output=True, text=True, check=True)
    places = [word for word in done.stdout.splitlines()[3:] if not word.startswith("-")]
    assert places == [place.format(here=here) for place in installed]
    assert all((Path(place) / "pyproject.toml").exists() for place in places)


def test_a_good_case_passes_and_is_in_the_summary(root, place):
    installed = str(Path(sys.executable).parent)
    code, out, summary, outputs = runs_action(root, place, installed, cases=f"examples/cases/{GOOD}")
    assert code == 0, out
    assert outputs == {"exit-code": "0", "sarif": "witnessmark.sarif"}
    assert summary.startswith("### Witnessmark: 1 pass\n")
    assert "| answer\\-borne\\-out | answer | **pass** | accept | 1.00 | 1.00 |" in summary
    assert (place / "witnessmark.sarif").exists()


def test_a_bad_case_fails_the_job_with_a_table_and_annotations(run_action, root, place):
    code, out, summary, outputs = run_action(root, place, cases="examples/cases/answer-*.json")
    assert (code, outputs["exit-code"]) == (1, "1")
    assert summary.index("**fail**") < summary.index("**pass**")
    assert r"\"40 \%\" differs from source" in summary
    (line,) = [line for line in out.splitlines() if line.startswith("::error")]
    assert line.startswith(f"::error file=examples/cases/{BAD},line=1,title=Witnessmark%3A contradicted_claim::")
    assert "40 %25" in line


def test_exit_codes_are_those_of_the_contract_and_some_may_be_allowed(run_action, root, place):
    import json

    (place / "unsure.json").write_text(json.dumps(UNSURE), encoding="utf-8")
    assert run_action(root, place, cases="unsure.json")[0] == 4
    code, _, _, outputs = run_action(root, place, cases="unsure.json", allow="partial, unverified")
    assert (code, outputs["exit-code"]) == (0, "4")
    assert run_action(root, place, cases="no-such-*.json", allow="fail partial unverified")[0] == 2


def test_what_a_case_says_is_never_taken_for_a_command(run_action, root, place):
    import json

    hostile = {
        "id": "::error::forged | <img src=x> [a](http://b)",
        "subject": {"kind": "task_output", "text": "::set-output name=x::y"},
        "criteria": [{"check": "equals", "value": "::warning::no"}],
    }
    (place / "h.json").write_text(json.dumps(hostile), encoding="utf-8")
    _, out, summary, _ = run_action(root, place, cases="h.json")
    stopped, _, after = out.partition("::stop-commands::")[2].partition("\n")[2].partition("::error file=")
    token = out.partition("::stop-commands::")[2].partition("\n")[0]
    assert len(token) == 32
    assert f"::{token}::" in stopped
    assert "::error::forged" not in stopped.partition(f"::{token}::")[2] + after
    assert " <img" not in summary
    assert "\\<img" in summary
    assert "forged \\|" in summary


def test_inputs_are_data_not_script(run_action, root, place):
    code, _, _, _ = run_action(root, place, cases="$(touch pwned) `touch pwned` ; touch pwned")
    assert code == 2
    assert not (place / "pwned").exists()


def test_every_input_is_described(root):
    told = action(root)
    assert all(one["description"] for one in [*told["inputs"].values(), *told["outputs"].values()])


def test_a_case_in_a_list_is_annotated_at_its_file(run_action, root, place):
    import json

    bad = json.loads((place / "examples/cases" / BAD).read_text(encoding="utf-8"))
    (place / "list.json").write_text(json.dumps([bad]), encoding="utf-8")
    out = run_action(root, place, cases="list.json")[1]
    assert "::error file=list.json,line=1," in out


def test_a_summary_keeps_what_stood_there_and_counts_what_is_too_much(place, root, tmp_path):
    file = tmp_path / "s.md"
    file.write_text("before\n", encoding="utf-8")
    github.append(str(file), github.summary([], []))
    assert file.read_text(encoding="utf-8") == "before\n### Witnessmark: no cases\n\n"


# --- pre-commit ------------------------------------------------------------------------------------------------------


def hooks(root):
    return {one["id"]: one for one in yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}


@pytest.mark.parametrize(("case", "code"), [(GOOD, 0), (BAD, 1)])
def test_the_hook_verifies_the_files_it_is_handed(warm, root, place, case, code):
    hook = hooks(root)["witnessmark-verify"]
    shutil.copy(place / "examples/cases" / case, place / "it.case.json")
    command = shlex.split(hook["entry"])
    done = subprocess.run(
        [*warm, "-m", *command, "it.case.json"], cwd=place, capture_output=True, text=True, check=False
    )
    assert command[0] == "witnessmark"
    assert done.returncode == code, done.stdout


def test_the_hook_for_criteria_verifies_nothing(warm, root, place):
    entry = shlex.split(hooks(root)["witnessmark-criteria"]["entry"])
    done = subprocess.run(
        [*warm, "-m", *entry, f"examples/cases/{BAD}"], cwd=place, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "grounding" in done.stdout


def test_the_hooks_take_case_files_and_nothing_else(root):
    for hook in hooks(root).values():
        assert re.search(hook["files"], "tests/a.case.json")
        assert re.search(hook["files"], "tests/a.case.jsonl")
        assert not re.search(hook["files"], "package.json")
        assert hook["language"] == "python"
