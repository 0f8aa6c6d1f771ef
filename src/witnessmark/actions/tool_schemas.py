"""Schemas of what tools return, by the name of the tool: from models, JSON Schema, packages and manifests."""

from __future__ import annotations

import importlib.machinery
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from witnessmark.actions.trace.calls import ToolCall
from witnessmark.actions.tree.containment import Root
from witnessmark.core.errors import InputError
from witnessmark.core.verdict import Finding
from witnessmark.text.nested_data import data_place, schema_validator

_LISTS = ("tools", "commands")
_NAMES = ("name", "id")
_OUTPUTS = ("outputSchema", "output_schema", "output")


def declared_outputs(manifest: Any) -> dict[str, Any]:
    """The schema that each tool of the manifest declares, by tool; a tool that declares none is left out.

    Raises InputError that names the field where the manifest lists no tools, or a tool has no name.
    """
    if not isinstance(manifest, Mapping):
        raise InputError(f"a tool manifest is an object with a list of tools, not {type(manifest).__name__}")
    found = {}
    for place, name, told in _tools(manifest):
        schema = _output(told, f"{place}.output")
        if schema is not None:
            found[name] = schema
    return found


def _tools(manifest: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    lists = [(name, manifest[name]) for name in _LISTS if manifest.get(name) is not None]
    if not lists:
        raise InputError(f"tools: the manifest lists no tools; give it one of {', '.join(_LISTS)}")
    for where, listed in lists:
        if isinstance(listed, Mapping):
            rows = [
                (f"{where}.{key}", {"name": key} | dict(_entry(told, f"{where}.{key}"))) for key, told in listed.items()
            ]
        elif isinstance(listed, list | tuple):
            rows = [(f"{where}[{n}]", dict(_entry(told, f"{where}[{n}]"))) for n, told in enumerate(listed)]
        else:
            raise InputError(f"{where}: should be a list of tools, or an object by the tools' names")
        for place, told in rows:
            name = next((told[key] for key in _NAMES if isinstance(told.get(key), str) and told[key]), None)
            if name is None:
                raise InputError(f"{place}.name: the tool has no name")
            yield place, name, told


def _entry(told: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(told, Mapping):
        raise InputError(f"{place}: should be an object that describes a tool")
    return told


def _output(told: Mapping[str, Any], place: str) -> Any:
    said = next((told[key] for key in _OUTPUTS if told.get(key) is not None), None)
    if isinstance(said, Mapping) and "schema" in said and "type" not in said:
        said = said["schema"]
    if isinstance(said, Mapping) and set(said) == {"$ref"} and not str(said["$ref"]).startswith("#"):
        said = said["$ref"]
    if said is not None and not isinstance(said, str | Mapping | bool):
        raise InputError(f"{place}: should be a JSON Schema or a reference package/path#Name")
    return dict(said) if isinstance(said, Mapping) else said


T = TypeVar("T")
Validate = Callable[[Any], Iterable[str]]
GROUP = "witnessmark.schemas"
MAX_ERRORS = 50


class ToolOutputError(InputError):
    """A tool gave back something that does not fit its declared schema."""


class ToolSchemas:
    """Schemas by tool. `packages` says where packages lie that are not installed as Python packages."""

    def __init__(
        self, declared: Mapping[str, Any] | None = None, *, packages: Mapping[str, str | os.PathLike[str]] | None = None
    ) -> None:
        self._declared: dict[str, Any] = dict(declared or {})
        self._packages = dict(packages or {})
        self._ready: dict[str, Validate] = {}

    def register(self, tool: str, schema: Any) -> None:
        """Declare the schema of a tool's output: a JSON Schema, a reference, or the name of an entry point."""
        self._declared[tool] = schema
        self._ready.pop(tool, None)

    def register_manifest(self, manifest: Mapping[str, Any] | str) -> None:
        """Declare the schemas that a plugin's manifest names: the manifest itself, or "package/path" of its JSON file."""
        for tool, schema in self.manifest_schemas(manifest).items():
            self.register(tool, schema)

    def manifest_schemas(self, manifest: Mapping[str, Any] | str) -> dict[str, Any]:
        """The schemas that a plugin's manifest names, by tool. Raises InputError where it cannot be read."""
        return declared_outputs(self._document(manifest, manifest) if isinstance(manifest, str) else manifest)

    def __contains__(self, tool: object) -> bool:
        return tool in self._declared

    def __bool__(self) -> bool:
        return bool(self._declared)

    def with_more(self, more: Mapping[str, Any]) -> ToolSchemas:
        """These schemas and more, the latter by JSON Schema or reference."""
        return ToolSchemas(self._declared | dict(more), packages=self._packages) if more else self

    def errors(self, tool: str, output: Any) -> list[str]:
        """What is wrong with an output, by path; empty where it fits. A schema that cannot be loaded raises."""
        if tool not in self._ready:
            self._ready[tool] = self._validator(tool, self._declared[tool])
        return [error for error, _ in zip(self._ready[tool](output), range(MAX_ERRORS), strict=False)]

    def checked(self, tool: str, output: T) -> T:
        """The output itself, or an error before it is handed on."""
        if tool in self._declared:
            found = self.errors(tool, output)
            if found:
                raise ToolOutputError(f"tool {tool!r}: its output does not fit its schema: {'; '.join(found[:3])}")
        return output

    def findings(self, calls: Iterable[ToolCall]) -> tuple[list[Finding], int]:
        """What is wrong with the outputs in a trace, and how many were looked at."""
        found: list[Finding] = []
        looked = 0
        for call in calls:
            # what a tool says when it failed is an error message, not the result its schema describes
            if call.name in self._declared and call.ok is not False and not call.exit_code:
                looked += 1
                found += [_mismatch(call, error) for error in self.errors(call.name, _as_data(call.output))]
        return found, looked

    def _validator(self, tool: str, schema: Any) -> Validate:
        try:
            if isinstance(schema, str):
                schema = self._load(schema)
            return _of_model(schema) if hasattr(schema, "model_validate") else _of_json_schema(schema)
        except InputError as exc:
            raise InputError(f"the schema of tool {tool!r} cannot be used: {exc}") from None

    def _load(self, ref: str) -> Any:
        if "#" not in ref:
            return _entry_point(ref)
        place, _, name = ref.partition("#")
        return _named(self._document(place, ref), name, ref)

    def _document(self, place: str, ref: str) -> Any:
        """The JSON file of a reference, read from inside its package's folder and nowhere else."""
        folder, path = self._folder(place, ref)
        with Root(folder) as root:
            for candidate in (path, f"{path}.json", f"{path}.schema.json", f"{path}/index.json"):
                seen = root.content(candidate) if candidate else None
                if seen is not None and seen.state == "file":
                    try:
                        return msgspec.json.decode(seen.content)
                    except (msgspec.DecodeError, UnicodeDecodeError) as exc:
                        raise InputError(f"{ref}: the file is not JSON ({exc})") from None
        raise InputError(f"{ref}: there is no such JSON file in the package")

    def _folder(self, place: str, ref: str) -> tuple[str, str]:
        for package in sorted(self._packages, key=len, reverse=True):
            if place == package or place.startswith(f"{package}/"):
                return os.fspath(self._packages[package]), place[len(package) :].strip("/") or "schema"
        scoped = place.startswith("@")
        parts = place.split("/", 2 if scoped else 1)
        package = "/".join(parts[: 2 if scoped else 1])
        found = _package_folder(package)
        if found is None:
            raise InputError(f"{ref}: no package {package!r} is installed; install it, or say where it lies")
        return found, parts[-1] if len(parts) > (2 if scoped else 1) else "schema"


def _package_folder(package: str) -> str | None:
    """Where an installed package lies. Finding it does not import it."""
    name = package.rpartition("/")[2].replace("-", "_")
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) is None:
        return None
    spec = importlib.machinery.PathFinder.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        return None
    return str(Path(next(iter(spec.submodule_search_locations))))


def _named(document: Any, name: str, ref: str) -> Any:
    """The part of a document that a reference names: as a definition, with or without `Schema` at its end."""
    if not name:
        return document
    bare = name.removesuffix("Schema")
    if isinstance(document, Mapping):
        for key in (name, bare, f"{bare}Schema"):
            for place in ("$defs", "definitions"):
                if key in (document.get(place) or {}):
                    return {place: document[place], "$ref": f"#/{place}/{key}"}
            if key in document:
                return document[key]
    raise InputError(f"{ref}: the file has no schema named {name!r}")


def _entry_point(name: str) -> Any:
    """A model that an installed package offers under this name."""
    found = next(iter(metadata.entry_points(group=GROUP, name=name)), None)
    if found is None:
        raise InputError(
            f"{name!r} is not a reference package/path#Name, and no installed package offers it in {GROUP}"
        )
    try:
        return found.load()
    except (ImportError, AttributeError, SyntaxError) as exc:
        raise InputError(f"entry point {name!r} does not load ({type(exc).__name__}: {exc})") from None


def _of_model(model: Any) -> Validate:
    def errors(output: Any) -> Iterable[str]:
        from pydantic import ValidationError

        try:
            model.model_validate(output)
        except ValidationError as exc:
            return [f"{data_place(error['loc'])}: {error['msg']}" for error in exc.errors(include_input=False)]
        return []

    return errors


def _of_json_schema(schema: Any) -> Validate:
    if not isinstance(schema, dict | bool):
        raise InputError("it is not a JSON Schema, which is an object")
    made = schema_validator(schema)
    return lambda output: (f"{data_place(error.instance_path)}: {error.message}" for error in made.iter_errors(output))


def _as_data(output: Any) -> Any:
    """A tool that gives back JSON as text is read as that JSON; any other text stays a text."""
    if isinstance(output, str) and output.lstrip()[:1] in ("{", "["):
        try:
            return msgspec.json.decode(output.encode())
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
            return output
    return output


def _mismatch(call: ToolCall, error: str) -> Finding:
    return Finding(
        message=f"a tool's output does not fit its declared schema at {error}",
        category="schema_mismatch",
        quote=f"{call.name} ({call.id})",
        suggestion="Call the tool again, or fix it; nothing that relies on this output holds.",
    )
