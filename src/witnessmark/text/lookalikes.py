r"""A text as a reader sees it: letters that look like Latin ones are those, and what cannot be seen is gone.

>>> as_seen("\u0440\u0430ss\u200bword")
'password'
"""

from __future__ import annotations

import unicodedata

_CYRILLIC = "абвеёзікмнорстухјѕһԁԛԝ АВЕЁЗІКМНОРСТУХЈЅԌԚԜ"
_CYRILLIC_AS = "a6beezikmhopctyxjshdqw ABEE3IKMHOPCTYXJSGQW"
_GREEK = "αβγεικνορτυχωϲϳ ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ"
_GREEK_AS = "aByeikvoptuxwcj ABEZHIKMNOPTYXC"
_OTHER = "ıȷɑɡɩӏօսհոԍᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ"
_OTHER_AS = "ijagiloohngabcdefghijklmnoprstuvwyz"
_TABLE = str.maketrans(
    dict(zip(_CYRILLIC, _CYRILLIC_AS, strict=True))
    | dict(zip(_GREEK, _GREEK_AS, strict=True))
    | dict(zip(_OTHER, _OTHER_AS, strict=True))
)


def as_seen(text: str) -> str:
    """The text with full-width and styled letters plain, look-alikes of other alphabets as Latin, and nothing invisible in it."""
    if text.isascii():
        return text
    plain = unicodedata.normalize("NFKC", text)
    return "".join(char for char in plain if unicodedata.category(char) not in ("Cf", "Mn", "Me")).translate(_TABLE)
