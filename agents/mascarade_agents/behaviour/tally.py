"""Adds up measures of play over games, by agent and by phase of the game."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from mascarade_agents.behaviour.facts import Fact
from mascarade_agents.behaviour.intervals import SUMS, Estimate, estimate
from mascarade_agents.behaviour.measures import MEASURES
from mascarade_agents.behaviour.observe import observe
from mascarade_agents.behaviour.phases import PHASES
from mascarade_env.core.errors import MascaradeError, did_you_mean
from mascarade_env.core.game import Game

_PLACE = {measure.name: place for place, measure in enumerate(MEASURES)}
_BY_FACT = {
    kind: [(place, m.value) for place, m in enumerate(MEASURES) if kind in m.facts]
    for kind in {kind for measure in MEASURES for kind in measure.facts}
}


class Tally:
    """Measures of play of some games.

        total = Tally()
        for game in games:
            total += Tally.of(game)
        total.estimate("alice-bot", "all", "knowing_bluff")

    It keeps sums over games, however many there are; `sums` and `from_sums` put it away as JSON.
    """

    __slots__ = ("_sums",)

    # [phases, measures, SUMS] by agent
    _sums: dict[str, NDArray[np.float64]]

    def __init__(self) -> None:
        self._sums = {}

    @classmethod
    def of(cls, game: Game, agents: Sequence[str] | None = None) -> Self:
        """The measures of one game, finished or not.

        Args:
            game: in which all is known.
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
        tally = cls()
        for agent, sums in _sums_of(observe(game), names).items():
            tally._sums[agent] = sums
        return tally

    @property
    def agents(self) -> list[str]:
        """Who decided at least once, in the order of names, numbers in them by size."""
        return sorted(self._sums, key=_by_number)

    def estimate(self, agent: str, phase: str, measure: str) -> Estimate:
        """One measure with its 95% interval, the games being the clusters (see `intervals`)."""
        if agent not in self._sums:
            raise MascaradeError(f"no agent is called {agent!r}{did_you_mean(agent, self._sums)}")
        if phase not in PHASES:
            raise MascaradeError(f"no phase is called {phase!r}{did_you_mean(phase, PHASES)}")
        if measure not in _PLACE:
            raise MascaradeError(f"no measure is called {measure!r}{did_you_mean(measure, _PLACE)}")
        place = _PLACE[measure]
        declared = MEASURES[place]
        sums = self._sums[agent][PHASES.index(phase), place].tolist()
        return estimate(sums, share=declared.unit == "share", least=declared.least)

    def to_dict(self) -> dict[str, Any]:
        """All measures of all agents, ready for JSON: what reports read."""
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
        total._sums = self._sums | {
            agent: self._sums[agent] + sums if agent in self._sums else sums
            for agent, sums in other._sums.items()
        }
        return total

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return self._sums.keys() == other._sums.keys() and all(
            np.array_equal(sums, other._sums[agent]) for agent, sums in self._sums.items()
        )

    __hash__ = None  # type: ignore[assignment]

    # As JSON

    def sums(self) -> dict[str, dict[str, dict[str, list[float]]]]:
        """By agent, phase and measure the numbers of `intervals.SUMS`, ready for JSON."""
        return {
            agent: {
                phase: {
                    m.name: row.tolist() for m, row in zip(MEASURES, rows, strict=True) if row[0]
                }
                for phase, rows in zip(PHASES, sums, strict=True)
            }
            for agent, sums in self._sums.items()
        }

    @classmethod
    def from_sums(cls, sums: Mapping[str, Any]) -> Self:
        """The tally that `sums` was made from.

        Raises:
            MascaradeError: it holds what this version does not know.
        """
        tally = cls()
        for agent, phases in sums.items():
            found = tally._sums[agent] = _nothing()
            for phase, measure, numbers in _entries(phases):
                found[PHASES.index(phase), _PLACE[measure]] = numbers
        return tally


def player_names(players: int) -> list[str]:
    """What players without names are called."""
    return [f"player {player}" for player in range(players)]


def _nothing() -> NDArray[np.float64]:
    return np.zeros((len(PHASES), len(MEASURES), len(SUMS)))


def _sums_of(facts: list[Fact], names: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    """The sums of one game, which is one cluster."""
    found: dict[str, NDArray[np.float64]] = {}
    for fact in facts:
        agent = names[fact.player]
        if agent not in found:
            found[agent] = _nothing()
        rows = found[agent][PHASES.index(fact.phase)]
        for place, value_of in _BY_FACT[type(fact)]:
            counted = value_of(fact)
            if counted is not None:
                rows[place, 1] += 1
                rows[place, 2] += counted
    for sums in found.values():
        sums[0] = sums[1:].sum(axis=0)
        chances, value = sums[..., 1], sums[..., 2]
        sums[..., 0] = chances > 0
        sums[..., 3] = chances**2
        sums[..., 4] = chances * value
        sums[..., 5] = value**2
    return found


def _entries(phases: Any) -> Iterator[tuple[str, str, list[float]]]:
    try:
        entries = [
            (phase, measure, [float(number) for number in numbers])
            for phase, measures in phases.items()
            for measure, numbers in measures.items()
        ]
    except (AttributeError, TypeError, ValueError):
        raise MascaradeError("these are no sums of measures of play") from None
    for phase, measure, numbers in entries:
        if phase not in PHASES or measure not in _PLACE or len(numbers) != len(SUMS):
            raise MascaradeError(
                f"the measure {measure!r} in the phase {phase!r} is of another version of this "
                "package: measure the games again"
            )
        yield phase, measure, numbers


def _by_number(name: str) -> list[tuple[int, str]]:
    return [
        (int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", name)
    ]
