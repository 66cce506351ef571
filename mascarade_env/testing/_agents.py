"""Whether an agent answers as environments and arenas will ask it."""

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

_MOST_DECISIONS = 2000  # of the agent in one game; games have no limit of their own
_SURVEY = 64  # games from which positions are gathered
_SURVEY_STEPS = 200
_MOST_ALIKE = 8  # positions with the same legal actions
_SEEDS = 12  # who answers the same by so many random numbers does not draw
_ALIKE = 0.99  # sums of floats depend on the place in a batch, and may decide between equals

#: What an agent for padded observations is asked in as well: two players, and all kinds of choice.
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
    """What `check_agent` has checked, and what it saw meanwhile.

    Attributes:
        scenario: its name.
        surveyed: names of the scenarios positions were gathered in.
        positions: the agent was asked in, all at once, some at once, and one by one.
        legal_sets: different sets of legal actions it had there.
        phases: how many of these are of each kind of decision (`PHASES`).
        repeatable: whether the agent answers the same when asked twice. If not, nothing is known
            about whether its answers depend on the order of rows.
        reordered: rows whose answers were found not to depend on their order; 0 unless repeatable,
            and none whose answers are drawn.
        games: played against random opponents, from each seat in turn.
        decisions: taken by the agent in these games.
        unfinished: games stopped after too many decisions of the agent.
        win_share: its share of the wins in the games that ended, a win of several being split.
        fair_share: what would be fair among equals.
        seconds: mean time of one decision in these games.
        worlds: games that look the same to the player, in which a policy was found to answer the
            same.
        probabilities: positions in which a policy gave the probabilities by which it draws
            (`Policy.probabilities`), and they were found to be such.
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

    A policy plays games from each seat, is asked in several ways, and also in other games that its
    player cannot tell from the one played (`Game.sample_worlds`), where it must answer the same. If
    it knows its probabilities, these must be probabilities of legal actions and allow its answers.
    If it needs no views, all that follows is checked as well.

    A policy without views, or a function, is asked in positions with all the sets of legal actions
    that random games bring, all at once, some at once, and one by one; then it plays full games
    from each seat. It is checked that

    - answers are k whole numbers, legal by the mask, and nothing raises;
    - the arrays it is given stay as they are;
    - answers do not depend on the order of rows. This is checked only if the agent answers the same
      when asked twice, and up to one answer in a hundred may change, since sums of floats may.

    An agent with `padded=True` is also asked in scenarios with 2, 4, 8 and 12 players.

    Example:
        >>> from mascarade_env.testing import check_agent
        >>> def first_legal(observation, mask):
        ...     return mask.argmax(axis=1)
        >>> check_agent(first_legal, "4A", games=4).repeatable
        True

    Args:
        agent: a policy, or a function.
        scenario: what it plays.
        games: how many full games, at least one a seat; by default 60, or one a seat if the agent
            needs views.
        seed: of the games.
        track: what it observes, as for `Batch`.
        padded: whether observations and masks are padded, as for `Batch`.

    Returns:
        What was checked; how well and how fast it played, as information.

    Raises:
        ConformanceError: something is wrong.
    """
    played = resolve(scenario)
    seats_needed = played.players
    if games is not None and whole(games, "games") < seats_needed:
        raise MascaradeError(f"games is at least {seats_needed}, one a seat, not {games}")
    report = AgentReport(played.name, fair_share=1 / seats_needed)
    shown = Schema(played, track, padded=padded)
    if not callable(agent) and not is_policy(agent):
        raise MascaradeError(
            "an agent is a mascarade_env.Policy, which has act_batch, probabilities, reads and "
            f"needs_views, or a function of observations and masks; {agent!r} is neither"
        )
    policy = as_policy(agent)
    fitted(policy, shown)  # refuses other scenarios first
    if not isinstance(policy, FunctionPolicy):
        _check_with_views(policy, played, games, seed, report)
        if policy.needs_views:
            return report
    games = 60 if games is None else games
    repeatable = True
    anywhere = padded and (policy.reads is None or policy.reads.padded)
    for other in (played, *(_OTHER_SCENARIOS if anywhere else ())):
        batch = _new_batch(other, _SURVEY, seed, track, padded)
        asking = _Asking(policy, batch, seed)
        repeatable &= _ask_in_all_ways(asking, *_survey(batch, report), report)
        if batch.scenario.name not in report.surveyed:
            report.surveyed.append(batch.scenario.name)
    report.repeatable = repeatable
    seats = np.arange(games) % played.players
    batch = _new_batch(played, games, seed, track, padded, learner=seats)
    _play(_Asking(policy, batch, seed), batch, seats, report)
    return report


def _check_with_views(
    agent: Policy, scenario: Scenario, games: int | None, seed: int, report: AgentReport
) -> None:
    count = games if games is not None and agent.needs_views else scenario.players
    found = check_viewer(agent, scenario, count, seed)
    report.worlds, report.probabilities = found.worlds, found.probabilities
    report.surveyed.append(scenario.name)
    if not agent.needs_views:
        return  # the rest is found out from more games
    report.seconds = found.seconds / max(found.decisions, 1)
    report.games, report.unfinished = found.games, found.unfinished
    report.decisions, report.phases = found.decisions, found.phases
    report.win_share = found.wins / max(found.games - found.unfinished, 1)
    report.repeatable = found.repeatable


def _new_batch(
    scenario: str | Scenario, size: int, seed: int, track: Track, padded: bool, **options: Any
) -> Batch:
    return Batch(
        scenario, size, seed=seed, autoreset="disabled", track=track, padded=padded, **options
    )


class _Asking:
    """Asks the agent and looks at its answer; makes copies, so that it may write into them.

    Args:
        agent: the policy.
        batch: where the positions come from.
        seed: of its random numbers, the same in each call.
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
        """Return those of the agent, if it knows them; whether they are sound is seen later."""
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
        """The answers; `seats` and `seeds` [k] tell whose decisions in which games they are."""
        count, where = len(mask), self.where
        given = Positions(observation.copy(), mask.copy(), self.schema)
        rng = np.random.default_rng(self.seed)
        began = time.perf_counter()
        with where.running(f"the agent, asked for {count} answers,"):
            answer = self.agent.act_batch(given, rng)
        self.seconds += time.perf_counter() - began
        for name, before, after in zip(
            ("observation", "mask"),
            (observation, mask),
            (given.observations, given.masks),
            strict=True,
        ):
            if found := difference(before, after):
                raise where.error(
                    f"the agent has written into its {name}: {found}",
                    "Work on a copy: the caller may need the array.",
                )
        ids = np.asarray(answer)
        if ids.shape != (count,) or ids.dtype.kind not in "iu":
            raise where.error(
                f"asked for {count} answers, the agent gave {ids.dtype} of shape {ids.shape}",
                f"Answer with an array of {count} whole numbers, one a row.",
            )
        wanted = ids.astype(np.int64)
        inside = (wanted >= 0) & (wanted < mask.shape[1])
        legal = inside & (mask[np.arange(count), np.where(inside, wanted, 0)] == 1)
        if not legal.all():
            row = int(np.flatnonzero(~legal)[0])
            where.seed = None if seeds is None else int(seeds[row])
            raise where.error(
                f"asked for {count} answers, the agent chose action {wanted[row]} where "
                f"{np.flatnonzero(mask[row]).tolist()} are legal",
                "Choose among the ids whose mask is 1.",
                f"row {row}" if seats is None else f"player_{seats[row]}",
            )
        return wanted


def _survey(batch: Batch, report: AgentReport) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """Positions with all the sets of legal actions that random games bring."""
    found: dict[bytes, list[NDArray[np.float32]]] = {}
    masks: dict[bytes, NDArray[np.int8]] = {}
    for _ in range(_SURVEY_STEPS):
        for row in np.flatnonzero(batch.player >= 0):
            key = batch.mask[row].tobytes()
            alike = found.setdefault(key, [])
            if not alike:
                masks[key] = batch.mask[row].copy()
                phase = PHASES[batch.state["phase"][row]]
                report.phases[phase] = report.phases.get(phase, 0) + 1
            if len(alike) < _MOST_ALIKE:
                alike.append(batch.observation[row].copy())
        if (batch.player < 0).all():
            break
        batch.step(batch.random_actions())
    report.legal_sets += len(found)
    observations = [observation for alike in found.values() for observation in alike]
    report.positions += len(observations)
    repeated = [masks[key] for key, alike in found.items() for _ in alike]
    return np.array(observations), np.array(repeated)


def _ask_in_all_ways(
    ask: _Asking,
    observation: NDArray[np.float32],
    mask: NDArray[np.int8],
    report: AgentReport,
) -> bool:
    """All at once, one by one, some, and in another order; returns whether it can be repeated."""
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
    settled = np.ones(count, np.bool_)  # by no random numbers
    if not isinstance(ask.agent, FunctionPolicy):
        known = ask.probabilities(observation, mask)
        if known is not None:  # what is taken nineteen times in twenty may look settled otherwise
            settled = known[np.arange(count), once] == 1
        seed = ask.seed
        for other in range(1, _SEEDS if known is None else 1):
            ask.seed = seed + other
            settled &= ask(observation, mask) == once
        ask.seed = seed
    changed = np.flatnonzero((moved != once[order]) & settled[order])
    if len(changed) > max(1, (1 - _ALIKE) * count):
        raise ask.where.error(
            f"with the rows in another order {len(changed)} of {count} answers are others",
            "Answer each row by itself: whose row it is says nothing.",
            f"row {order[changed[0]]}",
        )
    report.reordered += int(settled.sum())
    return True


def _play(ask: _Asking, batch: Batch, seats: NDArray[np.int64], report: AgentReport) -> None:
    """Full games against random opponents."""
    ask.seconds = 0.0
    for step in range(_MOST_DECISIONS):
        rows = np.flatnonzero(batch.player >= 0)
        if len(rows) == 0:
            break
        ask.where.step = step
        answers = ask(
            batch.observation[rows], batch.mask[rows], seats[rows], batch.state["seed"][rows]
        )
        report.decisions += len(rows)
        taken = np.zeros(len(batch), np.int64)
        taken[rows] = answers
        batch.step(taken)
    over = batch.player < 0
    winners = (batch.state["winners"][:, None] >> np.arange(batch.scenario.players)) & 1
    won = winners[np.arange(len(batch)), seats] / np.maximum(winners.sum(axis=1), 1)
    report.games = len(batch)
    report.unfinished = int((~over).sum())
    report.win_share = float(won[over].mean()) if over.any() else 0.0
    report.seconds = ask.seconds / max(report.decisions, 1)
