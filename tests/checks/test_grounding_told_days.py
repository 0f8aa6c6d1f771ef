"""Days that a source does not write out: yesterday under a dateline, a day in the year of its text, the end of a span of time."""

import pytest

from witnessmark.checks.grounding.decision import decide
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look
from witnessmark.checks.grounding.relations import own_figures
from witnessmark.core.protocols import Reading

FIRE = "Villamar, 9 August. A fire at the substation left 12,600 customers without power yesterday."
BRAND = "Kiel, 1. März 2024. Ein Brand legte gestern das Umspannwerk lahm. Morgen soll es wieder laufen."
PONT = "Lyon, le 3 mai 2024. La mairie a fermé le pont hier. Il rouvrira demain."
CORTE = "Villamar, 9 de agosto. Un incendio dejó ayer sin electricidad a 12.600 clientes."
EARLIER = "The bridge opened on 4 June 2023. The mayor had tested it the day before."
MINUTES = "Minutes of the meeting, 6 May 2025. Okafor will circulate a draft budget by 27 May."
LAW = "The law applies from 1 January 2028. Only warnings are given in the first six months. The portal opens on 3 March 2027."


def findings(claim: str, source: str, language: str = "en") -> set[str]:
    seen = look(claim, Index([EvidenceSource("s", source)], claim, language), language)
    return {str(point.finding) for point in seen.points}


AGAINST = {"missing", "contradicted"}


@pytest.mark.parametrize(
    ("right", "wrong", "source"),
    [
        ("A fire at the substation left customers without power on 8 August.", "A fire at the substation left customers without power on 6 August.", FIRE),
        ("Am 29. Februar 2024 legte ein Brand das Umspannwerk lahm.", "Am 27. Februar 2024 legte ein Brand das Umspannwerk lahm.", BRAND),
        ("Am 2. März soll das Umspannwerk wieder laufen.", "Am 5. März soll das Umspannwerk wieder laufen.", BRAND),
        ("La mairie a fermé le pont le 2 mai 2024.", "La mairie a fermé le pont le 30 avril 2024.", PONT),
        ("El incendio del 8 de agosto dejó sin electricidad a 12.600 clientes.", "El incendio del 6 de agosto dejó sin electricidad a 12.600 clientes.", CORTE),
        ("The mayor had tested the bridge on 3 June 2023.", "The mayor had tested the bridge on 2 June 2023.", EARLIER),
        ("Okafor will circulate a draft budget by 27 May 2025.", "Okafor will circulate a draft budget by 27 May 2024.", MINUTES),
        ("Okafor will circulate a draft budget by 27 May 2025.", "Okafor will circulate a draft budget by 28 May 2025.", MINUTES),
        ("Only warnings are given until the end of June 2028.", "Only warnings are given until the end of May 2028.", LAW),
        ("Only warnings are given until 30 June 2028.", "Only warnings are given until 30 April 2028.", LAW),
    ],
)  # fmt: skip
def test_a_day_that_follows_from_a_date_of_the_source_is_borne_out_and_another_is_not(right, wrong, source):
    assert not findings(right, source) & AGAINST
    assert findings(wrong, source) & AGAINST


ISSUED = "The invoice was issued on 1 June. It is due within 14 days of issue."
YEAR_END = "The invoice was issued on 20 December. It is due within 14 days of issue."
TRIAL = "The trial starts on 1 June and lasts two weeks."
WORKING = "The invoice was issued on 1 June. It is due within 14 working days of issue."


@pytest.mark.parametrize(
    ("right", "wrong", "source"),
    [
        ("The invoice is due on 15 June.", "The invoice is due on 20 June.", ISSUED),
        ("The invoice is due on 3 January.", "The invoice is due on 2 February.", YEAR_END),
        ("The invoice is due on 15 June.", "The invoice is due on 15 July.", ISSUED.replace("June", "June 2024")),
        ("The invoice is due on 15 June.", "The invoice was issued on 15 June.", ISSUED),
        ("The trial ends on 15 June.", "The trial ends on 25 June.", TRIAL),
        ("The trial ends on 15 June.", "The trial ends on 1 June.", TRIAL),
        ("The permit lapses on 5 March.", "The permit lapses on 9 March.", "The permit was granted on 20 February and lapses after 14 days."),
        ("The permit lapses on 6 March.", "The permit lapses on 9 March.", "The permit was granted on 20 February and lapses after 14 days."),
        ("The invoice is due on 21 June.", "The invoice is due on 8 June.", WORKING),
    ],
)  # fmt: skip
def test_a_day_that_is_counted_without_a_year_or_cannot_be_counted_is_not_held_against_a_claim(right, wrong, source):
    assert not findings(right, source) & AGAINST
    assert findings(wrong, source) & AGAINST


def test_a_day_without_a_year_does_not_follow_in_a_year_that_nobody_names():
    assert "same" in findings("The invoice is due on 15 June.", ISSUED)
    assert "same" not in findings("The invoice is due on 15 June 2025.", ISSUED)


def test_nothing_follows_for_a_day_that_the_source_gives_otherwise_after_the_same_words():
    source = TRIAL.replace("June", "June 2024")
    assert "same" in findings("The trial ends on 15 June 2024.", source)
    assert "same" not in findings("The trial starts on 15 June 2024.", source)


def test_a_year_is_that_of_the_text_only_where_the_text_has_one():
    source = "Minutes, 6 May 2025. Okafor sends a draft by 27 July."
    assert findings("Okafor sends a draft by 27 July 2025.", source) == {"same"}
    assert "same" not in findings(
        "Okafor sends a draft by 27 July 2025.", f"{source} The last audit was on 3 March 2023."
    )


TRAIN = "Between 09:42 and 11:17 UTC checkout was down.\n09:42 certificate expires; first errors\n09:51 alert fires"
LOG = "2024-08-19T02:00:00Z INFO start job\n2024-08-19T02:11:10Z ERROR job failed"
FERRY = "Sunday: first departure 08:00, then every 60 minutes until 22:00.\nCrossing time: 15 minutes"
LEASE = "The agreement continues for an initial term of thirty-six (36) months."


@pytest.mark.parametrize(
    ("right", "wrong", "source"),
    [
        ("Expired certificate; 95 minutes", "Expired certificate; 85 minutes", TRAIN),
        ("The alert fired 9 minutes after the certificate expired.", "The alert fired 11 minutes after the certificate expired.", TRAIN),
        ("The job failed after 11 minutes and 10 seconds.", "The job failed after 11 minutes and 20 seconds.", LOG),
        ("The crossing takes 15 min, so the boat of 22:00 arrives at 22:15.", "The crossing takes 15 min, so the boat of 22:00 arrives at 22:25.", FERRY),
        ("Smaller firms have 18 months longer.", "Smaller firms have 14 months longer.", "Large firms start on 1 July 2026 and smaller firms on 1 January 2028."),
        ("The initial term is 36 months (three years).", "The initial term is 36 months (four years).", LEASE),
        ("It has an initial 36-month (three-year) term.", "It has an initial 36-month (two-year) term.", LEASE),
    ],
)  # fmt: skip
def test_a_span_of_time_that_follows_is_borne_out_and_another_is_not(right, wrong, source):
    assert not findings(right, source) & AGAINST
    assert findings(wrong, source) & AGAINST


@pytest.mark.parametrize(
    ("claim", "wrong"),
    [
        ("The lease runs for 36 months (three years).", []),
        ("The lease runs for 36 months (four years).", ["four years"]),
        ("The trail is 10 km (9 miles) long.", ["9 miles"]),
        ("The trail is 10 km (about 6 miles) long.", []),
        ("It takes 5 days (40 hours).", []),  # of work
        ("It takes 90 minutes (2 hours at weekends).", []),
    ],
)
def test_an_amount_in_brackets_is_the_one_before_it_in_another_unit(claim, wrong):
    assert [one.part for one in own_figures.wrong(claim)] == wrong


def test_a_figure_that_follows_bears_a_claim_out_unless_something_speaks_against_it():
    source = "The museum opened in 1978 in an old mill and was closed from 2015 to 2018."
    index = Index([EvidenceSource("s", source)])
    right, wrong = "The museum was 37 years old when it closed.", "The Berlin museum was 37 years old when it closed."
    unsure, against = Reading(support=0.2), Reading(support=0.02)  # by itself the first is partial, the second is not
    assert decide(look(right, index), unsure).status == "supported"
    assert decide(look(right, index), against).status != "supported"
    assert decide(look(wrong, index), unsure).status != "supported"


def test_a_time_follows_from_another_and_a_span_that_the_claim_has():
    index = Index([EvidenceSource("s", FERRY)])
    found = look("The crossing takes 15 min, so the boat of 22:00 arrives at 22:15.", index).points
    assert ("derived", "same", "22:15", "22:00 + 15 min") in {(p.rule, p.finding, p.part, p.stated) for p in found}
