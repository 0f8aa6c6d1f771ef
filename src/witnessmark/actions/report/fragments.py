"""Sentences cut into fragments at commas, conjunctions and brackets, and the commands in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from witnessmark.actions.report.lexicon import PATTERNS, VERBS, WORDS
from witnessmark.actions.report.names import ReportToken
from witnessmark.actions.report.walk import DraftClaim, Walk
from witnessmark.text.sentences import abbreviates
from witnessmark.text.words import listed


@dataclass(frozen=True, slots=True)
class Fragment:
    """A stretch of a sentence and the sign or word that led into it."""

    lead: str
    tokens: list[ReportToken]

    def words(self) -> list[str]:
        """Its words in order, lower case."""
        return [token.text for token in self.tokens if token.kind == "word"]


MAX_TOKENS = 400
"""A sentence without an end is cut there."""
_CUTS = listed(", ; : — – ( ) → …")


def sentences(tokens: list[ReportToken], text: str) -> Iterator[list[ReportToken]]:
    """The sentences of a stretch: cut at . ! ? and at a line end that ends a statement."""
    current: list[ReportToken] = []
    for number, token in enumerate(tokens):
        if current and (len(current) >= MAX_TOKENS or _new_line(text, current[-1], token)):
            yield current
            current = []
        current.append(token)
        following = tokens[number + 1] if number + 1 < len(tokens) else None
        ends = token.kind == "sign" and token.text in (".", "!", "?")
        if (
            ends
            and not (token.text == "." and abbreviates(text, token.start, token.end))
            and (following is None or following.start > token.end or following.kind == "sign")
        ):
            yield current
            current = []
    if current:
        yield current


def _new_line(text: str, last: ReportToken, token: ReportToken) -> bool:
    gap = text.find("\n", last.end, token.start)
    if gap < 0:
        return False
    begin = text.rfind("\n", 0, gap) + 1
    if PATTERNS.printed.match(text, begin) or PATTERNS.printed.match(text, token.start):
        return True
    return gap - begin < 60 or last.text in (":", ";")


def fragments(sentence: list[ReportToken]) -> list[Fragment]:
    """The sentence cut at signs and joining words; bold stars are dropped."""
    made: list[Fragment] = []
    current: list[ReportToken] = []
    lead = ""
    sentence = _as_well_as(sentence)
    for number, token in enumerate(sentence):
        cuts = token.kind == "sign" and token.text in _CUTS
        joins = token.kind == "word" and token.text in WORDS.joins and not _small_word(sentence, number)
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


def _as_well_as(sentence: list[ReportToken]) -> list[ReportToken]:
    """`as well as`, `along with` are one `and`."""
    made: list[ReportToken] = []
    for token in sentence:
        made.append(token)
        tail = [part.text for part in made[-3:]]
        if tail == ["as", "well", "as"]:
            made[-3:] = [replace(token, text="and")]
        elif tail[-2:] == ["along", "with"]:
            made[-2:] = [replace(token, text="and")]
    return made


def _small_word(sentence: list[ReportToken], number: int) -> bool:
    """`saved as x`, `in that file`: a preposition or pronoun here, not a conjunction."""
    following = sentence[number + 1] if number + 1 < len(sentence) else None
    if following is None:
        return False
    word = sentence[number].text
    return (word == "as" and following.kind in ("path", "weak", "code")) or (
        word == "that" and following.text in ("file", "function", "module", "directory")
    )


def instructs(sentence: list[ReportToken], *, imperative: bool) -> bool:
    """Whether a sentence asks, suggests or supposes as a whole."""
    if sentence[-1].text == "?" or (len(sentence) > 1 and sentence[-2].text == "?"):
        return True
    words = [token.text for token in sentence if token.kind == "word"]
    if not words:
        return False
    if words[0] in WORDS.instructs:
        return True
    first_person = any(word in ("i", "i've", "we", "we've", "ive") for word in words)
    if words[0] == "to" and not first_person:
        return True
    verb = VERBS.get(words[0])
    if verb is None or verb[1] != "base" or imperative or sentence[0].kind != "word":
        return False
    following = sentence[1] if len(sentence) > 1 else None
    if following is not None and (following.text in WORDS.be | WORDS.outcome or form_of(following.text) == "past"):
        return False
    named = following is not None and (
        following.kind in ("path", "command", "code", "weak") or following.text in ("the", "a", "an", "all")
    )
    return words[0] not in WORDS.ambiguous or named


def form_of(word: str) -> str:
    """base, third, past or ing for a verb known here."""
    return VERBS[word][1] if word in VERBS else ""


def negated(words: list[str]) -> bool:
    """Whether words deny, plan or suppose; an outcome may still be told with `no` or `failed`."""
    return any(
        word in WORDS.never - {"no", "failed", "fails", "without", "nothing", "none", "expected", "had"}
        or word.endswith("n't")
        for word in words
    )


_BEFORE_COUNTS = frozenset({":", "(", "–", "—", "→"})


def stands_for_command(walk: Walk, after: list[ReportToken], number: int) -> bool:
    """Whether code right after `ran` is what was run, though it does not look like a command."""
    token = after[number]
    program = walk.text.startswith(("`./", "`bin/"), token.start)
    if program and number == 0 and walk.state.counts and len(after) == 1:
        return True
    if number == 0 and walk.state.between:
        return False
    before = after[number - 1].text if number else ""
    if (
        not token.quoted
        or token.kind not in ("code", "weak", "path")
        or walk.state.taken
        or not (number == 0 or before in ("command", "script", "the", "both", "then"))
    ):
        return False
    return token.kind != "weak" or number == 0


def command(walk: Walk, token: ReportToken) -> None:
    """A command after a verb: run by it, used as its tool, or waiting for its outcome to be told."""
    state = walk.state
    by_tool = state.preposition in ("with", "by", "via", "using", "through", "in")
    done = state.counts and (
        state.cls == "run"
        or (state.cls in ("verify", "write", "create", "edit", "add") and by_tool and state.word not in WORDS.swaps)
    )
    if (state.cls == "verify" or state.word == "used") and state.counts and not state.preposition:
        done = True
    if done:
        walk.ran(token)
    elif state.cls is None or state.other or state.counts:
        walk.waiting.append(token)


def bare_command(walk: Walk, token: ReportToken) -> None:
    """`ran npm test and …`: a command without backticks goes on to the next sign or small word."""
    match = PATTERNS.bare_command.match(walk.text, token.start)
    if match and walk.state.counts:
        command = PATTERNS.tail_words.sub("", match.group().strip().rstrip(".:,"))
        walk.found.append(DraftClaim("command", walk.state.start, token.start + len(command), command=command))
        walk.state.taken += 1


def _by_means(walk: Walk, fragment: Fragment, at: int) -> bool:
    """`(via cmd)`, `(done with x: cmd)`, `I blessed the output with cmd`: the means by which it was done."""
    words = [token.text for token in fragment.tokens[:at] if token.kind == "word"]
    barred = walk.state.cls is not None and not walk.state.counts
    if barred or walk.context.silent or negated(words) or negated(walk.previous):
        return False
    if fragment.lead == "(" and words and all(word in WORDS.by_means for word in words):
        return True
    if fragment.lead == ":" and not words and walk.previous[:1] == ["done"]:
        return True
    return (
        bool(words)
        and words[-1] in ("with", "via", "using", "through", "running")
        and PATTERNS.did.match(" ".join(words)) is not None
    )


def outcome(walk: Walk, fragment: Fragment, verb_at: int | None) -> None:
    """A command whose outcome is told was run: `cmd` passes, `cmd`: 18 passed, `a` and `b` are clean."""
    words = fragment.words()
    if any(token.text in "✅✓✔" for token in fragment.tokens if token.kind == "sign"):
        words = [*words, "passed"]
    if verb_at is None:
        for at, token in enumerate(fragment.tokens):
            if token.kind == "command" and _by_means(walk, fragment, at):
                walk.ran(token)
    _did_something(walk, fragment, verb_at)
    _wait(walk, fragment, verb_at)
    words = _told_before(walk, fragment, words)
    if walk.waiting:
        _settle(walk, fragment, words, verb_at)
    elif any(word in WORDS.good for word in words) and not negated(words):
        for claim in walk.found:
            claim.good |= claim.kind == "command"


def _did_something(walk: Walk, fragment: Fragment, verb_at: int | None) -> None:
    """`npm run build` produced `dist/`: a command that did something was run."""
    if not verb_at or fragment.tokens[verb_at - 1].kind != "command" or walk.context.silent:
        return
    cls, form = VERBS[fragment.tokens[verb_at].text]
    words = fragment.words()
    if form == "past" and cls in ("create", "write", "edit", "add", "delete") and not negated(words):
        walk.ran(fragment.tokens[verb_at - 1])


def _wait(walk: Walk, fragment: Fragment, verb_at: int | None) -> None:
    """Commands that no verb ran wait for an outcome."""
    if verb_at is None or VERBS[fragment.tokens[verb_at].text][0] in ("run", "verify") or walk.state.other:
        seen = {claim.start for claim in walk.found} | {claim.end for claim in walk.found}
        commands = [token for token in fragment.tokens if token.kind == "command" and token.end not in seen]
        walk.waiting += [token for token in commands if token not in walk.waiting]


def _told_before(walk: Walk, fragment: Fragment, words: list[str]) -> list[str]:
    """`Build passes (cmd)`: the outcome stands before the brackets."""
    if fragment.lead == "(":
        alone = all(token.kind == "command" for token in fragment.tokens)
        return ["passed" if walk.told > 1 else "reported"] if walk.waiting and walk.told and alone else words
    told = any(word in WORDS.outcome for word in words) and not negated(words)
    if told or fragment.lead != ",":
        walk.told = (2 if any(word in WORDS.good for word in words) else 1) if told else 0
    return words


def _settle(walk: Walk, fragment: Fragment, words: list[str], verb_at: int | None) -> None:
    """Whether the commands that wait were run, were not, or wait on."""
    first = next((n for n, token in enumerate(fragment.tokens) if token in walk.waiting), 0)
    before = [token.text for token in fragment.tokens[:first] if token.kind == "word"]
    if before[-2:] == ["according", "to"]:
        before, words = [], [*words, "clean"]
    good_with = bool(before) and before[-1] in WORDS.good_with and any(word in WORDS.good for word in before)
    told = before[-1:] == ["of"] or (good_with and not negated(before))
    if verb_at is None and not told and any(_instructed(word) for word in before[-4:]):
        walk.waiting = [token for token in walk.waiting if token not in fragment.tokens]
        return
    after_it = any(token in fragment.tokens for token in walk.waiting) and not good_with
    said = any(word in WORDS.outcome for word in (words[len(before) :] if after_it else words))
    counted = any(token.kind == "number" for token in fragment.tokens) and fragment.lead in _BEFORE_COUNTS
    was_run = "run" in words and any(word in WORDS.be for word in words)
    if (said or was_run or counted) and not negated(words) and walk.context.mode != "found":
        good = any(word in WORDS.good for word in words)
        for token in walk.waiting:
            walk.ran(token, good=good)
        walk.waiting = []
    elif negated(words):
        walk.waiting = []


def _instructed(word: str) -> bool:
    return word in WORDS.never or word.endswith("n't") or word in WORDS.by_the_way
