"""Names and what they stand for; third-party ones by entry points, from a real wheel."""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from witnessmark import Case, Verifier
from witnessmark.core import registry
from witnessmark.core.errors import InputError, UnknownNameError
from witnessmark.core.protocols import Check
from witnessmark.core.verdict import passed


def test_a_decorated_factory_makes_checks_with_their_options(register):
    @register("test-shouts", cost="instant")
    def shouts(value: int = 3, *, judge=None):
        """Too many exclamation marks."""
        return lambda case, prior: passed()

    made = registry.ready("test-shouts", 5)
    assert isinstance(made, Check)
    assert (made.name, made.version, made.cost, made.options) == ("test-shouts", "1", "instant", {"value": 5})
    assert registry.checks.get("test-shouts").summary == "Too many exclamation marks."
    assert registry.checks.get("test-shouts").services == ["judge"]


def test_services_are_handed_in_by_name_and_are_not_options(register):
    handed = []

    @register("test-asks")
    def asks(value: str = "", *, judge=None, world=None):
        handed.append((judge, world))
        return lambda case, prior: passed()

    assert registry.ready("test-asks", "x", {"judge": "J", "unrelated": 1}).options == {"value": "x"}
    assert handed == [("J", None)]


def test_a_name_is_given_once(register):
    register("test-once")(lambda: lambda case, prior: passed())
    with pytest.raises(InputError, match="registered already"):
        register("test-once")(lambda: lambda case, prior: passed())


def test_an_unknown_name_comes_with_what_was_probably_meant():
    with pytest.raises(UnknownNameError, match="unknown check 'min_lenght'; did you mean min_length"):
        registry.checks.get("min_lenght")


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("min_length", "five", "check min_length: value must be a whole number"),
        ("min_length", None, "check min_length: missing 1 required positional argument"),
        ("no_placeholders", 3, "check no_placeholders: takes no value"),
        ("format_regex", "(?=x)", "is not RE2 syntax"),
        ("word_count_range", [5, 2], "low 5 lies above high 2"),
        ("language", "klingon", "value must be one of"),
        ("url_valid", {"max": 1}, 'value must be {"min": n}'),
        ("json_schema", {"type": "no-such-type"}, "not a JSON Schema that can be used here"),
        ("contains_keywords", [], "value must be a list of words"),
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
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: acme-checks\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "[witnessmark.checks]\npoliteness = acme_checks:politeness\nseeded = acme_checks:seeded\nbroken = acme_checks:absent\n",
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
    return {**os.environ, "PYTHONPATH": str(target)}


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
