"""Scenarios: which masks are in play, for how many players, and what they are checked against.

`resolve` turns whatever a user names a scenario by (a name, a `.json` file, an object as in a
record) into a `Scenario`. A `Scenario` that exists is valid: the constructor refuses others with a
`ScenarioError` naming the broken rule. `strict=False` makes it a research scenario, which may
leave section 9 of the rules.
"""

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mascarade_env._errors import MascaradeError, ScenarioError, UnknownNameError, did_you_mean
from mascarade_env._files.strict_json import read_json
from mascarade_env.game._masks import MASKS, mask_number

MAX_PLAYERS = 12
MAX_SLOTS = 14
MAX_COINS = 1_000
MAX_TURNS = 1_000_000
AT_LIMIT = ("void", "richest")


@dataclass(frozen=True, slots=True)
class Scenario:
    """What a game is played with.

    Attributes:
        name: a label; the printed numbers of players and side for those in `scenarios()`.
        players: number of players.
        masks: the masks in play, centre included; the order matters only with `fixed_deal`.
        start_coins: each seat's fortune at the start (rules 3.1).
        goal_coins: a fortune that wins (rules 7.1).
        opening_turns: forced takes at the start (rules 4.1).
        turn_limit: turns after which the game stops, None for none (rules 7.3).
        at_limit: at the limit the game is "void" (truncated) or the "richest" win.
        strict: whether section 9 of the rules is required.
        fixed_deal: deal `masks` in the order listed, seats first, then the centre.
        official: whether the list is a printed one; none of ours is.
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
        """Number of places where a mask lies: the seats, then the centre."""
        return len(self.masks)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The different masks in play, in the order of `MASKS`."""
        return tuple(MASKS[number].id for number in sorted({mask_number(m) for m in self.masks}))

    def deal_numbers(self, deal: Sequence[str]) -> list[int]:
        """Return a deal of these masks as mask numbers, or an error if it cannot be one."""
        if not isinstance(deal, list | tuple):
            raise MascaradeError(f"a deal is a list of masks, not {deal!r}")
        numbers = [mask_number(mask_id) for mask_id in deal]
        if sorted(deal) != sorted(self.masks):
            raise MascaradeError(
                f"the deal must hold the masks of the scenario ({', '.join(self.masks)}), "
                f"not {', '.join(deal)}"
            )
        if self.fixed_deal and tuple(deal) != self.masks:
            raise MascaradeError(
                f"the deal of this scenario is fixed: {', '.join(self.masks)}, "
                f"not {', '.join(deal)}"
            )
        return numbers

    def to_dict(self) -> dict[str, Any]:
        """Return the scenario object of a game record."""
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
        """Return a scenario from the object of a game record; what is left out has its default."""
        known = [f.name for f in fields(cls)]
        for key in data:
            if key not in known:
                raise ScenarioError("9", f"unknown field {key!r}{did_you_mean(key, known)}")
        for key in ("players", "masks"):
            if key not in data:
                raise ScenarioError("9", f"the field {key!r} is missing")
        return cls(**{"name": "custom", **data})


def _tuple_of_words(masks: object) -> tuple[str, ...]:
    if not isinstance(masks, list | tuple):
        raise ScenarioError("9", f"masks must be a list of words, not {masks!r}")
    for word in masks:
        mask_number(word)
    return tuple(masks)


def _check_types(s: Scenario) -> None:
    name: object = s.name
    if not (isinstance(name, str) and name):
        raise ScenarioError("9", f"name must be a word, not {name!r}")
    for number in ("players", "start_coins", "goal_coins", "opening_turns", "turn_limit"):
        value = getattr(s, number)
        if (type(value) is not int) and not (number == "turn_limit" and value is None):
            raise ScenarioError("9", f"{number} must be a whole number, not {value!r}")
    for flag in ("strict", "fixed_deal", "official"):
        value = getattr(s, flag)
        if not isinstance(value, bool):
            raise ScenarioError("9", f"{flag} must be true or false, not {value!r}")
    if s.at_limit not in AT_LIMIT:
        raise ScenarioError("7.3", f"at_limit must be one of {AT_LIMIT}, not {s.at_limit!r}")


def _check_always(s: Scenario) -> None:
    """What no scenario may do, research ones included (end of rules 9)."""
    if not 2 <= s.players <= MAX_PLAYERS:
        raise ScenarioError("3.1", f"2 to {MAX_PLAYERS} players, not {s.players}")
    if s.slots > MAX_SLOTS:
        raise ScenarioError("9", f"at most {MAX_SLOTS} masks, not {s.slots}")
    if s.slots < s.players:
        raise ScenarioError("9", f"{s.players} players need {s.players} masks, not {s.slots}")
    for mask_id, count in Counter(s.masks).items():
        mask = MASKS[mask_number(mask_id)]
        if count != mask.copies:
            cards = "one card" if mask.copies == 1 else f"{mask.copies} cards, used together"
            raise ScenarioError("9", f"{mask_id} has {cards}; the list has {count}")
        if mask_id in ("fool", "puppet_master") and s.players < 3:
            raise ScenarioError("9", f"{mask_id} needs two other players, so 3 players or more")
    if not 0 < s.start_coins < s.goal_coins <= MAX_COINS:
        raise ScenarioError(
            "9",
            f"0 < start_coins < goal_coins <= {MAX_COINS} must hold, "
            f"not {s.start_coins} and {s.goal_coins}",
        )
    if not 0 <= s.opening_turns <= MAX_TURNS:
        raise ScenarioError("4.1", f"opening_turns is 0 to {MAX_TURNS}, not {s.opening_turns}")
    if s.turn_limit is not None and not 1 <= s.turn_limit <= MAX_TURNS:
        raise ScenarioError("7.3", f"turn_limit is 1 to {MAX_TURNS} or null, not {s.turn_limit}")


def _check_strict(s: Scenario) -> None:
    """The printed rules (3, 4.1, 7, 9); the error says that research scenarios may leave them."""
    coin_masks = sum(MASKS[mask_number(mask_id)].coin_symbol for mask_id in s.masks)
    centre = s.slots - s.players
    must_hold = [
        ("3.1", s.players >= 4, f"4 to {MAX_PLAYERS} players, not {s.players}"),
        ("3.1", s.start_coins == 6, f"every seat starts with 6 coins, not {s.start_coins}"),
        ("7.1", s.goal_coins == 13, f"13 coins win, not {s.goal_coins}"),
        ("4.1", s.opening_turns == 4, f"the opening has 4 turns, not {s.opening_turns}"),
        ("7.3", s.at_limit == "void", "at a turn limit the game is void"),
        ("3.2", s.players > 5 or s.slots == 6, f"{s.players} players use 6 masks, not {s.slots}"),
        ("3.2", centre <= 2, f"at most 2 masks lie in the centre, not {centre}"),
        ("9", "judge" in s.masks, "the Judge must be in play"),
        (
            "9",
            3 * coin_masks >= s.slots,
            f"a third of the masks must carry the coin symbol, not {coin_masks} of {s.slots}",
        ),
    ]
    for mask_id in s.kinds:
        fewest = MASKS[mask_number(mask_id)].min_players or 0
        enough = s.players >= fewest
        must_hold.append(("9", enough, f"{mask_id} needs {fewest} players, not {s.players}"))
    for rule, holds, message in must_hold:
        if not holds:
            raise ScenarioError(rule, f"{message} (research scenarios, strict=False, may differ)")


@cache
def scenarios() -> Mapping[str, Scenario]:
    """Return all scenarios that have a name, from `scenarios.toml`.

    Those of the exact suite come last; they are research scenarios, so `strict` is false.
    """
    text = resources.files("mascarade_env.game").joinpath("scenarios.toml").read_text("utf-8")
    found: dict[str, Scenario] = {}
    for name, entry in tomllib.loads(text).items():
        listed = tuple(entry.pop("masks"))
        if "like" in entry:
            listed = found[entry.pop("like")].masks + listed
        if entry.pop("exact", False):
            entry |= {"strict": False, "fixed_deal": True, "at_limit": "richest"}
        else:
            entry["players"] = int(name[:-1])
        found[name] = Scenario(name, masks=listed, **entry)
    return MappingProxyType(found)


def resolve(scenario: str | Path | Mapping[str, Any] | Scenario) -> Scenario:
    """Return the scenario meant by a name ("6A"), a `.json` file, a mapping, or a `Scenario`."""
    if isinstance(scenario, Path):
        return _from_file(scenario)
    if isinstance(scenario, Scenario):
        return scenario
    if isinstance(scenario, Mapping):
        return Scenario.from_dict(scenario)
    if not isinstance(scenario, str):
        raise UnknownNameError(
            f"a scenario is a name, a .json file, a mapping or a Scenario, not {scenario!r}"
        )
    if scenario.endswith(".json"):
        return _from_file(Path(scenario))
    named = {name.casefold(): name for name in scenarios()}
    name = named.get(scenario.casefold())
    if name is None:
        word = scenario.upper() if scenario[:1].isdigit() else scenario.lower()
        raise UnknownNameError(
            f"unknown scenario {scenario!r}{did_you_mean(word, scenarios())}; "
            "a scenario of your own is a .json file or a Scenario"
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
        raise UnknownNameError(f"scenario file {path} must hold one JSON object")
    try:
        return Scenario.from_dict({"name": path.stem, **data})
    except MascaradeError as error:
        error.add_note(f"in scenario file {path}")
        raise
