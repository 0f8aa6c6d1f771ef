"""Whom judges are reached through: a module for each kind of endpoint. One that is put here is found, and named nowhere else."""

from __future__ import annotations

import pkgutil
from importlib import import_module


def load() -> None:
    """Import every module of this folder; each registers what it brings."""
    for found in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{found.name}")


load()
