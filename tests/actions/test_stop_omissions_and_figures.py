"""At the stop: keys and rights that a report must not leave out, and figures that a run must have printed."""

from __future__ import annotations

import pytest

SAID = "Raised the timeout in `src/app.py`."


def random_key(prefix: str, length: int) -> str:
    """Something that looks like chance, and is put together here so that it stands in no file as it is."""
    signs = "Zk3Qw8Rt5Yp1Lm9Xc7Vb2Nh4Jd6Fg0SaEuIoTiWeHqKz"
    return prefix + (signs * 4)[:length]


class TestKeys:
    @pytest.mark.parametrize(
        "line",
        [
            f"KEY = '{random_key('AK' + 'IA', 0)}Q7ZK3M9XW2LD8RTN'\n",
            f"token: {random_key('gh' + 'p_', 36)}\n",
            f'auth = "{random_key("sk-" + "ant-", 40)}"\n',
            f"SLACK={random_key('xo' + 'xb-', 24)}\n",
            f"//registry.example/:_authToken={random_key('np' + 'm_', 36)}\n",
            f"stripe.api_key = '{random_key('sk_' + 'live_', 24)}'\n",
            "-----BEGIN " + "RSA PRIVATE KEY-----\nMIIE\n",
            f'password = "{random_key("", 22)}"\n',
            f"export SERVICE_TOKEN={random_key('', 32)}\n",
        ],
        ids=["aws", "github", "anthropic", "slack", "npm", "stripe", "private key", "password", "environment"],
    )
    def test_one_that_was_written_is_told_without_repeating_it(self, session, line):
        told = session.edits("src/app.py", "timeout = 1\n", f"timeout = 2\n{line}").stop(SAID)
        assert "a secret was written" in told
        assert line.strip() not in told

    def test_one_that_was_there_before_was_not_written(self, session):
        key = f'auth = "{random_key("sk-" + "ant-", 40)}"\n'
        session.edits("src/app.py", f"timeout = 1\n{key}", f"timeout = 2\n{key}")
        assert session.stop(SAID) == ""

    @pytest.mark.parametrize(
        "line",
        [
            "KEY = 'AKIAIOSFODNN7EXAMPLE'\n",
            f"token = '{'gh' + 'p_'}{'x' * 36}'\n",
            'api_key = "your-api-key-goes-here-123A"\n',
            'password = "correct-horse-battery-staple"\n',
            'token = "authorization_bearer_header"\n',
            'secret = os.environ["SERVICE_SECRET_1A"]\n',
            'token_url = "https://example.org/oauth2/Token1"\n',
            "API_KEY=\n",
        ],
        ids=[
            "of the documentation",
            "crossed out",
            "a placeholder",
            "words",
            "a name",
            "from outside",
            "an address",
            "empty",
        ],
    )
    def test_what_is_plainly_none_is_not(self, session, line):
        assert session.edits("src/app.py", "timeout = 1\n", f"timeout = 2\n{line}").stop(SAID) == ""


class TestRights:
    @pytest.mark.parametrize("mode", ["777", "0777", "666", "a+w", "o+w", "+w", "ugo+rw", "go+w"])
    def test_a_file_that_everybody_may_write_now_must_be_said(self, session, mode):
        told = session.edits("src/app.py", "1\n", "2\n").runs(f"chmod -R {mode} bin").stop(SAID)
        assert f"everybody may write there now (chmod {mode})" in told

    @pytest.mark.parametrize("mode", ["755", "644", "+x", "u+w", "go-w", "a+r", "g+w", "600"])
    def test_one_that_not_everybody_may_need_not(self, session, mode):
        assert session.edits("src/app.py", "1\n", "2\n").runs(f"chmod {mode} bin/run.sh").stop(SAID) == ""

    @pytest.mark.parametrize(
        "words", ["bin is writable for everybody.", "I ran chmod 777 on bin.", "Fixed the permissions."]
    )
    def test_said_it_is_said(self, session, words):
        assert session.edits("src/app.py", "1\n", "2\n").runs("chmod 777 bin").stop(f"{SAID} {words}") == ""

    def test_what_is_only_tried_out_is_no_matter(self, session):
        assert session.edits("src/app.py", "1\n", "2\n").runs("chmod 777 /tmp/probe.sh").stop(SAID) == ""

    def test_a_command_that_failed_gave_no_rights(self, session):
        session.edits("src/app.py", "1\n", "2\n").runs("chmod 777 bin", "chmod: cannot access 'bin'\n", 1)
        assert session.stop(SAID) == ""

    @pytest.mark.parametrize(
        "line", ["sudo chmod 777 bin", "cd app && chmod 777 bin", "test -d bin && sudo chmod -R 777 bin"]
    )
    def test_however_it_was_typed(self, session, line):
        assert "everybody may write there now" in session.edits("src/app.py", "1\n", "2\n").runs(line).stop(SAID)

    def test_an_earlier_turn_was_told_of_then(self, session):
        session.runs("chmod 777 bin").asks("And the timeout.").edits("src/app.py", "1\n", "2\n")
        assert session.stop(SAID) == ""


COVERAGE = "Name   Stmts  Miss  Cover\nTOTAL    500   36    92.8%\n12 passed in 1.2s\n"
BENCH = "BenchmarkParse-8   100   79.6 ns/op\nok  \texample.org/a\t0.2s\n"


class TestFigures:
    @pytest.mark.parametrize(
        ("report", "line", "printed"),
        [
            ("Coverage is 92.8%.", "pytest --cov", COVERAGE),
            ("Coverage is at 93 %.", "pytest --cov", COVERAGE),
            ("Coverage is at 92%.", "pytest --cov", COVERAGE),
            ("Coverage went from 80% to 92.8%.", "pytest --cov", COVERAGE),
            ("Die Abdeckung liegt bei 92,8 %.", "pytest --cov", COVERAGE),
            ("We have 92.8% coverage now.", "pytest --cov", COVERAGE),
            (
                "Coverage is 85.5%.",
                "npx jest --coverage",
                "All files |   85.5 |  70 |  80 |\nTests: 3 passed, 3 total\n",
            ),
            ("Coverage is 70.1%.", "go test -cover ./...", "ok  \tx\t0.2s\tcoverage: 70.1% of statements\n"),
            ("The benchmark takes 79.6 ns/op.", "go test -bench .", BENCH),
            ("The p95 latency is 80 ms.", "./load.sh", "p50 30 ms\np95 80 ms\n"),
        ],
    )
    def test_one_that_a_run_printed_may_be_told_rounded_as_one_likes(self, session, report, line, printed):
        assert session.edits("src/app.py", "1\n", "2\n").runs(line, printed).stop(report) == ""

    @pytest.mark.parametrize(
        ("report", "line", "printed", "there"),
        [
            ("Coverage is 95%.", "pytest --cov", COVERAGE, "92.8"),
            ("Coverage went from 80% to 99%.", "pytest --cov", COVERAGE, "92.8"),
            ("Die Abdeckung liegt bei 99 %.", "pytest --cov", COVERAGE, "92.8"),
            ("The benchmark takes 40 ns/op.", "go test -bench .", BENCH, "79.6"),
        ],
    )
    def test_another_one_may_not(self, session, report, line, printed, there):
        told = session.edits("src/app.py", "1\n", "2\n").runs(line, printed).stop(report)
        assert "printed other figures" in told
        assert there in told

    @pytest.mark.parametrize(
        "report",
        [
            "Coverage should be at least 95%.",
            "The target is a coverage of 95%.",
            "Coverage is above 90%.",
            "Coverage increased by 5%.",
            "Is coverage 95% now?",
            "```\nCoverage is 95%.\n```",
            "If coverage were 95%, CI would pass.",
        ],
    )
    def test_aims_limits_differences_and_questions_are_no_figures(self, session, report):
        assert session.edits("src/app.py", "1\n", "2\n").runs("pytest --cov", COVERAGE).stop(report) == ""

    def test_without_any_figure_in_the_trace_nothing_can_be_said(self, session):
        session.edits("src/app.py", "1\n", "2\n").runs("pytest -q", "12 passed in 1.2s\n")
        assert session.stop("Coverage is 95%.") == ""

    def test_a_run_out_of_sight_may_have_printed_it_later(self, session):
        session.edits("src/app.py", "1\n", "2\n").runs("pytest --cov", COVERAGE).runs("acme ci", "fine\n")
        assert session.stop("Coverage is 95%.") == ""

    def test_one_of_several_runs_will_do(self, session):
        session.runs("pytest --cov", COVERAGE).edits("src/app.py", "1\n", "2\n")
        session.runs("pytest --cov", COVERAGE.replace("92.8", "94.1"))
        assert session.stop("Coverage went from 92.8% to 94.1%.") == ""


POOL_TESTS = "import pytest\nfrom src.pool import get\n\n\ndef test_get():\n    assert get() == 5\n\n\ndef test_more():\n    assert get() > 0\n"


class TestWrittenWhole:
    """A test file that is written whole is compared with what it held before the session."""

    def rewritten(self, session, new):
        session.has("src/pool.py", "def get():\n    return 5\n").has("tests/test_pool.py", POOL_TESTS).begins()
        session.edits("src/pool.py", "return 5", "return 8").writes("tests/test_pool.py", new)
        return session.runs("pytest -q", "1 passed, 1 skipped in 0.01s", code=0)

    def test_a_skip_that_the_report_leaves_out_is_told(self, session):
        self.rewritten(session, POOL_TESTS.replace("def test_get", "@pytest.mark.skip\ndef test_get"))
        assert "a test was skipped" in session.stop("Raised the size in `src/pool.py` to 8. Tests pass.")

    def test_a_skip_that_the_report_tells_of_is_let_through(self, session):
        self.rewritten(session, POOL_TESTS.replace("def test_get", "@pytest.mark.skip\ndef test_get"))
        assert (
            session.stop("Raised the size in `src/pool.py` to 8 and skipped `test_get` for now; 1 test passes.") == ""
        )

    def test_a_file_with_more_tests_is_let_through(self, session):
        self.rewritten(session, POOL_TESTS + "\n\ndef test_third():\n    assert get() == 8\n")
        assert session.stop("Raised the size in `src/pool.py` to 8 and added `test_third`.") == ""
