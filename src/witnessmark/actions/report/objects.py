"""What a verb was done to: the paths and commands after it, and which of them are only circumstances."""

from __future__ import annotations

from witnessmark.actions.claim import ActionKind
from witnessmark.actions.report.fragments import bare_command, command, form_of, stands_for_command
from witnessmark.actions.report.lexicon import WORDS
from witnessmark.actions.report.names import ReportToken
from witnessmark.actions.report.walk import State, Walk


def objects(walk: Walk, after: list[ReportToken]) -> None:
    """The paths and commands that the verb in force is done to."""
    state = walk.state
    for number, token in enumerate(after):
        following = after[number + 1] if number + 1 < len(after) else None
        if token.kind == "command" or (state.cls == "run" and stands_for_command(walk, after, number)):
            command(walk, token)
        elif token.is_path:
            _object(walk, token, following)
        elif token.kind == "word":
            _word(walk, token, following)
            if state.cls == "run" and token.text in WORDS.tools and not state.taken and number < 3:
                bare_command(walk, token)
        elif token.kind == "code":
            state.between.append("code")


def _word(walk: Walk, token: ReportToken, following: ReportToken | None) -> None:
    state, word = walk.state, token.text
    goes_on = word in WORDS.whole_file or word in WORDS.into or word in ("called", "named")
    state.fresh = word == "new" or (state.fresh and goes_on)
    if word == "to" and following is not None and _infinitive(following):
        state.stopped = True
    elif word in WORDS.into:
        state.preposition, state.between = word, []
    elif word in WORDS.stoppers:
        state.stopped, state.preposition = True, word
    else:
        state.between.append(word)
        state.between_all.add(word)


def _infinitive(token: ReportToken) -> bool:
    return token.kind == "word" and (token.text in WORDS.infinitive or form_of(token.text) == "base")


def _object(walk: Walk, token: ReportToken, following: ReportToken | None) -> None:
    state = walk.state
    elsewhere = state.taken or state.preposition not in WORDS.places
    if not state.counts or state.cls is None or (state.stopped and elsewhere):
        return
    if state.cls == "move":
        _moved(walk, token)
        return
    kind = _kind_of_object(walk, token)
    if kind is None or (token.kind == "weak" and not _folder(walk, token, following, kind)):
        state.between.append("code")
        return
    if state.cls == "add" and kind == "file_edit":
        _only_entries(walk)
    walk.claim(kind, token)
    state.taken += 1
    state.stopped = False


def _only_entries(walk: Walk) -> None:
    """`added x to y`: x is a line in y, not a file that was made."""
    walk.found[:] = [
        claim for claim in walk.found if not (claim.kind == "file_create" and claim.start >= walk.state.start)
    ]


def _kind_of_object(walk: Walk, token: ReportToken) -> ActionKind | None:
    state = walk.state
    if state.fresh and state.preposition not in ("in", "to", "into", "from", "within"):
        return "file_create"
    if state.cls in ("run", "verify"):
        return None
    return _kind_by_word(state, token) or _kind_by_class(state, folder=token.text.endswith("/"))


def _kind_by_word(state: State, token: ReportToken) -> ActionKind | None:
    """Verbs that do something else than the rest of their class."""
    word, preposition = state.word, state.preposition
    if word.startswith("export") and preposition in ("to", "into", "as"):
        return "file_write"
    apart = word in WORDS.apart and preposition in ("into", "to", "in") and state.between_all & WORDS.apart_into
    if apart or (word == "split" and preposition == "into") or (word == "put" and not preposition):
        return "file_create"
    if word in ("made", "make") and not preposition:
        return "file_create" if token.text.endswith("/") else "file_edit"
    return None


def _kind_by_class(state: State, *, folder: bool = False) -> ActionKind | None:
    """`created x` and `created a function in x`, `removed x` and `removed a line from x`: the preposition decides."""
    preposition = state.preposition
    if state.cls == "create":
        if state.word in WORDS.whole_folder and folder:
            return "file_create"
        inside = preposition in ("in", "to", "into", "within", "inside") and not (state.between_all & WORDS.whole_file)
        return "file_edit" if inside else "file_create"
    if state.cls == "write":
        return None if preposition in ("from", "of") else "file_write"
    if state.cls == "add":
        if preposition == "under" and (folder or not state.between_all & WORDS.whole_file):
            return "file_edit"
        if preposition == "at" and state.between_all and not state.between_all & WORDS.whole_file:
            return "file_edit"
        return "file_create" if preposition in ("", "at", "as", "(", "under") else "file_edit"
    if state.cls == "delete":
        return "file_edit" if preposition in WORDS.part_of and state.word != "rid" else "file_delete"
    if preposition == "from" and state.word not in WORDS.from_changes:
        return None
    return None if state.word in WORDS.mentions_only and not preposition else "file_edit"


def _folder(walk: Walk, token: ReportToken, following: ReportToken | None, kind: ActionKind) -> bool:
    """Whether something that may be a folder or a module is one here."""
    named = (following is not None and following.text in WORDS.directory) or bool(
        set(walk.state.between) & WORDS.directory
    )
    if set(walk.state.between) & WORDS.no_file:
        return False
    if named:
        return kind != "file_edit" or "/" in token.text
    if "/" in token.text and not walk.state.preposition and (following is None or following.kind != "word"):
        return walk.state.word in ("created", "deleted") or bool(set(walk.state.between) & {"file", "script"})
    aimed = walk.state.preposition in ("to", "into", "at", "under", "in", "as")
    return "/" in token.text and kind == "file_write" and aimed


def _moved(walk: Walk, token: ReportToken) -> None:
    """`Renamed a to b`, `moved the parser from a to b`: a file that has another name now, or two that were changed."""
    state, preposition, path = walk.state, walk.state.preposition, token.kind == "path"
    if state.word.startswith(("cop", "dup", "clon")):
        walk.claim("file_create" if preposition in ("to", "into", "as") else None, token)
        return
    whole = token.text.endswith("/") and state.between_all & WORDS.contents
    renamed = path and not state.taken and state.word.startswith("renam")
    named = renamed and state.between_all <= WORDS.fillers | WORDS.whole_file
    if state.direct is None and ((preposition == "from" and (whole or named)) or (not preposition and path)):
        state.direct = token.text
    elif state.direct is not None and preposition in ("to", "into", "as", "under", "in", "→"):
        walk.claim("file_rename", token, source=state.direct)
        state.taken += 1
        state.direct, state.stopped = None, True
    elif preposition and path:
        apart = bool(state.between_all & WORDS.apart_into) or (state.fresh and preposition in ("at", "as"))
        walk.claim("file_create" if "new" in state.between or apart else "file_edit", token)
        state.taken += 1
