"""Whether a test run covered everything it could, or only what somebody picked. By the words of its command."""

from __future__ import annotations

import re

from witnessmark.actions.trace.ledger import CheckRun

_PICKS = re.compile(
    r"-k|-m|--deselect(?:=.*)?|--ignore(?:-glob)?(?:=.*)?|-run(?:=.*)?|--run(?:=.*)?|-skip(?:=.*)?|-t|--testNamePattern(?:=.*)?|--test-name-pattern(?:=.*)?|--grep(?:=.*)?|-g|--tests(?:=.*)?|"
    r"-Dtest(?:=.*)|--filter(?:=.*)?|--only|--spec(?:=.*)?|--lf|--last-failed|-e|--exact|--name(?:=.*)?|--plain-name|-only-testing.*|--test_filter(?:=.*)?|--focus(?:=.*)?|--example(?:=.*)?|-run=.*"
)
_FILE = re.compile(
    r".*(?:::\w.*|\.(?:py|js|jsx|ts|tsx|mjs|cjs|rb|php|go|rs|java|kt|exs?|dart|swift|bats|lua)(?::\d+)?)$"
)
_OPTIONS_WITH_VALUE = frozenset(
    {"-p", "-c", "-n", "-o", "--config", "-r", "--require", "--preload", "--tags", "-tags", "-coverprofile", "-timeout"}
)


def narrowed(run: CheckRun) -> str:
    """The words that picked tests in a run; empty where it ran what there was."""
    found = [_picked(activity.words) for activity in run.activities if "test" in activity.roles or not activity.roles]
    return found[0] if found and all(found) else ""


def _picked(words: tuple[str, ...]) -> str:
    program = words[0] if words else ""
    for number, word in enumerate(words[1:], 1):
        if _PICKS.fullmatch(word) and not (program in ("node", "npm") and word == "-e"):
            value = words[number + 1] if number + 1 < len(words) and "=" not in word else ""
            return f"{word} {value}".strip()
        if _FILE.fullmatch(word) and words[number - 1] not in _OPTIONS_WITH_VALUE and number > 1 - (program != "go"):
            return word
    return ""
