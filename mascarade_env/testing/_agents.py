"""Check that an agent decides correctly in all ways in which environments and arenas call it."""

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mascarade_env._errors import MascaradeError, whole
from mascarade_env._policies.functions import FunctionPolicy, PolicyFunction, as_policy
from mascarade_env._policies.protocol import Policy, Positions, is_policy
from mascarade_env._policies.translation import fitted
from mascarade_env.game._batch import Batch
from mascarade_env.game._positions import PHASES
from mascarade_env.game._scenarios import Scenario, resolve
from mascarade_env.observation._blocks import Track
from mascarade_env.observation._schema import Schema
from mascarade_env.testing._compare import difference
from mascarade_env.testing._errors import Where
from mascarade_env.testing._view_agents import check_viewer

_MOST_DECISIONS = 2000  # limit for the agent in one game; the rules have no limit
_SURVEY = 64  # games from which positions are gathered
_SURVEY_STEPS = 200
_MOST_ALIKE = 8  # limit of positions with the same legal actions
_SEEDS = 12  # an action that is the same with 12 seeds counts as deterministic
_ALIKE = 0.99  # rounding of sums depends on the place in a batch, and may decide between equals

#: Further scenarios for agents with padded observations: two players, and all kinds of decisions.
_OTHER_SCENARIOS: tuple[str | Scenario, ...] = (
    Scenario(
        "two players",
        players=2,
        masks=("king", "thief", "judge"),
        strict=False,
        opening_turns=2,
        turn_limit=20,
    ),
    "4A",
    "8B",
    "12B",
)


@dataclass
class AgentReport:
    """The report of `check_agent`: counts of its checks, and statistics of the games.

    Attributes:
        scenario: name of the scenario.
        surveyed: names of the scenarios of the positions.
        positions: number of positions in which the agent decided in one batch, in small batches,
            and one by one.
        legal_sets: number of different sets of legal actions in these positions.
        phases: number of these sets for each kind of decision (`PHASES`).
        repeatable: whether two calls with the same seed gave the same decisions. If not, it is
            unknown whether the actions depend on the order of rows.
        reordered: number of rows whose actions do not depend on the order of rows, without rows
            whose action is sampled. It is 0 if `repeatable` is False.
        games: number of games against random opponents, from each seat in turn.
        decisions: number of the agent's decisions in these games.
        unfinished: number of games stopped early, after too many decisions of the agent.
        win_share: mean win share of the agent in games that ended: 1/w for each of w winners.
        fair_share: the win share of equally strong players, 1/n.
        seconds: mean time of a decision in these games.
        worlds: number of other games that the player cannot tell from the played one, and in which
            the policy made the same decision.
        probabilities: number of positions in which `Policy.probabilities` returned valid
            probabilities that allow the chosen action.
    """

    scenario: str
    surveyed: list[str] = field(default_factory=list)
    positions: int = 0
    legal_sets: int = 0
    phases: dict[str, int] = field(default_factory=dict)
    repeatable: bool = False
    reordered: int = 0
    games: int = 0
    decisions: int = 0
    unfinished: int = 0
    win_share: float = 0.0
    fair_share: float = 0.0
    seconds: float = 0.0
    worlds: int = 0
    probabilities: int = 0


def check_agent(  # noqa: PLR0913  options by name
    agent: Policy | PolicyFunction,
    scenario: str | Scenario = "6A",
    *,
    games: int | None = None,
    seed: int = 0,
    track: Track = "both",
    padded: bool = False,
) -> AgentReport:
    """Check a policy (`mascarade_env.Policy`, such as a `mascarade_agents.Agent`), or a function.

    A function takes observations [k, D] and masks [k, A] and returns action ids [k].

    A policy plays games from each seat. The check calls it in several ways, also in other games
    that its player cannot tell from the played one (`Game.sample_worlds`). In these games it must
    make the same decision. If the policy returns probabilities, they must be valid, and the actions
    that it takes must have a probability above 0.

    A function, or a policy that needs no views, then decides in many positions of random games: in
    one batch, in small batches, and one by one. The positions include all sets of legal actions
    that occur in these games. After that it plays full games from each seat. The check requires
    that

    - the agent returns k integers, which are legal by the mask, and raises no error;
    - it does not change its input arrays;
    - its actions do not depend on the order of rows. This is checked only if two calls with the
      same seed give the same actions. One action in a hundred may change, because sums of floats
      depend on their order.

    With `padded=True`, the agent also decides in scenarios with 2, 4, 8 and 12 players.

    Example:
        >>> from mascarade_env.testing import check_agent
        >>> def first_legal(observation, mask):
        ...     return mask.argmax(axis=1)
        >>> check_agent(first_legal, "4A", games=4).repeatable
        True

    Args:
        agent: a policy, or a function.
        scenario: the scenario to play.
        games: number of full games, at least one for each seat; by default 60, or one for each seat
            if the agent needs views.
        seed: seed of the games.
        track: content of the observations, as for `Batch`.
        padded: whether observations and masks are padded, as for `Batch`.

    Returns:
        A report of what was checked, with the win share and the speed of the agent.

    Raises:
        ConformanceError: the agent fails the check.
    """
    played = resolve(scenario)
    seats_needed = played.players
    if games is not None and whole(games, "games") < seats_needed:
        raise MascaradeError(
            f"games must be at least {seats_needed}, one for each seat, not {games}"
        )
    report = AgentReport(played.name, fair_share=1 / seats_needed)
    shown = Schema(played, track, padded=padded)
    if not callable(agent) and not is_policy(agent):
        raise MascaradeError(
            "agent must be a mascarade_env.Policy, which has act_batch, probabilities, reads and "
            f"needs_views, or a function of observations and masks, not {agent!r}"
        )
    policy = as_policy(agent)
    fitted(policy, shown)  # refuses other scenarios first
    if not isinstance(policy, FunctionPolicy):
        _check_with_views(policy, played, games, seed, report)
        if policy.needs_views:
            return report
    games = 60 if games is None else games
    repeatable = True
    any_scenario = padded and (policy.reads is None or policy.reads.padded)
    for other in (played, *(_OTHER_SCENARIOS if any_scenario else ())):
        batch = _new_batch(other, _SURVEY, seed, track, padded)
        caller = _Caller(policy, batch, seed)
        repeatable &= _call_in_all_ways(caller, *_survey(batch, report), report)
        if batch.scenario.name not in report.surveyed:
            report.surveyed.append(batch.scenario.name)
    report.repeatable = repeatable
    seats = np.arange(games) % played.players
    batch = _new_batch(played, games, seed, track, padded, learner=seats)
    _play(_Caller(policy, batch, seed), batch, seats, report)
    return report


def _check_with_views(
    agent: Policy, scenario: Scenario, games: int | None, seed: int, report: AgentReport
) -> None:
    count = games if games is not None and agent.needs_views else scenario.players
    games_report = check_viewer(agent, scenario, count, seed)
    report.worlds, report.probabilities = games_report.worlds, games_report.probabilities
    report.surveyed.append(scenario.name)
    if not agent.needs_views:
        return  # more games follow, which give the rest of the report
    report.seconds = games_report.seconds / max(games_report.decisions, 1)
    report.games, report.unfinished = games_report.games, games_report.unfinished
    report.decisions, report.phases = games_report.decisions, games_report.phases
    report.win_share = games_report.wins / max(games_report.games - games_report.unfinished, 1)
    report.repeatable = games_report.repeatable


def _new_batch(
    scenario: str | Scenario, size: int, seed: int, track: Track, padded: bool, **options: Any
) -> Batch:
    return Batch(
        scenario, size, seed=seed, autoreset="disabled", track=track, padded=padded, **options
    )


class _Caller:
    """Calls the agent with copies of the arrays, and checks its actions.

    Args:
        agent: the policy.
        batch: the batch from which the positions come.
        seed: seed of the agent's generator, the same in each call.
    """

    def __init__(self, agent: Policy, batch: Batch, seed: int) -> None:
        assert batch.schema is not None
        self.schema = batch.schema
        self.agent = fitted(agent, self.schema)
        self.seed = seed
        self.where = Where(batch.scenario.name)
        self.seconds = 0.0

    def probabilities(
        self, observation: NDArray[np.float32], mask: NDArray[np.int8]
    ) -> NDArray[np.floating[Any]] | None:
        """Return the agent's probabilities without checks; None if the agent returns none."""
        shown = Positions(observation.copy(), mask.copy(), self.schema)
        answer = self.agent.probabilities(shown)
        return answer if getattr(answer, "shape", None) == mask.shape else None

    def __call__(
        self,
        observation: NDArray[np.float32],
        mask: NDArray[np.int8],
        seats: NDArray[np.int64] | None = None,
        seeds: NDArray[np.int64] | None = None,
    ) -> NDArray[np.int64]:
        """Call the agent, check its actions, and return them, [k].

        Args:
            observation: [k, D] the observations.
            mask: [k, A] the action masks.
            seats: [k] the seats, for error messages.
            seeds: [k] the seeds of the games, for error messages.
        """
        count, where = len(mask), self.where
        positions = Positions(observation.copy(), mask.copy(), self.schema)
        rng = np.random.default_rng(self.seed)
        began = time.perf_counter()
        with where.running(f"the agent, called for {count} actions,"):
            answer = self.agent.act_batch(positions, rng)
        self.seconds += time.perf_counter() - began
        for name, before, after in zip(
            ("observation", "mask"),
            (observation, mask),
            (positions.observations, positions.masks),
            strict=True,
        ):
            if changed := difference(before, after):
                raise where.error(
                    f"the agent has changed its {name}: {changed}",
                    "Work on a copy: the caller may need the array.",
                )
        ids = np.asarray(answer)
        if ids.shape != (count,) or ids.dtype.kind not in "iu":
            raise where.error(
                f"the agent was asked for {count} actions and returned an array of {ids.dtype} "
                f"with the shape {ids.shape}",
                f"Return an array of {count} integers, one for each row.",
            )
        actions = ids.astype(np.int64)
        inside = (actions >= 0) & (actions < mask.shape[1])
        legal = inside & (mask[np.arange(count), np.where(inside, actions, 0)] == 1)
        if not legal.all():
            row = int(np.flatnonzero(~legal)[0])
            where.seed = None if seeds is None else int(seeds[row])
            raise where.error(
                f"the agent was asked for {count} actions and chose action {actions[row]}, but the "
                f"legal actions are {np.flatnonzero(mask[row]).tolist()}",
                "Choose an action id whose mask is 1.",
                f"row {row}" if seats is None else f"player_{seats[row]}",
            )
        return actions


def _survey(batch: Batch, report: AgentReport) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """Return positions with all sets of legal actions that occur in random games."""
    by_mask: dict[bytes, list[NDArray[np.float32]]] = {}
    masks: dict[bytes, NDArray[np.int8]] = {}
    for _ in range(_SURVEY_STEPS):
        for row in np.flatnonzero(batch.player >= 0):
            key = batch.mask[row].tobytes()
            alike = by_mask.setdefault(key, [])
            if not alike:
                masks[key] = batch.mask[row].copy()
                phase = PHASES[batch.state["phase"][row]]
                report.phases[phase] = report.phases.get(phase, 0) + 1
            if len(alike) < _MOST_ALIKE:
                alike.append(batch.observation[row].copy())
        if (batch.player < 0).all():
            break
        batch.step(batch.random_actions())
    report.legal_sets += len(by_mask)
    observations = [observation for alike in by_mask.values() for observation in alike]
    report.positions += len(observations)
    repeated = [masks[key] for key, alike in by_mask.items() for _ in alike]
    return np.array(observations), np.array(repeated)


def _call_in_all_ways(
    ask: _Caller,
    observation: NDArray[np.float32],
    mask: NDArray[np.int8],
    report: AgentReport,
) -> bool:
    """Call the agent with one batch, small batches and another order of rows.

    Returns:
        Whether the agent decides the same when called twice.
    """
    count = len(mask)
    once, again = ask(observation, mask), ask(observation, mask)
    for row in range(count):
        ask(observation[row : row + 1], mask[row : row + 1])
    for some in (2, 3, 7):
        ask(observation[:some], mask[:some])
    order = np.random.default_rng(ask.seed).permutation(count)
    moved = ask(observation[order], mask[order])
    if (once != again).any():
        return False
    settled = np.ones(count, np.bool_)  # rows with a deterministic action
    if not isinstance(ask.agent, FunctionPolicy):
        exact = ask.probabilities(observation, mask)
        if exact is not None:  # an action with a probability of 95% may be the same with 12 seeds
            settled = exact[np.arange(count), once] == 1
        seed = ask.seed
        for other in range(1, _SEEDS if exact is None else 1):
            ask.seed = seed + other
            settled &= ask(observation, mask) == once
        ask.seed = seed
    changed = np.flatnonzero((moved != once[order]) & settled[order])
    if len(changed) > max(1, (1 - _ALIKE) * count):
        raise ask.where.error(
            f"with the rows in another order, {len(changed)} of {count} actions change",
            "Decide each row by its own data: its place in the batch must not matter.",
            f"row {order[changed[0]]}",
        )
    report.reordered += int(settled.sum())
    return True


def _play(ask: _Caller, batch: Batch, seats: NDArray[np.int64], report: AgentReport) -> None:
    """Play full games against random opponents."""
    ask.seconds = 0.0
    for step in range(_MOST_DECISIONS):
        rows = np.flatnonzero(batch.player >= 0)
        if len(rows) == 0:
            break
        ask.where.step = step
        actions = ask(
            batch.observation[rows], batch.mask[rows], seats[rows], batch.state["seed"][rows]
        )
        report.decisions += len(rows)
        taken = np.zeros(len(batch), np.int64)
        taken[rows] = actions
        batch.step(taken)
    over = batch.player < 0
    winners = (batch.state["winners"][:, None] >> np.arange(batch.scenario.players)) & 1
    won = winners[np.arange(len(batch)), seats] / np.maximum(winners.sum(axis=1), 1)
    report.games = len(batch)
    report.unfinished = int((~over).sum())
    report.win_share = float(won[over].mean()) if over.any() else 0.0
    report.seconds = ask.seconds / max(report.decisions, 1)
