"""Fragments without a verb of doing: a list that goes on, a note in brackets, or a change told by its result."""

from __future__ import annotations

import re
from dataclasses import replace

from trueline.world.report_found import Found
from trueline.world.report_fragments import SUBORDINATE, Fragment
from trueline.world.report_objects import objects
from trueline.world.report_tokens import Token
from trueline.world.report_walk import FILLERS, WITHIN, State, Walk
from trueline.world.report_words import (
    NEVER,
    OTHERS,
    SUBJECTS,
    WHOLE_FILE,
)
from trueline.world.words import listed

CONTINUES = frozenset({",", "and", "plus", "&", "+", "or", ")", "then", ""})
_FINITE = listed("is are was were has have had will would could should does do did can now still already needs")
_AUXILIARY = listed("has have had will would could should does do did can needs")


def without_verb(walk: Walk, fragment: Fragment) -> None:
    """Take a fragment without a verb of doing into account."""
    tokens, state = fragment.tokens, walk.state
    lead = fragment.lead
    if _it_now(walk, fragment):
        return
    if lead in SUBORDINATE:
        walk.state = replace(State(), cls=state.cls if state.cls == "run" else None, counts=state.counts)
        _stative(walk, fragment)
        return
    if (lead == "→" and state.cls == "move") or (lead == "→" and walk.subjects):
        _arrow(walk, tokens)
        return
    if (
        lead == ":"
        and state.cls is not None
        and state.counts
        and not state.taken
        and (state.cls == "run" or tokens[0].is_path)
    ):
        state.preposition = "" if state.cls != "run" else state.preposition
        state.stopped = False
        objects(walk, tokens)
        return
    if lead == "(" and tokens[0].kind == "path" and state.cls not in (None, "run", "verify") and state.counts:
        _appositive_object(walk, tokens)
        return
    if _new_file(walk, fragment):
        return
    if lead == "," and tokens[0].kind == "path" and _names_new(walk):
        walk.claim("file_create", tokens[0])
        return
    if state.cls is not None and lead in CONTINUES and _enumerates(walk, tokens):
        if lead in ("plus", ","):
            state.between = []
            if (state.cls == "add" and tokens and not (tokens[0].is_path)) or (
                state.cls == "add" and "code" not in state.between and lead == "," and walk.appositive
            ):
                state.preposition = ""
        walk.appositive = not any(token.is_path for token in tokens)
        objects(walk, tokens)
        return
    if _stative(walk, fragment):
        return
    if _WENT_THROUGH.match(" ".join(fragment.words())):
        walk.subjects, walk.within = [token for token in tokens if token.is_path], True
        return
    if any(token.is_path for token in tokens) and all(
        token.kind in ("path", "weak")
        or token.text
        in ("both", "the", "in", "file", "files", "for", "temporary", "scripts", "script", "themselves", "tests")
        for token in tokens
    ):
        walk.subjects += [token for token in tokens if token.is_path]
        walk.within = walk.within or tokens[0].text in WITHIN
        return
    if (
        state.cls is not None
        and lead in CONTINUES
        and not state.stopped
        and not _other_verb(tokens)
        and not any(token.text in _AUXILIARY for token in tokens)
    ):
        objects(walk, tokens)


_WENT_THROUGH = re.compile(
    r"(?:i|we|i've|we've) (?:have |then |also )?(?:gone|went|worked|walked) (?:through|over)(?: both| all| the)*$"
)


def _appositive_object(walk: Walk, tokens: list[Token]) -> None:
    """`wrote a migration (x)`, `updated the docs (x, y)`: the name of what was just spoken of."""
    kept, walk.state = walk.state, replace(walk.state, stopped=False)
    if walk.state.preposition not in ("in", "to", "into", "from", "throughout", "across"):
        walk.state.preposition = ""
    if kept.cls in ("delete", "add") and "code" in kept.between[-1:] and not walk.state.preposition:
        # `deleted the dead helper (x)`: a part of the file in brackets.
        walk.state.preposition = "in"
    objects(walk, tokens)
    kept.taken = walk.state.taken


def _new_file(walk: Walk, fragment: Fragment) -> bool:
    """`… went into a new x`: nobody calls a file new that is not there."""
    tokens, words = fragment.tokens, fragment.words()
    if (walk.state.cls is not None and not walk.state.counts) or any(word in NEVER or word in OTHERS for word in words):
        return False
    for at, token in enumerate(tokens):
        names = [t.text for t in tokens[max(0, at - 4) : at]]
        if token.kind == "path" and "new" in names:
            rest = names[names.index("new") + 1 :]
            if all(word in WHOLE_FILE or word in ("at", "called", "named") for word in rest):
                walk.claim("file_create", token)
                if walk.state.cls is None:
                    walk.state = State(cls="create", word="created", counts=True, taken=1, start=token.start)
                return True
    return False


def _names_new(walk: Walk) -> bool:
    """`into a new file, x`: the name of what was just called new."""
    tail = walk.previous[-4:]
    barred = walk.state.cls is not None and not walk.state.counts
    return "new" in tail and tail[-1] in WHOLE_FILE and not barred and not any(word in NEVER for word in walk.previous)


def _other_verb(tokens: list[Token]) -> bool:
    """`… and emptied the folder`: a verb that is not known here begins, so the list before it has ended."""
    first = tokens[0] if tokens else None
    return first is not None and first.kind == "word" and re.match(r"[a-z-]{3,}(?:ied|[^e]ed)$", first.text) is not None


def _enumerates(walk: Walk, tokens: list[Token]) -> bool:
    """A list goes on: only names and the small words around them."""
    small = sum(token.kind == "word" and token.text not in FILLERS and token.text not in WHOLE_FILE for token in tokens)
    verbs = any(token.kind == "word" and token.text in _FINITE for token in tokens)
    if _other_verb(tokens):
        return False
    return (not verbs and small <= 2 and any(token.is_path or token.kind == "command" for token in tokens)) or (
        small <= 3
        and not verbs
        and not any(token.kind == "word" and token.text in SUBJECTS - {"and", "both", "all"} for token in tokens)
    )


def _arrow(walk: Walk, tokens: list[Token]) -> None:
    target = next((token for token in tokens if token.is_path), None)
    source = walk.state.direct or (walk.subjects[-1].text if walk.subjects else None)
    barred = walk.state.cls is not None and not walk.state.counts
    if target is not None and source is not None and tokens[0].is_path and not barred:
        walk.claim("file_rename", target, source=source)
    walk.state.direct, walk.subjects = None, []


def _stative(walk: Walk, fragment: Fragment) -> bool:
    """`x now does this`, `the fix is in x`, `x is a new file`: a change told by its result."""
    tokens, words = fragment.tokens, fragment.words()
    paths = [token for token in tokens if token.kind == "path"]
    first = tokens[0].is_path
    scope = words[:3] if first else words[: words.index("now")] if "now" in words else words
    if first and words[:2] == ["no", "longer"]:
        scope = []
    if not paths or any(word in NEVER or word.endswith("n't") for word in scope):
        return False
    subject = [*walk.subjects, *paths]
    said = " ".join(words)
    if _PRODUCED.match(said) and not first:
        for token in paths:
            walk.claim("file_write", token)
    elif first and re.search(
        r"\b(?:is|are) (?:a |the |also |both )*(?:brand[- ])?(?:newly created|new)(?: file| module| script)?\b",
        " ".join(words),
    ):
        for token in subject:
            walk.claim("file_create", token)
    elif (
        words[:3]
        and re.match(
            r"(?:the |this |that |my |only |actual |final |whole |entire |core |main |bug ?|code )*(?:fix|change|changes|edit|edits|patch|diff)\b.{0,40}?\b(?:is|are|was|were|lives?|went|consists?|sits?|boils|landed|stays?|amounts?|confined|limited)\b",
            said,
        )
    ) or re.match(r"there(?:'s| is| are)(?: now)? (?:a |an |also )*new\b", " ".join(words)):
        for token in paths:
            walk.claim("file_edit", token)
    elif first and words[:2] == ["is", "now"] and len(paths) == 2 and len(words) <= 3:
        walk.claim("file_rename", paths[1], source=paths[0].text)
    elif first and words[:1] and words[0] in _GAINS and len(tokens) > 2:
        for token in subject:
            walk.claim("file_edit", token)
    elif _GONE.search(_outlined(tokens)):
        for token in subject:
            walk.claim("file_delete", token)
    elif first and words[:2] == ["no", "longer"] and words[2:3] and words[2] not in _GONE_STATES:
        for token in subject:
            walk.claim("file_edit", token)
    elif "now" in words and _now_within(walk, tokens):
        pass
    elif "now" in words and _now_is_change(walk, tokens):
        for token in subject if first else paths[:1]:
            walk.claim("file_edit", token)
    elif (
        first
        and walk.changed
        and len(tokens) > 1
        and tokens[1].kind == "word"
        and re.match(r"(?!was$|is$|needs$|does$|remains$|stays$|always$|keeps$|looks$)[a-z]{2,}s$", tokens[1].text)
        and fragment.lead in ("and", ",", ";")
    ) or (walk.context.mode == "done" and not first and walk.first and _RESULTS.search(_outlined(tokens))):
        walk.claim("file_edit", paths[0])
    else:
        return False
    walk.subjects = []
    return True


_RESULTS = re.compile(
    r"^(?!.*\b(?:still|already|also)\b)[^|]*\b(?:in|of|from|at) \|path\| (?!is$|was$|needs$|does$|remains$|stays$|always$|keeps$|looks$|passes$|works$|fails$)[a-z]{2,}s\b"
)


def _outlined(tokens: list[Token]) -> str:
    """The words, with every file as |path|: `the sidebar in |path| reflects the layout`."""
    return " ".join(
        "|path|" if token.kind == "path" else token.text for token in tokens if token.kind in ("path", "word")
    )


_PRODUCED = re.compile(
    r"(?:and |the |its |all |full |raw |generated |resulting |rendered |final )*(?:output|outputs|results?|report|numbers|artifacts?|client|files?) "
    r"(?:is|are|was|were|went|landed|lives?|goes|ended up|can be found)(?: now)? (?:in|at|under|to)$"
)
_GONE_STATES = listed("exists exist needed used required there necessary imported referenced fails failing works part")
_NOT_CHANGED = listed("""clean out pass passes passing green works work up stale obsolete redundant unused failing fails broken fail succeed succeeds
    empty gone available""")


_GAINS = listed("gained gains received receives lost loses got gets grew")
_GONE = re.compile(
    r"^(?:(?:everything|all) (?:under|in|inside) )?(?:the )?\|path\| (?:directory |folder |file )?(?:is|are) (?:now |completely |entirely |all )?gone$"
)


def _now_within(walk: Walk, tokens: list[Token]) -> bool:
    """`x is now y in a.ts`, `the check now happens in a.ts`: what is so now was brought about there."""
    at = next(n for n, token in enumerate(tokens) if token.text == "now")
    rest = tokens[at + 1 :]
    place = next((n for n, token in enumerate(rest) if token.kind == "path"), 0)
    barred = walk.state.cls is not None and not walk.state.counts and not walk.state.other
    if barred or any(token.is_path for token in tokens[:at]) or not place or rest[place - 1].text not in WITHIN:
        return False
    if rest[0].text in _NOT_CHANGED or any(token.text in NEVER for token in rest[:place] if token.kind == "word"):
        return False
    walk.claim("file_edit", rest[place])
    walk.state = State(cls="edit", word="changed", counts=True, taken=1, preposition="in", start=rest[place].start)
    return True


def _it_now(walk: Walk, fragment: Fragment) -> bool:
    """`x called it twice; it now calls it once`: the file that was spoken of is another now."""
    words = fragment.words()
    if words[:2] not in (["it", "now"], ["now", "it"]) or len(words) < 3 or words[2] in _NOT_CHANGED | NEVER:
        return False
    path = walk.topic if walk.first else walk.last_path.text if walk.last_path and walk.sole_subject else None
    if path is None or path.endswith("/") or any(claim.path == path for claim in walk.found):
        return False
    start = fragment.tokens[0].start
    walk.found.append(Found("file_edit", start, fragment.tokens[-1].end, path=path))
    return True


def _now_is_change(walk: Walk, tokens: list[Token]) -> bool:
    at = next(n for n, token in enumerate(tokens) if token.text == "now")
    before = [token for token in tokens[:at] if token.kind == "path"]
    following = tokens[at + 1].text if at + 1 < len(tokens) else ""
    state = walk.state
    if before and not tokens[0].is_path:
        lead = tokens[tokens.index(before[0]) - 1].text
        if lead not in ("in", "of", "at", "inside", "for", "file", "the"):
            return False
    if before and before[0].text.endswith("/"):
        return False
    return (
        bool(before)
        and following not in _NOT_CHANGED - {"empty", "gone", "available"}
        and not (state.cls and not state.counts and not state.other)
    )


def note(walk: Walk, fragment: Fragment) -> bool:
    """`x (new)`, `x (moved)`, `x (not modified)`: words in brackets that change what was just claimed."""
    words = [token.text for token in fragment.tokens]
    said = " ".join(words[:6])
    if fragment.lead == "(" and _IS_GONE.match(said) and walk.last_path and not walk.context.silent:
        walk.claim("file_delete", walk.last_path)
        return True
    if _IS_NEW.match(said) is None or (
        fragment.lead != "(" and (len(words) > 4 or any(t.is_path for t in fragment.tokens))
    ):
        return False
    last = walk.found[-1] if walk.found else None
    path = last.path if last and last.kind in ("file_edit", "file_write", "file_create") else None
    near = walk.last_path
    if last and path and not walk.state.direct and (near is None or near.end <= last.end):
        last.kind = "file_create"
    elif walk.subjects:
        for token in walk.subjects if {"both", "all"} & set(words) else walk.subjects[-1:]:
            walk.claim("file_create", token)
        walk.subjects = []
    elif near is not None and not (walk.state.cls is not None and not walk.state.counts and not walk.state.other):
        walk.claim("file_create", near)
    elif fragment.lead != "(":
        return False
    return True


_IS_GONE = re.compile(r"(?:now |also )?(?:deleted|removed)$")
NOTED = frozenset({"(", ",", "–", "—"})
"""After these, `a new file` speaks of the file just named."""
_IS_NEW = re.compile(
    r"(?:that's |it's |this is |which is |which are |both |all |also )*(?:a |the )?(?:brand[- ])?new(?:ly created)?(?:$| files?| module| script| component| hook| page| service| composable| middleware| provider| migration| workflow| suite| spec| utility| package| widget| screen| template| store| model| controller| stylesheet|,| -)"
)
