"""How a group of commands lists them: the whole first sentence of each, however wide the screen is."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

LONGEST_SENTENCE = 200


class CommandList(TyperGroup):
    """A group whose help cuts no sentence off. Every `typer.Typer` of ours is given it as `cls`."""

    def format_commands(self, ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override]  # its own copy of click
        """Write the commands that are not hidden, each with its first sentence."""
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, one.get_short_help_str(LONGEST_SENTENCE)) for name, one in found if one and not one.hidden]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)
