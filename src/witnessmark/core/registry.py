"""Names and what they stand for: checks, checkpoints, stores. Third-party ones come by entry points, on first need.

Knows nothing about what a factory makes; `@check` and `@checkpoint` put things in, the wiring takes them out.
"""

from __future__ import annotations

import copy
import functools
import inspect
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module, metadata
from typing import Any, Generic, Literal, TypeVar, get_args

from witnessmark.core.case import Case
from witnessmark.core.errors import InputError, UnknownNameError
from witnessmark.core.plans.options import FromValue, Options
from witnessmark.core.protocols import Asks, Check, Cost, Judge, JudgeContext
from witnessmark.core.record import Store
from witnessmark.core.redact import JUDGED_KEYS
from witnessmark.core.verdict import Result

T = TypeVar("T")
Look = Callable[[Case, Mapping[str, Result]], "Result | Awaitable[Result]"]
Asking = Callable[[Case, Mapping[str, Any]], Asks]
"""Says what a check with these options would ask a judge about a case."""
ValueKind = Literal["pattern", "schema", "criterion"]


class Registry(Generic[T]):
    """One kind of thing by name. Entry points of the group are loaded when a name is missing or all are listed.

    Threads that look up for the first time wait for the one that imports: none of them finds half of the names.
    """

    def __init__(self, what: str, group: str, hint: str = "") -> None:
        self.what, self.group, self.hint = what, group, hint
        self._known: dict[str, T] = {}
        self._origin: dict[str, str] = {}
        self._pending: dict[str, metadata.EntryPoint] | None = None
        self._deferred: list[str] = []
        self._importing = threading.RLock()  # what is imported may look up in turn
        self.broken: dict[str, str] = {}

    def add(self, name: str, thing: T, origin: str = "witnessmark") -> None:
        """Register under a name; a name is given once."""
        if name in self._known:
            raise InputError(f"{self.what} {name!r} is already registered; choose another name")
        self._known[name] = thing
        self._origin[name] = origin

    def remove(self, name: str) -> None:
        """Forget what is registered under the name; unknown names are left alone."""
        self._known.pop(name, None)
        self._origin.pop(name, None)

    def defer(self, module: str) -> None:
        """Import this module, which registers what it brings, when a name is first looked up and not before."""
        self._deferred.append(module)

    def _bring_in(self) -> None:
        while self._deferred:
            module = self._deferred[-1]
            import_module(module)  # what does not import stays in the list, and is told again
            if module in self._deferred:
                self._deferred.remove(module)

    def get(self, name: str) -> T:
        """What is registered under the name, third-party ones included."""
        if name not in self._known:
            with self._importing:
                self._bring_in()
                if name not in self._known and name in self._entry_points():
                    self._load(name)
        if name not in self._known:
            broken = f"; it is installed but does not load: {self.broken[name]}" if name in self.broken else self.hint
            raise UnknownNameError(self.what, name, self._known, broken)
        return self._known[name]

    def known(self, name: str) -> T | None:
        """What was registered under the name by now; nothing is imported for it."""
        return self._known.get(name)

    def all(self) -> dict[str, T]:
        """Everything by name, sorted; what does not load is in `broken` with its reason."""
        with self._importing:
            self._bring_in()
            for name in list(self._entry_points()):
                self._load(name)
            return dict(sorted(self._known.items()))

    def origin(self, name: str) -> str:
        """The package that brought it."""
        return self._origin.get(name, "")

    def _entry_points(self) -> dict[str, metadata.EntryPoint]:
        if self._pending is None:
            found = metadata.entry_points(group=self.group)
            self._pending = {f"{e.dist.name if e.dist else 'unknown'}/{e.name}": e for e in found}
        return self._pending

    def _load(self, name: str) -> None:
        point = self._entry_points().pop(name)
        try:
            thing = point.load()
            named = thing.named(name) if hasattr(thing, "named") else thing
        except Exception as exc:  # noqa: BLE001 - somebody else's module, which may break in any way: told, and done without
            self.broken[name] = f"{type(exc).__name__}: {exc}"
            return
        self.add(name, named, name.partition("/")[0])


class ReadyCheck:
    """A check made by its factory: what it is called, which version and options, and how it looks."""

    __slots__ = (
        "categories", "cost", "entries", "factory", "judged_keys", "look", "name", "options", "packed", "services", "version",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        version: str,
        cost: Cost,
        options: Mapping[str, Any],
        look: Look,
        services: Mapping[str, Any] | None = None,
        factory: CheckFactory | None = None,
    ) -> None:
        self.name, self.version, self.cost, self.options, self.look = name, version, cost, options, look
        self.services, self.factory = services or {}, factory
        self.categories = factory.categories if factory is not None else frozenset()
        self.judged_keys = factory.judged_keys if factory is not None else JUDGED_KEYS
        self.entries: int | None = None
        self.packed: bytes | None = None

    def __call__(self, case: Case, prior: Mapping[str, Result]) -> Result | Awaitable[Result]:
        """Look at the case."""
        return self.look(case, prior)

    def asks(self, case: Case) -> Asks | None:
        """What it would ask a judge about the case; None where it does not say."""
        return self.factory.asks(case, self.options) if self.factory is not None and self.factory.asks else None

    def __repr__(self) -> str:
        return f"<check {self.name} {self.version}>"


class CheckFactory:
    """What `@check` makes of a factory: call it with options to get a check."""

    def __init__(
        self,
        make: Callable[..., Look],
        name: str,
        version: str,
        cost: Cost,
        services: Iterable[str] = (),
        from_value: FromValue | None = None,
        asks: Asking | None = None,
        value_is: ValueKind | None = None,
        categories: Iterable[str] = (),
        judged_keys: Iterable[str] = JUDGED_KEYS,
    ) -> None:
        if cost not in get_args(Cost):
            raise InputError(f"check {name}: cost {cost!r} is not one of {', '.join(get_args(Cost))}")
        self.make, self.name, self.version, self.cost = make, name, version, cost
        self.options = Options(make, services, from_value)
        self.asks, self.value_is = asks, value_is
        self.categories, self.judged_keys = frozenset(categories), frozenset(judged_keys)
        self.summary = (inspect.getdoc(make) or "").partition("\n")[0]
        functools.update_wrapper(self, make)

    def __call__(self, value: Any = None, /, **given: Any) -> ReadyCheck:
        """A check with these options and services, or with what a criterion's `value` stands for.

        Raises InputError that names an option which is unknown, missing, or of the wrong type.
        """
        handed = {name: given.pop(name) for name in self.options.services if name in given}
        try:
            options = self.options.of_value(value) | given
            look = self.make(**self.options.converted(options, handed), **handed)
        except InputError as exc:
            raise InputError(f"check {self.name}: {exc}") from None
        return ReadyCheck(self.name, self.version, self.cost, options, look, handed, self)

    @property
    def services(self) -> tuple[str, ...]:
        """The names of what the wiring hands in."""
        return self.options.services

    def for_criterion(self, value: Any, options: Mapping[str, Any], services: Mapping[str, Any]) -> ReadyCheck:
        """The check that a criterion {"check": name, "value": …, "options": {…}} asks for."""
        handed = {name: services[name] for name in self.options.services if name in services}
        try:
            told = self.options.of_value(value)
        except InputError as exc:
            raise InputError(f"check {self.name}: {exc}") from None
        twice = sorted(set(told) & set(options))
        if twice:
            raise InputError(
                f"check {self.name}: option {twice[0]!r} is given both as the value and in options; give it once"
            )
        wrong = [name for name in (*told, *options) if name in self.options.services]
        if wrong:
            known = ", ".join(self.options.names) or "none"
            raise InputError(f"check {self.name}: unknown option {wrong[0]!r}; its options are: {known}")
        try:
            return self(**told, **options, **handed)
        except InputError as exc:
            # Whoever wrote a value has never heard of the option that it stands for.
            first = next(iter(told), "") if not isinstance(value, Mapping) else ""
            raise InputError(str(exc).replace(f"option {first}:", f"value ({first}):", 1)) from None

    def named(self, name: str) -> CheckFactory:
        """The same factory under a third party's full name, package/name."""
        named = copy.copy(self)
        named.name = name
        return named


checks: Registry[CheckFactory] = Registry("check", "witnessmark.checks")


def check(
    name: str,
    *,
    version: str,
    cost: Cost = "local",
    services: Iterable[str] = (),
    from_value: FromValue | None = None,
    asks: Asking | None = None,
    value_is: ValueKind | None = None,
    categories: Iterable[str] = (),
    judged_keys: Iterable[str] = JUDGED_KEYS,
    register: bool = True,
) -> Callable[[Callable[..., Look]], CheckFactory]:
    """Make a factory of checks known under a name.

    Args:
        name: how criteria and checkpoints call it.
        version: changes with its behaviour; records keep it.
        cost: `instant` runs inline, `local` may take a while, `paid` asks a judge.
        services: the parameters that the wiring hands in, such as "judges"; every other parameter is an option, typed
            by its annotation, and kept in the record.
        from_value: makes options of a criterion's `value` where it is not simply the first option.
        asks: what it would ask a judge about a case, for those who want to know the price first. A `paid` check that does not
            say is counted as one question about the whole case, and any other as none.
        value_is: what it is told, where that has limits of its own: a `pattern` or a `schema` to compile, or another `criterion`.
        categories: those of its findings that are not in `verdict.CATEGORIES` and not written `package/name`.
        judged_keys: the keys of its details under which a judge's own words stand: left out where content is not kept.
        register: a third-party package sets False and names the factory in the entry-point group `witnessmark.checks`.

    """

    def decorate(make: Callable[..., Look]) -> CheckFactory:
        factory = CheckFactory(make, name, version, cost, services, from_value, asks, value_is, categories, judged_keys)
        if register:
            checks.add(name, factory)
        return factory

    return decorate


def ready(
    name: str,
    value: Any = None,
    services: Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
) -> Check:
    """The check of this name with the options that a criterion gives, by value or by name.

    Args:
        name: the check's name.
        value: what the criterion's `value` says.
        services: what the wiring hands in.
        options: options by name.

    Raises:
        UnknownNameError: where there is no such check.
        InputError: where an option is unknown, missing, of the wrong type, or given twice.

    """
    return checks.get(name).for_criterion(value, options or {}, services or {})


# --- judges and stores --------------------------------------------------------------------------------------------


JudgeFactory = Callable[[JudgeContext], Judge]


@dataclass(frozen=True, slots=True)
class JudgeBackend:
    """A kind of judge: what makes one from its settings, and where its endpoint and key are where nothing else is said."""

    name: str
    make: JudgeFactory
    url: str = ""
    key_env: str = ""


judge_backends: Registry[JudgeBackend] = Registry("judge back end", "witnessmark.judges")


def judge(
    name: str, *, url: str = "", key_env: str = "", register: bool = True
) -> Callable[[JudgeFactory], JudgeBackend]:
    """Make a factory of judges known: `NAME/MODEL` and `kind = "NAME"` in the settings then ask it.

    Args:
        name: how settings call it.
        url: the base URL where the settings name none; empty where there is no endpoint.
        key_env: the environment variable that holds its key.
        register: a third-party package sets False and names the factory in the entry-point group `witnessmark.judges`.

    """

    def decorate(make: JudgeFactory) -> JudgeBackend:
        made = JudgeBackend(name, make, url, key_env)
        if register:
            judge_backends.add(name, made)
        return made

    return decorate


StoreFactory = Callable[[str], Store]
store_schemes: Registry[StoreFactory] = Registry("store", "witnessmark.stores")


def store(scheme: str, *, register: bool = True) -> Callable[[StoreFactory], StoreFactory]:
    """Make a factory of stores known: a URL that begins with `scheme:` opens what it makes of the whole URL.

    What it makes satisfies `witnessmark.core.record.Store`. A third-party package sets `register=False` and names the
    factory in the entry-point group `witnessmark.stores`; its URLs then begin with the name of the entry point.
    """

    def decorate(make: StoreFactory) -> StoreFactory:
        if register:
            store_schemes.add(scheme, make)
        return make

    return decorate
