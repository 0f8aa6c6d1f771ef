"""Lines that begin with a file: `path`: what was done to it. The rest of the line says which action it was, or that it was none."""

from __future__ import annotations

import re

from witnessmark.actions.claims.claim import ActionKind
from witnessmark.actions.report.contexts import Context
from witnessmark.actions.report.drafts import DraftClaim
from witnessmark.actions.report.lexicon import PATTERNS, VERBS, WORDS
from witnessmark.actions.report.tokens import ReportToken

_BETWEEN = frozenset({",", "and", "&", "+", "*", "/", "both"})


def heads(tokens: list[ReportToken]) -> list[ReportToken]:
    """The files that a line begins with: one, or several with commas and `and` between."""
    found: list[ReportToken] = []
    for token in tokens:
        if token.kind == "path":
            found.append(token)
        elif not (token.text in _BETWEEN and (found or token.text == "*")):
            break
    return found


def read_item(text: str, tokens: list[ReportToken], end: int, context: Context) -> list[DraftClaim] | None:
    """The claims of a line that begins with files; None where it does not begin so."""
    if len(tokens) > 1 and tokens[0].text == "in" and tokens[1].kind == "path":
        tokens = tokens[1:]
    found = heads(tokens) or _titled(tokens)
    if not found:
        return None
    start = found[0].start
    rest = text[found[-1].end : end].lower().replace("’", "'").removeprefix("`").removeprefix(")")
    renamed = _renamed(tokens, found)
    if context.mode == "not" or untouched(rest) or (context.silent and not said_done(rest)):
        return []
    if renamed is not None:
        return [DraftClaim("file_rename", start, renamed.end, path=found[-1].text, to=renamed.text)]
    kind = _kind(rest, found[0].text, context)
    if PATTERNS.split.match(rest):
        parts = _until_bracket(tokens[tokens.index(found[-1]) + 1 :])
        if PATTERNS.original_gone.search(rest):
            kind = "file_delete"
        return [
            *(DraftClaim(kind, start, max(token.end, start), path=token.text) for token in found),
            *(DraftClaim("file_create", start, token.end, path=token.text) for token in parts if token.kind == "path"),
        ]
    return [
        DraftClaim(kind, start, max(token.end, start), path=token.text, assumed=not said_done(rest)) for token in found
    ]


def _until_bracket(tokens: list[ReportToken]) -> list[ReportToken]:
    """What stands before the first bracket or semicolon."""
    end = next((n for n, token in enumerate(tokens) if token.kind == "sign" and token.text in "(;"), len(tokens))
    return tokens[:end]


def _titled(tokens: list[ReportToken]) -> list[ReportToken]:
    """`**Toggle** (path) – new button`: a short title, then the file in brackets, then a sign."""
    opens = next((n for n, token in enumerate(tokens[:9]) if token.text == "(" and token.kind == "sign"), 0)
    title = [token for token in tokens[:opens] if token.text != "*"]
    if not 0 < len(title) <= 4 or any(
        token.kind not in ("word", "number", "code") or token.text in VERBS for token in title
    ):
        return []
    closes = next((n for n, token in enumerate(tokens) if n > opens and token.text == ")"), 0)
    inside = tokens[opens + 1 : closes]
    after = tokens[closes + 1].text if closes + 1 < len(tokens) else ""
    if after == "*" and closes + 2 < len(tokens):
        after = tokens[closes + 2].text
    found = heads(inside)
    return found if found and len(found) * 2 - 1 >= len(inside) and after in _AFTER_TITLE else []


_AFTER_TITLE = frozenset({"", ":", "–", "—", "→"})


def _renamed(tokens: list[ReportToken], found: list[ReportToken]) -> ReportToken | None:
    """`a → b`, `a was renamed to b`: the new name."""
    following = [token for token in tokens[tokens.index(found[-1]) + 1 :] if token.text != "*"][:4]
    words = [token.text for token in following]
    at = next((n for n, word in enumerate(words) if word in ("to", "into", "→")), len(words))
    led = words[:1] == ["→"] or (at > 0 and words[at - 1] in ("renamed", "moved"))
    return following[at + 1] if led and at + 1 < len(following) and following[at + 1].is_path else None


def untouched(rest: str) -> bool:
    """Whether the first clause after a file says that nothing was done to it, or not yet."""
    first = re.split(r"[;.](?:\s|$)", rest, maxsplit=1)[0][:160]
    return PATTERNS.untouched.search(first) is not None or PATTERNS.modal.match(rest[:60]) is not None


def _kind(rest: str, path: str, context: Context) -> ActionKind:
    bare = re.sub(r"^[\s*_:`—–,-]+", "", rest)
    if PATTERNS.new.search(rest) or PATTERNS.new.search(bare) or _new_noun(bare, path):
        return "file_create"
    if PATTERNS.gone_items.search(bare) or PATTERNS.gone_items.search(rest):
        return "file_delete"
    if PATTERNS.wrote.match(bare):
        return "file_write"
    if context.kind in ("file_create", "file_write", "file_delete") and not re.match(
        r"(?:updated|modified|changed|edited)\b", bare
    ):
        return context.kind
    return "file_edit"


def _new_noun(bare: str, path: str) -> bool:
    """`ThemeProvider.tsx`: new provider. The file is new where the noun names a whole file; a new section is an edit."""
    match = PATTERNS.new_noun.match(bare)
    if match is None or "`" in match.group(1):
        return False
    words = re.findall(r"[a-z]+", match.group(1))
    base = path.rsplit("/", 1)[-1].lower()
    if words[:1] and words[0] in WORDS.parts_of_files:
        return words[0] == "test" and words[1:2] in (["file"], ["suite"], ["module"])
    return any(word in base and len(word) > 3 for word in words[:3]) or any(
        word in WORDS.whole_file for word in words[:2]
    )


def said_done(rest: str) -> bool:
    """Whether the rest of the line says itself that something was done; after a sign, any verb of doing does."""
    bare = re.sub(r"^[\s*_:`—–,(-]+", "", rest)
    if PATTERNS.said.match(bare) is not None:
        return True
    first = re.match(r"[\s*_`]*[:—–-][\s*_`]+([a-z-]+)", rest)
    return first is not None and first.group(1) in VERBS and VERBS[first.group(1)][1] == "past"
