"""Sweeps and solvers find the known results of small games."""

import math

import numpy as np
import pytest

from mascarade_env._errors import MascaradeError, UnknownNameError
from mascarade_env.exact import (
    CHANCE,
    RULES,
    Solver,
    Tree,
    best_response,
    nash_conv,
    reach_of,
    values_of,
)
from tests.mascarade_env.exact.toys import Node, kuhn_poker, rock_paper_scissors, tree_of
from tests.messages import facts


def test_kuhn_poker_has_its_known_size() -> None:
    kuhn = tree_of(kuhn_poker())
    assert (kuhn.nodes, kuhn.terminals) == (55, 30)
    assert [kuhn.states_of(player) for player in (0, 1)] == [6, 6]


@pytest.mark.parametrize("algorithm", RULES)
def test_kuhn_poker_has_the_value_of_minus_one_eighteenth(algorithm: str) -> None:
    kuhn = tree_of(kuhn_poker())
    solver = Solver(kuhn, algorithm)
    solver.run(3000)
    gains = nash_conv(kuhn, solver.average())
    assert gains.nash_conv < 2e-3
    assert gains.values == pytest.approx([-1 / 18, 1 / 18], abs=1e-3)


def test_the_known_equilibria_of_kuhn_poker_have_a_nash_conv_of_0() -> None:
    """Player 0 bets the jack with probability a, bets the king with 3a, calls with the queen."""
    kuhn = tree_of(kuhn_poker())
    for a in (0.0, 0.2, 1 / 3):
        bets = {"0": a, "1": 0, "2": 3 * a, "0pb": 0, "1pb": a + 1 / 3, "2pb": 1}
        bets |= {"0p": 1 / 3, "1p": 0, "2p": 1, "0b": 0, "1b": 1 / 3, "2b": 1}
        gains = nash_conv(kuhn, _policy(kuhn_poker(), bets))
        assert gains.nash_conv == pytest.approx(0, abs=1e-12)
        assert gains.values[0] == pytest.approx(-1 / 18)


def _policy(root: Node, bets: dict[str, float]) -> np.ndarray:
    """Return the policy with these probabilities to bet, in the order of states in `tree_of`."""
    tree, known, chances = tree_of(root), set(), []
    level = [root]
    while level:
        for node in level:
            if (node.owner, node.knows) not in known:
                known.add((node.owner, node.knows))
                bet = bets.get(node.knows, 0)
                chances += node.chance or [1 - bet, bet]
        below = [option for node in level for option in node.options.values()]
        level = [node for node in below if isinstance(node, Node)]
    return tree.checked(np.array(chances))


def test_always_passing_can_be_exploited() -> None:
    """Both always pass: each could win every game by betting, and would gain 1."""
    kuhn = tree_of(kuhn_poker())
    always_pass = _policy(kuhn_poker(), {})
    gains = nash_conv(kuhn, always_pass)
    assert gains.values == pytest.approx([0, 0])
    assert gains.best == pytest.approx([1, 1])
    assert gains.nash_conv == pytest.approx(2)


def test_three_player_kuhn_poker_gets_near_an_equilibrium() -> None:
    kuhn = tree_of(kuhn_poker(3))
    solver = Solver(kuhn)
    before = nash_conv(kuhn, kuhn.uniform())
    solver.run(2000)
    after = nash_conv(kuhn, solver.average())
    assert before.values.sum() == pytest.approx(0, abs=1e-12)
    assert after.nash_conv < 0.01 < before.nash_conv


def test_rock_paper_scissors_is_played_evenly() -> None:
    game = tree_of(rock_paper_scissors())
    assert (game.nodes, game.terminals, game.states) == (13, 9, 2)
    assert nash_conv(game, game.uniform()).nash_conv == pytest.approx(0, abs=1e-12)
    pure = np.array([1.0, 0, 0, 0, 1, 0])  # rock against paper
    gains = nash_conv(game, pure)
    assert gains.values == pytest.approx([-1, 1])
    assert gains.best == pytest.approx([1, 1])  # scissors; paper already wins
    assert gains.nash_conv == pytest.approx(2)


@pytest.mark.parametrize("algorithm", RULES)
def test_a_higher_stake_is_avoided(algorithm: str) -> None:
    """Paper against scissors pays 2: the equilibrium is 1/2 rock, 1/4 paper, 1/4 scissors."""
    game = tree_of(rock_paper_scissors(stake=2.0))
    solver = Solver(game, algorithm)
    solver.run(5000)
    assert solver.average() == pytest.approx([0.5, 0.25, 0.25] * 2, abs=0.02)


def test_the_best_response_to_rock_is_paper() -> None:
    game = tree_of(rock_paper_scissors())
    value, best = best_response(game, np.array([1.0, 0, 0, 1, 0, 0]), 1)
    assert value == 1
    assert best.tolist() == [-1, 1]


def test_a_best_response_takes_one_option_for_all_nodes_of_a_state() -> None:
    """Matching pennies: a player who sees the coin always wins, one who does not wins half."""
    sees = Node(0, "", {"heads": _guess("h", 1.0), "tails": _guess("t", -1.0)})
    blind = Node(0, "", {"heads": _guess("", 1.0), "tails": _guess("", -1.0)})
    for root, worth in ((sees, 1.0), (blind, 0.0)):
        game = tree_of(root)
        assert best_response(game, game.uniform(), 1)[0] == worth


def _guess(knows: str, sign: float) -> Node:
    return Node(1, knows, {"heads": (-sign, sign), "tails": (sign, -sign)})


def test_probabilities_of_reaching_nodes_sum_to_one() -> None:
    kuhn = tree_of(kuhn_poker())
    reach = reach_of(kuhn, kuhn.uniform())
    assert reach[0] == 1
    assert reach[kuhn.state < 0].sum() == pytest.approx(1)
    inner = np.flatnonzero(kuhn.state >= 0)
    sums = np.add.reduceat(reach[1:], kuhn.first[inner] - 1)
    assert sums == pytest.approx(reach[inner])


def test_values_are_the_means_of_the_payoffs() -> None:
    kuhn = tree_of(kuhn_poker(3))
    assert values_of(kuhn, kuhn.uniform()) == pytest.approx(_expected(kuhn_poker(3)))


def _expected(node: object) -> np.ndarray:
    if isinstance(node, Node):
        below = np.array([_expected(option) for option in node.options.values()])
        return np.asarray(below.mean(axis=0))
    return np.array(node)


def test_the_average_policy_is_uniform_in_states_never_reached() -> None:
    root = Node(
        0, "", {"stop": (1.0, -1.0), "go": Node(0, "go", {"a": (0.0, 0.0), "b": (-1.0, 1.0)})}
    )
    game = tree_of(root)
    solver = Solver(game, "cfr+")
    solver.run(1)
    solver.run(50)
    average = solver.average()
    assert average[0] > 0.9
    assert average.tolist() == game.checked(average).tolist()


def test_a_solver_continues_after_a_run() -> None:
    kuhn = tree_of(kuhn_poker())
    once, twice = Solver(kuhn), Solver(kuhn)
    once.run(70)
    twice.run(30)
    twice.run(40)
    assert twice.iterations == 70
    assert once.average().tolist() == twice.average().tolist()


def test_wrong_uses_of_a_solver_are_refused() -> None:
    kuhn = tree_of(kuhn_poker())
    with pytest.raises(UnknownNameError, match=facts("algorithm", "'cfr++'", "'cfr+'", "dcfr")):
        Solver(kuhn, "cfr++")
    with pytest.raises(MascaradeError, match=facts("average", "run(iterations)")):
        Solver(kuhn).average()
    with pytest.raises(MascaradeError, match=facts("iterations", -1)):
        Solver(kuhn).run(-1)


@pytest.mark.parametrize(
    ("policy", "why"),
    [
        (np.ones(5), ("policy", "(30,)", "(5,)")),
        (np.full(30, 0.4), ("probabilities", 0.4, "sum", 1)),
        (np.array([0.0] * 6 + [1.5, -0.5] * 12), ("probabilities", 1.5, -0.5, 0)),
        (np.full(30, math.nan), ("probabilities", "nan", "sum", 1)),
    ],
)
def test_arrays_that_are_not_a_policy_are_refused(
    policy: np.ndarray, why: tuple[object, ...]
) -> None:
    kuhn = tree_of(kuhn_poker())
    with pytest.raises(MascaradeError, match=facts(*why)):
        nash_conv(kuhn, policy)


def _of(**changes: object) -> Tree:
    good = tree_of(rock_paper_scissors())
    parts = {
        name: getattr(good, name) for name in ("state", "owner", "options", "payoffs", "chance")
    }
    return Tree(**{**parts, **changes})


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"state": np.zeros(0, np.int32)}, "at least one node"),
        ({"owner": np.array([0, 2], np.int8)}, r"-1 or a player 0\.\.1"),
        ({"owner": np.array([0], np.int8)}, "the same length"),
        ({"options": np.array([3, 0], np.int32), "chance": np.zeros(3)}, "at least one option"),
        ({"chance": np.zeros(5)}, "each option"),
        ({"payoffs": np.zeros((1, 2))}, r"row of payoffs, 0\.\.0"),
        ({"payoffs": np.full((3, 2), np.nan)}, "must be finite numbers"),
        ({"state": np.array([0, *[1] * 3, *[-1] * 10], np.int32)}, "must have 13 nodes, not 14"),
        ({"state": np.array([0, *[2] * 3, *[-1] * 9], np.int32)}, "each state must be below 2"),
        ({"state": np.array([0, 1, -1, 0, *[-1] * 6], np.int32)}, "numbered level by level"),
        ({"state": np.array([1, 0, 0, 0, *[-1] * 9], np.int32)}, "numbered level by level"),
        ({"owner": np.array([0, -1], np.int8)}, "sum to 1"),
        (
            {
                "state": np.array([-1, 0, -1, -1], np.int32),  # the game ends at its root
                "owner": np.array([0], np.int8),
                "options": np.array([3], np.int32),
                "chance": np.zeros(3),
            },
            "child of an earlier node",
        ),
        ({"state": np.array([[0] * 13])}, "one dimension"),
        ({"state": np.array([0, *[2**40] * 3, *[-1] * 9])}, "of the type int32"),
        ({"payoffs": np.ones((3, 2), complex)}, "must be numbers"),
        ({"owner": np.array(["0", "1"])}, "must be numbers"),
    ],
)
def test_arrays_that_are_not_a_tree_are_refused(changes: dict[str, object], why: str) -> None:
    with pytest.raises(MascaradeError, match=why):
        _of(**changes)


def test_numbers_of_other_types_are_converted() -> None:
    plain = _of()
    swapped = _of(state=plain.state.astype(">i8"), payoffs=plain.payoffs.astype(np.float16))
    assert swapped.state.tolist() == plain.state.tolist()
    pure = np.array([1.0, 0, 0, 0, 1, 0])
    assert nash_conv(swapped, pure).nash_conv == nash_conv(plain, pure).nash_conv == 2


class Naive:
    """CFR as in textbooks: a recursion over the nodes of a toy game, players alternating."""

    def __init__(self, root: Node, floor: bool, linear: bool) -> None:
        self.root, self.floor, self.linear, self.t = root, floor, linear, 0
        self.regrets: dict[tuple[int, str], np.ndarray] = {}
        self.sums: dict[tuple[int, str], np.ndarray] = {}

    def policy(self, node: Node) -> np.ndarray:
        if node.owner == CHANCE:
            return np.array(node.chance)
        gains = np.maximum(self._of(self.regrets, node), 0)
        return gains / gains.sum() if gains.sum() > 0 else np.full(len(gains), 1 / len(gains))

    def iterate(self) -> None:
        self.t += 1
        for player in (0, 1):
            before = {name: regrets.copy() for name, regrets in self.regrets.items()}
            added: dict[tuple[int, str], np.ndarray] = {}
            self._value(self.root, player, 1.0, 1.0, added)
            for name, regrets in added.items():
                total = before.get(name, np.zeros(len(regrets))) + regrets
                self.regrets[name] = np.maximum(total, 0) if self.floor else total

    def _of(self, table: dict[tuple[int, str], np.ndarray], node: Node) -> np.ndarray:
        return table.setdefault((node.owner, node.knows), np.zeros(len(node.options)))

    def _value(
        self,
        node: object,
        player: int,
        mine: float,
        others: float,
        added: dict[tuple[int, str], np.ndarray],
    ) -> float:
        if not isinstance(node, Node):
            assert isinstance(node, tuple)
            return float(node[player])
        chances, own = self.policy(node), node.owner == player
        below = np.array(
            [
                self._value(
                    option, player, mine * (c if own else 1), others * (1 if own else c), added
                )
                for c, option in zip(chances, node.options.values(), strict=True)
            ]
        )
        value = float(chances @ below)
        if own:
            self._of(added, node)[:] += others * (below - value)
            self._of(self.sums, node)[:] += (self.t if self.linear else 1) * mine * chances
        return value


@pytest.mark.parametrize(("algorithm", "floor"), [("cfr", False), ("cfr+", True)])
def test_iterations_agree_with_textbook_cfr(algorithm: str, floor: bool) -> None:
    root = kuhn_poker()
    naive, solver = Naive(root, floor, linear=floor), Solver(tree_of(root), algorithm)
    for _ in range(12):
        naive.iterate()
    solver.run(12)
    # In the order in which the tree numbers its information states.
    expected, known, level = [np.array(root.chance)], set(), list(root.options.values())
    while level:
        nodes = [node for node in level if isinstance(node, Node)]
        for node in nodes:
            if (node.owner, node.knows) not in known:
                known.add((node.owner, node.knows))
                sums = naive.sums[node.owner, node.knows]
                expected.append(sums / sums.sum())
        level = [option for node in nodes for option in node.options.values()]
    assert solver.average() == pytest.approx(np.concatenate(expected), abs=1e-9)
