"""The base class of agents: policies that are written for one decision, or for many at once."""

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import IllegalActionError, MascaradeError
from mascarade_env._policies.protocol import Positions
from mascarade_env.game._scenarios import Scenario
from mascarade_env.knowledge._agent_view import AgentView
from mascarade_env.observation._schema import Schema, schema_of


class Agent:
    """A policy (`mascarade_env.Policy`) for one scenario.

    Write one of the two methods `act` and `act_batch`; each is made of the other here. Agents have
    no memory: what they make use of is in the view or the observation, so one agent can play any
    number of games at the same time and in any order.

    Args:
        scenario: what it plays.
        argument: what its name has after the colon, as "0.3" in "bluffer:0.3".
    """

    #: Whether `act_batch` reads `positions.views`, which take time to make.
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

    @property
    def reads(self) -> Schema:
        """The layout of the observations that it reads: `Schema(scenario, "both")`."""
        return schema_of(self.scenario, "both", False)

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        """Return the action id for the player of a view, who decides.

        Args:
            view: what the player may know.
            rng: everything random is drawn from it.
        """
        answer = self.act_batch(Positions.of_views([view]), rng)[0]
        check_is_not_word(answer, view)
        return int(answer)

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return [k] the action ids for k players who decide.

        Args:
            positions: observations [k, D] laid out by `reads`, and masks [k, A]; views as well if
                `needs_views`.
            rng: everything random is drawn from it.
        """
        answers = [self.act(view, rng) for view in positions.views]
        for answer, view in zip(answers, positions.views, strict=True):
            check_is_not_word(answer, view)
        return np.array(answers, np.int64)

    def probabilities(self, positions: Positions) -> NDArray[np.float64] | None:
        """Return the probabilities by which `act_batch` draws the actions of k players.

        With them an agent's play is valued without draws, and it can teach. Agents that do not
        know their probabilities leave this method as it is.

        Args:
            positions: as for `act_batch`.

        Returns:
            [k, A] probabilities, 0 where illegal, or None if the agent does not know them.
        """
        return None


def check_is_not_word(answer: object, view: AgentView) -> None:
    """Refuse an answer in words, such as "take:1", where an action id is due.

    Raises:
        IllegalActionError: it is text; the error names the legal ids and how to get one.
    """
    if isinstance(answer, str | bytes):
        raise IllegalActionError(
            f"the agent answered {answer!r:.80}, not an action id. Answer with one of "
            f"`view.legal_ids()`, here {view.legal_ids()}; `view.action_id` returns the id of a "
            'legal word such as "' + view.legal_actions()[0] + '"'
        )
