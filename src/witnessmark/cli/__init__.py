"""The command line: parse, call, print. No judgement here; one file per family of commands."""

from __future__ import annotations

import sys


def main() -> None:
    """Run `witnessmark`. A hook runs at every stop of an agent, so it is spared the other commands."""
    if sys.argv[1:2] == ["hook"]:
        from witnessmark.cli.hook.command import run as run_hook

        run_hook(sys.argv[2:])
        return
    from witnessmark.cli.app import run

    run()
