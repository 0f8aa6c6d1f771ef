"""Runs side by side as one self-contained HTML page: worst first, filterable without a script, both answers in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from witnessmark.batch.compare import Comparison, significance
from witnessmark.server.pages import render
from witnessmark.server.pages.text_diff import changes

FILTERS = (("all", "All"), ("worse", "Worse"), ("better", "Better"), ("same", "Unchanged"))
MOST = 2_000
_MOVED = {-1: "worse", 0: "same", 1: "better"}


def page(found: Sequence[tuple[str, Comparison]], before: str) -> bytes:
    """Each run against the first one. `before` is the name of that one."""
    hide = "\n".join(
        f"body:has(#f-{name}:checked) [data-moved]:not([data-moved={name}]) {{ display: none; }}"
        for name, _ in FILTERS[1:]
    )
    style, style_hash = render.inline("style", "witnessmark.css", more=hide)
    runs = [
        {
            "name": name,
            "told": significance(one),
            "found": one,
            "pairs": [
                {"pair": pair, "moved": _MOVED[pair.moved], "changes": changes(pair.before_answer, pair.after_answer)}
                for pair in one.worst_first()[:MOST]
            ],
            "left_out": max(0, len(one.pairs) - MOST),
        }
        for name, one in found
    ]
    moved = Counter(_MOVED[pair.moved] for _, one in found for pair in one.worst_first()[:MOST])
    counts = {name: moved[name] for name, _ in FILTERS} | {"all": moved.total()}
    return render.text_of(
        "compare.html", policy=render.alone(style_hash), style=style, runs=runs, before=before, filters=FILTERS,
        moves=dict(FILTERS), counts=counts,
    ).encode()  # fmt: skip
