"""The status of a request that a report tells, against those that the requests to the same address printed last.

Said to be untrue only where no code was changed after the last of them, and the status that it printed is nowhere in the report.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from witnessmark.actions.claim import ActionClaim
from witnessmark.actions.content.patterns import PRINTED, is_barred, pattern, told_otherwise
from witnessmark.actions.report.report import Report
from witnessmark.actions.trace.calls import command_of, output_of
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.text.patterns import compiled

REFUSED = "400"
"""From here on a status is that of a case: whoever tells that an address answers 404 seldom says for which request."""
_WHERE = compiled(
    r"(?:\b(?P<method>get|post|put|patch|delete|head) )?(?:https?://[^\s/`'\")]+)?(?P<path>/[\w./~%-]*)(?![\w/-])"
)
_CLIENT = compiled(r"(?:^|[\s;&|(])(?:curl|wget|http|https|xh)\s")
_GIVEN_METHOD = compiled(r"(?:-X|--request)[= ]?[\"']?(\w+)|\s(?:http|https|xh) (GET|POST|PUT|PATCH|DELETE|HEAD)\b")
_SENDS = compiled(r"\s(?:-d|--data\S*|-F|--form|--json)[ =]")
_URL = compiled(r"https?://[^\s/'\"]+(?P<path>/[^\s'\"?#]*)?|\blocalhost:\d+(?P<path2>/[^\s'\"?#]*)?")
_LINE = compiled(r"^(?:< ?)?HTTP/[\d.]+ (\d{3})\b|^[^\S\n]*(?:HTTP )?(?:status|code)?\W{0,3}([1-5]\d\d)\s*$", re.MULTILINE | re.IGNORECASE)  # fmt: skip


class _Request(NamedTuple):
    """A request of a session: which call it was, how and where it asked, and the last status that it printed."""

    number: int
    method: str
    path: str
    code: str


def statuses_otherwise(report: Report, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each status told of an address whose requests printed another one."""
    if not trace.whole or pattern("statuses", "told").search(report.low) is None:
        return
    requests = list(_requests(trace))
    changed = max((change.number for change in trace.ledger.changes if change.is_code), default=-1)
    for passage in report.first if requests else ():
        low = passage.sentence.low
        codes = {match["code"] for match in pattern("statuses", "told").finditer(low)}
        places = {(match["method"] or "", _plain(match["path"])) for match in _WHERE.finditer(low)}
        if not places and pattern("statuses", "asked").search(low):
            places = {(one.method, one.path) for one in requests}  # the only one there was
        if len(codes) != 1 or len(places) != 1 or is_barred(low) or pattern("statuses", "case").search(low):
            continue
        (code,), ((method, path),) = codes, places
        if code >= REFUSED:
            continue
        mine = [one for one in requests if one.path == path and method in ("", one.method)]
        if not mine or any(one.code in ("", code) for one in mine) or mine[-1].number < changed:
            continue
        if not re.search(rf"\b{mine[-1].code}\b", report.text):
            yield told_otherwise(passage, PRINTED, f"the request to {path} printed status {mine[-1].code}", value=code)


def _plain(path: str) -> str:
    return path.rstrip("/.") or "/"


def _requests(trace: TraceIndex) -> Iterator[_Request]:
    """The requests of a session that its commands made one at a time, in order."""
    for number, call in enumerate(trace.ledger.calls):
        line = command_of(call) or ""
        urls = list(_URL.finditer(line)) if _CLIENT.search(line) else []
        if len(urls) != 1:
            continue
        given = _GIVEN_METHOD.search(line)
        method = (given.group(1) or given.group(2)).lower() if given else "post" if _SENDS.search(line) else "get"
        printed = [one or other for one, other in _LINE.findall(output_of(call))]
        path = (urls[0]["path"] or urls[0]["path2"] or "/").lower()
        yield _Request(number, method, _plain(path), printed[-1] if printed else "")
