"""Python processes that start warm: forks of one that has imported the package, loaded the embedded model and verified with it.

A test that runs a command needs a process of its own: its folder, its environment, its output, its exit code. What it does not need is to
import the same modules and to read the same weights as two hundred others, which takes longer than most commands. Run as a program this
is `python`: `warm.py SOCKET -m witnessmark verify …`, `warm.py SOCKET -W error -c CODE` or `warm.py SOCKET FILE …`; it hands its folder,
its environment and its standard streams to the process that listens at SOCKET, whose fork does the work, and ends as that one ended.
Signals are handed on. What is shown of starting itself (the script that is installed, what is imported, what a file of settings for the
interpreter does) has to be shown of a real `python`.
"""

import contextlib
import os
import select
import signal
import socket
import sys

MOST = 1 << 24
MODULES = (
    "witnessmark.cli.hook",
    "witnessmark.checks.builtin",
    "witnessmark.checkpoints",
    "witnessmark.actions.checks",
    "witnessmark.stores.memory",
    "witnessmark.stores.sqlite",
    "witnessmark.server.pages.report",
    "witnessmark.integrations.mcp.http",
    "witnessmark.integrations.mcp.server",
    "pydantic.json_schema",
    "pydantic.type_adapter",
    "pydantic.types",
)
"""What commands import when they come to it."""
REPORT = "Fixed `add` in `calc.py`, created `NOTES.md` and deleted `old.txt`. Ran `make test`: 1 test passed."
CASES = (
    {"answer": "It was opened in 1932 and is 503 m long.", "sources": ["The bridge, opened in 1931, is 503 m long."]},
    {"subject": {"kind": "agent_output", "summary": REPORT}, "checkpoint": "actions"},
)
"""What commands do most."""
HANDED_ON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def ask(where: str, arguments: list[str]) -> None:
    """Have a fork of the process at `where` run this, and end as it does."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(where)
        place = os.getcwd()  # noqa: PTH109 - pathlib takes longer to import than all of this
        told = [place, *arguments, "", *(f"{name}={value}" for name, value in os.environ.items())]
        data = "\0".join((str(len(arguments)), *told)).encode(errors="surrogateescape")
        socket.send_fds(line, [len(data).to_bytes(8, "big")], [0, 1, 2])
        line.sendall(data)
        for number in HANDED_ON:
            signal.signal(number, lambda number, frame: line.sendall(bytes([number])))
        status = int(line.recv(16) or b"-9")
    if status < 0:
        signal.signal(-status, signal.SIG_DFL) if -status != signal.SIGKILL else None
        os.kill(os.getpid(), -status)
    os._exit(status)


def listen(where: str) -> list[str]:
    """Take what is asked for until standard input ends. Comes back in the fork that is to do it, with what to do."""
    wake, woken = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    asked: dict[socket.socket, int] = {}
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(where)
        door.listen(64)
        print("ready", flush=True)
        while True:
            ready, _, _ = select.select([door, 0, wake, *asked], [], [])
            if wake in ready:
                os.read(wake, MOST)
                _tell_ends(asked)
            for line in asked.keys() & set(ready):
                _hand_on(line, asked)
            if 0 in ready:
                os._exit(0)
            if door in ready:
                line, _ = door.accept()
                given, streams = _given(line)
                child = fork() if given else None
                if child == 0:
                    break
                for stream in streams:
                    os.close(stream)
                if child:
                    asked[line] = child
                else:
                    line.close()
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for mine in (wake, woken):
        os.close(mine)
    for other in (line, *asked):
        other.close()
    return _taken(given, streams)


def fork() -> int:
    """Fork, without being told that threads are left behind: the only ones are those of the model's library, which has one do all."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def _given(line: socket.socket) -> tuple[bytes, list[int]]:
    """What is to be done, and the standard streams to do it with; nothing where whoever asked is gone already."""
    size, streams, _, _ = socket.recv_fds(line, 8, 3)
    left, data = int.from_bytes(size, "big"), b""
    while len(data) < left and (more := line.recv(min(MOST, left - len(data)))):
        data += more
    return data if len(data) == left else b"", list(streams)


def _taken(data: bytes, streams: list[int]) -> list[str]:
    """In the fork for one command: be in its folder, with its environment and its streams; gives its arguments."""
    count, place, *rest = data.decode(errors="surrogateescape").split("\0")
    arguments, environment = rest[: int(count)], rest[int(count) + 1 :]
    for own, given in enumerate(streams):
        os.dup2(given, own)
        os.close(given)
    os.chdir(place)
    os.environ.clear()
    os.environ.update(dict(pair.split("=", 1) for pair in environment))
    return arguments


def _tell_ends(asked: dict[socket.socket, int]) -> None:
    """Tell those who asked how their processes ended."""
    for line, child in list(asked.items()):
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            with contextlib.suppress(BrokenPipeError):
                line.sendall(str(os.waitstatus_to_exitcode(status)).encode())
            line.close()
            del asked[line]


def _hand_on(line: socket.socket, asked: dict[socket.socket, int]) -> None:
    """A signal for a process; whoever asked and is there no more does not want it either."""
    if (child := asked.get(line)) is None:
        return
    number = line.recv(1)
    os.kill(child, number[0] if number else signal.SIGKILL)
    if not number:
        line.close()
        del asked[line]
        os.waitpid(child, 0)


def start() -> None:
    """Import what commands import, load the model, and verify once: patterns are compiled and words are read when first needed.

    A warning on the way is an error, as it is in the tests.
    """
    import asyncio
    import gc
    import warnings
    from importlib import import_module

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for name in MODULES:
            import_module(name)
        import_module("witnessmark.cli.app").command_line()
        witnessmark = import_module("witnessmark")
        for case in CASES:
            asyncio.run(witnessmark.Verifier().verify(witnessmark.Case.from_dict(case)))
    gc.collect()
    gc.freeze()  # or the collector writes into every page that forks share


def work(arguments: list[str]) -> None:
    """What `python` does with such arguments, in a main module of its own."""
    import runpy
    import types
    import warnings
    from pathlib import Path

    while arguments[0] == "-W":
        warnings.simplefilter(arguments[1])
        sys.warnoptions.append(arguments[1])
        arguments = arguments[2:]
    kind, *rest = arguments
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    sys.path.insert(0, "")
    if kind == "-c":
        sys.argv = ["-c", *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), main.__dict__)
    elif kind == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv, sys.path[0] = arguments, str(Path(kind).resolve().parent)
        runpy.run_path(kind, run_name="__main__")


def finish(arguments: list[str]) -> None:
    """Do it, and end as `python` ends: threads are waited for, what was registered for the end is run, output is written.

    Only the interpreter is not taken down: the model's library would wait for threads which a fork does not have.
    """
    import atexit

    ended = 0

    def last() -> None:
        try:
            if not sys.stdout.closed:
                sys.stdout.flush()
        finally:
            os._exit(ended)

    atexit.register(last)  # what is registered first is run last
    try:
        work(arguments)
    except SystemExit as exc:
        ended = exc.code if isinstance(exc.code, int) else int(exc.code is not None)
        if isinstance(exc.code, str):
            print(exc.code, file=sys.stderr)
    except BaseException:
        ended = 1
        sys.excepthook(*sys.exc_info())


if __name__ == "__main__":
    if len(sys.argv) > 2:
        ask(sys.argv[1], sys.argv[2:])
    sys.path[:] = [place for place in sys.path if place != os.path.dirname(__file__)]  # noqa: PTH120 - as `python` put it there
    start()
    finish(listen(sys.argv[1]))
