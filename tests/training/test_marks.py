"""Which words of a claim are wrong: what the token head of the embedded models learns from."""

from __future__ import annotations

import json
import lzma

from hypothesis import given
from hypothesis import strategies as st
from training.marks import braced, changed

from training import human, written

words = st.lists(
    st.sampled_from(["the", "plant", "opened", "in", "1990", "Lyon", "grew", "14", "percent"]), min_size=1, max_size=12
)


def parts(text, spans):
    return [text[a:b] for a, b in spans]


def test_what_an_edit_put_in_is_wrong():
    now = "Sales grew 40 percent in Lyon."
    assert parts(now, changed("Sales grew 14 percent in Lyon.", now)) == ["40"]


def test_where_words_were_only_taken_out_the_words_beside_the_gap_are_wrong():
    now = "The plant did close."
    assert parts(now, changed("The plant did not close.", now)) == ["did close"]


@given(words, words)
def test_marks_lie_inside_the_text_and_only_where_it_differs(was, now):
    text = " ".join(now)
    spans = changed(" ".join(was), text)
    assert all(0 <= a < b <= len(text) for a, b in spans)
    assert bool(spans) == (was != now)


@given(
    st.text(st.characters(exclude_characters="{}"), min_size=1),
    st.text(alphabet="abc ", min_size=1),
    st.text(alphabet="xyz. "),
)
def test_braces_come_off_and_leave_the_span_between_them(before, wrong, after):
    text, spans = braced(before + "{" + wrong + "}" + after)
    assert text == before + wrong + after
    assert parts(text, spans) == ([wrong] if wrong.strip() else [])


def _row(set_, context):
    return human.Row(set_, "1", "", context, "A response.", 1, {})


def _file(tmp_path, *lines):
    path = tmp_path / "written.jsonl.xz"
    with lzma.open(path, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(line) + "\n" for line in lines)
    return path


def test_a_text_of_a_set_lies_in_its_contexts_fold_and_shows_only_the_sentences_named(tmp_path):
    context = "One stands here. Two stands there. Three stands nowhere."
    line = {"of": [[written.digest(context), 1, 3]], "claims": ["+ Two stands there.", "- Three stands {here}."]}
    (text,) = written.texts([_row("cg2c", context)], {context: 2}, _file(tmp_path, line))
    assert (text.context, text.fold) == ("Two stands there. Three stands nowhere.", 2)
    assert text.claims == [("Two stands there.", ()), ("Three stands here.", ((13, 17),))]


def test_several_contexts_stand_as_numbered_passages(tmp_path):
    one, two = "One stands here.", "Two stands there."
    line = {"of": [[written.digest(one), 0, -1], [written.digest(two), 0, -1]], "claims": ["+ Both stand."]}
    (text,) = written.texts([_row("cg2c", one), _row("cg2c", two)], {one: 1, two: 1}, _file(tmp_path, line))
    assert text.context == "passage 1:One stands here.\n\npassage 2:Two stands there."


def test_a_context_that_may_not_be_trained_on_gives_no_claims(tmp_path):
    context = "One stands here."
    line = {"of": [[written.digest(context), 0, -1]], "claims": ["+ One stands."]}
    assert list(written.texts([_row("ragtruth_tune", context)], {context: human.NEVER}, _file(tmp_path, line))) == []


def test_every_kept_claim_says_what_is_wrong_with_it_or_that_nothing_is():
    with lzma.open(written.FILE, "rt", encoding="utf-8") as lines:
        claims = [claim for line in lines for claim in json.loads(line)["claims"]]
    assert len(claims) > 10_000
    assert all(claim[:2] in ("+ ", "- ") for claim in claims)
    assert all((claim[0] == "+") == (not braced(claim[2:])[1]) for claim in claims)
