"""Lines that begin with a file: `path`: what was done to it. The rest of the line says which action it was, or that it was none."""

from __future__ import annotations

import re

from witnessmark.actions.claims.claim import ActionKind
from witnessmark.actions.report.contexts import Context
from witnessmark.actions.report.draft_claim import DraftClaim
from witnessmark.actions.report.lexicon import VERBS, WHOLE_FILE
from witnessmark.actions.report.tokens import ReportToken

_BETWEEN = frozenset({",", "and", "&", "+", "*", "/", "both"})
_UNTOUCHED = re.compile(
    r"\bunchanged\b|\buntouched\b|\bunaffected\b|\bunmodified\b|\bnot (?:been |yet )?(?:modified|changed|touched|edited|updated|needed|done|required|"
    r"included|created|run|started|yet|applied|written|committed)\b|\bno (?:code )?(?:changes?|edits?|updates?|modifications?)\b|\bneed(?:s|ed)? no\b|\bonly looked\b|"
    r"\b(?:did ?n[o']?t|does ?n[o']?t|do ?n[o']?t|has ?n[o']?t|have ?n[o']?t|was ?n[o']?t|is ?n[o']?t|wo ?n[o']?t|ca ?n[o']?t|could ?n[o']?t) "
    r"(?:been )?(?:chang|touch|need|modif|edit|updat|exist|creat|writ|convert|migrat|includ|done|apply)|\bleft (?:as[- ]is|alone|in place|untouched|it|for)\b|"
    r"\bstill (?:uses?|imports?|needs?|has|to|depends|contains|refers|references|expects|fails)\b|\balready\b|\bas it was\b|\bout of scope\b|^\W*(?:\w+\s+)?(?:to-?do|pending|skipped|read[- ]only|blocked|deferred)\b|"
    r"\bfor reference\b|\blooks? (?:good|fine|ok|correct)\b|\bhas the same (?:problem|bug|issue)\b|\bis stale\b|^\W*(?:\w+\s+){0,2}nothing\b|\bnothing (?:to|else|was|has|needs?)\b|\breverted\b|"
    r"\bunable\b|\bfailed to\b|\bseparately\b|\bbacked (?:it )?out\b"
)
_MODAL = re.compile(r"\W*(?:\w+\s+){0,3}?(?:would|should|could|will|might|may|needs?|must|can|'ll)\b")
_NEW = re.compile(
    r"\(\s*(?:(?:brand[- ])?new(?:ly created)?|created|added)(?: file| module| script| component| test| doc)?\s*(?:[),;:—–-]|$)|^\W*(?:this |a |the |is a |are |is |both |brand[- ])*new(?:\s+files?)?\s*(?:[,.;:()—–]|$)|"
    r"^\W*this new (?:file|module|script|component)|^\W*(?:is|are) (?:a |both |the |now a )?(?:brand[- ])?(?:newly created|new\b(?! \w+ (?:for|of|in)))|"
    r"^\W*(?:newly )?created\b|^\W*(?:was|were|has been|have been|got) (?:also )?(?:newly )?(?:created|added|introduced|generated|scaffolded)\b|^\W*added\s*(?:[,.;()—–]|$)|\bnew file\b|"
    r"^\W*(?:✨|🆕|➕)"
)
_GONE = re.compile(
    r"^\W*(?:(?:was|were|has been|have been|is|are|got)\s+(?:now |also |completely )?)?(?:deleted|removed|dropped|gone)\s*(?:[,.;:()—–❌]|$|\b(?:since|as|because|entirely|completely|"
    r"the (?:entire |whole |complete )?(?:directory|folder|file)|it|in favou?r|from the repo|this|now|along|\())|\(\s*(?:deleted|removed)\b"
)
_MOVED_HERE = re.compile(r"^\W*(?:(?:was|were|has been|is)\s+)?(?:renamed|moved)\s+(?:to|into|→)|^\W*→")
_SAID = re.compile(
    r"(?:created|updated|modified|deleted|removed|added|moved|renamed|edited|new|was (?:updated|modified|created)|has been)\b|→.*\(moved"
)
_NEW_NOUN = re.compile(r"^\W*(?:a |an |the )?(?:brand[- ])?new\s+((?:[\w`'-]+\s*){1,4})")
_WROTE = re.compile(
    r"^\W*(?:(?:was|were|has been|have been)\s+)?(?:written|regenerated|generated|saved|rewritten from scratch)\b"
)


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
    if context.mode == "open" and _IS.match(rest):
        return []
    if renamed is not None:
        return [DraftClaim("file_rename", start, renamed.end, path=found[-1].text, to=renamed.text)]
    kind = _kind(rest, found[0].text, context)
    if _SPLIT.match(rest):
        parts = _until_bracket(tokens[tokens.index(found[-1]) + 1 :])
        if _ORIGINAL_GONE.search(rest):
            kind = "file_delete"
        return [
            *(DraftClaim(kind, start, max(token.end, start), path=token.text) for token in found),
            *(DraftClaim("file_create", start, token.end, path=token.text) for token in parts if token.kind == "path"),
        ]
    return [
        DraftClaim(kind, start, max(token.end, start), path=token.text, assumed=not said_done(rest)) for token in found
    ]


_SPLIT = re.compile(r"^\W*(?:(?:was|were|has been|is now|got) )?(?:split|broken)(?: up)? into\b")
_ORIGINAL_GONE = re.compile(
    r"\b(?:deleted|removed) (?:it|the original)\b|\boriginal (?:file )?(?:was|is|has been|is now) (?:deleted|removed|gone)\b"
)


_IS = re.compile(
    r"[\s`*]*(?:is (?:the|where|an?\b(?! new))|are (?:the|where)|contains?|holds?|defines?|describes?)\b(?!.*\bnew\b)"
)
"""How things are, not what was done."""


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
    at = tokens.index(found[-1])
    following = [token for token in tokens[at + 1 :] if token.text != "*"][:4]
    words = [token.text for token in following]
    if len(following) > 1 and words[0] == "→" and following[1].is_path:
        return following[1]
    if (
        len(following) > 2
        and words[0] in ("renamed", "moved")
        and words[1] in ("to", "into", "→")
        and following[2].is_path
    ):
        return following[2]
    if (
        len(following) > 3
        and words[1] in ("renamed", "moved")
        and words[2] in ("to", "into", "→")
        and following[3].is_path
    ):
        return following[3]
    return None


def untouched(rest: str) -> bool:
    """Whether the first clause after a file says that nothing was done to it, or not yet."""
    first = re.split(r"[;.](?:\s|$)", rest, maxsplit=1)[0][:160]
    return _UNTOUCHED.search(first) is not None or _MODAL.match(rest[:60]) is not None


def _kind(rest: str, path: str, context: Context) -> ActionKind:
    bare = re.sub(r"^[\s*_:`—–,-]+", "", rest)
    if _NEW.search(rest) or _NEW.search(bare) or _new_noun(bare, path):
        return "file_create"
    if _GONE.search(bare) or _GONE.search(rest):
        return "file_delete"
    if _WROTE.match(bare):
        return "file_write"
    if context.kind in ("file_create", "file_write", "file_delete") and not re.match(
        r"(?:updated|modified|changed|edited)\b", bare
    ):
        return context.kind
    return "file_edit"


def _new_noun(bare: str, path: str) -> bool:
    """`ThemeProvider.tsx`: new provider. The file is new where the noun names a whole file; a new section is an edit."""
    match = _NEW_NOUN.match(bare)
    if match is None or "`" in match.group(1):
        return False
    words = re.findall(r"[a-z]+", match.group(1))
    base = path.rsplit("/", 1)[-1].lower()
    if words[:1] and words[0] in (
        "test",
        "tests",
        "cases",
        "case",
        "entry",
        "section",
        "option",
        "target",
        "field",
        "error",
        "column",
        "flag",
        "key",
        "method",
        "function",
        "dependency",
        "rule",
        "route",
        "routes",
        "endpoint",
        "endpoints",
        "command",
        "fixture",
        "fixtures",
        "job",
        "task",
    ):
        return words[0] == "test" and words[1:2] in (["file"], ["suite"], ["module"])
    return any(word in base and len(word) > 3 for word in words[:3]) or any(word in WHOLE_FILE for word in words[:2])


def said_done(rest: str) -> bool:
    """Whether the rest of the line says itself that something was done; after a sign, any verb of doing does."""
    bare = re.sub(r"^[\s*_:`—–,(-]+", "", rest)
    if _SAID.match(bare) is not None:
        return True
    first = re.match(r"[\s*_`]*[:—–-][\s*_`]+([a-z-]+)", rest)
    return first is not None and first.group(1) in VERBS and VERBS[first.group(1)][1] == "past"
