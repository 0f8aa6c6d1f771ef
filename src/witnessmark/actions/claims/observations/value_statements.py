"""Values told in words, against the lines that hold them: `its status is set to proposed`, `off in prod.json`, `TIMEOUT is 30 now`.

Each is known by its key and its file, not by the words around it. What stands in another form, or under several keys of one name, leaves it open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.observations.report_sentences import sentences_of
from witnessmark.actions.claims.ruling import Ruling, contradicted, unverifiable
from witnessmark.actions.content.evidence import TextEvidence
from witnessmark.actions.content.passages import names_in, paths_in, without_code
from witnessmark.actions.content.regions import last_part
from witnessmark.actions.content.rulings import texts_known
from witnessmark.actions.content.values import forms
from witnessmark.actions.content.wording import content_claim, pattern
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.view import TreeView

SET, NUMBER = "set_word", "set_number"
_YES = dict.fromkeys(("on", "enabled", "yes", "1"), "true") | dict.fromkeys(("off", "disabled", "no", "0"), "false")


def told_values(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for each value that a key is said to have now."""
    for passage in sentences_of(report) if trace.ledger.changes else ():
        low, text = passage.sentence.low, passage.sentence.text
        one = passage.paths[0] if len(passage.paths) == 1 else None
        for way in ("set", "number", "is_code", "switch") if not passage.cells else ():
            for match in pattern("told_values", way).finditer(low):
                begins = max(0, match.start() - 40) if way == "number" else 0
                ends = match.start() if way == "switch" else match.end()
                own = paths_in(text[match.start() : match.end()]) or ((one,) if way in ("set", "number") else ())
                before = names_in(text[: match.start()])
                key = text[slice(*match.span("key"))] if match.groupdict().get("key") else next(iter(before), "")
                unsure = way == "switch" and len(before) != 1
                if key and own and not unsure and not pattern("told_values", "not_so").search(without_code(low[begins:ends])):  # fmt: skip
                    value = text[slice(*match.span("value"))].strip("`*\"'")
                    role = NUMBER if way == "number" else SET
                    yield content_claim(passage, role, name=key.strip("`*"), value=value, path=own[0])


def rule(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None) -> Ruling:
    """Such a claim against the lines for its key, in its file or in those that were changed."""
    known = texts_known(scene, trace)
    if isinstance(known, Ruling):
        return known
    texts = [text for text in known.called(claim.path) if text.new] if claim.path else list(known.changed.values())
    line = _number_line(claim) if claim.role == NUMBER else _line(claim)
    held = [(text.path, found["value"]) for text in texts for found in line.finditer(text.new)]
    if not held or not (_other_number if claim.role == NUMBER else _other_word)(claim, held, known):
        return unverifiable("the texts do not settle it", there="not known")
    wrong = f"{held[0][0]} has `{last_part(claim.name or '')}: {held[0][1]}`"
    return contradicted("contradicted_claim", wrong, wrong[:80])


def _line(claim: ActionClaim) -> re.Pattern[str]:
    key = re.escape(last_part(claim.name or ""))
    return re.compile(rf"^[\s*_\"'-]*{key}[\"'*_]*\s*[:=]\s*[\"'*_`]*(?P<value>[\w.-]+)[\"'*_`]*[,;]?\s*$", re.IGNORECASE | re.MULTILINE)  # fmt: skip


def _number_line(claim: ActionClaim) -> re.Pattern[str]:
    key = re.escape(last_part(claim.name or ""))
    return re.compile(rf"^[\s\"']*(?:(?:const|let|var|val|static|final|export|public|private|int|float|pub) )*{key}[\"']?\s*(?::\s*[\w.]+\s*)?[:=]\s*[\"']?(?P<value>\d[\d._]*)[\"']?\s*[,;]?\s*(?:(?:#|//).*)?$", re.MULTILINE)  # fmt: skip


def _other_word(claim: ActionClaim, held: list[tuple[str, str]], known: TextEvidence) -> bool:
    """Whether every line for a key, all of one file, has another word."""
    told = _plain(claim.value or "")
    if any(_plain(value) == told for _, value in held) or len({path for path, _ in held}) > 1:
        return False
    elsewhere = not claim.path and any(told in text.new.lower() for text in known.changed.values())
    return len(last_part(claim.name or "")) > 2 and not elsewhere


def _other_number(claim: ActionClaim, held: list[tuple[str, str]], known: TextEvidence) -> bool:
    """Whether the one line for a key has another number, in whatever form."""
    value, told = held[0][1], claim.value or ""
    return len(held) == 1 and value.strip("._") not in forms(told) and told not in forms(value)


def _plain(value: str) -> str:
    low = value.lower().strip("\"'`*_.,")
    return _YES.get(low, low)
