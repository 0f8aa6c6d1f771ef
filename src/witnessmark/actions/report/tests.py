"""What a report says about tests: counts where it gives them, a bare "all tests pass" where it does not, and which tests it leaves out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from witnessmark.actions.report.lexicon import LANGUAGES, PATTERNS, in_any_language
from witnessmark.actions.report.runs import only_heard, other_checks
from witnessmark.text.digits import ungrouped
from witnessmark.text.numerals import one_word
from witnessmark.text.patterns import compiled

_N = r"(\d{1,9}(?:,\d{3}){0,3})"
_GAP = r"\s+(?:(?!\d|and\b|but\b|of\b)[\w'’`/._-]+\s+){0,6}?"
_SHORT = r"\s+(?:(?!\d|and\b|but\b|of\b)[\w'’-]+\s+){0,2}?"
_PARTS = compiled(
    rf"(?P<ratio>{_N}\s*(?:out of|of|/)\s*(?:the\s+|all\s+)?{_N}{_GAP}(?P<ratio_word>pass(?:ed|ing|es)?|succeed(?:ed)?|ok|green|fail(?:ed|ing|s|ures?)?)\b(?!\s+(?:tests?|specs?)\b))"
    rf"|(?P<slash>\b{_N}\s*/\s*{_N}\b)"
    rf"|(?P<labelled>\b(?:passed|passing|pass|successes)\s*[:=]\s*{_N}(?!\s*(?:fail|err|warn)))"
    rf"|(?P<labelled_failed>\b(?:failed|failing|failures?)\s*[:=]\s*{_N})"
    rf"|(?P<labelled_total>\btests(?: run)?\s*[:=]\s*{_N}(?=\s*[,;.)]|\s*$))"
    rf"|(?P<outof>\b{_N}\s+tests?\s+failed\s+out\s+of\s+{_N})"
    rf"|(?P<passed>\b{_N}{_GAP}(?:pass(?:ed|ing|es)?|succeed(?:ed)?|successful|green)\b)"
    rf"|(?P<failed>\b(?:{_N}|no|none|zero){_SHORT}(?:fail(?:ed|ing|s|ures?)?|errors?)\b)"
    rf"|(?P<total>\b(?:ran\s+)?{_N}\s+(?:\w+\s+)?(?:tests?|examples?|specs?|runs?(?=,)|run(?! )|cases)\b)"
)


NUMBERS = {word: number for number, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)}  # fmt: skip
_SPELLED = compiled(rf"\bone(?=\s+of\s+(?:the\s+|all\s+)?(?:\d|(?:{'|'.join([*NUMBERS][1:])})\b)|\s+(?:tests?\s+)?(?:still\s+|now\s+|is\s+|also\s+){{0,2}}fail)|\b(?:{'|'.join([*NUMBERS][1:])})\b(?=\s+(?:of\s+(?:the\s+|all\s+)?[\w-]+\s+)?(?:[\w-]+\s+){{0,2}}(?:tests?|specs?|examples?)\b|\s+(?:still\s+|now\s+|are\s+|also\s+){{0,2}}(?:pass(?!es)|fail|green\b))")  # fmt: skip
_ALL_BUT = compiled(rf"\b(?:all but|except(?: for)?|apart from|aside from|other than|save for|exception of)(?: the)? (?:{'|'.join(NUMBERS)}|\d+)\b")  # fmt: skip
"""`all but two tests`: not the number of those that passed."""
"""Numbers in words in front of tests, or of a part of them; those of other things are left."""


@dataclass(slots=True)
class TestCounts:
    """One test run as a report tells it; end is the end of the last part."""

    passed: int | None = None
    failed: int | None = None
    total: int | None = None
    start: int = 0
    end: int = 0
    earlier: bool = False
    """Whether it counts only what failed, in whichever run that was."""


_REPEATED = compiled(r"\b(?:runs|attempts|tries|iterations|repetitions|rounds|times)\b")
"""`8 of 40 runs failed` counts how often something was run, and no tests."""


def counts_in(statement: str, written: str = "") -> list[TestCounts]:
    """The test runs with counts in one statement (lower case, code blanked out), in order; `written` is the same with its code."""
    if not PATTERNS.runner.search(statement) and "/" not in statement:
        return []
    statement = _ALL_BUT.sub(lambda words: " " * len(words.group()), statement)
    statement = _SPELLED.sub(lambda word: str(NUMBERS[word.group()]).ljust(len(word.group())), statement)
    runs: list[TestCounts] = []
    for match in _PARTS.finditer(statement):
        if _unsure(statement, match.start(), match.end()) or _of_another_check(match, written or statement):
            continue
        if match["total"] is None and _REPEATED.search(match.group()):
            continue
        _take(runs, match, statement)
    good = PATTERNS.good.search(statement) is not None
    return [run for run in (_settled(run, good=good) for run in runs) if run is not None]


def _unsure(statement: str, start: int, end: int) -> bool:
    """Whether the clause around a place is planned, conditional, negated or about earlier."""
    begins = max(statement.rfind(sign, 0, start) for sign in ",;:.(—–") + 1
    earlier = statement[end : end + 8].lstrip().startswith("before")
    barred = PATTERNS.unsure.search(statement, begins, end) is not None
    return barred or earlier or only_heard(statement, start, end)


_JOINT = r"[\s,;/|&*()]*(?:and|with)?[\s*(]*"
_COUNT = r"\d[\d,]* (?:tests? )?(?:pass(?:ed|ing|es)?|green|skipped|deselected|fail(?:ed|ing|s|ures?)?)"
_JOINED = (compiled(rf"{_COUNT}{_JOINT}$"), compiled(rf"{_JOINT}{_COUNT}"))
"""Before and after a count of errors: another count of the same run, as runners print them."""
_TEST_NAMED = compiled(r"\b(?:tests?|specs?|suite|pytest|jest|vitest|rspec|passed|passing)\b")
_BESIDE = compiled(r"[^,;.:\d]{0,30}")


def _of_another_check(match: re.Match[str], written: str) -> bool:
    """Whether a count of failures or errors belongs to a linter, type checker or build: `7 passed, and ruff reports 1 error`.

    It is of what is named in or right behind it, or else of what was named last before it, unless it goes on a count of tests.
    """
    if match["failed"] is None or _TEST_NAMED.search(match.group()):
        return False
    checks = other_checks(written)
    if any(
        match.start() <= start and _BESIDE.fullmatch(written, match.end(), max(start, match.end()))
        for start, _ in checks
    ):
        return True
    if _JOINED[0].search(written, 0, match.start()) or _JOINED[1].match(written, match.end()):
        return False
    tests = max((found.end() for found in _TEST_NAMED.finditer(written, 0, match.start())), default=-1)
    return max((end for _, end in checks if end <= match.start()), default=-1) > tests


_PART_NAMES = ("ratio", "slash", "labelled_failed", "labelled_total", "labelled", "outof", "passed", "failed", "total")


def _take(runs: list[TestCounts], match: re.Match[str], statement: str) -> None:
    numbers = [
        int(ungrouped(group))
        for group in match.groups()
        if group and group[0].isdigit() and not group.endswith(("d", "s")) and ungrouped(group).isdigit()
    ]
    kind = next(name for name in _PART_NAMES if match.group(name))
    if kind == "ratio":
        part, whole = numbers[0], numbers[1]
        if match.group("ratio_word").startswith("failure"):  # `one of the two failures is fixed`: two failed, once
            runs.append(TestCounts(failed=whole, start=match.start(), end=match.end(), earlier=True))
            return
        good = not match.group("ratio_word").startswith("fail")
        passed = part if good else whole - part
        # Of six of nine that pass, two of which are skipped, three did not fail.
        failed = None if good and (part == whole or "skip" in statement.lower()) else whole - passed
        _place(runs, match, passed=max(passed, 0), failed=failed, fresh=True)
    elif kind == "slash":
        around = statement[max(0, match.start() - 30) : match.end() + 30]
        if (
            numbers[0] <= numbers[1]
            and PATTERNS.runner.search(around)
            and (PATTERNS.good.search(around) or "test" in around)
        ):
            failed = None if numbers[0] == numbers[1] else numbers[1] - numbers[0]
            _place(runs, match, passed=numbers[0], failed=failed, fresh=True)
    elif kind.startswith("labelled"):
        given = {kind: numbers[0]}
        failed, total = given.get("labelled_failed"), given.get("labelled_total")
        _place(runs, match, passed=given.get("labelled"), failed=failed, total=total)
    elif kind == "outof":
        _place(runs, match, passed=numbers[1] - numbers[0], failed=numbers[0], fresh=True)
    elif kind == "passed" and not match.group().rstrip().endswith("%") and "suite" not in match.group():
        before = statement[max(0, match.start() - 14) : match.start()]
        if "suites:" not in before and "files " not in before and statement[match.start() - 1 : match.start()] != ".":
            _place(runs, match, passed=numbers[0])
    elif kind == "failed" and not PATTERNS.expected.search(match.group()):
        _place(runs, match, failed=numbers[0] if numbers else 0)
    elif kind == "total":
        _place(runs, match, total=numbers[0])


def _place(
    runs: list[TestCounts],
    match: re.Match[str],
    *,
    passed: int | None = None,
    failed: int | None = None,
    total: int | None = None,
    fresh: bool = False,
) -> None:
    """Add parts to the last run, or begin another where it has such a part already."""
    run = runs[-1] if runs and not runs[-1].earlier else None
    if run is not None and failed is not None and failed == run.failed and passed is total is None:
        return  # `37 of 40 pass (3 fail)`: the same told twice
    clash = (
        run is None
        or (fresh and (run.passed is not None))
        or (passed is not None and run.passed is not None)
        or (total is not None and run.total is not None)
    )
    if run is None or clash or (failed is not None and run.failed is not None):
        run = TestCounts(start=match.start())
        runs.append(run)
    run.passed = passed if passed is not None else run.passed
    run.failed = failed if failed is not None else run.failed
    run.total = total if total is not None else run.total
    run.end = match.end()


def _settled(run: TestCounts, *, good: bool) -> TestCounts | None:
    """A run with a count of passed tests; a total alone counts where the statement says it went well."""
    if run.passed is None and run.total is not None and (good or run.failed is not None):
        run.passed = max(run.total - (run.failed or 0), 0)
    return run if run.passed is not None or run.earlier else None


def bare_pass(statement: str) -> tuple[int, int] | None:
    """Where a statement says that tests pass without saying how many."""
    match = PATTERNS.bare.search(statement)
    if match is None or _unsure(statement, match.start(), match.end()):
        return None
    return match.span()


_NAMES = compiled(r"`([^`\n]{4,120})`|((?:[\w./-]+::)?\btest_\w+|\bTest[A-Z]\w+)")
_TESTS = compiled(r"\b(?:\w*tests?|specs?|cases?|suites?|ones?|fail\w*|flaky|pre-?existing|known|integration|e2e|fehl\w*|échec\w*|échou\w*|pruebas?|fallos?)\b", re.IGNORECASE)  # fmt: skip
_OTHER = compiled(r"^\W*(?:that\b|this\b|the fix\b|dem\b|ça\b|eso\b)|\b(?:lint\w*|ruff|mypy|eslint|type[- ]?check\w*|build|warnings?)\b", re.IGNORECASE)  # fmt: skip
_ONLY = compiled(r"\b(?:only|just|nur|seule?s?|solo)\b(?:(?P<told>[^.;\n]{2,120}?)\b(?:fails?|failed|failing|red|fehl\w*|échou\w+|fallan?)\b| (?:failing|failed|red) tests? (?:is|are)\b)", re.IGNORECASE)  # fmt: skip
_BUT = compiled(rf"\bbut (?:for )?(?=(?:the )?(?:{'|'.join(NUMBERS)}|\d+)\b(?: (?:of|tests?|specs?)\b|\s*(?:[.,;!(]|$))|`?test_\w)", re.IGNORECASE)  # fmt: skip


def failures_told(sentence: str) -> tuple[tuple[str, ...], int | None] | None:
    """What a sentence leaves out of the tests that pass, by their names or how many; None where it leaves out none."""
    ways = (in_any_language("denials", "except"), _BUT, _ONLY)
    match = next(filter(None, (way.search(sentence) for way in ways)), None)
    if match is None or match.group().lower() in ("besides", "beyond"):
        return None
    told = match.groupdict().get("told") or re.split(r"[;\n]|\.(?:\s|$)", sentence[match.end() :])[0]
    names = tuple(name.partition("(")[0] for pair in _NAMES.findall(told) for name in pair if name)
    words = re.findall(r"\w+", told.lower())[:6]
    counts = [NUMBERS.get(word) or one_word(word, language) for word in words for language in LANGUAGES]
    count = next((number for number in counts if number), None)
    if _OTHER.search(told) or not (names or count or _TESTS.search(told)):
        return None
    return names, count
