"""Settings that are known to work: `--preset 6A`.

Those of small-2, small-3, 4A, 6A, 8A, 6B and padded make the agents that are released, each within
about an hour on two cores; that for 6A then went on, as its card tells. "naive" is what not to do,
to be seen beside the others. Every other scenario has the settings of the nearest of these, and
nobody has tried yet how far they lead there.
"""

from dataclasses import replace

from mascarade_agents._ladder import LADDER
from mascarade_env._errors import UnknownNameError, did_you_mean
from mascarade_env.game._scenarios import Scenario, scenarios
from mascarade_train._ppo import Settings

_SMALL = Settings(
    decisions=9_950_000,  # the last update goes beyond it, and all should stay within 10 million
    # Measured on small-2: from 0.2 to 0.02 ends at a NashConv of 0.22, from 0.3 to 0.1 at 0.1.
    entropy=0.3,
    trace=0.95,
    average=0.01,
    events=32,
    evaluate_every=500_000,
    rungs=(),
)
# Wide, and held to its own past: with layers of 128 and no such pull some seeds leave the
# equilibrium again once entropy has fallen, and five of them end at 0.101 on average.
_SMALL_2 = replace(_SMALL, scenario=("small-2",), layers=(256, 256), magnet=0.1)

# With more players one decision moves the outcome less, so the same entropy would drown it. And
# what wins against copies of itself may lose to others: they are at the table as guests.
_LARGE = Settings(
    decisions=8_000_000,
    games=1024,
    minibatches=16,
    slots=64,
    entropy=0.03,
    entropy_end=0.3,
    teacher="stopper",
    teaching=0.05,
    league=0.9,
    league_every=2_000_000,
    league_keep=1,
    league_agents=LADDER[1:],  # all but the one that plays at random
    evaluate_every=2_000_000,
)

# Wide open at first, sharp in the end. On 6A a network that began with 0.03 came to win less from
# 40 million decisions, and best responses won more among copies of it.
_OPEN = replace(_LARGE, decisions=10_000_000, entropy=0.1, entropy_end=0.05)

# What is kept of beliefs from eight players on, where they would take most of the time.
_MANY_WORLDS = 256

# With guests in nine games of ten a network for four players won more against the ladder, but
# hardly claimed among its own kind: a best response won 64% of the games against it. And the longer
# one is trained, the more it lies: after 12 million decisions a response won more than after 4.
_FOUR = replace(
    _OPEN, scenario=("4A",), decisions=4_000_000, entropy_end=0.2, magnet=0.1, league=0.4
)

PRESETS = {
    # In few minutes many small updates come further than few large ones.
    "quick": replace(
        _FOUR,
        decisions=200_000_000,
        minutes=3,
        processes=2,
        games=256,
        minibatches=8,
        league_every=1_000_000,
        evaluate_every=1_000_000,
        evaluation=300,
    ),
    "small-2": _SMALL_2,
    "small-3": replace(_SMALL, scenario=("small-3",)),
    "naive-2": replace(_SMALL_2, entropy=0.0, previous=0.0, magnet=0.0),
    "naive-3": replace(_SMALL, scenario=("small-3",), entropy=0.0, previous=0.0),
    "4A": _FOUR,
    "6A": replace(
        _OPEN,
        scenario=("6A",),
        decisions=30_000_000,
        league_every=5_000_000,
        evaluate_every=5_000_000,
    ),
    "8A": replace(_OPEN, scenario=("8A",), worlds=_MANY_WORLDS),
    "6B": replace(_OPEN, scenario=("6B",)),
    "naive": replace(
        _LARGE,
        scenario=("6A",),
        decisions=5_000_000,
        entropy=0.0,
        previous=0.0,
        teacher=None,
        league=0.0,
        league_agents=(),
    ),
    "padded": replace(
        _LARGE,
        scenario=("4A", "5A", "6A", "7A", "8A", "9A", "10A", "11A", "12A"),
        padded=True,
        decisions=20_000_000,
        entropy_end=0.6,
        games=1152,
        worlds=_MANY_WORLDS,
        league_every=5_000_000,
        league_agents=("stopper",),
        evaluate_every=5_000_000,
    ),
}


def _untried(scenario: Scenario) -> Settings:
    """Settings for a scenario, by its size."""
    if not scenario.strict:
        return _SMALL
    if scenario.players <= 5:
        return _FOUR
    return replace(_OPEN, worlds=_MANY_WORLDS) if scenario.players >= 8 else _OPEN


PRESETS |= {
    name: replace(_untried(scenario), scenario=(name,))
    for name, scenario in scenarios().items()
    if name not in PRESETS
}


def preset(name: str) -> Settings:
    """The settings of a name.

    Raises:
        UnknownNameError: there are none.
    """
    if name not in PRESETS:
        raise UnknownNameError(f"unknown preset {name!r}{did_you_mean(name, list(PRESETS))}")
    return replace(PRESETS[name], preset=name)
