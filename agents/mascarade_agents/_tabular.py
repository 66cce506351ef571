"""An agent that plays a policy file of `mascarade solve`, such as "tabular:small-2.npz".

The policy has action probabilities for every information state of a scenario. The events that the
player has seen determine the information state.
"""

import numpy as np
from numpy.typing import NDArray

from mascarade_agents._agent import Agent
from mascarade_env import Positions
from mascarade_env._errors import MascaradeError
from mascarade_env.exact import SavedPolicy
from mascarade_env.exact._memories import key_of
from mascarade_env.exact._tree import Policy
from mascarade_env.game._scenarios import Scenario
from mascarade_env.knowledge._agent_view import AgentView


class Tabular(Agent):
    """An agent that samples actions with the probabilities in a table.

    Args:
        scenario: the scenario to play. It must be equal to the scenario of the policy, except for
            the name.
        argument: the file of the policy.

    Raises:
        MascaradeError: no file is given, the file is not a policy, or it is for another scenario.
    """

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        super().__init__(scenario)
        if not argument:
            raise MascaradeError(
                'agent "tabular" needs a policy file after a colon, as in "tabular:small-2.npz"; '
                "`mascarade solve` writes these files"
            )
        self._policy = SavedPolicy.load(argument)
        learned, played = self._policy.scenario.to_dict(), scenario.to_dict()
        others = [
            f"{field} is {learned[field]}, not {played[field]}"
            for field in learned
            if field != "name" and learned[field] != played[field]
        ]
        if others:
            raise MascaradeError(
                f"the policy {argument!r} is for the scenario {learned['name']} and not for "
                f"{played['name']}: in the policy, {'; '.join(others)}; use a policy for "
                f"{played['name']}"
            )

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        """Return an action id, sampled with the probabilities in the table."""
        actions, probabilities = self._find(view)
        # The sum may be a little less than one; the last action with a probability gets the rest.
        place = int(np.searchsorted(probabilities.cumsum(), rng.random(), "right"))
        place = min(place, len(actions) - 1)
        while not probabilities[place]:
            place -= 1
        return int(actions[place])

    def probabilities(self, positions: Positions) -> NDArray[np.float64]:
        """Return the probabilities in the table, [k, A]."""
        table = np.zeros(positions.masks.shape)
        for row, view in zip(table, positions.views, strict=True):
            actions, probabilities = self._find(view)
            row[actions] = probabilities
        return table

    def _find(self, view: AgentView) -> tuple[NDArray[np.int16], Policy]:
        """Return the legal actions in a player's information state, and their probabilities."""
        try:
            return self._policy.find(key_of(view.events, view.player))
        except KeyError:
            raise MascaradeError(
                f"this policy of {self._policy.scenario.name} has no entry for the events that "
                f"player {view.player} has seen, because it was computed with other rules: solve "
                "the scenario again"
            ) from None
