"""Claims about the content of files against what files held and hold.

Untrue only where every change is known and the texts say otherwise; a value in another form, a thing done elsewhere, a name in a
comment are never held against a report.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.denials import files_called
from witnessmark.actions.claims.ruling import Ruling, contradicted, supported, unverifiable
from witnessmark.actions.content.evidence import TextEvidence, added_lines, evidence_of, lost_lines
from witnessmark.actions.content.passages import names_in
from witnessmark.actions.content.regions import definitions, last_part
from witnessmark.actions.content.test_bodies import rule_asserts, rule_count
from witnessmark.actions.content.values import rule_kept, rule_set, rule_value
from witnessmark.actions.content.wording import pattern
from witnessmark.actions.report.lexicon import table
from witnessmark.actions.trace.changes import CODE, SETTINGS, ending, is_code, is_test
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.tree.texts import TextChange
from witnessmark.actions.tree.view import TreeView
from witnessmark.text.patterns import compiled

MIN_NAME = 4
"""A shorter name is too common to say that one that is left is the one that was renamed."""


def rule(claim: ActionClaim, scene: TreeView | None, trace: TraceIndex | None, report: str = "") -> Ruling:
    """One claim whose role is in `RULES`."""
    known = texts_known(scene, trace)
    if isinstance(known, Ruling):
        return known
    ruled = RULES[claim.role or ""](claim, known, report)
    return ruled or unverifiable("the texts do not settle it", there="not known")


def texts_known(scene: TreeView | None, trace: TraceIndex | None, *, whole: bool = True) -> TextEvidence | Ruling:
    """What the texts show, or the ruling on a claim that they cannot settle; `whole`: only where every change is known with its text."""
    if scene is None:
        return unverifiable("there is no tree to look at", there="not looked at")
    known = evidence_of(scene, trace)
    if (whole and not known.whole) or not known.changed:
        return unverifiable("not every change is known with its text", there="not known")
    if trace is not None and trace.ledger.turns and not trace.ledger.active:
        return unverifiable("this turn changed nothing, and the words may describe what is there", there="not known")
    return known


# --- names that are left -----------------------------------------------------------------------------------------


def _everywhere(claim: ActionClaim, known: TextEvidence, report: str) -> Ruling | None:
    """A name that was replaced in some places and stands in others as it did."""
    old, new = last_part(claim.old or ""), last_part(claim.value or "")
    if not old or old == new or pattern("uses", "excused").search(report.lower()):
        return None
    forms = _replaced(old, new, known.changed.values())
    files = known.called(claim.path) if claim.path else list(known.files())
    for text in files:
        if ending(text.path) not in CODE | SETTINGS:
            continue
        for line in _code_lines(text.new):
            left = next((form for form in forms if re.search(rf"(?<![\w.$-]){re.escape(form)}(?![\w-])", line)), None)
            if left is not None:
                return contradicted("contradicted_claim", f"{text.path} still has `{left}`", f"`{line.strip()[:80]}`")
    return supported("no use of the old name is left", "none left") if forms else None


def _configures(path: str) -> bool:
    """Whether a file sets something up: by its ending, or as a whole by its name."""
    return ending(path) in SETTINGS or path.rpartition("/")[2] in _RECIPES


_RECIPES = frozenset({"Dockerfile", "Containerfile", "Makefile", "Jenkinsfile", "Gemfile", "Procfile", "Caddyfile"})


def _replaced(old: str, new: str, texts: Iterable[TextChange]) -> list[str]:
    """The old name as it stood where it was replaced, with what it hangs on: `var.prefix`."""
    whole = re.compile(rf"(?:[A-Za-z_$][\w$]*(?:\.|::|->))*(?<![\w-]){re.escape(old)}(?![\w-])")
    found: dict[str, None] = {}
    for text in texts:
        if not re.search(rf"(?<![\w-]){re.escape(new)}(?![\w-])", text.new):
            continue
        gone = set(text.old.splitlines()) - set(text.new.splitlines())
        found |= dict.fromkeys(form for line in gone for form in whole.findall(line))
    return [form for form in found if form != old or (len(old) >= MIN_NAME and re.search(r"[_A-Z\d]|.{8}", old))]


def _code_lines(text: str) -> list[str]:
    """The lines of a text without comments and what stands in quotes."""
    kept = [line for line in text.splitlines() if not re.match(r"\s*(?:#|//|\*|/\*|--|;|<!--|\"\"\")", line)]
    return [re.sub(r"(?<![\w$}{])(\"[^\"\n${}]*\"|'[^'\n${}]*')", "", line) for line in kept]


def _named(claim: ActionClaim, known: TextEvidence, report: str) -> Ruling | None:
    """A name that is said to be there now, added or given to something, and that no text of the tree has."""
    name = last_part(claim.value or "")
    if len(name) < MIN_NAME - 1 or not (known.touches_code or any(_configures(path) for path in known.changed)):
        return None
    if any(name in text.new for text in known.changed.values()):
        return supported("a file that was changed has it", name) if claim.role == "named" else None
    if not known.all_seen or any(name.lower() in text.new.lower() or name in text.old for text in known.files()):
        return None
    trace = known.trace
    if trace is None or trace.session_texts().has(name) or trace.session_texts().cut:
        return None  # the trace shows it, or may have: it may lie where nobody looked
    if claim.role != "named" and (
        trace.shows_changes or by_means(claim, [text.new for text in known.changed.values()])
    ):
        return None  # the calls tell whether somebody added it
    return contradicted("contradicted_claim", f"no file has `{name}`", "not there")


def by_means(claim: ActionClaim, texts: Sequence[str]) -> bool:
    """Whether the words name something else by which it was done, and a new text has that: `created_at` by way of `timestamps`."""
    means = [last_part(name) for name in _MEANS.findall(claim.text) if name not in (claim.value, claim.old)]
    return any(name in text for name in filter(None, means) for text in texts)


_MEANS = compiled(
    r"\b(?:via|through|by(?: means of)?|using|with|thanks to|from)\s+(?:the\s+)?(?:\w+\s+)?`([^`\n]{2,60})`",
    re.IGNORECASE,
)


def _remove(claim: ActionClaim, known: TextEvidence, report: str) -> Ruling | None:
    """A name that is said to be removed, and every line that had it is there as it was."""
    wanted = (claim.old or "").strip("`\"'").removesuffix("()")
    if len(wanted) < MIN_NAME - 1 or not known.scene.knows_before or not known.all_seen:
        return None
    if pattern("names", "removed_elsewhere").search(claim.text.lower()):
        return None
    if any(wanted in line for text in known.changed.values() for line in lost_lines(text)):
        return None
    places = known.called(claim.path) if claim.path else known.files()
    held = next((text.path for text in places if wanted in text.old), None)
    why = f"every line with `{wanted}` is as it was, so nothing was removed"
    return contradicted("contradicted_claim", why, held) if held is not None else None


# --- properties of code ------------------------------------------------------------------------------------------


@functools.cache
def _cue(name: str, key: str) -> re.Pattern[str]:
    return compiled(table("content")["property"][name][key], re.MULTILINE)


def _property(claim: ActionClaim, known: TextEvidence, report: str) -> Ruling | None:
    """A docstring, type hints or a comment that neither the thing itself nor anything that was added has."""
    told = table("content")["property"][claim.value or ""]
    cue = _cue(claim.value or "", "code")
    texts = [text for text in known.changed.values() if is_code(text.path)]
    if told.get("near"):
        for name in claim.names:
            places = [place for text in texts for place in definitions(name, text.new)]
            if places and not any(cue.search(place) for place in places):
                return contradicted("contradicted_claim", f"`{name}` has no {told['shown']}", "not there")
        if any(cue.search(text.new) for text in texts):
            return None
    if known.touches_code and not cue.search(known.added):
        return contradicted("contradicted_claim", f"no {told['shown']} was added", "not in the changes")
    return None


def _raises(claim: ActionClaim, known: TextEvidence, report: str) -> Ruling | None:
    """An exception that no changed file names, where nothing that was added raises it by itself."""
    name = claim.value or ""
    texts = [text for text in known.changed.values() if is_code(text.path)]
    sources = [text for text in texts if not is_test(text.path)]
    if not sources or any(name in text.new for text in sources):
        return None
    if known.trace is not None and not re.search(rf"(?:raises?|throws?|rejects?|wirft|lève|lanza)\b[^.;]{{0,60}}{re.escape(name)}", claim.text, re.IGNORECASE) and known.trace.session_texts().has(name):  # fmt: skip
        return None  # an earlier version of the session raised it
    natural = table("content")["raises"]["natural"].get(name.lower())
    added = "\n".join(line for text in sources for line in added_lines(text))
    inside = "\n".join(
        place for each in claim.names if each for text in sources for place in definitions(each, text.new)
    )
    if natural is not None and re.search(natural, f"{added}\n{inside}", re.IGNORECASE):
        return None
    if _calls_imported(f"{added}\n{inside}", sources):
        return None
    library = re.sub(r"(?:Error|Exception|Fault)$", "", name).lower()
    if any(name in text.new for text in known.files()) or (
        library and any(library in text.new.lower() for text in sources)
    ):
        return None  # code that is called may raise it: zod raises a ZodError
    return contradicted(
        "contradicted_claim", f"no file that was changed has `{name}`, and none of the others", "not in the code"
    )


_IMPORT = compiled(r"^\s*(?:from\s+(?!\.)|import\s|use\s|using\s|require\b|(?:const|let|var)\s.*\brequire\()(?!.*[\"']\.{1,2}/).*$", re.MULTILINE)  # fmt: skip


def _calls_imported(code: str, sources: Sequence[TextChange]) -> bool:
    """Whether some code uses what its file takes from outside of the tree: that may raise what it likes."""
    rest = _IMPORT.sub("", code)
    words = {
        word for text in sources for line in _IMPORT.findall(text.new) for word in re.findall(r"[A-Za-z_]\w+", line)
    }
    return any(re.search(rf"(?<![\w.]){word}(?!\w)", rest) for word in words - _IMPORTING)


_IMPORTING = frozenset("from import use using require const let var static as type".split())


def _document(claim: ActionClaim, known: TextEvidence, report: str) -> Ruling | None:
    """A document that is said to tell something now, and is as it was; where it is only said to tell it, it must not."""
    called = documents_called(claim.value or "")
    if any(called.search(path) for path in known.changed):
        return supported("it was changed", claim.value or "")
    there = [text for text in known.files() if called.search(text.path)]
    names = [last_part(name) for name in {*names_in(report), *claim.names} if len(name) > 2]
    if claim.name is not None and any(name in text.new for name in names for text in there):
        return supported("it names what is told of", claim.value or "")
    if not there or (claim.name is not None and not names):
        return None
    return contradicted("contradicted_claim", f"{there[0].path} is as it was", "unchanged")


def documents_called(wanted: str) -> re.Pattern[str]:
    """The files that a document's name stands for."""
    if wanted in ("readme", "changelog"):
        return files_called(wanted)
    return re.compile(rf"(?:^|/){re.escape(wanted)}(?:\.\w+)?$", re.IGNORECASE)


RULES = {
    "named": _named,
    "add": _named,
    "rename": _named,
    "remove": _remove,
    "tests": rule_count,
    "document": _document,
    "tells": _document,
    "change": rule_value,
    "value": rule_value,
    "kept": rule_kept,
    "set": rule_set,
    "everywhere": _everywhere,
    "property": _property,
    "raises": _raises,
    "asserts": rule_asserts,
}
