"""What a sentence says was done with git: commits, pushes, branches, tags, merges, told in a sentence or as an item that is ticked off.

The words are data (`lang/runs.toml`, section `git`). Nothing here looks at the repository.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.report.lexicon import table
from witnessmark.actions.report.runs.checks import claim_of, found, pattern, stated, taken_back

if TYPE_CHECKING:
    from witnessmark.actions.report.language import Language
    from witnessmark.actions.report.sentences import Sentence

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
