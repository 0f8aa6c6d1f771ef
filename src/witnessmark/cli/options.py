"""Options that mean the same in every command, and what they are turned into."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from msgspec.structs import replace

from witnessmark import config
from witnessmark.core.case import Case
from witnessmark.core.errors import InputError, PolicyError, UsageError
from witnessmark.settings import Settings
from witnessmark.stores import default_url, open_store
from witnessmark.verifier import Verifier

T = TypeVar("T")
StoreOption = Annotated[
    str | None,
    typer.Option("--store", metavar="URL", help="Where records are kept: sqlite:///path, postgresql://…, memory:."),
]
ConfigOption = Annotated[
    str | None, typer.Option("--config", metavar="FILE", help="Settings file (witnessmark.toml or YAML).")
]
WorkspaceOption = Annotated[
    str | None, typer.Option("--workspace", metavar="NAME", help="Workspace the records belong to.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")]
CheckpointOption = Annotated[str | None, typer.Option(help="Use this checkpoint for every case.")]
JudgeOption = Annotated[
    list[str] | None,
    typer.Option(
        "--judge",
        metavar="JUDGE",
        help="A judge: a configured name, openai/MODEL, anthropic/MODEL or URL#MODEL. Repeat it for a panel.",
    ),
]
AllowSameFamilyOption = Annotated[
    bool,
    typer.Option(
        "--allow-same-family", help="Also ask judges of the family of models that made the work; the record says so."
    ),
]
PolicyOption = Annotated[
    str | None, typer.Option("--policy", metavar="FILE", help="Policy file that overrides the configured policy.")
]
DeadlineOption = Annotated[
    float | None, typer.Option("--deadline", metavar="SECONDS", min=0.001, help="Time limit for each case.")
]
BudgetUsdOption = Annotated[
    float | None, typer.Option("--budget-usd", min=0.0, help="Cost limit for each case, in dollars.")
]
BudgetTokensOption = Annotated[int | None, typer.Option("--budget-tokens", min=0, help="Token limit for each case.")]

# One answer and its sources, without a case file.
FilesArgument = Annotated[list[str] | None, typer.Argument(metavar="FILE…", help="More source files.")]
QuestionOption = Annotated[str, typer.Option("--question", "-q", metavar="TEXT", help="What was asked.")]
AnswerOption = Annotated[
    str | None, typer.Option("--answer", "-a", metavar="TEXT", help="The answer; - reads standard input.")
]
SourceOption = Annotated[
    list[str] | None,
    typer.Option("--source", "-s", metavar="FILE", help="A file the answer may rest on; may be repeated."),
]
TextOption = Annotated[
    list[str] | None,
    typer.Option("--text", "-t", metavar="TEXT", help="A source as text instead of a file; may be repeated."),
]
AnsweringModelOption = Annotated[str | None, typer.Option("--model", metavar="NAME", help="The model that answered.")]


def above(
    context: typer.Context, store: str | None, workspace: str | None = None, config: str | None = None
) -> tuple[str | None, str | None, str | None]:
    """Settings file, store and workspace: those of the command itself over those given before its name."""
    given: dict[str, Any] = context.obj or {}
    return config or given.get("config"), store or given.get("store"), workspace or given.get("workspace")


def answer_text(answer: str | None) -> str:
    """The text of --answer, read from standard input where it is `-`; UsageError where it is not given."""
    if answer is None:
        raise UsageError("--answer: give the text, or - to read it from standard input")
    return _text_from_stdin("--answer -") if answer == "-" else answer


def _text_from_stdin(option: str) -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as exc:
        raise InputError(f"{option}: standard input is not UTF-8 ({exc.reason}); send it as UTF-8") from None


def sources(source: list[str] | None, files: list[str] | None, text: list[str] | None) -> list[Path | str]:
    """What an answer may rest on: files of --source and of the arguments (`-` is standard input), then texts."""
    named = [*(source or []), *(files or [])]
    if named.count("-") > 1:
        raise UsageError("--source -: standard input can be read once")
    return [*(_text_from_stdin("--source -") if name == "-" else Path(name) for name in named), *(text or [])]


def settings(
    config_file: str | None,
    store: str | None = None,
    workspace: str | None = None,
    **options: Any,
) -> Settings:
    """The settings in force: options (those of `over` too) over environment over file; records go to the user's data folder by default."""
    if store is not None:
        in_a_folder("--store", _store_file(store))
    found, _ = config.load(config_file)
    placed = replace(found, store=store or found.store or default_url(), workspace=workspace or found.workspace)
    return over(placed, **options)


def over(
    found: Settings,
    *,
    deadline: float | None = None,
    budget_usd: float | None = None,
    budget_tokens: int | None = None,
    judges: list[str] | None = None,
    allow_same_family: bool = False,
) -> Settings:
    """Settings with the options of time, cost and judges over them."""
    most: dict[str, Any] = {}
    if deadline is not None:
        most |= {"case_s": deadline, "check_s": min(deadline, found.limits.check_s)}
    if budget_usd is not None:
        most["usd"] = budget_usd
    if budget_tokens is not None:
        most["tokens"] = budget_tokens
    judging = judging_with(judges or [], allow_same_family=allow_same_family)
    return replace(found, limits=replace(found.limits, **most)).with_judging(**judging)


def limits(deadline: float | None, budget_usd: float | None, budget_tokens: int | None) -> dict[str, Any]:
    """What the options of time and cost are called in `settings`."""
    return {"deadline": deadline, "budget_usd": budget_usd, "budget_tokens": budget_tokens}


def keeps(found: Settings) -> bool:
    """Whether a later command finds the records of this one."""
    return not str(found.store).startswith("memory:")


def judging_with(judges: Sequence[str], *, allow_same_family: bool = False) -> dict[str, Any]:
    """What the command line says of how judges are used: several that are named there are a panel."""
    named: dict[str, Any] = {"judges": tuple(judges), "purposes": {}, "high_stakes": ()} if judges else {}
    panel: dict[str, Any] = {"use": "panel"} if len(judges) > 1 else {}
    return named | panel | ({"allow_same_family": True} if allow_same_family else {})


def verifier(found: Settings, policy_file: str | None = None, services: Mapping[str, Any] | None = None) -> Verifier:
    """A verifier with these settings and, where given, the policy of a file over them and services for checks."""
    if not policy_file:
        return Verifier.from_settings(found, services=services)
    return with_policy(found, Path(policy_file), config.read_mapping(Path(policy_file)), services)


def with_policy(
    found: Settings, file: Path, policy: Mapping[str, Any], services: Mapping[str, Any] | None = None
) -> Verifier:
    """A verifier with what a policy file holds over the settings. What is wrong in the file is told by the file's name."""
    try:
        return Verifier.from_settings(found, policy=policy, services=services)
    except PolicyError as exc:
        Verifier.from_settings(found, services=services)  # what is wrong with the settings is not the file's fault
        raise exc.of_file(file.name) from None


def with_policy_file(found: Settings, policy_file: str | None) -> Settings:
    """The settings with a file's policy over their own, for whoever makes verifiers of them later; what is wrong in it is told now."""
    if not policy_file:
        return found
    policy = config.read_mapping(Path(policy_file))
    with_policy(replace(found, store=None), Path(policy_file), policy)
    return replace(found, policy=found.policy | policy)


@contextmanager
def writable(file: str, what: str = "") -> Iterator[None]:
    """Name the file in what the system says while it is written, and `what` it was to have; standard output is left to the top."""
    try:
        yield
    except OSError as exc:
        if file == "-":
            raise
        raise UsageError(f"{file}: {what}cannot be written ({exc.strerror or exc}); choose another path") from None


def save(file: str, content: bytes, what: str = "") -> None:
    """Write a file; - is standard output."""
    with writable(file, what):
        if file == "-":
            sys.stdout.buffer.write(content)
            sys.stdout.flush()
        else:
            Path(file).write_bytes(content)


def in_a_folder(option: str, file: str | None) -> None:
    """Raise UsageError where the folder of a file that is to be written is not there, before any work is done for it."""
    if not file or file == "-":
        return
    folder = Path(file).expanduser().parent
    if not folder.is_dir():
        raise UsageError(f"{option} {file}: there is no folder {folder}; make it first, or choose another path")


def in_folders(written: Mapping[str, str | None]) -> None:
    """The same for several files, each by its option."""
    for option, file in written.items():
        in_a_folder(option, file)


def _store_file(store: str) -> str | None:
    """The file of a store that is one; None for any other."""
    scheme, colon, path = store.partition(":///")
    return path if colon and scheme == "sqlite" else None if ":" in store[2:] else store


def read_bytes(file: str) -> bytes:
    """What a file holds; InputError that names it where it cannot be read."""
    try:
        return Path(file).read_bytes()
    except OSError as exc:
        raise InputError(f"{file}: cannot be read ({exc.strerror or exc})") from None


def read_case(file: str) -> Case:
    """The case of a file; InputError that names the file where it holds none."""
    with naming(file):
        return Case.from_json(read_bytes(file))


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Name the file in what is wrong with its content, where that is not said already."""
    try:
        yield
    except InputError as exc:
        said = str(exc)
        raise InputError(said if said.startswith(f"{file}:") else f"{file}: {said}") from None


def with_store(config_file: str | None, store: str | None, work: Callable[[Any], Awaitable[T]]) -> T:
    """Do something with the store in force, and close it."""

    async def inside() -> T:
        kept = open_store(str(settings(config_file, store).store))
        try:
            return await work(kept)
        finally:
            await kept.close()

    return asyncio.run(inside())
