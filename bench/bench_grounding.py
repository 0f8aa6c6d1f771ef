"""Grounding on labelled data that nobody here wrote: flag-everything, rules, each embedded model alone and with the rules.

    python bench/bench_grounding.py [--scores ID=SOURCE …] [--pairs FILE] [--quick]

Out of fold by the kept scores (bench/grounding_scores.json), or those of --scores; ragtruth_tune by the model that ships where it
is installed. `--quick` leaves out what takes minutes. What a SOURCE may be: bench/grounding_scores.py.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1])]

from bench import grounding_cost as cost  # noqa: E402
from bench import grounding_data as data  # noqa: E402
from bench import grounding_loop as loop  # noqa: E402
from bench import grounding_scores as sources  # noqa: E402
from witnessmark.checks.grounding.confidence import confidence  # noqa: E402
from witnessmark.checks.grounding.decision import decide, fitted, probability  # noqa: E402
from witnessmark.checks.grounding.features import look  # noqa: E402
from witnessmark.core.protocols import Reading  # noqa: E402

FOLDS = 5
RULES = "rules"


@dataclass(frozen=True)
class Scored:
    """One statement of a labelled response: features, scores by model, and what was decided, out of fold, by each."""

    set: str
    domain: str
    kind: str
    row: int
    fold: str
    text: str
    label: int | None
    features: dict[str, float]
    models: dict[str, float] = field(default_factory=dict)
    decided: dict[str, tuple[str, float]] = field(default_factory=dict)
    """(status, probability) by `rules` and by model id; empty where the statement cannot be checked."""


_given: dict[str, sources.Scores] = {}
_ships: dict[str, sources.Scores] = {}
"""The small model as it ships, asked now."""
_kept: dict[str, list[Scored]] = {}
_loaded: dict[str, Any] = {}


def scored(name: str) -> list[Scored]:
    """Every statement of a set; worked out once."""
    if name not in _kept:
        _kept[name] = [one for number, row in enumerate(data.rows(name)) for one in _row(name, number, row)]
    return _kept[name]


def _sources(name: str) -> Mapping[str, sources.Scores]:
    """Out-of-fold scores by model; for the set nobody trained on, the model that ships where it is at hand."""
    if not _given:
        _given.update(sources.kept())
    return _given | (_ships if name == data.KEPT_OUT else {})


def _row(name: str, number: int, row: data.Row) -> list[Scored]:
    index, statements = row.index(), row.statements()
    looks = [look(one.text, index, "en", row.query or "") for one in statements]
    fold = row.domain if name == "summedits" else f"{int(row.group, 16) % FOLDS}"
    kind = "question" if row.query else "summary" if len(statements) > 1 else "claim"
    said = {key: source.of(name, row, statements, index) for key, source in _sources(name).items()}
    made = []
    for place, (one, seen) in enumerate(zip(statements, looks, strict=True)):
        models = {key: scores[place] for key, scores in said.items() if scores is not None}
        decided: dict[str, tuple[str, float]] = {}
        for key in (RULES, *models) if one.checkable else ():
            outcome = decide(seen, _reading(models.get(key)), None, _weights(name, fold, key))
            decided[key] = (outcome.status, outcome.probability)
        label = row.label(one, len(statements))
        made.append(Scored(name, row.domain, kind, number, fold, one.text, label, seen.features, models, decided))
    return made


def _reading(score: float | None) -> Reading | None:
    return None if score is None else Reading(score)


def _weights(name: str, fold: str, model: str) -> Mapping[str, Any]:
    """Weights that were fitted without this fold; the shipped ones for the set that is kept out and where no fold has any."""
    if not _loaded:
        _loaded.update(json.loads((Path(__file__).parent / "grounding_folds.json").read_text(encoding="utf-8")))
    known: Mapping[str, Any] = {} if name == data.KEPT_OUT else _loaded.get(fold, {}).get(_judged_as(model), {})
    return {**fitted(_judged_as(model)), **known}


def _judged_as(model: str) -> str:
    """Whose weights a model's scores are joined by: profile `fast` is the small model with less to read."""
    return "local" if model == sources.FAST else model


Scorer = Callable[[Scored], float]


def _joined(model: str) -> Scorer:
    """What ships: rules and a model by their weights, out of fold."""
    return lambda one: probability(one.features, _reading(one.models.get(model)), _weights(one.set, one.fold, model))


def _scorers() -> dict[str, Scorer]:
    found: dict[str, Scorer] = {"flag everything": lambda one: 0.0, "rules alone": _joined(RULES)}
    for model in _sources(""):
        found[f"{model} alone"] = lambda one, model=model: one.models.get(model, 0.5)  # type: ignore[misc]
        found[f"{model} + rules"] = _joined(model)
    return found


def responses(found: Sequence[Scored], score: Scorer) -> dict[int, float]:
    """A response is as good as all of its statements together: the product, so that one bad one counts."""
    said: dict[int, float] = {}
    for one in found:
        said[one.row] = said.get(one.row, 1.0) * score(one)
    return said


def _line(name: str, count: int, cells: Sequence[float]) -> str:
    return f"| {name} | {count} | " + " | ".join(f"{cell:.3f}" for cell in cells) + " |"


def _table() -> list[str]:
    scorers = _scorers()
    lines = ["| set | responses | " + " | ".join(scorers) + " |", "|---|--:|" + "--:|" * len(scorers)]
    pooled: dict[str, tuple[list[float], list[int]]] = {name: ([], []) for name in scorers}
    kept_out: dict[str, tuple[list[float], list[int]]] = {name: ([], []) for name in scorers}
    for name in (*data.OUT_OF_FOLD, data.KEPT_OUT):
        rows = data.rows(name)
        for domain in sorted({row.domain for row in rows}):
            labels = {n: int(row.supported) for n, row in enumerate(rows) if row.domain == domain}
            part = [one for one in scored(name) if one.row in labels]
            cells = []
            for scorer, score in scorers.items():
                said = responses(part, score)
                cells.append(data.auroc([said[n] for n in labels], list(labels.values())))
                both = kept_out if name == data.KEPT_OUT else pooled
                both[scorer][0].extend(said[n] for n in labels)
                both[scorer][1].extend(labels.values())
            lines.append(_line(domain, len(labels), cells))
    for title, sums in (
        ("**pooled** (without ragtruth_tune)", pooled),
        ("**ragtruth_tune** by response", kept_out),
    ):
        lines.append(_line(title, len(sums["rules alone"][0]), [data.auroc(*sums[scorer]) for scorer in scorers]))
    sentences = [one for one in scored(data.KEPT_OUT) if one.label is not None]
    labels_ = [int(one.label or 0) for one in sentences]
    by_sentence = [data.auroc([score(one) for one in sentences], labels_) for score in scorers.values()]
    lines.append(_line("**ragtruth_tune** by sentence", len(sentences), by_sentence))
    return lines


def _labelled(names: Sequence[str]) -> list[Scored]:
    return [one for name in names for one in scored(name) if one.label is not None and one.decided]


def _ways() -> list[str]:
    return [RULES, *_sources("")]


def _hard() -> list[str]:
    """False claims in the context's own words, and true ones in other words: the share that gets the right status."""
    every = _labelled(data.OUT_OF_FOLD)
    ways = _ways()
    lines = [
        f"| hard slice | claims | right, flag everything | right, {' | right, '.join(ways)} |",
        "|---|--:|--:|" + "--:|" * len(ways),
    ]
    slices = (
        ("false, overlap above 0.8", [o for o in every if o.label == 0 and o.features["union"] > 0.8], False),
        ("true, overlap below 0.4", [o for o in every if o.label == 1 and o.features["union"] < 0.4], True),
    )
    for name, part, good in slices:
        shares = [
            sum((one.decided.get(way, ("", 0.0))[0] == "supported") == good for one in part) / max(1, len(part))
            for way in ways
        ]
        lines.append(_line(name, len(part), [float(not good), *shares]))
    return lines


def _errors() -> list[str]:
    """False acceptance and false rejection by claim at the shipped thresholds."""
    lines = ["| at the shipped thresholds | way | claims | false acceptance | false rejection | good called contradicted |",
             "|---|---|--:|--:|--:|--:|"]  # fmt: skip
    for name in (*data.OUT_OF_FOLD, data.KEPT_OUT):
        for way in _ways():
            part = [one for one in _labelled([name]) if way in one.decided]
            bad = [one.decided[way][0] for one in part if one.label == 0]
            good = [one.decided[way][0] for one in part if one.label == 1]
            if not bad or not good:
                continue
            accepted, rejected = bad.count("supported") / len(bad), 1 - good.count("supported") / len(good)
            against = good.count("contradicted") / len(good)
            lines.append(f"| {name} | {way} | {len(part)} | {accepted:.3f} | {rejected:.3f} | {against:.3f} |")
    return lines


def _calibration() -> list[str]:
    lines = []
    for way in _ways():
        score = _joined(way)
        cells = []
        for names in (data.OUT_OF_FOLD, (data.KEPT_OUT,)):
            part = [one for one in _labelled(names) if way in one.decided]
            cells.append(data.calibration_error([score(one) for one in part], [int(one.label or 0) for one in part]))
        lines.append(
            f"- Expected calibration error by claim, {way}, ten equal-mass bins: {cells[0]:.3f} out of fold (target 0.08), "
            f"{cells[1]:.3f} on ragtruth_tune, where nine in ten sentences are supported instead of one in two."
        )
    return lines


def _accuracy() -> list[str]:
    """Whether confidence at or above the threshold agrees with the label, for the responses that are surest and for all."""
    lines = []
    for way in _ways():
        for title, sets in (("out of fold", data.OUT_OF_FOLD), ("on ragtruth_tune", (data.KEPT_OUT,))):
            rows = [row for name in sets for row in _confident(name, way)]
            rows.sort(key=lambda row: -row[0])
            surest = rows[: round(0.6 * len(rows))]
            right, every = (sum(ok for _, ok in part) / max(1, len(part)) for part in (surest, rows))
            lines.append(
                f"- Confidence accuracy {title}, {way}: {right:.3f} at 60 % coverage, {every:.3f} on all {len(rows)} responses; "
                "target 0.80 at 60 %."
            )
    return lines


def _confident(name: str, way: str) -> list[tuple[float, bool]]:
    """(how sure, whether right) of each response."""
    labels, by_row = data.rows(name), dict[int, list[Scored]]()
    for one in scored(name):
        if way in one.decided:
            by_row.setdefault(one.row, []).append(one)
    rows = []
    for number, found in by_row.items():
        value = confidence([one.decided[way][0] for one in found])
        chances = [one.decided[way][1] for one in found]
        if value is not None:
            sure = sum(max(p, 1 - p) for p in chances) / len(chances)
            rows.append((sure, (value >= 0.7) == labels[number].supported))
    return rows


class Pairs:
    """Stands where a model would and writes down what it would be asked, to be scored on a faster machine."""

    id, version = "pairs", "0"

    def __init__(self) -> None:
        self.seen: dict[str, tuple[str, str]] = {}

    def support(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        self.seen |= {sources.pair_key(pair): pair for pair in pairs}
        return [0.5] * len(pairs)


def write_pairs(file: str) -> None:
    """Every pair of every set as JSON lines of {"key", "set", "id", "evidence", "claim"}."""
    with Path(file).open("w", encoding="utf-8") as out:
        for name in (*data.OUT_OF_FOLD, *data.ONLY_TRAINED, data.KEPT_OUT):
            for row in data.rows(name):
                recorder = Pairs()
                sources.Asked(recorder).of(name, row, row.statements(), row.index())
                out.writelines(
                    json.dumps({"key": key, "set": name, "id": row.id, "evidence": evidence, "claim": claim}) + "\n"
                    for key, (evidence, claim) in recorder.seen.items()
                )


def report(scores: Mapping[str, str] | None = None, quick: bool = False) -> str:
    """The section of bench/RESULTS.md."""
    if not data.there():
        return "## Grounding\n\nnot measured: no data\n\n" + "\n".join([*loop.lines(), *cost.lines(quick=True)])
    _given.update(sources.several(scores) if scores else sources.kept())
    if not quick:
        _ships.update(sources.shipped())
    parts = ["## Grounding", "", "AUROC by response, out of fold (SummEdits by domain, the others by context; ragtruth_tune never "
             "trained or fitted on).", "", *_table(), "", *_hard(), "", *_errors(), ""]  # fmt: skip
    parts += [*_calibration(), *_accuracy(), *cost.lines(quick), *loop.lines()]
    if len(_ways()) == 1:
        parts.append(
            "- Models: not measured; no out-of-fold scores are kept (training/fit_decision.py --scores makes them)."
        )
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--scores", action="append", default=[], metavar="ID=SOURCE")
    parser.add_argument("--model", metavar="SOURCE", help="the same as --scores local=SOURCE")
    parser.add_argument("--pairs", metavar="FILE", help="only write the pairs a model would be asked about")
    parser.add_argument("--quick", action="store_true", help="leave out what takes minutes")
    given = parser.parse_args()
    if given.pairs:
        write_pairs(given.pairs)
    else:
        asked = [*given.scores, *([f"local={given.model}"] if given.model else [])]
        print(report(dict(one.split("=", 1) for one in asked), given.quick))
