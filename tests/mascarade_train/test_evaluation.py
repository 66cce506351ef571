"""Win shares and watched games of policies whose results are known."""

import zlib

import numpy as np
import pytest
from numpy.typing import NDArray

from mascarade_agents._registry import make_agent
from mascarade_env import Game, MascaradeError, Scenario, scenarios
from mascarade_train._evaluation import POLICY, WinShare, watched, win_share
from tests.messages import facts, states

# The King of player 0 wins at once, if nobody interferes: seat 0 and no other.
FIRST = Scenario(
    "first",
    3,
    ("king", "judge", "thief"),
    start_coins=11,
    opening_turns=0,
    fixed_deal=True,
    strict=False,
)


class Uniform:
    """Decides at random, by numbers of its own."""

    def __init__(self, seed: int) -> None:
        self._chance = np.random.default_rng(seed)

    def __call__(
        self, observation: NDArray[np.float32], mask: NDArray[np.int8]
    ) -> NDArray[np.int64]:
        found: NDArray[np.int64] = (self._chance.random(mask.shape) * mask).argmax(axis=1)
        return found


def announces_king_and_passes(
    observation: NDArray[np.float32], mask: NDArray[np.int8]
) -> NDArray[np.int64]:
    # Ids of three players, three slots, three kinds: 3 is announce:judge, 4 announce:king, 9 pass.
    return np.where(mask[:, 9] == 1, 9, 4)


def test_who_wins_from_one_seat_has_that_seats_share() -> None:
    found = win_share(
        announces_king_and_passes, FIRST, opponents=announces_king_and_passes, games=300
    )
    assert found.mean == pytest.approx(1 / 3)
    # As if there were two more games won, and two lost: 102 of 304.
    deviation = np.sqrt(102 * 202 / 304 / 303)
    assert found.margin == pytest.approx(1.96 * deviation / np.sqrt(300), rel=1e-5)
    assert found.low == found.mean - found.margin
    assert (found.games, found.fair, found.broken_off) == (300, 1 / 3, 0)
    assert str(found) == "33.3% ± 5.4%"


def test_who_never_wins_has_nothing() -> None:
    """And not a little less, by rounding; but nobody can be sure of it after a few games."""
    strong = make_agent("stopper", "4A").policy(2)
    found = win_share(Uniform(1), "4A", opponents=strong, games=6)
    assert found.mean == 0
    # The exact interval for no win in six games goes up to 46%.
    assert str(found) == "0.0% ± 33.7%"


@pytest.mark.parametrize("name", ["4A", "8A"])
def test_equal_players_get_equal_shares(name: str) -> None:
    among_random = win_share(Uniform(1), name, games=2000, track="belief")
    among_own = win_share(Uniform(1), name, opponents=Uniform(2), games=2000, track="belief")
    for found in (among_random, among_own):
        assert abs(found.mean - found.fair) < 2 * found.margin  # four deviations


class Hashing:
    """Decides by a checksum of what it sees: as if at random, but the same wherever it is asked."""

    def __init__(self, salt: int) -> None:
        self._salt = salt

    def __call__(
        self, observation: NDArray[np.float32], mask: NDArray[np.int8]
    ) -> NDArray[np.int64]:
        return np.array([self.one(*both) for both in zip(observation, mask, strict=True)])

    def one(self, observation: NDArray[np.float32], mask: NDArray[np.int8]) -> int:
        legal = np.flatnonzero(mask)
        return int(legal[zlib.crc32(observation.tobytes(), self._salt) % len(legal)])


def test_every_game_counts_however_long_it_is() -> None:
    """Against the same games, played one by one."""
    slow = Scenario("slow", 4, scenarios()["4A"].masks, opening_turns=20, strict=False)
    player, others, shares = Hashing(1), Hashing(2), []
    late = 0
    for i in range(24):
        game = Game(slow, seed=100 + i)
        while not game.over:
            who = game.player
            mask = np.zeros(26, np.int8)
            mask[game.legal_ids()] = 1
            policy = player if who == i % 4 else others
            game.play(policy.one(game.observation(who), mask))
        assert game.winners
        won = i % 4 in game.winners
        shares.append(won / len(game.winners))
        late += won and game.turn > 25
    assert late >= 3
    found = win_share(player, slow, opponents=others, games=24, seed=100)
    assert found.mean == pytest.approx(np.mean(shares))


def test_void_games_are_shared() -> None:
    void = Scenario("void", 4, scenarios()["4A"].masks, turn_limit=4)
    found = win_share(Uniform(0), void, games=10)
    assert found == WinShare(0.25, found.margin, 10, 0.25, 0)


def test_games_without_end_are_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mascarade_train._evaluation.MOST_DECISIONS", 3)
    found = win_share(Uniform(0), "4A", games=50)
    assert found.broken_off > 25
    assert states(str(found), f"{found.broken_off} games")
    cut = watched(Uniform(0), "4A", games=5, track="belief")
    assert cut.broken_off == 5
    assert cut.share("claim_rate") is not None


def test_an_illegal_action_is_an_error() -> None:
    with pytest.raises(MascaradeError, match=facts("policy", "illegal action")):
        win_share(lambda observation, mask: mask.argmin(axis=1), "4A", games=4)


def test_watched_games_are_whole() -> None:
    found = watched(announces_king_and_passes, FIRST, games=7)
    # Player 0 announces, 1 and 2 pass, player 0 wins.
    assert found.broken_off == 0
    assert (found.share("announce_rate"), found.share("false")) == (1, 0)
    assert found.tally.estimate(POLICY, "all", "announce_rate").count == 7
    assert (found.share("claim_rate"), found.share("claim_precision")) == (0, None)
    assert found.tally.estimate(POLICY, "all", "claim_rate").count == 14
