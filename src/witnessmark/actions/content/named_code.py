"""Names in code that a report says were added, changed or removed, wherever it says so: in a sentence, an item, a title or a cell.

A small grammar reads what the narrower rules leave: a verb of work and its objects, names that head an item under words of change,
names that are said to do something now. What it reads is borne out by the changes or stays open; it is never held untrue.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from witnessmark.actions.claim import FILE_KINDS, ActionClaim, is_unread
from witnessmark.actions.content.patterns import pattern
from witnessmark.actions.report.layout import MAX_LEAD, context_of
from witnessmark.actions.report.lexicon import VERBS, WORDS, table
from witnessmark.actions.report.names import ReportToken, tokens
from witnessmark.actions.report.passages import ReportPassage
from witnessmark.actions.report.report import Report
from witnessmark.core.values import Span
from witnessmark.text.markdown import cell_spans
from witnessmark.text.patterns import compiled

ROLE = "names"
MAX_CLAIMS = 300
"""So many claims of this kind are taken from one report."""
LONGEST_NAME = 120
LONGEST_HEAD = 300
LONGEST_NOUN = 5
"""So many words may stand before a name and say what it is."""
_WORK = frozenset({"create", "write", "add", "edit", "delete", "move"})
_SEPARATORS = frozenset({"—", "–", ":"})
_ENDS = _SEPARATORS | {".", ";", "!", "(", ")", "|", "…", "?"}
_AFTER_FILE = _SEPARATORS | {"("}
_CODE_FIRST = compiled(r"\A[\W\d]*`[^`]*`")
_BEFORE = _SEPARATORS | {".", ")", "→"}
_NO_NAME = compiled(r"[0-9a-f]{7,40}|https?://.*|<.*>")
_SHORT = compiled(r"[\w.$@*&-][^\s:]*(?: \S+)?")
"""One word, or a word and its type: what may head an item by itself."""


@functools.cache
def _words(key: str) -> frozenset[str]:
    """A set of words of the data."""
    return frozenset(table("content")["named"][key].split())


def names_in_work(report: Report, known: Sequence[ActionClaim]) -> list[ActionClaim]:
    """The claims about names that no other claim on the same words has, in the order of their words."""
    found: list[ActionClaim] = []
    held = _held(known)
    changed = frozenset(_base(path) for claim in known if claim.kind in FILE_KINDS for path in claim.paths)
    until = min(
        (span[0] for span in (one.span for one in known if is_unread(one, report.text)) if span),
        default=len(report.text),
    )
    headed, file = 0, ""
    for passage in report.passages:
        if passage.sentence.start >= until or len(found) >= MAX_CLAIMS:
            break
        own = _file_at_head(passage)
        if own or "\n" in report.text[headed : passage.sentence.start]:
            headed, file = passage.sentence.start, own
        over = passage.paths if passage.item else ()
        titled = any(_base(path) in changed for path in (*over, file))
        for group in _groups(passage, titled=titled):
            start, end = (passage.sentence.start + at for at in group.span)
            others = (name for name in group.names if not any(at < end and start < to for at, to in held[_plain(name)]))
            name, text = "\n".join(others), report.text[start:end]
            if name:
                found.append(ActionClaim("content", role=ROLE, name=name, by="report", text=text, span=(start, end)))
    return found


def _held(claims: Sequence[ActionClaim]) -> Mapping[str, list[Span]]:
    """Where each name stands in claims already."""
    found: dict[str, list[Span]] = defaultdict(list)
    for claim in claims:
        for name in (*claim.names, *claim.paths, claim.value, claim.old, claim.command):
            if name and claim.span is not None:
                found[_plain(name)].append(claim.span)
    return found


def _plain(name: str) -> str:
    return name.strip("`\"' ").partition("(")[0].lower()


@dataclass(slots=True)
class NameGroup:
    """Names of which one verb or title tells, and where its words begin in the sentence."""

    start: int
    tokens: list[ReportToken] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """The names as they are written, each once."""
        return list(dict.fromkeys(token.text.strip("\"“”' ") for token in self.tokens))

    @property
    def span(self) -> tuple[int, int]:
        """From the verb, or the first name, to the last name."""
        return min(self.start, self.tokens[0].start), self.tokens[-1].end


def _file_at_head(passage: ReportPassage) -> str:
    """The file that a line begins with before a sign or a name in it, `x.go — …`, so that what follows is of that file; else nothing."""
    raw = passage.sentence.raw
    said = [token for token in tokens(raw, 0, min(len(raw), LONGEST_HEAD)) if token.text != "*"]
    headed = len(said) > 1 and said[0].kind == "path" and (said[1].text in _AFTER_FILE or said[1].quoted)
    return said[0].text if headed else ""


def _base(path: str) -> str:
    return path.rpartition("/")[2]


def _groups(passage: ReportPassage, *, titled: bool) -> Iterator[NameGroup]:
    """The names that a passage tells work of; `titled`: it stands under a file that was changed, or behind it."""
    raw = passage.sentence.raw
    listed = passage.item and not passage.names and any(map(_tells_of_work, passage.over.split("\n")))
    over = listed or pattern("named", "head").search(" ".join(passage.head)) is not None
    for cell in cell_spans(raw) if passage.cells else [(0, len(raw))]:
        said = [token for token in tokens(raw, *cell) if token.text != "*"]
        head, at = _head(said, over=over, titled=titled)
        yield from (group for group in (head, *_done_to(said, at, over=over, titled=titled)) if group.tokens)


def _tells_of_work(line: str) -> bool:
    """Whether a line over a list says that what is in it was worked on: a short one has a word of work, a longer one begins with it."""
    if context_of(line).silent:
        return False
    line = _CODE_FIRST.sub("", line)
    word = pattern("named", "over").search(line)
    return word is not None and (len(line.split()) <= MAX_LEAD or re.search(r"[a-z]", line[: word.start()]) is None)


def _is_name(token: ReportToken) -> bool:
    plain = token.kind == "code" or (token.kind == "weak" and "/" not in token.text)
    return plain and token.quoted and len(token.text) <= LONGEST_NAME and not _NO_NAME.fullmatch(token.text)


def _is_told(token: ReportToken) -> bool:
    """Whether something is set off as a name of which something may be told: in code, or in quotes."""
    return _is_name(token) or (token.kind == "quoted" and len(token.text) <= LONGEST_NAME // 2)


def _is_object(token: ReportToken) -> bool:
    """Whether something is a name where a verb of work is done to it: a folder and a command too."""
    return _is_told(token) or (token.quoted and token.kind in ("command", "weak"))


def _form(token: ReportToken) -> str:
    """The form of a verb of work; nothing for any other word."""
    cls, form = VERBS.get(token.text, ("run", "")) if token.kind == "word" else ("run", "")
    return form if cls in _WORK else ""


# --- names that head an item -----------------------------------------------------------------------------------------


def _head(said: list[ReportToken], *, over: bool, titled: bool) -> tuple[NameGroup, int]:
    """The names that an item, cell or sentence begins with, where they are told of; and where its verbs are to be looked for."""
    label = _label(said)
    begin = at = _begin(said, label)
    over = over or _tells_of_work(" ".join(token.text for token in said[:label]))
    if over:
        at = _after_noun(said, at)
    group = NameGroup(said[at].start if at < len(said) else 0)
    while at < len(said) and (_is_object(said[at]) or (group.tokens and _joined(said, at))):
        group.tokens += [said[at]] if _is_object(said[at]) else []
        at += 1
    rest = said[at:]
    arrow = next((n for n, token in enumerate(rest[:3]) if token.text == "→"), len(rest))
    new = rest[arrow + 1 : arrow + 2]
    if group.tokens and (over or titled) and new and (new[0].quoted or new[0].kind == "quoted"):
        group.tokens += new
        return group, at
    colon = next((n for n, token in enumerate(rest[:3]) if token.text in _SEPARATORS), -1)
    first = rest[colon + 1] if colon + 1 < len(rest) else None
    told = (
        first is not None
        and (first.text in _words("now") or _form(first) == "past")
        and all(map(_is_told, group.tokens))
    )
    alone = (over or titled) and (first is None or first.text not in WORDS.be)
    if told or (alone and all(_is_name(token) and _SHORT.fullmatch(token.text) for token in group.tokens)):
        return group, at
    return NameGroup(0), begin


def _label(said: list[ReportToken]) -> int:
    """How many tokens the label at the head of a line has: `Line 7:`, `New tests:`."""
    colon = next((n for n, token in enumerate(said[:7]) if token.text == ":"), 0)
    return colon if all(token.kind in ("word", "number") for token in said[:colon]) else 0


def _joined(said: list[ReportToken], at: int) -> bool:
    """Whether another name follows with no more between than a comma or `and`, and one word before it: `x struct + y`."""
    words = said[at : at + 3]
    if words[0].kind == "word" and words[0].text not in _words("joins") and words[0].text not in VERBS:
        return len(words) > 2 and words[1].text in _words("joins") and _is_object(words[2])
    return words[0].text in _words("joins")


def _after_noun(said: list[ReportToken], at: int) -> int:
    """Where the name stands after the words that say what it is: `Types (x, y)`, `Override in x`."""
    end = at
    while end < len(said) and end - at < LONGEST_NOUN and said[end].kind == "word":
        if said[end].text in WORDS.no_note | WORDS.subjects | WORDS.never or _form(said[end]) == "past":
            return at
        end += 1
    if end < len(said) and said[end].text == "(":
        return end + 1
    return end if end > at + 1 and not _tells(said[at]) else at


def _tells(first: ReportToken) -> bool:
    """Whether a word at the head of an item may be a verb: `Marks the x`, `Show the x`."""
    return first.text in VERBS or (first.text.endswith("s") and not first.text.endswith("ss"))


def _begin(said: list[ReportToken], label: int) -> int:
    """Where it begins after its label or number and the files at its head."""
    at = label + 1 if label else 0
    while at < len(said) and (said[at].kind in ("number", "path") or said[at].text in _BEFORE | _words("new")):
        at += 1
    return at


# --- names that a verb is done to -------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Clause:
    """What is known of the clause that is being read: its verb, what the verb is done to, and what stood before the verb."""

    group: NameGroup = field(default_factory=lambda: NameGroup(0))
    subject: NameGroup = field(default_factory=lambda: NameGroup(0))
    verb: str = ""
    """The verb of work whose objects are being read."""
    barred: bool = False

    def take_word(self, said: list[ReportToken], n: int) -> None:
        """What a word that is no verb does to the verb in force: it may end its objects."""
        word = said[n].text
        if word in _words("elsewhere"):
            self.verb = ""
        elif word in WORDS.stoppers | WORDS.into:
            swaps = self.verb in WORDS.swaps and word in _words("swapped")
            if not swaps and (self.group.tokens or not _place(said, n)):
                self.verb = ""


def _done_to(said: list[ReportToken], begin: int, *, over: bool, titled: bool) -> Iterator[NameGroup]:
    """The objects of each verb of work, and the subjects of those in the passive and of `now`, from left to right."""
    clause, outside = _Clause(), list[_Clause]()
    for n in range(begin, len(said)):
        token = said[n]
        if token.text == "(":
            outside.append(clause)
            named = n + 1 < len(said) and _is_name(said[n + 1])  # `types (x, y)`
            clause = _Clause(NameGroup(token.end), verb=clause.verb, barred=clause.barred) if named else _Clause()
        elif (token.kind == "sign" and token.text in _ENDS) or token.text in _words("ends"):
            yield clause.group
            clause = outside.pop() if token.text == ")" and outside else _Clause()
        elif token.kind == "word" and (token.text in WORDS.never or token.text.endswith("n't")):
            clause.barred = True
        elif (leads := _leads(said, n, begins=over and n == begin, titled=titled)) or _passive(said, n, clause.subject):
            yield clause.group
            if not leads and not clause.barred:
                yield clause.subject
            barred = clause.barred or any(before.text in WORDS.others for before in said[max(0, n - 3) : n])
            clause = _Clause(NameGroup(token.start), verb="" if barred else token.text, barred=barred)
        elif _is_object(token) if clause.verb else _is_told(token):
            (clause.group if clause.verb else clause.subject).tokens.append(token)
        elif clause.verb:
            clause.take_word(said, n)
        elif token.text in _words("now") and clause.subject.tokens and not clause.barred:
            clause.subject.start = clause.subject.tokens[0].start
            yield clause.subject
            clause.subject = NameGroup(0)
    for open_clause in (*outside, clause):
        yield open_clause.group


def _place(said: list[ReportToken], n: int) -> bool:
    """Whether a preposition leads to where the work was done: `in x`, `to the x`, and not `to use x`."""
    following = said[n + 1] if n + 1 < len(said) else None
    named = following is not None and (_is_name(following) or following.text in WORDS.adjectival)
    return said[n].text in _words("places") and (named or said[n].text != "to")


def _leads(said: list[ReportToken], n: int, *, begins: bool, titled: bool) -> bool:
    """Whether a verb of work begins its clause: in the past, perhaps with its subject; in the present after `the fix` or a changed file, or where it begins an item under words of change."""
    form, before = _form(said[n]), said[n - 1] if n else None
    if form == "past":
        while n and said[n - 1].text in WORDS.subjects - _words("joins"):
            n -= 1
        return n == 0 or said[n - 1].kind in ("sign", "number", "path") or said[n - 1].text in _words("joins")
    if begins and form in ("base", "third"):
        return True
    if before is None or said[n].kind != "word" or not said[n].text.endswith("s"):
        return False
    of_file = titled and n > 1 and before.text in _SEPARATORS and said[n - 2].kind == "path"
    return (of_file and said[n].text not in WORDS.finite) or (form == "third" and before.text in _words("change"))


def _passive(said: list[ReportToken], n: int, subject: NameGroup) -> bool:
    """`x was removed`, `x now removed`, `x removed`."""
    if _form(said[n]) != "past" or not subject.tokens:
        return False
    return said[n - 1] is subject.tokens[-1] or said[n - 1].text in WORDS.be | _words("now")
