"""Whether an agent that is shown views answers as an arena will ask it."""

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

_MOST_DECISIONS = 400  # of one game, by anybody
_KEPT = 40  # positions that are asked about all at once
_WORLDS = 2  # other games that the player cannot tell from the one played
_EVERY = 5  # decisions between two of these comparisons
_OFF = 1e-6  # by how much a sum of probabilities may miss 1
_SEEDS = range(12)  # who answers the same by so many random numbers does not draw
_KEEP_TO_VIEW = "Decide by the view, the observation and the random numbers given, by nothing else."


@dataclass
class ViewerGames:
    """What was seen in games of an agent that is shown views.

    Attributes:
        games: played against random opponents, from each seat in turn.
        decisions: taken by the agent in these.
        unfinished: games stopped early.
        wins: its shares of the wins in the games that ended, added up.
        phases: in how many positions it was asked for each kind of decision.
        repeatable: whether it answers the same when asked twice with the same random numbers.
        worlds: other games, not to be told from the one played, in which it answered the same.
        probabilities: positions in which it returned sound probabilities.
        seconds: that `act` took in all when it was asked first.
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


class _Asked(NamedTuple):
    """A question, with the seed of its random numbers, and the answer."""

    view: AgentView
    number: int
    answer: int


class _Subject:
    """The policy that is checked, as it is asked about views.

    Attributes:
        needs_views: whether `act_batch` is shown the views.
    """

    def __init__(self, policy: Policy, scenario: Scenario) -> None:
        self._policy = fitted(policy, schema_of(scenario, "both", False))
        # Written for one decision, as agents may be.
        self._act: Callable[[AgentView, np.random.Generator], Any] | None = getattr(
            policy, "act", None
        )
        self.needs_views = policy.needs_views

    def act(self, view: AgentView, rng: np.random.Generator) -> Any:
        """Return the answer for one view."""
        return self.act_batch([view], rng)[0] if self._act is None else self._act(view, rng)

    def act_batch(self, views: Sequence[AgentView], rng: np.random.Generator) -> Any:
        """Return the answers for some views, all at once."""
        return self._policy.act_batch(self._positions(views), rng)

    def probabilities(self, views: Sequence[AgentView]) -> Any:
        """Return what the policy gives as its probabilities."""
        return self._policy.probabilities(self._positions(views))

    def _positions(self, views: Sequence[AgentView]) -> Positions:
        shown = Positions.of_views(views)
        return shown if self.needs_views else replace(shown, views=())


def check_viewer(agent: Policy, scenario: Scenario, games: int, seed: int) -> ViewerGames:
    """Play games against random opponents, and ask in several ways for each decision."""
    examiner = _Examiner(_Subject(agent, scenario), scenario)
    for number in range(games):
        examiner.play(number % scenario.players, seed + number)
    examiner.ask_all_again(seed)
    return examiner.seen


class _Examiner:
    """Plays games with an agent, and asks it the same questions in several ways.

    Args:
        agent: what is checked.
        scenario: of the games.
    """

    def __init__(self, agent: _Subject, scenario: Scenario) -> None:
        self.seen = ViewerGames()
        self._agent = agent
        self._scenario = scenario
        self._where = Where(scenario.name)
        self._kept: list[_Asked] = []

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
        self.seen.games += 1
        winners = game.winners
        if winners is None:
            self.seen.unfinished += 1
        elif player in winners:
            self.seen.wins += 1 / len(winners)

    def ask_all_again(self, seed: int) -> None:
        """Ask some questions of all games again, together and in another order."""
        self._where = Where(self._scenario.name)
        views = [asked.view for asked in self._kept]
        shown = pickle.dumps(views)
        self._ask_all_at_once(views, seed)
        if self.seen.repeatable:
            self._ask_later()
        self.seen.probabilities = self._check_all_probabilities()
        _check_untouched(pickle.loads(shown), views, self._where)

    def _decision(self, game: Game, view: AgentView, number: int) -> int:
        """Return the agent's decision, once it has been checked; `number` seeds its generator."""
        seen = self.seen
        seen.phases[view.phase] = seen.phases.get(view.phase, 0) + 1
        before = view.observation(), view.events.copy()
        began = time.perf_counter()
        with self._where.running("act", f"player_{view.player}"):
            answer = self._agent.act(view, np.random.default_rng(number))
        seen.seconds += time.perf_counter() - began
        if changed := difference(before, (view.observation(), view.events)):
            raise self._where.error(
                f"the agent has changed its view: {changed}", "A view is to be read only."
            )
        action = _check_legal(answer, view, self._where)
        if seen.decisions % _EVERY == 0:
            asked = _Asked(view, number, action)
            self._ask_again(game, asked)
            if len(self._kept) < _KEPT:
                self._kept.append(asked._replace(view=game.view(view.player)))
        seen.decisions += 1
        return action

    def _ask_again(self, game: Game, asked: _Asked) -> None:
        """Ask the same as a batch of one, once more, and in worlds that look the same."""
        view, player = asked.view, asked.view.player
        batch = self._answers([view], np.random.default_rng(asked.number))
        with self._where.running("act, asked again,", f"player_{player}"):
            answer = int(self._agent.act(view, np.random.default_rng(asked.number)))
        self.seen.repeatable &= answer == asked.answer
        if _check_legal(batch[0], view, self._where) != asked.answer:
            self._compare_methods(view)
        if not self.seen.repeatable or not game.exact(player):
            return
        for world in game.sample_worlds(player, _WORLDS, asked.number):
            with self._where.running("act, asked in another world,", f"player_{player}"):
                rng = np.random.default_rng(asked.number)
                answer = int(self._agent.act(world.view(player), rng))
            if answer != asked.answer:
                raise self._where.error(
                    f"the agent answers {asked.answer}, and {answer} in a game that its player "
                    "cannot tell from this one",
                    _KEEP_TO_VIEW,
                    f"player_{player}",
                )
            self.seen.worlds += 1

    def _compare_methods(self, view: AgentView) -> None:
        """The two methods of an agent that does not draw must agree."""
        single, batch = set(), set()
        for seed in _SEEDS:
            with self._where.running(
                "act, asked by other random numbers,", f"player_{view.player}"
            ):
                single.add(int(self._agent.act(view, np.random.default_rng(seed))))
            batch.add(int(self._answers([view], np.random.default_rng(seed))[0]))
        if len(single) == 1 and len(batch) == 1 and single != batch:
            raise self._where.error(
                f"act answers {single.pop()}, and act_batch {batch.pop()} to the same question",
                "Write one of the two; mascarade_agents.Agent makes the other of it.",
                f"player_{view.player}",
            )

    def _ask_all_at_once(self, views: list[AgentView], seed: int) -> None:
        """Each answer must be legal, and that of a decision that is not drawn the same as alone."""
        answers = self._answers(views, np.random.default_rng(seed))
        for place, (view, answer) in enumerate(zip(views, answers, strict=True)):
            number = _check_legal(answer, view, self._where)
            if int(self._answers([view], np.random.default_rng(seed))[0]) == number:
                continue
            alone = {
                int(self._answers([view], np.random.default_rng(other))[0]) for other in _SEEDS
            }
            together = {
                int(self._answers(views, np.random.default_rng(other))[place])
                for other in (_SEEDS if len(alone) == 1 else ())
            }
            if len(alone) == 1 and len(together) == 1 and alone != together:
                raise self._where.error(
                    f"asked for {len(views)} answers, act_batch gave {together.pop()} where it "
                    f"gives {alone.pop()} when asked for that alone",
                    "Answer each row by itself.",
                    f"player_{view.player}",
                )

    def _ask_later(self) -> None:
        """Ask the same in another order: what came in between must not matter."""
        changed = 0
        for asked in reversed(self._kept):
            with self._where.running("act, asked later again,", f"player_{asked.view.player}"):
                answer = self._agent.act(asked.view, np.random.default_rng(asked.number))
            changed += int(answer) != asked.answer
        if 4 * changed > len(self._kept):
            raise self._where.error(
                f"asked later again, the agent answers {changed} of {len(self._kept)} questions "
                "otherwise",
                "Keep no memory between decisions: an agent plays many games at once.",
            )
        self.seen.repeatable = not changed

    def _answers(self, views: Sequence[AgentView], rng: np.random.Generator) -> NDArray[Any]:
        """Return what `act_batch` answers."""
        if not views:
            return np.empty(0, np.int64)
        needs_views = self._agent.needs_views
        with self._where.running(f"act_batch, asked for {len(views)} answers,"):
            answers = np.asarray(self._agent.act_batch(views, rng))
        if answers.shape != (len(views),) or answers.dtype.kind not in "iu":
            hint = "" if needs_views else " If it reads views, say so: needs_views = True."
            raise self._where.error(
                f"asked for {len(views)} answers, act_batch gave {answers.dtype} of shape "
                f"{answers.shape}",
                f"Answer with an array of {len(views)} whole numbers, one a row.{hint}",
            )
        return answers

    def _check_all_probabilities(self) -> int:
        """Check probabilities, if an agent gives them; returns the number of positions."""
        if not self._kept:
            return 0
        views = [asked.view for asked in self._kept]
        masks = np.array([view.legal_mask() for view in views])
        with self._where.running(f"probabilities, asked of {len(views)} positions,"):
            given = self._agent.probabilities(views)
        if given is None:
            return 0
        probabilities = np.asarray(given)
        if probabilities.shape != masks.shape or probabilities.dtype.kind != "f":
            raise self._where.error(
                f"asked of {len(views)} positions, probabilities gave {probabilities.dtype} of "
                f"shape {probabilities.shape}",
                f"Give probabilities of shape {masks.shape}, or None if they are not known.",
            )
        for asked, mask, row in zip(self._kept, masks, probabilities, strict=True):
            self._check_probabilities(asked, mask, row)
        return len(views)

    def _check_probabilities(
        self, asked: _Asked, mask: NDArray[np.int8], row: NDArray[np.floating[Any]]
    ) -> None:
        """Check the probabilities of one position, and that they allow the agent's answer."""
        view, player = asked.view, f"player_{asked.view.player}"
        sound = (row >= 0).all() and abs(row.sum() - 1) <= _OFF
        if not sound or (row[mask == 0] != 0).any():
            raise self._where.error(
                f"probabilities gave {row.tolist()} where {view.legal_ids()} are legal",
                "Probabilities are 0 or more, sum to 1, and are 0 where an action is illegal.",
                player,
            )
        if row[asked.answer] == 0:
            raise self._where.error(
                f"the agent chose action {asked.answer}, for which probabilities gave 0",
                "Give the probabilities by which act and act_batch draw.",
                player,
            )


def _check_legal(answer: Any, view: AgentView, where: Where) -> int:
    """Return the answer as a number; raise if it is none, or illegal."""
    try:
        number = -1 if isinstance(answer, bool | np.bool_) else operator.index(answer)
    except TypeError:
        number = -1
    if number not in view.legal_ids():
        raise where.error(
            f"the agent chose {answer!r} where {view.legal_ids()} are legal: "
            f"{', '.join(view.legal_actions())}",
            "Answer with one of `view.legal_ids()`.",
            f"player_{view.player}",
        )
    return number


def _check_untouched(before: list[AgentView], after: list[AgentView], where: Where) -> None:
    for one, other in zip(before, after, strict=True):
        if changed := difference(one.observation(), other.observation()):
            raise where.error(
                f"act_batch has changed a view: {changed}", "A view is to be read only."
            )
