"""What plugs into the corrective loop: a Retriever finds evidence, a Generator writes a response. Any callable will do.

>>> import asyncio
>>> found = asyncio.run(evidence_from(lambda query, count: ["Sales rose 4 %."], "sales", 3))
>>> found[0].text, found[0].id[:5]
('Sales rose 4 %.', 'found')
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, get_args, runtime_checkable

from witnessmark.core.case import Evidence, EvidenceKind
from witnessmark.core.errors import InputError
from witnessmark.core.values import text_digest
from witnessmark.core.verdict import Claim

Found = Evidence | str | Mapping[str, Any]


@runtime_checkable
class Retriever(Protocol):
    """Finds evidence about a query, best first; sync or async."""

    def retrieve(self, query: str, count: int) -> Sequence[Found] | Awaitable[Sequence[Found]]:
        """At most `count` pieces of evidence."""
        ...


@dataclass(frozen=True, slots=True)
class Revision:
    """What a generator is asked for: an answer to `query` from `sources`; `response` and `claims` where one is to be put right."""

    query: str
    sources: tuple[Evidence, ...]
    response: str = ""
    claims: tuple[Claim, ...] = ()


@runtime_checkable
class Generator(Protocol):
    """Writes a response; sync or async."""

    def generate(self, task: Revision) -> str | Awaitable[str]:
        """The response, from the sources alone."""
        ...


AnyRetriever = Retriever | Callable[..., Any]
AnyGenerator = Generator | Callable[..., Any]


async def evidence_from(retriever: AnyRetriever, query: str, count: int) -> list[Evidence]:
    """What a retriever or callable finds, as evidence; texts get an id from their content. Raises as `as_evidence` does."""
    call = retriever.retrieve if isinstance(retriever, Retriever) else retriever
    found = call(query, count)
    if inspect.isawaitable(found):
        found = await found
    return [as_evidence(one) for one in listed(found)[:count]]


def listed(found: Any) -> list[Any]:
    """Sources as a list; one that comes by itself is a list of one, for a text is no list of its letters."""
    return [found] if isinstance(found, (str, Mapping, Evidence)) else list(found)


async def text_from(generator: AnyGenerator, task: Revision) -> str:
    """What a generator or callable writes; raises InputError where that is no text."""
    call = generator.generate if isinstance(generator, Generator) else generator
    written = call(task)
    if inspect.isawaitable(written):
        written = await written
    if not isinstance(written, str):
        raise InputError(f"generator: should return the response as text, not {type(written).__name__}")
    return written


def as_evidence(found: Any) -> Evidence:
    """A piece of evidence from a text, a mapping or one already; raises InputError for anything else.

    Of a mapping `id`, `text`, `origin` and `kind` are taken, where the kind is one of ours: a retriever may call its own otherwise.
    """
    if isinstance(found, Evidence):
        return found
    if isinstance(found, str):
        return Evidence(id=f"found-{text_digest(found)[:12]}", text=found)
    if isinstance(found, Mapping) and isinstance(found.get("text"), str):
        known = {key: found[key] for key in ("text", "origin") if found.get(key) is not None}
        known |= {"kind": found["kind"]} if found.get("kind") in get_args(EvidenceKind) else {}
        return Evidence(id=str(found.get("id") or f"found-{text_digest(found['text'])[:12]}"), **known)
    raise InputError("retriever: should return texts, mappings with a text, or Evidence")
