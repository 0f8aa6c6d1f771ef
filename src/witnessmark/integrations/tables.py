"""Records as tables, for notebooks and warehouses: one row a case, a check or a claim.

    to_pandas(records)                  a row for each record
    to_pandas(records, by="claim")      a row for each claim, with its wrong words and the source's beside them

`to_pandas` needs pandas, `to_arrow` the extra `parquet`; `table_rows` needs neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal, get_args

from witnessmark.core.errors import InputError, UsageError
from witnessmark.core.record import Record
from witnessmark.core.wrong_words import claim_sentence

RowKind = Literal["case", "check", "claim"]


def table_rows(records: Iterable[Record], by: RowKind = "case") -> list[dict[str, Any]]:
    """Rows as plain mappings; what is not known is None, never 0. Raises InputError for another kind of row."""
    if by not in get_args(RowKind):
        raise InputError(f"by: {by!r} is not one of {', '.join(get_args(RowKind))}")
    make = {"case": _case, "check": _checks, "claim": _claims}[by]
    return [row for record in records for row in make(record)]


def to_pandas(records: Iterable[Record], by: RowKind = "case") -> Any:
    """A pandas DataFrame of `table_rows`."""
    try:
        import pandas
    except ImportError:
        raise UsageError("to_pandas needs pandas; install it with `pip install pandas`") from None
    return pandas.DataFrame(table_rows(records, by))


def to_arrow(records: Iterable[Record], by: RowKind = "case") -> Any:
    """An Arrow table of `table_rows`."""
    try:
        import pyarrow
    except ImportError:
        raise UsageError("to_arrow needs pyarrow; install it with `pip install 'witnessmark[parquet]'`") from None
    return pyarrow.Table.from_pylist(table_rows(records, by))


def _head(record: Record) -> dict[str, Any]:
    return {"record_id": record.id, "case_id": record.case_id, "checkpoint": record.checkpoint}


def _case(record: Record) -> Iterator[dict[str, Any]]:
    usage = record.usage
    yield _head(record) | {
        "outcome": record.outcome,
        "action": record.action,
        "reason": record.headline,
        "score": record.score,
        "confidence": record.confidence,
        "coverage": record.coverage,
        "unverified_because": record.unverified_because,
        "claims": len(record.claims),
        "claims_supported": sum(claim.status == "supported" for claim in record.claims),
        "attempt": record.attempt,
        "judge_calls": usage.judge_calls,
        "tokens": usage.tokens,
        "cost_usd": usage.cost_usd,
    }


_OF_CHECK = ("node", "check", "version", "status", "score", "confidence", "judge", "reason")


def _checks(record: Record) -> Iterator[dict[str, Any]]:
    for result in record.results:
        yield _head(record) | {name: getattr(result, name) for name in _OF_CHECK}


def _claims(record: Record) -> Iterator[dict[str, Any]]:
    for number, claim in enumerate(record.claims, 1):
        wrong = claim.words[0] if claim.words else None
        near = wrong.closest if wrong is not None else None
        yield _head(record) | {
            "number": number,
            "text": claim.text,
            "kind": claim.kind,
            "status": claim.status,
            "reason": claim_sentence(claim),
            "start": claim.span[0] if claim.span else None,
            "end": claim.span[1] if claim.span else None,
            "wrong_words": wrong.text if wrong is not None else None,
            "source": near.id if near is not None else (claim.evidence[0].id if claim.evidence else None),
            "source_words": near.text if near is not None else None,
        }
