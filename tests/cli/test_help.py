"""Every command says what it does and what each of its options is for."""

from __future__ import annotations

import re

import pytest
from typer.main import get_command

from witnessmark.cli.app import command_line


def _commands(command, path=()):
    """The command with all below it, each under the words that call it."""
    yield path, command
    for name, below in getattr(command, "commands", {}).items():
        yield from _commands(below, (*path, name))


ALL = dict(_commands(get_command(command_line())))
NAMES = [" ".join(path) or "(top)" for path in ALL]


@pytest.mark.parametrize("path", ALL, ids=NAMES)
def test_help_says_in_one_sentence_what_it_does(cli, path):
    done = cli(*path, "--help")
    assert done.exit_code == 0
    assert done.stdout.lstrip().startswith("Usage: ")
    first = (ALL[path].help or "").strip().split("\n")[0]
    assert re.fullmatch(r"[A-Z].{10,160}[.:]", first), first
    assert " ".join(first.split()[:4]) in " ".join(done.stdout.split())


@pytest.mark.parametrize("path", ALL, ids=NAMES)
def test_every_option_and_argument_is_explained(path):
    unexplained = [one.name for one in ALL[path].params if not getattr(one, "help", None) and one.name != "help"]
    assert unexplained == []


@pytest.mark.parametrize("path", ALL, ids=NAMES)
def test_what_may_be_given_more_than_once_shows_it(path):
    several = [one for one in ALL[path].params if one.param_type_name == "argument" and one.nargs == -1]
    assert [one.metavar for one in several if "…" not in (one.metavar or "")] == []


@pytest.mark.parametrize("path", ALL, ids=NAMES)
def test_a_command_that_opens_a_store_takes_the_settings_that_name_it(path):
    options = {name for one in ALL[path].params for name in one.opts}
    assert "--config" in options or "--store" not in options


@pytest.mark.parametrize("path", ALL, ids=NAMES)
def test_what_an_option_takes_is_told_without_types_of_a_language(cli, path):
    told = cli(*path, "--help").stdout
    assert not re.search(r"<(?:str|int|float|int range|float range)>", told)
    assert not re.search(r"^Usage: .*[\[{][a-z_]+[\]}]", told), (
        "an argument stands in capitals, as what is to be replaced"
    )


ASKS = {"--judge", "--allow-same-family", "--policy", "--deadline", "--budget-usd", "--budget-tokens"}
TREE = {"--root", "--before", "--after"}


@pytest.mark.parametrize(
    "name", ["verify", "batch", "experiment", "check", "correct", "run", "reverify", "serve", "mcp"]
)
def test_a_command_that_verifies_takes_judges_limits_and_a_policy(name):
    assert {one for param in ALL[name,].params for one in param.opts} >= ASKS


@pytest.mark.parametrize("name", ["verify", "batch", "experiment", "reverify", "replay"])
def test_a_command_that_verifies_cases_takes_the_tree_that_reports_are_held_against(name):
    assert {one for param in ALL[name,].params for one in param.opts} >= TREE


@pytest.mark.parametrize("path", ALL, ids=NAMES)
def test_the_same_option_means_the_same_everywhere(path):
    """A person who learnt `--store` once need not look it up again."""
    shared = {"--store", "--config", "--workspace", "--judge", "--policy"}
    said = {name: one.help for one in ALL[path].params for name in one.opts if name in shared}
    top = {
        name: one.help
        for known in (("verify",), ("records",))
        for one in ALL[known].params
        for name in one.opts
        if name in shared
    }
    assert {name: text for name, text in said.items() if text != top[name]} == {}


@pytest.mark.parametrize("path", ALL, ids=NAMES)
def test_who_names_a_judge_may_say_by_which_policy_and_how_much_it_may_take(path):
    names = {name for one in ALL[path].params for name in one.opts}
    limits = {"--policy", "--deadline", "--budget-usd", "--budget-tokens"}
    assert "--judge" not in names or limits <= names


def test_without_a_command_the_commands_are_listed(cli):
    done = cli()
    assert cli("-h").stdout == cli("--help").stdout
    assert {path[0] for path in ALL if path} <= set(re.findall(r"[a-z][a-z-]+", done.stdout + done.stderr))


def test_the_version_is_one_line(cli):
    from witnessmark._version import __version__

    assert cli("--version").stdout == f"witnessmark {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("verfy",), "No such command 'verfy'"),
        (("records", "adit"), "No such command 'adit'"),
        (("verify", "--jsn"), "No such option: --jsn"),
        (("metrics", "--days", "none"), "Invalid value for '--days'"),
        (("metrics", "--days", "0"), "Invalid value for '--days'"),
        (("records", "--limit", "0"), "Invalid value for '--limit'"),
        (("serve", "--port", "70000"), "Invalid value for '--port'"),
        (("serve", "--workers", "0"), "Invalid value for '--workers'"),
        (("calibrate", "fit", "--risk", "2"), "Invalid value for '--risk'"),
        (("schema", "verdict"), "Invalid value for"),
        (("compare", "a.jsonl"), "Missing argument 'B'"),
        (("show",), "Missing argument 'ID'"),
        (("override", "abc", "--outcome", "pass"), "Missing option '--reason'"),
        (("correct", "--attempts", "11"), "Invalid value for '--attempts'"),
        (("import", "promptfoo"), "Missing argument 'FILE'"),
        (("verify", "--deadline", "0"), "Invalid value for '--deadline'"),
        (("verify", "--budget-usd", "-1"), "Invalid value for '--budget-usd'"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else None,
)
def test_a_word_that_is_not_understood_is_named_and_the_code_is_2(cli, arguments, said):
    done = cli(*arguments)
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.split())
    assert done.stdout == ""


@pytest.mark.parametrize("path", [path for path, one in ALL.items() if getattr(one, "commands", None)])
def test_a_list_of_commands_cuts_no_sentence_off(cli, path):
    listed = cli(*path, "--help").stdout.partition("Commands:")[2]
    said = " ".join(listed.split())
    assert "..." not in said
    for name, one in ALL[path].commands.items():
        assert f"{name} {' '.join(one.help.partition('.')[0].split()[:30])}"[:60] in said
