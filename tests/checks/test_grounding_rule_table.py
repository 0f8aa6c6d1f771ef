"""The table of grounding rules: one entry makes a rule, with what it weighs, how it is told and which features count it."""

import pytest

from witnessmark.checks.grounding import whole_answer
from witnessmark.checks.grounding.decision import HARD, MENTIONED, WORKED, weights
from witnessmark.checks.grounding.finding import RULES, RuleFinding
from witnessmark.core.case import Answer, Case, Evidence
from witnessmark.settings import Settings
from witnessmark.verifier import Verifier


def test_a_finding_of_an_unknown_rule_is_refused_and_the_known_ones_are_named():
    with pytest.raises(ValueError, match=r"'figur' is no rule; known rules: figure, date, "):
        RuleFinding("figur", "same", "12")


@pytest.mark.parametrize(("deciding", "told"), [(HARD, "contradicted"), (MENTIONED, "missing"), (WORKED, "same")])
def test_every_rule_that_decides_a_claim_says_why(deciding, told):
    assert [name for name in deciding if not getattr(RULES[name], told)] == []


def test_the_features_of_the_table_are_those_that_were_fitted_and_that_answers_are_counted_by():
    features = {name for rule in RULES.values() for name, _ in rule.features}
    assert features <= weights()["rules"]["coefficients"].keys()
    assert features.issuperset(whole_answer.COUNTED)


def test_an_option_that_no_source_has_is_named_as_such():
    verifier = Verifier.from_settings(Settings(verification={"model": "rules"}))
    case = Case(
        goal="How do I export the report?",
        subject=Answer(text="Run the export with `--colour-profile` to write the report."),
        evidence=(Evidence(id="d", text="Run the export with --format to write the report."),),
    )
    (claim,) = verifier.verify_sync(case).claims
    assert claim.status == "unsupported"
    assert claim.reason == "this name, id or option is not in any source"
