"""Commands in code that a sentence says were run: by a verb, as the means of something done, or because it tells how they went.

The words are data (`lang/runs.toml`). Nothing here looks at the world.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.report.lexicon import WORDS
from witnessmark.actions.report.names import looks_like_command
from witnessmark.actions.report.runs.checks import claim_of, pattern, stated, taken_back, went_well_after
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
