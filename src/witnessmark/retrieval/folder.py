"""The embedded retriever: an index over a folder of files in SQLite's full-text search, kept up to date by what changed.

`Folder("docs").retrieve("opening hours", 3)` gives the three passages that match best. Nothing leaves the machine.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

from witnessmark.core.case import Evidence
from witnessmark.core.errors import InputError
from witnessmark.retrieval.files import KINDS, is_own_work, text_of
from witnessmark.text.words import letters

CHUNK = 900
MOST_WORDS = 24
_TABLES = """
create table if not exists files (path text primary key, changed integer not null, size integer not null, problem text);
create virtual table if not exists passages using fts5 (path unindexed, start unindexed, body, tokenize = 'porter unicode61 remove_diacritics 2');
"""


class FolderRetriever:
    """A folder as a retriever. `unread` names the files that could not be read, with the reason."""

    def __init__(self, root: str | Path, index: str | Path = ":memory:") -> None:
        self.root = Path(root).resolve()
        if not self.root.is_dir():
            raise InputError(
                f"retrieval: {root} is not a folder; name one that holds text, Markdown, HTML or PDF files"
            )
        self._lock = threading.Lock()
        self._db = sqlite3.connect(index, check_same_thread=False)
        self._db.executescript(_TABLES)
        self.refresh()

    def refresh(self) -> tuple[int, int]:
        """Take in what is new or changed and let go of what is gone; says (read, removed)."""
        with self._lock, self._db:
            known = {
                path: (changed, size)
                for path, changed, size in self._db.execute("select path, changed, size from files")
            }
            present = {str(file.relative_to(self.root)): file for file in self._files()}
            gone = known.keys() - present.keys()
            stats = {path: file.stat() for path, file in present.items()}
            fresh = [path for path, stat in stats.items() if known.get(path) != (stat.st_mtime_ns, stat.st_size)]
            for path in (*gone, *fresh):
                self._db.execute("delete from passages where path = ?", (path,))
                self._db.execute("delete from files where path = ?", (path,))
            for path in fresh:
                self._take(path, present[path], stats[path].st_mtime_ns, stats[path].st_size)
        return len(fresh), len(gone)

    def _files(self) -> Iterator[Path]:
        """Files of a known kind below the root; a link that leads out of it is not followed."""
        for file in sorted(self.root.rglob("*")):
            if file.suffix.lower() in KINDS and file.is_file() and file.resolve().is_relative_to(self.root):
                yield file

    def _take(self, path: str, file: Path, changed: int, size: int) -> None:
        problem: str | None = None
        try:
            if is_own_work(file):
                raise InputError(f"{file.name}: is a page, a record or a case of Witnessmark, and no evidence")
            rows = [(path, start, body) for start, body in chunks(text_of(file))]
        except (InputError, OSError) as exc:
            rows, problem = [], str(exc)
        self._db.executemany("insert into passages (path, start, body) values (?, ?, ?)", rows)
        self._db.execute("insert into files values (?, ?, ?, ?)", (path, changed, size, problem))

    @property
    def unread(self) -> dict[str, str]:
        """Files that could not be read, with the reason."""
        with self._lock:
            return dict(self._db.execute("select path, problem from files where problem is not null"))

    @property
    def holds_passages(self) -> bool:
        """Whether anything could be read at all."""
        with self._lock:
            return self._db.execute("select 1 from passages limit 1").fetchone() is not None

    def retrieve(self, query: str, count: int) -> list[Evidence]:
        """The passages that match most of the query's words, best first."""
        words = list(dict.fromkeys(letters(query.lower())))[:MOST_WORDS]
        if not words or count < 1:
            return []
        match = " OR ".join(f'"{word}"' for word in words)
        with self._lock:
            rows = self._db.execute(
                "select path, start, body from passages where passages match ? order by bm25(passages), path, start limit ?",
                (match, count),
            ).fetchall()
        return [Evidence(id=f"{path}:{start}", text=body, origin=path) for path, start, body in rows]

    def close(self) -> None:
        """Let go of the index."""
        self._db.close()

    def __enter__(self) -> FolderRetriever:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def chunks(text: str) -> Iterator[tuple[int, str]]:
    """A text in passages of whole paragraphs or lines, each with where it starts."""
    start = 0
    while start < len(text):
        end = min(start + CHUNK, len(text))
        if end < len(text):
            cut = max(text.rfind("\n\n", start, end), text.rfind(". ", start, end) + 1, text.rfind("\n", start, end))
            end = cut if cut > start + CHUNK // 3 else end
        body = text[start:end].strip()
        if body:
            yield start + text[start:end].index(body[0]), body
        start = end
