"""Alerts reach the log and the webhook: signed, tried again, told once, and never to an address that is not public."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import logging
import time
from typing import Any

import pytest
from aiohttp import web

from witnessmark import Case, Settings, Verifier
from witnessmark.core.errors import ConfigError, StoreError, TransientError
from witnessmark.core.record import ResultRecord
from witnessmark.insight import artifacts
from witnessmark.insight import calibration as cal
from witnessmark.insight.alerting import delivery
from witnessmark.insight.alerting.delivery import deliver, public, safe_address, signature, watch
from witnessmark.insight.alerting.observer import AlertObserver
from witnessmark.insight.alerts import Alert, alerts, current_alerts
from witnessmark.insight.dictionary import BY_NAME
from witnessmark.insight.metrics import measured
from witnessmark.insight.samples import JudgeSource, Sample
from witnessmark.insight.values import AlertSettings
from witnessmark.stores import open_store
from witnessmark.testing.records import NOON, entry, made, word

HOOK = "https://hooks.example.com/in"


def low_catch() -> tuple[Alert, ...]:
    return alerts({"catch_rate": measured(BY_NAME["catch_rate"], 1, 100, 100)})


def of(address: str) -> Any:
    async def resolve(host: str, port: int) -> list[str]:
        return [address]

    return resolve


class Receiver:
    """Answers with these statuses in turn, and remembers what came."""

    def __init__(self, *answers: int | Exception) -> None:
        self.answers, self.came, self.waits = list(answers), [], []

    async def post(self, url: str, address: str, body: bytes, headers: dict[str, str]) -> int:
        self.came.append((url, address, body, headers))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)

    def send(self, how: AlertSettings, **more: Any) -> bool:
        return asyncio.run(
            deliver(low_catch(), "w", how, post=self.post, resolve=of("93.184.216.34"), sleep=self.sleep, **more)
        )


def test_what_is_sent_is_signed_over_moment_and_body():
    receiver = Receiver(204)
    assert receiver.send(AlertSettings(webhook=HOOK), secret="s3cret")
    ((url, address, body, headers),) = receiver.came
    assert (url, address) == (HOOK, "93.184.216.34")
    at = int(headers["X-Witnessmark-Timestamp"])
    expected = hmac.new(b"s3cret", f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    assert headers["X-Witnessmark-Signature"] == f"sha256={expected}" == signature(body, "s3cret", at)
    told = json.loads(body)
    assert told["workspace"] == "w"
    assert told["alerts"][0]["name"] == "low_catch_rate"
    assert told["alerts"][0]["figure"]["value"] == 0.01


def test_a_receiver_that_is_down_is_tried_again_with_growing_pauses():
    receiver = Receiver(503, TransientError("down"), 429, 200)
    assert receiver.send(AlertSettings(webhook=HOOK, tries=4, backoff_s=0.5))
    assert receiver.waits == [0.5, 1.0, 2.0]


def test_one_that_stays_down_is_logged_and_one_that_refuses_is_not_asked_again(caplog):
    receiver = Receiver(500, 500)
    assert not receiver.send(AlertSettings(webhook=HOOK, tries=2))
    assert "did not accept" in caplog.text
    refusing = Receiver(403)
    assert not refusing.send(AlertSettings(webhook=HOOK))
    assert len(refusing.came) == 1


def test_the_log_is_told_as_gravely_as_the_alert_is(caplog):
    asyncio.run(deliver(low_catch(), "w", AlertSettings()))
    ((name, level, text),) = caplog.record_tuples
    assert (name, level) == ("witnessmark.alerts", logging.ERROR)
    assert "Low catch rate" in text


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "192.168.0.9", "169.254.169.254", "100.64.0.1", "0.0.0.0", "::1", "fe80::1%eth0", "fd00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "224.0.0.1"],
)  # fmt: skip
def test_no_alert_goes_to_an_address_that_is_not_public(address):
    assert not public(address)
    with pytest.raises(ConfigError, match="not a public address"):
        asyncio.run(safe_address(HOOK, allow_private=False, resolve=of(address)))
    assert asyncio.run(safe_address(HOOK, allow_private=True, resolve=of(address))) == address


def test_one_private_address_among_public_ones_is_enough_to_refuse():
    async def resolve(host: str, port: int) -> list[str]:
        return ["93.184.216.34", "127.0.0.1"]

    with pytest.raises(ConfigError, match=r"127\.0\.0\.1"):
        asyncio.run(safe_address(HOOK, allow_private=False, resolve=resolve))


@pytest.mark.parametrize("url", ["ftp://a.example/x", "file:///etc/passwd", "https://", "https://user:pw@a.example/"])
def test_only_a_plain_http_address_is_taken(url):
    with pytest.raises(ConfigError, match=r"alerting\.webhook"):
        asyncio.run(safe_address(url, allow_private=True, resolve=of("93.184.216.34")))


def test_the_address_that_was_looked_at_is_the_one_connected_to_and_no_redirect_is_followed():
    """A real server on loopback, under a name that nobody can look up; it redirects to where nobody may go."""
    came = []

    async def answer(request: web.Request) -> web.Response:
        came.append((request.host, await request.read()))
        return web.Response(status=307, headers={"Location": "http://127.0.0.1:1/secret"})

    async def work() -> int:
        server = web.Application()
        server.router.add_post("/in", answer)
        up = web.AppRunner(server)
        await up.setup()
        site = web.TCPSite(up, "127.0.0.1", 0)
        await site.start()
        port = up.addresses[0][1]
        status = await delivery.post_json(f"http://hooks.invalid:{port}/in", "127.0.0.1", b"{}", {})
        await up.cleanup()
        return status

    assert asyncio.run(work()) == 307
    assert [(host.partition(":")[0], body) for host, body in came] == [("hooks.invalid", b"{}")]


def test_an_alert_is_told_once_until_it_recovers(caplog):
    store: Any = open_store("memory:")
    bad = [made(outcome="pass", action="accept") for _ in range(30)]
    asyncio.run(store.append([entry(r) for r in bad] + [word(r, "fail") for r in bad]))

    def look() -> int:
        caplog.clear()
        found = asyncio.run(watch(store, "default", AlertSettings()))
        assert [alert.name for alert in found][:1] in ([], ["low_catch_rate"])
        return len(caplog.records)

    assert [look(), look()] == [1, 0]
    good = [made(outcome="fail", action="abort") for _ in range(300)]
    asyncio.run(store.append([entry(r) for r in good] + [word(r, "fail") for r in good]))
    assert look() == 0
    worse = [made(outcome="pass", action="accept") for _ in range(600)]
    asyncio.run(store.append([entry(r) for r in worse] + [word(r, "fail") for r in worse]))
    assert look() == 1


def test_of_several_processes_that_look_at_once_one_tells(tmp_path):
    url, came = f"sqlite:///{tmp_path}/a.db", []
    bad = [made(outcome="pass", action="accept") for _ in range(30)]

    async def work() -> None:
        stores: list[Any] = [open_store(url) for _ in range(3)]
        await stores[0].append([entry(r) for r in bad] + [word(r, "fail") for r in bad])
        others_looked = asyncio.Event()

        async def post(url: str, address: str, body: bytes, headers: dict[str, str]) -> int:
            came.append(body)
            if len(came) > 1:
                others_looked.set()
            await others_looked.wait()
            return 200

        async def look(store: Any) -> None:
            await watch(store, "default", AlertSettings(webhook=HOOK), post=post, resolve=of("93.184.216.34"))

        first = [asyncio.create_task(look(store)) for store in stores]
        await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
        others_looked.set()
        await asyncio.gather(*first)
        await asyncio.gather(*map(look, stores))
        for store in stores:
            await store.close()

    asyncio.run(work())
    assert len(came) == 1


def test_an_alert_that_the_webhook_did_not_take_is_told_again_at_the_next_look_until_it_is():
    store: Any = open_store("memory:")
    bad = [made(outcome="pass", action="accept") for _ in range(30)]
    asyncio.run(store.append([entry(r) for r in bad] + [word(r, "fail") for r in bad]))
    receiver = Receiver(503, 503, 403, 200)
    how = {"post": receiver.post, "resolve": of("93.184.216.34"), "sleep": receiver.sleep}

    def look() -> int:
        asyncio.run(watch(store, "default", AlertSettings(webhook=HOOK, tries=2), **how))
        return len(receiver.came)

    assert [look(), look(), look()] == [2, 3, 4], "down, then refused, then taken"
    assert look() == 4, "what was taken is told once"
    sent = [json.loads(body)["alerts"][0]["name"] for _, _, body, _ in receiver.came]
    assert sent == ["low_catch_rate"] * 4


def test_a_judge_of_another_version_than_the_calibrated_one_raises_an_alert():
    store: Any = open_store("memory:")

    def judged(version: str) -> Any:
        said = ResultRecord(
            node="r", check="rubric", version=version, status="pass", judge="openai/m", confidence_source="reported"
        )
        return entry(made(results=(said,)))

    source = JudgeSource(check="rubric", version="1", judge="openai/m")
    samples = [Sample(source=source, status="pass", score=0.9, confidence=0.7, good=True)] * 3

    async def work() -> list[int]:
        await store.append([judged("1")])
        kept = await artifacts.keep(store, cal.fit(samples, name="c"))
        await artifacts.apply(store, "default", kept.ref)
        before = await current_alerts(store, "default", NOON)
        await store.append([judged("2")])
        after = await current_alerts(store, "default", NOON)
        much_later = await current_alerts(store, "default", NOON + 30 * 86_400)
        return [len(before), len(after), len(much_later)]

    assert asyncio.run(work()) == [0, 1, 0]


def test_the_calibration_that_the_settings_name_is_the_one_judges_are_held_against(caplog):
    store: Any = open_store("memory:")

    def sample(version: str) -> Sample:
        source = JudgeSource(check="rubric", version=version, judge="openai/m")
        return Sample(source=source, status="pass", score=0.9, confidence=0.7, good=True)

    said = ResultRecord(
        node="r", check="rubric", version="2", status="pass", judge="openai/m", confidence_source="reported"
    )

    async def work() -> dict[str | None, int]:
        await store.append([entry(made(results=(said,)), at=time.time())])
        for version in ("1", "2"):
            kept = await artifacts.keep(store, cal.fit([sample(version)] * 3, name="c"))
        await artifacts.apply(store, "default", kept.ref)
        found = {}
        for chosen in (None, "c@1", "c@2", "none"):
            verifier = Verifier(Settings(calibration=chosen, alerting=AlertSettings(log=True)), store=store)
            await verifier.verify(Case(subject={"kind": "task_output", "text": "Three apples."}))
            await verifier.finish()
            found[chosen] = sum("never calibrated" in one.getMessage() for one in caplog.records)
            caplog.clear()
        return found

    assert asyncio.run(work()) == {None: 0, "c@1": 1, "c@2": 0, "none": 0}


class LookedAt:
    """A store that counts how often somebody looks for what was raised before; broken, it cannot say."""

    def __init__(self, *, broken: bool = False) -> None:
        self._store: Any = open_store("memory:")
        self.looks, self._broken = 0, broken

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def recall(self, namespace: str, key: str) -> bytes | None:
        self.looks += namespace == delivery.NAMESPACE
        if self._broken:
            raise StoreError("the disk is gone")
        return await self._store.recall(namespace, key)


def test_many_verifications_are_looked_at_once_and_once_more_at_the_end():
    store: Any = LookedAt()

    async def work() -> list[int]:
        observer = AlertObserver(store, "default", AlertSettings(log=True))
        counted = []
        for _ in range(50):
            observer(entry(made()), None)
            await asyncio.sleep(0)
        while not store.looks:  # noqa: ASYNC110 - turns of the loop, not time
            await asyncio.sleep(0)
        counted.append(store.looks)
        await observer.finish()
        counted.append(store.looks)
        await observer.finish()
        return [*counted, store.looks]

    assert asyncio.run(work()) == [1, 2, 2]


def test_alerts_that_cannot_be_looked_for_are_a_line_in_the_log(caplog):
    async def work() -> None:
        observer = AlertObserver(LookedAt(broken=True), "default", AlertSettings(log=True))  # type: ignore[arg-type]
        observer(entry(made()), None)
        await observer.finish()

    asyncio.run(work())
    assert [said.getMessage() for said in caplog.records] == ["alerts could not be checked: the disk is gone"]


@pytest.mark.parametrize(
    ("how", "store", "observed"),
    [
        ({"log": True}, "memory:", 1),
        ({"webhook": HOOK}, "memory:", 1),
        ({"log": True, "every_s": 0.0}, "memory:", 0),
        ({}, "memory:", 0),
        ({"log": True}, None, 0),
    ],
)
def test_alerts_are_looked_for_where_somebody_wants_them_and_a_store_counts(how, store, observed):
    verifier = Verifier(Settings(alerting=AlertSettings(**how)), store=store)
    assert len(verifier.observers) == observed
