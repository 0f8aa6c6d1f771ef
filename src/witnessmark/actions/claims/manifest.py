"""Many claims as one compact value with a digest, for reports that travel.

    {"format": "witnessmark-manifest", "version": 1, "count": 1000, "digest": "<sha256>", "packed": "<base64>"}

`packed` is the canonical JSON of the list of claims, deflated (zlib) and in base64; `digest` is the sha256 of that JSON, so
the same claims have the same digest however they were packed. Knows nothing about what claims say.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from witnessmark.core.errors import InputError
from witnessmark.core.values import canonical

FORMAT = "witnessmark-manifest"
VERSION = 1
MAX_BYTES = 128 << 20


def pack(claims: Sequence[Any]) -> dict[str, Any]:
    """The claims as a manifest."""
    body = canonical(list(claims))
    return {
        "format": FORMAT,
        "version": VERSION,
        "count": len(claims),
        "digest": hashlib.sha256(body).hexdigest(),
        "packed": base64.b64encode(zlib.compress(body, 9)).decode(),
    }


def unpack(manifest: Mapping[str, Any]) -> list[Any]:
    """The claims of a manifest; one that does not hold what its digest says is refused."""
    if manifest.get("format") != FORMAT or manifest.get("version") != VERSION:
        raise InputError(f"is an object but not a {FORMAT} of version {VERSION}; give a list of claims")
    packed = manifest.get("packed")
    if not isinstance(packed, str):
        raise InputError("packed: is missing or not text")
    body = _inflated(packed)
    if hashlib.sha256(body).hexdigest() != manifest.get("digest"):
        raise InputError("digest: does not match the packed claims; they were changed in transit")
    try:
        claims = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise InputError("packed: is not deflated JSON in base64") from None
    if not isinstance(claims, list) or len(claims) != manifest.get("count"):
        raise InputError("count: is not the number of packed claims")
    return claims


def _inflated(packed: str) -> bytes:
    """Never more than the bound, whatever the packed bytes would grow to."""
    try:
        unpacker = zlib.decompressobj()
        body = unpacker.decompress(base64.b64decode(packed, validate=True), MAX_BYTES)
    except (binascii.Error, ValueError, zlib.error):
        raise InputError("packed: is not deflated JSON in base64") from None
    if not unpacker.eof:
        raise InputError(f"packed: is truncated, or expands beyond {MAX_BYTES:,} bytes")
    return body
