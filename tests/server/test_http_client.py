"""The TypeScript client and the page of the HTTP API are what the OpenAPI document says, and the client is TypeScript."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from pathlib import Path

import playwright
import pytest
import tree_sitter
import tree_sitter_typescript

from witnessmark.server.app import ENDPOINTS


@pytest.fixture(scope="module")
def tool():
    file = Path(__file__).resolve().parents[2] / "tools" / "http_client.py"
    spec = importlib.util.spec_from_file_location("http_client_tool", file)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_both_are_up_to_date(tool):
    told = tool.document()
    assert tool.CLIENT.read_text(encoding="utf-8") == tool.client(told), "run: python tools/http_client.py"
    assert tool.PAGE.read_text(encoding="utf-8") == tool.page(told), "run: python tools/http_client.py"


def test_the_client_is_typescript_with_a_method_for_every_operation(tool):
    source = tool.CLIENT.read_bytes()
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_typescript.language_typescript()))
    tree = parser.parse(source)
    assert not tree.root_node.has_error
    text = source.decode()
    assert "Record<" not in text, "a record is a type of ours, and hides TypeScript's own"
    assert "return this.events(`/events`)" in text, "its answer never ends"
    for endpoint in (one for one in ENDPOINTS if one.path != "/events"):
        address = endpoint.path.replace("{", "${encodeURIComponent(").replace("}", ")}")
        assert f'this.call("{endpoint.method}", `{address}`' in text


SCRIPT = """
import { Witnessmark, WitnessmarkError } from "CLIENT";
const service = new Witnessmark(process.argv[2]);
const source = "Sales grew by 14 % in 2023, the report says.";
const record = await service.postVerify({ question: "How did sales do?", answer: "Sales grew by 40 % in 2023.", sources: [source] });
const again = await service.getRecordsId(record.id);
const listed = await service.getRecords({ outcome: "fail", limit: 5 });
const refused = await service.postVerify({ answr: "x" }).catch((error) => error);
console.log(JSON.stringify({
  outcome: record.outcome, same: again.id === record.id, listed: listed.records.map((one) => one.id),
  words: record.findings[0].words[0].closest.text, refused: refused instanceof WitnessmarkError && [refused.status, refused.field],
}));
"""


def test_the_client_verifies_an_answer_and_says_which_field_is_wrong(tool, serve, tmp_path):
    """Run as TypeScript by the Node.js that Playwright brings; `tools/http_client.py --check` checks its types."""
    node = Path(playwright.__file__).parent / "driver" / "node"
    script = tmp_path / "walk.mts"
    script.write_text(SCRIPT.replace("CLIENT", tool.CLIENT.as_uri()), encoding="utf-8")
    live = serve()
    done = subprocess.run([node, script, live.url], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["outcome"], told["same"], told["words"]) == ("fail", True, "14 %")
    assert len(told["listed"]) == 1
    assert told["refused"] == [422, "answr"]


STREAM = """
import { Witnessmark } from "CLIENT";
const base = process.argv[2];
const seen = [];
const behind = new Witnessmark(base + "/proxy/", { fetch: async (url, how) => {
  seen.push(new URL(url).pathname);
  return fetch(String(url).replace("/proxy", ""), how);
} });
const service = new Witnessmark(base + "/");
const events = service.getEvents();
let told, record;
events.next().then((event) => { told = event.value; });
while (told === undefined)  // until it listens, nothing that happens is told
  record = await behind.postVerify({ question: "How did it do?", answer: "It grew by 40 %.", sources: ["It grew by 14 %."] });
await events.return(undefined);
const again = await service.postRecordsIdReverify(record.id);
console.log(JSON.stringify({ seen, told, id: record.id, again: again.parent }));
"""


def test_the_client_follows_events_and_works_behind_a_path(tool, serve, tmp_path):
    node = Path(playwright.__file__).parent / "driver" / "node"
    script = tmp_path / "stream.mts"
    script.write_text(STREAM.replace("CLIENT", tool.CLIENT.as_uri()), encoding="utf-8")
    live = serve()
    done = subprocess.run([node, script, live.url], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert set(told["seen"]) == {"/proxy/verify"}
    assert told["told"]["data"]["id"] == told["id"]
    assert told["again"] == told["id"]


def test_a_case_of_the_document_has_the_names_people_use(tool):
    case = tool.document()["components"]["schemas"]["Case"]
    assert {"question", "input", "answer", "output", "contexts", "sources", "documents", "expected", "model"} <= case[
        "properties"
    ].keys()
    assert {"required": ["answer"]} in case["anyOf"]
    assert "subject" not in case.get("required", ())
