"""Right answers that were once called contradicted or unmentioned: rows set side by side, figures worked out, examples in code."""

from __future__ import annotations

import json

import pytest
from tests.work import calls

from witnessmark import Answer, Case, Evidence, Verifier
from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.evidence import MAX_READ, EvidenceSource, Index
from witnessmark.checks.grounding.features import look
from witnessmark.checks.grounding.relations.clock_times import between
from witnessmark.judges.ask import material_of
from witnessmark.settings import Settings
from witnessmark.testing import OneJudge, ScriptedJudge

HOTELS = json.dumps(
    [
        {"name": "Hotel Marisk", "pets": True, "parking": "free", "price_eur": 88},
        {"name": "Pension Lund", "pets": True, "parking": "none", "price_eur": 61},
        {"name": "The Gannet", "pets": False, "parking": "12 EUR per day", "price_eur": 132},
    ]
)
RUN = "| Place | Runner | Club | Time |\n|---|---|---|---|\n| 1 | Aino Berg | Seeblick | 34:12 |\n| 2 | Judit Szalai | Red Foxes | 34:55 |"
PLANS = "| Plan | Price | Data |\n|---|---|---|\n| Breeze | 9 | 5 GB |\n| Gale | 17 | 30 GB |\n\nRoaming in Breeze costs 4 per day."
VACCINES = "| | Flumavac | Revarix |\n|---|---|---|\n| Doses | 2 | 1 |\n| Lasts | 5 years | 2 years |\n\nThe two doses are given 28 days apart."
TRAINS = "| Departs | Arrives | Changes |\n|---|---|---|\n| 07:30 | 11:25 | 1 |\n| 08:45 | 12:10 | 0 |"
TOP_STEPS = "Holm, monthly pay\nStep 1 (entry): 3,000\nStep 2 (after 4 years): 3,600\nStep 3 (after 12 years): 4,200\nNight: 20 %"
INVOICES = "invoice,customer,open\n7001,Abel,0.00\n7002,Tolliver,1310.50\n7004,Tolliver,265.00"


def findings(answer: str, source: str, question: str = "What is it?") -> list[tuple[str, str]]:
    """(status, the rule that settled it) of every claim that rules alone do not let stand."""
    case = Case(goal=question, subject=Answer(text=answer), evidence=(Evidence(id="d1", text=source),))
    record = Verifier.from_settings(Settings(verification={"model": "rules"})).verify_sync(case)  # type: ignore[arg-type]
    return [(str(one.status), one.details.get("rule", "")) for one in record.claims if one.details.get("by") == "rule"]


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("Hotel Marisk fits: it takes pets, parking is free, and a room costs 88.", HOTELS),
        ("Aino Berg of Seeblick won in 34:12, 43 seconds ahead of Judit Szalai.", RUN),
        ("| Plan | Monthly | Data | Roaming |\n|---|---|---|---|\n| Breeze | 9 | 5 GB | 4 per day |", PLANS),
        ("Flumavac needs two doses 28 days apart.", VACCINES),
        ("Take the 07:30, with a single change.", TRAINS),
        ("Two invoices are open: 7002 over 1,310.50 and 7004 over 265.00.", INVOICES),
        ("Use another 250 ml of stock.", "Add 250 ml wine and 600 ml stock. The wine can be replaced by the same amount of stock."),
        ('```js\nconst d = parse("17/08/2024", "DD/MM/YYYY");\n```', 'Example from 01.05.2024: `parse("01.05.2024", "DD.MM.YYYY")` gives a date.'),
        ("Waste per match dropped by 0.8 tonnes.", "Waste per match fell from 1.9 to 1.1 tonnes."),
        ("Hold it for 5 seconds; this one reports every five minutes.", "Hold the button for 5 seconds.\ninterval: 300\nThe interval is given in seconds; it reports at each."),
        ("With a variable step the run might take about 20 minutes instead of 41.", "The run takes 41 minutes. A variable step of 10 seconds would cut the time of the run by half."),
        ("Marmara Holding retains 40%.", "Marmara Holding sold 60 % of its shares in 2018 and kept the rest."),
        ("The animal weighs about 40 g.", "A cache may weigh 400 g, ten times the weight of the animal."),
        ("The carrier owes 150 euros a day, or 1,350 euros in total.", "The carrier owes 150 euros for each day of delay. Duty of 3,420 euros was paid."),
        ("Revenue rose to 1,302 million rand in 2023 from 1,240 million.", "Interim report (million rand)\n\n| | 2022 | 2023 |\n|---|---|---|\n| Revenue | 1,240 | 1,302 |\n| Exports | 310 | 286 |"),
        ("```toml\nrotate_mb = 20\n```", "rotate_mb = 50   # start a new file at this size; 0 disables rotation"),
        ("Peers are not checked (check_peer is false, though true is advised).", "host: relay\ncheck_peer: false\nmin_version: 1.2\nCheck the peer in production."),
        ("The hall was raised in 1811, two years after the flood took the old one.", "The hall dates from 1811; a flood had taken the old one two years before."),
        ("The desk is staffed from 8:00 to 10:30 and from 13:00 to 14:00, so three and a half hours a day.", "The desk is staffed 8:00-10:30 and 13:00-14:00. A deposit is kept for two weeks."),
        ("Head of school Ida Brun said the choice was not an easy one.", "\"The choice was not an easy one,\" said head of school Ida Brun."),
        ("Together two adults pay 18, and a child of 6 goes free.", "Adults pay 9, families 25. Children under 7 go free."),
        ("The top step is 4,200 (after 12 years) at Holm and 4,050 at Vester.", TOP_STEPS),
    ],
)  # fmt: skip
def test_a_right_answer_is_not_contradicted(answer, source):
    assert [status for status, _ in findings(answer, source) if status == "contradicted"] == []


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("Breeze has 30 GB of data.", PLANS),
        ("Waste per match dropped by 0.5 tonnes.", "Waste per match fell by 0.8 tonnes."),
        ("Hold it for five minutes.", "Hold the button for 5 seconds. The interval is 60."),
        ("Peers are checked: check_peer is on.", "host: relay\ncheck_peer: false\nmin_version: 1.2"),
        ("The hall was raised in 1811, five years after the flood took the old one.", "The hall dates from 1811; a flood had taken the old one two years before."),
    ],
)  # fmt: skip
def test_a_value_of_another_row_still_is(answer, source):
    assert "contradicted" in [status for status, _ in findings(answer, source)]


@pytest.mark.parametrize(
    ("answer", "source", "question"),
    [
        ("It leaves at 10:40 and arrives at 11:09, a ride of 29 minutes.", "Departs 10:40. Arrives 11:09.", "How long?"),
        ("The 07:30 takes 3 hours 55 minutes to Port Rue.", "The 07:30 reaches Port Rue at 11:25.", "How long?"),
        ("Electricity use fell by 0.5 GWh.", "Electricity: 4.1 GWh in 2023, 3.6 GWh in 2024.", "What changed?"),
        ("In all it needs 230 minutes.", "Brown 15 minutes, cook 10 minutes, boil 5 minutes, bake 180 minutes, rest 20 minutes.", "How long?"),
        ("Students pay 13.60 for Gale.", "Gale costs 17. Students get 20 % off Gale.", "What do students pay?"),
        ("Take 360 g of sugar.", "For 16 buns: 180 g sugar, 500 g flour.", "How much sugar for a double batch?"),
        ("At 15, your child may belay alone.", "Children from 14 may belay alone after a test.", "My child is 15. May she belay?"),
        ("Nordics: revenue rose to EUR 84.0 million.", "Q2 results (EUR million)\n\n| Region | Revenue |\n|---|---|\n| Nordics | 84.0 |\n| Iberia | 52.5 |", "How did they do?"),
        ("The roost held 21,300 cranes on the 27th.", "24 Oct. Kondás: 18,400 cranes.\n27 Oct. Kondás: 21,300 cranes.", "How many cranes?"),
        ("Emre runs the bar from 15:00.", "Shift B (Sat 9–15): ticket desk. Shift C (Sat 15–22): bar, led by Emre.", "Who runs the bar?"),
        ("Inflation in October was lowest in Brezina.", "| Country | Inflation (Oct) |\n|---|---|\n| Lusova | 5.4% |\n| Brezina | 2.2% |", "Where was it lowest?"),
        ("By the end of June 26 of the 64 buses were electric.", "Status 30 June: of 64 buses, 26 are electric.", "How many?"),
        ("That is CHF 45 a head.", "Teams consist of four runners. Fee: CHF 180 per team.", "What does it cost each?"),
        ("The grant pays 4,000 euros of it.", "The grant covers 40 % of the outlay.", "What do I get for an outlay of 10,000 euros?"),
        ("An inhaler of 200 puffs stands for 28 kg, or 140 g a puff.", "An inhaler of 200 puffs is equivalent to 28 kg of CO2.", "How much?"),
        ("Plus allows 12 kg, 4 kg more than Standard.", "Standard: trolley of 8 kg. Plus: trolley of 12 kg.", "What is allowed?"),
        ("Operating profit declined from 118 to 97 million.", "Interim report (million rand)\n\n| | 2022 | 2023 |\n|---|---|---|\n| Operating profit | 118 | 97 |\n| Net profit | 74 | 61 |", "How did profit do?"),
        ("Tuesday 7 May: a hike.", "Programme, May\n\nMon 6: picnic\nTue 7: a hike", "What is on?"),
        ("The second child pays 15 pounds.", "The fee is 30 pounds; a second child pays half.", "What is the fee?"),
    ],
)  # fmt: skip
def test_a_figure_that_follows_is_not_unmentioned(answer, source, question):
    assert ("unsupported", "figure") not in findings(answer, source, question)


@pytest.mark.parametrize(
    ("answer", "source"),
    [
        ("It leaves at 10:40 and arrives at 11:09, a ride of 37 minutes.", "Departs 10:40. Arrives 11:09."),
        ("Students pay 14.60 for Gale.", "Gale costs 17. Students get 20 % off Gale."),
        ("Take 390 g of sugar.", "For 16 buns: 180 g sugar, 500 g flour."),
        (
            "Nordics: revenue rose to EUR 87.0 million.",
            "Q2 results (EUR million)\n\n| Region | Revenue |\n|---|---|\n| Nordics | 84.0 |\n| Iberia | 52.5 |",
        ),
        ("No count was possible on the 29th.", "24 Oct. Kondás: 18,400 cranes.\n27 Oct. Kondás: 21,300 cranes."),
        (
            "It began over a fifteen per cent cut.",
            "The strike began when the management cut the piece rates by a tenth.",
        ),
        ("The top step is 4,200 (after 9 years) at Holm.", TOP_STEPS),
        ("The 4711 hens of farm 4711 lay 4711 eggs.", "The hens of the one farm lay well. It has 1 cock."),
    ],
)
def test_one_that_does_not_is(answer, source):
    assert findings(answer, source)


def test_no_time_at_all_is_not_worked_out_of_nothing():
    assert between("It takes 0 minutes.", ["The desk opens at 9:00 and closes at 10:00."]) is None


def test_hours_and_minutes_are_one_duration():
    assert between("It takes 1 hour and 10 minutes.", ["14:05 to 15:15"]) == "15:15 − 14:05"
    assert between("It takes 1 hour and 20 minutes.", ["14:05 to 15:15"]) is None
    assert between("The night train takes 8 hours.", ["22:00 to 06:00"]) == "06:00 − 22:00"


@pytest.mark.parametrize(
    "heading",
    ["Battery cover: five years", "Don't combine with paracetamol", "Shop first, then the blog", "Most employees dislike the canteen", "The last matching rule wins", "Unit must keep running", "Faulty buckle in navy carriers", "Daily departures from Alvesta"],
)  # fmt: skip
def test_a_heading_that_says_something_is_a_claim(heading):
    first, *_ = claims(f"## {heading}\n\nThe rest.", "What is it?")
    assert first.checkable


@pytest.mark.parametrize("heading", ["Opening hours", "The new canteen prices", "Before you go", "All about cats", "Results and next steps", "How to pay", "Key findings and recommendations", "Main causes, effects and possible treatments"])  # fmt: skip
def test_a_heading_that_names_what_comes_is_none(heading):
    first, *_ = claims(f"## {heading}\n\nThe rest.", "What about the canteen and its cats?")
    assert first.why_not == "heading"


def test_a_judge_may_quote_a_row_as_it_was_shown():
    csv = "model,range,battery\nTarn T1,10,18\nTarn T2,25,14\n"
    shown: list[str] = []

    judge = ScriptedJudge(lambda question: _supported(question, shown), id="reader")
    case = Case(goal="Which lasts longest?", subject=Answer(text="In frost the T2 lasts about 7 months."), evidence=(Evidence(id="d1", text=csv),))  # fmt: skip
    record = Verifier().with_services({"judges": OneJudge(judge)}).verify_sync(case)
    assert shown
    assert [str(claim.status) for claim in record.claims] == ["supported"]


def _supported(question, shown: list[str]) -> dict[str, object]:
    asked = json.loads(material_of(question)["claims"])
    shown += [one["passages"] for one in asked]
    said = [{"number": one["number"], "status": "supported", "evidence": one["passages"][-30:]} for one in asked]
    return {"claims": said}


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("twig sprout shopping-list", False),
        ("twig load users.yml orders.yml", False),
        ("twig wipe --name shop_test", False),
        ("twig sprout --force shopping-list", True),
    ],
)
def test_what_fills_a_placeholder_is_the_answers_own(line, named):
    source = (
        "`twig sprout NAME` creates a branch. `twig load FILE...` loads files. `twig wipe --name DB` empties a base."
    )
    found = findings(f"Run this:\n\n```sh\n{line}\n```", source, "How do I use twig?")
    assert (("unsupported", "identifier") in found) == named


def test_a_name_in_brackets_in_code_is_no_citation():
    found = claims(
        "Rotation is set in the `[log]` section of `kestrel.toml`. It is on by default [log].", "Where is it set?"
    )
    assert [one.citations for one in found] == [(), ("log",)]


def test_what_nobody_would_expect_is_stated_all_the_same():
    (one,) = claims("And who would expect that each clock has a mechanism of its own?", "What drives the clocks?")
    assert one.checkable
    assert "each clock has a mechanism" in one.text.lower()


NAMES = ("Ashwood", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Gum", "Hazel", "Iris", "Juniper", "Kapok", "Larch", "Maple", "Oakley")  # fmt: skip
HALLS = "| Hall | Budget | Rooms |\n|---|---|---|\n" + "".join(
    f"| {name} | {3310 + n * 217 + n * n * 13} | {11 + n * 3} |\n" for n, name in enumerate(NAMES)
)  # Ashwood has 3310, Oakley 8328; there are too many figures to seek sums among all of them


@pytest.mark.parametrize(
    ("answer", "missing"),
    [
        ("Ashwood has a budget of 3310 euros. Oakley has a budget of 8328 euros. The gap is 5018 euros.", 0),
        ("Ashwood has a budget of 3310 euros. Oakley has a budget of 8328 euros. The gap is 5118 euros.", 1),
        ("Ashwood has a budget of 3410 euros. Oakley has a budget of 8328 euros. The gap is 4918 euros.", 2),
        ("Together they come to 11,638 euros:\n\n- Ashwood: 3310 euros\n- Oakley: 8328 euros", 0),
        ("Together they come to 11,838 euros:\n\n- Ashwood: 3310 euros\n- Oakley: 8328 euros", 3),
    ],
    ids=["difference", "wrong difference", "difference of a wrong figure", "total", "wrong total"],
)
def test_a_figure_may_be_worked_out_from_those_of_other_claims_that_the_sources_bear_out(answer, missing):
    assert findings(answer, HALLS).count(("unsupported", "figure")) == missing


def test_a_figure_that_is_not_said_to_be_worked_out_stays_contradicted_whatever_the_other_claims_add_up_to():
    source = "The fee for the course is 40 euros. A group has 5 members. The room holds 9 chairs."
    assert findings(source.replace("40", "45"), source)[0] == ("contradicted", "figure")


HALL = "The hall opens at 9. You can park behind it for free. Tickets cost 8 euros."


def stated(answer: str, source: str = HALL) -> list[str]:
    case = Case(goal="What does it say of the hall and its tickets?", subject=Answer(text=answer), evidence=(Evidence(id="d1", text=source),))  # fmt: skip
    record = Verifier.from_settings(Settings(verification={"model": "rules"})).verify_sync(case)  # type: ignore[arg-type]
    return [str(one.status) for one in record.claims]


@pytest.mark.parametrize(
    "answer",
    [
        "The page says nothing about dogs.",
        "The leaflet is silent on refunds.",
        "The notice gives no details on wheelchair access.",
        "The handbook makes no mention of dogs and cats.",
    ],
)
def test_that_a_source_leaves_out_what_it_has_no_word_of_is_borne_out(answer):
    assert stated(answer) == ["supported"]


@pytest.mark.parametrize(
    "answer",
    [
        "The page says nothing about tickets.",
        "The page says nothing about parking.",
        "The leaflet is silent on the cost of refunds.",
        "The page says nothing about dogs because Zoltan Kovacs bites.",
        "The page says nothing about dogs; sausages weigh 12 kg.",
        "The page says nothing about dogs and Zoltan Kovacs feeds small lions daily.",
        "The page makes no mention of the 12 million fine.",
        "The policy does not cover earthquakes.",  # says what is insured, not what is written
    ],
)
def test_that_it_leaves_out_what_it_speaks_of_or_more_than_that_is_not(answer):
    assert "supported" not in stated(answer)


def test_of_sources_that_were_read_in_part_nobody_knows_what_they_leave_out():
    long = "Nothing of interest happened on that day in the valley. " * (MAX_READ // 40)
    assert "supported" not in stated("The page says nothing about dogs.", HALL + long)


@pytest.mark.parametrize(
    ("answer", "size"),
    [
        (lambda size: "It is " + "1 = " * size, 1000),
        (lambda size: "It is " + "1 + 1 = 2 " * size + "in all.", 100),
        (lambda size: "It is " + "1 x " * size + "= 1.", 490),
        (lambda size: "It is " + " and ".join(str(n * 7) for n in range(size)) + " in all.", 2_000),
        (lambda size: "\n".join(f"- Hall {n} costs {n * 7 + 1} euros in all" for n in range(size)), 150),
    ],
    ids=["equals signs", "equations", "factors", "figures", "claims"],
)
def test_looking_through_a_text_full_of_figures_grows_with_its_length_and_not_faster(answer, size):
    source = "\n".join(f"- Hall {n} costs {n * 7} euros" for n in range(150))
    findings(answer(2), source)  # what is made once is made
    half, whole = (calls(lambda text=text: findings(text, source)) for text in (answer(size // 2), answer(size)))
    assert whole < 2.5 * half


@pytest.mark.parametrize(
    ("right", "wrong", "source"),
    [
        ("Call `/v2/orders?limit=200&cursor=VALUE` next.", "Call `/v2/orders?size=200` next.", "Call `/v2/orders`; `limit` is at most 200, `cursor` comes next."),
        ("See https://api.example.com/orders?limit=5.", "See https://api.example.com/invoices?limit=5.", "Orders: https://api.example.com/orders, with `limit`."),
        ("A five-day rental covers 900 km.", "A five-day rental covers 950 km.", "The rental covers 180 km a day."),
        ("Aldo Renn was born in 1871.", "Aldo Renn was born in 1874.", "Aldo Renn was nine in 1880."),
        ("The timeout is one and a half seconds.", "The timeout is two and a half seconds.", "The timeout is 1500 ms."),
        ("Lena finished two days ahead of Tom.", "Lena finished four days ahead of Tom.", "Lena finished on 3 March 2026, Tom on 5 March 2026."),
        ("Revenue rose by about 15 % in 2024.", "Revenue rose by about 25 % in 2024.", "It has four ports and one fan. Revenue in 2024 was 48.2 million dollars, up from 41.9 million in 2023."),
        ("It has four 2.5 Gbit/s ports.", "It has two 2.5 Gbit/s ports.", "It has four 2.5 Gbit/s ports."),
    ],
)  # fmt: skip
def test_what_is_put_otherwise_is_found_and_what_is_wrong_is_not(right, wrong, source):
    assert points(right, source) <= {"same", "elsewhere"}
    assert points(wrong, source) & {"missing", "contradicted"}


def points(claim, source):
    """What the rules find of each part of a claim, the words apart."""
    one = next(one for one in claims(claim) if one.checkable)
    seen = look(one.text, Index([EvidenceSource("s", source)]), statement=one)
    return {
        point.finding
        for point in seen.points
        if point.rule in ("figure", "count", "derived", "date", "address", "identifier")
    }


@pytest.mark.parametrize("days", ["60 days", "15 days", "45 days"])
def test_another_figure_in_the_same_sentence_is_contradicted_however_round_a_multiple(days):
    source = "Customers may return items within 30 days of delivery. Refunds are paid within 5 to 7 business days."
    assert "contradicted" in points(f"You can return items within {days} of delivery.", source)


BINS = """| Bin | Day | How often |
|---|---|---|
| Organic | Thursday | May to October weekly, otherwise every two weeks |
| Sack | Friday | every two weeks |
| Paper | Monday | every four weeks |
"""
CODES = """| Code | Meaning | What to do |
|---|---|---|
| E18 | Water is not drained | Clean the filter |
| E21 | Heating fault | Call service |

If the code appears again, call customer service.
"""
SALES = """| Region (million euros) | 2021 | 2023 |
|---|---|---|
| Asia | 160 | 220 |
| Europe | 412 | 441 |

In the first quarter of 2024 sales in Asia came to 52 million euros.
"""


def contradictions(claim: str, source: str) -> list[str]:
    found = look(claim, Index([EvidenceSource("d1", source)]))
    return [point.part for point in found.points if point.finding == "contradicted"]


def test_a_value_of_another_row_that_stands_in_the_own_one_too_contradicts_nothing():
    assert contradictions("The organic bin is emptied every two weeks in the other months.", BINS) == []
    assert contradictions("The organic bin is emptied every four weeks.", BINS) != []


def test_a_value_of_another_row_that_a_sentence_says_of_all_contradicts_nothing():
    assert contradictions("If E18 returns, call customer service.", CODES) == []
    assert contradictions("For E18, call service.", CODES.partition("\n\n")[0]) != []


def test_a_change_is_no_other_value_of_the_level():
    assert contradictions("Sales in Asia went up by 60 million euros.", SALES) == []
    assert contradictions("In the first quarter of 2024 sales in Asia came to 60 million euros.", SALES) != []
