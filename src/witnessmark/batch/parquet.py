"""Cases out of Parquet files and records into them. Needs the extra `parquet`; nothing else here imports pyarrow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from witnessmark.core import aliases
from witnessmark.core.case import Case
from witnessmark.core.errors import InputError, UsageError

FIELDS = frozenset(Case.__struct_fields__) | aliases.NAMES
NESTED = ("subject", "evidence", "criteria", "executor", "context")
SOURCES = aliases.ALIASES["evidence"]
ROWS = 64
"""Rows decoded at a time: a cell may be megabytes long where the file has it once, compressed."""
MOST_GROUP = 1 << 30
"""Bytes of one column in one row group, uncompressed, that are read."""
WRITTEN = 5_000


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UsageError("Parquet needs pyarrow; install it with `pip install 'witnessmark[parquet]'`") from None
    return pyarrow, pyarrow.parquet


def available() -> None:
    """Say so where Parquet cannot be read or written."""
    _arrow()


def check(name: str) -> None:
    """Refuse a file that holds no cases before anything is verified."""
    with _opened(name) as file:
        columns = set(file.schema_arrow.names)
    if "case" in columns:
        return
    if columns.isdisjoint({"subject", *aliases.ALIASES["subject"]}):
        raise InputError(
            f"{name}: has neither a column `case` (the case as JSON) nor the columns of a case (answer, question, "
            "sources, … or subject, goal, …)"
        )
    strange = sorted(columns - FIELDS)
    if strange:
        raise InputError(
            f"{name}: column {strange[0]!r} is not a field of a case; leave it out, or put the case as JSON into one column "
            "`case`, beside which other columns are left alone"
        )


def _opened(name: str) -> Any:
    """The file, with repeated texts left as references to one copy; refused where a few bytes stand for gigabytes."""
    arrow, pq = _arrow()
    try:
        schema = pq.read_schema(name)
        texts = [field.name for field in schema if str(field.type) in ("string", "large_string", "binary")]
        file = pq.ParquetFile(name, read_dictionary=texts)
    except (arrow.ArrowException, OSError) as exc:
        raise InputError(f"{name}: is not a Parquet file that can be read ({exc})") from None
    for number in range(file.metadata.num_row_groups):
        group = file.metadata.row_group(number)
        largest = max((group.column(at).total_uncompressed_size for at in range(group.num_columns)), default=0)
        if largest > MOST_GROUP:
            file.close()
            raise InputError(
                f"{name}: row group {number} holds {largest:,} bytes in one column, more than the {MOST_GROUP:,} that are "
                "read at once; write it with fewer rows per group"
            )
    return file


def _one_by_one(file: Any, columns: list[str] | None) -> Iterator[dict[str, Any]]:
    """The rows of a file, one in memory at a time."""
    for batch in file.iter_batches(batch_size=ROWS, columns=columns):
        for at in range(batch.num_rows):
            yield batch.slice(at, 1).to_pylist()[0]


def rows(name: str, advance: Callable[[int], None]) -> Iterator[tuple[str, bytes, str]]:
    """Every row as the JSON of a case; `advance` is told how many bytes of the file that were, about."""
    with _opened(name) as file:
        each = Path(name).stat().st_size // max(1, file.metadata.num_rows)
        whole = "case" in file.schema_arrow.names
        for number, row in enumerate(_one_by_one(file, ["case"] if whole else None), 1):
            advance(each)
            yield (f"{name}:{number}", *_case(row, whole=whole))


def _case(row: dict[str, Any], *, whole: bool) -> tuple[bytes, str]:
    try:
        return _cell(row["case"]) if whole else _fields(row)
    except UnicodeDecodeError:
        return b"", "a column holds bytes that are not UTF-8; write texts as UTF-8"


def _cell(value: Any) -> tuple[bytes, str]:
    if isinstance(value, bytes):
        return value, ""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass"), ""
    return (b"", "case: is null") if value is None else _encoded(_without_nulls(value))


def _fields(row: dict[str, Any]) -> tuple[bytes, str]:
    """The columns as one case; a nested field may be a struct or JSON."""
    kept = _without_nulls(row)
    for name, value in kept.items():
        if isinstance(value, str) and (
            (name in NESTED and value.lstrip()[:1] in ("{", "[")) or (name in SOURCES and _lists_sources(value))
        ):
            kept[name] = msgspec.Raw(value.encode("utf-8", "surrogatepass"))
    return _encoded(kept)


def _lists_sources(text: str) -> bool:
    """Whether a text is JSON that lists sources, and not one source that begins with a bracket."""
    try:
        return bool(msgspec.json.decode(text, type=list[str | dict[str, Any]]))
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        return False


def _encoded(value: Any) -> tuple[bytes, str]:
    try:
        return msgspec.json.encode(value), ""
    except (TypeError, ValueError, RecursionError) as exc:
        return b"", f"cannot be written as JSON: {exc}"


def _without_nulls(value: Any) -> Any:
    """Columns give every struct all fields; those that are null were not there. Many writers keep a text as bytes."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, dict):
        return {key: _without_nulls(inner) for key, inner in value.items() if inner is not None}
    return [_without_nulls(inner) for inner in value] if isinstance(value, list) else value


_TEXT = ("id", "case_id", "checkpoint", "workspace", "outcome", "unverified_because", "action")
_NUMBER = ("score", "confidence", "coverage")


def write(lines: Path, out: Path) -> None:
    """The lines of output as a Parquet file: what one filters by as columns, the whole record as JSON in `record`."""
    arrow, pq = _arrow()
    text, number, whole = arrow.string(), arrow.float64(), arrow.int64()
    columns = [(name, text) for name in _TEXT] + [(name, number) for name in _NUMBER]
    columns += [("judge_calls", whole), ("tokens", whole), ("cost_usd", number), ("cached", whole)]
    columns += [("row", whole), ("at", text), ("error", text), ("record", text)]
    schema = arrow.schema(columns)
    with lines.open("rb") as file, pq.ParquetWriter(out, schema) as writer:
        while read := list(islice(file, WRITTEN)):
            writer.write_batch(arrow.RecordBatch.from_pylist([_row(line) for line in read], schema=schema))


def _row(line: bytes) -> dict[str, Any]:
    data = msgspec.json.decode(line)
    if "error" in data:
        return {"row": data["row"], "at": data["at"], "error": data["error"]}
    kept = {name: data[name] for name in (*_TEXT, *_NUMBER)}
    usage: dict[str, Any] = data["usage"]
    return kept | usage | {"record": line.rstrip(b"\n").decode()}


def lines(name: str) -> Iterator[bytes]:
    """The lines of output that a Parquet file of records was made from."""
    with _opened(name) as file:
        missing = {"record", "error"} - set(file.schema_arrow.names)
        if missing:
            raise InputError(f"{name}: is not an output of `witnessmark batch`: it has no column {min(missing)!r}")
        for row in _one_by_one(file, ["record", "row", "at", "error"]):
            record = row.pop("record")
            yield record.encode() if record is not None else msgspec.json.encode(row)
