"""A change told by its result: `x now does this`, `the fix is in x`, `x is a new file`, `it now returns early`."""

from __future__ import annotations

import re

from witnessmark.actions.claims.claim import ActionKind
from witnessmark.actions.report.draft_claim import DraftClaim
from witnessmark.actions.report.fragments import Fragment
from witnessmark.actions.report.lexicon import NEVER
from witnessmark.actions.report.tokens import ReportToken
from witnessmark.actions.report.walk import WITHIN, State, Walk
from witnessmark.text.word_sets import listed


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
    if not paths or any(word in NEVER or word.endswith("n't") for word in scope):
        return False
    if len(paths) == 2 and _RENAMED.fullmatch(_outlined(tokens)):
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
    if not first and _PRODUCED.match(said):
        return "file_write", paths
    if first and _IS_NEW.search(said):
        return "file_create", subjects
    if _ONLY_ONE.match(outline):
        return "file_edit", subjects
    if _CHANGE_IS.match(said) or _THERE_IS.match(said):
        return "file_edit", paths
    if _GONE.search(outline):
        return "file_delete", subjects
    if first and _gains_or_loses(words, tokens):
        return "file_edit", subjects
    if "now" in words and _now_is_change(walk, tokens):
        return "file_edit", subjects if first else paths[:1]
    joined = first and walk.changed and fragment.lead in ("and", ",", ";") and _JOINED.match(outline) is not None
    listed_so = walk.context.mode == "done" and not first and walk.first and _RESULTS.search(outline) is not None
    return ("file_edit", paths[:1]) if joined or listed_so else (None, [])


def _gains_or_loses(words: list[str], tokens: list[ReportToken]) -> bool:
    """`x gained an option`, `x no longer retries`."""
    if words[:1] and words[0] in _GAINS and len(tokens) > 2:
        return True
    return words[:2] == ["no", "longer"] and bool(words[2:3]) and words[2] not in _GONE_STATES


_IS_NEW = re.compile(
    r"\b(?:is|are) (?:a |the |also |both )*(?:brand[- ])?(?:newly created|new)(?: file| module| script)?\b"
)
_CHANGE_IS = re.compile(
    r"(?:the |this |that |my |only |actual |final |whole |entire |core |main |bug ?|code )*(?:(?:most|bulk|rest) of (?:the |my )?(?:work|changes?|fix|diff)|fix|change|changes|edit|edits|patch|diff)\b.{0,40}?"
    r"\b(?:is|are|was|were|lives?|went|consists?|sits?|boils|landed|stays?|amounts?|confined|limited)\b"
)
_RENAMED = re.compile(
    r"(?:the )?(?:file |module |script )?\|path\| is now (?:called |named |known as )?\|path\|(?: \w+)?"
)
_ONLY_ONE = re.compile(
    r"(?:\|path\| )+(?:is|are|was|were) the only (?:files? )?(?:i |that (?:was |were |i )?|we )?(?:modified|changed|touched|edited|affected)\b"
)
_THERE_IS = re.compile(
    r"there(?:'s| is| are)(?: now)? (?:a |an |also )*new\b|(?:the |a |two |three |four |some )?new (?:\w+ ){1,2}(?:lives?|sits?|is|are|goes|went) in$"
)
_JOINED = re.compile(r"\|path\| (?!was\b|is\b|needs\b|does\b|remains\b|stays\b|always\b|keeps\b|looks\b)[a-z]{2,}s\b")
_RESULTS = re.compile(
    r"^(?!.*\b(?:still|already|also)\b)[^|]*\b(?:in|of|from|at) \|path\| (?!is$|was$|needs$|does$|remains$|stays$|always$|keeps$|looks$|passes$|works$|fails$)[a-z]{2,}s\b"
)


def _outlined(tokens: list[ReportToken]) -> str:
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


def _now_within(walk: Walk, tokens: list[ReportToken]) -> bool:
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


def tells_now(words: list[str]) -> bool:
    """`the endpoint now validates its input`: something is so now that was not."""
    at = words.index("now") if "now" in words else 0
    following = words[at + 1] if at + 1 < len(words) else ""
    return at > 0 and bool(following) and following not in _NOT_CHANGED and not any(word in NEVER for word in words)


def it_now(walk: Walk, fragment: Fragment) -> bool:
    """`x called it twice; it now calls it once`: the file that was spoken of is another now."""
    words = fragment.words()
    if words[:2] not in (["it", "now"], ["now", "it"]) or len(words) < 3 or words[2] in _NOT_CHANGED | NEVER:
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
        and following not in _NOT_CHANGED - {"empty", "gone", "available"}
        and not (state.cls and not state.counts and not state.other)
    )
