"""`witnessmark check` and `check_answer`: a first verdict from a pasted question, answer and text, without JSON."""

from __future__ import annotations

import json
import re
import subprocess

import msgspec
import pytest

from witnessmark import InputError, check_answer
from witnessmark.cli.commands.check import verdict
from witnessmark.core.verdict import Claim
from witnessmark.core.wrong_words import support


@pytest.fixture
def cli(warm):
    def run(*arguments, stdin=None):
        command = [*warm, "-m", "witnessmark", "check", "--store", "memory:", *map(str, arguments)]
        return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)

    return run


def test_one_command_names_the_wrong_words_and_the_sources(cli, tmp_path):
    (tmp_path / "report.txt").write_text("Sales grew by 14 % in 2023, the report says.", encoding="utf-8")
    done = cli(
        "--question", "How did sales do?", "--answer", "Sales grew by 40 % in 2023.", "-s", tmp_path / "report.txt"
    )
    assert done.returncode == 1
    assert '"40 %" differs from source report.txt, which says "14 %"' in done.stdout
    assert "in: Sales grew by **40 %** in 2023." in done.stdout
    assert re.match(r"fail: .*\(0 of 1 claims supported, confidence 0\.\d\d\)\n", done.stdout), "how sure it is"


def test_the_answer_may_come_in_by_standard_input_and_the_source_as_text(cli):
    done = cli("--answer", "-", "--text", "It opens at nine.", "--json", stdin="It opens at nine.")
    record = json.loads(done.stdout)
    assert (done.returncode, record["outcome"], record["checkpoint"]) == (0, "pass", "answer")


def test_a_source_may_come_in_by_standard_input(cli):
    done = cli("--answer", "It opens at nine.", "-s", "-", stdin="It opens at nine.")
    assert (done.returncode, "1 of 1 claims supported" in done.stdout) == (0, True)


def test_a_reference_alone_is_enough(cli):
    assert cli("--answer", "Nine.", "--reference", "nine").returncode == 0
    assert cli("--answer", "Ten.", "--reference", "nine").returncode in (1, 3)


def test_a_record_that_is_not_kept_is_not_offered_for_a_later_look(cli, tmp_path):
    said = ("--answer", "It opens at nine.", "--text", "It opens at nine.")
    assert "witnessmark show" not in cli(*said).stdout
    assert "witnessmark show" in cli(*said, "--store", f"sqlite:///{tmp_path}/kept.db").stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--answer", "x", "--text", "report.md"), "'report.md' is the name of a file, not a text; give"),
        (("--answer", "x", "--text", "https://example.com/a"), "is an address, and nothing is fetched; give the text"),
        (("--text", "x"), "--answer: give the text, or -"),
        (("--answer", "x"), "--source: give at least one file"),
        (("--answer", "x", "-s", "-", "-s", "-"), "standard input can be read once"),
        (("--answer", "x", "--source", "not-there.txt"), "not-there.txt: there is no such file; check the path"),
    ],
)
def test_what_is_missing_is_named(cli, arguments, complaint):
    done = cli(*arguments)
    assert done.returncode == 2
    assert complaint in done.stderr


def test_from_python_sources_are_texts_files_and_mappings(tmp_path):
    first, second = tmp_path / "a" / "hours.md", tmp_path / "b" / "hours.md"
    for file in (first, second):
        file.parent.mkdir()
        file.write_text("It opens at nine.", encoding="utf-8")
    record = check_answer(
        "When?", "It opens at nine.", [first, second, "It closes at six.", {"id": "x", "text": "Hi."}]
    )
    assert record.outcome == "pass"
    assert [source.id for source in record.evidence] == [str(first), str(second), "d3", "x"]
    with pytest.raises(InputError, match="sources: nowhere.txt: there is no such file"):
        check_answer("?", "A.", [tmp_path.__class__("nowhere.txt")])


def test_a_broken_pdf_is_one_line_and_its_reader_says_nothing_beside_it(cli, tmp_path):
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.4\nbroken")
    done = cli("--answer", "x", "--source", tmp_path / "broken.pdf")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("witnessmark: broken.pdf: is not a PDF that can be read (")
    assert done.stderr.count("\n") == 1


HUT = "The hut has 48 beds. It opens in June."


@pytest.mark.parametrize(
    ("statuses", "said"),
    [
        (("supported", "supported"), "supported claim by claim, but not certain enough as a whole"),
        (("supported", "unverifiable"), "supported claim by claim, but not certain enough as a whole"),
        (("supported", "unsupported"), "only partly supported"),
        (("partial",), "only partly supported"),
        (("unsupported", "unverifiable"), "not supported"),
        (("unsupported", "contradicted"), "not supported"),
    ],
)
def test_the_first_line_of_a_partial_answer_says_how_far_it_is_supported(statuses, said):
    record = check_answer(question="", answer="The hut has 48 beds.", sources=[HUT])
    claims = tuple(Claim(text="x", kind="fact", status=status) for status in statuses)
    partial = msgspec.structs.replace(record, outcome="partial", claims=claims)
    assert support(partial.claims, partial.coverage) == said
    assert verdict(partial, "x") == f"The answer is {said}."


def test_an_answer_of_which_something_stays_open_is_not_called_unsure_of_what_holds(cli):
    told = cli(
        "-q", "How many beds?", "-a", "The hut has 48 beds. Łóżka są bardzo wygodne dla wszystkich gości.", "-t", HUT
    ).stdout
    assert told.startswith("partial: The answer is supported as far as it could be checked; the rest is open. (1 of 1")


def test_a_folder_is_no_source_and_the_fix_is_said(cli, tmp_path):
    done = cli("--answer", "x", "--source", tmp_path)
    assert (done.returncode, done.stderr) == (
        2,
        f"witnessmark: sources: {tmp_path}: is a folder; name the files in it\n",
    )


def test_an_answer_without_any_support_is_called_so(cli):
    assert cli("--answer", "The moon is made of cheese.", "--text", HUT).stdout.startswith(
        "partial: The answer is not supported. (0 of 1 claims supported"
    )


def test_an_empty_answer_is_none(cli):
    assert cli("--answer", " ", "--text", HUT).stdout.startswith("fail: There is no answer.")


@pytest.mark.parametrize(
    ("sources", "complaint"),
    [
        (None, "sources: must be a list of texts or of objects with a text, not null"),
        (5, "sources: must be a list of texts or of objects with a text, not a number"),
        ([5], r"sources\[0\]: must be a text or an object with a text, not a number"),
        ([HUT, None], r"sources\[1\]: must be a text or an object with a text, not null"),
        ([[HUT]], r"sources\[0\]: must be a text or an object with a text, not a list"),
    ],
)
def test_sources_that_are_none_are_refused_by_their_name_with_what_to_give(sources, complaint):
    with pytest.raises(InputError, match=complaint):
        check_answer("?", "It opens in June.", sources)


def test_sources_may_come_from_anything_that_can_be_gone_through():
    assert check_answer("?", "It opens in June.", (text for text in [HUT])).outcome == "pass"
