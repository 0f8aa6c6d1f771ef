"""A small tree, and ways to verify a report about it."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from witnessmark import Case, Verifier
from witnessmark.actions.tree.view import TreeState
from witnessmark.core.record import Record


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree with two files, aged so that times are not racy."""
    root = tmp_path / "tree"
    (root / "src").mkdir(parents=True)
    (root / "a.txt").write_bytes(b"alpha\n")
    (root / "src" / "calc.py").write_bytes(b"def add(a, b):\n    return a - b\n")
    for path in (root / "a.txt", root / "src" / "calc.py"):
        os.utime(path, ns=(10**18, 10**18))
    return root


@pytest.fixture
def repository(tree: Path) -> Path:
    """The same tree as a git repository with one commit."""
    git(tree, "init", "-q", ".")
    git(tree, "add", "-A")
    git(tree, "-c", "user.email=a@example.org", "-c", "user.name=a", "commit", "-qm", "first")
    return tree


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout


@pytest.fixture
def report() -> Callable[..., Record]:
    """Verify a specialist's report."""

    def verify(
        *claims: dict[str, Any],
        world: TreeState | None = None,
        trace: list[dict[str, Any]] | None = None,
        policy: dict[str, Any] | None = None,
        services: dict[str, Any] | None = None,
        **subject: Any,
    ) -> Record:
        output = {"kind": "agent_output", "summary": "Done.", "traceRef": "trace:t1", "claims": list(claims)} | subject
        evidence = [{"id": "t1", "kind": "trace", "data": trace}] if trace is not None else []
        case = Case(subject=output, evidence=evidence, checkpoint="actions")
        handed = {"world": world} if world is not None else {}
        return Verifier(policy=policy, services=handed | (services or {})).verify_sync(case)

    return verify
