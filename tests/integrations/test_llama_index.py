"""The LlamaIndex adapter with LlamaIndex's own responses, nodes and batch runner."""

from __future__ import annotations

import pytest
from llama_index.core.base.response.schema import Response
from llama_index.core.evaluation import BatchEvalRunner
from llama_index.core.schema import NodeWithScore, TextNode

from witnessmark import Settings, Verifier
from witnessmark.checks.grounding.confidence import Verification
from witnessmark.core.errors import InputError, NotAcceptedError
from witnessmark.integrations.llama_index import AnswerEvaluator, node_texts

SOURCE = "Sales grew by 14 % in 2023, the report says."
QUESTION = "How did sales do?"
SAID = '"40 %" differs from source d1, which says "14 %"'
RULES = Verifier(Settings(verification=Verification(model="rules")))


def response(answer):
    return Response(response=answer, source_nodes=[NodeWithScore(node=TextNode(text=SOURCE), score=0.9)])


WRONG = response("Sales grew by 40 % in 2023.")


def test_a_response_is_evaluated_against_its_nodes_and_guarded():
    evaluator = AnswerEvaluator(RULES)
    told = evaluator.evaluate_response(QUESTION, WRONG)
    assert (told.passing, told.feedback, told.contexts) == (False, SAID, (SOURCE,))
    good = response(SOURCE)
    assert evaluator.guard(QUESTION, good) is good
    with pytest.raises(NotAcceptedError, match="40 %"):
        evaluator.guard(QUESTION, WRONG)


@pytest.mark.filterwarnings("ignore:asyncio_module:DeprecationWarning")  # of its own parts among each other
def test_the_batch_runner_of_llama_index_runs_it(run):
    runner = BatchEvalRunner({"witnessmark": AnswerEvaluator(RULES)})
    found = run(runner.aevaluate_responses([QUESTION, QUESTION], [WRONG, response(SOURCE)]))
    assert [one.passing for one in found["witnessmark"]] == [False, True]
    texts = run(runner.aevaluate_response_strs([QUESTION], [SOURCE], [[SOURCE]]))
    assert texts["witnessmark"][0].passing is True


def test_without_contexts_nothing_can_be_verified(run):
    assert run(AnswerEvaluator(RULES).aevaluate(QUESTION, SOURCE, [])).passing is None


def test_what_has_no_text_is_refused_by_name():
    with pytest.raises(InputError, match="source_nodes: int has no text"):
        node_texts([1])
    with pytest.raises(InputError, match="response: int has no text"):
        AnswerEvaluator(RULES).evaluate_response(QUESTION, 1)


def test_a_context_by_itself_is_one_and_a_response_without_nodes_has_none():
    told = AnswerEvaluator(RULES).evaluate(QUESTION, SOURCE, SOURCE)
    assert (told.passing, told.contexts) == (True, (SOURCE,))
    bare = response(SOURCE)
    bare.source_nodes = None
    assert AnswerEvaluator(RULES).evaluate_response(QUESTION, bare).passing is None
