"""Records read value by value: JSON, CSV, Markdown tables, lines of key and value; and times of day."""

import pytest

from witnessmark.text import clock
from witnessmark.text.records import fields, form_of
from witnessmark.text.tables import flattened


@pytest.mark.parametrize(
    "text",
    [
        '{"rows": [{"city": "Lyon", "seats": 40, "open": true}, {"city": "Porto", "seats": 25, "open": null}]}',
        "city,seats,open\nLyon,40,yes\nPorto,25,n/a\n",
        "city;seats;open\nLyon;40;yes\nPorto;25;unknown\n",
        "| City | Seats | Open |\n|---|---|---|\n| Lyon | 40 | yes |\n| Porto | 25 | - |\n",
        "City | Seats | Open\n--- | :-: | ---\nLyon | 40 | yes\nPorto | 25 | -\n",
        "Halls of 2024\n\nCity | Seats | Open\nLyon | 40 | yes\nPorto | 25 | -\n",
        "City: Lyon\nSeats: 40\nOpen: yes\n\nCity: Porto\nSeats: 25\nOpen: unknown\n",
    ],
    ids=["json", "csv", "semicolons", "markdown", "no outer marks", "no rule", "key-value"],
)
def test_every_form_gives_the_same_values(text):
    found = fields(text)
    assert [(f.path[-1], f.kind) for f in found] == [
        ("city", "text"), ("seats", "number"), ("open", "yes"), ("city", "text"), ("seats", "number"), ("open", "unknown")
    ]  # fmt: skip
    assert [f.value for f in found][:2] == ["Lyon", "40"]
    assert len({f.row for f in found}) == 2
    assert all(text[slice(*f.span)].strip('"') == f.value for f in found)


ROWS = "city,seats,open\nLyon,40,yes\nPorto,25,no\nGraz,31,yes\n"


@pytest.mark.parametrize(
    ("text", "above", "below"),
    [
        (f"Halls of the north\n{ROWS}", ["Halls of the north"], []),
        (f"Halls of the north\nAs of May, all of them\n\n{ROWS}", ["Halls of the north\nAs of May, all of them"], []),
        (f"{ROWS}\nSeats are counted in May.\n", [], ["Seats are counted in May."]),
        (f"Halls of the north\n{ROWS}Seats are counted in May.\n", ["Halls of the north"], ["Seats are counted in May."]),
        (ROWS.replace("25,no", '25,"no, closed"').replace("31,yes", '31,"yes"'), [], []),
        (ROWS.replace("Lyon", ""), [], []),
    ],
)  # fmt: skip
def test_a_csv_is_read_below_a_title_and_above_notes_and_what_stands_around_it_is_read_as_prose(text, above, below):
    assert [f.value for f in fields(text)][-3:] == ["Graz", "31", "yes"]
    read = [sentence.text for sentence in flattened(text)]
    assert read[: len(above)] == above
    assert read[len(above) + 2] == "city: Graz; seats: 31; open: yes"
    assert read[len(above) + 3 :] == below


@pytest.mark.parametrize(
    "text",
    [
        "A list of fruit\nApples, pears, plums\nCherries, figs, dates\n",
        "A letter\nDear Ann,\nHello,\nBye,\n",
        "city,seats,open\nIt is a long day, is it not, my friend.\nWe went home.\nThen it rained.\nNobody came.\n",
    ],
)
def test_lines_with_commas_below_a_title_are_no_csv(text):
    assert fields(text) == []


def test_a_wall_of_text_is_no_record_however_long_its_one_line():
    assert fields("Nothing of interest happened on that day in the valley. " * 5000) == []


def test_prose_is_no_record():
    assert fields("Note: the bridge opened in 1998. It cost 3 million, and nobody complained.\nIt is long.") == []


@pytest.mark.parametrize(
    ("text", "days", "start", "end"),
    [
        ("Monday to Friday from 9 am to 5:30 pm", {0, 1, 2, 3, 4}, 540, 1050),
        ("7:0-17:0", set(), 420, 1020),
        ("open seven days a week from 7am to 2pm", set(range(7)), 420, 840),
        ("11 to 14:00 on Saturdays and Sundays", {5, 6}, 660, 840),
        ("montag bis mittwoch 9:00 bis 12:00", {0, 1, 2}, 540, 720),
    ],
)
def test_days_take_the_hours_beside_them(text, days, start, end):
    (one,) = clock.openings(text)
    assert (set(one.days), one.start, one.end) == (days, start, end)


def test_what_is_closed_takes_no_hours():
    shut, open_ = clock.openings("closed on weekends and open from 10:30 am to 3 pm on weekdays")
    assert (shut.closed, set(shut.days), shut.timed) == (True, {5, 6}, False)
    assert (set(open_.days), open_.start, open_.end) == ({0, 1, 2, 3, 4}, 630, 900)


def test_a_range_of_figures_is_no_time():
    assert clock.openings("rated 4 to 5 stars in 2019-2020") == []


BRANCHES = [
    '{"prod": {"host": "db1", "port": 5432}, "staging": {"host": "db2", "port": 6432}}',
    "prod:\n  host: db1\n  port: 5432\nstaging:\n  host: db2\n  port: 6432\n",
    "<p>Hosts</p><table><tr><th>name</th><th>host</th><th>port</th></tr><tr><td>prod<td>db1<td>5432</tr>"
    "<tr><td><b>staging</b></td><td>db2</td><td>6432</td></tr></table>",
]


@pytest.mark.parametrize("text", BRANCHES, ids=["json", "yaml", "html"])
def test_branches_of_nested_data_and_rows_of_html_are_rows(text):
    found = fields(text)
    named = [(f.path[-1], f.value) for f in found]
    assert named == [
        ("name", "prod"),
        ("host", "db1"),
        ("port", "5432"),
        ("name", "staging"),
        ("host", "db2"),
        ("port", "6432"),
    ]
    assert len({f.row for f in found[:3]}) == len({f.row for f in found[3:]}) == 1
    assert found[0].row != found[3].row
    assert all(f.value in text[slice(*f.span)] for f in found if f.path[-1] != "name")


def test_keys_that_share_nothing_are_no_branches():
    found = fields('{"owner": {"name": "Ada"}, "address": {"city": "Lyon", "zip": 69001}}')
    assert [(f.path, f.row) for f in found] == [
        (("owner", "name"), 0),
        (("address", "city"), 0),
        (("address", "zip"), 0),
    ]


def test_a_list_in_markdown_is_no_yaml():
    assert [f.row for f in fields("Opening hours:\n- Monday: 8-17\n- Tuesday: 9-17\n")] == [0, 0]


def test_html_around_a_table_is_read_without_its_marks():
    text = "<h1>Rates</h1><script>var x = 'Team $1';</script><table><tr><th>Plan<th>Price</tr><tr><td>Team<td>&euro;9</tr></table><p>Cancel any time.</p>"
    assert [one.text for one in flattened(text)] == ["Rates", "Plan Price", "Plan: Team; Price: €9", "Cancel any time."]
    assert text[slice(*flattened(text)[-1].span)] == "Cancel any time."


def test_values_of_one_key_in_brackets_are_read_one_by_one():
    found = fields("write: [alice, bob]\nread: [carol]")
    assert [(field.path, field.value) for field in found] == [
        (("write",), "alice"),
        (("write",), "bob"),
        (("read",), "carol"),
    ]


def test_the_form_of_a_text_is_told_once_for_its_values_and_for_its_sentences():
    both = "name;note\nAnn;first\nBen;second\n\n| City | Seats |\n|---|---|\n| Lyon | 40 |\n"
    for text, form in (
        (both, "table"),
        ('{"a": 1}', "json"),
        ("a,b\n1,2\n3,4\n", "csv"),
        ("<table><tr><th>A<th>B</tr><tr><td>1</td><td>2</td></tr></table>", "html"),
        ("host:\n  port: 80\n  name: x\n", "yaml"),
        ("City: Lyon\nSeats: 40\n", "lines"),
        ("It rained.", "prose"),
    ):
        assert form_of(text)[0] == form
        assert fields(text) == list(form_of(text)[1])
    assert [f.value for f in fields(both)] == ["Lyon", "40"]
    assert "City: Lyon; Seats: 40" in [sentence.text for sentence in flattened(both)]
