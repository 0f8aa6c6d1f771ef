"""The package that runs the embedded model, over a tiny graph of random weights: pairs, wrong words, devices, files."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "models" / "local" / "src"), str(ROOT / "models" / "local_large" / "src")]

from witnessmark_local import OnnxSupport, files, select  # noqa: E402
from witnessmark_local.runtime import chosen_device, wrong_span  # noqa: E402

from bench import onnx_writer  # noqa: E402

WORDS = "[PAD] [UNK] [CLS] [SEP] revenue grew 14 % in 2025 the company opened offices lyon porto . a b c".split()


@pytest.fixture
def folder(tmp_path):
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.normalizers import Lowercase
    from tokenizers.pre_tokenizers import BertPreTokenizer

    made = Tokenizer(WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    made.normalizer, made.pre_tokenizer = Lowercase(), BertPreTokenizer()
    made.save(str(tmp_path / files.TOKENIZER))
    (tmp_path / files.MODEL).write_bytes(onnx_writer.tiny(len(WORDS)))
    (tmp_path / files.FAST).write_bytes(onnx_writer.tiny(len(WORDS), seed=6))
    fit = {"statements": {"scale": 0.5, "shift": 0.0}}
    card = {"id": "local", "version": "9", "words": 110, "tokens": 64, "calibration": fit}
    card["fast"] = {"words": 20, "calibration": fit}
    write_card(tmp_path, card | {"sha256": files.digests(tmp_path)})
    return tmp_path


def write_card(folder, card):
    (folder / files.CARD).write_text(json.dumps(card), encoding="utf-8")


PAIRS = [
    ("Revenue grew 14 % in 2025.", "Revenue grew."),
    ("The company opened offices in Lyon and Porto. " * 9, "The company opened offices."),
    ("a b c", "a"),
]


def test_a_pair_is_read_to_the_digit_the_same_alone_and_among_others(folder):
    model = OnnxSupport(folder)
    together = model.read(PAIRS)
    assert all(0.0 <= one.support <= 1.0 and 0.0 <= one.contradicts <= 1.0 for one in together)
    assert together == [model.read([pair])[0] for pair in PAIRS]
    assert model.read(PAIRS[::-1]) == together[::-1]
    assert model.support(PAIRS) == [one.support for one in together]
    assert (model.id, model.version, model.device, model.languages) == ("local", "9", "cpu", ("en",))


def test_claim_and_evidence_are_told_apart(folder):
    model = OnnxSupport(folder)
    assert model.support([("a b c", "lyon porto")]) != pytest.approx(model.support([("lyon porto", "a b c")]))


def test_the_fast_part_is_a_graph_of_its_own_that_reads_fewer_words(folder):
    model, fast = OnnxSupport(folder), OnnxSupport(folder, fast=True)
    assert (fast.id, fast.words, model.words) == ("local-fast", 20, 110)
    assert fast.support(PAIRS) != model.support(PAIRS)
    text = " ".join(f"Sentence {n} says a thing about porto." for n in range(40))
    assert len(select(text, "lyon 3", "", fast.words).split()) <= 20


def test_a_claim_that_is_all_its_text_says_is_read_with_more_of_the_evidence(folder):
    long = "The company opened offices in Lyon. Revenue grew 14 % in 2025. The company grew in Porto. " * 9
    card = json.loads((folder / files.CARD).read_text(encoding="utf-8"))
    write_card(folder, card | {"words": 20, "words_alone": 40})
    model = OnnxSupport(folder)

    pairs = [(long, "The company opened offices in Porto.")]
    few, more = (OnnxSupport(folder, words=words).read(pairs) for words in (20, 40))

    assert few != more
    assert (model.read(pairs), model.read_alone(pairs)) == (few, more)
    assert OnnxSupport(folder, words=20).read_alone(pairs) == few


def test_what_is_left_of_the_budget_goes_to_the_short_lines_of_a_record():
    record = "\n".join(f"field {n}: value {n}" for n in range(60))
    kept = select(record, "Field 40 is known.", "", 40)
    assert "field 40: value 40" in kept
    assert "field 0: value 0" in kept
    assert len(kept.split()) <= 40


HANDBOOK = """# Fares
## Summer
A day ticket costs 12 euros.
Dogs travel for free.
## Winter
A day ticket costs 9 euros.
Dogs need a ticket.

Minutes of the board
The board met on Monday.
It agreed on new seats."""


def test_what_is_read_stands_behind_its_headings_and_behind_the_question():
    shown = select(HANDBOOK, "It costs 9 euros.", "What is a day ticket in winter?", 12)
    assert shown.startswith("Question: What is a day ticket in winter?")
    assert "Under Fares – Winter: A day ticket costs 9 euros." in shown


def test_headings_of_one_source_are_not_those_of_the_next():
    shown = select(HANDBOOK, "The board agreed on new seats.", "", 200)
    assert "Under Minutes of the board: The board met on Monday. It agreed on new seats." in shown
    assert shown.index("Under Fares – Summer:") < shown.index("Under Fares – Winter:") < shown.index("Under Minutes")
    assert "Question" not in shown


def test_words_of_the_question_say_which_sentences_are_read():
    rows = "\n".join(f"The {town} branch of the firm closes at {hour} on every day of the week." for town, hour in zip(("Lyon", "Porto", "Turin", "Ghent"), range(4, 8), strict=True))  # fmt: skip
    shown = select(rows, "It closes at 5.", "When does the Porto branch close?", 16)
    assert "Porto branch of the firm closes at 5" in shown
    assert "Lyon" not in shown


def test_a_model_reads_the_question_too(folder):
    pairs = [("Revenue grew 14 % in 2025.", "Revenue grew.")]
    model = OnnxSupport(folder)
    assert model.read(pairs, "in lyon porto") != model.read(pairs)


def test_the_wrong_words_are_the_worst_run_widened_to_whole_words():
    claim = "Revenue shrank steeply in Porto."
    places = [(0, 7), (8, 11), (11, 14), (15, 22), (23, 25), (26, 31), (31, 32)]
    assert wrong_span([-3, 2, 1, 0.5, -1, 1.5, -2], places, claim) == (8, 22)
    assert wrong_span([-3, -2, 4, -1, -1, 1.5, -2], places, claim) == (8, 14)
    assert wrong_span([-3, -2, -1, -1, -1, -1, -2], places, claim) is None
    assert wrong_span([], [], "") is None


@pytest.mark.parametrize("name", [files.MODEL, files.FAST, files.TOKENIZER])
def test_a_file_that_is_another_one_is_refused(folder, name):
    path = folder / name
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(ValueError, match=f"{name} is not the file that model.json names"):
        OnnxSupport(folder, fast=name == files.FAST)


def test_a_model_in_pieces_is_put_together_and_checked(folder):
    whole = (folder / files.MODEL).read_bytes()
    before = OnnxSupport(folder).support(PAIRS)
    (folder / files.MODEL).unlink()
    (folder / f"{files.MODEL}.00").write_bytes(whole[:100])
    (folder / f"{files.MODEL}.01").write_bytes(whole[100:])
    assert files.there(folder)
    assert OnnxSupport(folder).support(PAIRS) == before
    (folder / f"{files.MODEL}.01").unlink()
    with pytest.raises(ValueError, match="sha256"):
        OnnxSupport(folder)


def test_a_folder_without_weights_is_no_model(tmp_path, folder):
    assert files.there(folder)
    (folder / files.MODEL).unlink()
    assert not files.there(folder)
    with pytest.raises(ValueError, match=r"model.onnx is missing"):
        files.graph(folder)


def test_the_gpu_is_taken_where_the_runtime_offers_one_and_refused_where_not():
    both = ["CUDAExecutionProvider", "CPUExecutionProvider"]
    assert [chosen_device(wanted, both) for wanted in ("auto", "cuda", "cpu")] == ["cuda", "cuda", "cpu"]
    assert chosen_device("auto", ["CPUExecutionProvider"]) == "cpu"
    with pytest.raises(ValueError, match="offers no CUDA"):
        chosen_device("cuda", ["CPUExecutionProvider"])


def test_the_graph_that_is_timed_beside_it_runs():
    import onnxruntime

    graph = onnx_writer.encoder(onnx_writer.Shape(layers=2, width=32, heads=4, inner=48, vocabulary=50))
    session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
    (out,) = session.run(["logit"], {"ids": np.arange(12, dtype=np.int64)[None]})
    assert out.shape == (1,)
    assert np.isfinite(out).all()


def shipped():
    return sorted(ROOT.glob("models/*/src/witnessmark_*/files/model.json"))


def test_the_small_model_and_the_large_one_ship():
    assert [json.loads(card.read_text(encoding="utf-8"))["id"] for card in shipped()] == ["local", "local-large"]


def test_every_model_that_ships_names_the_digests_of_its_files_and_is_within_its_size():
    total = 0
    for card in shipped():
        said = json.loads(card.read_text(encoding="utf-8"))
        assert said["sha256"] == files.digests(card.parent), card
        sizes = [path.stat().st_size for path in card.parent.iterdir()]
        assert max(sizes) <= 48_000_000
        assert said["id"] != "local" or sum(sizes) <= 45_000_000
        total += sum(sizes)
    assert total <= 145_000_000


def test_a_model_that_ships_tells_borne_out_from_not():
    for card in shipped():
        model = OnnxSupport(card.parent)
        source = "Revenue grew 14 % in 2025. The company opened offices in Lyon and Porto."
        good, bad = model.read(
            [
                (source, "The company has offices in Lyon and Porto."),
                (source, "The company closed its offices in Lyon and Porto."),
            ]
        )
        assert good.support > 0.5 > bad.support
        assert bad.contradicts > 0.5
        assert good.doubt < 0.5 < bad.doubt
        assert bad.wrong is not None
        assert "closed" in "The company closed its offices in Lyon and Porto."[slice(*bad.wrong)]
