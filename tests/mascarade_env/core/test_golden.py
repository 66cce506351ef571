import pytest

from tests.mascarade_env.core.golden import FOLDER, all_scenarios, playthrough


@pytest.mark.parametrize("name", all_scenarios())
def test_a_playthrough_is_as_it_was(name: str) -> None:
    golden = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
    now = playthrough(all_scenarios()[name]).splitlines()
    for number, (before, after) in enumerate(zip(golden, now, strict=False)):
        assert after == before, f"line {number + 1} of golden/{name}.txt; see `make golden`"
    assert len(now) == len(golden)


def test_every_golden_belongs_to_a_scenario() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(all_scenarios())
