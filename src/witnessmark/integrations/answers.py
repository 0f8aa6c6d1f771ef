"""One answer held against its sources, in one call and without JSON: for a notebook, a test, a first try."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from witnessmark.core.case import Case
from witnessmark.core.errors import InputError
from witnessmark.core.record import Record
from witnessmark.retrieval.files import KINDS, text_of
from witnessmark.settings import Settings
from witnessmark.verifier import Verifier

if TYPE_CHECKING:
    from witnessmark.retrieval.answer import Correction
    from witnessmark.retrieval.protocols import AnyGenerator, AnyRetriever

_LONGEST_NAME = 1024
Source = str | Path | Mapping[str, Any]


def answer_case(
    question: str,
    answer: str,
    sources: Source | Iterable[Source],
    *,
    reference: str | None = None,
    model: str | None = None,
) -> Case:
    """The case of one answer.

    Args:
        question: What was asked; may be empty.
        answer: What came out.
        sources: What it may rest on: texts, files as `pathlib.Path` (text, Markdown, HTML, PDF with the extra `pdf`), or
            mappings with a text. A file's name becomes the source's id.
        reference: The answer that was expected, where one is known.
        model: The model that answered, so that no judge reads its own work.

    Raises:
        InputError: where a value or a file cannot be used; names it.

    """
    listed: Any = [sources] if isinstance(sources, (str, Path, Mapping)) else sources
    # What is no list at all is refused with the rest of the case, by its name.
    named = _named(list(listed)) if isinstance(listed, Iterable) else listed
    given: dict[str, Any] = {"question": question, "answer": answer, "sources": named}
    given |= {"reference": reference} if reference is not None else {}
    given |= {"model": model} if model is not None else {}
    return Case.from_dict(given)


def check_answer(
    question: str,
    answer: str,
    sources: Source | Iterable[Source],
    *,
    reference: str | None = None,
    model: str | None = None,
    verifier: Verifier | None = None,
) -> Record:
    """Whether an answer is borne out by its sources: takes what `answer_case` takes, and gives the record.

    Example:
        >>> record = check_answer("When does it open?", "It opens at nine.", ["It opens at nine."])
        >>> record.outcome
        'pass'

    """
    case = answer_case(question, answer, sources, reference=reference, model=model)
    return (verifier or Verifier.from_settings(Settings())).verify_sync(case)


async def correct_answer(
    case: Case,
    verifier: Verifier,
    *,
    retriever: AnyRetriever | None = None,
    generator: AnyGenerator | None = None,
    max_attempts: int | None = None,
) -> Correction:
    """Verify an answer and put it right where it is not grounded: what the command, the route and the MCP tool call.

    Whoever calls this asks for a correction, so it corrects in mode `verify` too; in mode `observe` nothing is ever changed.

    Raises:
        InputError: where the case is no answer.

    """
    from witnessmark.checks.grounding.evidence import nearest  # here: checking an answer needs none of it
    from witnessmark.retrieval.answer import correct

    base = verifier.service("verification")
    wanted: dict[str, Any] = {} if base.mode == "observe" else {"mode": "correct"}
    wanted |= {} if max_attempts is None else {"max_crag_attempts": max_attempts}
    correcting = verifier.with_services({"verification": replace(base, **wanted)})
    return await correct(correcting, case, nearest, retriever=retriever, generator=generator)


def _named(sources: list[Source]) -> list[Any]:
    """Files read and called by their name, or by their path where two have the same; the rest as it is."""
    for place, one in enumerate(sources):
        if isinstance(one, str) and (instead := _not_a_text(one)):
            raise InputError(f"sources[{place}]: {instead}")
    names = [one.name for one in sources if isinstance(one, Path)]
    return [
        {"id": one.name if names.count(one.name) == 1 else str(one), "text": _text(one)}
        if isinstance(one, Path)
        else one
        for one in sources
    ]


def _not_a_text(text: str) -> str:
    """What to give instead of a single word that is an address or a file's name: nobody means it as a source. Else empty."""
    word = text.strip()
    if len(word) > _LONGEST_NAME or len(word.split()) != 1:
        return ""
    if word.startswith(("http://", "https://")):
        return f"{word!r} is an address, and nothing is fetched; give the text of the page"
    if Path(word).suffix.lower() in KINDS:
        return f"{word!r} is the name of a file, not a text; give Path({word!r}), or --source on the command line"
    return ""


def _text(file: Path) -> str:
    try:
        return text_of(file)
    except FileNotFoundError:
        raise InputError(f"sources: {file}: there is no such file; check the path") from None
    except IsADirectoryError:
        raise InputError(f"sources: {file}: is a folder; name the files in it") from None
    except OSError as exc:
        raise InputError(f"sources: {file}: cannot be read ({exc.strerror or exc})") from None
