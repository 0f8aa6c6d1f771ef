"""The breaker and the pace, by a clock that the test turns; and which of two clocks ends a call."""

from __future__ import annotations

import asyncio

import pytest

from witnessmark.core.concurrency import deadline
from witnessmark.core.errors import InputError, JudgeTimeoutError, JudgeUnavailableError
from witnessmark.judges.limits import Breaker, EndpointLimits, Pace, Patience


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def _opened(clock: Clock) -> Breaker:
    breaker = Breaker(after=5, cool_s=10.0, clock=clock)
    for fine in (False, False, True, False, False):
        breaker.enter()
        breaker.leave(fine)
    return breaker


def test_a_breaker_opens_when_four_of_five_failed_and_lets_one_probe_through_later():
    clock = Clock()
    breaker = _opened(clock)
    assert breaker.is_open
    with pytest.raises(JudgeUnavailableError, match="will not be asked again for 10 s"):
        breaker.enter()
    clock.now += 10
    breaker.enter()
    with pytest.raises(JudgeUnavailableError):
        breaker.enter()  # one probe at a time
    breaker.leave(fine=False)
    with pytest.raises(JudgeUnavailableError):
        breaker.enter()
    clock.now += 10
    breaker.enter()
    breaker.leave(fine=True)
    assert not breaker.is_open


def test_some_failures_do_not_open_it():
    breaker = Breaker(after=5, cool_s=10.0)
    for number in range(50):
        breaker.enter()
        breaker.leave(fine=number % 2 == 0)
    assert not breaker.is_open


def test_a_probe_that_was_called_off_does_not_block_the_next():
    clock = Clock()
    breaker = _opened(clock)
    clock.now += 10
    breaker.enter()
    breaker.leave(None)
    breaker.enter()
    breaker.leave(fine=True)
    assert not breaker.is_open


def test_a_pace_spreads_calls_evenly():
    clock = Clock()
    pace = Pace(per_minute=60, clock=clock)
    assert [pace.wait_s() for _ in range(3)] == [0.0, 1.0, 2.0]
    clock.now += 10
    assert pace.wait_s() == 0.0
    assert Pace(None).wait_s() == 0.0


@pytest.mark.parametrize("wrong", [{"concurrency": 0}, {"open_after": 0}, {"timeout_s": 0.0}, {"per_minute": 0.0}])
def test_limits_that_let_nothing_through_are_refused(wrong):
    with pytest.raises(InputError, match="lets no call through"):
        Patience(**wrong)


async def _endless() -> None:
    await asyncio.Event().wait()


def _cut_off(ends_in_s: float, timeout_s: float) -> str:
    """What ends a call without an answer: the check that makes it, or the endpoint's own patience."""
    endpoint = EndpointLimits("http://judge", Patience(timeout_s=timeout_s, retries=0))

    async def work() -> str:
        ends = asyncio.get_running_loop().time() + ends_in_s
        deadline.active.set(ends)
        try:
            async with asyncio.timeout_at(ends if ends_in_s > 0 else None):
                await endpoint.call(_endless)
        except JudgeTimeoutError:
            return "patience"
        except TimeoutError:
            return "check"
        return "answered"

    return asyncio.run(work())


@pytest.mark.parametrize(
    ("ends_in_s", "timeout_s", "who"),
    [(0.01, 3600.0, "check"), (3600.0, 0.01, "patience"), (-1.0, 0.01, "patience")],
    ids=["the check ends first", "the patience ends first", "the check is over and left the call behind"],
)
def test_a_call_without_an_answer_ends_with_whichever_clock_is_first(ends_in_s, timeout_s, who):
    assert _cut_off(ends_in_s, timeout_s) == who
