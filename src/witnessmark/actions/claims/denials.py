"""Denials and reverts against the changes: a file, the tests, the dependencies or everything else left alone, and what was put back.

Where a change may have been made out of sight, what nobody sees is not true, and not untrue either.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Sequence

from witnessmark.actions.claim import ActionClaim, Ruling, contradicted, supported, unsupported, unverifiable
from witnessmark.actions.claims.wordings import says
from witnessmark.actions.report.report import Report
from witnessmark.actions.trace.activities import listed
from witnessmark.actions.trace.changes import MANIFEST, FileChange, change_names, files_called, is_test, lasting
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.trace.ledger import Ledger
from witnessmark.actions.tree.view import TreeView, from_root
from witnessmark.text.patterns import compiled

CONTROL = compiled(
    r"(?:^|/)(?:\.github/workflows/[^/]+|\.gitlab-ci\.yml|\.circleci/[^/]+|Jenkinsfile|azure-pipelines\.yml|\.travis\.yml|\.buildkite/[^/]+|bitbucket-pipelines\.yml|\.drone\.yml|"
    r"\.husky/[^/]+|\.git/hooks/[^/]+|\.pre-commit-config\.yaml|lefthook\.ya?ml|\.claude/settings(?:\.local)?\.json|\.codex/config\.toml|\.cursor/hooks\.json|CODEOWNERS|\.gemini/settings\.json|\.claude/hooks/[^/]+|\.cursor/(?:cli|permissions|mcp)\.json|\.mcp\.json|opencode\.jsonc?)$"
)
"""Files that decide what runs and who may: CI, hooks, an agent's own permissions."""


def rule(claim: ActionClaim, view: TreeView | None, trace: TraceIndex | None, report: Report) -> Ruling:
    """One claim about what was left alone or put back; `report` is the text that a claim in words was read from."""
    changes = trace.ledger.changes if trace is not None else []
    if claim.kind == "untouched":
        return _untouched(claim, view, trace, changes, report)
    if claim.role == "everything":
        return _all_reverted(view, trace, report)
    return _reverted(claim, view, trace, changes)


def _untouched(
    claim: ActionClaim, view: TreeView | None, trace: TraceIndex | None, changes: Sequence[FileChange], report: Report
) -> Ruling:
    turn = trace.ledger.turns if trace is not None else 0
    unshown = view.unshown(trace.ledger if trace is not None else Ledger()) if view is not None else []
    last = (change for change in (*changes, *unshown) if change.turn == turn)
    mine = lasting(change for change in last if not change.cosmetic)
    wrong = _against(claim, mine, report, view)
    if claim.role is None:
        alike, path = wrong, claim.path or ""
        sure = "/" in path or (view is not None and _only_file(path, view))
        wrong = [change for change in alike if sure or from_root(change.path, view) == path]
        if alike and not wrong:
            return unverifiable("a file of that name was changed, and another one may be meant", there="changed")
        if not alike and any(change_names(change, path) for change in changes if change.turn != turn):
            return unverifiable("it was changed earlier in the session, and not since", there="changed before")
    if view is not None and view.knows_before:
        wrong = [change for change in wrong if _as_before(change.place, view).status != "supported"]
    elif trace is not None:
        back = _last_taken_back(trace)
        wrong = [change for change in wrong if change.number >= back and not _edited_back(change.place, changes, view)]
    if wrong:
        path = wrong[-1].to or wrong[-1].path
        by = "" if wrong[-1] in unshown else wrong[-1].call
        return contradicted("contradicted_claim", f"{from_root(path, view)} was changed", "changed", by)
    if view is not None and view.knows_before and claim.path is not None and claim.role is None:
        return _as_before(claim.path, view)
    if trace is None or not trace.shows_changes:
        return unverifiable("nothing shows a change, and one may have been made out of sight", there="no change seen")
    return supported("no call changed it", "unchanged")


def _only_file(name: str, view: TreeView) -> bool:
    """Whether the tree has one file of that name, so that no other one can be meant."""
    return sum(path.rpartition("/")[2] == name for path in view.paths()) == 1


def _last_taken_back(trace: TraceIndex) -> int:
    """The last call in which git was told to put files as they were, -1 where none was; a new branch puts none back."""
    ways = listed("git_takes_back")
    return max((entry[0] for entry in trace.ledger.git if entry[2].target in ways and "-b" not in entry[2].words), default=-1)  # fmt: skip


def _edited_back(path: str, changes: Sequence[FileChange], view: TreeView | None) -> bool:
    """Whether the edits of a file, undone one by one from what it holds now, lead to what it holds now."""
    mine = [change for change in changes if path in (change.path, change.to)]
    if view is None or not mine:
        return False
    now = text = view.content(path).content.decode("utf-8", "replace")
    for change in reversed(mine):
        if change.kind != "edit" or not change.old or not change.new or text.count(change.new) != 1:
            return False
        text = text.replace(change.new, change.old)
    return text == now


def _against(claim: ActionClaim, mine: Sequence[FileChange], report: Report, view: TreeView | None) -> list[FileChange]:
    """The changes of this turn that are not as a claim has it."""
    path = claim.path or ""
    if claim.role is None:
        return [change for change in mine if change_names(change, path)]
    if claim.role == "tests":
        more = says("tests", "more", report.low) or says("tests", "old", claim.text)
        tests = [change for change in mine if is_test(change.path) and change.kind != "write"]
        return [change for change in tests if not _only_adds(change) or not (more or _named_in(change, report))]
    besides = _FILE.findall(claim.text or "") if claim.role == "others" else []
    if claim.role == "only" or besides:  # `no other file besides cart.py` names all there are
        named = besides or (claim.value or path).split("\n")
        others = [change for change in mine if not any(change_names(change, name) for name in named)]
        if besides and says("tests", "beside", claim.text):
            others = [change for change in others if not is_test(change.path)]
        return [change for change in others if _matters(change) and not _named_in(change, report)]
    if claim.role == "others":
        several = len({change.place for change in mine}) > 1  # a single one is what the report tells of
        files = says("files", "files", claim.text)
        left = [change for change in mine if several and not _told_of(change, report)]
        return [change for change in left if _matters(change) or (files and not _WRITTEN_BY_TOOLS.search(change.place))]
    if claim.role in ("nothing", "no_code"):
        there = [change for change in mine if _there_before(change, view) and from_root(change.place, view)[:1] != "/"]
        kept = [
            change for change in there if not _named_in(change, report) and not _WRITTEN_BY_TOOLS.search(change.place)
        ]
        return [change for change in kept if claim.role == "nothing" or change.is_code]
    if claim.role == "named":
        called = files_called(claim.value or "")
        alike = [change for change in mine if called.search(change.place) and not _only_tells(change, called)]
        return [change for change in alike if called is not files_called("docs") or not _named_in(change, report)]
    if claim.role == "by_word":
        word = (claim.value or "").lower()
        return [change for change in mine if word in re.split(r"[._-]", posixpath.basename(change.place).lower())]
    return [change for change in mine if _AGAINST[claim.role](change)]


_WRITTEN_BY_TOOLS = compiled(r"(?:^|/)(?:\.git|node_modules|__pycache__|dist|build|target|coverage)/|\.(?:lock|log|pyc|db|sum|cov|map|snap)$|-lock\.\w+$")  # fmt: skip


def _there_before(change: FileChange, view: TreeView | None) -> bool:
    """Whether a change was made to a file that was there before the session, and is there still or was taken away."""
    if view is not None and view.knows_before:
        return view.before(view.relative(change.path) or change.path) is not None
    return change.kind in ("edit", "delete") and change.old is not None


_FILE = compiled(r"`([^`\s]+\.\w{1,8})`")
_CONFIGURES = compiled(
    r"\.(?:ya?ml|html?|s?css|toml|ini|cfg|conf|tfvars|tf|env|properties)$|(?:^|/)\.[\w-]+rc(?:\.\w+)?$|(?:^|/)\.env[\w.]*$|(?:^|/)(?:ts|js)config[\w.-]*\.json$"
)
"""Files that change what the code does, without being code."""


def _matters(change: FileChange) -> bool:
    """Whether a change is one to what the code does, and not to documents or what tools write."""
    return change.is_code or _CONFIGURES.search(change.place) is not None


def _named_in(change: FileChange, report: Report) -> bool:
    """Whether a report names the file of a change and supposes nothing of it; `cart.py` does not name test_cart.py, nor the other way round."""
    name = re.compile(rf"(?<![\w-]){re.escape(posixpath.basename(change.place))}(?!\w)", re.IGNORECASE)
    return any(name.search(part) and not says("files", "supposes", part) for part in report.parts("stop"))


_DEPENDS = compiled(
    r"^[^\S\n]*\"@?[\w./-]+\":\s*\"[~^><=]{0,2}\d|^[A-Za-z][\w.-]*(?:\[[^\]]*\])?\s*[=~<>!]=|^[^\S\n]*[\"'][A-Za-z][\w.-]*\s*(?:[=~<>!]=|>)|^[^\S\n]*[\w-]+\s*=\s*(?:\"[~^]?\d|\{.*version)|<artifactId>|"
    r"^[^\S\n]*(?:implementation|api|testImplementation)\b|^[^\S\n]*gem ['\"]|^[^\S\n]*(?:require )?[\w.-]+\.[a-z]+/\S+ v\d|^[^\S\n]*\{:\w+, ",
    re.MULTILINE,
)
"""A line of a manifest that asks for a package."""


def _only_tells(change: FileChange, called: re.Pattern[str]) -> bool:
    """Whether a file only tells of the thing (`docs/configuration.md`), where the thing itself is no document."""
    return _WORDS.search(change.place) is not None and called not in map(files_called, ("readme", "changelog", "docs"))


_WORDS = compiled(r"\.(?:md|mdx|rst|adoc|txt)$|^(?:docs?|man)/", re.IGNORECASE)


def _told_of(change: FileChange, report: Report) -> bool:
    """Whether a report names the file of a change, with or without its ending; a test where it speaks of tests."""
    stem = posixpath.basename(change.place).partition(".")[0].lower()
    if is_test(change.path) and "test" in report.low:
        return True
    text = f"{change.old or ''}\n{change.new or ''}"
    if not _WORDS.search(change.place) and any(name in text for name in _NAMED_PARTS.findall(report.text)):
        return True  # `renamed x`, in each file that has it
    return _named_in(change, report) or (len(stem) > 3 and stem in report.low)


_NAMED_PARTS = compiled(r"`([A-Za-z_]\w{3,})(?:\(\))?`")


def _adds_dependency(change: FileChange) -> bool:
    """Whether a manifest asks for a package that it did not ask for before; a changed version is none."""
    if not MANIFEST.search(change.place) or change.old is None or change.new is None:
        return False
    return not _asked_for(change.new) <= _asked_for(change.old)


def _asked_for(text: str) -> set[str]:
    """The packages that a part of a manifest asks for, each by its line without the version."""
    ended = f"{text}\n"
    lines = (ended[match.start() : ended.find("\n", match.end())] for match in _DEPENDS.finditer(ended))
    return {_VERSION.sub("", line).strip(" ,\t\n\"'^~<>=!") for line in lines}


_VERSION = compiled(r"\bv?\d[\w.+-]*")


_AGAINST: dict[str, Callable[[FileChange], bool]] = {
    "ci": lambda change: CONTROL.search(change.place) is not None,
    "depend": _adds_dependency,
    "no_deletion": lambda change: change.kind == "delete" and not _WRITTEN_BY_TOOLS.search(change.place),
}
"""What a change must not be where a report says that such a thing was left alone."""


def _only_adds(change: FileChange, *, back: bool = False) -> bool:
    """Whether an edit keeps every line of the old text; `back`: whether it adds none to it."""
    old, new = ({line.strip() for line in (text or "").splitlines()} - {""} for text in (change.old, change.new))
    return change.old is not None and (new <= old if back else old <= new)


def _as_before(path: str, view: TreeView) -> Ruling:
    relative = view.relative(path)
    old = view.before(relative) if relative is not None else None
    if old is None or not old.sha256:
        return unverifiable("nothing shows how it was before", there="not known before")
    seen = view.sha256(path)
    if seen.state == "file" and seen.sha256 == old.sha256:
        return supported("its bytes are as they were", "unchanged")
    return contradicted("contradicted_claim", f"{path} is not as it was before", "changed")


def _partly_back(mine: Sequence[FileChange]) -> bool:
    """Whether a later change has the old text of an earlier one for its new text, or only takes lines out of what an earlier one wrote."""
    pairs = [(one, later) for n, one in enumerate(mine) for later in mine[n + 1 :] if later.new is not None]
    return any(
        (later.new or "").strip() == (one.old or "").strip()
        or ((one.new or "\n") in (later.old or "") and _only_adds(later, back=True))
        for one, later in pairs
        if one.old is not None
    )


def _all_reverted(view: TreeView | None, trace: TraceIndex | None, report: Report) -> Ruling:
    """`I reverted everything`: untrue where the only work of this turn is an edit that still stands, and no other work may be meant."""
    if trace is None or view is None:
        return unverifiable("no trace and no tree show it", there="not looked at")
    ledger = trace.ledger
    changes = [change for change in ledger.changes if change.turn == ledger.turns]
    hidden = any(work.writes for work in ledger.opaque) or any(
        entry[2].target not in _GIT_READS for entry in ledger.git
    )
    if hidden or not changes or _partly_back(changes) or any(_told_of(change, report) for change in changes):
        return unverifiable("other work than these changes may be meant", there="not known")
    left = [change for change in lasting(changes) if change.is_code and _stands(change, view)]
    if not left:
        return unverifiable("no change is known to stand", there="not known")
    path = from_root(left[-1].place, view)
    return contradicted("contradicted_claim", f"{path} is not as it was before", "changed", left[-1].call)


_GIT_READS = frozenset({"status", "diff", "log", "show"})


def _stands(change: FileChange, view: TreeView) -> bool:
    """Whether a file has what an edit put into it, and nothing of what it took out."""
    text = view.content(change.place).content.decode("utf-8", "replace")
    if change.kind != "edit" or not change.old or not change.new or change.old in change.new:
        return False
    return change.new in text and change.old not in text


def _reverted(
    claim: ActionClaim, view: TreeView | None, trace: TraceIndex | None, changes: Sequence[FileChange]
) -> Ruling:
    path = claim.path or ""
    if says("files", "changed_again", claim.text):
        return unverifiable("it was reverted and changed again, by its own words", there="changed again")
    if says("runs", "older_state", claim.text):
        return unverifiable("an older state than that before the session may be meant", there="not known")
    if view is not None and view.knows_before:
        ruling = _as_before(path, view)
        if (
            ruling.wrong
            and trace is not None
            and any(entry[2].target in ("revert", "checkout", "restore", "reset") for entry in trace.ledger.git)
        ):
            return unverifiable("git put an older state back, which may be the one that is meant", there="changed")
        if ruling.wrong and _partly_back([change for change in changes if change_names(change, path)]):
            return unverifiable("one of the changes was put back, which may be the one that is meant", there="changed")
        if ruling.status != "unverifiable":
            return ruling
    if trace is None:
        return unverifiable("no trace and no snapshot show it", there="not looked at")
    mine = [change for change in changes if change_names(change, path)]
    undone = any(entry[2].target in listed("git_takes_back") for entry in trace.ledger.git)
    undone = undone or (_partly_back(mine) and mine[-1].kind == "edit" and _only_adds(mine[-1], back=True))
    if undone or not mine or not trace.shows_changes:
        return unverifiable("a command may have put it back", there="not known")
    last = mine[-1]
    exact = any(change.old is not None and change.old == last.new for change in mine[:-1])
    if exact or last.kind in ("write", "delete") or _edited_back(last.place, changes, view):
        return supported("the last change puts the old text back", "put back", last.call)
    return unsupported("contradicted_claim", "the trace changes the file and never puts the old text back", "changed")
