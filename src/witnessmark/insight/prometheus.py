"""The figures as Prometheus reads them: text exposition, made from the store's counts. No client library is needed.

Nothing of what was judged is in it: names of workspaces, checkpoints, agents and judges, and numbers.
"""

from __future__ import annotations

import functools
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from witnessmark.core.tallies import BILLION, BINS, MILLION
from witnessmark.insight.alerts import Alert, AlertStore, alerts, current_drift
from witnessmark.insight.dictionary import BY_NAME
from witnessmark.insight.metrics import breakdowns, figures_of, spent_usd
from witnessmark.insight.period import PeriodData, gather

LAST_ATTEMPT = 5
"""From this attempt on all count as one: what loops for long must not make a series of every round."""
Labels = Mapping[str, str]
Line = tuple[str, Labels, float]


async def text(store: AlertStore, workspaces: Sequence[str] | None = None, calibration: str | None = None) -> str:
    """Counters and gauges of these workspaces, or of all. `calibration`: the one that the settings name, as alerts go by it."""
    names = sorted(await store.workspaces() if workspaces is None else workspaces)
    found = [(name, await gather(store, name)) for name in names]
    drift = {name: await current_drift(store, name, time.time(), calibration) for name in names}
    raised: Lines = functools.partial(_alerts, drift)
    families: Sequence[MetricFamily] = (*_COUNTERS, *_GAUGES, (*_ALERT, raised))
    return "".join(_family(name, kind, told, lines(found)) for name, kind, told, lines in families)


def _family(name: str, kind: str, told: str, lines: Iterable[Line]) -> str:
    words = told.replace("\\", "\\\\").replace("\n", " ")
    out = [f"# HELP {name} {words}", f"# TYPE {name} {kind}"]
    for suffix, labels, value in lines:
        inner = ",".join(f'{key}="{_escaped(word)}"' for key, word in labels.items())
        out.append(f"{name}{suffix}{{{inner}}} {_number(value)}")
    return "\n".join(out) + "\n"


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))


Found = Sequence[tuple[str, PeriodData]]
Lines = Callable[[Found], Iterable[Line]]
MetricFamily = tuple[str, str, str, Lines]


def _runs(found: Found) -> Iterator[Line]:
    names = ("checkpoint", "attempt", "outcome", "action")
    for space, counts in found:
        runs: Counter[tuple[str, ...]] = Counter()
        for tally in counts.runs:
            key = tally.key
            attempt = str(key.attempt) if key.attempt < LAST_ATTEMPT else f"{LAST_ATTEMPT}+"
            runs[key.checkpoint, attempt, key.outcome, key.action] += tally.sums.runs
        for words, count in runs.items():
            yield "", {"workspace": space, **dict(zip(names, words, strict=True))}, count


def _sum(name: str, per: int = 1) -> Lines:
    def lines(found: Found) -> Iterator[Line]:
        for space, counts in found:
            yield "", {"workspace": space}, counts.total(name) / per

    return lines


def _spent(found: Found) -> Iterator[Line]:
    for space, counts in found:
        yield "", {"workspace": space}, spent_usd(counts)


def _marked(measure: str, *names: str) -> Lines:
    def lines(found: Found) -> Iterator[Line]:
        for space, counts in found:
            for mark in counts.marks(measure):
                words = mark.key.split("|", len(names) - 1)
                yield "", {"workspace": space, **dict(zip(names, words, strict=True))}, mark.n

    return lines


def _confidence(found: Found) -> Iterator[Line]:
    """A histogram for each kind; the sum is that of the bins' middles, since only bins are kept."""
    for space, counts in found:
        kinds: dict[str, list[int]] = {}
        for mark in counts.marks("confidence"):
            kind, _, place = mark.key.rpartition("|")
            kinds.setdefault(kind, [0] * BINS)[int(place)] += mark.n
        for kind, bins in sorted(kinds.items()):
            labels, under = {"workspace": space, "source": kind}, 0
            for at, n in enumerate(bins):
                under += n
                yield "_bucket", labels | {"le": f"{(at + 1) / BINS:g}" if at < BINS - 1 else "+Inf"}, under
            yield "_sum", labels, sum(n * (at + 0.5) / BINS for at, n in enumerate(bins))
            yield "_count", labels, under


def _figures(found: Found) -> Iterator[Line]:
    for space, counts in found:
        for name, figure in figures_of(counts).items():
            if figure.value is not None:
                yield "", {"workspace": space, "metric": name}, figure.value


def _sizes(found: Found) -> Iterator[Line]:
    for space, counts in found:
        for name, figure in figures_of(counts).items():
            yield "", {"workspace": space, "metric": name}, figure.n


def _broken_down(found: Found) -> Iterator[Line]:
    for space, counts in found:
        for what, figures in breakdowns(counts).items():
            metric, _, by = what.partition(".by_")
            for name, figure in figures.items():
                if figure.value is not None:
                    yield "", {"workspace": space, "metric": metric, "by": by, "name": name}, figure.value


def _alerts(drift: Mapping[str, Sequence[Alert]], found: Found) -> Iterator[Line]:
    """One line for each name, however many judges changed."""
    for space, counts in found:
        raised = (*alerts(figures_of(counts)), *drift[space])
        for name, severity in dict.fromkeys((alert.name, alert.severity) for alert in raised):
            yield "", {"workspace": space, "alert": name, "severity": severity}, 1


_COUNTERS: Sequence[MetricFamily] = (
    ("witnessmark_runs_total", "counter", "Verifications made.", _runs),
    ("witnessmark_judge_calls_total", "counter", "Calls to judges.", _sum("judge_calls")),
    ("witnessmark_tokens_total", "counter", "Tokens that judges used.", _sum("tokens")),
    ("witnessmark_cached_answers_total", "counter", "Answers of judges taken from the cache.", _sum("cached")),
    ("witnessmark_cost_usd_total", "counter", "Dollars spent verifying.", _spent),
    ("witnessmark_work_usd_total", "counter", "Dollars the verified work cost.", _sum("work", BILLION)),
    ("witnessmark_seconds_total", "counter", "Seconds spent verifying.", _sum("micros", MILLION)),
    ("witnessmark_findings_total", "counter", "Runs with a finding of the category.", _marked("category", "category")),
    ("witnessmark_unverified_total", "counter", "Unverified runs by cause.", _marked("because", "cause")),
    ("witnessmark_agent_runs_total", "counter", "Runs by agent.", _marked("agent", "outcome", "agent")),
    ("witnessmark_judge_results_total", "counter", "Results by judge.", _marked("judge", "status", "judge")),
    (
        "witnessmark_complexity_runs_total",
        "counter",
        "Runs by complexity.",
        _marked("complexity", "outcome", "complexity"),
    ),
    ("witnessmark_claims_total", "counter", "Claims by status.", _marked("claim", "status")),
    ("witnessmark_confidence", "histogram", "Confidence of verdicts by its kind.", _confidence),
)
_GAUGES: Sequence[MetricFamily] = (
    (
        "witnessmark_figure",
        "gauge",
        f"Figures of the dictionary: {', '.join(BY_NAME)}. Left out while unknown.",
        _figures,
    ),
    ("witnessmark_figure_sample", "gauge", "How many cases stand behind a figure.", _sizes),
    ("witnessmark_figure_by", "gauge", "Figures by level, agent and category of finding.", _broken_down),
)
_ALERT = ("witnessmark_alert", "gauge", "1 while the alert is raised.")
NAMES: frozenset[str] = frozenset((*(name for name, *_ in (*_COUNTERS, *_GAUGES)), _ALERT[0]))
"""Every metric that is served."""
