"""Importing this module registers the built-in checks; nothing else does, so one family can be had without the others."""

from __future__ import annotations

import pkgutil
from importlib import import_module

from witnessmark import checks


def load() -> None:
    """Import every module of every family: a check that is put into one is found, and named nowhere else."""
    for found in pkgutil.walk_packages(checks.__path__, f"{checks.__name__}."):
        import_module(found.name)


load()
