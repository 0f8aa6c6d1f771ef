"""A hook of MkDocs: the map names pages that other changes bring, and a page that nobody put on it is still found."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def on_config(config: Any) -> Any:
    """Leave out what is not there; put what is not named under "More"."""
    folder = Path(config["docs_dir"])
    nav = present(config["nav"], folder)
    missing = sorted({page.relative_to(folder).as_posix() for page in folder.rglob("*.md")} - named(nav))
    config["nav"] = [*nav, {"More": missing}] if missing else nav
    return config


def present(entries: list[Any], folder: Path) -> list[Any]:
    """The entries whose pages are there; a section without any is left out too."""
    kept: list[Any] = []
    for entry in entries:
        title, what = next(iter(entry.items())) if isinstance(entry, dict) else (None, entry)
        if isinstance(what, list):
            inner = present(what, folder)
            kept += [{title: inner}] if inner else []
        elif (folder / what).is_file():
            kept.append(entry)
    return kept


def named(entries: list[Any]) -> set[str]:
    """All pages that a map names."""
    pages: set[str] = set()
    for entry in entries:
        what = next(iter(entry.values())) if isinstance(entry, dict) else entry
        pages |= named(what) if isinstance(what, list) else {what}
    return pages


MARK = "<!-- commands -->"


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The commands as they are, where a page asks for them: so the page cannot fall behind."""
    return markdown.replace(MARK, commands()) if MARK in markdown else markdown


def commands() -> str:
    """Every command with its options, from the command line itself."""
    import typer.main

    from witnessmark.cli.app import command_line

    return "\n\n".join(_command("witnessmark", typer.main.get_command(command_line())))


def _command(path: str, command: Any) -> Any:
    for name, inner in sorted(getattr(command, "commands", {}).items()):
        known = f"{path} {name}"
        yield f"## {known}\n\n{inner.help or ''}"
        rows = [
            f"| `{' '.join([*parameter.opts, *parameter.secondary_opts])}` | {_cell(parameter.help)} |"
            for parameter in inner.params
            if parameter.name != "help"
        ]
        if rows and not hasattr(inner, "commands"):
            yield "\n".join(["| option | |", "|---|---|", *rows])
        yield from _command(known, inner)


def _cell(text: str | None) -> str:
    return " ".join((text or "").split()).replace("|", "\\|").replace("<", "&lt;")
