"""Writes what is made from the OpenAPI document: docs/http.md, and the TypeScript client clients/typescript/witnessmark.ts.

python tools/http_client.py            # write both
python tools/http_client.py --check    # check the client's types with the TypeScript compiler, which npx fetches
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parents[1]
CLIENT = ROOT / "clients" / "typescript" / "witnessmark.ts"
PAGE = ROOT / "docs" / "http.md"
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}
_HEAD = """// The Witnessmark service from TypeScript. Made by tools/http_client.py from the OpenAPI document; do not edit.
// Needs fetch (Node 18 or newer, Deno, browsers) and nothing else.

export class WitnessmarkError extends Error {
  readonly status: number;
  readonly detail: string;
  readonly field?: string;

  constructor(status: number, detail: string, field?: string) {
    super(`${status}: ${detail}`);
    this.status = status;
    this.detail = detail;
    this.field = field;
  }
}

export interface ServerEvent {
  id?: string;
  event: string;
  data: unknown;
}

export interface Options {
  key?: string;
  fetch?: typeof fetch;
}
"""
_CLASS = r"""
export class Witnessmark {
  private readonly base: string;
  private readonly options: Options;

  constructor(base: string, options: Options = {}) {
    this.base = base;
    this.options = options;
  }

  private async call(method: string, path: string, query?: object, body?: unknown): Promise<unknown> {
    const response = await this.ask(method, path, query, body);
    const text = await response.text();
    const json = (response.headers.get("content-type") ?? "").includes("json");
    return json && text ? JSON.parse(text) : text;
  }

  private async ask(method: string, path: string, query?: object, body?: unknown): Promise<Response> {
    const url = new URL(this.base.replace(/\/+$/, "") + path);
    for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) url.searchParams.set(name, String(value));
    const headers: { [name: string]: string } = { accept: "application/json" };
    if (this.options.key) headers.authorization = `Bearer ${this.options.key}`;
    if (body !== undefined) headers["content-type"] = "application/json";
    const response = await (this.options.fetch ?? fetch)(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    if (response.ok) return response;
    const text = await response.text();
    const problem = text.startsWith("{") ? JSON.parse(text) : undefined;
    throw new WitnessmarkError(response.status, problem?.detail ?? text, problem?.field);
  }

  private async *events(path: string): AsyncGenerator<ServerEvent> {
    const reader = (await this.ask("GET", path)).body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        const whole = (text + part.value).split("\n\n");
        text = whole.pop() ?? "";
        for (const one of whole) {
          const field = (name: string) => one.split("\n").find((line) => line.startsWith(name + ": "))?.slice(name.length + 2);
          const data = field("data");
          if (data !== undefined) yield { id: field("id"), event: field("event") ?? "message", data: JSON.parse(data) };
        }
      }
    } finally {
      await reader.cancel();
    }
  }
"""


def document() -> dict[str, Any]:
    """The OpenAPI document as it is served."""
    from witnessmark.server.app import create_app
    from witnessmark.settings import Settings

    made: dict[str, Any] = msgspec.json.decode(
        msgspec.json.encode(create_app(Settings(store="sqlite:///never-opened.db")).openapi())
    )
    return made


def client(told: dict[str, Any]) -> str:
    """The client as TypeScript."""
    parts = [_HEAD]
    for name, schema in told["components"]["schemas"].items():
        note = f"/** {_line(schema['description'])} */\n" if schema.get("description") else ""
        parts.append(f"{note}export type {_name(name)} = {_type(schema)};\n")
    parts.append(_CLASS)
    for path, item in told["paths"].items():
        parts += [_method(path, verb, one) for verb, one in item.items()]
    return "\n".join([*parts, "}"]) + "\n"


def _method(path: str, verb: str, told: dict[str, Any]) -> str:
    places = re.findall(r"\{(\w+)\}", path)
    query = [one for one in told.get("parameters", ()) if one["in"] == "query"]
    body = told.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    arguments = [f"{name}: string" for name in places]
    optional = "" if told.get("requestBody", {}).get("required", True) else "?"
    arguments += [] if body is None else [f"body{optional}: {_type(body)}"]
    fields = "; ".join(f"{one['name']}?: {_type(one['schema'])}" for one in query)
    arguments += [f"query: {{ {fields} }} = {{}}"] if query else []
    address = re.sub(r"\{(\w+)\}", r"${encodeURIComponent(\1)}", path)
    call = [f'"{verb.upper()}"', f"`{address}`", "query" if query else "undefined"] + (
        ["body"] if body is not None else []
    )
    answer = _answer(told)
    name = _camel(told["operationId"])
    if "text/event-stream" in told["responses"].get("200", {}).get("content", {}):
        return (
            f"  /** {_line(told.get('summary', ''))} Leave the loop, and it is closed. */\n"
            f"  {name}(): AsyncGenerator<ServerEvent> {{\n    return this.events(`{address}`);\n  }}\n"
        )
    return (
        f"  /** {_line(told.get('summary', ''))} */\n"
        f"  async {name}({', '.join(arguments)}): Promise<{answer}> {{\n"
        f"    return (await this.call({', '.join(call)})) as {answer};\n  }}\n"
    )


def _answer(told: dict[str, Any]) -> str:
    for status, response in told["responses"].items():
        if status.startswith("2"):
            content = response.get("content", {})
            return (
                _type(content["application/json"]["schema"])
                if "application/json" in content
                else "string"
                if content
                else "void"
            )
    return "unknown"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return _name(schema["$ref"].rpartition("/")[2])
    if "properties" in schema:
        return _object(schema)
    if "anyOf" in schema or "oneOf" in schema:
        return " | ".join(dict.fromkeys(_type(one) for one in schema.get("anyOf") or schema["oneOf"]))
    if "enum" in schema:
        return " | ".join(msgspec.json.encode(one).decode() for one in schema["enum"])
    if "const" in schema:
        return msgspec.json.encode(schema["const"]).decode()
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_type(schema | {"type": one}) for one in kind)
    if kind == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(map(_type, schema['prefixItems']))}]"
        return f"Array<{_type(schema['items'])}>" if isinstance(schema.get("items"), dict) else "unknown[]"
    if kind == "object":
        return _object(schema)
    return _PLAIN.get(str(kind), "unknown")


def _object(schema: dict[str, Any]) -> str:
    fields = schema.get("properties", {})
    if not fields:
        inner = schema.get("additionalProperties")
        return f"{{ [name: string]: {_type(inner) if isinstance(inner, dict) and inner else 'unknown'} }}"
    required = set(schema.get("required", ()))
    told = "; ".join(f"{_key(name)}{'' if name in required else '?'}: {_type(one)}" for name, one in fields.items())
    return f"{{ {told} }}"


def _key(name: str) -> str:
    return name if name.isidentifier() else f'"{name}"'


def _name(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _camel(name: str) -> str:
    first, *rest = re.split(r"[_\W]+", name)
    return first + "".join(word[:1].upper() + word[1:] for word in rest)


def _line(text: str) -> str:
    return " ".join(text.split()).replace("*/", "* /")


def page(told: dict[str, Any]) -> str:
    """Every operation of the service, as Markdown."""
    lines = [
        "# HTTP API",
        "",
        "Every operation the service offers, from its OpenAPI 3.1 document, which a running service gives at `/openapi.json`. A TypeScript "
        "client made from the same document is `clients/typescript/witnessmark.ts`. How to run the service: [Service](service.md).",
        "",
        "<!-- Made by tools/http_client.py; do not edit. -->",
    ]
    for path, item in told["paths"].items():
        for verb, one in item.items():
            lines += ["", f"## `{verb.upper()} {path}`", "", _line(one.get("description") or one.get("summary", ""))]
            rows = [
                f"| `{p['name']}` | {p['in']} | {_cell(p.get('description', ''))} |" for p in one.get("parameters", ())
            ]
            lines += ["", "| parameter | in | meaning |", "|---|---|---|", *rows] if rows else []
            answers = [f"| {status} | {_cell(told_['description'])} |" for status, told_ in one["responses"].items()]
            lines += ["", "| answer | meaning |", "|---|---|", *answers]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return _line(text).replace("|", "\\|").replace("<", "&lt;")


def check() -> int:
    """The exit code of the TypeScript compiler, at its strictest, for a client that needs no build step to run."""
    options = "--noEmit --strict --target es2022 --module es2022 --moduleResolution bundler --lib es2022,dom --erasableSyntaxOnly"
    return subprocess.run(
        ["npx", "-y", "-p", "typescript", "tsc", *options.split(), str(CLIENT)], check=False
    ).returncode


def main() -> int:
    """Write both, or check the types."""
    if sys.argv[1:] == ["--check"]:
        return check()
    told = document()
    CLIENT.parent.mkdir(parents=True, exist_ok=True)
    CLIENT.write_text(client(told), encoding="utf-8")
    PAGE.write_text(page(told), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
