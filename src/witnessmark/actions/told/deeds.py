"""Calls that a report says were made, where a session that shows all of its calls has none that could be meant: a browser, a request, a page, a profiler.

The table is `[deeds]` of `lang/content.toml`: words that tell of it, and what any call for it has. A call that has it, whatever it
did, bears the report out; so does a program or script of which nobody can say what it ran.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from witnessmark.actions.claims.claim import ActionClaim, Ruling, absent, contradicted, unverifiable
from witnessmark.actions.claims.observations import PRINTED, sentences_of, told
from witnessmark.actions.content.passages import ReportPassage, found, is_barred, pattern
from witnessmark.actions.report.lexicon import table
from witnessmark.actions.report.names import path_kind
from witnessmark.actions.trace.calls import ToolCall, command_of, output_of
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.trace.scope import may_hide, tasks_name
from witnessmark.actions.tree.view import TreeView
from witnessmark.core.verdict import counted
from witnessmark.text.numerals import one_word
from witnessmark.text.patterns import compiled

DEED = "told_deed"
REQUESTS = "told_requests"
MAX_INPUT = 20_000


@functools.cache
def _deeds() -> Mapping[str, dict[str, Any]]:
    return {name: deed for name, deed in table("content")["deeds"].items() if isinstance(deed, dict)}


def never_done(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each deed that a sentence tells of and that no call of the session can have been."""
    if not trace.whole or not trace.ledger.active:
        return
    low = report.lower()
    likely = [name for name, deed in _deeds().items() if any(word in low for word in deed["needs"])]
    if not likely:
        return
    asked = [_asked(call) for call in trace.ledger.calls]
    for name in likely:
        shown = compiled(_deeds()[name]["shown"], re.IGNORECASE)
        if any(map(shown.search, asked)):
            continue
        for passage in sentences_of(report):
            match = _said(name, passage)
            if match is not None:
                yield passage.sentence.claim("content", role=DEED, value=match.group()[:120].strip(), old=name)
                break


def _asked(call: ToolCall) -> str:
    """A call as it was made: its tool, and what it was given; of a file that it read or wrote, only the name."""
    given = command_of(call) or (call.input.get("file_path", call.input) if isinstance(call.input, Mapping) else "")
    return f"{call.name} {str(given)[:MAX_INPUT]}{' in the background' if call.background else ''}"


def _said(name: str, passage: ReportPassage) -> re.Match[str] | None:
    """Where a sentence says that its writer did it; nothing where it plans, denies or supposes it, or somebody else did it."""
    low = passage.sentence.low
    match = compiled(_deeds()[name]["said"]).search(low)
    if match is None or passage.sentence.others:
        return None
    clause = low[max(low.rfind(". ", 0, match.start()), low.rfind("; ", 0, match.start()), 0) : match.end()]
    return None if is_barred(clause) or pattern("deeds", "others").search(clause) else match


def rule_deed(claim: ActionClaim, _scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Such a claim: untrue where no script and no unknown program of the session may have done it."""
    deed = _deeds()[claim.old or ""]
    if trace is None or _hidden(trace, deed["programs"].split()):
        return unverifiable("something in the session may have done it out of sight", there="not known")
    return absent(trace, f"no call of the session {deed['why']}")


def _hidden(trace: TraceIndex, programs: list[str]) -> bool:
    return may_hide(trace.ledger, programs, trace.root) is not None or tasks_name(trace.ledger, programs, trace.root)


# --- how many requests ---------------------------------------------------------------------------------------------

_URL = compiled(r"https?://[^\s'\"`)\\]+|\blocalhost:\d+[^\s'\"`)\\]*")
_MANY = compiled(r"\b(?:for|while|until|xargs|parallel|seq)\b|\$[\w{(]|--input-file|--config|\s-[iK]\s|\{[^}]*[,.][^}]*\}", re.IGNORECASE)  # fmt: skip
"""A line that may ask for more addresses than it names."""


def fewer_requests(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each number of addresses that are said to have been requested, where the calls name fewer."""
    if not trace.whole or not trace.ledger.active:
        return
    for passage in sentences_of(report):
        match = pattern("deeds", "requested").search(passage.sentence.low)
        count = _number(match["count"]) if match is not None else None
        if match is None or count is None or is_barred(passage.sentence.low[: match.end()]):
            continue
        asked = [_asked(call) for call in trace.ledger.calls if _URL.search(_asked(call)) and not _writes(call)]
        urls = {url.rstrip("/.,") for line in asked for url in _URL.findall(line)}
        if urls and len(urls) < count and not any(map(_MANY.search, asked)):
            there = f"the calls of the session name {len(urls)} addresses"
            yield passage.sentence.claim("content", role=REQUESTS, value=match.group()[:120], name=there, old="request")


def _writes(call: ToolCall) -> bool:
    return isinstance(call.input, Mapping) and "file_path" in call.input


def _number(word: str) -> int | None:
    return int(word) if word.isdigit() else one_word(word)


def rule_requests(claim: ActionClaim, _scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Such a claim: untrue where no script and no unknown program may have made the others."""
    if trace is None or _hidden(trace, _deeds()["request"]["programs"].split()):
        return unverifiable("something in the session may have made other requests", there="not known")
    return contradicted("contradicted_claim", claim.name or "", claim.name or "")


# --- how often, and what was read ----------------------------------------------------------------------------------


def fewer_runs(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each number of times that tests are said to have been run, where the session ran them less often."""
    if not trace.whole or not trace.ledger.active or trace.ledger.opaque:
        return
    runs = trace.ledger.of("test")
    rounds = [run.rounds for run in runs]
    if not runs or None in rounds:
        return  # a line that may have run them any number of times
    made = sum(filter(None, rounds))
    for passage in sentences_of(report):
        match = found("deeds", "repeated", passage.sentence.low)
        words = next(filter(None, match.groups())) if match is not None else ""
        count = 2 if words == "twice" else 3 if words == "thrice" else _number(words)
        if match is not None and count is not None and count > made and not is_barred(passage.sentence.low[: match.end()]):  # fmt: skip
            yield told(passage, PRINTED, f"the session has {counted(made, 'test run')}", match.group())


_READS_MANY = compiled(r"[*?]|\s-\w*[rR]\b|\b(?:rg|find|fd|xargs|git (?:diff|show|log|grep)|tree|for|while)\b|\$")
"""A command that may have shown files which it does not name."""


def never_read(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each file that the writer says to have read, where no call of the session names it or prints its name."""
    texts = trace.session_texts() if trace.whole and trace.ledger.active else None
    if texts is None or texts.cut or any(map(_READS_MANY.search, map(command_of, trace.ledger.calls))):
        return
    for passage in sentences_of(report):
        low = passage.sentence.low
        match = found("deeds", "read", low)
        if match is None or is_barred(low[: match.end()]) or pattern("deeds", "others").search(low[: match.end()]):
            continue
        name = match["path"].rstrip("/").rpartition("/")[2]
        stem = name.partition(".")[0]
        if path_kind(match["path"], in_code=True) == "path" and len(stem) > 2 and stem not in texts.everything.lower():
            yield told(passage, PRINTED, f"no call of the session opened {match['path']}", match["path"])


# --- what is left running ------------------------------------------------------------------------------------------

_STARTS = compiled(r"&(?=\s*(?:$|\n|\w|\)))(?<!&&)|\bnohup\b|\bup -d\b|\brun -d\b|\b(?:pm2|systemctl|service|brew services|docker|docker compose|docker-compose) (?:\S+ )?(?:start|restart|up)\b| in the background", re.IGNORECASE)  # fmt: skip
_ENDS = compiled(r"\b(?:kill|pkill|killall|fuser -k|kill-port|docker (?:stop|kill|rm)|docker[ -]compose (?:down|stop|rm)|systemctl stop|pm2 (?:stop|delete|kill)|killshell|killbash|taskstop)\b", re.IGNORECASE)  # fmt: skip


def left_running(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each server that is said to be left running, where the session ended what it had started."""
    started = _last(_STARTS, trace)
    ended = _last(_ENDS, trace)
    if started is None or ended is None or ended[:2] < started[:2]:
        return
    for passage in sentences_of(report):
        match = pattern("deeds", "running").search(passage.sentence.low)
        if match is not None and not is_barred(passage.sentence.low[: match.end()]):
            yield told(passage, PRINTED, f"what was started was ended again: `{ended[2]}`", match.group())
            return


def _last(wanted: re.Pattern[str], trace: TraceIndex) -> tuple[int, int, str] | None:
    """Which call last has it, where in it, and the words around."""
    for number in range(len(trace.ledger.calls) - 1, -1, -1):
        call = trace.ledger.calls[number]
        line = f"{command_of(call) or call.name}{' in the background' if call.background else ''}"
        places = [match.start() for match in wanted.finditer(line)]
        if places and not _refused(call):
            return number, places[-1], line[places[-1] : places[-1] + 40].strip()
    return None


def _refused(call: ToolCall) -> bool:
    return call.ok is False and "No such process" in output_of(call)
