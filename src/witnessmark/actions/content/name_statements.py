"""What a report says about names in code, and how many: names added, removed, renamed or there now, tests added, files changed.

Every name in code is looked at once, with what stands around it, and one thing at the most is said of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.content.passages import CODE, ReportPassage, names_in, without_code
from witnessmark.actions.content.wording import clause_at, content_claim, found, is_barred, number_of, pattern
from witnessmark.actions.report.language import barred_in_any_language
from witnessmark.actions.report.names import looks_like_command
from witnessmark.text.patterns import compiled

_AROUND = 40
"""So many characters beside a name may say what it is, and that it is new."""
_IDENTIFIER = compiled(r"[A-Za-z_$][\w$.:@-]+")
_BARE = compiled(r"[\"']|(?<=\w)@v?\d[^`]*")
"""What is no part of a name: quotes, and the version of a package."""
_LISTED = compiled(
    r"\s*(?:$|[-–—:(,]|(?:functions?|methods?|types?|class|constants?|fields?|helpers?|flags?|tests?) (?:in|from) `)"
)
_LISTS = {"file_create": "add", "file_delete": "remove"}
_JOINT = compiled(r"[`()\s]*(?:,|and|or|und|oder|et|ou|y|o|&|/)?(?: the| die| la| le| el)?[`()\s]*")


def names_told(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`added a helper x`, `x and y are gone`, `new option --z`, `renamed x to y`: what is said of the names in code of a sentence."""
    low, text = passage.sentence.low, passage.sentence.text
    if len(low) != len(text):
        return
    match = found("names", "renamed", low)
    if match is not None and not _not_done(low, match.start()):
        pair = [text[slice(*match.span(group))] for group in range(1, len(match.groups()) + 1) if match[group]]
        names = [name for code in pair for name in names_in(f"`{code}`")]
        if len(names) == len(pair):
            yield content_claim(passage, "rename", old=names[0], value=names[1])
    for code in CODE.finditer(text):
        for name in names_in(_BARE.sub("", code.group())):
            role = _role(passage, code, name)
            if role is not None:
                yield content_claim(passage, role, **{"old" if role == "remove" else "value": name})


def _role(passage: ReportPassage, code: re.Match[str], name: str) -> str | None:
    """What a sentence says of one of its names: `add`, `remove`, or that it is there now (`named`)."""
    low = passage.sentence.low
    before, after = low[: code.start()], low[code.end() :]
    plain = _IDENTIFIER.fullmatch(name) is not None and not looks_like_command(name)
    if plain and not before and _LISTED.match(after) and passage.sentence.kind in _LISTS:
        return _LISTS[passage.sentence.kind]
    for way, role in (("removed", "remove"), ("added", "add")):
        match = found("names", way, f"{before}\n{after}") if plain or role == "remove" else None
        if match is not None and not _not_done(before, match.start()):
            return role
    if is_barred(clause_at(low, code.start(), code.end())):
        return None
    around = re.split(r"[.;]\s", before[-_AROUND:])[-1], re.split(r"[.;]\s", after[:_AROUND])[0]
    beside = without_code(" \n ".join(around)).replace("`", " ")
    # A flag says itself what it is.
    known = name.startswith("--") or pattern("names", "beside").search(beside)
    new = passage.ticked or pattern("names", "new").search(beside)
    return "named" if known and new and not pattern("names", "other").search(beside) else None


def _not_done(low: str, at: int) -> bool:
    """Whether the clause up to a place says that what follows is planned, denied or of another time."""
    return barred_in_any_language().search(without_code(clause_at(low[:at], at, at))) is not None


def counts_told(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`3 new tests`, `BoxesTest mit drei Tests`, `changed 4 files`: how many tests were added and files changed."""
    low = passage.sentence.low
    for way, role in (("sure", "tests"), ("files", "files")):
        match = found("counts", way, low)
        if match is not None and not _not_done(low, match.start()):
            count = next(filter(None, match.groups()), "one")
            fields = {"path": None} if role == "files" else {}
            yield content_claim(passage, role, value=str(number_of(count)), **fields)
            return
    match = found("counts", "tests", low)
    clause = clause_at(low, match.start(), match.end()) if match is not None else ""
    if match is None or is_barred(clause) or pattern("tests", "other").search(clause):
        return
    added = [*pattern("tests", "added").finditer(low, 0, match.end() + 20)]
    # `with the import added the build went through (12 tests, 0 failures)` counts what ran.
    close = added and re.fullmatch(r"[\s:,]*(?:\w+\s){0,3}", low[added[-1].end() : match.start()])
    if close and not re.match(r",? (?:and )?(?:no|\d+) (?:fail|err|skip)", low[match.end() :]):
        yield content_claim(passage, "tests", value=str(number_of(match[1])))


def renamed_pair(passage: ReportPassage) -> tuple[str, str] | None:
    """The old and the new name of a sentence about a rename."""
    low = passage.sentence.low
    names = names_in(passage.sentence.text)
    if len(names) < 2 or not pattern("uses", "renames").search(low) or is_barred(low):
        return None
    between = passage.sentence.text.partition(names[0])[2].partition(names[1])[0]
    if _JOINT.fullmatch(between):
        return None  # two names of a list, and not the old and the new one
    swapped = pattern("uses", "reversed").search(low) is not None
    return (names[1], names[0]) if swapped else (names[0], names[1])


def renamed_everywhere(passage: ReportPassage, pair: tuple[str, str]) -> Iterator[ActionClaim]:
    """`every caller uses the new name`: no use of the old one is left, wherever the rename was told of."""
    low = passage.sentence.low
    match = pattern("uses", "universal").search(low)
    told = without_code(low)
    if match is None or pattern("uses", "not_meant").search(told):
        return
    if pattern("mood", "barred").search(told.replace("no ", "", 1) if match.group().startswith("no") else told):
        return
    yield content_claim(passage, "everywhere", old=pair[0], value=pair[1])
