"""What the name of a file may end with, as data: `endings.toml` lists the endings by what such files hold.

>>> "py" in CODE, "toml" in SETTINGS, "md" in TEXT, "png" in KNOWN, "in" in PROSE
(True, True, True, True, False)
"""

from __future__ import annotations

from pathlib import Path

from witnessmark.text.patterns import table_in

_TABLE = table_in(Path(__file__).with_name("endings.toml"))


def _endings(*kinds: str, of: tuple[str, ...] = ("prose", "more")) -> frozenset[str]:
    return frozenset(ending for part in of for kind in kinds for ending in _TABLE[part][kind].split())


CODE = _endings("code")
SETTINGS = _endings("settings")
"""Endings of files that set something up, or say how it looks."""
TEXT = _endings("settings", "text")
KNOWN = _endings("code", "settings", "text", "other")
PROSE = _endings("code", "settings", "text", "other", of=("prose",))
"""Endings that mean a file in running text, where `df.sum` and `U.S.S.R` are none."""
PRODUCTS = frozenset(_TABLE["names"]["products"].split())
"""Products and addresses that are written like files: `node.js`."""
