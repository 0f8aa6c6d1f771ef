"""What a report says about the content of files: values changed or kept, names gone everywhere, properties of code, tests that assert.

The words are data (`lang/content.toml`), for all languages at once. A sentence that plans, asks, denies or supposes states nothing.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Any

from witnessmark.actions.claims.claim import ActionClaim, unread
from witnessmark.actions.content.file_statements import denied, documents_told, left_alone, taken_back, under_file
from witnessmark.actions.content.name_statements import counts_told, names_told, renamed_everywhere, renamed_pair
from witnessmark.actions.content.passages import CODE, ReportPassage, names_in, passages, paths_in
from witnessmark.actions.content.wording import VALUE, clause_at, content_claim, is_barred, pattern
from witnessmark.actions.report.effects import states_work
from witnessmark.actions.report.lexicon import table
from witnessmark.text.patterns import compiled

_WORD = compiled(r"[^\W\d][\w.-]*\w")
_NOT_KEYS = frozenset(
    """the and for from with now was were are has have been its this that also both into only then than new old version versions default value values set
    raised bumped changed updated increased lowered reduced pinned upgraded moved switched base der die das von auf und ist jetzt wurde
    les des est une maintenant los las una ahora done back still tried taken uses use our your""".split()
)
MAX_CLAIMS = 200
"""So many claims are taken from one report; what follows them is listed as not read."""


def stated_in(report: str) -> list[ActionClaim]:
    """The claims of a report about the content of files, in the order of their words."""
    found: list[ActionClaim] = []
    pair: tuple[str, str] | None = None
    titles: set[str] = set()
    for passage in passages(report):
        if len(found) >= MAX_CLAIMS:
            return [*found, unread(report, passage.sentence.start)]
        if passage.cells:
            found += (*_row(passage), *names_told(passage), *counts_told(passage))
            continue
        pair = renamed_pair(passage) or pair
        for rule in (
            _values,
            _figures,
            _raised,
            _properties,
            _asserted,
            documents_told,
            taken_back,
            denied,
            names_told,
            counts_told,
        ):
            found += rule(passage)
        if passage.under_file and passage.under_file not in titles:
            titles |= {passage.under_file} if not left_alone(passage) else set()
            found += under_file(passage)
        if pair is not None:
            found += renamed_everywhere(passage, pair)
    return found


# --- values ------------------------------------------------------------------------------------------------------


def _values(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`Postgres 15 → 17`, `from 10 to 30`, `level 9 (was 6)`, `still pins 0.4.4`."""
    low = passage.sentence.low
    taken_back = pattern("mood", "back").search(low) is not None
    read = set()
    for way in ("arrow", "from_to", "was"):
        for match in pattern("values", way).finditer(low):
            keys = _keys(passage, low, match.start())
            clause = clause_at(low, match.start(), match.end())
            if not keys or is_barred(clause) or match["old"].endswith("()`"):
                continue  # what a call comes to is no value that was changed: `two()` → 2
            sure = len(_bare(match["new"])) > 1 or names_in(clause)  # one digit may count anything
            made = sure and way == "from_to" and pattern("values", "made").search(clause)
            role = "kept" if taken_back else "change" if made else "value"
            read.add(match.end())
            yield content_claim(passage, role, name="\n".join(keys), old=_bare(match["old"]), value=_bare(match["new"]))
    for match in pattern("values", "kept").finditer(low):
        keys = _keys(passage, low, match.start())
        keys = keys or _keys(passage, low, len(low))
        clause = clause_at(low, match.start(), match.end())
        if not is_barred(clause) and not pattern("values", "elsewhere").search(clause) and (keys or passage.paths):
            old = _bare(match["old"] or match["old2"])
            yield content_claim(passage, "kept", name="\n".join(keys), old=old, **_own_path(passage, match))
    put = pattern("values", "set").search(low)
    if put is None or put.end() in read or taken_back:
        return
    if not is_barred(_told_default(clause_at(low, put.start(), put.end()))):
        new = _bare(next(filter(None, put.groups())))
        keys = _keys(passage, low, put.end(), measured=pattern("values", "fixed").search(put.group()) is None)
        if keys and re.fullmatch(r"v?\d[\w.,]*(?: ?\w+)?%?", new):
            whole = re.match(r"\d{2,}(?:\.\d+)?(?![\d.]| ?%)|v?\d+\.\d+\.\d+", new)
            made = whole and pattern("values", "made").search(low, 0, put.end())
            role = "change" if made else "set"
            yield content_claim(passage, role, name="\n".join(keys), value=new, **_own_path(passage, put))


_IN_CODE = compiled(r"`(-?\d+\.\d+|\d{3,})`")


def _figures(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`which multiplies by 1000.0`: a number in code, in a sentence about work that was done, is to be found in the work."""
    told = pattern("uses", "reversed").split(passage.sentence.text)[0]
    for value in dict.fromkeys(_IN_CODE.findall(told)) if states_work(passage.sentence.low) else ():
        yield content_claim(passage, "figure", value=value, path=None)


def _told_default(clause: str) -> str:
    """A clause without `by default`, where it tells what the default is now."""
    return clause.replace(" by default", "") if re.search(r"\bnow\b", clause) else clause


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
    if measured and _counts(words):
        return []
    found = own + words or [name.lower() for name in passage.names] or re.findall(r"\bversion\b", stretch)
    found += [made[0] for value in CODE.findall(low) if (made := re.match(r"[a-z][\w/-]+(?=[:@]v?\d)", value))]
    return list(dict.fromkeys(found))[:6]


def _subject(text: str) -> tuple[list[str], list[str]]:
    """The names in code and the words that say what a value belongs to."""
    words = [word for word in _WORD.findall(CODE.sub(" ", text)) if len(word) > 2 and word not in _NOT_KEYS]
    return [name.lower() for name in names_in(text)], words


def _counts(words: list[str]) -> bool:
    """Whether something is named that is measured or counted, and nothing that is set: a pool's size and a limit of memory are."""
    known = table("content")["values"]
    return not set(known["no_subject"].split()).isdisjoint(words) and not re.search(known["settings"], " ".join(words))


def _row(passage: ReportPassage) -> Iterator[ActionClaim]:
    """A row with a column of what was and one of what is."""
    old = next((n for n, word in enumerate(passage.head) if pattern("values", "from_column").match(word)), None)
    new = next(
        (n for n, word in enumerate(passage.head) if n != old and pattern("values", "to_column").match(word)), None
    )
    if old is None or new is None or old == 0 or new == 0:
        return
    subject = passage.cells[0].lower()
    own, words = _subject(subject)[0], _subject(subject.replace("`", " "))[1]
    values = [
        re.sub(r"[*_]|^[`\"']?[~^=<>]{1,2}(?=\d)", "", passage.cells[n].strip()).strip("` ").lower() for n in (old, new)
    ]
    whole = compiled(VALUE.replace("UNIT", table("content")["values"]["unit"]))
    keys = own + words
    if keys and not _counts(words) and all(whole.fullmatch(value) for value in values) and values[0] != values[1]:
        yield content_claim(passage, "value", name="\n".join(keys), old=_bare(values[0]), value=_bare(values[1]))


# --- properties of code ------------------------------------------------------------------------------------------


def _properties(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`has a docstring`, `fully typed`, `added a comment`: said of a name, or of what was added."""
    low = passage.sentence.low
    plain = CODE.sub(lambda code: " " * len(code.group()), low)
    for name, told in table("content")["property"].items():
        match = _words(name).search(plain)
        if match is None:
            continue
        clause = clause_at(low, match.start(), match.end())
        if is_barred(clause) or not _stated(passage, clause, told):
            continue
        before = CODE.findall(passage.sentence.text[: match.start()] if len(low) == len(passage.sentence.text) else "")
        own = [each for each in passage.own_names if any(code.startswith(each) for code in before)]
        names = own or list(passage.names)
        yield content_claim(passage, "property", name="\n".join(names) or None, value=name)


@functools.cache
def _words(name: str) -> re.Pattern[str]:
    return compiled(table("content")["property"][name]["words"])


def _stated(passage: ReportPassage, clause: str, told: dict[str, Any]) -> bool:
    """Whether a clause says that the property is there: by a word of doing or being, by a mark, or as an item under what was added."""
    if told.get("object"):
        return (
            re.search(
                r"\b(?:added|wrote|put in|left (?:an?|the|some|two|short)|ergänzt|hinzugefügt|ajouté\w*|añad\w+)\b",
                clause,
            )
            is not None
        )
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
        if named is None or is_barred(clause[:at]) or is_barred(told) or _EARLIER.search(clause):
            continue
        name = re.split(r"[.:\\]+", text[slice(*named)])[-1]
        yield content_claim(passage, "raises", value=name, name="\n".join(names_in(text[: match.start()])) or None)


_EARLIER = compiled(r"\b(?:used to|before|previously|früher|avant|antes|still|immer noch|toujours)\b")
_ERROR = compiled(r"`([A-Za-z_][\w.:\\]*)")


def _error_after(text: str, at: int) -> tuple[int, int] | None:
    """Where the first name of an exception stands in the rest of a clause."""
    end = compiled(r"[.;]\s").search(text, at)
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
    if not is_barred(clause_at(low, match.start(), match.end()).partition(match.group())[0]):
        yield content_claim(passage, "asserts", name="\n".join(names) or None)
