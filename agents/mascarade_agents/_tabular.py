"""Plays a policy from a file, as `mascarade solve` writes it: "tabular:small-2.npz".

The policy has probabilities for every information state of a scenario. What the player has seen
tells which one the player is in.
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
    """Draws by the probabilities of a table.

    Args:
        scenario: what it plays; the name alone may be another than that of the policy's.
        argument: the file.
    """

    def __init__(self, scenario: Scenario, argument: str = "") -> None:
        super().__init__(scenario)
        if not argument:
            raise MascaradeError('a table is named by its file, as in "tabular:small-2.npz"')
        self._policy = SavedPolicy.load(argument)
        learned, played = self._policy.scenario.to_dict(), scenario.to_dict()
        others = [
            f"{field} is {learned[field]}, not {played[field]}"
            for field in learned
            if field != "name" and learned[field] != played[field]
        ]
        if others:
            raise MascaradeError(
                f"the policy {argument!r} is for {learned['name']} and not for {played['name']}: "
                f"there {'; '.join(others)}"
            )

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        """Return the action id for a player who decides."""
        actions, probabilities = self._find(view)
        # The sum may be a little less than one; the last action that is ever taken has the rest.
        place = int(np.searchsorted(probabilities.cumsum(), rng.random(), "right"))
        place = min(place, len(actions) - 1)
        while not probabilities[place]:
            place -= 1
        return int(actions[place])

    def probabilities(self, positions: Positions) -> NDArray[np.float64]:
        """Return [k, A] as in the table."""
        found = np.zeros(positions.masks.shape)
        for row, view in zip(found, positions.views, strict=True):
            actions, probabilities = self._find(view)
            row[actions] = probabilities
        return found

    def _find(self, view: AgentView) -> tuple[NDArray[np.int16], Policy]:
        """Return the actions where a player is, and their probabilities."""
        try:
            return self._policy.find(key_of(view.events, view.player))
        except KeyError:
            raise MascaradeError(
                f"this policy of {self._policy.scenario.name} knows nothing of what player "
                f"{view.player} has seen: it was made by other rules; solve the scenario anew"
            ) from None
