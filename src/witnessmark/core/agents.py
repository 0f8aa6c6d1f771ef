"""The agents at hand, as `context.agents` lists them: who is there, what each can do and where it may work.

Names are compared as people write them (case, `@`, `-` and `_` aside). Knows nothing about plans or scores.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from witnessmark.core.case import Case
from witnessmark.core.explain import convert

ANYTHING = frozenset({"all", "*", "any"})
_GAP = re.compile(r"[\s_-]+")


class Agent(msgspec.Struct, frozen=True):
    """One agent of the registry; what else is said about it is left alone."""

    name: str
    capabilities: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    environments: tuple[str, ...] = ()
    fallback: str | None = None

    @property
    def generic(self) -> bool:
        """Whether it says that it can do anything."""
        return any(capability.strip().lower() in ANYTHING for capability in self.capabilities)


def key(name: str) -> str:
    """A name as it is compared: `@Code_Analyzer` and `code-analyzer` are the same."""
    return _short_key(name) if len(name) <= 100 else _key(name)


def _key(name: str) -> str:
    return _GAP.sub("-", name.strip().removeprefix("@").casefold())


_short_key = functools.lru_cache(maxsize=4096)(_key)


@dataclass(frozen=True, slots=True)
class Crew:
    """All agents of a case by name, and the environment they are to work in."""

    agents: dict[str, Agent]
    environment: str | None = None
    fallback: str | None = None
    _skills: dict[str, set[str]] = field(default_factory=dict, repr=False)

    def named(self, name: str) -> Agent | None:
        """The agent of this name, or None."""
        return self.agents.get(key(name)) if name.strip() else None

    def lacks(self, agent: Agent, needs: Iterable[str]) -> list[str]:
        """The needs that are neither among its capabilities nor among its tools."""
        has = self._skills.get(agent.name)
        if has is None:
            has = self._skills[agent.name] = {key(word) for word in (*agent.capabilities, *agent.tools)}
        lacking = [need for need in needs if key(need) not in has]
        return [] if lacking and agent.generic else lacking

    def may_work(self, agent: Agent) -> bool:
        """Whether it is allowed in the environment; where nobody names one, nothing forbids it."""
        if self.environment is None or not agent.environments:
            return True
        return key(self.environment) in {key(place) for place in agent.environments}

    def able(self, agent: Agent, needs: Iterable[str]) -> bool:
        """Whether it can do this and may do it here."""
        return self.may_work(agent) and not self.lacks(agent, needs)

    def able_ones(self, needs: Sequence[str]) -> list[Agent]:
        """All who can do this, specialists before those that do anything."""
        able = [agent for agent in self.agents.values() if self.able(agent, needs)]
        return sorted(able, key=lambda agent: agent.generic)

    def stand_in(self, agent: Agent | None, needs: Sequence[str]) -> Agent | None:
        """Who takes over: the agent's own fallback, the case's, or one that does anything; and only if it is able."""
        told = [name for name in (agent.fallback if agent else None, self.fallback) if name]
        named = [found for name in told if (found := self.named(name)) is not None]
        generic = [other for other in self.agents.values() if other.generic and other is not agent]
        return next((one for one in (*named, *generic) if self.able(one, needs)), None)

    def nearest(self, name: str, needs: Sequence[str], words: str) -> Agent | None:
        """Who was probably meant: by what is needed, then by a similar name, then by capabilities named in the words."""
        if needs and (able := self.able_ones(needs)):
            return able[0]
        close = difflib.get_close_matches(key(name), list(self.agents), n=1, cutoff=0.7)
        if close:
            return self.agents[close[0]]
        said = set(_GAP.split(f"{key(name)} {words.casefold()}"))
        fitting = [a for a in self.agents.values() if said & {key(c) for c in (*a.capabilities, *a.tools)}]
        return next((agent for agent in fitting if self.may_work(agent)), None)


def crew_of(case: Case) -> Crew | None:
    """The agents of a case; None where it does not say which there are, which is not the same as none."""
    listed = case.context.get("agents")
    if listed is None:
        return None
    agents = convert(listed, tuple[Agent, ...], "context.agents")
    environment = convert(case.context.get("environment"), str | None, "context.environment")
    fallback = convert(case.context.get("fallback_agent"), str | None, "context.fallback_agent")
    return Crew({key(agent.name): agent for agent in agents}, environment, fallback)
