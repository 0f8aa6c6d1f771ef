"""One value in two notations: what is equal is found and read as the sources write it, what only looks alike is not."""

from __future__ import annotations

import pytest

from witnessmark import Answer, Case, Evidence, Verifier
from witnessmark.checks.grounding.claim_reader import ClaimReader
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look
from witnessmark.checks.grounding.grounding_check import Verification, evaluate_claims
from witnessmark.checks.grounding.relations.notation import SourceNotation, in_source_notation
from witnessmark.checks.grounding.statement import Statement
from witnessmark.checks.grounding.wrong_words import wrong_words
from witnessmark.core.protocols import Reading
from witnessmark.core.verdict import Claim
from witnessmark.settings import Settings
from witnessmark.text import words


def only_claim(answer: str, source: str, question: str = "What does it say?") -> Claim:
    case = Case(goal=question, subject=Answer(text=answer), evidence=(Evidence(id="d1", text=source),))
    record = Verifier.from_settings(Settings(verification={"model": "rules"})).verify_sync(case)  # type: ignore[arg-type]
    return record.claims[0]


def restated(claim: str, source: str, language: str = "en") -> SourceNotation:
    index = Index([EvidenceSource("d1", source)], claim, language)
    return in_source_notation(claim, index, [passage for _, passage in index.best(words.content(claim))], language)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The crate weighs 1.5 kg.", "The crate weighs 1,500 g."),
        ("The film runs for 90 minutes.", "The film runs for 1.5 hours."),
        ("The quota is 2 GB.", "The quota is 2,048 MB."),
        ("The quota is 2 GB.", "The quota is 2000 MB."),
        ("The talk begins at 16:30.", "The talk begins at 4:30 pm."),
        ("The talk begins at 3 p.m. on Friday.", "The talk begins at 15:00 on Friday."),
        ("Add 0.5 cups of oats.", "Add ½ cups of oats."),
        ("The bell rings at noon.", "The bell rings at 12:00."),
        ("The lease ends on 2024-05-01.", "The lease ends on 1 May 2024."),
        ("The lease ends on May 1, 2024.", "The lease ends on 2024-05-01."),
        ("The team found 1.2 million cells.", "The team found 1.2e6 cells."),
        ("The team found 4,500 cells.", "The team found 4.5 × 10^3 cells."),
        ("We bought two dozen bulbs.", "We bought 24 bulbs."),
        ("Add 1.5 cups of oats.", "Add 1½ cups of oats."),
        ("The mill cost 340m Swiss francs.", "The mill cost CHF 340 million."),
    ],
)
def test_an_equal_value_in_another_notation_says_the_same_word_for_word(claim, source):
    assert restated(claim, source).text == source
    assert str(only_claim(claim, source).status) == "supported"


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Die Frist endet am 01.10.2024.", "Die Frist endet am 1. Oktober 2024."),
        ("Die Sitzung beginnt um 20 Uhr.", "Die Sitzung beginnt um 20:00 Uhr."),
        ("Die Kaution beträgt 2400 €.", "Die Kaution beträgt 2.400 Euro."),
    ],
)
def test_in_german_too(claim, source):
    assert restated(claim, source, "de").text == source


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The crate weighs 1.5 kg.", "The crate weighs 1,480 g."),  # near is not equal
        ("The quota is 2 GB.", "The quota is 2,060 MB."),
        ("The crate weighs 1.5 kg.", "The crate weighs 1.5 kg, that is 1,500 g."),  # it has the claim's own notation
        ("The talk begins at 9:00.", "The talk begins at 21:00."),  # it may be either, and is not called the evening
        ("Three dogs came.", "The house has 3 floors."),  # a small number counts anything
        ("The lead time is 21 days.", "lead_time_days: 21"),  # without its key it says less
        ("The fair ends on 20 July.", "The fair runs from 18 July to Sunday the 20th."),
        ("The door closed at 03:12.", "2026-01-04T03:12:09Z INFO door closed"),  # it must not become more precise
        ("The lake is 41 m deep.", "The lake is 41 metres deep."),  # no reader is fooled by the name of a unit
        ("Six boats came.", "In the end 6 boats came."),
        ("It is a 24-month term.", "The term is 24 months."),
        ("The station has stood there since 1958.", "The station has stood there since 7:58 pm."),
    ],
)
def test_a_claim_stays_as_it_is_where_nothing_is_equal_or_nothing_differs(claim, source):
    assert restated(claim, source) == SourceNotation(claim)


def test_a_time_of_a_log_is_read_with_its_stamp():
    told = restated("The job failed at 03:12:09 UTC.", "2026-01-04T03:12:09Z ERROR job failed: disk full")
    assert told.text == "The job failed at 2026-01-04T03:12:09Z."
    told = restated("The job failed at 3:12 am.", "2026-01-04T03:12:09Z ERROR job failed: disk full")
    assert told.text == "The job failed at 03:12."  # and to the second only where it says seconds itself


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The tax rate is 20%.", '{"tax_rate": 0.2, "paid": false}'),
        ("The churn rate is 3.5 %.", "churn_rate: 0.035\nregion: north"),
        (
            "Sales in 2025 came to 66.4 million dollars.",
            "| | 2024 | 2025 |\n|---|---|---|\n| Sales ($m) | 61.0 | 66.4 |",
        ),
        ("Costs in 2024 were EUR 12.1 million.", "| | 2024 | 2025 |\n|---|---|---|\n| Costs (EUR m) | 12.1 | 13.4 |"),
        ("The fund holds 340m.", "The fund holds CHF 340 million."),
        ("The job failed at 03:12:09.", "2026-01-04T03:12:09Z ERROR job failed\n2026-01-04T03:14:00Z INFO retry"),
        ("The job failed at 03:12.", "2026-01-04T03:12:09Z ERROR job failed\n2026-01-04T03:14:00Z INFO retry"),
    ],
)
def test_a_value_is_not_missing_for_its_notation(claim, source):
    index = Index([EvidenceSource("d1", source)])
    assert {one.finding for one in look(claim, index).points if one.rule == "figure"} <= {"same", "elsewhere"}


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The tax rate is 25%.", '{"tax_rate": 0.2, "paid": false}'),
        ("The stake is 20%.", "The ball weighs 0.2 kg. The stake is small."),
        (
            "Sales in 2025 came to 66.4 billion dollars.",
            "| | 2024 | 2025 |\n|---|---|---|\n| Sales ($m) | 61.0 | 66.4 |",
        ),
        ("The quota is 2 GB.", "The quota is 4,096 MB."),
        ("The job failed at 03:12:45.", "2026-01-04T03:12:09Z ERROR job failed\n2026-01-04T03:14:00Z INFO retry"),
        ("We bought 2 dozen bulbs.", "We bought 20 bulbs."),
        ("Add ¼ cup of oats.", "Add ½ cup of oats."),
        ("Add 1¼ cups of oats.", "Add 1½ cups of oats."),
    ],
)
def test_another_value_in_another_notation_is_not_found(claim, source):
    index = Index([EvidenceSource("d1", source)])
    assert {one.finding for one in look(claim, index).points if one.rule == "figure"} & {"missing", "contradicted"}


TIMES = [
    ("The ferry leaves at 7:15 am and docks at 8:40 am.", "The ferry leaves at 7:15 pm.", "7:15 am"),
    ("Check-out is by 11 am.", "Check-out is by 11 p.m.", "11 am"),
    ("The backup runs at 2 am.", "The backup runs at 14:00.", "2 am"),
    ("The last bus goes at 12:40 pm.", "The last bus goes at 00:40.", "12:40 pm"),
    ("The pharmacy is open from 8 am to 6 pm.", "The pharmacy closes at 6:00 a.m.", "6 pm"),
    ("Lunch is at 12:30, tea at 16:00.", "Lunch is at 12:30 am.", "12:30"),
    ("2026-01-04T10:15:31Z ERROR disk full", "The error came at 10:15 pm.", "10:15:31"),
]


@pytest.mark.parametrize(("source", "claim", "stated"), TIMES)
def test_a_time_in_the_other_half_of_the_day_is_contradicted_and_is_one_token(source, claim, stated):
    one = only_claim(claim, source)
    (wrong,) = one.words
    assert (str(one.status), one.details["stated"]) == ("contradicted", stated)
    assert wrong.text in claim
    assert any(mark in wrong.text for mark in (":", "m"))


@pytest.mark.parametrize(
    ("source", "claim"),
    [
        ("The pool is open from 5 am to 6 pm.", "You can swim at 6 am."),
        ("The shift starts at 22:00.", "The shift starts at 10 pm, not at 10 am."),
        ("The course starts at 3 am and lasts twelve hours.", "The course ends at 3 pm."),
        ("Doors open at 7:30.", "Doors open at 7:30 pm."),
        ("Lunch is at 12:30, tea at 16:00.", "Lunch is at 12:30 pm."),
        ("The gate opens at 6 am. The yard closes at 6 pm.", "The gate opens at 6 am and the yard closes at 6 pm."),
    ],
)
def test_a_time_that_may_be_right_is_not(source, claim):
    assert str(only_claim(claim, source).status) != "contradicted"


class SeesWrong:
    """A model that finds one part of what it reads wrong."""

    id, version = "local", "0"

    def __init__(self, part: str) -> None:
        self.part, self.asked = part, list[str]()

    def read(self, pairs, question=""):
        self.asked += [claim for _, claim in pairs]
        return [(0.2, 0.5, (at := claim.find(self.part), at + len(self.part)), 0.5) for _, claim in pairs]


@pytest.mark.parametrize(
    ("part", "meant"), [("1,500 g", "1.5 kg"), ("500", "1.5 kg"), ("arrive by", "arrive by"), ("Friday", "Friday")]
)
def test_a_model_reads_the_notation_of_the_sources_and_its_wrong_words_stand_in_the_answer(part, meant):
    claim = "The 1.5 kg crate should arrive by Friday."
    index = Index([EvidenceSource("d1", "A crate of 1,500 g was sent on Monday. Crates that arrive are weighed.")])
    seen, model = look(claim, index), SeesWrong(part)
    (said,) = ClaimReader(model, None, Verification()).scores([Statement((0, len(claim)), claim)], [seen], index, "")
    assert model.asked == ["The 1,500 g crate should arrive by Friday."]
    assert said is not None
    assert said.wrong is not None
    assert claim[slice(*said.wrong)] == meant


@pytest.mark.parametrize(
    ("text", "marked", "shown"),
    [
        ("It ended on 2024-05-01.", "-05-01", "2024-05-01"),
        ("It ended at 16:30.", "16", "16:30"),
        ("It ended on 12 March 2024.", "March", "12 March 2024"),
        ("It is 1.2 m wide.", "1", "1.2"),
        ("A value of 25 is allowed.", "of 25", "25"),
        ("See ticket JIRA-4412, please.", "44", "JIRA-4412"),
        ("It is not allowed.", "not", "not"),
        ("The crate is blue.", "crate is blu", "crate is blue"),
    ],
)
def test_wrong_words_are_whole_tokens(text, marked, shown):
    at = text.index(marked)
    (found,) = wrong_words(Statement((0, len(text)), text), None, (at, at + len(marked)))
    assert found.text == shown
    assert found.span is not None
    assert text[slice(*found.span)] == shown


def test_the_place_of_a_value_is_found_again_after_it_and_inside_it():
    told = SourceNotation("In 1 May 2024 and 1,500 g of it", (((3, 13), (3, 13)), ((18, 24), (18, 25))))
    assert told.in_claim(Reading(0.1, None, (20, 22))).wrong == (18, 24)
    assert told.in_claim(Reading(0.1, None, (26, 28))).wrong == (25, 27)
    assert told.in_claim(Reading(0.1, None, (14, 17))).wrong == (14, 17)
    assert told.in_claim(Reading(0.1)).wrong is None


class _Heard:
    """A model that notes what it is given to read."""

    id, version = "heard", "1"

    def __init__(self):
        self.texts = []

    def support(self, pairs):
        self.texts += [text for _, text in pairs]
        return [0.9] * len(pairs)


@pytest.mark.parametrize(
    ("table", "read"),
    [
        ("| Time | Places |\n|---|---|\n| 14:00 | six left |", "14:00: six left"),
        ("| Time | Places | Room |\n|---|---|---|\n| 14:00 | six | B |", "Time: 14:00; Places: six; Room: B"),
        ("| Time | |\n|---|---|\n| 14:00 | six left |", "Time: 14:00; six left"),
    ],
)
def test_a_model_reads_a_row_of_two_columns_without_the_writers_heads(table, read):
    model = _Heard()
    case = Case(
        goal="When is it?", subject=Answer(text=table), evidence=(Evidence(id="d1", text="A workshop at two."),)
    )
    evaluate_claims(case, Verification(), model, None, None)
    assert model.texts == [read]


def test_wrong_words_of_a_row_are_shown_where_they_stand_in_it():
    row, heads = "Time: 14:00; Places: six left", ("Time", "Places")
    plain = SourceNotation(row).without_heads(row, heads)
    start = plain.text.index("six")
    back = plain.in_claim(Reading(0.1, wrong=(start, start + 3))).wrong
    assert row[slice(*back)] == "six"
    rewritten = SourceNotation("Time: 2 pm; Places: six left", (((6, 11), (6, 10)),)).without_heads(row, heads)
    assert rewritten.text == "2 pm: six left"
    assert row[slice(*rewritten.in_claim(Reading(0.1, wrong=(0, 4))).wrong)] == "14:00"
    assert SourceNotation("six left").without_heads(row, heads).text == "six left"
