"""The agents of an arena: registered names, or classes of agents with a name."""

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

#: A class of agents, or a function, that makes a policy from two arguments: a scenario, and the
#: text after the colon in the agent's name. Worker processes import it, so it must be at the top
#: level of a module.
Factory: TypeAlias = Callable[[Scenario, str], Policy]


@dataclass(frozen=True, slots=True)
class Entrant:
    """An agent that takes part in an arena.

    Attributes:
        name: its name in the results. The text after the first colon is passed to the agent as its
            argument.
        factory: the class or function that makes the policy; None if `name` is registered.
    """

    name: str
    factory: Factory | None = None

    def make(self, scenario: Scenario) -> Policy:
        """Make the policy. It accepts the observations of an arena.

        Raises:
            MascaradeError: the agent does not exist, cannot be made, or plays another scenario.
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
                f"agent {self.name!r} must be a policy, such as an instance of a subclass of "
                f"mascarade_agents.Agent, not {agent!r}"
            )
        return fitted(agent, shown)


def entrants(agents: Sequence[str | tuple[str, Factory]]) -> tuple[Entrant, ...]:
    """Return the agents of an arena.

    Args:
        agents: registered names, or pairs of a name and a class or function that makes the agent.

    Raises:
        MascaradeError: there are fewer than two agents, a name is listed twice, or an entry is not
            a name or a pair.
    """
    if isinstance(agents, str) or not isinstance(agents, Sequence):
        raise MascaradeError(
            f"agents must be a list of names, such as ['random', 'honest'], not {agents!r}"
        )
    checked = tuple(_entrant(agent) for agent in agents)
    names = [entrant.name for entrant in checked]
    for name in names:
        if names.count(name) > 1:
            raise MascaradeError(f"agent {name!r} is listed twice: list each agent once")
    if len(checked) < 2:
        raise MascaradeError(
            f"an arena needs two agents or more, not {len(checked)}: name another one"
        )
    return checked


def split_names(words: Sequence[str]) -> list[str]:
    """Split the names of agents in a command line at blanks and commas.

    A comma is part of a name if that name has a colon, and the text after the comma is not a known
    agent. So "ismcts:500,0.7,random" is two names: "ismcts:500,0.7" and "random".
    """
    known = set(agent_names())
    names: list[str] = []
    for word in words:
        before = len(names)
        for piece in word.split(","):
            kind = piece.partition(":")[0]
            if (
                kind in known
                or kind.endswith(SUFFIX)
                or len(names) == before
                or ":" not in names[-1]
            ):
                names.append(piece)
            else:
                names[-1] += f",{piece}"
    return [name for name in map(str.strip, names) if name]


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
    raise MascaradeError(
        f"an agent must be a name, or a pair of a name and a class of agents, not {agent!r}"
    )
