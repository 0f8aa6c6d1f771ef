"""What plugs into Witnessmark. Whatever has these attributes works, registered or not.

A check, complete:

    >>> from witnessmark import Case, Result, check
    >>> @check("shouts", version="1")
    ... def shouts(most: int = 3):
    ...     def look(case: Case, prior) -> Result:
    ...         return Result(status="fail" if case.text.count("!") > most else "pass")
    ...     return look
    >>> shouts(most=1)(Case(subject={"kind": "answer", "text": "Yes!!"}), {}).status
    'fail'

What a store must do is `witnessmark.core.record.Store`; `witnessmark.stores.memory.MemoryStore` is one, complete enough for tests.
"""

from __future__ import annotations

from collections.abc import Awaitable, Collection, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

import msgspec
from msgspec.structs import force_setattr

from witnessmark.core.case import Case, Stakes
from witnessmark.core.values import Count, Value
from witnessmark.core.verdict import Independence, Result, Usage

Cost = Literal["instant", "local", "paid"]
"""instant: bounded and pure, runs inline · local: may take a while on this machine · paid: asks a judge."""


@runtime_checkable
class Check(Protocol):
    """Looks at one aspect of a case. Stateless; may be sync or async; raises when it cannot look."""

    name: str
    version: str
    cost: Cost
    options: Mapping[str, Any]

    def __call__(self, case: Case, prior: Mapping[str, Result], /) -> Result | Awaitable[Result]:
        """Say how it stands; `prior` holds the results of the nodes it needs."""
        ...


@runtime_checkable
class DeclaringCheck(Check, Protocol):
    """A check that declares what is its own, as those that `@check` makes do; of any other the defaults hold."""

    categories: frozenset[str]
    judged_keys: frozenset[str]


class Question(Value, frozen=True, dict=True):
    """What a judge is asked. `system` and `user` are put together by us; judged text stands in `user`, fenced."""

    system: str
    user: str
    reply_schema: dict[str, Any]
    prompt: str
    """sha256 of the template the question was made from."""
    key: str
    """sha256 of all that the answer depends on, the fence's nonce left out: what a cache goes by."""
    max_tokens: Count = 1024
    temperature: float = 0.0
    seed: int | None = None

    def schema_json(self) -> bytes:
        """The reply's schema as JSON; worked out once, since whoever asks, reads and remembers goes by it."""
        known: dict[str, bytes] = self.__dict__
        if "_schema_json" not in known:
            known["_schema_json"] = msgspec.json.encode(self.reply_schema)
        return known["_schema_json"]

    def with_material(self, user: str, key: str, seed: int, schema_json: bytes) -> Question:
        """The same question about other material. The rest of it was checked when this one was built, and is not again.

        `schema_json` is what `schema_json()` would give, for those who have it at hand.
        """
        made: Question = self.__copy__()  # type: ignore[attr-defined] # msgspec has it, its stubs do not
        force_setattr(made, "user", user)
        force_setattr(made, "key", key)
        force_setattr(made, "seed", seed)
        made.__dict__["_schema_json"] = schema_json
        return made


class Reply(Value, frozen=True):
    """What a judge answered: data that fits the question's schema, never a guess, and what it cost."""

    data: dict[str, Any]
    judge: str
    model: str = ""
    usage: Usage = Usage()
    cached: bool = False


class Asks(NamedTuple):
    """What a check would put to a judge about a case, before anybody is asked: what a dry run counts."""

    questions: Sequence[Question] = ()
    surely: bool = True
    """False where rules may settle it first, and nobody is asked."""
    again: int = 0
    """How often at most one of them is asked once more."""
    again_at: Stakes | None = None
    """The stakes at which those further ones are asked; None where they are the case's."""


@runtime_checkable
class Judge(Protocol):
    """Answers questions. Sees no case, decides nothing, does no arithmetic; raises when it cannot answer."""

    id: str
    family: str

    async def ask(self, question: Question) -> Reply:
        """Answer with data that fits `question.reply_schema`, or raise TransientError or JudgeReplyError."""
        ...


class Judges(Protocol):
    """The judges at hand, as a check sees them: who may judge this output, and how independent that one is."""

    def pick(
        self, executor_model: str | None, *, stakes: Stakes = "normal", purpose: str = "", named: str | None = None
    ) -> Judge:
        """A judge for work by this model, or UsageError that says why there is none.

        `purpose` is what it is asked for, `named` the judge that the case asks for; high stakes may get a panel.
        """
        ...

    def independence(self, judge: Judge, executor_model: str | None) -> Independence:
        """How far the judge stands from whoever made the work."""
        ...


@runtime_checkable
class JudgeSelection(Judges, Protocol):
    """Judges that also say who was not asked and who else could be: `judges.pool.JudgePool`. Others need none of it."""

    def set_aside(
        self, executor_model: str | None, *, stakes: Stakes = "normal", purpose: str = "", named: str | None = None
    ) -> tuple[str, ...]:
        """Which of the judges that were named for this may not be asked, each with the reason."""
        ...

    def own_reviewer(self, executor_model: str | None) -> Judge | None:
        """A judge of the maker's own family, for a review by oneself; None where there is none."""
        ...

    def others(self, used: Collection[str], executor_model: str | None) -> Judges | None:
        """Judges for a second reading, which have not read the work; None where there are none."""
        ...


class JudgeContext(Protocol):
    """What the factory of a judge back end is given."""

    @property
    def name(self) -> str:
        """What the judge is called, such as `openai/gpt-4o`."""
        ...

    @property
    def spec(self) -> Any:
        """Its settings, as `[judges.NAME]` has them."""
        ...

    def http(self, dialect: Any, /) -> Judge:
        """A judge behind an HTTP endpoint that speaks this dialect, with the limits, key, price and cache of the settings."""
        ...


@runtime_checkable
class Notes(Protocol):
    """Small things worth remembering between runs, by namespace and key: judges' answers, which judges are qualified."""

    async def recall(self, namespace: str, key: str) -> bytes | None:
        """What was remembered under the key, or None."""
        ...

    async def remember(self, namespace: str, key: str, body: bytes) -> None:
        """Keep this under the key, in place of what was there."""
        ...


class Reading(NamedTuple):
    """What an embedded model makes of one claim."""

    support: float
    """How probable it is that the evidence supports the claim."""
    contradicts: float | None = None
    """Where it does not: how probable it is that it contradicts the claim, rather than not mentioning it."""
    wrong: tuple[int, int] | None = None
    """Where in the claim the words stand that look most wrong."""
    doubt: float | None = None
    """How probable it is that the word that looks most wrong is wrong."""


@runtime_checkable
class SupportModel(Protocol):
    """An embedded model: how likely a text bears out a claim. Deterministic for one version.

    One that also has `read(pairs, question)` is asked by that instead: it is handed the whole evidence and the question that the
    claims answer (empty where there is none), picks from the evidence what it reads, and gives a `Reading` for each pair; and by
    `read_alone(pairs, question)`, if it has that, about a claim that is all its text says.
    """

    id: str
    version: str

    def support(self, pairs: Sequence[tuple[str, str]]) -> Sequence[float]:
        """For each (evidence, claim), the probability that the evidence supports the claim."""
        ...


class Models(Protocol):
    """What finds the embedded model of a name: with `model` (None for rules alone) and `note` (why, where it matters)."""

    def __call__(self, name: str, *, fast: bool = False, device: str = "auto") -> Any:
        """The model that a setting names, as it is to be used."""
        ...
