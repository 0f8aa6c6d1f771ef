"""What `doctor` says about extras is what pyproject.toml offers."""

from __future__ import annotations

import importlib.util
import re
import tomllib

import pytest
from typer.testing import CliRunner

from witnessmark.cli.app import command_line
from witnessmark.cli.commands.project import EXTRAS, Extra


@pytest.fixture
def offered(root):
    with (root / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)["project"]["optional-dependencies"]


def test_every_extra_of_the_package_is_known_and_no_other(offered):
    assert [extra.name for extra in EXTRAS] == list(offered)


def test_each_brings_one_module_for_each_of_its_requirements(offered):
    assert {extra.name: len(extra.modules) for extra in EXTRAS} == {name: len(of) for name, of in offered.items()}


@pytest.mark.parametrize("extra", EXTRAS, ids=lambda extra: extra.name)
def test_their_modules_are_called_so(extra):
    """Development has all of them."""
    assert extra.there()


@pytest.mark.parametrize("module", ["no_such_module", "no_such_package.part"])
def test_one_of_which_a_part_is_missing_is_not_there(module):
    assert not Extra("some", ("msgspec", module), "nothing").there()


def test_every_hint_names_an_extra_that_there_is(root, offered):
    told = {
        name
        for folder, kind in (("src", "*.py"), ("docs", "*.md"))
        for path in (root / folder).rglob(kind)
        for name in re.findall(r"witnessmark\[([a-z-]+)\]", path.read_text(encoding="utf-8"))
    }
    assert told <= set(offered)
    assert {"mcp", "local", "postgres"} <= told


def test_doctor_says_what_is_missing_and_how_to_get_it(monkeypatch):
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *a: None if name == "ray" else real(name, *a))
    said = CliRunner().invoke(command_line(), ["doctor", "--store", "memory:"]).stdout.splitlines()
    assert "optional extra ray; pip install 'witnessmark[ray]' for batches on a Ray cluster" in said
    assert "ok       extra mcp" in said
    assert [line.split()[2].rstrip(";") for line in said if " extra " in line] == [extra.name for extra in EXTRAS]
