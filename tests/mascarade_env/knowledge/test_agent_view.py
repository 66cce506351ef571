"""Views for agents: correct, complete for their player, and without access to anything else."""

import copy
import gc
import pickle
import random
from typing import Any

import numpy as np
import pytest

from mascarade_env import AgentView, Game, IllegalActionError, MascaradeError, Scenario, scenarios
from mascarade_env._jit import SETTINGS
from mascarade_env.game import _rules as rules
from mascarade_env.game._events import LOG
from mascarade_env.game._replay import Replay
from mascarade_env.game._state import GAME
from tests.mascarade_env.game.decks import random_scenario
from tests.messages import facts
from tests.tiers import sampled

SLOWNESS = 8 if SETTINGS.DISABLE_JIT else 1
MOST = 150 // SLOWNESS
# Fields of a row that are hidden from players, or have no effect on the rest of the game.
UNKNOWN = ("seed", "rng", "mask_at", "deal", "decisions", "winners")


def tables() -> list[Scenario]:
    decks = [random_scenario(random.Random(seed)) for seed in range(16 // SLOWNESS)]
    return [*scenarios().values(), *decks]


@pytest.mark.parametrize("scenario", sampled(tables()), ids=lambda scenario: scenario.name)
def test_a_view_agrees_with_the_game_about_its_player(scenario: Scenario) -> None:
    chance = random.Random(scenario.name)
    game = Game(scenario, seed=chance.randrange(1000))
    views = [AgentView(scenario, player) for player in range(scenario.players)]
    padded = scenario.slots - scenario.players <= 2
    for number in range(MOST):
        for player, view in enumerate(views):
            game.tell(view)
            assert view.decides == game.player
            deciding = player == game.player
            assert view.legal_actions() == (game.legal_actions() if deciding else [])
            assert view.legal_ids() == (game.legal_ids() if deciding else [])
        if number % 7 == 0 or game.over:
            for view in views:
                compare(view, game, padded=padded)
        if game.over:
            break
        game.play(chance.choice(game.legal_ids()))
    assert number > 0


def compare(view: AgentView, game: Game, *, padded: bool) -> None:
    player = view.player
    assert view.observation().tobytes() == game.observation(player).tobytes()
    if padded:
        assert (
            view.observation("memory", padded=True).tobytes()
            == game.observation(player, "memory", padded=True).tobytes()
        )
    assert view.information_state() == game.information_state(player)
    assert (view.information_state_tensor() == game.information_state_tensor(player)).all()
    assert view.log() == game.log(player)
    assert (view.belief() == game.belief(player)).all()
    assert (view.onlooker_belief() == game.belief("onlooker")).all()
    assert view.exact == game.exact(player)
    mine, theirs = view.worlds(), game.worlds(player)
    assert (mine.placements == theirs.placements).all()
    assert (mine.weights == theirs.weights).all()
    assert view.seat == game.player_at.index(player)
    for name in (
        "phase", "over", "turn", "marker", "coins", "tribunal", "player_at", "announced", "claims",
        "barred", "under_table", "num_actions",
    ):  # fmt: skip
        assert getattr(view, name) == getattr(game, name), name
    if view.decides == player:
        assert (view.legal_mask() == game.legal_mask()).all()
        for action, word in zip(view.legal_ids(), view.legal_actions(), strict=True):
            assert view.action_word(action) == word
            assert view.action_id(word) == action
        assert word in str(view)


@pytest.mark.parametrize("scenario", tables(), ids=lambda scenario: scenario.name)
def test_a_row_from_a_view_continues_like_the_game(scenario: Scenario) -> None:
    chance = random.Random(f"{scenario.name} rows")
    game = Game(scenario, seed=chance.randrange(1000))
    logs = np.zeros(1, LOG)
    for _ in range(MOST // 2):
        if game.over:
            break
        row = game.view().row()
        assert (row["mask_at"] == -1).all()
        row["mask_at"] = game._rows["mask_at"]
        twin, phase = game.clone(), game.phase
        for _ in range(30):
            for name in GAME.names or ():
                if name not in UNKNOWN:
                    assert (row[name] == twin._rows[name]).all(), (phase, name)
            if twin.over:
                assert row["winners"][0] == twin._rows["winners"][0]
                break
            action = chance.choice(twin.legal_ids())
            twin.play(action)
            rules.apply(row[0], logs[0], action)
        game.play(chance.choice(game.legal_ids()))


@pytest.mark.parametrize("scenario", tables(), ids=lambda scenario: scenario.name)
def test_in_worlds_that_a_player_cannot_tell_apart_views_are_the_same_to_the_byte(
    scenario: Scenario,
) -> None:
    chance = random.Random(f"{scenario.name} leaks")
    game = Game(scenario, seed=chance.randrange(1000))
    differing = 0
    for _ in range(5):
        for _ in range(max(1, MOST // 10)):
            if not game.over:
                game.play(chance.choice(game.legal_ids()))
        for player in range(scenario.players):
            view = pickle.dumps(game.view(player))
            for other in game.sample_worlds(player, 2, chance.randrange(1000)):
                assert pickle.dumps(other.view(player)) == view
                differing += other.masks != game.masks
    assert differing > 0 or not scenario.strict


def reached(start: Any) -> list[Any]:
    """Return all objects that an object refers to, except modules, classes and code."""
    found: dict[int, Any] = {}
    todo = [start]
    while todo:
        thing = todo.pop()
        if id(thing) not in found and not isinstance(thing, type) and hasattr(thing, "__class__"):
            if type(thing).__name__ in ("module", "function", "builtin_function_or_method"):
                continue
            found[id(thing)] = thing
            todo += gc.get_referents(thing)
            if isinstance(thing, np.ndarray) and thing.base is not None:
                todo.append(thing.base)
    return list(found.values())


def test_a_view_refers_to_no_game() -> None:
    game = Game("6A", seed=1)
    game.play_randomly(40)
    view = game.view(2)
    view.observation(padded=True)
    things = reached(view)
    assert len(things) > 30
    for thing in things:
        assert not isinstance(thing, Game | Replay)
        assert not (isinstance(thing, np.ndarray) and thing.dtype == GAME)
    assert any(isinstance(thing, Replay) for thing in reached(game))


def test_events_for_others_are_refused() -> None:
    game = Game("4A", seed=1)
    view = game.view(0)
    before = pickle.dumps(view)
    game.play("take:1")
    game.play("swap")
    told = game._replay().events(-1)[len(view.events) :]
    assert ((told["seen_by"] & 2) == 0).any()
    with pytest.raises(MascaradeError, match="not for player 1"):
        game.view(1).hear(told)
    with pytest.raises(MascaradeError, match=r"AgentView\.events"):
        view.hear(np.zeros(3))
    assert pickle.dumps(view) == before
    with pytest.raises(ValueError, match="read-only"):
        view.events["value"] = 0
    with pytest.raises(ValueError, match="cannot set WRITEABLE"):
        view.events.flags.writeable = True


@pytest.mark.parametrize(("mine", "theirs"), [("6A", "8B"), ("4A", "12B")])
def test_a_view_of_another_scenario_is_refused(mine: str, theirs: str) -> None:
    view, game = AgentView(mine, 0), Game(theirs, seed=3)
    with pytest.raises(MascaradeError, match="another game"):
        game.tell(view)
    with pytest.raises(MascaradeError, match=f"^{mine}: event 0, DEAL.* expected .*DEAL"):
        view.hear(game._replay().events(1))
    assert not len(view.events)


def test_a_view_of_another_game_or_of_undone_decisions_is_refused() -> None:
    game = Game("6A", seed=3)
    view = game.view(0)
    with pytest.raises(MascaradeError, match="undone"):
        Game("6A", seed=4).tell(view)
    game.play("take:1")
    game.play("swap")
    game.tell(view)
    game.undo()
    game.play("keep")
    with pytest.raises(MascaradeError, match="undone"):
        game.tell(view)
    assert "player 0 has kept the masks of seat 0 and seat 1 as they were" in game.view(0).log()


def test_only_the_acting_player_has_legal_actions() -> None:
    game = Game("4A", seed=1)
    other = game.view(2)
    assert other.legal_ids() == []
    assert not other.legal_mask().any()
    with pytest.raises(IllegalActionError, match=facts("player 2", "player 0")):
        other.action_id("take:1")
    with pytest.raises(MascaradeError, match=r"0\.\.3"):
        game.view(4)
    with pytest.raises(MascaradeError, match=r"0\.\.3"):
        AgentView("4A", 4)


def test_a_view_does_not_change_with_the_game_and_can_be_copied() -> None:
    game = Game("8B", seed=5)
    game.play_randomly(30)
    view = game.view(3)
    twin, again = copy.copy(view), pickle.loads(pickle.dumps(view))
    view.schema.layout["ages"][:] = 0  # its own
    shown = view.observation().tobytes()
    game.play_randomly(20)
    assert view.observation().tobytes() == shown
    for each in (view, twin, again):
        game.tell(each)
        assert each.observation().tobytes() == game.observation(3).tobytes()


def test_a_view_receives_many_events_and_worlds_in_one_call() -> None:
    chance = random.Random(1)
    game = Game("12B", seed=1)
    while len(game.worlds(0).weights) <= 1000 // SLOWNESS:
        legal = game.legal_actions()
        restless = [word for word in legal if word.startswith(("take", "swap", "keep", "pass"))]
        game.play(chance.choice(restless or legal))
    assert game.view(0).observation().tobytes() == game.observation(0).tobytes()


def test_sampled_rows_follow_the_belief() -> None:
    game = Game("6A", seed=4)
    for word in ("take:1", "swap", "take:2", "keep", "take:3", "swap", "take:4", "swap"):
        game.play(word)
    view, count = game.view(5), 20_000
    rows = view.sample_rows(count, np.random.default_rng(1))
    kinds = game.scenario.kinds
    belief = view.belief()
    numbers = rows["kind"][0, : len(kinds)]
    shares = (rows["mask_at"][:, :6, None] == numbers).mean(axis=0)
    assert np.abs(shares - belief).max() < 4 * np.sqrt(0.25 / count)
    assert len(np.unique(rows["rng"], axis=0)) == count
    assert (view.sample_rows(count, np.random.default_rng(1)) == rows).all()


def test_a_view_of_a_game_that_is_over_gives_no_position() -> None:
    game = Game("4A", seed=1)
    game.play_randomly()
    with pytest.raises(MascaradeError, match="over"):
        game.view(0).row()
