"""The check itself: claims with status and places, confidence, what it may fail on, and when it abstains."""

import asyncio
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from witnessmark import Case, Settings, Verifier
from witnessmark.checks.grounding.confidence import Verification, confidence, grounded, level
from witnessmark.checks.grounding.grounding_check import grounding
from witnessmark.core.errors import JudgeReplyError, JudgeUnavailableError, UsageError
from witnessmark.core.policy import Policy
from witnessmark.core.protocols import Reading
from witnessmark.judges.scripted_judge import ScriptedJudge

D1 = "Revenue grew 14 % in 2025, to 82 million euros. The company opened offices in Lyon and Porto."
D2 = "Headcount was 410 at the end of 2025. Maria Lopes has led the company since 2019."


def case(text, *sources, goal="How did the company do?", **more):
    evidence = [{"id": f"d{n}", "kind": "passage", "text": source} for n, source in enumerate(sources, 1)]
    return Case.from_dict({"subject": {"kind": "answer", "text": text}, "goal": goal, "evidence": evidence, **more})


def look(text, *sources, services=None, **more):
    return grounding(**(services or {}))(case(text, *sources, **more), {})


def test_a_known_good_answer_gets_a_high_confidence():
    result = look("Revenue grew 14 % in 2025. The company opened offices in Lyon and Porto.", D1, D2)
    assert result.status == "pass"
    assert result.score >= 0.9  # req: S4-061
    assert result.details["level"] == "high"  # req: S4-026
    assert [claim.status for claim in result.claims] == ["supported", "supported"]


def test_an_injected_hallucination_gets_a_low_confidence():
    result = look("Revenue grew 40 % in 2025. Headcount was 950 at the end of 2025.", D1, D2)
    assert result.score == 0.0  # req: S4-062
    assert result.details["level"] == "very low"  # req: S4-029
    assert result.status == "fail"


def test_a_contradiction_names_the_place_in_the_evidence():
    result = look("Revenue grew 40 % in 2025. Maria Lopes has led the company since 2019.", D1, D2)
    claim = result.claims[0]
    assert claim.status == "contradicted"
    assert (claim.evidence[0].id, D1[slice(*claim.evidence[0].span)]) == ("d1", "14 %")
    assert [finding.category for finding in result.findings] == ["contradicted_claim"]
    assert result.findings[0].quote == "Revenue grew 40 % in 2025."
    assert "40" not in result.findings[0].message


def test_what_no_source_mentions_is_unsupported_and_not_contradicted():
    result = look("The company bought 12 ships from Zoltan Kovacs.", D1)
    assert result.claims[0].status == "unsupported"
    assert result.findings[0].category == "unsupported_claim"
    assert result.status == "partial"


class Doubter:
    id, version = "doubter", "1"

    def __init__(self, score):
        self.score, self.seen = score, []

    def support(self, pairs):
        self.seen += pairs
        return [self.score] * len(pairs)


def test_a_low_model_score_alone_advises_and_a_wrong_figure_fails():
    text = "The company runs several branches abroad in two towns."
    low = look(text, D1, services={"model": Doubter(0.001)})
    assert low.status == "partial"
    assert low.confidence_source == "calibrated"
    sure = look("Revenue grew 40 % in 2025.", D1, services={"model": Doubter(0.999)})
    assert sure.status == "fail"
    assert sure.confidence_source == "deterministic"


def test_the_model_reads_evidence_and_claim():
    model = Doubter(0.99)
    result = look("In 2025 the revenue rose by 14 %.", D1, D2, services={"model": model})
    assert model.seen[0][1] == "In 2025 the revenue rose by 14 %."
    assert "Revenue grew 14 %" in model.seen[0][0]
    assert result.details["model"] == "doubter 1"
    assert result.claims[0].details["model"] == 0.99


@pytest.mark.parametrize(
    ("text", "sources", "cause"),
    [
        ("Hello! How are you?", (D1,), "no_claims"),
        ("Hope this helps!", (D1,), "no_claims"),
        ("Revenue grew 14 % in 2025.", (), "no_evidence"),
        ("Revenue grew 14 % in 2025.", ("  ",), "no_evidence"),
        ("Выручка компании выросла на четырнадцать процентов в этом году.", (D1,), "language"),
    ],
)
def test_nothing_to_go_by_is_unverified_and_never_grounded(text, sources, cause):
    result = look(text, *sources)
    assert (result.status, result.cause, result.score) == ("abstain", cause, None)
    assert all(claim.status == "unverifiable" for claim in result.claims)


def test_the_action_for_an_answer_is_to_correct_it():
    record = Verifier().verify_sync(case("Revenue grew 40 % in 2025. The company opened an office in Lyon.", D1))
    assert (record.checkpoint, record.action) == ("answer", "correct")


def test_spans_of_claims_slice_the_answer_and_spans_of_evidence_the_source():
    text = "**Revenue** grew 14 % [d1]. She has led the company since 2019 [2]. Is that fine?"
    result = look(text, D1, D2)
    assert [text[slice(*claim.span)] for claim in result.claims] == [
        "**Revenue** grew 14 % [d1].", "She has led the company since 2019 [2].", "Is that fine?",
    ]  # fmt: skip
    for claim in result.claims:
        for ref in claim.evidence:
            assert {"d1": D1, "d2": D2}[ref.id][slice(*ref.span)].strip()


def test_a_citation_of_a_source_that_is_not_there_is_not_fully_supported():
    result = look("Revenue grew 14 % in 2025 [9].", D1)
    assert result.claims[0].status == "partial"
    assert result.claims[0].reason == "it cites a source that is not there"


def test_structured_evidence_has_places_in_its_canonical_json():
    asked = Case.from_dict(
        {
            "subject": {"kind": "answer", "text": "The bakery opens at 8 on Monday. It has 12 seats."},
            "evidence": [
                {
                    "id": "t",
                    "kind": "tool_call",
                    "name": "get",
                    "output": {"bakery": {"seats": 14, "opens Monday": "8 o'clock"}},
                }
            ],
        }
    )
    result = grounding()(asked, {})
    ref = result.claims[1].evidence[0]
    text = msgspec.json.encode(asked.evidence[0].output, order="sorted").decode()
    assert text[slice(*ref.span)] in ("14", "8 o'clock")


def test_settings_hold_per_request_and_unknown_ones_are_refused():
    text = "Revenue grew 14 % in 2025. It opened 9 factories in Peru."
    loose = look(text, D1, context={"verification": {"confidence_threshold": 0.2}})
    assert (loose.details["grounded"], look(text, D1).details["grounded"]) == (True, False)  # req: S4-040
    assert Verification().confidence_threshold == 0.7  # req: S4-040
    off = look(text, D1, context={"verification": {"enabled": False}})
    assert off.status == "skipped"  # req: S4-039
    with pytest.raises(ValueError, match=r"context.verification.treshold: unknown setting"):
        look(text, D1, context={"verification": {"treshold": 1}})


def test_the_verdict_is_the_same_twice_and_outside_the_order_of_evidence():
    text = "Revenue grew 14 % in 2025. The company opened an office in Rome."
    one, two = look(text, D1, D2), look(text, D1, D2)
    assert one == two


# --- confidence --------------------------------------------------------------------------------------------------------


def of(supported=0, partial=0, unsupported=0, contradicted=0):
    return (
        ["supported"] * supported
        + ["partial"] * partial
        + ["unsupported"] * unsupported
        + ["contradicted"] * contradicted
    )


def test_the_formula_of_the_source_document_to_the_letter():
    assert confidence(of(4, 0, 1), "original") == 0.7  # req: S4-023
    assert confidence(of(3, 0, 2), "original") == 0.4  # req: S4-024
    assert confidence(of(5), "original") == 1.0
    assert confidence(of(3, 2), "original") == 0.7, (
        "0.6 supported, and 0.1 more since none is unsupported"
    )  # req: S4-025
    assert confidence(of(0, 4), "original") == 0.1  # req: C47
    assert 0.0 <= confidence(of(0, 0, 30), "original") <= 1.0  # req: S4-022
    assert confidence([]) is None  # req: S4-022
    assert confidence(of(9, 1), "original") == 1.0


def test_by_default_the_penalty_goes_by_share():
    assert confidence(of(4, 0, 1)) == 0.7
    assert confidence(of(95, 0, 5)) == 0.925  # req: C49
    assert confidence(of(95, 0, 5), "original") == 0.45
    assert confidence(of(0, 4)) == 0.6
    assert confidence(of(4, 1), partial_credit=0.0) == 0.9


def test_erratum_the_example_of_the_source_cannot_come_from_its_formula():
    """4 of 5 supported and 0.85: neither reading of the fifth claim gives it."""
    assert 0.85 not in {
        confidence(of(4, 0, 1), "original"),
        confidence(of(4, 1), "original"),
        confidence(of(4, 1)),
    }  # req: C50


def test_the_mode_is_to_verify_unless_told_otherwise():
    assert Verification().mode == "verify"
    assert Verification(mode="observe").mode == "observe"
    assert confidence(of(4, 0, 1), "fast") == confidence(of(4, 0, 1))


def test_levels():
    assert level(0.9, of(9)) == "high"
    assert level(1.0, of(4, 1)) == "medium"  # req: C51
    assert level(0.7, of(4, 0, 1)) == "medium"  # req: S4-027
    assert level(0.8 - 0.1, of(4, 0, 1)) == "medium"
    assert level(0.69, of(4, 0, 1)) == "low"  # req: S4-028
    assert level(0.49, of(1, 0, 1)) == "very low"


def test_grounded_needs_the_threshold_and_no_contradiction():
    assert grounded(0.8 - 0.1, of(4, 0, 1), 0.7)  # req: C57
    assert not grounded(0.7, of(4, 0, 0, 1), 0.7)  # req: C52
    assert not grounded(0.69, of(4, 0, 1), 0.7)


# --- the judge -----------------------------------------------------------------------------------------------------------

OPEN = "The firm runs branches abroad."


def judged(entry, text=OPEN, **reply):
    judge = ScriptedJudge([{"claims": [entry], **reply}])
    result = asyncio.run(grounding(judge=judge)(case(text, D1), {}))
    return judge, result


def test_a_judge_is_asked_about_what_rules_leave_open_and_its_quote_is_looked_up():
    judge, result = judged(
        {"number": 0, "status": "supported", "evidence": "opened OFFICES in Lyon"}, overall_confidence=0.1
    )
    assert "How did the company do?" in judge.asked[0].user
    assert result.claims[0].details["by"] == "judge"
    assert result.confidence_source == "reported"
    assert (result.score, result.details["judge_reported"]) == (1.0, 0.1), "the claims count, not its word"  # req: C46
    assert result.details["judge_reported"] == 0.1  # req: S4-011


def test_a_quote_that_is_not_in_the_source_does_not_count():
    _, without = judged({"number": 0, "status": "supported", "evidence": "it runs branches in forty countries"})
    assert without.details["quotes_not_found"] == 1  # req: S4-015
    assert without.claims[0].details["by"] == "overlap"  # req: C54


SEVERAL = "The firm runs branches abroad as it sold its ships to a rival."


def test_a_judge_may_take_a_claim_apart_and_the_parts_have_places_in_the_answer():
    judge = ScriptedJudge(
        [
            {
                "claims": [
                    {
                        "number": 0,
                        "claim": "The firm runs branches abroad",
                        "status": "supported",
                        "evidence": "opened offices",
                    },
                    {"number": 0, "claim": "it sold its ships to a rival", "status": "unsupported", "evidence": ""},
                ]
            }
        ]
    )
    result = asyncio.run(grounding(judge=judge)(case(SEVERAL, D1), {}))
    assert [SEVERAL[slice(*claim.span)] for claim in result.claims] == [
        "The firm runs branches abroad", "it sold its ships to a rival",
    ]  # fmt: skip
    assert result.claims[1].status == "unsupported"
    assert result.details["claims"] == 2


def test_a_part_that_is_not_in_the_answer_is_dropped_with_a_note_and_the_claim_stays_whole():
    judge = ScriptedJudge(
        [
            {
                "claims": [
                    {
                        "number": 0,
                        "claim": "The firm runs branches",
                        "status": "supported",
                        "evidence": "opened offices",
                    },
                    {
                        "number": 0,
                        "claim": "it sold forty ships",
                        "status": "contradicted",
                        "evidence": "opened offices",
                    },
                ]
            }
        ]
    )
    result = asyncio.run(grounding(judge=judge)(case(SEVERAL, D1), {}))
    assert [claim.text for claim in result.claims] == [SEVERAL]
    assert result.details["parts_not_in_response"] == 1


def test_parts_that_overlap_count_once():
    entry = {"number": 0, "claim": "it sold its ships to a rival", "status": "unsupported", "evidence": ""}
    judge = ScriptedJudge([{"claims": [entry, entry | {"claim": "its ships to a rival"}]}])
    result = asyncio.run(grounding(judge=judge)(case(SEVERAL, D1), {}))
    assert result.details["parts_not_in_response"] == 1


ENTRY = st.fixed_dictionaries(
    {
        "number": st.integers(-1, 3),
        "claim": st.one_of(
            st.sampled_from(SEVERAL.split()), st.just(SEVERAL), st.text(max_size=20), st.just("runs branches")
        ),
        "status": st.sampled_from(["supported", "partial", "unsupported", "contradicted"]),
        "evidence": st.sampled_from(["", "opened offices", "nowhere"]),
    }
)


@settings(deadline=None)
@given(st.lists(ENTRY, max_size=6))
def test_whatever_a_judge_says_claims_lie_in_the_answer_and_never_overlap(entries):
    text = f"{SEVERAL} Its ships were old."
    try:
        result = asyncio.run(grounding(judge=ScriptedJudge([{"claims": entries}]))(case(text, D1), {}))
    except JudgeReplyError:
        assert any(entry["number"] not in (0, 1) for entry in entries), "only what is about nothing asked is no answer"
        return
    spans = [claim.span for claim in result.claims]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(one[1] <= two[0] for one, two in pairwise(spans))


class Judges:
    """A bench of one, or of nobody."""

    def __init__(self, judge=None):
        self.judge = judge

    def pick(self, executor_model, *, stakes="normal", purpose="", named=None):
        if self.judge is None:
            raise UsageError("every judge is of the executor's own family")
        return self.judge

    def independence(self, judge, executor_model):
        return "family"


def asked_of(judges, text=OPEN, policy=None, **context):
    made = grounding(judges=judges, policy=policy)
    return asyncio.run(made(case(text, D1, context=context), {}))


def test_a_configured_judge_is_asked_about_open_claims():
    judge = ScriptedJudge([{"claims": [{"number": 0, "status": "supported", "evidence": "opened offices"}]}])
    result = asked_of(Judges(judge))
    assert (result.judge, result.independence, len(judge.asked)) == (judge.id, "family", 1)


def test_where_no_judge_may_be_asked_rules_go_on_and_the_record_says_so():
    nobody = asked_of(Judges())
    assert (nobody.judge, nobody.settled) == (None, True)
    assert "own family" in nobody.details["judge_note"]
    judge = ScriptedJudge([])
    skipped = asked_of(Judges(judge), policy=Policy(), skip_judges=True)
    assert (judge.asked, skipped.details["judge_note"]) == ([], "the case opted out of judges")


def test_a_broken_judge_is_an_error_unless_a_rule_already_found_a_contradiction():
    down = JudgeUnavailableError("down")
    with pytest.raises(JudgeUnavailableError):
        asked_of(Judges(ScriptedJudge([down])))
    result = asked_of(Judges(ScriptedJudge([down])), f"{OPEN} Revenue grew 40 % in 2025.")
    assert (result.status, result.details["judge_note"]) == ("fail", "the judge gave no answer: down")


def test_a_rules_contradiction_stands_as_a_failure_whatever_a_judge_says_of_the_rest():
    judge = ScriptedJudge([{"claims": [{"number": 0, "status": "supported", "evidence": "opened offices"}]}])
    result = asked_of(Judges(judge), f"{OPEN} Revenue grew 40 % in 2025.")
    assert (result.status, result.confidence_source) == ("fail", "deterministic")


def test_a_judge_is_not_asked_about_what_a_rule_settled():
    judge = ScriptedJudge([])
    result = asyncio.run(grounding(judge=judge)(case("Revenue grew 40 % in 2025.", D1), {}))
    assert judge.asked == []
    assert result.status == "fail"


def test_kept_as_digest_no_word_of_answer_or_source_is_in_the_record():
    from witnessmark.settings import Content, Settings

    record = Verifier(Settings(content=Content(keep="digest"))).verify_sync(case("Revenue grew 40 % in 2025.", D1))
    assert record.claims[0].status == "contradicted"
    assert b"14 %" not in record.json()
    assert b"40 %" not in record.json()


def test_what_shares_nothing_with_the_evidence_is_not_half_borne_out_by_it():
    from witnessmark.checks.grounding.decision import decide, fitted
    from witnessmark.checks.grounding.evidence import EvidenceSource, Index
    from witnessmark.checks.grounding.features import look

    index = Index([EvidenceSource("d1", "The shop sells bikes. The shop was founded in Riga.")], "")
    strange = look("Our friends plan to move to Mars soon.", index)
    near = look("The shop sells scooters.", index)
    known = fitted("local") | {"coefficients": {}, "intercept": 0.0, "supported_at": 0.6, "partial_at": 0.4}
    bare = known | {"coefficients": dict.fromkeys(strange.features, 0.0)}

    assert strange.features["union"] < 0.3 <= near.features["union"]
    assert decide(strange, Reading(0.5), known=bare).status == "unsupported"
    assert decide(near, Reading(0.5), known=bare).status == "partial"


def test_a_contradicted_claim_is_not_made_good_by_criteria_that_pass():
    case = Case(
        goal="How did the company do?",
        subject={"kind": "answer", "text": "Revenue grew 40 % in 2025. It sells bikes. It has two shops. It is old."},
        evidence=[{"id": "d1", "text": "Revenue grew 14 % in 2025. It sells bikes. It has two shops. It is old."}],
        criteria=[{"check": "min_length", "value": 3}, {"check": "not_truncated"}, {"check": "no_placeholders"}],
    )
    record = Verifier(Settings(verification={"model": "rules"})).verify_sync(case)

    assert (record.outcome, record.action) == ("fail", "correct")


@pytest.mark.parametrize(
    ("mark", "status", "reason"),
    [
        ("d1", "supported", ""),
        ("1", "supported", ""),
        ("d2", "partial", "the source it cites does not say so, another one does"),
        ("2", "partial", "the source it cites does not say so, another one does"),
        ("d9", "partial", "it cites a source that is not there"),
    ],
)
def test_a_citation_is_held_to_the_source_it_names(mark, status, reason):
    bridge = "The Harrow Lane bridge reopened to walkers on 14 October 2019 after seven months of repair."
    mill = "The old mill museum is run by volunteers and shows how flour was ground by water power."
    told = (
        f"The Harrow Lane bridge reopened to walkers on 14 October 2019 [{mark}]. The mill museum is run by volunteers."
    )
    sources = ({"id": "d1", "text": bridge}, {"id": "d2", "text": mill})
    made = Case(goal="What reopened?", subject={"kind": "answer", "text": told}, evidence=list(sources))
    claim = grounding()(made, {}).claims[0]
    assert claim.status == status
    assert reason in claim.reason


PELICAN = (
    "Install the driver with `pip install osprey-py`. Set worker_count in pelican.toml. Backups go to s3://vault-eu."
)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Install the driver with `pip install osprey-client`.", "osprey-client"),
        ("Set it:\n\n```\nrun --queue-slots\n```", "--queue-slots"),
        ("Set it:\n\n```yaml\ntarget: s3://vault-us\n```", "s3://vault-us"),
    ],
)
def test_a_name_in_code_that_no_source_has_is_unsupported(text, wrong):
    assert wrong in [claim.details.get("part") for claim in look(text, PELICAN).claims if claim.status == "unsupported"]


@pytest.mark.parametrize("line", ["#!/bin/sh", 'doc = load("report.hbn")', "SELECT CURRENT_DATE;"])
def test_what_a_line_of_code_has_of_its_own_is_not_held_against_it(line):
    found = look(f"Set worker_count:\n\n```\n{line}\n```", PELICAN).claims
    assert not [claim for claim in found if claim.details.get("rule") == "identifier"]


def test_a_claim_that_a_judge_rejects_says_so_with_the_judges_reason():
    entry = {"number": 0, "status": "contradicted", "reasoning": "It sold them.", "evidence": "opened offices"}
    _, result = judged(entry)
    assert result.claims[0].reason == "a judge says that the sources say otherwise: It sold them."
