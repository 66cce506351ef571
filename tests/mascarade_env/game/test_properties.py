"""Properties of every game, with any masks and players."""

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mascarade_env import Game
from mascarade_env.game import _events as events
from mascarade_env.game._events import BANK, EVERYONE, PAY, PLAYERS, TRIBUNAL
from mascarade_env.game._masks import MASK_IDS
from mascarade_env.game._positions import NOBODY
from tests.mascarade_env.game.decks import Whim, random_scenario
from tests.mascarade_env.game.tables import play, table
from tests.tiers import fuzzed

seeds = st.integers(0, 2**32)


def random_game(seed: int) -> tuple[Game, Whim]:
    """Return a game of a random scenario at its start, and a random player for it."""
    chance = random.Random(seed)
    return Game(random_scenario(chance), seed=seed), Whim(chance)


def last_events(game: Game) -> list[Any]:
    log = game._logs[0]
    return list(log["event"][: log["count"]])


@settings(max_examples=fuzzed(100), deadline=None)
@given(seeds)
def test_what_holds_at_every_step(seed: int) -> None:
    game, whim = random_game(seed)
    scenario = game.scenario
    while not game.over:
        coins, tribunal, masks, people = game.coins, game.tribunal, game.masks, game.player_at
        turn, marker = game.turn, game.marker
        game.play(whim.choose(game.legal_actions()))
        told = last_events(game)
        payments = [e for e in told if e["kind"] == PAY]
        # The events account for all coins, and only the bank is unlimited.
        from_bank = sum(int(e["value"]) for e in payments if e["a"] == BANK)
        assert sum(game.coins) + game.tribunal == sum(coins) + tribunal + from_bank
        fines = sum(int(e["value"]) for e in payments if e["b"] == TRIBUNAL)
        judged = sum(int(e["value"]) for e in payments if e["a"] == TRIBUNAL)
        assert game.tribunal == tribunal + fines - judged
        assert min(game.coins) >= 0
        assert all(e["value"] > 0 for e in payments)
        # Masks and players only change places, two at a time.
        assert sorted(game.masks) == sorted(scenario.masks)
        assert sum(a != b for a, b in zip(masks, game.masks, strict=True)) in (0, 2)
        assert sorted(game.player_at) == list(range(scenario.players))
        assert sum(a != b for a, b in zip(people, game.player_at, strict=True)) in (0, 2)
        assert [game._rows["seat_of"][0, p] for p in game.player_at] == list(
            range(scenario.players)
        )
        # The marker moves by one seat each turn.
        assert game.turn in (turn, turn + 1)
        if not game.over:
            assert game.marker == (marker + game.turn - turn) % scenario.players
            assert all(0 < fortune < scenario.goal_coins for fortune in game.coins)
            assert game.legal_ids()
            assert game.returns() == [0.0] * scenario.players
    returns = game.returns()
    assert abs(sum(returns)) < 1e-9
    winners = game.winners
    assert winners is not None
    if game.truncated:
        assert (winners, game.turn) == ([], scenario.turn_limit)
    else:
        assert winners
        best = max(returns)
        assert [p for p, value in enumerate(returns) if value == best] == winners
        if len(winners) == 1:
            assert best == 1.0


@settings(max_examples=fuzzed(20), deadline=None)
@given(seeds, st.integers(1, 12))
def test_a_saved_game_continues_in_the_same_way(seed: int, every: int) -> None:
    game, whim = random_game(seed)
    other = game.clone()
    while not game.over:
        action = whim.choose(game.legal_actions())
        game.play(action)
        random.seed(0)  # global random numbers do not matter
        if len(game._taken) % every == 0:
            other = Game.from_record(other.to_record())
        other.play(action)
    assert other.to_record(trace=True)["steps"] == game.to_record(trace=True)["steps"]
    assert str(other) == str(game)


@settings(max_examples=fuzzed(40), deadline=None)
@given(seeds)
def test_players_see_the_consequences_of_their_decisions(seed: int) -> None:
    """The acting player sees all consequences, except for the mask shown for the Princess."""
    game, whim = random_game(seed)
    while not game.over:
        player = game.player
        assert player is not None
        game.play(whim.choose(game.legal_actions()))
        for event in last_events(game):
            seen_by = int(event["seen_by"])
            assert 0 < seen_by <= EVERYONE
            if event["kind"] == events.SHOW:
                assert seen_by == PLAYERS & ~(1 << int(event["player"]))
            elif event["kind"] in (events.SEE, events.SWAP, events.KEEP):
                assert seen_by == 1 << player
            else:
                assert seen_by == EVERYONE
            assert (event["player"] == NOBODY) == (event["kind"] == PAY)


def test_the_log_has_room_for_the_longest_step() -> None:
    """Compiled code does not check bounds. Here 12 reveal, the Beggar has 11 givers, all pay."""
    others = [mask for mask in MASK_IDS if mask not in ("beggar", "peasant")][:11]
    game = table(
        "beggar", *others, coins=[1] + [90] * 11, goal_coins=1000, turn_limit=1,
        at_limit="richest",
    )  # fmt: skip
    play(game, "announce:beggar", "claim*11")
    told = last_events(game)
    assert [event["kind"] for event in told[:2]] == [events.CLAIM, events.REVEAL]
    assert len(game.winners or []) == 11
    assert len(told) == 1 + 12 + 1 + 11 + 11 + 1 + 11
    assert len(told) + 2 <= events.LOG_SIZE  # a turn that begins, a twelfth winner
