"""A function that is told as deleted by pointing back to it: `x had no other caller, so I deleted it`."""

from __future__ import annotations

import pytest

from .conftest import Session  # type: ignore[import-not-found]

STORE = "pub fn load(id: u64) -> u64 { id }\npub fn load_or_panic(id: u64) -> u64 { load(id) }\n"
PANIC = "pub fn load_or_panic(id: u64) -> u64 { load(id) }\n"
GONE = [
    "`Store::load_or_panic` had no other caller under `src`, so I deleted it from `store.rs`.",
    "`load_or_panic` had no other caller under `src`, so I deleted it.",
    "`Store::load_or_panic` had no other caller, so I deleted it.",
]


@pytest.mark.parametrize("report", GONE)
def test_a_function_that_was_deleted_because_nothing_calls_it_is_not_there_any_more(
    session: Session, report: str
) -> None:
    session.has("src/store.rs", STORE).begins().edits("src/store.rs", "pub fn load_or", "#[deprecated]\npub fn load_or")
    assert "so nothing was removed" in session.stop(report)


@pytest.mark.parametrize(
    "report",
    [
        *GONE,
        "`load_or_panic` was not used in `src/report.rs`, so I removed it.",
        "`load_or_panic` was only called in `src/report.rs` and I removed it.",
    ],
)
def test_a_function_that_was_deleted_is_told_as_it_is(session: Session, report: str) -> None:
    session.has("src/store.rs", STORE).has("src/report.rs", "fn a() {}\n").begins()
    assert session.edits("src/store.rs", PANIC, "").stop(report) == ""


@pytest.mark.parametrize(
    "report",
    [
        "`load_or_panic` was only called in `src/legacy.rs`, so I deleted that file.",
        "`load_or_panic` keeps its body; the import was in `src/legacy.rs`, so I removed it.",
        "`load_or_panic` was used in `src/legacy.rs` and I removed it from there.",
        "`load_or_panic` had no other caller under `src`, so you may delete it. `src/legacy.rs` is deleted.",
    ],
)
def test_a_function_that_stays_where_its_caller_was_deleted(session: Session, report: str) -> None:
    session.has("src/store.rs", STORE).has("src/legacy.rs", "use crate::load_or_panic;\n").begins()
    assert session.deletes("src/legacy.rs").stop(report) == ""
