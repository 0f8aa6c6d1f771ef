"""What a sentence says was run or done: commands in code, what was done with git, and what cannot be seen without running something.

The words are data (`lang/runs.toml`). Nothing here looks at the world.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.report.lexicon import WORDS, table
from witnessmark.actions.report.names import looks_like_command
from witnessmark.actions.report.runs.checks import claim_of, found, pattern, stated, taken_back, went_well_after
from witnessmark.text.patterns import compiled

if TYPE_CHECKING:
    from witnessmark.actions.report.language import Language
    from witnessmark.actions.report.sentences import Sentence

_CODE = compiled(r"`(?P<code>[^`\n]{3,200})`")


def commands_told(sentence: Sentence, words: Language) -> Iterator[ActionClaim]:
    """A claim for each command that the sentence says was run."""
    for match in _CODE.finditer(sentence.text) if not sentence.others else ():
        code = match["code"].strip()
        typed = looks_like_command(code)
        if not typed and not _two_words(code):
            continue
        if _was_run(sentence, words, match, typed=typed) and taken_back(sentence.low, match.end()) is None:
            yield claim_of("command", sentence, command=code, role="ran")


def _two_words(code: str) -> bool:
    """`alembic upgrade head`: plain words in code, as they are typed at a prompt, and no name or path."""
    plain = re.fullmatch(r"[a-z][a-z0-9_-]+(?: [a-z0-9][\w:./@=-]*| --?[a-z][\w=-]*){1,6}", code)
    return plain is not None and code.split(maxsplit=1)[0] not in WORDS.keywords


def _was_run(sentence: Sentence, words: Language, match: re.Match[str], *, typed: bool) -> bool:
    """Whether the words around some code say so; what may be plain words (not `typed`) must be run by a verb that nothing else has."""
    low = sentence.low
    head = not low[: match.start()].strip(" `*|")
    if sentence.done and head and typed:
        return True
    by_verb = pattern("commands", "ran").search(low, 0, match.start())
    if by_verb is not None and stated(low, by_verb.start(), match.start(), words):
        return typed or pattern("commands", "only_runs").search(by_verb.group()) is not None
    after = pattern("commands", "ran_after").match(low, match.end())
    if after is not None and stated(low, match.start(), match.end(), words):
        return typed or pattern("commands", "only_runs").search(after.group()) is not None
    return typed and went_well_after(low, match.start(), match.end(), words)


_DONE = "_done"


def versions_told(sentence: Sentence, words: Language) -> Iterator[ActionClaim]:
    """A claim for each thing that the sentence says was done with git."""
    low = sentence.low.rstrip(".")
    for name in table("runs")["git"] if not sentence.others else ():
        if name == "hash" or (name.endswith(_DONE) and not sentence.done):
            continue
        match = found("git", name, low)
        end = match.start() if match and name == "not_committed" else match.end() if match else 0
        if match is None or not stated(low, match.start(), end, words) or taken_back(low, match.end()):
            continue
        role = name.removesuffix(_DONE)
        named = pattern("git", "hash").search(low) if role == "commit" else match
        yield claim_of("git", sentence, role=role, value=_value(sentence.text, named))


def _value(text: str, match: re.Match[str] | None) -> str | None:
    """The name that a match holds, as it is written."""
    spans = [match.span(group) for group, value in match.groupdict().items() if value] if match is not None else []
    return text[spans[0][0] : spans[0][1]].strip("`\"'").rstrip(".,") if spans else None


OBSERVED = ("served", "profiled", "measured", "red_first", "reproduced", "tested", "times", "retested")


def observed(sentence: Sentence, words: Language) -> Iterator[ActionClaim]:
    """A claim for each sort of observation that the sentence tells."""
    low = sentence.low
    for role in OBSERVED:
        match = found("observed", role, low)
        if match is None or sentence.others:
            continue
        begins = max(low.rfind(sign, 0, match.start() + 1) for sign in ";.—–") + 1
        if pattern("observed", "unsaid").search(low, begins, match.end()) is None or _only_within(low, match.span()):
            yield claim_of("check_passed", sentence, role=role, value=match.groupdict().get("times"))


def _only_within(low: str, span: tuple[int, int]) -> bool:
    """Whether the word that seems to deny it is a part of what was seen: `fails without the fix` is no denial."""
    denied = table("runs")["observed"]["within"]
    return pattern("observed", "unsaid").search(low[: span[0]] + _without(low[span[0] : span[1]], denied)) is None


def _without(text: str, words: str) -> str:
    for word in words.split("|"):
        text = text.replace(word, " ")
    return text
