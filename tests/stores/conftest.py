"""A new store for each test."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def sqlite_url(tmp_path: Any) -> str:
    """A new store in a file."""
    return f"sqlite:///{tmp_path}/records.db"
