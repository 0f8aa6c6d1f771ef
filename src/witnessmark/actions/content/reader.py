"""What a report says about the content of files: values changed or kept, names gone everywhere, properties of code, tests that assert.

The words are data (`lang/content.toml`), for all languages at once. A sentence that plans, asks, denies or supposes states nothing.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.content.passages import CODE, ReportPassage, names_in, passages, paths_in
from witnessmark.actions.report.effects import NUMBERS
from witnessmark.actions.report.lexicon import PATTERNS, table

_VALUE = r"(?:`[^`\s]{1,60}`|\"[^\"\s]{1,60}\"|v?\d[\w.,:-]{0,40}\w|\d)(?:\s?UNIT(?!\w))?"
_CLAUSE = re.compile(r"[,;:(—–]\s|\s[-—–]\s|\.\s")
_WORD = re.compile(r"[^\W\d][\w.-]*\w")
_NOT_KEYS = frozenset(
    """the and for from with now was were are has have been its this that also both into only then than new old version versions default value values set
    raised bumped changed updated increased lowered reduced pinned upgraded moved switched base der die das von auf und ist jetzt wurde
    les des est une maintenant los las una ahora done back still tried taken uses use our your""".split()
)
MAX_CLAIMS = 200


@functools.cache
def pattern(section: str, key: str) -> re.Pattern[str]:
    """A pattern of the data, with what stands for a value put in."""
    data = table("content")
    found = data[section][key]
    value = _VALUE.replace("UNIT", data["values"]["unit"])
    if section == "kinds":
        for name, words in (("{kind}", data["kinds"]["endings"]), ("{only}", data["kinds"]["only"])):
            found = found.replace(name, f"(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})")
    return re.compile(found.replace("{value}", value), re.MULTILINE)


def stated_in(report: str) -> list[ActionClaim]:
    """The claims of a report about the content of files, in the order of their words."""
    found: list[ActionClaim] = []
    pair: tuple[str, str] | None = None
    titles: set[str] = set()
    for passage in passages(report):
        if len(found) >= MAX_CLAIMS:
            break
        if passage.cells:
            found += _row(passage)
            continue
        pair = _renamed(passage) or pair
        for rule in (_values, _raised, _properties, _asserted, _counted, _documents, _taken_back, _denied):
            found += rule(passage)
        if passage.under_file and passage.under_file not in titles:
            titles |= {passage.under_file} if not _left_alone(passage) else set()
            found += _under_file(passage)
        if pair is not None:
            found += _everywhere(passage, pair)
    return found


def _claim(passage: ReportPassage, role: str, **fields: Any) -> ActionClaim:
    sentence = passage.sentence
    fields.setdefault("path", passage.paths[0] if len(passage.paths) == 1 else None)
    return ActionClaim(
        "content", role=role, by="report", text=sentence.text[:300], span=(sentence.start, sentence.end), **fields
    )


def _barred(low: str) -> bool:
    return pattern("mood", "barred").search(CODE.sub(" x ", low)) is not None


def clause_at(low: str, start: int, end: int) -> str:
    """The clause around a place: up to the commas, colons and brackets beside it."""
    begins = [match.end() for match in _CLAUSE.finditer(low, 0, start)]
    after = _CLAUSE.search(low, end)
    return low[begins[-1] if begins else 0 : after.start() if after else len(low)]


# --- values ------------------------------------------------------------------------------------------------------


def _values(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`Postgres 15 → 17`, `from 10 to 30`, `level 9 (was 6)`, `still pins 0.4.4`."""
    low = passage.sentence.low
    taken_back = pattern("mood", "back").search(low) is not None
    for way in ("arrow", "from_to", "was"):
        for match in pattern("values", way).finditer(low):
            keys = _keys(passage, low, match.start())
            if not keys or _barred(clause_at(low, match.start(), match.end())):
                continue
            role = "kept" if taken_back else "value"
            yield _claim(passage, role, name="\n".join(keys), old=_bare(match["old"]), value=_bare(match["new"]))
    for match in pattern("values", "kept").finditer(low):
        keys = _keys(passage, low, match.start())
        keys = keys or _keys(passage, low, len(low))
        if not _barred(clause_at(low, match.start(), match.end())) and (keys or passage.paths):
            yield _claim(passage, "kept", name="\n".join(keys), old=_bare(match["old"] or match["old2"]))
    put = pattern("values", "set").search(low)
    if put is not None and not taken_back and not _barred(clause_at(low, put.start(), put.end())):
        new = _bare(next(filter(None, put.groups())))
        keys = _keys(passage, low, put.end())
        if keys and re.fullmatch(r"v?\d[\w.,]*(?: ?\w+)?%?", new):
            yield _claim(passage, "set", name="\n".join(keys), value=new)


def _bare(value: str) -> str:
    return value.strip("`\"' ")


def _keys(passage: ReportPassage, low: str, before: int) -> list[str]:
    """What a value is the value of: the words and names before it in its clause, else the names that stand over it."""
    begins = [match.end() for match in re.finditer(r"[,;:(]\s", low[:before])]
    stretch = low[begins[-1] if begins else 0 : before]
    counted = frozenset(table("content")["values"]["no_subject"].split())
    own = [name.lower() for name in names_in(stretch)]
    words = [word for word in _WORD.findall(CODE.sub(" ", stretch)) if len(word) > 2 and word not in _NOT_KEYS]
    if any(word in counted for word in words):
        return []
    if not own and not words and begins:
        # `timeout: 10 → 30`, `**Timeout**: 10 → 30`
        label = low[: begins[-1]]
        own = [name.lower() for name in names_in(label) if name not in paths_in(label)]
        words = [word for word in _WORD.findall(CODE.sub(" ", label)) if len(word) > 2 and word not in _NOT_KEYS]
        if any(word in counted for word in words):
            return []
    found = own + words or [name.lower() for name in passage.names]
    found += [made[0] for value in CODE.findall(low) if (made := re.match(r"[a-z][\w/-]+(?=[:@]v?\d)", value))]
    return list(dict.fromkeys(found))[:6]


def _row(passage: ReportPassage) -> Iterator[ActionClaim]:
    """A row with a column of what was and one of what is."""
    old = next((n for n, word in enumerate(passage.head) if pattern("values", "from_column").match(word)), None)
    new = next(
        (n for n, word in enumerate(passage.head) if n != old and pattern("values", "to_column").match(word)), None
    )
    if old is None or new is None or old == 0 or new == 0:
        return
    subject = passage.cells[0].lower()
    words = [word for word in _WORD.findall(subject) if len(word) > 2 and word not in _NOT_KEYS]
    counted = frozenset(table("content")["values"]["no_subject"].split())
    values = [re.sub(r"[*_]", "", passage.cells[n]).strip().lower() for n in (old, new)]
    whole = re.compile(_VALUE.replace("UNIT", table("content")["values"]["unit"]))
    keys = [*(name.lower() for name in names_in(subject)), *words]
    # Memory may be measured, or set: a limit is set.
    measured = any(word in counted for word in words) and not re.search(r"limit|request|max|min|quota|cap", subject)
    if keys and not measured and all(whole.fullmatch(value) for value in values) and values[0] != values[1]:
        yield _claim(passage, "value", name="\n".join(keys), old=_bare(values[0]), value=_bare(values[1]))


# --- names that are gone -----------------------------------------------------------------------------------------


def _renamed(passage: ReportPassage) -> tuple[str, str] | None:
    """The old and the new name of a sentence about a rename."""
    low = passage.sentence.low
    names = names_in(passage.sentence.text)
    if len(names) < 2 or not pattern("uses", "renames").search(low) or _barred(low):
        return None
    swapped = pattern("uses", "reversed").search(low) is not None
    return (names[1], names[0]) if swapped else (names[0], names[1])


def _everywhere(passage: ReportPassage, pair: tuple[str, str]) -> Iterator[ActionClaim]:
    low = passage.sentence.low
    match = pattern("uses", "universal").search(low)
    told = CODE.sub(" x ", low)
    if match is None or pattern("uses", "not_meant").search(told):
        return
    if pattern("mood", "barred").search(told.replace("no ", "", 1) if match.group().startswith("no") else told):
        return
    yield _claim(passage, "everywhere", old=pair[0], value=pair[1])


# --- properties of code ------------------------------------------------------------------------------------------


def _properties(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`has a docstring`, `unique and indexed`, `the error is logged`: said of a name, or of what was added."""
    low = passage.sentence.low
    plain = CODE.sub(lambda code: " " * len(code.group()), low)
    for name, told in table("content")["property"].items():
        match = _words(name).search(plain)
        if match is None:
            continue
        clause = clause_at(low, match.start(), match.end())
        if _barred(clause) or not _stated(passage, clause, told):
            continue
        before = CODE.findall(passage.sentence.text[: match.start()] if len(low) == len(passage.sentence.text) else "")
        own = [each for each in passage.own_names if any(code.startswith(each) for code in before)]
        names = own or list(passage.names)
        yield _claim(passage, "property", name="\n".join(names) or None, value=name)


@functools.cache
def _words(name: str) -> re.Pattern[str]:
    return re.compile(table("content")["property"][name]["words"])


def _stated(passage: ReportPassage, clause: str, told: dict[str, Any]) -> bool:
    """Whether a clause says that the property is there: by a word of doing or being, by a mark, or as an item under what was added."""
    if told.get("object"):
        return re.search(r"\b(?:added|wrote|put in|left|ergänzt|hinzugefügt|ajouté\w*|añad\w+)\b", clause) is not None
    done = pattern("mood", "done")
    if told.get("near") and CODE.search(clause):
        return True  # of code as it stands, whoever made it so
    return (
        passage.ticked
        or done.search(clause) is not None
        or (bool(passage.names) and done.search(passage.over) is not None)
    )


def _raised(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`raises a ValueError`, `a ValueError is raised`: the exception that code is said to raise."""
    low, text = passage.sentence.low, passage.sentence.text
    if len(low) != len(text):
        return
    for match in (*pattern("raises", "verb").finditer(low), *pattern("raises", "passive").finditer(low)):
        named = match.span("name") if "name" in match.groupdict() else _error_after(text, match.end())
        clause = clause_at(low, match.start(), match.start() + 1)
        at = clause.find(match.group()[:20])
        # What follows `if` says when it is raised, and not whether.
        told = re.sub(r"\b(?:si|if|wenn|falls|when|unless|sans|sin|no|not|missing|without|ohne)\b.*$", "", clause[at:])
        if named is None or _barred(clause[:at]) or _barred(told) or _EARLIER.search(clause):
            continue
        name = re.split(r"[.:\\]+", text[slice(*named)])[-1]
        yield _claim(passage, "raises", value=name, name="\n".join(names_in(text[: match.start()])) or None)


_EARLIER = re.compile(r"\b(?:used to|before|previously|früher|avant|antes|still|immer noch|toujours)\b")
_ERROR = re.compile(r"`([A-Za-z_][\w.:\\]*)")


def _error_after(text: str, at: int) -> tuple[int, int] | None:
    """Where the first name of an exception stands in the rest of a clause."""
    end = re.compile(r"[.;]\s").search(text, at)
    for match in _ERROR.finditer(text, at, min(at + 90, end.start() if end else len(text))):
        if re.search(r"error|exception|fault$|^err[A-Z]", match[1], re.IGNORECASE):
            return match.span(1)
    return None


# --- tests -------------------------------------------------------------------------------------------------------


def _asserted(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`test_x asserts that …`: a test by its name, or those that were added."""
    low = passage.sentence.low
    match = pattern("tests", "asserts").search(CODE.sub(lambda code: " " * len(code.group()), low))
    if match is None or pattern("tests", "smoke").search(low) or not re.search(r"test|spec|prueba", low):
        return
    names = (*passage.own_names, *passage.names)
    lead = low[: match.start()]
    if (
        not re.search(
            r"\b(?:added|new|wrote|neu\w*|hinzugefügt|ergänzt|ajouté\w*|nouve\w+|añad\w*|nuev\w+)\b",
            f"{lead} {passage.over}",
        )
        and not names
    ):
        return
    if not _barred(clause_at(low, match.start(), match.end()).partition(match.group())[0]):
        yield _claim(passage, "asserts", name="\n".join(names) or None)


def _counted(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`BoxesTest mit drei Tests`: how many tests were added."""
    low = passage.sentence.low
    match = pattern("tests", "count").search(low)
    if match is None:
        return
    clause = clause_at(low, match.start(), match.end())
    if (
        not pattern("tests", "added").search(low, 0, match.end() + 20)
        or pattern("tests", "other").search(clause)
        or _barred(clause)
    ):
        return
    count = match["count"]
    yield _claim(passage, "tests", value=str(int(count) if count.isdigit() else NUMBERS[count]))


# --- files -------------------------------------------------------------------------------------------------------


def _left_alone(passage: ReportPassage) -> bool:
    low = passage.sentence.low
    return _barred(low) or PATTERNS.untouched.search(low) is not None


def _under_file(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`**README.md**` and under it what was done there: the first item that does not say otherwise."""
    if not _left_alone(passage):
        sentence = passage.sentence
        yield ActionClaim(
            "file_edit",
            path=passage.under_file,
            by="report",
            text=sentence.text[:300],
            span=(sentence.start, sentence.end),
        )


def _documents(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`the README explains it`, `documented in README.md`, `[x] README`: what a document is said to tell now."""
    low = passage.sentence.low
    match = pattern("documents", "document").search(low)
    if match is None:
        return
    clause = clause_at(low, match.start(), match.end())
    lead = low[: match.start()].strip(" *`")
    headed = passage.item and not lead
    if headed or re.fullmatch(
        r"(?:docs?|documentation|doku|dokumentation)\W*(?:the |die |der |le |el )?", f"{lead.strip(' :–—-*')} "
    ):
        clause = low
    told = pattern("documents", "document").sub(" ", clause)
    if (
        _barred(told)
        or PATTERNS.untouched.search(told)
        or re.search(r"\bfrom |\bas (?:described|documented|said)|\bsee\b|\bper\b", told)
    ):
        return
    rest = low[match.end() :].strip(" *`.")
    states = pattern("documents", "states").search(told) and pattern("documents", "object").search(told)
    sure = pattern("documents", "done").search(told) or (states and pattern("documents", "now").search(told))
    ticked = headed and passage.ticked and not rest
    if sure or ticked:
        yield _claim(passage, "tells", value=match.group().strip("`"), path=None)
    elif states:
        yield _claim(
            passage, "document", value=match.group().strip("`"), path=None, name="\n".join(passage.names) or "\n"
        )


def _taken_back(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`I put x back as it was`: one file that is said to be as it was."""
    low = passage.sentence.low
    own = paths_in(passage.sentence.text)
    told = CODE.sub(" x ", low)
    if len(own) != 1 or _barred(told):
        return
    if pattern("mood", "back").search(told) or pattern("reverts", "file").search(told):
        sentence = passage.sentence
        yield ActionClaim(
            "reverted", path=own[0], by="report", text=sentence.text[:300], span=(sentence.start, sentence.end)
        )


def _denied(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`no PHP source was modified`, `a pure configuration change`: a kind of files that was left alone, or the only one changed."""
    low = CODE.sub(" x ", passage.sentence.low)
    if re.search(
        r"\b(?:if|would|should|could|may|might|can|will|falls|wenn|si|except|apart from|besides|außer|sauf|salvo)\b",
        low,
    ):
        return
    kinds, sentence = table("content")["kinds"], passage.sentence
    for way, role, known in (("none", "kind", kinds["endings"]), ("confined", "confined", kinds["only"])):
        match = pattern("kinds", way).search(low)
        if match is not None:
            word = next(filter(None, match.groups()))
            yield ActionClaim(
                "untouched",
                role=role,
                value=known[word],
                by="report",
                text=sentence.text[:300],
                span=(sentence.start, sentence.end),
            )
