from typing import Any

import numpy as np
import pytest

from mascarade_agents._agent import Agent
from mascarade_agents._ladder.bluffer import Bluffer
from mascarade_agents._ladder.claim_probabilities import claiming
from mascarade_agents._ladder.honest import Honest
from mascarade_agents._ladder.opportunist import Opportunist
from mascarade_agents._ladder.random import RandomAgent
from mascarade_agents._ladder.sceptic import Sceptic
from mascarade_agents._ladder.statistician import Statistician
from mascarade_agents._ladder.stopper import Stopper
from mascarade_agents._registry import make_agent
from mascarade_env import Batch, Game, MascaradeError, Positions, Scenario, scenarios
from mascarade_env.testing import check_agent
from tests.mascarade_agents.positions import KINDS, belief, observation, reading, six, word, words
from tests.mascarade_env.game.tables import announce, play
from tests.messages import facts
from tests.tiers import slow_from

HIGHER = ("sceptic", "opportunist", "statistician", "stopper")
LADDER = (RandomAgent, Honest, Bluffer, Sceptic, Opportunist, Statistician, Stopper)
THINKING = LADDER[1:]

RESEARCH = (
    Scenario("two", 2, ("king", "thief", "judge"), strict=False, opening_turns=2, turn_limit=30),
    Scenario("three", 3, ("fool", "guru", "puppet_master", "witch"), strict=False, turn_limit=40),
    Scenario("poor", 4, ("spy", "beggar", "widow", "cheat"), 1, 3, 1, 40, strict=False),
    Scenario("rich", 4, ("empress", "witch", "cheat", "judge"), 20, 100, 0, 40, strict=False),
)


@pytest.mark.parametrize("scenario", [*sorted(scenarios()), *RESEARCH], ids=str)
def test_the_strongest_agent_is_legal_everywhere(scenario: str | Scenario) -> None:
    check_agent(Stopper(Game(scenario).scenario), scenario, games=12)


@pytest.mark.parametrize("kind", LADDER[:-1])
@pytest.mark.parametrize("scenario", ["8B", "12A", *RESEARCH[:2]], ids=str)
def test_all_are_legal(kind: type[Agent], scenario: str | Scenario) -> None:
    check_agent(kind(Game(scenario).scenario), scenario, games=12)


@pytest.mark.parametrize("kind", LADDER)
def test_actions_depend_on_the_rng_alone(kind: type[Agent]) -> None:
    batch = Batch("6A", 32, seed=3)
    agent = kind(batch.scenario)
    for step in range(60):
        once, again = (
            agent.act_batch(Positions.of_batch(batch), np.random.default_rng(step))
            for _ in range(2)
        )
        assert (once == again).all()
        batch.step(once)


@pytest.mark.parametrize("kind", [Opportunist, Statistician, Stopper])
@pytest.mark.parametrize(("coins", "seat"), [(10, 1), (10, 4)], ids=["empress", "cheat"])
def test_a_sure_win_is_announced(kind: type[Agent], coins: int, seat: int) -> None:
    game = play(six(), *["look"] * seat)
    assert word(kind(game.scenario), game, coins=[coins]) == f"announce:{KINDS[seat]}"


@pytest.mark.parametrize("kind", THINKING)
def test_an_own_mask_that_wins_is_claimed(kind: type[Agent]) -> None:
    game = play(six(), "announce:empress")
    assert word(kind(game.scenario), game, coins=[10]) == "claim"


@pytest.mark.parametrize("kind", THINKING)
def test_a_mask_that_surely_belongs_to_the_announcer_is_not_claimed(kind: type[Agent]) -> None:
    game = play(six(), "announce:judge")
    assert word(kind(game.scenario), game) == "pass"


@pytest.mark.parametrize("kind", THINKING)
def test_the_witch_exchanges_with_the_richest_or_declines(kind: type[Agent]) -> None:
    game = announce(play(six(), *["look"] * 5), "witch")
    agent = kind(game.scenario)
    assert word(agent, game, coins=[6, 5, 11, 6, 7, 4]) == "target:1"  # two to the left of seat 5
    assert word(agent, game, coins=[11, 5, 6, 6, 7, 4]) == "decline"


@pytest.mark.parametrize("kind", THINKING)
def test_a_better_mask_is_swapped_for(kind: type[Agent]) -> None:
    game = play(six("king", "empress", "judge", "trickster", "cheat", "witch"), "take:1")
    assert word(kind(game.scenario), game) == "swap"
    game = play(six("empress", "king", "judge", "trickster", "cheat", "witch"), "take:1")
    assert word(kind(game.scenario), game) == "keep"


@pytest.mark.parametrize("kind", THINKING)
def test_the_guru_gets_the_most_probable_mask(kind: type[Agent]) -> None:
    game = six("guru", "empress", "king", "trickster", "cheat", "witch")
    game = play(announce(game, "guru"), "target:2")
    assert word(kind(game.scenario), game) == "declare:king"


def test_honest_announces_only_its_own_mask() -> None:
    batch = Batch("6A", 64, seed=8)
    agent, rng = Honest(batch.scenario), np.random.default_rng(0)
    said = 0
    for _ in range(150):
        taken = agent.act_batch(Positions.of_batch(batch), rng)
        state = batch.state
        own = state["mask_at"][np.arange(64), state["actor"]]
        announces = (state["phase"] == 0) & (taken >= agent.ids.announce)
        column = np.clip(taken - agent.ids.announce, 0, len(KINDS) - 1)
        assert (state["kind"][np.arange(64), column] == own)[announces].all()
        claims = taken == agent.ids.claim
        assert (state["announced"] == own)[claims].all()
        said += int(announces.sum())
        batch.step(taken)
    assert said > 100


def test_honest_looks_when_it_does_not_know() -> None:
    game = six("judge", "king", "empress", "trickster", "cheat", "witch")
    game = play(game, "take:1", "swap")  # the player on seat 1 has the king or the judge
    for kind in ("look", "announce:king"):
        assert kind in game.legal_actions()
    unsure = belief({"king": 0.5, "judge": 0.5}, *[{kind: 0.2} for kind in KINDS[:5]])
    assert not word(Honest(game.scenario), game, own_belief=unsure).startswith("announce")


def test_honest_is_not_certain_by_a_thinned_belief() -> None:
    # The player on seat 1 has seen no mask, but the thinned belief has only one left.
    game = play(six("judge", "king", "empress", "trickster", "cheat", "witch"), "take:1", "swap")
    others = dict.fromkeys(("judge", "empress", "trickster", "cheat", "witch"), 0.2)
    king = {"own_belief": belief({"king": 1}, *[others] * 5), "sure": [0]}
    assert word(Honest(game.scenario), game, exact=[0, 0], **king) == "look"
    assert word(Honest(game.scenario), game, exact=[1, 1], **king) == "announce:king"
    shown = king | {"sure": [1]}
    assert word(Honest(game.scenario), game, exact=[0, 0], **shown) == "announce:king"


@pytest.mark.parametrize("kind", [Honest, Bluffer, Sceptic])
@pytest.mark.parametrize(
    ("seat", "coins"),
    [(0, [6] * 6), (4, [9, 6, 6, 6, 6, 6]), (5, [9, 6, 6, 6, 6, 6])],
    ids=["judge", "cheat", "witch"],
)
def test_masks_that_bring_nothing_are_not_announced(
    kind: type[Agent], seat: int, coins: list[int]
) -> None:
    game = play(six(), *["look"] * seat)  # all players know all masks
    said = words(kind(game.scenario), game, 200, coins=coins, sure=[1] * 6)
    assert not any(action.startswith("announce") for action in said)


def test_a_bluffer_does_not_repeat_its_last_lie() -> None:
    unknown: dict[str, Any] = {"sure": [1, 0, 0, 0, 0, 0]}
    unknown["own_belief"] = belief({"judge": 1}, *[dict.fromkeys(KINDS[1:], 0.2)] * 5)
    said = [[0] * len(KINDS) for _ in range(6)]
    said[0][KINDS.index("empress")] = 1
    bold = Bluffer(six().scenario, "1")
    assert word(bold, six(), **unknown) == "announce:empress"
    assert word(bold, six(), said=said, **unknown) in ("announce:king", "announce:trickster")


def test_the_cheat_is_not_claimed_for_nothing() -> None:
    game = play(six(), *["look"] * 3, "announce:cheat")  # the next player has it
    for coins, answer in (([9, 6, 6, 6, 6, 6], "pass"), ([10, 6, 6, 6, 6, 6], "claim")):
        assert words(Stopper(game.scenario), game, 20, coins=coins) == [answer] * 20
    denied = [6, 6, 6, 6, 6, 10]  # the announcer would win
    assert word(Stopper(game.scenario), game, coins=denied) == "claim"


@pytest.mark.parametrize("name", ["honest", "bluffer", "bluffer:1", *HIGHER])
@pytest.mark.parametrize("scenario", slow_from(2, ["4A", "5B", "5A", "7B", "12A"]))
def test_games_among_equals_end(name: str, scenario: str) -> None:
    batch = Batch(scenario, 80, seed=5, autoreset="disabled")
    agent, rng = make_agent(name, batch.scenario), np.random.default_rng(1)
    for _ in range(1000 * batch.scenario.players):
        rows = np.flatnonzero(batch.player >= 0)
        if not rows.size:
            break
        taken = np.zeros(80, np.int64)
        taken[rows] = agent.act_batch(Positions.of_batch(batch, rows), rng)
        batch.step(taken)
    assert (batch.player < 0).all()


def test_agents_leave_a_cycle_of_looks_and_takes() -> None:
    game, rng = Game("5A", seed=1177), np.random.default_rng(0)
    stopper = Stopper(game.scenario)
    views = [game.view(player) for player in range(5)]
    for _ in range(2500):
        if game.player is None:
            break
        view = views[game.player]
        game.tell(view)
        game.play(stopper.act(view, rng))
    assert game.over


@pytest.mark.parametrize("rate", [0.0, 0.3, 1.0])
def test_a_bluffer_bluffs_at_its_rate(rate: float) -> None:
    # Seat 0 has the judge of an empty tribunal; the place of the empress is uncertain.
    game = six()
    unknown = {"own_belief": belief({"judge": 1}, *[dict.fromkeys(KINDS[1:], 0.2)] * 5)}
    said = words(Bluffer(game.scenario, str(rate)), game, 2000, sure=[1, 0, 0, 0, 0, 0], **unknown)
    bluffs = np.mean([action == "announce:empress" for action in said])
    assert abs(bluffs - rate) < 0.04


@pytest.mark.parametrize(
    ("threshold", "mine", "answer"),
    [("0.5", 0.55, "claim"), ("0.5", 0.45, "pass"), ("0.3", 0.35, "claim"), ("0.9", 0.85, "pass")],
)
def test_a_sceptic_claims_at_its_threshold(threshold: str, mine: float, answer: str) -> None:
    game = play(six(), "announce:king")
    shared = belief({"king": mine, "empress": 1 - mine})
    assert word(Sceptic(game.scenario, threshold), game, own_belief=shared) == answer


@pytest.mark.parametrize("kind", [Bluffer, Sceptic])
@pytest.mark.parametrize("argument", ["2", "-0.1", "often", "nan"])
def test_shares_are_numbers_up_to_one(kind: type[Agent], argument: str) -> None:
    with pytest.raises(
        MascaradeError, match=facts(kind.__name__.lower(), 0, 1, "colon", repr(argument))
    ):
        kind(Game("6A").scenario, argument)


@pytest.mark.parametrize("kind", [Honest, Opportunist, Statistician, Stopper])
def test_other_agents_refuse_an_argument(kind: type[Agent]) -> None:
    with pytest.raises(MascaradeError, match=facts(kind.__name__, "colon", "'0.5'")):
        kind(Game("6A").scenario, "0.5")


def test_the_statistician_claims_against_a_known_liar() -> None:
    game = play(six(), "announce:empress", "pass")  # seat 2 decides; the announcer is at place 4
    shared = belief(
        {"empress": 0.35, "king": 0.65},
        {"cheat": 1},
        {"trickster": 1},
        {"judge": 1},
        {"empress": 0.65, "king": 0.35},
        {"witch": 1},
    )
    unsure = {"own_belief": shared, "onlooker_belief": shared}
    touched = {"touched_ago": [0.5] * 6, "said_ago": [0.0] * 6}  # it has announced since then

    def answer(proven_false: float, proven_true: float) -> str:
        records = {"proven_false": [0.0] * 4 + [proven_false]}
        records["proven_true"] = [0.0] * 4 + [proven_true]
        return word(Statistician(game.scenario), game, **unsure, **touched, **records)

    assert answer(proven_false=0.8, proven_true=0.0) == "claim"  # 16 lies shown, c / (c + 4)
    assert answer(proven_false=0.0, proven_true=0.8) == "pass"


def test_the_statistician_models_how_boldly_players_claim() -> None:
    """Check that boldness of past claims changes the expected claim of a possible holder."""
    game = six()
    shared = belief(
        {"judge": 1},
        {"empress": 0.5, "king": 0.5},
        {"empress": 0.5, "king": 0.5},
        {"trickster": 1},
        {"cheat": 1},
        {"witch": 1},
    )
    agent = Statistician(game.scenario)
    seen: dict[str, Any] = {"own_belief": shared, "onlooker_belief": shared}
    seen |= {"sure": [1, 0, 0, 1, 1, 1], "unproven": [0.8] + [0] * 5}
    empress = KINDS.index("empress")
    timid = claiming(reading(game, **seen), agent.habits)[1][0, 1, empress]
    bold = claiming(reading(game, **seen, claims_false=[0, 0.6]), agent.habits)[1][0, 1, empress]
    assert bold > timid + 0.1


def test_the_stopper_takes_the_mask_that_would_win() -> None:
    game = six()  # seat 3 has the trickster and eleven coins
    coins = [6, 6, 6, 11, 6, 6]
    assert word(Stopper(game.scenario), game, coins=coins) == "take:3"


def test_the_stopper_robs_the_one_who_would_win() -> None:
    # The trickster is on seat 3, and all others have six coins: a tie.
    game = announce(play(six(), *["look"] * 3), "trickster")
    # Places 1 and 4 are tied, and the second has the empress.
    mask = np.zeros((1, game.num_actions), np.int8)
    ids = Stopper(game.scenario).ids
    mask[0, [ids.target, ids.target + 3]] = 1
    wins = belief({"trickster": 1}, {"king": 1}, {"witch": 1}, {"judge": 1}, {"empress": 1})
    vector = observation(game, coins=[4, 10, 5, 5, 10, 5], own_belief=wins)
    for seed in range(8):
        stopper = Stopper(game.scenario)
        shown = Positions(vector, mask, stopper.reads)
        taken = stopper.act_batch(shown, np.random.default_rng(seed))
        assert taken.tolist() == [ids.target + 3]


def test_each_step_of_the_ladder_wins_more() -> None:
    """Play a few games: agents must be complete, and strength is not tested."""
    for low, high in ((RandomAgent, Honest), (Honest, Statistician), (Bluffer, Stopper)):
        batch = Batch("6A", 240, seed=4, autoreset="disabled")
        agents = (low(batch.scenario), high(batch.scenario))
        plays = (np.arange(240)[:, None] + np.arange(6)) % 2  # [row, player]
        rng = np.random.default_rng(1)
        while (batch.player >= 0).any():
            taken = np.zeros(240, np.int64)
            who = np.where(batch.player >= 0, plays[np.arange(240), batch.player], -1)
            for number, agent in enumerate(agents):
                rows = np.flatnonzero(who == number)
                taken[rows] = agent.act_batch(Positions.of_batch(batch, rows), rng)
            batch.step(taken)
        won = (batch.state["winners"][:, None] >> np.arange(6)) & 1
        assert won[plays == 1].sum() > won[plays == 0].sum() * 1.2
