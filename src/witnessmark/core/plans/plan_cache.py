"""Policies and graphs made once for cases that ask for the same, so that patterns and schemas are compiled once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

import msgspec

from witnessmark.core.case import Case
from witnessmark.core.errors import ConfigError, InputError, PolicyError, UnknownNameError, WitnessmarkError
from witnessmark.core.graph import Graph, Node, unique_names
from witnessmark.core.plans.checkpoints import Checkpoint, CheckRef
from witnessmark.core.policy import Policy, layered, recorded_policy
from witnessmark.core.protocols import Check
from witnessmark.core.registry import ReadyCheck, checks, ready
from witnessmark.core.values import canonical
from witnessmark.core.verdict import Cause, Finding, Result

T = TypeVar("T")
MOST = 1024
"""Cases may bring policies and criteria of their own, as many as they like; no more than so many are held."""
MOST_BYTES = 4_000_000
"""Bytes of all criteria whose graphs are held: what is compiled of them takes several times as much."""


class CasePlan(NamedTuple):
    """What a checkpoint's plan says of a case, and what tells its graph from others: all but the services."""

    checkpoint: str
    places: tuple[CheckRef, ...]
    policy: tuple[Policy, msgspec.Raw]
    """The policy, and as a record keeps it."""
    key: tuple[bytes, str, bytes]
    """The places, the checkpoint and the policy; the first may be as long as a case likes."""

    @property
    def size(self) -> int:
        """Bytes of what there is to compile."""
        return len(self.key[0])


class PlanCache:
    """What a case is held against: its policy in layers, and the graph of its checkpoint."""

    def __init__(
        self, workspace: Mapping[str, Any], users: Mapping[str, Mapping[str, Any]], mission: Mapping[str, Any]
    ) -> None:
        self._workspace, self._users, self._mission = workspace, users, mission
        # A misspelt field is refused before the first case, not when one names the user whose policy it is.
        layered(Policy(), {"workspace": workspace, "mission": mission})
        for name, personal in users.items():
            try:
                layered(Policy(), {"user": personal})
            except ConfigError as exc:
                raise ConfigError(f"users.{name}: {exc}") from None
        self._graphs: OrderedDict[tuple[bytes, str, bytes], Graph] = OrderedDict()
        self._bytes = 0
        self._policies: dict[tuple[str, bytes], tuple[Policy, msgspec.Raw]] = {}

    def for_other_services(self, policy: Mapping[str, Any] | None = None) -> PlanCache:
        """The same policies, or with this one over the workspace's; no graphs: these hold the services they were built with."""
        made = PlanCache({**self._workspace, **(policy or {})}, self._users, self._mission)
        if not policy:
            made._policies = self._policies
        return made

    def policy(self, point: Checkpoint, case: Case) -> tuple[Policy, msgspec.Raw]:
        """The policy of a case at a checkpoint, and as a record keeps it."""
        given, user = case.context.get("policy"), case.context.get("user")
        personal = self._users.get(user) if isinstance(user, str) else None
        base = policy_of(point, case)
        own = given is not None or personal or point.policy_of
        key = (point.name, canonical((base if point.policy_of else None, given, personal)) if own else b"")
        found = self._policies.get(key)
        if found is None:
            layers = {"workspace": self._workspace, "user": personal, "mission": self._mission, "task": given}
            try:
                policy = refuse_unknown_checks(layered(base, layers))
            except PolicyError as exc:
                if given is None or given == {}:
                    raise
                raise exc.given_as("context.policy") from None  # all other layers were looked at before
            if len(self._policies) >= MOST:
                self._policies.clear()
            found = self._policies[key] = (policy, recorded_policy(policy))
        return found

    def graph(self, point: Checkpoint, case: Case, services: Mapping[str, Any]) -> Graph:
        """The graph of a case at a checkpoint, its checks made with these services."""
        plan = self.plan(point, case)
        return self.known(plan) or self.built(plan, services)

    def plan(self, point: Checkpoint, case: Case) -> CasePlan:
        """What the checkpoint asks of this case. A plan may read all of it, so only what it says tells graphs apart."""
        policy, (places, written) = self.policy(point, case), places_of(point, case)
        return CasePlan(point.name, places, policy, (written, point.name, bytes(policy[1])))

    def known(self, plan: CasePlan) -> Graph | None:
        """The graph that was built for such a plan."""
        return self._graphs.get(plan.key)

    def built(self, plan: CasePlan, services: Mapping[str, Any]) -> Graph:
        """A new graph, held for the next case with this plan; takes as long as compiling the criteria does."""
        graph = build(plan.checkpoint, plan.places, {**services, "policy": plan.policy[0]})
        if not lacks_a_check(graph) and self._graphs.setdefault(plan.key, graph) is graph:
            self._bytes += plan.size
        while self._graphs and (len(self._graphs) > MOST or self._bytes > MOST_BYTES):
            self._bytes -= len(self._graphs.popitem(last=False)[0][0])
        return graph


def refuse_unknown_checks(policy: Policy) -> Policy:
    """The policy itself; ConfigError where it names a check that there is not, which would be as good as not said."""
    for field in ("must_pass", "weights"):
        for name in getattr(policy, field):
            try:
                checks.get(name)
            except UnknownNameError as exc:
                raise PolicyError(f"policy.{field} ({policy.set_by(field)})", field, exc) from None
    return policy


# --- what a checkpoint says of a case; what is wrong with somebody's own is told with its name -------------------------


def places_of(point: Checkpoint, case: Case) -> tuple[tuple[CheckRef, ...], bytes]:
    """The places of a checkpoint for this case, and as JSON; InputError where its plan breaks, or yields anything else."""
    who = f"checkpoint {point.name!r}: its plan"
    places: tuple[Any, ...] = naming_whose(who, _planned, who, point, case)
    for place in places:
        if not isinstance(place, CheckRef):
            write = f"CheckRef({place!r})" if isinstance(place, str) else "CheckRef(NAME, …)"
            raise InputError(f"{who} yields a {type(place).__name__}; write {write}")
    try:
        return places, canonical(places)
    except TypeError as exc:
        raise InputError(f"{who} has a value or an option that is not JSON, which no record can keep: {exc}") from None


def _planned(who: str, point: Checkpoint, case: Case) -> tuple[Any, ...]:
    planned: Any = point.plan(case)
    if planned is None:
        raise InputError(f"{who} returns nothing; yield a CheckRef for each check")
    return tuple(planned)


def policy_of(point: Checkpoint, case: Case) -> Policy:
    """The policy of a checkpoint for this case; InputError where what works it out breaks."""
    ask = point.policy_of
    return point.policy if ask is None else naming_whose(f"checkpoint {point.name!r}: its policy_of", ask, case)


def naming_whose(who: str, call: Callable[..., T], *args: Any) -> T:
    """What the call gives; InputError that says who broke, and with what, where it raises anything but our errors."""
    try:
        return call(*args)
    except WitnessmarkError:
        raise
    except Exception as exc:  # somebody else's code, told by its name; other checks and cases go on
        raise InputError(f"{who} broke: {type(exc).__name__}: {exc}"[:500]) from exc


# --- the graph: every check is looked up and made, and one that cannot be stays in as an error ----------------------


class BrokenCheck(ReadyCheck):
    """In the place of a check that is unknown or misconfigured: its result is the error that says so."""

    __slots__ = ("cause",)

    def __init__(self, name: str, cause: Cause, why: str) -> None:
        finding = Finding(message=why, category=cause, suggestion="`witnessmark checks` lists them with their options.")
        result = Result(status="error", cause=cause, reason=why, findings=(finding,))
        super().__init__(name, "0", "instant", {}, lambda case, prior: result)
        self.cause = cause


def build(checkpoint: str, places: Iterable[CheckRef], services: Mapping[str, Any]) -> Graph:
    """The graph of these places. A check that is unknown or misconfigured stays in, as an error."""
    nodes = [
        Node(
            _ready_or_broken(checkpoint, place, services),
            name=place.name,
            needs=place.needs,
            weight=place.weight,
            must_pass=place.must_pass,
            criterion=place.criterion,
            gates=place.gates,
            after=place.after,
            asked=place.asked_by_case,
        )
        for place in places
    ]
    return Graph(checkpoint, unique_names(nodes))


def lacks_a_check(graph: Graph) -> bool:
    """Whether a check of it is not installed: somebody may register it before the next case."""
    return any(isinstance(node.check, BrokenCheck) and node.check.cause == "check_missing" for node in graph.nodes)


def _ready_or_broken(checkpoint: str, place: CheckRef, services: Mapping[str, Any]) -> Check:
    try:
        return naming_whose(f"check {place.check!r}", ready, place.check, place.value, services, place.options)
    except UnknownNameError as exc:
        missing = f"checkpoint {checkpoint!r} needs the check {place.check!r}, which is not installed"
        return BrokenCheck(place.check, "check_missing", str(exc) if place.asked_by_case else missing)
    except InputError as exc:
        return BrokenCheck(place.check, "check_error", str(exc))
