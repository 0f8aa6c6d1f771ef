"""Every setting with its true default and what it means: as a commented settings file, and as a page of the documentation.

Defaults come from the values themselves, words from templates/settings_help.toml; a test holds the two against each other.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from importlib import resources
from typing import Any, NamedTuple

import msgspec

from witnessmark.core.policy import Policy
from witnessmark.judges.specs import JudgeSpec
from witnessmark.settings import Settings

_HIDDEN = {"policy.layers"}
_EXAMPLE = 'small = { vendor = "openai", model = "gpt-4o-mini", key_env = "OPENAI_API_KEY" }'


class Setting(NamedTuple):
    """One setting: its path, its default as TOML (None where it has none), and what it means."""

    path: str
    default: str | None
    help: str


def sections() -> Iterator[tuple[str, str, list[Setting]]]:
    """The tables of a settings file in order: name (empty for the top), what it is about, its settings."""
    told = explanations()
    top = [name for name in Settings.__struct_fields__ if not _is_table(name)]
    defaults = Settings()
    yield "", "Top-level settings.", [_setting(name, getattr(defaults, name), told) for name in top]
    for name in Settings.__struct_fields__:
        if not _is_table(name):
            continue
        table = Policy() if name == "policy" else getattr(defaults, name)
        if name == "judges":
            fields = [
                Setting(f"judges.{field}", _judge_default(field), told.get(f"judges.{field}", "Not explained yet."))
                for field in JudgeSpec.__struct_fields__
            ]
        else:
            fields = [
                _setting(f"{name}.{field}", getattr(table, field), told)
                for field in table.__struct_fields__
                if f"{name}.{field}" not in _HIDDEN
            ]
        yield name, told.get(name, "Not explained yet."), fields


def settings_file() -> str:
    """A settings file with every setting in it, commented out, at its default."""
    lines = [
        "# Settings of Witnessmark. Everything is optional: what is commented out has the default shown.",
        "# `witnessmark doctor` says what is in force. WITNESSMARK_STORE and WITNESSMARK_WORKSPACE override this file.",
    ]
    for name, about, settings in sections():
        lines += ["", *([f"# {about}", f"[{name}]"] if name else [])]
        if name == "judges":
            lines += [f"# {_EXAMPLE}"]
            continue
        for one in settings:
            key = one.path.rpartition(".")[2]
            lines += [f"# {one.help}", f"# {key} = {one.default}" if one.default is not None else f"# {key} = …"]
    return "\n".join(lines) + "\n"


def settings_page() -> str:
    """The page of the documentation, as Markdown."""
    lines = [
        "# Settings",
        "",
        "Settings are read from `witnessmark.toml` (or `.yaml`) in the working folder, or from the file that `--config` names; "
        "`witnessmark init` writes one with every setting at its default. The environment variables `WITNESSMARK_STORE`, "
        "`WITNESSMARK_WORKSPACE` and `WITNESSMARK_CONFIG` override it, and options override both. An unknown key is refused by name. "
        "`witnessmark doctor` says what is in force.",
        "",
        "<!-- Made by tools/settings_page.py from the settings themselves; change src/witnessmark/cli/templates/settings_help.toml. -->",
    ]
    for name, about, settings in sections():
        lines += ["", f"## `[{name}]`" if name else "## At the top", "", about, ""]
        lines += ["| setting | default | meaning |", "|---|---|---|"]
        for one in settings:
            shown = f"`{one.default}`" if one.default is not None else "none"
            key = one.path.rpartition(".")[2]
            lines.append(f"| `{key}` | {_cell(shown)} | {_cell(one.help)} |")
        if name == "judges":
            lines += ["", "```toml", "[judges]", _EXAMPLE, "```"]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def explanations() -> dict[str, str]:
    """What each setting and each table means, by its path."""
    text = resources.files("witnessmark.cli").joinpath("templates", "settings_help.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _is_table(name: str) -> bool:
    return name in ("policy", "judges") or isinstance(getattr(Settings(), name), msgspec.Struct)


def _setting(path: str, default: Any, told: dict[str, str]) -> Setting:
    return Setting(path, _toml(default), told.get(path, "Not explained yet."))


def _judge_default(field: str) -> str | None:
    names, defaults = JudgeSpec.__struct_fields__, JudgeSpec.__struct_defaults__
    at = names.index(field) - (len(names) - len(defaults))
    value = defaults[at] if at >= 0 else None
    return None if value is None or isinstance(value, msgspec.Struct) else _toml(value)


def _toml(value: Any) -> str | None:
    """A value as TOML writes it; None where TOML has no word for it."""
    if value is None:
        return None
    if isinstance(value, msgspec.Struct):
        inner = [(name, _toml(getattr(value, name))) for name in value.__struct_fields__]
        return "{ " + ", ".join(f"{name} = {one}" for name, one in inner if one is not None) + " }"
    if isinstance(value, dict):
        return "{}" if not value else None
    if isinstance(value, tuple):
        return json.dumps(list(value), ensure_ascii=False)
    return json.dumps(value, ensure_ascii=False)
