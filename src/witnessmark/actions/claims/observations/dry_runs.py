"""A dry run told as real: `published`, `applied`, `pushed`, where every command that could have done it only said what it would do."""

from __future__ import annotations

import re

from witnessmark.actions.claims.claim import ActionClaim
from witnessmark.actions.claims.observations.session_runs import SessionRun, runs_of, sentences_of, told
from witnessmark.actions.content.passages import CODE
from witnessmark.actions.content.wording import pattern
from witnessmark.actions.report.lexicon import table
from witnessmark.actions.trace.index import TraceIndex

ROLE = "dry_run"


def told_as_real(report: str, trace: TraceIndex) -> list[ActionClaim]:
    """A claim for the first sentence of each kind of effect that only a dry run stands for."""
    if not trace.whole or pattern("told", "dry").search(CODE.sub(" x ", report.lower())):
        return []
    runs = [run for run in runs_of(trace) if run.last]
    found = []
    for words in table("content")["dry"].values():
        mine = [run for run in runs if re.search(words["command"], " ".join(run.words))]
        dry = [run for run in mine if _is_dry(run, words)]
        if not dry or len(dry) != len(mine):
            continue
        for passage in sentences_of(report):
            low = passage.sentence.low
            effect = re.search(words["effect"], CODE.sub(lambda code: "x" * len(code.group()), low))
            if effect is None or not re.search(words["about"], f"{low} {passage.over}"):
                continue
            if pattern("told", "not_so").search(re.sub(r"`[^`]*`", " x ", low)) or re.search(words["dry"], f" {low} "):
                continue
            line = " ".join(dry[-1].words)[:80]
            found.append(told(passage, ROLE, f"only a dry run was made: `{line}`", value=effect.group()))
            break
    return found


def _is_dry(run: SessionRun, words: dict[str, str]) -> bool:
    line = f" {' '.join(run.words)} "
    return re.search(words["dry"], line) is not None
