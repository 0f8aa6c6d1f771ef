"""A store that is not SQL is one file: a module of the package that is named after its scheme."""

from __future__ import annotations

from pathlib import Path

import pytest

import witnessmark.stores
from witnessmark import Case, TaskOutput, Verifier
from witnessmark.core.errors import ConfigError
from witnessmark.core.registry import store_schemes
from witnessmark.stores import open_store

MODULE = '''
from witnessmark import store
from witnessmark.stores.memory import MemoryStore


@store("shelfmark")
def shelfmark(url):
    """Records by URL, for as long as this process lives."""
    return MemoryStore()
'''


@pytest.fixture
def in_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shelfmark.py").write_text(MODULE)
    monkeypatch.setattr(witnessmark.stores, "__path__", [*witnessmark.stores.__path__, str(tmp_path)])
    yield
    store_schemes.remove("shelfmark")


def test_a_module_named_after_a_scheme_is_found(in_the_package: None) -> None:
    verifier = Verifier(store="shelfmark:one")
    record = verifier.verify_sync(Case(goal="g", subject=TaskOutput(text="done")))
    assert open_store("shelfmark:two") is not None
    assert record.id


def test_a_scheme_that_nobody_knows_is_refused_with_those_that_are() -> None:
    with pytest.raises(ConfigError, match="write sqlite:///path, postgresql://user@host/database"):
        open_store("nosuch:one")
