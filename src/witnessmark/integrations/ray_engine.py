"""The batch on a Ray cluster, through Ray Data: the same chunks, the same worker, so the same records. Extra `ray`.

Chunks go into the object store some at a time and flow through a pool of actors, each of which loads checks and models
once. Ray restarts an actor that dies and gives its chunk to another. Knows nothing about files or what a row holds.
"""

from __future__ import annotations

import logging
import os
import pickle
import socket
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

from witnessmark.batch.job import Engine
from witnessmark.batch.pool import WorkerPool
from witnessmark.batch.values import Chunk, ChunkResult, ChunkWork
from witnessmark.core.errors import StoreError, UsageError, WitnessmarkError

CPUS_EACH = 0.5
"""Less than one, so that a pool of actors never takes every CPU and starves the tasks that feed it."""
REACH_S = 10.0
STORE_BYTES = 512 << 20
WINDOW_BYTES = 256 << 20
"""How much of the input is in the object store at once."""


def on_ray(workers: int, address: str | None = None) -> Engine:
    """An engine of so many actors on the cluster at the address, or on one that is started here for this run."""
    try:
        import ray
    except ImportError:
        raise UsageError("--engine ray needs Ray; install it with `pip install 'witnessmark[ray]'`") from None

    def engine(work: ChunkWork, chunks: Iterator[Chunk]) -> Iterator[ChunkResult]:
        if any(work.tree.named.values()):
            given = ", ".join(name for name, place in work.tree.named.items() if place)
            raise UsageError(
                f"{given}: the tree is on this machine, and the cluster may not be; verify with --engine local"
            )
        ours = not ray.is_initialized()
        if ours:
            _connect(ray, workers, address)
        # Ray tells standard output, as late as when it stops, that a worker died. There the summary belongs, and the
        # chunk was done again.
        with Path(os.devnull).open("w", encoding="utf-8") as nowhere, redirect_stdout(nowhere):
            try:
                yield from _windows(ray, work, workers, chunks)
            finally:
                if ours:
                    ray.shutdown()

    return engine


def _connect(ray: Any, workers: int, address: str | None) -> None:
    """Join the cluster, or start a small quiet one: no dashboard, nothing reported to anybody."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    how: dict[str, Any] = {"address": address or "local", "logging_level": logging.ERROR, "log_to_driver": False}
    if address is None:
        cpus = max(os.cpu_count() or 1, workers)
        how |= {"num_cpus": cpus, "object_store_memory": STORE_BYTES, "include_dashboard": False}
    try:
        _reachable(how["address"])
        with _hushed():
            ray.init(**how)
    except (OSError, ValueError) as exc:
        why = str(exc.__cause__ or exc).partition("\n")[0]
        raise StoreError(f"--address: no Ray cluster can be joined there ({why})") from None


def _reachable(address: str) -> None:
    """Raise at once where nobody listens; Ray itself would try for minutes."""
    host, colon, port = address.rpartition("//")[2].rpartition(":")
    if colon and port.isdigit():
        socket.create_connection((host, int(port)), timeout=REACH_S).close()


@contextmanager
def _hushed() -> Iterator[None]:
    """Ray's core tells standard error which log level it was given, before it heeds it."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def _windows(ray: Any, work: ChunkWork, workers: int, chunks: Iterator[Chunk]) -> Iterator[ChunkResult]:
    """So many chunks as fit at a time, each time through a dataset of its own."""
    held: list[Any] = []
    size = 0
    for chunk in chunks:
        held.append(ray.put(_table(chunk)))
        size += sum(len(row.data) for row in chunk.rows)
        if size >= WINDOW_BYTES:
            yield from _through_data(work, workers, held)
            held, size = [], 0
    if held:
        yield from _through_data(work, workers, held)


def _through_data(work: ChunkWork, workers: int, held: list[Any]) -> Iterator[ChunkResult]:
    """What came of these chunks, in order. Ray gives the chunk of an actor that died to another, without end."""
    import ray.data

    logging.getLogger("ray.data").setLevel(logging.ERROR)
    actors = min(workers, len(held))
    gpus = ray.cluster_resources().get("GPU", 0.0)  # type: ignore[no-untyped-call]
    data = ray.data.from_arrow_refs(held).map_batches(
        RayWorker,
        fn_constructor_args=(work,),
        batch_size=None,
        batch_format="pyarrow",
        concurrency=actors,
        num_cpus=CPUS_EACH,
        num_gpus=min(1.0, gpus / actors) if gpus else None,  # shared out, since Ray hides what nobody asked for
    )
    data.context.execution_options.preserve_order = True
    data.context.enable_progress_bars = False
    for table in data.iter_batches(batch_size=1, batch_format="pyarrow"):
        done = _message(table)
        if not isinstance(done, ChunkResult):
            raise UsageError(str(done))
        yield done


class RayWorker:
    """The actor: takes a chunk and gives what came of it, both as one cell of a table.

    It works through a process of its own, so that a row that kills whoever looks at it is found there and becomes an
    error row, and the actor lives.
    """

    def __init__(self, work: ChunkWork) -> None:
        self._given: deque[Chunk] = deque()
        self._results = WorkerPool(work, 1).results(iter(self._given.popleft, None))

    def __call__(self, table: Any) -> Any:
        """Verify a chunk. What the user can fix is an answer too, since Ray would wrap it."""
        self._given.append(_message(table))
        try:
            return _table(next(self._results))
        except WitnessmarkError as exc:
            return _table(str(exc))


def _table(message: Any) -> Any:
    import pyarrow

    return pyarrow.table({"message": pyarrow.array([pickle.dumps(message, protocol=5)], pyarrow.large_binary())})


def _message(table: Any) -> Any:
    return pickle.loads(table["message"][0].as_py())  # noqa: S301 - from our own actors
