"""The base class of agents. An agent decides for one player, or for many players in one call."""

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import IllegalActionError, MascaradeError
from mascarade_env._policies.protocol import Positions
from mascarade_env.game._scenarios import Scenario
from mascarade_env.knowledge._agent_view import AgentView
from mascarade_env.observation._schema import Schema, schema_of


class Agent:
    """A policy (`mascarade_env.Policy`) for one scenario.

    A subclass defines `act` or `act_batch`; this class implements the other method by calling it.
    Agents have no memory: they use only the view or the observation. So one agent can play many
    games at the same time, in any order.

    Args:
        scenario: the scenario that the agent plays.
        argument: the text after the colon in the agent's name, such as "0.3" in "bluffer:0.3".

    Raises:
        MascaradeError: an argument is given, and the subclass does not take one.
    """

    #: Whether `act_batch` reads `positions.views`, which are slow to make.
    needs_views: bool = False

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        if argument:
            name = type(self).__name__
            raise MascaradeError(
                f"{name} takes no argument after a colon, but got {argument!r}: leave it out"
            )
        self.scenario = scenario

    def __init_subclass__(cls) -> None:
        if cls.act is Agent.act and cls.act_batch is Agent.act_batch:
            raise TypeError(f"{cls.__name__} cannot decide: define act or act_batch in it")
        if cls.act_batch is Agent.act_batch:
            cls.needs_views = True

    @property
    def reads(self) -> Schema:
        """The layout of the observations that the agent reads: `Schema(scenario, "both")`."""
        return schema_of(self.scenario, "both", False)

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        """Return the action id for the acting player.

        Args:
            view: the view of the acting player, with everything that this player may know.
            rng: the generator for all random choices.
        """
        answer = self.act_batch(Positions.of_views([view]), rng)[0]
        check_is_not_word(answer, view)
        return int(answer)

    def act_batch(self, positions: Positions, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return an action id for the acting player of each of k positions, [k].

        Args:
            positions: observations [k, D] in the layout of `reads`, and action masks [k, A]; also
                k views if `needs_views`.
            rng: the generator for all random choices.
        """
        answers = [self.act(view, rng) for view in positions.views]
        for answer, view in zip(answers, positions.views, strict=True):
            check_is_not_word(answer, view)
        return np.array(answers, np.int64)

    def probabilities(self, positions: Positions) -> NDArray[np.float64] | None:
        """Return the probabilities with which `act_batch` samples the actions of k players.

        With them, the value of the agent's play can be computed exactly, and the agent can be a
        teacher in training. An agent that does not know its probabilities does not override this
        method.

        Args:
            positions: as for `act_batch`.

        Returns:
            [k, A] probabilities, 0 for illegal actions; None if the agent does not know them.
        """
        return None


def check_is_not_word(answer: object, view: AgentView) -> None:
    """Refuse an answer that is a text, such as "take:1", instead of an action id.

    Raises:
        IllegalActionError: the answer is a text. The error lists the legal ids, and says how to
            get one.
    """
    if isinstance(answer, str | bytes):
        raise IllegalActionError(
            f"the agent answered {answer!r:.80}, not an action id. Answer with one of "
            f"`view.legal_ids()`, here {view.legal_ids()}; `view.action_id` returns the id of a "
            'legal word such as "' + view.legal_actions()[0] + '"'
        )
