"""Observations against a second implementation, and against OBSERVATION.md."""

import copy
import pickle
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import mascarade_env
from mascarade_env import MASKS, Batch, Game, MascaradeError, Scenario, Schema, scenarios
from mascarade_env.game._batch import Autoreset
from mascarade_env.knowledge._facts import TALLIES
from mascarade_env.observation._blocks import AGE_STEPS, Track
from tests.mascarade_env.game.decks import Whim, random_scenario
from tests.mascarade_env.game.tables import announce, play, table
from tests.mascarade_env.observation.naive_observer import BANK, MAX_SEATS, NaiveObserver
from tests.messages import facts, lines_stating, states
from tests.tiers import fuzzed, sampled, slow_from

NAMES = [mask.id for mask in MASKS]
TRACKS: tuple[Track, ...] = ("memory", "belief", "both")
PAGE = (Path(mascarade_env.__file__).parent / "OBSERVATION.md").read_text("utf-8")
# Ages are multiples of one step.
AGES = ("revealed_ago", "touched_ago", "said_ago", *TALLIES, "slots")
SHORT = Scenario("short", 6, scenarios()["6A"].masks, turn_limit=9)
# Few masks, so that those with choices are used often, and two in the centre.
CROWDED = Scenario(
    "crowded",
    5,
    ("puppet_master", "princess", "fool", "spy", "guru", "judge", "trickster"),
    opening_turns=1,
    strict=False,
)


class Lockstep:
    """A game and the naive observers of all its players.

    Args:
        game: a game at any moment.
        most_worlds: see `NaiveObserver`.
    """

    def __init__(self, game: Game, most_worlds: int = 1000) -> None:
        self.game = game
        scenario = game.scenario
        self.observers = [
            NaiveObserver(scenario, player, most_worlds) for player in range(scenario.players)
        ]
        self.schemas = {
            (track, padded): Schema(scenario, track, padded=padded)
            for track in TRACKS
            for padded in (False, True)
        }
        self.parts = {
            (track, padded): part_of_both(schema, self.schemas["both", padded])
            for (track, padded), schema in self.schemas.items()
        }

    def compare(self) -> set[str]:
        """Compare the observations of all players; return the names of the blocks compared."""
        compared: set[str] = set()
        for player, observer in enumerate(self.observers):
            observer.feed(self.game.information_state_tensor(player, 1 << 14))
            assert observer.phase == self.game.phase
            assert observer.player == self.game.player
            for padded in (False, True):
                both = self.game.observation(player, padded=padded)
                views = self.schemas["both", padded].views(both)
                for name, values in observer.arrays(padded=padded).items():
                    assert_close(name, views[name], values, player)
                    compared.add(name)
                for track in ("memory", "belief"):
                    part = self.game.observation(player, track, padded=padded)
                    assert part.tobytes() == both[self.parts[track, padded]].tobytes()
        return compared


def part_of_both(schema: Schema, both: Schema) -> NDArray[np.int64]:
    """Return for each number of a track its index in the track "both"."""
    here, there = schema.views(np.arange(schema.size)), both.views(np.arange(both.size))
    part = np.empty(schema.size, np.int64)
    for name in schema.places:
        part[here[name].ravel()] = there[name].ravel()
    return part


def assert_close(name: str, found: NDArray[Any], wanted: NDArray[Any], player: int) -> None:
    tolerance = 1 / AGE_STEPS if name in AGES else 1e-6
    assert found.shape == wanted.shape, name
    assert np.abs(found - wanted).max() <= tolerance, f"{name} of player {player}"


def play_and_compare(game: Game, seed: int, every: int = 1) -> Lockstep:
    """Continue at random; compare at some decisions, but not at the end."""
    lockstep = Lockstep(game)
    whim = Whim(random.Random(seed))
    while not game.over:
        if game._decisions % every == 0:
            lockstep.compare()
        game.play(whim.choose(game.legal_actions()))
    return lockstep


# ---------------------------------------------------------------- against the naive observer


@pytest.mark.parametrize("name", sampled(scenarios()))
def test_every_scenario_is_observed_as_the_naive_observer_does(name: str) -> None:
    for seed in range(2):
        lockstep = play_and_compare(Game(name, seed=seed), seed, every=4)
        lockstep.compare()


def test_random_decks_are_observed_as_the_naive_observer_does() -> None:
    seen = set()
    for seed in range(fuzzed(16)):
        scenario = random_scenario(random.Random(seed))
        if scenario.slots > scenario.players + 2:
            continue  # a larger centre has tests below
        lockstep = play_and_compare(Game(scenario, seed=seed), seed, every=3)
        seen |= lockstep.compare()
    assert {"own_belief", "onlooker_belief", "exact", "window", *AGES} <= seen


@pytest.mark.slow
def test_powers_with_choices_are_observed_as_the_naive_observer_does() -> None:
    told = []
    for seed in range(fuzzed(4)):
        lockstep = play_and_compare(Game(CROWDED, seed=seed), seed, every=4)
        told += lockstep.game.log()
        lockstep.compare()
    story = "\n".join(told)
    for words in ("seats", "shows", "Guru", "Spy", "Fool", "swapped"):
        assert story.count(words) > 5, words


def test_the_end_on_a_turn_on_which_players_moved() -> None:
    """Players take their answers to the new seat, while fines end the game."""
    masks = ("puppet_master", "judge", "witch", "king")
    game = Game(
        Scenario("poor", 4, masks, start_coins=2, opening_turns=0, strict=False), seed=0, deal=masks
    )
    announce(game, "puppet_master", 1)
    play(game, "target:1", "target:2")
    assert game.over
    assert game.player_at == [0, 2, 1, 3]
    views = Schema(game.scenario).views(game.observation(0))
    # By seat: who announced, who passed and sits on seat 1 now, who claimed, who passed.
    assert views["answer"].argmax(axis=1).tolist() == [0, 2, 1, 2]
    Lockstep(game).compare()


@pytest.mark.parametrize("at_limit", ["void", "richest"])
def test_the_end_at_the_turn_limit(at_limit: str) -> None:
    """The number of ended turns is the limit; ages and the opening use this number."""
    scenario = Scenario("brief", 4, SHORT.masks, turn_limit=3, at_limit=at_limit, strict=False)
    game = Game(scenario, seed=0)
    lockstep = Lockstep(game)
    for _ in range(3):
        play(game, game.legal_actions()[0])
        lockstep.compare()
        play(game, "keep")
    assert game.over
    views = Schema(scenario).views(game.observation(0))
    assert 40 * views["turn"][0] / (1 - views["turn"][0]) == pytest.approx(game.turn, abs=1e-4)
    lockstep.compare()


def test_numbers_are_recovered_exactly_from_a_scripted_game() -> None:
    game = table("puppet_master", "judge", "witch", "king", "fool", players=4, goal_coins=20)
    play(game, "take:4", "swap", "look")
    announce(game, "king", 3)
    play(game, "take:0", "keep", "announce:witch", "claim")
    for padded in (False, True):
        schema = Schema(game.scenario, padded=padded)
        for player in range(4):
            views = schema.views(game.observation(player, padded=padded))
            seats = np.arange(player, player + 4) % 4
            assert (views["coins"][:4] * 20).round(5).tolist() == np.array([6, 6, 5, 8])[
                seats
            ].tolist()
            assert round(float(views["tribunal"][0] * 20), 5) == game.tribunal == 1
            assert round(float(views["goal"][0] * 13), 5) == 20
            assert turns(views["turn"][0], 40) == game.turn == 4
            revealed = [turns(age, 8) for age in views["revealed_ago"][:4]]
            assert revealed == np.array([4, 4, 2, 2])[seats].tolist()
            touched = [turns(age, 8) for age in views["touched_ago"][:4]]
            assert touched == np.array([1, 4, 4, 1])[seats].tolist()
            said = [turns(age, 8) for age in views["said_ago"][:4]]
            assert said == np.array([0, 0, 2, 0])[seats].tolist()


def turns(number: float, half: int) -> int:
    """Return t for t / (t + half)."""
    return round(half * float(number) / (1 - float(number)))


def test_ages_are_recovered_exactly_up_to_two_hundred_turns() -> None:
    game = Game(Scenario("long", 4, scenarios()["4A"].masks), seed=1)
    schema = Schema(game.scenario, "memory")
    play(game, *["take:4", "keep"] * 4)
    for turn in range(4, 200):
        views = schema.views(game.observation(0, "memory"))
        assert turns(views["turn"][0], 40) == turn
        touched = [turns(age, 8) for age in views["touched_ago"]]
        assert touched == [turn, turn - 1, turn - 2, turn - 3, turn - 3, turn]
        assert {turns(age, 8) for age in views["revealed_ago"]} == {turn}
        play(game, "look")


# ---------------------------------------------------------------- what a player may know


def test_the_view_begins_with_the_own_seat() -> None:
    """After the deal, the views of two players differ only by the deal and the acting player."""
    for padded in (False, True):
        game = Game("5B", seed=4)
        schema = Schema("5B", padded=padded)
        centre = MAX_SEATS if padded else 5
        deal = [schema.masks.index(mask) for mask in game.deal]
        for player in range(5):
            views = schema.views(game.observation(player, padded=padded))
            order = [*np.roll(np.arange(5), -player), 5]
            places = [*range(5), centre]
            wanted = np.zeros((schema.slots, len(schema.masks)))
            wanted[places, [deal[slot] for slot in order]] = 1
            assert (views["own_belief"] == wanted).all()
            assert (views["onlooker_belief"] == wanted).all()
            assert views["occupied"].nonzero()[0].tolist() == [0, 1, 2, 3, 4]
            assert views["sure"].nonzero()[0].tolist() == [0, 1, 2, 3, 4]
            for name in ("decides", "marker"):
                assert views[name].nonzero()[0].tolist() == [-player % 5]
            dealt = views["window"][-6:]
            assert dealt[:, 2].tolist() == [1, 2, 3, 4, 5, 13]
            assert dealt[:, 3].tolist() == [NAMES.index(game.deal[slot]) + 1 for slot in order]


def test_a_player_who_was_moved_sees_from_the_new_seat() -> None:
    game = table("puppet_master", "judge", "witch", "king")
    announce(game, "puppet_master")
    play(game, "target:1", "target:3")
    assert game.player_at == [0, 3, 2, 1]
    schema = Schema(game.scenario)
    views = schema.views(game.observation(1))
    assert (views["coins"] * 13).round(4).tolist() == [5, 8, 5, 6]  # seats 3, 0, 1, 2
    column = schema.masks.index
    held = views["own_belief"].argmax(axis=1).tolist()
    assert held == [column(mask) for mask in ("king", "puppet_master", "judge", "witch")]
    assert views["said"][1, column("puppet_master")] == 1
    # The move from the player's new seat: by seat +1, with seat +2 and the own seat.
    assert views["window"][-1].tolist() == [20, 2, 3, 16 + 1]
    # Player 3 passed before the move, and is now two seats to the left.
    assert views["window"][-2].tolist() == [15, 2, 1, 0]


def test_hidden_choices_do_not_change_other_observations() -> None:
    """Hidden swaps, looks and shown masks do not change the observations of the other players."""
    masks = ("judge", "princess", "witch", "king", "fool")
    stories = {}
    for what in ("swap", "keep"):
        game = table(*masks, players=4)
        play(game, "take:4", what)
        after_take = observations(game)
        play(game, "take:0", what)  # by player 1, whose mask may then be one of three
        after_second = observations(game)
        play(game, "look")
        stories[what] = [after_take, after_second, observations(game)]
    for step, knowing in enumerate(({0}, {0, 1}, {0, 1})):
        for player in range(4):
            one, other = (stories[what][step][player] for what in ("swap", "keep"))
            assert (one == other) == (player not in knowing), (step, player)


def test_a_mask_shown_for_the_princess_is_unknown_to_who_shows_it() -> None:
    """Player 0 swapped or kept player 1's mask; all players but player 1 then see it."""
    found = {}
    for what in ("swap", "keep"):
        game = table("fool", "judge", "witch", "princess", "king", players=4)
        announce(game, "fool")
        play(game, "target:1", "target:2", what, "take:4", "keep", "look")
        announce(game, "princess")
        play(game, "target:1")
        assert game.turn == 4
        found[what] = observations(game)
    for player in range(4):
        assert (found["swap"][player] == found["keep"][player]) == (player == 1), player


def observations(game: Game) -> list[list[bytes]]:
    """Return all observations, by player."""
    return [
        [
            *(
                game.observation(p, t, padded=wide).tobytes()
                for t in TRACKS
                for wide in (False, True)
            ),
            game.information_state_tensor(p).tobytes(),
        ]
        for p in range(game.scenario.players)
    ]


def test_an_observation_does_not_depend_on_when_others_were_asked_for() -> None:
    """They are equal if asked for at every decision or once, of clones, pickles and after undo."""
    for name in ("6B", "8B"):
        asked = Game(name, seed=5)
        actions: list[int] = []
        while not asked.over and len(actions) < 60:
            observations(asked)
            actions.append(asked.legal_ids()[len(actions) % len(asked.legal_ids())])
            asked.play(actions[-1])
        fresh = Game(name, seed=5)
        for action in actions:
            fresh.play(action)
        twin = asked.clone()
        assert observations(fresh) == observations(asked) == observations(twin)
        assert observations(pickle.loads(pickle.dumps(asked))) == observations(asked)
        twin.undo(20)
        early = Game(name, seed=5)
        for action in actions[:-20]:
            early.play(action)
        assert observations(twin) == observations(early) != observations(asked)
        for action in actions[-20:]:
            twin.play(action)
        assert observations(twin) == observations(asked)


# ---------------------------------------------------------------- the vector


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("name", ["4A", "7B", "8B"])
def test_the_vector_keeps_its_bounds_and_one_hot_blocks_sum_to_one(name: str, padded: bool) -> None:
    schema = Schema(name, padded=padded)
    scenario = scenarios()[name]
    cards = [scenario.masks.count(mask) for mask in schema.masks]
    game = Game(name, seed=2)
    whim = Whim(random.Random(2))
    while True:
        seen = range(scenario.players) if game.over or game._decisions % 4 == 0 else ()
        for player in seen:
            vector = game.observation(player, padded=padded)
            assert vector.dtype == np.float32
            assert vector.shape == (schema.size,)
            assert (schema.low <= vector).all()
            assert (vector <= schema.high).all()
            views = schema.views(vector)
            assert all(np.shares_memory(view, vector) for view in views.values())
            seats = np.arange(schema.slots) < scenario.players
            assert views["occupied"].tolist() == seats.tolist()
            assert views["phase"].sum() == 1
            assert views["marker"].sum() == 1
            assert views["decides"].sum() == (not game.over)
            asked = game.announced is not None
            assert views["announced"].sum() == asked
            assert (views["answer"].sum(axis=1) == seats * asked).all()
            assert (views["said"].sum(axis=1) == views["said_outcome"].sum(axis=1)).all()
            assert set(views["said"].sum(axis=1)) <= {0, 1}
            assert (views["in_play"] * 2).tolist() == cards
            for belief in (views["own_belief"], views["onlooker_belief"]):
                there = belief.sum(axis=1)
                # Sums of many 32-bit floats.
                assert np.allclose(there[there > 0], 1, atol=1e-5)
                assert np.count_nonzero(there) == scenario.slots
                assert np.allclose(belief.sum(axis=0), cards, atol=1e-5)
            window = views["window"]
            assert (window == window.round()).all()
        if game.over or game._decisions > 200:
            return
        game.play(whim.choose(game.legal_actions()))


def test_views_are_written_through_and_take_any_number_of_rows() -> None:
    schema = Schema("6A")
    many = np.zeros((2, 3, schema.size), np.float32)
    views = schema.views(many)
    assert views["own_belief"].shape == (2, 3, 6, 6)
    assert views["coins"].shape == (2, 3, 6)
    assert views["answer"].shape == (2, 3, 6, 4)
    views["coins"][1, 2, 5] = 7
    assert many[1, 2, 5 * 31 + 1] == 7
    assert np.count_nonzero(many) == 1
    whole = np.arange(schema.size, dtype=np.float32)
    blocks = np.concatenate([schema.views(whole)[name].ravel() for name in schema.places])
    assert blocks.tolist() == whole.tolist()  # each number is in one block, in order


@pytest.mark.parametrize("name", [*scenarios(), "Padded, any scenario"])
def test_sizes_and_places_are_those_of_the_page(name: str) -> None:
    text = PAGE.split(f"\n### {name}\n\n")[1].split("\n### ")[0]
    padded = name.startswith("Padded")
    sizes = dict(re.findall(r"(memory|belief|both|full) (\d+)", text.splitlines()[0]))
    tracks = ("memory", "belief", "both", "full")
    schemas = [Schema("4A" if padded else name, track, padded=padded) for track in tracks]
    assert {schema.track: str(schema.size) for schema in schemas} == sizes
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*?) \| (.*?) \| (.*?) \| (.*?) \|$", text, re.M)
    assert len(rows) == 16
    for block, shape, *ranges in rows:
        for schema, indices in zip(schemas, ranges, strict=True):
            if indices == "-":
                assert block not in schema.places
                continue
            first, _, last = indices.partition("..")
            view = schema.views(np.arange(schema.size))[block]
            assert view.ravel().tolist() == list(range(int(first), int(last or first) + 1))
            assert " x ".join(map(str, view.shape)) == shape
    page = PAGE.split("### The columns of `slots`")[1].split("\n## ")[0]
    columns = re.findall(r"^\| `(\w+)` \| (\d+) \| (\d+|mask) \|", page, re.M)
    offsets = {column: int(offset) for column, offset, _ in columns}
    assert {column: place.start for column, place in schemas[0].columns.items()} == offsets


def padded_places(scenario: Scenario, track: Track) -> NDArray[np.int64]:
    """Return for each number of an observation its index in a padded one."""
    small, wide = Schema(scenario, track), Schema(scenario, track, padded=True)
    n = scenario.players
    slots = [p if p < n else MAX_SEATS + p - n for p in range(scenario.slots)]
    masks = [NAMES.index(mask) for mask in scenario.kinds]
    here, there = small.views(np.arange(small.size)), wide.views(np.arange(wide.size))
    where = np.full(small.size, -1)
    for name in {*small.places, *small.columns} - {"slots"}:
        column = name in small.columns
        axes = (
            ("slot", *small.columns[name].block.axes) if column else small.places[name].block.axes
        )
        target = there[name]
        for axis, kind in enumerate(axes):
            if kind in ("slot", "mask"):
                target = np.take(target, slots if kind == "slot" else masks, axis=axis)
        where[here[name].ravel()] = target.ravel()
    assert (where >= 0).all()
    return where


@pytest.mark.parametrize("scenario", [*scenarios().values(), CROWDED], ids=lambda s: s.name)
def test_padded_values_are_the_same_in_other_places(scenario: Scenario) -> None:
    places = {track: padded_places(scenario, track) for track in TRACKS}
    game = Game(scenario, seed=8)
    for _ in range(12):
        for player in range(scenario.players):
            for track in TRACKS:
                padded = game.observation(player, track, padded=True)
                assert padded[places[track]].tobytes() == game.observation(player, track).tobytes()
                rest = np.delete(padded, places[track])
                assert not rest.any()
        if not game.play_randomly(7):
            break


@pytest.mark.parametrize("centre", [3, 4, 10])
def test_a_centre_too_large_for_padding_is_refused_or_shown_whole(centre: int) -> None:
    """Padding has room for two slots in the centre; research scenarios may have more."""
    masks = tuple(name for name in NAMES if name not in ("fool", "puppet_master", "peasant"))
    scenario = Scenario("centre", 2, masks[: 2 + centre], strict=False)
    game = Game(scenario, seed=1)
    try:
        schema = Schema(scenario, padded=True)
        batch = Batch(scenario, 1, seed=1, padded=True)
        views = schema.views(game.observation(0, padded=True))
    except MascaradeError:
        return
    assert views["own_belief"].sum() == pytest.approx(scenario.slots)
    assert batch.mask.sum() == len(game.legal_ids())
    while batch.state["turn"][0] < 4:
        batch.step(batch.random_actions())
    assert batch.mask.sum() == scenario.slots + len(scenario.kinds)  # take, look, announce


@pytest.mark.parametrize("centre", [3, 11])
def test_tokens_of_a_large_centre_are_words_of_the_page(centre: int) -> None:
    masks = tuple(name for name in NAMES if name not in ("fool", "puppet_master", "peasant"))
    scenario = Scenario("centre", 2, masks[: 2 + centre], strict=False)
    game = Game(scenario, seed=1)
    play(game, f"take:{scenario.slots - 1}", "keep")
    schema = Schema(scenario)
    vector = game.observation(0)
    assert (vector <= schema.high).all()
    window = schema.views(vector)["window"]
    assert window[:, 2].max() == 12 + centre
    assert window[:, 3].max() == 16 + 12 + centre


# ---------------------------------------------------------------- batches


def observed(game: Game, player: int | None, track: Track, padded: bool) -> NDArray[np.float32]:
    """Return what a batch shows of a game: zeros if it is over."""
    schema = Schema(game.scenario, track, padded=padded)
    if player is None:
        return np.zeros(schema.size, np.float32)
    return game.observation(player, track, padded=padded)


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("track", slow_from(1, ["both", "memory", "belief"]))
@pytest.mark.parametrize("mode", ["same_step", "next_step", "disabled"])
def test_a_batch_observes_what_games_observe(mode: Autoreset, track: Track, padded: bool) -> None:
    follow_a_batch(Batch(SHORT, 5, seed=3, autoreset=mode, track=track, padded=padded), 120)


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize(
    "scenario", [scenarios()["4B"], scenarios()["8B"], CROWDED], ids=lambda s: s.name
)
def test_batches_of_other_scenarios_observe_what_games_observe(
    scenario: Scenario, padded: bool
) -> None:
    follow_a_batch(Batch(scenario, 3, seed=4, padded=padded), 100)


def follow_a_batch(batch: Batch, steps: int) -> None:
    """Play the games of a batch as single games too, and compare all observations bit for bit."""
    assert batch.schema is not None
    track: Any = batch.schema.track
    n = batch.scenario.players
    games = [Game(batch.scenario, seed=int(seed)) for seed in batch.state["seed"]]
    ended = 0
    for _ in range(steps):
        assert batch.observation.dtype == np.float32
        by_player = [batch.observe(player) for player in range(n)]
        for row, game in enumerate(games):
            shown = observed(game, game.player, track, batch.padded)
            assert batch.observation[row].tobytes() == shown.tobytes()
            for player in range(n):
                shown = observed(game, player, track, batch.padded)
                assert by_player[player][row].tobytes() == shown.tobytes()
        assert batch.observe(batch.player).tobytes() == batch.observation.tobytes()
        over = batch.player == -1
        assert not batch.observation[over].any()
        assert batch.mask[over].all()
        actions = batch.random_actions()
        assert batch.mask[np.arange(len(batch)), actions].all()
        words = inside_ids(batch) if batch.padded else {i: i for i in range(batch.num_actions)}
        batch.step(actions)
        for row, game in enumerate(games):
            if not game.over:
                game.play(words[int(actions[row])])
                ended += game.over
            if int(batch.state[row]["seed"]) != game.meta["seed"]:
                games[row] = Game(batch.scenario, seed=int(batch.state[row]["seed"]))
    assert ended > 0 or steps < 120


def inside_ids(batch: Batch) -> dict[int, int]:
    """Return the id of each padded action id, by the table at the top of _actions.py."""
    s = batch.scenario
    n, m, k = s.players, s.slots, len(s.kinds)
    numbers = [NAMES.index(mask) for mask in s.kinds]
    ids = {place: place for place in range(n - 1)}
    ids |= {11 + place: n - 1 + place for place in range(m - n)}
    ids[13] = m - 1  # look
    ids |= {14 + number: m + column for column, number in enumerate(numbers)}
    ids |= {30 + simple: m + k + simple for simple in range(4)}
    ids |= {34 + place: m + k + 4 + place for place in range(n - 1)}
    ids[45] = m + k + n + 3  # decline
    ids |= {46 + number: m + k + n + 4 + column for column, number in enumerate(numbers)}
    return ids


@pytest.mark.parametrize("name", ["4A", "5B", "8B", "12A"])
def test_a_padded_batch_plays_the_same_games(name: str) -> None:
    small = Batch(name, 6, seed=1)
    wide = Batch(name, 6, seed=1, padded=True)
    ids = inside_ids(wide)
    outside = {compact: padded for padded, compact in ids.items()}
    assert len(outside) == small.num_actions
    assert wide.num_actions == 62
    places = padded_places(small.scenario, "both")
    for _ in range(150):
        for row in range(6):
            legal = {outside[int(action)] for action in small.mask[row].nonzero()[0]}
            assert set(wide.mask[row].nonzero()[0].tolist()) == legal
        assert (wide.player == small.player).all()
        assert wide.observation[:, places].tobytes() == small.observation.tobytes()
        assert wide.observation.sum() == pytest.approx(small.observation.sum(), rel=1e-4)
        actions = small.random_actions()
        padded = wide.random_actions()
        assert padded.tolist() == [outside[int(action)] for action in actions]
        small.step(actions)
        wide.step(padded)
        assert (wide.rewards == small.rewards).all()
        assert wide.state.tobytes() == small.state.tobytes()


@pytest.mark.parametrize("name", ["fool", "look"])
def test_a_padded_id_that_the_scenario_lacks_is_refused(name: str) -> None:
    batch = Batch("6A", 2, seed=0, padded=True)
    action = 14 + NAMES.index("fool") if name == "fool" else 13
    before = batch.observation.tobytes()
    with pytest.raises(MascaradeError, match=facts("row 1", "legal", "take:1")):
        batch.step([0, action])
    assert batch.observation.tobytes() == before


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))],
    ids=["copy", "deepcopy", "pickle"],
)
@pytest.mark.parametrize("padded", [False, True])
def test_a_copy_of_a_batch_observes_alike(copied: Any, padded: bool) -> None:
    def run(batch: Batch, steps: int) -> list[bytes]:
        told = []
        for _ in range(steps):
            batch.step(batch.random_actions())
            told += [batch.observation.tobytes(), batch.observe(0).tobytes(), batch.mask.tobytes()]
            told.append(batch.belief(1).tobytes())
        return told

    batch = Batch("8B", 4, seed=2, padded=padded)
    run(batch, 30)
    before = batch.observation.tobytes()
    twin = copied(batch)
    assert twin.observation.tobytes() == before
    assert repr(twin.schema) == repr(batch.schema)
    after = run(twin, 60)
    assert batch.observation.tobytes() == before
    assert run(batch, 60) == after
    with pytest.raises(ValueError, match="read-only"):
        twin.observation[0, 0] = 1


def test_a_row_is_observed_alike_whatever_its_place_and_the_size() -> None:
    seeds = [5, 77, 2**62, 0]
    one, turned = Batch("8A", 4, seed=seeds), Batch("8A", 4, seed=seeds[::-1])
    lone = Batch("8A", 1, seed=[77])
    small, large = Batch("8A", 3, seed=77), Batch("8A", 100, seed=77)
    for _ in range(150):
        for batch in (one, turned, lone, small, large):
            batch.step(batch.random_actions())
        assert one.observation.tobytes() == turned.observation[::-1].tobytes()
        assert one.observation[1].tobytes() == lone.observation[0].tobytes()
        assert large.observation[:3].tobytes() == small.observation.tobytes()


def test_a_reset_clears_the_last_game() -> None:
    batch = Batch("6B", 3, seed=1)
    for _ in range(70):
        batch.step(batch.random_actions())
    which = np.array([True, False, True])
    kept = batch.observation[1].tobytes()
    batch.reset(seed=[11, 12, 13], rows=which)
    fresh = Batch("6B", 3, seed=[11, 12, 13])
    assert batch.observation[1].tobytes() == kept
    for player in range(6):
        assert batch.observe(player)[which].tobytes() == fresh.observe(player)[which].tobytes()
    batch.reset(seed=5)
    again = Batch("6B", 3, seed=5)
    for _ in range(60):
        batch.step(batch.random_actions())
        again.step(again.random_actions())
        assert batch.observation.tobytes() == again.observation.tobytes()


def test_a_thinned_belief_is_called_so_and_stays_a_belief() -> None:
    batch = Batch("10B", 2, seed=3, most_worlds=16)
    games = [Game("10B", seed=int(seed)) for seed in batch.state["seed"]]
    schema, memory = Schema("10B"), Schema("10B", "memory")
    part = part_of_both(memory, schema)
    inexact = 0
    for _ in range(60):
        for player in range(10):
            vectors = batch.observe(player)
            views = schema.views(vectors)
            assert (views["exact"] == batch.exact[:, [player, 10]]).all()
            inexact += int((views["exact"] == 0).sum())
            for belief in (views["own_belief"], views["onlooker_belief"]):
                assert np.allclose(belief.sum(axis=1), 1, atol=1e-5)
                assert np.allclose(belief.sum(axis=2), 1, atol=1e-5)
            for row, game in enumerate(games):
                told = game.observation(player, "memory")
                assert vectors[row, part].tobytes() == told.tobytes()
        actions = batch.random_actions()
        batch.step(actions)
        for game, action in zip(games, actions, strict=True):
            game.play(int(action))
        if any(game.over for game in games):
            break
    assert inexact > 0
    assert batch.thinned > 0


# ---------------------------------------------------------------- the full state


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize(
    "scenario", [scenarios()["4B"], scenarios()["9A"], CROWDED], ids=lambda s: s.name
)
def test_the_full_state_is_the_truth_and_everybodys_beliefs(
    scenario: Scenario, padded: bool
) -> None:
    n = scenario.players
    schema = Schema(scenario, "full", padded=padded)
    both = Schema(scenario, padded=padded)
    shared = sorted({*schema.places, *schema.columns} & {*both.places, *both.columns})
    batch = Batch(scenario, 1, seed=[3], padded=padded)
    game = Game(scenario, seed=3)
    columns = [schema.masks.index(mask) for mask in scenario.kinds]
    ids = inside_ids(batch) if padded else {i: i for i in range(batch.num_actions)}
    moved = 0
    while True:
        moved += game.player_at != sorted(game.player_at)
        for player in range(n):
            full = game.full_state(player, padded=padded)
            views = schema.views(full)
            own = game.player_at.index(player)
            order = [*((own + place) % n for place in range(n)), *range(n, scenario.slots)]
            places = [p if p < n or not padded else MAX_SEATS + p - n for p in range(len(order))]
            truth = np.zeros((schema.slots, len(schema.masks)))
            beliefs = np.zeros((schema.seats, *truth.shape))
            for place, slot in zip(places, order, strict=True):
                truth[place, schema.masks.index(game.masks[slot])] = 1
            for seat in range(n):
                belief = game.belief(game.player_at[order[seat]])[order]
                beliefs[seat][np.ix_(places, columns)] = belief
            assert (views["truth"] == truth).all()
            assert np.abs(views["beliefs"] - beliefs).max() < 1e-6
            assert views["all_exact"].tolist() == [1] * n + [0] * (schema.seats - n)
            told = both.views(game.observation(player, padded=padded))
            for block in shared:
                assert views[block].tobytes() == told[block].tobytes(), block
            assert (schema.low <= full).all()
            assert (full <= schema.high).all()
            if not game.over:
                assert batch.full_state(player)[0].tobytes() == full.tobytes()
        if game.over:
            break
        assert batch.full_state()[0].tobytes() == game.full_state(padded=padded).tobytes()
        action = batch.random_actions()
        batch.step(action)
        game.play(ids[int(action[0])])
        if game._decisions > 100:
            break
    assert moved > 0 or "puppet_master" not in scenario.masks


def test_the_full_state_of_a_game_that_is_over() -> None:
    game = Game("6A", seed=1)
    game.play_randomly()
    batch = Batch("6A", 1, seed=[1], autoreset="disabled")
    while batch.player[0] >= 0:
        batch.step(batch.random_actions())
    assert batch.full_state(2)[0].tobytes() == game.full_state(2).tobytes()
    assert not batch.full_state().any()  # no acting player


# ---------------------------------------------------------------- in words


def test_describe_says_what_happened_in_a_scripted_game() -> None:
    game = table("puppet_master", "judge", "witch", "king", "fool", players=4)
    play(game, "take:4", "swap", "look")
    announce(game, "king", 3)
    play(game, "take:0", "keep", "announce:witch", "claim")
    text = Schema(game.scenario).describe(game.observation(0))
    head, announced, own, left, across, right, centre, *events = text.splitlines()
    assert states(head, "turn 4", "challenge", "tribunal 1", "goal 13")
    assert states(announced, "announced", "witch")
    assert states(own, "own seat", "6 coins", "announces", "witch", "0 turns", "open")
    # Player 3 kept or swapped the mask of this seat, which may be the Fool since an exchange.
    assert "own belief: king 0.5 fool 0.5" in own
    assert "onlooker: king 0.5 fool 0.25 puppet_master 0.25" in own
    assert "6 coins" in left
    assert "claims" in left
    assert "own belief: judge 1" in left
    assert states(across, "5 coins", "decides", "king", "2 turns", "false", "asked")
    assert "8 coins" in right
    assert "own belief: king 0.5 fool 0.5" in right
    assert "centre" in centre
    assert "own belief: puppet_master 1" in centre
    story = "\n".join(events)
    assert lines_stating(story, "deal", "own seat", "puppet_master")
    assert lines_stating(story, "swap", "own seat", "centre 0")
    assert lines_stating(story, "claim", "seat +1", "witch")
    assert "barred" not in text
    other = Schema(game.scenario).describe(game.observation(2))
    assert not states(other, "swap")
    assert lines_stating(other, "own seat", "5 coins")


@pytest.mark.parametrize("track", [*TRACKS, "full"])
def test_describe_of_a_padded_view_says_the_same(track: Any) -> None:
    """There are no lines about padding."""
    game = table("puppet_master", "judge", "witch", "king", "fool", players=4)
    play(game, "take:4", "swap", "look")
    announce(game, "king", 3)
    told = []
    for padded in (False, True):
        schema = Schema(game.scenario, track, padded=padded)
        full = game.full_state(1, padded=padded)
        vector = full if track == "full" else game.observation(1, track, padded=padded)
        told.append(schema.describe(vector))
    assert told[0] == told[1]


# ---------------------------------------------------------------- what is refused


def test_a_track_that_is_unknown_is_refused() -> None:
    game, wrong = Game("6A", seed=1), "beliefs"
    for call in (
        lambda: game.observation(0, wrong),  # type: ignore[arg-type]
        lambda: Schema("6A", wrong),
        lambda: Batch("6A", 2, track=wrong),  # type: ignore[arg-type]
    ):
        with pytest.raises(
            MascaradeError, match=facts("track", "memory", "belief", "both", "'beliefs'")
        ):
            call()


def test_no_observation_holds_the_full_state() -> None:
    """No object that an agent receives gives access to it."""
    with pytest.raises(MascaradeError, match=facts("memory", "belief", "both", "'full'")):
        Game("6A", seed=1).observation(0, "full")  # type: ignore[arg-type]
    with pytest.raises(MascaradeError, match=facts("memory", "belief", "both", "'full'")):
        Batch("6A", 2, track="full")  # type: ignore[arg-type]


@pytest.mark.parametrize("player", [6, -1, True, 0.5, "onlooker"])
def test_a_player_who_is_not_there_is_refused(player: Any) -> None:
    game = Game("6A", seed=1)
    for call in (game.observation, game.full_state, game.information_state_tensor):
        with pytest.raises(MascaradeError, match="player"):
            call(player)


@pytest.mark.parametrize("player", [6, -2, 0.5, [0, 1, 2], "onlooker", [[0], [1]]])
def test_players_whom_a_batch_lacks_are_refused(player: Any) -> None:
    batch = Batch("6A", 2, seed=1)
    for call in (batch.observe, batch.full_state):
        with pytest.raises(MascaradeError, match="player"):
            call(player)


def test_a_batch_observes_a_player_for_each_row_and_nobody_as_zeros() -> None:
    batch = Batch("6A", 3, seed=1)
    for _ in range(20):
        batch.step(batch.random_actions())
    told = batch.observe([4, -1, 2])
    assert told[0].tobytes() == batch.observe(4)[0].tobytes()
    assert not told[1].any()
    assert told[2].tobytes() == batch.observe(2)[2].tobytes()
    assert not batch.observe(-1).any()


def test_vectors_of_another_length_are_refused() -> None:
    game = Game("6A", seed=1)
    schema = Schema("6A")
    for wrong in (game.observation(0, "memory"), game.observation(0, padded=True), [0.0], None):
        for call in (schema.views, schema.describe):
            with pytest.raises(MascaradeError, match=facts("Schema", schema.size)):
                call(wrong)  # type: ignore[arg-type]


def test_describe_takes_one_vector() -> None:
    batch = Batch("6A", 2, seed=1)
    assert batch.schema is not None
    assert "own seat" in batch.schema.describe(batch.observation[0])
    with pytest.raises(MascaradeError):
        batch.schema.describe(batch.observation)


def test_a_game_that_is_over_needs_a_player_for_a_view() -> None:
    game = Game("6A", seed=1)
    assert game.observation().tobytes() == game.observation(game.player).tobytes()
    game.play_randomly()
    for call in (game.observation, game.full_state):
        with pytest.raises(MascaradeError, match=facts("over", "player")):
            call()
    views = Schema("6A").views(game.observation(3))
    assert views["phase"].tolist() == [0, 0, 0, 0, 0, 1]


def test_a_batch_without_a_track_observes_nothing() -> None:
    batch = Batch("6A", 2, seed=1, track=None)
    assert batch.schema is None
    assert batch.observation.shape == (2, 0)
    with pytest.raises(MascaradeError, match=facts("batch", "observations", "track")):
        batch.observe(0)
    seeing = Batch("6A", 2, seed=1)
    for _ in range(100):
        batch.step(batch.random_actions())
        seeing.step(seeing.random_actions())
    assert batch.state.tobytes() == seeing.state.tobytes()


@pytest.mark.parametrize("track", [None, "memory"])
def test_a_batch_without_beliefs_says_so(track: Any) -> None:
    batch = Batch("6A", 2, seed=1, track=track)
    for call in (lambda: batch.belief(0), batch.full_state, lambda: batch.exact):
        with pytest.raises(MascaradeError, match=facts("beliefs", 'track="both"', '"belief"')):
            call()


def test_bank_and_tribunal_are_not_places_of_tokens() -> None:
    """Windows do not have payments, which are elsewhere in the observation."""
    game = Game("6A", seed=3)
    whim = Whim(random.Random(3))
    schema = Schema("6A", "memory")
    kinds: set[int] = set()
    while not game.over:
        window = schema.views(game.observation(0, "memory"))["window"]
        assert window.max() < BANK
        kinds |= set(window[:, 0].astype(int).tolist())
        game.play(whim.choose(game.legal_actions()))
    assert {1, 6, 9} <= kinds
    assert not kinds & {2, 5, 11, 18, 21, 22, 23}


def test_describe_refuses_numbers_that_are_not_an_observation() -> None:
    schema = Schema("6A")
    for number in (1.0, np.nan):
        with pytest.raises(MascaradeError, match=facts("numbers", "observation")):
            schema.describe(np.full(schema.size, number, np.float32))
    assert states(schema.describe(np.zeros(schema.size, np.float32)), "game", "over")


@pytest.mark.parametrize("name", scenarios())
def test_an_observation_converts_to_another_layout(name: str) -> None:
    game = Game(name, seed=3)
    game.play_randomly(50)
    schema = Schema(name)
    player = game.scenario.players - 1
    plain = np.append(game.observation(player), 0)
    for track in TRACKS:
        for padded in (False, True):
            wanted = game.observation(player, track, padded=padded)
            indices = Schema(name, track, padded=padded).indices_in(schema)
            assert (plain[indices] == wanted).all()
    assert (Schema(name).indices_in(schema) == np.arange(schema.size)).all()
    padded_schema = Schema(name, padded=True)
    back = np.append(game.observation(player, padded=True), 0)[schema.indices_in(padded_schema)]
    assert (back == plain[:-1]).all()
    assert -1 in Schema(name, "both").indices_in(Schema(name, "memory"))


def test_tallies_are_zero_after_each_deal() -> None:
    batch = Batch("4A", 4, seed=0, autoreset="disabled")
    for _ in range(40):
        batch.step(batch.random_actions())
    assert batch.schema is not None
    views = batch.schema.views(batch.observe(0))
    assert all(views[name].any() for name in ("proven_false", "claims_true", "claims_false"))
    batch.reset()
    games = [Game("4A", seed=int(seed)) for seed in batch.state["seed"]]
    for _ in range(40):
        for row, action in enumerate(taken := batch.random_actions().tolist()):
            if not games[row].over:
                games[row].play(action)
        batch.step(taken)
    for name in TALLIES:
        shown = batch.schema.views(batch.observe(0))[name]
        wanted = [batch.schema.views(game.observation(0))[name] for game in games]
        assert (shown == wanted).all()
