"""A small tree, and ways to verify a report about it."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from witnessmark import Case, Verifier
from witnessmark.actions.tree.view import TreeState
from witnessmark.core.record import Record
from witnessmark.integrations.hook.memory import HookMemory
from witnessmark.integrations.hook.reply import reply_to


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


class Session:
    """A working folder and what an agent did in it, written down as Claude Code does; `stop` is the stop hook's answer."""

    def __init__(self, root: Path, place: Path) -> None:
        self.root, self.place = root, place
        self.items: list[dict[str, Any]] = [{"type": "user", "message": {"role": "user", "content": "Please do it."}}]
        self.stops = 0
        self.kept: dict[str, Any] = {}

    def begins(self) -> Session:
        """The session starts: how the folder is now is kept, and stops are held against it."""
        self.kept = {"session_id": "kept"}
        self.stop("", hook_event_name="SessionStart")
        return self

    def asks(self, text: str) -> Session:
        """The person says something: a turn begins."""
        self.items.append({"type": "user", "message": {"role": "user", "content": text}})
        return self

    def runs(self, command: str, output: str = "", code: int = 0) -> Session:
        """A command was run and printed this."""
        told: Any = {"stdout": output, "stderr": "", "interrupted": False} if not code else f"Error: Exit code {code}"
        return self._called("Bash", {"command": command}, output if not code else f"Exit code {code}\n{output}", told)

    def writes(self, path: str, text: str) -> Session:
        """A file was written, in the tree as well."""
        self._put(path, text)
        return self._called("Write", {"file_path": str(self.root / path), "content": text}, "File created", {})

    def edits(self, path: str, old: str, new: str) -> Session:
        """A file that holds the old text was edited; it is made where it is not there."""
        place = self.root / path
        before = place.read_text() if place.exists() else old
        self._put(path, before.replace(old, new, 1))
        given = {"file_path": str(place), "old_string": old, "new_string": new}
        return self._called("Edit", given, "The file has been updated.", {"filePath": str(place)})

    def deletes(self, path: str) -> Session:
        """A file was removed by a command."""
        (self.root / path).unlink(missing_ok=True)
        return self.runs(f"rm {path}")

    def uses(self, name: str, output: str = "done", **given: Any) -> Session:
        """Some other tool was called with this and answered that."""
        return self._called(name, given, output, {})

    def refused(self, name: str, why: str, **given: Any) -> Session:
        """A tool was called and answered with an error."""
        return self._called(name, given, why, f"Error: {why}")

    def has(self, path: str, text: str = "x = 1\n") -> Session:
        """A file is there that no call made."""
        self._put(path, text)
        return self

    def stop(self, report: str, **more: Any) -> str:
        """What the agent is told about its report; empty where it may stop in silence."""
        self.stops += 1
        transcript = self.place / "transcript.jsonl"
        transcript.write_text("\n".join(json.dumps(item) for item in self.items))
        payload = {
            "session_id": f"s{self.stops}",
            "transcript_path": str(transcript),
            "cwd": str(self.root),
            "last_assistant_message": report,
        }
        body = reply_to(json.dumps(payload | self.kept | more).encode(), HookMemory(self.place / "state"), 3).body
        return "" if body is None else str(body.get("reason") or body["systemMessage"])

    def verified(self, report: str) -> Record:
        """What `verify` says of a report in plain words, by the same transcript and folder."""
        transcript = "\n".join(json.dumps(item) for item in self.items)
        output = {"kind": "agent_output", "summary": report}
        case = Case(subject=output, evidence=[{"id": "t1", "kind": "trace", "text": transcript}], checkpoint="actions")
        return Verifier(services={"world": TreeState(root=self.root)}).verify_sync(case)

    def _put(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def _called(self, name: str, given: dict[str, Any], output: str, told: Any) -> Session:
        identity = f"toolu_{len(self.items)}"
        use = {"type": "tool_use", "id": identity, "name": name, "input": given}
        back = {"type": "tool_result", "tool_use_id": identity, "content": output, "is_error": isinstance(told, str)}
        self.items.append({"type": "assistant", "message": {"role": "assistant", "content": [use]}})
        self.items.append({"type": "user", "message": {"role": "user", "content": [back]}, "toolUseResult": told})
        return self


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """An agent that has done nothing yet, in an empty folder."""
    root = tmp_path / "repo"
    root.mkdir()
    return Session(root, tmp_path)
