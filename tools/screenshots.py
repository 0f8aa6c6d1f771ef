"""Pictures of every page for the documentation: a demo store, the real service, a real browser. `make screenshots` runs it.

Writes docs/img/*.png, a few of them and small: light, dark, and as wide as a phone.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import shutil
import struct
import sys
import tempfile
import threading
import time
import urllib.request
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "docs" / "img"
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE, DESK = (390, 844), (1280, 860)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def shots(base: str) -> list[tuple[str, str, tuple[int, int], str, bool]]:
    """Name, address, size, theme, and whether the whole page is wanted."""
    record = found(base, "checkpoint=synthesis&outcome=partial")
    return [
        ("overview-light", "/", DESK, "light", True),
        ("overview-dark", "/", DESK, "dark", True),
        ("overview-phone", "/", PHONE, "light", False),
        ("records-light", "/ui/records", DESK, "light", False),
        ("records-phone", "/ui/records", PHONE, "dark", False),
        ("record-light", record, (1280, 1180), "light", False),
        ("record-phone", record, PHONE, "light", False),
        ("review-light", "/ui/review", DESK, "light", False),
        ("review-phone", "/ui/review", PHONE, "dark", False),
        ("verify-light", "/ui/verify?example=figure", DESK, "light", False),
        ("calibration-light", "/ui/calibration", (1280, 1000), "light", False),
        ("experiments-light", "/ui/experiments", DESK, "light", False),
        ("settings-dark", "/ui/settings", DESK, "dark", False),
        ("settings-phone", "/ui/settings", PHONE, "light", False),
    ]


def found(base: str, query: str) -> str:
    with urllib.request.urlopen(f"{base}/ui/records?{query}") as answer:
        seen = re.search(r"/ui/records/[0-9a-f]{64}", answer.read().decode())
    assert seen is not None
    return seen.group()


async def prepared(url: str) -> None:
    """Thirty days of work, a calibration on the shipped data, and an experiment."""
    from tools.demo_store import experiment, fill

    from witnessmark.insight import artifacts, calibration, experiments
    from witnessmark.server.pages.calibration import labels
    from witnessmark.stores import open_store

    store = open_store(url)
    await fill(store)
    await artifacts.keep(store, calibration.fit(labels(), name="shipped"))  # type: ignore[arg-type]
    await experiments.keep(store, experiment())  # type: ignore[arg-type]
    await store.close()


@contextmanager
def serving(url: str) -> Iterator[str]:
    import uvicorn

    from witnessmark.server.app import create_app
    from witnessmark.server.uvicorn_server import bound
    from witnessmark.settings import Settings

    app, socket = create_app(Settings(store=url)), bound("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="none", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[socket])))
    thread.start()
    base = f"http://127.0.0.1:{socket.getsockname()[1]}"
    while True:
        try:
            urllib.request.urlopen(f"{base}/readyz").close()
            break
        except OSError:
            time.sleep(0.1)
    try:
        yield base
    finally:
        server.should_exit = True
        thread.join()


def smaller(png: bytes) -> bytes:
    """The picture with at most 256 colours, the nearest for all others: a third of the size, and no eye sees it."""
    width, height, rows = _pixels(png)
    counts: dict[bytes, int] = {}
    for row in rows:
        for at in range(0, len(row), 3):
            key = row[at : at + 3]
            counts[key] = counts.get(key, 0) + 1
    palette = _palette(counts)
    near = {colour: number for number, colour in enumerate(palette)}
    for colour in counts:
        if colour not in near:
            near[colour] = min(
                range(len(palette)), key=lambda n: sum((a - b) ** 2 for a, b in zip(palette[n], colour, strict=True))
            )
    body = b"".join(b"\0" + bytes(near[row[at : at + 3]] for at in range(0, len(row), 3)) for row in rows)
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", b"".join(palette)), (b"IDAT", zlib.compress(body, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )


def _palette(counts: dict[bytes, int]) -> list[bytes]:
    """The commonest colour of every corner of the cube first, so that a small dot keeps its hue; then the commonest of all."""
    common = sorted(counts, key=lambda colour: -counts[colour])
    corners: dict[tuple[int, ...], bytes] = {}
    for colour in common:
        corners.setdefault(tuple(channel >> 5 for channel in colour), colour)
    return list(dict.fromkeys([*corners.values(), *common]))[:256]


def _pixels(png: bytes) -> tuple[int, int, list[bytes]]:
    """Width, height and rows of an 8-bit RGB picture without interlacing, as the browser writes it."""
    at, packed, width, height, channels = 8, b"", 0, 0, 3
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        name, data = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        if name == b"IHDR":
            width, height, depth, kind = struct.unpack(">IIBB", data[:10])
            assert depth == 8
            channels = {2: 3, 6: 4}[kind]
        packed += data if name == b"IDAT" else b""
        at += length + 12
    raw, size, rows = zlib.decompress(packed), width * channels, []
    before = bytearray(size)
    for number in range(height):
        start = number * (size + 1)
        before = _unfiltered(raw[start], bytearray(raw[start + 1 : start + 1 + size]), before, channels)
        rows.append(bytes(before) if channels == 3 else b"".join(bytes(before[i : i + 3]) for i in range(0, size, 4)))
    return width, height, rows


def _unfiltered(kind: int, row: bytearray, above: bytearray, step: int) -> bytearray:
    for i in range(len(row) if kind else 0):
        left = row[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        row[i] = (row[i] + _guess(kind, left, above[i], corner)) & 255
    return row


def _guess(kind: int, left: int, up: int, corner: int) -> int:
    if kind < 3:
        return (0, left, up)[kind]
    if kind == 3:
        return (left + up) // 2
    guess = left + up - corner
    return min((left, up, corner), key=lambda value: abs(guess - value))


def main() -> int:
    from playwright.sync_api import sync_playwright

    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--out", type=Path, default=OUT)
    options.add_argument("--only", default="", help="names that contain this")
    chosen = options.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    executable = os.environ.get("WITNESSMARK_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/demo.db"
        asyncio.run(prepared(url))
        with serving(url) as base, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
            for name, path, (width, height), theme, whole in shots(base):
                if chosen.only not in name:
                    continue
                context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)  # type: ignore[arg-type]
                page = context.new_page()
                page.goto(base + path)
                page.wait_for_timeout(400)
                body = smaller(page.screenshot(full_page=whole))
                (chosen.out / f"{name}.png").write_bytes(body)
                print(f"{name}.png {len(body) / 1024:.0f} KB")
                context.close()
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
