"""Fragments without a verb of doing: a list that goes on, a note in brackets, or a change told by its result."""

from __future__ import annotations

import re
from dataclasses import replace

from witnessmark.actions.claim import ActionKind
from witnessmark.actions.report.fragments import Fragment
from witnessmark.actions.report.lexicon import PATTERNS, WORDS
from witnessmark.actions.report.names import ReportToken
from witnessmark.actions.report.objects import objects
from witnessmark.actions.report.walk import State, Walk

CONTINUES = frozenset({",", "and", "plus", "&", "+", "or", ")", "then", ""})


def without_verb(walk: Walk, fragment: Fragment) -> None:
    """Take a fragment without a verb of doing into account."""
    tokens, state, lead = fragment.tokens, walk.state, fragment.lead
    if lead in WORDS.subordinate:
        walk.state = replace(State(), cls=state.cls if state.cls == "run" else None, counts=state.counts)
        stative(walk, fragment)
    elif lead == "→" and (state.cls == "move" or walk.subjects):
        _arrow(walk, tokens)
    elif tokens[0].kind == "word" and tokens[0].text in WORDS.leaves_out:
        state.stopped = True
    elif _named_after(walk, fragment) or _new_file(walk, fragment):
        pass
    elif state.cls is not None and lead in CONTINUES and _enumerates(tokens):
        _go_on(walk, fragment)
    elif not stative(walk, fragment) and not _spoken_of(walk, fragment):
        goes_on = state.cls is not None and lead in CONTINUES and not state.stopped
        if (
            goes_on
            and not _other_verb(tokens)
            and not any(token.text in WORDS.auxiliary or token.text.endswith("n't") for token in tokens)
        ):
            objects(walk, tokens)


def _named_after(walk: Walk, fragment: Fragment) -> bool:
    """`updated both: x, y`, `updated the docs (x)`, `moved into a new file, x`: the names of what was just spoken of."""
    tokens, state, lead = fragment.tokens, walk.state, fragment.lead
    in_force = state.cls is not None and state.counts
    in_places = any(token.kind == "path" for token in tokens) and _enumerates(tokens)
    if lead == ":" and in_force and not state.taken and (state.cls == "run" or tokens[0].is_path or in_places):
        state.preposition = "" if state.cls != "run" else state.preposition
        state.stopped = False
        objects(walk, tokens)
        return True
    if lead == "(" and in_force and tokens[0].kind == "path" and state.cls not in ("run", "verify"):
        _appositive_object(walk, tokens)
        return True
    if lead == "(" and state.cls in ("run", "verify") and state.counts and tokens[0].kind == "command":
        objects(walk, tokens)
        return True
    if lead == "(" and all(token.kind == "path" for token in tokens) and tells_now(walk.previous):
        for token in tokens:
            walk.claim("file_edit", token)
        return True
    if lead == "," and tokens[0].kind == "path" and _names_new(walk):
        walk.claim("file_create", tokens[0])
        return True
    return False


def _go_on(walk: Walk, fragment: Fragment) -> None:
    """The list of what a verb was done to goes on."""
    tokens, state, lead = fragment.tokens, walk.state, fragment.lead
    if lead in ("plus", ","):
        state.between = []
        if state.cls == "add" and (not tokens[0].is_path or (lead == "," and walk.appositive)):
            state.preposition = ""
    walk.appositive = not any(token.is_path for token in tokens)
    objects(walk, tokens)


def _spoken_of(walk: Walk, fragment: Fragment) -> bool:
    """Files alone, or gone through: a verb may follow that was done to them."""
    tokens = fragment.tokens
    paths = [token for token in tokens if token.is_path]
    if PATTERNS.went_through.match(" ".join(fragment.words())):
        walk.subjects, walk.within = paths, True
        return True
    if not paths or not all(token.is_path or token.text in WORDS.around_files for token in tokens):
        return False
    walk.subjects += paths
    walk.within = walk.within or tokens[0].text in WORDS.within
    return True


def _appositive_object(walk: Walk, tokens: list[ReportToken]) -> None:
    """`wrote a migration (x)`, `updated the docs (x, y)`: the name of what was just spoken of."""
    kept, walk.state = walk.state, replace(walk.state, stopped=False)
    if walk.state.preposition not in ("in", "to", "into", "from", "throughout", "across"):
        walk.state.preposition = ""
    last = kept.between[-1] if kept.between else ""
    part = last not in WORDS.whole_file and ("code" in kept.between or (kept.cls == "add" and bool(last)))
    if kept.cls in ("delete", "add") and part and not walk.state.preposition:
        # `deleted the dead helper (x)`, `added checkpoint errors (x)`: a part of the file in brackets.
        walk.state.preposition = "in"
    objects(walk, tokens)
    kept.taken = walk.state.taken


def _new_file(walk: Walk, fragment: Fragment) -> bool:
    """`… went into a new x`: nobody calls a file new that is not there."""
    tokens, words = fragment.tokens, fragment.words()
    if (walk.state.cls is not None and not walk.state.counts) or any(
        word in WORDS.never or word in WORDS.others for word in words
    ):
        return False
    for at, token in enumerate(tokens):
        names = [t.text for t in tokens[max(0, at - 4) : at]]
        if token.kind == "path" and "new" in names:
            rest = names[names.index("new") + 1 :]
            if all(word in WORDS.whole_file or word in ("at", "called", "named") for word in rest):
                walk.claim("file_create", token)
                if walk.state.cls is None:
                    walk.state = State(cls="create", word="created", counts=True, taken=1, start=token.start)
                return True
    return False


def _names_new(walk: Walk) -> bool:
    """`into a new file, x`: the name of what was just called new."""
    tail = walk.previous[-4:]
    barred = walk.state.cls is not None and not walk.state.counts
    return (
        "new" in tail
        and tail[-1] in WORDS.whole_file
        and not barred
        and not any(word in WORDS.never for word in walk.previous)
    )


def _other_verb(tokens: list[ReportToken]) -> bool:
    """`… and emptied the folder`: a verb that is not known here begins, so the list before it has ended."""
    first = tokens[0] if tokens else None
    return first is not None and first.kind == "word" and re.match(r"[a-z-]{3,}(?:ied|[^e]ed)$", first.text) is not None


def _enumerates(tokens: list[ReportToken]) -> bool:
    """A list goes on: only names and the small words around them."""
    small = sum(
        token.kind == "word" and token.text not in WORDS.fillers and token.text not in WORDS.whole_file
        for token in tokens
    )
    verbs = any(token.kind == "word" and (token.text in WORDS.finite or token.text.endswith("n't")) for token in tokens)
    if _other_verb(tokens):
        return False
    return (not verbs and small <= 2 and any(token.is_path or token.kind == "command" for token in tokens)) or (
        small <= 3
        and not verbs
        and not any(token.kind == "word" and token.text in WORDS.subjects - {"and", "both", "all"} for token in tokens)
    )


def _arrow(walk: Walk, tokens: list[ReportToken]) -> None:
    target = next((token for token in tokens if token.is_path), None)
    source = walk.state.direct or (walk.subjects[-1].text if walk.subjects else None)
    if target is not None and target.kind == "weak" and "/" not in target.text:
        return
    barred = walk.state.cls is not None and not walk.state.counts
    if target is not None and source is not None and tokens[0].is_path and not barred:
        walk.claim("file_rename", target, source=source)
    walk.state.direct, walk.subjects = None, []


def note(walk: Walk, fragment: Fragment) -> bool:
    """`x (new)`, `x, which is a new file`: words in brackets that change what was just claimed."""
    words, near = [token.text for token in fragment.tokens], walk.last_path
    long = fragment.lead != "(" and (len(words) > 4 or any(token.is_path for token in fragment.tokens))
    if PATTERNS.is_new.match(" ".join(words[:6])) is None or long:
        return False
    if walk.subjects:
        for token in walk.subjects if {"both", "all"} & set(words) else walk.subjects[-1:]:
            walk.claim("file_create", token)
        walk.subjects = []
    elif near is not None and not walk.barred:
        walk.claim("file_create", near)
    return True


NOTED = frozenset({"(", ",", "–", "—", "which"})
"""After these, `a new file` speaks of the file just named."""


# --- a change told by its result: `x now does this`, `the fix is in x`, `x is a new file` ---


def stative(walk: Walk, fragment: Fragment) -> bool:
    """Whether a fragment tells a change by its result; the claims it makes are kept."""
    tokens, words = fragment.tokens, fragment.words()
    paths = [token for token in tokens if token.kind == "path"]
    first = tokens[0].is_path
    if not paths and walk.within and tells_now(words):
        # `In x, the check now runs first`
        for token in walk.subjects:
            walk.claim("file_edit", token)
        walk.subjects, walk.within = [], False
        return True
    scope = words[:3] if first else words[: words.index("now")] if "now" in words else words
    if first and words[:2] == ["no", "longer"]:
        scope = []
    if not paths or any(word in WORDS.never or word.endswith("n't") for word in scope):
        return False
    if len(paths) == 2 and PATTERNS.renamed.fullmatch(_outlined(tokens)):
        walk.claim("file_rename", paths[1], source=paths[0].text)
    elif "now" in words and _now_within(walk, tokens):
        pass
    else:
        kind, told = _told_of(walk, fragment, [*walk.subjects, *paths], paths)
        if kind is None:
            return False
        for token in told:
            walk.claim(kind, token)
        if kind == "file_edit" and not first and walk.state.cls is None:
            walk.state = State(cls="edit", word="changed", counts=True, taken=1, preposition="in", start=told[0].start)
    walk.subjects = []
    return True


def _told_of(
    walk: Walk, fragment: Fragment, subjects: list[ReportToken], paths: list[ReportToken]
) -> tuple[ActionKind | None, list[ReportToken]]:
    """What the result says was done, and to which files."""
    tokens, words = fragment.tokens, fragment.words()
    said, outline, first = " ".join(words), _outlined(tokens), tokens[0].is_path
    if not first and PATTERNS.produced.match(said):
        return "file_write", paths
    if first and PATTERNS.is_new_states.search(said):
        return "file_create", subjects
    if PATTERNS.change_is.match(said) or PATTERNS.there_is.match(said):
        return "file_edit", paths
    if PATTERNS.gone.search(outline):
        return "file_delete", subjects
    if first and _gains_or_loses(words, tokens):
        return "file_edit", subjects
    if "now" in words and _now_is_change(walk, tokens):
        return "file_edit", subjects if first else paths[:1]
    joined = (
        first and walk.changed and fragment.lead in ("and", ",", ";") and PATTERNS.joined.match(outline) is not None
    )
    listed_so = (
        walk.context.mode == "done" and not first and walk.first and PATTERNS.results.search(outline) is not None
    )
    return ("file_edit", paths[:1]) if joined or listed_so else (None, [])


def _gains_or_loses(words: list[str], tokens: list[ReportToken]) -> bool:
    """`x gained an option`, `x no longer retries`."""
    if words[:1] and words[0] in WORDS.gains and len(tokens) > 2:
        return True
    return words[:2] == ["no", "longer"] and bool(words[2:3]) and words[2] not in WORDS.gone_states


def _outlined(tokens: list[ReportToken]) -> str:
    """The words, with every file as |path|: `the sidebar in |path| reflects the layout`."""
    return " ".join(
        "|path|" if token.kind == "path" else token.text for token in tokens if token.kind in ("path", "word")
    )


def _now_within(walk: Walk, tokens: list[ReportToken]) -> bool:
    """`x is now y in a.ts`, `the check now happens in a.ts`: what is so now was brought about there."""
    at = next(n for n, token in enumerate(tokens) if token.text == "now")
    rest = tokens[at + 1 :]
    place = next((n for n, token in enumerate(rest) if token.kind == "path"), 0)
    if (
        walk.barred
        or any(token.is_path for token in tokens[:at])
        or not place
        or rest[place - 1].text not in WORDS.within
    ):
        return False
    if rest[0].text in WORDS.not_changed or any(
        token.text in WORDS.never for token in rest[:place] if token.kind == "word"
    ):
        return False
    walk.claim("file_edit", rest[place])
    walk.state = State(cls="edit", word="changed", counts=True, taken=1, preposition="in", start=rest[place].start)
    return True


def tells_now(words: list[str]) -> bool:
    """`the endpoint now validates its input`: something is so now that was not."""
    at = words.index("now") if "now" in words else 0
    following = words[at + 1] if at + 1 < len(words) else ""
    return (
        at > 0
        and bool(following)
        and following not in WORDS.not_changed
        and not any(word in WORDS.never for word in words)
    )


def _now_is_change(walk: Walk, tokens: list[ReportToken]) -> bool:
    at = next(n for n, token in enumerate(tokens) if token.text == "now")
    before = [token for token in tokens[:at] if token.kind == "path"]
    following = tokens[at + 1].text if at + 1 < len(tokens) else ""
    if at and tokens[at - 1].text in ("for", "until", "till", "right", "by"):
        return False  # it stays there for now
    if before and not tokens[0].is_path:
        lead = tokens[tokens.index(before[0]) - 1].text
        if lead not in ("in", "of", "at", "inside", "for", "file", "the"):
            return False
    if before and before[0].text.endswith("/"):
        return False
    return bool(before) and following not in WORDS.not_changed - {"empty", "gone", "available"} and not walk.barred
