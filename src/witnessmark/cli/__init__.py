"""The command line: parse, call, print. No judgement here; one file per family of commands."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run `witnessmark`. A hook runs at every stop of an agent, so it is spared the other commands."""
    try:
        if sys.argv[1:2] == ["hook"]:
            from witnessmark.cli.hook import run as run_hook

            run_hook(sys.argv[2:])
            return
        from witnessmark.cli.app import run

        run()
    except KeyboardInterrupt:  # while it starts
        sys.stderr.write("witnessmark: interrupted\n")
        _end_interrupted()
    except SystemExit as exc:
        if exc.code == INTERRUPTED:
            _end_interrupted()
        raise


INTERRUPTED = 130
"""As shells say it: 128 and the signal."""


def _end_interrupted() -> None:
    """End at once: a thread that is still in a model would be ended inside of its C++, which aborts the whole process."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(INTERRUPTED)
