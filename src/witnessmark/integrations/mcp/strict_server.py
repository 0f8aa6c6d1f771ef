"""An MCP server that says what is wrong with the arguments of a call in one line, and drops none that it does not know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import ValidationError

from witnessmark.core.errors import UnknownNameError


class StrictServer(MCPServer[Any]):
    """The server of the SDK, with every argument held to the tool's own list before it is called."""

    async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
        """Call a tool; ToolError that names the argument which is unknown, missing or of the wrong type."""
        schema = next((tool.input_schema for tool in await self.list_tools() if tool.name == name), None)
        if schema is not None:
            refuse_arguments(name, arguments, schema)
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as exc:
            if isinstance(exc.__cause__, ValidationError):
                raise ToolError(_told(exc.__cause__)) from None
            raise


def refuse_arguments(tool: str, arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
    """Raise ToolError for an argument that the tool does not take, or that it needs and did not get."""
    known = list(schema.get("properties", {}))
    takes = f"{tool} takes {', '.join(known)}"
    for unknown in (name for name in arguments if name not in known):
        raise ToolError(str(UnknownNameError("argument", unknown, known, f"; {takes}")))
    for missing in (name for name in schema.get("required", ()) if name not in arguments):
        raise ToolError(f"{missing}: is missing; {takes}")


def _told(exc: ValidationError) -> str:
    """What pydantic complains of, in one line: where, and what is wrong there."""
    first = exc.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(
        str(part) for part in first["loc"] if not str(part).startswith(("list[", "dict[", "str", "function-"))
    )
    return f"{where or 'the arguments'}: {first['msg'][:1].lower()}{first['msg'][1:]}"
