"""One call over a connection of the pool, against a server that says word for word what a test has it say."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import aiohttp
import pytest
from yarl import URL

from witnessmark.judges import connections
from witnessmark.judges.connections import Connections

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


class Server:
    """Answers request after request with these bytes and keeps what it was sent; it hangs up where told to."""

    def __init__(self, *answers: bytes, hangs_up: bool = False) -> None:
        self.answers, self.hangs_up = list(answers), hangs_up
        self.heads: list[str] = []
        self.bodies: list[bytes] = []
        self.connections = 0
        self._serving: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Server:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._server.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    @property
    def url(self) -> URL:
        return URL(f"http://127.0.0.1:{self.port}/v1/chat?api-version=1")

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError), contextlib.closing(writer):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                self.heads.append(head)
                length = next(
                    int(line[15:]) for line in head.split("\r\n") if line.lower().startswith("content-length:")
                )
                self.bodies.append(await reader.readexactly(length))
                writer.write(self.answers.pop(0) if len(self.answers) > 1 else self.answers[0])
                if self.hangs_up:
                    break


def _posted(server: Server, *, times: int = 1, proxy: str | None = None, url: URL | None = None) -> Any:
    """The last of so many calls, one after the other."""

    async def work() -> Any:
        async with server:
            held = Connections()
            through = None if proxy is None else proxy.format(port=server.port)
            try:
                for _ in range(times):
                    reply = await held.post(url or server.url, through, {"Authorization": "Bearer k"}, b'{"a": 1}')
                return reply
            finally:
                await held.close()

    return asyncio.run(work())


def test_a_call_is_a_plain_post_with_its_headers_and_its_body():
    server = Server(OK)
    assert _posted(server) == (200, b"{}", None)
    line, *headers = server.heads[0].split("\r\n")
    assert line == "POST /v1/chat?api-version=1 HTTP/1.1"
    told = dict(header.split(": ", 1) for header in headers if header)
    assert told["Host"] == f"127.0.0.1:{server.port}"
    assert (told["Authorization"], told["Content-Type"]) == ("Bearer k", "application/json")
    assert told["Content-Length"] == "8"
    assert len(told) == len([header for header in headers if header])  # none of them twice
    assert server.bodies == [b'{"a": 1}']


def test_a_connection_is_used_again():
    server = Server(OK)
    _posted(server, times=3)
    assert (len(server.heads), server.connections) == (3, 1)


@pytest.mark.parametrize("header", ["Connection: close", "Content-Length: 2\r\nConnection: close"])
def test_one_that_the_endpoint_closes_is_not(header):
    server = Server(f"HTTP/1.1 200 OK\r\n{header}\r\n\r\n{{}}".encode(), hangs_up=True)
    assert _posted(server, times=2) == (200, b"{}", None)
    assert server.connections == 2


def test_a_reply_in_chunks_is_put_together():
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1;x=y\r\n}\r\n0\r\n\r\n"
    assert _posted(Server(chunked)).content == b"{}"


def test_word_that_the_answer_is_on_its_way_is_not_the_answer():
    early = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    assert _posted(Server(b"HTTP/1.1 100 Continue\r\n\r\n" + early + OK)) == (200, b"{}", None)


def test_a_redirect_is_an_answer_and_nobody_is_sent_there():
    server = Server(b"HTTP/1.1 307 Temporary Redirect\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n")
    assert _posted(server).status == 307
    assert len(server.heads) == 1


def test_what_the_endpoint_asks_to_be_waited_for_is_told():
    busy = b"HTTP/1.1 429 Too Many Requests\r\nretry-after: 7\r\nContent-Length: 0\r\n\r\n"
    assert _posted(Server(busy)) == (429, b"", "7")


@pytest.mark.parametrize(
    "answer",
    [b"SSH-2.0-OpenSSH_9.6\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n{}", b"", OK[:-1]],
    ids=["no HTTP", "a wrong length", "nothing", "cut short"],
)
def test_what_is_no_answer_is_an_error_of_the_client(answer):
    with pytest.raises((aiohttp.ClientError, OSError)):
        _posted(Server(answer, hangs_up=True))


def test_a_reply_without_end_is_read_up_to_the_limit_and_its_connection_is_left(monkeypatch):
    monkeypatch.setattr(connections, "MAX_REPLY_BYTES", 10)
    server = Server(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + b"x" * 100)
    assert _posted(server, times=2) == (200, b"x" * 10, None)
    assert server.connections == 2


def test_a_proxy_is_told_the_whole_address_and_who_asks():
    server = Server(OK)
    where = URL("http://judge.example/v1/chat")
    assert _posted(server, times=2, proxy="http://me:secret@127.0.0.1:{port}", url=where).status == 200
    for head in server.heads:
        assert head.startswith("POST http://judge.example/v1/chat HTTP/1.1\r\nHost: judge.example\r\n")
        assert "Proxy-Authorization: Basic bWU6c2VjcmV0\r\n" in head


def test_a_call_that_is_called_off_leaves_no_connection_behind():
    async def work() -> int:
        async with Server(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}", OK) as server:
            held = Connections()
            call = asyncio.create_task(held.post(server.url, None, {}, b""))
            while not server.bodies:  # noqa: ASYNC110 - it is asked, and its answer never ends
                await asyncio.sleep(0)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await call
            assert await held.post(server.url, None, {}, b"") == (200, b"{}", None)
            await held.close()
            return server.connections

    assert asyncio.run(work()) == 2
