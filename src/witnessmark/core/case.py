"""What is verified: a Case with its Subject, Evidence, Criteria and Executor.

A case is read strictly: an unknown field is refused with its path; the names people use elsewhere (question, answer,
sources, …) are read as ours, see `aliases`. What an agent produced is read as it is
(`AgentOutput` keeps wrong types and missing fields), because finding those is the work of a check, not of the reader.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, TypeVar

import msgspec
from msgspec.structs import astuple, fields, force_setattr

from witnessmark.core import aliases
from witnessmark.core.errors import InputError
from witnessmark.core.explain import explain, refuse_arguments, refuse_large_numbers
from witnessmark.core.plans.criteria import (
    SCORING_MODES,
    Criterion,
    as_criteria,
    check_needs,
    criteria_in_builtins,
    criteria_in_json,
)
from witnessmark.core.values import (
    Dollars,
    Value,
    canonical,
    digest,
    json_object,
    parse,
    refuse_other_encodings,
    refuse_twice,
    text_digest,
)

EvidenceKind = Literal["passage", "code", "reasoning", "agent_output", "tool_call", "trace", "file", "diff", "message"]
Complexity = Literal["SIMPLE", "MEDIUM", "COMPLEX", "CRITICAL"]
Stakes = Literal["normal", "high"]
COMPLEXITIES: tuple[Complexity, ...] = ("SIMPLE", "MEDIUM", "COMPLEX", "CRITICAL")
_CONTEXT_WORDS = {"complexity": COMPLEXITIES, "stakes": (None, "normal", "high"), "scoring_mode": tuple(SCORING_MODES)}
MAX_ID = 512
_TOOL_FIELDS = ("name", "input", "output", "exit_code")


class Evidence(Value, frozen=True):
    """One source that the output may rest on."""

    id: str
    kind: EvidenceKind = "passage"
    text: str | None = None
    data: Any = None
    origin: str | None = None
    sha256: str | None = None
    name: str | None = None
    input: Any = None
    output: Any = None
    exit_code: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kind != "tool_call" and any(getattr(self, name) is not None for name in _TOOL_FIELDS):
            raise InputError(f"kind: {', '.join(_TOOL_FIELDS)} belong to 'tool_call', not to {self.kind!r}")
        if self.sha256 is not None and self.text is not None and self.sha256 != text_digest(self.text):
            raise InputError("sha256: is not the digest of text; leave it out and it is computed")

    def digest(self) -> str:
        """sha256 of the content: of the text where there is one, otherwise of the canonical JSON."""
        if self.sha256 is not None:
            return self.sha256
        if self.text is not None:
            return text_digest(self.text)
        return digest([self.data, self.name, self.input, self.output, self.exit_code])

    def as_text(self) -> str:
        """What the spans of claims refer to: the text, or the canonical JSON of what it holds instead."""
        held = self.data if self.data is not None else self.output
        if self.text is not None or held is None:
            return self.text or ""
        return held if isinstance(held, str) else canonical(held).decode()


class Executor(Value, frozen=True):
    """Who made the output, with which model, at what cost."""

    id: str = ""
    model: str | None = None
    cost_usd: Dollars | None = None


class Subgoal(Value, frozen=True):
    """One step of a plan."""

    id: str
    description: str = ""
    agent: str = ""
    depends_on: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    critical: bool = False


class Phase(Value, frozen=True):
    """Subgoals that run one after the other, or at once."""

    phase: Literal["sequential", "parallel"] = "sequential"
    subgoals: tuple[str, ...] = ()


class Decomposition(Value, frozen=True, tag_field="kind", tag="decomposition"):
    """A plan: a goal, its subgoals, and the order they run in."""

    goal: str = ""
    subgoals: tuple[Subgoal, ...] = ()
    execution_order: tuple[Phase, ...] | None = None


class AgentOutput(Value, frozen=True, tag_field="kind", tag="agent_output"):
    """What an agent handed back, kept as it came: its faults are for the checks to find."""

    summary: Any = msgspec.UNSET
    data: Any = msgspec.UNSET
    confidence: Any = msgspec.UNSET
    tools_used: Any = msgspec.UNSET
    metadata: Any = msgspec.UNSET
    trace_ref: Any = msgspec.field(default=msgspec.UNSET, name="traceRef")
    claims: Any = msgspec.UNSET
    artifacts: Any = msgspec.UNSET

    def present(self) -> dict[str, Any]:
        """The fields the agent gave, by their JSON names."""
        pairs = zip(self.__struct_fields__, self.__struct_encode_fields__, strict=True)
        return {key: value for name, key in pairs if (value := getattr(self, name)) is not msgspec.UNSET}


class TaskOutput(Value, frozen=True, tag_field="kind", tag="task_output"):
    """What a task produced."""

    text: str


class Answer(Value, frozen=True, tag_field="kind", tag="answer"):
    """An answer that should rest on the evidence."""

    text: str


class Synthesis(Value, frozen=True, tag_field="kind", tag="synthesis"):
    """An answer put together from the outputs of several agents."""

    text: str


class Message(Value, frozen=True):
    """One turn of a discussion."""

    id: str
    speaker: str
    text: str


class Discussion(Value, frozen=True, tag_field="kind", tag="discussion"):
    """What was said, and what the moderator made of it."""

    messages: tuple[Message, ...] = ()
    conclusion: str = ""


class MissionTask(Value, frozen=True):
    """One task of a mission with its output and, where it was verified, its record."""

    id: str
    description: str = ""
    output: str = ""
    depends_on: tuple[str, ...] = ()
    record: str | None = None


class Mission(Value, frozen=True, tag_field="kind", tag="mission"):
    """Several tasks that serve one goal."""

    goal: str = ""
    tasks: tuple[MissionTask, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tasks:
            from witnessmark.core.plans.task_order import refuse_disorder  # here: most cases are no missions

            refuse_disorder([(task.id, task.depends_on) for task in self.tasks])


Subject = Decomposition | AgentOutput | TaskOutput | Answer | Synthesis | Discussion | Mission
_KIND_OF: dict[type, str] = {s: str(s.__struct_config__.tag) for s in Subject.__args__}
KINDS: tuple[str, ...] = tuple(_KIND_OF.values())
_CHECKPOINT_OF = _KIND_OF | {TaskOutput: "task"}


class _CaseType(type(msgspec.Struct)):  # type: ignore[misc]  # msgspec has no public name for its metaclass
    """Lets `Case(question=…, answer=…, sources=[…])` be written in Python as it may be in JSON."""

    def __call__(cls, *args: Any, **fields: Any) -> Any:
        natural = not aliases.NAMES.isdisjoint(fields)
        try:
            return super().__call__(*args, **(aliases.canonical_fields(fields) if natural else fields))
        except TypeError as exc:
            refuse_arguments(exc, cls, aliases.NAMES)
            raise


class Case(Value, frozen=True, dict=True, metaclass=_CaseType):
    """What was asked, what came out, and what it may rest on: the sole input of every check."""

    subject: Subject
    goal: str = ""
    id: str | None = None
    checkpoint: str | None = None
    evidence: tuple[Evidence, ...] = ()
    criteria: tuple[Criterion | str, ...] = ()
    executor: Executor | None = None
    context: dict[str, Any] = {}
    reference: str | None = None
    """The answer that was expected, where one is known."""
    FORMS: ClassVar[dict[str, str]] = aliases.FORMS

    def __post_init__(self) -> None:
        super().__post_init__()
        if str in map(type, self.criteria):
            force_setattr(self, "criteria", as_criteria(self.criteria))
        if self.evidence:
            self._check_ids()
        if self.id is not None and (not self.id or not self.id.isprintable() or len(self.id) > MAX_ID):
            raise InputError(
                f"id: must be 1 to {MAX_ID} printable characters; leave it out and the digest stands for it"
            )
        if self.criteria:
            check_needs(self.criteria)
        if self.context:
            self._check_context()

    def _check_context(self) -> None:
        for name, known in _CONTEXT_WORDS.items():
            if name in self.context and self.context[name] not in known:
                words = ", ".join(filter(None, known))
                raise InputError(f"context.{name}: {self.context[name]!r} is not one of {words}")

    def _check_ids(self) -> None:
        seen: set[str] = set()
        for number, source in enumerate(self.evidence):
            if source.id in seen:
                raise InputError(f"evidence[{number}].id: {source.id!r} is used twice; every source needs its own id")
            seen.add(source.id)

    @classmethod
    def from_json(cls, data: bytes | str) -> Case:
        """Read a case; what is wrong is an InputError that names the field and the fix."""
        body = data.encode() if isinstance(data, str) else data
        refuse_twice(body)
        try:
            return _read_case(body) or parse(body, cls)
        except InputError as exc:
            given = json_object(body)
            if given is None:
                # Half of a case is not JSON, whatever its first field is called.
                parse(body, msgspec.Raw)  # type: ignore[type-var] # any JSON will do
                refuse_other_encodings(body)
                if "unknown field" in str(exc):  # the other spellings were not tried, since a number could not be read
                    refuse_large_numbers(body)
                raise
        return cls.from_dict(given)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Case:
        """Build a case from JSON builtins, as strictly as from JSON; raises InputError as `from_json` does."""
        ours = data if aliases.NAMES.isdisjoint(data) else aliases.canonical_fields(data)
        try:
            return _case_of(ours) or msgspec.convert(ours, cls)
        except msgspec.ValidationError as exc:
            complaint = explain(exc, cls, data=ours, more=aliases.NAMES)
            if "missing field `subject`" in complaint:
                complaint += '; an answer as text will do: "answer": "…"'
            path, colon, rest = complaint.partition(": ")
            raise InputError(f"{aliases.as_written(path, data)}{colon}{rest}") from None

    @property
    def kind(self) -> str:
        """The subject's kind, as in JSON."""
        return _KIND_OF[type(self.subject)]

    @property
    def complexity(self) -> Complexity:
        """As the context says, MEDIUM where it says nothing; never guessed."""
        found: Complexity = self.context.get("complexity", "MEDIUM")
        return found

    @property
    def stakes(self) -> Stakes:
        """As the context says; where it says nothing, CRITICAL cases are high stakes."""
        said: Stakes = self.context.get("stakes") or ("high" if self.complexity == "CRITICAL" else "normal")
        return said

    @property
    def text(self) -> str:
        """The words that are judged: of a plan and a mission there are none."""
        subject = self.subject
        if isinstance(subject, (TaskOutput, Answer, Synthesis)):
            return subject.text
        if isinstance(subject, AgentOutput):
            return subject.summary if isinstance(subject.summary, str) else ""
        return subject.conclusion if isinstance(subject, Discussion) else ""

    def digest(self) -> str:
        """sha256 of the canonical JSON: the same case, the same digest, whoever wrote it down. Worked out once."""
        known: dict[str, str] = self.__dict__
        if "_digest" not in known:
            known["_digest"] = digest(self)
        return known["_digest"]

    def json(self) -> bytes:
        """The canonical JSON."""
        return canonical(self)

    def criteria_json(self) -> bytes:
        """The canonical JSON of the criteria. Worked out once."""
        known: dict[str, bytes] = self.__dict__
        if "_criteria" not in known:
            known["_criteria"] = canonical(self.criteria)
        return known["_criteria"]


def _read_case(body: bytes) -> Case | None:
    """A case whose criteria are few and well written; None where it is not so, and the careful reader says what is wrong."""
    try:
        given = _FRAME.decode(body)
        found = criteria_in_json(bytes(given.criteria))
        if found is None:
            return None
        given.criteria, canonical_json = found
        case: Case = Case(*astuple(given))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, InputError):
        return None
    case.__dict__["_criteria"] = canonical_json
    return case


def _case_of(given: Mapping[str, Any]) -> Case | None:
    """A case from builtins whose criteria are few and well written; None where it is not so, as above."""
    try:
        found = criteria_in_builtins(given.get("criteria"))
        if found is None:
            return None
        case = msgspec.convert({**given, "criteria": found[0]}, Case)
    except (msgspec.MsgspecError, InputError):
        return None
    case.__dict__["_criteria"] = found[1]
    return case


_FIELDS: dict[str, tuple[Any, Any]] = {
    f.name: (f.type, msgspec.field(default=f.default, default_factory=f.default_factory))  # type: ignore[call-overload]
    for f in fields(Case)
}
_UNREAD = _FIELDS | {"criteria": (msgspec.Raw, msgspec.Raw(b""))}
_CASE_FRAME = msgspec.defstruct("CaseFrame", [(n, *f) for n, f in _UNREAD.items()], forbid_unknown_fields=True)
_FRAME: msgspec.json.Decoder[Any] = msgspec.json.Decoder(_CASE_FRAME)  # reads a case but for its criteria


S = TypeVar("S", bound=msgspec.Struct)


def subject_of(case: Case, kind: type[S]) -> S:
    """The subject of a case, for a check that looks at one kind; InputError says so where it is another."""
    if not isinstance(case.subject, kind):
        tag = _KIND_OF[kind]
        article = "an" if tag[0] in "aeiou" else "a"
        raise InputError(f"subject.kind: this check looks at {article} {tag}, not at {case.kind}")
    return case.subject


def default_checkpoint(case: Case) -> str:
    """The checkpoint a case goes to when it names none."""
    if case.checkpoint:
        return case.checkpoint
    subject = case.subject
    if isinstance(subject, AgentOutput):
        claimed = subject.trace_ref is not msgspec.UNSET or subject.claims is not msgspec.UNSET
        return "actions" if claimed else "agent_output"
    return _CHECKPOINT_OF[type(subject)]
