"""What is deployed holds up to its linters, and names only what there is. Nothing here starts a container."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import kubernetes_validate
import yaml

from witnessmark import config
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
    assert [one["kind"] for one in found] == ["ConfigMap", "Deployment", "Service", "PodDisruptionBudget"]
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
    pod = documents(root / "deploy" / "kubernetes.yaml")[1]["spec"]["template"]["spec"]
    for container in (*pod["initContainers"], *pod["containers"]):
        assert container["args"][0] in commands
    (composed,) = documents(root / "deploy" / "compose.yaml")
    assert composed["services"]["migrate"]["command"][1] in commands["store"].commands


def test_the_settings_of_the_pods_are_settings_and_its_workers_fit_its_memory(root, tmp_path):
    told, deployment, *_ = documents(root / "deploy" / "kubernetes.yaml")
    (tmp_path / "witnessmark.toml").write_text(told["data"]["witnessmark.toml"])
    settings, _ = config.load(None, {"WITNESSMARK_CONFIG": str(tmp_path / "witnessmark.toml")})
    pod = deployment["spec"]["template"]["spec"]
    (limit,) = (one["resources"]["limits"]["memory"] for one in pod["containers"])
    assert (settings.work.processes + 1) * 0.4 <= int(limit.removesuffix("Gi"))
    for container in (*pod["initContainers"], *pod["containers"]):
        (file,) = (one["value"] for one in container["env"] if one["name"] == "WITNESSMARK_CONFIG")
        assert file.startswith(tuple(one["mountPath"] for one in container["volumeMounts"]))


def test_the_first_key_is_made_before_a_service_is_started_that_needs_one(root):
    page = (root / "docs" / "deploy.md").read_text(encoding="utf-8")
    parts = {part.split("\n")[0]: part for part in page.split("\n## ")}
    starts = {"One image": "-p 127.0.0.1", "PostgreSQL and two services": " up --build", "Kubernetes": "kubectl apply"}
    parts |= {"compose.yaml": (root / "deploy" / "compose.yaml").read_text(encoding="utf-8")}
    for name, start in (starts | {"compose.yaml": " up --build"}).items():
        assert 0 < parts[name].index("keys create") < parts[name].index(start)


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
