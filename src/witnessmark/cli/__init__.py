"""The command line: parse, call, print. No judgement here; one file per family of commands."""

from __future__ import annotations


def main() -> None:
    """Run `witnessmark`."""
    from witnessmark.cli.app import run

    run()
