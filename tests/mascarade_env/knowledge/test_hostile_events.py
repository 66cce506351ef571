"""Messages that a view refuses: wrong sequences of events, and impossible masks."""

import json
import os
import pickle
import random
import re
from typing import Any

import numpy as np
import pytest

from mascarade_env import AgentView, Game, MascaradeError, Scenario, scenarios
from mascarade_env._jit import SETTINGS
from mascarade_env.game import _events as events
from mascarade_env.game._event_sequence import FIELDS
from mascarade_env.game._events import EVENT, KINDS
from mascarade_env.game._masks import MASK_IDS, mask_number
from mascarade_env.game._positions import PHASES
from tests.mascarade_env.game.decks import random_scenario

# Number of mutated messages for each scenario; the nightly run uses more.
MUTATIONS = (6 if SETTINGS.DISABLE_JIT else 300) * int(os.environ.get("MASCARADE_FUZZ", "1"))
DECISIONS = 70  # decisions of a game before its events are mutated
# The most placements in the search for another possible game.
MOST_PLACEMENTS = 2_000

Event = tuple[int, ...]
VALUE, SEEN_BY, KIND, PLAYER, A, B = range(6)


def tables() -> list[Scenario]:
    decks = [random_scenario(random.Random(seed)) for seed in range(8)]
    return [*scenarios().values(), *decks]


def history(scenario: Scenario, player: int, chance: random.Random) -> list[Event]:
    """Return the events that a player has seen in the first decisions of a random game."""
    game = Game(scenario, seed=chance.randrange(10_000))
    game.play_randomly(chance.randrange(1, DECISIONS), seed=chance.randrange(10_000))
    return [tuple(event) for event in game.view(player).events.tolist()]


def mutated(story: list[Event], chance: random.Random) -> list[Event]:
    """Drop an event, repeat one, swap two neighbours, or change one number."""
    wrong = list(story)
    at = chance.randrange(len(story))
    change = chance.randrange(7)
    if change == 0:
        del wrong[at]
    elif change == 1:
        wrong.insert(at, wrong[at])
    elif change == 2 and at:
        wrong[at - 1 : at + 1] = wrong[at], wrong[at - 1]
    else:
        event, field = list(wrong[at]), chance.randrange(len(FIELDS))
        near = event[field] + chance.choice((-1, 1))
        event[field] = chance.choice((near, near, chance.randrange(-2, 16), 100, 101, 127, -128))
        if field == SEEN_BY:
            event[field] = chance.choice((event[field], event[field] & 8191, 8191, -1, 4095))
        wrong[at] = tuple(event)
    return wrong


def action_of(scenario: Scenario, step: list[Event]) -> list[str]:
    """Return the actions, in words, that agree with one step of a player's events."""
    value, _, kind, _, a, b = step[0]
    return {
        events.TAKE: [f"take:{b}"],
        events.LOOK: ["look"],
        events.ANNOUNCE: [f"announce:{MASK_IDS[value % 16]}"],
        events.CLAIM: ["claim"],
        events.PASS: ["pass"],
        events.CHOOSE: [f"target:{a}"],
        events.DECLINE: ["decline"],
        events.DECLARE: [f"declare:{MASK_IDS[value % 16]}"],
        events.RETURN: {events.SWAP: ["swap"], events.KEEP: ["keep"]}.get(
            step[1][KIND] if len(step) > 1 else -1, ["swap", "keep"]
        ),
    }[kind]


def steps_of(story: list[Event]) -> list[list[Event]]:
    steps: list[list[Event]] = [[]]
    for event in story:
        steps[-1].append(event)
        if event[KIND] == events.ASK:
            steps.append([])
    return [step for step in steps if step]


def swapped(placement: tuple[int, ...], one: int, other: int) -> tuple[int, ...]:
    masks = list(placement)
    masks[one], masks[other] = masks[other], masks[one]
    return tuple(masks)


def another_game(scenario: Scenario, player: int, story: list[Event]) -> Game | None:
    """Search for a game in which a player sees exactly these events; return None if there is none.

    Raises:
        OverflowError: too many placements are possible to search.
    """
    deal, *steps = steps_of(story)
    first = tuple(event[VALUE] for event in deal if event[KIND] == events.DEAL)
    choices = [action_of(scenario, step) for step in steps]
    before: list[set[tuple[int, ...]]] = []
    possible = {first}
    for step, words in zip(steps, choices, strict=True):
        sights = [(event[A], event[VALUE]) for event in step if events.SIGHTS >> event[KIND] & 1]
        possible = {mine for mine in possible if all(mine[slot] == mask for slot, mask in sights)}
        before.append(possible)
        if step[0][KIND] == events.RETURN:
            one, other = step[0][A], step[0][B]
            moved = {swapped(mine, one, other) for mine in possible} if "swap" in words else set()
            possible = moved | (possible if "keep" in words else set())
        if len(possible) > MOST_PLACEMENTS:
            raise OverflowError
    if not possible:
        return None
    here = min(possible)
    for number in range(len(steps) - 1, -1, -1):
        if steps[number][0][KIND] != events.RETURN:
            continue
        one, other = steps[number][0][A], steps[number][0][B]
        if "keep" in choices[number] and here in before[number]:
            choices[number] = ["keep"]
        else:
            choices[number] = ["swap"]
            here = swapped(here, one, other)
    game = Game(scenario, deal=[MASK_IDS[mask] for mask in first])
    for (word,) in choices:
        game.play(word)
    return game


def refusal(view: AgentView, message: list[Event]) -> str:
    """Return the error with which a view refuses a message, "" if it accepts it."""
    try:
        view.hear(message)
    except MascaradeError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("scenario", tables(), ids=lambda scenario: scenario.name)
def test_a_mutated_message_is_refused_or_fits_another_possible_game(scenario: Scenario) -> None:
    chance = random.Random(f"{scenario.name} mutations")
    refused, accepted = 0, 0
    while refused + accepted < MUTATIONS:
        player = chance.randrange(scenario.players)
        story = history(scenario, player, chance)
        wrong = mutated(story, chance)
        if wrong == story:
            continue
        heard = chance.randrange(len(story))
        while heard and story[heard - 1][KIND] != events.ASK:
            heard -= 1
        view = AgentView(scenario, player)
        if wrong[:heard] == story[:heard]:
            view.hear(story[:heard])
        else:
            heard = 0
        before = pickle.dumps(view)
        error = refusal(view, wrong[heard:])
        if error:
            assert re.search(r"event \d+", error)
            assert pickle.dumps(view) == before
            refused += 1
            continue
        accepted += 1
        assert view.observation().shape == (view.schema.size,)
        try:
            game = another_game(scenario, player, wrong)
        except OverflowError:
            continue
        assert game is not None
        assert game.view(player).events.tolist() == view.events.tolist() == wrong
        assert game.view(player).observation().tobytes() == view.observation().tobytes()
    assert refused > accepted


def test_the_search_for_another_game_finds_the_true_one_and_no_impossible_one() -> None:
    chance = random.Random(5)
    for name in ("4A", "6B", "8B"):
        story = history(scenarios()[name], 1, chance)
        game = another_game(scenarios()[name], 1, story)
        assert game is not None
        assert game.view(1).events.tolist() == story
    quiet = Game("8B", seed=1)
    for _ in range(4):
        quiet.play(quiet.legal_actions()[0])
        quiet.play("keep")
    quiet.play("look")  # player 4, whose mask only player 3 may have moved
    seen = [tuple(event) for event in quiet.view(4).events.tolist()]
    place = next(i for i, event in enumerate(seen) if event[KIND] == events.SEE)
    for mask in (quiet.deal[6], quiet.deal[7]):
        seen[place] = (mask_number(mask), *seen[place][1:])
        assert another_game(scenarios()["8B"], 4, seen) is None


@pytest.mark.parametrize("count", [1, 7, 8, 40, 400])
@pytest.mark.parametrize("name", ["4A", "12B"])
def test_masks_that_come_back_more_often_than_they_were_taken_are_refused(
    name: str, count: int
) -> None:
    game = Game(name, seed=1)
    view = game.view(1)
    returns = [(0, events.EVERYONE, events.RETURN, 0, 0, 1)] * count
    for message in (returns, view.events.tolist()[:-1] + returns):
        fresh = AgentView(name, 1)
        with pytest.raises(MascaradeError, match=r"event \d+, RETURN\(.*expected .*(ASK|DEAL)"):
            fresh.hear(message)
        assert not len(fresh.events)
    with pytest.raises(MascaradeError, match=r"RETURN\(.*expected .*TAKE"):
        view.hear(returns)


def test_an_earlier_turn_and_coins_that_do_not_exist_are_refused() -> None:
    game = Game("4A", seed=1)
    game.play_randomly(30, seed=1)
    story = [list(event) for event in game.view(2).events.tolist()]
    begins = [place for place, event in enumerate(story) if event[KIND] == events.BEGIN]
    pays = [place for place, event in enumerate(story) if event[KIND] == events.PAY]
    assert len(begins) > 2
    assert pays
    for place, wrong in ((begins[-1], 0), (pays[-1], 1000)):
        message = [list(event) for event in story]
        message[place][VALUE] = wrong
        kind = KINDS[message[place][KIND]]
        with pytest.raises(MascaradeError, match=rf"event {place}, {kind}\(value={wrong},.*{kind}"):
            AgentView("4A", 2).hear(message)


def test_a_mask_that_the_player_knows_to_be_elsewhere_is_refused_at_its_event() -> None:
    game = Game("4A", seed=1)
    for slot in (1, 2, 3, 0):
        game.play(f"take:{slot}" if slot else "take:0")
        game.play("keep")
    game.play("announce:empress")
    for _ in range(3):
        game.play("claim")
    story = [tuple(event) for event in game.view(3).events.tolist()]
    place = next(i for i, event in enumerate(story) if event[KIND] == events.REVEAL)
    deal = game.deal
    centre = mask_number(deal[4])  # never moved, so not at a seat
    wrong = [*story]
    wrong[place] = (centre, *story[place][1:])
    view = AgentView("4A", 3)
    with pytest.raises(MascaradeError, match=rf"event {place}, REVEAL\(value={centre}.*{deal[4]}"):
        view.hear(wrong)
    assert not len(view.events)
    view.hear(story)
    assert view.events.tolist() == story


def test_a_sight_of_no_mask_is_refused() -> None:
    game = Game("4A", seed=1)
    for slot in (1, 2, 3):
        game.play(f"take:{slot}")
        game.play("keep")
    game.play("take:0")
    game.play("keep")
    game.play("look")
    story = [list(event) for event in game.view(0).events.tolist()]
    place = next(i for i, event in enumerate(story) if event[KIND] == events.SEE)
    for nothing in (-1, 16, 127, 2**31 - 1, -(2**31)):
        story[place][VALUE] = nothing
        with pytest.raises(MascaradeError, match=rf"event {place}, SEE\(value={nothing},"):
            AgentView("4A", 0).hear(story)


def test_part_of_a_step_and_events_after_the_end_are_refused() -> None:
    game = Game("4A", seed=3)
    game.play_randomly(500, seed=3)
    assert game.over
    story = game.view(0).events
    ends = {i + 1 for i, event in enumerate(story) if event["kind"] == events.ASK} | {len(story)}
    for count in range(1, len(story)):
        view = AgentView("4A", 0)
        if count in ends:
            view.hear(story[:count])
            continue
        with pytest.raises(MascaradeError, match=rf"event {count} is missing.*expected"):
            view.hear(story[:count])
        assert not len(view.events)
    view = game.view(0)
    for more in (story[-1:], story[:1], story):
        with pytest.raises(MascaradeError, match=rf"event {len(story)}, .*the game is over"):
            view.hear(more)


def test_a_fixed_deal_is_demanded() -> None:
    scenario = scenarios()["tiny-2"]
    masks = list(scenario.masks)
    fixed = Scenario(name="fixed", players=2, masks=scenario.masks, strict=False, fixed_deal=True)
    story = Game(fixed, seed=1).view(0).events.tolist()
    AgentView(fixed, 0).hear(story)
    other = [list(event) for event in story]
    other[0][VALUE], other[1][VALUE] = other[1][VALUE], other[0][VALUE]
    expected = mask_number(masks[0])
    with pytest.raises(MascaradeError, match=rf"event 0, .*expected DEAL\(value={expected},"):
        AgentView(fixed, 0).hear(other)


def test_lists_tuples_and_arrays_are_equivalent() -> None:
    game = Game("8B", seed=2)
    game.play_randomly(40, seed=2)
    array = game.view(3).events
    for message in (array, list(array), array.tolist(), json.loads(json.dumps(array.tolist()))):
        view = AgentView("8B", 3)
        view.hear(message)
        assert view.events.tobytes() == array.tobytes()
    view.hear([])
    view.hear(np.zeros(0, EVENT))
    assert view.events.tobytes() == array.tobytes()


@pytest.mark.parametrize(
    ("message", "fact"),
    [
        ([(1, 2)], r"\(1, 2\)"),
        ([(0, 1, 2, 3, 4, 5, 6)], r"\(1, 7\)"),
        ([[1.5] * 6], "float64"),
        ([[0, 8191, 0, -1, 0, 0], [0]], "lengths"),
        ([[2**70] * 6], "object"),
        ([[0, 8191, 0, -1, 0, 2**15]], "b 32768 .*int16"),
        ([[0, 8191, -129, -1, 0, 0]], "kind -129 .*int8"),
        ([[0, 8190, 0, -1, 0, 0]], "player 0.*seen_by"),
        ("events", "list of tuples"),
        (None, "list of tuples"),
        (7, "list of tuples"),
        ({"kind": 1}, "list of tuples"),
        (np.zeros(3), "float64"),
        (np.zeros((1, 1), EVENT), r"\(1, 1\)"),
        ([[True] * 6], "bool"),
        ([["0"] * 6], "list of tuples"),
    ],
)
def test_a_message_that_is_not_a_list_of_events_is_refused(message: Any, fact: str) -> None:
    view = AgentView("4A", 0)
    before = pickle.dumps(view)
    with pytest.raises(MascaradeError, match=fact):
        view.hear(message)
    assert pickle.dumps(view) == before


def test_every_phase_and_kind_of_event_was_mutated() -> None:
    """The mutated histories contain every kind of event, so that all are tested."""
    kinds, phases = set(), set()
    for scenario in tables():
        chance = random.Random(f"{scenario.name} mutations")
        for _ in range(40):
            for event in history(scenario, chance.randrange(scenario.players), chance):
                kinds.add(event[KIND])
                if event[KIND] == events.ASK:
                    phases.add(event[VALUE])
    assert kinds == set(range(len(KINDS)))
    assert phases == set(range(len(PHASES) - 1))
