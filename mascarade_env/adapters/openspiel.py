"""OpenSpiel: any scenario as a game of `pyspiel`, for its algorithms, bots and observers.

    import pyspiel
    import mascarade_env.adapters.openspiel  # registers the game

    game = pyspiel.load_game("python_mascarade(scenario=small-2)")
    game = pyspiel.load_game("python_mascarade(scenario=tiny-2,turn_limit=6)")

OpenSpiel knows the game once this module is imported: import it first, also where OpenSpiel itself
reads what it has stored. Pickled games import it by themselves.

Parameters, all of them optional:

- `scenario`: a name, a `.json` file, or a scenario as JSON, percent-encoded, for OpenSpiel reads
  , = ( ) itself. A game without a name keeps it so and never needs a file again.
- `deal`: the mask of each slot, as in `deal=fool judge thief empress patron trickster`. Without it
  chance deals slot by slot, unless the scenario fixes the deal. With a fixed deal there are no
  chance nodes.
- `turn_limit`: turns after which the game stops, as the scenario's `at_limit` says. 0 is the
  scenario's own, or 100 if it has none: games of OpenSpiel must end. Random games are five times
  shorter.

Actions are the ids of `Game.legal_ids`, which count seats from that of who decides, so only states
have words for them. Chance deals masks by their place in `scenario.kinds`. Utilities are
`Game.returns`: zero-sum, 1 for winning alone. With n players a utility u is the share
1/n + u (n-1)/n of a win, so NashConv in shares of a win is (n-1)/n times OpenSpiel's.

The information state holds all that a player has seen, so recall is perfect; its tensor has room
for the longest game there can be: 10,231 numbers for 6A with 100 turns. The observation is that of
`Schema(scenario)`, and all zeros while the masks are dealt. Observers of public information alone,
or of that of all players, are the same for all: without recall they look from the seat of player 0.

Bots that search are those of `open_spiel.python.algorithms.ismcts`: the one in C++ cannot resample
games that are written in Python.
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

#: What the game is called in OpenSpiel.
SHORT_NAME = "python_mascarade"
#: The turn limit of scenarios that have none.
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
    """A scenario as OpenSpiel sees it; see the module for the parameters.

    Attributes:
        scenario: what is played, turn limit and fixed deal included.
        root: what initial states hold.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        parameters = _DEFAULTS | dict(params or {})
        scenario_given = _resolved(parameters["scenario"])
        parameters["scenario"] = _written(scenario_given)  # a file may change
        self.scenario = scenario = _varied(
            scenario_given, parameters["deal"], parameters["turn_limit"]
        )
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
        return _load, (str(self),)  # OpenSpiel's own way loses attributes

    def new_initial_state(self) -> "MascaradeState":
        """Before the deal, or before the first turn if it is fixed."""
        return MascaradeState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return how many masks are dealt by chance."""
        return self._chances

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None
    ) -> HistoryObserver | MomentObserver:
        """Make an observer of some kind of information.

        With perfect recall it sees events, without it the blocks of an observation. All private
        information is the whole truth: with perfect recall all events, without it the full state.
        Only what a single player sees depends on the player who is named.
        """
        if params:
            raise MascaradeError(f"observers have no parameters, so not {dict(params)}")
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
    """A moment of a game. Its clones share what they hold, so they are cheap.

    Attributes:
        core: what it holds; `core.game` is the project's `Game`: play and ask clones of it.
    """

    def __init__(self, game: MascaradeGame) -> None:
        super().__init__(game)
        self.core = game.root

    def current_player(self) -> int:
        """Return the player who decides, or a pseudo-player of OpenSpiel."""
        return self.core.player

    def _legal_actions(self, player: int) -> list[int]:
        return self.core.actions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the masks left for the next slot, by place in `kinds`, with probabilities."""
        return self.core.outcomes

    def _apply_action(self, action: int) -> None:
        self.core = self.core.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.core.word(player, action)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.core.player == TERMINAL

    def returns(self) -> list[float]:
        """Return what each player gets, zeros while the game runs."""
        game = self.core.game
        return [0.0] * self.core.scenario.players if game is None else game.returns()

    def __str__(self) -> str:
        return "\n".join(self.core.sentences(True, "all", 0))

    def resample_from_infostate(self, player: int, sampler: Any) -> "MascaradeState":
        """See `resample`; `sampler` gives uniform numbers from 0 to 1, as bots of OpenSpiel do."""
        return resample(self, player, int(sampler() * 2**53))


def resample(
    state: MascaradeState, player: int, rng: np.random.Generator | int | None = None
) -> MascaradeState:
    """Another state that a player cannot tell from this one, drawn by the player's neutral belief.

    What others did with masks under the table is drawn anew from the deal on, so the state has a
    history of its own that agrees with all that the player has seen.

    Bots call `MascaradeState.resample_from_infostate` unasked, with random numbers of OpenSpiel. A
    generator makes them repeatable:

        bot = open_spiel.python.algorithms.ismcts.ISMCTSBot(game, ...)
        bot.set_resampler(functools.partial(resample, rng=np.random.default_rng(7)))

    Args:
        state: of a game of this module.
        player: who cannot tell.
        rng: draws it. A whole number is a seed: the same one draws the same state every time, so
            a bot needs a generator.

    Raises:
        MascaradeError: the player's belief is not exact any more and has lost what was seen since.
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
    """Load the game of OpenSpiel for a scenario; one of your own is written out in full.

    Args:
        scenario: a name such as "6A", a `.json` file, a mapping, or a `Scenario`.
        deal: the mask of each slot; by chance if None, unless the scenario fixes it.
        turn_limit: turns after which the game stops; None as in the module.
    """
    resolved = resolve(scenario)
    if deal is not None:
        resolved.deal_numbers(deal)
    limit = 0 if turn_limit is None else whole(turn_limit, "turn_limit", at_least=1)
    dealt = " ".join(deal or ())
    _varied(resolved, dealt, limit)  # an error before OpenSpiel has errors of its own
    parameters = {"scenario": _written(resolved), "deal": dealt, "turn_limit": limit}
    return pyspiel.load_game(SHORT_NAME, parameters)  # type: ignore[no-any-return]


def _load(text: str) -> MascaradeGame:
    """Read a game from a pickle, which names this function and so has this module imported."""
    return pyspiel.load_game(text)  # type: ignore[no-any-return]


def _written(scenario: Scenario) -> str:
    """Return a scenario as a parameter that says all there is to say of it."""
    named = scenarios().get(scenario.name) == scenario
    return scenario.name if named else quote(json.dumps(scenario.to_dict()), safe="")


def _resolved(text: str) -> Scenario:
    """Return the scenario that a parameter says, as `_written` or as a user has written it."""
    plain = unquote(text)
    if not plain.startswith("{"):
        return resolve(text)
    try:
        data = parse_json(plain.encode())
    except ValueError as error:
        raise MascaradeError(f"a scenario that cannot be read: {error}") from error
    return resolve(data)


def _varied(scenario: Scenario, deal: str, turn_limit: int) -> Scenario:
    """Return a scenario with the deal and the turn limit that a game was given."""
    if turn_limit or scenario.turn_limit is None:
        scenario = replace(scenario, turn_limit=turn_limit or TURN_LIMIT)
    if deal:
        masks = deal.split()
        scenario.deal_numbers(masks)
        scenario = replace(scenario, masks=tuple(masks), fixed_deal=True)
    return scenario


pyspiel.register_game(_game_type(chance=True), MascaradeGame)
