"""What is said to have been left as it was, and was not: versions, lint rules, tests carried over; and code that is said to do something new where only tests were changed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.observations.session_runs import sentences_of
from witnessmark.actions.claims.ruling import Ruling, contradicted, unverifiable
from witnessmark.actions.content.evidence import TextEvidence, evidence_of
from witnessmark.actions.content.passages import CODE, ReportPassage, names_in
from witnessmark.actions.content.regions import definitions
from witnessmark.actions.content.wording import content_claim, pattern
from witnessmark.actions.trace.changes import CODE as ENDINGS
from witnessmark.actions.trace.changes import TEST_STARTS, is_test
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.view import TreeView

VERSIONS, RULES_KEPT, TESTS_KEPT, NEW_CODE = "versions_kept", "rules_kept", "tests_kept", "code_now"
ROLES = (VERSIONS, RULES_KEPT, TESTS_KEPT, NEW_CODE)
_MANIFEST = re.compile(r"(?:^|/)(?:package\.json|pyproject\.toml|requirements[\w.-]*\.(?:txt|in)|Cargo\.toml|go\.mod|Gemfile|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|setup\.cfg|Pipfile|pubspec\.yaml|mix\.exs)$")  # fmt: skip
_PINNED = re.compile(r"(?P<name>[\w@/.-]+(?::[\w.-]+)?)[\"']?\s*(?:[:=,]|\s)+\s*(?:\{\s*version\s*=\s*)?[\"'^~>=<! ]*v?(?P<version>\d+(?:\.\d+)+[\w.-]*)")  # fmt: skip
_LINTER = re.compile(r"(?:^|/)(?:\.?eslint(?:rc[\w.]*|\.config\.\w+)|\.?ruff\.toml|\.pylintrc|\.flake8|\.rubocop\w*\.yml|\.golangci\.\w+|biome\.jsonc?|\.stylelintrc[\w.]*|clippy\.toml|\.swiftlint\.yml|phpcs\.xml|phpstan\.neon|checkstyle\.xml|tslint\.json)$")  # fmt: skip
_COMMENT = re.compile(r"(?://|#).*$|/\*.*?\*/", re.MULTILINE | re.DOTALL)
_MANY = re.compile(r"parametrize|\.each\b|t\.Run\(|@ParameterizedTest|subTest|rstest|test_case\(")


def told_as_kept(report: str, trace: TraceIndex) -> list[ActionClaim]:
    """A claim for each such sentence."""
    if not trace.ledger.changes:
        return []
    return [claim for passage in sentences_of(report) if not passage.cells for claim in _kept(passage)]


def _kept(passage: ReportPassage) -> Iterator[ActionClaim]:
    plain = CODE.sub(" x ", passage.sentence.low)
    if pattern("kept_told", "not_so").search(plain):
        return
    for way in (VERSIONS, RULES_KEPT, TESTS_KEPT):
        if pattern("kept_told", way).search(plain) and (
            way != VERSIONS or pattern("kept_told", "packages").search(plain)
        ):
            yield content_claim(passage, way, path=None)
    names = [name for name in names_in(passage.sentence.text) if len(name) > 2]
    if names and pattern("kept_told", NEW_CODE).search(plain) and not pattern("kept_told", "of_tests").search(plain):
        yield content_claim(passage, NEW_CODE, name="\n".join(names), path=None)


def rule(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Such a claim against the changes."""
    if scene is None:
        return unverifiable("there is no tree to look at", there="not looked at")
    known = evidence_of(scene, trace)
    if not known.changed or (trace is not None and not trace.ledger.active):
        return unverifiable("no change is known with its text", there="not known")
    wrong = _RULES[claim.role or ""](claim, known)
    return contradicted("contradicted_claim", wrong, wrong[:80]) if wrong else unverifiable("the texts do not settle it", there="not known")  # fmt: skip


def _versions(claim: ActionClaim, known: TextEvidence) -> str:
    for text in known.changed.values():
        if _MANIFEST.search(text.path) is None or not text.old:
            continue
        old, new = (dict(_PINNED.findall(each)) for each in (text.old, text.new))
        other = next(
            (name for name in old if name in new and old[name] != new[name] and name not in _NO_PACKAGES), None
        )
        if other:
            return f"{text.path} had {other} {old[other]} and has {new[other]}"
    return ""


_NO_PACKAGES = frozenset(
    "version node npm pnpm yarn python requires-python rust-version edition go java target".split()
)
"""What manifests give a version of that is no dependency."""


def _rules(claim: ActionClaim, known: TextEvidence) -> str:
    path = next(
        (
            path
            for path, text in known.changed.items()
            if _LINTER.search(path)
            and text.old
            and _COMMENT.sub("", text.old).split() != _COMMENT.sub("", text.new).split()
        ),
        "",
    )
    return f"{path} was changed" if path else ""


def _tests(claim: ActionClaim, known: TextEvidence) -> str:
    texts = [text for text in known.changed.values() if is_test(text.path)]
    before = sum(len(TEST_STARTS.findall(text.old)) for text in texts)
    after = sum(len(TEST_STARTS.findall(text.new)) for text in texts)
    if not known.whole or any(_MANY.search(text.new) for text in texts) or not 0 < after < before:
        return ""
    return f"there were {before} tests, and there are {after}"


def _code(claim: ActionClaim, known: TextEvidence) -> str:
    """Code that is said to do something now, where nothing but tests and documents was changed."""
    if not known.whole or not any(is_test(path) for path in known.changed) or not known.all_seen:
        return ""
    if any(not is_test(path) and path.rpartition(".")[2].lower() not in ("md", "rst", "txt") for path in known.changed):
        return ""
    for name in (claim.name or "").split("\n"):
        for text in known.files():
            code = text.path.rpartition(".")[2].lower() in ENDINGS and not is_test(text.path)
            if code and definitions(name, text.new):
                return f"only tests were changed, and `{name}` in {text.path} is as it was"
    return ""


_RULES = {VERSIONS: _versions, RULES_KEPT: _rules, TESTS_KEPT: _tests, NEW_CODE: _code}
