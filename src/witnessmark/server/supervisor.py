"""Several processes on one socket: started, started again when one dies, and ended together. Knows nothing about HTTP."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from types import FrameType

log = logging.getLogger("witnessmark.server")
LOOK_S = 0.5


def supervise(count: int, work: Callable[[], None]) -> None:
    """Keep so many processes doing the work until a signal comes; then let each finish."""
    context = multiprocessing.get_context("spawn")
    over = threading.Event()

    def stop(sig: int, frame: FrameType | None) -> None:
        over.set()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)

    def start() -> BaseProcess:
        made = context.Process(target=_child, args=(work, os.getpid()))
        made.start()
        return made

    processes = [start() for _ in range(count)]
    while not over.wait(LOOK_S):
        for number, process in enumerate(processes):
            if not process.is_alive() and not over.is_set():
                log.warning("process %s ended with %s and is started again", process.pid, process.exitcode)
                processes[number] = start()
    for process in processes:
        process.terminate()
    for process in processes:
        process.join()


def _child(work: Callable[[], None], parent: int) -> None:
    """Do the work; where the parent is gone, end as if it had said so."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s %(message)s")

    def watch() -> None:
        gone = threading.Event()
        while not gone.wait(LOOK_S):
            if os.getppid() != parent:
                os.kill(os.getpid(), signal.SIGTERM)
                return

    threading.Thread(target=watch, daemon=True).start()
    work()
