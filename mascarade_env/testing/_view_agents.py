"""Check that an agent that reads views decides correctly in all ways in which arenas call it."""

import operator
import pickle
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mascarade_env._policies.protocol import Policy, Positions
from mascarade_env._policies.translation import fitted
from mascarade_env.game._game import Game
from mascarade_env.game._scenarios import Scenario
from mascarade_env.knowledge._agent_view import AgentView
from mascarade_env.observation._schema import schema_of
from mascarade_env.testing._compare import difference
from mascarade_env.testing._errors import Where

_MOST_DECISIONS = 400  # limit for all players together in one game
_KEPT = 40  # positions that are decided again in one batch
_WORLDS = 2  # other games that the player cannot tell from the played one
_EVERY = 5  # decisions between two comparisons with other games
_OFF = 1e-6  # tolerance of a sum of probabilities
_SEEDS = range(12)  # an action that is the same with 12 seeds counts as deterministic
_KEEP_TO_VIEW = "Decide only by the view, the observation and the random numbers given."


@dataclass
class ViewerGames:
    """Statistics of the games of an agent that reads views.

    Attributes:
        games: number of games against random opponents, from each seat in turn.
        decisions: number of the agent's decisions in these games.
        unfinished: number of games stopped early.
        wins: sum of the agent's win shares in games that ended.
        phases: number of decisions of each kind.
        repeatable: whether two calls with the same seed gave the same decisions.
        worlds: number of other games that the player cannot tell from the played one, and in which
            the agent made the same decision.
        probabilities: number of positions with valid probabilities.
        seconds: time of all first calls of `act`.
    """

    games: int = 0
    decisions: int = 0
    unfinished: int = 0
    wins: float = 0.0
    phases: dict[str, int] = field(default_factory=dict)
    repeatable: bool = True
    worlds: int = 0
    probabilities: int = 0
    seconds: float = 0.0


class _Decision(NamedTuple):
    """A decision of the agent: its view, the seed of its generator, and its action."""

    view: AgentView
    seed: int
    action: int


class _Subject:
    """The policy under test, called with views.

    Attributes:
        needs_views: whether `act_batch` gets the views.
    """

    def __init__(self, policy: Policy, scenario: Scenario) -> None:
        self._policy = fitted(policy, schema_of(scenario, "both", False))
        # Agents may have this method for a single decision.
        self._act: Callable[[AgentView, np.random.Generator], Any] | None = getattr(
            policy, "act", None
        )
        self.needs_views = policy.needs_views

    def act(self, view: AgentView, rng: np.random.Generator) -> Any:
        """Return the action for one view."""
        return self.act_batch([view], rng)[0] if self._act is None else self._act(view, rng)

    def act_batch(self, views: Sequence[AgentView], rng: np.random.Generator) -> Any:
        """Return the actions for some views, in one batch."""
        return self._policy.act_batch(self._positions(views), rng)

    def probabilities(self, views: Sequence[AgentView]) -> Any:
        """Return the policy's probabilities."""
        return self._policy.probabilities(self._positions(views))

    def _positions(self, views: Sequence[AgentView]) -> Positions:
        positions = Positions.of_views(views)
        return positions if self.needs_views else replace(positions, views=())


def check_viewer(agent: Policy, scenario: Scenario, games: int, seed: int) -> ViewerGames:
    """Play games against random opponents, and repeat decisions in several ways."""
    examiner = _Examiner(_Subject(agent, scenario), scenario)
    for number in range(games):
        examiner.play(number % scenario.players, seed + number)
    examiner.repeat_all(seed)
    return examiner.report


class _Examiner:
    """Plays games with an agent, and repeats its decisions in several ways.

    Args:
        agent: the agent under test.
        scenario: the scenario of the games.
    """

    def __init__(self, agent: _Subject, scenario: Scenario) -> None:
        self.report = ViewerGames()
        self._agent = agent
        self._scenario = scenario
        self._where = Where(scenario.name)
        self._kept: list[_Decision] = []

    def play(self, player: int, seed: int) -> None:
        """Play one game, in which the agent plays one player."""
        self._where = Where(self._scenario.name, seed)
        rng = np.random.default_rng(seed)
        game = Game(self._scenario, seed=seed)
        view = game.view(player)
        for step in range(_MOST_DECISIONS):
            if game.over:
                break
            self._where.step = step
            if game.player == player:
                game.tell(view)
                game.play(self._decision(game, view, int(rng.integers(2**62))))
            else:
                game.play(int(rng.choice(game.legal_ids())))
        self.report.games += 1
        winners = game.winners
        if winners is None:
            self.report.unfinished += 1
        elif player in winners:
            self.report.wins += 1 / len(winners)

    def repeat_all(self, seed: int) -> None:
        """Repeat some decisions of all games, in one batch and in another order."""
        self._where = Where(self._scenario.name)
        views = [decision.view for decision in self._kept]
        before = pickle.dumps(views)
        self._repeat_in_one_batch(views, seed)
        if self.report.repeatable:
            self._repeat_in_another_order()
        self.report.probabilities = self._check_all_probabilities()
        _check_untouched(pickle.loads(before), views, self._where)

    def _decision(self, game: Game, view: AgentView, number: int) -> int:
        """Call the agent, check its action, and return it; `number` seeds the agent's generator."""
        report = self.report
        report.phases[view.phase] = report.phases.get(view.phase, 0) + 1
        before = view.observation(), view.events.copy()
        began = time.perf_counter()
        with self._where.running("act", f"player_{view.player}"):
            choice = self._agent.act(view, np.random.default_rng(number))
        report.seconds += time.perf_counter() - began
        if changed := difference(before, (view.observation(), view.events)):
            raise self._where.error(
                f"the agent has changed its view: {changed}", "Agents must only read their views."
            )
        action = _check_legal(choice, view, self._where)
        if report.decisions % _EVERY == 0:
            decision = _Decision(view, number, action)
            self._repeat(game, decision)
            if len(self._kept) < _KEPT:
                self._kept.append(decision._replace(view=game.view(view.player)))
        report.decisions += 1
        return action

    def _repeat(self, game: Game, decision: _Decision) -> None:
        """Ask for a decision again, and compare the answers.

        The agent is called with `act_batch`, with `act`, and with `act` in worlds that the player
        cannot tell apart from the game.
        """
        view, player = decision.view, decision.view.player
        batch = self._actions([view], np.random.default_rng(decision.seed))
        with self._where.running("act, called again,", f"player_{player}"):
            action = int(self._agent.act(view, np.random.default_rng(decision.seed)))
        self.report.repeatable &= action == decision.action
        if _check_legal(batch[0], view, self._where) != decision.action:
            self._compare_methods(view)
        if not self.report.repeatable or not game.exact(player):
            return
        for world in game.sample_worlds(player, _WORLDS, decision.seed):
            with self._where.running("act, called in another world,", f"player_{player}"):
                rng = np.random.default_rng(decision.seed)
                action = int(self._agent.act(world.view(player), rng))
            if action != decision.action:
                raise self._where.error(
                    f"the agent chooses action {decision.action} in this game, but {action} in a "
                    "game that its player cannot tell from this one",
                    _KEEP_TO_VIEW,
                    f"player_{player}",
                )
            self.report.worlds += 1

    def _compare_methods(self, view: AgentView) -> None:
        """Check that `act` and `act_batch` agree, if their actions are deterministic."""
        single, batch = set(), set()
        for seed in _SEEDS:
            with self._where.running("act, called with another seed,", f"player_{view.player}"):
                single.add(int(self._agent.act(view, np.random.default_rng(seed))))
            batch.add(int(self._actions([view], np.random.default_rng(seed))[0]))
        if len(single) == 1 and len(batch) == 1 and single != batch:
            raise self._where.error(
                f"act chooses {single.pop()}, but act_batch chooses {batch.pop()} in the same "
                "position",
                "Define one of these methods; mascarade_agents.Agent derives the other from it.",
                f"player_{view.player}",
            )

    def _repeat_in_one_batch(self, views: list[AgentView], seed: int) -> None:
        """Check that the actions in one batch are legal.

        A deterministic action must also be the same as in a call for this position alone.
        """
        actions = self._actions(views, np.random.default_rng(seed))
        for place, (view, action) in enumerate(zip(views, actions, strict=True)):
            number = _check_legal(action, view, self._where)
            if int(self._actions([view], np.random.default_rng(seed))[0]) == number:
                continue
            alone = {
                int(self._actions([view], np.random.default_rng(other))[0]) for other in _SEEDS
            }
            together = {
                int(self._actions(views, np.random.default_rng(other))[place])
                for other in (_SEEDS if len(alone) == 1 else ())
            }
            if len(alone) == 1 and len(together) == 1 and alone != together:
                raise self._where.error(
                    f"act_batch chose action {together.pop()} in a batch of {len(views)} "
                    f"positions, but it chooses {alone.pop()} when called for this position alone",
                    "Decide each row by its own data.",
                    f"player_{view.player}",
                )

    def _repeat_in_another_order(self) -> None:
        """Ask for decisions again in another order; earlier calls must not change them."""
        changed = 0
        for decision in reversed(self._kept):
            with self._where.running("act, called again later,", f"player_{decision.view.player}"):
                action = self._agent.act(decision.view, np.random.default_rng(decision.seed))
            changed += int(action) != decision.action
        if 4 * changed > len(self._kept):
            raise self._where.error(
                f"the agent changes {changed} of {len(self._kept)} decisions when it is called "
                "again later",
                "Keep no memory between decisions: an agent plays many games at once.",
            )
        self.report.repeatable = not changed

    def _actions(self, views: Sequence[AgentView], rng: np.random.Generator) -> NDArray[Any]:
        """Call `act_batch`, check the type and shape of its result, and return it."""
        if not views:
            return np.empty(0, np.int64)
        needs_views = self._agent.needs_views
        with self._where.running(f"act_batch, called for {len(views)} actions,"):
            actions = np.asarray(self._agent.act_batch(views, rng))
        if actions.shape != (len(views),) or actions.dtype.kind not in "iu":
            hint = "" if needs_views else " If it reads views, set needs_views = True."
            raise self._where.error(
                f"act_batch was called for {len(views)} actions and returned an array of "
                f"{actions.dtype} with the shape {actions.shape}",
                f"Return an array of {len(views)} integers, one for each row.{hint}",
            )
        return actions

    def _check_all_probabilities(self) -> int:
        """Check probabilities if the agent returns them; return the number of positions."""
        if not self._kept:
            return 0
        views = [decision.view for decision in self._kept]
        masks = np.array([view.legal_mask() for view in views])
        with self._where.running(f"probabilities, called for {len(views)} positions,"):
            rows = self._agent.probabilities(views)
        if rows is None:
            return 0
        probabilities = np.asarray(rows)
        if probabilities.shape != masks.shape or probabilities.dtype.kind != "f":
            raise self._where.error(
                f"`probabilities` was called for {len(views)} positions and returned an array of "
                f"{probabilities.dtype} with the shape {probabilities.shape}",
                f"Return an array of floats of shape {masks.shape}, or None if the agent does not "
                "compute probabilities.",
            )
        for decision, mask, row in zip(self._kept, masks, probabilities, strict=True):
            self._check_probabilities(decision, mask, row)
        return len(views)

    def _check_probabilities(
        self, decision: _Decision, mask: NDArray[np.int8], row: NDArray[np.floating[Any]]
    ) -> None:
        """Check the probabilities of one position, and that they allow the agent's action."""
        view, player = decision.view, f"player_{decision.view.player}"
        sound = (row >= 0).all() and abs(row.sum() - 1) <= _OFF
        if not sound or (row[mask == 0] != 0).any():
            raise self._where.error(
                f"`probabilities` returned {row.tolist()} for a position with the legal actions "
                f"{view.legal_ids()}",
                "Probabilities must be 0 or more, sum to 1, and be 0 for illegal actions.",
                player,
            )
        if row[decision.action] == 0:
            raise self._where.error(
                f"the agent chose action {decision.action}, but `probabilities` gives it the "
                "probability 0",
                "`probabilities` must return the probabilities with which act and act_batch "
                "sample.",
                player,
            )


def _check_legal(choice: Any, view: AgentView, where: Where) -> int:
    """Return an agent's choice as a number; raise an error if it is not a legal id."""
    try:
        number = -1 if isinstance(choice, bool | np.bool_) else operator.index(choice)
    except TypeError:
        number = -1
    if number not in view.legal_ids():
        raise where.error(
            f"the agent chose {choice!r}, but the legal action ids are {view.legal_ids()}: "
            f"{', '.join(view.legal_actions())}",
            "Return one of `view.legal_ids()`.",
            f"player_{view.player}",
        )
    return number


def _check_untouched(before: list[AgentView], after: list[AgentView], where: Where) -> None:
    for one, other in zip(before, after, strict=True):
        if changed := difference(one.observation(), other.observation()):
            raise where.error(
                f"act_batch has changed a view: {changed}", "Agents must only read their views."
            )
