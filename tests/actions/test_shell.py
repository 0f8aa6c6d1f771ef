"""Shell lines: which commands they hold, where they ran, and whose exit code the line's is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark.actions.trace.activities import activity_of, unwrapped
from witnessmark.actions.trace.shell import commands_of


def codes(line: str, code: int | None) -> dict[str, int | None]:
    return {command.words[0]: command.code for command in commands_of(line, code)}


@pytest.mark.parametrize(
    ("line", "code", "own"),
    [
        ("pytest -q", 1, {"pytest": 1}),
        ("cd /w && pytest -q", 1, {"cd": None, "pytest": 1}),
        ("make && pytest", 1, {"make": None, "pytest": None}),
        ("make && pytest", 0, {"make": 0, "pytest": 0}),
        ("pytest || true", 0, {"pytest": None, "true": None}),
        ("pytest; echo done", 0, {"pytest": None, "echo": 0}),
        ("pytest -q 2>&1 | tail -5", 0, {"pytest": None, "tail": 0}),
        ("set -o pipefail; pytest | tail", 0, {"set": None, "pytest": 0, "tail": 0}),
        ("pytest &", 0, {"pytest": None}),
        ("! grep x y", 0, {"grep": None}),
        ("bash -lc 'cd x && go test ./...'", 1, {"cd": None, "go": 1}),
        ("if true; then pytest; fi", 0, {"true": None, "pytest": None}),
    ],
)
def test_an_exit_code_is_a_commands_own_only_where_the_shell_makes_it_so(
    line: str, code: int, own: dict[str, int | None]
) -> None:
    assert codes(line, code) == own


def test_words_come_without_quotes_and_with_the_variables_that_the_line_sets() -> None:
    (command,) = commands_of("""FILES=tests/a.py; pytest "$FILES" -k 'one or two' """)
    assert command.words == ("pytest", "tests/a.py", "-k", "one or two")


def test_a_redirection_names_the_file_it_writes_and_a_here_document_its_text() -> None:
    (command,) = commands_of("cat > src/a.py <<'EOF'\nx = 1\nEOF\n")
    assert (command.writes, command.fed) == (("src/a.py",), "x = 1\n")
    assert commands_of("ls 2>&1 > /dev/null")[0].writes == ()


def test_commands_in_substitutions_and_loops_are_seen_and_marked() -> None:
    found = {command.words[0]: command.loop for command in commands_of("for f in *.py; do ruff $f; done; echo $(date)")}
    assert found == {"ruff": True, "echo": False, "date": True}


def test_cd_says_where_a_command_ran() -> None:
    assert [command.folder for command in commands_of("cd a && cd b && ls; (cd c; ls)")] == [
        "",
        "a",
        "a/b",
        "a/b",
        "a/b/c",
    ]


@given(st.text(alphabet="ab $'\"`|&;(){}<>\n\\=-", max_size=60))
def test_any_line_is_read_without_a_fault(line: str) -> None:
    for command in commands_of(line, 0):
        assert command.words


@pytest.mark.parametrize(
    ("line", "bare"),
    [
        ("timeout 60 pytest -q", "pytest -q"),
        ("env A=1 B=2 pytest", "pytest"),
        ("A=1 nice -n 5 pytest", "pytest"),
        ("poetry run python -m pytest -q", "pytest -q"),
        ("uv run --with x pytest", "pytest"),
        ("npx --yes jest", "jest"),
        ("docker compose exec web pytest", "pytest"),
        ("python3.12 -m unittest", "unittest"),
        ("ls -l", "ls -l"),
    ],
)
def test_what_only_runs_a_command_is_no_part_of_it(line: str, bare: str) -> None:
    assert " ".join(unwrapped(tuple(line.split()))) == bare


@pytest.mark.parametrize(
    ("line", "role"),
    [(line, "test") for line in (
        "pytest -q", "python -m pytest", "npm test", "npm run test:unit", "npm t", "yarn test", "pnpm --filter web test", "bun test", "bun run test", "deno test -A",
        "node --test", "npx ava", "npx playwright test", "npx cypress run", "turbo run test", "nx test web", "go test ./...", "gotestsum ./...", "cargo test",
        "cargo nextest run", "mvn test", "mvn -q -B test", "./mvnw test", "gradle test", "./gradlew :app:test", "swift test", "xcodebuild test -scheme A", "bazel test //...",
        "flutter test", "dart test", "sbt test", "dotnet test", "make test", "make -C sub test", "just test", "mise run test:ci", "rake spec", "bundle exec rspec",
        "vendor/bin/phpunit", "mix test", "ctest", "./run_tests.sh", "bash scripts/test.sh", "python manage.py test", "hatch run test", "tox -e py312",
    )]
    + [("npm run lint", "lint"), ("ruff check .", "lint"), ("tsc --noEmit", "types"), ("npm run build", "build"), ("go build ./...", "build"), ("gofmt -l .", "lint"), ("gofmt -w .", "format"), ("black --check .", "lint")]
)  # fmt: skip
def test_what_a_command_is_for(line: str, role: str) -> None:
    assert role in activity_of(tuple(line.split())).roles


def test_a_program_that_nobody_knows_has_no_role_and_one_that_looks_runs_nothing() -> None:
    assert activity_of(("acme-tool", "go")).roles == frozenset()
    assert activity_of(("rg", "test")).roles == {"read"}
    assert not activity_of(("mise", "run", "check")).sure
