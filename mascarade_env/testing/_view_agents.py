"""Whether an agent that is shown views answers as an arena will ask it."""

import operator
import pickle
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeGuard

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError
from mascarade_env.game._game import Game
from mascarade_env.game._scenarios import Scenario
from mascarade_env.knowledge._agent_view import AgentView
from mascarade_env.testing._compare import difference
from mascarade_env.testing._errors import Where

_MOST_DECISIONS = 400  # of one game, by anybody
_KEPT = 40  # positions that are asked about all at once
_WORLDS = 2  # other games that the player cannot tell from the one played
_EVERY = 5  # decisions between two of these comparisons
_OFF = 1e-6  # by how much a sum of chances may miss 1
_SEEDS = range(12)  # who answers the same by so many random numbers does not draw
_KEEP_TO_VIEW = "Decide by the view, the observation and the random numbers given, by nothing else."


class Viewer(Protocol):
    """An agent that is shown views; `mascarade_agents.Agent` is the base of such."""

    needs_views: bool

    def act(self, view: AgentView, rng: np.random.Generator) -> int:
        """The action id for a player who decides."""

    def act_batch(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        views: Sequence[AgentView],
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """The action ids for k players who decide."""


@dataclass
class ViewerGames:
    """What was seen in games of an agent that is shown views.

    Attributes:
        games: played against random opponents, from each seat in turn.
        decisions: taken by the agent in these.
        unfinished: games broken off.
        wins: its shares of the wins in the games that ended, added up.
        phases: in how many positions it was asked for each kind of decision.
        repeatable: whether it answers the same when asked twice with the same random numbers.
        worlds: other games, not to be told from the one played, in which it answered the same.
        chances: positions in which it told by which chances it draws.
        seconds: that `act` took in all when it was asked first.
    """

    games: int = 0
    decisions: int = 0
    unfinished: int = 0
    wins: float = 0.0
    phases: dict[str, int] = field(default_factory=dict)
    repeatable: bool = True
    worlds: int = 0
    chances: int = 0
    seconds: float = 0.0


class _Asked(NamedTuple):
    """A question, with the seed of its random numbers, and the answer."""

    view: AgentView
    number: int
    answer: int


def is_viewer(agent: object) -> TypeGuard[Viewer]:
    """Whether an agent is to be shown views rather than observations alone."""
    return all(callable(getattr(agent, name, None)) for name in ("act", "act_batch"))


def check_viewer(agent: Viewer, scenario: Scenario, games: int, seed: int) -> ViewerGames:
    """Play games against random opponents, and ask in several ways for each decision."""
    learned = getattr(agent, "scenario", scenario)
    if learned != scenario:
        raise MascaradeError(
            f"this agent was made for {getattr(learned, 'name', learned)}, not for {scenario.name}"
        )
    found = ViewerGames()
    kept: list[_Asked] = []
    for number in range(games):
        where = Where(scenario.name, seed + number)
        _play(agent, scenario, number % scenario.players, where, found, kept)
    where = Where(scenario.name)
    views = [asked.view for asked in kept]
    shown = pickle.dumps(views)
    _ask_all_at_once(agent, views, seed, where)
    if found.repeatable:
        _ask_later(agent, kept, found, where)
    found.chances = _check_chances(agent, kept, where)
    _check_untouched(pickle.loads(shown), views, where)
    return found


def _ask_all_at_once(agent: Viewer, views: list[AgentView], seed: int, where: Where) -> None:
    """Each answer must be legal, and that of a decision that is not drawn the same as alone."""
    answers = _answers(agent, views, np.random.default_rng(seed), where)
    for view, answer in zip(views, answers, strict=True):
        number = _check_legal(answer, view, where)
        if int(_answers(agent, [view], np.random.default_rng(seed), where)[0]) == number:
            continue
        alone = {
            int(_answers(agent, [view], np.random.default_rng(other), where)[0]) for other in _SEEDS
        }
        place = views.index(view)
        together = {
            int(_answers(agent, views, np.random.default_rng(other), where)[place])
            for other in (_SEEDS if len(alone) == 1 else ())
        }
        if len(alone) == 1 and len(together) == 1 and alone != together:
            raise where.error(
                f"asked for {len(views)} answers, act_batch gave {together.pop()} where it gives "
                f"{alone.pop()} when asked for that alone",
                "Answer each row by itself.",
                f"player_{view.player}",
            )


def _ask_later(agent: Viewer, kept: list[_Asked], found: ViewerGames, where: Where) -> None:
    """The same questions in another order: what came in between must not matter."""
    changed = 0
    for asked in reversed(kept):
        with where.running("act, asked later again,", f"player_{asked.view.player}"):
            answer = agent.act(asked.view, np.random.default_rng(asked.number))
        changed += int(answer) != asked.answer
    if 4 * changed > len(kept):
        raise where.error(
            f"asked later again, the agent answers {changed} of {len(kept)} questions otherwise",
            "Keep no memory between decisions: an agent plays many games at once.",
        )
    found.repeatable = not changed


def _play(
    agent: Viewer,
    scenario: Scenario,
    player: int,
    where: Where,
    found: ViewerGames,
    kept: list[_Asked],
) -> None:
    """One game, in which the agent plays one player."""
    assert where.seed is not None
    chance = np.random.default_rng(where.seed)
    game = Game(scenario, seed=where.seed)
    view = game.view(player)
    for step in range(_MOST_DECISIONS):
        if game.over:
            break
        where.step = step
        if game.player != player:
            game.play(int(chance.choice(game.legal_ids())))
            continue
        game.tell(view)
        found.phases[view.phase] = found.phases.get(view.phase, 0) + 1
        number = int(chance.integers(2**62))
        before = view.observation(), view.events.copy()
        began = time.perf_counter()
        with where.running("act", f"player_{player}"):
            answer = agent.act(view, np.random.default_rng(number))
        found.seconds += time.perf_counter() - began
        if found_change := difference(before, (view.observation(), view.events)):
            raise where.error(
                f"the agent has changed its view: {found_change}", "A view is to be read only."
            )
        taken = _check_legal(answer, view, where)
        if found.decisions % _EVERY == 0:
            _ask_again(agent, game, view, taken, number, where, found)
            if len(kept) < _KEPT:
                kept.append(_Asked(game.view(player), number, taken))
        found.decisions += 1
        game.play(taken)
    found.games += 1
    winners = game.winners
    if winners is None:
        found.unfinished += 1
    elif player in winners:
        found.wins += 1 / len(winners)


def _ask_again(
    agent: Viewer,
    game: Game,
    view: AgentView,
    answer: int,
    number: int,
    where: Where,
    found: ViewerGames,
) -> None:
    """The same question: as a batch of one, once more, and in worlds that look the same."""
    player = view.player
    batch = _answers(agent, [view], np.random.default_rng(number), where)
    with where.running("act, asked again,", f"player_{player}"):
        found.repeatable &= int(agent.act(view, np.random.default_rng(number))) == answer
    if _check_legal(batch[0], view, where) != answer:
        _compare_methods(agent, view, where)
    if not found.repeatable or not game.exact(player):
        return
    for other in game.sample_worlds(player, _WORLDS, number):
        with where.running("act, asked in another world,", f"player_{player}"):
            there = int(agent.act(other.view(player), np.random.default_rng(number)))
        if there != answer:
            raise where.error(
                f"the agent answers {answer}, and {there} in a game that its player cannot tell "
                "from this one",
                _KEEP_TO_VIEW,
                f"player_{player}",
            )
        found.worlds += 1


def _compare_methods(agent: Viewer, view: AgentView, where: Where) -> None:
    """The two methods of an agent that does not draw must agree."""
    single, batch = set(), set()
    for seed in _SEEDS:
        with where.running("act, asked by other random numbers,", f"player_{view.player}"):
            single.add(int(agent.act(view, np.random.default_rng(seed))))
        batch.add(int(_answers(agent, [view], np.random.default_rng(seed), where)[0]))
    if len(single) == 1 and len(batch) == 1 and single != batch:
        raise where.error(
            f"act answers {single.pop()}, and act_batch {batch.pop()} to the same question",
            "Write one of the two; mascarade_agents.Agent makes the other of it.",
            f"player_{view.player}",
        )


def _answers(
    agent: Viewer, views: Sequence[AgentView], rng: np.random.Generator, where: Where
) -> NDArray[Any]:
    """What `act_batch` answers."""
    if not views:
        return np.empty(0, np.int64)
    observations = np.array([view.observation() for view in views])
    masks = np.array([view.legal_mask() for view in views])
    with where.running(f"act_batch, asked for {len(views)} answers,"):
        given = views if agent.needs_views else ()
        answers = np.asarray(agent.act_batch(observations, masks, given, rng))
    if answers.shape != (len(views),) or answers.dtype.kind not in "iu":
        hint = "" if agent.needs_views else " If it reads views, say so: needs_views = True."
        raise where.error(
            f"asked for {len(views)} answers, act_batch gave {answers.dtype} of shape "
            f"{answers.shape}",
            f"Answer with an array of {len(views)} whole numbers, one a row.{hint}",
        )
    return answers


def _check_chances(agent: Viewer, kept: list[_Asked], where: Where) -> int:
    """Chances, if an agent tells them, must be such that they allow its answers."""
    tell = getattr(agent, "chances", None)
    if not callable(tell) or not kept:
        return 0
    views = [asked.view for asked in kept]
    observations = np.array([view.observation() for view in views])
    masks = np.array([view.legal_mask() for view in views])
    with where.running(f"chances, asked of {len(views)} positions,"):
        told = tell(observations, masks, views if agent.needs_views else ())
    if told is None:
        return 0
    found = np.asarray(told)
    if found.shape != masks.shape or found.dtype.kind != "f":
        raise where.error(
            f"asked of {len(views)} positions, chances gave {found.dtype} of shape {found.shape}",
            f"Give probabilities of shape {masks.shape}, or None if the agent cannot tell.",
        )
    for view, mask, asked, chances in zip(views, masks, kept, found, strict=True):
        player = f"player_{view.player}"
        sound = (chances >= 0).all() and abs(chances.sum() - 1) <= _OFF
        if not sound or (chances[mask == 0] != 0).any():
            raise where.error(
                f"chances gave {chances.tolist()} where {view.legal_ids()} are legal",
                "Probabilities are 0 or more, sum to 1, and are 0 where an action is illegal.",
                player,
            )
        if chances[asked.answer] == 0:
            raise where.error(
                f"the agent chose action {asked.answer}, for which chances gave 0",
                "Tell the chances by which act and act_batch draw.",
                player,
            )
    return len(views)


def _check_legal(answer: Any, view: AgentView, where: Where) -> int:
    """The answer as a number, if it is one and legal."""
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
        if found := difference(one.observation(), other.observation()):
            raise where.error(
                f"act_batch has changed a view: {found}", "A view is to be read only."
            )
