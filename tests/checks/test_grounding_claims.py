"""What a response asserts, and where: exact spans in any Unicode, checkable apart from not checkable."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.reading.kinds import kind_of
from witnessmark.checks.grounding.stream import Stream
from witnessmark.text.sentences import sentences

PIECES = st.sampled_from(
    ["Ada was born in 1815. ", "She wrote [1] programs! ", "\n\n", "- item one\n", "| a | b |\n|---|---|\n| 1 | 2 |\n", "```\ncode.\n```\n",
     "> quoted. Text.\n", "# Head\n", "Dr. Lee, e.g. 3.5 %; and so on, but it is true and it was done. ", "日本語です。次の文。", "…", "\u2028", "\r\n", "«Oui, c’est vrai.» ",
     "e\u0301. ", "👩‍👩‍👧 ok. ", "**bold** _it_ `x` "]
)  # fmt: skip


@settings(deadline=None)
@given(st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=25).map("".join)))
def test_spans_slice_the_text_and_never_overlap(text):
    found = claims(text)
    end = 0
    for one in found:
        assert 0 <= one.span[0] < one.span[1] <= len(text)
        assert one.span[0] >= end
        assert not text[one.span[0]].isspace()
        assert not text[one.span[1] - 1].isspace()
        end = one.span[1]


@settings(deadline=None)
@given(
    st.sampled_from(["", "No. ", "Yes, it was done in 1815. ", "Seven apples", "In 1815, "]),
    st.lists(PIECES, max_size=25).map("".join),
    st.sampled_from(["", "Was it done?", "How many apples are there?"]),
    st.integers(0, 2**32),
)
def test_a_stream_says_the_same_as_the_whole_wherever_it_is_cut(reply, rest, question, seed):
    text, rng = reply + rest, random.Random(seed)
    stream, got, at = Stream(question), [], 0
    while at < len(text):
        step = rng.randint(1, 12)
        got += stream.feed(text[at : at + step])
        at += step
    got += stream.close()
    assert "".join(text[slice(*one.span)] for one in got) == "".join(
        text[slice(*one.span)] for one in claims(text, question)
    )
    assert stream.text == text


@given(st.text(max_size=400))
def test_sentences_keep_every_word(text):
    covered = "".join(text[a:b] for a, b in sentences(text))
    assert "".join(covered.split()) == "".join(text.split())


def words_of(text):
    return [one.text for one in claims(text) if one.checkable]


def test_markdown_is_followed():
    text = "# Title\n\n**Sales** rose [1].\n\nThe founders were:\n- Alice Smith\n- Bob Jones\n\n| Year | Sales |\n|--|--|\n| 2019 | 40 % |\n\n```\nx = 1.\n```\n> Costs are *said* to be low.\n"
    assert words_of(text) == [
        "Sales rose.",
        "The founders were: Alice Smith",
        "The founders were: Bob Jones",
        "Year: 2019; Sales: 40 %",
        "x = 1.",
        "Costs are said to be low.",
    ]


def test_citations_stand_beside_the_words():
    found = claims("Sales rose 4 % [1, d2]. Costs fell.[^3] Profit fell【4†source】.")
    assert [one.citations for one in found] == [("1", "d2"), ("3",), ("4",)]
    assert found[1].text == "Costs fell."


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("How much did it cost?", "question"),
        ("Would you like to know more?", "question"),
        ("Hope this helps!", "greeting"),
        ("I cannot answer that from the passages.", "refusal"),
        ("Unable to answer based on given passages.", "refusal"),
        ("The documents provided don't say anything about early cancellation.", "refusal"),
        ("The sources do not say.", "refusal"),
        ("That is not stated.", "refusal"),
        ("Die Quellen sagen dazu nichts.", "refusal"),
        ("Here is a summary in 70 words:", "about_answer"),
        ("Based on the provided passages, here are the steps to take:", "about_answer"),
        ("# Opening hours and prices", "heading"),
        ("# Materials needed", "heading"),
        ("# Sun and shade", "heading"),
    ],
)
def test_what_asserts_nothing_is_named(text, why):
    assert [(one.kind, one.why_not) for one in claims(text)] == [(why, why)]


@pytest.mark.parametrize(
    "text",
    [
        "# Deposit: never refunded",
        "# Pilot: output collapsed in most firms",
        "# Terra Mosaic sold to Brick Capital",
        "# Status: night runs solved",
        "# Plan (pond included)",
        "# Yellow bin: emptied every week",
        "# Passes, to be bought only online",
        "# Opening: Wednesday to Sunday",
    ],
)
def test_a_heading_that_tells_what_happened_is_a_claim(text):
    assert [one.checkable for one in claims(text)] == [True]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("This answer is based on the fact that a smuggler designed it.", "A smuggler designed it."),
        ("Here's the proof that it has a secret cellar:", "It has a secret cellar."),
        ("The navy owns it, and here are the facts:", "The navy owns it."),
        (
            "The tower has been demolished because of the following facts:\n\n- it leans",
            "The tower has been demolished.",
        ),
        ("Do you know that the keeper was a poet?", "The keeper was a poet."),
        ("What if I told you that it has a casino?", "It has a casino."),
        ("So the walls are hollow?", "The walls are hollow."),
        ("## Why it collapsed", "It collapsed."),
        ("## Built by smugglers", "Built by smugglers"),
        ("## Closed forever", "Closed forever"),
        ("See note.[^1]\n\n[^1]: the keeper's house burned down.", "the keeper's house burned down."),
    ],
)
def test_what_is_taken_for_granted_is_a_claim(text, said):
    assert said in words_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "Is there anything that you want to see?",
        "Would you like to see that?",
        "Here are the steps that you need:",
        "This answer is based on the passages that you gave.",
        "The tower has the following parts:",
        "## How it works",
        "## Why this matters",
        "## How we tested",
        "## Run on Linux",
        "## Frequently asked questions",
        "## Customer needs",
    ],
)
def test_what_takes_nothing_for_granted_asserts_nothing(text):
    assert words_of(text) == []


@pytest.mark.parametrize(
    ("text", "said", "how"),
    [
        ("I think it is the nicest town.", "It is the nicest town.", "opinion"),
        ("Perhaps they left early.", "They left early.", "hedge"),
        ("Please note that the shop is closed.", "The shop is closed.", "note"),
        ("It is likely that cost was the main reason.", "Cost was the main reason.", "hedge"),
        ("Please contact your bank.", "Please contact your bank.", "instruction"),
        ("Ich glaube, das ist schön.", "Das ist schön.", "opinion"),
        ("Contact lenses are held in place by gravity.", "Contact lenses are held in place by gravity.", ""),
        ("Based on the provided passages, rice needs water.", "Rice needs water.", ""),
        ("Was it any wonder, given that two people had died?", "Two people had died.", "question"),
        ("Did you know that the mast is made of wood?", "The mast is made of wood.", "question"),
        ("(And isn't it great that entry is free?)", "Entry is free.", "question"),
        ("Isn't it a pity that bicycles cost 80 kr?", "Bicycles cost 80 kr.", "question"),
        ("(How could anyone resist, when under-fives get in free?)", "Under-fives get in free.", "question"),
    ],
)
def test_what_is_hedged_or_advised_is_a_claim_about_its_content(text, said, how):
    assert [(one.text, one.hedge, one.checkable) for one in claims(text)] == [(said, how, True)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Actually, it was founded in 1943, not 1941.", "It was founded in 1943."),
        ("The gym opens at 6 am, not at 5 am.", "The gym opens at 6 am."),
        ("It takes 20 minutes instead of 41.", "It takes 20 minutes instead of 41."),
        ("Das Ticket kostet 12 Euro, nicht 15 Euro.", "Das Ticket kostet 12 Euro."),
        ("It was founded by Ada, not in 1941.", "It was founded by Ada, not in 1941."),
        ("It does not cost 12 euros, not 10.", "It does not cost 12 euros, not 10."),
        ("It was founded by Ada, not by Ben.", "It was founded by Ada, not by Ben."),
    ],
)
def test_a_figure_that_is_set_aside_says_nothing_beside_the_one_that_is_told(text, said):
    assert [one.text for one in claims(text)] == [said]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("## The plant burned 4,000 tonnes", ["The plant burned 4,000 tonnes"]),
        ("> The union is right.", ["The union is right."]),
        ("```python\nx.autofix(strict=True)\n}\n```", ["x.autofix(strict=True)"]),
        ("- Admiral", ["Admiral"]),
        ("## Dispenser (for quick bread only)", ["Dispenser (for quick bread only)"]),
        ("## Notes for members\n\nIt is fast.", ["It is fast."]),
        ("```\ncurl -H 'X: 1' \\\n  https://api.example.org\n```", ["curl -H 'X: 1' \\\n  https://api.example.org"]),
    ],
)
def test_headings_quotes_code_and_items_that_say_something_are_claims(text, said):
    assert [one.text for one in claims(text) if one.checkable] == said


@pytest.mark.parametrize(
    ("question", "reply", "said"),
    [
        ("Is the Marlow Museum open on Mondays?", "No.", ["The Marlow Museum is not open on Mondays."]),
        ("Does the Lumo lamp work with Matter?", "Yes", ["The Lumo lamp works with Matter."]),
        ("Who founded Acme?", "Maria Lopes", ["Who founded Acme? Maria Lopes."]),
        ("Is it open?", "Yes, the shop opens at 9 every day.", ["It is open.", "The shop opens at 9 every day."]),
        ("Did everyone on the panel agree?", "No.", ["Not everyone on the panel agreed."]),
        ("Is the bridge safe for trucks?", "Not at present.", ["The bridge is not safe for trucks at present."]),
        ("Can Jonas, aged 15, climb alone?", "Yes.", ["Jonas, aged 15, can climb alone."]),
        ("Ist die Brücke offen?", "Nein.", ["Die Brücke ist nicht offen."]),
        ("Is it open?", "The shop opens at 9.", ["The shop opens at 9."]),
        ("Tell me about the shop.", "It opens at 9.", ["It opens at 9."]),
    ],
)
def test_a_short_answer_is_the_statement_it_makes(question, reply, said):
    found = claims(reply, question=question)
    assert [one.text for one in found] == said
    assert found[0].span[0] == 0


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Rocky Point is a diner. The ambience is casual. It is open on Monday.", "It is open on Monday."),
        ("Based on this, rice is washed. It can be cooked.", "It can be cooked."),
        ("The pump is loud. It weighs 3 kg.", "The pump weighs 3 kg."),
        ("The wedding was at Easter. He asked Hester to keep it quiet.", "He asked Hester to keep it quiet."),
        ("The mayor was late. She left early.", "The mayor left early."),
        ("The restaurant was full. He left early.", "He left early."),
        ("The train was full. He left early.", "He left early."),
        ("The new tenant was late. He left early.", "The new tenant left early."),
        ("In Hester's opinion it was fair. He works in the shop.", "He works in the shop."),
        ("Ada Lovelace was ill.\n\n- Doctorate: 1947, under Adrien Kuhn\n\nShe left.", "Ada Lovelace left."),
        ("- 3 wins from 7 IFTA nominations\n\nIt opened in Galway.", "It opened in Galway."),
        ("With 6.2 km of track, this is long. It opened late.", "It opened late."),
        ("The plant makes 61,000 kWh a year. It costs 71,000 dollars.", "It costs 71,000 dollars."),
        ("The plant makes 61 MWh a year. It costs 71,000 dollars.", "It costs 71,000 dollars."),
        ("A pre-Columbian site opens daily. It costs 3 dollars.", "It costs 3 dollars."),
        ("In 1984 Orwell was ill. He left early.", "Orwell left early."),
        ("The tram was late. It doesn't say why it was late.", "It doesn't say why it was late."),
    ],
)
def test_a_pronoun_takes_the_right_subject_or_none(text, last):
    assert claims(text)[-1].text == last


def test_a_figure_makes_advice_checkable():
    assert claims("Please add 350 grams of sugar.")[0].checkable


def test_items_under_a_yes_carry_what_it_says_and_not_the_yes():
    assert claims("Yes – it is covered, if:\n\n- reported at once\n")[-1].text == "it is covered, if: reported at once"


def test_a_pronoun_carries_its_antecedent_and_the_span_stays():
    text = "Maria Lopes leads the firm. She joined in 2019. Her team grew."
    found = claims(text)
    assert [one.text for one in found] == [
        "Maria Lopes leads the firm.",
        "Maria Lopes joined in 2019.",
        "Maria Lopes's team grew.",
    ]
    assert text[slice(*found[1].span)] == "She joined in 2019."


def test_two_statements_in_one_sentence_are_two_claims():
    text = "The firm opened an office in Lyon in 2020, but the company closed its plant in Porto."
    assert [text[slice(*one.span)] for one in claims(text)] == [
        "The firm opened an office in Lyon in 2020",
        "but the company closed its plant in Porto.",
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Dr. Lee met Mr. Fox. They left.", 2),
        ("Am 3. März kam er. Er blieb.", 2),
        ("It costs 3.5 % of U.S. output. Fine.", 2),
        ("See e.g. Lee. Ok.", 2),
        ("Under s. 31(2) and para. 4 it is owed – Art. IV. The rest follows.", 2),
        ("See vol. 3, ch. 2, pp. 4 and No. 7. It is short.", 2),
        ("Mt. Fuji is high. Dept. Chair Gov. Lee lives in King Jr. Drive. He left.", 3),
        ("Nach Abs. 2 gilt das, z. B. Berlin und i. d. R. Hamburg. Das ist so.", 2),
        ("Il y a p. ex. Paris, art. 5, env. 30 km. La loi le dit.", 2),
        ("Véase pág. 4, núm. 3, p. ej. Madrid. El resto sigue.", 2),
        ("**D. Okafor** leads. *R. Singh* checks.", 2),
    ],
)
def test_abbreviations_do_not_end_a_sentence(text, count):
    assert len(sentences(text)) == count


@pytest.mark.parametrize(
    "text",
    [
        "It is modern art. The museum has it.",
        "It took 6 s. Then it stopped.",
        "It failed. **D. Okafor** left.",
        "It is in Goleta, CA. The café opens at nine.",
    ],
)
def test_what_is_written_like_an_abbreviation_ends_a_sentence_before_another_one(text):
    assert len(sentences(text)) == 2


@pytest.mark.parametrize(
    ("question", "text", "found"),
    [
        ("Who?", "D. Okafor will do it by May.", ["D. Okafor will do it by May."]),
        ("", "A. Lincoln was president.", ["A. Lincoln was president."]),
        ("", "A. Rome is old.\nB. Paris is new.", ["Rome is old.", "Paris is new."]),
        ("Which is it? A. Rome B. Paris", "B. Paris is new.", ["Paris is new."]),
    ],
)
def test_a_letter_opens_an_item_where_letters_count_and_a_name_elsewhere(question, text, found):
    assert [one.text for one in claims(text, question)] == found


@pytest.mark.parametrize(
    "second",
    [
        "It is worth filling a kettle before then.",
        "It is possible to book online.",
        "It's best not to wait.",
        "It may be necessary to call.",
        "It is not yet clear whether it will rain.",
        "It seems the treasurer, Priya Shah, will ask for a price.",
        "It looks like the fair was moved.",
        "Es scheint, als habe der Markt geöffnet.",
    ],
)
def test_an_it_that_stands_for_nothing_takes_no_subject(second):
    assert claims(f"Tolland Street is closed on Monday. {second}")[-1].text == second


def test_an_antecedent_is_never_a_piece_of_a_word():
    found = claims("The last release, 3.2, is from March 2024. Its tests pass on Python 3.11.")
    assert not found[1].text.startswith("la's")


def test_a_letter_that_names_a_thing_ends_a_sentence_and_stays_with_its_noun():
    text = "Tool B makes few errors. It costs twice as much as A. Neither tool kept our terms. J. Smith tested both."
    found = [one.text for one in claims(text)]

    assert found == [
        "Tool B makes few errors.",
        "Tool B costs twice as much as A.",
        "Neither tool kept our terms.",
        "J. Smith tested both.",
    ]


def test_a_pronoun_agrees_in_number_with_what_it_stands_for():
    found = claims(
        "The audit found the accounts in order. The trustees accepted this. It found no fraud. They were glad."
    )
    assert [one.text for one in found[2:]] == ["The audit found no fraud.", "The trustees were glad."]


def test_what_the_answer_says_about_its_own_limits_asserts_nothing():
    assert [one.kind for one in claims("That's all the policy says on the matter.")] == ["about_answer"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "The council paid 640,000 euros for the work and took a loan from the flood fund.",
            ["The council paid 640,000 euros for the work", "The council took a loan from the flood fund."],
        ),
        (
            "Ada Lovelace wrote the first program in 1843, but was not paid for it.",
            ["Ada Lovelace wrote the first program in 1843", "Ada Lovelace was not paid for it."],
        ),
        # What was damaged was repaired, and did not repair: no cut where the verb would lose its `was`.
        ("The bridge was damaged by a flood and repaired by the council soon.", None),
        # Who joined is not said by the beginning of the sentence.
        ("In 2005, after a long search, Leech left Arkansas and joined Illinois State as its new head coach.", None),
    ],
)
def test_two_verbs_of_one_subject_are_two_claims(text, said):
    found = claims(text)
    assert [one.text for one in found] == (said or [text])
    assert "".join(text[slice(*one.span)] for one in found).replace(" ", "") in text.replace(" ", "").replace(
        ",but", "but"
    )


@pytest.mark.parametrize(
    ("goal", "record", "kind"),
    [
        ("How tall is it?", False, "answer"),
        ("Tell me how tall it is.", False, "answer"),
        ("Summarise the ruling.", False, "summary"),
        ("How tall is it?", True, "record"),
        ("", False, "statement"),
        ("I never thought it would be such a popular sport", False, "dialogue"),
        ("User: hello\nAssistant: hi\nUser: how tall is it?", False, "dialogue"),
        ("I want to know: how tall is it?", False, "answer"),
    ],
)
def test_the_kind_of_text_is_told_from_the_input(goal, record, kind):
    assert kind_of(goal, record=record) == kind


def test_what_stands_as_code_is_kept_to_the_letter():
    found = claims("Install it with `pip install osprey-py` and go on.\n\n```yaml\ntarget: s3://vault-eu\n```")
    assert [one.code for one in found] == [("pip install osprey-py",), ("target: s3://vault-eu",)]


@pytest.mark.parametrize(
    ("question", "reply", "said"),
    [
        ("Can I come without a booking?", "Yes.", "I can come without a booking."),
        ("May we park here?", "No.", "We may not park here."),
        ("Can I return opened headphones?", "Yes.", "I can return opened headphones."),
        ("Can visitors bring dogs?", "No.", "Visitors cannot bring dogs."),
        ("Can sports clubs apply?", "Yes.", "Sports clubs can apply."),
        ("Does the new rule about tips apply to waiters?", "No.", "The new rule about tips does not apply to waiters."),
        (
            "Can holders of a pass from last year enter early?",
            "Yes.",
            "Holders of a pass from last year can enter early.",
        ),
        ("Does the use of the hall include heating?", "No.", "The use of the hall does not include heating."),
        ("Does the bus pass cover trams?", "No.", "The bus pass does not cover trams."),
        ("Does the drug help treat pain?", "No.", "The drug does not help treat pain."),
    ],
)
def test_a_yes_or_no_is_the_whole_sentence_that_was_asked_about(question, reply, said):
    assert [one.text for one in claims(reply, question)] == [said]


@pytest.mark.parametrize(
    ("text", "said", "cited"),
    [
        ("According to source 2, Helvia bought Aurora.", "Helvia bought Aurora.", ("2",)),
        ("Based on documents 1 and 3, Helvia bought Aurora.", "Helvia bought Aurora.", ("1", "3")),
        ("Source 2 states that Helvia bought Aurora.", "Helvia bought Aurora.", ("2",)),
        ("Helvia bought Aurora (see source 2).", "Helvia bought Aurora.", ("2",)),
        ("Helvia bought Aurora, according to passage 2.", "Helvia bought Aurora.", ("2",)),
        ("Laut Quelle 2 kaufte Helvia die Aurora.", "Kaufte Helvia die Aurora.", ("2",)),
        ("Selon la source 2, Helvia a acheté Aurora.", "Helvia a acheté Aurora.", ("2",)),
        ("Según la fuente 2, Helvia compró Aurora.", "Helvia compró Aurora.", ("2",)),
        ("Document 2 requires a signature.", "Document 2 requires a signature.", ()),
        ("Source 2 says nothing about Aurora.", "Source 2 says nothing about Aurora.", ()),
        ("According to article 2, fees are due.", "According to article 2, fees are due.", ()),
    ],
)
def test_a_citation_in_words_is_one_and_its_number_no_figure(text, said, cited):
    assert [(one.text, one.citations) for one in claims(text)] == [(said, cited)]


def test_a_footnote_names_what_is_cited_unless_it_tells_something():
    text = "Aurora was founded in 2009.[^1]\n\n[^1]: Company history\n[^2]: Aurora was sold for 3 million.\n[a]: https://acme.io/x"
    found = claims(text)
    assert [(one.text, one.why_not) for one in found] == [
        ("Aurora was founded in 2009.", ""),
        ("Company history", "citation"),
        ("Aurora was sold for 3 million.", ""),
        ("https://acme.io/x", ""),
    ]
    assert (found[0].citations, text[slice(*found[1].span)]) == (("1",), "Company history")


def test_an_answer_in_json_is_read_value_by_value_and_a_sentence_in_brackets_as_one():
    text = '{"max_upload_mb": 25,\n "plan": {"planName": "Team"}}'
    assert [one.text for one in claims(text)] == ["max upload mb: 25", "plan name: Team"]
    assert [text[slice(*one.span)] for one in claims(text)] == ['"max_upload_mb": 25', '"planName": "Team"']
    rows = claims('[{"name": "Ada", "seats": 25}, {"name": "Bo", "seats": 3}]')
    assert [one.text for one in rows] == ["name: Ada", "name: Ada; seats: 25", "name: Bo", "name: Bo; seats: 3"]
    assert [one.kind for one in claims("[1, 2, 3]")] == ["code"]
    assert [one.kind for one in claims("[Note] The limit is 25 MB.")] == ["text"]


def test_brackets_in_code_cite_nothing():
    found = claims("It stops retrying unless you pass `retry_on=[429]` or `rows[0]`.[2]")
    assert [(one.text, one.citations) for one in found] == [
        ("It stops retrying unless you pass retry_on=[429] or rows[0].", ("2",))
    ]


TABLE = "\n\n| Region | Units |\n|---|---|\n| South | 12 |\n"


@pytest.mark.parametrize(
    ("lead", "kind"),
    [
        ("Second-quarter results:", "heading"),
        ("Hier die wichtigsten Punkte:", "about_answer"),
        ("Only two regions sold more than ten units:", "text"),
    ],
)
def test_what_only_heads_a_table_claims_nothing(lead, kind):
    found = claims(lead + TABLE, "How did the regions do in the second quarter?")
    assert [one.kind for one in found] == [kind, "table"]


@pytest.mark.parametrize(
    ("lead", "said"),
    [("Notes:", "Mail is sent."), ("Then:", "Mail is sent."), ("If a copy fails:", "If a copy fails: Mail is sent.")],
)
def test_an_item_is_read_with_a_lead_that_says_something(lead, said):
    assert claims(f"{lead}\n\n- Mail is sent.")[-1].text == said


def test_a_no_before_a_clause_that_is_cut_off_is_the_no_and_the_clause():
    found = claims("No, though the level is fine", "My character is level 17. Can we queue together?")
    assert [one.text for one in found] == ["We cannot queue together.", "The level is fine."]


@pytest.mark.parametrize(
    ("lead", "item", "said"),
    [
        ("Compared with Business, Team:", "has no audit log", "Compared with Business, Team has no audit log"),
        ("The small plan:", "allows 5 guests per board", "The small plan allows 5 guests per board"),
        ("The small plan:", "guests pay 5 euros", "The small plan: guests pay 5 euros"),
        ("The small plan:", "reports and charts", "The small plan: reports and charts"),
        ("She made these points:", "it is too short", "She made these points: it is too short"),
    ],
)
def test_an_item_that_opens_with_the_verb_of_its_lead_is_read_as_one_sentence_with_it(lead, item, said):
    assert claims(f"{lead}\n- {item}\n- costs more")[1].text == said
