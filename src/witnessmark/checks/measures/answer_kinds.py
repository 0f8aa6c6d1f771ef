"""Whether an answer has the kind of thing a question asks for, also where that is said without a date, a figure or a name.

"At 9", "on Sundays" and "after the return" say when; "free", "daily" and "none" say how much, how often and how many;
"behind the cafe" says where, and "the finance director leads the team" who leads the team.
"""

from __future__ import annotations

import re

from witnessmark.text import clock, lang, question_kinds
from witnessmark.text.patterns import compiled

_HOUR = r"(?:[01]?\d|2[0-4])"


@lang.derived
def _hour() -> re.Pattern[str]:
    """An hour in bare digits: `at 9`, `from 9 to 17`; a clock reads what has more to it."""
    return compiled(lang.speech("says_hour").pattern.replace("{hour}", _HOUR), re.IGNORECASE | re.MULTILINE)


@lang.derived
def _person_asked() -> re.Pattern[str]:
    return compiled(
        rf"^\W*(?:{lang.either(lang.listed('questions', 'who'))})\s+(?P<does>[^?]+?)\s*\?*\s*$", re.IGNORECASE
    )


def answers(question: str, kind: str, text: str) -> bool:
    """Whether a text has what a question asks for: `kind` is the kind of thing (time, number or name) as `asked.kind` names it."""
    if question_kinds.has(kind, text):
        return True
    if kind == "time":
        said = lang.speech("says_when", "says_how_often").search(text) or _hour().search(text)
        return bool(said or clock.times(text) or clock.openings(text))
    if kind == "number":
        amount = "says_how_often" if question_kinds.asks("how_often", question) else "says_how_much"
        return lang.speech(amount).search(text) is not None
    if question_kinds.asks("place", question):
        return lang.speech("says_where").search(text) is not None
    return _somebody(question, text)


def _somebody(question: str, text: str) -> bool:
    """Whether a text says who does or did it: somebody before the very words of the question, or after "by"."""
    asking = _person_asked().search(question)
    if asking is None:
        return False
    does = " ".join(asking["does"].split())
    said = re.search(rf"[^\W\d_]{{3,}}\s+{re.escape(does)}\b", " ".join(text.split()), re.IGNORECASE)
    return said is not None or lang.speech("says_by_whom").search(text) is not None
