"""What is deployed holds up to its linters, and names only what there is. Nothing here starts a container."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import kubernetes_validate
import yaml

from witnessmark.cli.app import command_line
from witnessmark.insight import prometheus


def documents(file):
    return list(yaml.safe_load_all(file.read_text(encoding="utf-8")))


def test_the_image_file_passes_hadolint(root):
    hadolint = Path(sys.executable).with_name("hadolint")
    done = subprocess.run([hadolint, root / "deploy" / "Dockerfile"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_what_the_image_copies_is_there_and_not_ignored(root):
    text = (root / "deploy" / "Dockerfile").read_text(encoding="utf-8")
    copied = [name for line in re.findall(r"^COPY (?!--from)(.*)$", text, re.MULTILINE) for name in line.split()[:-1]]
    kept = {line.removeprefix("!") for line in (root / ".dockerignore").read_text(encoding="utf-8").splitlines()[1:]}
    assert [name for name in copied if not (root / name).exists() and not name.endswith(".lock")] == []
    assert {name.split("/")[0] for name in copied} <= kept


def test_the_manifests_are_valid_kubernetes(root):
    found = documents(root / "deploy" / "kubernetes.yaml")
    assert [one["kind"] for one in found] == ["Deployment", "Service", "PodDisruptionBudget"]
    for one in found:
        kubernetes_validate.validate(one, "1.30", strict=True)


def test_two_services_and_a_database_are_composed(root):
    (told,) = documents(root / "deploy" / "compose.yaml")
    services = told["services"]
    assert set(services) == {"db", "migrate", "one", "two"}
    stores = {one["environment"].get("WITNESSMARK_STORE") for name, one in services.items() if name != "db"}
    assert len(stores) == 1
    assert services["two"]["depends_on"] == {"migrate": {"condition": "service_completed_successfully"}}


def test_commands_and_probes_name_what_there_is(root):
    from typer.main import get_command

    commands = get_command(command_line()).commands
    pod = documents(root / "deploy" / "kubernetes.yaml")[0]["spec"]["template"]["spec"]
    for container in (*pod["initContainers"], *pod["containers"]):
        assert container["args"][0] in commands
    (composed,) = documents(root / "deploy" / "compose.yaml")
    assert composed["services"]["migrate"]["command"][1] in commands["store"].commands


def test_the_dashboard_asks_for_metrics_that_are_served(root):
    dashboard = json.loads((root / "deploy" / "grafana.json").read_text(encoding="utf-8"))
    asked = {
        name
        for panel in dashboard["panels"]
        for target in panel["targets"]
        for name in re.findall(r"witnessmark_\w+", target["expr"])
    }
    assert len(asked) >= 9
    assert asked <= prometheus.NAMES
