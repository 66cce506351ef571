"""Games at moments that differ as pictures."""

from collections.abc import Iterator

from mascarade_env import Game, Scenario, scenarios

NAMES = (
    "Ann", "Bartholomew the Magnificent of Nowhere", "</script><b>&amp;\"'", "名前" * 20, "Zoë",
    "\x1b[2J\x07\n", "\ud800\x00\ufffe", "[bold]W[/]", "W" * 500, "]]>", " ", "-->",
)  # fmt: skip
SCENARIOS = tuple(scenarios())
_MASKS = (
    *(mask for mask in scenarios()["12B"].masks if mask != "puppet_master"),
    "king", "witch", "cheat",
)  # fmt: skip
#: Centres of a size that only research scenarios have.
WIDE = (
    Scenario("pair", 2, tuple(mask for mask in _MASKS if mask != "fool"), strict=False),
    Scenario(
        "crowd",
        5,
        _MASKS,
        strict=False,
        start_coins=400,
        goal_coins=1000,
        turn_limit=60,
    ),
)


def game_of(scenario: str | Scenario, seed: int, decisions: int, *, named: bool = True) -> Game:
    """Return a random game after a number of decisions, or at its end."""
    players = Game(scenario, seed=seed).scenario.players
    game = Game(scenario, seed=seed, names=NAMES[:players] if named else None)
    game.play_randomly(decisions)
    return game


def moments(scenario: str | Scenario, seed: int = 0) -> Iterator[Game]:
    """Yield a game at the deal, in each phase, with many claims and reveals, and at its end."""
    yield game_of(scenario, seed, 0)
    wanted = {"table", "challenge", "target", "declare", "reveal", "claims"}
    game = game_of(scenario, seed, 0)
    for _ in range(400):
        if game.over:
            break
        game.play_randomly(1)
        reveals = sum("reveals" in sentence for sentence in game.news())
        found = {
            game.phase,
            "reveal" if reveals > 2 else "",
            "claims" if len(game.claims) > 2 else "",
        }
        if wanted & found:
            wanted -= found
            yield game.clone()
    yield game
