"""What a record that is no row is called: `billing-api`, of `name: billing-api`, where a claim has it as it is written."""

from __future__ import annotations

import re
from collections.abc import Sequence

from witnessmark.checks.grounding.evidence import Index, once
from witnessmark.text.records import Field

SHORT = 2
"""Letters up to which a text of a record is no name."""
Label = tuple[str, Field]
"""A source, and the field by which its record is called."""


@once
def _texts(index: Index) -> Sequence[Label]:
    """The texts that stand in no row: one of them may be what the record is called."""
    return [(s, f) for s, f in index.fields if f.kind == "text" and not f.row and len(f.value) > SHORT]


def named(claim: str, index: Index) -> Sequence[Label]:
    """The texts of such records that a claim has."""
    low = claim.lower()
    found = ((source, field) for source, field in _texts(index) if field.value.lower() in low)
    return [(s, f) for s, f in found if re.search(rf"(?<!\w){re.escape(f.value.lower())}(?!\w)", low)]


def apart(claim: str, index: Index) -> tuple[set[str], str]:
    """The sources whose record is called otherwise than the one that a claim names, and the claim with that name left blank: `the timeout of … is`."""
    labels = named(claim, index)
    paths = {field.path for _, field in labels}
    others = {source for source, field in _texts(index) if field.path in paths} - {source for source, _ in labels}
    for _, field in labels:
        claim = re.sub(re.escape(field.value), lambda found: " " * len(found[0]), claim, flags=re.IGNORECASE)
    return others, claim
