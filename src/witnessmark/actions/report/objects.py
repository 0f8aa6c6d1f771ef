"""What a verb was done to: the paths and commands after it, and which of them are only circumstances."""

from __future__ import annotations

from witnessmark.actions.claims.claim import ActionKind
from witnessmark.actions.report.commands import bare_command, command, stands_for_command
from witnessmark.actions.report.fragments import form_of
from witnessmark.actions.report.lexicon import WORDS
from witnessmark.actions.report.tokens import ReportToken
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
    state.fresh = word == "new" or (
        state.fresh and (word in WORDS.whole_file or word in WORDS.into or word in ("called", "named"))
    )
    if word == "to":
        infinitive = (
            following is not None
            and following.kind == "word"
            and (following.text in WORDS.infinitive or form_of(following.text) == "base")
        )
        if infinitive:
            state.stopped = True
        else:
            state.preposition = "to"
            state.between = []
    elif word in WORDS.into:
        if (
            word in ("from", "as")
            and state.cls in ("edit", "add")
            and state.word not in ("extracted", "split", "refactored", "migrated", "ported")
            and state.taken
        ):
            state.stopped = True
        state.preposition = word
        state.between = []
    elif word in WORDS.stoppers:
        state.stopped = True
        state.preposition = word
    elif word in ("called", "named"):
        state.preposition = ""
        state.between.append("file")
    else:
        state.between.append(word)
        state.between_all.add(word)


def _object(walk: Walk, token: ReportToken, following: ReportToken | None) -> None:
    state = walk.state
    if not state.counts or state.cls is None:
        return
    if state.stopped and (
        state.taken or state.preposition not in ("in", "throughout", "across", "within", "inside", "at", "to", "into")
    ):
        return
    if (
        following is not None
        and following.kind == "word"
        and following.text in WORDS.noun_after
        and not state.preposition
    ):
        return
    if state.cls == "move":
        _moved(walk, token)
        return
    kind = _kind_of_object(walk, token)
    if kind is None or (token.kind == "weak" and not _folder(walk, token, following, kind)):
        state.between.append("code")
        return
    if kind == "file_edit" and token.text.endswith("/") and not walk.every_file():
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
    state, preposition, between = walk.state, walk.state.preposition, walk.state.between
    if state.fresh and preposition not in ("in", "to", "into", "from", "within"):
        return "file_create"
    if "new" in between and all(
        word in WORDS.whole_file or word in WORDS.fillers for word in between[between.index("new") + 1 :]
    ):
        return "file_create"
    if state.cls in ("run", "verify"):
        return None
    return _kind_by_word(state, token) or _kind_by_class(state, folder=token.text.endswith("/"))


def _kind_by_word(state: State, token: ReportToken) -> ActionKind | None:
    """Verbs that do something else than the rest of their class."""
    if state.word in ("exported", "export", "exports") and state.preposition in ("to", "into", "as"):
        return "file_write"
    if state.word in WORDS.apart and state.preposition in ("into", "to", "in") and state.between_all & WORDS.apart_into:
        return "file_create"
    if state.word in ("split", "splits") and state.preposition == "into":
        return "file_create"
    if state.word in ("made", "make") and not state.preposition:
        return "file_create" if token.text.endswith("/") else "file_edit"
    if state.word == "put" and not state.preposition:
        return "file_create"
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
        return "file_create" if preposition in ("", "at", "as", "(", "under") else "file_edit"
    if state.cls == "delete":
        if preposition in ("of", "to") and state.between_all & WORDS.noun_after:
            return None
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
    state = walk.state
    if state.word.startswith(("cop", "dup", "clon")):
        if state.preposition in ("to", "into", "as"):
            walk.claim("file_create", token)
        return
    if (
        state.direct is None
        and state.preposition == "from"
        and token.text.endswith("/")
        and state.between_all & {"all", "everything", "content", "contents", "files"}
    ):
        state.direct = token.text
        return
    if (
        state.direct is None
        and state.preposition == "from"
        and state.word.startswith("renam")
        and token.kind == "path"
        and "code" not in state.between_all
        and not state.taken
        and state.between_all <= WORDS.fillers | WORDS.whole_file
    ):
        state.direct = token.text
        return
    if state.direct is not None and not state.preposition and state.passive and token.kind == "path":
        state.preposition = "to"
    if state.direct is not None and state.preposition in ("to", "into", "as", "under", "in", "→"):
        walk.claim("file_rename", token, source=state.direct)
        state.taken += 1
        state.direct, state.stopped = None, True
    elif (
        state.direct is None
        and not state.preposition
        and not state.taken
        and token.kind == "path"
        and "code" not in state.between
    ) or (state.direct is None and not state.preposition and token.kind == "path"):
        state.direct = token.text
    elif state.preposition and token.kind == "path":
        created = (
            "new" in state.between
            or bool(state.between_all & WORDS.apart_into)
            or (state.fresh and state.preposition in ("at", "as", ""))
        )
        walk.claim("file_create" if created else "file_edit", token)
        state.taken += 1
