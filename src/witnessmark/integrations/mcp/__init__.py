"""The MCP server and what its tools answer."""
