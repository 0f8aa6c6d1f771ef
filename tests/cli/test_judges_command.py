"""Judges on the command line, against an endpoint on this machine: qualified or not, reachable or not, asked within limits."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest

from witnessmark.testing.stub_server import StubServer

CASE = {
    "id": "c1",
    "subject": {"kind": "task_output", "text": "Dear Ana, thank you."},
    "criteria": ["It thanks Ana."],
    "context": {"quality": False},
}


def reply(score):
    """What a judge says who gives this score to whatever it is asked."""

    def answer(body):
        asked = body["response_format"]["json_schema"]["schema"]["required"]
        said = {"reasoning": "r", "score": score, "confidence": 0.9}
        return {"criteria": [said | {"id": "c1"}]} if asked == ["criteria"] else dict.fromkeys(asked, said)

    return answer


@pytest.fixture
def endpoint():
    """Start an endpoint that answers so; gives the server, whose `asked` counts."""
    running = []

    def start(answer, **more):
        loop, server, ready = asyncio.new_event_loop(), StubServer(answer, **more), threading.Event()

        async def serve():
            async with server:
                ready.set()
                await stop.wait()

        stop = asyncio.Event()
        thread = threading.Thread(target=loop.run_until_complete, args=(serve(),))
        thread.start()
        ready.wait()
        running.append((loop, stop, thread))
        return server

    yield start
    for loop, stop, thread in running:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()


class TestQualify:
    def test_a_judge_that_likes_everything_is_not_qualified_and_that_is_kept(self, cli, endpoint, tmp_path):
        server = endpoint(reply(5))
        (tmp_path / "witnessmark.toml").write_text(
            f"[judges.kind]\nvendor = 'openai'\nmodel = 'stub'\nurl = '{server.url}'\n"
        )
        done = cli("judges", "qualify", "kind")
        assert done.exit_code == 1
        assert done.stdout.startswith("kind: not qualified\n")
        told = {line.split("  ")[1]: line.split()[-3:] for line in done.stdout.splitlines()[1:]}
        assert set(told) == {
            "replies that fit the schema at once",
            "agreement beyond chance, kappa",
            "right answers",
            "spent",
        }
        (row,) = (json.loads(line) for line in cli("judges", "--json").stdout.splitlines())
        assert row["qualified"].startswith("no, kappa 0.")

    def test_one_that_cannot_be_reached_is_named(self, cli):
        done = cli("judges", "qualify", "http://127.0.0.1:9/v1#nobody")
        assert done.complaint.startswith("judge http://127.0.0.1:9/v1#nobody cannot be qualified: ")


class TestDoctor:
    @pytest.fixture
    def settings(self, tmp_path):
        def write(url):
            (tmp_path / "witnessmark.toml").write_text(
                f'[verification]\nmodel = "rules"\n[judges.one]\nvendor = "openai"\nmodel = "stub"\nurl = "{url}"\n'
            )

        return write

    def test_a_judge_that_answers_is_ok(self, cli, endpoint, settings):
        server = endpoint(reply(5))
        settings(server.url)
        done = cli("doctor")
        assert f"ok       judge one: {server.url} answers" in done.stdout
        assert server.asked == [], "nothing that costs was asked"

    def test_one_that_does_not_is_missing_and_the_code_is_1(self, cli, settings):
        settings("http://127.0.0.1:9/v1")
        done = cli("doctor")
        assert done.exit_code == 1
        assert any(line.startswith("missing  judge one: ") for line in done.stdout.splitlines())


class TestAsked:
    def verified(self, cli, *options):
        return json.loads(cli("verify", "-", "--json", *options, stdin=json.dumps(CASE)).stdout)

    def test_a_judge_named_on_the_command_line_decides_a_criterion_in_words(self, cli, endpoint):
        server = endpoint(reply(5))
        record = self.verified(cli, "--judge", f"{server.url}#stub")
        assert record["outcome"] == "pass"
        assert len(server.asked) == 1
        assert self.verified(cli)["outcome"] == "unverified", "without a judge nobody can say"

    def test_it_is_asked_in_place_of_the_judges_that_the_workspace_has_of_its_own(self, cli, endpoint, tmp_path):
        named, own, case = endpoint(reply(5)), endpoint(reply(1)), tmp_path / "case.json"
        judging = f'judges = ["{own.url}#own"]\npurposes = {{ criteria = ["{own.url}#own"] }}'
        text = f'workspace = "legal"\n[workspaces.legal.judging]\n{judging}\n'
        (tmp_path / "witnessmark.toml").write_text(text, encoding="utf-8")
        case.write_text(json.dumps(CASE), encoding="utf-8")
        assert self.verified(cli)["outcome"] == "partial"
        asked = len(own.asked)
        assert self.verified(cli, "--judge", f"{named.url}#named")["outcome"] == "pass"
        sides = ("none", f"{named.url}#named")
        made = json.loads(cli("experiment", *sides, case, "--no-keep", "--json").stdout)
        assert [made[side]["outcomes"] for side in "ab"] == [{"unverified": 1}, {"pass": 1}]
        assert len(own.asked) == asked

    def test_two_judges_are_a_panel(self, cli, endpoint):
        one, two = endpoint(reply(5)), endpoint(reply(5))
        record = self.verified(cli, "--judge", f"{one.url}#a", "--judge", f"{two.url}#b")
        assert record["outcome"] == "pass"
        assert (len(one.asked), len(two.asked)) == (1, 1)

    def test_without_tokens_to_spend_nobody_is_asked(self, cli, endpoint):
        server = endpoint(reply(5))
        record = self.verified(cli, "--judge", f"{server.url}#stub", "--budget-tokens", 0)
        assert record["outcome"] == "unverified"
        assert server.asked == []

    def test_a_judge_that_takes_longer_than_the_deadline_gives_no_verdict(self, cli, endpoint):
        server = endpoint(reply(5), delay_s=3600.0)
        record = self.verified(cli, "--judge", f"{server.url}#stub", "--deadline", 0.2)
        assert (record["outcome"], record["score"]) == ("unverified", None)

    def test_a_dry_run_says_how_many_calls_it_would_be_and_makes_none(self, cli, endpoint):
        server = endpoint(reply(5))
        done = cli("verify", "-", "--dry-run", "--judge", f"{server.url}#stub", stdin=json.dumps(CASE))
        assert "1 case, " in done.stdout
        assert "rubric*" in done.stdout
        assert server.asked == []

    def test_a_record_that_was_judged_is_replayed_without_asking_again(self, cli, endpoint):
        server = endpoint(reply(5))
        record = self.verified(cli, "--judge", f"{server.url}#stub")
        done = cli("replay", record["id"])
        assert done.exit_code == 0
        assert "judged, not run again\nsame as recorded\n" in done.stdout
        assert len(server.asked) == 1


class TestExperiment:
    @pytest.mark.parametrize(("tokens", "asked"), [(0, 0), (100_000, 2)])
    def test_its_options_hold_for_both_sides_over_the_settings_of_a_file_too(
        self, cli, endpoint, tmp_path, tokens, asked
    ):
        server = endpoint(reply(5))
        (tmp_path / "lax.toml").write_text("pass_threshold = 0.5\n")
        (tmp_path / "own.toml").write_text("[limits]\ntokens = 50000\n[judging]\ncache = false\n")
        (tmp_path / "case.json").write_text(json.dumps(CASE))
        limits = ("--judge", f"{server.url}#stub", "--budget-tokens", tokens)
        done = cli("experiment", "lax.toml", "own.toml", "case.json", "--json", "--no-keep", *limits)
        made = json.loads(done.stdout)
        assert made["a"]["judge_calls"] + made["b"]["judge_calls"] == len(server.asked) == asked


class TestRun:
    def test_models_are_asked_and_their_answers_lie_side_by_side(self, cli, endpoint, tmp_path):
        (tmp_path / "suite.yaml").write_text(
            "name: hours\nmodels:\n  right: 'command:echo It opens at nine.'\n  wrong: 'command:echo It opens at six.'\n"
            "cases:\n- question: When does it open?\n  sources: [It opens at nine.]\n"
        )
        (tmp_path / "witnessmark.toml").write_text('[verification]\nmodel = "rules"\n')
        done = cli("run", "suite.yaml", "--html", "side.html")
        assert done.exit_code == 0, done.output
        assert "written to runs/hours/" in done.stdout
        assert "next: witnessmark compare runs/hours/right" in done.stdout
        outcomes = {
            path.stem: json.loads(path.read_text().splitlines()[0])["outcome"]
            for path in (tmp_path / "runs" / "hours").glob("*.jsonl")
        }
        assert outcomes == {"right": "pass", "wrong": "fail"}
        page = (tmp_path / "side.html").read_text()
        assert "<del>nine</del>" in page
        assert "<ins>six</ins>" in page

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            ("models: {a: 'command:cat'}\ncases: []\n", "suite.yaml: cases: holds no case; write at least one"),
            ("models: {}\ncases: [{question: Why?, sources: [So.]}]\n", "models"),
            ("modles: {a: 'command:cat'}\n", "modles: unknown field"),
            ("models: {a: 'python:no.such:thing'}\ncases: [{question: Why?}]\n", "python:no.such:thing"),
            ("models: {'../a': 'command:cat'}\ncases: [{question: Why?}]\n", "'../a'"),
        ],
        ids=["no case", "no model", "a typo", "no such function", "a name that is a path"],
    )
    def test_a_suite_that_cannot_run_is_refused_with_the_field(self, cli, tmp_path, content, said):
        (tmp_path / "suite.yaml").write_text(content)
        assert said in cli("run", "suite.yaml").complaint
        assert not (tmp_path / "runs").exists()


def test_a_judge_without_a_key_is_told_wherever_a_verdict_is_shown(cli, tmp_path, monkeypatch):
    """Whoever names a judge that cannot be asked gets no verdict without it, and reads why."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    (tmp_path / "witnessmark.toml").write_text('[verification]\nmodel = "rules"\n')
    answer, source = "Many visitors adore the calm rooms.", "Guests praised its quiet halls."
    case = {"question": "Who likes it?", "answer": answer, "sources": [source]}
    (tmp_path / "case.json").write_text(json.dumps(case))
    note = "the judge needs an API key: set OPENAI_API_KEY"
    judge = ("--judge", "openai/gpt-4o")
    for told in (
        cli("check", "--question", "Who likes it?", "--answer", answer, "--text", source, *judge),
        cli("verify", "case.json", *judge),
        cli("verify", "case.json", "case.json", *judge),
        cli("show", json.loads(cli("verify", "case.json", "--json", *judge).stdout)["id"]),
    ):
        assert note in told.stdout
        assert "unverified" in told.stdout
    assert cli("verify", "case.json", *judge).exit_code == 4
    assert note not in cli("verify", "case.json").stdout
