"""Fit the weights of the grounding decision on ../shared/data/grounding and write checks/grounding/weights.json.

    python training/fit_decision.py                     # after rules or claims have changed: some minutes
    python training/fit_decision.py --scores FILE       # the scores of a training out of fold, matched to the claims as they are read now
    python training/fit_decision.py --only local-large  # one way of reading, the others as they are

For each way of reading (rules alone, and with each model): a regression by claim for answers of several claims, on real answers with the
words that are wrong (ragtruth_tune and ragtruth_half); a second one over the claims of an answer, for the answer as a whole; and one
for single statements, on the other sets. The kind of text is told from the input and has a prior of its own.
Everything is fitted once on all rows (what ships) and once without each fold of contexts (bench/grounding_folds.json, what is measured): thresholds too,
from probabilities out of inner folds, so that no figure knows its own rows. Needs numpy and scipy.
"""

from __future__ import annotations

import argparse
import functools
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [
    str(ROOT / "src"),
    *(str(ROOT / "models" / name / "src") for name in ("local", "local_large")),
    str(ROOT),
]

from bench.bench_grounding import RULES, WAYS  # noqa: E402
from bench.grounding_claims import FOLDS, Scored, scored  # noqa: E402

from bench import grounding_data as data  # noqa: E402
from bench import grounding_scores as sources  # noqa: E402
from training.regression import Line, chances, fit, fit_signed  # noqa: E402
from witnessmark.checks.grounding import whole_answer  # noqa: E402
from witnessmark.checks.grounding.decision import LONG_SHARE, decide, long  # noqa: E402
from witnessmark.core.verdict import log_odds  # noqa: E402

KEPT = ROOT / "bench" / "grounding_folds.json"
OUT = ROOT / "src" / "witnessmark" / "checks" / "grounding" / "weights.json"
RISK = 0.05
"""Of the claims of real answers that are called supported, at most so many may be wrong."""
MORE_LIKELY_WRONG = 0.5
"""Below this a claim is unsupported: it is more likely wrong than right. Between the two it is partial."""
MISNAMED = 0.2
"""Of the claims that a model names contradicted, at most so many may not be in conflict with the source by the label."""
AT_LEAST = 20
"""Claims that a share is taken of at least."""
CLEAN = 0.76
"""The share of clean answers whose probability reaches the mark of `pass` beside long sources; where the sources are short the mark is another
(`brief_at`), so that rather more pass. F1 tells hardly anything between marks that pass 83 and 75 of a hundred, and the best one by F1 jumps about."""
ANSWERS, SINGLES, WHOLE = 0.03, 0.1, 0.3
"""How freely slopes may differ from 0, by the error out of fold."""
BESIDE = {"summedits": 0.1, "begin_wow": 0.1, data.CASES: 0.6}
"""Sets whose responses of several claims are fitted beside real answers, and how much such a claim counts: more costs ranking there.
The written cases are the only ones with several claims over a source that a model sees whole (at full weight, 2,011 of them cost `local` half a point of response AUROC on real answers); each set has an intercept of its own, so that
only slopes are learned from it, and not how often its writers lied."""
INNER = 4
LEFT_OUT = ("context", "length")
"""Features that gain nothing on real answers and do not carry to shorter texts."""
SINGLE = (*data.SINGLE, data.STATEMENTS)
NO_PRIOR = ("kind_answer", "kind_question")
"""Of the sets of single statements only one has questions, and two in three of its replies are false: no prior for questions."""
MODEL_BY = {False: ("kind_record", "kind_answer", "brief"), True: ("context", "brief")}
"""What a model's weight depends on, for answers and for single statements."""
SIGNS = {"all": 1, "weakest": 1, "second": 1, "third": 1, "claims": -1} | dict.fromkeys(whole_answer.COUNTED, -1)
"""On which side of 0 the slopes of an answer's features stay: one more claim, or one more mark against one, never speaks for it."""
Weights = dict[str, Any]


class ClaimFit:
    """The regression of one way of reading, by claim."""

    def __init__(self, found: Sequence[Scored], model: str, *, single: bool) -> None:
        self.model, self.single = model, single
        self.names = _names(found[0])
        truth = np.array([one.label for one in found])
        if single:
            self.line = fit(self.matrix(found), truth, SINGLES, by_set(found))
            return
        beside = np.array([[float(one.set == name) for name in BESIDE] for one in found])
        each = np.array([BESIDE.get(one.set, 1.0) for one in found])
        line = fit(np.hstack([self.matrix(found), beside]), truth, ANSWERS, each, free=len(BESIDE))
        self.line = Line(line.intercept, line.slopes[: -len(BESIDE)])

    def matrix(self, found: Sequence[Scored]) -> np.ndarray:
        """Features as rows, with the model's log odds of support, of a contradiction and of its worst word being wrong where there is one."""
        return np.stack([_row(one, self.model, self.single) for one in found])

    def odds(self, found: Sequence[Scored]) -> np.ndarray:
        """The log odds of each claim."""
        return self.line.odds(self.matrix(found))

    def weights(self) -> Weights:
        """The regression as the product reads it."""
        by = () if self.model == RULES else MODEL_BY[self.single]
        names = [*self.names, *(() if self.model == RULES else ("model", "contradicts", "doubt"))]
        slopes = [round(float(slope), 6) for slope in self.line.slopes]
        return {
            "intercept": round(self.line.intercept, 6),
            "coefficients": dict.fromkeys(LEFT_OUT, 0.0) | dict(zip(names, slopes[: len(names)], strict=True)),
            "model_by": dict(zip(by, slopes[len(names) :], strict=True)),
        }


def _names(one: Scored) -> list[str]:
    return [name for name in sorted(one.seen.features) if name not in LEFT_OUT]


@functools.cache
def _row(one: Scored, model: str, single: bool) -> np.ndarray:
    known = one.seen.features
    row = [0.0 if single and name in NO_PRIOR else known[name] for name in _names(one)]
    if model != RULES:
        said = one.models[model]
        odds = log_odds(said.support)
        row += [odds, *(log_odds(one or 0.5) for one in (said.contradicts, said.doubt))]
        row += [odds * known[by] for by in MODEL_BY[single]]
    return np.array(row)


def by_set(found: Sequence[Scored]) -> np.ndarray:
    """A large set counts more than a small one, but not in proportion."""
    sizes = Counter(one.set for one in found)
    return np.array([(1000 / sizes[one.set]) ** 0.7 for one in found])


def inner(found: Sequence[Scored], says: Callable[[Sequence[Scored], int], np.ndarray]) -> np.ndarray:
    """The probability of each claim, by what `says` of an inner fold's claims without having seen that fold."""
    said = np.zeros(len(found))
    for part in range(INNER):
        places = [n for n, one in enumerate(found) if one.inner % INNER == part]
        said[places] = says([found[n] for n in places], part)
    return said


_STUB: Weights = {
    "intercept": 0.0,
    "coefficients": {"model": 0.0},
    "supported_at": 0.5,
    "partial_at": 0.4,
    "wording": False,
}


@functools.cache
def _even(one: Scored) -> float:
    return decide(one.seen, None, None, _STUB).probability


def ruled(found: Sequence[Scored], said: np.ndarray) -> np.ndarray:
    """Probabilities within the bounds that a rule sets them: what it contradicts, and what stands there word for word."""
    even = np.array([_even(one) for one in found])
    return np.where(even < 0.5, np.minimum(said, even), np.where(even > 0.5, np.maximum(said, even), said))


# --- thresholds ----------------------------------------------------------------------------------------------------


def supported_at(said: np.ndarray, truth: np.ndarray) -> float:
    """The lowest probability above which at most RISK of the claims are wrong."""
    order = np.argsort(-said)
    wrong = np.cumsum(1 - truth[order]) / np.arange(1, len(order) + 1)
    allowed = np.nonzero(wrong <= RISK)[0]
    return float(said[order][allowed[-1]]) if len(allowed) else 0.95


def contradicted_at(found: Sequence[Scored], said: np.ndarray, model: str) -> float:
    """The lowest chance of a contradiction above which at most MISNAMED of the claims are no labelled conflict."""
    each = np.array([(1 - p) * (one.models[model].contradicts or 0.5) for one, p in zip(found, said, strict=True)])
    order = np.argsort(-each)
    right = np.cumsum([found[n].conflict for n in order]) / np.arange(1, len(order) + 1)
    allowed = np.nonzero(right[AT_LEAST:] >= 1 - MISNAMED)[0]
    return float(each[order][allowed[-1] + AT_LEAST]) if len(allowed) else 1.0


def answer_at(said: np.ndarray, good: np.ndarray) -> float:
    """The probability below which an answer does not pass: the strictest that CLEAN of the good ones reach."""
    return round(float(np.quantile(said[good == 1], 1 - CLEAN)), 3)


# --- one way of reading ----------------------------------------------------------------------------------------------


def answers(model: str, without: str | None) -> Weights:
    """The weights for answers of several claims."""
    real = [one for one in _labelled(data.REAL, model) if one.fold != without]
    beside = [one for one in _labelled(tuple(BESIDE), model) if one.fold != without and not one.single]
    truth = np.array([one.label for one in real])
    made = ClaimFit([*real, *beside], model, single=False)

    def says(asked: Sequence[Scored], part: int) -> np.ndarray:
        known = [one for one in real if one.inner % INNER != part]
        return ClaimFit([*known, *beside], model, single=False).line.says(made.matrix(asked))

    said = inner(real, says)
    points: Weights = {
        "supported_at": round(max(supported_at(said, truth), MORE_LIKELY_WRONG + 0.05), 3),
        "partial_at": MORE_LIKELY_WRONG,
        "wording": False,
    }
    if model != RULES:
        points["contradicted_at"] = round(contradicted_at(real, said, model), 3)
    known = made.weights() | points | as_whole(real, ruled(real, said))
    written = [one for one in beside if one.set == data.CASES]

    def unseen(asked: Sequence[Scored], part: int) -> np.ndarray:
        rest = [one for one in beside if one.inner % INNER != part]
        return ClaimFit([*real, *rest], model, single=False).line.says(made.matrix(asked))

    return known | {"brief_at": brief_at(written, ruled(written, inner(written, unseen)), known)}


def brief_at(found: Sequence[Scored], said: np.ndarray, known: Weights) -> float:
    """The mark for answers over sources that a model sees whole: where good ones that pass and damaged ones that do not are most.

    Such sources leave nothing out of what was read, so that a mark fitted over long ones refuses more good answers than it needs to.
    """
    groups = by_answer(found)
    likely = [
        whole_answer.holds(
            [float(said[n]) for n in group], whole_answer.traits([found[n].seen.features for n in group]), known
        )
        for group in groups
    ]
    good = np.array([int(found[group[0]].supported) for group in groups])
    return round(_balanced(np.array(likely), good, np.ones(len(good)), nearly=0.01), 3)


def by_answer(found: Sequence[Scored]) -> list[list[int]]:
    """The places of the claims of each answer of several."""
    groups: dict[tuple[str, int], list[int]] = {}
    for n, one in enumerate(found):
        if not one.single:
            groups.setdefault((one.set, one.row), []).append(n)
    return list(groups.values())


def as_whole(found: Sequence[Scored], said: np.ndarray) -> Weights:
    """The regression over an answer's claims, and the mark that it must reach."""
    groups = by_answer(found)
    rows = [
        whole_answer.features(
            [float(said[n]) for n in group], whole_answer.traits([found[n].seen.features for n in group])
        )
        for group in groups
    ]
    names = sorted(rows[0])
    x = np.array([[row[name] for name in names] for row in rows])
    good = np.array([int(found[group[0]].supported) for group in groups])
    parts = np.array([found[group[0]].inner // INNER % INNER for group in groups])
    signs = [SIGNS.get(name.partition("*")[0], 0) for name in names]
    out = np.zeros(len(good))
    for part in range(INNER):
        out[parts == part] = fit_signed(x[parts != part], good[parts != part], WHOLE, signs).says(x[parts == part])
    out = np.minimum(out, [min(said[n] for n in group) for group in groups])
    line = fit_signed(x, good, WHOLE, signs)
    slopes = {name: round(float(slope), 6) for name, slope in zip(names, line.slopes, strict=True)}
    return {"whole": {"intercept": round(line.intercept, 6), "coefficients": slopes}, "answer_at": answer_at(out, good)}


def singles(model: str, without: str | None) -> Weights:
    """The weights for single statements; beside a model, those of the rules for long contexts."""
    found = [one for one in _labelled(SINGLE, model) if one.fold != without]
    truth = np.array([one.label for one in found])

    def says(asked: Sequence[Scored], part: int) -> np.ndarray:
        odds, alone = (single_fit(way, without, part).odds(asked) for way in (model, RULES))
        share = np.array([LONG_SHARE * long(one.seen.features["context"]) for one in asked])
        return chances(odds + share * (alone - odds))

    at = round(_balanced(inner(found, says), truth, by_set(found)), 3)
    points = {"supported_at": at, "partial_at": round(0.6 * at, 3), "answer_at": at}
    beside = {} if model == RULES else {"rules": single_fit(RULES, without).weights()}
    return single_fit(model, without).weights() | points | beside


@functools.cache
def single_fit(model: str, without: str | None, part: int | None = None) -> ClaimFit:
    """The regression for single statements, without a fold and an inner fold."""
    found = [one for one in _labelled(SINGLE, model) if one.fold != without and one.inner % INNER != part]
    return ClaimFit(found, model, single=True)


def _balanced(said: np.ndarray, truth: np.ndarray, each: np.ndarray, nearly: float = 0.0) -> float:
    """The mark at which the true that reach it and the false that do not are most, in shares of their own; the strictest of those that come so `nearly` to it.

    For single statements a stricter one that is nearly as good over all sets costs four points on WiCE, where rules would then be better.
    """
    marks = np.linspace(0.2, 0.8, 121)
    right, wrong = each * (truth == 1), each * (truth == 0)
    values = [(right[said >= at].sum() / right.sum() + wrong[said < at].sum() / wrong.sum()) for at in marks]
    return float(marks[np.nonzero(np.array(values) >= max(values) - nearly)[0][-1 if nearly else 0]])


@functools.cache
def _labelled(names: Sequence[str], model: str) -> list[Scored]:
    every = [one for name in names for one in scored(name) if one.label is not None]
    return every if model == RULES else [one for one in every if model in one.models]


SHIFTS: dict[str, Weights] = {
    "local-fast": {"answer_at": 0.02, "brief_at": 0.02, "supported_at": 0.01},
    "local": {"model": 0.1, "intercept": -0.13, "answer_at": 0.015, "brief_at": 0.015},
    "local-large": {"answer_at": 0.06, "brief_at": 0.06},
}
"""What is changed after a fit: marks, so that as many clean answers pass as are asked for and wrong ones of unseen writers seldom do, and a little more of the small
model's word, which ranks those writers better than the features beside it do (RUNS.md, runs 23 and 24)."""


def shifted(model: str, known: Weights) -> Weights:
    """Weights of one way of reading with its shifts; the intercept takes back what the model's slope adds for an average claim."""
    by = SHIFTS.get(model, {})
    marks = {name: round(known[name] + by[name], 6) for name in by if name != "model"}
    coefficients = known["coefficients"] | ({"model": round(known["coefficients"]["model"] + by["model"], 6)} if "model" in by else {})  # fmt: skip
    return known | marks | {"coefficients": coefficients}


def fitted(model: str, without: str | None = None) -> Weights:
    """The weights of one way of reading, of all folds or without one."""
    return shifted(model, answers(model, without) | {"single": singles(model, without)})


def written(file: Path) -> dict[str, Any]:
    """The weights that lie in a file; none where there is none."""
    known: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return known


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--scores", type=Path, metavar="FILE", help="rows with the log-probabilities of their claims, out of fold"
    )
    parser.add_argument(
        "--only", nargs="+", choices=WAYS, default=WAYS, help="leave the weights of the other ways as they are"
    )
    arguments = parser.parse_args()
    if arguments.scores is not None:
        sources.keep(arguments.scores)
    before = written(KEPT)
    folds = {n: before.get(n, {}) | {way: fitted(way, n) for way in arguments.only} for n in map(str, range(FOLDS))}
    made = written(OUT) | {way: fitted(way) for way in arguments.only}
    KEPT.write_text(json.dumps(folds, sort_keys=True) + "\n", encoding="utf-8")
    OUT.write_text(json.dumps(made, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"written to {OUT.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
