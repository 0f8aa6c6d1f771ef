"""Who may take how much of the service at once: slots, streams and bytes for each workspace, so that none can take them all.

Limits are those of the whole service: among the processes that share a store they are divided. Knows nothing about HTTP.
"""

from __future__ import annotations

from dataclasses import dataclass

from witnessmark.server.http.errors import later
from witnessmark.server.http.limits import Rates
from witnessmark.settings import ServiceSettings

LOGINS = 32
"""People who sign in at once, in one process: nobody knows yet who they are, so they have slots of their own."""


@dataclass(slots=True)
class Ticket:
    """One request on its way: whose it is once that is known, and what it holds."""

    workspace: str | None = None
    slot: bool = False
    stream: bool = False
    login: bool = False
    bytes: int = 0


class Admission:
    """Counts what is being served, by workspace."""

    def __init__(self, settings: ServiceSettings, share: int = 1) -> None:
        self._settings, self._quota, self.share = settings, settings.quota, share
        self.total, self.streams, self.bytes, self.logins = 0, 0, 0, 0
        self._slots: dict[str, int] = {}
        self._streams: dict[str, int] = {}
        self._bytes: dict[str, int] = {}
        self._rates = Rates(0)

    def _most(self, limit: int) -> int:
        return (limit // self.share or 1) if limit else 0

    def login(self, ticket: Ticket) -> None:
        """Somebody signs in; 503 where too many do."""
        if self.logins >= LOGINS:
            raise later(503, f"{LOGINS} people are signing in; try again")
        ticket.login = True
        self.logins += 1

    def enter(self, ticket: Ticket, workspace: str) -> None:
        """A request of this workspace begins; 429 where it has too many, 503 where all together have."""
        if ticket.workspace is not None:
            return
        most, each = self._settings.concurrency, self._most(self._quota.requests)
        if most and self.total >= most:
            raise later(503, f"{most} requests are being served; try again")
        busy = self._slots.get(workspace, 0)
        if each and busy >= each:
            raise later(
                429, f"{each} requests of this workspace are being served; wait for some (service.quota.requests)"
            )
        per_minute = self._most(self._quota.bytes_per_minute)
        wait = self._rates.owed_s(workspace, per_minute) if per_minute else 0.0
        if wait:
            raise later(429, "too many bytes in a minute (service.quota.bytes_per_minute); slow down", wait)
        ticket.workspace, ticket.slot = workspace, True
        self.total += 1
        self._slots[workspace] = busy + 1

    def read(self, ticket: Ticket, count: int) -> None:
        """So many bytes of a body are held for the request from now on."""
        workspace = ticket.workspace
        if workspace is None:
            return
        ticket.bytes += count
        self.bytes += count
        held = self._bytes[workspace] = self._bytes.get(workspace, 0) + count
        each, most = self._quota.bytes_at_once, self._settings.bytes_at_once
        if each and held > each:
            raise later(429, f"bodies of this workspace hold more than {each:,} bytes (service.quota.bytes_at_once)")
        if most and self.bytes > most:
            raise later(503, f"all bodies together hold more than {most:,} bytes; try again")

    def streams_from_now(self, ticket: Ticket) -> None:
        """The answer has no end: it gives its slot back, and takes one of the workspace's streams."""
        workspace = ticket.workspace
        if workspace is None or ticket.stream:
            return
        each = self._most(self._quota.streams)
        open_now = self._streams.get(workspace, 0)
        if each and open_now >= each:
            raise later(429, f"{each} streams of this workspace are open; close some (service.quota.streams)", 10)
        self._free_slot(ticket)
        ticket.stream = True
        self.streams += 1
        self._streams[workspace] = open_now + 1

    def leave(self, ticket: Ticket) -> None:
        """The request is over; what it held is free."""
        if ticket.login:
            self.logins -= 1
        workspace = ticket.workspace
        if workspace is None:
            return
        self._free_slot(ticket)
        if ticket.stream:
            self.streams -= 1
            _less(self._streams, workspace, 1)
        if ticket.bytes:
            self.bytes -= ticket.bytes
            _less(self._bytes, workspace, ticket.bytes)
            per_minute = self._most(self._quota.bytes_per_minute)
            if per_minute:
                self._rates.take(workspace, ticket.bytes, per_minute)

    def _free_slot(self, ticket: Ticket) -> None:
        if ticket.slot and ticket.workspace is not None:
            ticket.slot = False
            self.total -= 1
            _less(self._slots, ticket.workspace, 1)


def _less(counter: dict[str, int], name: str, count: int) -> None:
    left = counter[name] - count
    if left > 0:
        counter[name] = left
    else:
        del counter[name]
