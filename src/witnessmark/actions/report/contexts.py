"""What a heading or lead-in says about what stands under it: done (and which action), not done, only found, or about tests."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from witnessmark.actions.claims.claim import ActionKind

Mode = Literal["open", "done", "tests", "not", "found"]


@dataclass(frozen=True, slots=True)
class Context:
    """How a line is to be read: `open` says nothing, `not` and `found` hold no claims."""

    mode: Mode = "open"
    kind: ActionKind | None = None

    @property
    def silent(self) -> bool:
        """Whether what stands here is not a claim."""
        return self.mode in ("not", "found")


OPEN = Context()
_NOT = re.compile(
    r"\bnext\b|\bto-?dos?\b|\bto do\b|follow[- ]?ups?|suggest|recommend|\bplan(?:ned)?\b|\bpropos|\bnot\b|n't\b|\bdoesnt\b|\bdidnt\b|"
    r"unchanged|untouched|\btried\b|attempted|question|how to|\busage\b|\btry it\b|alternativ|\bconsider|examined|pending|remaining|"
    r"\bleft\b|outstanding|\bfuture\b|\bwould\b|\bcould\b|\bshould\b|\bif you\b|you can\b|you may|you might|you'll|you need|yourself|"
    r"\bblocked\b|\bbefore\b.{0,30}\bi\b|behaviou?r before|reviewer|review checklist|deployment|optional|\bskipped\b|"
    r"what fails|\bfailing\b|\bstill\b|\bways to\b|\boptions?\b|please|out of scope|\bideas?\b|"
    r"\bwill\b|i'll|\bcan also\b|blockers?|unresolved|deferred|later|"
    r"no changes|manual steps|to finish|to run|to reproduce|to verify|to test|getting started|quick ?start|instructions|"
    r"needs? (?:your|a|an|to)\b|expected|rollback|example|sample|\bwaiting\b|in progress|help needed|\bask\b|rejected|reverted|"
    r"\bundone\b|backed out|rolled back|how .{0,30}works|\bkept\b|on purpose|deliberately|your side|your (?:end|part)",
)
_FOUND = re.compile(
    r"\bnotes?\b.{0,4}$|^\W*how\b|^\W*where\b|\breview of\b|code review|\baudit\b|known issue|limitation|caveat|things to know|good to know|heads[- ]up|decisions?\b|risks?\b|concerns?|\bwarning|side effects|for your information|"
    r"\bfound\b|findings?|analysis|analy[sz]ed|root cause|\bcause\b|evidence|overview of|main points|\bobservations?|background|context|"
    r"hangs together|architecture|\bread\b|reviewed|looked|inspected|investigat|relevant|involved|related|\bsee\b|symptom|diagnosis|"
    r"motivation|\bproblem\b|\bissue\b|\b(?:organi[sz]ed|structured|laid out) (?:as|like)\b|\bconsists? of\b|(?:following|directory|repo|repository|folder) structure|layout of|explor|understand|existing|flow\b|here's how|\bwhy\b|error|traceback|said|asked|"
    r"api\b|endpoints?|behaviou?r|differences|screenshots?|environment|configuration|review comments|key concepts|answers?\b",
)
_TESTS = re.compile(
    r"\btest(?:s|ing|ed)?\b|verif|validat|\bchecks?\b|\bqa\b|quality|commands? (?:run|executed)|\bran\b|\bexecuted\b|results?\b|\bci\b|proof"
)
_KINDS: tuple[tuple[re.Pattern[str], ActionKind], ...] = (
    (re.compile(r"\b(?:renamed?|moved?|renames|moves|relocated)\b"), "file_rename"),
    (re.compile(r"\b(?:deleted?|removed?|deletions?|removals?)\b(?! from)"), "file_delete"),
    (
        re.compile(
            r"\b(?:created?|new files?|added files?|files? (?:was |were |has been |have been |i )?(?:added|created)|new (?:modules?|tests?|components?|scripts?|classes))\b|^\W*(?:new|additions)\W*$"
        ),
        "file_create",
    ),
    (re.compile(r"\b(?:wrote|written|generated|saved|outputs?|produced)\b"), "file_write"),
    (re.compile(r"^\W*(?:(?:i|i've|we|also|files?|newly|just|have)\s+){0,3}added\W*$"), "file_create"),
    (
        re.compile(
            r"\b(?:updated?|modified|changed|changes|edit(?:ed|s)?|fix(?:ed|es)?|replaced|refactored|touched|adjusted|migrated|converted|rewrote|improved|"
            r"bumped|switched|patched|corrected|adapted|extended|wired|swapped|reworked|applied)\b"
        ),
        "file_edit",
    ),
)
_DONE = re.compile(
    r"\bsummary\b|what i did|i did\b|did the following|what this pr does|what's new|what works|\bdone\b|completed|implement|work so far|accomplish|\bstuff i\b|"
    r"highlights|deliver|clean-?up|refactor|here's what|i can report|what was done|steps taken|actions|"
    r"dependenc|imports|infra|docs|documentation|migration|added|i've|i have",
)
_FIRST_PERSON = re.compile(r"\b(?:i|we)(?:'ve| have)?\s+(?:also |now |then |just |only |have )?(?:made|did|changed|replaced|fixed|added|updated|created|edited|"
                           r"moved|renamed|removed|deleted|wrote|refactored|rewrote|touched|modified|converted|migrated|applied|implemented|tested|ran|"
                           r"verified|checked|executed|saved|generated|wired|adjusted|swapped|bumped|switched|patched|introduced|pushed|committed|"
                           r"addressed|resolved|reorgani[sz]ed|extended|split|used the (?:following )?commands?|covered|landed|extracted|rewired|finished|completed)\b")  # fmt: skip
_ADDED_HERE = re.compile(r"^(?:\W*)(?:added|new)\b")


_AS_ASKED = re.compile(
    r",?\s*\b(?:(?:as|like|per) (?:you |we |was |i )?(?:asked|requested|described|discussed|suggested|agreed|planned|proposed|outlined|instructed|specified)(?: (?:for|in|by) (?:the |your )?[\w#-]+)?"
    r"|(?:that |which )?you (?:asked for|requested|wanted)|(?:from|per|in|by|to) (?:the |your )(?:issue|ticket|review|request|task|plan|spec|rfc)(?: comments?)?|follow-?up (?=commit|pr\b|change|patch))\b"
)
"""Why something was done says nothing about whether it was."""
_PERFECT = re.compile(
    r"\b(?:has|have) (?:all |both |now |also |just )?been \w+|\b(?:are|is) (?:all |both |now )*(?:addressed|fixed|done|in place|finished|complete|implemented|migrated|updated)\b"
)
_APPLIED = re.compile(
    r"\b(?:were|was|are|is|have been|has been) (?:now |all |both )*(?:applied|addressed|incorporated|resolved|implemented)\b"
)
_DOUBTED = re.compile(
    r"\bnot\b|n't\b|\bwould\b|\bcould\b|\bshould\b|\bwill\b|\bif\b|\bonce\b|\bstill\b|\byet\b|\bhow\b|\bwhere\b|\bpartially\b"
)
_CODE = re.compile(r"`[^`\n]{1,400}`|\S+/\S+")


def context_of(words: str) -> Context:
    """What these words, a heading or a line that ends with a colon, say about the lines under them."""
    said = " ".join(_CODE.sub(" x ", words.lower().replace("’", "'").replace("*", "").replace("#", "")).split())
    said = _AS_ASKED.sub("", said)
    if _FIRST_PERSON.search(said) and not re.search(
        r"\bnot\b|n't\b|\btried\b|\bwould\b|\bcould\b|\bbefore\b|\bwill\b", said
    ):
        return Context(
            "tests"
            if re.search(r"\b(?:tested|verified|ran|checked|executed|used the (?:following )?commands?)\b", said)
            else "done",
            kind_of(said),
        )
    if _APPLIED.search(said) and not _DOUBTED.search(said):
        return Context("done", "file_edit")
    if _NOT.search(said):
        return Context("not")
    if _PERFECT.search(said) and not re.search(r"\b(?:found|identified|seen|reported|asked|discovered)\b", said):
        return Context("done", kind_of(said))
    kind = kind_of(said)
    if _FOUND.search(said) and not _changes(said):
        return Context("found")
    if _TESTS.search(said) and kind is None:
        return Context("tests")
    if _TESTS.search(said) and re.match(r"\W*(?:tests?|testing|verification)\b", said):
        return Context("tests")
    if kind is not None:
        return Context("done", kind)
    return Context("done") if _DONE.search(said) else OPEN


def _changes(said: str) -> bool:
    return (
        re.search(
            r"\b(?:fixed|changed|changes|updated|implemented|refactored|created|added|removed|modified|edits|new files)\b",
            said,
        )
        is not None
    )


def kind_of(said: str) -> ActionKind | None:
    """The action that words name, if any; `added X to` files is an edit, `new files` a creation."""
    first: tuple[int, ActionKind] | None = None
    for pattern, kind in _KINDS:
        match = pattern.search(said)
        if match and (first is None or match.start() < first[0]):
            first = (match.start(), kind)
    if first is None:
        return "file_create" if _ADDED_HERE.match(said) and len(said.split()) <= 4 else None
    if first[1] == "file_create" and re.search(
        r"\bchanges|\bwhat changed|\bnew (?:feature|behaviou?r|name|api|version|location|format)", said
    ):
        return None
    return first[1]


NO_EDITS = re.compile(
    r"\bno (?:code |source )?(?:files?|changes?|edits?)\b (?:have been|has been|were|was) (?:made|changed|modified|edited|applied|written)(?! (?:in|to|for)\b)|"
    r"(?:haven't|have not|havent|did not|didn't|didnt) (?:yet )?(?:made any|make any|changed? anything|modif\w+ anything|touch\w* anything|edited anything|(?:changed?|modif\w+|touch\w*|edit\w*|writ\w+) any (?:code|files?|source))|"
    r"nothing (?:has been|was|is) (?:written|changed|modified)|made no (?:code )?changes|no changes? (?:yet|so far)|without (?:making|changing) any|"
    r"before i (?:touch|change|create|edit)"
)
"""The report says that nothing was changed: then only an explicit verb of ours is a claim."""
