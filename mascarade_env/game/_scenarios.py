"""Scenarios: the masks in play, the number of players, and the limits of a game.

`resolve` returns the `Scenario` for a name, a `.json` file or an object as in a record. The
constructor of `Scenario` checks the rules and raises a `ScenarioError` that names the broken one,
so every `Scenario` is valid. `strict=False` makes a research scenario, for which most of section 9
of the rules is not required.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mascarade_env._errors import (
    MascaradeError,
    ScenarioError,
    UnknownKeyError,
    UnknownNameError,
    did_you_mean,
)
from mascarade_env._files.strict_json import read_json
from mascarade_env.game._masks import MASKS, mask_number

MAX_PLAYERS = 12
MAX_SLOTS = 14
MAX_COINS = 1_000
MAX_TURNS = 1_000_000
AT_LIMIT = ("void", "richest")


@dataclass(frozen=True, slots=True)
class Scenario:
    """The masks, the number of players and the limits that a game is played with.

    Attributes:
        name: a label. In `scenarios()` it is the number of players and the side of the card, "6A".
        players: number of players, 2 to 12 (4 to 12 if `strict`).
        masks: ids of the masks in play, centre included. The order matters only with `fixed_deal`.
        start_coins: coins on each seat at the start (rules 3.1).
        goal_coins: number of coins with which a player wins (rules 7.1).
        opening_turns: number of forced takes at the start (rules 4.1).
        turn_limit: number of turns after which the game stops, None for no limit (rules 7.3).
        at_limit: the outcome at the turn limit: with "void" the game is truncated, with "richest"
            the richest players win.
        strict: whether all of section 9 of the rules is required; False for research scenarios.
        fixed_deal: whether `masks` is the deal: seats first, then the centre.
        official: whether the printed game has this list of masks; False for all scenarios of this
            package.

    Raises:
        ScenarioError: a rule is broken; the error names the rule.
        UnknownNameError: one of the masks does not exist.
    """

    name: str
    players: int
    masks: tuple[str, ...]
    start_coins: int = 6
    goal_coins: int = 13
    opening_turns: int = 4
    turn_limit: int | None = None
    at_limit: str = "void"
    strict: bool = True
    fixed_deal: bool = False
    official: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "masks", _tuple_of_words(self.masks))
        _check_types(self)
        if self.strict:
            _check_strict(self)
        _check_always(self)

    @property
    def slots(self) -> int:
        """The number of slots (places for masks), at the seats and in the centre."""
        return len(self.masks)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The ids of the different masks in play, in the order of `MASKS`."""
        return tuple(MASKS[number].id for number in sorted({mask_number(m) for m in self.masks}))

    def deal_numbers(self, deal: Sequence[str]) -> list[int]:
        """Return a deal as mask numbers.

        Args:
            deal: the id of the mask dealt to each slot.

        Raises:
            MascaradeError: `deal` is not a list of the masks of this scenario, or it differs from
                the fixed deal of the scenario.
            UnknownNameError: one of the masks does not exist.
        """
        if not isinstance(deal, list | tuple):
            raise MascaradeError(
                f"the deal must be a list of masks, one for each slot, not {deal!r}"
            )
        numbers = [mask_number(mask_id) for mask_id in deal]
        if sorted(deal) != sorted(self.masks):
            raise MascaradeError(
                f"the deal must be the masks of the scenario ({', '.join(self.masks)}) in any "
                f"order, not {', '.join(deal)}"
            )
        if self.fixed_deal and tuple(deal) != self.masks:
            raise MascaradeError(
                f"scenario {self.name} has a fixed deal: pass {', '.join(self.masks)} "
                f"or no deal, not {', '.join(deal)}"
            )
        return numbers

    def to_dict(self) -> dict[str, Any]:
        """Return the scenario as the JSON object of a game record."""
        return {
            "name": self.name,
            "players": self.players,
            "masks": list(self.masks),
            "start_coins": self.start_coins,
            "goal_coins": self.goal_coins,
            "opening_turns": self.opening_turns,
            "turn_limit": self.turn_limit,
            "at_limit": self.at_limit,
            "strict": self.strict,
            "fixed_deal": self.fixed_deal,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Scenario":
        """Return the scenario that the JSON object of a game record describes.

        `players` and `masks` are required. A missing field has its default; a missing name is
        "custom".

        Raises:
            ScenarioError: a field is unknown or missing, or a rule is broken.
            UnknownNameError: one of the masks does not exist.
        """
        names = [f.name for f in fields(cls)]
        for key in data:
            if key not in names:
                raise ScenarioError("9", f"unknown field {key!r}{did_you_mean(key, names)}")
        for key in ("players", "masks"):
            if key not in data:
                raise ScenarioError("9", f"the field {key!r} is missing; it is required")
        return cls(**{"name": "custom", **data})


def _tuple_of_words(masks: object) -> tuple[str, ...]:
    if not isinstance(masks, list | tuple):
        raise ScenarioError("9", f"masks must be a list of mask ids, not {masks!r}")
    for word in masks:
        mask_number(word)
    return tuple(masks)


def _check_types(s: Scenario) -> None:
    name: object = s.name
    if not (isinstance(name, str) and name):
        raise ScenarioError("9", f"name must be a string of at least one letter, not {name!r}")
    for number in ("players", "start_coins", "goal_coins", "opening_turns", "turn_limit"):
        value = getattr(s, number)
        if (type(value) is not int) and not (number == "turn_limit" and value is None):
            or_none = " or null" if number == "turn_limit" else ""
            raise ScenarioError("9", f"{number} must be a whole number{or_none}, not {value!r}")
    for flag in ("strict", "fixed_deal", "official"):
        value = getattr(s, flag)
        if not isinstance(value, bool):
            raise ScenarioError("9", f"{flag} must be true or false, not {value!r}")
    if s.at_limit not in AT_LIMIT:
        allowed = " or ".join(map(repr, AT_LIMIT))
        raise ScenarioError("7.3", f"at_limit must be {allowed}, not {s.at_limit!r}")


def _check_always(s: Scenario) -> None:
    """Check the limits that hold for research scenarios too (end of rules 9)."""
    if not 2 <= s.players <= MAX_PLAYERS:
        raise ScenarioError("3.1", f"2 to {MAX_PLAYERS} players are allowed, not {s.players}")
    if s.slots > MAX_SLOTS:
        raise ScenarioError("9", f"at most {MAX_SLOTS} masks are allowed, not {s.slots}")
    if s.slots < s.players:
        raise ScenarioError(
            "9", f"{s.players} players need at least {s.players} masks, not {s.slots}"
        )
    for mask_id, count in Counter(s.masks).items():
        mask = MASKS[mask_number(mask_id)]
        if count != mask.copies:
            cards = "one card" if mask.copies == 1 else f"{mask.copies} cards, used together"
            raise ScenarioError("9", f"{mask_id} has {cards}; masks lists it {count} times")
        if mask_id in ("fool", "puppet_master") and s.players < 3:
            raise ScenarioError("9", f"{mask_id} needs 3 players or more, not {s.players}")
    if not 0 < s.start_coins < s.goal_coins <= MAX_COINS:
        raise ScenarioError(
            "9",
            f"0 < start_coins < goal_coins <= {MAX_COINS} must hold, "
            f"not start_coins={s.start_coins} and goal_coins={s.goal_coins}",
        )
    if not 0 <= s.opening_turns <= MAX_TURNS:
        raise ScenarioError("4.1", f"opening_turns must be 0 to {MAX_TURNS}, not {s.opening_turns}")
    if s.turn_limit is not None and not 1 <= s.turn_limit <= MAX_TURNS:
        raise ScenarioError(
            "7.3", f"turn_limit must be null or 1 to {MAX_TURNS}, not {s.turn_limit}"
        )


def _check_strict(s: Scenario) -> None:
    """Check the printed rules (3, 4.1, 7, 9), which research scenarios need not follow."""
    coin_masks = sum(MASKS[mask_number(mask_id)].coin_symbol for mask_id in s.masks)
    centre = s.slots - s.players
    must_hold = [
        ("3.1", s.players >= 4, f"4 to {MAX_PLAYERS} players are allowed, not {s.players}"),
        ("3.1", s.start_coins == 6, f"start_coins must be 6, not {s.start_coins}"),
        ("7.1", s.goal_coins == 13, f"goal_coins must be 13, not {s.goal_coins}"),
        ("4.1", s.opening_turns == 4, f"opening_turns must be 4, not {s.opening_turns}"),
        ("7.3", s.at_limit == "void", f"at_limit must be 'void', not {s.at_limit!r}"),
        ("3.2", s.players > 5 or s.slots == 6, f"{s.players} players need 6 masks, not {s.slots}"),
        ("3.2", centre <= 2, f"the centre may have at most 2 masks, not {centre}"),
        ("9", "judge" in s.masks, "the Judge must be in play"),
        (
            "9",
            3 * coin_masks >= s.slots,
            f"a third of the masks must have the coin symbol, not {coin_masks} of {s.slots}",
        ),
    ]
    for mask_id in s.kinds:
        fewest = MASKS[mask_number(mask_id)].min_players or 0
        enough = s.players >= fewest
        message = f"{mask_id} needs {fewest} players or more, not {s.players}"
        must_hold.append(("9", enough, message))
    for rule, holds, message in must_hold:
        if not holds:
            raise ScenarioError(
                rule, f"{message} (this rule does not apply with strict=False, a research scenario)"
            )


class _NamedScenarios(dict[str, Scenario]):
    def __missing__(self, name: object) -> Scenario:
        raise UnknownKeyError(_unknown(name, self))


def _unknown(name: object, names: Iterable[str]) -> str:
    word = str(name)
    word = word.upper() if word[:1].isdigit() else word.lower()
    return f"unknown scenario {name!r}{did_you_mean(word, names)}"


@cache
def scenarios() -> Mapping[str, Scenario]:
    """Return all scenarios that have a name, by name, from `scenarios.toml`.

    The scenarios of the exact suite come last: small research scenarios (`strict` is False) that
    can be solved. An unknown name raises an `UnknownNameError`, which is also a `KeyError`.
    """
    text = resources.files("mascarade_env.game").joinpath("scenarios.toml").read_text("utf-8")
    named = _NamedScenarios()
    for name, entry in tomllib.loads(text).items():
        listed = tuple(entry.pop("masks"))
        if "like" in entry:
            listed = named[entry.pop("like")].masks + listed
        if entry.pop("exact", False):
            entry |= {"strict": False, "fixed_deal": True, "at_limit": "richest"}
        else:
            entry["players"] = int(name[:-1])
        named[name] = Scenario(name, masks=listed, **entry)
    return MappingProxyType(named)


def resolve(scenario: str | Path | Mapping[str, Any] | Scenario) -> Scenario:
    """Return the scenario for a name ("6A" or "6a"), a `.json` file, a mapping, or a `Scenario`.

    Raises:
        UnknownNameError: there is no scenario of this name, or the file cannot be read.
        ScenarioError: the file or mapping breaks a rule.
    """
    if isinstance(scenario, Path):
        return _from_file(scenario)
    if isinstance(scenario, Scenario):
        return scenario
    if isinstance(scenario, Mapping):
        return Scenario.from_dict(scenario)
    if not isinstance(scenario, str):
        raise UnknownNameError(
            f"a scenario must be a name, a .json file, a mapping or a Scenario, not {scenario!r}"
        )
    if scenario.endswith(".json"):
        return _from_file(Path(scenario))
    named = {name.casefold(): name for name in scenarios()}
    name = named.get(scenario.casefold())
    if name is None:
        raise UnknownNameError(
            f"{_unknown(scenario, scenarios())}; "
            "for another scenario pass a .json file or a Scenario"
        )
    return scenarios()[name]


def _from_file(path: Path) -> Scenario:
    try:
        data = read_json(path)
    except OSError as error:
        raise UnknownNameError(f"cannot read scenario file {path}: {error.strerror}") from error
    except ValueError as error:
        raise UnknownNameError(f"cannot read scenario file {path}: {error}") from error
    if not isinstance(data, dict):
        raise UnknownNameError(
            f"scenario file {path} must contain one JSON object, with players and masks"
        )
    try:
        return Scenario.from_dict({"name": path.stem, **data})
    except MascaradeError as error:
        error.add_note(f"in scenario file {path}")
        raise
