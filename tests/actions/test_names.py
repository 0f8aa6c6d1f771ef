"""One name, several spellings: composed and decomposed letters, bytes that are no UTF-8, and transcripts that hold them."""

import json
import os
import unicodedata

import pytest

from witnessmark.actions.claim import ActionClaim
from witnessmark.actions.claims.collect import hold_all, where_meant
from witnessmark.actions.trace.calls import ToolCall, Trace
from witnessmark.actions.trace.reader import read_trace
from witnessmark.actions.tree import capture
from witnessmark.actions.tree.view import TreeState

COMPOSED = unicodedata.normalize("NFC", "src/über/café.py")
DECOMPOSED = unicodedata.normalize("NFD", COMPOSED)


def made(root, name, text="x = 1\n"):
    path = os.path.join(os.fsencode(root), os.fsencode(name))  # noqa: PTH118 - bytes
    os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120 - bytes
    with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123 - bytes
        file.write(text)


def ruled(claim, root, *calls, before=None):
    world, trace = TreeState(root=root, before=before), Trace("t", calls)
    (ruling,) = hold_all(where_meant([claim], world, trace), world, trace, "")
    return ruling


def said(kind, path, by="report"):
    return ActionClaim(kind, path=path, by=by, text="I updated it")


@pytest.mark.parametrize(("there", "told"), [(COMPOSED, DECOMPOSED), (DECOMPOSED, COMPOSED)])
def test_composed_and_decomposed_letters_are_the_same_name(tmp_path, there, told):
    made(tmp_path, there)
    wrote = ToolCall("c1", "Write", {"file_path": f"{tmp_path}/{there}", "content": "x = 1\n"}, None, None, True)
    assert ruled(said("file_create", told), tmp_path, wrote).status == "supported"
    before = capture.take(tmp_path)
    made(tmp_path, there, "x = 2\n")
    assert ruled(said("file_edit", told, "declared"), tmp_path, before=before).there == "changed"
    (tmp_path / there).unlink()
    assert ruled(said("file_delete", told, "declared"), tmp_path, before=before).status == "supported"


@pytest.mark.parametrize("told", ["caf\ufffd.txt", "café.txt", os.fsdecode(b"caf\xe9.txt")])
def test_a_name_of_bytes_that_are_no_text_is_found_by_what_is_printed_for_it(tmp_path, told):
    made(tmp_path, "caf\udce9.txt")
    wrote = ToolCall("c1", "Write", {"file_path": f"{tmp_path}/{told}", "content": "x = 1\n"}, None, None, True)
    assert ruled(said("file_create", told), tmp_path, wrote).status == "supported"
    made(tmp_path, "caf\udce8.txt")
    if told != "caf\udce9.txt":
        expected = "supported" if told == "café.txt" else "unverifiable"
        assert ruled(said("file_create", told), tmp_path, wrote).status == expected, "two files are printed alike"


@pytest.mark.parametrize("text", [b"caf\xe9", rb"half a smile \ud83d", rb"\udc00 the other half"])
def test_a_line_with_bytes_that_are_no_text_is_read(text):
    line = json.dumps({"id": "1", "name": "bash", "input": {"command": "ls"}, "output": "HERE"}).encode()
    read = read_trace(line.replace(b"HERE", text) + b"\n" + line)
    assert not read.unreadable
    assert read.trace.whole
    assert "\ufffd" in read.trace.calls[0].output
    assert read.trace.calls[1].output == "HERE"
