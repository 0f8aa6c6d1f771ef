"""Where only digests are kept, or nothing any more: what can still be shown, replayed and decided, and what is said otherwise."""

from __future__ import annotations

import json
import socket

import pytest

CASE = {
    "id": "c1",
    "subject": {"kind": "task_output", "text": "The secret word is zanzibar."},
    "criteria": [{"check": "max_length", "value": 10}],
}


@pytest.fixture
def digests(cli, tmp_path):
    """Settings under which no judged text is kept, a case file, and the id of its record."""
    (tmp_path / "witnessmark.toml").write_text('[content]\nkeep = "digest"\n')
    (tmp_path / "case.json").write_text(json.dumps(CASE))
    return json.loads(cli("verify", "case.json", "--json").stdout)["id"]


class TestDigests:
    def test_no_word_of_the_work_is_in_the_store_or_on_the_screen(self, cli, digests, tmp_path):
        cli("records", "export", "all.jsonl")
        kept = b"".join(path.read_bytes() for path in tmp_path.glob("s.db*")) + (tmp_path / "all.jsonl").read_bytes()
        assert digests[:12].encode() in kept
        assert b"zanzibar" not in kept
        assert "zanzibar" not in cli("show", digests).stdout + cli("show", digests, "--json").stdout

    @pytest.mark.parametrize("command", ["replay", "reverify"])
    def test_the_case_must_be_brought_along_to_look_again(self, cli, digests, command):
        assert "was kept out of the store; give the case" in cli(command, digests).complaint
        again = cli(command, digests, "--case", "case.json")
        assert again.exit_code == {"replay": 0, "reverify": 1}[command]

    def test_another_case_is_not_taken_for_it(self, cli, digests, tmp_path):
        (tmp_path / "other.json").write_text(json.dumps(CASE | {"goal": "Something else."}))
        assert "not the case" in cli("replay", digests, "--case", "other.json").complaint

    def test_who_brought_it_in_cannot_be_said(self, cli, digests):
        assert (
            "was not kept, so it cannot be told who contributed it"
            in cli("show", digests, "--who", "zanzibar").complaint
        )

    def test_a_person_can_decide_all_the_same(self, cli, digests):
        assert cli("override", digests, "--outcome", "pass", "--reason", "I have read it").exit_code == 0
        assert "overridden to pass: I have read it" in cli("show", digests).stdout


class TestPurged:
    @pytest.fixture
    def purged(self, cli, verified):
        record = verified()
        cli("records", "purge", "--older-than-days", 0, "--yes")
        return record["id"]

    @pytest.mark.parametrize(
        ("command", "options"),
        [
            ("replay", ()),
            ("reverify", ()),
            ("override", ("--outcome", "pass", "--reason", "x")),
            ("outcome", ("--outcome", "pass")),
        ],
        ids=["replay", "reverify", "override", "outcome"],
    )
    def test_nothing_is_left_to_look_at_or_to_decide_on(self, cli, purged, command, options):
        assert cli(command, purged, *options).complaint.startswith(
            f"record {purged[:12]} was purged: there is nothing left"
        )

    @pytest.mark.parametrize("answer", ["", "n\n"], ids=["nobody there to ask", "no"])
    def test_nothing_is_purged_without_a_yes_and_the_option_is_named(self, cli, verified, answer):
        kept = verified()["id"]
        done = cli("records", "purge", "--older-than-days", 0, stdin=answer)
        assert done.complaint == "nothing was purged; answer y, or give --yes where nobody can answer"
        assert kept[:12] in cli("records").stdout

    def test_it_is_listed_no_more_and_the_audit_holds(self, cli, purged):
        assert cli("records", "--json").stdout == ""
        assert cli("records", "audit").exit_code == 0

    def test_the_same_work_verified_again_is_kept_again(self, cli, purged, verified):
        assert "was purged; its place in the chain is kept" in cli("show", purged).stdout
        assert verified()["id"] == purged
        assert "was purged" not in cli("show", purged).stdout
        assert cli("records", "audit").exit_code == 0


class TestPurge:
    def test_only_what_is_old_enough_goes(self, cli, verified):
        verified()
        assert cli("records", "purge", "--older-than-days", 1, "--yes").stdout == "0 records purged, tombstones left\n"
        assert cli("records", "purge", "--older-than-days", 0, "--yes").stdout == "1 record purged, tombstone left\n"

    def test_only_the_workspace_that_was_named_goes(self, cli):
        for space in ("here", "there"):
            cli("verify", "-", "--workspace", space, stdin=json.dumps(CASE))
        cli("records", "purge", "--workspace", "here", "--yes")
        left = [json.loads(line) for line in cli("records", "--json").stdout.splitlines()]
        assert [one["workspace"] for one in left] == ["there"]

    @pytest.mark.parametrize(
        ("options", "asked"),
        [
            (("--workspace", "w"), "Remove the content of records of workspace w? [y/N]: "),
            (
                ("--older-than-days", "30"),
                "Remove the content of records of every workspace older than 30 days? [y/N]: ",
            ),
        ],
    )
    def test_it_says_what_would_go_and_asks(self, cli, options, asked):
        done = cli("records", "purge", *options, stdin="y\n")
        assert done.stdout.startswith(asked)
        assert done.exit_code == 0
        assert cli("records", "purge", *options, stdin="").exit_code == 1, "nobody there is a no"


class TestServe:
    def test_a_port_that_is_taken_is_named_with_the_way_out(self, cli):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            done = cli("serve", "--port", port)
        assert (
            done.complaint
            == f"--host 127.0.0.1 --port {port}: cannot listen there (Address already in use); take another port"
        )

    def test_other_machines_are_not_served_without_a_key(self, cli):
        assert "witnessmark keys create" in cli("serve", "--host", "0.0.0.0", "--port", 0).complaint

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            (("--transport", "http", "--host", "0.0.0.0"), "give --key-file FILE, or --anyone"),
            (("--key-file", "gone.txt"), "--key-file gone.txt: cannot be read"),
            (("--key-file", "short.txt"), "a key has at least 16 ASCII characters"),
            (("--root", "nowhere"), "--root nowhere: there is no such folder"),
            (("--before", "case.snap"), "--before says how the tree was; give --root DIR"),
        ],
        ids=lambda part: " ".join(part) if isinstance(part, tuple) else "",
    )
    def test_an_mcp_server_that_would_be_wide_open_or_blind_does_not_start(self, cli, tmp_path, options, said):
        (tmp_path / "short.txt").write_text("# keys\nabc\n")
        assert said in cli("mcp", *options).complaint
