"""Expressions that are compiled once for all processes say what `re` says, whatever lies in their file."""

from __future__ import annotations

import marshal
import re

import pytest

from witnessmark.text.patterns import CompiledPatterns

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
