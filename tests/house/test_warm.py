"""What stands for `python` in tests behaves as `python` does: output, exit code, folder, environment, signals, warnings."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

PROGRAMS = {
    "what it is given": ["-c", "import os, sys; print(sys.argv, sys.stdin.read(), os.getcwd(), os.environ['GIVEN'])", "a"],
    "a code to exit with": ["-c", "import sys; print('said', file=sys.stderr); sys.exit(3)"],
    "a word to exit with": ["-c", "import sys; sys.exit('no')"],
    "an exit from within": ["-c", "import os; os._exit(7)"],
    "death by a signal": ["-c", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"],
    "what is done last": ["-c", "import atexit; atexit.register(print, 'last'); print('first')"],
    "a thread that is not waited for": [
        "-c",
        "import threading, time; threading.Thread(target=lambda: (time.sleep(0.1), print('late'))).start()",
    ],
    "a main module": ["-c", "import __main__; print(__name__, __main__.__name__, hasattr(__main__, '__file__'))"],
    "a module": ["-m", "json.tool", "--compact"],
    "a file": ["it.py", "b"],
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_it_is_told_sees_says_and_ends_the_same(name, warm, tmp_path):
    (tmp_path / "it.py").write_text("import sys, beside\nprint(sys.argv, __name__, beside.here)\n", encoding="utf-8")
    (tmp_path / "beside.py").write_text("here = 1\n", encoding="utf-8")
    found = [
        subprocess.run(
            [*python, *PROGRAMS[name]], cwd=tmp_path, input="[1]", env={**os.environ, "GIVEN": "ü=\n"},
            capture_output=True, text=True, check=False,
        )
        for python in ([sys.executable], warm)
    ]  # fmt: skip
    first, second = ((done.returncode, done.stdout, done.stderr) for done in found)
    assert second == first


@pytest.mark.parametrize("more", [[], ["-W", "error"]])
def test_warnings_are_errors_only_where_it_is_told_so(more, warm):
    for python in ([sys.executable], warm):
        program = "import warnings; warnings.warn('x', DeprecationWarning, stacklevel=1)"
        done = subprocess.run([*python, *more, "-c", program], capture_output=True, text=True, check=False)
        assert (done.returncode, "DeprecationWarning: x" in done.stderr) == (1 if more else 0, True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_reach_it(number, warm):
    program = (
        "import signal, sys, time\n"
        "for one in (signal.SIGTERM, signal.SIGINT): signal.signal(one, lambda number, frame: sys.exit(number + 40))\n"
        "print('ready', flush=True)\ntime.sleep(60)\n"
    )
    with subprocess.Popen([*warm, "-c", program], stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(number)
        assert process.wait() == number + 40


def test_it_does_not_outlive_the_one_who_asked(warm):
    program = "import time\nprint('ready', flush=True)\ntime.sleep(600)\n"
    with subprocess.Popen([*warm, "-c", program], stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        process.kill()
        assert process.stdout.read() == b"", "it ends when nobody holds the pipe any more"
