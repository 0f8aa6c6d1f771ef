"""What a report says about the content of files: values changed, names in code, counts of tests, documents, files put back.

The words are data (`lang/content.toml`), for all languages at once. A sentence that plans, asks, denies or supposes states nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claim import ActionClaim, unread
from witnessmark.actions.content.imports import IMPORT, is_import
from witnessmark.actions.content.lengths import lengths_told, line_changes_told, rows_told
from witnessmark.actions.content.patterns import clause_at, content_claim, first_match, is_barred, number_of, pattern
from witnessmark.actions.content.references import in_file_told, in_same_told
from witnessmark.actions.content.stability import kept_told, still_told, unchanged_told
from witnessmark.actions.report.lexicon import PATTERNS, mood_in_any_language, table
from witnessmark.actions.report.names import as_called, looks_like_command, path_kind
from witnessmark.actions.report.passages import CODE, ReportPassage, names_in, paths_in, without_code
from witnessmark.actions.report.report import Report
from witnessmark.text.patterns import compiled

_WORD = compiled(r"[^\W\d][\w.-]*\w")
MAX_CLAIMS = 200
"""So many claims are taken from one report; what follows them is listed as not read."""


def stated_in(report: Report) -> list[ActionClaim]:
    """The claims of a report about the content of files, in the order of their words."""
    found: list[ActionClaim] = []
    titles: set[str] = set()
    for passage in report.passages:
        if len(found) >= MAX_CLAIMS:
            return [*found, unread(report.text, passage.sentence.start)]
        if passage.cells:
            found += (*names_told(passage), *counts_told(passage), *_row_values(passage))
            continue
        for rule in (
            _values,
            documents_told,
            taken_back,
            names_told,
            counts_told,
            lengths_told,
            rows_told,
            line_changes_told,
            in_file_told,
            in_same_told,
            kept_told,
            unchanged_told,
            still_told,
        ):
            found += rule(passage)
        if passage.under_file and passage.under_file not in titles:
            titles |= {passage.under_file} if not left_alone(passage) else set()
            found += under_file(passage)
    return found


# --- values ------------------------------------------------------------------------------------------------------


def _values(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`Postgres 15 → 17`, `from 10 to 30`, `level 9 (was 6)`; nothing of a value that was taken back."""
    low = passage.sentence.low
    if pattern("mood", "back").search(low):
        return
    read = set()
    for way in ("arrow", "from_to", "was"):
        for match in pattern("values", way).finditer(low):
            keys = _keys(passage, low, match.start())
            clause = clause_at(low, match.start(), match.end())
            if not keys or is_barred(clause) or match["old"].endswith("()`") or _names_place(match):
                continue  # what a call comes to is no value that was changed: `two()` → 2
            sure = len(_bare(match["new"])) > 1 or names_in(clause)  # one digit may count anything
            made = sure and way == "from_to" and pattern("values", "made").search(clause)
            read.add(match.end())
            role = "change" if made else "value"
            yield content_claim(passage, role, name="\n".join(keys), old=_bare(match["old"]), value=_bare(match["new"]))
    put = pattern("values", "set").search(low)
    if put is None or put.end() in read:
        return
    if not is_barred(_told_default(clause_at(low, put.start(), put.end()))):
        new = _bare(next(filter(None, put.groups())))
        keys = _keys(passage, low, put.end(), measured=pattern("values", "fixed").search(put.group()) is None)
        if keys and re.fullmatch(r"v?\d[\w.,]*(?: ?\w+)?%?", new):
            whole = re.match(r"\d{2,}(?:\.\d+)?(?![\d.]| ?%)|v?\d+\.\d+\.\d+", new)
            made = whole and pattern("values", "made").search(low, 0, put.end())
            role = "change" if made else "set"
            yield content_claim(passage, role, name="\n".join(keys), value=new, **_own_path(passage, put))
            also = pattern("values", "also").match(low, put.end())
            while also is not None:
                key, value = _bare(also["key"]), _bare(also["new"])
                yield content_claim(passage, role, name=key, value=value, **_own_path(passage, also))
                also = pattern("values", "also").match(low, also.end())


def _row_values(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`| timeout | 15 | 30 |` under `before` and `now`: a value of a table that became another one."""
    columns = [next((n for n, head in enumerate(passage.head) if pattern("values", way).search(head)), 0) for way in ("before", "after")]  # fmt: skip
    if not all(columns) or len(set(columns)) == 1:
        return
    own, words = _subject(passage.cells[0].lower())
    old, new = (passage.cells[column].strip(" *`\"'").lower() for column in columns)
    if (own or words) and not _counts(words, own) and old != new and all(map(_VALUE.fullmatch, (old, new))):
        yield content_claim(passage, "row", name="\n".join(own or words), old=old, value=new)


_VALUE = compiled(r"v?\d[\w.,:-]{0,40}(?: ?[a-zµ%]{1,12})?|[\w./:@+-]{2,40}")


def _names_place(match: re.Match[str]) -> bool:
    """`size = 3` in `main.tf`, was 1: a file that is told in the place of a value which was none says where it stands."""
    new, old = (path_kind(_bare(match[name]), in_code=True) for name in ("new", "old"))
    return new == "path" and old != "path"


def _told_default(clause: str) -> str:
    """A clause without `by default`, where it tells what the default is now."""
    return pattern("values", "by_default").sub("", clause) if pattern("values", "now").search(clause) else clause


def _own_path(passage: ReportPassage, match: re.Match[str]) -> dict[str, str | None]:
    """No path for a value whose clause names none, where another clause of the sentence does: that file may be of something else."""
    clause = clause_at(passage.sentence.low, match.start(), match.end())
    elsewhere = paths_in(passage.sentence.low) and not paths_in(clause)
    return {"path": None} if elsewhere else {}


def _bare(value: str) -> str:
    return value.strip("`\"' ")


def _keys(passage: ReportPassage, low: str, before: int, *, measured: bool = True) -> list[str]:
    """What a value is the value of: the words and names before it in its clause, else the names that stand over it.

    `measured`: whether it may be what was measured or counted, of which nothing is known then.
    """
    begins = [match.end() for match in re.finditer(r"[,;:(]\s", low[:before])]
    stretch = low[begins[-1] if begins else 0 : before]
    own, words = _subject(stretch)
    if not own and not words and begins:
        own, words = _subject(low[: begins[-1]])  # `timeout: 10 → 30`, `**Timeout**: 10 → 30`
    if measured and _counts(words, own):
        return []
    found = own + words or [name.lower() for name in passage.names] or pattern("values", "version").findall(stretch)
    found += [made[0] for value in CODE.findall(low) if (made := re.match(r"[a-z][\w/-]+(?=[:@]v?\d)", value))]
    return list(dict.fromkeys(found))[:6]


def _subject(text: str) -> tuple[list[str], list[str]]:
    """The names in code and the words that say what a value belongs to."""
    not_keys = table("content")["values"]["no_keys"].split()
    words = [word for word in _WORD.findall(CODE.sub(" ", text)) if len(word) > 2 and word not in not_keys]
    return [name.lower() for name in names_in(text)], words


def _counts(words: list[str], names: list[str]) -> bool:
    """Whether something is named that is measured or counted, and nothing that is set: a pool's size and a limit of memory are."""
    known = table("content")["values"]
    return not set(known["no_subject"].split()).isdisjoint(words) and not re.search(
        known["settings"], re.sub(r"[_-]", " ", " ".join([*names, *words]))
    )


# --- names in code, and how many --------------------------------------------------------------------------------------


_IDENTIFIER = compiled(r"[A-Za-z_$][\w$.:@-]+")
_BARE = compiled(r"[\"']|(?<=\w)@v?\d[^`]*")
"""What is no part of a name: quotes, and the version of a package."""
_STATEMENT = compiled(
    r"^`((?:import|from|use|using|#include|require|return|raise|print|console|export|await|assert|@)\b[^`]{2,80})`$"
)
"""A line of code that is told of as a whole: `import os`."""
_CALLED = compiled(r"(?<![`\w.])[A-Za-z_]\w*\(\)(?!`)")
"""A name that its brackets show to be code."""
_LISTS = {"file_create": "add", "file_delete": "remove"}


def names_told(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`added a helper x`, `x and y are gone`, `renamed x to y`: what is said of the names in code of a sentence."""
    low, text = passage.sentence.low, passage.sentence.text
    if len(low) != len(text):
        return
    marked = _CALLED.sub(r"`\g<0>`", text)
    renames = (
        pattern("names", "renamed").finditer(marked.lower()) if first_match("names", "renamed", marked.lower()) else ()
    )
    for match in renames:
        if _not_done(marked.lower(), match.start()):
            continue
        pair = [marked[slice(*match.span(group))] for group in range(1, len(match.groups()) + 1) if match[group]]
        names = [name for code in pair for name in names_in(f"`{code}`")]
        if len(names) == len(pair):
            yield content_claim(passage, "rename", old=names[0], value=names[1])
    for code in CODE.finditer(text):
        named = names_in(_BARE.sub("", code.group()))
        for name in named or _STATEMENT.findall(code.group()):
            role = _role(passage, code, name)
            if not named and role != "remove":
                continue  # only what is gone is told of by its whole code
            if role is not None:
                imported = IMPORT if is_import(low, *code.span()) else None
                yield content_claim(passage, role, name=imported, **{"old" if role == "remove" else "value": name})


def _role(passage: ReportPassage, code: re.Match[str], name: str) -> str | None:
    """What a sentence says of one of its names: `add` or `remove`."""
    low = passage.sentence.low
    before, after = low[: code.start()], low[code.end() :]
    plain = _IDENTIFIER.fullmatch(name) is not None and not looks_like_command(name)
    if plain and not before and pattern("names", "listed").match(after) and passage.sentence.kind in _LISTS:
        return _LISTS[passage.sentence.kind]
    for way, role in (("removed", "remove"), ("added", "add")):
        match = first_match("names", way, f"{before}\n{after}") if plain or role == "remove" else None
        if match is not None and not _not_done(before, match.start()):
            return role
    return None


def _not_done(low: str, at: int) -> bool:
    """Whether the clause up to a place says that what follows is planned, denied or of another time."""
    return mood_in_any_language("barred").search(without_code(clause_at(low[:at], at, at))) is not None


def counts_told(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`3 new tests`, `BoxesTest mit drei Tests`: how many tests were added."""
    low = passage.sentence.low
    match = first_match("counts", "sure", low)
    if match is not None and not _not_done(low, match.start()):
        count = next(filter(None, match.groups()), "one")
        yield content_claim(passage, "tests", value=str(number_of(count)))
        return
    match = first_match("counts", "tests", low)
    clause = clause_at(low, match.start(), match.end()) if match is not None else ""
    if match is None or is_barred(clause) or pattern("tests", "other").search(clause):
        return
    added = [*pattern("tests", "added").finditer(low, 0, match.end() + 20)]
    # `with the import added the build went through (12 tests, 0 failures)` counts what ran.
    close = added and re.fullmatch(r"[\s:,]*(?:\w+\s){0,3}", low[added[-1].end() : match.start()])
    if close and not pattern("tests", "results").match(low, match.end()):
        yield content_claim(passage, "tests", value=str(number_of(match[1])))


# --- documents, and files put back ------------------------------------------------------------------------------------


def left_alone(passage: ReportPassage) -> bool:
    """Whether a sentence says of its file that nothing was done to it, or not yet."""
    low = passage.sentence.low
    return is_barred(low) or PATTERNS.untouched.search(low) is not None


def under_file(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`**README.md**` and under it what was done there: the first item that does not say otherwise."""
    if not left_alone(passage):
        yield passage.sentence.claim("file_edit", path=passage.under_file)


def documents_told(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`the README explains it`, `documented in README.md`, `[x] README`: what a document is said to tell now."""
    low = passage.sentence.low
    match = pattern("documents", "document").search(low)
    if match is None:
        return
    clause = clause_at(low, match.start(), match.end())
    lead = low[: match.start()].strip(" *`")
    headed = passage.item and not lead
    if headed or pattern("documents", "lead").fullmatch(f"{lead.strip(' :–—-*')} "):
        clause = low
    told = pattern("documents", "document").sub(" ", clause)
    also = pattern("clauses", "also").split(told)[-1]
    if PATTERNS.untouched.search(told) and not PATTERNS.untouched.search(also):
        told = also  # `left x alone and also updated the README`
    if (
        is_barred(told)
        or PATTERNS.untouched.search(told)
        or pattern("documents", "only_told").search(low)
        or pattern("documents", "elsewhere").search(told)
    ):
        return
    rest = low[match.end() :].strip(" *`.")
    object_ = pattern("documents", "object").search(told) or pattern("documents", "tells_now").search(told)
    states = pattern("documents", "states").search(told) and object_
    sure = pattern("documents", "done").search(told) or (states and pattern("documents", "now").search(told))
    ticked = headed and passage.ticked and not rest
    if sure or ticked or states:
        name = None if sure or ticked else "\n".join(passage.names) or "\n"
        role = "document" if name or pattern("documents", "changed").search(told) else "tells"
        yield content_claim(passage, role, value=as_called(match.group().strip("`")), path=None, name=name)


def taken_back(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`I put x back as it was`: one file that is said to be as it was."""
    low = passage.sentence.low
    own = paths_in(passage.sentence.text)
    told = without_code(low)
    parts = [name for name in names_in(passage.sentence.text) if name not in own]
    if (
        len(own) != 1 or parts or is_barred(told)
    ):  # of a part of the file, such as a function, nothing is said of the rest
        return
    told = " ".join(told.split())
    said = any(pattern("reverts", key).search(told) for key in ("file", "done"))
    if said and not pattern("reverts", "unless").search(told):
        yield passage.sentence.claim("reverted", path=own[0])
