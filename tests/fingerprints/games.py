"""Records, beliefs and information states of single games."""

import warnings
from collections.abc import Iterator

import numpy as np

from tests.fingerprints.digests import Digest, Entries
from tests.fingerprints.parts import Batch, Game, InexactBeliefWarning, Scenario, all_scenarios

_SEEDS = range(8)
_LONGEST = 200  # most decisions of a game, because some games are long
_MOMENTS = (7, 17, 29)  # number of decisions before knowledge is compared
_SAMPLED = 3
_THINNED = ("6A", "8B", "12B", "centre")
_KEPT = 32  # most worlds of a belief in the batches that are thinned
_THINNED_STEPS = 60
_THINNED_GAMES = ("9B", "12B", "centre")
_TAKES = 72  # number of decisions of the game whose belief is thinned


def records() -> Entries:
    """Return digests of game records with a trace, of all scenarios."""
    return {name: _records(scenario) for name, scenario in all_scenarios().items()}


def _records(scenario: Scenario) -> str:
    found = Digest()
    for seed in _SEEDS:
        game = Game(scenario, seed=seed)
        game.play_randomly(_LONGEST)
        found.add(game.to_record(trace=True))
    return str(found)


def _moments(scenario: Scenario, seeds: range) -> Iterator[Game]:
    """Yield games at some moments."""
    for seed in seeds:
        game = Game(scenario, seed=seed)
        for before, after in zip((0, *_MOMENTS), _MOMENTS, strict=False):
            game.play_randomly(after - before)
            yield game


def beliefs() -> Entries:
    """Return digests of beliefs and sampled histories of games, and of thinned beliefs."""
    found: Entries = {name: _beliefs(scenario) for name, scenario in all_scenarios().items()}
    found["thinned"] = {
        "batch": {name: _thinned_batch(all_scenarios()[name]) for name in _THINNED},
        "game": {name: _thinned_game(all_scenarios()[name]) for name in _THINNED_GAMES},
    }
    return found


def _beliefs(scenario: Scenario) -> Entries:
    digests = {name: Digest() for name in ("table", "worlds", "sampled")}
    for game in _moments(scenario, range(2)):
        for viewer in (*range(scenario.players), "onlooker"):
            digests["table"].add(game.belief(viewer), game.exact(viewer))
            placements, weights, exact = game.worlds(viewer)
            # Sorted by placement, because the order of worlds is not a property of a belief.
            order = np.lexsort(placements.T[::-1])
            digests["worlds"].add(placements[order], weights[order], exact)
        for other in game.sample_worlds("onlooker", _SAMPLED, 0):
            digests["sampled"].add(other.masks, other.taken)
    return {name: str(each) for name, each in digests.items()}


def _thinned_batch(scenario: Scenario) -> str:
    batch = Batch(scenario, 64, seed=1, most_worlds=_KEPT)
    found = Digest()
    for _ in range(_THINNED_STEPS):
        batch.step(batch.random_actions())
        for viewer in (*range(scenario.players), "onlooker"):
            found.add(batch.belief(viewer))
        found.add(batch.exact, batch.thinned)
    assert batch.thinned, f"no belief of {scenario.name} was thinned"
    return str(found)


def _thinned_game(scenario: Scenario) -> str:
    """Return a game of takes, after which a belief has too many worlds."""
    game = Game(scenario, seed=0)
    for decision in range(_TAKES):
        legal = game.legal_actions()
        takes = [word for word in legal if word.startswith("take")] or legal
        game.play(takes[decision * 7 % len(takes)])
    found = Digest()
    for viewer in (*range(scenario.players), "onlooker"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InexactBeliefWarning)
            found.add(game.exact(viewer), game.belief(viewer))
    assert not game.exact("onlooker"), f"no belief of {scenario.name} was thinned"
    return str(found)


def information() -> Entries:
    """Return digests of information states: numbers by scenario, and all texts in one entry.

    The texts have sentences, so a change of wording changes that entry and no other.
    """
    found: Entries = {}
    texts = Digest()
    for name, scenario in all_scenarios().items():
        tensors = Digest()
        for game in _moments(scenario, range(4)):
            for player in range(scenario.players):
                tensors.add(game.information_state_tensor(player, 512))
                texts.add(game.information_state(player))
        found[name] = str(tensors)
    return found | {"texts": str(texts)}
