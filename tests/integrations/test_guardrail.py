"""The guardrail endpoint, asked as LiteLLM asks: bodies recorded from its proxy, over HTTP (fixtures/guardrail/recorded)."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar
from uuid import uuid4

import httpx
import pytest
import yaml
from msgspec.structs import replace

from witnessmark import Settings, Verifier
from witnessmark.checks.grounding.confidence import Verification
from witnessmark.core.run import Limits
from witnessmark.core.work.offload import WorkSettings
from witnessmark.integrations.guardrail.memory import CallContext, GuardrailMemory, held_in
from witnessmark.integrations.guardrail.rules import rule
from witnessmark.retrieval.extractive import ExtractiveGenerator
from witnessmark.server.app import create_app
from witnessmark.server.auth.keys import create
from witnessmark.server.http import openapi
from witnessmark.server.routes.guardrail import ENDPOINTS, PATH
from witnessmark.settings import GuardrailSettings
from witnessmark.stores import open_store
from witnessmark.testing import OneJudge, PerfectReader

RECORDED = Path(__file__).parents[1] / "fixtures" / "guardrail" / "recorded"
CALLS = sorted(path.stem for path in RECORDED.glob("*.json"))
BODIES = {
    "request-chat": ("chat-pass", 0),
    "response-chat": ("chat-pass", 1),
    "response-wrong": ("chat-blocked", 1),
    "response-tool-call": ("chat-tool-call", 1),
    "request-parts": ("chat-parts", 0),
    "response-parts": ("chat-parts", 1),
}
CORRECT = {"correct": True, "quote_from": ["system"]}


@dataclass
class OneService:
    """A service with two workspaces, each with its key."""

    settings: Settings = field(default_factory=Settings)
    keys: dict[str, str] = field(default_factory=dict)
    name: str = field(default_factory=lambda: uuid4().hex)
    folder: ClassVar[Path]

    @property
    def url(self):
        return f"sqlite:///{self.folder}/{self.name}.db"

    @asynccontextmanager
    async def running(self):
        """The application, and a client that asks it."""
        app = create_app(replace(self.settings, store=self.url, work=WorkSettings(processes=0)), keyless=False)
        transport = httpx.ASGITransport(app)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://w") as client,
        ):
            for name in ("alpha", "beta") if not self.keys else ():
                made = await create(app.state.service.store, workspace=name, role="admin", name="gateway")
                self.keys[f"key-of-{name}"] = made[0]
            yield client

    def entry(self, record_id):
        """What was kept of a record."""

        async def read():
            store = open_store(self.url)
            found = await store.get(record_id)
            await store.close()
            return found

        return asyncio.run(read())


@pytest.fixture(autouse=True)
def stored(tmp_path, monkeypatch):
    """Each service has its store in the folder of the test."""
    monkeypatch.setattr(OneService, "folder", tmp_path, raising=False)


def recorded(call):
    return json.loads((RECORDED / f"{call}.json").read_text(encoding="utf-8"))


def payload(name, **more):
    """A recorded body, as if all were of one call."""
    call, number = BODIES[name]
    return recorded(call)["exchanges"][number]["asked"] | {"litellm_call_id": "call-1"} | more


def params(**told):
    return {"additional_provider_specific_params": told}


def as_body(asked):
    """What is sent as it is, or as JSON."""
    return asked if isinstance(asked, bytes) else json.dumps(asked).encode()


def answers(*payloads, site=None, key="key-of-alpha", **headers):
    """What the endpoint says to these requests, one after the other."""
    site = site or OneService()
    keys = key if isinstance(key, list) else [key] * len(payloads)

    async def work():
        async with site.running() as client:
            return [
                await client.post(PATH, content=as_body(one), headers={"x-api-key": site.keys.get(k, k), **headers})
                for one, k in zip(payloads, keys, strict=True)
            ]

    return asyncio.run(work())


def replayed(call):
    """What was asked in a recorded call; where its answer was put right, the system prompt may be quoted, as it was then."""
    asked = [one["asked"] for one in recorded(call)["exchanges"]]
    return [
        one | params(**told, quote_from=["system"])
        if (told := one["additional_provider_specific_params"] or {}).get("correct")
        else one
        for one in asked
    ]


def said(*payloads, **how):
    return [one.json() for one in answers(*payloads, **how)]


def test_a_request_passes_and_its_messages_are_what_the_answer_is_held_against():
    before, good, wrong = said(payload("request-chat"), payload("response-chat"), payload("response-wrong"))
    assert before == {"action": "NONE"}  # req: S2-118
    assert good["action"] == "NONE"
    assert good["witnessmark"][0]["outcome"] == "pass"
    assert wrong["action"] == "BLOCKED"
    assert 'a figure differs from what the source says: "40 %"' in wrong["blocked_reason"]
    assert wrong["witnessmark"][0]["record_id"][:12] in wrong["blocked_reason"]


# --- every call that was recorded ------------------------------------------------------------------------------------


def test_what_was_recorded_covers_each_route_and_each_answer():
    calls = [recorded(call) for call in CALLS]
    assert {call["route"] for call in calls} == {
        "/v1/chat/completions",
        "/v1/completions",
        "/v1/messages",
        "/v1/responses",
    }
    actions = {one["action"] for call in calls for one in call["exchanges"]}
    assert actions == {"NONE", "BLOCKED", "GUARDRAIL_INTERVENED"}
    assert any(call["stream"] for call in calls)


@pytest.mark.parametrize("call", CALLS)
def test_a_recorded_call_is_answered_as_when_the_gateway_reacted_to_it(call):
    told = recorded(call)
    given = answers(*replayed(call))
    assert [one.status_code for one in given] == [200] * len(given)
    for answer, one in zip((one.json() for one in given), told["exchanges"], strict=True):
        assert answer["action"] == one["action"]
        assert [text["outcome"] for text in answer.get("witnessmark", [])] == one.get("outcomes", [])


def recorded_with(action, *, stream):
    calls = [recorded(call) for call in CALLS]
    return [call for call in calls if call["stream"] is stream and call["exchanges"][-1]["action"] == action]


def test_unless_streamed_the_gateway_did_with_every_answer_as_it_was_told():
    for call in recorded_with("NONE", stream=False):
        assert call["client"]["status"] == 200
        assert call["client"]["text"] == "\n".join(call["exchanges"][-1]["asked"]["texts"])
    for call in recorded_with("BLOCKED", stream=False):
        assert (call["client"]["status"], call["client"]["text"]) == (400, "")
        assert call["client"]["error"].startswith("the answer does not hold")
    (corrected,) = recorded_with("GUARDRAIL_INTERVENED", stream=False)
    given = said(*replayed("chat-corrected"))
    # corrections had the source's id behind them when this was recorded
    assert corrected["client"]["text"].replace(" [system-1]", "") == given[-1]["texts"][0]


def test_a_stream_is_held_back_only_with_the_settings_that_the_documentation_names():
    held = {"streaming_end_of_stream_only": True, "streaming_transform_mode": "incremental_diff"}
    for call in recorded_with("BLOCKED", stream=True) + recorded_with("GUARDRAIL_INTERVENED", stream=True):
        kept = held.items() <= call["guardrail"].items() and call["route"] == "/v1/chat/completions"
        assert ("40" not in call["client"]["text"]) is kept


def test_the_documented_configuration_is_the_one_that_held_streams_back():
    page = (Path(__file__).parents[2] / "docs" / "guardrail.md").read_text(encoding="utf-8")
    config = yaml.safe_load(page.split("```yaml\n", 1)[1].split("```", 1)[0])
    (guardrail,) = config["guardrails"]
    assert recorded("stream-held-blocked")["guardrail"].items() <= guardrail["litellm_params"].items()


def test_a_bare_prompt_is_what_a_user_said():
    before, after = (one["asked"] for one in recorded("completions-blocked")["exchanges"])
    assert before["structured_messages"] is None
    site = OneService()
    *_, named = said(before, after, site=site)
    case = json.loads(site.entry(named["witnessmark"][0]["record_id"]).case)
    assert case["goal"] == before["texts"][0]
    *_, silent = said(before | params(), after | params())
    assert silent["witnessmark"][0]["outcome"] == "unverified"


def test_an_answer_that_comes_without_its_model_is_by_the_one_that_was_asked():
    before, after = (one["asked"] for one in recorded("messages-stream-blocked")["exchanges"])
    assert (before["model"], after["model"]) == ("wrong", None)
    site = OneService()
    *_, answer = said(before, after, site=site)
    case = json.loads(site.entry(answer["witnessmark"][0]["record_id"]).case)
    assert case["executor"] == {"model": "wrong"}


# --- what becomes of an answer ---------------------------------------------------------------------------------------


def test_a_block_quotes_the_wrong_words_and_nothing_else_of_the_answer():
    _, wrong = said(payload("request-chat"), payload("response-wrong"))
    (told,) = wrong["witnessmark"][0]["wrong_words"]
    assert told in wrong["blocked_reason"]
    assert "2025" not in wrong["blocked_reason"], "only the words that are wrong"


def test_without_anything_to_hold_it_against_an_answer_is_unverified_and_passes():
    (alone,) = said(payload("response-wrong"))
    assert alone["action"] == "NONE"
    assert alone["witnessmark"][0]["outcome"] == "unverified"


def test_unverified_blocks_where_the_configuration_says_so():
    (blocked,) = said(payload("response-wrong", **params(on_unverified="block")))
    assert blocked["action"] == "BLOCKED"
    assert "could not be verified: no evidence" in blocked["blocked_reason"]


NO_TIME = Settings(limits=Limits(check_s=1e-6))


def test_an_answer_that_nobody_could_look_at_goes_out_and_everybody_can_see_it(caplog):
    _, wrong = said(payload("request-chat"), payload("response-wrong"), site=OneService(NO_TIME))
    (ours,) = wrong["witnessmark"]
    assert (wrong["action"], ours["outcome"], ours["unverified_because"]) == ("NONE", "unverified", "deadline")
    assert f"an answer went out that could not be looked at (deadline): record {ours['record_id']}" in caplog.messages


def test_it_is_blocked_where_the_configuration_says_so_and_small_talk_still_goes_out():
    strict = params(on_error="block")
    _, wrong = said(payload("request-chat"), payload("response-wrong", **strict), site=OneService(NO_TIME))
    assert (wrong["action"], "could not be verified" in wrong["blocked_reason"]) == ("BLOCKED", True)
    (talk,) = said(payload("response-wrong", **strict))
    assert (talk["action"], talk["witnessmark"][0]["unverified_because"]) == ("NONE", "no_evidence")


def test_fail_passes_where_it_is_only_watched():
    _, watched = said(payload("request-chat"), payload("response-wrong", **params(on_fail="allow")))
    assert (watched["action"], watched["witnessmark"][0]["outcome"]) == ("NONE", "fail")


def test_partial_passes_unless_told_otherwise():
    text = ["Revenue grew 14 % in 2025. The chief executive plays the violin in a small orchestra on Sundays."]
    _, passed, blocked = said(
        payload("request-chat"),
        payload("response-chat", texts=text, **params(on_wrong_claims="allow")),
        payload("response-chat", texts=text, **params(on_partial="block")),
    )
    assert (passed["action"], passed["witnessmark"][0]["outcome"]) == ("NONE", "partial")
    assert blocked["action"] == "BLOCKED"


def test_a_block_says_whether_nothing_or_only_a_part_is_supported():
    invented = "The chief executive plays the violin in a small orchestra on Sundays."
    _, none, partly = said(
        payload("request-chat"),
        payload("response-chat", texts=[invented], **params(on_partial="block")),
        payload("response-chat", texts=[f"Revenue grew 14 % in 2025. {invented}"], **params(on_partial="block")),
    )
    assert "the answer is not supported by its sources" in none["blocked_reason"]
    assert "the answer is only partly supported by its sources" in partly["blocked_reason"]


@pytest.mark.parametrize(("rules", "blocked"), [({}, True), ({"on_wrong_claims": "allow"}, False)])
def test_an_answer_with_a_claim_that_is_surely_wrong_does_not_go_through_as_partial(rules, blocked):
    invented = "The chief executive plays the violin."
    text = f"Revenue grew 14 % in 2025. The firm is based in Porto. It has 40 people. {invented}"
    held = CallContext(
        "How is the firm?", (("tool-1", "Revenue grew 14 % in 2025. The firm is based in Porto. It has 40 people."),)
    )
    verifier = Verifier(services={"judges": OneJudge(PerfectReader(invented))})
    decided = asyncio.run(rule(verifier, text, GuardrailSettings(**rules), held, None, None))
    assert decided.told["outcome"] == "partial"
    assert (decided.blocked is not None) == blocked


def test_an_answer_is_put_right_where_that_is_wanted_and_passes():
    site = OneService()
    _, put_right = said(payload("request-chat"), payload("response-wrong", **params(**CORRECT)), site=site)
    assert put_right["action"] == "GUARDRAIL_INTERVENED"
    (text,) = put_right["texts"]
    assert "14 %" in text
    assert "40 %" not in text
    assert put_right["witnessmark"][0]["outcome"] == "fail"
    again = site.entry(put_right["witnessmark"][0]["corrected_by"]).record
    assert (again.outcome, again.attempt, again.parent) == ("pass", 2, put_right["witnessmark"][0]["record_id"])


@pytest.mark.parametrize(("allowed", "action"), [(2, "GUARDRAIL_INTERVENED"), (1, "BLOCKED")])
def test_an_answer_is_put_right_as_often_as_the_settings_allow(monkeypatch, allowed, action):
    """The first version is still wrong; only where a second one is allowed does the right one get through."""
    written = iter(["Revenue grew 30 % in 2025.", "Revenue grew 14 % in 2025."])
    monkeypatch.setattr(ExtractiveGenerator, "generate", lambda self, revision: next(written))
    site = OneService(Settings(verification=Verification(max_crag_attempts=allowed)))
    _, answer = said(payload("request-chat"), payload("response-wrong", **params(**CORRECT)), site=site)
    assert answer["action"] == action
    if allowed == 2:
        assert answer["texts"] == ["Revenue grew 14 % in 2025."]
        again = site.entry(answer["witnessmark"][0]["corrected_by"]).record
        assert (again.attempt, again.outcome) == (3, "pass")


SECRETS = (
    "You are Max, the support bot. Never reveal that discounts of up to 30 % may be granted to angry customers. "
    "Internal code for refunds: ZX-9917. The subscription costs 19 euros a month and can be cancelled at any time. "
    "The free trial lasts 14 days."
)


def ruled(answer, question="?", tool="", system=SECRETS, **rules):
    """What becomes of one answer, after a system prompt and, where there is one, the result of a tool."""
    settings = GuardrailSettings(**rules)
    messages = [{"role": "system", "content": system}, {"role": "user", "content": question}]
    messages += [{"role": "tool", "content": tool}] if tool else []
    held = held_in(messages, settings.evidence_from)
    return asyncio.run(rule(Verifier(store="memory:"), answer, settings, held, None, None))


@pytest.mark.parametrize("correct", [True, False])
@pytest.mark.parametrize(
    "answer",
    [
        "Sorry, there are no discounts of any kind for customers.",
        "Refunds take 90 days, and the code for refunds is secret.",
        "The free trial lasts 30 days and discounts are possible.",
        "The internal code for refunds is ZX-9918.",
        "Never reveal that discounts of up to 50 % may be granted to angry customers.",
    ],
)
def test_no_word_of_the_instructions_goes_out_that_the_answer_did_not_have(answer, correct):
    decided = ruled(answer, "Any discount?", correct=correct)
    said_out = f"{decided.blocked} {decided.corrected} {decided.told}"
    assert decided.corrected is None
    for secret in ("30 %", "granted", "ZX-9917", "14 days", "Internal"):
        assert secret in answer or secret not in said_out


def test_a_correction_is_clean_prose_from_what_is_meant_for_users():
    tool = "The Gold card costs 60 euros a year and includes travel insurance. The Basic card is free but has no insurance."
    decided = ruled("The Gold card costs 90 euros a year, and the Basic card is free.", tool=tool, correct=True)
    assert decided.corrected == tool
    assert ruled("The Gold card costs 90 euros a year.", system=tool, correct=True).corrected is None
    decided = ruled("The Gold card costs 90 euros a year.", evidence=[tool], correct=True)
    assert decided.corrected == "The Gold card costs 60 euros a year and includes travel insurance."


@pytest.mark.parametrize(
    "answer",
    [
        "I'm Max, your support assistant.",
        "12 times 12 is 144.",
        "```python\nprint('hello world')\n```",
        "Soft paws at dawn, a whiskered face, a purr that fills the quiet space.",
        "I'm afraid I don't have information about mortgage rates. Please contact a branch.",
        "You're welcome! Have a lovely day.",
        "You can try it free for two weeks. After that it's €19 per month, and you can cancel whenever you like.",
    ],
)
def test_beside_instructions_alone_what_they_do_not_speak_of_goes_out(answer):
    assert ruled(answer).blocked is None


@pytest.mark.parametrize(
    "answer",
    [
        "The subscription cannot be cancelled during the first year.",
        "The free trial lasts 30 days.",
    ],
)
def test_what_the_instructions_speak_of_and_rather_deny_does_not_go_out(answer):
    assert ruled(answer).blocked is not None


def test_texts_stay_one_to_one_where_one_of_several_is_put_right():
    texts = ["Revenue grew 14 % in 2025.", "", "Revenue grew 40 % in 2025. The company opened an office in Lyon."]
    _, answer = said(payload("request-chat"), payload("response-wrong", texts=texts, **params(**CORRECT)))
    assert answer["action"] == "GUARDRAIL_INTERVENED"
    assert len(answer["texts"]) == 3
    assert answer["texts"][:2] == texts[:2]
    assert len(answer["witnessmark"]) == 2


def test_one_wrong_text_blocks_all():
    texts = ["Revenue grew 14 % in 2025.", "Revenue grew 40 % in 2025."]
    _, answer = said(payload("request-chat"), payload("response-wrong", texts=texts))
    assert answer["action"] == "BLOCKED"


def test_an_answer_that_only_calls_tools_passes():
    _, answer = said(payload("request-chat"), payload("response-tool-call"))
    assert answer == {"action": "NONE"}


def test_evidence_and_criteria_may_come_with_the_configuration():
    told = params(evidence=["Revenue grew 14 % in 2025."], criteria=[{"check": "max_length", "value": 10}])
    (answer,) = said(payload("response-chat", **told))
    assert answer["action"] == "BLOCKED"
    assert "at most 10 are allowed" in answer["blocked_reason"]


def test_criteria_that_hold_do_not_make_up_for_a_contradiction():
    criteria = [{"check": "min_length", "value": n} for n in range(5)]
    _, answer = said(payload("request-chat"), payload("response-wrong", **params(criteria=criteria)))
    assert answer["action"] == "BLOCKED"


def test_what_a_user_says_is_no_evidence_unless_named():
    asked = payload("request-parts")
    silent = payload("request-parts", **params())
    answer = payload("response-parts", **params())
    assert said(silent, answer)[1]["witnessmark"][0]["outcome"] == "unverified"
    assert said(asked, answer)[1]["witnessmark"][0]["outcome"] == "pass"


def test_the_policy_of_a_request_holds():
    _, answer = said(
        payload("request-chat"),
        payload("response-chat", **params(policy={"pass_threshold": 0.9, "retry_threshold": 0.5})),
    )
    assert answer["action"] == "NONE"
    refused = answers(payload("request-chat"), payload("response-chat", **params(policy={"threshold": 0.9})))[1]
    assert refused.status_code == 422
    assert "threshold" in refused.json()["detail"]


def test_a_service_may_forbid_that_requests_change_its_rules():
    site = OneService(settings=Settings(guardrail=GuardrailSettings(params=False)))
    _, answer = said(payload("request-chat"), payload("response-wrong", **params(on_fail="allow")), site=site)
    assert answer["action"] == "BLOCKED"


@pytest.mark.parametrize(
    ("told", "named"),
    [
        (params(on_fial="block"), "additional_provider_specific_params.on_fial"),
        (params(on_fail="maybe"), "on_fail"),
        (params(params=False), "additional_provider_specific_params.params"),
        (params(evidence=[{"txt": "x"}]), "evidence[0].txt"),
        ({"input_type": "both"}, "input_type"),
        ({"texts": "not a list"}, "texts"),
        ({"texts": ["x"] * 65}, "texts"),
    ],
)
def test_what_is_wrong_is_named(told, named):
    (answer,) = answers(payload("response-chat", **told))
    assert answer.status_code == 422
    assert named in answer.json()["detail"]


@pytest.mark.parametrize(("body", "told"), [
    (b'{"input_type": "response", "texts": ["\\ud800"]}', "half a character"),
    (b'{"input_type": "request", "request_data": {"a": ' + b"[" * 5000 + b"]" * 5000 + b"}}", "nested too deeply"),
    (b'{"input_type": "request",}', "not JSON: trailing comma"),
    (b'\xff', "not UTF-8"),
])  # fmt: skip
def test_a_body_that_is_no_json_is_told_why(body, told):
    (answer,) = answers(body)
    assert answer.status_code == 422
    assert told in answer.json()["detail"]


def test_fields_of_a_newer_gateway_are_let_be():
    (answer,) = answers(payload("request-chat", stream_holdback=True, something_new={"a": 1}))
    assert answer.json() == {"action": "NONE"}


def test_one_workspace_never_sees_what_another_was_told():
    (_, other) = said(payload("request-chat"), payload("response-wrong"), key=["key-of-alpha", "key-of-beta"])
    assert other["witnessmark"][0]["outcome"] == "unverified"


def test_no_key_no_answer():
    (answer,) = answers(payload("request-chat"), key="wrong")
    assert answer.status_code == 401


def test_nothing_of_the_users_identity_is_kept():
    site = OneService()
    _, answer = said(payload("request-chat"), payload("response-chat"), site=site)
    entry = site.entry(answer["witnessmark"][0]["record_id"])
    assert b"u-102" not in entry.case
    assert b"default_user_id" not in entry.case
    assert b"litellm_proxy_master_key" not in entry.case
    assert json.loads(entry.case)["executor"] == {"model": "right"}


# --- what is remembered between a call's request and its answer ------------------------------------------------------


def test_the_oldest_calls_are_forgotten_first_and_never_more_is_kept_than_allowed():
    memory = GuardrailMemory(most_calls=2, most_chars=10)
    for number in range(3):
        memory.remember(("w", str(number)), CallContext("abc"))
    assert [memory.recall(("w", str(n))).goal for n in range(3)] == ["", "abc", "abc"]
    memory.remember(("w", "long"), CallContext("x" * 8))
    assert memory.recall(("w", "2")).goal == ""
    assert memory.recall(("w", "long")).size == 8
    memory.remember(("w", "too long"), CallContext("x" * 11))
    assert memory.recall(("w", "too long")).goal == ""
    memory.remember(("w", ""), CallContext("nameless"))
    assert memory.recall(("w", "")).goal == ""


def test_messages_are_read_by_role():
    messages = [
        {"role": "system", "content": "S"},
        {"role": "user", "content": "first"},
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "tool", "content": [{"type": "text", "text": "T"}], "tool_call_id": "1"},
        {"role": "user", "content": "last"},
    ]
    held = held_in(messages, ("system", "tool"))
    assert held == CallContext("last", (("system-1", "S"), ("tool-4", "T")))


def test_the_contract_is_in_the_openapi_document():
    described = openapi.document(ENDPOINTS)
    asked, answered = (described["components"]["schemas"][name] for name in ("GuardrailRequest", "GuardrailReply"))
    assert described["paths"][PATH]["post"]["requestBody"]["required"]
    assert {"texts", "structured_messages", "input_type", "litellm_call_id"} <= asked["properties"].keys()
    assert answered["properties"]["action"]["enum"] == ["BLOCKED", "GUARDRAIL_INTERVENED", "NONE"]


def lines(site):
    """The audit log of the workspace, oldest first."""

    async def work():
        async with site.running() as client:
            answer = await client.get("/audit", headers={"authorization": f"Bearer {site.keys['key-of-alpha']}"})
            return [(line["who"], line["what"], line["target"]) for line in answer.json()["lines"][::-1]]

    return asyncio.run(work())


def test_every_record_of_an_answer_has_its_line_in_the_audit_log():
    site = OneService()
    _, put_right = said(payload("request-chat"), payload("response-wrong", **params(**CORRECT)), site=site)
    (told,) = put_right["witnessmark"]
    assert lines(site) == [("gateway", "verify", told["record_id"]), ("gateway", "verify", told["corrected_by"])]


def test_an_answer_that_is_sent_again_under_its_idempotency_key_is_ruled_on_once():
    site, wrong = OneService(), payload("response-wrong")
    asked = payload("request-chat")
    first = answers(asked, site=site) + answers(asked, wrong, site=site, **{"idempotency-key": "call-1-request"})
    assert [one.status_code for one in first] == [200, 200, 422], "a key stands for one body"
    key = {"idempotency-key": "call-1"}
    told = wrong | {"structured_messages": asked["structured_messages"]}
    given = [one for _ in range(2) for one in answers(told, site=site, **key)]  # a restart lies between them
    assert given[0].json()["action"] == "BLOCKED"
    assert given[1].json() == given[0].json()
    assert [one.headers.get("idempotency-replayed") for one in given] == [None, "true"]
    assert len(lines(site)) == 1
    assert site.entry(given[0].json()["witnessmark"][0]["record_id"]).runs[1:] == ()


def test_rules_are_settings_like_any_other():
    assert replace(GuardrailSettings(), on_partial="block").on_partial == "block"
    assert "guardrail" in Settings.schema()["$defs"]["Settings"]["properties"]


def test_a_polite_reply_goes_out_beside_the_result_of_a_tool():
    """A closing asserts nothing; one that says something beside it is held against what the tool said."""
    tool = "| Plan | Price |\n|---|---|\n| Team | $149 |\n| Business | $499 |"
    assert ruled("You are welcome! Have a great day.", tool=tool).blocked is None
    assert ruled("You are welcome! Feel free to use the free phone until Friday.", tool=tool).blocked is not None


@pytest.mark.parametrize("twice", [
    b'{"input_type": "response", "texts": ["Revenue grew 14 %."], "texts": ["Revenue grew 40 %."]}',
    b'{"input_type": "request", "structured_messages": [{"role": "user", "role": "system", "content": "x"}]}',
])  # fmt: skip
def test_a_name_that_is_given_twice_is_refused_wherever_it_stands(twice):
    (refused,) = answers(twice)
    assert refused.status_code == 422
    assert "is given twice; leave one of them out" in refused.json()["detail"]
