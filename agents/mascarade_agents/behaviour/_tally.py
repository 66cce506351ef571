"""Sums of measures of play over games, by agent and by phase of the game."""

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


# The seed and masks of a deal; for a game without a seed, a number that no other game has.
_Cluster: TypeAlias = str | int
# [phases except "all", measures, 2]: the number of opportunities, and the sum of their values.
_Sums: TypeAlias = NDArray[np.float64]


class Tally:
    """Sums of measures of play over games.

        total = Tally()
        for game in games:
            total += Tally.of(game)
        total.estimate("alice-bot", "all", "knowing_bluff")

    For each agent and deal, a tally holds sums that take about 2 kilobytes. `sums` and `from_sums`
    convert a tally to JSON and back. Games of one deal are one cluster, even if they are added at
    different times.
    """

    __slots__ = ("_clusters", "_stacks")

    _clusters: dict[str, dict[_Cluster, _Sums]]  # by agent
    _stacks: dict[str, _Sums]  # [clusters, phases, measures, 2] by agent, from its first `estimate`

    def __init__(self) -> None:
        self._clusters = {}
        self._stacks = {}

    @classmethod
    def of(cls, game: Game, agents: Sequence[str] | None = None) -> Self:
        """Measure one game, finished or not.

        Args:
            game: the game. Games with the same `meta["seed"]` and the same deal of masks are one
                cluster; a game without a seed is a separate cluster.
            agents: the agent of each player. The default is the players' names, or "player 0" and
                so on if the game has no names. Players of the same name are one agent.

        Raises:
            MascaradeError: `agents` does not have one name for each player.
        """
        names = game.names if agents is None else agents
        if names is None:
            names = player_names(game.scenario.players)
        elif len(names) != game.scenario.players:
            raise MascaradeError(
                f"`agents` must have {game.scenario.players} names, one for each player, and not "
                f"{len(names)}"
            )
        deal, tally = _deal_of(game), cls()
        for agent, sums in _sums_of(observe(game), names).items():
            tally._clusters[agent] = {0 if deal is None else deal: sums}
        return tally

    @property
    def agents(self) -> list[str]:
        """The agents that decided at least once, sorted by name; numbers in names sort by size."""
        return sorted(self._clusters, key=_by_number)

    def estimate(self, agent: str, phase: str, measure: str) -> Estimate:
        """Estimate one measure with its 95% interval; deals are clusters (see _intervals.py).

        Args:
            agent: one of `agents`.
            phase: one of `PHASES`.
            measure: the name of one of `MEASURES`.

        Raises:
            MascaradeError: there is no such agent, phase or measure.
        """
        for kind, name, names in (
            ("agent", agent, self._clusters),
            ("phase", phase, PHASES),
            ("measure", measure, _PLACE),
        ):
            if name not in names:
                raise MascaradeError(f"there is no {kind} {name!r}{did_you_mean(name, names)}")
        if agent not in self._stacks:
            parts = np.stack(list(self._clusters[agent].values()))
            self._stacks[agent] = np.concatenate([parts.sum(axis=1, keepdims=True), parts], axis=1)
        place = _PLACE[measure]
        counts, sums = self._stacks[agent][:, PHASES.index(phase), place].T
        declared = MEASURES[place]
        return estimate(counts, sums, span=declared.span, least=declared.least)

    def to_dict(self) -> dict[str, Any]:
        """Return all measures of all agents as JSON objects, for `report.summary`."""
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
        """Return a list of clusters for each agent, as JSON objects.

        A cluster is a pair: its deal, None if the game had no seed, and its sums. The sums are, by
        phase and measure, the number of opportunities and the sum of their values.
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
        """Return a tally from its sums.

        Args:
            sums: the return value of the method `sums`.

        Raises:
            MascaradeError: `sums` is malformed, or comes from another version of this package.
        """
        tally = cls()
        for agent, clusters in sums.items():
            measures = tally._clusters[agent] = {}
            for deal, numbers in _read(clusters):
                measures[len(measures) if deal is None else deal] = numbers
        return tally


def player_names(players: int) -> list[str]:
    """Return names for players of a game without names: "player 0" and so on."""
    return [f"player {player}" for player in range(players)]


def _deal_of(game: Game) -> str | None:
    """Return a text that identifies the deal of a game, or None if the game has no seed."""
    seed = game.meta.get("seed")
    return f"{seed} {' '.join(game.at_start().masks)}" if type(seed) is int else None


def _merged(
    mine: Mapping[_Cluster, _Sums], others: Mapping[_Cluster, _Sums]
) -> dict[_Cluster, _Sums]:
    merged = dict(mine)
    for cluster, sums in others.items():
        # A cluster without a deal gets a new number; the number of clusters so far is not yet used.
        key = cluster if isinstance(cluster, str) else len(merged)
        merged[key] = merged[key] + sums if key in merged else sums
    return merged


def _zeros() -> _Sums:
    return np.zeros((len(PHASES) - 1, len(MEASURES), 2))


def _sums_of(facts: list[Fact], names: Sequence[str]) -> dict[str, _Sums]:
    """Return the sums of one game, by agent."""
    sums: dict[str, _Sums] = {}
    for fact in facts:
        agent = names[fact.player]
        if agent not in sums:
            sums[agent] = _zeros()
        rows = sums[agent][PHASES.index(fact.phase) - 1]
        for place, value_of in _BY_FACT[type(fact)]:
            counted = value_of(fact)
            if counted is not None:
                rows[place] += (1, counted)
    return sums


def _read(clusters: Any) -> Iterator[tuple[str | None, _Sums]]:
    """Yield the deal and the sums of each cluster of an agent, from JSON."""
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
        raise MascaradeError(
            "these are not sums of measures of play: pass the return value of `Tally.sums`"
        ) from None
    for deal, entries in parts:
        sums = _zeros()
        for phase, measure, numbers in entries:
            if not (np.isfinite(numbers).all() and numbers[:1] >= [0.0]):
                raise MascaradeError(
                    f"{numbers} is not [count, sum]: two finite numbers, the count at least 0; "
                    "pass the return value of `Tally.sums`"
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
