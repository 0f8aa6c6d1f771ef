"""Probes that a user registers in a settings file, asked at the stop: what they settle, and what is refused before they run."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from witnessmark.actions.rerun import sandbox
from witnessmark.actions.rerun.probes import ask
from witnessmark.actions.tree.probes import EffectProbe, probes_in
from witnessmark.core.errors import InputError
from witnessmark.integrations.hook.memory import HookMemory
from witnessmark.integrations.hook.reply import reply_to

DEPLOYED = "I deployed version 1.4."


def stopped(session, settings: Path, report: str = DEPLOYED) -> str:
    """What the agent is told about its report where the hook was given these probes."""
    payload = {"session_id": "s", "cwd": str(session.root), "last_assistant_message": report}
    memory = HookMemory(session.place / "state")
    body = reply_to(json.dumps(payload).encode(), memory, 3, probes=str(settings)).body
    return "" if body is None else str(body["reason"])


def settings(place: Path, *words: str, **more: object) -> Path:
    """A settings file with one probe, for `deployed`."""
    fields = {"run": list(words), "contained": False} | more
    lines = [f"{name} = {json.dumps(value)}" for name, value in fields.items()]
    (place / "witnessmark.toml").write_text("\n".join(["[probes.deployed]", *lines]) + "\n")
    return place / "witnessmark.toml"


class TestAtTheStop:
    def test_what_the_probe_shows_is_no_lie(self, session, tmp_path):
        assert stopped(session, settings(tmp_path, "echo", "version 1.4", contains="1.4")) == ""
        assert stopped(session, settings(tmp_path, "true")) == ""

    def test_what_it_refutes_is_one(self, session, tmp_path):
        assert "does not show '1.4'" in stopped(session, settings(tmp_path, "echo", "version 1.3", contains="1.4"))

    def test_its_exit_code_decides_where_no_text_is_asked_for(self, session, tmp_path):
        assert "it is not there" in stopped(session, settings(tmp_path, "false"))

    @pytest.mark.parametrize("words", [("sh", "-c", "exit 2"), ("no-such-program-anywhere",)])
    def test_one_that_says_nothing_changes_nothing(self, session, tmp_path, words):
        assert stopped(session, settings(tmp_path, *words)) == ""

    def test_it_is_asked_only_where_the_report_tells_of_an_effect(self, session, tmp_path):
        asked = settings(tmp_path, "touch", str(tmp_path / "asked"))
        stopped(session, asked, "Fixed the sign.")
        assert not (tmp_path / "asked").exists()
        stopped(session, asked)
        assert (tmp_path / "asked").exists()

    def test_it_runs_in_the_tree_and_reads_nothing_from_us(self, session, tmp_path):
        (session.root / "VERSION").write_text("1.4\n")
        assert stopped(session, settings(tmp_path, "cat", "VERSION", "-", contains="1.4")) == ""

    def test_its_words_are_no_shell(self, session, tmp_path):
        asked = settings(tmp_path, "echo", f"$(touch {tmp_path}/made)", f"; touch {tmp_path}/made")
        assert stopped(session, asked) == ""
        assert not (tmp_path / "made").exists()


class TestRefused:
    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("[probes.deployed]\nrun = []\n", "probes cannot be read"),
            ("[probes.deployed]\nrun = 'true'\n", "probes cannot be read"),
            ("[probes.deployed]\n", "run"),
            ("[probes.deployed]\nrun = ['true']\nseconds = 0\n", "seconds"),
            ("[probes.deployed]\nrun = ['true']\nseconds = 61\n", "seconds"),
            ("[probes.deployed]\nrun = ['true']\ncontain = 'x'\n", "contain"),
            ("probes = 7\n", "probes cannot be read"),
            ("[probes\n", "probes cannot be read"),
        ],
    )
    def test_settings_that_are_none_are_named_with_their_file(self, tmp_path, text, why):
        place = tmp_path / "witnessmark.toml"
        place.write_text(text)
        with pytest.raises(InputError, match=why) as refused:
            probes_in(str(place))
        assert str(place) in str(refused.value)

    def test_settings_without_probes_have_none(self, tmp_path):
        (tmp_path / "witnessmark.toml").write_text("[policy]\nrequire_claims = 'never'\n")
        assert probes_in(str(tmp_path / "witnessmark.toml")) == {}

    def test_only_a_regular_file_of_a_sane_size_is_read(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(InputError, match="not a regular file"):
            probes_in(str(tmp_path / "pipe"))
        with pytest.raises(InputError, match="cannot be read"):
            probes_in(str(tmp_path / "missing.toml"))
        with pytest.raises(InputError, match="cannot be read"):
            probes_in(str(tmp_path))
        with (tmp_path / "large.toml").open("wb") as file:
            file.truncate(2_000_000)
        with pytest.raises(InputError, match="more than 1 MB"):
            probes_in(str(tmp_path / "large.toml"))
        (tmp_path / "latin.toml").write_bytes(b"x = 'caf\xe9'\n")
        with pytest.raises(InputError, match="probes cannot be read"):
            probes_in(str(tmp_path / "latin.toml"))


class TestContained:
    """Where this machine has no working bubblewrap such a probe is not run, and says nothing."""

    def asked(self, root: Path, *words: str, contains: str | None = None) -> str:
        state, why = ask(EffectProbe(run=words, contains=contains), str(root))
        if sandbox.bubblewrap() is None:
            assert (state, "not run" in why) == ("unknown", True)
            pytest.skip("no working bubblewrap here")
        return state

    def test_it_sees_the_tree_wherever_that_lies(self, tmp_path):
        (tmp_path / "VERSION").write_text("1.4\n")
        assert self.asked(tmp_path, "cat", "VERSION", contains="1.4") == "confirmed"
        assert self.asked(tmp_path, "cat", "VERSION", contains="1.5") == "refuted"

    def test_it_sees_the_tree_however_that_is_named(self, tmp_path, monkeypatch):
        (tmp_path / "tree").mkdir()
        (tmp_path / "tree" / "VERSION").write_text("1.4\n")
        (tmp_path / "link").symlink_to("tree")
        monkeypatch.chdir(tmp_path)
        for root in ("tree", "link", "./tree/../tree"):
            assert self.asked(Path(root), "cat", "VERSION", contains="1.4") == "confirmed", root

    def test_it_cannot_write_there_or_anywhere(self, tmp_path):
        assert self.asked(tmp_path, "touch", "made") == "refuted"
        self.asked(tmp_path, "touch", str(tmp_path.parent / "made"))
        assert not (tmp_path / "made").exists()
        assert not (tmp_path.parent / "made").exists()
