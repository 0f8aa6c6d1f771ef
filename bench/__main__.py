"""Runs every bench_*.py in a process of its own and puts the sections together: `python -m bench [NAME…]`."""

from __future__ import annotations

import platform
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "RESULTS.md"
INTRO = """# Measured

Written by `make bench`. CPU time (user + system) in seconds, milliseconds or microseconds as named, best of several rounds;
every figure stands beside its floor from the same run, because the machine is shared and noisy: read ratios.
"""


def main() -> int:
    """Measure what was named, or everything; sections that were not measured now are kept as they are."""
    wanted = sys.argv[1:]
    made: dict[str, str] = {}
    failed = 0
    for path in sorted(HERE.glob("bench_*.py")):
        name = path.stem.removeprefix("bench_")
        if wanted and name not in wanted:
            continue
        print(f"measuring {name} …", file=sys.stderr, flush=True)
        code = f"from bench.{path.stem} import report; print(report())"
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=HERE.parent, capture_output=True, text=True, check=False
        )
        if done.returncode:
            failed += 1
            print(done.stderr, file=sys.stderr)
            continue
        stamp = f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {platform.machine()}"
        made[name] = f"<!-- {name} -->\n{done.stdout.strip()}\n\n_Measured {stamp}._\n"
        print(done.stdout)
    # Read only now: another run may have written its sections meanwhile.
    kept = (_sections(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}) | made
    RESULTS.write_text(INTRO + "\n" + "\n".join(kept[name] for name in sorted(kept)), encoding="utf-8")
    return 1 if failed else 0


def _sections(text: str) -> dict[str, str]:
    parts = re.split(r"(?m)^<!-- (\w+) -->\n", text)[1:]
    return {name: f"<!-- {name} -->\n{body.strip()}\n" for name, body in zip(parts[::2], parts[1::2], strict=True)}


if __name__ == "__main__":
    sys.exit(main())
