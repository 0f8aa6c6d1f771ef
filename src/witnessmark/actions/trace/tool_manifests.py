"""What a plugin's manifest says its tools give back: the schema of each tool's output, or a reference to it.

    {"id": "mind", "tools": [{"name": "mind:rag-query", "output": "@kb-labs/mind-contracts/schema#QueryResult"}]}

Tools are listed under `tools` or `commands`, as a list or by name; the schema stands under `outputSchema` (as MCP lists tools),
`output_schema` or `output`, as a reference, a JSON Schema, or `{"schema": …}` around either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from witnessmark.core.errors import InputError

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
