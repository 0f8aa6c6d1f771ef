"""Values that a report says were changed, set or kept, against the lines that hold them: found by the words and names they belong to."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from http import HTTPStatus

from witnessmark.actions.claim import ActionClaim, Ruling, contradicted, supported
from witnessmark.actions.content.evidence import TextEvidence
from witnessmark.actions.report.report import Report
from witnessmark.actions.trace.calls import command_of, is_remote, only_reads, output_of
from witnessmark.actions.tree.texts import TextChange
from witnessmark.text.digits import ungrouped
from witnessmark.text.patterns import compiled

NEAR = 3
"""So many lines over a value may name what it belongs to: an artifact over its version."""
LEAST_NAME = 7
"""A shorter name of a status (`ok`, `found`) may stand for anything."""
LEAST_PLURAL = 5
"""A longer key may stand in code without its last `s`."""
_FACTORS = (1, 1000, 60, 3600, 60_000, 3_600_000, 86_400, 24, 1024, 1024**2, 1024**3, 1_000_000, 1_000_000_000)
_NUMBER = compiled(r"(\d+(?:[.,]\d+)*)")


_OTHER_NAMES = {"200": ["status ok"], "201": ["status created"], "403": ["forbid"], "410": ["status gone"], "413": ["too large"], "422": ["unprocessable"]}  # fmt: skip


@functools.cache
def _status_names(value: str) -> list[str]:
    """A status of HTTP by the names that code has for it: 400 is `StatusBadRequest`, `BAD_REQUEST`, `:bad_request`."""
    phrases = [status.phrase.lower() for status in HTTPStatus if str(status.value) == value]
    told = [name for name in phrases if len(name) > LEAST_NAME] + _OTHER_NAMES.get(value, [])
    return [name.replace(" ", sign) for name in told for sign in ("", "_", " ", "-")]


def forms(value: str) -> list[str]:
    """A value as files may write it: without a unit, in another unit, without dots, with and without `v`, by its name in HTTP."""
    bare = value.strip().lower()
    found = [bare, bare.replace(" ", ""), bare.lstrip("v"), *_status_names(bare)]
    number = _NUMBER.match(bare.lstrip("v"))
    if number:
        text = number[1].rstrip(".,")
        plain = ungrouped(text)
        if number.end() < len(bare.lstrip("v")) and re.search(r"\d[.-]?[a-z]", bare):
            found.append(text)  # a unit stands behind it
        found += [plain, plain.replace(".", "")] if plain.count(".") else [plain]
        if plain.count(".") <= 1 and len(plain) < 10:
            amount = float(plain)
            for factor in _FACTORS if bare != plain or amount >= 1 else (1,):
                scaled = amount * factor
                if scaled == int(scaled):
                    found += [str(int(scaled)), f"{int(scaled):_}", f"{int(scaled):,}"]
            larger = (amount / factor for factor in _FACTORS[1:] if bare != plain and amount % factor == 0)
            found += [str(int(whole)) for whole in larger if whole > 1]  # 90000 ms may stand there as 90
            found += _parts_of_one(amount, bare[number.end() :].strip())
    return [form for form in dict.fromkeys(found) if form]


def _parts_of_one(amount: float, unit: str) -> list[str]:
    """A share as a part of one (80 % is 0.8), and thousandths as parts of a whole and the other way (500m is 0.5); 100 without a sign is no 1."""
    share = f"{amount / 100:g}"
    found = [share] if "." in share or unit[:1] == "%" or unit[:4] in ("perc", "proz", "pour", "porc") else []
    if unit == "m":
        found.append(f"{amount / 1000:g}")
    return [*found, f"{amount * 1000:g}m"] if amount < 1 else found


def reckoned(text: str) -> frozenset[str]:
    """What the products and sums of whole numbers in a text come to: `24 * 60 * 60` is 86400."""
    found: dict[str, None] = {}
    for match in list(_SUM.finditer(text))[:MAX_SUMS]:
        total = 0
        for term in re.split(r"\s*\+\s*", match.group()):
            value = 1
            for factor in re.split(r"\s*\*\s*", term):
                base, _, shift = factor.replace("_", "").partition("<<")
                value *= int(base) << min(int(shift or 0), 64)
            total += value
            found |= {str(value): None}
        found |= {str(total): None}
    return frozenset(found)


MAX_SUMS = 1_000
"""So many sums of a text are worked out."""
_SUM = compiled(r"(?<![\w.])\d[\d_]{0,12}(?:\s{0,2}(?:\*|\+|<<)\s{0,2}\d[\d_]{0,12}){1,6}(?![\w.])")


def times(value: str, text: str) -> int:
    """How often a text has a value in any form, or as what a sum in it comes to."""
    found = len(_pattern(value, loose=True).findall(text))
    return found or int(value[:1].isdigit() and not reckoned(text).isdisjoint(forms(value)))


@functools.lru_cache(maxsize=256)
def _pattern(value: str, *, loose: bool) -> re.Pattern[str]:
    told = (
        forms(value)
        if loose
        else [value.strip().lower(), value.strip().lower().replace(" ", ""), value.strip().lower().lstrip("v")]
    )
    choice = "|".join(re.escape(form) for form in dict.fromkeys(told))
    return re.compile(
        rf"(?<![\w.]){'v?' if value[:1].isdigit() else ''}(?:{choice})(?![\w]|\.\d)"
        if not loose
        else rf"(?<!\d)(?<!\d\.)(?:{choice})(?!\d)",
        re.IGNORECASE,
    )


def _near(text: str, keys: list[str]) -> Iterator[tuple[int, str]]:
    """The lines of a text that belong to a key, as they are written: those that have it, and a few under it."""
    last = -NEAR - 1
    for at, line in enumerate(text.split("\n")):
        low = line.lower()
        if any(key in low for key in keys):
            last = at
        if at - last <= NEAR:
            yield at, line


def _keys(claim: ActionClaim) -> list[str]:
    names = claim.names
    parts = [part for name in names for part in (name, re.split(r"[.:/]+", name)[-1].lstrip("-@"))]
    return [key for key in dict.fromkeys(parts) if len(key) > 1]


def _places(claim: ActionClaim, known: TextEvidence) -> list[TextChange]:
    """Where a value is looked for: in the file that is named, or in every text of the tree."""
    return known.called(claim.path) if claim.path else list(known.files())


def _in_session(value: str, known: TextEvidence) -> bool:
    """Whether a command or a server was given a value, or printed it; a file that was read has lines with numbers of their own."""
    if known.trace is None or not value:
        return False
    whole = re.compile(rf"(?<![\w.]){re.escape(value)}(?![\w%]|\.\d)", re.IGNORECASE)
    calls = [call for call in known.trace.ledger.calls if is_remote(call) or not only_reads(call)]
    told = (str(call.input) if is_remote(call) else command_of(call) for call in calls)
    return any(map(whole.search, told)) or any(whole.search(output_of(call)) for call in calls)


def _printed_both(old: re.Pattern[str], new: str, known: TextEvidence) -> bool:
    """Whether a command that failed printed both values in a line."""
    calls = [call for call in known.trace.ledger.calls if call.ok is False] if known.trace is not None else []
    lines = (line for call in calls for line in output_of(call).splitlines())
    return any(old.search(line) and _pattern(new, loose=False).search(line) for line in lines)


_LINE = compiled(r"[\w./-]+\.\w+:\d+(?:[-:]\d+)*")
"""A place in a file, which is no value."""


def rule_value(claim: ActionClaim, known: TextEvidence, report: Report) -> Ruling | None:
    """A value that became another: the old one stood beside its name, and the new one must stand somewhere."""
    if claim.old is None:
        return rule_set(claim, known, report)
    keys, new = _keys(claim), claim.value or ""
    old = _pattern(claim.old, loose=re.fullmatch(r"\d[\d.,]* ?[a-z%]+", claim.old) is not None)
    if claim.old.lower() == new.lower() or _LINE.fullmatch(new) or new.endswith(("…", "...")):
        return None
    brought = [text for text in known.changed.values() if times(new, text.new) > times(new, text.old)]
    files = _places(claim, known)
    if re.fullmatch(r"v?\d+(?:\.\d+)+", new) and _in_session(new, known):
        return None
    if _printed_both(old, new, known):
        return None  # `gives 2 instead of 1`, as a test that failed printed it
    if (left := _left_in_file(keys, old, new, known)) is not None:
        return contradicted("contradicted_claim", f"{left} is as it was and has {claim.old}", "unchanged")
    for text in files:
        held = [line for _, line in _near(text.old, keys) if old.search(line)]
        if not held:
            continue
        beside = all(
            _has_key(line, keys) for line in held
        )  # then the new one stands behind its key too, and not behind the one below
        now = _values_near(text.new, keys, beside)
        untouched = text.old == text.new and f"in `{claim.path}`" in claim.text
        if any(times(new, line) for line in now) or (brought and not untouched and (len(new) > 1 or text in brought)):
            return supported("the file was changed so", text.path)
        if not untouched and any(
            times(new, line) for other in known.files() for line in _values_near(other.new, keys, beside)
        ):
            return None
        shown = next((line.strip() for line in now if re.search(r"\d", line)), "")[:80]
        if not shown:
            return None
        return contradicted(
            "contradicted_claim", f"{text.path} has `{shown}`, and no change brings {new}", f"`{shown}`"
        )
    return rule_set(claim, known, report) if claim.role != "row" else None


def _has_key(line: str, keys: list[str]) -> bool:
    return any(key in line.lower() for key in keys)


def _values_near(text: str, keys: list[str], beside: bool) -> list[str]:
    """The lines that belong to a key, or those alone that have it."""
    return [line for _, line in _near(text, keys) if not beside or _has_key(line, keys)]


def _left_in_file(keys: list[str], old: re.Pattern[str], new: str, known: TextEvidence) -> str | None:
    """The one file that is called by a key (`Worker` is Worker.csproj), where it has the old value and is as it was."""
    named = [text for text in known.files() if len(keys) == 1 and _stem(text.path) == keys[0]]
    if len(named) != 1 or named[0].old != named[0].new or times(new, named[0].new) or not old.search(named[0].new):
        return None
    return named[0].path


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0].lower()


def _headed(text: str, keys: list[str]) -> bool:
    """Whether a key stands over a block of its own: `queue:` and under it what belongs to it."""
    return any(re.fullmatch(r"[\"']?([\w-]+)[\"']?:", line.strip()) and line.strip(" \t\"':").lower() in keys for line in text.splitlines())  # fmt: skip


def rule_set(claim: ActionClaim, known: TextEvidence, report: Report) -> Ruling | None:
    """A value that something was set to: it stands nowhere in the changed files, and its name has another one there."""
    keys = _keys(claim)
    if not re.search(r"\d[.\d]*\d|\d ?[a-z%]", claim.value or ""):
        return None
    files = _places(claim, known)
    if any(times(claim.value or "", text.new) for text in (*files, *known.changed.values())):
        return None
    if _in_session(claim.value or "", known):
        return None  # a program printed it: what a range in a manifest was resolved to
    everywhere = claim.path or re.fullmatch(r"v?\d+(?:\.\d+)+", claim.value or "")
    keys += [key[:-1] for key in keys if len(key) > LEAST_PLURAL and key.endswith("s")]
    for text in files if everywhere else known.changed.values():
        held = [line.strip() for _, line in _near(text.new, keys) if re.search(r"[:=>\"' ~^-]v?\d+(?:\.\d+)*", line)]
        if held and (claim.path or any(key in held[0].lower() for key in keys) or _headed(text.new, keys)):
            return contradicted(
                "contradicted_claim",
                f"{text.path} has `{held[0][:80]}`, and nothing has {claim.value}",
                f"`{held[0][:80]}`",
            )
    return None
