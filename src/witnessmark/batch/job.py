"""A batch from beginning to end: inputs, journal, an engine, the output. The one function the command line calls."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from witnessmark._version import __version__
from witnessmark.actions.tree.tree_options import TreeOptions
from witnessmark.batch import chunks as chunking
from witnessmark.batch import sources
from witnessmark.batch.journal import Journal
from witnessmark.batch.pool import WorkerPool
from witnessmark.batch.sources import STDIN, RowSource
from witnessmark.batch.values import Chunk, ChunkResult, ChunkWork, Row, Tally
from witnessmark.batch.worker import Worker, in_turn
from witnessmark.core.errors import InputError
from witnessmark.core.plans.checkpoints import checkpoints
from witnessmark.core.plans.plan_cache import refuse_unknown_checks
from witnessmark.core.policy import Policy, layered
from witnessmark.core.run import Limits
from witnessmark.core.values import Value, digest
from witnessmark.settings import Settings

CHUNK = 1_000
CHUNK_PAID = 50
MANY_FILES = 50
Engine = Callable[[ChunkWork, Iterator[Chunk]], Iterator[ChunkResult]]
"""What verifies chunks somewhere and gives what came of them in order."""


class BatchJob(Value, frozen=True):
    """What to run: where from, where to, and how. `shard` is (which, of how many)."""

    inputs: tuple[str, ...]
    out: str
    settings: Settings
    policy: dict[str, Any] = {}
    checkpoint: str | None = None
    group_by: str | None = None
    limit: int | None = None
    shard: tuple[int, int] | None = None
    workers: int = 1
    concurrency: int = 8
    chunk: int | None = None
    fresh: bool = False
    tree: TreeOptions = TreeOptions()


class BatchStep(Value, frozen=True):
    """How far a run is: done now and before it was interrupted, how much of the input where that tells, and since when."""

    tally: Tally
    rows: int
    resumed_rows: int
    share: float | None
    seconds: float
    limit: int | None = None
    """The rows that the job ends with, however many the input has."""


class BatchReport(Value, frozen=True):
    """What came of a run."""

    out: str
    tally: Tally
    rows: int
    resumed_rows: int = 0
    seconds: float = 0.0


def run(job: BatchJob, *, engine: Engine | None = None, tell: Callable[[BatchStep], None] | None = None) -> BatchReport:
    """Verify every row and write what came of it, in order; where an earlier run was interrupted, go on there."""
    started = time.monotonic()
    out = Path(job.out)
    if not job.inputs:
        raise InputError("name the input and the file to write: witnessmark batch IN OUT")
    if not out.name.endswith((*sources.LINES, ".parquet")):
        raise InputError(f"{job.out}: the output is JSON lines or Parquet; name it .jsonl or .parquet")
    if not out.parent.is_dir():
        raise InputError(f"{job.out}: the folder {out.parent} is not there; make it first, or name another file")
    write = _writer(out)
    _refuse_for_all(job)
    source = opened(job)
    with Journal(out, made_from(job, source.files), fresh=job.fresh, resumable=STDIN not in source.files) as journal:
        before = journal.mark.rows
        if not journal.mark.whole:
            at_once = max(1, job.concurrency // job.workers)
            work = ChunkWork(job.settings, job.policy, job.checkpoint, at_once, journal.header.run, job.tree)
            size = _size(job)
            chunks = _chunks(job, source, journal.folder, before, size)
            with closing((engine or _local(job))(work, chunks)) as results:  # type: ignore[type-var]
                for done in results:
                    journal.keep(done)
                    size.done(done.rows)
                    if tell is not None:
                        # Where rows are gathered, all of the input is read before the first of them is verified.
                        share = done.seen / source.total if source.total and not job.group_by else None
                        spent = time.monotonic() - started
                        tell(BatchStep(journal.mark.tally, journal.mark.rows, before, share, spent, job.limit))
        if not journal.mark.rows:
            journal.discard()
            raise InputError("there is no case in the input; check the files and --limit and --shard")
        journal.finish(write)
        return BatchReport(str(out), journal.mark.tally, journal.mark.rows, before, time.monotonic() - started)


def _refuse_for_all(job: BatchJob) -> None:
    """What would be wrong for every case is wrong once, before anything is verified."""
    refuse_unknown_checks(layered(Policy(), {"workspace": job.settings.policy, "mission": job.policy}))
    if job.checkpoint is not None:
        checkpoints.get(job.checkpoint)
    job.tree.state()


def opened(job: BatchJob) -> RowSource:
    """The rows of all inputs."""
    out = Path(job.out)
    files = sources.expand(job.inputs, aside=[out, out.with_name(out.name + ".batch")])
    if out.resolve() in {Path(name).resolve() for name in files if name != STDIN}:
        raise InputError(f"{job.out}: is one of the inputs; write to another file")
    return RowSource(files, job.settings.max_case_bytes)


def rows(job: BatchJob, source: RowSource) -> Iterator[Row]:
    """The rows that this job is about."""
    every: Iterable[Row] = source.rows()
    if job.group_by:
        every = chunking.grouped(every, job.group_by)
    return sources.shard_of(every, job.shard, job.limit)


def _size(job: BatchJob) -> chunking.ChunkSize:
    if job.chunk is not None:
        return chunking.ChunkSize(job.chunk, fixed=True)
    return chunking.ChunkSize(CHUNK_PAID if asks_judges(job.settings) else CHUNK)


def _chunks(job: BatchJob, source: RowSource, folder: Path, done: int, size: chunking.ChunkSize) -> Iterator[Chunk]:
    wanted = rows(job, source)
    if job.group_by:
        wanted = chunking.gathered(wanted, folder / "groups.db")
    return chunking.chunks(chunking.skipped(wanted, done), size, lambda: source.seen)


def asks_judges(settings: Settings) -> bool:
    """Whether somebody is asked: then chunks are small, so that little is asked twice after a kill."""
    return any(name != "none" for name in settings.judging.judges) or bool(settings.judges)


def _local(job: BatchJob) -> Engine:
    if job.workers == 1:
        return lambda work, chunks: in_turn(Worker(work), chunks)
    return lambda work, chunks: WorkerPool(work, job.workers).results(chunks)


def _writer(out: Path) -> Callable[[Path, Path], None] | None:
    if out.suffix != ".parquet":
        return None
    from witnessmark.batch import parquet

    parquet.available()
    return parquet.write


def made_from(job: BatchJob, files: Sequence[str]) -> dict[str, str]:
    """Fingerprints of all that the output depends on. How many workers there are is not among it."""
    inputs = {sources.spelled(name): "" if name == STDIN else _stamp(name) for name in files}
    if len(inputs) > MANY_FILES:
        inputs = {"the input files": digest(inputs)}
    # How fast it goes and where else records are kept change no record.
    limits = Limits(**{**_fields(job.settings.limits), "concurrency": Limits().concurrency})
    kept = {**_fields(job.settings), "limits": limits, "store": None}
    options: dict[str, Any] = {"--policy": job.policy, "--checkpoint": job.checkpoint, "--group-by": job.group_by}
    options |= {"--limit": job.limit, "--shard": job.shard, "--store": job.settings.store}
    for name, given in job.tree.named.items():
        options[name] = given and (str(Path(given).resolve()) if Path(given).is_dir() else _stamp(given))
    told = {name: digest(value) for name, value in options.items()}
    return inputs | told | {"the settings": digest(kept), "the version of Witnessmark": __version__}


def _fields(value: Value) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__struct_fields__}


def _stamp(name: str) -> str:
    seen = Path(name).stat()
    return f"{seen.st_size} bytes of {seen.st_mtime_ns}"
