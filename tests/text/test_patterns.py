"""Expressions that are compiled once for all processes say what `re` says, whatever lies in their file; so do tables that are read once."""

from __future__ import annotations

import marshal
import re

import pytest

from witnessmark.text.patterns import CompiledPatterns, ParsedTables

SOURCES = [
    (r"(?P<day>\d{1,2})\. (?P<month>[A-Za-zäé]+)|(?i:week) (\d+)", 0),
    (r"^\s*[-*] (?!\[)(.+)$", re.MULTILINE),
    (r"\b(?:passed|green)\b", re.IGNORECASE),
    ("a # b\n c", re.VERBOSE),
]
TEXT = "1. March, Week 12\n- Green and passed\n- [x] no\nac 23. août"


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    return tmp_path / "folder" / "kept.expressions"


def same(one: re.Pattern[str], other: re.Pattern[str]) -> bool:
    seen = [[(m.span(), m.groups(), m.groupdict()) for m in each.finditer(TEXT)] for each in (one, other)]
    return one == other and one.flags == other.flags and seen[0] == seen[1]


@pytest.mark.parametrize(("source", "flags"), SOURCES)
def test_what_was_kept_says_what_re_says(file, source, flags):
    first = CompiledPatterns(file)
    assert same(first.compile(source, flags), re.compile(source, flags))
    first.keep()
    assert same(CompiledPatterns(file).compile(source, flags), re.compile(source, flags))


def test_what_was_kept_is_not_compiled_again(file):
    first = CompiledPatterns(file)
    first.compile(*SOURCES[0])
    first.keep()
    again = CompiledPatterns(file)
    file.unlink()
    assert again.compile(*SOURCES[0]).search(TEXT)
    again.keep()
    assert not file.exists()  # nothing was compiled, so there is nothing to leave
    again.compile("another")
    again.keep()
    assert file.exists()


def test_flags_tell_expressions_apart(file):
    kept = CompiledPatterns(file)
    assert kept.compile("march").search(TEXT) is None
    assert kept.compile("march", re.IGNORECASE).search(TEXT)


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: b"",
        lambda raw: raw[: len(raw) // 2],
        lambda raw: b"no marshal at all",
        lambda raw: marshal.dumps((("another Python", 1, 4), *marshal.loads(raw)[1:])),
        lambda raw: marshal.dumps((*marshal.loads(raw)[:2], b"[]")),
        lambda raw: raw.replace(b"day", b"dax"),
    ],
    ids=["empty", "cut", "no marshal", "another Python", "another body", "one letter"],
)
def test_a_file_that_is_damaged_or_anothers_counts_for_nothing(file, damage):
    first = CompiledPatterns(file)
    first.compile(*SOURCES[0])
    first.keep()
    file.write_bytes(damage(file.read_bytes()))
    assert same(CompiledPatterns(file).compile(*SOURCES[0]), re.compile(*SOURCES[0]))


def test_nothing_is_written_where_nothing_is_new_or_nothing_may_be_written(file, tmp_path, monkeypatch):
    CompiledPatterns(file).keep()
    assert not file.exists()
    blocked = tmp_path / "a file"
    blocked.write_text("")
    kept = CompiledPatterns(blocked / "kept")
    kept.compile("a")
    kept.keep()
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    kept = CompiledPatterns(file)
    kept.compile("a")
    kept.keep()
    assert not file.exists()


def test_what_is_no_expression_is_refused_as_re_refuses_it(file):
    with pytest.raises(re.error, match="unterminated"):
        CompiledPatterns(file).compile("(a")


@pytest.fixture
def toml(tmp_path):
    made = tmp_path / "words.toml"
    made.write_text('small = ["the", "a"]\n[marks]\nnumber = \'\\d+\'\n', encoding="utf-8")
    return made


def test_a_table_is_read_once_for_all_processes(file, toml, monkeypatch):
    first = ParsedTables(file)
    read = first.table(toml)
    assert read == {"small": ["the", "a"], "marks": {"number": r"\d+"}}
    first.keep()
    monkeypatch.setattr("tomllib.loads", lambda text: pytest.fail("it is read again"))
    assert ParsedTables(file).table(toml) == read


def test_a_table_that_was_changed_is_read_anew(file, toml):
    first = ParsedTables(file)
    first.table(toml)
    first.keep()
    toml.write_text("small = []\n", encoding="utf-8")
    again = ParsedTables(file)
    assert again.table(toml) == {"small": []}
    again.keep()
    assert ParsedTables(file).table(toml) == {"small": []}


def test_a_date_in_a_table_is_read_each_time(file, toml):
    toml.write_text("day = 2026-11-19\n", encoding="utf-8")
    first = ParsedTables(file)
    assert str(first.table(toml)["day"]) == "2026-11-19"
    first.keep()
    assert not file.exists()
    assert str(ParsedTables(file).table(toml)["day"]) == "2026-11-19"


@pytest.mark.parametrize("damage", [lambda raw: raw[: len(raw) // 2], lambda raw: raw.replace(b"the", b"thx")])
def test_a_damaged_file_of_tables_counts_for_nothing(file, toml, damage):
    first = ParsedTables(file)
    read = first.table(toml)
    first.keep()
    file.write_bytes(damage(file.read_bytes()))
    assert ParsedTables(file).table(toml) == read
