"""Adds up measures of play over games, by agent and by phase of the game."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mascarade_agents.behaviour._facts import Fact
from mascarade_agents.behaviour._game_phases import PHASES
from mascarade_agents.behaviour._intervals import Estimate, estimate
from mascarade_agents.behaviour._measures import MEASURES
from mascarade_agents.behaviour._reader import observe
from mascarade_env._errors import MascaradeError, did_you_mean
from mascarade_env.game._game import Game

_PLACE = {measure.name: place for place, measure in enumerate(MEASURES)}
_BY_FACT = {
    kind: [(place, m.value) for place, m in enumerate(MEASURES) if kind in m.facts]
    for kind in {kind for measure in MEASURES for kind in measure.facts}
}


# A deal by its seed and masks; or, of a game whose seed nobody knows, a number that no other has.
_Cluster: TypeAlias = str | int
# [phases but "all", measures, 2]: how many chances there were, and the sum of their values
_Sums: TypeAlias = NDArray[np.float64]


class Tally:
    """Measures of play of some games.

        total = Tally()
        for game in games:
            total += Tally.of(game)
        total.estimate("alice-bot", "all", "knowing_bluff")

    It keeps the sums of each agent in each deal, in 2 kilobytes; `sums` and `from_sums` put it away
    as JSON. Games of one deal count as one cluster, whenever they are added.
    """

    __slots__ = ("_clusters", "_stacks")

    _clusters: dict[str, dict[_Cluster, _Sums]]  # by agent
    _stacks: dict[str, _Sums]  # [clusters, phases, measures, 2] by agent, once asked for

    def __init__(self) -> None:
        self._clusters = {}
        self._stacks = {}

    @classmethod
    def of(cls, game: Game, agents: Sequence[str] | None = None) -> Self:
        """Measure one game, finished or not.

        Args:
            game: in which all is known. Games with the same `meta["seed"]` and masks dealt alike
                are of one deal; one without a seed is a cluster of its own.
            agents: who each player is. By default the players' names, or "player 0" and so on
                where the game has none. Players of one name are one agent.
        """
        names = game.names if agents is None else agents
        if names is None:
            names = player_names(game.scenario.players)
        elif len(names) != game.scenario.players:
            raise MascaradeError(
                f"agents are {game.scenario.players} names, one a player, not {len(names)}"
            )
        deal, tally = _deal_of(game), cls()
        for agent, sums in _sums_of(observe(game), names).items():
            tally._clusters[agent] = {0 if deal is None else deal: sums}
        return tally

    @property
    def agents(self) -> list[str]:
        """Who decided at least once, in the order of names, numbers in them by size."""
        return sorted(self._clusters, key=_by_number)

    def estimate(self, agent: str, phase: str, measure: str) -> Estimate:
        """Estimate one measure with its 95% interval; deals are clusters (see _intervals.py)."""
        if agent not in self._clusters:
            known = self._clusters
            raise MascaradeError(f"no agent is called {agent!r}{did_you_mean(agent, known)}")
        if phase not in PHASES:
            raise MascaradeError(f"no phase is called {phase!r}{did_you_mean(phase, PHASES)}")
        if measure not in _PLACE:
            raise MascaradeError(f"no measure is called {measure!r}{did_you_mean(measure, _PLACE)}")
        if agent not in self._stacks:
            parts = np.stack(list(self._clusters[agent].values()))
            self._stacks[agent] = np.concatenate([parts.sum(axis=1, keepdims=True), parts], axis=1)
        place = _PLACE[measure]
        chances, values = self._stacks[agent][:, PHASES.index(phase), place].T
        declared = MEASURES[place]
        return estimate(chances, values, span=declared.span, least=declared.least)

    def to_dict(self) -> dict[str, Any]:
        """Return all measures of all agents, ready for JSON: what reports read."""
        return {
            "phases": list(PHASES),
            "measures": {
                m.name: {"title": m.title, "meaning": m.meaning, "unit": m.unit} for m in MEASURES
            },
            "agents": {
                agent: {
                    phase: {m.name: self.estimate(agent, phase, m.name).to_dict() for m in MEASURES}
                    for phase in PHASES
                }
                for agent in self.agents
            },
        }

    # Adding up

    def __add__(self, other: "Tally") -> "Tally":
        if not isinstance(other, Tally):
            return NotImplemented
        total = Tally()
        total._clusters = self._clusters.copy()
        for agent, clusters in other._clusters.items():
            total._clusters[agent] = _merged(total._clusters.get(agent, {}), clusters)
        return total

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return self._clusters.keys() == other._clusters.keys() and all(
            clusters.keys() == other._clusters[agent].keys()
            and all(np.array_equal(sums, other._clusters[agent][c]) for c, sums in clusters.items())
            for agent, clusters in self._clusters.items()
        )

    __hash__ = None  # type: ignore[assignment]

    # As JSON

    def sums(self) -> dict[str, list[tuple[str | None, dict[str, dict[str, list[float]]]]]]:
        """Return a list of clusters for each agent, ready for JSON.

        A cluster is its deal, None if nobody knows, and by phase and measure the number of chances
        and the sum of their values.
        """
        return {
            agent: [
                (
                    cluster if isinstance(cluster, str) else None,
                    {
                        phase: {
                            m.name: row.tolist()
                            for m, row in zip(MEASURES, rows, strict=True)
                            if row[0]
                        }
                        for phase, rows in zip(PHASES[1:], sums, strict=True)
                        if rows.any()
                    },
                )
                for cluster, sums in clusters.items()
            ]
            for agent, clusters in self._clusters.items()
        }

    @classmethod
    def from_sums(cls, sums: Mapping[str, Any]) -> Self:
        """Make the tally that `sums` was made from.

        Raises:
            MascaradeError: it holds what this version does not know.
        """
        tally = cls()
        for agent, clusters in sums.items():
            measures = tally._clusters[agent] = {}
            for deal, numbers in _read(clusters):
                measures[len(measures) if deal is None else deal] = numbers
        return tally


def player_names(players: int) -> list[str]:
    """Return what players without names are called."""
    return [f"player {player}" for player in range(players)]


def _deal_of(game: Game) -> str | None:
    """Return what tells the deal of a game from others, None if nobody knows."""
    seed = game.meta.get("seed")
    return f"{seed} {' '.join(game.at_start().masks)}" if type(seed) is int else None


def _merged(
    mine: Mapping[_Cluster, _Sums], others: Mapping[_Cluster, _Sums]
) -> dict[_Cluster, _Sums]:
    merged = dict(mine)
    for cluster, sums in others.items():
        # Numbers are given anew: how many clusters there were before is a number not yet given.
        key = cluster if isinstance(cluster, str) else len(merged)
        merged[key] = merged[key] + sums if key in merged else sums
    return merged


def _nothing() -> _Sums:
    return np.zeros((len(PHASES) - 1, len(MEASURES), 2))


def _sums_of(facts: list[Fact], names: Sequence[str]) -> dict[str, _Sums]:
    """Return the sums of one game by agent."""
    sums: dict[str, _Sums] = {}
    for fact in facts:
        agent = names[fact.player]
        if agent not in sums:
            sums[agent] = _nothing()
        rows = sums[agent][PHASES.index(fact.phase) - 1]
        for place, value_of in _BY_FACT[type(fact)]:
            counted = value_of(fact)
            if counted is not None:
                rows[place] += (1, counted)
    return sums


def _read(clusters: Any) -> Iterator[tuple[str | None, _Sums]]:
    """Yield the clusters of an agent out of JSON."""
    try:
        parts = [
            (
                None if deal is None else str(deal),
                [
                    (phase, measure, [float(number) for number in numbers])
                    for phase, measures in phases.items()
                    for measure, numbers in measures.items()
                ],
            )
            for deal, phases in clusters
        ]
    except (AttributeError, TypeError, ValueError):
        raise MascaradeError("these are no sums of measures of play") from None
    for deal, entries in parts:
        sums = _nothing()
        for phase, measure, numbers in entries:
            if not (np.isfinite(numbers).all() and numbers[:1] >= [0.0]):
                raise MascaradeError(
                    f"{numbers} must be [count, sum]: finite, with a count of 0 or more"
                )
            if phase not in PHASES[1:] or measure not in _PLACE or len(numbers) != 2:
                raise MascaradeError(
                    f"the measure {measure!r} in the phase {phase!r} is of another version of this "
                    "package: measure the games again"
                )
            sums[PHASES.index(phase) - 1, _PLACE[measure]] = numbers
        yield deal, sums


def _by_number(name: str) -> list[tuple[int, str]]:
    return [
        (int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)
    ]
