"""The task checkpoint: deterministic first, a decision graph of criteria, and what the policy makes of it."""

from __future__ import annotations

import asyncio
import inspect
import time
from pathlib import Path

import pytest

from witnessmark import Case, Policy, Settings, Verifier
from witnessmark.core.allowance import bypass, cost_share, cost_standing
from witnessmark.core.budget import Budget, DayBudget
from witnessmark.core.errors import BudgetError, InputError, StoreError
from witnessmark.core.registry import checks, ready
from witnessmark.core.verdict import Usage, passed
from witnessmark.stores.memory import MemoryStore
from witnessmark.testing import OneJudge, ScriptedJudge, scores

TEXT = "# Findings\n\nThe Act prohibits some systems in Article 5."


def case(criteria, text=TEXT, executor=None, **context):
    return Case(
        goal="Research the Act",
        subject={"kind": "task_output", "text": text},
        criteria=criteria,
        executor=executor,
        context={"quality": False} | context,
    )


def judged(case, script=None, **options):
    judge = ScriptedJudge(script or scores({"*": 5}))
    record = Verifier(services={"judges": OneJudge(judge)}, **options).verify_sync(case)
    return record, judge


def statuses(record):
    return {result.node: result.status for result in record.results}


# --- deterministic first --------------------------------------------------------------------------------------------


def test_a_failed_must_pass_check_ends_it_before_anything_is_spent():
    criteria = [
        {"check": "required_sections", "value": ["Summary"]},
        {"check": "min_length", "value": 10},
        "Names the law",
    ]
    record, judge = judged(case(criteria))
    assert record.outcome == "fail"  # req: S2-084
    assert judge.asked == []  # req: S2-020
    assert statuses(record)["rubric"] == "skipped"  # req: C29
    assert record.usage.cost_usd == 0.0  # req: S2-109


def test_a_deterministic_failure_that_need_not_pass_scores_zero_and_the_rest_is_read():
    criteria = [
        {"check": "required_sections", "value": ["Summary"], "must_pass": False},
        "Names the law",
        "Names the article",
    ]
    record, judge = judged(case(criteria))
    assert len(judge.asked) == 1
    assert round(record.score, 4) == 0.6667
    assert record.outcome == "partial"  # req: S2-025


def test_all_kinds_of_verification_in_one_case():
    criteria = [
        {"check": "required_sections", "value": ["Findings"]},
        {"text": "Covers all risk levels of the Act", "kind": "completeness"},
        {"text": "Articles are described as the source has them", "kind": "accuracy"},
        "Names at least one compliance gap with its severity",
        {"text": "Writing quality ≥ 3.5/5", "kind": "clarity"},
    ]
    record, judge = judged(case(criteria), scores({"c2": 5, "c3": 5, "c4": 5, "c5": 3.5}))
    assert record.outcome == "pass"  # req: S2-042
    assert "by the evidence where there is any" in judge.asked[0].user  # req: S2-029
    assert statuses(record)["rubric#4"] == "pass"


# --- the decision graph ---------------------------------------------------------------------------------------------

CHAIN = [
    {"check": "required_sections", "value": ["Findings"], "must_pass": False, "id": "format"},
    {"text": "Covers every risk level", "id": "completeness", "needs": ["format"]},
    {"text": "Describes each article correctly", "id": "accuracy", "needs": ["completeness"]},
    {"text": "Reads well for a lawyer in 5 minutes", "id": "quality", "needs": ["accuracy"]},
]


def test_a_failed_early_criterion_skips_the_dear_later_ones():
    record, judge = judged(case(CHAIN), scores({"c2": 1, "*": 5}))
    found = statuses(record)
    assert found["criterion:completeness"] == "fail"
    assert (found["criterion:accuracy"], found["criterion:quality"]) == ("skipped", "skipped")  # req: S2-021
    assert len(judge.asked) == 1
    record, judge = judged(case(CHAIN, text="no heading"))
    assert judge.asked == []
    assert statuses(record)["criterion:completeness"] == "skipped"


def test_where_all_is_met_every_step_is_taken():
    record, judge = judged(case(CHAIN))
    assert record.outcome == "pass"
    assert len(judge.asked) == 3  # req: S2-026


def test_a_replay_takes_the_judges_words_and_what_builds_on_them_from_the_record():
    from witnessmark.insight.replay import replay

    built = [*CHAIN, {"check": "min_length", "value": 5, "id": "long", "needs": ["quality"]}]
    for marks in ({"*": 5}, {"c2": 1, "*": 5}):
        verifier = Verifier(services={"judges": OneJudge(ScriptedJudge(scores(marks)))}, store="memory:")

        async def twice(verifier=verifier):
            record = await verifier.verify(case(built, executor={"cost_usd": 3.0}))
            return await replay(verifier, await verifier.store.get(record.id))

        found = asyncio.run(twice())
        assert found.same, [str(difference) for difference in found.differences]


@pytest.mark.parametrize(("criteria", "said"), [
    ([{"text": "a b c", "needs": ["x"]}], "no criterion before it has the id 'x'"),
    ([{"text": "a b c", "id": "x"}, {"text": "d e f", "id": "x"}], "'x' is used twice"),
    ([{"text": "a b c", "id": "x", "needs": ["x"]}], "no criterion before it"),
    ([{"check": "not_a_refusal", "scale": "unit"}], "belong to a criterion in words"),
    ([{"text": "a b c", "scale": "stars"}], "scale"),
    ([{"text": "a b c", "met_threshold": 1.5}], "met_threshold"),
])  # fmt: skip
def test_criteria_that_cannot_be_are_refused_with_their_place(criteria, said):
    with pytest.raises(InputError, match=said):
        case(criteria)


# --- verdict, decision, person ----------------------------------------------------------------------------------------


def test_a_low_confidence_goes_to_a_person_however_good_the_score():
    record, _ = judged(case(["Names the law"]), scores({"*": 5}, confidence=0.3))
    assert (record.outcome, record.action) == ("partial", "escalate")  # req: S2-047
    assert "confidence" in record.because  # req: S2-108


def test_what_cost_a_lot_goes_to_a_person_before_it_goes_on():
    dear = case(["Names the law"], executor={"cost_usd": 12.0})
    record, _ = judged(dear, policy={"review_above_usd": 10.0})
    assert (record.outcome, record.action, record.layer) == ("pass", "escalate", "mission")
    record, _ = judged(case(["Names the law"], executor={"cost_usd": 9.0}), policy={"review_above_usd": 10.0})
    assert record.action == "accept"


def test_thresholds_come_from_workspace_mission_and_task():
    settings = Settings(policy={"pass_threshold": 0.9})
    half = case(["Names the law", "Names the date"])
    script = scores({"c1": 5, "c2": 3})
    record, _ = judged(half, script, settings=settings)
    assert record.outcome == "partial"
    record, _ = judged(half, script, settings=settings, policy={"pass_threshold": 0.75})
    assert (record.outcome, record.layer) == ("pass", "mission")  # req: S2-048
    task = case(["Names the law", "Names the date"], policy={"pass_threshold": 0.8})
    record, _ = judged(task, script, settings=settings, policy={"pass_threshold": 0.75})
    assert record.outcome == "partial"  # req: S2-103


def test_the_decision_is_retry_with_feedback_then_a_person():
    short = case(["Names the law"])
    judge = ScriptedJudge(scores({"*": 1}, reasoning="No law is named."))
    verifier = Verifier(services={"judges": OneJudge(judge)})
    first = verifier.verify_sync(short, attempt=1)
    assert first.action == "retry"  # req: S2-049
    assert "No law is named." in first.feedback.issues[0]  # req: S2-099
    assert (first.feedback.attempt, first.feedback.max_attempts) == (1, 3)  # req: S2-052
    patient = Verifier(services={"judges": OneJudge(judge)}, policy={"max_revisions": 4}).verify_sync(short)
    assert patient.feedback.max_attempts == 5  # req: S2-052
    last = verifier.verify_sync(short, attempt=3)
    assert last.action == "escalate"  # req: S2-050


def test_out_of_attempts_it_may_be_accepted_with_a_warning_and_says_so():
    judge = ScriptedJudge(scores({"*": 3}))
    verifier = Verifier(services={"judges": OneJudge(judge)}, policy={"on_exhausted": "warn"})
    record = verifier.verify_sync(case(["Names the law"]), attempt=3)
    assert (record.action, record.degraded) == ("warn", True)  # req: S2-051


def test_people_see_only_what_needs_them():
    """Of many outputs, those that are plainly good or plainly unfinished are settled before a person looks."""
    judge = ScriptedJudge(lambda q: scores({"*": 5}, confidence=0.2 if "perhaps" in q.user else 0.9)(q))
    verifier = Verifier(services={"judges": OneJudge(judge)})
    texts = ["The law is R12."] * 6 + ["", "  "] + ["perhaps R12"]
    actions = [verifier.verify_sync(case(["Names the law"], text=text)).action for text in texts]
    assert actions == ["accept"] * 6 + ["retry"] * 2 + ["escalate"]  # req: S2-009


# --- when judges are asked, and what it may cost -----------------------------------------------------------------------


def test_judging_is_on_unless_somebody_opts_out():
    assert bypass(Policy(), case(["Names the law"])) is None  # req: S2-057
    assert judged(case(["Names the law"], executor={"cost_usd": 0.05}))[1].asked, "cheap or not"  # req: S2-053
    record, judge = judged(case(["Names the law"], skip_judges=True))
    assert judge.asked == []  # req: C37
    assert (record.outcome, record.unverified_because) == ("unverified", "skipped")
    assert (Policy().max_revisions, Policy().on_exhausted, Policy().pass_threshold) == (2, "escalate", 0.7)  # req: C37


def test_cheap_work_is_not_judged_where_the_policy_says_so():
    policy = Policy(skip_judges_below_usd=0.10)
    assert "$0.05" in bypass(policy, case(["x y z"], executor={"cost_usd": 0.05}))  # req: S2-104
    assert bypass(policy, case(["x y z"], executor={"cost_usd": 0.10})) is None


def test_how_much_verifying_may_and_should_cost_and_what_is_skipped_are_settings():
    assert (Policy().max_cost_pct, Policy().target_cost_pct) == (0.30, 0.15)  # req: C31
    work = case(["x y z"], executor={"cost_usd": 1.0})
    standings = [cost_standing(Policy(), work, spent) for spent in (0.15, 0.16, None)]
    assert standings == ["within", "above_target", "unknown"]  # req: C31
    assert bypass(Policy(), case(["x y z"], executor={"cost_usd": 0.01})) is None, "nothing is skipped unasked"
    assert bypass(Policy(skip_judges_below_usd=0.10), case(["x y z"], executor={"cost_usd": 0.01}))  # req: C31
    decided = Path(__file__).parents[2] / "docs" / "decisions.md"
    assert "`skip_judges_below_usd` is 0 here" in decided.read_text(encoding="utf-8")  # req: C31


def test_smart_judges_what_is_dear_or_has_dependents():
    policy = Policy(judge_when="smart")
    assert "smart" in bypass(policy, case(["x y z"], executor={"cost_usd": 0.05}))
    assert bypass(policy, case(["x y z"], executor={"cost_usd": 0.5})) is None
    assert bypass(policy, case(["x y z"], executor={"cost_usd": 0.05}, has_dependents=True)) is None  # req: S2-054
    assert bypass(policy, case(["x y z"])) is None, "an unknown cost is not a reason to look away"


@pytest.mark.parametrize(
    ("context", "field"),
    [
        ({"skip_judges": "yes"}, "context.skip_judges: must be true or false"),
        ({"has_dependents": 1}, "context.has_dependents: must be true or false"),
        ({"quality": "high"}, "context.quality: must be true, false or an object"),
        ({"quality": {"wieght": 1}}, "context.quality.wieght: unknown field"),
    ],
)
def test_a_word_of_the_context_that_could_not_be_heard_is_refused_by_name(context, field):
    """Judges were paid for a case that opted out by "yes", and a misspelt weight counted for nothing."""
    with pytest.raises(InputError, match=field):
        judged(case(["Names the law"], executor={"cost_usd": 0.05}, **context), policy={"judge_when": "smart"})


def test_sampling_draws_its_share_by_digest_and_takes_all_at_high_stakes():
    policy = Policy(judge_when="sample", sample_rate=0.3)
    drawn = [bypass(policy, case(["x y z"], text=f"text {n}")) is None for n in range(400)]
    assert 90 < sum(drawn) < 150  # req: S2-055
    assert drawn[:50] == [bypass(policy, case(["x y z"], text=f"text {n}")) is None for n in range(50)]
    assert all(bypass(policy, case(["x y z"], text=f"text {n}", stakes="high")) is None for n in range(50))


def test_tiered_asks_judges_only_about_words():
    policy = Policy(judge_when="tiered")
    assert bypass(policy, case(["x y z"])) is None
    assert "deterministic" in bypass(policy, case([{"check": "not_a_refusal"}]))  # req: S2-056


class Spender:
    """A judge that reserves and settles as the judge layer does."""

    id, family = "spender", "spender"

    def __init__(self, price, tokens=100):
        self.price, self.tokens, self.calls = price, tokens, 0

    async def ask(self, question):
        from witnessmark.core import budget
        from witnessmark.core.protocols import Reply

        with budget.active.get().reserve(self.tokens, self.price) as held:
            self.calls += 1
            used = Usage(judge_calls=1, tokens=self.tokens, cost_usd=self.price)
            held.settle(used)
        return Reply(data=scores({"*": 5})(question), judge=self.id, usage=used)


def spend(judge, case, **options):
    return Verifier(services={"judges": OneJudge(judge)}, **options).verify_sync(case)


def test_verifying_costs_at_most_its_share_of_the_work():
    dear = case(["Names the law"], executor={"cost_usd": 1.0})
    assert spend(Spender(0.30), dear).outcome == "pass"
    record = spend(Spender(0.31), dear)
    assert (record.outcome, record.unverified_because) == ("unverified", "budget")  # req: S2-022
    assert spend(Spender(0.31), dear, policy={"max_cost_pct": 0.5}).outcome == "pass"  # req: S2-100


def test_a_cost_nobody_knows_does_not_block_and_its_share_is_unknown():
    unknown = case(["Names the law"])
    assert spend(Spender(5.0), unknown).outcome == "pass"
    assert cost_share(unknown, 5.0) is None
    assert cost_share(case(["x y z"], executor={"cost_usd": 2.0}), 0.4) == 0.2


def test_a_mission_of_two_dollars_is_verified_for_twenty_to_sixty_cents():
    """Five tasks of 40 cents: a judge that costs a tenth of the work is paid, one that costs a third is not."""
    tasks = [case(["Names the law"], executor={"cost_usd": 0.40}, goal=f"task {n}") for n in range(5)]
    low = [spend(Spender(0.04), task) for task in tasks]
    high = [spend(Spender(0.12), task) for task in tasks]
    assert sum(record.usage.cost_usd for record in low) == pytest.approx(0.20)  # req: S2-058
    assert sum(record.usage.cost_usd for record in high) == pytest.approx(0.60)  # req: S2-058
    assert all(record.outcome == "pass" for record in [*low, *high])
    assert spend(Spender(0.13), tasks[0]).unverified_because == "budget"  # req: S2-058


def test_an_unknown_price_fails_closed_where_somebody_set_the_limit():
    dear = case(["Names the law"], executor={"cost_usd": 1.0})
    assert spend(Spender(None), dear).outcome == "pass", "nobody set a limit"
    assert spend(Spender(None), dear, policy={"max_cost_pct": 0.3}).unverified_because == "budget"


def test_call_mission_and_day_each_have_their_budget():
    mission = Budget(None, 0.25, name="mission")
    judge = Spender(0.10)
    outcomes = [spend(judge, case(["Names the law"], text=f"{TEXT} {n}"), budget=mission).outcome for n in range(4)]
    assert outcomes == ["pass", "pass", "unverified", "unverified"]  # req: S2-121
    assert mission.spent.judge_calls == judge.calls == 2
    record = spend(Spender(0.10), case(["Names the law"]), settings=Settings(limits={"call_usd": 0.05}))
    assert record.unverified_because == "budget"


def test_a_day_budget_is_full_again_after_midnight():
    now = [86_400.0 * 10 + 5]
    day = DayBudget(usd=1.0, clock=lambda: now[0])
    day.take(0, 0.5)
    day.reserve(10, 0.5).settle(Usage(tokens=10, cost_usd=0.5))
    with pytest.raises(BudgetError, match="of the day"):
        day.reserve(10, 0.01)
    now[0] += 86_400
    day.reserve(10, 1.0)


def test_the_day_counts_what_other_processes_spent_and_kept(tmp_path):
    settings = Settings(store=f"sqlite:///{tmp_path / 'records.db'}", limits={"day_usd": 0.25})
    outcomes = [
        spend(Spender(0.10), case(["Names the law"], text=f"{TEXT} {n}"), settings=settings).outcome for n in range(3)
    ]
    assert outcomes == ["pass", "pass", "unverified"]


def test_what_others_spend_later_in_the_day_counts_too(tmp_path):
    """Two processes on one store, or two workspaces of a service: each looks again at what the other has spent."""
    now = [86_400.0 * (time.time() // 86_400) + 60]
    judge = Spender(0.10)
    settings = Settings(store=f"sqlite:///{tmp_path / 'records.db'}", limits={"day_usd": 0.35})
    one, other = (
        Verifier(
            settings,
            services={"judges": OneJudge(judge)},
            workspace=name,
            day=DayBudget(usd=0.35, clock=lambda: now[0]),
        )
        for name in ("one", "other")
    )

    def verified(verifier, number):
        now[0] += 60
        return verifier.verify_sync(case(["Names the law"], text=f"{TEXT} {number}")).outcome

    assert [verified(one, 0), verified(other, 1), verified(one, 2)] == ["pass", "pass", "pass"]
    assert [verified(other, 3), verified(one, 4)] == ["unverified", "unverified"]
    assert judge.calls == 3


class SpentStore(MemoryStore):
    """A store that is asked what the day has cost so far, and is as slow to answer as its gate, or breaks the first time."""

    def __init__(self, *, breaks=False):
        super().__init__()
        self.breaks, self.asked, self.gate = breaks, 0, asyncio.Event()

    async def spent_since(self, at):
        self.asked += 1
        if self.breaks and self.asked == 1:
            raise StoreError("the store is away")
        if self.asked == 2:
            self.gate.set()
        await self.gate.wait()
        return Usage(cost_usd=0.2)


def test_no_case_spends_of_a_day_before_the_store_said_what_is_left_of_it():
    async def two_at_once():
        judge, store = Spender(0.10), SpentStore()
        verifier = Verifier(Settings(limits={"day_usd": 0.25}), store=store, services={"judges": OneJudge(judge)})
        first, second = (
            asyncio.create_task(verifier.verify(case(["Names the law"], text=f"{TEXT} {n}"))) for n in range(2)
        )
        await second
        store.gate.set()
        return {(await one).unverified_because for one in (first, second)}, judge.calls

    assert asyncio.run(two_at_once()) == ({"budget"}, 0)


def test_what_a_day_has_cost_is_asked_again_where_the_store_could_not_say():
    judge = Spender(0.10)
    store = SpentStore(breaks=True)
    verifier = Verifier(Settings(limits={"day_usd": 0.25}), store=store, services={"judges": OneJudge(judge)})
    with pytest.raises(StoreError):
        verifier.verify_sync(case(["Names the law"]))
    assert verifier.verify_sync(case(["Names the law"])).unverified_because == "budget"
    assert judge.calls == 0


def test_verifiers_made_from_one_share_its_budgets():
    mission = Budget(None, 0.15, name="mission")
    first = Verifier(services={"judges": OneJudge(Spender(0.10))}, budget=mission)
    second = first.with_services({"judges": OneJudge(Spender(0.10))})
    assert first.verify_sync(case(["Names the law"])).outcome == "pass"
    assert second.verify_sync(case(["Names the law"])).unverified_because == "budget"


# --- how far the judge stands from the maker --------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "warned"), [("unknown", True), ("none", True), ("model", False), ("family", False)])
def test_a_judge_that_may_be_too_close_is_told(level, warned):
    judges = OneJudge(ScriptedJudge(scores({"*": 5})), independence=level)
    record = Verifier(services={"judges": judges}).verify_sync(case(["Names the law"], executor={"model": "m1"}))
    assert judges.picked == [("m1", "normal")]
    assert (record.outcome, record.independence) == ("pass", level)
    assert any(f.category == "policy" and f.severity == "warning" for f in record.findings) is warned


class Nobody:
    """Judges of which none may judge this work."""

    def pick(self, executor_model, *, stakes="normal", purpose="", named=None):
        from witnessmark.core.errors import ConfigError

        raise ConfigError(f"judge a may not judge this: the work is by {executor_model!r} of its own family")

    def independence(self, judge, executor_model):
        raise AssertionError


def test_where_no_judge_may_judge_that_is_an_error_with_the_reason_and_nothing_is_scored():
    own = case(["Names the law", "Names the date"], executor={"model": "m1"})
    record = Verifier(services={"judges": Nobody()}).verify_sync(own)
    assert (record.outcome, record.unverified_because, record.score) == ("unverified", "no_judge", None)
    assert next(r for r in record.results if r.check == "reading").status == "error"
    assert "may not judge this" in record.reason  # req: S2-110
    tasks = [{"id": "a", "output": "x y z"}, {"id": "b", "output": "p q r"}]
    mission = Case(subject={"kind": "mission", "goal": "g", "tasks": tasks}, executor={"model": "m1"})
    statuses = {r.node: r.status for r in Verifier(services={"judges": Nobody()}).verify_sync(mission).results}
    plain = {"tasks_delivered": "pass", "plain_conflicts": "pass"}
    assert statuses == plain | {"consistency": "error", "mission_goal": "error"}  # req: S2-037


def test_a_judge_too_close_for_the_policy_only_advises():
    judges = OneJudge(ScriptedJudge(scores({"*": 5})), independence="unknown")
    record = Verifier(services={"judges": judges}, policy={"independence": "family"}).verify_sync(
        case(["Names the law"])
    )
    assert record.outcome == "unverified"


def test_a_call_is_taken_from_all_budgets_or_from_none():
    wide, narrow = Budget(None, 1.0), Budget(None, 0.1)
    case_budget = Budget(1000, None, within=[wide, narrow])
    with pytest.raises(BudgetError):
        case_budget.reserve(10, 0.5)
    assert (wide.usd_left, narrow.usd_left, case_budget.tokens_left) == (1.0, 0.1, 1000)
    case_budget.reserve(10, 0.05).settle(Usage(tokens=8, cost_usd=0.04))
    assert (round(wide.usd_left, 9), round(narrow.usd_left, 9), case_budget.tokens_left) == (0.96, 0.06, 992)


SUBJECTS = [
    {"kind": "task_output", "text": "x"},
    {"kind": "answer", "text": "x"},
    {"kind": "synthesis", "text": "x"},
    {"kind": "agent_output", "summary": "x"},
    {"kind": "decomposition"},
    {"kind": "discussion"},
    {"kind": "mission"},
]


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject["kind"])
def test_a_check_that_looks_at_another_kind_of_subject_says_which(subject):
    case, complaints = Case(subject=subject, goal="g"), []
    for name in checks.all():
        try:
            said = ready(name)(case, {"claimed_actions": passed()})
            if inspect.isawaitable(said):
                asyncio.run(said)
        except InputError as exc:  # and never an AssertionError, which says nothing
            complaints.append(str(exc))
    assert any("subject.kind: this check looks at" in complaint for complaint in complaints)


TRACE = 'Traceback (most recent call last):\n  File "run.py", line 3, in <module>\n    total = rows["sum"]\nKeyError: \'sum\'\n'


@pytest.mark.parametrize(
    ("goal", "text", "outcome"),
    [
        ("Sum up the orders of May.", TRACE, "fail"),
        ("Sum up the orders of May.", f"```\n{TRACE}```", "fail"),
        ("Sum up the orders of May.", f"{TRACE}\nDuring handling of the above exception, another exception occurred:\n\n{TRACE}", "fail"),
        ("Load the data.", 'Exception in thread "main" java.lang.NullPointerException\n\tat Main.main(Main.java:3)', "fail"),
        ("Sum up the orders of May.", f"{TRACE}\nThe column sum is missing: the export of May has no totals.", "pass"),
        ("Show me what a Python traceback looks like.", TRACE, "pass"),
        ("Run run.py and paste what it prints.", TRACE, "pass"),
        ("Why did the job crash?", TRACE, "pass"),
        ("Explain the message.", "KeyError: 'sum' means that the row has no such key.", "pass"),
    ],
)  # fmt: skip
def test_a_traceback_is_no_output_of_a_task_that_did_not_ask_for_one(goal, text, outcome):
    case = Case(
        subject={"kind": "task_output", "text": text}, goal=goal, criteria=[{"check": "min_length", "value": 20}]
    )
    record = Verifier().verify_sync(case)
    assert record.outcome == outcome, record.findings
