"""Short answers with their questions: the statement that yes and no make, and the two as they were said.

A specification by example: what a reader would say the answer asserts.
"""

import pytest

from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.reading.questions import as_statement, is_fragment, polar


@pytest.mark.parametrize(
    ("question", "reply", "statement"),
    [
        ("Who wrote the novel, and how does the film differ?", "Ada Moss.", "Who wrote the novel? Ada Moss."),
        ("Where is it and when will it come?", "On 3 May 2024.", "When will it come? On 3 May 2024."),
        ("Who wrote it, and who filmed it?", "Ada Moss.", "Who wrote it, and who filmed it? Ada Moss."),
        ("May subcontractors be used?", "Yes.", "Subcontractors may be used."),
        ("May subcontractors be used?", "No.", "Subcontractors may not be used."),
        ("Is anything outstanding?", "Yes.", "Something is outstanding."),
        ("Is a signature needed?", "No.", "A signature is not needed."),
        ("Is there a fee?", "No.", "There is no fee."),
        ("Is there a fee?", "Yes.", "There is a fee."),
        ("May I sublet a room, and who pays for repairs?", "No.", "I may not sublet a room."),
        ("Can I come on a Monday in August, and do children pay?", "Yes.", "I can come on a Monday in August."),
        ("Is it open and free?", "Yes.", "It is open and free."),
        ("Are there any rooms left?", "Yes.", "There are some rooms left."),
        ("Are there any rooms left?", "No.", "There are no rooms left."),
        ("Does anyone object?", "No.", "Nobody objects."),
        ("Does anyone object?", "Yes.", "Someone objects."),
        ("Are all rooms booked?", "No.", "Not all rooms are booked."),
        ("Are any rooms free?", "No.", "No rooms are free."),
        ("Has the bridge been repaired yet?", "Yes.", "The bridge has been repaired."),
        ("Has the bridge already been repaired?", "No.", "The bridge has not already been repaired."),
        ("Have the tickets sold out?", "Yes.", "The tickets have sold out."),
        ("Had the train left?", "No.", "The train had not left."),
        ("Can I pause it?", "Yes.", "I can pause it."),
        ("Can the machine be descaled with vinegar?", "No.", "The machine cannot be descaled with vinegar."),
        ("Must visitors sign in?", "Yes.", "Visitors must sign in."),
        ("Should the filter be changed every month?", "No.", "The filter should not be changed every month."),
        ("Will the shop open on Sunday?", "Yes.", "The shop will open on Sunday."),
        ("Do dogs need a ticket?", "No.", "Dogs do not need a ticket."),
        ("Did the council approve the budget?", "Yes.", "The council approved the budget."),
        ("Did the council approve the budget?", "No.", "The council did not approve the budget."),
        ("Are dogs allowed in the garden?", "No.", "Dogs are not allowed in the garden."),
        ("Were the minutes approved?", "Yes.", "The minutes were approved."),
        ("Was she born in Lyon?", "No.", "She was not born in Lyon."),
        ("Isn't the pool heated?", "No.", "The pool is not heated."),
        ("Is english the most commonly spoken language?", "Yes.", "English is the most commonly spoken language."),
        ("Can Jonas, aged 15, climb alone?", "Yes.", "Jonas, aged 15, can climb alone."),
        ("Can visitors bring dogs?", "No.", "Visitors cannot bring dogs."),
        ("Did everyone on the panel agree?", "No.", "Not everyone on the panel agreed."),
        ("Is parking free?", "Yes.", "Parking is free."),
        ("Is breakfast included?", "No.", "Breakfast is not included."),
        ("Is the Wi-Fi free?", "Yes.", "The Wi-Fi is free."),
        ("Are pets permitted?", "No.", "Pets are not permitted."),
        ("Does the price include breakfast?", "Yes.", "The price includes breakfast."),
        ("Does it have any parking?", "Yes.", "It has some parking."),
        ("Do I need a visa?", "No.", "I do not need a visa."),
        ("Is it gift-wrapped?", "No.", "It is not gift-wrapped."),
        ("Is logging turned off?", "Yes.", "Logging is turned off."),
        ("Was the site shut down in May?", "No.", "The site was not shut down in May."),
    ],
)
def test_yes_and_no_say_what_was_asked(question, reply, statement):
    assert [one.text for one in claims(reply, question)] == [statement]


@pytest.mark.parametrize(
    ("question", "reply", "statement"),
    [
        ("It opens at 9, doesn't it?", "No.", "It opens at 9, doesn't it? No."),
        ("Which room has the most seats?", "Aspen.", "Which room has the most seats? Aspen."),
        (
            "How many goals did Ines Carvalho score in 2022?",
            "17",
            "How many goals did Ines Carvalho score in 2022? 17.",
        ),
        ("When was the bridge opened?", "14 May 1998.", "When was the bridge opened? 14 May 1998."),
        ("Which bus goes to the station?", "No. 5", "Which bus goes to the station? No. 5."),
        ("May subcontractors be used?", "Only with consent.", "May subcontractors be used? Only with consent."),
        ("Where is the kettle?", "The kitchen", "Where is the kettle? The kitchen."),
        ("Why was the match cancelled?", "Rain", "Why was the match cancelled? Rain."),
        ("Is it red or blue?", "Blue.", "Is it red or blue? Blue."),
        ("Is the coffee shop in Lyon?", "Yes.", "Is the coffee shop in Lyon? Yes."),
        ("Over budget?", "No.", "Over budget? No."),
    ],
)
def test_any_other_short_answer_stands_beside_its_question(question, reply, statement):
    assert [one.text for one in claims(reply, question)] == [statement]


@pytest.mark.parametrize(
    ("question", "reply", "statement"),
    [
        ("Was the library over budget?", "The library overspent.", "The library overspent."),
        ("Ist die Brücke offen?", "Nein.", "Die Brücke ist nicht offen."),
        ("Kann man dort parken?", "Ja.", "Man kann dort parken."),
        ("Was kostet das Ticket?", "12 Euro", "Was kostet das Ticket? 12 Euro."),
        ("Est-ce ouvert ?", "Oui.", "C'est ouvert."),
        ("Est-ce ouvert ?", "Non.", "Ce n'est pas ouvert."),
        ("Est-ce que le musée est ouvert ?", "Non.", "Le musée n'est pas ouvert."),
        ("Le musée est-il ouvert le lundi ?", "Oui.", "Le musée est ouvert le lundi."),
        ("Le musée est-il ouvert le lundi ?", "Non.", "Le musée n'est pas ouvert le lundi."),
        ("¿Está abierto el museo?", "No.", "No está abierto el museo."),
        ("¿Está abierto el museo?", "Sí.", "Está abierto el museo."),
    ],
)
def test_other_languages_keep_their_own_order_of_words(question, reply, statement):
    assert [one.text for one in claims(reply, question)] == [statement]


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Was the library over budget?", "The library overspent."),
        ("Is a signature needed?", "No signature is needed."),
        ("Is it gift-wrapped?", "Gift wrapping was not ordered."),
        ("Did it ship?", "The order shipped."),
        ("What happened?", "He left."),
    ],
)
def test_what_is_a_sentence_already_is_left_alone(question, reply):
    assert [one.text for one in claims(reply, question)] == [reply]
    assert as_statement(question, reply) == reply


@pytest.mark.parametrize(
    ("question", "reply", "said"),
    [
        ("Is anything outstanding?", "No, the order was paid.", ["Nothing is outstanding.", "The order was paid."]),
        (
            "Is the museum open on Mondays?",
            "No, it is closed.",
            ["The museum is not open on Mondays.", "The museum is closed."],
        ),
        ("Is it open?", "Yes, the shop opens at 9 every day.", ["It is open.", "The shop opens at 9 every day."]),
        (
            "Can I descale with vinegar?",
            "No, it damages seals.",
            ["I cannot descale with vinegar.", "It damages seals."],
        ),
    ],
)
def test_what_follows_yes_or_no_is_a_claim_of_its_own(question, reply, said):
    assert [one.text for one in claims(reply, question)] == said


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        ("No.", "no"),
        ("No, it is closed.", "no"),
        ("No – it is closed.", "no"),
        ("No: closed.", "no"),
        ("No signature is needed.", ""),
        ("No signature.", ""),
        ("No. 5", ""),
        ("Not yet.", "no"),
        ("Not at present.", "no"),
        ("Not every room is.", ""),
        ("Yes.", "yes"),
        ("Yes, freely.", "yes"),
        ("Oui.", "yes"),
    ],
)
def test_no_is_an_answer_only_where_a_mark_ends_it(reply, kind):
    assert polar(reply)[0] == kind


def test_people_and_articles_are_no_verbs():
    assert is_fragment("40 people")
    assert is_fragment("A signature")
    assert not is_fragment("It was a signature")


@pytest.mark.parametrize(
    ("question", "reply", "beside"),
    [
        ("What isn't covered?", "Water damage and theft.", True),
        ("Which flights were cancelled?", "The flights to Turin and Malta.", True),
        ("Who was saved?", "Liam Foley rescued Joan Pryce.", False),
        ("Which day was worst?", "Tuesday, with a reading of 9.", False),
        ("What does it cover?", "Water damage and theft are covered.", False),
    ],
)
def test_a_phrase_that_only_names_things_is_read_with_its_question(question, reply, beside):
    assert as_statement(question, reply) == (f"{question} {reply}" if beside else reply)


def test_a_word_cut_short_ends_no_question():
    question = "The tour is over. When does Mr. Ito, approx. two metres tall, leave?"
    assert as_statement(question, "Monday") == "When does Mr. Ito, approx. two metres tall, leave? Monday."


@pytest.mark.parametrize(
    ("question", "reply", "said"),
    [
        ("Was the book a success?", "Not in her lifetime.", ["The book was not a success in her lifetime."]),
        ("Is the pool open?", "Not since 2019.", ["The pool is not open since 2019."]),
        ("Is the pool open?", "Not for the first two years.", ["The pool is not open for the first two years."]),
        ("Is the bridge open?", "Not quite.", ["The bridge is not quite open."]),
        ("Is the bridge open?", "No, not yet.", ["The bridge is not yet open."]),
        ("Are the rooms heated?", "Not all of them.", ["Are the rooms heated? Not all of them."]),
        ("Can I bring a dog?", "Not a problem.", ["Can I bring a dog? Not a problem."]),
        ("Is the trip paid for?", "Yes, partly.", ["The trip is paid for, partly."]),
        ("Was the train late?", "Yes, by 11 minutes.", ["The train was late by 11 minutes."]),
        ("Is the pool open?", "Yes, until 9 pm.", ["The pool is open until 9 pm."]),
        ("Is the pool open?", "Yes, but only in May.", ["The pool is open, but only in May."]),
        ("Can he drive?", "Yes, provided that he signs form M2.", ["He can drive, provided that he signs form M2."]),
        ("Can he drive?", "Only if he signs form M2.", ["Can he drive? Only if he signs form M2."]),
        ("Must the bag weigh 23 kg?", "No, 25 kg.", ["The bag must weigh 25 kg."]),
        ("Was it built in 1998?", "No, 2001.", ["It was built in 2001."]),
        ("Must the bag weigh 23 kg?", "No, 3 days.", ["Must the bag weigh 23 kg? No, 3 days."]),
        ("Is the pool open on Mondays?", "No, only on Sundays.", ["The pool is not open on Mondays, only on Sundays."]),
        ("Is the bridge open?", "Yes, it is.", ["The bridge is open."]),
        ("Was the effect different?", "Numerically, yes.", ["Numerically, the effect was different."]),
        (
            "Is the pool open?",
            "In principle, no: repairs go on.",
            ["In principle, the pool is not open.", "Repairs go on."],
        ),
        ("Can dogs enter?", "Technically, no dogs may enter.", ["Technically, no dogs may enter."]),
        ("Ist die Brücke offen?", "Noch nicht, leider.", ["Ist die Brücke offen? Noch nicht, leider."]),
        ("Ist die Brücke offen?", "Ja, aber nur im Mai.", ["Die Brücke ist offen, aber nur im Mai."]),
    ],
)
def test_the_few_words_beside_a_yes_or_a_no_are_read_with_it(question, reply, said):
    assert [one.text for one in claims(reply, question)] == said


@pytest.mark.parametrize(
    ("question", "reply", "first"),
    [
        (
            "Can I put a power bank in the hold? Do I need permission?",
            "No, power banks may never go in the hold.",
            "I cannot put a power bank in the hold.",
        ),
        ("Is Basic free? And are transfers charged?", "Yes, Basic costs nothing.", "Basic is free."),
        ("Is Basic free? And are transfers charged?", "Yes. Transfers cost 2 euros.", "Transfers are charged."),
        ("Can I sail twice? And what happens in a storm?", "Yes.", "I can sail twice."),
        ("Can you tell me who came? Was it raining?", "Yes.", "It was raining."),
        ("I hear it is open? Why?", "Yes.", "Yes."),
    ],
)
def test_of_several_questions_yes_and_no_answer_the_one_that_their_sentence_speaks_of(question, reply, first):
    assert claims(reply, question)[0].text == first
