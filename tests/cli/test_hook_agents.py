"""Each coding agent in its own words: where its last message stands, and what `--install` does to its settings."""

from __future__ import annotations

import json
import sys

import pytest

from witnessmark.cli import main
from witnessmark.integrations.hook.memory import HookMemory
from witnessmark.integrations.hook.reply import reply_to

FALSE = "I created `src/never.py`."
LATER = "Then I had a look around."


def claude(text):
    return {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": text}]}}


TRANSCRIPTS = {
    "claude-code": [{"type": "user", "message": {"role": "user", "content": FALSE + "?"}}, claude(FALSE)],
    "claude-code, a call after it": [
        claude(FALSE),
        {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": "a"}}]}},
    ],
    "messages": [{"role": "user", "content": "Please."}, {"role": "assistant", "content": FALSE}],
    "cursor": [{"role": "assistant", "message": {"content": [{"type": "text", "text": FALSE}]}}],
    "codex": [
        {"type": "response_item", "payload": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": FALSE}]}},
        {"type": "event_msg", "payload": {"type": "token_count"}},
    ],
    "codex exec": [
        {"type": "item.completed", "item": {"id": "i1", "type": "agent_message", "text": FALSE}},
        {"type": "item.completed", "item": {"id": "i2", "type": "reasoning", "text": "an agent_message? no"}},
    ],
    "copilot": [
        {"type": "assistant.message", "data": {"content": FALSE}},
        {"type": "assistant.turn_end", "data": {"turnId": "0"}},
    ],
    "gemini": {
        "sessionId": "s",
        "messages": [
            {"type": "user", "content": "Please."},
            {"type": "gemini", "content": FALSE},
            {"type": "gemini", "content": "", "toolCalls": []},
        ],
    },
    "opencode": {
        "info": {"id": "ses_1"},
        "messages": [
            {"info": {"role": "user"}, "parts": [{"type": "text", "text": "Please."}]},
            {"info": {"role": "assistant"}, "parts": [{"type": "reasoning", "text": LATER}, {"type": "text", "text": FALSE}]},
            {"info": {"role": "user"}, "parts": [{"type": "text", "text": "Thanks."}]},
        ],
    },
}  # fmt: skip


@pytest.fixture
def stopped(tmp_path):
    """What the hook answers to a stop whose payload brings only the place of the transcript."""
    (tmp_path / "repo").mkdir()

    def stop(transcript, **more):
        lines = transcript if isinstance(transcript, list) else [transcript]
        text = "\n".join(map(json.dumps, lines)) if isinstance(transcript, list) else json.dumps(transcript, indent=2)
        (tmp_path / "transcript").write_text(text)
        payload = {"session_id": "s", "transcript_path": f"{tmp_path}/transcript", "cwd": f"{tmp_path}/repo"} | more
        return reply_to(json.dumps(payload).encode(), HookMemory(tmp_path / "state"), 3).body

    return stop


@pytest.mark.parametrize("transcript", TRANSCRIPTS.values(), ids=TRANSCRIPTS)
def test_the_last_words_of_the_assistant_are_the_report_where_the_payload_brings_none(stopped, transcript):
    assert 'the file is not there: "src/never.py"' in stopped(transcript)["reason"]


@pytest.mark.parametrize("name", ["claude-code", "opencode"])
def test_what_was_said_before_the_last_message_is_not_held(stopped, name):
    longer = TRANSCRIPTS[name]
    if isinstance(longer, list):
        longer = [*longer, claude(LATER)]
    else:
        last = {"info": {"role": "assistant"}, "parts": [{"type": "text", "text": LATER}]}
        longer = longer | {"messages": [*longer["messages"], last]}
    assert stopped(longer) is None


def test_the_payload_counts_over_the_transcript(stopped):
    assert stopped(TRANSCRIPTS["claude-code"], last_assistant_message=LATER) is None


@pytest.mark.parametrize(
    "transcript",
    [[], [{"type": "user", "message": {"role": "user", "content": FALSE}}], {"messages": [{"info": {}, "parts": []}]}, {"messages": [7]}],
    ids=["empty", "only the person", "nobody", "no message"],
)  # fmt: skip
def test_where_nobody_said_anything_nothing_is_held(stopped, transcript):
    assert stopped(transcript) is None


@pytest.mark.parametrize(
    ("payload", "held"),
    [
        ({"conversation_id": "c", "workspace_roots": ["REPO"], "hook_event_name": "stop", "text": FALSE}, True),
        ({"sessionId": "c", "cwd": "REPO", "hookEventName": "agentStop", "last_assistant_message": FALSE}, True),
        ({"type": "agent-turn-complete", "thread-id": "c", "cwd": "REPO", "last-assistant-message": FALSE}, True),
        ({"session_id": "c", "cwd": "REPO", "hook_event_name": "AfterAgent", "prompt_response": FALSE}, True),
        ({"conversation_id": "c", "workspace_roots": ["REPO"], "hook_event_name": "stop", "text": LATER}, False),
    ],
    ids=["cursor", "copilot", "codex notify", "gemini", "cursor, honest"],
)
def test_fields_are_read_by_the_names_each_agent_has_for_them(tmp_path, payload, held):
    (tmp_path / "repo").mkdir()
    data = json.dumps(payload).replace("REPO", str(tmp_path / "repo")).encode()
    answer = reply_to(data, HookMemory(tmp_path / "state"), 3).body
    assert (answer is not None and answer["decision"] == "block") is held


@pytest.mark.parametrize("own_first", [True, False])
def test_claude_codes_own_name_of_a_field_wins_over_another_of_the_same(tmp_path, own_first):
    fields = {"last_assistant_message": FALSE, "text": LATER}
    said = fields if own_first else dict(reversed(fields.items()))
    data = json.dumps({"session_id": "c", "cwd": str(tmp_path), "hook_event_name": "Stop"} | said).encode()
    answer = reply_to(data, HookMemory(tmp_path / "state"), 3).body
    assert answer is not None
    assert answer["decision"] == "block"


class TestInstall:
    @pytest.fixture
    def install(self, tmp_path, monkeypatch, capsys):
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("HOME", str(tmp_path / "home"))

        def run(agent):
            monkeypatch.setattr(sys, "argv", ["witnessmark", "hook", agent, "--install"])
            try:
                main()
            except SystemExit as exc:
                return exc.code, capsys.readouterr().err
            return 0, capsys.readouterr().out

        return run

    @pytest.mark.parametrize(
        ("agent", "place"),
        [
            ("claude-code", ".claude/settings.json"),
            ("codex", "home/.codex/hooks.json"),
            ("gemini", ".gemini/settings.json"),
            ("cursor", ".cursor/hooks.json"),
            ("copilot", ".github/hooks/witnessmark.json"),
            ("opencode", ".opencode/plugins/witnessmark.js"),
        ],
    )
    def test_the_command_stands_where_the_agent_looks_for_it(self, install, tmp_path, agent, place):
        code, said = install(agent)
        assert (code, said.endswith(f"{place.partition('/')[2]}: written\n")) == (0, True)
        assert f"hook {agent}" in (tmp_path / place).read_text()

    def test_once_is_enough(self, install, tmp_path):
        install("cursor")
        before = (tmp_path / ".cursor" / "hooks.json").read_bytes()
        assert "already has it" in install("cursor")[1]
        assert (tmp_path / ".cursor" / "hooks.json").read_bytes() == before

    @pytest.mark.parametrize(
        "known", ['{"hooks": []}', '{"hooks": {"Stop": "mine.sh"}}', '{"hooks": "off"}', "[1]", "{broken", "\xff"]
    )
    def test_settings_of_another_shape_are_left_alone_and_that_is_said(self, install, tmp_path, known):
        place = tmp_path / ".claude" / "settings.json"
        place.parent.mkdir()
        place.write_bytes(known.encode("latin-1"))
        code, said = install("claude-code")
        assert code == 1
        assert ".claude/settings.json: " in said
        assert "print the settings and add them yourself" in said
        assert place.read_bytes() == known.encode("latin-1")

    def test_an_empty_place_for_hooks_is_filled(self, install, tmp_path):
        place = tmp_path / ".claude" / "settings.json"
        place.parent.mkdir()
        place.write_text('{"hooks": null, "model": "m"}')
        assert install("claude-code")[0] == 0
        made = json.loads(place.read_text())
        assert made["model"] == "m"
        assert set(made["hooks"]) == {"SessionStart", "Stop", "SubagentStop"}
