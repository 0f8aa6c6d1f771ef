"""What can be installed beside the core, by the names of pyproject.toml, and whether it is there."""

from __future__ import annotations

import importlib.util
from typing import NamedTuple


class Extra(NamedTuple):
    """An extra: the modules it brings, and what they are for."""

    name: str
    modules: tuple[str, ...]
    what: str

    def there(self) -> bool:
        """Whether all of it can be imported; imports nothing of it."""
        return all(_found(module) for module in self.modules)


def _found(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the package around it is missing
        return False


EXTRAS = (
    Extra("local", ("witnessmark_local",), "the embedded model"),
    Extra("local-large", ("witnessmark_local_large",), "the larger embedded model"),
    Extra("pdf", ("pypdf",), "evidence in PDF files"),
    Extra("postgres", ("psycopg",), "records in PostgreSQL"),
    Extra("service", ("fastapi", "python_multipart", "uvicorn"), "`witnessmark serve`"),
    Extra("parquet", ("pyarrow",), "Parquet files"),
    Extra("ray", ("pyarrow", "ray"), "batches on a Ray cluster"),
    Extra("mcp", ("mcp",), "`witnessmark mcp`"),
    Extra("otel", ("opentelemetry.sdk",), "OpenTelemetry"),
    Extra("pydantic-ai", ("pydantic_ai",), "agents of Pydantic AI"),
    Extra("openai-agents", ("agents",), "the OpenAI Agents SDK"),
    Extra("langgraph", ("langgraph",), "graphs of LangGraph"),
    Extra("langchain", ("langchain_core",), "retrievers of LangChain"),
    Extra("instructor", ("instructor",), "fields verified with instructor"),
)
