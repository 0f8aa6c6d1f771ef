"""Claims while they are being read, and how several mentions become one: a file told twice, once in full and once by its name, counts once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from witnessmark.actions.claims.claim import ActionKind


@dataclass(slots=True)
class DraftClaim:
    """A claim while it is being read. `assumed`: no verb said it, only where it stands."""

    kind: ActionKind
    start: int
    end: int
    path: str | None = None
    to: str | None = None
    command: str | None = None
    exit_code: int | None = None
    passed: int | None = None
    failed: int | None = None
    assumed: bool = False
    good: bool = False
    """Of a command: the words say that it went well."""


_STRENGTH = {"file_create": 3, "file_write": 3, "file_edit": 1}


def merged(
    found: list[DraftClaim], files: Iterable[str], *, nothing_changed: bool, loose: Callable[[DraftClaim], bool]
) -> list[DraftClaim]:
    """The claims in order of their words, each once. Where the report says nothing was changed, what is only assumed goes.

    Of a file that is named more than once the words count that say plainly what was done: `loose` tells which do not.
    """
    full = _by_name(files)
    kept: dict[tuple[object, ...], DraftClaim] = {}
    for claim in found:
        if nothing_changed and claim.assumed:
            continue
        _resolve(claim, full)
        key = _key(claim)
        known = kept.get(key)
        if known is None:
            kept[key] = claim
        elif _STRENGTH.get(claim.kind, 0) > _STRENGTH.get(known.kind, 0):
            known.kind = claim.kind
        elif claim.kind == "command" and claim.exit_code is not None:
            known.exit_code = claim.exit_code
        if known is not None and claim.path is not None and loose(known) and not loose(claim):
            known.start, known.end = claim.start, claim.end
    claims = _without_shadows(list(kept.values()))
    return sorted(_tests_once(claims), key=lambda claim: (claim.start, claim.end))


def _by_name(files: Iterable[str]) -> dict[str, str]:
    """For each bare name, the one longer path that ends in it."""
    found: dict[str, set[str]] = {}
    bare = set()
    for path in files:
        name = path.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
        if name == path.rstrip("/"):
            bare.add(name)
        else:
            found.setdefault(name, set()).add(path)
    return {name: next(iter(paths)) for name, paths in found.items() if len(paths) == 1 and name in bare}


def _resolve(claim: DraftClaim, full: dict[str, str]) -> None:
    if claim.kind == "file_rename":
        return
    if claim.path is not None:
        claim.path = full.get(claim.path.rstrip("/"), claim.path)


def _key(claim: DraftClaim) -> tuple[object, ...]:
    if claim.kind == "command":
        return ("command", " ".join((claim.command or "").split()))
    if claim.kind == "tests_passed":
        return ("tests", claim.passed, claim.failed, claim.start if claim.passed is None else 0)
    path = (claim.path or "").rstrip("/")
    if claim.kind == "file_rename":
        return ("rename", path, (claim.to or "").rstrip("/"))
    return ("delete" if claim.kind == "file_delete" else "change", path)


def _without_shadows(claims: list[DraftClaim]) -> list[DraftClaim]:
    """A file that was renamed or deleted was not also edited; one that was created and then deleted was both."""
    moved = {part.rstrip("/") for c in claims if c.kind == "file_rename" for part in (c.path or "", c.to or "")}
    gone = {(c.path or "").rstrip("/") for c in claims if c.kind == "file_delete"}

    def shadowed(claim: DraftClaim) -> bool:
        path = (claim.path or "").rstrip("/")
        if claim.kind == "file_edit":
            return path in gone or path in moved
        return claim.kind in ("file_create", "file_write", "file_delete") and path in moved

    return [claim for claim in claims if not shadowed(claim)]


def _tests_once(claims: list[DraftClaim]) -> list[DraftClaim]:
    """One bare `tests pass`, and none beside counts."""
    counted = [c for c in claims if c.kind == "tests_passed" and c.passed is not None]
    best: list[DraftClaim] = []
    for claim in counted:
        same = next(
            (
                c
                for c in best
                if c.passed == claim.passed and (c.failed is None or claim.failed is None or c.failed == claim.failed)
            ),
            None,
        )
        if same is None:
            best.append(claim)
        elif same.failed is None:
            same.failed = claim.failed
    bare = [c for c in claims if c.kind == "tests_passed" and c.passed is None]
    kept = best or bare[:1]
    return [c for c in claims if c.kind != "tests_passed"] + kept
