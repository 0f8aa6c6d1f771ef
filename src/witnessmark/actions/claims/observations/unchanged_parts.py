"""What is said to have been left as it was, and was not: versions, lint rules, tests carried over; and code that is said to do something new where only tests were changed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.observations.report_sentences import by_texts, sentences_of
from witnessmark.actions.content.evidence import TextEvidence
from witnessmark.actions.content.passages import ReportPassage, names_in, without_code
from witnessmark.actions.content.regions import definitions
from witnessmark.actions.content.wording import content_claim, found
from witnessmark.actions.trace.changes import MANIFEST, MANY_CASES, ending, is_code, is_test, tests_in
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.text.patterns import compiled

VERSIONS, RULES_KEPT, TESTS_KEPT, NEW_CODE = "versions_kept", "rules_kept", "tests_kept", "code_now"
_PINNED = compiled(r"(?P<name>[\w@/.-]+(?::[\w.-]+)?)[\"']?\s*(?:[:=,]|\s)+\s*(?:\{\s*version\s*=\s*)?[\"'^~>=<! ]*v?(?P<version>\d+(?:\.\d+)+[\w.-]*)")  # fmt: skip
_LINTER = compiled(r"(?:^|/)(?:\.?eslint(?:rc[\w.]*|\.config\.\w+)|\.?ruff\.toml|\.pylintrc|\.flake8|\.rubocop\w*\.yml|\.golangci\.\w+|biome\.jsonc?|\.stylelintrc[\w.]*|clippy\.toml|\.swiftlint\.yml|phpcs\.xml|phpstan\.neon|checkstyle\.xml|tslint\.json)$")  # fmt: skip
_COMMENT = compiled(r"(?://|#).*$|/\*.*?\*/", re.MULTILINE | re.DOTALL)


def told_as_kept(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each such sentence."""
    if not trace.ledger.changes:
        return
    for passage in sentences_of(report):
        if not passage.cells:
            yield from _kept(passage, report)


def _kept(passage: ReportPassage, report: str) -> Iterator[ActionClaim]:
    plain = without_code(passage.sentence.low)
    ways = [way for way in (VERSIONS, RULES_KEPT, TESTS_KEPT, NEW_CODE) if found("unchanged_parts", way, plain)]
    if not ways or found("unchanged_parts", "not_so", plain):
        return
    names = [name for name in names_in(passage.sentence.text) if len(name) > 2]
    for way in ways:
        if way == NEW_CODE:
            if names and not found("unchanged_parts", "of_tests", plain):
                yield content_claim(passage, way, name="\n".join(names), path=None)
        elif way != VERSIONS or found("unchanged_parts", "packages", plain):
            yield content_claim(passage, way, path=None, old=report[:4000] if way == VERSIONS else None)


def _versions(claim: ActionClaim, known: TextEvidence) -> str:
    for text in known.changed.values():
        if MANIFEST.search(text.path) is None or not text.old:
            continue
        old, new = (dict(_PINNED.findall(each)) for each in (text.old, text.new))
        other = next(
            (
                name
                for name in old
                if name in new
                and old[name] != new[name]
                and name not in _NO_PACKAGES
                and not _told_of(name, claim.old or "")
            ),
            None,
        )
        if other:
            return f"{text.path} had {other} {old[other]} and has {new[other]}"
    return ""


def _told_of(name: str, report: str) -> bool:
    """Whether a report speaks of a package itself: then it is not among the others."""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", report, re.IGNORECASE) is not None


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
    before = sum(tests_in(text.old) for text in texts)
    after = sum(tests_in(text.new) for text in texts)
    if not known.whole or any(MANY_CASES.search(text.new) for text in texts) or not 0 < after < before:
        return ""
    return f"there were {before} tests, and there are {after}"


def _code(claim: ActionClaim, known: TextEvidence) -> str:
    """Code that is said to do something now, where nothing but tests and documents was changed."""
    if not known.whole or not any(is_test(path) for path in known.changed) or not known.all_seen:
        return ""
    if any(not is_test(path) and ending(path) not in ("md", "rst", "txt") for path in known.changed):
        return ""
    for name in claim.names:
        for text in known.files():
            code = is_code(text.path) and not is_test(text.path)
            if code and definitions(name, text.new):
                return f"only tests were changed, and `{name}` in {text.path} is as it was"
    return ""


RULES = by_texts({VERSIONS: _versions, RULES_KEPT: _rules, TESTS_KEPT: _tests, NEW_CODE: _code}, whole=False)
