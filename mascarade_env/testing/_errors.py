"""How a check says what is wrong, where, and what to do."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from mascarade_env._errors import MascaradeError


class ConformanceError(MascaradeError, AssertionError):
    """Something does not do what it must.

    Attributes:
        what: what is wrong.
        remedy: what to do about it.
        scenario: name of the scenario.
        seed: of the game.
        step: how many decisions (of a vector environment: steps) there had been.
        player: who was concerned, such as "player_2" or "table 5".
    """

    __module__ = "mascarade_env.testing"  # tracebacks print it

    def __init__(  # noqa: PLR0913  the place, part by part and by name
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
    """The place that a check has come to; it moves along."""

    scenario: str | None = None
    seed: int | None = None
    step: int | None = None

    def error(self, what: str, remedy: str, player: str | None = None) -> ConformanceError:
        """Return the error for something wrong at this place."""
        return ConformanceError(
            what, remedy, scenario=self.scenario, seed=self.seed, step=self.step, player=player
        )

    @contextmanager
    def running(self, what: str, player: str | None = None) -> Iterator[None]:
        """While code of others runs: what it raises becomes an error at this place."""
        try:
            yield
        except ConformanceError:
            raise
        except Exception as error:
            raise self.error(
                f"{what} raised {type(error).__name__}: {error}",
                "The original error stands above this one.",
                player,
            ) from error
