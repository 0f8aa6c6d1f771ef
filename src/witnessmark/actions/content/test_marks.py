"""What switches a test off or singles it out, and what nearly every mistake raises, by the names that test frameworks give it."""

from __future__ import annotations

from itertools import product
from typing import Literal

from witnessmark.text.patterns import compiled

RUNNERS = frozenset({"it", "test", "describe", "context", "suite"})
"""What tests and groups of them are called with."""
_OFF = ("skip", "todo", "failing", "fails", "fixme", "skipIf(true)")
SKIPPING = frozenset(f"{one}.{off}" for one, off in product(RUNNERS, _OFF)) | {"xit", "xtest", "xdescribe", "t.skip", "this.skip"}  # fmt: skip
"""Calls of JavaScript's runners whose tests do not count."""
SINGLING = frozenset(f"{one}.only" for one in RUNNERS) | {"fit", "fdescribe"}
"""Calls whose tests are the only ones that run."""
_OPTION = compiled(r"\b(\w+)\s*:(?!\s*false\b)")
BROAD = frozenset(f"{name}.class" for name in ("Exception", "Throwable", "RuntimeException"))
"""What nearly every mistake in Java raises."""
NOT_BUILT = ("//go:build ignore", "// +build ignore")
"""Comments at the head of a file of Go that is not built."""


def called_with(options: str) -> Literal["skip", "only", ""]:
    """How the options of a call of node's runner switch its test: `test('adds', { skip: true }, …)`; empty where none does."""
    given = set(_OPTION.findall(options))
    return "only" if "only" in given else "skip" if given & {"skip", "todo"} else ""


def marks_file(name: str) -> bool:
    """Whether a name of Python holds the marks of all tests of its file: `pytestmark = pytest.mark.skip`."""
    return name == "pytestmark"
