"""Names and what they stand for; third-party ones by entry points, from a real wheel."""

from __future__ import annotations

import base64
import hashlib
import inspect
import json
import os
import re
import subprocess
import sys
import threading
import zipfile
from pathlib import Path

import pytest

from witnessmark import Case, Finding, Record, Result, Settings, Verifier
from witnessmark.core import registry
from witnessmark.core.errors import InputError, UnknownNameError
from witnessmark.core.protocols import Check
from witnessmark.core.values import Unit
from witnessmark.core.verdict import failed, passed


def test_a_decorated_factory_makes_checks_with_their_options(register):
    @register("test-shouts", cost="instant", services=["judge"])
    def shouts(most: int = 3, *, judge=None):
        """Too many exclamation marks."""
        return lambda case, prior: passed()

    made = registry.ready("test-shouts", 5)
    assert isinstance(made, Check)
    assert (made.name, made.version, made.cost, made.options) == ("test-shouts", "1", "instant", {"most": 5})
    assert registry.checks.get("test-shouts").summary == "Too many exclamation marks."
    assert registry.checks.get("test-shouts").services == ("judge",)


def test_services_are_handed_in_by_name_and_are_not_options(register):
    handed = []

    @register("test-asks", services=["judge", "world"])
    def asks(text: str = "", *, judge=None, world=None):
        handed.append((judge, world))
        return lambda case, prior: passed()

    assert registry.ready("test-asks", "x", {"judge": "J", "unrelated": 1}).options == {"text": "x"}
    assert handed == [("J", None)]
    with pytest.raises(InputError, match="unknown option 'judge'; its options are: text"):
        registry.ready("test-asks", options={"judge": "mine"})


def test_a_service_that_is_no_parameter_is_refused_where_it_is_declared(register):
    with pytest.raises(InputError, match="services: 'judges' is not a parameter of shouts"):

        @register("test-shouts", services=["judges"])
        def shouts(most: int = 3):
            return lambda case, prior: passed()


def test_a_parameter_with_a_services_name_is_declared_or_renamed_and_never_guessed(register):
    with pytest.raises(InputError, match="'judges' of shouts bears the name of a service: declare it"):

        @register("test-shouts")
        def shouts(*, judges=None):
            return lambda case, prior: passed()


def test_services_that_a_check_passes_on_are_declared_and_are_no_options(register):
    handed = []

    @register("test-passes-on", services=["judges", "clock"])
    def passes_on(text: str = "", **services):
        handed.append(services)
        return lambda case, prior: passed()

    made = registry.ready("test-passes-on", "x", {"judges": "J", "unrelated": 1})
    assert (made.options, handed) == ({"text": "x"}, [{"judges": "J"}])
    with pytest.raises(InputError, match="unknown option 'colour'; its options are: text"):
        registry.ready("test-passes-on", options={"colour": "red"})


DONE = {"kind": "task_output", "text": "Done."}


@pytest.mark.parametrize(("declared", "status"), [((), "error"), (("manners",), "fail")])
def test_a_category_of_its_own_is_declared_by_the_check(register, declared, status):
    """One that nobody declares is a slip of the pen; those that are counted together, and `package/name`, need no word."""

    @register("test-polite", cost="instant", categories=declared)
    def polite():
        told = [Finding("m", category=name) for name in ("manners", "acme/other", "wrong_format")]
        return lambda case, prior: failed("rude", *told)

    record = Verifier().verify_sync(Case(subject=DONE, criteria=[{"check": "test-polite"}]))
    (said,) = [one for one in record.results if one.check == "test-polite"]
    assert said.status == status
    assert ("category: 'manners' is not declared" in said.reason) == (status == "error")
    assert Record.from_json(record.json()).holds(), "a record is read whether or not the check is there"


@pytest.mark.parametrize(
    ("kind", "value", "limit"),
    [("pattern", "a" * 20_001, "pattern_chars"), ("schema", {"description": "x" * 100_001}, "schema_bytes")],
)
def test_what_a_check_compiles_is_bounded_as_it_declares(register, kind, value, limit):
    for name, declared in (("test-plain", None), ("test-compiles", kind)):
        register(name, cost="instant", value_is=declared)(lambda told: lambda case, prior: passed())
    case = Case(subject=DONE, criteria=[{"check": "test-compiles", "value": value}])
    with pytest.raises(InputError, match=rf"limit `inputs\.{limit}` allows"):
        Verifier().verify_sync(case)
    Verifier(Settings(inputs={"criterion_chars": 0})).verify_sync(
        Case(subject=DONE, criteria=[{"check": "test-plain", "value": value}])
    )


def test_a_judges_words_among_the_details_are_left_out_where_content_is_as_the_check_declares(register):
    @register("test-reads", cost="instant", judged_keys=["remark"])
    def reads():
        details = {"remark": "secret", "parts": [{"remark": "secret", "number": 1}], "model": "m"}
        return lambda case, prior: Result(status="pass", judge="j", details=details)

    case = Case(subject=DONE, criteria=[{"check": "test-reads"}])
    hidden, kept = (Verifier(Settings(content={"keep": how})).verify_sync(case) for how in ("digest", "full"))
    assert [one.details for one in hidden.results if one.judge] == [{"parts": [{"number": 1}], "model": "m"}]
    assert b"secret" in kept.json()


def test_a_keyword_only_option_reaches_the_check_and_stands_in_the_record(register):
    """It was once taken for a service, and silently lost from the record."""
    given = []

    @register("test-strict", cost="instant")
    def strict(words: list[str], *, tolerance: int = 0):
        given.append((words, tolerance))
        return lambda case, prior: passed()

    case = Case(
        subject={"kind": "task_output", "text": "Hello."},
        criteria=[{"check": "test-strict", "value": ["a"], "options": {"tolerance": 2}}],
    )
    record = Verifier().verify_sync(case)
    node = next(node for node in json.loads(record.json())["graph"]["nodes"] if node["check"] == "test-strict")
    assert node["options"] == {"words": ["a"], "tolerance": 2}
    assert given == [(["a"], 2)]


@pytest.mark.parametrize(
    ("criterion", "options"),
    [
        ({"check": "min_length", "value": 5}, {"characters": 5}),
        ({"check": "min_length", "options": {"characters": 5}}, {"characters": 5}),
        ({"check": "word_count_range", "value": [1, 9]}, {"low": 1, "high": 9}),
        ({"check": "word_count_range", "options": {"low": 1, "high": 9}}, {"low": 1, "high": 9}),
        ({"check": "url_valid", "value": {"min": 1}}, {"min": 1}),
        ({"check": "equals", "value": {"text": "A", "ignore_case": True}}, {"text": "A", "ignore_case": True}),
        ({"check": "equals", "value": {"a": 1}}, {"json": {"a": 1}}),
        ({"check": "equals", "value": 7}, {"json": 7}),
        ({"check": "contains", "value": "a"}, {"all": "a"}),
        ({"check": "contains", "value": {"any": ["a", "b"]}}, {"any": ["a", "b"]}),
        ({"check": "json_schema", "value": {"type": "object"}}, {"schema": {"type": "object"}}),
        ({"check": "tools_called", "value": {"tools": ["t"], "in_order": True}}, {"tools": ["t"], "in_order": True}),
        ({"check": "not", "value": {"check": "contains", "value": "x"}}, {"check": "contains", "value": "x"}),
    ],
)
def test_a_value_or_options_by_name_are_the_same_to_a_check(criterion, options):
    made = registry.ready(criterion["check"], criterion.get("value"), options=criterion.get("options"))
    assert made.options == options


def test_an_option_is_given_once():
    with pytest.raises(InputError, match="option 'characters' is given both as the value and in options"):
        registry.ready("min_length", 5, options={"characters": 6})


def test_every_option_of_every_check_is_typed_and_named():
    bare = {}
    for name, factory in registry.checks.all().items():
        hints = factory.make.__annotations__
        wrong = [option for option in factory.options.names if hints.get(option, "Any") == "Any"]
        if wrong:
            bare[name] = wrong
    # What JSON is expected, and what another check is told, may be anything.
    assert bare == {"equals": ["json"], "not": ["value"]}
    assert not [name for name, made in registry.checks.all().items() if made.options.names[:1] == ["value"]]


def test_every_option_of_every_check_is_explained():
    """In the section Args of its factory, so that whoever writes a case can look it up."""
    silent = {}
    for name, factory in registry.checks.all().items():
        told = (inspect.getdoc(factory.make) or "").partition("Args:")[2]
        wrong = [option for option in factory.options.names if not re.search(rf"^ +{option}: \S", told, re.MULTILINE)]
        if wrong:
            silent[name] = wrong
    assert silent == {}


def test_a_check_is_given_its_options_as_it_declares_them_and_the_record_keeps_them_as_written(register):
    """A set was once given as the list that JSON has in its place."""
    given = []

    @register("test-typed", cost="instant")
    def typed(names: set[str], *, share: Unit = 0.5):
        given.append((names, share))
        return lambda case, prior: passed()

    made = registry.ready("test-typed", options={"names": ["a", "b", "a"], "share": 1})
    assert given == [({"a", "b"}, 1.0)]
    assert made.options == {"names": ["a", "b", "a"], "share": 1}
    with pytest.raises(InputError, match="option share: must be a number of at most 1, not 2"):
        registry.ready("test-typed", options={"names": [], "share": 2})


def test_an_annotation_that_is_no_type_is_told_and_not_taken_for_anything(register):
    @register("test-untyped", cost="instant")
    def untyped(words: NoSuchType):  # noqa: F821 - what is shown
        return lambda case, prior: passed()

    with pytest.raises(InputError, match=r"check test-untyped: value \(words\): its annotation NoSuchType in untyped"):
        registry.ready("test-untyped", ["a"])

    @register("test-no-json", cost="instant")
    def no_json(look: threading.Thread):
        return lambda case, prior: passed()

    with pytest.raises(InputError, match=r"value \(look\): its annotation threading.Thread in no_json is no type"):
        registry.ready("test-no-json", 3)


def test_a_name_is_given_once(register):
    register("test-once")(lambda: lambda case, prior: passed())
    with pytest.raises(InputError, match="already registered"):
        register("test-once")(lambda: lambda case, prior: passed())


FIRST_USE = """
import asyncio, threading
from witnessmark import Case, Verifier
case = Case(question="How high?", answer="The tower is 300 m high.", sources=["The tower is 300 m high."])
together, outcomes = threading.Barrier(4), []
def first_use():
    verifier = Verifier()
    together.wait()
    outcomes.append(asyncio.run(verifier.verify(case)).outcome)
threads = [threading.Thread(target=first_use) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(outcomes)
"""


def test_threads_that_verify_first_at_the_same_time_all_find_every_check():
    done = subprocess.run([sys.executable, "-c", FIRST_USE], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['pass', 'pass', 'pass', 'pass']"


def test_a_built_in_module_that_does_not_import_says_so_at_every_look_up():
    things: registry.Registry[object] = registry.Registry("thing", "witnessmark.test_things")
    things.defer("witnessmark.no_such_module")
    for _ in range(2):
        with pytest.raises(ModuleNotFoundError, match="no_such_module"):
            things.get("a")


def test_a_check_that_is_registered_after_it_was_missed_is_found_by_the_same_verifier(register):
    verifier = Verifier()
    case = Case(subject={"kind": "task_output", "text": "fine"}, criteria=[{"check": "test-late"}])
    assert verifier.verify_sync(case).outcome == "unverified"
    register("test-late")(lambda: lambda case, prior: passed())
    assert verifier.verify_sync(case).outcome == "pass"


def test_an_unknown_name_comes_with_what_was_probably_meant():
    with pytest.raises(UnknownNameError, match="unknown check 'min_lenght'; did you mean min_length or max_length\\?$"):
        registry.checks.get("min_lenght")


def test_what_lists_the_names_follows_the_question_as_a_sentence():
    lists = "; `witnessmark checks` lists them"
    assert str(UnknownNameError("check", "polit", ("polite",), lists)).endswith(
        "mean polite? `witnessmark checks` lists them"
    )
    assert (
        str(UnknownNameError("check", "x", ("polite",), lists)) == "unknown check 'x'; `witnessmark checks` lists them"
    )


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("min_length", "five", "check min_length: value (characters): must be a whole number, not 'five'"),
        ("min_length", -1, "check min_length: value (characters): must be a whole number of at least 0, not -1"),
        ("min_length", None, "check min_length: the option 'characters' is missing; its options are: characters"),
        ("min_length", {"lenght": 3}, "check min_length: unknown option 'lenght'; its options are: characters"),
        ("similar_to", {"text": "a", "min": "high"}, "check similar_to: option min: must be a number, not 'high'"),
        ("contains_keywords", ["a", 3], "check contains_keywords: value (keywords): [1]: must be a text"),
        ("contains_keywords", ["a", 3], "value (keywords): [1]: must be a text, not a whole number"),
        ("faithfulness", -1, "check faithfulness: value (threshold): must be a number of at least 0, not -1"),
        ("faithfulness", 5, "check faithfulness: value (threshold): must be a number of at most 1, not 5"),
        ("answer_relevancy", 1.1, "check answer_relevancy: value (threshold): must be a number of at most 1, not 1.1"),
        ("context_precision", 2, "check context_precision: value (threshold): must be a number of at most 1, not 2"),
        ("context_recall", -0.1, "check context_recall: value (threshold): must be a number of at least 0, not -0.1"),
        ("equals", None, "check equals: give either the option text or the option json"),
        ("equals", {"text": "a", "json": 1}, "check equals: give either the option text or the option json"),
        (
            "grounding",
            {"profil": "fast"},
            "check grounding: option settings: profil: unknown field; did you mean profile?",
        ),
        ("reading", [{"key": "c1"}], "check reading: value (items): [0]: missing field `text`"),
        ("rubric", {"key": "c1", "txt": "It is short."}, "check rubric: option criterion: txt: unknown field"),
        ("plan_structure", {"SIMPLE": [1, 2, 3]}, "one of its values: must be a list of 2 items, not 3"),
        ("plan_structure", {"HARD": [1, 2]}, "option sizes: unknown key 'HARD'"),
        ("no_placeholders", 3, "check no_placeholders: takes no value"),
        ("format_regex", "(?=x)", "is not RE2 syntax"),
        ("word_count_range", [5, 2], "value (low): 5 is more than high, 2"),
        ("language", "klingon", "value (code): must be one of"),
        ("url_valid", {"max": 1}, "unknown option 'max'; its options are: min"),
        ("json_schema", {"type": "no-such-type"}, "is not a JSON Schema that can be used here"),
        ("contains_keywords", [], "option keywords must be a list of words"),
    ],
)
def test_wrong_options_are_refused_with_what_to_do(name, value, complaint):
    with pytest.raises(InputError) as refused:
        registry.ready(name, value)
    assert complaint in str(refused.value)


@pytest.mark.parametrize(("name", "value"), [("no_such_check", 1), ("min_length", "five")])
def test_an_unknown_or_misconfigured_check_is_never_accepted(name, value):
    """Seed 2, weakness 3: a typo in a must-pass criterion was skipped with a warning, and the work passed."""
    for must_pass in (True, False):
        case = Case(
            subject={"kind": "task_output", "text": "fine"},
            criteria=[{"check": name, "value": value, "must_pass": must_pass}, {"check": "not_truncated"}],
        )
        record = Verifier().verify_sync(case)
        assert record.outcome == ("unverified" if must_pass else "partial")
        assert record.action != "accept"
        assert record.results[1].status == "error"


PLUGIN = '''
from witnessmark import Result, check

@check("politeness", version="7", register=False)
def politeness(value="please"):
    """Says the magic word."""
    def look(case, prior):
        return Result(status="pass" if value in case.text else "fail")
    return look

@check("seeded", version="1", register=False)
def seeded():
    """Breaks."""
    def look(case, prior):
        raise TypeError("seeded on purpose")
    return look
'''


def build_wheel(folder: Path) -> Path:
    """A wheel as anybody's build tool would make it."""
    info = "acme_checks-1.0.dist-info"
    files = {
        "acme_checks.py": PLUGIN,
        "acme_wrong.py": 'raise RuntimeError("no licence file")\n',
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: acme-checks\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "[witnessmark.checks]\npoliteness = acme_checks:politeness\nseeded = acme_checks:seeded\nbroken = acme_checks:absent\nraises = acme_wrong:anything\n",
    }
    rows = []
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(text.encode())}")
    files[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,"]) + "\n"
    wheel = folder / "acme_checks-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return wheel


@pytest.fixture(scope="module")
def plugin(tmp_path_factory):
    """The environment of a process in which the wheel is installed."""
    folder = tmp_path_factory.mktemp("plugin")
    target = folder / "site"
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "-q",
            "--no-index",
            "--no-deps",
            "--target",
            str(target),
            str(build_wheel(folder)),
        ],
        check=True,
        capture_output=True,
    )
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(target), *sys.path])}


def witnessmark(environment, *arguments, **more):
    return subprocess.run(
        [sys.executable, "-m", "witnessmark", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        **more,
    )


def test_a_third_partys_check_from_a_wheel_is_found_and_runs(plugin, tmp_path):
    listed = witnessmark(plugin, "checks")
    assert "acme-checks/politeness" in listed.stdout
    assert "acme-checks/broken is installed but does not load: AttributeError" in listed.stderr
    assert "acme-checks/raises is installed but does not load: RuntimeError: no licence file" in listed.stderr
    case = '{"subject": {"kind": "task_output", "text": "pretty please"}, "criteria": [{"check": "acme-checks/politeness"}]}'
    done = witnessmark(plugin, "verify", "-", "--store", "memory:", "--json", input=case)
    assert done.returncode == 0
    assert '"check":"acme-checks/politeness","version":"7","status":"pass"' in done.stdout  # req: S2-093


def test_a_seeded_type_error_is_unverified_exit_4_and_its_traceback_is_shown(plugin, tmp_path):
    case = '{"id": "x", "subject": {"kind": "task_output", "text": "a"}, "criteria": [{"check": "acme-checks/seeded"}]}'
    store = f"sqlite:///{tmp_path}/s.db"
    done = witnessmark(plugin, "verify", "-", "--store", store, input=case)
    assert done.returncode == 4
    assert "the check broke: TypeError: seeded on purpose" in done.stdout
    record_id = witnessmark(plugin, "records", "--store", store).stdout.splitlines()[1].split()[0]
    shown = witnessmark(plugin, "show", record_id, "--store", store, "--debug").stdout
    assert 'raise TypeError("seeded on purpose")' in shown
    assert "raise TypeError" not in witnessmark(plugin, "show", record_id, "--store", store).stdout


def test_an_unknown_cost_is_refused_when_the_check_is_made_known(register):
    with pytest.raises(InputError, match="test-cheap: cost 'cheap' is not one of instant, local, paid"):
        register("test-cheap", cost="cheap")(lambda: lambda case, prior: passed())
