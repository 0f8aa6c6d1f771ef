"""Other tools' files, hostile ones among them."""

from __future__ import annotations

import pytest

from witnessmark.core.errors import InputError
from witnessmark.importers import files


def put(folder, name, text):
    file = folder / name
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return str(file)


def test_json_lines_csv_and_yaml_are_read(tmp_path):
    assert files.read(put(tmp_path, "a.json", '[{"a": 1}]')) == [{"a": 1}]
    assert files.read(put(tmp_path, "a.jsonl", '{"a": 1}\n\n{"a": 2}\n')) == [{"a": 1}, {"a": 2}]
    assert files.read(put(tmp_path, "lines.json", '{"a": 1}\n{"a": 2}\n')) == [{"a": 1}, {"a": 2}]
    assert files.read(put(tmp_path, "a.csv", 'a,b\n1,"x, y"\n')) == [{"a": "1", "b": "x, y"}]
    assert files.read(put(tmp_path, "a.yaml", "a: [1, x]\nd: 2026-01-02\n3: y\n")) == {"a": [1, "x"], "d": "2026-01-02", "3": "y"}  # fmt: skip
    assert files.read(put(tmp_path, "bom.json", b'\xef\xbb\xbf{"a": 1}')) == {"a": 1}


def test_empty_cells_at_the_end_of_a_row_are_nothing(tmp_path):
    assert files.read(put(tmp_path, "a.csv", "a,b\n1,2,,\n3\n")) == [{"a": "1", "b": "2"}, {"a": "3", "b": None}]


def test_numbers_that_are_none_are_null(tmp_path):
    assert files.read(put(tmp_path, "a.json", '[{"score": NaN, "b": Infinity}]')) == [{"score": None, "b": None}]


BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "\n".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{', '.join([f'*{chr(97 + n)}'] * 10)}]" for n in range(9)
)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.yaml", "x: !!python/object/apply:os.system ['touch pwned']", "not YAML"),
        ("a.yaml", BOMB, "aliases stand for more than"),
        ("a.yaml", "a: &a [*a]", "nested too deeply, or in a circle"),
        ("a.yaml", "[" * 5000 + "]" * 5000, "nested too deeply"),
        ("a.yaml", "a: [1", "not YAML"),
        ("a.json", "[" * 100_000, "nested too deeply"),
        ("a.json", '[{"a": }]', "not JSON"),
        ("a.json", "", "empty"),
        ("a.jsonl", '{"a": 1}\n{"a"', ":2: not JSON"),
        ("a.json", b"\xff\xfe", "not UTF-8"),
        ("a.csv", 'a,b\n"x', ":2: not CSV"),
        ("a.csv", "a,b\n1,2\n3,It rained, and it snowed\n", ":3: its row has more cells"),
        ("a.csv", "a,b,a\n1,2,3\n", "two columns are named 'a'"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_line(tmp_path, monkeypatch, name, text, said):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=said.replace("[", r"\[")) as caught:
        files.read(put(tmp_path, name, text))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "pwned").exists()


def test_files_that_are_too_large_or_not_there_are_refused(tmp_path, monkeypatch):
    with pytest.raises(InputError, match="no such file"):
        files.read(str(tmp_path / "none.json"))
    with pytest.raises(InputError, match="directory"):
        files.read(str(tmp_path))
    monkeypatch.setattr(files, "MOST_BYTES", 10)
    with pytest.raises(InputError, match="split the file"):
        files.read(put(tmp_path, "a.json", "[" + "1," * 20 + "1]"))
