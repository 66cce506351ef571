import numpy as np
import pytest

from mascarade_agents import Agent, Results
from mascarade_agents.arena import Outcome, run
from mascarade_agents.arena._outcome import shares
from mascarade_agents.behaviour import Tally
from mascarade_agents.ratings import kinds, one_against_many, win_shares
from mascarade_env import Game, MascaradeError, Positions, Scenario, Schema
from mascarade_env._policies.histories import Histories
from tests.mascarade_agents.arena.saboteurs import (
    DUEL,
    TRIO,
    Chancy,
    Compares,
    Kingly,
    Meek,
    Taken,
    Viewing,
)
from tests.mascarade_env.policies.players import Noting
from tests.messages import facts

CHANCY = ("chancy", Chancy)


def same(one: Results, other: Results) -> bool:
    """Return whether two arenas have the same results, except for agents' names."""
    arrays = ("lineups", "shares", "deals", "forfeits", "decisions")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in arrays)


def check_games(outcome: Outcome) -> None:
    """Assert that the measured games, when replayed, end as in the results."""
    results = outcome.results
    for number, game in enumerate(outcome.games()):
        assert game.meta["seed"] == results.deals[number]
        assert game.names == [results.agents[agent] for agent in results.lineups[number]]
        assert len(game.history) == results.decisions[number]
        if results.forfeits[number] < 0:
            assert game.over
            winners = game.winners or range(results.players)
            expected = [(player in winners) / len(winners) for player in range(results.players)]
            assert results.shares[number].tolist() == expected
        else:
            assert game.player == results.forfeits[number]


@pytest.mark.parametrize("scenario", [DUEL, TRIO, "4A"])
def test_games_end_as_the_rules_say(scenario: str | Scenario) -> None:
    agents = [CHANCY, ("viewing", Viewing), ("meek", Meek)]
    outcome = run(agents, scenario, games=24, seed=3, measured=24)
    check_games(outcome)
    assert len(list(outcome.games())) == 24
    assert not outcome.forfeits
    total = Tally()
    for game in outcome.games():
        total += Tally.of(game)
    assert outcome.behaviour.agents == total.agents == ["chancy", "meek", "viewing"]
    for agent in total.agents:
        found = outcome.behaviour.estimate(agent, "all", "claim_rate")
        expected = total.estimate(agent, "all", "claim_rate")
        assert found.count == expected.count
        for end in ("value", "low", "high"):
            assert getattr(found, end) == pytest.approx(getattr(expected, end))
    assert np.allclose(outcome.results.shares.sum(axis=1), 1)


def test_what_is_measured_counts_by_deal() -> None:
    # Each deal is played by four line-ups from three seats, and chunks hold eight games.
    agents = [CHANCY, ("viewing", Viewing)]
    outcome = run(agents, TRIO, games=30, seed=3, tables="one", measured=60)
    deals = [int(deal) for deal in outcome.results.deals]
    chunks = [{deals[game] for game in chunk} for chunk in outcome.plan.chunks]
    assert len(set(deals)) == 10 < sum(map(len, chunks))
    for clusters in outcome.behaviour.sums().values():
        assert [deal and int(deal.split()[0]) for deal, _ in clusters] == list(dict.fromkeys(deals))


def test_who_always_wins_gets_everything() -> None:
    outcome = run([("meek", Meek), ("kingly", Kingly)], DUEL, games=40)
    found = win_shares(outcome.results)
    assert found.value.tolist() == [0, 1]
    assert found.count.tolist() == [40, 40]


def test_who_wins_among_others_does_so_both_ways() -> None:
    outcome = run([("meek", Meek), ("kingly", Kingly)], TRIO, games=60, tables="one")
    assert kinds(outcome.results).one_against_many.all()
    duels = one_against_many(outcome.results)
    assert duels.one.value[1, 0] == 1
    assert duels.one.value[0, 1] == 0
    assert duels.beats[1, 0]
    assert not duels.beats[0, 1]


def test_views_say_what_observations_say() -> None:
    for scenario in (DUEL, "4A"):
        outcome = run([CHANCY, ("compares", Compares)], scenario, games=16)
        assert not outcome.forfeits


def test_the_same_seed_gives_the_same() -> None:
    agents = [CHANCY, ("viewing", Viewing)]
    first = run(agents, "4A", games=20, seed=1)
    np.random.seed(7)  # no agent uses global random numbers
    assert same(first.results, run(agents, "4A", games=20, seed=1).results)
    assert not same(first.results, run(agents, "4A", games=20, seed=2).results)


def test_what_agents_are_given_leads_to_no_secrets() -> None:
    found: dict[bool, list[tuple[object, object]]] = {False: [], True: []}

    class Pries(Chancy):
        def act_batch(self, positions: Positions, rng: np.random.Generator) -> Taken:
            source = rng.bit_generator.seed_seq
            assert isinstance(source, np.random.SeedSequence)
            found[self.needs_views].append((source.entropy, positions.views))
            return super().act_batch(positions, rng)

    class PriesByViews(Pries):
        needs_views = True

    seed = 123456789
    run([("blind", Pries), ("viewing", PriesByViews)], DUEL, games=4, seed=seed)
    blind, viewing = found.values()
    for entropy, _ in blind + viewing:
        assert isinstance(entropy, int)  # one number, not the numbers it is derived from
        assert entropy.bit_length() > 64
    assert len({entropy for entropy, _ in blind}) > 4
    assert all(views == () for _, views in blind)
    for _, views in viewing:
        assert not [each for each in vars(views).values() if isinstance(each, Histories | Game)]


def test_agents_draw_anew_for_each_decision_and_game() -> None:
    twins: list[tuple[str, type[Agent]]] = [CHANCY, ("other", Chancy)]
    found = run(twins, DUEL, games=100).results
    assert 0 < found.shares[:, 0].mean() < 1
    assert len(set(found.decisions.tolist())) >= 3


def test_games_that_last_too_long_are_shared() -> None:
    outcome = run([CHANCY, ("other", Chancy)], "4A", games=8, most_decisions=3)
    assert outcome.broken_off == len(outcome.results.deals) == 8 + 16
    assert set(outcome.results.decisions.tolist()) == {12}
    assert (outcome.results.shares == 0.25).all()


def test_a_void_game_is_shared() -> None:
    short = Scenario("short", 4, Game("4A").scenario.masks, turn_limit=4)
    outcome = run([CHANCY, ("other", Chancy)], short, games=8)
    assert not outcome.broken_off
    assert (outcome.results.shares == 0.25).all()


def test_shares() -> None:
    winners = np.array([0b001, 0b110, 0, 0, 0b111])
    forfeits = np.array([-1, -1, -1, 2, -1])
    third = 1 / 3
    lineups = np.tile(np.arange(3), (5, 1))
    assert shares(winners, forfeits, lineups).tolist() == [
        [1, 0, 0], [0, 0.5, 0.5], [third] * 3, [0.5, 0.5, 0], [third] * 3,
    ]  # fmt: skip


def test_any_policy_takes_part_and_is_shown_what_it_reads() -> None:
    made: list[Noting] = []

    def by_belief(scenario: Scenario, argument: str) -> Noting:
        made.append(Noting(Schema(scenario, "belief", padded=True)))
        return made[-1]

    outcome = run([("noting", by_belief), CHANCY], "4A", games=8)
    assert not outcome.forfeits
    shown = made[0].shown[0]
    assert shown.observations.shape[1] == Schema("4A", "belief", padded=True).size
    with pytest.raises(MascaradeError, match=facts("plays 6A", "not 4A")):
        run([("other", lambda scenario, argument: Noting(Schema("6A"))), CHANCY], "4A", games=8)


def test_one_agent_alone_can_be_alone() -> None:
    outcome = run([CHANCY, ("meek", Meek)], TRIO, games=9, tables="one", alone=["meek"])
    found = kinds(outcome.results)
    assert found.one_against_many.all()
    assert set(found.single.tolist()) == {1}
    assert len(found.single) == 9
    both = run([CHANCY, ("meek", Meek)], TRIO, games=9, tables="one")
    assert set(outcome.results.deals) == set(both.results.deals)
