"""Counts that a criterion names: told where the text clearly falls short, silent everywhere else."""

from __future__ import annotations

import pytest

from witnessmark import Case, Verifier
from witnessmark.checks.plain import counts

FOUR = "## Risk categories\n\n- prohibited\n- high\n- limited\n- minimal\n"


@pytest.mark.parametrize(("criterion", "asked"), [
    ("Covers all 6 risk categories", (6, "categories")),
    ("Must cover all 5 EU AI Act risk categories", (5, "categories")),
    ("Must identify at least 3 compliance gaps with severity ratings", (3, "gaps")),
    ("Has at least three examples.", (3, "examples")),
    ("At least 200 words", (200, "words")),
    ("Is clear", None),
    ("Uses the 2016 edition", None),
])  # fmt: skip
def test_the_count_is_read_from_the_words(criterion, asked):
    assert counts.wanted(criterion) == asked


def test_a_list_with_fewer_items_than_asked_for_falls_short():
    short = counts.miscount(FOUR, "Covers all 6 risk categories")
    assert short == counts.Count(wanted=6, found=4, what="categories")  # req: S2-028


def test_the_examples_5_and_6_categories_are_data_not_code():
    """The source asks for 5 in one place and 6 in another; both counts are taken from the criterion."""
    five = "Risk categories:\n1. a\n2. b\n3. c\n4. d\n5. e\n"
    assert counts.miscount(five, "Must cover all 5 EU AI Act risk categories") is None  # req: C23
    assert counts.miscount(five, "Covers all 6 risk categories") is not None  # req: C23


@pytest.mark.parametrize("text", [
    "The categories are prohibited, high, limited, minimal, general and systemic.",  # prose: cannot tell
    "## Risk categories\n\n| name | rule |\n|---|---|\n| a | x |\n| b | x |\n| c | x |\n| d | x |\n| e | x |\n| f | x |\n",
    "## Risk categories\n\n- a\n- b\n- c\n\nFurther:\n\n- d\n- e\n- f\n",
    "## Next steps\n\n- one\n- two\n",  # a list of something else
    "",
])  # fmt: skip
def test_where_it_cannot_be_told_nothing_is_said(text):
    assert counts.miscount(text, "Covers all 6 risk categories") is None


def test_words_are_counted_exactly():
    assert counts.miscount("one two three", "At least 5 words long") == counts.Count(5, 3, "words")
    assert counts.miscount("one two three four five", "At least 5 words long") is None


@pytest.mark.parametrize(
    ("criterion", "most"),
    [
        ("At most 10 words", 10),
        ("No more than 10 words", 10),
        ("Stays under 11 words", 10),
        ("Answer in 10 words or fewer", 10),
        ("Does not exceed ten words", 10),
        ("Limited to 10 words", 10),
        ("Has 5 to 10 words", None),
        ("Each section has at most 10 words", None),
        ("The abstract has at most 10 words", None),
        ("Names at most 10 risks", None),
    ],
)
def test_an_upper_limit_on_words_is_counted_and_one_on_a_part_is_left_to_a_judge(criterion, most):
    eleven, ten = "word " * 11, "word " * 10
    assert counts.miscount(ten, criterion) is None
    found = counts.miscount(eleven, criterion)
    assert (found and (found.wanted, found.found, found.most)) == (most and (most, 11, True))  # req: S2-028


def test_a_criterion_with_an_upper_limit_fails_without_a_judge_and_says_how_much_to_cut():
    case = Case(subject={"kind": "task_output", "text": "word " * 60}, criteria=["Stays within 50 words"])
    record = Verifier().verify_sync(case)
    (said,) = [one for one in record.results if one.check == "rubric"]
    assert (said.status, said.reason) == ("fail", "60 words where at most 50 are allowed")  # req: S2-028
    assert "Cut 10 words." in [finding.suggestion for finding in record.findings]


def task(text, criterion):
    return Verifier().verify_sync(Case(subject={"kind": "task_output", "text": text}, criteria=[criterion]))


@pytest.mark.parametrize(
    ("criterion", "words"),
    [("At least 200 words", 1), ("At least 200 words", 190), ("No more than 50 words", 80), ("At most 50 words", 51)],
)
def test_a_limit_that_is_certainly_missed_fails_whichever_way_and_by_however_much(criterion, words):
    assert task("word " * words, criterion).outcome == "fail"


@pytest.mark.parametrize(
    ("criterion", "text", "reason"),
    [
        ("At least 3 gaps", "- gap one\n- gap two\n", "2 gaps where 3 are asked for"),
        ("Lists at least 3 fruits", "- apple\n- pear\n", "2 fruits where 3 are asked for"),
        ("Contains exactly 5 steps", "1. Open\n2. Close\n", "2 steps where 5 are asked for"),
        ("Gives no fewer than two steps", "* Open the door\n", "1 step where 2 are asked for"),
    ],
)
def test_a_text_that_is_one_list_and_nothing_else_has_as_many_things_as_items(criterion, text, reason):
    record = task(text, criterion)
    assert (record.outcome, [finding.message for finding in record.findings]) == ("fail", [reason])


@pytest.mark.parametrize(
    ("criterion", "text"),
    [
        ("Lists at least 3 fruits", "- apple, plum\n- pear\n"),  # several in one item
        ("Lists at least 3 fruits", "- apple and plum\n- pear\n"),
        ("Lists at least 3 fruits", "- apple\n- pear\n\nA plum would do as well.\n"),  # more than the list
        ("Lists at least 3 fruits", "Buy these.\n- apple\n- pear\n"),
        ("Lists at least 2 fruits", "- sweet\n  - apple\n"),  # a list within a list
        ("Lists at least 2 fruits", "- apple\n- pear\n"),  # enough
        ("Mentions at least 3 fruits", "- apple plum pear jam\n- bread\n"),  # mentioned, not listed
        ("Contains at least 3 numbers", "- 3 of 10\n- 20 men\n"),
        ("Covers all 6 categories", "1. a\n2. b\n"),
        ("At least 3 gaps", "The plan has no owner and no date."),
    ],
)
def test_whatever_may_hold_more_things_than_items_is_left_to_a_judge(criterion, text):
    assert counts.miscount(text, criterion) is None


@pytest.mark.parametrize(
    ("number", "what", "said"),
    [(1, "words", "1 word"), (2, "words", "2 words"), (1, "categories", "1 category"), (1, "boxes", "1 box"), (1, "cases", "1 case")],
)  # fmt: skip
def test_one_thing_is_told_in_the_singular(number, what, said):
    assert counts.counted_things(number, what) == said


@pytest.mark.parametrize(
    ("request_", "text", "found"),
    [
        ("Name five rivers in France.", "- Seine\n- Loire", 2),
        ("Give me 5 names for a cat.", "1. Momo\n2. Pixel", 2),
        ("List 5 gaps.", "Gaps:\n- no logs\n- no owner", 2),
        ("List 5 gaps.", "Gaps:\n- no logs\n- no owner\n\nThere are only these two.", None),  # it says so
        ("Name five rivers in France.", "- Seine, Loire\n- Rhine, Rhône, Marne", None),
        ("Give me 5 names for a cat.", "- Anna Maria\n- Ben", None),  # an item may be two names
        ("Name five rivers in France.", "Seine and Loire.", None),
        ("Write 300 words on rain.", "Rain is wet.", None),  # so many, more or less
    ],
)
def test_a_request_for_so_many_things_is_counted_like_a_criterion(request_, text, found):
    short = counts.miscount(text, request_)
    assert (short and short.found) == found


@pytest.mark.parametrize(
    ("criterion", "limit"),
    [
        ("Höchstens zehn Wörter", 10), ("Au plus 10 mots", 10), ("10 palabras como máximo", 10), ("Moins de 11 mots", 10),
        ("Jeder Abschnitt hat höchstens 10 Wörter", None), ("Chaque section a au plus 10 mots", None),
    ],
)  # fmt: skip
def test_a_limit_on_words_is_read_in_every_language(criterion, limit):
    assert counts.miscount("mot " * 10, criterion) is None
    found = counts.miscount("mot " * 11, criterion)
    assert (found and found.wanted) == limit
    assert counts.miscount("mot " * 9, "Mindestens 10 Wörter") == counts.Count(10, 9, "words")


def test_rows_of_a_table_count_whether_their_last_bar_is_written_or_not():
    table = "Risk categories:\n\n| Risk | Level\n|---|---\n| fire | 1\n| flood | 2"
    assert counts.miscount(table, "Covers all 6 risk categories") == counts.Count(wanted=6, found=3, what="categories")


@pytest.mark.parametrize(
    "criterion",
    [
        "The summary section has at most 10 words", "The intro has at most 10 words", "Includes a rationale of at most 10 words",
        "Starts with a hook of at most 10 words", "The first part stays under 11 words", "Quotes at most 10 words from the source",
        "The answer to question 2 is at most 10 words", "Write a report with an opening of at most 10 words",
        "The post is friendly and its tagline has at most 10 words", "Die Kurzfassung hat höchstens 10 Wörter",
        "L'aperçu a au plus 10 mots", "El aviso tiene como máximo 10 palabras",
    ],
)  # fmt: skip
def test_a_limit_on_a_part_does_not_count_the_whole_output(criterion):
    record = task("Tides come and go.\n\n" + "word " * 20, criterion)
    assert record.outcome == "unverified"


def test_a_limit_on_a_summary_does_not_count_a_text_that_has_one_in_it():
    assert task("Summary: it rained.\n\n" + "word " * 20, "The summary has at most 10 words").outcome == "unverified"
    assert task("word " * 20, "The summary has at most 10 words").outcome == "fail"


@pytest.mark.parametrize(
    "criterion",
    [
        "The reply to the customer is at most 10 words", "Explain the tides in at most 10 words", "Answer politely, at most 10 words",
        "Write a limerick of at most 10 words", "The answer has a length of at most 10 words", "The word count is at most 10 words",
        "The output is friendly and has at most 10 words", "Schreibe ein Gedicht mit höchstens 10 Wörtern",
    ],
)  # fmt: skip
def test_a_limit_on_the_whole_is_counted_however_it_is_put(criterion):
    assert task("word " * 11, criterion).outcome == "fail"
    assert counts.miscount("word " * 10, criterion) is None


@pytest.mark.parametrize(
    ("criterion", "text", "outcome"),
    [
        ("At least 50 words", "东京是日本的首都。" * 20, "unverified"),  # up to 160
        ("At least 50 words", "东京是日本的首都。", "fail"),
        ("At most 10 words", "东京是日本的首都" * 50, "fail"),
    ],
)
def test_words_of_a_script_without_spaces_are_counted_only_as_far_as_that_can_be_told(criterion, text, outcome):
    assert task(text, criterion).outcome == outcome


@pytest.mark.parametrize(
    "criterion",
    ["At least 20 words", "20 words or fewer", "Exactly 20 words", "The text has no more than 20 words", "At least 20 words long.", "Höchstens 20 Wörter", "Au moins 20 mots", "Al menos 20 palabras"],
)  # fmt: skip
def test_a_limit_that_is_kept_and_is_all_that_is_asked_for_is_met_without_a_judge(criterion):
    record = task("word " * 20, criterion)
    assert (record.outcome, record.coverage, record.confidence_source) == ("pass", 1.0, "deterministic")


@pytest.mark.parametrize(
    "criterion",
    [
        "At least 20 words on the warranty", "A friendly text of at least 20 words", "At least 20 words, and friendly", "At least 3 relevant words",
        "Each section has at least 20 words", "The summary names at least 20 words", "Lists all 20 words",
    ],
)  # fmt: skip
def test_a_limit_beside_which_more_is_asked_for_is_not_met_by_counting(criterion):
    assert task("word " * 20, criterion).outcome == "unverified"


def test_a_text_that_is_one_table_with_a_row_for_each_thing_has_as_many_as_rows():
    table = "| Region | People |\n|---|---|\n| Alvar | 412 |\n| Borsk | 98 |\n"
    assert counts.miscount(table, "Lists all 3 regions") == counts.Count(wanted=3, found=2, what="regions")
    assert counts.miscount(table, "Lists all 2 regions") is None
    for other in (table.replace("Borsk", "Borsk, Dovin"), table + "\nDovin has 57.", table.replace("Region", "Area")):
        assert counts.miscount(other, "Lists all 3 regions") is None  # more than the rows may name one


@pytest.mark.parametrize(
    "criterion",
    [
        "Between 30 and 60 words", "The answer has between 30 and 60 words.", "Write between 30 and 60 words on tea.",
        "The summary should be between 30 and 60 words.", "Explain the tides in between 30 and 60 words",
        "Zwischen 30 und 60 Wörtern", "Entre 30 et 60 mots", "El texto tiene entre 30 y 60 palabras",
    ],
)  # fmt: skip
def test_two_limits_at_once_are_a_least_and_a_most(criterion):
    assert (counts.wanted(criterion), counts.allowed(criterion)) == ((30, "words"), (60, "words"))
    assert counts.miscount("word " * 29, criterion) == counts.Count(30, 29, "words")
    assert counts.miscount("word " * 30, criterion) is None
    assert counts.miscount("word " * 60, criterion) is None
    assert counts.miscount("word " * 61, criterion) == counts.Count(60, 61, "words", most=True)


def test_two_limits_that_are_kept_and_are_all_that_is_asked_for_are_met_without_a_judge():
    assert task("word " * 45, "Between 30 and 60 words").outcome == "pass"
    assert task("word " * 45, "Between 30 and 60 friendly words").outcome == "unverified"


def test_two_limits_of_a_goal_are_held_against_what_came_out():
    goal = "Describe our tea in between 30 and 60 words."
    case = Case(goal=goal, subject={"kind": "task_output", "text": "tea " * 80}, checkpoint="goal")
    assert "at most 60 words were asked for and 80 are there" in [
        f.message for f in Verifier().verify_sync(case).findings
    ]


@pytest.mark.parametrize(
    "criterion",
    [
        "What is the difference between 30 and 60 words?", "Explain the difference between 30 and 60 words per minute.",
        "Each section has between 30 and 60 words", "Write a report with an intro of between 30 and 60 words",
        "Quote between 30 and 60 words of the source", "Between 60 and 30 words", "Choose between 30 and 60 words.",
    ],
)  # fmt: skip
def test_what_stands_between_two_numbers_of_a_part_or_of_something_else_is_no_limit(criterion):
    assert (counts.wanted(criterion), counts.allowed(criterion)) == (None, None)


@pytest.mark.parametrize(
    "goal",
    [
        "Write a function that checks that a password has at most 12 characters.", "Write a regex for usernames of at most 12 characters.",
        "Write a function that cuts strings to at most 12 characters.", "Check that the password is at most 12 characters.",
        "Write a function that accepts usernames that have between 3 and 12 characters.",
        "Schreibe eine Funktion, die prüft, ob ein Passwort höchstens 12 Zeichen hat.",
        "Écris une fonction : le mot de passe a au plus 12 caractères", "Escribe una función: la contraseña tiene como máximo 12 caracteres",
    ],
)  # fmt: skip
def test_a_limit_on_what_a_program_is_given_is_none_on_the_program(goal):
    program = "def fits(password):\n    return len(password) <= 12\n"
    assert counts.miscount(program, goal) is None


@pytest.mark.parametrize("goal", ["Explain passwords in at most 12 characters", "The text has at most 12 characters"])
def test_a_limit_on_what_is_said_of_it_stays_one(goal):
    assert counts.miscount("They keep an account safe.", goal) == counts.Count(12, 26, "characters", most=True)
