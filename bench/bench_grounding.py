"""Grounding on labelled data that nobody here wrote: real answers and single statements, rules and each embedded model, in folds.

    python bench/bench_grounding.py [--quick]

Every figure is out of fold by context: of weights (bench/grounding_folds.json) and of models (bench/grounding_scores.py) that never saw
the context. `--quick` leaves out what takes minutes.
"""

from __future__ import annotations

import argparse
import functools
import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from bench import grounding_cost as cost  # noqa: E402
from bench import grounding_data as data  # noqa: E402
from bench import grounding_loop as loop  # noqa: E402
from bench import grounding_scores as sources  # noqa: E402
from bench.grounding_claims import Scored, scored  # noqa: E402
from witnessmark.checks.grounding import whole_answer  # noqa: E402
from witnessmark.checks.grounding.confidence import confidence, grounded  # noqa: E402
from witnessmark.checks.grounding.decision import decide, fitted, settled, shaped  # noqa: E402
from witnessmark.core.policy import Policy  # noqa: E402

RULES = "rules"
RECALL = 0.6
"""The share of wrong claims that must be flagged for the precision that is reported."""


WAYS = (RULES, *sources.MODELS)
_loaded: dict[str, Any] = {}


def weights(one: Scored, model: str) -> Mapping[str, Any]:
    """Weights that were fitted without this claim's context; those that ship where no fold has any."""
    if not _loaded:
        _loaded.update(json.loads((Path(__file__).parent / "grounding_folds.json").read_text(encoding="utf-8")))
    known = _loaded.get(one.fold, {}).get(model) or fitted(model)
    return shaped(known, single=one.single, brief=one.seen.features["brief"])


@functools.cache
def decided(one: Scored, model: str) -> tuple[str, float, bool]:
    """(status, probability, whether a rule decided) of a claim, out of fold; by rules where the model has no score for it."""
    known = model if model in one.models else RULES
    made = decide(one.seen, None if settled(one.seen) else one.models.get(model), None, weights(one, known))
    return made.status, made.probability, made.deterministic


def passes(found: Sequence[Scored], model: str) -> bool:
    """Whether a response passes, as the check decides it: the share, the product, and nothing surely wrong."""
    made = [decided(one, model) for one in found]
    statuses = [status for status, _, _ in made]
    value = confidence(statuses)
    if value is None or not grounded(value, statuses, 0.7):
        return False
    sure = 1 - Policy().surely_wrong
    at: float = weights(found[0], model).get("answer_at", 0.0)
    return holds(found, model) >= at and all(p > sure for _, p, _ in made)


def holds(found: Sequence[Scored], model: str) -> float:
    """How probable it is that a response holds as a whole, out of fold."""
    about = whole_answer.traits([one.seen.features for one in found])
    return whole_answer.holds([decided(one, model)[1] for one in found], about, weights(found[0], model))


def by_response(names: Sequence[str]) -> dict[tuple[str, int], list[Scored]]:
    """The claims of each response."""
    found: dict[tuple[str, int], list[Scored]] = defaultdict(list)
    for name in names:
        for one in scored(name):
            found[name, one.row].append(one)
    return found


def labels(names: Sequence[str]) -> dict[tuple[str, int], data.Row]:
    """Every labelled response by its set and number."""
    return {(name, number): row for name in names for number, row in enumerate(data.rows(name))}


def precision_at(recall: float, chances: Sequence[float], truth: Sequence[int]) -> float:
    """How many flagged claims are wrong when the share `recall` of the wrong ones is flagged."""
    order = sorted(range(len(chances)), key=lambda n: chances[n])
    wrong = len(truth) - sum(truth)
    hits = 0
    for place, n in enumerate(order, 1):
        hits += 1 - truth[n]
        if hits >= recall * wrong:
            return hits / place
    return 0.0


# --- real answers --------------------------------------------------------------------------------------------------


def real_line(model: str, domain: str | None = None) -> str:
    """One row of the table of real answers."""
    rows = {key: row for key, row in labels(data.REAL).items() if domain is None or row.domain == domain}
    found = {key: claims for key, claims in by_response(data.REAL).items() if key in rows}
    flat = [one for claims in found.values() for one in claims if one.label is not None]
    chances, truth = [decided(one, model)[1] for one in flat], [int(one.label or 0) for one in flat]
    answer = {key: holds(claims, model) for key, claims in found.items()}
    good = [int(rows[key].supported) for key in found]
    flagged = {key: not passes(claims, model) for key, claims in found.items()}
    bad_flagged = sum(flagged[key] and not rows[key].supported for key in found)
    f1 = 2 * bad_flagged / max(1, sum(flagged.values()) + good.count(0))
    cells = (
        data.auroc([answer[key] for key in found], good), f1, data.auroc(chances, truth), data.calibration_error(chances, truth),
        precision_at(RECALL, chances, truth), 1 - bad_flagged / max(1, good.count(0)),
        sum(not flagged[key] and rows[key].supported for key in found) / max(1, good.count(1)),
    )  # fmt: skip
    return (
        f"| {model}{', ' + domain if domain else ''} | {len(found)} | {len(flat)} | "
        + " | ".join(f"{c:.3f}" for c in cells)
        + " |"
    )


def real_table() -> list[str]:
    """Real answers: ranking, outcome, calibration, flags."""
    lines = ["| RAGTruth, half of its test split and ragtruth_tune | answers | claims | response AUROC | F1 at the outcome | claim AUROC | calibration error "
             "| precision at recall 0.6 | hallucinated that pass | clean that pass |", "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"]  # fmt: skip
    domains = sorted({row.domain for row in labels(data.REAL).values()})
    for model in WAYS:
        lines += [real_line(model), *(real_line(model, domain) for domain in domains)]
    return lines


def conflict_line(model: str = RULES) -> str:
    """How many labelled conflicts with records a claim that was named contradicted overlaps, and how many such names are right."""
    rows = labels(data.REAL)
    total = touched = named = right = any_span = 0
    for key, claims in by_response(data.REAL).items():
        row = rows[key]
        if not claims or not claims[0].seen.features["kind_record"]:
            continue
        against = [one for one in claims if decided(one, model)[0] == "contradicted"]
        named, right = named + len(against), right + sum(one.conflict for one in against)
        any_span += sum(one.label == 0 for one in against)
        total += sum(one.conflict for one in claims)
        touched += sum(one.conflict for one in against)
        del row
    return (
        f"- Claims in conflict with a record, {model}: {touched} of {total} named contradicted ({touched / max(1, total):.2f}); of {named} so named, "
        f"{right} are labelled a conflict ({right / max(1, named):.2f}) and {any_span} wrong in any way ({any_span / max(1, named):.2f})."
    )


def rule_table() -> list[str]:
    """How often each rule's flags are right, on real answers and on single statements."""
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for at, names in ((0, data.REAL), (2, data.SINGLE)):
        for one in (one for name in names for one in scored(name) if one.label is not None):
            for key in {(p.rule, p.finding) for p in one.seen.points if p.finding in ("contradicted", "missing")}:
                counts[key][at] += 1
                counts[key][at + 1] += 1 - int(one.label or 0)
    lines = [
        "| rule | finds | flags on real answers | right | flags on single statements | right |",
        "|---|---|--:|--:|--:|--:|",
    ]
    for (rule, finding), (a, b, c, d) in sorted(counts.items()):
        lines.append(
            f"| {rule} | {finding} | {a} | {b / a if a else float('nan'):.2f} | {c} | {d / c if c else float('nan'):.2f} |"
        )
    return lines


# --- single statements ---------------------------------------------------------------------------------------------


def single_table() -> list[str]:
    """Single statements: AUROC and balanced accuracy at the shipped threshold, by set."""
    ways = WAYS
    lines = [
        "| single statements, by response | responses | " + " | ".join(f"{way}: AUROC | BAcc" for way in ways) + " |",
        "|---|--:|" + "--:|--:|" * len(ways),
    ]
    for name in data.SINGLE:
        rows, found = labels([name]), by_response([name])
        cells = []
        for way in ways:
            answer = {key: holds(claims, way) for key, claims in found.items()}
            good = {key: int(rows[key].supported) for key in found}
            held = {key: passes(claims, way) for key, claims in found.items()}
            positive, negative = sum(good.values()), len(good) - sum(good.values())
            right = sum(held[k] for k in found if good[k]) / max(1, positive) + sum(
                not held[k] for k in found if not good[k]
            ) / max(1, negative)
            area = data.auroc([answer[k] for k in found], [good[k] for k in found])
            cells.append(f"{area:.3f} | {right / 2:.3f}")
        lines.append(f"| {name} | {len(found)} | " + " | ".join(cells) + " |")
    return lines


def sure_line(model: str) -> str:
    """Of the claims of real answers that are called surely wrong or supported, how many are so."""
    flat = [one for name in data.REAL for one in scored(name) if one.label is not None]
    made = [(one, *decided(one, model)) for one in flat]
    wrong = [
        one
        for one, status, p, _ in made
        if status in ("unsupported", "contradicted") and 1 - p >= Policy().surely_wrong
    ]
    right = [one for one, status, _, _ in made if status == "supported"]
    return (
        f"- {model}: {len(wrong)} claims of real answers are called surely wrong, {sum(o.label == 0 for o in wrong) / max(1, len(wrong)):.2f} of them are wrong; "
        f"{len(right)} are called supported, {sum(o.label == 1 for o in right) / max(1, len(right)):.3f} of them are."
    )


def unscored_line() -> str:
    """How many claims have no score, since they are read differently than when the models were trained."""
    flat = [one for name in (*data.REAL, *data.SINGLE) for one in scored(name)]
    bare = [one for one in flat if not one.models]
    real = sum(one.set in data.REAL for one in bare)
    return (
        f"- {len(bare)} of {len(flat)} claims ({real} of real answers) have no score of a model; rules stand in for it."
    )


def report(quick: bool = False) -> str:
    """The section of bench/RESULTS.md."""
    if not data.there():
        return "## Grounding\n\nnot measured: no data\n\n" + "\n".join([*loop.lines(), *cost.lines(quick=True)])
    parts = ["## Grounding", "", "Out of fold by context throughout: the models are those that were trained without (run 23; the large one: run 20) the context's half, the weights were fitted without it. "
             "RAGTruth here is ragtruth_tune and one half of the test split; the other half is kept aside and is not in these figures. Published, all but the last two trained in-domain: "
             "TinyLettuce-32M 72.2 F1, LettuceDetect-base 76.8, Luna 65.4, GPT-4-turbo 63.4.", "", *real_table(), "", *map(conflict_line, WAYS), *map(sure_line, WAYS), unscored_line(),
             "", *single_table(), "", *rule_table(), ""]  # fmt: skip
    parts += [*cost.lines(quick), *loop.lines()]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes")
    print(report(parser.parse_args().quick))
