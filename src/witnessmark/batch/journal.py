"""How far a batch has come, beside its output, so that after Ctrl-C, kill -9 or a power cut nothing is lost or doubled.

A folder OUT.batch holds the lines made so far and a journal: a first line that says what the run is made from, then one
line for each chunk that is safely in the file. Lines after the last journal entry are cut off and made again. When all
is done the file takes its name in one step. Knows nothing about cases or engines.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType

import msgspec

from witnessmark.batch.values import ChunkResult, Tally
from witnessmark.core.errors import InputError, UsageError
from witnessmark.core.values import Value

FORMAT = 1


class JournalHeader(Value, frozen=True):
    """What a run is made from: name and fingerprint of each input and option. `run` names this run."""

    witnessmark_batch: int
    run: str
    made_from: dict[str, str]


class JournalMark(Value, frozen=True):
    """So many rows are done, and so many bytes of the file hold what came of them."""

    rows: int = 0
    bytes: int = 0
    tally: Tally = Tally()
    whole: bool = False


def kept_rows(out: Path) -> int:
    """How many rows of an output its journal says are safe: what an interrupted run may tell, whatever it got to show."""
    try:
        lines = out.with_name(out.name + ".batch").joinpath("journal.jsonl").read_bytes().split(b"\n")[1:-1]
    except OSError:
        return 0
    return msgspec.json.decode(lines[-1], type=JournalMark).rows if lines else 0


class Journal:
    """The journal of one output, open for this run alone."""

    def __init__(self, out: Path, made_from: Mapping[str, str], *, fresh: bool, resumable: bool) -> None:
        self.out, self.folder = out, out.with_name(out.name + ".batch")
        self._lines, self._file = self.folder / "lines.jsonl", self.folder / "journal.jsonl"
        self.mark = JournalMark()
        made = not self.folder.exists()
        if made and out.exists() and not fresh:
            raise UsageError(f"{out}: already exists; name another file, or overwrite it with --fresh")
        try:
            self.folder.mkdir(exist_ok=True)
            self._journal = self._file.open("ab+")
        except OSError as exc:
            raise InputError(f"{out}: cannot be written beside ({exc.strerror or exc}); choose another path") from None
        try:
            self._alone()
            self.header = self._continued(made_from, begin=fresh or not resumable)
        except UsageError:
            self._journal.close()
            raise
        self._placed = self.mark.whole and not self._lines.exists()
        self._out = (self._file if self._placed else self._lines).open("ab")
        if not self._placed:
            self._out.truncate(self.mark.bytes)

    def _alone(self) -> None:
        try:
            fcntl.flock(self._journal, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"{self.out}: another batch is writing it; wait for it, or name another file") from None

    def _continued(self, made_from: Mapping[str, str], *, begin: bool) -> JournalHeader:
        """The header of the run that was interrupted, or a new one."""
        self._journal.seek(0)
        data = self._journal.read()
        self._journal.truncate(data.rfind(b"\n") + 1)  # a last line without an end was being written
        kept = data.split(b"\n")[:-1]
        if begin or not kept:
            return self._begun(made_from)
        try:
            header = msgspec.json.decode(kept[0], type=JournalHeader)
        except msgspec.DecodeError:
            raise UsageError(f"{self._file}: is not a batch journal; start over with --fresh") from None
        if not kept[1:]:
            # Nothing is lost by a change; where nothing changed, the name stays: a store may have its first chunk already.
            return header if header.made_from == dict(made_from) else self._begun(made_from)
        self._refuse_changes(header.made_from, made_from)
        size = self._lines.stat().st_size if self._lines.exists() else 0
        for line in kept[1:]:
            mark = msgspec.json.decode(line, type=JournalMark)
            if mark.bytes <= size or mark.whole:
                self.mark = mark
        return header

    def _begun(self, made_from: Mapping[str, str]) -> JournalHeader:
        header = JournalHeader(FORMAT, secrets.token_hex(6), dict(made_from))
        self._journal.truncate(0)
        self._append(header)
        return header

    def _refuse_changes(self, was: Mapping[str, str], now: Mapping[str, str]) -> None:
        changed = sorted(key for key in was.keys() | now.keys() if was.get(key) != now.get(key))
        if changed:
            raise UsageError(
                f"{self.out}: holds an interrupted run, and since then this changed: {', '.join(changed)}; "
                "undo the change to resume, or start over with --fresh"
            )

    def keep(self, done: ChunkResult) -> None:
        """The lines of the next chunk, on the disk before the journal says so."""
        self._out.write(done.lines)
        _synced(self._out)
        before = self.mark
        self.mark = JournalMark(before.rows + done.rows, before.bytes + len(done.lines), before.tally + done.tally)
        self._append(self.mark)

    def finish(self, write: Callable[[Path, Path], None] | None = None) -> None:
        """Give the output its name, in one step; `write` makes another format of the lines first."""
        self._out.close()
        if not self._placed:
            ready = self._lines
            if write is not None:
                ready = self.folder / "whole"
                write(self._lines, ready)
            self.mark = msgspec.structs.replace(self.mark, whole=True)
            self._append(self.mark)
            ready.replace(self.out)
        self.discard()

    def discard(self) -> None:
        """Take the journal away."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _append(self, line: Value) -> None:
        self._journal.write(msgspec.json.encode(line) + b"\n")
        _synced(self._journal)

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._out.close()
        self._journal.close()


def _synced(file: object) -> None:
    file.flush()  # type: ignore[attr-defined]
    os.fdatasync(file.fileno())  # type: ignore[attr-defined]
