"""Claims about the content of files against what files held and hold.

Untrue only where every change is known and the texts say otherwise; a value in another form, a thing done elsewhere, a name in a
comment are never held against a report.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from witnessmark.actions.claim import ActionClaim, Ruling, contradicted, supported, unverifiable
from witnessmark.actions.content.assertions import assertions_in
from witnessmark.actions.content.evidence import TextEvidence, added_lines, evidence_of, lost_lines
from witnessmark.actions.content.imports import rule_import
from witnessmark.actions.content.lengths import rule_line_changes, rule_lines, rule_rows
from witnessmark.actions.content.patterns import pattern
from witnessmark.actions.content.references import rule_in_file
from witnessmark.actions.content.stability import rule_default, rule_kept, rule_still, rule_unchanged
from witnessmark.actions.content.syntax_trees import language_of
from witnessmark.actions.content.values import rule_set, rule_value
from witnessmark.actions.report.passages import names_in
from witnessmark.actions.report.report import Report
from witnessmark.actions.trace.changes import (
    MANY_CASES,
    TEST_STARTS,
    ending,
    files_called,
    is_test,
    tests_in,
)
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.view import TreeView
from witnessmark.text.files import SETTINGS
from witnessmark.text.patterns import compiled

MIN_NAME = 4
"""A shorter name is too common to say that one that is left is the one that was renamed."""


def last_part(name: str) -> str:
    """A name without what it hangs on: `Product.sku` is `sku`."""
    return re.split(r"[.:#]+", name.rstrip("?!"))[-1].lstrip("-@$")


def rule(claim: ActionClaim, view: TreeView | None, trace: TraceIndex | None, report: Report) -> Ruling:
    """One claim whose role is in `RULES`."""
    known = texts_known(view, trace)
    if isinstance(known, Ruling):
        return known
    ruled = RULES[claim.role or ""](claim, known, report)
    return ruled or unverifiable("the texts do not settle it", there="not known")


def rule_imported(claim: ActionClaim, view: TreeView | None, trace: TraceIndex | None) -> Ruling | None:
    """A name that is said to be imported or not any more; None where the texts do not settle it."""
    known = texts_known(view, trace)
    return None if isinstance(known, Ruling) else rule_import(claim, known)


def texts_known(view: TreeView | None, trace: TraceIndex | None) -> TextEvidence | Ruling:
    """What the texts show, or the ruling on a claim that they cannot settle."""
    if view is None:
        return unverifiable("there is no tree to look at", there="not looked at")
    known = evidence_of(view, trace)
    if not known.whole or not known.changed:
        return unverifiable("not every change is known with its text", there="not known")
    if trace is not None and trace.ledger.idle:
        return unverifiable("this turn changed nothing, and the words may describe what is there", there="not known")
    return known


# --- names and documents -----------------------------------------------------------------------------------------


def _configures(path: str) -> bool:
    """Whether a file sets something up: by its ending, or as a whole by its name."""
    return ending(path) in SETTINGS or path.rpartition("/")[2] in _RECIPES


_RECIPES = frozenset({"Dockerfile", "Containerfile", "Makefile", "Jenkinsfile", "Gemfile", "Procfile", "Caddyfile"})


def _named(claim: ActionClaim, known: TextEvidence, report: Report) -> Ruling | None:
    """A name that is said to be added, or to be the new one, and that no text of the tree has."""
    name = last_part(claim.value or "")
    if len(name) < MIN_NAME - 1 or not (known.touches_code or any(_configures(path) for path in known.changed)):
        return None
    if any(name in text.new for text in known.changed.values()):
        return None
    if not known.all_seen or any(name.lower() in text.new.lower() or name in text.old for text in known.files()):
        return None
    trace = known.trace
    if trace is None or trace.session_texts().has(name) or trace.session_texts().cut:
        return None  # the trace shows it, or may have: it may lie where nobody looked
    if trace.shows_changes or by_means(claim, [text.new for text in known.changed.values()]):
        return None  # the calls tell whether somebody added it
    return contradicted("contradicted_claim", f"no file has `{name}`", "not there")


def by_means(claim: ActionClaim, texts: Sequence[str]) -> bool:
    """Whether the words name something else by which it was done, and a new text has that: `created_at` by way of `timestamps`."""
    means = [
        last_part(name)
        for name in pattern("names", "means").findall(claim.text)
        if name not in (claim.value, claim.old)
    ]
    return any(name in text for name in filter(None, means) for text in texts)


def _remove(claim: ActionClaim, known: TextEvidence, report: Report) -> Ruling | None:
    """A name that is said to be removed, and every line that had it is there as it was."""
    wanted = (claim.old or "").strip("`\"'").removesuffix("()")
    if len(wanted) < MIN_NAME - 1 or not known.knows_old or not known.all_seen:
        return None
    if pattern("names", "removed_elsewhere").search(claim.text.lower()) or pattern("mood", "back").search(
        claim.text.lower()
    ):
        return None
    if not any(wanted in text.old for text in known.files()):
        wanted = _member(wanted)
    places = known.called(claim.path) if claim.path else list(known.files())
    own = claim.path is not None and claim.path in claim.text  # of what is told of one file, the others show nothing
    if any(wanted in line for text in (places if own else known.changed.values()) for line in lost_lines(text)):
        return None
    held = next((text.path for text in places if wanted in text.old), None)
    why = f"every line with `{wanted}` is as it was, so nothing was removed"
    return contradicted("contradicted_claim", why, held) if held is not None else None


def _member(name: str) -> str:
    """A member as it is declared: `Store::load` is `load`. A name that hangs on nothing, or whose last part is short, stays as it is."""
    last = last_part(name)
    return last if re.search(r"\w(?:\.|#|::)\w", name) and len(last) > MIN_NAME else name


def _document(claim: ActionClaim, known: TextEvidence, report: Report) -> Ruling | None:
    """A document that is said to tell something now, and is as it was; where it is only said to tell it, it must not."""
    called = documents_called(claim.value or "")
    if any(called.search(path) for path in known.changed):
        return supported("it was changed", claim.value or "")
    there = [text for text in known.files() if called.search(text.path)]
    names = [last_part(name) for name in {*names_in(report.text), *claim.names} if len(name) > 2]
    if claim.name is not None and any(name in text.new for name in names for text in there):
        return supported("it names what the report says it does", claim.value or "")
    if not there or (claim.name is not None and not names):
        return None
    return contradicted("contradicted_claim", f"{there[0].path} is as it was", "unchanged")


def documents_called(wanted: str) -> re.Pattern[str]:
    """The files that a document's name stands for."""
    if wanted in ("readme", "changelog"):
        return files_called(wanted)
    return re.compile(rf"(?:^|/){re.escape(wanted)}(?:\.\w+)?$", re.IGNORECASE)


# --- tests that were added --------------------------------------------------------------------------------------------


CHECKS = compiled(
    r"assert|expect|should|\bverify|check|require|must|raises|throws|fail|fatal|t\.error|\bok\(|\bis\(|\bt\.(?:is|true|false|equal|deep)|equal|match|compare|snapshot|golden|approx|\bdie\b|\bexit\b|panic|\[\[? |\btest \b|diff |grep |status",
    re.IGNORECASE,
)
"""What may check something, in any language and by any helper."""
MANY = compiled(rf"{MANY_CASES.pattern}|\bfor\b.*\bin\b|forEach")
"""A table of cases: one test to a reader of code, many to a runner."""
_NAMES_ONLY = compiled(r"\s*(?:import|from|use|using|package|require|#include|//|#|\*|/\*)")


def checks_in(code: str, path: str) -> int:
    """How many assertions a piece of test code has: by its syntax where the language is known, else by its lines."""
    told = (line for line in code.splitlines() if not TEST_STARTS.search(line) and not _NAMES_ONLY.match(line))
    lines = sum(bool(CHECKS.search(line)) for line in told)
    language = language_of(path)
    parsed = sum(one.kind == "check" for one in assertions_in(code, language)) if language else 0
    return max(lines, parsed)


_CASE = compiled(r"\s*(?:[(\[{\"'\d-]|pytest\.param)")


def _in_tables(text: str, added: str) -> bool:
    """Whether the lines that were added to a file of tests may be cases of a table."""
    if MANY.search(added):
        return True
    return MANY.search(text) is not None and any(_CASE.match(line) for line in added.splitlines())


def rule_count(claim: ActionClaim, known: TextEvidence, report: Report) -> Ruling | None:
    """As many tests as were added; or more, and more than they have assertions: no way of counting gives that number."""
    texts = {path: text for path, text in known.changed.items() if is_test(path) or TEST_STARTS.search(text.new)}
    if claim.path and not any(path == claim.path or path.endswith(f"/{claim.path}") for path in texts):
        return None
    added = {path: "\n".join(added_lines(text)) for path, text in texts.items()}
    tests = sum(tests_in(text.new) - tests_in(text.old) for text in texts.values())
    if tests >= int(claim.value or 0) > 0:
        return supported("the files contain that many new tests", f"{tests} new tests")
    if any(_in_tables(text.new, added[path]) or not language_of(path) for path, text in texts.items()):
        return None
    if any(
        re.search(r"test|spec|fixture|case|golden|snap|\.in$|\.out$", path, re.IGNORECASE)
        for path in known.changed
        if path not in texts
    ):
        return None  # cases may stand in data
    tests = sum(tests_in(code) for code in added.values())
    checks = sum(checks_in(code, path) for path, code in added.items())
    if int(claim.value or 0) > max(tests, checks) and texts:
        return contradicted("wrong_counts", "the changes contain fewer new tests", f"{tests} new tests")
    return None


RULES = {
    "add": _named,
    "rename": _named,
    "remove": _remove,
    "tests": rule_count,
    "document": _document,
    "tells": _document,
    "change": rule_value,
    "value": rule_value,
    "row": rule_value,
    "set": rule_set,
    "lines": rule_lines,
    "rows": rule_rows,
    "lines_added": rule_line_changes,
    "lines_removed": rule_line_changes,
    "in_file": rule_in_file,
    "kept": rule_kept,
    "unchanged": rule_unchanged,
    "still": rule_still,
    "default": rule_default,
}
