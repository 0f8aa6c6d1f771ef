"""Whether a text stands in place of a result: a traceback, an error message, a call that never came through, or word of work that only begins.

The one place that says whether a tool call failed. Only what opens a text counts. One that has a result and speaks of errors in it is not a failure, and one that was asked for (`Write an error message …`)
is the result.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from witnessmark.core.case import Evidence
from witnessmark.text import lang
from witnessmark.text.patterns import compiled
from witnessmark.text.sentences import Span, sentence_spans
from witnessmark.text.words import letters as words

_OPENS = compiled(
    r"""^\W*(?:
      traceback\s+\(most\s+recent\s+call\s+last\)
    | (?:fatal|panic|uncaught|unhandled)\b[^.\n]{0,40}(?:error|exception|panic|:)
    | (?:[\w.]+)?(?:error|exception)\b\s*(?:\d{3}\b)?\s*[:\]–-]
    | error\s*[:!]
    | (?:error|exception)\s+(?:while|when|occurred|raised|thrown|code\s*\d|(?:process|read|writ|load|fetch|pars|connect|open|creat|runn|execut|call|send|sav|updat|gett)ing)\b
    | exception\s+in\s+thread\b
    | rate\s+limit\s+(?:reached|exceeded|hit)\b
    | (?:http\s+)?[45]\d\d\s+(?:client\s+|server\s+)?(?:error|service\s+unavailable|internal|bad\s+gateway|not\s+found|forbidden|unauthorized|too\s+many)
    | (?:the\s+)?(?:request|connection|call|query|command|job|task|agent|tool)\b[^.\n]{0,60}\b(?:timed\s+out|was\s+refused|was\s+aborted|crashed|could\s+not\s+be\s+reached)
    | (?:the\s+)?(?:request|fetch|call|download)\s+failed\s+(?:with|:)
    | (?:timeout|segmentation\s+fault|killed|out\s+of\s+memory|connection\s+refused|permission\s+denied)\b
    )""",
    re.IGNORECASE | re.VERBOSE,
)
MOST_WORDS = 80
"""A longer text that opens like an error, or with what will be done, has more to tell than that."""


_ERROR_ALONE = compiled(
    r"""^\s*\{\s*["']errors?["']\s*:\s*(?:"[^"]+"|'[^']+'|\{[^{}]+\}|\[[^\[\]]+\])"""
    r"""(?:\s*,\s*["'](?:code|status|message|detail|details|type|reason|request_id|trace_id|retry_after)["']\s*:\s*(?:"[^"]*"|'[^']*'|[\w.-]+))*\s*\}\s*$""",
    re.IGNORECASE,
)
"""Data that hold an error and what is said of it, and no result beside it."""


def asked_for(kind: Literal["failure", "refusal", "announcement"], asked: str) -> bool:
    """Whether words that say what is to be done ask for such a text: `Write an error message`, `Reply that we decline`.

    >>> asked_for("failure", "Give the traceback"), asked_for("failure", "Fix the error")
    (True, False)
    """
    return any(re.search(pattern, asked, re.IGNORECASE) for pattern in lang.rows("missions", kind))


def failure(text: str, asked: str = "") -> Span | None:
    """Where a text says that it is a failure, or None; a traceback at its beginning is one at any length, unless one was `asked` for."""
    found = _OPENS.match(text) or _ERROR_ALONE.match(text)
    if found is None or asked_for("failure", asked):
        return None
    trace = found.group().casefold().lstrip().startswith("traceback")
    return found.span() if trace or len(text.split()) <= MOST_WORDS else None


_TRACE = compiled(
    r"\s*(?:```\w*\s*)?(?:traceback \(most recent call last\):|exception in thread \"|panic: |thread '[^'\n]*' panicked at )",
    re.IGNORECASE,
)
_TRACED = compiled(
    r"\s|[\w.]*(?:Error|Exception|Interrupt|Exit|Warning|Iteration)\b|caused by:|(?:traceback|during handling|the above exception|exception in|panic:|thread|goroutine|note:|```|exit status)",
    re.IGNORECASE,
)
"""A line of a traceback: what is indented, what was raised, and what leads from one to the next."""


def crash(text: str, asked: str = "") -> bool:
    r"""Whether a text is a traceback from its first line to its last, and what was `asked` for says nothing of errors or of what a program prints.

    >>> trace = "Traceback (most recent call last):\n  File 'a.py', line 1\nKeyError: 'x'"
    >>> crash(trace), crash(trace + "\n\nThe key x is missing."), crash(trace, "Run a.py and show what it prints")
    (True, False, False)
    """
    if _TRACE.match(text) is None or not lang.words("of_a_run").isdisjoint(words(asked.lower())):
        return False
    return all(_TRACED.match(line) for line in text.splitlines() if line)


def announcement(text: str, asked: str = "") -> Span | None:
    """Where a text announces work, if it has nothing else to say; None for any other text, and where such words were `asked` for.

    >>> announcement("Now let me scan the hosts."), announcement("Let me check: 3 hosts are up.")
    ((0, 26), None)
    """
    if len(text.split()) > MOST_WORDS or asked_for("announcement", asked):
        return None
    said = [(span, text[slice(*span)].lstrip("¡*_ ")) for span in sentence_spans(text)]
    announced = [span for span, sentence in said if lang.speech("announces").match(sentence)]
    other = (one for span, one in said if span not in announced and not lang.speech("prepares", "greeting").match(one))
    return announced[0] if announced and not any(other) else None


def undone(text: str, asked: str) -> bool:
    """Whether all that a text says is that the work asked for was not done, is still to come, or stopped; or it says nothing, where there must be something.

    That nothing was found, or that something else failed, is a result: so is such a text where the words ask for that.

    >>> undone("I cannot count the boilers.", "count the boilers"), undone("I could not find any.", "find leaks")
    (True, False)
    """
    spoken = words(asked.lower())
    if not spoken or not (lang.words("of_a_run") | lang.listed("missions", "may_be_nothing")).isdisjoint(spoken):
        return False
    if asked_for("failure", asked) or asked_for("refusal", asked) or asked_for("announcement", asked):
        return False
    said = text.strip().casefold()
    if said.strip("[]{}()\"'.… ") in {"", *lang.listed("missions", "nothing")}:
        return True
    if any(re.fullmatch(pattern, said) for pattern in lang.rows("missions", "stopped")):
        return True
    verb = lang.either({spoken[0], spoken[-1], *lang.listed("missions", "doing")})
    told = [pattern.replace("{verb}", f"(?:{verb})") for pattern in lang.rows("missions", "undone")]
    return any(re.fullmatch(pattern, said) for pattern in told)


def call_failed(call: Evidence) -> bool:
    """Whether a tool call failed: by its exit code where there is one, else by what it says of itself."""
    if call.exit_code is not None:
        return call.exit_code != 0
    told = call.output
    if isinstance(told, Mapping):
        return bool(told.get("error")) and not told.get("ok")
    return isinstance(told, str) and failure(told) is not None
