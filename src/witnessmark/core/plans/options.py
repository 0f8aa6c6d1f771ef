"""The options of a check: the typed parameters of its factory, bound to what a criterion says. What is wrong is named."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from witnessmark.core.errors import InputError
from witnessmark.core.explain import clipped, explain

SERVICES = frozenset({"judges", "judge", "policy", "model", "models"})
"""What `core` itself describes and the wiring hands in. A parameter of such a name is declared a service, never guessed to be one."""
FromValue = Callable[[Any], Mapping[str, Any]]
"""Turns the `value` of a criterion into named options, where it is not simply the first of them."""
_KEYWORDS = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class Options:
    """What a factory can be told, by name; `services` are handed in by the wiring and are no options."""

    def __init__(self, make: Callable[..., Any], services: Iterable[str], from_value: FromValue | None = None) -> None:
        self._signature = inspect.signature(make)
        parameters = self._signature.parameters
        self.services = tuple(services)
        keywords = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters.values())
        self._open = keywords and parameters.keys() >= set(
            self.services
        )  # otherwise they are the services it passes on
        for name in self.services:
            if name not in parameters and not keywords:
                raise InputError(f"services: {name!r} is not a parameter of {make.__name__}")
        unclear = sorted(SERVICES & parameters.keys() - set(self.services))
        if unclear:
            raise InputError(
                f"parameter {unclear[0]!r} of {make.__name__} bears the name of a service: declare it in services, or rename it"
            )
        self.parameters = {
            name: one for name, one in parameters.items() if name not in self.services and one.kind not in _KEYWORDS
        }
        self._from_value = from_value
        self._make = make
        self._hints: dict[str, Any] = {}

    @property
    def names(self) -> list[str]:
        """The options by name, in the order of the signature."""
        return list(self.parameters)

    def of_value(self, value: Any) -> dict[str, Any]:
        """The options that the `value` of a criterion stands for: the first option, or several by name."""
        if value is None:
            return {}
        if not self.parameters:
            raise InputError("takes no value; leave it out")
        if self._from_value is not None:
            return dict(self._from_value(value))
        first = next(iter(self.parameters))
        if isinstance(value, Mapping) and not _takes_mapping(self._hint(first)):
            return {str(name): part for name, part in value.items()}
        return {first: value}

    def converted(self, given: Mapping[str, Any], handed: Iterable[str] = ()) -> dict[str, Any]:
        """The options as the types of their annotations, which is what the factory is called with.

        Raises InputError that names an option which is unknown, missing or of the wrong type, whose annotation says no type,
        or a service nobody handed in.
        """
        for name in self.services:
            declared = self._signature.parameters.get(name)
            if name not in handed and declared is not None and declared.default is inspect.Parameter.empty:
                raise InputError(f"the service {name!r} is missing; hand it in with Verifier(services={{{name!r}: …}})")
        known = ", ".join(self.names) or "none"
        made = {}
        for name, value in given.items():
            if name not in self.parameters and not self._open:
                raise InputError(f"unknown option {name!r}; its options are: {known}")
            hint = self._hint(name)
            try:
                made[name] = msgspec.convert(value, hint, strict=True)
            except msgspec.ValidationError as exc:
                raise InputError(f"option {name}: {_wrong(exc, hint, value)}") from None
        missing = [n for n, p in self.parameters.items() if p.default is inspect.Parameter.empty and n not in given]
        if missing:
            raise InputError(f"the option {missing[0]!r} is missing; its options are: {known}")
        return made

    def _hint(self, name: str) -> Any:
        """The type of an option; anything where the factory says none."""
        if name not in self._hints:
            self._hints[name] = _type_of(self._make, name) if name in self.parameters else Any
        return self._hints[name]


def _type_of(make: Callable[..., Any], name: str) -> Any:
    """The type that a parameter is annotated with; InputError where there is no such type, or none that JSON can become."""
    annotation = getattr(make, "__annotations__", {}).get(name, Any)
    alone = types.SimpleNamespace(__annotations__={name: annotation})
    try:
        hint = typing.get_type_hints(alone, getattr(make, "__globals__", {}), include_extras=True)[name]
        msgspec.json.schema(hint)
    except (NameError, TypeError, AttributeError, RuntimeError, SyntaxError) as exc:
        written = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", repr(annotation))
        raise InputError(
            f"option {name}: its annotation {written} in {make.__name__} is no type that options can have ({exc}); "
            "use one that JSON can become, imported or defined at the top of the module"
        ) from None
    return hint


def _takes_mapping(hint: Any) -> bool:
    if hint is Any or hint is object:
        return True
    if typing.get_origin(hint) is typing.Annotated:
        return _takes_mapping(typing.get_args(hint)[0])
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return any(_takes_mapping(part) for part in typing.get_args(hint))
    base = origin or hint
    return isinstance(base, type) and issubclass(base, (Mapping, msgspec.Struct))


def _wrong(exc: msgspec.ValidationError, hint: Any, value: Any) -> str:
    """What an option must be and is not, with the place in it where it has parts."""
    told = explain(exc, hint, data=value).replace("[...]: ", "one of its values: ", 1)
    whole = told.removeprefix("the value: ")
    return f"{whole.partition(', not ')[0]}, not {clipped(repr(value), 60)}" if whole.startswith("must be ") else whole
