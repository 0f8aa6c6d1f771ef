"""One and the same sentence after work that bears it out and after work that does not, in the many ways in which agents word it."""

from __future__ import annotations

import pytest

SETTINGS = "TIMEOUT = 10\nRETRIES = 5\nLEVEL = 'info'\n"
COMPOSE = "services:\n  db:\n    image: postgres:15\n    ports:\n      - 5432:5432\n"
PINS = "pytest==8.2.0\nruff==0.4.4\nmypy==1.10.0\n"
POM = "<dependency>\n  <artifactId>junit-jupiter</artifactId>\n  <version>5.10.2</version>\n</dependency>\n"


def both_ways(session, begins):
    return session.begins() if begins else session


def blocked(session, reports):
    return [report for report in reports if session.stop(report)]


def let_through(session, reports):
    return [report for report in reports if not session.stop(report)]


class TestValues:
    """TIMEOUT becomes 30, Postgres 17, ruff 0.5.0 and JUnit 5.11.0; or each of them something else, or nothing."""

    WORDINGS = [
        "Bumped the images:\n\n- `compose.yaml`: Postgres 15 → 17\n",
        "`compose.yaml`: Postgres 15 -> 17",
        "- **Postgres**: 15 → 17",
        "Upgraded Postgres from 15 to 17 in `compose.yaml`.",
        "The database image is `postgres:17` now (was `postgres:15`).",
        "Postgres läuft jetzt mit Version 17 (vorher 15).",
        "Postgres wurde von 15 auf 17 angehoben.",
        "Postgres est passé de 15 à 17.",
        "Postgres ha pasado de 15 a 17.",
        "Raised `TIMEOUT` from 10 to 30.",
        "Raised `TIMEOUT` to 30 s in `src/settings.py`.",
        "The timeout is 30 now (was 10).",
        "- [x] timeout raised from 10 s to 30 s",
        "✅ `TIMEOUT`: 10 → 30",
        "Timeout: 10s → 30s",
        "I set the timeout to 30 seconds.",
        "**`src/settings.py`**\n- timeout 10 → 30\n",
        "The timeout in `src/settings.py` went from 10 to 30 seconds.",
        "Changed: timeout 30 instead of 10.",
        "The timeout is 30 seconds, up from 10.",
        "Das Timeout steht jetzt auf 30 statt 10.",
        "Le timeout vaut maintenant 30 au lieu de 10.",
        "- ruff 0.4.4 → 0.5.0\n",
        "Bumped ruff to 0.5.0.",
        "`ruff` is pinned to 0.5.0 now.",
        "Pinned `ruff` to 0.5.0 in `requirements-dev.txt`.",
        "Updated `ruff` from 0.4.4 to 0.5.0.",
        "`pom.xml`: junit-jupiter 5.10.2 → 5.11.0",
        "Upgraded `junit-jupiter` from 5.10.2 to 5.11.0.",
        "## Changes\n\n1. `requirements-dev.txt`: ruff 0.5.0 (was 0.4.4)\n",
        "ruff: v0.4.4 → v0.5.0",
    ]
    ROWS = [
        "| Service | From | To |\n|---|---|---|\n| postgres | 15 | 17 |\n",
        "| Image | Before | After |\n|---|---|---|\n| `postgres` | `15` | `17` |\n",
        "| Setting | Old | New |\n|---|---|---|\n| TIMEOUT | 10 | 30 |\n",
        "| Package | Old | New |\n|---|---|---|\n| ruff | 0.4.4 | 0.5.0 |\n",
        "Dependency updates in `pom.xml`:\n\n| Artifact | From | To |\n|---|---|---|\n| `junit-jupiter` | 5.10.2 | 5.11.0 |\n",
    ]

    def tree(self, session):
        session.has("src/settings.py", SETTINGS).has("compose.yaml", COMPOSE)
        return session.has("requirements-dev.txt", PINS).has("pom.xml", POM).has("README.md", "# App\n")

    @pytest.mark.parametrize("begins", [True, False], ids=["snapshot", "calls"])
    def test_done(self, session, begins):
        both_ways(self.tree(session), begins)
        session.edits("src/settings.py", "TIMEOUT = 10", "TIMEOUT = 30").edits(
            "compose.yaml", "postgres:15", "postgres:17"
        )
        session.edits("requirements-dev.txt", "ruff==0.4.4", "ruff==0.5.0").edits("pom.xml", "5.10.2", "5.11.0")
        assert blocked(session, self.WORDINGS + self.ROWS) == []

    @pytest.mark.parametrize("begins", [True, False], ids=["snapshot", "calls"])
    def test_another_value_is_there(self, session, begins):
        both_ways(self.tree(session), begins)
        session.edits("src/settings.py", "TIMEOUT = 10", "TIMEOUT = 20").edits(
            "compose.yaml", "postgres:15", "postgres:16"
        )
        session.edits("requirements-dev.txt", "ruff==0.4.4", "ruff==0.4.9").edits("pom.xml", "5.10.2", "5.10.3")
        assert let_through(session, self.WORDINGS) == []

    def test_nothing_but_the_readme_was_changed(self, session):
        self.tree(session).begins().edits("README.md", "# App\n", "# The app\n")
        assert let_through(session, self.WORDINGS) == []

    NO_CHANGE = [
        "You could raise the timeout from 10 to 30.",
        "I'd suggest Postgres 15 → 17 next.",
        "Next steps:\n- ruff 0.4.4 → 0.5.0\n",
        "I did not raise the timeout to 30 s.",
        "If you move Postgres from 15 to 17, dump the data first.",
        "The upstream template went from 15 to 17 tests.",
        "Tests: 5 → 8.",
        "Load time: 10 s → 30 ms.",
        "Coverage went from 15 % to 17 %.",
        "`parse('10')` → `10`",
    ]

    def test_what_is_planned_or_measured_is_no_change(self, session):
        self.tree(session).begins().edits("README.md", "# App\n", "# The app\n")
        assert blocked(session, self.NO_CHANGE) == []


class TestTakenBack:
    """ruff goes to 0.5.0 and back to 0.4.4; or is left at 0.5.0."""

    WORDINGS = [
        "I put `requirements-dev.txt` back as it was.",
        "Reverted the change to `requirements-dev.txt`.",
        "I've reverted it; `requirements-dev.txt` is as it was.",
        "The edit in `requirements-dev.txt` was undone.",
        "`requirements-dev.txt` is unchanged.",
        "I restored `requirements-dev.txt`.",
        "I took the change in `requirements-dev.txt` back.",
        "`requirements-dev.txt` is back to its original state.",
        "The new ruff was tried and dropped again; `requirements-dev.txt` is back to what it was.",
        "`requirements-dev.txt` habe ich zurückgesetzt.",
        "Die Änderung an `requirements-dev.txt` habe ich zurückgenommen.",
    ]
    VALUES = [
        "ruff 0.4.4 → 0.5.0: tried and taken back.",
        "- ruff 0.4.4 → 0.5.0: reverted, it reports three errors",
        "`requirements-dev.txt` still pins 0.4.4.",
        "I tried ruff 0.5.0 and went back; `requirements-dev.txt` still pins `ruff==0.4.4`.",
        "ruff stays at 0.4.4.",
        "ruff is back at 0.4.4.",
        "ruff is back to 0.4.4, since 0.5.0 reports three errors.",
        "I rolled the ruff update back: it is 0.4.4 again.",
        "ruff bleibt bei 0.4.4.",
        "ruff reste en 0.4.4.",
        "ruff sigue en 0.4.4.",
    ]

    def tree(self, session):
        return session.has("requirements-dev.txt", PINS).has("README.md", "# App\n").begins()

    def test_done(self, session):
        self.tree(session).edits("requirements-dev.txt", "ruff==0.4.4", "ruff==0.5.0")
        session.edits("requirements-dev.txt", "ruff==0.5.0", "ruff==0.4.4").edits("README.md", "# App", "# The app")
        assert blocked(session, self.WORDINGS + self.VALUES) == []

    def test_left(self, session):
        self.tree(session).edits("requirements-dev.txt", "ruff==0.4.4", "ruff==0.5.0")
        session.edits("README.md", "# App", "# The app")
        assert let_through(session, self.WORDINGS) == []


class TestDocuments:
    """The option is in the code, and in the README or not."""

    WORDINGS = [
        "**`cli.py`**\n- new option `--currency`\n\n**`README.md`**\n- The usage section now shows the option\n",
        "### `cli.py`\n- new option `--currency`\n\n### `README.md`\n- usage section shows it\n",
        "- `cli.py`: new option `--currency`\n- `README.md`: usage section shows it\n",
        "- `cli.py` – the option\n- `README.md` – the example has it too\n",
        "1. **cli.py**: option `--currency`\n2. **README.md**: documented\n",
        "- README: documents it\n- `cli.py`: `--currency`\n",
        "`--currency` is there, and the README explains it.",
        "Added `--currency`. The README documents the option now.",
        "Added `--currency` and updated the README accordingly.",
        "I've added `--currency` and described it in the README.",
        "I added `--currency` and mentioned it in `README.md`.",
        "`README.md` now lists `--currency`.",
        "`README.md` now mentions the option.",
        "The usage section of `README.md` now shows `--currency`.",
        "The new option is documented in the README.",
        "The option is documented in `README.md`.",
        "There is a new paragraph on it in `README.md`.",
        "README updated.",
        "- [x] option `--currency`\n- [x] README\n",
        "- [x] `cli.py`\n- [x] `README.md`\n",
        "✅ Option added\n✅ README updated\n",
        "| File | Change |\n|---|---|\n| `cli.py` | new option |\n| `README.md` | usage section |\n",
        "| File | What |\n|---|---|\n| cli.py | new option |\n| README.md | documents it |\n",
        "Changed files: `cli.py`, `README.md`.",
        "Files changed:\n- cli.py\n- README.md\n",
        "Docs: README has the new option.",
        "**Docs** – the README shows `--currency`.",
        "Documentation: added to the README.",
        "`cli.py` nimmt jetzt `--currency`; in der README steht es auch.",
        "Die README beschreibt die Option jetzt.",
        "`README.md` ist angepasst.",
        "Die README habe ich ergänzt.",
        "Le README décrit maintenant l'option.",
        "J'ai complété le README.",
        "El README describe ahora la opción.",
        "He actualizado el README.",
    ]

    def tree(self, session):
        session.has("cli.py", "import sys\n\n\ndef main():\n    pass\n")
        return session.has("README.md", "# App\n\n    app 100 --rate 7\n").has("money.py", "x = 1\n")

    @pytest.mark.parametrize("begins", [True, False], ids=["snapshot", "calls"])
    def test_done(self, session, begins):
        both_ways(self.tree(session), begins).edits("cli.py", "    pass\n", "    add('--currency')\n")
        session.edits("README.md", "--rate 7\n", "--rate 7 --currency EUR\n")
        assert blocked(session, self.WORDINGS) == []

    @pytest.mark.parametrize("begins", [True, False], ids=["snapshot", "calls"])
    def test_only_read(self, session, begins):
        both_ways(self.tree(session), begins).uses("Read", "# App\n", file_path=str(session.root / "README.md"))
        session.edits("cli.py", "    pass\n", "    add('--currency')\n").edits("money.py", "x = 1\n", "x = 2\n")
        assert let_through(session, self.WORDINGS) == []

    NO_CHANGE = [
        "Added `--currency`. The README does not mention it yet.",
        "Added `--currency`. The README should mention it.",
        "Added `--currency`. `README.md` is unchanged.",
        "Added `--currency`, as described in the README.",
        "Added `--currency`. The README already shows `--rate`.",
        "Added `--currency`. Shall I update the README?",
        "Added `--currency`. Next: README.",
        "Added `--currency`. The README explains how to install the app.",
        "### `README.md`\n- still shows the old usage\n",
        "- [x] option `--currency`\n- [ ] README\n",
    ]

    def test_what_it_says_anyway_is_no_change(self, session):
        self.tree(session).begins().edits("cli.py", "    pass\n", "    add('--currency')\n")
        assert blocked(session, self.NO_CHANGE) == []


def test_the_line_that_says_otherwise_is_shown_as_it_is_written(session):
    session.edits("app/rate.py", "LIMIT = 10\n", "LIMIT = 20\n")
    assert "`LIMIT = 20`" in session.stop("Limit lifted from 10 to 50.")
