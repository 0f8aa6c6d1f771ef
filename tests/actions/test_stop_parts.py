"""A green run of one package is no proof for another one, and none for all tests; one over everything is proof for each."""

from __future__ import annotations

import pytest

from witnessmark.actions.trace.parts import parts_of
from witnessmark.actions.trace.shell import commands_of

PRINTED = "      Tests  2 passed (2)\n"
RUNNERS = {
    "yarn": "yarn workspace {} test", "pnpm": "pnpm --filter {} test", "npm": "npm test -w {}", "nx": "npx nx test {}", "turbo": "npx turbo run test --filter={}",
    "lerna": "npx lerna run test --scope={}", "cargo": "cargo test -p {}", "gradle": "./gradlew :{}:test", "dotnet": "dotnet test {}.Tests", "maven": "mvn -pl {} test",
    "go": "go test ./{}/...", "pytest": "pytest packages/{}", "make": "make -C {} test", "bazel": "bazel test //{}/...", "swift": "swift test --package-path {}",
    "uv": "uv run --package {} pytest", "jest": "npx jest --selectProjects {}", "sbt": "sbt {}/test", "rspec": "bundle exec rspec spec/{}", "artisan": "php artisan test --testsuite={}",
    "tox": "tox -e {}", "folder": "cd packages/{} && npx vitest run",
}  # fmt: skip
each = pytest.mark.parametrize("runner", RUNNERS.values(), ids=RUNNERS)
SAID = "Changed `packages/web/a.ts`. {}"


@pytest.fixture
def packages(session):
    """A project of two packages with tests each, of which one was changed."""
    for name in ("api", "web"):
        session.has(f"packages/{name}/a.test.ts", "test('a', () => { expect(1).toBe(1); });\n")
    return session.begins().edits("packages/web/a.ts", "1\n", "2\n")


@each
def test_a_command_of_another_package_was_not_run(packages, runner):
    packages.runs(runner.format("api"), PRINTED)
    assert "no such command" in packages.stop(SAID.format(f"`{runner.format('web')}` passes."))
    assert packages.stop(SAID.format(f"`{runner.format('api')}` passes.")) == ""


WHOLE = ["The full test suite passes.", "All tests across the monorepo pass.", "I ran the entire test suite and it is green."]  # fmt: skip


@pytest.mark.parametrize("told", WHOLE)
@pytest.mark.parametrize("run", [RUNNERS[name] for name in ("yarn", "pnpm", "npm", "pytest", "folder")])
def test_one_package_is_not_all_tests(packages, told, run):
    assert "only some tests were run" in packages.runs(run.format("api"), PRINTED).stop(SAID.format(told))
    assert packages.runs(run.format("web"), PRINTED).stop(SAID.format(told)) == ""


@pytest.mark.parametrize("told", ["The web tests pass.", "All tests in the `web` package pass.", "The `packages/web` tests are green."])  # fmt: skip
def test_the_tests_of_a_package_are_told_in_words(packages, told):
    assert "other parts of the project" in packages.runs("npm test -w api", PRINTED).stop(SAID.format(told))
    assert packages.runs("npm test -w web", PRINTED).stop(SAID.format(told)) == ""


HONEST = [
    ("npm test", "`npm test -w web` passes."),
    ("cargo test --workspace", "`cargo test -p web` passes."),
    ("./gradlew :services:web:test", "`./gradlew :web:test` passes."),
    ("pnpm --filter ./packages/web test", "`pnpm --filter @org/web test` passes."),
    ("cd packages/web && npx vitest run", "`yarn workspace web test` passes."),
    ("docker compose exec web pytest", "`pytest tests/web` passes."),
    ("npx jest --config config/jest.json", "`npx jest web` passes."),
    ("for p in api web; do npm test -w $p; done", "`npm test -w web` passes."),
    ("bash scripts/test_all.sh", "`npm test -w web` passes."),
    ("pnpm --filter server test", "The full test suite passes."),
    ("pytest packages", "The full test suite passes."),
    ("tox -e py311", "The whole test suite passes on 3.11."),
    ("npm test -w api", "All tests in the `api` package pass."),
    ("npm test -w api", "The api tests pass; I did not run the web tests."),
    ("npm test -w api", "Existing tests pass, web tests are still to be written."),
    ("npm test -w api", "`npm test -w api` passes; the full test suite was not run."),
]


@pytest.mark.parametrize(("run", "told"), HONEST)
def test_what_may_have_had_that_package_is_let_through(packages, run, told):
    assert packages.runs(run, PRINTED).stop(SAID.format(told)) == ""


def test_another_package_that_the_run_printed_may_have_been_run_by_it(packages):
    packages.runs("npx nx test api", f"> nx run web:test\n{PRINTED}")
    assert packages.stop(SAID.format("`npx nx test web` passes.")) == ""


@pytest.mark.parametrize("line", ["go test ./...", "bazel test //...", "pytest -q tests", "mvn test", "dotnet test App.sln", "npm run test:api"])  # fmt: skip
def test_a_command_over_everything_names_no_part(line):
    assert not [part for command in commands_of(line) for part in parts_of(command)]


INSTALLED = ["vendor/bin/phpunit", "php vendor/bin/phpunit", "./vendor/bin/pest", "bin/rspec", "php artisan test", "sail test", "node node_modules/.bin/jest"]  # fmt: skip


@pytest.mark.parametrize("command", INSTALLED)
def test_a_runner_is_known_by_the_place_where_it_is_installed(packages, command):
    packages.runs(command, "FAILURES!\nTests: 2, Assertions: 2, Failures: 1.\n", 1)
    assert "not true" in packages.stop(SAID.format(f"`{command}` passes."))
