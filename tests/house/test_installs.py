"""An install takes what its lock names and looks for nothing else, and a lock names all that its packages need."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, requires

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

INSTALLERS = ("Makefile", "deploy/Dockerfile", "tools/release_check.py", "bench/bench_flow.py")
LOCKS = ("core", "demo", "dev", "service")


@pytest.mark.parametrize("name", INSTALLERS)
def test_an_install_by_a_lock_resolves_nothing(root, name):
    # A resolver that looks around may take a version released today instead of the locked one, and refuses it for its hash.
    lines = [line for line in (root / name).read_text(encoding="utf-8").splitlines() if "--require-hashes" in line]
    assert lines
    assert [line for line in lines if "--no-deps" not in line] == []


def locked(root, lock):
    text = (root / "requirements" / f"{lock}.lock").read_text(encoding="utf-8")
    return [Requirement(line.rstrip(" \\")) for line in re.findall(r"^[a-z0-9][^\s=]*==[^\n]*", text, re.MULTILINE)]


def needed(requirement, extras):
    """What an installed package asks for on this machine, with these extras; nothing where it is not installed."""
    try:
        told = [Requirement(line) for line in requires(requirement) or ()]
    except PackageNotFoundError:
        return []
    return [one for one in told if one.marker is None or any(one.marker.evaluate({"extra": x}) for x in ("", *extras))]


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_all_that_its_packages_need(root, lock):
    names = {canonicalize_name(one.name) for one in locked(root, lock)}
    assert "aiohttp" in names
    extras: dict[str, set[str]] = {name: set() for name in names}
    for one in map(Requirement, requires("witnessmark") or ()):
        extras.get(canonicalize_name(one.name), set()).update(one.extras)
    missing, waiting = set(), sorted(names)
    while waiting:
        name = waiting.pop()
        for one in needed(name, extras[name]):
            asked = canonicalize_name(one.name)
            if asked not in names:
                missing.add(f"{name} needs {one}")
            elif not one.extras <= extras[asked]:
                extras[asked] |= one.extras
                waiting.append(asked)
    assert missing == set()
