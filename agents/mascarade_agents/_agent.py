"""What an agent is: something that is shown what its player may know, and decides."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env.game._scenarios import Scenario
from mascarade_env.knowledge._agent_view import AgentView


class Agent:
    """Decides for a player, or for many players of many games at once.

    A class of agents has one of the two methods `act` and `act_batch`; here each is made of the
    other. Agents have no memory: what they make use of stands in the view or the observation, so
    that one agent can play any number of games at the same time and in any order.

    Args:
        scenario: what it plays.
        argument: what its name says after the colon, as "0.3" in "bluffer:0.3".
    """

    #: Whether `act_batch` looks at its views, which take time to make.
    needs_views: bool = False

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        if argument:
            name = type(self).__name__
            raise MascaradeError(f"{name} takes nothing after a colon, not {argument!r}")
        self.scenario = scenario

    def __init_subclass__(cls) -> None:
        if cls.act is Agent.act and cls.act_batch is Agent.act_batch:
            raise TypeError(f"{cls.__name__} decides nothing: give it act or act_batch")
        if cls.act_batch is Agent.act_batch:
            cls.needs_views = True

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        """The action id for a player who decides.

        Args:
            view: what the player may know.
            rng: draws all that is random.
        """
        taken = self.act_batch(view.observation()[None], view.legal_mask()[None], [view], rng)
        return int(taken[0])

    def act_batch(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        views: Sequence[AgentView],
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """The action ids for k players who decide.

        Args:
            observations: [k, D] laid out by `Schema(scenario, "both")`.
            masks: [k, A] one for each legal action id.
            views: [k] what these players may know; each is made when it is asked for.
            rng: draws all that is random.
        """
        return np.array([self.act(view, rng) for view in views], np.int64)

    def chances(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        views: Sequence[AgentView],
    ) -> NDArray[np.float64] | None:
        """By which chances `act_batch` would draw the actions of k players who decide.

        Whoever wants to know how an agent plays need not draw then. Agents that cannot tell leave
        this method as it is.

        Args:
            observations: [k, D] as for `act_batch`, like the other arguments.
            masks: [k, A].
            views: [k].

        Returns:
            [k, A] probabilities, 0 where illegal, or None if the agent cannot tell.
        """
        return None

    def policy(self, seed: int = 0) -> "AgentPolicy":
        """This agent as a function of observations and masks, for environments and `Pool`.

        Raises:
            MascaradeError: it needs views, which environments do not make.
        """
        if self.needs_views:
            raise MascaradeError(
                f"{type(self).__name__} needs views of whole games; environments show opponents "
                "observations alone: meet it in an arena"
            )
        return AgentPolicy(self, seed)


class AgentPolicy:
    """An agent as a function, which is refused where another scenario is played.

    Args:
        agent: it needs no views.
        seed: of the random numbers that it decides by.
    """

    def __init__(self, agent: Agent, seed: int) -> None:
        self._agent = agent
        self._rng = np.random.default_rng(seed)
        self.scenario = agent.scenario

    def __call__(
        self, observations: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> NDArray[np.int64]:
        """[k] action ids for [k, D] observations and [k, A] masks."""
        return self._agent.act_batch(observations, masks, (), self._rng)
