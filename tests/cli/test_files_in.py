"""Case files in: whatever is not a case is named with its place and the fix, and never stops the others."""

from __future__ import annotations

import json

import pytest

GOOD = {"id": "good", "subject": {"kind": "task_output", "text": "fine"}, "criteria": [{"check": "not_empty"}]}
LINE = json.dumps(GOOD)
YAML = "id: good\nsubject: {kind: task_output, text: fine}\ncriteria: [{check: not_empty}]\n"


@pytest.mark.parametrize(
    ("name", "content", "count"),
    [
        ("one.json", LINE, 1),
        ("indented.json", json.dumps(GOOD, indent=2), 1),
        ("list.json", json.dumps([GOOD, GOOD | {"id": "other"}]), 2),
        ("lines.jsonl", f"{LINE}\n\n{LINE}\n", 2),
        ("one.txt", LINE, 1),
        ("lines.ndjson", f"{LINE}\n{LINE}", 2),
        ("marked.json", "\ufeff" + LINE, 1),
        ("one.yaml", YAML, 1),
        ("question.json", json.dumps({"question": "Why?", "answer": "So.", "sources": ["So."]}), 1),
    ],
    ids=lambda part: part if isinstance(part, str) and part.endswith(("json", "jsonl", "ndjson", "yaml")) else "",
)
def test_every_way_to_write_cases_is_read(cli, tmp_path, name, content, count):
    (tmp_path / name).write_text(content, encoding="utf-8")
    done = cli("verify", name, "--json")
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == count


@pytest.mark.parametrize(
    ("stdin", "count"),
    [
        (LINE, 1), (f"{LINE}\n{LINE}\n", 2), (json.dumps(GOOD, indent=1), 1), (json.dumps([GOOD, GOOD]), 2),
        (YAML, 1), (f"# a case\n---\n{YAML}---\n{YAML}", 2), (f"\ufeff{YAML}", 1),
    ],
    ids=["one", "lines", "indented", "list", "yaml", "yaml documents", "marked yaml"],
)  # fmt: skip
def test_standard_input_is_read_the_same_way(cli, stdin, count):
    assert len(cli("verify", "-", "--json", stdin=stdin).stdout.splitlines()) == count


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("gone.json", None, "gone.json: there is no such file; check the path"),
        ("empty.json", "", "empty.json: not JSON: the input is empty"),
        ("report.md", "I created `a.txt`.", "report.md: is a text and no case; `witnessmark verify --report FILE`"),
        ("table.csv", "question,answer\n", "table.csv: is a table and no case; `witnessmark import ragas FILE"),
        ("empty.jsonl", "\n\n", "empty.jsonl: holds no case; write at least one"),
        ("none.json", "[]", "none.json: holds no case; write at least one"),
        ("cut.json", LINE[:40], "cut.json: not JSON"),
        ("text.json", '"a text"', "text.json"),
        ("unknown.json", json.dumps(GOOD | {"gaol": "typo"}), "gaol"),
        ("kind.json", json.dumps(GOOD | {"subject": {"kind": "poem", "text": "x"}}), "poem"),
        ("number.json", json.dumps(GOOD | {"goal": 7}), "goal"),
        (
            "twice.json",
            json.dumps(GOOD | {"evidence": [{"id": "a", "text": "x"}] * 2}),
            "evidence[1].id: 'a' is used twice",
        ),
        ("bad.yaml", "a: [1, 2", "bad.yaml"),
    ],
    ids=lambda part: (
        part if isinstance(part, str) and part.endswith(("json", "jsonl", "yaml")) and len(part) < 14 else ""
    ),
)
def test_what_is_no_case_is_named_and_the_code_is_2(cli, tmp_path, name, content, said):
    if content is not None:
        (tmp_path / name).write_text(content, encoding="utf-8")
    done = cli("verify", name)
    assert done.exit_code == 2
    assert said in done.stderr
    assert name in done.stderr
    assert "Traceback" not in done.output


def test_a_bad_one_among_good_ones_stops_nothing_and_its_line_is_named(cli, tmp_path):
    (tmp_path / "mixed.jsonl").write_text(f"{LINE}\n{{oops\n{LINE}\n", encoding="utf-8")
    done = cli("verify", "mixed.jsonl", "--json")
    assert [json.loads(line)["case_id"] for line in done.stdout.splitlines()] == ["good", "good"]
    assert "mixed.jsonl:2: not JSON" in done.stderr
    assert done.exit_code == 2


def test_a_case_larger_than_the_settings_allow_is_refused_with_the_setting(cli, tmp_path):
    (tmp_path / "witnessmark.toml").write_text("max_case_bytes = 100\n")
    (tmp_path / "large.json").write_text(json.dumps(GOOD | {"goal": "x" * 200}))
    assert "raise max_case_bytes in the settings" in cli("verify", "large.json").stderr


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("stoer = 'x'\n", "stoer"),
        ("[limits]\ncase_s = -1\n", "limits.case_s"),
        ("[policy]\npass_threshold = 2.0\n", "pass_threshold"),
        ("[policy]\nnonsense = 1\n", "nonsense"),
        ("not toml", "witnessmark.toml"),
        ("[judges.one]\nmodel = 'm'\nvendor = 'nobody'\n", "nobody"),
        ("[verification]\nmodel = 'enormous'\n", "enormous"),
    ],
    ids=["unknown", "negative", "above one", "policy", "no TOML", "vendor", "model"],
)
def test_a_wrong_setting_is_named_with_its_place(cli, tmp_path, content, said):
    (tmp_path / "witnessmark.toml").write_text(content)
    done = cli("verify", "-", stdin=LINE)
    assert said in getattr(done, "complaint", "") + done.stderr
    assert done.exit_code != 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--policy", "gone.toml"), "gone.toml"),
        (("--policy", "wrong.toml"), "thresh"),
        (("--config", "gone.toml"), "gone.toml"),
        (("--checkpoint", "nowhere"), "nowhere"),
        (("--judge", "nobody"), "nobody"),
        (("--store", "mongodb://x"), "mongodb"),
        (("--store", "sqlite:////proc/none/x.db"), "/proc/none/x.db"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else None,
)
def test_an_option_that_names_nothing_is_refused_by_its_name(cli, tmp_path, arguments, said):
    (tmp_path / "wrong.toml").write_text("thresh = 1\n")
    done = cli("verify", "-", *arguments, stdin=LINE)
    assert said in getattr(done, "complaint", "") + done.stderr
    assert done.exit_code != 0
