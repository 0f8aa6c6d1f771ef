"""One sentence at a time: which verb governs which path or command, and whether it was really done.

A sentence is cut into fragments; a small state walks over them once. The rules stand in report_verbs (with a verb),
report_objects (what it was done to), report_results (without a verb) and report_commands.
"""

from __future__ import annotations

from dataclasses import replace

from witnessmark.actions.report.fragments import Fragment, fragments, instructs, outcome
from witnessmark.actions.report.layout import Context
from witnessmark.actions.report.lexicon import WORDS
from witnessmark.actions.report.names import ReportToken
from witnessmark.actions.report.results import NOTED, note, without_verb
from witnessmark.actions.report.verbs import verb_at, with_verb
from witnessmark.actions.report.walk import DraftClaim, State, Walk


class SentenceReader:
    """Reads sentences in order and remembers the last file named, so that `I deleted it` can be understood."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.named: list[str] = []

    def read(
        self, sentence: list[ReportToken], context: Context, *, imperative: bool, commands_only: bool = False
    ) -> list[DraftClaim]:
        """The claims of one sentence."""
        found: list[DraftClaim] = []
        if not instructs(sentence, imperative=imperative):
            walk = Walk(self.text, context, self.named, imperative=imperative)
            walk.first_person = any(token.kind == "word" and token.text in WORDS.i for token in sentence)
            parts = fragments(sentence)
            for number, fragment in enumerate(parts):
                following = parts[number + 1] if number + 1 < len(parts) else Fragment("", [])
                walk.next, walk.then = following.lead, following.words()
                _step(walk, fragment)
            found = [claim for claim in walk.found if not commands_only or claim.kind == "command"]
        named = [
            token.text
            for part in fragments(sentence)
            if part.lead not in WORDS.supposed
            for token in part.tokens
            if token.kind == "path"
        ]
        spoken = any(token.kind == "path" for token in sentence)
        self.named = named if spoken else self.named
        return found


def _step(walk: Walk, fragment: Fragment) -> None:
    """Take one fragment into account."""
    if fragment.lead == "(":
        walk.kept.append(replace(walk.state, between=list(walk.state.between)))
        walk.outside.append(walk.open)
        if fragment.tokens and fragment.tokens[0].is_path and walk.state.cls not in (None, "run", "verify"):
            walk.state.preposition = walk.state.preposition or "("
    elif fragment.lead == ")" and walk.kept:
        walk.state = walk.kept.pop()
        walk.open = walk.outside.pop()
    if not fragment.tokens:
        return
    if fragment.lead == ";" and any(word in ("is", "are", "was", "were", "now") for word in fragment.words()):
        walk.state = State()
    if fragment.lead in NOTED and note(walk, fragment):
        return
    at = verb_at(walk, fragment)
    if at is None:
        without_verb(walk, fragment)
    else:
        with_verb(walk, fragment, at)
    outcome(walk, fragment, at)
    walk.commands += [token for token in fragment.tokens if token.kind == "command"]
    walk.spoken += [token.text for token in fragment.tokens if token.kind == "path"]
    walk.last_path = next((token for token in reversed(fragment.tokens) if token.kind == "path"), walk.last_path)
    walk.previous_path = fragment.tokens[-1].kind == "path"
    walk.open = (fragment.lead, fragment.words()) if at is None else ("", [])
    walk.first, walk.previous = False, fragment.words()
