"""The texts of an anchor against what a file held before and holds now: what stood there all along, where it stands, what was there before it.

What two texts cannot decide is left open. Knows nothing about trees and traces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from witnessmark.actions.claim import ActionClaim, Anchor, Ruling, contradicted, unverifiable
from witnessmark.actions.tree.texts import TextChange

NEAR_LINES = 5
"""How many lines an insertion may stand away from the text that is named beside it."""
MAX_TRIED = 16
"""So many earlier texts of a file are tried."""


def by_texts(claim: ActionClaim, change: TextChange, others: Sequence[ActionClaim], brought: bool) -> Ruling | None:
    """What both texts of a file say against an anchor that is there now; None where nothing does.

    `others` are the other claims on the file; `brought`: a call in the trace has put the text there.
    """
    old, new = (text.replace("\r\n", "\n") for text in (change.old, change.new))
    anchor = claim.anchor
    after = (anchor.after or "").replace("\r\n", "\n") if anchor is not None else ""
    before = (anchor.before or "").replace("\r\n", "\n") if anchor is not None else ""
    if anchor is None or not after or (old == new and change.old != change.new):
        return None
    if not brought and not _rises(after, old, new) and not _falls(before, old, new):
        found = _unmoved(after, old, new)
        between = any(_touches(other.anchor, after) for other in others if other.anchor is not None)
        if found == "there" and not between:
            return contradicted("anchor_mismatch", "the text was there before", "there before")
        if found != "moved":
            return unverifiable("the text was there before as often, so it shows no edit", "anchor_mismatch", "there before")  # fmt: skip
    inserted = claim.kind == "code_insert" and not anchor.replaces and before.strip() and before not in after
    if inserted and not others and _elsewhere(old, new, after, before):
        return contradicted("anchor_mismatch", "the new text stands at another place in the file", "at another place")
    return None


def _rises(text: str, old: str, new: str) -> bool:
    """Whether a text is there more often than before, as it is or as words of their own: `= 3` is not in `= 30`."""
    words = re.compile(rf"(?<!\w){re.escape(text.strip())}(?!\w)")
    return new.count(text) > old.count(text) or len(words.findall(new)) > len(words.findall(old))


def _falls(text: str, old: str, new: str) -> bool:
    return bool(text.strip()) and old.count(text) > new.count(text)


def _touches(anchor: Anchor, text: str) -> bool:
    """Whether an edit may have taken a text away, or put it back."""
    parts = [part for part in (anchor.before, anchor.after) if part and part.strip()]
    return any(part in text or text in part for part in parts)


def _unmoved(text: str, old: str, new: str) -> str:
    """Where a text stands that is there no more often: `there`, where nothing changed; `moved`; or `unclear`, amid changes."""
    top, bottom = _same_ends(old, new)
    amid = [at for at in _places(text, new) if at + len(text) > top and at < len(new) - bottom]
    if not amid:
        return "there"
    return "unclear" if all(_with_neighbours(new, at, at + len(text)) in old for at in amid) else "moved"


def _same_ends(old: str, new: str) -> tuple[int, int]:
    """How many characters of whole lines two texts begin with alike, and end with alike."""
    first, second = old.splitlines(keepends=True), new.splitlines(keepends=True)
    top = _alike(first, second)
    rest = _alike(first[: top - 1 if top else None : -1], second[: top - 1 if top else None : -1])
    return sum(map(len, second[:top])), sum(map(len, second[len(second) - rest :]))


def _alike(first: Sequence[str], second: Sequence[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


def _with_neighbours(text: str, start: int, end: int) -> str:
    """A part of a text with its whole lines, and the written lines before and after them."""
    above, below = text[: text.rfind("\n", 0, start) + 1], text[start:].rstrip("\n")
    head = above.rstrip().rfind("\n") + 1
    stop = text.find("\n", end - 1 if text[end - 1 : end] == "\n" else end)
    after = re.compile(r"\s*[^\n]*").match(text, stop) if stop >= 0 and below else None
    return text[head : after.end() if after is not None else len(text)]


def _places(part: str, text: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


# --- where an insertion stands -----------------------------------------------------------------------------------


def _elsewhere(old: str, new: str, after: str, context: str) -> bool:
    """Whether an insertion stands nowhere by its context, but where it stood before or in another block of the code."""
    lines = set(old.splitlines())
    for at in _places(after, new):
        end = at + len(after)
        above, below = new.rfind(context, 0, at), new.find(context, end)
        spans = []
        if above >= 0 and not _parted(new[above + len(context) : at], context, lines):
            spans.append((above, end))
        if below >= 0 and not (_depth(after) > _depth(context) and _code(new[end:below], lines)):
            spans.append((at, below + len(context)))
        for start, stop in spans:
            span = new[start:stop]
            if span.count("\n") <= NEAR_LINES + after.count("\n") + context.count("\n") and _rises(span, old, new):
                return False
    return True


def _parted(between: str, context: str, old: set[str]) -> bool:
    """Whether code that was there before parts an insertion from the line above it: the block that the line is in, or opens, ends."""
    depth = _depth(context.rstrip().rpartition("\n")[2])
    found = _code(between if context.endswith("\n") else between.partition("\n")[2], old)
    opens = bool(found) and _depth(found[0]) > depth
    return any(_depth(line) < depth + opens for line in found)


def _code(between: str, old: set[str]) -> list[str]:
    """The whole lines of a text that were there before and begin with a word: no brackets, no comments."""
    lines = between.rpartition("\n")[0].split("\n")
    return [line for line in lines if line in old and (line.lstrip()[:1].isalpha() or line.lstrip()[:1] in ("_", "@")) and line.strip()]  # fmt: skip


def _depth(text: str) -> int:
    """How far the first written line of a text stands from the edge."""
    line = next((line for line in text.expandtabs().split("\n") if line.strip()), "")
    return len(line) - len(line.lstrip())


# --- what was there before later edits ---------------------------------------------------------------------------


def taken_back(content: bytes, edits: Sequence[Anchor]) -> list[bytes]:
    """What a file may have held before these edits, the last of which comes last; nothing where they do not show it."""
    held = [content]
    for anchor in reversed(edits):
        held = list(dict.fromkeys(text for each in held for text in _without(each, anchor)))[:MAX_TRIED]
    return held


def _without(content: bytes, anchor: Anchor) -> Iterator[bytes]:
    """A file without an edit: with the old text in its place, or with the new text and its line end taken out."""
    end = b"\r\n" if b"\r\n" in content else b"\n"
    after, before = (
        (text or "").encode("utf-8", "surrogatepass").replace(b"\r\n", b"\n").replace(b"\n", end)
        for text in (anchor.after, anchor.before)
    )
    at = content.find(after) if after else -1
    tried = 0
    while at >= 0 and tried < MAX_TRIED:
        head, tail = content[:at], content[at + len(after) :]
        if before:
            yield head + before + tail
        if not anchor.replaces:
            yield head + tail
            yield head + tail.removeprefix(end)
            yield head.removesuffix(end) + tail
        at, tried = content.find(after, at + 1), tried + 1
