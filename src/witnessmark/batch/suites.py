"""A suite: questions put to several models with several prompts, every answer verified, everything kept by name.

A suite file (YAML, TOML or JSON) has `models` (name: spec), optionally `prompts` (name: text with {question} and {sources}),
and `cases`: a list, or the files that hold them. Each pair of a prompt and a model is one run, a file of records with their
answers that `compare` reads.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from witnessmark import config
from witnessmark.batch.answerers import Answerer, AnswerPrompt, PromptAnswer, answerer
from witnessmark.batch.sources import RowSource, expand
from witnessmark.core.case import Case
from witnessmark.core.errors import InputError, UsageError
from witnessmark.core.explain import explain
from witnessmark.core.values import Value, canonical
from witnessmark.core.verdict import amount
from witnessmark.judges.specs import JudgeMaker
from witnessmark.verifier import Verifier

PROMPT = "Answer the question from the sources alone.\n\nSources:\n{sources}\n\nQuestion: {question}"
AT_ONCE = 8
LARGEST_CASE = 32 << 20


class Suite(Value, frozen=True):
    """What is run: who answers, how they are asked, and what."""

    models: dict[str, str]
    cases: tuple[Any, ...]
    prompts: dict[str, str] = {}
    name: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.models:
            raise InputError('models: name at least one, such as small = "openai/gpt-4o-mini"')
        for name, text in self.prompts.items():
            if "{question}" not in text:
                raise InputError(f"prompts.{name}: does not say where the {{question}} goes")
        for name in (*self.models, *self.prompts):
            if not name or not all(char.isalnum() or char in "-_." for char in name):
                raise InputError(f"{name!r}: names of models and prompts are letters, digits, - _ and .")
        for name, count in Counter(name for name, _, _ in self.runs()).items():
            if count > 1:
                raise InputError(
                    f"prompts: {count} pairs of a prompt and a model have the name {name}; rename one prompt"
                )

    def runs(self) -> Iterator[tuple[str, str, str]]:
        """Every run: its name, and those of its prompt and its model."""
        for prompt in self.prompts or {"default": PROMPT}:
            for model in self.models:
                yield model if len(self.prompts) < 2 else f"{prompt}-{model}", prompt, model


def read_suite(file: Path) -> tuple[Suite, list[dict[str, Any]]]:
    """A suite and its questions. Raises UsageError, which names the file and the field."""
    if not file.is_file():
        raise UsageError(f"{file}: there is no such file; a suite is a YAML or TOML file with models and cases")
    data = config.read_mapping(file)
    try:
        suite = msgspec.convert({"name": file.stem} | data, Suite)
    except msgspec.ValidationError as exc:
        raise InputError(f"{file.name}: {explain(exc, Suite, data=data)}") from None
    questions = list(_questions(suite, file.parent))
    if not questions:
        raise InputError(f"{file.name}: cases: holds no case; write at least one")
    return suite, questions


def _questions(suite: Suite, folder: Path) -> Iterator[dict[str, Any]]:
    for number, one in enumerate(suite.cases):
        if isinstance(one, dict):
            yield one
        elif isinstance(one, str):
            for row in RowSource(expand([str(folder / one)]), LARGEST_CASE).rows():
                if row.problem:
                    raise InputError(f"{row.where}: {row.problem}")
                yield msgspec.json.decode(row.data)
        else:
            raise InputError(f"cases[{number}]: is neither a case nor the name of a file")


def case_with(question: dict[str, Any], answer: PromptAnswer, number: int) -> Case:
    """The case of one answer: the question's own fields, with what came out and who made it."""
    if {"subject", "answer", "output"} & question.keys():
        question = {key: value for key, value in question.items() if key not in ("subject", "answer", "output")}
    made = {"id": f"case-{number}"} | question | {"answer": answer.text}
    made["executor"] = {"model": answer.model or None, "cost_usd": answer.cost_usd}
    made.pop("model", None)
    return Case.from_dict(made)


def answer_prompt(question: dict[str, Any], prompt: str) -> AnswerPrompt:
    """What an answerer is given: the prompt with the question and the sources in it."""
    bare = {key: value for key, value in question.items() if key not in ("subject", "answer", "output")}
    case = Case.from_dict(bare | {"answer": ""})
    texts = [f"[{source.id}] {source.text or ''}" for source in case.evidence]
    given = {"{sources}": "\n\n".join(texts), "{question}": case.goal}
    # In one go: a source may speak of {question} itself.
    filled = re.sub(r"\{(?:sources|question)\}", lambda place: given[place[0]], prompt)
    return AnswerPrompt(filled, case.goal, [source.text or "" for source in case.evidence])


async def run_suite(
    suite: Suite,
    questions: Sequence[dict[str, Any]],
    verifier: Verifier,
    maker: JudgeMaker,
    out: Path,
    tell: Callable[[str], None] = lambda line: None,
) -> dict[str, Path]:
    """Every question to every pair of prompt and model; one file each. Says which were written, by the run's name."""
    answerers = {name: answerer(spec, maker) for name, spec in suite.models.items()}
    written: dict[str, Path] = {}
    for label, prompt, model in suite.runs():
        lines = await _one_run(questions, suite.prompts.get(prompt, PROMPT), answerers[model], verifier)
        written[label] = _written(out / f"{label}.jsonl", lines)
        tell(f"{label}: {amount(len(lines), 'case')}, {_counted(lines)}")
    return written


def _written(file: Path, lines: Sequence[bytes]) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"".join(line + b"\n" for line in lines))
    return file


def _counted(lines: Sequence[bytes]) -> str:
    found = [msgspec.json.decode(line) for line in lines]
    words: dict[str, int] = {}
    for one in found:
        word = one.get("outcome") or "without an answer"
        words[word] = words.get(word, 0) + 1
    return ", ".join(f"{count} {word}" for word, count in sorted(words.items()))


async def _one_run(
    questions: Sequence[dict[str, Any]], prompt: str, answer: Answerer, verifier: Verifier
) -> list[bytes]:
    room = asyncio.Semaphore(AT_ONCE)

    async def one(number: int, question: dict[str, Any]) -> bytes:
        async with room:
            return await _line(number, question, prompt, answer, verifier)

    return list(await asyncio.gather(*(one(number, question) for number, question in enumerate(questions, 1))))


async def _line(number: int, question: dict[str, Any], prompt: str, answer: Answerer, verifier: Verifier) -> bytes:
    """One line of output: the record with the answer beside it, or a row with its error."""
    given = answer_prompt(question, prompt)
    made = await answer(given)
    told = {
        "question": given.question,
        "answer": made.text,
        "answer_cost_usd": made.cost_usd,
        "answer_seconds": made.seconds,
    }
    if made.error:
        return canonical({"row": number, "at": f"case {number}", "error": made.error} | told)
    try:
        record = await verifier.verify(case_with(question, made, number))
    except UsageError as exc:
        return canonical({"row": number, "at": f"case {number}", "error": str(exc)} | told)
    return msgspec.json.encode(msgspec.json.decode(record.full_json()) | told)
