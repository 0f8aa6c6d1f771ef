"""Figures, dates, names, quotations and wording: what agrees, what contradicts, what is never mentioned, and where."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark import check_answer
from witnessmark.checks.grounding.agreement import agrees
from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.decision import decide
from witnessmark.checks.grounding.evidence import MAX_READ, EvidenceSource, Index
from witnessmark.checks.grounding.features import look
from witnessmark.core.protocols import Reading
from witnessmark.text.dates import dates, follows
from witnessmark.text.names import names
from witnessmark.text.numbers import figures
from witnessmark.text.quotes import find
from witnessmark.text.tables import flattened


def one(text, language="en"):
    found = figures(text, language)
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("claim", "source", "same"),
    [
        ("twenty-five people", "25 people", True),
        ("1,200 people", "1200 people", True),
        ("about 1,200 people", "1,187 people", True),
        ("12 million dollars", "$11.8 million", True),
        ("$12.4 million", "$12 million", False),
        ("14 %", "14 percent", True),
        ("14 %", "41 %", False),
        ("90 minutes", "1.5 hours", True),
        ("5 km", "5,000 metres", True),
        ("5 km", "5 miles", False),
        ("$5", "€5", False),
        ("$8.2m", "$8.2 million", True),
        ("12 people", "between 10 and 15 people", False),
        ("between 10 and 15 people", "12 people", True),
        ("3 to 5 million dollars", "$3 million to $5 million", True),
        ("more than 40 employees", "42 employees", True),
        ("more than 40 employees", "38 employees", False),
        ("2.5 %", "2.53 %", True),
        ("2.6 %", "2.53 %", False),
        ("3,536 pupils", "3,505 pupils", False),
        ("1.234 km", "1,234 km", True),
        ("-3 °C", "3 °C", False),
        ("77 °F", "25 °C", True),
    ],
)
def test_figures_agree_within_the_precision_stated(claim, source, same):
    assert agrees(one(claim), one(source)) is same


@pytest.mark.parametrize(
    ("text", "language", "value", "dimension"),
    [
        ("1.234,5 Euro", "de", 1234.5, "money:EUR"),
        ("siebenundvierzig Hunde", "de", 47, ""),
        ("12 Prozent", "de", 12, "percent"),
        ("1,2 Mio. Euro", "de", 1_200_000, "money:EUR"),
        ("1 234,5 euros", "fr", 1234.5, "money:EUR"),
        ("quatre-vingt-dix personnes", "fr", 90, ""),
        ("12 pour cent", "fr", 12, "percent"),
        ("treinta y cinco por ciento", "es", 35, "percent"),
        ("3 mil millones de dólares", "es", 3e9, "money:USD"),
    ],
)
def test_figures_in_german_french_and_spanish(text, language, value, dimension):
    found = one(text, language)
    assert (found.low, found.dimension) == (value, dimension)


@pytest.mark.parametrize("text", ["COVID-19 spread", "Windows Q3", "one of them", "U-30 sank"])
def test_what_is_part_of_a_name_is_no_figure(text):
    assert figures(text) == []


@pytest.mark.parametrize(
    ("claim", "source", "same"),
    [
        ("March 2021", "3 March 2021", True),
        ("3 March 2021", "March 2021", False),
        ("2021", "March 3, 2021", True),
        ("am 3. März 2021", "2021-03-03", True),
        ("le 3 mars 2021", "el 3 de marzo de 2021", True),
        ("04/03/2021", "2021-03-04", True),
        ("in the 1990s", "in 1994", True),
        ("in 1984", "in 1994", False),
        ("19th century", "1888", True),
    ],
)
def test_a_date_may_be_coarser_than_its_source_and_never_finer(claim, source, same):
    assert follows(dates(claim)[0], dates(source)[0]) is same


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("on 28 rather than 25 September 2023", [(28, 9, 2023), (25, 9, 2023)]),
        ("5, 6 and 7 June", [(5, 6, None), (6, 6, None), (7, 6, None)]),
        ("3-5 May 2020", [(3, 5, 2020), (5, 5, 2020)]),
        ("vom 3. bis 5. Mai 2020", [(3, 5, 2020), (5, 5, 2020)]),
        ("del 3 al 5 de mayo", [(3, 5, None), (5, 5, None)]),
        ("between 2.5 and 3 March", [(3, 3, None)]),
        ("It opens on 18 July and closes on Sunday the 20th.", [(18, 7, None), (20, 7, None)]),
        ("On 18 July we meet on the 20th floor.", [(18, 7, None)]),
    ],
)
def test_days_that_share_a_month_are_dates_each(text, days):
    assert [(date.day, date.month, date.first) for date in dates(text)] == days


def test_a_one_day_course_lasts_one_day():
    assert [(one.low, one.dimension) for one in figures("a one-day workshop")] == [(86400.0, "time")]
    assert figures("a one-way street") == []


@given(st.text(max_size=200))
def test_places_of_figures_and_dates_lie_in_the_text(text):
    for found in (*figures(text), *dates(text)):
        assert 0 <= found.span[0] < found.span[1] <= len(text)


# --- rules against evidence ------------------------------------------------------------------------------------------

SOURCES = [
    EvidenceSource(
        "d1", "Revenue grew 14 % in 2025, to 82 million euros. The company opened offices in Lyon and Porto."
    ),
    EvidenceSource("d2", "Maria Lopes has led the company since 2019. Exports increased in every quarter of the year."),
]


def said(claim, rule, sources=SOURCES, language="en"):
    index = Index(sources, claim, language)
    found = [point for point in look(claims(claim)[0].text, index, language).points if point.rule == rule]
    assert found, f"no {rule} found"
    return found[0]


@pytest.mark.parametrize(
    ("claim", "rule", "finding", "where", "stated"),
    [
        ("Revenue grew 40 % in 2025.", "figure", "contradicted", "d1", "14 %"),
        ("Revenue grew 14 % in 2025.", "figure", "same", "d1", ""),
        ("Costs were 77 million dollars.", "figure", "missing", "", ""),
        ("Maria Lopes has led the company since 2018.", "date", "contradicted", "d2", "2019"),
        ("Bob Smith has led the company since 2019.", "name", "contradicted", "d2", "Maria Lopes"),
        ("The company hired Zoltan Kovacs.", "name", "missing", "", ""),
        ("Exports decreased in every quarter of the year.", "opposite", "contradicted", "d2", "increas"),
        ("The company did not open offices in Lyon and Porto.", "negation", "contradicted", "d1", ""),
        ("It is the largest company in Lyon.", "superlative", "missing", "", ""),
        ("See https://example.org/a for the company.", "address", "missing", "", ""),
        ('They said "we will never sell the company".', "quote", "missing", "", ""),
    ],
)
def test_contradicted_and_never_mentioned_are_different_findings(claim, rule, finding, where, stated):
    point = said(claim, rule)
    assert (point.finding, point.stated) == (finding, stated)
    if where:
        assert point.passage.source == where
        text = next(source.text for source in SOURCES if source.id == where)
        assert stated in ("increas", "") or text[slice(*point.place)] == stated


@pytest.mark.parametrize(
    ("source", "claim", "language", "finding"),
    [
        (
            "Der Umsatz stieg 2025 um 14 Prozent auf 1,2 Millionen Euro.",
            "Der Umsatz stieg 2025 um 40 Prozent.",
            "de",
            "contradicted",
        ),
        (
            "Der Umsatz stieg 2025 um 14 Prozent auf 1,2 Millionen Euro.",
            "Der Umsatz stieg auf 1,2 Mio. Euro.",
            "de",
            "same",
        ),
        (
            "Les ventes ont augmenté de 14 pour cent en 2025.",
            "Les ventes ont augmenté de 40 % en 2025.",
            "fr",
            "contradicted",
        ),
        (
            "Las ventas crecieron un 14 por ciento en 2025.",
            "Las ventas crecieron un 41 % en 2025.",
            "es",
            "contradicted",
        ),
    ],
)
def test_figures_are_compared_in_german_french_and_spanish(source, claim, language, finding):
    assert said(claim, "figure", [EvidenceSource("d", source)], language).finding == finding


def test_a_quotation_is_found_whatever_its_case_accents_and_punctuation():
    text = "She said: “We’ll  never sell – not now.” Later she left."
    place = find("we'll never sell, NOT now", text)
    assert text[slice(*place)] == "We’ll  never sell – not now"
    assert find("we will never sell", text) is None


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        (
            "The last release, 3.2, is from March 2024.",
            "The library has had no release since March 2024. Its last release is 3.2.",
        ),
        ("Tuition and books are paid.", "Not only tuition and books are paid, fees are too."),
        ("They refused to bargain with them.", "They said they would not bargain with them."),
    ],
)
def test_what_only_looks_like_a_denial_is_none(claim, source):
    index = Index([EvidenceSource("d", source)], claim)
    assert not [point for point in look(claim, index).points if point.rule == "negation"]


# --- evidence --------------------------------------------------------------------------------------------------------


def test_json_is_flattened_and_keeps_its_places():
    text = '{"name": "Joe\'s \\u00e9", "hours": {"Monday": "8-17"}, "tags": ["a", {"isOpen": true}], "n": 4.5}'
    found = {sentence.text: text[slice(*sentence.span)] for sentence in flattened(text)}
    assert found == {
        "name: Joe's é": "Joe's \\u00e9", "hours Monday: 8-17": "8-17", "tags: a": "a", "tags is Open: yes": "true", "n: 4.5": "4.5",
    }  # fmt: skip


def test_a_table_reads_with_its_header():
    text = "| Year | Sales |\n|---|---|\n| 2019 | 40 |\n"
    assert [s.text for s in flattened(text)][-1] == "Year: 2019; Sales: 40"


@given(st.text(max_size=400))
def test_places_of_evidence_lie_in_the_text(text):
    end = 0
    for sentence in flattened(text):
        assert end <= sentence.span[0] < sentence.span[1] <= len(text) or text.lstrip()[:1] in ("{", "[")
        end = sentence.span[1]


def test_of_a_long_context_the_part_about_the_response_is_read_and_said_so():
    noise = "Nothing of interest happened on that day in the valley. " * (MAX_READ // 40)
    fact = "Zebra exports from Botswana reached 512 animals."
    index = Index([EvidenceSource("d", noise + fact + " " + noise)], "Zebra exports reached 512 animals.")
    assert 0 < index.read < 1
    best = index.best(["zebra", "export"])[0][1]
    assert best.text == fact
    assert (noise + fact + " " + noise)[slice(*best.span)] == fact


# --- names in another's place ---------------------------------------------------------------------------------------------


def decided(claim, source, language="en"):
    index = Index([EvidenceSource("d", source)], claim, language)
    return decide(look(claim, index, language))


@pytest.mark.parametrize(
    ("claim", "source", "status"),
    [
        ("It opens at 10.", "The museum opens at 9.", "contradicted"),
        ("The shop is rated 4.5.", "The shop is rated 3.", "contradicted"),
        ("It opens at 9.", "The museum opens at 9.", "supported"),
        ("Page 12 lists the opening hours.", "The museum opens at 9.", "unsupported"),
    ],
)
def test_a_bare_figure_is_held_against_the_one_after_the_same_words(claim, source, status):
    assert decided(claim, source).status == status


@pytest.mark.parametrize(
    ("claim", "source", "language", "stated"),
    [
        ("Bob won the race.", "Alice won the race.", "en", "Alice"),
        ("Bob won the race.", "Alice won the race. Bob came second.", "en", "Alice"),
        ("The office in Rome was opened in 2019.", "The office in Lyon was opened in 2019.", "en", "Lyon"),
        ("Anna Schmidt leitet die Firma seit 2019.", "Maria Lopes leitet die Firma seit 2019.", "de", "Maria Lopes"),
        ("Berlin ist die Hauptstadt von Frankreich.", "Paris ist die Hauptstadt von Frankreich.", "de", "Paris"),
        ("Paris est la capitale de la France.", "Lyon est la capitale de la France.", "fr", "Lyon"),
    ],
)
def test_one_name_in_the_place_of_another_is_contradicted(claim, source, language, stated):
    found = decided(claim, source, language)
    assert (found.status, found.by, found.point.stated) == ("contradicted", "rule", stated)


@pytest.mark.parametrize(
    ("claim", "source", "language"),
    [
        ("Sales grew 14 % in 2025.", "Revenue grew 14 % in 2025.", "en"),
        ("Der Umsatz der Firma stieg im Jahr 2025.", "Der Gewinn der Firma stieg im Jahr 2025.", "de"),
        ("Six PhD students were awarded a grant.", "Six Ph.D. students were awarded a grant.", "en"),
        ("Bob won the race.", "Alice won the race. Bob won the race too.", "en"),
    ],
)
def test_other_words_in_the_same_place_are_no_other_name(claim, source, language):
    assert decided(claim, source, language).status != "contradicted"


def test_a_german_name_that_no_source_has_is_missing_and_a_german_noun_is_not():
    source = "Die Firma wird seit 2019 von Maria Lopes geleitet."
    assert decided("Die Firma wird von Anna Schmidt geleitet.", source, "de").point.rule == "name"
    nouns = decided("Die Leitung der Firma hat einen Namen.", source, "de")
    assert nouns.point is None or nouns.point.rule != "name"


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Steep the tea before you serve the cake with cream.", "Serve the cake with cream after you steep the tea."),
        ("The recipe uses cream that has not been whipped.", "The recipe uses whipped or not whipped cream."),
    ],
)
def test_borders_asides_and_loose_opposites_contradict_nothing(claim, source):
    assert decided(claim, source).status != "contradicted"


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The console passed 132 million units sold.", "The console has now passed 132m units sold."),
        ("It is the 2nd most populous country.", "It is the second most populous country."),
        ("Payrolls grew by 150,000 jobs.", "Payrolls grew by 150K jobs."),
        ("Q2 revenues rose by 19 %.", "Revenues in the second quarter rose by 19 %."),
    ],
)
def test_the_same_figure_written_otherwise_is_not_missing(claim, source):
    found = decided(claim, source)
    assert found.status != "contradicted"
    assert found.point is None


@pytest.mark.parametrize(
    ("claim", "source", "status"),
    [
        ("The bridge is open.", "The bridge is not open.", "contradicted"),
        ("The bridge is not open.", "The bridge is open.", "contradicted"),
        ("The trial was successful.", "The trial was not successful.", "contradicted"),
        ("The service supports SSO.", "The service does not support SSO.", "contradicted"),
        ("The bridge is open to cars.", "The bridge is not open to trucks, but it is open to cars.", "supported"),
        ("The museum is open.", "The museum is not only open but also free.", "supported"),
        ("She did not resign.", "She did not resign. The bridge is open.", "supported"),
        ("The bridge is open.", "The bridge is open. On Sundays the bridge is not open.", "supported"),
    ],
)
def test_a_denial_in_the_same_words_contradicts_however_short_and_whatever_a_model_says(claim, source, status):
    from witnessmark.checks.grounding.decision import decide
    from witnessmark.checks.grounding.evidence import EvidenceSource, Index
    from witnessmark.checks.grounding.features import look

    seen = look(claim, Index([EvidenceSource("d", source)], claim))

    assert decide(seen).status == status
    assert decide(seen, Reading(0.9)).status == status


@pytest.mark.parametrize(
    ("claim", "says", "status"),
    [
        ("The ferry has run since 1871.", 0.9999, "supported"),
        ("The ferry has run since 1871.", 0.6, "unsupported"),
        ("The fare is 14 euros.", 0.9999, "supported"),
        ("The fare is 14 euros.", 0.6, "unsupported"),
        ('The notice reads "fares will never rise".', 0.9999, "unsupported"),
    ],
)
def test_a_figure_that_no_source_mentions_needs_a_model_that_is_very_sure_and_a_quotation_needs_its_source(
    claim, says, status
):
    from witnessmark.checks.grounding.decision import decide, fitted
    from witnessmark.checks.grounding.evidence import EvidenceSource, Index
    from witnessmark.checks.grounding.features import look

    source = "The ferry began its service nine years after the bridge was lost. The fare is twice that of the bus."
    seen = look(claim, Index([EvidenceSource("d", source)], claim))

    assert decide(seen).status != "supported"
    assert decide(seen, Reading(says, 0.5, None, 1 - says), known=fitted("local")).status == status


@pytest.mark.parametrize(("says", "status"), [(0.14, "partial"), (0.3, "supported")])
def test_shared_words_alone_bear_nothing_out_that_a_model_doubts(says, status):
    from witnessmark.checks.grounding.decision import decide, fitted
    from witnessmark.checks.grounding.evidence import EvidenceSource, Index
    from witnessmark.checks.grounding.features import look

    claim = "Guests of the hotel may use the pool early in the morning without a key card."
    source = "Guests of the hotel may use the pool early in the morning, and the sauna without a key card, on Sundays in winter."
    seen = look(claim, Index([EvidenceSource("d", source)], claim), goal="When may guests use it?")

    assert decide(seen, Reading(says, 0.5, None, 0.5), known=fitted("local")).status == status


@pytest.mark.parametrize(
    ("question", "says", "status"),
    [
        ("", 0.7, "supported"),
        ("", 0.5, "unsupported"),
        ("Who built the bridge?", 0.7, "unsupported"),
        ("Who built the bridge?", 0.9, "supported"),
    ],
)
def test_a_name_that_no_source_mentions_needs_a_surer_model_in_a_reply_than_in_a_statement(question, says, status):
    from witnessmark.checks.grounding.decision import decide, fitted, shaped
    from witnessmark.checks.grounding.evidence import EvidenceSource, Index
    from witnessmark.checks.grounding.features import look

    claim = "The bridge over the river was built by Marie Vogel."
    seen = look(
        claim,
        Index([EvidenceSource("d", "The bridge over the river was built by the engineer of the town.")], claim),
        goal=question,
    )

    known = shaped(fitted("local"), single=True)
    assert decide(seen, Reading(says, 0.5, None, 1 - says), known=known).status == status


@pytest.mark.parametrize(
    ("claim", "finding"),
    [
        ("The latency went from 310 µs to 6.8 s.", "contradicted"),
        ("The latency went from 310 ms to 8.6 s.", "contradicted"),
        ("The latency went from 310 ms to 6.8 s.", "same"),
    ],
)
def test_a_range_with_one_end_of_the_sources_and_another_is_against_it(claim, finding):
    index = Index([EvidenceSource("d1", "Summary: the latency of the API rose from 310 ms to 6.8 s.")], claim)
    assert [one.finding for one in look(claim, index).points if one.rule == "figure"] == [finding]


def test_a_duration_between_two_times_of_the_sources_is_not_against_another_one():
    source = "Between 09:42 and 10:31 UTC requests returned 503. Alerting fired two minutes after the first errors."
    index = Index([EvidenceSource("d1", source)], "")
    found = {
        minutes: [
            p.finding for p in look(f"The errors ended after {minutes} minutes.", index).points if p.rule == "figure"
        ]
        for minutes in (49, 35)
    }
    assert found[49] != ["contradicted"]
    assert found[35] == ["contradicted"]


DEPOSITS = "Deposits of €10,000 or more need proof. The branch manager may approve exceptions up to €15,000 in writing. Fees were at least €40."


@pytest.mark.parametrize(
    ("claim", "finding"),
    [
        (
            "The branch manager may approve exceptions up to €25,000 in writing.",
            "contradicted",
        ),  # 10,000 and 15,000 by chance
        ("The branch manager may approve exceptions up to €15,000 in writing.", "same"),
        ("Fees were at least €30.", "contradicted"),
        ("Fees were at least €40.", "same"),
    ],
)
def test_a_limit_is_another_one_whatever_adds_up_to_it(claim, finding):
    index = Index([EvidenceSource("d1", DEPOSITS)], claim)
    assert [one.finding for one in look(claim, index).points if one.rule in ("figure", "derived")] == [finding]


@pytest.mark.parametrize(
    "text", ["Ask Dr. Brandt about it.", "It was signed by Mrs. Brandt.", "The view of Prof. Brandt counts."]
)
def test_a_name_behind_a_title_with_a_stop_is_a_name(text):
    assert [name.text for name in names(text)] == ["Brandt"]


def test_the_first_word_of_a_sentence_says_nothing_of_a_name():
    assert names("He met a lord. Rain fell.") == []


def test_a_titled_person_whom_no_source_names_bears_nothing_out():
    record = check_answer(
        "When did it close?", "According to Dr. Brandt, the mill closed in 1931.", ["The mill closed in 1931."]
    )
    assert record.claims[0].status == "unsupported"
