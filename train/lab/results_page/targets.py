"""The goals that were set for self-play, what was measured, and whether each is reached."""

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
RESPONSE = 0.05  # above the fair share
AGENT = SCENARIO = JUDGED

# From the best to the worst.
_VERDICTS = (
    "reached",
    "reached by the mean, not clearly",
    "**not reached** by the mean, though not clearly",
    "**not reached**",
)


class Case(NamedTuple):
    """A share that a goal asks for.

    Attributes:
        who: in words.
        share: None if it is not measured yet.
        bound: what the share is to be.
        at_least: whether it is to be at least that, or else at most.
    """

    who: str
    share: Share | None
    bound: float
    at_least: bool

    @property
    def rank(self) -> int:
        """Of its verdict, from the best to the worst."""
        assert self.share is not None
        sign = 1 if self.at_least else -1
        mean, *ends = (sign * (self.share[key] - self.bound) for key in ("mean", "low", "high"))
        if mean >= 0:
            return 0 if min(ends) >= 0 else 1
        return 2 if max(ends) >= 0 else 3


def targets() -> Iterator[list[str]]:
    """For each goal what is wanted, what was measured, and whether it is reached."""
    for scenario, goal in GOALS.items():
        yield _of_exact(scenario, goal)
    fair = 1 / scenarios()[SCENARIO].players
    duels = {name: record(duel_name(AGENT, SCENARIO, name)) for name in (*LADDER, SEARCH)}
    yield _row(
        f"{AGENT}: alone, at least a third against each hand-written agent that does not search",
        [Case(name, _part(duels[name], "alone"), ALONE, True) for name in LADDER],
    )
    yield _row(
        f"{AGENT}: five copies hold each of these, alone, to the fair share at most",
        [Case(name, _part(duels[name], "against"), fair, False) for name in LADDER],
    )
    yield _row(
        f"{AGENT}: against {SEARCH} not below the fair share, both ways",
        [
            Case(f"alone among {SEARCH}", _part(duels[SEARCH], "alone"), fair, True),
            Case(f"{SEARCH} alone", _part(duels[SEARCH], "against"), fair, False),
        ],
    )
    response = record(f"full/{AGENT}/response-{SCENARIO}")
    yield _row(
        f"{AGENT}: a best response wins at most {100 * (fair + RESPONSE):.1f} against five copies",
        [Case("best response", _part(response, "wins"), fair + RESPONSE, False)],
    )
    padded = [(size, record(duel_name(PADDED, size, STRONGEST))) for size in SIZES]
    yield _row(
        f"{PADDED}: alone, at least the fair share against {STRONGEST} with 4 to 12 players",
        [
            Case(size, _part(duel, "alone"), 1 / scenarios()[size].players, True)
            for size, duel in padded
        ],
    )
    yield _row(
        f"{PADDED}: its copies hold {STRONGEST}, alone, to the fair share at most, likewise",
        [
            Case(size, _part(duel, "against"), 1 / scenarios()[size].players, False)
            for size, duel in padded
        ],
    )


def _of_exact(scenario: str, goal: float) -> list[str]:
    wanted = (
        f"{scenario}: NashConv at most {goal:.2f} on average over {len(SEEDS)} seeds, each after "
        "10 million decisions"
    )
    ends = [run["nash_conv"] for run in seeds_of(scenario, "regularised")]
    if len(ends) < len(SEEDS):
        return [wanted, f"{NOT_YET} ({len(ends)} of {len(SEEDS)} seeds are)", ""]
    mean = sum(ends) / len(ends)
    verdict = "reached" if mean <= goal else "**not reached**"
    if mean <= goal < max(ends):
        verdict = "reached on average, not by every seed"
    return [wanted, f"{mean:.3f}, from {min(ends):.3f} to {max(ends):.3f}", verdict]


def _row(wanted: str, cases: Sequence[Case]) -> list[str]:
    known = [case for case in cases if case.share is not None]
    if not known:
        return [wanted, NOT_YET, ""]
    missing = [case.who for case in cases if case.share is None]
    missed = [case for case in known if case.rank >= 2]
    shown = missed or [max(known, key=_shortfall)]
    text = ", ".join(f"{case.who} {percent(case.share)}" for case in shown if case.share)
    if len(cases) > 1 and not missed:
        text = f"the nearest: {text}"
    if missing:
        text += f"; {NOT_YET}: {', '.join(missing)}"
        return [wanted, text, _VERDICTS[3] if any(case.rank == 3 for case in known) else ""]
    return [wanted, text, _VERDICTS[max(case.rank for case in known)]]


def _shortfall(case: Case) -> float:
    assert case.share is not None
    away = float(case.share["mean"]) - case.bound
    return -away if case.at_least else away


def _part(found: Record | None, name: str) -> Share | None:
    return None if found is None else found[name]
