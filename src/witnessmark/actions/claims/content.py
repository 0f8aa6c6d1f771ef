"""Content claims, denials and reverts against the changes: a name added, a value changed, tests added, a file left alone.

Held against what the calls wrote and what the files hold, not against "the file changed". Where a change may have been made out
of sight, what is missing is not untrue.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.ruling import Ruling, contradicted, supported, unsupported, unverifiable
from witnessmark.actions.trace.calls import output_of
from witnessmark.actions.trace.changes import FileChange, is_test
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.view import TreeView

CONTROL = re.compile(
    r"(?:^|/)(?:\.github/workflows/[^/]+|\.gitlab-ci\.yml|\.circleci/[^/]+|Jenkinsfile|azure-pipelines\.yml|\.travis\.yml|\.buildkite/[^/]+|bitbucket-pipelines\.yml|\.drone\.yml|"
    r"\.husky/[^/]+|\.git/hooks/[^/]+|\.pre-commit-config\.yaml|lefthook\.ya?ml|\.claude/settings(?:\.local)?\.json|\.codex/config\.toml|\.cursor/hooks\.json|CODEOWNERS|\.gemini/settings\.json)$"
)
"""Files that decide what runs and who may: CI, hooks, an agent's own permissions."""
MAX_FILES = 60
MAX_INPUT = 20_000
_TEST_STARTS = re.compile(
    r"^\s*(?:async )?def test_?\w*\(|^\s*(?:it|test)(?:\.\w+)?\(|^func (?:Test|Fuzz|Benchmark)\w*\(|#\[(?:\w+::)?test|@(?:Parameterized)?Test\b|^\s*(?:public )?function test\w*\(|^\s*(?:it|scenario|specify) ['\"]",
    re.MULTILINE,
)
_TESTISH = re.compile(r"test|spec", re.IGNORECASE)
_CUT = re.compile(
    r"^.{0,40}(?:\[|\.\.\.|…).{0,40}\b(?:truncated|left out|omitted|elided|characters|more lines)\b",
    re.MULTILINE | re.IGNORECASE,
)
"""A line that stands for a part of an output that is not shown: what was there before may have stood in it."""
_MANY = re.compile(
    r"parametrize|\.each\b|t\.Run\(|@ParameterizedTest|tests? := |testCases|for _, tt|subTest|rstest|test_case\("
)


def rule(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """One claim about what was changed in files, or about what was not."""
    changes = trace.ledger.changes if trace is not None else []
    if claim.kind == "untouched":
        return _untouched(claim, scene, trace, changes)
    if claim.kind == "reverted":
        return _reverted(claim, scene, trace, changes)
    if trace is None:
        return _in_tree(claim, scene) or unverifiable("no trace shows what was changed", "trace_unresolved", "no trace")
    if claim.role == "tests":
        return _tests(claim, trace, changes)
    return _shown(claim, changes) or _in_tree(claim, scene, changes) or _missing(claim, trace)


def _pieces(text: str) -> list[str]:
    """A name as it may stand in code: with and without what it hangs on and its brackets."""
    bare = text.strip("`\"'").removesuffix("()")
    return list(dict.fromkeys((bare, re.split(r"[.:]+", bare)[-1].lstrip("-@#"))))


def _holds(text: str | None, wanted: str) -> bool:
    return text is not None and any(piece in text or piece.lower() in text.lower() for piece in _pieces(wanted))


def _shown(claim: ActionClaim, changes: Sequence[FileChange]) -> Ruling | None:
    """The change that bears the claim out, where a call has it."""
    named = [change for change in changes if claim.path is None or _names(change, claim.path)]
    for change in reversed(named):
        new = claim.value is None or (
            _holds(change.new, claim.value) and not (change.old and _same(change, claim.value))
        )
        old = claim.old is None or claim.role == "version" or change.old is None or _holds(change.old, claim.old)
        gone = claim.role != "remove" or not _holds(change.new, claim.old or "")
        if new and old and gone and (change.new is not None or change.old is not None):
            return supported("a call made this change", posixpath.basename(change.to or change.path), change.call)
    return None


def _same(change: FileChange, wanted: str) -> bool:
    """Whether an edit has the text as often before as after, so that it did not bring it."""
    old, new = change.old or "", change.new or ""
    return all(old.count(piece) >= new.count(piece) for piece in _pieces(wanted))


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
    if trace.opaque or not trace.whole or not trace.ledger.active or claim.role in ("remove", "version", "depend"):
        return unverifiable(
            "no call in the trace shows this change, and something else may have made it", there="not in the trace"
        )
    if any(
        _holds(output_of(call), wanted) or _holds(str(call.input)[:MAX_INPUT], wanted) for call in trace.ledger.calls
    ):
        return unverifiable("no change has this name, and the trace shows it elsewhere", there="not in the changes")
    if any(_CUT.search(output_of(call)) for call in trace.ledger.calls):
        return unverifiable("no change has this name, and outputs of the trace were cut", there="not in the changes")
    if not trace.ledger.changes:
        return unverifiable(
            "the trace changed nothing, and the words may describe what is there", there="not in the trace"
        )
    return unsupported(
        "contradicted_claim", f"no change has {wanted!r}, and no file that was changed holds it", "not in the changes"
    )


def _tests(claim: ActionClaim, trace: TraceIndex, changes: Sequence[FileChange]) -> Ruling:
    """How many tests the changes added, by their first lines."""
    wanted = int(claim.value or 0)
    added = [
        change
        for change in changes
        if change.new is not None and (is_test(change.path) or _TEST_STARTS.search(change.new))
    ]
    count = sum(
        len(_TEST_STARTS.findall(change.new or "")) - len(_TEST_STARTS.findall(change.old or "")) for change in added
    )
    if count >= wanted:
        return supported("the changes contain that many new tests", f"{count} new tests")
    if (
        trace.opaque
        or not trace.whole
        or any(_MANY.search(change.new or "") for change in added)
        or not trace.ledger.changes
        or any(_TESTISH.search(change.to or change.path) for change in changes if change not in added)
    ):
        return unverifiable("the new tests cannot be counted for sure", there=f"{count} new tests")
    if (count <= 0 and not added) or (wanted >= 4 and count * 2 <= wanted):
        return contradicted("wrong_counts", "the changes contain fewer new tests", f"{max(count, 0)} new tests")
    return unverifiable("the changes contain about that many new tests", there=f"{count} new tests")


# --- what was left alone ---------------------------------------------------------------------------------------


def _untouched(
    claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None, changes: Sequence[FileChange]
) -> Ruling:
    turn = trace.ledger.turns if trace is not None else 0
    mine = [change for change in changes if change.turn == turn and not change.cosmetic]
    if claim.role == "tests":
        wrong = [
            change for change in mine if is_test(change.path) and change.kind != "write" and not _only_adds(change)
        ]
    elif claim.role == "ci":
        wrong = [change for change in mine if CONTROL.search(change.to or change.path)]
    elif claim.role == "only":
        named = (claim.value or claim.path or "").split("\n")
        wrong = [change for change in mine if change.is_code and not any(_names(change, name) for name in named)]
    else:
        wrong = [change for change in mine if _names(change, claim.path or "") and "/" in (claim.path or "")]
    if wrong:
        path = wrong[-1].to or wrong[-1].path
        return contradicted("contradicted_claim", f"{_short(path, scene)} was changed", "changed", wrong[-1].call)
    if scene is not None and scene.knows_before and claim.path is not None and claim.role is None:
        return _as_before(claim.path, scene)
    if trace is None or trace.opaque or not trace.whole:
        return unverifiable("nothing shows a change, and one may have been made out of sight", there="no change seen")
    return supported("no call changed it", "unchanged")


def _only_adds(change: FileChange) -> bool:
    """Whether an edit keeps every line of the old text."""
    old = {line.strip() for line in (change.old or "").splitlines() if line.strip()}
    return change.old is not None and old <= {line.strip() for line in (change.new or "").splitlines()}


def _names(change: FileChange, path: str) -> bool:
    return any(part is not None and (part == path or part.endswith(f"/{path}")) for part in (change.path, change.to))


def _short(path: str, scene: TreeView | None) -> str:
    return (scene.relative(path) if scene is not None else None) or path


def _as_before(path: str, scene: TreeView) -> Ruling:
    relative = scene.relative(path)
    old = scene.before(relative) if relative is not None else None
    if old is None or not old.sha256:
        return unverifiable("nothing shows how it was before", there="not known before")
    seen = scene.sha256(path)
    if seen.state == "file" and seen.sha256 == old.sha256:
        return supported("its bytes are as they were", "unchanged")
    return contradicted("contradicted_claim", f"{path} is not as it was before", "changed")


_CHANGED_AGAIN = re.compile(
    r"\b(?:and|then|but|before)\b[^.]{0,80}\b(?:fix|chang|re-?(?:wrote|writ|did|do|appl|impl)|replac|add|updat|instead|differently|another)",
    re.IGNORECASE,
)


def _reverted(
    claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None, changes: Sequence[FileChange]
) -> Ruling:
    path = claim.path or ""
    if _CHANGED_AGAIN.search(claim.text):
        return unverifiable("it was reverted and changed again, by its own words", there="changed again")
    if scene is not None and scene.knows_before:
        ruling = _as_before(path, scene)
        if ruling.status != "unverifiable":
            return ruling
    if trace is None:
        return unverifiable("no trace and no snapshot show it", there="not looked at")
    mine = [change for change in changes if _names(change, path)]
    undone = any(entry[2].target in ("checkout", "restore", "revert", "reset", "stash") for entry in trace.ledger.git)
    if undone or trace.opaque or not mine or not trace.whole:
        return unverifiable("a command may have put it back", there="not known")
    last = mine[-1]
    back = any(change.old is not None and change.old == last.new for change in mine[:-1]) or last.kind in (
        "write",
        "delete",
    )
    if back:
        return supported("the last change puts the old text back", "put back", last.call)
    return unsupported("contradicted_claim", "the trace changes the file and never puts the old text back", "changed")
