"""The older scoring systems are mapped for people to read, and kept apart from every verdict."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from witnessmark import Case, Verifier
from witnessmark.compat.older_scores import NEAREST
from witnessmark.core.plans.criteria import CriterionKind
from witnessmark.core.record import Record
from witnessmark.testing import OneJudge, ScriptedJudge, scores

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "task.md").read_text(encoding="utf-8")
TABLE = PAGE.partition("## The older scores")[2]


def test_every_dimension_of_the_older_systems_is_mapped():
    assert NEAREST["report grading"] == {"grade": "override"}  # req: S2-001
    assert set(NEAREST["recipe quality"]) == {
        "completeness",
        "accuracy",
        "efficiency",
        "reliability",
        "cost",
    }  # req: S2-002
    assert set(NEAREST["quality assessor"]) == {
        "completeness", "coherence", "accuracy", "professionalism", "clarity",
    }  # req: S2-003  # fmt: skip
    assert set(NEAREST["live traffic scoring"]) == {"completeness", "is_helpful", "is_concise"}  # req: S2-004
    assert set(NEAREST["RAG quality scorer"]) == {
        "avg_similarity",
        "source_diversity",
        "coverage",
        "freshness",
    }  # req: S2-005


def test_the_endpoints_that_exist_are_told_apart():
    assert NEAREST["prompt assessment"] == {}  # req: S2-062
    assert NEAREST["live traffic scoring"]["completeness"] == "completeness"  # req: S2-063
    assert NEAREST["prompt optimisation"] == {}  # req: S2-064


def test_what_they_are_mapped_to_is_there():
    ours = {*get_args(CriterionKind), *Record.__struct_fields__, "override", "metrics"}
    named = {word for dimensions in NEAREST.values() for word in dimensions.values() if word is not None}
    assert named <= ours


def test_the_page_has_the_whole_map():
    words = {word for system in NEAREST.values() for word in system}
    assert all(word in TABLE for word in words)  # req: S2-102
    assert "go on\nas they are" in TABLE


def test_no_older_score_has_a_say_in_a_verdict():
    def verdict(**context):
        case = Case(
            subject={"kind": "task_output", "text": "The law is R12."}, criteria=["Names the law"], context=context,
            executor={"model": "m"},
        )  # fmt: skip
        record = Verifier(services={"judges": OneJudge(ScriptedJudge(scores({"*": 5})))}).verify_sync(case)
        return record.outcome, record.score, record.action

    older = {"grade": 1, "recipe_quality": 0.1, "quality_assessor": {"clarity": 0.0}, "is_helpful": False}
    assert verdict() == verdict(**older)  # req: S2-008
    assert verdict(**older)[0] == "pass"  # req: S2-114
