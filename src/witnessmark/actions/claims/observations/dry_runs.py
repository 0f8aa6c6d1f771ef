"""A dry run told as real: `published`, `applied`, `pushed`, where every command that could have done it only said what it would do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.observations.report_sentences import sentences_of, told
from witnessmark.actions.content.passages import CODE, without_code
from witnessmark.actions.content.wording import pattern
from witnessmark.actions.report.lexicon import table
from witnessmark.actions.trace.index import TraceIndex
from witnessmark.actions.trace.session_runs import SessionRun

ROLE = "dry_run"


def told_as_real(report: str, trace: TraceIndex) -> Iterator[ActionClaim]:
    """A claim for the first sentence of each kind of effect that only a dry run stands for."""
    runs = trace.session_runs() if trace.whole else ()
    for words in table("content")["dry"].values():
        if not any(_is_dry(run, words) for run in runs if run.last):
            continue
        if any(pattern("told", "dry").search(text) for text in _readings(report.lower())):
            return
        mine = [run for run in runs if re.search(words["command"], " ".join(run.words))]
        dry = [run for run in mine if _is_dry(run, words)]
        if len(dry) != len(mine) or not any(run.last for run in dry):
            continue
        for passage in sentences_of(report):
            low = passage.sentence.low
            effect = re.search(words["effect"], CODE.sub(lambda code: "x" * len(code.group()), low))
            if effect is not None and "files" in words and _of_files(effect.group(), words, trace):
                continue
            if effect is None or not re.search(words["about"], f"{low} {passage.over}") or not _of_script(dry[-1], low):
                continue
            if pattern("told", "not_so").search(without_code(low)) or re.search(words["dry"], f" {low} "):
                continue
            line = " ".join(dry[-1].words)[:80]
            yield told(passage, ROLE, f"only a dry run was made: `{line}`", value=effect.group())
            break


def _readings(low: str) -> tuple[str, str]:
    """A report without its code, and with that code which is one plain word: `only ran plan, not apply`."""
    return without_code(low), CODE.sub(lambda code: code[1] if code[1].isalpha() else " x ", low)


def _is_dry(run: SessionRun, words: dict[str, str]) -> bool:
    line = f" {' '.join(run.words)} "
    return re.search(words["dry"], line) is not None


def _of_files(effect: str, words: dict[str, str], trace: TraceIndex) -> bool:
    """Whether what is told may be said of a file that was written: a migration is created before it is run."""
    written = any(re.search(words["files"], change.path) for change in trace.ledger.changes)
    return written and re.fullmatch(words["of_files"], effect) is not None


def _of_script(run: SessionRun, low: str) -> bool:
    """Whether a sentence has a word of the script that was run dry; of a program that is known by itself nothing is asked."""
    script = next(
        (word for word in run.words if re.search(r"\.(?:py|js|ts|rb|sh)$", word) and "manage.py" not in word), ""
    )
    parts = re.findall(r"[a-z]{4,}", script.rpartition("/")[2].rpartition(".")[0].lower())
    return not script or any(part[:6] in low for part in parts)
