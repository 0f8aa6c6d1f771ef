"""Short answers with their questions: the statement that each pair makes, in plain English or as the two were said.

A specification by example: what a reader would say the answer asserts.
"""

import pytest

from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.reading.questions import as_statement, completed, is_fragment, polar


@pytest.mark.parametrize(
    ("question", "reply", "statement"),
    [
        ("May subcontractors be used?", "Yes.", "Subcontractors may be used."),
        ("May subcontractors be used?", "No.", "Subcontractors may not be used."),
        ("Is anything outstanding?", "Yes.", "Something is outstanding."),
        ("Is a signature needed?", "No.", "A signature is not needed."),
        ("Is there a fee?", "No.", "There is no fee."),
        ("Is there a fee?", "Yes.", "There is a fee."),
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
        ("The museum is open on Mondays, isn't it?", "Yes.", "The museum is open on Mondays."),
        ("The museum is open on Mondays, isn't it?", "No.", "The museum is not open on Mondays."),
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
    ],
)
def test_yes_and_no_say_what_was_asked(question, reply, statement):
    assert [one.text for one in claims(reply, question)] == [statement]


@pytest.mark.parametrize(
    ("question", "reply", "statement"),
    [
        ("Which room has the most seats?", "Aspen.", "Aspen has the most seats."),
        ("How old is his sister?", "37.", "His sister is 37."),
        ("How long does it last?", "Six months.", "It lasts six months."),
        ("Who founded Acme?", "Maria Lopes", "Maria Lopes founded Acme."),
        ("Who may terminate at once?", "The Client.", "The Client may terminate at once."),
        ("Who is responsible for repairs?", "The tenant", "The tenant is responsible for repairs."),
        ("Who did Ana meet in Lyon?", "Paul", "Ana met Paul in Lyon."),
        ("Who is the mayor?", "Ana Ruiz", "The mayor is Ana Ruiz."),
        ("Who objected?", "Mr Lim did.", "Mr Lim objected."),
        ("Who is older?", "Mary Pierce", "Mary Pierce is older."),
        ("The bridge was built in which year?", "1998", "The bridge was built in 1998."),
        ("It is a character in what kind of story?", "A fable", "It is a character in a fable."),
        ("The song was recorded by who?", "Queen", "The song was recorded by Queen."),
        ("What is needed?", "A signature", "A signature is needed."),
        ("What does it depend on?", "NumPy", "It depends on NumPy."),
        ("What is the warranty period?", "Two years", "The warranty period is two years."),
        ("What did the council approve?", "The budget", "The council approved the budget."),
        ("What time does the shop open?", "9:30", "The shop opens at 9:30."),
        ("What happened in May?", "A flood", "A flood happened in May."),
        ("What is it written in?", "Python", "It is written in Python."),
        ("Which company built the bridge?", "Halvorsen", "Halvorsen built the bridge."),
        ("Which company did she found?", "Acme", "She founded Acme."),
        ("Which of the sites enrolled most?", "Lyon", "Of the sites, Lyon enrolled most."),
        ("Which band has more members, Muse or Queen?", "Queen", "Queen has more members."),
        ("When was the bridge opened?", "14 May 1998.", "The bridge was opened on 14 May 1998."),
        ("When does the course start?", "Monday", "The course starts on Monday."),
        ("When is the deadline?", "3 May", "The deadline is on 3 May."),
        ("When did it open?", "1998", "It opened in 1998."),
        ("When does it close?", "at 18:30", "It closes at 18:30."),
        ("Where was she born?", "Berlin", "She was born in Berlin."),
        ("Where is Richard Blumenthal from?", "Maine", "Richard Blumenthal is from Maine."),
        ("Where does the tour start?", "At the town hall.", "The tour starts at the town hall."),
        ("How many goals did Ines Carvalho score in 2022?", "17", "Ines Carvalho scored 17 goals in 2022."),
        ("How many people attended?", "40", "40 people attended."),
        ("How many seats are there in the hall?", "120 seats", "There are 120 seats in the hall."),
        ("How many rooms are free?", "Three", "Three rooms are free."),
        ("How many of the seats are taken?", "12", "12 of the seats are taken."),
        ("How many members does the club have?", "About 300", "The club has about 300 members."),
        ("How much does it cost?", "12 euros", "It costs 12 euros."),
        ("How much is the fee?", "EUR 40", "The fee is EUR 40."),
        ("How much sugar is needed?", "200 g", "200 g of sugar is needed."),
        ("How much water does the tank hold?", "1.8 litres", "The tank holds 1.8 litres of water."),
        ("How much did revenue grow in 2025?", "14 %", "Revenue grew 14 % in 2025."),
        ("How tall is the radio mast?", "217 metres", "The radio mast is 217 metres tall."),
        ("How old must you be?", "18", "You must be 18."),
        ("How long is the bridge?", "217 metres", "The bridge is 217 metres long."),
        ("How long has he lived in Lyon?", "Ten years", "He has lived in Lyon for ten years."),
        ("How long will the work take?", "Six months.", "The work will take six months."),
        ("How far is the station from the hotel?", "2 km", "The station is 2 km from the hotel."),
        ("How far is it?", "2 km", "It is 2 km away."),
        ("How often does the bus run?", "Every 20 minutes.", "The bus runs every 20 minutes."),
        ("How did they travel?", "By train", "They travelled by train."),
        ("How heavy is the box?", "3 kg", "The box is 3 kg."),
        ("Why was the match cancelled?", "Because of rain", "The match was cancelled because of rain."),
        ("Whose signature is required?", "The manager's", "The manager's signature is required."),
        ("In which country was Ana born?", "Chile", "Ana was born in Chile."),
        ("In which year was the bridge built?", "1998", "The bridge was built in 1998."),
        ("What year was it built?", "1998", "It was built in 1998."),
        ("In Great Britain, what does it mean?", "Crazy", "In Great Britain, it means Crazy."),
        ("May subcontractors be used?", "Only with consent.", "Subcontractors may be used only with consent."),
        ("Which bus goes to the station?", "No. 5", "No. 5 goes to the station."),
        ("How many attended?", "40 people", "40 people attended."),
        ("What can visitors bring?", "Dogs", "Visitors can bring Dogs."),
        ("What must be paid in advance?", "The deposit", "The deposit must be paid in advance."),
        ("Who was elected president?", "Ana Ruiz", "Ana Ruiz was elected president."),
        ("What was the inflation rate last December?", "1.98", "The inflation rate last December was 1.98."),
        ("What plans does the club have?", "A new hall", "The club has a new hall."),
        ("What is the new hall called?", "Aspen", "The new hall is called Aspen."),
    ],
)
def test_a_name_a_figure_or_a_phrase_stands_where_it_was_asked_for(question, reply, statement):
    assert [one.text for one in claims(reply, question)] == [statement]


@pytest.mark.parametrize(
    ("question", "reply", "statement"),
    [
        ("It opens at 9, doesn't it?", "No.", "It opens at 9, doesn't it? No."),
        ("Where is the kettle?", "The kitchen", "Where is the kettle? The kitchen."),
        ("Why was the match cancelled?", "Rain", "Why was the match cancelled? Rain."),
        ("Is it red or blue?", "Blue.", "Is it red or blue? Blue."),
        ("Is the coffee shop in Lyon?", "Yes.", "Is the coffee shop in Lyon? Yes."),
        ("Over budget?", "No.", "Over budget? No."),
    ],
)
def test_where_the_order_of_the_words_is_not_certain_the_two_stand_as_they_were_said(question, reply, statement):
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
            ["The museum is not open on Mondays.", "The museum is closed on Mondays."],
        ),
        ("Is it open?", "Yes, the shop opens at 9 every day.", ["It is open.", "The shop opens at 9 every day."]),
        (
            "Can I descale with vinegar?",
            "No, it damages seals.",
            ["I cannot descale with vinegar.", "It damages seals."],
        ),
    ],
)
def test_what_follows_yes_or_no_is_a_claim_of_its_own_at_the_time_that_was_asked_about(question, reply, said):
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


def test_a_predicate_with_a_time_of_its_own_takes_none_from_the_question():
    assert completed("Is the museum open on Mondays?", "It is closed until May") == "It is closed until May"
