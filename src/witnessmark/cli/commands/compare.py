"""`witnessmark compare`: two outputs of `batch` side by side, for a person or for CI."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from witnessmark.batch.compare import compare_files, markdown
from witnessmark.cli import exits
from witnessmark.cli import options as opt
from witnessmark.cli.output import comparison
from witnessmark.cli.output.reports import save

SHOWN = 50


def compare(
    before: Annotated[str, typer.Argument(metavar="A", help="The output to compare with (.jsonl or .parquet).")],
    after: Annotated[str, typer.Argument(metavar="B", help="The output to judge.")],
    fail_on_regression: Annotated[
        bool, typer.Option("--fail-on-regression", help="Exit with code 1 if any case came out worse or is gone.")
    ] = False,
    show: Annotated[int, typer.Option(min=0, help="How many changed cases to list.")] = SHOWN,
    html: Annotated[
        str | None,
        typer.Option("--html", metavar="FILE", help="Write both side by side as one HTML file, worst first."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object with every changed case.")] = False,
) -> None:
    """Compare two runs over the same cases: what came out worse, what better, and whether chance explains it.

    From worst to best: no longer a case, fail, unverified, partial, pass. A regression is a case that came out worse. A case
    that is in one output only is listed; one of A that is gone, and a row of B that is no case, count for --fail-on-regression.
    """
    opt.in_a_folder("--html", html)
    found = compare_files(before, after)
    if html:
        save(html, comparison.page([(Path(after).stem, found)], Path(before).stem))
    typer.echo(msgspec.json.encode(found.plain()).decode() if json else markdown(found, show))
    raise typer.Exit(exits.FAIL if fail_on_regression and found.worse_off else exits.PASS)
