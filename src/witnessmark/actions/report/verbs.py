"""Fragments with a verb: which verb it is, whether it was really done and by the writer, and what it was done to."""

from __future__ import annotations

import re

from witnessmark.actions.report.fragments import Fragment, form_of, negated
from witnessmark.actions.report.lexicon import PATTERNS, VERBS, WORDS
from witnessmark.actions.report.names import ReportToken
from witnessmark.actions.report.objects import objects
from witnessmark.actions.report.walk import CLASS_KIND, DraftClaim, State, Walk
from witnessmark.text.patterns import compiled


def verb_at(walk: Walk, fragment: Fragment) -> int | None:
    """The verb of a fragment: the first, unless a later one has its auxiliary (`sources used here are saved`)."""
    found = [at for at in range(len(fragment.tokens)) if _is_verb(walk, fragment, at)]
    for at in found:
        if at and fragment.tokens[at - 1].text in WORDS.be | {"been", "have", "has", "i've", "we've", "to"}:
            return at
    return found[0] if found else None


def _is_verb(walk: Walk, fragment: Fragment, at: int) -> bool:
    tokens, token = fragment.tokens, fragment.tokens[at]
    if token.kind != "word" or token.text not in VERBS:
        return False
    cls, form = VERBS[token.text]
    if token.text in WORDS.only_out and not any(part.text == "out" for part in tokens[at + 1 : at + 8]):
        return False
    before = tokens[at - 1].text if at and tokens[at - 1].kind in ("word", "number") else ""
    if form == "past":
        return before not in WORDS.adjectival and not before.isdigit()
    if token.text in ("run", "rerun", "re-run") and before in WORDS.be | {"have", "has", "i've", "we've", "been"}:
        return True
    if token.text == "run" and at == 0 and fragment.lead in ("and", ",") and WORDS.have & set(walk.previous):
        return walk.state.counts
    if form == "ing":
        return (cls == "run" and before not in WORDS.not_before_ing) or _ing_counts(walk, fragment, at, before)
    return form in ("base", "third") and _base_counts(walk, fragment, at, form)


def _ing_counts(walk: Walk, fragment: Fragment, at: int, before: str) -> bool:
    """`fixed by changing x and adding y`, `ended up rewriting x`, `After updating x, I …`."""
    words = [token.text for token in fragment.tokens[:at] if token.kind == "word"]
    if not words and fragment.lead in ("and", ",", "then"):
        said_how = "by" in walk.previous or (form_of(walk.state.word) == "ing" and walk.state.cls != "run")
        return walk.state.counts and said_how
    if not words:
        return fragment.lead in ("after", "while") and walk.first_person
    if before == "by":
        return walk.first_person or any(form_of(word) == "past" for word in words)
    return words[-2:] in (["ended", "up"], ["liberty", "of"]) or before in ("involved", "meant", "required")


def _base_counts(walk: Walk, fragment: Fragment, at: int, form: str) -> bool:
    words = [token.text for token in fragment.tokens[:at]]
    if words[-2:] == ["had", "to"] or (
        words[-1:] == ["to"] and any(word in ("used", "managed", "able", "proceeded") for word in words)
    ):
        return True
    if (
        form == "third"
        and set(words) & {"pr", "change", "commit", "patch", "branch", "mr", "fix", "diff"}
        and all(word in WORDS.this_change for word in words)
    ):
        return walk.first or fragment.lead in ("and", ",")
    if form == "third" and VERBS[fragment.tokens[at].text][0] == "run":
        return False
    if form == "third" and at == 0 and fragment.lead in (",", "and") and form_of(walk.state.word) == "third":
        return walk.state.counts  # `this commit adds x and removes y`
    if at == 0 and (walk.first or fragment.lead in (",", "and", "then", ":")):
        return (
            walk.imperative
            if form == "base"
            else walk.imperative or (walk.first and walk.context.mode in ("open", "done"))
        )
    return False


def with_verb(walk: Walk, fragment: Fragment, at: int) -> None:
    """Take a fragment with its verb at this place into account."""
    before, verb, after = fragment.tokens[:at], fragment.tokens[at], fragment.tokens[at + 1 :]
    words = [token.text for token in before if token.kind == "word"]
    if fragment.lead == ")" and walk.open[1]:
        # `#388 (merged by x) already removed …`: the subject stands before the brackets.
        words = [*walk.open[1], *words]
    passive = bool(words) and (
        words[-1] in WORDS.be or (len(words) > 1 and words[-2] in WORDS.be and words[-1] != "to")
    )
    paths = [token for token in before if token.is_path]
    earlier, walk.state = (
        walk.state,
        State(cls=VERBS[verb.text][0], word=verb.text, start=(before or [verb])[0].start, end=verb.end),
    )
    had_to = words[-2:] == ["had", "to"] or (
        form_of(verb.text) == "base" and words[-1:] == ["to"] and not negated(words)
    )
    barred = not had_to and _barred(walk, words, fragment.lead, after)
    walk.state.counts = not barred and words[-1:] not in (["being"], ["last"])
    if passive:
        own = not paths and fragment.lead != ")" and _has_subject(words)
        _passive(walk, walk.state, paths if own else [*walk.subjects, *paths], words, after)
    elif paths:
        _path_before(walk, walk.state, [*walk.subjects, *paths], fragment, at)
    else:
        _active(walk, fragment, at, words, earlier, had_to=had_to)
    within = walk.subjects if walk.within else paths if before[:1] and before[0].text in WORDS.within else []
    walk.subjects, walk.within = [], False
    objects(walk, after)
    if not any(token.kind == "command" for token in before):
        _pronoun(walk, after)  # what a command removed is seldom the file that was spoken of
    if not passive:
        _done_within(walk, within)
    _implied(walk, fragment, words)


def _has_subject(words: list[str]) -> bool:
    """Whether a passive has a subject of its own: `the handling was changed`."""
    small = WORDS.subjects | WORDS.be | WORDS.stand_ins
    return any(word not in small and not word.endswith("ly") for word in words)


def _active(walk: Walk, fragment: Fragment, at: int, words: list[str], earlier: State, *, had_to: bool) -> None:
    """`I updated`, `updated`, `running`: whether the writer did it."""
    state, after = walk.state, fragment.tokens[at + 1 :]
    goes_on = fragment.lead in ("and", ",", "or", "then", "") and not walk.first
    if form_of(state.word) == "ing":
        state.counts = state.counts and (not words or words[-1] in WORDS.before_ing)
    elif not had_to and not _subject_fits(walk, words, fragment, earlier, after):
        state.counts = False
        state.other = True
    elif not words and walk.subjects and not after:
        _path_before(walk, state, list(walk.subjects), fragment, at)
    elif not words and goes_on and earlier.cls and not earlier.counts:
        state.counts = False


def _done_within(walk: Walk, within: list[ReportToken]) -> None:
    """`In x I replaced the loop`, `In x, I …`."""
    state = walk.state
    if state.counts and not state.taken and not state.other and state.cls not in ("run", "verify"):
        for token in within:
            walk.claim("file_edit" if token.kind == "path" else None, token)


def _implied(walk: Walk, fragment: Fragment, words: list[str]) -> None:
    """`x, which I created`: done to the file just spoken of."""
    state, near = walk.state, walk.last_path if walk.previous_path else None
    kind = CLASS_KIND.get(state.cls or "") if state.cls != "move" else None
    done = state.counts and not state.taken and not state.other and WORDS.i & set(words)
    if fragment.lead == "which" and done and near and not any(token.is_path for token in fragment.tokens):
        walk.claim(kind, near)


def _barred(walk: Walk, words: list[str], lead: str, after: list[ReportToken]) -> bool:
    if lead in ("if", "unless", "when", "until", "that", "who", "before"):
        return not (lead == "that" and walk.previous[-1:] in (["note"], ["confirm"], ["confirmed"], ["mention"]))
    if PATTERNS.told_by_others.match(" ".join([*walk.open[1], *words])):
        return True
    scope = words[-8:]
    if any(word in WORDS.never or word in WORDS.contracted or word.endswith(("n't", "'ll", "'d")) for word in scope):
        return True
    agent = [token.text for token in after[:6] if token.kind == "word"]
    told = " ".join(token.text for token in after if token.kind == "word")
    denied = agent[:1] in (["neither"], ["nothing"], ["none"], ["no"]) and not {"except", "but", "besides"} & set(agent)
    if denied or PATTERNS.earlier.search(told):
        return True
    return "by" in agent and any(
        word in WORDS.agent_by or word.startswith("@") for word in agent[agent.index("by") + 1 :][:4]
    )


def _subject_fits(walk: Walk, words: list[str], fragment: Fragment, earlier: State, after: list[ReportToken]) -> bool:
    """Whether it is the writer who did it: `I`, nobody named, or the command that was just run."""
    left = [word for word in words if word not in WORDS.subjects and not word.endswith("ly")]
    if fragment.lead == "which" and not any(word in ("i", "we") for word in words):
        return _after_command(walk, earlier)
    if not left:
        return fragment.lead not in WORDS.subordinate - {"so", "which"} or bool(words)
    if form_of(walk.state.word) == "third" and all(word in WORDS.this_change for word in words):
        return True
    if left in (["it"], ["this"]):
        return _after_command(walk, earlier) or walk.state.cls == "write"
    if any(word in WORDS.others or word.startswith(("@", "#")) for word in left):
        return False
    if fragment.lead in WORDS.subordinate and not any(word in ("i", "i've", "we", "we've") for word in words):
        return False
    if "i" in words or "i've" in words or "we" in words or "we've" in words:
        return max(n for n, word in enumerate(words) if word in ("i", "i've", "we", "we've")) >= len(words) - 3
    prepositional = bool(after) and after[0].kind == "word" and after[0].text in WORDS.into
    return prepositional and not any(
        token.kind == "word" and walk.text[token.start].isupper() and token.start != fragment.tokens[0].start
        for token in fragment.tokens[: len(words)]
    )


def _after_command(walk: Walk, earlier: State) -> bool:
    return (earlier.cls == "run" and earlier.counts) or any(claim.kind == "command" for claim in walk.found)


def _habit(walk: Walk, words: list[str], after: list[ReportToken]) -> bool:
    """`is updated by the loader`, `is deleted every night`, `When it starts, x is updated`: what happens, and not what was done."""
    if (after[0].text if after else walk.next) in WORDS.at_run_time or walk.open[0] in WORDS.at_run_time:
        return True
    told = " ".join([*(token.text for token in after if token.kind == "word"), walk.next, *walk.then]).strip()
    return PATTERNS.habit_before.match(" ".join([*walk.open[1], *words])) is not None or bool(
        PATTERNS.habit.search(told)
    )


def _passive(walk: Walk, state: State, subjects: list[ReportToken], words: list[str], after: list[ReportToken]) -> None:
    """`x was updated`, `tests were added to x`, `x was written by the command`."""
    now = "now" in words[-3:]
    present = (
        any(word in ("is", "are", "gets", "get", "be", "it's", "they're") for word in words[-2:])
        and "been" not in words[-2:]
        and (not now or state.cls == "write")
    )
    if (
        present
        and (now or state.word in WORDS.states)
        and not (walk.context.mode == "done" and state.word in WORDS.done_states)
    ):
        state.counts = False
    if present and _habit(walk, words, after):
        state.counts = False
    kind = CLASS_KIND.get(state.cls or "edit")
    if kind is None or not state.counts or state.word in WORDS.mentions_only:
        return
    for token in subjects:
        named = token.kind == "path" or (state.cls in ("delete", "create") and "/" in token.text)
        part = state.cls == "delete" and PATTERNS.part_of.search(walk.text, max(0, token.start - 12), token.start)
        walk.claim("file_edit" if named and part else kind if named else None, token)
    if state.cls == "move" and subjects:
        state.direct, state.passive = subjects[-1].text, True
    state.taken += len(subjects)


def _path_before(walk: Walk, state: State, subjects: list[ReportToken], fragment: Fragment, at: int) -> None:
    """`x updated`: the path before the verb had it done to it. `x dropped the attributes`: it did it itwalk."""
    after = fragment.tokens[at + 1 :]
    nearest = fragment.tokens[at - 1] if at else subjects[-1]
    ends = (
        not after
        or (
            after[0].kind == "word"
            and after[0].text
            in (WORDS.into | WORDS.stoppers | {"again", "entirely", "accordingly", "too", "completely"})
        )
        or after[0].kind == "sign"
    )
    led = any(token.kind == "word" and token.text in ("i", "i've", "we", "we've") for token in fragment.tokens[:at])
    if led:
        return
    if any(token.kind == "word" and token.text in WORDS.tells for token in fragment.tokens[:at]):
        state.counts = False
        return
    if not ends or not (
        nearest.is_path
        or nearest.text in ("file", "files", "directory", "folder", "itself", "both", "all", "also", "now")
    ):
        state.counts = False
        state.other = True
        return
    kind = CLASS_KIND.get(state.cls or "edit")
    if kind is None or not state.counts:
        return
    for token in subjects:
        walk.claim("file_create" if state.cls == "add" and not after else kind, token)
    state.stopped = state.cls != "move"
    state.direct = subjects[-1].text if state.cls == "move" else None


_INTO = compiled(r"\b(?:merged|moved|folded|copied|inlined|split)\b[^.\n]*\binto\b", re.IGNORECASE)


def _pronoun(walk: Walk, after: list[ReportToken]) -> None:
    """`I deleted it`, `I wrapped the call in that file`: the one file named just before."""
    state = walk.state
    words = " ".join(token.text for token in after)
    if (
        state.counts
        and state.cls == "edit"
        and not state.taken
        and re.search(r"\b(?:in|to) (?:that|this|the same) file\b|^(?:that|this) file\b", words)
    ):
        named = list(dict.fromkeys(walk.spoken or walk.named))
        if len(named) == 1:
            walk.found.append(DraftClaim("file_edit", state.start, after[-1].end, path=named[0]))
            state.taken += 1
    kind = CLASS_KIND.get(state.cls or "") if state.cls not in ("add", "move") else None
    if (
        state.counts
        and kind
        and not state.taken
        and after
        and (after[0].text == "it" or (after[0].text in ("that", "this") and not _goes_on(after)))
        and len(after) < 8
    ):
        named = list(dict.fromkeys(walk.spoken or walk.named))
        before = walk.text[max(0, state.start - 200) : state.start].rpartition("\n")[2]
        if len(named) == 1 or (len(named) == 2 and _INTO.search(before)):  # merged x into y and deleted it
            at = walk.text.rfind(named[0], 0, state.start)
            inside = kind == "file_delete" and PATTERNS.inside.search(walk.text, max(0, at - 12), at)
            if inside and PATTERNS.used_inside.search(walk.text, max(0, at - 40), at):
                return
            walk.found.append(DraftClaim("file_edit" if inside else kind, state.start, after[0].end, path=named[0]))
            state.taken += 1


def _goes_on(after: list[ReportToken]) -> bool:
    """Whether `that` and `this` only point at what follows: `I removed that function` removes no file."""
    return len(after) > 1 and after[1].kind == "word" and after[1].text != "file"
