"""The pytest plugin: a `verifier` fixture and the marker `verify`. Loads nothing of Witnessmark until a test asks for it.

Found by the entry point `pytest11`. What a test asked and what came of it stands in its properties, so that JUnit XML has
it and a worker of pytest-xdist can hand it on. How a verdict comes about is not decided here.
"""

from __future__ import annotations

import functools
import inspect
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from witnessmark.integrations.pytest_fixture import OutputVerifier
    from witnessmark.verifier import Verifier

MARKER = (
    "verify(goal=, evidence=, criteria=, checkpoint=, policy=, at_least=): what the test's output is checked against; what a "
    "marked test returns is verified, and defaults for its `verifier`."
)
OUTCOME = "witnessmark_outcome"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Three options; none of them is needed."""
    group = parser.getgroup("witnessmark", "verification of outputs by Witnessmark")
    group.addoption("--witnessmark-config", metavar="FILE", help="Settings file in place of witnessmark.toml.")
    group.addoption("--witnessmark-store", metavar="URL", help="Keep the records there, such as sqlite:///records.db.")
    group.addoption(
        "--witnessmark-judge", metavar="JUDGE", action="append", help="Judge for criteria in words; may be repeated."
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", MARKER)


def pytest_itemcollected(item: pytest.Item) -> None:
    """A marked test gets a verifier, whether it names it or not."""
    if item.get_closest_marker("verify") is not None and "verifier" not in getattr(item, "fixturenames", ("verifier",)):
        item.fixturenames.append("verifier")  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def witnessmark_verifier(pytestconfig: pytest.Config) -> Iterator[Verifier]:
    """The Verifier of this session (of each worker); override it in a conftest.py to bring judges or a policy of your own."""
    from witnessmark.core.concurrency.background_loop import run_sync
    from witnessmark.integrations import pytest_fixture

    option = pytestconfig.getoption
    made = pytest_fixture.configured(
        option("--witnessmark-config"), option("--witnessmark-store"), option("--witnessmark-judge")
    )
    yield made
    run_sync(made.close())


@pytest.fixture
def verifier(request: pytest.FixtureRequest, witnessmark_verifier: Verifier) -> OutputVerifier:
    """Verifies what a test produced: `verifier.assert_verified(answer, evidence=…)`, or `verifier.check(…)` for the record."""
    from witnessmark.integrations import pytest_fixture

    asked = _asked(request.node)
    return pytest_fixture.OutputVerifier(witnessmark_verifier, asked, request.node.user_properties.append)


def _asked(item: pytest.Item) -> dict[str, Any]:
    """What the markers of a test ask for together: those of its module and class hold where a closer one says nothing else."""
    asked: dict[str, Any] = {}
    for marker in reversed(list(item.iter_markers("verify"))):
        if marker.args:
            raise pytest.UsageError("verify: takes keywords only, such as @pytest.mark.verify(goal=…, evidence=[…])")
        asked |= marker.kwargs
    return asked


@pytest.fixture
def assert_verified(verifier: OutputVerifier) -> Callable[..., Any]:
    """`verifier.assert_verified`, for tests that need nothing else."""
    return verifier.assert_verified


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Verify what a marked test returns. One in which nothing was verified has shown nothing, and fails."""
    verifying = getattr(item, "funcargs", {}).get("verifier")
    ours = (
        type(verifying).__module__ == "witnessmark.integrations.pytest_fixture"
    )  # a suite may have its own `verifier`
    if not ours or item.get_closest_marker("verify") is None or not isinstance(item, pytest.Function):
        return (yield)
    assert verifying is not None
    whole, item.obj = item.obj, _verified(item.obj, verifying)
    try:
        result = yield
    finally:
        item.obj = whole
    if not verifying.records:
        pytest.fail(
            "marked `verify`, and nothing was verified: return the output, or call verifier.assert_verified",
            pytrace=False,
        )
    return result


def _verified(test: Callable[..., Any], verifying: OutputVerifier) -> Callable[..., Any]:
    """The test with what it returns verified; an async one is awaited by whoever runs async tests here."""
    if inspect.iscoroutinefunction(test):

        @functools.wraps(test)
        async def awaited(*args: Any, **named: Any) -> None:
            _say(verifying.take(await test(*args, **named)))

        return awaited

    @functools.wraps(test)
    def called(*args: Any, **named: Any) -> None:
        _say(verifying.take(test(*args, **named)))

    return called


def _say(against: str) -> None:
    """What the test returned is wrong, not the line that returned it: no traceback."""
    if against:
        pytest.fail(against, pytrace=False)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """One line, where anything was verified; the workers' properties have arrived by now."""
    reports = [report for found in terminalreporter.stats.values() for report in found]
    said = Counter(
        value
        for report in reports
        if getattr(report, "when", "") == "call"
        for name, value in report.user_properties
        if name == OUTCOME
    )
    if said:
        counts = ", ".join(f"{said[word]} {word}" for word in ("pass", "partial", "fail", "unverified") if said[word])
        terminalreporter.write_line(f"witnessmark: {sum(said.values())} verified: {counts}")
