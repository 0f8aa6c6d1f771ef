"""What stands in the place of a literal that nothing has: the sign that a report tells of how something is, and that it is otherwise.

`on golang:1.22` where the file has golang:1.20, `SameSite=Strict` where it is set to something else, a variable of the environment under another name. Without such
a stand-in a literal that nothing has may come from what is called.
"""

from __future__ import annotations

import re

from witnessmark.actions.content.evidence import TextEvidence
from witnessmark.actions.content.passages import CODE, names_in, paths_in, without_code
from witnessmark.actions.content.regions import definitions, last_part
from witnessmark.actions.content.wording import pattern
from witnessmark.actions.report.lexicon import table
from witnessmark.text.patterns import compiled

_VARIABLE = compiled(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_READS = compiled(
    r"(?:process\.env\.|getenv\(|environ(?:\.get\(|\[)|ENV(?:\.fetch\(|\[)|env::var\(|Getenv\(|\benv\(|LookupEnv\()[\"']?([A-Z][A-Z0-9_]{2,})"
)
_PAIR = compiled(r"[\"']?([A-Za-z_][\w.-]{2,40})[\"']?\s*[:=]\s*[\"']?([\w.-]+)[\"']?")
_TYPE = compiled(r"[A-Za-z_][\w.]*(?:\[.+\]|<.+>)|\w+(?:\[\])? \| \w+.*")
_SIMPLE = r"(?:str|int|float|bool|bytes|String|i32|i64|u32|u64|usize|f64|string|number|boolean)"


def stands_instead(literal: str, report: str, sentence: str, known: TextEvidence) -> bool:
    """Whether the files hold something else where a literal is told to be."""
    return any(look(literal, report, sentence, known) for look in _WAYS)


def _other_figures(literal: str, report: str, sentence: str, known: TextEvidence) -> bool:
    """`golang:1.22`, where the same name stands with other figures."""
    match = re.fullmatch(r"([A-Za-z][\w./@-]*[:@=-])v?(\d[\d.]*)", literal)
    if match is None or len(match[1]) < 3:
        return False
    stem = re.compile(rf"(?<![\w-]){re.escape(match[1])}v?(\d[\d.]*\d|\d)", re.IGNORECASE)
    texts = known.files()
    named = paths_in(sentence)
    held = {
        found
        for text in texts
        if not named or any(text.path.endswith(path) for path in named)
        for found in stem.findall(text.new)
    }
    return bool(held) and not any(one.startswith(match[2]) or match[2].startswith(one) for one in held)


def _other_value(literal: str, report: str, sentence: str, known: TextEvidence) -> bool:
    """`key: value`, where a changed file gives that key another value."""
    pair = _PAIR.fullmatch(literal)
    if pair is None:
        return False
    line = re.compile(rf"(?<![\w-]){re.escape(last_part(pair[1]))}[\"']?\s*[:=]\s*[\"']?[\w.]", re.IGNORECASE)
    return line.search(known.added) is not None


def _other_variable(literal: str, report: str, sentence: str, known: TextEvidence) -> bool:
    """A variable of the environment, where what was added reads one of another name of which the report does not speak."""
    if not _VARIABLE.fullmatch(literal.rpartition(".")[2]):
        return False
    return any(name not in report for name in _READS.findall(known.added))


def _other_number(literal: str, report: str, sentence: str, known: TextEvidence) -> bool:
    """A number, where what was added has one of which the report does not speak."""
    if not re.fullmatch(r"\d[\d.,]*", literal) or re.search(r"`[\w.]+\([^)`]+\)", sentence):
        return False  # what a call gives is worked out
    added = re.findall(r"(?<![\w.])\d[\d_.]*\d(?![\w.])", known.added)
    return any(number.replace("_", "") not in report.replace(",", "").replace("_", "") for number in added)


def _no_such_part(literal: str, report: str, sentence: str, known: TextEvidence) -> bool:
    """An instruction of a file that was changed, such as a recipe for an image: nothing but the file itself brings it."""
    for kind in table("content")["instructions"].values():
        if literal in kind["words"].split() and any(re.search(kind["files"], path) for path in known.changed):
            return True
    return False


def _not_in_file(literal: str, report: str, sentence: str, known: TextEvidence) -> bool:
    """More than a name, which a file is said to start with, to have or to add."""
    if re.fullmatch(r"[\w.$-]+(?:\(\))?", literal):
        return False
    plain = CODE.sub(lambda code: " file " if paths_in(code.group()) else " x ", sentence.lower())
    return pattern("unseen", "in_file").search(plain) is not None


def _no_log(literal: str, report: str, sentence: str, known: TextEvidence) -> bool:
    """A message that is said to be logged, where no line that was added could log."""
    at = sentence.find(f"`{literal}`")
    if " " not in literal or not pattern("unseen", "logs").search(without_code(sentence[:at].lower())):
        return False
    return known.touches_code and not re.search(pattern("unseen", "may_log").pattern, known.added.lower())


def _other_default(literal: str, report: str, sentence: str, known: TextEvidence) -> bool:
    """`a strict argument that defaults to True`, where the one place that gives it a default has another one."""
    at = sentence.find(f"`{literal}`")
    names = names_in(sentence[:at])
    if not names or not re.search(r"\bdefault(?:s|ing)? (?:to|of|is|is now|now) *$", sentence[:at].lower()):
        return False
    given = rf"(?<!\w){re.escape(last_part(names[-1]))}\s*(?::\s*[\w.\[\]]+\s*)?=\s*([\w.\"'-]+)"
    held = [found for text in known.changed.values() for found in re.findall(given, text.new)]
    return len(held) == 1 and held[0].strip("\"'").lower() != literal.strip("\"'").lower()


def _other_type(literal: str, report: str, sentence: str, known: TextEvidence) -> bool:
    """`f returns Optional[str]`, where `f` is declared to return a plain `str`."""
    names = names_in(sentence[: sentence.find(f"`{literal}`")])
    if not names or not _TYPE.fullmatch(literal):
        return False
    heads = [
        place.strip().splitlines()[0] for text in known.changed.values() for place in definitions(names[-1], text.new)
    ]
    given = [re.search(rf"\)\s*(?:->|:)\s*({_SIMPLE})\s*[:{{]", head) for head in heads]
    return bool(given) and all(one is not None and one[1] in literal for one in given)


_WAYS = (_other_figures, _other_value, _other_variable, _other_number, _no_such_part, _not_in_file, _no_log, _other_default, _other_type)  # fmt: skip
