"""What is said to be gone from everywhere, and is still there: `no X is left`, `nothing calls X any more`, `all X calls are replaced`, `X moved out of a file`.

Looked for in the code and the settings of the tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.observations.report_sentences import sentences_of
from witnessmark.actions.claims.ruling import Ruling, contradicted, unverifiable
from witnessmark.actions.content.evidence import TextEvidence, evidence_of
from witnessmark.actions.content.passages import ReportPassage, names_in, paths_in, without_code
from witnessmark.actions.content.regions import definitions
from witnessmark.actions.content.wording import content_claim, found, number_of, pattern
from witnessmark.actions.trace.changes import CODE as ENDINGS
from witnessmark.actions.trace.changes import SETTINGS, ending, is_test
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.view import TreeView
from witnessmark.text.patterns import compiled

ROLE = "none_left"
COUNTED = "all_of_them"
MOVED = "moved_out"
MAX_REPORT = 4_000
"""So many letters of a report are looked through for what it says is left."""
_COMMENT = compiled(r"\s*(?:#(?!\[|include|define|if)|//|\*|/\*|--|;|<!--|\"\"\")")


def told_as_gone(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each name in code that is said to stand nowhere any more, in all or in the file or folder that is named."""
    if "`" not in report or not trace.ledger.calls:
        return
    for passage in sentences_of(report):
        if not passage.cells:
            yield from _gone(passage, report[:MAX_REPORT])


def _gone(passage: ReportPassage, report: str) -> Iterator[ActionClaim]:
    low, text = passage.sentence.low, passage.sentence.text
    for match in pattern("gone", "counted").finditer(low):
        count = match["count"] or "two"
        if (match["count"] or "both" in match.group()) and not pattern("gone", "not_so").search(without_code(low)):
            number = number_of(count)
            yield content_claim(
                passage, COUNTED, value=text[slice(*match.span("name"))], old=str(number), path=None, name=report
            )
    for match in pattern("gone", "nowhere").finditer(low) if found("gone", "nowhere", low) else ():
        group = next(name for name, found in match.groupdict().items() if found)
        name = text[match.start(group) : match.end(group)]
        lead = re.split(r"[.;:]\s", low[: match.start()])[-1]
        if pattern("gone", "not_so").search(without_code(lead + low[match.end() :])):
            continue
        at = match.end(group) + 1
        place = re.match(r"[^,.;`]{0,30}?\b(?:in|under|from|within) (?:the )?`([\w@./-]+)`", low[at:])
        where = text[at + place.start(1) : at + place.end(1)] if place else ""
        yield content_claim(passage, ROLE, value=name, old=where, path=None, name=report)
    moved = pattern("gone", "moved").search(low)
    if moved is not None and not pattern("gone", "not_so").search(without_code(low)):
        for name in names_in(text[slice(*moved.span("names"))]):
            for path in paths_in(text[slice(*moved.span("from"))]):
                yield content_claim(passage, MOVED, value=name, path=path, name=report)


def rule(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Such a claim against the files and the searches of the session."""
    name = (claim.value or "").strip()
    bare = _called(name)
    if scene is None or trace is None or len(bare) < 3:
        return unverifiable("there is nothing to look at", there="not looked at")
    known = evidence_of(scene, trace)
    if claim.role == COUNTED:
        left = _fewer_gone(bare, int(claim.old or 0), known)
    elif claim.role == MOVED:
        left = _copied(bare, claim.path or "", known)
    else:
        kinds = ENDINGS if _OF_CODE.search(claim.text.lower()) else ENDINGS | SETTINGS
        left = _in_tree(name, bare, claim.old or "", known, kinds)
    if left and _admitted(left.partition(":")[0], (claim.name or "").replace(claim.text, "")):
        return unverifiable("the report itself names what is left", there=left[:80])
    if left:
        return contradicted("contradicted_claim", f"`{bare}` is still there: {left}", left[:80])
    return unverifiable("nothing shows that it is there", there="not found")


_OF_CODE = compiled(r"\bnothing (?:else )?(?:calls|imports)\b|` (?:imports?|calls?)\b")
"""Only code imports and calls: a list of packages does neither."""
_LEFT = compiled(
    r"\b(?:still|left|remain\w*|not|keeps?|kept|leav\w+|to do|todo|too|noch|weiter\w*|nicht|encore|reste\w*|pas|todavía|aún|queda\w*|no)\b|n't\b"
)


def _admitted(path: str, report: str) -> bool:
    """Whether the rest of a report says of a file that something is left there."""
    name = path.rpartition("/")[2].lower()
    clauses = re.split(r"\n|[.;:!?]\s", report.lower())
    return any(name in clause and _LEFT.search(clause) for clause in clauses)


def _fewer_gone(bare: str, count: int, known: TextEvidence) -> str:
    """The first line that still has it, of a file in which it stands less often than before, where fewer are gone in all than are told."""
    if not known.whole:
        return ""
    fewer = [text for text in known.changed.values() if text.new.count(bare) < text.old.count(bare)]
    gone = sum(text.old.count(bare) - text.new.count(bare) for text in fewer)
    if not 0 < gone < count:
        return ""
    lines = (f"{text.path}: {line.strip()[:60]}" for text in fewer for line in text.new.splitlines() if bare in line)
    return next((line for line in lines if not _COMMENT.match(line.partition(": ")[2])), "")


def _copied(name: str, path: str, known: TextEvidence) -> str:
    """Where a name still stands as it did, though it stands in another file that was changed as well."""
    for text in known.called(path):
        old = definitions(name, text.old)
        there = any(definitions(name, other.new) for other in known.changed.values() if other.path != text.path)
        if old and there and definitions(name, text.new) == old and len(old[0].strip().splitlines()) > 1:
            return f"{text.path}: {old[0].strip().splitlines()[0][:60]}"
    return ""


def _called(name: str) -> str:
    """A name without what it is called with."""
    return name.partition("(")[0] if re.fullmatch(r"[\w.:$]+\(.*\)", name) else name


def _whole(name: str) -> re.Pattern[str]:
    """A name as a whole word; one that is called only where it is called."""
    bare = _called(name)
    before = r"(?<![\w.-])" if bare[0].isalnum() or bare[0] == "_" else ""
    after = r"\s*\(" if bare != name else r"(?![\w-])" if bare[-1].isalnum() or bare[-1] == "_" else ""
    return re.compile(before.replace(".", "") + re.escape(bare) + after)


def _in_tree(name: str, bare: str, where: str, known: TextEvidence, kinds: frozenset[str]) -> str:
    """The first line of code or settings that has it, apart from comments, tests and its own definition."""
    whole = _whole(name)
    for text in known.files():
        if ending(text.path) not in kinds or (is_test(text.path) and not where):
            continue
        if where and not (f"/{text.path}".endswith(f"/{where}") or f"/{text.path}/".find(f"/{where.strip('/')}/") >= 0):
            continue
        heads = {place.strip().splitlines()[0] for place in definitions(bare, text.new) if place.strip()}
        for line in text.new.splitlines():
            if whole.search(line) and not _COMMENT.match(line) and line.strip() not in {head.strip() for head in heads}:
                return f"{text.path}: {line.strip()[:60]}"
    return ""
