"""Tests, linters, type checkers, builds, commands and git that a sentence says were run, and how they went."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from witnessmark.actions.claim import ActionClaim
from witnessmark.actions.report.lexicon import WORDS, may_match, table
from witnessmark.actions.report.names import looks_like_command
from witnessmark.actions.trace.activities import activity_of, called, programs_of
from witnessmark.text.numerals import one_word
from witnessmark.text.patterns import compiled, put_in

if TYPE_CHECKING:
    from witnessmark.actions.report.layout import Sentence
    from witnessmark.actions.report.lexicon import Language


ROLES = ("test", "lint", "types", "build", "format", "any")
_SIGNS = frozenset("✅✓✔☑")
MAX_TEXT = 300
FAR, NEAR = 9, 4
"""How many words may stand between what was run and that it went well: for words that say nothing else, and for those that may."""
_JOINED = compiled(r"[\s,/&+]*(?:and|as well as|und|sowie|et|y)?[\s,/&+]*(?:the |also )?")
_TYPED = compiled(
    r"(?:go|cargo|npm|pnpm|yarn|bun|make|just|docker|terraform|mvn|gradle|dotnet|bazel|deno|flutter|swift|tox|nox|npx|helm|uv) (?:(?:run|compose|-\S+) )*[a-z][\w:-]*"
)


_ONE_TEST = compiled(
    r"(?:[\w./-]+::)*(?:[\w.]+[.#])?(?P<name>test(?!ing|s|utils?|data|helpers?|cases?|client|server|kit|bed)\w{4,}|\w{3,}_(?:test|spec))(?:\(\))?"
)
"""A test by its own name, in small letters: `test_rounding`, `testUnknownEmail`, `tests/test_a.py::test_rounding`."""
_OF_ONE_TEST = compiled(
    r"(?:\s*(?:[.,;:!)]|$)|\s+(?:with (?:the|this|that)|now|again|and|but|after|locally|too|as well|on|under|against|unchanged|without|jetzt|wieder|nun|mit (?:der|dem)|maintenant|avec|désormais|ahora|con)\b)"
)
"""What may follow the words that one test passes; `passes its own clock` and `passes because nothing calls it` tell of something else."""


@dataclass(frozen=True, slots=True)
class CheckMention:
    """What was run, where a sentence names it; `tool` is its program where it names one."""

    start: int
    end: int
    roles: frozenset[str]
    tool: str = ""
    command: bool = False
    test: str = ""
    """The name of the one test that is meant."""
    typed: str = ""
    """The command as the sentence has it, where it has more than the tool."""


@functools.cache
def pattern(section: str, name: str) -> re.Pattern[str]:
    """A pattern of `lang/runs.toml` with what its marks stand for put in, compiled once."""
    return compiled(put_in(table("runs")[section][name], table("runs")["marks"]))


def search_runs(section: str, name: str, low: str) -> re.Match[str] | None:
    """Where a text has what a pattern of `lang/runs.toml` says."""
    return pattern(section, name).search(low) if may_match("runs", section, name, low) else None


@functools.cache
def _mention() -> re.Pattern[str]:
    """Code, a command without its signs, the name of a tool, or the noun of a kind of check."""
    data = table("runs")["subjects"]
    plain = set(data["plain_words"].split())
    tools = sorted((name for role in ROLES[:5] for name in programs_of(role) if name not in plain), key=len)[::-1]
    nouns = "|".join(f"(?P<{role}>{data[role]})" for role in ROLES)
    names = "|".join(map(re.escape, tools))
    return compiled(
        rf"`(?P<code>[^`\n]{{2,160}})`|(?<![\w`/.@-])(?:(?P<typed>{_TYPED.pattern})|(?P<tool>{names})(?: check| format)?|{nouns})(?![\w/]|-\w|\.\w)"
    )


def mentions_in(low: str) -> Iterator[CheckMention]:
    """The checks that a text in small letters names, in order."""
    data = table("runs")["subjects"]
    part, done_to = _compiled(data["a_part"]), _compiled(data["done_to"])
    for match in _mention().finditer(low):
        if match["code"] is None and (part.match(low, match.end()) or done_to.search(low, 0, match.start())):
            continue
        found = _named(match)
        if found is not None:
            yield found


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return compiled(pattern)


def _named(match: re.Match[str]) -> CheckMention | None:
    typed = match["code"] or match["typed"]
    if typed is not None:
        words = tuple(typed.split())
        if match["code"] and not looks_like_command(typed) and _program(words[0]) not in _tools():
            one = _ONE_TEST.fullmatch(typed)
            return CheckMention(*match.span(), frozenset({"test"}), test=one["name"]) if one else None
        activity = activity_of(words)
        roles = activity.roles & set(ROLES)
        if activity.target:
            return None  # a task is known by its command, and what it runs is not told
        return CheckMention(*match.span(), roles, activity.program, command=True, typed=typed) if roles else None
    if match["tool"]:
        return CheckMention(*match.span(), frozenset({_tools()[match["tool"]]}), match["tool"], typed=match.group())
    role = next(role for role in ROLES if match[role])
    return CheckMention(*match.span(), frozenset({role}))


def _program(word: str) -> str:
    """The tool that a first word names, be it by the place where it is installed: `vendor/bin/phpunit`."""
    installed = called("installed_tool").fullmatch(word)
    return (installed[1] or word) if installed else word


@functools.cache
def _tools() -> dict[str, str]:
    return {name: role for role in ROLES[:5] for name in programs_of(role)}


def other_checks(low: str) -> list[tuple[int, int]]:
    """Where a text names a check that is no test: a linter, type checker, build or formatter, by its noun or its command."""
    return [
        match.span() for match in _mention().finditer(low) if _roles(match) & _OTHERS and "test" not in _roles(match)
    ]


_OTHERS = frozenset(ROLES[1:5])


def _roles(match: re.Match[str]) -> frozenset[str]:
    typed = match["code"] or match["typed"]
    if typed is not None:
        return activity_of(tuple(typed.split())).roles
    return frozenset({_tools()[match["tool"]]} if match["tool"] else {role for role in ROLES if match[role]})


def checks_told(sentence: Sentence, words: Language) -> Iterator[ActionClaim]:
    """The claims of one sentence that checks passed; tests among them are claims that tests passed."""
    if sentence.others:
        return
    low = sentence.low
    if not sentence.done and not any(each().search(low) for each in (_good, _any_verb)):
        return
    mentions = list(mentions_in(low))
    for group in _groups(low, mentions):
        at = _went_well(low, group, mentions, sentence, words)
        if at is not None and taken_back(low, at) is None:
            yield from _claims(group, sentence, words)
    for role in table("runs")["verbs"]:
        told = pattern("verbs", role).search(low)
        if told and stated(low, told.start(), told.start(), words) and taken_back(low, told.end()) is None:
            yield from _claims([CheckMention(*told.span(), frozenset({role}))], sentence, words)
    for role in table("runs")["failing"]:
        told = search_runs("failing", role, low)
        if told and stated(low, told.start(), told.start(), words):
            yield claim_of("tests_passed", sentence, role=role)


def _groups(low: str, mentions: list[CheckMention]) -> list[list[CheckMention]]:
    """Mentions joined by commas and `and`: `build, tests and lint all pass`."""
    groups: list[list[CheckMention]] = []
    for mention in mentions:
        if groups and _JOINED.fullmatch(low[groups[-1][-1].end : mention.start]):
            groups[-1].append(mention)
        else:
            groups.append([mention])
    return groups


@functools.cache
def _words(name: str) -> str:
    return "".join(table("runs")["good"][name].split("\n"))


@functools.cache
def _good() -> re.Pattern[str]:
    passing = rf"(?:{_words('passing')})(?!\w)(?:{_words('other_sense')})"
    weak = rf"(?:{_words('weak')})(?!\w)(?:{_words('other_sense')})"
    return compiled(rf"(?<![\w-])(?:(?P<strong>{passing}|(?:{_words('clear')})(?!\w))|(?P<weak>{weak}))")


@functools.cache
def _any_verb() -> re.Pattern[str]:
    """Any of the words without which a sentence says of no check that it went well, beside the good ones."""
    nothing = table("runs")["good"]["nothing_of"]
    return compiled(
        "|".join(
            [
                *(pattern("verbs", role).pattern for role in table("runs")["verbs"]),
                nothing,
                "accepted|fine|fail|red|broken",
            ]
        )
    )


def _went_well(
    low: str, group: list[CheckMention], mentions: list[CheckMention], sentence: Sentence, words: Language
) -> int | None:
    """Where the words end that say that a group of checks went well; None where nothing says so."""
    first, last = group[0], group[-1]
    if sentence.done and not low[: first.start].strip(" `*") and not low[last.end :].strip(" .`*"):
        return last.end
    end = min((low.find(sign, last.end) for sign in (";", "?") if low.find(sign, last.end) >= 0), default=len(low))
    following = next((mention.start for mention in mentions if mention.start >= last.end), end)
    match = _good().search(low, last.end, end)
    while match is not None:
        gap = low[last.end : match.start()]
        tied = match["strong"] is not None or last.command or bool(last.tool) or "build" in last.roles
        far = FAR if match["strong"] and match.group() not in _SIGNS else NEAR
        near = len(re.findall(r"[\w'’]+", gap)) <= far and gap.count("|") < 2
        if match.start() >= following or not near or not tied:
            break
        fits = (last.roles != {"any"} or match["strong"]) and (not last.test or _OF_ONE_TEST.match(low, match.end()))
        if fits and stated(low, first.start, match.start(), words):
            return match.end()
        match = _good().search(low, match.end(), end)
    return _before(low, first, words)


def _before(low: str, first: CheckMention, words: Language) -> int | None:
    """`passes ruff`, `clean under mypy`, `no complaints from ruff`, `no type errors`, `The types check out (mypy)`."""
    data = table("runs")["good"]
    strong = f"{_words('passing')}|{_words('clear')}"
    named = (first.command or first.tool) and not low.startswith(":", first.end)
    lead = rf"(?:\s*\(|\s+(?:{data['leads']}\s+)?)(?:the\s+)?$"
    before = _compiled(rf"(?<![\w-])(?:{strong}|accepted|fine){lead}").search(low, 0, first.start) if named else None
    if before is not None and stated(low, before.start(), before.start(), words):
        return first.end
    likewise = _compiled(rf"(?:{data['likewise']})(?:the |our )?$").search(low, 0, first.start)
    well = _good().search(low, 0, likewise.start()) if likewise is not None else None
    if well is not None and well["strong"] and stated(low, well.start(), well.start(), words):
        return first.end
    nothing = _compiled(rf"(?<![\w-])(?:{data['nothing_of']})$").search(low, 0, first.start)
    of_them = _compiled(rf"[\s-]*{data['of_them']}\b").match(low, first.end)
    if nothing and of_them and stated(low, nothing.start(), nothing.start(), words):
        return of_them.end()
    return None


def stated(low: str, start: int, end: int, words: Language) -> bool:
    """Whether the clause before a place states something, and does not plan, suppose or deny it."""
    begins = max(low.rfind(sign, 0, start) for sign in ",;:.(—–|") + 1
    barred = words.barred.search(low, begins, end) or pattern("good", "earlier").search(low, begins, end)
    return barred is None and not only_heard(low, start, end)


def only_heard(low: str, start: int, end: int) -> bool:
    """Whether the words around a statement say that the writer believes it only, or that it is what somebody else said."""
    return (search_runs("good", "heard", low[:start]) or search_runs("good", "doubted", low[end:])) is not None


def went_well_after(low: str, start: int, end: int, words: Language) -> bool:
    """Whether the words right after a command say that it went well; its own words (`--cov-fail-under`) say nothing of that."""
    low = low[:start] + " " * (end - start) + low[end:]
    match = _good().search(low, end)
    gap = low[end : match.start()].removeprefix("`") if match else ""
    if match is None or pattern("commands", "between").fullmatch(gap) is None:
        return False
    return stated(low, start, match.start(), words) and taken_back(low, match.end()) is None


def taken_back(low: str, at: int) -> re.Match[str] | None:
    """The words after a place that take back what was said before it."""
    return pattern("good", "taken_back").match(low[at:]) or search_runs("good", "doubted", low[at:])


def denied_behind(low: str, at: int) -> bool:
    """Whether a verb that ends at a place is denied by what follows: `I committed nothing`, `it is pushed nowhere`."""
    return pattern("good", "denied_behind").match(low, at) is not None


def _claims(group: list[CheckMention], sentence: Sentence, words: Language) -> Iterator[ActionClaim]:
    for mention in group:
        for role in sorted(mention.roles):
            if role == "test":
                passed = _count(sentence.low, mention, words)
                yield claim_of("tests_passed", sentence, passed=passed, name=mention.test or None)
            else:
                command = mention.typed if " " in mention.typed else None
                yield claim_of("check_passed", sentence, role=role, value=mention.tool or None, command=command)


_TWO_BEFORE = compiled(r"(?<![\w.,])(?:(\w+) )?(?<![.,])(\w+) $")
_COUNT_WITHIN = compiled(r"(\d{1,6}) ")


def _count(low: str, mention: CheckMention, words: Language) -> int | None:
    """How many tests a mention says there are, before it or in it: `alle 12 Tests`, `12 bestandene Tests`."""
    within = _COUNT_WITHIN.match(low, mention.start)
    before = within or _TWO_BEFORE.search(low[max(0, mention.start - 60) : mention.start])
    told = (one_word(word, words.name) for word in reversed(before.groups()) if word) if before else ()
    return next((number for number in told if number is not None), None) if not mention.test else None


def claim_of(kind: str, sentence: Sentence, **fields: str | int | None) -> ActionClaim:
    """A claim of one kind with the words of its sentence."""
    text = sentence.raw[:MAX_TEXT]
    return ActionClaim(kind, by="report", text=text, span=(sentence.start, sentence.start + len(text)), **fields)  # type: ignore[arg-type]


_CODE = compiled(r"`(?P<code>[^`\n]{3,200})`")


def commands_told(sentence: Sentence, words: Language) -> Iterator[ActionClaim]:
    """A claim for each command that the sentence says was run."""
    for match in _CODE.finditer(sentence.text) if not sentence.others else ():
        code = match["code"].strip()
        typed = looks_like_command(code)
        if not typed and not _two_words(code):
            continue
        if _was_run(sentence, words, match, typed=typed) and taken_back(sentence.low, match.end()) is None:
            yield claim_of("command", sentence, command=code, role="ran")


def _two_words(code: str) -> bool:
    """`alembic upgrade head`: plain words in code, as they are typed at a prompt, and no name or path."""
    plain = re.fullmatch(r"[a-z][a-z0-9_-]+(?: [a-z0-9][\w:./@=-]*| --?[a-z][\w=-]*){1,6}", code)
    return plain is not None and code.split(maxsplit=1)[0] not in WORDS.keywords


def _was_run(sentence: Sentence, words: Language, match: re.Match[str], *, typed: bool) -> bool:
    """Whether the words around some code say so; what may be plain words (not `typed`) must be run by a verb that nothing else has."""
    low = sentence.low
    head = not low[: match.start()].strip(" `*|")
    if sentence.done and head and typed:
        return True
    by_verb = pattern("commands", "ran").search(low, 0, match.start())
    if by_verb is not None and stated(low, by_verb.start(), match.start(), words):
        return typed or pattern("commands", "only_runs").search(by_verb.group()) is not None
    after = pattern("commands", "ran_after").match(low, match.end())
    if after is not None and stated(low, match.start(), match.end(), words):
        return typed or pattern("commands", "only_runs").search(after.group()) is not None
    shows = typed and looks(match["code"]) and pattern("commands", "shows").match(low, match.end())
    if shows and stated(low, match.start(), match.start(), words):
        return True
    return typed and went_well_after(low, match.start(), match.end(), words)


def looks(command: str) -> bool:
    """Whether a command of a tool that is known only shows how things are; what git has of files is shown to whoever reads on."""
    activity = activity_of(tuple(command.split()))
    return (
        activity.roles == {"read"}
        and len(activity.words) > 1
        and activity.program in table("runs")["commands"]["asked"].split()
    )


_DONE = "_done"


def versions_told(sentence: Sentence, words: Language) -> Iterator[ActionClaim]:
    """A claim for each thing that the sentence says was done with git."""
    low = sentence.low.rstrip(".")
    for name in table("runs")["git"] if not sentence.others else ():
        if name in ("hash", "message") or (name.endswith(_DONE) and not sentence.done):
            continue
        match = search_runs("git", name, low)
        if match is None or denied_behind(low, match.end()):
            continue
        if not stated(low, match.start(), match.end(), words) or taken_back(low, match.end()):
            continue
        role = name.removesuffix(_DONE)
        named = pattern("git", "hash").search(low) if role == "commit" else match
        message = pattern("git", "message").search(low) if role == "commit" else None
        yield claim_of(
            "git", sentence, role=role, value=_value(sentence.text, named), name=_value(sentence.text, message)
        )


def _value(text: str, match: re.Match[str] | None) -> str | None:
    """The name that a match holds, as it is written."""
    spans = [match.span(group) for group, value in match.groupdict().items() if value] if match is not None else []
    return text[spans[0][0] : spans[0][1]].strip("`\"'").rstrip(".,") if spans else None


OBSERVED = ("tested", "red_first", "old_failure")
"""What a writer says to have seen: tests that ran, a new one that failed before the change, a failure that is older than the work."""


def observed(sentence: Sentence, words: Language) -> Iterator[ActionClaim]:
    """A claim for each sort of observation that the sentence tells."""
    for role in OBSERVED:
        match = search_runs("observed", role, sentence.low)
        if match is None or sentence.others:
            continue
        begins = max(sentence.low.rfind(sign, 0, match.start() + 1) for sign in ";.—–") + 1
        if pattern("observed", "unsaid").search(sentence.low, begins, match.end()) is None:
            yield claim_of("check_passed", sentence, role=role)
