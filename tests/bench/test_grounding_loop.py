"""The corrective loop on the cases of the benchmark, whole and without a stand-in; and the measures the benchmark goes by."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench import bench_corrections, grounding_data, grounding_loop


def test_the_loop_puts_answers_right_and_leaves_good_ones_alone():
    found = grounding_loop.measured("rules")
    assert found["cases"] >= 60
    assert found["success"] > 0.70
    assert found["triggered on good"] < 0.10
    assert found["worse"] == 0
    assert found["hallucinated"] < 0.05
    assert found["accuracy"] > 0.80


def test_figures_on_labelled_answers_are_counted_as_the_source_document_says(monkeypatch):
    """Two good and two bad answers whose fate is known; the real ones are in bench/RESULTS.md."""
    context = "Revenue grew 14 % in 2025, to 82 million euros. The company opened offices in Lyon and Porto."

    def row(number, response, supported, spans=()):
        return grounding_data.Row(
            str(number), "d", "How did revenue do in 2025?", context, response, supported, spans, frozenset()
        )

    rows = [
        row(1, "Revenue grew 14 % in 2025.", True),
        row(2, "The company opened offices in Lyon and Porto.", True),
        row(3, "Revenue grew 40 % in 2025.", False, ((13, 17),)),
        row(4, "Revenue grew 14 % in 2025.", False, ((13, 17),)),
    ]
    monkeypatch.setattr(grounding_data, "rows", lambda name: rows)
    found = bench_corrections.measured("rules", count=2)
    assert found["S4-057"] == pytest.approx(1 / 3)  # req: S4-057
    assert found["S4-058"] == 0.75  # req: S4-058
    assert found["S4-059"] == 0.25  # req: S4-059
    assert found["S4-060"] == 1.0  # req: S4-060
    assert (found["S4-061"], found["S4-062"]) == (1.0, 0.5)
    assert (found["good rewritten"], found["bad rewritten"], found["bad cleaned"]) == (0.0, 0.5, 0.5)


def test_auroc_counts_ties_half():
    assert grounding_data.auroc([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1]) == 0.75
    assert grounding_data.auroc([0.5, 0.5], [0, 1]) == 0.5


def test_calibration_error_of_equal_mass_bins():
    scores = [0.1] * 10 + [0.9] * 10
    labels = [0] * 9 + [1] + [1] * 9 + [0]
    assert grounding_data.calibration_error(scores, labels, bins=2) == pytest.approx(0.0)
    assert grounding_data.calibration_error(scores, [1 - label for label in labels], bins=2) == pytest.approx(0.8)


def test_the_best_threshold_by_balanced_accuracy():
    accuracy, threshold = grounding_data.best_balanced_accuracy([0.1, 0.2, 0.7, 0.9], [0, 0, 1, 1])
    assert (accuracy, round(threshold, 2)) == (1.0, 0.45)
