"""Facts that a program printed, told otherwise: the status of a request, vulnerabilities that were found, how many commits there are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.observations.report_sentences import sentences_of, told
from witnessmark.actions.claims.test_runs import admits
from witnessmark.actions.content.passages import ReportPassage, without_code
from witnessmark.actions.content.wording import number_of, pattern
from witnessmark.actions.trace.calls import command_of, output_of
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.trace.ledger import CheckRun
from witnessmark.actions.trace.outcomes import COMMITTED
from witnessmark.text.patterns import compiled

ROLE = "printed"
_REQUESTS = frozenset({"curl", "wget", "http", "https", "xh", "httpie"})
_STATUS = compiled(r"\bHTTP/[\d.]+ (\d{3})\b|(?<![\w.])([1-5]\d\d)(?![\w.:])")
_FOUND = compiled(
    r"\b(?P<none>found 0 vulnerabilities|no known vulnerabilities|0 vulnerabilities|no vulnerabilities)|\b(?P<some>[1-9]\d*) (?:known |(?:low|moderate|high|critical|medium) (?:severity )?)*vulnerabilit",
    re.IGNORECASE,
)


_WHOLE = compiled(r"(?<![\d.])\d+(?![\d.]*\d)")
_LEFT = compiled(r"\b(\d{1,9}) (?:xfailed|skipped|pending|todo|ignored|deselected)\b")


def told_otherwise(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each such fact that the last output about it contradicts."""
    if not trace.whole or not trace.ledger.calls:
        return
    printed = PrintedFacts(report, trace)
    for passage in sentences_of(report):
        if not passage.cells:
            plain = without_code(passage.sentence.low)
            for look in (_status, _vulnerable, _commits, _tests, _tag):
                yield from look(passage, plain, printed)


@dataclass(frozen=True)
class PrintedFacts:
    """What the programs of a session printed, each looked up once, when a sentence first asks for it."""

    report: str
    trace: TraceIndex

    @cached_property
    def statuses(self) -> list[set[str]]:
        """The status of each request; none where one of them shows none."""
        requests = [run for run in self.trace.session_runs() if run.program in _REQUESTS]
        shown = [
            {one or other for one, other in _STATUS.findall(run.output)}
            for run in requests
            if re.search(r"http_code|response_code|^HTTP/", f"{' '.join(run.words)}\n{run.output}", re.MULTILINE)
        ]
        return shown if len(shown) == len(requests) and all(shown) else []

    @cached_property
    def vulnerable(self) -> str:
        """The last words on vulnerabilities, where they say that there are some."""
        found = [(call, fact) for call in self.trace.ledger.calls for fact in _FOUND.finditer(output_of(call))]
        if (
            not found
            or not found[-1][1]["some"]
            or any(fact["none"] and "audit" in command_of(call) for call, fact in found)
        ):
            return ""  # an audit that found none may be the one that is meant
        return found[-1][1].group()

    def written(self, code: str) -> bool:
        """Whether a change of the session has a status: then code may answer with it, whatever the requests were."""
        whole = re.compile(rf"(?<!\d){code}(?!\d)")
        return any(whole.search(change.new or "") for change in self.trace.ledger.changes)

    @cached_property
    def commits(self) -> int:
        """How many commits git printed, where it printed each of them; else 0."""
        git = [run for run in self.trace.session_runs() if run.program == "git"]
        made = sum(len(COMMITTED.findall(output_of(call))) for call in self.trace.ledger.calls)
        commits = [run for run in git if run.verb in ("commit", "merge", "rebase", "cherry-pick", "revert", "am")]
        quiet = any({"-q", "--quiet"} & set(run.words) for run in commits)
        return made if len(commits) == made and not quiet else 0

    @cached_property
    def tests(self) -> list[CheckRun]:
        """The test runs, where all of them are seen and the report speaks of no failure."""
        runs = self.trace.ledger.of("test")
        hidden = not runs or self.trace.ledger.opaque_after(runs[0].number) or admits(self.report)
        return [] if hidden else runs

    @cached_property
    def numbers(self) -> list[set[str]]:
        """The whole numbers that each test run printed."""
        return [set(_WHOLE.findall(output_of(run.call))) for run in self.tests]

    @cached_property
    def changed(self) -> int:
        """The place of the last change."""
        return max((change.number for change in self.trace.ledger.changes), default=-1)

    @cached_property
    def left(self) -> re.Match[str] | None:
        """How many tests the last run left out, where it says so."""
        return _LEFT.search(output_of(self.tests[-1].call))


def _tests(passage: ReportPassage, plain: str, shown: PrintedFacts) -> Iterator[ActionClaim]:
    """`the tests pass` where no run had any, `148 tests, OK` where the run of so many failed or left some out."""
    passes = pattern("printed", "tests_pass").search(plain)
    match = pattern("printed", "tests_counted").search(plain)
    if (passes is None and match is None) or pattern("printed", "not_so").search(plain) or not shown.tests:
        return
    runs = shown.tests
    if passes and all(run.outcome == "none" for run in runs):
        yield told(passage, ROLE, "no test ran", value=passage.sentence.text[:60])
        return
    count = match and (match["n"] or match["m"])
    number = number_of(count or "")
    if number < 2:
        return
    printed = [run for run, numbers in zip(runs, shown.numbers, strict=True) if str(number) in numbers]
    if printed and printed[-1] is not runs[-1] and all(run.outcome == "failed" and run.sure for run in printed):
        if shown.changed <= printed[-1].number:
            yield told(passage, ROLE, f"the run of {number} tests failed", value=str(number))
    whole = _PENDING.search(output_of(runs[-1].call))
    if whole and int(whole[1]) == number and shown.changed <= runs[-1].number and "all" in plain:
        yield told(passage, ROLE, f"of {number} examples {whole[2]} did not run (pending)", value=str(count))
        return
    left, since = shown.left, shown.changed > runs[-1].number
    passed = next((each.passed for each in runs[-1].counts if each.passed is not None), None)
    if left and not printed and not since and passed is not None and passed + int(left[1]) == number:
        yield told(passage, ROLE, f"{passed} passed, {left.group()}", value=str(count))


_PENDING = compiled(r"\b(\d{1,9}) examples?, 0 failures, ([1-9]\d{0,8}) pending\b")
"""RSpec counts what is pending among its examples."""


def _tag(passage: ReportPassage, plain: str, shown: PrintedFacts) -> Iterator[ActionClaim]:
    """`main and the tag pushed`: every push printed what it sent, and no tag is among that."""
    if pattern("printed", "tag_pushed").search(plain) is None or pattern("printed", "not_so").search(plain):
        return
    pushes = [run for run in shown.trace.session_runs() if run.program == "git" and run.verb == "push"]
    tags = [run for run in shown.trace.session_runs() if run.program == "git" and run.verb == "tag" and not run.code]
    names = {word for run in tags for word in run.words[2:] if not word.startswith("-")}
    if not pushes or not tags or shown.trace.opaque:
        return
    for run in pushes:
        line = " ".join(run.words)
        if "->" not in run.output or re.search(r"tag|--mirror|--all|\*", f"{line}\n{run.output}"):
            return
        if any(name in line or name in run.output for name in names):
            return
    yield told(passage, ROLE, f"`{' '.join(pushes[-1].words)[:60]}` sent no tag", value="tag")


def _status(passage: ReportPassage, plain: str, shown: PrintedFacts) -> Iterator[ActionClaim]:
    """`curl … came back with 200`: the last request of the session printed another status, and none printed that one."""
    low = passage.sentence.low
    match = pattern("printed", "status").search(low)
    if match is None or pattern("printed", "not_so").search(without_code(low[: match.start()])):
        return
    asked = pattern("printed", "asked").search(low) is not None
    if shown.written(match["code"]) and not asked:
        return
    if not asked and pattern("printed", "behaves").search(match.group()):
        return  # how it answers, not what was seen
    if shown.statuses and not any(match["code"] in codes for codes in shown.statuses):
        codes = ", ".join(sorted(shown.statuses[-1]))
        yield told(passage, ROLE, f"the requests printed {codes}", value=match["code"])


def _vulnerable(passage: ReportPassage, plain: str, shown: PrintedFacts) -> Iterator[ActionClaim]:
    """`no known vulnerabilities`: the last output that speaks of them has some."""
    match = pattern("printed", "no_vulnerabilities").search(passage.sentence.low)
    if match is None or pattern("printed", "not_so").search(plain[: plain.find(match.group()[:6])] or " "):
        return
    if shown.vulnerable:
        yield told(passage, ROLE, f"the last output has {shown.vulnerable}ies", value=match.group())


def _commits(passage: ReportPassage, plain: str, shown: PrintedFacts) -> Iterator[ActionClaim]:
    """`committed in two parts`: git printed fewer commits in all of the session."""
    match = pattern("printed", "commits").search(plain)
    if match is None or pattern("printed", "not_so").search(plain):
        return
    count = next(filter(None, match.groups()))
    number = number_of(count)
    made = shown.commits
    if 0 < made < number:
        yield told(passage, ROLE, f"git printed {made} commit{'s' if made > 1 else ''}", value=count)
