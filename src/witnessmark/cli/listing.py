"""How a group of commands tells of them: the whole first sentence of each, and what their options take in plain words."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

LONGEST_SENTENCE = 200
NUMBERS = {"int": "whole number", "float": "number"}
"""What a type of number is called, by how its own name begins."""


def _range(kind: Any) -> str | None:
    """Which numbers a type takes, in words; None where it takes any."""
    least, most = getattr(kind, "min", None), getattr(kind, "max", None)
    if least is None:
        return None if most is None else f"up to {most:.10g}"
    return f"from {least:.10g} upwards" if most is None else f"from {least:.10g} to {most:.10g}"


class CommandList(TyperGroup):
    """A group whose help cuts no sentence off and names no type of Python. Every `typer.Typer` of ours is given it as `cls`."""

    def get_command(self, ctx: typer.Context, cmd_name: str) -> Any:  # type: ignore[override]  # its own copy of click
        """A command whose help names what each option and argument takes, where the code says no more than its type."""
        found = super().get_command(ctx, cmd_name)
        for one in found.params if found is not None else ():
            number = next((word for name, word in NUMBERS.items() if one.type.name.startswith((name, word))), "")
            one.type.name = number or one.type.name  # `'x' is not a valid whole number`
            if (within := _range(one.type)) is not None:
                # Click has no other place for it; in the help and where a number is refused it is `0<=x<=10`.
                kind: Any = one.type
                kind._describe_range = lambda words=within: words  # noqa: SLF001
            named = one.metavar or getattr(one, "is_flag", False) or hasattr(one.type, "choices")
            if one.name and not named and one.name != "help":
                one.metavar = "N" if number else one.name.upper()
        return found

    def format_commands(self, ctx: typer.Context, formatter: Any) -> None:  # type: ignore[override]  # its own copy of click
        """Write the commands that are not hidden, each with its first sentence."""
        found = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, one.get_short_help_str(LONGEST_SENTENCE)) for name, one in found if one and not one.hidden]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)
