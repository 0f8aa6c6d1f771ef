"""Where records are and who may reach them: store, keys, records audit, export, import and purge, report."""

from __future__ import annotations

import json
import sqlite3

import pytest


class TestStore:
    def test_status_says_what_was_run_and_what_is_missing(self, cli, verified, store):
        verified()
        done = cli("store", "status")
        assert done.exit_code == 0
        assert done.stdout.startswith(f"store {store}: ")
        assert "0 to do" in done.stdout

    def test_migrate_names_the_steps_it_ran_and_then_none(self, cli, store):
        first, second = cli("store", "migrate"), cli("store", "migrate")
        assert first.stdout.splitlines()[-1] == second.stdout.strip() == f"store {store}: up to date"
        assert cli("store", "status").exit_code == 0

    @pytest.mark.parametrize("command", ["status", "migrate"])
    def test_a_store_without_a_schema_is_refused(self, cli, command):
        assert (
            "has no schema; name a SQLite or PostgreSQL store" in cli("store", command, "--store", "memory:").complaint
        )

    def test_a_password_is_shown_to_nobody(self, cli):
        told = cli("store", "status", "--store", "postgresql://me:hunter2@127.0.0.1:1/db")
        assert "hunter2" not in told.output + getattr(told, "complaint", "")


class TestKeys:
    def test_none_yet_says_how_to_make_one(self, cli):
        assert cli("keys", "list").stdout == "no keys yet; `witnessmark keys create NAME` makes one\n"

    def test_a_key_is_shown_once_and_listed_without_its_secret(self, cli):
        made = cli("keys", "create", "ci", "--role", "review", "--workspace", "team")
        secret = made.stdout.strip()
        assert "role review; it is not shown again" in made.stderr
        (listed,) = (json.loads(line) for line in cli("keys", "list", "--json").stdout.splitlines())
        assert (listed["name"], listed["role"], listed["workspace"]) == ("ci", "review", "team")
        assert secret not in cli("keys", "list", "--json").stdout + cli("keys", "list").stdout
        assert cli("keys", "list", "--workspace", "other", "--json").stdout == ""

    def test_a_revoked_key_stays_listed_with_the_time(self, cli):
        made = json.loads(cli("keys", "create", "ci", "--json").stdout)
        assert cli("keys", "revoke", made["id"]).stdout == f"key {made['id']} (ci) is revoked\n"
        (listed,) = (json.loads(line) for line in cli("keys", "list", "--json").stdout.splitlines())
        assert listed["revoked_at"] is not None

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (("create", "ci", "--role", "king"), "king"),
            (("revoke", "nobody"), "nobody"),
            (("create", "ci", "--store", "memory:"), "memory"),
        ],
        ids=lambda part: " ".join(part) if isinstance(part, tuple) else None,
    )
    def test_what_cannot_be_is_refused_by_name(self, cli, arguments, said):
        assert said in cli("keys", *arguments).complaint


class TestRecords:
    def test_audit_finds_nothing_wrong_with_what_was_kept(self, cli, verified):
        verified()
        done = cli("records", "audit")
        assert (done.exit_code, done.stdout) == (0, "1 record and 0 tombstones, 0 faults\n")

    def test_audit_names_a_record_that_somebody_changed(self, cli, verified, tmp_path):
        record = verified("no", 30)
        with sqlite3.connect(tmp_path / "s.db") as db:
            (name,) = (
                table
                for (table,) in db.execute("select name from sqlite_master where type = 'table'")
                if any(column[1] == "body" for column in db.execute(f"pragma table_info({table})"))
                and table == "records"
            )
            body = db.execute(f"select body from {name}").fetchone()[0]
            text = body if isinstance(body, str) else bytes(body).decode()
            changed = text.replace('"outcome":"fail"', '"outcome":"pass"')
            assert changed != text
            db.execute(f"update {name} set body = ?", (changed if isinstance(body, str) else changed.encode(),))
        done = cli("records", "audit")
        assert done.exit_code == 1
        assert record["id"][:12] in done.stdout
        assert done.stdout.splitlines()[-1].endswith(", 1 fault")

    def test_exported_and_taken_in_elsewhere_it_is_the_same(self, cli, verified, tmp_path):
        record = verified()
        assert cli("records", "export", "all.jsonl").stderr == "1 record exported\n"
        other = ("--store", f"sqlite:///{tmp_path}/other.db")
        for _ in range(2):
            assert cli("records", "import", "all.jsonl", *other).stderr.endswith(
                "1 record read; what was there already is kept once\n"
            )
        assert json.loads(cli("show", record["id"], *other, "--json").stdout) == record
        assert len(cli("records", *other, "--json").stdout.splitlines()) == 1
        assert cli("records", "export", "-").stdout == (tmp_path / "all.jsonl").read_text()

    def test_settings_that_are_named_say_which_store(self, cli, verified, store, tmp_path, monkeypatch):
        verified()
        (tmp_path / "other.toml").write_text(f'store = "{store}"\n')
        monkeypatch.delenv("WITNESSMARK_STORE")
        named = ("--config", "other.toml")
        assert cli("records", "audit", *named).stdout == "1 record and 0 tombstones, 0 faults\n"
        assert cli("records", "export", "all.jsonl", *named).stderr == "1 record exported\n"
        assert cli("records", "import", "all.jsonl", *named).stderr.startswith("1 record read")
        assert "1 record purged" in cli("records", "purge", "--older-than-days", "0", "--yes", *named).stdout

    def test_purged_content_leaves_its_place_in_the_chain(self, cli, verified):
        record = verified()
        assert cli("records", "purge", "--workspace", "default", stdin="n\n").exit_code == 1
        assert cli("show", record["id"]).exit_code == 0
        assert "1 record purged" in cli("records", "purge", "--workspace", "default", "--yes").stdout
        assert "was purged; its place in the chain is kept" in cli("show", record["id"]).stdout
        assert json.loads(cli("show", record["id"], "--json").stdout)["purged"] is True
        assert cli("records", "audit").stdout == "0 records and 1 tombstone, 0 faults\n"

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (("--outcome", "good"), "outcome: 'good' is not one of pass, partial, fail, unverified"),
            (("--action", "dance"), "action: 'dance' is not one of"),
            (("purge",), "say what to purge: --older-than-days N, --workspace NAME, or both"),
            (("import", "gone.jsonl"), "gone.jsonl: cannot be read"),
            (("import", "bad.jsonl"), "line 1"),
            (("export", "no/such/file.jsonl"), "FILE no/such/file.jsonl: there is no folder no/such"),
        ],
        ids=lambda part: " ".join(part) if isinstance(part, tuple) else None,
    )
    def test_what_cannot_be_done_is_refused_with_the_way_out(self, cli, tmp_path, arguments, said):
        (tmp_path / "bad.jsonl").write_text("{}\n")
        assert said in cli("records", *arguments).complaint

    def test_show_debug_adds_what_each_check_took(self, cli, verified):
        assert "min_length: " in cli("show", verified()["id"], "--debug").stdout.rpartition("record ")[2]

    def test_what_people_said_later_stands_below_the_verdict(self, cli, verified):
        record = verified()
        cli("override", record["id"], "--outcome", "fail", "--reason", "it is rude", "--by", "ana")
        cli("outcome", record["id"], "--outcome", "fail", "--reason", "sent back")
        shown = cli("show", record["id"]).stdout
        assert "overridden to fail: it is rude" in shown
        assert "the actual outcome was fail: sent back" in shown


class TestReport:
    def test_one_file_that_needs_nothing_else(self, cli, verified, tmp_path):
        verified()
        done = cli("report", "-o", "out.html")
        page = (tmp_path / "out.html").read_text()
        assert done.stderr == "report in out.html\n"
        assert page.lower().startswith("<!doctype html>")
        assert 'src="http' not in page

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (("--since", "yesterday"), "--since: 'yesterday' is not a day; write it as 2026-01-31"),
            (("--until", "31.1.2026"), "--until: '31.1.2026' is not a day"),
            (("--since", "2026-02-01", "--until", "2026-01-01"), "--until: 2026-01-01 lies before --since 2026-02-01"),
            (("a.jsonl", "--since", "2026-02-01"), "a batch file is reported whole"),
        ],
        ids=lambda part: " ".join(part) if isinstance(part, tuple) else None,
    )
    def test_a_period_that_is_none_is_refused(self, cli, arguments, said):
        assert said in cli("report", *arguments).complaint
