"""A finding reads the same everywhere: the wrong words, the source's words beside them, and what to do."""

from __future__ import annotations

import json
from html import unescape

import httpx
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from witnessmark import Case, Claim, Finding, Settings, SourceWords, Verifier, WrongWords
from witnessmark.actions.claim import ActionClaim, contradicted
from witnessmark.checks.grounding.confidence import Verification
from witnessmark.cli.app import command_line
from witnessmark.cli.output import github, reports
from witnessmark.core.wrong_words import claim_sentence, lines, marked, pieces, sentence
from witnessmark.integrations.guardrail.memory import CallContext
from witnessmark.integrations.guardrail.rules import rule
from witnessmark.integrations.hook.reply import FalseStatement, complaint
from witnessmark.integrations.mcp.values import verdict
from witnessmark.integrations.summary import summary_text
from witnessmark.server.app import create_app
from witnessmark.settings import GuardrailSettings

TEXT = "All is well. Sales rose by 40 % in 2023."
QUOTE = "Sales rose by 40 % in 2023."
WORDS = WrongWords("40 %", (27, 31), SourceWords("d1", "14 %", (14, 18)), absent=True)


def finding(category="unsupported_claim", words=(WORDS,), quote=QUOTE):
    return Finding(
        "this figure is not in any source",
        category=category,
        suggestion="Name a source.",
        quote=quote,
        span=(13, 40),
        words=words,
    )


def test_the_wrong_words_stand_beside_what_the_source_says():
    assert sentence(finding()) == '"40 %" is not in any source; closest: d1 "14 %"'
    assert sentence(finding("contradicted_claim")) == '"40 %" differs from source d1, which says "14 %"'
    assert sentence(finding(words=(WrongWords("40 %", absent=True),))) == '"40 %" is not in any source'
    assert sentence(finding(words=(WrongWords("40 %"),))) == '"40 %" is not supported by any source'
    assert sentence(finding(words=())) == f'this figure is not in any source: "{QUOTE}"'


def test_words_that_the_source_has_are_not_said_to_be_missing_from_it():
    """What a model doubts may stand in the sentence it was read against: then what is said of it is in doubt."""
    stay = SourceWords("d1", "You may stay up to 90 days within 190 days.")
    told = sentence(finding(words=(WrongWords("90", closest=stay),)))
    assert told == f'"90" is in source d1, but what the text says about it is not supported; closest: d1 "{stay.text}"'
    within = SourceWords("d1", "You may stay up to 190 days.")
    assert sentence(finding(words=(WrongWords("90", closest=within),))).startswith(
        '"90" is not supported by any source'
    )


def test_a_finding_is_three_lines():
    assert list(lines(finding())) == [
        '"40 %" is not in any source; closest: d1 "14 %"',
        "in: Sales rose by **40 %** in 2023.",
        "→ Name a source.",
    ]


def test_words_are_marked_where_they_stand_and_looked_for_where_no_place_is_known():
    assert [(text, one is not None) for text, one in pieces(QUOTE, (WORDS,), 13)] == [
        ("Sales rose by ", False),
        ("40 %", True),
        (" in 2023.", False),
    ]
    assert marked(Claim(QUOTE, words=(WrongWords("2023"),)), "<", ">") == "Sales rose by 40 % in <2023>."
    assert marked(Claim("a\x1b[2J b", words=())) == "a�[2J b"


def test_hostile_words_stay_on_one_line():
    hostile = finding(words=(WrongWords("40\n::error::x\x1b[0m"),), quote="40\n::error::x\x1b[0m")
    assert all("\n" not in line and "\x1b" not in line for line in lines(hostile))


ANSWER = Case(
    question="How did sales do?",
    answer="Sales grew by 40 % in 2023. The company was led by Bob Miller.",
    sources=["Sales grew by 14 % in 2023, the report says. The company was led by Alice Miller."],
)
RULES = Settings(verification=Verification(model="rules"))
SAID = '"40 %" differs from source d1, which says "14 %"'


@pytest.fixture(scope="module")
def record():
    return Verifier(RULES).verify_sync(ANSWER)


def test_rules_say_which_words_of_a_claim_are_wrong_and_where_both_stand(record):
    first, second = record.claims
    assert first.words == (WrongWords("40 %", (14, 18), SourceWords("d1", "14 %", (14, 18))),)
    assert claim_sentence(second) == '"Bob" differs from source d1, which says "Alice"'
    assert ANSWER.text[slice(*second.words[0].span)] == "Bob"
    assert record.headline == f"{SAID} (and 1 more)"


def test_a_figure_that_no_source_has_shows_the_nearest_one():
    case = Case(
        question="?",
        answer="In the town of Ulm the museum counted 40 % more visitors.",
        sources=["Visitors: 14 %, staff: 90 %."],
    )
    (claim,) = Verifier(RULES).verify_sync(case).claims
    assert claim_sentence(claim) == '"40 %" is not in any source; closest: d1 "14 %"'


def test_every_surface_shows_the_words(record):
    verdicts = [("a.json", record)]
    surfaces = {
        "junit": reports.junit(verdicts, []).decode().replace("&quot;", '"'),
        "sarif": json.loads(reports.sarif(verdicts, []))["runs"][0]["results"][0]["message"]["text"],
        "html": reports.html(verdicts, [], {record.id: ANSWER.json()}).decode().replace("&#34;", '"'),
        "test output": summary_text(record, ANSWER),
        "MCP": verdict(record).findings[0].message,
        "feedback": record.feedback.issues[0],
    }
    assert [name for name, text in surfaces.items() if SAID not in text] == []
    assert '<mark class="wrong">40 %</mark>' in surfaces["html"]
    assert "Sales grew by **40 %** in 2023." in summary_text(record, ANSWER)
    assert "**40 \\%**" in github.summary(verdicts, []).decode()


async def _ruled():
    held = CallContext(goal=ANSWER.goal, sources=(("tool-1", ANSWER.evidence[0].text),))
    return await rule(Verifier(RULES), ANSWER.text, GuardrailSettings(on_fail="block"), held, None, None)


def test_the_guardrail_says_which_words_it_blocks(run):
    ruled = run(_ruled())
    told = '"40 %" differs from source tool-1, which says "14 %"'
    assert ruled.told["wrong_words"][0] == told
    assert ruled.blocked.startswith(f"the answer does not hold: {told}")


def test_the_terminal_shows_the_words(tmp_path):
    given = ("--question", ANSWER.goal, "--answer", ANSWER.text, "--text", ANSWER.evidence[0].text)
    done = CliRunner().invoke(command_line(), ["check", *given, "--store", "memory:"])
    assert SAID in done.output
    assert "in: Sales grew by **40 %** in 2023." in done.output


def test_the_page_of_a_record_shows_the_words(run, tmp_path):
    service = create_app(replace(RULES, store=f"sqlite:///{tmp_path}/page.db"))

    async def main():
        async with service.router.lifespan_context(service):
            client = httpx.AsyncClient(transport=httpx.ASGITransport(service), base_url="http://localhost")
            async with client as http:
                made = (await http.post("/verify", content=ANSWER.json())).json()
                return (await http.get(f"/ui/records/{made['id']}")).text

    page = run(main())
    assert SAID in unescape(page)
    assert '<mark class="wrong">40 %</mark>' in page


def test_the_hook_shows_the_words_of_a_report():
    """What an agent said it did is no answer with sources, and its wrong words are shown by the same lines."""
    claim = ActionClaim("tests_passed", passed=12, text="All 12 tests pass", span=(0, 17), by="report")
    told = complaint(
        [FalseStatement(claim, contradicted("wrong_counts", "the runner printed other counts", "2 passed"))]
    )
    assert 'the runner printed other counts: "12"; closest: trace "2 passed"' in told
    assert "in: All **12** tests pass" in told
    assert "→ State the counts the runner printed" in told
