"""Worker processes for work whose cost depends on what is sent: each task has so much CPU time, memory and time, and no more.

What goes beyond is killed with its process, and a new one takes its place; nobody else notices. Waiting tasks are taken in
turn over those who sent them, and one sender never has all workers. Works with any number of event loops, and with none.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import resource
import signal
import subprocess
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from importlib import import_module
from typing import Any, TypeVar

from witnessmark.core.errors import WorkLimitError
from witnessmark.core.registry import checks
from witnessmark.core.work import pipes
from witnessmark.core.work.offload import NotPortableError, WorkSettings
from witnessmark.core.work.turns import TurnThread

T = TypeVar("T")
SERVE = "from witnessmark.core.work.pool import serve; serve()"
START_S = 60.0
STARVED, MOST_WAITS = 0.005, 9
"""A worker that has used at least this share of the time as CPU time is not stuck; it is waited for so many times more."""
UNPORTABLE = (pickle.PicklingError, AttributeError, TypeError)
"""What pickling raises for what lives in one process only."""


class TaskPool:
    """A few processes, each with one task at a time.

    Args:
        count: how many processes.
        settings: what a task may take.
        modules: what a process imports before it says that it is ready, so that it finds the checks it is sent.

    """

    def __init__(self, count: int, settings: WorkSettings, modules: Sequence[str]) -> None:
        self._settings, self._modules = settings, tuple(modules)
        self._most_each = max(1, count - 1)
        self.turns = TurnThread()
        self._lock = threading.Lock()
        self._idle: deque[_Worker] = deque()
        self._busy: dict[str, int] = {}
        self._waiting: OrderedDict[str, deque[Future[_Worker]]] = OrderedDict()
        self._over = False
        self._unstarted = count
        self.started = False
        """Whether a first process is there."""
        self._expecting: list[Future[None]] = []

    def start(self) -> None:
        """Start the processes now, and not when the first task comes."""
        with self._lock:
            count, self._unstarted = self._unstarted, 0
        for _ in range(count):
            self._prepare(_Worker(self._modules))

    async def ready(self) -> None:
        """Return once a first process is there, or could not be started: what it is sent says so then."""
        self.start()
        with self._lock:
            if self.started:
                return
            turn: Future[None] = Future()
            self._expecting.append(turn)
        await asyncio.wrap_future(turn)

    async def call(self, sender: str, function: Callable[..., T], /, *args: Any) -> T:
        """What the function gives in a worker. It and its arguments are pickled.

        Raises what the function raises, WorkLimitError where a limit ended it, and NotPortableError where it cannot be sent.
        Cancelled, it is ended at once.
        """
        self.start()
        worker = await self._taken(sender)
        task = (self._settings.cpu_s, self._settings.memory_mb, function, args)
        reply: Future[tuple[str, Any]] = Future()
        threading.Thread(target=self._ask, args=(worker, task, reply), name="witnessmark-work", daemon=True).start()
        try:
            kind, value = await asyncio.wrap_future(reply)
        except asyncio.CancelledError:
            worker.kill()
            raise
        finally:
            self._give_back(sender, worker)
        if kind == "raised":
            raise value
        found: T = value
        return found

    def _ask(self, worker: _Worker, task: tuple[Any, ...], reply: Future[tuple[str, Any]]) -> None:
        """In a thread of its own: hand it over and wait for the answer or the end."""
        answer: tuple[str, Any]
        try:
            body = pickle.dumps(task, protocol=5)
        except UNPORTABLE as exc:
            answer = ("raised", NotPortableError(str(exc)))
        else:
            answer = worker.ask(body, self._settings)
        with suppress(InvalidStateError):  # whoever waited may be gone
            reply.set_result(answer)

    async def _taken(self, sender: str) -> _Worker:
        with self._lock:
            if self._over:
                raise WorkLimitError("the workers are stopped")
            free = self._idle and self._busy.get(sender, 0) < self._most_each and sender not in self._waiting
            if free:
                self._busy[sender] = self._busy.get(sender, 0) + 1
                return self._idle.popleft()
            turn: Future[_Worker] = Future()
            self._waiting.setdefault(sender, deque()).append(turn)
        try:
            return await asyncio.wrap_future(turn)
        except asyncio.CancelledError:
            with self._lock:
                queue = self._waiting.get(sender)
                waits = queue is not None and turn in queue
                if queue is not None and waits:
                    queue.remove(turn)
                    if not queue:
                        del self._waiting[sender]
            if not waits and turn.done() and not turn.cancelled():
                self._give_back(sender, turn.result())
            raise

    def _give_back(self, sender: str, worker: _Worker) -> None:
        with self._lock:
            self._busy[sender] -= 1
            if not self._busy[sender]:
                del self._busy[sender]
        if worker.alive:
            self._put(worker)
            return
        worker.kill()
        if not self._over:
            self._prepare(_Worker(self._modules))

    def _prepare(self, worker: _Worker) -> None:
        """Start it beside everything else; it takes its place once it is ready."""

        def start() -> None:
            for _ in range(3):
                if worker.start():
                    break
            self._put(worker)  # one that cannot start says so to whoever it is handed to

        threading.Thread(target=start, name="witnessmark-work-start", daemon=True).start()

    def _put(self, worker: _Worker) -> None:
        """Free: to whoever waits, or onto the pile; stopped where the pool was closed meanwhile."""
        with self._lock:
            over, self.started = self._over, True
            handed = [] if over else self._handed(worker)
            expecting, self._expecting = self._expecting, []
        if over:
            worker.kill()
        for one in expecting:
            if one.set_running_or_notify_cancel():
                one.set_result(None)
        for turn, free in handed:
            turn.set_result(free)

    def _handed(self, worker: _Worker) -> list[tuple[Future[_Worker], _Worker]]:
        """Who gets which of the free ones, one sender after the other."""
        handed: list[tuple[Future[_Worker], _Worker]] = []
        self._idle.append(worker)
        for sender in list(self._waiting):
            if not self._idle:
                break
            if self._busy.get(sender, 0) >= self._most_each:
                continue
            queue = self._waiting.pop(sender)
            turn = queue.popleft()
            if queue:
                self._waiting[sender] = queue  # at the end: the others come first
            if turn.set_running_or_notify_cancel():
                self._busy[sender] = self._busy.get(sender, 0) + 1
                handed.append((turn, self._idle.popleft()))
        return handed

    def pids(self) -> list[int]:
        """The processes that wait for work."""
        with self._lock:
            return [worker.pid for worker in self._idle]

    def close(self) -> None:
        """Stop all of them: those that work when they are done, those that start when they are there. Who waits is told."""
        with self._lock:
            self._over = True
            idle, self._idle = list(self._idle), deque()
            waiting = [turn for queue in self._waiting.values() for turn in queue]
            self._waiting.clear()
        for worker in idle:
            worker.kill()
        for turn in waiting:
            if turn.set_running_or_notify_cancel():
                turn.set_exception(WorkLimitError("the workers are stopped"))


class _Worker:
    """One process."""

    def __init__(self, modules: tuple[str, ...]) -> None:
        self._modules = modules
        self._process: subprocess.Popen[bytes] | None = None
        self._killed = False
        self.alive = False

    @property
    def pid(self) -> int:
        return self._process.pid if self._process is not None else 0

    def start(self) -> bool:
        """Start, and wait until it has imported what it needs; whether it did."""
        if self._killed:
            return True
        process = self._process = pipes.start(SERVE)
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            pipes.send(process.stdin, self._modules)
            progress = _Progress(process.pid, START_S)
            self.alive = pipes.receive_within(process.stdout, START_S, progress.there) == "ready"
        except (OSError, TimeoutError):
            self.alive = False
        if not self.alive:
            pipes.end(process, now=True)
            self._process = None
        return self.alive

    def ask(self, body: bytes, settings: WorkSettings) -> tuple[str, Any]:
        """("done", what came of it) or ("raised", why nothing did)."""
        process = self._process
        if process is None:
            return "raised", WorkLimitError("no worker process could be started; the log says why")
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            pipes.send_packed(process.stdin, body)
            answer = pipes.receive_within(
                process.stdout, settings.wall_s, _Progress(process.pid, settings.wall_s).there
            )
        except TimeoutError:
            self.kill()
            return "raised", WorkLimitError(f"no answer within {settings.wall_s:g} s", deadline=True)
        except (OSError, ValueError):
            answer = None
        except pipes.UnreadableMessageError as exc:
            return "raised", NotPortableError(f"what its worker process gave cannot be read here: {exc}")
        if answer is not None:
            found: tuple[str, Any] = answer
            return found
        self.alive = False
        return "raised", _why(_ended(process), settings)

    def kill(self) -> None:
        """Stop it where it is."""
        self.alive, self._killed = False, True
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
        if self._process is not None:
            _ended(self._process)


class _Progress:
    """Whether a worker that has not answered in time was waiting for the processor: a loaded machine must not change a verdict."""

    def __init__(self, pid: int, wall_s: float) -> None:
        self._pid, self._least = pid, STARVED * wall_s
        self._used, self._left = pipes.cpu_seconds(pid), MOST_WAITS

    def there(self) -> bool:
        """Whether it has worked since it was asked, or since this was; false after MOST_WAITS times."""
        before, self._used = self._used, pipes.cpu_seconds(self._pid)
        self._left -= 1
        return self._left >= 0 and self._used - before >= self._least


def _ended(process: subprocess.Popen[bytes]) -> int:
    with suppress(OSError, ValueError):
        return pipes.end(process, now=False)
    return process.wait()


def _why(code: int, settings: WorkSettings) -> WorkLimitError:
    if code == -signal.SIGXCPU:
        return WorkLimitError(f"more than {settings.cpu_s:g} s of CPU time were needed", deadline=True)
    how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
    return WorkLimitError(f"its worker process {how}, as happens where more than {settings.memory_mb} MB are needed")


# --- in the worker ---------------------------------------------------------------------------------------------------


def serve() -> None:
    """What a worker process does: one task after the other until its standard input ends."""
    inward, outward = pipes.worker_ends()
    os.nice(10)  # who waits for an answer that needs no worker comes first
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name in pipes.receive(inward):
        import_module(name)
    checks.all()
    own = _virtual_bytes()
    try:
        pipes.send(outward, "ready")
        while (task := pipes.receive(inward)) is not None:
            pipes.send_packed(outward, _packed(_done(own, *task)))
    except BrokenPipeError:
        os._exit(0)  # nobody reads any more


def _done(
    own: int, cpu_s: float, memory_mb: int, function: Callable[..., Any], args: tuple[Any, ...]
) -> tuple[str, Any]:
    _limit(own, cpu_s, memory_mb)
    try:
        value = function(*args)
    except MemoryError:
        _unlimit()
        return "raised", WorkLimitError(f"more than {memory_mb} MB of memory were needed")
    except Exception as exc:  # noqa: BLE001 - carried over to the one place that decides about it
        _unlimit()
        return "raised", _portable(exc)
    _unlimit()
    return "done", value


def _packed(reply: tuple[str, Any]) -> bytes:
    """A reply as it is sent; where it cannot be, the reply that says so."""
    try:
        return pickle.dumps(reply, protocol=5)
    except Exception as exc:  # noqa: BLE001 - whatever its class does when it is copied
        return pickle.dumps(("raised", NotPortableError(f"what its worker process gave cannot be sent: {exc}")))


def _limit(own: int, cpu_s: float, memory_mb: int) -> None:
    """Let one task take so much; what tasks leave behind, such as a model, may be as much again beyond the worker's own size."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    if cpu_s:
        seconds = int(used.ru_utime + used.ru_stime + cpu_s) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    if memory_mb:
        more = memory_mb * 1_000_000
        most = min(_virtual_bytes(), own + more) + more
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _unlimit() -> None:
    for what in (resource.RLIMIT_CPU, resource.RLIMIT_AS):
        hard = resource.getrlimit(what)[1]
        resource.setrlimit(what, (hard, hard))


def _virtual_bytes() -> int:
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 - one small file of the kernel's
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return 500_000_000


def _portable(exc: Exception) -> Exception:
    try:
        pickle.loads(pickle.dumps(exc))  # noqa: S301 - our own
    except Exception:  # noqa: BLE001 - whatever its class does when it is copied
        return RuntimeError(f"{type(exc).__name__}: {exc}")
    return exc
