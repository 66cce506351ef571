import pytest

from mascarade_agents._search import ISMCTS, FlatMonteCarlo
from mascarade_agents._search.budget import Budget, parse_budget
from mascarade_env._errors import MascaradeError
from mascarade_env.game._scenarios import resolve
from tests.messages import facts


def test_budgets_are_simulations_or_milliseconds() -> None:
    assert parse_budget("200", 7) == Budget(200)
    assert parse_budget("50ms", 7).milliseconds == 50
    assert parse_budget("", 7) == Budget(7)


@pytest.mark.parametrize("words", ["abc", "0", "-3", "1.5", "0ms", "ms", "5s", "²", "100000000"])
def test_other_budgets_are_refused(words: str) -> None:
    with pytest.raises(MascaradeError, match=facts("simulations", "milliseconds", repr(words))):
        parse_budget(words, 7)


def test_agents_read_their_argument() -> None:
    six = resolve("6A")
    assert ISMCTS(six, "300,0.7").explore == 0.7
    assert ISMCTS(six, ",0.7").budget == ISMCTS(six).budget
    assert FlatMonteCarlo(six, "40").budget.simulations == 40
    for words in ("300,", "300,x", "300,-1", "300,nan"):
        with pytest.raises(MascaradeError, match=facts("exploration constant")):
            ISMCTS(six, words)
    with pytest.raises(MascaradeError, match=facts("budget", "'40,0.7'")):
        FlatMonteCarlo(six, "40,0.7")


def test_simulations_come_in_one_chunk_and_time_in_many() -> None:
    assert list(Budget(500).chunks(64)) == [(0, 500)]
    chunks = Budget(10**6, 1).chunks(64)
    assert next(chunks) == (0, 64)
