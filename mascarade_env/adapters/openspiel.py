"""OpenSpiel: load any scenario as a game of `pyspiel`, for its algorithms, bots and observers.

    import pyspiel
    import mascarade_env.adapters.openspiel  # registers the game

    game = pyspiel.load_game("python_mascarade(scenario=small-2)")
    game = pyspiel.load_game("python_mascarade(scenario=tiny-2,turn_limit=6)")

Importing this module registers the game. Import it before you load the game, and before OpenSpiel
loads stored games or states. Unpickling a game imports this module automatically.

All parameters are optional:

- `scenario`: a name, a `.json` file, or a scenario as percent-encoded JSON. (The encoding is
  necessary because the characters , = ( and ) have a meaning for OpenSpiel.) A scenario without a
  name in SCENARIOS.md is stored in full, so the game does not need the file again.
- `deal`: the mask of each slot, as in `deal=fool judge thief empress patron trickster`. Without it,
  chance nodes deal slot by slot, unless the scenario fixes the deal. With a fixed deal there are no
  chance nodes.
- `turn_limit`: number of turns after which the game stops; the scenario's `at_limit` defines the
  result. 0 means the limit of the scenario. A scenario without a limit gets a limit of 100 turns,
  because games of OpenSpiel must end. Random games are about five times shorter.

Actions are the ids of `Game.legal_ids`. They count seats from the acting player's seat, so only a
state can translate them into words. The actions of chance nodes are masks, as indices into
`scenario.kinds`. Utilities are `Game.returns`: zero-sum, 1 for a sole win. With n players, a
utility u is the win share 1/n + u (n-1)/n. So NashConv in win shares is OpenSpiel's NashConv times
(n-1)/n.

The information state holds all events that a player has seen (perfect recall). Its tensor has room
for the longest possible game: 10,231 numbers for 6A with 100 turns. The observation has the layout
of `Schema(scenario)`, and is all zeros while the masks are dealt. An observer that shows only
public information, or the information of all players, gives the same result for every player.
Without recall, its lists of seats begin with the seat of player 0.

For bots that search, use `open_spiel.python.algorithms.ismcts`: the C++ version cannot resample
games written in Python.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import numpy as np

from mascarade_env._errors import MascaradeError, whole
from mascarade_env._files.strict_json import parse_json
from mascarade_env.adapters._openspiel_core import (
    TERMINAL,
    Core,
    HistoryObserver,
    MomentObserver,
    Private,
    checked_player,
    longest,
    observer,
)
from mascarade_env.game._game import Game
from mascarade_env.game._scenarios import Scenario, resolve, scenarios

try:
    import pyspiel
except ImportError as missing:
    raise ImportError(
        "mascarade_env.adapters.openspiel needs OpenSpiel: pip install 'mascarade-env[openspiel]'"
    ) from missing

__all__ = [
    "SHORT_NAME",
    "TURN_LIMIT",
    "MascaradeGame",
    "MascaradeState",
    "load_game",
    "resample",
]

#: The name of the game in OpenSpiel.
SHORT_NAME = "python_mascarade"
#: The turn limit for scenarios without one.
TURN_LIMIT = 100

_DEFAULTS: dict[str, Any] = {"scenario": "6A", "deal": "", "turn_limit": 0}


def _game_type(*, chance: bool) -> Any:
    modes = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=SHORT_NAME,
        long_name="Mascarade (second edition)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if chance else modes.DETERMINISTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=12,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_DEFAULTS,
    )


class MascaradeGame(pyspiel.Game):
    """A scenario as a game of OpenSpiel. The docstring of this module lists the parameters.

    Attributes:
        scenario: the scenario, with the turn limit and the fixed deal of this game.
        root: the data of initial states.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        parameters = _DEFAULTS | dict(params or {})
        base = _resolved(parameters["scenario"])
        parameters["scenario"] = _written(base)  # a file may change later
        self.scenario = scenario = _varied(base, parameters["deal"], parameters["turn_limit"])
        self.root = Core.start(scenario)
        self._chances = 0 if scenario.fixed_deal else scenario.slots
        info = pyspiel.GameInfo(
            num_distinct_actions=Game(scenario, seed=0).num_actions,
            max_chance_outcomes=len(scenario.kinds) if self._chances else 0,
            num_players=scenario.players,
            min_utility=-1.0 / (scenario.players - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=longest(scenario).decisions,
        )
        super().__init__(_game_type(chance=self._chances > 0), info, parameters)

    def __reduce__(self) -> tuple[Any, ...]:
        return _load, (str(self),)  # OpenSpiel's own pickling loses attributes

    def new_initial_state(self) -> "MascaradeState":
        """Return the state before the deal, or before the first turn if the deal is fixed."""
        return MascaradeState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the number of masks that chance nodes deal; 0 if the deal is fixed."""
        return self._chances

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> HistoryObserver | MomentObserver:
        """Make an observer that shows one kind of information.

        With perfect recall, the observer shows events. Without perfect recall, it shows the blocks
        of an observation. An observer with the private information of all players shows all events,
        or, without recall, the full state. The argument `player` of `set_from` and `string_from`
        has an effect only if the observer shows the private information of a single player.

        Raises:
            MascaradeError: `params` is not empty, or the observer would show nothing.
        """
        if params:
            raise MascaradeError(f"observers have no parameters: leave out {dict(params)}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        private: dict[Any, Private] = {
            pyspiel.PrivateInfoType.NONE: "nobody",
            pyspiel.PrivateInfoType.SINGLE_PLAYER: "player",
            pyspiel.PrivateInfoType.ALL_PLAYERS: "all",
        }
        return observer(
            self.scenario,
            recall=kind.perfect_recall,
            public=kind.public_info,
            private=private[kind.private_info],
        )


class MascaradeState(pyspiel.State):
    """A state of a game. Clones share its data, so they are cheap.

    Attributes:
        core: the data. `core.game` is a `Game`. Clone it before you play it or read observations.
    """

    def __init__(self, game: MascaradeGame) -> None:
        super().__init__(game)
        self.core = game.root

    def current_player(self) -> int:
        """Return the acting player, or OpenSpiel's number for a chance node or a terminal state."""
        return self.core.player

    def _legal_actions(self, player: int) -> list[int]:
        return self.core.actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible masks of the next slot with their probabilities.

        The masks are indices into `scenario.kinds`.
        """
        return self.core.outcomes

    def _apply_action(self, action: int) -> None:
        self.core = self.core.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.core.word(player, action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.core.player == TERMINAL

    def returns(self) -> list[float]:
        """Return the utility of each player; before the end of the game, all are 0."""
        game = self.core.game
        return [0.0] * self.core.scenario.players if game is None else game.returns()

    def __str__(self) -> str:
        return "\n".join(self.core.sentences(True, "all", 0))

    def resample_from_infostate(self, player: int, sampler: Any) -> "MascaradeState":
        """Sample another state that a player cannot tell from this one, as `resample` does.

        Args:
            player: the player whose knowledge the state must fit.
            sampler: a function that returns uniform numbers from 0 to 1. Bots of OpenSpiel pass it.
        """
        return resample(self, player, int(sampler() * 2**53))


def resample(
    state: MascaradeState, player: int, rng: np.random.Generator | int | None = None
) -> MascaradeState:
    """Sample another state that a player cannot tell from this one.

    The sample follows the player's neutral belief, which treats every hidden swap as a fair coin.
    All hidden decisions of the other players since the deal are sampled again. So the state has
    another history, and this history agrees with all events that the player has seen.

    Bots call `MascaradeState.resample_from_infostate` with random numbers of OpenSpiel. To make a
    bot repeatable, pass a generator:

        bot = open_spiel.python.algorithms.ismcts.ISMCTSBot(game, ...)
        bot.set_resampler(functools.partial(resample, rng=np.random.default_rng(7)))

    Args:
        state: a state of a game of this module.
        player: the player who cannot tell the states apart.
        rng: a generator or a seed. The same seed always gives the same state, so give a bot a
            generator, not a seed.

    Raises:
        MascaradeError: the player's belief is not exact and no longer fits the events.
    """
    core = state.core
    number = checked_player(core.scenario, player)
    if core.game is None:  # the deal is public
        return state.clone()  # type: ignore[no-any-return]
    (other,) = core.game.sample_worlds(number, 1, rng)
    resampled: MascaradeState = state.get_game().new_initial_state()
    for action in (*core.dealt, *other.taken):
        resampled.apply_action(action)
    return resampled


def load_game(
    scenario: str | Path | Mapping[str, Any] | Scenario = "6A",
    *,
    deal: Sequence[str] | None = None,
    turn_limit: int | None = None,
) -> MascaradeGame:
    """Load the game of OpenSpiel for a scenario, named or your own.

    Args:
        scenario: a name such as "6A", a `.json` file, a mapping, or a `Scenario`.
        deal: the mask of each slot; None for a random deal, unless the scenario fixes it.
        turn_limit: number of turns after which the game stops; None for the scenario's limit, or
            `TURN_LIMIT` if it has none.
    """
    resolved = resolve(scenario)
    if deal is not None:
        resolved.deal_numbers(deal)
    limit = 0 if turn_limit is None else whole(turn_limit, "turn_limit", at_least=1)
    dealt = " ".join(deal or ())
    _varied(resolved, dealt, limit)  # raises our error before OpenSpiel raises a less clear one
    parameters = {"scenario": _written(resolved), "deal": dealt, "turn_limit": limit}
    return pyspiel.load_game(SHORT_NAME, parameters)  # type: ignore[no-any-return]


def _load(text: str) -> MascaradeGame:
    """Load a pickled game. The pickle names this function, so unpickling imports this module."""
    return pyspiel.load_game(text)  # type: ignore[no-any-return]


def _written(scenario: Scenario) -> str:
    """Return a text for the parameter `scenario` that defines the scenario completely."""
    named = scenarios().get(scenario.name) == scenario
    return scenario.name if named else quote(json.dumps(scenario.to_dict()), safe="")


def _resolved(text: str) -> Scenario:
    """Return the scenario of a parameter, written by `_written` or by a user."""
    plain = unquote(text)
    if not plain.startswith("{"):
        return resolve(text)
    try:
        data = parse_json(plain.encode())
    except ValueError as error:
        raise MascaradeError(
            f"the parameter scenario must be a name, a .json file, or percent-encoded JSON: {error}"
        ) from error
    return resolve(data)


def _varied(scenario: Scenario, deal: str, turn_limit: int) -> Scenario:
    """Return a scenario with the deal and the turn limit of a game's parameters."""
    if turn_limit or scenario.turn_limit is None:
        scenario = replace(scenario, turn_limit=turn_limit or TURN_LIMIT)
    if deal:
        masks = deal.split()
        scenario.deal_numbers(masks)
        scenario = replace(scenario, masks=tuple(masks), fixed_deal=True)
    return scenario


pyspiel.register_game(_game_type(chance=True), MascaradeGame)
