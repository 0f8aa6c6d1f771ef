"""Statements that the session or the tree itself refutes: marks that no change has, runs that never were, places that nobody touched.

Each finder reads one kind of statement (patterns `refuted` of `lang/content.toml`) and looks at once whether it can be so. What a call out
of sight, a cut output or an earlier turn may have done is left alone.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from witnessmark.actions.claims.claim import ActionClaim, Ruling, unverifiable
from witnessmark.actions.claims.observations import TOLD_COMMAND, sentences_of, told, untrue
from witnessmark.actions.content.evidence import evidence_of
from witnessmark.actions.content.passages import (
    CODE,
    ReportPassage,
    clause_at,
    found,
    is_barred,
    number_of,
    pattern,
    without_code,
)
from witnessmark.actions.report.names import looks_like_command, path_kind
from witnessmark.actions.trace.calls import command_of, output_of
from witnessmark.actions.trace.changes import lasting
from witnessmark.actions.trace.index import TraceIndex, has_option
from witnessmark.actions.trace.ledger import CheckRun, code_changes
from witnessmark.actions.trace.scope import test_files
from witnessmark.actions.tree.view import TreeView
from witnessmark.text.patterns import compiled

Finder = Callable[[ReportPassage, TraceIndex], Iterable[ActionClaim]]


def _barred_before(passage: ReportPassage, match: re.Match[str]) -> bool:
    """Whether the clause of a statement plans, asks, supposes or denies it before it begins."""
    clause = clause_at(passage.sentence.low, *match.span())
    return is_barred(passage.sentence.low[passage.sentence.low.find(clause) : match.start()])


# --- what the trace settles by itself ----------------------------------------------------------------------------

_SKIPS_HOOKS = compiled(r"\bHUSKY=0\b|core\.hookspath=|\bSKIP=\w|\bLEFTHOOK=0\b", re.IGNORECASE)


def _hooks_skipped(passage: ReportPassage, trace: TraceIndex) -> Iterator[ActionClaim]:
    """Hooks that are said to have passed, where every commit of the session left them out."""
    match = found("refuted", "hooks_passed", passage.sentence.low)
    made = [entry for entry in trace.ledger.git if match and entry[2].target in ("commit", "push")]
    skipped = [
        entry
        for entry in made
        if "--no-verify" in entry[2].words
        or ("-n" in entry[2].words and entry[2].target == "commit")
        or _SKIPS_HOOKS.search(command_of(entry[1]))
    ]
    if match is not None and made and len(skipped) == len(made) and "pre-commit run" not in _lines(trace):
        yield told(
            passage, REFUTED, f"the hooks were left out (`{' '.join(skipped[-1][2].words)[:60]}`)", match.group()
        )


def _lines(trace: TraceIndex) -> str:
    return "\n".join(map(command_of, trace.ledger.calls))


_UPDATED = compiled(r"\bsnapshots?\b[^\n]{0,20}\b[1-9]\d* (?:updated|written)|\b[1-9]\d* snapshots? (?:\w+ )?(?:updated|written)", re.IGNORECASE)  # fmt: skip


def _snapshots(passage: ReportPassage, trace: TraceIndex) -> Iterator[ActionClaim]:
    """Snapshots that are said to be as they were, where a runner says that it updated some."""
    match = found("refuted", "no_snapshots", passage.sentence.low)
    runs = trace.ledger.of("test") if match is not None else []
    seen = next((line for run in runs for line in output_of(run.call).splitlines() if _UPDATED.search(line)), "")
    if match is not None and seen:
        yield told(passage, REFUTED, f"the runner printed: {seen.strip()[:60]}", match.group())


_SEARCHES = compiled(r"\b(?:grep|rg|ag|ack|findstr|find|fd|ast-grep|sg|semgrep|comby|Select-String)\b|search|grep|glob|find", re.IGNORECASE)  # fmt: skip


def _never_searched(passage: ReportPassage, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A search of the code that is told, where no call of the session searched anything."""
    match = found("refuted", "searched", passage.sentence.low)
    if match is None or _barred_before(passage, match):
        return
    if trace.ledger.calls and not any(_SEARCHES.search(f"{call.name} {command_of(call)}") for call in trace.ledger.calls):  # fmt: skip
        yield told(passage, REFUTED, "no call of the session searched the code", match.group())


_VERSIONS = compiled(r"\b\d+\.\d+(?:\.\d+)?\b|\b\d{2}\b")


def _options(passage: ReportPassage, trace: TraceIndex) -> Iterator[ActionClaim]:
    """Options that tests are said to pass with, of which no command of the session has one."""
    match = found("refuted", "with_options", passage.sentence.low)
    if match is None or _barred_before(passage, match):
        return
    typed = ("", *_OPTION.findall(_lines(trace).lower()))
    own = [option for option in _OPTION.findall(match["options"]) if not has_option(option, typed)]
    if own and trace.ledger.of("test"):
        yield told(passage, TOLD_COMMAND, f"it was never run with `{own[0]}`", match["options"], own[0])


def _tools(passage: ReportPassage, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A tool by which something is said to have been seen, that nothing in the session names."""
    match = found("refuted", "with_tool", passage.sentence.low)
    if match is None or _barred_before(passage, match) or not trace.ledger.active:
        return
    known = (*trace.session_texts().given, *trace.session_texts().shown)
    if not any(match["tool"] in text.lower() for text in known) and not trace.session_texts().cut:
        yield told(passage, REFUTED, f"nothing in the session names {match['tool']}", match["tool"])


_OPTION = compiled(r"(?<![\w-])--?[a-zA-Z][\w-]*")


def _versions(passage: ReportPassage, trace: TraceIndex) -> Iterator[ActionClaim]:
    """Tests told as run on several versions of a language, of which no command and no output has two."""
    match = found("refuted", "on_versions", passage.sentence.low)
    if match is None or is_barred(passage.sentence.low):
        return
    known = trace.session_texts()
    lost = [version for version in _VERSIONS.findall(match["versions"]) if not known.has(version)]
    if len(lost) > 1 and not known.cut and not re.search(r"\b(?:tox|nox|act|docker)\b", _lines(trace)):
        yield told(passage, REFUTED, f"nothing in the session has version {lost[0]} or {lost[1]}", match.group())


_ERROR_NAMES = compiled(r"`((?:[\w.]+\.)?[A-Z]\w+(?:Error|Exception))\b[^`\n]*`")


def _errors(passage: ReportPassage, trace: TraceIndex) -> Iterator[ActionClaim]:
    """An error that a run is said to have reported, of a type that nothing in the session has."""
    match = found("refuted", "reported", passage.sentence.low)
    named = _ERROR_NAMES.match(passage.sentence.text, match.end()) if match is not None else None
    if match is None or named is None or trace.ledger.turns > 1 or not trace.ledger.of("test"):
        return
    name, known = named[1].rpartition(".")[2], trace.session_texts()
    if name not in trace.ledger.asked and not known.has(name) and not known.cut:
        yield told(passage, REFUTED, f"no output of the session has {named[1]}", named[0].strip("`"))


_FAILED_TEST = compiled(r"^(?:FAILED|ERROR) \S*?::(?:\w+::)*(\w+)|^\s*--- FAIL: (\w+)|^test (?:\w+::)*(\w+) \.\.\. FAILED", re.MULTILINE)  # fmt: skip


def _blamed(run: CheckRun) -> set[str]:
    """The tests that a run names as failed."""
    return {name for groups in _FAILED_TEST.findall(output_of(run.call)) for name in groups if name}


def _wrong_test(passage: ReportPassage, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A test that is told to fail, where the last run names each test that failed, and not this one."""
    ledger, match = trace.ledger, found("refuted", "still_fails", passage.sentence.low)
    runs = ledger.of("test") if match is not None else []
    if match is None or not runs or runs[-1].outcome != "failed" or ledger.opaque_after(runs[-1].number):
        return
    blamed, last = _blamed(runs[-1]), runs[-1]
    whole = bool(last.counts) and len(blamed) == max(count.bad for count in last.counts)
    name = (
        (match.groupdict().get("test") or match.groupdict().get("test2") or "").rpartition("::")[2].removesuffix("()")
    )
    ever = any(name in {test.lower() for test in _blamed(run)} for run in runs)
    changed = lasting(change for change in code_changes(ledger) if change.number > last.number)
    if name and whole and not ever and not changed:
        yield told(passage, REFUTED, f"the last run names {', '.join(sorted(blamed))[:60]} and not this test", name)


def _before(passage: ReportPassage, trace: TraceIndex) -> Iterator[ActionClaim]:
    """How many tests are said to have failed before the change, where the runs before it printed other numbers."""
    match = found("refuted", "failed_before", passage.sentence.low)
    if match is None or trace.ledger.opaque:
        return
    first = min((change.number for change in code_changes(trace.ledger)), default=0)
    runs = [run for run in trace.ledger.of("test") if run.number < first and run.counts]
    said = number_of(next(filter(None, match.groups())))
    printed = {count.bad for run in runs for count in run.counts}
    if said and runs and said not in printed:
        yield told(passage, REFUTED, f"the run before the change printed: {runs[-1].counts[0]}", match.group())


def _all_packages(passage: ReportPassage, trace: TraceIndex) -> Iterator[ActionClaim]:
    """Tests told as run in every package, where all runs were made in folders of their own."""
    match = found("refuted", "all_packages", passage.sentence.low)
    runs = trace.ledger.of("test") if match is not None and not trace.ledger.opaque else []
    folders = {command.folder for run in runs for command in run.commands}
    if match is not None and runs and all(folders) and not is_barred(passage.sentence.low):
        yield told(passage, PACKAGES, f"tests were run in {', '.join(sorted(folders))} only", match.group(), "\n".join(folders))  # fmt: skip


def _rule_packages(claim: ActionClaim, _scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Untrue where there are tests beside the folders in which some were run."""
    root = trace.root if trace is not None else ""
    inside = tuple(f"{posixpath.normpath(posixpath.join(root, folder))}/" for folder in (claim.old or "").split("\n"))
    other = any(not path.startswith(inside) for path in test_files(root)) if root else False
    return untrue(claim) if other else unverifiable("no other tests are known", there="not known")


def _nothing_done(passage: ReportPassage, trace: TraceIndex) -> Iterator[ActionClaim]:
    """Work on code that is told by the writer, in a session of one turn that changed nothing at all."""
    ledger = trace.ledger
    match = found("refuted", "i_changed", without_code(passage.sentence.low)) if ledger.turns == 1 else None
    if match is None:
        return
    idle = ledger.calls and not (ledger.changes or ledger.refused or ledger.opaque or ledger.active)
    if idle and trace.shows_changes and not is_barred(passage.sentence.low):
        yield told(passage, NOTHING_DONE, "nothing was changed in this session", match.group())


# --- what needs the tree -----------------------------------------------------------------------------------------

_MARKERS: Mapping[str, re.Pattern[str]] = {
    "noqa": compiled(r"#\s*noqa"), "type: ignore": compiled(r"#\s*type:\s*ignore"), "xfail": compiled(r"xfail|expectedFailure|failing\("),
    "skip": compiled(r"\bskip|@Disabled|@Ignore|#\[ignore|\bxit\(|\bxdescribe\("), "nosec": compiled(r"nosec"), "pragma: no cover": compiled(r"pragma:\s*no.?cover"),
    "eslint-disable": compiled(r"eslint-disable"), "ts-ignore": compiled(r"@ts-(?:ignore|expect-error|nocheck)"), "nolint": compiled(r"nolint"),
    "pylint: disable": compiled(r"pylint:\s*disable"), "docstring": compiled(r"\"\"\"|'''|/\*\*|///|^\s*#\s", re.MULTILINE),
}  # fmt: skip
"""Marks that a report names, and how each stands in code."""


def _marked(passage: ReportPassage, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A mark that is said to have been put into the code, or not to be in it."""
    low = passage.sentence.low
    for role, key in ((MARKED, "marked"), (UNMARKED, "unmarked")):
        match = found("refuted", key, low)
        if match is None or (role == MARKED and is_barred(clause_at(low, *match.span()))):
            continue
        mark = next((name for name in _MARKERS if name in match.group().replace("expected failure", "xfail")), "")
        if mark and trace.ledger.changed:
            yield told(passage, role, "no change has it" if role == MARKED else "a change put it there", mark)


def _rule_marked(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Whether a change brought the mark: any for one that is denied, none, with every change known, for one that is told."""
    mark = _MARKERS[claim.value or ""]
    known = evidence_of(scene, trace) if scene is not None else None
    texts = [(change.old or "", change.new or "") for change in (trace.ledger.changes if trace else ())]
    texts += [(text.old, text.new) for text in known.changed.values()] if known is not None else []
    brought = any(len(mark.findall(new)) > len(mark.findall(old)) for old, new in texts)
    if claim.role == UNMARKED:
        return untrue(claim) if brought else unverifiable("no change that is known has it", there="not seen")
    there = (
        claim.value != "docstring"
        and known is not None
        and any(mark.search(text.new) for text in known.changed.values())
    )
    if brought or there or known is None or not known.whole:
        return unverifiable("a change may have it", there="not known")
    return untrue(claim)


def _used_in(passage: ReportPassage, _trace: TraceIndex) -> Iterator[ActionClaim]:
    """A name that is said to be used in a file; held against what that file has."""
    low = passage.sentence.low
    for match in pattern("refuted", "used_in").finditer(low):
        name, path = _as_told(passage, match, "name"), _as_told(passage, match, "path")
        if path_kind(path, in_code=True) == "path" and not is_barred(clause_at(low, *match.span())):
            yield passage.sentence.claim(
                "content", role=USED_IN, name=f"{path} does not have it", value=name, path=path
            )


def _as_told(passage: ReportPassage, match: re.Match[str], group: str) -> str:
    """A group of a match, in the letters of the report."""
    ways = [key for key in match.re.groupindex if key.rstrip("2") == group and match[key] is not None]
    return passage.sentence.text[match.start(ways[0]) : match.end(ways[0])] if ways else ""


_LAST_NAME = compiled(r"[A-Za-z_]\w*")


def _rule_used_in(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Untrue where the file is there and has no such name."""
    text = evidence_of(scene, trace).now(claim.path or "") if scene is not None else None
    names = _LAST_NAME.findall((claim.value or "").partition("(")[0])
    if text is None or not names or len(names[-1]) < 3:
        return unverifiable("there is no such file to look at", there="not looked at")
    return untrue(claim) if names[-1] not in text else unverifiable("the file has the name", there="there")


def _copied_to(passage: ReportPassage, _trace: TraceIndex) -> Iterator[ActionClaim]:
    """A file that something is said to have been copied to or left at."""
    low = passage.sentence.low
    match = found("refuted", "copied_to", low)
    if match is not None and not _barred_before(passage, match):
        path, left = _as_told(passage, match, "path"), match["path2"]
        yield passage.sentence.claim(
            "content", role=COPIED, name=f"{path} is not there", value=path, path=path, old=left
        )


def _rule_copied(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    path = claim.path or ""
    if scene is None or trace is None or path.startswith(("/", "~", "$")) or "*" in path:
        return unverifiable("it may lie out of sight", there="not looked at")
    gone = scene.relative(path) is not None and scene.state(path).state == "absent"
    named = not claim.old and any(path.rpartition("/")[2] in command_of(call) for call in trace.ledger.calls)
    if not gone or named or any(other.endswith(f"/{path}") for other in scene.paths()):
        return unverifiable("it is there, or was", there="there")
    return untrue(claim)


def _in_both(passage: ReportPassage, _trace: TraceIndex) -> Iterator[ActionClaim]:
    """Work that is told of two places in one breath; each has to have a change."""
    match = found("refuted", "in_both", passage.sentence.low)
    if match is None or _barred_before(passage, match):
        return
    for way in ("path", "other"):
        path = _as_told(passage, match, way).rstrip("/")
        yield passage.sentence.claim(
            "content", role=IN_BOTH, name=f"nothing was changed in {path}", value=path, path=path
        )


def _rule_in_both(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    path = claim.path or ""
    root = scene.world.root if scene is not None else None
    if scene is None or trace is None or root is None or not Path(root, path).is_dir() or ".." in path:
        return unverifiable("it is no folder of the tree", there="not looked at")
    known = evidence_of(scene, trace)
    places = {*scene.changed_paths, *known.changed, *(change.place for change in trace.ledger.changes)}
    if any(f"/{place}".find(f"/{path}/") >= 0 for place in places) or not (trace.shows_changes or known.whole):
        return unverifiable("something in it was changed", there="changed")
    return untrue(claim)


def _by_means(passage: ReportPassage, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A name in code by which work is said to be done, or that a test is said to be for, where nothing in the session has it."""
    low, text = passage.sentence.low, passage.sentence.text
    if not trace.ledger.changed:
        return
    for match in pattern("refuted", "by_means").finditer(low):
        code = CODE.match(text, match.end())
        names = _LAST_NAME.findall(code[1].partition("(")[0]) if code is not None else []
        if code is None or not names or looks_like_command(code[1]) or is_barred(clause_at(low, *match.span())):
            continue
        name = names[-1]
        if (
            len(name) > 2
            and path_kind(code[1], in_code=True) != "path"
            and not trace.session_texts().has(name)
            and not trace.session_texts().cut
        ):
            yield told(passage, BY_MEANS, f"nothing in the session has {name}", name)


def _rule_by_means(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    if scene is None or trace is None:
        return unverifiable("there is no tree to look at", there="not looked at")
    known, name = evidence_of(scene, trace), (claim.value or "").lower()
    if not known.whole or any(name in text.new.lower() for text in known.changed.values()):
        return unverifiable("a change may have it", there="not known")
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    if any(map(word.search, (*trace.session_texts().shown, *trace.session_texts().given, trace.ledger.asked))):
        return unverifiable("the session has it in other letters", there="seen")
    return untrue(claim)


def _rule_nothing_done(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    if scene is not None and scene.knows_before and scene.changed_paths:
        return unverifiable("the tree was changed", there="changed")
    return untrue(claim)


REFUTED, MARKED, UNMARKED = "refuted", "marked", "unmarked"
USED_IN, COPIED, IN_BOTH, BY_MEANS = "used_in", "copied_to", "in_both", "by_means"
NOTHING_DONE, PACKAGES = "nothing_done", "all_packages"
_BY_TRACE: tuple[Finder, ...] = (
    _hooks_skipped, _options, _tools, _snapshots, _never_searched, _versions, _errors, _wrong_test, _before, _all_packages, _nothing_done,
)  # fmt: skip
_BY_TREE: tuple[Finder, ...] = (_marked, _used_in, _copied_to, _in_both, _by_means)
"""What the tree says holds whoever did the work: a subagent's changes are in it too."""
RULES: Mapping[str, Callable[[ActionClaim, TreeView | None, TraceIndex | None], Ruling]] = {
    REFUTED: lambda claim, _scene, _trace: untrue(claim),
    MARKED: _rule_marked,
    UNMARKED: _rule_marked,
    USED_IN: _rule_used_in,
    COPIED: _rule_copied,
    IN_BOTH: _rule_in_both,
    BY_MEANS: _rule_by_means,
    NOTHING_DONE: _rule_nothing_done,
    PACKAGES: _rule_packages,
}


def refuted_by_session(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """The statements of a report that the session or the tree refutes, or may."""
    finders = (*_BY_TRACE, *_BY_TREE) if trace.whole else _BY_TREE
    for passage in sentences_of(report):
        for finder in finders if not passage.cells else ():
            yield from finder(passage, trace)
