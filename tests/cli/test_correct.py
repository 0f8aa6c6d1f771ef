"""`witnessmark correct`: the best verified version on standard output, what it is worth beside it."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from witnessmark.cli.app import command_line

SOURCE = "Revenue grew 14 % in 2025, to 82 million euros. The company opened offices in Lyon and Porto."
QUESTION = "How much did revenue grow in 2025?"


def run(*args, config=""):
    return CliRunner().invoke(
        command_line(), ["correct", "--store", "memory:", *args, *(["--config", config] if config else [])]
    )


def test_a_wrong_figure_is_put_right_by_the_source(tmp_path):
    (tmp_path / "report.txt").write_text(SOURCE)
    done = run("-q", QUESTION, "-a", "Revenue grew 40 % in 2025.", "-s", str(tmp_path / "report.txt"), "--json")
    told = json.loads(done.stdout)
    assert (told["changed"], told["is_grounded"], done.exit_code) == (True, True, 0)
    assert "14 %" in told["response"]
    assert "40 %" not in told["response"]
    assert (told["crag_attempts"], told["stop_reason"], told["log"][0]["kept"]) == (1, "grounded", True)


def test_an_answer_that_holds_comes_back_as_it_is():
    done = run("-q", QUESTION, "-a", "Revenue grew 14 % in 2025.", "-t", SOURCE)
    assert done.stdout.splitlines()[0] == "Revenue grew 14 % in 2025."
    assert "unchanged" in done.stderr


def test_a_refusal_where_the_sources_are_silent_is_left_alone():
    done = run(
        "-q",
        "Who painted the harbour?",
        "-a",
        "The sources do not say who painted the harbour.",
        "-t",
        SOURCE,
        "--json",
    )
    told = json.loads(done.stdout)
    assert (told["response"], told["changed"]) == ("The sources do not say who painted the harbour.", False)


def test_what_the_claims_lack_is_searched_for_in_a_folder(tmp_path):
    (tmp_path / "staff.md").write_text("Headcount was 410 at the end of 2025.")
    done = run(
        "-q",
        "What was headcount at the end of 2025?",
        "-a",
        "Headcount was 390 at the end of 2025.",
        "--search",
        str(tmp_path),
    )
    assert "410" in done.stdout
    assert "corrected" in done.stderr


def test_the_settings_say_how_often_and_how_much_is_shown(tmp_path):
    config = tmp_path / "witnessmark.toml"
    config.write_text("[verification]\nshow_claims = true\nmax_crag_attempts = 0\n")
    told = json.loads(
        run("-q", QUESTION, "-a", "Revenue grew 40 % in 2025.", "-t", SOURCE, "--json", config=str(config)).stdout
    )
    assert (told["changed"], told["stop_reason"]) == (False, "no attempts allowed")  # req: S4-041
    assert told["claims"][0]["status"] == "contradicted"  # req: S4-042
    config.write_text('[verification]\nmode = "observe"\n')
    watched = json.loads(
        run("-q", QUESTION, "-a", "Revenue grew 40 % in 2025.", "-t", SOURCE, "--json", config=str(config)).stdout
    )
    assert (watched["changed"], watched["mode"], "claims" in watched) == (False, "observe", False)  # req: S4-065


@pytest.mark.parametrize(("args", "named"), [(["-q", "x"], "--answer"), (["-a", "x"], "--source")])
def test_what_is_missing_is_named(args, named):
    done = run(*args)
    assert done.exit_code != 0
    assert named in str(done.exception or done.output)


ORDER = '{"gift_wrap": false, "status": "shipped", "signature_required": false}'


@pytest.mark.parametrize("answer", ["Gift wrapping was ordered.", "Yes.", "Yes, gift wrapping was ordered."])
def test_a_value_of_a_record_is_never_written_as_the_answer(answer):
    done = run("-q", "Is it gift-wrapped?", "-a", answer, "-t", ORDER)
    assert (done.stdout.strip(), done.exit_code) == (answer, 1)
    assert "no sentence of the sources could be put in its place" in done.stderr
    assert json.loads(run("-q", "Is it gift-wrapped?", "-a", answer, "-t", ORDER, "--json").stdout)["stop_reason"] == (
        "nothing to write"
    )


def test_the_value_of_a_row_is_put_into_the_sentence_and_never_the_row_itself():
    table = "| Room | Seats |\n|---|---|\n| Aspen | 12 |\n| Birch | 40 |\n"
    done = run("-q", "How many seats does Birch have?", "-a", "Birch has 12 seats.", "-t", table)
    assert (done.stdout.strip(), done.exit_code) == ("Birch has 40 seats [d1].", 0)


def test_a_sentence_that_a_record_holds_may_be_written():
    note = '{"id": 7, "note": "The parcel was left with the neighbour on Friday."}'
    done = run("-q", "When was the parcel left?", "-a", "The parcel was left with the neighbour on Monday.", "-t", note)
    assert done.stdout.strip() == "The parcel was left with the neighbour on Friday [d1]."


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is it gift-wrapped?", "Gift wrapping was not ordered."),
        ("Is it gift-wrapped?", "No."),
        ("Is a signature needed?", "No signature is needed."),
    ],
)
def test_a_true_answer_about_a_record_comes_back_as_it_is(question, answer):
    done = run("-q", question, "-a", answer, "-t", ORDER)
    assert (done.stdout.strip(), done.exit_code) == (answer, 0)
    assert "unchanged" in done.stderr


@pytest.mark.parametrize(
    ("question", "answer", "source"),
    [
        ("How old is Paul?", "34.", "Paul is 34; his sister is three years younger."),
        ("How old is his sister?", "37.", "Paul is 34; his sister is three years younger."),
        ("Is it gift-wrapped?", "Gift wrapping was ordered.", ORDER),
        (QUESTION, "Revenue grew 14 % in 2025.", SOURCE),
    ],
)
def test_the_confidence_is_the_one_that_check_gives(question, answer, source):
    told = json.loads(run("-q", question, "-a", answer, "-t", source, "--attempts", "0", "--json").stdout)
    checked = CliRunner().invoke(
        command_line(), ["check", "--store", "memory:", "-q", question, "-a", answer, "-t", source, "--json"]
    )
    assert told["confidence"] == json.loads(checked.stdout)["confidence"]


def test_what_was_corrected_is_not_called_uncorrectable():
    done = run("-q", "What is the cafe's phone number?", "-a", "It is 555 0100.", "-t", "The cafe opens at 9.")
    assert done.stdout.splitlines()[0] == "The sources do not say."
    assert ": corrected, " in done.stderr
    assert "could be corrected" not in done.stderr


def test_a_folder_in_which_nothing_can_be_searched_is_told(tmp_path):
    asked = ("-q", QUESTION, "-a", "Revenue grew 40 %.", "--search")
    gone = run(*asked, str(tmp_path / "gone"))
    assert str(gone.exception) == f"--search {tmp_path / 'gone'}: there is no such folder; check the path"
    (tmp_path / "photo.png").write_bytes(b"\x89PNG")
    empty = run(*asked, str(tmp_path))
    assert str(empty.exception) == f"--search {tmp_path}: holds no text, Markdown, HTML or PDF file that can be read"
