"""Writes docs/settings.md from the settings themselves: python tools/settings_page.py"""

from __future__ import annotations

from pathlib import Path

from witnessmark.cli.settings_help import settings_page

PAGE = Path(__file__).resolve().parents[1] / "docs" / "settings.md"


def main() -> None:
    """Write the page."""
    PAGE.write_text(settings_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
