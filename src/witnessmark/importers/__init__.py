"""Other tools' files as cases: a module for each format, which reads values and knows no file and no command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from witnessmark.core.errors import UnknownNameError
from witnessmark.importers.import_result import ImportResult

FORMATS: Mapping[str, str] = {
    "ragas": "Ragas datasets: JSON, JSON lines or CSV, with current or older field names",
    "deepeval": "DeepEval test cases: JSON or JSON lines",
    "promptfoo": "promptfoo configurations (YAML or JSON) and result files (JSON)",
    "openai-evals": "OpenAI Evals: the definition with its graders (JSON); items and samples by --outputs",
}
Read = Callable[[Any, Any], ImportResult]
"""From the file's data and that of `--outputs` (None where there is none) to cases and what was left out."""


def reader(name: str) -> Read:
    """The importer of a format."""
    if name not in FORMATS:
        raise UnknownNameError("format", name, FORMATS, f"; known are {', '.join(FORMATS)}")
    read: Read = import_module(f"witnessmark.importers.{name.replace('-', '_')}").read
    return read
