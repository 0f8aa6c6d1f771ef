"""Literals that a report says were put there or run, and that nothing in the whole session has.

`created with CREATE INDEX CONCURRENTLY`, `the default is now 25`, `from 47 % to 94 %`: what somebody wrote or ran stands somewhere. What a call was given, what it
printed, and what the files hold are looked through, without case and signs; what the person asked for is no evidence that it was done. How code behaves now is
another matter: a library brings headers, columns and names of its own, so `on golang:1.22` is untrue only where something else stands in its place, as golang:1.20.
Says nothing where a part of the session cannot be seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from witnessmark.actions.claims.claim import ActionClaim, unread
from witnessmark.actions.claims.observations.report_sentences import letters, sentences_of
from witnessmark.actions.claims.ruling import Ruling, contradicted, supported, unverifiable
from witnessmark.actions.content.evidence import TextEvidence, evidence_of
from witnessmark.actions.content.passages import CODE, ReportPassage, names_in, paths_in, without_code
from witnessmark.actions.content.regions import definitions, last_part
from witnessmark.actions.content.values import forms, reckoned
from witnessmark.actions.content.wording import clause_at, content_claim, is_barred, pattern
from witnessmark.actions.report.lexicon import table
from witnessmark.actions.report.names import path_kind
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.view import TreeView
from witnessmark.text.patterns import compiled
from witnessmark.text.units import units

ROLE = "unseen"
_MEASURE = compiled(r"(?<![\w.])(\d{1,12}(?:\.\d{1,9})?) ?([A-Za-z]{1,7})\b")
_BECAME = compiled(r"\)?\s*(?:→|->|=>|(?:to|with|by|for)\b)")
_FROM = compiled(
    r"\b(?:from|replaced|changed|switched|bumped|upgraded|downgraded|swapped|renamed|converted|migrated|moved)\b[^.;]{0,40}$"
)
"""Around the old side of a change: `bumped x to y`, `x → y`."""
_FOLDERS = compiled(r"(?<![\w.])/(?:[\w.@+-]{1,255}/)+")
BEHAVES = "behaves"
"""Of a claim that tells how something is now and not that it was written: what stands in its place must be known."""
LEAST = 4
"""A shorter literal may stand for anything."""
MAX_LOOKED = 500
MAX_MISSED = 20
"""So many literals of a report are looked for in the session, and so many that it has not in every file; what follows them is listed as not read."""
MAX_SESSION = 4_000_000
"""So many characters of a session are looked through; a longer one is not known to lack anything."""


def told_of_nothing(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each literal of which a report tells as done, and that no call of the session has."""
    if not trace.whole or not trace.ledger.active or ("`" not in report and not re.search(r"\d\d|\d[.%]", report)):
        return
    texts = trace.session_texts()
    if texts.size > MAX_SESSION or texts.cut:
        return
    session, printed = SearchedText("\n".join((*texts.shown, *texts.given))), SearchedText(texts.printed)
    looked: set[str] = set()
    missed = 0
    for passage, literal, before, way in _literals(report):
        if literal in looked or (before and not printed.has(before)):
            continue  # measured where nobody saw it
        if re.search(r"\s-", literal) and trace.has_word(literal.split()[0]):
            continue  # a command that was run: `command_options` looks at its options
        if len(looked) >= MAX_LOOKED or missed >= MAX_MISSED:
            yield unread(report, passage.sentence.start)
            return
        looked.add(literal)
        if not session.has(literal):
            missed += 1
            yield content_claim(passage, ROLE, value=literal, path=None, old=way, name=report[:4000] if way else None)


def rule(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Such a claim against the files: one that has the literal bears it out, and where all were looked at, none makes it untrue."""
    literal = claim.value or ""
    if scene is None or trace is None:
        return unverifiable("there is no tree to look at", there="not looked at")
    known = evidence_of(scene, trace)
    for path in scene.paths():
        text = known.now(path)
        if text is not None and (SearchedText(text).has(literal) or SearchedText(path).has(literal)):
            return supported("a file has it", path)
    old = "\n".join(text.old for text in known.changed.values())
    if not known.all_seen or not known.whole or SearchedText(old).has(literal):
        return unverifiable("not every text of the session is known", there="not known")
    if claim.old == BEHAVES and not stands_instead(literal, claim.name or "", claim.text, known):
        return unverifiable("nothing stands in its place, and what is called may bring it", there="nowhere")
    return contradicted("contradicted_claim", f"nothing that was written, run or printed has `{literal}`", "nowhere")


class SearchedText:
    """A text in which literals are looked for: code without case and signs, a figure as files and programs may write it."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def bare(self) -> str:
        """The text without case and signs."""
        return letters(self.text)

    @cached_property
    def lines(self) -> list[str]:
        """The lines without case and signs."""
        return [letters(line) for line in self.text.split("\n")]

    @cached_property
    def pathless(self) -> str:
        """The text without the folders of absolute paths: `/tmp/run-94/app.py` has no 94 to tell of."""
        return _FOLDERS.sub("/", self.text)

    @cached_property
    def fractions(self) -> list[float]:
        """The figures with a point."""
        return [float(number) for number in re.findall(r"(?<![\w.])\d+\.\d+", self.pathless)]

    @cached_property
    def reckoned(self) -> frozenset[str]:
        """What the sums and products of the text come to."""
        return reckoned(self.pathless)

    def has(self, literal: str) -> bool:
        """Whether the text has a literal."""
        if literal[0].isdigit() and re.fullmatch(r"[\d.,]+ ?(?:%|[a-z]{0,3})", literal):
            told = forms(literal)
            stands = any(map(self._has_figure, told)) or self._rounds_to(literal)
            return stands or self._measures(literal) or not self.reckoned.isdisjoint(told)
        if letters(literal) in self.bare:
            return True
        if re.fullmatch(r"[\w$]+(?:(?:\.|::|#|->)[\w$]+)+(?:\(\))?", literal):  # a name with what it hangs on
            return letters(re.findall(r"\w+", literal)[-1]) in self.bare
        parts = [part for each in re.split(r"\s+|(?<=\w)[=:.(/](?=\w)", literal) if (part := letters(each))]
        if len(parts) < 2 or not all(part in self.bare for part in parts):
            return False
        return any(all(part in line for part in parts) for line in self.lines)

    def _has_figure(self, form: str) -> bool:
        if form[0].isalpha():
            return form in self.text.lower()  # a status by its name: StatusBadRequest
        return form in self.text and re.search(rf"(?<![A-Za-z\d.]){re.escape(form)}(?!\d)", self.pathless) is not None

    @cached_property
    def measures(self) -> list[tuple[str, float]]:
        """The figures with a unit of time or size, each as its kind and its amount in the smallest unit."""
        found = ((m[1], units().get(m[2].lower())) for m in _MEASURE.finditer(self.text))
        return [(unit.dimension, float(number) * unit.factor) for number, unit in found if unit is not None]

    def _measures(self, literal: str) -> bool:
        """Whether the text has a measure in another unit that rounds, or is cut off, to this one: 612 msec for 0.61 s."""
        told = _MEASURE.fullmatch(literal)
        unit = units().get(told[2].lower()) if told else None
        if told is None or unit is None:
            return False
        step = 10.0 ** -len(told[1].partition(".")[2]) * unit.factor
        amount = float(told[1]) * unit.factor
        return any(kind == unit.dimension and abs(value - amount) < step for kind, value in self.measures)

    def _rounds_to(self, figure: str) -> bool:
        """Whether the text has a figure that rounds, or is cut off, to this one."""
        told = re.match(r"\d+(?:\.(\d+))?", figure.replace(",", ""))
        if told is None:
            return False
        step = 10.0 ** -len(told[1] or "")
        return any(abs(value - float(told[0])) < step for value in self.fractions)


def _literals(report: str) -> Iterator[tuple[ReportPassage, str, str, str]]:
    """The literals of a report that it tells of: a figure with the one that it is said to have been, and what only behaves so as `BEHAVES`."""
    for passage in sentences_of(report):
        low, text = passage.sentence.low, passage.sentence.text
        if passage.cells:
            continue
        for code in CODE.finditer(text):
            way = _told(passage, code.start(), code.end()) if _is_literal(code[1]) else None
            if way is not None:
                yield passage, code[1], "", way
        for number in pattern("unseen", "figure").finditer(low):
            clause = clause_at(low, number.start(), number.end())
            if not is_barred(clause) and not pattern("unseen", "worked_out").search(clause):
                told, old = number["set"] or number["new"] or number["new2"], number["old"] or number["old2"] or ""
                yield passage, told, old, BEHAVES if number["set"] else ""


def _told(passage: ReportPassage, start: int, end: int) -> str | None:
    """Whether a literal is told of as written or run (empty), or as how something is now (`BEHAVES`); None where it is only mentioned."""
    low = passage.sentence.low
    clause = clause_at(low, start, end)
    plain = without_code(clause)
    if is_barred(clause) or pattern("unseen", "mentioned").search(plain):
        return None
    before = without_code(low[:start])
    after = without_code(low[end:])
    if _BECAME.match(after) and (_FROM.search(before) or "→" in after[:3] or ">" in after[:4]):
        return None  # what was there before: the text that had it may be gone
    head = not re.search(r"\w", before)
    if pattern("unseen", "ran").search(before) or (head and passage.ticked):
        return ""
    by = pattern("unseen", "by_means").search(after) is not None
    if not by and (pattern("unseen", "written").search(before) or pattern("unseen", "was_written").match(after)):
        return ""
    over = without_code(passage.over) if passage.item else ""
    if head and pattern("unseen", "written").search(over.rstrip(" :*")):
        return ""
    return BEHAVES if passage.ticked or pattern("unseen", "cue").search(f"{plain} {over}") else None


def _is_literal(code: str) -> bool:
    """Whether a span in code must be written somewhere as it is: no file, no branch, no pattern, no error that a language raises by itself."""
    if (
        path_kind(code, in_code=True) == "path"
        or re.fullmatch(r"\S*/\S*|\w*(?:Error|Exception)", code)
        or re.search(r"[*<>…{]|\(.*\.\.\.|\bfoo\b|\bexample\b(?!\.)|\.\w+:\d", code)
    ):
        return False
    return len(letters(code)) >= LEAST


# --- what stands in the place of a literal ----------------------------------------------------------------------------


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


_WAYS = (_other_figures, _no_such_part, _not_in_file, _no_log, _other_default, _other_type)  # fmt: skip
