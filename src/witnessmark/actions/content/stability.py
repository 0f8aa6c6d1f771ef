"""What a report says is still there or stayed as it was: names in code, and settings by their words, against the texts of before and now.

Untrue only where the texts show it: a name that was there and that no file has any more, a setting that has another value. Who tells
the new value tells of the change.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from witnessmark.actions.claim import ActionClaim, Ruling, contradicted, supported
from witnessmark.actions.content.evidence import TextEvidence
from witnessmark.actions.content.patterns import clause_at, content_claim, first_match, is_barred, pattern
from witnessmark.actions.content.syntax_trees import language_of, node_text, nodes_under, parser_of
from witnessmark.actions.content.values import times
from witnessmark.actions.report.lexicon import table
from witnessmark.actions.report.names import path_kind
from witnessmark.actions.report.passages import CODE, ReportPassage, paths_in
from witnessmark.actions.report.report import Report
from witnessmark.actions.trace.changes import ending, is_test
from witnessmark.text.files import TEXT
from witnessmark.text.patterns import compiled
from witnessmark.text.words import letters, stem

LEAST = 4
"""A shorter name may be anybody's."""
_NAME = compiled(r"-{0,2}[A-Za-z_$][\w$.:-]*(?:\(\))?")


def kept_told(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`x is still accepted`, `kept x as an alias`: a name in code that is told to be there as it was."""
    low, text = passage.sentence.low, passage.sentence.text
    match = first_match("names", "kept", low)
    if match is None or len(low) != len(text) or is_barred(clause_at(low, match.start(), match.end())):
        return
    for key, told in match.groupdict().items():
        for code in CODE.finditer(told or ""):
            name = text[match.start(key) + code.start(1) : match.start(key) + code.end(1)]
            if _NAME.fullmatch(name) and path_kind(name, in_code=True) != "path":
                yield content_claim(passage, "kept", value=name, path=None)


def rule_kept(claim: ActionClaim, known: TextEvidence, report: Report) -> Ruling | None:
    """A name that is told to be there still, that a changed file had, and that no file has in any spelling."""
    name = re.split(r"[.:]+", (claim.value or "").removesuffix("()"))[-1].lstrip("-")
    if len(name) < LEAST or not known.knows_old or not known.all_seen:
        return None
    had = next((text for text in known.changed.values() if name in text.old and name not in text.new), None)
    others = (text for text in known.files() if not is_test(text.path) and ending(text.path) not in TEXT)
    if had is None or any(_flat(name) in _flat(text.new) for text in others):
        return None
    return contradicted(
        "contradicted_claim", f"{had.path} had `{name}`, and no file but tests and documents has it any more", "gone"
    )


def _flat(text: str) -> str:
    return re.sub(r"[_-]", "", text).lower()


# --- settings by their words -----------------------------------------------------------------------------------------


def unchanged_told(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`requests and limits stay as they were`: settings, by their names or words, that are told to have the values they had."""
    low = passage.sentence.low
    match = first_match("values", "unchanged", low)
    if match is None or pattern("values", "unless").search(low) or _of_a_place(low, match):
        return
    said = next((told for key, told in match.groupdict().items() if key.startswith("what") and told), "")
    if said.count("`") % 2 or paths_in(said):
        return  # of files other rules tell
    names = [part.strip() for part in pattern("values", "joined").split(said)]
    meant = [name for name in names if name and _is_setting(name)]
    own = paths_in(passage.sentence.text)
    if meant:
        yield content_claim(passage, "unchanged", name="\n".join(meant), path=own[0] if len(own) == 1 else None)


def _of_a_place(low: str, match: re.Match[str]) -> bool:
    """Whether the words before a match limit it to a place that is no file of these: `in CI the timeout stays at 30`."""
    before = low[: match.start()] + (match.groupdict().get("what") or "")
    told = pattern("values", "of_place").search(CODE.sub(lambda code: "x" if "." in code[1] else code[0], before))
    return told is not None and "x" not in told.group().split()


def _is_setting(said: str) -> bool:
    """Whether words may name a setting, or are a name in code and nothing else."""
    last = (letters(said) or [""])[-1]
    plain = "`" not in said and last not in table("content")["values"]["no_setting"].split()
    return plain or _CODE_ALONE.fullmatch(said) is not None


_CODE_ALONE = compiled(r"(?:\w+ ){0,2}`([^`]+)`")


def rule_unchanged(claim: ActionClaim, known: TextEvidence, report: Report) -> Ruling | None:
    """Settings of a changed file that have another value than before: those whose key, or the key right above, is the one that is named."""
    changed = _other_definition(claim, known)
    if changed is not None:
        return changed
    same = ""
    for text in known.called(claim.path) if claim.path else known.changed.values() if known.knows_old else ():
        before, now = (settings_in(one) if _keyed(text.path) else {} for one in (text.old, text.new))
        used = {word for keys in (*before, *now) for key in keys for word in _words(key)}
        for keys in before.keys() & now.keys():
            if not any(_means(name, keys, used) for name in claim.names):
                continue
            pairs = zip(before[keys], now[keys], strict=False)
            old, new = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
            if new and not times(new, report.text):
                return contradicted("contradicted_claim", f"{text.path} has {keys[-1]}: {new}, and had {old}", new)
            same = text.path if not new else same
    return supported("it has the value that it had", same) if same else None


def _other_definition(claim: ActionClaim, known: TextEvidence) -> Ruling | None:
    """The ruling on a name in code that is told to be as it was, whose only definition reads otherwise now."""
    names = [code[1].removesuffix("()") for name in claim.names if (code := _CODE_ALONE.fullmatch(name))]
    for text in known.changed.values() if known.knows_old else ():
        for name in names if language_of(text.path) else ():
            old, new = (_definitions(name, one, text.path) for one in (text.old, text.new))
            if len(old) == 1 and len(new) <= 1 and old != new:
                return contradicted("contradicted_claim", f"`{name}` in {text.path} is not as it was", "changed")
    return None


def _definitions(name: str, text: str, path: str) -> list[str]:
    """What a text defines under a name, without comments and space; `name` is in small letters."""
    if name not in text.lower():
        return []
    root = parser_of(language_of(path)).parse(text.encode("utf-8", "surrogatepass")).root_node
    named = ((node, node.child_by_field_name("name")) for node in nodes_under(root) if node.type.startswith(_DEFINES))
    return ["".join(_REMARKS.sub("", node_text(node)).split()) for node, own in named if node_text(own).lower() == name]


_DEFINES = ("function", "method", "variable_declarator")
"""How the types of nodes begin that define something to be called; what is in a class is told of by itself."""
_REMARKS = compiled(r"\"{3}.*?\"{3}|/\*.*?\*/|(?:#|//)[^\n]*", re.DOTALL)


def _keyed(path: str) -> bool:
    """Whether a file has settings by their keys, and no tool wrote it."""
    return ending(path) in table("content")["values"]["keyed"].split() and "lock" not in path.rpartition("/")[2]


def _means(name: str, keys: Sequence[str], used: set[str]) -> bool:
    """Whether words mean a setting: their last one names its key or the one right above, and what else they name of the file's keys is over it."""
    *more, last = _words(name)
    near = {word for key in keys[-2:] for word in _words(key)}
    above = {word for key in keys for word in _words(key)}
    return last in near and all(word in above for word in more if word in used)


def _words(key: str) -> list[str]:
    """The words of a key: `periodSeconds` has two."""
    return [stem(word) for word in letters(_CAMEL.sub(" ", key).lower())]


_CAMEL = compiled(r"(?<=[a-z])(?=[A-Z])|[_.-]+")
_KEY = compiled(r"(\s*)(?:- )?[\"']?([A-Za-z_][\w.@/-]*)[\"']?\s*[:=]\s*(.*?)[\s,]*")
_SECTION = compiled(r"\s*\[+([\w.-]+)\]+\s*")


def settings_in(text: str) -> Mapping[tuple[str, ...], list[str]]:
    """The values of a file of settings, each by the keys that lead to it, as JSON or as indentation and sections show them."""
    found: dict[tuple[str, ...], list[str]] = defaultdict(list)
    if text.lstrip()[:1] == "{":
        with contextlib.suppress(ValueError, RecursionError):  # with remarks in it, say: then by its lines
            for keys, value in _leaves((), json.loads(text)):
                found[keys].append(value)
            return found
    section: tuple[str, ...] = ()
    over: list[tuple[int, str]] = []
    for line in text.splitlines():
        headed = _SECTION.fullmatch(line)
        if headed is not None:
            section, over = tuple(headed[1].split(".")), []
            continue
        match = _KEY.fullmatch(line)
        if match is None:
            continue
        depth = len(match[1]) + 2 * line.lstrip().startswith("- ")
        while over and over[-1][0] >= depth:
            over.pop()
        value = match[3].partition(" #")[0].strip("\"' ")
        if value in ("", "{", "[", "|", ">"):
            over.append((depth, match[2]))
        else:
            found[(*section, *(key for _, key in over), match[2])].append(value)
    return found


def _leaves(keys: tuple[str, ...], node: object) -> Iterator[tuple[tuple[str, ...], str]]:
    """The values of an object, each by the keys that lead to it; a list is one value."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from _leaves((*keys, str(key)), value)
    elif keys:
        yield keys, node if isinstance(node, str) else json.dumps(node, ensure_ascii=False)


# --- values that are told to be the same, and defaults -----------------------------------------------------------------


def still_told(passage: ReportPassage) -> Iterator[ActionClaim]:
    """`the limit of x is still 50`, `x defaults to False`: a value that a setting or a name is told to have."""
    low = passage.sentence.low
    match = first_match("values", "still", low)
    if match is not None and not pattern("values", "unless").search(low) and not _of_a_place(low, match):
        yield content_claim(passage, "still", name=match["what"], value=match["new"].strip('`"'), path=None)
    match = first_match("values", "default", low)
    if match is None or len(low) != len(passage.sentence.text):
        return
    told = next((value for key, value in match.groupdict().items() if key.startswith("new") and value), "").strip('`."')
    key = "name" if match["name"] else "name3"
    name = passage.sentence.text[slice(*match.span(key))].strip("`")
    plan = clause_at(low, match.start(), match.end()).replace("default", " ")
    if told and (key == "name" or name.isupper()) and not is_barred(plan):  # what is written small may be any variable
        yield content_claim(passage, "default", name=name, value=told, path=None)


def rule_still(claim: ActionClaim, known: TextEvidence, report: Report) -> Ruling | None:
    """A value that was there beside what it is the value of, in a line that has another one now."""
    said, value = claim.name or "", claim.value or ""
    if not known.knows_old or not value:
        return None
    told = re.compile(rf"(?<![\w.]){re.escape(value)}(?![\w]|\.\d)", re.IGNORECASE)
    codes = [code[1].partition("(")[0] for code in CODE.finditer(said) if path_kind(code[1], in_code=True) != "path"]
    files = [code[1] for code in CODE.finditer(said) if path_kind(code[1], in_code=True) == "path"]
    words = [word for word in _words(CODE.sub(" ", said)) if len(word) >= LEAST - 1]
    for text in known.changed.values():
        if files and not any(text.path.endswith(file) for file in files):
            continue
        now = "\n".join(line for _, line in _around(text.new, codes))
        used = set(words).intersection(_words(" ".join(letters(text.old))))
        for _, line in _around(text.old, codes):
            here = _words(" ".join(letters(line)))
            meant = (codes or used) and used <= set(here)
            if meant and told.search(line) and line not in text.new.splitlines() and not told.search(now):
                return contradicted(
                    "contradicted_claim", f"{text.path} had `{line.strip()[:80]}`, and has another value now", "changed"
                )
    return None


def _around(text: str, codes: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The lines of a text that have each of some names, or stand a little below one that has; all of them where no names are given."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        over = "\n".join(lines[max(0, number - NEAR) : number + 1]).lower()
        if all(code in over for code in codes):
            yield number, line


NEAR = 3
"""So many lines below a name its value may stand."""


def rule_default(claim: ActionClaim, known: TextEvidence, report: Report) -> Ruling | None:
    """A name whose defaults in the changed files are other literals than the one that is told."""
    name = re.escape(claim.name or "")
    given = re.compile(rf"(?<![\w.]){name}\??\s*(?::[^=,()\n]{{0,40}})?=\s*([\w.\"'-]+)")
    found = {value.strip("\"'").lower() for text in known.changed.values() for value in given.findall(text.new)}
    if (
        not found
        or any(not pattern("values", "literal").fullmatch(one) for one in found)
        or (claim.value or "").lower() in found
    ):
        return None
    return contradicted("contradicted_claim", f"`{claim.name}` is {min(found)} there", min(found))
