"""One sentence at a time: which verb governs which path or command, and whether it was really done.

A sentence is cut into fragments at commas, conjunctions and brackets; a small state (the verb in force, whether it counts,
what it was already done to) walks over them once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from trueline.world.claims import ActionKind
from trueline.world.report_contexts import Context
from trueline.world.report_tokens import Token
from trueline.world.report_words import (
    ADJECTIVAL,
    AMBIGUOUS,
    BE,
    DIRECTORY,
    INTO,
    MENTIONS_ONLY,
    NEVER,
    OTHERS,
    STOPPERS,
    SUBJECTS,
    SWAPS,
    TOOLS,
    VERBS,
    WHOLE_FILE,
    VerbClass,
)
from trueline.world.words import listed


@dataclass(slots=True)
class Found:
    """A claim while it is being read. `assumed`: no verb said it, only where it stands."""

    kind: ActionKind
    start: int
    end: int
    path: str | None = None
    to: str | None = None
    command: str | None = None
    exit_code: int | None = None
    passed: int | None = None
    failed: int | None = None
    assumed: bool = False
    fresh: bool = False
    """The words call the file new."""
    good: bool = False
    """Of a command: the words say that it went well."""


@dataclass(frozen=True, slots=True)
class Fragment:
    """A stretch of a sentence and the sign or word that led into it."""

    lead: str
    tokens: list[Token]

    def words(self) -> list[str]:
        """Its words in order, lower case."""
        return [token.text for token in self.tokens if token.kind == "word"]


MAX_TOKENS = 400
"""A sentence without an end is cut there."""
_CUTS = listed(", ; : — – ( ) → …")
_JOINS = listed("and but then so because since which that where while although though plus or when if unless as whereas before after yet until & + &amp; who")
SUBORDINATE = listed("because since which that where while although though when if unless as whereas so before after until who")
_CONTINUES = frozenset({",", "and", "plus", "&", "+", "or", ")", "then", ""})
_INSTRUCTS = listed("please you if consider would should could can let want maybe perhaps next todo feel make try how why")
_INFINITIVE = listed("""be have avoid ensure match reflect support allow work prevent reference accept call read return pass keep get see show follow help let
    stop reject account reproduce satisfy share point take send help mirror enforce catch parse run trigger call cover report respect
    include work""")
_OUTCOME = listed("""passes passed pass passing succeeded succeeds success successful successfully green clean ok exited exits exit finished finishes completed
    completes reports reported gives gave shows showed printed prints returned returns executed ran works worked builds built failed fails
    warnings errors issues error produced confirms confirmed yields yielded""")
_NOT_BEFORE_ING = listed("after before when of for try tried keeps suggest start started keep recommend consider about")
_GOOD = listed("passes passed pass passing succeeded succeeds success successful successfully green clean ok happy")
_AGENT_BY = listed("commit team author pr ci someone colleague upstream another previous earlier platform maintainer maintainers dependabot bot merge rebase")
_NOUN_AFTER = listed("usage usages reference references import imports dependency entry entries call calls mention mentions export exports")


@dataclass(slots=True)
class _State:
    """The verb in force while a sentence is walked over."""

    cls: VerbClass | None = None
    word: str = ""
    counts: bool = False
    taken: int = 0
    stopped: bool = False
    preposition: str = ""
    between: list[str] = field(default_factory=list)
    between_all: set[str] = field(default_factory=set)
    direct: str | None = None
    source: str | None = None
    other: bool = False
    fresh: bool = False
    start: int = 0
    end: int = 0


def sentences(tokens: list[Token], text: str) -> Iterator[list[Token]]:
    """The sentences of a stretch: cut at . ! ? and at a line end that ends a statement."""
    current: list[Token] = []
    for number, token in enumerate(tokens):
        if current and (len(current) >= MAX_TOKENS or _new_line(text, current[-1], token)):
            yield current
            current = []
        current.append(token)
        following = tokens[number + 1] if number + 1 < len(tokens) else None
        ends = token.kind == "sign" and token.text in (".", "!", "?")
        if (
            ends
            and not _abbreviated(current)
            and (following is None or following.start > token.end or following.kind == "sign")
        ):
            yield current
            current = []
    if current:
        yield current


def _abbreviated(current: list[Token]) -> bool:
    return (
        len(current) > 1
        and current[-2].text in ("e.g", "i.e", "vs", "cf", "etc", "incl", "approx")
        and current[-1].text == "."
    )


def _new_line(text: str, last: Token, token: Token) -> bool:
    gap = text.find("\n", last.end, token.start)
    if gap < 0:
        return False
    begin = text.rfind("\n", 0, gap) + 1
    return gap - begin < 60 or last.text in (":", ";")


def fragments(sentence: list[Token]) -> list[Fragment]:
    """The sentence cut at signs and joining words; bold stars are dropped."""
    made: list[Fragment] = []
    current: list[Token] = []
    lead = ""
    sentence = _as_well_as(sentence)
    for number, token in enumerate(sentence):
        cuts = token.kind == "sign" and token.text in _CUTS
        joins = token.kind == "word" and token.text in _JOINS and not _small_word(sentence, number)
        if cuts or joins:
            if current or lead in ("(", ")"):
                made.append(Fragment(lead, current))
                lead = token.text
            elif joins or not lead or lead in (",", "and") or token.text in ("(", ")"):
                lead = token.text
            current = []
        elif not (token.kind == "sign" and token.text in '*.!?|"[]<>'):
            current.append(token)
    if current or lead in ("(", ")"):
        made.append(Fragment(lead, current))
    return made


def _as_well_as(sentence: list[Token]) -> list[Token]:
    """`as well as`, `along with` are one `and`."""
    made: list[Token] = []
    for token in sentence:
        made.append(token)
        tail = [part.text for part in made[-3:]]
        if tail == ["as", "well", "as"]:
            made[-3:] = [replace(token, text="and")]
        elif tail[-2:] == ["along", "with"]:
            made[-2:] = [replace(token, text="and")]
    return made


def _small_word(sentence: list[Token], number: int) -> bool:
    """`saved as x`, `in that file`: a preposition or pronoun here, not a conjunction."""
    following = sentence[number + 1] if number + 1 < len(sentence) else None
    if following is None:
        return False
    word = sentence[number].text
    return (word == "as" and following.kind in ("path", "weak", "code")) or (
        word == "that" and following.text in ("file", "function", "module", "directory")
    )


class SentenceReader:
    """Reads sentences in order and remembers the last file named, so that `I deleted it` can be understood."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.named: list[str] = []

    def read(
        self, sentence: list[Token], context: Context, *, imperative: bool, commands_only: bool = False
    ) -> list[Found]:
        """The claims of one sentence."""
        found: list[Found] = []
        if not instructs(sentence, imperative=imperative):
            walk = _Walk(self.text, context, self.named, imperative=imperative)
            for fragment in fragments(sentence):
                walk.step(fragment)
            found = [claim for claim in walk.finished() if not commands_only or claim.kind == "command"]
        named = [token.text for token in sentence if token.kind == "path"]
        self.named = named or self.named
        return found


def instructs(sentence: list[Token], *, imperative: bool) -> bool:
    """Whether a sentence asks, suggests or supposes as a whole."""
    if sentence[-1].text == "?" or (len(sentence) > 1 and sentence[-2].text == "?"):
        return True
    words = [token.text for token in sentence if token.kind == "word"]
    if not words:
        return False
    if words[0] in _INSTRUCTS:
        return True
    first_person = any(word in ("i", "i've", "we", "we've", "ive") for word in words)
    if words[0] == "to" and not first_person:
        return True
    verb = VERBS.get(words[0])
    if verb is None or verb[1] != "base" or imperative or sentence[0].kind != "word":
        return False
    following = sentence[1] if len(sentence) > 1 else None
    if following is not None and following.text in BE | _OUTCOME:
        return False
    named = following is not None and (
        following.kind in ("path", "command", "code", "weak") or following.text in ("the", "a", "an", "all")
    )
    return words[0] not in AMBIGUOUS or named


class _Walk:
    """One walk over the fragments of one sentence."""

    def __init__(self, text: str, context: Context, named: list[str], *, imperative: bool) -> None:
        self.text, self.context, self.named, self.imperative = text, context, named, imperative
        self.state = _State()
        self.kept: list[_State] = []
        self.found: list[Found] = []
        self.subjects: list[Token] = []
        self.waiting: list[Token] = []
        self.changed = False
        self.first = True
        self.appositive = False
        self.within = False
        self.spoken: list[str] = []
        self.commands: list[Token] = []
        self.told = 0
        self.previous: list[str] = []

    # --- one fragment ---

    def step(self, fragment: Fragment) -> None:
        """Take one fragment into account."""
        if fragment.lead == "(":
            self.kept.append(replace(self.state, between=list(self.state.between)))
            if fragment.tokens and fragment.tokens[0].is_path and self.state.cls not in (None, "run", "verify"):
                self.state.preposition = self.state.preposition or "("
        elif fragment.lead == ")" and self.kept:
            self.state = self.kept.pop()
        if not fragment.tokens:
            return
        if fragment.lead == "(" and self._note(fragment):
            return
        at = self._verb_at(fragment)
        if at is None:
            self._without_verb(fragment)
        else:
            self._with_verb(fragment, at)
        self._outcome(fragment, at)
        self.commands += [token for token in fragment.tokens if token.kind == "command"]
        self.spoken += [token.text for token in fragment.tokens if token.kind == "path"]
        self.first, self.previous = False, fragment.words()

    def finished(self) -> list[Found]:
        """What the sentence claims."""
        return self.found

    def _verb_at(self, fragment: Fragment) -> int | None:
        """The verb of a fragment: the first, unless a later one has its auxiliary (`sources used here are saved`)."""
        found = [at for at in range(len(fragment.tokens)) if self._is_verb(fragment, at)]
        for at in found:
            if at and fragment.tokens[at - 1].text in BE | {"been", "have", "has", "i've", "we've", "to"}:
                return at
        return found[0] if found else None

    def _is_verb(self, fragment: Fragment, at: int) -> bool:
        tokens, token = fragment.tokens, fragment.tokens[at]
        if token.kind != "word" or token.text not in VERBS:
            return False
        cls, form = VERBS[token.text]
        before = tokens[at - 1].text if at and tokens[at - 1].kind in ("word", "number") else ""
        if form == "past":
            return before not in ADJECTIVAL and not before.isdigit()
        if token.text in ("run", "rerun", "re-run") and before in BE | {"have", "has", "i've", "we've", "been"}:
            return True
        if form == "ing":
            return cls == "run" and before not in _NOT_BEFORE_ING
        return form in ("base", "third") and self._base_counts(fragment, at, form)

    def _base_counts(self, fragment: Fragment, at: int, form: str) -> bool:
        words = [token.text for token in fragment.tokens[:at]]
        if words[-2:] == ["had", "to"] or (
            words[-1:] == ["to"] and any(word in ("used", "managed", "able", "proceeded") for word in words)
        ):
            return True
        if form == "third" and not words and self.state.counts and _form(self.state.word) == "third":
            return fragment.lead in ("and", ",")
        if (
            form == "third"
            and set(words) & {"pr", "change", "commit", "patch", "branch", "mr"}
            and all(
                word in ("this", "the", "pr", "change", "commit", "patch", "branch", "also", "now", "mr")
                for word in words
            )
        ):
            return self.first or fragment.lead in ("and", ",")
        if at == 0 and (self.first or fragment.lead in (",", "and", "then", ":")):
            return (
                self.imperative
                if form == "base"
                else self.imperative or (self.first and self.context.mode in ("open", "done"))
            )
        return False

    # --- with a verb ---

    def _with_verb(self, fragment: Fragment, at: int) -> None:
        before, verb, after = fragment.tokens[:at], fragment.tokens[at], fragment.tokens[at + 1 :]
        cls = VERBS[verb.text][0]
        words = [token.text for token in before if token.kind == "word"]
        passive = bool(words) and (words[-1] in BE or (len(words) > 1 and words[-2] in BE and words[-1] not in ("to",)))
        paths = [token for token in before if token.is_path]
        earlier = self.state
        state = _State(cls=cls, word=verb.text, start=(before or [verb])[0].start, end=verb.end)
        had_to = words[-2:] == ["had", "to"] or (
            VERBS[verb.text][1] == "base" and words[-1:] == ["to"] and not _negated(words)
        )
        barred = not had_to and self._barred(words, fragment.lead, after)
        state.counts = not barred and words[-1:] not in (["being"], ["last"])
        self.state = state
        if passive:
            self._passive(state, [*self.subjects, *paths], words, after)
        elif paths:
            self._path_before(state, [*self.subjects, *paths], fragment, at)
        elif VERBS[verb.text][1] == "ing":
            state.counts = state.counts and (not words or words[-1] in ("by", "and"))
        elif not had_to and not self._subject_fits(words, fragment, earlier, after):
            state.counts = False
            state.other = True
        elif not words and self.subjects and not after:
            self._path_before(state, list(self.subjects), fragment, at)
        elif (
            not words
            and fragment.lead in ("and", ",", "or", "then", "")
            and earlier.cls
            and not earlier.counts
            and not self.first
        ):
            state.counts = False
        within = [token for token in (self.subjects if self.within else paths if before[:1] and before[0].text in _WITHIN else ()) if token.kind == "path"]
        self.subjects, self.within = [], False
        self._objects(after)
        self._pronoun(after, fragment.lead)
        if within and state.counts and not state.taken and not state.other and cls not in ("run", "verify") and not passive:
            # `In x I replaced the loop`, `In x, I …`
            for token in within:
                self._claim("file_edit", token)
        if cls == "run" and fragment.lead == "which" and state.counts and not state.taken:
            for token in self.commands[-1:]:
                self._ran(token)

    def _barred(self, words: list[str], lead: str, after: list[Token]) -> bool:
        if lead in ("if", "unless", "when", "until", "that", "who", "before"):
            return not (lead == "that" and self.previous[-1:] in (["note"], ["confirm"], ["confirmed"], ["mention"]))
        scope = words[-8:]
        if any(
            word in NEVER or word.endswith("n't") or word.endswith("'ll") or (word.endswith("'d") and word != "i'd've")
            for word in scope
        ):
            return not (scope[-1:] == ["had"] and False)
        if any(
            word
            in ("didnt", "doesnt", "wasnt", "havent", "cant", "couldnt", "wont", "wouldnt", "isnt", "arent", "hasnt")
            for word in scope
        ):
            return True
        if lead == "to":
            return True
        agent = [token.text for token in after[:6] if token.kind == "word"]
        told = " ".join(token.text for token in after if token.kind == "word")
        if re.search(
            r"\b(?:previous|earlier|older|last|prior) (?:commit|release|pr|version|week|month|quarter|year|sprint|session|run)\b|\byesterday\b|\bupstream\b",
            told,
        ):
            return True
        return "by" in agent and any(
            word in _AGENT_BY or word.startswith("@") for word in agent[agent.index("by") + 1 :][:4]
        )

    def _subject_fits(self, words: list[str], fragment: Fragment, earlier: _State, after: list[Token]) -> bool:
        """Whether it is the writer who did it: `I`, nobody named, or the command that was just run."""
        left = [word for word in words if word not in SUBJECTS and not word.endswith("ly")]
        if fragment.lead == "which" and not any(word in ("i", "we") for word in words):
            return self._after_command(earlier)
        if not left:
            return fragment.lead not in SUBORDINATE - {"so", "which"} or bool(words)
        if left == ["it"] or left == ["this"]:
            return self._after_command(earlier) or self.state.cls == "write"
        if any(word in OTHERS or word.startswith(("@", "#")) for word in left):
            return False
        if fragment.lead in SUBORDINATE and not any(word in ("i", "i've", "we", "we've") for word in words):
            return False
        if "i" in words or "i've" in words or "we" in words or "we've" in words:
            return max(n for n, word in enumerate(words) if word in ("i", "i've", "we", "we've")) >= len(words) - 3
        prepositional = bool(after) and after[0].kind == "word" and after[0].text in INTO
        return prepositional and not any(
            token.kind == "word" and self.text[token.start].isupper() and token.start != fragment.tokens[0].start
            for token in fragment.tokens[: len(words)]
        )

    def _after_command(self, earlier: _State) -> bool:
        return (earlier.cls == "run" and earlier.counts) or any(claim.kind == "command" for claim in self.found)

    def _passive(self, state: _State, subjects: list[Token], words: list[str], after: list[Token]) -> None:
        """`x was updated`, `tests were added to x`, `x was written by the command`."""
        present = (
            any(word in ("is", "are", "gets", "get", "be") for word in words[-2:])
            and "been" not in words[-2:]
            and "now" not in words[-3:]
        )
        if present and state.word in (
            "written",
            "generated",
            "created",
            "stored",
            "rendered",
            "produced",
            "used",
            "defined",
            "set",
            "run",
            "handled",
            "loaded",
            "imported",
            "included",
            "put",
            "checked",
            "built",
            "tested",
            "executed",
        ):
            state.counts = False
        if (
            present
            and state.word in ("deleted", "removed", "changed", "updated", "added")
            and after
            and after[0].text in ("when", "on", "if", "at", "every")
        ):
            state.counts = False
        kind = _CLASS_KIND.get(state.cls or "edit")
        if kind is None or not state.counts or state.word in MENTIONS_ONLY:
            return
        for token in subjects:
            if state.cls == "add":
                kind = "file_create"
            self._claim(kind if token.kind == "path" or state.cls in ("delete", "create") else None, token)
        if state.cls == "move" and subjects:
            state.direct = subjects[-1].text
        state.taken += len(subjects)

    def _path_before(self, state: _State, subjects: list[Token], fragment: Fragment, at: int) -> None:
        """`x updated`: the path before the verb had it done to it. `x dropped the attributes`: it did it itself."""
        after = fragment.tokens[at + 1 :]
        nearest = fragment.tokens[at - 1] if at else subjects[-1]
        ends = (
            not after
            or (
                after[0].kind == "word"
                and after[0].text in (INTO | STOPPERS | {"again", "entirely", "accordingly", "too", "completely"})
            )
            or after[0].kind == "sign"
        )
        led = any(token.kind == "word" and token.text in ("i", "i've", "we", "we've") for token in fragment.tokens[:at])
        if led:
            return
        if not ends or not (
            nearest.is_path
            or nearest.text in ("file", "files", "directory", "folder", "itself", "both", "all", "also", "now")
        ):
            state.counts = False
            state.other = True
            return
        kind = _CLASS_KIND.get(state.cls or "edit")
        if kind is None or not state.counts:
            return
        for token in subjects:
            self._claim("file_create" if state.cls == "add" and not after else kind, token)
        state.stopped = state.cls != "move"
        state.direct = subjects[-1].text if state.cls == "move" else None

    def _objects(self, after: list[Token]) -> None:
        """The paths and commands that the verb in force is done to."""
        state = self.state
        for number, token in enumerate(after):
            following = after[number + 1] if number + 1 < len(after) else None
            if token.kind == "command" or (state.cls == "run" and self._stands_for_command(after, number)):
                self._command(token)
            elif token.is_path:
                self._object(token, following)
            elif token.kind == "word":
                self._word(token, following)
                if state.cls == "run" and token.text in TOOLS and not state.taken and number < 3:
                    self._bare_command(token)
            elif token.kind == "code":
                state.between.append("code")

    def _word(self, token: Token, following: Token | None) -> None:
        state, word = self.state, token.text
        state.fresh = word == "new" or (
            state.fresh and (word in WHOLE_FILE or word in INTO or word in ("called", "named"))
        )
        if word == "to":
            infinitive = (
                following is not None
                and following.kind == "word"
                and (following.text in _INFINITIVE or _form(following.text) == "base")
            )
            if infinitive:
                state.stopped = True
            else:
                state.preposition = "to"
                state.between = []
        elif word in INTO:
            if (
                word in ("from", "as")
                and state.cls in ("edit", "add")
                and state.word not in ("extracted", "split", "refactored", "migrated", "ported")
                and state.taken
            ):
                state.stopped = True
            state.preposition = word
            state.between = []
        elif word in STOPPERS:
            state.stopped = True
            state.preposition = word
        elif word in ("called", "named"):
            state.preposition = ""
            state.between.append("file")
        else:
            state.between.append(word)
            state.between_all.add(word)

    def _object(self, token: Token, following: Token | None) -> None:
        state = self.state
        if not state.counts or state.cls is None:
            return
        if state.stopped and (
            state.taken
            or state.preposition not in ("in", "throughout", "across", "within", "inside", "at", "to", "into")
        ):
            return
        if (
            following is not None
            and following.kind == "word"
            and following.text in _NOUN_AFTER
            and not state.preposition
        ):
            return
        if state.cls == "move":
            self._moved(token)
            return
        kind = self._kind_of_object(token)
        if kind is None or (token.kind == "weak" and not self._folder(token, following, kind)):
            state.between.append("code")
            return
        if kind == "file_edit" and token.text.endswith("/"):
            return
        if state.cls == "add" and kind == "file_edit":
            self._only_entries()
        self._claim(kind, token)
        state.taken += 1
        state.stopped = False

    def _only_entries(self) -> None:
        """`added x to y`: x is a line in y, not a file that was made."""
        self.found[:] = [
            claim
            for claim in self.found
            if not (claim.kind == "file_create" and claim.start >= self.state.start and not claim.fresh)
        ]

    def _kind_of_object(self, token: Token) -> ActionKind | None:
        state, preposition, between = self.state, self.state.preposition, self.state.between
        if state.fresh and preposition not in ("in", "to", "into", "from", "within"):
            return "file_create"
        if "new" in between and all(
            word in WHOLE_FILE or word in _FILLERS for word in between[between.index("new") + 1 :]
        ):
            return "file_create"
        if state.cls in ("run", "verify"):
            return None
        if state.word in ("exported", "export", "exports") and preposition in ("to", "into", "as"):
            return "file_write"
        if state.word in ("split", "splits") and preposition == "into":
            return "file_create"
        if state.word in ("made", "make") and not preposition:
            return "file_create" if token.text.endswith("/") else "file_edit"
        if state.cls == "create":
            return (
                "file_edit"
                if preposition in ("in", "to", "into", "within", "inside") and not (state.between_all & WHOLE_FILE)
                else "file_create"
            )
        if state.cls == "write":
            return None if preposition in ("from", "of") else "file_write"
        if state.cls == "add":
            if state.word == "put" and not preposition:
                return "file_create"
            return "file_create" if preposition in ("", "at", "as", "(", "under") else "file_edit"
        if state.cls == "delete":
            inside = preposition in ("from", "in", "within", "inside", "throughout", "across", "of", "to", "at")
            return "file_edit" if inside and state.word != "rid" else "file_delete"
        if preposition == "from" and state.word not in (
            "linked",
            "exported",
            "referenced",
            "extract",
            "extracted",
            "split",
            "refactored",
            "migrated",
            "ported",
            "extract",
            "split",
        ):
            return None
        if state.word in MENTIONS_ONLY and not preposition:
            return None
        return "file_edit"

    def _folder(self, token: Token, following: Token | None, kind: ActionKind) -> bool:
        """Whether something that may be a folder or a module is one here."""
        named = (following is not None and following.text in DIRECTORY) or bool(set(self.state.between) & DIRECTORY)
        if named:
            return True
        aimed = self.state.preposition in ("to", "into", "at", "under", "in", "as")
        return "/" in token.text and kind == "file_write" and aimed

    def _moved(self, token: Token) -> None:
        state = self.state
        if state.word.startswith(("cop", "dup", "clon")):
            if state.preposition in ("to", "into", "as"):
                self._claim("file_create", token)
            return
        if state.direct is not None and state.preposition in ("to", "into", "as", "under", "in", "→"):
            self._claim("file_rename", token, source=state.direct)
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
            created = "new" in state.between or (state.fresh and state.preposition in ("at", "as", ""))
            self._claim("file_create" if created else "file_edit", token)
            state.taken += 1

    def _pronoun(self, after: list[Token], lead: str) -> None:
        """`I deleted it`, `I wrapped the call in that file`: the one file named just before."""
        state = self.state
        words = " ".join(token.text for token in after)
        if (
            state.counts
            and state.cls == "edit"
            and not state.taken
            and re.search(r"\b(?:in|to) (?:that|this|the same) file\b|^(?:that|this) file\b", words)
        ):
            named = list(dict.fromkeys(self.spoken or self.named))
            if len(named) == 1:
                self.found.append(Found("file_edit", state.start, after[-1].end, path=named[0]))
                state.taken += 1
        kind = _CLASS_KIND.get(state.cls or "") if state.cls not in ("add", "move") else None
        if (
            state.counts
            and kind
            and not state.taken
            and after
            and after[0].text in ("it", "that", "this")
            and len(after) < 8
        ):
            named = list(dict.fromkeys(self.spoken or self.named))
            if state.cls == "delete" and any(claim.path in named and claim.kind == "file_edit" for claim in self.found):
                return
            if len(named) == 1:
                self.found.append(Found(kind, state.start, after[0].end, path=named[0]))
                state.taken += 1

    # --- without a verb ---

    def _without_verb(self, fragment: Fragment) -> None:
        tokens, state = fragment.tokens, self.state
        lead = fragment.lead
        if lead in SUBORDINATE:
            self.state = replace(_State(), cls=state.cls if state.cls == "run" else None, counts=state.counts)
            self._stative(fragment)
            return
        if (lead == "→" and state.cls == "move") or (lead == "→" and self.subjects):
            self._arrow(tokens)
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
            self._objects(tokens)
            return
        if lead == "(" and tokens[0].kind == "path" and state.cls not in (None, "run", "verify") and state.counts:
            self._appositive_object(tokens)
            return
        if self._new_file(fragment):
            return
        if state.cls is not None and lead in _CONTINUES and self._enumerates(tokens):
            if lead in ("plus", ","):
                state.between = []
                if (state.cls == "add" and tokens and not (tokens[0].is_path)) or (state.cls == "add" and "code" not in state.between and lead == "," and self.appositive):
                    state.preposition = ""
            self.appositive = not any(token.is_path for token in tokens)
            self._objects(tokens)
            return
        if self._stative(fragment):
            return
        if any(token.is_path for token in tokens) and all(
            token.kind in ("path", "weak")
            or token.text
            in ("both", "the", "in", "file", "files", "for", "temporary", "scripts", "script", "themselves", "tests")
            for token in tokens
        ):
            self.subjects += [token for token in tokens if token.is_path]
            self.within = self.within or tokens[0].text in _WITHIN
            return
        if (
            state.cls is not None
            and lead in _CONTINUES
            and not state.stopped
            and not any(token.text in _AUXILIARY for token in tokens)
        ):
            self._objects(tokens)

    def _appositive_object(self, tokens: list[Token]) -> None:
        """`wrote a migration (x)`, `updated the docs (x, y)`: the name of what was just spoken of."""
        kept, self.state = self.state, replace(self.state, stopped=False)
        if self.state.preposition not in ("in", "to", "into", "from", "throughout", "across"):
            self.state.preposition = ""
        self._objects(tokens)
        kept.taken = self.state.taken

    def _new_file(self, fragment: Fragment) -> bool:
        """`… went into a new x`: nobody calls a file new that is not there."""
        tokens, words = fragment.tokens, fragment.words()
        if (
            (self.state.cls is not None
            and not self.state.counts)
            or any(word in NEVER or word in OTHERS for word in words)
        ):
            return False
        for at, token in enumerate(tokens):
            names = [t.text for t in tokens[max(0, at - 4) : at]]
            if token.kind == "path" and "new" in names:
                rest = names[names.index("new") + 1 :]
                if all(word in WHOLE_FILE or word in ("at", "called", "named") for word in rest):
                    self._claim("file_create", token)
                    return True
        return False

    def _enumerates(self, tokens: list[Token]) -> bool:
        """A list goes on: only names and the small words around them."""
        small = sum(
            token.kind == "word" and token.text not in _FILLERS and token.text not in WHOLE_FILE for token in tokens
        )
        verbs = any(token.kind == "word" and token.text in _FINITE for token in tokens)
        return (
            (not verbs
            and small <= 2
            and any(token.is_path or token.kind in ("command",) for token in tokens))
            or (
                small <= 3
                and not verbs
                and not any(
                    token.kind == "word" and token.text in SUBJECTS - {"and", "both", "all"} for token in tokens
                )
            )
        )

    def _arrow(self, tokens: list[Token]) -> None:
        target = next((token for token in tokens if token.is_path), None)
        source = self.state.direct or (self.subjects[-1].text if self.subjects else None)
        barred = self.state.cls is not None and not self.state.counts
        if target is not None and source is not None and tokens[0].is_path and not barred:
            self._claim("file_rename", target, source=source)
        self.state.direct, self.subjects = None, []

    def _stative(self, fragment: Fragment) -> bool:
        """`x now does this`, `the fix is in x`, `x is a new file`: a change told by its result."""
        tokens, words = fragment.tokens, fragment.words()
        paths = [token for token in tokens if token.kind == "path"]
        first = tokens[0].is_path
        scope = words[:3] if first else words[: words.index("now")] if "now" in words else words
        if not paths or any(word in NEVER or word.endswith("n't") for word in scope):
            return False
        subject = [*self.subjects, *paths]
        if first and re.search(
            r"\b(?:is|are) (?:a |the |also |both )*(?:brand[- ])?(?:newly created|new)(?: file| module| script)?\b",
            " ".join(words),
        ):
            for token in subject:
                self._claim("file_create", token)
        elif (words[:3] and re.match(
            r"(?:the |this |that |my |only |actual )*(?:fix|change|changes|edit)\b.{0,40}?\b(?:is|are|was|lives?|went)\b",
            " ".join(words),
        )) or re.match(r"there(?:'s| is| are)(?: now)? (?:a |an |also )*new\b", " ".join(words)):
            for token in paths:
                self._claim("file_edit", token)
        elif first and words[:2] == ["is", "now"] and len(paths) == 2 and len(words) <= 3:
            self._claim("file_rename", paths[1], source=paths[0].text)
        elif "now" in words and self._now_is_change(tokens):
            for token in subject if first else paths[:1]:
                self._claim("file_edit", token)
        elif (
            first
            and self.changed
            and len(tokens) > 1
            and tokens[1].kind == "word"
            and re.match(r"(?!was$|is$|needs$|does$|remains$|stays$|always$|keeps$|looks$)[a-z]{2,}s$", tokens[1].text)
            and fragment.lead in ("and", ",", ";")
        ):
            self._claim("file_edit", paths[0])
        else:
            return False
        self.subjects = []
        return True

    def _now_is_change(self, tokens: list[Token]) -> bool:
        at = next(n for n, token in enumerate(tokens) if token.text == "now")
        before = [token for token in tokens[:at] if token.kind == "path"]
        following = tokens[at + 1].text if at + 1 < len(tokens) else ""
        state = self.state
        if before and not tokens[0].is_path:
            lead = tokens[tokens.index(before[0]) - 1].text
            if lead not in ("in", "of", "at", "inside", "for", "file", "the"):
                return False
        if before and before[0].text.endswith("/"):
            return False
        return (
            bool(before)
            and following
            not in (
                "clean",
                "out",
                "pass",
                "passes",
                "passing",
                "green",
                "works",
                "work",
                "up",
                "stale",
                "obsolete",
                "redundant",
                "unused",
                "failing",
                "broken",
            )
            and not (state.cls and not state.counts and not state.other)
        )

    # --- notes in brackets ---

    def _note(self, fragment: Fragment) -> bool:
        """`x (new)`, `x (moved)`, `x (not modified)`: words in brackets that change what was just claimed."""
        words = [token.text for token in fragment.tokens]
        said = " ".join(words[:6])
        last = self.found[-1] if self.found else None
        if re.match(
            r"(?:that's |it's |this is |which is )?(?:a |the )?(?:brand[- ])?new(?:ly created)?(?:$| file| module| script| component|,| -)",
            said,
        ):
            path = last.path if last and last.kind in ("file_edit", "file_write", "file_create") else None
            if last and path and (not self.state.direct):
                last.kind = "file_create"
            elif self.subjects:
                for token in self.subjects:
                    self._claim("file_create", token)
                self.subjects = []
            return True
        return False

    # --- commands ---

    def _stands_for_command(self, after: list[Token], number: int) -> bool:
        token = after[number]
        before = after[number - 1].text if number else ""
        if (
            not token.quoted
            or token.kind not in ("code", "weak", "path")
            or self.state.taken
            or not (number == 0 or before in ("command", "script", "the", "both", "then"))
        ):
            return False
        return token.kind != "weak" or number == 0

    def _command(self, token: Token) -> None:
        state = self.state
        by_tool = state.preposition in ("with", "by", "via", "using", "through", "in")
        done = state.counts and (
            state.cls == "run"
            or (state.cls in ("verify", "write", "create", "edit", "add") and by_tool and state.word not in SWAPS)
        )
        if state.cls == "verify" and state.counts and not state.preposition:
            done = True
        if done:
            self._ran(token)
        elif state.cls is None or state.other or state.counts:
            self.waiting.append(token)

    def _ran(self, token: Token, *, good: bool = False) -> Found:
        raw = self.text[token.start : token.end].strip("`").strip().removeprefix("$ ")
        claim = Found("command", min(self.state.start or token.start, token.start), token.end, command=raw, good=good)
        self.found.append(claim)
        self.state.taken += self.state.cls == "run"
        return claim

    def _bare_command(self, token: Token) -> None:
        """`ran npm test and …`: a command without backticks goes on to the next sign or small word."""
        if not self.state.counts:
            return
        match = _BARE_COMMAND.match(self.text, token.start)
        if match:
            command = _TAIL_WORDS.sub("", match.group().strip().rstrip(".:,"))
            self.found.append(Found("command", self.state.start, token.start + len(command), command=command))
            self.state.taken += 1

    def _outcome(self, fragment: Fragment, verb_at: int | None) -> None:
        """A command whose outcome is told was run: `cmd` passes, `cmd`: 18 passed, `a` and `b` are clean."""
        words = fragment.words()
        if any(token.text in "✅✓✔" for token in fragment.tokens if token.kind == "sign"):
            words = [*words, "passed"]
        if verb_at is None or VERBS[fragment.tokens[verb_at].text][0] in ("run", "verify") or self.state.other:
            seen = {claim.start for claim in self.found} | {claim.end for claim in self.found}
            self.waiting += [
                token
                for token in fragment.tokens
                if token.kind == "command" and token.end not in seen and token not in self.waiting
            ]
        if (
            fragment.lead == "("
            and self.waiting
            and self.told
            and all(token.kind == "command" for token in fragment.tokens)
        ):
            words = ["passed" if self.told > 1 else "reported"]
        if fragment.lead != "(":
            outcome_before = any(word in _OUTCOME for word in words) and not _negated(words)
            if outcome_before or fragment.lead != ",":
                self.told = (2 if any(word in _GOOD for word in words) else 1) if outcome_before else 0
        if not self.waiting:
            if any(word in _GOOD for word in words) and not _negated(words):
                for claim in self.found:
                    claim.good |= claim.kind == "command"
            return
        first = next((n for n, token in enumerate(fragment.tokens) if token in self.waiting), 0)
        before = [token.text for token in fragment.tokens[:first] if token.kind == "word"]
        if before[-2:] == ["according", "to"]:
            before = []
            words = [*words, "clean"]
        good_with = before[-1:] in (["with"], ["in"], ["under"], ["via"], ["using"], ["on"]) and any(word in _GOOD for word in before)
        told = before[-1:] == ["of"] or (good_with and not _negated(before))
        if (
            any(
                word in NEVER or word.endswith("n't") or word in ("run", "use", "to", "with", "running", "via")
                for word in before[-4:]
            )
            and verb_at is None
            and not told
        ):
            self.waiting = [token for token in self.waiting if token not in fragment.tokens]
            return
        after_it = any(token in fragment.tokens for token in self.waiting) and not good_with
        told_later = words[len(before) :] if after_it else words
        outcome = next((word for word in told_later if word in _OUTCOME), None)
        counted = any(token.kind == "number" for token in fragment.tokens) and fragment.lead in (
            ":",
            "(",
            "–",
            "—",
            "→",
        )
        was_run = "run" in words and any(word in BE for word in words)
        if (outcome or was_run or counted) and not _negated(words):
            good = any(word in _GOOD for word in words)
            for token in self.waiting:
                self._ran(token, good=good)
            self.waiting = []
        elif _negated(words):
            self.waiting = []

    # --- keeping ---

    def _claim(self, kind: ActionKind | None, token: Token, source: str | None = None) -> None:
        if kind is None or (kind == "file_edit" and token.text.endswith("/")):
            return
        start = min(self.state.start or token.start, token.start)
        if source is not None:
            self.found.append(Found(kind, start, token.end, path=source, to=token.text))
        else:
            self.found.append(Found(kind, start, token.end, path=token.text))
        self.changed = True


def _form(word: str) -> str:
    return VERBS[word][1] if word in VERBS else ""


def _negated(words: list[str]) -> bool:
    return any(
        word in NEVER - {"no", "failed", "fails", "without", "nothing", "none", "expected", "had"}
        or word.endswith("n't")
        for word in words
    )


_CLASS_KIND: dict[str, ActionKind] = {
    "create": "file_create", "write": "file_write", "add": "file_create", "edit": "file_edit", "delete": "file_delete", "move": "file_edit",
}  # fmt: skip
_FILLERS = listed("a an the new both also two three four file files script scripts of fake one in to at called named its my short another it as for empty entire whole directory folder temporary test regression")
_FINITE = listed("is are was were has have had will would could should does do did can now still already needs")
_WITHIN = frozenset({"in", "inside", "within"})
_AUXILIARY = listed("has have had will would could should does do did can needs")
_BARE_COMMAND = re.compile(r"(?:(?!->|=>|→)[^\n,;()—–`]){1,200}")
_TAIL_WORDS = re.compile(
    r"\s+(?:and|which|but|with|to|on|again|locally|after|before|for|successfully|then|so|it|in|as|from|from|twice|once|because|–|-|—|:|without|against|just|until|over|at|still|also|here|now|all|everything|every)\b.*$|[.:]\s.*$"
)
