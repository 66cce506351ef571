"""The page VERSIONS.md: what stays the same from version to version, and how one can tell.

A test fails if it is stale, so nothing that trained agents rest on changes unnoticed.
"""

import ast
import hashlib
import json
from collections.abc import Iterator

from lab.paths import ROOT
from mascarade_env.game._actions import count_ids, padded_ids, word_of
from mascarade_env.game._events import KINDS
from mascarade_env.game._game import Game
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._records import FORMAT
from mascarade_env.game._scenarios import Scenario, scenarios
from mascarade_env.game._state import new_rows
from mascarade_env.knowledge._windows import CENTRE_WORD, KEPT, PLACE_WORD
from mascarade_env.observation._blocks import TRACKS, Place
from mascarade_env.observation._schema import Schema

PAGE = ROOT / "mascarade_env/VERSIONS.md"

#: What users may import from. A test fails if another module has a public name.
PUBLIC_MODULES = (
    "mascarade_env",
    "mascarade_env.mascarade_v0",
    "mascarade_env.testing",
    "mascarade_env.render",
    "mascarade_env.exact",
    "mascarade_env.adapters.sb3",
    "mascarade_env.adapters.rllib",
    "mascarade_env.adapters.openspiel",
    "mascarade_agents",
    "mascarade_agents.arena",
    "mascarade_agents.ratings",
    "mascarade_agents.behaviour",
    "mascarade_agents.report",
    "mascarade_agents.exact",
    "mascarade_train",
)

_GAMES = 12  # that the fingerprint of the rules is taken of
_TURNS = 60  # of each, so that games which do not end do not matter

_CHANGES = (
    ("speed, pictures, messages, commands, further agents or scenarios",
     "stay valid", "stay valid", "patch or minor"),
    ("an observation: another number in another place, or another meaning",
     "invalid", "stay valid", "minor; after 1.0.0 major"),
    ("an action id means something else",
     "invalid", "stay valid: they hold words", "minor; after 1.0.0 major"),
    ("a rule, a reward, or what the same seed deals",
     "invalid, or at least their figures", "may not replay", "minor; after 1.0.0 major"),
    ("the record format", "stay valid", "older ones are read on", f"`{FORMAT}` is raised"),
    ("a public name or its signature (see below)",
     "stay valid", "stay valid", "minor; after 1.0.0 major, after a version that warns"),
    ("a private name", "stay valid", "stay valid", "any"),
)  # fmt: skip

_HEAD = f"""# Versions

Printed by `make versions`; a test fails if it is stale.

## What a version promises

The package is versioned as `major.minor.patch`. The environments have a version of their own in
their names, `mascarade_v0` (PettingZoo) and `Mascarade-v0` (Gymnasium), as is the custom of these
libraries.

| what changes | trained agents | records of games | the version |
|---|---|---|---|
{chr(10).join(f"| {' | '.join(line)} |" for line in _CHANGES)}

- **v0 becomes v1** with 1.0.0, when rules, observations and actions have stood unchanged through
  two minor versions. From then on each change of the second to fourth line makes a v2, v3, ... as
  well; the name before it goes on existing as an error that tells where to go.
- **Before 1.0.0** such a change raises the minor version, and `v0` stays: look at the fingerprints.
- Each entry of [CHANGELOG.md](../CHANGELOG.md) has a line "invalidates trained agents: yes/no".
- A policy file, an ONNX card and a checkpoint tell the sizes that they were made for, and by which
  version; where they do not fit any more, loading them says so.

## What is public

Import from these modules. Their names are public: functions with their parameters, classes with
their constructors, public methods and attributes, the types of constants. So are the flags of the
commands that `mascarade --help` lists, the names of agents and scenarios, and the groups of entry
points `mascarade.agents` and `mascarade.commands`.

| module | what it offers |
|---|---|
{{modules}}

`tests/project/public_api.txt` lists every public name with its signature; a test fails if one
changes.

- **A new name, or a new parameter with a default** raises the minor version. Pass parameters that
  follow a `*` by name; others may be passed by position.
- **A name that goes, or works otherwise**, raises the minor version before 1.0.0, and CHANGELOG.md
  names its successor. After 1.0.0 it raises the major version, and a minor version before it warns
  (`DeprecationWarning`).
- **Everything else may change in any version**: modules and names that begin with an underscore,
  and what they contain, also where an object that you were given has such a type. Text for people
  may change as well: messages, the `repr` of objects, pages and pictures. So may pickles: they are
  for the version that wrote them. Store games as records and networks as policy files.

## How to tell: fingerprints

Each is a hash of what it is named after. If it is the same in two versions, so is the thing; if
trained agents are to stay valid, all three must be.

- *observation*: every number, in all tracks: its place, name, encoding, bounds and list of entries,
  and the order of masks and events. Sentences do not count. The size is that of the track `both`.
- *actions*: every id and the word for it, from each seat; and its padded id.
- *rules*: {_GAMES} games by their seeds, decided without chance, as records with their trace.

| scenario | observation: numbers, fingerprint | actions: ids, fingerprint | rules |
|---|---|---|---|
"""


def versions() -> None:
    """Write VERSIONS.md; raise the versions that it asks for.

    Example: python -m lab versions
    """
    PAGE.write_text(page(), "utf-8")


def page() -> str:
    """The whole page."""
    modules = "\n".join(f"| `{name}` | {_first_line(name)} |" for name in PUBLIC_MODULES)
    return _HEAD.replace("{modules}", modules) + "\n".join(_lines()) + "\n"


def _first_line(module: str) -> str:
    """Return the first line of a module's docstring, without loading what the module needs."""
    root = {"mascarade_agents": "agents", "mascarade_train": "train"}.get(module.partition(".")[0])
    place = ROOT.joinpath(root or "", *module.split("."))
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    return (ast.get_docstring(ast.parse(file.read_text("utf-8"))) or "").partition("\n")[0]


def _lines() -> Iterator[str]:
    for name, scenario in scenarios().items():
        schema = Schema(scenario)
        ids = count_ids(new_rows(scenario, 1)[0])
        seen, done = _of_observation(schema), _of_actions(scenario)
        rules = _of_rules(scenario)
        yield f"| {name} | {schema.size} `{seen}` | {ids} `{done}` | `{rules}` |"
    padded = Schema("6A", padded=True)
    yield f"| padded | {padded.size} `{_of_observation(padded)}` | | |"


def _hashed(told: object) -> str:
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:8]


def _of_observation(schema: Schema) -> str:
    """Return the fingerprint of names, stable ids, shapes and ranges; wording does not count."""
    tracks = [Schema(schema.scenario, track, padded=schema.padded) for track in TRACKS]
    numbers = [
        _of_place(name, place)
        for each in tracks
        for part in (each.places, each.columns)
        for name, place in part.items()
    ]
    kept = [name if KEPT >> kind & 1 else None for kind, name in enumerate(KINDS)]
    words = [kept, list(MASK_IDS), CENTRE_WORD, PLACE_WORD]  # of the window of events
    return _hashed([numbers, list(schema.masks), words])


def _of_place(name: str, place: Place) -> list[object]:
    block = place.block
    return [
        name,
        place.start,
        list(place.shape),
        block.low,
        block.high,
        block.encoding,
        list(block.entries),
    ]


def _of_actions(scenario: Scenario) -> str:
    row = new_rows(scenario, 1)[0]
    told: list[object] = [list(padded_ids(row))]
    for seat in range(scenario.players):
        row["actor"] = seat
        told.append([word_of(row, action) for action in range(count_ids(row))])
    return _hashed(told)


def _of_rules(scenario: Scenario) -> str:
    told = []
    for seed in range(_GAMES):
        game, choice = Game(scenario, seed=seed), seed
        while not game.over and game.turn < _TURNS:
            legal = game.legal_actions()
            # Not by the game's own random numbers: these are no rule.
            choice = (choice * 7 + 3) % 1009
            game.play(legal[choice % len(legal)])
        told.append(game.to_record(trace=True))
    return _hashed(told)
