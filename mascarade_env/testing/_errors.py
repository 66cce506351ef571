"""The error of checks: a fault, its place and a remedy."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from mascarade_env._errors import MascaradeError


class ConformanceError(MascaradeError, AssertionError):
    """An environment, an agent or an encoder fails a check.

    Attributes:
        what: the fault.
        remedy: what to do about it.
        scenario: name of the scenario.
        seed: seed of the game.
        step: number of decisions before the fault; in a vector environment, number of steps.
        player: the player or table, such as "player_2" or "table 5".
    """

    __module__ = "mascarade_env.testing"  # the name in tracebacks

    def __init__(  # noqa: PLR0913  the parts of the place, by name
        self,
        what: str,
        remedy: str,
        *,
        scenario: str | None = None,
        seed: int | None = None,
        step: int | None = None,
        player: str | None = None,
    ) -> None:
        super().__init__(what, remedy)
        self.what = what
        self.remedy = remedy
        self.scenario = scenario
        self.seed = seed
        self.step = step
        self.player = player

    def __str__(self) -> str:
        place = [] if self.scenario is None else [f"scenario {self.scenario}"]
        place += [] if self.seed is None else [f"game seed {self.seed}"]
        place += [] if self.step is None else [f"step {self.step}"]
        place += [] if self.player is None else [self.player]
        at = f" ({', '.join(place)})" if place else ""
        return f"{self.what}{at}. {self.remedy}"


@dataclass
class Where:
    """The current place of a check; the check updates it."""

    scenario: str | None = None
    seed: int | None = None
    step: int | None = None

    def error(self, what: str, remedy: str, player: str | None = None) -> ConformanceError:
        """Return an error with this place."""
        return ConformanceError(
            what, remedy, scenario=self.scenario, seed=self.seed, step=self.step, player=player
        )

    @contextmanager
    def running(self, what: str, player: str | None = None) -> Iterator[None]:
        """Turn an error that the code under test raises into an error with this place."""
        try:
            yield
        except ConformanceError:
            raise
        except Exception as error:
            raise self.error(
                f"{what} raised {type(error).__name__}: {error}",
                "The original error is printed above this one.",
                player,
            ) from error
