"""Is every claim of an answer borne out by its evidence? Rules, overlap, the embedded model and a judge, in that order.

A figure, date or name that the evidence contradicts fails the check; a low probability alone only brings it down to
`partial`. Nothing to check and nothing to check against are `abstain`, never a pass. What rules settle, no model and no judge
is asked about. Holds no rule of its own.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict, Unpack

from msgspec import to_builtins
from msgspec.structs import replace as replace_value

from witnessmark.checks.grounding import findings, refusals, whole_answer
from witnessmark.checks.grounding import judge as asking
from witnessmark.checks.grounding.claim_reader import ClaimReader, as_read, read
from witnessmark.checks.grounding.claims import claims
from witnessmark.checks.grounding.confidence import Verification, VerificationOptions, with_settings
from witnessmark.checks.grounding.decision import (
    ClaimDecision,
    contradicted,
    decide,
    fitted,
    in_language,
    settled,
    shaped,
    window,
)
from witnessmark.checks.grounding.evidence import Index, sources_of
from witnessmark.checks.grounding.features import ClaimFeatures, look, look_all
from witnessmark.checks.grounding.reading.abrupt_ends import ends_abruptly, with_broken_end
from witnessmark.checks.grounding.reading.citation_sources import held_to_citations, with_named_sources
from witnessmark.checks.grounding.reading.language import language_of, with_unread
from witnessmark.checks.grounding.relations.other_source import otherwise
from witnessmark.checks.grounding.statement import Statement
from witnessmark.core.allowance import bypass
from witnessmark.core.case import Case, Evidence
from witnessmark.core.errors import (
    BudgetError,
    ConfigError,
    JudgeReplyError,
    JudgesDisagreeError,
    JudgeUnavailableError,
    TransientError,
    UsageError,
)
from witnessmark.core.policy import Policy, independent
from witnessmark.core.protocols import Asks, Judge, Judges, Models, Reading, SupportModel
from witnessmark.core.registry import Look as CheckLook
from witnessmark.core.registry import check
from witnessmark.core.verdict import Cause, Claim, Finding, Independence, Result
from witnessmark.core.work.offload import offload
from witnessmark.judges.choice import choose

VERSION = "16"


class GroundingServices(TypedDict, total=False):
    """What the wiring hands to a check that reads claims as `grounding` does; all of it may be left out."""

    verification: Verification | None
    model: SupportModel | None
    models: Models | None
    judges: Judges | None
    policy: Policy | None


SERVICES = tuple(GroundingServices.__annotations__)


def claim_question(text: str, goal: str, evidence: Sequence[Evidence]) -> Asks:
    """At most one question, about all claims of the text; none where rules settle them all."""
    found = [one for one in claims(text) if one.checkable]
    sources = sources_of(evidence)
    if not found or not sources:
        return Asks()
    index = Index(sources, text)
    return Asks(
        [asking.question(goal, [(n, one, window(one.text, index)) for n, one in enumerate(found)])], surely=False
    )


def asks(case: Case, options: Mapping[str, Any]) -> Asks:
    """What a check that reads the claims of a case's text would ask a judge."""
    return claim_question(case.text, case.goal, case.evidence)


@check("grounding", version=VERSION, cost="local", services=("judge", *SERVICES), asks=asks)
def grounding(
    settings: VerificationOptions | None = None, *, judge: Judge | None = None, **services: Unpack[GroundingServices]
) -> CheckLook:
    """Every claim of a text against the evidence: supported, partial, unsupported, contradicted or unverifiable.

    Args:
        settings: what differs here from the `verification` that is configured, such as {"profile": "original"}.
        judge: the one to ask, in place of `judges`.
        services: what the wiring hands in.

    """
    asked_for = None if settings is None else to_builtins(settings)
    configured = with_settings(services.get("verification") or Verification(), asked_for, "option settings")
    model, models = services.get("model"), services.get("models")
    judges, policy = services.get("judges"), services.get("policy")

    def plainly(case: Case, prior: Mapping[str, Result]) -> Result:
        found = evaluate_claims(case, configured, model, models, policy)
        return found if isinstance(found, Result) else found.result({}, asking.ClaimReplies())

    async def judged(case: Case, prior: Mapping[str, Result]) -> Result:
        found = await offload(evaluate_claims, case, configured, model, models, policy)
        if isinstance(found, Result):
            return found
        heard, said = await _heard(case, found, judge, judges, policy)
        return found.result(heard, said)

    return plainly if judge is None and judges is None else judged


def engine(services: GroundingServices) -> Callable[[Case], Awaitable[Result]]:
    """What reads the claims of a case for another check, though verification be switched off for answers."""
    settings = replace_value(services.get("verification") or Verification(), enabled=True)
    read = grounding(**{**services, "verification": settings})

    async def result_of(case: Case) -> Result:
        found = read(case, {})
        return found if isinstance(found, Result) else await found

    return result_of


def evaluate_claims(
    case: Case,
    configured: Verification,
    model: SupportModel | None,
    models: Models | None,
    policy: Policy | None,
) -> _Readings | Result:
    """The case after rules and model, with what the case itself asks for over what is configured."""
    settings = with_settings(configured, case.context.get("verification"), "context.verification")
    wrong_from = None if settings.profile == "original" else (policy or Policy()).surely_wrong
    return _evaluate(case, settings, ClaimReader(model, models, settings), wrong_from)


async def _heard(
    case: Case, found: _Readings, judge: Judge | None, judges: Judges | None, policy: Policy | None
) -> tuple[dict[int, list[asking.ClaimReply]], asking.ClaimReplies]:
    """What a judge says about the claims that are open.

    Where none may be asked or none can be paid, rules and model go on alone and the record says so. A judge who was to be asked
    and broke, or cannot be asked for want of a key, is an error, unless rules already found a contradiction: that stands whoever answers.
    """
    why = bypass(policy, case) if policy is not None and judge is None else None
    if why is not None:
        return {}, asking.ClaimReplies(note=why)
    try:
        chosen = choose(judges, case, "grounding") if judges is not None and judge is None else None
        asked = judge if chosen is None else chosen.judge
        assert asked is not None
        far: Independence = "unknown" if chosen is None else chosen.independence
        if policy is not None and judge is None and not independent(policy, far):
            return {}, asking.ClaimReplies(
                note=f"no judge was asked: {asked.id} is not as independent as the policy requires"
            )
        heard, said = await _asked(asked, case, found)
    except (BudgetError, UsageError) as exc:
        return {}, asking.ClaimReplies(note=f"no judge was asked: {exc}")
    except (TransientError, JudgeReplyError, JudgesDisagreeError) as exc:
        if not found.contradicted:
            raise
        return {}, asking.ClaimReplies(note=f"the judge gave no answer: {exc}", usage=getattr(exc, "usage", None))
    return heard, replace(said, independence=far, choice=() if chosen is None else chosen.findings)


async def _asked(
    judge: Judge, case: Case, found: _Readings
) -> tuple[dict[int, list[asking.ClaimReply]], asking.ClaimReplies]:
    """What the judge says; one that is there by name only, without its key or its model, is as good as down."""
    try:
        return await asking.ask(judge, case.goal, found.open(), found.index, case.text)
    except ConfigError as exc:
        raise JudgeUnavailableError(str(exc)) from exc


# --- looking at a case ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Readings:
    """A case after rules and model: each checkable statement with how it was looked at."""

    index: Index
    looked: tuple[tuple[Statement, ClaimFeatures, Reading | None], ...]
    told: findings.ResultSummary
    weights: Mapping[str, Any]
    goal: str

    def open(self) -> list[tuple[int, Statement, str]]:
        """(number, claim, evidence) of each claim that no rule contradicts: what a judge is asked about."""
        rows = enumerate(self.looked)
        return [(n, one, window(one.text, self.index)) for n, (one, seen, _) in rows if not contradicted(seen)]

    @property
    def contradicted(self) -> bool:
        """Whether a rule by itself found a contradiction."""
        return any(contradicted(seen) for _, seen, _ in self.looked)

    def result(self, heard: Mapping[int, Sequence[asking.ClaimReply]], said: asking.ClaimReplies) -> Result:
        """The result, with the judge's words by claim number where there are any."""
        made = [[] if n in said.apart else self._rows(n, heard.get(n, ())) for n in range(len(self.looked))]
        left = tuple(refusals.left_open(self.looked[n][0], n in said.apart) for n, rows in enumerate(made) if not rows)
        told = replace(self.told, left_out=(*self.told.left_out, *left))
        if len(left) == len(made):
            cause: Cause = "undecided" if left[-1].breaks_off or said.apart else "no_judge"
            return findings.nothing(cause, left[-1].why_not, told.left_out)
        rows = [row for part in made for row in part]
        further = (*self._other_values(rows), *findings.unread(told.left_out), *findings.broken_off(told.left_out))
        return findings.result(told, rows, said, further)

    def _other_values(self, rows: Sequence[findings.Row]) -> Iterator[Finding]:
        """That a source has another value than the claim which a further one bears out."""
        for one, decided, _ in rows:
            other = otherwise(one.text, self.index) if decided.status == "supported" else None
            if other is not None:
                yield findings.other_value(one, other)

    def _rows(self, number: int, heard: Sequence[asking.ClaimReply]) -> list[findings.Row]:
        """One claim decided, or its parts; none of one that is left open, as where the text breaks off and nothing speaks against it so far."""
        rows = self._decided(number, heard)
        wrong = any(decided.status == "contradicted" for _, decided, _ in rows)
        return [] if self.looked[number][0].breaks_off and not wrong else rows

    def _silent(self, number: int) -> ClaimDecision | None:
        """What words tell of a sentence that says what the sources leave unsaid."""
        before = self.looked[number - 1][0].text if number else self.goal
        return refusals.silent(self.looked[number][0], self.index, self.goal, before)

    def _decided(self, number: int, heard: Sequence[asking.ClaimReply]) -> list[findings.Row]:
        """One claim decided, or its parts where a judge took it apart: each part is looked at by the rules again."""
        one, seen, score = self.looked[number]
        parts = asking.told_apart(one, heard)
        if not parts:
            word = asking.worst(heard)
            if one.kind == "refusal" and word is None:
                alone = self._silent(number) or refusals.decide(one, self.goal, self.index)
                return [] if alone is None else [(one, alone, None)]
            silent = self._silent(number) if word is None else None
            if silent is not None:
                return [(one, silent, None)]
            decided = held_to_citations(one, _worded(seen, score, word, self.weights), self.index)
            left_open = word is None and refusals.is_open(one, decided, self.goal, self.index)
            return [] if left_open else [(one, decided, score)]
        rows: list[findings.Row] = []
        for word, part in parts:
            again = look(part.text, self.index, self.index.language, self.goal, part)
            rows.append((part, held_to_citations(part, _worded(again, None, word, None), self.index), None))
        return rows


def _worded(
    seen: ClaimFeatures, score: Reading | None, word: asking.ClaimReply | None, weights: Mapping[str, Any] | None
) -> ClaimDecision:
    """A claim by a judge's word; a part of it that is called supported without a quote that is there raises nothing."""
    by_word = decide(seen, score, word.status if word else None, weights)
    if word is None or word.quoted or word.status != "partial":
        return by_word
    return min(by_word, decide(seen, score, None, weights), key=lambda one: one.probability)


def _evaluate(case: Case, settings: Verification, reader: ClaimReader, wrong_from: float | None) -> _Readings | Result:
    if not settings.enabled:
        return Result(status="skipped", cause="skipped", reason="verification is switched off")
    text = case.text
    found = [refusals.readable(one, case.goal) for one in claims(text, case.goal)]
    kept = [one for one in found if one.checkable][: findings.MOST_CLAIMS]
    last = kept[-1].span[1] if kept else 0
    left_out = tuple(findings.beyond(one, last) for one in found if not one.checkable or one.span[0] >= last)
    if not kept:
        return findings.nothing("no_claims", "the text makes no claim that can be checked", left_out)
    sources = sources_of(case.evidence)
    if not sources:
        return findings.nothing("no_evidence", "there is no evidence to check the claims against", (*kept, *left_out))
    language, why = language_of(text, sources)
    if language is None:
        return findings.nothing("language", why, (*kept, *left_out))
    index = Index(sources, text, language)
    kept, left_out = with_unread(with_named_sources(kept, text, index), left_out, index)
    if not kept:
        return findings.nothing("language", left_out[-1].why_not, left_out)
    if ends_abruptly(text, index):
        kept, left_out = with_broken_end(kept, left_out)
    looks = [
        replace(seen, points=()) if one.kind == "refusal" else seen  # about what the sources do not say, no rule speaks
        for one, seen in zip(kept, look_all(kept, index, language, case.goal), strict=True)
    ]
    if late := reader.unread(looks, index.language):
        left_out = (*left_out, *(replace(kept[at], why_not=findings.UNREAD) for at in sorted(late)))
        kept = [one for at, one in enumerate(kept) if at not in late]
        looks = [seen for at, seen in enumerate(looks) if at not in late]
    looked = tuple(zip(kept, looks, reader.scores(kept, looks, index, case.goal), strict=True))
    weights = reader.weights_for(language, single=len(kept) == 1, brief=looks[0].features["brief"])
    about = whole_answer.traits([seen.features for seen in looks])
    told = findings.ResultSummary(settings, index.read, left_out, reader.by, weights, about, wrong_from)
    return _Readings(index, looked, told, weights, case.goal)


def claim_of(
    one: Statement,
    index: Index,
    language: str,
    goal: str = "",
    model: SupportModel | None = None,
    *,
    single: bool = False,
) -> Claim:
    """One statement by itself: of a response that is still being written, or `single`, as likely wrong as right."""
    if not one.checkable:
        return findings.unverifiable(one, one.why_not)
    seen = look(one.text, index, language, goal, one)
    told = as_read(one, seen)
    open_one = model is not None and not settled(seen)
    score = (
        told.in_claim(read(model, [told.text], index, goal, alone=single)[0])
        if model is not None and open_one
        else None
    )
    ident = model.id if model else None
    weights = shaped(fitted(ident), single=single, spoken=in_language(language, ident))
    return findings.claim(one, held_to_citations(one, decide(seen, score, None, weights), index), score)
