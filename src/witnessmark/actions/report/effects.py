"""What a report says besides files and test counts: checks that passed, commits and pushes, effects elsewhere, denials, reverts.

One small grammar over sentences; the words are data, one file a language (`lang/*.toml`). A sentence that plans, asks, denies or
supposes holds no claim. Nothing here looks at the world.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claim import ActionClaim, ActionKind
from witnessmark.actions.report.fragments import form_of
from witnessmark.actions.report.layout import Sentence
from witnessmark.actions.report.lexicon import WORDS, Language, mood_in_any_language
from witnessmark.actions.report.names import looks_like_command
from witnessmark.actions.report.report import Report
from witnessmark.actions.report.runs import checks_told, commands_told, denied_behind, observed, versions_told
from witnessmark.actions.trace.changes import ending
from witnessmark.text.files import CODE, TEXT
from witnessmark.text.lang import speech
from witnessmark.text.patterns import compiled

MIN_WORDS = 6
"""Fewer words before a colon are a title."""
MIN_CLAUSE = 2
"""A single word, as `Done.` or `Thanks!`, asserts nothing that could be held against anything."""
_CODE = compiled(r"`([^`\n]{1,200})`")
_NEXT = compiled(r",? (?:and|then|but)(?: (?:i|we|also|then|have))* (?P<verb>[A-Za-z]+)\b", re.IGNORECASE)
_FILE = r"(?:[\w@.-]+/)*[\w@.-]*\w\.[A-Za-z]\w{0,9}"
_PATH = compiled(_FILE)
_PLACE = compiled(
    rf"(?:^ ?|[\s(](?:to|in|from|at|\(|of|into|inside) ?(?:the )?\(?)`?(?P<path>{_FILE})(?::[\d,:\s-]+)?`?"
)


def effects_in(report: Report) -> list[ActionClaim]:
    """The claims about checks, git, effects, denials and reverts, in the order of their words."""
    told = [sentence for sentence in report.sentences if not sentence.silent and not sentence.low.endswith("?")]
    return [
        claim
        for sentence in told
        for rule in _RULES
        for claim in rule(sentence, report.language_of(sentence) if rule is _denials else report.language)
    ]


def asserted_in(report: Report) -> Iterator[tuple[int, int]]:
    """Where the clauses stand that assert something, whatever it is: all but titles, real questions, greetings, and what is planned, supposed, offered or advised."""
    planned = mood_in_any_language("planned")
    for sentence in report.sentences:
        title = sentence.low.endswith(":") and len(sentence.low.split()) < MIN_WORDS
        title = title or (sentence.title and not states_work(sentence.low))
        asks = sentence.low.endswith("?")
        taken = speech("taken_as_known").search(sentence.low) if asks else None
        if sentence.silent or title or (asks and taken is None):
            continue
        at = taken.end() if taken is not None else 0
        own = (match.start() for match in speech("own_work_beside").finditer(sentence.raw))
        for end in [*sorted({*_clause_ends(sentence.raw), *own}), len(sentence.raw)]:
            clause = sentence.raw[at:end]
            if len(clause.split()) >= MIN_CLAUSE and not planned.search(clause.lower()):
                yield sentence.start + at, sentence.start + end
            at = end


def _clause_ends(text: str) -> list[int]:
    """Where one thing done ends and the next begins: `Changed x and removed y`."""
    ends = (match for match in _NEXT.finditer(_CODE.sub(lambda code: "x" * len(code[0]), text)))
    return [match.start() for match in ends if _done(match["verb"].lower())]


def _done(word: str) -> bool:
    return form_of(word) == "past" or word in WORDS.other_work


def states_work(low: str) -> bool:
    """`Added x`, `I have changed x`, `x was moved`: a verb of doing in the past, by the writer or by nobody named."""
    own, by = True, False
    for word in re.findall(r"[a-z][a-z'-]*| - |[—–:]", _CODE.sub(" x ", low))[:40]:
        if _done(word) and (own or by):
            return True
        if word in WORDS.never or word.endswith("n't") or word in WORDS.supposed:
            return False
        small = word in WORDS.subjects or word.endswith("ly")
        by = word in WORDS.i or word in ("was", "were", "been") or (by and small)
        own = word.strip() in ("-", "—", "–", ":") or (own and (small or word in ("done", "fix", "x")))
    return False


def _sure(sentence: Sentence, words: Language, start: int, end: int) -> bool:
    """Whether the clause around a place states something that was done."""
    begins = max(sentence.low.rfind(sign, 0, start) for sign in ",;:.(—–") + 1
    if words.search("denials", "goes_on", sentence.low[begins:]):
        begins = 0
    return words.barred.search(sentence.low, begins, end) is None


def _elsewhere(sentence: Sentence, words: Language) -> Iterator[ActionClaim]:
    """What was done outside of the tree."""
    for role in words.data.get("effects", ()):
        match = words.search("effects", role, sentence.low)
        if match is None or denied_behind(sentence.low, match.end()):
            continue
        if _sure(sentence, words, match.start(), match.end()):
            yield sentence.claim("effect", role=role, value=_value(match, "value"))


def _group(match: re.Match[str], name: str) -> str:
    """What a named group holds, or one of the other ways of saying it (`name2`, `name3`, …)."""
    ways = (value for key, value in match.groupdict().items() if key.rstrip("23456789") == name)
    return next(filter(None, ways), "")


def _value(match: re.Match[str] | None, name: str) -> str | None:
    return _group(match, name).strip("`\"'") or None if match else None


def _denials(sentence: Sentence, words: Language) -> Iterator[ActionClaim]:
    """What a sentence says was left alone; with an exception, under a condition or of a thing in a file it says no such thing."""
    follows = words.search("denials", "follows", sentence.low)
    if words.search("denials", "supposed", sentence.low[: follows.start() if follows is not None else None]):
        return
    for role in ("others", "depend", "named", "nothing", "no_code", "by_word", "no_deletion"):
        match = words.search("denials", role, sentence.low)
        if match is not None:
            yield sentence.claim("untouched", role=role, value=_group(match, "object") or None)
    yield from (sentence.claim("untouched", path=_as_written(path, sentence)) for path in _pointed_at(sentence, words))
    for name in ("untouched", "untouched_object", "no_changes", "only"):
        match = words.search("denials", name, sentence.low)
        excepted = words.search("denials", "except", sentence.low)
        within = match is not None and excepted is not None and match.start() <= excepted.start() < match.end()
        if (
            match is None
            or (excepted and not (within and name == "only"))
            or _WITHIN.search(sentence.low, 0, match.start())
        ):
            continue
        told = _group(match, "object")
        first = words.name == "en" or (told != "" and match.group().endswith(told))
        named = _paths(told) if name == "only" else _listed(told, words, first=first)
        if len(named) > 1 and name != "only" and words.search("denials", "one", match.group()):
            named = named[-1:]  # its verb is of one thing: what stands before it belongs to another clause
        paths = [_as_written(path, sentence) for path in named]
        if name == "only":
            if paths:
                yield sentence.claim("untouched", role=name, path=paths[0], value="\n".join(paths))
            continue
        other = words.search("denials", "other_clause", told)
        own = told if other is None else told[: other.start()] if first else told[other.end() :]
        for role in ("tests", "ci"):
            if words.search("denials", role, own):
                yield sentence.claim("untouched", role=role)
        if _DIRECT.match(told) or words.name != "en":
            yield from (sentence.claim("untouched", path=path) for path in paths)


def _pointed_at(sentence: Sentence, words: Language) -> set[str]:
    """The one file that a sentence names, where it says behind it that this file was left alone."""
    pointed = words.search("denials", "that_file", sentence.low)
    named = set(_paths(sentence.low[: pointed.start()])) if pointed is not None else set()
    return named if named == set(_paths(sentence.low)) and len(named) == 1 else set()


def _put_back(sentence: Sentence, words: Language) -> Iterator[ActionClaim]:
    """The file that a sentence says was put back, or that everything was."""
    everything = words.search("denials", "reverted_all", sentence.low)
    if everything is not None and _sure(sentence, words, everything.start(), everything.end()):
        yield sentence.claim("reverted", role="everything")
    match = words.search("denials", "reverted", sentence.low)
    if match is None or words.search("denials", "supposed", sentence.low):
        return
    told = _group(match, "object")
    before = sentence.low.find(told, match.start())
    if _sure(sentence, words, match.start(), before if before > match.start() else match.end()):
        yield from (sentence.claim("reverted", path=_as_written(path, sentence)) for path in _paths(told)[:1])


_DIRECT = compiled(r"\s*(?:(?:the|any|of|files?|either|existing|both|in|anything|a|single|lines?|tests?(?: files?)?|or|nor|and|,|ci|configuration|config) ?)*`")  # fmt: skip
"""What may stand between the verb and the files; `the meaning of x` is not x."""
_WITHIN = compiled(r"\b(?:of|in|for|from|between|with|by|to|at) (?:the |both )?`[^`]*`(?:, `[^`]*`)*,?\s*$")
"""`the meaning of x and y is unchanged`: what comes before the last name of something else."""


def _paths(text: str) -> list[str]:
    """The files that a stretch names."""
    return [code for code in _CODE.findall(text) if _PATH.fullmatch(code) and not code[0].isdigit()]


def _listed(told: str, words: Language, *, first: bool) -> list[str]:
    """The files of the first list that a stretch names, or of the last: `x or y, because z does it` was said of x and y."""
    lists: list[list[re.Match[str]]] = []
    for code in _CODE.finditer(told):
        if not lists or not words.search("denials", "joins", told[lists[-1][-1].end() : code.start()]):
            lists.append([])
        lists[-1].append(code)
    meant = lists[0 if first else -1] if lists else []
    if meant and not first and words.search("roles", "source", told[: meant[0].start()]):
        meant = meant[-1:]  # `the sum comes from x, and y was not touched`, where the verb stands last
    return _paths("".join(code[0] for code in meant))


def _as_written(low: str, sentence: Sentence) -> str:
    """A name as the report has it, which was found in lower case."""
    at = sentence.low.find(low)
    return sentence.text[at : at + len(low)] if at >= 0 and len(sentence.low) == len(sentence.text) else low


_ENDINGS = CODE | TEXT


_ALSO = compiled(r",[^().;:`]*")
"""Between a file and the next one that the same verb is done to: `a leak in x.go, a race in y.go`."""
_ENTRY = compiled(r"`?(?:,? (?:and|or) `[^`\n]{1,80}`)? (?:in)?to ")


def _places(sentence: Sentence, words: Language) -> Iterator[ActionClaim]:
    """`Added a guard to x.go`: the first file after the verb, unless it is only compared with."""
    patterns = words.all("places")
    if not patterns:
        return
    wrote = patterns["written"].search(sentence.low)
    if wrote is not None:
        way, told = ("path", wrote.start("done")) if wrote["path"] else ("path2", 0)
        if words.barred.search(sentence.low, told, wrote.start(way)) is None:
            yield sentence.claim("file_write", path=_as_written(wrote[way], sentence))
    match = patterns["edit"].search(sentence.low)
    if match is None or words.barred.search(sentence.low, 0, match.end()):
        return
    told = 0
    for place in _PLACE.finditer(match["rest"]):
        if patterns["compare"].search(match["rest"], 0, place.end()):
            return
        if _ENTRY.match(match["rest"], place.end()) and "add" in sentence.low[match.start() : match.start("rest")]:
            continue  # `added x to y`: x is a line of y
        if told and not _ALSO.fullmatch(match["rest"], told, place.start()):
            return
        path = _as_written(place["path"], sentence)
        if ending(path) in _ENDINGS and not path[0].isdigit():
            yield sentence.claim("file_edit", path=path)
            told = place.end()


WITHIN = "within"
"""The role of a change that is told by what is so now in a file: its words are in the present, and plan nothing."""
_FILE_KINDS: tuple[ActionKind, ...] = ("file_create", "file_write", "file_edit", "file_delete", "command")


def _files(sentence: Sentence, words: Language) -> Iterator[ActionClaim]:
    """Files and commands by their verb, for languages that the larger reader does not know.

    Where a sentence begins with a name its verbs follow what they were done to, as in German; else they come before it.
    """
    patterns = words.all("files")
    within = words.search("files", "within", sentence.low)
    if within is not None and not mood_in_any_language("planned").search(within.group()):
        yield sentence.claim("file_edit", role=WITHIN, path=_as_written(within["path"].strip("`"), sentence))
    if not patterns or words.barred.search(sentence.low):
        return
    verbs = sorted((match.start(), kind) for kind in _FILE_KINDS for match in patterns[kind].finditer(sentence.low))
    names = [(match.start(), match.group(1)) for match in _CODE.finditer(sentence.text)]
    names = names or [(sentence.low.find(path), _as_written(path, sentence)) for path in _paths(sentence.low)]
    if not verbs or not names:
        return
    follows = names[0][0] < verbs[0][0]
    denied = {claim.path for claim in _denials(sentence, words)}
    for at, name in names:
        near = (
            [kind for place, kind in verbs if place > at][:1]
            if follows
            else [k for place, k in verbs if place < at][-1:]
        )
        kind = (near or [verbs[-1][1]])[0]
        if kind == "command" and looks_like_command(name):
            yield sentence.claim(kind, command=name)
        elif kind != "command" and _PATH.fullmatch(name) and not name[0].isdigit() and name not in denied:
            yield sentence.claim(kind, path=name)


_RULES = (
    checks_told,
    commands_told,
    observed,
    versions_told,
    _elsewhere,
    _denials,
    _put_back,
    _files,
    _places,
)
