"""The documentation cannot lie: every snippet runs, every check and command is described, the map is up to date."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^(?P<indent>[ \t]*)(?:`{3,}|~{3,})[ \t]*(?P<words>[^`\n]*)$", re.MULTILINE)
RUN = ("python", "console")
SHOWN = (
    "json",
    "toml",
    "yaml",
    "yml",
    "http",
    "csv",
    "promql",
    "xml",
    "text",
    "sql",
    "html",
    "dockerfile",
    "ini",
    "diff",
)
EXIT = re.compile(r"#\s*exit (\d)\s*$")


def blocks(page):
    return BLOCK.findall(page.read_text(encoding="utf-8"))


@pytest.fixture
def place(tmp_path):
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return tmp_path


@pytest.fixture
def environment(place, warm_path):
    path = (warm_path, str(Path(sys.executable).parent), os.environ["PATH"])
    return {**os.environ, "PATH": os.pathsep.join(path), "WITNESSMARK_STORE": f"sqlite:///{place}/docs.db"}


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p)], ids=lambda p: p.name)
def test_every_snippet_of_a_page_runs(page, place, warm, environment):
    code = "\n".join(text for kind, text in blocks(page) if kind == "python")
    if code:
        done = subprocess.run(
            [*warm, "-W", "error", "-c", code],
            cwd=place,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    for kind, text in blocks(page):
        for line in text.splitlines() if kind == "console" else ():
            if line.startswith("$ "):
                wanted = EXIT.search(line)
                command = EXIT.sub("", line[2:]).strip()
                words = shlex.split(command)
                done = subprocess.run(
                    command if {"|", ">", "&&", ";"} & set(words) else words,
                    shell=bool({"|", ">", "&&", ";"} & set(words)),
                    cwd=place,
                    env=environment,
                    capture_output=True,
                    text=True,
                    check=False,
                )
                assert done.returncode == (int(wanted.group(1)) if wanted else 0), f"{line}\n{done.stdout}{done.stderr}"


_GIVEN = re.compile(r"\b[0-9a-f]{12}\b|confidence 0\.\d\d")
"""What a model on another processor may give otherwise: the confidence, and with it the record's digest."""


def shown(text):
    """The lines of a text without what depends on the machine, and without the indent that all have."""
    return [_GIVEN.sub("…", line) for line in textwrap.dedent(text).strip().splitlines()]


def test_the_readme_shows_what_its_first_command_prints(place, environment):
    (command,) = re.findall(
        r"^\$ (witnessmark check .*)  # exit 1$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    told = subprocess.run(shlex.split(command), cwd=place, env=environment, capture_output=True, text=True, check=False)
    (block,) = re.findall(r"```text\n(fail: .*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert shown(told.stdout) == shown(block)


def test_the_page_on_pytest_shows_what_a_failing_test_prints(place, warm, environment):
    page = (ROOT / "docs" / "pytest.md").read_text(encoding="utf-8")
    code, *_ = re.findall(r'write_text\("""(.*?)"""\)', page, re.DOTALL)
    (place / "test_wrong.py").write_text(code.replace('return "Revenue grew 14 %', 'return "Revenue grew 40 %'))
    command = [*warm, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_wrong.py", "-k", "borne_out"]
    told = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)
    printed = "\n".join(line[1:] for line in told.stdout.splitlines() if line.startswith("E "))
    (block,) = re.findall(r"^    AssertionError: .*?\n\n", page, re.DOTALL | re.MULTILINE)
    assert shown(printed) == shown(block)


def hidden(text):
    """Fences that open a block which looks like a snippet and is not one of those that are run."""
    for number, match in enumerate(FENCE.finditer(text)):
        words = match["words"].strip()
        if number % 2 == 0 and words and (match["indent"] or words not in (*RUN, *SHOWN)):
            yield words


def test_no_snippet_hides_from_being_run():
    """Not in an admonition, a tab or a list, not under a title, not in another language's name."""
    assert list(hidden("```python\n1\n```\n\n!!! note\n\n    ```python\n    2\n    ```\n")) == ["python"]
    assert list(hidden('```bash\nls\n```\n```python title="x"\n1\n```\n')) == ["bash", 'python title="x"']
    found = {page.name: list(hidden(page.read_text(encoding="utf-8"))) for page in PAGES}
    assert {name: words for name, words in found.items() if words} == {}


def test_links_between_pages_lead_somewhere():
    broken = []
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8")):
            if not (page.parent / target).exists():
                broken.append(f"{page.name}: {target}")
    assert broken == []


def test_every_built_in_check_has_its_place_in_the_documentation():
    import witnessmark.checks.builtin  # noqa: F401
    from witnessmark.core.registry import checks

    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    missing = [
        name
        for name in checks.all()
        if checks.origin(name) == "witnessmark" and not name.startswith("test-") and f"`{name}`" not in text
    ]
    assert missing == []


def test_the_readme_begins_with_the_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(r"make demo.*\n.*make test", text)
    assert text.index("make demo") < 800


def test_the_marks_of_requirements_are_sound():
    done = subprocess.run(
        [sys.executable, "tools/coverage_map.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.returncode == 0


def test_the_make_targets_of_the_contract_are_there():
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("demo", "test", "bench", "check", "coverage-map", "docs"):
        assert re.search(rf"^{target}:", text, re.MULTILINE), target


def commands(group, prefix=""):
    for name, command in group.commands.items():
        yield f"{prefix}{name}", command
        if hasattr(command, "commands"):
            yield from commands(command, f"{prefix}{name} ")


def test_every_command_and_every_option_has_help():
    import typer.main

    from witnessmark.cli.app import command_line

    silent = []
    for name, command in commands(typer.main.get_command(command_line())):
        if not (command.help or "").strip():
            silent.append(name)
        silent += [f"{name} {p.name}" for p in command.params if not (getattr(p, "help", "") or "").strip()]
    assert silent == []
