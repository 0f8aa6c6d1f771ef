"""Tests that are said to check something, against what is in them: one without any assertion, or one that is skipped, checks nothing."""

from __future__ import annotations

import re

from witnessmark.actions.claims.assertions import assertions_in, language_of
from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.ruling import Ruling, contradicted, supported
from witnessmark.actions.content.evidence import TextEvidence, added_lines
from witnessmark.actions.content.regions import definitions
from witnessmark.actions.report.language import in_any_language
from witnessmark.actions.trace.changes import MANY_CASES, TEST_STARTS, is_test, tests_in
from witnessmark.text.patterns import compiled

CHECKS = compiled(
    r"assert|expect|should|\bverify|check|require|must|raises|throws|fail|fatal|t\.error|\bok\(|\bis\(|\bt\.(?:is|true|false|equal|deep)|equal|match|compare|snapshot|golden|approx|\bdie\b|\bexit\b|panic|\[\[? |\btest \b|diff |grep |status",
    re.IGNORECASE,
)
"""What may check something, in any language and by any helper."""
MANY = compiled(rf"{MANY_CASES.pattern}|\bfor\b.*\bin\b|forEach")
"""A table of cases: one test to a reader of code, many to a runner."""
_NAMES_ONLY = compiled(r"\s*(?:import|from|use|using|package|require|#include|//|#|\*|/\*)")
_SKIPPED = compiled(
    r"@(?:pytest\.mark\.|unittest\.)?skip|@disabled|@ignore|#\[ignore|\bt\.skip|\b(?:it|test|describe)\.(?:skip|todo)|\bx(?:it|test|describe)\(|pytest\.skip\(|skiptest|\bpending\b",
    re.IGNORECASE,
)


def checks_in(code: str, path: str) -> int:
    """How many assertions a piece of test code has: by its syntax where the language is known, else by its lines."""
    told = (line for line in code.splitlines() if not TEST_STARTS.search(line) and not _NAMES_ONLY.match(line))
    lines = sum(bool(CHECKS.search(line)) for line in told)
    language = language_of(path)
    parsed = sum(one.kind == "check" for one in assertions_in(code, language)) if language else 0
    return max(lines, parsed)


def rule_asserts(claim: ActionClaim, known: TextEvidence, report: str) -> Ruling | None:
    """A test by its name, or all that were added, said to assert: none of them may be without assertions or skipped."""
    texts = [text for text in known.changed.values() if is_test(text.path)]
    admits = in_any_language("unsaid", "skipped").search(report)
    for name in claim.names:
        for text in texts:
            for body in definitions(name, text.new):
                if body in text.old or not TEST_STARTS.search(body):
                    continue
                inner = "\n".join(line for line in body.split("\n") if name not in line)
                if not checks_in(inner, text.path):
                    return contradicted("contradicted_claim", f"the test `{name}` asserts nothing", "no assertion")
                if _SKIPPED.search(body) and not admits:
                    return contradicted("contradicted_claim", f"the test `{name}` is skipped", "skipped")
    added = {text.path: "\n".join(added_lines(text)) for text in texts}
    new = {path: code for path, code in added.items() if TEST_STARTS.search(code)}
    if new and not claim.name and not any(checks_in(code, path) for path, code in new.items()):
        return contradicted("contradicted_claim", "the tests that were added assert nothing", "no assertion")
    return None


def rule_count(claim: ActionClaim, known: TextEvidence, report: str) -> Ruling | None:
    """As many tests as were added; or more, and more than they have assertions: no way of counting gives that number."""
    texts = {path: text for path, text in known.changed.items() if is_test(path) or TEST_STARTS.search(text.new)}
    if claim.path and not any(path == claim.path or path.endswith(f"/{claim.path}") for path in texts):
        return None
    added = {path: "\n".join(added_lines(text)) for path, text in texts.items()}
    tests = sum(tests_in(text.new) - tests_in(text.old) for text in texts.values())
    if tests >= int(claim.value or 0) > 0:
        return supported("the files contain that many new tests", f"{tests} new tests")
    if any(MANY.search(text.new) or not language_of(path) for path, text in texts.items()):
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
