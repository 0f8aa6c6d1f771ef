"""Content claims against the changes: a name added, a value changed, tests added.

Held against what the calls wrote and what the files hold, not against "the file changed". Where a change may have been made out
of sight, what is missing is not untrue.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.denials import files_called
from witnessmark.actions.claims.ruling import Ruling, contradicted, supported, unsupported, unverifiable
from witnessmark.actions.trace.calls import output_of
from witnessmark.actions.trace.changes import MANY_CASES, TEST_STARTS, FileChange, change_names, is_test
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.texts import TextChange
from witnessmark.actions.tree.view import TreeView

MAX_FILES = 60
MAX_INPUT = 20_000
LEAST_NAME = 3
"""A shorter name may stand anywhere, and says nothing about what was removed."""
_TESTISH = re.compile(r"test|spec", re.IGNORECASE)


def rule(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None, report: str = "") -> Ruling:
    """One claim about what was changed in files; `report` is the text that it was read from."""
    from witnessmark.actions.claims.observations.table import RULES
    from witnessmark.actions.content import rulings  # few reports state such things

    if claim.role is not None and claim.role in RULES:
        return RULES[claim.role](claim, scene, trace)
    if claim.role in rulings.ROLES:
        return rulings.rule(claim, scene, trace, report)
    changes = trace.ledger.changes if trace is not None else []
    named = claim.role not in ("tests", "files", "document")
    settled = (_shown(claim, changes) if named else None) or (
        _by_texts(claim, scene, changes) if claim.role not in ("files", "document") else None
    )
    if settled is not None:
        return settled
    if trace is None:
        return _in_tree(claim, scene) or unverifiable("no trace shows what was changed", "trace_unresolved", "no trace")
    if claim.role == "tests":
        return _fewer(claim, scene, trace) or _tests(claim, trace, changes)
    if claim.role in ("files", "document"):
        return _by_files(claim, trace, changes)
    return _all_left(claim, scene, trace) or _in_tree(claim, scene, changes) or _missing(claim, trace)


def _all_left(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex) -> Ruling | None:
    """A name that is said to be removed, and every line that had it is there as it was."""
    wanted = (claim.old or "").strip("`\"'").removesuffix("()")
    if scene is None or claim.role != "remove" or not scene.knows_before or len(wanted) < LEAST_NAME:
        return None
    from witnessmark.actions.content.evidence import evidence_of, lost_lines
    from witnessmark.actions.content.wording import pattern

    if pattern("names", "gone_elsewhere").search(claim.text.lower()):
        return None
    known = evidence_of(scene, trace)
    if not known.whole or not known.all_seen or not known.changed or not trace.ledger.active:
        return None
    if any(wanted in line for text in known.changed.values() for line in lost_lines(text)):
        return None
    held = next(
        (text for text in (known.called(claim.path) if claim.path else known.files()) if wanted in text.old), None
    )
    if held is None:
        return None
    return contradicted(
        "contradicted_claim", f"every line with `{wanted}` is as it was, so nothing was removed", held.path
    )


def _fewer(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex) -> Ruling | None:
    """Fewer tests than are told, by the texts of the files."""
    if scene is None:
        return None
    from witnessmark.actions.content.evidence import evidence_of
    from witnessmark.actions.content.test_bodies import rule_count

    return rule_count(claim, evidence_of(scene, trace))


def _pieces(text: str) -> list[str]:
    """A name as it may stand in code: with and without what it hangs on and its brackets."""
    bare = text.strip("`\"'").removesuffix("()")
    if re.match(r"-?\d", bare):
        return [bare, f"{bare}_000", f"{bare}000"] if bare.isdigit() else [bare]  # 90 seconds may stand as 90_000
    return list(dict.fromkeys((bare, re.split(r"[.:]+", bare)[-1].lstrip("-@#"))))


def _holds(text: str | None, wanted: str) -> bool:
    """Whether a text has a name as it is written, or as a whole word in other letters; a number also as what a sum in it comes to."""
    if text is None:
        return False
    pieces = _pieces(wanted)
    if pieces[0].isdigit() and _comes_to(text, pieces):
        return True
    return any(piece in text or re.search(rf"(?<!\w){re.escape(piece)}(?!\w)", text, re.IGNORECASE) for piece in pieces)


def _comes_to(text: str, numbers: Sequence[str]) -> bool:
    from witnessmark.actions.content.values import reckoned  # few claims are of numbers

    return not reckoned(text).isdisjoint(numbers)


def _shown(claim: ActionClaim, changes: Sequence[FileChange]) -> Ruling | None:
    """The change that bears the claim out, where a call has it."""
    named = [change for change in changes if claim.path is None or change_names(change, claim.path)]
    for change in reversed(named):
        new = claim.value is None or (
            _holds(change.new, claim.value) and not (change.old and _same(change, claim.value))
        )
        old = claim.old is None or change.old is None or _holds(change.old, claim.old)
        gone = claim.role != "remove" or not _holds(change.new, claim.old or "")
        if new and old and gone and (change.new is not None or change.old is not None):
            return supported("a call made this change", posixpath.basename(change.to or change.path), change.call)
    return None


def _same(change: FileChange, wanted: str) -> bool:
    """Whether an edit has the text as often before as after, so that it did not bring it."""
    old, new = change.old or "", change.new or ""
    return all(old.count(piece) >= new.count(piece) for piece in _pieces(wanted))


def _by_texts(claim: ActionClaim, scene: TreeView | None, changes: Sequence[FileChange]) -> Ruling | None:
    """What files held before and hold now, where the snapshot or git has it: who changed them does not matter then.

    Untrue only where the file that is named was left as it was and no other file brought the change either.
    """
    if scene is None or not scene.knows_before:
        return None
    told = dict.fromkeys([*([claim.path] if claim.path else []), *(change.to or change.path for change in changes)])
    known = [text for path in list(told)[:MAX_FILES] if (text := scene.text_change(path)) is not None]
    if claim.role != "tests" and (made := next((text for text in known if _brings(claim, text)), None)) is not None:
        return supported("the file was changed so since the snapshot", posixpath.basename(made.path))
    others = [(path, scene.text_change(path)) for path in scene.changed_paths[:MAX_FILES]]
    if claim.role == "tests":
        return _tests_by_texts(claim, [text for _, text in others if text is not None])
    made = next((text for _, text in others if text is not None and _brings(claim, text)), None)
    if made is not None:
        return supported("the file was changed so since the snapshot", posixpath.basename(made.path))
    named = known[0] if claim.path and known and known[0].path == scene.relative(claim.path) else None
    all_known = len(scene.changed_paths) <= MAX_FILES and all(text is not None for _, text in others)
    if named is None or named.old != named.new or not named.new or not all_known:
        return None
    return contradicted("contradicted_claim", f"{named.path} is as it was before the session", "unchanged")


def _brings(claim: ActionClaim, text: TextChange) -> bool:
    """Whether a file has more of what is new and less of what is old than before."""

    def more(wanted: str | None, one: str, other: str) -> bool:
        return wanted is None or any(one.count(piece) > other.count(piece) for piece in _pieces(wanted))

    gone = claim.old if claim.role in ("remove", "rename", "change") else None
    return more(claim.value, text.new, text.old) and more(gone, text.old, text.new)


def _tests_by_texts(claim: ActionClaim, texts: Sequence[TextChange]) -> Ruling | None:
    """Tests counted in the files themselves, which only bears a number out: a table of cases is one test to a reader."""
    count = sum(len(TEST_STARTS.findall(text.new)) - len(TEST_STARTS.findall(text.old)) for text in texts)
    if count >= int(claim.value or 0) > 0:
        return supported("the files contain that many new tests", f"{count} new tests")
    return None


def _in_tree(claim: ActionClaim, scene: TreeView | None, changes: Sequence[FileChange] = ()) -> Ruling | None:
    """What the files themselves say, those that are named or changed."""
    if scene is None:
        return None
    named = [claim.path] if claim.path else []
    paths = dict.fromkeys([*named, *(change.to or change.path for change in changes)])
    for path in list(paths)[:MAX_FILES]:
        seen = scene.content(path)
        if seen.state != "file":
            continue
        text = seen.content.decode("utf-8", "replace")
        if claim.value is not None and _holds(text, claim.value):
            return unverifiable("the text is in the file, and nothing shows that it was not before", there="there")
        if claim.role == "remove" and claim.path == path and _holds(text, claim.old or ""):
            return unverifiable(
                "the name is still in the file, and another use of it may be meant", there="still there"
            )
    return None


def _missing(claim: ActionClaim, trace: TraceIndex) -> Ruling:
    wanted = claim.value or claim.old or ""
    if trace.opaque or not trace.whole or not trace.ledger.active or claim.role in ("remove", "depend"):
        return unverifiable(
            "no call in the trace shows this change, and something else may have made it", there="not in the trace"
        )
    if any(
        _holds(output_of(call), wanted) or _holds(str(call.input)[:MAX_INPUT], wanted) for call in trace.ledger.calls
    ):
        return unverifiable("no change has this name, and the trace shows it elsewhere", there="not in the changes")
    if trace.session_texts().cut:
        return unverifiable("no change has this name, and outputs of the trace were cut", there="not in the changes")
    if _by_means(claim, trace):
        return unverifiable("what a change names may bring it", there="not in the changes")
    if not trace.ledger.changes:
        return unverifiable(
            "the trace changed nothing, and the words may describe what is there", there="not in the trace"
        )
    return unsupported(
        "contradicted_claim", f"no change has {wanted!r}, and no file that was changed holds it", "not in the changes"
    )


_MEANS = re.compile(
    r"\b(?:via|through|by(?: means of)?|using|with|thanks to|from)\s+(?:the\s+)?(?:\w+\s+)?`([^`\n]{2,60})`",
    re.IGNORECASE,
)


def _by_means(claim: ActionClaim, trace: TraceIndex) -> bool:
    """Whether the words name something else by which it was done, and a change has that: `created_at` by way of `timestamps`."""
    means = [name for name in _MEANS.findall(claim.text) if name not in (claim.value, claim.old)]
    return any(_holds(change.new, name) for name in means for change in trace.ledger.changes)


def _by_files(claim: ActionClaim, trace: TraceIndex, changes: Sequence[FileChange]) -> Ruling:
    """How many files were changed, or whether the README or changelog was among them."""
    paths = {change.to or change.path for change in changes}
    if claim.role == "document":
        asked, enough = claim.value or "", any(files_called(claim.value or "").search(path) for path in paths)
    else:
        asked, enough = f"{claim.value} files", len(paths) >= int(claim.value or 0)
    if enough:
        return supported("the calls changed it", f"{len(paths)} files changed")
    if trace.opaque or not trace.whole or not trace.ledger.changed:
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
    count = sum(
        len(TEST_STARTS.findall(change.new or "")) - len(TEST_STARTS.findall(change.old or "")) for change in added
    )
    if count >= wanted:
        return supported("the changes contain that many new tests", f"{count} new tests")
    if (
        trace.opaque
        or not trace.whole
        or any(MANY_CASES.search(change.new or "") or not change.is_code for change in added)  # cases may stand in data
        or not trace.ledger.changes
        or any(_TESTISH.search(change.to or change.path) for change in changes if change not in added)
    ):
        return unverifiable("the new tests cannot be counted for sure", there=f"{count} new tests")
    if (count <= 0 and not added) or (wanted >= 4 and count * 2 <= wanted):
        return contradicted("wrong_counts", "the changes contain fewer new tests", f"{max(count, 0)} new tests")
    return unverifiable("the changes contain about that many new tests", there=f"{count} new tests")
