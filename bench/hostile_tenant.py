"""One tenant sends the worst of each kind, for a while and no longer; another one is served meanwhile.

Run as a program it is that tenant: `python -m bench.hostile_tenant PORT KEY SECONDS [KIND...]`, at the lowest priority, since
a tenant's own machine is not the service's. Traffic goes to loopback only.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

CONNECTIONS = 8
"""Connections for each kind."""


def two_ways(levels: int) -> dict[str, Any]:
    """A JSON Schema within every limit whose work doubles with each level of the text."""
    parts: dict[str, Any] = {}
    for at in range(levels):
        both = {"properties": {"a": {"allOf": [{"$ref": f"#/$defs/l{at + 1}"}, {"$ref": f"#/$defs/m{at + 1}"}]}}}
        parts |= {f"l{at}": both, f"m{at}": both}
    last = {"type": ["object", "integer"]}
    return {"$ref": "#/$defs/l0", "$defs": {**parts, f"l{levels}": last, f"m{levels}": last}}


def _case(text: str, *criteria: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"subject": {"kind": "task_output", "text": text}, "criteria": list(criteria)} | more


def bodies() -> dict[str, tuple[str, bytes]]:
    """Path and body of each kind."""
    deep = '{"a":' * 60 + "1" + "}" * 60
    schema = _case(deep, {"check": "json_schema", "value": two_ways(60)})
    words = _case("an a " * 190_000, {"check": "contains_keywords", "value": [f"a n{n}" for n in range(1_000)]})
    grounded = {
        "subject": {"kind": "answer", "text": "The bridge of 1932 is 503 m long and " * 24_000},
        "evidence": [
            {"id": f"e{n}", "text": "The bridge, opened in 1932, has a length of 503 m. " * 30} for n in range(4_000)
        ],
    }
    many = _case("x", *[{"check": "format_regex", "value": "(a|b|c)*" * 5 + str(n)} for n in range(200)])
    tiny = {"subject": {"kind": "answer", "text": "x"}, "evidence": [{"id": str(n)} for n in range(200_000)]}
    return {
        "schema": ("/verify", json.dumps(schema).encode()),
        "keywords": ("/verify", json.dumps(words).encode()),
        "grounding": ("/verify", json.dumps(grounded).encode()),
        "patterns": ("/verify", json.dumps(many).encode()),
        "structure": ("/verify", json.dumps(tiny).encode()),
        "nested": ("/verify", b'{"subject":' + b"[" * 1_000_000),
        "jobs": ("/verify-batch", json.dumps({"cases": [schema, words] * 10}).encode()),
        "task": ("/verify-task", json.dumps({"task_output": "y", "context": {"a": [[]] * 300_000}}).encode()),
    }


async def _sending(port: int, key: str, path: str, body: bytes, until: float, told: Counter[str], kind: str) -> None:
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    while time.monotonic() < until:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(head.encode() + body)
            async with asyncio.timeout(max(0.1, until - time.monotonic())):
                status = (await reader.readline())[9:12].decode()
            told[f"{kind} {status}"] += 1
            writer.close()
            if status in ("429", "503"):
                await asyncio.sleep(0.05)
        except (OSError, TimeoutError):
            told[f"{kind} cut"] += 1


async def _holding(port: int, sent: bytes, until: float, told: Counter[str], kind: str) -> None:
    """A connection that is kept open: a stream, or a head or body that does not come."""
    while time.monotonic() < until:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(sent)
            async with asyncio.timeout(max(0.1, until - time.monotonic())):
                while await reader.read(4096):
                    pass
            told[f"{kind} ended"] += 1
            await asyncio.sleep(0.1)
        except (OSError, TimeoutError):
            told[f"{kind} held"] += 1


def held(key: str) -> dict[str, tuple[int, bytes]]:
    """How many connections of each kind are kept open, and the little that is sent on them."""
    auth = f"Host: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n"
    return {
        "streams": (100, f"GET /events HTTP/1.1\r\n{auth}\r\n".encode()),
        "slow bodies": (50, f"POST /verify HTTP/1.1\r\n{auth}Content-Length: 9000000\r\n\r\n{{".encode()),
        "slow logins": (100, b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5000\r\n\r\nkey="),
        "slow heads": (100, b"GET / HTTP/1.1\r\nX"),
    }


async def attack(port: int, key: str, seconds: float, kinds: Sequence[str] = ()) -> dict[str, int]:
    """Everything at once, or only these kinds; says how often each was answered how."""
    made, told = bodies(), Counter[str]()
    print("begun", flush=True)
    until = time.monotonic() + seconds
    work = [
        _sending(port, key, path, body, until, told, kind)
        for kind, (path, body) in made.items()
        for _ in range(CONNECTIONS)
        if not kinds or kind in kinds
    ]
    for kind, (count, sent) in held(key).items():
        if not kinds or kind in kinds:
            work += [_holding(port, sent, until, told, kind) for _ in range(count)]
    await asyncio.gather(*work)
    return dict(sorted(told.items()))


if __name__ == "__main__":
    os.nice(19)
    port, key, seconds, *kinds = sys.argv[1:]
    print(json.dumps(asyncio.run(attack(int(port), key, float(seconds), kinds))))
