"""No leaks: all that a player receives depends only on what this player saw (rules 8)."""

import copy
import hashlib
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from mascarade_env import MASKS, Batch, Game, MascaradeError, Scenario, scenarios
from mascarade_env._jit import SETTINGS
from mascarade_env.game import _events as events
from mascarade_env.game._actions import LEGAL, find_legal, padded_ids
from mascarade_env.game._events import LOG, ONLOOKER
from mascarade_env.game._scenarios import MAX_PLAYERS, MAX_SLOTS
from mascarade_env.game._state import new_rows
from mascarade_env.knowledge._follower import Follower, follow, lacks_room
from mascarade_env.knowledge._world_memory import Beliefs, need_before_return
from mascarade_env.observation._blocks import TRACKS
from mascarade_env.observation._encoder import observe_games
from mascarade_env.observation._schema import schema_of
from tests.mascarade_env.game.decks import Whim, random_scenario
from tests.mascarade_env.game.naive import Event, NaiveGame
from tests.mascarade_env.game.tables import PRINTED
from tests.messages import facts
from tests.tiers import sampled, slow_from

# Plain Python is about a hundred times slower than compiled code.
SLOWNESS = 20 if SETTINGS.DISABLE_JIT else 1
ROOT = Path(__file__).parents[3]

Choose = Callable[[list[str]], str]
Told = NDArray[Any]  # of EVENT


class Play:
    """A game in both implementations, and its history.

    Attributes:
        words: the decisions.
        steps: the events of the deal and of each decision.
        acts: in order, each return of masks from under the table as ("table", number of the
            decision, player, slot, slot, word), and each mask seen as in the naive log.
    """

    def __init__(self, scenario: Scenario, deal: list[str], seed: int) -> None:
        self.game = Game(scenario, deal=deal, seed=seed)
        self.naive = NaiveGame(scenario.to_dict(), deal)
        self.words: list[str] = []
        self.steps: list[Told] = [self._last_events()]
        self.acts: list[Event] = []

    def _last_events(self) -> Told:
        log = self.game._logs[0]
        told: Told = log["event"][: log["count"]].copy()
        return told

    def play(self, word: str) -> None:
        game, naive = self.game, self.naive
        known = len(naive.log())
        if naive.phase == "table":
            one, other = game._rows["table"][0].tolist()
            self.acts.append(("table", len(self.words), naive.player, one, other, word))
        naive.play(word)  # raises ValueError if it is illegal
        game.play(word)
        self.words.append(word)
        self.steps.append(self._last_events())
        self.acts += [event for event in naive.log()[known:] if event[0] == "saw"]

    def play_on(self, choose: Choose, most: int) -> None:
        while not self.game.over and len(self.words) < most:
            self.play(choose(self.game.legal_actions()))


def played(scenario: Scenario, seed: int, most: int = 60, choose: Choose | None = None) -> Play:
    """Return a game played by a whim, to its end or for a number of decisions."""
    chance = random.Random(seed)
    play = Play(scenario, Game(scenario, seed=seed).deal, seed)
    play.play_on(choose or Whim(chance).choose, chance.randint(most // 3, most))
    return play


def replayed(scenario: Scenario, deal: list[str], words: Iterable[str], seed: int) -> Play | None:
    """Return the same decisions in a new game, None if they are not legal there."""
    play = Play(scenario, deal, seed)
    try:
        for word in words:
            play.play(word)
    except ValueError:
        return None
    return play


def restless(chance: random.Random) -> Choose:
    """Play that mostly takes masks under the table, so that many worlds are possible."""

    def choose(legal: list[str]) -> str:
        takes = [word for word in legal if word.startswith("take:")]
        return chance.choice(takes if takes and chance.random() < 0.85 else legal)

    return choose


def sees(event: Event, viewer: int, players: int) -> bool:
    """Return whether a viewer sees the mask of a naive event; the onlooker is number `players`."""
    persons = event[1]
    assert isinstance(persons, tuple)
    return viewer in persons or (viewer == players and len(persons) == players)


def told_to(naive: NaiveGame, viewer: int) -> tuple[Event, ...]:
    """Return all that a viewer of a naive game has seen."""
    players = len(naive.player_at)
    told: list[Event] = []
    for event in naive.log():
        if event[0] == "choice" and event[1] == "table" and event[2] != viewer:
            told.append((*event[:3], "swapped or not"))
        elif event[0] != "saw" or sees(event, viewer, players):
            told.append(event)
    return tuple(told)


def other_courses(play: Play, viewer: int, chance: random.Random, most: int) -> list[list[str]]:
    """Return decisions that a viewer cannot tell from those of a game.

    They differ in the swaps and keeps of other players. Each leads to another placement of the
    masks; only the last one has the placement of the game itself.
    """
    players = play.game.scenario.players
    ways: list[tuple[list[str], dict[int, str]]] = [(play.game.deal, {})]
    for act in play.acts:
        if act[0] == "saw":
            if sees(act, viewer, players):
                slot: Any = act[2]
                ways = [way for way in ways if way[0][slot] == act[3]]
            continue
        _, number, person, one, other, word = act
        now: list[tuple[list[str], dict[int, str]]] = []
        for masks, taken in ways:
            for option in [word] if person == viewer else ["swap", "keep"]:
                moved = list(masks)
                if option == "swap":
                    i: Any = one
                    j: Any = other
                    moved[i], moved[j] = moved[j], moved[i]
                now.append((moved, {**taken, number: option}))  # type: ignore[dict-item]
        ways = chance.sample(now, 48) if len(now) > 48 else now
    found: dict[tuple[str, ...], list[str]] = {}
    chance.shuffle(ways)
    for masks, taken in ways:
        words = [taken.get(number, word) for number, word in enumerate(play.words)]
        if words != play.words:
            found.setdefault(tuple(masks), words)
    same = found.pop(tuple(play.game.masks), None)
    return [*list(found.values())[:most], *([] if same is None else [same])]


def layouts(scenario: Scenario) -> list[bool]:
    """Return values of `padded` to test: both, if the padded layout has room for the centre."""
    return [False, True] if centre(scenario) <= MAX_SLOTS - MAX_PLAYERS else [False]


def centre(scenario: Scenario) -> int:
    """Return the number of masks in the centre."""
    return scenario.slots - scenario.players


def given_to(game: Game, viewer: int) -> dict[str, object]:
    """Return all that a viewer may receive; the onlooker is number `players`."""
    players = game.scenario.players
    who: Any = viewer if viewer < players else "onlooker"
    worlds = game.worlds(who)
    given: dict[str, object] = {
        "belief": game.belief(who).tobytes(),
        "placements": worlds.placements.tobytes(),
        "weights": worlds.weights.tobytes(),
        "exact": worlds.exact,
        "log": game.log(who),
        "news": game.news(who),
        "player": game.player,
        "phase": game.phase,
        "legal": game.legal_actions(),
        "ids": game.legal_ids(),
        "mask": game.legal_mask().tobytes(),
    }
    if viewer < players:
        for track in TRACKS:
            for padded in layouts(game.scenario):
                vector = game.observation(viewer, track, padded=padded)
                given[f"{track}, padded={padded}"] = vector.tobytes()
        given["text"] = game.information_state(viewer)
        given["tensor"] = game.information_state_tensor(viewer, 600).tobytes()
    return given


def compare_other_worlds(play: Play, chance: random.Random) -> int:
    """Compare all that each viewer receives, between games that this viewer cannot tell apart.

    Returns:
        The number of these games in which the masks are elsewhere.
    """
    game, different = play.game, 0
    for viewer in range(game.scenario.players + 1):
        told, given = told_to(play.naive, viewer), given_to(game, viewer)
        for words in other_courses(play, viewer, chance, 3):
            other = replayed(game.scenario, game.deal, words, chance.randrange(2**63))
            if other is None or told_to(other.naive, viewer) != told:
                continue
            assert given_to(other.game, viewer) == given
            different += other.game.masks != game.masks
    return different


@pytest.mark.parametrize("name", sampled(scenarios()))
def test_other_worlds_look_the_same(name: str) -> None:
    chance = random.Random(name)
    count = max(1, 6 // SLOWNESS)
    found = sum(
        compare_other_worlds(played(scenarios()[name], seed), chance) for seed in range(count)
    )
    assert found >= (5 if name in PRINTED else 3) * count


def test_other_worlds_of_random_decks_look_the_same() -> None:
    masks, found = set(), 0
    chance = random.Random(1)
    for seed in range(40 // SLOWNESS):
        play = played(random_scenario(random.Random(seed)), seed)
        found += compare_other_worlds(play, chance)
        masks |= set(play.game.scenario.masks)
    assert len(masks) == len(MASKS)
    assert found >= 250 // SLOWNESS


def test_random_numbers_of_the_game_do_not_leak() -> None:
    for seed in range(20 // SLOWNESS):
        scenario = random_scenario(random.Random(seed))
        play = played(scenario, seed)
        other = Play(scenario, play.game.deal, seed + 1000)
        for word in play.words:
            other.game.clone().play_randomly(2)
            other.game.play_randomly(0, seed=seed)
            other.game._rows["rng"] += 1  # as if random numbers had been used
            other.play(word)
        for viewer in range(scenario.players + 1):
            assert given_to(other.game, viewer) == given_to(play.game, viewer)


# Computed from events only


class Watcher:
    """The project's follower, which receives events and nothing else.

    Args:
        scenario: the scenario of the game.
        padded: whether observations are padded.
        most: the largest number of worlds of a belief.
    """

    def __init__(self, scenario: Scenario, *, padded: bool = False, most: int = 1 << 17) -> None:
        self.scenario = scenario
        self.padded = padded
        masks = schema_of(scenario, "both", padded).masks
        self.follower = Follower(scenario, masks, 1, windows=True, worlds=most)
        self.logs = np.zeros(1, LOG)
        self.legals = np.zeros(1, LEGAL)
        self._guard()

    @property
    def beliefs(self) -> Beliefs:
        return self.follower.data.beliefs

    def _guard(self) -> None:
        """Add marked memory after the working memory, to find writes beyond its end."""
        self.room = len(self.beliefs.scratch)
        guarded = np.concatenate([self.beliefs.scratch, np.full(1024, -77)])
        beliefs = self.beliefs._replace(scratch=guarded)
        self.follower.data = self.follower.data._replace(beliefs=beliefs)

    @property
    def overran(self) -> bool:
        """Return whether a kernel has written beyond the end of the working memory."""
        return bool((self.beliefs.scratch[self.room :] != -77).any())

    def hear(self, told: Told) -> None:
        """Follow the events of a step, or some of them."""
        log = self.logs[0]
        need = int(need_before_return(self.beliefs.sets, 0))
        if lacks_room(self.follower.data, need):
            self.follower.grow(need)
            self._guard()
        log["count"] = len(told)
        log["event"][: len(told)] = told
        follow(self.follower.data, 0, log)

    def observation(self, player: int, track: str = "both") -> bytes:
        schema = schema_of(self.scenario, track, self.padded)
        line = np.full((1, schema.size), np.nan, np.float32)
        observe_games(self.follower.data, schema.layout, np.array([player]), line)
        return line.tobytes()

    def held(self, viewer: int) -> tuple[bytes, bytes, bool]:
        """Return a viewer's belief: its table, its worlds, and whether it is exact."""
        table = self.beliefs.probabilities[0, viewer].tobytes()
        return table, self.follower.held(viewer).tobytes(), self.follower.exact(viewer)

    def legal_ids(self) -> list[int]:
        find_legal(self.follower.facts, self.legals[0])
        ids: list[int] = self.legals["id"][0, : self.legals["count"][0]].tolist()
        return ids


def seen(told: Told, viewer: int, players: int) -> Told:
    """Return the events that a viewer sees."""
    seer = ONLOOKER if viewer == players else viewer
    mine: Told = told[(told["seen_by"] >> seer & 1) != 0]
    return mine


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("name", sampled(scenarios()))
def test_observations_depend_on_own_events_only(name: str, padded: bool) -> None:
    scenario = scenarios()[name]
    players = scenario.players
    for seed in range(max(1, 2 // SLOWNESS)):
        play = played(scenario, seed, 60 // min(SLOWNESS, 3))
        game = Game(scenario, deal=play.game.deal)
        watchers = [Watcher(scenario, padded=padded) for _ in range(players)]
        for number, told in enumerate(play.steps):
            if number:
                game.play(play.words[number - 1])
            for player, watcher in enumerate(watchers):
                watcher.hear(seen(told, player, players))
                for track in TRACKS if number % 5 == 0 else ("both",):
                    expected = game.observation(player, track, padded=padded)
                    assert watcher.observation(player, track) == expected.tobytes()
                    assert watcher.legal_ids() == game.legal_ids()


def test_observations_of_random_decks_depend_on_own_events_only() -> None:
    for seed in range(25 // SLOWNESS + 1):
        scenario = random_scenario(random.Random(seed))
        play = played(scenario, seed, 80)
        for padded in layouts(scenario):
            watchers = [Watcher(scenario, padded=padded) for _ in range(scenario.players)]
            for player, watcher in enumerate(watchers):
                for told in play.steps:
                    watcher.hear(seen(told, player, scenario.players))
                for track in TRACKS:
                    expected = play.game.observation(player, track, padded=padded)
                    assert watcher.observation(player, track) == expected.tobytes()


@pytest.mark.parametrize("name", sampled(scenarios()))
def test_the_onlookers_belief_depends_on_public_events_only(name: str) -> None:
    scenario = scenarios()[name]
    for seed in range(max(1, 3 // SLOWNESS)):
        play = played(scenario, seed, 40, restless(random.Random(seed)))
        alone, full = Watcher(scenario), Watcher(scenario)
        for told in play.steps:
            alone.hear(seen(told, scenario.players, scenario.players))
            full.hear(told)
            assert alone.held(scenario.players) == full.held(scenario.players)
        beliefs = play.game.belief("onlooker")
        table = np.frombuffer(alone.held(scenario.players)[0], np.float32)
        assert np.allclose(table.reshape(beliefs.shape), beliefs, atol=1e-6)


@pytest.mark.parametrize("most", [2, 8, 16, 64])
@pytest.mark.parametrize("name", ["5A", "8B", "12A", "12B"])
def test_thinned_beliefs_depend_on_own_events_only(name: str, most: int) -> None:
    scenario = scenarios()[name]
    viewers = scenario.players + 1
    thinned, mended = 0, 0
    for seed in range(max(1, 3 // SLOWNESS)):
        play = played(scenario, seed, 160 // min(SLOWNESS, 3), restless(random.Random(seed)))
        full = Watcher(scenario, most=most)
        watchers = [Watcher(scenario, most=most) for _ in range(viewers)]
        for told in play.steps:
            full.hear(told)
            for viewer, watcher in enumerate(watchers):
                watcher.hear(seen(told, viewer, scenario.players))
                assert watcher.held(viewer) == full.held(viewer)
                if viewer < scenario.players:
                    assert watcher.observation(viewer) == full.observation(viewer)
        thinned += int(full.beliefs.heap["thinned"][0])
        mended += sum(not full.held(viewer)[2] for viewer in range(viewers))
    assert thinned > 0
    assert mended > 0


@pytest.mark.parametrize("most", [2, 3, 8, 16, 24, 40, 64, 100])
def test_a_belief_keeps_to_the_most_worlds_allowed_and_to_its_room(most: int) -> None:
    scenario = scenarios()["12B"]
    play = played(scenario, 1, 240 // min(SLOWNESS, 3), restless(random.Random(1)))
    watcher = Watcher(scenario, most=most)
    largest = 0
    for told in play.steps:
        watcher.hear(told)
        largest = max(largest, int(watcher.beliefs.sets["count"].max()))
        assert not watcher.overran
    assert watcher.beliefs.heap["thinned"][0] > 0
    assert largest <= most


def test_a_new_deal_clears_the_last_game() -> None:
    for seed, name in enumerate(scenarios()):
        scenario = scenarios()[name]
        first = played(scenario, seed, 150 // min(SLOWNESS, 3), restless(random.Random(seed)))
        second = played(scenario, seed + 100, 40)
        used, fresh = Watcher(scenario, most=16), Watcher(scenario, most=16)
        for told in first.steps:
            used.hear(told)
        for told in second.steps:
            used.hear(told)
            fresh.hear(told)
            for player in range(scenario.players):
                for track in TRACKS:
                    assert used.observation(player, track) == fresh.observation(player, track)
            assert used.held(scenario.players) == fresh.held(scenario.players)
            assert used.legal_ids() == fresh.legal_ids()


# From every seat


def turned(told: Told, by: int, players: int) -> Told:
    """Return events moved by a number of seats to the left."""
    there = told.copy()
    for field in ("player", "a", "b"):  # events.BANK and events.TRIBUNAL are not seats
        seats = (told[field] >= 0) & (told[field] < players)
        there[field][seats] = (told[field][seats] + by) % players
    everyone = (1 << players) - 1
    low = told["seen_by"].astype(np.int64) & everyone
    low = (low << by | low >> (players - by)) & everyone
    there["seen_by"] = (told["seen_by"] & ~everyone) | low
    dealt = there["kind"] == events.DEAL
    there[dealt] = np.sort(there[dealt], order="a")
    return there


def compare_turned(play: Play, by: int, most: int, padded: bool) -> None:
    scenario = play.game.scenario
    players = scenario.players
    here, there = (Watcher(scenario, padded=padded, most=most) for _ in range(2))
    for told in play.steps:
        here.hear(told)
        there.hear(turned(told, by, players))
        assert here.legal_ids() == there.legal_ids()
        for player in range(players):
            for track in TRACKS:
                after = (player + by) % players
                assert here.observation(player, track) == there.observation(after, track)


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("name", sampled(scenarios()))
def test_no_seat_is_special(name: str, padded: bool) -> None:
    scenario = scenarios()[name]
    for seed in range(max(1, 2 // SLOWNESS)):
        by = random.Random(seed).randrange(1, scenario.players)
        compare_turned(played(scenario, seed, 60 // min(SLOWNESS, 3)), by, 1 << 17, padded)


def test_no_seat_is_special_in_random_decks() -> None:
    for seed in range(20 // SLOWNESS):
        scenario = random_scenario(random.Random(seed))
        by = random.Random(seed).randrange(1, scenario.players)
        compare_turned(played(scenario, seed), by, 1 << 17, layouts(scenario)[-1])


@pytest.mark.parametrize("name", ["6A", "7B", "8A", "8B", "9A", "10B", "12B"])
def test_no_seat_is_special_for_thinned_beliefs(name: str) -> None:
    scenario = scenarios()[name]
    for seed in range(max(1, 4 // SLOWNESS)):
        by = random.Random(seed).randrange(1, scenario.players)
        play = played(scenario, seed, 160 // min(SLOWNESS, 3), restless(random.Random(seed)))
        compare_turned(play, by, 16, False)


# Never computed from hidden masks


def spoilt(rows: NDArray[Any], scenario: Scenario) -> None:
    """Overwrite all fields of rows but the scenario, with valid values where they are read."""
    rows["mask_at"][:, : scenario.slots] = np.roll(rows["mask_at"][:, : scenario.slots], 1, axis=1)
    rows["deal"][:, : scenario.slots] = np.roll(rows["deal"][:, : scenario.slots], 2, axis=1)
    rows["rng"] ^= 0x1234567
    rows["seed"] += 1


def test_a_game_reads_no_hidden_mask_to_show_what_players_know() -> None:
    for seed, name in enumerate(scenarios()):
        scenario = scenarios()[name]
        game = played(scenario, seed).game
        before = [given_to(game, viewer) for viewer in range(scenario.players + 1)]
        truth = game.full_state(0)
        for padded in (False, True):
            spoilt(game._replay(padded)._course.rows, scenario)
        assert (game.full_state(0) != truth).any()
        spoilt(game._rows, scenario)
        assert [given_to(game, viewer) for viewer in range(scenario.players + 1)] == before


@pytest.mark.parametrize("most", [16, 4096])
@pytest.mark.parametrize("name", ["5B", "8A", "12B"])
def test_rows_that_differ_in_hidden_fields_show_the_same(name: str, most: int) -> None:
    chance = np.random.default_rng(most)
    batch = Batch(name, 6, seed=1, most_worlds=most)
    swap = batch.scenario.slots + len(batch.scenario.kinds)
    twin = copy.deepcopy(batch)
    spoilt(twin._games.rows, twin.scenario)
    for _ in range(60):
        actions = np.zeros(6, np.int64)
        for row in range(6):  # only takes, so that no player ever sees a mask
            legal = np.flatnonzero(batch.mask[row])
            takes = legal[
                (legal < batch.scenario.slots - 1) | (legal == swap) | (legal == swap + 1)
            ]
            actions[row] = chance.choice(takes)
        batch.step(actions)
        twin.step(actions)
        assert (batch.state["mask_at"] != twin.state["mask_at"]).any()
        assert (batch.player == twin.player).all()
        assert (batch.mask == twin.mask).all()
        assert batch.observation.tobytes() == twin.observation.tobytes()
        for player in range(batch.scenario.players):
            assert batch.observe(player).tobytes() == twin.observe(player).tobytes()


@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
@pytest.mark.parametrize("most", [16, 64, 4096])
@pytest.mark.parametrize("name", ["6B", "8B", "12A"])
def test_a_row_is_shown_nothing_of_other_rows(name: str, most: int, autoreset: Any) -> None:
    chance = np.random.default_rng(most)
    alone = Batch(name, 1, seed=[7], most_worlds=most, autoreset=autoreset)
    among = Batch(name, 5, seed=[3, 4, 7, 5, 6], most_worlds=most, autoreset=autoreset)
    ended = 0
    for _ in range(1200 // SLOWNESS):
        actions = among.random_actions()
        legal = np.flatnonzero(alone.mask[0])
        # Many takes in this row, so that its beliefs grow.
        actions[2] = legal[0] if chance.random() < 0.6 else chance.choice(legal)
        among.step(actions)
        alone.step(actions[2:3])
        ended += int(alone.terminated[0])
        assert among.mask[2].tobytes() == alone.mask[0].tobytes()
        assert among.observation[2].tobytes() == alone.observation[0].tobytes()
        for player in range(alone.scenario.players):
            assert among.observe(player)[2].tobytes() == alone.observe(player)[0].tobytes()
    assert ended or SETTINGS.DISABLE_JIT


# Padded


def test_the_padded_layout_has_a_place_for_every_slot_or_is_refused() -> None:
    refused = 0
    for seed in range(100):
        scenario = random_scenario(random.Random(seed))
        if True in layouts(scenario):
            assert centre(scenario) <= schema_of(scenario, "both", True).slots - MAX_PLAYERS
            ids = padded_ids(new_rows(scenario, 1)[0])
            assert len(set(ids)) == len(ids)
            continue
        refused += 1
        with pytest.raises(MascaradeError, match=facts("centre", 2, 3, "padded=False")):
            Game(scenario).observation(0, padded=True)
        for track in ("both", None):
            with pytest.raises(MascaradeError, match=facts("centre", 2, 3, "padded=False")):
                Batch(scenario, 1, track=track, padded=True)
    assert refused > 0


# In plain Python


def digest(name: str) -> str:
    """Return a digest of all that viewers receive in a game."""
    found = hashlib.sha256()
    scenario = scenarios()[name]
    play = played(scenario, 0, 30, restless(random.Random(0)))
    for viewer in range(scenario.players + 1):
        found.update(repr(sorted(given_to(play.game, viewer).items())).encode())
    watcher = Watcher(scenario, most=16, padded=True)
    for told in play.steps:
        watcher.hear(told)
        found.update(repr(watcher.legal_ids()).encode())
    for player in range(scenario.players):
        found.update(watcher.observation(player))
    return found.hexdigest()


@pytest.mark.skipif(bool(SETTINGS.DISABLE_JIT), reason="this already is plain Python")
@pytest.mark.parametrize("name", slow_from(1, ["4A", "6B", "8B", "9B", "12B"]))
def test_plain_python_shows_the_same(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"from {__name__} import digest; print(digest({name!r}))"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == digest(name)
