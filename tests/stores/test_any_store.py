"""A store that is not SQL, in one file: by `@store` it has a URL, and the command line and the service run on it."""

from __future__ import annotations

import asyncio
import json
import pickle
import re
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

import witnessmark
from witnessmark import Case, Settings, Verifier, store
from witnessmark.cli.app import command_line
from witnessmark.core import registry
from witnessmark.core.errors import ConfigError, InputError, UnknownNameError
from witnessmark.core.record import Entry, Query, Record, Store, Summary
from witnessmark.core.verdict import Usage
from witnessmark.server.app import create_app
from witnessmark.stores import open_store
from witnessmark.stores.service_store import index_path, open_service_store

CASE = {
    "id": "order-1",
    "subject": {"kind": "task_output", "text": "An order of three apples."},
    "criteria": [{"check": "contains_keywords", "value": ["apples"]}],
}


class PickleStore:
    """One file a record. Everything that the protocol asks for, and nothing more."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def _all(self) -> list[Entry]:
        found = [pickle.loads(path.read_bytes()) for path in self.folder.glob("*.entry")]
        return sorted(found, key=lambda entry: (entry.runs[0].at, entry.id))

    async def append(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            path = self.folder / f"{entry.workspace}-{entry.id}.entry"
            known = pickle.loads(path.read_bytes()) if path.exists() else entry
            runs = {run.id: run for run in (*known.runs, *entry.runs)}
            path.write_bytes(pickle.dumps(replace(known, runs=tuple(runs.values()))))

    async def get(self, record_id: str, workspace: str | None = None) -> Entry:
        for entry in self._all():
            if entry.id.startswith(record_id) and workspace in (None, entry.workspace):
                return entry
        raise UnknownNameError("record", record_id, ())

    async def find(self, query: Query) -> Sequence[Summary]:
        raise NotImplementedError

    async def scan(self, workspace: str | None = None) -> AsyncIterator[Entry]:
        for entry in self._all():
            if workspace in (None, entry.workspace):
                yield entry

    async def purge(self, *, before: float | None = None, workspace: str | None = None) -> int:
        old = [entry for entry in self._all() if workspace in (None, entry.workspace)]
        for entry in old:
            (self.folder / f"{entry.workspace}-{entry.id}.entry").unlink()
        return len(old)

    async def children(self, record_id: str) -> Sequence[Record]:
        return [entry.record for entry in self._all() if entry.parent == record_id and entry.record is not None]

    async def close(self) -> None:
        pass


@pytest.fixture
def url(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))

    @store("pickles")
    def pickles(url: str) -> Store:
        return PickleStore(Path(url.removeprefix("pickles://")))

    yield f"pickles://{tmp_path}/kept"
    registry.store_schemes.remove("pickles")


def kept(url: str) -> list[Entry]:
    async def main():
        return [entry async for entry in open_store(url).scan()]

    return asyncio.run(main())


def served(url, *requests):
    async def main():
        service = create_app(Settings(store=url))
        transport = httpx.ASGITransport(service, raise_app_exceptions=False)
        async with (
            service.router.lifespan_context(service),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client,
        ):
            return [await client.request(method, path, **how) for method, path, how in requests]

    return asyncio.run(main())


def test_a_scheme_opens_the_store_that_was_registered_for_it(url):
    assert isinstance(open_store(url), PickleStore)


@pytest.mark.parametrize(
    ("made", "told"),
    [(None, "its factory returned nothing"), (object(), "returned object without append, get, find"), ([], "list")],
)
def test_a_factory_that_makes_no_store_is_named_with_what_it_lacks(made, told):
    store("test-hole")(lambda url: made)
    try:
        with pytest.raises(ConfigError, match=f"store 'test-hole:x': .*{told}.*; a store has the methods of"):
            Verifier(store="test-hole:x")
    finally:
        registry.store_schemes.remove("test-hole")


def test_a_store_that_is_handed_in_is_a_store_or_says_what_it_lacks(tmp_path):
    with pytest.raises(ConfigError, match="store: this is dict without append"):
        Verifier(store={})
    assert Verifier(store=PickleStore(tmp_path)).store is not None
    Verifier(store=tmp_path / "kept.db").verify_sync(Case.from_dict(dict(CASE)))
    assert (tmp_path / "kept.db").exists()


@pytest.mark.parametrize("missing", [KeyError("zz"), None])
def test_an_id_that_such_a_store_does_not_have_is_told_in_our_words(tmp_path, missing):
    class Bare(PickleStore):
        async def get(self, record_id, workspace=None):
            found = [entry for entry in self._all() if entry.id == record_id]
            if not found and missing is not None:
                raise missing
            return found[0] if found else None

    store("test-bare")(lambda url: Bare(tmp_path))
    try:
        said = CliRunner().invoke(command_line(), ["show", "zz", "--store", "test-bare:x"])
        assert isinstance(said.exception, UnknownNameError)
        assert str(said.exception) == "unknown record 'zz'"
        record = Verifier(store="test-bare:x").verify_sync(Case.from_dict(dict(CASE)))
        assert CliRunner().invoke(command_line(), ["show", record.id, "--store", "test-bare:x"]).exit_code == 0
        audited = CliRunner().invoke(command_line(), ["records", "audit", "--store", "test-bare:x"])
        assert audited.exit_code == 0
    finally:
        registry.store_schemes.remove("test-bare")


def test_a_scheme_is_registered_once(url):
    with pytest.raises(InputError, match="already registered"):
        store("pickles")(lambda url: PickleStore(Path(url)))


@pytest.mark.parametrize("wrong", ["mongodb://somewhere/db", "http://x"])
def test_an_unknown_scheme_is_refused_with_what_to_write(wrong):
    with pytest.raises(ConfigError, match="write sqlite:///path"):
        open_store(wrong)


def test_a_verifier_keeps_its_records_there(url):
    record = Verifier(store=url).verify_sync(Case.from_dict(dict(CASE)))
    assert [entry.record for entry in kept(url)] == [record]


def test_a_store_that_commits_later_says_when_observers_are_told(tmp_path):
    calls = []

    class Gathering(PickleStore):
        def after_commit(self, call):
            calls.append(call)

    told = []
    verifier = Verifier(store=Gathering(tmp_path))
    verifier.observers.append(lambda entry, case: told.append(entry.id))
    record = verifier.verify_sync(Case.from_dict(dict(CASE)))
    assert told == []
    calls.pop()()
    assert told == [record.id]


def test_a_store_that_counts_is_asked_once_what_was_spent_since_midnight(tmp_path):
    asked = []

    class Counting(PickleStore):
        async def spent_since(self, at):
            asked.append(at)
            return Usage(tokens=5000)

    verifier = Verifier(Settings(limits={"day_tokens": 4000}), store=Counting(tmp_path))
    for _ in range(2):
        verifier.verify_sync(Case.from_dict(dict(CASE)))
    assert [at % 86_400 for at in asked] == [0]


def test_what_a_store_may_have_beside_the_protocol_is_told_where_the_protocol_is(root):
    """What the package looks for in a store by name."""
    package = Path(witnessmark.__file__).parent
    source = "\n".join(path.read_text(encoding="utf-8") for path in package.rglob("*.py"))
    optional = set(re.findall(r'(?:getattr|hasattr)\((?:self\.)?_?store, "([a-z]\w+)"', source))
    assert optional >= {"spent_since", "after_commit"}
    page = (root / "docs" / "extending.md").read_text(encoding="utf-8")
    assert [name for name in sorted(optional) if name not in Store.__doc__ or name not in page] == []


def test_the_command_line_keeps_and_shows_its_records_there(url, tmp_path):
    file = tmp_path / "case.json"
    file.write_text(json.dumps(CASE), encoding="utf-8")
    said = CliRunner().invoke(command_line(), ["verify", str(file), "--store", url, "--json"])
    assert said.exit_code == 0
    record = json.loads(said.output)
    shown = CliRunner().invoke(command_line(), ["show", record["id"], "--store", url, "--json"])
    assert json.loads(shown.output)["id"] == record["id"]


def test_the_service_verifies_lists_and_overrides_on_it_and_all_of_it_is_kept_there(url):
    headers = {"Idempotency-Key": "one"}
    made, again, listed = served(
        url,
        ("POST", "/verify", {"json": CASE, "headers": headers}),
        ("POST", "/verify", {"json": CASE, "headers": headers}),
        ("GET", "/records", {}),
    )
    assert made.status_code == again.status_code == 200
    assert made.json()["id"] == again.json()["id"]
    assert [line["id"] for line in listed.json()["records"]] == [made.json()["id"]]
    (entry,) = kept(url)
    assert (entry.id, len(entry.runs)) == (made.json()["id"], 1)

    about = f"/records/{entry.id}"
    said = {"outcome": "fail", "reason": "pears were wanted", "by": "ann"}
    overridden, shown = served(url, ("POST", f"{about}/override", {"json": said}), ("GET", about, {}))
    assert overridden.status_code == 201
    assert shown.status_code == 200
    assert [one.parent for one in kept(url)] == [None, entry.id]


def test_the_service_works_on_jobs_and_pages_there(url):
    async def main():
        service = create_app(Settings(store=url))
        transport = httpx.ASGITransport(service, raise_app_exceptions=False)
        async with (
            service.router.lifespan_context(service),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client,
        ):
            job = (await client.post("/verify-batch", json={"cases": [CASE]})).json()
            while (await client.get(job["href"])).json()["state"] == "open":  # noqa: ASYNC110
                await asyncio.sleep(0.01)
            return (await client.get("/")).status_code, (await client.get("/metrics")).text

    status, metrics = asyncio.run(main())
    assert status == 200
    assert "witnessmark_" in metrics
    assert [entry.record.case_id for entry in kept(url)] == ["order-1"]


def test_what_was_kept_before_the_service_began_is_in_its_lists(url):
    record = Verifier(store=url).verify_sync(Case.from_dict(dict(CASE)))
    (listed,) = served(url, ("GET", "/records", {}))
    assert [line["id"] for line in listed.json()["records"]] == [record.id]


def test_what_the_store_cannot_keep_is_not_answered_as_kept(url, monkeypatch):
    async def full(self, entries):
        raise OSError("no space left")

    monkeypatch.setattr(PickleStore, "append", full)
    made, listed = served(url, ("POST", "/verify", {"json": CASE}), ("GET", "/records", {}))
    assert made.status_code >= 500
    assert listed.json()["records"] == []


def test_a_service_needs_a_store_that_lasts():
    with pytest.raises(ConfigError, match="a persistent store"):
        open_service_store("memory:")


def test_every_store_has_an_index_of_its_own(url):
    assert index_path(url) != index_path(url + "2")
    assert Path(index_path(url)).name.startswith("index-")
