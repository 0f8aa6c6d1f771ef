"""Imports that a report says were added or removed, against the statements of import that the files had and have.

Only for languages whose statements are known. A name that one statement loses and another gains, or that stands anywhere else in the
file, is no proof that a report is wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from witnessmark.actions.claim import ActionClaim, Ruling, contradicted, supported
from witnessmark.actions.content.evidence import TextEvidence
from witnessmark.actions.content.patterns import pattern
from witnessmark.actions.report.lexicon import table
from witnessmark.actions.trace.changes import ending, is_code
from witnessmark.actions.tree.texts import TextChange

IMPORT = "import"
"""The name of a claim whose name in code is said to be imported."""


def _statements(path: str) -> re.Pattern[str] | None:
    """What brings names into a file, and from where; None where its language is not known."""
    language = table("content")["statements"]["languages"].get(ending(path))
    return pattern("statements", language) if language else None


def is_import(low: str, start: int, end: int) -> bool:
    """Whether the name in code at a place of a sentence is said to be imported: `the unused import of x`, `the x import`."""
    around = f"{low[:start]}\n{low[end:]}"
    return pattern("names", "imported").search(around) is not None


def rule_import(claim: ActionClaim, known: TextEvidence) -> Ruling | None:
    """An import that is said to be removed and stands as it stood, or to be added and is not there."""
    name = re.split(r"[.:/]+", (claim.old or claim.value or "").strip("`\"'"))[-1]
    texts = _meant(claim, known)
    if not name or not texts or any(_statements(text.path) is None for text in texts):
        return None
    pairs = [(_imports(name, text.path, text.old), _imports(name, text.path, text.new)) for text in texts]
    if claim.role == "add":
        if any(new - old for old, new in pairs):
            return supported("a statement imports it now", texts[0].path)
        if not claim.path or any(re.search(rf"\b{re.escape(name)}\b", text.new, re.IGNORECASE) for text in texts):
            return None
        return contradicted("contradicted_claim", f"{texts[0].path} does not import `{name}`", "not there")
    if any(old - new for old, new in pairs):
        return supported("a statement that imported it is gone", texts[0].path)
    low = claim.text.lower()
    unless = (("names", "removed_elsewhere"), ("mood", "back"), ("names", "imported_otherwise"))
    if not known.knows_old or any(pattern(*key).search(low) for key in unless):
        return None
    left = next((text.path for text, (old, _) in zip(texts, pairs, strict=True) if old), None)
    return contradicted("contradicted_claim", f"{left} imports `{name}` as before", "still there") if left else None


def _meant(claim: ActionClaim, known: TextEvidence) -> Sequence[TextChange]:
    """The file that a claim names, where it is one; else all code that changed."""
    named = known.called(claim.path) if claim.path else []
    if claim.path:
        return named if len(named) == 1 else []
    return [text for text in known.changed.values() if is_code(text.path)]


def _imports(name: str, path: str, text: str) -> Counter[str]:
    """Where a text imports a name from, how far in and how often; of a source that is named itself, each whole statement."""
    word, statements = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])"), _statements(path)
    return Counter(_sources(word, statements, text) if statements is not None else ())


def _sources(word: re.Pattern[str], statements: re.Pattern[str], text: str) -> Iterator[str]:
    for match in statements.finditer(text):
        source = next(filter(None, match.groupdict().values()), "")
        if word.search(match.group()):
            told = match.group()
            yield told if not source or word.search(source) else told[: len(told) - len(told.lstrip())] + source
