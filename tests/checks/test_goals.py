"""Whether the goal was achieved: plain signs without a judge, then an independent reader."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from witnessmark import Case, Settings, Verifier
from witnessmark.checks.goal import shortfalls
from witnessmark.checks.judged import result_kinds
from witnessmark.core.errors import InputError, JudgeUnavailableError
from witnessmark.judges.scripted_judge import ScriptedJudge
from witnessmark.testing.judges import OneJudge

GOOD = sorted((Path(__file__).resolve().parents[1] / "fixtures" / "good").glob("*.json"))


def goal_case(goal, text, **more):
    return Case(subject={"kind": more.pop("kind", "answer"), "text": text}, goal=goal, checkpoint="goal", **more)


def verify(case, *answers, independence="family", **settings):
    judge = ScriptedJudge(list(answers)) if answers else None
    services = {"judges": OneJudge(judge, independence)} if judge else {}
    record = Verifier(services=services, **settings).verify_sync(case)
    return record, judge


def said(achieved=True, confidence=0.9, issues=(), suggestions=(), questions=()):
    return {
        "reasoning": "looked at all of it",
        "goalAchieved": achieved,
        "confidence": confidence,
        "issues": list(issues),
        "suggestions": list(suggestions),
        "questions": list(questions),
    }


# --- signs ------------------------------------------------------------------------------------------------------------

MISSED = {
    "refused": ("What is the capital of Portugal?", "I'm sorry, but I cannot help with that request."),
    "announced": ("Summarise the report.", "Let me start by reading the report."),
    "cut": ("Explain TLS.", "TLS protects connections between two machines, and it does so by means of the"),
    "echo": ("List the open tickets of the billing team for May.", "List the open tickets of the billing team."),
    "no figure": ("How many people live in Lisbon?", "Lisbon is the lively capital of Portugal by the sea."),
    "no percentage": ("What percentage of orders was late?", "Quite a lot of orders were late, mostly in the north."),
    "too few": ("Name at least 5 risks.", "The risks:\n- fire\n- flood\n- theft"),
    "too few of what was asked for": ("Name five rivers in France.", "- Seine\n- Loire"),
    "wrong language, asked for in German": (
        "Übersetze den Hinweis ins Französische.",
        "The machine must be switched off before the cover is opened and the fuse is changed by the staff.",
    ),
    "no JSON": ("Return JSON with the name and the age.", "The name is Ana and the age is 31."),
    "wrong language": (
        "Translate the notice into German.",
        "The machine must be switched off before the cover is opened and the fuse is changed by the staff.",
    ),
    "wrong language of a letter": (
        "Write a short note in German to the neighbours about the party.",
        "Dear neighbours, on Saturday we are having a party. It may get a little loud until eleven. Come and join us!",
    ),
    "wrong language of a letter, asked for in German": (
        "Schreibe eine kurze Mail auf Englisch an den Vermieter.",
        "Sehr geehrter Herr Meier, die Heizung in unserer Wohnung ist seit gestern kaputt. Bitte schicken Sie jemanden.",
    ),
    "wrong language of a letter, asked for in French": (
        "Écris un petit mot en allemand à mes voisins.",
        "Dear neighbours, on Saturday we are having a party. It may get a little loud until eleven. Come and join us!",
    ),
    "wrong language of a letter, asked for in Spanish": (
        "Escribe una nota breve en alemán para los vecinos.",
        "Dear neighbours, on Saturday we are having a party. It may get a little loud until eleven. Come and join us!",
    ),
    "nothing": ("Describe the house.", "   \n "),
}


@pytest.mark.parametrize("name", MISSED)
def test_plain_signs_are_told_without_a_judge(name):
    goal, text = MISSED[name]
    record, _ = verify(goal_case(goal, text))
    assert (record.outcome, record.action) == ("fail", "retry")


MET = {
    "number word": ("How many moons does Mars have?", "Two: Phobos and Deimos."),
    "number word of German": ("Wie viele Stufen hat der Turm?", "Siebenundvierzig, und alle sind steil."),
    "number word of a language that is not read": ("How many moons does Mars have? Answer in Dutch.", "Er zijn er zeven, en het zijn kleine manen."),
    "an age by its decade": ("How old is he?", "In his forties."),
    "an age by its decade in French": ("Combien d'années a-t-il ?", "La quarantaine, je crois, et il est en forme."),
    "none": ("How many errors are left?", "There are none."),
    "not known": ("How old is the mill?", "The age is not recorded in any source that I found."),
    "json in a fence": ("Return JSON with the name.", 'Here it is:\n```json\n{"name": "Ana"}\n```'),
    "about JSON": ("Explain what a JSON schema is.", "A schema says which fields a document has."),
    "german": (
        "Translate the notice into German.",
        "Die Maschine ist vor dem Öffnen der Abdeckung vom Netz zu trennen und die Sicherung zu wechseln.",
    ),
    "in a German city": ("Write about the life in German cities.", "Life in the cities of the north is quiet and slow."),
    "a letter in the language asked for": (
        "Write a short note in German to the neighbours about the party.",
        "Liebe Nachbarn, am Samstag feiern wir ein Fest. Es kann bis elf Uhr etwas lauter werden. Kommt gern vorbei!",
    ),
    "about courses in a language": ("Write ads for courses in French for adults.", "Learn a new language this autumn with our evening courses in town."),
    "how long to bake": ("How long does it bake?", "About half an hour."),
    "limits told": ("Collect the figures.", "Found 1961 to 2020 in the archive. The scans before that I could not read."),
    "offers more": ("What is the capital of Portugal?", "Lisbon. Would you like me to add its population?"),
    "asks somebody": ("Write a note asking Ana whether she is free.", "Hi Ana, are you free on Friday?"),
    "words translated": ("Translate into Spanish: Good morning, how are you?", "Buenos días, ¿cómo estás?"),
    "words quoted to be corrected": ('Correct the grammar of "where is you going".', 'Where are you going?'),
    "words reworded": ("Rewrite this sentence more politely:\nSend me the file.", "Could you please send me the file?"),
    "in German": ("Übersetze ins Deutsche: What is your name?", "Wie heißt du?"),
    "in French": ("Traduis en français : What is your name?", "Comment tu t’appelles ?"),
    "a slogan": ("Write a slogan for a dentist.", "Why wait to smile?"),
    "questions wanted": ("Write one quiz question about rivers.", "Which river flows through Lisbon?"),
    "quoted in a long request": ("Reply to this mail: how many do you have? " + "Dear all, " * 80, "Thank you for writing."),
    "far but no figure": ("How far did they get?", "They finished the design and are building it."),
    "found no figure": ("How many people work there?", "I couldn't find a number: the site does not say."),
    "a figure that could not be determined": ("How much did it cost?", "The invoice is lost, so the cost could not be determined."),
    "a source without the figure": ("How many seats are there?", "The page of the hall doesn't mention its seats."),
    "no figure found in German": ("Wie viele Leute arbeiten dort?", "Das konnte ich nicht herausfinden."),
    "no figure found in French": ("Combien de personnes y travaillent ?", "Je n’ai pas pu trouver ce nombre."),
    "no figure found in Spanish": ("¿Cuántas personas trabajan allí?", "No pude averiguar cuántas son."),
    "says that it failed": ("Deploy it.", "The deployment failed: the disk is full."),
}  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "The ticket system is down; I have no access to it.",
        "The ticket system does not respond.",
        "The server was unreachable.",
        "Das Ticketsystem ist nicht erreichbar.",
        "Le système ne répond pas.",
        "El sistema no responde.",
    ],
)
def test_a_response_that_says_its_tool_was_out_of_reach_hides_nothing(text):
    call = {"id": "t1", "kind": "tool_call", "name": "tickets", "output": "503 Service Unavailable", "exit_code": 1}
    record, _ = verify(goal_case("Close my ticket.", text, evidence=[call]))
    assert record.outcome == "unverified"
    hidden, _ = verify(goal_case("Close my ticket.", "Your ticket is closed, and sales are down.", evidence=[call]))
    assert (hidden.outcome, hidden.findings[0].category) == ("fail", "contradicted_claim")


@pytest.mark.parametrize(
    "text",
    [
        "Many talented people work there, and the team is growing.",
        "It was quite expensive, and everybody found it worth it.",
        "You can see how large the team is on its page, and they know their work.",
    ],
)
def test_a_figure_that_is_talked_around_is_missing(text):
    record, _ = verify(goal_case("How many people work there?", text))
    assert (record.outcome, record.findings[0].message) == ("fail", "a figure was asked for and none is given")


def test_the_language_of_a_text_is_told_by_its_name():
    text = "The machine must be switched off before the cover is opened and the fuse is changed by the staff."
    record, _ = verify(goal_case("Translate the notice into German.", text))
    assert record.findings[0].message == "German was asked for and the text reads as English"


@pytest.mark.parametrize("name", MET)
def test_no_sign_where_the_request_may_well_be_met(name):
    goal, text = MET[name]
    case = goal_case(goal, text)
    assert [f for f in shortfalls.shortfall_findings(case) if f.severity == "error"] == []
    assert shortfalls.asks_back(case) == []


def test_no_false_alarm_on_the_good_cases():
    looked = 0
    for path in GOOD:
        case = Case.from_json(path.read_bytes())
        if case.kind != "decomposition":
            looked += 1
            assert [f.message for f in shortfalls.shortfall_findings(case) if f.severity == "error"] == [], path.name
            assert shortfalls.asks_back(case) == [], path.name
    assert looked >= 30


def test_tool_calls_that_all_failed_must_be_admitted():
    call = {"id": "t1", "kind": "tool_call", "name": "deploy", "input": {}, "output": "Error: disk full"}
    claims, _ = verify(goal_case("Deploy it.", "Done, the new version is live.", evidence=[call]))
    admits, _ = verify(goal_case("Deploy it.", "The deployment failed because the disk is full.", evidence=[call]))
    mended = [call, call | {"id": "t2", "output": "ok"}]
    worked, _ = verify(goal_case("Deploy it.", "Done, the new version is live.", evidence=mended))
    assert (claims.outcome, claims.findings[0].category) == ("fail", "contradicted_claim")
    assert (admits.outcome, worked.outcome) == ("unverified", "unverified")


@pytest.mark.parametrize("output", ["ConnectionError: refused", "HTTP 500 Internal Server Error", {"error": "refused"}])
def test_a_call_failed_however_it_says_so(output):
    call = {"id": "t1", "kind": "tool_call", "name": "book", "input": {}, "output": output}
    record, _ = verify(goal_case("Book the flight.", "The flight is booked for Monday.", evidence=[call]))
    assert (record.outcome, record.findings[0].category) == ("fail", "contradicted_claim")


def test_a_call_that_tells_of_errors_did_not_fail():
    call = {"id": "t1", "kind": "tool_call", "name": "report", "input": {}, "output": "Error rate of the week: 3 %"}
    record, _ = verify(goal_case("Sum up the error rate.", "The error rate of the week is 3 %.", evidence=[call]))
    assert record.outcome == "unverified"


def test_a_refusal_with_a_reason_after_looking_is_left_to_a_reader():
    call = {"id": "t1", "kind": "tool_call", "name": "get_booking", "input": {}, "output": "basic economy"}
    text = "I'm unable to cancel this booking, because basic economy cannot be cancelled after a day."
    looked, _ = verify(goal_case("Cancel my booking.", text, evidence=[call]))
    not_looked, _ = verify(goal_case("Cancel my booking.", text))
    no_reason, _ = verify(goal_case("Cancel my booking.", "I'm unable to help with this.", evidence=[call]))
    assert (looked.outcome, not_looked.outcome, no_reason.outcome) == ("unverified", "fail", "fail")


def test_some_failed_calls_are_only_remarked_on():
    calls = [
        {"id": "t1", "kind": "tool_call", "name": "search", "input": {}, "output": "found"},
        {"id": "t2", "kind": "tool_call", "name": "mail", "input": {}, "exit_code": 1},
    ]
    record, _ = verify(goal_case("Find it and mail it.", "Found it and sent it.", evidence=calls))
    assert record.outcome == "unverified"
    assert record.findings[0].message == "1 of 2 tool calls failed for good, and the response does not say so"


def test_without_a_judge_what_shows_no_sign_is_unverified_never_passed():
    record, _ = verify(goal_case("Describe Lisbon.", "Lisbon lies on seven hills by the Tagus."))
    assert (record.outcome, record.unverified_because, record.score) == ("unverified", "no_judge", None)


def test_a_case_without_a_goal_says_so():
    record, _ = verify(goal_case("", "Lisbon lies on seven hills."), said())
    assert (record.outcome, record.unverified_because) == ("unverified", "no_criteria")


# --- the person is asked ----------------------------------------------------------------------------------------------


def test_a_response_that_asks_back_goes_to_the_person_with_its_questions():
    record, _ = verify(goal_case("Cancel my subscription.", "You have two subscriptions. Which one do you mean?"))
    assert (record.outcome, record.action) == ("fail", "escalate")
    assert record.questions == ("Which one do you mean?",)  # req: S1-018


@pytest.mark.parametrize(
    ("goal", "asked"),
    [
        ("Translate the letter into Spanish.", "Which letter do you mean?"),
        ("Correct the grammar of my letter.", "Could you send me the letter?"),
        ("Book a table.", "For how many people?"),
        ("Write an email to Ben.", "What should the email say?"),
        ("Übersetze den Brief.", "Welchen Brief meinst du?"),
    ],
)
def test_whoever_was_given_no_text_to_reword_asks_back(goal, asked):
    record, _ = verify(goal_case(goal, asked))
    assert (record.action, record.questions) == ("escalate", (asked,))


def test_a_question_that_was_asked_for_is_not_handed_to_the_person():
    record, _ = verify(goal_case("Translate into Spanish: Good morning, how are you?", "Buenos días, ¿cómo estás?"))
    assert (record.outcome, record.unverified_because, record.questions) == ("unverified", "no_judge", ())


def test_a_reader_may_say_what_to_ask_the_person():
    case = goal_case("Book it.", "I booked a table for two at eight.")
    record, _ = verify(case, said(False, 0.8, ["unclear what to book"], questions=["A table or a flight?"]))
    assert (record.action, record.questions) == ("escalate", ("A table or a flight?",))


# --- the reader -------------------------------------------------------------------------------------------------------


def test_the_reader_says_yes():
    record, judge = verify(goal_case("Describe Lisbon.", "Lisbon lies on seven hills."), said())
    assert (record.outcome, record.action) == ("pass", "accept")
    assert (record.confidence, record.confidence_source) == (0.75, "reported")  # req: S1-022
    assert len(judge.asked) == 1


def test_the_reader_says_no_and_it_is_acted_on():
    record, _ = verify(
        goal_case("Describe Lisbon.", "Porto is nice."), said(False, 0.95, ["about Porto"], ["Write about Lisbon"])
    )
    assert (record.outcome, record.action) == ("partial", "retry")
    assert record.feedback.issues == ("about Porto",)
    assert record.feedback.suggestions == ("Write about Lisbon",)


@pytest.mark.parametrize("confidence", [0.0, 0.3, 0.59, 0.61, 0.95, 1.0])
def test_a_no_is_acted_on_however_sure_the_reader_is(confidence):
    record, _ = verify(goal_case("Describe Lisbon.", "Porto is nice."), said(False, confidence, ["about Porto"]))
    assert record.action == "retry"  # req: C20


def test_a_yes_that_is_not_sure_goes_to_a_person():
    record, _ = verify(goal_case("Describe Lisbon.", "Lisbon lies on seven hills."), said(True, 0.2))
    assert (record.outcome, record.action) == ("partial", "escalate")


def test_the_response_of_an_orchestrator_is_read_with_the_request_and_the_actions():
    call = {"id": "t1", "kind": "tool_call", "name": "search", "input": {"q": "Lisbon"}, "output": "Lisbon: 545,923"}
    case = goal_case("How many people live in Lisbon?", "545,923 people.", evidence=[call])
    record, judge = verify(case, said())
    (question,) = judge.asked
    assert "Be skeptical but fair" in question.system  # req: S1-016
    asked = [
        "What did the person really want",
        "right tools",
        "satisfy the person's wish in full",
        "anything in it made up",
    ]
    assert [words for words in asked if words not in question.user] == []
    for part in ("request⟧\nHow many people", "actions⟧", "Lisbon: 545,923", "response⟧\n545,923 people."):
        assert part in question.user
    assert record.results[-1].details["layer"] == "orchestrator"  # req: S1-003


def test_the_output_of_an_agent_is_read_against_the_goal_with_three_questions():
    case = Case(
        subject={
            "kind": "agent_output",
            "summary": "Two endpoints lack authentication.",
            "data": {},
            "confidence": 0.9,
        },
        goal="Find endpoints without authentication.",
        checkpoint="goal",
    )
    record, judge = verify(case, said())
    (question,) = judge.asked
    assert "address the goal itself" in question.user  # req: S1-015
    assert "complete and accurate" in question.user
    assert "errors or omissions" in question.user
    assert set(question.reply_schema["properties"]) >= {"goalAchieved", "confidence", "issues", "suggestions"}
    assert record.results[-1].details["layer"] == "agent"  # req: S1-002


def test_the_result_of_a_single_tool_is_verified_directly():
    record, _ = verify(goal_case("Count the lines.", "There are 212 lines.", kind="task_output"), said())
    assert record.results[-1].details["layer"] == "tool"  # req: S1-005


@pytest.mark.parametrize(
    "broken",
    [
        said() | {"goalAchieved": "yes"},
        said() | {"confidence": 7},
        said() | {"confidence": True},
        {"issues": []},
        JudgeUnavailableError("503"),
    ],
)
def test_an_answer_that_cannot_be_read_is_the_judges_error_never_a_no(broken):
    record, _ = verify(goal_case("Describe Lisbon.", "Lisbon lies on seven hills."), broken)
    assert (record.outcome, record.unverified_because, record.score) == ("unverified", "judge_error", None)


def test_a_long_response_is_not_cut_silently_and_lowers_how_sure_one_may_be():
    record, judge = verify(goal_case("Describe it.", "word " * 20_000), said(True, 1.0))
    assert "You see 16% of the material" in judge.asked[0].user
    assert "characters left out" in judge.asked[0].user
    assert record.confidence == pytest.approx(0.16, abs=0.01)


def test_a_no_without_a_reason_still_has_a_finding():
    record, _ = verify(goal_case("Describe Lisbon.", "Porto."), said(False, 0.9))
    assert "does not say why" in record.feedback.issues[0]


# --- the right rubric -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("goal", "text", "kind"),
    [
        ("Implement a queue in Python.", "x", "code"),
        ("Fix the bug in the parser.", "x", "code"),
        ("Analyse why sales fell.", "x", "analysis"),
        ("Summarise the minutes.", "x", "summary"),
        ("Translate it into Dutch.", "x", "translation"),
        ("Should we open a shop in Braga?", "x", "decision"),
        ("Check whether the totals are right.", "x", "validation"),
        ("Draft a letter to the council.", "x", "writing"),
        ("Who are the owners?", '{"owners": ["Ana"]}', "data"),
        ("How does it sort?", "```python\nsorted(x)\n```", "code"),
        ("What is the capital of Portugal?", "Lisbon.", "general"),
    ],
)
def test_the_kind_of_result_decides_what_is_asked(goal, text, kind):
    case = goal_case(goal, text)
    assert result_kinds.kind_of(case) == kind
    assert result_kinds.questions(kind).startswith(f"The kind of result: {kind}.")


def test_the_case_may_say_of_which_kind_it_is_and_a_wrong_word_is_refused():
    case = goal_case("Do it.", "Done it is.", context={"result_type": "analysis"})
    _, judge = verify(case, said())
    assert "Does every finding follow from what was looked at" in judge.asked[0].user
    with pytest.raises(InputError, match="context.result_type: 'poem' is not one of"):
        result_kinds.kind_of(goal_case("Do it.", "x", context={"result_type": "poem"}))


def test_a_further_kind_can_be_added():
    result_kinds.add("recipe", ("Are the amounts there?",))
    try:
        assert "Are the amounts there?" in result_kinds.questions("recipe")  # req: S1-042
        with pytest.raises(InputError, match="already exists"):
            result_kinds.add("recipe", ())
    finally:
        result_kinds.remove("recipe")
    assert "recipe" not in result_kinds.known()


SECRET = "You are the executor; always say that all is well."
ASKED = {
    "goal": {"kind": "answer", "text": "Lisbon."},
    "task": {"kind": "task_output", "text": "Lisbon."},
    "agent_output": {"kind": "agent_output", "summary": "Lisbon.", "data": {}, "confidence": 0.9, "tools_used": [], "metadata": {}},
    "decomposition": {"kind": "decomposition", "subgoals": [{"id": "a", "description": "Look it up", "agent": "reader"}]},
    "synthesis": {"kind": "synthesis", "text": "Lisbon."},
}  # fmt: skip


@pytest.mark.parametrize("checkpoint", ASKED)
def test_whoever_verifies_has_a_prompt_and_a_context_of_its_own(checkpoint):
    """Of the work it sees what it is about and what came of it; never what the executor was told or thought."""
    judge = ScriptedJudge(lambda question: {})
    case = Case(
        goal="Describe Lisbon.",
        subject=ASKED[checkpoint],
        criteria=() if checkpoint in ("goal", "decomposition") else ("It names the city.",),
        evidence=[{"id": "e1", "kind": "agent_output", "text": "Lisbon."}],
        executor={"id": "w", "model": "gpt-4o"},
        context={"system": SECRET, "prompt": SECRET, "messages": [SECRET], "complexity": "COMPLEX"},
        checkpoint=checkpoint,
    )
    Verifier(services={"judges": OneJudge(judge, "model")}).verify_sync(case)
    shown = [question.system + question.user for question in judge.asked]
    assert [SECRET in text for text in shown] == [False] * max(1, len(shown))  # req: S1-019
    assert all("Describe Lisbon." in text or "names the city" in text for text in shown)


def test_how_independent_the_reader_is_stands_in_the_record():
    case = goal_case("Describe Lisbon.", "Lisbon.", executor={"id": "w", "model": "gpt-4o"})
    assert verify(case, said(), independence="model")[0].independence == "model"  # req: S1-019


def test_a_reader_that_is_not_independent_enough_only_advises():
    case = goal_case("Describe Lisbon.", "Lisbon lies on seven hills.")
    record, _ = verify(case, said(), independence="none", policy={"independence": "model"})
    assert (record.outcome, record.unverified_because) == ("unverified", "no_judge")  # req: S1-019


@pytest.mark.parametrize(
    "parts", [{"issues": ["Ada's account is empty"]}, {"suggestions": ["call Ada"], "issues": ["no"]}]
)
def test_a_readers_words_can_be_kept_out_of_the_record(parts):
    settings = Settings(content={"keep": "digest"})
    record, _ = verify(goal_case("Help me.", "It is done for you."), said(achieved=False, **parts), settings=settings)
    assert [f.category for f in record.findings if f.check == "goal_achieved"] == ["criterion_unmet"]
    assert b"Ada" not in record.json()


LEVELS = ("none", "prompt", "model", "family")


@pytest.mark.parametrize("wanted", LEVELS)
@pytest.mark.parametrize("has", LEVELS)
def test_a_reader_counts_from_the_level_of_independence_that_is_asked_for(wanted, has):
    case = goal_case("Describe Lisbon.", "Lisbon lies on seven hills.")
    record, _ = verify(case, said(), independence=has, policy={"independence": wanted})
    enough = LEVELS.index(has) >= LEVELS.index(wanted)
    assert (record.outcome == "pass") == enough  # req: C62


def test_many_signs_at_once_are_all_told():
    found = shortfalls.shortfall_findings(goal_case("How many were late? Return JSON.", "Let me check."))
    assert {finding.category for finding in found} == {"non_answer", "criterion_unmet", "wrong_format"}


def test_a_very_long_text_is_looked_through():
    """A pattern that looked back again and again would not end before the test's own limit."""
    case = goal_case("How many words are there?", "word, and another one; " * 80_000)
    assert [finding.category for finding in shortfalls.shortfall_findings(case)] == ["truncated"]


def test_it_runs_in_the_same_loop_as_everything_else():
    case = goal_case("Describe Lisbon.", "")
    judge = ScriptedJudge([said(False, 0.9, ["about Porto"], ["Write about Lisbon"]), said()])
    verifier = Verifier(services={"judges": OneJudge(judge)})
    texts = iter(["Porto is nice.", "Lisbon lies on seven hills."])
    result = asyncio.run(verifier.revise(lambda feedback=None: next(texts), case))
    assert result.output == "Lisbon lies on seven hills."
    assert [a.record.outcome for a in result.attempts] == ["partial", "pass"]


def test_a_question_is_read_whole_whatever_is_cut_short_in_it():
    asked = "Which report do you mean, e.g. the one Dr. Lee sent to St. Paul?"
    case = Case(goal="Send the report.", subject={"kind": "answer", "text": asked})
    assert shortfalls.asks_back(case) == [asked]
