"""Is it there, is it well, what happens: /healthz, /readyz, /metrics, /events."""

from __future__ import annotations

from typing import Any

from witnessmark.core.values import Value
from witnessmark.insight import prometheus
from witnessmark.server.http.endpoints import ApiRequest, Endpoint, Response, json_reply
from witnessmark.server.http.errors import later

PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


class Health(Value, frozen=True):
    """It is."""

    status: str


async def healthz(ask: ApiRequest) -> Response:
    """The process answers."""
    return json_reply({"status": "ok"})


async def readyz(ask: ApiRequest) -> Response:
    """The store answers and can be written too: on a full disk there is nothing to be had here."""
    if not ask.state.ready:
        raise later(503, "starting or stopping")
    if not await ask.state.writable():
        raise later(503, "the store cannot be written")
    return json_reply({"status": "ready"})


async def metrics(ask: ApiRequest) -> Response:
    """Counters and gauges for Prometheus: of the caller's workspace, and of this process."""
    state = ask.state
    kept = await prometheus.text(state.store, [ask.caller.workspace], state.settings.calibration)
    return Response(f"{kept}{process_text(state)}".encode(), media=PROMETHEUS)


def process_text(state: Any) -> str:
    """What this process has served."""
    lines = [
        "# HELP witnessmark_http_requests_total Requests served.",
        "# TYPE witnessmark_http_requests_total counter",
    ]
    counts = sorted(state.counts.items())
    label = [f'{{route="{route}",status="{status}"}}' for (route, status), _ in counts]
    pairs = list(zip(label, [told for _, told in counts], strict=True))
    lines += [f"witnessmark_http_requests_total{mark} {int(told[0])}" for mark, told in pairs]
    lines += [
        "# HELP witnessmark_http_request_seconds_total Seconds spent on them.",
        "# TYPE witnessmark_http_request_seconds_total counter",
    ]
    lines += [f"witnessmark_http_request_seconds_total{mark} {told[1]:.6f}" for mark, told in pairs]
    lines += [
        "# HELP witnessmark_http_requests_in_flight Requests being served.",
        "# TYPE witnessmark_http_requests_in_flight gauge",
        f"witnessmark_http_requests_in_flight {state.admission.total}",
    ]
    return "\n".join(lines) + "\n"


async def events(ask: ApiRequest) -> Response:
    """One event for each record of the workspace from now on."""
    return Response(media="text/event-stream", stream=ask.state.changes(ask.caller, ask.headers))


_TEXT: dict[str, Any] = {"type": "string"}
ENDPOINTS = (
    Endpoint(
        "GET",
        "/healthz",
        healthz,
        "Whether the process answers.",
        None,
        answers={200: ("The process answers.", Health)},
    ),
    Endpoint(
        "GET",
        "/readyz",
        readyz,
        "Whether the service can do its work: the store can be read and written.",
        None,
        answers={200: ("Ready.", Health)},
    ),
    Endpoint(
        "GET",
        "/metrics",
        metrics,
        "Figures for Prometheus.",
        answers={200: ("Figures in the text format of Prometheus.", _TEXT)},
        media=PROMETHEUS,
    ),
    Endpoint(
        "GET",
        "/events",
        events,
        "Server-sent events: one for each record from now on.",
        answers={200: ("A stream of events that does not end.", _TEXT)},
        media="text/event-stream",
        timed=False,
    ),
)
