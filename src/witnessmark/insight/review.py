"""A second look at a verdict: a person's word, what really happened, another judge or policy.

Nothing here changes a record. Each look is a record of its own whose parent is the verification it is about; of several
overrides the newest holds. Knows the store and the Verifier; how a verdict comes about is not decided here.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from witnessmark.core import record as records
from witnessmark.core.case import Case
from witnessmark.core.case_verifier import CaseVerifier
from witnessmark.core.errors import InputError, UsageError
from witnessmark.core.record import (
    UNDONE,
    Entry,
    Record,
    ResultRecord,
    Run,
    Store,
    new_run_id,
    newest_word,
    verification_of,
    word_number,
)
from witnessmark.core.values import canonical
from witnessmark.core.verdict import OUTCOMES, Action, Outcome, Status
from witnessmark.insight.replay import kept_case

Word = Literal["override", "outcome"]
_ACTION: Mapping[str, Action] = {"pass": "accept", "partial": "warn", "fail": "abort", "unverified": "escalate"}
_STATUS: Mapping[str, Status] = {"pass": "pass", "partial": "partial", "fail": "fail", "unverified": "abstain"}
_SCORE: Mapping[str, float | None] = {"pass": 1.0, "partial": 0.5, "fail": 0.0, "unverified": None}
LONGEST = 4_000
LONGEST_NAME = 200
LONGEST_FACTS = 20_000
"""Bytes of all facts of an outcome together, as JSON: they are kept in its record, and what is longer belongs elsewhere."""
MOMENT_S = 1e-6
standing = records.standing


async def override(
    store: Store,
    record_id: str,
    *,
    outcome: str,
    reason: str,
    by: str = "",
    workspace: str | None = None,
    claims: Mapping[str, bool] | None = None,
) -> Record:
    """A person's word on a verdict: from now on it holds. The verdict itself stays as it was.

    `claims` says of single claims, by their number in the record from 1, whether they are right.
    """
    details: dict[str, Any] = _by(by)
    if claims:
        known = {str(number) for number, _ in enumerate((await verification_of(store, record_id, workspace)).claims, 1)}
        if unknown := claims.keys() - known:
            raise InputError(f"claims: {min(unknown)[:40]!r} is not the number of a claim; the record has {len(known)}")
        details["claims"] = dict(claims)
    return await _keep(store, await _word(store, record_id, "override", outcome, reason, details, workspace))


async def override_several(
    store: Store, record_ids: Sequence[str], *, outcome: str, reason: str, by: str = "", workspace: str | None = None
) -> list[str]:
    """The same word of a person on several verdicts, all or none: where one of them cannot be, no word is kept.

    Returns the whole ids of the verifications, each once: an id and its beginning are of one.
    """
    details, ids = _by(by), await _verifications(store, record_ids, workspace)
    await store.append([await _word(store, one, "override", outcome, reason, details, workspace) for one in ids])
    return ids


async def undo(store: Store, record_id: str, *, by: str = "", workspace: str | None = None) -> Record:
    """Take back a person's word: the verification stands as if nobody had spoken, and nothing is learned from it.

    Raises UsageError where nobody has spoken, or the last word was taken back already.
    """
    return await _keep(store, await _undoing(store, record_id, by, workspace))


async def undo_several(
    store: Store, record_ids: Sequence[str], *, by: str = "", workspace: str | None = None, of: str | None = None
) -> list[str]:
    """Take back a person's word on each of several verdicts, all or none; with `of`, only where it is that person's.

    Returns the whole ids of the verifications, each once.
    """
    ids = await _verifications(store, record_ids, workspace)
    await store.append([await _undoing(store, one, by, workspace, of) for one in ids])
    return ids


async def _verifications(store: Store, record_ids: Sequence[str], workspace: str | None) -> list[str]:
    """The ids of the verifications that these ids stand for, each once."""
    return list(dict.fromkeys([(await verification_of(store, one, workspace)).id for one in record_ids]))


async def _undoing(store: Store, record_id: str, by: str, workspace: str | None, of: str | None = None) -> Entry:
    about = await verification_of(store, record_id, workspace)
    last = newest_word(await store.children(about.id), "override")
    if last is None:
        raise UsageError(f"record {about.id[:12]}: nobody has decided on it; there is nothing to undo")
    whose = str(last.results[0].details.get("by", ""))
    if of is not None and whose != of:
        raise UsageError(
            f"record {about.id[:12]}: {whose or 'somebody else'} has decided on it since ({last.outcome}: {last.because}), and that stays"
        )
    details = {UNDONE: last.id} | _by(by)
    return await _word(store, about.id, "override", "unverified", UNDONE, details, workspace)


async def outcome(
    store: Store,
    record_id: str,
    *,
    outcome: str,
    reason: str = "",
    facts: Mapping[str, Any] | None = None,
    workspace: str | None = None,
) -> Record:
    """What really happened later: whether the work turned out well, and what is known about it. Verdicts stay as they are.

    A fact by the name of a detail of ours, `was` or `number`, is kept as `facts.was` or `facts.number`.
    """
    if outcome == "unverified":
        raise InputError("outcome: what really happened is pass, partial or fail; record it once it is known")
    size = len(canonical(facts or {}))
    if size > LONGEST_FACTS:
        raise InputError(
            f"facts: {size:,} bytes are more than the {LONGEST_FACTS:,} that are kept; say where the rest is"
        )
    told = reason or f"the actual outcome was {outcome}"
    return await _keep(store, await _word(store, record_id, "outcome", outcome, told, dict(facts or {}), workspace))


def _by(name: str) -> dict[str, Any]:
    """Who said it, as a detail; none where nobody is named."""
    if len(name) > LONGEST_NAME:
        raise InputError(f"by: {len(name)} characters are more than the {LONGEST_NAME} that are kept; give a name")
    return {"by": name} if name else {}


async def _keep(store: Store, entry: Entry) -> Record:
    await store.append([entry])
    assert entry.record is not None
    return entry.record


async def _word(
    store: Store, record_id: str, word: Word, outcome: str, reason: str, details: dict[str, Any], workspace: str | None
) -> Entry:
    """A word about a record, ready to be kept."""
    chosen = _outcome(outcome)
    if not reason.strip():
        raise InputError("reason: say why, in a few words; a decision without a reason helps nobody later")
    if len(reason) > LONGEST:
        raise InputError(f"reason: {len(reason)} characters are more than the {LONGEST} that are kept; be brief")
    about = await verification_of(store, record_id, workspace)
    before = [child for child in await store.children(about.id) if child.kind == word]
    # Not how many there are: those of before a purge are gone, and the later word must have the higher number.
    ours = {"was": about.outcome, "number": max(map(word_number, before), default=0) + 1}
    told = {f"facts.{name}" if name in ours else name: detail for name, detail in details.items()}
    said = ResultRecord(
        node="person" if word == "override" else "world",
        check=word,
        version="1",
        status=_STATUS[chosen],
        score=_SCORE[chosen],
        reason=reason.strip(),
        independence="unknown",
        details=ours | told,
    )
    made = _record(about, word, chosen, said)
    at = await _after(store, (about, *before))
    return Entry(made.id, made.workspace, made, (Run(new_run_id(at), at),), None, False, about.id)


def _outcome(word: str) -> Outcome:
    for known in OUTCOMES:
        if word == known:
            return known  # type: ignore[return-value]
    raise InputError(f"outcome: {word!r} is not one of {', '.join(OUTCOMES)}")


def _record(about: Record, word: Word, outcome: Outcome, said: ResultRecord) -> Record:
    made = Record(
        id="",
        case_id=about.case_id,
        case_digest=about.case_digest,
        checkpoint=about.checkpoint,
        workspace=about.workspace,
        kind=word,
        outcome=outcome,
        action=_ACTION[outcome],
        because=said.reason,
        layer="person" if word == "override" else "world",
        score=said.score,
        independence="unknown",
        results=(said,),
        attempt=about.attempt,
        parent=about.id,
        evidence=about.evidence,
        graph=about.graph,
        policy=about.policy,
    )
    msgspec.structs.force_setattr(made, "id", made.identity())
    return made


async def _after(store: Store, earlier: Sequence[Record]) -> float:
    """Now, or a moment after these where the clock went back: the last word by number must be the last by time."""
    runs = [run for one in earlier for run in (await store.get(one.id, one.workspace)).runs]
    return max(time.time(), max((run.at for run in runs), default=0.0) + MOMENT_S)


# --- another judge, another policy ---------------------------------------------------------------------------------


async def reverify(verifier: CaseVerifier, record_id: str, *, case: Case | None = None) -> Record:
    """Verify again what a record is about, with this verifier's judges and policy; the new record has the old as parent."""
    if verifier.store is None:
        raise UsageError("verifying again needs the store that holds the record; open the verifier with one")
    about = await verification_of(verifier.store, record_id)
    entry = await verifier.store.get(about.id, about.workspace)
    given = case or kept_case(entry)
    if given.digest() != about.case_digest:
        raise InputError(f"this is not the case of record {about.id[:12]}: its digest differs")
    return await verifier.verify(given, checkpoint=about.checkpoint, attempt=about.attempt, parent=about.id)
