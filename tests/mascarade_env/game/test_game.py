"""Game: words and ids, undo, clones, pickles, logs, and errors."""

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest

from mascarade_env import (
    Batch,
    Game,
    IllegalActionError,
    MascaradeError,
    Scenario,
)
from mascarade_env.game import _actions as actions
from mascarade_env.game import _game_kernels as kernels
from mascarade_env.game import _rng as rng
from mascarade_env.game._actions import LEGAL
from mascarade_env.game._events import LOG
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._state import GAME
from tests.mascarade_env.game.decks import random_scenario
from tests.mascarade_env.game.tables import announce, play, table
from tests.messages import facts, lines_stating, states


def everything(game: Game) -> dict[str, Any]:
    """Return all public information of a game."""
    return {
        "record": game.to_record(trace=True),
        "text": str(game),
        "log": game.log(),
        "news": game.news(),
        "legal": game.legal_ids(),
        "random numbers": game._rows["rng"].tolist(),
        "mask": game.legal_mask().tolist(),
    }


def some_games() -> list[Game]:
    """Yield games of many scenarios, at many moments."""
    chance = random.Random(5)
    games = [Game(random_scenario(chance), seed=seed) for seed in range(40)]
    for game in games:
        game.play_randomly(chance.randrange(60))
    return games


def test_words_and_ids_name_the_same_actions() -> None:
    for game in some_games():
        words, ids = game.legal_actions(), game.legal_ids()
        assert ids == sorted(set(ids))
        assert [game.action_id(word) for word in words] == ids
        assert [game.action_word(action) for action in ids] == words
        assert np.flatnonzero(game.legal_mask()).tolist() == ids
        if game.over:
            assert words == []
            continue
        for action in range(game.num_actions):
            assert game.action_id(game.action_word(action)) == action
        twin = game.clone()
        game.play(words[-1])
        twin.play(np.int64(ids[-1]))  # type: ignore[arg-type]
        assert everything(game) == everything(twin)


def test_the_layout_of_ids() -> None:
    game = play(Game("6A", seed=0), "take:1", "keep")  # seat 1 decides; masks as in MASKS
    words = [game.action_word(action) for action in range(game.num_actions)]
    masks = ["judge", "empress", "king", "trickster", "cheat", "witch"]
    assert words == [
        *(f"take:{slot}" for slot in (2, 3, 4, 5, 0)),
        "look",
        *(f"announce:{mask}" for mask in masks),
        *("swap", "keep", "claim", "pass"),
        *(f"target:{seat}" for seat in (2, 3, 4, 5, 0)),
        "decline",
        *(f"declare:{mask}" for mask in masks),
    ]


def test_ids_of_the_centre_come_after_those_of_the_seats() -> None:
    game = play(Game("4A", seed=0), "take:5", "keep")
    assert [game.action_word(action) for action in range(5)] == [
        "take:2", "take:3", "take:0", "take:4", "take:5",
    ]  # fmt: skip


def test_the_slots_under_the_table_are_public_until_masks_come_back() -> None:
    game = table("king", "spy", "fool", "judge", "witch", players=4)
    found: list[tuple[int, int] | None] = []
    for words in (
        "take:4",
        "announce:spy pass*3 target:3",
        "announce:fool pass*3 target:3 target:0",
    ):
        assert game.under_table is None
        assert game.view().under_table is None
        play(game, *words.split())
        assert {game.view(viewer).under_table for viewer in range(4)} == {game.under_table}
        found.append(game.under_table)
        game.play("swap")
    assert found == [(0, 4), (1, 3), (3, 0)]
    assert game.under_table is None


def test_ids_count_from_the_seat_not_from_the_player() -> None:
    """A game rotated by one seat has the same legal ids."""
    masks = ("king", "thief", "judge", "witch", "spy")
    turned = masks[-1:] + masks[:-1]
    here, there = table(*masks), table(*turned)
    there._rows["marker"][0] = there._rows["actor"][0] = 1
    chance = random.Random(1)
    while not here.over:
        assert here.legal_ids() == there.legal_ids()
        assert here.coins == there.coins[1:] + there.coins[:1]
        action = chance.choice(here.legal_ids())
        here.play(action)
        there.play(action)
    assert there.over


def test_every_seed_is_one_game() -> None:
    one, other = Game("8B", seed=3), Game("8B", seed=3)
    one.play_randomly()
    np.random.seed(1)  # global random numbers do not matter to a game
    random.seed(1)
    other.play_randomly(10)
    np.random.random(7)
    other.play_randomly()
    assert everything(one) == everything(other)
    third = Game("8B", seed=4)
    third.play_randomly()
    assert everything(third)["record"] != everything(one)["record"]


def test_a_seed_means_the_same_for_ever() -> None:
    """If this changes, every published seed gives another game: raise the minor version."""
    game = Game("6A", seed=7)
    assert game.deal == ["witch", "cheat", "king", "trickster", "empress", "judge"]
    game.play_randomly(6)
    assert [word for _, word in game.history] == [
        "take:3", "keep", "take:3", "keep", "take:5", "keep",
    ]  # fmt: skip


def test_deals_are_uniform() -> None:
    """Each slot gets each mask equally often: chi-square with (k-1)(m-1) degrees of freedom."""
    games = 6000
    counts = np.zeros((6, 6))
    for seed in range(games):
        deal = Game("4A", seed=seed)._rows["deal"][0, :6]
        counts[range(6), np.unique(deal, return_inverse=True)[1]] += 1
    expected = games / 6
    statistic = float(((counts - expected) ** 2 / expected).sum())
    assert statistic < 52.6  # the 99.9th percentile for 25 degrees of freedom


def test_undo_takes_back_any_number_of_decisions() -> None:
    for name, seed in (("4A", 0), ("8B", 2)):
        game = Game(name, seed=seed)
        past = [everything(game)]
        while not game.over:
            game.play_randomly(1)
            past.append(everything(game))
        for before in reversed(past[:-1]):
            game.undo()
            assert everything(game) == before
        game.play_randomly()
        assert everything(game)["record"] == past[-1]["record"]
        game.undo(len(game.history))
        assert everything(game) == past[0]


def test_undo_restores_the_random_numbers() -> None:
    game = Game("8A", seed=5)
    game.play(game.legal_ids()[1])
    game.play_randomly(20)
    game.play_randomly(3, seed=1)
    game.play_randomly(9)
    before = everything(game)
    game.play_randomly(6)
    game.undo(6)
    assert everything(game) == before
    game.undo(12)
    game.play_randomly(3, seed=1)
    game.play_randomly(9)
    assert everything(game) == before


def test_random_play_by_another_seed_leaves_the_games_own_alone() -> None:
    """A search plays one position to the end many times, at random."""
    game = Game("6A", seed=5)
    game.play_randomly(30)
    ends = set()
    for seed in range(20):
        twin, again = game.clone(), game.clone()
        twin.play_randomly(seed=seed)
        again.play_randomly(seed=seed)
        assert everything(twin) == everything(again)
        assert twin._rows["rng"].tolist() == game._rows["rng"].tolist()
        assert twin.over
        ends.add(str(twin))
    assert len(ends) > 15
    game.play_randomly()
    alone = Game("6A", seed=5)
    alone.play_randomly()
    assert game.history == alone.history


def test_random_play_by_the_seed_of_the_deal_does_not_follow_the_deal() -> None:
    """Chi-square of the last mask dealt against the first of five takes: 29 degrees of freedom."""
    counts = np.zeros((6, 5))
    for seed in range(3000):
        game = Game("6A", seed=seed)
        mask = sorted(game.scenario.masks).index(game.deal[-1])
        game.play_randomly(1, seed=seed)
        counts[mask, game._taken[0]] += 1
    expected = 3000 / 30
    assert float(((counts - expected) ** 2 / expected).sum()) < 58.3  # 99.9th percentile


def test_a_game_and_a_row_of_a_batch_are_alike_in_random_play_too() -> None:
    batch = Batch("9B", 3, seed=[40, 41, 42], autoreset="disabled")
    while (batch.player >= 0).any():
        batch.step(batch.random_actions())
    for row in range(3):
        game = Game("9B", seed=40 + row)
        game.play_randomly()
        assert game._rows[0].tobytes() == batch.state[row].tobytes()


@pytest.mark.parametrize("steps", [3, -1, 1.5, True])
def test_undo_of_more_decisions_than_taken_is_refused(steps: Any) -> None:
    game = play(Game("6A", seed=1), "take:2", "swap")
    before = everything(game)
    with pytest.raises(MascaradeError):
        game.undo(steps)
    assert everything(game) == before


@pytest.mark.parametrize(
    "copied",
    [Game.clone, copy.copy, copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))],
    ids=["clone", "copy", "deepcopy", "pickle"],
)
def test_a_copy_is_independent(copied: Any) -> None:
    for game in some_games():
        game.names = [f"p{player}" for player in range(game.scenario.players)]
        before = everything(game)
        twin = copied(game)
        assert everything(twin) == before
        twin.meta["note"] = "mine"
        twin.names[0] = "other"
        twin.play_randomly()
        assert everything(game) == before
        game.play_randomly()
        assert game.history == twin.history


def test_a_pickle_of_another_layout_is_refused() -> None:
    saved = Game("6A", seed=1).__getstate__()
    with pytest.raises(MascaradeError, match=facts("pickled", "version", "Game.to_record")):
        Game.__new__(Game).__setstate__({**saved, "layout": "older"})


@pytest.mark.parametrize(
    ("action", "why"),
    [
        ("look", ("'look'", "'turn'", "player 0", "seat 0", "take:1")),
        ("announce:king", ("'announce:king'", "'turn'", "take:1")),
        ("claim", ("'claim'", "'turn'", "take:1")),
        ("announce:guru", ("guru", "play")),
        ("announce:kong", ("mask", "'kong'", "'king'")),
        ("take:0", ("'take:0'", "seat")),
        ("take:6", ("'take:6'", "slot", 0, 5)),
        ("take:01", ("'take:01'", "slot", 0, 5)),
        ("take:²", ("'take:²'", "slot", 0, 5)),
        ("take:" + "9" * 5000, ("slot", 0, 5)),
        ("target:six", ("'target:six'", "seat", 0, 5)),
        ("lok", ("action", "'lok'", "'look'")),
        ("", ("action", "''")),
        (5, ("'look'", "'turn'", "take:1")),
        (28, ("action id", 28, 0, 27)),
        (-1, ("action id", -1, 0, 27)),
        (10**30, ("action id", 10**30, 0, 27)),
        (1.0, ("action id", "whole number", "1.0")),
        (True, ("action id", "whole number", True)),
        (None, ("action id", "whole number", None)),
    ],
)
def test_an_illegal_action_gives_the_reason_and_changes_nothing(
    action: Any, why: tuple[object, ...]
) -> None:
    game = Game("6A", seed=7)
    before = everything(game)
    with pytest.raises(MascaradeError) as caught:
        game.play(action)
    assert states(str(caught.value), *why)
    assert everything(game) == before


@pytest.mark.parametrize("wrong", [1.5, True, None, "x", [0]])
def test_ids_and_words_are_not_confused(wrong: Any) -> None:
    game = Game("6A", seed=7)
    with pytest.raises(MascaradeError):
        game.action_word(wrong)
    with pytest.raises(MascaradeError):
        game.action_id(wrong)
    for method in (game.undo, game.play_randomly):
        if wrong is not None:
            with pytest.raises(MascaradeError, match=facts("whole number", repr(wrong))):
                method(wrong)


def test_an_interrupt_leaves_a_game_consistent(monkeypatch: pytest.MonkeyPatch) -> None:
    """After an interrupt, all public information shows the whole decision or none of it."""

    def interrupted(name: str, after: bool) -> Any:
        kernel = getattr(kernels, name)

        def run(*arrays: Any) -> Any:
            if after:
                kernel(*arrays)
            raise KeyboardInterrupt

        return run

    for name in ("play", "play_again", "draw"):
        for after in (False, True):
            game = Game("8A", seed=3)
            game.play_randomly(31)
            before = everything(game)
            action = game.legal_ids()[0]
            done = game.clone()
            done.play(action)
            with monkeypatch.context() as patch:
                patch.setattr(kernels, name, interrupted(name, after))
                acts = {
                    "play": lambda game: game.play(action),  # noqa: B023  called at once
                    "play_again": lambda game: game.undo(5),
                    "draw": lambda game: game.play_randomly(5),
                }
                with pytest.raises(KeyboardInterrupt):
                    acts[name](game)
            expected = everything(done) if (name, after) == ("play", True) else before
            assert everything(game) == expected
            game.play_randomly()
            assert Game.from_record(game.to_record(trace=True)).history == game.history


def test_every_illegal_id_is_refused_in_every_phase() -> None:
    for game in some_games():
        before = everything(game)
        for action in set(range(game.num_actions)) - set(game.legal_ids()):
            with pytest.raises(IllegalActionError):
                game.play(action)
        assert everything(game) == before


@pytest.mark.parametrize("action", ["look", 0, 99])
def test_nothing_can_be_played_after_the_end(action: str | int) -> None:
    game = Game("6A", seed=7)
    game.play_randomly()
    with pytest.raises(IllegalActionError, match=facts(repr(str(action)), "over")):
        game.play(action)
    assert game.play_randomly() == 0
    assert game.player is None
    assert game.seat is None


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "7", True, np.float64(3)])
def test_seeds_are_whole_numbers(seed: Any) -> None:
    with pytest.raises(MascaradeError, match=facts("seed", repr(seed))):
        Game("6A", seed=seed)


@pytest.mark.parametrize("seed", [0, 2**63 - 1, np.int32(5), np.uint64(2**63 - 1)])
def test_all_sorts_of_whole_numbers_are_seeds(seed: Any) -> None:
    assert Game("6A", seed=seed).meta == {"seed": int(seed)}


def test_without_a_seed_games_differ() -> None:
    assert Game("12A").meta["seed"] != Game("12A").meta["seed"]


@pytest.mark.parametrize(
    "deal",
    [
        ["judge"],
        ["judge"] * 6,
        "judge",
        ["judge", "trickster", "empress", "king", "witch", "guru"],
        [0, 1, 2, 3, 4, 5],
    ],
)
def test_a_deal_must_be_one_of_the_scenario(deal: Any) -> None:
    with pytest.raises(MascaradeError):
        Game("6A", deal=deal)


def test_a_deal_can_be_given() -> None:
    masks = list(reversed(Game("6A").scenario.masks))
    assert Game("6A", deal=masks).masks == masks


@pytest.mark.parametrize("names", [["a"], "abcdef", [1, 2, 3, 4, 5, 6]])
def test_names_are_one_word_a_player(names: Any) -> None:
    with pytest.raises(MascaradeError, match=facts("names", 6, repr(names))):
        Game("6A", names=names)


@pytest.mark.parametrize("viewer", [6, -1, "referee", True, None, 1.0, np.True_])
def test_only_viewers_of_the_game_get_a_log(viewer: Any) -> None:
    with pytest.raises(
        MascaradeError, match=facts("viewer", 0, 5, "onlooker", "all", repr(viewer))
    ):
        Game("6A", seed=1).log(viewer)


def test_the_log_is_all_news_in_order() -> None:
    for viewer in ("all", "onlooker", 0, 1):
        game = Game("6B", seed=11)
        told = game.news(viewer)
        while not game.over:
            game.play_randomly(1)
            told += game.news(viewer)
        assert game.log(viewer) == told
        game.undo(3)
        assert game.log(viewer) == told[: len(game.log(viewer))]


def test_the_table_at_a_glance() -> None:
    game = table("king", "thief", "judge", "witch", players=3, coins=[5, 6, 7], tribunal=2)
    head, *rows = str(game).splitlines()
    assert states(head, "table", "turn 0", "player 0")
    assert rows == [
        "> seat  0   player  0     5 coins   King          turn",
        "  seat  1   player  1     6 coins   Thief",
        "  seat  2   player  2     7 coins   Judge",
        "  centre  3                        Witch",
        "  tribunal                2 coins",
        "  legal: take:1 take:2 take:3 look "
        "announce:judge announce:king announce:thief announce:witch",
    ]
    play(game, "announce:king", "claim")
    assert states(str(game).splitlines()[1], "King", "turn", "announced king")
    assert states(str(game).splitlines()[2], "Thief", "claims")
    assert states(repr(game), "Game table", "turn 0", "player 2", "challenge")
    assert game.claims == [1]
    play(game, "pass")
    assert lines_stating(str(game), "seat 0", "player 0", "7 coins", "King", "barred")


def test_the_end_at_a_glance() -> None:
    game = announce(table("king", "thief", "judge", coins=[12, 6, 7]), "king")
    assert states(str(game).splitlines()[0], "turn 0", "won", "player 0")
    assert "legal" not in str(game)
    void = table("king", "thief", turn_limit=1)
    assert states(str(play(void, "look")).splitlines()[0], "turn 1", "void", "limit")


def test_the_scenario_is_known_by_name_file_mapping_or_object(tmp_path: Any) -> None:
    scenario = Scenario("mine", 2, ("king", "judge"), strict=False)
    file = tmp_path / "mine.json"
    file.write_text('{"players": 2, "masks": ["king", "judge"], "strict": false}')
    for named in (scenario, str(file), scenario.to_dict()):
        assert Game(named, seed=1).scenario == scenario
    assert Game("6a", seed=1).scenario.name == "6A"


def test_room_for_legal_actions_is_enough() -> None:
    """The largest scenario has the most legal actions in a position, and the most ids."""
    masks = tuple(mask for mask in MASK_IDS if mask not in ("peasant", "thief"))
    game = Game(Scenario("large", 12, masks, strict=False, opening_turns=0), seed=0)
    assert len(game.legal_ids()) == 13 + 1 + 14 <= actions.MAX_LEGAL
    assert game.num_actions == 14 + 28 + 12 + 4 <= actions.MAX_ACTIONS


def test_rows_have_no_bytes_without_a_name() -> None:
    """Padding bytes would put uninitialized memory into pickles and comparisons of rows."""
    for dtype in (GAME, LEGAL, LOG, LOG["event"].base):
        assert sum(dtype[name].itemsize for name in dtype.names or ()) == dtype.itemsize


def test_the_arrays_of_a_game_are_aligned() -> None:
    """Unaligned arrays are another type for Numba, and slower."""
    game = Game("6A", seed=1)
    for arrays in (game._rows, game._logs, game._legals):
        assert arrays.flags.aligned


def test_random_numbers_below_a_bound_are_uniform() -> None:
    row = Game("6A", seed=5)._rows[0]
    counts = np.bincount([rng.below(row, 7) for _ in range(70_000)], minlength=7)
    assert counts.shape == (7,)
    assert float(((counts - 10_000) ** 2 / 10_000).sum()) < 22.5  # 99.9th percentile, 6 degrees
