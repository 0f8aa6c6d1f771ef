"""A change told by its result: `x now does this`, `the fix is in x`, `x is a new file`, `it now returns early`."""

from __future__ import annotations

from witnessmark.actions.claims.claim import ActionKind
from witnessmark.actions.report.draft_claim import DraftClaim
from witnessmark.actions.report.fragments import Fragment
from witnessmark.actions.report.lexicon import PATTERNS, WORDS
from witnessmark.actions.report.tokens import ReportToken
from witnessmark.actions.report.walk import State, Walk


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
    if PATTERNS.only_one.match(outline):
        return "file_edit", subjects
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
    barred = walk.state.cls is not None and not walk.state.counts and not walk.state.other
    if barred or any(token.is_path for token in tokens[:at]) or not place or rest[place - 1].text not in WORDS.within:
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


def it_now(walk: Walk, fragment: Fragment) -> bool:
    """`x called it twice; it now calls it once`: the file that was spoken of is another now."""
    words = fragment.words()
    if words[:2] not in (["it", "now"], ["now", "it"]) or len(words) < 3 or words[2] in WORDS.not_changed | WORDS.never:
        return False
    path = (
        (walk.topic or walk.culprit)
        if walk.first
        else walk.last_path.text
        if walk.last_path and walk.sole_subject
        else None
    )
    if path is None or path.endswith("/") or any(claim.path == path for claim in walk.found):
        return False
    start = fragment.tokens[0].start
    walk.found.append(DraftClaim("file_edit", start, fragment.tokens[-1].end, path=path))
    return True


def _now_is_change(walk: Walk, tokens: list[ReportToken]) -> bool:
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
        and following not in WORDS.not_changed - {"empty", "gone", "available"}
        and not (state.cls and not state.counts and not state.other)
    )
