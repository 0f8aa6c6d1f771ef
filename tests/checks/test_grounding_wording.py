"""What stands in a source word for word and what only occurs in it; words that a prefix turns into their opposites."""

import pytest

from witnessmark.checks.grounding.decision import decide, settled
from witnessmark.checks.grounding.evidence import EvidenceSource, Index
from witnessmark.checks.grounding.features import look
from witnessmark.checks.grounding.relations.word_for_word import stands_in
from witnessmark.core.protocols import Reading

LIST = "Rules of the hall:\n- Bicycles travel free.\n"
TABLE = "| Item | Rule |\n|---|---|\n| Dogs | Dogs travel free |\n"


def index(source):
    return Index([EvidenceSource("s", source)])


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Backups are kept for 30 days.", "We thank you. Backups are kept for 30 days! Call us."),
        ("backups are kept", "Backups are kept; logs are not."),
        ("Logs are kept.", "Backups are kept; logs are kept."),
        ("Backups are kept", "- Backups are kept\n- Logs are not"),
        ("Secure the end.", "Step 4: Secure the end."),
        ("Dogs travel free.", TABLE),
        ("Dogs travel free.", '{"note": "Dogs travel free."}'),
    ],
)
def test_a_whole_sentence_clause_item_or_cell_stands_there_word_for_word(claim, source):
    assert stands_in(claim, index(source))
    assert decide(look(claim, index(source))).probability >= 0.99


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("Encrypted backups are kept.", "Unencrypted backups are kept."),
        ("The tool supports Java.", "The tool supports JavaScript."),
        ("Bicycles travel free.", "Children's bicycles travel free."),
        ("The bridge is safe.", "It is false that the bridge is safe."),
        ("The CEO resigned.", "Rumours that the CEO resigned are wrong."),
        ("The plan is free.", "The plan is free only for students."),
        ("The plan is free.", "The plan is free; except for firms."),
        ("Payment is due in June.", "Unless you opt out, payment is due in June."),
        ("Smoking is allowed.", "None of this holds: parking is free; smoking is allowed."),
        ("The bridge is safe.", "The bridge is safe?"),
        ("Bicycles travel free.", LIST.replace("Rules", "Not the rules")),
        ("Run it. Stop it.", "Run it. Never stop it."),
    ],
)
def test_words_that_only_occur_there_settle_nothing(claim, source):
    assert not stands_in(claim, index(source))
    assert not look(claim, index(source)).features["verbatim"]


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The flag is enabled by default.", "The flag is disabled by default."),
        ("The flag is disabled by default.", "The flag is enabled by default."),
        ("Exports are synchronous.", "Exports are asynchronous."),
        ("Rows are sorted ascending.", "Rows are sorted descending."),
        ("You can return used items within 30 days.", "Customers may return unused items within 30 days for a refund."),
        ("Registered users cannot post.", "Unregistered users cannot post."),
        ("Tickets are refundable.", "Tickets are non-refundable."),
        ("Incomplete forms are returned.", "Complete forms are returned."),
        ("Uploads are limited to 5 MB.", "Downloads are limited to 5 MB."),
        ("Verschlüsselte Daten werden gelöscht.", "Unverschlüsselte Daten werden gelöscht."),
    ],
)
def test_a_word_that_a_prefix_turns_into_its_opposite_contradicts_whatever_a_model_says(claim, source):
    seen = look(claim, index(source))
    assert decide(seen, Reading(0.95)).status == "contradicted"
    assert settled(seen)


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The flag is not enabled.", "The flag is disabled."),
        ("Registered users may post.", "Registered users may post. Unregistered users may post comments."),
        ("Paid leave exists.", "Unpaid leave exists as well as paid leave."),
        ("The mount is heavy.", "The amount is heavy."),
        ("Tickets are nonrefundable.", "Tickets are non-refundable."),
        ("Encrypted files are copied to a tape.", "Unencrypted backups of disks are made on Mondays."),
    ],
)
def test_the_same_said_otherwise_or_of_something_else_is_no_opposite(claim, source):
    assert "denial" not in {point.rule for point in look(claim, index(source)).points}


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("It applies where y > 7.", "It applies where y < 7."),
        ("The pressure is ≥ 4 bar.", "The pressure is ≤ 4 bar."),
        ("The donor has type B-.", "The donor has type B+."),
        ("The tool is written in C.", "The tool is written in C++."),
        ("The file has 9 Gb.", "The file has 9 GB."),
    ],
)
def test_the_same_words_with_another_sign_are_contradicted_and_not_word_for_word(claim, source):
    assert not stands_in(claim, index(source))
    assert decide(look(claim, index(source))).status == "contradicted"


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The limit is >= 4 bar.", "The limit is ≥ 4 bar."),
        ("It fell to -4 degrees.", "It fell to −4 degrees."),
        ("The file has 9 GB.", "The file has 9 GB."),
        ("A well known tool of 2020-2021.", "A well-known tool of 2020–2021."),
        ("It is free on Mondays.", "> It is free on Mondays."),
        ("Output rose by 4 % in May.", "Output rose by +4 % in May."),
    ],
)
def test_a_sign_in_another_way_of_writing_is_the_same(claim, source):
    assert stands_in(claim, index(source))


def test_a_figure_without_its_unit_is_not_contradicted_by_one_that_has_it():
    assert decide(look("The rate is 4.", index("The rate is 4 %."))).status != "contradicted"
