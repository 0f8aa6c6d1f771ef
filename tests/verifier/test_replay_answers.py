"""Answers that a judge helped to verify: a replay takes the judge's word from the record and asks nobody."""

from witnessmark import Case, Verifier
from witnessmark.insight.replay import replay
from witnessmark.judges.scripted_judge import ScriptedJudge

CASE = Case.from_dict(
    {
        "subject": {"kind": "answer", "text": "The firm runs branches abroad."},
        "goal": "How did the company do?",
        "evidence": [{"id": "d1", "text": "The company opened offices in Lyon and Porto."}],
    }
)
SUPPORTED = {"claims": [{"number": 0, "status": "supported", "evidence": "opened offices"}]}


def test_a_judged_answer_is_replayed_from_its_record(run):
    judge = ScriptedJudge([SUPPORTED])
    verifier = Verifier(services={"judge": judge})
    entry = run(verifier.evaluate(CASE))
    again = run(replay(verifier, entry, CASE))
    assert again.same
    assert again.not_replayed == ("grounding",)
    assert len(judge.asked) == 1


def test_a_judge_configured_since_is_not_asked_by_a_replay(run):
    entry = run(Verifier().evaluate(CASE))
    judge = ScriptedJudge([])
    again = run(replay(Verifier(services={"judge": judge}), entry, CASE))
    assert again.same
    assert judge.asked == []
