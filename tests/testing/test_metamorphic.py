"""Cases that pass, damaged in every way there is: with a reader that makes no mistake none of them passes any more."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from witnessmark import Case, Verifier
from witnessmark.checks.grounding.confidence import Verification
from witnessmark.core.errors import InputError, UnknownNameError
from witnessmark.settings import Settings
from witnessmark.testing import metamorphic

BRIDGE = (
    "The Harrow Lane footbridge lost its eastern abutment to scour during the flood of 9 February 2019. Contractor Dunmore "
    "Civil began work in March, before Keller Rail took over the signals. The bridge reopened on 14 October 2019, seven months "
    "after work began. The council paid £640,000. The western abutment was not damaged."
)
TABLE = "| Model | Battery life |\n|---|---|\n| Orion S | 28 hours |\n| Orion X | 41 hours |\n"


def answer(text, goal="What happened to the bridge?", source=BRIDGE):
    return Case(goal=goal, subject={"kind": "answer", "text": text}, evidence=[{"id": "d1", "text": source}])


ANSWERS = [
    answer(BRIDGE),
    answer("Dunmore Civil began work in March, before Keller Rail took over the signals. It was not damaged."),
    answer("£640,000", "How much did the council pay?"),
    answer("No.", "Was the western abutment damaged?"),
    answer(TABLE, "Compare the battery life.", f"{TABLE}Both are headsets."),
    Case(
        goal="What does the ferry cost?",
        subject={"kind": "answer", "text": "A ticket of the ferry costs ≥ 14 euros [d1]. Dogs travel free [d2]."},
        evidence=[
            {"id": "d1", "text": "A ticket of the ferry costs ≥ 14 euros."},
            {"id": "d2", "text": "Dogs travel free."},
        ],
    ),
    replace(answer("14 euros.", "What does the ferry cost?", "The ferry costs 14 euros."), reference="14 euros"),
]
OUTPUT = Case(
    goal="Find the population of Tallow Bay.",
    subject={
        "kind": "agent_output",
        "summary": "Tallow Bay had 14,318 inhabitants at the 2021 census, up from 13,950 in 2011.",
        "data": {"population": 14318, "places": ["Tallow Bay"]},
        "confidence": 0.9,
        "tools_used": ["search"],
        "metadata": {},
    },
    evidence=[
        {
            "id": "c1",
            "kind": "tool_call",
            "name": "search",
            "output": "Tallow Bay had 14,318 inhabitants at the 2021 census, up from 13,950 in 2011.",
        }
    ],
)
MISSION = Case(
    goal="Paint the hall",
    subject={
        "kind": "mission",
        "goal": "Paint the hall",
        "tasks": [
            {"id": "t1", "output": "The wall area is 280 square metres."},
            {"id": "t2", "output": "Two coats take 70 litres.", "depends_on": ["t1"]},
        ],
    },
)
GOOD = sorted((Path(__file__).parents[1] / "fixtures" / "good").glob("synthesis-*.json"))
SYNTHESES = [Case.from_json(path.read_bytes()) for path in GOOD[:4]]

RULES = Verifier(Settings(verification=Verification(model="rules")))


@pytest.fixture(scope="module")
def perfectly_read():
    """Read by rules and the perfect reader: the embedded model would only be asked what the reader is asked anyway."""
    return metamorphic.run(RULES, [*ANSWERS, *SYNTHESES, OUTPUT, MISSION], perfect_reader=True)


def test_read_perfectly_every_good_case_passes(perfectly_read):
    assert perfectly_read.passing == perfectly_read.cases


def test_read_perfectly_no_damage_of_any_kind_goes_through(perfectly_read):
    assert {name: n for name, n in perfectly_read.accepted.items() if n} == {}
    assert perfectly_read.rate == 0.0


def test_adding_a_false_statement_raises_neither_outcome_nor_score_nor_the_confidence_of_a_pass(perfectly_read):
    assert perfectly_read.broken == ()


def test_every_way_to_damage_a_case_was_tried(perfectly_read):
    assert set(metamorphic.DAMAGES) - set(perfectly_read.tried) == set()


def test_the_table_has_every_kind_with_its_rate(perfectly_read):
    told = perfectly_read.table()
    assert all(f"| {name} | 0 of {tried} | 0% |" in told for name, tried in perfectly_read.tried.items())


@pytest.mark.parametrize(
    ("name", "text", "of"),
    [
        ("refused_and_said", BRIDGE, r"(?:but|although) \S.*\.$"),
        ("about_answer", BRIDGE, r"(?:based on|proof|shows that) \S.*\.$"),
        ("asked_openly", BRIDGE, r"that \S.*\?$"),
        ("why_heading", BRIDGE, r"\n\n## (?:Why|How) \S"),
        ("title_heading", BRIDGE, r"\n\n## \w+ (?:by|to|after) \S"),
        ("small_letter", "It is tall.", r"tall\. [a-zR]"),
        ("false_half", "It is tall.", r"It is tall(?:; | \(| – |, )\S.*\.$"),
        ("symbol_swap", "The limit is ≥ 5 bar.", "≤ 5 bar"),
        ("symbol_swap", "The change was -12 %.", r"\+12 %"),
        ("symbol_swap", "It costs $5.", "€5"),
        ("symbol_swap", "It holds 3 MB.", "3 GB"),
    ],
)
def test_what_is_easily_overlooked_is_put_in_as_it_would_be_written(name, text, of):
    made = [metamorphic.damage(answer(text), name, seed=seed) for seed in range(5)]
    assert all(one is not None and re.search(of, one.case.text) for one in made)
    assert all(one is not None and one.false_words in one.case.text for one in made)


def test_an_agents_data_is_damaged_value_by_value():
    names = ("data_text", "data_flag", "data_member", "data_figure")
    made = {name: metamorphic.damage(OUTPUT, name) for name in names}
    assert all(one is not None and one.case.text == OUTPUT.text for one in made.values())
    assert {name: RULES.verify_sync(one.case).outcome for name, one in made.items() if one} == dict.fromkeys(
        names, "partial"
    )


def test_a_damage_is_a_function_of_the_case_and_the_seed_and_leaves_the_case_alone():
    before = ANSWERS[0].digest()
    one, two = (metamorphic.damage(ANSWERS[0], "figure_swap", seed=3) for _ in range(2))
    assert one == two
    assert one.original.digest() == before == ANSWERS[0].digest()
    assert one.false_words in one.case.text


def test_what_a_case_has_nothing_for_is_left_alone_and_a_wrong_name_is_named():
    assert metamorphic.damage(ANSWERS[0], "swapped_rows") is None
    assert metamorphic.damage(ANSWERS[0], "failed_task") is None
    with pytest.raises(UnknownNameError, match="figure_swap"):
        metamorphic.damage(ANSWERS[0], "figure_swop")
    with pytest.raises(InputError, match="none to damage"):
        metamorphic.run(Verifier(), [])


def test_offline_whatever_is_read_wrongly_the_repaired_case_has_its_record_again():
    report = metamorphic.run(RULES, [ANSWERS[0]], damages=["invented_end", "negation"])
    assert not [told for told in report.broken if "another record" in told]
    assert report.tried == {"invented_end": 1, "negation": 1}
