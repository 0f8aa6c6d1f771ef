"""Gaps left behind, non-answers, broken-off text, language: caught, and good work let through."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from witnessmark.checks.grounding.claims import claims
from witnessmark.core.case import Case
from witnessmark.core.registry import ready
from witnessmark.text.language import detect


def look(name, text, value=None, goal=""):
    return ready(name, value)(Case(subject={"kind": "task_output", "text": text}, goal=goal), {})


class TestPlaceholders:
    @pytest.mark.parametrize(
        "text",
        [
            "Dear [Your Name],", "Contact [insert email here] today.", "Total: {{ amount }}", "<your-api-key>", "TODO: write this", "Budget (TBD)",
            "- Risks: TBD", "Lorem ipsum dolor sit amet", "Name: ________", "The analysis goes here.", "Revenue grew XXX%", "| Q1 | TBD |", "[Company Name] was founded in [year to be added]", "host: <YOUR_HOST>", "Dear [YOUR_FIRST_NAME],",
        ],
    )  # fmt: skip
    def test_gaps_are_found_with_their_place(self, text):
        result = look("no_placeholders", text)
        assert result.status == "fail"
        finding = result.findings[0]
        assert finding.category == "placeholder_left"
        assert text[slice(*finding.span)] == finding.quote

    @pytest.mark.parametrize(
        "text",
        [
            "See [the docs](https://example.org/your-name).", "- [x] done\n- [ ] open", "As shown in [1] and [Smith 2020].", "Use `<your-api-key>` as the key.",
            "```python\n# TODO: speed up\nname = '{{ name }}'\n```", "Our todo list is short.", "He said to add a TODO comment in the code.", "<b>your</b> text", "a_b__c snake_case__name",
            "The array is `[name, date]`.", "Todos los días.", "Version 2.0 [beta]", "Rated XXX by nobody in particular", "It logs [BULK_INSERT_FAILED] and <insert_row>.", "[^1]: A footnote about your name",
        ],
    )  # fmt: skip
    def test_good_work_is_let_through(self, text):
        assert look("no_placeholders", text).status == "pass", text

    @pytest.mark.parametrize(
        ("goal", "text"),
        [
            ("", "In Jinja, {{ name }} prints a variable."),
            ("Explain Vue.", "Write {{ message }} between the tags."),
            ("", "uses: ${{ secrets.TOKEN }}"),
            ("", "The ticket asks us to remove the TODO: markers from parser.py."),
            ("", "Every TODO: it names was fixed."),
            ("", 'The form still says "[insert name]" on page 3.'),
            ("", "The placeholder [Your Name] is replaced by the name."),
        ],
    )
    def test_a_mark_that_the_text_speaks_of_is_none_that_it_leaves(self, goal, text):
        assert look("no_placeholders", text, goal=goal).status == "pass", text

    @pytest.mark.parametrize(
        "text",
        [
            "Dear {{ name }}, your order is on its way.", "Dates: all TBD.", '{"name": "[your name]"}', 'name: "[your name]"',
            "Use this template: Dear [Your Name],", "Sehr geehrte Frau [Ihr Name],", "Paris, le [insérer la date]", "Estimado [inserte su nombre]:",
        ],
    )  # fmt: skip
    def test_a_mark_that_stands_for_something_is_left_in_every_language(self, text):
        assert look("no_placeholders", text).status == "fail", text

    @pytest.mark.parametrize(
        "goal", ["Write an email template for new customers.", "Erstelle eine Vorlage.", "Make a fill-in form letter"]
    )
    def test_a_requested_template_may_keep_its_gaps(self, goal):
        assert look("no_placeholders", "Dear [Your Name],", goal=goal).status == "pass"


class TestNonAnswers:
    @pytest.mark.parametrize(
        "text",
        [
            "I don't have access to your files.", "I’m sorry, but I can’t help with that.", "As an AI language model, I cannot browse the web.", "I am unable to complete this task without more data.",
            "Now let me look at the repository.", "I'll start by reading the files.", "Ich habe keinen Zugriff auf die Daten.", "Je ne peux pas répondre à cette question.", "No tengo acceso a los archivos.",
        ],
    )  # fmt: skip
    def test_a_refusal_or_an_announcement_fails(self, text):
        result = look("not_a_refusal", text)
        assert result.status == "fail"
        assert result.findings[0].category == "non_answer"

    @pytest.mark.parametrize(
        "text",
        [
            "Now let me scan the hosts.", "I will now scan the hosts and report back.", "Sure! Let me write that for you.", "Scanning the hosts now...", "Running the tests…",
            "Okay, let me first look at the logs. Then I will fix the bug.", "I'll look into it and get back to you.", "Working on it.", "I'm scanning the hosts now.",
            "Lass mich die Hosts scannen.", "Ich werde jetzt die Hosts scannen und mich dann melden.", "Ich scanne jetzt die Hosts.", "Gerne! Ich werde nun den Text schreiben.",
            "Je vais maintenant scanner les hôtes.", "Laissez-moi vérifier cela.", "Bien sûr ! Je vais commencer par lire le fichier.",
            "Ahora voy a escanear los hosts.", "¡Claro! Déjame escribirlo.", "Voy a empezar por leer el archivo.",
            "Unfortunately, I can't share the list of hosts.", "Ich kann dabei leider nicht helfen.",
        ],
    )  # fmt: skip
    def test_word_of_work_that_only_begins_is_no_work_in_any_language(self, text):
        assert look("not_a_refusal", text).status == "fail", text

    @pytest.mark.parametrize(
        "text",
        [
            "Let me check: 3+4=7.", "Let me start with the good news: sales rose by 8 %.", "Let me check the list. The hosts are a, b and c.", "Now let me scan the hosts. All 14 are up.",
            "Booking is open now.", "Parking the car is free now.", "During the night…", "I will come on Monday.", "I will attend the meeting. I will bring the papers.",
            "Let me know if you need more.", "The scan found 3 hosts. I will report back tomorrow.", "Run the tests now.", "Let me write that for you:\n```python\nprint(1)\n```",
            "Ich komme am Montag.", "Ich werde am Montag kommen.", "Ich finde das gut und jetzt gehe ich.", "Je vais bien.", "Je suis ravi de vous inviter.", "Voy a casa.",
            "Unfortunately, I cannot find the file: config.yml does not exist.",
        ],
    )  # fmt: skip
    def test_what_has_a_result_beside_it_or_announces_nothing_is_an_answer(self, text):
        assert look("not_a_refusal", text).status == "pass", text

    @pytest.mark.parametrize(
        ("goal", "text"),
        [
            ("Write a status line for the spinner.", "Scanning the hosts now..."),
            ("Translate: Now let me scan the hosts.", "Now let me scan the hosts."),
            ("How will you start?", "I'll start by reading the files."),
            ("Write a line of dialogue.", "Let me see your hands."),
            ("Tell Ann that you will scan the hosts.", "I will now scan the hosts."),
            ("Write a reply that declines the invitation.", "I'm sorry, but I can't come to your party on Saturday."),
            ("Translate to French: 'I can't help with that.'", "Je ne peux pas vous aider avec cela."),
            ("What did the clerk say?", "I don't have access to the vault, said the clerk, and left."),
        ],
    )
    def test_words_that_were_asked_for_or_are_somebody_elses_are_the_work(self, goal, text):
        assert look("not_a_refusal", text, goal=goal).status == "pass", text

    def test_a_thing_to_be_done_asks_for_no_refusal(self):
        assert look("not_a_refusal", "I'm unable to cancel it.", goal="Cancel my booking.").status == "fail"
        assert look("not_a_refusal", "Let me check that for you.", goal="Say when we are open.").status == "fail"

    @pytest.mark.parametrize(
        "text",
        [
            "The report covers three risks.", "The ticket says “I cannot access my account”, and support reset it.", "> I'm unable to log in\n\nWe fixed the login.", "Users who don't have access to the dashboard see a 403.",
            "The vendor can't help until May.", "Run `echo I cannot help` to see it.",
        ],
    )  # fmt: skip
    def test_an_answer_passes(self, text):
        assert look("not_a_refusal", text).status == "pass", text

    @pytest.mark.parametrize(
        "text",
        [
            "I cannot answer this question.", "I'm not able to answer that.", "Das kann ich leider nicht beantworten.", "Dazu kann ich nichts sagen.",
            "Je ne suis pas en mesure de répondre.", "No puedo responder a esa pregunta.", "I cannot\nanswer this question.",
        ],
    )  # fmt: skip
    def test_what_declines_is_no_answer_here_and_no_claim_for_grounding(self, text):
        assert look("not_a_refusal", text).status == "fail"
        assert [claim.why_not for claim in claims(text.replace("\n", " "))] == ["refusal"]

    @pytest.mark.parametrize(
        "text",
        [
            "I could not find a weakness in the login.", "The contract does not mention a notice period.", "Je ne suis pas d'accord avec le premier point.",
            "Der Vertrag sagt dazu nichts.", "No hay datos de 2019.",
        ],
    )  # fmt: skip
    def test_what_was_looked_for_and_is_not_there_is_an_answer(self, text):
        assert look("not_a_refusal", text).status == "pass"

    def test_an_answer_with_a_reservation_passes_and_is_remarked_upon(self):
        text = (
            "I don't have access to live prices, so these are from March. "
            + "The cheapest plan costs 12 euros a month. " * 15
        )
        result = look("not_a_refusal", text)
        assert result.status == "pass"
        assert [f.severity for f in result.findings] == ["warning"]


class TestTruncation:
    @pytest.mark.parametrize(
        "text",
        [
            "The three risks are cost, time and the", "We found the following,", "```python\nprint(1)\n", '{"a": [1, 2', "The results [truncated]", "It continues … (truncated)", "The migra-",
            "A full answer.\n\n(output truncated)", "The rows are here … [truncated 300 chars]", "It was found.\n[Output cut off]", "Rows.\nOutput truncated to 300 lines",
            "The steps are:\n1. Open the box\n2. Remove the", "The three risks are:", "Die drei Risiken sind:",
            "Die Ergebnisse zeigen, dass wir mit der", "The plan has two parts (", '[{"id": 1}, {"id": ',
        ],
    )  # fmt: skip
    def test_broken_off_text_is_found(self, text):
        result = look("not_truncated", text)
        assert (result.status, result.findings[0].category if result.findings else None) == ("fail", "truncated"), text

    @pytest.mark.parametrize(
        "text",
        [
            "All done.", "- one\n- two", "# Title", "| a | b |\n|---|---|\n| 1 | 2 |", "```\ncode\n```", '{"a": 1}', "[1, 2]", "See https://example.org/a-", "Next steps:", "He lives in the USA", "Yes", "What is it for",
            "Vitamin A", "Signed,\nMaria Lopes", "", "The log was truncated.", "The list is truncated", "The flag is called [truncated mode]", "Trees in winter:\n- Some die",
            "The box is open:\n- Yes\n- Step a", "Three risks:",
        ],
    )  # fmt: skip
    def test_whole_text_is_let_through(self, text):
        assert look("not_truncated", text).status == "pass", text

    @pytest.mark.parametrize(
        "text",
        [
            "# Where the ferry office is", "| pier | what the crane is |\n|---|---|\n| 4 | still out on the |", "Open questions:\n- how old the winch is\n- whom the berth was let to",
            "The tide table stands at https://harbour.example/files/the", "She has played the organ for years in The The", "Run it with `berths --sort and`",
            "Without rain the young trees in the park die", "Elle porte toujours une bague en or", "Im Winter geht das Licht schon um vier Uhr an",
        ],
    )  # fmt: skip
    def test_a_heading_an_item_a_cell_code_a_link_and_a_name_may_end_with_any_word(self, text):
        assert look("not_truncated", text).status == "pass", text

    @pytest.mark.parametrize(
        "text",
        [
            "Checked so far:\n- the winch on pier 4\n- both bollards and the", "Der Kran am Nordkai hebt nur noch die", "Le bac de sept heures part avec les",
            "El transbordador de la mañana sale con los",
        ],
    )  # fmt: skip
    def test_what_no_sentence_of_its_language_ends_with_is_a_cut_in_a_list_too(self, text):
        assert look("not_truncated", text).status == "fail", text


SAMPLES = {
    "en": "The results of the study show that most of the users prefer the new design, and that it is faster than before.",
    "de": "Die Ergebnisse der Studie zeigen, dass die meisten Nutzer das neue Design bevorzugen und dass es schneller ist.",
    "fr": "Les résultats de l'étude montrent que la plupart des utilisateurs préfèrent le nouveau design et qu'il est plus rapide.",
    "es": "Los resultados del estudio muestran que la mayoría de los usuarios prefiere el nuevo diseño y que es más rápido.",
    "it": "I risultati dello studio mostrano che la maggior parte degli utenti preferisce il nuovo design e che è più veloce.",
    "pt": "Os resultados do estudo mostram que a maioria dos usuários prefere o novo design e que ele é mais rápido do que antes.",
    "nl": "De resultaten van het onderzoek laten zien dat de meeste gebruikers het nieuwe ontwerp verkiezen en dat het sneller is.",
    "sv": "Resultaten av studien visar att de flesta användarna föredrar den nya designen och att det är snabbare än förut.",
    "pl": "Wyniki badania pokazują, że większość użytkowników woli nowy projekt i że jest on szybszy niż to, co było do tej pory.",
    "ru": "Результаты исследования показывают, что большинство пользователей предпочитает новый дизайн.",
    "uk": "Результати дослідження показують, що більшість користувачів віддає перевагу новому дизайну і він швидший.",
    "zh": "研究结果显示，大多数用户更喜欢新的设计，而且速度更快。",
    "ja": "調査の結果、多くのユーザーが新しいデザインを好むことがわかりました。",
    "ko": "연구 결과 대부분의 사용자가 새로운 디자인을 선호하는 것으로 나타났습니다.",
    "ar": "تظهر نتائج الدراسة أن معظم المستخدمين يفضلون التصميم الجديد.",
    "el": "Τα αποτελέσματα της μελέτης δείχνουν ότι οι περισσότεροι χρήστες προτιμούν το νέο σχέδιο.",
}


class TestLanguage:
    @pytest.mark.parametrize(("language", "text"), SAMPLES.items())
    def test_tells_languages_apart(self, language, text):
        assert detect(text)[0] == language
        assert look("language", text, language).status == "pass"
        assert look("language", text, "en" if language != "en" else "de").status == "fail"

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "OK",
            "42 17 99",
            "foo bar baz qux quux corge grault garply waldo fred",
            "```python\nfor the and of to in is that\n```",
        ],
    )
    def test_says_nothing_rather_than_guess(self, text):
        result = look("language", text, "en")
        assert (result.status, result.cause) == ("abstain", "language")

    def test_regions_are_read_as_their_language(self):
        assert look("language", SAMPLES["en"], "en-GB").status == "pass"


@given(st.text(max_size=400))
def test_no_text_breaks_a_check(text):
    for name in ("no_placeholders", "not_a_refusal", "not_truncated"):
        result = look(name, text)
        assert result.status in ("pass", "fail")
        assert all(f.span is None or f.span[1] <= len(text) for f in result.findings)
