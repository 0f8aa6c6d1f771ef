"""Content claims against the changes: a name added, a value changed, tests added.

Held against what the calls wrote and what the files hold, not against "the file changed". Where a change may have been made out
of sight, what is missing is not untrue.
"""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Sequence

from witnessmark.actions.claim import ActionClaim, Ruling, contradicted, supported, unsupported, unverifiable
from witnessmark.actions.claims import observations
from witnessmark.actions.content import named_code, rulings
from witnessmark.actions.content.evidence import evidence_of
from witnessmark.actions.content.imports import IMPORT
from witnessmark.actions.content.values import times
from witnessmark.actions.report.report import Report
from witnessmark.actions.session_claims import finders, roles
from witnessmark.actions.trace.calls import output_of
from witnessmark.actions.trace.changes import MANY_CASES, TEST_STARTS, FileChange, change_names, is_test, tests_in
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.snapshot import unquoted
from witnessmark.actions.tree.texts import TextChange
from witnessmark.actions.tree.view import TreeView
from witnessmark.text.patterns import compiled

MAX_FILES = 60
MAX_INPUT = 20_000
_COUNTED = ("tests", "document")
_BY_CALLS = ("add", "rename", "change", "remove", "tests", "document")
"""Of the roles that the texts settle, those of which calls may tell where the texts leave them open: somebody is said to have done it."""
_TESTISH = compiled(r"test|spec", re.IGNORECASE)


def rule(claim: ActionClaim, view: TreeView | None, trace: TraceIndex | None, report: Report) -> Ruling:
    """One claim about what was changed in files; `report` is the text that it was read from."""
    role = claim.role or ""
    if role == observations.TOLD_COMMAND:
        return observations.rule_options(claim, view, trace)
    if role in observations.SETTLED:  # held against the session when it was read
        return observations.untrue(claim)
    if role in roles.ROLES:
        return finders.rule(claim, view, trace)
    changes = trace.ledger.changes if trace is not None else []
    if role == named_code.ROLE:
        return _names(claim, view, trace)
    if role in rulings.RULES and role not in _BY_CALLS:
        return rulings.rule(claim, view, trace, report)
    settled = rulings.rule_imported(claim, view, trace) if claim.name == IMPORT else None
    if settled is None and role not in _COUNTED:
        settled = _shown(claim, changes)
    if settled is None and role in rulings.RULES:
        ruled = rulings.rule(claim, view, trace, report)
        settled = ruled if ruled.status != "unverifiable" else None
    if settled is None and role not in _COUNTED:
        settled = _by_texts(claim, view, trace)
    if settled is not None:
        return settled
    if trace is None:
        return _in_tree(claim, view) or unverifiable("no trace shows what was changed", "trace_unresolved", "no trace")
    if role in _COUNTED:
        return _tests(claim, trace, changes) if role == "tests" else _by_files(claim, trace, changes)
    return _in_tree(claim, view, changes) or _missing(claim, trace)


def _names(claim: ActionClaim, view: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Names that were worked on: borne out where the calls or the changed files have each of them, and open where they do not."""
    texts = [
        text for change in (trace.ledger.changes if trace is not None else ()) for text in (change.old, change.new)
    ]
    left = _not_in(claim.names, texts)
    if left and view is not None:
        changed = evidence_of(view, trace).changed.values()
        left = _not_in(left, [text for one in changed for text in (one.old, one.new)])
        files = {unquoted(change.path) for change in view.changes}
        left = [name for name in left if name not in files]  # a name with a space is read as no path
    if left:
        return unverifiable(f"no change that is known has `{left[0]}`", there="not seen")
    return supported("the changes have what is named", "in the changes")


def _not_in(names: Sequence[str], texts: Sequence[str | None]) -> list[str]:
    return [
        name for name in names if not any(text and rulings.last_part(name.partition("(")[0]) in text for text in texts)
    ]


def _times(text: str, wanted: str) -> int:
    """How often a text has a number in any form, or a name as it may stand in code: with and without what it hangs on, in other letters as a whole word."""
    bare = wanted.strip("`\"'").removesuffix("()")
    if re.match(r"v?\d", bare):
        return times(bare, text)
    low = text.lower()
    return max(len(pattern.findall(text)) if word in low else 0 for word, pattern in _spellings(bare))


@functools.lru_cache(maxsize=256)
def _spellings(name: str) -> list[tuple[str, re.Pattern[str]]]:
    """The ways to write a name, each with what a text in small letters has wherever it stands."""
    ways = dict.fromkeys((name, re.split(r"[.:]+", name)[-1].lstrip("-@#") or name))
    return [(way.lower(), re.compile(rf"{part}|(?i:(?<!\w){part}(?!\w))")) for way in ways for part in [re.escape(way)]]


def _shown(claim: ActionClaim, changes: Sequence[FileChange]) -> Ruling | None:
    """The change that bears the claim out, where a call has it."""
    named = [change for change in changes if claim.path is None or change_names(change, claim.path)]
    made = next((change for change in reversed(named) if _makes(claim, change)), None)
    return supported("a call made this change", posixpath.basename(made.place), made.call) if made is not None else None


def _makes(claim: ActionClaim, change: FileChange) -> bool:
    """Whether a change brings what is new and has what is old."""
    before, after = change.old or "", change.new or ""
    if change.new is None and change.old is None:
        return False
    brought = _times(after, claim.value) if claim.value is not None else None
    if brought is not None and (not brought or brought <= _times(before, claim.value or "")):
        return False
    if claim.old is not None and change.old is not None and not _times(before, claim.old):
        return False
    return claim.role != "remove" or bool(_times(before, claim.old or "") and not _times(after, claim.old or ""))


def _by_texts(claim: ActionClaim, view: TreeView | None, trace: TraceIndex | None) -> Ruling | None:
    """What files held before and hold now, where the snapshot or git has it: who changed them does not matter then.

    Untrue only where the file that is named was left as it was and no other file brought the change either.
    """
    if view is None or not view.knows_before:
        return None
    known = evidence_of(view, trace)
    made = next((text for text in known.changed.values() if _brings(claim, text)), None)
    if made is not None:
        return supported("the file was changed so since the snapshot", posixpath.basename(made.path))
    named = known.at(claim.path) if claim.path and known.whole else None
    if named is None or named.old != named.new or not named.new:
        return None
    return contradicted("contradicted_claim", f"{named.path} is as it was before the session", "unchanged")


def _brings(claim: ActionClaim, text: TextChange) -> bool:
    """Whether a file has more of what is new and less of what is old than before."""

    def more(wanted: str | None, one: str, other: str) -> bool:
        return wanted is None or _times(one, wanted) > _times(other, wanted)

    gone = claim.old if claim.role in ("remove", "rename", "change") else None
    return more(claim.value, text.new, text.old) and more(gone, text.old, text.new)


def _in_tree(claim: ActionClaim, view: TreeView | None, changes: Sequence[FileChange] = ()) -> Ruling | None:
    """What the files themselves say, those that are named or changed."""
    if view is None:
        return None
    named = [claim.path] if claim.path else []
    paths = dict.fromkeys([*named, *(change.place for change in changes)])
    for path in list(paths)[:MAX_FILES]:
        seen = view.content(path)
        if seen.state != "file":
            continue
        text = seen.content.decode("utf-8", "replace")
        if claim.value is not None and _times(text, claim.value):
            return unverifiable("the text is in the file, and nothing shows that it was not before", there="there")
        if claim.role == "remove" and claim.path == path and _times(text, claim.old or ""):
            return unverifiable(
                "the name is still in the file, and another use of it may be meant", there="still there"
            )
    return None


def _missing(claim: ActionClaim, trace: TraceIndex) -> Ruling:
    wanted = claim.value or claim.old or ""
    if not trace.shows_changes or not trace.ledger.active or claim.role == "remove":
        return unverifiable(
            "no call in the trace shows this change, and something else may have made it", there="not in the trace"
        )
    if any(
        _times(output_of(call), wanted) or _times(str(call.input)[:MAX_INPUT], wanted) for call in trace.ledger.calls
    ):
        return unverifiable("no change has this name, and the trace shows it elsewhere", there="not in the changes")
    if trace.session_texts().cut:
        return unverifiable("no change has this name, and outputs of the trace were cut", there="not in the changes")
    if rulings.by_means(claim, [change.new or "" for change in trace.ledger.changes]):
        return unverifiable("what a change names may bring it", there="not in the changes")
    if not trace.ledger.changes:
        return unverifiable(
            "the trace changed nothing, and the words may describe what is there", there="not in the trace"
        )
    return unsupported(
        "contradicted_claim", f"no change has {wanted!r}, and no file that was changed holds it", "not in the changes"
    )


def _by_files(claim: ActionClaim, trace: TraceIndex, changes: Sequence[FileChange]) -> Ruling:
    """Whether the README, the changelog or another document was among the files that were changed."""
    paths = {change.place for change in changes}
    named = claim.value or ""
    spelled = re.search(re.escape(named), claim.text, re.IGNORECASE)  # it was read in small letters
    asked = spelled.group() if spelled and "." in named else f"the {named.upper() if named == 'readme' else named}"
    if any(map(rulings.documents_called(named).search, paths)):
        return supported("the calls changed it", f"{len(paths)} files changed")
    if not trace.shows_changes or not trace.ledger.changed:
        return unverifiable("something else may have changed it", there=f"{len(paths)} files changed")
    return unsupported("contradicted_claim", f"the calls did not change {asked}", f"{len(paths)} files changed")


def _tests(claim: ActionClaim, trace: TraceIndex, changes: Sequence[FileChange]) -> Ruling:
    """How many tests the changes added, by their first lines."""
    wanted = int(claim.value or 0)
    added = [
        change
        for change in changes
        if change.new is not None and (is_test(change.path) or TEST_STARTS.search(change.new))
    ]
    count = sum(tests_in(change.new or "") - tests_in(change.old or "") for change in added)
    if count >= wanted:
        return supported("the changes contain that many new tests", f"{count} new tests")
    if (
        not trace.shows_changes
        or "*" in (claim.path or "")  # a pattern may stand for files that no call names
        or any(MANY_CASES.search(change.new or "") or not change.is_code for change in added)  # cases may stand in data
        or not trace.ledger.changes
        or any(_TESTISH.search(change.place) for change in changes if change not in added)
    ):
        return unverifiable("the new tests cannot be counted for sure", there=f"{count} new tests")
    if (count <= 0 and not added) or (wanted >= 4 and count * 2 <= wanted):
        return contradicted("wrong_counts", "the changes contain fewer new tests", f"{max(count, 0)} new tests")
    return unverifiable("the changes contain about that many new tests", there=f"{count} new tests")
