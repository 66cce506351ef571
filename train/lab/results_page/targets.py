"""The goals of self-play, with the measurement for each goal, and whether it is reached."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lab.experiments.exact import SEEDS
from lab.experiments.full import JUDGED, SEARCH, SIZES, STRONGEST, duel_name
from lab.results_page.exact import GOALS, seeds_of
from lab.results_page.records import NOT_YET, Record, Share, percent, record
from mascarade_agents._ladder import LADDER
from mascarade_env.game._scenarios import scenarios
from mascarade_train._released import PADDED

ALONE = 1 / 3
RESPONSE = 0.05  # the goal for the win share of a best response above the fair share
AGENT = SCENARIO = JUDGED

# From the best to the worst.
_VERDICTS = (
    "reached",
    "reached by the mean, not by the whole interval",
    "**not reached** by the mean, only by a part of the interval",
    "**not reached**",
)


class Case(NamedTuple):
    """A win share, and the limit that a goal sets for it.

    Attributes:
        who: the agents, in words.
        share: the measured win share; None if it is not measured yet.
        bound: the limit.
        at_least: true if the share should be at least the limit, false if at most.
    """

    who: str
    share: Share | None
    bound: float
    at_least: bool

    @property
    def rank(self) -> int:
        """The index of the verdict in `_VERDICTS`."""
        assert self.share is not None
        sign = 1 if self.at_least else -1
        mean, *ends = (sign * (self.share[key] - self.bound) for key in ("mean", "low", "high"))
        if mean >= 0:
            return 0 if min(ends) >= 0 else 1
        return 2 if max(ends) >= 0 else 3


def targets() -> Iterator[list[str]]:
    """Yield each goal, its measurement, and whether it is reached."""
    for scenario, goal in GOALS.items():
        yield _of_exact(scenario, goal)
    players = scenarios()[SCENARIO].players
    fair, others = 1 / players, players - 1
    duels = {name: record(duel_name(AGENT, SCENARIO, name)) for name in (*LADDER, SEARCH)}
    yield _row(
        f"{AGENT}, 1 vs {others} of each hand-written agent: at least a third",
        [Case(name, _part(duels[name], "alone"), ALONE, True) for name in LADDER],
    )
    yield _row(
        f"each hand-written agent, 1 vs {others} {AGENT}: at most the fair share",
        [Case(name, _part(duels[name], "against"), fair, False) for name in LADDER],
    )
    yield _row(
        f"{AGENT} and {SEARCH}, each 1 vs {others} of the other: {AGENT} at least the fair share, "
        f"{SEARCH} at most",
        [
            Case(f"{AGENT}, 1 vs {others} {SEARCH}", _part(duels[SEARCH], "alone"), fair, True),
            Case(f"{SEARCH}, 1 vs {others} {AGENT}", _part(duels[SEARCH], "against"), fair, False),
        ],
    )
    response = record(f"full/{AGENT}/response-{SCENARIO}")
    yield _row(
        f"a best response, 1 vs {others} {AGENT}: at most {100 * (fair + RESPONSE):.1f}",
        [Case("best response", _part(response, "wins"), fair + RESPONSE, False)],
    )
    padded = [(size, record(duel_name(PADDED, size, STRONGEST))) for size in SIZES]
    yield _row(
        f"{PADDED}, 1 vs n-1 {STRONGEST}, for 4 to 12 players: at least the fair share",
        [
            Case(size, _part(duel, "alone"), 1 / scenarios()[size].players, True)
            for size, duel in padded
        ],
    )
    yield _row(
        f"{STRONGEST}, 1 vs n-1 {PADDED}, for 4 to 12 players: at most the fair share",
        [
            Case(size, _part(duel, "against"), 1 / scenarios()[size].players, False)
            for size, duel in padded
        ],
    )


def _of_exact(scenario: str, goal: float) -> list[str]:
    goal_text = (
        f"{scenario}: NashConv at most {goal:.2f} on average over {len(SEEDS)} seeds, each after "
        "10 million decisions"
    )
    ends = [run["nash_conv"] for run in seeds_of(scenario, "regularised")]
    if len(ends) < len(SEEDS):
        return [goal_text, f"{NOT_YET} ({len(ends)} of {len(SEEDS)} seeds are)", ""]
    mean = sum(ends) / len(ends)
    verdict = "reached" if mean <= goal else "**not reached**"
    if mean <= goal < max(ends):
        verdict = "reached on average, not by every seed"
    return [goal_text, f"{mean:.3f}, from {min(ends):.3f} to {max(ends):.3f}", verdict]


def _row(goal: str, cases: Sequence[Case]) -> list[str]:
    measured = [case for case in cases if case.share is not None]
    if not measured:
        return [goal, NOT_YET, ""]
    missing = [case.who for case in cases if case.share is None]
    missed = [case for case in measured if case.rank >= 2]
    shown = missed or [max(measured, key=_shortfall)]
    text = ", ".join(f"{case.who} {percent(case.share)}" for case in shown if case.share)
    if len(cases) > 1 and not missed:
        text = f"closest to the limit: {text}"
    if missing:
        text += f"; {NOT_YET}: {', '.join(missing)}"
        return [goal, text, _VERDICTS[3] if any(case.rank == 3 for case in measured) else ""]
    return [goal, text, _VERDICTS[max(case.rank for case in measured)]]


def _shortfall(case: Case) -> float:
    assert case.share is not None
    away = float(case.share["mean"]) - case.bound
    return -away if case.at_least else away


def _part(measured: Record | None, name: str) -> Share | None:
    return None if measured is None else measured[name]
