"""Who takes part in an arena: names from the registry, or classes of agents with a name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mascarade_agents._registry import agent_names
from mascarade_env._errors import MascaradeError
from mascarade_env._policies.from_file import SUFFIX
from mascarade_env._policies.names import fitted_by_name
from mascarade_env._policies.protocol import Policy, is_policy
from mascarade_env._policies.short_errors import in_short
from mascarade_env._policies.translation import fitted
from mascarade_env.game._scenarios import Scenario
from mascarade_env.observation._schema import schema_of

#: A class of agents, or another function of a scenario and the text after the colon of the name,
#: that makes a policy. Worker processes find it by its module, so it must be at the top of one.
Factory: TypeAlias = Callable[[Scenario, str], Policy]


@dataclass(frozen=True, slots=True)
class Entrant:
    """One who takes part.

    Attributes:
        name: what it is called in the results; what follows its first colon is for the agent.
        factory: makes the policy; None for the registry.
    """

    name: str
    factory: Factory | None = None

    def make(self, scenario: Scenario) -> Policy:
        """Make the policy, as it plays in an arena.

        Raises:
            MascaradeError: there is no such agent, it cannot be made, or it plays another scenario.
        """
        shown = schema_of(scenario, "both", False)
        if self.factory is None:
            return fitted_by_name(self.name, shown)
        try:
            agent = self.factory(scenario, self.name.partition(":")[2])
        except (MascaradeError, KeyboardInterrupt):
            raise
        except BaseException as error:  # SystemExit too
            raise MascaradeError(
                f"agent {self.name!r} cannot be made: {in_short(error)}"
            ) from error
        if not is_policy(agent):
            raise MascaradeError(
                f"agent {self.name!r} is no policy, such as a mascarade_agents.Agent, but {agent!r}"
            )
        return fitted(agent, shown)


def entrants(agents: Sequence[str | tuple[str, Factory]]) -> tuple[Entrant, ...]:
    """Return those who take part, each once.

    Args:
        agents: names for the registry, or pairs of a name and what makes the agent.
    """
    if isinstance(agents, str) or not isinstance(agents, Sequence):
        raise MascaradeError(f"agents are a list of names, not {agents!r}")
    found = tuple(_entrant(agent) for agent in agents)
    names = [entrant.name for entrant in found]
    for name in names:
        if names.count(name) > 1:
            raise MascaradeError(f"agent {name!r} is listed twice: each takes part once")
    if len(found) < 2:
        raise MascaradeError(f"an arena takes two agents or more, not {len(found)}")
    return found


def split_names(words: Sequence[str]) -> list[str]:
    """Return names as they are typed: separated by blanks or commas.

    A comma is part of a name where this has a colon and no known agent follows, as in
    "ismcts:500,0.7,random".
    """
    known = set(agent_names())
    found: list[str] = []
    for word in words:
        begun = len(found)
        for piece in word.split(","):
            kind = piece.partition(":")[0]
            if (
                kind in known
                or kind.endswith(SUFFIX)
                or len(found) == begun
                or ":" not in found[-1]
            ):
                found.append(piece)
            else:
                found[-1] += f",{piece}"
    return [name for name in map(str.strip, found) if name]


def _entrant(agent: object) -> Entrant:
    if isinstance(agent, str):
        return Entrant(agent)
    if (
        isinstance(agent, tuple)
        and len(agent) == 2
        and isinstance(agent[0], str)
        and callable(agent[1])
    ):
        return Entrant(*agent)
    raise MascaradeError(f"an agent is a name, or a name with a class of agents, not {agent!r}")
