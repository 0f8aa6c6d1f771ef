"""`init` writes every setting at its true default, and the settings page explains each."""

from __future__ import annotations

import re
import tomllib

import msgspec

from witnessmark.cli import settings_help
from witnessmark.core.policy import Policy
from witnessmark.settings import Settings


def uncommented(text):
    """The file with every setting switched on; those without a default stay out."""
    lines = [re.sub(r"^# (\w+ = )", r"\1", line) for line in text.splitlines()]
    return "\n".join(line for line in lines if not line.endswith("= …") and not line.startswith("small ="))


def test_the_file_with_everything_switched_on_is_what_holds_without_a_file():
    read = tomllib.loads(uncommented(settings_help.settings_file()))
    policy = read.pop("policy")
    assert msgspec.convert(read, Settings) == Settings()
    assert Policy(**policy) == Policy()


def test_every_setting_is_there_and_every_explanation_is_of_one():
    listed = {one.path for _, _, settings in settings_help.sections() for one in settings}
    structs = {name: getattr(Settings(), name) for name in Settings.__struct_fields__}
    expected = {
        f"{name}.{field}"
        for name, table in (structs | {"policy": Policy()}).items()
        if isinstance(table, msgspec.Struct)
        for field in table.__struct_fields__
    } - {"policy.layers"}
    assert expected <= listed
    tables = {name for name, _, _ in settings_help.sections() if name}
    assert set(settings_help.explanations()) == listed | tables


def test_the_page_is_what_the_settings_say(root):
    page = (root / "docs" / "settings.md").read_text(encoding="utf-8")
    assert page == settings_help.settings_page(), "run: python tools/settings_page.py"
