"""Where a URL leads: which file, whose folder, what is shown of it, and what looking alone leaves behind."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from witnessmark.core.errors import ConfigError, StoreError
from witnessmark.core.record import Query
from witnessmark.stores import default_url, open_store, without_password


def opened(url):
    """Open a store as a first look does, and close it."""

    async def look():
        store = open_store(url)
        try:
            return await store.find(Query())
        finally:
            await store.close()

    return asyncio.run(look())


@pytest.mark.parametrize(
    ("url", "file"),
    [
        ("sqlite:///records.db", "records.db"),
        ("sqlite:///deep/down/records.db", "deep/down/records.db"),
        ("records.db", "records.db"),
        ("./a b/ü.db", "a b/ü.db"),
        ("sqlite:///50 %.db", "50 %.db"),
        ("sqlite:///q?mode=ro", "q?mode=ro"),
    ],
)
def test_a_path_is_a_file_of_that_very_name(tmp_path, monkeypatch, url, file):
    monkeypatch.chdir(tmp_path)
    assert not opened(url)
    assert (tmp_path / file).is_file()


def test_an_absolute_path_and_a_home_are_found_from_anywhere(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    opened(f"sqlite:///{tmp_path}/absolute.db")
    opened("sqlite:///~/at-home.db")
    assert {path.name for path in tmp_path.glob("*.db")} == {"absolute.db", "at-home.db"}


def test_a_file_whose_name_has_a_colon_is_a_file_once_it_is_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError):
        open_store("day:1.db")
    opened("sqlite:///day:1.db")
    assert not opened("day:1.db")


@pytest.mark.parametrize("url", ["sqlite:records.db", "sqlite://records.db", "mongodb://h/db", "http://h", ":x"])
def test_what_leads_nowhere_is_refused_with_what_to_write(url):
    with pytest.raises(ConfigError, match="write sqlite:///"):
        open_store(url)


@pytest.mark.parametrize("url", ["sqlite:////proc/none/x.db", "sqlite:////dev/null/x.db", "sqlite:////"])
def test_a_place_that_cannot_be_opened_is_named_with_the_way_out(url):
    with pytest.raises(StoreError, match="cannot be opened .* give another place with --store"):
        opened(url)


@pytest.mark.parametrize(
    ("platform", "environment", "place"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/witnessmark/witnessmark.db"),
        ("linux", {}, "HOME/.local/share/witnessmark/witnessmark.db"),
        ("darwin", {"XDG_DATA_HOME": "/data"}, "HOME/Library/Application Support/witnessmark/witnessmark.db"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/witnessmark/witnessmark.db"),
        ("win32", {}, "HOME/AppData/Local/witnessmark/witnessmark.db"),
    ],
)
def test_without_a_word_records_lie_where_each_system_keeps_data(tmp_path, monkeypatch, platform, environment, place):
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert default_url() == f"sqlite:///{place.replace('HOME', str(tmp_path))}"


def test_asking_which_steps_are_missing_makes_neither_file_nor_folder(tmp_path):
    async def look():
        store = open_store(f"sqlite:///{tmp_path}/new/s.db")
        try:
            return await store.migration_state()
        finally:
            await store.close()

    done, missing = asyncio.run(look())
    assert (done, len(missing) > 0) == ([], True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://me:hunter2@host:5432/db", "postgresql://me:***@host:5432/db"),
        ("postgres://me@host/db", "postgres://me@host/db"),
        ("postgresql:///db", "postgresql:///db"),
        ("postgresql://me:p@ss/w@host/db", "postgresql://me:***@host/db"),
        ("postgresql://host/db?password=hunter2", "postgresql://host/db?password=***"),
        ("postgresql://host/db?sslpassword=a&user=me", "postgresql://host/db?sslpassword=***&user=me"),
        ("postgresql://host/db?user=me&password=a@b", "postgresql://host/db?user=me&password=***"),
        ("sqlite:///home/me@work/x.db", "sqlite:///home/me@work/x.db"),
        ("memory:", "memory:"),
    ],
)
def test_a_url_is_shown_without_its_password_and_otherwise_as_it_is(url, shown):
    assert without_password(url) == shown
