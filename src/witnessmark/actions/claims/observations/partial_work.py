"""Half of the work told as all of it: names in code that a sentence or a list tells of together, of which one was changed and another is as it was.

`fetch() and push() both retry now`, where `push` is byte for byte what it was; `Name and Kind are now string?`, where only one of them has it. A name
that leads to something that was changed is not held against a report, since it may do what is told by way of that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.observations.report_sentences import by_texts, sentences_of
from witnessmark.actions.content.evidence import TextEvidence
from witnessmark.actions.content.passages import CODE, ReportPassage, names_in, without_code
from witnessmark.actions.content.regions import definitions, last_part
from witnessmark.actions.content.wording import content_claim, pattern
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.texts import TextChange
from witnessmark.text.patterns import compiled

ROLE = "parts"
ONE = "part_value"
MAX_BESIDE = 60
"""So many items of a list are looked at for what was changed beside one of them."""
_JOINT = compiled(r"[\s*]*(?:,|and|und|et|y|&|/|, and|and the|, the|und der|und die)[\s*]*")
_VALUE = compiled(r"(?<![\w.])\d[\d.]*(?:[kmg]i?b?|ms|s|%)?(?![\w.]|-\w)", re.IGNORECASE)
_TYPES = compiled(r"(?:->|:)\s*[A-Za-z_][\w.]*(?:\[\]|<[^>]*>)?(?=\s*[=,;){])|<[A-Za-z_][\w, ]*>")
"""Where a name is given as a type, it leads nowhere."""
_IDENTIFIER = compiled(r"[A-Za-z_$][\w$]{2,}")


def told_together(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each group of names that a report tells of as changed together, with the value that all of them are said to have."""
    if "`" not in report or not trace.ledger.changes:
        return
    listed: list[tuple[ReportPassage, str]] = []
    for passage in sentences_of(report):
        if passage.cells:
            continue
        named = _headed(passage)
        if listed and (not named or listed[-1][0].over != passage.over):
            yield from _items(listed)
            listed = []
        listed += [(passage, named)] if named else []
        yield from (*_joined(passage), *_of_one(passage))
    yield from _items(listed)


def _joined(passage: ReportPassage) -> Iterator[ActionClaim]:
    """Names at the head of a sentence, or behind `both`: what follows is said of each of them."""
    low = passage.sentence.low
    names, end = _group(passage)
    stop = compiled(r"[,;(—–]\s|\s[-—–]\s").search(low, end)
    until = stop.start() if stop else len(low)  # what follows a comma may be said of something else
    plain = without_code(low[:until])
    if len(names) < 2 or not pattern("parts", "cue").search(plain) or pattern("parts", "not_so").search(plain):
        return
    codes = CODE.findall(
        passage.sentence.text[end:]
    )  # one value for all, and nothing else that may be another form of it
    own = codes[0] if len(codes) == 1 and CODE.search(passage.sentence.text, end, until) else None
    value = own or (next(iter(_VALUE.findall(plain)), None) if not CODE.search(low, end, until) else None)
    yield content_claim(passage, ROLE, name="\n".join(names), value=value or "")


def _group(passage: ReportPassage) -> tuple[list[str], int]:
    """The names that are joined at the head of a sentence or behind `both`, and where they end."""
    text, low = passage.sentence.text, passage.sentence.low
    codes = list(CODE.finditer(text))
    names: list[str] = []
    end = 0
    for code in codes:
        name = names_in(code.group())
        lead = low[end : code.start()]
        if names and _JOINT.fullmatch(lead) and name:
            names.append(name[0])
        elif not names and name and re.search(r"^[\s*\d.)-]*(?:both|the|all)?\s*$|\bboth(?: the)?\s*$", lead):
            names = [name[0]]
        elif names:
            break
        end = code.end() if names else end
    return names, end


def _headed(passage: ReportPassage) -> str:
    """The name that an item is headed by, where the list tells of changes."""
    if not passage.item or not pattern("parts", "lead").search(passage.over):
        return ""
    head = re.match(r"[\s*\d.)-]*(?:the )?(`[^`\n]+`)", passage.sentence.text)
    names = names_in(head[1]) if head else ()
    plain = without_code(passage.sentence.low)
    return names[0] if names and not pattern("parts", "not_so").search(plain) else ""


def _items(listed: list[tuple[ReportPassage, str]]) -> Iterator[ActionClaim]:
    """A claim for each item of a list, with the others as what was changed beside it."""
    names = list(dict.fromkeys(name for _, name in listed))
    for passage, name in listed if len(names) > 1 else ():
        beside = [other for other in names[:MAX_BESIDE] if other != name]
        yield content_claim(passage, ROLE, name="\n".join([name, *beside]), old=name)


def _of_one(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`the limit of worker is raised to 1Gi`: a value that one name is said to have now."""
    low = passage.sentence.low
    match = pattern("parts", "one").search(low)
    if match is not None and not pattern("parts", "not_so").search(without_code(low)):
        text = passage.sentence.text
        yield content_claim(
            passage, ONE, name=text[match.start("name") : match.end("name")].strip("`"),
            value=text[match.start("value") : match.end("value")].strip("`*"),
        )  # fmt: skip


# --- rulings -----------------------------------------------------------------------------------------------------


def _parts(claim: ActionClaim, known: TextEvidence) -> str:
    """What is wrong with one such claim by the code of each name, before and after."""
    names = [last_part(name.partition("(")[0]) for name in claim.names]
    for text in known.changed.values():
        if claim.path and claim.path.rpartition("/")[2] != text.path.rpartition("/")[2]:
            continue
        wrong = _only_elsewhere(claim, names[0], text) if claim.role == ONE else _left(claim, names, text)
        if wrong:
            return f"in {text.path} {wrong}"
    return ""


RULES = by_texts({ROLE: _parts, ONE: _parts})


def _left(claim: ActionClaim, names: list[str], text: TextChange) -> str:
    """Which name is as it was, or has not the value that another one has; empty where none is."""
    regions = {name: (definitions(name, text.old), definitions(name, text.new)) for name in names if len(name) > 1}
    known = {name: both for name, both in regions.items() if both[0] and both[1]}
    changed = [name for name, (old, new) in known.items() if old != new]
    about = [last_part(claim.old)] if claim.old else names
    if not changed or (text.old == "" and not claim.value):
        return ""
    for name in about:
        if name not in known or _leads_to_changed(name, known[name][1], text):
            continue
        if name not in changed:
            return f"`{name}` is as it was, and only `{changed[0]}` was changed"
        if claim.value and _lacks(claim.value, name, changed, known):
            return f"`{name}` has no `{claim.value}`"
    return ""


def _lacks(value: str, name: str, changed: list[str], known: dict[str, tuple[list[str], list[str]]]) -> bool:
    """Whether a value came to another name and not to this one."""

    def has(places: list[str]) -> bool:
        if value[0].isdigit():
            return any(re.search(rf"(?<![\w.]){re.escape(value)}(?![\w.])", place) for place in places)
        return any(value in place for place in places)

    others = [other for other in changed if other != name]
    return not has(known[name][1]) and any(has(known[other][1]) and not has(known[other][0]) for other in others)


def _leads_to_changed(name: str, places: list[str], text: TextChange) -> bool:
    """Whether the code of a name names something else of the file that was changed or is new."""
    words = {word for place in places for word in _IDENTIFIER.findall(_TYPES.sub(" ", place))} - {name}
    return any(
        (new := _of_its_own(word, text.new)) and new != _of_its_own(word, text.old) and new != places for word in words
    )


def _of_its_own(word: str, text: str) -> list[str]:
    """The definitions of a name that others can lead to: no variables, arguments and calls inside of others."""
    if word in _RESERVED:
        return []
    bare = re.escape(word)
    head = re.compile(
        rf"^\s*(?:[\w@]+ )*(?:def|fn|func|function|fun|class|struct|interface|trait|enum|type|module|object|record)\s+[^=\n]*\b{bare}\b"
        rf"|^(?:[\w@]+ )*[\"']?{bare}[\"']?\s*[:=]|^\s*(?:[\w<>\[\]?]+ )*{bare}\s*\([^;=]*\)[^;=]*{{\s*$",
        re.MULTILINE,
    )
    return [place for place in definitions(word, text) if head.search(place)]


_RESERVED = frozenset(
    """def class return func function const let var public private static async await import from export type interface enum struct self this
    new for while with try catch except raise throw true false none null string int bool void""".split()
)


def _only_elsewhere(claim: ActionClaim, name: str, text: TextChange) -> str:
    """Whether a value came to the file, and not to what it is said to belong to."""
    value = claim.value or ""
    whole = re.compile(rf"(?<![\w.]){re.escape(value)}(?![\w.])")
    old, new = definitions(name, text.old), definitions(name, text.new)
    if not new or old != new or len(whole.findall(text.new)) <= len(whole.findall(text.old)):
        return ""
    if any(whole.search(place) for place in new) or _leads_to_changed(name, new, text):
        return ""
    return f"`{name}` is as it was, and `{value}` stands elsewhere"
