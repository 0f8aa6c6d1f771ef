"""Values told in words, against the lines that hold them: `its status is set to proposed`, `off in prod.json`, `logged at WARNING level`, `read from CACHE_TTL`.

Each is known by its key and its file, not by the words around it. What stands in another form, or under several keys of one name, leaves it open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.observations.report_sentences import by_texts, sentences_of
from witnessmark.actions.content.evidence import TextEvidence, lost_lines
from witnessmark.actions.content.passages import ReportPassage, names_in, paths_in, without_code
from witnessmark.actions.content.regions import definitions, last_part
from witnessmark.actions.content.values import forms
from witnessmark.actions.content.wording import content_claim, pattern
from witnessmark.actions.trace.changes import ending, is_code, is_test
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.text.patterns import compiled

SET, LEVEL, READ_FROM, EXPECTS, GIVES = "set_word", "log_level", "read_from", "expects", "gives"
REQUIRED, LEFT, OTHERS, NUMBER, ADDED = ("required", "left_there", "others_kept", "set_number", "added_key")
_YES = {
    "on": "true",
    "enabled": "true",
    "yes": "true",
    "off": "false",
    "disabled": "false",
    "no": "false",
    "1": "true",
    "0": "false",
}
_LOGS = compiled(
    r"\b(?:log\w*|console|slog|zap|tracing|rails\.logger|l)(?:\(\))?(?:\.|::|->)(?:At)?(debug|info|warn(?:ing)?|error|critical|fatal|exception|trace)\w{0,3}!?\s*\(|\b(debug|info|warn|error|trace)!\(",
    re.IGNORECASE,
)
_STATUS_NAMES = compiled(r"HTTP_?Status|Status(?:Code)?\.|TOO_MANY|NOT_FOUND|UNAUTHORI|FORBIDDEN|BAD_REQUEST|have_http_status|is_client|ok\(\)", re.IGNORECASE)  # fmt: skip


def told_values(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each value that something is said to have now."""
    if not trace.ledger.changes:
        return
    for passage in sentences_of(report):
        if not passage.cells:
            yield from (*_values(passage), *_by_words(passage))
        if pattern("told_values", "others_kept").search(without_code(passage.sentence.low)):
            yield content_claim(passage, OTHERS, value=report[:4000], path=None)


def _values(passage: ReportPassage) -> Iterator[ActionClaim]:
    """Values of keys and switches, by what a sentence says that they are set to."""
    low, text = passage.sentence.low, passage.sentence.text
    for match in pattern("told_values", "set").finditer(low):
        if pattern("told_values", "not_so").search(without_code(low[: match.end()])):
            continue
        key = match["key"].strip("`*") if match["key"] else next(iter(names_in(text[: match.start()])), "")
        own = paths_in(text[match.start() : match.end()])
        if key:
            path = own[0] if own else (passage.paths[0] if len(passage.paths) == 1 else None)
            yield content_claim(passage, SET, name=key, value=match["value"].strip("`*\"'"), path=path)
    for match in pattern("told_values", "number").finditer(low):
        before = without_code(low[max(0, match.start() - 40) : match.end()])
        own = paths_in(text)
        if not pattern("told_values", "not_so").search(before):
            key = text[match.start("key") : match.end("key")]
            yield content_claim(passage, NUMBER, name=key, value=match["value"], path=own[0] if len(own) == 1 else None)
    for match in pattern("told_values", "is_code").finditer(low):
        own = paths_in(text[match.start() : match.end()])
        if own and not pattern("told_values", "not_so").search(without_code(low[: match.end()])):
            key, value = (text[match.start(group) : match.end(group)] for group in ("key", "value"))
            yield content_claim(passage, SET, name=key, value=value, path=own[0])
    for match in pattern("told_values", "switch").finditer(low):
        names = names_in(text[: match.start()])
        own = paths_in(text[match.start() : match.end()])
        if len(names) == 1 and own and not pattern("told_values", "not_so").search(without_code(low[: match.start()])):
            yield content_claim(passage, SET, name=names[0], value=match["value"], path=own[0])


def _by_words(passage: ReportPassage) -> Iterator[ActionClaim]:
    """What is told of a log call, a variable of the environment, an error, a test, a field, or of words that were left where they stood."""
    low, text = passage.sentence.low, passage.sentence.text
    for way, role in (
        ("level", LEVEL),
        ("read_from", READ_FROM),
        ("gives", GIVES),
        ("expects", EXPECTS),
        ("required", REQUIRED),
        ("added_key", ADDED),
    ):
        one = pattern("told_values", way).search(low)
        around = without_code(low[max(0, one.start() - 8) : one.end() + 30]) if one else ""
        if one is None or pattern("told_values", "not_so").search(around):
            continue
        tests = [path for path in passage.paths if is_test(path)]
        group = next(name for name, held in one.groupdict().items() if held)
        if role == ADDED:
            if not pattern("told_values", "was_so").search(low):
                yield content_claim(passage, role, name=one["key"], value=one["value"], path=None)
            continue
        value = text[one.start(group) : one.end(group)]
        if role != EXPECTS or len(tests) == 1:
            yield content_claim(passage, role, value=value, path=tests[0] if role == EXPECTS else None)
    if pattern("told_values", "left_there").search(without_code(low)) and len(passage.paths) == 1:
        for quoted in re.findall(r"[\"“]([^\"”\n]{3,60})[\"”]|`([^`\n]{3,60})`", text):
            if (word := quoted[0] or quoted[1]) not in passage.paths:
                yield content_claim(passage, LEFT, value=word)


def _set(claim: ActionClaim, known: TextEvidence) -> str:
    """The file's line for a key, where every line for it has another value."""
    key, told = last_part(claim.name or ""), _plain(claim.value or "")
    line = re.compile(rf"^[\s*_\"'-]*{re.escape(key)}[\"'*_]*\s*[:=]\s*[\"'*_`]*(?P<value>[\w.-]+)[\"'*_`]*[,;]?\s*$", re.IGNORECASE | re.MULTILINE)  # fmt: skip
    texts = [text for text in known.called(claim.path) if text.new] if claim.path else list(known.changed.values())
    held = [(text.path, found["value"]) for text in texts for found in line.finditer(text.new)]
    if not held or any(_plain(value) == told for _, value in held) or len({path for path, _ in held}) > 1:
        return ""
    if len(key) < 3 or (not claim.path and any(told in text.new.lower() for text in texts)):
        return ""
    return f"{held[0][0]} has `{key}: {held[0][1]}`"


def _number(claim: ActionClaim, known: TextEvidence) -> str:
    """The one line for a key of code or settings, where it has another number."""
    key = re.escape(last_part(claim.name or ""))
    line = re.compile(rf"^[\s\"']*(?:(?:const|let|var|val|static|final|export|public|private|int|float|pub) )*{key}[\"']?\s*(?::\s*[\w.]+\s*)?[:=]\s*[\"']?(?P<value>\d[\d._]*)[\"']?\s*[,;]?\s*(?:(?:#|//).*)?$", re.MULTILINE)  # fmt: skip
    texts = [text for text in known.called(claim.path) if text.new] if claim.path else list(known.changed.values())
    held = [(text.path, found["value"]) for text in texts for found in line.finditer(text.new)]
    if len(held) != 1 or held[0][1].strip("._") in forms(claim.value or "") or (claim.value or "") in forms(held[0][1]):
        return ""
    return f"{held[0][0]} has {last_part(claim.name or '')} {held[0][1]}"


def _added(claim: ActionClaim, known: TextEvidence) -> str:
    """The value that a key was given where the changes name it once, and it is another one."""
    key = re.escape(claim.name or "")
    found = re.findall(rf"(?<![a-z]){key}(?:_?(?:ms|s|sec|seconds))?[\"']?\s*[:=]\s*[\"']?(\d[\d._]*)(?![\w.*]| ?[*/+-])", known.added, re.IGNORECASE)  # fmt: skip
    if len(found) != 1 or found[0].strip("._") in forms(claim.value or "") or (claim.value or "") in forms(found[0]):
        return ""
    if re.search(rf"(?<![\d.]){re.escape(claim.value or '')}(?![\d.])", known.added) or not known.touches_code:
        return ""
    return f"the changes set {claim.name} to {found[0]}"


def _plain(value: str) -> str:
    low = value.lower().strip("\"'`*_.,")
    return _YES.get(low, low)


def _level(claim: ActionClaim, known: TextEvidence) -> str:
    """The levels that were added, where the one that is told is none of them."""
    levels = {(one or other).lower()[:4] for one, other in _LOGS.findall(known.added)}
    told, texts = (claim.value or "").lower(), [text.new.lower() for text in known.changed.values()]
    if not levels or told[:4] in levels or {"exce", "erro"} >= {told[:4], *levels}:
        return ""
    if any(re.search(rf"(?<![a-z]){told[:4]}", text) for text in texts):
        return ""  # what was there before may be meant, or a level that is named otherwise
    return f"the log calls that were added are {', '.join(sorted(levels))}"


def _read_from(claim: ActionClaim, known: TextEvidence) -> str:
    """A variable that only documents name, where code was changed."""
    name, files = (claim.value or "").upper(), list(known.files())
    having = [text.path for text in files if name in text.new]
    documents = [path for path in having if ending(path) in ("md", "rst", "txt", "adoc", "mdx")]
    others = [
        found for found in _ENVIRONMENT.findall(known.added) if not name.startswith(found) and not name.endswith(found)
    ]
    if not others or not having or len(having) != len(documents) or not known.all_seen:
        return ""
    return f"the code reads `{others[0]}`, and only {documents[0]} has `{name}`"


_ENVIRONMENT = compiled(
    r"(?:process\.env\.|getenv\(|environ(?:\.get\(|\[)|ENV(?:\.fetch\(|\[)|env::var\(|Getenv\(|\benv\()[\"']?([A-Z][A-Z0-9_]{3,})"
)
"""Where code reads a variable of the environment by its whole name."""


def _expects(claim: ActionClaim, known: TextEvidence) -> str:
    """A status that a test is said to expect, and that its file does not have in any form."""
    texts = [text for text in known.called(claim.path or "") if text.old != text.new]
    if not texts or any(re.search(rf"(?<!\d){claim.value}(?!\d)", text.new) or _STATUS_NAMES.search(text.new) for text in texts):  # fmt: skip
        return ""
    return f"{texts[0].path} has no {claim.value}"


def _gives(claim: ActionClaim, known: TextEvidence) -> str:
    """A variant of an error that is declared, and that no code makes."""
    last = last_part(claim.value or "")
    whole = re.compile(rf"(?<!\w){re.escape(last)}(?!\w)")
    texts = [text for text in known.files() if is_code(text.path)]
    used = [line for text in texts for line in text.new.splitlines() if whole.search(line)]
    if len(used) != 1 or not re.match(rf"\s*{re.escape(last)}\s*(?:\([^)]*\)|\{{[^}}]*\}})?\s*[,=;]?\s*$", used[0]):
        return ""
    return f"`{last}` is declared, and nothing makes one"


def _required(claim: ActionClaim, known: TextEvidence) -> str:
    """A field that is said to be required, and is declared as one that may be missing."""
    for name in names_in(claim.value or ""):
        places = [place for text in known.changed.values() for place in definitions(name, text.new)]
        lines = [line for place in places for line in place.splitlines() if re.search(r"\w", line)]
        if len(places) == len(lines) == 1 and _MAY_MISS.search(lines[0]):
            return f"`{lines[0].strip()[:70]}`"
    return ""


_MAY_MISS = compiled(r"optional|nullish|nullable|\.default\(|= ?None\b|\w\?\s*:|required[=:] ?false", re.IGNORECASE)


def _left_there(claim: ActionClaim, known: TextEvidence) -> str:
    """Words that are said to stand where they stood, and that the file has lost."""
    for text in known.called(claim.path or ""):
        word = (claim.value or "").lower()
        if any(word in line.lower() for line in lost_lines(text)) and word not in text.new.lower():
            return f"{text.path} has no `{claim.value}` any more"
    return ""


def _others(claim: ActionClaim, known: TextEvidence) -> str:
    """A value that was changed though the others are said to be as they were, and of which the report does not speak."""
    told = [last_part(name) for name in names_in(claim.value or "")]
    for text in known.changed.values():
        if text.path.endswith((".lock", "package.json", ".md")) or not any(name in text.old for name in told):
            continue  # of another file
        old, new = _pairs(text.old), _pairs(text.new)
        for key, values in old.items():
            if len(values) == 1 and len(new.get(key, ())) == 1 and values != new[key] and not re.search(rf"(?<!\w){re.escape(key)}(?!\w)", claim.value or "", re.IGNORECASE):  # fmt: skip
                return f"{text.path} had `{key}: {min(values)}` and has `{min(new[key])}`"
    return ""


def _pairs(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for key, value in re.findall(
        r"([A-Za-z_][\w-]{2,})[\"']?\s*[:=]\s*(true|false|True|False|-?\d[\d._]*|\"[^\"\n]*\"|'[^'\n]*')", text
    ):
        found.setdefault(key, set()).add(value)
    return found


RULES = by_texts({SET: _set, LEVEL: _level, READ_FROM: _read_from, EXPECTS: _expects, GIVES: _gives, REQUIRED: _required, LEFT: _left_there, OTHERS: _others, NUMBER: _number, ADDED: _added})  # fmt: skip
